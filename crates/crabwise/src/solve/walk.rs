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
//! To another worker a position cannot be sent, because nothing is known of its type; but the way to it can: the numbers
//! of the moves from the start. So for each move the key of where it leads, a second key and the way go to the worker
//! that has the first one, and that plays the way if the keys are new to it. Two keys of 64 bits each must agree before
//! a position is taken for known.

use std::{hash::Hash, mem, ops::Range, sync::Mutex};

use hashbrown::{HashTable, hash_table::Entry};
use rayon::prelude::*;

use super::{
    Fault, SolveError,
    communicator::{Comm, Reduction},
    growth::Growth,
    held,
};
use crate::{
    game::{
        Game,
        batched::{Expander, Expansion, one_by_one},
        one_line,
    },
    graph::partition::owner_of_key,
    index::key,
    table::codec::{self, Bytes},
};

/// Ranges of keys of a worker.
const SHARDS: usize = 256;
/// Positions of a run.
const RUN: usize = if cfg!(test) { 7 } else { 1 << 9 };
/// Bytes of children that are handed over in a round, at the least by each of up to [`ROUND_THREADS`] threads, and the
/// part of what positions take that they may be.
const ROUND: u64 = if cfg!(test) { 1 << 10 } else { 4 << 20 };
const ROUND_THREADS: usize = 4;
const ROUND_PART: u64 = 16;
/// How many positions a layer is counted as when it is decided whether to look for positions that are in two.
const LAYER: u64 = if cfg!(test) { 1 } else { 1 << 10 };
/// The salt of the second key.
const CHECK: u64 = 0x6372_6162_7769_7365;
/// An odd number: 2⁶⁴ over the golden ratio.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

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
}

/// Walks a game, with all other workers, using at most about `limit` bytes.
pub(crate) fn walk<G: Game>(
    (game, expander): (&G, Expander<G>),
    comm: &mut Comm,
    limit: u64,
) -> Result<Found<G::Position>, SolveError> {
    comm.begin("walking", None, None);
    comm.tell()?;
    let limit = limit / comm.topology().workers;
    let (mut walk, mut growth) = (Walk::new(game, expander, comm.size()), Growth::new());
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
            let positions = walk.positions();
            if bytes > limit || positions > u32::MAX.into() {
                return Err(SolveError::TooLarge { positions, bytes, limit, foreseen: false });
            }
        }
        let new = comm.sum(walk.new_positions())?;
        if new == 0 {
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

/// The positions of a worker in one range of keys: those of the layer that is being filled or, once layers are merged,
/// all of them.
struct Shard<P> {
    /// Places in `positions`, by key.
    table: HashTable<u32>,
    positions: Vec<P>,
    /// Where the layer begins that is being filled.
    fill: usize,
    /// For other workers the ways to the positions of that layer, one after the other.
    ways: Vec<u16>,
}

/// What the tables take tags and places from: within a shard the leading bits of keys are alike.
#[inline]
fn spread(key: u64) -> u64 {
    key.wrapping_mul(ODD)
}

impl<P: Hash> Shard<P> {
    fn new() -> Shard<P> {
        Shard { table: HashTable::new(), positions: vec![], fill: 0, ways: vec![] }
    }

    /// Takes note of a child, of which `make` makes a position, unless the `same` is known; whether it is new.
    #[inline]
    fn meet<C>(
        &mut self,
        key: u64,
        child: C,
        same: impl Fn(&P, &C) -> bool,
        make: impl FnOnce(C) -> Result<P, Fault>,
    ) -> Result<bool, Fault> {
        let Shard { table, positions, .. } = self;
        let same = |place: &u32| same(&positions[*place as usize], &child);
        let rehash = |place: &u32| spread(self::key(&positions[*place as usize], 0));
        match table.entry(spread(key), same, rehash) {
            Entry::Occupied(_) => Ok(false),
            Entry::Vacant(entry) => {
                entry.insert(positions.len() as u32);
                // Doubling would leave half of the room empty.
                if positions.len() == positions.capacity() {
                    positions.reserve_exact(positions.len() / 4 + 16);
                }
                positions.push(make(child)?);
                Ok(true)
            }
        }
    }

    /// Orders the positions by key, and the ways to them, of so many moves each.
    fn order(&mut self, depth: usize) {
        if !self.ways.is_empty() {
            let keys = (0..).zip(&self.positions).map(|(place, at)| (key(at, 0), place));
            let mut order: Vec<(u64, usize)> = keys.collect();
            order.sort_unstable();
            let way = |(_, place): (u64, usize)| &self.ways[place * depth..(place + 1) * depth];
            self.ways = order.into_iter().flat_map(way).copied().collect();
        }
        self.positions.sort_by_cached_key(|at| key(at, 0));
    }

    fn bytes(&self) -> u64 {
        let positions = self.positions.capacity() * size_of::<P>();
        (self.table.allocation_size() + positions + 2 * self.ways.capacity()) as u64
    }
}

/// Positions that are looked at together: of the last tier or, once layers are merged, of a shard; and the place of the
/// first of them in the layer.
struct Run {
    shard: Option<usize>,
    places: Range<usize>,
    nth: usize,
}

/// Children with their keys, by shard, and how many they are.
type Children<P> = (Vec<Vec<(u64, P)>>, u64);

/// A worker's part of a walk.
struct Walk<'g, G: Game> {
    game: &'g G,
    expander: Expander<G>,
    workers: usize,
    /// The layers that are closed, the last of them the one at work, each in the order of keys.
    tiers: Vec<Vec<G::Position>>,
    shards: Vec<Shard<G::Position>>,
    /// Whether some position was in two layers, so that the shards have all positions.
    merged: bool,
    /// For other workers the ways to the positions of the layer at work.
    ways: Vec<u16>,
    /// Moves to the layer at work.
    depth: usize,
    /// Positions that were looked at, and their moves.
    seen: u64,
    moves: u64,
    /// How much there was when it was last looked whether a position is in two layers, and what was added since.
    looked: u64,
    added: u64,
    making: u64,
}

