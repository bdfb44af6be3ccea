//! Tables on disk: the finished answer, one value for every slot.
//!
//! # The format, versions 1 to 4
//!
//! All integers are little-endian; a *number* is a LEB128 variable-length integer; a *string* is a
//! number of bytes followed by UTF-8; a *checksum* is 64-bit XXH3 with seed 0.
//!
//! | part | content |
//! |------|---------|
//! | header | the 8 bytes `CRABWISE` · version `u32` · length of the payload `u32` · payload · checksum of all that |
//! | blocks | the tiers in the order they were solved, last tier first: the value blocks of a tier, then its key blocks |
//! | footer | tier records, tier 0 first; before them, in versions 1 and 2, a summary |
//! | trailer | offset of the footer `u64` · its length `u64` · its checksum `u64` · the 8 bytes `ESIWBARC` |
//!
//! - **Header payload**: game string · rules version (number) · numbering (string) · tiers (number) ·
//!   slots a block (number) · whether there are keys (number, 0 or 1) · salt of the keys (number).
//!   Slots a block are the least of 2¹⁴, 2¹⁵, …, 2²⁰ that goes into the slots of all tiers at most 2²⁰ times.
//! - **Value block**: the words ([`Word`]) of that many consecutive slots, as one zstd frame. In
//!   versions 2 and 4 there are no words but [`OutcomePlanes`]: for the same slots the bytes of the first plane and
//!   then those of the second, slot i at bit i % 8 of byte i / 8, and the bits after the last slot 0.
//! - **Key block**: only for games that were numbered by walking: the keys of the same slots, cut to
//!   their leading bytes, as numbers, each but the first the difference from the one before; one zstd
//!   frame. A position is found by its key, so that no look-up needs the walk.
//! - **Tier record**: slots (number) · width of a word (number: 1, 2 or 4; in versions 2 and 4 always 0, for
//!   two bits) · for each value block its length (number) and checksum (`u64`) · where there are keys:
//!   leading bytes kept (number), and for each key block its first key (`u64`), length (number) and
//!   checksum (`u64`). Checksums are of the compressed bytes. Blocks follow each other without gaps, so
//!   lengths say where they are.
//! - **Summary**, read and left: ten numbers, in version 2 seven. What is counted is kept beside the table (see below).
//!
//! Every byte is under a checksum or must have one value only, so any flipped bit is found when the
//! part it is in is read, and [`Table::check_blocks`] reads all. A table is written under another name
//! (`.part`), synced and renamed: it is whole or does not exist. While it grows, a journal beside it
//! (`.journal`) holds the header, and a tier record with its checksum for each finished tier; a run
//! that was killed goes on after the last whole record.
//!
//! The depths of traps (see Crab Analysis) are kept in a table of their own beside the
//! table of values, with the ending `.traps` and the same numbering: the depth z of an even position
//! is kept as a tie in z moves, 0 as a draw, and all other slots are holes. Its game string is
//! `traps of GAME, table HASH`, with the fingerprint of the table that it belongs to.
//!
//! What was counted of a table is beside it, too, with the ending `.stats`; that format is described in
//! `analysis/stats_file.rs`.
//!
//! A table is a pure function of game string, rules version, numbering and format version: the same
//! bytes from any number of threads, disturbed or not.
//!
//! # History
//!
//! 1. (2026) The first.
//! 2. (2026) Outcomes alone, without distances. Only tables that hold them have this version; tables
//!    with distances stay as they were, version 1, byte for byte. Since then tables of more than 2³⁴
//!    slots, of either version, have larger blocks; readers of version 1 always went by the header.
//! 3. (2026) Without a summary, so that a table is whole as soon as its values are, and the same whether anything was
//!    counted or not. Blocks are those of version 1, byte for byte, and versions 1 and 2 are still read.
//! 4. (2026) The same for outcomes alone, instead of version 2.

pub(crate) mod codec;
mod name;
mod planes;
mod reader;
mod words;
mod writer;

use std::{error::Error, fmt, io, path::PathBuf};

pub use self::{
    name::file_name,
    planes::OutcomePlanes,
    reader::{Pace, Table, open_plain},
    words::{TierValues, Tiers, Word},
    writer::{Writer, kept, remove, statistics, traps},
};
pub(crate) use self::{
    planes::pack,
    reader::{TableFile, assemble},
    writer::{
        Sheet, beside, failed, pack_block, pack_keys, remove_one, scratch, telling_bytes, tidy,
    },
};
use crate::{game::Value, watch::Stop};

