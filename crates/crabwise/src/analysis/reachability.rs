//! What can be reached from the start, with a bit a slot.
//!
//! Where a numbering folds mirror images and all images of the start can be reached from it, whatever
//! can be reached can be reached mirrored as well, and one bit stands for the whole orbit. Otherwise
//! each member of an orbit has a bit of its own.
//!
//! Moves are followed forwards from the start. Once a good part of a tier is reached, and if the game
//! can be played backwards, the question is turned around: each position that is not reached looks for
//! a parent that is, and most find one with their first un-move or two, where following would have
//! looked up every move (S. Beamer, K. Asanović and D. Patterson, "Direction-optimizing
//! breadth-first search", 2012).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    Slot,
    analysis::reachability_kernel::Flow,
    graph::{Ask, Backwards, Edge, Graph, Page, is_marked},
    solve::{Fault, SolveError},
    watch::{Meter, Watch},
};

/// The positions that can be reached from the start.
pub(crate) struct Reached {
    /// By tier; bit `index · stride + member`. `None` stands for all positions.
    tiers: Option<Vec<Vec<AtomicU64>>>,
    stride: u64,
    /// Whether some tier was not followed to its end, so that later ones must look for parents.
    pulled: AtomicBool,
}

impl Reached {
    /// Every position of the numbering.
    pub(crate) fn everything() -> Reached {
        Reached { tiers: None, stride: 1, pulled: AtomicBool::new(false) }
    }

    /// Follows all moves from what is reached.
    pub(crate) fn follow_all(
        self,
        graph: &dyn Graph,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        if self.tiers.is_some() {
            let meter = Meter::new(watch, "following moves", None, None)?;
            for tier in 0..graph.tiers() {
                self.follow(graph, tier, &meter, false, &|_, _| {})?;
            }
        }
        Ok(self)
    }

    /// Bytes that following all moves takes at the most: a bit for all, and one more for the tier at
    /// work.
    pub(crate) fn bytes(graph: &dyn Graph) -> u64 {
        Reached::bytes_of(graph, if alone(graph) { 1 } else { graph.max_orbit().into() })
    }

    /// Bytes that following all moves takes with `stride` bits a slot.
    pub(crate) fn bytes_of(graph: &dyn Graph, stride: u64) -> u64 {
        (graph.total().saturating_add(graph.largest()) / 8).saturating_mul(stride)
    }