impl<'g, G: Game> Walk<'g, G> {
    fn new(game: &'g G, expander: Expander<G>, workers: usize) -> Walk<'g, G> {
        let mut shards = vec![];
        shards.resize_with(SHARDS, Shard::new);
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
        }
    }

    /// The shard that has a key of this worker's.
    fn shard(&self, key: u64) -> usize {
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
                cut(Some(s), places, nth);
                nth += len;
                self.ways.append(&mut shard.ways);
            }
        } else {
            cut(None, 0..self.tiers.last().map_or(0, Vec::len), 0);
        }
        Ok(runs)
    }

    /// Makes a tier of the layer that was being filled.
    fn close_layer(&mut self) -> Result<(), SolveError> {
        let (len, depth) = (self.new_positions() as usize, self.depth);
        // Deep games have many thin layers.
        each(len <= RUN, &mut self.shards, &|_, shard| {
            shard.order(depth);
            shard.table.clear();
            Ok(())
        })?;
        let mut tier = vec![];
        tier.reserve_exact(len);
        for shard in &mut self.shards {
            tier.append(&mut shard.positions);
            self.ways.append(&mut shard.ways);
        }
        self.tiers.push(tier);
        Ok(())
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
                    let new = shard.meet(
                        key(at, 0),
                        at,
                        |known, at| known == *at,
                        |at| Ok(at.clone()),
                    )?;
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
        open + (closed * size_of::<G::Position>() + ways) as u64
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
    fn expand(
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

    /// Hands all children of some runs to their shards; how many they are.
    fn hand_over(&mut self, runs: &[Run]) -> Result<u64, SolveError> {
        // One run does not wake the other threads: deep games have many thin layers.
        let alone = runs.len() < 2;
        // Each piece has a list for each shard, so that fewer pieces are fewer, longer lists.
        let some = runs.len().div_ceil(rayon::current_num_threads()).max(1);
        let expected = match alone {
            true => 0,
            false => self.moves as usize / self.seen.max(1) as usize * some * RUN / SHARDS,
        };
        let mut made: Vec<Children<G::Position>> = vec![];
        made.resize_with(runs.len().div_ceil(some), Default::default);
        each(alone, &mut made, &|i, (by_shard, moves)| {
            by_shard.resize_with(SHARDS, || Vec::with_capacity(expected));
            self.expand(&runs[i * some..runs.len().min((i + 1) * some)], |_, out| {
                *moves += out.children.len() as u64;
                for to in out.children.drain(..) {
                    let key = key(&to, 0);
                    by_shard[owner_of_key(key, SHARDS)].push((key, to));
                }
                Ok(())
            })
        })?;
        let mut inboxes: Vec<_> = self.shards.iter_mut().map(|shard| (shard, vec![])).collect();
        let mut all = 0;
        for (by_shard, moves) in made {
            inboxes.iter_mut().zip(by_shard).for_each(|((_, inbox), some)| inbox.push(some));
            all += moves;
        }
        each(alone, &mut inboxes, &|_, (shard, inbox)| {
            let mut children = mem::take(inbox).into_iter().flatten();
            Ok(children
                .try_for_each(|(key, to)| shard.meet(key, to, PartialEq::eq, Ok).map(drop))?)
        })?;
        Ok(all)
    }

    /// Sends the keys of all children of some runs, and the ways to them as far as they differ from the one before.
    fn send(&self, runs: &[Run], messages: &mut [Vec<u8>]) -> Result<u64, SolveError> {
        let (mut last, mut moves) = (vec![vec![]; self.workers], 0);
        self.expand(runs, |nth, expansion| {
            let Expansion { counts, children, .. } = expansion;
            let mut children = children.drain(..);
            for (nth, &count) in (nth..).zip(&*counts) {
                if count > 1 << 16 {
                    return Err(Fault::too_many_moves(count.into()).into());
                }
                let way = &self.ways[nth * self.depth..(nth + 1) * self.depth];
                for (nth, to) in (0..).zip(children.by_ref().take(count as usize)) {
                    let owner = owner_of_key(key(&to, 0), self.workers);
                    let (out, last) = (&mut messages[owner], &mut last[owner]);
                    out.extend([key(&to, 0), key(&to, CHECK)].map(u64::to_le_bytes).as_flattened());
                    let common = way.iter().zip(&*last).take_while(|(a, b)| a == b).count();
                    codec::put(out, common as u64);
                    way[common..].iter().for_each(|mv| codec::put(out, (*mv).into()));
                    codec::put(out, nth);
                    last.clear();
                    last.extend(way);
                }
                moves += u64::from(count);
            }
            Ok(())
        })?;
        Ok(moves)
    }

    /// Plays the ways to those children that are new. Neighbours have most of their ways in common, and that part is not
    /// played again.
    fn receive(&mut self, message: &[u8]) -> Result<(), SolveError> {
        let (game, depth) = (self.game, self.depth + 1);
        let (mut bytes, mut way) = (Bytes(message), vec![]);
        // The positions on the way that was played last, and the moves to them.
        let (mut line, mut played) = (vec![game.start()], vec![]);
        let mut play = |way: &[u16]| {
            let common = way.iter().zip(&played).take_while(|(a, b)| a == b).count();
            line.truncate(common + 1);
            for (at, nth) in (common..).zip(&way[common..]) {
                let mv = game.moves(&line[at]).into_iter().nth((*nth).into());
                let mv = mv.ok_or_else(|| Fault::stuck(&game.show(&line[at])))?;
                line.push(game.play(&line[at], mv));
            }
            played = way.to_vec();
            Ok(line[way.len()].clone())
        };
        while let Some((first, second)) = bytes.take().zip(bytes.take()) {
            way.truncate(bytes.number().unwrap_or(0) as usize);
            (way.len()..depth).for_each(|_| way.push(bytes.number().unwrap_or(0) as u16));
            let [wanted, check] = [first, second].map(u64::from_le_bytes);
            let same = |at: &_, check: &u64| key(at, CHECK) == *check;
            let shard = self.shard(wanted);
            let shard = &mut self.shards[shard];
            if shard.meet(wanted, check, same, |_| play(&way))? {
                shard.ways.extend(&way);
            }
        }
        Ok(())
    }

    /// Orders what the shards have by key.
    fn finish(mut self, comm: &mut Comm) -> Result<Found<G::Position>, SolveError> {
        // The layer that was being filled is empty.
        if !self.merged && self.meets_again() {
            self.merge()?;
        }
        let loopy = comm.any(self.merged)?;
        if loopy && !self.merged {
            // Another worker has a position twice.
            self.merge()?;
        }
        if loopy {
            self.shards.iter_mut().for_each(|shard| shard.ways = vec![]);
            each(false, &mut self.shards, &|_, shard| {
                shard.table = HashTable::new();
                shard.order(0);
                Ok(())
            })?;
            let mut tier = vec![];
            tier.reserve_exact(self.positions() as usize);
            // Shards are ranges of keys: put one after the other they are in order.
            self.shards.drain(..).for_each(|shard| tier.extend(shard.positions));
            self.tiers = vec![tier];
        }
        Ok(Found { tiers: self.tiers, loopy, moves: comm.sum(self.moves)?, making: self.making })
    }
}

/// Whether positions in the order of their keys have one with this key.
fn has<P: Hash + Eq>(sorted: &[P], wanted: u64, at: &P) -> bool {
    let first = sorted.partition_point(|one| key(one, 0) < wanted);
    sorted[first..].iter().take_while(|one| key(*one, 0) == wanted).any(|one| one == at)
}

/// Changes each of some things, on all threads or `alone`. Threads work on a closure without its type, so that a game's own
/// code can be run in parallel without compiling the machinery once more for each game.
fn each<T: Send>(
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
