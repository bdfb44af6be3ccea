//! Markings by the set of marked edges, and what the rules say about sixty-four of them at a time.
//!
//! The markings of a set of *t* edges are a row, numbered by the directions of its edges: bit *i* for the
//! *i*-th edge of the set, one for forward. Turning all arrows around changes nothing about play, so only
//! markings whose last edge is forward are in the row, and it has 2^(t−1) of them.
//!
//! A rule about some edges of the set, all of which must be directed in a given way, holds for the markings
//! whose number has given bits in given places; so a word of 64 markings is told at once.

use std::ops::Range;

use super::rules::Cycles;
use crabwise::index::combinadic::compress;

/// The rules about sets of edges, for boards of fewer than 64 edges.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) edges: u32,
    /// For each guarded vertex, its edges, and those of them whose forward direction enters it.
    vertices: Vec<Rule>,
    /// For each cell, its edges, and those of them whose forward direction is one way round.
    cells: Vec<Rule>,
    ends: Vec<[Option<usize>; 2]>,
}

/// Some edges, and those of them that are forward where all are directed alike.
#[derive(Clone, Copy, Debug)]
struct Rule {
    edges: u64,
    forward: u64,
}

/// What numbers of markings have in common: given bits in given places.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    places: u64,
    bits: u64,
}

/// The markings of a set of edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    rows: &'a Rows,
    pub(crate) set: u64,
}

/// How many markings with all these edges marked there are.
pub(crate) fn row_len(marks: u32) -> u64 {
    1 << marks.saturating_sub(1)
}

impl Rows {
    pub(crate) fn new(game: &Cycles) -> Rows {
        let board = &game.board;
        let degrees = board.degrees();
        let guarded = |&v: &usize| degrees[v] > usize::from(game.leaf_exempt);
        let vertices: Vec<usize> = (0..board.names.len()).filter(guarded).collect();
        let rule = |v: usize| {
            let at = board.edges.iter().enumerate().filter(|(_, edge)| edge.contains(&v));
            at.fold(Rule { edges: 0, forward: 0 }, |rule, (e, edge)| Rule {
                edges: rule.edges | 1 << e,
                forward: rule.forward | u64::from(edge[1] == v) << e,
            })
        };
        let cell = |cell: &super::symmetry::Cell| {
            cell.iter().fold(Rule { edges: 0, forward: 0 }, |rule, &(e, way)| Rule {
                edges: rule.edges | 1 << e,
                forward: rule.forward | u64::from(way) << e,
            })
        };
        let place = |v: usize| vertices.iter().position(|&other| other == v);
        Rows {
            edges: board.edges.len() as u32,
            ends: board.edges.iter().map(|edge| edge.map(place)).collect(),
            vertices: vertices.iter().map(|&v| rule(v)).collect(),
            cells: game.cells.iter().map(cell).collect(),
        }
    }

    pub(crate) fn row(&self, set: u64) -> Row<'_> {
        Row { rows: self, set }
    }
}

impl Rule {
    /// The markings of a row in which these edges are all directed alike, one way and the other.
    fn patterns(self, set: u64) -> impl Iterator<Item = Pattern> {
        let top = 1 << set.count_ones() >> 1;
        let places = compress(self.edges, set);
        let bits = compress(self.forward, set);
        [bits, bits ^ places].into_iter().filter_map(move |bits| {
            // The last edge is forward, and is in no number.
            let possible = places & top == 0 || bits & top != 0;
            possible.then_some(Pattern { places: places & !top, bits: bits & !top })
        })
    }
}

impl Pattern {
    /// Which of the markings from 64·`word` on are so, a bit each.
    #[inline]
    fn within(self, word: u64) -> u64 {
        if word & self.places >> 6 == self.bits >> 6 { self.low() } else { 0 }
    }

    /// Which of 64 numbers have the low bits of the pattern.
    fn low(self) -> u64 {
        const PLACES: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        PLACES.iter().enumerate().fold(!0, |low, (i, &ones)| {
            match (self.places >> i & 1, self.bits >> i & 1) {
                (0, _) => low,
                (_, 1) => low & ones,
                _ => low & !ones,
            }
        })
    }
}

