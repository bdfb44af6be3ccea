//! Labelling every position of a solved game.

use crate::{
    analysis::label::{Chart, Charted, Draws, Labels, Wanted, literal},
    erased::{ErasedGame, Job, fetch_all},
    solve::SolveError,
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
        let labels = match wanted.draws {
            Draws::Densest(_) => {
                Labels::in_memory(graph, values, wanted.draws, job.memory, job.watch)?
            }
            Draws::Deepest => {
                let depths = self.depths(job, &table, Some(numbered))?;
                Labels::deep(values, fetch_all(job, &depths, "labelling")?)
            }
        };
        let literal = match wanted.literal {
            true => {
                let values = literal(graph, job.memory, job.watch)?;
                Some(Labels::in_memory(graph, values, wanted.draws, job.memory, job.watch)?)
            }
            false => None,
        };
        let charted = Charted {
            game: self.game(),
            index: numbered.index(),
            graph,
            reached: &self.reached(numbered, wanted.all, job.watch)?,
            labels: &labels,
            literal: literal.as_ref(),
            bridges: wanted.bridges,
        };
        charted.run(chart, job.watch)
    }
}
