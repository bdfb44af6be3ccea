//! The solvers of a game that is too large for the slow definitions in `analysis::reference`.
//!
//! | solver | for |
//! |--------|-----|
//! | `sweep` | tiers without inner moves, through a [`Kernel`] |
//! | `retrograde` | tiers with loops: parents by [`Unplay`](crate::Unplay) or by recorded edges |
//!
//! Tiers are solved from the last to the first, each in the narrowest word that holds its values: when a distance turns
//! out too long for bytes, the tier is done again in wider words. Where only outcomes are wanted and no tier has inner
//! moves, two bits a slot do ([`OutcomePlanes`](crate::OutcomePlanes)). `solve_tier` makes these choices, once for all places where
//! a tier can be solved (`Site`): by threads in shared memory (`in_memory`), by workers between which there is
//! nothing but a [`Communicator`] (`distributed`), or by one worker with files
//! (`external_memory`).

pub(crate) mod arcs;
pub(crate) mod communicator;
pub(crate) mod distributed;
pub(crate) mod enumerated;
mod error;
pub(crate) mod external_memory;
mod forwards;
pub(crate) mod growth;
mod handover;
pub(crate) mod in_memory;
pub(crate) mod lookup;
pub(crate) mod publish;
pub(crate) mod retrograde;
pub(crate) mod reverse;
mod shard;
pub(crate) mod share;
pub(crate) mod snapshot;
pub(crate) mod solution;
pub(crate) mod sweep;
pub(crate) mod threads;
pub(crate) mod walk;
mod ways;

use std::sync::{Mutex, MutexGuard};

use self::{
    arcs::Recorded,
    sweep::{Pack, Spotted, outcome_word},
};
pub use self::{
    communicator::{Communicator, Lost, WorkerGroup},
    enumerated::Enumerated,
    error::{Fault, SolveError},
    sweep::Kernel,
};
pub(crate) use self::{
    error::{misplaced, need_memory},
    in_memory::run,
};
use crate::{graph::Graph, table::Word};

/// What several threads share, while this one has it.
pub(crate) fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().expect("no thread panics while it holds it")
}

/// A numbered game and what its solver may use.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) kernel: Option<&'a dyn Kernel<u8>>,
    /// Whether outcomes are to be kept without distances.
    pub(crate) outcomes: bool,
    /// The moves, as far as they were recorded when the game was walked.
    pub(crate) recorded: Option<&'a Recorded>,
}

impl<'a> Task<'a> {
    /// A game without further abilities.
    pub(crate) fn plain(graph: &'a dyn Graph) -> Task<'a> {
        Task { graph, kernel: None, outcomes: false, recorded: None }
    }

    /// The game's kernel, if it can do what is asked for.
    pub(crate) fn able_kernel(&self) -> Option<&'a dyn Kernel<u8>> {
        self.kernel.filter(|kernel| !self.outcomes || kernel.reads_outcomes())
    }

    /// Where moves stay inside a tier, it takes distances to tell a win from going round in circles.
    pub(crate) fn refuse_circles(&self) -> Result<(), SolveError> {
        let circles = self.outcomes && loopy(self.graph);
        if circles { Err(SolveError::Circles) } else { Ok(()) }
    }
}

/// Whether some tier has inner moves.
pub(crate) fn loopy(graph: &dyn Graph) -> bool {
    (0..graph.tiers()).any(|tier| graph.loopy(tier))
}

/// For each tier, the last one that it or an earlier one may ask for.
pub(crate) fn furthest(graph: &dyn Graph) -> Vec<u32> {
    let reach = |most: &mut u32, tier| {
        *most = graph.last_child_tier(tier).max(*most);
        Some(*most)
    };
    (0..graph.tiers()).scan(0, reach).collect()
}

/// Where one tier is solved. Each way is `None` where a distance does not fit in the word.
pub(crate) trait Site {
    /// What becomes of the values.
    type Solved;

    /// By the game's kernel; `None` too where the later tiers are not where a kernel could read them.
    fn sweep_by(&mut self, kernel: &dyn Kernel<u8>) -> Result<Option<Self::Solved>, SolveError>;

    /// By the rules, into the words that `pack` gives; where outcomes alone are kept, into their codes.
    fn sweep<W: Word>(&mut self, pack: Pack<W>) -> Result<Option<Self::Solved>, SolveError>;

    /// Backwards from the ends.
    fn retrograde<W: Word>(&mut self) -> Result<Option<Self::Solved>, SolveError>;

    /// Bytes of the narrowest word that may suffice for a tier with loops.
    fn least_width(&mut self) -> Result<usize, SolveError> {
        Ok(1)
    }
}

/// Solves a tier: chooses the solver and the word.
pub(crate) fn solve_tier<S: Site>(
    task: Task,
    tier: u32,
    site: &mut S,
) -> Result<S::Solved, SolveError> {
    let loops = task.graph.loopy(tier);
    let least = if loops { site.least_width()? } else { size_of::<u8>() };
    if let (false, Some(kernel)) = (loops, task.able_kernel()) {
        // A kernel that counts moves may run out of codes; outcomes never do.
        if let Some(solved) = site.sweep_by(&Spotted { kernel, task })? {
            return Ok(solved);
        }
    }
    for width in [1, 2, 4].into_iter().filter(|width| *width >= least) {
        let solved = match (width, loops) {
            (1, true) => site.retrograde::<u8>()?,
            (2, true) => site.retrograde::<u16>()?,
            (_, true) => site.retrograde::<u32>()?,
            (1, false) => site.sweep(if task.outcomes { outcome_word } else { u8::pack })?,
            (2, false) => site.sweep(u16::pack)?,
            (_, false) => site.sweep(u32::pack)?,
        };
        if let Some(solved) = solved {
            return Ok(solved);
        }
    }
    Err(SolveError::TooFar)
}