/// Calls `each` with every word in which some numbers have the pattern, and with these.
fn tell(pattern: Pattern, words: &Range<u64>, mut each: impl FnMut(usize, u64)) {
    let low = pattern.low();
    let (places, bits) = (pattern.places >> 6, pattern.bits >> 6);
    for word in words.clone() {
        if word & places == bits {
            each((word - words.start) as usize, low);
        }
    }
}

impl Row<'_> {
    /// Whether all these edges are in the set.
    fn covers(&self, rule: &Rule) -> bool {
        rule.edges & !self.set == 0
    }

    /// Fills `out` with which markings have a sink or a source, in words of 64 from the given one on.
    pub(crate) fn wrecked(&self, words: Range<u64>, out: &mut Vec<u64>) {
        self.alike(self.rows.vertices.iter(), &words, out);
    }

    /// Tells the markings with a closed cell.
    pub(crate) fn closed(&self, words: Range<u64>, out: &mut Vec<u64>) {
        self.alike(self.rows.cells.iter(), &words, out);
    }

    /// Tells the markings in which all edges of some rule are directed alike.
    fn alike<'r>(
        &self,
        rules: impl Iterator<Item = &'r Rule>,
        words: &Range<u64>,
        out: &mut Vec<u64>,
    ) {
        out.clear();
        out.resize((words.end - words.start) as usize, 0);
        for rule in rules.filter(|rule| self.covers(rule)) {
            for pattern in rule.patterns(self.set) {
                tell(pattern, words, |i, low| out[i] |= low);
            }
        }
    }

    /// Tells the markings that play does not come to. Without a closed cell every marking that is legal
    /// can be reached, in any order of its arrows; with closed cells exactly if they have an edge in
    /// common, which was then marked last.
    pub(crate) fn astray(&self, words: Range<u64>, out: &mut Vec<u64>) {
        let (mut closed, mut without) = (vec![], vec![]);
        self.closed(words.clone(), &mut closed);
        out.clear();
        out.resize(closed.len(), 0);
        for edge in (0..self.rows.edges).filter(|edge| self.set >> edge & 1 == 1) {
            let others = self.rows.cells.iter().filter(|rule| rule.edges >> edge & 1 == 0);
            self.alike(others, &words, &mut without);
            out.iter_mut().zip(&without).for_each(|(out, without)| *out |= !without);
        }
        // So far `out` has those with an edge that all closed cells share.
        out.iter_mut().zip(&closed).for_each(|(out, closed)| *out = closed & !*out);
    }

    /// Adds to `counts` how many moves each marking of a word has, if it is neither wrecked nor closed.
    pub(crate) fn moves(&self, word: u64, counts: &mut [u16; 64]) {
        counts.fill(0);
        for edge in (0..self.rows.edges).filter(|edge| self.set >> edge & 1 == 0) {
            for forward in [true, false] {
                let legal = !self.barred(edge, forward, word);
                (0..64).for_each(|i| counts[i] += (legal >> i & 1) as u16);
            }
        }
    }

    /// The markings of a word in which an edge may not be marked so.
    fn barred(&self, edge: u32, forward: bool, word: u64) -> u64 {
        let mut barred = 0;
        for vertex in self.rows.ends[edge as usize].into_iter().flatten() {
            let rule = self.rows.vertices[vertex];
            let others = rule.edges & !(1 << edge);
            if others & !self.set != 0 {
                continue;
            }
            // All other arrows in if this one enters, all out if it leaves.
            let enters = (rule.forward >> edge & 1 == 1) == forward;
            let wanted = if enters { rule.forward } else { !rule.forward };
            let top = 1 << self.set.count_ones() >> 1;
            let (places, bits) = (compress(others, self.set), compress(wanted & others, self.set));
            if places & top == 0 || bits & top != 0 {
                barred |= Pattern { places: places & !top, bits: bits & !top }.within(word);
            }
        }
        barred
    }
}
