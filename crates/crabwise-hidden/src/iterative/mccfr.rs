//! Monte-Carlo CFR: regrets estimated from games drawn at random.
//!
//! Instead of all histories, an iteration looks at a few, and each regret that it meets is divided by how
//! likely that was, so that regrets are right on average. With probability `1 − p` the exploitability after
//! `T` iterations is at most `(1 + sqrt(2 / p)) C / (δ sqrt(T))`, where `C` is as for all histories, and `δ`
//! how likely the unlikeliest end is drawn (Lanctot, Waugh, Zinkevich, Bowling 2009). Two ways to draw:
//!
//! - *external*: chance and the opponent make one move each, the player tries all. Regrets need no
//!   division, for what is drawn is just what the regrets are weighted by, and `δ` counts as 1. The
//!   opponent's average gains, at each information set met, the behaviour there.
//! - *outcome*: one game from start to end. The player explores: with some probability any move is as
//!   likely as any other. Cheap, and noisy.
//!
//! The payoffs need not be laid out for this: two numbers for each sequence are enough. All that is random
//! follows from a seed and the number of the iteration. Several walkers look at the same regrets, each at
//! games of its own, and what they found is added in their order: numbers depend on how many walkers there
//! are, but not on threads.

use std::io::{self, Read, Write};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    CheckpointError, IterativeSolver,
    cfr::{share, total},
    checkpoint::{Sink, Source, fingerprint},
};
use crate::{
    rules::{Player, Turn},
    sequence_form::{Behaviour, MAX_SEQUENCES, Treeplex},
    tree::{GameTree, HiddenError, history::History},
};

/// What is drawn at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// The moves of chance and of the opponent.
    External,
    /// A whole game.
    Outcome {
        /// How likely the player makes just any move; 0.6 is usual.
        explore: f64,
    },
}

/// Regrets of both players, learnt from random games.
pub struct Mccfr<'a> {
    tree: &'a GameTree,
    treeplexes: [Treeplex; 2],
    sampling: Sampling,
    seed: u64,
    walkers: u64,
    iterations: u64,
    regret: [Vec<f64>; 2],
    average: [Vec<f64>; 2],
}

