//! Chomp: eat a square and everything above and to the right of it; the corner a1 is poisoned.
//!
//! Rules: D. Gale, "A curious Nim-type game" (1974). Whoever must eat the poisoned square loses, so
//! eating it is not a move here: with nothing else left, the player to move has lost. A position is
//! the height of each column, four bits a column, column a lowest; heights never rise to the right.

use crabwise::{AnyGame, Game, Impartial, Setup};

use crate::{
    Entry, Params,
    grid::{Cell, Grid},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "chomp",
    about: "eat a square and all above and right of it; the corner is poisoned",
    parameters: "COLUMNSxROWS, 1 to 16 columns and 1 to 15 rows (default 6x4)",
    example: "chomp:6x4",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let names = ["number of columns", "number of rows"];
    let (columns, rows) = params.size(names, (6, 4), [1..=16, 1..=15])?;
    Ok(Setup::of(Chomp(Grid { columns, rows })).impartial().boxed())
}

/// The rules for one size of bar, at most 16 columns and 15 rows.
pub(crate) struct Chomp(Grid);

fn height(at: u64, column: u32) -> u32 {
    (at >> (4 * column) & 15) as u32
}

impl Game for Chomp {
    type Position = u64;
    type Move = Cell;

    fn start(&self) -> u64 {
        (0..self.0.columns).fold(0, |at, column| at | u64::from(self.0.rows) << (4 * column))
    }

    fn moves(&self, &at: &u64) -> impl IntoIterator<Item = Cell> {
        (0..self.0.columns)
            .flat_map(move |column| (0..height(at, column)).map(move |row| self.0.at(column, row)))
            .skip(1)
    }

    fn play(&self, &at: &u64, bite: Cell) -> u64 {
        let (first, row) = (bite.column(), bite.row());
        (0..self.0.columns).fold(0, |to, column| {
            let most = if column < first { self.0.rows } else { row };
            to | u64::from(height(at, column).min(most)) << (4 * column)
        })
    }

    fn show(&self, &at: &u64) -> String {
        self.0.picture(|cell| match (cell.column(), cell.row()) {
            (0, 0) => 'P',
            (column, row) if row < height(at, column) => '#',
            _ => '.',
        })
    }
}

impl Impartial for Chomp {}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Value, solve};

    #[test]
    fn a_square_bar_is_won_next_to_the_poison() {
        let game = Chomp(Grid { columns: 5, rows: 5 });
        let best = game.play(&game.start(), game.0.at(1, 1));
        assert_eq!(solve(&game).unwrap().value(&best), Some(Value::Loss(8)));
    }

    #[test]
    fn the_largest_bar_fits() {
        let game = Chomp(Grid { columns: 16, rows: 15 });
        assert_eq!(game.start(), !0);
        let moves: Vec<_> = game.moves(&game.start()).into_iter().collect();
        assert_eq!((moves.len(), moves[238].to_string()), (239, "p15".into()));
    }
}
