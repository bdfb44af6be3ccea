//! Outcomes without distances: two bits a slot, in two planes.
//!
//! | | `unlost` | `decided` |
//! |------|---|---|
//! | hole | 0 | 0 |
//! | loss | 0 | 1 |
//! | tie | 1 | 0 |
//! | win | 1 | 1 |
//!
//! Slot i is bit i % 64 of word i / 64 of each plane, and the bits after the last slot are 0. There is
//! no code for a draw: planes are only for tiers without inner moves, where play cannot be endless.
//!
//! Planes rather than pairs of bits, so that a kernel can take 64 slots of a plane in one word. In tiers with loops it
//! would take distances to tell a win from going round in circles. Whether a position is over cannot be told from its
//! outcome, so counting asks the rules.

use std::ops::Range;

use rayon::prelude::*;

use crate::Value;

/// The lowest and the highest bit of each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// Eight bytes that are 255 where the bits of a byte are set. No sum carries over.
#[inline]
fn spread(byte: u8) -> u64 {
    let each = (u64::from(byte) * ONES) & 0x8040_2010_0804_0201;
    (((each + !HIGH) & HIGH) >> 7) * 255
}

/// The outcomes of one tier, two bits a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutcomePlanes {
    len: u64,
    unlost: Vec<u64>,
    decided: Vec<u64>,
}

/// The words of both planes for some slots, `unlost` first.
pub(crate) type Run<'a> = (&'a mut [u64], &'a mut [u64]);

/// Of the codes of bytes ([`Word`](super::Word)), losses are below this one and ties above it.
const DRAW: u8 = 102;
/// The greatest code of a tie; above it are the wins.
const TIE: u8 = 153;
const WIN: u8 = 254;

#[allow(clippy::len_without_is_empty, reason = "a tier has slots")]
impl OutcomePlanes {
    /// The outcomes in a byte a slot ([`Word`](super::Word)), whatever their distances; `None` where
    /// one is a draw or means nothing.
    pub fn from_codes(codes: &[u8]) -> Option<OutcomePlanes> {
        let mut planes = OutcomePlanes::holes(codes.len() as u64);
        pack(codes, (&mut planes.unlost, &mut planes.decided)).then_some(planes)
    }

    /// Room for `len` slots, all of them holes.
    pub(crate) fn holes(len: u64) -> OutcomePlanes {
        let words = len.div_ceil(64) as usize;
        OutcomePlanes { len, unlost: vec![0; words], decided: vec![0; words] }
    }

    /// How many slots there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The first plane: a bit for each slot that is tied or won.
    pub fn unlost(&self) -> &[u64] {
        &self.unlost
    }

    /// The second plane: a bit for each slot that is lost or won.
    pub fn decided(&self) -> &[u64] {
        &self.decided
    }

    /// The outcome at a slot's index, its distance untold; `None` for a hole.
    #[inline]
    pub fn get(&self, index: u64) -> Option<Value> {
        let (word, bit) = ((index / 64) as usize, index % 64);
        outcome(self.unlost[word] >> bit & 1 == 1, self.decided[word] >> bit & 1 == 1)
    }

    /// A byte for each of some slots ([`Word`](super::Word)), with whatever distance.
    pub(crate) fn codes(&self, slots: Range<u64>) -> Vec<u8> {
        let (first, last) = ((slots.start / 64) as usize, slots.end.div_ceil(64) as usize);
        let mut codes = Vec::with_capacity((last - first) * 64);
        for (unlost, decided) in self.unlost[first..last].iter().zip(&self.decided[first..last]) {
            for (unlost, decided) in unlost.to_le_bytes().into_iter().zip(decided.to_le_bytes()) {
                let [unlost, decided] = [unlost, decided].map(spread);
                let [win, tie, loss] = [WIN, TIE, DRAW - 1].map(|code| u64::from(code) * ONES);
                let eight =
                    unlost & decided & win | unlost & !decided & tie | !unlost & decided & loss;
                codes.extend_from_slice(&eight.to_le_bytes());
            }
        }
        codes.truncate((slots.end - first as u64 * 64) as usize);
        codes.drain(..(slots.start % 64) as usize);
        codes
    }

    /// The planes in runs of `slots`, a multiple of 64, to be filled by several threads.
    pub(crate) fn runs_mut(
        &mut self,
        slots: usize,
    ) -> impl IndexedParallelIterator<Item = Run<'_>> {
        debug_assert!(slots.is_multiple_of(64));
        self.unlost.par_chunks_mut(slots / 64).zip(self.decided.par_chunks_mut(slots / 64))
    }

    /// The slots `from..to` as a block holds them; `from` is a multiple of 64.
    pub(crate) fn bytes(&self, from: u64, to: u64) -> Vec<u8> {
        debug_assert!(from.is_multiple_of(64));
        let (first, last) = ((from / 64) as usize, to.div_ceil(64) as usize);
        let plane = |words: &[u64]| {
            let bytes = words[first..last].iter().flat_map(|word| word.to_le_bytes());
            bytes.take(plane_bytes(to - from)).collect::<Vec<u8>>()
        };
        [plane(&self.unlost), plane(&self.decided)].concat()
    }
}

#[inline]
fn outcome(unlost: bool, decided: bool) -> Option<Value> {
    match (unlost, decided) {
        (false, false) => None,
        (false, true) => Some(Value::Loss(Value::UNKNOWN_DISTANCE)),
        (true, false) => Some(Value::Tie(Value::UNKNOWN_DISTANCE)),
        (true, true) => Some(Value::Win(Value::UNKNOWN_DISTANCE)),
    }
}

