//! Why a game, or one tier of it, could not be solved.

use std::fmt;

use super::communicator::Lost;
use crate::{
    game::{MAX_DISTANCE, one_line},
    graph::Graph,
    index::Slot,
    table::TableError,
    watch::{Bytes, Count, Stop},
};

/// A broken promise of a game or a numbering, met while solving, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(String);

impl Fault {
    /// The numbering, or a kernel, breaks its contract.
    pub fn numbering(how: impl fmt::Display) -> Fault {
        Fault(format!("the numbering breaks its contract: {how}"))
    }

    /// The un-moves are not the moves seen from the other end.
    pub(crate) fn unplay(how: impl fmt::Display) -> Fault {
        Fault(format!("the un-moves break their contract: {how}"))
    }

    /// What the game says of what is reached, and of how many moves there are, is wrong.
    pub(crate) fn spread(how: impl fmt::Display) -> Fault {
        Fault(format!("the reachability kernel breaks its contract: {how}"))
    }

    /// The kernel's value is not the one that the rules give.
    pub(crate) fn kernel(how: impl fmt::Display) -> Fault {
        Fault(format!("the kernel breaks its contract: {how}"))
    }

    /// What the game says of many positions at once is not what it says of each.
    pub(crate) fn expansion(how: impl fmt::Display) -> Fault {
        Fault(format!("`expand` breaks its contract: {how}"))
    }

    /// The `nth` move from a slot leads to a slot where it must not.
    pub(crate) fn astray(graph: &dyn Graph, slot: Slot, nth: usize, to: Slot) -> Fault {
        let (from, child) = (graph.show(slot), graph.show_child(slot, nth));
        let why = misplaced(graph, Some(slot.tier), to);
        Fault(format!("a move leads from {from} to {child}, which has no place there: {why}"))
    }

    /// A position is not over and yet has no move.
    pub(crate) fn stuck(position: &str) -> Fault {
        let position = one_line(position);
        Fault(format!("the rules give no move and no outcome at {position}"))
    }

    /// The start is not numbered.
    pub(crate) fn no_start(graph: &dyn Graph) -> Fault {
        let why = misplaced(graph, None, graph.start());
        Fault(format!("the start has no place: {why}"))
    }

    /// A kernel gives a draw, or nothing that is a value, where play cannot be endless.
    pub(crate) fn drawn(tier: u32) -> Fault {
        Fault(format!("the kernel gives a draw in tier {tier}, where play cannot be endless"))
    }

