//! What can be reached, a row of positions at a time.
//!
//! For a set of k squares the marks are k rows of k bits, in ⌈k/8⌉ bytes each: a row for each square of
//! one player and a bit for each of the other, who it is as in the [`numbering`](super::numbering). All
//! sets have marks, mirror images apart, because what can be reached mirrored need not be reachable.
//!
//! A position is reached if one is before it: with one square more, and with the player who waits now
//! a step away from where they are; the step may have been from the very square that is gone. So the
//! rows of all sets with one square more are joined, and what is a step away is found as the
//! [`kernel`](super::kernel) does: from neighbouring rows, or from neighbouring bits.

use std::sync::Arc;

use crabwise::{
    ReachabilityKernel,
    index::{
        combinadic::{compress, expand},
        folded::{FoldedSets, MAX_FOLDED_CELLS},
        symmetry::Group,
    },
};

use super::{
    geometry::{Geometry, MOST, rank},
    numbering::{block, by_mover},
};
use crate::grid::bits;

/// Slots of a set at the most.
const MOST_SLOTS: usize = (MAX_FOLDED_CELLS * (MAX_FOLDED_CELLS - 1)) as usize;

/// Finds what can be reached, tier by tier.
pub(crate) struct Reachability {
    geometry: Arc<Geometry>,
    /// All sets, mirror images apart.
    all: FoldedSets,
    /// Whether a tier in which everything is reached is followed by none but such tiers: the player who
    /// waits at q has come from some square next to it that the other is not on, so q must have two
    /// neighbours. If that square is there, any other may have been removed last; if not, it was.
    lasting: bool,
    /// The tier by which everything should be reached.
    settles: u32,
}

impl Reachability {
    pub(crate) fn new(geometry: Arc<Geometry>) -> Reachability {
        let all = FoldedSets::new(&Group::trivial(geometry.most()));
        let neighbours = &geometry.next_to[..geometry.most() as usize];
        let lasting = neighbours.iter().all(|near| near.count_ones() >= 2);
        let settles = settles(&geometry).filter(|_| lasting).unwrap_or(u32::MAX);
        Reachability { geometry, all, lasting, settles }
    }

    /// How many squares are left in a tier.
    fn size(&self, tier: u32) -> u32 {
        self.geometry.most() - tier
    }

    /// Marks the rows of a set of `size` squares by those of the sets with one square more.
    fn mark(&self, size: u32, set: u64, before: &[u8], out: &mut [u8]) {
        let all = full(self.geometry.most());
        let larger = size + 1;
        let marks = Marks { size: larger, bytes: before };
        // By square: the bits of the squares that are left, and those a step away from one gone.
        let (mut rows, mut near) = ([0; MOST], [0; MOST]);
        for gone in bits(all & !set) {
            let with = set | 1 << gone;
            let place = self.all.place_of_size(larger, with).rank;
            let bit = rank(with, gone as u8);
            let around = compress(self.geometry.next_to[gone as usize], set);
            for (i, square) in bits(with).enumerate() {
                let row = marks.row(place, i);
                rows[square as usize & 63] |= without(row, bit);
                near[square as usize & 63] |= around & (row >> bit & 1).wrapping_neg();
            }
        }
        for (i, square) in bits(set).enumerate() {
            let row = if by_mover(larger) {
                let next_to = bits(self.geometry.next_to[square as usize & 63]);
                next_to.fold(0, |row, next| row | rows[next as usize & 63])
            } else {
                near[square as usize & 63] | self.around(rows[square as usize & 63], set)
            };
            put_row(size, i, row & !(1 << i), out);
        }
    }

    /// The squares of a set next to some of its squares, all by their ranks.
    fn around(&self, some: u64, set: u64) -> u64 {
        let next_to = bits(expand(some, set));
        let next_to = next_to.fold(0, |all, at| all | self.geometry.next_to[at as usize & 63]);
        compress(next_to, set)
    }

    /// Fills `out` with what `fill` makes of the slots of each set, from slot `from` on.
    fn by_sets<T: Copy + Default>(
        &self,
        size: u32,
        from: u64,
        mut out: &mut [T],
        fill: impl Fn(u64, &mut [T]),
    ) {
        let whole = block(size);
        let (mut slots, mut skip) = ([T::default(); MOST_SLOTS], (from % whole) as usize);
        let slots = &mut slots[..whole as usize];
        for set in self.geometry.sets.from(size, from / whole) {
            if out.is_empty() {
                break;
            }
            fill(set, slots);
            let (done, rest) = out.split_at_mut((slots.len() - skip).min(out.len()));
            done.copy_from_slice(&slots[skip..][..done.len()]);
            (out, skip) = (rest, 0);
        }
    }

