//! Games from the text of their rules.
//!
//! The core is the Game Description Language, GDL, with what GDL-II adds for chance and hidden information. A text
//! is read as KIF, the form with prefixes that others write, or as the form of ours with infix rules; both become
//! the same [`syntax::Program`], and nothing after that knows which one it was.

#![warn(missing_docs)]

#[cfg(test)]
mod agree;
pub mod bounds;
mod chains;
pub mod check;
pub mod counter;
mod game;
mod ground;
mod groups;
mod hidden;
pub mod kif;
mod machine;
#[cfg(test)]
mod mutants;
mod net;
mod notation;
mod pack;
mod picture;
mod program;
mod quick;
pub mod reference;
pub mod report;
mod rounds;
mod stratify;
pub mod syntax;
mod terms;
pub mod text;
mod turns;
mod words;
