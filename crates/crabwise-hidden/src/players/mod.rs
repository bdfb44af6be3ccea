//! Players of games with hidden information, and a game between two of them.
//!
//! A player is asked when it has to move, and gets its [`Seat`] and nothing else: the rules, and
//! what it has done and heard, step by step. A seat is made of these steps alone. So whatever a
//! player makes of it, where histories look alike it does alike; the referee's state cannot be
//! reached from there. The players and chance draw from numbers of their own each, which tell
//! nothing of the others' either.
//!
//! All players may use the whole layout of the game, that is, its rules, and minds as far as they
//! are alike in what follows.

mod belief;
mod ismcts;
mod learner;
#[cfg(test)]
mod tests;

use std::cell::{Ref, RefCell};

use xxhash_rust::xxh3::xxh3_64;

pub use self::{belief::Belief, ismcts::Ismcts, learner::Learner};
use super::{
    Certain, Judged, Player, Plex, Strategy, Tree, Turn, View,
    states::{Arc, STILL, States},
};

/// Somebody who plays.
pub trait Contender: Sync {
    /// What it is called: different from others of the same league.
    fn name(&self) -> String;

    /// The place of its move among those of the view.
    fn choose(&self, seat: &Seat, random: &mut fastrand::Rng) -> u32;

    /// With what probability it makes each move, by sequence, if it does always the same at the
    /// same view and that is known. Of whoever answers `None`, games tell how good it is and
    /// nothing else.
    fn behaviour(&self, _plex: &Plex, _player: Player) -> Option<Vec<f64>> {
        None
    }

    /// How it was judged before, if it was.
    fn judged(&self) -> Option<Judged> {
        None
    }
}

/// A player's place in a game: what the player knows.
#[derive(Clone)]
pub struct Seat<'a> {
    tree: &'a Tree,
    view: View,
    steps: Vec<u32>,
    /// Worked out for those who ask.
    belief: RefCell<Belief>,
}

impl<'a> Seat<'a> {
    /// Before anything has happened.
    pub fn new(tree: &'a Tree, player: Player) -> Seat<'a> {
        let belief = RefCell::new(Belief::new(player));
        Seat { tree, view: tree.start(player), steps: vec![], belief }
    }

    /// The rules.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Whose seat it is.
    pub fn player(&self) -> Player {
        self.view.player
    }

    /// The player's view. In games of more than 2³² sequences its place among them is not told.
    pub fn view(&self) -> View {
        self.view
    }

    /// What the player did and heard so far: at each view, which of the views that come
    /// [`next`](Tree::next).
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// How many moves there are to choose from.
    pub fn moves(&self) -> u32 {
        self.minds().moves(self.view.mind)
    }

    /// In which states the game can be.
    pub fn belief(&self) -> Ref<'_, Belief> {
        self.belief.borrow_mut().follow(self.tree, &self.steps);
        self.belief.borrow()
    }

    fn minds(&self) -> &'a super::states::Minds {
        &self.tree.states.minds[self.view.player as usize]
    }

    pub(super) fn hear(&mut self, step: u32) {
        let (minds, mind) = (self.minds(), self.view.mind);
        let offsets = &self.tree.shapes[self.view.player as usize].offsets;
        let offset = offsets[minds.kid_range(mind).start + step as usize];
        // Where there are too many sequences to be counted nobody uses their places.
        self.view.base = self.view.base.wrapping_add(offset);
        self.view.mind = minds.kids(mind)[step as usize].to;
        self.steps.push(step);
    }
}

/// One game: what the first player gets. The seed decides all that is left to chance.
pub fn contest(tree: &Tree, players: [&dyn Contender; 2], seed: u64) -> f64 {
    let states = &tree.states;
    let mut seats = Player::BOTH.map(|player| Seat::new(tree, player));
    let [mut chance, first, second] = [0, 1, 2].map(|whose| {
        let seed = [seed.to_le_bytes(), u64::to_le_bytes(whose)].concat();
        fastrand::Rng::with_seed(xxh3_64(&seed))
    });
    let mut own = [first, second];
    let mut node = 0;
    loop {
        let arcs = states.arcs(node);
        let arc = match states.nodes[node as usize].turn {
            Turn::Over(payoff) => return payoff,
            Turn::Chance => by_chance(arcs, &mut chance),
            Turn::Of(player) => {
                let p = player as usize;
                &arcs[players[p].choose(&seats[p], &mut own[p]) as usize]
            }
        };
        for (seat, &step) in seats.iter_mut().zip(&arc.steps) {
            if step != STILL {
                seat.hear(step);
            }
        }
        node = arc.to;
    }
}

/// One of chance's moves, as likely as it is.
fn by_chance<'a>(arcs: &'a [Arc], random: &mut fastrand::Rng) -> &'a Arc {
    let mut rest = random.f64();
    let (last, others) = arcs.split_last().expect("chance has a move");
    for arc in others {
        rest -= arc.chance;
        if rest < 0.0 {
            return arc;
        }
    }
    last
}

