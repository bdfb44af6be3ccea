//! The numbering that needs no thought: walk the game from its start and count what turns up.
//!
//! Each tier is an array of positions ordered by their 64-bit [`key`]; a position's slot is its
//! place there, so the numbering depends on the game alone, not on the order of the walk or the
//! number of threads; and a table can hold the keys, cut to their leading bytes, so that a look-up needs no
//! walk. The price is a few bytes a position in the file. A directory over the leading bits of the key leads to the
//! few positions among which the one asked for must be, and they are compared in full.
//!
//! Tiers are distances from the start as long as every way to a position is equally long. When the
//! walk meets a position at a second distance, the game may have loops, and everything goes into
//! one loopy tier.

use std::{
    fmt,
    hash::Hash,
    sync::{Mutex, PoisonError, RwLock},
};

use hashbrown::{HashTable, hash_table::Entry};

use super::{Fault, SolveError, growth::Growth};
use crate::{
    game::Game,
    graph::{parallel, partition::owner_of_key},
    index::{Index, Slot, key},
    watch::{Meter, Watch},
};

/// The reachable positions of a game, found by walking it.
pub struct Enumerated<P> {
    tiers: Vec<ByKey<P>>,
    salt: u64,
    loopy: bool,
    moves: u64,
    /// Bytes in use at the most during the walk.
    making: u64,
}

/// Positions in the order of their keys, or of what their keys have been turned into.
pub(crate) struct ByKey<P> {
    pub(crate) positions: Vec<P>,
    /// Where the positions of each of `starts.len() - 1` equal ranges of keys begin.
    starts: Vec<u32>,
}

/// How many positions share an entry of the directory, on average.
const CROWD: usize = 4;

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync> Enumerated<P> {
    /// Walks the game, using at most about `limit` bytes.
    pub fn walk<G: Game<Position = P>>(
        game: &G,
        limit: u64,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let meter = Meter::new(watch, "walking", None, None)?;
        let mut shards: Vec<Lock<P>> = (0..SHARDS).map(|_| RwLock::new(Shard::new())).collect();
        let start = game.start();
        let first = key(&start, 0);
        open(&mut shards[owner_of_key(first, SHARDS)]).insert(first, start);
        let (mut layers, mut moves, mut making) = (vec![], 0, 0);
        let (mut growth, mut positions, mut bytes) = (Growth::new(), 1, 0);
        loop {
            let frontier = begin_layer(&mut shards, &mut layers);
            if frontier.is_empty() {
                break;
            }
            let before = positions;
            for batch in frontier.chunks(64 * rayon::current_num_threads()) {
                let more = expand(game, &shards, batch, &meter)?;
                moves += more;
                (positions, bytes) = (0, 0);
                for shard in shards.iter_mut().map(open) {
                    positions += shard.table.len() as u64;
                    bytes += shard.bytes();
                }
                // Later each position is copied once more, into its tier, before its page is
                // given back.
                let ordering = positions * (2 * size_of::<P>() as u64 + 2);
                making = making.max(bytes + more * size_of::<(u64, P)>() as u64).max(ordering);
                bytes = bytes.max(ordering);
                refuse_more_than(limit, positions, bytes)?;
            }
            // Where ways of different lengths meet, layers tell nothing of the end.
            if positions > before && !shards.iter_mut().any(|shard| open(shard).met_again) {
                growth.add(positions - before);
                growth.refuse_more_than(game, limit, positions, bytes)?;
            }
        }
        let mut shards: Vec<Shard<P>> =
            shards.into_iter().map(|lock| lock.into_inner().unwrap_or_else(unlock)).collect();
        let loopy = shards.iter().any(|shard| shard.met_again);
        if loopy {
            layers.truncate(1);
        }
        shards.iter_mut().for_each(|shard| shard.table = HashTable::new());
        let (tiers, salt) = order(shards, &layers)?;
        Ok(Enumerated { tiers, salt, loopy, moves, making })
    }

    /// What a table calls this numbering.
    pub const NAME: &str = "walked";

    /// How many moves there are from all positions together.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What is mixed into the keys so that no two positions of a tier share one.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// The positions of a tier, in the order of their slots.
    pub fn positions(&self, tier: u32) -> &[P] {
        &self.tiers[tier as usize].positions
    }

    /// Bytes in use at the most during the walk, leaving out what positions own elsewhere.
    pub fn making(&self) -> u64 {
        self.making
    }

    #[inline]
    fn find(&self, tier: u32, at: &P, key: u64) -> Option<Slot> {
        let index = self.tiers.get(tier as usize)?.find(key, |known| known == at)?;
        Some(Slot { tier, index: index as u64 })
    }
}

