//! Symmetries of a board, and numberings in which mirror images share a slot.
//!
//! A [`Group`] is a set of permutations of the cells that is closed under composition. Two tuples
//! of cell sets are images of each other when one element takes the one to the other; the images
//! of a tuple are its orbit, and its smallest image stands for all.
//!
//! [`FoldedPair`] numbers the orbits of pairs of disjoint sets, `a` cells for the first colour and
//! `b` for the second. The first set is brought to the representative of its orbit, by a table.
//! What is left of the group is the representative's stabiliser, the elements that keep it.
//!
//! - Trivial stabiliser: the second set's rank among the free cells tells the orbit of the pair.
//!   This is nearly every representative on a board of some size.
//! - Two elements: the other one is a mirror of the free cells, and [`Mirrored`] numbers the
//!   second set's orbits without a gap.
//! - More: the orbit has the least of the numbers that [`Mirrored`] gives to the second set's
//!   images, for one mirror of the stabiliser (or for none, where no element is its own inverse).
//!   The other numbers are holes. These are the only holes there are.

use std::{collections::HashMap, fmt, sync::Arc};

use super::combinadic::{
    Colours, MAX_CELLS, Mirrored, Ranks, Subsets, close, compress, expand, open,
};

/// The most elements that a group can have.
pub const MAX_ORDER: usize = 1 << ELEMENT_BITS;

/// Bits that the number of an element takes.
pub(super) const ELEMENT_BITS: u32 = 8;

/// A finite group of permutations of the cells of a board.
///
/// Elements are numbered from 0, the identity. An element takes about 2 KiB for every eight cells.
pub struct Group {
    cells: u32,
    permutations: Vec<Vec<u8>>,
    inverses: Vec<u8>,
    /// For each element, and each byte of a set, the images of the byte's 256 values.
    images: Vec<[u64; 256]>,
}

impl Group {
    /// The group that the permutations in `generators` generate; each says for every cell where
    /// it goes.
    ///
    /// # Panics
    /// When there are more than 64 cells, when a generator is not a permutation of them, or when
    /// the group has more than 256 elements.
    pub fn new(cells: u32, generators: &[Vec<u8>]) -> Group {
        assert!(cells <= MAX_CELLS, "{cells} cells do not fit in 64 bits");
        let identity: Vec<u8> = (0..cells as u8).collect();
        for generator in generators {
            let mut sorted = generator.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, identity, "a generator must be a permutation of the cells");
        }
        let permutations = closure(identity, generators);
        let inverses = permutations.iter().map(|element| inverse(element, &permutations)).collect();
        let images = permutations.iter().flat_map(|element| images(element)).collect();
        Group { cells, permutations, inverses, images }
    }

    /// The group of the identity alone.
    pub fn trivial(cells: u32) -> Group {
        Group::new(cells, &[])
    }

    /// The four symmetries of a rectangle, cell = row · columns + column. There are fewer on a
    /// board of a single row or column.
    pub fn rectangle(columns: u32, rows: u32) -> Group {
        let across = on_board(columns, rows, |x, y| [columns - 1 - x, y]);
        let down = on_board(columns, rows, |x, y| [x, rows - 1 - y]);
        Group::new(columns * rows, &[across, down])
    }

    /// The eight symmetries of a square, cell = row · side + column. There is one if side is 1.
    pub fn square(side: u32) -> Group {
        let across = on_board(side, side, |x, y| [side - 1 - x, y]);
        let diagonal = on_board(side, side, |x, y| [y, x]);
        Group::new(side * side, &[across, diagonal])
    }

    /// How many cells the group acts on.
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// How many elements the group has.
    pub fn order(&self) -> usize {
        self.permutations.len()
    }

    /// The elements: where each takes every cell.
    pub fn permutations(&self) -> &[Vec<u8>] {
        &self.permutations
    }

    /// The image of a set of cells under an element.
    #[inline]
    pub fn apply(&self, element: usize, set: u64) -> u64 {
        let bytes = self.bytes();
        let images = &self.images[element * bytes..][..bytes];
        let (mut image, mut rest) = (0, set);
        for of in images {
            image |= of[usize::from(rest as u8)];
            rest >>= 8;
        }
        image
    }

    /// The element that undoes an element.
    pub fn inverse(&self, element: usize) -> usize {
        self.inverses[element].into()
    }

    /// The images of a tuple of sets, each once, the smallest first.
    pub fn orbit<const N: usize>(&self, sets: [u64; N]) -> Vec<[u64; N]> {
        let image = |element| sets.map(|set| self.apply(element, set));
        let mut images: Vec<[u64; N]> = (0..self.order()).map(image).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    fn bytes(&self) -> usize {
        self.cells.div_ceil(8) as usize
    }

    /// Of an element that is its own inverse: the cells that it moves up, and those it leaves
    /// alone.
    fn sides(&self, mirror: usize) -> [u64; 2] {
        let (mut up, mut alone) = (0, 0);
        for (cell, &to) in (0..).zip(&self.permutations[mirror]) {
            up |= u64::from(cell < to) << cell;
            alone |= u64::from(cell == to) << cell;
        }
        [up, alone]
    }

    /// The elements that take `set` to itself, the identity first.
    fn stabiliser(&self, set: u64) -> impl Iterator<Item = usize> {
        (0..self.order()).filter(move |&element| self.apply(element, set) == set)
    }

    /// Of some sets those without a smaller image, which stand for their orbits.
    pub(super) fn least_of(&self, sets: impl Iterator<Item = u64>) -> Vec<u64> {
        let least = |&set: &u64| (1..self.order()).all(|element| self.apply(element, set) >= set);
        sets.filter(least).collect()
    }

    /// For the place of each set: the number of its orbit, and in the lowest [`ELEMENT_BITS`] bits the
    /// element that takes it to its representative, of several the one that the first leads back from.
    pub(super) fn folds(
        &self,
        representatives: &[u64],
        places: u64,
        place: impl Fn(u64) -> u64,
    ) -> Vec<u32> {
        let mut folds = vec![0; places as usize];
        for (orbit, &set) in (0_u32..).zip(representatives) {
            for element in (0..self.order()).rev() {
                let image = place(self.apply(element, set));
                folds[image as usize] = orbit << ELEMENT_BITS | self.inverse(element) as u32;
            }
        }
        folds
    }
}

