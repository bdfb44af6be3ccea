//! Reading a table: one position reads one block, never the file.
//!
//! Files are read at positions and not mapped. Mapping would turn a file that shrinks or a disk that fails into a crash
//! of the process; a read fails with an error that names the block, and needs no `unsafe`.

use std::{
    cell::RefCell,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rayon::prelude::*;
use zstd::bulk::Decompressor;

use super::{
    Block, END_MAGIC, FORMAT, FORMAT_OUTCOMES, Identity, MAGIC, OutcomePlanes, Record, TRAILER,
    TableError, TierValues,
    codec::{self, checksum},
    planes,
    writer::{KeySource, failed},
};
use crate::{
    Slot, Value,
    index::{Recent, nth_slot},
    watch::{Meter, Shown, Watch},
};

/// A finished table.
pub struct Table {
    pub(crate) source: TableFile,
    hash: u128,
    identity: Identity,
    /// Blocks that were read lately, by their offsets.
    recent: Mutex<Recent<u64, Arc<Vec<u8>>>>,
}

/// How long look-ups take: opening a table and reading the first value, and reading one more from
/// somewhere else in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// To open the table and read a value.
    pub first: Duration,
    /// To read another value.
    pub next: Duration,
}

/// How many look-ups are timed.
const PACES: u64 = 256;

/// How many bytes of blocks are kept for the next look-ups.
const RECENT: usize = 16 << 20;

/// Opens a file that is to be read, and nothing but a file: to open a pipe would be to wait for whoever writes into
/// it, and a device may have no end.
pub fn open_plain(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(no_plain_file());
    }
    File::open(path)
}

pub(super) fn no_plain_file() -> io::Error {
    io::Error::other("it is no plain file")
}

