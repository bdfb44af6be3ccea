//! Games from the text of their rules.
//!
//! The core is the Game Description Language, GDL, with what GDL-II adds for chance and hidden information. A text
//! is read as KIF, the form with prefixes that others write, or as the form of ours with infix rules; both become
//! the same [`syntax::Program`], and nothing after that knows which one it was.

#![warn(missing_docs)]

#[cfg(test)]
mod agree;
mod board;
pub mod bounds;
mod chains;
pub mod check;
pub mod counter;
pub mod examples;
mod game;
mod ground;
mod groups;
mod hidden;
pub mod kif;
mod lanes;
pub mod listing;
mod machine;
#[cfg(test)]
mod mutants;
mod net;
mod notation;
mod pack;
mod picture;
mod program;
mod quick;
pub mod readable;
pub mod reference;
pub mod report;
mod rounds;
mod stratify;
pub mod syntax;
mod terms;
pub mod text;
mod turns;
mod words;

use report::Mistake;
use syntax::{Program, Span};

/// The rules of a text in either form, or all that is wrong with them. What begins with a bracket or a semicolon is
/// KIF; values for parameters are for the readable form.
pub fn read(text: &str, parameters: &[(String, String)]) -> Result<Program, Vec<Mistake>> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with(['(', ';']) {
        return readable::read(text, parameters);
    }
    let told = parameters.iter().map(|(name, _)| {
        let what = format!("there is no parameter '{name}'");
        Mistake::new(Span::default(), what, "rules in KIF have no parameters")
    });
    let told: Vec<Mistake> = told.collect();
    if told.is_empty() { kif::read(text) } else { Err(told) }
}
