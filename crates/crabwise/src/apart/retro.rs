//! A worker's share of a tier with loops: the solver of `solve/retro.rs`, cut into parts.
//!
//! Counts and values of its own slots are a worker's own. News of what was decided at a level goes to
//! whoever has the parents, a few thousand positions a round, and the level is over when nobody has more to
//! send. Positions in later tiers are looked up once, forwards; ends inside the tier send news like
//! everything else, at level 0.
//!
//! A letter is the place of a parent in its owner's share, with what the news means to it in the two
//! highest bits: four bytes, or eight where shares are too large for that.

use std::ops::Range;

use super::{Say, Shares, Team, look::Later, room::EDGES, snapshot::Kept};
use crate::{
    Outcome, Slot, Value, Word,
    graph::{Ask, Edge, Graph, Node, Page},
    solve::{
        DECIDED, Fault, HOLE, Outlook, SolveError,
        reverse::{Ordinal, Parents, Recorder, Scratch},
    },
    table::codec::{self, Bytes},
};

/// More slots than this a worker cannot have in a tier with loops: places are kept in 32 bits.
pub(crate) const MOST: u64 = 1 << 32;

/// What news is to a parent: one of its moves is bad, it has won, or so many of its moves are bad.
const BAD: u32 = 0;
const GOOD: u32 = 1;
const WORSE: u32 = 2;
/// Shares of more slots have long letters.
const SHORT: u64 = if cfg!(test) { 12 } else { 1 << 30 };

/// Positions of which news is sent in a round.
const TOLD: usize = if cfg!(test) { 20 } else { 1 << 15 };
/// Positions whose parents are found at a time.
const SOME: usize = 1 << 8;

/// The share of one worker.
pub(crate) struct Part<'a, W: Word> {
    graph: &'a dyn Graph,
    tier: u32,
    shares: Shares,
    /// The first slot.
    first: u64,
    /// Children not yet known to be bad, or [`DECIDED`], or [`HOLE`].
    counts: Vec<u16>,
    values: Vec<W>,
    /// What is due at which level because of later tiers.
    wins: Diary,
    losses: Diary,
    ties: Diary,
    /// Ends: won, lost, tied.
    ends: [Vec<u32>; 3],
    /// Whether a distance did not fit.
    far: bool,
    /// Positions decided since the last round.
    done: u64,
    /// What was decided before its time had come; of shares that are worked on one by one.
    fresh: Fresh,
}

/// Positions to be told something when a level is reached.
#[derive(Default)]
struct Diary(Vec<Vec<u32>>);

impl Diary {
    fn add(&mut self, level: u32, place: u32) {
        let level = level as usize;
        if self.0.len() <= level {
            self.0.resize_with(level + 1, Vec::new);
        }
        self.0[level].push(place);
    }

    fn take(&mut self, level: u32) -> Vec<u32> {
        self.0.get_mut(level as usize).map(std::mem::take).unwrap_or_default()
    }
}

/// How far a tier has come: what has to be known, besides counts and values, to go on with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// Whether wins and losses are all known, and ties are being found.
    pub(crate) ties: bool,
    /// The level whose news is to be sent next.
    pub(crate) level: u32,
}

fn put_list(out: &mut Vec<u8>, list: &[u32]) {
    codec::put(out, list.len() as u64);
    u32::write(list, out);
}

fn take_list(bytes: &mut Bytes) -> Option<Vec<u32>> {
    let length = usize::try_from(bytes.number()?).ok()?.checked_mul(4)?;
    let (list, rest) = bytes.0.split_at_checked(length)?;
    bytes.0 = rest;
    Some(u32::read(list))
}

#[inline]
fn put_letter(wide: bool, kind: u32, place: u32, out: &mut Vec<u8>) {
    match wide {
        true => out.extend((u64::from(kind) << 62 | u64::from(place)).to_le_bytes()),
        false => out.extend((kind << 30 | place).to_le_bytes()),
    }
}

#[inline]
fn take_letter(wide: bool, bytes: &mut Bytes) -> Option<(u32, u32)> {
    if wide {
        let letter = u64::from_le_bytes(bytes.take()?);
        return Some(((letter >> 62) as u32, letter as u32));
    }
    let letter = u32::from_le_bytes(bytes.take()?);
    Some((letter >> 30, letter & !(3 << 30)))
}

