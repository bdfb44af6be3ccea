//! The rules of the Game of Cycles, on one board.
//!
//! A move marks an edge with a direction, and may not make any vertex a sink, with all edges marked inwards,
//! or a source. Whoever closes a cell, so that all edges around it are marked the same way round, wins at
//! once; otherwise whoever makes the last move wins. Rules: Alvarado, Averett, Gaines, Jackson, Karker,
//! Marciniak, Su and Walker, "The Game of Cycles", American Mathematical Monthly 128 (2021).
//!
//! A cell is a bounded face whose border runs along no edge twice, or, on request, any cycle without a chord.
//! The edge of a leaf can never be marked under the strict rule; some papers exempt leaves.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use crabwise::{Game, Outcome, Summed, watch::Shown};
use crabwise_planar::{
    PlaneGraph,
    plane::{Face, darts_of},
};

use super::{
    parts::{Ground, Grounds, Part},
    symmetry::{Cell, Frame, Symmetry},
};

/// What counts as a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// The bounded faces.
    Faces,
    /// All cycles without a chord, wherever they run.
    Chordless,
}

/// A set of edges.
pub(crate) type Set = u128;

/// The most edges that a set can hold.
const MOST_EDGES: usize = 128;

/// A board and what the rules say about it.
#[derive(Clone, Debug)]
pub(crate) struct Cycles {
    pub(crate) board: Arc<PlaneGraph>,
    pub(crate) leaf_exempt: bool,
    pub(crate) cells: Vec<Cell>,
    /// The vertices around each cell.
    pub(crate) outlines: Vec<Vec<usize>>,
    pieces: Arc<Pieces>,
    symmetries: OnceLock<Vec<Symmetry>>,
    /// For each cell, the edges whose forward direction is one way round, and the other way.
    ways: Vec<[Set; 2]>,
    /// For each guarded vertex, the edges whose forward direction enters it, and leaves it.
    guarded: Vec<Option<[Set; 2]>>,
}

/// The marked edges, and those of them that are marked forward.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) marked: Set,
    pub(crate) forward: Set,
}

impl Marks {
    /// These marks with all arrows turned around.
    pub(crate) fn reversed(&self) -> Marks {
        Marks { marked: self.marked, forward: self.marked & !self.forward }
    }
}

pub(super) fn bit(edge: usize) -> Set {
    1 << edge
}

impl Cycles {
    pub(crate) fn new(
        board: Arc<PlaneGraph>,
        leaf_exempt: bool,
        kind: Cells,
    ) -> Result<Cycles, String> {
        let edges = board.edges.len();
        if edges > MOST_EDGES {
            return Err(format!("the board has {edges} edges, more than {MOST_EDGES}"));
        }
        let (outlines, cells): (Vec<_>, Vec<Cell>) = match kind {
            Cells::Faces => faces(&board),
            Cells::Chordless => chordless(&board)?,
        }
        .into_iter()
        .unzip();
        let pieces = Arc::new(Pieces::new(&board, &cells, leaf_exempt)?);
        let ways = |cell: &Cell| {
            let way =
                |way| cell.iter().filter(|one| one.1 == way).fold(0, |set, one| set | bit(one.0));
            [way(true), way(false)]
        };
        let degrees = board.degrees();
        let guard = |v: usize| {
            let end = |end: usize| {
                let ends = board.edges.iter().enumerate().filter(|(_, edge)| edge[end] == v);
                ends.fold(0, |set, (e, _)| set | bit(e))
            };
            (degrees[v] > usize::from(leaf_exempt)).then(|| [end(1), end(0)])
        };
        let guarded = (0..board.names.len()).map(guard).collect();
        let ways = cells.iter().map(ways).collect();
        let symmetries = OnceLock::new();
        Ok(Cycles { board, leaf_exempt, cells, outlines, pieces, symmetries, ways, guarded })
    }

