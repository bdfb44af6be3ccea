//! Tables that grow, and what of them is in the store: in the folder `NAME.part` segments, each named by
//! where in the `.part` file it begins, and the journal, which is written after the segments it tells of.
//!
//! The bytes of a table do not depend on who makes it, nor on when it was stopped. So of two journals with
//! the same header one begins with the other, segments of two runs never contradict each other, and
//! a journal of which that is not true is one of another table: it goes, with its segments.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use crabwise::{
    TableError,
    watch::{Kept, Stage, Watch},
};

use crate::files::{
    Files, Fresh, beside, forget_note, make_folder, name_of, read_failed, write_failed,
};

/// Bytes of a segment at the most.
const SEGMENT: u64 = 16 << 20;

/// How long finished tiers may wait to be stored, and how much of the time storing may take.
const PATIENCE: Duration = Duration::from_secs(1);
const SHARE: u32 = 5;

const JOURNAL: &str = "journal";

/// Finished files in a store, and tables that grow.
pub(crate) struct Store {
    pub(crate) files: Files,
    /// Tables that grow in this process, by name.
    growing: Mutex<HashMap<String, Growing>>,
}

/// A table that grows in this process.
struct Growing {
    /// Bytes of the `.part` file that are safe on disk.
    kept: u64,
    /// Those that are in the store, once it has been asked.
    stored: Option<u64>,
    /// When more is to be stored.
    due: Instant,
    /// What went wrong, if storing did.
    failure: Option<(PathBuf, String)>,
}

/// What the store has of an unfinished table.
struct Unfinished {
    journal: Vec<u8>,
    /// Where segments begin, and how long they are, without gaps.
    segments: Vec<(u64, u64)>,
    /// Where the last of them ends.
    end: u64,
}

impl Store {
    pub(crate) fn new(files: Files) -> Store {
        Store { files, growing: Mutex::default() }
    }

    pub(crate) fn go_on(&self, table: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        let name = name_of(table);
        let (part, journal) = (beside(table, "part"), beside(table, JOURNAL));
        let Some(theirs) = self.unfinished(&name)? else { return Ok(()) };
        let ours = fs::read(&journal).unwrap_or_default();
        if ours.starts_with(&theirs.journal) {
            return Ok(());
        }
        make_folder(table)?;
        // A journal that is locked is worked on here; that is told when we try to. Until both files are replaced we hold
        // it: who began meanwhile would finish a file that is not the one under that name any more.
        let open = OpenOptions::new().write(true).create(true).truncate(false).open(&journal);
        let held = open.map_err(write_failed(&journal))?;
        if held.try_lock().is_err() {
            return Ok(());
        }
        let mut new = Fresh::beside(&part)?;
        let mut stage = Stage::new("fetching", None, Some(theirs.end));
        for (from, size) in &theirs.segments {
            watch.tell(&stage)?;
            let segment = segment_name(&name, *from);
            let bytes = self.files.objects.read(&segment, None, 0..*size);
            let bytes = bytes.map_err(self.files.failed(&segment, "fetch"))?;
            // The next one may begin inside this one.
            new.seek(*from)?;
            new.write(&bytes)?;
            stage.done = from + size;
        }
        new.rename(&part)?;
        let mut new = Fresh::beside(&journal)?;
        new.write(&theirs.journal)?;
        new.rename(&journal)
    }

    pub(crate) fn kept(
        &self,
        table: &Path,
        kept: Kept,
        watch: &dyn Watch,
    ) -> Result<(), TableError> {
        let name = name_of(table);
        let mut all = self.growing.lock().expect("nobody panics while storing");
        match kept {
            Kept::Whole => {
                all.remove(&name);
                drop(all);
                self.files.push(table, watch)?;
                self.remove_unfinished(&name)
            }
            Kept::Part(bytes) => {
                // What is finished within a moment is stored whole, and not before.
                let due = Instant::now() + PATIENCE;
                let begun = Growing { kept: 0, stored: None, due, failure: None };
                let growing = all.entry(name.clone()).or_insert(begun);
                growing.kept = bytes;
                if growing.due > Instant::now() {
                    return Ok(());
                }
                self.store(&name, table, growing)
            }
        }
    }

    pub(crate) fn flush(&self, table: &Path) -> Result<(), TableError> {
        let name = name_of(table);
        let mut all = self.growing.lock().expect("nobody panics while storing");
        let Some(mut growing) = all.remove(&name) else { return Ok(()) };
        match growing.failure.take() {
            Some((path, why)) => {
                Err(TableError::Io { path, doing: "store", source: io::Error::other(why) })
            }
            None => self.store(&name, table, &mut growing),
        }
    }

