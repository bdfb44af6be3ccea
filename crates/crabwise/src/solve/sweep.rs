//! Tiers without inner moves: each position's value from the finished later tiers.
//!
//! [`Kernel`] is the one seam for speed. Drivers, threads, disks and machines sit above it and know
//! no game; SIMD lanes and GPUs sit below it and know no driver. Every kernel must agree with the
//! plain one here, and `analysis::check` sees that it does.

use std::{ops::Range, sync::RwLock};

use rayon::prelude::*;

use super::{
    Fault, SolveError, Task,
    communicator::{Comm, Reduction},
    error::fits,
    lookup::LookUp,
};
use crate::{
    game::Value,
    graph::{Ask, Edge, Graph, Node, Page},
    index::Slot,
    table::{OutcomePlanes, Tiers, Word, pack},
    watch::Meter,
};

/// Computes runs of slots of one tier from finished later tiers.
pub trait Kernel<W: Word>: Send + Sync {
    /// Fills `out` with the values of the slots of `tier` from `from` on, holes as
    /// [`Word::HOLE`]. Called from several threads with runs that do not overlap.
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), SolveError>;

    /// How many slots of `tier` a thread should take at a time. Runs begin at multiples of it.
    fn run(&self, _tier: u32) -> u64 {
        1 << 11
    }

    /// Whether it can read later tiers that are kept as outcomes alone
    /// ([`TierValues::OutcomePlanes`](crate::TierValues::OutcomePlanes)). Then its distances do not matter: any code of a win is
    /// a win. The safe answer is no; it costs the plain kernel where outcomes are all that is kept.
    fn reads_outcomes(&self) -> bool {
        false
    }
}

/// Puts a value in a word; `None` where it does not fit.
pub(crate) type Pack<W> = fn(Value) -> Option<W>;

/// The kernel that every game has: one position, one move at a time.
pub(crate) struct Plain<'a, W> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) pack: Pack<W>,
}

impl<W: Word> Kernel<W> for Plain<'_, W> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [W]) -> Result<(), SolveError> {
        let slots: Vec<u64> = (from..from + out.len() as u64).collect();
        let mut page = Page::default();
        self.graph.scan(tier, &slots, Ask::All, &mut page);
        for ((index, out), (node, edges)) in slots.into_iter().zip(out).zip(page.iter()) {
            let known = |edge: &Edge| later.get(edge.to);
            let value = value(self.graph, Slot { tier, index }, node, edges, known)?;
            *out = value.map_or(Some(W::HOLE), self.pack).ok_or(SolveError::TooFar)?;
        }
        Ok(())
    }

    fn reads_outcomes(&self) -> bool {
        true
    }
}

/// A kernel of which some slots of every tier are held to the rules, so that a wrong one cannot write a table.
pub(crate) struct Spotted<'a> {
    pub(crate) kernel: &'a dyn Kernel<u8>,
    pub(crate) task: Task<'a>,
}

/// Runs of a tier of which one slot is held to the rules.
const SPOTS: u64 = 64;

impl Kernel<u8> for Spotted<'_> {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [u8]) -> Result<(), SolveError> {
        self.kernel.sweep(tier, from, later, out)?;
        let Task { graph, outcomes, .. } = self.task;
        let (run, runs) = (from / self.run(tier), graph.len(tier).div_ceil(self.run(tier)));
        if !run.is_multiple_of(runs.div_ceil(SPOTS).max(1)) || out.is_empty() {
            return Ok(());
        }
        // Another place in each run.
        let place = run.wrapping_mul(0x9E37_79B9_7F4A_7C15) % out.len() as u64;
        let pack = if outcomes { outcome_word } else { u8::pack };
        let mut wanted = [u8::HOLE];
        Plain { graph, pack }.sweep(tier, from + place, later, &mut wanted)?;
        let value = |code: u8| {
            let value = u8::unpack(code);
            if outcomes { value.map(Value::without_distance) } else { value }
        };
        let (found, wanted) = (value(out[place as usize]), value(wanted[0]));
        if found == wanted {
            return Ok(());
        }
        let at = graph.show(Slot { tier, index: from + place });
        let told = |value: Option<Value>| value.map_or("nothing".into(), |value| value.to_string());
        let how = format!("{at} is a {} by the rules, and it says {}", told(wanted), told(found));
        Err(Fault::kernel(how).into())
    }

    fn run(&self, tier: u32) -> u64 {
        self.kernel.run(tier).max(1)
    }

    fn reads_outcomes(&self) -> bool {
        self.kernel.reads_outcomes()
    }
}

/// The code of an outcome: a distance that is known is dropped, and one that is not has none.
pub(crate) fn outcome_word(value: Value) -> Option<u8> {
    u8::pack(value.at_distance(0))
}

/// The value of a slot whose moves all lead to later tiers; `None` for a hole. `known` is asked for each child in a
/// later tier, in the order of the edges.
#[inline]
fn value(
    graph: &dyn Graph,
    slot: Slot,
    node: Node,
    edges: &[Edge],
    known: impl FnMut(&Edge) -> Option<Value>,
) -> Result<Option<Value>, Fault> {
    match node {
        Node::Hole => return Ok(None),
        Node::Over(outcome) => return Ok(Some(outcome.into())),
        Node::Open(_) => {}
    }
    let best = best(graph, slot, edges.iter().enumerate(), known)?;
    best.map(Some).ok_or_else(|| Fault::stuck(&graph.show(slot)))
}

