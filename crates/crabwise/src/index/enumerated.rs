//! The numbering that needs no thought: walk the game from its start and count what turns up.
//!
//! Each tier is an array of positions ordered by their 64-bit [`key`]; a position's slot is its
//! place there, so the numbering depends on the game alone, not on the order of the walk or the
//! number of threads. A directory over the leading bits of the key leads to the few positions
//! among which the one asked for must be, and they are compared in full.
//!
//! Tiers are distances from the start as long as every way to a position is equally long. When the
//! walk meets a position at a second distance, the game may have loops, and everything goes into
//! one loopy tier.

use std::{fmt, hash::Hash};

use hashbrown::{HashTable, hash_table::Entry};
use rayon::prelude::*;

use super::{Index, Slot, key};
use crate::{
    Game,
    watch::{Bytes, Meter, Stop, Watch},
};

/// The reachable positions of a game, found by walking it.
pub struct Enumerated<P> {
    tiers: Vec<Tier<P>>,
    salt: u64,
    loopy: bool,
    moves: u64,
}

/// Positions in the order of their keys.
struct Tier<P> {
    positions: Vec<P>,
    /// Where the positions of each of `starts.len() - 1` equal ranges of keys begin.
    starts: Vec<u32>,
}

/// How many positions share an entry of the directory, on average.
const CROWD: usize = 4;

/// Where a position is that was never walked to.
const NOWHERE: Slot = Slot { tier: u32::MAX, index: u64::MAX };

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync> Enumerated<P> {
    /// Walks the game, using at most about `limit` bytes.
    pub fn walk<G: Game<Position = P>>(
        game: &G,
        limit: u64,
        watch: &dyn Watch,
    ) -> Result<Self, WalkError> {
        let meter = Meter::new(watch, "walking", None, None)?;
        let mut shards: Vec<Shard<P>> = (0..SHARDS).map(|_| Shard::new()).collect();
        let start = game.start();
        let first = key(&start, 0);
        shards[shard(first)].insert(first, start);
        let (mut layers, mut moves) = (vec![], 0);
        loop {
            let frontier: Vec<(usize, usize)> = (shards.iter().enumerate())
                .flat_map(|(s, shard)| (shard.layer..shard.pages.len()).map(move |page| (s, page)))
                .collect();
            if frontier.is_empty() {
                break;
            }
            layers.push(shards.iter().map(|shard| shard.layer).collect::<Vec<_>>());
            shards.iter_mut().for_each(|shard| shard.layer = shard.pages.len());
            for batch in frontier.chunks(64 * rayon::current_num_threads()) {
                moves += expand(game, &mut shards, batch, &meter)?;
                let bytes = shards.iter().map(Shard::bytes).sum::<u64>();
                if bytes > limit {
                    let positions = shards.iter().map(|shard| shard.table.len() as u64).sum();
                    return Err(WalkError::TooLarge { positions, bytes, limit });
                }
            }
        }
        let loopy = shards.iter().any(|shard| shard.met_again);
        if loopy {
            layers.truncate(1);
        }
        let (tiers, salt) = order(shards, &layers)?;
        Ok(Enumerated { tiers, salt, loopy, moves })
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

    /// Bytes in memory, leaving out what positions own elsewhere.
    pub fn bytes(&self) -> u64 {
        let tier = |tier: &Tier<P>| tier.positions.len() * size_of::<P>() + tier.starts.len() * 4;
        self.tiers.iter().map(tier).sum::<usize>() as u64
    }

    #[inline]
    fn find(&self, tier: u32, at: &P, key: u64) -> Option<Slot> {
        let index = self.tiers.get(tier as usize)?.find(at, key)?;
        Some(Slot { tier, index: index as u64 })
    }
}

impl<P: Eq + Hash> Tier<P> {
    fn new(positions: Vec<P>, salt: u64) -> Tier<P> {
        let buckets = positions.len() / CROWD + 1;
        let mut starts = vec![0; buckets + 1];
        for at in &positions {
            starts[bucket(key(at, salt), buckets) + 1] += 1;
        }
        for b in 0..buckets {
            starts[b + 1] += starts[b];
        }
        Tier { positions, starts }
    }

    #[inline]
    fn find(&self, at: &P, key: u64) -> Option<usize> {
        let bucket = bucket(key, self.starts.len() - 1);
        let from = self.starts[bucket] as usize;
        let among = &self.positions[from..self.starts[bucket + 1] as usize];
        Some(from + among.iter().position(|known| known == at)?)
    }
}

/// Which of `buckets` equal ranges a key lies in.
#[inline]
fn bucket(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
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
        (0..self.tiers()).find_map(|tier| self.find(tier, at, key)).unwrap_or(NOWHERE)
    }

    #[inline]
    fn child(&self, from: Slot, to: &P) -> Slot {
        let tier = if self.loopy { 0 } else { from.tier + 1 };
        self.find(tier, to, key(to, self.salt)).unwrap_or(NOWHERE)
    }

    fn position(&self, slot: Slot) -> Option<P> {
        Some(self.tiers[slot.tier as usize].positions[slot.index as usize].clone())
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.loopy
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        Self::NAME.into()
    }
}

/// The set of positions found so far is cut by the leading bits of the key, so that each piece
/// can be filled by one thread and stays in its cache while it is.
const SHARDS: usize = 64;
const PAGE: usize = 512;

