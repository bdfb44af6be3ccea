//! What can be reached from the start, found by the game itself, many positions at a time.
//!
//! [`ReachabilityKernel`] is to counting what `Kernel` is to solving: drivers and threads are
//! here, and know no game. Only two tiers of marks are in memory, and none once a tier is reached as a
//! whole, as later ones are then. What a game says is held against the slow way,
//! [`reachability`](super::reachability), by [`check`](super::check).

use rayon::prelude::*;

use crate::watch::{Meter, Stop};

/// A game of which every move leads to the next tier, and which can tell for many positions at a time
/// whether they are reached.
///
/// The marks of a tier are bytes, in a form that only the game knows.
pub trait ReachabilityKernel: Send + Sync {
    /// How many bytes the marks of a tier take.
    fn bytes(&self, tier: u32) -> u64;

    /// Bytes of memory that it takes itself, marks aside.
    fn own_bytes(&self) -> u64 {
        0
    }

    /// How many of them belong together: the length of a run is a multiple of it.
    fn grain(&self, tier: u32) -> u64;

    /// Fills `out` with the marks of `tier` from byte `from` on, by those of the tier before; in tier 0
    /// with the mark of the start. Called from several threads with runs that do not overlap.
    fn spread(&self, tier: u32, from: u64, before: &[u8], out: &mut [u8]);

    /// Whether a run of marks of `tier` shows all positions reached. Where all runs of a tier do, nothing
    /// is marked any more: it is for the game to know that all later tiers are reached as well, and to
    /// say no if they may not be.
    fn settled(&self, tier: u32, marks: &[u8]) -> bool;

    /// The tier by which everything will be reached, as far as can be told; for predicting memory.
    fn settles(&self) -> u32;

    /// Fills `out` with which of the positions that share a slot are marked, for the slots of `tier` from
    /// `from` on: a bit each, in the order of `Index::orbit`, so that no more than
    /// eight may share one. Without marks, with which there are.
    fn members(&self, tier: u32, from: u64, marks: Option<&[u8]>, out: &mut [u8]);

    /// Fills `out` with how many moves there are at the slots of `tier` from `from` on.
    fn moves(&self, tier: u32, from: u64, out: &mut [u16]);
}

/// The marks of one tier after another.
pub(crate) struct Flow<'a> {
    pub(crate) spread: &'a dyn ReachabilityKernel,
    /// The marks of the tier at work, while not everything counts.
    marks: Option<Vec<u8>>,
    all: bool,
}

/// Bytes of marks that a thread takes at a time, more or less.
const RUN: u64 = 1 << 13;

impl<'a> Flow<'a> {
    /// What the start leads to; or `all` positions.
    pub(crate) fn new(spread: &'a dyn ReachabilityKernel, all: bool) -> Flow<'a> {
        Flow { spread, marks: None, all }
    }

    /// Marks a tier; the tiers before it must have been marked in turn.
    pub(crate) fn enter(&mut self, tier: u32, meter: &Meter) -> Result<(), Stop> {
        if self.all {
            return Ok(());
        }
        let before = self.marks.take().unwrap_or_default();
        let mut marks = vec![0; self.spread.bytes(tier) as usize];
        let grain = self.spread.grain(tier).max(1);
        let run = (RUN.div_ceil(grain) * grain) as usize;
        marks.par_chunks_mut(run).enumerate().try_for_each(|(i, out)| {
            self.spread.spread(tier, (i * run) as u64, &before, out);
            meter.add(0)
        })?;
        self.all = marks.par_chunks(run).all(|run| self.spread.settled(tier, run));
        self.marks = Some(marks).filter(|_| !self.all);
        Ok(())
    }

    /// Which positions count at some slots of the tier that was entered last.
    pub(crate) fn members(&self, tier: u32, from: u64, out: &mut [u8]) {
        self.spread.members(tier, from, self.marks.as_deref(), out);
    }

    /// Bytes that the marks take at the most, with the values of the tier that is counted.
    pub(crate) fn peak(
        spread: &dyn ReachabilityKernel,
        tiers: u32,
        values: &dyn Fn(u32) -> u64,
    ) -> u64 {
        let last = spread.settles().min(tiers - 1);
        let marks = |tier: u32| if tier <= last { spread.bytes(tier) } else { 0 };
        // The values of a tier are fetched once its marks are there and those before it are gone.
        (0..tiers).map(|tier| marks(tier) + marks(tier + 1).max(values(tier))).max().unwrap_or(0)
    }
}
