//! Counterfactual regret minimisation on sequences.
//!
//! The counterfactual value of a sequence is what it earns by itself against the other's plan (a
//! [gradient](SequenceForm::gradient)) and what the player's own behaviour makes of the information sets behind it.
//! The regret of a move is the sum over iterations of its value less that of the information set, which is the value
//! of the moves in the proportion in which they are made. Moves are made in proportion to their positive regrets,
//! evenly where there are none (*regret matching*). In a game of two players whose gains cancel, the averages of the
//! behaviours, weighted by the player's own reach, come closer to an equilibrium: after `T` iterations the
//! exploitability is at most `C / sqrt(T)`, where `C` is the greatest difference of payoffs times the number of
//! information sets and the root of the number of moves at one (Zinkevich, Johanson, Bowling, Piccione 2007; for
//! updates in turn Burch, Moravčík, Schmid 2019). The variants that follow have bounds of this kind too, and usually
//! come closer sooner:
//!
//! - CFR+: what falls below zero is zero at once; iteration `t` weighs `t` in the average (Tammelin 2014).
//! - Linear and discounted: after iteration `t` positive regrets are multiplied by `t^α / (t^α + 1)` and
//!   negative ones by `t^β / (t^β + 1)`, and `t` weighs `t^γ` (Brown, Sandholm 2019). Linear is 1, 1, 1.
//! - Predictive CFR+: like CFR+, but moves are made as if the regrets of the last iteration were to come once more;
//!   `t` weighs `t²` (Farina, Kroer, Sandholm 2021).
//!
//! One iteration is a gradient for each player, a pass over the information sets from the last to the first, and one
//! from the first to the last. Threads share both passes ([`runs`]).

mod buckets;
mod runs;
#[cfg(test)]
mod tests;

use std::{
    io::{self, Read, Write},
    ops::Range,
};

use rayon::prelude::*;

use self::{
    buckets::Buckets,
    runs::{Runs, backward_run, backward_set, forward_set},
};
use super::{
    CheckpointError, IterativeSolver,
    checkpoint::{Sink, Source, fingerprint},
};
use crate::{
    best_response::Judged,
    rules::Player,
    sequence_form::{Behaviour, RealizationPlan, SequenceForm, Treeplex},
    tree::HiddenError,
};

/// How regrets are added up, and behaviours averaged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CfrVariant {
    /// All iterations weigh the same.
    Vanilla,
    /// Regrets never fall below zero, and later iterations weigh more in the average.
    Plus,
    /// Iteration `t` weighs `t`, in regrets and average.
    Linear,
    /// Older regrets fade, good ones and bad ones differently.
    Discounted {
        /// How slowly positive regrets fade; 1.5 is usual.
        alpha: f64,
        /// How slowly negative regrets fade; 0 is usual.
        beta: f64,
        /// By what power of its number an iteration weighs in the average; 2 is usual.
        gamma: f64,
    },
    /// CFR+ that expects the last regrets once more.
    Predictive,
}

/// When the players learn from each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Updates {
    /// One after the other, the first player first: the second answers what the first has just learnt.
    Alternating,
    /// At the same time.
    Simultaneous,
}

impl CfrVariant {
    /// How much an iteration weighs in the average.
    fn weight(self, iteration: f64) -> f64 {
        match self {
            CfrVariant::Vanilla => 1.0,
            CfrVariant::Plus | CfrVariant::Linear => iteration,
            CfrVariant::Discounted { gamma, .. } => iteration.powf(gamma),
            CfrVariant::Predictive => iteration * iteration,
        }
    }

    /// By what positive and negative regrets are multiplied after an iteration.
    fn fade(self, iteration: f64) -> [f64; 2] {
        let kept = |power: f64| {
            let grown = iteration.powf(power);
            if grown.is_finite() { grown / (grown + 1.0) } else { 1.0 }
        };
        match self {
            CfrVariant::Vanilla => [1.0, 1.0],
            CfrVariant::Plus | CfrVariant::Predictive => [1.0, 0.0],
            CfrVariant::Linear => [kept(1.0), kept(1.0)],
            CfrVariant::Discounted { alpha, beta, .. } => [kept(alpha), kept(beta)],
        }
    }