impl Table {
    /// Opens the table at `path`. What it is about must be told apart by the caller; see
    /// [`identity`](Table::identity) and [`open_for`](Table::open_for).
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let unopened = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => TableError::Missing { path: path.into() },
            _ => failed(path, "open")(source),
        };
        let file = open_plain(path).map_err(unopened)?;
        let bytes = file.metadata().map_err(failed(path, "look at"))?.len();
        let mut source =
            TableFile { path: path.into(), file, end: bytes, block: 0, records: vec![] };
        let (format, header) = source.header()?;
        let damaged = |what: &str| source.damaged(what.into());
        let payload = &header[16..header.len() - 8];
        let (identity, block) = codec::parse_header(format, payload)
            .ok_or_else(|| damaged("its header makes no sense"))?;

        let end = bytes.saturating_sub(TRAILER);
        let trailer = source.read(end, TRAILER.min(bytes))?;
        let mut fields = codec::Bytes(&trailer);
        let mut field = || fields.take().map_or(0, u64::from_le_bytes);
        let (offset, length, sum) = (field(), field(), field());
        if fields.0 != END_MAGIC || offset.checked_add(length) != Some(end) {
            return Err(damaged("its end is not the end of a table"));
        }
        let footer = source.read(offset, length)?;
        if checksum(&footer) != sum {
            return Err(damaged("the checksum of its footer is wrong"));
        }
        let records = parse_footer(&footer, format, &identity, block, header.len() as u64)
            .filter(|(_, blocks_end)| *blocks_end == offset)
            .map(|(records, _)| records)
            .ok_or_else(|| damaged("its footer makes no sense"))?;
        let hash = codec::long_checksum(&[header, footer].concat());
        (source.block, source.records) = (block, records);
        let recent = Mutex::new(Recent::new(RECENT / 2, |content: &Arc<Vec<u8>>| content.len()));
        Ok(Table { source, hash, identity, recent })
    }

    /// Opens the table at `path`, which must be about what is `wanted`, its tiers and keys aside.
    pub fn open_for(path: &Path, wanted: &Identity) -> Result<Table, TableError> {
        let table = Table::open(path)?;
        let found = &table.identity;
        if *found == (Identity { tiers: found.tiers, keys: found.keys, ..wanted.clone() }) {
            return Ok(table);
        }
        let say = |about: &Identity| {
            let (game, numbering) = (Shown(&about.game), Shown(&about.numbering));
            let kept = if about.outcomes { "outcomes only" } else { "distances" };
            format!("'{game}' (rules {}, numbering '{numbering}', {kept})", about.rules)
        };
        let (found, wanted) = (say(found), say(wanted));
        Err(TableError::Other { path: path.into(), found, wanted })
    }

    /// How long it takes to read a value from the table at `path`.
    pub fn pace(path: &Path) -> Result<Pace, TableError> {
        let began = Instant::now();
        let table = Table::open(path)?;
        let total: u64 = (0..table.identity.tiers).map(|tier| table.len(tier)).sum();
        let place = |i: u64| (u128::from(i) * u128::from(total) / u128::from(PACES)) as u64;
        let mut first = None;
        // From the middle on, where most tables have their largest tiers.
        for i in (PACES / 2..PACES).chain(0..PACES / 2) {
            if total > 0 {
                table.get(nth_slot(place(i), |tier| table.len(tier)))?;
            }
            first.get_or_insert_with(|| began.elapsed());
        }
        let first = first.unwrap_or_default();
        Ok(Pace { first, next: (began.elapsed() - first) / (PACES as u32 - 1) })
    }

    /// What the table is about.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.source.end
    }

    /// A fingerprint of the whole file: header and footer, which hold the checksums of the rest.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// How many slots a tier has.
    pub fn len(&self, tier: u32) -> u64 {
        self.source.record(tier).map_or(0, |record| record.len)
    }

    /// The value at a slot; `None` for a hole and for a slot that the table does not have.
    pub fn get(&self, slot: Slot) -> Result<Option<Value>, TableError> {
        let Some(record) = self.source.record(slot.tier) else { return Ok(None) };
        if slot.index >= record.len {
            return Ok(None);
        }
        let (i, place) = (slot.index / self.source.block, slot.index % self.source.block);
        let slots = (record.len - i * self.source.block).min(self.source.block);
        let content = self.content(&record.blocks[i as usize], Some(record.content(slots)))?;
        if record.width == 0 {
            return Ok(planes::in_block(&content, slots, place));
        }
        let word = &content[place as usize * record.width..][..record.width];
        Ok(TierValues::from_bytes(record.width, word.to_vec()).and_then(|word| word.get(0)))
    }

    /// The slot of a key, in a table whose positions are found by key. Looks in tier `first`
    /// before the others, which reads one block when that is right.
    pub fn find(&self, key: u64, first: u32) -> Result<Option<Slot>, TableError> {
        let others = (0..self.identity.tiers).filter(|tier| *tier != first);
        for tier in std::iter::once(first).chain(others) {
            let record = self.source.record(tier);
            let Some((record, cut)) = record.and_then(|record| Some((record, record.cut?))) else {
                continue;
            };
            let key = key >> (64 - 8 * cut);
            let after = record.firsts.partition_point(|first| *first <= key);
            let Some(i) = after.checked_sub(1) else { continue };
            let block = &record.parts().1[i];
            let place = codec::find_key(&self.content(block, None)?, record.firsts[i], key)
                .ok_or_else(|| self.source.bad_block(block, "holds no keys"))?;
            if let Some(place) = place {
                return Ok(Some(Slot { tier, index: i as u64 * self.source.block + place }));
            }
        }
        Ok(None)
    }

    /// Bytes of memory that the values of a tier take.
    pub(crate) fn tier_bytes(&self, tier: u32) -> u64 {
        self.source.record(tier).map_or(0, |record| record.content(record.len))
    }

    /// All values of a tier.
    pub fn tier(&self, tier: u32) -> Result<TierValues, TableError> {
        self.source.values(tier, 0, u64::MAX)
    }

    /// The values of a tier from a slot on that begins a block: about `bytes` bytes of them, a block at least.
    pub(crate) fn run(&self, tier: u32, from: u64, bytes: u64) -> Result<TierValues, TableError> {
        let block = self.source.block;
        let size = self.source.record(tier).map_or(0, |record| record.content(block));
        self.source.values(tier, from / block, (bytes / size.max(1)).max(1))
    }

    /// Reads every block and compares its checksum.
    pub fn check_blocks(&self, watch: &dyn Watch) -> Result<(), TableError> {
        let blocks: Vec<&Block> =
            (self.source.records.iter().flatten()).flat_map(|record| &record.blocks).collect();
        let total = blocks.iter().map(|block| block.length).sum();
        let meter = Meter::new(watch, "checking blocks", None, Some(total))?;
        blocks.par_iter().try_for_each(|block| {
            self.source.read_block(block)?;
            Ok(meter.add(block.length)?)
        })
    }

    /// Compares the keys of a tier, which look-ups go by, with those of the game's own positions.
    pub(crate) fn check_keys(&self, tier: u32, keys: KeySource) -> Result<(), TableError> {
        let Some(record) = self.source.record(tier) else { return Ok(()) };
        let Some(cut) = record.cut else { return Ok(()) };
        let (size, found) = (self.source.block, record.parts().1);
        found.par_iter().zip(&record.firsts).enumerate().try_for_each(|(i, (block, first))| {
            let from = i as u64 * size;
            let wanted = keys(tier, from..(from + size).min(record.len));
            let wanted: Vec<u64> = wanted.into_iter().map(|key| key >> (64 - 8 * cut)).collect();
            let mut raw = vec![];
            codec::put_keys(&mut raw, &wanted);
            let same = wanted.first() == Some(first) && *self.content(block, None)? == raw;
            let other = || self.source.bad_block(block, "holds other keys than the game");
            if same { Ok(()) } else { Err(other()) }
        })
    }

    fn content(&self, block: &Block, size: Option<u64>) -> Result<Arc<Vec<u8>>, TableError> {
        let found = self.recent.lock().expect("no look-up panics").get(&block.offset);
        if let Some(content) = found {
            return Ok(content);
        }
        let most = size.unwrap_or(self.source.block * 10) as usize;
        let frame = self.source.read_block(block)?;
        let bad = |how| self.source.bad_block(block, how);
        let content = with_zstd(|zstd| zstd.decompress(&frame, most));
        let content = Arc::new(content.map_err(|_| bad("does not unpack"))?);
        if size.is_some_and(|size| size != content.len() as u64) {
            return Err(bad("has the wrong size"));
        }
        let mut recent = self.recent.lock().expect("no look-up panics");
        recent.put(block.offset, content.clone());
        Ok(content)
    }
}

