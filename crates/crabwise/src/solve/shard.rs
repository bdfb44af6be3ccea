//! What a walk has found in one range of keys, and what threads hand over to it.

use std::{hash::Hash, sync::Mutex};

use rayon::prelude::*;

use super::{
    Fault, SolveError,
    arcs::{Arcs, Nodes, Origins},
    held,
};
use crate::index::key;

/// Ranges of keys of a worker.
pub(super) const SHARDS: usize = 256;

/// An odd number: 2⁶⁴ over the golden ratio.
pub(super) const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// What the tables take tags and places from: within a shard the leading bits of keys are alike.
#[inline]
pub(super) fn spread(key: u64) -> u64 {
    key.wrapping_mul(ODD)
}

/// The positions of a worker in one range of keys: those of the layer that is being filled or, once layers are merged,
/// all of them.
pub(super) struct Shard<P> {
    /// Places in `positions`, found by key: an entry is the place and 1, under eight bits of the key; 0 where it is free.
    /// The number of entries is a power of two, or 0.
    table: Vec<u32>,
    pub(super) positions: Vec<P>,
    /// Where the layer begins that is being filled.
    pub(super) fill: usize,
    /// For other workers the ways to the positions of that layer, one after the other.
    pub(super) ways: Vec<u16>,
    /// The moves to its positions, where they are recorded.
    pub(super) arcs: Arcs,
}

/// The bits of an entry that are a place.
const PLACE: u32 = (1 << 24) - 1;
/// The most positions that a walk can have: as many as keep shards, whose lengths differ, within their places.
pub(super) const MOST: u64 = (PLACE as u64 * SHARDS as u64) / 8 * 7;
/// Entries of the smallest table.
const SMALLEST: usize = 16;
/// Children that are looked for at a time, so that the processor waits for many places in memory at once.
const AT_ONCE: usize = 16;

#[inline]
fn tag(key: u64) -> u32 {
    (spread(key) as u32) << 24
}

impl<P: Hash> Shard<P> {
    pub(super) fn new() -> Shard<P> {
        let (positions, ways, arcs) = Default::default();
        Shard { table: vec![], positions, fill: 0, ways, arcs }
    }

    /// Where the search for a key begins; of a table without entries, beyond it.
    #[inline]
    fn home(&self, key: u64) -> usize {
        (u128::from(spread(key)) * self.table.len() as u128 >> 64) as usize
    }

    /// Takes note of a child, of which `make` makes a position, unless the `same` is known; its place, and whether it is
    /// new.
    #[inline]
    pub(super) fn meet<C>(
        &mut self,
        key: u64,
        child: C,
        same: impl Fn(&P, &C) -> bool,
        make: impl FnOnce(C) -> Result<P, Fault>,
    ) -> Result<(u32, bool), Fault> {
        if self.positions.len() >= self.table.len() / 8 * 5 {
            self.grow();
        }
        let (mask, tag, mut at) = (self.table.len() - 1, tag(key), self.home(key));
        while self.table[at] != 0 {
            let (entry, place) = (self.table[at], (self.table[at] & PLACE) - 1);
            if entry & !PLACE == tag && same(&self.positions[place as usize], &child) {
                return Ok((place, false));
            }
            at = (at + 1) & mask;
        }
        let place = self.positions.len() as u32;
        // Doubling would leave half of the room empty.
        if self.positions.len() == self.positions.capacity() {
            self.positions.reserve_exact(self.positions.len() / 4 + 16);
        }
        self.positions.push(make(child)?);
        self.table[at] = tag | (place + 1);
        Ok((place, true))
    }

