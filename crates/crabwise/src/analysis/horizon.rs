//! Games too large to solve: look a limited number of moves ahead, and say what that proves.
//!
//! Within a horizon of d moves a position is decided exactly if it is won or lost in at most d moves,
//! whatever the other side does, or if every line from it ends within the horizon. Its distance is
//! then the true one: a quicker win would lie within the horizon too. Everything else is *open*, and
//! counts as T. So what is decided is proven, and stays so at any greater depth; and the horizon is
//! moved out one move at a time, since what was found nearer by makes the next round short.
//!
//! The choice is that of Crab Analysis ([`label`](super::label)): a win, the quickest; else the open or
//! tied move behind which the other side's mistakes are densest, by Z; else the slowest loss.

use std::{
    hash::Hash,
    time::{Duration, Instant},
};

use super::label::{Label, Weights};
use crate::{
    game::{Game, Value, dynamic::DynPosition},
    index::Recent,
    watch::{Meter, Stop},
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

/// What a position is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Exact(Value),
    /// Not decided within this number of moves.
    Open(u32),
}

/// Why a search ended early.
pub(crate) enum Cut {
    Time,
    Stopped(Stop),
}

/// A search through the positions of some game.
pub(crate) trait Ahead {
    /// What an island one move from the root is worth to the player to move there, if that is decided within `depth`
    /// moves from the root, and its label. One move ahead is looked in any case, whatever the time.
    fn judge(&mut self, at: &DynPosition, depth: u32) -> Result<(Option<Value>, Label), Cut>;

    /// How many positions were looked at.
    fn positions(&self) -> u64;
}

pub(crate) struct Search<'a, G: Game> {
    game: &'a G,
    known: Recent<G::Position, Known>,
    until: Option<Instant>,
    /// Whether time counts.
    hurry: bool,
    weights: Weights,
    positions: u64,
    meter: &'a Meter<'a>,
}

/// Positions between two looks at the clock.
const TICK: u64 = 1024;

impl<G: Game + 'static> Ahead for Search<'_, G> {
    fn judge(&mut self, at: &DynPosition, depth: u32) -> Result<(Option<Value>, Label), Cut> {
        let (game, weights, at) = (self.game, self.weights, at.typed());
        self.hurry = depth > 1;
        let value = match self.look(at, depth - 1)? {
            Known::Exact(value) => Some(value),
            Known::Open(_) => None,
        };
        if let Some(value @ (Value::Win(_) | Value::Loss(_) | Value::Tie(0))) = value {
            return Ok((Some(value), Label::new(value, 0)));
        }
        let worths = game.moves(at).into_iter().map(|mv| {
            let to = game.play(at, mv);
            Ok(match self.look(&to, depth.saturating_sub(2))? {
                Known::Exact(value) => value.back(game.again(at, &to)),
                Known::Open(_) => Value::Draw,
            })
        });
        Ok((value, Label::T(weights.density(worths)?)))
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}

impl<'a, G: Game> Search<'a, G> {
    pub(crate) fn new(game: &'a G, horizon: &Horizon, meter: &'a Meter<'a>) -> Search<'a, G> {
        let until = horizon.time.map(|time| Instant::now() + time);
        let known = remembering(horizon.memory);
        let weights = horizon.weights;
        Search { game, known, until, hurry: false, weights, positions: 0, meter }
    }

    /// What is decided of a position within a number of moves.
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
        self.known.put(at.clone(), known);
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

/// Positions decided lately, in so many bytes.
fn remembering<P: Eq + Hash>(bytes: u64) -> Recent<P, Known> {
    // Both halves are there, and while one grows its old places are as well. A map is full at seven eighths.
    let places = usize::try_from(bytes / 5 * 2 / size_of::<(P, Known)>() as u64);
    Recent::new((1 << places.unwrap_or(usize::MAX).max(8).ilog2()) / 8 * 7 - 1, |_| 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_memory_forgets_and_is_as_right() {
        let mut known = remembering(64 * size_of::<(u64, Known)>() as u64);
        (0..1000).for_each(|at| known.put(at, Known::Open(at as u32)));
        let found = (0..1000).filter_map(|at| Some((at, known.get(&at)?)));
        let found: Vec<(u64, Known)> = found.collect();
        assert!((14..=28).contains(&found.len()), "{found:?}");
        assert!(found.iter().all(|(at, known)| *known == Known::Open(*at as u32)));
    }
}
