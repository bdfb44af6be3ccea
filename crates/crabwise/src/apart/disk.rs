//! Solving on one machine in less memory than the game would take: tiers stream through files.
//!
//! Later tiers stay in the table, packed, and what is wanted of them is looked up in sorted batches, block
//! after block. A tier with loops is cut into parts of neighbouring slots, as among workers; a part is in a
//! file while others are at work, and news for it is collected in another. One part a thread is in memory,
//! for one distance at a time. Nothing of this is needed after a kill: the tier at work is begun again.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::{
    Shares,
    retro::{MOST, Mark, Part},
};
use crate::{
    Kernel, Slot, TableError, TierError, Tiers, Value, Word,
    graph::{Ask, Graph, Node, Page},
    solve::{
        Fault, Shelf, SolveError, Task, outcome_word,
        reverse::{Ordinal, Parents, Recorder},
    },
    table::{Writer, assemble, pack_block},
    watch::{Meter, Watch},
};

/// Bytes that an edge takes while its value is looked up.
const EDGE: u64 = 64;
/// Bytes that a slot of a part takes while it is in memory: count, value, places in lists, and the
/// same once more on the way to its file.
const SLOT: u64 = 24;
/// Slots that are scanned at a time.
const SCAN: u64 = 1 << 11;
/// Bytes of news that are collected in memory for each part.
const NEWS: usize = if cfg!(test) { 64 } else { 1 << 13 };

/// A solver that streams.
pub(crate) struct Streamed<'a> {
    pub(crate) task: Task<'a>,
    /// Bytes that may be used besides the numbering.
    pub(crate) memory: u64,
    /// Slots a block of the table.
    pub(crate) block: u64,
    /// Where files may be for a while.
    pub(crate) scratch: PathBuf,
    pub(crate) watch: &'a dyn Watch,
}

/// The least memory, besides the numbering, in which a game can be streamed.
pub(crate) fn least(graph: &dyn Graph, block: u64) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let largest = (0..graph.tiers()).map(|tier| graph.len(tier)).max().unwrap_or(0);
    let edges = if graph.backwards().is_some() { 0 } else { EDGE };
    4 * threads * block.min(largest) * (SLOT + edges)
}

