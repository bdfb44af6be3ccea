//! Numbering the ways to place stones on cells.
//!
//! A set of cells is a `u64` with one bit a cell. Every numbering here is a bijection between its
//! sets and `0..len`:
//!
//! - [`Subsets`]: the k-subsets of n cells. The subset {c₁ < c₂ < … < cₖ} has the rank
//!   C(c₁, 1) + C(c₂, 2) + … + C(cₖ, k), the combinatorial number system (D. E. Knuth, The Art of
//!   Computer Programming 4A, 7.2.1.3, Theorem L). Ranks grow with the sets taken as numbers, and
//!   do not depend on n.
//! - [`Colours`]: two disjoint sets of given sizes. The second is ranked among the cells that the first
//!   leaves free, and changes more quickly.
//! - [`Mirrored`]: k-subsets of cells that a mirror exchanges in pairs or leaves alone, a subset
//!   and its mirror image being one. A subset is told up to the mirror by the pairs that are half
//!   taken, the pairs wholly taken, the unpaired cells taken, and which half is taken in all but
//!   one of the half-taken pairs, relative to that one.

/// The most cells a set can have.
pub const MAX_CELLS: u32 = 64;

/// `BINOMIALS[k][n]` = C(n, k): one row serves one stone of a rank. Sums that do not fit would
/// stop the compiler; the greatest entry, C(64, 32), fits.
static BINOMIALS: [[u64; 65]; 65] = {
    let mut table = [[0_u64; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= n {
            table[k][n] = match table[k - 1][n - 1].checked_add(table[k][n - 1]) {
                Some(sum) => sum,
                None => panic!("a binomial coefficient does not fit in 64 bits"),
            };
            k += 1;
        }
        n += 1;
    }
    table
};

/// C(n, k), the number of k-subsets of n cells.
///
/// # Panics
/// When n or k is above 64.
pub fn binomial(n: u32, k: u32) -> u64 {
    BINOMIALS[k as usize][n as usize]
}

/// The set of the first `cells` cells.
///
/// # Panics
/// When there are more than 64.
pub fn full(cells: u32) -> u64 {
    assert!(cells <= MAX_CELLS, "{cells} cells do not fit in 64 bits");
    u64::MAX.checked_shr(MAX_CELLS - cells).unwrap_or(0)
}

/// The part of `set` within `of`, with the cells of `of` renumbered 0, 1, 2, …
#[inline]
pub fn compress(set: u64, of: u64) -> u64 {
    close(set & of, gaps(of))
}

/// A set without any of the cells `gaps`, the others renumbered 0, 1, 2, …
#[inline]
pub(super) fn close(set: u64, gaps: u64) -> u64 {
    // To move what lies above a gap down is to take half of it away. The other gaps move with it.
    let (mut set, mut gaps) = (set, gaps);
    while gaps != 0 {
        let below = gaps - 1;
        set -= (set & !(gaps ^ below)) >> 1;
        gaps = (gaps & below) >> 1;
    }
    set
}

/// Undoes [`close`].
#[inline]
pub(super) fn open(set: u64, gaps: u64) -> u64 {
    let (mut set, mut gaps) = (set, gaps);
    while gaps != 0 {
        let below = gaps - 1;
        set = set.wrapping_add(set & !((gaps ^ below) >> 1));
        gaps &= below;
    }
    set
}

/// Undoes [`compress`]: the cells of `of` whose numbers within `of` are in `set`.
#[inline]
pub fn expand(set: u64, of: u64) -> u64 {
    open(set, gaps(of)) & of
}

/// The cells missing from `of` below its highest.
#[inline]
fn gaps(of: u64) -> u64 {
    !of & u64::MAX.checked_shr(of.leading_zeros()).unwrap_or(0)
}

/// The subsets of one size of the first `cells` cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subsets {
    cells: u32,
    /// How many cells each has.
    pub(super) size: u32,
}

#[allow(clippy::len_without_is_empty, reason = "there is always a subset")]
impl Subsets {
    /// The subsets of `size` out of `cells` cells.
    ///
    /// # Panics
    /// Unless size ≤ cells ≤ 64.
    pub fn new(cells: u32, size: u32) -> Subsets {
        assert!(size <= cells && cells <= MAX_CELLS, "no {size} out of {cells} cells");
        Subsets { cells, size }
    }

    /// How many there are.
    pub fn len(self) -> u64 {
        binomial(self.cells, self.size)
    }

    /// The number of a subset, in time proportional to its size.
    #[inline]
    pub fn rank(self, set: u64) -> u64 {
        debug_assert!(set & !full(self.cells) == 0 && set.count_ones() == self.size);
        rank_above(set, 0)
    }

