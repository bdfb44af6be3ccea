//! What a player can say of the position of the game, from what it did and observed.
//!
//! Histories that look alike differ in chance's moves and the opponent's. How likely the player itself does what it
//! did depends on its information set alone, so that cancels; the opponent is taken to make all moves equally
//! likely. Then the weight of a position, given an information set, is the sum over the set's histories that lead
//! there, and it can be kept up to date: as long as the player observes nothing, by the moves that it does not
//! notice; and with each step by the moves that look like this step. By induction every position that the information
//! set can be in has a weight, and no other has.
//!
//! Positions are made by the rules. Where more of them fit than are to be kept, some are drawn, as likely as their
//! weights, and stand for all; then positions may be missing, and none is wrong. What is drawn depends on the steps
//! alone, so that a belief is a function of what its player knows.

use std::collections::{HashMap, hash_map::Entry};

use crabwise::index::ByKey;

use crate::rules::{Hidden, Player, Step, Turn, step};

/// Positions with how likely each is against an opponent of whom nothing is known.
pub(crate) type Weighted<P> = Vec<(P, f64)>;

/// The positions that an information set can be in.
pub struct Belief<G: Hidden> {
    player: Player,
    /// How many positions are kept at once.
    most: usize,
    /// How many steps it knows of.
    observed: usize,
    /// Those with the player to move, but also all that the game goes through unnoticed.
    positions: Weighted<G::Position>,
    /// Whether none is missing.
    whole: bool,
    random: fastrand::Rng,
}

impl<G: Hidden> Clone for Belief<G> {
    fn clone(&self) -> Belief<G> {
        let (positions, random) = (self.positions.clone(), self.random.clone());
        Belief { positions, random, ..*self }
    }
}

/// Positions to be drawn from.
pub(crate) struct Urn<'a, P> {
    positions: &'a [(P, f64)],
    /// The sum of the weights up to each position's own.
    sums: Vec<f64>,
}

impl<G: Hidden> Belief<G> {
    /// Before anything is known; of more than `most` positions that fit some are drawn.
    pub(crate) fn new(game: &G, player: Player, most: usize) -> Belief<G> {
        let random = fastrand::Rng::with_seed(player as u64);
        let (positions, whole) = (vec![], true);
        let mut belief = Belief { player, most, observed: 0, positions, whole, random };
        belief.positions = belief.unnoticed(game, vec![(game.start(), 1.0)]);
        belief
    }

