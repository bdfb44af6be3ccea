//! Boxers and Cruzados: one boxer each; meet the other corner to corner and strike first.
//!
//! Rules: "Deterministic Solution Algorithm" (Crab Analysis), the worked examples Boxers, on 3×3,
//! and Cruzados, on 2×2. A turn moves one's boxer a step straight or diagonally to an empty square,
//! or knocks out a diagonally adjacent opponent: the boxer goes onto that square, and the other is
//! gone for good. A player without a move has lost, whether the boxer is knocked out or cannot step.
//! A begins, in a1, with B in the opposite corner, or if `adjacent` on the square next to A's; with
//! `straight` there are no diagonal steps, only diagonal knock-outs. For Cruzados the source has no
//! more than "2×2", the directions and the diagonal knock-out; the rest is taken from Boxers.
//!
//! A position is the two squares and the turn, square = columns · row + column from the lower left.
//! A boxer that was knocked out keeps its square, which is then the other's too. It is always the
//! one to move, for the game ends there. So on n squares there are 2n² positions, no more and no
//! less: two of n squares and two turns.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Picture, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, SIDES},
    grid::{Cell, Grid},
    notation::{Arrangement, BoardNotation, rows},
};

pub(crate) const BOXERS: Entry = Entry {
    name: "boxers",
    about: "one boxer each, a step a turn; knock the other out diagonally",
    parameters: "ROWSxCOLUMNS, each 1 to 26, not 1x1 (default 3x3); \
                 adjacent: begin side by side; straight: no diagonal steps",
    example: "boxers:3x3",
    build: |params| build(params, (3, 3)),
};

pub(crate) const CRUZADOS: Entry = Entry {
    name: "cruzados",
    about: "boxers, on a board of 2x2 unless told otherwise",
    parameters: "ROWSxCOLUMNS, each 1 to 26, not 1x1 (default 2x2); \
                 adjacent: begin side by side; straight: no diagonal steps",
    example: "cruzados:2x2",
    build: |params| build(params, (2, 2)),
};

fn build(params: &mut Params, default: (u32, u32)) -> Result<ErasedGame, String> {
    let [adjacent, straight] = ["adjacent", "straight"].map(|name| params.flag(name));
    let grid = Grid::of_any_size(params, default, 2)?;
    let game = Boxers { grid, adjacent, straight };
    Ok(Setup::of(game).numbered(Squares::new(grid)).reversible().drawn().editable().erased())
}

/// The rules for one board and one start.
pub(crate) struct Boxers {
    pub grid: Grid,
    /// B starts next to A.
    pub adjacent: bool,
    /// There are no diagonal steps.
    pub straight: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ring {
    /// Where A and B are; on one square, if the player to move was knocked out there.
    squares: [u16; 2],
    turn: u8,
}

impl Ring {
    /// The square of the player to move, and the other's.
    fn mine_and_theirs(self) -> (u16, u16) {
        let turn = usize::from(self.turn);
        (self.squares[turn], self.squares[1 - turn])
    }

    fn knocked_out(self) -> bool {
        self.squares[0] == self.squares[1]
    }

    /// This ring with the boxer of the player to move elsewhere.
    fn with_mine_on(mut self, square: u16) -> Ring {
        self.squares[usize::from(self.turn)] = square;
        self
    }

    fn turned(self) -> Ring {
        Ring { turn: 1 - self.turn, ..self }
    }

    fn to_move(self) -> char {
        ['A', 'B'][usize::from(self.turn)]
    }
}

impl Boxers {
    /// The up to eight squares around one, and whether each is diagonal to it.
    fn around(&self, square: u16) -> impl Iterator<Item = (u16, bool)> {
        const NEAR: [i32; 3] = [-1, 0, 1];
        let (grid, at) = (self.grid, self.grid.cell(square.into()));
        let ways = NEAR.into_iter().flat_map(|y| NEAR.map(|x| (x, y)));
        ways.filter(|way| *way != (0, 0)).filter_map(move |(x, y)| {
            let column = at.column().checked_add_signed(x).filter(|x| *x < grid.columns)?;
            let row = at.row().checked_add_signed(y).filter(|y| *y < grid.rows)?;
            Some(((row * grid.columns + column) as u16, x != 0 && y != 0))
        })
    }

