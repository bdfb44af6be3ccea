//! What players get to see, against brute force over all histories; and agents on a game that is laid out.

use std::{collections::BTreeMap, fmt};

use super::{super::toys, *};
use crate::{
    ErasedHidden, ExploredGame, HiddenSetup,
    random::{by_weight, greatest},
    toys::{Abrupt, Kuhn},
    tree::states::UNNOTICED,
};

/// One history: the position it leads to, what either player did and heard, and how likely chance and
/// each player's opponent, who makes any move, do what leads there.
struct History<G: Hidden> {
    at: G::Position,
    recalls: [Recall<G>; 2],
    likely: [f64; 2],
}

fn histories<G: Hidden>(game: &G) -> Vec<History<G>> {
    let (recalls, mut all) = (Player::BOTH.map(Recall::new), vec![]);
    let mut open = vec![History { at: game.start(), recalls, likely: [1.0; 2] }];
    while let Some(history) = open.pop() {
        let turn = game.turn(&history.at);
        let moves: Vec<G::Move> = match turn {
            Turn::Over(_) => vec![],
            _ => game.moves(&history.at).into_iter().collect(),
        };
        let weight = |mv: &G::Move| game.weight(&history.at, *mv);
        let sum: f64 = moves.iter().map(weight).sum();
        for mv in &moves {
            let mut recalls = history.recalls.clone();
            recalls.iter_mut().for_each(|recall| recall.notice(game, &history.at, *mv));
            let likely = Player::BOTH.map(|player| match turn {
                Turn::Of(mover) if mover == player => history.likely[player as usize],
                Turn::Of(_) => history.likely[player as usize] / moves.len() as f64,
                _ => history.likely[player as usize] * weight(mv) / sum,
            });
            open.push(History { at: game.play(&history.at, *mv), recalls, likely });
        }
        all.push(history);
    }
    all
}

fn in_words<G: Hidden>(recall: &Recall<G>) -> Vec<String> {
    let words = |(mv, observed): &Step<G>| {
        let words = (mv.map(|mv| mv.to_string()), observed.map(|observed| observed.to_string()));
        format!("{words:?}")
    };
    recall.steps.iter().map(words).collect()
}

fn beliefs_are_right<G: Hidden>(game: &G) {
    let all = histories(game);
    for player in Player::BOTH {
        let p = player as usize;
        let mut info_sets: BTreeMap<Vec<String>, Vec<&History<G>>> = BTreeMap::new();
        for history in all.iter().filter(|history| game.turn(&history.at) == Turn::Of(player)) {
            info_sets.entry(in_words(&history.recalls[p])).or_default().push(history);
        }
        for (steps, histories) in info_sets {
            let sum: f64 = histories.iter().map(|history| history.likely[p]).sum();
            let mut belief = Belief::new(game, player, usize::MAX);
            belief.follow(game, &histories[0].recalls[p].steps);
            assert!(belief.is_whole());
            let mut left: f64 = 1.0;
            for (at, likely) in belief.positions() {
                let there = histories.iter().filter(|history| history.at == at);
                let expected: f64 = there.map(|history| history.likely[p]).sum::<f64>() / sum;
                assert!(expected > 0.0 && (likely - expected).abs() < 1e-12, "{steps:?}");
                left -= likely;
            }
            assert!(left.abs() < 1e-9, "{steps:?}");
        }
    }
}

#[test]
fn a_belief_has_the_positions_that_look_alike_and_no_other() {
    beliefs_are_right(&Kuhn);
    beliefs_are_right(&Abrupt { rows: 2, columns: 2 });
    let first = fastrand::u64(..1 << 32);
    println!("seed {first}");
    for seed in first..first + 100 {
        beliefs_are_right(&toys::Random { seed, length: 5 });
    }
}

