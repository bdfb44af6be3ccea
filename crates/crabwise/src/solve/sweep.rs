//! Tiers without inner moves: each position's value from the finished later tiers.
//!
//! [`Kernel`] is the one seam for speed. Drivers, threads, disks and machines sit above it and know
//! no game; SIMD lanes and GPUs sit below it and know no driver. Every kernel must agree with the
//! plain one here, and [`check::kernel`](crate::analysis::check::kernel) sees that it does.

use rayon::prelude::*;

use super::{Fault, TierError};
use crate::{
    Planes, Slot, Tiers, Value, Word,
    graph::{Ask, Edge, Graph, Node, Page},
    table::pack,
    watch::Meter,
};

/// Computes runs of slots of one tier from finished later tiers.
pub trait Kernel<W: Word>: Send + Sync {
    /// Fills `out` with the values of the slots of `tier` from `from` on, holes as
    /// [`Word::HOLE`]. Called from several threads with runs that do not overlap.
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError>;

    /// How many slots of `tier` a thread should take at a time. Runs begin at multiples of it.
    fn run(&self, _tier: u32) -> u64 {
        1 << 11
    }

    /// Whether it can read later tiers that are kept as outcomes alone
    /// ([`Words::Planes`](crate::Words::Planes)). Then its distances do not matter: any code of a win is
    /// a win. The safe answer is no; it costs the plain kernel where outcomes are all that is kept.
    fn reads_outcomes(&self) -> bool {
        false
    }
}

/// The kernel every game has: one position, one move at a time.
pub(crate) struct Plain<'a>(pub(crate) &'a dyn Graph);

impl<W: Word> Kernel<W> for Plain<'_> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError> {
        self.fill(tier, from, later, out, W::pack)
    }
}

/// The same where only outcomes are kept.
pub(crate) struct PlainOutcomes<'a>(pub(crate) &'a dyn Graph);

impl Kernel<u8> for PlainOutcomes<'_> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [u8]) -> Result<(), TierError> {
        Plain(self.0).fill(tier, from, later, out, outcome_word)
    }

    fn reads_outcomes(&self) -> bool {
        true
    }
}

/// The code of an outcome: a distance that is known is dropped, and one that is not has none.
pub(crate) fn outcome_word(value: Value) -> Option<u8> {
    match value {
        Value::Loss(_) => u8::pack(Value::Loss(0)),
        Value::Tie(_) => u8::pack(Value::Tie(0)),
        Value::Draw => u8::pack(Value::Draw),
        Value::Win(_) => u8::pack(Value::Win(0)),
    }
}

impl Plain<'_> {
    fn fill<W: Word>(
        &self,
        tier: u32,
        from: u64,
        later: &Tiers,
        out: &mut [W],
        pack: impl Fn(Value) -> Option<W>,
    ) -> Result<(), TierError> {
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
            *out = pack(value).ok_or(TierError::TooFar)?;
        }
        Ok(())
    }

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

/// Solves one tier with a kernel, all threads at work.
pub(crate) fn sweep_tier<W: Word>(
    kernel: &dyn Kernel<W>,
    tier: u32,
    len: u64,
    later: &Tiers,
    meter: &Meter,
) -> Result<Vec<W>, TierError> {
    let mut words = vec![W::HOLE; len as usize];
    let run = kernel.run(tier).max(1) as usize;
    words.par_chunks_mut(run).enumerate().try_for_each(|(i, out)| {
        kernel.sweep(tier, (i * run) as u64, later, out)?;
        Ok::<_, TierError>(meter.add(out.len() as u64)?)
    })?;
    Ok(words)
}

/// Solves one tier with a kernel for its outcomes. Each thread packs its run as soon as it is swept, so
/// that the tier is never in memory with more than two bits a slot.
pub(super) fn sweep_outcomes(
    kernel: &dyn Kernel<u8>,
    tier: u32,
    len: u64,
    later: &Tiers,
    meter: &Meter,
) -> Result<Planes, TierError> {
    let mut planes = Planes::holes(len);
    // A multiple of 64 too, so that no two threads write to one word of a plane.
    let size = kernel.run(tier).max(1);
    let size = (size << (6 - size.trailing_zeros().min(6))) as usize;
    let runs = planes.runs_mut(size).enumerate();
    runs.try_for_each_init(
        || vec![u8::HOLE; size],
        |codes, (i, run)| {
            let from = (i * size) as u64;
            let codes = &mut codes[..(len - from).min(size as u64) as usize];
            codes.fill(u8::HOLE);
            kernel.sweep(tier, from, later, codes)?;
            if !pack(codes, run) {
                return Err(Fault::Drawn { tier }.into());
            }
            Ok::<_, TierError>(meter.add(codes.len() as u64)?)
        },
    )?;
    Ok(planes)
}
