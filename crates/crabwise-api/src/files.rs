//! What is told when a file has been written.

use serde::Serialize;

/// An export of positions.
#[derive(Serialize)]
pub struct Export<'a> {
    /// The game string.
    pub game: &'a str,
    /// Where the file is.
    pub file: String,
    /// How many positions are in it.
    pub positions: u64,
}

/// A drawing of a position.
#[derive(Serialize)]
pub struct Drawing<'a> {
    /// The game string.
    pub game: &'a str,
    /// The moves that lead to the position.
    pub line: &'a [String],
    /// Where the file is.
    pub file: String,
}

/// A book.
#[derive(Serialize)]
pub struct BookFile<'a> {
    /// The game string.
    pub game: &'a str,
    /// Where the file is.
    pub file: String,
    /// How many entries are in it.
    pub entries: usize,
}

/// The files in which a game was published before.
#[derive(Serialize)]
pub struct PublishedFiles<'a> {
    /// The game string.
    pub game: &'a str,
    /// Where they are.
    pub files: &'a [String],
    /// How long each is.
    pub bytes: &'a [u64],
    /// Slots that an earlier run had done.
    pub resumed: u64,
}
