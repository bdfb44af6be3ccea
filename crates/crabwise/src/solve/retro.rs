//! Tiers with loops: from the ends of the game backwards, one distance at a time.
//!
//! A position is won at distance d + 1 as soon as some move reaches a child that is good for the
//! mover at distance d, and lost at d + 1 when the last of its children turns out bad at d. So
//! every position keeps the number of children not yet known to be bad, and the news of level d
//! travels to the parents of what was decided at level d: distances come out exact. What is left
//! when no news travels any more is even. Ties spread through the even positions in the same way,
//! shortest first, and the rest are draws.
//!
//! Two threads may bring news to one position at the same time. Each edge is counted once, so the
//! count cannot reach zero while good news is under way, and it does not matter who is first: the
//! values are the same for any number of threads.
//!
//! Children in later tiers are looked at once, forwards, from their parents. Each position then has
//! at most one appointment with them: the level at which its quickest win among them comes true, or
//! else the one at which the slowest of the bad ones does. Where edges are recorded, ends of the
//! game are seen in the same way; where the game is played backwards, they are the first to send news.
//!
//! Where edges are recorded, children and parents are distinct slots. Where the game is played
//! backwards, no child inside the tier is looked up at all: only the moves are counted. With a
//! folded numbering a move of the one position that is looked at stands for as many as share its slot:
//! if k moves lead from P to images of C, then k·|P| moves lead from the positions at P's slot
//! to those at C's, and un-moves from C see |C| of them each. So P waits for |P| times its moves, and
//! each un-move from C counts for |C|.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    Fault, TierError,
    reverse::{Ordinal, Parents, Recorder, Scratch},
};
use crate::{
    Outcome, Slot, Tiers, Value, Word,
    graph::{Ask, Edge, Graph, Node, Page, scan_tier},
    watch::{Meter, Watch},
};

/// What stands in place of a count where nothing is left to wait for.
pub(crate) const DECIDED: u16 = u16::MAX - 1;
pub(crate) const HOLE: u16 = u16::MAX;

/// A tier being solved.
pub(super) struct Loopy<'a, W: Word> {
    graph: &'a dyn Graph,
    tier: u32,
    later: &'a Tiers,
    /// Children not yet known to be bad, or [`DECIDED`], or [`HOLE`].
    counts: Vec<AtomicU16>,
    values: Vec<W::Shared>,
    /// A bit for each hole and each end: small enough to stay in cache while every edge asks.
    settled: Vec<AtomicU64>,
}

/// Positions just decided by one thread: won, or tied; and lost.
type Fresh<N> = (Vec<N>, Vec<N>);

/// Positions in pieces, as the threads found them.
type Pieces<N> = Vec<Vec<N>>;

/// Positions to be told something when a level is reached.
struct Appointments<N>(Vec<Pieces<N>>);

impl<N: Ordinal> Appointments<N> {
    fn add(&mut self, level: u32, i: u64) {
        let level = level as usize;
        if self.0.len() <= level {
            self.0.resize_with(level + 1, Vec::new);
        }
        if self.0[level].is_empty() {
            self.0[level].push(vec![]);
        }
        self.0[level][0].push(N::narrow(i));
    }

    fn merge(&mut self, other: Appointments<N>) {
        self.0.resize_with(self.0.len().max(other.0.len()), Vec::new);
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| mine.extend(theirs));
    }

    fn take(&mut self, level: u32) -> Pieces<N> {
        self.0.get_mut(level as usize).map(std::mem::take).unwrap_or_default()
    }

    fn over(&self, level: u32) -> bool {
        self.0.len() <= level as usize
    }
}

/// What the look forwards finds, besides the edges.
struct Scan<N> {
    wins: Appointments<N>,
    losses: Appointments<N>,
    ties: Appointments<N>,
    /// Ends inside the tier that send news themselves: won, lost, tied.
    ends: [Pieces<N>; 3],
}

impl<N: Ordinal> Scan<N> {
    fn new() -> Scan<N> {
        let none = || Appointments(vec![]);
        Scan { wins: none(), losses: none(), ties: none(), ends: [vec![], vec![], vec![]] }
    }

    fn merge(mut self, other: Scan<N>) -> Scan<N> {
        self.wins.merge(other.wins);
        self.losses.merge(other.losses);
        self.ties.merge(other.ties);
        self.ends.iter_mut().zip(other.ends).for_each(|(mine, theirs)| mine.extend(theirs));
        self
    }
}

