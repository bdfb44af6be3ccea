//! The positions of a game, each once, and the moves between them.
//!
//! A *state* is a position together with both players' information states. States come in the order of the number of
//! moves that lead there, and a state that several ways lead to is there once: its future is worked out once for all
//! of them. Counts of histories are sums over states.

use super::info_states::InfoStates;
use crate::rules::Turn;

/// The step of a player who does not notice a move: its information state stays as it was.
pub(crate) const UNNOTICED: u32 = u32::MAX;

/// All states of a game, and all information states.
pub(crate) struct States {
    pub(crate) nodes: Vec<Node>,
    pub(crate) arcs: Vec<Arc>,
    /// The first state at each depth, and after the last depth the number of states.
    pub(crate) depths: Vec<u32>,
    pub(crate) info_states: [InfoStates; 2],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub turn: Turn,
    pub info_states: [u32; 2],
    /// The first of its arcs; the next node has the first that is not.
    pub first: u32,
}

/// One move at one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub to: u32,
    /// How likely chance makes it; 1 for the moves of players.
    pub chance: f64,
    /// Which transition of each player's information state is next, or [`UNNOTICED`].
    pub steps: [u32; 2],
}

impl States {
    /// The number of states, the ends included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The bytes of memory that all states take.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&self.nodes[..]) + size_of_val(&self.arcs[..])) as u64
    }

    pub(crate) fn arcs(&self, node: u32) -> &[Arc] {
        let first = |node: u32| self.nodes[node as usize].first as usize;
        &self.arcs[first(node)..first(node + 1)]
    }

    /// A value for each state, worked out from those of the states after it.
    pub(crate) fn backwards<T: Clone + Default>(
        &self,
        mut value: impl FnMut(u32, &Node, &[T]) -> T,
    ) -> Vec<T> {
        let mut all = vec![T::default(); self.len()];
        for node in (0..self.len()).rev() {
            // A move leads to a later state.
            all[node] = value(node as u32, &self.nodes[node], &all);
        }
        all
    }

    /// How many complete games go on from each state.
    pub(crate) fn ends(&self) -> Vec<u128> {
        self.backwards(|node, at, ends: &[u128]| match at.turn {
            Turn::Over(_) => 1,
            _ => (self.arcs(node).iter())
                .fold(0_u128, |sum, arc| sum.saturating_add(ends[arc.to as usize])),
        })
    }
}