/// A table's file, finished or growing, which threads read at positions.
pub(crate) struct TableFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Where it ends.
    pub(super) end: u64,
    /// Slots a block.
    pub(crate) block: u64,
    /// The tiers that are there.
    pub(super) records: Vec<Option<Record>>,
}

impl TableFile {
    pub(super) fn record(&self, tier: u32) -> Option<&Record> {
        self.records.get(tier as usize)?.as_ref()
    }

    /// Whether a tier is there.
    pub(crate) fn has(&self, tier: u32) -> bool {
        self.record(tier).is_some()
    }

    /// Bytes a slot in a tier; 0 if it is not there.
    pub(crate) fn width(&self, tier: u32) -> usize {
        self.record(tier).map_or(0, |record| record.width)
    }

    /// A block of values as it is packed, of a tier that is there.
    pub(crate) fn frame(&self, tier: u32, number: u64) -> Result<Vec<u8>, TableError> {
        let record = self.record(tier).expect("asked for what it has");
        self.read_block(&record.blocks[number as usize])
    }

    /// The values of a tier that is there, from a block on, of so many blocks at the most. They are unpacked on all
    /// threads.
    pub(crate) fn values(&self, tier: u32, from: u64, most: u64) -> Result<TierValues, TableError> {
        let record = self.record(tier).expect("asked for what it has");
        let len = record.len.saturating_sub(from * self.block);
        let len = len.min(most.saturating_mul(self.block));
        let block = |i: usize| &record.blocks[from as usize + i];
        let bad = |i| self.bad_block(block(i), "does not unpack to its size");
        unpack_tier(len, record.width, self.block, |i| self.read_block(block(i)), bad)
    }

    fn damaged(&self, what: String) -> TableError {
        TableError::Damaged { path: self.path.clone(), what }
    }

    fn bad_block(&self, block: &Block, how: &str) -> TableError {
        self.damaged(format!("the block of {} bytes at {} {how}", block.length, block.offset))
    }