impl Streamed<'_> {
    /// Solves all tiers that are not on the shelf yet, last first.
    pub(crate) fn run(&self, writer: &mut Writer) -> Result<(), SolveError> {
        let _ = fs::remove_dir_all(&self.scratch);
        fs::create_dir_all(&self.scratch).map_err(failed(&self.scratch, "create"))?;
        let mut left = (0..self.task.graph.tiers()).rev().filter(|tier| !writer.has(*tier));
        let left: Vec<u32> = left.by_ref().collect();
        let solved = left.into_iter().try_for_each(|tier| self.solve_tier(writer, tier));
        let _ = fs::remove_dir_all(&self.scratch);
        solved
    }

    fn solve_tier(&self, writer: &mut Writer, tier: u32) -> Result<(), SolveError> {
        let done = if self.task.graph.loopy(tier) {
            self.decide::<u8>(writer, tier)?
                || self.decide::<u16>(writer, tier)?
                || self.decide::<u32>(writer, tier)?
        } else if self.sweep_by_kernel(writer, tier)? {
            true
        } else if self.task.outcomes {
            self.sweep(writer, tier, 0, outcome_word)?
        } else {
            self.sweep(writer, tier, 1, u8::pack)?
                || self.sweep(writer, tier, 2, u16::pack)?
                || self.sweep(writer, tier, 4, u32::pack)?
        };
        if done { Ok(()) } else { Err(SolveError::TooFar { tier }) }
    }

    /// Sweeps by the game's kernel, if there is one and the later tiers that it reads fit in memory; `false`
    /// where they do not, or a distance does not fit.
    fn sweep_by_kernel(&self, writer: &mut Writer, tier: u32) -> Result<bool, SolveError> {
        let Some(kernel) = self.task.able_kernel() else { return Ok(false) };
        let (graph, len) = (self.task.graph, self.task.graph.len(tier));
        let needed = tier + 1..graph.reach(tier).max(tier) + 1;
        let bytes = |tier| graph.len(tier) / if self.task.outcomes { 4 } else { 1 };
        let batch = self.batch(kernel.run(tier).max(1));
        if needed.clone().map(bytes).sum::<u64>() + 2 * batch > self.memory {
            return Ok(false);
        }
        let mut later = Tiers::new(graph.tiers());
        for tier in needed {
            later.put(tier, writer.fetch(tier)?);
        }
        let meter = Meter::new(self.watch, "sweeping", Some(tier), Some(len))?;
        let width = if self.task.outcomes { 0 } else { 1 };
        let mut frames = Frames::new(&self.scratch, width, self.block)?;
        for from in (0..len).step_by(batch as usize) {
            let mut words = vec![u8::HOLE; batch.min(len - from) as usize];
            match sweep_batch(kernel, tier, from, &later, &mut words, &meter) {
                Ok(()) => frames.put(words, from + batch >= len)?,
                Err(TierError::TooFar) => return Ok(false),
                Err(TierError::Fault(fault)) => return Err(fault.into()),
                Err(TierError::Stopped(stop)) => return Err(stop.into()),
            }
        }
        frames.pour(writer, tier, len)?;
        Ok(true)
    }

    /// Slots that a kernel sweeps before they are packed: whole runs, and some blocks.
    fn batch(&self, run: u64) -> u64 {
        run * ((self.memory / 16).clamp(self.block, 1 << 24) / run).max(1)
    }

    /// Sweeps by the rules, a batch of slots after another; `false` where a distance does not fit.
    fn sweep<W: Word>(
        &self,
        writer: &mut Writer,
        tier: u32,
        width: usize,
        pack: fn(Value) -> Option<W>,
    ) -> Result<bool, SolveError> {
        let (graph, len) = (self.task.graph, self.task.graph.len(tier));
        let meter = Meter::new(self.watch, "sweeping", Some(tier), Some(len))?;
        let mut frames = Frames::new(&self.scratch, width, self.block)?;
        let mut from = 0;
        while from < len {
            let pages = scan(graph, tier, from..len, self.memory / 2 / EDGE);
            let edges = pages.iter().flat_map(|page| &page.edges);
            let wanted: Vec<Slot> =
                edges.filter(|edge| edge.to.tier > tier).map(|edge| edge.to).collect();
            let mut values = look(writer, graph, self.block, &wanted)?.into_iter();
            let (mut words, before) = (vec![], from);
            for (node, edges) in pages.iter().flat_map(Page::iter) {
                let slot = Slot { tier, index: from };
                from += 1;
                let value = match node {
                    Node::Hole => None,
                    Node::Over(outcome) => Some(outcome.into()),
                    Node::Open(_) => {
                        let mut best = None;
                        for (nth, edge) in edges.iter().enumerate() {
                            let later = edge.to.tier > tier;
                            let known = if later { values.next().flatten() } else { None };
                            let astray = || Fault::astray(graph, slot, nth, edge.to);
                            best = best.max(Some(known.ok_or_else(astray)?.back(edge.again)));
                        }
                        Some(best.ok_or_else(|| Fault::Stuck { position: graph.show(slot) })?)
                    }
                };
                let Some(word) = value.map_or(Some(W::HOLE), pack) else { return Ok(false) };
                words.push(word);
            }
            let mut bytes = vec![];
            W::write(&words, &mut bytes);
            frames.put(bytes, from >= len)?;
            meter.add(from - before)?;
        }
        frames.pour(writer, tier, len)?;
        Ok(true)
    }

    /// Solves a tier with loops in parts; `false` where a distance does not fit.
    fn decide<W: Word>(&self, writer: &mut Writer, tier: u32) -> Result<bool, SolveError> {
        let (graph, len) = (self.task.graph, self.task.graph.len(tier));
        let edges = if graph.backwards().is_some() { 0 } else { EDGE };
        let most = self.memory / 4 / rayon::current_num_threads() as u64 / (SLOT + edges);
        let grain = if cfg!(test) { 8 } else { self.block };
        let size = (most.min(MOST) / grain).max(1) * grain;
        let shares = Shares::new(len, len.div_ceil(size).max(1) as usize, grain);
        let done = match len < 1 << 31 {
            true => self.decide_in::<W, u32>(writer, tier, &shares)?,
            false => self.decide_in::<W, u64>(writer, tier, &shares)?,
        };
        let Some(parked) = done else { return Ok(false) };
        let mut frames = Frames::new(&self.scratch, size_of::<W>(), self.block)?;
        for (number, parked) in parked.iter().enumerate() {
            let mut part = Part::<W>::new(graph, tier, &shares, number);
            parked.load(&mut part)?;
            let mut bytes = vec![];
            W::write(&part.finish(), &mut bytes);
            frames.put(bytes, number + 1 == parked.count)?;
        }
        frames.pour(writer, tier, len)?;
        Ok(true)
    }

    fn decide_in<W: Word, N: Ordinal>(
        &self,
        writer: &Writer,
        tier: u32,
        shares: &Shares,
    ) -> Result<Option<Vec<Parked>>, SolveError> {
        let count = shares.len.div_ceil(shares.size).max(1) as usize;
        let parked: Vec<Parked> =
            (0..count).map(|number| Parked::new(&self.scratch, number, count)).collect();
        let at_work = AtWork { graph: self.task.graph, tier, shares, parked: &parked };
        let len = Some(shares.len);
        let meter = Meter::new(self.watch, "counting moves", Some(tier), len)?;
        let edges = self.memory / 8 / rayon::current_num_threads() as u64 / EDGE;
        let begun: Vec<bool> = (0..count)
            .into_par_iter()
            .map(|number| at_work.begin::<W>(number, writer, self.block, edges, &meter))
            .collect::<Result<_, _>>()?;
        let meter = Meter::new(self.watch, "deciding", Some(tier), len)?;
        let mut fits = begun.into_iter().all(|fits| fits);
        for ties in [false, true] {
            fits = fits && at_work.levels::<W, N>(ties, &meter)?;
        }
        Ok(fits.then_some(parked))
    }
}

