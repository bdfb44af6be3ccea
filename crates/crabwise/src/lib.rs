//! Strong solutions of two-player games: every position's value and its distance from the end.
//!
//! A complete game, solved:
//!
#![doc = concat!("```\n", include_str!("../examples/tictactoe.rs"), "\n```")]
//!
//! A [`Game`] is an automaton: start, moves, play, over. An [`Index`] turns positions into slots of
//! arrays, tier by tier; mirror images may share a slot there. A [`Kernel`] computes a run of slots
//! from finished later tiers. A [`Table`] is the finished answer on disk. An
//! [`Explorer`](explore::Explorer) erases the types: text in, plain data out. A beginner writes
//! `Game` and stops; every further ability is a trait of its own.
#![deny(missing_docs)]

// Tests inside the library use what tests outside of it use.
#[cfg(test)]
extern crate self as crabwise;
#[cfg(test)]
#[path = "../tests/it/graphs.rs"]
mod graphs;

#[macro_use]
mod delegation;

pub mod analysis;
pub mod cost;
pub mod erased;
pub mod explore;
pub mod game;
mod graph;
pub mod index;
pub mod session;
pub mod solve;
pub mod table;
pub mod watch;

pub use analysis::{reachability_kernel::ReachabilityKernel, stats::Stats, verify::Verdict};
pub use cost::{
    calibration::Sample,
    plan::{Plan, Solver},
    size_estimate::{Estimate, Extent},
};
pub use erased::{ErasedGame, Job, Setup};
pub use game::{
    Game, MAX_DISTANCE, Outcome, Unplay, Value,
    batched::{Batched, Expansion},
    editor::{EditorBoard, EditorPlace, PositionEditor},
    impartial::Impartial,
    picture::{Drawn, Picture},
    published::Published,
    summed::{Options, Summands, Summed},
    theory::{Studied, Theory},
};
pub use index::{Index, Slot};
pub use session::{Appending, Row, Solved};
pub use solve::{
    Communicator, Enumerated, Fault, Kernel, Lost, SolveError, WorkerGroup,
    solution::{Solution, solve, solve_with},
};
pub use table::{OutcomePlanes, Summary, Table, TableError, TierValues, Tiers, Word};
