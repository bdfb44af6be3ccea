//! Counterfactual regrets that are not kept but estimated, from features of sequences.
//!
//! A regressor learns what the regret of a sequence is from features of its view and its move, and views
//! behave by the estimates (Waugh, Morrill, Bagnell, Bowling 2015). What behaviour follows from estimates
//! `y` is the *link* `f`: moves are made in proportion to `f(y)` (D'Orazio, Morrill, Wright, Bowling 2020).
//! The exploitability falls like `1 / sqrt(T)` down to a rest that grows with the errors of the estimates,
//! and no further: where features do not tell apart what must be told apart, it stops above zero, however
//! long it runs.
//!
//! Two regressors:
//!
//! - *linear*: `y = φ w`, where `w` minimises `|Φ w − R|² + ridge |w|²` over all sequences. Regrets enter
//!   as `Φ' R` alone, and that is a sum over iterations: no regret of a sequence is kept. The matrix
//!   `Φ' Φ + ridge` never changes, so that it is factored once (Cholesky).
//! - *network*: one hidden layer of rectified units over the same features, trained by Adam (Kingma, Ba
//!   2014) on all sequences at once, from a seed. For targets the sums of regrets are kept.
//!
//! Features come from a view alone and from nothing but names, whatever the game: how often each move was
//! made and each word heard, crossed with the move in question; and the move itself. The order of things is
//! not among them.

use std::{
    collections::HashMap,
    io::{self, Read, Write},
};

use xxhash_rust::xxh3::Xxh3;

use super::{
    CheckpointError, Form, HiddenError, Judged, Learner, Player, Plex, Tree,
    learner::{Sink, Source, digest, fingerprint},
    regret::{share, total},
    states::Minds,
};

/// The features of each sequence of a player, as numbers; one that is there twice counts twice.
#[derive(Clone, Debug)]
pub struct Features {
    /// Where those of each sequence begin, and after the last the end.
    first: Vec<u32>,
    ids: Vec<u32>,
    many: usize,
}

/// What of a view is crossed with the move: nothing.
const ALONE: u32 = u32::MAX;

impl Features {
    /// What was done and heard, crossed with the move.
    pub fn of_names(tree: &Tree, player: Player) -> Features {
        let mut features = Features { first: vec![0, 0], ids: vec![], many: 0 };
        let minds = &tree.states.minds[player as usize];
        features.unroll(minds, 0, &mut vec![ALONE], &mut HashMap::new());
        features
    }

    /// One for each sequence: nothing is estimated then, and everything kept.
    pub fn own(plex: &Plex) -> Features {
        let sequences = plex.sequences() as u32;
        let first = [0].into_iter().chain(0..sequences).collect();
        Features { first, ids: (0..sequences - 1).collect(), many: sequences as usize - 1 }
    }

    /// Goes through minds as [`Plex`] does.
    fn unroll(
        &mut self,
        minds: &Minds,
        mind: u32,
        happened: &mut Vec<u32>,
        known: &mut HashMap<(u32, u32), u32>,
    ) {
        let moves = minds.names_of(mind);
        for &mv in moves {
            for &what in &*happened {
                let next = known.len() as u32;
                self.ids.push(*known.entry((mv, what)).or_insert(next));
            }
            self.first.push(self.ids.len() as u32);
        }
        self.many = known.len();
        for kid in minds.kids(mind) {
            let before = happened.len();
            happened.extend(kid.step.mv.map(|mv| 2 * moves[mv as usize]));
            happened.extend(kid.step.word.map(|word| 2 * word + 1));
            self.unroll(minds, kid.to, happened, known);
            happened.truncate(before);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.many
    }

    /// Whether there are none: the player never has a choice.
    pub fn is_empty(&self) -> bool {
        self.many == 0
    }

    fn at(&self, sequence: usize) -> &[u32] {
        &self.ids[self.first[sequence] as usize..self.first[sequence + 1] as usize]
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        digest(&mut hash, &self.first);
        digest(&mut hash, &self.ids);
        hash.digest()
    }
}

/// How behaviour follows from regrets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Link {
    /// In proportion to positive regrets.
    Matching,
    /// In proportion to a power of positive regrets: `p − 1`, where 2 is matching.
    Power(f64),
    /// In proportion to `exp(y / (τ sqrt(t)))` after `t` iterations, by the temperature `τ` ("Hedge").
    Softmax(f64),
}

