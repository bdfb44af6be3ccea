//! The boards that have a name, each drawn with straight edges.
//!
//! Where a family is in the literature or in the tables of solved boards, its vertices are numbered
//! as there: cycles clockwise from the top, hubs last, the ends of a theta first. So positions can
//! be compared edge by edge.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::{
    board::{Board, Face, Walk},
    drawing::drawn,
    layout::places,
};

/// The most edges a board may have.
const MOST_EDGES: usize = 128;

/// The families: the name, what its numbers mean, and an example.
pub const NAMES: &[(&str, &str, &str)] = &[
    ("cycle", "a cycle of so many edges", "cycle=7"),
    ("path", "a path of so many edges", "path=4"),
    ("wheel", "a hub with so many spokes, and its rim", "wheel=5"),
    ("ladder", "two rows of so many vertices", "ladder=2x4"),
    ("grid", "rows x columns of vertices", "grid=3x3"),
    ("theta", "paths of these lengths between two vertices, from top to bottom", "theta=3,2,5"),
    ("fan", "so many triangles around a vertex", "fan=6"),
    ("prism", "two cycles of so many edges, one within the other, joined", "prism=4"),
    ("antiprism", "the same, joined by a ring of triangles", "antiprism=3"),
    ("strip", "so many triangles in a row", "strip=6"),
    ("cactus", "cycles of these lengths that share one vertex", "cactus=3,4,4"),
    ("chain", "cycles of these lengths in a row, neighbours sharing a vertex", "chain=3,5,4"),
    (
        "nested",
        "cycles of these lengths, each within the one before, sharing a vertex",
        "nested=3,3",
    ),
    ("bowtie", "two triangles that share a vertex", "bowtie"),
    ("dumbbell", "two cycles of these lengths, joined by a bridge", "dumbbell=3,3"),
    ("lollipop", "a cycle of so many edges with a tail of so many", "lollipop=4,2"),
    ("spider", "legs of these lengths at one vertex", "spider=3,3,5"),
    ("star", "so many edges at one vertex", "star=5"),
    (
        "chord",
        "a cycle of so many edges with a chord that cuts off a cycle of so many",
        "chord=7,3",
    ),
    ("ear", "a cycle of so many edges with a vertex inside, joined to two neighbours", "ear=7"),
    ("k4", "four vertices, all joined", "k4"),
    ("cube", "the cube, seen through a face", "cube"),
    ("octahedron", "the octahedron, seen through a face", "octahedron"),
    ("hexagons", "one, two or three hexagons that meet in a vertex", "hexagons=3"),
    ("diamond", "two triangles that share an edge", "diamond"),
];

type Place = [f64; 2];

/// A drawing in the making.
#[derive(Default)]
struct Drawing {
    places: Vec<Place>,
    edges: Vec<[usize; 2]>,
}

/// The board of a family such as `wheel=5`, with its canonical spelling; `None` if the text names
/// no family.
pub(crate) fn named(text: &str) -> Option<Result<(String, Board), String>> {
    let (family, numbers) = match text.split_once('=') {
        Some((family, numbers)) => (family.trim(), Some(numbers.trim())),
        None => (text.trim(), None),
    };
    let &(family, _, example) = NAMES.iter().find(|(name, ..)| *name == family)?;
    let board = || {
        let (spelling, drawing) = drawing(family, numbers, example)?;
        if drawing.edges.len() > MOST_EDGES {
            let count = drawing.edges.len();
            return Err(format!("it has {count} edges; a board has at most {MOST_EDGES}"));
        }
        Ok((spelling, drawing.board()?))
    };
    Some(board().map_err(|error| format!("'{}': {error}", text.trim())))
}

