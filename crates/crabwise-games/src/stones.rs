//! Games of placing stones, as far as they can also be played in the dark.

use crabwise_hidden::Player;

use crate::{
    board_drawing::BoardDrawing,
    grid::{Cell, Grid},
};

/// How a game of placing stones has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Won(Player),
    Even,
}

/// A game in which players put stones on free cells in turn. A full board must be an ending, and
/// half a turn of the board must change nothing for either player.
pub(crate) trait Placement: Send + Sync {
    /// The board, of at most 64 cells.
    fn grid(&self) -> Grid;

    /// How the game has ended, if it has, where `last` was the last to place a stone and it had not
    /// ended before.
    fn ending(&self, stones: [u64; 2], last: Player) -> Option<Ending>;

    /// How few of the free cells player 0 or 1 needs to join with these stones, in games of joining sides; `None` for one
    /// who cannot, and in other games.
    fn needs(&self, _player: usize, _stones: u64, _free: u64) -> Option<u32> {
        None
    }

    /// The board with a mark on each cell.
    fn draw(&self, mark: impl Fn(Cell) -> char) -> String;

    /// The board without stones, as shapes.
    fn drawing(&self) -> BoardDrawing;
}
