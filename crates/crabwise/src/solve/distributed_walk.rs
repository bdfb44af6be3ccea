//! Finding the positions of a game without a numbering, each worker those whose keys are its own.
//!
//! A position cannot be sent, because nothing is known of its type; but the way to it can: the numbers of
//! the moves from the start. So for each move the worker that has the position sends the key of where it
//! leads, 16 bytes, to the worker that has that key; that one asks for the way if the key is new to it, and
//! plays the moves. Two keys of 64 bits each must agree before a position is taken for known.
//!
//! As in a walk by one worker, tiers are distances from the start as long as every way to a position is
//! equally long, and positions are in the order of their keys.

use hashbrown::{HashTable, hash_table::Entry};

use super::{
    Fault, SolveError,
    communicator::{Comm, Reduction},
    enumerated::{ByKey, each_child, refuse_more_than, sort},
    growth::Growth,
};
use crate::{
    Game, Slot,
    game::one_line,
    graph::{
        Ask, Graph, Node, Page,
        partition::{Partition, owner_of_key},
    },
    index::key,
    table::codec::{self, Bytes},
};

/// The salt of the second key.
const CHECK: u64 = 0x6372_6162_7769_7365;
/// An odd number: 2⁶⁴ over the golden ratio.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
/// Positions whose moves are played in a round.
const STEP: usize = if cfg!(test) { 7 } else { 1 << 13 };
/// What a worker needs of a game to take part in a walk.
pub(crate) trait Walker: Sync {
    /// Walks the game with all others, and returns what is this worker's.
    fn walk<'w>(&'w self, comm: &mut Comm, limit: u64) -> Result<Box<dyn Graph + 'w>, SolveError>;
}

impl<G: Game> Walker for G {
    fn walk<'w>(&'w self, comm: &mut Comm, limit: u64) -> Result<Box<dyn Graph + 'w>, SolveError> {
        comm.begin("walking", None, None);
        let mut found = Found::new(self, comm.rank(), comm.size());
        let (mut layers, mut growth, limit) =
            (vec![0], Growth::new(), limit / comm.topology().workers);
        loop {
            let begins = found.positions.len();
            let (mut at, mut more) = (layers[layers.len() - 1], true);
            while more {
                let to = (at + STEP).min(begins);
                more = found.round(comm, at..to, begins)?;
                at = to;
                refuse_more_than(limit, found.positions.len() as u64, found.bytes())?;
            }
            found.next_layer();
            let new = comm.sum((found.positions.len() - begins) as u64)?;
            if new == 0 {
                break;
            }
            layers.push(begins);
            // One guess is enough, and clocks differ: the other workers are told.
            if comm.is_root() && !found.met_again {
                growth.add(new);
                growth.refuse_more_than(
                    self,
                    limit,
                    found.positions.len() as u64,
                    found.bytes(),
                )?;
            }
        }
        let loopy = comm.any(found.met_again)?;
        if loopy {
            layers.truncate(1);
        }
        let part = found.order(comm, &layers, loopy)?;
        Ok(Box::new(part))
    }
}

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

    fn get(&self, nth: usize) -> &[u8] {
        let from = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[from as usize..self.ends[nth] as usize]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn size(&self) -> u64 {
        (self.bytes.capacity() + 8 * self.ends.capacity()) as u64
    }
}

/// The positions that a worker has found.
struct Found<'g, G: Game> {
    game: &'g G,
    me: usize,
    workers: usize,
    /// Places in `positions`, by key.
    table: HashTable<u32>,
    positions: Vec<G::Position>,
    /// The ways to the positions of the layer at work, and to those of the next.
    ways: Ways,
    next_ways: Ways,
    /// Both keys of what is new, until it has come.
    expected: Vec<(u64, u64)>,
    met_again: bool,
    moves: u64,
}