fn shard(key: u64) -> usize {
    (key >> 58) as usize
}

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
        (self.table.allocation_size() + self.pages.len() * PAGE * size_of::<P>()) as u64
    }
}

/// Plays every move from the pages of `batch` and adds what comes up; returns how many moves.
fn expand<G: Game>(
    game: &G,
    shards: &mut [Shard<G::Position>],
    batch: &[(usize, usize)],
    meter: &Meter,
) -> Result<u64, WalkError> {
    /// Children with their keys, by shard.
    type Sorted<P> = Vec<Vec<(u64, P)>>;
    let outputs: Vec<(u64, Sorted<G::Position>)> = batch
        .par_chunks(8)
        .map(|pages| {
            let mut out: Sorted<G::Position> = vec![vec![]; SHARDS];
            let (mut moves, mut done) = (0, 0);
            for at in pages.iter().flat_map(|&(s, page)| &shards[s].pages[page]) {
                done += 1;
                if game.over(at).is_some() {
                    continue;
                }
                let before = moves;
                for mv in game.moves(at) {
                    let to = game.play(at, mv);
                    let key = key(&to, 0);
                    out[shard(key)].push((key, to));
                    moves += 1;
                }
                if moves == before {
                    return Err(WalkError::Stuck { position: game.show(at) });
                }
            }
            meter.add(done)?;
            Ok((moves, out))
        })
        .collect::<Result<_, WalkError>>()?;
    let moves = outputs.iter().map(|(moves, _)| moves).sum();
    let mut inputs: Vec<Vec<Vec<(u64, G::Position)>>> = vec![vec![]; SHARDS];
    for (_, out) in outputs {
        inputs.iter_mut().zip(out).for_each(|(input, out)| input.push(out));
    }
    shards.par_iter_mut().zip(inputs).for_each(|(shard, input)| {
        input.into_iter().flatten().for_each(|(key, at)| shard.insert(key, at));
    });
    Ok(moves)
}

/// Orders each tier by key. `layers` says on which page of each shard the tiers begin.
fn order<P: Eq + Hash + Clone + fmt::Debug + Send + Sync>(
    mut shards: Vec<Shard<P>>,
    layers: &[Vec<usize>],
) -> Result<(Vec<Tier<P>>, u64), WalkError> {
    shards.par_iter_mut().for_each(|shard| shard.table = HashTable::new());
    let mut tiers: Vec<Vec<P>> = vec![];
    for begin in layers.iter().rev() {
        // Shards are ranges of keys: put one after the other they are in order.
        let sorted: Vec<Vec<P>> = (shards.par_iter_mut().zip(begin))
            .map(|(shard, &from)| {
                let mut keyed: Vec<(u64, P)> =
                    (shard.pages.drain(from..).flatten()).map(|at| (key(&at, 0), at)).collect();
                keyed.sort_unstable_by_key(|(key, _)| *key);
                keyed.into_iter().map(|(_, at)| at).collect()
            })
            .collect();
        let mut tier = Vec::with_capacity(sorted.iter().map(Vec::len).sum());
        sorted.into_iter().for_each(|mut part| tier.append(&mut part));
        tiers.push(tier);
    }
    tiers.reverse();
    for salt in 0..8 {
        if salt > 0 {
            tiers.par_iter_mut().for_each(|tier| tier.par_sort_by_cached_key(|at| key(at, salt)));
        }
        if tiers.par_iter().all(|tier| clash(tier, salt).is_none()) {
            let tier = |positions| Tier::new(positions, salt);
            return Ok((tiers.into_par_iter().map(tier).collect(), salt));
        }
    }
    let (one, two) = tiers.iter().find_map(|tier| clash(tier, 0)).expect("just seen");
    Err(WalkError::Alike { one: format!("{one:?}"), two: format!("{two:?}") })
}

/// Two neighbours with the same key.
fn clash<P: Hash>(tier: &[P], salt: u64) -> Option<(&P, &P)> {
    let pair = tier.windows(2).find(|pair| key(&pair[0], salt) == key(&pair[1], salt))?;
    Some((&pair[0], &pair[1]))
}

/// Why a walk could not be finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalkError {
    /// The game has more positions than fit in memory.
    TooLarge {
        /// How many had been found.
        positions: u64,
        /// How many bytes they took.
        bytes: u64,
        /// How many bytes were allowed.
        limit: u64,
    },
    /// A position is not over and yet has no move.
    Stuck {
        /// Its picture.
        position: String,
    },
    /// Two positions differ but are hashed alike whatever the salt.
    Alike {
        /// One of them.
        one: String,
        /// The other.
        two: String,
    },
    /// The watcher stopped it.
    Stopped(Stop),
}

impl From<Stop> for WalkError {
    fn from(stop: Stop) -> WalkError {
        WalkError::Stopped(stop)
    }
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WalkError::TooLarge { positions, bytes, limit } => write!(
                f,
                "{positions} positions found so far take {}, and {} are allowed; a larger \
                 --memory, a smaller board or a numbering for the game (`Index`) would help",
                Bytes(*bytes),
                Bytes(*limit)
            ),
            WalkError::Stuck { position } => {
                let line = position.replace('\n', "/");
                write!(f, "the rules give no move and no outcome at {line}")
            }
            WalkError::Alike { one, two } => {
                write!(f, "{one} and {two} differ, but `Hash` does not tell them apart")
            }
            WalkError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for WalkError {}
