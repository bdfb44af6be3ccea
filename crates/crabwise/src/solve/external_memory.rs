//! Solving on one machine in less memory than the game would take: tiers stream through files.
//!
//! Later tiers stay in the table, packed, and what is wanted of them is looked up in sorted batches, block
//! after block. A tier with loops is cut into parts of neighbouring slots, as among workers; a part is in a
//! file while others are at work, and news for it is collected in another. One part a thread is in memory,
//! for one distance at a time. Nothing of this is needed after a kill: the tier at work is begun again.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::Mutex,
};

use rayon::prelude::*;

use super::{
    Kernel, Site, SolveError, Task,
    communicator::Reduction,
    error::fits,
    forwards::Edges,
    held,
    lookup::Later,
    retrograde::{Level, PROPAGATED, Round, Supersteps, propagate_all},
    reverse::{Parents, Recorder},
    share::{MOST, Share},
    solve_tier,
    sweep::{Pack, sweep_batch, sweep_run},
};
use crate::{
    graph::{Graph, partition::Partition},
    index::Slot,
    table::{Shelf, TableError, Tiers, Word, Writer, failed},
    watch::{Meter, Watch},
};

/// Bytes that an edge takes while its value is looked up.
const EDGE: u64 = 64;
/// Bytes that a slot of a part takes while it is in memory: count, value, places in lists, and the
/// same once more on the way to its file.
const SLOT: u64 = 24;
/// Bytes of updates that are collected in memory for each share.
const RECENT: usize = if cfg!(test) { 64 } else { 1 << 13 };

/// A solver that streams.
pub(crate) struct Streamed<'a> {
    pub(crate) task: Task<'a>,
    /// Bytes that may be used besides the numbering.
    pub(crate) memory: u64,
    /// Where files may be for a while.
    pub(crate) scratch: PathBuf,
    pub(crate) watch: &'a dyn Watch,
}

/// The least memory, besides the numbering, in which a game can be streamed.
pub(crate) fn least(graph: &dyn Graph, block: u64) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let edges = if graph.backwards().is_some() { 0 } else { EDGE };
    4 * threads * block.min(graph.largest()) * (SLOT + edges)
}

impl Streamed<'_> {
    /// Solves all tiers that are not on the shelf yet, last first.
    pub(crate) fn run(&self, writer: &mut Writer) -> Result<(), SolveError> {
        let _ = fs::remove_dir_all(&self.scratch);
        fs::create_dir_all(&self.scratch).map_err(failed(&self.scratch, "create"))?;
        let left = (0..self.task.graph.tiers()).rev().filter(|tier| !writer.has(*tier));
        let left: Vec<u32> = left.collect();
        let solved = left.into_iter().try_for_each(|tier| {
            let (streamed, len) = (self, self.task.graph.len(tier));
            solve_tier(self.task, tier, &mut StreamedTier { streamed, writer, tier, len })
        });
        let _ = fs::remove_dir_all(&self.scratch);
        solved
    }
}

/// A tier being solved, its later ones packed in the table, and put there.
struct StreamedTier<'s, 'w> {
    streamed: &'s Streamed<'s>,
    writer: &'s mut Writer<'w>,
    tier: u32,
    len: u64,
}

impl StreamedTier<'_, '_> {
    /// How many slots are worked on at a time, if so many would be best: whole blocks.
    fn whole_blocks(&self, slots: u64) -> u64 {
        let grain = if cfg!(test) { 8 } else { self.writer.source.block };
        (slots / grain).max(1) * grain
    }
}

impl Site for StreamedTier<'_, '_> {
    type Solved = ();

