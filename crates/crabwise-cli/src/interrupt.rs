//! Ctrl-C, and what other programs send in its place: the end comes within a second, whatever is going on.
//!
//! A run that asks its watcher hears that it is to stop, keeps what is finished and says so. Who does not ask in
//! time is ended from here: a search deep down in its tree, a read from a pipe that nobody fills, a write that nobody
//! reads. A table outlives that, as it outlives being killed; other files are seen under their names only when they are
//! whole, and what is not whole is removed on the way out. Between runs there is nothing to wait for.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

use crabwise::watch::Stop;

use crate::error::{self, Failure};

/// How long a run may take to hear that it is to stop, and to keep what is finished.
const PATIENCE: Duration = Duration::from_millis(700);
/// How long the last words may take, where perhaps nobody reads them.
const LAST_WORDS: Duration = Duration::from_millis(100);

const STOPPED: i32 = 130;

/// Whether somebody asked for the end, and whether a run is there to hear of it.
static ASKED: AtomicBool = AtomicBool::new(false);
static WORKING: AtomicBool = AtomicBool::new(false);
/// Whether the run has heard, and whether it then has things to bring elsewhere, however long that takes.
static HEARD: AtomicBool = AtomicBool::new(false);
static STORING: AtomicBool = AtomicBool::new(false);

/// Files that are of no use unless they are finished.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// From now on the end can be asked for. With `json` a script hears of it, too.
pub fn listen(json: bool) {
    // Without a handler the system ends the program, which leaves temporary files to the next one.
    let _ = ctrlc::set_handler(move || {
        let asked_before = ASKED.swap(true, Relaxed);
        if asked_before || !WORKING.load(Relaxed) {
            end(json);
        }
        thread::spawn(move || {
            thread::sleep(PATIENCE);
            if !(HEARD.load(Relaxed) && STORING.load(Relaxed)) {
                end(json);
            }
        });
    });
}

/// A server serves until it is asked to stop, so that this is no failure. What its jobs have finished is kept, as when it
/// is killed. As the first process of a container it would not hear of a signal that it does not listen to.
pub fn serving() {
    let _ = ctrlc::set_handler(|| std::process::exit(0));
}

/// What is finished goes to a store of objects: a run that has heard is not hurried, unless it is asked again.
pub fn allow_storing() {
    STORING.store(true, Relaxed);
}

/// A run begins or goes on, and will ask.
pub fn working() {
    WORKING.store(true, Relaxed);
}

/// Nobody will ask for a while.
pub fn resting() {
    WORKING.store(false, Relaxed);
}

/// Whether the end was asked for.
pub fn asked() -> Result<(), Stop> {
    if !ASKED.load(Relaxed) {
        return Ok(());
    }
    HEARD.store(true, Relaxed);
    Err(Stop::Cancelled)
}

/// A file that does not outlive the program, as long as this does not.
pub struct Temporary(PathBuf);

impl Temporary {
    pub fn new(path: &Path) -> Temporary {
        let mut all = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.into());
        Temporary(path.into())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

fn end(json: bool) -> ! {
    // Held to the end, so that none is made any more.
    let all = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*all {
        let _ = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
    }
    let (told, done) = mpsc::channel();
    // Apart, for whoever is writing to a pipe that is full holds the streams.
    thread::spawn(move || {
        error::report(&Failure::Halted { stop: Stop::Cancelled, kept: None }, json);
        let _ = told.send(());
    });
    let _ = done.recv_timeout(LAST_WORDS);
    std::process::exit(STOPPED)
}
