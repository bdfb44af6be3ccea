//! Islands and bridges in memory, in the order in which the file first names them.

use crabwise::Outcome;

/// A whole graph. The bridges of all islands stand one after the other, and so do the keys.
pub(super) struct Islands {
    pub(super) keys: String,
    /// Where each key ends.
    pub(super) key_ends: Vec<usize>,
    /// For each island, increasing and without repetitions, where its bridges lead.
    pub(super) bridges: Vec<u32>,
    /// Where the bridges of each island end.
    pub(super) bridge_ends: Vec<usize>,
    pub(super) marks: Vec<Mark>,
    pub(super) start: u32,
}

impl Islands {
    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    pub(super) fn key(&self, island: u32) -> &str {
        &self.keys[span(&self.key_ends, island)]
    }

    pub(super) fn bridges(&self, island: u32) -> &[u32] {
        &self.bridges[span(&self.bridge_ends, island)]
    }

    pub(super) fn mark(&self, island: u32) -> Mark {
        self.marks[island as usize]
    }
}

/// What belongs to an island in a list that holds all islands' things one after the other.
pub(super) fn span(ends: &[usize], island: u32) -> std::ops::Range<usize> {
    let island = island as usize;
    let begin = if island == 0 { 0 } else { ends[island - 1] };
    begin..ends[island]
}

/// The outcome and the owner of an island, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Mark(u8);

impl Mark {
    const OUTCOME: u8 = 0b11;
    const SIDE: u8 = 0b1100;
    pub(super) const DEFINED: u8 = 0b1_0000;
    /// The key as it was given lacked the letter, which the owner supplied.
    pub(super) const COMPLETED: u8 = 0b10_0000;

    pub(super) fn has(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    pub(super) fn with(self, bits: u8) -> Mark {
        Mark(self.0 | bits)
    }

    /// The outcome that the file declares.
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self.0 & Mark::OUTCOME {
            1 => Some(Outcome::Loss),
            2 => Some(Outcome::Tie),
            3 => Some(Outcome::Win),
            _ => None,
        }
    }

    pub(super) fn with_outcome(self, outcome: Outcome) -> Mark {
        let code = match outcome {
            Outcome::Loss => 1,
            Outcome::Tie => 2,
            Outcome::Win => 3,
        };
        Mark(self.0 & !Mark::OUTCOME | code)
    }

    /// Which pirate is to move, 0 or 1; `None` while that is unknown.
    pub(super) fn side(self) -> Option<usize> {
        match self.0 & Mark::SIDE {
            0b0100 => Some(0),
            0b1000 => Some(1),
            _ => None,
        }
    }

    pub(super) fn with_side(self, side: usize) -> Mark {
        Mark(self.0 & !Mark::SIDE | 0b0100 << side)
    }

    /// Without what only the reading needs.
    pub(super) fn settled(self) -> Mark {
        Mark(self.0 & (Mark::OUTCOME | Mark::SIDE))
    }
}

/// What a game string asks for beside the file; it overrides what the file says.
#[derive(Clone, Default)]
pub(super) struct Wishes {
    /// Whether every bridge may lead to an island of the same letter.
    pub(super) again: bool,
    pub(super) turns: Option<[char; 2]>,
    pub(super) start: Option<String>,
}
