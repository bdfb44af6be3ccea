//! What can be reached from the start, with a bit a slot.
//!
//! Where a numbering folds mirror images and the start is its own only image, whatever can be
//! reached can be reached mirrored as well, and one bit stands for the whole orbit. Otherwise each
//! member of an orbit has a bit of its own.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    Slot,
    graph::{Ask, Edge, Graph, Page},
    solve::{Fault, SolveError},
    watch::{Meter, Watch},
};

/// The positions that can be reached from the start.
pub(crate) struct Reached {
    /// By tier; bit `index · stride + member`. `None` stands for all positions.
    tiers: Option<Vec<Vec<AtomicU64>>>,
    stride: u64,
}

impl Reached {
    /// Every position of the numbering.
    pub(crate) fn everything() -> Reached {
        Reached { tiers: None, stride: 1 }
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
                self.follow(graph, tier, &meter, &|_, _| {})?;
            }
        }
        Ok(self)
    }

    /// Bytes that following all moves takes: a bit for all, and one more for the tier at work.
    pub(crate) fn bytes(graph: &dyn Graph) -> u64 {
        let largest = (0..graph.tiers()).map(|tier| graph.len(tier)).max().unwrap_or(0);
        (graph.total() + largest) * stride(graph) / 8
    }

    /// Nothing but the start.
    pub(crate) fn begin(graph: &dyn Graph) -> Result<Reached, SolveError> {
        let (start, stride) = (graph.start(), stride(graph));
        let words = |tier| (graph.len(tier) * stride).div_ceil(64);
        let bits = |tier| (0..words(tier)).map(|_| AtomicU64::new(0)).collect();
        let bits: Vec<Vec<AtomicU64>> = (0..graph.tiers()).map(bits).collect();
        let member = if stride == 1 { Some(0) } else { graph.start_member() };
        if !Walk::new(graph, stride, &bits).mark(0, start, member) {
            return Err(Fault::no_start(graph).into());
        }
        Ok(Reached { tiers: Some(bits), stride })
    }

    /// Follows the moves of everything reached in `tier`; earlier tiers must be done. Where a bit
    /// stands for a whole slot, `visit` is called with the slots as they are met, and what is there.
    pub(crate) fn follow(
        &self,
        graph: &dyn Graph,
        tier: u32,
        meter: &Meter,
        visit: &(dyn Fn(&[u64], &Page) + Sync),
    ) -> Result<(), SolveError> {
        match &self.tiers {
            Some(bits) => Walk::new(graph, self.stride, bits).tier(tier, meter, visit),
            None => Ok(()),
        }
    }

    /// Whether a bit stands for a whole slot, so that [`follow`](Reached::follow) visits.
    pub(crate) fn visits(&self) -> bool {
        self.tiers.is_some() && self.stride == 1
    }

    /// Whether one of the positions that share a slot is reached.
    pub(crate) fn has(&self, slot: Slot, member: u64) -> bool {
        let Some(tiers) = &self.tiers else { return true };
        let bit = if self.stride == 1 { slot.index } else { slot.index * self.stride + member };
        tiers[slot.tier as usize][(bit / 64) as usize].load(Relaxed) >> (bit % 64) & 1 == 1
    }

    /// How many of the positions that share a slot are reached.
    pub(crate) fn members(&self, graph: &dyn Graph, slot: Slot) -> u64 {
        let orbit = || if graph.folds() == 1 { 1 } else { graph.orbit(slot) };
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
fn stride(graph: &dyn Graph) -> u64 {
    let start = graph.start();
    let placed = start.tier < graph.tiers() && start.index < graph.len(start.tier);
    let alone = graph.folds() == 1 || placed && graph.orbit(start) == 1;
    if alone { 1 } else { graph.folds().into() }
}

struct Walk<'a> {
    graph: &'a dyn Graph,
    stride: u64,
    bits: &'a [Vec<AtomicU64>],
    /// How many slots each tier has.
    lens: Vec<u64>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a dyn Graph, stride: u64, bits: &'a [Vec<AtomicU64>]) -> Walk<'a> {
        Walk { graph, stride, bits, lens: (0..graph.tiers()).map(|tier| graph.len(tier)).collect() }
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
            let found: u64 = (bits.par_chunks(64).zip(done.par_chunks(64)).enumerate())
                .map_init(Page::default, |page, (chunk, (bits, done))| {
                    let mut fresh = vec![];
                    for (word, (bits, done)) in bits.iter().zip(done).enumerate() {
                        let new = bits.load(Relaxed) & !done.load(Relaxed);
                        done.fetch_or(new, Relaxed);
                        let first = (chunk * 64 + word) as u64 * 64;
                        fresh.extend(ones(new).map(|bit| first + bit));
                    }
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

fn ones(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(u64::from(bit))
    })
}
