//! The symmetries of a board: permutations of its vertices that keep edges and cells.
//!
//! How the board is drawn does not matter to play, only what is an edge and what is a cell; so a symmetry
//! need be none of the drawing, and every part that hangs on a cut vertex may be turned over by itself.
//! A symmetry maps an edge to an edge, forward or not, and a cell to a cell, the same way round or not.

/// Who plays together in a cell: its edges, each with whether forward is one way round or the other.
pub(crate) type Cell = Vec<(usize, bool)>;

/// The part of a board that symmetries keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) vertices: usize,
    pub(crate) edges: Vec<[usize; 2]>,
    pub(crate) cells: Vec<Cell>,
}

/// One symmetry: the images of all vertices, edges and cells, and whether these are turned around.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symmetry {
    pub(crate) vertices: Vec<usize>,
    pub(crate) edges: Vec<(usize, bool)>,
    pub(crate) cells: Vec<(usize, bool)>,
}

impl Symmetry {
    /// Whether it is its own inverse.
    pub(crate) fn involutive(&self) -> bool {
        self.vertices.iter().enumerate().all(|(v, &image)| self.vertices[image] == v)
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.vertices.iter().enumerate().all(|(v, &image)| v == image)
    }
}

/// How many partial maps are tried before the search is given up. What was found until then is right,
/// and not all there is.
const TRIES: usize = 100_000;

impl Frame {
    /// At most `most` symmetries, the identity first.
    pub(crate) fn symmetries(&self, most: usize) -> Vec<Symmetry> {
        let mut neighbours = vec![vec![]; self.vertices];
        for (edge, &[u, v]) in self.edges.iter().enumerate() {
            neighbours[u].push((v, edge));
            neighbours[v].push((u, edge));
        }
        let mut search = Finder {
            frame: self,
            order: order(&neighbours),
            neighbours,
            image: vec![usize::MAX; self.vertices],
            taken: vec![false; self.vertices],
            found: vec![],
            most,
            tries: 0,
        };
        search.extend(0);
        search.found
    }

    /// What a map of the vertices makes of edges and cells, if it keeps them.
    fn lift(&self, vertices: &[usize]) -> Option<Symmetry> {
        let place = |[u, v]: [usize; 2]| {
            (self.edges.iter().enumerate()).find_map(|(i, &edge)| {
                if edge == [u, v] {
                    Some((i, false))
                } else {
                    (edge == [v, u]).then_some((i, true))
                }
            })
        };
        let edges: Vec<(usize, bool)> = (self.edges.iter())
            .map(|edge| place(edge.map(|v| vertices[v])))
            .collect::<Option<_>>()?;
        let image = |cell: &Cell| {
            let mut image: Cell =
                cell.iter().map(|&(e, way)| (edges[e].0, way ^ edges[e].1)).collect();
            image.sort_unstable();
            image
        };
        let sorted: Vec<Cell> = (self.cells.iter())
            .map(|cell| {
                let mut cell = cell.clone();
                cell.sort_unstable();
                cell
            })
            .collect();
        let find = |cell: &Cell| {
            let image = image(cell);
            let turned: Cell = image.iter().map(|&(e, way)| (e, !way)).collect();
            (sorted.iter().position(|other| *other == image).map(|i| (i, false)))
                .or_else(|| sorted.iter().position(|other| *other == turned).map(|i| (i, true)))
        };
        let cells = self.cells.iter().map(find).collect::<Option<_>>()?;
        Some(Symmetry { vertices: vertices.to_vec(), edges, cells })
    }
}

/// All vertices, each after a neighbour of it where there is one.
fn order(neighbours: &[Vec<(usize, usize)>]) -> Vec<usize> {
    let mut order: Vec<usize> = vec![];
    let mut seen = vec![false; neighbours.len()];
    for first in 0..neighbours.len() {
        let mut next = order.len();
        if !seen[first] {
            seen[first] = true;
            order.push(first);
        }
        while next < order.len() {
            for &(v, _) in &neighbours[order[next]] {
                if !seen[v] {
                    seen[v] = true;
                    order.push(v);
                }
            }
            next += 1;
        }
    }
    order
}

struct Finder<'a> {
    frame: &'a Frame,
    neighbours: Vec<Vec<(usize, usize)>>,
    order: Vec<usize>,
    image: Vec<usize>,
    taken: Vec<bool>,
    found: Vec<Symmetry>,
    most: usize,
    tries: usize,
}

impl Finder<'_> {
    /// Maps the vertices from the `nth` of the order on in every way.
    fn extend(&mut self, nth: usize) {
        if self.found.len() == self.most || self.tries == TRIES {
            return;
        }
        self.tries += 1;
        let Some(&vertex) = self.order.get(nth) else {
            self.found.extend(self.frame.lift(&self.image));
            return;
        };
        // Itself first, so that the identity is found first.
        let others = (0..self.image.len()).filter(|&image| image != vertex);
        for image in [vertex].into_iter().chain(others) {
            if !self.taken[image] && self.fits(vertex, image) {
                self.taken[image] = true;
                self.image[vertex] = image;
                self.extend(nth + 1);
                self.image[vertex] = usize::MAX;
                self.taken[image] = false;
            }
        }
    }

    /// Whether a vertex may go there: with as many neighbours, and with its mapped neighbours around it.
    fn fits(&self, vertex: usize, image: usize) -> bool {
        let around = &self.neighbours[image];
        let near = |v: usize| around.iter().any(|&(w, _)| w == v);
        around.len() == self.neighbours[vertex].len()
            && (self.neighbours[vertex].iter())
                .map(|&(v, _)| self.image[v])
                .all(|v| v == usize::MAX || near(v))
    }
}
