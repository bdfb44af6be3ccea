//! A small network of rectified units, trained by Adam (Kingma, Ba 2014).
//!
//! Its inputs are features that are there or not, a few of many, so that the first layer adds up a few rows. It is
//! written out here because crates for networks take dense inputs and are far larger than all else that is built
//! (candle-nn 0.9 brings 95 crates, burn 0.20 more than 200), and this file is all that regression CFR and deep CFR need.
//!
//! Numbers are the same whatever the number of threads: a batch is cut into parts by its size alone, whose slopes are
//! added in order; and whatever the registers of the processor, for no sum is rearranged for them.

use rayon::prelude::*;

/// A thread takes so many examples of a batch at once at least, and a sixteenth of a large one.
const PART: usize = 32;

/// A network with any number of hidden layers. Of each layer the weights lie unit by unit of the layer before, and after
/// them what each unit has by itself.
#[derive(Clone, Debug)]
pub struct Network {
    /// Units of each layer: features, hidden ones, outputs.
    sizes: Vec<usize>,
    pub(crate) weights: Vec<f64>,
}

/// What an output should be: the place of the output, and the number.
pub(crate) struct Example<'a> {
    pub features: &'a [u32],
    pub places: &'a [u8],
    pub targets: &'a [f32],
    /// How much it counts.
    pub weight: f64,
}

/// What is made small by training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Loss {
    /// Half the squares of errors.
    Squares,
    /// The cross entropy of targets, which are probabilities, and the softmax of the outputs at their places.
    Entropy,
}

impl Network {
    /// Weights drawn from a seed, evenly and so that sums of a layer stay about as large as those of the one before.
    pub fn new(sizes: &[usize], seed: u64) -> Network {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut weights = vec![];
        for (layer, pair) in sizes.windows(2).enumerate() {
            // About so many features are there at once.
            let inputs = if layer == 0 { USUAL } else { pair[0] };
            let spread = (3.0 / inputs as f64).sqrt();
            weights.extend((0..pair[0] * pair[1]).map(|_| spread * (2.0 * random.f64() - 1.0)));
            weights.extend((0..pair[1]).map(|_| 0.0));
        }
        Network { sizes: sizes.to_vec(), weights }
    }

    /// How many units each layer has.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The outputs for the features that are there.
    pub fn outputs(&self, features: &[u32]) -> Vec<f64> {
        let mut units = self.units();
        pulp::Arch::new().dispatch(|| self.forward(features, &mut units));
        units.pop().unwrap_or_default()
    }

    /// The first output for each of many sets of features.
    pub(crate) fn first_outputs<'a>(&self, all: impl Iterator<Item = &'a [u32]>) -> Vec<f64> {
        let mut units = self.units();
        let mut first = |features: &[u32]| {
            self.forward(features, &mut units);
            units[units.len() - 1][0]
        };
        pulp::Arch::new().dispatch(|| all.map(&mut first).collect())
    }

    /// Room for the units of all layers but the first.
    fn units(&self) -> Vec<Vec<f64>> {
        self.sizes[1..].iter().map(|&size| vec![0.0; size]).collect()
    }

    /// Works out the units of all layers but the first; hidden ones rectified.
    #[inline(always)]
    fn forward(&self, features: &[u32], units: &mut [Vec<f64>]) {
        let mut weights = &self.weights[..];
        for (layer, pair) in self.sizes.windows(2).enumerate() {
            let (own, rest) = weights.split_at((pair[0] + 1) * pair[1]);
            let (before, units) = units.split_at_mut(layer);
            let units = &mut units[0][..];
            units.copy_from_slice(&own[pair[0] * pair[1]..]);
            let row = |input: usize| &own[input * pair[1]..][..pair[1]];
            match before.last() {
                None => features.iter().for_each(|&id| add(units, 1.0, row(id as usize))),
                Some(before) => {
                    for (input, &x) in before.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                        add(units, x, row(input));
                    }
                }
            }
            if layer + 2 < self.sizes.len() {
                units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
            }
            weights = rest;
        }
    }

    /// Adds the slope of the loss of one example. `errors` has as much room as `units`.
    #[inline(always)]
    fn slope(
        &self,
        example: &Example,
        loss: Loss,
        [units, errors]: [&mut [Vec<f64>]; 2],
        slope: &mut [f64],
    ) {
        self.forward(example.features, units);
        let mut end = self.weights.len();
        for layer in (0..units.len()).rev() {
            let (earlier, own) = errors.split_at_mut(layer);
            let back = &mut own[0][..];
            if layer + 1 == units.len() {
                begin(example, loss, &units[layer], back);
            }
            let inputs = self.sizes[layer];
            let first = end - (inputs + 1) * back.len();
            add(&mut slope[end - back.len()..end], 1.0, back);
            end = first;
            let (Some(before), Some(next)) = (units[..layer].last(), earlier.last_mut()) else {
                for &id in example.features {
                    add(&mut slope[first + id as usize * back.len()..][..back.len()], 1.0, back);
                }
                return;
            };
            for ((input, &x), next) in before.iter().enumerate().zip(next) {
                *next = 0.0;
                if x > 0.0 {
                    let row = first + input * back.len()..first + (input + 1) * back.len();
                    add(&mut slope[row.clone()], x, back);
                    *next = dot(&self.weights[row], back);
                }
            }
        }
    }

    /// The slope of the mean loss of a batch, by weight.
    pub(crate) fn mean_slope(&self, batch: &[Example], loss: Loss) -> Vec<f64> {
        let mut slope = vec![0.0; self.weights.len()];
        self.add_slopes(batch, loss, &mut slope);
        let total: f64 = batch.iter().map(|example| example.weight).sum();
        slope.iter_mut().for_each(|slope| *slope /= total.max(1e-300));
        slope
    }

    /// Adds the slope of the sum of losses of a batch, by weight.
    pub(crate) fn add_slopes(&self, batch: &[Example], loss: Loss, slope: &mut [f64]) {
        let parts: Vec<Vec<f64>> = batch
            .par_chunks(PART.max(batch.len() / 16))
            .map(|part| {
                let mut slope = vec![0.0; self.weights.len()];
                let (mut units, mut errors) = (self.units(), self.units());
                pulp::Arch::new().dispatch(|| {
                    for example in part {
                        self.slope(example, loss, [&mut units, &mut errors], &mut slope);
                    }
                });
                slope
            })
            .collect();
        parts.iter().for_each(|part| add(slope, 1.0, part));
    }
}