    /// The symmetries of the whole board, or enough of them.
    pub(crate) fn symmetries(&self) -> &[Symmetry] {
        const ENOUGH: usize = 1024;
        self.symmetries.get_or_init(|| {
            let (edges, cells) = (self.board.edges.clone(), self.cells.clone());
            Frame { vertices: self.board.names.len(), edges, cells }.symmetries(ENOUGH)
        })
    }

    /// An edge without a direction.
    pub(crate) fn unmarked(&self, edge: usize) -> String {
        let [u, v] = self.board.edges[edge].map(|v| &self.board.names[v]);
        format!("{u}–{v}")
    }

    /// Whether no vertex is a sink or a source.
    pub(crate) fn legal(&self, at: &Marks) -> bool {
        (0..self.guarded.len()).all(|v| self.wrecked(v, at).is_none())
    }

    /// What a guarded vertex has become that it may not be, if it has.
    fn wrecked(&self, v: usize, at: &Marks) -> Option<&'static str> {
        let [enter, leave] = self.guarded[v]?;
        let incoming = at.forward & enter | at.marked & !at.forward & leave;
        match incoming {
            _ if (enter | leave) & !at.marked != 0 => None,
            0 => Some("source"),
            all if all == enter | leave => Some("sink"),
            _ => None,
        }
    }

    /// Whether the edges around some cell are all marked the same way round.
    pub(crate) fn closed(&self, at: &Marks) -> bool {
        (0..self.ways.len()).any(|cell| self.is_closed(cell, at))
    }

    /// Whether those around one cell are.
    pub(crate) fn is_closed(&self, cell: usize, at: &Marks) -> bool {
        let [one, other] = self.ways[cell];
        let all = one | other;
        all & !at.marked == 0 && (at.forward & all == one || at.forward & all == other)
    }

    /// The cells that are one edge short of being closed, each with the move that closes it.
    pub(crate) fn short(&self, at: &Marks) -> Vec<(usize, Arrow)> {
        let moves = |(c, &[one, other]): (usize, &[Set; 2])| {
            let all = one | other;
            let left = all & !at.marked;
            let edge = left.trailing_zeros() as usize;
            [one, other].into_iter().filter(move |_| left.count_ones() == 1).filter_map(
                move |way| {
                    let arrow = Arrow::new(&self.board, edge, way & left != 0);
                    (at.forward & all | way & left == way).then_some((c, arrow))
                },
            )
        };
        self.ways.iter().enumerate().flat_map(moves).collect()
    }

    pub(super) fn after(at: &Marks, edge: usize, forward: bool) -> Marks {
        let set = if forward { bit(edge) } else { 0 };
        Marks { marked: at.marked | bit(edge), forward: at.forward | set }
    }
}

/// The pieces of a board that no vertex and no cell joins.
#[derive(Debug)]
struct Pieces {
    grounds: Arc<Grounds>,
    /// For each piece, which ground it is and which edges of the board are the ground's.
    pieces: Vec<(usize, Vec<usize>)>,
}

impl Pieces {
    fn new(board: &PlaneGraph, cells: &[Cell], leaf_exempt: bool) -> Result<Pieces, String> {
        // Each edge is in the piece of the least edge that it is joined with.
        let mut piece: Vec<usize> = (0..board.edges.len()).collect();
        let mut join = |a: usize, b: usize| {
            let (a, b) = (piece[a].min(piece[b]), piece[a].max(piece[b]));
            piece.iter_mut().filter(|piece| **piece == b).for_each(|piece| *piece = a);
        };
        for (e, edge) in board.edges.iter().enumerate() {
            for v in edge {
                let first = board.edges.iter().position(|other| other.contains(v));
                join(first.unwrap_or(e), e);
            }
        }
        cells.iter().for_each(|cell| cell.iter().for_each(|&(e, _)| join(cell[0].0, e)));
        let mut firsts = piece.clone();
        firsts.sort_unstable();
        firsts.dedup();
        let (mut frames, mut pieces) = (vec![], vec![]);
        for first in firsts {
            let edges: Vec<usize> = (0..piece.len()).filter(|&e| piece[e] == first).collect();
            let frame = frame(board, cells, &edges);
            // Equal pieces share a ground, so that their positions are known for each other's.
            let ground = frames.iter().position(|other| *other == frame).unwrap_or(frames.len());
            if ground == frames.len() {
                frames.push(frame);
            }
            pieces.push((ground, edges));
        }
        let ground = |(i, frame): (usize, Frame)| Ground::new(frame, leaf_exempt, i as u64);
        let grounds: Option<Vec<Ground>> = frames.into_iter().enumerate().map(ground).collect();
        let most = "a board in one piece may have at most 64 edges, vertices and cells";
        Ok(Pieces { grounds: Arc::new(Grounds::new(grounds.ok_or(most)?)), pieces })
    }
}

