//! Reading a table: one position reads one block, never the file.
//!
//! Files are read at positions and not mapped. Mapping would turn a file that shrinks or a disk that fails into a crash
//! of the process; a read fails with an error that names the block, and needs no `unsafe`.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::HashMap,
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
    index::nth_slot,
    watch::{Meter, Shown, Watch},
};

/// A finished table.
pub struct Table {
    source: Source,
    bytes: u64,
    hash: u128,
    identity: Identity,
    block: u64,
    records: Vec<Record>,
    recent: Mutex<Recent>,
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

/// Blocks that were read lately, by their offsets.
#[derive(Default)]
struct Recent {
    last: Blocks,
    /// Bytes of those.
    bytes: usize,
    /// What was read before the last ones; it goes when these become many.
    before: Blocks,
}

type Blocks = HashMap<u64, Arc<Vec<u8>>>;

/// How many bytes of blocks are kept for the next look-ups.
const RECENT: usize = 16 << 20;

impl Recent {
    fn get(&mut self, offset: u64) -> Option<Arc<Vec<u8>>> {
        if let Some(content) = self.last.get(&offset) {
            return Some(content.clone());
        }
        let content = self.before.remove(&offset)?;
        self.put(offset, content.clone());
        Some(content)
    }

    fn put(&mut self, offset: u64, content: Arc<Vec<u8>>) {
        self.bytes += content.len();
        self.last.insert(offset, content);
        if self.bytes > RECENT / 2 {
            (self.before, self.bytes) = (std::mem::take(&mut self.last), 0);
        }
    }
}

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
        let source = Source { path: path.into(), file };
        let damaged = |what: &str| source.damaged(what.into());
        let bytes = source.file.metadata().map_err(failed(path, "look at"))?.len();
        let (format, header) = source.header(bytes)?;
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
        Ok(Table { source, bytes, hash, identity, block, records, recent: Mutex::default() })
    }

    /// Opens the table at `path`, which must be of this game, rules and numbering.
    pub fn open_for(
        path: &Path,
        game: &str,
        rules: u32,
        numbering: &str,
    ) -> Result<Table, TableError> {
        let table = Table::open(path)?;
        let found = &table.identity;
        let same = found.game == game && found.rules == rules && found.numbering == numbering;
        if same {
            return Ok(table);
        }
        let say = |game: &str, rules: u32, numbering: &str| {
            let (game, numbering) = (Shown(game), Shown(numbering));
            format!("'{game}' (rules {rules}, numbering '{numbering}')")
        };
        Err(TableError::Other {
            path: path.into(),
            found: say(&found.game, found.rules, &found.numbering),
            wanted: say(game, rules, numbering),
        })
    }

    /// How long it takes to read a value from the table at `path`.
    pub fn pace(path: &Path) -> Result<Pace, TableError> {
        let began = Instant::now();
        let table = Table::open(path)?;
        let total: u64 = table.records.iter().map(|record| record.len).sum();
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
        self.bytes
    }

    /// A fingerprint of the whole file: header and footer, which hold the checksums of the rest.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// How many slots a tier has.
    pub fn len(&self, tier: u32) -> u64 {
        self.records.get(tier as usize).map_or(0, |record| record.len)
    }

    /// Whether the table has no slot at all.
    pub fn is_empty(&self) -> bool {
        self.records.iter().all(|record| record.len == 0)
    }

    /// The value at a slot; `None` for a hole and for a slot that the table does not have.
    pub fn get(&self, slot: Slot) -> Result<Option<Value>, TableError> {
        let Some(record) = self.records.get(slot.tier as usize) else { return Ok(None) };
        if slot.index >= record.len {
            return Ok(None);
        }
        let i = (slot.index / self.block) as usize;
        let slots = (record.len - i as u64 * self.block).min(self.block);
        let block = &record.values[i];
        let content = self.content(block, Some(record.content(slots)))?;
        if record.width == 0 {
            return Ok(planes::in_block(&content, slots, slot.index % self.block));
        }
        let from = (slot.index % self.block) as usize * record.width;
        let word =
            TierValues::from_bytes(record.width, content[from..from + record.width].to_vec());
        Ok(word.and_then(|word| word.get(0)))
    }

    /// The slot of a key, in a table whose positions are found by key. Looks in tier `first`
    /// before the others, which reads one block when that is right.
    pub fn find(&self, key: u64, first: u32) -> Result<Option<Slot>, TableError> {
        let others = (0..self.records.len() as u32).filter(|tier| *tier != first);
        for tier in std::iter::once(first).chain(others) {
            if let Some(index) = self.find_in(tier, key)? {
                return Ok(Some(Slot { tier, index }));
            }
        }
        Ok(None)
    }

    fn find_in(&self, tier: u32, key: u64) -> Result<Option<u64>, TableError> {
        let Some(record) = self.records.get(tier as usize) else { return Ok(None) };
        let Some(keys) = &record.keys else { return Ok(None) };
        let key = key >> (64 - 8 * keys.bytes);
        let Some(i) = keys.blocks.partition_point(|(first, _)| *first <= key).checked_sub(1) else {
            return Ok(None);
        };
        let (first, block) = &keys.blocks[i];
        let place = codec::find_key(&self.content(block, None)?, *first, key)
            .ok_or_else(|| self.source.bad_block(block, "holds no keys"))?;
        Ok(place.map(|place| i as u64 * self.block + place))
    }

    /// Bytes of memory that the values of a tier take.
    pub(crate) fn tier_bytes(&self, tier: u32) -> u64 {
        let Some(record) = self.records.get(tier as usize) else { return 0 };
        match record.width {
            0 => record.len.div_ceil(64) * 16,
            width => record.len * width as u64,
        }
    }

    /// Bytes a slot in a tier.
    pub(crate) fn width(&self, tier: u32) -> usize {
        self.records.get(tier as usize).map_or(0, |record| record.width)
    }

    /// A packed block of a tier.
    pub(crate) fn frame(&self, tier: u32, number: usize) -> Result<Vec<u8>, TableError> {
        self.source.frame(&self.records[tier as usize].values[number])
    }

    /// All values of a tier.
    pub fn tier(&self, tier: u32) -> Result<TierValues, TableError> {
        self.source.words(&self.records[tier as usize], self.block)
    }

    /// The values of a tier from a slot on that begins a block: about `bytes` bytes of them, a block at least.
    pub(crate) fn run(&self, tier: u32, from: u64, bytes: u64) -> Result<TierValues, TableError> {
        let record = &self.records[tier as usize];
        let blocks = (bytes / record.content(self.block).max(1)).max(1) as usize;
        let numbers = ((from / self.block) as usize..record.values.len()).take(blocks);
        let frames: Vec<Vec<u8>> =
            numbers.map(|number| self.frame(tier, number)).collect::<Result<_, _>>()?;
        let len = (frames.len() as u64 * self.block).min(record.len.saturating_sub(from));
        let words = assemble(len, record.width, self.block, &frames);
        words.ok_or_else(|| self.source.bad_tier(tier))
    }

    /// Reads every block and compares its checksum.
    pub fn check_blocks(&self, watch: &dyn Watch) -> Result<(), TableError> {
        let blocks: Vec<&Block> = self.records.iter().flat_map(Record::blocks).collect();
        let total = blocks.iter().map(|block| block.length).sum();
        let meter = Meter::new(watch, "checking blocks", None, Some(total))?;
        blocks.par_iter().try_for_each(|block| {
            self.source.frame(block)?;
            Ok(meter.add(block.length)?)
        })
    }

    /// Compares the keys of a tier, which look-ups go by, with those of the game's own positions.
    pub(crate) fn check_keys(&self, tier: u32, keys: KeySource) -> Result<(), TableError> {
        let Some(record) = self.records.get(tier as usize) else { return Ok(()) };
        let Some(found) = &record.keys else { return Ok(()) };
        found.blocks.par_iter().enumerate().try_for_each(|(i, (first, block))| {
            let from = i as u64 * self.block;
            let wanted = keys(tier, from..(from + self.block).min(record.len));
            let wanted: Vec<u64> =
                wanted.into_iter().map(|key| key >> (64 - 8 * found.bytes)).collect();
            let mut raw = vec![];
            codec::put_keys(&mut raw, &wanted);
            let same = wanted.first() == Some(first) && *self.content(block, None)? == raw;
            let other = || self.source.bad_block(block, "holds other keys than the game");
            if same { Ok(()) } else { Err(other()) }
        })
    }

    fn content(&self, block: &Block, size: Option<u64>) -> Result<Arc<Vec<u8>>, TableError> {
        let found = self.recent.lock().expect("no look-up panics").get(block.offset);
        if let Some(content) = found {
            return Ok(content);
        }
        let most = size.unwrap_or(self.block * 10) as usize;
        let frame = self.source.frame(block)?;
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

/// A file that threads read at positions, and its name, which errors tell.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) file: File,
}

