//! Passes over a treeplex by several threads.
//!
//! A treeplex is cut once into *runs* of information sets that have no sequence in common and into the few sets
//! above them, and the runs are passed over at the same time. Where it is cut makes no difference to any sum, so
//! that numbers do not depend on it, nor on threads.

use std::ops::Range;

use super::{add, part, regretted, share, total};
use crate::sequence_form::Treeplex;

/// Works out the reach of the moves at an information set.
pub(super) fn forward_set(lead: &[f64], before: f64, reach: &mut [f64]) {
    let (total, even) = (total(lead), 1.0 / lead.len() as f64);
    for (reach, &lead) in reach.iter_mut().zip(lead) {
        *reach = before * share(lead, total, even);
    }
}

/// Adds the regrets of the moves at an information set, and gives back what it is worth.
pub(super) fn backward_set(
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

/// Passes over a run, whose own parts of the arrays these are, and gives back what it is worth to sequences above it.
pub(super) fn backward_run(
    plex: &Treeplex,
    run: Range<usize>,
    gradient: &mut [f64],
    regret: &mut [f64],
    aim: &mut [f64],
    fade: [f64; 2],
) -> Vec<(usize, f64)> {
    let first = plex.at(run.start).start;
    let mut roots = vec![];
    for info_set in run.rev() {
        let at = plex.at(info_set);
        let own = at.start - first..at.end - first;
        let worth = backward_set(own, gradient, regret, aim, fade);
        let parent = plex.parent(info_set);
        match parent.checked_sub(first) {
            Some(inside) => gradient[inside] += worth,
            None => roots.push((parent, worth)),
        }
    }
    roots
}

/// A treeplex in parts: runs of information sets such that what leads to an information set of a run is in the run
/// or above all runs, and the information sets above.
pub(super) struct Runs {
    pub runs: Vec<Range<usize>>,
    pub top: Vec<u32>,
}

/// About how many runs are made.
const PARTS: usize = 64;

/// A run of fewer information sets is not worth a thread.
const LEAST: usize = 1024;

/// The parts of an array that belong to runs, and those between with where they begin.
pub(super) type Split<'a> = (Vec<&'a mut [f64]>, Vec<(usize, &'a mut [f64])>);

impl Runs {
    /// Runs of at most `most` information sets.
    pub fn new(plex: &Treeplex, most: Option<usize>) -> Runs {
        let most = most.unwrap_or(LEAST.max(plex.info_sets() / PARTS));
        let ends = ends(plex);
        let (mut runs, mut top, mut info_set) = (Vec::<Range<usize>>::new(), vec![], 0);
        while info_set < plex.info_sets() {
            let end = ends[info_set] as usize;
            match runs.last_mut() {
                Some(run) if run.end == info_set && end - run.start <= most => run.end = end,
                _ if end - info_set <= most => runs.push(info_set..end),
                _ => {
                    top.push(info_set as u32);
                    info_set += 1;
                    continue;
                }
            }
            info_set = end;
        }
        Runs { runs, top }
    }

    pub fn split<'a>(&self, plex: &Treeplex, array: &'a mut [f64]) -> Split<'a> {
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

/// For each information set the end of the shortest run that begins there and has all that follows from each of its
/// sets. Of two such runs one contains the other, or they have nothing in common.
fn ends(plex: &Treeplex) -> Vec<u32> {
    let mut owner = vec![u32::MAX; plex.sequences()];
    for info_set in 0..plex.info_sets() {
        owner[plex.at(info_set)].fill(info_set as u32);
    }
    let mut ends: Vec<u32> = (1..=plex.info_sets() as u32).collect();
    for info_set in (0..plex.info_sets()).rev() {
        let (mut next, mut end) = (info_set as u32 + 1, ends[info_set]);
        while next < end {
            next = ends[next as usize];
            end = end.max(next);
        }
        ends[info_set] = end;
        if let Some(before) = ends.get_mut(owner[plex.parent(info_set)] as usize) {
            *before = end.max(*before);
        }
    }
    ends
}
