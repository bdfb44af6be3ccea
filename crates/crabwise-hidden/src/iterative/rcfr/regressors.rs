//! What estimates regrets: least squares, and a network with one hidden layer.
//!
//! The factorization of Cholesky is written out here, thirty lines of it: `faer` has it, but takes 93 seconds of processor
//! time to build, and the matrix is factored once in a run.

use super::Features;
use crate::{
    network::{Adam, Example, Loss, Network},
    tree::HiddenError,
};

/// More features than this are refused by the linear regressor, whose matrix has their square.
const MOST: usize = 4096;

/// Least squares.
pub(super) struct LinearRegressor {
    /// The lower half of a triangular matrix `L` by rows, where `L L'` is `Φ' Φ + ridge`.
    factor: Vec<f64>,
    /// `Φ' R`.
    pub targets: Vec<f64>,
    pub weights: Vec<f64>,
    every: u64,
}

/// Where row `i` of the lower half of a matrix begins.
fn row(i: usize) -> usize {
    i * (i + 1) / 2
}

impl LinearRegressor {
    pub fn new(
        features: &Features,
        ridge: f64,
        every: u64,
    ) -> Result<LinearRegressor, HiddenError> {
        let many = features.many;
        if many > MOST {
            let (what, needed) = (format!("{many} features"), 8 * row(many) as u64);
            return Err(HiddenError::Room { what, needed, memory: 8 * row(MOST) as u64 });
        }
        let mut factor = vec![0.0; row(many)];
        for (ids, size) in features.by_kind() {
            for &a in ids {
                for &b in ids.iter().filter(|&&b| b <= a) {
                    factor[row(a as usize) + b as usize] += size;
                }
            }
        }
        (0..many).for_each(|i| factor[row(i) + i] += ridge);
        if !cholesky(&mut factor, many) {
            let what = "features depend on each other, which takes a ridge above zero";
            return Err(HiddenError::Contract(what.into()));
        }
        Ok(LinearRegressor { factor, targets: vec![0.0; many], weights: vec![0.0; many], every })
    }

    /// Learns the regrets of an iteration, summed by kind.
    pub fn learn(&mut self, features: &Features, regrets: &[f64], iterations: u64) {
        for ((ids, _), regret) in features.by_kind().zip(regrets) {
            ids.iter().for_each(|&id| self.targets[id as usize] += regret);
        }
        if iterations.is_multiple_of(self.every.max(1)) {
            self.weights.copy_from_slice(&self.targets);
            solve(&self.factor, &mut self.weights);
        }
    }

    /// The estimate for the sequences of each kind.
    pub fn estimates(&self, features: &Features) -> Vec<f64> {
        let sum = |ids: &[u32]| ids.iter().map(|&id| self.weights[id as usize]).sum();
        features.by_kind().map(|(ids, _)| sum(ids)).collect()
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

/// A network with one hidden layer.
pub(super) struct NetworkRegressor {
    epochs: u64,
    /// The sums of regrets, by kind.
    pub targets: Vec<f64>,
    pub network: Network,
    pub adam: Adam,
    /// What an estimate of 1 stands for: the greatest mean regret of a kind.
    pub scale: f64,
}

impl NetworkRegressor {
    pub fn new(
        features: &Features,
        hidden: usize,
        rate: f64,
        epochs: u64,
        seed: u64,
    ) -> NetworkRegressor {
        let network = Network::new(&[features.many, hidden, 1], seed);
        let targets = vec![0.0; features.kinds()];
        NetworkRegressor { epochs, targets, adam: Adam::new(&network, rate), network, scale: 0.0 }
    }

    /// The estimate for the sequences of each kind.
    pub fn estimates(&self, features: &Features) -> Vec<f64> {
        let outputs = self.network.first_outputs(features.by_kind().map(|(ids, _)| ids));
        outputs.into_iter().map(|output| self.scale * output).collect()
    }

    /// Learns the regrets of an iteration, summed by kind.
    ///
    /// The squares of errors of the sequences of a kind are those of their mean as often as there are sequences, and
    /// something that no estimate changes.
    pub fn learn(&mut self, features: &Features, regrets: &[f64]) {
        self.targets.iter_mut().zip(regrets).for_each(|(target, regret)| *target += regret);
        let means = self.targets.iter().zip(features.by_kind()).map(|(sum, (_, size))| sum / size);
        let means: Vec<f64> = means.collect();
        self.scale = means.iter().fold(0.0, |most: f64, mean| most.max(mean.abs()));
        if self.scale == 0.0 {
            return;
        }
        let targets: Vec<f32> = means.iter().map(|mean| (mean / self.scale) as f32).collect();
        let example =
            |((features, weight), targets)| Example { features, places: &[0], targets, weight };
        // The empty sequence has no regret to be learnt.
        let batch: Vec<Example> =
            features.by_kind().zip(targets.chunks(1)).skip(1).map(example).collect();
        for _ in 0..self.epochs {
            let slope = self.network.mean_slope(&batch, Loss::Squares);
            self.adam.step(&mut self.network, &slope);
        }
    }
}
