//! The DOT language of Graphviz, as vertices, edges and attributes.
//!
//! ```dot
//! digraph {
//!     outer="a-b"
//!     a -> b -> {c d} [label=x]
//!     a [pos="0,1.5"]; subgraph { edge [again=true] c -> d }
//! }
//! ```
//!
//! Chains, groups and subgraphs mean what they mean to Graphviz: an edge between groups is one from each
//! node of the first to each of the second. Ports are passed over.
//!
//! The reader is our own: the crates for DOT build a tree of the whole file and tell no lines.
//!
//! Language: <https://graphviz.org/doc/info/lang.html>.

mod words;

use std::{io::Read, mem::swap, ops::Range};

use self::words::{Word, Words};
use crate::{Limits, ReadError, Source};

/// How deep subgraphs may be nested.
const DEEPEST: usize = 100;
/// The greatest number of edges from one group to another.
const MOST_BETWEEN: usize = 1 << 24;

/// What a DOT file is read into, in the order of the file.
pub trait Graph {
    /// Why edges without a direction are refused, if they are.
    const DIRECTED: Option<&'static str>;

    /// The number of the vertex with this name, new or known; `None` if it is noted as wrong and the
    /// reading goes on without it.
    fn vertex(&mut self, name: &str, line: u64) -> Result<Option<u32>, ReadError>;

    /// An edge.
    fn edge(&mut self, from: u32, to: u32, line: u64) -> Result<(), ReadError>;

    /// An attribute.
    fn attribute(&mut self, of: Of, attribute: Attribute) -> Result<(), ReadError>;

    /// A group begins, to whose end the attributes of all edges hold that it may set.
    fn begin_group(&mut self) {
        // Most graphs have no attributes that hold to the end of a group.
    }

    /// The group that began last ends.
    fn end_group(&mut self) {
        // As above: nothing was put off until here.
    }
}

/// What an attribute belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// The whole graph; attributes of subgraphs are passed over.
    Graph,
    /// This vertex.
    Vertex(u32),
    /// All vertices from here on.
    Vertices,
    /// The last edges, this many.
    LastEdges(usize),
    /// All edges from here on, to the end of the group.
    Edges,
}

/// An attribute: `name=value`, or a name alone, whose value is `true`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
    /// The line on which its name stands.
    pub line: u64,
}

/// Reads a file into a graph, which holds itself to the limits. A file without a word in it is a graph without
/// vertices.
pub fn read<R: Read>(
    source: &mut Source<R>,
    graph: &mut impl Graph,
    limits: &Limits,
) -> Result<(), ReadError> {
    let words = Words::new(source)?;
    let (nodes, name, value) = (vec![], String::new(), String::new());
    // A list that grows is there twice for a moment.
    let most = usize::try_from(limits.bytes / (2 * size_of::<u32>() as u64)).unwrap_or(usize::MAX);
    Reader { words, graph, depth: 0, nodes, most, name, value }.file()
}

struct Reader<'a, R, G> {
    words: Words<'a, R>,
    graph: &'a mut G,
    depth: usize,
    /// The nodes that open statements and groups have named.
    nodes: Vec<u32>,
    /// How many these may be.
    most: usize,
    /// The name and the value of an attribute, or the name of a node.
    name: String,
    value: String,
}

