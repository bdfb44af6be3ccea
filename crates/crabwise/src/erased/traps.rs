//! The depths of a game's traps, kept in a table beside its own.

use super::{ErasedGame, Job, NumberedGame};
use crate::{
    analysis::label::depths,
    solve::{SolveError, need_memory},
    table::{Identity, Table, TableError, Writer, remove_one, traps},
};

impl ErasedGame {
    /// Whether the depths of traps are there, so that nothing would have to be worked out for labels.
    pub fn has_traps(&self, job: &Job) -> Result<bool, TableError> {
        let table = self.open_table(job)?;
        Ok(self.open_depths(job, &table)?.is_some())
    }

    /// The depths of traps that belong to a table, if they are there. Those of an earlier table are
    /// not.
    pub(crate) fn open_depths(
        &self,
        job: &Job,
        table: &Table,
    ) -> Result<Option<Table>, TableError> {
        match Table::open_for(&traps(job.table), &about_depths(job, table)) {
            Ok(depths) => Ok(Some(depths)),
            Err(TableError::Missing { .. } | TableError::Other { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The depths of traps. Those that are not there yet are worked out and kept.
    pub(crate) fn depths(
        &self,
        job: &Job,
        table: &Table,
        numbered: Option<&dyn NumberedGame>,
    ) -> Result<Table, SolveError> {
        if let Some(depths) = self.open_depths(job, table)? {
            return Ok(depths);
        }
        let Some(numbered) = numbered else {
            return self.depths(job, table, Some(&*self.number(job)?));
        };
        let graph = &*numbered.graph();
        need_memory("finding traps", graph.total() * 2 + graph.largest() * 4, job.memory)?;
        let path = traps(job.table);
        if path.exists() {
            remove_one(&path)?;
        }
        let mut writer =
            Writer::open(&path, about_depths(job, table), graph.total(), None, job.watch)?;
        let mut fetch = |tier| table.tier(tier);
        depths(graph, &mut fetch, &mut writer, job.memory, job.watch)?;
        writer.finish()?;
        Ok(Table::open(&path)?)
    }
}

/// What the depths are about: they belong to one table of values.
fn about_depths(job: &Job, table: &Table) -> Identity {
    let game = format!("traps of {}, table {:032x}", job.game, table.hash());
    Identity { game, keys: None, ..table.identity().clone() }
}