impl Link {
    /// Puts probabilities in place of regrets after so many iterations.
    fn apply(self, iterations: u64, regrets: &mut [f64]) {
        match self {
            Link::Matching => {}
            Link::Power(p) => {
                // Only ratios matter, and so large powers do not overflow.
                let most = regrets.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
                regrets.iter_mut().for_each(|y| *y = (y.max(0.0) / most).powf(p - 1.0));
            }
            Link::Softmax(temperature) => {
                let most = regrets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let scale = temperature * (iterations.max(1) as f64).sqrt();
                regrets.iter_mut().for_each(|y| *y = ((*y - most) / scale).exp());
            }
        }
        let (total, even) = (total(regrets), 1.0 / regrets.len() as f64);
        regrets.iter_mut().for_each(|y| *y = share(*y, total, even));
    }

    fn words(self) -> [u64; 2] {
        match self {
            Link::Matching => [0, 0],
            Link::Power(p) => [1, p.to_bits()],
            Link::Softmax(temperature) => [2, temperature.to_bits()],
        }
    }
}

/// What estimates regrets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fit {
    /// A linear function of features, by least squares.
    Linear {
        /// How much large weights are shunned; above zero where features depend on each other.
        ridge: f64,
        /// After how many iterations weights are worked out anew.
        every: u64,
    },
    /// A network with one hidden layer.
    Network {
        /// Units in the hidden layer.
        hidden: usize,
        /// How fast it learns; 0.01 is usual.
        rate: f64,
        /// Steps of learning in an iteration.
        epochs: u64,
        /// Where its first weights come from.
        seed: u64,
    },
}

impl Fit {
    fn words(self) -> [u64; 5] {
        match self {
            Fit::Linear { ridge, every } => [0, ridge.to_bits(), every, 0, 0],
            Fit::Network { hidden, rate, epochs, seed } => {
                [1, hidden as u64, rate.to_bits(), epochs, seed]
            }
        }
    }
}

/// Strategies learnt by estimated regrets.
pub struct Regression<'f> {
    form: &'f Form,
    link: Link,
    fit: Fit,
    iterations: u64,
    sides: [Side; 2],
}

struct Side {
    features: Features,
    model: Model,
    behaviour: Vec<f64>,
    reach: Vec<f64>,
    average: Vec<f64>,
}

enum Model {
    Linear(Linear),
    Network(Network),
}

/// More features than this are refused by the linear regressor, whose matrix has their square.
const MOST: usize = 4096;

impl<'f> Regression<'f> {
    /// No regrets: all moves equally likely everywhere.
    pub fn new(
        form: &'f Form,
        features: [Features; 2],
        link: Link,
        fit: Fit,
    ) -> Result<Regression<'f>, HiddenError> {
        let [first, second] = features;
        let [one, two] = &form.plexes;
        let sides = [Side::new(one, first, fit)?, Side::new(two, second, fit)?];
        Ok(Regression { form, link, fit, iterations: 0, sides })
    }

    /// Judges the average.
    pub fn judge(&self) -> Judged {
        let [first, second] = self.average();
        self.form.judge([&first, &second])
    }

    /// Takes up in place what [`save`](Learner::save) wrote of the same game, features and methods.
    pub fn resume(mut self, from: &mut dyn Read) -> Result<Regression<'f>, CheckpointError> {
        let mut source = Source::new(from, METHOD, fingerprint(&self.form.plexes))?;
        for word in self.words() {
            source.expect(word, "it is of other features, or of another link or regressor")?;
        }
        self.iterations = source.word()?;
        for side in &mut self.sides {
            source.floats(&mut side.average)?;
            for array in side.model.arrays_mut() {
                source.floats(array)?;
            }
        }
        source.done()?;
        for (side, plex) in self.sides.iter_mut().zip(&self.form.plexes) {
            side.behave(plex, self.link, self.iterations);
        }
        Ok(self)
    }

    fn words(&self) -> Vec<u64> {
        let features = self.sides.iter().map(|side| side.features.fingerprint());
        self.link.words().into_iter().chain(self.fit.words()).chain(features).collect()
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 3;

impl Learner for Regression<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let (p, q) = (player as usize, player.other() as usize);
            let plex = &self.form.plexes[p];
            let mut gradient = vec![0.0; plex.sequences()];
            self.form.gradient(player, &self.sides[q].reach, &mut gradient);
            self.sides[p].learn(plex, gradient, self.iterations);
            self.sides[p].behave(plex, self.link, self.iterations);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|p: usize| self.form.plexes[p].behaviour(&self.sides[p].average))
    }

    /// What sequences share features cannot behave independently of each other.
    fn is_abstraction(&self) -> bool {
        let plexes = &self.form.plexes;
        self.sides.iter().zip(plexes).any(|(side, plex)| side.features.many + 1 < plex.sequences())
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, fingerprint(&self.form.plexes))?;
        sink.words(&self.words())?;
        sink.words(&[self.iterations])?;
        for side in &self.sides {
            sink.floats(&side.average)?;
            side.model.arrays().into_iter().try_for_each(|array| sink.floats(array))?;
        }
        sink.done()
    }
}

