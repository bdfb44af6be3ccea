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

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot,
    game::picture::{Picture, Tone},
    index::combinadic::{Subsets, expand},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    grid::{Cell, Grid, bits},
    notation::{Arrangement, BoardNotation, Spot},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "fox-and-hounds",
    about: "hounds pen in a fox, or it slips through",
    parameters: "SIZE, 4, 6 or 8 (default 8)",
    example: "fox-and-hounds:6",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let size = params.number("size", 8, 4..=8)?;
    if size % 2 == 1 {
        return Err(format!("size {size} is odd; it must be 4, 6 or 8"));
    }
    Ok(Setup::of(FoxAndHounds::new(size)).numbered(Advance::new(size)).drawn().editable().erased())
}

/// The rules for one size of board.
pub(crate) struct FoxAndHounds {
    size: u32,
    /// For each dark square, the neighbours above and below it.
    up: [u64; 32],
    down: [u64; 32],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Hunt {
    hounds: u64,
    fox: u8,
    foxs_turn: bool,
}

/// The dark square in a column and row of one parity.
fn dark(column: u32, row: u32) -> u32 {
    4 * row + column / 2
}

fn is_dark(cell: Cell) -> bool {
    (cell.column() + cell.row()).is_multiple_of(2)
}

fn cell(dark: u32) -> Cell {
    Grid { columns: 8, rows: 8 }.at(2 * (dark % 4) + dark / 4 % 2, dark / 4)
}

impl FoxAndHounds {
    pub(crate) fn new(size: u32) -> FoxAndHounds {
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

    fn steps(&self, at: &Hunt, from: u32) -> u64 {
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
        Hunt { hounds, fox: dark(middle, self.size - 1) as u8, foxs_turn: false }
    }

    fn moves(&self, at: &Hunt) -> impl IntoIterator<Item = Step> {
        let at = *at;
        let movers = if at.foxs_turn { 1 << at.fox } else { at.hounds };
        bits(movers)
            .flat_map(move |from| bits(self.steps(&at, from)).map(move |to| Step { from, to }))
    }

    fn play(&self, at: &Hunt, Step { from, to }: Step) -> Hunt {
        if at.foxs_turn {
            Hunt { fox: to as u8, foxs_turn: false, ..*at }
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
        let mark = |cell: Cell| match is_dark(cell) {
            true => at.mark(dark(cell.column(), cell.row())),
            false => ' ',
        };
        let board = Grid { columns: self.size, rows: self.size }.picture(mark);
        let turn = if at.foxs_turn { "fox" } else { "hounds" };
        format!("{board}\n{turn} to move")
    }

    /// The dark squares of each row, parted by slashes, and whose turn it is.
    fn notation(&self, at: &Hunt) -> String {
        let row = |row| self.dark_squares(row).map(|square| at.mark(square)).collect();
        let rows: Vec<String> = (0..self.size).rev().map(row).collect();
        format!("{}-{}", rows.join("/"), if at.foxs_turn { 'F' } else { 'H' })
    }

    fn read(&self, word: &str) -> Option<Result<(Hunt, u32), String>> {
        Some(
            self.board_notation()
                .read(word)?
                .and_then(|arrangement| self.position_of(&arrangement)),
        )
    }
}

impl Hunt {
    fn mark(&self, square: u32) -> char {
        match square {
            square if square == u32::from(self.fox) => 'F',
            square if self.hounds >> square & 1 == 1 => 'H',
            _ => '.',
        }
    }
}

impl FoxAndHounds {
    fn dark_squares(&self, row: u32) -> impl Iterator<Item = u32> {
        (0..self.size / 2).map(move |i| 4 * row + i)
    }

    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] = &[('.', "free"), ('H', "hound"), ('F', "fox")];
        let spot = |number| Spot { number, name: cell(number).to_string(), letters: ".HF" };
        let row = |row| self.dark_squares(row).map(spot).collect();
        BoardNotation::new((0..self.size).rev().map(row).collect(), LETTERS).with_turn(['H', 'F'])
    }

    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Hunt, u32), String> {
        let (hounds, fox) = (arrangement.set('H'), arrangement.one('F')?);
        let (found, wanted) = (hounds.count_ones(), self.size / 2);
        if found != wanted {
            return Err(format!("the number of hounds is {found}, not {wanted}"));
        }
        let (foxs_turn, steps) = (arrangement.turn == 1, made(hounds) as u32);
        match (foxs_turn, steps) {
            (true, 0) => Err("the hounds move first".into()),
            (true, _) if fox < 4 => Err("the fox is to move, but had won before".into()),
            _ => {
                let at = Hunt { hounds, fox: fox as u8, foxs_turn };
                Ok((at, 2 * steps - u32::from(foxs_turn)))
            }
        }
    }
}

impl PositionEditor for FoxAndHounds {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for FoxAndHounds {
    fn picture(&self, at: &Hunt, _made: &[String]) -> Picture {
        let grid = Grid { columns: self.size, rows: self.size };
        let mut drawing = BoardDrawing::with_cells(grid, Layout::Up, |cell| {
            if is_dark(cell) { Tone::Shade } else { Tone::Board }
        });
        bits(at.hounds).for_each(|hound| drawing.piece(cell(hound), Tone::First, "H"));
        drawing.piece(cell(at.fox.into()), Tone::Second, "F");
        let open = self.over(at).is_none();
        for step in self.moves(at).into_iter().filter(|_| open) {
            drawing.way(cell(step.from), cell(step.to), step.to_string());
        }
        drawing.picture()
    }
}

/// A step, as c1-d2.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    from: u32,
    to: u32,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", cell(self.from), cell(self.to))
    }
}

/// Two tiers for each number of steps that the hounds have made: first the fox's turn, then the
/// hounds'. Every move leads to the next tier, so none is loopy. A fox on a hound, or on a square
/// that smaller boards do not have, is a hole.
pub(crate) struct Advance {
    board: u64,
    /// The sets of hounds after 0, 1, 2, ... steps, in increasing order.
    sets: Vec<Vec<u64>>,
}

impl Advance {
    pub(crate) fn new(size: u32) -> Advance {
        let hounds = size / 2;
        let row = (1 << hounds) - 1;
        let board = (0..size).fold(0, |set, y| set | row << (4 * y));
        let mut sets = vec![vec![]; (hounds * (size - 1)) as usize + 1];
        for set in Subsets::new(hounds * size, hounds).iter().map(|set| expand(set, board)) {
            sets[made(set)].push(set);
        }
        Advance { board, sets }
    }
}

/// How many steps the hounds have made.
fn made(hounds: u64) -> usize {
    bits(hounds).map(|square| square as usize / 4).sum()
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
        let rank = self.sets[made].partition_point(|&set| set < at.hounds) as u64;
        let index = 32 * rank + u64::from(at.fox);
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

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "fox-and-hounds-advance-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hounds_at_the_far_side_cannot_move_and_lose() {
        let game = FoxAndHounds::new(4);
        let stuck = Hunt { hounds: 0b11 << 12, fox: 4, foxs_turn: false };
        assert_eq!(game.over(&stuck), Some(Outcome::Loss));
        let home = Hunt { hounds: 0b10001, fox: 1, foxs_turn: false };
        assert_eq!(game.over(&home), Some(Outcome::Loss));
    }
}
