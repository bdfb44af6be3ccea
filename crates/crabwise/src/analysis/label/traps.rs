//! How deep the traps are: the index z of every T island, tier by tier.
//!
//! One pass over the even positions of a tier finds the traps, whose z is final, and gives every
//! other, *pure*, island the smallest z that its bridges have so far. Further passes let small z
//! travel along pure islands until nothing changes. All of them only ever lower a z, so whatever
//! the order and the number of threads, the greatest solution comes out, and no island is below
//! the smallest z of the tier: those that have reached it are done.
//!
//! A chain of pure islands would take a pass for each of its links. So after a few passes the
//! bridges between the islands that may still change are recorded, and each z travels backwards
//! along them, smallest first. Where those bridges do not fit in memory, the passes go on for a while.
//!
//! Depths are kept in a table of their own, densities are not: a depth depends on positions any number of moves away, a
//! density on the position's own moves only.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::worth;
use crate::{
    Slot, SolveError, TableError, TierValues, Tiers, Value,
    graph::{Edge, Graph, Origins, in_runs},
    solve::{
        Fault, furthest, need_memory,
        reverse::{Parents, ThreadRecorders},
    },
    table::Shelf,
    watch::{Meter, Watch},
};

/// The depths of all T islands, put on the shelf last tier first.
pub(crate) fn depths(
    graph: &dyn Graph,
    fetch: &mut dyn FnMut(u32) -> Result<TierValues, TableError>,
    shelf: &mut dyn Shelf,
    memory: u64,
    watch: &dyn Watch,
) -> Result<(), SolveError> {
    let tiers = graph.tiers();
    let (mut values, mut known) = (Tiers::new(tiers), Tiers::new(tiers));
    let furthest = furthest(graph);
    for tier in (0..tiers).rev() {
        for done in furthest[tier as usize] + 1..tiers {
            values.forget(done);
            known.forget(done);
        }
        if shelf.has(tier) {
            continue;
        }
        let last = graph.last_child_tier(tier).max(tier);
        values.bring(tier..=last, &mut *fetch)?;
        known.bring(tier + 1..=last, |needed| shelf.fetch(needed))?;
        let words = values.tier(tier).expect("it was just fetched");
        let marks = (0..words.len()).map(|_| AtomicU32::new(PURE | FAR)).collect();
        let work = Work { graph, tier, values: &values, known: &known, words, marks, memory };
        let words = work.run(watch)?;
        shelf.keep(tier, &words)?;
        known.put(tier, words);
    }
    Ok(())
}

/// The z of an island without bridges to P islands has this bit; the others are final.
const PURE: u32 = 1 << 31;
/// The z of an island from which no trap has been reached yet.
const FAR: u32 = PURE - 1;

/// Passes before bridges are recorded.
const PASSES: u32 = 4;
/// Passes at the most, where there is no room to record them.
const MOST_PASSES: u32 = 400;

struct Work<'a> {
    graph: &'a dyn Graph,
    tier: u32,
    values: &'a Tiers,
    known: &'a Tiers,
    words: &'a TierValues,
    marks: Vec<AtomicU32>,
    memory: u64,
}

