//! Which solver, why, and how much memory it will take.

use std::fmt;

use super::memory_model::{MemoryModel, measure};
use crate::{
    analysis::reachability::bits_at_most,
    erased::{ErasedGame, Prospect},
    solve::{Task, external_memory::least, loopy},
    table::block_of,
    watch::{Bytes, Count},
};

/// The way a game will be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What will do the work.
    pub solver: Solver,
    /// Why this one.
    pub why: &'static str,
    /// Slots of the numbering.
    pub slots: u64,
    /// Bytes of memory that it will take at the peak.
    pub memory: u64,
    /// Whether the positions were found by walking the game.
    pub walked: bool,
    /// How many mirror images share a slot at the most.
    pub folds: u32,
    /// Whether outcomes are kept without distances.
    pub outcomes: bool,
    /// Bytes of memory that it takes at the least if tiers stream through files, where the memory does
    /// not suffice for more.
    pub streams: Option<u64>,
    /// Bytes of memory that it takes at the least through files, whether the memory suffices or not.
    least: u64,
    /// Bytes of memory that it would take to keep outcomes alone, where that can be done and takes
    /// less.
    pub without_distances: Option<u64>,
}

/// The solvers that a plan chooses among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solver {
    /// The game's own kernel, tier by tier.
    Kernel,
    /// One position, one move at a time, tier by tier.
    Sweep,
    /// Backwards from the ends, playing moves back.
    RetroUnplay,
    /// Backwards from the ends, along recorded edges.
    RetroEdges,
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Solver::Kernel => "kernel",
            Solver::Sweep => "sweep",
            Solver::RetroUnplay => "retro-unplay",
            Solver::RetroEdges => "retro-edges",
        })
    }
}

/// The program itself, its threads, and the blocks on their way to the table.
const OVERHEAD: u64 = 9 << 20;

impl ErasedGame {
    /// Chooses the solver and predicts its memory.
    pub(crate) fn plan_of(&self, task: Task, prospect: Prospect) -> Plan {
        let graph = task.graph;
        let loopy = loopy(graph);
        let walked = prospect.children.is_some();
        let (solver, why) = if !loopy && task.able_kernel().is_some() {
            (Solver::Kernel, "no move stays inside a tier, and the game brings a kernel")
        } else if !loopy && task.kernel.is_some() {
            (Solver::Sweep, "no move stays inside a tier, and the game's kernel needs distances")
        } else if !loopy {
            (Solver::Sweep, "no move stays inside a tier")
        } else if graph.backwards().is_some() {
            (Solver::RetroUnplay, "play may go in circles, and moves can be played backwards")
        } else if walked {
            (Solver::RetroEdges, "ways of different lengths meet, so play may go in circles")
        } else {
            (Solver::RetroEdges, "play may go in circles, and moves cannot be played backwards")
        };
        let tiers = &measure(graph, prospect.children);
        let walked_arcs = task.recorded.is_some_and(|recorded| recorded.loops.is_some());
        let recorded = graph.backwards().is_none() && !walked_arcs;
        let bits = bits_at_most(graph);
        // Solving or counting, whichever takes more, beside the numbering; or making that.
        let peak = |solving: u64, values: &dyn Fn(u32) -> u64| {
            let counting = self.mark_bytes(graph, walked, bits, values);
            prospect.making.max(prospect.numbering.saturating_add(solving.max(counting)))
        };
        let at_once = |outcomes| {
            let model = MemoryModel { tiers, recorded, outcomes, ..MemoryModel::default() };
            let most = peak(model.alone(), &|tier| model.values(graph.len(tier)));
            // What is freed in small pieces is not always used again.
            most.saturating_add(most / 16).saturating_add(OVERHEAD)
        };
        let memory = at_once(task.outcomes);
        let most = peak(least(graph, block_of(graph.total())), &|_| 0);
        Plan {
            solver,
            why,
            slots: graph.total(),
            memory,
            walked,
            folds: graph.max_orbit(),
            outcomes: task.outcomes,
            streams: None,
            least: most.saturating_add(most / 7).saturating_add(OVERHEAD + OVERHEAD / 7),
            without_distances: (!loopy && !task.outcomes)
                .then(|| at_once(true))
                .filter(|less| *less < memory),
        }
    }
}

impl Plan {
    /// The plan within `limit` bytes: through files, if it must.
    pub(crate) fn within(self, limit: u64) -> Plan {
        let streams = (self.memory > limit && self.least < self.memory).then_some(self.least);
        Plan { streams, ..self }
    }

    /// Bytes that streaming takes at the least, where it takes less.
    pub(crate) fn least_streamed(&self) -> Option<u64> {
        Some(self.least).filter(|least| *least < self.memory)
    }

    /// Bytes of memory that it must have.
    pub(crate) fn needed(&self) -> u64 {
        self.streams.unwrap_or(self.memory)
    }

    /// What is left of `limit` bytes for streaming.
    pub(crate) fn free(limit: u64, prospect: Prospect) -> u64 {
        (limit - limit / 8).saturating_sub(OVERHEAD + prospect.numbering)
    }

    /// What would help when the memory does not suffice.
    pub(crate) fn remedy(&self) -> String {
        let ability = match (self.solver, self.walked) {
            (Solver::RetroEdges, false) => Some("playing backwards (`Unplay`)"),
            (_, true) => Some("a numbering for the game (`Index`)"),
            _ => None,
        };
        let outcomes = self.without_distances.map(|bytes| {
            let bytes = Bytes(bytes);
            format!("the parameter 'outcomes', which keeps no distances and takes about {bytes},")
        });
        let more = ability.map(str::to_string).into_iter().chain(outcomes);
        let mut ways: Vec<String> = vec!["a larger --memory".into(), "a smaller board".into()];
        ways.extend(more);
        let last = ways.pop().unwrap_or_default();
        format!("{} or {last} would help", ways.join(", "))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = if self.walked { "found by walking the game" } else { "numbered by the game" };
        let folded = match self.folds {
            1 => String::new(),
            folds => format!(", up to {folds} mirror images in each"),
        };
        let kept = if self.outcomes { ", outcomes only" } else { "" };
        write!(
            f,
            "{} over {} slots {found}{folded}{kept}, because {}; about {} of memory",
            self.solver,
            Count(self.slots),
            self.why,
            Bytes(self.memory)
        )?;
        match self.streams {
            None => Ok(()),
            Some(least) => {
                let least = Bytes(least);
                write!(
                    f,
                    ", more than is allowed, so tiers stream through files, for which {least} suffices"
                )
            }
        }
    }
}
