//! How large a game is: sums over states and information states, saturating where they exceed 128 bits.

use super::{GameTree, states::Node};
use crate::rules::Turn;

/// How large a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameCounts {
    /// Histories, the empty one and complete ones included.
    pub histories: u128,
    /// Complete games.
    pub games: u128,
    /// Positions, with what the players know.
    pub states: u64,
    /// Positions at which the game is over.
    pub ends: u64,
    /// Information sets at which either player has to move.
    pub info_sets: [u64; 2],
    /// Sequences of either player, the empty one included.
    pub sequences: [u64; 2],
    /// Information states at which either player has to move; fewer than information sets where the game has an
    /// abstraction.
    pub info_states: [u64; 2],
    /// The greatest number of moves in a game.
    pub longest: usize,
}

impl GameTree {
    /// Counts everything in one pass from the ends to the start.
    pub fn counts(&self) -> GameCounts {
        let states = &self.states;
        let histories = states.backwards(|node, _, below: &[u128]| {
            let sum = |sum: u128, to: u32| sum.saturating_add(below[to as usize]);
            states.arcs(node).iter().fold(1, |all, arc| sum(all, arc.to))
        });
        let over = |node: &&Node| matches!(node.turn, Turn::Over(_));
        let mut info_states = [0, 1].map(|p: usize| vec![false; states.info_states[p].len()]);
        for node in &states.nodes[..states.len()] {
            if let Turn::Of(player) = node.turn {
                info_states[player as usize][node.info_states[player as usize] as usize] = true;
            }
        }
        GameCounts {
            histories: histories[0],
            games: states.ends()[0],
            states: states.len() as u64,
            ends: states.nodes[..states.len()].iter().filter(over).count() as u64,
            info_sets: [0, 1].map(|p: usize| self.shapes[p].info_sets[0]),
            sequences: self.sequences(),
            info_states: info_states
                .map(|known| known.iter().filter(|&&known| known).count() as u64),
            longest: states.depths.len() - 2,
        }
    }
}