/// What a round brings for positions of one share.
#[derive(Default)]
struct Fresh {
    won: Vec<u32>,
    lost: Vec<u32>,
}

/// Tells the values at some slots of later tiers.
pub(crate) type Look<'l> = &'l mut dyn FnMut(&[Slot]) -> Result<Vec<Option<Value>>, SolveError>;

/// Sends letters, one lot for each share, and empties the lots.
pub(crate) type Send<'s> = &'s mut dyn FnMut(&mut [Vec<u8>]) -> Result<(), SolveError>;

/// Keeps the state of a tier between levels.
pub(crate) trait Pause<W: Word> {
    /// Whether it is time to; asked of all workers, and when one says yes, all keep their part.
    fn due(&mut self) -> bool;

    /// Keeps this worker's part, with all others.
    fn keep(
        &mut self,
        team: &mut Team,
        mark: Mark,
        counts: &mut Vec<u16>,
        values: &mut Vec<W>,
    ) -> Result<(), SolveError>;
}

impl<'a, W: Word> Part<'a, W> {
    pub(crate) fn new(graph: &'a dyn Graph, tier: u32, shares: &Shares, me: usize) -> Self {
        let slots = shares.of(me);
        let len = (slots.end - slots.start) as usize;
        Part {
            graph,
            tier,
            shares: shares.clone(),
            first: slots.start,
            counts: vec![0; len],
            values: vec![W::HOLE; len],
            wins: Diary::default(),
            losses: Diary::default(),
            ties: Diary::default(),
            ends: [vec![], vec![], vec![]],
            far: false,
            done: 0,
            fresh: Fresh::default(),
        }
    }

    /// Solves the share, with all others; `None` where a distance does not fit in the word. A tier that
    /// was interrupted goes on from what an earlier run had kept.
    pub(crate) fn solve(
        self,
        team: &mut Team,
        later: &Later,
        kept: Option<Kept>,
        pause: &mut dyn Pause<W>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        if self.shares.len < 1 << 31 {
            self.solve_with::<u32>(team, later, kept, pause)
        } else {
            self.solve_with::<u64>(team, later, kept, pause)
        }
    }

    fn solve_with<N: Ordinal>(
        mut self,
        team: &mut Team,
        later: &Later,
        kept: Option<Kept>,
        pause: &mut dyn Pause<W>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        let tier = self.tier;
        team.begin("counting moves", Some(tier), Some(self.shares.len));
        let parents = match self.graph.backwards() {
            Some(backwards) => {
                self.look(team, later, None::<&Recorder<N>>)?;
                Parents::Unplayed { backwards, tier }
            }
            None => {
                let recorder = Recorder::<N>::new(self.counts.len() as u64);
                self.look(team, later, Some(&recorder))?;
                Parents::Recorded(recorder.finish())
            }
        };
        let due = [&self.wins, &self.losses, &self.ties].map(|diary| diary.0.len() as u64);
        let dues = [due[0].max(due[1]), due[2]];
        let begin = match kept {
            Some(Kept { mark, counts, values }) => {
                (self.counts, self.values) = (counts, W::untier(values).unwrap_or_default());
                mark
            }
            None => Mark { ties: false, level: 0 },
        };
        team.begin("deciding", Some(tier), Some(self.shares.len));
        self.done = self.counts.iter().filter(|count| **count >= DECIDED).count() as u64;
        for ties in [false, true] {
            if begin.ties && !ties {
                continue;
            }
            let from = if begin.ties == ties { begin.level } else { 0 };
            let due = team.agree(Say { most: dues[usize::from(ties)], ..Say::default() })?.most;
            if !self.levels(team, &parents, Mark { ties, level: from }, due as u32, pause)? {
                return Ok(None);
            }
        }
        drop(parents);
        Ok(Some(self.finish()))
    }

