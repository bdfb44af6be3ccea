//! Statistics: how many positions are worth what.

use std::ops::Range;

use rayon::prelude::*;

use crate::{
    Slot, Summary, TierValues, Value, Word,
    analysis::reachability::{Reached, Seen},
    analysis::reachability_kernel::Flow,
    graph::{Ask, Graph, Node, Page},
    solve::SolveError,
    table::Counts,
    watch::{Meter, Watch},
};

/// Positions at one distance from the end.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Row {
    /// Won at this distance.
    pub win: u64,
    /// Lost at this distance.
    pub loss: u64,
    /// Tied at this distance.
    pub tie: u64,
}

/// The statistics of one tier, or of one class of a tier.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct TierStats {
    /// The tier.
    pub tier: u32,
    /// The name of the class, if the numbering gives it one.
    pub class: String,
    /// Positions by outcome.
    pub counts: Counts,
    /// Positions by outcome with mirror images counted once, where all of them share a slot.
    pub orbits: Option<Counts>,
    /// The greatest distance of a win.
    pub longest_win: u32,
    /// The greatest distance of a loss.
    pub longest_loss: u32,
    /// The greatest distance.
    pub longest: u32,
}

/// The statistics of a game. Where distances were not kept, the start's is untold, no position is
/// counted by distance, and none is the deepest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The value of the start.
    pub start: Value,
    /// Positions by outcome, as the rules see them.
    pub counts: Counts,
    /// Positions by outcome with mirror images counted once, where all of them share a slot.
    pub orbits: Option<Counts>,
    /// All moves from all positions.
    pub moves: u64,
    /// Positions by distance; the place in the list is the distance.
    pub remoteness: Vec<Row>,
    /// Tier by tier, and class by class where a tier has several.
    pub tiers: Vec<TierStats>,
    /// A position whose end is furthest away: its value and its picture.
    pub deepest: Option<(Value, String)>,
    /// The wins that take longest, in one line each; of positions that share a slot one, and at most
    /// [`DEEPEST`].
    pub deepest_wins: Vec<String>,
}

/// How many of the longest wins are told.
pub const DEEPEST: usize = 12;

impl Stats {
    /// The greatest distance of any value.
    pub fn longest(&self) -> u32 {
        self.remoteness.len().saturating_sub(1) as u32
    }

    /// The greatest distance of a win.
    pub fn longest_win(&self) -> u32 {
        furthest(&self.remoteness, |row| row.win)
    }

    /// How many moves a position has on average, those that are over counting as having none.
    pub fn mean_moves(&self) -> f64 {
        self.moves as f64 / self.counts.positions.max(1) as f64
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary {
            start: self.start,
            counts: self.counts,
            longest: self.longest(),
            longest_win: self.longest_win(),
        }
    }
}

/// The furthest distance at which there is any.
fn furthest(rows: &[Row], of: fn(&Row) -> u64) -> u32 {
    rows.iter().rposition(|row| of(row) > 0).unwrap_or(0) as u32
}

/// Counts one tier after another.
pub(crate) struct Census<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) crowd: Crowd<'a>,
    /// Whether the moves are to be counted as well, for which every position must be looked at.
    pub(crate) moves: bool,
}

/// What counts: everything, or the start, from which the rest is reached while counting.
pub(crate) enum Crowd<'a> {
    /// Position by position.
    Reached(Reached),
    /// As the game says.
    Spread(Flow<'a>),
}

/// A slot, and which of the positions that share it is meant, where not all count.
type Spot = (Slot, Option<u64>);

/// The values of a run of slots of a tier.
pub(crate) struct Run {
    pub(crate) words: TierValues,
    /// The first of the slots.
    pub(crate) first: u64,
}

impl Run {
    pub(crate) fn get(&self, index: u64) -> Option<Value> {
        let place = index.checked_sub(self.first).filter(|place| *place < self.words.len())?;
        self.words.get(place)
    }

    pub(crate) fn slots(&self) -> Range<u64> {
        self.first..self.first + self.words.len()
    }
}

/// What is counted of some positions.
#[derive(Default)]
pub(crate) struct Tally {
    counts: Counts,
    orbits: Counts,
    moves: u64,
    rows: Vec<Row>,
    /// The position whose end is furthest away.
    deepest: Furthest<1>,
    /// The longest wins.
    wins: Furthest<DEEPEST>,
}

/// The greatest distance so far, and the first slots that have it, whatever the order in which threads met them.
#[derive(Default)]
struct Furthest<const MOST: usize> {
    distance: u32,
    first: Vec<(Spot, Value)>,
}