impl Source {
    fn damaged(&self, what: String) -> TableError {
        TableError::Damaged { path: self.path.clone(), what }
    }

    fn bad_block(&self, block: &Block, how: &str) -> TableError {
        self.damaged(format!("the block of {} bytes at {} {how}", block.length, block.offset))
    }

    pub(super) fn bad_tier(&self, tier: u32) -> TableError {
        self.damaged(format!("a block of tier {tier} does not unpack to its size"))
    }

    /// The format and the whole header.
    fn header(&self, bytes: u64) -> Result<(u32, Vec<u8>), TableError> {
        let start = self.read(0, 16.min(bytes))?;
        if start.len() < 16 || !start.starts_with(MAGIC) {
            return Err(self.damaged("it does not begin like a table".into()));
        }
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| start[at + i]));
        let length = 16 + u64::from(word(12)) + 8;
        if length > bytes {
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
    pub(super) fn frame(&self, block: &Block) -> Result<Vec<u8>, TableError> {
        let frame = self.read(block.offset, block.length)?;
        let whole = checksum(&frame) == block.checksum;
        if whole { Ok(frame) } else { Err(self.bad_block(block, "has the wrong checksum")) }
    }

    /// All values of a tier, its blocks unpacked on all threads.
    pub(super) fn words(&self, record: &Record, block: u64) -> Result<TierValues, TableError> {
        let frame = |i: usize| self.frame(&record.values[i]).map(Cow::Owned);
        let bad = |i: usize| self.bad_block(&record.values[i], "does not unpack to its size");
        unpack_tier(record.len, record.width, block, &frame, &bad)
    }
}

