//! What is known of boards beforehand: published theorems, mirrors, and the conjecture that the parity of
//! the number of edges decides.
//!
//! Theorems: Alvarado and others, "The Game of Cycles" (2021); Mathews, "Game of Cycles on spider graphs";
//! Barua, Bhuyan and others, and Freeman and others, on trees with exempt leaves; Fokkink and Zandee, on two
//! triangles. A board is known by its shape, whatever it is called.

use crabwise::{Game, Outcome, Studied, Theory, game::theory::Prediction, index::key};

use super::{
    rules::{Arrow, Cycles, Marks},
    symmetry::Symmetry,
};

impl Studied for Cycles {
    fn theory(&self) -> Theory {
        // What tells the winner how to play comes first.
        let mut predictions: Vec<Prediction> = self.mirror().into_iter().collect();
        predictions.extend(self.theorems());
        predictions.push(self.parity());
        Theory { unit: "edges", size: self.board.edges.len() as u64, predictions }
    }

    fn kind(&self, at: &Marks, arrow: &Arrow) -> u64 {
        let after = self.play(at, arrow.clone());
        let images = self.symmetries().iter().map(|symmetry| symmetry.image(&after));
        let images = images.flat_map(|image| [image, image.reversed()]);
        key(&images.map(|image| (image.marked, image.forward)).min(), 0)
    }
}

impl Symmetry {
    /// Where it takes a marking.
    fn image(&self, at: &Marks) -> Marks {
        let edges = self.edges.iter().enumerate().filter(|(e, _)| at.marked >> e & 1 == 1);
        edges.fold(Marks::default(), |image, (e, &(to, turned))| Marks {
            marked: image.marked | 1 << to,
            forward: image.forward | u128::from((at.forward >> e & 1 == 1) != turned) << to,
        })
    }
}

fn outcome(wins: bool) -> Outcome {
    if wins { Outcome::Win } else { Outcome::Loss }
}

fn theorem(by: &str, wins: bool, words: &str) -> Prediction {
    Prediction { by: by.into(), outcome: outcome(wins), proven: true, words: words.into() }
}

impl Cycles {
    /// The conjecture that the first player wins exactly if an odd number of edges can be marked.
    fn parity(&self) -> Prediction {
        let degrees = self.board.degrees();
        let dead = |edge: &&[usize; 2]| !self.leaf_exempt && edge.iter().any(|&v| degrees[v] == 1);
        let edges = self.board.edges.len() - self.board.edges.iter().filter(dead).count();
        let (by, odd) = ("edge parity".into(), edges % 2 == 1);
        let words = format!("{edges} edges can be marked, {}", if odd { "odd" } else { "even" });
        Prediction { by, outcome: outcome(odd), proven: false, words }
    }

    /// The published theorems that speak of this board.
    fn theorems(&self) -> Vec<Prediction> {
        let shape = Shape::of(self);
        let mut found = vec![];
        let mut add = |by, wins, words| found.push(theorem(by, wins, words));
        if shape.parts == 1 && shape.is_cycle() {
            let words = "a cycle: the first player wins exactly if it is odd";
            add("Alvarado et al., Theorem 3", shape.vertices % 2 == 1, words);
        }
        if shape.parts == 1 && shape.is_chorded() {
            let words = "a cycle with a chord: the first player wins exactly if it is even";
            add("Alvarado et al., Theorem 4", shape.vertices.is_multiple_of(2), words);
        }
        if shape.parts == 1 && shape.has_ear() {
            let words = "a cycle with an inner vertex at two corners: the first player wins \
                         exactly if it is odd";
            add("Alvarado et al., Theorem 5", shape.vertices.is_multiple_of(2), words);
        }
        if shape.is_k4() {
            add("Alvarado et al., Theorem 1", false, "the complete graph on four vertices");
        }
        if let Some(beside) = shape.is_bowtie() {
            let words = match beside {
                true => "two triangles side by side: the second player wins",
                false => "one triangle inside the other: the first player wins",
            };
            add("Fokkink and Zandee; Freeman et al.", !beside, words);
        }
        if shape.is_tree() && self.leaf_exempt {
            let words = "a tree with exempt leaves: the number of edges decides";
            add("Barua et al.; Freeman et al.", shape.edges % 2 == 1, words);
        }
        if shape.is_tree() && !self.leaf_exempt && shape.odd_spider() {
            add("Mathews", false, "a spider with three odd legs");
        }
        found
    }

    /// How a symmetry wins, if one does: at once, or after the one edge that it keeps has been marked.
    fn mirror(&self) -> Option<Prediction> {
        let involutions =
            || self.symmetries().iter().filter(|s| s.involutive() && !s.is_identity());
        let pairs = |symmetry: &Symmetry| {
            let pair = |(v, &w): (usize, &usize)| {
                (v < w).then(|| format!("{}↔{}", self.board.names[v], self.board.names[w]))
            };
            let pairs: Vec<String> =
                symmetry.vertices.iter().enumerate().filter_map(pair).collect();
            format!(
                "close a cell if you can, else answer every arrow by its image, turned around, where {}",
                pairs.join(", ")
            )
        };
        let by = "pairing by a symmetry, Alvarado et al.";
        if let Some(symmetry) = involutions().find(|s| self.paired(s, None)) {
            return Some(theorem(by, false, &pairs(symmetry)));
        }
        let found = involutions().find_map(|symmetry| {
            let kept = (0..self.board.edges.len()).find(|&e| symmetry.edges[e] == (e, true))?;
            self.paired(symmetry, Some(kept)).then_some((symmetry, kept))
        });
        found.map(|(symmetry, kept)| {
            let first = Arrow::new(&self.board, kept, true);
            theorem(by, true, &format!("play {first}; then {}", pairs(symmetry)))
        })
    }

