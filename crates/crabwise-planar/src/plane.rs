//! A plane graph: a graph with the faces of a drawing in the plane, and its edges in order.
//!
//! Every edge is walked by faces exactly twice, once in each direction: a *dart* `u → v` belongs to the
//! one face on its right. So the bounded faces are walked clockwise and the outer one counter-clockwise
//! around the graph, and for each face it is enough to know which vertex comes after which. That is the *table
//! of faces*: a row for each vertex, a column for each face, the outer face last, and as entry the vertex
//! after the row's one on that face.
//!
//! The edges are in the order in which a reader of that table meets them, row by row, entry by entry; the
//! direction in which an edge is met first is called forward.

use std::collections::BTreeMap;

/// The most edges of a plane graph that is read or made here, and the most vertices.
pub const MOST_EDGES: usize = 128;

/// The neighbours of each vertex in clockwise order. That tells all faces: with the face on the right, after
/// the dart `u → v` comes `v → w`, where `w` is just before `u` around `v`.
pub type RotationSystem = Vec<Vec<usize>>;

/// The vertices of one closed walk along the border of a face.
pub type Walk = Vec<usize>;

/// The walks along the border of a face: one, unless something lies within the face apart from the rest.
pub type Face = Vec<Walk>;

/// A plane graph. Vertices and edges are numbered from 0.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaneGraph {
    /// What the vertices are called: `1`, `2`, … unless they have names of their own.
    pub names: Vec<String>,
    /// Where the vertices are drawn, x to the right and y upwards; edges are straight.
    pub places: Vec<[f64; 2]>,
    /// The edges, each in its forward direction.
    pub edges: Vec<[usize; 2]>,
    /// The bounded faces, in the order of the columns.
    pub faces: Vec<Face>,
    /// The outer face.
    pub outer: Face,
}

impl PlaneGraph {
    /// The plane graph with these faces, in this order. An error names the dart that is walked twice, or that
    /// is not walked although its reverse is.
    pub fn new(
        names: Vec<String>,
        places: Vec<[f64; 2]>,
        faces: Vec<Face>,
        outer: Face,
    ) -> Result<PlaneGraph, String> {
        let mut graph = PlaneGraph { names, places, edges: vec![], faces, outer };
        let mut darts: BTreeMap<[usize; 2], ()> = BTreeMap::new();
        for [u, v] in graph.borders().flat_map(darts_of) {
            if u == v {
                return Err(format!("an edge joins {} to itself", graph.names[u]));
            }
            if darts.insert([u, v], ()).is_some() {
                let [u, v] = graph.called([u, v]);
                return Err(format!("faces walk from {u} to {v} twice"));
            }
        }
        if let Some(&[u, v]) = darts.keys().find(|&&[u, v]| !darts.contains_key(&[v, u])) {
            let [u, v] = graph.called([u, v]);
            return Err(format!("a face walks from {u} to {v}, but none from {v} to {u}"));
        }
        graph.edges = mapping(&graph.face_table());
        Ok(graph)
    }

    /// The plane graph with these faces in canonical order: each walk from its least vertex on, and the
    /// least walk first. It does not depend on how the faces were found.
    pub fn canonical(
        names: Vec<String>,
        places: Vec<[f64; 2]>,
        faces: Vec<Face>,
        outer: Face,
    ) -> Result<PlaneGraph, String> {
        let mut faces: Vec<Face> = faces.into_iter().map(canonical_face).collect();
        faces.sort();
        PlaneGraph::new(names, places, faces, canonical_face(outer))
    }

    /// The table of faces: for each vertex and each face, the outer one last, the vertices that come after the
    /// vertex on the face; none where it is not on it.
    pub fn face_table(&self) -> Vec<Vec<Vec<usize>>> {
        let mut table = vec![vec![vec![]; self.faces.len() + 1]; self.names.len()];
        for (column, face) in self.borders().enumerate() {
            for [u, v] in darts_of(face) {
                table[u][column].push(v);
            }
        }
        table
    }

