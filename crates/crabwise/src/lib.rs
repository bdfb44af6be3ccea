//! Strong solutions of two-player games: every position's value and its distance from the end.
//!
//! A complete game, solved:
//!
#![doc = concat!("```\n", include_str!("../examples/tictactoe.rs"), "\n```")]
//!
//! A [`Game`] is an automaton: start, moves, play, over. An [`Index`] turns positions into slots of
//! arrays, tier by tier; symmetry lives there and nowhere else. A [`Kernel`] computes a run of slots
//! from finished later tiers. A [`Table`] is the finished answer on disk. An
//! [`Explorer`](explore::Explorer) erases the types: text in, plain data out. A beginner writes
//! `Game` and stops; every further ability is a trait of its own.
#![deny(missing_docs)]

// Tests inside the library use what tests outside of it use.
#[cfg(test)]
extern crate self as crabwise;

pub mod analysis;
mod apart;
pub mod cost;
pub mod erased;
pub mod explore;
pub mod game;
mod graph;
pub mod index;
pub mod session;
pub mod solve;
mod solving;
pub mod table;
pub mod watch;

pub use analysis::{reachability_kernel::ReachabilityKernel, stats::Stats, verify::Verdict};
pub use apart::{Crew, Exchange, Lost};
pub use cost::{calibration::Sample, size_estimate::Extent};
pub use erased::{ErasedGame, Job, Numbered, Numbering, Setup, Walked};
pub use game::{
    Game, MAX_DISTANCE, Outcome, Unplay, Value,
    editor::{EditorBoard, EditorPlace, PositionEditor},
    impartial::Impartial,
    picture::{Drawn, Picture},
    published::{PublishedArray, PublishedRows},
    summed::{Options, Summands, Summed},
    theory::{Studied, Theory},
};
pub use index::{Enumerated, Index, Slot, WalkError};
pub use session::{Appending, Row};
pub use solve::{Fault, Kernel, Plan, SolveError, Solver, TierError};
pub use solving::Solved;
pub use table::{Planes, Summary, Table, TableError, Tiers, Word, Words};

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
    let index = Enumerated::walk(game, u64::MAX, &watch::Unwatched)?;
    solve_with(game, index)
}

/// Solves a game in memory with a numbering of its own.
pub fn solve_with<G: Game, I: Index<G::Position>>(
    game: &G,
    index: I,
) -> Result<Solution<I>, SolveError> {
    let graph = &graph::View { game, index: &index, unplay: None };
    let tiers = analysis::check::in_memory(solve::Task::plain(graph), &watch::Unwatched)?;
    let at = game.start();
    let start = tiers.get(index.slot(&at)).ok_or_else(|| Fault::no_start(graph))?;
    Ok(Solution { index, tiers, start })
}