fn on_board(columns: u32, rows: u32, to: impl Fn(u32, u32) -> [u32; 2]) -> Vec<u8> {
    let place = |cell: u32| {
        let [x, y] = to(cell % columns, cell / columns);
        (y * columns + x) as u8
    };
    assert!(u64::from(columns) * u64::from(rows) <= MAX_CELLS.into(), "more than 64 cells");
    (0..columns * rows).map(place).collect()
}

fn closure(identity: Vec<u8>, generators: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut found = vec![identity];
    let mut next = 0;
    while next < found.len() {
        for generator in generators {
            let product: Vec<u8> =
                found[next].iter().map(|&cell| generator[cell as usize]).collect();
            if !found.contains(&product) {
                assert!(found.len() < MAX_ORDER, "the group has more than {MAX_ORDER} elements");
                found.push(product);
            }
        }
        next += 1;
    }
    found
}

fn inverse(element: &[u8], among: &[Vec<u8>]) -> u8 {
    let undoes = |other: &Vec<u8>| (0..).zip(element).all(|(cell, &to)| other[to as usize] == cell);
    among.iter().position(undoes).expect("a finite set closed under composition is a group") as u8
}

fn images(permutation: &[u8]) -> Vec<[u64; 256]> {
    let byte = |cells: &[u8]| {
        let mut images = [0; 256];
        for value in 1..1_usize << cells.len() {
            let lowest = value.trailing_zeros() as usize;
            images[value] = images[value & (value - 1)] | 1 << cells[lowest];
        }
        images
    };
    permutation.chunks(8).map(byte).collect()
}

/// The most subsets that a [`FoldedPair`] keeps a table of: 64 MiB.
pub const MAX_FOLDED: u64 = 1 << 24;

/// Pairs of disjoint sets of given sizes, images under a group sharing a slot.
///
/// The table takes four bytes for every set of the first colour, C(cells, a) in all, and eight for
/// every orbit of them; an orbit whose representative has a stabiliser takes 56 more. Tables of
/// the second sets and of ranks take half a MiB and 128 KiB at the most. Pairs with as many cells of
/// the first colour can have the tables of first sets in common: see
/// [`with_second`](FoldedPair::with_second).
pub struct FoldedPair {
    firsts: Arc<Firsts>,
    /// Whether these are another pair's, too, and counted there.
    borrowed: bool,
    second: Ranks,
    /// The orbits after those with a trivial stabiliser, in order.
    symmetric: Vec<Symmetric>,
    /// The second sets among the free cells, by their ranks, if they are not too many.
    seconds: Vec<u64>,
    /// The slots of one representative with a trivial stabiliser.
    block: u64,
    /// The slots of all representatives with a trivial stabiliser.
    plain: u64,
    len: u64,
}

