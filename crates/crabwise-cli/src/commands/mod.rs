//! One file a command, each with `run`.

pub mod advise;
pub mod bench;
pub mod book;
pub mod check;
pub mod draw;
pub mod export;
pub mod games;
pub mod hidden;
pub mod label;
pub mod league;
pub mod look;
pub mod plan;
pub mod play;
pub mod rules;
pub mod serve;
pub mod solve;
pub mod stats;
pub mod survey;
pub mod verify;
