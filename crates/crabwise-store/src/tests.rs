//! A store in memory: what is solved into it, stopped, damaged and gone on with.

use std::{
    collections::BTreeMap,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crabwise::{
    Job, SolveError, Solved,
    watch::{Stage, Stop, Unwatched, Watch},
};
use crabwise_games::Registry;
use tempfile::TempDir;

use super::*;

const GAME: &str = "connect-four:4x3";
const TABLE: &str = "connect-four_4x3.crab";
/// What was counted of it.
const STATISTICS: &str = "connect-four_4x3.stats";

/// How many writes there were, and objects with the number of the write that made them.
type Written = (u64, BTreeMap<String, (u64, Vec<u8>)>);

#[derive(Clone, Default)]
struct Memory {
    objects: Arc<Mutex<Written>>,
    down: Arc<AtomicBool>,
}

impl Memory {
    fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().1.keys().cloned().collect()
    }

    fn content(&self, name: &str) -> Option<Vec<u8>> {
        self.objects.lock().unwrap().1.get(name).map(|(_, content)| content.clone())
    }

    fn up(&self) -> io::Result<()> {
        match self.down.load(Relaxed) {
            true => Err(io::Error::other("no answer")),
            false => Ok(()),
        }
    }

    /// A place over this store, with copies in a folder of its own.
    fn place(&self) -> (Place, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::over(Box::new(self.clone()), "mem://a".into(), folder.path().into());
        (place, folder)
    }
}

impl Objects for Memory {
    fn about(&self, name: &str) -> io::Result<Option<About>> {
        self.up()?;
        let objects = self.objects.lock().unwrap();
        let about = |(tag, content): &(u64, Vec<u8>)| About {
            size: content.len() as u64,
            tag: tag.to_string(),
        };
        Ok(objects.1.get(name).map(about))
    }

    fn read(&self, name: &str, _: Option<&About>, bytes: Range<u64>) -> io::Result<Vec<u8>> {
        self.up()?;
        let content = self.content(name).ok_or(io::ErrorKind::NotFound)?;
        let end = (bytes.end as usize).min(content.len());
        Ok(content[bytes.start as usize..end].to_vec())
    }

    fn write(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        self.up()?;
        let mut objects = self.objects.lock().unwrap();
        objects.0 += 1;
        let tag = objects.0;
        objects.1.insert(name.into(), (tag, content));
        Ok(())
    }

