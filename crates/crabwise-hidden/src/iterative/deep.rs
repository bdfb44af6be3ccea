//! Deep CFR: regrets are estimated by networks, from samples (Brown, Lerer, Gross, Sandholm 2019).
//!
//! Of each player a network estimates, from the features of a view, how much more each move would have earned than what
//! was done, its *advantage*, on average over iterations; play matches the positive ones, and where none is positive makes
//! the move with the greatest. An iteration draws for each player, keeps the advantages that are found and the
//! behaviours that are met in reservoirs, so that of all that was ever found each is kept as likely, and trains the
//! networks on them; samples of later iterations weigh more, as in linear CFR. One more network, for both
//! players, is trained on the behaviours. It is the average strategy, and the only one that comes close to an
//! equilibrium.
//!
//! Draws are those of external sampling where one of them is small; else they go along one line
//! ([`Sampling::Line`]).

use std::{
    io::{self, Read, Write},
    sync::Mutex,
};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    CheckpointError,
    checkpoint::{Sink, Source},
    mccfr::random,
    sampling::{Additions, Draw, Found, Learnt, Sampling},
    view_mccfr::{ViewLearner, Walks},
};
use crate::{
    network::{Adam, Example, Loss, Network},
    rules::Player,
    tree::HiddenError,
    views::{ViewModel, describe, fingerprint},
    walk::Walk,
};

/// Draws for each player in an iteration.
const DRAWS: u64 = 256;
/// Steps of training each network in an iteration, and how many samples each looks at.
const STEPS: u64 = 100;
const BATCH: usize = 128;
const RATE: f64 = 1e-3;
/// Hidden units.
const HIDDEN: [usize; 2] = [64, 64];
/// The most samples of a reservoir.
const MOST: usize = 200_000;
/// With fewer samples nothing is begun.
const LEAST: usize = 1000;

/// What is known of a view: its features, the numbers of its moves, and something of each move.
#[derive(Clone)]
struct TrainingSample {
    features: Vec<u32>,
    moves: Vec<u8>,
    targets: Vec<f32>,
    iteration: u64,
}

/// So many bytes a sample takes beside its numbers.
const OVERHEAD: usize = size_of::<TrainingSample>() + 3 * 16;

/// Samples of which each that was ever found is kept as likely.
struct Reservoir {
    capacity: usize,
    seen: u64,
    samples: Vec<TrainingSample>,
}

impl Reservoir {
    fn add(&mut self, sample: TrainingSample, random: &mut fastrand::Rng) {
        self.seen += 1;
        if self.samples.len() < self.capacity {
            self.samples.push(sample);
        } else if let Some(old) = self.samples.get_mut(random.u64(..self.seen) as usize) {
            *old = sample;
        }
    }

    fn train(
        &self,
        network: &mut Network,
        adam: &mut Adam,
        loss: Loss,
        iteration: u64,
        random: &mut fastrand::Rng,
    ) {
        if self.samples.is_empty() {
            return;
        }
        for _ in 0..STEPS {
            let batch: Vec<Example> = (0..BATCH)
                .map(|_| {
                    let sample = &self.samples[random.usize(..self.samples.len())];
                    let TrainingSample { features, moves: places, targets, .. } = sample;
                    let weight = sample.iteration as f64 / iteration as f64;
                    Example { features, places, targets, weight }
                })
                .collect();
            let slope = network.mean_slope(&batch, loss);
            adam.step(network, &slope);
        }
    }

    fn save(&self, sink: &mut Sink) -> io::Result<()> {
        sink.words(&[self.seen, self.samples.len() as u64])?;
        for TrainingSample { features, moves, targets, iteration } in &self.samples {
            sink.words(&[*iteration, features.len() as u64, moves.len() as u64])?;
            features.iter().try_for_each(|&id| sink.words(&[id.into()]))?;
            moves.iter().try_for_each(|&mv| sink.words(&[mv.into()]))?;
            targets.iter().try_for_each(|&target| sink.floats(&[target.into()]))?;
        }
        Ok(())
    }

