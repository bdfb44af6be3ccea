//! The JSON that scripts and pages rely on. Names here are promises: add to them, never change them.
//!
//! A type here is made from what the library tells and serialized, and nothing else: it opens nothing and
//! computes nothing. The command line and the server send the same types, so that a position reads alike
//! from both. What only one address of the server needs is beside its handler.
#![deny(missing_docs)]

pub mod analysis;
pub mod drawing;
pub mod files;
pub mod games;
pub mod hidden;
pub mod position;
pub mod rows;
pub mod rules;
pub mod solve;
pub mod stats;
pub mod studies;
pub mod value;

use serde::Serialize;

/// An object in one line, without its end.
pub fn text(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("names are strings and nothing else can fail")
}

/// An object as a line of its own.
pub fn line(object: &impl Serialize) -> String {
    text(object) + "\n"
}

/// What a program prints instead of an answer.
#[derive(Serialize)]
pub struct Failed<'a> {
    /// One sentence.
    pub error: &'a str,
}
