//! Histories, walked one move at a time.

use super::{
    GameTree,
    states::{Node, UNNOTICED},
};
use crate::rules::Turn;

/// A place among a player's sequences: the one that leads here, and where those from here on begin.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cursor {
    pub incoming: u32,
    pub base: u32,
}

/// A history: its state, and where in either player's sequences it is.
#[derive(Clone, Copy)]
pub(crate) struct History {
    pub node: u32,
    pub cursors: [Cursor; 2],
    pub chance: f64,
}

impl History {
    /// Before anything has happened.
    pub fn start() -> History {
        History { node: 0, cursors: [Cursor { incoming: 0, base: 1 }; 2], chance: 1.0 }
    }
}

impl GameTree {
    pub(crate) fn node(&self, at: History) -> &Node {
        &self.states.nodes[at.node as usize]
    }

    /// The histories that are one move longer, in the order of the moves.
    pub(crate) fn after(&self, at: History) -> impl Iterator<Item = History> {
        let moves = self.states.arcs(at.node).len();
        (0..moves).map(move |mv| self.history_after(at, mv))
    }

    /// The history that is one move longer.
    pub(crate) fn history_after(&self, at: History, mv: usize) -> History {
        let (node, arc) = (self.node(at), &self.states.arcs(at.node)[mv]);
        let mut cursors = at.cursors;
        for (p, cursor) in cursors.iter_mut().enumerate() {
            if arc.steps[p] == UNNOTICED {
                continue;
            }
            if matches!(node.turn, Turn::Of(mover) if mover as usize == p) {
                cursor.incoming = cursor.base + mv as u32;
            }
            let range = self.states.info_states[p].transition_range(node.info_states[p]);
            cursor.base += self.shapes[p].offsets[range.start + arc.steps[p] as usize];
        }
        History { node: arc.to, cursors, chance: at.chance * arc.chance }
    }
}