    /// What a game says by itself.
    pub(crate) fn told(
        mut flow: Flow,
        graph: &dyn Graph,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        let stride = u64::from(graph.max_orbit());
        let meter = Meter::new(watch, "following moves", None, Some(graph.total()))?;
        let mut tiers = vec![];
        for tier in 0..graph.tiers() {
            flow.enter(tier, &meter)?;
            let len = graph.len(tier);
            let words: Vec<AtomicU64> =
                (0..(len * stride).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
            // Runs of 64 slots fill whole words, however many positions share a slot.
            words.par_chunks(64 * stride as usize).enumerate().try_for_each(|(run, words)| {
                let from = run as u64 * 4096;
                let mut members = vec![0; (len - from).min(4096) as usize];
                flow.members(tier, from, &mut members);
                for (i, &members) in (0..).zip(&members) {
                    for member in ones(members.into()) {
                        let bit: u64 = i * stride + member;
                        words[(bit / 64) as usize].fetch_or(1 << (bit % 64), Relaxed);
                    }
                }
                meter.add(members.len() as u64)
            })?;
            tiers.push(words);
        }
        Ok(Reached { tiers: Some(tiers), stride, pulled: AtomicBool::new(false) })
    }

    /// Nothing but the start.
    pub(crate) fn begin(graph: &dyn Graph) -> Result<Reached, SolveError> {
        let (start, stride) = (graph.start(), stride(graph));
        let words = |tier| (graph.len(tier) * stride).div_ceil(64);
        let bits = |tier| (0..words(tier)).map(|_| AtomicU64::new(0)).collect();
        let bits: Vec<Vec<AtomicU64>> = (0..graph.tiers()).map(bits).collect();
        let member = if stride == 1 { Some(0) } else { graph.start_member() };
        let pulled = AtomicBool::new(false);
        if !Walk::new(graph, stride, &bits, &pulled).mark(0, start, member) {
            return Err(Fault::no_start(graph).into());
        }
        Ok(Reached { tiers: Some(bits), stride, pulled })
    }

    /// Follows the moves of everything reached in `tier`; earlier tiers must be done. Where a bit
    /// stands for a whole slot, `visit` is called with the slots as they are met, and if they are to
    /// be `counted` with how many moves there are.
    pub(crate) fn follow(
        &self,
        graph: &dyn Graph,
        tier: u32,
        meter: &Meter,
        counted: bool,
        visit: &(dyn Fn(&[u64], &Page) + Sync),
    ) -> Result<(), SolveError> {
        let Some(bits) = &self.tiers else { return Ok(()) };
        let walk = Walk { counted, ..Walk::new(graph, self.stride, bits, &self.pulled) };
        walk.tier(tier, meter, visit)
    }

    /// Whether a bit stands for a whole slot, so that [`follow`](Reached::follow) visits.
    pub(crate) fn visits(&self) -> bool {
        self.tiers.is_some() && self.stride == 1
    }

    /// Whether one of the positions that share a slot is reached.
    pub(crate) fn has(&self, slot: Slot, member: u64) -> bool {
        let Some(tiers) = &self.tiers else { return true };
        let index = if self.stride == 1 { slot.index } else { slot.index * self.stride + member };
        is_marked(tiers, Slot { tier: slot.tier, index })
    }

    /// The first of the positions that share a slot that is reached; `None` where they all are or none is.
    pub(crate) fn first(&self, slot: Slot) -> Option<u64> {
        let told_apart = self.tiers.is_some() && self.stride > 1;
        (0..self.stride).filter(|_| told_apart).find(|&member| self.has(slot, member))
    }

    /// Whether a bit that may stand for no position is set.
    pub(crate) fn has_bit(&self, slot: Slot, member: u64) -> bool {
        member < self.stride && self.has(slot, member)
    }

    /// How many of the positions that share a slot are reached.
    pub(crate) fn members(&self, graph: &dyn Graph, slot: Slot) -> u64 {
        let orbit = || if graph.max_orbit() == 1 { 1 } else { graph.orbit_size(slot) };
        if self.tiers.is_none() {
            orbit()
        } else if self.stride == 1 {
            if self.has(slot, 0) { orbit() } else { 0 }
        } else {
            (0..self.stride).filter(|&member| self.has(slot, member)).count() as u64
        }
    }
}

/// How many bits a slot has.
pub(crate) fn stride(graph: &dyn Graph) -> u64 {
    let alone = alone(graph)
        || placed(graph, graph.start()) && graph.backwards().is_some_and(|game| game.mirrored());
    if alone { 1 } else { graph.max_orbit().into() }
}

/// Whether the start is its only mirror image, so that one bit a slot will do.
fn alone(graph: &dyn Graph) -> bool {
    let start = graph.start();
    // A start without images is its own image under all symmetries only where slots have them all.
    let symmetric =
        || placed(graph, start) && graph.merges_orbits() && graph.orbit_size(start) == 1;
    graph.max_orbit() == 1 || symmetric()
}

fn placed(graph: &dyn Graph, slot: Slot) -> bool {
    slot.tier < graph.tiers() && slot.index < graph.len(slot.tier)
}

/// Tiers of no more slots than this are followed forwards only.
const SMALL: u64 = if cfg!(test) { 16 } else { 1 << 16 };

/// Words of bits that a thread takes at a time.
const RUN: usize = 64;

struct Walk<'a> {
    graph: &'a dyn Graph,
    stride: u64,
    bits: &'a [Vec<AtomicU64>],
    /// How many slots each tier has.
    lens: Vec<u64>,
    /// Where a bit stands for a slot, the way to look for parents.
    backwards: Option<&'a dyn Backwards>,
    pulled: &'a AtomicBool,
    /// Whether those who visit want the moves to be counted.
    counted: bool,
}

impl<'a> Walk<'a> {
    fn new(
        graph: &'a dyn Graph,
        stride: u64,
        bits: &'a [Vec<AtomicU64>],
        pulled: &'a AtomicBool,
    ) -> Walk<'a> {
        let lens = (0..graph.tiers()).map(|tier| graph.len(tier)).collect();
        let backwards = graph.backwards().filter(|_| stride == 1);
        Walk { graph, stride, bits, lens, backwards, pulled, counted: true }
    }
}

