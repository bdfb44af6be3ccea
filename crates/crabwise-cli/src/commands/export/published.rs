//! The files in which a game was published before, written so that a stopped run goes on.
//!
//! While they grow the files end in `.part`. What is certain of them is noted in `progress.json`
//! every now and then, after they have been synced: the table, the slots done, and the length of each
//! file. The next run cuts the files to those lengths and goes on; at the end they get their names.
//! A run that begins anew first removes the note, which would vouch for bytes of something else. A
//! locked file keeps a second run out.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crabwise::{SolveError, Table, TableError};
use crabwise_api::files::PublishedFiles;
use crabwise_session::Target;
use serde::{Deserialize, Serialize};

use crate::{context::Context, error::Failure, output::fillable};

/// How often what was done is made certain.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest array that is written. That of a board with more squares than any table fits no disk.
const LARGEST_ARRAY: u64 = 1 << 42;

/// What is certain of files that are not finished.
#[derive(Serialize, Deserialize, PartialEq)]
struct Certain {
    game: String,
    table: String,
    /// Whether draws are left out.
    #[serde(default)]
    decided: bool,
    slots: u64,
    lengths: Vec<u64>,
}

/// Refuses, before anything is solved, what cannot be written in that form or to that place.
pub fn suits(target: &Target, folder: &Path, decided: bool) -> Result<(), Failure> {
    let game = target.built.string.as_str();
    if target.built.game.published_files().is_empty() {
        let line = format!("{game} was not published in files of its own; take csv, json or dot");
        return Err(Failure::Input(line));
    }
    if !target.built.game.keeps_distances() {
        return Err(SolveError::NeedsDistances { what: "the original form tells" }.into());
    }
    if decided && !target.built.game.published_parts_with_draws() {
        let line =
            "'--only' leaves out positions, and the original's files of this game have them all";
        return Err(Failure::Input(line.into()));
    }
    if let Some(bytes) = target.built.game.published_codes().filter(|codes| *codes > LARGEST_ARRAY)
    {
        let bytes = crabwise::watch::Bytes(bytes);
        let line = format!("the original's array of {game} would take {bytes}; take csv or json");
        return Err(Failure::Input(line));
    }
    if folder == Path::new("-") {
        let line = "the original's files go into a folder, and '-' is none; say -o FOLDER".into();
        return Err(Failure::Input(line));
    }
    fillable(folder)
}

pub fn run(
    context: &Context,
    target: &Target,
    folder: &Path,
    decided: bool,
) -> Result<(), Failure> {
    let names = target.built.game.published_files();
    let game = target.built.string.as_str();
    let table = format!("{:032x}", Table::open(&target.table)?.hash());
    let mut writing = Writing::open(folder, names, game, (table, decided))?;
    let from = writing.certain.slots;
    let progress = context.progress();
    let job = context.session.job(target, &progress);
    target.built.game.export_published(&job, (from, decided), &mut |slots, parts| {
        writing.append(slots, parts).map_err(|(path, source)| TableError::Io {
            path,
            doing: "write",
            source,
        })
    })?;
    drop(progress);
    let bytes = writing.finish()?;
    let files: Vec<String> =
        names.iter().map(|name| folder.join(name).display().to_string()).collect();
    context.print(&PublishedFiles { game, files: &files, bytes: &bytes, resumed: from }, || {
        let told = files.iter().zip(&bytes);
        told.map(|(file, bytes)| format!("{} written to {file}\n", crabwise::watch::Bytes(*bytes)))
            .collect()
    })
}

/// Files that grow.
struct Writing {
    folder: PathBuf,
    names: &'static [&'static str],
    files: Vec<File>,
    certain: Certain,
    synced: Instant,
    /// Held to keep others out.
    lock: File,
}

/// Where it failed, and how.
type Failed = (PathBuf, io::Error);

fn failure((path, source): Failed) -> Failure {
    Failure::File { path, source }
}

