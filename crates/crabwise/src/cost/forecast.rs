//! What solving a game would take, on one machine and on many, from a [`Sample`] of it.
//!
//! A tier takes slots × seconds a slot, shared by all cores; then its packed blocks travel. Later tiers are whole
//! in every process if they fit there, by the measure of `memory_model`, and otherwise their values are asked for;
//! marks of what can be reached are whole in the first process if they fit there. In tiers with loops every un-move
//! to another worker's position is an update. Nothing here overlaps: computing, the network and the disk are added up.

use crate::{
    cost::{
        calibration::{Sample, TierSample},
        memory_model::{Measure, for_counting, for_solving},
        plan::Solver,
        size_estimate::Extent,
    },
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
        let Needed { whole, parts, marks_apart } = memory(sample, fleet);
        let way = match () {
            _ if whole.is_some_and(|whole| whole <= fleet.memory) => Way::Whole,
            _ if parts <= fleet.memory => Way::Parts,
            _ => Way::No,
        };
        let table = slots as f64 * fleet.packed;
        let Traffic { exchanged, busiest } = traffic(sample, fleet, way, table, marks_apart);
        let plain = way != Way::Whole && sample.solver == Solver::Kernel;
        let work = work(sample, plain, marks_apart);
        Forecast {
            slots,
            largest,
            whole,
            parts,
            way,
            exchanged,
            busiest,
            table,
            scratch: scratch(sample, fleet),
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

/// Bytes a machine.
struct Needed {
    /// With later tiers whole, where they can be.
    whole: Option<u64>,
    /// With later tiers in parts.
    parts: u64,
    /// Whether marks of what can be reached are in parts.
    marks_apart: bool,
}

fn memory(sample: &Sample, fleet: &Fleet) -> Needed {
    let measure = |tier: &TierSample| {
        let edges = if tier.loopy && !sample.backwards { tier.inner } else { 0.0 };
        Measure { slots: tier.slots, reach: tier.reach, loopy: tier.loopy, edges }
    };
    let tiers: Vec<Measure> = sample.tiers.iter().map(measure).collect();
    let topology = Topology { processes: fleet.machines, workers: fleet.cores };
    // Positions that were walked to are where their keys are.
    let numbering = match sample.extent {
        Extent::Numbered => sample.numbering,
        _ => sample.numbering / fleet.machines,
    };
    let solving = for_solving(&tiers, tiers.len(), sample.outcomes, topology).with(numbering);
    // A walk finds what can be reached, and nothing is marked.
    let marked = sample.counting > 0;
    let bits = if marked { sample.mark_bits } else { 0 };
    let counting = for_counting(&tiers, topology, sample.counting, bits).with(numbering);
    let counted = counting.within(fleet.memory);
    Needed {
        whole: (sample.extent == Extent::Numbered).then_some(solving.whole.max(counted)),
        parts: solving.parts.max(counted),
        // Alone a process has them whole or not at all.
        marks_apart: marked && fleet.machines > 1 && counted != counting.whole,
    }
}

struct Traffic {
    exchanged: f64,
    busiest: f64,
}

/// Bytes between workers: packed tiers, letters or edges, questions, marks, keys.
fn traffic(sample: &Sample, fleet: &Fleet, way: Way, table: f64, marks_apart: bool) -> Traffic {
    let (machines, workers) = (fleet.machines as f64, (fleet.machines * fleet.cores) as f64);
    let elsewhere = 1.0 - 1.0 / workers;
    let slots: f64 = sample.tiers.iter().map(|tier| tier.slots as f64).sum();
    // Once to the table, or to all; and once more from the table, for counting.
    let published = match way {
        Way::Whole => table * (machines - machines / workers),
        _ => table * elsewhere,
    };
    let marks = if marks_apart { 0.0 } else { sample.marks as f64 * (machines - 1.0) };
    let counted = table * (1.0 - 1.0 / machines) + marks;
    // A block that begins in one share is completed by the next worker, half a block on average.
    let seams =
        sample.tiers.len() as f64 * workers.min(slots) * block_of(slots as u64) as f64 / 2.0;
    let seams = seams.min(slots * elsewhere);
    let letter = |tier: &TierSample| {
        let wide = tier.slots as f64 / workers > 2_f64.powi(30);
        LETTER * if wide { 2.0 } else { 1.0 } + if sample.folds > 1 { 1.0 } else { 0.0 }
    };
    let decided = sample.trial.map_or(1.0, |trial| trial.decided);
    let news = |tier: &TierSample| {
        let moves = tier.slots as f64 * tier.inner * elsewhere;
        let edges = if sample.backwards { 0.0 } else { 2.0 * varint(tier.slots as f64) };
        moves * (letter(tier) * decided + edges)
    };
    // Each of some moves once a round: its distance from the one before, by slots or by keys, as a number.
    let walked = sample.extent != Extent::Numbered;
    let told = |tier: &TierSample, moves: f64| {
        let all = tier.slots as f64 * moves;
        let space = if walked { 2_f64.powi(64) } else { tier.slots as f64 };
        all * elsewhere * varint(space / (EDGES as f64).min(all / workers).max(1.0))
    };
    let asked = |tier: &TierSample| match way {
        Way::Whole => 0.0,
        // With the answers, a byte each.
        _ => {
            let leaving = tier.moves - tier.inner;
            told(tier, leaving) + tier.slots as f64 * leaving * elsewhere
        }
    };
    let marked = |tier: &TierSample| match marks_apart {
        true => told(tier, tier.moves * sample.mark_bits as f64),
        false => 0.0,
    };
    // Two keys for each move, and for each position the way to it, a byte or so a move.
    let found = |(depth, tier): (usize, &TierSample)| {
        tier.slots as f64 * (tier.moves * KEYS + depth as f64 + 2.0) * elsewhere
    };
    let found: f64 = sample.tiers.iter().enumerate().filter(|_| walked).map(found).sum();
    let even: f64 =
        sample.tiers.iter().map(|tier| news(tier) + asked(tier) + marked(tier)).sum::<f64>()
            + found
            + seams;
    // All machines share what goes from worker to worker; what goes from the table leaves the first, which
    // also takes in what goes there.
    Traffic {
        exchanged: published + counted + even,
        busiest: (even + published) / machines + counted + table,
    }
}

/// Bytes of a number of about this size.
fn varint(number: f64) -> f64 {
    (number.max(1.0).log2() / 7.0).floor() + 1.0
}

/// Bytes of the largest tier's parts while others are at work, with news of two levels at the most, and
/// of its packed blocks before they go to the table.
fn scratch(sample: &Sample, fleet: &Fleet) -> f64 {
    let tier = |tier: &TierSample| {
        let edges = if sample.backwards { 0.0 } else { 2.0 * varint(tier.slots as f64) };
        let parked = if tier.loopy { 7.0 + tier.inner * (LETTER + edges) } else { 0.0 };
        tier.slots as f64 * (parked + fleet.packed)
    };
    sample.tiers.iter().map(tier).fold(0.0, f64::max)
}