impl Side {
    fn new(plex: &Plex, features: Features, fit: Fit) -> Result<Side, HiddenError> {
        let model = match fit {
            Fit::Linear { ridge, every } => Model::Linear(Linear::new(&features, ridge, every)?),
            Fit::Network { hidden, rate, epochs, seed } => {
                Model::Network(Network::new(&features, hidden, rate, epochs, seed))
            }
        };
        let behaviour = plex.uniform();
        let mut reach = vec![0.0; plex.sequences()];
        plex.reach(&behaviour, &mut reach);
        Ok(Side { features, model, behaviour, reach, average: vec![0.0; plex.sequences()] })
    }

    /// Adds the present behaviour to the average, and tells the regressor its regrets.
    fn learn(&mut self, plex: &Plex, mut gradient: Vec<f64>, iterations: u64) {
        for (average, reach) in self.average.iter_mut().zip(&self.reach) {
            *average += reach;
        }
        for view in (0..plex.views()).rev() {
            let worth: f64 = plex.at(view).map(|s| self.behaviour[s] * gradient[s]).sum();
            gradient[plex.at(view)].iter_mut().for_each(|gain| *gain -= worth);
            gradient[plex.parent(view)] += worth;
        }
        gradient[0] = 0.0;
        match &mut self.model {
            Model::Linear(model) => model.learn(&self.features, &gradient, iterations),
            Model::Network(model) => model.learn(&self.features, &gradient, iterations),
        }
    }

    /// Behaves by the estimates.
    fn behave(&mut self, plex: &Plex, link: Link, iterations: u64) {
        let Side { features, model, behaviour, reach, .. } = self;
        match model {
            Model::Linear(model) => {
                for (sequence, y) in behaviour.iter_mut().enumerate() {
                    *y = features.at(sequence).iter().map(|&id| model.weights[id as usize]).sum();
                }
            }
            Model::Network(model) => {
                let mut units = vec![0.0; model.hidden];
                for (sequence, y) in behaviour.iter_mut().enumerate() {
                    *y = model.scale[0] * model.estimate(features.at(sequence), &mut units);
                }
            }
        }
        behaviour[0] = 1.0;
        for view in 0..plex.views() {
            link.apply(iterations, &mut behaviour[plex.at(view)]);
        }
        plex.reach(behaviour, reach);
    }
}

impl Model {
    /// What must be kept of it.
    fn arrays(&self) -> Vec<&[f64]> {
        match self {
            Model::Linear(model) => vec![&model.targets, &model.weights],
            Model::Network(model) => {
                let Network { targets, weights, mean, square, scale, steps, .. } = model;
                vec![targets, weights, mean, square, scale, steps]
            }
        }
    }

    fn arrays_mut(&mut self) -> Vec<&mut [f64]> {
        match self {
            Model::Linear(model) => vec![&mut model.targets, &mut model.weights],
            Model::Network(model) => {
                let Network { targets, weights, mean, square, scale, steps, .. } = model;
                vec![targets, weights, mean, square, scale, steps]
            }
        }
    }
}

/// Least squares.
struct Linear {
    /// The lower half of a triangular matrix `L` by rows, where `L L'` is `Φ' Φ + ridge`.
    factor: Vec<f64>,
    /// `Φ' R`.
    targets: Vec<f64>,
    weights: Vec<f64>,
    every: u64,
}