/// Tier records and where the blocks end.
fn parse_footer(
    footer: &[u8],
    format: u32,
    identity: &Identity,
    block: u64,
    blocks_begin: u64,
) -> Option<(Vec<Record>, u64)> {
    let mut bytes = codec::Bytes(footer);
    if format < FORMAT {
        // A summary, which is kept elsewhere now.
        let numbers = if identity.outcomes { 7 } else { 10 };
        (0..numbers).try_for_each(|_| bytes.number().map(|_| ()))?;
    }
    // Blocks stand in the order of solving, last tier first; records begin with tier 0. So offsets
    // are counted from zero within each tier first and moved to their places afterwards.
    let mut lengths = vec![];
    let mut records = vec![];
    for _ in 0..identity.tiers {
        let mut length = 0;
        records.push(codec::parse_record(&mut bytes, identity, block, &mut length)?);
        lengths.push(length);
    }
    let mut offset = blocks_begin;
    for (record, length) in records.iter_mut().zip(lengths).rev() {
        let keys = record.keys.iter_mut().flat_map(|keys| keys.blocks.iter_mut().map(|(_, b)| b));
        record.values.iter_mut().chain(keys).for_each(|block| block.offset += offset);
        offset = offset.checked_add(length)?;
    }
    bytes.0.is_empty().then_some((records, offset))
}

/// The values of `slots` slots from their packed blocks; `None` where they do not unpack to that.
pub(crate) fn assemble(
    len: u64,
    width: usize,
    block: u64,
    frames: &[Vec<u8>],
) -> Option<TierValues> {
    let whole = frames.len() as u64 == len.div_ceil(block);
    let frame = |i: usize| Ok(Cow::Borrowed(&frames[i][..]));
    whole.then(|| unpack_tier(len, width, block, &frame, &|_| ()).ok())?
}

/// Unpacks blocks on all threads; nothing of the tier's size is in memory but its values. `bad` is what is to be
/// said of a block that does not unpack to its size.
fn unpack_tier<'f, E: Send>(
    len: u64,
    width: usize,
    block: u64,
    frame: &(dyn Fn(usize) -> Result<Cow<'f, [u8]>, E> + Sync),
    bad: &(dyn Fn(usize) -> E + Sync),
) -> Result<TierValues, E> {
    let sound = |i, whole| if whole { Ok(()) } else { Err(bad(i)) };
    if width == 0 {
        let mut planes = OutcomePlanes::holes(len);
        planes.runs_mut(block as usize).enumerate().try_for_each(|(i, run)| {
            let slots = (len - i as u64 * block).min(block);
            let size = planes::block_bytes(slots);
            let frame = frame(i)?;
            let content = with_zstd(|zstd| zstd.decompress(&frame, size as usize));
            let content = content.unwrap_or_default();
            sound(i, content.len() as u64 == size && planes::read_block(&content, slots, run))
        })?;
        return Ok(TierValues::OutcomePlanes(planes));
    }
    let mut bytes = vec![0; len as usize * width];
    let blocks = bytes.par_chunks_mut((block as usize * width).max(1)).enumerate();
    blocks.try_for_each(|(i, out)| sound(i, fills(&frame(i)?, out)))?;
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
