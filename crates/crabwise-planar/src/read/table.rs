//! A table of faces is consistent exactly if it is the table of some plane graph.
//!
//! An entry `v` in row `u` is the dart `u → v`, and its column is the face on the right of it. So
//! every dart is there once, with its reverse; and a face that comes to a vertex goes on from it,
//! as many times as it comes. What comes after what is then plain, except where a face comes to a
//! vertex `v` several times. There `v` holds together *pieces*, the connected parts of the graph
//! without `v`. A walk that leaves `v` into a piece comes back from the same piece, and since `v`
//! does not cut the piece any further, a face of the piece alone passes `v` once at most. So the
//! face leaves into each of its pieces once and comes back from it once, and goes around the pieces
//! in some order. Every order is that of a drawing: pieces can be laid around `v` as one likes. The
//! order of the table's list is taken.
//!
//! Then the table is consistent if
//!
//! - around each vertex its neighbours make one circle, `w` just before `u` where `v → w` comes
//!   after `u → v`;
//! - each connected part of the graph has one walk on each face that it touches, and
//!   vertices - edges + faces = 2, so that it lies in the plane;
//! - the parts lie within faces of one another and not in a ring: parts and faces, joined where
//!   they touch, make a tree. Altogether vertices - edges + faces = 1 + parts.
//!
//! A change of one entry, unless it is only that of the order in a list, always leaves some dart
//! without its reverse, or makes it be there twice.

use std::collections::BTreeMap;

use crabwise_graphfile::{Place, ReadError};

use super::{
    File, Shape,
    cells::{Cells, range},
};
use crate::{
    MOST_EDGES as MOST,
    plane::{Face, Walk, connected_components},
};

/// More tables than these are not tried in search of a better entry.
const TRIES: usize = 30_000;

/// What is wrong with a table, and the entry that would be consistent, where there is one.
pub(super) fn mended(mut cells: Cells, bad: ReadError) -> ReadError {
    match &mends(&mut cells)[..] {
        [] => bad,
        mends => {
            ReadError { text: format!("{}; {} would fit", bad.text, mends.join(", or ")), ..bad }
        }
    }
}

/// The ways to make a table consistent by another entry, a vertex or none; nothing if there are many.
fn mends(cells: &mut Cells) -> Vec<String> {
    let (vertices, columns) = (cells.rows.len(), cells.rows.first().map_or(0, Vec::len));
    let square = cells.rows.iter().all(|row| row.len() == columns);
    if !square || vertices * columns * (vertices + 1) > TRIES {
        return vec![];
    }
    let mut mends = vec![];
    for row in 0..vertices {
        for column in 0..columns {
            let entry = cells.rows[row][column].clone();
            for vertex in 0..=vertices {
                for place in 0..entry.len() {
                    cells.rows[row][column] = entry.clone();
                    cells.rows[row][column][place] = vertex;
                    if checked(cells.clone()).is_ok() {
                        let at = Place::Entry(row, column);
                        mends.push(format!("{vertex} in {at}"));
                    }
                }
            }
            cells.rows[row][column] = entry;
        }
    }
    // With more there is no telling what was meant.
    if mends.len() > 3 { vec![] } else { mends }
}

/// What the table says, if it is consistent.
pub(super) fn checked(cells: Cells) -> Result<File, ReadError> {
    let table = Table::new(cells)?;
    table.reverses()?;
    table.columns()?;
    let next = table.successors()?;
    table.circles(&next)?;
    let mut faces = table.faces(&next);
    table.plane(&faces)?;
    table.tree(&faces)?;
    let edges = table.edges();
    let mut outer = faces.pop().unwrap_or_default();
    outer.extend(table.lone().map(|vertex| vec![vertex]));
    Ok(File { names: table.names, shape: Shape::Table { faces, outer, edges }, outer: None })
}

/// A table whose entries are vertices, from 0, each dart there once.
struct Table {
    names: Vec<String>,
    /// The vertices in each entry.
    rows: Vec<Vec<Vec<usize>>>,
    columns: usize,
    /// The column of each dart.
    darts: BTreeMap<[usize; 2], usize>,
    /// The neighbours of each vertex, and its connected component.
    neighbours: Vec<Vec<usize>>,
    components: Vec<usize>,
}

/// What comes after each dart.
type Next = BTreeMap<[usize; 2], [usize; 2]>;

fn bad(row: usize, column: usize, text: impl Into<String>) -> ReadError {
    ReadError::at(Place::Entry(row, column), text)
}

