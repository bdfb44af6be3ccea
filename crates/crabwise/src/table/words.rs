//! Values as integers whose order is the order of values.
//!
//! A word holds one position. Zero is a hole; above it come the losses, quickest first, the draw,
//! the ties, slowest first, and the wins, slowest first: greater is better for the player to move,
//! so the maximum of integers is the maximum of values.
//!
//! | word | losses and wins up to | ties up to |
//! |------|-----------------------|------------|
//! | `u8` | 100 moves | 50 moves |
//! | `u16` | 24,999 moves | 14,999 moves |
//! | `u32` | 65,535 moves | 65,535 moves |
//!
//! A tier is kept in the narrowest word that holds all its values, so the choice is a property of
//! the game and not of the run that solved it. One word for a whole table would make a single long line double every
//! tier. Where only outcomes are kept, two bits a slot are
//! enough: [`OutcomePlanes`].

use std::{
    fmt::Debug,
    ops::Range,
    sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::OutcomePlanes;
use crate::{Slot, Value};

/// The unit a table is made of: one position's value.
pub trait Word: Copy + Ord + Debug + Default + Send + Sync + 'static {
    /// What a slot without a position holds. It is less than any value.
    const HOLE: Self;
    /// The word for a value, or `None` when its distance does not fit.
    fn pack(value: Value) -> Option<Self>;

    /// The value of a word, or `None` for a hole and for codes that mean nothing.
    fn unpack(self) -> Option<Value>;

    /// Wraps finished values up as a tier.
    fn tier(values: Vec<Self>) -> TierValues;

    /// The values of a tier; `None` where it has other words.
    fn untier(words: TierValues) -> Option<Vec<Self>>;

    /// Little-endian bytes, appended to `out`.
    fn write(values: &[Self], out: &mut Vec<u8>);

    /// The words in little-endian `bytes`.
    fn read(bytes: &[u8]) -> Vec<Self>;

    /// A word that several threads write to.
    type Shared: Default + Send + Sync;

    /// Makes a word one that is shared.
    fn shared(self) -> Self::Shared;

    /// Writes a shared word.
    fn store(self, to: &Self::Shared);

    /// Writes a shared word unless there is a greater one.
    fn raise(self, to: &Self::Shared);

    /// Reads a shared word.
    fn load(from: &Self::Shared) -> Self;
}

macro_rules! word {
    ($int:ty, $shared:ty, $variant:ident, decided: $decided:expr, ties: $ties:expr) => {
        impl Word for $int {
            const HOLE: $int = 0;

            #[inline]
            fn pack(value: Value) -> Option<$int> {
                const DRAW: u32 = $decided + 1;
                const TIE_0: u32 = DRAW + $ties;
                const WIN_0: u32 = TIE_0 + $decided;
                match value {
                    Value::Loss(n) if n < $decided => Some((1 + n) as $int),
                    Value::Draw => Some(DRAW as $int),
                    Value::Tie(n) if n < $ties => Some((TIE_0 - n) as $int),
                    Value::Win(n) if n < $decided => Some((WIN_0 - n) as $int),
                    _ => None,
                }
            }

            #[inline]
            fn unpack(self) -> Option<Value> {
                const DRAW: u32 = $decided + 1;
                const TIE_0: u32 = DRAW + $ties;
                const WIN_0: u32 = TIE_0 + $decided;
                let code = u32::from(self);
                if code == 0 || code > WIN_0 {
                    None
                } else if code < DRAW {
                    Some(Value::Loss(code - 1))
                } else if code == DRAW {
                    Some(Value::Draw)
                } else if code <= TIE_0 {
                    Some(Value::Tie(TIE_0 - code))
                } else {
                    Some(Value::Win(WIN_0 - code))
                }
            }

            fn tier(values: Vec<$int>) -> TierValues {
                TierValues::$variant(values)
            }

            fn untier(words: TierValues) -> Option<Vec<$int>> {
                if let TierValues::$variant(values) = words { Some(values) } else { None }
            }

            fn write(values: &[$int], out: &mut Vec<u8>) {
                out.extend(values.iter().flat_map(|word| word.to_le_bytes()));
            }

            fn read(bytes: &[u8]) -> Vec<$int> {
                bytes.as_chunks().0.iter().map(|word| <$int>::from_le_bytes(*word)).collect()
            }

            type Shared = $shared;

            fn shared(self) -> $shared {
                <$shared>::new(self)
            }

            #[inline]
            fn store(self, to: &$shared) {
                to.store(self, Relaxed);
            }

            #[inline]
            fn raise(self, to: &$shared) {
                to.fetch_max(self, Relaxed);
            }

            #[inline]
            fn load(from: &$shared) -> $int {
                from.load(Relaxed)
            }
        }
    };
}

