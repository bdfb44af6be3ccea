//! How each family is drawn.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use crate::{
    PlaneGraph,
    drawing::plane_graph,
    layout::straight_line,
    plane::{Face, Walk, extent},
};

type Place = [f64; 2];

/// A drawing in the making.
#[derive(Default)]
pub(super) struct Drawing {
    places: Vec<Place>,
    pub(super) edges: Vec<[usize; 2]>,
}

impl Drawing {
    pub(super) fn plane_graph(self) -> Result<PlaneGraph, String> {
        let names = (1..=self.places.len()).map(|n| n.to_string()).collect();
        plane_graph(names, self.places, &self.edges)
    }

    /// Joins each vertex of a list to the next.
    fn join(&mut self, path: &[usize]) {
        self.edges.extend(path.windows(2).map(|pair| [pair[0], pair[1]]));
    }

    /// New vertices at these places; gives their numbers.
    fn put(&mut self, places: impl IntoIterator<Item = Place>) -> Vec<usize> {
        let before = self.places.len();
        self.places.extend(places);
        (before..self.places.len()).collect()
    }

    /// A new cycle with its corners at these places.
    fn put_cycle(&mut self, places: impl IntoIterator<Item = Place>) -> Vec<usize> {
        let cycle = self.put(places);
        self.join(&[&cycle[..], &cycle[..1]].concat());
        cycle
    }

    /// Bends a path between two vertices on a level: straight, unless an edge runs there; then half
    /// way to the other side. The drawing is enlarged so that the path is not too dense.
    fn bend(&mut self, path: &[usize], edge_above: bool, edge_below: bool) {
        let ([left, level], [right, _]) = (self.places[path[0]], self.places[path[path.len() - 1]]);
        let (low, high) = extent(&self.places[..], 1);
        let depth = match (edge_above, edge_below) {
            (true, _) => (low - level) / 2.0,
            (_, true) => (high - level) / 2.0,
            _ => 0.0,
        };
        let count = path.len() - 1;
        for (i, &v) in path.iter().enumerate() {
            let share = i as f64 / count as f64;
            let off = 4.0 * share * (1.0 - share) * depth;
            self.places[v] = [left + share * (right - left), level + off];
        }
        let length = (right - left).hypot(2.0 * depth);
        let larger = (0.7 * count as f64 / length).max(1.0);
        self.places.iter_mut().flatten().for_each(|x| *x *= larger);
    }
}

/// The place at an angle and a distance from the origin.
fn polar(radius: f64, angle: f64) -> Place {
    [radius * angle.cos(), radius * angle.sin()]
}

/// The radius of a regular polygon with sides of 1.
fn radius(corners: usize) -> f64 {
    0.5 / (PI / corners as f64).sin()
}

/// The corners of a regular polygon, clockwise from an angle on.
fn polygon(corners: usize, radius: f64, first: f64) -> impl Iterator<Item = Place> {
    (0..corners).map(move |i| polar(radius, first - TAU * i as f64 / corners as f64))
}

/// The regular polygon with sides of 1 around the origin, its first corner at the top.
pub(super) fn cycle(n: usize) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2));
    drawing
}

pub(super) fn wheel(spokes: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let rim = drawing.put_cycle(polygon(spokes, radius(spokes).max(1.0), FRAC_PI_2));
    let hub = drawing.put([[0.0; 2]])[0];
    drawing.edges.extend(rim.iter().map(|&v| [v, hub]));
    drawing
}

pub(super) fn grid(rows: usize, columns: usize) -> Drawing {
    let mut drawing = Drawing::default();
    for row in 0..rows {
        let level = drawing.put((0..columns).map(|column| [column as f64, -(row as f64)]));
        drawing.join(&level);
        if row > 0 {
            drawing.edges.extend(level.iter().map(|&v| [v - columns, v]));
        }
    }
    drawing
}

/// The apex first, then the others from left to right over the top.
pub(super) fn fan(triangles: usize) -> Drawing {
    let step = (PI / 3.0).min(5.0 * PI / 3.0 / triangles as f64);
    let left = FRAC_PI_2 + step * triangles as f64 / 2.0;
    let radius = 0.5 / (step / 2.0).sin();
    let mut drawing = Drawing::default();
    drawing.put([[0.0; 2]]);
    let rim = drawing.put((0..=triangles).map(|i| polar(radius, left - step * i as f64)));
    drawing.join(&rim);
    drawing.edges.extend(rim.iter().map(|&v| [0, v]));
    drawing
}

/// The outer cycle first.
pub(super) fn prism(n: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let outer = drawing.put_cycle(polygon(n, radius(n) + 1.0, FRAC_PI_2));
    let inner = drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2));
    drawing.edges.extend(outer.into_iter().zip(inner).map(|(u, v)| [u, v]));
    drawing
}

/// The outer cycle first. An inner vertex has the number of the outer one before it.
pub(super) fn antiprism(n: usize) -> Drawing {
    let half = PI / n as f64;
    let mut drawing = Drawing::default();
    let outer = drawing.put_cycle(polygon(n, (radius(n) + 0.4) / half.cos(), FRAC_PI_2));
    let inner = drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2 - half));
    for (i, &v) in inner.iter().enumerate() {
        drawing.edges.extend([[outer[i], v], [outer[(i + 1) % n], v]]);
    }
    drawing
}

