//! Numbering positions, so that a table can be an array.
//!
//! Tiers are numbered in the direction of play: a move never leads to an earlier tier, and stays
//! inside a tier only where the tier is [`loopy`](Index::loopy). Solvers work from the last tier
//! to the first. Symmetry lives here and nowhere else: positions that mirror each other may share
//! a slot, and no solver ever hears of it.

pub mod combinadic;
mod enumerated;
mod hash;
pub mod symmetry;

pub use enumerated::{Enumerated, WalkError};
pub use hash::key;

/// A place in a table: the `index`-th position of a tier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// The tier, 0 being the one where play begins in most games.
    pub tier: u32,
    /// The place within the tier.
    pub index: u64,
}

/// A numbering of positions, tier by tier.
///
/// The contract, which [`check`](crate::check) tests on any game: `slot(position(s)) == s`; every
/// position that can be reached from a numbered one is numbered; moves go to later tiers, or stay
/// where the tier is loopy; positions that share a slot have the same value.
pub trait Index<P>: Sync {
    /// How many tiers there are.
    fn tiers(&self) -> u32;

    /// How many slots `tier` has, holes included.
    fn len(&self, tier: u32) -> u64;

    /// Where the value of `at` is kept.
    fn slot(&self, at: &P) -> Slot;

    /// The position kept at `slot`, or `None` for a hole: a slot that no position has.
    fn position(&self, slot: Slot) -> Option<P>;

    /// Whether some move may stay inside `tier`. Saying yes is always safe, and costs the slower
    /// solver and several times the memory.
    fn loopy(&self, _tier: u32) -> bool {
        true
    }

    /// The last tier that a move from `tier` may lead to. The safe answer is the last tier of
    /// all; it costs keeping all later tiers in memory.
    fn reach(&self, _tier: u32) -> u32 {
        self.tiers() - 1
    }

    /// Appends the [`slot`](Index::slot)s of positions that moves from `tier` lead to. Many at a
    /// time, for numberings that have to search; others need not care.
    fn children(&self, _tier: u32, to: &[P], slots: &mut Vec<Slot>) {
        slots.extend(to.iter().map(|to| self.slot(to)));
    }

    /// All positions that share the slot of `at`, itself included, each once. A numbering that
    /// folds mirror images must say which, or positions will be undercounted.
    fn alike(&self, at: &P) -> Vec<P>
    where
        P: Clone,
    {
        vec![at.clone()]
    }

    /// An upper bound on how many positions share a slot.
    fn folds(&self) -> u32 {
        1
    }

    /// Bytes of memory that the numbering itself takes, for predicting. The safe answer is none,
    /// and costs a prediction that is too low by as much.
    fn bytes(&self) -> u64 {
        0
    }

    /// Names the numbering in a table's header. Change it whenever slots change their meaning, so
    /// that old tables are refused instead of misread.
    fn name(&self) -> String;

    /// How many slots there are in all.
    fn total(&self) -> u64 {
        (0..self.tiers()).map(|tier| self.len(tier)).sum()
    }
}

/// The slot at a place counted through all tiers.
pub(crate) fn nth_slot<P>(index: &impl Index<P>, mut at: u64) -> Slot {
    let mut tier = 0;
    while at >= index.len(tier) {
        at -= index.len(tier);
        tier += 1;
    }
    Slot { tier, index: at }
}
