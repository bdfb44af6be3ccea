//! Finding the positions of a game without a numbering, layer after layer of moves from the start: by one worker with
//! all threads, or by many, each those whose keys are its own.
//!
//! A worker's keys are cut into [`SHARDS`] ranges, so that each can be filled by one thread and stays in its cache while
//! it is. One worker alone hands children to their shards, where they are compared in full with what is known.
//!
//! As long as every way to a position is equally long a layer is a tier, and a child need only be compared with its own
//! layer: the table of a shard has the layer that is being filled and nothing else. When a layer is closed it is ordered
//! by key and done with. Whether some position is in two layers is found out now and then ([`Walk::meets_again`]): when as
//! much was walked again since the last time as before it, so that it costs a fixed share of the walk, and a game with
//! loops is walked in vain for no longer than it took so far. Then the layers are merged, each position is kept once,
//! and from there on the tables have everything.
//!
//! Between workers positions travel as [`ways`](super::ways). A worker alone may record the moves as it meets them
//! ([`arcs`](super::arcs)). Once layers are merged all positions are looked at once more for that.

use std::{hash::Hash, mem, ops::Range};

use hashbrown::{HashTable, hash_table::Entry};
use rayon::prelude::*;

use super::{
    Fault, SolveError,
    arcs::{Arcs, LayerArcs, LoopArcs, Recorded, Recording},
    communicator::{Comm, Reduction},
    growth::Growth,
    shard::{MOST, ODD, Piece, SHARDS, Shard, each, spread},
};
use crate::{
    game::{
        Game,
        batched::{Expander, Expansion, one_by_one},
        one_line,
    },
    graph::partition::owner_of_key,
    index::key,
};

/// Positions of a run.
const RUN: usize = if cfg!(test) { 7 } else { 1 << 9 };
/// Bytes of children that are handed over in a round, at the least by each of up to [`ROUND_THREADS`] threads, and the
/// part of what positions take that they may be.
const ROUND: u64 = if cfg!(test) { 1 << 10 } else { 4 << 20 };
const ROUND_THREADS: usize = 4;
const ROUND_PART: u64 = 16;
/// How many positions a layer is counted as when it is decided whether to look for positions that are in two.
const LAYER: u64 = if cfg!(test) { 1 } else { 1 << 10 };
/// Bytes that a recorded move takes, about; and the part of what positions take that those of layers may be.
const ARC: u64 = 3;
const ARCS_PART: u64 = 1;

/// What a worker has found.
pub(crate) struct Found<P> {
    /// The positions by tier, in the order of their keys. Tiers are distances from the start as long as every way to a
    /// position is equally long. Otherwise the game may have loops, and there is one tier.
    pub(crate) tiers: Vec<Vec<P>>,
    pub(crate) loopy: bool,
    /// How many moves there are from all positions of all workers together.
    pub(crate) moves: u64,
    /// Bytes in use at the most, leaving out what positions own elsewhere.
    pub(crate) making: u64,
    /// The moves, as far as they were recorded.
    pub(crate) recorded: Recorded,
}

/// A game as a walk sees it.
pub(crate) struct Walkable<'g, G: Game> {
    pub(crate) game: &'g G,
    pub(crate) expander: Expander<G>,
    /// Whether the moves are wanted afterwards.
    pub(crate) recorded: bool,
}

impl<G: Game> Clone for Walkable<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Walkable<'_, G> {}

