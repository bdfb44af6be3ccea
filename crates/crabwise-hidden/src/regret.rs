//! Counterfactual regret minimisation on sequences.
//!
//! The counterfactual worth of a sequence is what it earns by itself against the other's reach (a
//! [gradient](Form::gradient)) and what the player's own behaviour makes of the views behind it. The regret
//! of a move is the sum over iterations of its worth less that of the view, which is the worth of the
//! moves in the proportion in which they are made. Each view plays its moves in proportion to their
//! positive regrets, evenly where there are none (*regret matching*). In a game of two players whose gains
//! cancel, the averages of the behaviours, weighted by the player's own reach, come closer to an equilibrium:
//! after `T` iterations the exploitability is at most `C / sqrt(T)`, where `C` is the greatest difference
//! of payoffs times the views and the root of the moves of a view (Zinkevich, Johanson, Bowling, Piccione
//! 2007; for updates in turn Burch, Moravčík, Schmid 2019). The rules that follow have bounds of this kind
//! too, and usually come closer sooner:
//!
//! - CFR+: what falls below zero is zero at once; iteration `t` weighs `t` in the average (Tammelin 2014).
//! - Linear and discounted: after iteration `t` positive regrets are multiplied by `t^α / (t^α + 1)` and
//!   negative ones by `t^β / (t^β + 1)`, and `t` weighs `t^γ` (Brown, Sandholm 2019). Linear is 1, 1, 1.
//! - Predictive CFR+: like CFR+, but a view plays as if the regrets of the last iteration were to come
//!   once more; `t` weighs `t²` (Farina, Kroer, Sandholm 2021).
//!
//! One iteration is a gradient for each player, a pass over the views from the last to the first, and
//! one from the first to the last. A plex is cut once into *runs* of views that have no sequence in common
//! and into the few views above them, and the runs are passed over at the same time. Where it is cut
//! makes no difference to any sum, so that numbers do not depend on it, nor on threads.

#[cfg(test)]
mod tests;

use std::{
    io::{self, Read, Write},
    ops::Range,
};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::{
    CheckpointError, Form, HiddenError, Judged, Learner, Player, Plex,
    learner::{Sink, Source, digest, fingerprint},
};

/// How regrets are added up, and behaviours averaged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// All iterations weigh the same.
    Cfr,
    /// Regrets never fall below zero, and later iterations weigh more in the average.
    CfrPlus,
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

impl Rule {
    /// How much an iteration weighs in the average.
    fn weight(self, iteration: f64) -> f64 {
        match self {
            Rule::Cfr => 1.0,
            Rule::CfrPlus | Rule::Linear => iteration,
            Rule::Discounted { gamma, .. } => iteration.powf(gamma),
            Rule::Predictive => iteration * iteration,
        }
    }

    /// By what positive and negative regrets are multiplied after an iteration.
    fn fade(self, iteration: f64) -> [f64; 2] {
        let kept = |power: f64| {
            let grown = iteration.powf(power);
            if grown.is_finite() { grown / (grown + 1.0) } else { 1.0 }
        };
        match self {
            Rule::Cfr => [1.0, 1.0],
            Rule::CfrPlus | Rule::Predictive => [1.0, 0.0],
            Rule::Linear => [kept(1.0), kept(1.0)],
            Rule::Discounted { alpha, beta, .. } => [kept(alpha), kept(beta)],
        }
    }

    fn words(self) -> [u64; 4] {
        match self {
            Rule::Cfr => [0; 4],
            Rule::CfrPlus => [1, 0, 0, 0],
            Rule::Linear => [2, 0, 0, 0],
            Rule::Discounted { alpha, beta, gamma } => {
                [3, alpha.to_bits(), beta.to_bits(), gamma.to_bits()]
            }
            Rule::Predictive => [4, 0, 0, 0],
        }
    }

