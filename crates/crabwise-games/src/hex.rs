//! Hex on a board of any size up to 64 cells, without the swap rule.
//!
//! Rules: J. Nash, "Some games and machines for playing them", RAND D-1164. Players take a free
//! cell in turn; the first wins by joining top and bottom, the second by joining left and right. A
//! full board joins exactly one of the two pairs of sides, so there are no ties. The sides differ,
//! so a position keeps each player's cells, and the number of stones says whose turn it is.
//!
//! The board is a slanted rectangle, cell = row · columns + column with row 0 at the top. A cell
//! touches its neighbours in the row, the two above it (straight up, and up to the right) and the
//! two below it (straight down, and down to the left). It is written as a letter for the column
//! and a number for the row, row 1 at the top.

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Outcome, PositionEditor, Setup,
    game::picture::{Picture, Tone},
    index::combinadic::full,
};
use crabwise_hidden::Player;

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    grid::{Cell, Grid, stone},
    notation::{BoardNotation, ended, in_turn, rows},
    stones::{Ending, Placement},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "hex",
    about: "join your two sides of the board by a chain of cells",
    parameters: "ROWSxCOLUMNS, each 1 to 26, at most 64 cells (default 4x4)",
    example: "hex:3x3",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let Grid { columns, rows } = Grid::rows_by_columns(params, (4, 4))?;
    Ok(Setup::of(Hex::new(rows, columns)).packed().drawn().editable().erased())
}

/// The rules for one size of board.
#[derive(Clone)]
pub(crate) struct Hex {
    grid: Grid,
    full: u64,
    /// Top and bottom for the first player, left and right for the second.
    sides: [[u64; 2]; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    first: u64,
    second: u64,
}

crabwise::packed!(Stones { first, second });

impl Stones {
    fn first_to_move(self) -> bool {
        (self.first | self.second).count_ones().is_multiple_of(2)
    }
}

impl Hex {
    pub(crate) fn new(rows: u32, columns: u32) -> Hex {
        let grid = Grid { columns, rows };
        let top = full(columns);
        let across = [top, top << ((rows - 1) * columns)];
        let sides = [across, [grid.column(0), grid.column(columns - 1)]];
        Hex { grid, full: grid.all(), sides }
    }

    /// The cells of `set` and those that touch them; some may lie off the board.
    fn around(&self, set: u64) -> u64 {
        let ([left, right], columns) = (self.sides[1], self.grid.columns);
        let (not_left, not_right) = (set & !left, set & !right);
        let beside = not_left >> 1 | not_right << 1;
        let above = set >> columns | not_right >> (columns - 1);
        let below = set << columns | not_left << (columns - 1);
        set | beside | above | below
    }

    fn joined(&self, stones: u64, [from, to]: [u64; 2]) -> bool {
        let mut reached = stones & from;
        loop {
            let next = self.around(reached) & stones;
            if next & to != 0 || next == reached {
                return next & to != 0;
            }
            reached = next;
        }
    }

    /// All cells of the board.
    pub(crate) fn all(&self) -> u64 {
        self.full
    }

    /// How few of the free cells player 0 or 1 needs to join with these stones: 0 for one who has,
    /// `None` for one who cannot.
    pub(crate) fn distance(&self, player: usize, stones: u64, free: u64) -> Option<u32> {
        let [from, to] = self.sides[player];
        let mut reached = 0;
        for spent in 0.. {
            reached |= from & stones;
            loop {
                let next = reached | self.around(reached) & stones;
                if next == reached {
                    break;
                }
                reached = next;
            }
            if reached & to != 0 {
                return Some(spent);
            }
            let next = reached | (self.around(reached) | from) & free;
            if next == reached {
                break;
            }
            reached = next;
        }
        None
    }
}

impl Game for Hex {
    type Position = Stones;
    type Move = Cell;

    fn start(&self) -> Stones {
        Stones { first: 0, second: 0 }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Cell> {
        self.grid.cells(self.full & !(at.first | at.second))
    }

    fn play(&self, at: &Stones, mv: Cell) -> Stones {
        let cell = mv.bit();
        if at.first_to_move() {
            Stones { first: at.first | cell, ..*at }
        } else {
            Stones { second: at.second | cell, ..*at }
        }
    }

    fn over(&self, at: &Stones) -> Option<Outcome> {
        // Only the player who has just moved can have joined anything.
        let [first, second] = self.sides;
        let (stones, sides) =
            if at.first_to_move() { (at.second, second) } else { (at.first, first) };
        self.joined(stones, sides).then_some(Outcome::Loss)
    }

    fn show(&self, at: &Stones) -> String {
        self.draw(|cell| stone([at.first, at.second], cell))
    }

    fn notation(&self, at: &Stones) -> String {
        rows(self.grid, Layout::Hexagons, |cell| stone([at.first, at.second], cell))
    }

    fn read(&self, word: &str) -> Option<Result<(Stones, u32), String>> {
        let placement = BoardNotation::stones(self.grid, Layout::Hexagons).read(word)?;
        Some(placement.and_then(|placement| {
            let [first, second] = placement.stones();
            let joined = [self.joined(first, self.sides[0]), self.joined(second, self.sides[1])];
            ended(joined, in_turn([first, second])?)?;
            Ok((Stones { first, second }, (first | second).count_ones()))
        }))
    }
}

impl PositionEditor for Hex {
    fn editor(&self) -> EditorBoard {
        BoardNotation::stones(self.grid, Layout::Hexagons).editor()
    }
}

impl Drawn for Hex {
    fn picture(&self, at: &Stones, _made: &[String]) -> Picture {
        let mut drawing = self.drawing();
        drawing.stones([at.first, at.second]);
        drawing.picture()
    }
}

impl Placement for Hex {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn ending(&self, stones: [u64; 2], last: Player) -> Option<Ending> {
        let player = last as usize;
        self.joined(stones[player], self.sides[player]).then_some(Ending::Won(last))
    }

