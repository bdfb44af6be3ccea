//! Othello (Reversi with the crossed start) on boards of even sides up to 8×8.
//!
//! Rules: World Othello Federation. A disc must enclose a line of the other player's discs, and all
//! lines that it encloses are turned over. A player without such a move passes; a pass is a move,
//! and is allowed only then. The game ends when neither can place a disc; more discs win. Cells are
//! named as in Othello, a1 at the top left. A position is the two players' discs, cell =
//! row · columns + column, turned around after every move, and which colour is to move: after
//! passes the number of discs does not tell. Without the colour, 4×4 would have 58,533 positions.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Outcome, PositionEditor, Setup,
    game::picture::{Form, Picture, Shape, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, label},
    grid::{Cell, Grid, stone},
    notation::{BoardNotation, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "othello",
    about: "enclose lines of the other's discs to turn them over; more discs win",
    parameters: "ROWSxCOLUMNS, each 4, 6 or 8 (default 4x4)",
    example: "othello:4x4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let names = ["number of rows", "number of columns"];
    let (rows, columns) = params.size(names, (4, 4), [4..=8, 4..=8])?;
    if rows % 2 + columns % 2 > 0 {
        return Err(format!("{rows}x{columns}: both sides must be even"));
    }
    Ok(Setup::of(Othello::new(rows, columns)).drawn().editable().erased())
}

/// The rules for one size of board.
pub(crate) struct Othello {
    grid: Grid,
    all: u64,
    /// For each direction: its step as a rotation of the set, and the cells it can be taken from.
    steps: [(u32, u64); 8],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Discs {
    mine: u64,
    theirs: u64,
    dark_to_move: bool,
}

impl Discs {
    fn turned(self) -> Discs {
        Discs { mine: self.theirs, theirs: self.mine, dark_to_move: !self.dark_to_move }
    }
}

const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Othello {
    pub(crate) fn new(rows: u32, columns: u32) -> Othello {
        let grid = Grid { columns, rows };
        let steps = DIRECTIONS.map(|(right, down)| {
            let stays = |i: &u32| {
                let column = (i % columns).checked_add_signed(right);
                let row = (i / columns).checked_add_signed(down);
                column.is_some_and(|c| c < columns) && row.is_some_and(|r| r < rows)
            };
            let from = (0..rows * columns).filter(stays).fold(0, |set, i| set | 1 << i);
            ((down * columns as i32 + right).rem_euclid(64) as u32, from)
        });
        Othello { grid, all: grid.all(), steps }
    }

    /// The cells where the player to move may place a disc.
    fn places(&self, at: Discs) -> u64 {
        let free = self.all & !(at.mine | at.theirs);
        self.steps.iter().fold(0, |places, &(by, from)| {
            let step = |set: u64| (set & from).rotate_left(by);
            let mut line = step(at.mine) & at.theirs;
            let mut end = step(line);
            while end & at.theirs & !line != 0 {
                line |= end & at.theirs;
                end = step(line);
            }
            places | end & free
        })
    }

    /// The discs that a disc on `cell` turns over.
    fn turns(&self, at: Discs, cell: u64) -> u64 {
        self.steps.iter().fold(0, |turned, &(by, from)| {
            let step = |set: u64| (set & from).rotate_left(by);
            let (mut line, mut next) = (0, step(cell));
            while next & at.theirs != 0 {
                line |= next;
                next = step(next);
            }
            if next & at.mine != 0 { turned | line } else { turned }
        })
    }
}

impl Game for Othello {
    type Position = Discs;
    type Move = Turn;

    fn start(&self) -> Discs {
        let (column, row) = (self.grid.columns / 2, self.grid.rows / 2);
        let two =
            |above, below| self.grid.at(above, row - 1).bit() | self.grid.at(below, row).bit();
        let (mine, theirs) = (two(column, column - 1), two(column - 1, column));
        Discs { mine, theirs, dark_to_move: true }
    }

    fn moves(&self, at: &Discs) -> impl IntoIterator<Item = Turn> {
        let places = self.places(*at);
        self.grid.cells(places).map(Turn::Disc).chain((places == 0).then_some(Turn::Pass))
    }

    fn play(&self, at: &Discs, turn: Turn) -> Discs {
        let Turn::Disc(cell) = turn else { return at.turned() };
        let cell = cell.bit();
        let turned = self.turns(*at, cell);
        Discs { mine: at.mine | turned | cell, theirs: at.theirs & !turned, ..*at }.turned()
    }

