//! The numbering that needs no thought: walk the game from its start and count what turns up.
//!
//! Each tier is an array of positions ordered by their 64-bit [`key`]; a position's slot is its
//! place there, so the numbering depends on the game alone, not on the order of the walk or the
//! number of threads; and a table can hold the keys, cut to their leading bytes, so that a look-up needs no
//! walk. The price is a few bytes a position in the file. A directory over the leading bits of the key leads to the
//! few positions among which the one asked for must be, and they are compared in full.
//!
//! Where the game was walked by many workers, each has the positions with its keys, and moves lead to keys.

use std::{fmt, hash::Hash};

use super::{
    SolveError,
    arcs::Recorded,
    communicator::{Comm, Reduction},
    threads::on_threads,
    walk::{Found, Walkable, walk},
};
use crate::{
    game::{Game, batched::Expander, dynamic::DynGame, one_line},
    graph::{
        Ask, Graph, Node, Page,
        partition::{Partition, owner_of_key},
    },
    index::{Index, Slot, key},
    watch::Watch,
};

/// The reachable positions of a game, found by walking it.
pub struct Enumerated<P> {
    pub(crate) found: Found<P>,
    /// For each tier, where the positions of equal ranges of keys begin, and where the last ones end.
    starts: Vec<Vec<u32>>,
    /// What is mixed into the keys so that no two positions of a tier share one.
    pub(crate) salt: u64,
    workers: usize,
}

/// How many positions share an entry of a directory, on average.
const CROWD: usize = 4;

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync> Enumerated<P> {
    /// Walks the game, using at most about `limit` bytes.
    pub fn walk<G: Game<Position = P>>(
        game: &G,
        limit: u64,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        Enumerated::expand(Walkable::plain(game), limit, watch)
    }

    /// Walks a game that is expanded in some way.
    pub(crate) fn expand<G: Game<Position = P>>(
        game: Walkable<G>,
        limit: u64,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let mut all = on_threads(1, watch, &|comm| Enumerated::walk_with(game, comm, limit))?;
        Ok(all.remove(0))
    }

    /// Walks the game with all other workers.
    fn walk_with<G: Game<Position = P>>(
        game: Walkable<G>,
        comm: &mut Comm,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let (mut found, workers, mut salt) = (walk(game, comm, limit)?, comm.size(), 0);
        let alike = |tier: &Vec<P>, salt| {
            let pair = tier.windows(2).find(|pair| key(&pair[0], salt) == key(&pair[1], salt))?;
            Some([0, 1].map(|i| format!("{:?}", pair[i])))
        };
        while let Some([one, two]) = found.tiers.iter().find_map(|tier| alike(tier, salt)) {
            // Keys without salt say which worker has which positions.
            if salt == 7 || workers > 1 {
                return Err(SolveError::Alike { one, two });
            }
            salt += 1;
            // The moves lead to places that are others now.
            found.recorded = Recorded::default();
            found.tiers.iter_mut().for_each(|tier| tier.sort_by_cached_key(|at| key(at, salt)));
        }
        let starts = found.tiers.iter().map(|tier| {
            let mut starts = vec![0; tier.len() / CROWD + 2];
            let buckets = starts.len() - 1;
            tier.iter().for_each(|at| starts[bucket(key(at, salt), workers, buckets) + 1] += 1);
            (1..=buckets).for_each(|b| starts[b] += starts[b - 1]);
            starts
        });
        Ok(Enumerated { starts: starts.collect(), found, salt, workers })
    }

    /// What a table calls this numbering.
    pub const NAME: &str = "walked";

    /// The positions of a tier, in the order of their slots.
    pub fn positions(&self, tier: u32) -> &[P] {
        &self.found.tiers[tier as usize]
    }

    /// Where the positions are among which the one with this key must be.
    #[inline]
    fn crowd(&self, tier: usize, key: u64) -> (u32, u32) {
        let starts = &self.starts[tier];
        let bucket = bucket(key, self.workers, starts.len() - 1);
        (starts[bucket], starts[bucket + 1])
    }

    fn find(&self, tier: usize, key: u64, same: impl Fn(&P) -> bool) -> Option<u64> {
        let (from, to) = self.crowd(tier, key);
        let among = &self.found.tiers[tier][from as usize..to as usize];
        Some(u64::from(from) + among.iter().position(same)? as u64)
    }
}