fn sweep_batch(
    kernel: &dyn Kernel<u8>,
    tier: u32,
    from: u64,
    later: &Tiers,
    words: &mut [u8],
    meter: &Meter,
) -> Result<(), TierError> {
    let run = kernel.run(tier).max(1);
    words.par_chunks_mut(run as usize).enumerate().try_for_each(|(i, out)| {
        kernel.sweep(tier, from + i as u64 * run, later, out)?;
        Ok(meter.add(out.len() as u64)?)
    })
}

/// Scans slots, from the first of a range on, until there are about so many edges.
fn scan(graph: &dyn Graph, tier: u32, slots: Range<u64>, most: u64) -> Vec<Page> {
    let (mut pages, mut edges, mut at): (Vec<Page>, u64, u64) = (vec![], 0, slots.start);
    while at < slots.end && (pages.is_empty() || edges < most) {
        let to = (at + SCAN * rayon::current_num_threads() as u64).min(slots.end);
        let runs: Vec<u64> = (at..to).step_by(SCAN as usize).collect();
        let scan = |from: u64| {
            let (mut page, some) = (Page::default(), from..(from + SCAN).min(to));
            graph.scan(tier, &some.collect::<Vec<u64>>(), Ask::All, &mut page);
            page
        };
        let scanned: Vec<Page> = runs.into_par_iter().map(scan).collect();
        edges += scanned.iter().map(|page| page.edges.len() as u64).sum::<u64>();
        pages.extend(scanned);
        at = to;
    }
    pages
}

/// Looks values of finished tiers up in the table, in the order of the table.
fn look(
    writer: &Writer,
    graph: &dyn Graph,
    block: u64,
    wanted: &[Slot],
) -> Result<Vec<Option<Value>>, SolveError> {
    let mut sorted: Vec<(Slot, u32)> = wanted.iter().copied().zip(0..).collect();
    sorted.par_sort_unstable();
    let same = |a: &(Slot, u32), b: &(Slot, u32)| {
        a.0.tier == b.0.tier && a.0.index / block == b.0.index / block
    };
    let groups: Vec<&[(Slot, u32)]> = sorted.chunk_by(same).collect();
    let found = groups.into_par_iter().map(|group| {
        let Slot { tier, index } = group[0].0;
        let number = index / block;
        let first = number * block;
        // A slot that does not exist is for whoever asked to complain about.
        if tier >= graph.tiers() || first >= graph.len(tier) || !writer.has(tier) {
            return Ok(group.iter().map(|(_, i)| (*i, None)).collect());
        }
        let slots = (graph.len(tier) - first).min(block);
        let frame = writer.frame(tier, number as usize)?;
        let words = assemble(slots, writer.width(tier), block, &[frame]);
        let words = words.ok_or_else(|| writer.damaged(tier))?;
        let value = |slot: Slot| {
            let place = slot.index - first;
            if place < slots { words.get(place) } else { None }
        };
        Ok(group.iter().map(|(slot, i)| (*i, value(*slot))).collect::<Vec<_>>())
    });
    let found: Vec<Vec<(u32, Option<Value>)>> = found.collect::<Result<_, TableError>>()?;
    let mut values = vec![None; wanted.len()];
    found.into_iter().flatten().for_each(|(i, value)| values[i as usize] = value);
    Ok(values)
}

