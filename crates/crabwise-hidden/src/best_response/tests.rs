//! Layouts and best responses against brute force.

use std::collections::BTreeMap;

use crabwise::watch::Unwatched;

use crate::{
    Hidden, HiddenSetup, Player, SequenceForm, Turn,
    toys::{Kuhn, Random, form, tree},
};

/// What happens when two behaviours play each other, followed history by history. Information sets are told apart by
/// what was done and heard; `mixes` says what is done at each.
fn expected<G: Hidden>(
    game: &G,
    at: &G::Position,
    info_sets: [Vec<String>; 2],
    mixes: &[BTreeMap<Vec<String>, Vec<f64>>; 2],
) -> f64 {
    let mover = match game.turn(at) {
        Turn::Over(payoff) => return payoff,
        Turn::Chance => None,
        Turn::Of(player) => Some(player),
    };
    let moves: Vec<G::Move> = game.moves(at).into_iter().collect();
    let all: f64 = moves.iter().map(|&mv| game.weight(at, mv)).sum();
    let mut sum = 0.0;
    for (i, &mv) in moves.iter().enumerate() {
        let likely = match mover {
            None => game.weight(at, mv) / all,
            Some(player) => mixes[player as usize][&info_sets[player as usize]][i],
        };
        sum += likely * expected(game, &game.play(at, mv), next(game, at, mv, &info_sets), mixes);
    }
    sum
}

fn next<G: Hidden>(
    game: &G,
    at: &G::Position,
    mv: G::Move,
    info_sets: &[Vec<String>; 2],
) -> [Vec<String>; 2] {
    Player::BOTH.map(|player| {
        let mut info_set = info_sets[player as usize].clone();
        let heard = game.observe(at, mv, player).map(|word| format!("heard {word}"));
        if game.turn(at) == Turn::Of(player) {
            info_set.push(format!("did {mv} {heard:?}"));
        } else {
            info_set.extend(heard);
        }
        info_set
    })
}

/// The value is between the bounds that need no layout.
#[test]
fn bounds_by_even_moves_hold_the_value() {
    let mut narrow = 0;
    for seed in 0..60 {
        let tree = tree(&HiddenSetup::of(Random { seed, length: 5 }).erased());
        let form = SequenceForm::new(&tree, false, 1 << 26, &Unwatched).unwrap();
        let value = form.exact(&Unwatched).unwrap().judged.value;
        let ([low, high], stakes) = (tree.even_bounds(), tree.stakes());
        assert!(stakes[0] <= low && low <= value + 1e-6, "seed {seed}: {low}, {value}");
        assert!(value - 1e-6 <= high && high <= stakes[1], "seed {seed}: {value}, {high}");
        narrow += u32::from(high - low < stakes[1] - stakes[0]);
    }
    assert!(narrow > 20, "{narrow}");
    let [low, high] = tree(&HiddenSetup::of(Kuhn).erased()).even_bounds();
    assert!(low < -1.0 / 18.0 && high > -1.0 / 18.0, "{low}, {high}");
}

/// All information sets at which a player has to move, with the number of moves.
fn info_sets<G: Hidden>(game: &G) -> [BTreeMap<Vec<String>, usize>; 2] {
    let mut found = [BTreeMap::new(), BTreeMap::new()];
    let mut open = vec![(game.start(), [vec![], vec![]])];
    while let Some((at, info_sets)) = open.pop() {
        if let Turn::Of(player) = game.turn(&at) {
            let count = game.moves(&at).into_iter().count();
            found[player as usize].insert(info_sets[player as usize].clone(), count);
        }
        if !matches!(game.turn(&at), Turn::Over(_)) {
            for mv in game.moves(&at) {
                open.push((game.play(&at, mv), next(game, &at, mv, &info_sets)));
            }
        }
    }
    found
}

type Mix = BTreeMap<Vec<String>, Vec<f64>>;

fn even(info_sets: &[BTreeMap<Vec<String>, usize>; 2]) -> [Mix; 2] {
    [0, 1].map(|p: usize| {
        let even =
            |(info_set, &n): (&Vec<String>, &usize)| (info_set.clone(), vec![1.0 / n as f64; n]);
        info_sets[p].iter().map(even).collect()
    })
}

/// The most that a player gets against an even opponent, all pure strategies tried.
fn best<G: Hidden>(game: &G, player: Player) -> f64 {
    let (info_sets, start) = (info_sets(game), [vec![], vec![]]);
    let (own, p) = (&info_sets[player as usize], player as usize);
    let mut mixes = even(&info_sets);
    let mut best = f64::NEG_INFINITY;
    let mut choice = vec![0; own.len()];
    loop {
        for ((info_set, &n), &mv) in own.iter().zip(&choice) {
            let pure = (0..n).map(|i| f64::from(u8::from(i == mv))).collect();
            mixes[p].insert(info_set.clone(), pure);
        }
        let payoff = expected(game, &game.start(), start.clone(), &mixes);
        best = best.max(player.sign() * payoff);
        let Some(turn) =
            (0..choice.len()).find(|&i| choice[i] + 1 < own.values().nth(i).copied().unwrap())
        else {
            return best;
        };
        choice[turn] += 1;
        choice[..turn].fill(0);
    }
}

fn uniform(form: &SequenceForm) -> [Vec<f64>; 2] {
    [0, 1].map(|p: usize| form.treeplexes[p].uniform())
}

#[test]
fn kuhn_is_laid_out() {
    let form = form(Kuhn);
    assert_eq!(form.treeplexes.each_ref().map(|plex| plex.info_sets()), [6, 6]);
    assert_eq!(form.payoffs().len(), 30);
    let [first, second] = uniform(&form);
    let judged = form.judge([&first, &second]);
    assert!((judged.exploitability() - 11.0 / 24.0).abs() < 1e-12, "{judged:?}");
}

/// Best responses and values are what trying everything finds, on games made by chance.
#[test]
fn judgements_agree_with_brute_force_on_random_games() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let (mut tried, mut random) = (0, fastrand::Rng::with_seed(seed));
    while tried < 200 {
        let game = Random { seed: random.u64(..), length: 4 };
        let info_sets = info_sets(&game);
        let choices = |p: usize| info_sets[p].values().map(|&n| n as f64).product::<f64>();
        if choices(0).max(choices(1)) > 3000.0 {
            continue;
        }
        tried += 1;
        let form = form(game);
        assert_eq!(
            form.treeplexes.each_ref().map(|plex| plex.info_sets()),
            info_sets.each_ref().map(|all| all.len())
        );
        let [first, second] = uniform(&form);
        let judged = form.judge([&first, &second]);
        let start = [vec![], vec![]];
        let payoff = expected(&game, &game.start(), start, &even(&info_sets));
        assert!((judged.value - payoff).abs() < 1e-9, "{game:?}: {judged:?}, {payoff}");
        for player in Player::BOTH {
            let (fast, slow) = (judged.best[player as usize], best(&game, player));
            assert!((fast - slow).abs() < 1e-9, "{game:?}: {fast}, {slow}");
        }
    }
}
