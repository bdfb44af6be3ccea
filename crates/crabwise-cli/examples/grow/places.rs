//! Step 2: every placement has a number, so that there is no walk and no position in memory.

use crabwise::{Index, Slot, index::combinadic::Colours};

use crate::rules::Stones;

/// How many stones the player to move and the other have, once so many are on the board.
pub fn split(stones: u32) -> [u32; 2] {
    [stones / 2, stones.div_ceil(2)]
}

/// One tier. Placements of no stone come first, then those of one, and so on.
pub struct Places {
    /// For each number of stones.
    placements: Vec<Colours>,
}

impl Places {
    pub fn new() -> Places {
        let placements = (0..=8).map(|stones| Colours::new(16, split(stones)));
        Places { placements: placements.map(|all| all.expect("few cells")).collect() }
    }
}

impl Index<Stones> for Places {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.placements.iter().map(Colours::len).sum()
    }

    fn slot(&self, at: &Stones) -> Slot {
        let stones = (at.mine | at.theirs).count_ones() as usize;
        let before: u64 = self.placements[..stones].iter().map(Colours::len).sum();
        let rank = self.placements[stones].rank([at.mine.into(), at.theirs.into()]);
        Slot { tier: 0, index: before + rank }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        let mut rank = slot.index;
        for placement in &self.placements {
            if rank < placement.len() {
                let [mine, theirs] = placement.unrank(rank).map(|set| set as u16);
                return Some(Stones { mine, theirs });
            }
            rank -= placement.len();
        }
        None
    }

    fn name(&self) -> String {
        "teeko-places-1".into()
    }
}
