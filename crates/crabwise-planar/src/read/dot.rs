//! Edges in the DOT language of Graphviz, and drawings: nodes that all have a `pos`.
//!
//! ```dot
//! graph {
//!     outer="a-b-c"
//!     a -- b -- c -- a
//!     a [pos="0,1.5!"]; b [pos="1,0"]; c [pos="-1,0"]
//! }
//! ```
//!
//! Lines and arrows mean the same, since edges have no directions here. Attributes not named here are passed
//! over.

use crabwise_graphfile::{
    Limits, ReadError, Source,
    dot::{self, Attribute, Of},
    quotable,
};

use super::{File, list, net::Net};

pub(super) fn read(text: &str) -> Result<File, ReadError> {
    let mut source = Source::open(text.as_bytes())?;
    let mut graph = Drawing::default();
    // A board is small, and so is its file.
    dot::read(&mut source, &mut graph, &Limits::NONE)?;
    graph.net.file(graph.outer)
}

#[derive(Default)]
struct Drawing {
    net: Net,
    outer: Option<Vec<String>>,
}

impl dot::Graph for Drawing {
    const DIRECTED: Option<&'static str> = None;

    fn vertex(&mut self, name: &str, line: u64) -> Result<Option<u32>, ReadError> {
        let vertex = self.net.vertex(name);
        vertex.map(|vertex| Some(vertex as u32)).map_err(|text| ReadError::on_line(line, text))
    }

    fn edge(&mut self, from: u32, to: u32, line: u64) -> Result<(), ReadError> {
        let edge = self.net.edge(from as usize, to as usize);
        edge.map_err(|text| ReadError::on_line(line, text))
    }

    fn attribute(&mut self, of: Of, attribute: Attribute) -> Result<(), ReadError> {
        let Attribute { name, value, line } = attribute;
        match (of, name) {
            (Of::Graph, "outer") => self.outer = Some(list::vertices(value)),
            (Of::Vertex(vertex), "pos") => {
                let placed = place(value).and_then(|place| self.net.place(vertex as usize, place));
                placed.map_err(|text| ReadError::on_line(line, text))?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// The place that `0,1.5` or `0,1.5!` means.
fn place(text: &str) -> Result<[f64; 2], String> {
    let numbers = text.trim().trim_end_matches('!').split(',');
    let numbers: Option<Vec<f64>> = numbers.map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok([x, y]),
        _ => Err(format!("pos is '{}'; it must be two numbers, such as \"0,1.5\"", quotable(text))),
    }
}
