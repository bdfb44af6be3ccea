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
    graph::{Ask, Graph, Page},
    verify::{Mismatch, Verdict},
    watch::{Meter, Watch},
};

/// Values, the depths that are said to belong to them, and what was found of those.
pub(crate) struct Judge<'a> {
    pub(crate) graph: &'a dyn Graph,
    pub(crate) values: &'a Tiers,
    pub(crate) depths: &'a Tiers,
}

/// What the bridges of a T island say of its z.
struct Told {
    z: u32,
    trap: bool,
    /// Where the bridges to islands of that z lead.
    same: Vec<Slot>,
}

const RUN: u64 = 1 << 11;

impl Judge<'_> {
    /// Judges every slot.
    pub(crate) fn run(&self, watch: &dyn Watch) -> Result<Verdict, SolveError> {
        let graph = self.graph;
        let meter = Meter::new(watch, "verifying traps", None, Some(graph.total()))?;
        let (mut verdict, mut founded) = (Verdict::default(), vec![]);
        let mut pure = vec![];
        for tier in 0..graph.tiers() {
            let runs = (0..graph.len(tier).div_ceil(RUN)).into_par_iter();
            let judged = runs.map(|run| {
                let run = run * RUN..((run + 1) * RUN).min(graph.len(tier));
                meter.add(run.end - run.start)?;
                Ok(run.map(|index| self.judge(Slot { tier, index })).collect())
            });
            let judged = judged.collect::<Result<Vec<Vec<Found>>, SolveError>>()?.concat();
            for (index, found) in (0..).zip(&judged) {
                let slot = Slot { tier, index };
                verdict.checked += u64::from(*found != Found::Nothing);
                match found {
                    Found::Wrong(why) => verdict.add(self.mismatch(slot, why.clone())),
                    Found::Pure => pure.push(slot),
                    Found::Nothing | Found::Founded => {}
                }
            }
            founded.push(judged.iter().map(|found| *found == Found::Founded).collect());
        }
        self.follow(&pure, &founded, &mut verdict, &meter)?;
        Ok(verdict)
    }

    fn judge(&self, slot: Slot) -> Found {
        let (value, depth) = (self.values.get(slot), self.depths.get(slot));
        match (value, depth) {
            (Some(Value::Tie(_) | Value::Draw), None) => Found::Wrong("it has no depth".into()),
            (Some(Value::Tie(_) | Value::Draw), Some(Value::Win(_) | Value::Loss(_))) => {
                Found::Wrong("its depth is none".into())
            }
            (Some(value @ (Value::Tie(_) | Value::Draw)), Some(kept)) => {
                let kept = kept.remoteness().unwrap_or(0);
                match self.told(slot, value) {
                    Told { z, .. } if z != kept => {
                        Found::Wrong(format!("its traps are {z} deep, and the table says {kept}"))
                    }
                    Told { z, trap, .. } if trap || z == 0 => Found::Founded,
                    _ => Found::Pure,
                }
            }
            (_, Some(_)) => Found::Wrong("it is not even, and yet has a depth".into()),
            (_, None) => Found::Nothing,
        }
    }

    /// What follows for an even slot from the values and depths of where its moves lead.
    fn told(&self, slot: Slot, value: Value) -> Told {
        let mut page = Page::default();
        if value != Value::Tie(0) {
            self.graph.scan(slot.tier, &[slot.index], Ask::Children, &mut page);
        }
        let (mut ruin, mut least) = (None, None);
        let mut even = vec![];
        for edge in &page.edges {
            match (self.values.get(edge.to), edge.again) {
                (Some(Value::Win(n)), false) | (Some(Value::Loss(n)), true) => {
                    ruin = ruin.max(Some(n + 1));
                }
                (Some(Value::Tie(_) | Value::Draw), _) => {
                    if let Some(Value::Tie(z)) = self.depths.get(edge.to) {
                        even.push((z, edge.to));
                        least = Some(least.map_or(z, |least: u32| least.min(z)));
                    }
                }
                _ => {}
            }
        }
        let z = ruin.or(least).unwrap_or(0);
        let same = even.into_iter().filter(|(other, _)| *other == z).map(|(_, to)| to).collect();
        Told { z, trap: ruin.is_some(), same }
    }

    /// Sees to it that each pure island has a way to a trap along islands of its own z: backwards
    /// from those that lead to a founded one.
    fn follow(
        &self,
        pure: &[Slot],
        founded: &[Vec<bool>],
        verdict: &mut Verdict,
        meter: &Meter,
    ) -> Result<(), SolveError> {
        let (mut sure, mut queue, mut bridges) = (vec![false; pure.len()], vec![], vec![]);
        for (i, &slot) in pure.iter().enumerate() {
            meter.add(0)?;
            let value = self.values.get(slot).unwrap_or(Value::Draw);
            let same = self.told(slot, value).same;
            if same.iter().any(|to| founded[to.tier as usize][to.index as usize]) {
                sure[i] = true;
                queue.push(i);
            } else {
                let others = same.iter().filter_map(|to| pure.binary_search(to).ok());
                bridges.extend(others.map(|to| (to, i)));
            }
        }
        bridges.sort_unstable();
        while let Some(at) = queue.pop() {
            let first = bridges.partition_point(|&(to, _)| to < at);
            for &(_, from) in bridges[first..].iter().take_while(|&&(to, _)| to == at) {
                if !std::mem::replace(&mut sure[from], true) {
                    queue.push(from);
                }
            }
        }
        for (slot, _) in pure.iter().zip(sure).filter(|(_, sure)| !sure) {
            verdict.add(self.mismatch(*slot, "no trap of its depth can be reached".into()));
        }
        Ok(())
    }

    fn mismatch(&self, slot: Slot, why: String) -> Mismatch {
        let position = self.graph.show(slot);
        Mismatch { slot, position, stored: self.values.get(slot), derived: Err(why) }
    }
}

