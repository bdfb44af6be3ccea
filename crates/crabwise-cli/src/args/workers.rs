//! What can be typed for solving on many machines, and for planning that.

use std::{net::SocketAddr, path::PathBuf};

use super::numbers::rate;

/// Who solves together.
#[derive(clap::Args)]
#[command(next_help_heading = "Solving on many machines")]
pub struct WorkersArgs {
    /// Workers in each process; alone, so many in this one [default in a cluster: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// The processes of a cluster: a file with an address, host:port, a line. Without --process, prints
    /// what is to be run where
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,

    /// Which of these processes this is, counted from 0; the table is made by process 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,

    /// Start so many processes on this machine, to try it out
    #[arg(long, value_name = "N", conflicts_with = "hosts")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
    pub local_cluster: Option<u16>,

    /// Solve as one rank of an MPI program: mpirun -n 4 crabwise solve GAME --mpi
    #[arg(long, conflicts_with_all = ["workers", "hosts", "local_cluster"])]
    pub mpi: bool,

    /// Seconds that other processes may take to show up
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub patience: u64,

    /// Tell how far it is as Prometheus text at http://ADDRESS/metrics, such as 127.0.0.1:9187
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
}

#[derive(clap::Args)]
pub struct PlanArgs {
    /// The game
    pub game: String,

    /// Machines that would solve it together, a process each
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub machines: u32,

    /// Cores of each, a worker for each [default: as many as here]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub cores: Option<u32>,

    /// Bits a second that a machine can send: 1G, 10G, …
    #[arg(long, value_name = "BITS", default_value = "10G", value_parser = rate)]
    pub network: u64,

    /// Bytes a second that the disk can write: 200M, 2G, …
    #[arg(long, value_name = "BYTES", default_value = "500M", value_parser = rate)]
    pub disk: u64,
}
