//! Which solver, why, and how much memory it will take.

use std::fmt;

use crate::{
    analysis::{
        reachability::Reached,
        reachability_kernel::{Flow, ReachabilityKernel},
    },
    erased::{ErasedGame, numbering::Prospect},
    graph::{Ask, Graph, Page},
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

/// Pieces of memory below this size are not given back to the system at once.
const SMALL: u64 = 32 << 20;

impl ErasedGame {
    pub(crate) fn plan_of(&self, task: Task, prospect: Prospect) -> Plan {
        Plan::new(task, prospect, self.abilities.spread.as_deref())
    }
}

impl Plan {
    /// Chooses the solver and predicts its memory.
    pub(crate) fn new(
        task: Task,
        prospect: Prospect,
        spread: Option<&dyn ReachabilityKernel>,
    ) -> Plan {
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
        let memory = predict(task, task.outcomes, prospect, spread);
        let without = || predict(task, true, prospect, spread);
        let without_distances =
            (!loopy && !task.outcomes).then(without).filter(|less| *less < memory);
        let (slots, folds, outcomes) = (graph.total(), graph.max_orbit(), task.outcomes);
        let least = predict_streamed(task, prospect, spread);
        let streams = None;
        Plan {
            solver,
            why,
            slots,
            memory,
            walked,
            folds,
            outcomes,
            streams,
            least,
            without_distances,
        }
    }

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

/// Bytes of memory at the peak.
fn predict(
    task: Task,
    outcomes: bool,
    prospect: Prospect,
    spread: Option<&dyn ReachabilityKernel>,
) -> u64 {
    let graph = task.graph;
    let solving = (0..graph.tiers()).map(|tier| tier_bytes(graph, tier, outcomes, prospect));
    let values = |tier| value_bytes(graph.len(tier), outcomes);
    let most = peak(graph, prospect, spread, solving.max().unwrap_or(0), &values);
    // What is freed in small pieces is not always used again.
    most.saturating_add(most / 16).saturating_add(OVERHEAD)
}

/// Bytes of memory at the least, where tiers stream through files: for solving, and for what is reached.
fn predict_streamed(
    task: Task,
    prospect: Prospect,
    spread: Option<&dyn ReachabilityKernel>,
) -> u64 {
    let solving = least(task.graph, block_of(task.graph.total()));
    let most = peak(task.graph, prospect, spread, solving, &|_| 0);
    most.saturating_add(most / 7).saturating_add(OVERHEAD + OVERHEAD / 7)
}

/// Bytes of solving or of counting, whichever takes more, beside the numbering; or of making that. While a tier is
/// counted, this number of bytes of its values is in memory.
fn peak(
    graph: &dyn Graph,
    prospect: Prospect,
    spread: Option<&dyn ReachabilityKernel>,
    solving: u64,
    values: &dyn Fn(u32) -> u64,
) -> u64 {
    // A walk finds what can be reached; otherwise that is followed while it is counted, tier by tier.
    let counting = match (prospect.children, spread) {
        (Some(_), _) => 0,
        (None, Some(spread)) => Flow::peak(spread, graph.tiers(), values),
        (None, None) => Reached::bytes(graph) + (0..graph.tiers()).map(values).max().unwrap_or(0),
    };
    prospect.making.max(prospect.numbering.saturating_add(solving.max(counting)))
}

/// Bytes that the values of `slots` slots take: one each, or two bits.
fn value_bytes(slots: u64, outcomes: bool) -> u64 {
    if outcomes { slots.div_ceil(64) * 16 } else { slots }
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

/// Bytes in use while `tier` is solved: the later tiers it may ask for, and its own work.
fn tier_bytes(graph: &dyn Graph, tier: u32, outcomes: bool, prospect: Prospect) -> u64 {
    let last = graph.last_child_tier(tier).clamp(tier, graph.tiers() - 1);
    let values: u64 = (tier..=last).map(|tier| value_bytes(graph.len(tier), outcomes)).sum();
    if !graph.loopy(tier) {
        // The tier that was let go last may still be there.
        let gone = (last + 1..graph.tiers()).next().map(|gone| graph.len(gone));
        let gone = gone.map_or(0, |len| value_bytes(len, outcomes));
        return values + if gone < SMALL { gone } else { 0 };
    }
    // Two bytes for the count, and four for each of those in the frontier, half of all at most.
    let len = graph.len(tier);
    let work = len * 2 + len * 2 + len / 8;
    if graph.backwards().is_some() {
        return values + work;
    }
    // While they are collected an edge takes its parent and two bytes of its child; a page is begun for each bucket of
    // 65,536 children.
    let parent = if len < 1 << 31 { 4 } else { 8 };
    let children = prospect.children.unwrap_or_else(|| sample_children(graph, tier));
    let edges = ((parent + 2) as f64 * children * len as f64) as u64;
    let begun = len.div_ceil(1 << 16) * 1024 * (parent + 2);
    values + work + edges + begun + len * 4
}

/// The average number of children inside the tier, over an evenly spaced sample of slots.
pub(crate) fn sample_children(graph: &dyn Graph, tier: u32) -> f64 {
    let len = graph.len(tier);
    let sample = len.min(4096);
    let spread = |i: u64| (u128::from(i) * u128::from(len) / u128::from(sample)) as u64;
    let slots: Vec<u64> = (0..sample).map(spread).collect();
    let mut page = Page::default();
    graph.scan(tier, &slots, Ask::All, &mut page);
    let inside = page.edges.iter().filter(|edge| edge.to.tier == tier).count();
    inside as f64 / sample.max(1) as f64
}