/// What one position sees of the ends and of the later tiers.
#[derive(Default)]
pub(crate) struct Outlook {
    /// The quickest win: the child's distance.
    pub(crate) win: Option<u32>,
    /// The slowest bad child.
    pub(crate) bad: Option<u32>,
    /// The quickest tie.
    pub(crate) tie: Option<u32>,
    /// Whether some child is even, and so the position not lost.
    even: bool,
}

impl Outlook {
    /// Whether the position cannot be lost.
    pub(crate) fn is_safe(&self) -> bool {
        self.even || self.win.is_some()
    }

    /// What a position with so many other children begins to count down from. One more than the children:
    /// a position with a win or an even child never counts down to zero, one with bad children elsewhere
    /// does so no sooner than they are due.
    pub(crate) fn count(&self, children: u64) -> Result<u16, Fault> {
        let count = children + u64::from(self.is_safe() || self.bad.is_some());
        let fits = u16::try_from(count).ok().filter(|count| *count < DECIDED);
        fits.ok_or(Fault::TooManyMoves { moves: count })
    }

    pub(crate) fn see(&mut self, child: Value, again: bool) {
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

/// How many slots, or positions of a level, a thread takes at a time.
const RUN: usize = 1 << 11;

impl<'a, W: Word> Loopy<'a, W> {
    pub(super) fn new(graph: &'a dyn Graph, tier: u32, later: &'a Tiers) -> Self {
        let len = graph.len(tier) as usize;
        let counts = (0..len).into_par_iter().map(|_| AtomicU16::new(0)).collect();
        let values = (0..len).into_par_iter().map(|_| W::HOLE.share()).collect();
        let settled = (0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Loopy { graph, tier, later, counts, values, settled }
    }

    /// Solves the tier.
    pub(super) fn solve(self, watch: &dyn Watch) -> Result<Vec<W>, TierError> {
        if (self.counts.len() as u64) < 1 << 31 {
            self.solve_with::<u32>(watch)
        } else {
            self.solve_with::<u64>(watch)
        }
    }

    fn solve_with<N: Ordinal>(self, watch: &dyn Watch) -> Result<Vec<W>, TierError> {
        let len = self.counts.len() as u64;
        let stage = |what| Meter::new(watch, what, Some(self.tier), Some(len));
        let (parents, mut scan) = match self.graph.backwards() {
            None => {
                self.find_ends(&stage("finding the ends")?)?;
                let recorder = Recorder::<N>::new(len);
                let scan = self.look_forwards(&recorder, &stage("looking forwards")?)?;
                (Parents::Recorded(recorder.finish()), scan)
            }
            Some(backwards) => {
                let scan = self.count_moves(&stage("counting moves")?)?;
                (Parents::Unplayed { backwards, tier: self.tier }, scan)
            }
        };
        let meter = &stage("deciding")?;
        self.decide(&parents, &mut scan, meter)?;
        self.spread_ties(&parents, &mut scan, meter)?;
        drop(parents);
        let draw = W::pack(Value::Draw).expect("every word has room for a draw");
        self.values.par_iter().zip(&self.counts).for_each(|(value, count)| {
            if count.load(Relaxed) < DECIDED {
                W::store(value, draw);
            }
        });
        drop(self.counts);
        Ok(self.values.into_iter().map(|value| W::load(&value)).collect())
    }

    /// Marks holes and gives finished positions their value.
    fn find_ends(&self, meter: &Meter) -> Result<(), TierError> {
        scan_tier(self.graph, self.tier, Ask::Ends, |run, page| {
            for (i, node) in run.clone().zip(&page.nodes) {
                if !matches!(node, Node::Open(_)) {
                    self.settled[(i / 64) as usize].fetch_or(1 << (i % 64), Relaxed);
                }
                match node {
                    Node::Hole => self.counts[i as usize].store(HOLE, Relaxed),
                    Node::Over(outcome) => {
                        let word = W::pack((*outcome).into()).ok_or(TierError::TooFar)?;
                        W::store(&self.values[i as usize], word);
                        self.counts[i as usize].store(DECIDED, Relaxed);
                    }
                    Node::Open(_) => {}
                }
            }
            Ok::<_, TierError>(meter.add(run.end - run.start)?)
        })
        .map(|_: Vec<()>| ())
    }

    /// Counts the children of every other position, makes its appointments, records its edges.
    fn look_forwards<N: Ordinal>(
        &self,
        recorder: &Recorder<N>,
        meter: &Meter,
    ) -> Result<Scan<N>, TierError> {
        let scans = (0..(self.counts.len() as u64).div_ceil(RUN as u64))
            .into_par_iter()
            .map_init(Page::default, |page, run| {
                let from = run * RUN as u64;
                let run = from..(from + RUN as u64).min(self.counts.len() as u64);
                let open: Vec<u64> = run.clone().filter(|&i| self.undecided(i)).collect();
                self.graph.scan(self.tier, &open, Ask::Children, page);
                let mut scan = Scan::new();
                let (mut children, mut edges) = (vec![], vec![]);
                for (&i, (node, moves)) in open.iter().zip(page.iter()) {
                    let outlook = self.children(i, node, moves, &mut children)?;
                    self.appoint(i, &outlook, children.len() as u64, &mut scan)?;
                    edges.extend(children.iter().map(|&(child, again)| {
                        (N::narrow(child), N::narrow(i << 1 | u64::from(again)))
                    }));
                }
                recorder.add(&edges);
                meter.add(run.end - run.start)?;
                Ok::<_, TierError>(scan)
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(scans.into_iter().fold(Scan::new(), Scan::merge))
    }

    /// For a game that is played backwards: finds holes and ends, counts the moves of every other
    /// position, and makes its appointments with later tiers.
    fn count_moves<N: Ordinal>(&self, meter: &Meter) -> Result<Scan<N>, TierError> {
        let folded = self.graph.folds() > 1;
        let scans = scan_tier(self.graph, self.tier, Ask::Leaving, |run, page| {
            let mut scan = Scan::new();
            let mut ends = [vec![], vec![], vec![]];
            for (n, (i, (node, leaving))) in run.clone().zip(page.iter()).enumerate() {
                let slot = Slot { tier: self.tier, index: i };
                match node {
                    Node::Hole => self.counts[i as usize].store(HOLE, Relaxed),
                    Node::Over(outcome) => {
                        let word = W::pack(outcome.into()).ok_or(TierError::TooFar)?;
                        W::store(&self.values[i as usize], word);
                        self.counts[i as usize].store(DECIDED, Relaxed);
                        let kind = match outcome {
                            Outcome::Win => 0,
                            Outcome::Loss => 1,
                            Outcome::Tie => 2,
                        };
                        ends[kind].push(N::narrow(i));
                    }
                    Node::Open(_) => {
                        let inner = page.inner[n];
                        if inner == 0 && leaving.is_empty() {
                            return Err(Fault::Stuck { position: self.graph.show(slot) }.into());
                        }
                        let outlook = self.outlook(slot, leaving)?;
                        let share = if folded { self.graph.orbit(slot) } else { 1 };
                        self.appoint(i, &outlook, u64::from(inner) * share, &mut scan)?;
                    }
                }
            }
            scan.ends = ends.map(|end| if end.is_empty() { vec![] } else { vec![end] });
            meter.add(run.end - run.start)?;
            Ok::<_, TierError>(scan)
        })?;
        Ok(scans.into_iter().fold(Scan::new(), Scan::merge))
    }

    /// What a position sees of the later tiers.
    fn outlook(&self, slot: Slot, leaving: &[Edge]) -> Result<Outlook, TierError> {
        let mut outlook = Outlook::default();
        for (nth, &Edge { to, again }) in leaving.iter().enumerate() {
            let known = if to.tier > self.tier { self.later.get(to) } else { None };
            let astray = || Fault::astray(self.graph, slot, nth, to);
            outlook.see(known.ok_or_else(astray)?, again);
        }
        Ok(outlook)
    }

    /// Fills `children` with the distinct children of position `i` that are not decided yet.
    /// A win in one needs no more than that: it gets no children at all.
    fn children(
        &self,
        i: u64,
        node: Node,
        moves: &[Edge],
        children: &mut Vec<(u64, bool)>,
    ) -> Result<Outlook, TierError> {
        let slot = Slot { tier: self.tier, index: i };
        let mut outlook = Outlook::default();
        children.clear();
        match node {
            Node::Hole => return Err(Fault::Unsteady { slot }.into()),
            _ if moves.is_empty() => {
                return Err(Fault::Stuck { position: self.graph.show(slot) }.into());
            }
            _ => {}
        }
        for (nth, &Edge { to, again }) in moves.iter().enumerate() {
            if to.tier == self.tier && self.open(to.index) {
                children.push((to.index, again));
                continue;
            }
            let known = if to.tier > self.tier {
                self.later.get(to)
            } else if to.tier == self.tier {
                self.end(to.index)
            } else {
                None
            };
            let value = known.ok_or_else(|| Fault::astray(self.graph, slot, nth, to))?;
            outlook.see(value, again);
            if outlook.win == Some(0) {
                children.clear();
                return Ok(outlook);
            }
        }
        children.sort_unstable();
        children.dedup();
        Ok(outlook)
    }

    fn appoint<N: Ordinal>(
        &self,
        i: u64,
        outlook: &Outlook,
        children: u64,
        scan: &mut Scan<N>,
    ) -> Result<(), TierError> {
        self.counts[i as usize].store(outlook.count(children)?, Relaxed);
        if let Some(level) = outlook.win {
            scan.wins.add(level, i);
        } else if let (Some(level), false) = (outlook.bad, outlook.is_safe()) {
            scan.losses.add(level, i);
        }
        if let Some(level) = outlook.tie {
            scan.ties.add(level, i);
        }
        Ok(())
    }

    /// Lets the news of wins and losses travel, level by level.
    fn decide<N: Ordinal>(
        &self,
        parents: &Parents<N>,
        scan: &mut Scan<N>,
        meter: &Meter,
    ) -> Result<(), TierError> {
        let (mut won, mut lost) =
            (std::mem::take(&mut scan.ends[0]), std::mem::take(&mut scan.ends[1]));
        for level in 0.. {
            let idle = won.is_empty() && lost.is_empty();
            if idle && scan.wins.over(level) && scan.losses.over(level) {
                break;
            }
            let win = W::pack(Value::Win(level + 1));
            let loss = W::pack(Value::Loss(level + 1));
            let good = |p: u64, out: &mut Fresh<N>| {
                if self.claim(p) {
                    W::store(&self.values[p as usize], win.ok_or(TierError::TooFar)?);
                    out.0.push(N::narrow(p));
                }
                Ok(())
            };
            let bad = |p: u64, by: u16, out: &mut Fresh<N>| {
                if self.count_down(p, by) {
                    W::store(&self.values[p as usize], loss.ok_or(TierError::TooFar)?);
                    out.1.push(N::narrow(p));
                }
                Ok(())
            };
            let news = |child_won: bool, children: &[N], scratch: &mut _, out: &mut _| {
                self.each_parent(parents, children, scratch, |p, again, by| {
                    if child_won == again { good(p, out) } else { bad(p, by, out) }
                })
            };
            let mut next = vec![];
            next.extend(each(&won, |some, scratch, out| news(true, some, scratch, out))?);
            next.extend(each(&lost, |some, scratch, out| news(false, some, scratch, out))?);
            let all = |some: &[N], tell: &mut dyn FnMut(u64) -> Result<(), TierError>| {
                some.iter().try_for_each(|p| tell(p.wide()))
            };
            let (wins, losses) = (scan.wins.take(level), scan.losses.take(level));
            next.extend(each(&wins, |some, _, out| all(some, &mut |p| good(p, out)))?);
            next.extend(each(&losses, |some, _, out| all(some, &mut |p| bad(p, 1, out)))?);
            (won, lost) = next.into_iter().unzip();
            won.retain(|piece| !piece.is_empty());
            lost.retain(|piece| !piece.is_empty());
            meter.add(won.iter().chain(&lost).map(|piece| piece.len() as u64).sum())?;
        }
        Ok(())
    }

    /// Lets ties travel through what neither side can win.
    fn spread_ties<N: Ordinal>(
        &self,
        parents: &Parents<N>,
        scan: &mut Scan<N>,
        meter: &Meter,
    ) -> Result<(), TierError> {
        let mut tied: Pieces<N> = std::mem::take(&mut scan.ends[2]);
        for level in 0.. {
            if tied.is_empty() && scan.ties.over(level) {
                break;
            }
            let tie = W::pack(Value::Tie(level + 1));
            let tell = |p: u64, out: &mut Fresh<N>| {
                if self.claim(p) {
                    W::store(&self.values[p as usize], tie.ok_or(TierError::TooFar)?);
                    out.0.push(N::narrow(p));
                }
                Ok(())
            };
            let mut next = each(&tied, |some, scratch, out| {
                self.each_parent(parents, some, scratch, |p, _, _| tell(p, out))
            })?;
            next.extend(each(&scan.ties.take(level), |some, _, out| {
                some.iter().try_for_each(|p| tell(p.wide(), out))
            })?);
            tied = next.into_iter().map(|out| out.0).filter(|piece| !piece.is_empty()).collect();
            meter.add(tied.iter().map(|piece| piece.len() as u64).sum())?;
        }
        Ok(())
    }

    /// Whether `p` was undecided, and is ours now.
    fn claim(&self, p: u64) -> bool {
        self.counts[p as usize]
            .fetch_update(Relaxed, Relaxed, |count| (count < DECIDED).then_some(DECIDED))
            .is_ok()
    }

    /// Calls `tell` for each parent of some positions, with whether its mover moves again and for
    /// how much the move counts.
    fn each_parent<N: Ordinal>(
        &self,
        parents: &Parents<N>,
        children: &[N],
        scratch: &mut Scratch,
        mut tell: impl FnMut(u64, bool, u16) -> Result<(), TierError>,
    ) -> Result<(), TierError> {
        let weighed = self.graph.folds() > 1 && matches!(parents, Parents::Unplayed { .. });
        let (mut told, mut last, mut by) = (Ok(()), usize::MAX, 1);
        parents.each(children, scratch, |nth, p, again| {
            if weighed && nth != last {
                let slot = Slot { tier: self.tier, index: children[nth].wide() };
                (last, by) = (nth, self.graph.orbit(slot) as u16);
            }
            let told_one = if p < self.counts.len() as u64 {
                tell(p, again, by)
            } else {
                let from = Slot { tier: self.tier, index: p };
                let how = format!("`slot` says {from} of an un-move, beyond the end of its tier");
                Err(Fault::Numbering { how }.into())
            };
            if told_one.is_err() {
                told = told_one;
            }
        });
        told
    }

    /// Counts moves of `p` as bad; whether they were the last, and `p` is ours now.
    fn count_down(&self, p: u64, by: u16) -> bool {
        let before = self.counts[p as usize].fetch_update(Relaxed, Relaxed, |count| match count {
            DECIDED.. => None,
            _ if count <= by => Some(DECIDED),
            _ => Some(count - by),
        });
        before.is_ok_and(|before| before <= by)
    }

    /// The value of an end of the game.
    fn end(&self, i: u64) -> Option<Value> {
        W::load(self.values.get(i as usize)?).unpack()
    }

    /// Whether a slot of this tier holds a position that is not over.
    #[inline]
    fn open(&self, i: u64) -> bool {
        let settled = self.settled.get((i / 64) as usize);
        settled.is_some_and(|word| word.load(Relaxed) >> (i % 64) & 1 == 0)
            && i < self.counts.len() as u64
    }

    fn undecided(&self, i: u64) -> bool {
        self.counts[i as usize].load(Relaxed) < DECIDED
    }
}

/// How many positions are told of at a time.
const TELL: usize = 1 << 8;

/// Calls `tell` for the positions in `pieces`, some at a time, on all threads where that pays.
fn each<N: Ordinal>(
    pieces: &Pieces<N>,
    tell: impl Fn(&[N], &mut Scratch, &mut Fresh<N>) -> Result<(), TierError> + Sync,
) -> Result<Vec<Fresh<N>>, TierError> {
    let run = |run: &[N]| {
        let (mut scratch, mut out) = (Scratch::default(), (vec![], vec![]));
        run.chunks(TELL).try_for_each(|some| tell(some, &mut scratch, &mut out))?;
        Ok(out)
    };
    if pieces.iter().map(Vec::len).sum::<usize>() < RUN {
        pieces.iter().map(|piece| run(piece)).collect()
    } else {
        pieces.par_iter().flat_map(|piece| piece.par_chunks(RUN)).map(run).collect()
    }
}
