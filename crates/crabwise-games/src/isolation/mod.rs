//! Isolation: step to a neighbouring square, then remove one; who cannot step has lost.
//!
//! Rules: "Solver and GUI for Isolation" and its public code. A turn is a step, like a king's, to a
//! square that is there and free, and then the removal of any square that neither stands on; the
//! square just left may be removed at once. The first player begins in the middle of the top row, the
//! second in the middle of the bottom row; where a row has two middles, the first stands on the left
//! one and the second on the right one. A distance counts whole turns.
//!
//! A position is the squares that are there and where the two stand, turned around after every turn.
//! Squares are written with row 1 on top; a turn is `c1-b3`: step to c1, remove b3.

mod geometry;
mod kernel;
mod numbering;
mod picture;
mod published;
mod reachability;

use std::{fmt, sync::Arc};

use crabwise::{
    EditorBoard, ErasedGame, Game, PositionEditor, Setup, index::folded::MAX_FOLDED_CELLS,
};

use self::{
    geometry::{Geometry, MOST},
    kernel::Sweeper,
    numbering::Numbering,
    reachability::Reachability,
};
use crate::{
    Entry, Params,
    board_drawing::Layout,
    grid::{Cell, Grid},
    notation::{BoardNotation, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "isolation",
    about: "step to a neighbouring square, then remove a square; who cannot step has lost",
    parameters: "ROWSxCOLUMNS, 2 to 64 squares (default 4x4), up to 40 with a numbering; first=b1, second=c4: where the players \
                 start; removed=a1-d4: squares missing from the start; unfolded: for comparison, \
                 mirror images apart",
    example: "isolation:3x4",
    build,
};

const UNTABLED: &str = "boards of more than 40 squares have no table: their positions are too many; play, draw and \
                        advise do without";

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let unfolded = params.flag("unfolded");
    let game = Isolation::told(params)?;
    if game.squares() > MAX_FOLDED_CELLS.into() {
        if unfolded {
            let most = MAX_FOLDED_CELLS;
            return Err(format!("'unfolded' is for boards with a numbering, up to {most} squares"));
        }
        let coded = game.squares() <= published::MOST_CODED;
        let many = game.start.live.count_ones() > MAX_FOLDED_CELLS;
        let setup = Setup::of(game).drawn().editable();
        let setup = if many { setup.untabled(UNTABLED) } else { setup };
        return Ok(if coded { setup.published().erased() } else { setup.erased() });
    }
    let geometry = Arc::new(Geometry::new(&game, !unfolded));
    let setup = Setup::of(game).numbered(Numbering::new(geometry.clone()));
    let setup = match Sweeper::new(geometry.clone()) {
        Some(kernel) => setup.kernel(kernel),
        None => setup,
    };
    Ok(setup.spreading(Reachability::new(geometry)).published().drawn().editable().erased())
}

/// The rules for one board and one start.
#[derive(Clone)]
pub(crate) struct Isolation {
    grid: Grid,
    start: Duel,
    /// The squares next to each square.
    next_to: [u64; MOST],
}

/// The squares that are there, and where the player to move and the other stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Duel {
    pub live: u64,
    pub mine: u8,
    pub theirs: u8,
}

/// A step and the removal of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    to: Cell,
    remove: Cell,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.to, self.remove)
    }
}

impl Isolation {
    pub(crate) fn new(grid: Grid, start: Duel) -> Isolation {
        let near = |cell: Cell, other: Cell| {
            let [x, y] = [cell.column().abs_diff(other.column()), cell.row().abs_diff(other.row())];
            x.max(y) == 1
        };
        let next_to = |number| {
            let others = grid.cells(grid.all()).filter(|&other| near(grid.cell(number), other));
            others.fold(0, |set, other| set | other.bit())
        };
        let mut all = [0; MOST];
        (0..grid.columns * grid.rows).for_each(|cell| all[cell as usize] = next_to(cell));
        Isolation { grid, start, next_to: all }
    }

