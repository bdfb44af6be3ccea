//! Monte-Carlo CFR on a game of which nothing is laid out: the rules are walked, and information sets are made as they
//! are met, in a hash table by their [`View`].
//!
//! With [`Sampling::External`] every information set that a draw meets is kept, and all numbers are those of the game
//! that is laid out, to the bit. Where a draw would meet too many for that, a draw adds, for each player, the first
//! information set that is not known yet and no other: below it all moves are equally likely, as they are in a
//! strategy that knows nothing of them (the tree grows as in Lisý, Lanctot, Bowling 2015). When the memory is used up, no
//! more are added, and learning goes on at those that are there.

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};

use rayon::prelude::*;

use super::{
    CheckpointError,
    checkpoint::{Sink, Source},
    mccfr::{averaged, random},
    sampling::{Additions, Draw, Found, Learnt, Sampling},
};
use crate::{
    rules::{Player, Turn},
    tree::HiddenError,
    views::{ByView, Policy, ViewModel, ViewTable, even, fingerprint},
    walk::{View, Walk},
};

/// Makes walks that stand at the start of a game.
pub type Walks<'g> = &'g (dyn Fn() -> Box<dyn Walk> + Sync);

/// A method that learns strategies by views, of a game that is not laid out.
pub trait ViewLearner {
    /// Does one iteration, for both players.
    fn step(&mut self);

    /// The number of iterations done.
    fn iterations(&self) -> u64;

    /// What is drawn at random.
    fn sampling(&self) -> Sampling;

    /// How far it is, in words, after a number of seconds of this run.
    fn state(&self, seconds: f64) -> String;

    /// What plays the average strategy.
    fn model(&self) -> ViewModel;

    /// Writes all that is needed to go on later, with the same numbers to the bit.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// External sampling if a draw of it meets no more than so many histories, else along one line.
pub(crate) fn external_or_line(walk: &mut dyn Walk, most: u64) -> Sampling {
    let mut random = fastrand::Rng::with_seed(1);
    let mut left = most;
    match few(walk, &mut random, &mut left) {
        true => Sampling::External,
        false => Sampling::Line,
    }
}

fn few(walk: &mut dyn Walk, random: &mut fastrand::Rng, left: &mut u64) -> bool {
    *left = left.saturating_sub(1);
    let moves = match walk.turn() {
        Turn::Over(_) => return *left > 0,
        Turn::Of(Player::First) => 0..walk.moves(),
        _ => {
            let mv = random.usize(..walk.moves());
            mv..mv + 1
        }
    };
    for mv in moves {
        walk.make(mv);
        let few = few(walk, random, left);
        walk.unmake();
        if !few {
            return false;
        }
    }
    *left > 0
}

/// The regrets and the average of one player, by view.
#[derive(Default)]
struct RegretTable {
    places: ByView<(u32, u16)>,
    /// Of each view the regrets of all moves, then their sums for the average.
    chunks: Vec<Vec<f64>>,
}

/// Numbers of a chunk; those of a view lie in one.
const CHUNK: usize = 1 << 16;

impl RegretTable {
    fn bytes(&self) -> u64 {
        // A slot holds a view, its place and a byte of the table's own, and seven of eight are used at most.
        (self.places.capacity() * 8 / 7 * 25 + self.chunks.len() * CHUNK * 8) as u64
    }

    /// How much more is needed for one view more.
    fn growth(&self, moves: usize) -> u64 {
        let full = self.places.len() == self.places.capacity();
        let map = if full { self.places.capacity().max(4) * 2 * 25 * 8 / 7 } else { 0 };
        let chunk = if self.opens(moves) { CHUNK * 8 } else { 0 };
        (map + chunk) as u64
    }

    fn opens(&self, moves: usize) -> bool {
        self.chunks.last().is_none_or(|chunk| chunk.len() + 2 * moves > CHUNK)
    }

    fn numbers(&self, (place, moves): (u32, u16)) -> &[f64] {
        let (chunk, first) = (place as usize / CHUNK, place as usize % CHUNK);
        &self.chunks[chunk][first..first + 2 * usize::from(moves)]
    }

    fn numbers_mut(&mut self, place: u32, moves: usize) -> &mut [f64] {
        let (chunk, first) = (place as usize / CHUNK, place as usize % CHUNK);
        &mut self.chunks[chunk][first..first + 2 * moves]
    }

