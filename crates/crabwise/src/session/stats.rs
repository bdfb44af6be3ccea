//! Counting the positions of a solved game.

use crate::{
    analysis::stats::{Census, Stats},
    erased::{ErasedGame, Job},
    solve::SolveError,
};

impl ErasedGame {
    /// Statistics of what can be reached from the start, or of `all` positions.
    pub fn stats(&self, job: &Job, all: bool) -> Result<Stats, SolveError> {
        let table = self.open_table(job)?;
        let numbered = &*self.number(job)?;
        let crowd = self.crowd(numbered, all)?;
        let census = Census { graph: &*numbered.graph(), crowd, moves: true };
        census.take(&mut |tier| Ok(table.tier(tier)?), job.watch)
    }
}
