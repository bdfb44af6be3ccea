//! A run of slots of a tier with loops, and all that is known of them while [`retrograde`](super::retrograde) analysis is
//! at work: counts, values, and what is due at which distance.

use std::{
    mem,
    sync::atomic::{AtomicU16, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    Fault,
    communicator::Reduction,
    retrograde::{Level, Round},
    reverse::Parents,
};
use crate::{
    game::Value,
    graph::{Graph, Origins, partition::Partition},
    index::Slot,
    table::{
        Word,
        codec::{self, Bytes},
    },
};

/// The most slots of a share: an update has 30 bits for a place.
pub(crate) const MOST: u64 = 1 << 30;

/// Places that a thread works on at a time, and pieces of so many below which it is alone.
const SOME: usize = if cfg!(test) { 4 } else { 1 << 6 };
const FEW: usize = if cfg!(test) { 2 } else { 8 };
/// Pieces a thread, before what they gathered is put together.
const TOGETHER: usize = 1 << 7;

/// What stands in place of a count where nothing is left to wait for.
pub(super) const DECIDED: u16 = u16::MAX - 1;
pub(super) const HOLE: u16 = u16::MAX;

/// Positions that are decided at one distance: those that are lost, and those that are won or tied.
type Frontier = [Vec<u32>; 2];

/// The words of what is lost at a distance and of what is won, or tied; `None` for one that does not fit.
fn words<W: Word>(ties: bool, distance: u32) -> [Option<W>; 2] {
    match ties {
        true => [None, W::pack(Value::Tie(distance))],
        false => [Value::Loss(distance), Value::Win(distance)].map(W::pack),
    }
}

/// What an update says of a parent, in the bits over its place in its share: one of its moves is bad, it has won, or
/// several of its moves are bad.
const BAD: u32 = 0;
const GOOD: u32 = 1;
const WORSE: u32 = 2;

/// What a thread finds out of some places of a share.
#[derive(Default)]
pub(super) struct Gathered {
    /// What is decided without the rest of the tier, by distance: the ends and what is decided because of later tiers.
    /// Wins and losses, and ties.
    pub(super) schedule: [Vec<Frontier>; 2],
    /// Decided at the level after the one at work.
    pub(super) next: Frontier,
    /// Positions decided since this was asked last.
    pub(super) done: u64,
    /// Whether a distance did not fit.
    pub(super) far: bool,
    /// Updates for other shares.
    pub(super) out: Vec<Vec<u8>>,
    /// Room that is used again and again.
    pub(super) origins: Origins,
    pub(super) children: Vec<(u64, bool)>,
}

impl Gathered {
    pub(super) fn decide_at(&mut self, distance: u32, ties: bool, good: bool, place: u32) {
        dated(&mut self.schedule[usize::from(ties)], distance as usize)[usize::from(good)]
            .push(place);
    }

    pub(super) fn take(&mut self, mut other: Gathered) {
        for (mine, dates) in self.schedule.iter_mut().zip(&mut other.schedule) {
            for (distance, lists) in dates.iter_mut().enumerate() {
                append(dated(mine, distance), lists);
            }
        }
        append(&mut self.next, &mut other.next);
        self.done += other.done;
        self.far |= other.far;
    }
}

/// The positions of a distance.
fn dated(dates: &mut Vec<Frontier>, distance: usize) -> &mut Frontier {
    if dates.len() <= distance {
        dates.resize_with(distance + 1, Frontier::default);
    }
    &mut dates[distance]
}

/// Puts lists after others. Doubling would leave half of the room empty.
fn append(to: &mut Frontier, lists: &mut Frontier) {
    for (to, list) in to.iter_mut().zip(lists) {
        if to.capacity() - to.len() < list.len() {
            to.reserve_exact(list.len().max(to.len() / 4));
        }
        to.append(list);
    }
}

/// A run of slots of a tier with loops, and all that is known of them.
pub(crate) struct Share<'a, W: Word> {
    pub(super) graph: &'a dyn Graph,
    pub(super) tier: u32,
    pub(super) partition: Partition,
    /// The first slot.
    pub(super) first: u64,
    /// Whether it is the only one, so that all threads work on it.
    crewed: bool,
    /// Children not yet known to be bad, or [`DECIDED`], or [`HOLE`].
    pub(super) counts: Vec<AtomicU16>,
    pub(super) values: Vec<W::Shared>,
    pub(super) known: Gathered,
    /// Decided at the level at work, and how many of these have been propagated.
    now: Frontier,
    propagated: usize,
}