    fn load(&mut self, source: &mut Source, inputs: usize) -> Result<(), CheckpointError> {
        const WRONG: CheckpointError = CheckpointError::Foreign("its samples are of another game");
        self.seen = source.word()?;
        let samples = source.word()?;
        if samples > self.capacity as u64 {
            return Err(CheckpointError::Foreign("it takes more memory than is allowed"));
        }
        for _ in 0..samples {
            let [iteration, many, moves] = [source.word()?, source.word()?, source.word()?];
            if many > inputs as u64 || moves > 256 {
                return Err(WRONG);
            }
            let id = |word: u64| u32::try_from(word).ok().filter(|id| (*id as usize) < inputs);
            let mut sample =
                TrainingSample { features: vec![], moves: vec![], targets: vec![], iteration };
            for _ in 0..many {
                sample.features.push(id(source.word()?).ok_or(WRONG)?);
            }
            for _ in 0..moves {
                sample.moves.push(u8::try_from(source.word()?).map_err(|_| WRONG)?);
            }
            for _ in 0..moves {
                sample.targets.push(source.float()? as f32);
            }
            self.samples.push(sample);
        }
        Ok(())
    }
}

/// A network in training.
struct Trained {
    network: Network,
    adam: Adam,
}

impl Trained {
    fn new(sizes: &[usize], seed: u64) -> Trained {
        let network = Network::new(sizes, seed);
        Trained { adam: Adam::new(&network, RATE), network }
    }

    fn arrays(&mut self) -> [&mut Vec<f64>; 3] {
        [&mut self.network.weights, &mut self.adam.mean, &mut self.adam.square]
    }

    fn save(&self, sink: &mut Sink) -> io::Result<()> {
        sink.floats(&[self.adam.steps])?;
        let arrays = [&self.network.weights, &self.adam.mean, &self.adam.square];
        arrays.into_iter().try_for_each(|array| sink.floats(array))
    }

    fn load(&mut self, source: &mut Source) -> Result<(), CheckpointError> {
        self.adam.steps = source.float()?;
        self.arrays().into_iter().try_for_each(|array| Ok(source.floats(array)?))
    }
}

/// Deep CFR.
pub struct DeepCfr {
    walks: Vec<Mutex<Box<dyn Walk>>>,
    fingerprint: u64,
    sampling: Sampling,
    seed: u64,
    iterations: u64,
    advantages: [Trained; 2],
    strategy: Trained,
    /// Of either player's advantages, and of behaviours.
    reservoirs: [Reservoir; 3],
}

/// The number of this method in checkpoints.
const METHOD: u64 = 5;

/// So many walks go on at a time.
const WALKS: u64 = 8;

impl DeepCfr {
    /// Nothing learnt yet.
    pub fn new(
        game: &str,
        walks: Walks,
        sampling: Sampling,
        seed: u64,
        memory: u64,
    ) -> Result<DeepCfr, HiddenError> {
        let walk = walks();
        let counts = walk.counts();
        if counts.moves > 256 {
            let what = format!("{} different moves; networks tell 256 apart", counts.moves);
            return Err(HiddenError::Contract(what));
        }
        let sizes: Vec<usize> =
            [counts.features + 2].into_iter().chain(HIDDEN).chain([counts.moves]).collect();
        // Features are few of many; more than a hundred in a view are not expected.
        let sample = OVERHEAD + 4 * counts.features.min(100) + 5 * counts.moves;
        let weights = sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum::<usize>();
        // Slopes are made by parts of batches, too.
        let networks = 8 * weights * (9 + 2 * BATCH.div_ceil(32));
        let rest = (memory / 5 * 4).saturating_sub(networks as u64) as usize;
        let capacity = MOST.min(rest / 4 / sample);
        if capacity < LEAST {
            let needed = (networks + 4 * LEAST * sample) as u64 / 4 * 5;
            let what = "networks and their samples".to_string();
            return Err(HiddenError::Room { what, needed, memory });
        }
        let new = |which: u64| Trained::new(&sizes, seed_of([seed, 0, which]));
        let reservoir = |share| Reservoir { capacity: share * capacity, seen: 0, samples: vec![] };
        Ok(DeepCfr {
            walks: (0..WALKS).map(|_| Mutex::new(walks())).collect(),
            fingerprint: fingerprint(game, &*walk),
            sampling,
            seed,
            iterations: 0,
            advantages: [new(0), new(1)],
            strategy: new(2),
            reservoirs: [reservoir(1), reservoir(1), reservoir(2)],
        })
    }

