//! Games with hidden information: known values, by every way to them, and what makes the ways sound.

use std::collections::HashSet;

use crabwise::watch::Unwatched;
use crabwise_games::{Built, Registry};
use crabwise_hidden::{
    CertainView, Cfr, CfrVariant, CutShort, ErasedHidden, ExploredGame, HiddenError,
    IterativeSolver, PlanNext, PlanStep, Player, SequenceForm, Strategy, StrategyError, Turn,
    Updates, ViewError,
    agents::{AnyAgent, Effort, IsmctsAgent, MonteCarloAgent, RandomAgent},
    league::League,
    play::Play,
};

const ROOM: u64 = 4 << 30;

fn build(string: &str) -> Built<ErasedHidden> {
    Registry::standard().build_hidden(string).unwrap()
}

fn explore(game: &ErasedHidden) -> ExploredGame {
    game.explore(ROOM, &Unwatched).unwrap()
}

fn form(explored: &ExploredGame, fold: bool) -> SequenceForm {
    SequenceForm::new(&explored.tree, fold, ROOM, &Unwatched).unwrap()
}

/// Values that are known as fractions, for the first player.
const KNOWN: [(&str, [i128; 2]); 12] = [
    ("kuhn", [-1, 18]),
    ("matching-pennies", [0, 1]),
    ("rock-paper-scissors", [0, 1]),
    ("dark-hex:2x2,abrupt", [1, 2]),
    ("dark-hex:2x3,abrupt", [9, 11]),
    ("dark-hex:3x2,abrupt", [-1, 8]),
    ("dark-hex:2x2", [1, 1]),
    ("dark-hex:2x2,noisy", [1, 1]),
    ("dark-hex:2x2,flash", [1, 1]),
    ("dark-hex:2x3", [1, 1]),
    ("dark-hex:3x2", [-1, 1]),
    ("dark-hex:3x2,noisy", [-1, 1]),
];

#[test]
fn linear_programs_find_the_known_fractions() {
    for (game, [numerator, denominator]) in KNOWN {
        let built = build(game);
        let explored = explore(&built.game);
        let short = CutShort::new(&explored.tree).unwrap();
        let form = SequenceForm::new(&short.tree, false, ROOM, &Unwatched).unwrap();
        let exact = form.exact(&Unwatched).unwrap();
        let fraction = exact.fraction.unwrap_or_else(|| panic!("{game}: {:?}", exact.judged));
        let known = match denominator {
            1 => numerator.to_string(),
            _ => format!("{numerator}/{denominator}"),
        };
        assert_eq!(fraction.to_string(), known, "{game}");
        assert!(exact.judged.exploitability() < 1e-9, "{game}: {:?}", exact.judged);
    }
}

/// Values that no rounding of probabilities finds, and others that are among them: each is proved by what both players'
/// strategies guarantee.
const PROVED: [(&str, &str); 5] = [
    ("leduc", "-1454920850547486749701863871533/16995463438839962469905132501930"),
    ("dark-hex:2x2,abrupt,noisy", "1/2"),
    ("dark-hex:2x3,abrupt,noisy", "25/31"),
    ("dark-hex:3x2,abrupt,flash", "-13/148"),
    ("dark-hex:3x2,abrupt,noisy", "-1347/15572"),
];

#[test]
fn values_are_proved_in_fractions_of_any_length() {
    for (game, value) in PROVED {
        let built = build(game);
        let explored = explore(&built.game);
        // Another layout, and other programs: the value is the game's.
        let short = CutShort::new(&explored.tree).unwrap();
        for (tree, whole) in [(&short.tree, false), (&explored.tree, true)] {
            if whole && game.contains("3x2") {
                continue;
            }
            let form = SequenceForm::new(tree, false, ROOM, &Unwatched).unwrap();
            let exact = form.exact(&Unwatched).unwrap();
            assert!(exact.proven, "{game}: {:?}", exact.judged);
            assert_eq!(exact.fraction.unwrap().to_string(), value, "{game}");
            assert!(exact.judged.exploitability() < 1e-12, "{game}: {:?}", exact.judged);
        }
    }
}

