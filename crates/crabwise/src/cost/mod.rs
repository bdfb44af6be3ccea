//! What solving would take, in memory and time, before any of it is spent.

pub mod calibration;
pub mod forecast;
pub(crate) mod memory_model;
pub(crate) mod plan;
pub(crate) mod size_estimate;

pub use self::memory_model::TierSample;