    /// A position has more moves than can be counted.
    pub(crate) fn too_many_moves(moves: u64) -> Fault {
        Fault(format!("a position has {moves} moves; at most 65,533 can be counted"))
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
    } else if from.is_some_and(|from| tier > graph.last_child_tier(from)) {
        format!("it is in tier {tier}, further than `last_child_tier` says")
    } else {
        format!("`position` says that slot {to} is a hole")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// What was solved, or `None` where a distance does not fit in the word.
pub(crate) fn fits<T>(solved: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match solved {
        Err(SolveError::TooFar) => Ok(None),
        solved => solved.map(Some),
    }
}

/// Refuses what would take more memory than the limit.
pub(crate) fn need_memory(doing: &'static str, bytes: u64, limit: u64) -> Result<(), SolveError> {
    if bytes > limit { Err(SolveError::no_memory(doing, bytes, limit)) } else { Ok(()) }
}

/// Why a game could not be solved.
#[derive(Debug)]
pub enum SolveError {
    /// It would not fit in memory.
    NoMemory {
        /// What was to be done.
        doing: &'static str,
        /// Bytes that it would take.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
        /// What would help.
        remedy: String,
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
    /// A distance is longer than [`MAX_DISTANCE`], or than the word of a kernel holds.
    TooFar,
    /// Outcomes alone were asked for, and moves stay inside a tier.
    Circles,
    /// The game has more positions than any table.
    Untabled {
        /// Why, and what can be done without.
        why: &'static str,
    },
    /// It takes distances, and outcomes alone are kept.
    NeedsDistances {
        /// What takes them.
        what: &'static str,
    },
    /// The game or its numbering is broken.
    Fault(Fault),
    /// The game has no numbering, and more positions than fit in memory.
    TooLarge {
        /// How many were found, or by a guess would be.
        positions: u64,
        /// How many bytes they take.
        bytes: u64,
        /// How many bytes were allowed.
        limit: u64,
        /// Whether that is a guess by the first of them.
        foreseen: bool,
    },
    /// Two positions differ but are hashed alike whatever the salt.
    Alike {
        /// One of them.
        one: String,
        /// The other.
        two: String,
    },
    /// The table could not be read or written.
    Table(TableError),
    /// The watcher stopped it.
    Stopped(Stop),
    /// The watcher stopped the counting of what can be reached. The table is whole.
    Uncounted(Stop),
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

impl SolveError {
    /// That something does not fit in memory, and takes what it takes.
    pub fn no_memory(doing: &'static str, bytes: u64, limit: u64) -> SolveError {
        SolveError::NoMemory { doing, bytes, limit, remedy: "a larger --memory would help".into() }
    }

    /// Whether it only says that another worker could not go on, or cannot be reached.
    pub fn is_second_hand(&self) -> bool {
        matches!(self, SolveError::Elsewhere { .. } | SolveError::Lost(_))
    }
}

holds!(SolveError: TableError => Table, Stop => Stopped, Fault => Fault);

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SolveError::NoMemory { doing, bytes, limit, ref remedy } => {
                let (bytes, limit) = (Bytes(bytes), Bytes(limit));
                write!(f, "{doing} would take about {bytes} of memory, ")?;
                write!(f, "and {limit} are allowed; {remedy}")
            }
            SolveError::TooFewWorkers { tier, slots, workers } => write!(
                f,
                "tier {tier} has loops and {} slots, more than so few workers can have; {} would do",
                Count(slots),
                Count(workers)
            ),
            SolveError::TooFar => write!(
                f,
                "a forced line is longer than {MAX_DISTANCE} moves, the most a table holds"
            ),
            SolveError::Circles => f.write_str(
                "ways of different lengths meet, so play may go in circles, and then outcomes cannot \
                 be found without distances; leave out 'outcomes'",
            ),
            SolveError::Untabled { why } => f.write_str(why),
            SolveError::NeedsDistances { what } => {
                write!(f, "{what} distances, and with 'outcomes' none are kept; leave it out")
            }
            SolveError::Fault(ref fault) => fault.fmt(f),
            SolveError::TooLarge { positions, bytes, limit, foreseen } => {
                let (bytes, limit, about) = (Bytes(bytes), Bytes(limit), positions as f64);
                match foreseen {
                    false => write!(
                        f,
                        "{positions} positions found so far take {bytes}, and {limit} are allowed; a larger \
                         --memory, a smaller board or a numbering for the game (`Index`) would help"
                    ),
                    true => write!(
                        f,
                        "by its first moves the game has some {about:.0e} positions, which would take about \
                         {bytes}, and {limit} are allowed; a smaller board or a numbering for the game \
                         (`Index`) would help, and 'advise' looks ahead without a table"
                    ),
                }
            }
            SolveError::Alike { ref one, ref two } => {
                write!(f, "{one} and {two} differ, but `Hash` does not tell them apart")
            }
            SolveError::Table(ref error) => error.fmt(f),
            SolveError::Stopped(ref stop) => stop.fmt(f),
            SolveError::Uncounted(ref stop) => write!(f, "{stop}; the table is whole"),
            SolveError::Lost(ref lost) => lost.fmt(f),
            SolveError::Elsewhere { worker, ref why } => write!(f, "worker {worker}: {why}"),
        }
    }
}

impl std::error::Error for SolveError {}