pub(super) fn strip(triangles: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let height = |i: usize| if i % 2 == 1 { 0.75_f64.sqrt() } else { 0.0 };
    let zigzag = drawing.put((0..triangles + 2).map(|i| [i as f64 / 2.0, height(i)]));
    drawing.join(&zigzag);
    drawing.edges.extend((0..triangles).map(|i| [i, i + 2]));
    drawing
}

/// The inner vertex last, joined to the first of the cycle and to its last.
pub(super) fn ear(n: usize) -> Drawing {
    let mut drawing = cycle(n);
    let half = PI / n as f64;
    let across = radius(n) * half.cos();
    let inner = drawing.put([polar(across - across.min(0.6), FRAC_PI_2 + half)])[0];
    drawing.join(&[0, inner, n - 1]);
    drawing
}

/// The first hexagon leaves its right corners to the others, which come below and above.
pub(super) fn hexagons(count: usize) -> Drawing {
    // In halves of the width of a hexagon and of its side.
    let places: [[i32; 2]; 13] = [
        [1, 1],
        [0, 2],
        [-1, 1],
        [-1, -1],
        [0, -2],
        [1, -1],
        [3, 1],
        [2, 2],
        [2, -2],
        [3, -1],
        [2, 4],
        [1, 5],
        [0, 4],
    ];
    let place = |[x, y]: [i32; 2]| [f64::from(x) * 0.75_f64.sqrt(), f64::from(y) / 2.0];
    let mut drawing = Drawing::default();
    let all = drawing.put(places[..[6, 10, 13][count - 1]].iter().map(|&at| place(at)));
    let side = |u: usize, v: usize| {
        let ([a, b], [c, d]) = (drawing.places[u], drawing.places[v]);
        (a - c).hypot(b - d) < 1.1
    };
    let pairs = all.iter().flat_map(|&v| (0..v).map(move |u| [u, v]));
    drawing.edges = pairs.filter(|&[u, v]| side(u, v)).collect();
    drawing
}

/// The two ends first, then the paths from top to bottom, each from left to right.
pub(super) fn theta(lengths: &[usize]) -> Drawing {
    let mut drawing = Drawing { places: vec![[0.0; 2]; 2], edges: vec![] };
    let mut paths: Vec<Walk> = vec![];
    for &length in lengths {
        let within = drawing.put(vec![[0.0; 2]; length - 1]);
        let path = [&[0], &within[..], &[1]].concat();
        drawing.join(&path);
        paths.push(path);
    }
    if let [above, within @ .., below] = &paths[..]
        && within.len() <= 1
    {
        let rim = level_polygon(above.len() - 1, below.len() - 1);
        let back = below[1..below.len() - 1].iter().rev();
        above.iter().chain(back).zip(rim).for_each(|(&v, place)| drawing.places[v] = place);
        within.iter().for_each(|path| drawing.bend(path, above.len() == 2, below.len() == 2));
    } else {
        drawing.places = level_layout(&paths, drawing.places.len());
    }
    drawing
}

/// The corners of a regular polygon from the left on, clockwise; the first one and the one `above` sides
/// further on are the ends of a level diagonal or side.
fn level_polygon(above: usize, below: usize) -> impl Iterator<Item = Place> {
    let corners = above + below;
    polygon(corners, radius(corners), FRAC_PI_2 + PI * above as f64 / corners as f64)
}

/// The layout of a theta with its ends level.
fn level_layout(paths: &[Walk], vertices: usize) -> Vec<Place> {
    let around = |above: &Walk, below: &Walk| -> Face {
        let back = below[1..below.len() - 1].iter().rev();
        vec![above.iter().chain(back).copied().collect()]
    };
    let faces: Vec<Face> = paths.windows(2).map(|pair| around(&pair[0], &pair[1])).collect();
    let outer = around(&paths[paths.len() - 1], &paths[0]);
    let places = straight_line(vertices, &faces, &outer);
    let [x, y] = [places[1][0] - places[0][0], places[1][1] - places[0][1]];
    let (sin, cos) = (-y.atan2(x)).sin_cos();
    places.iter().map(|[x, y]| [x * cos - y * sin, x * sin + y * cos]).collect()
}

/// The common vertex first, then the cycles counter-clockwise, each in the same sense. They are
/// regular if there is room enough, otherwise narrower.
pub(super) fn cactus(lengths: &[usize]) -> Drawing {
    let angle = |n: usize| PI - TAU / n as f64;
    let total: f64 = lengths.iter().map(|&n| angle(n)).sum();
    let narrower = (0.75 * TAU / total).min(1.0);
    let gap = (TAU - narrower * total) / lengths.len() as f64;
    let mut drawing = Drawing::default();
    drawing.put([[0.0; 2]]);
    let mut towards = -narrower * angle(lengths[0]) / 2.0;
    for &n in lengths {
        let wide = narrower * angle(n);
        towards += wide / 2.0;
        let squeeze = (wide / 2.0).tan() / (angle(n) / 2.0).tan();
        let (sin, cos) = towards.sin_cos();
        let corners = polygon(n, radius(n), PI).skip(1).map(|[x, y]| {
            let (x, y) = (x + radius(n), -y * squeeze);
            [x * cos - y * sin, x * sin + y * cos]
        });
        let petal = drawing.put(corners);
        drawing.join(&[&[0], &petal[..], &[0]].concat());
        towards += wide / 2.0 + gap;
    }
    drawing
}

