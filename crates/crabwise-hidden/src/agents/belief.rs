//! What a player can say of the state of the game, from what it did and observed.
//!
//! Histories that look alike differ in chance's moves and the opponent's. How likely the player itself does what it
//! did depends on its information set alone, so that cancels; the opponent is taken to make all moves equally
//! likely. Then the weight of a state, given an information set, is the sum over the set's histories that lead
//! there, and it can be kept up to date: as long as the player observes nothing, by the moves that it does not
//! notice; and with each step by the moves that look like this step. By induction every state that the information
//! set can be in has a weight, and no other has.
//!
//! The information set is followed exactly: where the game has an abstraction this knows more than the information
//! state does.

use std::collections::BTreeMap;

use crate::{
    rules::{Player, Turn},
    tree::{
        GameTree,
        states::{States, UNNOTICED},
    },
};

/// The states that an information set can be in, with how likely each is against an opponent of whom nothing is
/// known.
#[derive(Clone, Debug)]
pub struct Belief {
    player: Player,
    /// How many steps it knows of.
    observed: usize,
    /// By number: those with the player to move, but also all that the game goes through unnoticed.
    states: Vec<(u32, f64)>,
}

/// States to be drawn from.
pub(crate) struct Urn {
    /// Each with the sum of the weights up to its own.
    states: Vec<(u32, f64)>,
}

impl Belief {
    pub(crate) fn new(player: Player) -> Belief {
        Belief { player, observed: 0, states: vec![] }
    }

    /// Takes in what was observed since.
    pub(crate) fn follow(&mut self, tree: &GameTree, steps: &[u32]) {
        let states = &tree.states;
        if self.states.is_empty() {
            self.states = unnoticed(states, self.player, BTreeMap::from([(0, 1.0)]));
        }
        for &step in &steps[self.observed..] {
            self.states = unnoticed(states, self.player, self.observe(states, step));
        }
        self.observed = steps.len();
    }

    /// Where the game can be right after a step.
    fn observe(&self, states: &States, step: u32) -> BTreeMap<u32, f64> {
        let mut next = BTreeMap::new();
        for &(node, weight) in &self.states {
            spread(states, self.player, (node, weight), step, &mut next);
        }
        let all: f64 = next.values().sum();
        next.values_mut().for_each(|weight| *weight /= all);
        next
    }

    /// The states in which the player has to move, with their probabilities, given that it has to.
    pub fn states(&self, tree: &GameTree) -> Vec<(u32, f64)> {
        let own = |&&(node, _): &&(u32, f64)| {
            tree.states.nodes[node as usize].turn == Turn::Of(self.player)
        };
        let own: Vec<(u32, f64)> = self.states.iter().filter(own).copied().collect();
        let all: f64 = own.iter().map(|&(_, weight)| weight).sum();
        own.into_iter().map(|(node, weight)| (node, weight / all)).collect()
    }

    pub(crate) fn urn(&self, tree: &GameTree) -> Urn {
        let mut states = self.states(tree);
        let mut sum = 0.0;
        for (_, weight) in &mut states {
            sum += *weight;
            *weight = sum;
        }
        Urn { states }
    }
}

/// The moves at a state that `player` would observe as this step, or would not notice, each as
/// likely as it is if the player makes it and the opponent makes any.
fn spread(
    states: &States,
    player: Player,
    (node, weight): (u32, f64),
    step: u32,
    next: &mut BTreeMap<u32, f64>,
) {
    let arcs = states.arcs(node);
    let turn = states.nodes[node as usize].turn;
    for arc in arcs.iter().filter(|arc| arc.steps[player as usize] == step) {
        let likely = match turn {
            Turn::Of(mover) if mover == player => 1.0,
            Turn::Of(_) => 1.0 / arcs.len() as f64,
            _ => arc.chance,
        };
        *next.entry(arc.to).or_insert(0.0) += weight * likely;
    }
}

/// These states and all that come after them unnoticed by the player.
fn unnoticed(states: &States, player: Player, mut open: BTreeMap<u32, f64>) -> Vec<(u32, f64)> {
    let mut all = vec![];
    // A move leads to a later state, so that what comes first has all its weight.
    while let Some(state) = open.pop_first() {
        spread(states, player, state, UNNOTICED, &mut open);
        all.push(state);
    }
    all
}

impl Urn {
    /// One of them, as likely as it is.
    pub(crate) fn draw(&self, random: &mut fastrand::Rng) -> u32 {
        let sum = self.states.last().map_or(0.0, |&(_, sum)| sum) * random.f64();
        let place = self.states.partition_point(|&(_, upto)| upto <= sum);
        self.states[place.min(self.states.len() - 1)].0
    }
}
