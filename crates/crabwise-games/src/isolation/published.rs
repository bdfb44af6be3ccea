//! The solution as it was published: a byte for each code of a position.
//!
//! The code is mask + 2ⁿ · p0 + 2ⁿ · n · p1: the squares that are gone, and the squares of the first
//! and of the second player, on a board of n squares. How many squares are gone tells who is to move.
//! The byte has its top bit set where the player to move loses, and the distance below it; 0xFF stands
//! for codes that play never comes to.

use crabwise::{Published, Value};

use super::{Duel, Isolation};

/// What stands for a code that play never comes to.
const ABSENT: u8 = 0xFF;

impl Published for Isolation {
    const FILES: &'static [&'static str] = &["table.bin"];

    fn codes(&self) -> Option<u64> {
        let squares = self.squares();
        Some((squares * squares) << squares)
    }

    fn decode(&self, code: u64) -> Option<Duel> {
        let squares = self.squares();
        let (gone, players) = (code & ((1 << squares) - 1), code >> squares);
        let [first, second] = [players % squares, players / squares].map(|square| square as u8);
        let live = self.grid.all() & !gone;
        let there = live & !self.start.live == 0
            && first != second
            && live >> first & live >> second & 1 == 1;
        let at = Duel { live, mine: first, theirs: second };
        let turned = Duel { mine: second, theirs: first, ..at };
        there.then(|| if self.first_to_move(&at) { at } else { turned })
    }

    fn append(&self, at: Option<(&Duel, Value)>, _: &[(Duel, Value)], files: &mut [Vec<u8>]) {
        files[0].push(match at {
            Some((_, Value::Loss(n))) => 0x80 | n as u8,
            Some((_, Value::Win(n) | Value::Tie(n))) => n as u8,
            Some((_, Value::Draw)) | None => ABSENT,
        });
    }
}
