//! Sets of cells, of whatever size, up to the symmetries of a board, without a search.
//!
//! The cells are renumbered so that those of the first orbits, up to sixteen cells, come first: the
//! *head* of a set is its part there, the *tail* is the rest. The head alone decides: it is brought to
//! the representative of its orbit, by a table, and the tail goes with it. Sets of one size are then
//! numbered by the orbit of the head and the rank of the tail, without a gap.
//!
//! Where a head is symmetric itself, tails that mirror each other are not told to be the same: a few
//! in a hundred sets are numbered twice or more often, which costs less than telling would, and every
//! set still has one number. With symmetries the tables have 2¹⁶ entries, and a few thousand for each size;
//! they are made within a millisecond or two, so that a single look-up is quick too.

use super::{combinadic::full, symmetry::Group};

/// The most cells that a set can have.
pub const MAX_FOLDED_CELLS: u32 = 32;

/// The most cells of a head.
const MOST_HEAD: u32 = 16;

/// Sets of at most 32 cells, images sharing a number wherever their heads tell them.
pub struct FoldedSets {
    group: Group,
    /// The cells as they are numbered here, by their numbers outside; and the other way round.
    inner: Vec<u8>,
    outer: Vec<u8>,
    /// How many cells a head has.
    split: u32,
    /// By head.
    heads: Vec<Head>,
    /// By orbit of heads: the representative.
    representatives: Vec<u32>,
    /// By orbit: elements that take the representative to each of its images, one each; where they
    /// begin in `ways`.
    ways_from: Vec<u32>,
    ways: Vec<u8>,
    /// By element and tail: where the element takes the tail.
    tails: Vec<u32>,
    /// By tail: its rank among those of its size.
    tail_ranks: Vec<u32>,
    /// By size: the tails of that size.
    tails_of: Vec<Vec<u32>>,
    /// By size and orbit: the number of the first set; after the last orbit, how many there are.
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Head {
    orbit: u32,
    element: u8,
}

/// The place of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number among the sets of its size.
    pub rank: u32,
    /// The set that stands for it.
    pub set: u32,
    /// The symmetry that takes it there.
    pub element: u8,
}

impl FoldedSets {
    /// The sets of the cells that `group` acts on.
    ///
    /// # Panics
    /// When these are more than 32, or when the orbits of single cells are so large that more than 24
    /// cells are left for the tails.
    pub fn new(group: &Group) -> FoldedSets {
        let cells = group.cells();
        assert!(cells <= MAX_FOLDED_CELLS, "{cells} cells do not fit in 32 bits");
        let (outer, split) = arrange(group);
        assert!(cells - split <= 24, "too many cells for the tables of tails");
        let mut inner = vec![0; outer.len()];
        (0..).zip(&outer).for_each(|(i, &cell)| inner[usize::from(cell)] = i);
        let renumbered = |element: &Vec<u8>| {
            outer.iter().map(|&cell| inner[usize::from(element[usize::from(cell)])]).collect()
        };
        let permutations: Vec<Vec<u8>> = group.permutations().iter().map(renumbered).collect();
        let group = Group::new(cells, &permutations);
        let tail_cells = cells - split;
        let tails = (0..group.order()).flat_map(|element| {
            let image =
                |tail: u32| (group.apply(element, u64::from(tail) << split) >> split) as u32;
            (0..1_u32 << tail_cells).map(image).collect::<Vec<_>>()
        });
        let tails = tails.collect();
        let mut tails_of = vec![vec![]; tail_cells as usize + 1];
        let tail_ranks = (0..1_u32 << tail_cells).map(|tail| {
            let alike: &mut Vec<u32> = &mut tails_of[tail.count_ones() as usize];
            alike.push(tail);
            alike.len() as u32 - 1
        });
        let tail_ranks = tail_ranks.collect();
        let mut sets = FoldedSets {
            group,
            inner,
            outer,
            split,
            heads: vec![Head::default(); 1 << split],
            representatives: vec![],
            ways_from: vec![0],
            ways: vec![],
            tails,
            tail_ranks,
            tails_of,
            starts: vec![],
        };
        sets.fold_heads();
        sets.number();
        sets
    }

    /// Finds the orbits of heads, the least head of each standing for it.
    fn fold_heads(&mut self) {
        let mut met = vec![false; self.heads.len()];
        for head in 0..1_u32 << self.split {
            if met[head as usize] {
                continue;
            }
            let orbit = self.representatives.len() as u32;
            for element in 0..self.group.order() {
                let image = self.group.apply(element, head.into()) as usize;
                if !met[image] {
                    met[image] = true;
                    let element_back = self.group.inverse(element) as u8;
                    self.heads[image] = Head { orbit, element: element_back };
                    self.ways.push(element as u8);
                }
            }
            self.representatives.push(head);
            self.ways_from.push(self.ways.len() as u32);
        }
    }

