//! Every plane graph can be drawn with straight edges and the faces it has, for three reasons.
//!
//! In a disc of triangles whose rim is a convex polygon, let each inner vertex be a mean of its
//! neighbours, with whatever weights: then nothing crosses (Tutte 1963, Floater 2003). A connected
//! part of the graph becomes such a disc if each face gets a vertex more, its hub, joined to all
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

use std::{
    collections::{BTreeMap, BTreeSet},
    f64::consts::{FRAC_PI_2, TAU},
    mem::take,
};

use super::board::{Face, Walk, darts_of};

/// How often the weights of the means are evened out.
const EVENINGS: usize = 8;
/// The least height of a triangle in a disc of radius 1 that is drawn well enough.
const CLEAR: f64 = 1e-7;
/// The number of steps in which forces improve a drawing.
const STEPS: usize = 600;
/// The space between parts side by side, in lengths of an edge.
const GAP: f64 = 1.0;

/// How strongly edges want to be 1 long, cells to be regular, vertices to be apart, and vertices to
/// keep off an edge that is within [`REACH`]. The last two grow alike with nearness, so that
/// however small a thing is, vertices do not press each other against edges.
const EDGES: f64 = 0.5;
const CELLS: f64 = 0.5;
const VERTICES: f64 = 0.1;
const SIDES: f64 = 0.15;
const REACH: f64 = 0.6;

type Place = [f64; 2];

/// Where to draw the vertices of a board with these faces, so that straight edges do not cross.
///
/// The faces must be those of a plane graph. Edges are about 1 long. Parts that are not connected
/// and not within each other are side by side, left to right as the outer face names them.
pub(crate) fn places(vertices: usize, faces: &[Face], outer: &Face) -> Vec<[f64; 2]> {
    let mut sketch = Sketch {
        faces,
        part: parts(vertices, faces, outer),
        entered: vec![false; faces.len()],
        places: vec![[0.0; 2]; vertices],
    };
    let mut right = 0.0;
    for walk in outer {
        let within = sketch.draw(walk);
        let borders: Vec<&Face> =
            faces.iter().filter(|face| within.contains(&face[0][0])).collect();
        let part = Whole::new(within, walk, &borders);
        part.relax(&mut sketch.places);
        part.turn(&mut sketch.places);
        right = part.shift(&mut sketch.places, right) + GAP;
    }
    sketch.places
}

/// A correct drawing in the making.
struct Sketch<'a> {
    faces: &'a [Face],
    /// The connected part that each vertex is in.
    part: Vec<usize>,
    /// The faces within parts that are drawn.
    entered: Vec<bool>,
    places: Vec<Place>,
}