impl<'g, G: Game> Found<'g, G> {
    fn new(game: &'g G, me: usize, workers: usize) -> Found<'g, G> {
        let mut found = Found {
            game,
            me,
            workers,
            table: HashTable::new(),
            positions: vec![],
            ways: Ways::default(),
            next_ways: Ways::default(),
            expected: vec![],
            met_again: false,
            moves: 0,
        };
        let start = game.start();
        if owner_of_key(key(&start, 0), workers) == me {
            found.meet(key(&start, 0), key(&start, CHECK));
            found.positions.push(start);
            found.ways.push(&[]);
            found.expected.clear();
        }
        found
    }

    /// Takes note of a key: whether it is new, or else the place of the position that has it, and whether
    /// that has the other key, too.
    fn meet(&mut self, wanted: u64, check: u64) -> Option<(usize, bool)> {
        // The table takes tags from the leading bits and places from the last ones; within a share the
        // leading bits of keys are alike.
        let spread = |key: u64| key.wrapping_mul(ODD);
        let Found { table, positions, expected, .. } = self;
        // Those that are expected have places after those that are there.
        let known = |place: u32, salt: u64| match positions.get(place as usize) {
            Some(at) => key(at, salt),
            None => {
                let (first, second) = expected[place as usize - positions.len()];
                if salt == 0 { first } else { second }
            }
        };
        let rehash = |place: &u32| spread(known(*place, 0));
        match table.entry(spread(wanted), |place| known(*place, 0) == wanted, rehash) {
            Entry::Occupied(entry) => {
                let place = *entry.get();
                Some((place as usize, known(place, CHECK) == check))
            }
            Entry::Vacant(entry) => {
                entry.insert((positions.len() + expected.len()) as u32);
                expected.push((wanted, check));
                None
            }
        }
    }

    /// Plays all moves of some positions of the layer at work, with all others; whether anybody has more.
    fn round(
        &mut self,
        comm: &mut Comm,
        range: std::ops::Range<usize>,
        begins: usize,
    ) -> Result<bool, SolveError> {
        let layer = begins - self.ways.len();
        let (mut keys, mut asked) = (comm.messages(), vec![vec![]; self.workers]);
        for place in range.clone() {
            self.moves += each_child(self.game, &self.positions[place], |nth, to| {
                let wanted = key(&to, 0);
                let keeper = owner_of_key(wanted, self.workers);
                keys[keeper].extend(wanted.to_le_bytes());
                keys[keeper].extend(key(&to, CHECK).to_le_bytes());
                asked[keeper].push((place - layer, nth));
            })?;
        }
        let say = Reduction {
            more: (range.end < begins).into(),
            done: range.len() as u64,
            ..Reduction::default()
        };
        let (keys, told) = comm.exchange(keys, say)?;
        let mut wanted = comm.messages();
        for (keys, out) in keys.iter().zip(&mut wanted) {
            self.choose(keys.bytes(), begins, out)?;
        }
        drop(keys);
        let (wanted, _) = comm.exchange(wanted, Reduction::default())?;
        let (mut ways, mut way) = (comm.messages(), vec![]);
        for ((wanted, asked), out) in wanted.iter().zip(&asked).zip(&mut ways) {
            let mut bytes = Bytes(wanted.bytes());
            while let Some(i) = bytes.number() {
                let (parent, nth) = asked[i as usize];
                way.clear();
                way.extend(self.ways.get(parent));
                codec::put(&mut way, nth);
                codec::put_piece(out, &way);
            }
        }
        let (ways, _) = comm.exchange(ways, Reduction::default())?;
        ways.iter().try_for_each(|ways| self.arrive(ways.bytes()))?;
        self.expected.clear();
        Ok(told.more > 0)
    }

    /// Chooses, of the positions that another worker has met, those that are new: by their numbers.
    fn choose(&mut self, keys: &[u8], begins: usize, out: &mut Vec<u8>) -> Result<(), SolveError> {
        for (i, pair) in keys.chunks_exact(16).enumerate() {
            let [wanted, check] = [0, 8].map(|at| {
                u64::from_le_bytes(*pair[at..].first_chunk().expect("sixteen bytes are two keys"))
            });
            match self.meet(wanted, check) {
                None => codec::put(out, i as u64),
                Some((place, true)) => self.met_again |= place < begins,
                Some((_, false)) => {
                    let [one, two] = ["one position", "another"].map(String::from);
                    return Err(SolveError::Alike { one, two });
                }
            }
        }
        Ok(())
    }

    /// Plays the ways to new positions, which come in the order in which they were chosen. Neighbours
    /// have most of their way in common, and that part is not played again.
    fn arrive(&mut self, ways: &[u8]) -> Result<(), SolveError> {
        let mut bytes = Bytes(ways);
        // The positions on the way that was played last, and the moves to them.
        let (mut line, mut played) = (vec![self.game.start()], vec![]);
        while let Some(way) = bytes.piece() {
            let (mut moves, mut depth) = (Bytes(way), 0);
            while let Some(nth) = moves.number() {
                if played.get(depth) != Some(&nth) {
                    played.truncate(depth);
                    line.truncate(depth + 1);
                    let at = &line[depth];
                    let mv = self.game.moves(at).into_iter().nth(nth as usize);
                    let mv = mv.ok_or_else(|| Fault::stuck(self.game, at))?;
                    line.push(self.game.play(at, mv));
                    played.push(nth);
                }
                depth += 1;
            }
            self.positions.push(line[depth].clone());
            self.next_ways.push(way);
        }
        Ok(())
    }

    fn next_layer(&mut self) {
        self.ways = std::mem::take(&mut self.next_ways);
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<G::Position>() as u64 * 2 + 16;
        self.positions.len() as u64 * each + self.ways.size() + self.next_ways.size()
    }

    /// Orders each tier by key, and tells all others how many positions there are.
    fn order(
        mut self,
        comm: &mut Comm,
        layers: &[usize],
        loopy: bool,
    ) -> Result<Part<'g, G>, SolveError> {
        self.table = HashTable::new();
        let mut tiers = vec![];
        for begin in layers.iter().rev() {
            let mut tier = self.positions.split_off(*begin);
            tier.shrink_to_fit();
            sort(&mut tier, 0);
            let within = |at: &G::Position| within(key(at, 0), self.workers);
            tiers.push(ByKey::new(tier, within));
        }
        tiers.reverse();
        let mut lens = comm.messages();
        for tier in &tiers {
            let len = (tier.positions.len() as u64).to_le_bytes();
            lens.iter_mut().for_each(|message| message.extend(len));
        }
        let (came, all) =
            comm.exchange(lens, Reduction { sum: self.moves, ..Reduction::default() })?;
        let lens: Vec<Vec<u64>> = (0..tiers.len())
            .map(|tier| came.iter().map(|message| long(message.bytes(), tier)).collect())
            .collect();
        let partitions = lens.iter().map(|lens| Partition::found(lens)).collect();
        let start = key(&self.game.start(), 0);
        let (game, me, moves) = (self.game, self.me, all.sum);
        Ok(Part { game, me, workers: self.workers, tiers, partitions, loopy, start, moves })
    }
}