    /// The format and the whole header.
    fn header(&self) -> Result<(u32, Vec<u8>), TableError> {
        let start = self.read(0, 16.min(self.end))?;
        if start.len() < 16 || !start.starts_with(MAGIC) {
            return Err(self.damaged("it does not begin like a table".into()));
        }
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| start[at + i]));
        let length = 16 + u64::from(word(12)) + 8;
        if length > self.end {
            return Err(self.damaged("it ends within its header".into()));
        }
        let header = self.read(0, length)?;
        let (content, sum) = header.split_at(header.len() - 8);
        if checksum(content).to_le_bytes() != sum {
            return Err(self.damaged("the checksum of its header is wrong".into()));
        }
        // Only a header that is whole can be believed about its format.
        match word(8) {
            format @ 1..=FORMAT_OUTCOMES => Ok((format, header)),
            format => Err(TableError::Format { path: self.path.clone(), format }),
        }
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; length as usize];
        read_exact_at(&self.file, &mut bytes, offset).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.damaged(format!("it ends before byte {}", offset + length))
            }
            _ => failed(&self.path, "read")(source),
        })?;
        Ok(bytes)
    }

    /// A block as it is packed.
    fn read_block(&self, block: &Block) -> Result<Vec<u8>, TableError> {
        let frame = self.read(block.offset, block.length)?;
        let whole = checksum(&frame) == block.checksum;
        if whole { Ok(frame) } else { Err(self.bad_block(block, "has the wrong checksum")) }
    }
}

/// Tier records and where the blocks end.
fn parse_footer(
    footer: &[u8],
    format: u32,
    identity: &Identity,
    block: u64,
    blocks_begin: u64,
) -> Option<(Vec<Option<Record>>, u64)> {
    let mut bytes = codec::Bytes(footer);
    if format < FORMAT {
        // A summary, which is kept elsewhere now.
        let numbers = if identity.outcomes { 7 } else { 10 };
        (0..numbers).try_for_each(|_| bytes.number().map(|_| ()))?;
    }
    let record = |_| codec::parse_record(&mut bytes, identity, block);
    let mut records = (0..identity.tiers).map(record).collect::<Option<Vec<_>>>()?;
    // Blocks stand in the order of solving, last tier first; records begin with tier 0.
    let mut offset = blocks_begin;
    records.iter_mut().rev().try_for_each(|record| record.place(&mut offset))?;
    bytes.0.is_empty().then(|| (records.into_iter().map(Some).collect(), offset))
}

/// The values of `slots` slots from their packed blocks; `None` where they do not unpack to that.
pub(crate) fn assemble(
    len: u64,
    width: usize,
    block: u64,
    frames: &[Vec<u8>],
) -> Option<TierValues> {
    let whole = frames.len() as u64 == len.div_ceil(block);
    whole.then(|| unpack_tier(len, width, block, |i| Ok(&frames[i]), |_| ()).ok())?
}

/// Unpacks blocks on all threads; nothing of the tier's size is in memory but its values. `bad` is what is to be
/// said of a block that does not unpack to its size.
fn unpack_tier<F: AsRef<[u8]>, E: Send>(
    len: u64,
    width: usize,
    block: u64,
    frame: impl Fn(usize) -> Result<F, E> + Sync,
    bad: impl Fn(usize) -> E + Sync,
) -> Result<TierValues, E> {
    let sound = |i, whole| if whole { Ok(()) } else { Err(bad(i)) };
    if width == 0 {
        let mut planes = OutcomePlanes::holes(len);
        planes.runs_mut(block as usize).enumerate().try_for_each(|(i, run)| {
            let slots = (len - i as u64 * block).min(block);
            let mut content = vec![0; planes::block_bytes(slots) as usize];
            let whole = fills(frame(i)?.as_ref(), &mut content);
            sound(i, whole && planes::read_block(&content, slots, run))
        })?;
        return Ok(TierValues::OutcomePlanes(planes));
    }
    let mut bytes = vec![0; len as usize * width];
    let blocks = bytes.par_chunks_mut((block as usize * width).max(1)).enumerate();
    blocks.try_for_each(|(i, out)| sound(i, fills(frame(i)?.as_ref(), out)))?;
    TierValues::from_bytes(width, bytes).ok_or_else(|| bad(0))
}

/// Unpacks a frame; whether it fills `out`.
fn fills(frame: &[u8], out: &mut [u8]) -> bool {
    let length = with_zstd(|zstd| zstd.decompress_to_buffer(frame, out));
    length.is_ok_and(|length| length == out.len())
}

/// Uses the thread's decompressor: to make one takes about as long as to use it once.
fn with_zstd<T>(use_it: impl FnOnce(&mut Decompressor) -> io::Result<T>) -> io::Result<T> {
    thread_local! {
        static ZSTD: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => use_it(zstd),
        None => use_it(zstd.insert(Decompressor::new()?)),
    })
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (bytes, offset) = (&mut bytes[n..], offset + n as u64),
        }
    }
    Ok(())
}