    /// The subset of a number below [`len`](Subsets::len).
    pub fn unrank(self, rank: u64) -> u64 {
        debug_assert!(rank < self.len());
        let (mut set, mut rest, mut cell) = (0, rank, self.cells as usize);
        for size in (1..=self.size as usize).rev() {
            // The highest cell whose binomial is not too much: at cell = size − 1 it is 0.
            cell = BINOMIALS[size][..cell].partition_point(|&below| below <= rest) - 1;
            rest -= BINOMIALS[size][cell];
            set |= 1 << cell;
        }
        set
    }

    /// All of them in the order of their ranks.
    pub fn iter(self) -> impl Iterator<Item = u64> {
        self.from(0)
    }

    /// Those from a rank below [`len`](Subsets::len) on.
    pub(super) fn from(self, rank: u64) -> impl Iterator<Item = u64> {
        let mut next = if rank == 0 { full(self.size) } else { self.unrank(rank) };
        (rank..self.len()).map(move |_| {
            let set = next;
            next = successor(set);
            set
        })
    }
}

/// The ranks of [`Subsets`] by two look-ups: what the lower half of the cells adds to the rank does
/// not depend on the upper half, and how many cells are in the lower half is told by the upper half,
/// as the size is known. Two tables of at most 32 KiB; more cells are ranked one by one.
pub(super) struct Ranks {
    pub(super) subsets: Subsets,
    half: u32,
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Ranks {
    /// Up to how many cells there are tables.
    const MOST_CELLS: u32 = 26;

    pub(super) fn new(subsets: Subsets) -> Ranks {
        let Subsets { cells, size } = subsets;
        let half = cells / 2;
        let (lower, upper) = if cells <= Ranks::MOST_CELLS {
            (lower_ranks(half), upper_ranks(size, half, cells - half).collect())
        } else {
            (vec![], vec![])
        };
        Ranks { subsets, half, lower, upper }
    }

    #[inline]
    pub(super) fn rank(&self, set: u64) -> u64 {
        let lower = set & ((1 << self.half) - 1);
        match (self.upper.get((set >> self.half) as usize), self.lower.get(lower as usize)) {
            (Some(upper), Some(lower)) => u64::from(upper + lower),
            _ => self.subsets.rank(set),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.lower) + size_of_val(&*self.upper)
    }
}

/// By lower part of a subset: what it adds to the rank, whatever is above it.
pub(super) fn lower_ranks(cells: u32) -> Vec<u32> {
    (0..1 << cells).map(|set| rank_above(set, 0) as u32).collect()
}

/// By upper part of a subset of some size: what it adds to the rank, above so many lower cells.
pub(super) fn upper_ranks(size: u32, lower: u32, cells: u32) -> impl Iterator<Item = u32> {
    (0..1_u64 << cells).map(move |set| {
        let below = size.checked_sub(set.count_ones());
        below.map_or(0, |below| rank_above(set << lower, below as usize) as u32)
    })
}

/// What these cells add to the rank of a subset, above `below` lower ones.
#[inline]
fn rank_above(set: u64, below: usize) -> u64 {
    let (mut rank, mut rest) = (0, set);
    for row in &BINOMIALS[below + 1..] {
        if rest == 0 {
            break;
        }
        rank += row[(rest.trailing_zeros() & 63) as usize];
        rest &= rest - 1;
    }
    rank
}

/// The next greater number with as many bits (R. W. Gosper, HAKMEM, item 175).
fn successor(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    let carried = set.wrapping_add(lowest);
    let back = (set ^ carried) >> 2;
    carried | back.checked_shr(lowest.trailing_zeros()).unwrap_or(0)
}

/// Disjoint sets of given sizes, one for each of two colours of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colours {
    first: Subsets,
    /// Among the cells that the first leaves free.
    pub(super) second: Subsets,
}

#[allow(clippy::len_without_is_empty, reason = "there is always a placement")]
impl Colours {
    /// `a` stones of the first colour and `b` of the second on `cells` cells; `None` when the placements
    /// cannot be counted in 64 bits.
    ///
    /// # Panics
    /// When the stones do not fit on the cells, or there are more than 64 cells.
    pub fn new(cells: u32, [a, b]: [u32; 2]) -> Option<Colours> {
        let (first, second) = (Subsets::new(cells, a), Subsets::new(cells - a, b));
        first.len().checked_mul(second.len()).map(|_| Colours { first, second })
    }

    /// How many placements there are.
    pub fn len(&self) -> u64 {
        self.first.len() * self.second.len()
    }

