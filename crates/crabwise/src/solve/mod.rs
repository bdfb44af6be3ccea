//! Solvers. Read [`reference`](reference::reference) first: it is the definition that all others
//! must match.
//!
//! | solver | for |
//! |--------|-----|
//! | [`reference`](reference::reference), [`rounds`](reference::rounds) | any small game: the slow truths |
//! | sweep | tiers without inner moves, through a [`Kernel`] |
//! | retro | tiers with loops: parents by [`Unplay`] or by recorded edges |
//! | [`grundy`] | impartial games: nimbers, sums of independent parts |
//! | [`sums`] | the same for single positions of large games, without a table |
//! | [`horizon`] | games too large to solve: a limited number of moves ahead |
//!
//! [`Plan`] chooses. Tiers are solved from the last to the first, each in the narrowest word that
//! holds its values: when a distance turns out too long for bytes, the tier is done again in wider
//! words. Where only outcomes are wanted and no tier has inner moves, two bits a slot do
//! ([`Planes`]).

mod plan;
mod retro;
pub(crate) mod reverse;
mod sweep;

use std::fmt;

pub(crate) use self::{
    plan::sample_children,
    retro::{DECIDED, HOLE, Outlook},
    sweep::{outcome_word, sweep_tier},
};
pub use self::{
    plan::{Plan, Prospect, Solver},
    sweep::Kernel,
};
use self::{
    retro::Loopy,
    sweep::{Plain, PlainOutcomes, sweep_outcomes},
};
use crate::{
    Lost, MAX_DISTANCE, Planes, ReachabilityKernel, Slot, TableError, Tiers, WalkError, Word,
    Words,
    graph::Graph,
    watch::{Bytes, Count, Meter, Stop, Watch},
};

/// A numbered game and the abilities that its solver may use.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) kernel: Option<&'a dyn Kernel<u8>>,
    pub(crate) spread: Option<&'a dyn ReachabilityKernel>,
    /// Whether outcomes are to be kept without distances.
    pub(crate) outcomes: bool,
}

