//! Solving in the memory of one process, by its threads.
//!
//! A tier is written while the next one is solved: both are work for the same threads, and the tier is needed in memory
//! until both are done, so it costs none.

use super::{
    Kernel, Site, SolveError, Task,
    error::fits,
    furthest,
    lookup::Later,
    retrograde::Retrograde,
    share::MOST,
    solve_tier,
    sweep::{Pack, Plain, outcome_word, sweep_outcomes, sweep_run},
    threads::{on_threads, threads_for},
};
use crate::{
    graph::partition::Partition,
    table::{Shelf, TableError, TierValues, Tiers, Word},
    watch::{Meter, Watch},
};

/// The longest share.
const LONGEST: u64 = if cfg!(test) { 1 << 8 } else { MOST };

/// Solves all tiers, last first. While a tier is solved, the one that was solved before it is put on the shelf; that
/// this failed is told once the tier is solved. A shelf has the last tiers or none.
pub(crate) fn run(task: Task, shelf: &mut dyn Shelf, watch: &dyn Watch) -> Result<(), SolveError> {
    let tiers = task.graph.tiers();
    let (mut later, furthest) = (Tiers::new(tiers), furthest(task.graph));
    // The tier that is solved and not on the shelf yet.
    let mut fresh = None;
    let keep = |shelf: &mut dyn Shelf, fresh: Option<u32>, later: &Tiers| match fresh {
        Some(tier) => shelf.keep(tier, later.tier(tier).expect("a tier stays until it is kept")),
        None => Ok(()),
    };
    for tier in (0..tiers).rev() {
        if !shelf.has(tier) {
            // An earlier run may have finished them.
            let needed = tier + 1..=task.graph.last_child_tier(tier);
            later.bring(needed, |needed| shelf.fetch(needed))?;
            let (kept, solved) =
                rayon::join(|| keep(shelf, fresh, &later), || solve_one(task, tier, &later, watch));
            kept?;
            later.put(tier, solved?);
            fresh = Some(tier);
        }
        let needed = furthest[tier.saturating_sub(1) as usize].max(tier);
        (needed + 1..tiers).for_each(|done| later.forget(done));
    }
    Ok(keep(shelf, fresh, &later)?)
}

/// Solves all tiers and keeps them in memory.
pub(crate) fn run_keeping_all(task: Task, watch: &dyn Watch) -> Result<Tiers, SolveError> {
    let mut all = Tiers::new(task.graph.tiers());
    for tier in (0..all.count()).rev() {
        let words = solve_one(task, tier, &all, watch)?;
        all.put(tier, words);
    }
    Ok(all)
}

/// Solves one tier, its later ones in memory.
pub(crate) fn solve_one(
    task: Task,
    tier: u32,
    later: &Tiers,
    watch: &dyn Watch,
) -> Result<TierValues, SolveError> {
    solve_tier(task, tier, &mut InMemory { task, tier, later, watch })
}

/// A tier being solved, its later ones in memory.
struct InMemory<'a> {
    task: Task<'a>,
    tier: u32,
    later: &'a Tiers,
    watch: &'a dyn Watch,
}

impl InMemory<'_> {
    fn meter(&self) -> Result<Meter<'_>, SolveError> {
        let len = self.task.graph.len(self.tier);
        Ok(Meter::new(self.watch, "sweeping", Some(self.tier), Some(len))?)
    }

    fn sweep_with<W: Word>(
        &self,
        kernel: &dyn Kernel<W>,
    ) -> Result<Option<TierValues>, SolveError> {
        let mut words = vec![W::HOLE; self.task.graph.len(self.tier) as usize];
        let swept = sweep_run(kernel, self.tier, 0, self.later, &mut words, &self.meter()?);
        fits(swept.map(|()| W::tier(words)))
    }

    /// Sweeps along the moves that a walk has recorded of the tier.
    fn sweep_recorded<W: Word>(&self) -> Result<Option<TierValues>, SolveError> {
        let graph = self.task.graph;
        let recorded = self.task.recorded;
        let layer = recorded.and_then(|all| all.layers.get(self.tier as usize)?.as_ref());
        let Some(layer) = layer.filter(|_| !self.task.outcomes) else { return Ok(None) };
        let later = self.later.tier(self.tier + 1);
        let words = layer.sweep::<W>(graph.len(self.tier) as usize, later, &self.meter()?)?;
        Ok(words.map(W::tier))
    }

    fn sweep_planes(&self, kernel: &dyn Kernel<u8>) -> Result<Option<TierValues>, SolveError> {
        let len = self.task.graph.len(self.tier);
        let swept = sweep_outcomes(kernel, self.tier, len, self.later, &self.meter()?);
        fits(swept.map(TierValues::OutcomePlanes))
    }
}

impl Site for InMemory<'_> {
    type Solved = TierValues;

    fn sweep_by(&mut self, kernel: &dyn Kernel<u8>) -> Result<Option<TierValues>, SolveError> {
        if self.task.outcomes { self.sweep_planes(kernel) } else { self.sweep_with(kernel) }
    }

    fn sweep<W: Word>(&mut self, pack: Pack<W>) -> Result<Option<TierValues>, SolveError> {
        let graph = self.task.graph;
        if let Some(swept) = self.sweep_recorded::<W>()? {
            return Ok(Some(swept));
        }
        match self.task.outcomes {
            true => self.sweep_planes(&Plain { graph, pack: outcome_word }),
            false => self.sweep_with(&Plain { graph, pack }),
        }
    }

    fn retrograde<W: Word>(&mut self) -> Result<Option<TierValues>, SolveError> {
        let (graph, tier) = (self.task.graph, self.tier);
        let len = graph.len(tier);
        // Threads work on one share together, and on several, one each, only where one is too long.
        let threads = match len <= LONGEST {
            true => 1,
            false => threads_for(len).max(len.div_ceil(LONGEST) as usize),
        };
        let partition = &Partition::new(len, threads, 64);
        let arcs = self.task.recorded.and_then(|recorded| recorded.loops.as_ref());
        let shares = on_threads(threads, self.watch, &|comm| {
            let later = &Later::Shared(self.later);
            let tier = Retrograde { graph, tier, partition, later, arcs };
            tier.solve::<W>(comm, None, None)
        })?;
        let Some(shares) = shares.into_iter().collect::<Option<Vec<Vec<W>>>>() else {
            return Ok(None);
        };
        let mut shares = shares.into_iter();
        let mut words = shares.next().unwrap_or_default();
        words.reserve_exact(len as usize - words.len());
        shares.for_each(|share| words.extend(share));
        Ok(Some(W::tier(words)))
    }
}

impl Shelf for Tiers {
    fn has(&self, tier: u32) -> bool {
        self.tier(tier).is_some()
    }

    fn fetch(&self, tier: u32) -> Result<TierValues, TableError> {
        Ok(self.tier(tier).expect("only what was kept is fetched").clone())
    }

    fn keep(&mut self, tier: u32, words: &TierValues) -> Result<(), TableError> {
        self.put(tier, words.clone());
        Ok(())
    }
}
