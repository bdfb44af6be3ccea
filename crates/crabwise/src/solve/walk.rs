//! Finding the positions of a game without a numbering: layer after layer of moves from the start, by one worker with
//! all threads or by many workers, each those whose keys are its own.
//!
//! A worker's keys are cut into [`SHARDS`] ranges, so that each can be filled by one thread and stays in its cache while
//! it is. Children are made on all threads, thrown to their shards, and there compared in full with what is known.
//!
//! A position cannot be sent to another worker, because nothing is known of its type; but the way to it can: the numbers
//! of the moves from the start. So for a child that another worker has, its key, a second one and the way go there, as
//! far as the way differs from the one before; that worker plays it if the keys are new to it. Two keys of 64 bits each
//! must agree before a position is taken for known.

use std::{
    hash::Hash,
    mem,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use hashbrown::{HashTable, hash_table::Entry};

use super::{
    Fault, SolveError,
    communicator::{Comm, Reduction},
    growth::Growth,
};
use crate::{
    game::Game,
    graph::{parallel, partition::owner_of_key},
    index::key,
    table::codec::{self, Bytes},
};

/// Ranges of keys of a worker.
const SHARDS: usize = 64;
/// Positions whose children are made by one thread at a time, and how many times as many in a round by each.
const RUN: usize = if cfg!(test) { 7 } else { 1 << 9 };
const RUNS: usize = if cfg!(test) { 1 } else { 64 };
/// The salt of the second key.
const CHECK: u64 = 0x6372_6162_7769_7365;
/// An odd number: 2⁶⁴ over the golden ratio.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Ways from the start, one after the other: the numbers of the moves.
#[derive(Default)]
struct Ways {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<u64>,
}

impl Ways {
    fn push(&mut self, way: &[u8]) {
        self.bytes.extend(way);
        self.ends.push(self.bytes.len() as u64);
    }

    fn get(&self, nth: usize) -> Option<&[u8]> {
        let to = *self.ends.get(nth)?;
        let from = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[from as usize..to as usize])
    }

    fn size(&self) -> usize {
        self.bytes.capacity() + 8 * self.ends.capacity()
    }
}

/// The positions of a worker in one range of keys.
struct Shard<P> {
    /// Places in `positions`, by key.
    table: HashTable<u32>,
    positions: Vec<P>,
    /// Where layers begin, the last of them the one that is being filled.
    layers: Vec<usize>,
    /// Where there are other workers, the ways to the positions of the layer at work, and to those of the next.
    ways: Ways,
    next_ways: Ways,
    met_again: bool,
}

impl<P: Hash> Shard<P> {
    fn new() -> Shard<P> {
        Shard {
            table: HashTable::new(),
            positions: vec![],
            layers: vec![0],
            ways: Ways::default(),
            next_ways: Ways::default(),
            met_again: false,
        }
    }

