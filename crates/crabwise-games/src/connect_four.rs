//! Connect four on a board of any width and height up to 64 cells.
//!
//! Rules: J. Tromp, "John's Connect Four Playground". Players drop discs into columns in turn; four
//! in a row, across, up or diagonally, win; a full board is a tie. Positions are two bit sets,
//! cell = column · height + row with row 0 at the bottom, turned around after every move.

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Outcome, PositionEditor, Setup,
    game::picture::{Form, Picture, Shape, Tone},
    index::combinadic::full,
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, SIDES},
    grid::{Cell, Grid, stone},
    notation::{Arrangement, BoardNotation, ended, in_turn, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "connect-four",
    about: "drop discs into columns; four in a row win",
    parameters: "COLUMNSxROWS, each 1 to 26, at most 64 cells (default 7x6)",
    example: "connect-four:4x4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let Grid { columns, rows } = Grid::columns_by_rows(params, (7, 6))?;
    Ok(Setup::of(ConnectFour::new(columns, rows)).packed().drawn().editable().erased())
}

/// The rules for one size of board.
pub(crate) struct ConnectFour {
    width: u32,
    height: u32,
    full: u64,
    /// For each direction: its step in cells, and the cells from which four fit on the board.
    lines: [(u32, u64); 4],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Discs {
    mine: u64,
    theirs: u64,
}

crabwise::packed!(Discs { mine, theirs });

impl ConnectFour {
    pub(crate) fn new(width: u32, height: u32) -> ConnectFour {
        let cells = width * height;
        let lines = [(1, 0), (1, 1), (0, 1), (1, -1)].map(|(dx, dy): (i64, i64)| {
            let fits = |cell: &u32| {
                let (x, y) = ((cell / height) as i64 + 3 * dx, (cell % height) as i64 + 3 * dy);
                (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y)
            };
            let step = (dx * i64::from(height) + dy) as u32;
            (step, (0..cells).filter(fits).fold(0, |set, cell| set | 1 << cell))
        });
        ConnectFour { width, height, full: full(cells), lines }
    }

    fn four(&self, discs: u64) -> bool {
        let shift = |set: u64, by: u32| set.checked_shr(by).unwrap_or(0);
        self.lines.iter().any(|&(step, from)| {
            from & discs & shift(discs, step) & shift(discs, 2 * step) & shift(discs, 3 * step) != 0
        })
    }
}

impl Game for ConnectFour {
    type Position = Discs;
    type Move = Column;

    fn start(&self) -> Discs {
        Discs { mine: 0, theirs: 0 }
    }

    fn moves(&self, at: &Discs) -> impl IntoIterator<Item = Column> {
        let taken = at.mine | at.theirs;
        let height = self.height;
        (0..self.width)
            .filter(move |column| taken >> (column * height + height - 1) & 1 == 0)
            .map(Column)
    }

    fn play(&self, at: &Discs, Column(column): Column) -> Discs {
        // Adding one at the foot of the column carries up to its lowest free cell.
        let taken = at.mine | at.theirs;
        let foot = 1 << (column * self.height);
        let cell = (taken & !(foot - 1)).wrapping_add(foot) & !taken;
        Discs { mine: at.theirs, theirs: at.mine | cell }
    }

    fn over(&self, at: &Discs) -> Option<Outcome> {
        if self.four(at.theirs) {
            Some(Outcome::Loss)
        } else if at.mine | at.theirs == self.full {
            Some(Outcome::Tie)
        } else {
            None
        }
    }

    fn show(&self, at: &Discs) -> String {
        let sides = at.sides();
        let board = self.board();
        let wide = if self.width > 9 { 3 } else { 2 };
        let row = |y| -> String {
            let cell = |x| format!("{:>wide$}", self.mark(sides, board.at(x, y)));
            (0..self.width).map(cell).collect()
        };
        let numbers = (1..=self.width).map(|column| format!("{column:>wide$}")).collect();
        (0..self.height).rev().map(row).chain([numbers]).collect::<Vec<_>>().join("\n")
    }

    fn notation(&self, at: &Discs) -> String {
        rows(self.board(), Layout::Up, |cell| self.mark(at.sides(), cell))
    }

