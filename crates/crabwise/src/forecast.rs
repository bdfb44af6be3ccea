//! What solving a game would take, on one machine and on many, from a [`Sample`] of it.
//!
//! A tier takes slots × seconds a slot, shared by all cores; then its packed blocks travel. Later tiers are whole
//! in every process if they fit there, as `apart/run.rs` decides, and otherwise their values are asked for. In
//! tiers with loops every un-move to another worker's position is a letter. Nothing here overlaps: computing,
//! the network and the disk are added up.

use crate::{Sample, Solver, extent::Extent, sample::TierSample, table::block_of};

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
    /// Bytes of memory a machine with later tiers whole.
    pub whole: u64,
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
    /// Seconds of one core in all.
    pub work: f64,
    /// Seconds of the cluster: computing, network, disk.
    pub computing: f64,
    /// See above.
    pub sending: f64,
    /// See above.
    pub writing: f64,
}

/// Bytes of a letter; of bad news where a slot stands for several positions, twice that. Half of the news
/// is bad.
const LETTER: f64 = 4.0;
/// Bytes that go with each move while a game is walked: two keys.
const KEYS: f64 = 16.0;
/// Bytes that a worker needs for a round of questions and letters.
const ROUND: u64 = 32 << 20;
/// The program itself.
const OVERHEAD: u64 = 16 << 20;

impl Forecast {
    /// The forecast for a game on a fleet.
    pub fn new(sample: &Sample, fleet: &Fleet) -> Forecast {
        let slots: u64 = sample.tiers.iter().map(|tier| tier.slots).fold(0, u64::saturating_add);
        let largest = sample.tiers.iter().map(|tier| tier.slots).max().unwrap_or(0);
        let (whole, parts) = memory(sample, fleet);
        let way = match () {
            _ if whole <= fleet.memory && sample.counting <= fleet.memory => Way::Whole,
            _ if parts <= fleet.memory => Way::Parts,
            _ => Way::No,
        };
        let table = slots as f64 * fleet.packed;
        let Traffic { exchanged, busiest } = traffic(sample, fleet, way, table);
        let plain = way != Way::Whole && sample.solver == Solver::Kernel;
        let work = work(sample, plain);
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
            work,
            computing: work / (fleet.machines * fleet.cores) as f64,
            sending: if fleet.machines > 1 { busiest / fleet.network } else { 0.0 },
            writing: table / fleet.disk,
        }
    }
}

/// Seconds of one core, solving, packing and counting included.
fn work(sample: &Sample, plain: bool) -> f64 {
    let tier = |tier: &TierSample| {
        let solving = if plain { tier.plain } else { tier.seconds };
        tier.slots as f64 * (solving + sample.pack + sample.count + sample.walk)
    };
    sample.tiers.iter().map(tier).sum()
}

/// Bytes a machine with later tiers whole, and in parts.
fn memory(sample: &Sample, fleet: &Fleet) -> (u64, u64) {
    let bytes = |slots: u64| if sample.outcomes { slots / 4 } else { slots };
    let whole = |(i, tier): (usize, &TierSample)| {
        let later = later(sample, i).map(|tier| bytes(tier.slots)).fold(0, u64::saturating_add);
        let own = (tier.slots / fleet.machines).saturating_mul(if tier.loopy { 8 } else { 1 });
        later.saturating_add(later / 4).saturating_add(own)
    };
    let parts = |(i, tier): (usize, &TierSample)| {
        let later = later(sample, i).map(|tier| bytes(tier.slots)).fold(0, u64::saturating_add);
        let own = (tier.slots / fleet.machines).saturating_mul(if tier.loopy { 8 } else { 1 });
        (later / fleet.machines).saturating_add(own)
    };
    let edges = match sample.solver {
        Solver::RetroEdges => {
            let edges = sample.tiers.iter().map(|tier| tier.slots as f64 * tier.inner * 10.0);
            edges.fold(0.0, f64::max) as u64 / fleet.machines
        }
        _ => 0,
    };
    // Positions that were walked to are where their keys are.
    let numbering = match sample.extent {
        Extent::Numbered => sample.numbering,
        _ => sample.numbering / fleet.machines,
    };
    let rest = numbering.saturating_add(edges).saturating_add(OVERHEAD);
    let most = |of: &dyn Fn((usize, &TierSample)) -> u64| {
        sample.tiers.iter().enumerate().map(of).max().unwrap_or(0)
    };
    let whole = most(&whole).max(sample.counting).saturating_add(rest);
    let parts =
        most(&parts).max(sample.counting).saturating_add(rest).saturating_add(ROUND * fleet.cores);
    (whole, parts)
}

/// The tiers after one that its moves lead to.
fn later(sample: &Sample, tier: usize) -> impl Iterator<Item = &TierSample> {
    let reach = sample.tiers[tier].reach as usize;
    sample.tiers.iter().skip(tier + 1).take(reach.saturating_sub(tier))
}

struct Traffic {
    exchanged: f64,
    busiest: f64,
}

/// Bytes between workers: packed tiers, letters or edges, questions, marks, keys.
fn traffic(sample: &Sample, fleet: &Fleet, way: Way, table: f64) -> Traffic {
    let (machines, workers) = (fleet.machines as f64, (fleet.machines * fleet.cores) as f64);
    let elsewhere = 1.0 - 1.0 / workers;
    let slots: f64 = sample.tiers.iter().map(|tier| tier.slots as f64).sum();
    // Once to the table, or to all; and once more from the table, for counting.
    let published = match way {
        Way::Whole => table * (machines - machines / workers),
        _ => table * elsewhere,
    };
    let counted = table * (1.0 - 1.0 / machines) + sample.marks as f64 * (machines - 1.0);
    // A block that begins in one share is completed by the next worker, half a block on average.
    let seams =
        sample.tiers.len() as f64 * workers.min(slots) * block_of(slots as u64) as f64 / 2.0;
    let seams = seams.min(slots * elsewhere);
    let letter = LETTER * if sample.folds > 1 { 1.5 } else { 1.0 };
    let decided = sample.trial.map_or(1.0, |trial| trial.decided);
    let news = |tier: &TierSample| {
        let moves = tier.slots as f64 * tier.inner * elsewhere;
        let edges = if sample.backwards { 0.0 } else { 2.0 * varint(tier.slots as f64) };
        moves * (letter * decided + edges)
    };
    let asked = |tier: &TierSample| match way {
        Way::Whole => 0.0,
        // Each distinct child once a round: its distance from the one before, and its value.
        _ => {
            let moves = tier.slots as f64 * (tier.moves - tier.inner);
            let round = 65_536.0 * (tier.moves - tier.inner).max(1.0) / workers;
            moves * elsewhere * (varint(tier.slots as f64 / workers / round) + 1.0)
        }
    };
    let walked = match sample.extent {
        Extent::Numbered => 0.0,
        _ => {
            sample.tiers.iter().map(|tier| tier.slots as f64 * tier.moves * KEYS).sum::<f64>()
                * elsewhere
        }
    };
    let even: f64 =
        sample.tiers.iter().map(|tier| news(tier) + asked(tier)).sum::<f64>() + walked + seams;
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
