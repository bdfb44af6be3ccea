//! A drawing with straight edges shows a plane graph: the angles tell the rotation system, the rotation
//! system tells the faces, and the outer face is the one that runs to infinity.
//!
//! All is decided on whole numbers: the drawing is laid on a grid of `GRID` steps along its
//! longer side, where orientations and areas are exact. So neither huge nor tiny coordinates, nor
//! three vertices nearly on a line, can make two tests contradict each other. What is closer
//! together than `NEAR` steps, a billionth of the drawing, counts as touching: decimals are
//! seldom exact.

use std::cmp::Ordering;

use crate::plane::{
    Face, PlaneGraph, RotationSystem, Walk, adjacency, connected_components, extent, face_walks,
};

/// The steps of the grid along the longer side of a drawing. Products of two differences stay far
/// below the limits of `i128`, even summed over all the darts of a face.
const GRID: f64 = (1_u64 << 40) as f64;

/// The number of steps up to which things touch.
const NEAR: f64 = 1024.0;

/// A place on the grid.
type Point = [i128; 2];

/// Coordinates are smaller, so that sums and squares of them are numbers wherever they are drawn.
const LARGEST: f64 = 1e150;

/// The plane graph that a drawing with straight edges shows; an error says where it is none.
pub fn plane_graph(
    names: Vec<String>,
    places: Vec<[f64; 2]>,
    edges: &[[usize; 2]],
) -> Result<PlaneGraph, String> {
    let fits = |x: &f64| x.abs() < LARGEST;
    if let Some(v) = (0..places.len()).find(|&v| !places[v].iter().all(fits)) {
        let name = &names[v];
        return Err(format!("the place of {name} is not a pair of numbers below {LARGEST:e}"));
    }
    let points = on_grid(&places);
    vertices_apart(&names, &points)?;
    edges_apart(&names, &points, edges)?;

    let rotation = rotation(&points, edges);
    // A lone vertex is a walk of its own.
    let lone = (0..rotation.len()).filter(|&v| rotation[v].is_empty()).map(|v| vec![v]);
    let walks: Vec<Walk> = face_walks(&rotation).into_iter().chain(lone).collect();
    let (mut bounded, unbounded): (Vec<Walk>, Vec<Walk>) =
        walks.into_iter().partition(|walk| clockwise_area(&points, walk) > 0);
    // Where faces lie within each other, the smallest comes first.
    bounded.sort_by_key(|walk| clockwise_area(&points, walk));
    let components = connected_components(&rotation);
    let walks = bounded.len() + unbounded.len();
    let count = (0..components.len()).filter(|&v| components[v] == v).count();
    debug_assert_eq!(points.len() + walks, edges.len() + 2 * count, "Euler's formula");

    let mut outer: Face = vec![];
    let mut faces: Vec<Face> = bounded.into_iter().map(|walk| vec![walk]).collect();
    for walk in unbounded {
        let apart = |face: &Face| components[face[0][0]] != components[walk[0]];
        let around = |face: &&mut Face| apart(face) && encloses(&points, &face[0], walk[0]);
        faces.iter_mut().find(around).unwrap_or(&mut outer).push(walk);
    }
    PlaneGraph::canonical(names, places, faces, outer)
}

/// The places on the grid: the middle of the drawing is at the origin, its longer side is [`GRID`].
fn on_grid(places: &[[f64; 2]]) -> Vec<Point> {
    let ends = [extent(places, 0), extent(places, 1)];
    // Halves, because the whole side of a huge drawing may be no finite number.
    let half = |(least, most): (f64, f64)| most / 2.0 - least / 2.0;
    let longer = half(ends[0]).max(half(ends[1]));
    let step = |x: f64, (least, most): (f64, f64)| {
        let from_middle = (x / 2.0 - least / 4.0 - most / 4.0) / longer;
        if longer > 0.0 { (from_middle * GRID).round() as i128 } else { 0 }
    };
    places.iter().map(|&[x, y]| [step(x, ends[0]), step(y, ends[1])]).collect()
}

