//! The game that ends, won, wherever a player wins with probability one.
//!
//! The most that a player can win in the game is won for certain there. So the game may as well end: an equilibrium
//! of the game that is cut short at certain information states, continued with the moves found there, is an
//! equilibrium of the whole game, and its exploitability is the same. For the opponent cannot change what comes
//! after a cut, and the player cannot do better than that.

use super::search::{WinningMoves, most, winning_moves};
use crate::{
    rules::{Player, Turn},
    sequence_form::Behaviour,
    tree::{
        GameTree, HiddenError, InfoSet,
        info_states::InfoStates,
        states::{Arc, Node, States, UNNOTICED},
    },
};

/// A game that ends at certain wins, and the way back to the whole game.
pub struct CutShort {
    /// What is left to be decided.
    pub tree: GameTree,
    winning_moves: [WinningMoves; 2],
}

impl CutShort {
    /// What is left of a game.
    pub fn new(whole: &GameTree) -> Result<CutShort, HiddenError> {
        let winning_moves = winning_moves(whole);
        let tree = GameTree::new(cut_short(&whole.states, &winning_moves))?;
        Ok(CutShort { tree, winning_moves })
    }

    /// Behaviours of what is left, continued to the whole game: certain wins are won, and at information sets that
    /// the behaviours say nothing of all moves are equally likely.
    pub fn continued(&self, whole: &GameTree, behaviours: &[Behaviour; 2]) -> [Behaviour; 2] {
        Player::BOTH.map(|player| {
            let mut all = vec![1.0; whole.sequences()[player as usize] as usize];
            let start = whole.start(player);
            self.proceed(whole, start, Some(start), &behaviours[player as usize], &mut all);
            all
        })
    }

    fn proceed(
        &self,
        whole: &GameTree,
        info_set: InfoSet,
        left: Option<InfoSet>,
        behaviour: &[f64],
        all: &mut [f64],
    ) {
        let count = whole.moves(info_set).len();
        let mix = &mut all[info_set.first()..info_set.first() + count];
        let known = left.filter(|at| self.tree.moves(*at).len() == count);
        let winning = &self.winning_moves[info_set.player as usize];
        match (known, winning[info_set.info_state as usize]) {
            (Some(at), _) => mix.copy_from_slice(&behaviour[at.first()..at.first() + count]),
            (None, Some(mv)) => {
                mix.fill(0.0);
                mix[mv as usize] = 1.0;
            }
            (None, None) => mix.fill(1.0 / count as f64),
        }
        for (step, to) in whole.successors(info_set) {
            let next = |at| self.tree.successors(at).find(|(known, _)| *known == step);
            self.proceed(whole, to, left.and_then(next).map(|(_, to)| to), behaviour, all);
        }
    }
}

/// The game that ends, won, at every information state that is certain. Information states keep their numbers.
fn cut_short(states: &States, certain: &[WinningMoves; 2]) -> States {
    let most = Player::BOTH.map(|player| player.sign() * most(states, player));
    let turn = |node: &Node| match node.turn {
        Turn::Of(player)
            if certain[player as usize][node.info_states[player as usize] as usize].is_some() =>
        {
            Turn::Over(most[player as usize])
        }
        turn => turn,
    };
    let mut numbers = vec![UNNOTICED; states.len()];
    numbers[0] = 0;
    let (mut nodes, mut arcs, mut depths) = (vec![], vec![], vec![]);
    let mut used = [0, 1].map(|p: usize| Used::new(&states.info_states[p]));
    for depth in states.depths.windows(2) {
        depths.push(nodes.len() as u32);
        for old in depth[0]..depth[1] {
            if numbers[old as usize] == UNNOTICED {
                continue;
            }
            let node = &states.nodes[old as usize];
            numbers[old as usize] = nodes.len() as u32;
            let turn = turn(node);
            nodes.push(Node { turn, first: arcs.len() as u32, ..*node });
            if matches!(turn, Turn::Over(_)) {
                continue;
            }
            if let Turn::Of(player) = turn {
                used[player as usize].moves[node.info_states[player as usize] as usize] = true;
            }
            for arc in states.arcs(old) {
                numbers[arc.to as usize] = 0;
                arcs.push(*arc);
                for (p, used) in used.iter_mut().enumerate() {
                    used.step(&states.info_states[p], node.info_states[p], arc.steps[p]);
                }
            }
        }
    }
    depths.push(nodes.len() as u32);
    while depths.len() > 2 && depths[depths.len() - 2] == depths[depths.len() - 1] {
        depths.pop();
    }
    renumber(&mut arcs, &nodes, &numbers, &states.info_states, &used);
    nodes.push(Node { turn: Turn::Chance, info_states: [0; 2], first: arcs.len() as u32 });
    let info_states =
        [0, 1].map(|p: usize| states.info_states[p].keep(&used[p].moves, &used[p].transitions));
    States { nodes, arcs, depths, info_states }
}

/// What of a player's information states is still needed.
struct Used {
    moves: Vec<bool>,
    transitions: Vec<bool>,
}

impl Used {
    fn new(info_states: &InfoStates) -> Used {
        let transitions = info_states.transition_range(info_states.len() as u32 - 1).end;
        Used { moves: vec![false; info_states.len()], transitions: vec![false; transitions] }
    }

    fn step(&mut self, info_states: &InfoStates, info_state: u32, step: u32) {
        if step != UNNOTICED {
            self.transitions[info_states.transition_range(info_state).start + step as usize] = true;
        }
    }
}

/// Arcs lead to states by their new numbers and count only transitions that are left.
fn renumber(
    arcs: &mut [Arc],
    nodes: &[Node],
    numbers: &[u32],
    info_states: &[InfoStates; 2],
    used: &[Used; 2],
) {
    for (i, node) in nodes.iter().enumerate() {
        let end = nodes.get(i + 1).map_or(arcs.len(), |next| next.first as usize);
        for arc in &mut arcs[node.first as usize..end] {
            arc.to = numbers[arc.to as usize];
            for p in 0..2 {
                if arc.steps[p] != UNNOTICED {
                    let first = info_states[p].transition_range(node.info_states[p]).start;
                    let before = &used[p].transitions[first..first + arc.steps[p] as usize];
                    arc.steps[p] = before.iter().filter(|&&used| used).count() as u32;
                }
            }
        }
    }
}