    fn over(&self, at: &Discs) -> Option<Outcome> {
        if self.places(*at) | self.places(at.turned()) != 0 {
            return None;
        }
        Some(match at.mine.count_ones().cmp(&at.theirs.count_ones()) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Tie,
            std::cmp::Ordering::Greater => Outcome::Win,
        })
    }

    fn show(&self, at: &Discs) -> String {
        let board = self.grid.picture_down(0, |cell| stone(at.sides(), cell));
        format!("{board}\n{} to move", at.to_move())
    }

    fn notation(&self, at: &Discs) -> String {
        let board = rows(self.grid, Layout::Down, |cell| stone(at.sides(), cell));
        format!("{board}-{}", at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Discs, u32), String>> {
        Some(self.board_notation().read(word)?.and_then(|arrangement| {
            let [dark, light] = arrangement.stones();
            let start = self.start();
            let middle = self.grid.cells((start.mine | start.theirs) & !(dark | light)).next();
            if let Some(cell) = middle {
                return Err(format!("{cell} has a disc from the start on"));
            }
            let at = Discs { mine: dark, theirs: light, dark_to_move: true };
            let placed = (dark | light).count_ones() - 4;
            // With an even number of passes, or with an odd one.
            let depth = placed + (placed + arrangement.turn as u32) % 2;
            Ok((if arrangement.turn == 0 { at } else { at.turned() }, depth))
        }))
    }
}

impl Othello {
    fn board_notation(&self) -> BoardNotation {
        BoardNotation::stones(self.grid, Layout::Down).with_turn(['X', 'O'])
    }
}

impl PositionEditor for Othello {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Othello {
    /// Where nothing but to pass is left, that lies across the board.
    fn picture(&self, at: &Discs, _made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Down, |_| Tone::Board);
        drawing.stones(at.sides());
        if self.places(*at) == 0 && self.over(at).is_none() {
            let Grid { columns, rows } = self.grid;
            let [a, b] = [(0, 0), (columns - 1, rows - 1)]
                .map(|(column, row)| drawing.middle(self.grid.at(column, row)));
            let [x, y] = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
            let [left, right, top, bottom] = [x - 4.0, x + 4.0, y - 1.2, y + 1.2];
            let band = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
            drawing.push(Shape::new(Form::Area(band), Tone::Move).named(Turn::Pass.to_string()));
            drawing.push(label([x, y], Turn::Pass));
        }
        drawing.picture()
    }
}

impl Discs {
    fn to_move(self) -> char {
        if self.dark_to_move { 'X' } else { 'O' }
    }

    /// The dark discs, and the others.
    fn sides(&self) -> [u64; 2] {
        if self.dark_to_move { [self.mine, self.theirs] } else { [self.theirs, self.mine] }
    }
}

/// A disc on a cell, or `pass`.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    Disc(Cell),
    Pass,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Disc(cell) => cell.fmt(f),
            Turn::Pass => f.write_str("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of lines of play of a given length on the full board, as published.
    #[test]
    fn lines_of_play() {
        fn lines(game: &Othello, at: Discs, depth: u32) -> u64 {
            if depth == 0 || game.over(&at).is_some() {
                return 1;
            }
            game.moves(&at).into_iter().map(|m| lines(game, game.play(&at, m), depth - 1)).sum()
        }
        let game = Othello::new(8, 8);
        let counts = [1, 2, 3, 4, 5, 6, 7].map(|depth| lines(&game, game.start(), depth));
        assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55092]);
    }

    #[test]
    fn a_pass_only_where_nothing_else_can_be_played() {
        let game = Othello::new(4, 4);
        // X O . . with X to move plays; with O to move it must pass, as long as X can go on.
        let at = Discs { mine: 0b01, theirs: 0b10, dark_to_move: true };
        let names = |at: Discs| {
            game.moves(&at).into_iter().map(|turn| turn.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(at), ["c1"]);
        assert_eq!((names(at.turned()), game.over(&at.turned())), (vec!["pass".into()], None));
        let end = game.play(&at, Turn::Disc(game.grid.at(2, 0)));
        assert_eq!((end.mine, end.theirs, game.over(&end)), (0, 0b111, Some(Outcome::Loss)));
    }
}