fn vertices_apart(names: &[String], points: &[Point]) -> Result<(), String> {
    for (v, &b) in points.iter().enumerate() {
        if let Some(u) = (0..v).find(|&u| length(points[u], b) <= NEAR) {
            return Err(format!(
                "{} and {} are in one place, or too close for the size of the drawing",
                names[u], names[v]
            ));
        }
    }
    Ok(())
}

/// Edges meet only in their ends. Two that overlap run through an end of one of them.
fn edges_apart(names: &[String], points: &[Point], edges: &[[usize; 2]]) -> Result<(), String> {
    let called = |[u, v]: [usize; 2]| format!("{}-{}", names[u], names[v]);
    for (i, &[u, v]) in edges.iter().enumerate() {
        if u == v {
            return Err(format!("an edge joins {} to itself", names[u]));
        }
        if edges[..i].iter().any(|&other| other == [u, v] || other == [v, u]) {
            return Err(format!("the edge {} is there twice", called([u, v])));
        }
    }
    for &[u, v] in edges {
        let through = |&w: &usize| w != u && w != v && touches(points[w], points[u], points[v]);
        if let Some(w) = (0..points.len()).find(through) {
            return Err(format!("the edge {} runs through {}", called([u, v]), names[w]));
        }
    }
    for (i, &[u, v]) in edges.iter().enumerate() {
        let splits = |[a, b]: [usize; 2], [c, d]: [usize; 2]| {
            let side = |w: usize| turn(points[a], points[b], points[w]).signum();
            side(c) * side(d) < 0
        };
        let crosses = |other: &&[usize; 2]| splits([u, v], **other) && splits(**other, [u, v]);
        if let Some(&other) = edges[..i].iter().find(crosses) {
            return Err(format!("the edges {} and {} cross", called(other), called([u, v])));
        }
    }
    Ok(())
}

/// The neighbours of each vertex by angle, clockwise.
fn rotation(points: &[Point], edges: &[[usize; 2]]) -> RotationSystem {
    let mut rotation = adjacency(points.len(), edges);
    for (u, row) in rotation.iter_mut().enumerate() {
        row.sort_by(|&v, &w| clockwise(points[u], points[v], points[w]));
    }
    rotation
}

/// Whether `a` comes before `b` when a hand turns clockwise around the centre, beginning just
/// above the left.
fn clockwise(centre: Point, a: Point, b: Point) -> Ordering {
    let below = |p: Point| [p[1], p[0]] < [centre[1], centre[0]];
    below(a).cmp(&below(b)).then(turn(centre, a, b).cmp(&0))
}

/// Twice the area of the triangle, positive if it is walked counter-clockwise.
fn turn(a: Point, b: Point, c: Point) -> i128 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Twice the area that a walk goes around clockwise; negative if it goes the other way, 0 for a
/// tree.
fn clockwise_area(points: &[Point], walk: &Walk) -> i128 {
    let next = walk.iter().cycle().skip(1);
    walk.iter().zip(next).map(|(&u, &v)| turn([0, 0], points[v], points[u])).sum()
}

/// Whether a vertex off the border of a face is within it: whether a ray from there to the right
/// crosses the border an odd number of times.
fn encloses(points: &[Point], face: &Walk, vertex: usize) -> bool {
    let p = points[vertex];
    let crossed = |(&u, &v): (&usize, &usize)| {
        let (low, high) = if points[u][1] < points[v][1] { (u, v) } else { (v, u) };
        points[low][1] <= p[1] && p[1] < points[high][1] && turn(points[low], points[high], p) > 0
    };
    let next = face.iter().cycle().skip(1);
    face.iter().zip(next).filter(|&dart| crossed(dart)).count() % 2 == 1
}

/// Whether a point is so close to the edge from `a` to `b` that the edge seems to run through it.
fn touches(p: Point, a: Point, b: Point) -> bool {
    let along = |from: Point, to: Point| {
        (to[0] - from[0]) * (p[0] - from[0]) + (to[1] - from[1]) * (p[1] - from[1])
    };
    along(a, b) > 0 && along(b, a) > 0 && turn(a, b, p).abs() as f64 <= NEAR * length(a, b)
}

