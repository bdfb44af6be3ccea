//! How much memory a process needs, where something is whole in each of them and where it is in parts.

use crate::{
    graph::Graph,
    solve::{communicator::Topology, distributed::Need},
};

/// What matters of a tier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    pub(crate) slots: u64,
    /// The last tier that moves lead to.
    pub(crate) reach: u32,
    pub(crate) loopy: bool,
    /// Moves a slot that have to be recorded.
    pub(crate) edges: f64,
}

/// Bytes that a worker needs for a round of moves, questions or letters.
const ROUND: u64 = if cfg!(test) { 0 } else { 12 << 20 };
/// The program itself.
const OVERHEAD: u64 = if cfg!(test) { 0 } else { 16 << 20 };
/// Bytes that a recorded move takes, while it is being recorded.
const EDGE: f64 = 10.0;
/// Bytes that a slot of a tier with loops takes: count, value, and its place in lists.
const LOOPY: u64 = 8;

/// How much whole marks weigh: in tests so much that they are often in parts.
const WEIGHT: u64 = if cfg!(test) { 40 } else { 1 };

/// The measures of a game; `edges` tells how many moves a slot of a tier has that must be recorded.
pub(crate) fn measure(graph: &dyn Graph, edges: &dyn Fn(u32) -> f64) -> Vec<Measure> {
    let measure = |tier| {
        let (slots, loopy) = (graph.len(tier), graph.loopy(tier));
        let recorded = loopy && graph.backwards().is_none();
        let edges = if recorded { edges(tier) } else { 0.0 };
        Measure { slots, reach: graph.last_child_tier(tier).max(tier), loopy, edges }
    };
    (0..graph.tiers()).map(measure).collect()
}

/// Bytes that solving the first `left` tiers takes of each process.
pub(crate) fn for_solving(
    tiers: &[Measure],
    left: usize,
    outcomes: bool,
    topology: Topology,
) -> Need {
    let bytes = |slots: u64| if outcomes { slots / 4 } else { slots };
    let own = |tier: &Measure| {
        let edges = (tier.slots as f64 * tier.edges * EDGE) as u64;
        tier.slots.saturating_mul(if tier.loopy { LOOPY } else { 1 }).saturating_add(edges)
            / topology.processes
    };
    let most = |of: &dyn Fn(u64, &Measure) -> u64| {
        let each = tiers.iter().enumerate().take(left).map(|(i, tier)| {
            let later = later(tiers, i).map(|tier| bytes(tier.slots));
            of(later.fold(0, u64::saturating_add), tier)
        });
        each.max().unwrap_or(0).saturating_add(ROUND * topology.workers)
    };
    Need {
        // When a tier is published it is there packed and unpacked, besides the shares that it came from.
        whole: most(&|later, tier| {
            let tier_bytes = bytes(tier.slots);
            let published = tier_bytes.saturating_add(tier_bytes / 4);
            later.saturating_add(published).saturating_add(own(tier))
        }),
        parts: most(&|later, tier| {
            let packed = bytes(tier.slots) / 4;
            (later.saturating_add(packed) / topology.processes).saturating_add(own(tier))
        }),
    }
}

/// Bytes that counting what can be reached takes: of one process, with `whole` bytes of marks, which reads values block
/// by block; or of each, with marks in parts, `bits` bits a slot. In parts there are the marks of later tiers and twice
/// those of the tier at work, and the values of that packed, unpacked and cut.
pub(crate) fn for_counting(tiers: &[Measure], topology: Topology, whole: u64, bits: u64) -> Need {
    let parts = tiers.iter().enumerate().map(|(i, tier)| {
        let marked = later(tiers, i).map(|tier| tier.slots);
        let marked = marked.fold(tier.slots.saturating_mul(2), u64::saturating_add);
        let values = tier.slots.saturating_mul(9) / 4;
        (marked / 8).saturating_mul(bits).saturating_add(values) / topology.processes
    });
    let parts = parts.max().unwrap_or(0).saturating_add(ROUND * topology.workers);
    Need { whole: whole.saturating_mul(WEIGHT).saturating_add(ROUND), parts }
}

impl Need {
    /// Adds a numbering and the program itself.
    pub(crate) fn with(self, numbering: u64) -> Need {
        let rest = numbering.saturating_add(OVERHEAD);
        let Need { whole, parts } = self;
        Need { whole: whole.saturating_add(rest), parts: parts.saturating_add(rest) }
    }
}

/// The tiers after one that are there while it is at work: those that its moves lead to, or moves of earlier
/// ones.
fn later(tiers: &[Measure], tier: usize) -> impl Iterator<Item = &Measure> {
    let reach = tiers[..=tier].iter().map(|tier| tier.reach as usize).max().unwrap_or(0);
    tiers.iter().skip(tier + 1).take(reach.saturating_sub(tier))
}
