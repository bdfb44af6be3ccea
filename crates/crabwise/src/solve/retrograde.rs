//! Tiers with loops: retrograde analysis, from the ends of the game backwards, one distance at a time.
//!
//! A position is won at distance d + 1 as soon as some move reaches a child that is good for the
//! mover at distance d, and lost at d + 1 when the last of its children turns out bad at d. So
//! every position keeps the number of children not yet known to be bad, and what is decided at
//! level d is propagated to the parents: distances come out exact. What is left when nothing is propagated
//! any more is even. Ties spread through the even positions in the same way, shortest first, and the rest are draws.
//!
//! Children in later tiers are looked at once, forwards, from their parents. Each position then has
//! at most one date with them: the level at which its quickest win among them comes true, or
//! else the one at which the slowest of the bad ones does. Ends of the game inside the tier are the first frontier.
//!
//! Where edges are recorded, children and parents are distinct slots. Where the game is played
//! backwards, no child inside the tier is looked up at all: only the moves are counted. With a
//! folded numbering a move of the one position that is looked at stands for as many as share its slot:
//! if k moves lead from P to images of C, then k·|P| moves lead from the positions at P's slot
//! to those at C's, and un-moves from C see |C| of them each. So P waits for |P| times its moves, and
//! each un-move from C counts for |C|.
//!
//! A tier is cut into [`Share`]s, one for each worker. A share's counts and values are its own; an [update](put_update)
//! for a parent elsewhere is sent to its share. Where shares are and how updates travel is the matter of [`Supersteps`]:
//! in memory, between the workers of a [`Communicator`](super::communicator::Communicator) ([`Resident`]), or in files
//! ([`external_memory`](super::external_memory)).

use std::mem;

use super::{
    Fault, SolveError,
    communicator::{Comm, Message, Reduction},
    lookup::Later,
    reverse::{Ordinal, Parents, Recorder, Scratch},
    snapshot::Kept,
};
use crate::{
    game::{Outcome, Value},
    graph::{Ask, Edge, Graph, Node, Page, partition::Partition},
    index::Slot,
    table::{
        Word,
        codec::{self, Bytes},
    },
};

/// The most slots of a share: places in it are kept in 32 bits.
pub(crate) const MOST: u64 = 1 << 32;

/// Moves that a worker looks up in a round, about.
pub(crate) const EDGES: u64 = if cfg!(test) { 100 } else { 1 << 17 };
/// Lookups of a round where they need no other worker.
const BATCHES: u64 = 16;

/// Positions that a worker propagates in a round.
pub(crate) const PROPAGATED: usize = if cfg!(test) { 20 } else { 1 << 15 };
/// Positions whose parents are found at a time.
const SOME: usize = 1 << 8;

/// What stands in place of a count where nothing is left to wait for.
const DECIDED: u16 = u16::MAX - 1;
const HOLE: u16 = u16::MAX;

/// What one position sees of the later tiers.
#[derive(Default)]
struct Outlook {
    /// The quickest win: the child's distance.
    win: Option<u32>,
    /// The slowest bad child.
    bad: Option<u32>,
    /// The quickest tie.
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
            Value::Win(n) => self.win = Some(self.win.unwrap_or(n - 1).min(n - 1)),
            Value::Loss(n) => self.bad = self.bad.max(Some(n - 1)),
            Value::Tie(n) => {
                self.tie = Some(self.tie.unwrap_or(n - 1).min(n - 1));
                self.even = true;
            }
            Value::Draw => self.even = true,
        }
    }
}

/// Positions that are decided because of later tiers, by level.
#[derive(Default)]
struct Schedule(Vec<Vec<u32>>);

impl Schedule {
    fn add(&mut self, level: u32, place: u32) {
        let level = level as usize;
        if self.0.len() <= level {
            self.0.resize_with(level + 1, Vec::new);
        }
        self.0[level].push(place);
    }