/// So many features are usually there.
const USUAL: usize = 32;

/// What the slope begins with, at the outputs.
fn begin(example: &Example, loss: Loss, outputs: &[f64], errors: &mut [f64]) {
    errors.fill(0.0);
    let at = |place: &u8| outputs[usize::from(*place)];
    let most = example.places.iter().map(at).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = example.places.iter().map(|place| (at(place) - most).exp()).sum();
    for (place, &target) in example.places.iter().zip(example.targets) {
        let is = match loss {
            Loss::Squares => at(place),
            Loss::Entropy => (at(place) - most).exp() / total,
        };
        errors[usize::from(*place)] += example.weight * (is - f64::from(target));
    }
}

#[inline(always)]
fn add(to: &mut [f64], times: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += times * from);
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Eight sums side by side fit the registers.
    let mut sums = [0.0; 8];
    let (wide, rest) = a.as_chunks::<8>();
    let (other, other_rest) = b.as_chunks::<8>();
    for (a, b) in wide.iter().zip(other) {
        sums.iter_mut().zip(a).zip(b).for_each(|((sum, a), b)| *sum += a * b);
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// The state of training: means of slopes and of their squares.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    pub rate: f64,
    pub mean: Vec<f64>,
    pub square: Vec<f64>,
    /// Steps done.
    pub steps: f64,
}

impl Adam {
    pub fn new(network: &Network, rate: f64) -> Adam {
        let zeros = vec![0.0; network.weights.len()];
        Adam { rate, mean: zeros.clone(), square: zeros, steps: 0.0 }
    }

    /// Takes a step against a slope.
    pub fn step(&mut self, network: &mut Network, slope: &[f64]) {
        pulp::Arch::new().dispatch(|| self.step_each(network, slope));
    }

    #[inline(always)]
    fn step_each(&mut self, network: &mut Network, slope: &[f64]) {
        self.steps += 1.0;
        let [fast, slow]: [f64; 2] = [0.9, 0.999];
        let [first, second] = [fast, slow].map(|kept| 1.0 - kept.powf(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in network.weights.iter_mut().zip(slope).zip(moments)
        {
            *mean = fast * *mean + (1.0 - fast) * slope;
            *square = slow * *square + (1.0 - slow) * slope * slope;
            *weight -= self.rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(network: &Network, batch: &[Example], loss: Loss) -> f64 {
        let each = |example: &Example| {
            let outputs = network.outputs(example.features);
            let at = |place: &u8| outputs[usize::from(*place)];
            let total: f64 = example.places.iter().map(|place| at(place).exp()).sum();
            let pairs = example.places.iter().zip(example.targets);
            let sum: f64 = pairs
                .map(|(place, &target)| match loss {
                    Loss::Squares => (at(place) - f64::from(target)).powi(2) / 2.0,
                    Loss::Entropy => -f64::from(target) * (at(place) - total.ln()),
                })
                .sum();
            example.weight * sum
        };
        let total: f64 = batch.iter().map(|example| example.weight).sum();
        batch.iter().map(each).sum::<f64>() / total
    }

    fn batch() -> [Example<'static>; 2] {
        [
            Example { features: &[0, 3], places: &[0, 2], targets: &[0.3, 0.7], weight: 1.0 },
            Example { features: &[1, 3, 4], places: &[1, 2], targets: &[1.0, 0.0], weight: 2.5 },
        ]
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        for which in [Loss::Squares, Loss::Entropy] {
            for sizes in [&[5, 3][..], &[5, 4, 3], &[5, 6, 4, 3]] {
                let mut network = Network::new(sizes, 3);
                let slope = network.mean_slope(&batch(), which);
                for (i, slope) in slope.into_iter().enumerate() {
                    let at = network.weights[i];
                    let moved = [1e-6, -1e-6].map(|by| {
                        network.weights[i] = at + by;
                        loss(&network, &batch(), which)
                    });
                    network.weights[i] = at;
                    let measured = (moved[0] - moved[1]) / 2e-6;
                    assert!((measured - slope).abs() < 1e-6, "{i}: {measured}, {slope}");
                }
            }
        }
    }

    #[test]
    fn training_learns_by_heart() {
        for which in [Loss::Squares, Loss::Entropy] {
            let mut network = Network::new(&[5, 16, 3], 1);
            let mut adam = Adam::new(&network, 0.01);
            let before = loss(&network, &batch(), which);
            for _ in 0..2000 {
                let slope = network.mean_slope(&batch(), which);
                adam.step(&mut network, &slope);
            }
            // The entropy of the first target, with its weight, is what cannot be learnt away.
            let entropy = -(0.3 * 0.3_f64.ln() + 0.7 * 0.7_f64.ln()) / 3.5;
            let least = if which == Loss::Squares { 0.0 } else { entropy };
            let after = loss(&network, &batch(), which);
            assert!(after < before && after - least < 1e-3, "{which:?}: {before}, {after}");
        }
    }
}
