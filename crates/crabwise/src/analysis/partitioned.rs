//! Counting with marks in parts: each worker has those of its own slots.
//!
//! A mark is a bit a slot, or one for each of the positions that share it, as in `reach`. Moves of what is
//! marked are followed, a few hundred thousand a round, and marks of other workers' slots are sent to them,
//! sorted and each once a round. Only tiers that are still to be counted have marks. Nobody looks for
//! parents here, so this takes longer than counting with whole marks, where these fit.

use std::{collections::BTreeMap, ops::Range};

use super::{reachability::ones, stats::Tally};
use crate::{
    game::Value,
    graph::{Ask, Graph, Node, Page, partition::Partition},
    index::Slot,
    solve::{
        Fault, SolveError,
        communicator::{Comm, Reduction},
        lookup::put_slots,
        publish::{Packed, Publication},
        retrograde::EDGES,
    },
    table::{
        Counts, Summary, TierValues,
        codec::{self, Bytes},
    },
};

/// Slots that are counted at a time.
const STEP: u64 = 1 << 16;
/// Marks that are followed before it is looked how many moves they had.
const SOME: usize = if cfg!(test) { 10 } else { 1 << 11 };

/// Counts what can be reached, with all other workers; without a number of bits a slot everything. The values are in
/// the table at rank 0.
pub(crate) fn count_parts(
    comm: &mut Comm,
    graph: &dyn Graph,
    table: Option<&dyn Packed>,
    block: u64,
    bits: Option<u64>,
) -> Result<Summary, SolveError> {
    let mut marks = bits.map(|bits| Marks::new(comm, graph, bits)).transpose()?;
    // The value of the start is a draw unless this worker has it.
    let (mut tally, mut start) = (Tally::default(), Value::Draw);
    for tier in 0..graph.tiers() {
        let partition = share(comm, graph, tier);
        if let Some(marks) = &mut marks {
            marks.follow(comm, tier)?;
        }
        let done = Publication { tier, partition: &partition, block, keys: None };
        let words = done.part(comm, table)?;
        if !graph.boardless(tier) {
            let slots = partition.range(comm.rank());
            start = count(graph, tier, slots, &words, marks.as_ref(), &mut tally).unwrap_or(start);
        }
        if let Some(marks) = &mut marks {
            marks.parts.remove(&tier);
        }
    }
    sum_up(comm, tally.summary(start))
}

/// Adds up the summaries of all workers.
fn sum_up(comm: &mut Comm, summary: Summary) -> Result<Summary, SolveError> {
    let mut out = vec![];
    codec::put_summary(&mut out, &summary);
    let mut messages = comm.messages();
    messages.iter_mut().for_each(|message| message.extend(&out));
    let (came, _) = comm.exchange(messages, Reduction::default())?;
    let mut all =
        Summary { start: Value::Draw, counts: Counts::default(), longest: 0, longest_win: 0 };
    for message in &came {
        let Some(one) = codec::parse_summary(&mut Bytes(message.bytes())) else { continue };
        all.counts.merge(&one.counts);
        all.longest = all.longest.max(one.longest);
        all.longest_win = all.longest_win.max(one.longest_win);
        // A draw is either that, or not this worker's to say.
        if one.start != Value::Draw {
            all.start = one.start;
        }
    }
    Ok(all)
}

fn share(comm: &Comm, graph: &dyn Graph, tier: u32) -> Partition {
    graph.partition(tier).unwrap_or_else(|| Partition::new(graph.len(tier), comm.size(), 1))
}

/// Counts the slots of a share; the value of the start, if it is among them.
fn count(
    graph: &dyn Graph,
    tier: u32,
    slots: Range<u64>,
    words: &TierValues,
    marks: Option<&Marks>,
    tally: &mut Tally,
) -> Option<Value> {
    let (mut page, first, mut start) = (Page::default(), graph.start(), None);
    for from in (slots.start..slots.end).step_by(STEP as usize) {
        let some: Vec<u64> = (from..(from + STEP).min(slots.end)).collect();
        page.nodes.clear();
        if !words.have_distances() {
            graph.scan(tier, &some, Ask::Ends, &mut page);
        }
        for (i, &index) in some.iter().enumerate() {
            let Some(value) = words.get(index - slots.start) else { continue };
            let slot = Slot { tier, index };
            if slot == first {
                start = Some(value);
            }
            let members = marks.map_or(1, |marks| marks.members(slot));
            tally.count((slot, None), value, members, 0);
            if matches!(page.nodes.get(i), Some(Node::Over(_))) && !value.has_distance() {
                tally.come_to_pass(members);
            }
        }
    }
    start
}

/// The marks of a worker's slots.
struct Marks<'a> {
    graph: &'a dyn Graph,
    me: usize,
    workers: usize,
    /// By tier.
    partitions: Vec<Partition>,
    /// Bits a slot.
    bits: u64,
    /// By tier, from the first bit of the share on.
    parts: BTreeMap<u32, Vec<u64>>,
}