impl<'a, W: Word> Share<'a, W> {
    pub(crate) fn new(graph: &'a dyn Graph, tier: u32, partition: &Partition, rank: usize) -> Self {
        let slots = partition.range(rank);
        let len = (slots.end - slots.start) as usize;
        Share {
            graph,
            tier,
            partition: partition.clone(),
            first: slots.start,
            crewed: false,
            counts: (0..len).map(|_| AtomicU16::new(0)).collect(),
            values: (0..len).map(|_| W::HOLE.shared()).collect(),
            known: Gathered::default(),
            now: Frontier::default(),
            propagated: 0,
        }
    }

    /// Has all threads work on it, as the only share of its tier.
    pub(crate) fn crewed(self) -> Self {
        Share { crewed: rayon::current_num_threads() > 1, ..self }
    }

    /// How many threads work on it.
    fn threads(&self) -> usize {
        if self.crewed { rayon::current_num_threads() } else { 1 }
    }

    /// Counts and values, to be put back afterwards.
    pub(crate) fn take_state(&mut self) -> (Vec<u16>, Vec<W>) {
        let counts = mem::take(&mut self.counts).into_iter().map(AtomicU16::into_inner);
        let values = mem::take(&mut self.values).into_iter().map(|word| W::load(&word));
        (counts.collect(), values.collect())
    }

    pub(crate) fn put_state(&mut self, counts: Vec<u16>, values: Vec<W>) {
        self.counts = counts.into_iter().map(AtomicU16::new).collect();
        self.values = values.into_iter().map(W::shared).collect();
    }

    pub(crate) fn len(&self) -> u64 {
        self.counts.len() as u64
    }

    /// Counts as done what is decided: all that the look forwards, or an earlier run, has decided.
    pub(crate) fn count_decided(&mut self) {
        let decided = self.counts.iter().filter(|count| count.load(Relaxed) >= DECIDED);
        self.known.done = decided.count() as u64;
    }