/// From left to right; of each cycle the vertices above first, then those below.
pub(super) fn chain(lengths: &[usize]) -> Drawing {
    let mut drawing = Drawing::default();
    let mut left = drawing.put([[0.0; 2]])[0];
    for &n in lengths {
        let above = n.div_ceil(2);
        let corners: Vec<Place> = level_polygon(above, n - above).collect();
        let [x, y] = drawing.places[left];
        let shifted = |[a, b]: Place| [a - corners[0][0] + x, b - corners[0][1] + y];
        let upper = drawing.put(corners[1..above].iter().copied().map(shifted));
        let lower = drawing.put(corners[above + 1..].iter().rev().copied().map(shifted));
        let right = drawing.put([shifted(corners[above])])[0];
        drawing.join(&[&[left], &upper[..], &[right]].concat());
        drawing.join(&[&[left], &lower[..], &[right]].concat());
        left = right;
    }
    drawing
}

/// The common vertex first, at the top; the outermost cycle first, all clockwise.
pub(super) fn nested(lengths: &[usize]) -> Drawing {
    let count = lengths.len();
    let mut drawing = Drawing::default();
    drawing.put([[0.0; 2]]);
    let mut around: Vec<Place> = vec![];
    for (i, &n) in lengths.iter().enumerate() {
        let ratio = (count - i + 1) as f64 / (count - i + 2) as f64;
        let mut corners: Vec<Place> =
            polygon(n, 1.0, FRAC_PI_2).map(|[x, y]| [x, y - 1.0]).collect();
        let scale = if i == 0 {
            let size = radius(n) * count as f64;
            [size, size]
        } else {
            let deeper = ratio * extent(&around, 1).0 / extent(&corners, 1).0;
            let room = |&[x, y]: &Place| half_width(&around, deeper * y) / x;
            let widest = corners.iter().filter(|corner| corner[0] > 1e-9).map(room);
            [ratio * widest.fold(f64::INFINITY, f64::min), deeper]
        };
        corners.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * scale[0], *y * scale[1]));
        let cycle = drawing.put(corners[1..].iter().copied());
        drawing.join(&[&[0], &cycle[..], &[0]].concat());
        around = corners;
    }
    drawing
}

/// How far a convex polygon reaches to the right at a height.
fn half_width(corners: &[Place], y: f64) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let sides =
        corners.iter().zip(next).filter(|([_, a], [_, b])| a.min(*b) <= y && y <= a.max(*b));
    let at = |([a, b], [c, d]): (&Place, &Place)| {
        if b == d { a.max(*c) } else { a + (c - a) * (y - b) / (d - b) }
    };
    sides.map(at).fold(0.0, f64::max)
}

/// The left cycle from the bridge on counter-clockwise, then the right one clockwise.
pub(super) fn dumbbell(lengths: &[usize]) -> Drawing {
    let [left, right] = [radius(lengths[0]), radius(lengths[1])];
    let mut drawing = Drawing::default();
    let mirrored = polygon(lengths[0], left, PI).map(|[x, y]| [-x - left, y]);
    let left = drawing.put_cycle(mirrored)[0];
    let shifted = polygon(lengths[1], right, PI).map(|[x, y]| [x + right + 1.0, y]);
    let right = drawing.put_cycle(shifted)[0];
    drawing.join(&[left, right]);
    drawing
}

/// The cycle clockwise from where the tail begins, then the tail, to the right.
pub(super) fn lollipop(lengths: &[usize]) -> Drawing {
    let (around, right) = (lengths[0], radius(lengths[0]));
    let mut drawing = Drawing::default();
    drawing.put_cycle(polygon(around, right, 0.0));
    let tail = drawing.put((1..=lengths[1]).map(|i| [right + i as f64, 0.0]));
    drawing.join(&[&[0], &tail[..]].concat());
    drawing
}

/// The middle first, then the legs counter-clockwise, each outwards.
pub(super) fn spider(legs: &[usize]) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.put([[0.0; 2]]);
    for (i, &length) in legs.iter().enumerate() {
        let angle = FRAC_PI_2 + TAU * i as f64 / legs.len() as f64;
        let leg = drawing.put((1..=length).map(|far| polar(far as f64, angle)));
        drawing.join(&[&[0], &leg[..]].concat());
    }
    drawing
}

/// The chord joins the first vertex and the one that closes the cycle cut off.
pub(super) fn chord(lengths: &[usize]) -> Drawing {
    let mut drawing = cycle(lengths[0]);
    drawing.edges.push([0, lengths[1] - 1]);
    drawing
}
