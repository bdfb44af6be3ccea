//! What a game is like and what its positions cost here, from a second or two of looking at it.
//!
//! Nothing is solved into a table. Positions of every larger tier are looked at in short runs, evenly spaced,
//! by one thread; their un-moves are found; and the last tiers, as far as they are small, are really solved and
//! packed, which says how much the rest of the work adds to looking. A game that must be walked is walked in
//! a little memory, and its size is estimated where that does not suffice.
//!
//! All costs are seconds of one core.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use super::{
    memory_model::{MemoryModel, TierSample},
    plan::Solver,
    size_estimate::{Estimate, Extent, estimate},
};
use crate::{
    analysis::{reachability::stride, reachability_kernel::Flow},
    erased::{ErasedGame, Job, NumberedGame},
    game::Value,
    graph::{Ask, Graph, Origins, Page},
    solve::{SolveError, Task, in_memory::solve_one},
    table::{TierValues, Tiers, block_of, pack_block},
    watch::{Meter, Stage, Stop, Unwatched, Watch},
};

/// What a few seconds say about a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What would solve it.
    pub solver: Solver,
    /// Whether outcomes are kept without distances.
    pub outcomes: bool,
    /// How many mirror images share a slot at the most.
    pub folds: u32,
    /// How it is known how many positions there are.
    pub extent: Extent,
    /// The tiers, first to last.
    pub tiers: Vec<TierSample>,
    /// Bytes of memory that solving takes in one process.
    pub memory: u64,
    /// Bytes that it takes at the least there if tiers stream through files, where they can.
    pub streamed: Option<u64>,
    /// Bytes of the numbering, in every process.
    pub numbering: u64,
    /// Bytes that every process needs for counting what can be reached.
    pub counting: u64,
    /// Bytes of marks that processes tell each other while they count.
    pub marks: u64,
    /// Bits a slot, where these marks are in parts.
    pub mark_bits: u64,
    /// The last tiers, as far as they were solved on trial.
    pub trial: Option<Trial>,
    /// Seconds to find a position by walking.
    pub walk: f64,
    /// Seconds to pack a slot.
    pub pack: f64,
    /// Seconds to count a slot.
    pub count: f64,
}

impl Sample {
    /// What decides how much memory each of some machines needs.
    pub(crate) fn memory_model(&self, machines: u64) -> MemoryModel<'_> {
        MemoryModel {
            tiers: &self.tiers,
            recorded: self.solver == Solver::RetroEdges,
            outcomes: self.outcomes,
            // Positions that were walked to are where their keys are.
            numbering: match self.extent {
                Extent::Numbered => self.numbering,
                _ => self.numbering / machines,
            },
            marks: self.counting,
            // A walk finds what can be reached, and nothing is marked.
            mark_bits: if self.counting > 0 { self.mark_bits } else { 0 },
        }
    }
}

/// Tiers that were really solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
    /// How many tiers.
    pub tiers: u32,
    /// Slots of the largest of them, which the other figures are about.
    pub slots: u64,
    /// Packed bytes a slot.
    pub packed: f64,
    /// Seconds to pack a slot.
    pub pack: f64,
    /// Seconds to read a value.
    pub read: f64,
    /// The share of its slots that are decided: neither draws nor holes.
    pub decided: f64,
    /// Seconds a slot that solving took.
    pub seconds: f64,
    /// That time over the time of looking at the positions and their un-moves.
    pub factor: f64,
}

/// Slots of a tier that are looked at, and how many of them lie next to each other.
const SLOTS: u64 = 4096;
const RUN: u64 = 64;
/// Tiers that are looked at: the largest ones.
const TIERS: usize = 24;
/// How long looking may take, solving on trial, counting on trial, and walking.
const LOOKING: Duration = Duration::from_millis(900);
const TRYING: f64 = 0.8;
const COUNTING: Duration = Duration::from_millis(300);
const WALKING: Duration = Duration::from_millis(2500);
/// Bytes that walking and solving on trial may take.
const MODEST: u64 = 48 << 20;
/// Bytes that a position takes in a walk, where that was ended before it could be seen.
const USUAL: f64 = 48.0;
/// A tier of fewer slots says little.
const TELLING: u64 = 1 << 12;
/// Seconds to record an edge and to find it again, where there are no un-moves: an assumption.
const EDGE: f64 = 20e-9;
/// Seconds to pack a slot, where no tier was solved on trial: an assumption.
const PACK: f64 = 8e-9;
/// Seconds to look up a value of a later tier: an assumption.
const READ: f64 = 5e-9;