impl Walk<'_> {
    /// Follows the moves of everything marked in `tier`, again and again while that marks more
    /// inside the tier itself.
    fn tier(
        &self,
        tier: u32,
        meter: &Meter,
        visit: &(dyn Fn(&[u64], &Page) + Sync),
    ) -> Result<(), SolveError> {
        let bits = &self.bits[tier as usize];
        let done: Vec<AtomicU64> = (0..bits.len()).map(|_| AtomicU64::new(0)).collect();
        loop {
            let marked = |bits: &AtomicU64| u64::from(bits.load(Relaxed).count_ones());
            let met: u64 = bits.par_iter().map(marked).sum();
            if let Some(backwards) = self.backwards.filter(|_| self.pulls(tier, met)) {
                return self.pull(backwards, tier, &done, meter, visit);
            }
            let found: u64 = (bits.par_chunks(64).zip(done.par_chunks(64)).enumerate())
                .map_init(Page::default, |page, (chunk, (bits, done))| {
                    let fresh = fresh(chunk, bits, done);
                    self.expand(tier, &fresh, page)?;
                    if self.stride == 1 {
                        visit(&fresh, page);
                    }
                    meter.add(fresh.len() as u64)?;
                    Ok(fresh.len() as u64)
                })
                .try_reduce(|| 0, |a, b| Ok::<_, SolveError>(a + b))?;
            if found == 0 || !self.graph.loopy(tier) {
                return Ok(());
            }
        }
    }

    /// Whether it is time to look for parents instead of children. In later tiers it is at once,
    /// because what an earlier tier found in this way has told nobody.
    fn pulls(&self, tier: u32, met: u64) -> bool {
        let len = self.lens[tier as usize];
        self.pulled.load(Relaxed) || len > SMALL && met > len / 64
    }

    /// Lets every position that is not reached look for a parent that is, until none finds one.
    fn pull(
        &self,
        backwards: &dyn Backwards,
        tier: u32,
        done: &[AtomicU64],
        meter: &Meter,
        visit: &(dyn Fn(&[u64], &Page) + Sync),
    ) -> Result<(), SolveError> {
        self.pulled.store(true, Relaxed);
        let (bits, len) = (&self.bits[tier as usize], self.lens[tier as usize]);
        let waiting = |word: usize| bits[word].load(Relaxed) & !done[word].load(Relaxed);
        let waiting = (0..bits.len()).into_par_iter().map(|word| waiting(word).count_ones());
        meter.add(waiting.map(u64::from).sum())?;
        // A slot for ends without a board has no parents to be found.
        while !self.graph.boardless(tier) {
            let pull = |word: usize| {
                let first = word as u64 * 64;
                let there = u64::MAX >> 64_u64.saturating_sub(len - first).min(63);
                let left = !bits[word].load(Relaxed) & there;
                let new = if left == 0 { 0 } else { backwards.pull(tier, first, left, self.bits) };
                bits[word].fetch_or(new, Relaxed);
                u64::from(new.count_ones())
            };
            let runs = (0..bits.len()).into_par_iter().step_by(RUN).map(|from| {
                let found = (from..(from + RUN).min(bits.len())).map(pull).sum();
                meter.add(found).map(|()| found)
            });
            if runs.try_reduce(|| 0, |a, b| Ok(a + b))? == 0 {
                break;
            }
        }
        self.visit_rest(tier, done, visit);
        Ok(())
    }

    /// Visits what was reached without being followed.
    fn visit_rest(&self, tier: u32, done: &[AtomicU64], visit: &(dyn Fn(&[u64], &Page) + Sync)) {
        let bits = &self.bits[tier as usize];
        (bits.par_chunks(64).zip(done.par_chunks(64)).enumerate()).for_each_init(
            Page::default,
            |page, (chunk, (bits, done))| {
                let fresh = fresh(chunk, bits, done);
                page.nodes.clear();
                page.edges.clear();
                if self.counted {
                    self.graph.scan(tier, &fresh, Ask::Count, page);
                }
                visit(&fresh, page);
            },
        );
    }

    fn boardless(&self, slot: Slot) -> bool {
        slot.tier < self.graph.tiers() && self.graph.boardless(slot.tier)
    }

    fn expand(&self, tier: u32, fresh: &[u64], page: &mut Page) -> Result<(), SolveError> {
        if self.stride > 1 {
            return self.expand_members(tier, fresh);
        }
        self.graph.scan(tier, fresh, Ask::All, page);
        for (&index, (_, edges)) in fresh.iter().zip(page.iter()) {
            let astray = |edge: &Edge| !self.mark(tier, edge.to, Some(0));
            if let Some(nth) = edges.iter().position(astray) {
                let slot = Slot { tier, index };
                return Err(Fault::astray(self.graph, slot, nth, edges[nth].to).into());
            }
        }
        Ok(())
    }

    fn expand_members(&self, tier: u32, fresh: &[u64]) -> Result<(), SolveError> {
        let mut children = vec![];
        for bit in fresh {
            let slot = Slot { tier, index: bit / self.stride };
            children.clear();
            self.graph.members(slot, bit % self.stride, &mut children);
            // An end without a board is nobody's member, and not counted.
            children.retain(|&(to, member)| member.is_some() || !self.boardless(to));
            let astray = |&(to, member): &(Slot, Option<u64>)| !self.mark(tier, to, member);
            if let Some(nth) = children.iter().position(astray) {
                return Err(Fault::astray(self.graph, slot, nth, children[nth].0).into());
            }
        }
        Ok(())
    }

    /// Marks a position reached from `tier`; `false` when the numbering has no place for it.
    fn mark(&self, tier: u32, slot: Slot, member: Option<u64>) -> bool {
        if slot.tier < tier || self.lens.get(slot.tier as usize).is_none_or(|l| slot.index >= *l) {
            return false;
        }
        let words = self.bits.get(slot.tier as usize);
        let bit =
            member.and_then(|member| slot.index.checked_mul(self.stride)?.checked_add(member));
        let Some((words, bit)) = words.zip(bit) else { return false };
        let Some(word) = words.get((bit / 64) as usize) else { return false };
        // Most marks are there already, and reading is cheaper than writing.
        if word.load(Relaxed) >> (bit % 64) & 1 == 0 {
            word.fetch_or(1 << (bit % 64), Relaxed);
        }
        true
    }
}