    /// Whether a boxer may go to a neighbouring square, knocking the other out or not.
    fn may(&self, diagonal: bool, knock_out: bool) -> bool {
        if knock_out { diagonal } else { !(diagonal && self.straight) }
    }
}

impl Game for Boxers {
    type Position = Ring;
    type Move = Punch;

    fn start(&self) -> Ring {
        let Grid { columns, rows } = self.grid;
        let next = if columns > 1 { 1 } else { columns };
        let b = if self.adjacent { next } else { columns * rows - 1 };
        Ring { squares: [0, b as u16], turn: 0 }
    }

    fn moves(&self, at: &Ring) -> impl IntoIterator<Item = Punch> {
        let (mine, theirs) = at.mine_and_theirs();
        let fit = !at.knocked_out();
        let ways = self.around(mine).filter(move |_| fit);
        ways.filter(move |&(to, diagonal)| self.may(diagonal, to == theirs)).map(move |(to, _)| {
            let [from, cell] = [mine, to].map(|square| self.grid.cell(square.into()));
            Punch { from, to: cell, knock_out: to == theirs }
        })
    }

    fn play(&self, at: &Ring, punch: Punch) -> Ring {
        at.with_mine_on(punch.to.number()).turned()
    }

    fn show(&self, at: &Ring) -> String {
        let board = self.grid.picture(|cell| self.mark(at, cell));
        format!("{board}\n{} to move", at.to_move())
    }

    /// The rows from the top, parted by slashes, and whose turn it is: `..B/.../A..-A`. A boxer that was
    /// knocked out is on no square: `.../.A./...-B`.
    fn notation(&self, at: &Ring) -> String {
        let board = rows(self.grid, Layout::Up, |cell| self.mark(at, cell));
        format!("{board}-{}", at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Ring, u32), String>> {
        Some(
            self.board_notation()
                .read(word)?
                .and_then(|arrangement| self.position_of(&arrangement)),
        )
    }
}

impl Boxers {
    fn mark(&self, at: &Ring, cell: Cell) -> char {
        let (mine, theirs) = at.mine_and_theirs();
        match cell.number() {
            square if square == theirs => at.turned().to_move(),
            square if square == mine => at.to_move(),
            _ => '.',
        }
    }

    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] =
            &[('.', "free"), ('A', "first boxer"), ('B', "second boxer")];
        BoardNotation::of(self.grid, Layout::Up, LETTERS, |_| ".AB").with_turn(['A', 'B'])
    }

    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Ring, u32), String> {
        let (me, other) = (['A', 'B'][arrangement.turn], ['B', 'A'][arrangement.turn]);
        let theirs = arrangement.one(other)?;
        // A player to move who was knocked out keeps the square, which is the other's.
        let out = arrangement.all(me).is_empty();
        let mine = if out { theirs } else { arrangement.one(me)? };
        let mut squares = [mine as u16, theirs as u16];
        squares.rotate_left(arrangement.turn);
        Ok((Ring { squares, turn: arrangement.turn as u8 }, arrangement.turn as u32))
    }
}

impl PositionEditor for Boxers {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Boxers {
    /// A boxer that was knocked out is not to be seen.
    fn picture(&self, at: &Ring, _made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Up, |_| Tone::Board);
        let out = at.knocked_out().then_some(usize::from(at.turn));
        for side in [0, 1].into_iter().filter(|side| out != Some(*side)) {
            let cell = self.grid.cell(at.squares[side].into());
            drawing.piece(cell, SIDES[side].0, ["A", "B"][side]);
        }
        for punch in self.moves(at) {
            drawing.way(punch.from, punch.to, punch.to_string());
        }
        drawing.picture()
    }
}

impl Unplay for Boxers {
    /// Every way can be gone both ways, and a boxer came from an empty square.
    fn unplay(&self, at: &Ring) -> impl IntoIterator<Item = Ring> {
        let before = at.turned();
        let (mine, theirs) = before.mine_and_theirs();
        self.around(mine)
            .filter(move |&(from, way)| from != theirs && self.may(way, before.knocked_out()))
            .map(move |(from, _)| before.with_mine_on(from))
    }
}

/// A boxer's way, as a1-b1 for a step and a1xb2 for a knock-out.
#[derive(Clone, Copy)]
pub(crate) struct Punch {
    from: Cell,
    to: Cell,
    knock_out: bool,
}

impl fmt::Display for Punch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.knock_out { 'x' } else { '-' }, self.to)
    }
}

