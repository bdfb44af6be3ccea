//! Chomp: eat a square and everything above and to the right of it; the corner a1 is poisoned.
//!
//! Rules: D. Gale, "A curious Nim-type game" (1974). Whoever must eat the poisoned square loses, so
//! eating it is not a move here: with nothing else left, the player to move has lost. A position is
//! the height of each column, four bits a column, column a lowest; heights never rise to the right.

use crabwise::{AnyGame, Game, Impartial, Setup};

use crate::{
    Entry, Params,
    grid::{Cell, picture},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "chomp",
    about: "eat a square and all above and right of it; the corner is poisoned",
    parameters: "COLUMNSxROWS, 1 to 16 columns and 1 to 15 rows (default 6x4)",
    example: "chomp:6x4",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let (columns, rows) = params.size(["width", "height"], (6, 4), [1..=16, 1..=15])?;
    Ok(Setup::of(Chomp { columns, rows }).impartial().boxed())
}

/// The rules for one size of bar.
pub(crate) struct Chomp {
    /// At most 16.
    columns: u32,
    /// At most 15.
    rows: u32,
}

fn height(at: u64, column: u32) -> u32 {
    (at >> (4 * column) & 15) as u32
}

impl Game for Chomp {
    type Position = u64;
    type Move = Cell;

    fn start(&self) -> u64 {
        (0..self.columns).fold(0, |at, column| at | u64::from(self.rows) << (4 * column))
    }

    fn moves(&self, &at: &u64) -> impl IntoIterator<Item = Cell> {
        (0..self.columns)
            .flat_map(move |column| (0..height(at, column)).map(move |row| Cell { column, row }))
            .skip(1)
    }

    fn play(&self, &at: &u64, bite: Cell) -> u64 {
        (0..self.columns).fold(0, |to, column| {
            let most = if column < bite.column { self.rows } else { bite.row };
            to | u64::from(height(at, column).min(most)) << (4 * column)
        })
    }

    fn show(&self, &at: &u64) -> String {
        picture(self.columns, (0..self.rows).rev(), |cell| match cell {
            Cell { column: 0, row: 0 } => 'P',
            Cell { column, row } if row < height(at, column) => '#',
            _ => '.',
        })
    }
}

impl Impartial for Chomp {}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Value, solve::reference::reference};

    #[test]
    fn six_by_four() {
        let game = Chomp { columns: 6, rows: 4 };
        let known = reference(&game);
        let start = game.start();
        assert_eq!((known.len(), known[&start]), (209, Value::Win(11)));
        assert_eq!(known.values().filter(|value| value.outcome() == "loss").count(), 20);
        let lost = |bite: &Cell| known[&game.play(&start, *bite)].outcome() == "loss";
        assert_eq!(game.moves(&start).into_iter().filter(lost).count(), 1);
    }

    #[test]
    fn a_square_bar_is_won_next_to_the_poison() {
        let game = Chomp { columns: 5, rows: 5 };
        let known = reference(&game);
        let best = game.play(&game.start(), Cell { column: 1, row: 1 });
        assert_eq!(known[&best].outcome(), "loss");
    }

    #[test]
    fn the_poison_alone_is_lost() {
        assert_eq!(reference(&Chomp { columns: 1, rows: 1 })[&1], Value::Loss(0));
        let largest = Chomp { columns: 16, rows: 15 };
        assert_eq!(largest.start(), !0);
        assert_eq!(largest.moves(&largest.start()).into_iter().count(), 239);
    }
}
