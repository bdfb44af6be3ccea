//! Games of placing stones in the dark: dark Hex and phantom tic-tac-toe.
//!
//! Rules: "Dark-Hex: An Imperfect Information Game" (thesis draft), with OpenSpiel's `dark_hex` and
//! `phantom_ttt` as peers. Both players see their own stones only. A stone tried on a cell that the
//! opponent has taken is rejected, a *collision*, and the player has found that cell out and tries
//! it no more. In the classic game the player then tries another cell; in the abrupt game the turn
//! is lost. Of a collision the opponent is told nothing; or, in the noisy game, that it happened;
//! or, in the flash game, where. The game ends as it does in the light, and no sooner.
//!
//! Nobody is ever without a cell to try: a player who has or has found out all cells looks at a
//! full board, and on a full board the game is over. And play ends: each try takes a cell from
//! those that the player may still try.
//!
//! A position keeps the stones, what both players have found out, and the turn, which the stones do
//! not tell in the abrupt game; the order in which all that happened is forgotten.

use std::fmt;

use crabwise::game::picture::{Form, Picture, Shape, Tone};
use crabwise_hidden::{
    ErasedHidden, Hidden, HiddenSetup, InfoAbstraction, Mirrored, Player, Sketched, Turn,
};

use crate::{
    Entry, Params,
    grid::{Cell, Grid, stone},
    hex::Hex,
    mnk::Mnk,
    stones::{Ending, Placement},
};

mod certain;
mod features;
mod prob_one;
#[cfg(test)]
mod tests;

/// What becomes of the turn when a stone is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Collision {
    /// The player tries again.
    Classic,
    /// The turn passes.
    Abrupt,
}

/// What the opponent is told when a stone is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    /// Nothing.
    Silent,
    /// That one was.
    Noisy,
    /// On which cell.
    Flash,
}

/// A placement game whose players do not see each other's stones.
pub(crate) struct Dark<P> {
    pub(crate) game: P,
    pub(crate) collision: Collision,
    pub(crate) signal: Signal,
    /// Whether the game ends when somebody has won, or only when the board is full.
    pub(crate) ends: bool,
}

pub(crate) const DARK_HEX: Entry<ErasedHidden> = Entry {
    name: "dark-hex",
    about: "Hex in which the players do not see each other's stones",
    parameters: "ROWSxCOLUMNS, each 1 to 26, at most 64 cells (default 3x3); classic (default): a stone on \
                 a taken cell is tried again elsewhere, or abrupt: the turn is lost; noisy: the opponent \
                 hears that, or flash: sees where",
    example: "dark-hex:2x3,abrupt",
    build: |params| {
        let game = parse_hex(params)?;
        let Dark { collision, signal, .. } = game;
        let out = Dark { game: game.game.clone(), collision, signal, ends: false };
        let out = HiddenSetup::of(out).abstracted().drawn().erased();
        Ok(HiddenSetup::of(game)
            .abstracted()
            .drawn()
            .mirrored()
            .described()
            .prob_one()
            .played_out(out)
            .erased())
    },
};

pub(crate) const PHANTOM: Entry<ErasedHidden> = Entry {
    name: "phantom-tictactoe",
    about: "tic-tac-toe in which the players do not see each other's marks",
    parameters: "classic (default) or abrupt; noisy or flash",
    example: "phantom-tictactoe:abrupt",
    build: |params| {
        let game = parse_tictactoe(params)?;
        let Dark { collision, signal, .. } = game;
        let out = Dark { game: game.game.clone(), collision, signal, ends: false };
        let out = HiddenSetup::of(out).abstracted().drawn().erased();
        Ok(HiddenSetup::of(game)
            .abstracted()
            .drawn()
            .mirrored()
            .described()
            .played_out(out)
            .erased())
    },
};

/// Dark Hex, from `ROWSxCOLUMNS`, `abrupt`, and `noisy` or `flash`.
pub(crate) fn parse_hex(params: &mut Params) -> Result<Dark<Hex>, String> {
    let (collision, signal) = parse_rules(params)?;
    let Grid { columns, rows } = Grid::rows_by_columns(params, (3, 3))?;
    Ok(Dark { game: Hex::new(rows, columns), collision, signal, ends: true })
}

/// Phantom tic-tac-toe, from `abrupt`, and `noisy` or `flash`.
pub(crate) fn parse_tictactoe(params: &mut Params) -> Result<Dark<Mnk>, String> {
    let (collision, signal) = parse_rules(params)?;
    Ok(Dark { game: Mnk::new(3, 3, 3), collision, signal, ends: true })
}

fn parse_rules(params: &mut Params) -> Result<(Collision, Signal), String> {
    let words: [&[&str]; 2] = [&["classic", "abrupt"], &["silent", "noisy", "flash"]];
    let [collision, signal] = params.choices(words)?;
    let collision = [Collision::Classic, Collision::Abrupt][collision];
    Ok((collision, [Signal::Silent, Signal::Noisy, Signal::Flash][signal]))
}

/// The referee's board. Where there are two, the first player's comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    pub(crate) stones: [u64; 2],
    /// The opponent's cells that each player has found out.
    pub(crate) known: [u64; 2],
    pub(crate) turn: Player,
    /// Where collisions are heard: whether each player knows, by what was last done or heard, that it is
    /// the own turn, so that nothing can be heard before one's next try.
    pub(crate) aware: [bool; 2],
}

impl Stones {
    fn collides(&self, mv: Cell) -> bool {
        self.stones[self.turn.other() as usize] & mv.bit() != 0
    }
}

