//! Judging a finished table by the rules alone.
//!
//! A table is right exactly if every value follows from the values of the children. For wins,
//! losses and ties this is an induction on the distance. For draws: suppose a position marked as a
//! draw had a decided value; take one with the least distance; its children of lesser distance are
//! marked rightly, so it would not follow that it is a draw. So one pass over all positions proves
//! the table, loops or not.
//!
//! Where distances are not kept, the induction is on the tier: no tier has inner moves, so children are
//! in later ones, and that is seen to.
//!
//! Nothing of the solvers is used here, nor the order of values: the rule is spelled out again in
//! [`derive()`], in other words.
//!
//! Where mirror images share a slot, all of them are derived in tables of up to a million slots, and in
//! larger ones those of every 256th slot: that images come to the same is a promise of the numbering,
//! which [`check`](super::check) tests as well, and not a matter of one table.

use std::cell::RefCell;

use crate::{
    Game, Index, Outcome, Slot, TableError, TierValues, Tiers, Value,
    game::one_line,
    graph::{Ask, Graph, Node, Page, View, in_runs},
    watch::{Meter, Watch},
};

/// What a verification found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// How many positions were derived again.
    pub checked: u64,
    /// How many did not come out as the table has them.
    pub wrong: u64,
    /// The first of those, at most [`SHOWN`].
    pub mismatches: Vec<Mismatch>,
}

/// A value that does not follow from the rules and the children's values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Where it is kept.
    pub slot: Slot,
    /// The position's picture, on one line.
    pub position: String,
    /// What the table says; `None` for a hole.
    pub stored: Option<Value>,
    /// What follows, or why nothing does.
    pub derived: Result<Value, String>,
}

/// How many mismatches are told one by one.
pub const SHOWN: usize = 20;

/// A table to be judged, tier by tier: of its values only those are in memory that the tier at work
/// asks for.
pub(crate) struct Trial<'a> {
    pub(crate) graph: &'a dyn Deriver,
    /// Brings the values of a tier.
    pub(crate) fetch: &'a dyn Fn(u32) -> Result<TierValues, TableError>,
}

/// A numbered game that derives values by its rules.
pub(crate) trait Deriver: Graph {
    /// Judges some slots by the values in memory. Positions that share a slot are derived as well in each whose index
    /// is a multiple of `images`.
    fn judge(&self, slots: &mut dyn Iterator<Item = Slot>, images: u64, tiers: &Tiers) -> Verdict;
}

/// In larger tables only the images of every [`NTH`] slot are derived.
const SMALL: u64 = 1 << 20;
const NTH: u64 = 256;

impl Trial<'_> {
    /// Derives every value again, or those of `sample` slots chosen by `seed`.
    pub(crate) fn run(
        &self,
        sample: Option<(u64, u64)>,
        watch: &dyn Watch,
    ) -> Result<Verdict, TableError> {
        let graph = self.graph;
        let slots = graph.total();
        let chosen = sample.filter(|(count, _)| *count < slots);
        let total = chosen.map_or(slots, |(count, _)| count);
        let chosen = chosen.map(|(count, seed)| self.chosen(count, seed));
        let meter = Meter::new(watch, "verifying", None, Some(total))?;
        let mut tiers = Tiers::new(graph.tiers());
        let (mut verdict, start) = (Verdict::default(), graph.start());
        for tier in 0..graph.tiers() {
            let some = chosen.as_ref().map(|chosen| of_tier(chosen, tier));
            if some.is_some_and(<[Slot]>::is_empty) && start.tier != tier {
                continue;
            }
            // Those that only earlier tiers asked for are let go.
            (0..tier).for_each(|done| tiers.forget(done));
            tiers.bring(tier..=graph.last_child_tier(tier), self.fetch)?;
            verdict = verdict.merge(self.tier(tier, some, &tiers, &meter)?);
            // The start must be in the table, whatever was sampled.
            if start.tier == tier && tiers.get(start).is_none() {
                let (position, derived) = (graph.show(start), Err("the start has no value".into()));
                verdict.add(Mismatch { slot: start, position, stored: None, derived });
            }
            if chosen.is_some() && !verdict.ok() {
                break;
            }
        }
        Ok(verdict)
    }

    /// So many slots, in the order of their tiers. A hole is no position: draw again, but not for ever
    /// where all are holes.
    fn chosen(&self, count: u64, seed: u64) -> Vec<Slot> {
        let (slots, mut random) = (self.graph.total(), fastrand::Rng::with_seed(seed));
        let mut page = Page::default();
        let mut hole = |slot: Slot| {
            self.graph.scan(slot.tier, &[slot.index], Ask::Ends, &mut page);
            page.nodes[0] == Node::Hole
        };
        let draws = (0..count.saturating_mul(1000)).take_while(|_| slots > 0);
        let drawn = draws.map(|_| self.graph.nth(random.u64(0..slots)));
        let mut chosen: Vec<Slot> =
            drawn.filter(|slot| !hole(*slot)).take(count as usize).collect();
        chosen.sort_unstable();
        chosen
    }

    /// Judges all slots of a tier, or some.
    fn tier(
        &self,
        tier: u32,
        some: Option<&[Slot]>,
        tiers: &Tiers,
        meter: &Meter,
    ) -> Result<Verdict, TableError> {
        let images = match self.graph.max_orbit() {
            1 => u64::MAX,
            _ if some.is_none() && self.graph.total() > SMALL => NTH,
            _ => 1,
        };
        let len = some.map_or(self.graph.len(tier), |some| some.len() as u64);
        let slot = |nth| some.map_or(Slot { tier, index: nth }, |some| some[nth as usize]);
        let verdicts = in_runs(len, |_, run| {
            meter.add(run.end - run.start)?;
            Ok::<_, TableError>(self.graph.judge(&mut run.map(slot), images, tiers))
        })?;
        Ok(verdicts.into_iter().fold(Verdict::default(), Verdict::merge))
    }
}

