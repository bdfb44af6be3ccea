//! What is known of a game before it is solved: theorems, and conjectures that a solution may refute.

use super::{
    Game, Outcome,
    dynamic::{DynGame, DynMove, DynPosition},
};

/// A game of which something is known beforehand.
pub trait Studied: Game {
    /// What that is.
    fn theory(&self) -> Theory;

    /// Equal for moves at a position that a symmetry of the game turns into each other, so that moves can be
    /// counted up to symmetry.
    fn kind(&self, at: &Self::Position, mv: &Self::Move) -> u64;
}

/// What is known of a game beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theory {
    /// What the size of such games is counted in, such as "edges".
    pub unit: &'static str,
    /// The size of this one.
    pub size: u64,
    /// What is said of who wins.
    pub predictions: Vec<Prediction>,
}

/// What somebody says of who wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// Who says so, in a few words.
    pub by: String,
    /// The outcome for the player who begins.
    pub outcome: Outcome,
    /// Whether it is a theorem, and no mere conjecture.
    pub proven: bool,
    /// Why, or how the winner plays, in words.
    pub words: String,
}

/// How a game tells its theory, and which moves are alike.
#[derive(Clone, Copy)]
pub(crate) struct TheoryOf {
    pub(crate) theory: fn(DynGame) -> Theory,
    pub(crate) kind: fn(DynGame, &DynPosition, &DynMove) -> u64,
}
