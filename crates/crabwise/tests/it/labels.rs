//! Labels, traps, the literal table and limited horizons, each against the words of their
//! definition, on random graphs that go round in circles.

use std::collections::HashMap;

use crate::graphs::{Graph, Vertices};
use crabwise::{
    Game, Index, Outcome, Setup, Value,
    analysis::horizon::Horizon,
    analysis::label::{Draws, Label, Labels, Weights},
    analysis::reference::rounds,
    solve, solve_with,
    watch::Unwatched,
};

/// What the bridges of an island are to the player who has to take one: his own label of each
/// successor. Where the turn is kept, good for the one who moved there is good for him.
fn successors(game: &Graph, labels: &[Option<Label>], at: usize) -> Vec<Option<Label>> {
    let seen = |&(to, again): &(u32, bool)| match (labels[to as usize], again) {
        (Some(Label::G(n)), true) => Some(Label::P(n)),
        (Some(Label::P(x)), true) => Some(Label::G(x)),
        (label, _) => label,
    };
    game.moves[at].iter().map(seen).collect()
}

/// G and P by the rules, applied again and again until nothing changes: once some successor is
/// G_n, P_(n + 1); once all are P, G. `literal` waits for all in both cases. The rule is tried with
/// small indices first, so that the smallest G and the largest P are the true ones.
fn good_and_poor(game: &Graph, literal: bool) -> Vec<Option<Label>> {
    let n = game.moves.len();
    let mut labels: Vec<Option<Label>> = vec![None; n];
    for index in 1..=2 * n as u32 + 2 {
        let mut fresh = vec![];
        for at in (0..n).filter(|&at| labels[at].is_none()) {
            let next = successors(game, &labels, at);
            let good = next.iter().filter_map(|label| match label {
                Some(Label::G(n)) => Some(*n),
                _ => None,
            });
            let poor: Vec<u32> = (next.iter())
                .filter_map(|label| if let Some(Label::P(x)) = label { Some(*x) } else { None })
                .collect();
            let all_good = next.iter().all(|label| matches!(label, Some(Label::G(_))));
            let new = if next.is_empty() {
                match game.ends[at] {
                    Outcome::Loss => Some(Label::G(1)),
                    Outcome::Win => Some(Label::P(1)),
                    Outcome::Tie => None,
                }
            } else if poor.len() == next.len() {
                poor.iter().max().map(|x| Label::G(x + 1))
            } else if !literal || all_good {
                good.min().map(|n| Label::P(n + 1))
            } else {
                None
            };
            fresh.extend(new.filter(|new| new.index() <= index.into()).map(|new| (at, new)));
        }
        fresh.into_iter().for_each(|(at, label)| labels[at] = Some(label));
    }
    labels
}

/// z of all islands that are neither G nor P, by following pure islands until nothing changes.
fn depths(game: &Graph, labels: &[Option<Label>]) -> Vec<u64> {
    let n = game.moves.len();
    let mut z: Vec<Option<u32>> = vec![None; n];
    let trap = |at: usize| {
        let seen = successors(game, labels, at);
        seen.iter()
            .filter_map(|label| if let Some(Label::P(x)) = label { Some(*x) } else { None })
            .max()
    };
    for _ in 0..=n {
        for at in (0..n).filter(|&at| labels[at].is_none()) {
            let even = game.moves[at].iter().filter(|(to, _)| labels[*to as usize].is_none());
            let smallest = even.filter_map(|(to, _)| z[*to as usize]).min();
            z[at] = trap(at).or(smallest);
        }
    }
    z.into_iter().map(|z| z.unwrap_or(0).into()).collect()
}

fn density(game: &Graph, labels: &[Option<Label>], at: usize, weights: Weights) -> u64 {
    let seen = successors(game, labels, at);
    let each = |label: &Option<Label>| match label {
        None => weights.a,
        Some(Label::P(x)) => weights.b + weights.c * x,
        _ => 0,
    };
    seen.iter().map(|label| u64::from(each(label))).sum()
}

fn complete(labels: &[Option<Label>], index: impl Fn(usize) -> u64) -> Vec<Label> {
    let t = |at: usize| Label::T(index(at));
    labels.iter().enumerate().map(|(at, label)| label.unwrap_or_else(|| t(at))).collect()
}