    fn of_words([rule, alpha, beta, gamma]: [u64; 4]) -> Option<Rule> {
        let [alpha, beta, gamma] = [alpha, beta, gamma].map(f64::from_bits);
        Some(match rule {
            0 => Rule::Cfr,
            1 => Rule::CfrPlus,
            2 => Rule::Linear,
            3 => Rule::Discounted { alpha, beta, gamma },
            4 => Rule::Predictive,
            _ => return None,
        })
    }
}

/// Regrets of both players, and what they lead to.
pub struct Regrets<'f> {
    form: &'f Form,
    rule: Rule,
    updates: Updates,
    iterations: u64,
    sides: [Side; 2],
    /// Room for a gradient of either player.
    gradient: Vec<f64>,
}

/// One player's. Arrays are by sequence, or by cell where views are pooled.
struct Side {
    regret: Vec<f64>,
    /// What moves are made in proportion to, where that is not the regret; else empty.
    aim: Vec<f64>,
    /// Weighted reaches added up.
    average: Vec<f64>,
    /// The reach of the present behaviour, by sequence.
    reach: Vec<f64>,
    runs: Runs,
    pool: Option<Pool>,
}

/// Views by bucket. The moves of a bucket have a cell each.
struct Pool {
    /// The first cell of each view.
    cell: Vec<u32>,
    /// Whether two views share a bucket.
    coarse: bool,
    /// Room for the regrets of an iteration.
    new: Vec<f64>,
}

impl<'f> Regrets<'f> {
    /// No regrets: all moves equally likely everywhere.
    pub fn new(form: &'f Form, rule: Rule, updates: Updates) -> Regrets<'f> {
        Regrets::cut(form, rule, updates, [None, None], None)
    }

    /// Views of a player that have the same number, its *bucket*, learn together and behave alike: an
    /// abstraction, which takes less room and whose best strategies may be exploitable. The views of
    /// a bucket must have the same number of moves.
    pub fn pooled(
        form: &'f Form,
        rule: Rule,
        updates: Updates,
        buckets: &[Vec<u32>; 2],
    ) -> Result<Regrets<'f>, HiddenError> {
        let [first, second] = &form.plexes;
        let pools = [Pool::new(first, &buckets[0])?, Pool::new(second, &buckets[1])?];
        Ok(Regrets::cut(form, rule, updates, pools.map(Some), None))
    }

