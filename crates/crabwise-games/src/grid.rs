//! Names for the cells of a board, pictures with those names around them, and sets of bits.
//!
//! A cell is written as column letter and row number, `b3`, so a board has at most 26 columns.

use std::fmt;

/// A cell, both coordinates counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub column: u32,
    pub row: u32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.column), self.row + 1)
    }
}

/// The letter of a column below 26.
pub(crate) fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// A board with its coordinates, the given rows from top to bottom.
pub(crate) fn picture(
    columns: u32,
    rows: impl Iterator<Item = u32>,
    cell: impl Fn(Cell) -> char,
) -> String {
    let mut text = String::new();
    for row in rows {
        text += &format!("{:>2}", row + 1);
        for column in 0..columns {
            text.extend([' ', cell(Cell { column, row })]);
        }
        text.push('\n');
    }
    text += "  ";
    text.extend((0..columns).flat_map(|column| [' ', letter(column)]));
    text
}

/// The members of a bit set, lowest first.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}
