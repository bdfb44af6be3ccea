use super::*;
use crate::{
    Cfr, CfrVariant, HiddenSetup, Updates,
    network::{Example, Loss},
    toys::{Kuhn, Random, form, tree},
};

const EXACT: Regressor = Regressor::Linear { ridge: 0.0, every: 1 };
const RIDGE: Regressor = Regressor::Linear { ridge: 1e-6, every: 1 };
const NETWORK: Regressor = Regressor::Network { hidden: 16, rate: 0.01, epochs: 20, seed: 3 };

fn own(form: &SequenceForm) -> [Features; 2] {
    form.treeplexes.each_ref().map(Features::own)
}

fn named(game: impl crate::Hidden + 'static) -> [Features; 2] {
    let game = HiddenSetup::of(game).erased();
    let tree = tree(&game);
    Player::BOTH.map(|player| Features::of_names(&tree, player))
}

/// The features of a sequence.
fn at(features: &Features, sequence: usize) -> &[u32] {
    features.of_kind(features.of_sequences()[sequence] as usize)
}

fn run(learner: &mut Rcfr, iterations: u64) -> f64 {
    (0..iterations).for_each(|_| learner.step());
    learner.judge().exploitability()
}

fn bits(learner: &Rcfr) -> Vec<u64> {
    learner.average().iter().flatten().map(|float| float.to_bits()).collect()
}

#[test]
fn features_are_of_sequences() {
    let (form, features) = (form(Kuhn), named(Kuhn));
    let alike = [0, 1].map(|p: usize| {
        let (features, plex) = (&features[p], &form.treeplexes[p]);
        assert_eq!(features.of_sequences().len(), plex.sequences());
        assert!(at(features, 0).is_empty());
        let mut sets: Vec<Vec<u32>> =
            (1..plex.sequences()).map(|s| at(features, s).to_vec()).collect();
        assert!(sets.iter().all(|set| set.len() >= 2));
        sets.iter_mut().for_each(|set| set.sort_unstable());
        let again = (1..sets.len()).filter(|&i| sets[..i].contains(&sets[i])).count();
        assert_eq!(features.kinds(), plex.sequences() - again);
        again
    });
    // The second player cannot tell card 0 and a bet, which is a 1, from card 1 and a pass.
    assert_eq!(alike, [0, 2]);
    // Two moves: alone, having heard 0, 1 or 2, as cards or as what was said, and having passed.
    assert_eq!(features[0].len(), 2 * 5);
}

#[test]
fn with_features_of_their_own_regrets_are_exact() {
    let form = form(Random { seed: 5, length: 6 });
    let mut learner = Rcfr::new(&form, own(&form), Link::Matching, EXACT).unwrap();
    let mut regrets = Cfr::new(&form, CfrVariant::Vanilla, Updates::Alternating);
    for _ in 0..30 {
        learner.step();
        regrets.step();
        assert_eq!(learner.judge(), regrets.judge());
    }
    assert!(!learner.is_abstraction());
}

#[test]
fn all_links_solve_kuhn() {
    let form = form(Kuhn);
    for link in [Link::Matching, Link::Power(2.0), Link::Power(3.0), Link::Softmax(0.2)] {
        let mut learner = Rcfr::new(&form, own(&form), link, EXACT).unwrap();
        let far = [run(&mut learner, 100), run(&mut learner, 900)];
        println!("{link:?}: {far:?}");
        assert!(far[1] < far[0] && far[1] < 0.02, "{link:?}: {far:?}");
    }
}

/// Names do not say all, and a sum over them less: it comes closer than even play, and not to zero. A
/// network makes more of them.
#[test]
fn estimates_come_closer_but_not_all_the_way() {
    let form = form(Kuhn);
    for fit in [RIDGE, NETWORK] {
        for link in [Link::Matching, Link::Softmax(0.2)] {
            let mut learner = Rcfr::new(&form, named(Kuhn), link, fit).unwrap();
            let far = [run(&mut learner, 50), run(&mut learner, 450)];
            println!("{fit:?} {link:?}: {far:?}");
            assert!(far[1] < 0.2, "{fit:?} {link:?}: {far:?}");
            assert!(fit == NETWORK || far[1] > 0.1, "{fit:?} {link:?}: {far:?}");
            let [low, high] = learner.judge().bounds();
            assert!(low <= -1.0 / 18.0 && -1.0 / 18.0 <= high);
        }
    }
}