    /// Takes up in place what [`save`](ViewLearner::save) wrote, of the same game and sampling.
    pub fn resume(mut self, from: &mut dyn Read) -> Result<DeepCfr, CheckpointError> {
        let mut source = Source::new(from, METHOD, self.fingerprint)?;
        self.sampling = Sampling::numbered(source.float()?);
        (self.seed, self.iterations) = (source.word()?, source.word()?);
        let inputs = self.strategy.network.sizes()[0];
        for trained in self.advantages.iter_mut().chain([&mut self.strategy]) {
            trained.load(&mut source)?;
        }
        self.reservoirs.iter_mut().try_for_each(|one| one.load(&mut source, inputs))?;
        source.done()?;
        Ok(self)
    }

    fn draws(&self, player: Player) -> Vec<Found<DescribedView>> {
        let each = DRAWS / WALKS;
        let found: Vec<Vec<Found<DescribedView>>> = (0..WALKS)
            .into_par_iter()
            .map(|i| {
                let draw = |number| {
                    // Nobody else wants this walk.
                    let mut walk = self.walks[i as usize].lock().unwrap_or_else(|e| e.into_inner());
                    let random = random(self.seed, self.iterations, player, number);
                    let ground = &mut **walk;
                    let sampling = self.sampling;
                    Draw { learnt: self, ground, player, sampling, random, all: true }.walk()
                };
                (i * each..(i + 1) * each).map(draw).collect()
            })
            .collect();
        found.into_iter().flatten().collect()
    }

    fn keep(&mut self, which: usize, found: &Additions<DescribedView>, random: &mut fastrand::Rng) {
        for (mark, numbers) in found.each() {
            let targets = numbers.iter().map(|number| *number as f32).collect();
            let (features, moves) = (mark.features.clone(), mark.moves.clone());
            let iteration = self.iterations;
            let sample = TrainingSample { features, moves, targets, iteration };
            self.reservoirs[which].add(sample, random);
        }
    }
}

fn seed_of(words: [u64; 3]) -> u64 {
    xxh3_64(words.map(u64::to_le_bytes).as_flattened())
}

/// A view as networks see it.
#[derive(Clone)]
pub(crate) struct DescribedView {
    features: Vec<u32>,
    moves: Vec<u8>,
}

impl Learnt<dyn Walk + '_> for DeepCfr {
    type Mark = DescribedView;

    fn look(
        &self,
        at: &(dyn Walk + '_),
        mover: Player,
        regrets: &mut [f64],
    ) -> (DescribedView, bool) {
        let mut features = vec![];
        describe(at, mover, &mut features);
        let outputs = self.advantages[mover as usize].network.outputs(&features);
        let moves: Vec<u8> = (0..regrets.len()).map(|mv| at.number(mv) as u8).collect();
        for (regret, mv) in regrets.iter_mut().zip(&moves) {
            *regret = outputs[usize::from(*mv)];
        }
        let most = regrets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most <= 0.0 && self.iterations > 1 {
            regrets.iter_mut().for_each(|regret| *regret = f64::from(*regret == most));
        } else if self.iterations == 1 {
            // Nothing was learnt yet.
            regrets.fill(0.0);
        }
        (DescribedView { features, moves }, true)
    }
}

