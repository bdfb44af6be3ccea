//! Step 3: boards that are turned or mirrored share a slot.

use std::sync::Arc;

use crabwise::{
    Index, Slot,
    index::symmetry::{FoldedPair, Group},
};

use crate::{places::split, rules::Stones};

/// One tier, as before, of placements up to the eight symmetries of the square.
pub struct Folded {
    pub group: Arc<Group>,
    /// For each number of stones.
    pub placements: Vec<FoldedPair>,
}

impl Folded {
    pub fn new() -> Folded {
        let group = Arc::new(Group::square(4));
        let placement = |stones| {
            let [mine, theirs] = split(stones);
            FoldedPair::new(group.clone(), mine, theirs).expect("few cells")
        };
        Folded { placements: (0..=8).map(placement).collect(), group }
    }

    /// The placement with the least sets, which stands for its images.
    pub fn of(sets: [u64; 2]) -> Stones {
        let [mine, theirs] = sets.map(|set| set as u16);
        Stones { mine, theirs }
    }

    /// The positions that share a slot with this one.
    pub fn images_of(&self, at: &Stones) -> Vec<Stones> {
        let orbit = self.group.orbit([at.mine.into(), at.theirs.into()]);
        orbit.into_iter().map(Folded::of).collect()
    }
}

impl Index<Stones> for Folded {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.placements.iter().map(FoldedPair::len).sum()
    }

    fn slot(&self, at: &Stones) -> Slot {
        let stones = (at.mine | at.theirs).count_ones() as usize;
        let before: u64 = self.placements[..stones].iter().map(FoldedPair::len).sum();
        let rank = self.placements[stones].slot(at.mine.into(), at.theirs.into());
        Slot { tier: 0, index: before + rank }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        let mut rank = slot.index;
        for placement in &self.placements {
            if rank < placement.len() {
                return placement.position(rank).map(Folded::of);
            }
            rank -= placement.len();
        }
        None
    }

    // A numbering that folds says what it folds, or positions would be undercounted.
    fn orbit(&self, at: &Stones) -> Vec<Stones> {
        self.images_of(at)
    }

    fn max_orbit(&self) -> u32 {
        self.group.order() as u32
    }

    fn name(&self) -> String {
        "teeko-folded-1".into()
    }
}
