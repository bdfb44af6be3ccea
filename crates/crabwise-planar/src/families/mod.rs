//! The plane graphs that have a name, each drawn with straight edges.
//!
//! Where a family is in the literature, its vertices are numbered as there: cycles clockwise from the top,
//! hubs last, the ends of a theta first. So results can be compared edge by edge.

mod shapes;
#[cfg(test)]
mod tests;

use self::shapes::*;
use crate::{MOST_EDGES, PlaneGraph};

/// The families: the name, what its numbers mean, and an example.
pub const FAMILIES: &[(&str, &str, &str)] = &[
    ("cycle", "a cycle of N edges", "cycle=7"),
    ("path", "a path of N edges", "path=4"),
    ("wheel", "a hub with N spokes, and its rim", "wheel=5"),
    ("ladder", "two rows of N vertices", "ladder=2x4"),
    ("grid", "rows x columns of vertices", "grid=3x3"),
    ("theta", "paths of these lengths between two vertices, from top to bottom", "theta=3,2,5"),
    ("fan", "N triangles around a vertex", "fan=6"),
    ("prism", "two cycles of N edges, one within the other, joined", "prism=4"),
    ("antiprism", "two cycles of N edges, joined by a ring of triangles", "antiprism=3"),
    ("strip", "N triangles in a row", "strip=6"),
    ("cactus", "cycles of these lengths that share one vertex", "cactus=3,4,4"),
    ("chain", "cycles of these lengths in a row, neighbours sharing a vertex", "chain=3,5,4"),
    (
        "nested",
        "cycles of these lengths, each within the one before, sharing a vertex",
        "nested=3,3",
    ),
    ("bowtie", "two triangles that share a vertex", "bowtie"),
    ("dumbbell", "two cycles of these lengths, joined by a bridge", "dumbbell=3,3"),
    ("lollipop", "a cycle of N edges with a tail of M", "lollipop=4,2"),
    ("spider", "legs of these lengths at one vertex", "spider=3,3,5"),
    ("star", "N edges at one vertex", "star=5"),
    ("chord", "a cycle of N edges with a chord that cuts off a cycle of M", "chord=7,3"),
    ("ear", "a cycle of N edges with a vertex inside, joined to two neighbours", "ear=7"),
    ("k4", "four vertices, all joined", "k4"),
    ("cube", "the cube, seen through a face", "cube"),
    ("octahedron", "the octahedron, seen through a face", "octahedron"),
    ("hexagons", "one, two or three hexagons that meet in a vertex", "hexagons=3"),
    ("diamond", "two triangles that share an edge", "diamond"),
];

/// The plane graph of a family such as `wheel=5`, with its canonical spelling; `None` if the text names
/// no family.
pub fn named(text: &str) -> Option<Result<(String, PlaneGraph), String>> {
    let (family, numbers) = match text.split_once('=') {
        Some((family, numbers)) => (family.trim(), Some(numbers.trim())),
        None => (text.trim(), None),
    };
    let &(family, _, example) = FAMILIES.iter().find(|(name, ..)| *name == family)?;
    let board = || {
        let (spelling, drawing) = drawing(family, numbers, example)?;
        if drawing.edges.len() > MOST_EDGES {
            let count = drawing.edges.len();
            return Err(format!("it has {count} edges; a board has at most {MOST_EDGES}"));
        }
        Ok((spelling, drawing.plane_graph()?))
    };
    Some(board().map_err(|error| format!("'{}': {error}", text.trim())))
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
