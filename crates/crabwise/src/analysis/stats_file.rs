//! What was counted of a table, in a file beside it.
//!
//! # The format, version 1
//!
//! Numbers, strings and checksums are those of [`table`](crate::table). The file is the 8 bytes `CRABSTAT`, the version
//! (`u32`), the payload, and its checksum (`u64`). It is written under another name and renamed, so it is whole or does
//! not exist.
//!
//! The payload is the fingerprint of the table (`u128`) and the summary: ten numbers, the start's outcome (0 loss, 1 tie,
//! 2 draw, 3 win) and distance, then the fields of [`Summary`] in their order. A number says whether full statistics
//! follow (1) or not (0); they are the fields of [`Stats`] in their order, after the start and the counts, which the
//! summary has. A list is its length and its items, and what may be missing is a list of one or none.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use super::stats::{Row, Stats, TierStats};
use crate::table::{
    Counts, Summary, TableError, beside,
    codec::{Bytes, checksum, put, put_all, put_string, value_numbers, value_of},
    failed, open_plain,
};

const MAGIC: &[u8; 8] = b"CRABSTAT";
const VERSION: u32 = 1;
/// The most bytes that are read of a file: tiers and distances, of which there are 65,536, take far fewer.
const LONGEST: u64 = 256 << 20;

/// What is kept of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statistics {
    /// The fingerprint of the table.
    pub(crate) table: u128,
    pub(crate) summary: Summary,
    pub(crate) full: Option<Stats>,
}

impl Statistics {
    /// Reads the file; `None` if there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<Statistics>, TableError> {
        let mut bytes = vec![];
        let read = open_plain(path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(failed(path, "read"))?,
        };
        let damaged = || {
            let what = "its statistics are not what was written".into();
            TableError::Damaged { path: path.into(), what }
        };
        Statistics::parse(&bytes).map(Some).ok_or_else(damaged)
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), TableError> {
        let new = beside(path, "new");
        let written = fs::File::create(&new).and_then(|mut file| {
            file.write_all(&self.bytes())?;
            file.sync_all()
        });
        written.map_err(failed(&new, "write"))?;
        fs::rename(&new, path).map_err(failed(path, "rename to"))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut payload = self.table.to_le_bytes().to_vec();
        let Summary { start, counts, longest, longest_win } = self.summary;
        put_all(&mut payload, value_numbers(start));
        put_all(&mut payload, counts.numbers());
        put_all(&mut payload, [longest, longest_win].map(u64::from));
        put(&mut payload, self.full.is_some().into());
        if let Some(full) = &self.full {
            put_stats(&mut payload, full);
        }
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(&payload);
        out.extend(checksum(&out).to_le_bytes());
        out
    }

    fn parse(bytes: &[u8]) -> Option<Statistics> {
        let (content, sum) = bytes.split_last_chunk()?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return None;
        }
        let rest = content.strip_prefix(MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
        let mut bytes = Bytes(rest);
        let table = u128::from_le_bytes(bytes.take()?);
        let (start, counts) = (value_of(bytes.numbers()?)?, Counts::of(bytes.numbers()?));
        let [longest, longest_win] = parse_distances(&mut bytes)?;
        let summary = Summary { start, counts, longest, longest_win };
        let full = match bytes.number()? {
            0 => None,
            _ => Some(parse_stats(&mut bytes, &summary)?),
        };
        bytes.0.is_empty().then_some(Statistics { table, summary, full })
    }
}