impl Sketch<'_> {
    /// Draws the connected part that this walk goes around, and all within it, into the circle of
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
            let own = |walk: &&Walk| self.part[walk[0]] == self.part[outer[0]];
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

    /// Draws parts side by side into a circle in which nothing else is. Gives the vertices drawn.
    fn nest(&mut self, centre: Place, radius: f64, parts: &[&Walk]) -> Vec<usize> {
        let mut drawn = vec![];
        let share = radius / parts.len() as f64;
        for (i, walk) in parts.iter().enumerate() {
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

/// The connected part that each vertex is in, named by one of its vertices.
fn parts(vertices: usize, faces: &[Face], outer: &Face) -> Vec<usize> {
    let mut part: Vec<usize> = (0..vertices).collect();
    for walk in faces.iter().chain([outer]).flatten() {
        for &v in &walk[1..] {
            let (old, new) = (part[v], part[walk[0]]);
            part.iter_mut().filter(|name| **name == old).for_each(|name| *name = new);
        }
    }
    part
}

/// A disc of triangles: a connected part of a graph, and more vertices, which are not shown.
struct Disc {
    /// The number of vertices; those that are not shown come last.
    count: usize,
    /// The triangles, each clockwise.
    triangles: Vec<[usize; 3]>,
}

impl Disc {
    /// The walk itself if it meets no vertex twice; otherwise a ring of new vertices along it, joined
    /// to it by triangles.
    fn ring(&mut self, walk: &Walk) -> Walk {
        if is_simple(walk) {
            return walk.clone();
        }
        let ring: Walk = (self.count..self.count + walk.len()).collect();
        self.count += walk.len();
        for (i, &new) in ring.iter().enumerate() {
            let next = (i + 1) % ring.len();
            self.triangles.push([walk[i], walk[next], new]);
            self.triangles.push([walk[next], ring[next], new]);
        }
        ring
    }

    /// A new vertex joined to all of the ring.
    fn hub(&mut self, ring: &Walk) -> usize {
        let hub = self.count;
        self.count += 1;
        self.triangles.extend(darts_of(&vec![ring.clone()]).map(|[u, v]| [u, v, hub]));
        hub
    }

    /// The places of all vertices, within the circle of radius 1 around the origin. The outer face is
    /// on the right of the rim.
    fn drawn(&self, rim: &Walk) -> Vec<Place> {
        let places = self.of_means(rim);
        if self.is_clear(&places) { places } else { self.on_grid(rim) }
    }

    /// Whether each triangle is clockwise and not too flat for numbers of 53 bits.
    fn is_clear(&self, places: &[Place]) -> bool {
        self.triangles.iter().all(|triangle| {
            let [a, b, c] = triangle.map(|v| places[v]);
            let ([x, y], [z, w]) = (sub(b, a), sub(c, a));
            y * z - x * w > CLEAR * norm([x, y]).max(norm([z, w]))
        })
    }

    /// The drawing with each vertex at a mean of its neighbours, the rim on a circle. The means favour
    /// far neighbours more and more, so that what is deep inside does not get too small.
    fn of_means(&self, rim: &Walk) -> Vec<Place> {
        let mut places = vec![[0.0; 2]; self.count];
        let mut fixed = vec![false; self.count];
        for (i, &v) in rim.iter().enumerate() {
            let angle = FRAC_PI_2 + TAU * i as f64 / rim.len() as f64;
            (places[v], fixed[v]) = ([angle.cos(), angle.sin()], true);
        }
        let darts = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let links: BTreeSet<[usize; 2]> = darts.map(|[u, v]| [u.min(v), u.max(v)]).collect();
        let mut weights: BTreeMap<[usize; 2], f64> =
            links.iter().map(|&link| (link, 1.0)).collect();
        for _ in 0..EVENINGS {
            self.settle(&weights, &fixed, &mut places);
            for (&[u, v], weight) in &mut weights {
                let length = norm(sub(places[u], places[v]));
                *weight = (*weight * length.max(1e-9)).sqrt();
            }
        }
        places
    }

    /// Puts each vertex that is not fixed at the weighted mean of its neighbours. One vertex after
    /// the other, the one with the fewest neighbours first, is replaced by links among its
    /// neighbours that pull them as it did. Nothing is subtracted, so even tiny triangles come out
    /// precisely.
    fn settle(&self, weights: &BTreeMap<[usize; 2], f64>, fixed: &[bool], places: &mut [Place]) {
        let mut near: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); self.count];
        for (&[u, v], &weight) in weights {
            near[u].insert(v, weight);
            near[v].insert(u, weight);
        }
        let mut left: Vec<usize> = (0..self.count).filter(|&v| !fixed[v]).collect();
        left.retain(|&v| !near[v].is_empty());
        let mut means = vec![];
        while let Some(i) = (0..left.len()).min_by_key(|&i| near[left[i]].len()) {
            let v = left.swap_remove(i);
            let pulls = take(&mut near[v]);
            let total: f64 = pulls.values().sum();
            for (&a, pull) in &pulls {
                near[a].remove(&v);
                for (&b, other) in pulls.iter().filter(|&(&b, _)| b != a && !fixed[a]) {
                    *near[a].entry(b).or_default() += pull * other / total;
                }
            }
            means.push((v, pulls, total));
        }
        for (v, pulls, total) in means.into_iter().rev() {
            let mean = |sum, (&a, pull): (&usize, &f64)| add(sum, scaled(places[a], pull / total));
            places[v] = pulls.iter().fold([0.0; 2], mean);
        }
    }

    /// The drawing on a grid (de Fraysseix, Pach and Pollack 1990): the vertices come one after the
    /// other, each upon a contour whose sides climb or fall by one in one, and what is to its right
    /// gives way. The picture is skew, but nothing in it is tiny.
    fn on_grid(&self, rim: &Walk) -> Vec<Place> {
        let mut places = vec![[0.0; 2]; self.count + 1];
        let ([left, right], coming) = self.contours(rim);
        let mut contour = vec![left, right];
        // What moves along with a vertex of the contour.
        let mut under: Vec<Vec<usize>> = (0..=self.count).map(|v| vec![v]).collect();
        for (v, covered) in coming.into_iter().rev() {
            let ends = [covered[0], covered[covered.len() - 1]];
            let [first, last] = ends.map(|end| contour.iter().position(|&u| u == end).unwrap_or(0));
            for (i, &u) in contour.iter().enumerate().skip(first + 1) {
                let by = if i < last { 1.0 } else { 2.0 };
                under[u].iter().for_each(|&w| places[w][0] += by);
            }
            let ([a, b], [c, d]) = (places[ends[0]], places[ends[1]]);
            places[v] = [(a + c + d - b) / 2.0, (c - a + b + d) / 2.0];
            for u in contour.splice(first + 1..last, [v]).collect::<Vec<_>>() {
                let moved = take(&mut under[u]);
                under[v].extend(moved);
            }
        }
        let size = 2.0 * self.count as f64;
        places.iter().map(|&[x, y]| [x / size - 0.5, y / size - 0.25]).collect()
    }

    /// Takes one vertex after the other off the top of the disc, never one with a link across what is
    /// left. Gives the two vertices that stay, and for each other one the neighbours below it, left to
    /// right, of which the first and the last are beside it on the contour.
    fn contours(&self, rim: &Walk) -> ([usize; 2], Vec<(usize, Vec<usize>)>) {
        let border = vec![rim.clone()];
        let outside = darts_of(&border).map(|[u, v]| [u, v, self.count]);
        let whole = self.triangles.iter().copied().chain(outside);
        let darts = whole.flat_map(|[a, b, c]| [([a, b], c), ([b, c], a), ([c, a], b)]);
        let right_of: BTreeMap<[usize; 2], usize> = darts.collect();
        let mut contour = vec![rim[0], self.count, rim[1]];
        let mut taken = vec![];
        loop {
            let linked = |u: usize, v: usize| right_of.contains_key(&[u, v]);
            let across = |i: usize| contour.iter().filter(|&&u| linked(u, contour[i])).count() > 2;
            let inner = 1..contour.len() - 1;
            let Some(i) = inner.rev().find(|&i| !across(i)) else { break };
            let v = contour[i];
            let mut below = vec![contour[i - 1]];
            while below[below.len() - 1] != contour[i + 1] {
                below.push(right_of[&[below[below.len() - 1], v]]);
            }
            contour.splice(i..=i, below[1..below.len() - 1].iter().copied());
            taken.push((v, below));
        }
        ([rim[0], rim[1]], taken)
    }
}