    /// Takes note of a position, and of the way to it: unless one that is the `same` as it is known, `make` makes it.
    #[inline]
    fn meet<T>(
        &mut self,
        (key, child, way): (u64, T, Option<&[u8]>),
        same: impl Fn(&P, &T) -> bool,
        make: impl FnOnce(T) -> Result<P, Fault>,
    ) -> Result<(), Fault> {
        // The table takes tags from the leading bits and places from the last ones; within a shard the leading bits of
        // keys are alike.
        let spread = |key: u64| key.wrapping_mul(ODD);
        let Shard { table, positions, layers, .. } = self;
        let same = |place: &u32| same(&positions[*place as usize], &child);
        let rehash = |place: &u32| spread(self::key(&positions[*place as usize], 0));
        match table.entry(spread(key), same, rehash) {
            Entry::Occupied(entry) => {
                self.met_again |= (*entry.get() as usize) < layers[layers.len() - 1];
            }
            Entry::Vacant(entry) => {
                entry.insert(positions.len() as u32);
                positions.push(make(child)?);
                way.into_iter().for_each(|way| self.next_ways.push(way));
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let ways = self.ways.size() + self.next_ways.size();
        (self.table.allocation_size() + self.positions.len() * size_of::<P>() + ways) as u64
    }
}

/// Children with their keys on the way to a shard, and where there are other workers, the ways to them.
struct Batch<P> {
    children: Vec<(u64, P)>,
    ways: Ways,
}

/// Children on the way to another worker, and the way to the last of them.
#[derive(Default)]
struct Outbox {
    bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Outbox {
    fn put(&mut self, keys: [u64; 2], way: &[u8]) {
        keys.iter().for_each(|key| self.bytes.extend(key.to_le_bytes()));
        let common = self.last.iter().zip(way).take_while(|(last, this)| last == this).count();
        codec::put(&mut self.bytes, common as u64);
        codec::put_piece(&mut self.bytes, &way[common..]);
        self.last.truncate(common);
        self.last.extend(&way[common..]);
    }
}

/// The children of a run of positions: by shard, and by worker.
struct Children<P> {
    mine: Vec<Batch<P>>,
    others: Vec<Outbox>,
    moves: u64,
}

/// A way that is played, with the positions on it. Neighbours have most of their ways in common, and that part is not
/// played again.
struct Line<'g, G: Game> {
    game: &'g G,
    positions: Vec<G::Position>,
    played: Vec<u64>,
}

impl<G: Game> Line<'_, G> {
    fn play(&mut self, way: &[u8]) -> Result<G::Position, Fault> {
        let Line { game, positions, played } = self;
        let (mut moves, mut depth) = (Bytes(way), 0);
        while let Some(nth) = moves.number() {
            if played.get(depth) != Some(&nth) {
                played.truncate(depth);
                positions.truncate(depth + 1);
                let at = &positions[depth];
                let mv = game.moves(at).into_iter().nth(nth as usize);
                let to = game.play(at, mv.ok_or_else(|| Fault::stuck(*game, at))?);
                positions.push(to);
                played.push(nth);
            }
            depth += 1;
        }
        Ok(positions[depth].clone())
    }
}

/// A run of positions of a shard.
type Run = (usize, Range<usize>);

/// A worker's part of a walk.
struct Walk<'g, G: Game> {
    game: &'g G,
    me: usize,
    workers: usize,
    shards: Vec<Shard<G::Position>>,
    moves: u64,
    /// Bytes in use now, and at the most.
    bytes: u64,
    making: u64,
}

/// The positions that a worker has found.
pub(super) struct Found<P> {
    /// By tier, in the order of their keys. Tiers are distances from the start as long as every way to a position is
    /// equally long. Otherwise the game may have loops, and there is one tier.
    pub(super) tiers: Vec<Vec<P>>,
    pub(super) loopy: bool,
    pub(super) moves: u64,
    /// Bytes in use at the most, leaving out what positions own elsewhere.
    pub(super) making: u64,
}

/// Walks a game, with all other workers, using at most about `limit` bytes.
pub(super) fn walk<G: Game>(
    game: &G,
    comm: &mut Comm,
    limit: u64,
) -> Result<Found<G::Position>, SolveError> {
    comm.begin("walking", None, None);
    comm.tell()?;
    let (me, workers) = (comm.rank(), comm.size());
    let shards = (0..SHARDS).map(|_| Shard::new()).collect();
    let mut walk = Walk { game, me, workers, shards, moves: 0, bytes: 0, making: 0 };
    let start = key(&game.start(), 0);
    if owner_of_key(start, workers) == me {
        let way = (workers > 1).then_some(&[][..]);
        let shard = walk.shard(start);
        walk.shards[shard].meet((start, game.start(), way), PartialEq::eq, Ok)?;
    }
    let (mut growth, limit) = (Growth::new(), limit / comm.topology().workers);
    loop {
        let frontier = walk.begin_layer();
        let (before, mut more) = (walk.positions(), 1);
        let mut batches = frontier.chunks(RUNS * rayon::current_num_threads());
        while more > 0 {
            let batch = batches.next().unwrap_or_default();
            more = walk.round(comm, batch, batches.len() > 0)?;
            let (positions, bytes) = (walk.positions(), walk.bytes);
            if bytes > limit || positions > u32::MAX.into() {
                return Err(SolveError::TooLarge { positions, bytes, limit, foreseen: false });
            }
        }
        let new = comm.sum(walk.positions() - before)?;
        if new == 0 {
            return walk.finish(comm);
        }
        // Where ways of different lengths meet, layers tell nothing of the end. One guess is enough, and clocks
        // differ: the other workers are told.
        if comm.is_root() && !walk.met_again() {
            growth.add(new);
            growth.refuse_more_than(game, limit, walk.positions(), walk.bytes)?;
        }
    }
}