/// What the first player gets if all moves from here on are made at random.
fn rollout(states: &States, mut node: u32, random: &mut fastrand::Rng) -> f64 {
    loop {
        let arcs = states.arcs(node);
        node = match states.nodes[node as usize].turn {
            Turn::Over(payoff) => return payoff,
            Turn::Chance => by_chance(arcs, random).to,
            Turn::Of(_) => arcs[random.usize(..arcs.len())].to,
        };
    }
}

/// The place of the greatest number; of several that are equal, any.
fn greatest(numbers: &[f64], random: &mut fastrand::Rng) -> u32 {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties = || numbers.iter().enumerate().filter(|(_, number)| **number == most);
    let which = random.usize(..ties().count().max(1));
    ties().nth(which).map_or(0, |(place, _)| place as u32)
}

/// A place, as likely as its number says; the numbers add up to 1.
fn by_mix(mix: &[f64], random: &mut fastrand::Rng) -> u32 {
    let mut rest = random.f64();
    for (place, likely) in mix.iter().enumerate() {
        rest -= likely;
        if rest < 0.0 {
            return place as u32;
        }
    }
    // Rounding may leave a little; what is never done is not done for that.
    mix.iter().rposition(|likely| *likely > 0.0).unwrap_or(0) as u32
}

/// `random`: any move.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Contender for Uniform {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&self, seat: &Seat, random: &mut fastrand::Rng) -> u32 {
        random.u32(..seat.moves())
    }

    fn behaviour(&self, plex: &Plex, _: Player) -> Option<Vec<f64>> {
        Some(plex.uniform())
    }
}

/// A strategy that is known in advance.
#[derive(Clone, Debug)]
pub struct Fixed {
    name: String,
    strategy: Strategy,
}

impl Fixed {
    /// A strategy for the whole game, and what to call it.
    pub fn new(name: impl Into<String>, strategy: Strategy) -> Fixed {
        Fixed { name: name.into(), strategy }
    }
}

impl Contender for Fixed {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&self, seat: &Seat, random: &mut fastrand::Rng) -> u32 {
        let first = seat.view().first();
        let behaviour = &self.strategy.behaviours[seat.player() as usize];
        by_mix(&behaviour[first..first + seat.moves() as usize], random)
    }

    fn behaviour(&self, _: &Plex, player: Player) -> Option<Vec<f64>> {
        Some(self.strategy.behaviours[player as usize].clone())
    }

    fn judged(&self) -> Option<Judged> {
        Some(self.strategy.judged)
    }
}

/// `pone`: wins where it can with certainty, and else makes any move. What it gains over `random`
/// is what certainty alone is worth.
#[derive(Clone, Debug)]
pub struct Sure {
    certain: [Certain; 2],
}

impl Sure {
    /// Finds out where wins are certain.
    pub fn new(tree: &Tree) -> Sure {
        Sure { certain: tree.certain() }
    }
}

impl Contender for Sure {
    fn name(&self) -> String {
        "pone".into()
    }

    fn choose(&self, seat: &Seat, random: &mut fastrand::Rng) -> u32 {
        let certain = &self.certain[seat.player() as usize];
        certain[seat.view().mind as usize].unwrap_or_else(|| random.u32(..seat.moves()))
    }

    fn behaviour(&self, plex: &Plex, player: Player) -> Option<Vec<f64>> {
        let mut behaviour = plex.uniform();
        for (view, &mind) in plex.mind.iter().enumerate() {
            if let Some(mv) = self.certain[player as usize][mind as usize] {
                pure(&mut behaviour[plex.at(view)], mv);
            }
        }
        Some(behaviour)
    }
}

/// One move and no other.
fn pure(mix: &mut [f64], mv: u32) {
    mix.fill(0.0);
    mix[mv as usize] = 1.0;
}

/// `mc`: tries each move in states that its view can be in, and finishes at random.
///
/// States are drawn from the seat's [`Belief`], and in each all moves are tried, so that luck with
/// states favours none. What is made is the move with the best average.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    rollouts: u32,
}

impl MonteCarlo {
    /// One that finishes so many games before it moves, or a few more, as many with each move.
    pub fn new(rollouts: u32) -> MonteCarlo {
        MonteCarlo { rollouts }
    }
}

impl Contender for MonteCarlo {
    fn name(&self) -> String {
        format!("mc={}", self.rollouts)
    }

    fn choose(&self, seat: &Seat, random: &mut fastrand::Rng) -> u32 {
        let moves = seat.moves();
        if moves == 1 {
            return 0;
        }
        let (states, urn) = (&seat.tree.states, seat.belief().urn(seat.tree));
        let mut sums = vec![0.0; moves as usize];
        for _ in 0..self.rollouts.div_ceil(moves) {
            let arcs = states.arcs(urn.draw(random));
            for (sum, arc) in sums.iter_mut().zip(arcs) {
                *sum += seat.player().sign() * rollout(states, arc.to, random);
            }
        }
        greatest(&sums, random)
    }
}
