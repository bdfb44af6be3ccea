//! English draughts on small boards.
//!
//! Rules: World Checkers and Draughts Federation, "Rules of Draughts (Checkers)": men step diagonally forward, kings
//! diagonally in all four directions, to an empty square. A piece takes an opponent's piece next to it by jumping to
//! the empty square behind, men forwards only. Who can take must, with any piece and any way, and goes on with the
//! same piece as long as it can. A man that reaches the far row becomes a king, which ends the move. Who cannot move,
//! or has nothing left, has lost. There a position that comes back for the third time is a draw; here play that goes
//! on for ever is.
//!
//! Black moves first, from the lower rows. Both sides have as many men, on the squares that are nearest to them.
//! A position is the pieces of both sides, which of them are kings, and the turn. Dark squares are numbered row by
//! row from a1, which is dark.

mod numbering;

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Outcome, PositionEditor, Setup,
    game::picture::{Picture, Tone},
};

pub(crate) use self::numbering::Pieces;
use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    grid::{Cell, Grid, bits},
    notation::{Arrangement, BoardNotation, Spot},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "draughts",
    about: "English draughts on small boards: take or block all pieces",
    parameters: "ROWSxCOLUMNS, 3 to 8 each (default 4x4), and MEN a side, 1 to 6 (default those of one row)",
    example: "draughts:4x4,2",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let names = ["number of rows", "number of columns"];
    let (rows, columns) = params.size(names, (4, 4), [3..=8, 3..=8])?;
    if rows % 2 == 0 && columns % 2 == 1 {
        return Err(format!(
            "{rows}x{columns}: with an even number of rows the number of columns must be even, \
             for else the sides are not alike"
        ));
    }
    let game = Draughts::new(Grid { columns, rows }, 0);
    let men = params.number("number of men", columns.div_ceil(2), 1..=6)?;
    let room = (0..rows / 2).map(|row| game.row(row).count_ones()).sum::<u32>();
    if men > room {
        return Err(format!(
            "{men} men do not fit below the middle, where there are {room} squares"
        ));
    }
    let game = Draughts { men, ..game };
    let index = Pieces::new(&game);
    Ok(Setup::of(game).numbered(index).drawn().editable().erased())
}

/// The rules for one board and one number of men.
pub(crate) struct Draughts {
    grid: Grid,
    men: u32,
    cells: Vec<Cell>,
    /// For each square its neighbours: two upwards, then two downwards, the opposite of one three places from it.
    near: Vec<[Option<u8>; 4]>,
    /// For each square the one that the other player sees there.
    turned: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Checkerboard {
    /// The pieces of Black and of White.
    sides: [u32; 2],
    /// Which of them all are kings.
    kings: u32,
    turn: u8,
}

impl Draughts {
    pub(crate) fn new(grid: Grid, men: u32) -> Draughts {
        let all = (0..grid.rows * grid.columns).map(|number| grid.cell(number));
        let cells: Vec<Cell> = all.filter(|cell| (cell.column() + cell.row()) % 2 == 0).collect();
        let at = |column: u32, row: u32| {
            let place = cells.iter().position(|cell| (cell.column(), cell.row()) == (column, row));
            place.map(|place| place as u8)
        };
        let near = |cell: &Cell| {
            let (x, y) = (cell.column(), cell.row());
            let [left, down] = [x, y].map(|one| one.wrapping_sub(1));
            [at(left, y + 1), at(x + 1, y + 1), at(left, down), at(x + 1, down)]
        };
        // Where a half turn makes dark squares light, a mirror leaves them dark.
        let mirrored = (grid.rows + grid.columns) % 2 == 1;
        let turned = |cell: &Cell| {
            let x = if mirrored { cell.column() } else { grid.columns - 1 - cell.column() };
            at(x, grid.rows - 1 - cell.row()).expect("dark squares stay dark")
        };
        let (near, turned) = (cells.iter().map(near).collect(), cells.iter().map(turned).collect());
        Draughts { grid, men, near, turned, cells }
    }

    /// The squares of a row.
    fn row(&self, row: u32) -> u32 {
        let here = (0..).zip(&self.cells).filter(|(_, cell)| cell.row() == row);
        here.fold(0, |set, (square, _)| set | 1 << square)
    }

