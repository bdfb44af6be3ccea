//! Boards of cells: the cells' names, sets of cells, and pictures with the names around them.
//!
//! The cell in column x and row y, both counted from 0, has the number y · columns + x; a set of
//! cells has one bit a cell, so games that keep such sets have at most 64 cells. A cell is written
//! as column letter and row number, `b3`; after 26 small letters capital ones follow.

use std::{fmt, ops::RangeInclusive};

use crabwise::index::combinadic::full;

use crate::Params;

/// How many columns have a letter.
const LETTERS: u32 = 52;

/// A rectangular board.
#[derive(Clone, Copy)]
pub struct Grid {
    /// From left to right, a, b, c, …
    pub columns: u32,
    /// 1, 2, 3, …
    pub rows: u32,
}

impl Grid {
    /// The board of a parameter `ROWSxCOLUMNS`: sides up to 26, up to 64 cells.
    pub fn rows_by_columns(params: &mut Params, default: (u32, u32)) -> Result<Grid, String> {
        let (rows, columns) = sides(params, ["number of rows", "number of columns"], default)?;
        at_most_64((rows, columns))?;
        Ok(Grid { columns, rows })
    }

    /// The board of a parameter `ROWSxCOLUMNS` with a number of cells in this range.
    pub fn of_cells(
        params: &mut Params,
        default: (u32, u32),
        cells: RangeInclusive<u32>,
    ) -> Result<Grid, String> {
        let (least, most) = (*cells.start(), *cells.end());
        let names = ["number of rows", "number of columns"];
        let (rows, columns) = params.size(names, default, [1..=most, 1..=most])?;
        if !cells.contains(&(rows * columns)) {
            let found = rows * columns;
            let squares = if found == 1 { "square" } else { "squares" };
            return Err(format!("{rows}x{columns} has {found} {squares}, not {least} to {most}"));
        }
        if columns > LETTERS {
            return Err(format!("{rows}x{columns}: there are letters for {LETTERS} columns only"));
        }
        Ok(Grid { columns, rows })
    }

    /// The board of a parameter `ROWSxCOLUMNS`: sides up to 26, at least `least` cells. Its cells
    /// may be too many for a set.
    pub fn of_any_size(
        params: &mut Params,
        default: (u32, u32),
        least: u32,
    ) -> Result<Grid, String> {
        let (rows, columns) = sides(params, ["number of rows", "number of columns"], default)?;
        if rows * columns < least {
            return Err(format!("{rows}x{columns} has fewer than {least} cells"));
        }
        Ok(Grid { columns, rows })
    }

    /// The board of a parameter `COLUMNSxROWS`: sides up to 26, up to 64 cells.
    pub fn columns_by_rows(params: &mut Params, default: (u32, u32)) -> Result<Grid, String> {
        let (columns, rows) = sides(params, ["number of columns", "number of rows"], default)?;
        at_most_64((columns, rows))?;
        Ok(Grid { columns, rows })
    }

    /// The cell of a parameter such as `name=b3`.
    pub fn named_cell(
        self,
        params: &mut Params,
        name: &str,
        default: Cell,
    ) -> Result<Cell, String> {
        let wrong = |text: &str| format!("'{name}={text}': {}", self.range());
        let read = |text: &str| self.cell_named(text).ok_or_else(|| wrong(text));
        params.named_value(name, default, read, Cell::to_string)
    }

    /// The cells of a parameter such as `name=a1-b3`; none by default. The canonical spelling has them
    /// in the order of the board.
    pub fn named_cells(self, params: &mut Params, name: &str) -> Result<u64, String> {
        let read = |text: &str| {
            let cells: Option<Vec<Cell>> =
                text.split('-').map(|one| self.cell_named(one)).collect();
            let wrong = || format!("'{name}={text}': {}, joined by dashes", self.range());
            Ok(cells.ok_or_else(wrong)?.iter().fold(0, |set, cell| set | cell.bit()))
        };
        let write =
            |&set: &u64| self.cells(set).map(|cell| cell.to_string()).collect::<Vec<_>>().join("-");
        params.named_value(name, 0, read, write)
    }

    fn cell_named(self, name: &str) -> Option<Cell> {
        self.cells(self.all()).find(|cell| cell.to_string() == name)
    }

    /// Which cells there are, for an error.
    fn range(self) -> String {
        format!("the squares are a1 to {}", self.at(self.columns - 1, self.rows - 1))
    }

