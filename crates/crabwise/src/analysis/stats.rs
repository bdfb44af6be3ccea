//! Statistics: how many positions are worth what.

use std::{ops::Range, sync::Mutex};

use crate::{
    Slot, Summary, TierValues, Value, Word,
    analysis::reachability::Reached,
    analysis::reachability_kernel::Flow,
    graph::{Ask, Graph, Node, Page, parallel},
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
    fn get(&self, index: u64) -> Option<Value> {
        let place = index.checked_sub(self.first).filter(|place| *place < self.words.len())?;
        self.words.get(place)
    }

    fn slots(&self) -> Range<u64> {
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
    /// The furthest end so far, and where it was first met.
    deepest: Option<(u32, Spot)>,
    /// The longest win so far, and the first slots that have it.
    wins: (u32, Vec<Spot>),
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
        let mut deepest = None;
        let first = graph.start();
        let meter = Meter::new(watch, "counting", None, Some(graph.total()))?;
        for tier in 0..graph.tiers() {
            if let Crowd::Spread(flow) = &mut self.crowd {
                flow.enter(tier, &meter)?;
            }
            let (classes, len) = (graph.classes(tier), graph.len(tier));
            let mut by_class: Vec<Tally> = classes.iter().map(|_| Tally::default()).collect();
            let mut run = fetch(tier, 0)?;
            loop {
                let tallies = match &self.crowd {
                    Crowd::Reached(reached) => self.tier(reached, tier, &classes, &run, &meter)?,
                    Crowd::Spread(flow) => self.tier_at_once(flow, tier, &classes, &run, &meter)?,
                };
                if first.tier == tier
                    && let Some(value) = run.get(first.index)
                {
                    start = value;
                }
                for (class, tally) in by_class.iter_mut().zip(tallies) {
                    if let Some((n, spot)) = tally.deepest
                        && deepest.is_none_or(|(most, _, _)| n > most)
                    {
                        deepest = run.get(spot.0.index).map(|value| (n, value, spot));
                    }
                    *class = std::mem::take(class).merge(tally);
                }
                let next = run.slots().end;
                if next >= len {
                    break;
                }
                run = fetch(tier, next)?;
            }
            for (tally, (class, _)) in by_class.iter().zip(classes) {
                tiers.extend(tally.told(tier, class, graph.merges_orbits()));
            }
            total = by_class.into_iter().fold(total, Tally::merge);
        }
        Ok(Stats {
            start,
            counts: total.counts,
            orbits: graph.merges_orbits().then_some(total.orbits),
            moves: total.moves,
            remoteness: total.rows,
            tiers,
            deepest: deepest.map(|(_, value, (slot, member))| {
                let [picture, _] = graph.pictures(slot, member);
                (value, picture)
            }),
            deepest_wins: (total.wins.1.iter())
                .map(|&(slot, member)| {
                    let [_, line] = graph.pictures(slot, member);
                    line
                })
                .collect(),
        })
    }

    /// A tally for each class of a tier.
    fn tier(
        &self,
        reached: &Reached,
        tier: u32,
        classes: &[(String, u64)],
        run: &Run,
        meter: &Meter,
    ) -> Result<Vec<Tally>, SolveError> {
        let ends: Vec<u64> = (classes.iter())
            .scan(0, |end, (_, len)| {
                *end += len;
                Some(*end)
            })
            .collect();
        let totals = Mutex::new(classes.iter().map(|_| Tally::default()).collect::<Vec<_>>());
        if self.graph.boardless(tier) {
            return Ok(totals.into_inner().expect("nobody has it yet"));
        }
        let count = |slots: &mut dyn Iterator<Item = u64>, nodes: &[Node]| {
            let (mut class, mut tally) = (0, Tally::default());
            let add = |class: usize, tally: Tally| {
                let mut totals = totals.lock().expect("no count panics while it holds it");
                let total = &mut totals[class];
                *total = std::mem::take(total).merge(tally);
            };
            for (i, index) in slots.enumerate() {
                // Slots come in rising order, so a class is over when the next one begins.
                let now = match ends.len() {
                    1 => 0,
                    classes => ends.partition_point(|end| *end <= index).min(classes - 1),
                };
                if now != class {
                    add(class, std::mem::take(&mut tally));
                    class = now;
                }
                if let Some(value) = run.get(index) {
                    let slot = Slot { tier, index };
                    let moves = match nodes.get(i) {
                        Some(Node::Open(moves)) => (*moves).into(),
                        _ => 0,
                    };
                    let members = reached.members(self.graph, slot);
                    tally.count((slot, reached.first(slot)), value, members, moves);
                    if matches!(nodes.get(i), Some(Node::Over(_))) && !value.has_distance() {
                        tally.come_to_pass(members);
                    }
                }
            }
            add(class, tally);
        };
        // An outcome does not tell whether it has come to pass.
        let look = self.moves || !run.words.have_distances();
        let ask = if self.moves { Ask::Count } else { Ask::Ends };
        // Following the moves already looks at every position, so both are done in one go.
        // That takes the values of all of them at once.
        let whole = run.slots() == (0..self.graph.len(tier));
        let visit = |slots: &[u64], page: &Page| {
            if whole {
                count(&mut slots.iter().copied(), &page.nodes);
            }
        };
        if run.first == 0 {
            reached.follow(self.graph, tier, meter, look && whole, &visit)?;
        }
        if !reached.visits() || !whole {
            let slots = run.slots();
            let len = slots.end - slots.start;
            parallel(len.div_ceil(RUN) as usize, &|run| {
                let from = slots.start + run as u64 * RUN;
                let some = from..(from + RUN).min(slots.end);
                let (done, mut page) = (some.end - some.start, Page::default());
                if look {
                    self.graph.scan(tier, &some.clone().collect::<Vec<_>>(), ask, &mut page);
                }
                count(&mut some.clone(), &page.nodes);
                meter.add(done)
            })?;
        }
        Ok(totals.into_inner().expect("no count panics while it holds it"))
    }

    /// A tally for each class of a tier, of what the game itself says is reached.
    fn tier_at_once(
        &self,
        flow: &Flow,
        tier: u32,
        classes: &[(String, u64)],
        run: &Run,
        meter: &Meter,
    ) -> Result<Vec<Tally>, SolveError> {
        let (mut begin, mut tallies) = (0, vec![]);
        let mine = run.slots();
        for (_, len) in classes {
            let total = Mutex::new(Tally::default());
            // What of the class is in the run.
            let some = begin.max(mine.start)..(begin + len).min(mine.end);
            let count = some.end.saturating_sub(some.start);
            parallel(count.div_ceil(RUN) as usize, &|i| {
                let from = some.start + i as u64 * RUN;
                let slots = from..(from + RUN).min(some.end);
                let (done, tally) = (slots.end - slots.start, self.run(flow, tier, slots, run));
                let mut total = total.lock().expect("no count panics while it holds it");
                *total = std::mem::take(&mut *total).merge(tally);
                meter.add(done)
            })?;
            tallies.push(total.into_inner().expect("no count panics while it holds it"));
            begin += len;
        }
        Ok(tallies)
    }

    /// Counts a run of slots.
    fn run(&self, flow: &Flow, tier: u32, slots: Range<u64>, run: &Run) -> Tally {
        let words = &run.words;
        let within = slots.start - run.first..slots.end - run.first;
        let len = (slots.end - slots.start) as usize;
        let (mut members, mut moves) = (vec![0; len], vec![0; len]);
        flow.members(tier, slots.start, &mut members);
        let mut tally = Tally::default();
        match words {
            TierValues::One(words) => {
                let words = &words[within.start as usize..within.end as usize];
                tally.add_words(Slot { tier, index: slots.start }, words, &members, |value| value);
            }
            TierValues::OutcomePlanes(planes) => {
                let words = planes.codes(within);
                tally.add_words(
                    Slot { tier, index: slots.start },
                    &words,
                    &members,
                    Value::without_distance,
                );
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
        if !self.moves && words.have_distances() {
            return tally;
        }
        flow.moves(tier, slots.start, &mut moves);
        let both = members.iter().map(|members| u64::from(members.count_ones())).zip(moves);
        if !words.have_distances() {
            // An outcome does not tell whether it has come to pass; here it has where there is no move.
            both.clone().filter(|(_, moves)| *moves == 0).for_each(|(n, _)| tally.come_to_pass(n));
        }
        tally.moves = both.map(|(members, moves)| members * u64::from(moves)).sum();
        tally
    }
}

/// The first of the positions that a bit is set for.
fn first(which: u8) -> Option<u64> {
    (which != 0).then(|| which.trailing_zeros().into())
}

/// Slots that a thread takes at a time.
const RUN: u64 = 1 << 12;

impl Tally {
    /// Takes note that positions whose distance is not known are over: an outcome does not tell.
    pub(crate) fn come_to_pass(&mut self, members: u64) {
        self.counts.terminal += members;
        self.orbits.terminal += u64::from(members > 0);
    }

    pub(crate) fn summary(&self, start: Value) -> Summary {
        let (longest, longest_win) = (self.longest(), furthest(&self.rows, |row| row.win));
        Summary { start, counts: self.counts, longest, longest_win }
    }

    fn longest(&self) -> u32 {
        self.rows.len().saturating_sub(1) as u32
    }

    /// Counts `members` positions that share a slot.
    pub(crate) fn count(&mut self, spot: Spot, value: Value, members: u64, moves: u64) {
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
        if let Some(n) = value.remoteness()
            && self.deepest.is_none_or(|(most, at)| n > most || n == most && spot < at)
        {
            self.deepest = Some((n, spot));
        }
        if let (Value::Win(_), Some(n @ 1..)) = (value, value.remoteness())
            && n >= self.wins.0
        {
            self.add_win(n, spot);
        }
    }

    /// Notes one of the longest wins so far.
    fn add_win(&mut self, n: u32, spot: Spot) {
        if n > self.wins.0 {
            self.wins = (n, vec![]);
        }
        // The first slots, whatever the order in which threads met them.
        let place = self.wins.1.partition_point(|other| *other < spot);
        if place < DEEPEST {
            self.wins.1.insert(place, spot);
            self.wins.1.truncate(DEEPEST);
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
            longest: self.longest(),
        })
    }

    fn merge(mut self, other: Tally) -> Tally {
        self.counts.merge(&other.counts);
        self.orbits.merge(&other.orbits);
        self.moves += other.moves;
        if self.rows.len() < other.rows.len() {
            self.rows.resize(other.rows.len(), Row::default());
        }
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            mine.win += theirs.win;
            mine.loss += theirs.loss;
            mine.tie += theirs.tie;
        }
        // The furthest, and among equals the first slot, whatever thread met it.
        let rank = |deepest: &(u32, Spot)| (deepest.0, std::cmp::Reverse(deepest.1));
        self.deepest = self.deepest.into_iter().chain(other.deepest).max_by_key(rank);
        let (n, slots) = other.wins;
        if n >= self.wins.0 {
            slots.into_iter().for_each(|spot| self.add_win(n, spot));
        }
        self
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

    pub(crate) fn merge(&mut self, other: &Counts) {
        self.positions += other.positions;
        self.terminal += other.terminal;
        self.win += other.win;
        self.loss += other.loss;
        self.tie += other.tie;
        self.draw += other.draw;
    }
}
