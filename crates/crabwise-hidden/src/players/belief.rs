//! What a player can say of the state of the game, from what it did and heard.
//!
//! Histories that look alike differ in chance's moves and the opponent's. How likely the player
//! itself does what it did depends on its view alone, so that cancels; the opponent is taken to
//! make all moves equally likely. Then the weight of a state, given a view, is the sum over
//! histories that lead there with that very view, and it can be kept up to date: as long as the
//! player hears nothing, by the moves that it hears nothing of; and with each step by the moves
//! that are told so. By induction every state has a weight that the view can be in, whatever the
//! opponent does, and no other has.
//!
//! The view is followed exactly. Where minds are gists, this knows more than the mind does.

use std::collections::BTreeMap;

use super::super::{
    Player, Tree, Turn,
    states::{STILL, States},
};

/// The states that a view can be in, with how likely each is against an opponent of whom nothing is
/// known.
#[derive(Clone, Debug)]
pub struct Belief {
    player: Player,
    /// How many steps it knows of.
    heard: usize,
    /// By number: those with the player to move, but also all that the game goes through unheard.
    states: Vec<(u32, f64)>,
}

/// States to be drawn from.
pub(super) struct Urn {
    /// Each with the sum of the weights up to its own.
    states: Vec<(u32, f64)>,
}

impl Belief {
    pub(super) fn new(player: Player) -> Belief {
        Belief { player, heard: 0, states: vec![] }
    }

    /// Takes in what was heard since.
    pub(super) fn follow(&mut self, tree: &Tree, steps: &[u32]) {
        let states = &tree.states;
        if self.states.is_empty() {
            self.states = unheard(states, self.player, BTreeMap::from([(0, 1.0)]));
        }
        for &step in &steps[self.heard..] {
            self.states = unheard(states, self.player, self.told(states, step));
        }
        self.heard = steps.len();
    }

    /// Where the game can be right after a step.
    fn told(&self, states: &States, step: u32) -> BTreeMap<u32, f64> {
        let mut next = BTreeMap::new();
        for &(node, weight) in &self.states {
            spread(states, self.player, (node, weight), step, &mut next);
        }
        let all: f64 = next.values().sum();
        next.values_mut().for_each(|weight| *weight /= all);
        next
    }

    /// The states in which the player has to move, with their probabilities, given that it has to.
    pub fn states(&self, tree: &Tree) -> Vec<(u32, f64)> {
        let own = |&&(node, _): &&(u32, f64)| {
            tree.states.nodes[node as usize].turn == Turn::Of(self.player)
        };
        let own: Vec<(u32, f64)> = self.states.iter().filter(own).copied().collect();
        let all: f64 = own.iter().map(|&(_, weight)| weight).sum();
        own.into_iter().map(|(node, weight)| (node, weight / all)).collect()
    }

    pub(super) fn urn(&self, tree: &Tree) -> Urn {
        let mut states = self.states(tree);
        let mut sum = 0.0;
        for (_, weight) in &mut states {
            sum += *weight;
            *weight = sum;
        }
        Urn { states }
    }
}

/// The moves at a state that `player` would hear of as this step, or would not hear of, each as
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

/// These states and all that come after them without a word to the player.
fn unheard(states: &States, player: Player, mut open: BTreeMap<u32, f64>) -> Vec<(u32, f64)> {
    let mut all = vec![];
    // A move leads to a later state, so that what comes first has all its weight.
    while let Some(state) = open.pop_first() {
        spread(states, player, state, STILL, &mut open);
        all.push(state);
    }
    all
}

impl Urn {
    /// One of them, as likely as it is.
    pub(super) fn draw(&self, random: &mut fastrand::Rng) -> u32 {
        let sum = self.states.last().map_or(0.0, |&(_, sum)| sum) * random.f64();
        let place = self.states.partition_point(|&(_, upto)| upto <= sum);
        self.states[place.min(self.states.len() - 1)].0
    }
}