/// A tier with loops, its parts in files.
struct AtWork<'a> {
    graph: &'a dyn Graph,
    tier: u32,
    shares: &'a Shares,
    parked: &'a [Parked],
}

impl AtWork<'_> {
    /// Looks at all positions of a part for the first time; `false` where a distance does not fit.
    fn begin<W: Word>(
        &self,
        number: usize,
        writer: &Writer,
        block: u64,
        moves: u64,
        meter: &Meter,
    ) -> Result<bool, SolveError> {
        let mut part = Part::<W>::new(self.graph, self.tier, self.shares, number);
        let mut at = 0;
        loop {
            let mut edges = vec![vec![]; self.parked.len()];
            let look = &mut |wanted: &[Slot]| look(writer, self.graph, block, wanted);
            let done = part.look_at(at, moves, look, &mut edges)?;
            if done == 0 {
                break;
            }
            for (to, edges) in self.parked.iter().zip(edges) {
                held(&to.edges).put(&edges)?;
            }
            at += done;
            meter.add(done)?;
        }
        self.parked[number].keep(&mut part)
    }

    /// Lets news travel through the parts, one distance at a time; `false` where one does not fit.
    fn levels<W: Word, N: Ordinal>(&self, ties: bool, meter: &Meter) -> Result<bool, SolveError> {
        for level in 0.. {
            let mark = Mark { ties, level };
            let awake: Vec<usize> =
                (0..self.parked.len()).filter(|i| self.parked[*i].wakes(mark)).collect();
            if awake.is_empty() && !self.parked.iter().any(|parked| parked.waits(ties)) {
                return Ok(true);
            }
            let fits: Vec<bool> = awake
                .into_par_iter()
                .map(|number| self.pass::<W, N>(number, mark, meter))
                .collect::<Result<_, _>>()?;
            if !fits.into_iter().all(|fits| fits) {
                return Ok(false);
            }
        }
        unreachable!("levels end when nothing is left to tell")
    }

    fn pass<W: Word, N: Ordinal>(
        &self,
        number: usize,
        mark: Mark,
        meter: &Meter,
    ) -> Result<bool, SolveError> {
        let parked = &self.parked[number];
        let mut part = Part::<W>::new(self.graph, self.tier, self.shares, number);
        parked.load(&mut part)?;
        let inbox = held(&parked.news[mark.level as usize % 2]).take()?;
        let parents: Parents<N> = match self.graph.backwards() {
            Some(backwards) => Parents::Unplayed { backwards, tier: self.tier },
            None => {
                let slots = self.shares.of(number);
                let recorder = Recorder::<N>::new(slots.end - slots.start);
                part.record(&held(&parked.edges).read()?, &recorder)?;
                Parents::Recorded(recorder.finish())
            }
        };
        let next = (mark.level as usize + 1) % 2;
        part.pass(&parents, mark, &inbox, &mut |letters| {
            for (to, letters) in self.parked.iter().zip(letters) {
                held(&to.news[next]).put(letters)?;
                letters.clear();
            }
            Ok(())
        })?;
        let fits = parked.keep(&mut part)?;
        meter.add(held(&parked.status).decided)?;
        Ok(fits)
    }
}

/// A part of a tier that is out of memory.
struct Parked {
    path: PathBuf,
    /// How many parts there are.
    count: usize,
    /// News of even levels, and of odd ones.
    news: [Mutex<Spill>; 2],
    /// Edges to children in the part.
    edges: Mutex<Spill>,
    status: Mutex<Status>,
}

