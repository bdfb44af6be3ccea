//! Judging a table of depths by the definition alone.
//!
//! The z of every T island must follow from its bridges: the largest P index, or without one the
//! smallest z among the T islands they lead to, those with 0 left out. On a circle any z would
//! follow from itself, so besides, every pure island with a z above 0 must have a way to a trap of that
//! depth along islands of the same z. And 0 is right where it follows: whatever can be reached
//! from there without meeting a trap is 0 as well, so no trap can be reached.

use rayon::prelude::*;

use crate::{
    Slot, SolveError, Tiers, Value,
    analysis::verify::{Mismatch, Verdict},
    graph::{Ask, Edge, Graph, Page, in_runs},
    watch::{Meter, Watch},
};

/// Values, and the depths that are said to belong to them.
pub(crate) struct Judge<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) values: &'a Tiers,
    pub(crate) depths: &'a Tiers,
}

/// What was found at a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Nothing that should have a depth.
    Nothing,
    /// A depth that needs no others, a trap or 0; or one with a way to a trap.
    Founded,
    /// A depth that follows, if only from others.
    Pure,
    Wrong,
}

/// Passes before bridges are recorded.
const PASSES: u32 = 4;

/// Islands that are founded now, and bridges as to and from.
type Led = (Vec<Vec<u64>>, Vec<Vec<(u64, u64)>>);

