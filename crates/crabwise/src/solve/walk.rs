//! Finding the positions of a game without a numbering, layer after layer of moves from the start: by one worker with
//! all threads, or by many, each those whose keys are its own.
//!
//! A worker's keys are cut into [`SHARDS`] ranges, so that each can be filled by one thread and stays in its cache while
//! it is. One worker alone hands children to their shards, where they are compared in full with what is known.
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
    game::Game,
    graph::partition::owner_of_key,
    index::key,
    table::codec::{self, Bytes},
};

/// Ranges of keys of a worker.
const SHARDS: usize = 64;
/// Positions of a run, and runs of a round for each thread.
const RUN: usize = if cfg!(test) { 7 } else { 1 << 9 };
const RUNS: usize = if cfg!(test) { 1 } else { 64 };
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
    game: &G,
    comm: &mut Comm,
    limit: u64,
) -> Result<Found<G::Position>, SolveError> {
    comm.begin("walking", None, None);
    comm.tell()?;
    let mut walk =
        Walk { game, workers: comm.size(), shards: vec![], depth: 0, moves: 0, making: 0 };
    walk.shards.resize_with(SHARDS, Shard::new);
    let (start, key) = (game.start(), key(&game.start(), 0));
    if owner_of_key(key, comm.size()) == comm.rank() {
        walk.shard(key).meet(key, start, PartialEq::eq, Ok)?;
    }
    let (mut growth, limit) = (Growth::new(), limit / comm.topology().workers);
    loop {
        let frontier = walk.begin_layer();
        let (mut bytes, before, mut more) = (0, walk.positions(), 1);
        let mut batches = frontier.chunks(RUNS * rayon::current_num_threads());
        while more > 0 {
            let batch = batches.next().unwrap_or_default();
            (more, bytes) = walk.round(comm, batch, batches.len() > 0)?;
            let positions = walk.positions();
            if bytes > limit || positions > u32::MAX.into() {
                return Err(SolveError::TooLarge { positions, bytes, limit, foreseen: false });
            }
        }
        let new = comm.sum(walk.positions() - before)?;
        if new == 0 {
            return walk.finish(comm);
        }
        walk.depth += 1;
        // Where ways of different lengths meet, layers tell nothing of the end. One guess is enough, and clocks
        // differ: the other workers are told.
        if comm.is_root() && !walk.met_again() {
            growth.add(new);
            growth.refuse_more_than(game, limit, walk.positions(), bytes)?;
        }
    }
}

/// The positions of a worker in one range of keys.
struct Shard<P> {
    /// Places in `positions`, by key.
    table: HashTable<u32>,
    positions: Vec<P>,
    /// Where layers begin, the last of them the one that is being filled.
    layers: Vec<usize>,
    met_again: bool,
    /// For other workers the ways to the positions of the layer at work, one after the other, and to those of the next.
    ways: Vec<u16>,
    next_ways: Vec<u16>,
}

impl<P: Hash> Shard<P> {
    fn new() -> Shard<P> {
        let (table, positions, ways, next_ways) = Default::default();
        Shard { table, positions, layers: vec![0], met_again: false, ways, next_ways }
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
        // The table takes tags from the leading bits and places from the last ones; within a shard the leading bits of
        // keys are alike.
        let spread = |key: u64| key.wrapping_mul(ODD);
        let Shard { table, positions, layers, .. } = self;
        let same = |place: &u32| same(&positions[*place as usize], &child);
        let rehash = |place: &u32| spread(self::key(&positions[*place as usize], 0));
        match table.entry(spread(key), same, rehash) {
            Entry::Occupied(entry) => {
                self.met_again |= (*entry.get() as usize) < layers[layers.len() - 1];
                Ok(false)
            }
            Entry::Vacant(entry) => {
                entry.insert(positions.len() as u32);
                positions.push(make(child)?);
                Ok(true)
            }
        }
    }

    fn bytes(&self) -> u64 {
        let ways = 2 * (self.ways.capacity() + self.next_ways.capacity());
        (self.table.allocation_size() + self.positions.len() * size_of::<P>() + ways) as u64
    }
}

/// A run of positions of a shard.
type Run = (usize, Range<usize>);

/// Children with their keys, by shard, and how many they are.
type Children<P> = (Vec<Vec<(u64, P)>>, u64);

/// A worker's part of a walk.
struct Walk<'g, G: Game> {
    game: &'g G,
    workers: usize,
    shards: Vec<Shard<G::Position>>,
    /// Moves to the layer at work.
    depth: usize,
    moves: u64,
    making: u64,
}