    fn insert(&mut self, view: View, moves: usize) -> u32 {
        if self.opens(moves) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let chunk = self.chunks.len() - 1;
        let place = (chunk * CHUNK + self.chunks[chunk].len()) as u32;
        self.chunks[chunk].extend(std::iter::repeat_n(0.0, 2 * moves));
        self.places.insert(view, (place, moves as u16));
        place
    }

    /// All views, oldest first.
    fn views(&self) -> Vec<(View, (u32, u16))> {
        let mut views: Vec<_> = self.places.iter().map(|(view, place)| (*view, *place)).collect();
        views.sort_unstable_by_key(|(_, place)| *place);
        views
    }
}

/// Regrets of both players by view, learnt from random walks.
pub struct ViewMccfr {
    walks: Vec<Box<dyn Walk>>,
    fingerprint: u64,
    sampling: Sampling,
    /// Whether all information sets that are met are kept.
    all: bool,
    seed: u64,
    draws: u64,
    memory: u64,
    iterations: u64,
    /// The iteration in which the memory was used up; 0 if it was not.
    full: u64,
    tables: [RegretTable; 2],
}

/// So many walks go on at a time at most.
const WALKS: u64 = 8;

/// The most places that a table can tell apart, in bytes of numbers.
const MOST_NUMBERS: usize = (u32::MAX as usize) - CHUNK;

impl ViewMccfr {
    /// No regrets yet. An iteration is a number of draws for each player.
    pub fn new(
        game: &str,
        walks: Walks,
        sampling: Sampling,
        seed: u64,
        draws: u64,
        memory: u64,
    ) -> Result<ViewMccfr, HiddenError> {
        if memory < LEAST {
            let what = "tables of views".to_string();
            return Err(HiddenError::Room { what, needed: LEAST, memory });
        }
        let fingerprint = fingerprint(game, &*walks());
        let walks = (0..WALKS.min(draws.max(1))).map(|_| walks()).collect();
        let (draws, all) = (draws.max(1), sampling == Sampling::External);
        let tables = Default::default();
        let (iterations, full) = (0, 0);
        Ok(ViewMccfr {
            walks,
            fingerprint,
            sampling,
            all,
            seed,
            draws,
            memory,
            iterations,
            full,
            tables,
        })
    }

    /// Keeps every information set that is met, whatever is drawn.
    #[cfg(test)]
    fn keeping_all(self) -> ViewMccfr {
        ViewMccfr { all: true, ..self }
    }

    /// The bytes in use.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(RegretTable::bytes).sum()
    }

    /// How many information sets of either player are known.
    pub fn views(&self) -> [usize; 2] {
        [0, 1].map(|p: usize| self.tables[p].places.len())
    }

    /// The iteration in which the memory was used up, if it was.
    pub fn full_after(&self) -> Option<u64> {
        (self.full > 0).then_some(self.full)
    }

    fn draw(&self, walk: &mut dyn Walk, player: Player, number: u64) -> Found<PlacedView> {
        let random = random(self.seed, self.iterations, player, number);
        let ground = walk;
        let Self { sampling, all, .. } = *self;
        Draw { learnt: self, ground, player, sampling, random, all }.walk()
    }

    fn add(&mut self, player: Player, found: &Additions<PlacedView>, average: bool) {
        for (mark, numbers) in found.each() {
            let Some(place) = self.place(player, *mark, numbers.len()) else { continue };
            let sums = self.tables[player as usize].numbers_mut(place, numbers.len());
            let from = if average { numbers.len() } else { 0 };
            sums[from..].iter_mut().zip(numbers).for_each(|(sum, more)| *sum += more);
        }
    }

    /// Where the numbers of a view are, if there is room for them.
    fn place(&mut self, player: Player, mark: PlacedView, moves: usize) -> Option<u32> {
        let table = &self.tables[player as usize];
        let known = mark.place.or_else(|| table.places.get(&mark.view).map(|&(place, _)| place));
        if known.is_some() {
            return known;
        }
        let more = table.growth(moves);
        // What is learnt becomes a strategy at last, for which there must be room, too.
        let room = self.memory / 5 * 3;
        let over = table.chunks.len() * CHUNK > MOST_NUMBERS;
        if over || more > 0 && self.bytes() + more > room {
            self.full = if self.full == 0 { self.iterations } else { self.full };
            return None;
        }
        Some(self.tables[player as usize].insert(mark.view, moves))
    }