    fn needs(&self, player: usize, stones: u64, free: u64) -> Option<u32> {
        self.distance(player, stones, free)
    }

    fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        // A row starts half a cell to the right of the one above, as its neighbours lie.
        self.grid.picture_down(1, mark)
    }

    fn drawing(&self) -> BoardDrawing {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Hexagons, |_| Tone::Board);
        drawing.sides();
        drawing
    }
}

#[cfg(test)]
mod tests {
    use crabwise::{Index, solve};

    use super::*;

    /// The twin of `joined`, by coordinates and one cell at a time.
    fn joined_slowly(rows: i32, columns: i32, stones: u64, down: bool) -> bool {
        let cell = |x: i32, y: i32| y * columns + x;
        let on = |x, y| (0..columns).contains(&x) && (0..rows).contains(&y);
        let has = |x, y| on(x, y) && stones >> cell(x, y) & 1 == 1;
        let starts = |x, y| if down { y == 0 } else { x == 0 };
        let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let mut seen: Vec<(i32, i32)> = cells.filter(|&(x, y)| has(x, y) && starts(x, y)).collect();
        let mut next = 0;
        while let Some(&(x, y)) = seen.get(next) {
            next += 1;
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                let to = (x + dx, y + dy);
                if has(to.0, to.1) && !seen.contains(&to) {
                    seen.push(to);
                }
            }
        }
        seen.iter().any(|&(x, y)| if down { y == rows - 1 } else { x == columns - 1 })
    }

    /// The reachable positions, from what they look like: right numbers of stones, and nobody has
    /// joined, or the last to move has by some stone that can have been the last.
    fn positions(rows: i32, columns: i32) -> u64 {
        let cells = rows * columns;
        let reachable = |first: u64, second: u64| {
            let (last, other, down) = match first.count_ones().checked_sub(second.count_ones()) {
                Some(0) => (second, first, false),
                Some(1) => (first, second, true),
                _ => return false,
            };
            let mut parents = (0..cells).map(|cell| 1 << cell).filter(|bit| last & bit != 0);
            !joined_slowly(rows, columns, other, !down)
                && (!joined_slowly(rows, columns, last, down)
                    || parents.any(|bit| !joined_slowly(rows, columns, last & !bit, down)))
        };
        let pairs = (0..1_u64 << cells).flat_map(|a| (0..1 << cells).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| a & b == 0 && reachable(a, b)).count() as u64
    }

    #[test]
    fn positions_are_counted_by_another_way() {
        for (rows, columns) in [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
            let walked = solve(&Hex::new(rows, columns)).unwrap().index.total();
            assert_eq!(walked, positions(rows as i32, columns as i32), "{rows}x{columns}");
        }
    }

    #[test]
    fn distances_are_the_fewest_cells_that_join() {
        for (rows, columns) in [(1, 4), (4, 1), (2, 3), (3, 2), (3, 3)] {
            let game = Hex::new(rows, columns);
            let subsets = |of: u64| (0..=of).filter(move |set| set & !of == 0);
            let pairs =
                subsets(game.full).flat_map(|a| subsets(game.full & !a).map(move |b| (a, b)));
            for (stones, free) in pairs {
                for player in [0, 1] {
                    let joins = |set: &u64| {
                        joined_slowly(rows as i32, columns as i32, stones | set, player == 0)
                    };
                    let fewest = subsets(free).filter(joins).map(u64::count_ones).min();
                    assert_eq!(game.distance(player, stones, free), fewest, "{stones:b} {free:b}");
                }
            }
        }
    }

    #[test]
    fn the_shorter_way_wins_and_long_boards_fit() {
        // The first player has the shorter way on a wide board, the second on a tall one.
        let start = |rows, columns| solve(&Hex::new(rows, columns)).unwrap().start().outcome();
        assert_eq!((start(2, 4), start(4, 2)), ("win", "loss"));
        for (rows, columns) in [(8, 8), (2, 26), (26, 2), (26, 1), (1, 26)] {
            let game = Hex::new(rows, columns);
            assert!(game.joined(game.full, game.sides[0]) && game.joined(game.full, game.sides[1]));
            assert!(!game.joined(game.full & !game.sides[1][1], game.sides[1]));
        }
    }

    #[test]
    fn the_picture_is_slanted() {
        let game = Hex::new(2, 3);
        let at = game.play(&game.start(), game.grid.at(2, 1));
        assert_eq!(game.show(&at), "  a b c\n 1 . . .\n  2 . . X");
    }
}
