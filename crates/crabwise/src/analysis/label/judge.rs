//! Judging a table of depths by the definition alone.
//!
//! The z of every T island must follow from its bridges: the largest P index, or without one the
//! smallest z among the T islands they lead to, those with 0 left out. On a circle any z would
//! follow from itself, so besides, every pure island with a z above 0 must have a way to a trap of that
//! depth along islands of the same z. And 0 is right where it follows: whatever can be reached
//! from there without meeting a trap is 0 as well, so no trap can be reached.

use std::mem;

use crate::{
    Slot, SolveError, Tiers, Value,
    analysis::verify::{Mismatch, Verdict},
    graph::{Edge, Graph, Origins, in_runs},
    solve::reverse::{Parents, ThreadRecorders},
    watch::{Meter, Watch},
};

/// Values, and the depths that are said to belong to them.
pub(crate) struct Judge<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) values: &'a Tiers,
    pub(crate) depths: &'a Tiers,
}

/// Passes before bridges are recorded.
const PASSES: u32 = 4;

impl Judge<'_> {
    /// Judges every slot.
    pub(crate) fn run(&self, watch: &dyn Watch) -> Result<Verdict, SolveError> {
        let meter = Meter::new(watch, "verifying traps", None, Some(self.graph.total()))?;
        let mut verdict = Verdict::default();
        for tier in 0..self.graph.tiers() {
            let (judged, mut open) = self.tier(tier, &meter)?;
            verdict = verdict.merge(judged);
            self.close(tier, &mut open, &meter)?;
            for (index, _) in (0..).zip(open).filter(|(_, open)| *open) {
                let why = "no trap of its depth can be reached";
                verdict.add(self.mismatch(Slot { tier, index }, why.into()));
            }
        }
        Ok(verdict)
    }

    /// Judges the slots of a tier by where their moves lead, and tells which of the depths follow, if only from others.
    fn tier(&self, tier: u32, meter: &Meter) -> Result<(Verdict, Vec<bool>), SolveError> {
        let runs = in_runs(self.graph.len(tier), |page, run| {
            meter.add(run.end - run.start)?;
            let moves = |index: &u64| {
                let value = self.values.get(Slot { tier, index: *index });
                matches!(value, Some(Value::Tie(1..) | Value::Draw))
            };
            let mut edges = page.children(self.graph, tier, run.clone().filter(moves)).peekable();
            let (mut verdict, mut open) = (Verdict::default(), vec![]);
            for index in run {
                let own = edges.next_if(|(slot, _)| *slot == index).map_or(&[][..], |own| own.1);
                let slot = Slot { tier, index };
                verdict.checked += u64::from(self.is_even(slot));
                let judged = self.judge(slot, own);
                open.push(judged == Ok(true));
                if let Err(why) = judged {
                    verdict.add(self.mismatch(slot, why));
                }
            }
            Ok::<_, SolveError>((verdict, open))
        })?;
        let (verdicts, open): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
        Ok((verdicts.into_iter().fold(Verdict::default(), Verdict::merge), open.concat()))
    }

    fn is_even(&self, slot: Slot) -> bool {
        matches!(self.values.get(slot), Some(Value::Tie(_) | Value::Draw))
    }

    /// Whether the depth of a slot follows only from others; or what is wrong with it.
    fn judge(&self, slot: Slot, edges: &[Edge]) -> Result<bool, String> {
        match (self.is_even(slot), self.kept(slot)) {
            (false, None) => Ok(false),
            (false, Some(_)) => Err("it is not even, and yet has a depth".into()),
            (true, None) => Err("it has no depth".into()),
            (true, Some(u32::MAX)) => Err("its depth is none".into()),
            (true, Some(kept)) => match self.told(edges) {
                (z, trap) if z == kept => Ok(!trap && z > 0),
                (z, _) => Err(format!("its traps are {z} deep, and the table says {kept}")),
            },
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

    /// Closes each island that has a way to a trap along islands of its own z, those of later tiers being judged by
    /// themselves. In a few passes every one looks for a closed island that it leads to; for those that are left, the
    /// bridges between them are followed backwards.
    fn close(&self, tier: u32, open: &mut [bool], meter: &Meter) -> Result<(), SolveError> {
        for pass in 1..=PASSES {
            let recorders = ThreadRecorders::new(open.len() as u64);
            let closed = in_runs(open.len() as u64, |page, run| {
                meter.add(0)?;
                let run = run.filter(|index| open[*index as usize]);
                let edges = page.children(self.graph, tier, run);
                let (mut closed, mut recorder) = (vec![], recorders.mine());
                for (index, edges) in edges {
                    let z = self.kept(Slot { tier, index });
                    let same = edges.iter().map(|edge| edge.to);
                    let same = same.filter(|to| self.is_even(*to) && self.kept(*to) == z);
                    if same.clone().any(|to| to.tier != tier || !open[to.index as usize]) {
                        closed.push(index);
                    } else if pass == PASSES {
                        same.for_each(|to| recorder.add(to.index, index << 1));
                    }
                }
                Ok::<_, SolveError>(closed)
            })?;
            let mut closed = closed.concat();
            closed.iter().for_each(|index| open[*index as usize] = false);
            if closed.is_empty() {
                // Whatever is left now leads to nothing but itself.
                break;
            }
            if pass == PASSES {
                let (parents, mut room) =
                    (Parents::Recorded(recorders.finish()), Origins::default());
                while let Some(at) = closed.pop() {
                    parents.each(&[at], &mut room, |_, parent, _| {
                        if mem::take(&mut open[parent as usize]) {
                            closed.push(parent);
                        }
                    });
                }
            }
        }
        Ok(())
    }

    /// That the depth of a slot is wrong.
    fn mismatch(&self, slot: Slot, why: String) -> Mismatch {
        let (position, stored) = (self.graph.show(slot), self.values.get(slot));
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
        let view = View::plain(islands, &solution.index);
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
