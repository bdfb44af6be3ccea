//! Where each information set's sequences lie, which the information state alone decides.
//!
//! Sequence 0 is the empty one. Then come information sets as a walk through the tree of them meets them first: of an
//! information set at which the player has to move its sequences, one a move, and after them whatever can follow, in
//! the order of the transitions. So the sequences of an information set lie side by side, information sets later in a
//! line have greater numbers, and how far a set's own sequences lie from those of the set before depends on the two
//! information states and on nothing else.

use super::{error::HiddenError, info_states::InfoStates};

/// What the tree of information sets under each information state of a player looks like.
pub(crate) struct Shape {
    /// How many sequences lie under an information state, its own included.
    pub sequences: Vec<u64>,
    /// How many information sets at which the player has to move lie under an information state.
    pub info_sets: Vec<u64>,
    /// How far the sequences under each transition are from those of its information state.
    pub offsets: Vec<u32>,
}

impl Shape {
    pub fn new(info_states: &InfoStates) -> Result<Shape, HiddenError> {
        let mut shape = Shape {
            sequences: vec![UNKNOWN; info_states.len()],
            info_sets: vec![0; info_states.len()],
            offsets: vec![0; info_states.transition_range(info_states.len() as u32 - 1).end],
        };
        for info_state in 0..info_states.len() {
            shape.fill(info_states, info_state as u32)?;
        }
        Ok(shape)
    }

    fn fill(&mut self, info_states: &InfoStates, info_state: u32) -> Result<(), HiddenError> {
        match self.sequences[info_state as usize] {
            UNKNOWN => self.sequences[info_state as usize] = UNDER_WAY,
            UNDER_WAY => {
                let what = "a player can come back to the same information state";
                return Err(HiddenError::Contract(what.into()));
            }
            _ => return Ok(()),
        }
        let moves = u64::from(info_states.moves(info_state));
        let (mut sequences, mut info_sets) = (moves, u64::from(moves > 0));
        for (i, transition) in info_states.numbered_transitions(info_state) {
            self.fill(info_states, transition.to)?;
            // Too many for this are too many to be laid out, which is found before they are.
            self.offsets[i] = u32::try_from(sequences).unwrap_or(u32::MAX);
            sequences = sequences.saturating_add(self.sequences[transition.to as usize]).min(MOST);
            info_sets = info_sets.saturating_add(self.info_sets[transition.to as usize]);
        }
        (self.sequences[info_state as usize], self.info_sets[info_state as usize]) =
            (sequences, info_sets);
        Ok(())
    }
}

const UNKNOWN: u64 = u64::MAX;
const UNDER_WAY: u64 = u64::MAX - 1;
const MOST: u64 = u64::MAX - 2;
