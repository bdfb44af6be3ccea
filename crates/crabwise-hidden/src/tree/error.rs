//! Why a game was not laid out.

use std::fmt;

use crabwise::{
    SolveError,
    watch::{Bytes, Stop},
};

/// Why a game was not laid out.
#[derive(Debug)]
pub enum HiddenError {
    /// There is not enough room.
    Room {
        /// What is too large, with its figure.
        what: String,
        /// The bytes that it takes, as far as that is known.
        needed: u64,
        /// The bytes that there are.
        memory: u64,
    },
    /// The game breaks the contract of [`Hidden`](crate::Hidden).
    Contract(String),
    /// Somebody asked for an end.
    Stopped(Stop),
    /// A search of the game's own, or a method, failed or would take too much memory.
    Solve(SolveError),
}

impl fmt::Display for HiddenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HiddenError::Room { what, needed, memory } => {
                write!(
                    f,
                    "{what} take {}, more than the {} allowed",
                    Bytes(*needed),
                    Bytes(*memory)
                )
            }
            HiddenError::Contract(what) => write!(f, "the rules contradict themselves: {what}"),
            HiddenError::Stopped(stop) => stop.fmt(f),
            HiddenError::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HiddenError {}

impl From<Stop> for HiddenError {
    fn from(stop: Stop) -> HiddenError {
        HiddenError::Stopped(stop)
    }
}

impl From<SolveError> for HiddenError {
    fn from(error: SolveError) -> HiddenError {
        HiddenError::Solve(error)
    }
}
