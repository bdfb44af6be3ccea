//! Games too large to solve: look a limited number of moves ahead, and say what that proves.
//!
//! Within a horizon of d moves a position is decided exactly if it is won or lost in at most d moves,
//! whatever the other side does, or if every line from it ends within the horizon. Its distance is
//! then the true one: a quicker win would lie within the horizon too. Everything else is *open*, and
//! counts as T. So what is decided is proven, and stays so at any greater depth; and the horizon is
//! moved out one move at a time, since what was found nearer by makes the next round short.
//!
//! The choice is that of Crab Analysis ([`label`](crate::label)): a win, the quickest; else the open or
//! tied move behind which the other side's mistakes are densest, by Z; else the slowest loss.

use std::{
    hash::Hash,
    time::{Duration, Instant},
};

use crate::{
    Game, Outcome, Value,
    explore::{LookError, Played, replay},
    index::key,
    label::{Choice, Dangers, Label, Weights},
    typed::Typed,
    untyped::{Move, Position, Untyped},
    watch::{Meter, Stop, Watch},
};

/// How far to look, and how to choose.
#[derive(Clone, Copy, Debug)]
pub struct Horizon {
    /// How many moves ahead at the most.
    pub depth: u32,
    /// How long at the most; at least one move ahead is looked in any case.
    pub time: Option<Duration>,
    /// The weights of Z, by which open moves are told apart.
    pub weights: Weights,
    /// Chooses among moves that are equally good.
    pub seed: u64,
    /// Bytes that may be used to remember positions.
    pub memory: u64,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The moves that lead to the position, by name.
    pub line: Vec<String>,
    /// A picture of the position.
    pub picture: String,
    /// Who is to move: 0 for the player who began, 1 for the other.
    pub mover: usize,
    /// How the game ended for the player to move, if it has.
    pub over: Option<Outcome>,
    /// What the position is worth to the player to move, if that is proven.
    pub value: Option<Value>,
    /// The moves, best first; the first is the advice.
    pub moves: Vec<AdvisedMove>,
    /// How many moves ahead everything was looked at.
    pub depth: u32,
    /// How many positions were looked at.
    pub positions: u64,
}

impl Advice {
    /// Whether the first move is proven to be the best there is: it wins as quickly as can be, or
    /// every move's worth is known.
    pub fn proven(&self) -> bool {
        self.value.is_some()
    }
}

/// A move and what the search says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdvisedMove {
    /// The move as players write it.
    pub name: String,
    /// What it is worth to the player who makes it, if that is proven.
    pub value: Option<Value>,
    /// The label of the island it leads to; where nothing is proven, T with the density Z of the
    /// mistakes that the other side can make there within the horizon.
    pub label: Label,
}

/// What a position is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Exact(Value),
    /// Not decided within so many moves.
    Open(u32),
}

/// Why a search ended early.
pub(crate) enum Cut {
    Time,
    Stopped(Stop),
}

/// A move from the root, where it leads, and what is known of it.
struct Branch {
    name: String,
    to: Position,
    again: bool,
    worth: Option<Value>,
    label: Label,
}

impl Branch {
    fn choice(&self) -> Choice {
        Choice::new(self.worth.unwrap_or(Value::Draw), self.label.index())
    }
}

/// Looks ahead from the position after a line of moves.
pub(crate) fn advise(
    typed: &dyn Typed,
    line: &[String],
    horizon: &Horizon,
    watch: &dyn Watch,
) -> Result<Advice, LookError> {
    let game = Untyped(typed.rules());
    let Played { at, mover, line, .. } = replay(&game, line)?.whole(&game)?;
    let stopped = |stop: Stop| LookError::Table(stop.into());
    let meter = Meter::new(watch, "looking ahead", None, None).map_err(stopped)?;
    let mut search = typed.search(horizon, &meter);
    let mut advice = Advice {
        line,
        picture: game.show(&at),
        mover,
        over: game.over(&at),
        value: game.over(&at).map(Value::from),
        moves: vec![],
        depth: 0,
        positions: 0,
    };
    let mut branches = if advice.over.is_some() { vec![] } else { branches(game, &at) };
    for depth in 1..=horizon.depth {
        if branches.is_empty() || advice.value.is_some() {
            break;
        }
        // One move ahead is looked in any case.
        search.hurry(depth > 1);
        match round(&mut *search, &branches, depth, horizon.weights) {
            Err(Cut::Stopped(stop)) => return Err(stopped(stop)),
            Err(Cut::Time) => break,
            Ok(found) => {
                for (branch, (worth, label)) in branches.iter_mut().zip(found) {
                    (branch.worth, branch.label) = (worth, label);
                }
                advice.depth = depth;
                advice.value = decided(&branches);
            }
        }
    }
    advice.positions = search.positions();
    advice.moves = ranked(branches, horizon.seed);
    Ok(advice)
}

