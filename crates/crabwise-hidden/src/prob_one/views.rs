//! Certain wins view by view.
//!
//! Which information states are certain is known for all at once ([`Certainty`]), and that is enough where they hold all
//! that matters. Where the order of events tells a player more, a single view may be certain though its information
//! state is not. So a single view is settled by all the states that a player who knows it may be in: it is certain if
//! there is a move after which, whatever is observed, what is left of these states is certain.

use std::collections::{HashMap, HashSet};

use super::search::{Certainty, most};
use crate::{
    rules::{Player, Turn},
    tree::{GameTree, InfoSet, states::UNNOTICED},
};

/// A view of a player who is to move, the order of events forgotten.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CertainView {
    /// What the player sees.
    pub picture: String,
    /// How many cells look empty.
    pub empty: u32,
    /// The least and the most stones that may be hidden.
    pub hidden: [u32; 2],
    /// The moves that keep the certainty.
    pub moves: Vec<String>,
}

/// What a state looks like to a player, and to the referee.
pub(crate) struct Letters<'a> {
    pub seen: &'a dyn Fn(u32) -> String,
    pub shown: &'a dyn Fn(u32) -> String,
}

/// The views of a player that are certain, the order of events forgotten; those that look alike, though more was heard
/// in one of them, once.
pub(crate) fn certain_views(
    tree: &GameTree,
    player: Player,
    letters: &Letters<'_>,
) -> Vec<CertainView> {
    let certainty = Certainty::of(tree, player);
    let names = tree.info_states(player);
    let (mut views, mut met) = (vec![], HashSet::new());
    for (info_state, members) in (0..).zip(&certainty.members) {
        let certain = certainty.moves[info_state as usize].is_some();
        let (Some(&first), true) = (members.first(), certain) else { continue };
        let picture = (letters.seen)(first);
        let empty = dots(&picture);
        let hidden =
            members.iter().map(|&state| empty.saturating_sub(dots(&(letters.shown)(state))));
        let hidden = [hidden.clone().min(), hidden.max()].map(Option::unwrap_or_default);
        let keeps = |&mv: &u32| {
            let next = |&state: &u32| tree.states.arcs(state)[mv as usize].to;
            members.iter().all(|state| certainty.wins[next(state) as usize])
        };
        let moves = (0..names.moves(info_state)).filter(keeps);
        let moves = moves.map(|mv| names.name(info_state, mv).to_string()).collect();
        let view = CertainView { picture, empty, hidden, moves };
        if met.insert(view.clone()) {
            views.push(view);
        }
    }
    views
}

/// The moves that win with certainty at one information set, all that its player knows counted in; none if it is not
/// certain.
pub(crate) fn certain_moves(
    tree: &GameTree,
    info_set: InfoSet,
    line: &[String],
) -> Result<Vec<String>, String> {
    let player = info_set.player;
    let mut search = BeliefSearch {
        tree,
        player,
        most: most(&tree.states, player),
        certainty: Certainty::of(tree, player),
        known: HashMap::new(),
    };
    let words: Vec<&str> = line.iter().map(String::as_str).collect();
    let belief = search.follow(&words)?;
    let moves = tree.moves(info_set).enumerate();
    let keeps = moves.filter(|&(mv, _)| search.keeps(&belief, mv as u32));
    Ok(keeps.map(|(_, name)| name.to_string()).collect())
}

/// Cells that look empty in letters.
fn dots(picture: &str) -> u32 {
    picture.matches('.').count() as u32
}

/// All that a player can be in, given all that it knows: an information state, and states in ascending order.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PossibleStates {
    info_state: u32,
    states: Vec<u32>,
}

struct BeliefSearch<'a> {
    tree: &'a GameTree,
    player: Player,
    most: f64,
    certainty: Certainty,
    known: HashMap<PossibleStates, bool>,
}