    fn cut(
        form: &'f Form,
        rule: Rule,
        updates: Updates,
        pools: [Option<Pool>; 2],
        most: Option<usize>,
    ) -> Regrets<'f> {
        let [first, second] = pools;
        let [one, two] = &form.plexes;
        let sides =
            [(one, first), (two, second)].map(|(plex, pool)| Side::new(plex, rule, pool, most));
        let gradient = vec![0.0; one.sequences().max(two.sequences())];
        Regrets { form, rule, updates, iterations: 0, sides, gradient }
    }

    /// The bytes that this takes beside the form when views are not pooled, and while it is set up.
    pub fn bytes(form: &Form, rule: Rule) -> u64 {
        let arrays = if rule == Rule::Predictive { 4 } else { 3 };
        let sequences = form.plexes.each_ref().map(|plex| plex.sequences() as u64);
        let views = form.plexes.each_ref().map(|plex| plex.views() as u64);
        let cutting = 4 * (sequences[0] + views[0]).max(sequences[1] + views[1]);
        8 * (arrays * (sequences[0] + sequences[1]) + sequences[0].max(sequences[1])) + cutting
    }

    /// Starts over from these behaviours instead of even ones: each move has a regret of `weight` times
    /// its probability. The more that is, the longer it takes to unlearn.
    pub fn start_from(&mut self, behaviours: [&[f64]; 2], weight: f64) {
        self.iterations = 0;
        for (p, side) in self.sides.iter_mut().enumerate() {
            let plex = &self.form.plexes[p];
            side.regret.fill(0.0);
            side.average.fill(0.0);
            for view in 0..plex.views() {
                let cells = cells(&side.pool, plex, view);
                for (cell, sequence) in cells.zip(plex.at(view)) {
                    side.regret[cell] += weight * behaviours[p][sequence];
                }
            }
            if !side.aim.is_empty() {
                side.aim.copy_from_slice(&side.regret);
            }
            side.forward(plex);
        }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The behaviours that are played at present. They need not come closer to anything.
    pub fn current(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|p: usize| {
            let side = &self.sides[p];
            side.behaviour(&self.form.plexes[p], side.lead())
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
        let plex = &self.form.plexes[p];
        let iteration = self.iterations as f64;
        self.sides[p].tally(plex, self.rule.weight(iteration));
        let gradient = &mut self.gradient[..plex.sequences()];
        self.form.gradient(player, &self.sides[q].reach, gradient);
        let fade = self.rule.fade(iteration);
        match self.sides[p].pool {
            None => self.sides[p].backward(plex, gradient, fade),
            Some(_) => self.sides[p].backward_pooled(plex, gradient, fade),
        }
    }

    /// Takes up what [`save`](Learner::save) wrote, of the same game.
    pub fn load(form: &'f Form, from: &mut dyn Read) -> Result<Regrets<'f>, CheckpointError> {
        Regrets::read(form, [None, None], from)
    }

    /// Takes up what was saved of the same game with the same buckets.
    pub fn load_pooled(
        form: &'f Form,
        buckets: &[Vec<u32>; 2],
        from: &mut dyn Read,
    ) -> Result<Regrets<'f>, CheckpointError> {
        let pool = |p: usize| {
            let what = "its buckets are of another game";
            Pool::new(&form.plexes[p], &buckets[p]).map_err(|_| CheckpointError::Foreign(what))
        };
        Regrets::read(form, [Some(pool(0)?), Some(pool(1)?)], from)
    }

    fn read(
        form: &'f Form,
        pools: [Option<Pool>; 2],
        from: &mut dyn Read,
    ) -> Result<Regrets<'f>, CheckpointError> {
        let mut source = Source::new(from, METHOD, fingerprint(&form.plexes))?;
        for pool in &pools {
            source.expect(Pool::fingerprint(pool), "its views are pooled in another way")?;
        }
        let words = [source.word()?, source.word()?, source.word()?, source.word()?];
        let unknown = CheckpointError::Foreign("its rule is unknown");
        let rule = Rule::of_words(words).ok_or(unknown)?;
        let updates = match source.word()? {
            0 => Updates::Alternating,
            1 => Updates::Simultaneous,
            _ => return Err(CheckpointError::Foreign("its order of updates is unknown")),
        };
        let mut regrets = Regrets::cut(form, rule, updates, pools, None);
        regrets.iterations = source.word()?;
        for side in &mut regrets.sides {
            source.floats(&mut side.regret)?;
            source.floats(&mut side.aim)?;
            source.floats(&mut side.average)?;
        }
        source.done()?;
        for (side, plex) in regrets.sides.iter_mut().zip(&form.plexes) {
            side.forward(plex);
        }
        Ok(regrets)
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 1;

impl Learner for Regrets<'_> {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            self.observe(player);
            if self.updates == Updates::Alternating {
                self.sides[player as usize].forward(&self.form.plexes[player as usize]);
            }
        }
        if self.updates == Updates::Simultaneous {
            for (side, plex) in self.sides.iter_mut().zip(&self.form.plexes) {
                side.forward(plex);
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|p: usize| {
            let side = &self.sides[p];
            side.behaviour(&self.form.plexes[p], &side.average)
        })
    }

    fn is_abstraction(&self) -> bool {
        self.sides.iter().any(|side| side.pool.as_ref().is_some_and(|pool| pool.coarse))
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, fingerprint(&self.form.plexes))?;
        sink.words(&self.sides.each_ref().map(|side| Pool::fingerprint(&side.pool)))?;
        sink.words(&self.rule.words())?;
        sink.words(&[self.updates as u64, self.iterations])?;
        for side in &self.sides {
            sink.floats(&side.regret)?;
            sink.floats(&side.aim)?;
            sink.floats(&side.average)?;
        }
        sink.done()
    }
}

