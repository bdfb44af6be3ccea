//! How large a graph may be that somebody sends: far smaller than one on the command line.
//!
//! Texts are short, but what they mean need not be: to a DOT file of 26 kB two groups of names can be seven
//! million edges. So before a text is made into a game its edges are counted, by the same reader that will read it
//! and in the memory of its names, and the counting ends where there are too many. In all other formats an edge
//! takes some bytes of the text each.

use std::collections::HashMap;

use crabwise_graphfile::{
    ReadError, Source,
    dot::{self, Attribute, Graph, Of},
};

use crate::error::{ApiError, Kind};

/// The most edges or bridges.
const MOST_EDGES: u32 = 20_000;

/// Refuses a text that means too much. What is wrong with it otherwise is for those to say who read it.
pub fn hold(text: &str) -> Result<(), ApiError> {
    let mut counted = Counted::default();
    let Ok(mut source) = Source::open(text.as_bytes()) else { return Ok(()) };
    let _ = dot::read(&mut source, &mut counted);
    if counted.edges > MOST_EDGES {
        let line = format!(
            "a graph sent here has at most {MOST_EDGES} edges; the command line takes more"
        );
        return Err(ApiError::new(Kind::TooLarge, line));
    }
    Ok(())
}

/// How much a DOT file means.
#[derive(Default)]
struct Counted {
    numbers: HashMap<String, u32>,
    edges: u32,
}

impl Graph for Counted {
    const DIRECTED: Option<&'static str> = None;

    fn vertex(&mut self, name: &str, _line: u64) -> Result<Option<u32>, ReadError> {
        let next = self.numbers.len() as u32;
        Ok(Some(*self.numbers.entry(name.into()).or_insert(next)))
    }

    fn edge(&mut self, _from: u32, _to: u32, line: u64) -> Result<(), ReadError> {
        self.edges += 1;
        match self.edges > MOST_EDGES {
            true => Err(ReadError::on_line(line, "too many edges")),
            false => Ok(()),
        }
    }

    fn attribute(&mut self, _of: Of, _attribute: Attribute) -> Result<(), ReadError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_counted_whatever_the_text_is_like() {
        let names = |n: usize| (0..n).map(|n| format!("{n} ")).collect::<String>();
        let groups = |n| format!("digraph {{ {{ {} }} -> {{ {} }} }}", names(n), names(n));
        assert!(hold(&groups(140)).is_ok());
        assert!(hold(&groups(142)).unwrap_err().is_too_large());
        // One arrow with more edges than the reader takes is refused by the reader.
        assert!(hold(&groups(3_000)).unwrap_err().is_too_large());
        let nested = format!(
            "graph {{ {} -- {{ {} }} }}",
            "{ ".repeat(50) + &names(500) + &"}".repeat(50),
            names(500)
        );
        assert!(hold(&nested).unwrap_err().is_too_large());
        for text in ["", "digraph {", "1A,2B\n", "{\"islands\": []}"] {
            assert!(hold(text).is_ok(), "{text}");
        }
    }
}