impl BeliefSearch<'_> {
    /// What the player can be in after all that it did and observed.
    fn follow(&self, words: &[&str]) -> Result<PossibleStates, String> {
        let mut belief = PossibleStates { info_state: 0, states: self.unnoticed(vec![0]) };
        let (mut at, mut read) = (self.tree.start(self.player), 0);
        while read < words.len() {
            // As many words as one step has.
            let step = (read + 1..=words.len().min(read + 2)).rev().find_map(|end| {
                let said = words[read..end].join(" ");
                let steps = self.tree.next(at).enumerate();
                let mut found = steps.filter(|(_, (step, _))| *step == said);
                found.next().map(|(number, (_, next))| (number as u32, next, end))
            });
            let Some((number, next, end)) = step else {
                return self.tree.read(self.player, words).map(|_| belief);
            };
            belief = self.after(&belief, number);
            (at, read) = (next, end);
        }
        Ok(belief)
    }

    /// What the player can be in after one transition of its information state; no states if that cannot be.
    fn after(&self, belief: &PossibleStates, transition: u32) -> PossibleStates {
        let states = belief.states.iter().flat_map(|&state| {
            let arcs = self.tree.states.arcs(state).iter();
            arcs.filter(|arc| arc.steps[self.player as usize] == transition).map(|arc| arc.to)
        });
        let info_states = self.tree.info_states(self.player);
        PossibleStates {
            info_state: info_states.transitions(belief.info_state)[transition as usize].to,
            states: self.unnoticed(states.collect()),
        }
    }

    /// States and all that may follow without the player's noticing, in ascending order.
    fn unnoticed(&self, mut states: Vec<u32>) -> Vec<u32> {
        let mut next = 0;
        states.sort_unstable();
        states.dedup();
        let mut met: HashSet<u32> = states.iter().copied().collect();
        while next < states.len() {
            for arc in self.tree.states.arcs(states[next]) {
                if arc.steps[self.player as usize] == UNNOTICED && met.insert(arc.to) {
                    states.push(arc.to);
                }
            }
            next += 1;
        }
        states.sort_unstable();
        states
    }

    fn certain(&mut self, belief: PossibleStates) -> bool {
        if let Some(&known) = self.known.get(&belief) {
            return known;
        }
        let certain = self.decide(&belief);
        self.known.insert(belief, certain);
        certain
    }

    fn decide(&mut self, belief: &PossibleStates) -> bool {
        let (mut moves, turn_of) = (false, Turn::Of(self.player));
        for &state in &belief.states {
            match self.tree.turn(state) {
                Turn::Over(payoff) if self.player.sign() * payoff != self.most => return false,
                turn => moves |= turn == turn_of,
            }
        }
        if !self.observed(belief, None) {
            return false;
        }
        let count = self.tree.info_states(self.player).moves(belief.info_state);
        !moves
            || self.certainty.moves[belief.info_state as usize].is_some()
            || (0..count).any(|mv| self.keeps(belief, mv))
    }

    /// Whether a move is certain to win, whatever is observed.
    fn keeps(&mut self, belief: &PossibleStates, mv: u32) -> bool {
        self.observed(belief, Some(mv))
    }

    /// Whether all is certain that may be observed after a move, or before one.
    fn observed(&mut self, belief: &PossibleStates, mv: Option<u32>) -> bool {
        let transitions = self.tree.info_states(self.player).transitions(belief.info_state);
        let steps = (0..).zip(transitions).filter(|(_, to)| to.step.mv == mv);
        steps.map(|(number, _)| number).collect::<Vec<u32>>().into_iter().all(|number| {
            let after = self.after(belief, number);
            after.states.is_empty() || self.certain(after)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ExploredGame, HiddenSetup,
        toys::{Abrupt, Random, explored},
    };

    /// All information sets of a player at which it has to move, each with its line.
    fn lines(explored: &ExploredGame, player: Player) -> Vec<(InfoSet, Vec<String>)> {
        let (mut found, mut open) = (vec![], vec![(explored.tree.start(player), vec![])]);
        while let Some((at, line)) = open.pop() {
            for (step, next) in explored.tree.next(at) {
                let words = step.split(' ').map(String::from);
                open.push((next, line.iter().cloned().chain(words).collect()));
            }
            // Moves and observations are called alike, so that some lines can be read in two ways.
            if explored.at(player, &line) == Ok(at) {
                found.push((at, line));
            }
        }
        found
    }

    /// Where information states hold all that is known, both ways of asking have one answer.
    #[test]
    fn views_agree_with_information_states() {
        for seed in 0..20 {
            let explored = explored(&HiddenSetup::of(Random { seed, length: 5 }).erased());
            for player in Player::BOTH {
                let certainty = Certainty::of(&explored.tree, player);
                for (at, line) in lines(&explored, player) {
                    let moves = explored.certain_moves(at, &line).unwrap();
                    let all = certainty.moves[at.info_state as usize].is_some();
                    assert_eq!(!moves.is_empty(), all, "{seed}: {line:?}");
                }
            }
        }
    }

    #[test]
    fn abrupt_views_are_settled() {
        let explored = explored(&HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased());
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let ask = |line: &str| {
            let line = words(line);
            let at = explored.at(Player::First, &line).unwrap();
            explored.certain_moves(at, &line).unwrap()
        };
        assert_eq!(ask(""), Vec::<String>::new());
        let certain = explored.certain_views(Player::First);
        assert!(!certain.is_empty());
        for (at, line) in lines(&explored, Player::First) {
            let picture = explored.seen_at(at);
            let listed = certain.iter().any(|view| view.picture == picture);
            let told = !explored.certain_moves(at, &line).unwrap().is_empty();
            assert!(told || !listed, "{line:?}");
        }
    }
}