#[test]
fn a_checkpoint_goes_on_with_the_same_numbers() {
    let form = form(Kuhn);
    let late = Regressor::Linear { ridge: 0.1, every: 3 };
    for (fit, link) in
        [(RIDGE, Link::Matching), (late, Link::Softmax(1.0)), (NETWORK, Link::Power(3.0))]
    {
        let new = |fit, link| Rcfr::new(&form, named(Kuhn), link, fit).unwrap();
        let mut learner = new(fit, link);
        run(&mut learner, 10);
        let mut saved = vec![];
        learner.save(&mut saved).unwrap();
        let mut again = new(fit, link).resume(&mut &saved[..]).unwrap();
        run(&mut learner, 7);
        run(&mut again, 7);
        assert!(bits(&learner) == bits(&again), "{fit:?}");
        assert!(new(EXACT_LATER, link).resume(&mut &saved[..]).is_err());
        let end = saved.len() - 20;
        saved[end] ^= 1;
        assert!(new(fit, link).resume(&mut &saved[..]).is_err());
    }
}

const EXACT_LATER: Regressor = Regressor::Linear { ridge: 1.0, every: 2 };

#[test]
fn a_network_depends_on_its_seed_alone() {
    let form = form(Kuhn);
    let learnt = |seed: u64| {
        let fit = Regressor::Network { hidden: 8, rate: 0.01, epochs: 3, seed };
        let mut learner = Rcfr::new(&form, named(Kuhn), Link::Matching, fit).unwrap();
        run(&mut learner, 20);
        bits(&learner)
    };
    assert!(learnt(1) == learnt(1) && learnt(1) != learnt(2));
}

#[test]
fn least_squares_are_least() {
    let features = &named(Kuhn)[0];
    let mut linear = LinearRegressor::new(features, 0.5, 1).unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    let mut regrets: Vec<f64> = features.of_sequences().iter().map(|_| random.f64()).collect();
    regrets[0] = 0.0;
    linear.learn(features, &features.sum(&regrets), 1);
    let estimates = linear.estimates(features);
    // Where the sum of squares is least, its slope is zero.
    let mut slope: Vec<f64> = linear.weights.iter().map(|weight| 0.5 * weight).collect();
    for (sequence, regret) in regrets.iter().enumerate() {
        let ids = at(features, sequence);
        let y: f64 = ids.iter().map(|&id| linear.weights[id as usize]).sum();
        assert_eq!(estimates[features.of_sequences()[sequence] as usize], y);
        ids.iter().for_each(|&id| slope[id as usize] += y - regret);
    }
    assert!(slope.iter().all(|slope| slope.abs() < 1e-9), "{slope:?}");
}

/// What is learnt from kinds is what would be learnt from all of their sequences.
#[test]
fn a_kind_stands_for_its_sequences() {
    let features = &named(Kuhn)[1];
    assert!(features.kinds() < features.of_sequences().len());
    let mut random = fastrand::Rng::with_seed(5);
    let mut regrets: Vec<f64> =
        features.of_sequences().iter().map(|_| random.f64() - 0.5).collect();
    regrets[0] = 0.0;
    let mut fit = NetworkRegressor::new(features, 8, 0.01, 1, 4);
    let mut network = fit.network.clone();
    fit.learn(features, &features.sum(&regrets));
    let targets: Vec<f32> = regrets.iter().map(|regret| (regret / fit.scale) as f32).collect();
    let example = |(sequence, targets)| {
        let features = at(features, sequence);
        Example { features, places: &[0], targets, weight: 1.0 }
    };
    let all: Vec<Example> = targets.chunks(1).enumerate().skip(1).map(example).collect();
    let slope = network.mean_slope(&all, Loss::Squares);
    Adam::new(&network, 0.01).step(&mut network, &slope);
    for (kinds, sequences) in fit.network.weights.iter().zip(&network.weights) {
        assert!((kinds - sequences).abs() < 1e-5, "{kinds} {sequences}");
    }
}
