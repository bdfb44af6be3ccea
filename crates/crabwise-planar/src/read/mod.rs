//! Plane graphs in files: tables of faces, drawings, rotation systems, and graphs without a drawing.
//!
//! Whatever the form, a file is first read whole into a `File`, whose numbers are all sound:
//! vertices exist, edges are there once. Only then it becomes a plane graph, which may show that a
//! drawing has crossings, that a rotation system belongs to no plane, or that a graph is not
//! planar. An error is one line, with the file's name and the place in it.
//!
//! | form | ending | read by |
//! |---|---|---|
//! | table of faces | `.table`, `.py`, `.txt`, `.csv` | `cells`, `table` |
//! | drawing, rotation system or edges | `.json` | `json` |
//! | rotation system | `.rot` | `rotation` |
//! | edges | `.edges`, `.txt` | `list` |
//! | edges or a drawing | `.dot`, `.gv` | `dot` |

mod cells;
mod dot;
mod json;
mod list;
mod net;
mod outer;
mod rotation;
mod table;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, io::Read};

use crabwise_graphfile::{Limits, ReadError, Source, ending};

use crate::{
    PlaneGraph, drawing,
    layout::straight_line,
    planarity,
    plane::{Face, RotationSystem, Walk, face_walks},
};

/// The longest file, in bytes. A board of the most edges needs a tenth of it.
const LONGEST: usize = 1 << 20;

/// The plane graph in a file, or what is wrong with it in one line. The vertices in `outer`, joined by
/// dashes, are on the outer face. Limits narrower than those of all boards hold as well.
pub fn read(
    name: &str,
    contents: &mut dyn Read,
    outer: Option<&str>,
    limits: &Limits,
) -> Result<PlaneGraph, String> {
    let longest = limits.bytes.min(LONGEST as u64) as usize;
    let mut board = || {
        let text = Source::open(&mut *contents)?.text(longest)?;
        let format = Format::of(name, &text);
        let mut file = format.read(&text).map_err(|bad| format.mended(&text, bad))?;
        if let Some(outer) = outer {
            file.outer = Some(outer.split('-').map(str::to_string).collect());
        }
        file.held_to(limits)?.board()
    };
    board().map_err(|error: ReadError| error.in_file(name))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Table,
    Csv,
    Json,
    Rotation,
    Edges,
    Dot,
}

impl Format {
    /// By the ending of the file's name, or else by how its contents begin.
    fn of(name: &str, text: &str) -> Format {
        match ending(name).as_str() {
            "table" | "py" => Format::Table,
            "csv" => Format::Csv,
            "json" => Format::Json,
            "rot" => Format::Rotation,
            "edges" => Format::Edges,
            "dot" | "gv" => Format::Dot,
            _ => Format::looking_like(text),
        }
    }

    fn looking_like(text: &str) -> Format {
        let mut lines = text.lines().map(|line| list::without_comment(line).trim());
        let telling = |line: &&str| !line.is_empty() && list::outer_names(line).is_none();
        let line = lines.find(telling).unwrap_or("");
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let (word, rest) = line.split_at(line.find(|c| !name(c)).unwrap_or(line.len()));
        let keyword = ["strict", "graph", "digraph"].iter().any(|k| word.eq_ignore_ascii_case(k));
        match line.chars().next() {
            Some('{') => Format::Json,
            Some('[' | '(') => Format::Table,
            Some('/') => Format::Dot,
            _ if rest.trim_start().starts_with('=') => Format::Table,
            _ if keyword && !line.contains([',', ':']) => Format::Dot,
            _ if rest.trim_start().starts_with(':') => Format::Rotation,
            _ if line.contains(',') => Format::Csv,
            _ => Format::Edges,
        }
    }

    /// What is wrong with a file, and what would be right where it is a table with one wrong entry.
    fn mended(self, text: &str, bad: ReadError) -> ReadError {
        let cells = match self {
            Format::Table => cells::literal(text),
            Format::Csv => cells::csv(text),
            _ => return bad,
        };
        match cells {
            Ok(cells) => table::mended(cells, bad),
            Err(_) => bad,
        }
    }

    fn read(self, text: &str) -> Result<File, ReadError> {
        match self {
            Format::Table => table::checked(cells::literal(text)?),
            Format::Csv => table::checked(cells::csv(text)?),
            Format::Json => json::read(text),
            Format::Rotation => rotation::read(text),
            Format::Edges => list::read(text),
            Format::Dot => dot::read(text),
        }
    }
}