    /// Looks at all positions of the share: counts their moves and makes their appointments with later
    /// tiers; edges inside the tier go to whoever has the child, where they are recorded.
    fn look<N: Ordinal>(
        &mut self,
        team: &mut Team,
        later: &Later,
        recorder: Option<&Recorder<N>>,
    ) -> Result<(), SolveError> {
        let graph = self.graph;
        let mut at = 0;
        loop {
            let mut edges = team.parcels();
            let look = &mut |wanted: &[Slot]| later.look(team, graph, wanted);
            let done = self.look_at(at, EDGES, look, &mut edges)?;
            at += done;
            let more = (at < self.counts.len() as u64).into();
            let say = Say { done, more, ..Say::default() };
            let told = if let Some(recorder) = recorder {
                let (came, told) = team.trade(edges, say)?;
                came.iter().try_for_each(|parcel| self.record(parcel.bytes(), recorder))?;
                told
            } else {
                team.agree(say)?
            };
            if told.more == 0 {
                return Ok(());
            }
        }
    }

    /// Looks at some positions of the share, from a place on, that have about so many moves; what they see of
    /// later tiers is told by `look`. Returns how many positions that were.
    pub(crate) fn look_at(
        &mut self,
        from: u64,
        moves: u64,
        look: Look,
        edges: &mut [Vec<u8>],
    ) -> Result<u64, SolveError> {
        let mut page = Page::default();
        let recorded = self.graph.backwards().is_none();
        let ask = if recorded { Ask::All } else { Ask::Leaving };
        let (from, end) = (self.first + from, self.first + self.counts.len() as u64);
        let slots = from..page.fill(self.graph, self.tier, from..end, ask, moves);
        let leaving = |edge: &&Edge| edge.to.tier > self.tier;
        let wanted: Vec<Slot> = page.edges.iter().filter(leaving).map(|edge| edge.to).collect();
        let mut values = look(&wanted)?.into_iter();
        for (n, (index, (node, moves))) in slots.clone().zip(page.iter()).enumerate() {
            let inner = page.inner.get(n).copied().unwrap_or(0);
            self.meet(index, node, inner, moves, &mut values, edges)?;
        }
        Ok(slots.end - slots.start)
    }

    /// One distance, for a share that is worked on by itself: hears what was sent to it of the level
    /// before, keeps its appointments, and sends the news of what is decided by now. What it decides
    /// meanwhile of the next level stays until that.
    pub(crate) fn pass<N: Ordinal>(
        &mut self,
        parents: &Parents<N>,
        Mark { ties, level }: Mark,
        inbox: &[u8],
        send: Send,
    ) -> Result<(), SolveError> {
        let mut now = std::mem::take(&mut self.fresh);
        match level.checked_sub(1) {
            None => now = self.frontier(Mark { ties, level }),
            Some(before) => {
                let words = Words::at(ties, level);
                self.keep_appointments(before, words, &mut now);
                self.hear(inbox, words, &mut now)?;
            }
        }
        let (words, all) = (Words::at(ties, level + 1), now.won.len() + now.lost.len());
        let mut next = Fresh::default();
        let mut letters = vec![vec![]; self.shares.len.div_ceil(self.shares.size).max(1) as usize];
        for from in (0..all).step_by(TOLD) {
            self.tell(parents, &now, from..(from + TOLD).min(all), words, &mut next, &mut letters)?;
            send(&mut letters)?;
        }
        self.fresh = next;
        Ok(())
    }

    /// The levels at which something is due, of wins and losses or of ties, and whether anything waits to be
    /// sent.
    pub(crate) fn due(&self, ties: bool) -> (Vec<u32>, bool) {
        let diaries: &[&Diary] = if ties { &[&self.ties] } else { &[&self.wins, &self.losses] };
        let levels = diaries.iter().flat_map(|diary| (0..).zip(&diary.0));
        let mut due: Vec<u32> = levels.filter(|(_, at)| !at.is_empty()).map(|(i, _)| i).collect();
        due.sort_unstable();
        due.dedup();
        (due, !self.fresh.won.is_empty() || !self.fresh.lost.is_empty())
    }

    /// Whether a distance did not fit, and how many positions were decided since this was asked last.
    pub(crate) fn told_off(&mut self) -> (bool, u64) {
        (self.far, std::mem::take(&mut self.done))
    }

