//! Step 1: the rules, and nothing else.

use std::fmt;

use crabwise::{Game, Outcome};

/// Teeko on 4×4. Two players drop four stones each, then move one stone a turn to a neighbouring cell. Four in a
/// row, a column or a diagonal or in a square of two by two win; who cannot move has lost.
pub struct Teeko;

/// The stones of the player to move and of the other; a bit a cell, cell = 4 · row + column.
///
/// The sides change places after each move, so whose turn it is need not be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stones {
    pub mine: u16,
    pub theirs: u16,
}

/// Where a stone goes, and where it came from unless it was dropped.
#[derive(Clone, Copy)]
pub struct Step {
    from: Option<u32>,
    to: u32,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cell: u32| format!("{}{}", (b'a' + (cell % 4) as u8) as char, cell / 4 + 1);
        match self.from {
            Some(from) => write!(f, "{}-{}", name(from), name(self.to)),
            None => write!(f, "{}", name(self.to)),
        }
    }
}

/// Rows, columns, diagonals and squares; a hexadecimal digit is a row.
const WON: [u16; 19] = [
    0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248, //
    0x0033, 0x0066, 0x00cc, 0x0330, 0x0660, 0x0cc0, 0x3300, 0x6600, 0xcc00,
];

/// The cells of a set.
pub fn cells(set: u16) -> impl Iterator<Item = u32> {
    (0..16).filter(move |cell| set >> cell & 1 == 1)
}

/// The cells beside a cell, straight or diagonally.
pub fn beside(cell: u32) -> u16 {
    let near =
        |other: &u32| (other % 4).abs_diff(cell % 4).max((other / 4).abs_diff(cell / 4)) == 1;
    (0..16).filter(near).fold(0, |set, cell| set | 1 << cell)
}

impl Game for Teeko {
    type Position = Stones;
    type Move = Step;

    fn start(&self) -> Stones {
        Stones { mine: 0, theirs: 0 }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Step> {
        let free = !(at.mine | at.theirs);
        let drop = if at.mine.count_ones() < 4 { free } else { 0 };
        let walk = if drop == 0 { at.mine } else { 0 };
        let drops = cells(drop).map(|to| Step { from: None, to });
        let walks = cells(walk).flat_map(move |from| {
            cells(beside(from) & free).map(move |to| Step { from: Some(from), to })
        });
        drops.chain(walks)
    }

    fn play(&self, at: &Stones, Step { from, to }: Step) -> Stones {
        let left = from.map_or(0, |from| 1 << from);
        Stones { mine: at.theirs, theirs: at.mine ^ left | 1 << to }
    }

    fn over(&self, at: &Stones) -> Option<Outcome> {
        if WON.contains(&at.theirs) {
            return Some(Outcome::Loss);
        }
        // No play leads here, but a numbering of all placements has such positions.
        if WON.contains(&at.mine) {
            return Some(Outcome::Win);
        }
        self.moves(at).into_iter().next().is_none().then_some(Outcome::Loss)
    }

    fn show(&self, at: &Stones) -> String {
        let cell = |cell: u32| match (at.mine >> cell & 1, at.theirs >> cell & 1) {
            (1, _) => " X",
            (_, 1) => " O",
            _ => " .",
        };
        let row = |row: u32| (0..4).map(|column| cell(4 * row + column)).collect::<String>();
        let board = (0..4).rev().map(row).collect::<Vec<_>>().join("\n");
        format!("{board}\nX to move")
    }
}