    fn words(self) -> [u64; 4] {
        match self {
            CfrVariant::Vanilla => [0; 4],
            CfrVariant::Plus => [1, 0, 0, 0],
            CfrVariant::Linear => [2, 0, 0, 0],
            CfrVariant::Discounted { alpha, beta, gamma } => {
                [3, alpha.to_bits(), beta.to_bits(), gamma.to_bits()]
            }
            CfrVariant::Predictive => [4, 0, 0, 0],
        }
    }

    fn of_words([variant, alpha, beta, gamma]: [u64; 4]) -> Option<CfrVariant> {
        let [alpha, beta, gamma] = [alpha, beta, gamma].map(f64::from_bits);
        Some(match variant {
            0 => CfrVariant::Vanilla,
            1 => CfrVariant::Plus,
            2 => CfrVariant::Linear,
            3 => CfrVariant::Discounted { alpha, beta, gamma },
            4 => CfrVariant::Predictive,
            _ => return None,
        })
    }
}

/// Regrets of both players, and what they lead to.
pub struct Cfr<'f> {
    form: &'f SequenceForm,
    variant: CfrVariant,
    updates: Updates,
    iterations: u64,
    sides: [PlayerRegrets; 2],
    /// Room for a gradient of either player.
    gradient: Vec<f64>,
}

/// The regrets of one player. Arrays are by sequence, or by cell where information sets share buckets.
struct PlayerRegrets {
    regret: Vec<f64>,
    /// What moves are made in proportion to, where that is not the regret; else empty.
    aim: Vec<f64>,
    /// Weighted plans added up.
    average: Vec<f64>,
    /// The realization plan of the present behaviour, by sequence.
    reach: RealizationPlan,
    runs: Runs,
    buckets: Option<Buckets>,
}

impl<'f> Cfr<'f> {
    /// No regrets: all moves equally likely everywhere.
    pub fn new(form: &'f SequenceForm, variant: CfrVariant, updates: Updates) -> Cfr<'f> {
        Cfr::cut(form, variant, updates, [None, None], None)
    }

    /// Information sets of a player that have the same number, its *bucket*, learn together and behave alike: an
    /// abstraction, which takes less room and whose best strategies may be exploitable. The information sets of
    /// a bucket must have the same number of moves.
    pub fn with_buckets(
        form: &'f SequenceForm,
        variant: CfrVariant,
        updates: Updates,
        buckets: &[Vec<u32>; 2],
    ) -> Result<Cfr<'f>, HiddenError> {
        let [first, second] = &form.treeplexes;
        let buckets = [Buckets::new(first, &buckets[0])?, Buckets::new(second, &buckets[1])?];
        Ok(Cfr::cut(form, variant, updates, buckets.map(Some), None))
    }

