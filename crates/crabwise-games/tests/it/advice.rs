//! Looking a limited number of moves ahead never proves what the table denies, at any depth, in any
//! game; and it proves every win and loss within its horizon.

use crabwise::{
    Job, Value,
    analysis::horizon::Horizon,
    analysis::label::Weights,
    explore::advise::Advice,
    explore::{Explorer, PositionInfo},
    watch::Unwatched,
};
use crabwise_games::{Built, Registry};

const SEED: u64 = 20_261_115;

/// A line of random moves.
fn stroll(table: &dyn Explorer, random: &mut fastrand::Rng) -> (Vec<String>, PositionInfo) {
    let (mut line, length) = (vec![], random.usize(..24));
    loop {
        let at = table.look(&line).unwrap();
        if at.place.over.is_some() || line.len() == length {
            return (line, at);
        }
        line.push(at.moves[random.usize(..at.moves.len())].name.clone());
    }
}

fn compare(what: &str, at: &PositionInfo, advice: &Advice, depth: u32) {
    match advice.value {
        Some(value) => assert_eq!(value, at.value, "{what}"),
        None => {
            assert_eq!(advice.depth, depth, "{what}");
            let near = matches!(at.value, Value::Win(n) | Value::Loss(n) if n <= depth);
            assert!(!near, "{what}: {} was missed", at.value);
        }
    }
    for advised in &advice.moves {
        let truth = at.moves.iter().find(|one| one.name == advised.name).unwrap();
        assert!(advised.value.is_none_or(|value| value == truth.value), "{what}, {}", truth.name);
    }
    if let (Some(_), Some(best)) = (advice.value, advice.moves.first()) {
        let truth = at.moves.iter().find(|one| one.name == best.name).unwrap();
        assert_eq!(truth.value.outcome(), at.value.outcome(), "{what}, {}", best.name);
    }
}

#[test]
fn what_is_proven_is_so() {
    let registry = Registry::standard();
    let (mut proven, mut guesses) = (0, 0);
    for entry in registry.entries() {
        let Built { string, game } = registry.build(entry.example).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let job = Job { game: &string, table: &path, memory: 4 << 30, watch: &Unwatched };
        game.solve(&job, true, &|_| {}).unwrap();
        let table = game.open(&job).unwrap();
        let mut random = fastrand::Rng::with_seed(SEED);
        for seed in 0..12 {
            let (line, at) = stroll(&*table, &mut random);
            for depth in [1, 2, 3, 4, 6] {
                let (weights, memory) = (Weights::default(), 1 << 24);
                let horizon = Horizon { depth, time: None, weights, seed, memory };
                let advice = game.advise(&line, &horizon, &Unwatched).unwrap();
                let what = format!("{string} {line:?}, depth {depth}, seed {SEED}");
                compare(&what, &at, &advice, depth);
                if advice.proven() {
                    proven += 1;
                } else {
                    guesses += 1;
                }
            }
        }
    }
    println!("{proven} proven, {guesses} guesses");
    assert!(proven > 200 && guesses > 200, "{proven} proven, {guesses} guesses");
}
