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
    graph::{Ask, Backwards, Graph, Node, Page, is_marked},
    solve::{Fault, SolveError},
    watch::{Meter, Watch},
};

/// The positions that can be reached from the start.
pub(crate) struct Reached {
    /// By tier; bit `index · stride + member`. `None` stands for all positions.
    tiers: Option<Vec<Vec<AtomicU64>>>,
    /// The slots that the bits of each tier begin with, where these are not all of them.
    firsts: Vec<u64>,
    stride: u64,
    /// Whether some tier was not followed to its end, so that later ones must look for parents.
    pulled: AtomicBool,
}

impl Reached {
    /// Every position of the numbering.
    pub(crate) fn everything() -> Reached {
        Reached::of(None, 1)
    }

    fn of(tiers: Option<Vec<Vec<AtomicU64>>>, stride: u64) -> Reached {
        Reached { tiers, firsts: vec![], stride, pulled: AtomicBool::new(false) }
    }

    /// Some slots of each tier, none of them reached yet, and no bits either: [`put`](Reached::put) makes room.
    pub(crate) fn part(stride: u64, firsts: Vec<u64>) -> Reached {
        let none = firsts.iter().map(|_| vec![]).collect();
        Reached { firsts, ..Reached::of(Some(none), stride) }
    }

    /// Follows all moves from what is reached.
    pub(crate) fn follow_all(
        self,
        graph: &dyn Graph,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        let meter = Meter::new(watch, "following moves", None, None)?;
        for tier in 0..graph.tiers() {
            self.follow(graph, tier, &meter, false)?;
        }
        Ok(self)
    }

    /// Bytes that following all moves takes with `stride` bits a slot: for all, and once more for the tier at work.
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
        Ok(Reached::of(Some(tiers), stride))
    }

    /// Marks one of the `len` slots that are here of a tier, or one of the positions that share it.
    pub(crate) fn put(&mut self, mark: Slot, len: u64) {
        let (Some(tiers), tier) = (&mut self.tiers, mark.tier as usize) else { return };
        let words = &mut tiers[tier];
        words.resize_with((len * self.stride).div_ceil(64) as usize, AtomicU64::default);
        let bit = mark.index - self.firsts[tier] * self.stride;
        *words[(bit / 64) as usize].get_mut() |= 1 << (bit % 64);
    }

    /// The bits of a tier; none where none is set.
    pub(crate) fn bits(&self, tier: u32) -> &[AtomicU64] {
        self.tiers.as_ref().map_or(&[], |tiers| &tiers[tier as usize])
    }

    /// Forgets the bits of a tier.
    pub(crate) fn forget(&mut self, tier: u32) {
        if let Some(tiers) = &mut self.tiers {
            tiers[tier as usize] = vec![];
        }
    }

    /// Nothing but the start.
    pub(crate) fn begin(graph: &dyn Graph) -> Result<Reached, SolveError> {
        let stride = stride(graph);
        let start = Marking::new(graph, stride).start()?;
        let words = |tier| (graph.len(tier) * stride).div_ceil(64);
        let bits = |tier| (0..words(tier)).map(|_| AtomicU64::new(0)).collect();
        let bits: Vec<Vec<AtomicU64>> = (0..graph.tiers()).map(bits).collect();
        bits[start.tier as usize][(start.index / 64) as usize]
            .store(1 << (start.index % 64), Relaxed);
        Ok(Reached::of(Some(bits), stride))
    }

    /// Follows the moves of everything reached in `tier`; earlier tiers must be done. Where a bit stands for a whole
    /// slot, and if that is `wanted`, tells what was seen.
    pub(crate) fn follow(
        &self,
        graph: &dyn Graph,
        tier: u32,
        meter: &Meter,
        wanted: bool,
    ) -> Result<Option<Seen>, SolveError> {
        let Some(tiers) = self.tiers.as_ref().filter(|_| !graph.boardless(tier)) else {
            return Ok(None);
        };
        let (marking, counted) = (Marking::new(graph, self.stride), wanted && self.stride == 1);
        let done = tiers[tier as usize].iter().map(|_| AtomicU64::new(0)).collect();
        let walk = Walk { marking, tier, tiers, done, pulled: &self.pulled, counted, meter };
        Ok(Some(walk.run()?).filter(|_| counted))
    }

    /// Whether one of the positions that share a slot is reached.
    pub(crate) fn has(&self, slot: Slot, member: u64) -> bool {
        let Some(tiers) = &self.tiers else { return true };
        let index = slot.index - self.firsts.get(slot.tier as usize).unwrap_or(&0);
        let index = if self.stride == 1 { index } else { index * self.stride + member };
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
        if self.tiers.is_none() || self.stride == 1 {
            if self.has(slot, 0) { orbit_size(graph, slot) } else { 0 }
        } else {
            (0..self.stride).filter(|&member| self.has(slot, member)).count() as u64
        }
    }
}

