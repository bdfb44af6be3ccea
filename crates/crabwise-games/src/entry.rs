//! A game under a name, and why a game string may mean none.
//!
//! Every game brings an [`Entry`] and imports this module; the registry imports every game and lists them.

use std::fmt;

use crabwise::{
    ErasedGame,
    watch::{Shown, escaped},
};

use crabwise_graphfile::Limits;

use crate::params::{Open, Params};

/// A family of games under a name, with perfect information or with hidden information.
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

impl<G> Entry<G> {
    /// The game with these parameters, their canonical spelling, and whether only outcomes are wanted.
    pub(crate) fn made(
        &self,
        text: &str,
        open: Open,
        limits: Limits,
    ) -> Result<(String, bool, G), BadGame> {
        let mut params = Params::parse(text, open, limits);
        let game = (self.build)(&mut params).map_err(|reason| match params.read() {
            true if params.no_room() => BadGame::NoRoom { name: self.name, reason },
            true => BadGame::File { name: self.name, reason },
            false => self.bad(reason),
        })?;
        let (params, outcomes) = params.finish().map_err(|reason| self.bad(reason))?;
        Ok((params, outcomes, game))
    }

    pub(crate) fn bad(&self, reason: String) -> BadGame {
        BadGame::Parameters { name: self.name, example: self.example, reason }
    }

    pub(crate) fn spelled(&self, params: &str) -> String {
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
        /// A game string that works.
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
    /// The file that the game string names cannot be read as a game.
    File {
        /// The game that was meant.
        name: &'static str,
        /// Which file, and what is wrong with it.
        reason: String,
    },
    /// The file that the game string names takes more memory than it may.
    NoRoom {
        /// The game that was meant.
        name: &'static str,
        /// Which file, how far it was read, and how much it may take.
        reason: String,
    },
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadGame::Unknown { name, like: Some(like) } => {
                write!(f, "no game '{}'; did you mean '{like}'?", Shown(name))
            }
            BadGame::Unknown { name, like: None } => {
                write!(f, "no game '{}'; 'crabwise games' lists them all", Shown(name))
            }
            BadGame::Parameters { name, example, reason } => {
                write!(f, "{name}: {}; for example {example}", escaped(reason))
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
            BadGame::File { name, reason } | BadGame::NoRoom { name, reason } => {
                write!(f, "{name}: {}", escaped(reason))
            }
        }
    }
}

impl fmt::Debug for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for BadGame {}
