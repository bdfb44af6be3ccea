//! A run of slots of a tier with loops, and all that is known of them while [`retrograde`](super::retrograde) analysis is
//! at work: counts, values, and what is due at which distance.

use std::mem;

use super::{
    Fault, SolveError,
    communicator::Reduction,
    retrograde::Level,
    reverse::{Parents, Recorder},
};
use crate::{
    game::{Outcome, Value},
    graph::{Ask, Edge, Graph, Node, Origins, Page, partition::Partition},
    index::Slot,
    table::{
        Word,
        codec::{self, Bytes},
    },
};

/// The most slots of a share: places in it are kept in 32 bits.
pub(crate) const MOST: u64 = 1 << 32;

/// Positions whose parents are found at a time.
const SOME: usize = 1 << 8;

/// What stands in place of a count where nothing is left to wait for.
const DECIDED: u16 = u16::MAX - 1;
const HOLE: u16 = u16::MAX;

/// What one position sees of the later tiers.
#[derive(Default)]
struct Outlook {
    /// The distance of the quickest win.
    win: Option<u32>,
    /// That of the loss to the slowest bad child.
    bad: Option<u32>,
    /// That of the quickest tie.
    tie: Option<u32>,
    /// Whether some child is even, and so the position not lost.
    even: bool,
}

impl Outlook {
    /// Whether the position cannot be lost.
    fn is_safe(&self) -> bool {
        self.even || self.win.is_some()
    }

    /// What a position with this many children inside the tier begins to count down from. One more than the children:
    /// a position with a win or an even child never counts down to zero, one with bad children elsewhere
    /// does so no sooner than they are due.
    fn count(&self, children: u64) -> Result<u16, Fault> {
        let count = children + u64::from(self.is_safe() || self.bad.is_some());
        let fits = u16::try_from(count).ok().filter(|count| *count < DECIDED);
        fits.ok_or(Fault::TooManyMoves { moves: count })
    }

    fn see(&mut self, child: Value, again: bool) {
        match child.back(again) {
            Value::Win(n) => self.win = Some(self.win.unwrap_or(n).min(n)),
            Value::Loss(n) => self.bad = self.bad.max(Some(n)),
            Value::Tie(n) => {
                self.tie = Some(self.tie.unwrap_or(n).min(n));
                self.even = true;
            }
            Value::Draw => self.even = true,
        }
    }
}

/// What positions come to.
#[derive(Clone, Copy)]
enum Kind {
    Won,
    Lost,
    Tied,
}

/// Positions that are decided without the rest of their tier, by kind and distance: the ends, and what is decided
/// because of later tiers.
#[derive(Default)]
struct Schedule([Vec<Vec<u32>>; 3]);

impl Schedule {
    fn add(&mut self, kind: Kind, distance: u32, place: u32) {
        let (dates, distance) = (&mut self.0[kind as usize], distance as usize);
        if dates.len() <= distance {
            dates.resize_with(distance + 1, Vec::new);
        }
        dates[distance].push(place);
    }

    /// What is due: won (or tied), and lost.
    fn take(&mut self, Level { ties, distance }: Level) -> Frontier {
        let mut due = |kind: Kind| {
            self.0[kind as usize].get_mut(distance as usize).map(mem::take).unwrap_or_default()
        };
        match ties {
            false => Frontier { won: due(Kind::Won), lost: due(Kind::Lost) },
            true => Frontier { won: due(Kind::Tied), lost: vec![] },
        }
    }

    fn kinds(&self, ties: bool) -> &[Vec<Vec<u32>>] {
        if ties { &self.0[2..] } else { &self.0[..2] }
    }
}

/// Positions that were decided at one distance.
#[derive(Default)]
struct Frontier {
    /// Won, or tied.
    won: Vec<u32>,
    lost: Vec<u32>,
}

impl Frontier {
    fn len(&self) -> usize {
        self.won.len() + self.lost.len()
    }
}

/// The words of what is decided at one distance; `None` for one that does not fit.
#[derive(Clone, Copy)]
struct Found<W> {
    ties: bool,
    good: Option<W>,
    bad: Option<W>,
}

impl<W: Word> Found<W> {
    fn at(ties: bool, distance: u32) -> Found<W> {
        let (good, bad) = match ties {
            true => (Value::Tie(distance), None),
            false => (Value::Win(distance), Some(Value::Loss(distance))),
        };
        Found { ties, good: W::pack(good), bad: bad.and_then(W::pack) }
    }
}