/// The version of the format of tables with distances.
pub const FORMAT: u32 = 3;
/// The version of the format of tables that keep outcomes alone.
pub const FORMAT_OUTCOMES: u32 = 4;

const MAGIC: &[u8; 8] = b"CRABWISE";
const END_MAGIC: &[u8; 8] = b"ESIWBARC";
const TRAILER: u64 = 32;

/// Slots a block: small enough that one look-up is quick, large enough to compress. A multiple of 64, so
/// that blocks of planes begin with whole words.
const BLOCK: u64 = 1 << 14;

/// How many blocks a table should have at the most, because all of them are listed in its footer, which
/// is read before the first look-up.
const MOST_BLOCKS: u64 = 1 << 20;

/// Slots a block in a table of `slots` slots: more where there would be too many blocks.
pub(crate) fn block_of(slots: u64) -> u64 {
    let mut block = BLOCK;
    while slots / block > MOST_BLOCKS && block < codec::MAX_BLOCK {
        block *= 2;
    }
    block
}

/// Positions by outcome.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// All of them.
    pub positions: u64,
    /// Those that are over.
    pub terminal: u64,
    /// Won for the player to move.
    pub win: u64,
    /// Lost.
    pub loss: u64,
    /// Even ends.
    pub tie: u64,
    /// Endless.
    pub draw: u64,
}

impl Counts {
    /// Positions that the player to move wins, for each that the player to move loses.
    pub fn win_loss_ratio(&self) -> Option<f64> {
        (self.loss > 0).then(|| self.win as f64 / self.loss as f64)
    }
}

/// What a table is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The canonical game string.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The name of the numbering.
    pub numbering: String,
    /// How many tiers there are.
    pub tiers: u32,
    /// The salt of the keys, where positions are found by key.
    pub keys: Option<u64>,
    /// Whether outcomes are kept without distances.
    pub outcomes: bool,
}

impl Identity {
    /// A number that differs where any of it does, or the format.
    pub(crate) fn mark(&self) -> u64 {
        codec::checksum(&codec::header(self, BLOCK))
    }
}

/// What people ask first. Counts are of positions that can be reached from the
/// start, as the rules see them. Where distances were not kept, the start's is untold, and the greatest
/// ones are 0 and mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The value of the start.
    pub start: Value,
    /// Positions by outcome.
    pub counts: Counts,
    /// The greatest distance of any value.
    pub longest: u32,
    /// The greatest distance of a win.
    pub longest_win: u32,
}

/// Where finished tiers are kept, so that a run can go on where an earlier one was stopped.
pub(crate) trait Shelf: Send {
    /// Whether `tier` is finished already.
    fn has(&self, tier: u32) -> bool;
    /// A tier that was finished before.
    fn fetch(&self, tier: u32) -> Result<TierValues, TableError>;
    /// Keeps a finished tier.
    fn keep(&mut self, tier: u32, words: &TierValues) -> Result<(), TableError>;
}

/// Where a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    offset: u64,
    length: u64,
    checksum: u64,
}

/// Where the blocks of one tier are.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Record {
    len: u64,
    /// Bytes a slot; 0 for the two bits of [`OutcomePlanes`].
    width: usize,
    /// Leading bytes kept of each key, where there are keys.
    cut: Option<u32>,
    /// The first key of each block of keys.
    firsts: Vec<u64>,
    /// Blocks of values, and after them those of keys.
    blocks: Vec<Block>,
}

impl Record {
    /// Bytes that `slots` slots take before they are compressed.
    fn content(&self, slots: u64) -> u64 {
        if self.width == 0 { planes::block_bytes(slots) } else { slots * self.width as u64 }
    }

    /// Places the blocks from an offset on, which is moved behind them.
    fn place(&mut self, offset: &mut u64) -> Option<()> {
        for block in &mut self.blocks {
            block.offset = *offset;
            *offset = offset.checked_add(block.length)?;
        }
        Some(())
    }

    /// The blocks of values, and those of keys.
    fn parts(&self) -> (&[Block], &[Block]) {
        self.blocks.split_at(self.blocks.len() - self.firsts.len())
    }
}