word!(u8, AtomicU8, One, decided: 101, ties: 51);
word!(u16, AtomicU16, Two, decided: 25_000, ties: 15_000);
word!(u32, AtomicU32, Four, decided: 65_536, ties: 65_536);

/// The values of one tier, in the narrowest word that holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TierValues {
    /// A byte a position.
    One(Vec<u8>),
    /// Two bytes a position.
    Two(Vec<u16>),
    /// Four bytes a position.
    Four(Vec<u32>),
    /// Two bits a position: the outcome without its distance.
    OutcomePlanes(OutcomePlanes),
}

#[allow(clippy::len_without_is_empty, reason = "a tier has slots")]
impl TierValues {
    /// The value at a slot's index; `None` for a hole.
    #[inline]
    pub fn get(&self, index: u64) -> Option<Value> {
        match self {
            TierValues::One(words) => words[index as usize].unpack(),
            TierValues::Two(words) => words[index as usize].unpack(),
            TierValues::Four(words) => words[index as usize].unpack(),
            TierValues::OutcomePlanes(planes) => planes.get(index),
        }
    }

    /// How many slots there are.
    pub fn len(&self) -> u64 {
        match self {
            TierValues::One(words) => words.len() as u64,
            TierValues::Two(words) => words.len() as u64,
            TierValues::Four(words) => words.len() as u64,
            TierValues::OutcomePlanes(planes) => planes.len(),
        }
    }

    /// Bytes a slot: 1, 2 or 4; 0 stands for two bits.
    pub fn width(&self) -> usize {
        match self {
            TierValues::One(_) => 1,
            TierValues::Two(_) => 2,
            TierValues::Four(_) => 4,
            TierValues::OutcomePlanes(_) => 0,
        }
    }

    /// Whether distances are kept.
    pub fn have_distances(&self) -> bool {
        !matches!(self, TierValues::OutcomePlanes(_))
    }

    /// Some slots as a block holds them: little-endian bytes, or plane after plane.
    pub(crate) fn bytes(&self, slots: Range<u64>) -> Vec<u8> {
        let range = slots.start as usize..slots.end as usize;
        let mut out = Vec::with_capacity(range.len() * self.width());
        match self {
            TierValues::One(words) => out.extend_from_slice(&words[range]),
            TierValues::Two(words) => u16::write(&words[range], &mut out),
            TierValues::Four(words) => u32::write(&words[range], &mut out),
            TierValues::OutcomePlanes(planes) => return planes.bytes(slots.start, slots.end),
        }
        out
    }

    /// Some slots as bytes that can be joined with those of others: words, or a code for each outcome.
    pub(crate) fn content(&self, slots: Range<u64>) -> Vec<u8> {
        match self {
            TierValues::OutcomePlanes(planes) => planes.codes(slots),
            words => words.bytes(slots),
        }
    }

    /// The values in such bytes; `None` where there are none of this width.
    pub(crate) fn from_bytes(width: usize, bytes: Vec<u8>) -> Option<TierValues> {
        match width {
            0 => OutcomePlanes::from_codes(&bytes).map(TierValues::OutcomePlanes),
            1 => Some(TierValues::One(bytes)),
            2 => Some(TierValues::Two(u16::read(&bytes))),
            4 => Some(TierValues::Four(u32::read(&bytes))),
            _ => None,
        }
    }

