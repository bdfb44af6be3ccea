//! A position as a sum of parts that have nothing to do with each other any more.
//!
//! **Safe moves.** A cell that is one edge short is one all of whose edges but one are marked, all the
//! same way round. Let a move be *safe* if no cell is one edge short after it.
//!
//! Theorem. In a position without a cell that is one edge short, the player to move wins exactly if they
//! win the game in which both make safe moves only, no cell counts, and whoever cannot move loses.
//!
//! Proof. To mark the missing edge so that the cell closes is always legal: the walk around the cell comes
//! to each end of the edge by an arrow in and leaves it by an arrow out, so neither becomes a sink or a
//! source. So a player who makes a move that is not safe loses at once, and one who has no safe move loses. Nobody
//! can close a cell in a position where none is one edge short, and after a safe move none is; so among safe
//! moves no cell is ever closed, and the last to move safely wins.                                       ∎
//!
//! Safe play is impartial play in which the last to move wins, so its nimbers add over positions that do not
//! touch each other. The nimber that counts a closed cell as a loss of the next player does not: a closed
//! cell ends the other parts too.
//!
//! **Residue.** What a vertex still means to play is whether it may become a source, and whether a sink;
//! what a cell means is which way round it may close. A vertex without either, and a cell that closes
//! neither way, are dropped. Further:
//! - An edge that is the last one at both ends, and may go neither way, is dead: it is dropped and its ends
//!   are never full. Its cells close neither way, because the arrows next to it both lead away from it, or
//!   both towards it. A leaf's edge is dead under the strict rule.
//! - Where an edge is the last one at one end and cannot enter it, it will never leave the other end; that
//!   one can then not become a source by it.
//!
//! Edges that share no such vertex and no such cell, directly or through others, are different parts.
//!
//! **Mirrors.** Let τ be a symmetry of the board, its own inverse, such that a part is the same after τ and
//! turning all arrows around, τ fixes no unmarked edge of it, and each cell of it is mapped to itself or has
//! no two unmarked edges that τ swaps. Then the part is lost by whoever moves.
//!
//! Proof. The other player answers the marking of an edge by that of its image, turned around; the part is
//! then as before. The answer is legal: at a vertex that τ fixes and that both edges meet, one arrow is in
//! and one out; a vertex that τ does not fix meets only one of them (else the edge would be fixed), and
//! looks turned around as its image did after the first move, which was legal. It is safe: a cell that τ
//! fixes has an even number of unmarked edges after it; any other cell with the second edge has not the
//! first, and looks turned around as its image did after the first move, which was safe. (No two edges join
//! the same vertices.)                                                                                    ∎
//!
//! (The theorem of Alvarado and others on involutions is the case of the empty board.)

use crabwise::{Options, Summands, index::key};

use super::{
    certificate::{self, Web},
    symmetry::{Frame, Symmetry},
};

/// A connected board with at most 64 edges, vertices and cells.
#[derive(Debug)]
pub(crate) struct Ground {
    frame: Frame,
    /// The edges at each vertex.
    at: Vec<u64>,
    /// The edges of each cell.
    around: Vec<u64>,
    /// The cells of each edge, and whether forward is clockwise there.
    cells_of: Vec<Vec<(u8, bool)>>,
    /// The vertices that may not become sinks and sources.
    guarded: u64,
    /// For each item, a random number for its image under each symmetry, and another one. Items are the
    /// edges, then the vertices as sources, as sinks, the cells clockwise, and the other way.
    low: Vec<Vec<u64>>,
    high: Vec<Vec<u64>>,
    lanes: usize,
    mirrors: Vec<Mirror>,
    /// Whether most vertices lie on paths, so that parts are better known by their certificates.
    long: bool,
}

/// A symmetry that may show that a part is lost.
#[derive(Debug)]
struct Mirror {
    lane: usize,
    /// The edges that it fixes.
    fixed: u64,
    /// For each cell, the edges whose images are in it too; none if the cell is its own image.
    inner: Vec<u64>,
}

/// A part of a position on one of the grounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    ground: u8,
    /// Whether a mirror shows that it is lost.
    mirrored: bool,
    key: u128,
    state: State,
}

/// The residue of a position or of a part of it: unmarked edges, the vertices that may become sources and
/// sinks, the cells that may close clockwise and the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct State {
    unmarked: u64,
    source: u64,
    sink: u64,
    clockwise: u64,
    counter: u64,
}

/// The components of a board, each once, and how positions on them fall apart.
#[derive(Debug)]
pub(crate) struct Grounds(Vec<Ground>);

