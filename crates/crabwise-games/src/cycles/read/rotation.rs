//! Rotation systems: a line a vertex, `1: 2 3 4`, its neighbours clockwise.
//!
//! The neighbours of each vertex in clockwise order tell all faces: with the face on the right,
//! after `u → v` comes `v → w` where `w` is just before `u` around `v`. Any such orders make some
//! closed surface of each connected part; it is the sphere, and so the plane, exactly if vertices -
//! edges + faces = 2. A line `outer: 1 2 3` names vertices on the outer face.

use super::{
    Bad, File, Shape,
    list::{outer_line, without_comment},
    net::{MOST, Net, order},
};
use crate::{
    cycles::board::{parts, walks},
    graph::quotable,
};

/// A vertex with its neighbours, and the line on which they stand if that is known.
pub(super) struct Around {
    pub(super) name: String,
    pub(super) neighbours: Vec<String>,
    pub(super) line: Option<usize>,
}

impl Around {
    fn bad(&self, text: impl Into<String>) -> Bad {
        match self.line {
            Some(line) => Bad::on_line(line, text),
            None => Bad::anywhere(text),
        }
    }
}

pub(super) fn read(text: &str) -> Result<File, Bad> {
    let (mut rows, mut outer) = (vec![], None);
    for (line, content) in text.lines().enumerate() {
        let (line, content) = (line + 1, without_comment(content).trim());
        if content.is_empty() || outer_line(content, line, &mut outer)? {
            continue;
        }
        let Some((name, neighbours)) = content.split_once(':') else {
            let text = format!("'{}' has no colon; a line is like 1: 2 3 4", quotable(content));
            return Err(Bad::on_line(line, text));
        };
        let separator = |c: char| c.is_whitespace() || c == ',';
        let words = neighbours.split(separator).filter(|word| !word.is_empty());
        let neighbours = words.map(str::to_string).collect();
        rows.push(Around { name: name.trim().into(), neighbours, line: Some(line) });
    }
    file(rows, outer)
}

/// The rotation system in these rows, which are clockwise.
pub(super) fn file(rows: Vec<Around>, outer: Option<Vec<String>>) -> Result<File, Bad> {
    let mut net = Net::default();
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    if names.is_empty() {
        return Err(Bad::anywhere("no vertices in it"));
    }
    for row in &rows {
        net.new_vertex(&row.name).map_err(|text| row.bad(text))?;
    }
    let mut around = vec![];
    for row in &rows {
        let neighbours = (0..row.neighbours.len()).map(|i| neighbour(row, i, &net));
        around.push(neighbours.collect::<Result<Vec<usize>, Bad>>()?);
    }
    for (vertex, row) in rows.iter().enumerate() {
        let one_way = |&&other: &&usize| !around[other].contains(&vertex);
        if let Some(&other) = around[vertex].iter().find(one_way) {
            let (name, other) = (&row.name, &names[other]);
            let text = format!("{name} has the neighbour {other}, but {other} has no {name}");
            return Err(row.bad(text));
        }
    }
    if around.iter().map(Vec::len).sum::<usize>() > 2 * MOST {
        return Err(Bad::anywhere(format!("more than {MOST} edges")));
    }
    let (names, rotation) = sorted(&names, &around);
    plane(&names, &rotation)?;
    Ok(File { names, shape: Shape::Rotation(rotation), outer })
}

/// The same with the vertices in order.
fn sorted(names: &[String], around: &[Vec<usize>]) -> (Vec<String>, Vec<Vec<usize>>) {
    let order = order(names);
    let mut numbers = vec![0; names.len()];
    order.iter().enumerate().for_each(|(new, &old)| numbers[old] = new);
    let renumbered = |&old: &usize| around[old].iter().map(|&other| numbers[other]).collect();
    let names = order.iter().map(|&old| names[old].clone()).collect();
    (names, order.iter().map(renumbered).collect())
}

/// The vertex that is the `i`th neighbour in a row.
fn neighbour(row: &Around, i: usize, net: &Net) -> Result<usize, Bad> {
    let (name, other) = (&row.name, &row.neighbours[i]);
    if name == other {
        return Err(row.bad(format!("an edge joins {name} to itself; a board has no loops")));
    }
    if row.neighbours[..i].contains(other) {
        return Err(row.bad(format!("{name} has the neighbour {other} twice")));
    }
    net.find(other).ok_or_else(|| {
        let other = quotable(other);
        row.bad(format!("{name} has the neighbour {other}, which has no neighbours of its own"))
    })
}

/// That the orders belong to a drawing in the plane.
fn plane(names: &[String], rotation: &[Vec<usize>]) -> Result<(), Bad> {
    let parts = parts(rotation);
    let walks = walks(rotation);
    for (vertex, name) in names.iter().enumerate().filter(|&(vertex, _)| parts[vertex] == vertex) {
        let within = |other: &usize| parts[*other] == vertex;
        let vertices = (0..names.len()).filter(within).count();
        let edges = (0..names.len()).filter(within).map(|v| rotation[v].len()).sum::<usize>() / 2;
        let faces = walks.iter().filter(|walk| within(&walk[0])).count();
        if edges > 0 && vertices + faces != edges + 2 {
            return Err(Bad::anywhere(format!(
                "no drawing in the plane has these orders around the vertices: with vertex {name} \
                 are connected {vertices} vertices and {edges} edges, which have {faces} faces in \
                 these orders and {} in the plane",
                edges + 2 - vertices
            )));
        }
    }
    Ok(())
}
