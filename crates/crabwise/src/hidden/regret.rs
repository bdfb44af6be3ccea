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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::hidden::{
        Hidden, Setup, Turn,
        states::Minds,
        toys::{Kuhn, Random, form, laid},
    };

    const DISCOUNTED: Rule = Rule::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 };
    const RULES: [Rule; 5] = [Rule::Cfr, Rule::CfrPlus, Rule::Linear, DISCOUNTED, Rule::Predictive];
    const UPDATES: [Updates; 2] = [Updates::Alternating, Updates::Simultaneous];

    fn run(regrets: &mut Regrets, iterations: u64) -> f64 {
        (0..iterations).for_each(|_| regrets.step());
        regrets.judge().exploitability()
    }

    /// The curve of another implementation, by the definition of 2007 with alternating updates.
    #[test]
    fn kuhn_follows_the_known_curve() {
        let form = form(Kuhn);
        let mut regrets = Regrets::new(&form, Rule::Cfr, Updates::Alternating);
        let after = run(&mut regrets, 281);
        assert!((after - 0.00237740).abs() < 5e-9, "{after}");
    }

    /// No rule exceeds its bound, every rule comes as close as it does, and the value is within bounds.
    #[test]
    fn all_rules_solve_kuhn() {
        let form = form(Kuhn);
        for updates in UPDATES {
            let close = match updates {
                Updates::Alternating => [3e-3, 5e-4, 5e-4, 5e-4, 1e-6],
                Updates::Simultaneous => [2e-2, 1e-2, 1e-2, 1e-2, 1e-2],
            };
            for (rule, close) in RULES.into_iter().zip(close) {
                let mut regrets = Regrets::new(&form, rule, updates);
                let mut envelope = vec![];
                for t in 1..=1000 {
                    regrets.step();
                    let judged = regrets.judge();
                    envelope.extend([10, 100, 1000].contains(&t).then(|| judged.exploitability()));
                    let (far, [low, high]) = (judged.exploitability(), judged.bounds());
                    let bound = 4.0 * 6.0 * (2.0 / f64::from(t)).sqrt();
                    assert!(far < bound, "{rule:?} {updates:?} {t}: {far}");
                    let slack = 1e-12;
                    assert!(low - slack <= -1.0 / 18.0 && -1.0 / 18.0 <= high + slack);
                }
                let far = regrets.judge().exploitability();
                println!("{rule:?} {updates:?}: {far:e}");
                assert!(far < close, "{rule:?} {updates:?}: {far}");
                assert!(envelope.is_sorted_by(|a, b| a > b), "{rule:?} {updates:?}: {envelope:?}");
            }
        }
    }

    #[test]
    fn all_rules_agree_on_random_games() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..20 {
            let game = Random { seed: random.u64(..), length: 6 };
            let form = form(game);
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            for (i, rule) in RULES.into_iter().enumerate() {
                let mut regrets = Regrets::new(&form, rule, UPDATES[i % 2]);
                let far = run(&mut regrets, 1000);
                assert!(far < 0.1, "{game:?} {rule:?}: {far}");
                let bounds = regrets.judge().bounds();
                (low, high) = (low.max(bounds[0]), high.min(bounds[1]));
            }
            assert!(low <= high + 1e-9, "{game:?}: {low}, {high}");
        }
    }

    fn bits(regrets: &Regrets) -> Vec<u64> {
        let mut saved = vec![];
        regrets.save(&mut saved).unwrap();
        let arrays = [regrets.average(), regrets.current()];
        let floats = arrays.iter().flatten().flatten().map(|float| float.to_bits());
        saved.into_iter().map(u64::from).chain(floats).collect()
    }

    #[test]
    fn runs_and_threads_make_no_difference() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut many = 0;
        for _ in 0..30 {
            let form = form(Random { seed: random.u64(..), length: 7 });
            for rule in [Rule::Cfr, Rule::Predictive] {
                let cut = |most: usize| {
                    let pools = [None, None];
                    let mut regrets =
                        Regrets::cut(&form, rule, Updates::Alternating, pools, Some(most));
                    run(&mut regrets, 10);
                    regrets
                };
                let whole = cut(usize::MAX);
                assert!(whole.sides.iter().all(|side| side.runs.runs.len() <= 1));
                let most = random.usize(..4);
                let parts = pool.install(|| cut(most));
                many += parts.sides[0].runs.runs.len();
                assert!(bits(&whole) == bits(&parts), "runs of {most}");
            }
        }
        assert!(many > 100, "{many}");
    }

    #[test]
    fn a_checkpoint_goes_on_with_the_same_numbers() {
        let form = form(Random { seed: 5, length: 6 });
        let other = self::form(Random { seed: 6, length: 6 });
        for (rule, updates) in RULES.into_iter().zip(UPDATES.into_iter().cycle()) {
            let mut regrets = Regrets::new(&form, rule, updates);
            run(&mut regrets, 10);
            let mut saved = vec![];
            regrets.save(&mut saved).unwrap();
            let mut again = Regrets::load(&form, &mut &saved[..]).unwrap();
            assert_eq!((again.rule(), again.iterations()), (rule, 10));
            run(&mut regrets, 7);
            run(&mut again, 7);
            assert!(bits(&regrets) == bits(&again), "{rule:?}");

            assert!(Regrets::load(&other, &mut &saved[..]).is_err());
            assert!(Regrets::load(&form, &mut &saved[..saved.len() - 1]).is_err());
            for at in [0, 17, 25, 33, 41, 60, 90, saved.len() / 2, saved.len() - 1] {
                let mut wrong = saved.clone();
                wrong[at] ^= 4;
                assert!(Regrets::load(&form, &mut &wrong[..]).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn a_bucket_for_each_view_changes_nothing() {
        let form = form(Random { seed: 5, length: 6 });
        let own = form.plexes.each_ref().map(|plex| (0..plex.views() as u32).rev().collect());
        for rule in RULES {
            let mut plain = Regrets::new(&form, rule, Updates::Alternating);
            let mut pooled = Regrets::pooled(&form, rule, Updates::Alternating, &own).unwrap();
            run(&mut plain, 20);
            run(&mut pooled, 20);
            assert!(!pooled.is_abstraction());
            assert!(plain.average() == pooled.average() && plain.current() == pooled.current());
        }
    }

    /// A player who forgets the card can still do something sensible, but no longer the best.
    #[test]
    fn shared_buckets_are_an_abstraction() {
        let form = form(Kuhn);
        let [first, second] = &form.plexes;
        let shared = [vec![0; first.views()], (0..second.views() as u32).collect()];
        let mut pooled =
            Regrets::pooled(&form, Rule::CfrPlus, Updates::Alternating, &shared).unwrap();
        let far = run(&mut pooled, 1000);
        assert!(pooled.is_abstraction() && far > 0.05 && far < 0.5, "{far}");
        let average = &pooled.average()[0];
        assert!((0..first.views()).all(|view| average[first.at(view)] == average[first.at(0)]));
        let mut saved = vec![];
        pooled.save(&mut saved).unwrap();
        assert!(Regrets::load(&form, &mut &saved[..]).is_err());
        let again = Regrets::load_pooled(&form, &shared, &mut &saved[..]).unwrap();
        assert!(bits(&pooled) == bits(&again));
    }

    #[test]
    fn a_start_is_the_first_behaviour() {
        let form = form(Random { seed: 8, length: 6 });
        let mut solved = Regrets::new(&form, Rule::CfrPlus, Updates::Alternating);
        run(&mut solved, 300);
        let [first, second] = solved.average();
        for rule in RULES {
            let mut regrets = Regrets::new(&form, rule, Updates::Alternating);
            run(&mut regrets, 3);
            regrets.start_from([&first, &second], 0.125);
            for (plex, (now, then)) in
                form.plexes.iter().zip(regrets.current().iter().zip([&first, &second]))
            {
                let all = plex.at(0).start..plex.sequences();
                assert!(all.into_iter().all(|s| (now[s] - then[s]).abs() < 1e-12));
            }
            assert!(run(&mut regrets, 1) < solved.judge().exploitability() + 1e-9);
        }
    }

    /// The passes over many views, without payoffs.
    #[test]
    #[ignore = "takes a gigabyte, to be timed"]
    fn many_views() {
        fn grow(plex: &mut Plex, parent: u32, depth: u32) {
            let first = 1 + 2 * plex.parent.len() as u32;
            plex.first.push(first);
            plex.parent.push(parent);
            plex.mind.push(0);
            for kid in 0..if depth > 0 { 4 } else { 0 } {
                grow(plex, first + kid / 2, depth - 1);
            }
        }
        let plexes = [11, 0].map(|depth| {
            let mut plex = Plex { first: vec![], parent: vec![], mind: vec![] };
            grow(&mut plex, 0, depth);
            plex.first.push(1 + 2 * plex.parent.len() as u32);
            plex
        });
        let form = Form::of(plexes, &[]);
        let bytes = Regrets::bytes(&form, Rule::CfrPlus);
        let start = std::time::Instant::now();
        let mut regrets = Regrets::new(&form, Rule::CfrPlus, Updates::Alternating);
        let Runs { runs, top } = &regrets.sides[0].runs;
        let views = form.plexes[0].views();
        println!("{views} views, {bytes} bytes, {} runs under {}", runs.len(), top.len());
        println!("set up in {:?}", start.elapsed());
        for _ in 0..5 {
            let start = std::time::Instant::now();
            regrets.step();
            println!("a step in {:?}", start.elapsed());
        }
    }

    /// What was done, and what was heard, in order.
    type View = Vec<(Option<u32>, Option<String>)>;

    /// One iteration at a time, history by history.
    struct Twin<'g, G> {
        game: &'g G,
        regret: [HashMap<View, Vec<f64>>; 2],
        average: [HashMap<View, Vec<f64>>; 2],
        new: HashMap<View, Vec<f64>>,
    }

    fn add_to(map: &mut HashMap<View, Vec<f64>>, view: &View, mv: usize, many: usize, by: f64) {
        map.entry(view.clone()).or_insert_with(|| vec![0.0; many])[mv] += by;
    }

    impl<G: Hidden> Twin<'_, G> {
        fn mix(&self, p: usize, view: &View, many: usize) -> Vec<f64> {
            let regrets = self.regret[p].get(view).cloned().unwrap_or(vec![0.0; many]);
            let all: f64 = regrets.iter().filter(|&&regret| regret > 0.0).sum();
            let even = 1.0 / many as f64;
            let mixed = |regret: f64| if all > 0.0 { regret.max(0.0) / all } else { even };
            regrets.into_iter().map(mixed).collect()
        }

        /// What a history is worth to a player who learns from it; `reach` is the player's, the other's
        /// and chance's.
        fn walk(
            &mut self,
            at: &G::Position,
            views: &[View; 2],
            reach: [f64; 3],
            player: Player,
            weight: f64,
        ) -> f64 {
            let (game, p) = (self.game, player as usize);
            let mover = match game.turn(at) {
                Turn::Over(payoff) => return player.sign() * payoff,
                Turn::Chance => None,
                Turn::Of(player) => Some(player),
            };
            let moves: Vec<G::Move> = game.moves(at).into_iter().collect();
            let weights: Vec<f64> = moves.iter().map(|&mv| game.weight(at, mv)).collect();
            let all: f64 = weights.iter().sum();
            let mix = match mover {
                None => weights.into_iter().map(|weight| weight / all).collect(),
                Some(mover) => self.mix(mover as usize, &views[mover as usize], moves.len()),
            };
            let who = mover.map_or(2, |mover| usize::from(mover != player));
            let worths: Vec<f64> = (moves.iter().enumerate())
                .map(|(i, &mv)| {
                    let next = Player::BOTH.map(|heard| {
                        let word = game.told(at, mv, heard).map(|word| word.to_string());
                        let own = (mover == Some(heard)).then_some(i as u32);
                        let step = (own.is_some() || word.is_some()).then_some((own, word));
                        views[heard as usize].iter().cloned().chain(step).collect()
                    });
                    let mut reach = reach;
                    reach[who] *= mix[i];
                    self.walk(&game.play(at, mv), &next, reach, player, weight)
                })
                .collect();
            let worth = worths.iter().zip(&mix).map(|(worth, mix)| worth * mix).sum();
            if who == 0 {
                for (i, &of) in worths.iter().enumerate() {
                    let (view, many) = (&views[p], moves.len());
                    add_to(&mut self.new, view, i, many, reach[1] * reach[2] * (of - worth));
                    add_to(&mut self.average[p], view, i, many, weight * reach[0] * mix[i]);
                }
            }
            worth
        }

        /// Adds the new regrets by the definitions; whether none was so near zero that rounding decides.
        fn learn(&mut self, rule: Rule, p: usize, t: f64) -> bool {
            let mut sure = true;
            for (view, new) in self.new.drain() {
                let many = new.len();
                let regrets = self.regret[p].entry(view).or_insert_with(|| vec![0.0; many]);
                for (regret, new) in regrets.iter_mut().zip(new) {
                    match rule {
                        Rule::Linear => *regret += t * new,
                        _ => *regret += new,
                    }
                    sure &= many == 1 || regret.abs() > 1e-3;
                    if rule == Rule::CfrPlus {
                        *regret = regret.max(0.0);
                    }
                }
            }
            sure
        }

        fn step(&mut self, rule: Rule, t: f64) -> bool {
            let weight = if rule == Rule::Cfr { 1.0 } else { t };
            let start = [vec![], vec![]];
            Player::BOTH.into_iter().fold(true, |sure, player| {
                self.walk(&self.game.start(), &start, [1.0; 3], player, weight);
                self.learn(rule, player as usize, t) && sure
            })
        }
    }

    /// Where the sequences of a view begin.
    fn place(minds: &Minds, shape: &crate::hidden::plex::Shape, view: &View) -> usize {
        let (mut mind, mut base) = (0, 1);
        for (mv, word) in view {
            let word = word.as_deref();
            let same = |step: &super::super::states::Step| {
                step.mv == *mv && step.word.map(|word| minds.word(word)) == word
            };
            let kid = minds.kids(mind).iter().position(|kid| same(&kid.step)).unwrap();
            base += shape.offsets[minds.kid_range(mind).start + kid];
            mind = minds.kids(mind)[kid].to;
        }
        base as usize
    }

    /// A random game with payoffs of which hardly two are the same, so that no regret is zero by chance.
    #[derive(Clone, Copy, Debug)]
    struct Rough(Random);

    impl Hidden for Rough {
        type Position = <Random as Hidden>::Position;
        type Move = <Random as Hidden>::Move;
        type Word = <Random as Hidden>::Word;

        fn start(&self) -> Self::Position {
            self.0.start()
        }

        fn turn(&self, at: &Self::Position) -> Turn {
            let mix = |sum: f64, &mv: &u8| (3.7 * sum + 0.61 * f64::from(mv)).fract();
            match self.0.turn(at) {
                Turn::Over(payoff) => Turn::Over(payoff + at.0.iter().fold(0.37, mix)),
                turn => turn,
            }
        }

        fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Move> {
            self.0.moves(at)
        }

        fn play(&self, at: &Self::Position, mv: Self::Move) -> Self::Position {
            self.0.play(at, mv)
        }

        fn weight(&self, at: &Self::Position, mv: Self::Move) -> f64 {
            self.0.weight(at, mv)
        }

        fn told(&self, at: &Self::Position, mv: Self::Move, to: Player) -> Option<Self::Word> {
            self.0.told(at, mv, to)
        }

        fn seen(&self, at: &Self::Position, player: Player) -> String {
            self.0.seen(at, player)
        }
    }

    #[test]
    fn histories_one_by_one_give_the_same() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let (mut random, mut compared) = (fastrand::Rng::with_seed(seed), 0);
        for _ in 0..150 {
            let game = Rough(Random { seed: random.u64(..), length: 5 });
            let setup = Setup::of(game).boxed();
            let laid = laid(&*setup);
            let form = form(game);
            for rule in [Rule::Cfr, Rule::CfrPlus, Rule::Linear] {
                let mut regrets = Regrets::new(&form, rule, Updates::Alternating);
                let (regret, average) = Default::default();
                let mut twin = Twin { game: &game, regret, average, new: HashMap::new() };
                for t in 1..=5 {
                    regrets.step();
                    let sure = twin.step(rule, f64::from(t));
                    let fast = regrets.average();
                    for p in 0..2 {
                        for (view, slow) in &twin.average[p] {
                            let base =
                                place(&laid.tree.states.minds[p], &laid.tree.shapes[p], view);
                            let all: f64 = slow.iter().sum();
                            for (i, slow) in slow.iter().enumerate() {
                                let even = 1.0 / twin.average[p][view].len() as f64;
                                let slow = if all > 0.0 { slow / all } else { even };
                                let fast = fast[p][base + i];
                                let far = (fast - slow).abs();
                                assert!(far < 1e-12, "{game:?}: {fast}, {slow}");
                                // The first behaviour is even whatever the regrets are.
                                compared += i32::from(t > 2);
                            }
                        }
                    }
                    if !sure {
                        break;
                    }
                }
            }
        }
        println!("{compared} compared");
        assert!(compared > 1_000, "{compared}");
    }
}