/// What a player is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Observation {
    /// The cell that one has tried is the opponent's.
    Taken,
    /// The opponent has tried one of one's own cells.
    Noise,
    /// The opponent has tried this one.
    Flash(Cell),
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Observation::Taken => f.write_str("taken"),
            Observation::Noise => f.write_str("noise"),
            Observation::Flash(cell) => write!(f, "flash-{cell}"),
        }
    }
}

impl<P: Placement> Hidden for Dark<P> {
    type Position = Stones;
    type Move = Cell;
    type Observation = Observation;

    fn start(&self) -> Stones {
        let aware = [self.signal != Signal::Silent, false];
        Stones { stones: [0; 2], known: [0; 2], turn: Player::First, aware }
    }

    fn turn(&self, at: &Stones) -> Turn {
        if !self.ends {
            let full = (at.stones[0] | at.stones[1]) == self.game.grid().all();
            return if full { Turn::Over(0.0) } else { Turn::Of(at.turn) };
        }
        // Whoever wins has just placed a stone and so is not the one to move. After a collision the
        // question is asked once more of stones that have not won.
        match self.game.ending(at.stones, at.turn.other()) {
            None => Turn::Of(at.turn),
            Some(Ending::Won(winner)) => Turn::Over(winner.sign()),
            Some(Ending::Even) => Turn::Over(0.0),
        }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Cell> {
        let (mover, grid) = (at.turn as usize, self.game.grid());
        grid.cells(grid.all() & !(at.stones[mover] | at.known[mover]))
    }

    fn play(&self, at: &Stones, mv: Cell) -> Stones {
        let (mut to, mover, collides) = (*at, at.turn as usize, at.collides(mv));
        let cells = if collides { &mut to.known } else { &mut to.stones };
        cells[mover] |= mv.bit();
        if !collides || self.collision == Collision::Abrupt {
            to.turn = at.turn.other();
        }
        if self.signal != Signal::Silent {
            to.aware[mover] = to.turn == at.turn;
            if collides {
                to.aware[1 - mover] = to.turn != at.turn;
            }
        }
        to
    }

    /// That nothing is told of one's own stone says that it was placed.
    fn observe(&self, at: &Stones, mv: Cell, player: Player) -> Option<Observation> {
        match self.signal {
            _ if !at.collides(mv) => None,
            _ if player == at.turn => Some(Observation::Taken),
            Signal::Silent => None,
            Signal::Noisy => Some(Observation::Noise),
            Signal::Flash => Some(Observation::Flash(mv)),
        }
    }

    fn show(&self, at: &Stones) -> String {
        self.game.draw(|cell| stone(at.stones, cell))
    }

    /// One's own stones and those found out. What was heard is not drawn.
    fn seen(&self, at: &Stones, player: Player) -> String {
        let mut sides = [at.known[player as usize]; 2];
        sides[player as usize] = at.stones[player as usize];
        self.game.draw(|cell| stone(sides, cell))
    }
}

impl<P: Placement> Sketched for Dark<P> {
    /// As in letters; and stones of which the player knows that the opponent has found them out have a mark.
    fn picture(&self, at: &Stones, seen_by: Option<Player>) -> Picture {
        let mut drawing = self.game.drawing();
        let (mut sides, mut found) = (at.stones, at.known[0] | at.known[1]);
        if let Some(player) = seen_by {
            let (me, opponent) = (player as usize, player.other() as usize);
            sides[opponent] = at.known[me];
            found = if self.signal == Signal::Flash { at.known[opponent] } else { 0 };
        }
        drawing.stones(sides);
        for cell in self.game.grid().cells(found) {
            let [x, y] = drawing.middle(cell);
            let mark = Form::Disc { at: [x + 1.1, y - 1.1], radius: 0.4 };
            drawing.push(Shape::new(mark, Tone::Hint).titled(format!("found out: {cell}")));
        }
        drawing.picture()
    }
}

/// What matters of a view: which cells one has tried, how that went, what was heard, and whether more can
/// be heard before one's next try. The turn does not: in no variant is a player told that the opponent has
/// placed a stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Known {
    pub(crate) own: u64,
    /// The opponent's cells that one has found out.
    pub(crate) found: u64,
    /// Of the cells that the opponent has found out: nothing, their number, or the cells
    /// themselves.
    pub(crate) heard: u64,
    pub(crate) aware: bool,
}

impl<P: Placement> InfoAbstraction for Dark<P> {
    type InfoState = Known;

    fn info_state(&self, at: &Stones, player: Player) -> Known {
        let (me, opponent) = (player as usize, player.other() as usize);
        let heard = match self.signal {
            Signal::Silent => 0,
            Signal::Noisy => at.known[opponent].count_ones().into(),
            Signal::Flash => at.known[opponent],
        };
        Known { own: at.stones[me], found: at.known[me], heard, aware: at.aware[me] }
    }
}

/// Half a turn of the board, which leaves both players their sides.
impl<P: Placement> Mirrored for Dark<P> {
    fn mirror(&self, at: &Stones) -> Stones {
        let spare = self.game.grid().all().leading_zeros();
        let mirror = |set: u64| set.reverse_bits() >> spare;
        Stones { stones: at.stones.map(mirror), known: at.known.map(mirror), ..*at }
    }

    fn mirror_move(&self, mv: Cell) -> Cell {
        let grid = self.game.grid();
        grid.cell(grid.columns * grid.rows - 1 - u32::from(mv.number()))
    }

    fn mirror_observation(&self, word: Observation) -> Observation {
        match word {
            Observation::Flash(cell) => Observation::Flash(self.mirror_move(cell)),
            Observation::Taken | Observation::Noise => word,
        }
    }
}
