//! Why a verb did not do what it was asked: facts in fields. What to do about it is for the front end to say.

use std::{fmt, path::PathBuf};

use crabwise::{
    SolveError, TableError,
    explore::LookError,
    watch::{Shown, Stop, escaped},
};
use crabwise_games::BadGame;

/// Why a verb did not do what it was asked.
#[derive(Debug)]
pub enum Error {
    /// The game string means no game.
    Game(BadGame),
    /// The game has not been solved, or its file has changed since.
    NoTable {
        /// The game string.
        game: String,
        /// What a person knows the place of tables as.
        tables: PathBuf,
        /// Whether there is one, of another version of the file.
        outdated: bool,
    },
    /// Only a table tells what was asked for, and none was to be used.
    NeedsTable {
        /// What was asked for.
        what: &'static str,
    },
    /// A search was asked for, and the game cannot be searched.
    NoSearch {
        /// The game string.
        game: String,
    },
    /// A file that was to be compared cannot be.
    Foreign {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The game could not be solved, or its table not be used.
    Solve(SolveError),
    /// The position could not be shown.
    Look(LookError),
    /// A solve was stopped.
    Stopped {
        /// Why.
        stop: Stop,
        /// The game string.
        game: String,
        /// How many tiers are kept.
        kept: u32,
        /// Why they could not be stored, if so.
        unstored: Option<Box<Unstored>>,
    },
    /// The counting of what can be reached was stopped; the table is whole.
    Uncounted {
        /// Why.
        stop: Stop,
        /// The game string.
        game: String,
    },
    /// Other processes of a cluster are gone.
    Lost {
        /// Which, and how that was noticed.
        why: String,
        /// How many tiers are kept.
        kept: u32,
        /// Why they could not be stored, if so.
        unstored: Option<Box<Unstored>>,
    },
    /// What was finished could not be stored.
    Unstored(Box<Unstored>),
}

/// What was finished could not be stored, and is only here.
#[derive(Debug)]
pub struct Unstored {
    /// Why.
    pub source: TableError,
    /// Where it is.
    pub folder: PathBuf,
}

impl fmt::Display for Unstored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; what is finished is in {}", self.source, self.folder.display())
    }
}

/// Why the watcher stopped a run, if that is what ended it.
pub fn stop_of(error: &SolveError) -> Option<&Stop> {
    match error {
        SolveError::Stopped(stop) | SolveError::Table(TableError::Stopped(stop)) => Some(stop),
        _ => None,
    }
}

impl From<BadGame> for Error {
    fn from(error: BadGame) -> Error {
        Error::Game(error)
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        Error::Solve(error)
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        Error::Solve(SolveError::Table(error))
    }
}

impl From<LookError> for Error {
    fn from(error: LookError) -> Error {
        match error {
            LookError::Table(error) => error.into(),
            error => Error::Look(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = |f: &mut fmt::Formatter<'_>, kept: u32| {
            write!(f, "; {kept} finished tier{} kept", if kept == 1 { "" } else { "s" })
        };
        match self {
            Error::Game(error) => error.fmt(f),
            Error::NoTable { game, outdated: true, .. } => write!(
                f,
                "the table of '{game}' was made from another version of the file, or from another \
                 file of that name"
            ),
            Error::NoTable { game, tables, outdated: false } => {
                write!(f, "there is no table of '{game}' under {}", tables.display())
            }
            Error::NeedsTable { what } => write!(f, "{what} need a table"),
            Error::NoSearch { game } => {
                write!(f, "'{game}' cannot be answered by search, only from its table")
            }
            Error::Foreign { file, why } => {
                write!(f, "{}: {}", Shown(&file.display().to_string()), escaped(why))
            }
            Error::Solve(error) => error.fmt(f),
            Error::Look(error) => error.fmt(f),
            Error::Stopped { stop, kept, .. } => {
                stop.fmt(f)?;
                finished(f, *kept)
            }
            Error::Uncounted { stop, .. } => write!(f, "{stop}; the table is whole"),
            Error::Lost { why, kept, .. } => {
                f.write_str(why)?;
                finished(f, *kept)
            }
            Error::Unstored(unstored) => unstored.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