#[test]
fn leduc_is_worth_what_others_have_found() {
    let built = build("leduc");
    let form = form(&explore(&built.game), false);
    let exact = form.exact(&Unwatched).unwrap();
    let [low, high] = exact.judged.bounds();
    assert!(low > -0.085_606_5 && high < -0.085_606_3, "{low} {high}");
    let mut cfr = Cfr::new(&form, CfrVariant::Vanilla, Updates::Alternating);
    (0..89).for_each(|_| cfr.step());
    let exploitability = cfr.judge().exploitability();
    assert!((exploitability - 0.106_461).abs() < 1e-6, "{exploitability}");
}

/// The bounds that iteration guarantees contain the true value, and are close to it.
#[test]
fn iteration_is_right_within_its_own_bounds() {
    for (game, [numerator, denominator]) in KNOWN {
        let built = build(game);
        let explored = explore(&built.game);
        let value = numerator as f64 / denominator as f64;
        for variant in [CfrVariant::Plus, CfrVariant::Predictive] {
            for fold in [false, true] {
                let form = form(&explored, fold);
                let mut cfr = Cfr::new(&form, variant, Updates::Alternating);
                (0..60).for_each(|_| cfr.step());
                let [low, high] = cfr.judge().bounds();
                let wide = (low - 1e-9..=high + 1e-9).contains(&value);
                assert!(wide && high - low < 0.2, "{game} {variant:?}: {low} {high}");
            }
        }
    }
}

/// Folded by its mirror a game gives the same, and so it does cut short at certain wins and continued.
#[test]
fn folding_and_cutting_short_change_nothing() {
    for game in [
        "dark-hex:2x2,abrupt",
        "dark-hex:2x3,abrupt,flash",
        "dark-hex:3x2,noisy",
        "dark-hex:2x3",
        // With a cell in the middle, which is its own image.
        "dark-hex:1x3,abrupt,flash",
        "dark-hex:3x1,abrupt,noisy",
        "dark-hex:5x1,abrupt,flash",
    ] {
        let built = build(game);
        let explored = explore(&built.game);
        let whole = form(&explored, false);
        let [plain, folded] = [false, true].map(|fold| {
            let form = form(&explored, fold);
            let mut cfr = Cfr::new(&form, CfrVariant::Plus, Updates::Alternating);
            (0..30).for_each(|_| cfr.step());
            let [first, second] = form.evened(cfr.average());
            let (own, judged) = (cfr.judge(), whole.judge([&first, &second]));
            assert!((own.exploitability() - judged.exploitability()).abs() < 1e-9, "{game}");
            judged
        });
        // Ties are broken by rounding, so that the two need not learn alike; but both learn.
        let both = [plain, folded].map(|judged| judged.exploitability());
        assert!(both.iter().all(|&learnt| learnt < 0.08), "{game}: {both:?}");

        let short = CutShort::new(&explored.tree).unwrap();
        let form = SequenceForm::new(&short.tree, true, ROOM, &Unwatched).unwrap();
        let mut cfr = Cfr::new(&form, CfrVariant::Predictive, Updates::Alternating);
        (0..40).for_each(|_| cfr.step());
        let behaviours = form.evened(cfr.average());
        let [first, second] = short.continued(&explored.tree, &behaviours);
        let (own, judged) = (cfr.judge(), whole.judge([&first, &second]));
        for (own, judged) in own.best.iter().zip(judged.best) {
            assert!((own - judged).abs() < 1e-9, "{game}: {own} {judged}");
        }
    }
}

/// The states say of certain wins what the search over views does.
#[test]
fn certain_wins_are_found_in_two_ways() {
    for game in ["dark-hex:2x2", "dark-hex:2x3", "dark-hex:3x2", "dark-hex:2x4", "dark-hex:3x3"] {
        let built = build(game);
        let explored = explore(&built.game);
        let both = built.game.prob_one(ROOM, &Unwatched).unwrap();
        for (player, fast) in Player::BOTH.into_iter().zip(both) {
            let slow = explored.prob_one(player);
            assert_eq!((fast.wins, &fast.openings), (slow.wins, &slow.openings), "{game} {player}");
            let [fast, slow] = [fast, slow].map(|wins| wins.counts.unwrap().all);
            assert_eq!(
                (fast.info_sets, fast.certain),
                (slow.info_sets, slow.certain),
                "{game} {player}"
            );
        }
    }
}