/// Some edges of a board with their vertices and cells, numbered anew in the same order.
fn frame(board: &PlaneGraph, cells: &[Cell], edges: &[usize]) -> Frame {
    let mut vertices: Vec<usize> = edges.iter().flat_map(|&e| board.edges[e]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |list: &[usize], one: usize| list.iter().position(|&other| other == one);
    let vertex = |v: usize| number(&vertices, v).unwrap_or(0);
    let cell = |cell: &Cell| -> Option<Cell> {
        cell.iter().map(|&(e, way)| Some((number(edges, e)?, way))).collect()
    };
    Frame {
        vertices: vertices.len(),
        edges: edges.iter().map(|&e| board.edges[e].map(vertex)).collect(),
        cells: cells.iter().filter_map(cell).collect(),
    }
}

impl Summed for Cycles {
    type Parts = Grounds;

    fn summands(&self) -> Arc<Grounds> {
        self.pieces.grounds.clone()
    }

    fn sum(&self, at: &Marks) -> Option<Vec<Part>> {
        let mut sum = vec![];
        for (ground, edges) in &self.pieces.pieces {
            let local = |set: Set| {
                let bits = edges.iter().enumerate().map(|(i, &e)| ((set >> e & 1) as u64) << i);
                bits.fold(0, |set, bit| set | bit)
            };
            sum.extend(self.pieces.grounds.parts(*ground, local(at.marked), local(at.forward))?);
        }
        Some(sum)
    }
}

/// The bounded faces that are cells, with the vertices around them.
fn faces(board: &PlaneGraph) -> Vec<(Vec<usize>, Cell)> {
    let edge = |[u, v]: [usize; 2]| {
        let (e, &found) = (board.edges.iter().enumerate())
            .find(|&(_, &edge)| edge == [u, v] || edge == [v, u])
            .expect("faces walk along edges");
        (e, found == [u, v])
    };
    let cell = |face: &Face| {
        let mut cell: Cell = darts_of(face).map(edge).collect();
        cell.sort_unstable();
        let twice = cell.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!twice && !cell.is_empty()).then(|| (face.concat(), cell))
    };
    board.faces.iter().filter_map(cell).collect()
}

