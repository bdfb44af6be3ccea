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
//! A node is an island under its own name, completed by its `owner` if it has one. Chains, groups
//! and subgraphs mean what they mean to Graphviz: a bridge between groups is one from each island
//! of the first to each of the second. `edge [again=true]` holds for the bridges that follow, up to
//! the end of the subgraph. Ports, and attributes not named here, are passed over.
//!
//! Language: <https://graphviz.org/doc/info/lang.html>.

use std::io::Read;

use super::{
    builder::{Bad, Builder, again_named, quotable},
    source::Source,
    words::{Word, Words},
};

/// How deep subgraphs may be nested.
const DEEPEST: usize = 100;
/// The greatest number of bridges from one group to another.
const MOST_BETWEEN: usize = 1 << 24;

const DIRECTED: &str = "bridges have a direction: write digraph and ->";
const OUTCOME: [&str; 4] = ["outcome", "end", "terminal", "result"];
const OWNER: [&str; 4] = ["owner", "turn", "player", "letter"];

pub(super) fn read<R: Read>(source: &mut Source<R>, builder: &mut Builder) -> Result<(), Bad> {
    let words = Words::new(source)?;
    Dot { words, builder, again: false, depth: 0 }.file()
}

struct Dot<'a, R> {
    words: Words<'a, R>,
    builder: &'a mut Builder,
    /// Whether bridges keep the turn, unless they say something else.
    again: bool,
    depth: usize,
}

/// An attribute with its line.
struct Attribute {
    name: String,
    value: String,
    line: u64,
}