impl ViewLearner for DeepCfr {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let (p, seed) = (player as usize, [self.seed, self.iterations, 3 + player as u64]);
            let random = &mut fastrand::Rng::with_seed(seed_of(seed));
            for Found { regret, average } in self.draws(player) {
                self.keep(p, &regret, random);
                self.keep(2, &average, random);
            }
            let Trained { network, adam } = &mut self.advantages[p];
            self.reservoirs[p].train(network, adam, Loss::Squares, self.iterations, random);
            let Trained { network, adam } = &mut self.strategy;
            self.reservoirs[2].train(network, adam, Loss::Entropy, self.iterations, random);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn sampling(&self) -> Sampling {
        self.sampling
    }

    fn state(&self, _: f64) -> String {
        use crabwise::watch::Count;
        let [first, second, behaviours] =
            self.reservoirs.each_ref().map(|one| Count(one.samples.len() as u64));
        format!("{first} + {second} samples of advantages, {behaviours} of behaviours")
    }

    fn model(&self) -> ViewModel {
        ViewModel::Network(self.strategy.network.clone())
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, self.fingerprint)?;
        sink.floats(&[self.sampling.number()])?;
        sink.words(&[self.seed, self.iterations])?;
        for trained in self.advantages.iter().chain([&self.strategy]) {
            trained.save(&mut sink)?;
        }
        self.reservoirs.iter().try_for_each(|one| one.save(&mut sink))?;
        sink.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ErasedHidden, HiddenSetup, SequenceForm,
        toys::{Abrupt, Kuhn, tree},
        views::{ViewTable, tabulated},
    };
    use crabwise::watch::Unwatched;

    fn deep(game: &ErasedHidden, sampling: Sampling, seed: u64) -> DeepCfr {
        DeepCfr::new("game", &|| game.walk(), sampling, seed, 1 << 30).unwrap()
    }

    fn bytes(learner: &DeepCfr) -> Vec<u8> {
        let mut bytes = vec![];
        learner.save(&mut bytes).unwrap();
        bytes
    }

    /// Exactly judged, networks come far closer to an equilibrium than even play, which is exploitable by 11/24 and 5/12.
    #[test]
    fn networks_come_closer() {
        for (game, sampling, most) in [
            (HiddenSetup::of(Kuhn).erased(), Sampling::Line, 0.1),
            (HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased(), Sampling::External, 0.25),
        ] {
            let tree = tree(&game);
            let form = SequenceForm::new(&tree, false, 1 << 30, &Unwatched).unwrap();
            let mut learner = deep(&game, sampling, 1);
            (0..20).for_each(|_| learner.step());
            let mut table = ViewTable::default();
            tabulated(&learner.model(), &mut *game.walk(), &mut table);
            let [first, second] = table.behaviours(&tree);
            let far = form.judge([&first, &second]).exploitability();
            println!("{sampling:?}: {far}");
            assert!(far < most, "{sampling:?}: {far}");
        }
    }

    #[test]
    fn a_checkpoint_goes_on_with_the_same_numbers() {
        let game = HiddenSetup::of(Kuhn).erased();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut learner = deep(&game, Sampling::Line, 5);
        (0..2).for_each(|_| learner.step());
        let saved = bytes(&learner);
        let mut again = deep(&game, Sampling::External, 9).resume(&mut &saved[..]).unwrap();
        learner.step();
        pool.install(|| again.step());
        assert!(bytes(&learner) == bytes(&again));
        let mut other = deep(&game, Sampling::Line, 6);
        (0..3).for_each(|_| other.step());
        assert!(bytes(&learner) != bytes(&other));
        let mut spoilt = saved.clone();
        spoilt[200] ^= 1;
        assert!(deep(&game, Sampling::Line, 5).resume(&mut &spoilt[..]).is_err());
        let hex = HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased();
        assert!(deep(&hex, Sampling::Line, 5).resume(&mut &saved[..]).is_err());
        let few = DeepCfr::new("game", &|| game.walk(), Sampling::Line, 1, 1 << 20);
        assert!(matches!(few, Err(HiddenError::Room { .. })));
    }
}