    /// The values; what is not decided is a draw.
    pub(crate) fn finish(mut self) -> Vec<W> {
        let draw = W::pack(Value::Draw).expect("every word has room for a draw");
        for (value, count) in self.values.iter_mut().zip(&self.counts) {
            if *count < DECIDED {
                *value = draw;
            }
        }
        self.values
    }

    /// All that must be kept while the share is out of memory.
    pub(crate) fn park(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.counts.len() * (2 + size_of::<W>()));
        u16::write(&self.counts, &mut out);
        W::write(&self.values, &mut out);
        let Fresh { won, lost } = &self.fresh;
        let lists = self.ends.iter().chain([won, lost]);
        lists.for_each(|list| put_list(&mut out, list));
        for diary in [&self.wins, &self.losses, &self.ties] {
            codec::put(&mut out, diary.0.len() as u64);
            diary.0.iter().for_each(|list| put_list(&mut out, list));
        }
        out
    }

    /// Takes up what [`park`](Part::park) gave; `None` where that is something else.
    pub(crate) fn unpark(&mut self, bytes: &[u8]) -> Option<()> {
        let (counts, rest) = bytes.split_at_checked(self.counts.len() * 2)?;
        let (values, rest) = rest.split_at_checked(self.values.len() * size_of::<W>())?;
        (self.counts, self.values) = (u16::read(counts), W::read(values));
        let mut bytes = Bytes(rest);
        let mut list = || take_list(&mut bytes);
        self.ends = [list()?, list()?, list()?];
        self.fresh = Fresh { won: list()?, lost: list()? };
        for diary in [&mut self.wins, &mut self.losses, &mut self.ties] {
            let levels = bytes.number()?;
            diary.0 = (0..levels).map(|_| take_list(&mut bytes)).collect::<Option<_>>()?;
        }
        bytes.0.is_empty().then_some(())
    }

    /// Takes note of what is at one slot.
    fn meet(
        &mut self,
        index: u64,
        node: Node,
        inner: u32,
        moves: &[Edge],
        values: &mut impl Iterator<Item = Option<Value>>,
        edges: &mut [Vec<u8>],
    ) -> Result<(), SolveError> {
        let (place, slot) = ((index - self.first) as usize, Slot { tier: self.tier, index });
        match node {
            Node::Hole => self.counts[place] = HOLE,
            Node::Over(outcome) => {
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
            Node::Open(_) => {
                if inner == 0 && moves.is_empty() {
                    return Err(Fault::Stuck { position: self.graph.show(slot) }.into());
                }
                let (mut outlook, mut children) = (Outlook::default(), vec![]);
                for (nth, edge) in moves.iter().enumerate() {
                    if edge.to.tier == self.tier {
                        children.push((edge.to.index, edge.again));
                        continue;
                    }
                    let value =
                        if edge.to.tier > self.tier { values.next().flatten() } else { None };
                    let astray = || Fault::astray(self.graph, slot, nth, edge.to);
                    outlook.see(value.ok_or_else(astray)?, edge.again);
                }
                children.sort_unstable();
                children.dedup();
                self.send_edges(slot, &children, edges)?;
                let folded = self.graph.backwards().is_some() && self.graph.folds() > 1;
                let share = if folded { self.graph.orbit(slot) } else { 1 };
                let waits = u64::from(inner) * share + children.len() as u64;
                self.appoint(place as u32, &outlook, waits)?;
            }
        }
        Ok(())
    }

    /// An edge is the address of the child, and its parent with whether it moves again.
    fn send_edges(
        &self,
        parent: Slot,
        children: &[(u64, bool)],
        edges: &mut [Vec<u8>],
    ) -> Result<(), Fault> {
        for &(child, again) in children {
            let Some(out) = edges.get_mut(self.shares.keeper(child)) else {
                let to = Slot { index: child, ..parent };
                return Err(self.astray(parent, to));
            };
            codec::put(out, child);
            codec::put(out, parent.index << 1 | u64::from(again));
        }
        Ok(())
    }

    /// The move from one slot to another is none that there may be.
    fn astray(&self, parent: Slot, to: Slot) -> Fault {
        let mut page = Page::default();
        self.graph.scan(self.tier, &[parent.index], Ask::All, &mut page);
        let nth = page.edges.iter().position(|edge| edge.to == to).unwrap_or(0);
        Fault::astray(self.graph, parent, nth, to)
    }

    /// Takes edges that were sent to whoever has the children.
    pub(crate) fn record<N: Ordinal>(
        &self,
        edges: &[u8],
        recorder: &Recorder<N>,
    ) -> Result<(), Fault> {
        let (mut bytes, mut edges) = (Bytes(edges), vec![]);
        while let Some((child, parent)) = bytes.number().zip(bytes.number()) {
            let slot = Slot { tier: self.tier, index: child };
            let place = self.graph.place(slot).and_then(|index| index.checked_sub(self.first));
            let Some(place) = place.filter(|place| *place < self.counts.len() as u64) else {
                let how = format!("a move of {}.{} leads to no position", self.tier, parent >> 1);
                return Err(Fault::Numbering { how });
            };
            edges.push((N::narrow(place), N::narrow(parent)));
        }
        recorder.add(&edges);
        Ok(())
    }

    fn appoint(&mut self, place: u32, outlook: &Outlook, children: u64) -> Result<(), Fault> {
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

    /// Lets news travel level by level, of wins and losses or of ties, until there is none and nothing is
    /// due; `false` where a distance does not fit.
    fn levels<N: Ordinal>(
        &mut self,
        team: &mut Team,
        parents: &Parents<N>,
        mark: Mark,
        due: u32,
        pause: &mut dyn Pause<W>,
    ) -> Result<bool, SolveError> {
        let ties = mark.ties;
        let (mut now, mut due_now) = (self.frontier(mark), false);
        for level in mark.level.. {
            team.level(level);
            if due_now {
                pause.keep(team, Mark { ties, level }, &mut self.counts, &mut self.values)?;
                due_now = false;
            }
            let (mut next, mut at, mut first) = (Fresh::default(), 0, true);
            let words = Words::<W>::at(ties, level + 1);
            let all = now.won.len() + now.lost.len();
            loop {
                let mut letters = team.parcels();
                let to = (at + TOLD).min(all);
                self.tell(parents, &now, at..to, words, &mut next, &mut letters)?;
                at = to;
                let say = Say {
                    more: (at < all).into(),
                    sum: if first { all as u64 } else { 0 },
                    far: self.far.into(),
                    done: std::mem::take(&mut self.done),
                    most: if first { pause.due().into() } else { 0 },
                    ..Say::default()
                };
                let (came, told) = team.trade(letters, say)?;
                if told.far > 0 {
                    return Ok(false);
                }
                if first && told.sum == 0 && level >= due {
                    return Ok(true);
                }
                if first {
                    due_now = told.most > 0;
                    self.keep_appointments(level, words, &mut next);
                }
                came.iter().try_for_each(|came| self.hear(came.bytes(), words, &mut next))?;
                if told.more == 0 {
                    break;
                }
                first = false;
            }
            now = next;
        }
        unreachable!("levels end when nothing is left to tell")
    }

    /// The positions whose news is to be sent first: the ends, or in a tier that is gone on with all that
    /// was decided at that level.
    fn frontier(&mut self, mark: Mark) -> Fresh {
        let [won, lost, tied] = std::mem::take(&mut self.ends);
        if mark.level == 0 {
            return match mark.ties {
                false => {
                    self.ends[2] = tied;
                    Fresh { won, lost }
                }
                true => Fresh { won: tied, lost: vec![] },
            };
        }
        self.ends[2] = tied;
        let at = |value: Value| {
            let word = W::pack(value);
            let same = |(place, value): (usize, &W)| (Some(*value) == word).then_some(place as u32);
            self.values.iter().enumerate().filter_map(same).collect::<Vec<u32>>()
        };
        match mark.ties {
            false => Fresh { won: at(Value::Win(mark.level)), lost: at(Value::Loss(mark.level)) },
            true => Fresh { won: at(Value::Tie(mark.level)), lost: vec![] },
        }
    }

    /// Tells the parents of some positions, those of other workers by letter.
    fn tell<N: Ordinal>(
        &mut self,
        parents: &Parents<N>,
        now: &Fresh,
        range: Range<usize>,
        words: Words<W>,
        next: &mut Fresh,
        letters: &mut [Vec<u8>],
    ) -> Result<(), SolveError> {
        let cut = now.won.len();
        let won = &now.won[range.start.min(cut)..range.end.min(cut)];
        let lost = &now.lost[range.start.max(cut) - cut..range.end.max(cut) - cut];
        let mut scratch = Scratch::default();
        for (child_won, children) in [(true, won), (false, lost)] {
            for some in children.chunks(SOME) {
                self.tell_some(parents, child_won, some, words, next, letters, &mut scratch)?;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn tell_some<N: Ordinal>(
        &mut self,
        parents: &Parents<N>,
        child_won: bool,
        children: &[u32],
        words: Words<W>,
        next: &mut Fresh,
        letters: &mut [Vec<u8>],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let unplayed = matches!(parents, Parents::Unplayed { .. });
        let weighed = unplayed && self.graph.folds() > 1;
        // Recorded edges are kept by place, and un-moves are found from slots.
        let base = if unplayed { self.first } else { 0 };
        let some: Vec<N> = children.iter().map(|c| N::narrow(base + u64::from(*c))).collect();
        let (mut beyond, mut last, mut by) = (None, usize::MAX, 1);
        let (tier, first, me) = (self.tier, self.first, self.shares.owner(self.first));
        let wide = self.shares.size > SHORT;
        parents.each(&some, scratch, |nth, parent, again| {
            if weighed && nth != last {
                let slot = Slot { tier, index: first + u64::from(children[nth]) };
                (last, by) = (nth, self.graph.orbit(slot) as u16);
            }
            if parent >= self.shares.len {
                beyond = Some(parent);
                return;
            }
            let good = words.ties || child_won == again;
            let owner = self.shares.owner(parent);
            if owner == me {
                self.told((parent - first) as u32, good, by, words, next);
                return;
            }
            let place = (parent - self.shares.of(owner).start) as u32;
            let out = &mut letters[owner];
            match (good, by) {
                (true, _) => put_letter(wide, GOOD, place, out),
                (false, 1) => put_letter(wide, BAD, place, out),
                (false, by) => {
                    put_letter(wide, WORSE, place, out);
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

    /// Reads letters.
    fn hear(&mut self, letters: &[u8], words: Words<W>, next: &mut Fresh) -> Result<(), Fault> {
        let (mut bytes, wide) = (Bytes(letters), self.shares.size > SHORT);
        while let Some((kind, place)) = take_letter(wide, &mut bytes) {
            if place as usize >= self.counts.len() {
                let how = format!("news for place {place} of a share of {}", self.counts.len());
                return Err(Fault::Numbering { how });
            }
            let by = if kind == WORSE { bytes.take().map_or(1, u16::from_le_bytes) } else { 1 };
            self.told(place, kind == GOOD, by, words, next);
        }
        Ok(())
    }

    /// What the look at later tiers said would be due now.
    fn keep_appointments(&mut self, level: u32, words: Words<W>, next: &mut Fresh) {
        if words.ties {
            for place in self.ties.take(level) {
                self.told(place, true, 1, words, next);
            }
            return;
        }
        for place in self.wins.take(level) {
            self.told(place, true, 1, words, next);
        }
        for place in self.losses.take(level) {
            self.told(place, false, 1, words, next);
        }
    }

    /// A position hears that it is won (or tied), or that some of its moves are bad.
    #[inline]
    fn told(&mut self, place: u32, good: bool, by: u16, words: Words<W>, next: &mut Fresh) {
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
        let (word, fresh) =
            if good { (words.good, &mut next.won) } else { (words.bad, &mut next.lost) };
        match word {
            Some(word) => self.values[place as usize] = word,
            None => self.far = true,
        }
        fresh.push(place);
    }
}

/// What is found at a level: a win or a loss, or a tie; `None` where it does not fit.
#[derive(Clone, Copy)]
struct Words<W> {
    ties: bool,
    good: Option<W>,
    bad: Option<W>,
}

impl<W: Word> Words<W> {
    fn at(ties: bool, distance: u32) -> Words<W> {
        match ties {
            true => Words { ties, good: W::pack(Value::Tie(distance)), bad: None },
            false => Words {
                ties,
                good: W::pack(Value::Win(distance)),
                bad: W::pack(Value::Loss(distance)),
            },
        }
    }
}