impl<'g, G: Game> Walkable<'g, G> {
    pub(crate) fn plain(game: &'g G) -> Walkable<'g, G> {
        Walkable { game, expander: Expander::plain(), recorded: false }
    }
}

/// Walks a game, with all other workers, using at most about `limit` bytes.
pub(crate) fn walk<G: Game>(
    walkable: Walkable<G>,
    comm: &mut Comm,
    limit: u64,
) -> Result<Found<G::Position>, SolveError> {
    comm.begin("walking", None, None);
    comm.tell()?;
    let limit = limit / comm.topology().workers;
    let game = walkable.game;
    let (mut walk, mut growth) = (Walk::new(walkable, comm.size()), Growth::new());
    let (start, key) = (game.start(), key(&game.start(), 0));
    if owner_of_key(key, comm.size()) == comm.rank() {
        let shard = walk.shard(key);
        walk.shards[shard].meet(key, start, PartialEq::eq, Ok)?;
    }
    loop {
        let frontier = walk.begin_layer(limit)?;
        let (mut rest, mut bytes, mut more) = (&frontier[..], 0, 1);
        while more > 0 {
            let (batch, left) = rest.split_at(walk.runs_of_a_round().min(rest.len()));
            rest = left;
            (more, bytes) = walk.round(comm, batch, !rest.is_empty())?;
            if bytes > limit / 4 {
                walk.forget_arcs_over(limit / 4);
            }
            let positions = walk.positions();
            if bytes > limit || positions > MOST {
                return Err(SolveError::TooLarge { positions, bytes, limit, foreseen: false });
            }
        }
        let new = comm.sum(walk.new_positions())?;
        if new == 0 && !walk.begins_again()? {
            return walk.finish(comm);
        }
        walk.depth += 1;
        // Where ways of different lengths meet, layers tell nothing of the end. One guess is enough, and clocks
        // differ: the other workers are told.
        if comm.is_root() && !walk.merged {
            growth.add(new);
            growth.refuse_more_than(game, limit, walk.positions(), bytes)?;
        }
    }
}

/// Positions that are looked at together: of the last tier or, once layers are merged, of a shard; and the place of the
/// first of them in the layer.
pub(super) struct Run {
    shard: Option<usize>,
    places: Range<usize>,
    pub(super) nth: usize,
}

/// A worker's part of a walk.
pub(super) struct Walk<'g, G: Game> {
    pub(super) game: &'g G,
    expander: Expander<G>,
    pub(super) workers: usize,
    /// The layers that are closed, the last of them the one at work, each in the order of keys.
    tiers: Vec<Vec<G::Position>>,
    pub(super) shards: Vec<Shard<G::Position>>,
    /// Whether some position was in two layers, so that the shards have all positions.
    pub(super) merged: bool,
    /// For other workers the ways to the positions of the layer at work.
    pub(super) ways: Vec<u16>,
    /// Moves to the layer at work.
    pub(super) depth: usize,
    /// Positions that were looked at, and their moves.
    pub(super) seen: u64,
    moves: u64,
    /// How much there was when it was last looked whether a position is in two layers, and what was added since.
    looked: u64,
    added: u64,
    making: u64,
    pub(super) pieces: Vec<Piece<G::Position>>,
    pub(super) recording: Option<Recording>,
}

