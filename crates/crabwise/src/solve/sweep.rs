//! Tiers without inner moves: each position's value from the finished later tiers.
//!
//! [`Kernel`] is the one seam for speed. Drivers, threads, disks and machines sit above it and know
//! no game; SIMD lanes and GPUs sit below it and know no driver. Every kernel must agree with the
//! plain one here, and [`check::kernel`](crate::check::kernel) sees that it does.

use rayon::prelude::*;

use super::{Fault, TierError};
use crate::{
    Slot, Tiers, Value, Word,
    graph::{Ask, Edge, Graph, Node, Page},
    watch::Meter,
};

/// Computes runs of slots of one tier from finished later tiers.
pub trait Kernel<W: Word>: Send + Sync {
    /// Fills `out` with the values of the slots of `tier` from `from` on, holes as
    /// [`Word::HOLE`]. Called from several threads with runs that do not overlap.
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError>;
}

/// The kernel every game has: one position, one move at a time.
pub(crate) struct Plain<'a>(pub(crate) &'a dyn Graph);

impl<W: Word> Kernel<W> for Plain<'_> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError> {
        let slots: Vec<u64> = (from..from + out.len() as u64).collect();
        let mut page = Page::default();
        self.0.scan(tier, &slots, Ask::All, &mut page);
        for ((index, out), (node, edges)) in slots.into_iter().zip(out).zip(page.iter()) {
            let slot = Slot { tier, index };
            let value = match node {
                Node::Hole => {
                    *out = W::HOLE;
                    continue;
                }
                Node::Over(outcome) => outcome.into(),
                Node::Open(_) => self.best(slot, edges, later)?,
            };
            *out = W::pack(value).ok_or(TierError::TooFar)?;
        }
        Ok(())
    }
}

impl Plain<'_> {
    fn best(&self, slot: Slot, edges: &[Edge], later: &Tiers) -> Result<Value, Fault> {
        let mut best = None;
        for (nth, edge) in edges.iter().enumerate() {
            let known = if edge.to.tier > slot.tier { later.get(edge.to) } else { None };
            let value = known.ok_or_else(|| Fault::astray(self.0, slot, nth, edge.to))?;
            best = best.max(Some(value.back(edge.again)));
        }
        best.ok_or_else(|| Fault::Stuck { position: self.0.show(slot) })
    }
}

/// How many slots a thread takes at a time.
const RUN: usize = 1 << 11;

/// Solves one tier with a kernel, all threads at work.
pub(super) fn sweep_tier<W: Word>(
    kernel: &dyn Kernel<W>,
    tier: u32,
    len: u64,
    later: &Tiers,
    meter: &Meter,
) -> Result<Vec<W>, TierError> {
    let mut words = vec![W::HOLE; len as usize];
    words.par_chunks_mut(RUN).enumerate().try_for_each(|(i, out)| {
        kernel.sweep(tier, (i * RUN) as u64, later, out)?;
        Ok::<_, TierError>(meter.add(out.len() as u64)?)
    })?;
    Ok(words)
}