/// What a file says.
#[derive(Clone, Debug)]
struct File {
    names: Vec<String>,
    shape: Shape,
    /// Vertices on the outer face.
    outer: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Shape {
    /// Vertices with places, joined by straight edges. A rotation system, if there is one, must
    /// be that of the drawing.
    Drawing { places: Vec<[f64; 2]>, edges: Vec<[usize; 2]>, rotation: Option<RotationSystem> },
    /// The faces of a table, in the order of its columns, and the edges in the order of its
    /// entries.
    Table { faces: Vec<Face>, outer: Face, edges: Vec<[usize; 2]> },
    /// The neighbours of each vertex, clockwise.
    Rotation(RotationSystem),
    /// Edges that may run anywhere.
    Edges(Vec<[usize; 2]>),
}

impl File {
    fn held_to(self, limits: &Limits) -> Result<File, ReadError> {
        let edges = match &self.shape {
            Shape::Drawing { edges, .. } | Shape::Table { edges, .. } | Shape::Edges(edges) => {
                edges.len()
            }
            Shape::Rotation(rotation) => rotation.iter().map(Vec::len).sum::<usize>() / 2,
        };
        for (what, count, most) in
            [("vertices", self.names.len(), limits.nodes), ("edges", edges, limits.edges)]
        {
            if count as u64 > most {
                return Err(ReadError::anywhere(format!("{count} {what}, more than {most}")));
            }
        }
        Ok(self)
    }

    fn board(self) -> Result<PlaneGraph, ReadError> {
        if let Shape::Drawing { places, edges, rotation } = self.shape {
            let board =
                drawing::plane_graph(self.names, places, &edges).map_err(ReadError::anywhere)?;
            same_rotation(&board, rotation.as_deref())?;
            outer::expect(self.outer.as_deref(), &board.names, &board.outer)?;
            return Ok(board);
        }
        let plane = self.plane()?;
        let places = straight_line(plane.names.len(), &plane.faces, &plane.outer);
        plane.board(places)
    }

    /// The faces, wherever the vertices are drawn.
    fn plane(self) -> Result<Plane, ReadError> {
        let File { names, shape, outer } = self;
        let rotation = match shape {
            Shape::Table { faces, outer: border, edges } => {
                outer::expect(outer.as_deref(), &names, &border)?;
                return Ok(Plane { names, faces, outer: border, edges: Some(edges) });
            }
            Shape::Rotation(rotation) => rotation,
            Shape::Edges(edges) | Shape::Drawing { edges, .. } => {
                let not_planar = "not planar: its edges cannot be drawn without crossings";
                planarity::embed(names.len(), &edges)
                    .ok_or_else(|| ReadError::anywhere(not_planar))?
            }
        };
        let (faces, outer) = outer::faces(&names, &rotation, outer.as_deref())?;
        Ok(Plane { names, faces, outer, edges: None })
    }
}

/// A plane graph without places for its vertices.
struct Plane {
    names: Vec<String>,
    faces: Vec<Face>,
    outer: Face,
    /// The edges in the order of the table, if the file is one.
    edges: Option<Vec<[usize; 2]>>,
}

impl Plane {
    fn board(self, places: Vec<[f64; 2]>) -> Result<PlaneGraph, ReadError> {
        let Plane { names, faces, outer, edges } = self;
        let Some(edges) = edges else {
            return PlaneGraph::canonical(names, places, faces, outer).map_err(ReadError::anywhere);
        };
        let mut board =
            PlaneGraph::new(names, places, faces, outer).map_err(ReadError::anywhere)?;
        // A list in the table may begin elsewhere than the walk does. The edges keep
        // the order of the table's own lists.
        board.edges = edges;
        Ok(board)
    }
}

/// Makes sure that a rotation system which comes with a drawing is that of the drawing.
fn same_rotation(board: &PlaneGraph, rotation: Option<&[Vec<usize>]>) -> Result<(), ReadError> {
    let Some(rotation) = rotation else { return Ok(()) };
    let drawn = corners(board.faces.iter().chain([&board.outer]).flatten());
    let said = corners(&face_walks(rotation));
    match said.symmetric_difference(&drawn).next() {
        None => Ok(()),
        Some(&[_, vertex, _]) => Err(ReadError::anywhere(format!(
            "the neighbours of {} are drawn in another order than the rotation has them",
            board.names[vertex]
        ))),
    }
}

/// All that comes one after the other on the walks, three at a time. It tells the walks.
fn corners<'a>(walks: impl IntoIterator<Item = &'a Walk>) -> BTreeSet<[usize; 3]> {
    let around = |walk: &'a Walk| {
        let at = |i: usize| walk[i % walk.len()];
        (0..walk.len()).map(move |i| [at(i), at(i + 1), at(i + 2)])
    };
    walks.into_iter().filter(|walk| walk.len() > 1).flat_map(around).collect()
}