    fn sweep_by(&mut self, kernel: &dyn Kernel<u8>) -> Result<Option<()>, SolveError> {
        let Streamed { task, memory, watch, .. } = *self.streamed;
        let (graph, tier, len, block) = (task.graph, self.tier, self.len, self.writer.source.block);
        let needed = tier + 1..graph.last_child_tier(tier).max(tier) + 1;
        let bytes = |tier| graph.len(tier) / if task.outcomes { 4 } else { 1 };
        // Slots that a kernel sweeps before they are packed: whole runs, and some blocks.
        let run = kernel.run(tier).max(1);
        let batch = run * ((memory / 16).clamp(block, 1 << 24) / run).max(1);
        if needed.clone().map(bytes).sum::<u64>() + 2 * batch > memory {
            return Ok(None);
        }
        let mut later = Tiers::new(graph.tiers());
        for tier in needed {
            later.put(tier, self.writer.fetch(tier)?);
        }
        let meter = Meter::new(watch, "sweeping", Some(tier), Some(len))?;
        let mut sheet = self.writer.begin(tier, if task.outcomes { 0 } else { 1 })?;
        for from in (0..len).step_by(batch as usize) {
            let mut words = vec![u8::HOLE; batch.min(len - from) as usize];
            let swept = sweep_run(kernel, tier, from, &later, &mut words, &meter);
            if fits(swept)?.is_none() {
                return Ok(None);
            }
            sheet.extend(words)?;
        }
        Ok(Some(sheet.finish(len, None)?))
    }

    /// Sweeps by the rules, each thread a run of slots at a time.
    fn sweep<W: Word>(&mut self, pack: Pack<W>) -> Result<Option<()>, SolveError> {
        let Streamed { task: Task { graph, outcomes, .. }, memory, watch, .. } = *self.streamed;
        let (tier, len, threads) = (self.tier, self.len, rayon::current_num_threads() as u64);
        let moves = memory / 2 / EDGE / threads;
        let run = self.whole_blocks(moves.min(len.div_ceil(threads)));
        let meter = Meter::new(watch, "sweeping", Some(tier), Some(len))?;
        let mut sheet = self.writer.begin(tier, if outcomes { 0 } else { size_of::<W>() })?;
        for first in (0..len).step_by((run * threads) as usize) {
            let later = Later::Packed(sheet.shelf());
            let look_up = &|wanted: &[Slot]| later.look_up_alone(graph, wanted);
            let swept = (0..threads).into_par_iter().map(|nth| {
                let mut from = (first + nth * run).min(len);
                let (end, mut words) = ((from + run).min(len), vec![]);
                while from < end {
                    let (slots, look_up) = (from..end, &mut { look_up });
                    let (to, fits) =
                        sweep_batch(graph, tier, slots, moves, pack, look_up, &mut words)?;
                    if !fits {
                        return Ok(None);
                    }
                    meter.add(to - from)?;
                    from = to;
                }
                Ok::<_, SolveError>(Some(words))
            });
            let swept = swept.collect::<Result<Option<Vec<Vec<W>>>, _>>()?;
            let Some(swept) = swept else { return Ok(None) };
            for words in swept {
                let mut bytes = vec![];
                W::write(&words, &mut bytes);
                sheet.extend(bytes)?;
            }
        }
        Ok(Some(sheet.finish(len, None)?))
    }

