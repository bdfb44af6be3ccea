//! Every plane graph can be drawn with straight edges and the faces it has, for three reasons.
//!
//! In a disc of triangles whose rim is a convex polygon, let each inner vertex be a mean of its
//! neighbours, with whatever weights: then nothing crosses (Tutte 1963, Floater 2003). A connected
//! component of the graph becomes such a disc if each face gets a vertex more, its hub, joined to all
//! its corners; where the walk along a face meets a vertex twice, a ring of more vertices lies
//! between. Very deep in the disc the means lie too close for numbers of 53 bits; then all vertices
//! are put on a grid instead.
//!
//! The hub sees all the corners of its face. So what lies within the face, apart from its border,
//! fits into a small circle around the hub.
//!
//! Such drawings are correct but cramped. Let no vertex move further than a third of its distance
//! to any edge that it is not an end of, nor than a third of the distance of any vertex to an edge
//! that it is an end of: then no vertex ever comes to lie on an edge, and the faces stay what they
//! are. So forces may make the drawing pleasant, in many such steps.

mod disc;
mod relax;
mod vector;

use self::{
    disc::Disc,
    relax::Relaxation,
    vector::{Vector, add, norm, off, scaled},
};
use crate::plane::{Face, Walk, adjacency, connected_components, darts_of};

/// The space between components side by side, in lengths of an edge.
const GAP: f64 = 1.0;

/// Where to draw the vertices of a plane graph with these faces, so that straight edges do not cross.
///
/// The faces must be those of a plane graph. Edges are about 1 long. Components that are
/// not within each other are side by side, left to right as the outer face names them.
pub fn straight_line(vertices: usize, faces: &[Face], outer: &Face) -> Vec<[f64; 2]> {
    let mut sketch = Sketch {
        faces,
        component: components(vertices, faces, outer),
        entered: vec![false; faces.len()],
        places: vec![[0.0; 2]; vertices],
    };
    let mut right = 0.0;
    for walk in outer {
        let within = sketch.draw(walk);
        let borders: Vec<&Face> =
            faces.iter().filter(|face| within.contains(&face[0][0])).collect();
        let component = Relaxation::new(within, walk, &borders);
        component.relax(&mut sketch.places);
        component.turn(&mut sketch.places);
        right = component.shift(&mut sketch.places, right) + GAP;
    }
    sketch.places
}

/// A correct drawing in the making.
struct Sketch<'a> {
    faces: &'a [Face],
    /// The connected component of each vertex.
    component: Vec<usize>,
    /// The faces within components that are drawn.
    entered: Vec<bool>,
    places: Vec<Vector>,
}

impl Sketch<'_> {
    /// Draws the component that this walk goes around, and all within it, into the circle of
    /// radius 1 around the origin. Gives the vertices drawn.
    fn draw(&mut self, outer: &Walk) -> Vec<usize> {
        let mut vertices = outer.clone();
        if outer.len() <= 2 {
            let ends = if outer.len() == 2 { &[[-1.0, 0.0], [1.0, 0.0]][..] } else { &[[0.0; 2]] };
            outer.iter().zip(ends).for_each(|(&v, &end)| self.places[v] = end);
            return vertices;
        }
        let mut disc = Disc { count: self.places.len(), triangles: vec![] };
        let rim = disc.ring(outer);
        let mut hubs: Vec<(usize, Walk, Vec<&Walk>)> = vec![];
        let faces = self.faces;
        for (face, entered) in faces.iter().zip(&mut self.entered) {
            let own = |walk: &&Walk| self.component[walk[0]] == self.component[outer[0]];
            let (border, nested): (Vec<&Walk>, Vec<&Walk>) = face.iter().partition(own);
            let (false, [border]) = (*entered, &border[..]) else { continue };
            *entered = true;
            vertices.extend(*border);
            let ring = disc.ring(border);
            match ring[..] {
                [a, b, c] if nested.is_empty() => disc.triangles.push([a, b, c]),
                _ => hubs.push((disc.hub(&ring), ring, nested)),
            }
        }
        vertices.sort();
        vertices.dedup();
        let places = disc.drawn(&rim);
        vertices.iter().for_each(|&v| self.places[v] = places[v]);
        for (hub, ring, nested) in hubs {
            let darts = darts_of(&vec![ring]).collect::<Vec<_>>();
            let clear = |&[u, v]: &[usize; 2]| norm(off(places[hub], places[u], places[v]).0);
            let free = darts.iter().map(clear).fold(f64::INFINITY, f64::min);
            vertices.extend(self.nest(places[hub], free, &nested));
        }
        vertices
    }

    /// Draws components side by side into a circle in which nothing else is. Gives the vertices drawn.
    fn nest(&mut self, centre: Vector, radius: f64, components: &[&Walk]) -> Vec<usize> {
        let mut drawn = vec![];
        let share = radius / components.len() as f64;
        for (i, walk) in components.iter().enumerate() {
            let vertices = self.draw(walk);
            let middle = add(centre, [share * (2 * i + 1) as f64 - radius, 0.0]);
            for &v in &vertices {
                self.places[v] = add(middle, scaled(self.places[v], 0.7 * share));
            }
            drawn.extend(vertices);
        }
        drawn
    }
}

/// The connected component of each vertex, known by its least vertex.
fn components(vertices: usize, faces: &[Face], outer: &Face) -> Vec<usize> {
    let darts = faces.iter().chain([outer]).flat_map(darts_of).collect::<Vec<_>>();
    connected_components(&adjacency(vertices, &darts))
}

