//! Games from the text of their rules.
//!
//! The core is the Game Description Language, GDL, with what GDL-II adds for chance and hidden information. A text
//! is read as KIF, the form with prefixes that others write, or as the form of ours with infix rules; both become
//! the same [`syntax::Program`], and nothing after that knows which one it was.

#![warn(missing_docs)]

pub mod check;
pub mod examples;
pub mod kif;
pub mod readable;
pub mod reference;
pub mod report;
mod stratify;
pub mod syntax;
