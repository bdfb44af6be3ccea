//! Tiers without inner moves: each position's value from the finished later tiers.
//!
//! [`Kernel`] is the one seam for speed. Drivers, threads, disks and machines sit above it and know
//! no game; SIMD lanes and GPUs sit below it and know no driver. Every kernel must agree with
//! [`Plain`], and [`check::kernel`](crate::check::kernel) sees that it does.

use rayon::prelude::*;

use super::{Fault, TierError};
use crate::{Game, Index, Slot, Tiers, Value, Word, watch::Meter};

/// Computes runs of slots of one tier from finished later tiers.
pub trait Kernel<W: Word>: Send + Sync {
    /// Fills `out` with the values of the slots of `tier` from `from` on, holes as
    /// [`Word::HOLE`]. Called from several threads with runs that do not overlap.
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError>;
}

/// The kernel every game has: one position, one move at a time.
pub struct Plain<'a, G, I> {
    /// The rules.
    pub game: &'a G,
    /// The numbering.
    pub index: &'a I,
}

impl<W: Word, G: Game, I: Index<G::Position>> Kernel<W> for Plain<'_, G, I> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), TierError> {
        for (index, out) in (from..).zip(out) {
            let slot = Slot { tier, index };
            *out = match self.index.position(slot) {
                None => W::HOLE,
                Some(at) => W::pack(self.value(slot, &at, later)?).ok_or(TierError::TooFar)?,
            };
        }
        Ok(())
    }
}

impl<G: Game, I: Index<G::Position>> Plain<'_, G, I> {
    fn value(&self, slot: Slot, at: &G::Position, later: &Tiers) -> Result<Value, Fault> {
        if let Some(outcome) = self.game.over(at) {
            return Ok(outcome.into());
        }
        let mut best = None;
        for mv in self.game.moves(at) {
            let to = self.game.play(at, mv);
            let child = self.index.child(slot, &to);
            let known = if child.tier > slot.tier { later.get(child) } else { None };
            let value = known.ok_or_else(|| Fault::astray(self.game, at, &to))?;
            best = best.max(Some(value.back(self.game.again(at, &to))));
        }
        best.ok_or_else(|| Fault::stuck(self.game, at))
    }
}

/// How many slots a thread takes at a time.
const RUN: usize = 1 << 12;

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
