//! Many processes that solve one game together, on timely dataflow.
//!
//! What is solved, and how it is cut up, is the library's business (`crabwise::Communicator`); here is what the
//! workers have between them. All of it could be replaced by another [`Communicator`], such
//! as one over MPI.
//!
//! - `dataflow`: parcels through a timely dataflow, one round a time.
//! - `lines`: the connections between processes, and what becomes of them.
//! - [`hosts`]: which processes there are.
//! - [`local`]: processes on this machine, for trying out.
#![deny(missing_docs)]

mod dataflow;
pub mod hosts;
mod lines;
pub mod local;
#[cfg(feature = "mpi")]
pub mod mpi;

use std::{
    net::TcpListener,
    sync::{Mutex, PoisonError, mpsc::channel},
    thread,
    time::{Duration, Instant},
};

use crabwise::{Communicator, Lost, SolveError, WorkerGroup};
use timely::{
    WorkerConfig,
    communication::{
        Allocator, Hooks,
        allocator::{
            ProcessBuilder,
            zero_copy::{
                allocator::TcpBuilder,
                initialize::{CommsGuard, initialize_networking_from_sockets},
            },
        },
    },
    worker::Worker,
};

use crate::{
    dataflow::Mail,
    hosts::Hosts,
    lines::{Fate, connect},
};

/// The workers of this process, among those of all.
pub struct Cluster {
    workers: usize,
    hosts: Hosts,
    process: usize,
    patience: Duration,
    gone: Gone,
    /// Where the others call, if it listens already.
    listener: Mutex<Option<TcpListener>>,
}

/// Whether a process that has not shown up yet never will.
pub(crate) type Gone = Box<dyn Fn(usize) -> bool + Send + Sync>;

impl Cluster {
    /// Workers of this process alone.
    pub fn alone(workers: usize) -> Cluster {
        Cluster::new(workers, Hosts::alone(), 0, Duration::ZERO)
    }

    /// So many workers in each process, the same everywhere; which process this is, and how long the others
    /// may take to show up.
    pub fn new(workers: usize, hosts: Hosts, process: usize, patience: Duration) -> Cluster {
        let (gone, listener) = (Box::new(|_| false), Mutex::default());
        Cluster { workers, hosts, process, patience, gone, listener }
    }

    /// Is called by the others at what listens already.
    pub fn listening(self, listener: Option<TcpListener>) -> Cluster {
        Cluster { listener: Mutex::new(listener), ..self }
    }

    /// Does not wait for processes of which `gone` says that they will not show up.
    pub fn watching(self, gone: impl Fn(usize) -> bool + Send + Sync + 'static) -> Cluster {
        Cluster { gone: Box::new(gone), ..self }
    }

    /// What timely makes workers of, and what must outlive them.
    fn builders(&self, fate: &Fate) -> Result<(Vec<TcpBuilder>, CommsGuard), Lost> {
        let hooks = Hooks::default();
        let (refill, spill) = (hooks.refill.clone(), hooks.spill.clone());
        let until = Instant::now() + self.patience;
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        let lines = connect(&self.hosts, self.process, listener, until, &self.gone, fate)?;
        let within = ProcessBuilder::new_typed_vector(self.workers, refill, spill);
        initialize_networking_from_sockets(within, lines, self.process, self.workers, hooks)
            .map_err(|error| Lost(format!("cannot set up connections: {error}")))
    }
}

/// Waits until all that was said has been sent; not for ever, because somebody may be gone who has heard
/// all that he needs.
fn hang_up(guard: CommsGuard) {
    let (done, waits) = channel();
    thread::spawn(move || {
        drop(guard);
        // Nobody listens any more if it took too long.
        let _ = done.send(());
    });
    let _ = waits.recv_timeout(FAREWELL);
}

/// How long the end of a run may take.
const FAREWELL: Duration = Duration::from_secs(10);

impl Cluster {
    /// A worker that could not go on, with the place of its process.
    fn named(&self, error: SolveError) -> SolveError {
        match error {
            SolveError::Elsewhere { worker, why } if worker / self.workers != self.process => {
                let process = worker / self.workers;
                let host = self.hosts.address(process);
                SolveError::Lost(Lost(format!("process {process} on {host}: {why}")))
            }
            error => error,
        }
    }
}

impl WorkerGroup for Cluster {
    fn has_root(&self) -> bool {
        self.process == 0
    }

    fn run(
        &self,
        work: &(dyn Fn(&mut dyn Communicator) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        let fate = Fate::new(self.hosts.clone());
        let (builders, guard) = self.builders(&fate).map_err(SolveError::Lost)?;
        let failed = Mutex::new(None);
        thread::scope(|scope| {
            let mut started = vec![];
            for builder in builders {
                let (fate, failed) = (fate.clone(), &failed);
                let (start, begins) = channel::<()>();
                started.push(start);
                scope.spawn(move || {
                    // Where the system refuses one of the threads, the others would wait for it.
                    if begins.recv().is_err() {
                        return;
                    }
                    let allocator = Allocator::Tcp(builder.build());
                    let worker =
                        Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
                    let mut mail = Mail::new(worker, self.workers, fate);
                    match work(&mut mail) {
                        Ok(()) => mail.close(),
                        Err(error) => {
                            let mut failed = failed.lock().unwrap_or_else(|lock| lock.into_inner());
                            // Which of them comes first is chance; why it began is what counts.
                            if failed.as_ref().is_none_or(SolveError::is_second_hand) {
                                *failed = Some(error);
                            }
                            mail.abandon();
                        }
                    }
                });
            }
            for start in started {
                // A thread that has ended needs no start.
                let _ = start.send(());
            }
        });
        match failed.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
            None => {
                hang_up(guard);
                Ok(())
            }
            Some(error) => {
                let error = self.named(error);
                // The threads of connections that are broken wait for nobody, and end with the program.
                std::mem::forget(guard);
                Err(error)
            }
        }
    }
}