    fn take(&mut self, level: u32) -> Vec<u32> {
        self.0.get_mut(level as usize).map(mem::take).unwrap_or_default()
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

/// How far a tier has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// Whether wins and losses are all known, and ties are being found.
    pub(crate) ties: bool,
    /// The distance of the positions that are propagated next.
    pub(crate) distance: u32,
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
pub(crate) struct Edges<'e, N> {
    /// This share's own edges; `None` where the game is played backwards.
    pub(crate) recorder: Option<&'e mut Recorder<N>>,
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
    counts: Vec<u16>,
    values: Vec<W>,
    wins: Schedule,
    losses: Schedule,
    ties: Schedule,
    /// Ends: won, lost, tied.
    ends: [Vec<u32>; 3],
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
            wins: Schedule::default(),
            losses: Schedule::default(),
            ties: Schedule::default(),
            ends: Default::default(),
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

    /// Looks forwards at some positions, from a place on, that have about this many moves. Returns how many positions.
    pub(crate) fn scan<N: Ordinal>(
        &mut self,
        from: u64,
        moves: u64,
        look_up: LookUp,
        edges: &mut Edges<N>,
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
            Outcome::Win => 0,
            Outcome::Loss => 1,
            Outcome::Tie => 2,
        };
        self.ends[kind].push(place as u32);
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
        if outlook.win == Some(0) {
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
    fn send_edges<N: Ordinal>(
        &self,
        parent: Slot,
        children: &[(u64, bool)],
        edges: &mut Edges<N>,
    ) -> Result<(), Fault> {
        let mine = self.first..self.first + self.len();
        let addressed = self.partition.is_addressed();
        for &(child, again) in children {
            let edge = parent.index << 1 | u64::from(again);
            if let (true, Some(recorder)) =
                (!addressed && mine.contains(&child), edges.recorder.as_mut())
            {
                recorder.add(child - self.first, N::narrow(edge));
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
    pub(crate) fn record<N: Ordinal>(
        &self,
        edges: &[u8],
        recorder: &mut Recorder<N>,
    ) -> Result<(), Fault> {
        let mut bytes = Bytes(edges);
        while let Some((child, parent)) = bytes.number().zip(bytes.number()) {
            let slot = Slot { tier: self.tier, index: child };
            let place = self.graph.place(slot).and_then(|index| index.checked_sub(self.first));
            let Some(place) = place.filter(|place| *place < self.len()) else {
                let how = format!("a move of {}.{} leads to no position", self.tier, parent >> 1);
                return Err(Fault::Numbering { how });
            };
            recorder.add(place, N::narrow(parent));
        }
        Ok(())
    }

    fn schedule(&mut self, place: u32, outlook: &Outlook, children: u64) -> Result<(), Fault> {
        self.counts[place as usize] = outlook.count(children)?;
        if let Some(level) = outlook.win {
            self.wins.add(level, place);
        } else if let (Some(level), false) = (outlook.bad, outlook.is_safe()) {
            self.losses.add(level, place);
        }
        if let Some(level) = outlook.tie {
            self.ties.add(level, place);
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
        self.apply_schedule(level.distance - 1, found);
        self.receive(updates, found)?;
        self.now = mem::take(&mut self.next);
        Ok(())
    }

    fn first_frontier(&mut self, Level { ties, distance }: Level) -> Frontier {
        if distance == 0 {
            let [won, lost, tied] = &mut self.ends;
            return match ties {
                false => Frontier { won: mem::take(won), lost: mem::take(lost) },
                true => Frontier { won: mem::take(tied), lost: vec![] },
            };
        }
        let at = |value: Value| {
            let word = W::pack(value);
            let same = |(place, value): (usize, &W)| (Some(*value) == word).then_some(place as u32);
            self.values.iter().enumerate().filter_map(same).collect::<Vec<u32>>()
        };
        match ties {
            false => Frontier { won: at(Value::Win(distance)), lost: at(Value::Loss(distance)) },
            true => Frontier { won: at(Value::Tie(distance)), lost: vec![] },
        }
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
    pub(crate) fn propagate<N: Ordinal>(
        &mut self,
        parents: &Parents<N>,
        level: Level,
        most: usize,
        out: &mut [Vec<u8>],
    ) -> Result<bool, Fault> {
        let now = mem::take(&mut self.now);
        let (from, to) = (self.propagated, now.len().min(self.propagated.saturating_add(most)));
        let cut = now.won.len();
        let won = &now.won[from.min(cut)..to.min(cut)];
        let lost = &now.lost[from.max(cut) - cut..to.max(cut) - cut];
        let (found, mut scratch) = (Found::at(level.ties, level.distance + 1), Scratch::default());
        for (child_won, children) in [(true, won), (false, lost)] {
            for some in children.chunks(SOME) {
                self.update_parents(parents, child_won, some, found, out, &mut scratch)?;
            }
        }
        (self.now, self.propagated) = (now, to);
        Ok(self.propagated < self.now.len())
    }

    fn update_parents<N: Ordinal>(
        &mut self,
        parents: &Parents<N>,
        child_won: bool,
        children: &[u32],
        found: Found<W>,
        out: &mut [Vec<u8>],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let unplayed = matches!(parents, Parents::Unplayed { .. });
        let weighed = unplayed && self.graph.max_orbit() > 1;
        // Recorded edges are kept by place, and un-moves are found from slots.
        let base = if unplayed { self.first } else { 0 };
        let some: Vec<N> = children.iter().map(|c| N::narrow(base + u64::from(*c))).collect();
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

    /// Decides what is due at a level because of later tiers.
    fn apply_schedule(&mut self, level: u32, found: Found<W>) {
        let due = match found.ties {
            true => [(self.ties.take(level), true), (vec![], false)],
            false => [(self.wins.take(level), true), (self.losses.take(level), false)],
        };
        for (places, good) in due {
            places.into_iter().for_each(|place| self.update(place, good, 1, found));
        }
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

    /// How many levels of the schedule there are: of wins and losses, and of ties.
    pub(crate) fn scheduled(&self) -> [u32; 2] {
        let [wins, losses, ties] =
            [&self.wins, &self.losses, &self.ties].map(|schedule| schedule.0.len() as u32);
        [wins.max(losses), ties]
    }

    /// The levels at which something is scheduled.
    pub(crate) fn due(&self, ties: bool) -> Vec<u32> {
        let schedules: &[&Schedule] =
            if ties { &[&self.ties] } else { &[&self.wins, &self.losses] };
        let levels = schedules.iter().flat_map(|schedule| (0..).zip(&schedule.0));
        levels.filter(|(_, due)| !due.is_empty()).map(|(level, _)| level).collect()
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
        self.ends.iter().chain([won, lost]).for_each(|list| put_list(&mut out, list));
        for schedule in [&self.wins, &self.losses, &self.ties] {
            codec::put(&mut out, schedule.0.len() as u64);
            schedule.0.iter().for_each(|list| put_list(&mut out, list));
        }
        out
    }

    /// Takes up what [`park`](Share::park) gave; `None` where that is something else.
    pub(crate) fn unpark(&mut self, bytes: &[u8]) -> Option<()> {
        let (counts, rest) = bytes.split_at_checked(self.counts.len() * 2)?;
        let (values, rest) = rest.split_at_checked(self.values.len() * size_of::<W>())?;
        (self.counts, self.values) = (u16::read(counts), W::read(values));
        let mut bytes = Bytes(rest);
        let mut list = || take_list(&mut bytes);
        self.ends = [list()?, list()?, list()?];
        self.next = Frontier { won: list()?, lost: list()? };
        for schedule in [&mut self.wins, &mut self.losses, &mut self.ties] {
            let levels = bytes.number()?;
            schedule.0 = (0..levels).map(|_| take_list(&mut bytes)).collect::<Option<_>>()?;
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

/// Where a round of supersteps stands in its level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// The first of all.
    Start,
    /// The first of a level.
    First,
    /// A further one of the same level.
    Further,
}

/// Where the shares of a tier are, and how updates travel between them.
pub(crate) trait Supersteps {
    /// Lets every share take the updates that were sent to it, and propagate. Returns the numbers of all shares of all
    /// workers together: with them all workers decide alike how to go on.
    fn step(&mut self, level: Level, round: Round) -> Result<Reduction, SolveError>;
}

/// Propagates level after level until nothing is left to propagate and nothing is scheduled any more; `false` where a
/// distance does not fit.
pub(crate) fn propagate_levels(
    shares: &mut dyn Supersteps,
    begin: Level,
    scheduled: u32,
) -> Result<bool, SolveError> {
    let (mut level, mut round) = (begin, Round::Start);
    loop {
        let all = shares.step(level, round)?;
        if all.far > 0 {
            return Ok(false);
        }
        if round != Round::Further && all.sum == 0 && level.distance >= scheduled {
            return Ok(true);
        }
        round = if all.more > 0 { Round::Further } else { Round::First };
        level.distance += u32::from(round == Round::First);
    }
}

/// Finds wins and losses, then ties, from the start or from where a snapshot was made.
pub(crate) fn propagate_all(
    shares: &mut dyn Supersteps,
    begin: Level,
    scheduled: [u32; 2],
) -> Result<bool, SolveError> {
    for ties in [begin.ties, true] {
        let distance = if ties == begin.ties { begin.distance } else { 0 };
        let scheduled = scheduled[usize::from(ties)];
        if !propagate_levels(shares, Level { ties, distance }, scheduled)? {
            return Ok(false);
        }
        if begin.ties {
            break;
        }
    }
    Ok(true)
}

/// Keeps the state of a tier between levels.
pub(crate) trait Checkpoint<W: Word> {
    /// Whether it is time. All workers are asked, and when one says yes, all keep their share.
    fn is_due(&mut self) -> bool;

    /// Keeps this worker's share, with all others.
    fn keep(
        &mut self,
        comm: &mut Comm,
        level: Level,
        counts: &mut Vec<u16>,
        values: &mut Vec<W>,
    ) -> Result<(), SolveError>;
}

/// Keeps nothing.
pub(crate) struct NoCheckpoint;

impl<W: Word> Checkpoint<W> for NoCheckpoint {
    fn is_due(&mut self) -> bool {
        false
    }

    fn keep(
        &mut self,
        _: &mut Comm,
        _: Level,
        _: &mut Vec<u16>,
        _: &mut Vec<W>,
    ) -> Result<(), SolveError> {
        Ok(())
    }
}

/// One share in the memory of each worker, and updates in messages.
struct Resident<'r, 'c, 'a, W: Word, N> {
    comm: &'r mut Comm<'c>,
    share: Share<'a, W>,
    parents: Parents<'a, N>,
    inbox: Vec<Message>,
    checkpoint: &'r mut dyn Checkpoint<W>,
    checkpoint_due: bool,
}

impl<W: Word, N: Ordinal> Supersteps for Resident<'_, '_, '_, W, N> {
    fn step(&mut self, level: Level, round: Round) -> Result<Reduction, SolveError> {
        let inbox = mem::take(&mut self.inbox);
        let updates = inbox.iter().map(Message::bytes);
        let further = round == Round::Further;
        if further {
            self.share.continue_level(level, updates)?;
        } else {
            self.share.begin_level(level, round == Round::Start, updates)?;
            self.comm.level(level.distance);
        }
        drop(inbox);
        if mem::take(&mut self.checkpoint_due) && !further {
            let Share { counts, values, .. } = &mut self.share;
            self.checkpoint.keep(self.comm, level, counts, values)?;
        }
        let mine = self.share.take_progress();
        let mut messages = self.comm.messages();
        let more = self.share.propagate(&self.parents, level, PROPAGATED, &mut messages)?;
        let most = (!further && self.checkpoint.is_due()).into();
        let mine = Reduction { more: more.into(), most, ..mine };
        let (came, all) = self.comm.exchange(messages, mine)?;
        self.inbox = came;
        self.checkpoint_due = all.most > 0;
        Ok(all)
    }
}

/// A worker's part in solving one tier.
pub(crate) struct Retrograde<'s> {
    pub(crate) graph: &'s dyn Graph,
    pub(crate) tier: u32,
    pub(crate) partition: &'s Partition,
    pub(crate) later: &'s Later<'s>,
}

impl Retrograde<'_> {
    /// Solves this worker's share, with all others; `None` where a distance does not fit in the word. A tier that was
    /// interrupted goes on from what an earlier run had kept.
    pub(crate) fn solve<W: Word>(
        &self,
        comm: &mut Comm,
        kept: Option<Kept>,
        checkpoint: &mut dyn Checkpoint<W>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        if self.partition.len < 1 << 31 {
            self.solve_with::<W, u32>(comm, kept, checkpoint)
        } else {
            self.solve_with::<W, u64>(comm, kept, checkpoint)
        }
    }

    fn solve_with<W: Word, N: Ordinal>(
        &self,
        comm: &mut Comm,
        kept: Option<Kept>,
        checkpoint: &mut dyn Checkpoint<W>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        let Retrograde { graph, tier, partition, .. } = *self;
        let total = Some(partition.len);
        let mut share = Share::<W>::new(graph, tier, partition, comm.rank());
        comm.begin("counting moves", Some(tier), total);
        let parents = self.scan::<W, N>(comm, &mut share)?;
        let mut scheduled = share.scheduled();
        for levels in &mut scheduled {
            *levels = comm.max((*levels).into())? as u32;
        }
        let mut begin = Level { ties: false, distance: 0 };
        if let Some(Kept { level, counts, values }) = kept {
            begin = level;
            (share.counts, share.values) = (counts, W::untier(values).unwrap_or_default());
        }
        comm.begin("deciding", Some(tier), total);
        share.done = share.counts.iter().filter(|count| **count >= DECIDED).count() as u64;
        let inbox = vec![];
        let mut resident =
            Resident { comm, share, parents, inbox, checkpoint, checkpoint_due: false };
        let fits = propagate_all(&mut resident, begin, scheduled)?;
        let Resident { share, parents, .. } = resident;
        drop(parents);
        Ok(fits.then(|| share.finish()))
    }

    /// Looks at all positions of the share once, forwards, and finds out how their parents will be known.
    fn scan<W: Word, N: Ordinal>(
        &self,
        comm: &mut Comm,
        share: &mut Share<W>,
    ) -> Result<Parents<'_, N>, SolveError> {
        if let Some(backwards) = self.graph.backwards() {
            self.scan_rounds(comm, share, None::<&mut Recorder<N>>)?;
            return Ok(Parents::Unplayed { backwards, tier: self.tier });
        }
        let mut recorder = Recorder::new(share.len());
        self.scan_rounds(comm, share, Some(&mut recorder))?;
        Ok(Parents::Recorded(recorder.finish()))
    }

    fn scan_rounds<W: Word, N: Ordinal>(
        &self,
        comm: &mut Comm,
        share: &mut Share<W>,
        mut recorder: Option<&mut Recorder<N>>,
    ) -> Result<(), SolveError> {
        let batches = if self.later.asks_others() { 1 } else { BATCHES };
        let mut at = 0;
        loop {
            let (mut out, before) = (comm.messages(), at);
            for _ in 0..batches {
                let edges = &mut Edges { recorder: recorder.as_deref_mut(), out: &mut out };
                let look_up = &mut |wanted: &[Slot]| self.later.look_up(comm, self.graph, wanted);
                at += share.scan(at, EDGES / batches, look_up, edges)?;
            }
            let more = (at < share.len()).into();
            let mine = Reduction { done: at - before, more, ..Reduction::default() };
            let (came, all) = comm.exchange(out, mine)?;
            if let Some(recorder) = recorder.as_deref_mut() {
                came.iter().try_for_each(|message| share.record(message.bytes(), recorder))?;
            }
            if all.more == 0 {
                return Ok(());
            }
        }
    }
}