/// All cycles without a chord, each from its least vertex on towards the lesser of its two neighbours.
fn chordless(board: &PlaneGraph) -> Result<Vec<(Vec<usize>, Cell)>, String> {
    const MOST: usize = 64;
    const TRIES: usize = 1_000_000;
    let mut around = vec![vec![]; board.names.len()];
    for (e, &[u, v]) in board.edges.iter().enumerate() {
        around[u].push((v, (e, true)));
        around[v].push((u, (e, false)));
    }
    let joined = |u: usize, v: usize| around[u].iter().find(|&&(w, _)| w == v).map(|&(_, e)| e);
    let mut cells = vec![];
    let mut paths: Vec<(Vec<usize>, Cell)> = (0..around.len()).map(|v| (vec![v], vec![])).collect();
    let mut tried = 0;
    while let Some((path, cell)) = paths.pop() {
        tried += 1;
        if tried > TRIES {
            return Err("the board is too large to find its chordless cycles".into());
        }
        let (first, last) = (path[0], path[path.len() - 1]);
        for &(v, edge) in &around[last] {
            // A vertex next to an inner one of the path would make a chord.
            let inner = path.get(1..path.len() - 1).unwrap_or_default();
            if v < first || path.contains(&v) || inner.iter().any(|&u| joined(u, v).is_some()) {
                continue;
            }
            let (path, cell) = ([&path[..], &[v]].concat(), [&cell[..], &[edge]].concat());
            match joined(v, first).filter(|_| path.len() > 2) {
                // The cycle is closed, and comes both ways round.
                Some(edge) if path[1] < v => cells.push((path, [&cell[..], &[edge]].concat())),
                Some(_) => {}
                None => paths.push((path, cell)),
            }
        }
        if cells.len() > MOST {
            return Err(format!("the board has more than {MOST} chordless cycles"));
        }
    }
    Ok(cells)
}

impl Game for Cycles {
    type Position = Marks;
    type Move = Arrow;

    fn start(&self) -> Marks {
        Marks::default()
    }

    fn moves(&self, at: &Marks) -> impl IntoIterator<Item = Arrow> {
        let at = *at;
        let edges = self.board.edges.iter().enumerate();
        edges.filter(move |(e, _)| at.marked & bit(*e) == 0).flat_map(move |(e, ends)| {
            let legal = move |forward: &bool| {
                let after = Cycles::after(&at, e, *forward);
                ends.iter().all(|&v| self.wrecked(v, &after).is_none())
            };
            let arrow = move |forward| Arrow::new(&self.board, e, forward);
            [true, false].into_iter().filter(legal).map(arrow)
        })
    }

    fn play(&self, at: &Marks, arrow: Arrow) -> Marks {
        Cycles::after(at, arrow.edge, arrow.forward)
    }

    fn over(&self, at: &Marks) -> Option<Outcome> {
        let stuck = || self.moves(at).into_iter().next().is_none();
        (self.closed(at) || stuck()).then_some(Outcome::Loss)
    }

    /// An arrow may be typed `3-7`, `3>7` and `3->7` too.
    fn means(&self, word: &str, arrow: &Arrow) -> bool {
        let [from, to] = arrow.ends().map(|v| self.board.names[v].as_str());
        let rest = word.strip_prefix(from).and_then(|rest| rest.strip_suffix(to));
        matches!(rest, Some("→" | "-" | ">" | "->"))
    }

    /// The edges by what has become of them.
    fn show(&self, at: &Marks) -> String {
        let edges = |marked: bool| {
            (0..self.board.edges.len()).filter(move |e| (at.marked >> e & 1 == 1) == marked)
        };
        let arrow = |e: usize| Arrow::new(&self.board, e, at.forward >> e & 1 == 1).to_string();
        let unmarked: Vec<String> = edges(false).map(|e| self.unmarked(e)).collect();
        let marked: Vec<String> = edges(true).map(arrow).collect();
        let closing: Vec<String> =
            self.short(at).iter().map(|(_, arrow)| arrow.to_string()).collect();
        let list = |name: &str, list: &[String]| match list {
            [] => String::new(),
            list => format!("{name} {}\n", list.join(" ")),
        };
        let around = |walk: &Vec<usize>| {
            walk.iter().map(|&v| self.board.names[v].as_str()).collect::<Vec<_>>().join("-")
        };
        let cells: Vec<String> = self.outlines.iter().map(around).collect();
        let outer: Vec<String> = self.board.outer.iter().map(around).collect();
        let board = list("cells:   ", &cells) + &list("outside: ", &outer);
        let text = board + &list("marked:  ", &marked) + &list("unmarked:", &unmarked);
        let text = text + &list("closing: ", &if self.closed(at) { vec![] } else { closing });
        text.trim_end().into()
    }