/// The views that a game lists itself are those among all its states.
#[test]
fn certain_views_are_listed_in_two_ways() {
    let key = |view: &CertainView| (view.picture.clone(), view.moves.clone());
    for game in ["dark-hex:2x2", "dark-hex:2x3", "dark-hex:3x2,flash", "dark-hex:3x3,noisy"] {
        let built = build(game);
        let explored = explore(&built.game);
        for player in Player::BOTH {
            let all = explored.certain_views(player);
            for (empty, hidden) in (1..=9).flat_map(|empty| (0..=4).map(move |h| (empty, h))) {
                let slow = all.iter().filter(|view| view.empty == empty);
                let slow = slow.filter(|view| view.hidden.contains(&hidden)).map(key);
                let fast = built.game.certain_views(player, [empty, hidden], ROOM, &Unwatched);
                let fast: HashSet<_> = fast.unwrap().iter().map(key).collect();
                assert_eq!(fast, slow.collect(), "{game} {player} {empty} {hidden}");
            }
        }
    }
}

/// A view that is read and searched by the rules is what the layout says of it.
#[test]
fn views_are_settled_in_two_ways() {
    let mut random = fastrand::Rng::with_seed(9);
    for game in ["dark-hex:2x2", "dark-hex:2x3,noisy", "dark-hex:2x2,abrupt", "dark-hex:3x2,abrupt"]
    {
        let built = build(game);
        let explored = explore(&built.game);
        let (mut certain, mut asked) = (0, 0);
        while asked < 200 {
            let mut play = built.game.play();
            while let Turn::Of(mover) = play.turn() {
                let seen = play.seen_by(mover);
                let fast = built.game.view(mover, &seen.line, ROOM, &Unwatched).unwrap();
                let at = explored.at(mover, &seen.line).unwrap();
                let slow = explored.certain_moves(at, &seen.line).unwrap();
                assert_eq!((&fast.picture, &fast.moves), (&seen.picture, &seen.moves));
                assert_eq!(fast.certain, slow, "{game} {:?}", seen.line);
                (certain, asked) = (certain + usize::from(!slow.is_empty()), asked + 1);
                play.go_on(None, &mut random);
            }
        }
        assert!(certain > 5, "{game}: {certain}");
        for line in ["a1 a1", "taken", "b1 zz", "flash-a1"] {
            let line: Vec<String> = line.split(' ').map(String::from).collect();
            let Err(ViewError::Words(fast)) =
                built.game.view(Player::First, &line, ROOM, &Unwatched)
            else {
                panic!("{line:?}")
            };
            let slow = explored.at(Player::First, &line).unwrap_err();
            let sorted = |text: &str| {
                let mut words: Vec<String> = text.split([' ', ',']).map(String::from).collect();
                words.sort();
                words
            };
            assert_eq!(sorted(&fast), sorted(&slow));
        }
    }
}

/// What searchers got from each other when they played on layouts, with the same efforts, seed and number of games: the
/// means of either first, which are the same by the rules, where states of a layout are positions even to the digit.
#[test]
fn searchers_are_as_strong_as_on_layouts() {
    let mc = AnyAgent::MonteCarlo(MonteCarloAgent::new(Effort::Iterations(100)));
    let ismcts = AnyAgent::Ismcts(IsmctsAgent::new(Effort::Iterations(200)));
    let random = AnyAgent::Random(RandomAgent);
    for (game, pairs, known) in [
        ("leduc", [[1, 0], [0, 1]], [1.237, -1.340]),
        ("dark-hex:3x2", [[1, 0], [0, 1]], [-0.640, -0.893]),
        ("dark-hex:3x2,abrupt", [[1, 2], [2, 1]], [0.587, -0.673]),
    ] {
        let built = build(game);
        let players = vec![mc.clone(), ismcts.clone(), random.clone()];
        let league = League::new(&built.game, players, 300, 1, None);
        let all = league.run(&[], &Unwatched, |_| Ok::<(), HiddenError>(())).unwrap();
        for (pair, known) in pairs.into_iter().zip(known) {
            let met = all.iter().find(|met| met.players == pair).unwrap();
            // Two leagues of as many games differ by their margins put together.
            let most = if game == "dark-hex:3x2,abrupt" { 1.5 * met.margin } else { 5e-4 };
            assert!((met.mean - known).abs() <= most, "{game}: {met:?}, {known}");
        }
    }
}