impl<'a> Marks<'a> {
    /// Nothing but the start.
    fn new(comm: &Comm, graph: &'a dyn Graph, bits: u64) -> Result<Marks<'a>, SolveError> {
        let (me, workers, parts) = (comm.rank(), comm.size(), BTreeMap::new());
        let partitions = (0..graph.tiers()).map(|tier| share(comm, graph, tier)).collect();
        let mut marks = Marks { graph, me, workers, partitions, bits, parts };
        let (start, member) =
            (graph.start(), if bits == 1 { Some(0) } else { graph.start_member() });
        let mark = marks.numbered(start, member).filter(|_| start.tier < graph.tiers());
        let mark = mark.ok_or_else(|| Fault::no_start(graph))?;
        if marks.owner(mark) == me {
            marks.set(mark)?;
        }
        Ok(marks)
    }

    /// The worker's own slots of a tier.
    fn mine(&self, tier: u32) -> Range<u64> {
        self.partitions[tier as usize].range(self.me)
    }

    /// The mark of a position: its bit, counted through the whole tier. `None` where the numbering has no
    /// place for it.
    fn numbered(&self, slot: Slot, member: Option<u64>) -> Option<Slot> {
        let there = slot.tier < self.graph.tiers() && slot.index < self.graph.len(slot.tier);
        let member = member.filter(|member| *member < self.bits && there)?;
        Some(Slot { index: slot.index.checked_mul(self.bits)? + member, ..slot })
    }

    fn owner(&self, mark: Slot) -> usize {
        self.partitions[mark.tier as usize].owner(mark.index / self.bits)
    }

    /// Sets a mark of this worker's.
    fn set(&mut self, mark: Slot) -> Result<(), Fault> {
        let slots = self.mine(mark.tier);
        let len = (slots.end - slots.start) * self.bits;
        let bit = mark.index.checked_sub(slots.start * self.bits).filter(|bit| *bit < len);
        let astray = || Fault::Numbering { how: format!("a mark {mark} is not this worker's") };
        let bit = bit.ok_or_else(astray)?;
        let words = self.parts.entry(mark.tier);
        let words = words.or_insert_with(|| vec![0; len.div_ceil(64) as usize]);
        words[bit as usize / 64] |= 1 << (bit % 64);
        Ok(())
    }

    /// How many of the positions that share a slot of this worker's are marked.
    fn members(&self, slot: Slot) -> u64 {
        let Some(words) = self.parts.get(&slot.tier) else { return 0 };
        let first = self.mine(slot.tier).start;
        let bit = (slot.index - first) * self.bits;
        let marked = |bit: u64| words[(bit / 64) as usize] >> (bit % 64) & 1;
        match self.bits {
            1 if marked(bit) == 0 => 0,
            1 if self.graph.max_orbit() > 1 => self.graph.orbit_size(slot),
            bits => (bit..bit + bits).map(marked).sum(),
        }
    }

    /// Follows the moves of all that is marked in a tier, with all others, until nothing new is.
    fn follow(&mut self, comm: &mut Comm, tier: u32) -> Result<(), SolveError> {
        let words = self.parts.get(&tier).map_or(0, Vec::len);
        let (mut done, mut at) = (vec![0; words], 0);
        loop {
            let (mut marks, mut moves, mut count) = (vec![vec![]; self.workers], 0, 0);
            while moves < EDGES && count < EDGES {
                let fresh = self.fresh(tier, &mut done, &mut at);
                count += fresh.len() as u64;
                if fresh.is_empty() {
                    break;
                }
                self.expand(tier, &fresh, &mut |mark| {
                    moves += 1;
                    marks[self.owner(mark)].push(mark);
                })?;
            }
            let mut messages = comm.messages();
            for (marks, out) in marks.iter_mut().zip(&mut messages) {
                marks.sort_unstable();
                put_slots(marks, |mark| *mark, out);
            }
            let say = Reduction { sum: count, done: count / self.bits, ..Reduction::default() };
            let (came, told) = comm.exchange(messages, say)?;
            if told.sum == 0 {
                return Ok(());
            }
            came.iter().try_for_each(|message| self.take(Bytes(message.bytes())))?;
            let words = self.parts.get(&tier).map_or(0, Vec::len);
            done.resize(words, 0);
        }
    }

    /// Some marks of a tier whose moves have not been followed, from a word on and around.
    fn fresh(&self, tier: u32, done: &mut [u64], at: &mut usize) -> Vec<u64> {
        let mut fresh = vec![];
        let Some(words) = self.parts.get(&tier) else { return fresh };
        let first = self.mine(tier).start * self.bits;
        for _ in 0..words.len() {
            if fresh.len() >= SOME {
                break;
            }
            let new = words[*at] & !done[*at];
            done[*at] |= new;
            fresh.extend(ones(new).map(|bit| first + *at as u64 * 64 + bit));
            *at = (*at + 1) % words.len();
        }
        fresh
    }

    /// Tells where the moves of some positions lead.
    fn expand(
        &self,
        tier: u32,
        fresh: &[u64],
        tell: &mut dyn FnMut(Slot),
    ) -> Result<(), SolveError> {
        let (mut page, mut children) = (Page::default(), vec![]);
        if self.bits == 1 {
            self.graph.scan(tier, fresh, Ask::All, &mut page);
        }
        let mut pages = page.iter();
        for mark in fresh {
            let slot = Slot { tier, index: mark / self.bits };
            children.clear();
            if let Some((_, edges)) = pages.next() {
                children.extend(edges.iter().map(|edge| (edge.to, Some(0))));
            } else {
                self.graph.members(slot, mark % self.bits, &mut children);
                // An end without a board is nobody's member, and not counted.
                children.retain(|(to, member)| member.is_some() || !self.boardless(*to));
            }
            for (nth, &(to, member)) in children.iter().enumerate() {
                let mark = self.numbered(to, member).filter(|mark| mark.tier >= tier);
                tell(mark.ok_or_else(|| Fault::astray(self.graph, slot, nth, to))?);
            }
        }
        Ok(())
    }

    fn boardless(&self, slot: Slot) -> bool {
        slot.tier < self.graph.tiers() && self.graph.boardless(slot.tier)
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