/// A connected part with all that lies within it.
struct Whole {
    vertices: Vec<usize>,
    edges: Vec<[usize; 2]>,
    /// The bounded faces whose walk meets no vertex twice and that have nothing within.
    cells: Vec<Walk>,
}

impl Whole {
    fn new(vertices: Vec<usize>, outer: &Walk, borders: &[&Face]) -> Whole {
        let outer = vec![outer.clone()];
        let darts = borders.iter().copied().chain([&outer]).flat_map(darts_of);
        let edges = darts.filter(|[u, v]| u < v).collect();
        let plain = |face: &&&Face| face.len() == 1 && is_simple(&face[0]);
        let cells = borders.iter().filter(plain).map(|face| face[0].clone()).collect();
        Whole { vertices, edges, cells }
    }

    /// Moves the vertices as the forces say, never so far that one could come to lie on an edge.
    fn relax(&self, places: &mut [Place]) {
        let lengths = self.edges.iter().map(|&[u, v]| norm(sub(places[v], places[u])));
        let mean = lengths.sum::<f64>() / self.edges.len().max(1) as f64;
        for &v in self.vertices.iter().filter(|_| mean > 0.0) {
            places[v] = scaled(places[v], 1.0 / mean);
        }
        for step in 0..STEPS {
            let most = 0.2 * (1.0 - step as f64 / STEPS as f64) + 0.001;
            let mut forces = vec![Force::default(); places.len()];
            self.even_edges(places, &mut forces);
            self.regular_cells(places, &mut forces);
            let room = self.keep_apart(places, &mut forces);
            let mut farthest = 0.0_f64;
            for &v in &self.vertices {
                let Force { pull, stiffness } = forces[v];
                let size = norm(pull).max(f64::MIN_POSITIVE);
                let far = (0.5 * size / stiffness).min(most).min(0.33 * room[v]);
                places[v] = add(places[v], scaled(pull, far / size));
                farthest = farthest.max(far / room[v].min(1.0));
            }
            if farthest < 1e-4 {
                break;
            }
        }
    }

