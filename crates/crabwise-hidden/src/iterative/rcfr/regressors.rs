//! What estimates regrets: least squares, and a network with one hidden layer.

use super::Features;
use crate::tree::HiddenError;

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
        Ok(LinearRegressor { factor, targets: vec![0.0; many], weights: vec![0.0; many], every })
    }

    pub fn learn(&mut self, features: &Features, regrets: &[f64], iterations: u64) {
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
pub(super) struct NetworkRegressor {
    pub hidden: usize,
    rate: f64,
    epochs: u64,
    /// The sums of regrets.
    pub targets: Vec<f64>,
    pub weights: Vec<f64>,
    /// Means of gradients and of their squares, for Adam.
    pub mean: Vec<f64>,
    pub square: Vec<f64>,
    /// What an estimate of 1 stands for: the greatest regret.
    pub scale: [f64; 1],
    /// Steps learnt.
    pub steps: [f64; 1],
}

impl NetworkRegressor {
    pub fn new(
        features: &Features,
        hidden: usize,
        rate: f64,
        epochs: u64,
        seed: u64,
    ) -> NetworkRegressor {
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
        NetworkRegressor { hidden, rate, epochs, targets, weights, mean, square, scale, steps }
    }

    /// The estimate for a sequence, and the hidden units.
    pub fn estimate(&self, features: &[u32], units: &mut [f64]) -> f64 {
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

    pub fn learn(&mut self, features: &Features, regrets: &[f64], _: u64) {
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
    pub fn slope(&self, features: &Features) -> Vec<f64> {
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