/// The stakes that games tell are those that are played for.
#[test]
fn stakes_are_the_least_and_the_most_there_is_to_get() {
    for entry in Registry::standard().hidden() {
        let built = build(entry.example);
        let tree = explore(&built.game).tree;
        assert_eq!(built.game.stakes(), tree.stakes(), "{}", entry.example);
    }
}

/// Whoever follows a plan of a certain win wins every play, whatever the other does.
#[test]
fn plans_end_in_wins() {
    for game in ["dark-hex:2x2", "dark-hex:3x2", "dark-hex:3x3", "dark-hex:1x3,abrupt"] {
        let built = build(game);
        let both = built.game.prob_one(ROOM, &Unwatched).unwrap();
        let winner = Player::BOTH.into_iter().find(|player| both[*player as usize].wins).unwrap();
        assert!(!both[winner.other() as usize].wins && !both[winner as usize].cut, "{game}");
        let mut plays = 0;
        let (play, plan) = (built.game.play(), &both[winner as usize].plan);
        follow(&play, winner, plan, PlanNext::Step(0), &mut plays);
        assert!(plays > 0, "{game}");
    }
}

/// All plays in which a player follows a plan, from a place in the play and in the plan.
fn follow(play: &Play, player: Player, plan: &[PlanStep], next: PlanNext, plays: &mut u64) {
    let mover = match play.turn() {
        Turn::Of(mover) => mover,
        Turn::Chance => panic!("nothing is left to chance"),
        Turn::Over(payoff) => {
            assert_eq!(payoff, player.sign());
            *plays += 1;
            return;
        }
    };
    let view = play.seen_by(mover);
    if mover != player {
        for mv in &view.moves {
            let mut play = play.clone();
            play.make(mv).unwrap();
            follow(&play, player, plan, next, plays);
        }
        return;
    }
    let PlanNext::Step(number) = next else { panic!("the plan ends too early") };
    let step = &plan[number];
    assert_eq!(step.picture, view.picture);
    let mut play = play.clone();
    let observed = play.make(&step.mv).unwrap()[player as usize].clone().unwrap_or_default();
    let next = step.next.iter().find(|(said, _)| *said == observed).map(|(_, next)| *next);
    // A plan says that it is won, and where it is not over it says how to go on.
    let over = matches!(play.turn(), Turn::Over(_));
    follow(&play, player, plan, if over { PlanNext::Won } else { next.unwrap() }, plays);
}

#[test]
fn what_is_not_for_hidden_games_is_refused() {
    let registry = Registry::standard();
    let said = |string: &str| registry.build_hidden(string).err().unwrap().to_string();
    assert!(said("tictactoe").starts_with("in tictactoe everything is seen"));
    assert!(said("dark-hex:2x2,outcomes").contains("'outcomes' is for games in which everything"));
    assert!(said("dark-hexe:2x2").contains("did you mean 'dark-hex'?"));
    assert!(said("dark-hex:9x9").contains("64"), "{}", said("dark-hex:9x9"));
    let open = registry.build("kuhn").err().unwrap().to_string();
    assert!(open.starts_with("kuhn has hidden information"), "{open}");
}

