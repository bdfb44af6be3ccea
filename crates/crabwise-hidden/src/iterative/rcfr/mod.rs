//! Counterfactual regrets that are not kept but estimated, from features of sequences.
//!
//! A regressor learns what the regret of a sequence is from features of its information set and its move, and moves
//! are made by the estimates (Waugh, Morrill, Bagnell, Bowling 2015). What behaviour follows from estimates `y` is
//! the *link* `f`: moves are made in proportion to `f(y)` (D'Orazio, Morrill, Wright, Bowling 2020). The
//! exploitability falls like `1 / sqrt(T)` down to a rest that grows with the errors of the estimates, and no
//! further: where features do not tell apart what must be told apart, it stops above zero, however long it runs.
//!
//! Two regressors:
//!
//! - *linear*: `y = φ w`, where `w` minimises `|Φ w − R|² + ridge |w|²` over all sequences. Regrets enter
//!   as `Φ' R` alone, and that is a sum over iterations: no regret of a sequence is kept. The matrix
//!   `Φ' Φ + ridge` never changes, so that it is factored once (Cholesky).
//! - *network*: one hidden layer of rectified units over the same features, trained by Adam on all sequences at once,
//!   from a seed. For targets the sums of regrets are kept, one for all sequences with equal features.
//!
//! Both learn from [`Features`], and work out one estimate for all sequences that have the same ones.

mod features;
mod regressors;
#[cfg(test)]
mod tests;

use std::{
    io::{self, Read, Write},
    slice,
};

pub use self::features::Features;
use self::regressors::{LinearRegressor, NetworkRegressor};
use super::{
    CheckpointError, IterativeSolver,
    cfr::{share, total},
    checkpoint::{Sink, Source, fingerprint},
};
use crate::{
    best_response::Judged,
    network::Adam,
    rules::Player,
    sequence_form::{Behaviour, RealizationPlan, SequenceForm, Treeplex},
    tree::HiddenError,
};

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
    /// Puts probabilities in place of regrets, after a number of iterations.
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
pub enum Regressor {
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

impl Regressor {
    fn words(self) -> [u64; 5] {
        match self {
            Regressor::Linear { ridge, every } => [0, ridge.to_bits(), every, 0, 0],
            Regressor::Network { hidden, rate, epochs, seed } => {
                [1, hidden as u64, rate.to_bits(), epochs, seed]
            }
        }
    }
}

/// Strategies learnt by estimated regrets.
pub struct Rcfr<'f> {
    form: &'f SequenceForm,
    link: Link,
    regressor: Regressor,
    iterations: u64,
    sides: [PlayerEstimates; 2],
}

struct PlayerEstimates {
    features: Features,
    model: Model,
    behaviour: Behaviour,
    reach: RealizationPlan,
    average: Vec<f64>,
}

enum Model {
    Linear(LinearRegressor),
    Network(NetworkRegressor),
}

impl<'f> Rcfr<'f> {
    /// No regrets: all moves equally likely everywhere.
    pub fn new(
        form: &'f SequenceForm,
        features: [Features; 2],
        link: Link,
        regressor: Regressor,
    ) -> Result<Rcfr<'f>, HiddenError> {
        let [first, second] = features;
        let [one, two] = &form.treeplexes;
        let sides = [
            PlayerEstimates::new(one, first, regressor)?,
            PlayerEstimates::new(two, second, regressor)?,
        ];
        Ok(Rcfr { form, link, regressor, iterations: 0, sides })
    }

    /// Judges the average.
    pub fn judge(&self) -> Judged {
        let [first, second] = self.average();
        self.form.judge([&first, &second])
    }

    /// Takes up in place what [`save`](IterativeSolver::save) wrote of the same game, features and methods.
    pub fn resume(mut self, from: &mut dyn Read) -> Result<Rcfr<'f>, CheckpointError> {
        let mut source = Source::new(from, METHOD, fingerprint(&self.form.treeplexes))?;
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
        for (side, plex) in self.sides.iter_mut().zip(&self.form.treeplexes) {
            side.behave(plex, self.link, self.iterations);
        }
        Ok(self)
    }

    fn words(&self) -> Vec<u64> {
        let features = self.sides.iter().map(|side| side.features.fingerprint());
        self.link.words().into_iter().chain(self.regressor.words()).chain(features).collect()
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 3;

impl IterativeSolver for Rcfr<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let (p, q) = (player as usize, player.other() as usize);
            let plex = &self.form.treeplexes[p];
            let mut gradient = vec![0.0; plex.sequences()];
            self.form.gradient(player, &self.sides[q].reach, &mut gradient);
            self.sides[p].learn(plex, gradient, self.iterations);
            self.sides[p].behave(plex, self.link, self.iterations);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> [Behaviour; 2] {
        [0, 1].map(|p: usize| self.form.treeplexes[p].behaviour(&self.sides[p].average))
    }

    /// What sequences share features cannot behave independently of each other.
    fn is_abstraction(&self) -> bool {
        let treeplexes = &self.form.treeplexes;
        self.sides.iter().zip(treeplexes).any(|(side, plex)| {
            side.features.len().min(side.features.kinds() - 1) + 1 < plex.sequences()
        })
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, fingerprint(&self.form.treeplexes))?;
        sink.words(&self.words())?;
        sink.words(&[self.iterations])?;
        for side in &self.sides {
            sink.floats(&side.average)?;
            side.model.arrays().into_iter().try_for_each(|array| sink.floats(array))?;
        }
        sink.done()
    }
}

