//! A correct drawing made pleasant by forces, in many small steps, each of which keeps the faces.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::{
    is_simple,
    vector::{Vector, add, norm, off, rotated, scaled, sub},
};
use crate::plane::{Face, Walk, darts_of};

/// The number of steps in which forces improve a drawing.
const STEPS: usize = 600;
/// How strongly edges want to be 1 long, cells to be regular, vertices to be apart, and vertices to
/// keep off an edge that is within [`REACH`]. The last two grow alike with nearness, so that
/// however small a thing is, vertices do not press each other against edges.
const EDGES: f64 = 0.5;
const CELLS: f64 = 0.5;
const VERTICES: f64 = 0.1;
const SIDES: f64 = 0.15;
const REACH: f64 = 0.6;

/// A component that is drawn correctly, with all that lies within it.
pub(super) struct Relaxation {
    vertices: Vec<usize>,
    edges: Vec<[usize; 2]>,
    /// The bounded faces whose walk meets no vertex twice and that have nothing within.
    cells: Vec<Walk>,
}

impl Relaxation {
    pub(super) fn new(vertices: Vec<usize>, outer: &Walk, borders: &[&Face]) -> Relaxation {
        let outer = vec![outer.clone()];
        let darts = borders.iter().copied().chain([&outer]).flat_map(darts_of);
        let edges = darts.filter(|[u, v]| u < v).collect();
        let plain = |face: &&&Face| face.len() == 1 && is_simple(&face[0]);
        let cells = borders.iter().filter(plain).map(|face| face[0].clone()).collect();
        Relaxation { vertices, edges, cells }
    }

    /// Moves the vertices as the forces say, never so far that one could come to lie on an edge.
    pub(super) fn relax(&self, places: &mut [Vector]) {
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
    fn even_edges(&self, places: &[Vector], forces: &mut [Force]) {
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
    fn regular_cells(&self, places: &[Vector], forces: &mut [Force]) {
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
    fn keep_apart(&self, places: &[Vector], forces: &mut [Force]) -> Vec<f64> {
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
    pub(super) fn turn(&self, places: &mut [Vector]) {
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
    fn merit(&self, places: &[Vector], angle: f64) -> [i64; 4] {
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
    pub(super) fn shift(&self, places: &mut [Vector], begin: f64) -> f64 {
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
    pull: Vector,
    stiffness: f64,
}

impl Force {
    fn add(&mut self, pull: Vector, stiffness: f64) {
        self.pull = add(self.pull, pull);
        self.stiffness += stiffness;
    }
}

fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}
