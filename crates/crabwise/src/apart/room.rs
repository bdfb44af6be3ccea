//! How much memory a process needs, where something is whole in each of them and where it is in parts.

use crate::graph::Graph;

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

/// Who works together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staff {
    pub(crate) processes: u64,
    /// Workers of each.
    pub(crate) workers: u64,
}

/// Bytes that a process needs for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Room {
    /// Where later tiers, or marks, are whole in every process.
    pub(crate) whole: u64,
    /// Where each worker has its part.
    pub(crate) parts: u64,
}

/// Moves that are looked up in a round by each worker, about.
pub(crate) const EDGES: u64 = if cfg!(test) { 100 } else { 1 << 17 };
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

/// The measures of a game of which so many moves a slot, in each tier, have to be recorded.
pub(crate) fn measure(graph: &dyn Graph, edges: &dyn Fn(u32) -> f64) -> Vec<Measure> {
    let measure = |tier| {
        let (slots, loopy) = (graph.len(tier), graph.loopy(tier));
        let recorded = loopy && graph.backwards().is_none();
        let edges = if recorded { edges(tier) } else { 0.0 };
        Measure { slots, reach: graph.reach(tier).max(tier), loopy, edges }
    };
    (0..graph.tiers()).map(measure).collect()
}

impl Room {
    /// For solving the first so many tiers.
    pub(crate) fn for_solving(
        tiers: &[Measure],
        left: usize,
        outcomes: bool,
        staff: Staff,
    ) -> Room {
        let bytes = |slots: u64| if outcomes { slots / 4 } else { slots };
        let own = |tier: &Measure| {
            let edges = (tier.slots as f64 * tier.edges * EDGE) as u64;
            tier.slots.saturating_mul(if tier.loopy { LOOPY } else { 1 }).saturating_add(edges)
                / staff.processes
        };
        let most = |of: &dyn Fn(u64, &Measure) -> u64| {
            let each = tiers.iter().enumerate().take(left).map(|(i, tier)| {
                let later = later(tiers, i).map(|tier| bytes(tier.slots));
                of(later.fold(0, u64::saturating_add), tier)
            });
            each.max().unwrap_or(0).saturating_add(ROUND * staff.workers)
        };
        Room {
            // When a tier is published it is there packed and unpacked, besides the shares that it came from.
            whole: most(&|later, tier| {
                let tier_bytes = bytes(tier.slots);
                let published = tier_bytes.saturating_add(tier_bytes / 4);
                later.saturating_add(published).saturating_add(own(tier))
            }),
            parts: most(&|later, tier| {
                let packed = bytes(tier.slots) / 4;
                (later.saturating_add(packed) / staff.processes).saturating_add(own(tier))
            }),
        }
    }

    /// For counting what can be reached, with marks whole, of so many bytes, or in parts, of so many
    /// bits a slot: those of later tiers, and of the tier at work twice. The values of that are there packed,
    /// unpacked and cut.
    pub(crate) fn for_counting(tiers: &[Measure], staff: Staff, whole: u64, bits: u64) -> Room {
        let values = |tier: &Measure| tier.slots.saturating_mul(9) / 4;
        let parts = tiers.iter().enumerate().map(|(i, tier)| {
            let marked = later(tiers, i).map(|tier| tier.slots);
            let marked = marked.fold(tier.slots.saturating_mul(2), u64::saturating_add);
            (marked / 8).saturating_mul(bits).saturating_add(values(tier)) / staff.processes
        });
        let parts = parts.max().unwrap_or(0).saturating_add(ROUND * staff.workers);
        let values = tiers.iter().map(values).max().unwrap_or(0) / staff.processes;
        Room { whole: whole.saturating_mul(WEIGHT).saturating_add(values), parts }
    }

    /// The same with a numbering of so many bytes, and the program itself.
    pub(crate) fn with(self, numbering: u64) -> Room {
        let rest = numbering.saturating_add(OVERHEAD);
        let Room { whole, parts } = self;
        Room { whole: whole.saturating_add(rest), parts: parts.saturating_add(rest) }
    }

    /// What it will take of so many bytes: whole where that fits.
    pub(crate) fn needed(self, limit: u64) -> u64 {
        if self.whole <= limit { self.whole } else { self.parts }
    }
}

/// The tiers after one that are there while it is at work: those that its moves lead to, or moves of earlier
/// ones.
fn later(tiers: &[Measure], tier: usize) -> impl Iterator<Item = &Measure> {
    let reach = tiers[..=tier].iter().map(|tier| tier.reach as usize).max().unwrap_or(0);
    tiers.iter().skip(tier + 1).take(reach.saturating_sub(tier))
}