fn branches(game: Untyped, at: &Position) -> Vec<Branch> {
    let branch = |mv: Move| {
        let (name, to) = (mv.to_string(), game.play(at, mv));
        let again = game.again(at, &to);
        Branch { name, to, again, worth: None, label: Label::T(0) }
    };
    game.moves(at).into_iter().map(branch).collect()
}

/// What the root is worth, if that is proven: by a win, or because nothing is open.
fn decided(branches: &[Branch]) -> Option<Value> {
    let best = branches.iter().filter_map(|branch| branch.worth).max()?;
    let closed = branches.iter().all(|branch| branch.worth.is_some());
    (closed || matches!(best, Value::Win(_))).then_some(best)
}

/// Best first, equally good ones shuffled.
fn ranked(mut branches: Vec<Branch>, seed: u64) -> Vec<AdvisedMove> {
    fastrand::Rng::with_seed(seed).shuffle(&mut branches);
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.choice()));
    let told = |Branch { name, worth: value, label, .. }| AdvisedMove { name, value, label };
    branches.into_iter().map(told).collect()
}

/// Looks `depth` moves ahead from the root: what each of its moves is worth, and its label.
fn round(
    search: &mut dyn Ahead,
    branches: &[Branch],
    depth: u32,
    weights: Weights,
) -> Result<Vec<(Option<Value>, Label)>, Cut> {
    let mut found = vec![];
    for branch in branches {
        found.push(match search.within(&branch.to, depth - 1)? {
            Known::Exact(value @ (Value::Win(_) | Value::Loss(_))) => {
                (Some(value.back(branch.again)), Label::new(value, 0))
            }
            Known::Exact(value) => {
                (Some(value.back(branch.again)), search.open(&branch.to, depth, weights)?)
            }
            Known::Open(_) => (None, search.open(&branch.to, depth, weights)?),
        });
    }
    Ok(found)
}

/// A search through the positions of some game.
pub(crate) trait Ahead {
    /// Says whether time counts.
    fn hurry(&mut self, hurry: bool);

    /// What is decided of a position within so many moves.
    fn within(&mut self, at: &Position, budget: u32) -> Result<Known, Cut>;

    /// The label of an island one move from the root that is not won or lost within the horizon.
    fn open(&mut self, at: &Position, depth: u32, weights: Weights) -> Result<Label, Cut>;

    /// How many positions were looked at.
    fn positions(&self) -> u64;
}

pub(crate) struct Search<'a, G: Game> {
    game: &'a G,
    known: Memory<G::Position>,
    until: Option<Instant>,
    /// Whether time counts.
    hurry: bool,
    positions: u64,
    meter: &'a Meter<'a>,
}

/// Positions between two looks at the clock.
const TICK: u64 = 1024;

impl<G: Game + 'static> Ahead for Search<'_, G> {
    fn hurry(&mut self, hurry: bool) {
        self.hurry = hurry;
    }

    fn within(&mut self, at: &Position, budget: u32) -> Result<Known, Cut> {
        self.look(at.typed(), budget)
    }