/// Where a view's numbers are.
fn cells(pool: &Option<Pool>, plex: &Plex, view: usize) -> Range<usize> {
    let at = plex.at(view);
    match pool {
        None => at,
        Some(pool) => {
            let first = pool.cell[view] as usize;
            first..first + at.len()
        }
    }
}

/// The sum of what is positive.
pub(super) fn total(lead: &[f64]) -> f64 {
    lead.iter().map(|lead| lead.max(0.0)).sum()
}

/// The probability of a move: in proportion to what is positive, or evenly.
pub(super) fn share(lead: f64, total: f64, even: f64) -> f64 {
    if total > 0.0 { lead.max(0.0) / total } else { even }
}

/// The worth of a view whose moves are worth `gain`. What is left of `gain` are the regrets.
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

impl Side {
    fn new(plex: &Plex, rule: Rule, pool: Option<Pool>, most: Option<usize>) -> Side {
        let cells = pool.as_ref().map_or(plex.sequences(), |pool| pool.new.len());
        let aims = if rule == Rule::Predictive { cells } else { 0 };
        let mut side = Side {
            regret: vec![0.0; cells],
            aim: vec![0.0; aims],
            average: vec![0.0; cells],
            reach: vec![0.0; plex.sequences()],
            runs: Runs::new(plex, most.unwrap_or(LEAST.max(plex.views() / PARTS))),
            pool,
        };
        side.forward(plex);
        side
    }

    /// What moves are made in proportion to.
    fn lead(&self) -> &[f64] {
        if self.aim.is_empty() { &self.regret } else { &self.aim }
    }

    fn behaviour(&self, plex: &Plex, lead: &[f64]) -> Vec<f64> {
        let mut behaviour = vec![1.0; plex.sequences()];
        for view in 0..plex.views() {
            let lead = &lead[cells(&self.pool, plex, view)];
            let (total, even) = (total(lead), 1.0 / lead.len() as f64);
            for (to, &lead) in behaviour[plex.at(view)].iter_mut().zip(lead) {
                *to = share(lead, total, even);
            }
        }
        behaviour
    }

    /// Adds the reach to the average.
    fn tally(&mut self, plex: &Plex, weight: f64) {
        let Side { average, reach, pool, .. } = self;
        if pool.is_none() {
            let pairs = average.par_iter_mut().zip(&*reach).with_min_len(1 << 14);
            pairs.for_each(|(average, reach)| *average += weight * reach);
            return;
        }
        for view in 0..plex.views() {
            let cells = cells(pool, plex, view);
            for (average, reach) in average[cells].iter_mut().zip(&reach[plex.at(view)]) {
                *average += weight * reach;
            }
        }
    }

    /// Adds the regrets of an iteration, by the gradient, which is used up.
    fn backward(&mut self, plex: &Plex, gradient: &mut [f64], fade: [f64; 2]) {
        let Side { regret, aim, runs, .. } = self;
        let tasks: Vec<_> = (runs.runs.iter().zip(runs.split(plex, gradient).0))
            .zip(runs.split(plex, regret).0.into_iter().zip(runs.split(plex, aim).0))
            .collect();
        let roots: Vec<Vec<(usize, f64)>> = (tasks.into_par_iter())
            .map(|((run, gradient), (regret, aim))| {
                backward_run(plex, run.clone(), gradient, regret, aim, fade)
            })
            .collect();
        let mut roots: Vec<_> = runs.runs.iter().zip(roots).collect();
        // Sums are made as if views were passed over one after the other.
        let mut gather = |gradient: &mut [f64], after: usize| {
            while let Some((_, roots)) = roots.pop_if(|(run, _)| run.start >= after) {
                roots.into_iter().for_each(|(parent, worth)| gradient[parent] += worth);
            }
        };
        for &view in runs.top.iter().rev() {
            gather(gradient, view as usize);
            let at = plex.at(view as usize);
            let worth = backward_view(at, gradient, regret, aim, fade);
            gradient[plex.parent(view as usize)] += worth;
        }
        gather(gradient, 0);
    }

