//! What estimates see of a view: the board as its player knows it.
//!
//! Of each cell: whether there is an own stone, or one of the opponent's that was found out; whether the opponent has
//! found it out, as far as that is heard; whether it lies on a shortest connection of the player's sides, or of the
//! opponent's. Of the board: how many own stones there are, and how many cells each player needs to join, where all that
//! looks empty is free. In games that join nothing the connections say nothing.

use crabwise_hidden::{Described, InfoAbstraction, Player};

use super::{Dark, Known, Signal, Stones};
use crate::{grid::Cell, stones::Placement};

impl<P: Placement> Dark<P> {
    fn many_cells(&self) -> usize {
        self.game.grid().all().count_ones() as usize
    }

    /// How many cells a player needs, and which of the free ones bring it closer.
    fn connection(&self, player: usize, stones: u64, free: u64) -> Option<(u32, u64)> {
        let needs = self.game.needs(player, stones, free)?;
        let closer = |cell: &Cell| {
            let with = self.game.needs(player, stones | cell.bit(), free & !cell.bit());
            with.is_some_and(|with| with < needs)
        };
        let cells = self.game.grid().cells(free).filter(closer);
        Some((needs, cells.fold(0, |set, cell| set | cell.bit())))
    }
}

impl<P: Placement> Described for Dark<P> {
    /// One that is always there; five of each cell; and three numbers from 0 to that of all cells.
    fn many(&self) -> usize {
        let cells = self.many_cells();
        1 + 5 * cells + 3 * (cells + 1)
    }

    fn moves_in_all(&self) -> usize {
        self.many_cells()
    }

    fn number(&self, mv: Cell) -> usize {
        mv.number().into()
    }

    fn describe(&self, at: &Stones, player: Player, features: &mut Vec<u32>) {
        let Known { own, found, heard, .. } = self.info_state(at, player);
        let (cells, grid) = (self.many_cells() as u32, self.game.grid());
        let free = grid.all() & !(own | found);
        let (me, opponent) = (player as usize, player.other() as usize);
        let mine = self.connection(me, own, free);
        let others = self.connection(opponent, found, free);
        // A number that was heard takes the place of the cell of that number.
        let heard = match self.signal {
            Signal::Noisy => 1 << heard.min(u64::from(cells) - 1),
            _ => heard,
        };
        let sets =
            [own, found, heard, mine.map_or(0, |(_, on)| on), others.map_or(0, |(_, on)| on)];
        features.push(0);
        let mut first = 1;
        for set in sets {
            features.extend(grid.cells(set).map(|cell| first + u32::from(cell.number())));
            first += cells;
        }
        let stones = Some(own.count_ones());
        for number in [stones, mine.map(|(needs, _)| needs), others.map(|(needs, _)| needs)] {
            features.extend(number.map(|number| first + number.min(cells)));
            first += cells + 1;
        }
    }
}