    fn open(&mut self, at: &Position, depth: u32, weights: Weights) -> Result<Label, Cut> {
        let (at, mut dangers) = (at.typed(), Dangers::default());
        if self.game.over(at).is_none() {
            let game = self.game;
            for mv in game.moves(at) {
                let to = game.play(at, mv);
                match self.look(&to, depth.saturating_sub(2))? {
                    Known::Exact(value) => dangers.add(value.back(game.again(at, &to))),
                    Known::Open(_) => dangers.add(Value::Draw),
                }
            }
        }
        Ok(Label::T(dangers.density(weights)))
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}

impl<'a, G: Game> Search<'a, G> {
    pub(crate) fn new(game: &'a G, horizon: &Horizon, meter: &'a Meter<'a>) -> Search<'a, G> {
        let until = horizon.time.map(|time| Instant::now() + time);
        let known = Memory::new(horizon.memory);
        Search { game, known, until, hurry: false, positions: 0, meter }
    }

    /// What is decided of a position within so many moves.
    fn look(&mut self, at: &G::Position, budget: u32) -> Result<Known, Cut> {
        self.tick()?;
        if let Some(outcome) = self.game.over(at) {
            return Ok(Known::Exact(outcome.into()));
        }
        if budget == 0 {
            return Ok(Known::Open(0));
        }
        match self.known.get(at) {
            // Decided, but beyond this horizon: a distance may only be combined with others that
            // are known to be no shorter.
            Some(Known::Exact(value)) if value.remoteness() > Some(budget) => {
                return Ok(Known::Open(budget));
            }
            Some(Known::Open(depth)) if depth < budget => {}
            Some(known) => return Ok(known),
            None => {}
        }
        let known = self.expand(at, budget)?;
        self.known.put(at, known);
        Ok(known)
    }

    fn expand(&mut self, at: &G::Position, budget: u32) -> Result<Known, Cut> {
        let game = self.game;
        let (mut best, mut open, mut left) = (None, false, budget - 1);
        for mv in game.moves(at) {
            let to = game.play(at, mv);
            match self.look(&to, left)? {
                Known::Open(_) => open = true,
                Known::Exact(value) => {
                    let worth = value.back(game.again(at, &to));
                    best = best.max(Some(worth));
                    match worth {
                        Value::Win(1) => break,
                        // Only a quicker win is of interest now.
                        Value::Win(n) => left = left.min(n - 2),
                        _ => {}
                    }
                }
            }
        }
        Ok(match best {
            Some(Value::Win(n)) => Known::Exact(Value::Win(n)),
            Some(value) if !open => Known::Exact(value),
            _ => Known::Open(budget),
        })
    }

    fn tick(&mut self) -> Result<(), Cut> {
        self.positions += 1;
        if !self.positions.is_multiple_of(TICK) {
            return Ok(());
        }
        self.meter.add(TICK).map_err(Cut::Stopped)?;
        match self.until {
            Some(until) if self.hurry && Instant::now() >= until => Err(Cut::Time),
            _ => Ok(()),
        }
    }
}

/// Positions met lately, each at the one place that its key gives it. A later one takes the place
/// of an earlier one, so that what is remembered is always of bounded size.
struct Memory<P> {
    places: Vec<Option<(P, Known)>>,
    used: usize,
    most: usize,
}

impl<P: Clone + Eq + Hash> Memory<P> {
    fn new(bytes: u64) -> Memory<P> {
        // While it grows the old places are there as well.
        let most = bytes * 2 / 3 / size_of::<Option<(P, Known)>>() as u64;
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(2);
        let most = 1 << most.ilog2();
        Memory { places: vec![None; most.min(1 << 10)], used: 0, most }
    }

    fn place(&self, at: &P) -> usize {
        key(at, 0) as usize & (self.places.len() - 1)
    }

    fn get(&self, at: &P) -> Option<Known> {
        match &self.places[self.place(at)] {
            Some((there, known)) if there == at => Some(*known),
            _ => None,
        }
    }

    fn put(&mut self, at: &P, known: Known) {
        if self.used > self.places.len() / 2 && self.places.len() < self.most {
            self.grow();
        }
        let place = self.place(at);
        self.used += usize::from(self.places[place].is_none());
        self.places[place] = Some((at.clone(), known));
    }

    fn grow(&mut self) {
        let places = vec![None; self.places.len() * 2];
        let old = std::mem::replace(&mut self.places, places);
        self.used = 0;
        for (at, known) in old.into_iter().flatten() {
            let place = self.place(&at);
            self.used += usize::from(self.places[place].is_none());
            self.places[place] = Some((at, known));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Walked, typed::Joined, watch::Unwatched};

    #[test]
    fn little_memory_forgets_and_is_as_right() {
        let mut memory = Memory::<u64>::new(64 * size_of::<Option<(u64, Known)>>() as u64);
        (0..1000).for_each(|at| memory.put(&at, Known::Open(at as u32)));
        assert_eq!(memory.places.len(), 32);
        assert!((0..1000).filter(|at| memory.get(at) == Some(Known::Open(*at as u32))).count() > 8);
    }

    /// From n to any of the next two numbers, modulo 12; 7 ends the game.
    struct Ring;

    impl Game for Ring {
        type Position = u8;
        type Move = u8;

        fn start(&self) -> u8 {
            0
        }

        fn moves(&self, &at: &u8) -> impl IntoIterator<Item = u8> {
            if at == 7 { vec![] } else { vec![1, 2] }
        }

        fn play(&self, &at: &u8, step: u8) -> u8 {
            (at + step) % 12
        }
    }

    #[test]
    fn time_stops_a_search_but_not_before_one_move() {
        let horizon = Horizon {
            depth: u32::MAX,
            time: Some(Duration::ZERO),
            weights: Weights::default(),
            seed: 1,
            memory: 1 << 10,
        };
        let line = ["1", "1", "1", "2"].map(String::from);
        let ring = Joined::new(Ring, Walked);
        let advice = advise(&ring, &line, &horizon, &Unwatched).unwrap();
        assert_eq!((advice.depth, advice.proven()), (1, true));
        assert_eq!((advice.moves[0].name.as_str(), advice.value), ("2", Some(Value::Win(1))));
        let horizon = Horizon { depth: 40, time: None, ..horizon };
        let advice = advise(&ring, &[], &horizon, &Unwatched).unwrap();
        let truth = crate::solve(&Ring).unwrap();
        assert_eq!(advice.value, Some(truth.start()));
    }
}
