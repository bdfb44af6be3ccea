//! A game's islands with their labels, one after the other.

use std::collections::BTreeMap;

use super::{Choice, Draws, Label, Labels};
use crate::{
    Game, Index, Slot, SolveError, TableError,
    analysis::reachability::Reached,
    game::dynamic::{DynGame, DynPosition},
    graph::Graph,
    solve::Fault,
    watch::{Meter, Watch},
};

/// Which islands are wanted, and what of them.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// All that are numbered, and not only what the start leads to.
    pub all: bool,
    /// How T islands are told apart.
    pub draws: Draws,
    /// Whether the labels of the literal table are wanted as well.
    pub literal: bool,
    /// Whether bridges are wanted.
    pub bridges: bool,
}

/// An island with its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Island {
    /// The position's notation.
    pub key: String,
    /// Its label.
    pub label: Label,
    /// What the literal table calls it, if that is wanted.
    pub literal: Option<Label>,
    /// Where the moves lead, each island once, if that is wanted.
    pub bridges: Vec<Bridge>,
}

impl Island {
    /// Whether the literal table is wrong here: it never takes one of G and P for the other, nor
    /// for another index, but leaves as T what is neither even nor endless.
    pub fn misread(&self) -> bool {
        self.literal.is_some_and(|literal| literal.letter() != self.label.letter())
    }
}

/// A bridge.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bridge {
    /// The key of the island it leads to.
    pub to: String,
    /// Whether it keeps the turn.
    pub again: bool,
    /// Whether perfect play may take it.
    pub best: bool,
}

/// How many islands have which label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelCounts {
    /// The key of the start.
    pub start: String,
    /// The label of the start.
    pub start_label: Label,
    /// All islands.
    pub islands: u64,
    /// Islands by label.
    pub counts: BTreeMap<Label, u64>,
    /// Islands by what the literal table calls them, and how many of them it gets wrong, if that is
    /// wanted.
    pub literal: Option<(BTreeMap<Label, u64>, u64)>,
}

/// Takes down labelled islands.
pub trait Chart {
    /// Hears the counts, before any island.
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError>;

    /// Hears of an island; an error ends it all.
    fn island(&mut self, island: Island) -> Result<(), TableError>;

    /// Whether nothing more is to be heard.
    fn full(&self) -> bool {
        false
    }
}

/// A labelled game.
pub(crate) struct Charted<'a> {
    pub(crate) game: DynGame<'a>,
    pub(crate) index: &'a dyn Index<DynPosition>,
    pub(crate) graph: &'a dyn Graph,
    pub(crate) reached: &'a Reached,
    pub(crate) labels: &'a Labels,
    pub(crate) literal: Option<&'a Labels>,
    pub(crate) bridges: bool,
}

impl Charted<'_> {
    pub(crate) fn run(&self, chart: &mut dyn Chart, watch: &dyn Watch) -> Result<(), SolveError> {
        chart.begin(&self.count()?)?;
        let meter = Meter::new(watch, "labelling", None, Some(self.graph.total()))?;
        for tier in self.tiers() {
            for index in 0..self.index.len(tier) {
                if chart.full() {
                    return Ok(());
                }
                let slot = Slot { tier, index };
                if index % 1024 == 0 {
                    meter.add(1024.min(self.index.len(tier) - index))?;
                }
                let Some(at) = self.index.position(slot) else { continue };
                self.islands(slot, &self.index.orbit(&at), chart)?;
            }
        }
        Ok(())
    }

    /// The tiers that have islands.
    fn tiers(&self) -> impl Iterator<Item = u32> {
        (0..self.index.tiers()).filter(|tier| !self.graph.boardless(*tier))
    }

    fn count(&self) -> Result<LabelCounts, SolveError> {
        let (mut counts, mut literal) = (BTreeMap::new(), BTreeMap::new());
        let (mut islands, mut wrong) = (0, 0);
        for tier in self.tiers() {
            for slot in (0..self.index.len(tier)).map(|index| Slot { tier, index }) {
                let Some(label) = self.labels.get(slot) else { continue };
                let members = self.reached.members(self.graph, slot);
                if members == 0 {
                    continue;
                }
                islands += members;
                *counts.entry(label).or_default() += members;
                if let Some(read) = self.literal.and_then(|labels| labels.get(slot)) {
                    *literal.entry(read).or_default() += members;
                    wrong += if read.letter() == label.letter() { 0 } else { members };
                }
            }
        }
        let start = self.game.start();
        let label = self.labels.get(self.index.slot(&start));
        Ok(LabelCounts {
            start: self.game.notation(&start),
            start_label: label.ok_or_else(|| Fault::no_start(self.graph))?,
            islands,
            counts,
            literal: self.literal.map(|_| (literal, wrong)),
        })
    }

    /// The islands that share a slot.
    fn islands(
        &self,
        slot: Slot,
        alike: &[DynPosition],
        chart: &mut dyn Chart,
    ) -> Result<(), SolveError> {
        let Some(label) = self.labels.get(slot) else { return Ok(()) };
        let literal = self.literal.and_then(|labels| labels.get(slot));
        for (member, at) in (0..).zip(alike) {
            if self.reached.has(slot, member) {
                let bridges = if self.bridges { self.bridges(slot, at)? } else { vec![] };
                let key = self.game.notation(at);
                chart.island(Island { key, label, literal, bridges })?;
            }
        }
        Ok(())
    }

    fn bridges(&self, slot: Slot, at: &DynPosition) -> Result<Vec<Bridge>, SolveError> {
        if self.game.over(at).is_some() {
            return Ok(vec![]);
        }
        let to: Vec<DynPosition> =
            self.game.moves(at).into_iter().map(|mv| self.game.play(at, mv)).collect();
        let mut slots = vec![];
        self.index.children(slot.tier, &to, &mut slots);
        let choices: Vec<Choice> = (to.iter().zip(&slots).enumerate())
            .map(|(nth, (to, &child))| {
                let value = self.labels.value(child);
                let value = value.ok_or_else(|| Fault::astray(self.graph, slot, nth, child))?;
                Ok(Choice::new(value.back(self.game.again(at, to)), self.labels.traps(child)))
            })
            .collect::<Result<_, Fault>>()?;
        let best = choices.iter().max();
        let mut bridges: Vec<Bridge> = (to.iter().zip(&choices))
            .map(|(to, choice)| Bridge {
                to: self.game.notation(to),
                again: self.game.again(at, to),
                best: Some(choice) == best,
            })
            .collect();
        bridges.sort();
        bridges.dedup();
        Ok(bridges)
    }
}