/// Boards side by side, left to right, numbered on. Names that are not `1`, `2`, … and that an
/// earlier board has get primes.
pub(crate) fn union(boards: Vec<Board>) -> Board {
    let numbered =
        |board: &Board| board.names.iter().zip(1..).all(|(name, n)| *name == n.to_string());
    let renumber = boards.iter().all(numbered);
    let (mut names, mut places): (Vec<String>, Vec<Place>) = (vec![], vec![]);
    let (mut faces, mut outer): (Vec<Face>, Face) = (vec![], vec![]);
    let mut begin = 0.0;
    for board in boards.into_iter().filter(|board| !board.names.is_empty()) {
        let before = names.len();
        let on = |face: Face| -> Face {
            face.into_iter().map(|walk| walk.into_iter().map(|v| v + before).collect()).collect()
        };
        let (left, right) = ends(&board.places, 0);
        let (low, high) = ends(&board.places, 1);
        for ([x, y], name) in board.places.into_iter().zip(board.names) {
            places.push([x - left + begin, y - (low + high) / 2.0]);
            let mut name = if renumber { (names.len() + 1).to_string() } else { name };
            while names.contains(&name) {
                name.push('\'');
            }
            names.push(name);
        }
        begin += right - left + 1.0;
        faces.extend(board.faces.into_iter().map(on));
        outer.extend(on(board.outer));
    }
    Board::new(names, places, faces, outer).expect("the darts of boards are apart")
}

/// The canonical spelling and the drawing of a member of a family.
fn drawing(
    family: &str,
    numbers: Option<&str>,
    example: &str,
) -> Result<(String, Drawing), String> {
    let wrong = || match example.split_once('=') {
        Some(_) => format!("numbers are missing or wrong; right is, say, '{example}'"),
        None => format!("{example} has no numbers"),
    };
    let parsed: Result<Vec<usize>, _> = match numbers {
        Some(numbers) => numbers.split([',', 'x']).map(|number| number.trim().parse()).collect(),
        None => Ok(vec![]),
    };
    let of = parsed.map_err(|_| wrong())?;
    let is_product = numbers.is_some_and(|numbers| numbers.contains('x'));
    if is_product && (numbers.is_some_and(|all| all.contains(',')) || !example.contains('x')) {
        return Err(wrong());
    }
    let commas: Vec<String> = of.iter().map(|number| number.to_string()).collect();
    let spelling = format!("{family}={}", commas.join(","));
    if let Some(drawing) = counted(family, &of) {
        return Ok((spelling, drawing?));
    }
    // No number above the limit can be right, and sums and products of those below are small.
    if of.len() > MOST_EDGES || of.iter().any(|&number| number > MOST_EDGES) {
        return Err(format!("no number is above {MOST_EDGES}, the most edges of a board"));
    }
    match (family, &of[..]) {
        (_, []) => Ok((family.into(), alone(family).ok_or_else(wrong)?)),
        ("ladder", &[n] | &[2, n]) => {
            need((1..=43).contains(&n), "a ladder has 2 rows of 1 to 43 vertices")?;
            Ok((format!("ladder=2x{n}"), grid(2, n)))
        }
        ("grid", &[rows, columns]) => {
            need(rows * columns >= 2, "a grid has at least 2 vertices")?;
            Ok((format!("grid={rows}x{columns}"), grid(rows, columns)))
        }
        (_, of) => Ok((spelling, listed(family, of).ok_or_else(wrong)??)),
    }
}

fn need(right: bool, rule: &str) -> Result<(), String> {
    if right { Ok(()) } else { Err(rule.into()) }
}

/// The boards that need no number.
fn alone(family: &str) -> Option<Drawing> {
    Some(match family {
        "bowtie" => cactus(&[3, 3]),
        "k4" => wheel(3),
        "cube" => prism(4),
        "octahedron" => antiprism(3),
        "diamond" => theta(&[2, 1, 2]),
        _ => return None,
    })
}