/// What an update says of a parent: one of its moves is bad, it has won, or several of its moves are bad.
const BAD: u32 = 0;
const GOOD: u32 = 1;
const WORSE: u32 = 2;
/// Shares of more slots have updates of eight bytes instead of four.
const SHORT: u64 = if cfg!(test) { 12 } else { 1 << 30 };

/// An update is the place of a parent in its share, with what it says in the two highest bits.
#[inline]
fn put_update(wide: bool, kind: u32, place: u32, out: &mut Vec<u8>) {
    match wide {
        true => out.extend((u64::from(kind) << 62 | u64::from(place)).to_le_bytes()),
        false => out.extend((kind << 30 | place).to_le_bytes()),
    }
}

#[inline]
fn take_update(wide: bool, bytes: &mut Bytes) -> Option<(u32, u32)> {
    if wide {
        let update = u64::from_le_bytes(bytes.take()?);
        return Some(((update >> 62) as u32, update as u32));
    }
    let update = u32::from_le_bytes(bytes.take()?);
    Some((update >> 30, update & !(3 << 30)))
}

/// Where edges inside the tier go, when they have to be recorded.
pub(crate) struct Edges<'e> {
    /// This share's own edges; `None` where the game is played backwards.
    pub(crate) recorder: Option<&'e mut Recorder>,
    /// Edges to children of each share.
    pub(crate) out: &'e mut [Vec<u8>],
}

/// Tells the values at some slots of later tiers.
pub(crate) type LookUp<'l> = &'l mut dyn FnMut(&[Slot]) -> Result<Vec<Option<Value>>, SolveError>;

