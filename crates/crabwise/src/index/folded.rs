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
//! they are made within a few milliseconds, so that a single look-up is quick too. Tails of more than
//! sixteen cells are looked up in two parts, so that the tables stay as small. A table of all sets that are least among
//! their images would leave no set twice, but for 30 cells it would take hundreds of megabytes, made anew for every
//! look-up.

use super::{
    combinadic::{Subsets, binomial, full, lower_ranks, upper_ranks},
    symmetry::{ELEMENT_BITS, Group},
};

/// The most cells that a set can have.
pub const MAX_FOLDED_CELLS: u32 = 40;

/// The most cells of a head.
const MOST_HEAD: u32 = 16;

/// The most cells of the lower part of a tail, 16 bits, and of the upper part.
const MOST_LOW: u32 = 16;
const MOST_HIGH: u32 = 8;

/// Sets of at most 40 cells, images sharing a number wherever their heads tell them.
pub struct FoldedSets {
    group: Group,
    /// The cells as they are numbered here, by their numbers outside.
    inner: Vec<u8>,
    /// How many cells a head has, and which.
    split: u32,
    head: u64,
    /// By head: the number of its orbit, and in the lowest [`ELEMENT_BITS`] bits the element that takes it
    /// to the representative.
    heads: Vec<u32>,
    /// By orbit of heads: the representative.
    representatives: Vec<u32>,
    /// By orbit: elements that take the representative to each of its images, one each; where they
    /// begin in `ways`.
    ways_from: Vec<u32>,
    ways: Vec<u8>,
    tails: Tails,
    /// By size and orbit: the number of the first set; after the last orbit, how many there are.
    starts: Vec<u64>,
}

/// The place of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number among the sets of its size.
    pub rank: u64,
    /// The set that stands for it.
    pub set: u64,
    /// The symmetry that takes it there.
    pub element: u8,
}

impl FoldedSets {
    /// The sets of the cells that `group` acts on.
    ///
    /// # Panics
    /// When these are more than 40, or when the orbits of single cells are so large that more than 24
    /// cells are left for the tails.
    pub fn new(group: &Group) -> FoldedSets {
        let cells = group.cells();
        assert!(cells <= MAX_FOLDED_CELLS, "{cells} cells are more than {MAX_FOLDED_CELLS}");
        let (outer, split) = arrange(group);
        assert!(cells - split <= MOST_LOW + MOST_HIGH, "too many cells for the tables of tails");
        let mut inner = vec![0; outer.len()];
        (0..).zip(&outer).for_each(|(i, &cell)| inner[usize::from(cell)] = i);
        let renumbered = |element: &Vec<u8>| {
            outer.iter().map(|&cell| inner[usize::from(element[usize::from(cell)])]).collect()
        };
        let permutations: Vec<Vec<u8>> = group.permutations().iter().map(renumbered).collect();
        let group = Group::new(cells, &permutations);
        let least = group.least_of(0..1 << split);
        let heads = group.folds(&least, 1 << split, |head| head);
        let (mut ways_from, mut ways) = (vec![0], vec![]);
        for (orbit, &head) in (0..).zip(&least) {
            let first = |&element: &usize| {
                let back = orbit << ELEMENT_BITS | group.inverse(element) as u32;
                heads[group.apply(element, head) as usize] == back
            };
            ways.extend((0..group.order()).filter(first).map(|element| element as u8));
            ways_from.push(ways.len() as u32);
        }
        let mut starts = vec![];
        for size in 0..=cells {
            let mut start = 0;
            for head in &least {
                starts.push(start);
                let rest = size.checked_sub(head.count_ones());
                start += rest.map_or(0, |rest| binomial(cells - split, rest));
            }
            starts.push(start);
        }
        FoldedSets {
            tails: Tails::new(cells - split),
            group,
            inner,
            split,
            head: full(split),
            heads,
            representatives: least.into_iter().map(|head| head as u32).collect(),
            ways_from,
            ways,
            starts,
        }
    }

