//! The verbs of every front end: solve, count, label, verify, export, check.

mod check;
mod export;
mod label;
mod published;
mod stats;
mod verify;

pub use self::{export::Row, published::Appending};