impl<'a> Mccfr<'a> {
    /// No regrets yet. An iteration is one draw for each player and walker.
    pub fn new(
        tree: &'a GameTree,
        sampling: Sampling,
        seed: u64,
        walkers: u64,
    ) -> Result<Mccfr<'a>, HiddenError> {
        if tree.sequences().iter().any(|&sequences| sequences > MAX_SEQUENCES) {
            let (what, memory) = ("more than 2^31 sequences".into(), u64::MAX);
            return Err(HiddenError::Room { what, needed: Mccfr::bytes(tree), memory });
        }
        let treeplexes = Player::BOTH.map(|player| Treeplex::new(tree, player));
        let zeros = || treeplexes.each_ref().map(|plex| vec![0.0; plex.sequences()]);
        let (regret, average) = (zeros(), zeros());
        let walkers = walkers.max(1);
        Ok(Mccfr { tree, treeplexes, sampling, seed, walkers, iterations: 0, regret, average })
    }

    /// The bytes that this takes.
    pub fn bytes(tree: &GameTree) -> u64 {
        let one = |p: usize| {
            let (sequences, info_sets) = (tree.shapes[p].sequences[0], tree.shapes[p].info_sets[0]);
            sequences.saturating_mul(16).saturating_add(info_sets.saturating_mul(12))
        };
        one(0).saturating_add(one(1))
    }

    /// Both players' sequences, by which behaviours are laid out.
    pub fn treeplexes(&self) -> &[Treeplex; 2] {
        &self.treeplexes
    }

    /// Takes up what [`save`](IterativeSolver::save) wrote, of the same game.
    pub fn load(tree: &'a GameTree, from: &mut dyn Read) -> Result<Mccfr<'a>, CheckpointError> {
        let too_large = CheckpointError::Foreign("it is of another game");
        let mut mccfr = Mccfr::new(tree, Sampling::External, 0, 1).map_err(|_| too_large)?;
        let mut source = Source::new(from, METHOD, fingerprint(&mccfr.treeplexes))?;
        let explore = source.float()?;
        if explore >= 0.0 {
            mccfr.sampling = Sampling::Outcome { explore };
        }
        (mccfr.seed, mccfr.walkers) = (source.word()?, source.word()?);
        mccfr.iterations = source.word()?;
        for array in mccfr.regret.iter_mut().chain(&mut mccfr.average) {
            source.floats(array)?;
        }
        source.done()?;
        Ok(mccfr)
    }

    fn walker(&self, player: Player, number: u64) -> Walker<'_, 'a> {
        let seeds = [self.seed, self.iterations, player as u64, number].map(u64::to_le_bytes);
        let random = fastrand::Rng::with_seed(xxh3_64(seeds.as_flattened()));
        let (regret, average, worths) = (vec![], vec![], vec![]);
        Walker { mccfr: self, player, random, worths, regret, average }
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 2;

impl IterativeSolver for Mccfr<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let found: Vec<[Vec<(u32, f64)>; 2]> = (0..self.walkers)
                .into_par_iter()
                .map(|number| self.walker(player, number).walk())
                .collect();
            let averaged = match self.sampling {
                Sampling::External => player.other(),
                Sampling::Outcome { .. } => player,
            };
            for [regret, average] in found {
                for (sequence, more) in regret {
                    self.regret[player as usize][sequence as usize] += more;
                }
                for (sequence, more) in average {
                    self.average[averaged as usize][sequence as usize] += more;
                }
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> [Behaviour; 2] {
        [0, 1].map(|p: usize| self.treeplexes[p].behaviour(&self.average[p]))
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, fingerprint(&self.treeplexes))?;
        let explore = match self.sampling {
            Sampling::External => -1.0,
            Sampling::Outcome { explore } => explore,
        };
        sink.floats(&[explore])?;
        sink.words(&[self.seed, self.walkers, self.iterations])?;
        for array in self.regret.iter().chain(&self.average) {
            sink.floats(array)?;
        }
        sink.done()
    }
}

/// One draw, for one player.
struct Walker<'s, 'a> {
    mccfr: &'s Mccfr<'a>,
    player: Player,
    random: fastrand::Rng,
    /// What moves are worth at the information sets that are being looked at, one information set after the other.
    worths: Vec<f64>,
    /// What is to be added to which sequence.
    regret: Vec<(u32, f64)>,
    average: Vec<(u32, f64)>,
}

/// A node at which somebody has to move: where the sequences of the information set are, and how likely each is.
#[derive(Clone, Copy)]
struct Choice<'s> {
    first: u32,
    lead: &'s [f64],
    total: f64,
    even: f64,
}

impl Choice<'_> {
    fn share(&self, mv: usize) -> f64 {
        share(self.lead[mv], self.total, self.even)
    }
}

