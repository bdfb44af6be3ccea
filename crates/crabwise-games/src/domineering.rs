//! Domineering: one player lays dominoes across, the other upright; the last to move wins.
//!
//! Rules: G. Andersson's game as in J. H. Conway, "On Numbers and Games"; the player who lays them
//! across begins. A position is the set of free cells, as in [`cram`](crate::cram). It tells whose
//! turn it is: every move covers two cells, so an even number of covered pairs means across.

use crabwise::{AnyGame, Game, Setup};

use crate::{
    Entry, Params,
    cram::{Board, Domino},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "domineering",
    about: "one lays dominoes across, the other upright; the last to move wins",
    parameters: "ROWSxCOLUMNS, each 1 to 26, at most 64 cells (default 5x5)",
    example: "domineering:4x4",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    Ok(Setup::of(Domineering(Board::of(params, (5, 5))?)).boxed())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Value, solve::reference::reference};

    #[test]
    fn five_by_five_is_lost_for_the_first() {
        let game = Domineering(Board::new(5, 5));
        let known = reference(&game);
        assert_eq!((known.len(), known[&game.start()]), (455_317, Value::Loss(12)));
        assert_eq!(known.values().filter(|value| value.outcome() == "win").count(), 282_789);
        assert_eq!(known.values().filter_map(|value| value.remoteness()).max(), Some(12));
    }

    #[test]
    fn each_player_has_a_way_round() {
        let values = |rows, columns| {
            let game = Domineering(Board::new(rows, columns));
            reference(&game)[&game.start()]
        };
        assert_eq!(values(1, 3), Value::Win(1));
        assert_eq!(values(3, 1), Value::Loss(0));
        assert_eq!(values(2, 2), Value::Win(1));
        assert_eq!(values(8, 1), Value::Loss(0));
    }
}