impl<R: Read> Dot<'_, R> {
    fn file(&mut self) -> Result<(), Bad> {
        if self.words.word == Word::End {
            return Ok(()); // without islands, which is told elsewhere
        }
        if self.words.is_keyword("strict") {
            self.words.next()?;
        }
        if self.words.is_keyword("graph") {
            return self.words.bad(DIRECTED);
        }
        if !self.words.is_keyword("digraph") {
            return self.words.bad(format!("{} instead of digraph", self.words.found()));
        }
        self.words.next()?;
        if self.words.is_name() {
            self.words.next()?;
        }
        self.words.expect(b'{')?;
        self.statements(&mut vec![])?;
        self.words.expect(b'}')?;
        match self.words.word {
            Word::End => Ok(()),
            _ => self.words.bad(format!("{} behind the end of the digraph", self.words.found())),
        }
    }

    /// All up to a closing brace. The islands that are named go into `group`.
    fn statements(&mut self, group: &mut Vec<u32>) -> Result<(), Bad> {
        while !self.words.is_sign(b'}') && self.words.word != Word::End {
            if self.words.is_sign(b';') {
                self.words.next()?;
            } else if ["graph", "node", "edge"].iter().any(|word| self.words.is_keyword(word)) {
                self.defaults()?;
            } else {
                self.statement(group)?;
            }
        }
        Ok(())
    }

    /// What holds from here on: of the graph, of all nodes or of all edges.
    fn defaults(&mut self) -> Result<(), Bad> {
        let kind = self.words.text.to_ascii_lowercase();
        self.words.next()?;
        if !self.words.is_sign(b'[') {
            return self.words.bad(format!("{} instead of '[' after {kind}", self.words.found()));
        }
        match kind.as_str() {
            "graph" => {
                for attribute in self.attributes(&["start", "turns"])? {
                    self.graph_attribute(&attribute);
                }
            }
            "edge" => {
                if let Some(again) = self.again()? {
                    self.again = again;
                }
            }
            _ => {
                let wanted = [OUTCOME, OWNER].concat();
                if let Some(Attribute { name, line, .. }) = self.attributes(&wanted)?.first() {
                    let text = format!("'{name}' belongs to one island, not to all that follow");
                    return Err(Bad::at(*line, text));
                }
            }
        }
        Ok(())
    }

    /// Attributes of a subgraph are not the graph's.
    fn graph_attribute(&mut self, Attribute { name, value, line }: &Attribute) {
        match name.as_str() {
            "start" if self.depth == 0 => self.builder.start(value, *line),
            "turns" if self.depth == 0 => self.builder.turns(value, *line),
            _ => {}
        }
    }

    fn statement(&mut self, group: &mut Vec<u32>) -> Result<(), Bad> {
        let mut node = None;
        let mut left = if self.words.is_name() && !self.words.is_keyword("subgraph") {
            let (name, line) = (std::mem::take(&mut self.words.text), self.words.line);
            self.words.next()?;
            if self.words.is_sign(b'=') {
                self.words.next()?;
                let value = self.value()?;
                self.graph_attribute(&Attribute { name, value, line });
                return Ok(());
            }
            node = self.builder.island(&name, line);
            self.port()?;
            Vec::from_iter(node)
        } else {
            self.operand()?
        };
        group.extend(&left);
        let first = self.builder.bridges();
        let mut bridges = false;
        while self.words.word == Word::Arrow {
            bridges = true;
            self.words.next()?;
            let line = self.words.line;
            let right = self.operand()?;
            self.connect(&left, &right, line)?;
            group.extend(&right);
            left = right;
        }
        if self.words.word == Word::Line {
            return self.words.bad(DIRECTED);
        }
        if bridges {
            if let Some(again) = self.again()? {
                self.builder.set_again(first, again);
            }
        } else {
            self.node_attributes(node)?;
        }
        Ok(())
    }

    /// A name, or a group of them: what stands at the end of an arrow.
    fn operand(&mut self) -> Result<Vec<u32>, Bad> {
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
            return self
                .words
                .bad(format!("{} instead of the name of an island", self.words.found()));
        }
        let island = self.builder.island(&self.words.text, self.words.line);
        self.words.next()?;
        self.port()?;
        Ok(Vec::from_iter(island))
    }

    fn group(&mut self) -> Result<Vec<u32>, Bad> {
        if self.depth == DEEPEST {
            return self.words.bad(format!("groups in each other, more than {DEEPEST} deep"));
        }
        self.words.expect(b'{')?;
        let (outside, mut group) = (self.again, vec![]);
        self.depth += 1;
        self.statements(&mut group)?;
        self.depth -= 1;
        self.again = outside;
        self.words.expect(b'}')?;
        group.sort_unstable();
        group.dedup();
        Ok(group)
    }

    fn port(&mut self) -> Result<(), Bad> {
        while self.words.is_sign(b':') {
            self.words.next()?;
            self.value()?;
        }
        Ok(())
    }

    fn connect(&mut self, left: &[u32], right: &[u32], line: u64) -> Result<(), Bad> {
        if left.len().saturating_mul(right.len()) > MOST_BETWEEN {
            return Err(Bad::at(line, format!("more than {MOST_BETWEEN} bridges in one arrow")));
        }
        for &from in left {
            for &to in right {
                self.builder.bridge(from, to, self.again, line);
            }
        }
        Ok(())
    }

    fn node_attributes(&mut self, node: Option<u32>) -> Result<(), Bad> {
        let wanted = [OUTCOME, OWNER].concat();
        for Attribute { name, value, line } in self.attributes(&wanted)? {
            match node {
                Some(node) if OUTCOME.contains(&name.as_str()) => {
                    self.builder.outcome(node, &value, line);
                }
                Some(node) => self.builder.owner(node, &value, line),
                None => {}
            }
        }
        Ok(())
    }

    /// What the attributes in sight say of moving again, if they do.
    fn again(&mut self) -> Result<Option<bool>, Bad> {
        let Some(Attribute { value, line, .. }) = self.attributes(&["again"])?.pop() else {
            return Ok(None);
        };
        let text = || format!("again is '{}'; it must be true or false", quotable(&value));
        again_named(&value).map(Some).ok_or_else(|| Bad::at(line, text()))
    }

    /// All attributes in brackets; those of the wanted names are given back.
    fn attributes(&mut self, wanted: &[&str]) -> Result<Vec<Attribute>, Bad> {
        let mut found = vec![];
        while self.words.is_sign(b'[') {
            self.words.next()?;
            while !self.words.is_sign(b']') {
                if self.words.is_sign(b',') || self.words.is_sign(b';') {
                    self.words.next()?;
                    continue;
                }
                let (line, name) = (self.words.line, self.value()?);
                let value = if self.words.is_sign(b'=') {
                    self.words.next()?;
                    self.value()?
                } else {
                    "true".into()
                };
                if wanted.contains(&name.as_str()) {
                    found.push(Attribute { name, value, line });
                }
            }
            self.words.next()?;
        }
        Ok(found)
    }

    /// The text of the name in sight.
    fn value(&mut self) -> Result<String, Bad> {
        if !self.words.is_name() {
            return self.words.bad(format!("{} instead of a name or a value", self.words.found()));
        }
        let text = std::mem::take(&mut self.words.text);
        self.words.next()?;
        Ok(text)
    }
}