    fn number(&mut self) {
        for size in 0..=self.cells() {
            let mut start = 0;
            for i in 0..self.representatives.len() {
                self.starts.push(start);
                start += self.tails_with(size, self.representatives[i]).len() as u32;
            }
            self.starts.push(start);
        }
    }

    fn starts(&self, size: u32) -> &[u32] {
        let orbits = self.representatives.len() + 1;
        &self.starts[size as usize * orbits..][..orbits]
    }

    /// How many cells there are.
    pub fn cells(&self) -> u32 {
        self.group.cells()
    }

    /// The number that a cell has in the sets here.
    #[inline]
    pub fn inner(&self, cell: u32) -> u32 {
        self.inner[cell as usize].into()
    }

    /// The cell that has a number in the sets here.
    #[inline]
    pub fn outer(&self, cell: u32) -> u32 {
        self.outer[cell as usize].into()
    }

    /// The symmetries, acting on the cells as they are numbered here.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// How many numbers the sets of a size have.
    #[inline]
    pub fn len(&self, size: u32) -> u64 {
        self.starts(size)[self.representatives.len()].into()
    }

    /// Never: there is always the empty set.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The place of a set.
    #[inline]
    pub fn place(&self, set: u32) -> Place {
        self.place_of_size(set.count_ones(), set)
    }

    /// The place of a set whose size is known.
    #[inline]
    pub fn place_of_size(&self, size: u32, set: u32) -> Place {
        let Head { orbit, element } = self.heads[(set & full(self.split) as u32) as usize];
        let tail_cells = self.cells() - self.split;
        // A shift by all 32 bits cannot be: a tail of no cells is empty.
        let tail = (u64::from(set) >> self.split) as usize;
        let tail = self.tails[usize::from(element) << tail_cells | tail];
        let start = self.starts[size as usize * (self.representatives.len() + 1) + orbit as usize];
        Place {
            rank: start + self.tail_ranks[tail as usize],
            set: self.representatives[orbit as usize] | (u64::from(tail) << self.split) as u32,
            element,
        }
    }

    /// The set that stands for those of a rank.
    #[inline]
    pub fn set(&self, size: u32, rank: u64) -> u32 {
        self.from(size, rank).next().expect("a rank below the number of sets")
    }

    /// The sets from a rank on that stand for those of their ranks.
    pub fn from(&self, size: u32, rank: u64) -> impl Iterator<Item = u32> {
        let starts = self.starts(size);
        let first = starts.partition_point(|&start| u64::from(start) <= rank) - 1;
        let mut skipped = starts.get(first).map_or(0, |&start| rank - u64::from(start)) as usize;
        let orbits = self.representatives.get(first..).unwrap_or(&[]).iter();
        orbits.flat_map(move |&head| {
            let tails = self.tails_with(size, head).get(std::mem::take(&mut skipped)..);
            let tails = tails.unwrap_or(&[]).iter();
            tails.map(move |&tail| head | (u64::from(tail) << self.split) as u32)
        })
    }

    /// The tails that make a head a set of some size.
    fn tails_with(&self, size: u32, head: u32) -> &[u32] {
        let rest = size.checked_sub(head.count_ones());
        rest.and_then(|rest| self.tails_of.get(rest as usize)).map_or(&[], |tails| tails)
    }

    /// The symmetries that take a set that stands for others to each of them, one each, the identity
    /// first.
    #[inline]
    pub fn ways(&self, representative: u32) -> &[u8] {
        let head = representative & full(self.split) as u32;
        let orbit = self.heads[head as usize].orbit as usize;
        &self.ways[self.ways_from[orbit] as usize..self.ways_from[orbit + 1] as usize]
    }

    /// Bytes of memory that the tables take.
    pub fn bytes(&self) -> u64 {
        let tails = 3 * self.tail_ranks.len() + self.tails.len();
        let orbits = 3 * self.representatives.len() + self.starts.len();
        (4 * (tails + orbits) + 9 * self.heads.len()) as u64
    }
}

