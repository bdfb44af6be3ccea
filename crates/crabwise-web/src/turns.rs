//! Turns at what takes long: few at a time, and those who wait hold no thread.
//!
//! Answers of moments are given on a pool of threads. If searches and layouts went there as they come, a few
//! dozen of them would take all threads, and the moments would become minutes. So whatever may take long takes
//! a turn first, before it gets a thread. When too many wait, or one has waited for too long, it is told so.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::error::{ApiError, Kind};

/// Turns at one kind of work.
pub struct Turns {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// What others are at, for those who cannot wait.
    what: &'static str,
}

/// A turn, which lasts until it is dropped.
pub type Turn = OwnedSemaphorePermit;

/// How many may wait for a turn: more would not get theirs in time.
const MOST_WAITING: usize = 64;
/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);

impl Turns {
    pub fn new(at_once: usize, what: &'static str) -> Turns {
        let free = Arc::new(Semaphore::new(at_once));
        Turns { free, waiting: AtomicUsize::new(0), what }
    }

    /// A turn as soon as one is free.
    pub async fn next(&self) -> Result<Turn, ApiError> {
        if let Ok(turn) = self.now() {
            return Ok(turn);
        }
        let _waiting = Waiting::among(&self.waiting).ok_or_else(|| self.busy())?;
        match timeout(PATIENCE, self.free.clone().acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(self.busy()),
        }
    }

    /// A turn, unless all are taken.
    pub fn now(&self) -> Result<Turn, ApiError> {
        self.free.clone().try_acquire_owned().map_err(|_| self.busy())
    }

    fn busy(&self) -> ApiError {
        ApiError::new(Kind::Busy, format!("others are {}; try again later", self.what))
    }
}

/// One who waits, also if the asker goes away meanwhile.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    fn among(all: &AtomicUsize) -> Option<Waiting<'_>> {
        let waiting = Waiting(all);
        (all.fetch_add(1, Ordering::Relaxed) < MOST_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_at_it_some_wait_and_the_others_are_told() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let turns = Arc::new(Turns::new(1, "at it"));
            let first = turns.next().await.unwrap();
            assert!(turns.now().is_err());
            let all: Vec<_> = (0..MOST_WAITING + 10)
                .map(|_| {
                    let turns = turns.clone();
                    tokio::spawn(async move { turns.next().await.is_ok() })
                })
                .collect();
            tokio::task::yield_now().await;
            drop(first);
            let mut served = 0;
            for one in all {
                served += usize::from(one.await.unwrap());
            }
            assert_eq!(served, MOST_WAITING);
            assert_eq!(turns.waiting.load(Ordering::Relaxed), 0);
        });
    }
}