fn put_stats(out: &mut Vec<u8>, stats: &Stats) {
    put_list(out, stats.orbits, |out, orbits| put_all(out, orbits.numbers()));
    put(out, stats.moves);
    put_list(out, &stats.remoteness, |out, row| put_all(out, [row.win, row.loss, row.tie]));
    put_list(out, &stats.tiers, |out, tier| {
        put(out, tier.tier.into());
        put_string(out, &tier.class);
        put_all(out, tier.counts.numbers());
        put_list(out, tier.orbits, |out, orbits| put_all(out, orbits.numbers()));
        put_all(out, [tier.longest_win, tier.longest_loss, tier.longest].map(u64::from));
    });
    put_list(out, &stats.deepest, |out, (value, picture)| {
        put_all(out, value_numbers(*value));
        put_string(out, picture);
    });
    put_list(out, &stats.deepest_wins, |out, line| put_string(out, line));
}

fn parse_stats(bytes: &mut Bytes, summary: &Summary) -> Option<Stats> {
    Some(Stats {
        start: summary.start,
        counts: summary.counts,
        orbits: parse_list(bytes, parse_counts)?.pop(),
        moves: bytes.number()?,
        remoteness: parse_list(bytes, |bytes| {
            bytes.numbers().map(|[win, loss, tie]| Row { win, loss, tie })
        })?,
        tiers: parse_list(bytes, parse_tier)?,
        deepest: parse_list(bytes, |bytes| Some((value_of(bytes.numbers()?)?, bytes.string()?)))?
            .pop(),
        deepest_wins: parse_list(bytes, |bytes| bytes.string())?,
    })
}

fn parse_tier(bytes: &mut Bytes) -> Option<TierStats> {
    let ([tier], class) = (parse_distances(bytes)?, bytes.string()?);
    let counts = parse_counts(bytes)?;
    let orbits = parse_list(bytes, parse_counts)?.pop();
    let [longest_win, longest_loss, longest] = parse_distances(bytes)?;
    Some(TierStats { tier, class, counts, orbits, longest_win, longest_loss, longest })
}

fn parse_counts(bytes: &mut Bytes) -> Option<Counts> {
    bytes.numbers().map(Counts::of)
}

fn parse_distances<const N: usize>(bytes: &mut Bytes) -> Option<[u32; N]> {
    let numbers = bytes.numbers::<N>()?;
    let fits = numbers.iter().all(|n| u32::try_from(*n).is_ok());
    fits.then(|| numbers.map(|n| n as u32))
}

fn put_list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    each: impl Fn(&mut Vec<u8>, T),
) {
    let items = items.into_iter();
    put(out, items.len() as u64);
    items.for_each(|item| each(out, item));
}

fn parse_list<T>(bytes: &mut Bytes, each: impl Fn(&mut Bytes) -> Option<T>) -> Option<Vec<T>> {
    let length = bytes.number()?;
    (0..length).map(|_| each(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;

    fn example(full: bool) -> Statistics {
        let counts = Counts { positions: 900, terminal: 2, win: 4, loss: 3, tie: 1, draw: 1 };
        let start = if full { Value::Win(700) } else { Value::Win(Value::UNKNOWN_DISTANCE) };
        let summary = Summary { start, counts, longest: 901, longest_win: 700 };
        let tier = TierStats { class: "two".into(), counts, longest: 5, ..TierStats::default() };
        let stats = Stats {
            start: summary.start,
            counts,
            orbits: Some(counts),
            moves: 77,
            remoteness: vec![Row { win: 1, loss: 2, tie: 3 }, Row::default()],
            tiers: vec![tier],
            deepest: Some((Value::Loss(901), "x o\n. .".into())),
            deepest_wins: vec!["xo/..".into()],
        };
        Statistics { table: 1 << 100, summary, full: full.then_some(stats) }
    }

    #[test]
    fn what_is_kept_comes_back_and_every_flipped_bit_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.stats");
        assert_eq!(Statistics::read(&path).unwrap(), None);
        for full in [false, true] {
            example(full).write(&path).unwrap();
            assert_eq!(Statistics::read(&path).unwrap(), Some(example(full)));
            let mut bytes = fs::read(&path).unwrap();
            for bit in 0..bytes.len() * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(Statistics::parse(&bytes), None, "bit {bit}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
