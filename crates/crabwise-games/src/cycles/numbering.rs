//! Markings by how many edges are marked, reversed ones sharing a slot.
//!
//! Every move marks one edge, so a tier is a number of marks. In a tier come the sets of that many edges, in
//! the order of [`Subsets`], and for each its row: see `rows`. Illegal markings are holes: a half
//! to nine tenths of all on the boards that people study. Without holes a child's slot would have to be searched for; now
//! it is where the bit is inserted, and a row is solved by byte-wise minima of whole runs. Compressed, holes take next to
//! no room.

use std::sync::Arc;

use crabwise::{
    Index, ReachabilityKernel, Slot,
    index::{
        combinadic::{Subsets, compress, expand},
        key,
    },
};

use super::{
    rows::{Rows, row_len},
    rules::{Cycles, Marks},
};

/// The most edges with which slots can be counted.
pub(crate) const MOST_EDGES: u32 = 40;

/// A tier for each number of marks.
pub(crate) struct Numbering {
    game: Cycles,
    rows: Arc<Rows>,
}

impl Numbering {
    /// For boards of at most [`MOST_EDGES`] edges.
    pub(crate) fn new(game: Cycles, rows: Arc<Rows>) -> Numbering {
        Numbering { game, rows }
    }
}

impl Index<Marks> for Numbering {
    fn tiers(&self) -> u32 {
        self.rows.edges + 1
    }

    fn len(&self, tier: u32) -> u64 {
        Subsets::new(self.rows.edges, tier).len() * row_len(tier)
    }

    fn slot(&self, at: &Marks) -> Slot {
        let (set, forward) = (at.marked as u64, at.forward as u64);
        let tier = set.count_ones();
        let first = set.checked_ilog2().map_or(0, |last| forward >> last & 1);
        // Turned around if the last edge is not forward.
        let forward = if first == 1 { forward } else { set & !forward };
        let place = compress(forward, set) & (row_len(tier) - 1);
        let row = Subsets::new(self.rows.edges, tier).rank(set);
        Slot { tier, index: row * row_len(tier) + place }
    }

    fn position(&self, slot: Slot) -> Option<Marks> {
        let len = row_len(slot.tier);
        let set = Subsets::new(self.rows.edges, slot.tier).unrank(slot.index / len);
        let last = if slot.tier == 0 { 0 } else { len };
        let forward = expand((slot.index % len) | last, set);
        let at = Marks { marked: set.into(), forward: forward.into() };
        self.game.legal(&at).then_some(at)
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        tier + 1
    }

    fn tier(&self, at: &Marks) -> u32 {
        at.marked.count_ones()
    }

    fn orbit(&self, at: &Marks) -> Vec<Marks> {
        if at.marked == 0 { vec![*at] } else { vec![*at, at.reversed()] }
    }

    fn images(&self, at: &Marks) -> Vec<Marks> {
        vec![*at, at.reversed()]
    }

    fn max_orbit(&self) -> u32 {
        2
    }

    /// With a key of the board and the rules, because a file may be edited.
    fn name(&self) -> String {
        let Cycles { board, cells, leaf_exempt, .. } = &self.game;
        format!("arrows-1-{:016x}", key(&(&board.edges, cells, *leaf_exempt), 0))
    }
}

/// What can be reached is seen from a marking itself.
pub(crate) struct Reachable(pub(crate) Arc<Rows>);

impl Reachable {
    /// Calls `each` with every row that some slots are in, with which of its words they touch, and with where
    /// these slots are in the row and in the run.
    fn rows(&self, tier: u32, from: u64, len: usize, mut each: impl FnMut(u64, u64, usize, usize)) {
        let (row, subsets) = (row_len(tier), Subsets::new(self.0.edges, tier));
        let mut done = 0;
        while done < len {
            let at = from + done as u64;
            let many = ((row - at % row) as usize).min(len - done);
            each(subsets.unrank(at / row), at % row, done, many);
            done += many;
        }
    }
}

impl ReachabilityKernel for Reachable {
    fn bytes(&self, _tier: u32) -> u64 {
        // A mark that says nothing: only that not everything counts.
        1
    }

    fn grain(&self, _tier: u32) -> u64 {
        1
    }

    fn spread(&self, _tier: u32, _from: u64, _before: &[u8], _out: &mut [u8]) {}

    fn settled(&self, _tier: u32, _marks: &[u8]) -> bool {
        false
    }

    fn settles(&self) -> u32 {
        self.0.edges
    }

    fn members(&self, tier: u32, from: u64, marks: Option<&[u8]>, out: &mut [u8]) {
        let both = if tier == 0 { 0b1 } else { 0b11 };
        let (mut wrecked, mut astray) = (vec![], vec![]);
        self.rows(tier, from, out.len(), |set, at, done, many| {
            let (row, words) = (self.0.row(set), at / 64..(at + many as u64).div_ceil(64));
            row.wrecked(words.clone(), &mut wrecked);
            if marks.is_some() {
                row.astray(words.clone(), &mut astray);
                wrecked.iter_mut().zip(&astray).for_each(|(out, astray)| *out |= astray);
            }
            for (i, out) in out[done..done + many].iter_mut().enumerate() {
                let place = at + i as u64 - words.start * 64;
                let out_of = wrecked[(place / 64) as usize] >> (place % 64) & 1 == 1;
                *out = if out_of { 0 } else { both };
            }
        });
    }

    fn moves(&self, tier: u32, from: u64, out: &mut [u16]) {
        let (mut wrecked, mut closed) = (vec![], vec![]);
        let mut counts = [0; 64];
        self.rows(tier, from, out.len(), |set, at, done, many| {
            let row = self.0.row(set);
            for word in at / 64..(at + many as u64).div_ceil(64) {
                row.wrecked(word..word + 1, &mut wrecked);
                row.closed(word..word + 1, &mut closed);
                row.moves(word, &mut counts);
                let none = wrecked[0] | closed[0];
                let (begin, end) = ((word * 64).max(at), (word * 64 + 64).min(at + many as u64));
                for place in begin..end {
                    let i = (place % 64) as usize;
                    let count = if none >> i & 1 == 1 { 0 } else { counts[i] };
                    out[done + (place - at) as usize] = count;
                }
            }
        });
    }
}
