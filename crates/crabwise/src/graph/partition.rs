//! How the slots of a tier are cut up among workers: each has a run of neighbouring slots.

use std::{ops::Range, sync::Arc};

/// Which slots of a tier belong to which worker.
///
/// A position's *address* is its slot's index. While a game is walked by many workers, only the owner knows that index;
/// then the address is the position's key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Partition {
    pub(crate) len: u64,
    /// Slots a worker, at the most.
    pub(crate) size: u64,
    /// Where positions go by key, the first slot of each worker. Otherwise all runs but the last ones are equally
    /// long.
    starts: Option<Arc<[u64]>>,
}

impl Partition {
    /// Cuts at multiples of `grain`.
    pub(crate) fn new(len: u64, workers: usize, grain: u64) -> Partition {
        let size = len.div_ceil(workers as u64).next_multiple_of(grain.max(1));
        Partition { len, size: size.max(1), starts: None }
    }

    /// Gives each worker the slots of the positions that it found.
    pub(crate) fn found(lens: impl Iterator<Item = u64>) -> Partition {
        let (mut starts, mut len, mut size) = (vec![], 0, 1);
        for more in lens {
            starts.push(len);
            len += more;
            size = more.max(size);
        }
        Partition { len, size, starts: Some(starts.into()) }
    }

    /// Whether positions are addressed by key.
    pub(crate) fn is_addressed(&self) -> bool {
        self.starts.is_some()
    }

    /// The slots of a worker.
    pub(crate) fn range(&self, worker: usize) -> Range<u64> {
        match &self.starts {
            Some(starts) => starts[worker]..starts.get(worker + 1).copied().unwrap_or(self.len),
            None => {
                let from = (self.size * worker as u64).min(self.len);
                from..(from + self.size).min(self.len)
            }
        }
    }

    /// The worker that has the slot with this index.
    #[inline]
    pub(crate) fn owner(&self, index: u64) -> usize {
        match &self.starts {
            Some(starts) => starts.partition_point(|start| *start <= index).saturating_sub(1),
            None => (index / self.size) as usize,
        }
    }

    /// The worker that has the position with this address.
    #[inline]
    pub(crate) fn owner_of_address(&self, address: u64) -> usize {
        match &self.starts {
            Some(starts) => owner_of_key(address, starts.len()),
            None => self.owner(address),
        }
    }
}

/// The worker that has the position with this key. Each has a range of keys, so that their slots follow each other.
#[inline]
pub(crate) fn owner_of_key(key: u64, workers: usize) -> usize {
    ((u128::from(key) * workers as u128) >> 64) as usize
}