/// What was found at a slot.
#[derive(Clone, PartialEq, Eq)]
enum Found {
    /// Nothing that should have a depth.
    Nothing,
    /// A depth that needs no others: a trap, or 0.
    Founded,
    /// A depth that follows, if only from others.
    Pure,
    Wrong(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Word, Words, check::Memory, graph::View, label::depths, watch::Unwatched};

    /// 0 and 1 go round in circles, 1 also to 2, a trap: 2 leads back or to 3, from where 4 is won.
    /// 5 and 6 go round in circles and nowhere else.
    struct Islands;

    impl Game for Islands {
        type Position = u8;
        type Move = u8;

        fn start(&self) -> u8 {
            7
        }

        fn moves(&self, &at: &u8) -> impl IntoIterator<Item = u8> {
            [&[1][..], &[0, 2], &[0, 3], &[4], &[], &[6], &[5], &[0, 5]][at as usize]
                .iter()
                .copied()
        }

        fn play(&self, _at: &u8, to: u8) -> u8 {
            to
        }
    }

    #[test]
    fn a_depth_that_is_wrong_is_found() {
        let solution = crate::solve(&Islands).unwrap();
        let view = View { game: &Islands, index: &solution.index, unplay: None };
        let (values, mut shelf) = (&solution.tiers, Memory(Tiers::new(1)));
        let mut fetch = |tier| Ok(values.tier(tier).unwrap().clone());
        depths(&view, &mut fetch, &mut shelf, u64::MAX, &Unwatched).unwrap();
        let Some(Words::One(right)) = shelf.0.tier(0).cloned() else { panic!("bytes suffice") };
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
            words[crate::Index::slot(&solution.index, &at).index as usize] =
                u8::pack(Value::Tie(2)).unwrap();
        }
        assert_eq!(verdict(words).wrong, 2);
    }
}
