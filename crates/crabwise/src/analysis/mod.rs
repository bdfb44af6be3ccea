//! What can be said of a solved game beyond its values.

pub mod check;
pub mod horizon;
pub mod label;
pub mod nimbers;
pub(crate) mod partitioned;
pub(crate) mod reachability;
pub(crate) mod reachability_kernel;
pub mod reference;
pub mod stats;
pub(crate) mod stats_file;
pub mod sums;
pub mod verify;