impl<'g, G: Game> Walk<'g, G> {
    fn new(walkable: Walkable<'g, G>, workers: usize) -> Walk<'g, G> {
        let mut shards = vec![];
        shards.resize_with(SHARDS, Shard::new);
        let Walkable { game, expander, recorded } = walkable;
        Walk {
            game,
            expander,
            workers,
            tiers: vec![],
            shards,
            merged: false,
            ways: vec![],
            depth: 0,
            seen: 0,
            moves: 0,
            looked: 0,
            added: 0,
            making: 0,
            pieces: vec![],
            recording: (recorded && workers == 1).then(Recording::default),
        }
    }

    /// The shard that has a key of this worker's.
    pub(super) fn shard(&self, key: u64) -> usize {
        owner_of_key(key, self.workers * SHARDS) % SHARDS
    }

    fn positions(&self) -> u64 {
        let closed: usize = self.tiers.iter().map(Vec::len).sum();
        let open: usize = self.shards.iter().map(|shard| shard.positions.len()).sum();
        (closed + open) as u64
    }

    /// Positions of the layer that is being filled.
    fn new_positions(&self) -> u64 {
        let new = |shard: &Shard<_>| shard.positions.len() - shard.fill;
        self.shards.iter().map(new).sum::<usize>() as u64
    }

    /// Closes the layer that was being filled, and cuts it into runs.
    fn begin_layer(&mut self, limit: u64) -> Result<Vec<Run>, SolveError> {
        self.ways.clear();
        if !self.merged {
            self.added += self.new_positions() + LAYER;
            self.close_layer()?;
            // Near the limit a game with loops must not be given up for what it has twice.
            let enough = if self.bytes() > limit / 2 { self.looked / 16 } else { self.looked };
            if self.added > enough && self.meets_again() {
                self.merge()?;
            }
        }
        let mut runs = vec![];
        let mut cut = |shard, places: Range<usize>, nth: usize| {
            let (from, end) = (places.start, places.end);
            let run =
                |at: usize| Run { shard, places: at..end.min(at + RUN), nth: nth + at - from };
            runs.extend(places.step_by(RUN).map(run));
        };
        if self.merged {
            let mut nth = 0;
            for (s, shard) in self.shards.iter_mut().enumerate() {
                let places = mem::replace(&mut shard.fill, shard.positions.len())..shard.fill;
                let len = places.len();
                if let Some(recording) = self.recording.as_mut().filter(|_| len > 0) {
                    recording.order.push((s, places.clone()));
                }
                cut(Some(s), places, nth);
                nth += len;
                self.ways.append(&mut shard.ways);
            }
        } else {
            cut(None, 0..self.tiers.last().map_or(0, Vec::len), 0);
            let len = self.tiers.last().map_or(0, Vec::len) as u64;
            let bytes = len * (self.moves / self.seen.max(1) + 1) * ARC;
            let most = self.positions() * size_of::<G::Position>() as u64 / ARCS_PART;
            if let Some(recording) = &mut self.recording {
                recording.on = recording.bytes + bytes <= most;
            }
        }
        Ok(runs)
    }

    /// Makes a tier of the layer that was being filled.
    fn close_layer(&mut self) -> Result<(), SolveError> {
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
    fn keep_arcs(&mut self) {
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
    fn forget_arcs_over(&mut self, limit: u64) {
        let arcs = || self.shards.iter().map(|shard| shard.arcs.bytes()).sum::<u64>();
        if self.recording.as_ref().is_some_and(|recording| recording.bytes + arcs() > limit) {
            self.recording = None;
            self.shards.iter_mut().for_each(|shard| shard.arcs = Arcs::default());
        }
    }

    /// Whether a walk that has come to its end finds only now that layers have to be merged, and looks at all positions
    /// again for their moves.
    fn begins_again(&mut self) -> Result<bool, SolveError> {
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
    fn meets_again(&mut self) -> bool {
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
    fn merge(&mut self) -> Result<(), SolveError> {
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

    fn run(&self, run: &Run) -> &[G::Position] {
        let all = match run.shard {
            Some(shard) => &self.shards[shard].positions,
            None => &self.tiers[self.tiers.len() - 1],
        };
        &all[run.places.clone()]
    }

    /// How many runs are looked at in a round, going by how many moves positions had so far.
    fn runs_of_a_round(&self) -> usize {
        let child = size_of::<(u64, G::Position)>() as u64;
        let threads = rayon::current_num_threads().min(ROUND_THREADS) as u64;
        let bytes =
            (ROUND * threads).max(self.positions() * size_of::<G::Position>() as u64 / ROUND_PART);
        let of_a_run = child * RUN as u64 * (self.moves + 1).div_ceil(self.seen + 1);
        (bytes / of_a_run).max(1) as usize
    }

    fn bytes(&self) -> u64 {
        let closed: usize = self.tiers.iter().map(Vec::len).sum();
        let ways = 2 * self.ways.capacity();
        let open = self.shards.iter().map(Shard::bytes).sum::<u64>();
        let recorded = self.recording.as_ref().map_or(0, |one| one.bytes + one.nodes.bytes());
        open + recorded + (closed * size_of::<G::Position>() + ways) as u64
    }

    /// Plays all moves from the positions of some runs, with all others. Returns how many workers have more, and the
    /// bytes in use.
    fn round(
        &mut self,
        comm: &mut Comm,
        runs: &[Run],
        more: bool,
    ) -> Result<(u64, u64), SolveError> {
        let mut messages = comm.messages();
        let moves = match self.workers {
            1 => self.hand_over(runs)?,
            _ => self.send(runs, &mut messages)?,
        };
        let done = runs.iter().map(|run| run.places.len() as u64).sum();
        let mine = Reduction { more: more.into(), done, ..Reduction::default() };
        let (came, all) = comm.exchange(messages, mine)?;
        came.iter().try_for_each(|message| self.receive(message.bytes()))?;
        self.moves += moves;
        self.seen += done;
        let bytes = self.bytes();
        let child = size_of::<(u64, G::Position)>() as u64;
        self.making = self.making.max(bytes + moves * child);
        Ok((all.more, bytes))
    }

    /// Tells where the moves of all positions of some runs lead, a batch at a time, with the place of its first
    /// position in the layer.
    pub(super) fn expand(
        &self,
        runs: &[Run],
        mut tell: impl FnMut(usize, &mut Expansion<G::Position>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let Expander { expand, batch, twin } = self.expander;
        let (mut out, mut spots) = (Expansion::default(), 0u32);
        let mut one = |nth: usize, some: &[G::Position]| {
            out.clear();
            expand(self.game, some, &mut out);
            if let Some(trouble) = out.trouble(some.len()) {
                return Err(Fault::expansion(format!("it tells {trouble}")).into());
            }
            let mut each = out.outcomes.iter().zip(&out.counts);
            if let Some(stuck) = each.position(|(over, moves)| over.is_none() && *moves == 0) {
                return Err(Fault::stuck(&self.game.show(&some[stuck])).into());
            }
            spots += 1;
            if twin && spots.is_power_of_two() {
                self.hold(some, (nth + 1).wrapping_mul(ODD as usize) % some.len(), &out)?;
            }
            tell(nth, &mut out)
        };
        if batch < RUN {
            for run in runs {
                let batches = (run.nth..).step_by(batch).zip(self.run(run).chunks(batch));
                batches.into_iter().try_for_each(|(nth, some)| one(nth, some))?;
            }
            return Ok(());
        }
        // Runs follow one another, and are put together.
        let (mut some, mut nth) = (vec![], runs.first().map_or(0, |run| run.nth));
        for run in runs {
            some.extend_from_slice(self.run(run));
            if some.len() >= batch {
                one(nth, &some)?;
                nth += some.len();
                some.clear();
            }
        }
        if some.is_empty() { Ok(()) } else { one(nth, &some) }
    }

    /// Holds what is told of many positions at once to what the rules say of one of them.
    fn hold(
        &self,
        some: &[G::Position],
        nth: usize,
        told: &Expansion<G::Position>,
    ) -> Result<(), Fault> {
        let (mut right, at) = (Expansion::default(), &some[nth]);
        one_by_one(self.game, std::slice::from_ref(at), &mut right);
        let child = told.counts[..nth].iter().map(|count| *count as usize).sum();
        if told.agrees((nth, child), &right) {
            return Ok(());
        }
        let at = one_line(&self.game.show(at));
        Err(Fault::expansion(format!("of {at} it tells something else than the rules")))
    }

    /// Orders what the shards have by key.
    fn finish(mut self, comm: &mut Comm) -> Result<Found<G::Position>, SolveError> {
        // The layer that was being filled is empty.
        if !self.merged && self.recording.is_none() && self.meets_again() {
            self.merge()?;
        }
        let loopy = comm.any(self.merged)?;
        if loopy && !self.merged {
            // Another worker has a position twice.
            self.merge()?;
        }
        self.pieces = vec![];
        let recorded = match loopy {
            true => self.order_all()?,
            false => {
                self.keep_arcs();
                let layers = self.recording.map_or(vec![], |recording| recording.layers);
                Recorded { layers, loops: None }
            }
        };
        let (tiers, making) = (self.tiers, self.making);
        Ok(Found { tiers, loopy, moves: comm.sum(self.moves)?, making, recorded })
    }

    /// Makes one tier of all positions.
    fn order_all(&mut self) -> Result<Recorded, SolveError> {
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
