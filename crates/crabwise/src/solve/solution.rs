//! All values of a game in memory: the beginner's way, without a table.

use super::{Enumerated, Fault, SolveError, Task, in_memory::run_keeping_all};
use crate::{
    game::{Game, Value},
    graph::View,
    index::Index,
    table::Tiers,
    watch::Unwatched,
};

/// All values of a game, in memory.
pub struct Solution<I> {
    /// The numbering of the positions.
    pub index: I,
    /// The values, by slot.
    pub tiers: Tiers,
    start: Value,
}

impl<I> Solution<I> {
    /// The value of the start.
    pub fn start(&self) -> Value {
        self.start
    }

    /// The value of a position; `None` if it cannot be reached from the start.
    pub fn value<P>(&self, at: &P) -> Option<Value>
    where
        I: Index<P>,
    {
        self.tiers.get(self.index.slot(at))
    }
}

/// Solves a game in memory, whatever it is like.
pub fn solve<G: Game>(game: &G) -> Result<Solution<Enumerated<G::Position>>, SolveError> {
    let index = Enumerated::walk(game, u64::MAX, &Unwatched)?;
    solve_with(game, index)
}

/// Solves a game in memory with a numbering of its own.
pub fn solve_with<G: Game, I: Index<G::Position>>(
    game: &G,
    index: I,
) -> Result<Solution<I>, SolveError> {
    let graph = &View::plain(game, &index);
    let tiers = run_keeping_all(Task::plain(graph), &Unwatched)?;
    let at = game.start();
    let start = tiers.get(index.slot(&at)).ok_or_else(|| Fault::no_start(graph))?;
    Ok(Solution { index, tiers, start })
}
