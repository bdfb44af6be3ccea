//! Numbers, strings and records as bytes. The layout is described in the module above.

use super::{Block, FORMAT, FORMAT_OUTCOMES, Identity, MAGIC, Record};
use crate::game::Value;

pub(crate) use xxhash_rust::xxh3::{xxh3_64 as checksum, xxh3_128 as long_checksum};

/// Appends a variable-length integer.
pub(crate) fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub(crate) fn put_all<const N: usize>(out: &mut Vec<u8>, numbers: [u64; N]) {
    numbers.into_iter().for_each(|n| put(out, n));
}

/// Appends bytes after their number.
pub(crate) fn put_piece(out: &mut Vec<u8>, piece: &[u8]) {
    put(out, piece.len() as u64);
    out.extend(piece);
}

pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) {
    put_piece(out, text.as_bytes());
}

/// Reads what the functions above wrote; `None` where the bytes are no such thing.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take::<1>()?[0];
            n |= u64::from(byte & 0x7F).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    pub(crate) fn string(&mut self) -> Option<String> {
        String::from_utf8(self.piece()?.to_vec()).ok()
    }

    pub(crate) fn piece(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.some(length)
    }

    /// The next `length` bytes.
    pub(crate) fn some(&mut self, length: u64) -> Option<&'a [u8]> {
        let (some, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(some)
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    pub(crate) fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        numbers.iter_mut().try_for_each(|n| self.number().map(|found| *n = found))?;
        Some(numbers)
    }

    fn fixed(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// More slots than this in a block are nonsense, and not to be allocated for.
pub(super) const MAX_BLOCK: u64 = 1 << 20;

/// The whole header of a table.
pub(super) fn header(identity: &Identity, block: u64) -> Vec<u8> {
    let mut payload = vec![];
    put_string(&mut payload, &identity.game);
    put(&mut payload, identity.rules.into());
    put_string(&mut payload, &identity.numbering);
    put(&mut payload, identity.tiers.into());
    put(&mut payload, block);
    put(&mut payload, identity.keys.is_some().into());
    put(&mut payload, identity.keys.unwrap_or(0));
    let mut out = MAGIC.to_vec();
    let format = if identity.outcomes { FORMAT_OUTCOMES } else { FORMAT };
    out.extend(format.to_le_bytes());
    out.extend((payload.len() as u32).to_le_bytes());
    out.extend(payload);
    out.extend(checksum(&out).to_le_bytes());
    out
}

/// Identity and slots a block, from a header's format and payload.
pub(super) fn parse_header(format: u32, payload: &[u8]) -> Option<(Identity, u64)> {
    let mut bytes = Bytes(payload);
    let game = bytes.string()?;
    let rules = u32::try_from(bytes.number()?).ok()?;
    let numbering = bytes.string()?;
    let tiers = u32::try_from(bytes.number()?).ok()?;
    let block = bytes.number().filter(|block| (1..=MAX_BLOCK).contains(block))?;
    let keyed = bytes.number()? == 1;
    let salt = bytes.number()?;
    let keys = keyed.then_some(salt);
    let outcomes = format.is_multiple_of(2);
    // Blocks of planes begin with whole words.
    let sound = bytes.0.is_empty() && (!outcomes || block.is_multiple_of(64));
    sound.then_some((Identity { game, rules, numbering, tiers, keys, outcomes }, block))
}

pub(super) fn put_record(out: &mut Vec<u8>, record: &Record) {
    let place = |out: &mut Vec<u8>, block: &Block| {
        put(out, block.length);
        out.extend(block.checksum.to_le_bytes());
    };
    put(out, record.len);
    put(out, record.width as u64);
    let (values, keys) = record.parts();
    values.iter().for_each(|block| place(out, block));
    if let Some(cut) = record.cut {
        put(out, cut.into());
    }
    for (first, block) in record.firsts.iter().zip(keys) {
        out.extend(first.to_le_bytes());
        place(out, block);
    }
}

/// A tier record whose blocks are not placed yet.
pub(super) fn parse_record(bytes: &mut Bytes, identity: &Identity, block: u64) -> Option<Record> {
    let place = |bytes: &mut Bytes| {
        Some(Block { offset: 0, length: bytes.number()?, checksum: bytes.fixed()? })
    };
    let len = bytes.number()?;
    let widths: &[u64] = if identity.outcomes { &[0] } else { &[1, 2, 4] };
    let width = bytes.number().filter(|width| widths.contains(width))? as usize;
    let count = len.div_ceil(block);
    // A block's entry takes 9 bytes at least: a count beyond that is nonsense, not an allocation.
    if count > bytes.0.len() as u64 {
        return None;
    }
    let mut blocks = (0..count).map(|_| place(bytes)).collect::<Option<Vec<_>>>()?;
    let (mut cut, mut firsts) = (None, vec![]);
    if identity.keys.is_some() {
        cut = Some(bytes.number().filter(|kept| (1..=8).contains(kept))? as u32);
        for _ in 0..count {
            firsts.push(bytes.fixed()?);
            blocks.push(place(bytes)?);
        }
    }
    Some(Record { len, width, cut, firsts, blocks })
}

/// An outcome (0 loss, 1 tie, 2 draw, 3 win) and a distance: 0 for a draw, all bits where it is not known.
pub(crate) fn value_numbers(value: Value) -> [u64; 2] {
    match value {
        Value::Loss(n) => [0, n.into()],
        Value::Tie(n) => [1, n.into()],
        Value::Draw => [2, 0],
        Value::Win(n) => [3, n.into()],
    }
}

pub(crate) fn value_of([outcome, distance]: [u64; 2]) -> Option<Value> {
    let n = u32::try_from(distance).ok()?;
    [Value::Loss(n), Value::Tie(n), Value::Draw, Value::Win(n)].get(outcome as usize).copied()
}

/// Keys in rising order as differences; the first stands in the tier record.
pub(super) fn put_keys(out: &mut Vec<u8>, keys: &[u64]) {
    keys.windows(2).for_each(|pair| put(out, pair[1] - pair[0]));
}

/// The place of `key` in a block that begins with `first`; `None` when the block is malformed,
/// `Some(None)` when the key is not there.
pub(super) fn find_key(bytes: &[u8], first: u64, key: u64) -> Option<Option<u64>> {
    let (mut bytes, mut at, mut place) = (Bytes(bytes), first, 0);
    while at < key && !bytes.0.is_empty() {
        at = at.checked_add(bytes.number()?)?;
        place += 1;
    }
    Some((at == key).then_some(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for n in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = vec![];
            put(&mut out, n);
            assert_eq!(Bytes(&out).number(), Some(n));
        }
        assert_eq!(Bytes(&[0x80; 11]).number(), None);
    }

    #[test]
    fn keys_are_found_where_they_are() {
        let keys = [5, 9, 10, 400, u64::MAX];
        let mut out = vec![];
        put_keys(&mut out, &keys);
        for (place, key) in keys.iter().enumerate() {
            assert_eq!(find_key(&out, 5, *key), Some(Some(place as u64)));
        }
        assert_eq!(find_key(&out, 5, 11), Some(None));
        assert_eq!(find_key(&out, 5, 4), Some(None));
    }
}