/// The families with one number.
fn counted(family: &str, of: &[usize]) -> Option<Result<Drawing, String>> {
    type Draw = fn(usize) -> Drawing;
    let (right, rule, draw): (_, _, Draw) = match family {
        "cycle" => (3..=128, "a cycle has 3 to 128 edges", cycle),
        "path" => (1..=128, "a path has 1 to 128 edges", |n| grid(1, n + 1)),
        "wheel" => (3..=64, "a wheel has 3 to 64 spokes", wheel),
        "fan" => (1..=63, "a fan has 1 to 63 triangles", fan),
        "prism" => (3..=42, "the cycles of a prism have 3 to 42 edges", prism),
        "antiprism" => (3..=32, "the cycles of an antiprism have 3 to 32 edges", antiprism),
        "strip" => (1..=63, "a strip has 1 to 63 triangles", strip),
        "star" => (1..=128, "a star has 1 to 128 edges", |n| spider(&vec![1; n])),
        "ear" => (3..=126, "the cycle of an ear has 3 to 126 edges", ear),
        "hexagons" => (1..=3, "1 to 3 hexagons meet in a vertex", hexagons),
        _ => return None,
    };
    let &[n] = of else { return None };
    Some(need(right.contains(&n), rule).map(|()| draw(n)))
}

/// The families with several numbers.
fn listed(family: &str, of: &[usize]) -> Option<Result<Drawing, String>> {
    type Draw = fn(&[usize]) -> Drawing;
    let least = |count: usize, edges: usize| of.len() >= count && of.iter().all(|&n| n >= edges);
    let single = of.iter().filter(|&&n| n == 1).count();
    let (right, rule, draw): (_, _, Draw) = match family {
        "theta" => (
            least(2, 1) && single <= 1 && of.iter().sum::<usize>() <= MOST_EDGES,
            "a theta has two or more paths, one single edge at most, and 128 edges at most",
            theta,
        ),
        "cactus" => {
            (least(2, 3), "a cactus has two or more cycles, each of 3 or more edges", cactus)
        }
        "chain" => (least(2, 3), "a chain has two or more cycles, each of 3 or more edges", chain),
        "nested" => (least(2, 3), "there are two or more cycles, each of 3 or more edges", nested),
        "dumbbell" => (
            of.len() == 2 && least(2, 3),
            "a dumbbell has two cycles, each of 3 or more edges",
            dumbbell,
        ),
        "lollipop" => (
            matches!(of, &[around, tail] if around >= 3 && tail >= 1),
            "a lollipop has a cycle of 3 or more edges and a tail of 1 or more",
            lollipop,
        ),
        "spider" => {
            (least(3, 1), "a spider has three or more legs, each of 1 or more edges", spider)
        }
        "chord" => (
            matches!(of, &[around, off] if off >= 3 && off < around),
            "the chord of a cycle cuts off 3 or more edges, fewer than the cycle has",
            chord,
        ),
        _ => return None,
    };
    Some(need(right, rule).map(|()| draw(of)))
}

impl Drawing {
    fn board(self) -> Result<Board, String> {
        let names = (1..=self.places.len()).map(|n| n.to_string()).collect();
        drawn(names, self.places, &self.edges)
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
        let (low, high) = ends(&self.places[..], 1);
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
fn cycle(n: usize) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2));
    drawing
}

fn wheel(spokes: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let rim = drawing.put_cycle(polygon(spokes, radius(spokes).max(1.0), FRAC_PI_2));
    let hub = drawing.put([[0.0; 2]])[0];
    drawing.edges.extend(rim.iter().map(|&v| [v, hub]));
    drawing
}

fn grid(rows: usize, columns: usize) -> Drawing {
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
fn fan(triangles: usize) -> Drawing {
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
fn prism(n: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let outer = drawing.put_cycle(polygon(n, radius(n) + 1.0, FRAC_PI_2));
    let inner = drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2));
    drawing.edges.extend(outer.into_iter().zip(inner).map(|(u, v)| [u, v]));
    drawing
}

