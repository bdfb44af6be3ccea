//! How large a game is: sums over states and information states, saturating where they exceed 128 bits.

use std::collections::BTreeMap;

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

    /// Complete games by the first move that a player makes, in the order of the moves. Games in which nobody moves
    /// have none.
    pub fn games_by_first_move(&self) -> Vec<(String, u128)> {
        let ends = self.states.ends();
        let mut games: Vec<(String, u128)> = vec![];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            let arcs = self.states.arcs(state);
            match self.turn(state) {
                Turn::Over(_) => {}
                Turn::Chance => open.extend(arcs.iter().map(|arc| arc.to)),
                Turn::Of(_) => {
                    for (mv, arc) in arcs.iter().enumerate() {
                        let (name, more) = (self.move_name(state, mv), ends[arc.to as usize]);
                        match games.iter_mut().find(|(known, _)| *known == name) {
                            Some((_, games)) => *games = games.saturating_add(more),
                            None => games.push((name, more)),
                        }
                    }
                }
            }
        }
        games
    }

    /// Complete games by the number of moves in them, those of chance and rejected ones included.
    pub fn games_by_moves(&self) -> BTreeMap<usize, u128> {
        self.games_by(|_, _| true)
    }

    /// Complete games by the number of turns in them: a player's turn goes on until it is somebody else's, whatever
    /// was tried and rejected. What chance does is no turn.
    pub fn games_by_turns(&self) -> BTreeMap<usize, u128> {
        self.games_by(|before, after| matches!(before, Turn::Of(_)) && before != after)
    }

    /// Complete games by the number of moves that count.
    fn games_by(&self, counts: impl Fn(Turn, Turn) -> bool) -> BTreeMap<usize, u128> {
        let states = &self.states;
        // From each state on, by the number of moves.
        let mut below = states.backwards(|node, at, below: &[Vec<u128>]| {
            let mut games = vec![];
            if let Turn::Over(_) = at.turn {
                games.push(1);
            }
            for arc in states.arcs(node) {
                let longer = usize::from(counts(at.turn, self.turn(arc.to)));
                let more = &below[arc.to as usize];
                games.resize(games.len().max(more.len() + longer), 0);
                for (sum, more) in games[longer..].iter_mut().zip(more) {
                    *sum = u128::saturating_add(*sum, *more);
                }
            }
            games
        });
        let all = below.swap_remove(0).into_iter().enumerate();
        all.filter(|&(_, games)| games > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup,
        play::Play,
        toys::{Kuhn, Random, explored},
    };

    /// Histories one by one, which is the definition.
    fn each(play: &Play, moves: usize, turns: usize, found: &mut [BTreeMap<usize, u128>; 2]) {
        let turn = play.turn();
        if let Turn::Over(_) = turn {
            *found[0].entry(moves).or_default() += 1;
            *found[1].entry(turns).or_default() += 1;
        }
        for next in play.successors() {
            let ended = matches!(turn, Turn::Of(_)) && next.turn() != turn;
            each(&next, moves + 1, turns + usize::from(ended), found);
        }
    }

    #[test]
    fn lengths_are_those_of_all_histories() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..30 {
            let game = Random { seed: random.u64(..), length: 6 };
            let erased = HiddenSetup::of(game).erased();
            let explored = explored(&erased);
            let mut found = [BTreeMap::new(), BTreeMap::new()];
            each(&erased.play(), 0, 0, &mut found);
            let tree = &explored.tree;
            assert_eq!([tree.games_by_moves(), tree.games_by_turns()], found, "{game:?}");
            let first: u128 = tree.games_by_first_move().iter().map(|(_, games)| games).sum();
            assert!(first <= tree.counts().games);
        }
    }

    /// Six deals, then check-check, check-bet-fold, check-bet-call, bet-fold or bet-call.
    #[test]
    fn kuhn_has_thirty_games() {
        let tree = explored(&HiddenSetup::of(Kuhn).erased()).tree;
        let total: u128 = tree.games_by_turns().values().sum();
        assert_eq!((total, tree.counts().games), (30, 30));
        assert_eq!(tree.games_by_turns(), BTreeMap::from([(2, 18), (3, 12)]));
        let first: Vec<u128> = tree.games_by_first_move().iter().map(|(_, games)| *games).collect();
        assert_eq!(first.iter().sum::<u128>(), 30);
        assert!(first.contains(&18) && first.contains(&12));
    }
}