fn length(a: Point, b: Point) -> f64 {
    ((b[0] - a[0]) as f64).hypot((b[1] - a[1]) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(places: &[[f64; 2]], edges: &[[usize; 2]]) -> Result<PlaneGraph, String> {
        let names = (1..=places.len()).map(|n| n.to_string()).collect();
        plane_graph(names, places.to_vec(), edges)
    }

    const SQUARE: [[f64; 2]; 4] = [[0., 0.], [0., 3.], [3., 3.], [3., 0.]];
    const AROUND: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 3], [3, 0]];

    #[test]
    fn faces_are_on_the_right() {
        let graph = shown(&SQUARE, &[&AROUND[..], &[[0, 2]]].concat()).unwrap();
        assert_eq!(graph.faces, [[[0, 1, 2]], [[0, 2, 3]]]);
        assert_eq!(graph.outer, [[0, 3, 2, 1]]);
        assert_eq!(graph.edges, [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
    }

    #[test]
    fn a_part_belongs_to_the_face_it_lies_in() {
        let inside = [[1., 1.], [1., 2.], [2., 1.], [1.2, 1.2], [2., 2.], [9., 9.], [9., 8.]];
        let places = [&SQUARE[..], &inside].concat();
        let edges = [&AROUND[..], &[[4, 5], [5, 6], [6, 4], [9, 10]]].concat();
        let graph = shown(&places, &edges).unwrap();
        let square = vec![vec![0, 1, 2, 3], vec![4, 6, 5], vec![8]];
        assert_eq!(graph.faces, [square, vec![vec![4, 5, 6], vec![7]]]);
        assert_eq!(graph.outer, [vec![0, 3, 2, 1], vec![9, 10]]);
    }

    #[test]
    fn a_tree_and_a_lone_vertex_have_one_walk() {
        let graph = shown(&SQUARE, &[[0, 1], [0, 2]]).unwrap();
        assert_eq!((graph.faces.len(), graph.outer), (0, vec![vec![0, 1, 0, 2], vec![3]]));
        assert_eq!(shown(&[[5., 5.]], &[]).unwrap().outer, [[0]]);
        assert_eq!(shown(&[], &[]).unwrap().outer, Face::new());
    }

    #[test]
    fn size_and_place_do_not_matter() {
        let edges = [&AROUND[..], &[[0, 2]]].concat();
        let graph = shown(&SQUARE, &edges).unwrap();
        for (scale, shift) in [(1e-300, 0.), (5e148, -1e149), (1e-3, 1e6), (1e100, 7.)] {
            let moved = SQUARE.map(|place| place.map(|x| x * scale + shift));
            let moved = shown(&moved, &edges).unwrap();
            assert_eq!((&moved.faces, &moved.outer), (&graph.faces, &graph.outer), "{scale}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_drawing_is_said_in_one_line() {
        let third = [[0., 0.], [0.1, 0.3], [0.3, 0.9], [1., 0.]];
        let nowhere = [[0., 0.], [f64::NAN, 0.]];
        let twice = [[1., 1.], [2., 2.], [1., 1.]];
        type Case<'a> = (&'a [[f64; 2]], &'a [[usize; 2]], &'a str);
        let cases: [Case; 8] = [
            (&nowhere, &[], "the place of 2 is not a pair of numbers below 1e150"),
            (&twice, &[], "1 and 3 are in one place, or too close for the size of the drawing"),
            (&SQUARE, &[[2, 2]], "an edge joins 3 to itself"),
            (&SQUARE, &[[2, 1], [1, 2]], "the edge 2-3 is there twice"),
            (&SQUARE, &[[2, 0], [1, 3]], "the edges 3-1 and 2-4 cross"),
            (&third, &[[0, 2]], "the edge 1-3 runs through 2"),
            (&third, &[[0, 1], [0, 2]], "the edge 1-3 runs through 2"),
            (
                &[[0., 0.], [2., 0.], [1., 0.], [3., 0.]],
                &[[0, 1], [2, 3]],
                "the edge 1-2 runs through 3",
            ),
        ];
        for (places, edges, error) in cases {
            assert_eq!(shown(places, edges), Err(error.into()));
        }
    }
}