    /// Takes up in place what [`save`](ViewLearner::save) wrote, of the same game.
    pub fn resume(mut self, from: &mut dyn Read) -> Result<ViewMccfr, CheckpointError> {
        let mut source = Source::new(from, METHOD, self.fingerprint)?;
        self.sampling = Sampling::numbered(source.float()?);
        self.all = source.word()? == 1;
        (self.seed, self.draws) = (source.word()?, source.word()?);
        (self.iterations, self.full) = (source.word()?, source.word()?);
        for p in 0..2 {
            for _ in 0..source.word()? {
                let view = View([source.word()?, source.word()?]);
                let moves = source.word()? as usize;
                let room = moves <= CHUNK / 2
                    && self.bytes() + self.tables[p].growth(moves) <= self.memory;
                if !room {
                    return Err(CheckpointError::Foreign("it takes more memory than is allowed"));
                }
                let place = self.tables[p].insert(view, moves);
                source.floats(self.tables[p].numbers_mut(place, moves))?;
            }
        }
        source.done()?;
        Ok(self)
    }
}

/// The number of this method in checkpoints.
const METHOD: u64 = 4;

/// With less memory nothing is begun.
const LEAST: u64 = 4 << 20;

/// A view, and where its numbers are if it is known.
#[derive(Clone, Copy)]
pub(crate) struct PlacedView {
    view: View,
    place: Option<u32>,
}

impl Learnt<dyn Walk + '_> for ViewMccfr {
    type Mark = PlacedView;

    fn look(&self, at: &(dyn Walk + '_), mover: Player, regrets: &mut [f64]) -> (PlacedView, bool) {
        let (view, table) = (at.view(mover), &self.tables[mover as usize]);
        let place = table.places.get(&view).copied();
        if let Some(place) = place {
            let many = regrets.len();
            regrets.copy_from_slice(&table.numbers(place)[..many]);
        }
        (PlacedView { view, place: place.map(|(place, _)| place) }, place.is_some())
    }
}

impl ViewLearner for ViewMccfr {
    fn step(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            let mut walks = std::mem::take(&mut self.walks);
            let each = self.draws.div_ceil(walks.len() as u64);
            let found: Vec<Vec<Found<PlacedView>>> = walks
                .par_iter_mut()
                .enumerate()
                .map(|(i, walk)| {
                    let first = i as u64 * each;
                    let numbers = first..(first + each).min(self.draws);
                    numbers.map(|number| self.draw(&mut **walk, player, number)).collect()
                })
                .collect();
            self.walks = walks;
            let averaged = averaged(self.sampling, player);
            for Found { regret, average } in found.into_iter().flatten() {
                self.add(player, &regret, false);
                self.add(averaged, &average, true);
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn sampling(&self) -> Sampling {
        self.sampling
    }

    fn state(&self, seconds: f64) -> String {
        use crabwise::watch::{Bytes, Count};
        let [first, second] = self.views().map(|views| Count(views as u64));
        let (bytes, room) = (self.bytes(), self.memory / 5 * 3);
        let more = match self.full_after() {
            Some(after) => format!("full since iteration {}", Count(after)),
            None => {
                let rate = bytes as f64 / seconds.max(0.1);
                format!("full in {:.0} s at this rate", (room.saturating_sub(bytes)) as f64 / rate)
            }
        };
        format!("{first} + {second} views in {} of {}, {more}", Bytes(bytes), Bytes(room))
    }

    fn model(&self) -> ViewModel {
        let mut strategy = ViewTable::default();
        for player in Player::BOTH {
            let table = &self.tables[player as usize];
            for (view, place) in table.views() {
                strategy.insert(player, view, &table.numbers(place)[usize::from(place.1)..]);
            }
        }
        ViewModel::Table(strategy)
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out, METHOD, self.fingerprint)?;
        sink.floats(&[self.sampling.number()])?;
        sink.words(&[u64::from(self.all), self.seed, self.draws, self.iterations, self.full])?;
        for table in &self.tables {
            let views = table.views();
            sink.words(&[views.len() as u64])?;
            for (view, place) in views {
                sink.words(&[view.0[0], view.0[1], u64::from(place.1)])?;
                sink.floats(table.numbers(place))?;
            }
        }
        sink.done()
    }
}

/// The average strategy as it is now.
impl Policy for ViewMccfr {
    fn mix(&self, at: &dyn Walk, mover: Player) -> Vec<f64> {
        let (table, moves) = (&self.tables[mover as usize], at.moves());
        let average =
            table.places.get(&at.view(mover)).map(|&place| &table.numbers(place)[moves..]);
        let total = average.map_or(0.0, |average| average.iter().sum());
        match average {
            Some(average) if total > 0.0 => average.iter().map(|sum| sum / total).collect(),
            _ => even(moves),
        }
    }
}