    fn all(&self) -> u32 {
        ((1_u64 << self.cells.len()) - 1) as u32
    }

    fn turn_set(&self, set: u32) -> u32 {
        bits(set.into()).fold(0, |turned, square| turned | 1 << self.turned[square as usize])
    }

    /// The same for the other player.
    fn turn_around(&self, at: &Checkerboard) -> Checkerboard {
        let [black, white] = at.sides.map(|side| self.turn_set(side));
        Checkerboard { sides: [white, black], kings: self.turn_set(at.kings), turn: 1 - at.turn }
    }

    /// The row where a side's men become kings.
    fn far_row(&self, side: u8) -> u32 {
        self.row(if side == 0 { self.grid.rows - 1 } else { 0 })
    }

    /// The directions in which a piece of the side to move goes.
    fn ways(at: &Checkerboard, square: u8) -> std::ops::Range<usize> {
        match (at.kings >> square & 1 == 1, at.turn) {
            (true, _) => 0..4,
            (false, 0) => 0..2,
            (false, _) => 2..4,
        }
    }

    /// The jumps of one piece: over which square, to which.
    fn jumps(&self, at: &Checkerboard, from: u8) -> impl Iterator<Item = (u8, u8)> {
        let (theirs, taken) = (at.sides[1 - at.turn as usize], at.sides[0] | at.sides[1]);
        Draughts::ways(at, from).filter_map(move |way| {
            let over = self.near[usize::from(from)][way]?;
            let to = self.near[usize::from(over)][way]?;
            (theirs >> over & 1 == 1 && taken >> to & 1 == 0).then_some((over, to))
        })
    }

    fn steps(&self, at: &Checkerboard, from: u8) -> impl Iterator<Item = u8> {
        let empty = !(at.sides[0] | at.sides[1]);
        let near = self.near[usize::from(from)];
        Draughts::ways(at, from)
            .filter_map(move |way| near[way])
            .filter(move |to| empty >> to & 1 == 1)
    }

    /// Moves a piece of the side to move, and takes another away; the turn stays.
    fn moved(&self, at: &Checkerboard, from: u8, to: u8, over: Option<u8>) -> Checkerboard {
        let (mut next, side) = (*at, usize::from(at.turn));
        let king = at.kings >> from & 1 == 1 || self.far_row(at.turn) >> to & 1 == 1;
        next.sides[side] = next.sides[side] & !(1 << from) | 1 << to;
        next.kings = next.kings & !(1 << from) | u32::from(king) << to;
        let gone = over.map_or(0, |over| 1 << over);
        next.sides[1 - side] &= !gone;
        next.kings &= !gone;
        next
    }

    /// Adds all ways to go on from the end of a path of jumps, or the path where there is none.
    fn go_on(&self, at: &Checkerboard, path: &mut Vec<u8>, found: &mut Vec<DraughtsMove>) {
        let from = path[path.len() - 1];
        let mut ended = true;
        for (over, to) in self.jumps(at, from) {
            ended = false;
            let next = self.moved(at, from, to, Some(over));
            path.push(to);
            // A man who becomes a king stops.
            if next.kings >> to & 1 == at.kings >> from & 1 {
                self.go_on(&next, path, found);
            } else {
                found.push(self.by(path, true));
            }
            path.pop();
        }
        if ended && path.len() > 1 {
            found.push(self.by(path, true));
        }
    }

    fn by(&self, path: &[u8], takes: bool) -> DraughtsMove {
        let cells = path.iter().map(|&square| self.cells[usize::from(square)]).collect();
        DraughtsMove { path: path.to_vec(), cells, takes }
    }

    fn mine(at: &Checkerboard) -> impl Iterator<Item = u8> {
        bits(at.sides[usize::from(at.turn)].into()).map(|square| square as u8)
    }
}

impl Game for Draughts {
    type Position = Checkerboard;
    type Move = DraughtsMove;

    fn start(&self) -> Checkerboard {
        let black = (1 << self.men) - 1;
        Checkerboard { sides: [black, self.turn_set(black)], kings: 0, turn: 0 }
    }