/// The bits of a chunk of 64 words that are set and not done, and are done from now on.
fn fresh(chunk: usize, bits: &[AtomicU64], done: &[AtomicU64]) -> Vec<u64> {
    let mut fresh = vec![];
    for (word, (bits, done)) in bits.iter().zip(done).enumerate() {
        let new = bits.load(Relaxed) & !done.load(Relaxed);
        done.fetch_or(new, Relaxed);
        let first = (chunk * 64 + word) as u64 * 64;
        fresh.extend(ones(new).map(|bit| first + bit));
    }
    fresh
}

/// The bits that are set in a word.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(u64::from(bit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Index,
        graph::{Reversal, View, reversed},
        graphs::{self, Vertices},
        watch::Unwatched,
    };

    /// Tiers of equal size; moves stay in a tier or lead to a later one.
    fn random(seed: u64) -> graphs::Graph {
        let mut random = fastrand::Rng::with_seed(seed);
        let (tiers, size) = (random.u32(1..4), random.u32(1..200));
        let total = tiers * size;
        let moves = (0..total).map(|v| {
            let first = v / size * size;
            (0..random.u32(0..4)).map(|_| random.u32(first..total)).collect()
        });
        graphs::Graph::of(moves.collect(), |v| v / size)
    }

    #[test]
    fn looking_for_parents_finds_what_following_finds() {
        let (mut pulled, mut missed) = (0, 0);
        for seed in 0..2000 {
            let game = random(seed);
            let index = Vertices::of(&game, true);
            let reached = |unplay: Option<Reversal<graphs::Graph, Vertices>>| {
                let view = View { game: &game, index: &index, unplay };
                let reached = Reached::begin(&view).unwrap().follow_all(&view, &Unwatched).unwrap();
                let slots = (0..game.moves.len() as u32).map(|v| index.slot(&v));
                let found: Vec<bool> = slots.map(|slot| reached.has(slot, 0)).collect();
                (found, reached.pulled.into_inner())
            };
            let (forwards, never) = reached(None);
            let (backwards, ever) = reached(Some(reversed));
            assert_eq!(forwards, backwards, "seed {seed}");
            assert!(!never);
            pulled += u32::from(ever);
            missed += u32::from(ever && forwards.contains(&false));
        }
        assert!(pulled > 500 && missed > 500, "{pulled} pulled, {missed} of them not all");
    }
}