/// What is wrong with a table, or with getting at it.
#[derive(Debug)]
pub enum TableError {
    /// There is none.
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It cannot be read or written.
    Io {
        /// Its place.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Its bytes are not what was written.
    Damaged {
        /// Its place.
        path: PathBuf,
        /// Which part, and how it shows.
        what: String,
    },
    /// Another release wrote it.
    Format {
        /// Its place.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// It is about something else.
    Other {
        /// Its place.
        path: PathBuf,
        /// What it is about.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Another run is at work on it.
    Busy {
        /// Its place.
        path: PathBuf,
    },
    /// The position that was asked for is not in it.
    Absent {
        /// Its picture.
        position: String,
    },
    /// What it says of a position and of its children does not fit together.
    Contradiction {
        /// The position's picture.
        position: String,
        /// What the table says of it.
        stored: Value,
        /// What its children say.
        derived: Value,
    },
    /// The watcher could not copy what is safe on disk.
    NotKept(String),
    /// The watcher stopped it.
    Stopped(Stop),
}

impl TableError {
    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, TableError::Io { source, .. }
            if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge))
    }
}

holds!(TableError: Stop => Stopped);

/// A watcher that could not copy what was kept; its own errors about tables stay what they are.
impl From<Box<dyn Error + Send + Sync>> for TableError {
    fn from(error: Box<dyn Error + Send + Sync>) -> TableError {
        match error.downcast::<TableError>() {
            Ok(error) => *error,
            Err(error) => TableError::NotKept(error.to_string()),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Missing { path } => write!(f, "there is no table {}", path.display()),
            TableError::Io { path, doing, source } => {
                write!(f, "cannot {doing} {}: {source}", path.display())
            }
            TableError::Damaged { path, what } => {
                let again = match path.extension() {
                    Some(ending) if ending == "traps" || ending == "stats" => {
                        "and it is made again when it is needed"
                    }
                    _ => "and solve again",
                };
                write!(f, "the table {} is damaged: {what}; delete it {again}", path.display())
            }
            TableError::Format { path, format } => write!(
                f,
                "the table {} has format {format}, and this release reads 1 to \
                 {FORMAT_OUTCOMES}; use the release that wrote it, or solve --anew",
                path.display()
            ),
            TableError::Other { path, found, wanted } => write!(
                f,
                "the table {} is of {found}, not of {wanted}; move it away, or solve --anew",
                path.display()
            ),
            TableError::Busy { path } => {
                write!(f, "another run is writing {}; wait for it or stop it", path.display())
            }
            TableError::Absent { position } => {
                write!(f, "the table does not have the position {position}")
            }
            TableError::Contradiction { position, stored, derived } => write!(
                f,
                "the table contradicts itself at {position}: it says {stored}, the moves say {derived}"
            ),
            TableError::NotKept(why) => f.write_str(why),
            TableError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl Error for TableError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Slot, watch::Unwatched};

    #[test]
    fn blocks_grow_with_the_table() {
        for (slots, block) in [
            (0, 1 << 14),
            (1 << 34, 1 << 14),
            ((1 << 34) + (1 << 14), 1 << 15),
            (59_081_490_432, 1 << 16),
            (1 << 40, 1 << 20),
            (u64::MAX, 1 << 20),
        ] {
            assert_eq!(block_of(slots), block, "{slots}");
        }
    }

    /// A table that is said to be huge, and of which a tier is written by one run and another by the next.
    #[test]
    fn larger_blocks_are_read_and_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let identity = Identity {
            game: "huge".into(),
            rules: 1,
            numbering: "none".into(),
            tiers: 2,
            keys: None,
            outcomes: false,
        };
        let tier = |salt: usize| {
            TierValues::One((0..200_000).map(|i| (1 + (i * i + salt) % 90) as u8).collect())
        };
        for number in [1, 0] {
            let mut writer =
                Writer::open(&path, identity.clone(), 1 << 36, None, &Unwatched).unwrap();
            assert_eq!(writer.finished(), 1 - number);
            writer.keep(number, &tier(number as usize)).unwrap();
            if number == 0 {
                writer.finish().unwrap();
            }
        }
        let table = Table::open(&path).unwrap();
        assert_eq!(block_of(1 << 36), 1 << 16);
        for number in 0..2 {
            assert_eq!(table.tier(number).unwrap(), tier(number as usize));
            for index in [0, 65_535, 65_536, 199_999] {
                let slot = Slot { tier: number, index };
                assert_eq!(table.get(slot).unwrap(), tier(number as usize).get(index));
            }
            assert_eq!(table.get(Slot { tier: number, index: 200_000 }).unwrap(), None);
        }
    }
}
