//! What an estimate of a regret is made from.
//!
//! Features come from what a game says of an information set ([`Described`](crate::Described)), crossed with the move in
//! question. Where a game says nothing they come from names alone: how often each move was made and each observation
//! met, crossed with the move; and the move itself. The order of events is not among them.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use crate::{
    iterative::checkpoint::digest,
    rules::Player,
    sequence_form::Treeplex,
    tree::{Descriptions, GameTree, info_states::InfoStates},
};

/// The features of each sequence of a player, as numbers; one that is there twice counts twice.
#[derive(Clone, Debug)]
pub struct Features {
    /// Where those of each sequence begin, and after the last the end.
    pub(super) first: Vec<u32>,
    pub(super) ids: Vec<u32>,
    pub(super) many: usize,
}

/// What of an information set is crossed with the move: nothing.
const ALONE: u32 = u32::MAX;

impl Features {
    /// What was done and observed, crossed with the move.
    pub fn of_names(tree: &GameTree, player: Player) -> Features {
        let mut features = Features { first: vec![0, 0], ids: vec![], many: 0 };
        let info_states = tree.info_states(player);
        features.unroll(info_states, 0, &mut vec![ALONE], &mut HashMap::new());
        features
    }

    /// What the game says of each information state, crossed with the move.
    pub fn of_game(tree: &GameTree, player: Player, said: &Descriptions) -> Features {
        let mut features = Features { first: vec![0, 0], ids: vec![], many: 0 };
        let (info_states, mut known) = (tree.info_states(player), HashMap::new());
        features.unroll_said(info_states, 0, said, &mut known);
        features.many = known.len();
        features
    }

    fn unroll_said(
        &mut self,
        info_states: &InfoStates,
        info_state: u32,
        said: &Descriptions,
        known: &mut HashMap<(u32, u32), u32>,
    ) {
        let description = &said.0[info_state as usize];
        // Where the game has ended there is nothing to choose, though the whole game goes on.
        for &mv in &description.moves[..info_states.moves(info_state) as usize] {
            for &what in &description.features {
                let next = known.len() as u32;
                self.ids.push(*known.entry((mv, what)).or_insert(next));
            }
            self.first.push(self.ids.len() as u32);
        }
        for transition in info_states.transitions(info_state) {
            self.unroll_said(info_states, transition.to, said, known);
        }
    }

    /// One for each sequence: nothing is estimated then, and everything kept.
    pub fn own(plex: &Treeplex) -> Features {
        let sequences = plex.sequences() as u32;
        let first = [0].into_iter().chain(0..sequences).collect();
        Features { first, ids: (0..sequences - 1).collect(), many: sequences as usize - 1 }
    }

    /// Goes through information states as [`Treeplex`] does.
    fn unroll(
        &mut self,
        info_states: &InfoStates,
        info_state: u32,
        happened: &mut Vec<u32>,
        known: &mut HashMap<(u32, u32), u32>,
    ) {
        let moves = info_states.move_names(info_state);
        for &mv in moves {
            for &what in &*happened {
                let next = known.len() as u32;
                self.ids.push(*known.entry((mv, what)).or_insert(next));
            }
            self.first.push(self.ids.len() as u32);
        }
        self.many = known.len();
        for transition in info_states.transitions(info_state) {
            let before = happened.len();
            happened.extend(transition.step.mv.map(|mv| 2 * moves[mv as usize]));
            happened.extend(transition.step.observation.map(|observation| 2 * observation + 1));
            self.unroll(info_states, transition.to, happened, known);
            happened.truncate(before);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.many
    }

    /// Whether there are none: the player never has a choice.
    pub fn is_empty(&self) -> bool {
        self.many == 0
    }

    pub(super) fn at(&self, sequence: usize) -> &[u32] {
        &self.ids[self.first[sequence] as usize..self.first[sequence + 1] as usize]
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        digest(&mut hash, &self.first);
        digest(&mut hash, &self.ids);
        hash.digest()
    }
}