/// Whether a walk meets no vertex twice.
fn is_simple(walk: &Walk) -> bool {
    (1..walk.len()).all(|i| !walk[..i].contains(&walk[i]))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use serde_json::Value;

    use super::{vector::rotated, *};
    use crate::{FACTS, PlaneGraph, drawing::plane_graph, families::named};

    fn names(vertices: usize) -> Vec<String> {
        (1..=vertices).map(|n| n.to_string()).collect()
    }

    /// Asserts that the layout of a plane graph shows it again.
    fn shows_again(board: &PlaneGraph, what: &str) {
        let places = straight_line(board.names.len(), &board.faces, &board.outer);
        let again = plane_graph(board.names.clone(), places, &board.edges);
        let again = again.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((&again.faces, &again.outer), (&board.faces, &board.outer), "{what}");
    }

    fn walks(faces: &Value) -> Face {
        let vertex = |v: &Value| v.as_u64().unwrap() as usize - 1;
        let walk = |walk: &Value| walk.as_array().unwrap().iter().map(vertex).collect();
        faces.as_array().unwrap().iter().filter(|walk| !walk.is_null()).map(walk).collect()
    }

    #[test]
    fn known_boards_are_shown_again() {
        let facts: Value = serde_json::from_str(FACTS).unwrap();
        let large = facts["large_boards_outcome_only"].as_array().unwrap();
        for board in facts["boards"].as_array().unwrap().iter().chain(large) {
            let mut faces: Vec<Face> =
                walks(&board["faces_cw"]).into_iter().map(|walk| vec![walk]).collect();
            if board["faces_cw"].as_array().unwrap().iter().any(Value::is_null) {
                // The face around the triangle in the default board of the original program, which
                // meets the vertex 5 twice.
                faces.push(vec![vec![0, 1, 2, 3, 4, 6, 5, 4]]);
            }
            let count = board["V"].as_u64().unwrap() as usize;
            let outer = walks(&board["outer_walks"]);
            let what = board["name"].as_str().unwrap();
            let board = PlaneGraph::canonical(names(count), vec![[0.0; 2]; count], faces, outer);
            shows_again(&board.unwrap(), what);
        }
    }

    #[test]
    fn random_boards_are_shown_again() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for round in 0..150 {
            let count = random.usize(1..20);
            let place = |random: &mut fastrand::Rng| [random.f64(), random.f64()];
            let places: Vec<_> = (0..count).map(|_| place(&mut random)).collect();
            let mut edges = vec![];
            for _ in 0..random.usize(0..80) {
                edges.push([random.usize(0..count), random.usize(0..count)]);
                if plane_graph(names(count), places.clone(), &edges).is_err() {
                    edges.pop();
                }
            }
            let kept = random.usize(5..=10);
            edges.retain(|_| random.usize(0..10) < kept);
            let board = plane_graph(names(count), places, &edges).unwrap();
            shows_again(&board, &format!("seed {seed}, round {round}, {:?}", board.edges));
        }
    }

    /// Triangles around each other, twenty deep: apart, joined, or all sharing a vertex.
    #[test]
    fn deep_boards_are_shown_again() {
        let corner = |i: usize| rotated([0.0, 1.0 + (i / 3) as f64], -TAU * i as f64 / 3.0);
        let places: Vec<Vector> = (0..60).map(corner).collect();
        let sides = |i: usize| [[3 * i, 3 * i + 1], [3 * i + 1, 3 * i + 2], [3 * i, 3 * i + 2]];
        let apart: Vec<[usize; 2]> = (0..20).flat_map(sides).collect();
        let spokes: Vec<[usize; 2]> = (0..57).map(|v| [v, v + 3]).collect();
        for (edges, what) in [(&apart, "apart"), (&[&apart[..], &spokes].concat(), "joined")] {
            shows_again(&plane_graph(names(60), places.clone(), edges).unwrap(), what);
        }
        let (_, board) = named(&format!("nested={}", ["3"; 20].join(","))).unwrap().unwrap();
        shows_again(&board, "sharing a vertex");
    }

    /// The grid is needed for the deepest boards only, but right for all.
    #[test]
    fn discs_on_the_grid_are_clear() {
        for text in "wheel=5 grid=3x4 cactus=3,4,4 spider=1,3,2 nested=3,5 theta=2,3,2,3".split(' ')
        {
            let (_, board) = named(text).unwrap().unwrap();
            let mut disc = Disc { count: board.names.len(), triangles: vec![] };
            let rim = disc.ring(&board.outer[0]);
            for face in &board.faces {
                let ring = disc.ring(&face[0]);
                disc.hub(&ring);
            }
            assert!(disc.is_clear(&disc.on_grid(&rim)), "{text}");
            assert!(disc.is_clear(&disc.of_means(&rim)), "{text}");
        }
    }

    #[test]
    fn parts_are_side_by_side() {
        let outer = vec![vec![0, 2, 1], vec![3], vec![4, 5]];
        let places = straight_line(6, &[vec![vec![0, 1, 2]]], &outer);
        assert!(places[..3].iter().all(|place| place[0] < places[3][0]), "{places:?}");
        assert!(places[4..].iter().all(|place| place[0] > places[3][0]), "{places:?}");
    }
}
