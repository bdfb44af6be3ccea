//! Known values, random games, and the ways of proving against each other.

use super::*;
use crate::toys::{Abrupt, Kuhn, Random, form};
use crabwise::watch::{Bytes, Stage, Stop, Unwatched};

#[test]
fn kuhn_is_worth_minus_an_eighteenth() {
    let exact = form(Kuhn).exact(&Unwatched).unwrap();
    assert_eq!(exact.fraction.map(|f| f.to_string()).as_deref(), Some("-1/18"));
    assert!(exact.proven && exact.judged.exploitability() < 1e-12, "{:?}", exact.judged);
}

#[test]
fn abrupt_dark_hex_is_solved() {
    for (rows, columns, value) in [(2, 2, "1/2"), (1, 2, "1"), (2, 1, "0")] {
        let exact = form(Abrupt { rows, columns }).exact(&Unwatched).unwrap();
        assert_eq!(exact.fraction.unwrap().to_string(), value, "{rows}x{columns}");
        assert!(exact.proven && exact.judged.exploitability() < 1e-12);
    }
}

/// The part of the game that is enough is small, so this takes less than half a second.
#[test]
fn larger_abrupt_dark_hex_is_solved() {
    for (rows, columns, value) in [(2, 3, "9/11"), (3, 2, "-1/8")] {
        let form = form(Abrupt { rows, columns });
        let start = std::time::Instant::now();
        let exact = form.exact(&Unwatched).unwrap();
        println!(
            "{rows}x{columns}: {:?} sequences, {} payoffs, {} predicted; {} steps in {:?}",
            form.treeplexes.each_ref().map(|plex| plex.sequences()),
            form.payoffs().len(),
            Bytes(form.exact_bytes()),
            exact.iterations,
            start.elapsed()
        );
        assert_eq!(exact.fraction.unwrap().to_string(), value);
        assert!(exact.proven && exact.judged.exploitability() < 1e-12, "{:?}", exact.judged);
    }
}

/// A growing part leads where the whole game does.
#[test]
fn parts_of_random_games_are_enough() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..50 {
        let game = Random { seed: random.u64(..), length: 6 };
        let (form, start) = (form(game), std::time::Instant::now());
        let payoffs = form.payoffs();
        let [whole, grown] = [Restriction::all(&form), Restriction::begin(&form)]
            .map(|part| form.exact_from(part, &payoffs, LpBackend::Clarabel, &Unwatched).unwrap());
        let (a, b) = (whole.judged, grown.judged);
        assert!(b.exploitability() < 1e-7, "{game:?}: {b:?}, {:?}", start.elapsed());
        assert!((a.value - b.value).abs() < 1e-7, "{game:?}: {a:?}, {b:?}");
    }
}

#[test]
fn random_games_are_solved() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut proven = 0;
    for _ in 0..100 {
        let game = Random { seed: random.u64(..), length: 6 };
        let form = form(game);
        let exact = form.exact(&Unwatched).unwrap();
        let [first, second] = &exact.behaviours;
        assert_eq!(form.judge([first, second]), exact.judged);
        assert!(exact.judged.exploitability() < 1e-7, "{game:?}: {:?}", exact.judged);
        for (plex, behaviour) in form.treeplexes.iter().zip(&exact.behaviours) {
            for info_set in 0..plex.info_sets() {
                let sum: f64 = behaviour[plex.at(info_set)].iter().sum();
                assert!((sum - 1.0).abs() < 1e-9, "{game:?}: {sum} at {info_set}");
            }
        }
        if let Some(fraction) = exact.fraction.filter(|_| exact.proven) {
            proven += 1;
            let [low, high] = exact.judged.bounds();
            let value = fraction.value();
            assert!(low - 1e-9 < value && value < high + 1e-9, "{game:?}: {fraction}");
        }
    }
    println!("{proven} proven");
    assert!(proven >= 90);
}

/// What equations tell is what rounding finds, and they tell values that are no simple fractions, too.
#[test]
fn equations_agree_with_rounding_on_random_games() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut told, mut rounded, mut both) = (0, 0, 0);
    for _ in 0..60 {
        let game = Random { seed: random.u64(..), length: 6 };
        let form = form(game);
        let payoffs = form.payoffs();
        let part = Restriction::all(&form);
        let optimal = form.optimal(part, &payoffs, LpBackend::Clarabel, &Unwatched).unwrap();
        let whole = IntegerPayoffs::new(&payoffs).unwrap();
        let meter = Meter::new(&Unwatched, "proving", None, None).unwrap();
        let by_equations = Player::BOTH.map(|player| {
            let support = &optimal.supports[player as usize];
            let found = basis::candidate(&form, &whole, player, support, &meter).unwrap();
            Vec::from_iter(found)
        });
        let by_rounding = Player::BOTH.map(|player| {
            let plan = &optimal.corners[player as usize];
            rounding::candidates(&form, Some(&whole), player, plan)
        });
        let (equations, simple) = (proof(&by_equations), proof(&by_rounding));
        told += usize::from(equations.is_some());
        rounded += usize::from(simple.is_some());
        if let (Some(one), Some(other)) = (equations, simple) {
            assert_eq!(one, other, "{game:?}");
            both += 1;
        }
    }
    println!("{told} by equations, {rounded} by rounding, {both} by both");
    assert!(told >= 54 && both > 30);
}

#[test]
fn a_watcher_can_refuse() {
    struct Never;
    impl Watch for Never {
        fn tell(&self, _: &Stage) -> Result<(), Stop> {
            Err(Stop::Cancelled)
        }
    }
    let refused = form(Kuhn).exact(&Never).unwrap_err();
    assert_eq!(refused, LpError::Stopped(Stop::Cancelled));
}
