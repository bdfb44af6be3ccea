//! From a game string to a game.

use std::{fmt, io};

use crabwise::AnyGame;

use crate::{Params, params::Open};

/// A game family under a name.
#[derive(Clone)]
pub struct Entry {
    /// The name before the colon.
    pub name: &'static str,
    /// What the game is, in one line.
    pub about: &'static str,
    /// The parameters with their ranges, or "" when there are none.
    pub parameters: &'static str,
    /// A game string that is solved in a moment.
    pub example: &'static str,
    /// Makes the game; an error says which parameter is wrong and what would be right.
    pub build: fn(&mut Params) -> Result<Box<dyn AnyGame>, String>,
}

/// A game, ready to be solved, under its canonical game string.
pub struct Built {
    /// The game string with all parameters spelled out.
    pub string: String,
    /// The game itself.
    pub game: Box<dyn AnyGame>,
}

/// The games that can be asked for by name.
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// A registry without games, to [`add`](Registry::add) one's own to.
    pub fn empty() -> Registry {
        Registry { entries: vec![] }
    }

    /// All games of this crate.
    pub fn standard() -> Registry {
        let mut registry = Registry::empty();
        for entry in [
            crate::mnk::TICTACTOE,
            crate::mnk::MNK,
            crate::connect_four::ENTRY,
            crate::othello::ENTRY,
            crate::hex::ENTRY,
            crate::dots_and_boxes::ENTRY,
            crate::nim::ENTRY,
            crate::kayles::KAYLES,
            crate::kayles::DAWSON,
            crate::chomp::ENTRY,
            crate::cram::ENTRY,
            crate::domineering::ENTRY,
            crate::pong_hau_ki::ENTRY,
            crate::achi::ENTRY,
            crate::dodgem::ENTRY,
            crate::fox_and_hounds::ENTRY,
            crate::tokens::ENTRY,
            crate::boxers::BOXERS,
            crate::boxers::CRUZADOS,
            crate::black_hole::ENTRY,
            crate::isolation::ENTRY,
            crate::cycles::ENTRY,
            crate::graph::ENTRY,
        ] {
            registry.add(entry);
        }
        registry
    }

    /// Adds a game, in place of one of the same name.
    pub fn add(&mut self, entry: Entry) -> &mut Registry {
        self.entries.retain(|old| old.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// The games, in the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The game that a game string such as `connect-four:5x4` means, if it names no file.
    pub fn build(&self, string: &str) -> Result<Built, BadGame> {
        self.build_with(string, &|_| Err(io::Error::other("files are not read here")))
    }

    /// The game that a game string means, with a way to open the file that it may name.
    pub fn build_with(&self, string: &str, open: Open) -> Result<Built, BadGame> {
        let (name, text) = string.split_once(':').unwrap_or((string, ""));
        let entry = (self.entries.iter())
            .find(|entry| entry.name == name)
            .ok_or_else(|| self.unknown(name))?;
        let bad = |reason| BadGame::Parameters { entry: Box::new(entry.clone()), reason };
        let mut params = Params::parse(text, open);
        let game = (entry.build)(&mut params).map_err(|reason| match params.read() {
            true => BadGame::File { name: entry.name, reason },
            false => bad(reason),
        })?;
        let (params, outcomes) = params.finish().map_err(bad)?;
        let game = if outcomes { game.outcomes().map_err(bad)? } else { game };
        let string = if params.is_empty() { name.into() } else { format!("{name}:{params}") };
        Ok(Built { string, game })
    }

    fn unknown(&self, name: &str) -> BadGame {
        let close = |entry: &&Entry| strsim::jaro_winkler(entry.name, name);
        let like = (self.entries.iter())
            .max_by(|a, b| close(a).total_cmp(&close(b)))
            .filter(|entry| close(entry) > 0.7)
            .map(|entry| entry.name);
        BadGame::Unknown { name: name.into(), like }
    }
}

/// Why a game string means no game.
pub enum BadGame {
    /// No game has this name; perhaps one of a similar name was meant.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The closest name there is, if one is close.
        like: Option<&'static str>,
    },
    /// The game is known, but not with these parameters.
    Parameters {
        /// The game that was meant.
        entry: Box<Entry>,
        /// What is wrong with which parameter.
        reason: String,
    },
    /// The file that was to be the game is none.
    File {
        /// The game that was meant.
        name: &'static str,
        /// Which file, and what is wrong with it.
        reason: String,
    },
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadGame::Unknown { name, like: Some(like) } => {
                write!(f, "no game '{name}'; did you mean '{like}'?")
            }
            BadGame::Unknown { name, like: None } => {
                write!(f, "no game '{name}'; 'crabwise games' lists them all")
            }
            BadGame::Parameters { entry, reason } => {
                write!(f, "{}: {reason}; for example {}", entry.name, entry.example)
            }
            BadGame::File { name, reason } => write!(f, "{name}: {reason}"),
        }
    }
}

impl fmt::Debug for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for BadGame {}
