//! Games that are open: their rules, and their tables once those are there.
//!
//! A table may go, change or come while the server runs. So before every answer the file is looked at, and
//! when it is not the one that was opened, it is opened again or missed. What is in it is checked block by
//! block as it is read.

use std::{
    cell::Cell,
    fs,
    io::{self, Cursor, Read},
    ops::Deref,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use crabwise::{TableError, analysis::label::Draws, explore::Explorer, table, watch::Unwatched};
use crabwise_games::{Built, Limits};
use crabwise_hidden::{ExploredGame, Strategy};
use crabwise_session::{Error, Session, Source, TableState, Target};
use self_cell::self_cell;
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    error::{ApiError, Kind},
    lock::lock,
    patience::Patience,
    recent::{DARK, Weighed},
    request::Named,
    turns::Turn,
};

/// A game in which everything is seen.
pub struct OpenGame {
    pub target: Arc<Target>,
    session: Session,
    /// What it is called if it is spelled out, with the file if it is made of one.
    pub named: Named,
    plain: Mutex<Option<Kept<Reading>>>,
    labelled: Mutex<Option<Kept<Reading>>>,
    /// What open tables take, about: told without waiting for one that is being opened.
    tables: AtomicU64,
    /// Statistics as JSON.
    stats: Mutex<Option<Kept<str>>>,
}

/// What was made of a table, and the table that it was made of.
pub type Kept<T> = (Stamp, Arc<T>);

/// A file at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stamp {
    bytes: u64,
    changed: Option<SystemTime>,
    #[cfg(unix)]
    place: (u64, u64),
}

impl Stamp {
    /// The file as it is now; `None` if there is none.
    pub fn of(path: &Path) -> Result<Option<Stamp>, TableError> {
        match fs::metadata(path) {
            Ok(about) => Ok(Some(Stamp {
                bytes: about.len(),
                changed: about.modified().ok(),
                #[cfg(unix)]
                place: {
                    use std::os::unix::fs::MetadataExt;
                    (about.dev(), about.ino())
                },
            })),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(source) => Err(TableError::Io { path: path.into(), doing: "read", source }),
        }
    }
}

self_cell!(
    /// A table that is open, and the game that it is of.
    pub struct Reading {
        owner: Arc<Target>,

        #[covariant]
        dependent: Explored,
    }
);

type Explored<'a> = Box<dyn Explorer + 'a>;

impl Reading {
    pub fn explorer(&self) -> &dyn Explorer {
        &**self.borrow_dependent()
    }
}

/// What a text that is sent may mean: far less than a file on the command line, since texts are short and games are
/// open side by side.
pub const SENT: Limits = Limits { nodes: 5_000, edges: 20_000, bytes: 8 << 20 };

impl OpenGame {
    pub fn new(session: &Session, named: &Named) -> Result<OpenGame, ApiError> {
        let read = Cell::new(false);
        let open = |name: &str| {
            read.set(true);
            sent_along(named, name)
        };
        let target = session.target_within(&named.game, &open, SENT)?;
        // A table that is replaced elsewhere is noticed when the game is opened again.
        session.table(&target, &Unwatched)?;
        session.place().fetch(&table::traps(&target.table), &Unwatched)?;
        let file = named.file.clone().filter(|_| read.get());
        Ok(OpenGame {
            named: Named { game: target.name().into(), file },
            target: target.into(),
            session: session.clone(),
            plain: Mutex::default(),
            labelled: Mutex::default(),
            tables: AtomicU64::new(0),
            stats: Mutex::default(),
        })
    }

    pub fn string(&self) -> &str {
        self.target.name()
    }

    /// The table as it is now; `None` if there is none, or one of an earlier version of a file.
    pub fn stamp(&self) -> Result<Option<Stamp>, ApiError> {
        let stamp = Stamp::of(&self.target.table)?;
        Ok(stamp.filter(|_| self.session.table_here(&self.target) == TableState::Ready))
    }

    /// The table, if there is one.
    pub fn reading(&self) -> Result<Option<Arc<Reading>>, ApiError> {
        self.kept(&self.plain, |session, target| {
            session.explorer(target, Source::Table, None, &Unwatched).map(Some)
        })
    }

    /// The table with the traps of the game, if there are both; `None` also if they must be worked out
    /// first.
    pub fn labelled(&self) -> Result<Option<Arc<Reading>>, ApiError> {
        self.kept(&self.labelled, |session, target| {
            match session.has_traps(target, &Unwatched)? {
                true => session.labelled(target, Draws::Deepest, &Unwatched).map(Some),
                false => Ok(None),
            }
        })
    }

