//! From a game string to a game.

use std::{fmt, io};

use crabwise::ErasedGame;
use crabwise_hidden::ErasedHidden;

use crate::{Params, params::Open};

/// A game family under a name: of games in which everything is seen, or of games with hidden information.
pub struct Entry<G = ErasedGame> {
    /// The name before the colon.
    pub name: &'static str,
    /// What the game is, in one line.
    pub about: &'static str,
    /// The parameters with their ranges, or "" when there are none.
    pub parameters: &'static str,
    /// A game string that is solved in a moment.
    pub example: &'static str,
    /// Makes the game; an error says which parameter is wrong and what would be right.
    pub build: fn(&mut Params) -> Result<G, String>,
}

/// A game, ready to be solved, under its canonical game string.
pub struct Built<G = ErasedGame> {
    /// The game string with all parameters spelled out.
    pub string: String,
    /// The game itself.
    pub game: G,
}

impl<G> Clone for Entry<G> {
    fn clone(&self) -> Entry<G> {
        Entry { ..*self }
    }
}

/// The games that can be asked for by name.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Entry>,
    hidden: Vec<Entry<ErasedHidden>>,
}

impl Registry {
    /// A registry without games, to [`add`](Registry::add) one's own to.
    pub fn empty() -> Registry {
        Registry { entries: vec![], hidden: vec![] }
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
        for entry in [
            crate::dark::DARK_HEX,
            crate::dark::PHANTOM,
            crate::poker::kuhn::ENTRY,
            crate::poker::leduc::ENTRY,
            crate::liars_dice::ENTRY,
            crate::pennies::ENTRY,
            crate::rock_paper_scissors::ENTRY,
        ] {
            registry.add_hidden(entry);
        }
        registry
    }

    /// Adds a game, in place of one of the same name.
    pub fn add(&mut self, entry: Entry) -> &mut Registry {
        self.remove(entry.name);
        self.entries.push(entry);
        self
    }

    /// Adds a game with hidden information, in place of one of the same name.
    pub fn add_hidden(&mut self, entry: Entry<ErasedHidden>) -> &mut Registry {
        self.remove(entry.name);
        self.hidden.push(entry);
        self
    }

    fn remove(&mut self, name: &str) {
        self.entries.retain(|old| old.name != name);
        self.hidden.retain(|old| old.name != name);
    }

    /// The games in which everything is seen, in the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The games with hidden information, in the order they were added.
    pub fn hidden(&self) -> &[Entry<ErasedHidden>] {
        &self.hidden
    }

    /// Whether a game string names a game with hidden information.
    pub fn is_hidden(&self, string: &str) -> bool {
        let (name, _) = split(string);
        self.hidden.iter().any(|entry| entry.name == name)
    }

    /// The game that a game string such as `connect-four:5x4` means, if it names no file.
    pub fn build(&self, string: &str) -> Result<Built, BadGame> {
        self.build_with(string, &|_| Err(io::Error::other("files are not read here")))
    }

    /// The game that a game string means, with a way to open the file that it may name.
    pub fn build_with(&self, string: &str, open: Open) -> Result<Built, BadGame> {
        let (name, text) = split(string);
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
            return Err(match self.hidden.iter().find(|entry| entry.name == name) {
                Some(entry) => BadGame::Hidden { name: entry.name },
                None => self.unknown(name),
            });
        };
        let (params, outcomes, game) = entry.made(text, open)?;
        let game = match outcomes {
            true => game.outcomes().map_err(|reason| entry.bad(reason))?,
            false => game,
        };
        Ok(Built { string: entry.spelled(&params), game })
    }

    /// The game with hidden information that a game string such as `dark-hex:3x3,abrupt` means.
    pub fn build_hidden(&self, string: &str) -> Result<Built<ErasedHidden>, BadGame> {
        let (name, text) = split(string);
        let Some(entry) = self.hidden.iter().find(|entry| entry.name == name) else {
            return Err(match self.entries.iter().find(|entry| entry.name == name) {
                Some(entry) => BadGame::Open { name: entry.name },
                None => self.unknown(name),
            });
        };
        let unread = |_: &str| Err(io::Error::other("files are not read here"));
        match entry.made(text, &unread)? {
            (_, true, _) => {
                let reason = "'outcomes' is for games in which everything is seen";
                Err(entry.bad(reason.into()))
            }
            (params, false, game) => Ok(Built { string: entry.spelled(&params), game }),
        }
    }

    fn unknown(&self, name: &str) -> BadGame {
        let close = |known: &&str| strsim::jaro_winkler(known, name);
        let names = self.entries.iter().map(|entry| entry.name);
        let like = (names.chain(self.hidden.iter().map(|entry| entry.name)))
            .max_by(|a, b| close(a).total_cmp(&close(b)))
            .filter(|name| close(name) > 0.7);
        BadGame::Unknown { name: name.into(), like }
    }
}

/// The name of a game, and its parameters.
fn split(string: &str) -> (&str, &str) {
    string.split_once(':').unwrap_or((string, ""))
}

impl<G> Entry<G> {
    /// The game with these parameters, their canonical spelling, and whether only outcomes are wanted.
    fn made(&self, text: &str, open: Open) -> Result<(String, bool, G), BadGame> {
        let mut params = Params::parse(text, open);
        let game = (self.build)(&mut params).map_err(|reason| match params.read() {
            true => BadGame::File { name: self.name, reason },
            false => self.bad(reason),
        })?;
        let (params, outcomes) = params.finish().map_err(|reason| self.bad(reason))?;
        Ok((params, outcomes, game))
    }

    fn bad(&self, reason: String) -> BadGame {
        BadGame::Parameters { name: self.name, example: self.example, reason }
    }

    fn spelled(&self, params: &str) -> String {
        if params.is_empty() { self.name.into() } else { format!("{}:{params}", self.name) }
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
        name: &'static str,
        /// A game string that is right.
        example: &'static str,
        /// What is wrong with which parameter.
        reason: String,
    },
    /// The game has hidden information, and cannot be solved as others are.
    Hidden {
        /// Its name.
        name: &'static str,
    },
    /// The game has no hidden information.
    Open {
        /// Its name.
        name: &'static str,
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
            BadGame::Parameters { name, example, reason } => {
                write!(f, "{name}: {reason}; for example {example}")
            }
            BadGame::Hidden { name } => write!(
                f,
                "{name} has hidden information; equilibrium, exploit, pone, count, matrix, league, play \
                 and look are for such games"
            ),
            BadGame::Open { name } => write!(
                f,
                "in {name} everything is seen; 'crabwise solve' solves it, and this is for games with \
                 hidden information, such as dark-hex:2x2"
            ),
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
