//! Games that are open: their rules, and their tables once those are there.
//!
//! A table may go, change or come while the server runs. So before every answer the file is looked at, and
//! when it is not the one that was opened, it is opened again or missed. What is in it is checked block by
//! block as it is read.

use std::{
    cell::Cell,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use crabwise::{
    Job, TableError,
    analysis::label::Draws,
    explore::Explorer,
    table,
    watch::{Unwatched, Watch},
};
use crabwise_games::Built;
use crabwise_hidden::{ExploredGame, Strategy};
use self_cell::self_cell;

use crate::{
    boards,
    house::{House, Named, lock},
    jobs::Patience,
    refusal::{Kind, Refusal},
};

/// A game in which everything is seen.
pub struct Open {
    pub built: Arc<Built>,
    /// What it is called if it is spelled out, with the file if it is made of one.
    pub named: Named,
    pub table: PathBuf,
    memory: u64,
    plain: Mutex<Option<Kept<Reading>>>,
    labelled: Mutex<Option<Kept<Reading>>>,
    /// Statistics as JSON.
    stats: Mutex<Option<Kept<str>>>,
}

/// What was made of a table, and the table that it was made of.
type Kept<T> = (Stamp, Arc<T>);

/// A file at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        owner: Arc<Built>,

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

impl Open {
    pub fn new(house: &House, named: &Named) -> Result<Open, Refusal> {
        let read = Cell::new(false);
        let built = house.registry.build_with(&named.game, &|name| {
            read.set(true);
            boards::opened(named, name)
        })?;
        let table = house.tables.folder().join(table::file_name(&built.string));
        // Who replaces it elsewhere is heard of when the game is opened again.
        house.tables.fetch(&table, &Unwatched)?;
        house.tables.fetch(&table::traps(&table), &Unwatched)?;
        let file = named.file.clone().filter(|_| read.get());
        Ok(Open {
            named: Named { game: built.string.clone(), file },
            built: Arc::new(built),
            table,
            memory: house.memory,
            plain: Mutex::default(),
            labelled: Mutex::default(),
            stats: Mutex::default(),
        })
    }

    pub fn string(&self) -> &str {
        &self.built.string
    }

    pub fn job<'a>(&'a self, watch: &'a dyn Watch) -> Job<'a> {
        Job { game: &self.built.string, table: &self.table, memory: self.memory, watch }
    }

    /// The table as it is now; `None` if there is none, or one of an earlier version of a file.
    pub fn stamp(&self) -> Result<Option<Stamp>, Refusal> {
        let stamp = Stamp::of(&self.table)?;
        if stamp.is_some() && self.built.game.outdated(&self.job(&Unwatched)) {
            return Ok(None);
        }
        Ok(stamp)
    }

    /// The table, if there is one.
    pub fn reading(&self) -> Result<Option<Arc<Reading>>, Refusal> {
        self.kept(&self.plain, |built, job| built.game.open(job).map_err(|e| Some(e.into())))
    }

    /// The table with the traps of the game, if there are both; `None` also if they must be worked out
    /// first.
    pub fn labelled(&self) -> Result<Option<Arc<Reading>>, Refusal> {
        self.kept(&self.labelled, |built, job| match built.game.has_traps(job) {
            Ok(true) => {
                built.game.open_labelled(job, Draws::Deepest).map_err(|error| Some(error.into()))
            }
            Ok(false) => Err(None),
            Err(error) => Err(Some(error.into())),
        })
    }

    fn kept(
        &self,
        place: &Mutex<Option<Kept<Reading>>>,
        open: impl for<'a> Fn(&'a Built, &Job) -> Result<Explored<'a>, Option<Refusal>>,
    ) -> Result<Option<Arc<Reading>>, Refusal> {
        let stamp = Stamp::of(&self.table)?;
        let mut kept = lock(place);
        match (&*kept, stamp) {
            (Some((old, reading)), Some(new)) if *old == new => return Ok(Some(reading.clone())),
            (Some(_), None) => {
                *kept = None;
                let line = format!("the table of {} is gone; solve it again", self.string());
                return Err(Refusal::new(Kind::BadTable, line));
            }
            _ => {}
        }
        *kept = None;
        let Some(stamp) = self.stamp()? else { return Ok(None) };
        let job = self.job(&Unwatched);
        match Reading::try_new(self.built.clone(), |built| open(built, &job)) {
            Ok(reading) => {
                let reading = Arc::new(reading);
                *kept = Some((stamp, reading.clone()));
                Ok(Some(reading))
            }
            Err(None) => Ok(None),
            Err(Some(refusal)) => Err(refusal),
        }
    }

    /// Statistics of the table as it is now, if they have been counted.
    pub fn stats(&self) -> Result<Option<Arc<str>>, Refusal> {
        let stamp = self.stamp()?;
        let kept = lock(&self.stats).clone();
        Ok(kept.filter(|(old, _)| Some(*old) == stamp).map(|(_, stats)| stats))
    }

    pub fn keep_stats(&self, stamp: Stamp, stats: String) {
        *lock(&self.stats) = Some((stamp, stats.into()));
    }
}

/// A game with hidden information, laid out, and its strategies once they are there.
pub struct Dark {
    pub string: String,
    pub explored: ExploredGame,
    pub strategies: PathBuf,
    kept: Mutex<Option<Kept<Strategy>>>,
}

/// A game with hidden information that takes more than this is laid out only for a job.
const LARGEST_LAYOUT: u64 = 1 << 30;

impl Dark {
    pub fn new(house: &House, named: &Named) -> Result<Dark, Refusal> {
        let Built { string, game, .. } = house.registry.build_hidden(&named.game)?;
        let memory = house.memory.min(LARGEST_LAYOUT);
        let explored = game.explore(memory, &Patience::new())?;
        let strategies = strategies(house, &string);
        house.tables.fetch(&strategies, &Unwatched)?;
        Ok(Dark { string, explored, strategies, kept: Mutex::default() })
    }

    /// The strategies, if they are there.
    pub fn strategy(&self) -> Result<Option<Arc<Strategy>>, Refusal> {
        let Some(stamp) = Stamp::of(&self.strategies)? else { return Ok(None) };
        let mut kept = lock(&self.kept);
        if let Some((old, strategy)) = &*kept
            && *old == stamp
        {
            return Ok(Some(strategy.clone()));
        }
        let mut file = io::BufReader::new(fs::File::open(&self.strategies)?);
        let strategy = Strategy::read(&self.string, &self.explored.tree, &mut file);
        let strategy = strategy.map_err(|error| {
            let line = format!("the strategies of {} cannot be used: {error}", self.string);
            Refusal::new(Kind::BadTable, line)
        })?;
        let strategy = Arc::new(strategy);
        *kept = Some((stamp, strategy.clone()));
        Ok(Some(strategy))
    }
}

/// Where the strategies of a game are.
pub fn strategies(house: &House, game: &str) -> PathBuf {
    house.tables.folder().join(table::file_name(game)).with_extension("strat")
}