/// Where row `i` of the lower half of a matrix begins.
fn row(i: usize) -> usize {
    i * (i + 1) / 2
}

impl Linear {
    fn new(features: &Features, ridge: f64, every: u64) -> Result<Linear, HiddenError> {
        let many = features.many;
        if many > MOST {
            let (what, needed) = (format!("{many} features"), 8 * row(many) as u64);
            return Err(HiddenError::Room { what, needed, memory: 8 * row(MOST) as u64 });
        }
        let mut factor = vec![0.0; row(many)];
        for sequence in 0..features.first.len() - 1 {
            let ids = features.at(sequence);
            for &a in ids {
                for &b in ids.iter().filter(|&&b| b <= a) {
                    factor[row(a as usize) + b as usize] += 1.0;
                }
            }
        }
        (0..many).for_each(|i| factor[row(i) + i] += ridge);
        if !cholesky(&mut factor, many) {
            let what = "features depend on each other, which takes a ridge above zero";
            return Err(HiddenError::Contract(what.into()));
        }
        Ok(Linear { factor, targets: vec![0.0; many], weights: vec![0.0; many], every })
    }

    fn learn(&mut self, features: &Features, regrets: &[f64], iterations: u64) {
        for (sequence, regret) in regrets.iter().enumerate() {
            for &id in features.at(sequence) {
                self.targets[id as usize] += regret;
            }
        }
        if iterations.is_multiple_of(self.every.max(1)) {
            self.weights.copy_from_slice(&self.targets);
            solve(&self.factor, &mut self.weights);
        }
    }
}

/// Puts `L` in place of the lower half of `L L'`; false if the matrix is not positive.
fn cholesky(matrix: &mut [f64], many: usize) -> bool {
    for i in 0..many {
        let (above, own) = matrix.split_at_mut(row(i));
        let own = &mut own[..=i];
        for j in 0..i {
            let other = &above[row(j)..=row(j) + j];
            let dot: f64 = other[..j].iter().zip(&own[..j]).map(|(a, b)| a * b).sum();
            own[j] = (own[j] - dot) / other[j];
        }
        let rest = own[i] - own[..i].iter().map(|a| a * a).sum::<f64>();
        if rest <= 1e-12 * own[i] {
            return false;
        }
        own[i] = rest.sqrt();
    }
    true
}

/// Puts the solution `x` of `L L' x = b` in place of `b`.
fn solve(factor: &[f64], x: &mut [f64]) {
    for i in 0..x.len() {
        let own = &factor[row(i)..=row(i) + i];
        let dot: f64 = own[..i].iter().zip(&*x).map(|(a, b)| a * b).sum();
        x[i] = (x[i] - dot) / own[i];
    }
    for i in (0..x.len()).rev() {
        let own = &factor[row(i)..=row(i) + i];
        x[i] /= own[i];
        let (before, rest) = x.split_at_mut(i);
        before.iter_mut().zip(own).for_each(|(b, a)| *b -= a * rest[0]);
    }
}

/// A network with one hidden layer. Weights are in one array: of each feature to each unit, then what
/// each unit has by itself, then what each unit counts, then what the whole has by itself.
struct Network {
    hidden: usize,
    rate: f64,
    epochs: u64,
    /// The sums of regrets.
    targets: Vec<f64>,
    weights: Vec<f64>,
    /// Means of gradients and of their squares, for Adam.
    mean: Vec<f64>,
    square: Vec<f64>,
    /// What an estimate of 1 stands for: the greatest regret.
    scale: [f64; 1],
    /// Steps learnt.
    steps: [f64; 1],
}

impl Network {
    fn new(features: &Features, hidden: usize, rate: f64, epochs: u64, seed: u64) -> Network {
        let sequences = features.first.len() - 1;
        let many = hidden * (features.many + 2) + 1;
        let mut random = fastrand::Rng::with_seed(seed);
        // About as many features as there are on average keep a unit's sum near 1.
        let usual = (features.ids.len() as f64 / sequences as f64).max(1.0);
        let spread = [usual.sqrt(), 1.0, (hidden as f64).sqrt()];
        let weights = (0..many).map(|i| {
            let layer = match i / hidden.max(1) {
                layer if layer < features.many => 0,
                layer => (layer - features.many + 1).min(2),
            };
            let even = 2.0 * random.f64() - 1.0;
            if layer == 1 { 0.0 } else { even / spread[layer] }
        });
        let weights: Vec<f64> = weights.collect();
        let (mean, square) = (vec![0.0; many], vec![0.0; many]);
        let (targets, scale, steps) = (vec![0.0; sequences], [0.0], [0.0]);
        Network { hidden, rate, epochs, targets, weights, mean, square, scale, steps }
    }