    fn cut(
        form: &'f SequenceForm,
        variant: CfrVariant,
        updates: Updates,
        buckets: [Option<Buckets>; 2],
        most: Option<usize>,
    ) -> Cfr<'f> {
        let [first, second] = buckets;
        let [one, two] = &form.treeplexes;
        let sides = [(one, first), (two, second)]
            .map(|(plex, buckets)| PlayerRegrets::new(plex, variant, buckets, most));
        let gradient = vec![0.0; one.sequences().max(two.sequences())];
        Cfr { form, variant, updates, iterations: 0, sides, gradient }
    }

    /// The bytes that this takes beside the form when information sets share no buckets, and while it is set up.
    pub fn bytes(form: &SequenceForm, variant: CfrVariant) -> u64 {
        let arrays = if variant == CfrVariant::Predictive { 4 } else { 3 };
        let sequences = form.treeplexes.each_ref().map(|plex| plex.sequences() as u64);
        let info_sets = form.treeplexes.each_ref().map(|plex| plex.info_sets() as u64);
        let cutting = 4 * (sequences[0] + info_sets[0]).max(sequences[1] + info_sets[1]);
        8 * (arrays * (sequences[0] + sequences[1]) + sequences[0].max(sequences[1])) + cutting
    }

    /// Starts over from these behaviours instead of even ones: each move has a regret of `weight` times
    /// its probability. The more that is, the longer it takes to unlearn.
    pub fn start_from(&mut self, behaviours: [&[f64]; 2], weight: f64) {
        self.iterations = 0;
        for (p, side) in self.sides.iter_mut().enumerate() {
            let plex = &self.form.treeplexes[p];
            side.regret.fill(0.0);
            side.average.fill(0.0);
            for info_set in 0..plex.info_sets() {
                let cells = cells(&side.buckets, plex, info_set);
                for (cell, sequence) in cells.zip(plex.at(info_set)) {
                    side.regret[cell] += weight * behaviours[p][sequence];
                }
            }
            if !side.aim.is_empty() {
                side.aim.copy_from_slice(&side.regret);
            }
            side.forward(plex);
        }
    }

    /// Gives a move a regret, as if iterations had been done that led to it. Call before the first step.
    pub fn start_with(&mut self, player: Player, sequence: usize, regret: f64) {
        let plex = &self.form.treeplexes[player as usize];
        let side = &mut self.sides[player as usize];
        let place = side.cell(plex, sequence);
        side.regret[place] = regret;
        if !side.aim.is_empty() {
            side.aim[place] = regret;
        }
        side.forward(plex);
    }

    /// The regret of a sequence's move, as far as iterations have added it up.
    pub fn regret(&self, player: Player, sequence: usize) -> f64 {
        let side = &self.sides[player as usize];
        side.regret[side.cell(&self.form.treeplexes[player as usize], sequence)]
    }

    /// Which variant it is.
    pub fn variant(&self) -> CfrVariant {
        self.variant
    }

    /// The behaviours that are played at present. They need not come closer to anything.
    pub fn current(&self) -> [Behaviour; 2] {
        [0, 1].map(|p: usize| {
            let side = &self.sides[p];
            side.behaviour(&self.form.treeplexes[p], side.lead())
        })
    }

    /// Judges the average.
    pub fn judge(&self) -> Judged {
        let [first, second] = self.average();
        self.form.judge([&first, &second])
    }

    /// Adds the present behaviour of a player to the average, and what its moves would have gained to
    /// the regrets.
    fn observe(&mut self, player: Player) {
        let (p, q) = (player as usize, player.other() as usize);
        let plex = &self.form.treeplexes[p];
        let iteration = self.iterations as f64;
        self.sides[p].tally(plex, self.variant.weight(iteration));
        let gradient = &mut self.gradient[..plex.sequences()];
        self.form.gradient(player, &self.sides[q].reach, gradient);
        let fade = self.variant.fade(iteration);
        match self.sides[p].buckets {
            None => self.sides[p].backward(plex, gradient, fade),
            Some(_) => self.sides[p].backward_in_buckets(plex, gradient, fade),
        }
    }

    /// Takes up what [`save`](IterativeSolver::save) wrote, of the same game.
    pub fn load(form: &'f SequenceForm, from: &mut dyn Read) -> Result<Cfr<'f>, CheckpointError> {
        Cfr::read(form, [None, None], from)
    }

    /// Takes up what was saved of the same game with the same buckets.
    pub fn load_with_buckets(
        form: &'f SequenceForm,
        buckets: &[Vec<u32>; 2],
        from: &mut dyn Read,
    ) -> Result<Cfr<'f>, CheckpointError> {
        let buckets = |p: usize| {
            let what = "its buckets are of another game";
            Buckets::new(&form.treeplexes[p], &buckets[p])
                .map_err(|_| CheckpointError::Foreign(what))
        };
        Cfr::read(form, [Some(buckets(0)?), Some(buckets(1)?)], from)
    }

    fn read(
        form: &'f SequenceForm,
        buckets: [Option<Buckets>; 2],
        from: &mut dyn Read,
    ) -> Result<Cfr<'f>, CheckpointError> {
        let mut source = Source::new(from, METHOD, fingerprint(&form.treeplexes))?;
        for buckets in &buckets {
            source.expect(
                Buckets::fingerprint(buckets),
                "its information sets are in other buckets",
            )?;
        }
        let words = [source.word()?, source.word()?, source.word()?, source.word()?];
        let unknown = CheckpointError::Foreign("its rule is unknown");
        let variant = CfrVariant::of_words(words).ok_or(unknown)?;
        let updates = match source.word()? {
            0 => Updates::Alternating,
            1 => Updates::Simultaneous,
            _ => return Err(CheckpointError::Foreign("its order of updates is unknown")),
        };
        let mut regrets = Cfr::cut(form, variant, updates, buckets, None);
        regrets.iterations = source.word()?;
        for side in &mut regrets.sides {
            source.floats(&mut side.regret)?;
            source.floats(&mut side.aim)?;
            source.floats(&mut side.average)?;
        }
        source.done()?;
        for (side, plex) in regrets.sides.iter_mut().zip(&form.treeplexes) {
            side.forward(plex);
        }
        Ok(regrets)
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 1;