impl<'a> Task<'a> {
    /// A game without further abilities.
    pub(crate) fn plain(graph: &'a dyn Graph) -> Task<'a> {
        Task { graph, kernel: None, spread: None, outcomes: false }
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

/// Where finished tiers are kept, so that a run can go on where an earlier one was stopped.
pub(crate) trait Shelf: Send {
    /// Whether `tier` is finished already.
    fn has(&self, tier: u32) -> bool;
    /// A tier that was finished before.
    fn fetch(&mut self, tier: u32) -> Result<Words, TableError>;
    /// Keeps a finished tier.
    fn keep(&mut self, tier: u32, words: &Words) -> Result<(), TableError>;
}

/// Solves all tiers, last first, and leaves in memory those that tier 0 may reach. While a tier is
/// solved, the one that was solved before it is put on the shelf; that this failed is told once the tier is
/// solved. A shelf has the last tiers or none.
pub(crate) fn run(
    task: Task,
    shelf: &mut dyn Shelf,
    watch: &dyn Watch,
) -> Result<Tiers, SolveError> {
    let tiers = task.graph.tiers();
    let mut later = Tiers::new(tiers);
    let furthest = furthest(task.graph);
    // The tier that is solved and not on the shelf yet.
    let mut fresh = None;
    for tier in (0..tiers).rev() {
        if !shelf.has(tier) {
            fetch_needed(task, shelf, &mut later, tier)?;
            let (kept, solved) = rayon::join(
                || fresh.map_or(Ok(()), |fresh| keep(shelf, fresh, &later)),
                || solve_tier(task, tier, &later, watch),
            );
            kept?;
            later.put(tier, solved?);
            fresh = Some(tier);
        }
        let needed = furthest[tier.saturating_sub(1) as usize].max(tier);
        (needed + 1..tiers).for_each(|done| later.forget(done));
    }
    fresh.map_or(Ok(()), |fresh| keep(shelf, fresh, &later))?;
    Ok(later)
}

fn keep(shelf: &mut dyn Shelf, tier: u32, later: &Tiers) -> Result<(), TableError> {
    shelf.keep(tier, later.tier(tier).expect("a tier stays until it is kept"))
}

/// For each tier, the last one that it or an earlier one may ask for.
pub(crate) fn furthest(graph: &dyn Graph) -> Vec<u32> {
    let reach = |most: &mut u32, tier| {
        *most = graph.reach(tier).max(*most);
        Some(*most)
    };
    (0..graph.tiers()).scan(0, reach).collect()
}

/// Brings back the tiers that an earlier run finished and that `tier` may ask for.
fn fetch_needed(
    task: Task,
    shelf: &mut dyn Shelf,
    later: &mut Tiers,
    tier: u32,
) -> Result<(), SolveError> {
    for needed in tier + 1..=task.graph.reach(tier).max(tier) {
        if later.tier(needed).is_none() {
            later.put(needed, shelf.fetch(needed)?);
        }
    }
    Ok(())
}

pub(crate) fn solve_tier(
    task: Task,
    tier: u32,
    later: &Tiers,
    watch: &dyn Watch,
) -> Result<Words, SolveError> {
    if task.outcomes {
        return Ok(Words::Planes(solve_outcomes(task, tier, later, watch)?));
    }
    let narrow = match task.kernel {
        Some(kernel) if !task.graph.loopy(tier) => {
            let len = task.graph.len(tier);
            let meter = Meter::new(watch, "sweeping", Some(tier), Some(len))?;
            sweep_tier(kernel, tier, len, later, &meter).map(u8::tier)
        }
        _ => solve_tier_in::<u8>(task.graph, tier, later, watch),
    };
    let wider = match narrow {
        Err(TierError::TooFar) => solve_tier_in::<u16>(task.graph, tier, later, watch),
        done => done,
    };
    let widest = match wider {
        Err(TierError::TooFar) => solve_tier_in::<u32>(task.graph, tier, later, watch),
        done => done,
    };
    widest.map_err(|error| error.in_tier(tier))
}

fn solve_outcomes(
    task: Task,
    tier: u32,
    later: &Tiers,
    watch: &dyn Watch,
) -> Result<Planes, SolveError> {
    let len = task.graph.len(tier);
    let sweep = |kernel: &dyn Kernel<u8>| {
        let meter = Meter::new(watch, "sweeping", Some(tier), Some(len))?;
        sweep_outcomes(kernel, tier, len, later, &meter)
    };
    let plain = || sweep(&PlainOutcomes(task.graph));
    // A kernel that counts moves may run out of codes; outcomes never do.
    let swept = match task.able_kernel().map(sweep) {
        None | Some(Err(TierError::TooFar)) => plain(),
        Some(swept) => swept,
    };
    swept.map_err(|error| error.in_tier(tier))
}

fn solve_tier_in<W: Word>(
    graph: &dyn Graph,
    tier: u32,
    later: &Tiers,
    watch: &dyn Watch,
) -> Result<Words, TierError> {
    if graph.loopy(tier) {
        return Loopy::<W>::new(graph, tier, later).solve(watch).map(W::tier);
    }
    let len = graph.len(tier);
    let meter = Meter::new(watch, "sweeping", Some(tier), Some(len))?;
    sweep_tier::<W>(&Plain(graph), tier, len, later, &meter).map(W::tier)
}

/// A broken promise of a game or a numbering, met while solving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A position is not over and yet has no move.
    Stuck {
        /// Its picture.
        position: String,
    },
    /// A move leads to a position that is not numbered, or to an earlier tier.
    Astray {
        /// Where the move begins.
        from: String,
        /// Where it leads.
        to: String,
        /// What is wrong with that place.
        why: String,
    },
    /// The start has no place in the numbering.
    NoStart {
        /// What is wrong with its place.
        why: String,
    },
    /// The numbering breaks its contract.
    Numbering {
        /// How.
        how: String,
    },
    /// A slot held a position, and a moment later none.
    Unsteady {
        /// That slot.
        slot: Slot,
    },
    /// A kernel gives a draw, or nothing that is a value, where play cannot be endless.
    Drawn {
        /// The tier it is in.
        tier: u32,
    },
    /// A position has more moves than can be counted.
    TooManyMoves {
        /// How many.
        moves: u64,
    },
}

impl Fault {
    /// The `nth` move from a slot leads to a slot where it must not.
    pub(crate) fn astray(graph: &dyn Graph, slot: Slot, nth: usize, to: Slot) -> Fault {
        let (from, child) = (graph.show(slot), graph.show_child(slot, nth));
        Fault::Astray { from, to: child, why: misplaced(graph, Some(slot.tier), to) }
    }

    /// The start is not numbered.
    pub(crate) fn no_start(graph: &dyn Graph) -> Fault {
        Fault::NoStart { why: misplaced(graph, None, graph.start()) }
    }
}

/// Why a position that play reaches from tier `from`, or as its start, cannot be at slot `to`.
pub(crate) fn misplaced(graph: &dyn Graph, from: Option<u32>, to: Slot) -> String {
    let Slot { tier, index } = to;
    if to == Slot::NOWHERE {
        "the walk did not find it, so `moves` or `play` must have changed their minds".into()
    } else if tier >= graph.tiers() {
        format!("`slot` says tier {tier}, and there are {} tiers", graph.tiers())
    } else if index >= graph.len(tier) {
        format!("`slot` says {to}, and tier {tier} has {} slots", graph.len(tier))
    } else if from.is_some_and(|from| tier < from) {
        format!("it is in tier {tier}, which is earlier")
    } else if from == Some(tier) && !graph.loopy(tier) {
        format!("it stays in tier {tier}, and `loopy({tier})` is false")
    } else if from.is_some_and(|from| tier > graph.reach(from)) {
        format!("it is in tier {tier}, further than `reach` says")
    } else {
        format!("`position` says that slot {to} is a hole")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Stuck { position } => {
                write!(f, "the rules give no move and no outcome at {position}")
            }
            Fault::Astray { from, to, why } => {
                write!(f, "a move leads from {from} to {to}, which has no place there: {why}")
            }
            Fault::NoStart { why } => write!(f, "the start has no place: {why}"),
            Fault::Numbering { how } => write!(f, "the numbering breaks its contract: {how}"),
            Fault::Unsteady { slot } => {
                write!(f, "slot {slot} is a hole only sometimes")
            }
            Fault::Drawn { tier } => {
                write!(f, "the kernel gives a draw in tier {tier}, where play cannot be endless")
            }
            Fault::TooManyMoves { moves } => {
                write!(f, "a position has {moves} moves; at most 65,533 can be counted")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Why a tier could not be solved in a given word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TierError {
    /// A distance does not fit in the word.
    TooFar,
    /// The game or its numbering is broken.
    Fault(Fault),
    /// The watcher stopped it.
    Stopped(Stop),
}

impl TierError {
    fn in_tier(self, tier: u32) -> SolveError {
        match self {
            TierError::TooFar => SolveError::TooFar { tier },
            TierError::Fault(fault) => SolveError::Fault(fault),
            TierError::Stopped(stop) => SolveError::Stopped(stop),
        }
    }
}

impl From<Fault> for TierError {
    fn from(fault: Fault) -> TierError {
        TierError::Fault(fault)
    }
}

impl From<Stop> for TierError {
    fn from(stop: Stop) -> TierError {
        TierError::Stopped(stop)
    }
}

/// Why a game could not be solved.
#[derive(Debug)]
pub enum SolveError {
    /// It would not fit in memory.
    NoRoom {
        /// What was planned.
        plan: Box<Plan>,
        /// Bytes allowed.
        limit: u64,
    },
    /// Something besides solving would not fit in memory.
    NoMemory {
        /// What was to be done.
        doing: &'static str,
        /// Bytes that it would take.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A worker would have more slots of a tier with loops than it can have.
    TooFewWorkers {
        /// The tier.
        tier: u32,
        /// How many slots it has.
        slots: u64,
        /// How many workers would do.
        workers: u64,
    },
    /// A distance is longer than [`MAX_DISTANCE`].
    TooFar {
        /// The tier it is in.
        tier: u32,
    },
    /// Outcomes alone were asked for, and moves stay inside a tier.
    Circles,
    /// It takes distances, and outcomes alone are kept.
    Untold {
        /// What takes them.
        what: &'static str,
    },
    /// The game or its numbering is broken.
    Fault(Fault),
    /// The positions could not be found.
    Walk(WalkError),
    /// The table could not be read or written.
    Table(TableError),
    /// The watcher stopped it.
    Stopped(Stop),
    /// Other workers can no longer be reached.
    Lost(Lost),
    /// Another worker could not go on.
    Elsewhere {
        /// Which.
        worker: usize,
        /// Why, in its words.
        why: String,
    },
}

impl From<WalkError> for SolveError {
    fn from(error: WalkError) -> SolveError {
        match error {
            WalkError::Stopped(stop) => SolveError::Stopped(stop),
            error => SolveError::Walk(error),
        }
    }
}

impl From<TableError> for SolveError {
    fn from(error: TableError) -> SolveError {
        SolveError::Table(error)
    }
}

impl From<Stop> for SolveError {
    fn from(stop: Stop) -> SolveError {
        SolveError::Stopped(stop)
    }
}

impl From<Fault> for SolveError {
    fn from(fault: Fault) -> SolveError {
        SolveError::Fault(fault)
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::NoRoom { plan, limit } => write!(
                f,
                "solving would take about {} of memory, and {} are allowed; {}",
                Bytes(plan.needed()),
                Bytes(*limit),
                plan.remedy()
            ),
            SolveError::NoMemory { doing, bytes, limit } => write!(
                f,
                "{doing} would take about {} of memory, and {} are allowed; a larger --memory \
                 would help",
                Bytes(*bytes),
                Bytes(*limit)
            ),
            SolveError::TooFewWorkers { tier, slots, workers } => write!(
                f,
                "tier {tier} has loops and {} slots, more than so few workers can have; {} would do",
                Count(*slots),
                Count(*workers)
            ),
            SolveError::TooFar { .. } => {
                write!(
                    f,
                    "a forced line is longer than {MAX_DISTANCE} moves, the most a table holds"
                )
            }
            SolveError::Circles => f.write_str(
                "ways of different lengths meet, so play may go in circles, and then outcomes cannot \
                 be found without distances; leave out 'outcomes'",
            ),
            SolveError::Untold { what } => {
                write!(f, "{what} distances, and with 'outcomes' none are kept; leave it out")
            }
            SolveError::Fault(fault) => fault.fmt(f),
            SolveError::Walk(error) => error.fmt(f),
            SolveError::Table(error) => error.fmt(f),
            SolveError::Stopped(stop) => stop.fmt(f),
            SolveError::Lost(lost) => lost.fmt(f),
            SolveError::Elsewhere { worker, why } => write!(f, "worker {worker}: {why}"),
        }
    }
}

impl std::error::Error for SolveError {}
