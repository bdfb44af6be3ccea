//! One player's sequences as arrays, and strategies laid out by them.
//!
//! A *sequence* is an information set with one move at it; the order is that of [`Shape`]. A *behaviour* is a
//! probability for each sequence, of its move at its information set. The *realization plan* of a behaviour is the
//! product of these along the way to each sequence, its *reach*; in terms of plans, payoffs are linear. A *gradient*
//! is what each sequence earns by itself, the other player's plan and chance counted in.

use std::ops::Range;

use crate::{
    rules::Player,
    tree::{GameTree, info_states::InfoStates, shape::Shape},
};

/// The probability of each sequence's move at its information set.
pub type Behaviour = Vec<f64>;

/// How likely a player does all that leads to each sequence, and makes its move.
pub type RealizationPlan = Vec<f64>;

/// What sums of probabilities may be off by what adding rounds.
const ROUNDING: f64 = 1e-6;

/// All sequences of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Treeplex {
    /// The first sequence of each information set, and at last the number of sequences.
    pub(crate) first: Vec<u32>,
    /// The sequence that leads to each information set.
    pub(crate) parent: Vec<u32>,
    /// The information state of each information set.
    pub(crate) info_state: Vec<u32>,
}

impl Treeplex {
    /// Lays out a player's information sets; the shape has said that they fit.
    pub(crate) fn new(tree: &GameTree, player: Player) -> Treeplex {
        let (info_states, shape) = (tree.info_states(player), &tree.shapes[player as usize]);
        let info_sets = shape.info_sets[0] as usize;
        let mut plex = Treeplex {
            first: Vec::with_capacity(info_sets + 1),
            parent: Vec::with_capacity(info_sets),
            info_state: Vec::with_capacity(info_sets),
        };
        plex.unroll(info_states, shape, 0, 0, 1);
        plex.first.push(1 + shape.sequences[0] as u32);
        plex
    }

    fn unroll(
        &mut self,
        info_states: &InfoStates,
        shape: &Shape,
        info_state: u32,
        incoming: u32,
        base: u32,
    ) {
        if info_states.moves(info_state) > 0 {
            self.first.push(base);
            self.parent.push(incoming);
            self.info_state.push(info_state);
        }
        for (i, transition) in info_states.numbered_transitions(info_state) {
            let incoming = transition.step.mv.map_or(incoming, |mv| base + mv);
            self.unroll(info_states, shape, transition.to, incoming, base + shape.offsets[i]);
        }
    }

    /// The number of information sets at which the player has to move.
    pub fn info_sets(&self) -> usize {
        self.parent.len()
    }

    /// The number of sequences, the empty one included.
    pub fn sequences(&self) -> usize {
        self.first[self.info_sets()] as usize
    }

    /// The sequences of an information set, one a move.
    pub fn at(&self, info_set: usize) -> Range<usize> {
        self.first[info_set] as usize..self.first[info_set + 1] as usize
    }

    /// The sequence that leads to an information set.
    pub fn parent(&self, info_set: usize) -> usize {
        self.parent[info_set] as usize
    }

    /// The information state of each information set, which several share where the game has an abstraction.
    pub fn info_states(&self) -> &[u32] {
        &self.info_state
    }

    /// The behaviour that makes all moves of an information set equally likely.
    pub fn uniform(&self) -> Behaviour {
        let mut behaviour = vec![1.0; self.sequences()];
        for info_set in 0..self.info_sets() {
            let even = 1.0 / self.at(info_set).len() as f64;
            behaviour[self.at(info_set)].fill(even);
        }
        behaviour
    }

    /// Whether numbers are probabilities that add up to one at each information set.
    pub(crate) fn mixes(&self, behaviour: &[f64]) -> bool {
        let adds_up = |info_set| {
            let mix = &behaviour[self.at(info_set)];
            mix.iter().all(|p| *p >= 0.0) && (mix.iter().sum::<f64>() - 1.0).abs() <= ROUNDING
        };
        behaviour.len() == self.sequences() && (0..self.info_sets()).all(adds_up)
    }

    /// How likely the player does what leads to each sequence, and makes its move.
    pub fn realization_plan(&self, behaviour: &[f64]) -> RealizationPlan {
        let mut plan = vec![0.0; self.sequences()];
        plan[0] = 1.0;
        for info_set in 0..self.info_sets() {
            let parent = plan[self.parent(info_set)];
            for sequence in self.at(info_set) {
                plan[sequence] = parent * behaviour[sequence];
            }
        }
        plan
    }

    /// The behaviour that has a realization plan; where it never comes, all moves are equally likely.
    pub fn behaviour(&self, plan: &[f64]) -> Behaviour {
        let mut behaviour = vec![1.0; self.sequences()];
        for info_set in 0..self.info_sets() {
            let total: f64 = plan[self.at(info_set)].iter().sum();
            let even = 1.0 / self.at(info_set).len() as f64;
            for sequence in self.at(info_set) {
                behaviour[sequence] = if total > 0.0 { plan[sequence] / total } else { even };
            }
        }
        behaviour
    }

    /// What a behaviour earns; each sequence's own gain in the gradient becomes all that follows from it.
    pub fn expected_value(&self, behaviour: &[f64], gradient: &mut [f64]) -> f64 {
        for info_set in (0..self.info_sets()).rev() {
            let at = self.at(info_set);
            let value: f64 = at.clone().map(|s| behaviour[s] * gradient[s]).sum();
            gradient[self.parent(info_set)] += value;
        }
        gradient[0]
    }
}
