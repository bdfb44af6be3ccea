//! The files of the original program: the board as a game table, and the list of all positions.
//!
//! `board.table` is the game table, `board.json` and `board.dot` the drawing. `positions.csv` has a row `list;class` for
//! each legal marking: for each edge in the order of the table 1, −1 or 0, and N or P. A position is called by its game
//! table.

use std::io::Write;

use crabwise::{Game, Published, Value};
use crabwise_planar::write;

use super::rules::{Cycles, Marks};

impl Published for Cycles {
    const FILES: &'static [&'static str] =
        &["board.table", "board.json", "board.dot", "positions.csv"];

    /// The game table of the position.
    fn name(&self, at: &Marks, _mover: usize) -> Option<String> {
        Some(self.signed_table(at))
    }

    fn begin(&self, files: &mut [Vec<u8>]) {
        let boards = [write::table, write::json, write::dot];
        files
            .iter_mut()
            .zip(boards)
            .for_each(|(file, text)| file.extend(text(&self.board).bytes()));
    }

    /// Markings that are each other reversed share a slot.
    fn append(
        &self,
        at: Option<(&Marks, Value)>,
        _: &[(Marks, Value)],
        _: bool,
        files: &mut [Vec<u8>],
    ) {
        let Some((at, value)) = at else { return };
        let class = if matches!(value, Value::Win(_)) { 'N' } else { 'P' };
        let both = [*at, at.reversed()];
        for marks in &both[..if both[0] == both[1] { 1 } else { 2 }] {
            // Writing to memory does not fail.
            let _ = writeln!(files[3], "{};{class}", self.notation(marks));
        }
    }
}
