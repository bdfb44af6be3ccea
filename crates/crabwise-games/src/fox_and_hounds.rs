//! Fox and hounds: a fox runs home through a line of hounds that cannot turn back.
//!
//! Rules: fox and geese in Berlekamp, Conway and Guy, "Winning Ways", ch. 20. On the dark squares
//! of an n×n board, n/2 hounds start on their home row, the lowest, and the fox on the dark square
//! of the highest that is nearest to the middle (d8 on the chess board). Hounds move first, one
//! hound a turn, one step diagonally upwards; the fox steps diagonally in all four directions.
//! Only empty squares are entered and nothing is captured. The fox wins on reaching the hounds'
//! home row; whoever cannot move on their turn has lost, the hounds too.
//!
//! A position is the set of hounds, the fox and the turn. Dark squares count 4 to a row from a1 on
//! boards of any size. Hounds only advance, so no position comes back.

use std::fmt;

use crabwise::{AnyGame, Game, Index, Outcome, Setup, Slot};

use crate::{
    Entry, Params,
    squares::{choose, rank, squares},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "fox-and-hounds",
    about: "hounds pen in a fox, or it slips through",
    parameters: "SIZE, 4, 6 or 8 (default 8)",
    example: "fox-and-hounds:6",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let size = params.number("size", 8, 4..=8)? as u8;
    if size % 2 == 1 {
        return Err(format!("size {size} is odd; it must be 4, 6 or 8"));
    }
    Ok(Setup::of(FoxAndHounds::new(size)).numbered(Advance::new(size)).boxed())
}

/// The rules for one size of board.
pub(crate) struct FoxAndHounds {
    size: u8,
    /// For each dark square, the neighbours above and below it.
    up: [u32; 32],
    down: [u32; 32],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Hunt {
    hounds: u32,
    fox: u8,
    foxs_turn: bool,
}

/// The dark square in a column and row of one parity.
fn dark(column: u8, row: u8) -> u8 {
    4 * row + column / 2
}

fn column_and_row(square: u8) -> (u8, u8) {
    (2 * (square % 4) + square / 4 % 2, square / 4)
}

impl FoxAndHounds {
    pub(crate) fn new(size: u8) -> FoxAndHounds {
        let mut game = FoxAndHounds { size, up: [0; 32], down: [0; 32] };
        for row in 1..size {
            for column in (row % 2..size).step_by(2) {
                let above = dark(column, row);
                let sides = [column.checked_sub(1), Some(column + 1).filter(|&side| side < size)];
                for below in sides.into_iter().flatten().map(|column| dark(column, row - 1)) {
                    game.up[below as usize] |= 1 << above;
                    game.down[above as usize] |= 1 << below;
                }
            }
        }
        game
    }

    fn steps(&self, at: &Hunt, from: u8) -> u32 {
        let down = if at.foxs_turn { self.down[from as usize] } else { 0 };
        (self.up[from as usize] | down) & !at.hounds & !(1 << at.fox)
    }
}

impl Game for FoxAndHounds {
    type Position = Hunt;
    type Move = Step;

    fn start(&self) -> Hunt {
        let middle = (self.size / 2 - 1) | 1;
        let hounds = (1 << (self.size / 2)) - 1;
        Hunt { hounds, fox: dark(middle, self.size - 1), foxs_turn: false }
    }

    fn moves(&self, at: &Hunt) -> impl IntoIterator<Item = Step> {
        let at = *at;
        let movers = if at.foxs_turn { 1 << at.fox } else { at.hounds };
        squares(movers)
            .flat_map(move |from| squares(self.steps(&at, from)).map(move |to| Step { from, to }))
    }

    fn play(&self, at: &Hunt, Step { from, to }: Step) -> Hunt {
        if at.foxs_turn {
            Hunt { fox: to, foxs_turn: false, ..*at }
        } else {
            Hunt { hounds: at.hounds ^ 1 << from ^ 1 << to, foxs_turn: true, ..*at }
        }
    }

    fn over(&self, at: &Hunt) -> Option<Outcome> {
        if at.fox < 4 {
            Some(if at.foxs_turn { Outcome::Win } else { Outcome::Loss })
        } else {
            let stuck = self.moves(at).into_iter().next().is_none();
            stuck.then_some(Outcome::Loss)
        }
    }