    fn retrograde<W: Word>(&mut self) -> Result<Option<()>, SolveError> {
        let Streamed { task: Task { graph, .. }, memory, ref scratch, watch } = *self.streamed;
        let (tier, len, threads) = (self.tier, self.len, rayon::current_num_threads() as u64);
        let edges = if graph.backwards().is_some() { 0 } else { EDGE };
        let most = memory / 4 / threads / (SLOT + edges);
        let size = self.whole_blocks(most.min(MOST));
        let workers = len.div_ceil(size).max(1) as usize;
        let partition = &Partition::new(len, workers, self.whole_blocks(1));
        let count = len.div_ceil(partition.size).max(1) as usize;
        let parked: Vec<Parked> = (0..count).map(|number| Parked::new(scratch, number)).collect();
        let meter = Meter::new(watch, "counting moves", Some(tier), Some(len))?;
        let (parked, moves) = (&parked, memory / 8 / threads / EDGE);
        let mut shares = Spilled::<W> { graph, tier, partition, parked, meter, words: PhantomData };
        let later = &Later::Packed(&self.writer.source);
        let begin = |number| shares.begin(number, later, moves);
        let begun: Vec<bool> = (0..count).into_par_iter().map(begin).collect::<Result<_, _>>()?;
        if begun.contains(&false) {
            return Ok(None);
        }
        shares.meter = Meter::new(watch, "deciding", Some(tier), Some(len))?;
        let scheduled = [0, 1].map(|ties| {
            let due = parked.iter().map(|parked| held(&parked.status).due[ties].len());
            due.max().unwrap_or(0) as u64
        });
        if !propagate_all(&mut shares, Level { ties: false, distance: 0 }, scheduled)? {
            return Ok(None);
        }
        let mut sheet = self.writer.begin(tier, size_of::<W>())?;
        for number in 0..count {
            let mut bytes = vec![];
            W::write(&shares.load(number)?.finish(), &mut bytes);
            sheet.extend(bytes)?;
        }
        Ok(Some(sheet.finish(len, None)?))
    }
}

/// Shares in files: each is in memory for one level at a time, and one for each thread at once.
struct Spilled<'a, W> {
    graph: &'a dyn Graph,
    tier: u32,
    partition: &'a Partition,
    parked: &'a [Parked],
    meter: Meter<'a>,
    words: PhantomData<fn() -> W>,
}

impl<'a, W: Word> Spilled<'a, W> {
    fn share(&self, number: usize) -> Share<'a, W> {
        Share::new(self.graph, self.tier, self.partition, number)
    }

    fn load(&self, number: usize) -> Result<Share<'a, W>, SolveError> {
        let (mut share, path) = (self.share(number), &self.parked[number].path);
        let bytes = fs::read(path).map_err(failed(path, "read"))?;
        let spoiled = || io::Error::from(io::ErrorKind::InvalidData);
        share.unpark(&bytes).ok_or_else(spoiled).map_err(failed(path, "read"))?;
        Ok(share)
    }

    /// Looks at all positions of a share once, forwards; `false` where a distance does not fit.
    fn begin(&self, number: usize, later: &Later, moves: u64) -> Result<bool, SolveError> {
        let (mut share, mut at) = (self.share(number), 0);
        while at < share.len() {
            let mut out = vec![vec![]; self.parked.len()];
            let edges = &mut Edges { recorder: None, out: &mut out };
            let look_up = &mut |wanted: &[Slot]| later.look_up_alone(self.graph, wanted);
            let done = share.scan(at, moves, look_up, edges)?;
            for (to, edges) in self.parked.iter().zip(out) {
                held(&to.edges).put(&edges)?;
            }
            at += done;
            self.meter.add(done)?;
        }
        let progress = share.take_progress();
        self.parked[number].keep(share)?;
        Ok(progress.far == 0)
    }

    fn parents(&self, number: usize, share: &Share<W>) -> Result<Parents<'a>, SolveError> {
        if let Some(backwards) = self.graph.backwards() {
            return Ok(Parents::Unplayed { backwards, tier: self.tier });
        }
        let mut recorder = Recorder::new(share.len(), self.partition.len);
        share.record(&held(&self.parked[number].edges).read()?, &mut recorder)?;
        Ok(Parents::Recorded(recorder.finish()))
    }

    /// One level of a share.
    fn pass(&self, number: usize, level: Level, round: Round) -> Result<Reduction, SolveError> {
        let parked = &self.parked[number];
        let mut share = self.load(number)?;
        let inbox = held(&parked.updates[level.distance as usize % 2]).take()?;
        share.take_updates(level, round, [&inbox[..]].into_iter())?;
        drop(inbox);
        let parents = self.parents(number, &share)?;
        let mut all = share.take_progress();
        let (next, mut more) = ((level.distance as usize + 1) % 2, true);
        let mut out = vec![vec![]; self.parked.len()];
        while more {
            more = share.propagate(&parents, level, PROPAGATED, &mut out)?;
            for (to, updates) in self.parked.iter().zip(&mut out) {
                held(&to.updates[next]).put(updates)?;
                updates.clear();
            }
        }
        let late = share.take_progress();
        all.done += late.done;
        all.far |= late.far;
        parked.keep(share)?;
        self.meter.add(all.done)?;
        Ok(all)
    }
}