impl Work<'_> {
    fn run(&self, watch: &dyn Watch) -> Result<TierValues, SolveError> {
        let mut floor = 0;
        for pass in 1.. {
            let meter = Meter::new(watch, "finding traps", Some(self.tier), Some(self.len()))?;
            let (changed, inner) = self.pass(floor, &meter)?;
            if changed == 0 {
                break;
            }
            if floor == 0 {
                floor = self.floor();
            }
            if pass >= PASSES && self.needs(inner) <= self.memory {
                self.travel(floor, &meter)?;
                break;
            }
            if pass == MOST_PASSES {
                need_memory("finding traps", self.needs(inner), self.memory)?;
            }
        }
        self.finish()
    }

    fn len(&self) -> u64 {
        self.words.len()
    }

    /// The smallest z in the tier after the first pass, which none will go below.
    fn floor(&self) -> u32 {
        self.marks.par_iter().map(|mark| mark.load(Relaxed) & !PURE).min().unwrap_or(0)
    }

    /// Whether the z of an even island that is not over may still go down.
    fn open(&self, index: u64, floor: u32) -> bool {
        let mark = self.marks[index as usize].load(Relaxed);
        mark & PURE != 0
            && mark & !PURE > floor
            && matches!(self.words.get(index), Some(Value::Tie(1..) | Value::Draw))
    }

    /// Looks at the bridges of all islands that may still change. Returns how many did, and how many of the bridges
    /// stay inside the tier.
    fn pass(&self, floor: u32, meter: &Meter) -> Result<(u64, u64), SolveError> {
        let passed = in_runs(self.len(), |page, run| {
            meter.add(run.end - run.start)?;
            let (mut changed, mut inner) = (0, 0);
            let open = run.filter(|&index| self.open(index, floor));
            for (index, edges) in page.children(self.graph, self.tier, open) {
                let mark = self.mark(index, edges)?;
                inner += edges.iter().filter(|edge| edge.to.tier == self.tier).count() as u64;
                let before = self.marks[index as usize].fetch_min(mark, Relaxed);
                changed += u64::from(mark < before);
            }
            Ok::<_, SolveError>((changed, inner))
        })?;
        Ok(passed.into_iter().fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1)))
    }

    /// The mark that the bridges of an even island give it.
    fn mark(&self, index: u64, edges: &[Edge]) -> Result<u32, SolveError> {
        let slot = Slot { tier: self.tier, index };
        let (mut deepest, mut least) = (0, FAR);
        for (nth, edge) in edges.iter().enumerate() {
            match worth(self.graph, self.values, slot, nth, edge)? {
                Value::Loss(n) => deepest = deepest.max(n),
                Value::Win(_) => {}
                Value::Tie(_) | Value::Draw if edge.to.tier == self.tier => {
                    least = least.min(self.marks[edge.to.index as usize].load(Relaxed) & !PURE);
                }
                Value::Tie(_) | Value::Draw => match self.known.get(edge.to) {
                    Some(Value::Tie(z)) => least = least.min(z),
                    Some(_) => {}
                    None => return Err(Fault::astray(self.graph, slot, nth, edge.to).into()),
                },
            }
        }
        Ok(if deepest > 0 { deepest } else { PURE | least })
    }

    /// Bytes in use when this number of bridges is recorded beside what is in memory.
    fn needs(&self, bridges: u64) -> u64 {
        let narrow = if self.len() < 1 << 31 { 4 } else { 8 };
        let threads = rayon::current_num_threads() as u64 + 1;
        let begun = self.len().div_ceil(1 << 16) * threads * 1024 * (narrow + 2);
        let bytes = bridges * (narrow + 2) + begun + self.len() * 16;
        let tiers = self.tier..self.graph.tiers();
        let kept = |tiers: &Tiers, tier| {
            tiers.tier(tier).map_or(0, |words| words.len() * words.width() as u64)
        };
        let held: u64 = tiers.map(|tier| kept(self.values, tier) + kept(self.known, tier)).sum();
        bytes + held + self.len() * 4
    }

    /// Records the bridges from islands that may still change to others without a trap, and lets each
    /// z travel backwards along them, smallest first, so that none is lowered twice. Islands that
    /// have reached the floor are among the sources: they may have done so in the last pass, after
    /// others had looked.
    fn travel(&self, floor: u32, meter: &Meter) -> Result<(), SolveError> {
        let parents = Parents::Recorded(self.record(floor)?.finish());
        let mut sources: Vec<(u32, u64)> = (0..self.len())
            .into_par_iter()
            .map(|index| (self.marks[index as usize].load(Relaxed), index))
            .filter(|&(mark, _)| mark & PURE != 0 && mark != PURE | FAR)
            .collect();
        sources.par_sort_unstable();
        let (mut stack, mut scratch) = (vec![], Origins::default());
        for (mark, index) in sources {
            if self.marks[index as usize].load(Relaxed) != mark {
                continue;
            }
            stack.push(index);
            while let Some(index) = stack.pop() {
                parents.each(&[index], &mut scratch, |_, parent, _| {
                    if self.marks[parent as usize].fetch_min(mark, Relaxed) > mark {
                        stack.push(parent);
                    }
                });
            }
            meter.add(1)?;
        }
        Ok(())
    }

    fn record(&self, floor: u32) -> Result<ThreadRecorders, SolveError> {
        let recorders = ThreadRecorders::new(self.len());
        in_runs(self.len(), |page, run| {
            let open =
                page.children(self.graph, self.tier, run.filter(|&index| self.open(index, floor)));
            let mut recorder = recorders.mine();
            for (parent, edges) in open {
                let inner = edges.iter().map(|edge| edge.to).filter(|to| to.tier == self.tier);
                inner
                    .filter(|to| self.marks[to.index as usize].load(Relaxed) & PURE != 0)
                    .for_each(|to| recorder.add(to.index, parent << 1));
            }
            Ok::<_, SolveError>(())
        })?;
        Ok(recorders)
    }

    /// The depths in the narrowest word that holds them.
    fn finish(&self) -> Result<TierValues, SolveError> {
        let value = |index: u64| match self.words.get(index)? {
            Value::Tie(_) | Value::Draw => {
                Some(match self.marks[index as usize].load(Relaxed) & !PURE {
                    FAR => Value::Draw,
                    z => Value::Tie(z),
                })
            }
            Value::Win(_) | Value::Loss(_) => None,
        };
        let packed = TierValues::narrowest(self.len(), value);
        packed.ok_or(SolveError::TooFar)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Index,
        analysis::label::{Draws, Label, Labels},
        graph::View,
        graphs::{self, Vertices},
        watch::Unwatched,
    };

    /// A ring of pure islands, mixed up, with bridges to two traps. Each leads back into the ring and to the head of a
    /// road on which the player to move there wins, in one move and in three. With the graph comes the place of each
    /// island in it.
    fn mixed_ring(length: usize) -> (graphs::Graph, Vec<u32>) {
        let mut moves: Vec<Vec<usize>> = (0..length).map(|v| vec![(v + 1) % length]).collect();
        for road in [1, 3] {
            let trap = moves.len();
            moves[road].push(trap);
            moves.push(vec![0, trap + 1]);
            moves.extend((1..=road).map(|step| vec![trap + step + 1]));
            moves.push(vec![]);
        }
        let mut place: Vec<u32> = (0..moves.len() as u32).collect();
        fastrand::Rng::with_seed(42).shuffle(&mut place);
        let mut mixed = vec![vec![]; moves.len()];
        for (from, to) in moves.into_iter().enumerate() {
            mixed[place[from] as usize] = to.into_iter().map(|to| place[to]).collect();
        }
        (graphs::Graph::of(mixed, |_| 0), place)
    }

    /// A long ring, with the memory to record its bridges and without.
    #[test]
    fn small_depths_travel_far() {
        for (memory, length) in [(u64::MAX, 3000), (0, 300)] {
            let (game, place) = mixed_ring(length);
            let solution = crate::solve_with(&game, Vertices::of(&game, true)).unwrap();
            let (index, values) = (&solution.index, solution.tiers.clone());
            let view = View::plain(&game, index);
            let labels =
                Labels::in_memory(&view, values, Draws::Deepest, memory, &Unwatched).unwrap();
            for (v, z) in (0..=length).map(|v| (v, 2)).chain([(length + 3, 4)]) {
                let label = labels.get(index.slot(&place[v]));
                assert_eq!(label, Some(Label::T(z)), "island {v}");
            }
        }
    }
}
