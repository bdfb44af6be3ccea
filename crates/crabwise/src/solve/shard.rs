//! What a walk has found in one range of keys, and what threads hand over to it.

use std::{hash::Hash, sync::Mutex};

use hashbrown::{HashTable, hash_table::Entry};
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
    /// Places in `positions`, by key.
    table: HashTable<u32>,
    pub(super) positions: Vec<P>,
    /// Where the layer begins that is being filled.
    pub(super) fill: usize,
    /// For other workers the ways to the positions of that layer, one after the other.
    pub(super) ways: Vec<u16>,
    /// The moves to its positions, where they are recorded.
    pub(super) arcs: Arcs,
}

impl<P: Hash> Shard<P> {
    pub(super) fn new() -> Shard<P> {
        let (positions, ways, arcs) = Default::default();
        Shard { table: HashTable::new(), positions, fill: 0, ways, arcs }
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
        let Shard { table, positions, .. } = self;
        let same = |place: &u32| same(&positions[*place as usize], &child);
        let rehash = |place: &u32| spread(self::key(&positions[*place as usize], 0));
        match table.entry(spread(key), same, rehash) {
            Entry::Occupied(known) => Ok((*known.get(), false)),
            Entry::Vacant(entry) => {
                let place = positions.len() as u32;
                entry.insert(place);
                // Doubling would leave half of the room empty.
                if positions.len() == positions.capacity() {
                    positions.reserve_exact(positions.len() / 4 + 16);
                }
                positions.push(make(child)?);
                Ok((place, true))
            }
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

    /// Forgets where positions are, and keeps the room for the next layer.
    pub(super) fn clear_table(&mut self) {
        self.table.clear();
    }

    pub(super) fn drop_table(&mut self) {
        self.table = HashTable::new();
    }

    pub(super) fn bytes(&self) -> u64 {
        let positions = self.positions.capacity() * size_of::<P>();
        let rest = self.table.allocation_size() + positions + 2 * self.ways.capacity();
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
