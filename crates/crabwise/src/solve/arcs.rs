//! The moves of a walked game as they were met, so that no solver has to make them again.
//!
//! While a layer is walked, each range of keys keeps the moves into it: from which position of the layer, as the
//! difference to the one before, and to which of its own. That is about three bytes a move. A layer that is a tier is
//! then swept by reading them. Where the game has loops they are turned round, and retrograde analysis finds the parents
//! of a position in one list.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rayon::prelude::*;

use super::{
    SolveError,
    reverse::{Bucket, Reverse, width},
};
use crate::{
    game::Outcome,
    graph::Node,
    table::{
        TierValues, Word,
        codec::{self, Bytes},
    },
    watch::Meter,
};

/// Moves to the positions in one range of keys, in the order of the positions that they lead from.
#[derive(Default)]
pub(crate) struct Arcs {
    /// Where they lead from.
    from: Origins,
    /// Of each the place of the child in the range: the lower half of a word, and the upper ones as soon as some are not 0.
    low: Vec<u16>,
    high: Vec<u16>,
}

/// The positions that moves lead from. Of each move it is told how much further its position is than that of the one
/// before, and whether its mover moves again: in a byte, or after [`FAR`] in a number.
#[derive(Default)]
pub(crate) struct Origins {
    bytes: Vec<u8>,
    last: u64,
    again: bool,
}

const FAR: u8 = u8::MAX;

impl Origins {
    /// Begins at a position.
    pub(crate) fn begin(&mut self, first: u64) {
        self.bytes.clear();
        (self.last, self.again) = (first, false);
    }

    #[inline]
    pub(crate) fn push(&mut self, from: u64, again: bool) {
        let number = (from - self.last) << 1 | u64::from(again);
        (self.last, self.again) = (from, self.again | again);
        match u8::try_from(number) {
            Ok(byte) if byte != FAR => self.bytes.push(byte),
            _ => self.push_far(number),
        }
    }

    #[cold]
    fn push_far(&mut self, number: u64) {
        self.bytes.push(FAR);
        codec::put(&mut self.bytes, number);
    }

    /// The next moves, met from the position `first` on.
    fn append(&mut self, first: u64, others: &Origins) {
        let mut rest = &others.bytes[..];
        let Some(number) = next(&mut rest) else { return };
        if self.bytes.capacity() - self.bytes.len() < others.bytes.len() + 12 {
            make_room(&mut self.bytes, others.bytes.len() + 12);
        }
        self.push(first + (number >> 1), number & 1 == 1);
        self.bytes.extend_from_slice(rest);
        (self.last, self.again) = (others.last, self.again | others.again);
    }
}

#[inline]
fn next(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first != FAR {
        return Some(first.into());
    }
    let mut far = Bytes(rest);
    let number = far.number();
    *bytes = far.0;
    number
}

impl Arcs {
    /// The next moves, which were met from the position `first` on. Their children follow.
    pub(crate) fn append(&mut self, first: u64, origins: &Origins) {
        self.from.append(first, origins);
    }

    /// The place of the next child.
    #[inline]
    pub(crate) fn lead_to(&mut self, place: u32) {
        if self.low.capacity() == self.low.len() {
            make_room(&mut self.low, 16);
        }
        if place > u16::MAX.into() || !self.high.is_empty() {
            self.high.resize(self.low.len(), 0);
            self.high.push((place >> 16) as u16);
        }
        self.low.push(place as u16);
    }

    fn place(&self, nth: usize) -> u32 {
        u32::from(self.low[nth]) | self.high.get(nth).map_or(0, |high| u32::from(*high) << 16)
    }

    /// Gives the children other places.
    pub(crate) fn rename(&mut self, rank: &[u32]) {
        for nth in 0..self.low.len() {
            let place = rank[self.place(nth) as usize];
            self.low[nth] = place as u16;
            if let Some(high) = self.high.get_mut(nth) {
                *high = (place >> 16) as u16;
            }
        }
        self.low.shrink_to_fit();
        self.from.bytes.shrink_to_fit();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let places = self.low.capacity() + self.high.capacity();
        (self.from.bytes.capacity() + 2 * places) as u64
    }

    /// Tells each move: from which position to which place, and whether its mover moves again.
    #[inline]
    fn each(&self, mut tell: impl FnMut(u64, u32, bool)) {
        let (mut bytes, mut from) = (&self.from.bytes[..], 0);
        for nth in 0..self.low.len() {
            let Some(number) = next(&mut bytes) else { return };
            from += number >> 1;
            tell(from, self.place(nth), number & 1 == 1);
        }
    }
}

/// Doubling would leave half of the room empty.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4));
    }
}

/// What is known of positions besides their moves, one after the other.
#[derive(Default)]
pub(crate) struct Nodes(Vec<u8>);

const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Tie, Outcome::Win];

impl Nodes {
    pub(crate) fn push(&mut self, outcome: Option<Outcome>, moves: u32) {
        let over = outcome.and_then(|outcome| OUTCOMES.iter().position(|one| *one == outcome));
        codec::put(&mut self.0, over.map_or(u64::from(moves) + 3, |over| over as u64));
    }

    pub(crate) fn append(&mut self, other: &mut Nodes) {
        make_room(&mut self.0, other.0.len());
        self.0.append(&mut other.0);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.capacity() as u64
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        let mut bytes = Bytes(&self.0);
        std::iter::from_fn(move || bytes.number())
    }
}

