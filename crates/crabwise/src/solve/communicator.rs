//! What workers have between them: every worker hands each other one a message, and gets one from each.
//!
//! [`Communicator`] is the seam. Threads of one process ([`threads`](super::threads)), processes on timely dataflow or on
//! MPI carry the messages, and no solver knows which. All workers go through the same rounds, and what they find does
//! not depend on how many they are, so a table has the same bytes.
//!
//! A worker bounds what it sends in a round, because nothing holds back those that are faster than others.

use std::{
    array, fmt,
    time::{Duration, Instant},
};

use super::SolveError;
use crate::watch::{Stage, TeamStage, Watch};

/// Carries messages between the workers of one run.
pub trait Communicator {
    /// Which worker this is, counted from 0.
    fn rank(&self) -> usize;

    /// How many workers there are.
    fn size(&self) -> usize;

    /// How many workers share the memory of one process. Ranks of one process follow each other.
    fn ranks_per_process(&self) -> usize;

    /// Sends `messages[rank]` to each worker, this one included, and returns what each sent to this one. Blocks until
    /// all workers have called it as often as this one.
    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;
}

/// The workers of one process.
pub trait WorkerGroup: Sync {
    /// Whether rank 0 is among them. Its process writes the table.
    fn has_root(&self) -> bool;

    /// Runs `work` once for each worker of this process, all at the same time, and returns the first failure.
    fn run(
        &self,
        work: &(dyn Fn(&mut dyn Communicator) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError>;
}

/// Other workers can no longer be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

/// Numbers that every worker contributes to a round, and what they come to over all workers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Reduction {
    /// Sum: workers that have more to send.
    pub(crate) more: u64,
    /// Sum: whatever is being counted.
    pub(crate) sum: u64,
    /// Sum: positions done since the last round.
    pub(crate) done: u64,
    /// Sum: workers that met a distance that does not fit.
    pub(crate) far: u64,
    /// Maximum.
    pub(crate) most: u64,
}

/// How workers are spread over processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Topology {
    pub(crate) processes: u64,
    /// Workers of each process.
    pub(crate) workers: u64,
}

/// One worker's end of the communication: messages with numbers to be reduced, failures that reach everybody, progress.
pub(crate) struct Comm<'a> {
    communicator: &'a mut dyn Communicator,
    watch: &'a dyn Watch,
    stage: Stage,
    /// Whether progress names the workers. Threads that nobody asked for are not worth mentioning.
    named: bool,
    told: Instant,
    /// When the last round ended.
    since: Instant,
    /// Bytes that this worker has sent to others.
    sent: u64,
    /// Whether the others know already that something went wrong.
    failed: bool,
}

/// A mark, the numbers of [`Reduction`], time at work and bytes sent.
const HEADER: usize = 1 + 8 * 7;
const WELL: u8 = 0;
const TROUBLE: u8 = 1;