    /// The estimate for a sequence, and the hidden units.
    fn estimate(&self, features: &[u32], units: &mut [f64]) -> f64 {
        let (hidden, end) = (self.hidden, self.weights.len() - 1);
        units.copy_from_slice(&self.weights[end - 2 * hidden..end - hidden]);
        for &id in features {
            let from = &self.weights[id as usize * hidden..][..hidden];
            units.iter_mut().zip(from).for_each(|(unit, weight)| *unit += weight);
        }
        units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        let counts = &self.weights[end - hidden..end];
        self.weights[end] + units.iter().zip(counts).map(|(unit, count)| unit * count).sum::<f64>()
    }

    fn learn(&mut self, features: &Features, regrets: &[f64], _: u64) {
        for (target, regret) in self.targets.iter_mut().zip(regrets) {
            *target += regret;
        }
        let most = self.targets.iter().fold(0.0, |most: f64, target| most.max(target.abs()));
        if most == 0.0 {
            return;
        }
        self.scale = [most];
        for _ in 0..self.epochs {
            let slope = self.slope(features);
            self.adam(&slope);
        }
    }

    /// The gradient of half the mean of squared errors.
    fn slope(&self, features: &Features) -> Vec<f64> {
        let (hidden, end) = (self.hidden, self.weights.len() - 1);
        let (mut slope, mut units) = (vec![0.0; self.weights.len()], vec![0.0; hidden]);
        let each = 1.0 / (self.targets.len() as f64 - 1.0).max(1.0);
        for sequence in 1..self.targets.len() {
            let ids = features.at(sequence);
            let target = self.targets[sequence] / self.scale[0];
            let error = each * (self.estimate(ids, &mut units) - target);
            slope[end] += error;
            for (j, &unit) in units.iter().enumerate().filter(|&(_, &unit)| unit > 0.0) {
                slope[end - hidden + j] += error * unit;
                let back = error * self.weights[end - hidden + j];
                slope[end - 2 * hidden + j] += back;
                ids.iter().for_each(|&id| slope[id as usize * hidden + j] += back);
            }
        }
        slope
    }