    fn moves(&self, at: &Checkerboard) -> impl IntoIterator<Item = DraughtsMove> {
        let mut found = vec![];
        Draughts::mine(at).for_each(|from| self.go_on(at, &mut vec![from], &mut found));
        if found.is_empty() {
            let steps = |from| self.steps(at, from).map(move |to| self.by(&[from, to], false));
            found.extend(Draughts::mine(at).flat_map(steps));
        }
        found
    }

    fn play(&self, at: &Checkerboard, mv: DraughtsMove) -> Checkerboard {
        let mut next = *at;
        for pair in mv.path.windows(2) {
            let over = mv.takes.then(|| {
                let near = self.near[usize::from(pair[0])];
                let between = |over: &u8| self.near[usize::from(*over)].contains(&Some(pair[1]));
                // Squares with two neighbours in common are in one row, and no jump leads from one to the other.
                near.into_iter().flatten().find(between).expect("a jump goes over a square")
            });
            next = self.moved(&next, pair[0], pair[1], over);
        }
        Checkerboard { turn: 1 - at.turn, ..next }
    }

    fn over(&self, at: &Checkerboard) -> Option<Outcome> {
        let can_move =
            |from| self.steps(at, from).next().is_some() || self.jumps(at, from).next().is_some();
        (!Draughts::mine(at).any(can_move)).then_some(Outcome::Loss)
    }

    fn decisions(&self, mv: &DraughtsMove) -> Vec<String> {
        let sign = if mv.takes { 'x' } else { '-' };
        mv.cells.windows(2).map(|pair| format!("{}{sign}{}", pair[0], pair[1])).collect()
    }

    fn show(&self, at: &Checkerboard) -> String {
        let mark = |cell: Cell| match self.cells.iter().position(|dark| *dark == cell) {
            Some(square) => at.mark(square as u32),
            None => ' ',
        };
        let turn = if at.turn == 0 { "Black" } else { "White" };
        format!("{}\n{turn} to move", self.grid.picture(mark))
    }

    /// The dark squares of each row, parted by slashes, and whose turn it is.
    fn notation(&self, at: &Checkerboard) -> String {
        let row = |row| bits(self.row(row).into()).map(|square| at.mark(square)).collect();
        let rows: Vec<String> = (0..self.grid.rows).rev().map(row).collect();
        format!("{}-{}", rows.join("/"), if at.turn == 0 { 'b' } else { 'w' })
    }

    fn read(&self, word: &str) -> Option<Result<(Checkerboard, u32), String>> {
        let arrangement = self.board_notation().read(word)?;
        Some(arrangement.and_then(|arrangement| self.position_of(&arrangement)))
    }
}

impl Checkerboard {
    fn mark(&self, square: u32) -> char {
        let king = self.kings >> square & 1 == 1;
        match self.sides.map(|side| side >> square & 1 == 1) {
            [true, _] => {
                if king {
                    'B'
                } else {
                    'b'
                }
            }
            [_, true] => {
                if king {
                    'W'
                } else {
                    'w'
                }
            }
            _ => '.',
        }
    }
}

impl Draughts {
    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] = &[
            ('.', "free"),
            ('b', "black man"),
            ('B', "black king"),
            ('w', "white man"),
            ('W', "white king"),
        ];
        let row = |row: u32| {
            let letters = match row {
                0 => ".bBW",
                row if row + 1 == self.grid.rows => ".BwW",
                _ => ".bBwW",
            };
            let name = |square: u32| self.cells[square as usize].to_string();
            let spot = |number| Spot { number, name: name(number), letters };
            bits(self.row(row).into()).map(spot).collect()
        };
        let rows = (0..self.grid.rows).rev().map(row).collect();
        BoardNotation::new(rows, LETTERS).with_turn(['b', 'w'])
    }

    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Checkerboard, u32), String> {
        let set = |letter| arrangement.set(letter) as u32;
        let (sides, turn) = ([set('b') | set('B'), set('w') | set('W')], arrangement.turn);
        let most = sides.map(u32::count_ones).into_iter().max().unwrap_or(0);
        if most > self.men {
            return Err(format!("there are {most} pieces of a side, which has {}", self.men));
        }
        if sides[1 - turn] == 0 {
            let mover = ["Black", "White"][turn];
            return Err(format!("{mover} is to move, but had won before"));
        }
        let kings = set('B') | set('W');
        Ok((Checkerboard { sides, kings, turn: turn as u8 }, turn as u32))
    }
}

