//! What there is to tell of a game's islands.

use std::collections::BTreeMap;

use super::{Draws, Label};
use crate::{TableError, Value};

/// Which islands are wanted, and what of them.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// All that are numbered, and not only what the start leads to.
    pub all: bool,
    /// How T islands are told apart.
    pub draws: Draws,
    /// Whether the labels of the literal table are wanted as well.
    pub literal: bool,
    /// Whether bridges are wanted.
    pub bridges: bool,
}

/// An island with its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Island {
    /// The position's notation.
    pub key: String,
    /// Its label.
    pub label: Label,
    /// What it is worth to the player to move.
    pub value: Value,
    /// What the literal table calls it, if that is wanted.
    pub literal: Option<Label>,
    /// Where the moves lead, each island once, if that is wanted.
    pub bridges: Vec<Bridge>,
}

impl Island {
    /// Whether the literal table is wrong here: it never takes one of G and P for the other, nor
    /// for another index, but leaves as T what is neither even nor endless.
    pub fn misread(&self) -> bool {
        self.literal.is_some_and(|literal| literal.letter() != self.label.letter())
    }
}

/// A bridge.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bridge {
    /// The key of the island it leads to.
    pub to: String,
    /// Whether it keeps the turn.
    pub again: bool,
    /// Whether perfect play may take it.
    pub best: bool,
    /// The label of where it leads, if the game is over there and the table has no place for how it stands then.
    pub end: Option<Label>,
}

/// How many islands have which label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelCounts {
    /// The key of the start.
    pub start: String,
    /// The label of the start.
    pub start_label: Label,
    /// All islands.
    pub islands: u64,
    /// Islands by label.
    pub counts: BTreeMap<Label, u64>,
    /// Islands by what the literal table calls them, and how many of them it gets wrong, if that is
    /// wanted.
    pub literal: Option<(BTreeMap<Label, u64>, u64)>,
}

/// Takes down labelled islands.
pub trait Chart {
    /// Hears the counts, before any island.
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError>;

    /// Hears of an island; an error ends it all.
    fn island(&mut self, island: Island) -> Result<(), TableError>;

    /// Whether nothing more is to be heard.
    fn full(&self) -> bool {
        false
    }
}
