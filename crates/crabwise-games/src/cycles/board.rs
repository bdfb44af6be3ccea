//! A board: a plane graph with its faces, and its edges in order.
//!
//! Every edge is walked by faces exactly twice, once in each direction: a *dart* `u → v` belongs to the
//! one face on its right. So the bounded faces are walked clockwise and the outer one counter-clockwise
//! around the graph, and for each face it is enough to know who comes after whom. That is the game table
//! of the original program: a row a vertex, a column a face, the outer face last, and as entry the vertex
//! after the row's one on that face.
//!
//! The edges are in the order in which a reader of that table meets them, row by row, entry by entry; the
//! direction in which an edge is met first is called forward. Positions are written in this order.

use std::collections::BTreeMap;

/// The vertices of one closed walk along the border of a face.
pub(crate) type Walk = Vec<usize>;

/// The walks along the border of a face: one, unless something lies within the face apart from the rest.
pub(crate) type Face = Vec<Walk>;

/// A plane graph to play on. Vertices and edges are numbered from 0.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Board {
    /// What the vertices are called: `1`, `2`, … unless somebody named them.
    pub(crate) names: Vec<String>,
    /// Where the vertices are drawn, x to the right and y upwards; edges are straight.
    pub(crate) places: Vec<[f64; 2]>,
    /// The edges, each in its forward direction.
    pub(crate) edges: Vec<[usize; 2]>,
    /// The bounded faces, in the order of the columns.
    pub(crate) faces: Vec<Face>,
    /// The outer face.
    pub(crate) outer: Face,
}

impl Board {
    /// The board with these faces, in this order. An error names the dart that is walked twice, or that
    /// is not walked although its reverse is.
    pub(crate) fn new(
        names: Vec<String>,
        places: Vec<[f64; 2]>,
        faces: Vec<Face>,
        outer: Face,
    ) -> Result<Board, String> {
        let mut board = Board { names, places, edges: vec![], faces, outer };
        let mut darts: BTreeMap<[usize; 2], ()> = BTreeMap::new();
        for [u, v] in board.borders().flat_map(darts_of) {
            if u == v {
                return Err(format!("an edge joins {} to itself", board.names[u]));
            }
            if darts.insert([u, v], ()).is_some() {
                let [u, v] = board.called([u, v]);
                return Err(format!("faces walk from {u} to {v} twice"));
            }
        }
        if let Some(&[u, v]) = darts.keys().find(|&&[u, v]| !darts.contains_key(&[v, u])) {
            let [u, v] = board.called([u, v]);
            return Err(format!("a face walks from {u} to {v}, but none from {v} to {u}"));
        }
        board.edges = mapping(&board.table());
        Ok(board)
    }

    /// The same with the faces in the order in which nobody chose them: each walk from its least vertex
    /// on, and the least walk first.
    pub(crate) fn in_order(
        names: Vec<String>,
        places: Vec<[f64; 2]>,
        faces: Vec<Face>,
        outer: Face,
    ) -> Result<Board, String> {
        let mut faces: Vec<Face> = faces.into_iter().map(tidy).collect();
        faces.sort();
        Board::new(names, places, faces, tidy(outer))
    }

    /// The game table: for each vertex and each face, the outer one last, the vertices that come after the
    /// vertex on the face; none where it is not on it.
    pub(crate) fn table(&self) -> Vec<Vec<Vec<usize>>> {
        let mut table = vec![vec![vec![]; self.faces.len() + 1]; self.names.len()];
        for (column, face) in self.borders().enumerate() {
            for [u, v] in darts_of(face) {
                table[u][column].push(v);
            }
        }
        table
    }

    /// The number of edges at each vertex.
    pub(crate) fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.names.len()];
        self.edges.iter().flatten().for_each(|&vertex| degrees[vertex] += 1);
        degrees
    }

    /// How many pieces there are that no edge joins, lone vertices included.
    pub(crate) fn components(&self) -> usize {
        let mut neighbours = vec![vec![]; self.names.len()];
        for &[u, v] in &self.edges {
            neighbours[u].push(v);
            neighbours[v].push(u);
        }
        parts(&neighbours).iter().enumerate().filter(|(v, part)| v == *part).count()
    }

    fn borders(&self) -> impl Iterator<Item = &Face> {
        self.faces.iter().chain([&self.outer])
    }

    fn called(&self, dart: [usize; 2]) -> [&str; 2] {
        dart.map(|vertex| self.names[vertex].as_str())
    }
}

/// The darts along the border of a face, in order. A walk of a lone vertex has none.
pub(crate) fn darts_of(face: &Face) -> impl Iterator<Item = [usize; 2]> {
    let around = |walk: &Walk| {
        let next = walk.iter().cycle().skip(1);
        walk.iter().zip(next).map(|(&u, &v)| [u, v]).collect::<Vec<_>>()
    };
    face.iter().filter(|walk| walk.len() > 1).flat_map(around)
}

/// The edges in the order in which a reader of the table meets them.
fn mapping(table: &[Vec<Vec<usize>>]) -> Vec<[usize; 2]> {
    let mut edges: Vec<[usize; 2]> = vec![];
    for (u, row) in table.iter().enumerate() {
        for &v in row.iter().flatten() {
            // Rows before this one have brought all edges to their vertices.
            if v > u {
                edges.push([u, v]);
            }
        }
    }
    edges
}

/// All closed walks around faces, on the right of each of which its face lies. Vertices without
/// edges have none.
pub(crate) fn walks(rotation: &[Vec<usize>]) -> Vec<Walk> {
    let mut walked: Vec<Vec<bool>> = rotation.iter().map(|list| vec![false; list.len()]).collect();
    let mut walks = vec![];
    for u in 0..rotation.len() {
        for i in 0..rotation[u].len() {
            let (mut walk, mut from, mut index) = (vec![], u, i);
            while !walked[from][index] {
                walked[from][index] = true;
                walk.push(from);
                let to = rotation[from][index];
                let around = &rotation[to];
                let back = around.iter().position(|&vertex| vertex == from).unwrap_or(0);
                (from, index) = (to, (back + around.len() - 1) % around.len());
            }
            walks.extend((!walk.is_empty()).then_some(walk));
        }
    }
    walks
}

/// The connected part that each vertex is in, named by its least vertex.
pub(crate) fn parts(rotation: &[Vec<usize>]) -> Vec<usize> {
    let mut parts = vec![usize::MAX; rotation.len()];
    for least in 0..rotation.len() {
        let mut reached = vec![least];
        while let Some(v) = reached.pop() {
            if parts[v] == usize::MAX {
                parts[v] = least;
                reached.extend(&rotation[v]);
            }
        }
    }
    parts
}

/// Each walk from where it is the least, the least first.
fn tidy(face: Face) -> Face {
    let mut face: Face = face.into_iter().map(from_least).collect();
    face.sort();
    face
}

/// The same walk from where it is the least.
pub(crate) fn from_least(mut walk: Walk) -> Walk {
    let least = (0..walk.len()).min_by_key(|&i| [&walk[i..], &walk[..i]].concat());
    walk.rotate_left(least.unwrap_or(0));
    walk
}