    /// Compares what is here with what the store has, and says how much of it that is.
    fn compare(&self, name: &str, table: &Path) -> Result<u64, TableError> {
        let journal = beside(table, JOURNAL);
        let ours = fs::read(&journal).map_err(read_failed(&journal))?;
        if let Some(Unfinished { journal: theirs, end, .. }) = self.unfinished(name)?
            && (ours.starts_with(&theirs) || theirs.starts_with(&ours))
        {
            return Ok(end);
        }
        self.remove_unfinished(name)?;
        Ok(0)
    }

    /// Stores what is kept and not stored, first the bytes, then the word that they are there.
    fn store(&self, name: &str, table: &Path, growing: &mut Growing) -> Result<(), TableError> {
        if growing.stored.is_some_and(|stored| stored >= growing.kept) {
            return Ok(());
        }
        let began = Instant::now();
        let stored = self.store_segments(name, table, growing);
        if let Err(TableError::Io { path, source, .. }) = &stored {
            growing.failure = Some((path.clone(), source.to_string()));
        }
        growing.due = Instant::now() + PATIENCE.max(began.elapsed() * (SHARE - 1));
        stored
    }

    fn store_segments(
        &self,
        name: &str,
        table: &Path,
        growing: &mut Growing,
    ) -> Result<(), TableError> {
        let (part, journal) = (beside(table, "part"), beside(table, JOURNAL));
        let mut stored = match growing.stored {
            Some(stored) => stored,
            None => self.compare(name, table)?,
        };
        growing.stored = Some(stored);
        if stored >= growing.kept {
            return Ok(());
        }
        let mut file = File::open(&part).map_err(read_failed(&part))?;
        file.seek(SeekFrom::Start(stored)).map_err(read_failed(&part))?;
        while stored < growing.kept {
            let size = SEGMENT.min(growing.kept - stored);
            let mut bytes = vec![0; size as usize];
            file.read_exact(&mut bytes).map_err(read_failed(&part))?;
            let segment = segment_name(name, stored);
            self.files
                .objects
                .write(&segment, bytes)
                .map_err(self.files.failed(&segment, "store"))?;
            stored += size;
        }
        growing.stored = Some(stored);
        let bytes = fs::read(&journal).map_err(read_failed(&journal))?;
        let object = format!("{name}.part/{JOURNAL}");
        self.files.objects.write(&object, bytes).map_err(self.files.failed(&object, "store"))
    }

    fn unfinished(&self, name: &str) -> Result<Option<Unfinished>, TableError> {
        let folder = format!("{name}.part");
        let listed =
            self.files.objects.list(&folder).map_err(self.files.failed(&folder, "look for"))?;
        let Some((_, size)) = listed.iter().find(|(name, _)| name == JOURNAL) else {
            return Ok(None);
        };
        let object = format!("{folder}/{JOURNAL}");
        let journal = self.files.objects.read(&object, None, 0..*size);
        let journal = journal.map_err(self.files.failed(&object, "fetch"))?;
        let mut segments: Vec<(u64, u64)> = vec![];
        let mut end = 0;
        for (name, size) in &listed {
            // They are sorted by where they begin.
            if let Ok(from) = u64::from_str_radix(name, 16)
                && from <= end
            {
                segments.push((from, *size));
                end = end.max(from + size);
            }
        }
        Ok(Some(Unfinished { journal, segments, end }))
    }

    /// Removes a file's object, and what the store has of it unfinished; the copy is as if it had never
    /// been stored.
    pub(crate) fn remove(&self, file: &Path) -> Result<(), TableError> {
        let name = name_of(file);
        self.files.objects.remove(&name).map_err(self.files.failed(&name, "remove"))?;
        self.remove_unfinished(&name)?;
        forget_note(file);
        Ok(())
    }

    /// First the journal, so that nobody goes on from what is half gone.
    fn remove_unfinished(&self, name: &str) -> Result<(), TableError> {
        let folder = format!("{name}.part");
        let listed =
            self.files.objects.list(&folder).map_err(self.files.failed(&folder, "look for"))?;
        let (journal, segments): (Vec<_>, Vec<_>) =
            listed.into_iter().partition(|(name, _)| name == JOURNAL);
        for (name, _) in journal.into_iter().chain(segments) {
            let object = format!("{folder}/{name}");
            self.files.objects.remove(&object).map_err(self.files.failed(&object, "remove"))?;
        }
        Ok(())
    }
}

fn segment_name(name: &str, from: u64) -> String {
    format!("{name}.part/{from:016x}")
}