impl<R: Read, G: Graph> Reader<'_, R, G> {
    fn file(&mut self) -> Result<(), ReadError> {
        if self.words.word == Word::End {
            return Ok(());
        }
        if self.words.is_keyword("strict") {
            self.words.next()?;
        }
        match G::DIRECTED {
            Some(why) if self.words.is_keyword("graph") => return self.words.bad(why),
            _ if self.words.is_keyword("graph") || self.words.is_keyword("digraph") => {}
            directed => {
                let wanted = if directed.is_some() { "digraph" } else { "graph or digraph" };
                return self.words.bad(format!("{} instead of {wanted}", self.words.found()));
            }
        }
        self.words.next()?;
        if self.words.is_name() {
            self.words.next()?;
        }
        self.words.expect(b'{')?;
        self.statements()?;
        self.words.expect(b'}')?;
        match self.words.word {
            Word::End => Ok(()),
            _ => self.words.bad(format!("{} behind the end of the graph", self.words.found())),
        }
    }

    /// All up to a closing brace. The nodes of a group are left on the stack.
    fn statements(&mut self) -> Result<(), ReadError> {
        while !self.words.is_sign(b'}') && self.words.word != Word::End {
            if self.words.is_sign(b';') {
                self.words.next()?;
            } else if ["graph", "node", "edge"].iter().any(|word| self.words.is_keyword(word)) {
                self.defaults()?;
            } else {
                self.statement()?;
            }
            if self.depth == 0 {
                self.nodes.clear();
            }
            if self.nodes.len() > self.most {
                let text = format!("a group that names more than {} nodes", self.most);
                return Err(ReadError::no_room(self.words.line, text));
            }
        }
        Ok(())
    }

    /// What holds from here on: of the graph, of all nodes or of all edges.
    fn defaults(&mut self) -> Result<(), ReadError> {
        let kind = self.words.text.to_ascii_lowercase();
        self.words.next()?;
        if !self.words.is_sign(b'[') {
            return self.words.bad(format!("{} instead of '[' after {kind}", self.words.found()));
        }
        self.attributes(match kind.as_str() {
            "graph" => (self.depth == 0).then_some(Of::Graph),
            "node" => Some(Of::Vertices),
            _ => Some(Of::Edges),
        })
    }

    fn statement(&mut self) -> Result<(), ReadError> {
        let mut node = None;
        let mut left = self.nodes.len()..self.nodes.len();
        if self.words.is_name() && !self.words.is_keyword("subgraph") {
            let line = self.take_name()?;
            if self.words.is_sign(b'=') {
                return self.graph_attribute(line);
            }
            node = self.graph.vertex(&self.name, line)?;
            self.nodes.extend(node);
            self.port()?;
        } else {
            self.operand()?;
        }
        left.end = self.nodes.len();
        let mut edges = None;
        while matches!(self.words.word, Word::Arrow | Word::Line) {
            if let Some(why) = G::DIRECTED.filter(|_| self.words.word == Word::Line) {
                return self.words.bad(why);
            }
            self.words.next()?;
            let (line, begin) = (self.words.line, self.nodes.len());
            self.operand()?;
            let right = begin..self.nodes.len();
            *edges.get_or_insert(0) += self.connect(left, right.clone(), line)?;
            left = right;
        }
        self.attributes(edges.map(Of::LastEdges).or(node.map(Of::Vertex)))
    }

    /// Takes the name in sight; gives its line.
    fn take_name(&mut self) -> Result<u64, ReadError> {
        let line = self.words.line;
        swap(&mut self.words.text, &mut self.name);
        self.words.next()?;
        Ok(line)
    }

    fn graph_attribute(&mut self, line: u64) -> Result<(), ReadError> {
        self.words.next()?;
        self.take_value()?;
        if self.depth > 0 {
            return Ok(());
        }
        let attribute = Attribute { name: &self.name, value: &self.value, line };
        self.graph.attribute(Of::Graph, attribute)
    }

    /// What stands at the end of an edge: a node, or a group of them.
    fn operand(&mut self) -> Result<(), ReadError> {
        if self.words.is_keyword("subgraph") {
            self.words.next()?;
            if self.words.is_name() {
                self.words.next()?;
            }
            if !self.words.is_sign(b'{') {
                return self.words.bad(format!("{} instead of '{{'", self.words.found()));
            }
        }
        if self.words.is_sign(b'{') {
            return self.group();
        }
        if !self.words.is_name() {
            return self.words.bad(format!("{} instead of the name of a node", self.words.found()));
        }
        self.nodes.extend(self.graph.vertex(&self.words.text, self.words.line)?);
        self.words.next()?;
        self.port()
    }

    fn group(&mut self) -> Result<(), ReadError> {
        if self.depth == DEEPEST {
            return self.words.bad(format!("groups in each other, more than {DEEPEST} deep"));
        }
        self.words.expect(b'{')?;
        let begin = self.nodes.len();
        self.depth += 1;
        self.graph.begin_group();
        self.statements()?;
        self.graph.end_group();
        self.depth -= 1;
        self.words.expect(b'}')?;
        let mut members = self.nodes.split_off(begin);
        members.sort_unstable();
        members.dedup();
        self.nodes.append(&mut members);
        Ok(())
    }

    fn port(&mut self) -> Result<(), ReadError> {
        while self.words.is_sign(b':') {
            self.words.next()?;
            self.take_value()?;
        }
        Ok(())
    }

    /// An edge from each node on the left to each on the right; gives how many.
    fn connect(
        &mut self,
        left: Range<usize>,
        right: Range<usize>,
        line: u64,
    ) -> Result<usize, ReadError> {
        let count = left.len().saturating_mul(right.len());
        if count > MOST_BETWEEN {
            let text = format!("more than {MOST_BETWEEN} edges in one arrow");
            return Err(ReadError::on_line(line, text));
        }
        for &from in &self.nodes[left] {
            for &to in &self.nodes[right.clone()] {
                self.graph.edge(from, to, line)?;
            }
        }
        Ok(count)
    }

    /// All attributes in brackets, if they belong to anything.
    fn attributes(&mut self, of: Option<Of>) -> Result<(), ReadError> {
        while self.words.is_sign(b'[') {
            self.words.next()?;
            while !self.words.is_sign(b']') {
                if self.words.is_sign(b',') || self.words.is_sign(b';') {
                    self.words.next()?;
                    continue;
                }
                let line = self.words.line;
                self.take_value()?;
                swap(&mut self.name, &mut self.value);
                if self.words.is_sign(b'=') {
                    self.words.next()?;
                    self.take_value()?;
                } else {
                    self.value.clear();
                    self.value.push_str("true");
                }
                if let Some(of) = of {
                    let attribute = Attribute { name: &self.name, value: &self.value, line };
                    self.graph.attribute(of, attribute)?;
                }
            }
            self.words.next()?;
        }
        Ok(())
    }

    /// Takes the name or value in sight.
    fn take_value(&mut self) -> Result<(), ReadError> {
        if !self.words.is_name() {
            return self.words.bad(format!("{} instead of a name or a value", self.words.found()));
        }
        swap(&mut self.words.text, &mut self.value);
        self.words.next()
    }
}
