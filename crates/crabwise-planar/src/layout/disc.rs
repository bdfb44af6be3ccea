//! A disc of triangles, drawn with each inner vertex at a mean of its neighbours (Tutte 1963), or on a grid.

use std::{
    collections::{BTreeMap, BTreeSet},
    f64::consts::{FRAC_PI_2, TAU},
    mem::take,
};

use super::{
    is_simple,
    vector::{Vector, add, norm, scaled, sub},
};
use crate::plane::{Walk, darts_of};

/// How often the weights of the means are evened out.
const EVENINGS: usize = 8;
/// The least height of a triangle in a disc of radius 1 that is drawn well enough.
const CLEAR: f64 = 1e-7;

/// A disc of triangles: a component of a graph, and more vertices, which are not shown.
pub(super) struct Disc {
    /// The number of vertices; those that are not shown come last.
    pub(super) count: usize,
    /// The triangles, each clockwise.
    pub(super) triangles: Vec<[usize; 3]>,
}

impl Disc {
    /// The walk itself if it meets no vertex twice; otherwise a ring of new vertices along it, joined
    /// to it by triangles.
    pub(super) fn ring(&mut self, walk: &Walk) -> Walk {
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
    pub(super) fn hub(&mut self, ring: &Walk) -> usize {
        let hub = self.count;
        self.count += 1;
        self.triangles.extend(darts_of(&vec![ring.clone()]).map(|[u, v]| [u, v, hub]));
        hub
    }

    /// The places of all vertices, within the circle of radius 1 around the origin. The outer face is
    /// on the right of the rim.
    pub(super) fn drawn(&self, rim: &Walk) -> Vec<Vector> {
        let places = self.of_means(rim);
        if self.is_clear(&places) { places } else { self.on_grid(rim) }
    }

    /// Whether each triangle is clockwise and not too flat for numbers of 53 bits.
    pub(super) fn is_clear(&self, places: &[Vector]) -> bool {
        self.triangles.iter().all(|triangle| {
            let [a, b, c] = triangle.map(|v| places[v]);
            let ([x, y], [z, w]) = (sub(b, a), sub(c, a));
            y * z - x * w > CLEAR * norm([x, y]).max(norm([z, w]))
        })
    }

    /// The drawing with each vertex at a mean of its neighbours, the rim on a circle. The means favour
    /// far neighbours more and more, so that what is deep inside does not get too small.
    pub(super) fn of_means(&self, rim: &Walk) -> Vec<Vector> {
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
    fn settle(&self, weights: &BTreeMap<[usize; 2], f64>, fixed: &[bool], places: &mut [Vector]) {
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
    pub(super) fn on_grid(&self, rim: &Walk) -> Vec<Vector> {
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
