//! Domineering: one player lays dominoes across, the other upright; the last to move wins.
//!
//! Rules: G. Andersson's game as in J. H. Conway, "On Numbers and Games"; the player who lays them
//! across begins. A position is the set of free cells, as in [`cram`](crate::cram). It tells whose
//! turn it is: every move covers two cells, so an even number of covered pairs means across.

use crabwise::{Drawn, ErasedGame, Game, Picture, Setup};

use crate::{
    Entry, Params,
    cram::{Board, Domino},
    grid::Grid,
};

pub(crate) const ENTRY: Entry = Entry {
    name: "domineering",
    about: "one lays dominoes across, the other upright; the last to move wins",
    parameters: "ROWSxCOLUMNS, each 1 to 26, at most 64 cells (default 5x5)",
    example: "domineering:4x4",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    Ok(Setup::of(Domineering(Board::new(Grid::rows_by_columns(params, (5, 5))?))).drawn().erased())
}

/// The rules for one size of board.
pub(crate) struct Domineering(Board);

impl Domineering {
    fn across_to_move(&self, free: u64) -> bool {
        (self.0.all & !free).count_ones().is_multiple_of(4)
    }
}

impl Game for Domineering {
    type Position = u64;
    type Move = Domino;

    fn start(&self) -> u64 {
        self.0.all
    }

    fn moves(&self, &free: &u64) -> impl IntoIterator<Item = Domino> {
        let (lying, standing) = if self.across_to_move(free) { (free, 0) } else { (0, free) };
        self.0.across(lying).chain(self.0.upright(standing))
    }

    fn play(&self, free: &u64, domino: Domino) -> u64 {
        self.0.place(*free, domino)
    }

    fn show(&self, free: &u64) -> String {
        let way = if self.across_to_move(*free) { "across" } else { "upright" };
        format!("{}\n{way} to move", self.0.show(*free))
    }
}

impl Drawn for Domineering {
    fn picture(&self, free: &u64, _made: &[String]) -> Picture {
        self.0.drawn(*free, self.moves(free))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Value, solve};

    #[test]
    fn each_player_has_a_way_round() {
        let start = |rows, columns| {
            solve(&Domineering(Board::new(Grid { columns, rows }))).unwrap().start()
        };
        assert_eq!([start(1, 3), start(3, 1)], [Value::Win(1), Value::Loss(0)]);
        assert_eq!([start(2, 2), start(8, 1)], [Value::Win(1), Value::Loss(0)]);
    }
}