fn orbit_size(graph: &dyn Graph, slot: Slot) -> u64 {
    if graph.max_orbit() == 1 { 1 } else { graph.orbit_size(slot) }
}

/// How many bits a slot has.
pub(crate) fn stride(graph: &dyn Graph) -> u64 {
    let mirrored = || graph.backwards().is_some_and(|game| game.mirrored());
    match bits_at_most(graph) {
        2.. if placed(graph, graph.start()) && mirrored() => 1,
        most => most,
    }
}

/// How many bits a slot has at the most, as far as can be told at once: one will do where the start is its only mirror
/// image.
pub(crate) fn bits_at_most(graph: &dyn Graph) -> u64 {
    let start = graph.start();
    // A start without images is its own image under all symmetries only where slots have them all.
    let symmetric =
        || placed(graph, start) && graph.merges_orbits() && graph.orbit_size(start) == 1;
    if graph.max_orbit() == 1 || symmetric() { 1 } else { graph.max_orbit().into() }
}

fn placed(graph: &dyn Graph, slot: Slot) -> bool {
    slot.tier < graph.tiers() && slot.index < graph.len(slot.tier)
}

/// Tiers of no more slots than this are followed forwards only.
const SMALL: u64 = if cfg!(test) { 16 } else { 1 << 16 };

/// Words of bits that a thread takes at a time.
pub(crate) const CHUNK: usize = 64;

/// A tier whose moves are being followed.
struct Walk<'a> {
    marking: Marking<'a>,
    tier: u32,
    tiers: &'a [Vec<AtomicU64>],
    /// What is followed already.
    done: Vec<AtomicU64>,
    pulled: &'a AtomicBool,
    /// Whether it is wanted what there is to be seen.
    counted: bool,
    meter: &'a Meter<'a>,
}

/// What was seen of positions while their moves were followed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    marks: u64,
    /// Their moves.
    pub(crate) moves: u64,
    /// Those that are over, and the slots that these are in.
    pub(crate) ends: u64,
    pub(crate) end_slots: u64,
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        Seen {
            marks: self.marks + other.marks,
            moves: self.moves + other.moves,
            ends: self.ends + other.ends,
            end_slots: self.end_slots + other.end_slots,
        }
    }
}