/// Those of some slots in their order that are in a tier.
fn of_tier(slots: &[Slot], tier: u32) -> &[Slot] {
    let begin = slots.partition_point(|slot| slot.tier < tier);
    let end = slots.partition_point(|slot| slot.tier <= tier);
    &slots[begin..end]
}

impl<G: Game, I: Index<G::Position> + ?Sized> Deriver for View<'_, G, I> {
    fn judge(&self, slots: &mut dyn Iterator<Item = Slot>, images: u64, tiers: &Tiers) -> Verdict {
        let shown = |at: &G::Position| one_line(&self.game.show(at));
        // Room for looking up children, used again and again.
        let room = RefCell::new(vec![]);
        let mut verdict = Verdict::default();
        for slot in slots {
            let stored = tiers.get(slot);
            let mut wrong = |position, derived| {
                verdict.add(Mismatch { slot, position, stored, derived });
            };
            let Some(at) = self.index.position(slot) else {
                if stored.is_some() {
                    wrong(String::new(), Err("the numbering has a hole here".into()));
                }
                continue;
            };
            let found = self.index.slot(&at);
            // Positions that share the slot must all have come to the same.
            let images = slot.index.is_multiple_of(images);
            let alike = if images { self.index.orbit(&at) } else { vec![] };
            for at in std::iter::once(&at).chain(alike.iter().filter(|other| **other != at)) {
                let derived = match found == slot {
                    true => self.derive(slot.tier, at, tiers, &room),
                    false => Err(format!("the numbering looks for it at {found}")),
                };
                if stored.is_none() || derived.as_ref().ok() != stored.as_ref() {
                    wrong(shown(at), derived);
                    break;
                }
            }
            verdict.checked += 1;
        }
        verdict
    }
}

impl<G: Game, I: Index<G::Position> + ?Sized> View<'_, G, I> {
    fn derive(
        &self,
        tier: u32,
        at: &G::Position,
        tiers: &Tiers,
        room: &RefCell<Vec<Slot>>,
    ) -> Result<Value, String> {
        let told = tiers.tier(tier).is_none_or(TierValues::have_distances);
        let derived = derive(self.game, at, |to| {
            let mut found = room.borrow_mut();
            found.clear();
            self.index.children(tier, std::slice::from_ref(to), &mut found);
            let child = found.first().filter(|child| told || child.tier > tier)?;
            tiers.get(*child)
        })?;
        Ok(if told { derived } else { derived.without_distance() })
    }
}

impl Verdict {
    /// Whether everything was as it should be.
    pub fn ok(&self) -> bool {
        self.wrong == 0
    }

    pub(crate) fn add(&mut self, mismatch: Mismatch) {
        self.wrong += 1;
        if self.mismatches.len() < SHOWN {
            self.mismatches.push(mismatch);
        }
    }

    pub(crate) fn merge(mut self, other: Verdict) -> Verdict {
        self.checked += other.checked;
        self.wrong += other.wrong;
        self.mismatches.extend(other.mismatches);
        self.mismatches.sort_by_key(|mismatch| mismatch.slot);
        self.mismatches.truncate(SHOWN);
        self
    }
}