impl<const MOST: usize> Furthest<MOST> {
    fn note(&mut self, distance: u32, spot: Spot, value: Value) {
        if distance < self.distance {
            return;
        }
        if distance > self.distance {
            (self.distance, self.first) = (distance, vec![]);
        }
        let place = self.first.partition_point(|(other, _)| *other < spot);
        if place < MOST {
            self.first.insert(place, (spot, value));
            self.first.truncate(MOST);
        }
    }

    fn merge(&mut self, other: Self) {
        other.first.into_iter().for_each(|(spot, value)| self.note(other.distance, spot, value));
    }
}

impl Census<'_> {
    /// Counts the positions of all tiers. `fetch` brings the values of a tier from a slot on, as many as it likes.
    pub(crate) fn take(
        mut self,
        fetch: &mut dyn FnMut(u32, u64) -> Result<Run, SolveError>,
        watch: &dyn Watch,
    ) -> Result<Stats, SolveError> {
        let graph = self.graph;
        let (mut total, mut tiers, mut start) = (Tally::default(), vec![], Value::Draw);
        let meter = Meter::new(watch, "counting", None, Some(graph.total()))?;
        for tier in 0..graph.tiers() {
            if let Crowd::Spread(flow) = &mut self.crowd {
                flow.enter(tier, &meter)?;
            }
            let classes = graph.classes(tier);
            let by_class = self.tier(tier, &classes, fetch, &meter, &mut start)?;
            for (tally, (class, _)) in by_class.into_iter().zip(classes) {
                tiers.extend(tally.told(tier, class, graph.merges_orbits()));
                total.merge(tally);
            }
        }
        Ok(total.stats(graph, start, tiers))
    }

    /// A tally for each class of a tier.
    fn tier(
        &self,
        tier: u32,
        classes: &[(String, u64)],
        fetch: &mut dyn FnMut(u32, u64) -> Result<Run, SolveError>,
        meter: &Meter,
        start: &mut Value,
    ) -> Result<Vec<Tally>, SolveError> {
        let Census { graph, ref crowd, moves } = *self;
        let mut by_class: Vec<Tally> = classes.iter().map(|_| Tally::default()).collect();
        let (mut next, mut seen, first) = (0, None, graph.start());
        loop {
            let run = &fetch(tier, next)?;
            let (slots, told) = (run.slots(), run.words.have_distances());
            // An outcome does not tell whether it has come to pass.
            let looks = moves || !told;
            if let (0, Crowd::Reached(reached)) = (next, crowd) {
                // Following the moves looks at every position, at all classes together; ends are told by class.
                let wanted = looks && (told || classes.len() == 1);
                seen = reached.follow(graph, tier, meter, wanted)?;
                seen.iter().for_each(|seen| by_class[0].see(seen, told));
            }
            let count = Count { graph, tier, run, moves, looks: looks && seen.is_none() };
            let piece = |slots: Range<u64>| match crowd {
                Crowd::Reached(reached) => count.reached(reached, slots),
                Crowd::Spread(flow) => count.said(flow, slots),
            };
            let mut begin = 0;
            for ((_, len), tally) in classes.iter().zip(&mut by_class) {
                let within = begin.max(slots.start)..(begin + len).min(slots.end);
                tally.merge(pieces(within, meter, &piece)?);
                begin += len;
            }
            if first.tier == tier {
                *start = run.get(first.index).unwrap_or(*start);
            }
            next = slots.end;
            if next >= graph.len(tier) {
                return Ok(by_class);
            }
        }
    }
}

/// Counts some slots on all threads.
pub(crate) fn pieces(
    slots: Range<u64>,
    meter: &Meter,
    piece: &(dyn Fn(Range<u64>) -> Tally + Sync),
) -> Result<Tally, SolveError> {
    let len = slots.end.saturating_sub(slots.start);
    let tallies = (0..len.div_ceil(RUN)).into_par_iter().map(|i| {
        let from = slots.start + i * RUN;
        let to = (from + RUN).min(slots.end);
        meter.add(to - from)?;
        Ok(piece(from..to))
    });
    tallies.try_reduce(Tally::default, |mut one, other| {
        one.merge(other);
        Ok(one)
    })
}

/// How a run of slots of a tier is counted.
pub(crate) struct Count<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) tier: u32,
    pub(crate) run: &'a Run,
    pub(crate) moves: bool,
    /// Whether positions must be looked at.
    pub(crate) looks: bool,
}

/// Slots that a thread takes at a time.
const RUN: u64 = 1 << 12;