    /// Each edge wants to be 1 long; a much longer one does not insist.
    fn even_edges(&self, places: &[Place], forces: &mut [Force]) {
        for &[u, v] in &self.edges {
            let between = sub(places[v], places[u]);
            let length = norm(between).max(f64::MIN_POSITIVE);
            let pull = scaled(between, EDGES * length.ln() / length);
            forces[u].add(pull, EDGES / length);
            forces[v].add(scaled(pull, -1.0), EDGES / length);
        }
    }

    /// Each cell wants to be a regular polygon with sides of 1: its corners are drawn to those of
    /// the polygon that has the same middle and is turned so that they are nearest.
    fn regular_cells(&self, places: &[Place], forces: &mut [Force]) {
        for cell in &self.cells {
            let count = cell.len() as f64;
            let sum = cell.iter().fold([0.0; 2], |sum, &v| add(sum, places[v]));
            let middle = scaled(sum, 1.0 / count);
            let spoke = |i: usize| -TAU * i as f64 / count;
            let turned = cell.iter().enumerate().fold([0.0; 2], |turned, (i, &v)| {
                add(turned, rotated(sub(places[v], middle), -spoke(i)))
            });
            let radius = 0.5 / (TAU / 2.0 / count).sin();
            let first = scaled(turned, radius / norm(turned).max(f64::MIN_POSITIVE));
            for (i, &v) in cell.iter().enumerate() {
                let corner = add(middle, rotated(first, spoke(i)));
                forces[v].add(scaled(sub(corner, places[v]), CELLS), CELLS);
            }
        }
    }

    /// Vertices repel each other weakly, and an edge strongly a vertex that is near it. Gives for
    /// each vertex the least distance of a vertex to an edge where it is this vertex or an end of
    /// the edge.
    fn keep_apart(&self, places: &[Place], forces: &mut [Force]) -> Vec<f64> {
        let mut room = vec![f64::INFINITY; places.len()];
        for (i, &u) in self.vertices.iter().enumerate() {
            for &v in &self.vertices[..i] {
                let between = sub(places[v], places[u]);
                let distance = norm(between).max(f64::MIN_POSITIVE);
                [u, v].iter().for_each(|&w| room[w] = room[w].min(distance));
                let stiffness = VERTICES / distance.powi(3);
                forces[u].add(scaled(between, -stiffness), 2.0 * stiffness);
                forces[v].add(scaled(between, stiffness), 2.0 * stiffness);
            }
            for &[a, b] in self.edges.iter().filter(|edge| !edge.contains(&u)) {
                let (between, share) = off(places[u], places[a], places[b]);
                let distance = norm(between).max(f64::MIN_POSITIVE);
                [u, a, b].iter().for_each(|&w| room[w] = room[w].min(distance));
                if distance < REACH {
                    let push =
                        scaled(between, SIDES * ((REACH / distance).powi(2) - 1.0) / distance);
                    let stiffness = 2.0 * SIDES * REACH.powi(2) / distance.powi(3);
                    forces[u].add(push, stiffness);
                    forces[a].add(scaled(push, share - 1.0), stiffness * (1.0 - share));
                    forces[b].add(scaled(push, -share), stiffness * share);
                }
            }
        }
        room
    }

    /// Turns the drawing so that as many edges as can be are level or upright; then so that it is
    /// wide rather than high; then so that it stands on its broader side; then so that the first
    /// vertex is high up.
    fn turn(&self, places: &mut [Place]) {
        let mut best: Option<([i64; 4], f64)> = None;
        for &[u, v] in &self.edges {
            let [x, y] = sub(places[v], places[u]);
            for quarter in 0..4 {
                let angle = FRAC_PI_2 * quarter as f64 - y.atan2(x);
                let merit = self.merit(places, angle);
                if best.is_none_or(|(most, _)| merit > most) {
                    best = Some((merit, angle));
                }
            }
        }
        let Some((_, angle)) = best else { return };
        self.vertices.iter().for_each(|&v| places[v] = rotated(places[v], angle));
    }

    /// How good the drawing looks when it is turned by an angle.
    fn merit(&self, places: &[Place], angle: f64) -> [i64; 4] {
        let straight = |&&[u, v]: &&[usize; 2]| {
            let [x, y] = rotated(sub(places[v], places[u]), angle);
            x.abs().min(y.abs()) < 0.03 * x.abs().max(y.abs())
        };
        let turned =
            |axis: usize| self.vertices.iter().map(move |&v| rotated(places[v], angle)[axis]);
        let (left, right) = ends(turned(0));
        let (low, high) = ends(turned(1));
        let wide = (right - left) - (high - low) > -0.01;
        let share = |y: f64| (100.0 * (y - low) / (high - low).max(1e-9)).round() as i64;
        let middle = turned(1).sum::<f64>() / self.vertices.len() as f64;
        let first = rotated(places[self.vertices[0]], angle)[1];
        let straight = self.edges.iter().filter(straight).count() as i64;
        [straight, wide as i64, -share(middle), share(first)]
    }