impl<'s> Walker<'s, '_> {
    fn walk(mut self) -> [Vec<(u32, f64)>; 2] {
        let start = History::start();
        match self.mccfr.sampling {
            Sampling::External => self.external(start),
            Sampling::Outcome { explore } => self.outcome(start, explore, [1.0; 3]),
        };
        [self.regret, self.average]
    }

    fn choice(&self, at: History, mover: Player) -> Choice<'s> {
        let first = at.cursors[mover as usize].base;
        let many = self.mccfr.tree.states.arcs(at.node).len();
        let lead = &self.mccfr.regret[mover as usize][first as usize..][..many];
        Choice { first, lead, total: total(lead), even: 1.0 / many as f64 }
    }

    /// One of many moves, drawn by how likely each is.
    fn draw(&mut self, many: usize, likely: impl Fn(usize) -> f64) -> usize {
        let mut left = self.random.f64();
        for mv in 0..many - 1 {
            left -= likely(mv);
            if left < 0.0 {
                return mv;
            }
        }
        // What rounding leaves belongs to the last that can be drawn at all.
        (0..many).rev().find(|&mv| likely(mv) > 0.0).unwrap_or(0)
    }

    fn after(&self, at: History, mv: usize) -> Option<History> {
        self.mccfr.tree.after(at).nth(mv)
    }

    /// What a history is worth to the player.
    fn external(&mut self, at: History) -> f64 {
        let arcs = self.mccfr.tree.states.arcs(at.node);
        let mover = match self.mccfr.tree.node(at).turn {
            Turn::Over(payoff) => return self.player.sign() * payoff,
            Turn::Chance => {
                let mv = self.draw(arcs.len(), |mv| arcs[mv].chance);
                return self.after(at, mv).map_or(0.0, |next| self.external(next));
            }
            Turn::Of(mover) => mover,
        };
        let choice = self.choice(at, mover);
        if mover != self.player {
            let sequences = choice.first..choice.first + arcs.len() as u32;
            self.average.extend(sequences.enumerate().map(|(mv, s)| (s, choice.share(mv))));
            let mv = self.draw(arcs.len(), |mv| choice.share(mv));
            return self.after(at, mv).map_or(0.0, |next| self.external(next));
        }
        let (bottom, mut worth) = (self.worths.len(), 0.0);
        for (mv, next) in self.mccfr.tree.after(at).enumerate() {
            let of = self.external(next);
            worth += choice.share(mv) * of;
            self.worths.push(of);
        }
        for (sequence, of) in (choice.first..).zip(self.worths.drain(bottom..)) {
            self.regret.push((sequence, of - worth));
        }
        worth
    }

    /// What a history is worth to the player, by one game that goes through it. How likely the player goes
    /// there, how likely all others do, and how likely it was drawn are `reach`.
    fn outcome(&mut self, at: History, explore: f64, reach: [f64; 3]) -> f64 {
        let arcs = self.mccfr.tree.states.arcs(at.node);
        let [own, others, drawn] = reach;
        let mover = match self.mccfr.tree.node(at).turn {
            Turn::Over(payoff) => return self.player.sign() * payoff,
            Turn::Chance => {
                let mv = self.draw(arcs.len(), |mv| arcs[mv].chance);
                let reach = [own, others * arcs[mv].chance, drawn * arcs[mv].chance];
                return self.after(at, mv).map_or(0.0, |next| self.outcome(next, explore, reach));
            }
            Turn::Of(mover) => mover,
        };
        let choice = self.choice(at, mover);
        if mover != self.player {
            let mv = self.draw(arcs.len(), |mv| choice.share(mv));
            let reach = [own, others * choice.share(mv), drawn * choice.share(mv)];
            return self.after(at, mv).map_or(0.0, |next| self.outcome(next, explore, reach));
        }
        let likely = |mv: usize| explore * choice.even + (1.0 - explore) * choice.share(mv);
        let mv = self.draw(arcs.len(), likely);
        let reach = [own * choice.share(mv), others, drawn * likely(mv)];
        let next = self.after(at, mv).map_or(0.0, |next| self.outcome(next, explore, reach));
        let made = next / likely(mv);
        let worth = choice.share(mv) * made;
        for (other, sequence) in (choice.first..).take(arcs.len()).enumerate() {
            let of = if other == mv { made } else { 0.0 };
            self.regret.push((sequence, (of - worth) * others / drawn));
            self.average.push((sequence, own * choice.share(other) / drawn));
        }
        worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup,
        toys::{Kuhn, Random, form, tree},
    };

    const SCHEMES: [Sampling; 2] = [Sampling::External, Sampling::Outcome { explore: 0.6 }];

    fn bits(mccfr: &Mccfr) -> Vec<u64> {
        mccfr.average().iter().flatten().map(|float| float.to_bits()).collect()
    }

    fn run(mccfr: &mut Mccfr, iterations: u64) {
        (0..iterations).for_each(|_| mccfr.step());
    }

    #[test]
    fn draws_come_closer_on_kuhn() {
        let (form, game) = (form(Kuhn), HiddenSetup::of(Kuhn).erased());
        let tree = tree(&game);
        for sampling in SCHEMES {
            for walkers in [1, 4] {
                let mut mccfr = Mccfr::new(&tree, sampling, 1, walkers).unwrap();
                let (mut before, mut curve) = (11.0 / 24.0, vec![]);
                for iterations in [100, 900, 9_000, 40_000] {
                    run(&mut mccfr, iterations);
                    let [first, second] = mccfr.average();
                    let judged = form.judge([&first, &second]);
                    let (far, [low, high]) = (judged.exploitability(), judged.bounds());
                    assert!(low <= -1.0 / 18.0 && -1.0 / 18.0 <= high);
                    curve.push(far);
                    assert!(far < before, "{sampling:?} {walkers}: {curve:?}");
                    before = far;
                }
                println!("{sampling:?} {walkers}: {curve:?}");
                assert!(before < 0.02, "{sampling:?} {walkers}: {curve:?}");
            }
        }
    }

    /// On average over many draws, the regrets of one iteration are those of all histories.
    #[test]
    fn draws_are_right_on_average() {
        let game = Random { seed: 4, length: 5 };
        let (form, game) = (form(game), HiddenSetup::of(game).erased());
        let tree = tree(&game);
        let (plex, draws) = (&form.treeplexes[0], 40_000);
        let uniform = form.treeplexes.each_ref().map(|plex| plex.uniform());
        let plan = form.treeplexes[1].realization_plan(&uniform[1]);
        let mut gain = vec![0.0; plex.sequences()];
        form.gradient(Player::First, &plan, &mut gain);
        plex.expected_value(&uniform[0], &mut gain);
        for sampling in SCHEMES {
            let mut mccfr = Mccfr::new(&tree, sampling, 1, draws).unwrap();
            mccfr.step();
            let (mut far, mut greatest) = (0.0_f64, 0.0_f64);
            for info_set in 0..plex.info_sets() {
                let worth: f64 = plex.at(info_set).map(|s| uniform[0][s] * gain[s]).sum();
                for sequence in plex.at(info_set) {
                    let drawn = mccfr.regret[0][sequence] / draws as f64;
                    far = far.max((drawn - (gain[sequence] - worth)).abs());
                    greatest = greatest.max((gain[sequence] - worth).abs());
                }
            }
            println!("{sampling:?}: {far} of {greatest}");
            assert!(far < 0.03 && greatest > 0.3, "{sampling:?}: {far} of {greatest}");
        }
    }

    #[test]
    fn a_seed_says_it_all() {
        let game = HiddenSetup::of(Random { seed: 5, length: 6 }).erased();
        let tree = tree(&game);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for sampling in SCHEMES {
            let learnt = |seed: u64| {
                let mut mccfr = Mccfr::new(&tree, sampling, seed, 3).unwrap();
                run(&mut mccfr, 50);
                bits(&mccfr)
            };
            assert!(learnt(1) == pool.install(|| learnt(1)));
            assert!(learnt(1) != learnt(2));
        }
    }

    #[test]
    fn a_checkpoint_goes_on_with_the_same_numbers() {
        let games = [5, 6].map(|seed| HiddenSetup::of(Random { seed, length: 6 }).erased());
        let [tree, other] = games.each_ref().map(tree);
        for sampling in SCHEMES {
            let mut mccfr = Mccfr::new(&tree, sampling, 7, 2).unwrap();
            run(&mut mccfr, 20);
            let mut saved = vec![];
            mccfr.save(&mut saved).unwrap();
            let mut again = Mccfr::load(&tree, &mut &saved[..]).unwrap();
            run(&mut mccfr, 20);
            run(&mut again, 20);
            assert_eq!((again.iterations(), again.sampling), (40, sampling));
            assert!(bits(&mccfr) == bits(&again));
            assert!(Mccfr::load(&other, &mut &saved[..]).is_err());
            saved[100] ^= 1;
            assert!(Mccfr::load(&tree, &mut &saved[..]).is_err());
        }
    }
}