/// What a number of [`Nodes`] says.
fn node(number: u64) -> Node {
    let over = OUTCOMES.get(number as usize).map(|outcome| Node::Over(*outcome));
    over.unwrap_or_else(|| Node::Open((number - 3) as u32))
}

/// The moves from one layer to the next: for each range of keys that has any, the first of its positions there.
#[derive(Default)]
pub(crate) struct LayerArcs {
    pub(crate) nodes: Nodes,
    pub(crate) arcs: Vec<(u64, Arcs)>,
}

impl LayerArcs {
    pub(crate) fn bytes(&self) -> u64 {
        let arcs = self.arcs.iter().map(|(_, arcs)| arcs.bytes() + size_of::<(u64, Arcs)>() as u64);
        self.nodes.bytes() + arcs.sum::<u64>()
    }

    /// Sweeps a tier of `len` positions whose moves all lead to the `later` one; `None` where a distance does not fit, be
    /// it one that matters or not.
    pub(crate) fn sweep<W: Word>(
        &self,
        len: usize,
        later: Option<&TierValues>,
        meter: &Meter,
    ) -> Result<Option<Vec<W>>, SolveError> {
        let words: Vec<W::Shared> = (0..len).map(|_| W::HOLE.shared()).collect();
        let far = AtomicBool::new(false);
        for (word, node) in words.iter().zip(self.nodes.iter()) {
            if let Node::Over(outcome) = self::node(node) {
                match W::pack(outcome.into()) {
                    Some(code) => code.store(word),
                    None => far.store(true, Relaxed),
                }
            }
        }
        // What the later tier is worth one move before, for whoever moves again or does not.
        let back = |again| -> Vec<W> {
            let back = |index| {
                let value = later.and_then(|later| later.get(index))?;
                let word = W::pack(value.back(again));
                if word.is_none() {
                    far.store(true, Relaxed);
                }
                word
            };
            let places = 0..later.map_or(0, TierValues::len);
            places.into_par_iter().map(|index| back(index).unwrap_or(W::HOLE)).collect()
        };
        let again = self.arcs.iter().any(|(_, arcs)| arcs.from.again);
        let backs = [back(false), if again { back(true) } else { vec![] }];
        let alone = rayon::current_num_threads() == 1;
        self.arcs.par_iter().try_for_each(|(first, arcs)| {
            arcs.each(|from, to, again| {
                let code = backs[usize::from(again)][*first as usize + to as usize];
                let word = &words[from as usize];
                if W::load(word) < code {
                    if alone { code.store(word) } else { code.raise(word) }
                }
            });
            meter.add((len / self.arcs.len()) as u64)
        })?;
        let words = words.iter().map(W::load);
        Ok((!far.into_inner()).then(|| words.collect()))
    }
}

/// The moves of a game with loops.
pub(crate) struct LoopArcs {
    /// By slot, as [`Nodes`] has them.
    nodes: Vec<u16>,
    pub(crate) parents: Arc<Reverse>,
}

impl LoopArcs {
    /// Turns moves round. They lead from positions in the order in which these were looked at, whose slots are
    /// `slots`; and to places in ranges, which `ranks` makes slots of, counted from the first of the range.
    pub(crate) fn turn(
        nodes: &Nodes,
        arcs: Vec<Arcs>,
        slots: &[u32],
        ranks: &[Vec<u32>],
    ) -> LoopArcs {
        let mut by_slot = vec![0; slots.len()];
        for (slot, node) in slots.iter().zip(nodes.iter()) {
            // More moves than this are too many for retrograde analysis, which says so.
            by_slot[*slot as usize] = node.min(u16::MAX.into()) as u16;
        }
        let width = width(slots.len() as u64);
        let buckets = arcs.into_par_iter().zip(ranks).map(|(arcs, rank)| {
            Bucket::of((rank.len(), width), |tell| {
                arcs.each(|from, to, again| {
                    let parent = slots[from as usize] << 1 | u32::from(again);
                    tell(rank[to as usize], parent);
                });
            })
        });
        let parents = Arc::new(Reverse::of(width, buckets.collect()));
        LoopArcs { nodes: by_slot, parents }
    }

    /// What is at each slot.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> {
        self.nodes.iter().map(|number| node((*number).into()))
    }

    pub(crate) fn bytes(&self) -> u64 {
        2 * self.nodes.len() as u64 + self.parents.bytes()
    }
}

/// What was recorded of a walk.
#[derive(Default)]
pub(crate) struct Recorded {
    /// By tier.
    pub(crate) layers: Vec<Option<LayerArcs>>,
    pub(crate) loops: Option<LoopArcs>,
}

impl Recorded {
    pub(crate) fn bytes(&self) -> u64 {
        let layers: u64 = self.layers.iter().flatten().map(LayerArcs::bytes).sum();
        layers + self.loops.as_ref().map_or(0, LoopArcs::bytes)
    }
}

/// The moves that are recorded while a game is walked.
#[derive(Default)]
pub(crate) struct Recording {
    /// Whether those of the layer at work are.
    pub(crate) on: bool,
    pub(crate) nodes: Nodes,
    pub(crate) layers: Vec<Option<LayerArcs>>,
    /// Bytes of layers.
    pub(crate) bytes: u64,
    /// Once layers are merged, the positions in the order in which they were looked at: which places of which shard.
    pub(crate) order: Vec<(usize, Range<usize>)>,
}
