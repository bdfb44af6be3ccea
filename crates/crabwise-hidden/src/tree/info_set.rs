//! One player's information sets, in words.
//!
//! An information set is written as what its player did and observed, in order: `a1 b2 taken`. It is found by
//! following the information states from the first one, and so is the place of its sequences.

use crabwise::watch::Shown;

use super::{GameTree, history::History, info_states::Step, states::Node};
use crate::rules::{Player, Turn};

/// All histories of which a player knows the same. The player need not be the one to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InfoSet {
    /// Who knows it.
    pub player: Player,
    pub(crate) info_state: u32,
    /// Where its sequences begin.
    pub(crate) base: u32,
}

impl InfoSet {
    /// The sequence of its first move; the others follow.
    pub fn first(&self) -> usize {
        self.base as usize
    }
}

impl GameTree {
    /// What a player knows before anything has happened.
    pub fn start(&self, player: Player) -> InfoSet {
        InfoSet { player, info_state: 0, base: 1 }
    }

    /// The names of the moves at an information set; none if the player never has to move there.
    pub fn moves(&self, info_set: InfoSet) -> impl ExactSizeIterator<Item = &str> {
        let info_states = self.info_states(info_set.player);
        (0..info_states.moves(info_set.info_state))
            .map(move |mv| info_states.name(info_set.info_state, mv))
    }

    /// The moves at an information set with their probabilities in a behaviour, the likely ones first.
    pub fn mix(&self, info_set: InfoSet, behaviour: &[f64]) -> Vec<(String, f64)> {
        let likely = behaviour[info_set.first()..].iter().copied();
        let mut mix: Vec<(String, f64)> =
            self.moves(info_set).map(String::from).zip(likely).collect();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        mix
    }

    /// The information set after one transition of the information state, by its number.
    ///
    /// Where sequences are too many to be counted nobody uses their places, which then wrap around.
    pub(crate) fn successor(&self, info_set: InfoSet, transition: u32) -> InfoSet {
        let InfoSet { player, info_state, base } = info_set;
        let (info_states, shape) = (self.info_states(player), &self.shapes[player as usize]);
        let range = info_states.transition_range(info_state);
        let base = base.wrapping_add(shape.offsets[range.start + transition as usize]);
        InfoSet {
            player,
            info_state: info_states.transitions(info_state)[transition as usize].to,
            base,
        }
    }

    /// The information sets that come next, each with the step that leads there.
    pub(crate) fn successors(&self, info_set: InfoSet) -> impl Iterator<Item = (Step, InfoSet)> {
        let transitions = self.info_states(info_set.player).transitions(info_set.info_state);
        (0..).zip(transitions).map(move |(i, to)| (to.step, self.successor(info_set, i)))
    }

    /// The information sets that come next, each with what the player does or observes.
    pub fn next(&self, info_set: InfoSet) -> impl Iterator<Item = (String, InfoSet)> {
        self.successors(info_set).map(move |(step, to)| (self.say(info_set, step), to))
    }

    /// The information set that steps lead to, each a move of the player's own and what the player observed, in words.
    pub(crate) fn after_steps(
        &self,
        player: Player,
        steps: impl Iterator<Item = (Option<String>, Option<String>)>,
    ) -> Option<InfoSet> {
        let info_states = self.info_states(player);
        let mut at = self.start(player);
        for (mv, observation) in steps {
            let same = |step: Step| {
                let own = step.mv.map(|mv| info_states.name(at.info_state, mv));
                let observed = step.observation.map(|number| info_states.observation(number));
                (own, observed) == (mv.as_deref(), observation.as_deref())
            };
            at = self.successors(at).find(|(step, _)| same(*step))?.1;
        }
        Some(at)
    }

    fn say(&self, info_set: InfoSet, step: Step) -> String {
        let info_states = self.info_states(info_set.player);
        let mv = step.mv.map(|mv| info_states.name(info_set.info_state, mv));
        let observation = step.observation.map(|number| info_states.observation(number));
        mv.into_iter().chain(observation).collect::<Vec<_>>().join(" ")
    }

    /// The information set that is written so, or how far the words lead and what may come there.
    pub(crate) fn read(&self, player: Player, words: &[&str]) -> Result<InfoSet, String> {
        let (mut info_set, mut rest) = (self.start(player), words);
        while !rest.is_empty() {
            let two = rest.get(..2).map(|two| two.join(" "));
            let next = |said: &str| self.next(info_set).find(|(step, _)| step == said);
            let (taken, to) = match two.and_then(|two| next(&two)) {
                Some((_, to)) => (2, to),
                None => match next(rest[0]) {
                    Some((_, to)) => (1, to),
                    None => return Err(self.astray(info_set, words.len() - rest.len(), words)),
                },
            };
            (info_set, rest) = (to, &rest[taken..]);
        }
        Ok(info_set)
    }

    fn astray(&self, info_set: InfoSet, at: usize, words: &[&str]) -> String {
        let steps: Vec<String> = self.next(info_set).map(|(step, _)| step).collect();
        let after = match at {
            0 => "at first".to_string(),
            _ => format!("after '{}'", words[..at].join(" ")),
        };
        let word = Shown(words[at]);
        match steps.is_empty() {
            true => format!("'{word}': nothing comes {after}"),
            false => format!("'{word}' cannot come {after}; {} can", steps.join(", ")),
        }
    }

    /// A state at which the player is to move and knows this.
    pub(crate) fn state_of(&self, info_set: InfoSet) -> Option<u32> {
        let InfoSet { player, info_state, .. } = info_set;
        let known = |node: &Node| {
            node.turn == Turn::Of(player) && node.info_states[player as usize] == info_state
        };
        let state = self.states.nodes[..self.states.len()].iter().position(known);
        state.map(|state| state as u32)
    }

    /// How likely chance and the other player, by its realization plan, let it come to an information set, if the
    /// set's own player does all to get there.
    pub(crate) fn odds(&self, info_set: InfoSet, plan: &[f64]) -> f64 {
        let (p, mut sum) = (info_set.player as usize, 0.0);
        let mut open = vec![History::start()];
        while let Some(at) = open.pop() {
            let (node, own) = (&self.states.nodes[at.node as usize], at.cursors[p]);
            let likely = at.chance * plan[at.cursors[1 - p].incoming as usize];
            let size = self.shapes[p].sequences[node.info_states[p] as usize] as u32;
            if likely == 0.0 || !(own.base..own.base + size).contains(&info_set.base) {
                continue;
            }
            if node.turn == Turn::Of(info_set.player) && own.base == info_set.base {
                sum += likely;
            } else {
                open.extend(self.after(at));
            }
        }
        sum
    }

    /// A name for each sequence of a player: the information set, and the move.
    pub fn sequence_names(&self, player: Player) -> Vec<String> {
        let mut names = vec![String::new(); self.sequences()[player as usize] as usize];
        let mut open = vec![(self.start(player), String::new())];
        while let Some((info_set, said)) = open.pop() {
            for (i, mv) in self.moves(info_set).enumerate() {
                let name = if said.is_empty() { mv.to_string() } else { format!("{said}: {mv}") };
                names[info_set.first() + i] = name;
            }
            for (step, next) in self.next(info_set) {
                open.push((next, format!("{said} {step}").trim().to_string()));
            }
        }
        names
    }
}
