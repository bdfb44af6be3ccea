//! Plane graphs: read from files, embedded, laid out with straight edges, and whole families of them.
//!
//! Data goes down this list, and nothing looks up:
//!
//! - [`plane`]: a plane graph as its faces; darts, rotation systems.
//! - [`drawing`]: the plane graph that a drawing with straight edges shows.
//! - [`planarity`]: a rotation system for a graph without a drawing, if it is planar.
//! - [`layout`]: a drawing with straight edges of a plane graph.
//! - [`families`]: plane graphs by name, such as `wheel=5`.
//! - [`read`](read()): plane graphs in files; [`write`](mod@write): the same the other way.
//! - [`figures`]: the boards of a paper.
//!
//! No game is known here. Sizes are those of boards: at most [`MOST_EDGES`] edges, so that what is quadratic
//! is done in a moment.
#![deny(missing_docs)]

pub mod drawing;
pub mod families;
pub mod figures;
pub mod layout;
pub mod planarity;
pub mod plane;
mod read;
pub mod write;

pub use plane::{MOST_EDGES, PlaneGraph};
pub use read::read;

/// Boards with their tables of faces, as three independent programs have them.
#[cfg(test)]
const FACTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cycles-boards.json"));