    /// The game that the parameters of a game string tell.
    fn told(params: &mut Params) -> Result<Isolation, String> {
        let grid = Grid::of_cells(params, (4, 4), 2..=MOST as u32)?;
        let Grid { columns, rows } = grid;
        let [upper, lower] = [grid.at((columns - 1) / 2, 0), grid.at(columns / 2, rows - 1)];
        let first = grid.named_cell(params, "first", upper)?;
        let second = grid.named_cell(params, "second", lower)?;
        let removed = grid.named_cells(params, "removed")?;
        if first == second {
            return Err(format!("both players start on {first}; say first= or second="));
        }
        if let Some(player) = [first, second].iter().find(|cell| cell.bit() & removed != 0) {
            return Err(format!("'removed': a player starts on {player}"));
        }
        let live = grid.all() & !removed;
        let [mine, theirs] = [first, second].map(|cell| cell.number() as u8);
        Ok(Isolation::new(grid, Duel { live, mine, theirs }))
    }

    /// The squares that the player to move may step to.
    #[inline]
    fn steps(&self, at: &Duel) -> u64 {
        self.next_to[usize::from(at.mine)] & at.live & !(1 << at.theirs)
    }

    fn squares(&self) -> u64 {
        u64::from(self.grid.columns * self.grid.rows)
    }

    /// Whether the player to move is the one who began.
    fn first_to_move(&self, at: &Duel) -> bool {
        (self.start.live.count_ones() - at.live.count_ones()).is_multiple_of(2)
    }
}

impl Game for Isolation {
    type Position = Duel;
    type Move = Turn;

    fn start(&self) -> Duel {
        self.start
    }

    fn moves(&self, at: &Duel) -> impl IntoIterator<Item = Turn> {
        let Duel { live, theirs, .. } = *at;
        self.grid.cells(self.steps(at)).flat_map(move |to| {
            let free = live & !(1 << theirs) & !to.bit();
            self.grid.cells(free).map(move |remove| Turn { to, remove })
        })
    }

    fn play(&self, at: &Duel, Turn { to, remove }: Turn) -> Duel {
        let live = at.live & !remove.bit();
        Duel { live, mine: at.theirs, theirs: to.number() as u8 }
    }

    fn decisions(&self, turn: &Turn) -> Vec<String> {
        vec![turn.to.to_string(), turn.remove.to_string()]
    }

    fn show(&self, at: &Duel) -> String {
        self.grid.picture_down(0, |cell| self.mark(at, cell))
    }

    /// The rows, parted by slashes. How many squares are gone tells whose turn it is. The number that the original
    /// gives a position is read as well.
    fn notation(&self, at: &Duel) -> String {
        rows(self.grid, Layout::Down, |cell| self.mark(at, cell))
    }

    fn read(&self, word: &str) -> Option<Result<(Duel, u32), String>> {
        if word.bytes().all(|byte| byte.is_ascii_digit()) && self.squares() <= published::MOST_CODED
        {
            return Some(self.read_code(word));
        }
        Some(self.board_notation().read(word)?.and_then(|arrangement| {
            let [x, o] = [arrangement.one('X')?, arrangement.one('O')?];
            let live = self.grid.all() & !arrangement.set('#');
            let removed = self.start.live.count_ones() - live.count_ones();
            let [mine, theirs] = if removed.is_multiple_of(2) { [x, o] } else { [o, x] };
            Ok((Duel { live, mine: mine as u8, theirs: theirs as u8 }, removed))
        }))
    }
}

impl Isolation {
    fn mark(&self, at: &Duel, cell: Cell) -> char {
        let (mover, other) = if self.first_to_move(at) { ('X', 'O') } else { ('O', 'X') };
        match cell.number() as u8 {
            number if number == at.mine => mover,
            number if number == at.theirs => other,
            number if at.live >> number & 1 == 1 => '.',
            _ => '#',
        }
    }

    /// Squares that are missing from the start do not come back.
    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] =
            &[('.', "free"), ('#', "removed"), ('X', "first player"), ('O', "second player")];
        BoardNotation::of(self.grid, Layout::Down, LETTERS, |cell| {
            if self.start.live >> cell.number() & 1 == 1 { ".#XO" } else { "#" }
        })
    }
}

impl PositionEditor for Isolation {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}