/// The value of a position by the rules, given the values of its children. From untold distances no
/// other follows.
pub fn derive<G: Game>(
    game: &G,
    at: &G::Position,
    stored: impl Fn(&G::Position) -> Option<Value>,
) -> Result<Value, String> {
    match game.over(at) {
        Some(Outcome::Win) => return Ok(Value::Win(0)),
        Some(Outcome::Loss) => return Ok(Value::Loss(0)),
        Some(Outcome::Tie) => return Ok(Value::Tie(0)),
        None => {}
    }
    let (mut quickest_win, mut quickest_tie, mut slowest_loss) = (None, None, None);
    let (mut draw, mut moves) = (false, 0);
    for mv in game.moves(at) {
        moves += 1;
        let to = game.play(at, mv);
        let value =
            stored(&to).ok_or_else(|| format!("{} has no value", one_line(&game.show(&to))))?;
        let same_mover = game.again(at, &to);
        match value {
            Value::Draw => draw = true,
            Value::Tie(n) => quickest_tie = Some(quickest_tie.map_or(n, |m: u32| m.min(n))),
            Value::Win(n) if same_mover => {
                quickest_win = Some(quickest_win.map_or(n, |m: u32| m.min(n)))
            }
            Value::Loss(n) if !same_mover => {
                quickest_win = Some(quickest_win.map_or(n, |m: u32| m.min(n)))
            }
            Value::Win(n) | Value::Loss(n) => {
                slowest_loss = Some(slowest_loss.map_or(n, |m: u32| m.max(n)));
            }
        }
    }
    let after = |n: u32| if n == Value::UNKNOWN_DISTANCE { n } else { n + 1 };
    match (quickest_win, quickest_tie, draw, slowest_loss) {
        _ if moves == 0 => Err("it has no move and is not over".into()),
        (Some(n), ..) => Ok(Value::Win(after(n))),
        (None, Some(n), ..) => Ok(Value::Tie(after(n))),
        (None, None, true, _) => Ok(Value::Draw),
        (None, None, false, Some(n)) => Ok(Value::Loss(after(n))),
        (None, None, false, None) => Err("its moves lead nowhere".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        OutcomePlanes, Word,
        graphs::{self, Vertices},
        watch::Unwatched,
    };

    /// What is found where one slot of the outcomes has another code.
    fn judged(at: Slot, code: u8) -> Verdict {
        // One or two are taken; the last to take wins. Fifty heaps of each size, and a hole after each.
        let moves = |at: u32| [at + 50, at + 100].into_iter().filter(|to| *to < 500).collect();
        let heaps = &graphs::Graph::of((0..500).map(moves).collect(), |at| at / 50);
        let right = |tier: u32, index: u64| match (index % 2, tier % 3) {
            (1, _) => u8::HOLE,
            (_, 0) => u8::pack(Value::Loss(0)).unwrap(),
            _ => u8::pack(Value::Win(7)).unwrap(),
        };
        let tier = |tier: u32| {
            let mut codes: Vec<u8> = (0..100).map(|index| right(tier, index)).collect();
            if tier == at.tier {
                codes[at.index as usize] = code;
            }
            TierValues::OutcomePlanes(OutcomePlanes::from_codes(&codes).unwrap())
        };
        let fetch = &|number| Ok(tier(number));
        let index = &Vertices::tiered(heaps);
        let view = View::plain(heaps, index);
        Trial { graph: &view, fetch }.run(None, &Unwatched).unwrap()
    }

    #[test]
    fn a_wrong_outcome_is_found_and_named() {
        let [loss, tie, win] = [Value::Loss(0), Value::Tie(0), Value::Win(0)];
        for (at, right) in [(Slot { tier: 9, index: 64 }, loss), (Slot { tier: 0, index: 2 }, loss)]
            .into_iter()
            .chain([(Slot { tier: 5, index: 98 }, win)])
        {
            let code = |value| u8::pack(value).unwrap();
            assert_eq!(judged(at, code(right)), Verdict { checked: 500, ..Verdict::default() });
            for wrong in [u8::HOLE, code(loss), code(tie), code(win)] {
                let stored = wrong.unpack().map(Value::without_distance);
                if wrong == code(right) {
                    continue;
                }
                let verdict = judged(at, wrong);
                let named = verdict.mismatches.iter().find(|one| one.slot == at).unwrap();
                assert_eq!((named.stored, &named.derived), (stored, &Ok(right.without_distance())));
            }
        }
        let hole = judged(Slot { tier: 3, index: 21 }, u8::pack(tie).unwrap());
        assert_eq!((hole.wrong, hole.mismatches[0].stored), (1, Some(tie.without_distance())));
    }
}
