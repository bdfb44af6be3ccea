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
//! Lines and arrows mean the same, since edges get their directions in play. Groups and subgraphs
//! are refused. Ports, and attributes not named here, are passed over.
//!
//! Language: <https://graphviz.org/doc/info/lang.html>.

use super::{Bad, File, list, net::Net};
use crate::graph::{Source, Word, Words, quotable};

pub(super) fn read(text: &str) -> Result<File, Bad> {
    let mut source = Source::open(text.as_bytes())?;
    let words = Words::new(&mut source)?;
    let mut dot = Dot { words, net: Net::default(), outer: None };
    dot.graph()?;
    dot.net.file(dot.outer)
}

struct Dot<'a> {
    words: Words<'a, &'a [u8]>,
    net: Net,
    outer: Option<Vec<String>>,
}

/// An attribute with its line.
struct Attribute {
    name: String,
    value: String,
    line: u64,
}

impl Dot<'_> {
    fn graph(&mut self) -> Result<(), Bad> {
        if self.words.is_keyword("strict") {
            self.words.next()?;
        }
        if !self.words.is_keyword("graph") && !self.words.is_keyword("digraph") {
            return self.bad(format!("{} instead of graph", self.words.found()));
        }
        self.words.next()?;
        if self.words.is_name() {
            self.words.next()?;
        }
        self.words.expect(b'{')?;
        while !self.words.is_sign(b'}') && self.words.word != Word::End {
            self.statement()?;
        }
        self.words.expect(b'}')?;
        match self.words.word {
            Word::End => Ok(()),
            _ => self.bad(format!("{} behind the end of the graph", self.words.found())),
        }
    }

    fn bad<T>(&self, text: impl Into<String>) -> Result<T, Bad> {
        Err(Bad::on_line(self.words.line as usize, text))
    }

    fn statement(&mut self) -> Result<(), Bad> {
        if self.words.is_sign(b';') {
            return Ok(self.words.next()?);
        }
        if self.words.is_sign(b'{') || self.words.is_keyword("subgraph") {
            return self.bad("groups of nodes are not read; write each edge between two nodes");
        }
        let defaults = ["graph", "node", "edge"];
        if let Some(kind) = defaults.iter().find(|kind| self.words.is_keyword(kind)) {
            self.words.next()?;
            let attributes = self.attributes()?;
            let of_graph = attributes.into_iter().filter(|_| *kind == "graph");
            of_graph.for_each(|attribute| self.graph_attribute(attribute));
            return Ok(());
        }
        let line = self.words.line;
        let name = self.value()?;
        if self.words.is_sign(b'=') {
            self.words.next()?;
            let value = self.value()?;
            self.graph_attribute(Attribute { name, value, line });
            return Ok(());
        }
        self.chain(&name, line)
    }

    fn graph_attribute(&mut self, Attribute { name, value, .. }: Attribute) {
        if name == "outer" {
            self.outer = Some(list::vertices(&value));
        }
    }

    /// A node with its attributes, or edges from it on.
    fn chain(&mut self, name: &str, line: u64) -> Result<(), Bad> {
        let mut left = self.net.vertex(name).map_err(|text| at(line, text))?;
        self.port()?;
        let mut edges = false;
        while matches!(self.words.word, Word::Arrow | Word::Line) {
            edges = true;
            self.words.next()?;
            if self.words.is_sign(b'{') || self.words.is_keyword("subgraph") {
                return self.bad("groups of nodes are not read; write each edge between two nodes");
            }
            let line = self.words.line;
            let name = self.value()?;
            let right = self.net.vertex(&name).map_err(|text| at(line, text))?;
            self.net.edge(left, right).map_err(|text| at(line, text))?;
            self.port()?;
            left = right;
        }
        let attributes = self.attributes()?;
        for Attribute { name, value, line } in attributes {
            if name == "pos" && !edges {
                let place = place(&value).and_then(|place| self.net.place(left, place));
                place.map_err(|text| at(line, text))?;
            }
        }
        Ok(())
    }

    fn port(&mut self) -> Result<(), Bad> {
        while self.words.is_sign(b':') {
            self.words.next()?;
            self.value()?;
        }
        Ok(())
    }

    /// All attributes in brackets.
    fn attributes(&mut self) -> Result<Vec<Attribute>, Bad> {
        let mut found = vec![];
        while self.words.is_sign(b'[') {
            self.words.next()?;
            while !self.words.is_sign(b']') {
                if self.words.is_sign(b',') || self.words.is_sign(b';') {
                    self.words.next()?;
                    continue;
                }
                let (line, name) = (self.words.line, self.value()?);
                let mut value = "true".into();
                if self.words.is_sign(b'=') {
                    self.words.next()?;
                    value = self.value()?;
                }
                found.push(Attribute { name, value, line });
            }
            self.words.next()?;
        }
        Ok(found)
    }

    /// The text of the name in sight.
    fn value(&mut self) -> Result<String, Bad> {
        if !self.words.is_name() {
            return self.bad(format!("{} instead of a name or a value", self.words.found()));
        }
        let text = std::mem::take(&mut self.words.text);
        self.words.next()?;
        Ok(text)
    }
}

fn at(line: u64, text: String) -> Bad {
    Bad::on_line(line as usize, text)
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
