//! Islands and bridges in the DOT language of Graphviz.
//!
//! ```dot
//! digraph {
//!     start="11A"; turns=AB
//!     "11A" -> "1B" -> "0A"
//!     "11A" -> "0A" [again=true]
//!     "0A" [outcome=tie]; 1 [owner=B]
//! }
//! ```
//!
//! A node is an island under its own name, completed by its `owner` if it has one, or under its `key`, as `export`
//! writes it. `edge [again=true]` holds
//! for the bridges that follow, up to the end of the subgraph. Attributes not named here are passed over.

use std::io::Read;

use crabwise_graphfile::{
    ReadError, Source,
    dot::{self, Attribute, Of},
    quotable,
};

use super::builder::{Builder, again_named};

pub(super) fn read<R: Read>(
    source: &mut Source<R>,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    let limits = builder.limits();
    dot::read(source, &mut Bridges { builder, again: false, outside: vec![] }, &limits)
}

struct Bridges<'a> {
    builder: &'a mut Builder,
    /// Whether bridges keep the turn, unless they say something else.
    again: bool,
    /// What held for bridges where each open group began.
    outside: Vec<bool>,
}

impl dot::Graph for Bridges<'_> {
    const DIRECTED: Option<&'static str> = Some("bridges have a direction: write digraph and ->");

    fn vertex(&mut self, name: &str, line: u64) -> Result<Option<u32>, ReadError> {
        let island = self.builder.island(name, line);
        self.builder.full()?;
        Ok(island)
    }

    fn edge(&mut self, from: u32, to: u32, line: u64) -> Result<(), ReadError> {
        self.builder.bridge(from, to, self.again, line);
        self.builder.full()
    }

    fn attribute(&mut self, of: Of, attribute: Attribute) -> Result<(), ReadError> {
        let Attribute { name, value, line } = attribute;
        match (of, name) {
            (Of::Graph, "start") => self.builder.start(value, line),
            (Of::Graph, "turns") => self.builder.turns(value, line),
            (Of::Vertex(island), "key") => self.builder.keyed(island, value, line),
            (Of::Vertex(island), "outcome" | "end" | "terminal" | "result") => {
                self.builder.outcome(island, value, line);
            }
            (Of::Vertex(island), "owner" | "turn" | "player" | "letter") => {
                self.builder.owner(island, value, line);
            }
            (
                Of::Vertices,
                "outcome" | "end" | "terminal" | "result" | "owner" | "turn" | "player" | "letter"
                | "key",
            ) => {
                let text = format!("'{name}' belongs to one island, not to all that follow");
                return Err(ReadError::on_line(line, text));
            }
            (Of::Edges, "again") => self.again = again(value, line)?,
            (Of::LastEdges(count), "again") => self.builder.set_again(count, again(value, line)?),
            _ => {}
        }
        Ok(())
    }

    fn begin_group(&mut self) {
        self.outside.push(self.again);
    }

    fn end_group(&mut self) {
        self.again = self.outside.pop().unwrap_or_default();
    }
}

fn again(value: &str, line: u64) -> Result<bool, ReadError> {
    let text = || format!("again is '{}'; it must be true or false", quotable(value));
    again_named(value).ok_or_else(|| ReadError::on_line(line, text()))
}