impl IterativeSolver for Cfr<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            self.observe(player);
            if self.updates == Updates::Alternating {
                self.sides[player as usize].forward(&self.form.treeplexes[player as usize]);
            }
        }
        if self.updates == Updates::Simultaneous {
            for (side, plex) in self.sides.iter_mut().zip(&self.form.treeplexes) {
                side.forward(plex);
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> [Behaviour; 2] {
        [0, 1].map(|p: usize| {
            let side = &self.sides[p];
            side.behaviour(&self.form.treeplexes[p], &side.average)
        })
    }

    fn is_abstraction(&self) -> bool {
        self.sides.iter().any(|side| side.buckets.as_ref().is_some_and(|buckets| buckets.coarse))
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, fingerprint(&self.form.treeplexes))?;
        sink.words(&self.sides.each_ref().map(|side| Buckets::fingerprint(&side.buckets)))?;
        sink.words(&self.variant.words())?;
        sink.words(&[self.updates as u64, self.iterations])?;
        for side in &self.sides {
            sink.floats(&side.regret)?;
            sink.floats(&side.aim)?;
            sink.floats(&side.average)?;
        }
        sink.done()
    }
}

/// Where an information set's numbers are.
fn cells(buckets: &Option<Buckets>, plex: &Treeplex, info_set: usize) -> Range<usize> {
    let at = plex.at(info_set);
    match buckets {
        None => at,
        Some(buckets) => {
            let first = buckets.cell[info_set] as usize;
            first..first + at.len()
        }
    }
}

/// The sum of what is positive.
pub(crate) fn total(lead: &[f64]) -> f64 {
    lead.iter().map(|lead| lead.max(0.0)).sum()
}

/// The probability of a move: in proportion to what is positive, or evenly.
pub(crate) fn share(lead: f64, total: f64, even: f64) -> f64 {
    if total > 0.0 { lead.max(0.0) / total } else { even }
}

/// The worth of an information set whose moves are worth `gain`. What is left of `gain` are the regrets.
fn regretted(lead: &[f64], gain: &mut [f64]) -> f64 {
    let (total, even) = (total(lead), 1.0 / lead.len() as f64);
    let worth = lead.iter().zip(&*gain).map(|(&lead, gain)| share(lead, total, even) * gain).sum();
    gain.iter_mut().for_each(|gain| *gain -= worth);
    worth
}

/// Adds the regrets of an iteration.
fn add(fade: [f64; 2], regret: &mut [f64], aim: &mut [f64], new: &[f64]) {
    for (regret, new) in regret.iter_mut().zip(new) {
        *regret += new;
        *regret *= if *regret >= 0.0 { fade[0] } else { fade[1] };
    }
    for ((aim, regret), new) in aim.iter_mut().zip(&*regret).zip(new) {
        *aim = regret + new;
    }
}

/// What a part of an array is, nothing if the array is not used.
fn part(array: &mut [f64], range: Range<usize>) -> &mut [f64] {
    if array.is_empty() { array } else { &mut array[range] }
}

impl PlayerRegrets {
    fn new(
        plex: &Treeplex,
        variant: CfrVariant,
        buckets: Option<Buckets>,
        most: Option<usize>,
    ) -> PlayerRegrets {
        let cells = buckets.as_ref().map_or(plex.sequences(), |buckets| buckets.new.len());
        let aims = if variant == CfrVariant::Predictive { cells } else { 0 };
        let mut side = PlayerRegrets {
            regret: vec![0.0; cells],
            aim: vec![0.0; aims],
            average: vec![0.0; cells],
            reach: vec![0.0; plex.sequences()],
            runs: Runs::new(plex, most),
            buckets,
        };
        side.forward(plex);
        side
    }

    /// Where a sequence's numbers are.
    fn cell(&self, plex: &Treeplex, sequence: usize) -> usize {
        let info_set = plex.first.partition_point(|&first| first as usize <= sequence) - 1;
        cells(&self.buckets, plex, info_set).start + sequence - plex.at(info_set).start
    }

    /// What moves are made in proportion to.
    fn lead(&self) -> &[f64] {
        if self.aim.is_empty() { &self.regret } else { &self.aim }
    }

