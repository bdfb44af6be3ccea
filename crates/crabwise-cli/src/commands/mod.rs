//! One file a command, each with `run`.

pub mod advise;
pub mod bench;
pub mod check;
pub mod export;
pub mod games;
pub mod label;
pub mod look;
pub mod play;
pub mod solve;
pub mod stats;
pub mod verify;
