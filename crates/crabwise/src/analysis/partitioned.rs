//! Counting with marks in parts: each worker has those of its own slots.
//!
//! Marks are those of [`reachability`](super::reachability), and what they say is counted as always. Moves of what is
//! marked are followed, a few hundred thousand a round, and marks of other workers' slots are sent to them,
//! sorted and each once a round. Only tiers that are still to be counted have marks. Nobody looks for
//! parents here, so this takes longer than counting with whole marks, where these fit.

use std::sync::atomic::AtomicU64;

use super::{
    reachability::{CHUNK, Marking, Reached, fresh},
    stats::{Count, Run, Tally, pieces},
};
use crate::{
    game::Value,
    graph::{Graph, Page, partition::Partition},
    index::Slot,
    solve::{
        Fault, SolveError,
        communicator::{Comm, Reduction},
        lookup::put_slots,
        publish::Publication,
        retrograde::EDGES,
    },
    table::{
        Counts, Summary, TableFile,
        codec::{self, Bytes},
    },
    watch::{Meter, Unwatched},
};

/// Counts what can be reached, with all other workers; without a number of bits a slot everything. The values are in
/// the table at rank 0.
pub(crate) fn count_parts(
    comm: &mut Comm,
    graph: &dyn Graph,
    table: Option<&TableFile>,
    block: u64,
    bits: Option<u64>,
) -> Result<Summary, SolveError> {
    let mut marks = bits.map(|bits| Marks::new(comm, graph, bits)).transpose()?;
    let everything = Reached::everything();
    // The value of the start is the one with the least code unless this worker has it.
    let (mut tally, mut start, at) = (Tally::default(), Value::Loss(0), graph.start());
    // Progress is told with the rounds.
    let meter = Meter::new(&Unwatched, "counting", None, None)?;
    for tier in 0..graph.tiers() {
        let partition = share(comm, graph, tier);
        if let Some(marks) = &mut marks {
            marks.follow(comm, tier)?;
        }
        let done = Publication { tier, partition: &partition, block, keys: None };
        let words = done.part(comm, table)?;
        let run = &Run { words, first: partition.range(comm.rank()).start };
        let reached = marks.as_ref().map_or(&everything, |marks| &marks.reached);
        let looks = !run.words.have_distances();
        let count = Count { graph, tier, run, moves: false, looks };
        tally.merge(pieces(run.slots(), &meter, &|slots| count.reached(reached, slots))?);
        if at.tier == tier {
            start = run.get(at.index).unwrap_or(start);
        }
        if let Some(marks) = &mut marks {
            marks.reached.forget(tier);
        }
    }
    sum_up(comm, tally.stats(graph, start, vec![]).summary())
}

/// Adds up the summaries of all workers.
fn sum_up(comm: &mut Comm, mut all: Summary) -> Result<Summary, SolveError> {
    let mut counts = all.counts.numbers();
    for n in &mut counts {
        *n = comm.sum(*n)?;
    }
    all.counts = Counts::of(counts);
    for distance in [&mut all.longest, &mut all.longest_win] {
        *distance = comm.max((*distance).into())? as u32;
    }
    // The code of a value and its distance are numbers; those of a worker without the start are the least.
    let [outcome, distance] = codec::value_numbers(all.start);
    let start = [comm.max(outcome)?, comm.max(distance)?];
    all.start = codec::value_of(start).unwrap_or(all.start);
    Ok(all)
}

fn share(comm: &Comm, graph: &dyn Graph, tier: u32) -> Partition {
    graph.partition(tier).unwrap_or_else(|| Partition::new(graph.len(tier), comm.size(), 1))
}

/// The marks of a worker's slots.
struct Marks<'a> {
    me: usize,
    workers: usize,
    /// By tier.
    partitions: Vec<Partition>,
    marking: Marking<'a>,
    reached: Reached,
}

impl<'a> Marks<'a> {
    /// Nothing but the start.
    fn new(comm: &Comm, graph: &'a dyn Graph, bits: u64) -> Result<Marks<'a>, SolveError> {
        let (me, workers, marking) = (comm.rank(), comm.size(), Marking::new(graph, bits));
        let partitions: Vec<Partition> =
            (0..graph.tiers()).map(|tier| share(comm, graph, tier)).collect();
        let firsts = partitions.iter().map(|partition| partition.range(me).start).collect();
        let reached = Reached::part(bits, firsts);
        let start = marking.start()?;
        let mut marks = Marks { me, workers, partitions, marking, reached };
        if marks.owner(start) == me {
            marks.set(start)?;
        }
        Ok(marks)
    }

    fn owner(&self, mark: Slot) -> usize {
        self.partitions[mark.tier as usize].owner(mark.index / self.marking.stride)
    }

    /// Sets a mark of this worker's.
    fn set(&mut self, mark: Slot) -> Result<(), Fault> {
        let astray = || Fault::numbering(format!("a mark {mark} is not this worker's"));
        let slots = self.partitions.get(mark.tier as usize).ok_or_else(astray)?.range(self.me);
        let slot = mark.index / self.marking.stride;
        if !slots.contains(&slot) {
            return Err(astray());
        }
        self.reached.put(mark, slots.end - slots.start);
        Ok(())
    }

    /// Follows the moves of all that is marked in a tier, with all others, until nothing new is.
    fn follow(&mut self, comm: &mut Comm, tier: u32) -> Result<(), SolveError> {
        let first = self.partitions[tier as usize].range(self.me).start * self.marking.stride;
        let (mut done, mut next, mut page) = (vec![], 0, Page::default());
        loop {
            let (mut marks, mut moves, mut count) = (vec![vec![]; self.workers], 0, 0);
            let bits = self.reached.bits(tier);
            done.resize_with(bits.len(), AtomicU64::default);
            let chunks: Vec<_> = bits.chunks(CHUNK).zip(done.chunks(CHUNK)).collect();
            for _ in 0..chunks.len() {
                let (bits, done) = chunks[next];
                let mut fresh = fresh(next, bits, done);
                fresh.iter_mut().for_each(|mark| *mark += first);
                next = (next + 1) % chunks.len();
                count += fresh.len() as u64;
                self.marking.follow(tier, &fresh, &mut page, |mark| {
                    moves += 1;
                    marks[self.owner(mark)].push(mark);
                })?;
                if moves >= EDGES || count >= EDGES {
                    break;
                }
            }
            let mut messages = comm.messages();
            for (marks, out) in marks.iter_mut().zip(&mut messages) {
                marks.sort_unstable();
                put_slots(marks, |mark| *mark, out);
            }
            let say =
                Reduction { sum: count, done: count / self.marking.stride, ..Reduction::default() };
            let (came, told) = comm.exchange(messages, say)?;
            if told.sum == 0 {
                return Ok(());
            }
            came.iter().try_for_each(|message| self.take(Bytes(message.bytes())))?;
        }
    }

    /// Sets marks that were sent.
    fn take(&mut self, mut bytes: Bytes) -> Result<(), Fault> {
        while let Some((tier, count)) = bytes.number().zip(bytes.number()) {
            let (tier, mut index) = (tier as u32, 0);
            for _ in 0..count {
                index += bytes.number().unwrap_or(u64::MAX - index);
                self.set(Slot { tier, index })?;
            }
        }
        Ok(())
    }
}