#[derive(Default)]
struct Status {
    /// Levels at which something is due: of wins and losses, and of ties.
    due: [Vec<u32>; 2],
    /// Whether something was decided before its time.
    waits: bool,
    /// Positions decided in the last pass.
    decided: u64,
}

impl Parked {
    fn new(scratch: &Path, number: usize, count: usize) -> Parked {
        let spill = |what: &str| Mutex::new(Spill::new(scratch.join(format!("{what}-{number}"))));
        Parked {
            path: scratch.join(format!("part-{number}")),
            count,
            news: [spill("even"), spill("odd")],
            edges: spill("edges"),
            status: Mutex::default(),
        }
    }

    /// Puts a part in its file; `false` where a distance did not fit.
    fn keep<W: Word>(&self, part: &mut Part<W>) -> Result<bool, SolveError> {
        fs::write(&self.path, part.park()).map_err(failed(&self.path, "write"))?;
        let (far, decided) = part.told_off();
        let ((wins, waits), (ties, _)) = (part.due(false), part.due(true));
        *held(&self.status) = Status { due: [wins, ties], waits, decided };
        Ok(!far)
    }

    fn load<W: Word>(&self, part: &mut Part<W>) -> Result<(), SolveError> {
        let bytes = fs::read(&self.path).map_err(failed(&self.path, "read"))?;
        let gone = || io::Error::from(io::ErrorKind::InvalidData);
        Ok(part.unpark(&bytes).ok_or_else(gone).map_err(failed(&self.path, "read"))?)
    }

    /// Whether there will be something to do.
    fn waits(&self, ties: bool) -> bool {
        !held(&self.status).due[usize::from(ties)].is_empty()
    }

    /// Whether there is anything to do at a level.
    fn wakes(&self, mark: Mark) -> bool {
        let Some(before) = mark.level.checked_sub(1) else { return true };
        let status = held(&self.status);
        let due = &status.due[usize::from(mark.ties)];
        status.waits
            || due.contains(&before)
            || !held(&self.news[mark.level as usize % 2]).is_empty()
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
        if self.recent.len() < NEWS {
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

/// Packed blocks on their way to the table, in a file until all of the tier are there.
struct Frames {
    path: PathBuf,
    file: File,
    lengths: Vec<u64>,
    width: usize,
    /// Bytes of a block before it is packed.
    size: usize,
    /// What does not fill a block yet.
    rest: Vec<u8>,
}

impl Frames {
    fn new(scratch: &Path, width: usize, block: u64) -> Result<Frames, TableError> {
        let path = scratch.join("frames");
        let mut options = File::options();
        let file = options.create(true).truncate(true).read(true).write(true).open(&path);
        let file = file.map_err(failed(&path, "create"))?;
        let size = block as usize * width.max(1);
        Ok(Frames { path, file, lengths: vec![], width, size, rest: vec![] })
    }

    /// Takes the next slots: words, or codes of outcomes.
    fn put(&mut self, bytes: Vec<u8>, last: bool) -> Result<(), SolveError> {
        self.rest.extend(bytes);
        let whole = if last { self.rest.len() } else { self.rest.len() / self.size * self.size };
        let rest = self.rest.split_off(whole);
        let blocks = std::mem::replace(&mut self.rest, rest);
        let pack = |block: &[u8]| pack_block(self.width, block.to_vec());
        let frames: Option<Vec<Vec<u8>>> = blocks.par_chunks(self.size).map(pack).collect();
        let bad = || failed(&self.path, "pack for")(io::ErrorKind::InvalidData.into());
        for frame in frames.ok_or_else(bad)? {
            self.file.write_all(&frame).map_err(failed(&self.path, "write"))?;
            self.lengths.push(frame.len() as u64);
        }
        Ok(())
    }

    /// Moves all blocks to the table.
    fn pour(mut self, writer: &mut Writer, tier: u32, len: u64) -> Result<(), SolveError> {
        use std::io::{Seek, SeekFrom};
        self.file.seek(SeekFrom::Start(0)).map_err(failed(&self.path, "read"))?;
        let mut sheet = writer.begin(tier);
        for length in self.lengths {
            let mut frame = vec![0; length as usize];
            self.file.read_exact(&mut frame).map_err(failed(&self.path, "read"))?;
            sheet.put(&frame)?;
        }
        Ok(sheet.finish(len, self.width, None)?)
    }
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::Io { path: path.clone(), doing, source }
}
