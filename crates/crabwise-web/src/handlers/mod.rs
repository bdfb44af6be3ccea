//! What each address answers: a file for what belongs together, a function an address.

pub mod boards;
pub mod dark;
pub mod explore;
pub mod games;
pub mod jobs;
pub mod position;
pub mod rules;
pub mod whole;