impl ErasedGame {
    /// What the game is like and what its positions cost on this machine, from a second or two of looking at
    /// some of them. Solves nothing, and works for games that are far too large for that.
    pub fn sample(&self, job: &Job) -> Result<Sample, SolveError> {
        self.need_table()?;
        let clock = Clock { began: Instant::now(), done: AtomicU64::new(0), watch: job.watch };
        // What a position takes, where the walk did not end.
        let bytes = match self.typed.number(MODEST.min(job.memory), true, &clock) {
            Ok(numbered) => return self.look(&*numbered),
            Err(SolveError::TooLarge { positions, bytes, .. }) => bytes as f64 / positions as f64,
            Err(SolveError::Stopped(Stop::Memory { limit: 0, .. })) => USUAL,
            Err(error) => return Err(error),
        };
        let seconds = clock.began.elapsed().as_secs_f64() * rayon::current_num_threads() as f64;
        let walk = seconds / clock.done.load(Relaxed).max(1) as f64;
        Ok(guessed(self, estimate(&self.game(), job.watch)?, walk, bytes))
    }

    fn look(&self, numbered: &dyn NumberedGame) -> Result<Sample, SolveError> {
        let (graph, prospect) = (&*numbered.graph(), numbered.prospect());
        let task = Task { recorded: numbered.recorded(), ..self.task(graph) };
        task.refuse_circles()?;
        let plan = self.plan_of(task, prospect);
        let walked = numbered.salt().is_some();
        let mut tiers = look_at(graph, plan.solver);
        let trial = try_out(task, plan.solver, &tiers)?;
        if let Some(trial) = trial {
            // A kernel does many moves at a time, and is the better for more of them.
            let by_kernel = plan.solver == Solver::Kernel;
            let factor = trial.factor.clamp(0.02, 5.0);
            let seconds = |each: f64| if by_kernel { trial.seconds } else { each * factor };
            tiers.iter_mut().for_each(|tier| tier.seconds = seconds(tier.seconds));
        }
        let mark_bits = stride(graph);
        let counting = self.mark_bytes(graph, walked, mark_bits, &|_| 0);
        let marks = match &self.abilities.spread {
            _ if counting == 0 => 0,
            Some(spread) => {
                let last = spread.settles().min(graph.tiers() - 1);
                (0..=last).map(|tier| spread.bytes(tier)).sum()
            }
            // Words of 64 bits that have changed, with two or three bytes in front.
            None => graph.total() / 64 * mark_bits * 11,
        };
        let tally = trial.map_or(0.0, |trial| trial.read);
        let count = tally + if walked { 0.0 } else { self.count_cost(graph, &tiers)? };
        Ok(Sample {
            solver: plan.solver,
            outcomes: plan.outcomes,
            folds: plan.folds,
            extent: if walked { Extent::Walked } else { Extent::Numbered },
            memory: plan.memory,
            streamed: plan.least_streamed(),
            numbering: prospect.numbering,
            counting,
            marks,
            mark_bits,
            pack: trial.map_or(PACK, |trial| trial.pack),
            trial,
            // To find a position is to look at its parents once more.
            walk: if walked { mean(&tiers, |tier| tier.plain) } else { 0.0 },
            count,
            tiers,
        })
    }

    /// Seconds a slot of finding out what can be reached.
    fn count_cost(&self, graph: &dyn Graph, tiers: &[TierSample]) -> Result<f64, SolveError> {
        match &self.abilities.spread {
            _ if self.abilities.listed => Ok(0.0),
            Some(spread) => alone(|| {
                let (mut flow, began) = (Flow::new(&**spread, false), Instant::now());
                let meter = Meter::new(&Unwatched, "counting", None, None)?;
                let (mut slots, mut tier, mut seconds) = (0, 0, 0.0);
                while tier < graph.tiers()
                    && spread.bytes(tier) < MODEST
                    && began.elapsed() < COUNTING
                {
                    let since = Instant::now();
                    flow.enter(tier, &meter)?;
                    let mut members = [0; SLOTS as usize];
                    let len = graph.len(tier);
                    for from in (0..len).step_by(SLOTS as usize) {
                        flow.members(tier, from, &mut members[..(len - from).min(SLOTS) as usize]);
                    }
                    (slots, seconds) = (slots + len, seconds + since.elapsed().as_secs_f64());
                    tier += 1;
                }
                Ok(seconds / slots.max(1) as f64)
            }),
            // Most find a parent that is reached with their first un-move or two, or else all moves are followed.
            None => Ok(match graph.backwards() {
                Some(_) => mean(tiers, |tier| tier.plain / tier.moves.max(1.0)) * 2.0,
                None => mean(tiers, |tier| tier.plain),
            }),
        }
    }
}