/// The most symmetries that are used.
const SYMMETRIES: usize = 32;
const LANES: usize = 2 * SYMMETRIES;

fn bit(i: usize) -> u64 {
    1 << i
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            next
        })
    })
}

impl Ground {
    /// `None` if there are more than 64 edges, vertices or cells.
    pub(crate) fn new(frame: Frame, leaf_exempt: bool, salt: u64) -> Option<Ground> {
        let (vertices, edges, cells) = (frame.vertices, frame.edges.len(), frame.cells.len());
        if vertices.max(edges).max(cells) > 64 {
            return None;
        }
        let mut at = vec![0; vertices];
        for (e, ends) in frame.edges.iter().enumerate() {
            ends.iter().for_each(|&v| at[v] |= bit(e));
        }
        let mut cells_of = vec![vec![]; edges];
        for (c, cell) in frame.cells.iter().enumerate() {
            cell.iter().for_each(|&(e, way)| cells_of[e].push((c as u8, way)));
        }
        let around = (frame.cells.iter())
            .map(|cell| cell.iter().fold(0, |set, &(e, _)| set | bit(e)))
            .collect();
        let guarded = (0..vertices)
            .filter(|&v| at[v].count_ones() > u32::from(leaf_exempt))
            .fold(0, |set, v| set | bit(v));
        let symmetries = frame.symmetries(SYMMETRIES);
        let [low, high] = [0, 1].map(|word| rows(&frame, &symmetries, (salt << 1) + word));
        let lanes = 2 * symmetries.len();
        let path = |edges: &&u64| edges.count_ones() == 2;
        // Cell 63 would be taken for no set.
        let long = 2 * at.iter().filter(path).count() > vertices
            && cells_of.iter().all(|cells| cells.len() <= 2)
            && cells < 64;
        let mut ground = Ground {
            frame,
            at,
            around,
            cells_of,
            guarded,
            low,
            high,
            lanes,
            mirrors: vec![],
            long,
        };
        ground.mirrors = ground.mirrors_of(&symmetries);
        Some(ground)
    }

    fn mirrors_of(&self, symmetries: &[Symmetry]) -> Vec<Mirror> {
        let involutions =
            symmetries.iter().enumerate().filter(|(_, s)| s.involutive() && !s.is_identity());
        involutions
            .map(|(i, symmetry)| {
                let image =
                    |set: u64| bits(set).fold(0, |image, e| image | bit(symmetry.edges[e].0));
                let fixed = (0..self.frame.edges.len())
                    .filter(|&e| symmetry.edges[e].0 == e)
                    .fold(0, |set, e| set | bit(e));
                let inner = (self.around.iter().enumerate())
                    .map(|(c, &set)| if symmetry.cells[c].0 == c { 0 } else { set & image(set) })
                    .collect();
                // The odd lanes are those with the arrows turned around.
                Mirror { lane: 2 * i + 1, fixed, inner }
            })
            .collect()
    }

    /// The residue of a position given by its marked edges and those that are marked forward; `None` if a
    /// cell is closed or one edge short.
    fn residue(&self, marked: u64, forward: u64) -> Option<State> {
        let all = |n: usize| if n == 64 { !0 } else { bit(n) - 1 };
        let cells = all(self.frame.cells.len());
        let mut state = State {
            unmarked: all(self.frame.edges.len()) & !marked,
            source: self.guarded,
            sink: self.guarded,
            clockwise: cells,
            counter: cells,
        };
        for e in bits(marked) {
            state.arrow(self, e, forward & bit(e) != 0);
        }
        let alive = state.clockwise | state.counter;
        if bits(alive).any(|c| (self.around[c] & state.unmarked).count_ones() < 2) {
            return None;
        }
        (0..self.frame.vertices).for_each(|v| state.settle(self, v));
        Some(state)
    }

    /// Whether an edge may be marked so, safely.
    fn safe(&self, state: &State, e: usize, forward: bool) -> bool {
        let [tail, head] = self.frame.edges[e];
        let (from, to) = if forward { (tail, head) } else { (head, tail) };
        let last = |v: usize| self.at[v] & state.unmarked == bit(e);
        if state.source & bit(from) != 0 && last(from) || state.sink & bit(to) != 0 && last(to) {
            return false;
        }
        (self.cells_of[e].iter()).all(|&(c, way)| {
            let alive = if way == forward { state.clockwise } else { state.counter };
            alive >> c & 1 == 0 || (self.around[c as usize] & state.unmarked).count_ones() != 2
        })
    }