impl PlayerEstimates {
    fn new(
        plex: &Treeplex,
        features: Features,
        regressor: Regressor,
    ) -> Result<PlayerEstimates, HiddenError> {
        let model = match regressor {
            Regressor::Linear { ridge, every } => {
                Model::Linear(LinearRegressor::new(&features, ridge, every)?)
            }
            Regressor::Network { hidden, rate, epochs, seed } => {
                Model::Network(NetworkRegressor::new(&features, hidden, rate, epochs, seed))
            }
        };
        let behaviour = plex.uniform();
        let reach = plex.realization_plan(&behaviour);
        Ok(PlayerEstimates {
            features,
            model,
            behaviour,
            reach,
            average: vec![0.0; plex.sequences()],
        })
    }

    /// Adds the present behaviour to the average, and tells the regressor its regrets.
    fn learn(&mut self, plex: &Treeplex, mut gradient: Vec<f64>, iterations: u64) {
        for (average, reach) in self.average.iter_mut().zip(&self.reach) {
            *average += reach;
        }
        for info_set in (0..plex.info_sets()).rev() {
            let worth: f64 = plex.at(info_set).map(|s| self.behaviour[s] * gradient[s]).sum();
            gradient[plex.at(info_set)].iter_mut().for_each(|gain| *gain -= worth);
            gradient[plex.parent(info_set)] += worth;
        }
        gradient[0] = 0.0;
        let regrets = self.features.sum(&gradient);
        match &mut self.model {
            Model::Linear(model) => model.learn(&self.features, &regrets, iterations),
            Model::Network(model) => model.learn(&self.features, &regrets),
        }
    }

    /// Behaves by the estimates.
    fn behave(&mut self, plex: &Treeplex, link: Link, iterations: u64) {
        let PlayerEstimates { features, model, behaviour, reach, .. } = self;
        let estimates = match model {
            Model::Linear(model) => model.estimates(features),
            Model::Network(model) => model.estimates(features),
        };
        for (y, &kind) in behaviour.iter_mut().zip(features.of_sequences()) {
            *y = estimates[kind as usize];
        }
        behaviour[0] = 1.0;
        for info_set in 0..plex.info_sets() {
            link.apply(iterations, &mut behaviour[plex.at(info_set)]);
        }
        *reach = plex.realization_plan(behaviour);
    }
}

impl Model {
    /// What must be kept of it.
    fn arrays(&self) -> Vec<&[f64]> {
        match self {
            Model::Linear(model) => vec![&model.targets, &model.weights],
            Model::Network(model) => {
                let NetworkRegressor { targets, network, adam, scale, .. } = model;
                let numbers = [slice::from_ref(scale), slice::from_ref(&adam.steps)];
                let [scale, steps] = numbers;
                vec![targets, &network.weights, &adam.mean, &adam.square, scale, steps]
            }
        }
    }

    fn arrays_mut(&mut self) -> Vec<&mut [f64]> {
        match self {
            Model::Linear(model) => vec![&mut model.targets, &mut model.weights],
            Model::Network(model) => {
                let NetworkRegressor { targets, network, adam, scale, .. } = model;
                let Adam { mean, square, steps, .. } = adam;
                let [scale, steps] = [slice::from_mut(scale), slice::from_mut(steps)];
                vec![targets, &mut network.weights, mean, square, scale, steps]
            }
        }
    }
}
