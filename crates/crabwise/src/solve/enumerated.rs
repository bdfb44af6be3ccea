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
    communicator::{Comm, Reduction},
    threads::on_threads,
    walk::{Found, sort, walk},
};
use crate::{
    game::{Game, one_line},
    graph::{
        Ask, Graph, Node, Page,
        partition::{Partition, owner_of_key},
    },
    index::{Index, Slot, key},
    watch::Watch,
};

/// The reachable positions of a game, found by walking it.
pub struct Enumerated<P> {
    tiers: Vec<ByKey<P>>,
    salt: u64,
    loopy: bool,
    moves: u64,
    making: u64,
}

/// The positions of a worker in the order of their keys.
struct ByKey<P> {
    positions: Vec<P>,
    /// Where the positions of each of `starts.len() - 1` equal ranges of keys begin.
    starts: Vec<u32>,
    workers: usize,
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
        let mut all = on_threads(1, watch, &|comm| Enumerated::found(game, comm, limit))?;
        Ok(all.remove(0))
    }

    /// Walks the game with all other workers.
    fn found<G: Game<Position = P>>(
        game: &G,
        comm: &mut Comm,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let Found { mut tiers, loopy, moves, making } = walk(game, comm, limit)?;
        let mut salt = 0;
        while let Some((one, two)) = tiers.iter().find_map(|tier| clash(tier, salt)) {
            // Keys without salt say which worker has which positions.
            if salt == 7 || comm.size() > 1 {
                let [one, two] = [one, two].map(|at| format!("{at:?}"));
                return Err(SolveError::Alike { one, two });
            }
            salt += 1;
            tiers.iter_mut().for_each(|tier| sort(tier, salt));
        }
        let by_key = |tier| ByKey::new(tier, salt, comm.size());
        Ok(Enumerated {
            tiers: tiers.into_iter().map(by_key).collect(),
            salt,
            loopy,
            moves,
            making,
        })
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
}

impl<P: Hash> ByKey<P> {
    fn new(positions: Vec<P>, salt: u64, workers: usize) -> ByKey<P> {
        let starts = vec![0; positions.len() / CROWD + 2];
        let mut by_key = ByKey { positions, starts, workers };
        for i in 0..by_key.positions.len() {
            let bucket = by_key.bucket(key(&by_key.positions[i], salt));
            by_key.starts[bucket + 1] += 1;
        }
        for b in 1..by_key.starts.len() {
            by_key.starts[b] += by_key.starts[b - 1];
        }
        by_key
    }

    /// What is left of the product that tells whose key it is says where it lies among the keys of its worker.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        owner_of_key(key.wrapping_mul(self.workers as u64), self.starts.len() - 1)
    }

    /// Where the positions are among which the one with this key must be.
    #[inline]
    fn crowd(&self, key: u64) -> (u32, u32) {
        let bucket = self.bucket(key);
        (self.starts[bucket], self.starts[bucket + 1])
    }

    #[inline]
    fn find(&self, key: u64, same: impl Fn(&P) -> bool) -> Option<u64> {
        let (from, to) = self.crowd(key);
        let among = &self.positions[from as usize..to as usize];
        Some(u64::from(from) + among.iter().position(same)? as u64)
    }

    /// Finds many positions. Each step is done for all of them before the next, so that the
    /// processor waits for many places in memory at the same time and not for one after another.
    fn find_many(&self, tier: u32, to: &[P], salt: u64, slots: &mut Vec<Slot>)
    where
        P: Eq,
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

/// Two neighbours with the same key.
fn clash<P: Hash>(tier: &[P], salt: u64) -> Option<(&P, &P)> {
    let pair = tier.windows(2).find(|pair| key(&pair[0], salt) == key(&pair[1], salt))?;
    Some((&pair[0], &pair[1]))
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
        let mut tiers = (0..).zip(&self.tiers);
        let found = tiers.find_map(|(tier, known)| Some((tier, known.find(key, |one| one == at)?)));
        found.map_or(Slot::NOWHERE, |(tier, index)| Slot { tier, index })
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

/// What a worker needs of a game to take part in a walk.
pub(crate) trait Walker: Sync {
    /// Walks the game with all others, and returns what is this worker's.
    fn walk<'w>(&'w self, comm: &mut Comm, limit: u64) -> Result<Box<dyn Graph + 'w>, SolveError>;
}

impl<G: Game> Walker for G {
    fn walk<'w>(&'w self, comm: &mut Comm, limit: u64) -> Result<Box<dyn Graph + 'w>, SolveError> {
        let found = Enumerated::found(self, comm, limit)?;
        let mut lens = comm.messages();
        for tier in &found.tiers {
            let len = (tier.positions.len() as u64).to_le_bytes();
            lens.iter_mut().for_each(|message| message.extend(len));
        }
        let (came, _) = comm.exchange(lens, Reduction::default())?;
        let len = |worker: usize, tier: usize| {
            let len = came[worker].bytes().as_chunks().0.get(tier);
            len.map_or(0, |len| u64::from_le_bytes(*len))
        };
        let partition = |tier| Partition::found((0..came.len()).map(|worker| len(worker, tier)));
        let partitions = (0..found.tiers.len()).map(partition).collect();
        Ok(Box::new(Part { game: self, me: comm.rank(), found, partitions }))
    }
}

/// A worker's part of a game that was walked.
struct Part<'g, G: Game> {
    game: &'g G,
    me: usize,
    found: Enumerated<G::Position>,
    partitions: Vec<Partition>,
}

impl<G: Game> Part<'_, G> {
    fn at(&self, slot: Slot) -> Option<&G::Position> {
        let first = self.partitions.get(slot.tier as usize)?.range(self.me).start;
        self.found.positions(slot.tier).get(slot.index.checked_sub(first)? as usize)
    }
}

impl<G: Game> Graph for Part<'_, G> {
    hands_on! {
        to found:
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
        let to_tier = if self.found.loopy { 0 } else { tier + 1 };
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
        let tier = self.found.tiers.get(address.tier as usize)?;
        let place = tier.find(address.index, |at| key(at, 0) == address.index)?;
        Some(self.partitions[address.tier as usize].range(self.me).start + place)
    }

    fn keys(&self, tier: u32) -> Option<Vec<u64>> {
        Some(self.found.positions(tier).iter().map(|at| key(at, 0)).collect())
    }

    fn moves(&self) -> Option<u64> {
        Some(self.found.moves)
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
