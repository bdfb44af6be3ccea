//! Solving by workers between which there is nothing but messages: one tier after another, every worker its share.
//!
//! Later tiers are whole in every process where they fit, and otherwise each worker keeps its part of them and answers
//! for it ([`lookup`](super::lookup)). A solved tier travels to the table, and to those who need it for earlier tiers,
//! packed ([`publish`](super::publish)). A tier with loops is kept while it is being solved
//! ([`snapshot`](super::snapshot)).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Mutex, RwLock},
};

use super::{
    Kernel, Lost, Site, SolveError, Task,
    communicator::{Comm, Topology},
    error::Fault,
    furthest, held,
    lookup::Later,
    publish::{Publication, RootWriter},
    retrograde::{EDGES, Retrograde},
    share::MOST,
    snapshot::{Kept, Snapshots},
    solve_tier,
    sweep::{Pack, Plain, rounds, sweep_batch, sweep_share, whole_words},
};
use crate::{
    graph::partition::Partition,
    index::Slot,
    table::{Identity, OutcomePlanes, TierValues, Tiers, Word, Writer},
};

/// Bytes that a process needs, where later tiers are whole in each and where every worker has its part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Need {
    pub(crate) whole: u64,
    pub(crate) parts: u64,
}

impl Need {
    /// What it takes of `limit` bytes: whole where that fits.
    pub(crate) fn within(self, limit: u64) -> u64 {
        if self.whole <= limit { self.whole } else { self.parts }
    }
}

/// What the workers of one process share.
pub(crate) struct ProcessState<'a, 'w> {
    pub(crate) task: Task<'a>,
    /// The later tiers, where they are whole.
    pub(crate) later: RwLock<Tiers>,
    /// The table in the making, in the process of rank 0.
    pub(crate) writer: Option<Mutex<Writer<'w>>>,
    /// Where that is, and what it is of.
    pub(crate) table: (&'a Path, &'a Identity),
    /// Slots a block of the table.
    pub(crate) block: u64,
    /// Bytes that the process may use.
    pub(crate) memory: u64,
    /// Bytes that it needs for solving the first tiers, up to a number.
    pub(crate) need: &'a (dyn Fn(u32, Topology) -> Need + Sync),
}

/// How often a worker of a game with a numbering had later tiers in parts.
#[cfg(test)]
pub(crate) static IN_PARTS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// What workers must have in common to understand each other: the release, and a number that changes with what
/// they send.
const PROTOCOL: &str = concat!(env!("CARGO_PKG_VERSION"), "/5");

/// Sees to it that all work on the same game, told apart by its `mark`, and that none has trouble before it begins.
pub(crate) fn same_game(
    comm: &mut Comm,
    mark: u64,
    trouble: Option<&String>,
) -> Result<(), SolveError> {
    if let Some(trouble) = trouble {
        return Err(SolveError::Elsewhere { worker: comm.rank(), why: trouble.clone() });
    }
    let mark = mark ^ xxhash_rust::xxh3::xxh3_64(PROTOCOL.as_bytes());
    if comm.max(mark)? == comm.min(mark)? {
        return Ok(());
    }
    let why = "the processes are of different releases, or were given different games";
    Err(SolveError::Lost(Lost(why.into())))
}

/// Refuses, everywhere alike, what some process has no room for.
pub(crate) fn refuse_what_does_not_fit(
    comm: &mut Comm,
    bytes: u64,
    limit: u64,
) -> Result<(), SolveError> {
    let bytes = comm.max(if bytes > limit { bytes } else { 0 })?;
    if bytes == 0 {
        return Ok(());
    }
    let limit = comm.min(limit)?;
    Err(SolveError::no_memory("solving with so few processes", bytes, limit))
}

