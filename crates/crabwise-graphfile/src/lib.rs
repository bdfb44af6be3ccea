//! Graphs in text files, read in one pass and in little memory, whatever their size.
//!
//! A format's syntax is read here and nowhere else: [`Dot`](dot::Graph) as vertices, edges and attributes,
//! [JSON](json::Json) as values, [CSV](csv::Records) as records, each with the line it stands on. What the
//! words mean is left to those who asked: to one an island is a vertex and a bridge an edge, to another a
//! vertex has a place in the plane. That is why this is a crate of its own, below the plane graphs and below
//! the games: both read files, and neither knows the other.
//!
//! A file is held to limits while it is read, so that no file fills the memory before it is refused.
#![deny(missing_docs)]

pub mod csv;
pub mod dot;
pub mod json;
mod limits;
mod source;

use std::fmt;

pub use self::{limits::Limits, source::Source};

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Where in the file it is wrong; `None` if it is the file as a whole.
    pub place: Option<Place>,
    /// What is wrong, in one line.
    pub text: String,
    /// Whether nothing is, but that the memory it may take does not suffice.
    pub no_room: bool,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A row of a table, from 0.
    Row(usize),
    /// A column of a table, from 0.
    Column(usize),
    /// A row and a column of a table, both from 0.
    Entry(usize, usize),
}

impl ReadError {
    /// An error on a line.
    pub fn on_line(line: u64, text: impl Into<String>) -> ReadError {
        ReadError::at(Place::Line(line), text)
    }

    /// An error at a place.
    pub fn at(place: Place, text: impl Into<String>) -> ReadError {
        ReadError { place: Some(place), ..ReadError::anywhere(text) }
    }

    /// An error of the file as a whole.
    pub fn anywhere(text: impl Into<String>) -> ReadError {
        ReadError { place: None, text: text.into(), no_room: false }
    }

    /// From this line on, there is no room for more.
    pub fn no_room(line: u64, text: impl Into<String>) -> ReadError {
        ReadError { no_room: true, ..ReadError::on_line(line, text) }
    }

    /// The line, if it is known.
    pub fn line(&self) -> Option<u64> {
        match self.place {
            Some(Place::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// The error in one line with the file's name: `boat.csv, line 3: a row without an end`.
    pub fn in_file(&self, name: &str) -> String {
        match self.place {
            Some(place) => format!("{name}, {place}: {}", self.text),
            None => format!("{name}: {}", self.text),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Row(row) => write!(f, "row {}", row + 1),
            Place::Column(column) => write!(f, "column {}", column + 1),
            Place::Entry(row, column) => write!(f, "row {}, column {}", row + 1, column + 1),
        }
    }
}

/// The ending of a file's name in small letters, without the dot.
pub fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase()
}

/// A text as an error may quote it: on one line, and not too long.
pub fn quotable(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    // Quotation marks need no protection here.
    short.replace("\\'", "'").replace("\\\"", "\"")
}