impl Walk<'_> {
    fn bits(&self) -> &[AtomicU64] {
        &self.tiers[self.tier as usize]
    }

    /// Follows the moves of everything marked in the tier, again and again while that marks more
    /// inside the tier itself.
    fn run(&self) -> Result<Seen, SolveError> {
        let Marking { graph, stride, .. } = self.marking;
        let (backwards, mut seen) = (graph.backwards().filter(|_| stride == 1), Seen::default());
        loop {
            let marked = |bits: &AtomicU64| u64::from(bits.load(Relaxed).count_ones());
            let met: u64 = self.bits().par_iter().map(marked).sum();
            if let Some(backwards) = backwards.filter(|_| self.pulls(met)) {
                return Ok(seen.and(self.pull(backwards)?));
            }
            let more = self.each_fresh(|fresh, page| {
                self.expand(fresh, page)?;
                Ok(self.meter.add(fresh.len() as u64)?)
            })?;
            seen = seen.and(more);
            if more.marks == 0 || !graph.loopy(self.tier) {
                return Ok(seen);
            }
        }
    }

    /// What was marked and not followed is followed from now on.
    fn each_fresh(
        &self,
        each: impl Fn(&[u64], &mut Page) -> Result<(), SolveError> + Sync,
    ) -> Result<Seen, SolveError> {
        let each = |page: &mut Page, (chunk, (bits, done))| {
            let fresh = fresh(chunk, bits, done);
            each(&fresh, page).map(|()| self.see(&fresh, page))
        };
        (self.bits().par_chunks(CHUNK).zip(self.done.par_chunks(CHUNK)).enumerate())
            .map_init(Page::default, each)
            .try_reduce(Seen::default, |a, b| Ok(a.and(b)))
    }

    fn see(&self, fresh: &[u64], page: &Page) -> Seen {
        let mut seen = Seen { marks: fresh.len() as u64, ..Seen::default() };
        let nodes = if self.counted { &page.nodes[..] } else { &[] };
        for (&index, node) in fresh.iter().zip(nodes) {
            let members = orbit_size(self.marking.graph, Slot { tier: self.tier, index });
            match node {
                Node::Open(moves) => seen.moves += u64::from(*moves) * members,
                Node::Over(_) => {
                    seen.ends += members;
                    seen.end_slots += u64::from(members > 0);
                }
                Node::Hole => {}
            }
        }
        seen
    }

    /// Whether it is time to look for parents instead of children. In later tiers it is at once,
    /// because what an earlier tier found in this way has told nobody.
    fn pulls(&self, met: u64) -> bool {
        let len = self.marking.lens[self.tier as usize];
        self.pulled.load(Relaxed) || len > SMALL && met > len / 64
    }

    /// Lets every position that is not reached look for a parent that is, until none finds one. Then looks at what was
    /// reached without being followed.
    fn pull(&self, backwards: &dyn Backwards) -> Result<Seen, SolveError> {
        self.pulled.store(true, Relaxed);
        let (graph, tier, bits) = (self.marking.graph, self.tier, self.bits());
        let len = self.marking.lens[tier as usize];
        let waiting = |word: usize| bits[word].load(Relaxed) & !self.done[word].load(Relaxed);
        let waiting = (0..bits.len()).into_par_iter().map(|word| waiting(word).count_ones());
        self.meter.add(waiting.map(u64::from).sum())?;
        loop {
            let pull = |word: usize| {
                let first = word as u64 * 64;
                let there = u64::MAX >> 64_u64.saturating_sub(len - first).min(63);
                let left = !bits[word].load(Relaxed) & there;
                let new = if left == 0 { 0 } else { backwards.pull(tier, first, left, self.tiers) };
                bits[word].fetch_or(new, Relaxed);
                u64::from(new.count_ones())
            };
            let runs = (0..bits.len()).into_par_iter().step_by(CHUNK).map(|from| {
                let found = (from..(from + CHUNK).min(bits.len())).map(pull).sum();
                self.meter.add(found).map(|()| found)
            });
            if runs.try_reduce(|| 0, |a, b| Ok(a + b))? == 0 {
                break;
            }
        }
        self.each_fresh(|fresh, page| {
            if self.counted {
                graph.scan(tier, fresh, Ask::Count, page);
            }
            Ok(())
        })
    }

    /// Marks where the moves of what is marked lead.
    fn expand(&self, fresh: &[u64], page: &mut Page) -> Result<(), SolveError> {
        self.marking.follow(self.tier, fresh, page, |mark| {
            let word = &self.tiers[mark.tier as usize][(mark.index / 64) as usize];
            // Most marks are there already, and reading is cheaper than writing.
            if word.load(Relaxed) >> (mark.index % 64) & 1 == 0 {
                word.fetch_or(1 << (mark.index % 64), Relaxed);
            }
        })
    }
}