impl Judge<'_> {
    /// Judges every slot.
    pub(crate) fn run(&self, watch: &dyn Watch) -> Result<Verdict, SolveError> {
        let meter = Meter::new(watch, "verifying traps", None, Some(self.graph.total()))?;
        let mut verdict = Verdict::default();
        let mut later: Vec<Vec<Found>> = vec![vec![]; self.graph.tiers() as usize];
        for tier in (0..self.graph.tiers()).rev() {
            let mut found = self.tier(tier, &meter)?;
            self.follow(tier, &mut found, &later, &meter)?;
            for (index, found) in (0..).zip(&found) {
                verdict.checked += u64::from(*found != Found::Nothing);
                if matches!(found, Found::Wrong | Found::Pure) {
                    verdict.add(self.mismatch(Slot { tier, index }, *found));
                }
            }
            later[tier as usize] = found;
        }
        Ok(verdict)
    }

    /// What follows for each slot of a tier from where its moves lead.
    fn tier(&self, tier: u32, meter: &Meter) -> Result<Vec<Found>, SolveError> {
        let runs = in_runs(self.graph.len(tier), |page, run| {
            meter.add(run.end - run.start)?;
            let open = |index: &u64| self.has_moves(Slot { tier, index: *index });
            let slots: Vec<u64> = run.clone().filter(open).collect();
            self.graph.scan(tier, &slots, Ask::Children, page);
            let mut edges = slots.iter().zip(page.iter().map(|(_, edges)| edges)).peekable();
            let judged = run.map(|index| {
                let own =
                    edges.next_if(|(slot, _)| **slot == index).map_or(&[][..], |(_, own)| own);
                self.judge(Slot { tier, index }, own)
            });
            Ok::<_, SolveError>(judged.collect::<Vec<Found>>())
        })?;
        Ok(runs.concat())
    }

    fn is_even(&self, slot: Slot) -> bool {
        matches!(self.values.get(slot), Some(Value::Tie(_) | Value::Draw))
    }

    /// Whether a slot is even and its game goes on.
    fn has_moves(&self, slot: Slot) -> bool {
        matches!(self.values.get(slot), Some(Value::Tie(1..) | Value::Draw))
    }

    fn judge(&self, slot: Slot, edges: &[Edge]) -> Found {
        match (self.is_even(slot), self.kept(slot)) {
            (false, None) => Found::Nothing,
            (true, Some(kept)) => match self.told(edges) {
                (z, _) if z != kept => Found::Wrong,
                (z, trap) if trap || z == 0 => Found::Founded,
                _ => Found::Pure,
            },
            _ => Found::Wrong,
        }
    }

    /// The depth that is said to be at a slot. A loss or a win is none.
    fn kept(&self, slot: Slot) -> Option<u32> {
        match self.depths.get(slot)? {
            Value::Tie(z) => Some(z),
            Value::Draw => Some(0),
            Value::Win(_) | Value::Loss(_) => Some(u32::MAX),
        }
    }

    /// What the bridges of an even island say of its z, and whether it is a trap.
    fn told(&self, edges: &[Edge]) -> (u32, bool) {
        let (mut ruin, mut least) = (None, None);
        for edge in edges {
            match (self.values.get(edge.to), edge.again) {
                (Some(Value::Win(n)), false) | (Some(Value::Loss(n)), true) => {
                    ruin = ruin.max(Some(n + 1));
                }
                (Some(Value::Tie(_) | Value::Draw), _) => {
                    if let Some(z @ 1..) = self.kept(edge.to) {
                        least = Some(least.map_or(z, |least: u32| least.min(z)));
                    }
                }
                _ => {}
            }
        }
        (ruin.or(least).unwrap_or(0), ruin.is_some())
    }

    /// Sees to it that each pure island has a way to a trap along islands of its own z. In a few
    /// passes every one looks for a founded island that it leads to; for those that are left, the
    /// bridges between them are followed backwards.
    fn follow(
        &self,
        tier: u32,
        found: &mut [Found],
        later: &[Vec<Found>],
        meter: &Meter,
    ) -> Result<(), SolveError> {
        let mut bridges = vec![];
        for pass in 1..=PASSES {
            let (sure, inside) = self.lead_on(tier, found, later, pass == PASSES, meter)?;
            sure.iter().flatten().for_each(|index| found[*index as usize] = Found::Founded);
            bridges = inside.concat();
            if sure.iter().all(Vec::is_empty) {
                // Whatever is left now leads to nothing but itself.
                return Ok(());
            }
        }
        bridges.par_sort_unstable();
        let mut queue: Vec<u64> = (bridges.iter().map(|&(to, _)| to))
            .filter(|&to| found[to as usize] == Found::Founded)
            .collect();
        while let Some(at) = queue.pop() {
            let first = bridges.partition_point(|&(to, _)| to < at);
            for &(_, from) in bridges[first..].iter().take_while(|&&(to, _)| to == at) {
                if found[from as usize] == Found::Pure {
                    found[from as usize] = Found::Founded;
                    queue.push(from);
                }
            }
        }
        Ok(())
    }

    /// The pure islands that lead to a founded one of the same z; and if asked for, where the others
    /// lead inside the tier, as pairs of to and from.
    fn lead_on(
        &self,
        tier: u32,
        found: &[Found],
        later: &[Vec<Found>],
        record: bool,
        meter: &Meter,
    ) -> Result<Led, SolveError> {
        let founded = |to: Slot| {
            let found = if to.tier == tier { found } else { &later[to.tier as usize] };
            found[to.index as usize] == Found::Founded
        };
        let parts = in_runs(found.len() as u64, |page, run| {
            meter.add(0)?;
            let pure = |index: &u64| found[*index as usize] == Found::Pure;
            let slots: Vec<u64> = run.filter(pure).collect();
            self.graph.scan(tier, &slots, Ask::Children, page);
            let (mut sure, mut bridges) = (vec![], vec![]);
            for (&index, (_, edges)) in slots.iter().zip(page.iter()) {
                let z = self.kept(Slot { tier, index });
                let same = edges.iter().map(|edge| edge.to);
                let same = same.filter(|to| self.is_even(*to) && self.kept(*to) == z);
                if same.clone().any(founded) {
                    sure.push(index);
                } else if record {
                    let inside = same.filter(|to| to.tier == tier);
                    bridges.extend(inside.map(|to| (to.index, index)));
                }
            }
            Ok::<_, SolveError>((sure, bridges))
        })?;
        Ok(parts.into_iter().unzip())
    }

    /// What is wrong with the depth of a slot.
    fn mismatch(&self, slot: Slot, found: Found) -> Mismatch {
        let (position, stored) = (self.graph.show(slot), self.values.get(slot));
        let mut page = Page::default();
        if self.has_moves(slot) {
            self.graph.scan(slot.tier, &[slot.index], Ask::Children, &mut page);
        }
        let why = match (self.is_even(slot), self.kept(slot)) {
            _ if found == Found::Pure => "no trap of its depth can be reached".into(),
            (false, _) => "it is not even, and yet has a depth".into(),
            (true, None) => "it has no depth".into(),
            (true, Some(u32::MAX)) => "its depth is none".into(),
            (true, Some(kept)) => {
                let (z, _) = self.told(&page.edges);
                format!("its traps are {z} deep, and the table says {kept}")
            }
        };
        Mismatch { slot, position, stored, derived: Err(why) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Index, TierValues, Word,
        analysis::label::depths,
        graph::View,
        graphs::{self, Vertices},
        watch::Unwatched,
    };

    #[test]
    fn a_depth_that_is_wrong_is_found() {
        // 0 and 1 go round in circles, 1 also to 2, a trap: 2 leads back or to 3, from where 4 is
        // won. 5 and 6 go round in circles and nowhere else.
        let moves = [&[1][..], &[0, 2], &[0, 3], &[4], &[], &[6], &[5], &[0, 5]];
        let islands = &graphs::Graph::of(moves.map(<[u32]>::to_vec).into(), |_| 0);
        let solution = crate::solve_with(islands, Vertices::of(islands, true)).unwrap();
        let view = View { game: islands, index: &solution.index, unplay: None };
        let (values, mut shelf) = (&solution.tiers, Tiers::new(1));
        let mut fetch = |tier| Ok(values.tier(tier).unwrap().clone());
        depths(&view, &mut fetch, &mut shelf, u64::MAX, &Unwatched).unwrap();
        let Some(TierValues::One(right)) = shelf.tier(0).cloned() else { panic!("bytes suffice") };
        let verdict = |words: Vec<u8>| {
            let mut depths = Tiers::new(1);
            depths.put(0, u8::tier(words));
            Judge { graph: &view, values, depths: &depths }.run(&Unwatched).unwrap()
        };
        assert_eq!((verdict(right.clone()).checked, verdict(right.clone()).wrong), (6, 0));
        for at in 0..right.len() {
            for z in [None, Some(0), Some(1), Some(2), Some(4), Some(6)] {
                let mut words = right.clone();
                words[at] = match z {
                    None => u8::HOLE,
                    Some(0) => u8::pack(Value::Draw).unwrap(),
                    Some(z) => u8::pack(Value::Tie(z)).unwrap(),
                };
                assert_eq!(words == right, verdict(words).ok(), "slot {at}, {z:?}");
            }
        }
        // The circle of 5 and 6 follows from itself with any depth, and so does not follow.
        let mut words = right;
        for at in [5, 6] {
            words[solution.index.slot(&at).index as usize] = u8::pack(Value::Tie(2)).unwrap();
        }
        assert_eq!(verdict(words).wrong, 2);
    }
}