    /// The list of the original program: for each edge 1 for forward, -1 for backward, 0 for unmarked.
    fn notation(&self, at: &Marks) -> String {
        let edge = |e: usize| match (at.marked >> e & 1, at.forward >> e & 1) {
            (0, _) => "0",
            (_, 1) => "1",
            _ => "-1",
        };
        (0..self.board.edges.len()).map(edge).collect::<Vec<_>>().join(",")
    }

    fn barred(&self, at: &Marks) -> Vec<(Arrow, String)> {
        self.spoilers(at)
    }

    /// That list, or the table of the position.
    fn read(&self, word: &str) -> Option<Result<(Marks, u32), String>> {
        if word.starts_with("[[") {
            return Some(self.read_signed_table(word).and_then(|at| self.sound(at)));
        }
        let list = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        let edges = self.board.edges.len();
        if list.is_none()
            && !word.contains(',')
            && !(edges == 1 && ["0", "1", "-1"].contains(&word))
        {
            return None;
        }
        Some(self.read_list(list.unwrap_or(word)))
    }
}

impl Cycles {
    /// A position of the original program.
    fn read_list(&self, list: &str) -> Result<(Marks, u32), String> {
        let (words, edges) = (list.split(','), self.board.edges.len());
        if words.clone().count() != edges {
            let found = words.count();
            return Err(format!("it has {found} numbers, and the board {edges} edges"));
        }
        let mut at = Marks::default();
        for (e, word) in words.enumerate() {
            match word.trim() {
                "0" => {}
                "1" => at = Cycles::after(&at, e, true),
                "-1" => at = Cycles::after(&at, e, false),
                other => {
                    let edge = self.unmarked(e);
                    let other = Shown(other);
                    return Err(format!("'{other}' for edge {edge} is none of 0, 1 and -1"));
                }
            }
        }
        self.sound(at)
    }

    /// A position with the number of moves that led to it, if it has neither sinks nor sources.
    fn sound(&self, at: Marks) -> Result<(Marks, u32), String> {
        match (0..self.guarded.len()).find_map(|v| Some((v, self.wrecked(v, &at)?))) {
            Some((v, wreck)) => Err(format!("vertex {} is a {wreck}", self.board.names[v])),
            None => Ok((at, at.marked.count_ones())),
        }
    }

    /// The arrows that would make a sink or a source, and where.
    fn spoilers(&self, at: &Marks) -> Vec<(Arrow, String)> {
        let mut spoilers = vec![];
        if self.closed(at) {
            return spoilers;
        }
        let edges = self.board.edges.iter().enumerate();
        for (e, ends) in edges.filter(|(e, _)| at.marked & bit(*e) == 0) {
            for forward in [true, false] {
                let after = Cycles::after(at, e, forward);
                let wreck = |&v: &usize| {
                    let wreck = self.wrecked(v, &after)?;
                    Some(format!("a {wreck} at {}", self.board.names[v]))
                };
                let wrecks: Vec<String> = ends.iter().filter_map(wreck).collect();
                if !wrecks.is_empty() {
                    let why = format!("would make {}", wrecks.join(" and "));
                    spoilers.push((Arrow::new(&self.board, e, forward), why));
                }
            }
        }
        spoilers
    }
}

/// An edge and a direction, written `3→7`.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub(crate) edge: usize,
    pub(crate) forward: bool,
    board: Arc<PlaneGraph>,
}

impl Arrow {
    pub(crate) fn new(board: &Arc<PlaneGraph>, edge: usize, forward: bool) -> Arrow {
        Arrow { edge, forward, board: board.clone() }
    }

    /// Where the arrow begins, and where it ends.
    pub(crate) fn ends(&self) -> [usize; 2] {
        let [tail, head] = self.board.edges[self.edge];
        if self.forward { [tail, head] } else { [head, tail] }
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.ends().map(|v| &self.board.names[v]);
        write!(f, "{from}→{to}")
    }
}