/// A belief that is asked for now and then is the one that was asked for all along, if some positions stand for all, too.
#[test]
fn a_belief_is_kept_up_to_date() {
    let game = Abrupt { rows: 2, columns: 3 };
    let mut random = fastrand::Rng::with_seed(3);
    for most in [5, usize::MAX].repeat(20) {
        let (mut at, mut recall) = (game.start(), Recall::new(Player::First));
        let mut often = Belief::new(&game, Player::First, most);
        while let Turn::Of(mover) = game.turn(&at) {
            let moves: Vec<_> = game.moves(&at).into_iter().collect();
            if mover == Player::First {
                often.follow(&game, &recall.steps);
                let mut once = Belief::new(&game, Player::First, most);
                once.follow(&game, &recall.steps);
                assert_eq!(often.positions(), once.positions());
                assert_eq!(often.is_whole(), once.is_whole());
                assert!(often.positions().len() <= most.saturating_add(1));
            }
            let mv = moves[random.usize(..moves.len())];
            recall.notice(&game, &at, mv);
            at = game.play(&at, mv);
        }
    }
}

/// Some positions stand for all: none that does not fit, and each as likely as it is, on average.
#[test]
fn what_is_drawn_stands_for_all() {
    let game = Abrupt { rows: 2, columns: 3 };
    let steps: Vec<Step<Abrupt>> = [0, 4].map(|cell| (Some(toys::Shown(cell)), None)).into();
    let mut whole = Belief::new(&game, Player::First, usize::MAX);
    whole.follow(&game, &steps);
    let whole = whole.positions();
    assert!(whole.len() > 12, "{}", whole.len());
    let (mut sums, runs) = (vec![0.0; whole.len()], 4000);
    for seed in 0..runs {
        let mut some = Belief::new(&game, Player::First, 8);
        some.reseed(seed);
        some.follow(&game, &steps);
        assert!(!some.is_whole());
        for (at, likely) in some.positions() {
            let place = whole.iter().position(|(known, _)| *known == at).unwrap();
            sums[place] += likely / runs as f64;
        }
    }
    for ((_, likely), sum) in whole.iter().zip(sums) {
        assert!((likely - sum).abs() < 0.02 + 0.2 * likely, "{likely} {sum}");
    }
}

/// Remembers what it saw.
struct Witness(std::sync::Mutex<Vec<(Vec<String>, usize)>>);

impl Agent for Witness {
    fn name(&self) -> String {
        "witness".into()
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        let positions = view.belief(100).positions().len();
        self.0.lock().unwrap().push((in_words(view.recall), positions));
        random.usize(..view.moves().len())
    }
}

/// Whatever the other's card is, who has been dealt a card sees that and the two others as
/// possible.
#[test]
fn a_seat_tells_ones_own_card_and_no_other() {
    let witness = Witness(Default::default());
    for seed in 0..200 {
        play_game(&Kuhn, None, None, [&witness, &witness], seed);
    }
    let seen = witness.0.into_inner().unwrap();
    assert!(seen.iter().all(|&(_, positions)| positions == 2), "{seen:?}");
    let mut first: Vec<&Vec<String>> = seen.iter().map(|(steps, ..)| steps).collect();
    first.sort();
    first.dedup();
    // A card; a card and a pass or a bet; a card, a pass and a bet.
    assert_eq!(first.len(), 3 + 6 + 3);
}

/// A game laid out, as rules: positions are states, and nothing is worked out again.
struct LaidOut<'a>(&'a GameTree, [f64; 2]);

/// A place, and what is said of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Named<'a>(u32, &'a str);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
}

impl<'a> Hidden for LaidOut<'a> {
    type Position = u32;
    type Move = Named<'a>;
    type Observation = Named<'a>;

    fn start(&self) -> u32 {
        0
    }

    fn stakes(&self) -> [f64; 2] {
        self.1
    }

    fn turn(&self, at: &u32) -> Turn {
        self.0.turn(*at)
    }

