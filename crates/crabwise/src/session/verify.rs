//! Judging a table by the rules alone.

use std::path::Path;

use crate::{
    analysis::{
        label::Judge,
        stats_file::Statistics,
        verify::{Trial, Verdict},
    },
    erased::{ErasedGame, Job, NumberedGame, fetch_all},
    graph::Graph,
    solve::{SolveError, need_memory},
    table::{Table, TableError, statistics, traps},
};

impl ErasedGame {
    /// Derives the table's values again: all of them, or a sample of this size and seed.
    pub fn verify(&self, job: &Job, sample: Option<(u64, u64)>) -> Result<Verdict, SolveError> {
        let table = self.open_table(job)?;
        table.check_blocks(job.watch)?;
        let numbered = &*self.number(job)?;
        let graph = &*numbered.graph();
        fit(&table, graph, job.table)?;
        let needed = |tier| tier..=graph.last_child_tier(tier);
        let bytes = |tier| needed(tier).map(|tier| table.tier_bytes(tier)).sum();
        let bytes = (0..graph.tiers()).map(bytes).max().unwrap_or(0);
        need_memory("verifying", bytes, job.memory)?;
        for tier in 0..graph.tiers() {
            table.check_keys(tier, &|tier, slots| numbered.keys(tier, slots))?;
        }
        let fetch = &|tier| table.tier(tier);
        let trial = Trial { graph, fetch };
        let verdict = trial.run(sample, job.watch)?;
        if sample.is_some() || !verdict.ok() {
            return Ok(verdict);
        }
        let traps = self.verify_depths(job, graph, &table)?;
        self.verify_summary(job, numbered, &table)?;
        Ok(verdict.merge(traps))
    }

    /// Judges the depths of traps, where they have been worked out.
    fn verify_depths(
        &self,
        job: &Job,
        graph: &dyn Graph,
        table: &Table,
    ) -> Result<Verdict, SolveError> {
        let Some(depths) = self.open_depths(job, table)? else { return Ok(Verdict::default()) };
        depths.check_blocks(job.watch)?;
        fit(&depths, graph, &traps(job.table))?;
        let values = &fetch_all(job, table, "verifying traps")?;
        let depths = &fetch_all(job, &depths, "verifying traps")?;
        let verdict = Judge { graph, values, depths }.run(job.watch)?;
        // These positions have been counted with their values.
        Ok(Verdict { checked: 0, ..verdict })
    }

    /// Counts again what is kept beside the table.
    fn verify_summary(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        table: &Table,
    ) -> Result<(), SolveError> {
        let path = statistics(job.table);
        let Some(kept) = Statistics::read(&path)?.filter(|kept| kept.table == table.hash()) else {
            return Ok(());
        };
        let counted = self.census(job, table, numbered, false, kept.full.is_some())?;
        if counted.summary() == kept.summary && kept.full.is_none_or(|full| full == counted) {
            return Ok(());
        }
        let what = "it counts other positions than the table holds".into();
        Err(TableError::Damaged { path, what }.into())
    }
}

/// Sees to it that a table has the tiers of a numbering.
fn fit(table: &Table, graph: &dyn Graph, path: &Path) -> Result<(), TableError> {
    let fits = |tier| table.len(tier) == graph.len(tier);
    if table.identity().tiers == graph.tiers() && (0..graph.tiers()).all(fits) {
        return Ok(());
    }
    let what = "its tiers have other sizes than the game's numbering".into();
    Err(TableError::Damaged { path: path.into(), what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{erased::Setup, graphs, index::Slot, solve, table::Writer, watch::Unwatched};

    /// Writes a table whose values are right, with the given salt for its keys and a count that is
    /// off by a few, and returns what `verify` finds.
    fn verified(salt: u64, off_by: u64) -> Result<Verdict, SolveError> {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("heap");
        let job = Job { game: "heap", table: &table, memory: u64::MAX, watch: &Unwatched };
        // A heap from which one or two are taken; the last to take wins.
        let moves = (0..10).map(|at: u32| (at + 1..=(at + 2).min(9)).collect()).collect();
        let game = Setup::of(graphs::Graph::of(moves, |_| 0)).erased();
        let numbered = &*game.number(&job)?;
        let identity = game.identity(&job, 1, Some(0));
        let (graph, index) = (&*numbered.graph(), numbered.index());
        let keys = |_, slots: std::ops::Range<u64>| -> Vec<u64> {
            let at = |i| index.position(Slot { tier: 0, index: i }).unwrap();
            let at = |i| crate::index::key(&at(i), salt);
            let mut keys: Vec<u64> = (0..graph.total()).map(at).collect();
            keys.sort();
            keys[slots.start as usize..slots.end as usize].to_vec()
        };
        let (total, keys) = (graph.total(), Some(&keys as _));
        let mut writer = Writer::open(&table, identity, total, keys, &Unwatched)?;
        solve::run(game.task(graph), &mut writer, &Unwatched)?;
        writer.finish()?;
        let table = game.open_table(&job)?;
        let mut summary = game.count(&job, &table, numbered)?;
        summary.counts.positions += off_by;
        game.keep_statistics(&job, &table, summary, None)?;
        game.verify(&job, None)
    }

    #[test]
    fn verify_judges_keys_and_counts_besides_values() {
        assert!(verified(0, 0).unwrap().ok());
        let keys = verified(1, 0).unwrap_err().to_string();
        assert!(keys.contains("holds other keys than the game"), "{keys}");
        let counts = verified(0, 1).unwrap_err().to_string();
        assert!(counts.contains("it counts other positions"), "{counts}");
    }
}
