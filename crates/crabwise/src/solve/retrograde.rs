//! Tiers with loops: retrograde analysis, from the ends of the game backwards, one distance at a time.
//!
//! A position is won at distance d + 1 as soon as some move reaches a child that is good for the
//! mover at distance d, and lost at d + 1 when the last of its children turns out bad at d. So
//! every position keeps the number of children not yet known to be bad, and what is decided at
//! level d is propagated to the parents: distances come out exact. What is left when nothing is propagated
//! any more is even. Ties spread through the even positions in the same way, shortest first, and the rest are draws.
//!
//! Children in later tiers are looked at once, forwards, from their parents. Each position then has
//! at most one date with them: the level at which its quickest win among them comes true, or
//! else the one at which the slowest of the bad ones does. Ends of the game inside the tier are the first frontier.
//!
//! Where edges are recorded, children and parents are distinct slots. Where the game is played
//! backwards, no child inside the tier is looked up at all: only the moves are counted. With a
//! folded numbering a move of the one position that is looked at stands for as many as share its slot:
//! if k moves lead from P to images of C, then k·|P| moves lead from the positions at P's slot
//! to those at C's, and un-moves from C see |C| of them each. So P waits for |P| times its moves, and
//! each un-move from C counts for |C|.
//!
//! A tier is cut into [`Share`]s, one for each worker. A share's counts and values are its own; an
//! [update](super::share) for a parent elsewhere is sent to its share. A tier in the memory of one process is one share,
//! on which all threads work: whichever of them counts a position down to nothing decides it. Where shares are and how updates travel is the matter of [`Supersteps`]:
//! in memory, between the workers of a [`Communicator`](super::communicator::Communicator) ([`Resident`]), or in files
//! ([`external_memory`](super::external_memory)).

use std::{mem, sync::Arc};

use super::{
    SolveError,
    arcs::LoopArcs,
    communicator::{Comm, Message, Reduction},
    forwards::Edges,
    lookup::Later,
    reverse::{Parents, Recorder, Reverse, ThreadRecorders},
    share::Share,
    snapshot::{Kept, Snapshots},
};
use crate::{
    graph::{Graph, partition::Partition},
    index::Slot,
    table::Word,
};

/// Moves that a worker looks up in a round, about.
pub(crate) const EDGES: u64 = if cfg!(test) { 100 } else { 1 << 17 };
/// Lookups of a round where they need no other worker.
const BATCHES: u64 = 16;

/// Slots that all threads look at in a round.
const TOGETHER: u64 = if cfg!(test) { 100 } else { 1 << 18 };

/// Positions that a worker propagates in a round. More are no faster, and 16 workers have 256 messages in memory.
pub(crate) const PROPAGATED: usize = if cfg!(test) { 20 } else { 1 << 13 };
/// How far a tier has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// Whether wins and losses are all known, and ties are being found.
    pub(crate) ties: bool,
    /// The distance of the positions that are propagated next.
    pub(crate) distance: u32,
}

/// Where a round of supersteps stands in its level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// The first of all.
    Start,
    /// The first of a level.
    First,
    /// A further one of the same level.
    Further,
}

/// Where the shares of a tier are, and how updates travel between them.
pub(crate) trait Supersteps {
    /// Lets every share take the updates that were sent to it, and propagate. Returns the numbers of all shares of all
    /// workers together: with them all workers decide alike how to go on.
    fn step(&mut self, level: Level, round: Round) -> Result<Reduction, SolveError>;
}

/// Finds wins and losses, then ties, from the start or from where a snapshot was made: level after level, until nothing
/// is left to propagate and nothing is scheduled any more. `false` where a distance does not fit.
pub(crate) fn propagate_all(
    shares: &mut dyn Supersteps,
    begin: Level,
    scheduled: [u64; 2],
) -> Result<bool, SolveError> {
    let (mut level, mut round) = (begin, Round::Start);
    loop {
        let all = shares.step(level, round)?;
        if all.far > 0 {
            return Ok(false);
        }
        let Level { ties, distance } = level;
        let empty = round != Round::Further && all.sum == 0;
        (level, round) = if empty && u64::from(distance) + 1 >= scheduled[usize::from(ties)] {
            if ties {
                return Ok(true);
            }
            (Level { ties: true, distance: 0 }, Round::Start)
        } else if all.more > 0 {
            (level, Round::Further)
        } else {
            (Level { ties, distance: distance + 1 }, Round::First)
        };
    }
}

/// One share in the memory of each worker, and updates in messages.
struct Resident<'r, 'c, 'p, 'a, W: Word> {
    comm: &'r mut Comm<'c>,
    share: Share<'a, W>,
    parents: Parents<'a>,
    inbox: Vec<Message>,
    snapshots: Option<&'r mut Snapshots<'p>>,
    snapshot_due: bool,
}

