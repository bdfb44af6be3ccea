//! The command line as people and scripts meet it: the binary is run, and what it prints, writes
//! and exits with is compared.

mod cluster;
mod damage;
mod desk;
mod errors;
mod hidden;
mod labels;
mod league;
mod play;
mod results;
mod resume;
mod serve;
mod snapshots;
mod studies;
