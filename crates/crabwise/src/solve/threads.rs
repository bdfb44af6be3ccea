//! Workers that are threads of this process, and channels between them.

use std::{
    panic,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use super::{
    SolveError,
    communicator::{Comm, Communicator, Lost},
};
use crate::watch::Watch;

/// Slots below which another thread costs more than it saves.
const FEW: u64 = if cfg!(test) { 8 } else { 1 << 12 };

/// How many threads should work on `slots` slots.
pub(crate) fn threads_for(slots: u64) -> usize {
    (slots / FEW).clamp(1, rayon::current_num_threads() as u64) as usize
}

/// One thread's end of the channels.
pub(crate) struct ThreadCommunicator {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl Communicator for ThreadCommunicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn ranks_per_process(&self) -> usize {
        self.to.len()
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        // One thread needs no channel.
        if self.to.len() == 1 {
            return Ok(messages);
        }
        let gone = || Lost("another thread has ended".into());
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).map_err(|_| gone())?;
        }
        self.from.iter().map(|from| from.recv().map_err(|_| gone())).collect()
    }
}

/// A channel from every thread to every other.
fn communicators(size: usize) -> Vec<ThreadCommunicator> {
    let mut all: Vec<ThreadCommunicator> =
        (0..size).map(|rank| ThreadCommunicator { rank, to: vec![], from: vec![] }).collect();
    for from in 0..size {
        for to in 0..size {
            let (sender, receiver) = channel();
            all[from].to.push(sender);
            all[to].from.push(receiver);
        }
    }
    all
}

/// Runs `work` on `size` threads at the same time and returns what each found, by rank. If some fail, the error is of
/// one that failed by itself.
pub(crate) fn on_threads<T: Send>(
    size: usize,
    watch: &dyn Watch,
    work: &(dyn Fn(&mut Comm) -> Result<T, SolveError> + Sync),
) -> Result<Vec<T>, SolveError> {
    each_thread(size, &|mut communicator| {
        let mut comm = Comm::new(&mut communicator, watch, false);
        let found = work(&mut comm);
        if let Err(error) = &found {
            comm.abort(error);
        }
        found
    })
}

/// Runs `work` at each end of the channels between `size` threads.
pub(crate) fn each_thread<T: Send>(
    size: usize,
    work: &(dyn Fn(ThreadCommunicator) -> Result<T, SolveError> + Sync),
) -> Result<Vec<T>, SolveError> {
    let mut all = communicators(size);
    let mine = all.remove(0);
    let found: Vec<Result<T, SolveError>> = thread::scope(|scope| {
        let others: Vec<_> =
            all.into_iter().map(|communicator| scope.spawn(move || work(communicator))).collect();
        let mut found = vec![work(mine)];
        for other in others {
            found.push(other.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)));
        }
        found
    });
    let (done, failed): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
    match failed.into_iter().filter_map(Result::err).min_by_key(SolveError::is_second_hand) {
        Some(error) => Err(error),
        None => Ok(done.into_iter().filter_map(Result::ok).collect()),
    }
}