/// Passes on what is told, and ends a walk that takes too long for a sample.
struct Clock<'a> {
    began: Instant,
    /// Positions whose moves were played.
    done: AtomicU64,
    watch: &'a dyn Watch,
}

impl Watch for Clock<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        self.done.store(stage.done, Relaxed);
        if self.began.elapsed() > WALKING {
            return Err(Stop::Memory { used: 0, limit: 0 });
        }
        self.watch.tell(stage)
    }
}

/// A mean over slots.
fn mean(tiers: &[TierSample], of: impl Fn(&TierSample) -> f64) -> f64 {
    let all: f64 = tiers.iter().map(|tier| tier.slots as f64).sum();
    tiers.iter().map(|tier| tier.slots as f64 * of(tier)).sum::<f64>() / all.max(1.0)
}

/// What some work comes to, and its seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let since = Instant::now();
    (work(), since.elapsed().as_secs_f64())
}

/// Runs something with one thread, whose seconds are those of a core.
fn alone<T: Send>(work: impl FnOnce() -> Result<T, SolveError> + Send) -> Result<T, SolveError> {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        // A machine without room for one more thread is slower, not wrong.
        Err(_) => work(),
    }
}

/// Looks at positions of the largest tiers. `plain` is the time of looking at a position with its moves,
/// `seconds` that of looking at it and telling its parents.
fn look_at(graph: &dyn Graph, solver: Solver) -> Vec<TierSample> {
    let unseen = |tier| TierSample::unseen(graph, tier);
    let mut tiers: Vec<TierSample> = (0..graph.tiers()).map(unseen).collect();
    let mut largest: Vec<usize> = (0..tiers.len()).collect();
    largest.sort_by_key(|i| std::cmp::Reverse(tiers[*i].slots));
    let (began, mut seen) = (Instant::now(), vec![]);
    for i in largest.into_iter().take(TIERS) {
        if seen.is_empty() || began.elapsed() < LOOKING {
            look_at_tier(graph, i as u32, solver, &mut tiers[i]);
            seen.push(i);
        }
    }
    // What was not looked at is as the nearest that was.
    for i in (0..tiers.len()).filter(|i| !seen.contains(i)) {
        if let Some(near) = seen.iter().min_by_key(|near| near.abs_diff(i)) {
            let TierSample { slots, loopy, reach, .. } = tiers[i];
            tiers[i] = TierSample { slots, loopy, reach, ..tiers[*near] };
        }
    }
    tiers
}

fn look_at_tier(graph: &dyn Graph, tier: u32, solver: Solver, out: &mut TierSample) {
    let runs = (out.slots / RUN).clamp(1, SLOTS / RUN);
    let (mut page, mut origins) = (Page::default(), Origins::default());
    let (mut slots, mut looked, mut told, mut moves, mut inner) = (0, 0.0, 0.0, 0, 0);
    for run in 0..runs {
        let from = (u128::from(run) * u128::from(out.slots) / u128::from(runs)) as u64;
        let some: Vec<u64> = (from..(from + RUN).min(out.slots)).collect();
        let ((), plain) = timed(|| graph.scan(tier, &some, Ask::All, &mut page));
        (slots, looked) = (slots + some.len() as u64, looked + plain);
        moves += page.edges.len();
        inner += page.edges.iter().filter(|edge| edge.to.tier == tier).count();
        told += match (solver, graph.backwards()) {
            (Solver::RetroUnplay, Some(backwards)) => timed(|| {
                graph.scan(tier, &some, Ask::Leaving, &mut page);
                backwards.parents(tier, &some, &mut origins);
            }),
            _ => ((), plain),
        }
        .1;
    }
    let each = |seconds: f64| seconds / slots.max(1) as f64;
    (out.moves, out.inner) = (each(moves as f64), each(inner as f64));
    (out.plain, out.seconds) = (each(looked), each(told));
    out.plain += out.moves * READ;
    out.seconds += match solver {
        Solver::RetroUnplay => (out.moves - out.inner) * READ,
        Solver::RetroEdges => out.inner * EDGE,
        _ => out.moves * READ,
    };
}