    fn starts(&self, size: u32) -> &[u64] {
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

    /// The symmetries, acting on the cells as they are numbered here.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// How many numbers the sets of a size have.
    #[inline]
    pub fn len(&self, size: u32) -> u64 {
        self.starts(size)[self.representatives.len()]
    }

    /// The place of a set.
    #[inline]
    pub fn place(&self, set: u64) -> Place {
        self.place_of_size(set.count_ones(), set)
    }

    /// The place of a set whose size is known.
    #[inline(always)]
    pub fn place_of_size(&self, size: u32, set: u64) -> Place {
        let head = self.heads[(set & self.head) as usize];
        let (orbit, element) = (head >> ELEMENT_BITS, head as u8);
        let set = self.group.apply(element.into(), set);
        let start = self.starts[size as usize * (self.representatives.len() + 1) + orbit as usize];
        let tail = self.tails.rank((set >> self.split) as u32);
        Place { rank: start + u64::from(tail), set, element }
    }

    /// The set that stands for those of a rank.
    #[inline]
    pub fn set(&self, size: u32, rank: u64) -> u64 {
        self.from(size, rank).next().expect("a rank below the number of sets")
    }

    /// The sets from a rank on that stand for those of their ranks.
    pub fn from(&self, size: u32, rank: u64) -> impl Iterator<Item = u64> {
        let starts = self.starts(size);
        let first = starts.partition_point(|&start| start <= rank) - 1;
        let mut skipped = starts.get(first).map_or(0, |&start| rank - start);
        let orbits = self.representatives.get(first..).unwrap_or(&[]).iter();
        orbits.flat_map(move |&head| {
            let rest = size.checked_sub(head.count_ones());
            let rest = rest.filter(|rest| *rest <= self.tails.cells).into_iter();
            let skipped = std::mem::take(&mut skipped);
            let tails =
                rest.flat_map(move |rest| Subsets::new(self.tails.cells, rest).from(skipped));
            tails.map(move |tail| u64::from(head) | tail << self.split)
        })
    }

    /// The symmetries that take a set that stands for others to each of them, one each, the identity
    /// first.
    #[inline]
    pub fn ways(&self, representative: u64) -> &[u8] {
        let head = representative & self.head;
        let orbit = (self.heads[head as usize] >> ELEMENT_BITS) as usize;
        &self.ways[self.ways_from[orbit] as usize..self.ways_from[orbit + 1] as usize]
    }

    /// Bytes of memory that the tables take.
    pub fn bytes(&self) -> u64 {
        let orbits = 3 * self.representatives.len() + 2 * self.starts.len();
        let tails = self.tails.lower.len() + self.tails.upper.len();
        (4 * (orbits + tails) + 5 * self.heads.len()) as u64
    }
}

/// Sets of the cells that are in no head, ranked by tables of their lower and of their upper parts. Nearly
/// always there is no upper part.
struct Tails {
    cells: u32,
    /// What parts add to ranks among the tails of one size: by lower part, and by size and upper part.
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Tails {
    fn new(cells: u32) -> Tails {
        let (low, high) = (cells.min(MOST_LOW), cells.saturating_sub(MOST_LOW));
        let upper = (0..=cells).flat_map(|size| upper_ranks(size, low, high)).collect();
        Tails { cells, lower: lower_ranks(low), upper }
    }

    /// The rank of a tail among those of its size.
    #[inline(always)]
    fn rank(&self, tail: u32) -> u32 {
        if self.cells <= MOST_LOW {
            return self.lower[tail as usize];
        }
        let size = tail.count_ones() << (self.cells - MOST_LOW);
        self.upper[(size | tail >> MOST_LOW) as usize] + self.lower[(tail & 0xFFFF) as usize]
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
    let half = if group.order() == 1 { group.cells() / 2 } else { MOST_HEAD };
    let most = half.min(MOST_HEAD);
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

    fn outer(sets: &FoldedSets, set: u64) -> u64 {
        let cells = (0..sets.cells()).filter(|&cell| set >> sets.inner(cell) & 1 == 1);
        cells.fold(0, |all, cell| all | 1 << cell)
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
            (Group::new(10, &[(0..10).rev().collect()]), 1.0),
            (Group::new(1, &[]), 1.0),
            (Group::new(0, &[]), 1.0),
        ] {
            let sets = FoldedSets::new(&group);
            let (mut numbers, mut orbits) = (0, 0);
            for size in 0..=group.cells() {
                let mut met: HashMap<u64, Vec<u64>> = HashMap::new();
                let of_size = (0..1_u64 << group.cells()).filter(|set| set.count_ones() == size);
                for set in of_size {
                    check(&sets, set);
                    met.entry(sets.place(set).rank).or_default().push(set);
                    let outside = [outer(&sets, set)];
                    orbits += u64::from(group.orbit(outside)[0] == outside);
                }
                assert_eq!(met.len() as u64, sets.len(size), "no gaps");
                assert!(
                    sets.from(size, 0).zip(0..).all(|(set, rank)| sets.place(set).rank == rank)
                );
                assert_eq!(sets.from(size, 0).count() as u64, sets.len(size));
                for (rank, mut alike) in met {
                    let stands = sets.set(size, rank);
                    let mut images: Vec<u64> = (sets.ways(stands).iter())
                        .map(|&way| sets.group().apply(way.into(), stands))
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
        assert!((0..25).all(|cell| outer(&sets, 1 << sets.inner(cell)) == 1 << cell));
        for element in 0..8 {
            let image = |set| outer(&sets, sets.group().apply(element, set));
            let images: Vec<u64> = (0..8).map(|g| group.apply(g, outer(&sets, 0b1011))).collect();
            assert!(images.contains(&image(0b1011)));
        }
    }

    /// Sets of every size, the number of which exceeds 32 bits from 36 cells on. Numbers that are there for
    /// nothing are few.
    #[test]
    fn forty_cells_fit() {
        for group in [
            Group::square(5),
            Group::rectangle(6, 5),
            Group::trivial(32),
            Group::rectangle(8, 4),
            Group::trivial(36),
            Group::square(6),
            Group::rectangle(5, 7),
            Group::trivial(40),
            Group::rectangle(5, 8),
            Group::rectangle(1, 40),
        ] {
            let (sets, cells) = (FoldedSets::new(&group), group.cells());
            let least = |size| binomial(cells, size) / group.order() as u64;
            assert!((0..=cells).all(|size| sets.len(size) >= least(size)));
            let numbers: u64 = (0..=cells).map(|size| sets.len(size)).sum();
            let extra = numbers as f64 * group.order() as f64 / (1_u64 << cells) as f64;
            let most = [1.0, 1.02, 1.02, 1.08][group.order().ilog2() as usize];
            assert!((1.0..=most).contains(&extra), "{cells} cells: {extra}");
            assert!(sets.bytes() < 24 << 20, "{} bytes", sets.bytes());
            let mut random = fastrand::Rng::with_seed(3);
            let some = (0..10_000).map(|_| random.u64(..) & full(cells));
            for set in some.chain([0, full(cells), 1, 1 << (cells - 1)]) {
                check(&sets, set);
            }
        }
    }

    /// That a set, its images and the set after it are where they should be.
    fn check(sets: &FoldedSets, set: u64) {
        let (size, place) = (set.count_ones(), sets.place(set));
        assert!(place.rank < sets.len(size));
        assert_eq!(sets.group().apply(place.element.into(), set), place.set);
        assert_eq!(sets.place(place.set), Place { element: 0, ..place });
        let next: Vec<u64> = sets.from(size, place.rank).take(2).collect();
        assert_eq!((next[0], sets.set(size, place.rank)), (place.set, place.set));
        match next.get(1) {
            Some(&next) => assert_eq!(sets.place(next).rank, place.rank + 1),
            None => assert_eq!(place.rank + 1, sets.len(size)),
        }
        for &way in sets.ways(place.set) {
            let image = sets.group().apply(way.into(), place.set);
            assert_eq!(sets.place(image).rank, place.rank);
        }
    }
}
