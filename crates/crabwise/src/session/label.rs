//! Labelling every position of a solved game.

use std::collections::BTreeMap;

use super::export::Child;
use crate::{
    analysis::{
        label::{Bridge, Chart, Choice, Draws, Island, LabelCounts, Labels, Wanted, literal},
        reachability::Reached,
    },
    erased::{ErasedGame, Job, fetch_all},
    game::{Game, dynamic::DynPosition},
    graph::{Graph, slots},
    index::{Index, Slot},
    solve::{Fault, SolveError},
    table::TableError,
    watch::{Meter, Watch},
};

impl ErasedGame {
    /// Labels the islands of a solved game.
    pub fn label(
        &self,
        job: &Job,
        wanted: &Wanted,
        chart: &mut dyn Chart,
    ) -> Result<(), SolveError> {
        self.need_distances("labels and traps need")?;
        let table = self.open_table(job)?;
        let numbered = &*self.number(job)?;
        let graph = &*numbered.graph();
        let values = fetch_all(job, &table, "labelling")?;
        let labelled =
            |values| Labels::in_memory(graph, values, wanted.draws, job.memory, job.watch);
        let labels = match wanted.draws {
            Draws::Densest(_) => labelled(values)?,
            Draws::Deepest => {
                let depths = self.depths(job, &table, Some(numbered))?;
                Labels::deep(values, fetch_all(job, &depths, "labelling")?)
            }
        };
        let literal = wanted.literal.then(|| labelled(literal(graph, job.memory, job.watch)?));
        let charted = Charted {
            game: self,
            index: numbered.index(),
            graph,
            reached: &self.reached(numbered, wanted.all, job.watch)?,
            labels: &labels,
            literal: literal.transpose()?,
            bridges: wanted.bridges,
        };
        charted.run(chart, job.watch)
    }
}

/// A labelled game.
struct Charted<'a> {
    game: &'a ErasedGame,
    index: &'a dyn Index<DynPosition>,
    graph: &'a dyn Graph,
    reached: &'a Reached,
    labels: &'a Labels,
    literal: Option<Labels>,
    bridges: bool,
}

impl Charted<'_> {
    fn run(&self, chart: &mut dyn Chart, watch: &dyn Watch) -> Result<(), SolveError> {
        chart.begin(&self.count()?)?;
        let meter = Meter::new(watch, "labelling", None, Some(self.graph.total()))?;
        for slot in slots(self.graph) {
            if chart.full() {
                return Ok(());
            }
            if slot.index % 1024 == 0 {
                meter.add(1024.min(self.graph.len(slot.tier) - slot.index))?;
            }
            let Some(value) = self.labels.values.get(slot) else { continue };
            let Some(label) = self.labels.get(slot) else { continue };
            let Some(kept) = self.index.position(slot) else { continue };
            let literal = self.literal.as_ref().and_then(|labels| labels.get(slot));
            for (member, at) in (0..).zip(&self.index.orbit(&kept)) {
                if self.reached.has(slot, member) {
                    let bridges = if self.bridges { self.bridges(slot, at)? } else { vec![] };
                    let key = self.game.game().notation(at);
                    chart.island(Island { key, label, value, literal, bridges })?;
                }
            }
        }
        Ok(())
    }

    fn count(&self) -> Result<LabelCounts, SolveError> {
        let (mut counts, mut literal) = (BTreeMap::new(), BTreeMap::new());
        let (mut islands, mut wrong) = (0, 0);
        for slot in slots(self.graph).filter(|slot| !self.graph.boardless(slot.tier)) {
            let Some(label) = self.labels.get(slot) else { continue };
            let members = self.reached.members(self.graph, slot);
            if members == 0 {
                continue;
            }
            islands += members;
            *counts.entry(label).or_default() += members;
            if let Some(read) = self.literal.as_ref().and_then(|labels| labels.get(slot)) {
                *literal.entry(read).or_default() += members;
                wrong += if read.letter() == label.letter() { 0 } else { members };
            }
        }
        let start = self.game.game().start();
        let label = self.labels.get(self.index.slot(&start));
        Ok(LabelCounts {
            start: self.game.game().notation(&start),
            start_label: label.ok_or_else(|| Fault::no_start(self.graph))?,
            islands,
            counts,
            literal: self.literal.as_ref().map(|_| (literal, wrong)),
        })
    }

    fn bridges(&self, slot: Slot, at: &DynPosition) -> Result<Vec<Bridge>, TableError> {
        let children = self.game.children(self.index, &self.labels.values, slot, at)?;
        let choice = |child: &Child| Choice::new(child.worth(), self.labels.traps(child.slot));
        let best = children.iter().map(choice).max();
        let bridge = |child: &Child| Bridge {
            to: self.game.game().notation(&child.to),
            again: child.again,
            best: Some(choice(child)) == best,
            end: if self.graph.boardless(child.slot.tier) {
                self.labels.get(child.slot)
            } else {
                None
            },
        };
        let mut bridges: Vec<Bridge> = children.iter().map(bridge).collect();
        bridges.sort();
        bridges.dedup();
        Ok(bridges)
    }
}