    fn backward_pooled(&mut self, plex: &Plex, gradient: &mut [f64], fade: [f64; 2]) {
        for view in (0..plex.views()).rev() {
            let cells = cells(&self.pool, plex, view);
            let gain = &mut gradient[plex.at(view)];
            let worth = regretted(&self.lead()[cells.clone()], gain);
            if let Some(pool) = &mut self.pool {
                pool.new[cells].iter_mut().zip(gain).for_each(|(new, gain)| *new += *gain);
            }
            gradient[plex.parent(view)] += worth;
        }
        if let Some(pool) = &mut self.pool {
            add(fade, &mut self.regret, &mut self.aim, &pool.new);
            pool.new.fill(0.0);
        }
    }

    /// Works out the reach.
    fn forward(&mut self, plex: &Plex) {
        let Side { regret, aim, reach, runs, pool, .. } = self;
        let lead: &[f64] = if aim.is_empty() { regret } else { aim };
        reach[0] = 1.0;
        for &view in &runs.top {
            let before = reach[plex.parent(view as usize)];
            let lead = &lead[cells(pool, plex, view as usize)];
            forward_view(lead, before, &mut reach[plex.at(view as usize)]);
        }
        let (parts, above) = runs.split(plex, reach);
        let tasks: Vec<_> = runs.runs.iter().zip(parts).collect();
        tasks.into_par_iter().for_each(|(run, reach)| {
            let first = plex.at(run.start).start;
            for view in run.clone() {
                let parent = plex.parent(view);
                let before = match parent.checked_sub(first) {
                    Some(inside) => reach[inside],
                    None => {
                        let gap = above.partition_point(|&(begin, _)| begin <= parent) - 1;
                        above[gap].1[parent - above[gap].0]
                    }
                };
                let (at, lead) = (plex.at(view), &lead[cells(pool, plex, view)]);
                forward_view(lead, before, &mut reach[at.start - first..at.end - first]);
            }
        });
    }
}

fn forward_view(lead: &[f64], before: f64, reach: &mut [f64]) {
    let (total, even) = (total(lead), 1.0 / lead.len() as f64);
    for (reach, &lead) in reach.iter_mut().zip(lead) {
        *reach = before * share(lead, total, even);
    }
}

fn backward_view(
    at: Range<usize>,
    gradient: &mut [f64],
    regret: &mut [f64],
    aim: &mut [f64],
    fade: [f64; 2],
) -> f64 {
    let gain = &mut gradient[at.clone()];
    let lead = if aim.is_empty() { &regret[at.clone()] } else { &aim[at.clone()] };
    let worth = regretted(lead, gain);
    add(fade, &mut regret[at.clone()], part(aim, at), gain);
    worth
}

/// Passes over a run, whose own parts of the arrays these are. What it is worth to sequences above it
/// is told.
fn backward_run(
    plex: &Plex,
    run: Range<usize>,
    gradient: &mut [f64],
    regret: &mut [f64],
    aim: &mut [f64],
    fade: [f64; 2],
) -> Vec<(usize, f64)> {
    let first = plex.at(run.start).start;
    let mut roots = vec![];
    for view in run.rev() {
        let at = plex.at(view);
        let own = at.start - first..at.end - first;
        let worth = backward_view(own, gradient, regret, aim, fade);
        let parent = plex.parent(view);
        match parent.checked_sub(first) {
            Some(inside) => gradient[inside] += worth,
            None => roots.push((parent, worth)),
        }
    }
    roots
}

/// A plex in parts: runs of views such that what leads to a view of a run is in the run or above all runs,
/// and the views above.
struct Runs {
    runs: Vec<Range<usize>>,
    top: Vec<u32>,
}

