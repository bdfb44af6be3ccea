//! Which solver, why, and how much memory it will take.

use std::fmt;

use super::Task;
use crate::{Game, Index, Slot, watch::Bytes};

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

/// What a plan can say before the positions have been found.
#[derive(Clone, Copy, Debug)]
pub struct Prospect {
    /// Bytes the numbering itself takes.
    pub numbering: u64,
    /// Children of a position inside its tier, on average, where that is known exactly.
    pub children: Option<f64>,
}

impl Plan {
    /// Chooses the solver and predicts its memory.
    pub(crate) fn new<G: Game, I: Index<G::Position>>(
        task: &Task<G, I>,
        prospect: Prospect,
    ) -> Plan {
        let index = task.index;
        let loopy = (0..index.tiers()).any(|tier| index.loopy(tier));
        let (solver, why) = if !loopy && task.kernel.is_some() {
            (Solver::Kernel, "no move stays inside a tier, and the game brings a kernel")
        } else if !loopy {
            (Solver::Sweep, "no move stays inside a tier")
        } else if let super::Backwards::Unplayed(_) = task.backwards {
            (Solver::RetroUnplay, "play may go in circles, and moves can be played backwards")
        } else {
            (Solver::RetroEdges, "play may go in circles, and moves cannot be played backwards")
        };
        let peak = (0..index.tiers()).map(|tier| tier_bytes(task, solver, tier, prospect)).max();
        Plan {
            solver,
            why,
            slots: index.total(),
            memory: prospect.numbering + peak.unwrap_or(0),
            walked: prospect.children.is_some(),
        }
    }

    /// What would help when the memory does not suffice.
    pub(crate) fn remedy(&self) -> &'static str {
        match (self.solver, self.walked) {
            (Solver::RetroEdges, false) => {
                "a larger --memory, a smaller board or playing backwards (`Unplay`) would help"
            }
            (_, true) => {
                "a larger --memory, a smaller board or a numbering for the game (`Index`) would help"
            }
            _ => "a larger --memory or a smaller board would help",
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = if self.walked { "found by walking the game" } else { "numbered by the game" };
        write!(
            f,
            "{} over {} slots {found}, because {}; about {} of memory",
            self.solver,
            self.slots,
            self.why,
            Bytes(self.memory)
        )
    }
}

/// Bytes in use while `tier` is solved: the later tiers it may ask for, and its own work.
fn tier_bytes<G: Game, I: Index<G::Position>>(
    task: &Task<G, I>,
    solver: Solver,
    tier: u32,
    prospect: Prospect,
) -> u64 {
    let index = task.index;
    let last = index.reach(tier).max(tier);
    let values: u64 = (tier..=last.min(index.tiers() - 1)).map(|tier| index.len(tier)).sum();
    if !index.loopy(tier) {
        return values;
    }
    // A count of two bytes each, and four for those in the frontier.
    let len = index.len(tier);
    let work = len * 2 + len * 2;
    if solver == Solver::RetroUnplay {
        return values + work;
    }
    let wide = if len < 1 << 31 { 0 } else { 4 };
    let children = prospect.children.unwrap_or_else(|| sample_children(task, tier));
    values + work + ((6 + wide) as f64 * children * len as f64) as u64
}

/// The average number of children inside the tier, over the slots of an evenly spaced sample.
fn sample_children<G: Game, I: Index<G::Position>>(task: &Task<G, I>, tier: u32) -> f64 {
    let Task { game, index, .. } = task;
    let len = index.len(tier);
    let sample = len.min(4096);
    let mut children = 0;
    for i in 0..sample {
        let slot = Slot { tier, index: (u128::from(i) * u128::from(len) / u128::from(sample)) as u64 };
        let Some(at) = index.position(slot) else { continue };
        if game.over(&at).is_none() {
            let inside = |to| index.child(slot, &to).tier == tier;
            children += game.moves(&at).into_iter().filter(|mv| inside(game.play(&at, mv.clone()))).count();
        }
    }
    children as f64 / sample.max(1) as f64
}