    /// How many moves there are at each slot of a set.
    fn count_moves(&self, size: u32, set: u64, slots: &mut [u16]) {
        let (mut squares, mut steps) = ([0; MOST], [0; MOST]);
        let near = |square: u32| self.geometry.next_to[square as usize & 63] & set;
        for ((square, steps), at) in squares.iter_mut().zip(&mut steps).zip(bits(set)) {
            // How many steps there are if the other player is not in the way.
            (*square, *steps) = (at, near(at).count_ones());
        }
        let count = size as usize;
        for (row, slots) in slots.chunks_exact_mut(count - 1).enumerate() {
            let beside = near(squares[row]);
            for (i, slot) in slots.iter_mut().enumerate() {
                let lane = i + usize::from(i >= row);
                let steps = if by_mover(size) { steps[row] } else { steps[lane & 63] };
                let steps = steps - (beside >> squares[lane & 63] & 1) as u32;
                *slot = (steps * (size - 2)) as u16;
            }
        }
    }

    /// Adds to `out` the marks of one image of a set: `bit` for each slot that is marked.
    fn add(&self, set: u64, (way, bit): (u8, u8), marks: Marks, out: &mut [u8]) {
        let size = marks.size;
        let group = self.geometry.sets.group();
        let image = group.apply(way.into(), set);
        let place = self.all.place_of_size(size, image).rank;
        if marks.full(place) {
            out.iter_mut().for_each(|slot| *slot |= bit);
            return;
        }
        let (turn, back) = (&self.geometry.turns[usize::from(way)], group.inverse(way.into()));
        for (i, square) in bits(set).enumerate() {
            let row = marks.row(place, rank(image, turn[square as usize & 63]) as usize);
            let there = group.apply(back, expand(row, image));
            let mut bits = without(compress(there, set), i as u32);
            for slot in &mut out[i * (size as usize - 1)..][..size as usize - 1] {
                *slot |= bit & ((bits & 1) as u8).wrapping_neg();
                bits >>= 1;
            }
        }
    }
}

/// The tier by which everything should be reached: both players can have come everywhere, the second of
/// them moving half of the time, with a turn each to spare. `None` if a player can never come everywhere, or
/// comes to some squares only after an even number of steps and to others only after an odd one.
fn settles(geometry: &Geometry) -> Option<u32> {
    let steps = |square: u8| {
        let (mut met, mut now, mut steps) = (1_u64 << square, 1_u64 << square, 0);
        while met.count_ones() < geometry.most() {
            let next = bits(now).fold(0, |next, at| next | geometry.next_to[at as usize]);
            (now, steps) = (next, steps + 1);
            if next & !met == 0 {
                return None;
            }
            met |= next;
        }
        // Two squares that are as far away and next to each other let a player come at any time.
        let odd = bits(now).any(|at| geometry.next_to[at as usize] & now != 0);
        (odd || steps == 0).then_some(steps)
    };
    Some(2 * steps(geometry.start.mover)?.max(steps(geometry.start.other)?) + 2)
}

/// The marks of the sets of some size.
#[derive(Clone, Copy)]
struct Marks<'a> {
    size: u32,
    bytes: &'a [u8],
}

impl Marks<'_> {
    /// The bits of a row of the set of a rank.
    #[inline]
    fn row(self, place: u64, row: usize) -> u64 {
        let width = width(self.size);
        let at = (place as usize * self.size as usize + row) * width;
        match self.bytes[at..].first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes) & full(self.size),
            None => {
                let bytes = self.bytes[at..at + width].iter().rev();
                bytes.fold(0, |row, &byte| row << 8 | u64::from(byte))
            }
        }
    }

    /// Whether everything is marked in the set of a rank.
    fn full(self, place: u64) -> bool {
        (0..self.size as usize).all(|i| self.row(place, i) == full(self.size) & !(1 << i))
    }
}

fn put_row(size: u32, row: usize, bits: u64, out: &mut [u8]) {
    let width = width(size);
    out[row * width..][..width].copy_from_slice(&bits.to_le_bytes()[..width]);
}

/// Bytes that a row takes.
#[inline]
fn width(size: u32) -> usize {
    size.div_ceil(8) as usize
}

#[inline]
fn full(size: u32) -> u64 {
    (1 << size) - 1
}

/// A row without one of its bits, those after it moved down.
#[inline]
fn without(row: u64, bit: u32) -> u64 {
    let below = (1 << bit) - 1;
    row & below | row >> 1 & !below
}

impl ReachabilityKernel for Reachability {
    fn own_bytes(&self) -> u64 {
        self.all.bytes()
    }

    fn bytes(&self, tier: u32) -> u64 {
        let size = self.size(tier);
        self.all.len(size) * self.grain(tier)
    }

    fn grain(&self, tier: u32) -> u64 {
        let size = self.size(tier);
        u64::from(size) * width(size) as u64
    }

    fn spread(&self, tier: u32, from: u64, before: &[u8], out: &mut [u8]) {
        let (size, grain) = (self.size(tier), self.grain(tier));
        if tier == 0 {
            let start = self.geometry.start;
            let (row, bit) = if by_mover(size) {
                (start.mover, start.other)
            } else {
                (start.other, start.mover)
            };
            return put_row(size, row.into(), 1 << bit, out);
        }
        let sets = self.all.from(size, from / grain);
        for (set, out) in sets.zip(out.chunks_exact_mut(grain as usize)) {
            self.mark(size, set, before, out);
        }
    }