impl<G: Game> Walk<'_, G> {
    /// The shard that has a key of this worker's.
    fn shard(&mut self, key: u64) -> &mut Shard<G::Position> {
        &mut self.shards[owner_of_key(key, self.workers * SHARDS) % SHARDS]
    }

    fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.positions.len() as u64).sum()
    }

    fn met_again(&self) -> bool {
        self.shards.iter().any(|shard| shard.met_again)
    }

    /// Closes the layer that was being filled, and cuts it into runs.
    fn begin_layer(&mut self) -> Vec<Run> {
        let (mut frontier, met_again) = (vec![], self.met_again());
        for (s, shard) in self.shards.iter_mut().enumerate() {
            let (from, to) = (shard.layers[shard.layers.len() - 1], shard.positions.len());
            // Once the layers are known to be no tiers, only the one at work matters.
            if met_again {
                shard.layers = vec![from];
            }
            shard.layers.push(to);
            shard.ways = mem::take(&mut shard.next_ways);
            frontier.extend((from..to).step_by(RUN).map(|at| (s, at..to.min(at + RUN))));
        }
        frontier
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
        let done = runs.iter().map(|(_, run)| run.len() as u64).sum();
        let mine = Reduction { more: more.into(), done, ..Reduction::default() };
        let (came, all) = comm.exchange(messages, mine)?;
        came.iter().try_for_each(|message| self.receive(message.bytes()))?;
        self.moves += moves;
        let size = size_of::<G::Position>() as u64;
        let bytes = self.shards.iter().map(Shard::bytes).sum::<u64>();
        // Later each position is copied once more, into its tier.
        let ordering = self.positions() * (2 * size + 2);
        self.making = self.making.max(bytes + moves * (8 + size)).max(ordering);
        Ok((all.more, bytes.max(ordering)))
    }

    /// Hands all children of some runs to their shards; how many they are.
    fn hand_over(&mut self, runs: &[Run]) -> Result<u64, SolveError> {
        // One run does not wake the other threads: deep games have many thin layers.
        let alone = runs.len() < 2;
        let mut made: Vec<Children<G::Position>> = vec![];
        made.resize_with(runs.len().div_ceil(8), Default::default);
        each(alone, &mut made, &|i, (by_shard, moves)| {
            by_shard.resize_with(SHARDS, Vec::new);
            for (s, run) in &runs[i * 8..runs.len().min(i * 8 + 8)] {
                for at in &self.shards[*s].positions[run.clone()] {
                    *moves += each_child(self.game, at, |_, to| {
                        let key = key(&to, 0);
                        by_shard[owner_of_key(key, SHARDS)].push((key, to));
                    })?;
                }
            }
            Ok(())
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
        for (s, run) in runs {
            let Shard { positions, layers, ways, .. } = &self.shards[*s];
            for place in run.clone() {
                let nth = place - layers[layers.len() - 2];
                let way = &ways[nth * self.depth..(nth + 1) * self.depth];
                let children = each_child(self.game, &positions[place], |nth, to| {
                    let owner = owner_of_key(key(&to, 0), self.workers);
                    let (out, last) = (&mut messages[owner], &mut last[owner]);
                    out.extend([key(&to, 0), key(&to, CHECK)].map(u64::to_le_bytes).as_flattened());
                    let common = way.iter().zip(&*last).take_while(|(a, b)| a == b).count();
                    codec::put(out, common as u64);
                    way[common..].iter().for_each(|mv| codec::put(out, (*mv).into()));
                    codec::put(out, nth);
                    last.clear();
                    last.extend(way);
                })?;
                if children > 1 << 16 {
                    return Err(Fault::too_many_moves(children).into());
                }
                moves += children;
            }
        }
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
            let (shard, same) =
                (self.shard(wanted), |at: &_, check: &u64| key(at, CHECK) == *check);
            if shard.meet(wanted, check, same, |_| play(&way))? {
                shard.next_ways.extend(&way);
            }
        }
        Ok(())
    }

    /// Orders each tier by key.
    fn finish(mut self, comm: &mut Comm) -> Result<Found<G::Position>, SolveError> {
        let loopy = comm.any(self.met_again())?;
        each(false, &mut self.shards, &|_, Shard { table, positions, layers, .. }| {
            *table = HashTable::new();
            // The last layer is empty.
            layers.pop();
            *layers = if loopy { vec![0] } else { mem::take(layers) };
            let ends = layers.iter().skip(1).copied().chain([positions.len()]);
            for (from, to) in layers.iter().zip(ends) {
                positions[*from..to].sort_by_cached_key(|at| key(at, 0));
            }
            Ok(())
        })?;
        let mut tiers = vec![];
        while let Some(begins) =
            self.shards.iter_mut().map(|shard| shard.layers.pop()).collect::<Option<Vec<usize>>>()
        {
            let shards = self.shards.iter_mut().map(|shard| &mut shard.positions).zip(begins);
            // Shards are ranges of keys: put one after the other they are in order.
            let shards: Vec<_> = shards.collect();
            let mut tier = vec![];
            tier.reserve_exact(shards.iter().map(|(all, begin)| all.len() - begin).sum());
            for (positions, begin) in shards {
                tier.extend(positions.drain(begin..));
                positions.shrink_to_fit();
            }
            tiers.push(tier);
        }
        tiers.reverse();
        Ok(Found { tiers, loopy, moves: comm.sum(self.moves)?, making: self.making })
    }
}

/// Tells the children of a position, numbered from 0; returns how many there are.
fn each_child<G: Game>(
    game: &G,
    at: &G::Position,
    mut tell: impl FnMut(u64, G::Position),
) -> Result<u64, Fault> {
    if game.over(at).is_some() {
        return Ok(0);
    }
    let mut count = 0;
    for mv in game.moves(at) {
        tell(count, game.play(at, mv));
        count += 1;
    }
    if count > 0 { Ok(count) } else { Err(Fault::stuck(&game.show(at))) }
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