/// The first sets.
struct Firsts {
    group: Arc<Group>,
    ranks: Ranks,
    /// For the rank of a first set: the number of its orbit, and in the lowest
    /// [`ELEMENT_BITS`] bits the element that takes it to its representative.
    folds: Vec<u32>,
    /// The representative of each orbit; those with a trivial stabiliser come first.
    representatives: Vec<u64>,
    /// How many of these have a trivial stabiliser.
    plain: usize,
}

/// An orbit of first sets whose representative has a stabiliser.
struct Symmetric {
    start: u64,
    /// An element of the stabiliser that is its own inverse: the identity if there is no other.
    mirror: usize,
    /// The elements of the stabiliser but the identity and the mirror: none, and no holes, where these are all
    /// there is.
    others: Vec<usize>,
    /// The free cells that the mirror moves, one of each pair.
    halves: u64,
    /// The free cells that it leaves alone.
    alone: u64,
    /// Of the second sets, shared by orbits with as many cells of both kinds.
    numbering: Arc<Mirrored>,
}

/// Up to how many second sets are kept in a table, half a MiB, instead of being worked out.
const MOST_SECONDS: u64 = 1 << 16;

/// Why a [`FoldedPair`] cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfoldable {
    /// The number of entries that the table of first sets would have, more than [`MAX_FOLDED`].
    Table(u64),
    /// There are more pairs than can be counted in 64 bits.
    Pairs,
}

impl fmt::Display for Unfoldable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfoldable::Table(entries) => write!(
                f,
                "folding needs a table of {entries} entries, and {MAX_FOLDED} are the most; \
                 take fewer cells, or the colour with fewer stones first"
            ),
            Unfoldable::Pairs => f.write_str("more placements than 64 bits can count"),
        }
    }
}

impl std::error::Error for Unfoldable {}

#[allow(clippy::len_without_is_empty, reason = "there is always a placement")]
impl FoldedPair {
    /// `a` cells of the first colour and `b` of the second, up to the symmetries in `group`.
    ///
    /// # Panics
    /// When the group acts on fewer than a + b cells.
    pub fn new(group: Arc<Group>, a: u32, b: u32) -> Result<FoldedPair, Unfoldable> {
        let cells = group.cells();
        Colours::new(cells, [a, b]).ok_or(Unfoldable::Pairs)?;
        let sets = Subsets::new(cells, a);
        if sets.len() > MAX_FOLDED {
            return Err(Unfoldable::Table(sets.len()));
        }
        let (mut representatives, symmetric): (Vec<u64>, Vec<u64>) = (group.least_of(sets.iter()))
            .into_iter()
            .partition(|&set| group.stabiliser(set).nth(1).is_none());
        let plain = representatives.len();
        representatives.extend(symmetric);
        let folds = group.folds(&representatives, sets.len(), |set| sets.rank(set));
        let firsts = Firsts { group, ranks: Ranks::new(sets), folds, representatives, plain };
        FoldedPair::of(Arc::new(firsts), false, b)
    }

    /// As many cells of the first colour and `b` of the second. The tables of first sets are shared.
    ///
    /// # Panics
    /// When the group acts on too few cells.
    pub fn with_second(&self, b: u32) -> Result<FoldedPair, Unfoldable> {
        FoldedPair::of(self.firsts.clone(), true, b)
    }

    fn of(firsts: Arc<Firsts>, borrowed: bool, b: u32) -> Result<FoldedPair, Unfoldable> {
        let (group, a) = (&*firsts.group, firsts.ranks.subsets.size);
        let second = Colours::new(group.cells(), [a, b]).ok_or(Unfoldable::Pairs)?.second;
        let plain = firsts.plain as u64 * second.len();
        let (mut len, mut symmetric, mut numberings) = (plain, vec![], HashMap::new());
        for &representative in &firsts.representatives[firsts.plain..] {
            let stabiliser = || group.stabiliser(representative).skip(1);
            let mirror = stabiliser().find(|&g| group.inverse(g) == g).unwrap_or(0);
            let others = stabiliser().filter(|&element| element != mirror).collect();
            let [halves, alone] = group.sides(mirror).map(|side| side & !representative);
            let [pairs, singles] = [halves, alone].map(u64::count_ones);
            let numbering: &Arc<Mirrored> = numberings
                .entry([pairs, singles])
                .or_insert_with(|| Arc::new(Mirrored::new(pairs, singles, b)));
            let (start, numbering) = (len, numbering.clone());
            len += numbering.len();
            symmetric.push(Symmetric { start, mirror, others, halves, alone, numbering });
        }
        Ok(FoldedPair {
            borrowed,
            second: Ranks::new(second),
            symmetric,
            seconds: if second.len() <= MOST_SECONDS { second.iter().collect() } else { vec![] },
            block: second.len(),
            plain,
            len,
            firsts,
        })
    }

