//! Growing a table on disk so that a kill at any moment loses at most the tier that is being solved, the
//! one before it that is being written, and small ones that were finished within a tenth of a second.

use std::{
    cell::RefCell,
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    mem,
    ops::Range,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::{
    Block, END_MAGIC, Identity, OutcomePlanes, Record, Shelf, TableError, TierValues, block_of,
    codec::{self, checksum},
    reader::{TableFile, no_plain_file, open_plain},
};
use crate::watch::{Kept, Watch};

/// Gives the keys of a range of slots of a tier, in rising order.
pub(crate) type KeySource<'a> = &'a (dyn Fn(u32, Range<u64>) -> Vec<u64> + Sync);

/// A table being written.
pub struct Writer<'a> {
    path: PathBuf,
    /// The file that will be the table.
    pub(crate) source: TableFile,
    journal: File,
    keys: Option<KeySource<'a>>,
    outcomes: bool,
    /// Entries for the journal, held back until their blocks are synced.
    pending: Vec<u8>,
    /// Where the last finished tier ends.
    whole: u64,
    synced: Instant,
    watch: &'a dyn Watch,
}

/// How long finished tiers may wait to be synced: a game of thousands of small tiers would
/// otherwise do little else.
const PATIENCE: Duration = Duration::from_millis(100);

/// How hard blocks are compressed; part of the format, because it decides a table's bytes.
const LEVEL: i32 = 3;

/// Leading bytes of keys that are kept at the least.
const LEAST_BYTES: u32 = 4;

/// Blocks that are compressed together before they are written.
const BATCH: usize = 64;

impl<'a> Writer<'a> {
    /// Begins a table of `slots` slots at `path`, or goes on with one that was begun before. The watcher
    /// hears what is safe.
    pub(crate) fn open(
        path: &Path,
        identity: Identity,
        slots: u64,
        keys: Option<KeySource<'a>>,
        watch: &'a dyn Watch,
    ) -> Result<Writer<'a>, TableError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed(folder, "create the folder"))?;
        }
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            let opened = options.read(true).write(true).create(true).truncate(false).open(path);
            let plain = |file: File| match file.metadata()?.is_file() {
                true => Ok(file),
                false => Err(no_plain_file()),
            };
            opened.and_then(plain).map_err(failed(path, "open"))
        };
        let journal_path = beside(path, "journal");
        let mut journal = open(&journal_path)?;
        journal.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => TableError::Busy { path: path.into() },
            TryLockError::Error(source) => failed(&journal_path, "lock")(source),
        })?;
        // Another run may have finished the table between our look for it and our lock.
        if path.exists() {
            return Err(TableError::Busy { path: path.into() });
        }
        let part = beside(path, "part");
        let (block, records) = (block_of(slots), vec![None; identity.tiers as usize]);
        let mut source = TableFile { file: open(&part)?, path: part, end: 0, block, records };
        resume(&mut journal, &mut source, &identity)
            .map_err(failed(&journal_path, "go on with"))?;
        let (path, outcomes, whole) = (path.into(), identity.outcomes, source.end);
        let (pending, synced) = (vec![], Instant::now());
        Ok(Writer { path, source, journal, keys, outcomes, pending, whole, synced, watch })
    }

    /// How many tiers were finished by earlier runs or this one.
    pub fn finished(&self) -> u32 {
        self.source.records.iter().flatten().count() as u32
    }

    /// Makes certain of all that is finished.
    pub(crate) fn settle(&mut self) -> Result<(), TableError> {
        if self.pending.is_empty() { Ok(()) } else { self.sync() }
    }

    /// Writes the footer, and gives the table its name.
    pub(crate) fn finish(&mut self) -> Result<(), TableError> {
        let mut footer = vec![];
        for record in &self.source.records {
            codec::put_record(&mut footer, record.as_ref().expect("every tier is finished"));
        }
        let trailer = [self.source.end, footer.len() as u64, checksum(&footer)];
        footer.extend(trailer.map(u64::to_le_bytes).as_flattened());
        footer.extend(END_MAGIC);
        self.append(&footer)?;
        let TableFile { path, file, .. } = &self.source;
        file.sync_all().map_err(failed(path, "sync"))?;
        std::fs::rename(path, &self.path).map_err(failed(&self.path, "rename to"))?;
        sync_folder(&self.path);
        // The table is whole: that its journal cannot be removed changes nothing.
        self.pending.clear();
        let _ = std::fs::remove_file(beside(&self.path, "journal"));
        Ok(self.watch.kept(&self.path, Kept::Whole)?)
    }

    /// Begins a tier of words so wide. What there is of one that was given up is forgotten.
    pub(crate) fn begin(&mut self, tier: u32, width: usize) -> Result<Sheet<'_, 'a>, TableError> {
        let TableFile { path, file, end, .. } = &mut self.source;
        if *end > self.whole {
            *end = self.whole;
            let cut = file.set_len(*end).and_then(|()| file.seek(SeekFrom::Start(*end)));
            cut.map_err(failed(path, "cut"))?;
        }
        Ok(Sheet { writer: self, tier, width, firsts: vec![], blocks: vec![], rest: vec![] })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        let TableFile { path, file, end, .. } = &mut self.source;
        file.write_all(bytes).map_err(failed(path, "write"))?;
        *end += bytes.len() as u64;
        Ok(())
    }

    /// Takes note of a tier whose blocks are written. An entry of the journal is its length, itself and its checksum.
    fn put_record(&mut self, tier: u32, record: Record) -> Result<(), TableError> {
        let mut entry = vec![];
        codec::put(&mut entry, tier.into());
        codec::put_record(&mut entry, &record);
        self.pending.extend((entry.len() as u64).to_le_bytes());
        self.pending.extend(&entry);
        self.pending.extend(checksum(&entry).to_le_bytes());
        self.source.records[tier as usize] = Some(record);
        self.whole = self.source.end;
        if self.synced.elapsed() >= PATIENCE { self.sync() } else { Ok(()) }
    }

    /// First the blocks, then the word that they are there.
    fn sync(&mut self) -> Result<(), TableError> {
        let TableFile { path, file, .. } = &self.source;
        file.sync_data().map_err(failed(path, "sync"))?;
        let journal = beside(&self.path, "journal");
        self.journal.write_all(&self.pending).map_err(failed(&journal, "write"))?;
        self.journal.sync_data().map_err(failed(&journal, "sync"))?;
        self.pending.clear();
        let told = self.watch.kept(&self.path, Kept::Part(self.whole));
        self.synced = Instant::now();
        Ok(told?)
    }
}