impl<P> ByKey<P> {
    pub(crate) fn new(positions: Vec<P>, key: impl Fn(&P) -> u64) -> ByKey<P> {
        let buckets = positions.len() / CROWD + 1;
        let mut starts = vec![0; buckets + 1];
        for at in &positions {
            starts[owner_of_key(key(at), buckets) + 1] += 1;
        }
        for b in 0..buckets {
            starts[b + 1] += starts[b];
        }
        ByKey { positions, starts }
    }

    #[inline]
    pub(crate) fn find(&self, key: u64, same: impl Fn(&P) -> bool) -> Option<usize> {
        let (from, to) = self.crowd(key);
        let among = &self.positions[from as usize..to as usize];
        Some(from as usize + among.iter().position(same)?)
    }

    /// Where the positions are among which the one with this key must be.
    #[inline]
    fn crowd(&self, key: u64) -> (u32, u32) {
        let bucket = owner_of_key(key, self.starts.len() - 1);
        (self.starts[bucket], self.starts[bucket + 1])
    }

    /// Finds many positions. Each step is done for all of them before the next, so that the
    /// processor waits for many places in memory at the same time and not for one after another.
    fn find_many(&self, tier: u32, to: &[P], salt: u64, slots: &mut Vec<Slot>)
    where
        P: Eq + Hash,
    {
        let crowds: Vec<(u32, u32)> = to.iter().map(|to| self.crowd(key(to, salt))).collect();
        let at_first: Vec<bool> = (crowds.iter().zip(to))
            .map(|((from, _), to)| self.positions.get(*from as usize) == Some(to))
            .collect();
        slots.extend(crowds.iter().zip(to).zip(at_first).map(|((&(from, end), to), at_first)| {
            if at_first {
                return Slot { tier, index: from.into() };
            }
            let among = &self.positions[from as usize..end as usize];
            match among.iter().position(|known| known == to) {
                Some(place) => Slot { tier, index: u64::from(from) + place as u64 },
                None => Slot::NOWHERE,
            }
        }));
    }
}

/// Refuses a walk that outgrows its memory, or the 32 bits in which places within a tier are kept.
pub(crate) fn refuse_more_than(limit: u64, positions: u64, bytes: u64) -> Result<(), SolveError> {
    if bytes > limit || positions > u32::MAX.into() {
        return Err(SolveError::TooLarge { positions, bytes, limit, foreseen: false });
    }
    Ok(())
}

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync> Index<P> for Enumerated<P> {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.tiers[tier as usize].positions.len() as u64
    }

    fn slot(&self, at: &P) -> Slot {
        let key = key(at, self.salt);
        (0..self.tiers()).find_map(|tier| self.find(tier, at, key)).unwrap_or(Slot::NOWHERE)
    }

    fn children(&self, tier: u32, to: &[P], slots: &mut Vec<Slot>) {
        let tier = if self.loopy { 0 } else { tier + 1 };
        match self.tiers.get(tier as usize) {
            Some(found) => found.find_many(tier, to, self.salt, slots),
            None => slots.extend(to.iter().map(|_| Slot::NOWHERE)),
        }
    }

    fn position(&self, slot: Slot) -> Option<P> {
        Some(self.tiers[slot.tier as usize].positions[slot.index as usize].clone())
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.loopy
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    /// Leaves out what positions own elsewhere.
    fn bytes(&self) -> u64 {
        let tier = |tier: &ByKey<P>| tier.positions.len() * size_of::<P>() + tier.starts.len() * 4;
        self.tiers.iter().map(tier).sum::<usize>() as u64
    }

    fn name(&self) -> String {
        Self::NAME.into()
    }
}