    /// The parts of a residue, one after the other.
    fn split(&self, ground: u8, mut state: State, mut each: impl FnMut(Part)) {
        while state.unmarked != 0 {
            let part = self.part_of(&state, state.unmarked.trailing_zeros() as usize);
            state.unmarked &= !part.unmarked;
            each(self.finish(ground, part));
        }
    }

    /// The part that an edge belongs to.
    fn part_of(&self, state: &State, edge: usize) -> State {
        let (mut edges, mut new) = (bit(edge), bit(edge));
        let (mut vertices, mut cells) = (0, 0);
        let guarded = state.source | state.sink;
        let alive = state.clockwise | state.counter;
        while new != 0 {
            let mut next = 0;
            for e in bits(new) {
                for &v in &self.frame.edges[e] {
                    if guarded & !vertices & bit(v) != 0 {
                        vertices |= bit(v);
                        next |= self.at[v];
                    }
                }
                for &(c, _) in &self.cells_of[e] {
                    if alive & !cells & bit(c.into()) != 0 {
                        cells |= bit(c.into());
                        next |= self.around[usize::from(c)];
                    }
                }
            }
            new = next & state.unmarked & !edges;
            edges |= new;
        }
        State {
            unmarked: edges,
            source: state.source & vertices,
            sink: state.sink & vertices,
            clockwise: state.clockwise & cells,
            counter: state.counter & cells,
        }
    }

    /// The key of a part: the least over all symmetries, with and without turning all arrows around.
    fn finish(&self, ground: u8, state: State) -> Part {
        let mut low = [0u64; LANES];
        let low = &mut low[..self.lanes];
        for item in self.items(&state) {
            low.iter_mut().zip(&self.low[item]).for_each(|(sum, number)| *sum ^= number);
        }
        let high =
            |lane: usize| self.items(&state).fold(0, |sum, item| sum ^ self.high[item][lane]);
        let mirrored = self.mirrors.iter().any(|mirror| {
            let lane = mirror.lane;
            low[lane] == low[0] && high(lane) == high(0) && mirror.shows(&state)
        });
        let key = if self.long {
            self.web(&state).key()
        } else {
            let least = (0..self.lanes).min_by_key(|&lane| low[lane]).unwrap_or(0);
            u128::from(high(least)) << 64 | u128::from(low[least])
        };
        Part { ground, mirrored, key, state }
    }

    /// What play on a part depends on, without where the part lies.
    fn web(&self, state: &State) -> Web {
        let mut web = Web::default();
        for e in bits(state.unmarked) {
            let [tail, head] = self.frame.edges[e];
            web.edge([(tail, head, true), (head, tail, false)].map(|(from, to, forward)| {
                let mut sets = [certificate::NONE; certificate::SETS];
                if state.source & bit(from) != 0 {
                    sets[0] = from as u8;
                }
                if state.sink & bit(to) != 0 {
                    sets[1] = 64 + to as u8;
                }
                for (&(c, way), place) in self.cells_of[e].iter().zip(&mut sets[2..]) {
                    let (alive, first) =
                        if way == forward { (state.clockwise, 128) } else { (state.counter, 192) };
                    if alive & bit(c.into()) != 0 {
                        *place = first + c;
                    }
                }
                sets
            }));
        }
        web
    }

    /// All that a part is made of, as the rows are numbered.
    fn items(&self, state: &State) -> impl Iterator<Item = usize> {
        let (e, v, c) = (self.frame.edges.len(), self.frame.vertices, self.frame.cells.len());
        let sets = [
            (state.unmarked, 0),
            (state.source, e),
            (state.sink, e + v),
            (state.clockwise, e + 2 * v),
            (state.counter, e + 2 * v + c),
        ];
        sets.into_iter().flat_map(|(set, first)| bits(set).map(move |i| first + i))
    }
}

impl Mirror {
    /// Whether a part that is its own image is lost by it.
    fn shows(&self, state: &State) -> bool {
        let alive = state.clockwise | state.counter;
        state.unmarked & self.fixed == 0 && bits(alive).all(|c| self.inner[c] & state.unmarked == 0)
    }
}

impl State {
    /// What an arrow along an edge does to its ends and cells.
    fn arrow(&mut self, ground: &Ground, e: usize, forward: bool) {
        let [tail, head] = ground.frame.edges[e];
        let (from, to) = if forward { (tail, head) } else { (head, tail) };
        self.sink &= !bit(from);
        self.source &= !bit(to);
        for &(c, way) in &ground.cells_of[e] {
            let other = if way == forward { &mut self.counter } else { &mut self.clockwise };
            *other &= !bit(c.into());
        }
        self.unmarked &= !bit(e);
    }

