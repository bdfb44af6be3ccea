//! Numbering positions, so that a table can be an array.
//!
//! Tiers are numbered in the direction of play: a move never leads to an earlier tier, and stays
//! inside a tier only where the tier is [`loopy`](Index::loopy). Solvers work from the last tier
//! to the first. Symmetry belongs here: positions that mirror each other may share a slot. Everybody else
//! asks at most how many positions share one ([`orbit`](Index::orbit), [`max_orbit`](Index::max_orbit)): retrograde
//! analysis weighs un-moves by that number, and counting and verifying follow the members of an orbit.

pub mod combinadic;
pub mod folded;
mod hash;
mod recent;
pub mod symmetry;

pub use hash::{ByKey, key};
pub(crate) use recent::Recent;

use std::fmt;

/// A place in a table: the `index`-th position of a tier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// The tier, 0 being the one where play begins in most games.
    pub tier: u32,
    /// The place within the tier.
    pub index: u64,
}

impl Slot {
    /// Where a position is that is in no slot at all.
    pub(crate) const NOWHERE: Slot = Slot { tier: u32::MAX, index: u64::MAX };
}

/// Written as tier and index with a point between, `3.1415`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tier, self.index)
    }
}

/// A numbering of positions, tier by tier.
///
/// The contract, which `check` tests on any game: `slot(position(s)) == s`; every
/// position that can be reached from a numbered one is numbered; moves go to later tiers, or stay
/// where the tier is loopy; positions that share a slot have the same value.
///
/// A heap from which one, two or three are taken, with a tier for each size of the heap:
///
/// ```
/// use crabwise::{Game, Index, Setup, Slot, solve_with};
///
/// struct Heap(u32);
///
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 {
///         self.0
///     }
///     fn moves(&self, at: &u32) -> impl IntoIterator<Item = u32> {
///         1..=3.min(*at)
///     }
///     fn play(&self, at: &u32, take: u32) -> u32 {
///         at - take
///     }
/// }
///
/// /// Play goes from the full heap, tier 0, to the empty one, the last tier.
/// struct Sizes(u32);
///
/// impl Index<u32> for Sizes {
///     fn tiers(&self) -> u32 {
///         self.0 + 1
///     }
///     fn len(&self, _tier: u32) -> u64 {
///         1
///     }
///     fn slot(&self, at: &u32) -> Slot {
///         Slot { tier: self.0 - at, index: 0 }
///     }
///     fn position(&self, slot: Slot) -> Option<u32> {
///         Some(self.0 - slot.tier)
///     }
///     fn loopy(&self, _tier: u32) -> bool {
///         false // every move makes the heap smaller
///     }
///     fn last_child_tier(&self, tier: u32) -> u32 {
///         tier + 3 // so older tiers need not stay in memory
///     }
///     fn name(&self) -> String {
///         "sizes-1".into()
///     }
/// }
///
/// assert_eq!(solve_with(&Heap(8), Sizes(8)).unwrap().start().to_string(), "loss in 4");
/// let entry = Setup::of(Heap(8)).numbered(Sizes(8)).erased(); // what a registry's `build` returns
/// # drop(entry);
/// ```
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
    /// all; it costs keeping all later tiers in memory. More than the last tier means the last.
    fn last_child_tier(&self, _tier: u32) -> u32 {
        self.tiers() - 1
    }

    /// Appends the [`slot`](Index::slot)s of positions that moves from `tier` lead to. Many at a
    /// time, for numberings that have to search; others need not care.
    fn children(&self, _tier: u32, to: &[P], slots: &mut Vec<Slot>) {
        slots.extend(to.iter().map(|to| self.slot(to)));
    }

    /// The tier of `at`, where that is known sooner than its slot.
    fn tier(&self, at: &P) -> u32 {
        self.slot(at).tier
    }

    /// All positions that share the slot of `at`, itself included, each once. A numbering that
    /// folds mirror images must say which, here and in [`max_orbit`](Index::max_orbit), or positions will
    /// be undercounted. None at all where a slot stands for the end of the game, whatever the board:
    /// such ends are not counted as positions.
    fn orbit(&self, at: &P) -> Vec<P>
    where
        P: Clone,
    {
        vec![at.clone()]
    }

    /// The images of `at` under each symmetry that the numbering folds by, in an order of the
    /// symmetries that is the same for all positions, so that images may be there more than once. With
    /// them it can be found out whether everything that is reached can be reached mirrored as
    /// well, and what is reached can be counted by the slot; without, each position is followed.
    fn images(&self, at: &P) -> Vec<P>
    where
        P: Clone,
    {
        vec![at.clone()]
    }

    /// An upper bound on how many positions share a slot: the most that
    /// [`orbit`](Index::orbit) returns.
    fn max_orbit(&self) -> u32 {
        1
    }

    /// Whether all images of a position share its slot, so that slots can be counted as positions up to
    /// symmetry. Where some do not, the answer must be no; it costs that count.
    fn merges_orbits(&self) -> bool {
        self.max_orbit() > 1
    }

    /// How many positions share a slot, 0 for a hole: as many as [`orbit`](Index::orbit) returns,
    /// if that can be told sooner.
    fn orbit_size(&self, slot: Slot) -> u64
    where
        P: Clone,
    {
        self.position(slot).map_or(0, |at| self.orbit(&at).len() as u64)
    }

    /// The classes of a tier, for statistics: the name of each and how many slots it has, one after
    /// the other, `len(tier)` in all; one without a name for a tier that is all of a kind.
    fn classes(&self, tier: u32) -> Vec<(String, u64)> {
        vec![(String::new(), self.len(tier))]
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

/// The slot at a place counted through all tiers, of which `len` tells the sizes.
pub(crate) fn nth_slot(mut at: u64, len: impl Fn(u32) -> u64) -> Slot {
    let mut tier = 0;
    while at >= len(tier) {
        at -= len(tier);
        tier += 1;
    }
    Slot { tier, index: at }
}
