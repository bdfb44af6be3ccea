//! How large a graph may become while it is read.
//!
//! The size of a file says little: two groups of a few thousand names with one arrow between them are millions of
//! edges. So it is not files that are limited but what becomes of them, and that is looked at with every vertex and
//! every edge, before it is kept.

/// How large a graph may become while it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most vertices.
    pub nodes: u64,
    /// The most edges, repetitions included.
    pub edges: u64,
    /// The most bytes of memory.
    pub bytes: u64,
}

impl Limits {
    /// No limits but those of the formats.
    pub const NONE: Limits = Limits { nodes: u64::MAX, edges: u64::MAX, bytes: u64::MAX };

    /// Any graph that fits into this memory.
    pub fn within(bytes: u64) -> Limits {
        Limits { bytes, ..Limits::NONE }
    }
}