impl<'a> Comm<'a> {
    pub(crate) fn new(
        communicator: &'a mut dyn Communicator,
        watch: &'a dyn Watch,
        named: bool,
    ) -> Comm<'a> {
        let (stage, now) = (Stage::new("gathering", None, None), Instant::now());
        let (told, since) = (now, now);
        Comm { communicator, watch, stage, named, told, since, sent: 0, failed: false }
    }

    pub(crate) fn rank(&self) -> usize {
        self.communicator.rank()
    }

    pub(crate) fn size(&self) -> usize {
        self.communicator.size()
    }

    pub(crate) fn is_root(&self) -> bool {
        self.rank() == 0
    }

    /// The first worker of each process.
    pub(crate) fn process_roots(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.size()).step_by(self.communicator.ranks_per_process().max(1))
    }

    pub(crate) fn is_process_root(&self) -> bool {
        self.rank().is_multiple_of(self.communicator.ranks_per_process().max(1))
    }

    pub(crate) fn topology(&self) -> Topology {
        let workers = self.communicator.ranks_per_process().max(1);
        Topology { processes: self.size().div_ceil(workers) as u64, workers: workers as u64 }
    }

    /// Begins a stage of `total` positions.
    pub(crate) fn begin(&mut self, what: &'static str, tier: Option<u32>, total: Option<u64>) {
        self.stage = Stage { team: self.stage.team, ..Stage::new(what, tier, total) };
    }

    /// Says how far from the ends the work is.
    pub(crate) fn level(&mut self, level: u32) {
        self.stage.level = Some(level);
    }

    /// An empty message for each worker.
    pub(crate) fn messages(&self) -> Vec<Vec<u8>> {
        vec![vec![0; HEADER]; self.size()]
    }

    /// Sends messages that [`messages`](Comm::messages) made. Returns what came in, and the reduced numbers.
    pub(crate) fn exchange(
        &mut self,
        mut messages: Vec<Vec<u8>>,
        mine: Reduction,
    ) -> Result<(Vec<Message>, Reduction), SolveError> {
        let (busy, rank) = (self.since.elapsed(), self.rank());
        let others = messages.iter().enumerate().filter(|(to, _)| *to != rank);
        self.sent += others.map(|(_, message)| (message.len() - HEADER) as u64).sum::<u64>();
        let Reduction { more, sum, done, far, most } = mine;
        let numbers = [more, sum, done, far, most, busy.as_micros() as u64, self.sent];
        let numbers = numbers.map(u64::to_le_bytes);
        messages.iter_mut().for_each(|message| {
            message[0] = WELL;
            message[1..HEADER].copy_from_slice(numbers.as_flattened());
        });
        let came = self.communicator.all_to_all(messages).map_err(|lost| {
            self.failed = true;
            SolveError::Lost(lost)
        })?;
        let (mut all, mut slowest, mut exchanged) = (Reduction::default(), (0, 0), 0);
        for (worker, message) in came.iter().enumerate() {
            let Some([more, sum, done, far, most, busy, sent]) = read_header(message) else {
                self.failed = true;
                let why =
                    String::from_utf8_lossy(message.get(1..).unwrap_or_default()).into_owned();
                return Err(SolveError::Elsewhere { worker, why });
            };
            all.more += more;
            all.sum += sum;
            all.done += done;
            all.far += far;
            all.most = all.most.max(most);
            exchanged += sent;
            slowest = slowest.max((busy, worker));
        }
        self.report(all.done, exchanged, slowest)?;
        self.since = Instant::now();
        Ok((came.into_iter().map(Message).collect(), all))
    }

    /// Reduces numbers over all workers.
    pub(crate) fn all_reduce(&mut self, mine: Reduction) -> Result<Reduction, SolveError> {
        let messages = self.messages();
        Ok(self.exchange(messages, mine)?.1)
    }

    /// The largest of the numbers that the workers give.
    pub(crate) fn max(&mut self, most: u64) -> Result<u64, SolveError> {
        Ok(self.all_reduce(Reduction { most, ..Reduction::default() })?.most)
    }

    /// The smallest of them.
    pub(crate) fn min(&mut self, least: u64) -> Result<u64, SolveError> {
        Ok(!self.max(!least)?)
    }

    /// Their sum.
    pub(crate) fn sum(&mut self, sum: u64) -> Result<u64, SolveError> {
        Ok(self.all_reduce(Reduction { sum, ..Reduction::default() })?.sum)
    }

    /// Whether any worker says so.
    pub(crate) fn any(&mut self, yes: bool) -> Result<bool, SolveError> {
        Ok(self.max(yes.into())? == 1)
    }

    /// Whether rank 0 says so.
    pub(crate) fn root_says(&mut self, yes: bool) -> Result<bool, SolveError> {
        self.any(self.is_root() && yes)
    }

    fn report(
        &mut self,
        done: u64,
        exchanged: u64,
        (busy, slowest): (u64, usize),
    ) -> Result<(), SolveError> {
        self.stage.done += done;
        let workers = self.size();
        let mut team = self.stage.team.unwrap_or(TeamStage { workers, exchanged: 0, slowest: 0 });
        team.exchanged = exchanged;
        // Short rounds say little about who is slow.
        if busy > 5_000 {
            team.slowest = slowest;
        }
        self.stage.team = self.named.then_some(team);
        // One thread of a process speaks for all.
        if self.told.elapsed() >= Duration::from_millis(50) && self.is_process_root() {
            self.told = Instant::now();
            self.watch.tell(&self.stage)?;
        }
        Ok(())
    }

    /// Tells the watcher at once.
    pub(crate) fn tell(&mut self) -> Result<(), SolveError> {
        Ok(self.watch.tell(&self.stage)?)
    }

    /// Sends everybody, in place of the next messages, the reason why this worker cannot go on.
    pub(crate) fn abort(&mut self, error: &SolveError) {
        if !self.failed {
            self.failed = true;
            let mut message = vec![TROUBLE];
            message.extend(error.to_string().bytes());
            // A worker that this does not reach finds out by itself.
            let _ = self.communicator.all_to_all(vec![message; self.size()]);
        }
    }
}

/// What came from one worker.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.get(HEADER..).unwrap_or_default()
    }
}

/// The numbers of a header; `None` where its worker aborts.
fn read_header(message: &[u8]) -> Option<[u64; 7]> {
    let header = message.get(..HEADER).filter(|header| header[0] == WELL)?;
    let (numbers, _) = header[1..].as_chunks();
    Some(array::from_fn(|i| u64::from_le_bytes(numbers[i])))
}
