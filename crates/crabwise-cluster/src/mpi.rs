//! Workers that are the ranks of an MPI program, started by `mpirun` or a scheduler.
//!
//! Every rank is a process with one worker. When one is lost MPI ends all the others, so that a lost rank is never told
//! here; what is finished is kept as ever, and the same command goes on from there.

use crabwise::{Communicator, Lost, SolveError, WorkerGroup};
use mpi::{
    collective::SystemOperation,
    datatype::{Partition, PartitionMut},
    environment::Universe,
    topology::{Communicator as _, SimpleCommunicator},
    traits::CommunicatorCollectives as _,
};

/// This process among the ranks of an MPI program.
pub struct Ranks {
    universe: Universe,
}

impl Ranks {
    /// Joins the MPI program that this process was started in; alone if it was not. Once in a process.
    pub fn join() -> Result<Ranks, Lost> {
        let again = || Lost("MPI was begun before in this process".into());
        mpi::initialize().map(|universe| Ranks { universe }).ok_or_else(again)
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.universe.world().size() as usize
    }

    /// How many of them are on this machine.
    pub fn on_this_machine(&self) -> usize {
        self.universe.world().split_shared(0).size() as usize
    }

    /// Which of them this is.
    pub fn rank(&self) -> usize {
        self.universe.world().rank() as usize
    }
}

impl WorkerGroup for Ranks {
    fn has_root(&self) -> bool {
        self.rank() == 0
    }

    fn run(
        &self,
        work: &(dyn Fn(&mut dyn Communicator) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        work(&mut World(self.universe.world()))
    }
}

/// All ranks.
struct World(SimpleCommunicator);

impl Communicator for World {
    fn rank(&self) -> usize {
        self.0.rank() as usize
    }

    fn size(&self) -> usize {
        self.0.size() as usize
    }

    fn ranks_per_process(&self) -> usize {
        1
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let lengths: Vec<u64> = messages.iter().map(|message| message.len() as u64).collect();
        let mut coming = vec![0u64; self.size()];
        self.0.all_to_all_into(&lengths[..], &mut coming[..]);
        // MPI counts in 32 bits, over all ranks together.
        let piece = i32::MAX as u64 / self.size() as u64;
        let (longest, mut most) = (lengths.iter().copied().max().unwrap_or(0), 0);
        self.0.all_reduce_into(&longest, &mut most, SystemOperation::max());
        let mut came: Vec<Vec<u8>> = vec![vec![]; self.size()];
        for from in (0..most).step_by(piece as usize) {
            let range =
                |length: u64| from.min(length) as usize..(from + piece).min(length) as usize;
            let out: Vec<&[u8]> =
                messages.iter().map(|message| &message[range(message.len() as u64)]).collect();
            let lengths: Vec<usize> = coming.iter().map(|length| range(*length).len()).collect();
            let parts = self.all_to_all_piece(&out, &lengths);
            came.iter_mut().zip(parts).for_each(|(came, part)| came.extend(part));
        }
        Ok(came)
    }
}

impl World {
    /// Sends a piece to every rank, and returns what came, of which the lengths are known.
    fn all_to_all_piece(&self, out: &[&[u8]], lengths: &[usize]) -> Vec<Vec<u8>> {
        let sent = out.concat();
        let counts: Vec<i32> = out.iter().map(|piece| piece.len() as i32).collect();
        let coming: Vec<i32> = lengths.iter().map(|length| *length as i32).collect();
        let mut received = vec![0u8; lengths.iter().sum()];
        {
            let sent = Partition::new(&sent[..], &counts[..], begins(&counts));
            let mut received = PartitionMut::new(&mut received[..], &coming[..], begins(&coming));
            self.0.all_to_all_varcount_into(&sent, &mut received);
        }
        let mut rest = &received[..];
        let mut take = |length: &usize| {
            let (piece, after) = rest.split_at(*length);
            rest = after;
            piece.to_vec()
        };
        lengths.iter().map(&mut take).collect()
    }
}

/// Where runs of these lengths begin that follow each other.
fn begins(lengths: &[i32]) -> Vec<i32> {
    let begin = |at: &mut i32, length: &i32| {
        let begin = *at;
        *at += length;
        Some(begin)
    };
    lengths.iter().scan(0, begin).collect()
}