/// The set of positions found so far is cut by the leading bits of the key, so that each piece
/// can be filled by one thread and stays in its cache while it is.
const SHARDS: usize = 64;
const PAGE: usize = 512;

struct Shard<P> {
    table: HashTable<u32>,
    /// A layer begins with a new page; a position's number is page · [`PAGE`] + place.
    pages: Vec<Vec<P>>,
    /// The first page of the layer that is being filled.
    layer: usize,
    met_again: bool,
}

impl<P: Eq + Hash> Shard<P> {
    fn new() -> Self {
        Shard { table: HashTable::new(), pages: vec![], layer: 0, met_again: false }
    }

    fn insert(&mut self, key: u64, at: P) {
        // The table takes its tags from the leading bits, which are all alike within a shard.
        let spread = |key: u64| key.rotate_left(6);
        let Shard { table, pages, layer, met_again } = self;
        let known = |id: u32| &pages[id as usize / PAGE][id as usize % PAGE];
        let rehash = |id: &u32| spread(self::key(known(*id), 0));
        match table.entry(spread(key), |&id| *known(id) == at, rehash) {
            Entry::Occupied(entry) => *met_again |= (*entry.get() as usize) / PAGE < *layer,
            Entry::Vacant(entry) => {
                let full = pages.len() == *layer || pages[pages.len() - 1].len() == PAGE;
                let page = pages.len() - usize::from(!full);
                let place = if full { 0 } else { pages[page].len() };
                entry.insert((page * PAGE + place) as u32);
                if full {
                    pages.push(vec![]);
                }
                pages[page].push(at);
            }
        }
    }

    fn bytes(&self) -> u64 {
        // Pages are full but for the last of each layer, which a deep game has many of.
        let begun = self.pages.len() * (size_of::<Vec<P>>() + 4 * size_of::<P>());
        (self.table.allocation_size() + self.table.len() * size_of::<P>() + begun) as u64
    }
}

/// Many threads read a shard while children are made, one writes when they are added.
type Lock<P> = RwLock<Shard<P>>;

/// A thread that panics takes the whole walk with it, so a poisoned lock is never seen.
fn unlock<T>(error: PoisonError<T>) -> T {
    error.into_inner()
}

fn open<P>(lock: &mut Lock<P>) -> &mut Shard<P> {
    lock.get_mut().unwrap_or_else(unlock)
}

/// Closes the layer that was being filled, and returns its pages: shard and page.
fn begin_layer<P>(shards: &mut [Lock<P>], layers: &mut Vec<Vec<usize>>) -> Vec<(usize, usize)> {
    let (mut frontier, mut begins, mut met_again) = (vec![], vec![], false);
    for (s, shard) in shards.iter_mut().map(open).enumerate() {
        frontier.extend((shard.layer..shard.pages.len()).map(|page| (s, page)));
        begins.push(shard.layer);
        shard.layer = shard.pages.len();
        met_again |= shard.met_again;
    }
    // Once the layers are known to be no tiers, only where the first one begins matters.
    if !frontier.is_empty() && (layers.is_empty() || !met_again) {
        layers.push(begins);
    }
    frontier
}

/// Children with their keys, by shard, and how many there are.
struct Children<P> {
    by_shard: Vec<Vec<(u64, P)>>,
    count: u64,
}