impl Count<'_> {
    /// Counts slots position by position.
    pub(crate) fn reached(&self, reached: &Reached, slots: Range<u64>) -> Tally {
        let (mut tally, mut page) = (Tally::default(), Page::default());
        if self.graph.boardless(self.tier) {
            return tally;
        }
        if self.looks {
            let ask = if self.moves { Ask::Count } else { Ask::Ends };
            let slots: Vec<u64> = slots.clone().collect();
            self.graph.scan(self.tier, &slots, ask, &mut page);
        }
        for (i, index) in slots.enumerate() {
            let Some(value) = self.run.get(index) else { continue };
            let slot = Slot { tier: self.tier, index };
            let moves = if let Some(Node::Open(moves)) = page.nodes.get(i) { *moves } else { 0 };
            let members = reached.members(self.graph, slot);
            tally.count((slot, reached.first(slot)), value, members, moves.into());
            if matches!(page.nodes.get(i), Some(Node::Over(_))) && !value.has_distance() {
                tally.come_to_pass(members, u64::from(members > 0));
            }
        }
        tally
    }

    /// Counts slots of a class by what the game says of them.
    fn said(&self, flow: &Flow, slots: Range<u64>) -> Tally {
        let Count { tier, run, .. } = *self;
        let within = slots.start - run.first..slots.end - run.first;
        let len = (slots.end - slots.start) as usize;
        let from = Slot { tier, index: slots.start };
        let (mut members, mut moves) = (vec![0; len], vec![0; len]);
        flow.members(tier, slots.start, &mut members);
        let mut tally = Tally::default();
        match &run.words {
            TierValues::One(words) => {
                let words = &words[within.start as usize..within.end as usize];
                tally.add_words(from, words, &members, |value| value);
            }
            TierValues::OutcomePlanes(planes) => {
                tally.add_words(from, &planes.codes(within), &members, Value::without_distance);
            }
            TierValues::Two(_) | TierValues::Four(_) => {
                for (index, &which) in slots.clone().zip(&members) {
                    let members = which.count_ones().into();
                    if let Some(value) = run.get(index) {
                        tally.count((Slot { tier, index }, first(which)), value, members, 0);
                    }
                }
            }
        }
        let told = run.words.have_distances();
        if !self.moves && told {
            return tally;
        }
        flow.spread.moves(tier, slots.start, &mut moves);
        let both = members.iter().map(|members| u64::from(members.count_ones())).zip(moves);
        if !told {
            // An outcome does not tell whether it has come to pass; here it has where there is no move.
            both.clone().filter(|(_, moves)| *moves == 0).for_each(|(n, _)| {
                tally.come_to_pass(n, u64::from(n > 0));
            });
        }
        tally.moves = both.map(|(members, moves)| members * u64::from(moves)).sum();
        tally
    }
}

/// The first of the positions that a bit is set for.
fn first(which: u8) -> Option<u64> {
    (which != 0).then(|| which.trailing_zeros().into())
}

impl Tally {
    /// Takes note that positions whose distance is not known are over: an outcome does not tell.
    fn come_to_pass(&mut self, members: u64, slots: u64) {
        self.counts.terminal += members;
        self.orbits.terminal += slots;
    }

    /// Adds what was seen while moves were followed, where values have been `told` with their distances or without.
    fn see(&mut self, seen: &Seen, told: bool) {
        self.moves += seen.moves;
        if !told {
            self.come_to_pass(seen.ends, seen.end_slots);
        }
    }

    /// Counts `members` positions that share a slot.
    fn count(&mut self, spot: Spot, value: Value, members: u64, moves: u64) {
        if members > 0 {
            self.add(value, members, 1, moves * members);
            self.note(spot, value);
        }
    }

    /// Counts the words of some slots, `from` and on: first how often each is there, and then what it
    /// means.
    fn add_words(
        &mut self,
        from: Slot,
        words: &[u8],
        members: &[u8],
        mean: impl Fn(Value) -> Value,
    ) {
        let counts: Vec<u8> = members.iter().map(|members| members.count_ones() as u8).collect();
        // Neighbours are often equal, and to count one thing in one place time after time is slow.
        let (mut positions, mut orbits) = ([[0_u32; 256]; 4], [[0_u32; 256]; 4]);
        for (words, counts) in words.chunks(4).zip(counts.chunks(4)) {
            for (i, (&word, &count)) in words.iter().zip(counts).enumerate() {
                positions[i][usize::from(word)] += u32::from(count);
                orbits[i][usize::from(word)] += u32::from(count > 0);
            }
        }
        let all = |counts: &[[u32; 256]; 4], word: u8| {
            counts.iter().map(|counts| u64::from(counts[usize::from(word)])).sum::<u64>()
        };
        let there = (0..=u8::MAX).filter(|word| all(&positions, *word) > 0);
        let there = there.filter_map(|word| Some((word, mean(word.unpack()?))));
        let there: Vec<(u8, Value)> = there.collect();
        for &(word, value) in &there {
            self.add(value, all(&positions, word), all(&orbits, word), 0);
        }
        // Where those are that are furthest from their end, and the longest wins.
        let furthest = there.iter().filter_map(|(_, value)| value.remoteness()).max();
        let won = there.iter().filter(|(_, value)| matches!(value, Value::Win(_)));
        let longest = won.filter_map(|(_, value)| value.remoteness()).max();
        for (word, value) in there {
            let n = value.remoteness();
            let longest = matches!(value, Value::Win(_)) && n == longest;
            if n.is_some() && (longest || n == furthest) {
                let same = words.iter().zip(members).zip(from.index..);
                let same = same.filter(|((other, members), _)| **other == word && **members > 0);
                for ((_, &which), index) in same.take(DEEPEST) {
                    self.note((Slot { index, ..from }, first(which)), value);
                }
            }
        }
    }

