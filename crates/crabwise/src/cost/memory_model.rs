//! How much memory solving and counting take: of one process alone, and of each of many.
//!
//! While a tier is solved, the later tiers that its moves or those of earlier ones lead to are there, and its own
//! work is. Many processes have later tiers and marks of what can be reached whole in each, or share them.

use crate::{
    analysis::{reachability::Reached, reachability_kernel::Flow},
    erased::ErasedGame,
    graph::{Ask, Graph, Page},
    solve::{communicator::Topology, distributed::Need, reverse::width},
};

/// A tier, as far as it was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct TierSample {
    /// How many slots it has.
    pub slots: u64,
    /// Whether moves stay inside.
    pub loopy: bool,
    /// The last tier that moves lead to.
    pub reach: u32,
    /// Moves a slot.
    pub moves: f64,
    /// Moves a slot that stay inside the tier.
    pub inner: f64,
    /// Seconds a slot, by the solver that would be taken.
    pub seconds: f64,
    /// Seconds of the sweep by the rules, where a kernel cannot do it.
    pub plain: f64,
}

impl TierSample {
    /// What is known of a tier without looking at its positions.
    pub(crate) fn unseen(graph: &dyn Graph, tier: u32) -> TierSample {
        let (slots, loopy) = (graph.len(tier), graph.loopy(tier));
        let reach = graph.last_child_tier(tier).max(tier);
        TierSample { slots, loopy, reach, ..TierSample::default() }
    }
}

/// What of a game decides how much memory it takes.
#[derive(Clone, Copy, Default)]
pub(crate) struct MemoryModel<'a> {
    pub(crate) tiers: &'a [TierSample],
    /// Whether moves inside a tier are recorded, because they cannot be played backwards.
    pub(crate) recorded: bool,
    pub(crate) outcomes: bool,
    /// Bytes of the numbering.
    pub(crate) numbering: u64,
    /// Bytes of marks of what can be reached, where they are whole.
    pub(crate) marks: u64,
    /// Bits a slot, where these marks are in parts.
    pub(crate) mark_bits: u64,
}

/// Bytes that a worker needs for a round of moves, questions or letters.
const ROUND: u64 = if cfg!(test) { 0 } else { 12 << 20 };
/// The program itself, where it works with others.
const OVERHEAD: u64 = if cfg!(test) { 0 } else { 16 << 20 };
/// Bytes that a recorded move takes for a worker among others, while it is being recorded.
const EDGE: f64 = 10.0;
/// Bytes that a slot of a tier with loops takes there: count, value, and its place in lists.
const LOOPY: u64 = 8;
/// How much whole marks weigh: in tests so much that they are often in parts.
const WEIGHT: u64 = if cfg!(test) { 40 } else { 1 };
/// Pieces of memory below this size are not given back to the system at once.
const SMALL: u64 = 32 << 20;

/// The tiers of a game, with the moves that have to be recorded: `children` a slot, or what some slots have.
pub(crate) fn measure(graph: &dyn Graph, children: Option<f64>) -> Vec<TierSample> {
    let tier = |tier| {
        let unseen = TierSample::unseen(graph, tier);
        let recorded = unseen.loopy && graph.backwards().is_none();
        let inner = || children.unwrap_or_else(|| sample_children(graph, tier));
        TierSample { inner: if recorded { inner() } else { 0.0 }, ..unseen }
    };
    (0..graph.tiers()).map(tier).collect()
}

/// The average number of children inside the tier, over an evenly spaced sample of slots.
fn sample_children(graph: &dyn Graph, tier: u32) -> f64 {
    let len = graph.len(tier);
    let sample = len.min(4096);
    let spread = |i: u64| (u128::from(i) * u128::from(len) / u128::from(sample)) as u64;
    let slots: Vec<u64> = (0..sample).map(spread).collect();
    let mut page = Page::default();
    graph.scan(tier, &slots, Ask::All, &mut page);
    let inside = page.edges.iter().filter(|edge| edge.to.tier == tier).count();
    inside as f64 / sample.max(1) as f64
}

impl ErasedGame {
    /// Bytes of marks while what can be reached is counted: `bits` bits a slot, unless the game tells by itself;
    /// and of the values of the tier at work.
    pub(crate) fn mark_bytes(
        &self,
        graph: &dyn Graph,
        walked: bool,
        bits: u64,
        values: &dyn Fn(u32) -> u64,
    ) -> u64 {
        match &self.abilities.spread {
            // A walk finds what can be reached, and nothing else.
            _ if walked || self.abilities.listed => 0,
            Some(spread) => Flow::peak(&**spread, graph.tiers(), values),
            None => {
                let values = (0..graph.tiers()).map(values).max().unwrap_or(0);
                Reached::bytes_of(graph, bits).saturating_add(values)
            }
        }
    }
}