impl<G: Game> Walk<'_, G> {
    /// Which shard has a key of this worker's.
    fn shard(&self, key: u64) -> usize {
        owner_of_key(key, self.workers * SHARDS) % SHARDS
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
            shard.layers.truncate(if met_again { 1 } else { shard.layers.len() });
            shard.layers.push(to);
            shard.ways = mem::take(&mut shard.next_ways);
            frontier.extend((from..to).step_by(RUN).map(|at| (s, at..to.min(at + RUN))));
        }
        frontier
    }

    /// Plays all moves from the positions of some runs, with all others; how many workers have more.
    fn round(&mut self, comm: &mut Comm, runs: &[Run], more: bool) -> Result<u64, SolveError> {
        // One run alone does not wake the other threads: deep games have many thin layers.
        let alone = runs.len() < 2;
        let mut made: Vec<Option<Children<G::Position>>> = vec![];
        made.resize_with(runs.len().div_ceil(8), || None);
        each(alone, &mut made, &|i, made| {
            *made = Some(self.expand(&runs[i * 8..runs.len().min(i * 8 + 8)])?);
            Ok(())
        })?;
        let (mut messages, mut moves) = (comm.messages(), 0);
        let mut inboxes: Vec<_> = self.shards.iter_mut().map(|shard| (shard, vec![])).collect();
        for made in made.into_iter().flatten() {
            messages.iter_mut().zip(&made.others).for_each(|(to, one)| to.extend(&one.bytes));
            inboxes.iter_mut().zip(made.mine).for_each(|((_, inbox), batch)| inbox.push(batch));
            moves += made.moves;
        }
        each(alone, &mut inboxes, &|_, (shard, inbox)| {
            for Batch { children, ways } in mem::take(inbox) {
                for (i, (key, child)) in children.into_iter().enumerate() {
                    shard.meet((key, child, ways.get(i)), PartialEq::eq, Ok)?;
                }
            }
            Ok(())
        })?;
        let done = runs.iter().map(|(_, run)| run.len() as u64).sum();
        let mine = Reduction { more: more.into(), done, ..Reduction::default() };
        let (came, all) = comm.exchange(messages, mine)?;
        came.iter().try_for_each(|message| self.receive(message.bytes()))?;
        self.moves += moves;
        self.bytes = self.shards.iter().map(Shard::bytes).sum();
        self.making = self.making.max(self.bytes + moves * size_of::<(u64, G::Position)>() as u64);
        // Later each position is copied once more, into its tier.
        let ordering = self.positions() * (2 * size_of::<G::Position>() as u64 + 2);
        self.bytes = self.bytes.max(ordering);
        self.making = self.making.max(ordering);
        Ok(all.more)
    }

    /// The children of some runs.
    fn expand(&self, runs: &[Run]) -> Result<Children<G::Position>, SolveError> {
        let batch = || Batch { children: vec![], ways: Ways::default() };
        let mut children = Children {
            mine: (0..SHARDS).map(|_| batch()).collect(),
            others: (0..self.workers).map(|_| Outbox::default()).collect(),
            moves: 0,
        };
        let (game, mut way, first) = (self.game, vec![], self.me * SHARDS);
        for (s, run) in runs {
            let Shard { positions, layers, ways, .. } = &self.shards[*s];
            let layer = layers[layers.len() - 1] - ways.ends.len();
            for place in run.clone() {
                let at = &positions[place];
                if game.over(at).is_some() {
                    continue;
                }
                let before = children.moves;
                for mv in game.moves(at) {
                    let to = game.play(at, mv);
                    let key = key(&to, 0);
                    if self.workers > 1 {
                        way.clear();
                        way.extend(ways.get(place - layer).unwrap_or_default());
                        codec::put(&mut way, children.moves - before);
                    }
                    let owner = owner_of_key(key, self.workers * SHARDS);
                    match children.mine.get_mut(owner.wrapping_sub(first)) {
                        None => {
                            let keys = [key, self::key(&to, CHECK)];
                            children.others[owner / SHARDS].put(keys, &way);
                        }
                        Some(batch) => {
                            batch.children.push((key, to));
                            if self.workers > 1 {
                                batch.ways.push(&way);
                            }
                        }
                    }
                    children.moves += 1;
                }
                if children.moves == before {
                    return Err(Fault::stuck(game, at).into());
                }
            }
        }
        Ok(children)
    }

    /// Takes note of children from another worker, and plays the ways to those that are new.
    fn receive(&mut self, message: &[u8]) -> Result<(), SolveError> {
        let (mut bytes, mut way) = (Bytes(message), vec![]);
        let (game, positions) = (self.game, vec![self.game.start()]);
        let mut line = Line { game, positions, played: vec![] };
        while let Some((wanted, check)) = bytes.take().zip(bytes.take()) {
            let [wanted, check] = [wanted, check].map(u64::from_le_bytes);
            let common = bytes.number().unwrap_or(0);
            way.truncate(common as usize);
            way.extend(bytes.piece().unwrap_or_default());
            let shard = self.shard(wanted);
            let same = |known: &G::Position, check: &u64| key(known, CHECK) == *check;
            self.shards[shard].meet((wanted, check, Some(&way)), same, |_| line.play(&way))?;
        }
        Ok(())
    }

    /// Orders each tier by key.
    fn finish(self, comm: &mut Comm) -> Result<Found<G::Position>, SolveError> {
        let loopy = comm.any(self.met_again())?;
        let Walk { mut shards, making, .. } = self;
        each(false, &mut shards, &|_, shard| {
            shard.table = HashTable::new();
            // The last layer is empty.
            shard.layers.pop();
            shard.layers.truncate(if loopy { 1 } else { shard.layers.len() });
            for layer in 0..shard.layers.len() {
                let end = shard.layers.get(layer + 1).copied().unwrap_or(shard.positions.len());
                sort(&mut shard.positions[shard.layers[layer]..end], 0);
            }
            Ok(())
        })?;
        let mut tiers = vec![];
        while !shards[0].layers.is_empty() {
            let begins: Vec<usize> =
                shards.iter_mut().filter_map(|shard| shard.layers.pop()).collect();
            let lens =
                shards.iter().zip(&begins).map(|(shard, begin)| shard.positions.len() - begin);
            let mut tier = Vec::with_capacity(lens.sum());
            // Shards are ranges of keys: put one after the other they are in order.
            for (shard, begin) in shards.iter_mut().zip(begins) {
                tier.extend(shard.positions.drain(begin..));
                shard.positions.shrink_to_fit();
            }
            tiers.push(tier);
        }
        tiers.reverse();
        Ok(Found { tiers, loopy, moves: comm.sum(self.moves)?, making })
    }
}