/// Fills a run with the outcomes of some codes. `false` if one of them is a draw or means nothing.
pub(crate) fn pack(codes: &[u8], (unlost, decided): Run) -> bool {
    let mut wrong = 0;
    for (codes, (unlost, decided)) in codes.chunks(64).zip(unlost.iter_mut().zip(decided)) {
        let word = match codes.first_chunk() {
            Some(codes) => pack_word(codes),
            None => {
                let mut padded = [0; 64];
                padded[..codes.len()].copy_from_slice(codes);
                pack_word(&padded)
            }
        };
        (*unlost, *decided) = (word.0, word.1);
        wrong |= word.2;
    }
    wrong == 0
}

/// A word of each plane, and whether something is wrong, if not 0. Codes are compared eight at a time, for
/// one at a time takes as long as to sweep them.
#[inline]
fn pack_word(codes: &[u8; 64]) -> (u64, u64, u64) {
    let (mut unlost, mut decided, mut wrong) = (0, 0, 0);
    for (i, eight) in codes.as_chunks().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let low = eight & !HIGH;
        // The high bit of each byte: whether its code is at least this one. No sum carries over.
        let least = |code: u8| match code {
            ..=128 => (low + ONES * (128 - u64::from(code))) | eight,
            _ => (low + ONES * (256 - u64::from(code))) & eight,
        };
        // The high bits side by side: bit 8·k goes to bit 56 + k, and nothing else comes so far up.
        let gather = |marks: u64| ((marks & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let (draw, tie) = (least(DRAW), least(DRAW + 1));
        unlost |= gather(tie) << (8 * i);
        decided |= gather((least(1) & !draw) | least(TIE + 1)) << (8 * i);
        wrong |= (draw & !tie) | least(WIN + 1);
    }
    (unlost, decided, wrong & HIGH)
}

/// Bytes that one plane takes in a block of `slots` slots.
fn plane_bytes(slots: u64) -> usize {
    slots.div_ceil(8) as usize
}

/// Bytes that a block of `slots` slots takes before it is compressed.
pub(crate) fn block_bytes(slots: u64) -> u64 {
    2 * plane_bytes(slots) as u64
}

/// The outcome at a place in a block of `slots` slots.
pub(crate) fn in_block(block: &[u8], slots: u64, place: u64) -> Option<Value> {
    let (unlost, decided) = block.split_at(plane_bytes(slots));
    let bit = |plane: &[u8]| plane[(place / 8) as usize] >> (place % 8) & 1 == 1;
    outcome(bit(unlost), bit(decided))
}

/// Fills a run from a block. `false` if bits are set for slots that are not there.
pub(crate) fn read_block(block: &[u8], slots: u64, run: Run) -> bool {
    let (unlost, decided) = block.split_at(plane_bytes(slots));
    let mut sound = true;
    for (bytes, words) in [(unlost, run.0), (decided, run.1)] {
        for (bytes, word) in bytes.chunks(8).zip(words.iter_mut()) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        let spare = slots.next_multiple_of(64) - slots;
        sound &= words.last().is_none_or(|last| last.leading_zeros() >= spare as u32);
    }
    sound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    #[test]
    fn every_code_has_its_outcome_wherever_it_is() {
        for (place, code) in (0..70).flat_map(|place| (0..=u8::MAX).map(move |code| (place, code)))
        {
            let mut codes = [1; 70];
            codes[place as usize] = code;
            let value = code.unpack();
            let found = OutcomePlanes::from_codes(&codes).map(|planes| planes.get(place));
            let packed = value != Some(Value::Draw) && (value.is_some() || code == u8::HOLE);
            assert_eq!(
                found,
                packed.then(|| value.map(Value::without_distance)),
                "{code}, {place}"
            );
        }
    }

    /// Codes that can be packed, holes among them.
    fn codes(random: &mut fastrand::Rng, len: usize) -> Vec<u8> {
        let code = |_| loop {
            match random.u8(..) {
                DRAW | 255 => {}
                code => return if code % 5 == 0 { u8::HOLE } else { code },
            }
        };
        (0..len).map(code).collect()
    }

    #[test]
    fn blocks_bring_planes_back() {
        let seed = fastrand::u64(..1 << 32);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for len in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200, 256, 1000] {
            let codes = codes(&mut random, len);
            let planes = OutcomePlanes::from_codes(&codes).unwrap();
            assert_eq!(planes.len(), len as u64);
            let mut again = OutcomePlanes::holes(len as u64);
            let mut from = 0;
            for (unlost, decided) in again.unlost.chunks_mut(2).zip(again.decided.chunks_mut(2)) {
                let to = (from + 128).min(len as u64);
                let block = planes.bytes(from, to);
                assert_eq!(block.len() as u64, block_bytes(to - from));
                assert!(read_block(&block, to - from, (unlost, decided)));
                for index in from..to {
                    let value = codes[index as usize].unpack().map(Value::without_distance);
                    assert_eq!(planes.get(index), value);
                    assert_eq!(in_block(&block, to - from, index - from), value);
                }
                from = to;
            }
            assert_eq!(again, planes);
        }
    }

    #[test]
    fn bits_after_the_last_slot_are_none() {
        for bit in 3..8 {
            for block in [[1 << bit, 0], [0, 1 << bit]] {
                assert!(!read_block(&block, 3, (&mut [0], &mut [0])));
            }
        }
        assert!(read_block(&[7, 7], 3, (&mut [0], &mut [0])));
    }
}