impl Table {
    fn new(cells: Cells) -> Result<Table, ReadError> {
        let Cells { names, rows: cells } = cells;
        let columns = cells.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(ReadError::anywhere(
                "no entries in it; a row is a vertex and a column a face",
            ));
        }
        let (mut rows, mut darts) = (vec![], BTreeMap::new());
        for (row, entries) in cells.iter().enumerate() {
            if entries.len() != columns {
                let text =
                    format!("its length is {}, and that of row 1 is {columns}", entries.len());
                return Err(ReadError::at(Place::Row(row), text));
            }
            let mut vertices = vec![];
            for (column, entry) in entries.iter().enumerate() {
                let entry =
                    vertices_of(row, entry, &names).map_err(|text| bad(row, column, text))?;
                for &to in &entry {
                    if let Some(before) = darts.insert([row, to], column) {
                        let text = twice(&names, [row, to], before);
                        return Err(bad(row, column, text));
                    }
                }
                vertices.push(entry);
            }
            rows.push(vertices);
        }
        let links: Vec<Vec<usize>> =
            rows.iter().map(|row: &Vec<Vec<usize>>| row.concat()).collect();
        let components = connected_components(&links);
        Ok(Table { names, rows, columns, darts, neighbours: links, components })
    }

    /// Makes sure that every edge is there in both directions, and that there are not too many.
    fn reverses(&self) -> Result<(), ReadError> {
        for (&[u, v], &column) in &self.darts {
            if !self.darts.contains_key(&[v, u]) {
                let (from, to) = (&self.names[u], &self.names[v]);
                let text = format!(
                    "goes from {from} to {to}, but row {} has no {from}: a face on the other side \
                     of the edge goes back from {to} to {from}",
                    v + 1
                );
                return Err(bad(u, column, text));
            }
        }
        match self.darts.len() > 2 * MOST {
            true => Err(ReadError::anywhere(format!("more than {MOST} edges"))),
            false => Ok(()),
        }
    }

    /// Makes sure that every column is a face which leaves each vertex as often as it comes to it.
    fn columns(&self) -> Result<(), ReadError> {
        for column in 0..self.columns {
            let mut before = vec![vec![]; self.rows.len()];
            for (&[u, v], _) in self.darts.iter().filter(|&(_, &other)| other == column) {
                before[v].push(u);
            }
            if before.iter().all(Vec::is_empty) && !(self.columns == 1 && self.darts.is_empty()) {
                let text = "all entries are 0, so it is no face";
                return Err(ReadError::at(Place::Column(column), text));
            }
            for (v, before) in before.iter().enumerate() {
                let (comes, goes) = (before.len(), self.rows[v][column].len());
                if comes != goes {
                    let text = format!(
                        "the face comes to {} {} (from {}) and leaves it {}; it must leave it as \
                         often",
                        self.names[v],
                        times(comes),
                        if comes == 0 { "nowhere".into() } else { self.listed(before) },
                        times(goes)
                    );
                    return Err(bad(v, column, text));
                }
            }
        }
        Ok(())
    }

    fn listed(&self, vertices: &[usize]) -> String {
        let names: Vec<&str> = vertices.iter().map(|&vertex| self.names[vertex].as_str()).collect();
        names.join(", ")
    }

    /// What comes after each dart.
    fn successors(&self) -> Result<Next, ReadError> {
        let mut next = Next::new();
        for (v, row) in self.rows.iter().enumerate() {
            let pieces = self.pieces(v);
            for (column, goes) in row.iter().enumerate() {
                let comes = |&&u: &&usize| self.darts.get(&[u, v]) == Some(&column);
                let mut comes: Vec<usize> =
                    self.neighbours[v].iter().filter(comes).copied().collect();
                for (i, &w) in goes.iter().enumerate() {
                    // The face comes back from the piece into which it has left, and leaves into
                    // the next one.
                    let from = |u: &usize| goes.len() == 1 || pieces[*u] == pieces[w];
                    let Some(back) = comes.iter().position(from) else {
                        let text = format!(
                            "the face leaves {} to {} and does not come back from that side, \
                             which {} alone joins to the rest",
                            self.names[v], self.names[w], self.names[v]
                        );
                        return Err(bad(v, column, text));
                    };
                    next.insert([comes.swap_remove(back), v], [v, goes[(i + 1) % goes.len()]]);
                }
            }
        }
        Ok(next)
    }

    /// The connected part of each vertex when `without` is taken out.
    fn pieces(&self, without: usize) -> Vec<usize> {
        let mut links = self.neighbours.clone();
        links[without].clear();
        links.iter_mut().for_each(|links| links.retain(|&vertex| vertex != without));
        connected_components(&links)
    }

    /// Makes sure that the neighbours of each vertex make one circle, so that there is a rotation system.
    fn circles(&self, next: &Next) -> Result<(), ReadError> {
        for (v, links) in self.neighbours.iter().enumerate().filter(|(_, links)| !links.is_empty())
        {
            let mut circle = vec![links[0]];
            while let Some(&[_, w]) = next.get(&[circle[circle.len() - 1], v]) {
                if w == links[0] {
                    break;
                }
                circle.push(w);
            }
            if circle.len() < links.len() {
                let apart: Vec<usize> =
                    links.iter().copied().filter(|link| !circle.contains(link)).collect();
                let text = format!(
                    "the faces around {} join its neighbours {} in a circle without {}; all \
                     neighbours must make one circle",
                    self.names[v],
                    self.listed(&circle),
                    self.listed(&apart)
                );
                return Err(ReadError::at(Place::Row(v), text));
            }
        }
        Ok(())
    }

    /// The walks of each column, which begin with the first dart of the table.
    fn faces(&self, next: &Next) -> Vec<Face> {
        let mut faces = vec![vec![]; self.columns];
        let mut left = next.clone();
        for (u, row) in self.rows.iter().enumerate() {
            for (column, entry) in row.iter().enumerate() {
                for &v in entry {
                    let (mut walk, mut dart) = (Walk::new(), [u, v]);
                    while let Some(after) = left.remove(&dart) {
                        walk.push(dart[0]);
                        dart = after;
                    }
                    if !walk.is_empty() {
                        faces[column].push(walk);
                    }
                }
            }
        }
        faces
    }

    /// Makes sure that each component has one walk on each of its faces, and lies in the plane.
    fn plane(&self, faces: &[Face]) -> Result<(), ReadError> {
        for (column, face) in faces.iter().enumerate() {
            for (i, walk) in face.iter().enumerate() {
                let same = |other: &&Walk| self.components[other[0]] == self.components[walk[0]];
                if let Some(other) = face[..i].iter().find(same) {
                    let text = format!(
                        "two closed walks, {} and {}, of one connected part; they are two faces",
                        self.listed(other),
                        self.listed(walk)
                    );
                    return Err(ReadError::at(Place::Column(column), text));
                }
            }
        }
        for part in (0..self.rows.len())
            .filter(|&v| self.components[v] == v && !self.neighbours[v].is_empty())
        {
            let within = |v: usize| self.components[v] == part;
            let vertices = (0..self.rows.len()).filter(|&v| within(v)).count();
            let edges = self.darts.keys().filter(|dart| within(dart[0])).count() / 2;
            let faces = faces.iter().flatten().filter(|walk| within(walk[0])).count();
            if vertices + faces != edges + 2 {
                return Err(ReadError::anywhere(format!(
                    "with vertex {} are connected {vertices} vertices and {edges} edges, which \
                     have {faces} faces in this table and {} in the plane",
                    self.names[part],
                    edges + 2 - vertices
                )));
            }
        }
        Ok(())
    }

    /// Makes sure that the components and the faces which they touch make a tree.
    fn tree(&self, faces: &[Face]) -> Result<(), ReadError> {
        let rows = self.rows.len();
        // Faces come behind the vertices; each is in the group of its parts so far.
        let mut groups: Vec<usize> = (0..rows + faces.len()).collect();
        for (column, face) in faces.iter().enumerate() {
            for walk in face {
                let (old, new) = (groups[self.components[walk[0]]], groups[rows + column]);
                if old == new {
                    return Err(ReadError::anywhere(format!(
                        "the part of vertex {} lies in column {} and in another column with the \
                         same parts; two connected parts share one face at most",
                        self.names[walk[0]],
                        column + 1
                    )));
                }
                groups.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
            }
        }
        let outer = groups[rows + faces.len() - 1];
        let apart =
            |&v: &usize| !self.neighbours[v].is_empty() && groups[self.components[v]] != outer;
        match (0..rows).find(apart) {
            None => Ok(()),
            Some(vertex) => Err(ReadError::anywhere(format!(
                "nothing says where the part of vertex {} lies: it shares no face with the others; \
                 parts side by side share the outer face, the last column",
                self.names[vertex]
            ))),
        }
    }

    /// The edges in the order in which the table has them.
    fn edges(&self) -> Vec<[usize; 2]> {
        let row = |(u, row): (usize, &Vec<Vec<usize>>)| {
            let later = row.concat().into_iter().filter(move |&v| v > u);
            later.map(move |v| [u, v]).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row).collect()
    }

    /// The vertices without edges. Nothing says on which face they lie, and it does not matter.
    fn lone(&self) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).filter(|&vertex| self.neighbours[vertex].is_empty())
    }
}