    /// Takes the updates of the round before. With them all that is decided at a level is known when it begins. At the
    /// start that is found among the ends or, in a tier that is gone on with, among the values.
    pub(crate) fn take_updates<'m>(
        &mut self,
        Level { ties, distance }: Level,
        round: Round,
        updates: impl Iterator<Item = &'m [u8]>,
    ) -> Result<(), Fault> {
        if round == Round::Further {
            return self.receive(updates, words(ties, distance + 1));
        }
        self.propagated = 0;
        let found = words(ties, distance);
        if round == Round::Start && distance > 0 {
            self.now = found.map(|word| {
                let same = (0..).zip(&self.values).filter(|(_, at)| Some(W::load(at)) == word);
                same.map(|(place, _)| place).collect()
            });
            return Ok(());
        }
        let dates = &mut self.known.schedule[usize::from(ties)];
        let due = dates.get_mut(distance as usize).map(mem::take).unwrap_or_default();
        if round == Round::Start {
            self.now = due;
            return Ok(());
        }
        self.in_pieces(due.each_ref().map(|list| &list[..]), &mut [], &|me, good, some, known| {
            some.iter().for_each(|place| me.update(*place, good, 1, found, known));
            Ok(())
        })?;
        self.receive(updates, found)?;
        self.now = mem::take(&mut self.known.next);
        Ok(())
    }

    /// Propagates up to `most` positions of the level to their parents, or as many for each thread. Returns whether
    /// there are more.
    pub(crate) fn propagate(
        &mut self,
        parents: &Parents,
        level: Level,
        most: usize,
        out: &mut [Vec<u8>],
    ) -> Result<bool, Fault> {
        let (now, most) = (mem::take(&mut self.now), most * self.threads());
        let [lost, won] = &now;
        let (from, cut, len) = (self.propagated, won.len(), won.len() + lost.len());
        let to = len.min(from.saturating_add(most));
        let won = &won[from.min(cut)..to.min(cut)];
        let lost = &lost[from.max(cut) - cut..to.max(cut) - cut];
        self.in_pieces([lost, won], out, &|me, child_won, some, known| {
            me.update_parents(parents, (level, child_won), some, known)
        })?;
        (self.now, self.propagated) = (now, to);
        Ok(to < len)
    }

    /// Works on lists of places, those that are bad and those that are good, a piece at a time.
    fn in_pieces(
        &mut self,
        [bad, good]: [&[u32]; 2],
        out: &mut [Vec<u8>],
        work: &(dyn Fn(&Self, bool, &[u32], &mut Gathered) -> Result<(), Fault> + Sync),
    ) -> Result<(), Fault> {
        let lists = [(true, good), (false, bad)].into_iter();
        let pieces: Vec<(bool, &[u32])> = lists
            .flat_map(|(good, list)| list.chunks(SOME).map(move |some| (good, some)))
            .collect();
        if !self.crewed || pieces.len() < FEW {
            let mut known = mem::take(&mut self.known);
            known.out = out.iter_mut().map(mem::take).collect();
            pieces.iter().try_for_each(|(good, some)| work(self, *good, some, &mut known))?;
            out.iter_mut().zip(mem::take(&mut known.out)).for_each(|(out, filled)| *out = filled);
            self.known = known;
            return Ok(());
        }
        // What threads have gathered is there twice while it is put together.
        for pieces in pieces.chunks(TOGETHER * self.threads()) {
            let me = &*self;
            let piece = |mut known, (good, some): &(bool, &[u32])| {
                work(me, *good, some, &mut known)?;
                Ok(known)
            };
            let all = pieces.par_iter().try_fold(Gathered::default, piece);
            let all: Vec<Gathered> = all.collect::<Result<_, Fault>>()?;
            all.into_iter().for_each(|one| self.known.take(one));
        }
        Ok(())
    }

    fn update_parents(
        &self,
        parents: &Parents,
        (Level { ties, distance }, child_won): (Level, bool),
        children: &[u32],
        known: &mut Gathered,
    ) -> Result<(), Fault> {
        let found = words(ties, distance + 1);
        let unplayed = matches!(parents, Parents::Unplayed { .. });
        let weighed = unplayed && self.graph.max_orbit() > 1;
        // Recorded edges are kept by place, and un-moves are found from slots.
        let base = if unplayed { self.first } else { 0 };
        let some: Vec<u64> = children.iter().map(|c| base + u64::from(*c)).collect();
        let (mut beyond, mut last, mut by) = (None, usize::MAX, 1);
        let (tier, first, len) = (self.tier, self.first, self.len());
        let mut origins = mem::take(&mut known.origins);
        parents.each(&some, &mut origins, |nth, parent, again| {
            if weighed && nth != last {
                let slot = Slot { tier, index: first + u64::from(children[nth]) };
                (last, by) = (nth, self.graph.orbit_size(slot) as u16);
            }
            let good = ties || child_won == again;
            let place = parent.wrapping_sub(first);
            if place < len {
                self.update(place as u32, good, by, found, known);
                return;
            }
            if parent >= self.partition.len {
                beyond = Some(parent);
                return;
            }
            let owner = self.partition.owner(parent);
            let place = (parent - self.partition.range(owner).start) as u32;
            let kind = match (good, by) {
                (true, _) => GOOD,
                (false, 1) => BAD,
                (false, _) => WORSE,
            };
            known.out[owner].extend((kind << 30 | place).to_le_bytes());
            if kind == WORSE {
                known.out[owner].extend(by.to_le_bytes());
            }
        });
        known.origins = origins;
        let Some(index) = beyond else { return Ok(()) };
        let from = Slot { tier, index };
        let how = format!("`slot` says {from} of an un-move, beyond the end of its tier");
        Err(Fault::numbering(how))
    }

    fn receive<'m>(
        &mut self,
        updates: impl Iterator<Item = &'m [u8]>,
        found: [Option<W>; 2],
    ) -> Result<(), Fault> {
        let mut known = mem::take(&mut self.known);
        for updates in updates {
            let mut bytes = Bytes(updates);
            while let Some(update) = bytes.take().map(u32::from_le_bytes) {
                let (kind, place) = (update >> 30, update & !(3 << 30));
                if u64::from(place) >= self.len() {
                    let how = format!("an update for place {place} of a share of {}", self.len());
                    return Err(Fault::numbering(how));
                }
                let by = if kind == WORSE { bytes.take().map_or(1, u16::from_le_bytes) } else { 1 };
                self.update(place, kind == GOOD, by, found, &mut known);
            }
        }
        self.known = known;
        Ok(())
    }

    /// Takes note that a position is won (or tied), or that `by` of its moves are bad.
    #[inline]
    fn update(&self, place: u32, good: bool, by: u16, found: [Option<W>; 2], known: &mut Gathered) {
        let count = &self.counts[place as usize];
        let mut old = count.load(Relaxed);
        loop {
            if old >= DECIDED {
                return;
            }
            let left = if !good && old > by { old - by } else { DECIDED };
            let put = match self.crewed {
                true => count.compare_exchange_weak(old, left, Relaxed, Relaxed),
                // Nobody else counts down, and the processor need not see to it.
                false => Ok(count.store(left, Relaxed)).map(|()| old),
            };
            match put {
                Err(now) => old = now,
                Ok(_) if left != DECIDED => return,
                Ok(_) => break,
            }
        }
        known.done += 1;
        match found[usize::from(good)] {
            Some(word) => word.store(&self.values[place as usize]),
            None => known.far = true,
        }
        known.next[usize::from(good)].push(place);
    }

    /// By distance, whether something is scheduled: wins and losses, and ties.
    pub(crate) fn due(&self) -> [Vec<bool>; 2] {
        let due = |dates: &Frontier| dates.iter().any(|list| !list.is_empty());
        self.known.schedule.each_ref().map(|dates| dates.iter().map(due).collect())
    }

    /// Whether something was decided for the level that comes next.
    pub(crate) fn waits(&self) -> bool {
        self.known.next.iter().any(|list| !list.is_empty())
    }

    /// What this share has to say in a round, but for whether there is more to propagate.
    pub(crate) fn take_progress(&mut self) -> Reduction {
        let (done, far) = (mem::take(&mut self.known.done), self.known.far.into());
        let new = self.now.iter().map(Vec::len).sum::<usize>() as u64;
        let sum = if self.propagated == 0 { new } else { 0 };
        Reduction { done, far, sum, ..Reduction::default() }
    }

    /// The values. A position that is not decided is a draw.
    pub(crate) fn finish(mut self) -> Vec<W> {
        let draw = W::pack(Value::Draw).expect("every word has room for a draw");
        let (counts, mut values) = self.take_state();
        for (value, count) in values.iter_mut().zip(counts) {
            if count < DECIDED {
                *value = draw;
            }
        }
        values
    }

    /// All that must be kept while the share is out of memory between two levels.
    pub(crate) fn park(mut self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.counts.len() * (2 + size_of::<W>()));
        let (counts, values) = self.take_state();
        put_words(&mut out, &counts);
        put_words(&mut out, &values);
        self.known.next.iter().for_each(|list| put_words(&mut out, list));
        for dates in &self.known.schedule {
            codec::put(&mut out, dates.len() as u64);
            dates.iter().flatten().for_each(|list| put_words(&mut out, list));
        }
        out
    }

    /// Takes up what [`park`](Share::park) gave; `None` where that is something else.
    pub(crate) fn unpark(&mut self, bytes: &[u8]) -> Option<()> {
        let (mut bytes, len) = (Bytes(bytes), self.counts.len());
        self.put_state(u16::read(bytes.piece()?), W::read(bytes.piece()?));
        let frontier =
            |bytes: &mut Bytes| Some([u32::read(bytes.piece()?), u32::read(bytes.piece()?)]);
        self.known.next = frontier(&mut bytes)?;
        for dates in &mut self.known.schedule {
            let distances = bytes.number()?;
            *dates = (0..distances).map(|_| frontier(&mut bytes)).collect::<Option<_>>()?;
        }
        let whole = self.counts.len() == len && self.values.len() == len;
        (whole && bytes.0.is_empty()).then_some(())
    }
}

fn put_words<W: Word>(out: &mut Vec<u8>, words: &[W]) {
    codec::put(out, size_of_val(words) as u64);
    W::write(words, out);
}
