//! Solutions as a game's authors published them before, in files of a form of their own.

use super::{
    Game, Value,
    dynamic::{DynGame, DynPosition},
};

/// A game whose solution was published before, in files of a form of its own.
pub trait Published: Game {
    /// The names of the files.
    const FILES: &'static [&'static str];

    /// How many codes of positions the files are in the order of; `None` where they are in that of slots, and tell
    /// of a position besides where its moves lead.
    fn codes(&self) -> Option<u64> {
        None
    }

    /// The position that a code means, if it means one.
    fn decode(&self, _code: u64) -> Option<Self::Position> {
        None
    }

    /// What the files call a position in which this player is to move, 0 for the one who began, if that is another
    /// name than the game's own.
    fn name(&self, _at: &Self::Position, _mover: usize) -> Option<String> {
        None
    }

    /// Appends to each file what it begins with.
    fn begin(&self, _files: &mut [Vec<u8>]) {}

    /// The value that the byte of a code stands for; `None` where it stands for no position.
    fn meaning(&self, _byte: u8) -> Option<Value> {
        None
    }

    /// Whether the files can be written with decided positions only.
    fn parts_with_draws(&self) -> bool {
        false
    }

    /// How many positions there are at most, by a formula of the authors.
    fn upper_bound(&self) -> Option<u128> {
        None
    }

    /// Appends to each file what it says of a position and of those that share its slot; or of a code that means
    /// none, or none that can be reached. The moves come with where they lead and what that is worth to the
    /// player who moves next. With `decided`, draws are left out.
    fn append(
        &self,
        at: Option<(&Self::Position, Value)>,
        moves: &[(Self::Position, Value)],
        decided: bool,
        files: &mut [Vec<u8>],
    );
}

/// [`Published`] of a game, without the trait.
#[derive(Clone, Copy)]
pub(crate) struct PublishedOf {
    pub(crate) files: &'static [&'static str],
    pub(crate) codes: fn(DynGame) -> Option<u64>,
    pub(crate) decode: fn(DynGame, u64) -> Option<DynPosition>,
    pub(crate) name: fn(DynGame, &DynPosition, usize) -> Option<String>,
    pub(crate) begin: fn(DynGame, &mut [Vec<u8>]),
    pub(crate) meaning: fn(DynGame, u8) -> Option<Value>,
    pub(crate) parts_with_draws: fn(DynGame) -> bool,
    pub(crate) upper_bound: fn(DynGame) -> Option<u128>,
    pub(crate) append: Append,
}

type Append =
    fn(DynGame, Option<(&DynPosition, Value)>, &[(DynPosition, Value)], bool, &mut [Vec<u8>]);