    fn behaviour(&self, plex: &Treeplex, lead: &[f64]) -> Vec<f64> {
        let mut behaviour = vec![1.0; plex.sequences()];
        for info_set in 0..plex.info_sets() {
            let lead = &lead[cells(&self.buckets, plex, info_set)];
            let (total, even) = (total(lead), 1.0 / lead.len() as f64);
            for (to, &lead) in behaviour[plex.at(info_set)].iter_mut().zip(lead) {
                *to = share(lead, total, even);
            }
        }
        behaviour
    }

    /// Adds the reach to the average.
    fn tally(&mut self, plex: &Treeplex, weight: f64) {
        let PlayerRegrets { average, reach, buckets, .. } = self;
        if buckets.is_none() {
            let pairs = average.par_iter_mut().zip(&*reach).with_min_len(1 << 14);
            pairs.for_each(|(average, reach)| *average += weight * reach);
            return;
        }
        for info_set in 0..plex.info_sets() {
            let cells = cells(buckets, plex, info_set);
            for (average, reach) in average[cells].iter_mut().zip(&reach[plex.at(info_set)]) {
                *average += weight * reach;
            }
        }
    }

    /// Adds the regrets of an iteration, by the gradient, which is used up.
    fn backward(&mut self, plex: &Treeplex, gradient: &mut [f64], fade: [f64; 2]) {
        let PlayerRegrets { regret, aim, runs, .. } = self;
        let tasks: Vec<_> = (runs.runs.iter().zip(runs.split(plex, gradient).0))
            .zip(runs.split(plex, regret).0.into_iter().zip(runs.split(plex, aim).0))
            .collect();
        let roots: Vec<Vec<(usize, f64)>> = (tasks.into_par_iter())
            .map(|((run, gradient), (regret, aim))| {
                backward_run(plex, run.clone(), gradient, regret, aim, fade)
            })
            .collect();
        let mut roots: Vec<_> = runs.runs.iter().zip(roots).collect();
        // Sums are made as if information sets were passed over one after the other.
        let mut gather = |gradient: &mut [f64], after: usize| {
            while let Some((_, roots)) = roots.pop_if(|(run, _)| run.start >= after) {
                roots.into_iter().for_each(|(parent, worth)| gradient[parent] += worth);
            }
        };
        for &info_set in runs.top.iter().rev() {
            gather(gradient, info_set as usize);
            let at = plex.at(info_set as usize);
            let worth = backward_set(at, gradient, regret, aim, fade);
            gradient[plex.parent(info_set as usize)] += worth;
        }
        gather(gradient, 0);
    }

    fn backward_in_buckets(&mut self, plex: &Treeplex, gradient: &mut [f64], fade: [f64; 2]) {
        for info_set in (0..plex.info_sets()).rev() {
            let cells = cells(&self.buckets, plex, info_set);
            let gain = &mut gradient[plex.at(info_set)];
            let worth = regretted(&self.lead()[cells.clone()], gain);
            if let Some(buckets) = &mut self.buckets {
                buckets.new[cells].iter_mut().zip(gain).for_each(|(new, gain)| *new += *gain);
            }
            gradient[plex.parent(info_set)] += worth;
        }
        if let Some(buckets) = &mut self.buckets {
            add(fade, &mut self.regret, &mut self.aim, &buckets.new);
            buckets.new.fill(0.0);
        }
    }

    /// Works out the reach.
    fn forward(&mut self, plex: &Treeplex) {
        let PlayerRegrets { regret, aim, reach, runs, buckets, .. } = self;
        let lead: &[f64] = if aim.is_empty() { regret } else { aim };
        reach[0] = 1.0;
        for &info_set in &runs.top {
            let before = reach[plex.parent(info_set as usize)];
            let lead = &lead[cells(buckets, plex, info_set as usize)];
            forward_set(lead, before, &mut reach[plex.at(info_set as usize)]);
        }
        let (parts, above) = runs.split(plex, reach);
        let tasks: Vec<_> = runs.runs.iter().zip(parts).collect();
        tasks.into_par_iter().for_each(|(run, reach)| {
            let first = plex.at(run.start).start;
            for info_set in run.clone() {
                let parent = plex.parent(info_set);
                let before = match parent.checked_sub(first) {
                    Some(inside) => reach[inside],
                    None => {
                        let gap = above.partition_point(|&(begin, _)| begin <= parent) - 1;
                        above[gap].1[parent - above[gap].0]
                    }
                };
                let (at, lead) = (plex.at(info_set), &lead[cells(buckets, plex, info_set)]);
                forward_set(lead, before, &mut reach[at.start - first..at.end - first]);
            }
        });
    }
}