    /// All cells, at most 64.
    pub fn all(self) -> u64 {
        full(self.columns * self.rows)
    }

    /// The cells of a column.
    pub fn column(self, column: u32) -> u64 {
        (0..self.rows).fold(0, |set, row| set | self.at(column, row).bit())
    }

    /// The cell in a column and row.
    pub fn at(self, column: u32, row: u32) -> Cell {
        self.cell(row * self.columns + column)
    }

    /// The cell of a number.
    #[inline]
    pub fn cell(self, number: u32) -> Cell {
        Cell { number: number as u16, columns: self.columns as u16 }
    }

    /// The cells in a set, lowest first.
    #[inline]
    pub fn cells(self, set: u64) -> impl Iterator<Item = Cell> {
        bits(set).map(move |number| self.cell(number))
    }

    /// The board with row 1 at the bottom.
    pub fn picture(self, mark: impl Fn(Cell) -> char) -> String {
        let mut lines: Vec<_> = self.lines(0, mark).collect();
        lines.reverse();
        lines.join("\n")
    }

    /// The board with row 1 at the top, each row `slant` characters further to the right than the
    /// one above it.
    pub fn picture_down(self, slant: usize, mark: impl Fn(Cell) -> char) -> String {
        self.lines(slant, mark).collect::<Vec<_>>().join("\n")
    }

    /// The columns' letters, then the rows from row 1 on.
    fn lines(self, slant: usize, mark: impl Fn(Cell) -> char) -> impl Iterator<Item = String> {
        let letters: String = (0..self.columns).flat_map(|x| [' ', letter(x)]).collect();
        let letters = format!("{:1$}{letters}", "", 2 - slant);
        let row = move |y: u32| {
            let cells: String =
                (0..self.columns).flat_map(|x| [' ', mark(self.at(x, y))]).collect();
            let line = format!("{:2$}{:2}{cells}", "", y + 1, slant * y as usize);
            line.trim_end().to_string()
        };
        [letters].into_iter().chain((0..self.rows).map(row))
    }
}

fn sides(params: &mut Params, names: [&str; 2], default: (u32, u32)) -> Result<(u32, u32), String> {
    params.size(names, default, [1..=26, 1..=26])
}

fn at_most_64((a, b): (u32, u32)) -> Result<(), String> {
    if a * b > 64 {
        return Err(format!("{a}x{b} has more than 64 cells"));
    }
    Ok(())
}

/// A cell of a board of any size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    number: u16,
    columns: u16,
}

impl Cell {
    /// Its number.
    pub fn number(self) -> u16 {
        self.number
    }

    /// Its column, counted from 0.
    pub fn column(self) -> u32 {
        (self.number % self.columns).into()
    }

    /// Its row, counted from 0.
    pub fn row(self) -> u32 {
        (self.number / self.columns).into()
    }

    /// The set of this cell alone, on a board of at most 64.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.number
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.column()), self.row() + 1)
    }
}

/// The letter of a column; there are 52.
pub fn letter(column: u32) -> char {
    let column = column as u8;
    char::from(if column < 26 { b'a' + column } else { b'A' + column - 26 })
}

/// `X` or `O` for a cell that one of two sides has, `.` for a free one.
pub fn stone(sides: [u64; 2], cell: Cell) -> char {
    match sides.map(|side| side & cell.bit() != 0) {
        [true, _] => 'X',
        [_, true] => 'O',
        _ => '.',
    }
}

/// The members of a set, lowest first.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_and_pictured_alike() {
        let grid = Grid { columns: 3, rows: 2 };
        let (cell, other) = (grid.at(2, 1), grid.at(0, 0));
        assert_eq!((cell.to_string(), cell.column(), cell.row()), ("c2".into(), 2, 1));
        let mark = |at| stone([cell.bit(), other.bit()], at);
        assert_eq!(grid.picture(mark), " 2 . . X\n 1 O . .\n   a b c");
        assert_eq!(grid.picture_down(0, mark), "   a b c\n 1 O . .\n 2 . . X");
        assert_eq!(grid.picture_down(1, mark), "  a b c\n 1 O . .\n  2 . . X");
        assert_eq!((grid.all(), grid.column(1)), (0o77, 0o22));
        assert_eq!(bits(1 | 1 << 63).collect::<Vec<_>>(), [0, 63]);
        assert_eq!(bits(0).count(), 0);
    }
}