    /// The number of edges at each vertex.
    pub fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.names.len()];
        self.edges.iter().flatten().for_each(|&vertex| degrees[vertex] += 1);
        degrees
    }

    /// How many connected components there are, lone vertices included.
    pub fn components(&self) -> usize {
        let neighbours = adjacency(self.names.len(), &self.edges);
        connected_components(&neighbours)
            .iter()
            .enumerate()
            .filter(|(v, component)| v == *component)
            .count()
    }

    fn borders(&self) -> impl Iterator<Item = &Face> {
        self.faces.iter().chain([&self.outer])
    }

    fn called(&self, dart: [usize; 2]) -> [&str; 2] {
        dart.map(|vertex| self.names[vertex].as_str())
    }
}

/// Plane graphs side by side, left to right, numbered on. A name that an earlier one has gets primes,
/// unless all names are `1`, `2`, ….
pub fn side_by_side(graphs: Vec<PlaneGraph>) -> PlaneGraph {
    let numbered =
        |graph: &PlaneGraph| graph.names.iter().zip(1..).all(|(name, n)| *name == n.to_string());
    let renumber = graphs.iter().all(numbered);
    let (mut names, mut places): (Vec<String>, Vec<[f64; 2]>) = (vec![], vec![]);
    let (mut faces, mut outer): (Vec<Face>, Face) = (vec![], vec![]);
    let mut begin = 0.0;
    for graph in graphs.into_iter().filter(|graph| !graph.names.is_empty()) {
        let before = names.len();
        let on = |face: Face| -> Face {
            face.into_iter().map(|walk| walk.into_iter().map(|v| v + before).collect()).collect()
        };
        let (left, right) = extent(&graph.places, 0);
        let (low, high) = extent(&graph.places, 1);
        for ([x, y], name) in graph.places.into_iter().zip(graph.names) {
            places.push([x - left + begin, y - (low + high) / 2.0]);
            let mut name = if renumber { (names.len() + 1).to_string() } else { name };
            while names.contains(&name) {
                name.push('\'');
            }
            names.push(name);
        }
        begin += right - left + 1.0;
        faces.extend(graph.faces.into_iter().map(on));
        outer.extend(on(graph.outer));
    }
    PlaneGraph::new(names, places, faces, outer).expect("graphs side by side share no dart")
}

/// The least and the greatest coordinate along an axis.
pub(crate) fn extent(places: &[[f64; 2]], axis: usize) -> (f64, f64) {
    let along = places.iter().map(|place| place[axis]);
    (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
}

/// The darts along the border of a face, in order. A walk of a lone vertex has none.
pub fn darts_of(face: &Face) -> impl Iterator<Item = [usize; 2]> {
    let around = |walk: &Walk| {
        let next = walk.iter().cycle().skip(1);
        walk.iter().zip(next).map(|(&u, &v)| [u, v]).collect::<Vec<_>>()
    };
    face.iter().filter(|walk| walk.len() > 1).flat_map(around)
}

/// The neighbours of each vertex, in the order of the edges.
pub fn adjacency(vertices: usize, edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![vec![]; vertices];
    for &[u, v] in edges {
        neighbours[u].push(v);
        neighbours[v].push(u);
    }
    neighbours
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
pub fn face_walks(rotation: &[Vec<usize>]) -> Vec<Walk> {
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

/// The connected component of each vertex, known by its least vertex.
pub fn connected_components(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut components = vec![usize::MAX; neighbours.len()];
    for least in 0..neighbours.len() {
        let mut reached = vec![least];
        while let Some(v) = reached.pop() {
            if components[v] == usize::MAX {
                components[v] = least;
                reached.extend(&neighbours[v]);
            }
        }
    }
    components
}

/// A face in canonical order: each walk from where it is the least, the least first.
fn canonical_face(face: Face) -> Face {
    let mut face: Face = face.into_iter().map(from_least).collect();
    face.sort();
    face
}

/// A walk from where it is the least.
pub fn from_least(mut walk: Walk) -> Walk {
    let least = (0..walk.len()).min_by_key(|&i| [&walk[i..], &walk[..i]].concat());
    walk.rotate_left(least.unwrap_or(0));
    walk
}
