//! How much a text may cost before it is a game: everything that works it out counts, and stops with a word of what
//! was too much.

use crate::{report::Mistake, syntax::Span};

/// What a text may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most bytes of text.
    pub text: u64,
    /// The most steps of joining, proving and simplifying; a step takes some ten nanoseconds.
    pub steps: u64,
    /// The most bytes of memory, about.
    pub bytes: u64,
}

impl Bounds {
    /// For somebody who waits at the command line: a minute, and these bytes.
    pub const fn within(bytes: u64) -> Bounds {
        Bounds { text: 16 << 20, steps: 4_000_000_000, bytes }
    }

    /// For a server that others use too: about a second.
    pub const SHARED: Bounds = Bounds { text: 1 << 20, steps: 60_000_000, bytes: 256 << 20 };
}

/// What was spent so far.
pub(crate) struct Spent {
    bounds: Bounds,
    steps: u64,
}

/// A bound was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exceeded {
    Steps(u64),
    Bytes(u64),
}

impl Spent {
    pub(crate) fn new(bounds: Bounds) -> Spent {
        Spent { bounds, steps: 0 }
    }

    /// Counts some steps.
    #[inline]
    pub(crate) fn step(&mut self, many: u64) -> Result<(), Exceeded> {
        self.steps += many;
        match self.steps > self.bounds.steps {
            true => Err(Exceeded::Steps(self.bounds.steps)),
            false => Ok(()),
        }
    }

    /// Sees to it that no more than this is in use.
    #[inline]
    pub(crate) fn hold(&self, bytes: u64) -> Result<(), Exceeded> {
        match bytes > self.bounds.bytes {
            true => Err(Exceeded::Bytes(self.bounds.bytes)),
            false => Ok(()),
        }
    }
}

impl Exceeded {
    /// As a mistake of the rule that cost most.
    pub(crate) fn at(self, span: Span, doing: &str) -> Mistake {
        let what = match self {
            Exceeded::Steps(most) => format!("{doing} takes more than {most} steps"),
            Exceeded::Bytes(most) => format!("{doing} takes more than {most} bytes"),
        };
        let remedy = "bind variables sooner, or split the rule so that fewer stand in one body";
        Mistake::new(span, what, remedy)
    }
}