impl MemoryModel<'_> {
    /// Bytes that the values of a tier take: one each, or two bits.
    pub(crate) fn values(&self, slots: u64) -> u64 {
        if self.outcomes { slots.div_ceil(64) * 16 } else { slots }
    }

    /// The tiers after one that are there while it is at work.
    fn later(&self, tier: usize) -> &[TierSample] {
        let reach = self.tiers[..=tier].iter().map(|tier| tier.reach as usize).max().unwrap_or(0);
        &self.tiers[tier + 1..(reach + 1).clamp(tier + 1, self.tiers.len())]
    }

    fn later_values(&self, tier: usize) -> u64 {
        let values = self.later(tier).iter().map(|later| self.values(later.slots));
        values.fold(0, u64::saturating_add)
    }

    /// The most that some of the first `left` tiers take.
    fn most(&self, left: usize, bytes: impl Fn(usize, &TierSample) -> u64) -> u64 {
        let each = self.tiers.iter().enumerate().take(left).map(|(i, tier)| bytes(i, tier));
        each.max().unwrap_or(0)
    }

    /// Bytes that solving takes of a process that has all for itself, beside the numbering.
    pub(crate) fn alone(&self) -> u64 {
        self.most(self.tiers.len(), |i, tier| {
            let values = self.later_values(i) + self.values(tier.slots);
            let len = tier.slots;
            if !tier.loopy {
                // The tier that was let go last may still be there.
                let gone = self.tiers.get(i + 1 + self.later(i).len());
                let gone = gone.map_or(0, |gone| self.values(gone.slots));
                return values + if gone < SMALL { gone } else { 0 };
            }
            // Two bytes for the count, and four for each of those in the frontier, half of all at most.
            let work = len * 2 + len * 2 + len / 8;
            if !self.recorded {
                return values + work;
            }
            // While they are collected an edge takes its parent and two bytes of its child; a page is begun for each
            // bucket of 65,536 children.
            let parent = width(len) as u64;
            let edges = ((parent + 2) as f64 * tier.inner * len as f64) as u64;
            let begun = len.div_ceil(1 << 16) * 1024 * (parent + 2);
            values + work + edges + begun + len * 4
        })
    }

    /// Bytes that solving the first `left` tiers takes of each of several processes.
    pub(crate) fn solving(&self, left: usize, topology: Topology) -> Need {
        let own = |tier: &TierSample| {
            let recorded = if tier.loopy && self.recorded { tier.inner } else { 0.0 };
            let edges = (tier.slots as f64 * recorded * EDGE) as u64;
            let slot = if tier.loopy { LOOPY } else { 1 };
            tier.slots.saturating_mul(slot).saturating_add(edges) / topology.processes
        };
        // When a tier is published it is there packed and unpacked, besides the shares that it came from.
        let whole = self.most(left, |i, tier| {
            let values = self.values(tier.slots);
            let published = values.saturating_add(values / 4).saturating_add(own(tier));
            self.later_values(i).saturating_add(published)
        });
        let parts = self.most(left, |i, tier| {
            let published = self.later_values(i).saturating_add(self.values(tier.slots) / 4);
            (published / topology.processes).saturating_add(own(tier))
        });
        let rounds = ROUND * topology.workers;
        self.with_numbering(whole.saturating_add(rounds), parts.saturating_add(rounds))
    }

    /// Bytes that counting what can be reached takes: of one process, with whole marks, which reads values block by
    /// block; or of each, with marks in parts. In parts there are the marks of later tiers and twice those of the
    /// tier at work, and the values of that packed, unpacked and cut.
    pub(crate) fn counting(&self, topology: Topology) -> Need {
        let parts = self.most(self.tiers.len(), |i, tier| {
            let marked = self.later(i).iter().map(|tier| tier.slots);
            let marked = marked.fold(tier.slots.saturating_mul(2), u64::saturating_add);
            let values = tier.slots.saturating_mul(9) / 4;
            (marked / 8).saturating_mul(self.mark_bits).saturating_add(values) / topology.processes
        });
        let whole = self.marks.saturating_mul(WEIGHT).saturating_add(ROUND);
        self.with_numbering(whole, parts.saturating_add(ROUND * topology.workers))
    }

    fn with_numbering(&self, whole: u64, parts: u64) -> Need {
        let rest = self.numbering.saturating_add(OVERHEAD);
        Need { whole: whole.saturating_add(rest), parts: parts.saturating_add(rest) }
    }
}