    /// Takes note of children, and of the moves to them if these are recorded.
    pub(super) fn meet_all(&mut self, children: &[(u64, P)], recorded: bool) -> Result<(), Fault>
    where
        P: Clone + Eq,
    {
        for some in children.chunks(AT_ONCE) {
            let mut known = [0; AT_ONCE];
            for (known, (key, _)) in known.iter_mut().zip(some) {
                let entry = self.table.get(self.home(*key)).copied().unwrap_or(0);
                *known = if entry & !PLACE == tag(*key) { entry & PLACE } else { 0 };
            }
            // Most are where their search begins.
            for (known, (_, to)) in known.iter_mut().zip(some) {
                let place = known.wrapping_sub(1) as usize;
                *known = if self.positions.get(place) == Some(to) { *known } else { 0 };
            }
            for (known, (key, to)) in known.into_iter().zip(some) {
                let place = match known.checked_sub(1) {
                    Some(place) => place,
                    None => self.meet(*key, to, |known, to| known == *to, |to| Ok(to.clone()))?.0,
                };
                if recorded {
                    self.arcs.lead_to(place);
                }
            }
        }
        Ok(())
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let len = (2 * self.table.len()).max(SMALLEST);
        self.table = vec![0; len];
        for (place, at) in (1..).zip(&self.positions) {
            let key = key(at, 0);
            let mut entry = self.home(key);
            while self.table[entry] != 0 {
                entry = (entry + 1) & (len - 1);
            }
            self.table[entry] = tag(key) | place;
        }
    }

    /// Orders the positions by key, and the ways to them, of so many moves each. Returns the new places of the old ones;
    /// the table is of no use any more.
    pub(super) fn order(&mut self, depth: usize) -> Vec<u32> {
        let keys = (0..).zip(&self.positions).map(|(place, at)| (key(at, 0), place));
        let mut order: Vec<(u64, u32)> = keys.collect();
        order.sort_unstable();
        if !self.ways.is_empty() {
            let way = |(_, place): &(u64, u32)| {
                &self.ways[*place as usize * depth..(*place as usize + 1) * depth]
            };
            self.ways = order.iter().flat_map(way).copied().collect();
        }
        let mut ranks = vec![0; order.len()];
        for (rank, (_, place)) in (0..).zip(order) {
            ranks[place as usize] = rank;
        }
        let mut left = ranks.clone();
        for place in 0..left.len() {
            while left[place] as usize != place {
                let rank = left[place] as usize;
                self.positions.swap(place, rank);
                left.swap(place, rank);
            }
        }
        ranks
    }

    /// Begins the next layer, with the room of this one unless that was much thinner than others before.
    pub(super) fn clear_table(&mut self, len: usize) {
        if self.table.len() > 8 * len {
            (self.table, self.positions) = (vec![], vec![]);
        } else {
            self.table.fill(0);
        }
    }

    pub(super) fn drop_table(&mut self) {
        self.table = vec![];
    }

    pub(super) fn bytes(&self) -> u64 {
        let positions = self.positions.capacity() * size_of::<P>();
        let rest = 4 * self.table.capacity() + positions + 2 * self.ways.capacity();
        rest as u64 + self.arcs.bytes()
    }
}

/// What a thread has met in a round, by shard. Its room is used again and again.
pub(super) struct Piece<P> {
    pub(super) by_shard: Vec<Outbox<P>>,
    pub(super) nodes: Nodes,
    pub(super) moves: u64,
    /// The first of the positions that were looked at, counted from the first whose moves are recorded together.
    pub(super) first: u64,
}

/// Children with their keys, and where they come from.
pub(super) struct Outbox<P> {
    pub(super) children: Vec<(u64, P)>,
    pub(super) origins: Origins,
}

impl<P> Piece<P> {
    pub(super) fn new() -> Piece<P> {
        let outbox = || Outbox { children: vec![], origins: Origins::default() };
        let by_shard = (0..SHARDS).map(|_| outbox()).collect();
        Piece { by_shard, nodes: Nodes::default(), moves: 0, first: 0 }
    }
}

/// Changes each of some things, on all threads or `alone`. Threads work on a closure without its type, so that a game's own
/// code can be run in parallel without compiling the machinery once more for each game.
pub(super) fn each<T: Send>(
    alone: bool,
    things: &mut [T],
    work: &(dyn Fn(usize, &mut T) -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    let things: Vec<Mutex<&mut T>> = things.iter_mut().map(Mutex::new).collect();
    let one = |i: usize| work(i, &mut held(&things[i]));
    let one: &(dyn Fn(usize) -> Result<(), SolveError> + Sync) = &one;
    match alone {
        true => (0..things.len()).try_for_each(one),
        false => (0..things.len()).into_par_iter().try_for_each(one),
    }
}