/// A run of slots of a tier with loops, and all that is known of them.
pub(crate) struct Share<'a, W: Word> {
    graph: &'a dyn Graph,
    tier: u32,
    partition: Partition,
    /// The first slot.
    first: u64,
    /// Children not yet known to be bad, or [`DECIDED`], or [`HOLE`].
    pub(crate) counts: Vec<u16>,
    pub(crate) values: Vec<W>,
    schedule: Schedule,
    /// Whether a distance did not fit.
    far: bool,
    /// Positions decided since this was asked last.
    done: u64,
    /// Decided at the level at work, and how many of these have been propagated.
    now: Frontier,
    propagated: usize,
    /// Decided at the level after it.
    next: Frontier,
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
            counts: vec![0; len],
            values: vec![W::HOLE; len],
            schedule: Schedule::default(),
            far: false,
            done: 0,
            now: Frontier::default(),
            propagated: 0,
            next: Frontier::default(),
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.counts.len() as u64
    }

    /// Counts as done what is decided: all that the look forwards, or an earlier run, has decided.
    pub(crate) fn count_decided(&mut self) {
        self.done = self.counts.iter().filter(|count| **count >= DECIDED).count() as u64;
    }

    /// Looks forwards at some positions, from a place on, that have about this many moves. Returns how many positions.
    pub(crate) fn scan(
        &mut self,
        from: u64,
        moves: u64,
        look_up: LookUp,
        edges: &mut Edges,
    ) -> Result<u64, SolveError> {
        let mut page = Page::default();
        let ask = if self.graph.backwards().is_none() { Ask::All } else { Ask::Leaving };
        let (from, end) = (self.first + from, self.first + self.len());
        let slots = from..page.fill(self.graph, self.tier, from..end, ask, moves);
        let leaving = |edge: &&Edge| edge.to.tier > self.tier;
        let wanted: Vec<Slot> = page.edges.iter().filter(leaving).map(|edge| edge.to).collect();
        let mut values = look_up(&wanted)?.into_iter();
        let mut children = vec![];
        for (n, (index, (node, moves))) in slots.clone().zip(page.iter()).enumerate() {
            let (place, slot) = ((index - self.first) as usize, Slot { tier: self.tier, index });
            match node {
                Node::Hole => self.counts[place] = HOLE,
                Node::Over(outcome) => self.end(place, outcome),
                Node::Open(_) => {
                    let inner = page.inner.get(n).copied().unwrap_or(0);
                    if inner == 0 && moves.is_empty() {
                        let position = self.graph.show(slot);
                        return Err(Fault::Stuck { position }.into());
                    }
                    let outlook = self.outlook(slot, moves, &mut values, &mut children)?;
                    self.send_edges(slot, &children, edges)?;
                    let waits = self.weight(inner, slot) + children.len() as u64;
                    self.schedule(place as u32, &outlook, waits)?;
                }
            }
        }
        Ok(slots.end - slots.start)
    }

    fn end(&mut self, place: usize, outcome: Outcome) {
        match W::pack(outcome.into()) {
            Some(word) => self.values[place] = word,
            None => self.far = true,
        }
        self.counts[place] = DECIDED;
        let kind = match outcome {
            Outcome::Win => Kind::Won,
            Outcome::Loss => Kind::Lost,
            Outcome::Tie => Kind::Tied,
        };
        self.schedule.add(kind, 0, place as u32);
    }

    /// What a position sees of later tiers; `children` becomes its distinct children inside this one. With a win in
    /// one it waits for none of them.
    fn outlook(
        &self,
        slot: Slot,
        moves: &[Edge],
        values: &mut impl Iterator<Item = Option<Value>>,
        children: &mut Vec<(u64, bool)>,
    ) -> Result<Outlook, Fault> {
        let mut outlook = Outlook::default();
        children.clear();
        for (nth, edge) in moves.iter().enumerate() {
            if edge.to.tier == self.tier {
                children.push((edge.to.index, edge.again));
                continue;
            }
            let value = if edge.to.tier > self.tier { values.next().flatten() } else { None };
            let astray = || Fault::astray(self.graph, slot, nth, edge.to);
            outlook.see(value.ok_or_else(astray)?, edge.again);
        }
        if outlook.win == Some(1) {
            children.clear();
        }
        children.sort_unstable();
        children.dedup();
        Ok(outlook)
    }

    /// What moves inside the tier of a game that is played backwards count for.
    fn weight(&self, inner: u32, slot: Slot) -> u64 {
        let folded = inner > 0 && self.graph.max_orbit() > 1;
        u64::from(inner) * if folded { self.graph.orbit_size(slot) } else { 1 }
    }

    /// An edge is the address of the child, and its parent with whether that moves again.
    fn send_edges(
        &self,
        parent: Slot,
        children: &[(u64, bool)],
        edges: &mut Edges,
    ) -> Result<(), Fault> {
        let mine = self.first..self.first + self.len();
        let addressed = self.partition.is_addressed();
        for &(child, again) in children {
            let edge = parent.index << 1 | u64::from(again);
            if let (true, Some(recorder)) =
                (!addressed && mine.contains(&child), edges.recorder.as_mut())
            {
                recorder.add(child - self.first, edge);
                continue;
            }
            let Some(out) = edges.out.get_mut(self.partition.owner_of_address(child)) else {
                return Err(self.astray(parent, Slot { index: child, ..parent }));
            };
            codec::put(out, child);
            codec::put(out, edge);
        }
        Ok(())
    }

    fn astray(&self, parent: Slot, to: Slot) -> Fault {
        let mut page = Page::default();
        self.graph.scan(self.tier, &[parent.index], Ask::All, &mut page);
        let nth = page.edges.iter().position(|edge| edge.to == to).unwrap_or(0);
        Fault::astray(self.graph, parent, nth, to)
    }

    /// Records edges that came from other shares.
    pub(crate) fn record(&self, edges: &[u8], recorder: &mut Recorder) -> Result<(), Fault> {
        let mut bytes = Bytes(edges);
        while let Some((child, parent)) = bytes.number().zip(bytes.number()) {
            let slot = Slot { tier: self.tier, index: child };
            let place = self.graph.place(slot).and_then(|index| index.checked_sub(self.first));
            let Some(place) = place.filter(|place| *place < self.len()) else {
                let how = format!("a move of {}.{} leads to no position", self.tier, parent >> 1);
                return Err(Fault::Numbering { how });
            };
            recorder.add(place, parent);
        }
        Ok(())
    }

    fn schedule(&mut self, place: u32, outlook: &Outlook, children: u64) -> Result<(), Fault> {
        self.counts[place as usize] = outlook.count(children)?;
        if let Some(distance) = outlook.win {
            self.schedule.add(Kind::Won, distance, place);
        } else if let (Some(distance), false) = (outlook.bad, outlook.is_safe()) {
            self.schedule.add(Kind::Lost, distance, place);
        }
        if let Some(distance) = outlook.tie {
            self.schedule.add(Kind::Tied, distance, place);
        }
        Ok(())
    }

    /// Begins a level: with the updates of the level before, all that is decided at this distance is known. At the
    /// start it is found among the ends or, in a tier that is gone on with, among the values.
    pub(crate) fn begin_level<'m>(
        &mut self,
        level: Level,
        start: bool,
        updates: impl Iterator<Item = &'m [u8]>,
    ) -> Result<(), Fault> {
        self.propagated = 0;
        if start {
            self.now = self.first_frontier(level);
            return Ok(());
        }
        let found = Found::at(level.ties, level.distance);
        let due = self.schedule.take(level);
        due.won.into_iter().for_each(|place| self.update(place, true, 1, found));
        due.lost.into_iter().for_each(|place| self.update(place, false, 1, found));
        self.receive(updates, found)?;
        self.now = mem::take(&mut self.next);
        Ok(())
    }

    fn first_frontier(&mut self, level: Level) -> Frontier {
        if level.distance == 0 {
            return self.schedule.take(level);
        }
        let Found { good, bad, .. } = Found::at(level.ties, level.distance);
        let at = |word: Option<W>| {
            let same = |(place, value): (usize, &W)| (Some(*value) == word).then_some(place as u32);
            self.values.iter().enumerate().filter_map(same).collect::<Vec<u32>>()
        };
        Frontier { won: at(good), lost: at(bad) }
    }

    /// Goes on with a level: takes updates that came while it is at work.
    pub(crate) fn continue_level<'m>(
        &mut self,
        level: Level,
        updates: impl Iterator<Item = &'m [u8]>,
    ) -> Result<(), Fault> {
        self.receive(updates, Found::at(level.ties, level.distance + 1))
    }

    /// Propagates up to `most` positions of the level to their parents. Returns whether there are more.
    pub(crate) fn propagate(
        &mut self,
        parents: &Parents,
        level: Level,
        most: usize,
        out: &mut [Vec<u8>],
    ) -> Result<bool, Fault> {
        let now = mem::take(&mut self.now);
        let (from, to) = (self.propagated, now.len().min(self.propagated.saturating_add(most)));
        let cut = now.won.len();
        let won = &now.won[from.min(cut)..to.min(cut)];
        let lost = &now.lost[from.max(cut) - cut..to.max(cut) - cut];
        let (found, mut scratch) = (Found::at(level.ties, level.distance + 1), Origins::default());
        for (child_won, children) in [(true, won), (false, lost)] {
            for some in children.chunks(SOME) {
                self.update_parents(parents, child_won, some, found, out, &mut scratch)?;
            }
        }
        (self.now, self.propagated) = (now, to);
        Ok(self.propagated < self.now.len())
    }

    fn update_parents(
        &mut self,
        parents: &Parents,
        child_won: bool,
        children: &[u32],
        found: Found<W>,
        out: &mut [Vec<u8>],
        scratch: &mut Origins,
    ) -> Result<(), Fault> {
        let unplayed = matches!(parents, Parents::Unplayed { .. });
        let weighed = unplayed && self.graph.max_orbit() > 1;
        // Recorded edges are kept by place, and un-moves are found from slots.
        let base = if unplayed { self.first } else { 0 };
        let some: Vec<u64> = children.iter().map(|c| base + u64::from(*c)).collect();
        let (mut beyond, mut last, mut by) = (None, usize::MAX, 1);
        let (tier, first, len) = (self.tier, self.first, self.len());
        let wide = self.partition.size > SHORT;
        parents.each(&some, scratch, |nth, parent, again| {
            if weighed && nth != last {
                let slot = Slot { tier, index: first + u64::from(children[nth]) };
                (last, by) = (nth, self.graph.orbit_size(slot) as u16);
            }
            let good = found.ties || child_won == again;
            let place = parent.wrapping_sub(first);
            if place < len {
                self.update(place as u32, good, by, found);
                return;
            }
            if parent >= self.partition.len {
                beyond = Some(parent);
                return;
            }
            let owner = self.partition.owner(parent);
            let place = (parent - self.partition.range(owner).start) as u32;
            let out = &mut out[owner];
            match (good, by) {
                (true, _) => put_update(wide, GOOD, place, out),
                (false, 1) => put_update(wide, BAD, place, out),
                (false, by) => {
                    put_update(wide, WORSE, place, out);
                    out.extend(by.to_le_bytes());
                }
            }
        });
        match beyond {
            None => Ok(()),
            Some(index) => {
                let from = Slot { tier, index };
                let how = format!("`slot` says {from} of an un-move, beyond the end of its tier");
                Err(Fault::Numbering { how })
            }
        }
    }

    fn receive<'m>(
        &mut self,
        updates: impl Iterator<Item = &'m [u8]>,
        found: Found<W>,
    ) -> Result<(), Fault> {
        let wide = self.partition.size > SHORT;
        for updates in updates {
            let mut bytes = Bytes(updates);
            while let Some((kind, place)) = take_update(wide, &mut bytes) {
                if u64::from(place) >= self.len() {
                    let how = format!("an update for place {place} of a share of {}", self.len());
                    return Err(Fault::Numbering { how });
                }
                let by = if kind == WORSE { bytes.take().map_or(1, u16::from_le_bytes) } else { 1 };
                self.update(place, kind == GOOD, by, found);
            }
        }
        Ok(())
    }

    /// Takes note that a position is won (or tied), or that `by` of its moves are bad.
    #[inline]
    fn update(&mut self, place: u32, good: bool, by: u16, found: Found<W>) {
        let count = &mut self.counts[place as usize];
        if *count >= DECIDED {
            return;
        }
        if !good && *count > by {
            *count -= by;
            return;
        }
        *count = DECIDED;
        self.done += 1;
        let (word, next) =
            if good { (found.good, &mut self.next.won) } else { (found.bad, &mut self.next.lost) };
        match word {
            Some(word) => self.values[place as usize] = word,
            None => self.far = true,
        }
        next.push(place);
    }

    /// How many distances the schedule has: of wins and losses, and of ties.
    pub(crate) fn scheduled(&self) -> [u32; 2] {
        let longest = |ties| self.schedule.kinds(ties).iter().map(Vec::len).max().unwrap_or(0);
        [longest(false) as u32, longest(true) as u32]
    }

    /// The distances at which something is scheduled: wins and losses, and ties.
    pub(crate) fn due(&self) -> [Vec<u32>; 2] {
        [false, true].map(|ties| {
            let dates = self.schedule.kinds(ties).iter().flat_map(|dates| (0..).zip(dates));
            dates.filter(|(_, due)| !due.is_empty()).map(|(distance, _)| distance).collect()
        })
    }

    /// Whether something was decided for the level that comes next.
    pub(crate) fn waits(&self) -> bool {
        self.next.len() > 0
    }

    /// What this share has to say in a round, but for whether there is more to propagate.
    pub(crate) fn take_progress(&mut self) -> Reduction {
        let (done, far) = (mem::take(&mut self.done), self.far.into());
        let sum = if self.propagated == 0 { self.now.len() as u64 } else { 0 };
        Reduction { done, far, sum, ..Reduction::default() }
    }

    /// The values. A position that is not decided is a draw.
    pub(crate) fn finish(mut self) -> Vec<W> {
        let draw = W::pack(Value::Draw).expect("every word has room for a draw");
        for (value, count) in self.values.iter_mut().zip(&self.counts) {
            if *count < DECIDED {
                *value = draw;
            }
        }
        self.values
    }

    /// All that must be kept while the share is out of memory between two levels.
    pub(crate) fn park(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.counts.len() * (2 + size_of::<W>()));
        u16::write(&self.counts, &mut out);
        W::write(&self.values, &mut out);
        let Frontier { won, lost } = &self.next;
        [won, lost].into_iter().for_each(|list| put_list(&mut out, list));
        for dates in &self.schedule.0 {
            codec::put(&mut out, dates.len() as u64);
            dates.iter().for_each(|list| put_list(&mut out, list));
        }
        out
    }

    /// Takes up what [`park`](Share::park) gave; `None` where that is something else.
    pub(crate) fn unpark(&mut self, bytes: &[u8]) -> Option<()> {
        let (counts, rest) = bytes.split_at_checked(self.counts.len() * 2)?;
        let (values, rest) = rest.split_at_checked(self.values.len() * size_of::<W>())?;
        (self.counts, self.values) = (u16::read(counts), W::read(values));
        let mut bytes = Bytes(rest);
        self.next = Frontier { won: take_list(&mut bytes)?, lost: take_list(&mut bytes)? };
        for dates in &mut self.schedule.0 {
            let distances = bytes.number()?;
            *dates = (0..distances).map(|_| take_list(&mut bytes)).collect::<Option<_>>()?;
        }
        bytes.0.is_empty().then_some(())
    }
}

fn put_list(out: &mut Vec<u8>, list: &[u32]) {
    codec::put(out, list.len() as u64);
    u32::write(list, out);
}

fn take_list(bytes: &mut Bytes) -> Option<Vec<u32>> {
    let length = bytes.number()?.checked_mul(4)?;
    bytes.some(length).map(u32::read)
}
