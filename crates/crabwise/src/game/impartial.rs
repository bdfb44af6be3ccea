//! Impartial games: both players have the same moves, and a player who cannot move loses.

use super::Game;

/// Promises that the legal moves do not depend on who is to move, that a player without moves
/// loses, and that play ends.
pub trait Impartial: Game {
    /// Independent games that this position is the sum of. The position itself as its only part
    /// is always right; more and smaller parts are faster.
    fn parts(&self, at: &Self::Position) -> Vec<Self::Position> {
        vec![at.clone()]
    }
}