    /// Shifts the drawing to begin at this x, its middle at height 0. Gives the x where it ends.
    fn shift(&self, places: &mut [Place], begin: f64) -> f64 {
        let (left, right) = ends(self.vertices.iter().map(|&v| places[v][0]));
        let (low, high) = ends(self.vertices.iter().map(|&v| places[v][1]));
        for &v in &self.vertices {
            places[v] = add(places[v], [begin - left, -(low + high) / 2.0]);
        }
        begin + right - left
    }
}

/// The sum of the forces on a vertex, and by how much it lessens for each unit that the vertex
/// gives way.
#[derive(Clone, Copy, Default)]
struct Force {
    pull: Place,
    stiffness: f64,
}

impl Force {
    fn add(&mut self, pull: Place, stiffness: f64) {
        self.pull = add(self.pull, pull);
        self.stiffness += stiffness;
    }
}

fn is_simple(walk: &Walk) -> bool {
    (1..walk.len()).all(|i| !walk[..i].contains(&walk[i]))
}

fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// The way to a place from the nearest point of the segment from `a` to `b`, and how far along the
/// segment that point is, from 0 to 1.
fn off(place: Place, a: Place, b: Place) -> (Place, f64) {
    let (side, way) = (sub(b, a), sub(place, a));
    let square = side[0] * side[0] + side[1] * side[1];
    let share = (side[0] * way[0] + side[1] * way[1]) / square.max(f64::MIN_POSITIVE);
    let share = share.clamp(0.0, 1.0);
    (sub(way, scaled(side, share)), share)
}

fn rotated([x, y]: Place, angle: f64) -> Place {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

fn add(a: Place, b: Place) -> Place {
    [a[0] + b[0], a[1] + b[1]]
}

fn sub(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

fn scaled(a: Place, by: f64) -> Place {
    [a[0] * by, a[1] * by]
}

fn norm(a: Place) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{
        super::{board::Board, drawing::drawn, families::named, tests::FACTS},
        *,
    };

    fn names(vertices: usize) -> Vec<String> {
        (1..=vertices).map(|n| n.to_string()).collect()
    }

    /// That the layout of the board shows the board again.
    fn shows_again(board: &Board, what: &str) {
        let places = places(board.names.len(), &board.faces, &board.outer);
        let again = drawn(board.names.clone(), places, &board.edges);
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
            let board = Board::in_order(names(count), vec![[0.0; 2]; count], faces, outer);
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
                if drawn(names(count), places.clone(), &edges).is_err() {
                    edges.pop();
                }
            }
            let kept = random.usize(5..=10);
            edges.retain(|_| random.usize(0..10) < kept);
            let board = drawn(names(count), places, &edges).unwrap();
            shows_again(&board, &format!("seed {seed}, round {round}, {:?}", board.edges));
        }
    }

    /// Triangles around each other, twenty deep: apart, joined, or all sharing a vertex.
    #[test]
    fn deep_boards_are_shown_again() {
        let corner = |i: usize| rotated([0.0, 1.0 + (i / 3) as f64], -TAU * i as f64 / 3.0);
        let places: Vec<Place> = (0..60).map(corner).collect();
        let sides = |i: usize| [[3 * i, 3 * i + 1], [3 * i + 1, 3 * i + 2], [3 * i, 3 * i + 2]];
        let apart: Vec<[usize; 2]> = (0..20).flat_map(sides).collect();
        let spokes: Vec<[usize; 2]> = (0..57).map(|v| [v, v + 3]).collect();
        for (edges, what) in [(&apart, "apart"), (&[&apart[..], &spokes].concat(), "joined")] {
            shows_again(&drawn(names(60), places.clone(), edges).unwrap(), what);
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
        let places = places(6, &[vec![vec![0, 1, 2]]], &outer);
        assert!(places[..3].iter().all(|place| place[0] < places[3][0]), "{places:?}");
        assert!(places[4..].iter().all(|place| place[0] > places[3][0]), "{places:?}");
    }
}