#[test]
fn labels_agree_with_their_definition_on_random_graphs() {
    let (mut islands, mut misread) = (0, 0);
    let mut kinds = HashMap::<String, u32>::new();
    for seed in 0..3000 {
        let game = Graph::random(seed, true);
        let (numbered, walked) =
            (solve_with(&game, Vertices::of(&game, true)).unwrap(), solve(&game).unwrap());
        let truth = good_and_poor(&game, false);
        let by_depth = {
            let z = depths(&game, &truth);
            complete(&truth, |at| z[at])
        };
        let weights = Weights { a: 1, b: 3, c: 7 };
        let by_density = complete(&truth, |at| density(&game, &truth, at, weights));
        let literal = {
            let literal = good_and_poor(&game, true);
            let z = depths(&game, &literal);
            complete(&literal, |at| z[at])
        };
        let dense = Draws::Densest(weights);
        let found = [
            (Labels::of(&game, &numbered, Draws::Deepest).unwrap(), &by_depth, "z"),
            (Labels::of(&game, &numbered, dense).unwrap(), &by_density, "Z"),
            (Labels::literally(&game, &numbered.index).unwrap(), &literal, "literal"),
        ];
        for at in 0..game.moves.len() as u32 {
            for (labels, truth, what) in &found {
                let label = labels.get(numbered.index.slot(&at));
                assert_eq!(label, Some(truth[at as usize]), "{what}, seed {seed}, {at}: {game:?}");
            }
            islands += 1;
            misread += u32::from(literal[at as usize].letter() != by_depth[at as usize].letter());
            let label = by_depth[at as usize];
            let zero = if label == Label::T(0) { "0" } else { "" };
            *kinds.entry(format!("{}{zero}", label.letter())).or_default() += 1;
        }
        let labels = Labels::of(&game, &walked, Draws::Deepest).unwrap();
        for at in walked.index.positions(0) {
            let label = labels.get(walked.index.slot(at));
            assert_eq!(label, Some(by_depth[*at as usize]), "walked, seed {seed}, at {at}");
        }
    }
    println!("{islands} islands, {kinds:?}; the literal table is wrong on {misread}");
    assert!(kinds.len() == 4 && kinds.values().all(|&n| n > 1000), "{kinds:?}");
    assert!(misread > 1000);
}

/// Textbook retrograde analysis is `rounds`; G, P and T are its losses, wins and the rest.
#[test]
fn labels_are_values_seen_from_the_other_side() {
    for seed in 5000..6000 {
        let game = Graph::random(seed, true);
        let labels = good_and_poor(&game, false);
        for (at, value) in rounds(&game) {
            let same = match (value, labels[at as usize]) {
                (Value::Loss(n), Some(Label::G(index))) => index == n + 1,
                (Value::Win(n), Some(Label::P(index))) => index == n + 1,
                (Value::Tie(_) | Value::Draw, None) => true,
                _ => false,
            };
            assert!(same, "seed {seed}, at {at}: {value}, {:?}", labels[at as usize]);
        }
    }
}

/// Whether a move keeps a value, by the truth. One tie is as good as another.
fn keeps(game: &Graph, truth: &HashMap<u32, Value>, at: u32, name: &str) -> bool {
    let to: u32 = name.parse().unwrap();
    let (kept, value) = (truth[&to].back(game.again(&at, &to)), truth[&at]);
    kept == value || kept.outcome() == "tie" && value.outcome() == "tie"
}

#[test]
fn what_a_horizon_proves_is_true_and_it_proves_all_it_can() {
    let (mut proven, mut guesses) = (0, 0);
    for seed in 0..1000 {
        let game = Graph::random(seed, true);
        let truth = rounds(&game);
        let any = Setup::of(game.clone()).erased();
        let (mut line, mut at) = (vec![], 0);
        for depth in 1..=10 {
            // A little memory now and then, so that things are forgotten.
            let memory = if seed % 2 == 0 { 1 << 20 } else { 200 };
            let weights = Weights::default();
            let horizon = Horizon { depth, time: None, weights, seed, memory };
            let advice = any.advise(&line, &horizon, &Unwatched).unwrap();
            let value = truth[&at];
            if let Some(found) = advice.value {
                proven += 1;
                assert_eq!(found, value, "seed {seed}, {line:?}, depth {depth}: {game:?}");
                let best = advice.moves.first();
                assert!(best.is_none_or(|best| keeps(&game, &truth, at, &best.name)));
            } else {
                guesses += 1;
                assert_eq!(advice.depth, depth);
                let within = matches!(value, Value::Win(n) | Value::Loss(n) if n <= depth);
                assert!(!within, "seed {seed}, {line:?}, depth {depth}: {value} missed");
            }
            for one in &advice.moves {
                let to: u32 = one.name.parse().unwrap();
                let worth = truth[&to].back(game.again(&at, &to));
                assert!(one.value.is_none_or(|value| value == worth), "seed {seed}, {line:?}");
            }
            // Go on somewhere, so that not only starts are looked at.
            if let Some(last) = advice.moves.last().filter(|_| depth % 3 == 0) {
                at = last.name.parse().unwrap();
                line.push(last.name.clone());
            }
        }
    }
    assert!(proven > 1000 && guesses > 1000, "{proven} proven, {guesses} guesses");
}

#[test]
fn the_same_seed_gives_the_same_advice() {
    for seed in 0..200 {
        let any = Setup::of(Graph::random(seed, true)).erased();
        let horizon =
            Horizon { depth: 4, time: None, weights: Weights::default(), seed, memory: 1 << 20 };
        let advice = || any.advise(&[], &horizon, &Unwatched).unwrap();
        assert_eq!(advice(), advice());
    }
}