impl<W: Word> Supersteps for Resident<'_, '_, '_, '_, W> {
    fn step(&mut self, level: Level, round: Round) -> Result<Reduction, SolveError> {
        let inbox = mem::take(&mut self.inbox);
        let updates = inbox.iter().map(Message::bytes);
        let further = round == Round::Further;
        self.share.take_updates(level, round, updates)?;
        self.comm.level(level.distance);
        drop(inbox);
        if let (true, false, Some(snapshots)) =
            (mem::take(&mut self.snapshot_due), further, &mut self.snapshots)
        {
            let (mut counts, mut values) = self.share.take_state();
            snapshots.keep(self.comm, level, &mut counts, &mut values)?;
            self.share.put_state(counts, values);
        }
        let mine = self.share.take_progress();
        let mut messages = self.comm.messages();
        let more = self.share.propagate(&self.parents, level, PROPAGATED, &mut messages)?;
        let due = self.snapshots.as_ref().is_some_and(|snapshots| snapshots.is_due());
        let most = (!further && due).into();
        let mine = Reduction { more: more.into(), most, ..mine };
        let (came, all) = self.comm.exchange(messages, mine)?;
        self.inbox = came;
        self.snapshot_due = all.most > 0;
        Ok(all)
    }
}

/// A worker's part in solving one tier.
pub(crate) struct Retrograde<'s> {
    pub(crate) graph: &'s dyn Graph,
    pub(crate) tier: u32,
    pub(crate) partition: &'s Partition,
    pub(crate) later: &'s Later<'s>,
    /// What a walk has recorded of the tier.
    pub(crate) arcs: Option<&'s LoopArcs>,
}

impl Retrograde<'_> {
    /// Solves this worker's share, with all others; `None` where a distance does not fit in the word. A tier that was
    /// interrupted goes on from what an earlier run had kept.
    pub(crate) fn solve<W: Word>(
        &self,
        comm: &mut Comm,
        kept: Option<Kept>,
        snapshots: Option<&mut Snapshots>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        let Retrograde { graph, tier, partition, .. } = *self;
        let total = Some(partition.len);
        let mut share = Share::<W>::new(graph, tier, partition, comm.rank());
        if self.later.is_shared() && comm.size() == 1 {
            share = share.crewed();
        }
        comm.begin("counting moves", Some(tier), total);
        let parents = self.scan(comm, &mut share)?;
        let mut scheduled = share.due().map(|due| due.len() as u64);
        for distances in &mut scheduled {
            *distances = comm.max(*distances)?;
        }
        let mut begin = Level { ties: false, distance: 0 };
        if let Some(Kept { level, counts, values }) = kept {
            begin = level;
            share.put_state(counts, W::untier(values).unwrap_or_default());
        }
        comm.begin("deciding", Some(tier), total);
        share.count_decided();
        let inbox = vec![];
        let mut resident = Resident { comm, share, parents, inbox, snapshots, snapshot_due: false };
        let fits = propagate_all(&mut resident, begin, scheduled)?;
        let Resident { share, parents, .. } = resident;
        drop(parents);
        Ok(fits.then(|| share.finish()))
    }

    /// Looks at all positions of the share once, forwards, and finds out how their parents will be known.
    fn scan<W: Word>(
        &self,
        comm: &mut Comm,
        share: &mut Share<W>,
    ) -> Result<Parents<'_>, SolveError> {
        let backwards = self.graph.backwards();
        if let Some(arcs) = self.arcs.filter(|_| comm.size() == 1) {
            share.take_arcs(arcs)?;
            return Ok(Parents::Recorded(arcs.parents.clone()));
        }
        let recorded = if backwards.is_some() { 0 } else { share.len() };
        if self.later.is_shared() && comm.size() == 1 {
            let recorders = ThreadRecorders::new(recorded);
            for from in (0..share.len()).step_by(TOGETHER as usize) {
                let to = share.len().min(from + TOGETHER);
                share.scan_together(from..to, EDGES / BATCHES, self.later, &recorders)?;
                comm.all_reduce(Reduction { done: to - from, ..Reduction::default() })?;
            }
            return Ok(self.parents(recorders.finish()));
        }
        let batches = if self.later.asks_others() { 1 } else { BATCHES };
        let (mut recorder, mut at, mut more) = (Recorder::new(recorded, self.partition.len), 0, 1);
        while more > 0 {
            let (mut out, before) = (comm.messages(), at);
            for _ in 0..batches {
                let edges = &mut Edges { recorder: Some(&mut recorder), out: &mut out };
                let look_up = &mut |wanted: &[Slot]| self.later.look_up(comm, self.graph, wanted);
                at += share.scan(at, EDGES / batches, look_up, edges)?;
            }
            let (done, left) = (at - before, (at < share.len()).into());
            let mine = Reduction { done, more: left, ..Reduction::default() };
            let (came, all) = comm.exchange(out, mine)?;
            came.iter().try_for_each(|message| share.record(message.bytes(), &mut recorder))?;
            more = all.more;
        }
        Ok(self.parents(recorder.finish()))
    }

    fn parents(&self, recorded: Arc<Reverse>) -> Parents<'_> {
        match self.graph.backwards() {
            Some(backwards) => Parents::Unplayed { backwards, tier: self.tier },
            None => Parents::Recorded(recorded),
        }
    }
}
