//! Cram: both players place dominoes on free cells, either way round; the last to move wins.
//!
//! Rules: M. Gardner, "Mathematical Games" (February 1974). A position is the set of free cells,
//! cell = row · columns + column, row 1 at the bottom of the picture. The board and its dominoes
//! serve Domineering as well.

use std::fmt;

use crabwise::{
    Drawn, ErasedGame, Game, Impartial, Setup,
    game::picture::{Picture, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, lozenge},
    grid::{Cell, Grid, bits},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "cram",
    about: "place dominoes either way round; the last to move wins",
    parameters: "ROWSxCOLUMNS, each 1 to 26, at most 64 cells (default 4x4)",
    example: "cram:4x4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    Ok(Setup::of(Cram(Board::new(Grid::rows_by_columns(params, (4, 4))?)))
        .impartial()
        .drawn()
        .erased())
}

/// The rules for one size of board.
pub(crate) struct Cram(Board);

impl Game for Cram {
    type Position = u64;
    type Move = Domino;

    fn start(&self) -> u64 {
        self.0.all
    }

    fn moves(&self, &free: &u64) -> impl IntoIterator<Item = Domino> {
        self.0.across(free).chain(self.0.upright(free))
    }

    fn play(&self, free: &u64, domino: Domino) -> u64 {
        self.0.place(*free, domino)
    }

    fn show(&self, free: &u64) -> String {
        self.0.show(*free)
    }
}

impl Drawn for Cram {
    fn picture(&self, free: &u64, _made: &[String]) -> Picture {
        self.0.drawn(*free, self.moves(free))
    }
}

impl Impartial for Cram {
    /// Each connected region with room for a domino, in the corner a1 and the right way round.
    fn parts(&self, &free: &u64) -> Vec<u64> {
        let (mut left, mut parts) = (free, vec![]);
        while left != 0 {
            let region = self.0.region(left);
            left &= !region;
            if !region.is_power_of_two() {
                parts.push(self.0.normal(region));
            }
        }
        parts
    }
}

/// A board of at most 64 cells to place dominoes on.
pub(crate) struct Board {
    grid: Grid,
    pub all: u64,
    /// The cells of the rightmost column.
    right: u64,
}

impl Board {
    pub(crate) fn new(grid: Grid) -> Board {
        Board { grid, all: grid.all(), right: grid.column(grid.columns - 1) }
    }

    /// The dominoes that fit on free cells lying across.
    pub(crate) fn across(&self, free: u64) -> impl Iterator<Item = Domino> {
        self.dominoes(free & free >> 1 & !self.right, 1)
    }

    /// The dominoes that fit on free cells standing upright.
    pub(crate) fn upright(&self, free: u64) -> impl Iterator<Item = Domino> {
        let columns = self.grid.columns;
        self.dominoes(free & free >> columns, columns)
    }

    fn dominoes(&self, first: u64, step: u32) -> impl Iterator<Item = Domino> {
        let grid = self.grid;
        bits(first).map(move |i| Domino(grid.cell(i), grid.cell(i + step)))
    }

    /// The free cells that the domino leaves.
    pub(crate) fn place(&self, free: u64, Domino(a, b): Domino) -> u64 {
        free & !(a.bit() | b.bit())
    }

    pub(crate) fn show(&self, free: u64) -> String {
        self.grid.picture(|cell| if free & cell.bit() != 0 { '.' } else { '#' })
    }

    /// The board with what can be placed on it.
    pub(crate) fn drawn(&self, free: u64, dominoes: impl IntoIterator<Item = Domino>) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Up, |cell| {
            if free & cell.bit() != 0 { Tone::Board } else { Tone::Gone }
        });
        for domino in dominoes {
            let [a, b] = [domino.0, domino.1].map(|cell| drawing.middle(cell));
            drawing.push(lozenge(a, b, domino.to_string()));
        }
        drawing.picture()
    }

    /// The cells of a non-empty set that hang together with its first one.
    fn region(&self, set: u64) -> u64 {
        let mut region = set & set.wrapping_neg();
        loop {
            let sideways = (region & !self.right) << 1 | region >> 1 & !self.right;
            let upright = region << self.grid.columns | region >> self.grid.columns;
            let wider = (region | sideways | upright) & set;
            if wider == region {
                return region;
            }
            region = wider;
        }
    }

    /// The least of a region's turns and mirror images that fit into the corner a1.
    fn normal(&self, region: u64) -> u64 {
        let cells = || self.grid.cells(region);
        let ([mut left, mut low], [mut right, mut high]) = ([u32::MAX; 2], [0; 2]);
        for cell in cells() {
            (left, right) = (left.min(cell.column()), right.max(cell.column()));
            (low, high) = (low.min(cell.row()), high.max(cell.row()));
        }
        let (last_column, last_row) = (right - left, high - low);
        let image = |[flip, turn, swap]: [bool; 3]| {
            cells().fold(0, |set, cell| {
                let (column, row) = (cell.column() - left, cell.row() - low);
                let column = if flip { last_column - column } else { column };
                let row = if turn { last_row - row } else { row };
                let (column, row) = if swap { (row, column) } else { (column, row) };
                set | self.grid.at(column, row).bit()
            })
        };
        let swap_fits = last_row < self.grid.columns && last_column < self.grid.rows;
        (0..if swap_fits { 8 } else { 4 })
            .map(|i| image([i & 1 != 0, i & 2 != 0, i & 4 != 0]))
            .fold(region, u64::min)
    }
}

/// A domino on two neighbouring cells, written `a1-b1`.
#[derive(Clone, Copy)]
pub(crate) struct Domino(Cell, Cell);

impl fmt::Display for Domino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Index, Value, analysis::nimbers::Nimbers, solve};

    fn cram(rows: u32, columns: u32) -> Cram {
        Cram(Board::new(Grid { columns, rows }))
    }

    #[test]
    fn nimbers_are_the_published_ones() {
        let nimber = |rows, columns| {
            let game = cram(rows, columns);
            Nimbers::new(&game).of(&game.start())
        };
        assert_eq!([4, 5, 6].map(|columns| nimber(4, columns)), [0, 2, 0]);
        assert_eq!(nimber(5, 5), 0);
        // A single row is Dawson's Kayles.
        let one: Vec<_> = (1..=15).map(|columns| nimber(1, columns)).collect();
        assert_eq!(one, [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0]);
    }

    #[test]
    fn lost_where_the_nimber_is_zero() {
        let game = cram(3, 5);
        let (solution, mut nimbers) = (solve(&game).unwrap(), Nimbers::new(&game));
        for free in (0..solution.index.tiers()).flat_map(|tier| solution.index.positions(tier)) {
            let lost = matches!(solution.value(free), Some(Value::Loss(_)));
            assert_eq!(nimbers.of(free) == 0, lost, "{}", game.show(free));
        }
    }

    #[test]
    fn equal_regions_are_equal_parts() {
        let game = cram(3, 8);
        // An L at each end, mirror images of each other, and a lone cell between them.
        let free = 0b1000_0001 | 0b1001_0001 << 8 | 0b1100_0011 << 16;
        let parts = game.parts(&free);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0], parts[1]);
        assert_eq!(game.parts(&parts[0]), [parts[0]]);
        assert_eq!(game.parts(&game.start()), [game.start()]);
    }
}
