//! A game laid out: its states, and both players' information sets as trees that are never unrolled.

mod counts;
mod error;
pub(crate) mod exploration;
pub(crate) mod foresight;
pub(crate) mod history;
mod info_set;
pub(crate) mod info_states;
mod sample;
pub(crate) mod shape;
pub(crate) mod states;

use xxhash_rust::xxh3::Xxh3;

pub use self::{
    counts::GameCounts, error::HiddenError, info_set::InfoSet, info_states::Descriptions,
};
use self::{info_states::InfoStates, shape::Shape, states::States};
use crate::rules::{Player, Turn};

/// The states and the information sets of a game.
pub struct GameTree {
    pub(crate) states: States,
    pub(crate) shapes: [Shape; 2],
}

impl GameTree {
    pub(crate) fn new(states: States) -> Result<GameTree, HiddenError> {
        let [first, second] = &states.info_states;
        let shapes = [Shape::new(first)?, Shape::new(second)?];
        Ok(GameTree { states, shapes })
    }

    pub(crate) fn info_states(&self, player: Player) -> &InfoStates {
        &self.states.info_states[player as usize]
    }

    /// The least and the most that the first player can get.
    pub fn stakes(&self) -> [f64; 2] {
        let payoffs = self.states.nodes[..self.states.len()].iter().filter_map(|node| {
            let Turn::Over(payoff) = node.turn else { return None };
            Some(payoff)
        });
        payoffs.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], payoff| {
            [least.min(payoff), most.max(payoff)]
        })
    }

    /// Bounds on the value for the first player that take no more than a look at each state: what both get at least
    /// who make all moves equally likely, if the other sees everything.
    pub fn even_bounds(&self) -> [f64; 2] {
        let states = &self.states;
        let against_even = |seer: Player| {
            let worth = states.backwards(|node, at, worth: &[f64]| {
                let arcs = states.arcs(node);
                let all = arcs.iter().map(|arc| worth[arc.to as usize]);
                match at.turn {
                    Turn::Over(payoff) => payoff,
                    Turn::Chance => {
                        arcs.iter().zip(all).map(|(arc, worth)| arc.chance * worth).sum()
                    }
                    Turn::Of(mover) if mover != seer => all.sum::<f64>() / arcs.len() as f64,
                    Turn::Of(Player::First) => all.fold(f64::NEG_INFINITY, f64::max),
                    Turn::Of(Player::Second) => all.fold(f64::INFINITY, f64::min),
                }
            });
            worth[0]
        };
        [Player::Second, Player::First].map(against_even)
    }

    /// How many sequences either player has, the empty one included.
    pub fn sequences(&self) -> [u64; 2] {
        [0, 1].map(|p: usize| self.shapes[p].sequences[0].saturating_add(1))
    }

    /// A checksum over all that the order of sequences depends on, with the names of moves and observations.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for (info_states, shape) in self.states.info_states.iter().zip(&self.shapes) {
            for info_state in 0..info_states.len() as u32 {
                hasher.update(&shape.sequences[info_state as usize].to_le_bytes());
                for mv in 0..info_states.moves(info_state) {
                    hasher.update(info_states.name(info_state, mv).as_bytes());
                    hasher.update(&[0]);
                }
                for transition in info_states.transitions(info_state) {
                    let mv = transition.step.mv.map_or(0, |mv| mv + 1);
                    let observation = transition
                        .step
                        .observation
                        .map_or("", |number| info_states.observation(number));
                    hasher.update(&[mv.to_le_bytes(), transition.to.to_le_bytes()].concat());
                    hasher.update(observation.as_bytes());
                    hasher.update(&[1]);
                }
            }
        }
        hasher.digest()
    }

    /// Whose turn it is at a state.
    pub(crate) fn turn(&self, state: u32) -> Turn {
        self.states.nodes[state as usize].turn
    }

    /// The name of a player's move at a state, by its place; of a move of chance only its number.
    pub(crate) fn move_name(&self, state: u32, mv: usize) -> String {
        let node = &self.states.nodes[state as usize];
        match node.turn {
            Turn::Of(player) => {
                let p = player as usize;
                self.states.info_states[p].name(node.info_states[p], mv as u32).to_string()
            }
            _ => format!("chance-{}", mv + 1),
        }
    }
}
