//! Counting the positions of a solved game, and keeping what was counted beside its table.

use std::io;

use crate::{
    analysis::{
        stats::{Census, Run, Stats},
        stats_file::Statistics,
    },
    erased::{ErasedGame, Job, NumberedGame},
    solve::SolveError,
    table::{Summary, Table, TableError, statistics},
    watch::Kept,
};

impl ErasedGame {
    /// Statistics of what can be reached from the start, or of `all` positions. The former are kept beside the table,
    /// and counted only once.
    pub fn stats(&self, job: &Job, all: bool) -> Result<Stats, SolveError> {
        let table = self.open_table(job)?;
        if !all && let Some(stats) = self.read_statistics(job, &table).and_then(|kept| kept.full) {
            return Ok(stats);
        }
        let stats = self.census(job, &table, &*self.number(job)?, all, true)?;
        if !all {
            self.keep_statistics(job, &table, stats.summary(), Some(stats.clone()))?;
        }
        Ok(stats)
    }

    /// What was counted of the table before, in a few words.
    pub fn summary(&self, job: &Job) -> Result<Option<Summary>, SolveError> {
        let table = self.open_table(job)?;
        Ok(self.read_statistics(job, &table).map(|kept| kept.summary))
    }

    /// Counts what people ask first, and keeps it.
    pub(crate) fn count(
        &self,
        job: &Job,
        table: &Table,
        numbered: &dyn NumberedGame,
    ) -> Result<Summary, SolveError> {
        let summary = self.census(job, table, numbered, false, false)?.summary();
        self.keep_statistics(job, table, summary, None)?;
        Ok(summary)
    }

    pub(crate) fn census(
        &self,
        job: &Job,
        table: &Table,
        numbered: &dyn NumberedGame,
        all: bool,
        moves: bool,
    ) -> Result<Stats, SolveError> {
        let crowd = self.crowd(numbered, all)?;
        let census = Census { graph: &*numbered.graph(), crowd, moves };
        let fetch = &mut |tier, first| {
            // The values of a tier, or as many blocks of it as fit.
            let whole = table.tier_bytes(tier) <= job.memory / 2;
            let words =
                if whole { table.tier(tier)? } else { table.run(tier, first, job.memory / 8)? };
            Ok(Run { words, first })
        };
        census.take(fetch, job.watch)
    }

    /// What is kept of this very table. What is damaged counts as not there, since it can be counted again.
    pub(crate) fn read_statistics(&self, job: &Job, table: &Table) -> Option<Statistics> {
        let kept = Statistics::read(&statistics(job.table)).ok().flatten();
        kept.filter(|kept| kept.table == table.hash())
    }

    pub(crate) fn keep_statistics(
        &self,
        job: &Job,
        table: &Table,
        summary: Summary,
        full: Option<Stats>,
    ) -> Result<(), SolveError> {
        let path = statistics(job.table);
        match (Statistics { table: table.hash(), summary, full }).write(&path) {
            // Where nothing may be written they are told all the same, and counted again the next time.
            Err(TableError::Io { source, .. }) if is_forbidden(&source) => return Ok(()),
            written => written?,
        }
        Ok(job.watch.kept(&path, Kept::Whole).map_err(TableError::from)?)
    }
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}
