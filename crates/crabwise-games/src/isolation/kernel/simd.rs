//! Thirty-two bytes that are worked on together, and how that is done on any processor.

use super::super::geometry::NONE;

/// A lane for each square. Lanes hold how good a square is to choose, 0 for squares that are none; or
/// *places*, the numbers of other lanes, [`NONE`] or a little more for no place.
pub(super) trait Lanes: Copy {
    fn new(lanes: [u8; 32]) -> Self;

    fn lanes(self) -> [u8; 32];

    /// The bytes from `at` on; what lies behind the end is 0.
    fn read(bytes: &[u8], at: usize) -> Self;

    fn max(self, other: Self) -> Self;

    /// 255 less each lane.
    fn flip(self) -> Self;

    /// The lanes at some places, 0 for no place.
    fn pick(self, places: Self) -> Self;

    /// Places after `gone` are one less.
    fn without(self, gone: u8) -> Self;

    /// What the best child is worth to the player who chooses it, as a table's word: see
    /// [`Sweeper`](super::Sweeper).
    fn back(self) -> Self;

    /// For each square of a set how many come before it, for others no place.
    #[inline(always)]
    fn ranks(set: u32) -> Self {
        let (mut all, mut before) = ([0; 32], 0);
        for (eight, byte) in all.chunks_exact_mut(8).zip(set.to_le_bytes()) {
            // No sum carries over to the next byte: ranks are below 32, and NONE + 32 below 256.
            let ranks = RANKS[usize::from(byte)] + before * 0x0101_0101_0101_0101;
            eight.copy_from_slice(&ranks.to_le_bytes());
            before += u64::from(byte.count_ones());
        }
        Self::new(all)
    }

    /// The lanes of a set moved together, without a square of it.
    #[inline(always)]
    fn pack(self, squares: &[u8; 64], without: usize) -> Self {
        let (mut places, before) = ([0; 32], without.min(32));
        places.copy_from_slice(&squares[1..33]);
        places[..before].copy_from_slice(&squares[..before]);
        self.pick(Self::new(places))
    }

    /// Lanes of `one` where a bit is set, and of `other` where it is not.
    #[inline(always)]
    fn choose(bits: u32, one: u8, other: u8) -> Self {
        Self::new(std::array::from_fn(|lane| if bits >> lane & 1 == 1 { one } else { other }))
    }

    /// Asks for what will be read soon.
    #[inline(always)]
    fn prefetch<T>(_items: &[T], _at: usize) {}
}

/// For a byte of a set: how many bits come before each of its bits.
static RANKS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank, mut ranks) = (0, 0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                ranks |= rank << (8 * bit);
                rank += 1;
            } else {
                ranks |= (NONE as u64) << (8 * bit);
            }
            bit += 1;
        }
        table[byte] = ranks;
        byte += 1;
    }
    table
};

/// Lanes on any processor. Loops of a fixed length, which the compiler turns into what vector
/// instructions there are; only `pick` is done byte by byte.
#[derive(Clone, Copy)]
pub(super) struct Portable([u8; 32]);

impl Lanes for Portable {
    #[inline(always)]
    fn new(lanes: [u8; 32]) -> Portable {
        Portable(lanes)
    }

    #[inline(always)]
    fn lanes(self) -> [u8; 32] {
        self.0
    }

    #[inline(always)]
    fn read(bytes: &[u8], at: usize) -> Portable {
        Portable(read(bytes, at))
    }

    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        Portable(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }

    #[inline(always)]
    fn flip(self) -> Portable {
        Portable(self.0.map(|lane| 255 - lane))
    }

    #[inline(always)]
    fn pick(self, places: Portable) -> Portable {
        let lane = |place: u8| self.0[usize::from(place & 31)] & ((place as i8 >> 7) as u8 ^ 255);
        Portable(places.0.map(lane))
    }

    #[inline(always)]
    fn without(self, gone: u8) -> Portable {
        Portable(self.0.map(|place| place - u8::from(place > gone)))
    }

    #[inline(always)]
    fn back(self) -> Portable {
        Portable(self.0.map(|lane| lane.wrapping_add((lane as i8 >> 7) as u8 | 1)))
    }
}

#[inline(always)]
pub(super) fn read(bytes: &[u8], at: usize) -> [u8; 32] {
    match bytes[at..].first_chunk() {
        Some(chunk) => *chunk,
        None => {
            let mut lanes = [0; 32];
            lanes[..bytes.len() - at].copy_from_slice(&bytes[at..]);
            lanes
        }
    }
}