/// The outer cycle first. An inner vertex has the number of the outer one before it.
fn antiprism(n: usize) -> Drawing {
    let half = PI / n as f64;
    let mut drawing = Drawing::default();
    let outer = drawing.put_cycle(polygon(n, (radius(n) + 0.4) / half.cos(), FRAC_PI_2));
    let inner = drawing.put_cycle(polygon(n, radius(n), FRAC_PI_2 - half));
    for (i, &v) in inner.iter().enumerate() {
        drawing.edges.extend([[outer[i], v], [outer[(i + 1) % n], v]]);
    }
    drawing
}

fn strip(triangles: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let height = |i: usize| if i % 2 == 1 { 0.75_f64.sqrt() } else { 0.0 };
    let zigzag = drawing.put((0..triangles + 2).map(|i| [i as f64 / 2.0, height(i)]));
    drawing.join(&zigzag);
    drawing.edges.extend((0..triangles).map(|i| [i, i + 2]));
    drawing
}

/// The inner vertex last, joined to the first of the cycle and to its last.
fn ear(n: usize) -> Drawing {
    let mut drawing = cycle(n);
    let half = PI / n as f64;
    let across = radius(n) * half.cos();
    let inner = drawing.put([polar(across - across.min(0.6), FRAC_PI_2 + half)])[0];
    drawing.join(&[0, inner, n - 1]);
    drawing
}