/// In which of equal ranges of its worker's keys a key is: what is left of the product that tells whose it is says where.
#[inline]
fn bucket(key: u64, workers: usize, buckets: usize) -> usize {
    owner_of_key(key.wrapping_mul(workers as u64), buckets)
}

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync> Index<P> for Enumerated<P> {
    fn tiers(&self) -> u32 {
        self.found.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.positions(tier).len() as u64
    }

    fn slot(&self, at: &P) -> Slot {
        let key = key(at, self.salt);
        let found = (0..self.tiers()).find_map(|tier| {
            let index = self.find(tier as usize, key, |known| known == at)?;
            Some(Slot { tier, index })
        });
        found.unwrap_or(Slot::NOWHERE)
    }

    /// Each step is done for all children before the next, so that the processor waits for many places in memory at
    /// the same time and not for one after another.
    fn children(&self, tier: u32, to: &[P], slots: &mut Vec<Slot>) {
        let tier = if self.found.loopy { 0 } else { tier + 1 };
        let Some(known) = self.found.tiers.get(tier as usize) else {
            return slots.extend(to.iter().map(|_| Slot::NOWHERE));
        };
        let crowd = |to| self.crowd(tier as usize, key(to, self.salt));
        let crowds: Vec<(u32, u32)> = to.iter().map(crowd).collect();
        let first = |((from, _), to): (&(u32, u32), &P)| known.get(*from as usize) == Some(to);
        let at_first: Vec<bool> = crowds.iter().zip(to).map(first).collect();
        slots.extend(crowds.iter().zip(to).zip(at_first).map(|((&(from, end), to), at_first)| {
            if at_first {
                return Slot { tier, index: from.into() };
            }
            let among = &known[from as usize..end as usize];
            match among.iter().position(|known| known == to) {
                Some(place) => Slot { tier, index: u64::from(from) + place as u64 },
                None => Slot::NOWHERE,
            }
        }));
    }

    fn position(&self, slot: Slot) -> Option<P> {
        Some(self.positions(slot.tier)[slot.index as usize].clone())
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.found.loopy
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    /// Leaves out what positions own elsewhere.
    fn bytes(&self) -> u64 {
        let positions: usize = self.found.tiers.iter().map(Vec::len).sum();
        let starts: usize = self.starts.iter().map(Vec::len).sum();
        (positions * size_of::<P>() + starts * 4) as u64 + self.found.recorded.bytes()
    }

    fn name(&self) -> String {
        Self::NAME.into()
    }
}

/// How a worker takes part in the walk of a game: with all others, and it returns what is this worker's.
pub(crate) type WalkPart = for<'g> fn(DynGame<'g>, &mut Comm, u64) -> Walked<'g>;

type Walked<'g> = Result<Box<dyn Graph + 'g>, SolveError>;

/// [`WalkPart`] of a game.
pub(crate) fn walk_part<'g, G: Game>(
    (game, expander): (&'g G, Expander<G>),
    comm: &mut Comm,
    limit: u64,
) -> Walked<'g> {
    let walkable = Walkable { expander, ..Walkable::plain(game) };
    let all = Enumerated::walk_with(walkable, comm, limit)?;
    let mut lens = comm.messages();
    for tier in &all.found.tiers {
        let len = (tier.len() as u64).to_le_bytes();
        lens.iter_mut().for_each(|message| message.extend(len));
    }
    let (came, _) = comm.exchange(lens, Reduction::default())?;
    let len = |worker: usize, tier: usize| {
        let len = came[worker].bytes().as_chunks().0.get(tier);
        len.map_or(0, |len| u64::from_le_bytes(*len))
    };
    let partition = |tier| Partition::found((0..came.len()).map(|worker| len(worker, tier)));
    let partitions = (0..all.found.tiers.len()).map(partition).collect();
    Ok(Box::new(Part { game, me: comm.rank(), all, partitions }))
}

/// A worker's part of a game that was walked.
struct Part<'g, G: Game> {
    game: &'g G,
    me: usize,
    all: Enumerated<G::Position>,
    partitions: Vec<Partition>,
}

impl<G: Game> Part<'_, G> {
    fn at(&self, slot: Slot) -> Option<&G::Position> {
        let first = self.partitions.get(slot.tier as usize)?.range(self.me).start;
        self.all.positions(slot.tier).get(slot.index.checked_sub(first)? as usize)
    }
}

impl<G: Game> Graph for Part<'_, G> {
    hands_on! {
        to all:
        tiers() -> u32;
        loopy(tier: u32) -> bool;
        last_child_tier(tier: u32) -> u32;
    }

    fn len(&self, tier: u32) -> u64 {
        self.partitions[tier as usize].len
    }

    /// Only the worker that owns the start knows its index; for the others it is nowhere.
    fn start(&self) -> Slot {
        let slot = Slot { tier: 0, index: key(&self.game.start(), 0) };
        self.place(slot).map_or(Slot::NOWHERE, |index| Slot { tier: 0, index })
    }

    fn scan(&self, tier: u32, slots: &[u64], ask: Ask, page: &mut Page) {
        page.clear();
        let to_tier = if self.all.found.loopy { 0 } else { tier + 1 };
        for &index in slots {
            match self.at(Slot { tier, index }) {
                None => page.nodes.push(Node::Hole),
                Some(at) => page
                    .add(self.game, at, ask, |to| Some(Slot { tier: to_tier, index: key(&to, 0) })),
            }
        }
    }

    fn partition(&self, tier: u32) -> Option<Partition> {
        Some(self.partitions[tier as usize].clone())
    }

    fn place(&self, address: Slot) -> Option<u64> {
        let (tier, wanted) = (address.tier as usize, address.index);
        let first = self.partitions.get(tier)?.range(self.me).start;
        Some(first + self.all.find(tier, wanted, |at| key(at, 0) == wanted)?)
    }

    fn keys(&self, tier: u32) -> Option<Vec<u64>> {
        Some(self.all.positions(tier).iter().map(|at| key(at, 0)).collect())
    }

    fn moves(&self) -> Option<u64> {
        Some(self.all.found.moves)
    }

    fn pictures(&self, slot: Slot, _member: Option<u64>) -> [String; 2] {
        let elsewhere = || ["a position elsewhere".into(), "a position elsewhere".into()];
        let both = |at: &G::Position| [self.game.show(at), self.game.notation(at)];
        self.at(slot).map_or_else(elsewhere, both)
    }

    fn show_child(&self, slot: Slot, nth: usize) -> String {
        let Some(at) = self.at(slot) else { return "nowhere".into() };
        let mv = self.game.moves(at).into_iter().nth(nth);
        mv.map_or("nowhere".into(), |mv| one_line(&self.game.show(&self.game.play(at, mv))))
    }
}