/// One loopy tier without holes: the square of A, the square of B, the turn.
pub(crate) struct Squares {
    count: u64,
}

impl Squares {
    pub(crate) fn new(grid: Grid) -> Squares {
        Squares { count: u64::from(grid.columns * grid.rows) }
    }
}

impl Index<Ring> for Squares {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        2 * self.count * self.count
    }

    fn slot(&self, at: &Ring) -> Slot {
        let [a, b] = at.squares.map(u64::from);
        Slot { tier: 0, index: 2 * (a * self.count + b) + u64::from(at.turn) }
    }

    fn position(&self, Slot { index, .. }: Slot) -> Option<Ring> {
        let pair = index / 2;
        let squares = [pair / self.count, pair % self.count].map(|square| square as u16);
        Some(Ring { squares, turn: (index % 2) as u8 })
    }

    fn name(&self) -> String {
        "boxers-squares-1".into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crabwise::solve_with;

    use super::*;

    fn boxers(rows: u32, columns: u32, adjacent: bool, straight: bool) -> Boxers {
        Boxers { grid: Grid { columns, rows }, adjacent, straight }
    }

    /// All positions of the numbering.
    fn all(game: &Boxers) -> impl Iterator<Item = Ring> {
        let index = Squares::new(game.grid);
        (0..index.len(0)).map(move |i| index.position(Slot { tier: 0, index: i }).unwrap())
    }

    fn names(game: &Boxers, at: &Ring) -> Vec<String> {
        game.moves(at).into_iter().map(|punch| punch.to_string()).collect()
    }

    #[test]
    fn a_knock_out_is_diagonal_and_ends_the_game() {
        let game = boxers(3, 3, false, false);
        assert_eq!(game.notation(&game.start()), "..B/.../A..-A");
        let near = Ring { squares: [0, 4], turn: 0 };
        assert_eq!(names(&game, &near), ["a1-b1", "a1-a2", "a1xb2"]);
        let beside = Ring { squares: [0, 1], turn: 0 };
        assert_eq!(names(&game, &beside), ["a1-a2", "a1-b2"]);
        let punch = game.moves(&near).into_iter().find(|punch| punch.knock_out).unwrap();
        let end = game.play(&near, punch);
        assert_eq!(game.notation(&end), ".../.A./...-B");
        assert_eq!(game.show(&end), " 3 . . .\n 2 . A .\n 1 . . .\n   a b c\nB to move");
        assert_eq!(names(&game, &end), [""; 0]);
        assert_eq!(game.notation(&Ring { turn: 0, ..end }), ".../.B./...-A");
    }

    #[test]
    fn straight_boxers_knock_out_diagonally() {
        let game = boxers(3, 3, true, true);
        assert_eq!(names(&game, &game.start()), ["a1-a2"]);
        let near = Ring { squares: [0, 4], turn: 0 };
        assert_eq!(names(&game, &near), ["a1-b1", "a1-a2", "a1xb2"]);
    }

    #[test]
    fn adjacent_is_along_the_row_where_there_are_two_columns() {
        let starts = [(3, 2), (1, 5), (5, 1), (1, 2), (2, 1)];
        let start = |(rows, columns)| {
            let game = boxers(rows, columns, true, false);
            game.notation(&game.start())
        };
        let known = ["../../AB-A", "AB...-A", "./././B/A-A", "AB-A", "B/A-A"];
        assert_eq!(starts.map(start), known);
    }

    #[test]
    fn all_positions_of_the_numbering_are_counted_by_value() {
        for (game, positions, known) in [
            (boxers(3, 3, false, false), 162, "draw 112, loss in 0 18, win in 1 32"),
            (boxers(2, 2, false, false), 32, "draw 16, loss in 0 8, win in 1 8"),
            (boxers(2, 2, false, true), 32, "loss in 0 8, loss in 2 16, win in 1 8"),
        ] {
            let solution = solve_with(&game, Squares::new(game.grid)).unwrap();
            let mut count: BTreeMap<String, u32> = BTreeMap::new();
            for at in all(&game) {
                *count.entry(solution.value(&at).unwrap().to_string()).or_default() += 1;
            }
            assert_eq!(count.values().sum::<u32>(), positions);
            let count: Vec<_> = count.iter().map(|(value, n)| format!("{value} {n}")).collect();
            assert_eq!(count.join(", "), known);
        }
    }
}
