//! A numbering with the type of its positions erased.

use std::{fmt, hash::Hash};

use super::{Index, Slot};
use crate::game::dynamic::DynPosition;

/// A numbering seen through erased positions. It leaves out what only solvers and statistics ask for, because these
/// ask the graph.
pub(crate) struct DynIndex<'a, P> {
    pub(crate) index: &'a dyn Index<P>,
}

impl<P> Index<DynPosition> for DynIndex<'_, P>
where
    P: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static,
{
    hands_on! {
        to index:
        tiers() -> u32;
        len(tier: u32) -> u64;
        loopy(tier: u32) -> bool;
        last_child_tier(tier: u32) -> u32;
        max_orbit() -> u32;
        merges_orbits() -> bool;
        name() -> String;
    }

    fn slot(&self, at: &DynPosition) -> Slot {
        self.index.slot(at.typed())
    }

    fn position(&self, slot: Slot) -> Option<DynPosition> {
        self.index.position(slot).map(DynPosition::new)
    }

    fn children(&self, tier: u32, to: &[DynPosition], slots: &mut Vec<Slot>) {
        let to: Vec<P> = to.iter().map(|to| to.typed::<P>().clone()).collect();
        self.index.children(tier, &to, slots);
    }

    fn tier(&self, at: &DynPosition) -> u32 {
        self.index.tier(at.typed())
    }

    fn orbit(&self, at: &DynPosition) -> Vec<DynPosition> {
        self.index.orbit(at.typed()).into_iter().map(DynPosition::new).collect()
    }

    fn images(&self, at: &DynPosition) -> Vec<DynPosition> {
        self.index.images(at.typed()).into_iter().map(DynPosition::new).collect()
    }
}
