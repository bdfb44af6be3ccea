//! Methods that come closer to an equilibrium step by step.

pub(crate) mod cfr;
mod checkpoint;
pub(crate) mod deep;
pub(crate) mod mccfr;
pub(crate) mod rcfr;
pub(crate) mod sampling;
pub(crate) mod view_mccfr;

use std::io::{self, Write};

pub use self::checkpoint::CheckpointError;
use crate::sequence_form::Behaviour;

/// A method that comes closer to an equilibrium step by step.
pub trait IterativeSolver {
    /// Does one iteration, for both players.
    fn step(&mut self);

    /// The number of iterations done.
    fn iterations(&self) -> u64;

    /// The behaviours that come closer to an equilibrium.
    fn average(&self) -> [Behaviour; 2];

    /// Whether strategies are coarser than information sets, so that even the best of them may be exploitable.
    fn is_abstraction(&self) -> bool {
        false
    }

    /// Writes all that is needed to go on later, with the same numbers to the bit.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
}