impl Writing {
    /// Goes on with what is certain, or begins anew.
    fn open(
        folder: &Path,
        names: &'static [&'static str],
        game: &str,
        (table, decided): (String, bool),
    ) -> Result<Writing, Failure> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |source| Failure::File { path: path.clone(), source }
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        let lock = File::create(lock(folder)).map_err(at(folder))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::Input(format!(
                "another export is writing to {}; wait for it or stop it",
                folder.display()
            )),
            TryLockError::Error(source) => at(folder)(source),
        })?;
        let lengths = vec![0; names.len()];
        let mut certain = Certain { game: game.into(), table, decided, slots: 0, lengths };
        let noted = fs::read(progress(folder)).ok();
        if let Some(noted) = noted.and_then(|text| serde_json::from_slice::<Certain>(&text).ok())
            && (&noted.game, &noted.table) == (&certain.game, &certain.table)
            && noted.decided == certain.decided
            // What files begin with comes before the first slot.
            && noted.slots > 0
            && noted.lengths.len() == names.len()
            && long_enough(folder, names, &noted.lengths)
        {
            certain = noted;
        } else if let Err(source) = fs::remove_file(progress(folder))
            && source.kind() != io::ErrorKind::NotFound
        {
            return Err(at(&progress(folder))(source));
        }
        let mut files = vec![];
        for (name, &length) in names.iter().zip(&certain.lengths) {
            let path = part(folder, name);
            let open = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
            let mut file = open.map_err(at(&path))?;
            file.set_len(length).map_err(at(&path))?;
            file.seek(SeekFrom::End(0)).map_err(at(&path))?;
            files.push(file);
        }
        let folder = folder.to_path_buf();
        Ok(Writing { folder, names, files, certain, synced: Instant::now(), lock })
    }

    fn append(&mut self, slots: u64, parts: &[Vec<u8>]) -> Result<(), Failed> {
        let Certain { lengths, .. } = &mut self.certain;
        for ((file, length), (name, bytes)) in
            self.files.iter_mut().zip(lengths).zip(self.names.iter().zip(parts))
        {
            file.write_all(bytes).map_err(|source| (part(&self.folder, name), source))?;
            *length += bytes.len() as u64;
        }
        self.certain.slots = slots;
        if self.synced.elapsed() >= PATIENCE { self.sync() } else { Ok(()) }
    }

    /// First the files, then the word of how much of them there is.
    fn sync(&mut self) -> Result<(), Failed> {
        for (file, name) in self.files.iter().zip(self.names) {
            file.sync_data().map_err(|source| (part(&self.folder, name), source))?;
        }
        let path = progress(&self.folder);
        let beside = path.with_extension("new");
        fs::write(&beside, crabwise_api::line(&self.certain))
            .map_err(|source| (beside.clone(), source))?;
        fs::rename(&beside, &path).map_err(|source| (path.clone(), source))?;
        self.synced = Instant::now();
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u64>, Failure> {
        self.sync().map_err(failure)?;
        for name in self.names {
            let path = self.folder.join(name);
            fs::rename(part(&self.folder, name), &path)
                .map_err(|source| Failure::File { path, source })?;
        }
        // The files are whole: that the note of their growth cannot be removed changes nothing.
        let _ = fs::remove_file(progress(&self.folder));
        let _ = fs::remove_file(lock(&self.folder));
        drop(self.lock);
        Ok(self.certain.lengths)
    }
}

fn part(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.part"))
}

fn progress(folder: &Path) -> PathBuf {
    folder.join("progress.json")
}

fn lock(folder: &Path) -> PathBuf {
    folder.join("lock")
}

fn long_enough(folder: &Path, names: &[&str], lengths: &[u64]) -> bool {
    let has = |name: &str| fs::metadata(part(folder, name)).map_or(0, |data| data.len());
    names.iter().zip(lengths).all(|(name, length)| has(name) >= *length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["a", "b"];

    fn open(folder: &Path, table: &str) -> Writing {
        Writing::open(folder, NAMES, "game", (table.into(), false)).unwrap()
    }

    /// Killed after some was certain and more was written, it goes on from what was certain.
    #[test]
    fn what_is_certain_is_kept_and_the_rest_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut writing = open(folder, "1");
        writing.append(10, &[b"one".to_vec(), b"1".to_vec()]).unwrap();
        writing.sync().unwrap();
        writing.append(20, &[b"two".to_vec(), b"2".to_vec()]).unwrap();
        drop(writing);
        assert_eq!(fs::read(folder.join("a.part")).unwrap(), b"onetwo");
        let mut writing = open(folder, "1");
        assert_eq!(writing.certain.slots, 10);
        writing.append(20, &[b"zwei".to_vec(), b"2".to_vec()]).unwrap();
        assert_eq!(writing.finish().unwrap(), [7, 2]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"onezwei");
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"12");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
    }

    #[test]
    fn another_table_or_shorter_files_begin_anew() {
        for (table, spoil) in [("2", false), ("1", true)] {
            let folder = tempfile::tempdir().unwrap();
            let mut writing = open(folder.path(), "1");
            writing.append(10, &[b"one".to_vec(), b"1".to_vec()]).unwrap();
            writing.sync().unwrap();
            drop(writing);
            if spoil {
                fs::write(folder.path().join("b.part"), "").unwrap();
            }
            let mut writing = open(folder.path(), table);
            assert_eq!(writing.certain.slots, 0);
            assert_eq!(fs::read(folder.path().join("a.part")).unwrap(), b"");
            // Killed before anything was certain: what was certain of the first run no longer is.
            writing.append(10, &[b"three".to_vec(), b"33333".to_vec()]).unwrap();
            drop(writing);
            assert_eq!(open(folder.path(), "1").certain.slots, 0);
        }
    }

    #[test]
    fn a_second_run_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(folder.path(), "1");
        let second = Writing::open(folder.path(), NAMES, "game", ("1".into(), false));
        let told = second.err().unwrap().to_string();
        assert!(told.starts_with("another export is writing to "), "{told}");
        drop(first);
        open(folder.path(), "1");
    }
}