impl PositionEditor for Draughts {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Draughts {
    fn picture(&self, at: &Checkerboard, made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Up, |cell| {
            if self.cells.contains(&cell) { Tone::Shade } else { Tone::Board }
        });
        for (side, tone) in at.sides.into_iter().zip([Tone::First, Tone::Second]) {
            for square in bits(side.into()) {
                let text = if at.kings >> square & 1 == 1 { "K" } else { "" };
                drawing.piece(self.cells[square as usize], tone, text);
            }
        }
        let open = self.over(at).is_none();
        let mut drawn = vec![];
        for mv in self.moves(at).into_iter().filter(|_| open) {
            let decisions = self.decisions(&mv);
            let next = decisions.get(made.len()).filter(|_| decisions.starts_with(made));
            let Some(next) = next.filter(|next| !drawn.contains(*next)) else { continue };
            let [from, to] = [mv.cells[made.len()], mv.cells[made.len() + 1]];
            drawing.way(from, to, next.clone());
            drawn.push(next.clone());
        }
        drawing.picture()
    }
}

/// A step, as a1-b2, or jumps, as a1xc3xe5.
#[derive(Clone)]
pub(crate) struct DraughtsMove {
    path: Vec<u8>,
    cells: Vec<Cell>,
    takes: bool,
}

impl fmt::Display for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.takes { "x" } else { "-" };
        let cells: Vec<String> = self.cells.iter().map(Cell::to_string).collect();
        f.write_str(&cells.join(sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(game: &Draughts, word: &str) -> Vec<String> {
        let (at, _) = game.read(word).unwrap().unwrap();
        game.moves(&at).into_iter().map(|mv| mv.to_string()).collect()
    }

    fn after(game: &Draughts, word: &str, name: &str) -> String {
        let (at, _) = game.read(word).unwrap().unwrap();
        let mv = game.moves(&at).into_iter().find(|mv| mv.to_string() == name).unwrap();
        game.notation(&game.play(&at, mv))
    }

    fn board(rows: u32, columns: u32, men: u32) -> Draughts {
        Draughts::new(Grid { columns, rows }, men)
    }

    #[test]
    fn who_can_take_must_and_goes_on_any_way() {
        let game = board(6, 6, 4);
        assert_eq!(names(&game, ".../.../.../.../w../b.b-b"), ["a1xc3"]);
        assert_eq!(names(&game, ".../.../.w./.../w../b.b-b"), ["a1xc3xe5"]);
        assert_eq!(
            after(&game, ".../.../.w./.../w../b.b-b", "a1xc3xe5"),
            ".../..b/.../.../.../..b-w"
        );
    }

    #[test]
    fn a_man_stops_where_he_becomes_a_king_and_a_king_turns_back() {
        let game = board(5, 5, 3);
        assert_eq!(names(&game, ".../ww/.b./../...-b"), ["c3xa5", "c3xe5"]);
        assert_eq!(names(&game, ".../ww/b../../...-b"), ["a3xc5"]);
        assert_eq!(names(&game, ".../ww/B../../...-b"), ["a3xc5xe3"]);
        assert_eq!(after(&game, ".../ww/b../../...-b", "a3xc5"), ".B./.w/.../../...-w");
        assert_eq!(after(&game, ".../ww/B../../...-b", "a3xc5xe3"), ".../../..B/../...-w");
    }

    #[test]
    fn who_is_blocked_or_has_nothing_left_has_lost() {
        let game = board(4, 4, 2);
        for word in ["../.w/w./b.-b", "w./../../..-b", "../../../B.-w"] {
            let (at, _) = game.read(word).unwrap().unwrap();
            assert_eq!(game.over(&at), Some(Outcome::Loss), "{word}");
        }
    }

    #[test]
    fn the_other_player_sees_the_same() {
        for (rows, columns) in [(4, 4), (5, 5), (3, 4), (6, 4), (5, 3)] {
            let game = board(rows, columns, 2);
            let start = game.start();
            assert_eq!(game.turn_around(&start).sides, start.sides);
            let count = |at: &Checkerboard| game.moves(at).into_iter().count();
            assert_eq!(count(&start), count(&game.turn_around(&start)));
        }
    }
}