    /// The number of a placement.
    pub fn rank(&self, [first, second]: [u64; 2]) -> u64 {
        self.first.rank(first) * self.second.len() + self.second.rank(close(second, first))
    }

    /// The placement of a number below [`len`](Colours::len).
    pub fn unrank(&self, rank: u64) -> [u64; 2] {
        let first = self.first.unrank(rank / self.second.len());
        [first, open(self.second.unrank(rank % self.second.len()), first)]
    }
}

/// Subsets of one size up to a mirror that exchanges cells in pairs and leaves the others alone.
///
/// A subset is told as `[left, right, single]`: bit i of `left` and `right` are the two cells of
/// pair i, and `single` are the cells that the mirror leaves alone. To mirror it is to exchange
/// `left` and `right`.
#[derive(Clone, Debug)]
pub struct Mirrored {
    pairs: u32,
    blocks: Vec<Block>,
    len: u64,
}

/// The subsets with the same numbers of half-taken and wholly taken pairs: the pairs, the singles, and the
/// sides of all half-taken pairs but the highest, a bit each.
#[derive(Clone, Debug)]
struct Block {
    halves: u32,
    wholes: u32,
    start: u64,
    pairs: Colours,
    singles: Subsets,
}

#[allow(clippy::len_without_is_empty, reason = "there is always a subset")]
impl Mirrored {
    /// The subsets of `size` out of 2 · `pairs` + `singles` cells.
    ///
    /// # Panics
    /// Unless size ≤ 2 · pairs + singles ≤ 64.
    pub fn new(pairs: u32, singles: u32, size: u32) -> Mirrored {
        let cells = 2 * pairs + singles;
        assert!(size <= cells && cells <= MAX_CELLS, "no {size} out of {cells} cells");
        let (mut blocks, mut len) = (vec![], 0);
        for halves in 0..=size.min(pairs) {
            for wholes in 0..=((size - halves) / 2).min(pairs - halves) {
                let rest = size - halves - 2 * wholes;
                if rest > singles {
                    continue;
                }
                let pairs = Colours::new(pairs, [halves, wholes]);
                let pairs = pairs.expect("no more than C(64, 32) subsets of 64 cells");
                let singles = Subsets::new(singles, rest);
                blocks.push(Block { halves, wholes, start: len, pairs, singles });
                len += (pairs.len() * singles.len()) << halves.saturating_sub(1);
            }
        }
        Mirrored { pairs, blocks, len }
    }

    /// How many there are, a subset and its mirror image counting once.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The number of a subset, which its mirror image shares.
    ///
    /// # Panics
    /// When the subset has another size than this numbering is for.
    pub fn rank(&self, [left, right, single]: [u64; 3]) -> u64 {
        debug_assert!((left | right) & !full(self.pairs) == 0);
        let (half, whole) = (left ^ right, left & right);
        let (halves, wholes) = (half.count_ones(), whole.count_ones());
        let block = (self.blocks.iter())
            .find(|block| (block.halves, block.wholes) == (halves, wholes))
            .unwrap_or_else(|| panic!("no subset of the numbered size"));
        // Relative to the highest half-taken pair, whose bit is then always set and left out.
        let sides = compress(left, half);
        let turned = halves > 0 && sides >> (halves - 1) == 0;
        let sides = if turned { sides ^ full(halves) } else { sides };
        let rank = block.pairs.rank([half, whole]) * block.singles.len();
        let rank = rank + block.singles.rank(single);
        block.start + (rank << block.bits() | sides & full(block.bits()))
    }

    /// One of the two subsets of a number below [`len`](Mirrored::len).
    pub fn unrank(&self, rank: u64) -> [u64; 3] {
        debug_assert!(rank < self.len);
        let after = self.blocks.partition_point(|block| block.start <= rank);
        let block = &self.blocks[after - 1];
        let (rank, singles) = (rank - block.start, block.singles.len());
        let (sides, rank) = (rank & full(block.bits()), rank >> block.bits());
        let [half, whole] = block.pairs.unrank(rank / singles);
        let top = if block.halves > 0 { 1 << block.bits() } else { 0 };
        let left = expand(sides | top, half);
        [left | whole, (half ^ left) | whole, block.singles.unrank(rank % singles)]
    }
}