    fn upload(&self, name: &str) -> io::Result<Box<dyn Upload>> {
        self.up()?;
        Ok(Box::new(Pieces { memory: self.clone(), name: name.into(), content: vec![] }))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>> {
        self.up()?;
        let objects = self.objects.lock().unwrap();
        let inside = |(name, (_, content)): (&String, &(u64, Vec<u8>))| {
            let name = name.strip_prefix(folder)?.strip_prefix('/')?;
            Some((name.to_string(), content.len() as u64))
        };
        Ok(objects.1.iter().filter_map(inside).collect())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.up()?;
        self.objects.lock().unwrap().1.remove(name);
        Ok(())
    }
}

struct Pieces {
    memory: Memory,
    name: String,
    content: Vec<u8>,
}

impl Upload for Pieces {
    fn put(&mut self, piece: Vec<u8>) -> io::Result<()> {
        self.content.extend(piece);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.memory.write(&self.name, self.content)
    }
}

/// Stops a run when it comes to a tier.
struct StopsAt(u32);

impl Watch for StopsAt {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        if stage.tier == Some(self.0) { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

/// As the command line does it.
fn solve(place: &Place, watch: &dyn Watch) -> Result<Solved, SolveError> {
    let table = place.folder().join(TABLE);
    place.fetch(&table, watch)?;
    if !table.exists() {
        place.go_on(&table, watch)?;
    }
    let built = Registry::standard().build(GAME).unwrap();
    let storing = place.watch(watch);
    let job = Job { game: GAME, table: &table, memory: 1 << 30, watch: &storing };
    built.game.solve(&job, true, &|_| {})
}

/// The hash of the table as it is in a directory.
fn hash() -> u128 {
    let folder = tempfile::tempdir().unwrap();
    solve(&Place::directory(folder.path().into()), &Unwatched).unwrap().hash
}

fn exists(folder: &TempDir, name: &str) -> bool {
    folder.path().join(name).exists()
}

#[test]
fn what_is_solved_here_is_there_elsewhere() {
    let memory = Memory::default();
    let (here, _folder) = memory.place();
    let solved = solve(&here, &Unwatched).unwrap();
    assert!(solved.plan.is_some());
    assert_eq!(solved.hash, hash());
    assert_eq!(memory.names(), [TABLE, STATISTICS]);
    let (there, folder) = memory.place();
    let again = solve(&there, &Unwatched).unwrap();
    assert!(again.plan.is_none(), "solved before");
    assert_eq!(again.hash, solved.hash);
    assert_eq!(fs::read(folder.path().join(TABLE)).ok(), memory.content(TABLE));
}

#[test]
fn a_run_elsewhere_goes_on_with_what_was_stored() {
    let memory = Memory::default();
    for (tier, kept) in [(9, 3), (5, 7), (2, 10)] {
        let (here, folder) = memory.place();
        let stopped = solve(&here, &StopsAt(tier));
        assert!(matches!(stopped, Err(SolveError::Stopped(_))));
        here.flush(&folder.path().join(TABLE)).unwrap();
        assert_eq!(crabwise::table::kept(&folder.path().join(TABLE)), kept);
        assert!(!memory.names().contains(&TABLE.into()));
    }
    let (here, _folder) = memory.place();
    assert!(solve(&here, &StopsAt(1)).is_err());
    let (there, _folder) = memory.place();
    let solved = solve(&there, &Unwatched).unwrap();
    assert_eq!((solved.resumed, solved.hash), (10, hash()));
    assert_eq!(memory.names(), [TABLE, STATISTICS]);
    // The machine that was behind finds that it is done.
    assert!(solve(&here, &Unwatched).unwrap().plan.is_none());
}

/// Somebody who would begin to work on a table while what is stored of it is being fetched.
struct Intruder {
    journal: PathBuf,
    kept_out: AtomicBool,
}

impl Watch for Intruder {
    fn tell(&self, _: &Stage) -> Result<(), Stop> {
        let journal = fs::OpenOptions::new().write(true).open(&self.journal).unwrap();
        self.kept_out.store(journal.try_lock().is_err(), Relaxed);
        Ok(())
    }
}

#[test]
fn nobody_works_on_a_table_that_is_being_fetched() {
    let memory = Memory::default();
    let (here, folder) = memory.place();
    assert!(solve(&here, &StopsAt(5)).is_err());
    here.flush(&folder.path().join(TABLE)).unwrap();
    let (there, folder) = memory.place();
    let journal = folder.path().join(format!("{TABLE}.journal"));
    let intruder = Intruder { journal: journal.clone(), kept_out: AtomicBool::new(false) };
    there.go_on(&folder.path().join(TABLE), &intruder).unwrap();
    assert!(intruder.kept_out.load(Relaxed));
    assert!(fs::metadata(&journal).unwrap().len() > 100);
    // Once it is there it may be gone on with.
    let solved = solve(&there, &Unwatched).unwrap();
    assert!(solved.resumed > 0 && solved.hash == hash());
}

#[test]
fn what_is_in_the_store_counts() {
    let memory = Memory::default();
    let (here, folder) = memory.place();
    solve(&here, &Unwatched).unwrap();
    let table = folder.path().join(TABLE);
    memory.write(TABLE, b"other".into()).unwrap();
    here.fetch(&table, &Unwatched).unwrap();
    assert_eq!(fs::read(&table).unwrap(), b"other");
    memory.remove(TABLE).unwrap();
    here.fetch(&table, &Unwatched).unwrap();
    assert!(!table.exists());
    fs::write(&table, b"new").unwrap();
    here.fetch(&table, &Unwatched).unwrap();
    assert_eq!(memory.content(TABLE).unwrap(), b"new");
    here.remove(&table).unwrap();
    assert_eq!(memory.names(), [STATISTICS]);
}

#[test]
fn a_store_that_fails_ends_the_run_and_nothing_is_lost() {
    let memory = Memory::default();
    let (here, folder) = memory.place();
    memory.down.store(true, Relaxed);
    let table = folder.path().join(TABLE);
    let built = Registry::standard().build(GAME).unwrap();
    let storing = here.watch(&Unwatched);
    let job = Job { game: GAME, table: &table, memory: 1 << 30, watch: &storing };
    let error = built.game.solve(&job, true, &|_| {}).unwrap_err().to_string();
    assert!(error.contains(&format!("mem://a/{TABLE}")), "{error}");
    assert!(error.ends_with(": no answer"), "{error}");
    assert!(exists(&folder, &format!("{TABLE}.part")) || table.exists());
    memory.down.store(false, Relaxed);
    assert_eq!(solve(&here, &Unwatched).unwrap().hash, hash());
    assert_eq!(memory.names(), [TABLE, STATISTICS]);
}

#[test]
fn leftovers_of_another_table_go() {
    let memory = Memory::default();
    memory.write(&format!("{TABLE}.part/journal"), b"of something else".into()).unwrap();
    memory.write(&format!("{TABLE}.part/{:016x}", 0), vec![7; 5000]).unwrap();
    memory.write(&format!("{TABLE}.part/{:016x}", 5000), vec![7; 5000]).unwrap();
    let (here, folder) = memory.place();
    assert!(solve(&here, &StopsAt(2)).is_err());
    here.flush(&folder.path().join(TABLE)).unwrap();
    let (there, _folder) = memory.place();
    let solved = solve(&there, &Unwatched).unwrap();
    assert_eq!((solved.resumed, solved.hash), (10, hash()));
}

#[test]
fn a_large_file_goes_in_pieces() {
    let memory = Memory::default();
    let (here, folder) = memory.place();
    let file = folder.path().join("large");
    let content: Vec<u8> = (0..20_000_003u32).map(|i| (i % 251) as u8).collect();
    fs::write(&file, &content).unwrap();
    here.push(&file, &Unwatched).unwrap();
    let (there, folder) = memory.place();
    there.fetch(&folder.path().join("large"), &Unwatched).unwrap();
    assert!(fs::read(folder.path().join("large")).unwrap() == content);
    assert_eq!(there.address(Path::new("x/large")), Path::new("mem://a/large"));
}

#[cfg(not(feature = "s3"))]
#[test]
fn without_the_feature_it_is_said_how_to_have_it() {
    let place = Place::named(OsStr::new("s3://bucket/tables"), || None);
    let line = place.err().unwrap();
    assert!(line.contains("cargo build --release --features s3"), "{line}");
}
