//! Step 4: a tier for each number of stones. Only in the last can play go in circles.

use crabwise::{Index, Slot, index::symmetry::FoldedPair};

use crate::{folded::Folded, rules::Stones};

pub struct Tiers(Folded);

impl Tiers {
    pub fn new() -> Tiers {
        Tiers(Folded::new())
    }
}

impl Index<Stones> for Tiers {
    fn tiers(&self) -> u32 {
        9
    }

    fn len(&self, tier: u32) -> u64 {
        self.0.placements[tier as usize].len()
    }

    fn slot(&self, at: &Stones) -> Slot {
        let tier = self.tier(at);
        let placement = &self.0.placements[tier as usize];
        Slot { tier, index: placement.slot(at.mine.into(), at.theirs.into()) }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        self.0.placements[slot.tier as usize].position(slot.index).map(Folded::of)
    }

    /// While stones are dropped, no position comes again: a sweep does, which is quicker.
    fn loopy(&self, tier: u32) -> bool {
        tier == 8
    }

    /// So no more than two tiers are in memory.
    fn last_child_tier(&self, tier: u32) -> u32 {
        tier + 1
    }

    /// Told without ranking.
    fn tier(&self, at: &Stones) -> u32 {
        (at.mine | at.theirs).count_ones()
    }

    fn orbit(&self, at: &Stones) -> Vec<Stones> {
        self.0.images_of(at)
    }

    /// All images, one for each symmetry: with them, what can be reached is counted by the slot.
    fn images(&self, at: &Stones) -> Vec<Stones> {
        let Folded { group, .. } = &self.0;
        let image = |element| [at.mine, at.theirs].map(|set| group.apply(element, set.into()));
        (0..group.order()).map(|element| Folded::of(image(element))).collect()
    }

    fn max_orbit(&self) -> u32 {
        self.0.max_orbit()
    }

    /// Told without the board.
    fn orbit_size(&self, slot: Slot) -> u64 {
        self.0.placements[slot.tier as usize].orbit(slot.index)
    }

    fn bytes(&self) -> u64 {
        self.0.placements.iter().map(FoldedPair::bytes).sum()
    }

    fn name(&self) -> String {
        "teeko-tiers-1".into()
    }
}