    fn read(&self, word: &str) -> Option<Result<(Discs, u32), String>> {
        let arrangement = BoardNotation::stones(self.board(), Layout::Up).read(word)?;
        Some(arrangement.and_then(|arrangement| self.discs(&arrangement)))
    }
}

impl PositionEditor for ConnectFour {
    fn editor(&self) -> EditorBoard {
        BoardNotation::stones(self.board(), Layout::Up).editor()
    }
}

impl Drawn for ConnectFour {
    /// Pointing at the cell where a disc would come to lie drops it there.
    fn picture(&self, at: &Discs, _made: &[String]) -> Picture {
        let (grid, discs) = (self.board(), at.sides());
        let mut drawing = BoardDrawing::with_cells(grid, Layout::Up, |_| Tone::Board);
        let open = self.over(at).is_none();
        for column in self.moves(at).into_iter().filter(|_| open) {
            let free = |row: &u32| self.mark(discs, grid.at(column.0, *row)) == '.';
            if let Some(lowest) = (0..self.height).find(free) {
                let area = Form::Area(drawing.corners(grid.at(column.0, lowest)));
                drawing.push(Shape::new(area, Tone::Move).named(column.to_string()));
            }
        }
        for cell in grid.cells(grid.all()) {
            let there = SIDES.iter().find(|(_, text)| *text == self.mark(discs, cell).to_string());
            there.iter().for_each(|(tone, text)| drawing.piece(cell, *tone, text));
        }
        drawing.with_columns(|column| column + 1)
    }
}

impl ConnectFour {
    /// The board as people see it, cell = row · columns + column.
    fn board(&self) -> Grid {
        Grid { columns: self.width, rows: self.height }
    }

    /// What is on a cell of that board.
    fn mark(&self, sides: [u64; 2], cell: Cell) -> char {
        // Columns of the board are rows of the grid that the sets are of.
        let grid = Grid { columns: self.height, rows: self.width };
        stone(sides, grid.at(cell.row(), cell.column()))
    }

    /// The position of a word.
    fn discs(&self, arrangement: &Arrangement) -> Result<(Discs, u32), String> {
        let board = self.board();
        let bit = |cell: Cell| 1 << (cell.column() * self.height + cell.row());
        let sides =
            arrangement.stones().map(|set| board.cells(set).fold(0, |set, cell| set | bit(cell)));
        let (taken, turn) = (sides[0] | sides[1], in_turn(sides)?);
        let hangs = |cell: &Cell| {
            let below = cell.row().checked_sub(1).map(|row| bit(board.at(cell.column(), row)));
            taken & bit(*cell) != 0 && below.is_some_and(|below| taken & below == 0)
        };
        if let Some(cell) = board.cells(board.all()).find(hangs) {
            return Err(format!("the disc on {cell} has nothing below it"));
        }
        ended(sides.map(|side| self.four(side)), turn)?;
        Ok((Discs { mine: sides[turn], theirs: sides[1 - turn] }, taken.count_ones()))
    }
}

impl Discs {
    /// The discs of the player who began, and the other's.
    fn sides(&self) -> [u64; 2] {
        let even = (self.mine | self.theirs).count_ones().is_multiple_of(2);
        if even { [self.mine, self.theirs] } else { [self.theirs, self.mine] }
    }
}

/// A column, counted from 1 on the left, as players do.
#[derive(Clone, Copy)]
pub(crate) struct Column(u32);

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_every_direction_win() {
        let game = ConnectFour::new(7, 6);
        assert_eq!(game.lines.map(|(_, from)| from.count_ones()), [24, 12, 21, 12]);
        let at = |column: u32, row: u32| 1_u64 << (6 * column + row);
        for (dx, dy) in [(1, 0), (1, 1), (0, 1)] {
            assert!(game.four((0..4).map(|i| at(2 + i * dx, 1 + i * dy)).sum()));
        }
        assert!(game.four((0..4).map(|i| at(2 + i, 4 - i)).sum()));
        // Neighbours by number, but not on the board.
        assert!(!game.four(at(0, 4) | at(0, 5) | at(1, 0) | at(1, 1)));
    }

    #[test]
    fn columns_are_numbered_below() {
        let game = ConnectFour::new(4, 2);
        let at = game.play(&game.play(&game.start(), Column(1)), Column(1));
        assert_eq!(game.show(&at), " . O . .\n . X . .\n 1 2 3 4");
        let wide = ConnectFour::new(11, 1);
        assert!(wide.show(&wide.start()).ends_with("  9 10 11"));
    }
}