    /// Some of the slots.
    pub(crate) fn cut(self, slots: Range<u64>) -> TierValues {
        if slots == (0..self.len()) {
            return self;
        }
        let cut = TierValues::from_bytes(self.width(), self.content(slots));
        cut.expect("they were values before")
    }

    /// The values of `len` slots, `None` for a hole, in the narrowest word that holds them all; `None` where
    /// none does.
    pub(crate) fn narrowest(
        len: u64,
        value: impl Fn(u64) -> Option<Value> + Sync,
    ) -> Option<TierValues> {
        let narrow = packed::<u8>(len, &value).or_else(|| packed::<u16>(len, &value));
        narrow.or_else(|| packed::<u32>(len, &value))
    }
}

fn packed<W: Word>(len: u64, value: impl Fn(u64) -> Option<Value> + Sync) -> Option<TierValues> {
    let word = |index| value(index).map_or(Some(W::HOLE), W::pack);
    (0..len).into_par_iter().map(word).collect::<Option<Vec<W>>>().map(W::tier)
}

/// The tiers that are finished and still in memory.
#[derive(Clone, Default, Debug)]
pub struct Tiers(Vec<Option<TierValues>>);

impl Tiers {
    /// Room for `tiers` tiers, none of them there yet.
    pub fn new(tiers: u32) -> Tiers {
        Tiers(vec![None; tiers as usize])
    }

    /// How many tiers there are, in memory or not.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// Puts a finished tier in its place.
    pub fn put(&mut self, tier: u32, words: TierValues) {
        self.0[tier as usize] = Some(words);
    }

    /// Brings those of some tiers that are not in memory.
    pub(crate) fn bring<E>(
        &mut self,
        tiers: impl Iterator<Item = u32>,
        mut fetch: impl FnMut(u32) -> Result<TierValues, E>,
    ) -> Result<(), E> {
        for tier in tiers {
            if self.tier(tier).is_none() {
                self.put(tier, fetch(tier)?);
            }
        }
        Ok(())
    }

    /// Forgets a tier that nothing asks for any more.
    pub fn forget(&mut self, tier: u32) {
        self.0[tier as usize] = None;
    }

    /// A tier, if it is in memory.
    pub fn tier(&self, tier: u32) -> Option<&TierValues> {
        self.0.get(tier as usize)?.as_ref()
    }

    /// The value at `slot`; `None` for a hole, a slot out of range and a tier not in memory, all
    /// of which mean that the numbering broke its contract.
    #[inline]
    pub fn get(&self, slot: Slot) -> Option<Value> {
        let words = self.tier(slot.tier)?;
        if slot.index < words.len() { words.get(slot.index) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds<W: Word>(greatest: W, decided: u32, ties: u32) {
        let losses = (0..decided).map(Value::Loss);
        let ties = (0..ties).rev().map(Value::Tie);
        let wins = (0..decided).rev().map(Value::Win);
        let all: Vec<Value> = losses.chain([Value::Draw]).chain(ties).chain(wins).collect();
        let mut last = W::HOLE;
        for value in all {
            let word = W::pack(value).unwrap();
            assert!(word > last, "{value}");
            assert_eq!(word.unpack(), Some(value));
            last = word;
        }
        assert_eq!([W::HOLE, greatest].map(W::unpack), [None; 2]);
        for value in [Value::Loss(decided), Value::Win(decided), Value::Tie(66_000)] {
            assert_eq!(W::pack(value), None);
        }
    }

    #[test]
    fn integer_order_is_value_order() {
        holds(u8::MAX, 101, 51);
        holds(u16::MAX, 25_000, 15_000);
        holds(u32::MAX, 65_536, 65_536);
    }
}
