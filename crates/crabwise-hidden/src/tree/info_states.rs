//! All that a player's future depends on, as an automaton.
//!
//! An *information state* is what a player did and observed, in order, or what an
//! [abstraction](crate::InfoAbstraction) leaves of that. From one to the next leads a step: a move of the player's
//! own and the observation that follows it, or an observation alone. Unrolled into a tree the automaton has a node
//! for each information set; it is never unrolled here.

use std::{collections::HashMap, ops::Range};

use super::states::UNNOTICED;

/// The information states of one player. Moves and transitions of all of them lie in common arrays.
pub(crate) struct InfoStates {
    pub(super) info_states: Vec<Offsets>,
    /// Names of moves, by information state.
    pub(super) moves: Vec<u32>,
    pub(super) transitions: Vec<Transition>,
    pub(super) names: Vec<String>,
    pub(super) images: HashMap<u32, u32>,
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Offsets {
    pub(super) moves: u32,
    pub(super) transitions: u32,
}

/// The way from an information state to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Transition {
    pub to: u32,
    pub step: Step,
}

/// What a player does or observes: a move of its own by its place among the legal ones, an observation by its number,
/// or a move and the observation that follows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Step {
    pub mv: Option<u32>,
    pub observation: Option<u32>,
}

/// What a game says of an information state, for estimates to be made from.
#[derive(Clone, Default, Debug)]
pub(crate) struct Description {
    /// The features that are there.
    pub features: Vec<u32>,
    /// The numbers of the moves.
    pub moves: Vec<u32>,
}

/// What a game says of all information states of a player.
pub struct Descriptions(pub(crate) Vec<Description>);

impl InfoStates {
    pub(crate) fn len(&self) -> usize {
        self.info_states.len() - 1
    }

    /// How many moves there are to choose from; 0 if the player never has to move there.
    pub(crate) fn moves(&self, info_state: u32) -> u32 {
        self.move_names(info_state).len() as u32
    }

    pub(crate) fn move_names(&self, info_state: u32) -> &[u32] {
        &self.moves[self.move_range(info_state)]
    }

    /// Where its moves lie among those of all information states.
    pub(crate) fn move_range(&self, info_state: u32) -> Range<usize> {
        let info_state = info_state as usize;
        self.info_states[info_state].moves as usize..self.info_states[info_state + 1].moves as usize
    }

    pub(crate) fn transitions(&self, info_state: u32) -> &[Transition] {
        &self.transitions[self.transition_range(info_state)]
    }

    /// Where its transitions lie among those of all information states.
    pub(crate) fn transition_range(&self, info_state: u32) -> Range<usize> {
        let info_state = info_state as usize;
        self.info_states[info_state].transitions as usize
            ..self.info_states[info_state + 1].transitions as usize
    }

    /// Its transitions, each with its place among those of all information states.
    pub(crate) fn numbered_transitions(
        &self,
        info_state: u32,
    ) -> impl Iterator<Item = (usize, &Transition)> {
        self.transition_range(info_state).zip(self.transitions(info_state))
    }

    /// The name of a move.
    pub(crate) fn name(&self, info_state: u32, mv: u32) -> &str {
        &self.names[self.move_names(info_state)[mv as usize] as usize]
    }

    /// What is left with only some of the moves and transitions; information states keep their numbers.
    pub(crate) fn keep(&self, moves: &[bool], transitions: &[bool]) -> InfoStates {
        let mut kept = InfoStates {
            info_states: vec![],
            moves: vec![],
            transitions: vec![],
            names: self.names.clone(),
            images: self.images.clone(),
        };
        for info_state in 0..=self.len() as u32 {
            let (moves_before, kids_before) =
                (kept.moves.len() as u32, kept.transitions.len() as u32);
            kept.info_states.push(Offsets { moves: moves_before, transitions: kids_before });
            if info_state == self.len() as u32 {
                break;
            }
            if moves[info_state as usize] {
                kept.moves.extend_from_slice(self.move_names(info_state));
            }
            let used =
                self.transition_range(info_state).filter(|&transition| transitions[transition]);
            kept.transitions.extend(used.map(|transition| self.transitions[transition]));
        }
        kept
    }

    /// The mirror image of each information state, and of each transition its number among the image's transitions;
    /// `None` where there is no mirror.
    pub(crate) fn mirrored(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        if self.images.is_empty() {
            return None;
        }
        let mut info_states = vec![UNNOTICED; self.len()];
        let mut transitions = vec![UNNOTICED; self.transitions.len()];
        info_states[0] = 0;
        let mut open = vec![0];
        while let Some(info_state) = open.pop() {
            let image = info_states[info_state as usize];
            for (i, transition) in self.numbered_transitions(info_state) {
                let step = self.image_of(info_state, image, transition.step)?;
                let place = self.transitions(image).iter().position(|other| other.step == step)?;
                transitions[i] = place as u32;
                if info_states[transition.to as usize] == UNNOTICED {
                    info_states[transition.to as usize] = self.transitions(image)[place].to;
                    open.push(transition.to);
                }
            }
        }
        Some((info_states, transitions))
    }

    fn image_of(&self, info_state: u32, image: u32, step: Step) -> Option<Step> {
        let mv = match step.mv {
            Some(mv) => Some(self.image_move(info_state, image, mv)?),
            None => None,
        };
        let observation = match step.observation {
            Some(observation) => Some(*self.images.get(&observation)?),
            None => None,
        };
        Some(Step { mv, observation })
    }

    /// The place of a move's mirror image among the moves of `image`, the mirror image of the information state.
    pub(crate) fn image_move(&self, info_state: u32, image: u32, mv: u32) -> Option<u32> {
        let name = self.images.get(&self.move_names(info_state)[mv as usize])?;
        let place = self.move_names(image).iter().position(|other| other == name)?;
        Some(place as u32)
    }

    pub(crate) fn observation(&self, observation: u32) -> &str {
        &self.names[observation as usize]
    }
}