    fn kept(
        &self,
        place: &Mutex<Option<Kept<Reading>>>,
        open: impl for<'a> Fn(&Session, &'a Target) -> Result<Option<Explored<'a>>, Error>,
    ) -> Result<Option<Arc<Reading>>, ApiError> {
        let stamp = Stamp::of(&self.target.table)?;
        let mut kept = lock(place);
        match (&*kept, stamp) {
            (Some((old, reading)), Some(new)) if *old == new => return Ok(Some(reading.clone())),
            (Some(_), None) => {
                *kept = None;
                let line = format!("the table of {} is gone; solve it again", self.string());
                return Err(ApiError::new(Kind::BadTable, line));
            }
            _ => {}
        }
        *kept = None;
        let Some(stamp) = self.stamp()? else { return Ok(None) };
        let opened = Reading::try_new(self.target.clone(), |target| {
            open(&self.session, target).map_err(Some).and_then(|opened| opened.ok_or(None))
        });
        match opened {
            Ok(reading) => {
                let reading = Arc::new(reading);
                // Blocks that were read lately, and where the others are; twice, with labels.
                let bytes = 2 * ((stamp.bytes * 10).min(READ) + stamp.bytes / 64);
                self.tables.fetch_max(bytes, Ordering::Relaxed);
                *kept = Some((stamp, reading.clone()));
                Ok(Some(reading))
            }
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error.into()),
        }
    }

    /// Statistics of the table as it is now, if they have been counted.
    pub fn stats(&self) -> Result<Option<Arc<str>>, ApiError> {
        let stamp = self.stamp()?;
        let kept = lock(&self.stats).clone();
        Ok(kept.filter(|(old, _)| Some(*old) == stamp).map(|(_, stats)| stats))
    }

    pub fn keep_stats(&self, stamp: Stamp, stats: String) {
        *lock(&self.stats) = Some((stamp, stats.into()));
    }
}

/// A game that is asked about.
pub struct GameQuery {
    pub open: Arc<OpenGame>,
    /// A turn to search it, where only that tells values.
    pub turn: Option<Turn>,
}

impl Deref for GameQuery {
    type Target = OpenGame;

    fn deref(&self) -> &OpenGame {
        &self.open
    }
}

impl Weighed for OpenGame {
    fn bytes(&self) -> u64 {
        let text = self.named.file.as_ref().map_or(0, String::len) as u64;
        // What a word of a text is made into takes some dozens of bytes.
        BARE + 64 * text + self.target.built.game.bytes() + self.tables.load(Ordering::Relaxed)
    }

    fn is_solved(&self) -> bool {
        self.tables.load(Ordering::Relaxed) > 0
    }
}

/// What a game takes beside its numbering, about, and what is kept of a table that was read.
const BARE: u64 = 64 << 10;
const READ: u64 = 16 << 20;

impl Weighed for HiddenGame {
    fn bytes(&self) -> u64 {
        DARK
    }
}

/// A game with hidden information, laid out, and its strategies once they are there.
pub struct HiddenGame {
    pub string: String,
    pub explored: ExploredGame,
    pub strategies: PathBuf,
    kept: Mutex<Option<Kept<Strategy>>>,
}

/// A game with hidden information that takes more than this is laid out only for a job, as is one that takes more than
/// a quarter of the memory: two are kept, and a third is being laid out.
const LARGEST_LAYOUT: u64 = 1 << 30;
/// How long that may take, in seconds.
const LONGEST_LAYOUT: f64 = 10.0;

impl HiddenGame {
    pub fn new(session: &Session, named: &Named) -> Result<HiddenGame, ApiError> {
        let Built { string, game, .. } = session.hidden(&named.game)?;
        let memory = (session.memory() / 4).min(LARGEST_LAYOUT);
        let explored = game.explore(memory, &Patience::of(LONGEST_LAYOUT))?;
        let strategies = session.strategies(&string);
        Ok(HiddenGame { string, explored, strategies, kept: Mutex::default() })
    }

    /// Refuses a game without strategies, before it is laid out.
    pub fn has_strategies(session: &Session, named: &Named) -> Result<(), ApiError> {
        let Built { string, .. } = session.hidden(&named.game)?;
        let strategies = session.strategies(&string);
        session.place().fetch(&strategies, &Unwatched)?;
        match Stamp::of(&strategies)? {
            Some(_) => Ok(()),
            None => Err(HiddenGame::without_strategies(&string)),
        }
    }

    pub fn without_strategies(game: &str) -> ApiError {
        ApiError::needs("equilibrium", format!("there are no strategies of {game} yet"))
    }

    /// The strategies and the file that they are from, if they are there.
    pub fn strategy(&self) -> Result<Option<Kept<Strategy>>, ApiError> {
        let Some(stamp) = Stamp::of(&self.strategies)? else { return Ok(None) };
        let mut kept = lock(&self.kept);
        if kept.as_ref().is_some_and(|(old, _)| *old == stamp) {
            return Ok(kept.clone());
        }
        let mut file = io::BufReader::new(table::open_plain(&self.strategies)?);
        let strategy = Strategy::read(&self.string, &self.explored.tree, &mut file);
        let strategy = strategy.map_err(|error| {
            let line = format!("the strategies of {} cannot be used: {error}", self.string);
            ApiError::new(Kind::BadTable, line)
        })?;
        *kept = Some((stamp, Arc::new(strategy)));
        Ok(kept.clone())
    }
}

/// The contents of the file that a game string names: what was sent along.
pub fn sent_along(named: &Named, name: &str) -> io::Result<Box<dyn Read>> {
    let missing = "files are not read here; the text of the file must be sent along";
    let text = named.file.clone().ok_or_else(|| io::Error::other(missing))?;
    let stem = name.split('.').next().unwrap_or_default();
    if stem != stem_of(&text) {
        return Err(io::Error::other(format!(
            "the text that was sent is another one's; it is called {}",
            stem_of(&text)
        )));
    }
    Ok(Box::new(Cursor::new(text)))
}

/// What the file of a text is called, before its ending.
pub fn stem_of(text: &str) -> String {
    format!("drawn-{:032x}", xxh3_128(text.as_bytes()))
}
