//! The solution as it was published: a byte for each code of a position.
//!
//! The code is mask + 2ⁿ · p0 + 2ⁿ · n · p1: the squares that are gone, and the squares of the first
//! and of the second player, on a board of n squares. How many squares are gone tells who is to move.
//! The byte has its top bit set where the player to move loses, and the distance below it; 0xFF stands
//! for codes that play never comes to.

use crabwise::{Published, Value, watch::Shown};

use super::{Duel, Isolation};

/// The largest board whose codes all fit in 64 bits.
pub(super) const MOST_CODED: u64 = 52;

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

    fn name(&self, at: &Duel, _: usize) -> Option<String> {
        let [first, second] = match self.first_to_move(at) {
            true => [at.mine, at.theirs],
            false => [at.theirs, at.mine],
        };
        let players = u64::from(first) + self.squares() * u64::from(second);
        let gone = self.grid.all() & !at.live;
        Some(((players << self.squares()) + gone).to_string())
    }

    fn meaning(&self, byte: u8) -> Option<Value> {
        let distance = u32::from(byte & 0x7F);
        match byte {
            ABSENT => None,
            0x80.. => Some(Value::Loss(distance)),
            _ => Some(Value::Win(distance)),
        }
    }

    /// n(n − 1)2ⁿ⁻²: two squares for the players, and the others gone or not.
    fn upper_bound(&self) -> Option<u128> {
        let there = u128::from(self.start.live.count_ones());
        Some((there * (there - 1)) << (there - 2))
    }

    fn append(
        &self,
        at: Option<(&Duel, Value)>,
        _: &[(Duel, Value)],
        _: bool,
        files: &mut [Vec<u8>],
    ) {
        files[0].push(match at {
            Some((_, Value::Loss(n))) => 0x80 | n as u8,
            Some((_, Value::Win(n) | Value::Tie(n))) => n as u8,
            Some((_, Value::Draw)) | None => ABSENT,
        });
    }
}

impl Isolation {
    /// The position of a code, as a person wrote it.
    pub(super) fn read_code(&self, word: &str) -> Result<(Duel, u32), String> {
        let codes = self.codes().unwrap_or_default();
        let code = word.parse().ok().filter(|code| *code < codes);
        let code: u64 = code.ok_or_else(|| {
            format!("'{}' is no number below {codes}, which all positions are", Shown(word))
        })?;
        let at = self.decode(code).ok_or_else(|| {
            format!(
                "{code} is no position: a player stands on a square that is gone, or on the other"
            )
        })?;
        Ok((at, self.start.live.count_ones() - at.live.count_ones()))
    }
}

#[cfg(test)]
mod tests {
    use crabwise::ErasedGame;

    use crate::Registry;

    fn game(string: &str) -> ErasedGame {
        Registry::standard().build(string).unwrap().game
    }

    fn board(game: &ErasedGame, word: &str) -> (String, String, usize) {
        let board = game.board(&[word.into()]).unwrap();
        (board.place.notation, board.published.unwrap(), board.place.mover)
    }

    #[test]
    fn codes_are_printed_and_read_on_boards_of_any_size() {
        for string in ["isolation:2x2", "isolation:4x4", "isolation:7x7", "isolation:4x13"] {
            let game = game(string);
            let start = game.board(&[]).unwrap();
            let code = start.published.clone().unwrap();
            assert_eq!(board(&game, &code), (start.place.notation, code, 0), "{string}");
            let first = start.moves[0].0.clone();
            let after = game.board(&[first]).unwrap();
            let code = after.published.clone().unwrap();
            assert_eq!(board(&game, &code), (after.place.notation, code, 1), "{string}");
        }
        // mask + 2¹⁶ · 1 + 2¹⁶ · 16 · 14
        assert_eq!(game("isolation:4x4").board(&[]).unwrap().published.unwrap(), "14745600");
    }
}