/// Plays every move from the pages of `batch` and adds what comes up; returns how many moves.
fn expand<G: Game>(
    game: &G,
    shards: &[Lock<G::Position>],
    batch: &[(usize, usize)],
    meter: &Meter,
) -> Result<u64, SolveError> {
    let runs: Vec<&[(usize, usize)]> = batch.chunks(8).collect();
    let empty = || Mutex::new(Children { by_shard: vec![], count: 0 });
    let outputs: Vec<Mutex<Children<G::Position>>> = runs.iter().map(|_| empty()).collect();
    // One page alone does not wake the other threads: deep games have many thin layers.
    let each = |count, work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync)| match batch {
        [_] => (0..count).try_for_each(work),
        _ => parallel(count, work),
    };
    each(runs.len(), &|run| {
        let mut children = Children { by_shard: vec![vec![]; SHARDS], count: 0 };
        for &(s, page) in runs[run] {
            let shard = shards[s].read().unwrap_or_else(unlock);
            let page = &shard.pages[page];
            for at in page {
                let Children { by_shard, count } = &mut children;
                *count += each_child(game, at, |_, to| {
                    let key = key(&to, 0);
                    by_shard[owner_of_key(key, SHARDS)].push((key, to));
                })?;
            }
            meter.add(page.len() as u64)?;
        }
        *outputs[run].lock().unwrap_or_else(unlock) = children;
        Ok(())
    })?;
    each(SHARDS, &|s| {
        let mut shard = shards[s].write().unwrap_or_else(unlock);
        for output in &outputs {
            let input = std::mem::take(&mut output.lock().unwrap_or_else(unlock).by_shard[s]);
            input.into_iter().for_each(|(key, at)| shard.insert(key, at));
        }
        Ok(())
    })?;
    Ok(outputs.iter().map(|output| output.lock().unwrap_or_else(unlock).count).sum())
}

/// Tells the children of a position, numbered from 0; returns how many there are.
pub(crate) fn each_child<G: Game>(
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
    if count > 0 { Ok(count) } else { Err(Fault::stuck(game, at)) }
}

/// Orders each tier by key. `layers` says on which page of each shard the tiers begin.
fn order<P: Eq + Hash + fmt::Debug + Send + Sync>(
    shards: Vec<Shard<P>>,
    layers: &[Vec<usize>],
) -> Result<(Vec<ByKey<P>>, u64), SolveError> {
    let shards: Vec<Mutex<Shard<P>>> = shards.into_iter().map(Mutex::new).collect();
    let mut tiers: Vec<Vec<P>> = vec![];
    for begin in layers.iter().rev() {
        // Shards are ranges of keys: put one after the other they are in order.
        let sorted: Vec<Mutex<Vec<P>>> = shards.iter().map(|_| Mutex::new(vec![])).collect();
        parallel(shards.len(), &|s| {
            let mut shard = shards[s].lock().unwrap_or_else(unlock);
            let mut part: Vec<P> = shard.pages.drain(begin[s]..).flatten().collect();
            sort(&mut part, 0);
            *sorted[s].lock().unwrap_or_else(unlock) = part;
            Ok::<_, SolveError>(())
        })?;
        let mut tier = vec![];
        let mut sorted: Vec<Vec<P>> =
            sorted.into_iter().map(|part| part.into_inner().unwrap_or_else(unlock)).collect();
        tier.reserve_exact(sorted.iter().map(Vec::len).sum());
        sorted.iter_mut().for_each(|part| tier.extend(std::mem::take(part)));
        tiers.push(tier);
    }
    tiers.reverse();
    for salt in 0..8 {
        if salt > 0 {
            tiers.iter_mut().for_each(|tier| sort(tier, salt));
        }
        if tiers.iter().all(|tier| clash(tier, salt).is_none()) {
            let by_key = |tier| ByKey::new(tier, |at| key(at, salt));
            return Ok((tiers.into_iter().map(by_key).collect(), salt));
        }
    }
    let (one, two) = tiers.iter().find_map(|tier| clash(tier, 7)).expect("just seen");
    Err(SolveError::Alike { one: format!("{one:?}"), two: format!("{two:?}") })
}

/// Sorts positions by key. The keys are sorted apart from the positions, so that sorting is
/// compiled once and not for every game.
pub(crate) fn sort<P: Hash>(positions: &mut [P], salt: u64) {
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

/// Two neighbours with the same key.
fn clash<P: Hash>(tier: &[P], salt: u64) -> Option<(&P, &P)> {
    let pair = tier.windows(2).find(|pair| key(&pair[0], salt) == key(&pair[1], salt))?;
    Some((&pair[0], &pair[1]))
}
