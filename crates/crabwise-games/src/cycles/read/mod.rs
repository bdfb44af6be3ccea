//! Boards in files: game tables, drawings, rotation systems, and graphs without a drawing.
//!
//! Whatever the form, a file is first read whole into a `File`, whose numbers are all sound:
//! vertices exist, edges are there once. Only then it becomes a board, which may show that a
//! drawing has crossings, that a rotation system belongs to no plane, or that a graph is not
//! planar. What is wrong is told in one line, with the file's name and the place in it.
//!
//! | form | ending | told by |
//! |---|---|---|
//! | game table | `.table`, `.py`, `.txt`, `.csv` | `cells`, `table` |
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

use std::{
    collections::BTreeSet,
    fmt,
    io::{ErrorKind, Read},
};

use super::{
    board::{Board, Face, Walk, walks},
    drawing::drawn,
    layout, planar,
};
use crate::graph;

/// The longest file, in bytes. A board of the most edges needs a tenth of it.
const LONGEST: u64 = 1 << 20;

/// The board in a file, or what is wrong with it in one line. The vertices in `outer`, joined by
/// dashes, are on the outer face.
pub(crate) fn read(
    name: &str,
    contents: &mut dyn Read,
    outer: Option<&str>,
) -> Result<Board, String> {
    let mut board = || {
        let text = whole(contents)?;
        let format = Format::of(name, &text);
        let mut file = format.read(&text).map_err(|bad| format.mended(&text, bad))?;
        if let Some(outer) = outer {
            file.outer = Some(outer.split('-').map(str::to_string).collect());
        }
        file.board()
    };
    board().map_err(|bad: Bad| format!("{name}{bad}"))
}

/// What is wrong with a file, and where if anywhere: `line 3` or `row 1, column 2`.
#[derive(Clone, PartialEq, Debug)]
struct Bad {
    place: Option<String>,
    text: String,
}

impl Bad {
    fn anywhere(text: impl Into<String>) -> Bad {
        Bad { place: None, text: text.into() }
    }

    fn on_line(line: usize, text: impl Into<String>) -> Bad {
        Bad { place: Some(format!("line {line}")), text: text.into() }
    }
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, ", {place}: {}", self.text),
            None => write!(f, ": {}", self.text),
        }
    }
}

impl From<graph::Bad> for Bad {
    fn from(graph::Bad { line, text }: graph::Bad) -> Bad {
        Bad { place: line.map(|line| format!("line {line}")), text }
    }
}

/// All of a file that is not too long, without a byte order mark.
fn whole(contents: &mut dyn Read) -> Result<String, Bad> {
    let mut bytes = vec![];
    if let Err(error) = contents.take(LONGEST + 1).read_to_end(&mut bytes) {
        let text = match error.kind() {
            ErrorKind::IsADirectory => "is a directory, not a file".into(),
            _ => format!("cannot be read: {error}"),
        };
        return Err(Bad::anywhere(text));
    }
    if bytes.len() as u64 > LONGEST {
        return Err(Bad::anywhere(format!("longer than {LONGEST} bytes, which no board needs")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        Bad::on_line(line, "some bytes here are no UTF-8; save the file as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
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
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
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
    fn mended(self, text: &str, bad: Bad) -> Bad {
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

    fn read(self, text: &str) -> Result<File, Bad> {
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
    /// Vertices with places, joined by straight edges. The rotation system, if there is one, says
    /// the same once more.
    Drawing { places: Vec<[f64; 2]>, edges: Vec<[usize; 2]>, rotation: Option<Vec<Vec<usize>>> },
    /// The faces of a table, in the order of its columns, and the edges in the order of its
    /// entries.
    Table { faces: Vec<Face>, outer: Face, edges: Vec<[usize; 2]> },
    /// The neighbours of each vertex, clockwise.
    Rotation(Vec<Vec<usize>>),
    /// Edges that may run anywhere.
    Edges(Vec<[usize; 2]>),
}

impl File {
    fn board(self) -> Result<Board, Bad> {
        if let Shape::Drawing { places, edges, rotation } = self.shape {
            let board = drawn(self.names, places, &edges).map_err(Bad::anywhere)?;
            same_rotation(&board, rotation.as_deref())?;
            outer::expect(self.outer.as_deref(), &board.names, &board.outer)?;
            return Ok(board);
        }
        let plane = self.plane()?;
        let places = layout::places(plane.names.len(), &plane.faces, &plane.outer);
        plane.board(places)
    }

    /// The faces, wherever the vertices are drawn.
    fn plane(self) -> Result<Plane, Bad> {
        let File { names, shape, outer } = self;
        let rotation = match shape {
            Shape::Table { faces, outer: border, edges } => {
                outer::expect(outer.as_deref(), &names, &border)?;
                return Ok(Plane { names, faces, outer: border, edges: Some(edges) });
            }
            Shape::Rotation(rotation) => rotation,
            Shape::Edges(edges) | Shape::Drawing { edges, .. } => {
                let not_planar = "not planar: its edges cannot be drawn without crossings";
                planar::embed(names.len(), &edges).ok_or_else(|| Bad::anywhere(not_planar))?
            }
        };
        let (faces, outer) = outer::faces(&names, &rotation, outer.as_deref())?;
        Ok(Plane { names, faces, outer, edges: None })
    }
}

/// A board but for the places of its vertices.
struct Plane {
    names: Vec<String>,
    faces: Vec<Face>,
    outer: Face,
    /// The edges in the order of the table, if the file is one.
    edges: Option<Vec<[usize; 2]>>,
}

impl Plane {
    fn board(self, places: Vec<[f64; 2]>) -> Result<Board, Bad> {
        let Plane { names, faces, outer, edges } = self;
        let Some(edges) = edges else {
            return Board::in_order(names, places, faces, outer).map_err(Bad::anywhere);
        };
        let mut board = Board::new(names, places, faces, outer).map_err(Bad::anywhere)?;
        // A list in the table may begin elsewhere than the walk does. Whoever wrote the table knows
        // the edges by its own order.
        board.edges = edges;
        Ok(board)
    }
}

/// That a rotation system which comes with a drawing is that of the drawing.
fn same_rotation(board: &Board, rotation: Option<&[Vec<usize>]>) -> Result<(), Bad> {
    let Some(rotation) = rotation else { return Ok(()) };
    let drawn = corners(board.faces.iter().chain([&board.outer]).flatten());
    let said = corners(&walks(rotation));
    match said.symmetric_difference(&drawn).next() {
        None => Ok(()),
        Some(&[_, vertex, _]) => Err(Bad::anywhere(format!(
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
