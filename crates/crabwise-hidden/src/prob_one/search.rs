//! Where a player wins with probability one, by the states of the game.
//!
//! An information state is *certain* if it has a move after which, from every state that it can be in, every way on
//! leads to a win or to a certain information state of the same player. By induction the player who follows these
//! moves wins every play. Where information states hold all that a player knows the converse is true, too: who wins
//! with certainty must do so against every state that looks alike. Where they hold what an abstraction leaves, an
//! information state can be in the states of several information sets, and some of these may be certain though it is
//! not; never the other way round.

use crate::{
    rules::{Player, Turn},
    tree::{GameTree, states::States},
};

/// For each information state of a player the move that wins with certainty, if there is one.
pub type WinningMoves = Vec<Option<u32>>;

/// What a player wins with certainty.
pub(crate) struct Certainty {
    pub moves: WinningMoves,
    /// For each state whether the player wins with certainty from there.
    pub wins: Vec<bool>,
    /// For each information state the states that it can be in with the player to move.
    pub members: Vec<Vec<u32>>,
}

impl Certainty {
    pub fn of(tree: &GameTree, player: Player) -> Certainty {
        let (states, p) = (&tree.states, player as usize);
        let info_states = tree.info_states(player).len();
        let mut members = vec![vec![]; info_states];
        for (i, node) in (0..).zip(&states.nodes[..states.len()]) {
            if node.turn == Turn::Of(player) {
                members[node.info_states[p] as usize].push(i);
            }
        }
        let mut search = ProbOneSearch {
            states,
            player,
            most: most(states, player),
            members,
            info_states: vec![None; info_states],
            nodes: vec![None; states.len()],
        };
        let moves =
            (0..info_states as u32).map(|info_state| search.info_state(info_state)).collect();
        let wins = (0..states.len() as u32).map(|node| search.node(node)).collect();
        Certainty { moves, wins, members: search.members }
    }
}

/// The moves of either player that win with certainty.
pub(crate) fn winning_moves(tree: &GameTree) -> [WinningMoves; 2] {
    Player::BOTH.map(|player| Certainty::of(tree, player).moves)
}

/// The most that a player can win.
pub(super) fn most(states: &States, player: Player) -> f64 {
    let payoffs = states.nodes[..states.len()].iter().filter_map(|node| match node.turn {
        Turn::Over(payoff) => Some(player.sign() * payoff),
        _ => None,
    });
    payoffs.fold(f64::NEG_INFINITY, f64::max)
}

struct ProbOneSearch<'a> {
    states: &'a States,
    player: Player,
    most: f64,
    members: Vec<Vec<u32>>,
    info_states: Vec<Option<Option<u32>>>,
    nodes: Vec<Option<bool>>,
}

impl ProbOneSearch<'_> {
    fn info_state(&mut self, info_state: u32) -> Option<u32> {
        if let Some(known) = self.info_states[info_state as usize] {
            return known;
        }
        let count = self.members[info_state as usize].len();
        let moves = match count {
            0 => 0,
            _ => self.states.info_states[self.player as usize].moves(info_state),
        };
        let found = (0..moves).find(|&mv| {
            (0..count).all(|i| {
                let node = self.members[info_state as usize][i];
                self.node(self.states.arcs(node)[mv as usize].to)
            })
        });
        self.info_states[info_state as usize] = Some(found);
        found
    }

    fn node(&mut self, number: u32) -> bool {
        if let Some(known) = self.nodes[number as usize] {
            return known;
        }
        let node = self.states.nodes[number as usize];
        let wins = match node.turn {
            Turn::Over(payoff) => self.player.sign() * payoff == self.most,
            Turn::Of(player) if player == self.player => {
                self.info_state(node.info_states[player as usize]).is_some()
            }
            _ => (0..self.states.arcs(number).len())
                .all(|i| self.node(self.states.arcs(number)[i].to)),
        };
        self.nodes[number as usize] = Some(wins);
        wins
    }
}
