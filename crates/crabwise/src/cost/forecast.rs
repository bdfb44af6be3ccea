//! What solving a game would take, on one machine and on many, from a [`Sample`] of it.
//!
//! A tier takes slots × seconds a slot, shared by all cores; then its packed blocks travel. Later tiers are whole
//! in every process if they fit there, by the measure of `memory_model`, and otherwise their values are asked for;
//! marks of what can be reached are whole in the first process if they fit there. In tiers with loops every un-move
//! to another worker's position is an update. Nothing here overlaps: computing, the network and the disk are added up.

use crate::{
    cost::{calibration::Sample, memory_model::TierSample, plan::Solver, size_estimate::Extent},
    solve::{communicator::Topology, retrograde::EDGES},
    table::block_of,
};

/// Machines that solve together, a process each.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// How many.
    pub machines: u64,
    /// Cores of each, a worker for each.
    pub cores: u64,
    /// Bytes of memory of each.
    pub memory: u64,
    /// Bytes a second that each can send.
    pub network: f64,
    /// Bytes a second that the disk of the first can write.
    pub disk: f64,
    /// Bytes of the table a slot.
    pub packed: f64,
}

/// How machines would hold later tiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Whole, in every process.
    Whole,
    /// In parts, each worker its own, and asked for.
    Parts,
    /// Not at all: there is not enough memory.
    No,
}

/// What it would take.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// Slots in all, and in the largest tier.
    pub slots: u64,
    /// See above.
    pub largest: u64,
    /// Bytes of memory a machine with later tiers whole; none where the game has to be walked, because then each
    /// worker has what it found.
    pub whole: Option<u64>,
    /// Bytes of memory a machine with later tiers in parts.
    pub parts: u64,
    /// Which way it would be.
    pub way: Way,
    /// Bytes that go from worker to worker, those of one machine among themselves included.
    pub exchanged: f64,
    /// Bytes that leave the busiest machine, or come to it.
    pub busiest: f64,
    /// Bytes of the table.
    pub table: f64,
    /// Bytes of files while one machine streams.
    pub scratch: f64,
    /// Whether marks of what can be reached would be in parts.
    pub marks_apart: bool,
    /// Seconds of one core in all.
    pub work: f64,
    /// Seconds of the cluster: computing, network, disk.
    pub computing: f64,
    /// See above.
    pub sending: f64,
    /// See above.
    pub writing: f64,
}

/// Bytes of a letter; of bad news where a slot stands for several positions, half as many more. Half of the
/// news is bad. Partition of more than 2³⁰ slots have letters twice as long.
const LETTER: f64 = 4.0;
/// Bytes that go with each move while a game is walked: two keys.
const KEYS: f64 = 16.0;

impl Forecast {
    /// The forecast for a game on a fleet.
    pub fn new(sample: &Sample, fleet: &Fleet) -> Forecast {
        let slots: u64 = sample.tiers.iter().map(|tier| tier.slots).fold(0, u64::saturating_add);
        let largest = sample.tiers.iter().map(|tier| tier.slots).max().unwrap_or(0);
        let model = sample.memory_model(fleet.machines);
        let topology = Topology { processes: fleet.machines, workers: fleet.cores };
        let (solving, counting) =
            (model.solving(sample.tiers.len(), topology), model.counting(topology));
        let counted = counting.within(fleet.memory);
        let parts = solving.parts.max(counted);
        let whole = (sample.extent == Extent::Numbered).then_some(solving.whole.max(counted));
        // Alone a process has them whole or not at all.
        let marks_apart = model.marks > 0 && fleet.machines > 1 && counted != counting.whole;
        let way = match () {
            _ if whole.is_some_and(|whole| whole <= fleet.memory) => Way::Whole,
            _ if parts <= fleet.memory => Way::Parts,
            _ => Way::No,
        };
        let table = slots as f64 * fleet.packed;
        let Traffic { even, published, counted } = Traffic::new(sample, fleet, way, marks_apart);
        let plain = way != Way::Whole && sample.solver == Solver::Kernel;
        let work = work(sample, plain, marks_apart);
        // All machines share what goes from worker to worker; what goes from the table leaves the first, which
        // also takes in what goes there.
        let busiest = (even + published) / fleet.machines as f64 + counted + table;
        Forecast {
            slots,
            largest,
            whole,
            parts,
            way,
            exchanged: published + counted + even,
            busiest,
            table,
            scratch: scratch(sample),
            marks_apart,
            work,
            computing: work / (fleet.machines * fleet.cores) as f64,
            sending: if fleet.machines > 1 { busiest / fleet.network } else { 0.0 },
            writing: table / fleet.disk,
        }
    }
}

