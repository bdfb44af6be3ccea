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
    checkpoint::{Sink, Source, fingerprint},
    sampling::{Draw, Found, Learnt, Sampling},
};
#[cfg(test)]
use crate::views::{ByView, each_view};
use crate::{
    rules::{Player, Turn},
    sequence_form::{Behaviour, MAX_SEQUENCES, Treeplex},
    tree::{GameTree, HiddenError, history::History},
    walk::Ground,
};

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
        mccfr.sampling = Sampling::numbered(source.float()?);
        (mccfr.seed, mccfr.walkers) = (source.word()?, source.word()?);
        mccfr.iterations = source.word()?;
        for array in mccfr.regret.iter_mut().chain(&mut mccfr.average) {
            source.floats(array)?;
        }
        source.done()?;
        Ok(mccfr)
    }

    /// Regrets and sums of the average, by view.
    #[cfg(test)]
    pub(super) fn by_view(&self) -> [ByView<(Vec<f64>, Vec<f64>)>; 2] {
        Player::BOTH.map(|player| {
            let mut all = ByView::default();
            each_view(self.tree, player, |info_set, view| {
                let at = info_set.first()..info_set.first() + self.tree.moves(info_set).len();
                let of = |array: &[Vec<f64>; 2]| array[player as usize][at.clone()].to_vec();
                all.insert(view, (of(&self.regret), of(&self.average)));
            });
            all
        })
    }

    fn draw(&self, player: Player, number: u64) -> Found<u32> {
        let random = random(self.seed, self.iterations, player, number);
        let ground = &mut TreeWalk { tree: self.tree, way: vec![History::start()] };
        Draw { learnt: self, ground, player, sampling: self.sampling, random, all: true }.walk()
    }
}

/// What a draw takes its random numbers from.
pub(super) fn random(seed: u64, iteration: u64, player: Player, walker: u64) -> fastrand::Rng {
    let seeds = [seed, iteration, player as u64, walker].map(u64::to_le_bytes);
    fastrand::Rng::with_seed(xxh3_64(seeds.as_flattened()))
}

/// Whose average behaviour is found by a draw for a player.
pub(super) fn averaged(sampling: Sampling, player: Player) -> Player {
    match sampling {
        Sampling::External | Sampling::Line => player.other(),
        Sampling::Outcome { .. } => player,
    }
}

/// A walk through the game that is laid out.
struct TreeWalk<'a> {
    tree: &'a GameTree,
    way: Vec<History>,
}

impl TreeWalk<'_> {
    fn here(&self) -> History {
        self.way[self.way.len() - 1]
    }
}

impl Ground for TreeWalk<'_> {
    fn turn(&self) -> Turn {
        self.tree.node(self.here()).turn
    }

    fn moves(&self) -> usize {
        self.tree.states.arcs(self.here().node).len()
    }

    fn chance(&self, mv: usize) -> f64 {
        self.tree.states.arcs(self.here().node)[mv].chance
    }

    fn make(&mut self, mv: usize) {
        self.way.push(self.tree.history_after(self.here(), mv));
    }

    fn unmake(&mut self) {
        self.way.pop();
    }
}

impl Learnt<TreeWalk<'_>> for Mccfr<'_> {
    /// The first sequence of the information set.
    type Mark = u32;

    fn look(&self, at: &TreeWalk, mover: Player, regrets: &mut [f64]) -> (u32, bool) {
        let first = at.here().cursors[mover as usize].base;
        regrets.copy_from_slice(&self.regret[mover as usize][first as usize..][..regrets.len()]);
        (first, true)
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 2;

impl IterativeSolver for Mccfr<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let found: Vec<Found<u32>> =
                (0..self.walkers).into_par_iter().map(|number| self.draw(player, number)).collect();
            let averaged = averaged(self.sampling, player);
            for Found { regret, average } in found {
                for (arrays, player, more) in
                    [(&mut self.regret, player, regret), (&mut self.average, averaged, average)]
                {
                    let sums = &mut arrays[player as usize];
                    for (&first, numbers) in more.each() {
                        let sums = sums[first as usize..].iter_mut();
                        sums.zip(numbers).for_each(|(sum, more)| *sum += more);
                    }
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
        sink.floats(&[self.sampling.number()])?;
        sink.words(&[self.seed, self.walkers, self.iterations])?;
        for array in self.regret.iter().chain(&self.average) {
            sink.floats(array)?;
        }
        sink.done()
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