    /// How many slots there are, holes included.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The slot of a pair, which its images share.
    #[inline]
    pub fn slot(&self, first: u64, second: u64) -> u64 {
        let Firsts { group, ranks, folds, representatives, .. } = &*self.firsts;
        let fold = folds[ranks.rank(first) as usize];
        let (orbit, element) = (fold >> ELEMENT_BITS, fold & ((1 << ELEMENT_BITS) - 1));
        let second = group.apply(element as usize, second);
        let start = u64::from(orbit) * self.block;
        if start < self.plain {
            start + self.second.rank(close(second, representatives[orbit as usize]))
        } else {
            self.symmetric_slot(orbit as usize, second)
        }
    }

    /// The pair that stands for its images at a slot below [`len`](FoldedPair::len); `None` for a
    /// hole.
    pub fn position(&self, slot: u64) -> Option<[u64; 2]> {
        if slot >= self.plain {
            return self.symmetric_position(slot);
        }
        let (orbit, rank) = (slot / self.block, slot % self.block);
        let first = self.firsts.representatives[orbit as usize];
        let second = match self.seconds.get(rank as usize) {
            Some(&second) => second,
            None => self.second.subsets.unrank(rank),
        };
        Some([first, open(second, first)])
    }

    /// How many pairs share a slot below [`len`](FoldedPair::len); 0 for a hole.
    #[inline]
    pub fn orbit(&self, slot: u64) -> u64 {
        let group = &self.firsts.group;
        if slot < self.plain {
            return group.order() as u64;
        }
        self.symmetric_position(slot).map_or(0, |[first, second]| {
            let keeps = |&element: &usize| group.apply(element, second) == second;
            let kept = group.stabiliser(first).filter(keeps).count();
            (group.order() / kept) as u64
        })
    }

    /// Bytes of memory that the tables take, without those of another pair.
    pub fn bytes(&self) -> u64 {
        let Firsts { folds, representatives, ranks, .. } = &*self.firsts;
        let firsts = size_of_val(&**folds) + size_of_val(&**representatives);
        (if self.borrowed { 0 } else { firsts }
            + size_of_val(&*self.symmetric)
            + size_of_val(&*self.seconds)
            + ranks.bytes()
            + self.second.bytes()) as u64
    }

    fn symmetric_slot(&self, orbit: usize, second: u64) -> u64 {
        let symmetric = &self.symmetric[orbit - self.firsts.plain];
        let images = symmetric.others.iter().map(|&g| self.firsts.group.apply(g, second));
        let ranks = images.map(|image| self.mirrored_rank(symmetric, image));
        symmetric.start + ranks.fold(self.mirrored_rank(symmetric, second), u64::min)
    }

    fn mirrored_rank(&self, symmetric: &Symmetric, second: u64) -> u64 {
        let &Symmetric { mirror, halves, alone, ref numbering, .. } = symmetric;
        let image = self.firsts.group.apply(mirror, second);
        let parts = [compress(second, halves), compress(image, halves), compress(second, alone)];
        numbering.rank(parts)
    }

    fn symmetric_position(&self, slot: u64) -> Option<[u64; 2]> {
        let place = self.symmetric.partition_point(|symmetric| symmetric.start <= slot) - 1;
        let Symmetric { start, mirror, others, halves, alone, numbering } = &self.symmetric[place];
        let (halves, alone) = (*halves, *alone);
        let [left, right, single] = numbering.unrank(slot - start);
        let right = self.firsts.group.apply(*mirror, expand(right, halves));
        let second = expand(left, halves) | right | expand(single, alone);
        let orbit = self.firsts.plain + place;
        let least = others.is_empty() || self.symmetric_slot(orbit, second) == slot;
        least.then_some([self.firsts.representatives[orbit], second])
    }
}

#[cfg(test)]
mod tests {
    use super::{super::combinadic::full, *};

    fn hexagon() -> Group {
        // A turn by a third: no element but the identity is its own inverse.
        Group::new(6, &[vec![2, 3, 4, 5, 0, 1]])
    }

    fn groups() -> Vec<Group> {
        vec![
            Group::trivial(5),
            Group::trivial(0),
            hexagon(),
            Group::new(6, &[vec![1, 2, 3, 4, 5, 0], vec![0, 5, 4, 3, 2, 1]]),
            Group::new(9, &[(0..9).rev().collect()]),
            Group::rectangle(4, 2),
            Group::rectangle(1, 5),
            Group::square(3),
        ]
    }