    fn settled(&self, tier: u32, marks: &[u8]) -> bool {
        let size = self.size(tier);
        let marks = Marks { size, bytes: marks };
        let sets = marks.bytes.len() as u64 / self.grain(tier);
        self.lasting && (0..sets).all(|set| marks.full(set))
    }

    fn settles(&self) -> u32 {
        self.settles
    }

    fn members(&self, tier: u32, from: u64, marks: Option<&[u8]>, out: &mut [u8]) {
        let size = self.size(tier);
        self.by_sets(size, from, out, |set, slots| {
            let ways = self.geometry.sets.ways(set);
            let Some(bytes) = marks else { return slots.fill(u8::MAX >> (8 - ways.len())) };
            slots.fill(0);
            for (&way, i) in ways.iter().zip(0..) {
                self.add(set, (way, 1 << i), Marks { size, bytes }, slots);
            }
        });
    }

    fn moves(&self, tier: u32, from: u64, out: &mut [u16]) {
        let size = self.size(tier);
        self.by_sets(size, from, out, |set, slots| self.count_moves(size, set, slots));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crabwise::{Game, Index, Slot};

    use super::*;
    use crate::{
        grid::Grid,
        isolation::{Duel, Isolation, numbering::Numbering},
    };

    /// The first tier in which everything is reached, if there is one.
    fn settled(reachability: &Reachability) -> Option<u32> {
        let mut before = vec![];
        (0..reachability.geometry.most() - 1).find(|&tier| {
            let mut marks = vec![0; reachability.bytes(tier) as usize];
            reachability.spread(tier, 0, &before, &mut marks);
            before = marks;
            reachability.settled(tier, &before)
        })
    }

    /// The positions after one turn more.
    fn after(game: &Isolation, before: &HashSet<Duel>) -> HashSet<Duel> {
        let next = |at| game.moves(at).into_iter().map(|turn| game.play(at, turn));
        before.iter().flat_map(next).collect()
    }

    /// Where a row takes more than four bytes as well: the first tiers of large boards, and the moves there.
    #[test]
    fn large_boards_are_marked_as_by_the_rules() {
        for (rows, columns) in [(4, 4), (6, 6), (5, 7)] {
            let grid = Grid { columns, rows };
            let (mine, theirs) = (columns as u8 / 2, (rows * columns) as u8 - 2);
            let game = Isolation::new(grid, Duel { live: grid.all(), mine, theirs });
            let geometry = Arc::new(Geometry::new(&game, true));
            let (index, reachability) =
                (Numbering::new(geometry.clone()), Reachability::new(geometry));
            let (mut before, mut reached) = (vec![], HashSet::from([game.start()]));
            for tier in 0..3 {
                let mut marks = vec![0; reachability.bytes(tier) as usize];
                reachability.spread(tier, 0, &before, &mut marks);
                let len = index.len(tier) as usize;
                let (mut members, mut moves) = (vec![0; len], vec![0; len]);
                reachability.members(tier, 0, Some(&marks), &mut members);
                reachability.moves(tier, 0, &mut moves);
                for (slot, (&members, &moves)) in members.iter().zip(&moves).enumerate() {
                    let at = index.position(Slot { tier, index: slot as u64 }).unwrap();
                    let alike = index.orbit(&at).into_iter().zip(0..);
                    let known =
                        alike.fold(0, |all, (at, i)| all | u8::from(reached.contains(&at)) << i);
                    assert_eq!(members, known, "{rows}x{columns}\n{}", game.show(&at));
                    assert_eq!(usize::from(moves), game.moves(&at).into_iter().count());
                }
                (before, reached) = (marks, after(&game, &reached));
            }
        }
    }

    #[test]
    fn everything_is_reached_no_later_than_predicted() {
        for (rows, columns, removed) in [
            (2, 3, 0),
            (2, 5, 0),
            (3, 3, 0),
            (3, 3, 0b10_000),
            (3, 4, 0),
            (4, 4, 0),
            (2, 8, 0),
            (3, 5, 0b1110_00000),
            (5, 3, 0b111_000_000),
            (3, 3, 0b010_101_010),
            (1, 5, 0),
        ] {
            let grid = Grid { columns, rows };
            let live = grid.all() & !removed;
            let (mine, theirs) = (live.trailing_zeros() as u8, live.ilog2() as u8);
            let game = Isolation::new(grid, Duel { live, mine, theirs });
            let reachability = Reachability::new(Arc::new(Geometry::new(&game, true)));
            let (predicted, tiers) = (reachability.settles(), reachability.geometry.most() - 1);
            let found = settled(&reachability);
            println!("{rows}x{columns} without {removed:b}: {found:?}, predicted {predicted}");
            assert!(found.unwrap_or(tiers) <= predicted);
        }
    }
}