impl<'w> ProcessState<'_, 'w> {
    /// Solves all tiers that are not in the table yet, last first, with all other workers.
    pub(crate) fn solve(&self, comm: &mut Comm) -> Result<(), SolveError> {
        let graph = self.task.graph;
        let tiers = graph.tiers();
        let finished = match &self.writer {
            Some(writer) if comm.is_root() => held(writer).finished(),
            _ => 0,
        };
        let left = tiers - comm.max(finished.into())? as u32;
        self.refuse_too_few_workers(comm, left)?;
        let need = (self.need)(left, comm.topology());
        refuse_what_does_not_fit(comm, need.within(self.memory), self.memory)?;
        // Positions that only their owners can find cannot be looked up elsewhere.
        let keyed = tiers > 0 && graph.partition(0).is_some();
        let in_parts = comm.any(keyed || need.whole > self.memory)?;
        #[cfg(test)]
        IN_PARTS.fetch_add((in_parts && !keyed).into(), std::sync::atomic::Ordering::Relaxed);
        let mut later = match in_parts {
            true => Later::Partitioned(BTreeMap::new()),
            false => Later::Replicated(&self.later),
        };
        let mut here = BTreeSet::new();
        let furthest = furthest(graph);
        for tier in (0..left).rev() {
            for needed in tier + 1..=graph.last_child_tier(tier).max(tier) {
                if here.insert(needed) {
                    let partition = self.partition(comm, needed, in_parts);
                    let (partition, block) = (&partition, self.block);
                    let tier = Publication { tier: needed, partition, block, keys: None };
                    tier.bring(comm, self.root_writer(comm), &mut later)?;
                }
            }
            self.solve_and_publish(comm, tier, &mut later, in_parts)?;
            here.insert(tier);
            let needed = furthest[tier.saturating_sub(1) as usize].max(tier);
            here.retain(|here| *here <= needed);
            self.forget_after(comm, &mut later, needed);
        }
        Ok(())
    }

    /// The table in the making, where this worker is the one that writes it.
    fn root_writer(&self, comm: &Comm) -> RootWriter<'_, 'w> {
        self.writer.as_ref().filter(|_| comm.is_root())
    }

    fn refuse_too_few_workers(&self, comm: &Comm, left: u32) -> Result<(), SolveError> {
        for tier in (0..left).filter(|tier| self.task.graph.loopy(*tier)) {
            let partition = self.partition(comm, tier, true);
            if partition.size > MOST {
                let workers = partition.len.div_ceil(MOST);
                return Err(SolveError::TooFewWorkers { tier, slots: partition.len, workers });
            }
        }
        Ok(())
    }

    /// Shares begin where a kernel's runs do, and where words of planes do.
    fn partition(&self, comm: &Comm, tier: u32, in_parts: bool) -> Partition {
        let graph = self.task.graph;
        if let Some(partition) = graph.partition(tier) {
            return partition;
        }
        let run = match self.task.able_kernel() {
            Some(kernel) if !in_parts && !graph.loopy(tier) => kernel.run(tier),
            _ => 1,
        };
        Partition::new(graph.len(tier), comm.size(), whole_words(run))
    }

    fn solve_and_publish(
        &self,
        comm: &mut Comm,
        tier: u32,
        later: &mut Later,
        in_parts: bool,
    ) -> Result<(), SolveError> {
        let partition = &self.partition(comm, tier, in_parts);
        let table = Some(self.table).filter(|_| comm.is_root());
        let mut snapshots = Snapshots::new(table, tier, partition);
        let mut site = WorkerSite {
            task: self.task,
            comm,
            tier,
            partition,
            later,
            snapshots: &mut snapshots,
            kept: None,
        };
        let words = solve_tier(self.task, tier, &mut site)?;
        let keys = self.task.graph.keys(tier);
        let writer = self.root_writer(comm);
        let publication = Publication { tier, partition, block: self.block, keys };
        publication.publish(comm, words, writer, later)?;
        snapshots.forget()
    }

    /// Lets go of the tiers after `needed`.
    fn forget_after(&self, comm: &Comm, later: &mut Later, needed: u32) {
        if let Later::Partitioned(parts) = later {
            parts.retain(|tier, _| *tier <= needed);
        } else if comm.is_process_root() {
            let mut tiers = self.later.write().expect("no worker panics while it holds it");
            (needed + 1..tiers.count()).for_each(|done| tiers.forget(done));
        }
    }
}

/// A worker's share of a tier.
struct WorkerSite<'s, 'c, 'a, 'p> {
    task: Task<'a>,
    comm: &'s mut Comm<'c>,
    tier: u32,
    partition: &'p Partition,
    later: &'s Later<'s>,
    snapshots: &'s mut Snapshots<'p>,
    /// What an earlier run kept of the tier.
    kept: Option<Kept>,
}

impl WorkerSite<'_, '_, '_, '_> {
    fn sweep_with<W: Word>(
        &mut self,
        kernel: &dyn Kernel<W>,
        pack: Pack<W>,
    ) -> Result<Option<TierValues>, SolveError> {
        let (graph, tier) = (self.task.graph, self.tier);
        let slots = self.partition.range(self.comm.rank());
        self.comm.begin("sweeping", Some(tier), Some(self.partition.len));
        let swept = match self.later {
            Later::Replicated(tiers) => sweep_share(self.comm, kernel, tier, slots, tiers)?,
            later => {
                let mut words = Vec::with_capacity((slots.end - slots.start) as usize);
                let end = slots.end;
                let fits = rounds(self.comm, slots, |comm, from| {
                    let look_up = &mut |wanted: &[Slot]| later.look_up(comm, graph, wanted);
                    sweep_batch(graph, tier, from..end, EDGES, pack, look_up, &mut words)
                })?;
                fits.then_some(words)
            }
        };
        let Some(words) = swept.map(W::tier) else { return Ok(None) };
        Ok(Some(match words {
            TierValues::One(codes) if self.task.outcomes => {
                let planes = OutcomePlanes::from_codes(&codes);
                TierValues::OutcomePlanes(planes.ok_or_else(|| Fault::drawn(tier))?)
            }
            words => words,
        }))
    }
}

impl Site for WorkerSite<'_, '_, '_, '_> {
    type Solved = TierValues;

    fn sweep_by(&mut self, kernel: &dyn Kernel<u8>) -> Result<Option<TierValues>, SolveError> {
        match self.later {
            Later::Replicated(_) => self.sweep_with(kernel, u8::pack),
            _ => Ok(None),
        }
    }

    fn sweep<W: Word>(&mut self, pack: Pack<W>) -> Result<Option<TierValues>, SolveError> {
        self.sweep_with(&Plain { graph: self.task.graph, pack }, pack)
    }

    fn retrograde<W: Word>(&mut self) -> Result<Option<TierValues>, SolveError> {
        let WorkerSite { task, tier, partition, later, .. } = *self;
        let retrograde = Retrograde { graph: task.graph, tier, partition, later, arcs: None };
        let words =
            retrograde.solve::<W>(self.comm, self.kept.take(), Some(&mut *self.snapshots))?;
        Ok(words.map(W::tier))
    }

    /// A snapshot in wider words says that narrower ones do not suffice.
    fn least_width(&mut self) -> Result<usize, SolveError> {
        self.kept = self.snapshots.find(self.comm)?;
        Ok(self.kept.as_ref().map_or(1, |kept| kept.values.width()))
    }
}
