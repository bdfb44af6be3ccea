//! Solutions as a game's authors published them before, in files of a form of their own.

use super::{
    Game, Value,
    dynamic::{DynGame, DynPosition},
};

/// A game whose solution was published before, in files of a form of its own.
pub trait PublishedRows: Game {
    /// The names of the files.
    const FILES: &'static [&'static str];

    /// Appends to each file what it says of a position and of those that share its slot. The moves
    /// come with where they lead and what that is worth to the player who moves next.
    fn rows(
        &self,
        at: &Self::Position,
        value: Value,
        moves: &[(Self::Position, Value)],
        files: &mut [Vec<u8>],
    );
}

/// A game whose solution was published before as an array of bytes, one for each code of a position.
pub trait PublishedArray: Game {
    /// The name of the file, the only one.
    const FILES: &'static [&'static str; 1];

    /// What stands for a code that means no position, or none that can be reached.
    const ABSENT: u8;

    /// How many codes there are.
    fn codes(&self) -> u64;

    /// The position that a code means.
    fn decode(&self, code: u64) -> Option<Self::Position>;

    /// What stands for a position that can be reached.
    fn byte(&self, at: &Self::Position, value: Value) -> u8;
}

/// [`PublishedRows`] or [`PublishedArray`] of a game, without the trait.
pub(crate) struct PublishedOf {
    pub(crate) files: &'static [&'static str],
    pub(crate) format: PublishedFormat,
}

pub(crate) enum PublishedFormat {
    Rows(RowsOf),
    Array(ArrayOf),
}

pub(crate) struct ArrayOf {
    pub(crate) absent: u8,
    pub(crate) codes: fn(DynGame) -> u64,
    pub(crate) decode: fn(DynGame, u64) -> Option<DynPosition>,
    pub(crate) byte: fn(DynGame, &DynPosition, Value) -> u8,
}

pub(crate) type RowsOf = fn(DynGame, &DynPosition, Value, &[(DynPosition, Value)], &mut [Vec<u8>]);