impl Shelf for Writer<'_> {
    fn has(&self, tier: u32) -> bool {
        self.source.has(tier)
    }

    fn fetch(&self, tier: u32) -> Result<TierValues, TableError> {
        self.source.values(tier, 0, u64::MAX)
    }

    fn keep(&mut self, tier: u32, words: &TierValues) -> Result<(), TableError> {
        assert!(
            words.have_distances() != self.outcomes,
            "a table keeps distances in all tiers or in none"
        );
        let mut sheet = self.begin(tier, words.width())?;
        sheet.put_all(words.len(), &|slots| Ok((None, pack(&words.bytes(slots))?)))?;
        sheet.finish(words.len(), None)
    }
}

/// A tier whose blocks are put one after the other.
pub(crate) struct Sheet<'s, 'a> {
    writer: &'s mut Writer<'a>,
    tier: u32,
    width: usize,
    firsts: Vec<u64>,
    blocks: Vec<Block>,
    /// What does not fill a block yet.
    rest: Vec<u8>,
}

/// What makes a packed block of some slots, with its first key if it is one of keys.
type Pack<'p> = &'p (dyn Fn(Range<u64>) -> io::Result<(Option<u64>, Vec<u8>)> + Sync);

impl Sheet<'_, '_> {
    /// The next block: of values, or after all of these of keys, with the first of them as it is cut.
    pub(crate) fn put(&mut self, first: Option<u64>, frame: &[u8]) -> Result<(), TableError> {
        let (offset, length) = (self.writer.source.end, frame.len() as u64);
        self.writer.append(frame)?;
        self.firsts.extend(first);
        self.blocks.push(Block { offset, length, checksum: checksum(frame) });
        Ok(())
    }

    /// The file, with the tiers that are finished.
    pub(crate) fn shelf(&self) -> &TableFile {
        &self.writer.source
    }

    /// The next slots: words, or where their width is 0 codes of outcomes. Blocks are packed on all threads.
    pub(crate) fn extend(&mut self, content: Vec<u8>) -> Result<(), TableError> {
        let size = self.writer.source.block as usize * self.width.max(1);
        self.rest.extend(content);
        let rest = self.rest.split_off(self.rest.len() / size * size);
        let blocks = mem::replace(&mut self.rest, rest);
        self.put_blocks(&blocks, size)
    }

