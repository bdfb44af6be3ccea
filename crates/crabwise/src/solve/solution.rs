//! All values of a game in memory: the beginner's way, without a table.

use super::{Enumerated, Fault, SolveError, Task, in_memory::run_keeping_all, walk::Walkable};
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
    let walkable = Walkable { recorded: true, ..Walkable::plain(game) };
    let index = Enumerated::expand(walkable, u64::MAX, &Unwatched)?;
    let (graph, recorded) = (&View::plain(game, &index), Some(&index.found.recorded));
    let (tiers, start) = solve_task(Task { recorded, ..Task::plain(graph) })?;
    Ok(Solution { index, tiers, start })
}

/// Solves a game in memory with a numbering of its own.
pub fn solve_with<G: Game, I: Index<G::Position>>(
    game: &G,
    index: I,
) -> Result<Solution<I>, SolveError> {
    let (tiers, start) = solve_task(Task::plain(&View::plain(game, &index)))?;
    Ok(Solution { index, tiers, start })
}

fn solve_task(task: Task) -> Result<(Tiers, Value), SolveError> {
    let (tiers, graph) = (run_keeping_all(task, &Unwatched)?, task.graph);
    let start = tiers.get(graph.start()).ok_or_else(|| Fault::no_start(graph))?;
    Ok((tiers, start))
}
