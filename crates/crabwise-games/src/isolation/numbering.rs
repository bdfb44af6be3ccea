//! Positions by the squares that are gone, mirror images sharing a slot.
//!
//! Every turn removes one square, so a tier is a number of squares removed, and no move stays inside
//! it. Within a tier come the sets of squares that are left, as [`FoldedSets`] numbers them; for a set
//! of k, k rows of k − 1 slots: a row for each square of one player, in it the squares left for the
//! other. No slot is a hole. While k is even the rows are those of the player to move, while it is odd
//! those of the other, because that is how the kernel finds them with the least work.
//!
//! [`FoldedSets`]: crabwise::index::folded::FoldedSets

use std::sync::Arc;

use crabwise::{Index, Slot};

use super::{
    Duel,
    geometry::{Geometry, Pair, rank},
};

/// A tier for each number of squares removed.
pub(crate) struct Numbering(Arc<Geometry>);

impl Numbering {
    pub(crate) fn new(geometry: Arc<Geometry>) -> Numbering {
        Numbering(geometry)
    }

    /// How many squares are left in a tier.
    fn size(&self, tier: u32) -> u32 {
        self.0.most() - tier
    }
}

/// Whether the rows of the sets of this size are those of the player to move.
#[inline]
pub(crate) fn by_mover(size: u32) -> bool {
    size.is_multiple_of(2)
}

/// The slots of a set of this size.
#[inline]
pub(crate) fn block(size: u32) -> u64 {
    u64::from(size) * u64::from(size - 1)
}

/// The square of a set that this many come before.
fn nth(set: u64, n: u64) -> u8 {
    (0..n).fold(set, |set, _| set & (set - 1)).trailing_zeros() as u8
}

impl Index<Duel> for Numbering {
    fn tiers(&self) -> u32 {
        self.0.most() - 1
    }

    fn len(&self, tier: u32) -> u64 {
        let size = self.size(tier);
        self.0.sets.len(size) * block(size)
    }

    #[inline]
    fn slot(&self, at: &Duel) -> Slot {
        let pair = self.0.pair(at);
        let place = self.0.sets.place(pair.set);
        let turn = &self.0.turns[usize::from(place.element)];
        let [mover, other] = [pair.mover, pair.other].map(|square| turn[usize::from(square)]);
        let size = pair.set.count_ones();
        let (row, lane) = if by_mover(size) { (mover, other) } else { (other, mover) };
        let lane = rank(place.set & !(1 << row), lane);
        let within = rank(place.set, row) * (size - 1) + lane;
        let index = place.rank * block(size) + u64::from(within);
        Slot { tier: self.0.most() - size, index }
    }

    #[inline]
    fn position(&self, Slot { tier, index }: Slot) -> Option<Duel> {
        let size = self.size(tier);
        let set = self.0.sets.set(size, index / block(size));
        let within = index % block(size);
        let row = nth(set, within / u64::from(size - 1));
        let lane = nth(set & !(1 << row), within % u64::from(size - 1));
        let (mover, other) = if by_mover(size) { (row, lane) } else { (lane, row) };
        Some(self.0.duel(Pair { set, mover, other }))
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        tier + 1
    }

    fn tier(&self, at: &Duel) -> u32 {
        self.0.most() - at.live.count_ones()
    }

    fn orbit(&self, at: &Duel) -> Vec<Duel> {
        let geometry = &self.0;
        let pair = geometry.pair(at);
        let stands = geometry.turned(geometry.sets.place(pair.set).element, pair);
        let ways = geometry.sets.ways(stands.set).iter();
        ways.map(|&way| geometry.duel(geometry.turned(way, stands))).collect()
    }

    fn images(&self, at: &Duel) -> Vec<Duel> {
        let (geometry, pair) = (&self.0, self.0.pair(at));
        (0..self.max_orbit()).map(|g| geometry.duel(geometry.turned(g as u8, pair))).collect()
    }

    fn max_orbit(&self) -> u32 {
        self.0.turns.len() as u32
    }

    fn merges_orbits(&self) -> bool {
        false
    }

    fn orbit_size(&self, Slot { tier, index }: Slot) -> u64 {
        let size = self.size(tier);
        let set = self.0.sets.set(size, index / block(size));
        self.0.sets.ways(set).len() as u64
    }

    fn bytes(&self) -> u64 {
        self.0.sets.bytes()
    }

    fn name(&self) -> String {
        let folded = if self.max_orbit() > 1 { "folded" } else { "plain" };
        format!("isolation-{folded}-1")
    }
}

#[cfg(test)]
mod tests {
    use crabwise::Game;

    use super::*;
    use crate::{grid::Grid, isolation::Isolation};

    fn board(rows: u32, columns: u32) -> Isolation {
        let (grid, last) = (Grid { columns, rows }, rows * columns - 1);
        Isolation::new(grid, Duel { live: grid.all(), mine: 0, theirs: last as u8 })
    }

    /// Squares removed at random, and the players on any two that are left.
    fn some(game: &Isolation, random: &mut fastrand::Rng) -> Duel {
        let mut live = game.start().live;
        for _ in 0..random.u32(0..=live.count_ones() - 2) {
            live &= !(1 << nth(live, random.u64(..u64::from(live.count_ones()))));
        }
        let mine = nth(live, random.u64(..u64::from(live.count_ones())));
        let others = live & !(1 << mine);
        let theirs = nth(others, random.u64(..u64::from(others.count_ones())));
        Duel { live, mine, theirs }
    }

    #[test]
    fn positions_of_boards_of_any_size_have_one_slot_with_their_images() {
        let seed = 17;
        let mut random = fastrand::Rng::with_seed(seed);
        for (rows, columns, folded) in [
            (4, 4, true),
            (4, 8, true),
            (6, 6, true),
            (6, 6, false),
            (5, 7, true),
            (5, 8, true),
            (5, 8, false),
            (1, 40, true),
        ] {
            let game = board(rows, columns);
            let index = Numbering::new(Arc::new(Geometry::new(&game, folded)));
            println!("{rows}x{columns}, folded {folded}, seed {seed}");
            for _ in 0..3000 {
                let at = some(&game, &mut random);
                let (slot, alike) = (index.slot(&at), index.orbit(&at));
                assert!(slot.tier == index.tier(&at) && slot.index < index.len(slot.tier));
                assert!(alike.contains(&at) && alike.len() as u64 == index.orbit_size(slot));
                assert!(alike.iter().all(|image| index.slot(image) == slot));
                assert!(index.images(&at).iter().all(|image| index.tier(image) == slot.tier));
                let back = index.position(slot).unwrap();
                assert!(alike.contains(&back) && index.slot(&back) == slot);
                let another = random.u64(..index.len(slot.tier));
                let another = Slot { index: another, ..slot };
                assert_eq!(index.slot(&index.position(another).unwrap()), another);
            }
        }
    }

    /// n(n−1)·2ⁿ⁻² positions without mirror images, and nearly an eighth of that with them.
    #[test]
    fn six_by_six_is_counted() {
        let total = |folded| -> u64 {
            let index = Numbering::new(Arc::new(Geometry::new(&board(6, 6), folded)));
            (0..index.tiers()).map(|tier| index.len(tier)).sum()
        };
        let all = (36 * 35) << 34;
        assert_eq!(total(false), all);
        let folded = total(true);
        assert!(folded > all / 8 && folded < all / 8 / 100 * 103, "{folded}");
    }
}
