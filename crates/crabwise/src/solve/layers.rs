//! The layers of a walk: when one is closed, when they are merged, and their order.
//!
//! As long as every way to a position is equally long a layer is a tier, and a child need only be compared with its own
//! layer: the table of a shard has the layer that is being filled and nothing else. When a layer is closed it is ordered
//! by key and done with. Whether some position is in two layers is found out now and then ([`Walk::meets_again`]): when as
//! much was walked again since the last time as before it, so that it costs a fixed share of the walk, and a game with
//! loops is walked in vain for no longer than it took so far. Then the layers are merged, each position is kept once,
//! and from there on the tables have everything.

use std::{hash::Hash, mem, ops::Range};

use hashbrown::{HashTable, hash_table::Entry};
use rayon::prelude::*;

use super::{
    SolveError,
    arcs::{Arcs, LayerArcs, LoopArcs, Recorded, Recording},
    shard::{SHARDS, Shard, each, spread},
    walk::{LAYER, RUN, Walk},
};
use crate::{game::Game, index::key};

impl<G: Game> Walk<'_, G> {
    /// Makes a tier of the layer that was being filled.
    pub(super) fn close_layer(&mut self) -> Result<(), SolveError> {
        let (len, depth) = (self.new_positions() as usize, self.depth);
        // Deep games have many thin layers.
        each(len <= RUN, &mut self.shards, &|_, shard| {
            if shard.positions.is_empty() {
                return Ok(());
            }
            let ranks = shard.order(depth);
            shard.arcs.rename(&ranks);
            Ok(())
        })?;
        if !self.tiers.is_empty() {
            self.keep_arcs();
        }
        let mut tier = vec![];
        tier.reserve_exact(len);
        for shard in &mut self.shards {
            let len = shard.positions.len();
            tier.append(&mut shard.positions);
            shard.clear_table(len);
            self.ways.append(&mut shard.ways);
        }
        self.tiers.push(tier);
        Ok(())
    }

    /// Keeps the moves of the last tier.
    pub(super) fn keep_arcs(&mut self) {
        let Some(recording) = &mut self.recording else { return };
        let (mut first, mut arcs) = (0, vec![]);
        for shard in &mut self.shards {
            if !shard.arcs.is_empty() {
                arcs.push((first, mem::take(&mut shard.arcs)));
            }
            first += shard.positions.len() as u64;
        }
        let layer = LayerArcs { nodes: mem::take(&mut recording.nodes), arcs };
        recording.bytes += layer.bytes();
        recording.layers.push(recording.on.then_some(layer));
    }

    /// Records no moves where they take too much.
    pub(super) fn forget_arcs_over(&mut self, limit: u64) {
        let arcs = || self.shards.iter().map(|shard| shard.arcs.bytes()).sum::<u64>();
        if self.recording.as_ref().is_some_and(|recording| recording.bytes + arcs() > limit) {
            self.recording = None;
            self.shards.iter_mut().for_each(|shard| shard.arcs = Arcs::default());
        }
    }

    /// Whether a walk that has come to its end finds only now that layers have to be merged, and looks at all positions
    /// again for their moves.
    pub(super) fn begins_again(&mut self) -> Result<bool, SolveError> {
        if self.merged || self.recording.is_none() || !self.meets_again() {
            return Ok(false);
        }
        self.merge()?;
        Ok(true)
    }

    /// The positions of a tier in the keys of a shard.
    fn part<'t>(&self, tier: &'t [G::Position], shard: usize) -> &'t [G::Position] {
        let place = |shard| tier.partition_point(|at| self.shard(key(at, 0)) < shard);
        &tier[place(shard)..place(shard + 1)]
    }

    /// Whether some position is in two layers.
    pub(super) fn meets_again(&mut self) -> bool {
        (self.looked, self.added) = (self.positions() + LAYER * self.tiers.len() as u64, 0);
        let twice = |shard: usize| {
            let parts: Vec<_> = self.tiers.iter().map(|tier| self.part(tier, shard)).collect();
            let mut known = HashTable::with_capacity(parts.iter().map(|part| part.len()).sum());
            let mut meet = |at: &G::Position| {
                let key = key(at, 0);
                match known.entry(spread(key), |known| *known == key, |known| spread(*known)) {
                    Entry::Vacant(entry) => {
                        entry.insert(key);
                        false
                    }
                    // Different positions may have one key.
                    Entry::Occupied(_) => {
                        parts.iter().filter(|part| has(part, key, at)).count() > 1
                    }
                }
            };
            parts.iter().copied().flatten().any(&mut meet)
        };
        let twice: &(dyn Fn(usize) -> bool + Sync) = &twice;
        match self.looked <= RUN as u64 {
            true => (0..SHARDS).any(twice),
            false => (0..SHARDS).into_par_iter().any(twice),
        }
    }

    /// Keeps each position once, in the shards from now on. Of a position that was looked at several times the moves
    /// count once.
    pub(super) fn merge(&mut self) -> Result<(), SolveError> {
        let (tiers, depth, game) = (mem::take(&mut self.tiers), self.depth, self.game);
        let (ways, last) = (mem::take(&mut self.ways), tiers.len() - 1);
        let mut shards: Vec<_> =
            mem::take(&mut self.shards).into_iter().map(|one| (one, 0)).collect();
        let part = |tier: usize, shard| self.part(&tiers[tier], shard);
        each(false, &mut shards, &|s, (shard, again)| {
            for tier in 0..tiers.len() {
                shard.fill = shard.positions.len();
                let part = part(tier, s);
                let first = tiers[last].partition_point(|at| self.shard(key(at, 0)) < s);
                for (nth, at) in (first..).zip(part) {
                    let same = |known: &G::Position, at: &&G::Position| known == *at;
                    let (_, new) = shard.meet(key(at, 0), at, same, |at| Ok(at.clone()))?;
                    if tier < last {
                        let over = new || game.over(at).is_some();
                        *again += if over { 0 } else { game.moves(at).into_iter().count() as u64 };
                    } else if new && !ways.is_empty() {
                        shard.ways.extend(&ways[nth * depth..(nth + 1) * depth]);
                    }
                }
            }
            Ok(())
        })?;
        self.merged = true;
        for (shard, again) in shards {
            self.moves -= again;
            self.shards.push(shard);
        }
        if let Some(recording) = &mut self.recording {
            *recording = Recording { on: true, ..Recording::default() };
            for shard in &mut self.shards {
                (shard.fill, shard.arcs) = (0, Arcs::default());
            }
            (self.seen, self.moves) = (0, 0);
        }
        Ok(())
    }

    /// Makes one tier of all positions.
    pub(super) fn order_all(&mut self) -> Result<Recorded, SolveError> {
        let mut shards = mem::take(&mut self.shards).into_iter().map(|one| (one, vec![]));
        let mut shards: Vec<(Shard<_>, Vec<u32>)> = shards.by_ref().collect();
        each(false, &mut shards, &|_, (shard, ranks)| {
            (shard.ways, *ranks) = (vec![], vec![]);
            shard.drop_table();
            *ranks = shard.order(0);
            Ok(())
        })?;
        let lens = shards.iter().map(|(shard, _)| shard.positions.len());
        let firsts: Vec<usize> =
            lens.scan(0, |sum, len| Some(mem::replace(sum, *sum + len))).collect();
        let (mut tier, mut arcs, mut ranks) = (vec![], vec![], vec![]);
        tier.reserve_exact(shards.iter().map(|(shard, _)| shard.positions.len()).sum());
        // Shards are ranges of keys: put one after the other they are in order.
        for (shard, rank) in shards {
            tier.extend(shard.positions);
            arcs.push(shard.arcs);
            ranks.push(rank);
        }
        let small = tier.len() < 1 << 31;
        self.tiers = vec![tier];
        let turned = self.recording.take().filter(|_| small).map(|recording| {
            let slot = |(shard, places): &(usize, Range<usize>)| {
                let first = firsts[*shard] as u32;
                ranks[*shard][places.clone()]
                    .iter()
                    .map(move |rank| first + rank)
                    .collect::<Vec<_>>()
            };
            let slots: Vec<u32> = recording.order.iter().flat_map(slot).collect();
            LoopArcs::turn(&recording.nodes, arcs, &slots, &ranks)
        });
        let held = turned.as_ref().map_or(0, LoopArcs::bytes) + 8 * self.positions();
        self.making = self.making.max(self.bytes() + held);
        Ok(Recorded { layers: vec![], loops: turned })
    }
}

/// Whether positions in the order of their keys have one with this key.
fn has<P: Hash + Eq>(sorted: &[P], wanted: u64, at: &P) -> bool {
    let first = sorted.partition_point(|one| key(one, 0) < wanted);
    sorted[first..].iter().take_while(|one| key(*one, 0) == wanted).any(|one| one == at)
}