    fn put_blocks(&mut self, blocks: &[u8], size: usize) -> Result<(), TableError> {
        let pack = |block: &[u8]| pack_block(self.width, block.to_vec());
        let frames: Option<Vec<Vec<u8>>> = blocks.par_chunks(size).map(pack).collect();
        let bad = || failed(&self.shelf().path, "pack for")(io::ErrorKind::InvalidData.into());
        frames.ok_or_else(bad)?.iter().try_for_each(|frame| self.put(None, frame))
    }

    /// Packs blocks on all threads, and puts them in order.
    fn put_all(&mut self, len: u64, pack: Pack) -> Result<(), TableError> {
        let block = self.writer.source.block;
        let numbers: Vec<u64> = (0..len.div_ceil(block)).collect();
        for batch in numbers.chunks(BATCH) {
            let pack = |i: &u64| pack(i * block..((i + 1) * block).min(len));
            let frames = batch.par_iter().map(pack).collect::<io::Result<Vec<_>>>();
            for (first, frame) in
                frames.map_err(failed(&self.writer.source.path, "compress for"))?
            {
                self.put(first, &frame)?;
            }
        }
        Ok(())
    }

    /// All blocks of the tier are there. Keys are those that were put, cut to a number of bytes, or the
    /// writer's own.
    pub(crate) fn finish(mut self, len: u64, mut cut: Option<u32>) -> Result<(), TableError> {
        let (tier, rest) = (self.tier, mem::take(&mut self.rest));
        self.put_blocks(&rest, rest.len().max(1))?;
        if let (None, Some(keys)) = (cut, self.writer.keys) {
            let bytes = leading_bytes(len, self.writer.source.block, |slots| keys(tier, slots));
            self.put_all(len, &|slots| {
                let (first, frame) = pack_keys(bytes, &keys(tier, slots))?;
                Ok((Some(first), frame))
            })?;
            cut = Some(bytes);
        }
        let Sheet { writer, width, firsts, blocks, .. } = self;
        writer.put_record(tier, Record { len, width, cut, firsts, blocks })
    }
}

/// How many leading bytes it takes to tell keys apart, at the least; they rise, so neighbours decide.
pub(crate) fn telling_bytes(keys: impl IntoIterator<Item = u64>) -> u32 {
    let (mut last, mut most) = (None, LEAST_BYTES);
    for key in keys {
        most = most.max(last.map_or(1, |last: u64| (last ^ key).leading_zeros() / 8 + 1));
        last = Some(key);
    }
    most
}

/// Packs a block of keys, cut to `bytes` bytes: the first of them, and the frame.
pub(crate) fn pack_keys(bytes: u32, keys: &[u64]) -> io::Result<(u64, Vec<u8>)> {
    let keys: Vec<u64> = keys.iter().map(|key| key >> (64 - 8 * bytes)).collect();
    let mut out = vec![];
    codec::put_keys(&mut out, &keys);
    Ok((keys.first().copied().unwrap_or(0), pack(&out)?))
}

/// Packs a block whose content is words, or where the width is 0 codes of outcomes; `None` where a code is
/// none of an outcome, or packing fails.
pub(crate) fn pack_block(width: usize, content: Vec<u8>) -> Option<Vec<u8>> {
    let content = match width {
        0 => OutcomePlanes::from_codes(&content)?.bytes(0, content.len() as u64),
        _ => content,
    };
    pack(&content).ok()
}

/// Packs with the thread's compressor: to make one takes about as long as to use it once.
fn pack(content: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static ZSTD: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => zstd.compress(content),
        None => zstd.insert(Compressor::new(LEVEL)?).compress(content),
    })
}

/// A run that is stopped keeps what it has finished.
impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // Whatever fails here, the next run finds less finished, and nothing wrong.
        let _ = self.settle();
    }
}

/// How many leading bytes of its keys a tier keeps.
fn leading_bytes(len: u64, size: u64, keys: impl Fn(Range<u64>) -> Vec<u64> + Sync) -> u32 {
    // One key more than the block, so that its last is compared with the next one's first.
    let block = |i: u64| telling_bytes(keys(i * size..((i + 1) * size + 1).min(len)));
    (0..len.div_ceil(size)).into_par_iter().map(block).max().unwrap_or(LEAST_BYTES)
}