/// Seconds of one core, solving, packing and counting included.
fn work(sample: &Sample, plain: bool, marks_apart: bool) -> f64 {
    let tier = |tier: &TierSample| {
        let solving = if plain { tier.plain } else { tier.seconds };
        // Marks in parts are found by following all moves.
        let count = if marks_apart { tier.plain * sample.mark_bits as f64 } else { sample.count };
        tier.slots as f64 * (solving + sample.pack + count + sample.walk)
    };
    sample.tiers.iter().map(tier).sum()
}

/// Bytes between workers.
struct Traffic {
    /// From any worker to any other: letters or edges, questions, marks, keys.
    even: f64,
    /// Packed tiers, once to the table, or to all.
    published: f64,
    /// Packed tiers once more from the table, for counting, and marks.
    counted: f64,
}

impl Traffic {
    fn new(sample: &Sample, fleet: &Fleet, way: Way, marks_apart: bool) -> Traffic {
        let (machines, workers) = (fleet.machines as f64, (fleet.machines * fleet.cores) as f64);
        let elsewhere = 1.0 - 1.0 / workers;
        let slots: f64 = sample.tiers.iter().map(|tier| tier.slots as f64).sum();
        let table = slots * fleet.packed;
        let published = match way {
            Way::Whole => machines - machines / workers,
            _ => elsewhere,
        };
        let marks = if marks_apart { 0.0 } else { sample.marks as f64 * (machines - 1.0) };
        // A block that begins in one share is completed by the next worker, half a block on average.
        let seams =
            sample.tiers.len() as f64 * workers.min(slots) * block_of(slots as u64) as f64 / 2.0;
        let tiers = (0..).zip(&sample.tiers).map(|(depth, tier)| {
            let mut each = news(sample, tier, workers);
            if way != Way::Whole {
                // With the answers, a byte each.
                let leaving = tier.moves - tier.inner;
                each += leaving * (1.0 + told(sample, tier, leaving, workers));
            }
            if marks_apart {
                let moves = tier.moves * sample.mark_bits as f64;
                each += moves * told(sample, tier, moves, workers);
            }
            if sample.extent != Extent::Numbered {
                // For each position the way to it, a byte or so a move.
                each += tier.moves * KEYS + f64::from(depth) + 2.0;
            }
            tier.slots as f64 * each * elsewhere
        });
        Traffic {
            even: tiers.sum::<f64>() + seams.min(slots * elsewhere),
            published: table * published,
            counted: table * (1.0 - 1.0 / machines) + marks,
        }
    }
}

/// Bytes a slot of letters and edges inside a tier.
fn news(sample: &Sample, tier: &TierSample, workers: f64) -> f64 {
    let wide = tier.slots as f64 / workers > 2_f64.powi(30);
    let letter = LETTER * if wide { 2.0 } else { 1.0 } + if sample.folds > 1 { 1.0 } else { 0.0 };
    let decided = sample.trial.map_or(1.0, |trial| trial.decided);
    tier.inner * (letter * decided + edge(sample, tier))
}

/// Bytes of an edge, where moves are recorded: two slots.
fn edge(sample: &Sample, tier: &TierSample) -> f64 {
    if sample.solver == Solver::RetroEdges { 2.0 * varint(tier.slots as f64) } else { 0.0 }
}

/// Bytes of each of some moves a slot, told once a round: its distance from the one before, by slots or by keys, as a
/// number.
fn told(sample: &Sample, tier: &TierSample, moves: f64, workers: f64) -> f64 {
    let walked = sample.extent != Extent::Numbered;
    let space = if walked { 2_f64.powi(64) } else { tier.slots as f64 };
    let round = (EDGES as f64).min(tier.slots as f64 * moves / workers);
    varint(space / round.max(1.0))
}

/// Bytes of a number of about this size.
fn varint(number: f64) -> f64 {
    (number.max(1.0).log2() / 7.0).floor() + 1.0
}

/// Bytes of the largest tier's parts while others are at work, with news of two levels at the most.
fn scratch(sample: &Sample) -> f64 {
    let tier = |tier: &TierSample| {
        let parked = 7.0 + tier.inner * (LETTER + edge(sample, tier));
        if tier.loopy { tier.slots as f64 * parked } else { 0.0 }
    };
    sample.tiers.iter().map(tier).fold(0.0, f64::max)
}