/// The first hexagon leaves its right corners to the others, which come below and above.
fn hexagons(count: usize) -> Drawing {
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
fn theta(lengths: &[usize]) -> Drawing {
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

/// The corners of a regular polygon whose first corner is on the left and, so many sides further on
/// the way above, the other end of a level diagonal or side.
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
    let places = places(vertices, &faces, &outer);
    let [x, y] = [places[1][0] - places[0][0], places[1][1] - places[0][1]];
    let (sin, cos) = (-y.atan2(x)).sin_cos();
    places.iter().map(|[x, y]| [x * cos - y * sin, x * sin + y * cos]).collect()
}

/// The common vertex first, then the cycles counter-clockwise, each in the same sense. They are
/// regular if there is room enough, otherwise narrower.
fn cactus(lengths: &[usize]) -> Drawing {
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
fn chain(lengths: &[usize]) -> Drawing {
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
fn nested(lengths: &[usize]) -> Drawing {
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
            let deeper = ratio * ends(&around, 1).0 / ends(&corners, 1).0;
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
fn dumbbell(lengths: &[usize]) -> Drawing {
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
fn lollipop(lengths: &[usize]) -> Drawing {
    let (around, right) = (lengths[0], radius(lengths[0]));
    let mut drawing = Drawing::default();
    drawing.put_cycle(polygon(around, right, 0.0));
    let tail = drawing.put((1..=lengths[1]).map(|i| [right + i as f64, 0.0]));
    drawing.join(&[&[0], &tail[..]].concat());
    drawing
}

/// The middle first, then the legs counter-clockwise, each outwards.
fn spider(legs: &[usize]) -> Drawing {
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
fn chord(lengths: &[usize]) -> Drawing {
    let mut drawing = cycle(lengths[0]);
    drawing.edges.push([0, lengths[1] - 1]);
    drawing
}

/// The least and the greatest coordinate along an axis.
fn ends(places: &[Place], axis: usize) -> (f64, f64) {
    let along = places.iter().map(|place| place[axis]);
    (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn board(text: &str) -> Board {
        named(text).unwrap_or_else(|| panic!("{text}: no family")).unwrap().1
    }

    fn facts() -> Vec<Value> {
        let facts: Value = serde_json::from_str(super::super::tests::FACTS).unwrap();
        let lists = [&facts["boards"], &facts["large_boards_outcome_only"]];
        lists.into_iter().flat_map(|list| list.as_array().unwrap().clone()).collect()
    }

    /// What a board of the facts is called here, if it is of a family.
    fn family(name: &str) -> Option<String> {
        let known = [
            ("C4", "cycle=4"),
            ("K4", "k4"),
            ("Bowtie", "bowtie"),
            ("BowtieNested", "nested=3,3"),
            ("TwoTriangles", "diamond"),
            ("ThreeHexagons", "hexagons=3"),
        ];
        if let Some((_, text)) = known.iter().find(|(known, _)| *known == name) {
            return Some(text.to_string());
        }
        let starts = [
            ("Cactus_star_", "cactus"),
            ("Cactus_chain_", "chain"),
            ("Path", "path"),
            ("Grid", "grid"),
            ("Wheel", "wheel"),
            ("Antiprism", "antiprism"),
            ("Theta", "theta"),
            ("Lollipop", "lollipop"),
            ("Fan", "fan"),
            ("TriStrip", "strip"),
            ("Spider", "spider"),
            ("Dumbbell", "dumbbell"),
            ("C", "cycle"),
        ];
        let (start, family) = starts.iter().find(|(start, _)| name.starts_with(start))?;
        let numbers = name[start.len()..].trim_end_matches('e').replace('_', ",");
        Some(format!("{family}={numbers}"))
    }

    /// The board with this name in the facts, made of families.
    fn made(name: &str) -> Option<Board> {
        let parts = name.split(" + ").map(|part| family(part).map(|text| board(&text)));
        let parts: Vec<Board> = parts.collect::<Option<_>>()?;
        Some(if let [board] = &parts[..] { board.clone() } else { union(parts) })
    }

    fn numbers(list: &Value) -> Vec<usize> {
        list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
    }

    #[test]
    fn edges_and_tables_are_those_of_the_facts() {
        let mut others = vec![];
        for fact in facts() {
            let name = fact["name"].as_str().unwrap();
            let Some(board) = made(name) else {
                others.push(name.to_string());
                continue;
            };
            let edges: Vec<Vec<usize>> =
                board.edges.iter().map(|e| vec![e[0] + 1, e[1] + 1]).collect();
            let mapping = fact["edge_mapping"].as_array().unwrap();
            assert_eq!(edges, mapping.iter().map(numbers).collect::<Vec<_>>(), "{name}");
            let entry = |entry: &Vec<usize>| match &entry[..] {
                [] => vec![0],
                after => after.iter().map(|v| v + 1).collect(),
            };
            for (row, fact) in board.table().iter().zip(fact["game_table"].as_array().unwrap()) {
                let row: Vec<Vec<usize>> = row.iter().map(entry).collect();
                let fact: Vec<Vec<usize>> = fact.as_array().unwrap().iter().map(numbers).collect();
                assert_eq!(row, fact, "{name}");
            }
        }
        assert!(others.iter().all(|name| name.starts_with("Pa")), "{others:?}");
    }

    /// The figures of the papers order their faces as they like.
    #[test]
    fn faces_are_those_of_the_papers() {
        let papers = [
            ("Theorem 3", "cycle=5"),
            ("Theorem 4 (Alvarado et. al.) (2)", "chord=8,4"),
            ("Theorem 4", "chord=7,4"),
            ("Theorem 5 (Alvarado et. al.) (2)", "ear=8"),
            ("Theorem 5", "ear=7"),
            ("Figure 6", "k4"),
            ("Figure 11", "wheel=4"),
        ];
        let facts = facts();
        for (part, text) in papers {
            let named = |fact: &&Value| fact["name"].as_str().unwrap().contains(part);
            let fact = facts.iter().find(named).unwrap();
            let walks = |of: &str| -> Vec<Walk> {
                let walk = |walk: &Value| numbers(walk).iter().map(|v| v - 1).collect();
                fact[of].as_array().unwrap().iter().map(walk).collect()
            };
            let made = board(text);
            let mut faces: Vec<Face> =
                walks("faces_cw").into_iter().map(|walk| vec![walk]).collect();
            faces.sort();
            assert_eq!((made.faces, made.outer), (faces, walks("outer_walks")), "{part}");
        }
    }

    #[test]
    fn every_family_has_an_example_and_its_canonical_spelling() {
        for (name, _, example) in NAMES {
            let (spelling, board) = named(example).unwrap().unwrap();
            assert_eq!((spelling.as_str(), example.starts_with(name)), (*example, true));
            assert!(!board.edges.is_empty());
        }
        let spelling = |text: &str| named(text).unwrap().unwrap().0;
        assert_eq!(spelling("ladder=4"), "ladder=2x4");
        assert_eq!(spelling(" theta = 3, 02 ,5"), "theta=3,2,5");
        assert_eq!(board("ladder=4"), board("grid=2x4"));
        assert_eq!(board("path=4"), board("grid=1x5"));
        assert_eq!(board("cube").edges.len(), 12);
        assert_eq!([1, 2].map(|n| board(&format!("hexagons={n}")).edges.len()), [6, 11]);
        assert!(["wheels=3", "", "=3", "Cycle=3"].iter().all(|text| named(text).is_none()));
    }

    #[test]
    fn the_largest_boards_can_be_drawn() {
        let many = |number: &str, count: usize| vec![number; count].join(",");
        let counted = "cycle=128 path=128 wheel=64 fan=63 prism=42 antiprism=32 strip=63 star=128 \
                       ear=126 ladder=43 grid=8x8 chord=127,3 chord=127,60 cactus=64,64 \
                       nested=125,3 nested=3,125 dumbbell=3,124 lollipop=3,125 theta=1,125,2 \
                       theta=2,125,1 theta=63,1,64 theta=1,2 theta=2,2,60,2,62 theta=120,1,3,4";
        let mut texts: Vec<String> = counted.split(' ').map(String::from).collect();
        texts.extend(
            ["cactus=", "chain=", "nested="].map(|family| family.to_string() + &many("3", 42)),
        );
        texts.extend(["theta=", "spider="].map(|family| family.to_string() + &many("2", 64)));
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let (spelling, board) = named(text).unwrap().unwrap();
            assert!(board.edges.len() <= MOST_EDGES, "{spelling}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_number_is_said_in_one_line() {
        let cases = [
            ("wheel=2", "'wheel=2': a wheel has 3 to 64 spokes"),
            ("cycle", "'cycle': numbers are missing or wrong; right is, say, 'cycle=7'"),
            ("cycle=3,4", "'cycle=3,4': numbers are missing or wrong; right is, say, 'cycle=7'"),
            ("cycle=x", "'cycle=x': numbers are missing or wrong; right is, say, 'cycle=7'"),
            (
                "chain=3x4",
                "'chain=3x4': numbers are missing or wrong; right is, say, 'chain=3,5,4'",
            ),
            ("k4=4", "'k4=4': k4 has no numbers"),
            (
                "theta=1,1,3",
                "'theta=1,1,3': a theta has two or more paths, one single edge at most, and 128 edges at most",
            ),
            ("chain=3,2", "'chain=3,2': a chain has two or more cycles, each of 3 or more edges"),
            ("grid=1x1", "'grid=1x1': a grid has at least 2 vertices"),
            ("grid=9x9", "'grid=9x9': it has 144 edges; a board has at most 128"),
            ("path=999", "'path=999': a path has 1 to 128 edges"),
            ("grid=2x999", "'grid=2x999': no number is above 128, the most edges of a board"),
            ("cactus=99,99", "'cactus=99,99': it has 198 edges; a board has at most 128"),
        ];
        for (text, error) in cases {
            assert_eq!(named(text).unwrap().unwrap_err(), error);
        }
    }

    #[test]
    fn names_stay_unique_side_by_side() {
        let mut first = board("path=1");
        first.names = vec!["a".into(), "1".into()];
        let both = union(vec![first.clone(), board("path=1"), first]);
        assert_eq!(both.names, ["a", "1", "1'", "2", "a'", "1''"]);
        assert_eq!(both.outer, [[0, 1], [2, 3], [4, 5]]);
        assert!(both.places.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }
}