/// Reads back what an earlier run finished, cuts off what it did not, and leaves both files at
/// their ends. A journal of something else, or none, begins anew.
fn resume(journal: &mut File, source: &mut TableFile, identity: &Identity) -> io::Result<()> {
    let TableFile { file, end, records, block, .. } = source;
    let header = codec::header(identity, *block);
    // Of something else no more is read than tells that it is.
    let mut bytes = vec![];
    (&mut *journal).take(header.len() as u64).read_to_end(&mut bytes)?;
    if bytes == header {
        journal.read_to_end(&mut bytes)?;
    }
    let written = file.metadata()?.len();
    *end = header.len() as u64;
    let mut good = header.len();
    if bytes.starts_with(&header) && written >= *end {
        for (entry, next) in entries(&bytes, good) {
            let (mut entry, mut after) = (codec::Bytes(entry), *end);
            let record = entry.number().zip(codec::parse_record(&mut entry, identity, *block));
            let Some((tier, mut record)) = record else { break };
            let placed = record.place(&mut after).is_some();
            // Tiers are finished from the last to the first.
            let next_tier = records.iter().position(Option::is_some).unwrap_or(records.len());
            if !placed || after > written || tier + 1 != next_tier as u64 {
                break;
            }
            records[tier as usize] = Some(record);
            (*end, good) = (after, next);
        }
    } else {
        for file in [&mut *file, &mut *journal] {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.sync_data()?;
        }
    }
    for (file, end) in [(file, *end), (journal, good as u64)] {
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
    }
    Ok(())
}

/// No journal is longer, unless its table has more than ten thousand million blocks.
const LONGEST_JOURNAL: u64 = 1 << 30;

/// How many tiers of the table at `path` a stopped run has left finished.
pub fn kept(path: &Path) -> u32 {
    let mut bytes = vec![];
    // What cannot be read, or not as a whole, only tells less.
    let _ = open_plain(&beside(path, "journal"))
        .and_then(|file| file.take(LONGEST_JOURNAL).read_to_end(&mut bytes));
    let length = bytes.get(12..16).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let from = length.map_or(bytes.len(), |payload| 16 + payload as usize + 8);
    entries(&bytes, from).count() as u32
}

/// The entries of a journal that are whole, and where each ends.
fn entries(bytes: &[u8], mut from: usize) -> impl Iterator<Item = (&[u8], usize)> {
    std::iter::from_fn(move || {
        let mut rest = codec::Bytes(bytes.get(from..)?);
        let length = u64::from_le_bytes(rest.take()?);
        let entry = rest.some(length)?;
        let sum = u64::from_le_bytes(rest.take()?);
        from = bytes.len() - rest.0.len();
        (sum == checksum(entry)).then_some((entry, from))
    })
}

/// Removes what a run left beside the finished table at `path` that was killed while it tidied up.
pub(crate) fn tidy(path: &Path) {
    if !beside(path, "part").exists() {
        let _ = std::fs::remove_file(beside(path, "journal"));
        let _ = std::fs::remove_file(beside(path, "snapshot"));
        let _ = std::fs::remove_dir_all(scratch(path));
    }
}

/// Where a run may keep files that nobody needs after it.
pub(crate) fn scratch(path: &Path) -> PathBuf {
    beside(path, "scratch")
}

/// Where the depths of traps are kept that belong to the table at `path`.
pub fn traps(path: &Path) -> PathBuf {
    path.with_extension("traps")
}

/// Where the statistics are kept that belong to the table at `path`.
pub fn statistics(path: &Path) -> PathBuf {
    path.with_extension("stats")
}

/// Removes the table at `path`, finished or not, and what was derived from it. That there is none is
/// no error.
pub fn remove(path: &Path) -> Result<(), TableError> {
    remove_one(&statistics(path))?;
    remove_one(&traps(path))?;
    remove_one(path)
}

/// Removes a table and what a stopped run left of it.
pub(crate) fn remove_one(path: &Path) -> Result<(), TableError> {
    let _ = std::fs::remove_dir_all(scratch(path));
    let beside = ["part", "journal", "snapshot"].map(|ending| beside(path, ending));
    for path in [path.to_path_buf()].into_iter().chain(beside) {
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(failed(&path, "remove")(source));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The name of a file that belongs to the table at `path`.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Makes the rename durable, where the system can.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

pub(crate) fn failed(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::Io { path: path.clone(), doing, source }
}