    /// Whether a symmetry pairs all edges that can be marked, but for one that has been, and no cell has two
    /// edges of a pair unless it is kept. See `parts` for why the one who answers then wins.
    fn paired(&self, symmetry: &Symmetry, marked: Option<usize>) -> bool {
        let degrees = self.board.degrees();
        let dead =
            |e: usize| !self.leaf_exempt && self.board.edges[e].iter().any(|&v| degrees[v] == 1);
        let free = |&e: &usize| Some(e) != marked && !dead(e);
        let moved = (0..self.board.edges.len()).filter(free).all(|e| symmetry.edges[e].0 != e);
        let apart = |(c, cell): (usize, &super::symmetry::Cell)| {
            symmetry.cells[c].0 == c
                || !(cell.iter().map(|&(e, _)| e).filter(free))
                    .any(|e| cell.iter().any(|&(other, _)| other == symmetry.edges[e].0))
        };
        let legal = marked.is_none_or(|e| !dead(e));
        moved && legal && self.cells.iter().enumerate().all(apart)
    }
}

/// What theorems ask about a board.
struct Shape<'a> {
    game: &'a Cycles,
    vertices: usize,
    edges: usize,
    parts: usize,
    degrees: Vec<usize>,
}

impl<'a> Shape<'a> {
    fn of(game: &'a Cycles) -> Shape<'a> {
        let degrees = game.board.degrees();
        let (vertices, edges) = (degrees.len(), game.board.edges.len());
        Shape { game, vertices, edges, parts: game.board.components(), degrees }
    }

    fn of_degree(&self, degree: usize) -> Vec<usize> {
        (0..self.vertices).filter(|&v| self.degrees[v] == degree).collect()
    }

    /// The lengths of the cells.
    fn cells(&self) -> Vec<usize> {
        let mut cells: Vec<usize> = self.game.cells.iter().map(Vec::len).collect();
        cells.sort_unstable();
        cells
    }

    fn is_cycle(&self) -> bool {
        self.of_degree(2).len() == self.vertices && self.cells() == [self.vertices]
    }

    /// The edge between the two vertices of degree three of a board that has only such paths.
    fn chord(&self) -> Option<usize> {
        let three = self.of_degree(3);
        let paths = three.len() == 2 && self.of_degree(2).len() == self.vertices - 2;
        if !paths || self.parts != 1 || self.game.cells.len() != 2 {
            return None;
        }
        self.game.board.edges.iter().position(|edge| edge.iter().all(|v| three.contains(v)))
    }

    fn is_chorded(&self) -> bool {
        let Some(chord) = self.chord() else { return false };
        self.game.cells.iter().all(|cell| cell.iter().any(|&(e, _)| e == chord))
    }

    /// Whether a triangle lies inside a cycle, on one of its edges.
    fn has_ear(&self) -> bool {
        let Some(chord) = self.chord() else { return false };
        let with = |cell: &&super::symmetry::Cell| cell.iter().any(|&(e, _)| e == chord);
        let cells: Vec<_> = self.game.cells.iter().filter(with).collect();
        cells.len() == 1 && cells[0].len() == 3
    }

    fn is_k4(&self) -> bool {
        (self.vertices, self.edges) == (4, 6) && self.cells() == [3, 3, 3]
    }

    /// Whether two triangles share a vertex, and lie side by side.
    fn is_bowtie(&self) -> Option<bool> {
        let bowtie = self.parts == 1
            && (self.vertices, self.edges) == (5, 6)
            && (self.of_degree(4).len(), self.of_degree(2).len()) == (1, 4);
        match self.cells()[..] {
            [3, 3] if bowtie => Some(true),
            [3, 6] if bowtie => Some(false),
            _ => None,
        }
    }

    fn is_tree(&self) -> bool {
        self.parts == 1 && self.edges + 1 == self.vertices && self.edges > 0
    }

    /// Whether a tree is three legs of odd length at one vertex.
    fn odd_spider(&self) -> bool {
        let heads = self.of_degree(3);
        if heads.len() != 1 || self.of_degree(1).len() != 3 {
            return false;
        }
        let edges = &self.game.board.edges;
        let next = |from: usize, at: usize| {
            edges.iter().find_map(|&[u, v]| match at {
                at if at == u && v != from => Some(v),
                at if at == v && u != from => Some(u),
                _ => None,
            })
        };
        let leg = |first: usize| {
            let (mut from, mut at, mut length) = (heads[0], first, 1);
            while let Some(further) = next(from, at) {
                (from, at, length) = (at, further, length + 1);
            }
            length
        };
        let around = edges.iter().filter(|edge| edge.contains(&heads[0]));
        around.map(|&[u, v]| leg(if u == heads[0] { v } else { u })).all(|leg| leg % 2 == 1)
    }
}