    fn moves(&self, at: &u32) -> impl IntoIterator<Item = Named<'a>> {
        let node = self.0.states.nodes[*at as usize];
        (0..self.0.states.arcs(*at).len() as u32).map(move |mv| match node.turn {
            Turn::Of(player) => {
                let info_state = node.info_states[player as usize];
                Named(mv, self.0.info_states(player).name(info_state, mv))
            }
            _ => Named(mv, "chance"),
        })
    }

    fn play(&self, at: &u32, mv: Named) -> u32 {
        self.0.states.arcs(*at)[mv.0 as usize].to
    }

    fn weight(&self, at: &u32, mv: Named) -> f64 {
        self.0.states.arcs(*at)[mv.0 as usize].chance
    }

    fn observe(&self, at: &u32, mv: Named, player: Player) -> Option<Named<'a>> {
        let arc = self.0.states.arcs(*at)[mv.0 as usize];
        let (place, p) = (arc.steps[player as usize], player as usize);
        if place == UNNOTICED {
            return None;
        }
        let info_states = self.0.info_states(player);
        let info_state = self.0.states.nodes[*at as usize].info_states[p];
        let number = info_states.transitions(info_state)[place as usize].step.observation?;
        Some(Named(number, info_states.observation(number)))
    }

    fn seen(&self, _: &u32, _: Player) -> String {
        String::new()
    }
}

fn everybody(tree: &GameTree) -> Vec<AnyAgent<'_>> {
    vec![
        AnyAgent::Random(RandomAgent),
        AnyAgent::ProbOne(ProbOneAgent::searching()),
        AnyAgent::ProbOne(ProbOneAgent::new(tree)),
        AnyAgent::MonteCarlo(MonteCarloAgent::new(Effort::Iterations(30))),
        AnyAgent::Ismcts(IsmctsAgent::new(Effort::Iterations(60))),
    ]
}

/// The same seed is the same game, move by move, whether the game is laid out, with a state for each position, or made
/// by the rules.
fn alike_with_and_without_a_layout<G: Hidden>(game: G, laid_out: ErasedHidden, seeds: u64) {
    let ExploredGame { tree, .. } = toys::explored(&laid_out);
    assert_eq!(tree.stakes(), game.stakes());
    let laid_out = LaidOut(&tree, tree.stakes());
    let all = everybody(&tree);
    for [first, second] in crate::league::pairs(all.len()) {
        let players = [&all[first], &all[second]];
        for seed in 0..seeds {
            let [a, b] = [
                play_game(&game, None, None, players, seed),
                play_game(&laid_out, None, None, players, seed),
            ];
            assert_eq!(a, b, "{:?}, seed {seed}", players.map(|player| player.name()));
        }
    }
}

#[test]
fn agents_do_alike_with_and_without_a_layout() {
    alike_with_and_without_a_layout(Kuhn, HiddenSetup::of(Kuhn).erased(), 30);
    let hex = Abrupt { rows: 2, columns: 2 };
    alike_with_and_without_a_layout(hex, HiddenSetup::of(hex).abstracted().erased(), 20);
}

/// An agent does the same again from the same seed, and with time to think it moves, too.
#[test]
fn a_search_depends_on_its_seed_alone() {
    let (game, recall) = (Abrupt { rows: 3, columns: 3 }, Recall::new(Player::First));
    let moves: Vec<toys::Shown> = game.moves(&game.start()).into_iter().collect();
    let view =
        AgentView { game: &game, certain: None, features: None, recall: &recall, moves: &moves };
    let chosen = |agent: &AnyAgent, seed| agent.choose(&view, &mut fastrand::Rng::with_seed(seed));
    for effort in [Effort::Iterations(200), Effort::Time(std::time::Duration::ZERO)] {
        let mc = AnyAgent::MonteCarlo(MonteCarloAgent::new(effort));
        let ismcts = AnyAgent::Ismcts(IsmctsAgent::new(effort));
        for agent in [mc, ismcts] {
            for seed in 0..5 {
                assert_eq!(chosen(&agent, seed), chosen(&agent, seed), "{}", agent.name());
            }
        }
    }
}

#[test]
fn what_is_drawn_is_as_likely_as_it_should_be() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut times = [0; 3];
    for _ in 0..30_000 {
        times[by_weight(&[0.5, 0.0, 0.5], &mut random) as usize] += 1;
    }
    assert!(times[1] == 0 && (14_000..16_000).contains(&times[0]), "{times:?}");
    let mut times = [0; 3];
    for _ in 0..3000 {
        times[greatest(&[2.0, 1.0, 2.0], &mut random) as usize] += 1;
    }
    assert!(times[1] == 0 && (1300..1700).contains(&times[0]), "{times:?}");
}