/// The vertices of an entry, from 0.
fn vertices_of(row: usize, entry: &[usize], names: &[String]) -> Result<Vec<usize>, String> {
    if entry == [0] {
        return Ok(vec![]);
    }
    if entry.is_empty() {
        return Err("the entry is empty; 0 says that the vertex is not on the face".into());
    }
    for (i, &number) in entry.iter().enumerate() {
        if number == 0 {
            return Err("0 and vertices in one entry; 0 stands alone".into());
        }
        if number > names.len() {
            return Err(format!("{number} is no vertex; {}", range(names)));
        }
        let name = &names[number - 1];
        if number - 1 == row {
            return Err(format!("goes from {name} to itself; a board has no loops"));
        }
        if entry[..i].contains(&number) {
            return Err(format!("{name} is in this entry twice"));
        }
    }
    Ok(entry.iter().map(|number| number - 1).collect())
}

fn twice(names: &[String], [u, v]: [usize; 2], before: usize) -> String {
    let (from, to) = (&names[u], &names[v]);
    format!(
        "goes from {from} to {to}, as column {} does; the edge has one face on that side",
        before + 1
    )
}

fn times(count: usize) -> String {
    match count {
        0 => "never".into(),
        1 => "once".into(),
        2 => "twice".into(),
        _ => format!("{count} times"),
    }
}
