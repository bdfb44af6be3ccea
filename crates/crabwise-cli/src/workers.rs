//! Solving together: threads as they are, workers in this process, or processes here and elsewhere.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use crabwise::{Plan, Solved, WorkerGroup};
use crabwise_cluster::{
    Cluster,
    hosts::Hosts,
    local::{self, Others},
};
use crabwise_session::{Error, Target};
use tempfile::TempDir;

use crate::{
    args::{SolveArgs, workers::WorkersArgs},
    context::Context,
    error::Failure,
    interrupt::{self, Temporary},
    metrics::Metrics,
    output::print,
    progress::Progress,
};

/// Who solves a game.
pub enum Workers {
    /// The threads of this process.
    Threads,
    /// Workers here, and perhaps elsewhere, with this many bytes of memory.
    Group(Box<dyn WorkerGroup>, u64),
    /// Workers here, and processes that were started for it.
    LocalCluster(LocalCluster),
    /// Nobody: the commands for all processes were printed.
    Nobody,
}

/// Processes on this machine.
pub struct LocalCluster {
    cluster: Cluster,
    others: Others,
    /// Bytes of memory for each.
    memory: u64,
    /// Where the list of them is.
    folder: (TempDir, Temporary),
}

impl Workers {
    pub fn new(context: &Context, args: &SolveArgs, target: &Target) -> Result<Workers, Failure> {
        let WorkersArgs { workers, hosts, process, local_cluster, patience, .. } = &args.workers;
        let patience = Duration::from_secs(*patience);
        let memory = context.session.memory();
        if args.workers.mpi {
            return mpi(memory);
        }
        if let Some(processes) = local_cluster {
            let workers = workers.map_or(1, usize::from);
            return start(context, args, (*processes).into(), workers, patience);
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let Some(file) = hosts else {
            let Some(workers) = *workers else { return Ok(Workers::Threads) };
            return Ok(Workers::Group(Box::new(Cluster::alone(workers.into())), memory));
        };
        let hosts = read_hosts(file)?;
        let Some(process) = *process else {
            print(&command_lines(&hosts, file, *workers, target))?;
            return Ok(Workers::Nobody);
        };
        if process >= hosts.len() {
            let (file, last) = (file.display(), hosts.len() - 1);
            let bad = format!("there is no process {process} in {file}; it has 0 to {last}");
            return Err(Failure::Input(bad));
        }
        let workers = workers.map_or_else(cores, usize::from);
        let cluster = Cluster::new(workers, hosts, process, patience);
        let cluster = cluster.listening(local::inherited());
        Ok(Workers::Group(Box::new(cluster), memory))
    }

    /// Whether this process writes the table, and so is the one that tells how far it is.
    pub fn has_root(&self) -> bool {
        match self {
            Workers::Group(group, _) => group.has_root(),
            _ => true,
        }
    }

    /// Solves the game; `None` where the table is made elsewhere.
    pub fn solve(
        self,
        context: &Context,
        args: &SolveArgs,
        target: &Target,
        progress: &Progress,
    ) -> Result<Option<Solved>, Failure> {
        let metrics = args.workers.metrics.map(|at| Metrics::serve(at, &target.built.string));
        let metrics = metrics.transpose()?;
        let watch = Metrics::watch(metrics.as_ref(), progress);
        let planned = &|plan: &Plan| progress.planned(plan);
        let count = !args.no_stats;
        match self {
            Workers::Nobody => Ok(None),
            Workers::Threads => Ok(Some(context.session.solve(target, &watch, count, planned)?)),
            Workers::Group(group, memory) => {
                let session = context.session.within(memory);
                let solved = session.solve_with(target, &*group, &watch, count, planned);
                Ok(solved.map_err(|error| on_request(error, target))?)
            }
            Workers::LocalCluster(LocalCluster { cluster, others, memory, folder }) => {
                let session = context.session.within(memory);
                let solved = session.solve_with(target, &cluster, &watch, count, planned);
                if solved.is_ok() {
                    // They end by themselves, once all has arrived.
                    let waited = others.wait();
                    waited.map_err(|error| {
                        Failure::Input(format!("a process went astray: {error}"))
                    })?;
                } else {
                    others.end();
                }
                drop(folder);
                Ok(solved.map_err(|error| on_request(error, target))?)
            }
        }
    }
}

/// A worker that stops on request is lost to the others, and it is a matter of luck who says so first. Where the request
/// came in, that is what ended the run.
fn on_request(error: Error, target: &Target) -> Error {
    match (error, interrupt::asked()) {
        (Error::Lost { kept, unstored, .. }, Err(stop)) => {
            Error::Stopped { stop, game: target.built.string.clone(), kept, unstored }
        }
        (error, _) => error,
    }
}

/// The ranks of the MPI program that this process is one of. Those on one machine share its memory.
#[cfg(feature = "mpi")]
fn mpi(memory: u64) -> Result<Workers, Failure> {
    let ranks = crabwise_cluster::mpi::Ranks::join();
    let ranks = ranks.map_err(|lost| Failure::Input(lost.to_string()))?;
    let share = memory / ranks.on_this_machine() as u64;
    Ok(Workers::Group(Box::new(ranks), share))
}

#[cfg(not(feature = "mpi"))]
fn mpi(_memory: u64) -> Result<Workers, Failure> {
    let line = "this program was built without MPI; 'cargo build --release --features mpi' builds it with it, and \
                needs an MPI library and libclang";
    Err(Failure::Input(line.into()))
}

fn read_hosts(file: &Path) -> Result<Hosts, Failure> {
    /// More than the names of all machines that there may be.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let read = fs::File::open(file).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map_err(|error| Failure::Input(format!("cannot read {}: {error}", file.display())))?;
    Hosts::read(&text).map_err(|error| Failure::Input(format!("{}: {error}", file.display())))
}

/// What is to be run where.
fn command_lines(hosts: &Hosts, file: &Path, workers: Option<u16>, target: &Target) -> String {
    let workers = workers.map_or(String::new(), |workers| format!(" --workers {workers}"));
    let (game, file) = (&target.built.string, file.display());
    let lines = hosts.iter().enumerate().map(|(process, host)| {
        let program = crate::error::program();
        format!("{host}  {program} solve {game} --hosts {file} --process {process}{workers}\n")
    });
    lines.collect()
}

/// Starts processes on this machine, of which this one is the first.
fn start(
    context: &Context,
    args: &SolveArgs,
    processes: usize,
    workers: usize,
    patience: Duration,
) -> Result<Workers, Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("cannot start processes: {error}"));
    let (hosts, listeners) = local::hosts(processes).map_err(failed)?;
    let mut listeners = listeners.into_iter();
    let mine = listeners.next();
    let folder = tempfile::tempdir().map_err(failed)?;
    let removed = Temporary::new(folder.path());
    let file: PathBuf = folder.path().join("hosts");
    let list: Vec<&str> = hosts.iter().collect();
    fs::write(&file, list.join("\n")).map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let memory = context.session.memory() / processes as u64;
    let commands = (1..processes).zip(listeners).map(|(process, listener)| {
        let mut command = Command::new(&program);
        command.arg("solve").arg(&args.game).arg("--hosts").arg(&file);
        command.args(["--process", &process.to_string(), "--workers", &workers.to_string()]);
        command.args(["--memory", &memory.to_string()]);
        command.args(["--threads", "1", "--patience", "60", "--quiet", "--tables"]);
        command.arg(context.session.place().folder());
        // What they have to say is said by this one: whom it lost.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        local::hand_down(listener, &mut command);
        command
    });
    let others = Others::start(commands).map_err(failed)?;
    let cluster = Cluster::new(workers, hosts, 0, patience).watching(others.ended());
    let cluster = cluster.listening(mine);
    Ok(Workers::LocalCluster(LocalCluster { cluster, others, memory, folder: (folder, removed) }))
}
