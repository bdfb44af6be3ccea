//! Putting a position together by hand, place by place.
//!
//! The position is a word in the game's own notation ([`Game::read`]), and what stands on a place is one
//! letter of it, always the same one. So an editor changes letters, and the game says whether the word is
//! a position.

use super::Game;

/// A game whose positions can be put together by hand.
pub trait PositionEditor: Game {
    /// The places, and what can stand there.
    fn editor(&self) -> EditorBoard;
}

/// The places of a notation, and what can stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditorBoard {
    /// The letters of the notation, and what each means in a word or two.
    pub letters: Vec<(char, &'static str)>,
    /// The places.
    pub places: Vec<EditorPlace>,
}

/// A place of a notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditorPlace {
    /// Its name, as shapes of the picture have it; another one for what is not on the board, such as whose
    /// turn it is.
    pub name: String,
    /// Which letter of the notation it is, counted from 0.
    pub at: usize,
    /// The letters that it can have.
    pub letters: String,
}