/// What a mark stands for: a slot, or one of the positions that share it. The index of a mark is its bit, counted
/// through the whole tier.
pub(crate) struct Marking<'a> {
    graph: &'a dyn Graph,
    /// Bits a slot.
    pub(crate) stride: u64,
    /// How many slots each tier has.
    lens: Vec<u64>,
}

impl<'a> Marking<'a> {
    pub(crate) fn new(graph: &'a dyn Graph, stride: u64) -> Marking<'a> {
        Marking { graph, stride, lens: (0..graph.tiers()).map(|tier| graph.len(tier)).collect() }
    }

    /// The mark of the start.
    pub(crate) fn start(&self) -> Result<Slot, Fault> {
        let member = if self.stride == 1 { Some(0) } else { self.graph.start_member() };
        self.mark(0, self.graph.start(), member).ok_or_else(|| Fault::no_start(self.graph))
    }

    /// The mark of a position that is reached from `tier`; `None` where the numbering has no place for it.
    #[inline]
    fn mark(&self, tier: u32, slot: Slot, member: Option<u64>) -> Option<Slot> {
        let len = *self.lens.get(slot.tier as usize)?;
        let member = member.filter(|member| *member < self.stride)?;
        let there = slot.tier >= tier && slot.index < len;
        there.then_some(Slot { index: slot.index * self.stride + member, ..slot })
    }

    /// Tells where the moves of some marks of a tier lead. Where a mark stands for a slot, the page has the answers.
    #[inline]
    pub(crate) fn follow(
        &self,
        tier: u32,
        marks: &[u64],
        page: &mut Page,
        mut tell: impl FnMut(Slot),
    ) -> Result<(), SolveError> {
        let graph = self.graph;
        let mut to = |from: u64, nth: usize, to: Slot, member: Option<u64>| {
            let slot = Slot { tier, index: from / self.stride };
            let mark = self.mark(tier, to, member);
            mark.map(&mut tell).ok_or_else(|| Fault::astray(graph, slot, nth, to))
        };
        if self.stride == 1 {
            graph.scan(tier, marks, Ask::All, page);
            for (&from, (_, edges)) in marks.iter().zip(page.iter()) {
                for (nth, edge) in edges.iter().enumerate() {
                    to(from, nth, edge.to, Some(0))?;
                }
            }
            return Ok(());
        }
        let boardless = |slot: &Slot| slot.tier < graph.tiers() && graph.boardless(slot.tier);
        let mut children = vec![];
        for &from in marks {
            children.clear();
            let slot = Slot { tier, index: from / self.stride };
            graph.members(slot, from % self.stride, &mut children);
            // An end without a board is nobody's member, and not counted.
            children.retain(|(to, member)| member.is_some() || !boardless(to));
            for (nth, &(child, member)) in children.iter().enumerate() {
                to(from, nth, child, member)?;
            }
        }
        Ok(())
    }
}

/// The bits of a chunk of words that are set and not done, and are done from now on.
pub(crate) fn fresh(chunk: usize, bits: &[AtomicU64], done: &[AtomicU64]) -> Vec<u64> {
    let mut fresh = vec![];
    for (word, (bits, done)) in bits.iter().zip(done).enumerate() {
        let new = bits.load(Relaxed) & !done.load(Relaxed);
        done.fetch_or(new, Relaxed);
        let first = (chunk * CHUNK + word) as u64 * 64;
        fresh.extend(ones(new).map(|bit| first + bit));
    }
    fresh
}

/// The bits that are set in a word.
fn ones(mut word: u64) -> impl Iterator<Item = u64> {
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
                let view = View { unplay, ..View::plain(&game, &index) };
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
