//! Rotation systems: a line a vertex, `1: 2 3 4`, its neighbours clockwise.
//!
//! Any rotation system embeds each connected component in some closed surface; it is the sphere, and so
//! the plane, exactly if vertices - edges + faces = 2. A line `outer: 1 2 3` names vertices on the outer face.

use crabwise_graphfile::{ReadError, quotable};

use super::{
    File, Shape,
    list::{outer_line, without_comment},
    net::{Net, order},
};
use crate::{
    MOST_EDGES as MOST,
    plane::{RotationSystem, connected_components, face_walks},
};

/// A vertex with its neighbours, and the line on which they stand if that is known.
pub(super) struct Around {
    pub(super) name: String,
    pub(super) neighbours: Vec<String>,
    pub(super) line: Option<usize>,
}

impl Around {
    fn bad(&self, text: impl Into<String>) -> ReadError {
        match self.line {
            Some(line) => ReadError::on_line(line as u64, text),
            None => ReadError::anywhere(text),
        }
    }
}

pub(super) fn read(text: &str) -> Result<File, ReadError> {
    let (mut rows, mut outer) = (vec![], None);
    for (line, content) in text.lines().enumerate() {
        let (line, content) = (line + 1, without_comment(content).trim());
        if content.is_empty() || outer_line(content, line, &mut outer)? {
            continue;
        }
        let Some((name, neighbours)) = content.split_once(':') else {
            let text = format!("'{}' has no colon; a line is like 1: 2 3 4", quotable(content));
            return Err(ReadError::on_line(line as u64, text));
        };
        let separator = |c: char| c.is_whitespace() || c == ',';
        let words = neighbours.split(separator).filter(|word| !word.is_empty());
        let neighbours = words.map(str::to_string).collect();
        rows.push(Around { name: name.trim().into(), neighbours, line: Some(line) });
    }
    file(rows, outer)
}

/// The rotation system in these rows, which are clockwise.
pub(super) fn file(rows: Vec<Around>, outer: Option<Vec<String>>) -> Result<File, ReadError> {
    let mut net = Net::default();
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    if names.is_empty() {
        return Err(ReadError::anywhere("no vertices in it"));
    }
    for row in &rows {
        net.new_vertex(&row.name).map_err(|text| row.bad(text))?;
    }
    let mut around = vec![];
    for row in &rows {
        let neighbours = (0..row.neighbours.len()).map(|i| neighbour(row, i, &net));
        around.push(neighbours.collect::<Result<Vec<usize>, ReadError>>()?);
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
        return Err(ReadError::anywhere(format!("more than {MOST} edges")));
    }
    let (names, rotation) = sorted(&names, &around);
    plane(&names, &rotation)?;
    Ok(File { names, shape: Shape::Rotation(rotation), outer })
}

/// The rotation system with the vertices in order.
fn sorted(names: &[String], around: &[Vec<usize>]) -> (Vec<String>, RotationSystem) {
    let order = order(names);
    let mut numbers = vec![0; names.len()];
    order.iter().enumerate().for_each(|(new, &old)| numbers[old] = new);
    let renumbered = |&old: &usize| around[old].iter().map(|&other| numbers[other]).collect();
    let names = order.iter().map(|&old| names[old].clone()).collect();
    (names, order.iter().map(renumbered).collect())
}

/// The vertex that is the `i`th neighbour in a row.
fn neighbour(row: &Around, i: usize, net: &Net) -> Result<usize, ReadError> {
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

/// Makes sure that the rotation system belongs to a drawing in the plane.
fn plane(names: &[String], rotation: &[Vec<usize>]) -> Result<(), ReadError> {
    let components = connected_components(rotation);
    let walks = face_walks(rotation);
    for (vertex, name) in
        names.iter().enumerate().filter(|&(vertex, _)| components[vertex] == vertex)
    {
        let within = |other: &usize| components[*other] == vertex;
        let vertices = (0..names.len()).filter(within).count();
        let edges = (0..names.len()).filter(within).map(|v| rotation[v].len()).sum::<usize>() / 2;
        let faces = walks.iter().filter(|walk| within(&walk[0])).count();
        if edges > 0 && vertices + faces != edges + 2 {
            return Err(ReadError::anywhere(format!(
                "no drawing in the plane has these orders around the vertices: with vertex {name} \
                 are connected {vertices} vertices and {edges} edges, which have {faces} faces in \
                 these orders and {} in the plane",
                edges + 2 - vertices
            )));
        }
    }
    Ok(())
}