    fn show(&self, at: &Hunt) -> String {
        let cell = |column: u8, row: u8| match dark(column, row) {
            _ if (column + row) % 2 == 1 => ' ',
            square if square == at.fox => 'F',
            square if at.hounds >> square & 1 == 1 => 'H',
            _ => '.',
        };
        let row = |row: u8| (0..self.size).map(|column| cell(column, row)).collect::<String>();
        let rows: Vec<_> = (0..self.size).rev().map(|y| row(y).trim_end().to_string()).collect();
        let turn = if at.foxs_turn { "fox" } else { "hounds" };
        format!("{}\n{turn} to move", rows.join("\n"))
    }
}

/// A step, as c1-d2.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    from: u8,
    to: u8,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square| {
            let (column, row) = column_and_row(square);
            format!("{}{}", char::from(b'a' + column), row + 1)
        };
        write!(f, "{}-{}", name(self.from), name(self.to))
    }
}

/// Two tiers for each number of steps that the hounds have made: first the fox's turn, then the
/// hounds'. Every move leads to the next tier, so none is loopy. A fox on a hound, or on a square
/// that smaller boards do not have, is a hole.
pub(crate) struct Advance {
    board: u32,
    /// The sets of hounds after 0, 1, 2, ... steps, in increasing order.
    sets: Vec<Vec<u32>>,
}

impl Advance {
    fn new(size: u8) -> Advance {
        let row = (1 << (size / 2)) - 1;
        let board = (0..size).fold(0, |set, y| set | row << (4 * y));
        let hounds = usize::from(size / 2);
        let mut sets = vec![vec![]; hounds * usize::from(size - 1) + 1];
        for set in choose(board, hounds as u32) {
            sets[made(set)].push(set);
        }
        Advance { board, sets }
    }
}

/// How many steps the hounds have made.
fn made(hounds: u32) -> usize {
    squares(hounds).map(|square| usize::from(square / 4)).sum()
}

impl Index<Hunt> for Advance {
    fn tiers(&self) -> u32 {
        2 * self.sets.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        32 * self.sets[tier as usize / 2].len() as u64
    }

    fn slot(&self, at: &Hunt) -> Slot {
        let made = made(at.hounds);
        let index = 32 * rank(&self.sets[made], &at.hounds) + u64::from(at.fox);
        Slot { tier: 2 * made as u32 + u32::from(!at.foxs_turn), index }
    }

    fn position(&self, Slot { tier, index }: Slot) -> Option<Hunt> {
        let hounds = *self.sets[tier as usize / 2].get((index / 32) as usize)?;
        let fox = (index % 32) as u8;
        let free = (self.board & !hounds) >> fox & 1 == 1;
        free.then_some(Hunt { hounds, fox, foxs_turn: tier.is_multiple_of(2) })
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "advance".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{census, check_numbering};
    use crabwise::{Value, solve::reference::reference};

    #[test]
    fn the_hounds_win_on_the_chess_board_and_the_numbering_holds() {
        let game = FoxAndHounds::new(8);
        let values = reference(&game);
        assert_eq!(values[&game.start()], Value::Win(43));
        assert_eq!(census(&values), (892_689, [437_376, 455_313, 0, 0], 43));
        check_numbering(&game, &Advance::new(8), &values);
    }

    #[test]
    fn smaller_boards_and_their_numberings_hold() {
        for (size, value, counts) in [
            (4, Value::Win(7), (112, [55, 57, 0, 0], 7)),
            (6, Value::Win(21), (10_203, [5064, 5139, 0, 0], 21)),
        ] {
            let game = FoxAndHounds::new(size);
            let values = reference(&game);
            assert_eq!(values[&game.start()], value);
            assert_eq!(census(&values), counts);
            check_numbering(&game, &Advance::new(size), &values);
        }
    }

    #[test]
    fn hounds_at_the_far_side_cannot_move_and_lose() {
        let game = FoxAndHounds::new(4);
        let stuck = Hunt { hounds: 0b11 << 12, fox: 4, foxs_turn: false };
        assert_eq!(game.over(&stuck), Some(Outcome::Loss));
        let home = Hunt { hounds: 0b10001, fox: 1, foxs_turn: false };
        assert_eq!(game.over(&home), Some(Outcome::Loss));
    }
}