    fn add(&mut self, value: Value, members: u64, slots: u64, moves: u64) {
        self.counts.add(value, members);
        self.orbits.add(value, slots);
        self.moves += moves;
        if let Some(n) = value.remoteness() {
            if self.rows.len() <= n as usize {
                self.rows.resize(n as usize + 1, Row::default());
            }
            let row = &mut self.rows[n as usize];
            match value {
                Value::Win(_) => row.win += members,
                Value::Loss(_) => row.loss += members,
                Value::Tie(_) | Value::Draw => row.tie += members,
            }
        }
    }

    /// Notes a slot if its end is further away than any so far, or its win longer.
    fn note(&mut self, spot: Spot, value: Value) {
        let Some(n) = value.remoteness() else { return };
        self.deepest.note(n, spot, value);
        if matches!(value, Value::Win(1..)) {
            self.wins.note(n, spot, value);
        }
    }

    /// What was counted of a class; nothing where a tier holds no positions but ends without a
    /// board.
    fn told(&self, tier: u32, class: String, folded: bool) -> Option<TierStats> {
        (self.counts.positions > 0 || class.is_empty()).then(|| TierStats {
            tier,
            class,
            counts: self.counts,
            orbits: folded.then_some(self.orbits),
            longest_win: furthest(&self.rows, |row| row.win),
            longest_loss: furthest(&self.rows, |row| row.loss),
            longest: self.rows.len().saturating_sub(1) as u32,
        })
    }

    pub(crate) fn merge(&mut self, other: Tally) {
        self.counts.merge(other.counts);
        self.orbits.merge(other.orbits);
        self.moves += other.moves;
        if self.rows.len() < other.rows.len() {
            self.rows.resize(other.rows.len(), Row::default());
        }
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            mine.win += theirs.win;
            mine.loss += theirs.loss;
            mine.tie += theirs.tie;
        }
        self.deepest.merge(other.deepest);
        self.wins.merge(other.wins);
    }

    pub(crate) fn stats(self, graph: &dyn Graph, start: Value, tiers: Vec<TierStats>) -> Stats {
        let shown = |((slot, member), value): (Spot, Value)| {
            let [picture, line] = graph.pictures(slot, member);
            (value, picture, line)
        };
        let deepest = self.deepest.first.into_iter().map(shown).next();
        Stats {
            start,
            counts: self.counts,
            orbits: graph.merges_orbits().then_some(self.orbits),
            moves: self.moves,
            remoteness: self.rows,
            tiers,
            deepest: deepest.map(|(value, picture, _)| (value, picture)),
            deepest_wins: self.wins.first.into_iter().map(|spot| shown(spot).2).collect(),
        }
    }
}

impl Counts {
    pub(crate) fn add(&mut self, value: Value, n: u64) {
        self.positions += n;
        // The end is no move away exactly where it has come; a count of values without distances must
        // look.
        self.terminal += if value.remoteness() == Some(0) { n } else { 0 };
        match value {
            Value::Win(_) => self.win += n,
            Value::Loss(_) => self.loss += n,
            Value::Tie(_) => self.tie += n,
            Value::Draw => self.draw += n,
        }
    }

    pub(crate) fn merge(&mut self, other: Counts) {
        let (mine, more) = (self.numbers(), other.numbers());
        *self = Counts::of(std::array::from_fn(|i| mine[i] + more[i]));
    }

    /// The fields in their order.
    pub(crate) fn numbers(self) -> [u64; 6] {
        [self.positions, self.terminal, self.win, self.loss, self.tie, self.draw]
    }

    pub(crate) fn of([positions, terminal, win, loss, tie, draw]: [u64; 6]) -> Counts {
        Counts { positions, terminal, win, loss, tie, draw }
    }
}