/// Changes each of some things, on all threads or `alone`.
fn each<T: Send>(
    alone: bool,
    things: &mut [T],
    work: &(dyn Fn(usize, &mut T) -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    let things: Vec<Mutex<&mut T>> = things.iter_mut().map(Mutex::new).collect();
    // A thread that panics takes the whole walk with it, so a poisoned lock is never seen.
    let one = |i: usize| work(i, &mut things[i].lock().unwrap_or_else(PoisonError::into_inner));
    if alone { (0..things.len()).try_for_each(one) } else { parallel(things.len(), &one) }
}

/// Sorts positions by key. The keys are sorted apart from the positions, so that sorting is
/// compiled once and not for every game.
pub(super) fn sort<P: Hash>(positions: &mut [P], salt: u64) {
    let mut keyed: Vec<(u64, u32)> =
        (0..).zip(&*positions).map(|(i, at)| (key(at, salt), i)).collect();
    keyed.sort_unstable();
    // Follow each cycle of the permutation once: the position that belongs at i is at keyed[i].1.
    for i in 0..keyed.len() {
        let mut at = i;
        while keyed[at].1 != i as u32 {
            let from = keyed[at].1 as usize;
            positions.swap(at, from);
            keyed[at].1 = at as u32;
            at = from;
        }
        keyed[at].1 = at as u32;
    }
}