    #[test]
    fn groups_have_their_orders_and_inverses() {
        let orders = groups().iter().map(Group::order).collect::<Vec<_>>();
        assert_eq!(orders, [1, 1, 3, 12, 2, 4, 2, 8]);
        assert_eq!([Group::square(1).order(), Group::square(8).order()], [1, 8]);
        let mut random = fastrand::Rng::with_seed(3);
        for group in groups().into_iter().chain([Group::square(8), Group::rectangle(9, 7)]) {
            let set = random.u64(..) & full(group.cells());
            let mut images: Vec<[u64; 1]> = vec![];
            for (element, to) in group.permutations.iter().enumerate() {
                let slowly = (0..group.cells()).filter(|cell| set >> cell & 1 == 1);
                let slowly = slowly.fold(0, |image, cell| image | 1 << to[cell as usize]);
                assert_eq!(group.apply(element, set), slowly);
                assert_eq!(group.apply(group.inverse(element), slowly), set);
                images.push([slowly]);
            }
            images.sort_unstable();
            images.dedup();
            assert_eq!(images, group.orbit([set]));
            assert_eq!(group.apply(0, set), set);
        }
        assert_eq!(Group::square(3).orbit([0b1, 0b10]).len(), 8);
    }

    /// Checks every slot of a pair and every placement, and returns the number of holes.
    fn check(group: &Arc<Group>, a: u32, b: u32) -> u64 {
        let pair = FoldedPair::new(group.clone(), a, b).unwrap();
        let shared = FoldedPair::new(group.clone(), a, 0).unwrap().with_second(b).unwrap();
        assert!(shared.len() == pair.len() && shared.bytes() < pair.bytes());
        let mut holes = 0;
        for slot in 0..pair.len() {
            match pair.position(slot) {
                Some(sets) => assert_eq!(pair.slot(sets[0], sets[1]), slot),
                None => holes += 1,
            }
            let alike = pair.position(slot).map_or(0, |sets| group.orbit(sets).len());
            assert_eq!(pair.orbit(slot), alike as u64);
            assert_eq!(shared.position(slot), pair.position(slot));
        }
        let placements = Colours::new(group.cells(), [a, b]).unwrap();
        let mut slots = HashMap::new();
        for sets in (0..placements.len()).map(|rank| placements.unrank(rank)) {
            let slot = pair.slot(sets[0], sets[1]);
            assert!(slot < pair.len() && shared.slot(sets[0], sets[1]) == slot);
            assert_eq!(
                *slots.entry(group.orbit(sets).swap_remove(0)).or_insert(slot),
                slot,
                "{sets:?}"
            );
        }
        assert_eq!(slots.len() as u64, pair.len() - holes, "{a} + {b} on {} cells", group.cells());
        holes
    }

    #[test]
    fn a_slot_is_an_orbit() {
        for group in groups().into_iter().map(Arc::new) {
            for a in 0..=group.cells() {
                for b in 0..=group.cells() - a {
                    let holes = check(&group, a, b);
                    assert!(holes == 0 || group.order() > 2);
                }
            }
        }
        for (a, b) in [(0, 0), (1, 2), (4, 3), (4, 4), (8, 2), (15, 1), (16, 0)] {
            check(&Arc::new(Group::square(4)), a, b);
        }
        for (a, b) in [(0, 2), (1, 1), (2, 1), (63, 1), (64, 0)] {
            check(&Arc::new(Group::square(8)), a, b);
        }
    }

    #[test]
    fn holes_are_few() {
        // The orbits by Burnside's lemma: placements kept by the identity, the four mirrors, the
        // half-turn and the two quarter-turns.
        let orbits = (12_650 * 5_985 + 4 * 11_610 + 66 * 45 + 2 * 30) / 8;
        let pair = FoldedPair::new(Arc::new(Group::square(5)), 4, 4).unwrap();
        let used = (0..pair.len()).filter(|&slot| pair.position(slot).is_some()).count() as u64;
        println!("5x5, 4 + 4 stones: {} holes in {} slots", pair.len() - used, pair.len());
        assert_eq!(used, orbits);
        assert!((pair.len() - used) * 50 < pair.len());
    }

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_built() {
        let board = Arc::new(Group::square(8));
        let refusal = |a, b| FoldedPair::new(board.clone(), a, b).err();
        assert_eq!(refusal(6, 6), Some(Unfoldable::Table(74_974_368)));
        assert_eq!(refusal(4, 30), Some(Unfoldable::Pairs));
    }
}