/// The number at a place in a list.
fn long(bytes: &[u8], place: usize) -> u64 {
    let number = bytes.get(place * 8..).and_then(|rest| rest.first_chunk());
    number.map_or(0, |number| u64::from_le_bytes(*number))
}

/// Where a key lies within the keys of its worker: what is left of the product that tells whose key it is.
fn within(key: u64, workers: usize) -> u64 {
    key.wrapping_mul(workers as u64)
}

/// A worker's part of a game that was walked. Moves lead to keys.
struct Part<'g, G: Game> {
    game: &'g G,
    me: usize,
    workers: usize,
    tiers: Vec<ByKey<G::Position>>,
    partitions: Vec<Partition>,
    loopy: bool,
    /// The key of the start.
    start: u64,
    moves: u64,
}

impl<G: Game> Part<'_, G> {
    fn at(&self, slot: Slot) -> Option<&G::Position> {
        let first = self.partitions.get(slot.tier as usize)?.range(self.me).start;
        self.tiers[slot.tier as usize].positions.get(slot.index.checked_sub(first)? as usize)
    }
}

impl<G: Game> Graph for Part<'_, G> {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.partitions[tier as usize].len
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.loopy
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    /// Only the worker that owns the start knows its index; for the others it is nowhere.
    fn start(&self) -> Slot {
        let slot = Slot { tier: 0, index: self.start };
        self.place(slot).map_or(Slot::NOWHERE, |index| Slot { tier: 0, index })
    }

    fn scan(&self, tier: u32, slots: &[u64], ask: Ask, page: &mut Page) {
        page.clear();
        let to_tier = if self.loopy { 0 } else { tier + 1 };
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
        let tier = self.tiers.get(address.tier as usize)?;
        let wanted = address.index;
        let place = tier.find(within(wanted, self.workers), |at| key(at, 0) == wanted)?;
        Some(self.partitions[address.tier as usize].range(self.me).start + place as u64)
    }

    fn keys(&self, tier: u32) -> Option<Vec<u64>> {
        Some(self.tiers[tier as usize].positions.iter().map(|at| key(at, 0)).collect())
    }

    fn moves(&self) -> Option<u64> {
        Some(self.moves)
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