    fn adam(&mut self, slope: &[f64]) {
        self.steps[0] += 1.0;
        let [fast, slow]: [f64; 2] = [0.9, 0.999];
        let [first, second] = [fast, slow].map(|kept| 1.0 - kept.powf(self.steps[0]));
        for (i, &slope) in slope.iter().enumerate() {
            self.mean[i] = fast * self.mean[i] + (1.0 - fast) * slope;
            self.square[i] = slow * self.square[i] + (1.0 - slow) * slope * slope;
            let (mean, square) = (self.mean[i] / first, self.square[i] / second);
            self.weights[i] -= self.rate * mean / (square.sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Regrets, Rule, Setup, Updates,
        toys::{Kuhn, Random, form, tree},
    };

    const EXACT: Fit = Fit::Linear { ridge: 0.0, every: 1 };
    const RIDGE: Fit = Fit::Linear { ridge: 1e-6, every: 1 };
    const NETWORK: Fit = Fit::Network { hidden: 16, rate: 0.01, epochs: 20, seed: 3 };

    fn own(form: &Form) -> [Features; 2] {
        form.plexes.each_ref().map(Features::own)
    }

    fn named(game: impl crate::Hidden) -> [Features; 2] {
        let game = Setup::of(game).erased();
        let tree = tree(&*game);
        Player::BOTH.map(|player| Features::of_names(&tree, player))
    }

    fn run(learner: &mut Regression, iterations: u64) -> f64 {
        (0..iterations).for_each(|_| learner.step());
        learner.judge().exploitability()
    }

    fn bits(learner: &Regression) -> Vec<u64> {
        learner.average().iter().flatten().map(|float| float.to_bits()).collect()
    }

    #[test]
    fn features_are_of_sequences() {
        let (form, features) = (form(Kuhn), named(Kuhn));
        let alike = [0, 1].map(|p: usize| {
            let (features, plex) = (&features[p], &form.plexes[p]);
            assert_eq!(features.first.len(), plex.sequences() + 1);
            assert!(features.at(0).is_empty());
            let mut sets: Vec<Vec<u32>> =
                (1..plex.sequences()).map(|s| features.at(s).to_vec()).collect();
            assert!(sets.iter().all(|set| set.len() >= 2));
            sets.iter_mut().for_each(|set| set.sort_unstable());
            (1..sets.len()).filter(|&i| sets[..i].contains(&sets[i])).count()
        });
        // The second player cannot tell card 0 and a bet, which is a 1, from card 1 and a pass.
        assert_eq!(alike, [0, 2]);
        // Two moves: alone, having heard 0, 1 or 2, as cards or as what was said, and having passed.
        assert_eq!(features[0].len(), 2 * 5);
    }

    #[test]
    fn with_features_of_their_own_regrets_are_exact() {
        let form = form(Random { seed: 5, length: 6 });
        let mut learner = Regression::new(&form, own(&form), Link::Matching, EXACT).unwrap();
        let mut regrets = Regrets::new(&form, Rule::Cfr, Updates::Alternating);
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
            let mut learner = Regression::new(&form, own(&form), link, EXACT).unwrap();
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
                let mut learner = Regression::new(&form, named(Kuhn), link, fit).unwrap();
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
        let late = Fit::Linear { ridge: 0.1, every: 3 };
        for (fit, link) in
            [(RIDGE, Link::Matching), (late, Link::Softmax(1.0)), (NETWORK, Link::Power(3.0))]
        {
            let new = |fit, link| Regression::new(&form, named(Kuhn), link, fit).unwrap();
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

    const EXACT_LATER: Fit = Fit::Linear { ridge: 1.0, every: 2 };

    #[test]
    fn a_network_depends_on_its_seed_alone() {
        let form = form(Kuhn);
        let learnt = |seed: u64| {
            let fit = Fit::Network { hidden: 8, rate: 0.01, epochs: 3, seed };
            let mut learner = Regression::new(&form, named(Kuhn), Link::Matching, fit).unwrap();
            run(&mut learner, 20);
            bits(&learner)
        };
        assert!(learnt(1) == learnt(1) && learnt(1) != learnt(2));
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let features = &named(Kuhn)[0];
        let mut network = Network::new(features, 5, 0.01, 1, 9);
        let mut random = fastrand::Rng::with_seed(2);
        network.targets.iter_mut().skip(1).for_each(|target| *target = random.f64());
        network.scale = [1.0];
        let error = |network: &Network| {
            let (mut units, many) = (vec![0.0; 5], network.targets.len());
            let all = (1..many).map(|s| {
                (network.estimate(features.at(s), &mut units) - network.targets[s]).powi(2)
            });
            all.sum::<f64>() / 2.0 / (many as f64 - 1.0)
        };
        let slope = network.slope(features);
        for (i, slope) in slope.into_iter().enumerate() {
            let at = network.weights[i];
            let moved = [1e-6, -1e-6].map(|by| {
                network.weights[i] = at + by;
                error(&network)
            });
            network.weights[i] = at;
            let measured = (moved[0] - moved[1]) / 2e-6;
            assert!((measured - slope).abs() < 1e-6, "{i}: {measured}, {slope}");
        }
    }

    #[test]
    fn least_squares_are_least() {
        let features = &named(Kuhn)[0];
        let mut linear = Linear::new(features, 0.5, 1).unwrap();
        let mut random = fastrand::Rng::with_seed(2);
        let mut regrets: Vec<f64> = (1..features.first.len()).map(|_| random.f64()).collect();
        regrets[0] = 0.0;
        linear.learn(features, &regrets, 1);
        // Where the sum of squares is least, its slope is zero.
        let mut slope: Vec<f64> = linear.weights.iter().map(|weight| 0.5 * weight).collect();
        for (sequence, regret) in regrets.iter().enumerate() {
            let ids = features.at(sequence);
            let y: f64 = ids.iter().map(|&id| linear.weights[id as usize]).sum();
            ids.iter().for_each(|&id| slope[id as usize] += y - regret);
        }
        assert!(slope.iter().all(|slope| slope.abs() < 1e-9), "{slope:?}");
    }
}