    /// Draws otherwise from now on.
    #[cfg(test)]
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
    }

    /// Takes in what was observed since, up to where the player has to move.
    pub(crate) fn follow(&mut self, game: &G, steps: &[Step<G>]) {
        for step in &steps[self.observed..] {
            self.step(game, *step);
        }
        self.keep_own_turns(game);
    }

    /// Takes in one step.
    pub(crate) fn step(&mut self, game: &G, step: Step<G>) {
        if step.0.is_some() {
            self.keep_own_turns(game);
        }
        let next = self.observe(game, step);
        self.positions = self.unnoticed(game, next);
        self.observed += 1;
    }

    /// Leaves out what is not the player's turn, which it is.
    pub(crate) fn keep_own_turns(&mut self, game: &G) {
        let own = Turn::Of(self.player);
        self.positions.retain(|(at, _)| game.turn(at) == own);
        let positions = std::mem::take(&mut self.positions);
        self.positions = self.thinned(positions);
    }

    /// Where the game can be right after a step.
    fn observe(&mut self, game: &G, step: Step<G>) -> Weighted<G::Position> {
        let mut next = Merged::new();
        for (at, weight) in &self.positions {
            spread(game, self.player, (at, *weight), Some(step), &mut next);
        }
        let mut next = next.list;
        let all: f64 = next.iter().map(|(_, weight)| weight).sum();
        next.iter_mut().for_each(|(_, weight)| *weight /= all);
        next
    }

    /// These positions and all that come after them unnoticed by the player.
    fn unnoticed(&mut self, game: &G, mut layer: Weighted<G::Position>) -> Weighted<G::Position> {
        let mut all = Merged::new();
        // Move by move, so that what is in a layer has all its weight from the one before.
        while !layer.is_empty() {
            layer = self.thinned(layer);
            let mut next = Merged::new();
            for (at, weight) in layer {
                spread(game, self.player, (&at, weight), None, &mut next);
                all.add(at, weight);
            }
            layer = next.list;
        }
        all.list
    }

    /// As many as may be kept, each left out as likely as its weight is small; what is left stands for what is not.
    fn thinned(&mut self, positions: Weighted<G::Position>) -> Weighted<G::Position> {
        if positions.len() <= self.most {
            return positions;
        }
        self.whole = false;
        let part = positions.iter().map(|(_, weight)| weight).sum::<f64>() / self.most as f64;
        // One mark in each part, equally far apart: systematic resampling.
        let mut mark = self.random.f64() * part;
        let mut sum = 0.0;
        let mut kept = Vec::with_capacity(self.most + 1);
        for (at, weight) in positions {
            sum += weight;
            let mut marks = 0;
            while mark < sum {
                (mark, marks) = (mark + part, marks + 1);
            }
            if marks > 0 {
                kept.push((at, f64::from(marks) * part));
            }
        }
        kept
    }

    /// The positions with their probabilities. Where the player was asked for a move these are those in which it has to
    /// move.
    pub fn positions(&self) -> Vec<(G::Position, f64)> {
        let all: f64 = self.positions.iter().map(|(_, weight)| weight).sum();
        self.positions.iter().map(|(at, weight)| (at.clone(), weight / all)).collect()
    }

    /// Whether all positions that the information set can be in are here.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// One position that the information set can be in; `None` if all that were kept turned out wrong.
    pub(crate) fn any(&self) -> Option<&G::Position> {
        self.positions.first().map(|(at, _)| at)
    }

    pub(crate) fn urn(&self) -> Urn<'_, G::Position> {
        let mut sum = 0.0;
        let add = |(_, weight): &(G::Position, f64)| {
            sum += weight;
            sum
        };
        let sums = self.positions.iter().map(add).collect();
        Urn { positions: &self.positions, sums }
    }
}

/// Positions, each once, in the order in which they came.
struct Merged<P> {
    list: Weighted<P>,
    places: HashMap<P, usize, ByKey>,
}

impl<P: Clone + Eq + std::hash::Hash> Merged<P> {
    fn new() -> Merged<P> {
        Merged { list: vec![], places: HashMap::default() }
    }

    fn add(&mut self, at: P, weight: f64) {
        match self.places.entry(at) {
            Entry::Occupied(known) => self.list[*known.get()].1 += weight,
            Entry::Vacant(new) => {
                self.list.push((new.key().clone(), weight));
                new.insert(self.list.len() - 1);
            }
        }
    }
}

/// The moves at a position that `player` would know as this step, or would not notice, each as likely as it is if the
/// player makes it and the opponent makes any.
fn spread<G: Hidden>(
    game: &G,
    player: Player,
    (at, weight): (&G::Position, f64),
    known: Option<Step<G>>,
    next: &mut Merged<G::Position>,
) {
    let turn = game.turn(at);
    if matches!(turn, Turn::Over(_)) || (turn == Turn::Of(player) && known.is_none()) {
        return;
    }
    let moves: Vec<G::Move> = game.moves(at).into_iter().collect();
    let all: f64 = match turn {
        Turn::Chance => moves.iter().map(|&mv| game.weight(at, mv)).sum(),
        _ => moves.len() as f64,
    };
    for mv in moves {
        if step(game, at, mv, player) != known {
            continue;
        }
        let likely = match turn {
            Turn::Of(mover) if mover == player => 1.0,
            Turn::Of(_) => 1.0 / all,
            _ => game.weight(at, mv) / all,
        };
        next.add(game.play(at, mv), weight * likely);
    }
}

impl<P> Urn<'_, P> {
    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// One of them, as likely as it is.
    pub(crate) fn draw(&self, random: &mut fastrand::Rng) -> &P {
        let sum = self.sums.last().unwrap_or(&0.0) * random.f64();
        let place = self.sums.partition_point(|upto| *upto <= sum);
        &self.positions[place.min(self.positions.len() - 1)].0
    }
}