    /// Drops what has no meaning any more once `v` has one edge left.
    fn settle(&mut self, ground: &Ground, v: usize) {
        let left = ground.at[v] & self.unmarked;
        let guarded = |state: &State, v: usize| (state.source | state.sink) & bit(v) != 0;
        if left.count_ones() != 1 || !guarded(self, v) {
            return;
        }
        let e = left.trailing_zeros() as usize;
        let [tail, head] = ground.frame.edges[e];
        let x = if v == tail { head } else { tail };
        let single = ground.at[x] & self.unmarked == left;
        let has = |set: u64, v: usize| set & bit(v) != 0;
        // Which ways the edge may not go: out of v, into v.
        let out = has(self.source, v) || single && has(self.sink, x);
        let into = has(self.sink, v) || single && has(self.source, x);
        if out && into {
            self.unmarked &= !left;
            let ends = bit(v) | bit(x);
            self.source &= !ends;
            self.sink &= !ends;
        } else if single {
            // Both ends say the same, so that it does not matter which said it.
            let (source, sink) = if out { (v, x) } else { (x, v) };
            self.source |= bit(source);
            self.sink |= bit(sink);
        } else if out {
            self.sink &= !bit(x);
        } else {
            self.source &= !bit(x);
        }
    }
}

impl Grounds {
    pub(crate) fn new(grounds: Vec<Ground>) -> Grounds {
        Grounds(grounds)
    }

    /// The parts of a position on one of the grounds; `None` if a cell is closed or one edge short.
    pub(crate) fn parts(&self, ground: usize, marked: u64, forward: u64) -> Option<Vec<Part>> {
        let mut parts = vec![];
        let state = self.0[ground].residue(marked, forward)?;
        self.0[ground].split(ground as u8, state, |part| parts.push(part));
        Some(parts)
    }
}

impl Summands for Grounds {
    type Part = Part;

    fn key(&self, part: &Part) -> u128 {
        part.key
    }

    fn size(&self, part: &Part) -> u32 {
        part.state.unmarked.count_ones()
    }

    fn sight(&self, part: &Part) -> Option<u32> {
        // The one edge of a part may go one way at least, and then nothing is left.
        match part.mirrored {
            true => Some(0),
            false => part.state.unmarked.is_power_of_two().then_some(1),
        }
    }

    /// By what the largest ground needed when it was measured.
    fn room(&self) -> u64 {
        let edges = self.0.iter().map(|ground| ground.frame.edges.len() as u32).max().unwrap_or(0);
        1 << (edges + 7).clamp(16, 31)
    }

    fn options(&self, part: &Part, options: &mut Options<Part>) {
        let ground = &self.0[usize::from(part.ground)];
        for e in bits(part.state.unmarked) {
            let mut other = None;
            for forward in [true, false] {
                if !ground.safe(&part.state, e, forward) {
                    continue;
                }
                let mut state = part.state;
                state.arrow(ground, e, forward);
                ground.frame.edges[e].iter().for_each(|&v| state.settle(ground, v));
                if other == Some(state) {
                    continue;
                }
                other = Some(state);
                ground.split(part.ground, state, |part| options.part(part));
                options.done();
            }
        }
    }
}

/// A random number for each item, and from these the rows of each item's images.
fn rows(frame: &Frame, symmetries: &[Symmetry], salt: u64) -> Vec<Vec<u64>> {
    let (e, v, c) = (frame.edges.len(), frame.vertices, frame.cells.len());
    let items = e + 2 * v + 2 * c;
    let number = |item: usize| key(&item, salt);
    let image = |item: usize, symmetry: &Symmetry, turn: bool| {
        if item < e {
            return symmetry.edges[item].0;
        }
        let (i, second, n, first) = match item - e {
            i if i < 2 * v => (i % v, i >= v, v, e),
            i => ((i - 2 * v) % c, i - 2 * v >= c, c, e + 2 * v),
        };
        let (image, turned) = match n == v && first == e {
            true => (symmetry.vertices[i], turn),
            false => (symmetry.cells[i].0, symmetry.cells[i].1 ^ turn),
        };
        first + image + if second ^ turned { n } else { 0 }
    };
    let lanes: Vec<(&Symmetry, bool)> =
        symmetries.iter().flat_map(|s| [(s, false), (s, true)]).collect();
    let row = |item| lanes.iter().map(|&(s, turn)| number(image(item, s, turn))).collect();
    (0..items).map(row).collect()
}