/// Solves the last tiers, as far as they are small.
fn try_out(task: Task, solver: Solver, tiers: &[TierSample]) -> Result<Option<Trial>, SolveError> {
    alone(|| {
        let graph = task.graph;
        let (mut later, mut best) = (Tiers::new(graph.tiers()), None::<Trial>);
        let (mut spent, mut rate) = (0.0, 1e-6);
        for (count, tier) in (1..).zip((0..graph.tiers()).rev()) {
            let looked = &tiers[tier as usize];
            let needed = tier..=looked.reach.min(graph.tiers() - 1);
            let bytes: u64 = needed.map(|tier| graph.len(tier)).sum();
            let each = if solver == Solver::Kernel { rate } else { looked.seconds };
            if bytes > MODEST * 4 || spent + each * looked.slots as f64 > TRYING {
                break;
            }
            let (words, taken) = timed(|| solve_one(task, tier, &later, &Unwatched));
            let words = words?;
            spent += taken;
            let (slots, seconds) = (looked.slots, taken / looked.slots.max(1) as f64);
            if slots >= TELLING {
                rate = seconds;
                if best.is_none_or(|best| slots >= best.slots) {
                    let factor = seconds / looked.seconds.max(1e-12);
                    let (packed, pack) = pack(&words, block_of(graph.total()));
                    let (decided, read) = read(&words);
                    let rest = Trial { packed, pack, decided, read, ..Trial::default() };
                    best = Some(Trial { slots, seconds, factor, ..rest });
                }
            }
            best = best.map(|best| Trial { tiers: count, ..best });
            later.put(tier, words);
        }
        Ok(best)
    })
}

/// Packs some blocks: bytes and seconds a slot.
fn pack(words: &TierValues, block: u64) -> (f64, f64) {
    let blocks = words.len().div_ceil(block);
    let some = blocks.min(32);
    let (mut slots, mut bytes, mut seconds) = (0, 0, 0.0);
    for i in 0..some {
        let from = i * blocks / some * block;
        let to = (from + block).min(words.len());
        let content = words.content(from..to);
        let (packed, taken) = timed(|| pack_block(words.width(), content));
        bytes += packed.map_or(0, |packed| packed.len() as u64);
        seconds += taken;
        slots += to - from;
    }
    (bytes as f64 / slots.max(1) as f64, seconds / slots.max(1) as f64)
}

/// Reads some values: the share that is decided, and seconds a slot.
fn read(words: &TierValues) -> (f64, f64) {
    let some = words.len().min(1 << 18);
    let undecided = |i: &u64| matches!(words.get(*i), None | Some(Value::Draw));
    let (undecided, seconds) = timed(|| (0..some).filter(undecided).count());
    (1.0 - undecided as f64 / some.max(1) as f64, seconds / some.max(1) as f64)
}

/// A game of which only the size can be estimated.
fn guessed(game: &ErasedGame, estimate: Estimate, walk: f64, bytes: f64) -> Sample {
    let Estimate { moves, loopy, ref layers, .. } = estimate;
    let (inner, then) = if loopy { (moves, EDGE) } else { (0.0, READ) };
    let tier = |(i, slots): (u32, &f64)| TierSample {
        slots: *slots as u64,
        loopy,
        reach: i + 1,
        moves,
        inner,
        seconds: walk + moves * then,
        plain: walk + moves * READ,
    };
    let mut tiers: Vec<TierSample> = (0..).zip(layers).map(tier).collect();
    let total: f64 = layers.iter().sum();
    if loopy {
        tiers = vec![TierSample { slots: total as u64, reach: 0, ..tiers[0] }];
    }
    Sample {
        solver: if loopy { Solver::RetroEdges } else { Solver::Sweep },
        outcomes: game.abilities.outcomes,
        folds: 1,
        memory: (total * (bytes + inner * 6.0)) as u64,
        streamed: None,
        numbering: (total * bytes) as u64,
        counting: 0,
        marks: 0,
        mark_bits: 1,
        trial: None,
        walk,
        pack: PACK,
        count: READ,
        tiers,
        extent: Extent::Estimated(estimate),
    }
}
