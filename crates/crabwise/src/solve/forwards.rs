//! The look forwards with which [`retrograde`](super::retrograde) analysis of a [`Share`] begins: how many children each
//! position waits for, which of them are in later tiers and what these decide, and where edges go that are recorded.

use std::{mem, ops::Range, sync::atomic::Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    Fault, SolveError,
    arcs::LoopArcs,
    lookup::{Later, LookUp},
    reverse::{Recorder, ThreadRecorders},
    share::{DECIDED, Gathered, HOLE, Share},
    sweep::best,
};
use crate::{
    game::{Outcome, Value},
    graph::{Ask, Edge, Node, Page},
    index::Slot,
    table::{
        Word,
        codec::{self, Bytes},
    },
};

/// Slots that a thread looks at forwards at a time.
const RUN: u64 = if cfg!(test) { 16 } else { 1 << 11 };

/// Where edges inside the tier go, when they have to be recorded.
pub(crate) struct Edges<'e> {
    /// This share's own edges; `None` where the game is played backwards.
    pub(crate) recorder: Option<&'e mut Recorder>,
    /// Edges to children of each share.
    pub(crate) out: &'e mut [Vec<u8>],
}

impl<W: Word> Share<'_, W> {
    /// Looks forwards at some positions, from a place on, that have about this many moves. Returns how many positions.
    pub(crate) fn scan(
        &mut self,
        from: u64,
        moves: u64,
        look_up: LookUp,
        edges: &mut Edges,
    ) -> Result<u64, SolveError> {
        let mut known = mem::take(&mut self.known);
        let slots = self.first + from..self.first + self.len();
        let to = self.look(slots.clone(), moves, look_up, edges, &mut known)?;
        self.known = known;
        Ok(to - slots.start)
    }

    /// Takes over what a walk has recorded of the tier.
    pub(crate) fn take_arcs(&mut self, arcs: &LoopArcs) -> Result<(), Fault> {
        let mut known = mem::take(&mut self.known);
        for (place, node) in arcs.nodes().enumerate() {
            match node {
                Node::Hole => self.counts[place].store(HOLE, Relaxed),
                Node::Over(outcome) => self.end(place, outcome, &mut known),
                Node::Open(moves) => self.schedule(place as u32, None, moves.into(), &mut known)?,
            }
        }
        self.known = known;
        Ok(())
    }

    /// Has all threads look forwards at some positions, of which none has to be asked for elsewhere.
    pub(crate) fn scan_together(
        &mut self,
        places: Range<u64>,
        moves: u64,
        later: &Later,
        recorders: &ThreadRecorders,
    ) -> Result<(), SolveError> {
        let me = &*self;
        let run = |mut known, n: u64| {
            let from = places.start + n * RUN;
            let (mut at, end) = (from, places.end.min(from + RUN));
            let look_up = &mut |wanted: &[Slot]| later.look_up_alone(me.graph, wanted);
            let mut recorder = recorders.mine();
            while at < end {
                let edges = &mut Edges { recorder: Some(&mut recorder), out: &mut [] };
                at = me.look(at..end, moves, look_up, edges, &mut known)?;
            }
            Ok(known)
        };
        let runs = (0..(places.end - places.start).div_ceil(RUN)).into_par_iter();
        let all = runs.try_fold(Gathered::default, run);
        let all: Vec<Gathered> = all.collect::<Result<_, SolveError>>()?;
        all.into_iter().for_each(|one| self.known.take(one));
        Ok(())
    }

    fn look(
        &self,
        slots: Range<u64>,
        moves: u64,
        look_up: LookUp,
        edges: &mut Edges,
        known: &mut Gathered,
    ) -> Result<u64, SolveError> {
        let mut page = Page::default();
        let ask = if self.graph.backwards().is_none() { Ask::All } else { Ask::Leaving };
        let end = page.fill(self.graph, self.tier, slots.clone(), ask, moves);
        let leaving = |edge: &&Edge| edge.to.tier > self.tier;
        let wanted: Vec<Slot> = page.edges.iter().filter(leaving).map(|edge| edge.to).collect();
        let mut values = look_up(&wanted)?.into_iter();
        let mut children = mem::take(&mut known.children);
        for (n, (index, (node, moves))) in (slots.start..end).zip(page.iter()).enumerate() {
            let (place, slot) = ((index - self.first) as usize, Slot { tier: self.tier, index });
            match node {
                Node::Hole => self.counts[place].store(HOLE, Relaxed),
                Node::Over(outcome) => self.end(place, outcome, known),
                Node::Open(_) => {
                    let inner = page.inner.get(n).copied().unwrap_or(0);
                    if inner == 0 && moves.is_empty() {
                        let position = self.graph.show(slot);
                        return Err(Fault::stuck(&position).into());
                    }
                    let best = self.best_later(slot, moves, &mut values, &mut children)?;
                    self.send_edges(slot, &children, edges)?;
                    let waits = self.weight(inner, slot) + children.len() as u64;
                    self.schedule(place as u32, best, waits, known)?;
                }
            }
        }
        known.children = children;
        Ok(end)
    }

    fn end(&self, place: usize, outcome: Outcome, known: &mut Gathered) {
        match W::pack(outcome.into()) {
            Some(word) => word.store(&self.values[place]),
            None => known.far = true,
        }
        self.counts[place].store(DECIDED, Relaxed);
        known.decide_at(0, outcome == Outcome::Tie, outcome != Outcome::Loss, place as u32);
    }

    /// The best that the later tiers have for a position; `children` becomes its distinct children inside this one. With
    /// a win in one it waits for none of them.
    fn best_later(
        &self,
        slot: Slot,
        moves: &[Edge],
        values: &mut impl Iterator<Item = Option<Value>>,
        children: &mut Vec<(u64, bool)>,
    ) -> Result<Option<Value>, Fault> {
        let inner = |edge: &Edge| edge.to.tier == self.tier;
        let leaving = (0..).zip(moves).filter(|(_, edge)| !inner(edge));
        let best = best(self.graph, slot, leaving, |_| values.next().flatten())?;
        children.clear();
        if best != Some(Value::Win(1)) {
            let inside = moves.iter().filter(|edge| inner(edge));
            children.extend(inside.map(|edge| (edge.to.index, edge.again)));
        }
        children.sort_unstable();
        children.dedup();
        Ok(best)
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
                return Err(Fault::numbering(how));
            };
            recorder.add(place, parent);
        }
        Ok(())
    }

    /// A position waits for its children inside the tier and for what it has in later ones: with a win or an even child
    /// there it is never lost, and with bad ones no sooner than the slowest is due.
    fn schedule(
        &self,
        place: u32,
        best: Option<Value>,
        children: u64,
        known: &mut Gathered,
    ) -> Result<(), Fault> {
        let waits = children + u64::from(best.is_some());
        let count = u16::try_from(waits).ok().filter(|count| *count < DECIDED);
        let count = count.ok_or_else(|| Fault::too_many_moves(waits))?;
        self.counts[place as usize].store(count, Relaxed);
        match best {
            Some(Value::Win(distance)) => known.decide_at(distance, false, true, place),
            Some(Value::Loss(distance)) => known.decide_at(distance, false, false, place),
            Some(Value::Tie(distance)) => known.decide_at(distance, true, true, place),
            Some(Value::Draw) | None => {}
        }
        Ok(())
    }
}
