//! The command line as people and scripts meet it: the binary is run, and what it prints, writes
//! and exits with is compared.

#[cfg(target_os = "linux")]
mod attacks;
mod cluster;
mod damage;
mod errors;
mod hidden;
mod input;
mod labels;
mod league;
#[cfg(feature = "mpi")]
mod mpi;
mod play;
mod results;
mod resume;
mod sandbox;
mod serve;
mod snapshots;
#[cfg(target_os = "linux")]
mod stops;
#[cfg(feature = "s3")]
mod store;
mod studies;
mod walked;
