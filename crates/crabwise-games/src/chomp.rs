//! Chomp: eat a square and everything above and to the right of it; the corner a1 is poisoned.
//!
//! Rules: D. Gale, "A curious Nim-type game" (1974). Whoever must eat the poisoned square loses, so
//! eating it is not a move here: with nothing else left, the player to move has lost. A position is
//! the height of each column, four bits a column, column a lowest; heights never rise to the right.

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Impartial, PositionEditor, Setup,
    game::picture::{Picture, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, label},
    grid::{Cell, Grid},
    notation::{Arrangement, BoardNotation, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "chomp",
    about: "eat a square and all above and right of it; the corner is poisoned",
    parameters: "COLUMNSxROWS, 1 to 16 columns and 1 to 15 rows (default 6x4)",
    example: "chomp:6x4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let names = ["number of columns", "number of rows"];
    let (columns, rows) = params.size(names, (6, 4), [1..=16, 1..=15])?;
    Ok(Setup::of(Chomp(Grid { columns, rows })).impartial().drawn().editable().erased())
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
        self.0.picture(|cell| mark(at, cell))
    }

    fn notation(&self, &at: &u64) -> String {
        rows(self.0, Layout::Up, |cell| mark(at, cell))
    }

    fn read(&self, word: &str) -> Option<Result<(u64, u32), String>> {
        Some(
            self.board_notation()
                .read(word)?
                .and_then(|arrangement| self.position_of(&arrangement)),
        )
    }
}

fn mark(at: u64, cell: Cell) -> char {
    match (cell.column(), cell.row()) {
        (0, 0) => 'P',
        (column, row) if row < height(at, column) => '#',
        _ => '.',
    }
}

impl Chomp {
    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] = &[('#', "left"), ('.', "eaten"), ('P', "poisoned")];
        let on = |cell: Cell| if cell.number() == 0 { "P" } else { "#." };
        BoardNotation::of(self.0, Layout::Up, LETTERS, on)
    }

    /// The position of a word. Who is to move is then taken for the player who began.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(u64, u32), String> {
        let eaten: Vec<Cell> = arrangement.all('.').into_iter().map(|n| self.0.cell(n)).collect();
        for cell in arrangement.all('#').into_iter().map(|number| self.0.cell(number)) {
            let before = |one: &&Cell| one.column() <= cell.column() && one.row() <= cell.row();
            if let Some(bite) = eaten.iter().find(before) {
                return Err(format!("{bite} is eaten, and so would {cell} be"));
            }
        }
        let heights = arrangement.all('#').into_iter().map(|number| self.0.cell(number).column());
        Ok((heights.fold(1, |at, column| at + (1 << (4 * column))), 0))
    }
}

impl PositionEditor for Chomp {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Chomp {
    fn picture(&self, &at: &u64, _made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.0, Layout::Up, |cell| {
            match (cell.column(), cell.row()) {
                (0, 0) => Tone::Shade,
                (column, row) if row < height(at, column) => Tone::Board,
                _ => Tone::Gone,
            }
        });
        drawing.push(label(drawing.middle(self.0.at(0, 0)), 'P').titled("poisoned"));
        drawing.picture()
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