#[test]
fn strategies_are_kept_and_no_damage_goes_unseen() {
    let (built, other) = (build("dark-hex:2x2,abrupt"), build("dark-hex:2x2,abrupt,noisy"));
    let (explored, other_laid) = (explore(&built.game), explore(&other.game));
    let short = CutShort::new(&explored.tree).unwrap();
    let short_form = SequenceForm::new(&short.tree, false, ROOM, &Unwatched).unwrap();
    let exact = short_form.exact(&Unwatched).unwrap();
    let strategy = Strategy {
        game: built.string.clone(),
        method: "lp".into(),
        iterations: 7,
        abstraction: false,
        judged: exact.judged,
        behaviours: exact.behaviours,
    };
    let mut bytes = vec![];
    strategy.write(&short.tree, true, &mut bytes).unwrap();
    let read = Strategy::read(&built.string, &explored.tree, &mut &bytes[..]).unwrap();
    assert_eq!((read.iterations, read.judged), (7, strategy.judged));
    let [first, second] = &read.behaviours;
    let judged = form(&explored, false).judge([first, second]);
    assert!(judged.exploitability() < 1e-9, "{judged:?}");

    let refused = Strategy::read(&other.string, &other_laid.tree, &mut &bytes[..]);
    assert!(matches!(refused, Err(StrategyError::Other { .. })));
    let refused = Strategy::read(&built.string, &other_laid.tree, &mut &bytes[..]);
    assert!(matches!(refused, Err(StrategyError::Outdated)));
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(
            Strategy::read(&built.string, &explored.tree, &mut &damaged[..]).is_err(),
            "bit {bit}"
        );
    }
    for end in 0..bytes.len() {
        assert!(
            Strategy::read(&built.string, &explored.tree, &mut &bytes[..end]).is_err(),
            "{end}"
        );
    }
}

/// Blocks, lanes and the mirror give what the plain list of payoffs does, for strategies made by chance.
#[test]
fn gradients_are_those_of_the_list_of_payoffs() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for game in [
        "leduc",
        "dark-hex:2x3,abrupt",
        "dark-hex:2x3,flash",
        "dark-hex:3x2,abrupt,noisy",
        "dark-hex:1x5,abrupt,flash",
        "dark-hex:5x1,noisy",
        "dark-hex:3x1,abrupt",
    ] {
        let built = build(game);
        let explored = explore(&built.game);
        let forms = [form(&explored, false), form(&explored, true)];
        let plain = SequenceForm::of(forms[0].treeplexes.clone(), &forms[0].payoffs());
        for form in forms {
            let behaviours = form.treeplexes.each_ref().map(|treeplex| {
                let mut weights = vec![1.0; treeplex.sequences()];
                for info_set in 0..treeplex.info_sets() {
                    let at = treeplex.at(info_set);
                    weights[at.clone()].iter_mut().for_each(|weight| *weight = random.f64());
                    let sum: f64 = weights[at.clone()].iter().sum();
                    weights[at].iter_mut().for_each(|weight| *weight /= sum);
                }
                weights
            });
            let evened = form.evened(behaviours.clone());
            for player in Player::BOTH {
                let (own, other) = (player as usize, player.other() as usize);
                let gradient = |form: &SequenceForm, behaviour: &[f64]| {
                    let plan = form.treeplexes[other].realization_plan(behaviour);
                    let mut gradient = vec![0.0; form.treeplexes[own].sequences()];
                    form.gradient(player, &plan, &mut gradient);
                    gradient
                };
                let fast = gradient(&form, &behaviours[other]);
                let slow = gradient(&plain, &evened[other]);
                let gap = fast.iter().zip(&slow).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(gap < 1e-12, "{game}, {player}: {gap}");
            }
        }
    }
}

/// Counts without a walk through histories are those that others have found.
#[test]
fn counts_are_those_of_the_facts() {
    let facts: serde_json::Value =
        serde_json::from_str(include_str!("../../../../testdata/dark-hex.json")).unwrap();
    let rows = facts["counts"].as_array().unwrap();
    assert!(rows.len() >= 16);
    for row in rows {
        let word = |name: &str| row[name].as_str().unwrap();
        let game = format!("dark-hex:{},{},{}", word("board"), word("coll"), word("signal"));
        let built = build(&game);
        let counts = explore(&built.game).tree.counts();
        let number = |name: &str| row[name].as_u64().unwrap();
        assert_eq!(counts.histories, number("histories").into(), "{game}");
        assert_eq!(counts.games, number("terminal_histories").into(), "{game}");
        assert_eq!(counts.info_sets, [number("pr_info_0"), number("pr_info_1")], "{game}");
        // There the empty sequence is not counted.
        let sequences = counts.sequences.map(|count| count - 1);
        assert_eq!(sequences, [number("pr_seq_0"), number("pr_seq_1")], "{game}");
    }
}