impl Block {
    /// How many bits the sides take.
    fn bits(&self) -> u32 {
        self.halves.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The bit-by-bit twin of [`compress`].
    fn compress_slowly(set: u64, of: u64) -> u64 {
        let cells = (0..64).filter(|cell| of >> cell & 1 == 1);
        cells.enumerate().fold(0, |out, (i, cell)| out | (set >> cell & 1) << i)
    }

    #[test]
    fn subsets_are_numbered_in_the_order_of_their_bits() {
        for n in 0..=12 {
            for k in 0..=n {
                let subsets = Subsets::new(n, k);
                let sets: Vec<u64> =
                    (0..1 << n).filter(|set: &u64| set.count_ones() == k).collect();
                assert_eq!(subsets.len(), sets.len() as u64);
                assert!(subsets.iter().eq(sets.iter().copied()));
                let ranks = Ranks::new(subsets);
                for (rank, &set) in sets.iter().enumerate() {
                    assert_eq!(subsets.rank(set), rank as u64);
                    assert_eq!(ranks.rank(set), rank as u64);
                    assert_eq!(subsets.unrank(rank as u64), set);
                }
            }
        }
    }

    #[test]
    fn sixty_four_cells_fit() {
        for k in 0..=64 {
            let subsets = Subsets::new(64, k);
            let last = full(k) << (64 - k).min(63) << u32::from(k == 0);
            for (rank, set) in [(0, full(k)), (subsets.len() - 1, last)] {
                assert_eq!((subsets.rank(set), subsets.unrank(rank)), (rank, set), "{k} of 64");
            }
        }
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
        assert!(Subsets::new(64, 0).iter().eq([0]));
        assert!(Subsets::new(64, 64).iter().eq([u64::MAX]));
        assert_eq!(Subsets::new(64, 63).iter().last(), Some(!1));
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let subsets = Subsets::new(64, random.u32(0..=64));
            let rank = random.u64(0..subsets.len());
            assert_eq!(subsets.rank(subsets.unrank(rank)), rank);
            assert_eq!(Ranks::new(subsets).rank(subsets.unrank(rank)), rank);
        }
    }

    #[test]
    fn compress_and_expand_agree_with_the_slow_way() {
        let mut random = fastrand::Rng::with_seed(2);
        let edges = [0, 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX >> 1];
        let mut pairs: Vec<_> = edges.iter().flat_map(|&a| edges.map(|b| (a, b))).collect();
        pairs.extend((0..10_000).map(|_| (random.u64(..), random.u64(..) & random.u64(..))));
        for (set, of) in pairs {
            let small = compress(set, of);
            assert_eq!(small, compress_slowly(set, of), "{set:x} of {of:x}");
            assert_eq!(expand(small, of), set & of, "{set:x} of {of:x}");
        }
    }

    #[test]
    fn colours_fill_their_numbers() {
        for sizes in [[0, 0], [2, 3], [1, 6], [0, 7], [3, 0], [7, 0]] {
            let colours = Colours::new(7, sizes).unwrap();
            let mut seen = HashSet::new();
            for rank in 0..colours.len() {
                let sets = colours.unrank(rank);
                assert_eq!(sets.map(u64::count_ones), sizes);
                assert_eq!(sets.iter().sum::<u64>(), sets.iter().fold(0, |all, set| all | set));
                assert_eq!(colours.rank(sets), rank);
                assert!(seen.insert(sets));
            }
        }
        assert_eq!(Colours::new(7, [2, 3]).unwrap().len(), 21 * 10);
        assert_eq!(Colours::new(64, [20, 20]), None);
        let wide = Colours::new(64, [1, 62]).unwrap();
        assert_eq!(wide.rank(wide.unrank(wide.len() - 1)), 64 * 63 - 1);
    }

    #[test]
    fn mirrored_subsets_share_a_number_with_their_image_alone() {
        for (pairs, singles) in [(0, 5), (1, 0), (3, 3), (4, 1), (5, 0)] {
            for size in 0..=2 * pairs + singles {
                let mirrored = Mirrored::new(pairs, singles, size);
                let mut images = vec![HashSet::new(); mirrored.len() as usize];
                for set in Subsets::new(2 * pairs + singles, size).iter() {
                    let left = set & full(pairs);
                    let right = set >> pairs & full(pairs);
                    let single = set >> (2 * pairs);
                    let rank = mirrored.rank([left, right, single]);
                    assert_eq!(rank, mirrored.rank([right, left, single]));
                    images[rank as usize].insert([left.min(right), left.max(right), single]);
                }
                for (rank, images) in images.iter().enumerate() {
                    assert_eq!(images.len(), 1);
                    let [left, right, single] = mirrored.unrank(rank as u64);
                    assert!(images.contains(&[left.min(right), left.max(right), single]));
                }
            }
        }
        let wide = Mirrored::new(32, 0, 32);
        assert_eq!(wide.rank(wide.unrank(wide.len() - 1)), wide.len() - 1);
    }
}