/// The cells in an order in which the orbits that make up the heads come first, and how many cells
/// these have. The largest orbits are moved by the most symmetries, so that the fewest heads are
/// symmetric.
fn arrange(group: &Group) -> (Vec<u8>, u32) {
    let mut orbits: Vec<Vec<u8>> = vec![];
    for cell in 0..group.cells() {
        if orbits.iter().flatten().all(|&other| u32::from(other) != cell) {
            let images = group.orbit([1 << cell]);
            orbits.push(images.iter().map(|[image]| image.trailing_zeros() as u8).collect());
        }
    }
    // Without symmetries the tables are smallest when both halves are alike.
    let most = if group.order() == 1 { group.cells() / 2 } else { MOST_HEAD };
    let (mut head, mut tail) = (vec![], vec![]);
    orbits.sort_by_key(|orbit| std::cmp::Reverse(orbit.len()));
    for orbit in orbits {
        let fits = head.len() + orbit.len() <= most as usize;
        if fits { head.extend(orbit) } else { tail.extend(orbit) }
    }
    head.sort_unstable();
    tail.sort_unstable();
    let split = head.len() as u32;
    head.extend(tail);
    (head, split)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::index::combinadic::binomial;

    fn outer(sets: &FoldedSets, set: u32) -> u64 {
        let cells = (0..sets.cells()).filter(|cell| set >> cell & 1 == 1);
        cells.fold(0, |all, cell| all | 1 << sets.outer(cell))
    }

    /// Every set has a place, its representative is an image of it and has the same place, and the
    /// ways from there lead to all sets that have this place and no others.
    #[test]
    fn every_set_has_one_number_and_its_images_nearly_the_same() {
        for (group, most_extra) in [
            (Group::square(3), 1.0),
            (Group::square(4), 1.0),
            (Group::rectangle(3, 4), 1.0),
            (Group::rectangle(5, 4), 1.02),
            (Group::trivial(9), 1.0),
            (Group::half_turn(5, 2), 1.0),
            (Group::new(1, &[]), 1.0),
            (Group::new(0, &[]), 1.0),
        ] {
            let sets = FoldedSets::new(&group);
            let (mut numbers, mut orbits) = (0, 0);
            for size in 0..=group.cells() {
                let mut met: HashMap<u32, Vec<u32>> = HashMap::new();
                let of_size = (0..1_u32 << group.cells()).filter(|set| set.count_ones() == size);
                for set in of_size {
                    let Place { rank, set: stands, element } = sets.place(set);
                    assert_eq!(sets.group().apply(element.into(), set.into()), u64::from(stands));
                    assert_eq!(sets.place(stands), Place { rank, set: stands, element: 0 });
                    assert_eq!(sets.set(size, rank.into()), stands);
                    met.entry(rank).or_default().push(set);
                    orbits +=
                        u64::from(group.canonical([outer(&sets, set)]) == [outer(&sets, set)]);
                }
                assert_eq!(met.len() as u64, sets.len(size), "no gaps");
                assert!(
                    sets.from(size, 0).zip(0..).all(|(set, rank)| sets.place(set).rank == rank)
                );
                assert_eq!(sets.from(size, 0).count() as u64, sets.len(size));
                for (rank, mut alike) in met {
                    let stands = sets.set(size, rank.into());
                    let mut images: Vec<u32> = (sets.ways(stands).iter())
                        .map(|&way| sets.group().apply(way.into(), stands.into()) as u32)
                        .collect();
                    assert_eq!(images[0], stands);
                    images.sort_unstable();
                    alike.sort_unstable();
                    assert_eq!(images, alike);
                }
                numbers += sets.len(size);
            }
            let extra = numbers as f64 / orbits as f64;
            assert!((1.0..=most_extra).contains(&extra), "{extra}");
        }
    }

    #[test]
    fn cells_are_renumbered_with_their_symmetries() {
        let group = Group::square(5);
        let sets = FoldedSets::new(&group);
        for cell in 0..25 {
            assert_eq!(sets.outer(sets.inner(cell)), cell);
        }
        for element in 0..8 {
            let image = |set| outer(&sets, sets.group().apply(element, set) as u32);
            let images: Vec<u64> = (0..8).map(|g| group.apply(g, outer(&sets, 0b1011))).collect();
            assert!(images.contains(&image(0b1011)));
        }
    }

    /// On larger boards the numbers that are there for nothing are few.
    #[test]
    fn little_is_numbered_twice() {
        for (group, most) in [(Group::square(5), 1.08), (Group::rectangle(6, 5), 1.02)] {
            let sets = FoldedSets::new(&group);
            let numbers: u64 = (0..=group.cells()).map(|size| sets.len(size)).sum();
            let least = (1_u64 << group.cells()) / group.order() as u64;
            let extra = numbers as f64 / least as f64;
            println!("{extra}");
            assert!(extra < most, "{extra}");
        }
    }

    #[test]
    fn thirty_two_cells_fit() {
        for group in [Group::trivial(32), Group::rectangle(8, 4)] {
            let sets = FoldedSets::new(&group);
            if group.order() == 1 {
                assert!((0..=32).all(|size| sets.len(size) == binomial(32, size)));
            }
            let mut random = fastrand::Rng::with_seed(3);
            for set in (0..10_000).map(|_| random.u32(..)).chain([0, u32::MAX, 1, 1 << 31]) {
                let place = sets.place(set);
                assert!(u64::from(place.rank) < sets.len(set.count_ones()));
                assert_eq!(sets.set(set.count_ones(), place.rank.into()), place.set);
                assert_eq!(sets.place(place.set), Place { element: 0, ..place });
            }
        }
    }
}