/// The best of some moves that must lead to later tiers, with their numbers.
#[inline]
pub(crate) fn best<'e>(
    graph: &dyn Graph,
    slot: Slot,
    edges: impl Iterator<Item = (usize, &'e Edge)>,
    mut known: impl FnMut(&Edge) -> Option<Value>,
) -> Result<Option<Value>, Fault> {
    let mut best = None;
    for (nth, edge) in edges {
        let child = if edge.to.tier > slot.tier { known(edge) } else { None };
        let child = child.ok_or_else(|| Fault::astray(graph, slot, nth, edge.to))?;
        best = best.max(Some(child.back(edge.again)));
    }
    Ok(best)
}

/// Sweeps a run of slots with a kernel, all threads at work.
pub(crate) fn sweep_run<W: Word>(
    kernel: &dyn Kernel<W>,
    tier: u32,
    from: u64,
    later: &Tiers,
    out: &mut [W],
    meter: &Meter,
) -> Result<(), SolveError> {
    let run = kernel.run(tier).max(1);
    out.par_chunks_mut(run as usize).enumerate().try_for_each(|(i, out)| {
        kernel.sweep(tier, from + i as u64 * run, later, out)?;
        Ok(meter.add(out.len() as u64)?)
    })
}

/// Sweeps a tier for its outcomes. Each thread packs its run as soon as it is swept, so that the tier is never in
/// memory with more than two bits a slot.
pub(crate) fn sweep_outcomes(
    kernel: &dyn Kernel<u8>,
    tier: u32,
    len: u64,
    later: &Tiers,
    meter: &Meter,
) -> Result<OutcomePlanes, SolveError> {
    let mut planes = OutcomePlanes::holes(len);
    let size = whole_words(kernel.run(tier)) as usize;
    let runs = planes.runs_mut(size).enumerate();
    runs.try_for_each_init(
        || vec![u8::HOLE; size],
        |codes, (i, run)| {
            let from = (i * size) as u64;
            let codes = &mut codes[..(len - from).min(size as u64) as usize];
            codes.fill(u8::HOLE);
            kernel.sweep(tier, from, later, codes)?;
            if !pack(codes, run) {
                return Err(Fault::drawn(tier).into());
            }
            Ok::<_, SolveError>(meter.add(codes.len() as u64)?)
        },
    )?;
    Ok(planes)
}

/// The least multiple of a kernel's run that is one of 64 too, so that no two threads write to one word of a plane.
pub(crate) fn whole_words(run: u64) -> u64 {
    let run = run.max(1);
    run << (6 - run.trailing_zeros().min(6))
}

/// Slots that a worker's kernel does in a round.
const KERNEL_STEP: u64 = 1 << 20;

/// Sweeps a worker's share with a kernel, which needs the later tiers whole; `None` where a distance does not fit.
pub(crate) fn sweep_share<W: Word>(
    comm: &mut Comm,
    kernel: &dyn Kernel<W>,
    tier: u32,
    slots: Range<u64>,
    later: &RwLock<Tiers>,
) -> Result<Option<Vec<W>>, SolveError> {
    let mut words = vec![W::HOLE; (slots.end - slots.start) as usize];
    let run = kernel.run(tier).max(1);
    let step = run * (KERNEL_STEP / run).max(1);
    let fits = rounds(comm, slots.clone(), |_, from| {
        let to = slots.end.min(from + step);
        let some = &mut words[(from - slots.start) as usize..(to - slots.start) as usize];
        let tiers = later.read().expect("no worker panics while it holds it");
        let mut runs = (from..).step_by(run as usize).zip(some.chunks_mut(run as usize));
        let swept = runs.try_for_each(|(at, out)| kernel.sweep(tier, at, &tiers, out));
        Ok((to, fits(swept)?.is_some()))
    })?;
    Ok(fits.then_some(words))
}

/// Rounds of all workers, each of which does some slots in one and says how far it came and whether distances fit; until
/// all are done, or some distance did not.
pub(crate) fn rounds(
    comm: &mut Comm,
    slots: Range<u64>,
    mut step: impl FnMut(&mut Comm, u64) -> Result<(u64, bool), SolveError>,
) -> Result<bool, SolveError> {
    let mut from = slots.start;
    loop {
        let (to, fits) = step(comm, from)?;
        let (done, more) = (to - from, (to < slots.end).into());
        let mine = Reduction { done, more, far: (!fits).into(), ..Reduction::default() };
        let all = comm.all_reduce(mine)?;
        if all.far > 0 || all.more == 0 {
            return Ok(all.far == 0);
        }
        from = to;
    }
}

/// Sweeps some slots by the rules, from the first on, where not all later tiers are in this worker's memory: until
/// about so many `moves` have been looked up. Appends their words; how far it came, and whether all distances fit.
pub(crate) fn sweep_batch<W: Word>(
    graph: &dyn Graph,
    tier: u32,
    slots: Range<u64>,
    moves: u64,
    pack: Pack<W>,
    look_up: LookUp,
    words: &mut Vec<W>,
) -> Result<(u64, bool), SolveError> {
    let mut page = Page::default();
    let (to, mut fits) = (page.fill(graph, tier, slots.clone(), Ask::All, moves), true);
    let leaving = page.edges.iter().filter(|edge| edge.to.tier > tier);
    let wanted: Vec<Slot> = leaving.map(|edge| edge.to).collect();
    let mut values = look_up(&wanted)?.into_iter();
    for (index, (node, edges)) in (slots.start..to).zip(page.iter()) {
        let known = |_: &Edge| values.next().flatten();
        let word = match value(graph, Slot { tier, index }, node, edges, known)? {
            Some(value) => pack(value),
            None => Some(W::HOLE),
        };
        fits &= word.is_some();
        words.push(word.unwrap_or(W::HOLE));
    }
    Ok((to, fits))
}