impl<W: Word> Supersteps for Spilled<'_, W> {
    /// Shares for which there is nothing to do stay in their files.
    fn step(&mut self, level: Level, round: Round) -> Result<Reduction, SolveError> {
        let awake: Vec<usize> = (0..self.parked.len())
            .filter(|number| round == Round::Start || self.parked[*number].wakes_at(level))
            .collect();
        let passes = awake.into_par_iter().map(|number| self.pass(number, level, round));
        let passes: Vec<Reduction> = passes.collect::<Result<_, _>>()?;
        let all = passes.into_iter().fold(Reduction::default(), |all, one| Reduction {
            sum: all.sum + one.sum,
            far: all.far + one.far,
            ..all
        });
        Ok(all)
    }
}

/// A share that is out of memory.
struct Parked {
    path: PathBuf,
    /// Updates of even levels, and of odd ones.
    updates: [Mutex<Spill>; 2],
    /// Edges to children in the share.
    edges: Mutex<Spill>,
    status: Mutex<Status>,
}

/// What must be known of a share without loading it.
#[derive(Default)]
struct Status {
    /// By distance, whether there is work even without updates: wins and losses, and ties.
    due: [Vec<bool>; 2],
    /// Whether something was decided for the level that comes next.
    waits: bool,
}

impl Parked {
    fn new(scratch: &Path, number: usize) -> Parked {
        let spill = |what: &str| Mutex::new(Spill::new(scratch.join(format!("{what}-{number}"))));
        Parked {
            path: scratch.join(format!("share-{number}")),
            updates: [spill("even"), spill("odd")],
            edges: spill("edges"),
            status: Mutex::default(),
        }
    }

    fn keep<W: Word>(&self, share: Share<W>) -> Result<(), SolveError> {
        *held(&self.status) = Status { due: share.due(), waits: share.waits() };
        fs::write(&self.path, share.park()).map_err(failed(&self.path, "write"))?;
        Ok(())
    }

    /// Whether there is anything to do at a level.
    fn wakes_at(&self, Level { ties, distance }: Level) -> bool {
        let status = held(&self.status);
        status.waits
            || status.due[usize::from(ties)].get(distance as usize) == Some(&true)
            || !held(&self.updates[distance as usize % 2]).is_empty()
    }
}

/// Bytes that wait in a file.
struct Spill {
    path: PathBuf,
    file: Option<File>,
    recent: Vec<u8>,
}

impl Spill {
    fn new(path: PathBuf) -> Spill {
        Spill { path, file: None, recent: vec![] }
    }

    fn is_empty(&self) -> bool {
        self.file.is_none() && self.recent.is_empty()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.recent.extend(bytes);
        if self.recent.len() < RECENT {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(File::create(&self.path).map_err(failed(&self.path, "create"))?),
        };
        file.write_all(&self.recent).map_err(failed(&self.path, "write"))?;
        // There are many of these, and room that is not used adds up.
        self.recent = vec![];
        Ok(())
    }

    /// All bytes.
    fn read(&self) -> Result<Vec<u8>, TableError> {
        let mut all = vec![];
        if self.file.is_some() {
            let file = File::open(&self.path);
            let read = file.and_then(|mut file| file.read_to_end(&mut all));
            read.map_err(failed(&self.path, "read"))?;
        }
        all.extend(&self.recent);
        Ok(all)
    }

    /// All bytes, and none are left.
    fn take(&mut self) -> Result<Vec<u8>, TableError> {
        let all = self.read()?;
        self.file = None;
        self.recent.clear();
        Ok(all)
    }
}
