//! The verbs of every front end: solve, count, label, verify, export, check.

mod check;
mod export;
mod label;
mod published;
mod solve;
mod stats;
mod verify;

#[cfg(test)]
mod tests;

pub use self::{export::Row, published::Appending, solve::Solved};