/// About how many runs are made.
const PARTS: usize = 64;

/// A run of fewer views is not worth a thread.
const LEAST: usize = 1024;

/// The parts of an array that belong to runs, and those between with where they begin.
type Split<'a> = (Vec<&'a mut [f64]>, Vec<(usize, &'a mut [f64])>);

impl Runs {
    /// Runs of at most so many views.
    fn new(plex: &Plex, most: usize) -> Runs {
        let ends = ends(plex);
        let (mut runs, mut top, mut view) = (Vec::<Range<usize>>::new(), vec![], 0);
        while view < plex.views() {
            let end = ends[view] as usize;
            match runs.last_mut() {
                Some(run) if run.end == view && end - run.start <= most => run.end = end,
                _ if end - view <= most => runs.push(view..end),
                _ => {
                    top.push(view as u32);
                    view += 1;
                    continue;
                }
            }
            view = end;
        }
        Runs { runs, top }
    }

    fn split<'a>(&self, plex: &Plex, array: &'a mut [f64]) -> Split<'a> {
        if array.is_empty() {
            return (self.runs.iter().map(|_| Default::default()).collect(), vec![]);
        }
        let (mut parts, mut above, mut rest, mut done) = (vec![], vec![], array, 0);
        for run in &self.runs {
            let (begin, end) = (plex.at(run.start).start, plex.at(run.end - 1).end);
            let (gap, tail) = rest.split_at_mut(begin - done);
            let (own, tail) = tail.split_at_mut(end - begin);
            above.push((done, gap));
            parts.push(own);
            (rest, done) = (tail, end);
        }
        above.push((done, rest));
        above.retain(|(_, gap)| !gap.is_empty());
        (parts, above)
    }
}

/// For each view the end of the shortest run that begins there and has all that follows from each of its
/// views. Of two such runs one contains the other, or they have nothing in common.
fn ends(plex: &Plex) -> Vec<u32> {
    let mut owner = vec![u32::MAX; plex.sequences()];
    for view in 0..plex.views() {
        owner[plex.at(view)].fill(view as u32);
    }
    let mut ends: Vec<u32> = (1..=plex.views() as u32).collect();
    for view in (0..plex.views()).rev() {
        let (mut next, mut end) = (view as u32 + 1, ends[view]);
        while next < end {
            next = ends[next as usize];
            end = end.max(next);
        }
        ends[view] = end;
        if let Some(before) = ends.get_mut(owner[plex.parent(view)] as usize) {
            *before = end.max(*before);
        }
    }
    ends
}

impl Pool {
    fn new(plex: &Plex, buckets: &[u32]) -> Result<Pool, HiddenError> {
        let contract = |what: &str| Err(HiddenError::Contract(what.into()));
        if buckets.len() != plex.views() {
            return contract("there is not one bucket for each view");
        }
        let mut moves = vec![0; buckets.iter().max().map_or(0, |&most| most as usize + 1)];
        for (view, &bucket) in buckets.iter().enumerate() {
            let (known, many) = (&mut moves[bucket as usize], plex.at(view).len() as u32);
            if *known != 0 && *known != many {
                return contract("views of one bucket have different numbers of moves");
            }
            *known = many;
        }
        let coarse = moves.iter().filter(|&&moves| moves > 0).count() < buckets.len();
        let mut cells = 0;
        for start in &mut moves {
            cells += std::mem::replace(start, cells);
        }
        let cell = buckets.iter().map(|&bucket| moves[bucket as usize]).collect();
        Ok(Pool { cell, coarse, new: vec![0.0; cells as usize] })
    }

    /// What tells buckets from others; 0 where there are none.
    fn fingerprint(pool: &Option<Pool>) -> u64 {
        pool.as_ref().map_or(0, |pool| {
            let mut hash = Xxh3::new();
            digest(&mut hash, &pool.cell);
            hash.digest()
        })
    }
}
