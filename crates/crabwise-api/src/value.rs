//! What positions are worth, how many there are of which outcome, and what the players are called.

use crabwise::table::Counts;
use serde::Serialize;

/// What a position is worth to the side to move and, on a move, to the player who makes it:
/// `{"outcome": "win", "remoteness": 7}`. The remoteness of a draw is null; where only outcomes are kept,
/// every remoteness is.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Value {
    outcome: &'static str,
    remoteness: Option<u32>,
}

impl From<crabwise::Value> for Value {
    fn from(value: crabwise::Value) -> Value {
        Value { outcome: value.outcome(), remoteness: value.remoteness() }
    }
}

/// Positions by outcome.
#[derive(Serialize)]
pub struct Outcomes {
    positions: u64,
    terminal: u64,
    win: u64,
    loss: u64,
    tie: u64,
    draw: u64,
}

impl From<Counts> for Outcomes {
    fn from(counts: Counts) -> Outcomes {
        let Counts { positions, terminal, win, loss, tie, draw } = counts;
        Outcomes { positions, terminal, win, loss, tie, draw }
    }
}

/// The players' names in JSON.
pub fn side(mover: usize) -> &'static str {
    if mover == 0 { "first" } else { "second" }
}
