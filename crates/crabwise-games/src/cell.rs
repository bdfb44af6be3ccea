//! The cells of a board of up to 64, written as a letter for the column and a number for the row.

use std::{fmt, iter};

/// The cell row · columns + column.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    number: u8,
    columns: u8,
}

impl Cell {
    /// The cells in a set, on a board of at most 26 columns.
    pub(crate) fn all(set: u64, columns: u32) -> impl Iterator<Item = Cell> {
        let (mut rest, columns) = (set, columns as u8);
        iter::from_fn(move || {
            let number = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
            (number < 64).then_some(Cell { number, columns })
        })
    }

    /// The set of this cell alone.
    pub(crate) fn bit(self) -> u64 {
        1 << self.number
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.number % self.columns);
        write!(f, "{column}{}", self.number / self.columns + 1)
    }
}

/// The columns' letters, each after a space.
pub(crate) fn letters(columns: u32) -> String {
    ('a'..='z').take(columns as usize).flat_map(|letter| [' ', letter]).collect()
}
