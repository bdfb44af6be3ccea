//! Which positions of a game count: those that can be reached from its start, or all of them.

use super::{ErasedGame, NumberedGame};
use crate::{
    analysis::{reachability::Reached, reachability_kernel::Flow, stats::Crowd},
    solve::SolveError,
    watch::Watch,
};

impl ErasedGame {
    /// What is to be counted: what can be reached from the start; with `all`, everything.
    pub(crate) fn crowd(
        &self,
        numbered: &dyn NumberedGame,
        all: bool,
    ) -> Result<Crowd<'_>, SolveError> {
        Ok(match &self.abilities.spread {
            Some(spread) => Crowd::Spread(Flow::new(&**spread, all || self.abilities.listed)),
            None => Crowd::Reached(self.begin(numbered, all)?),
        })
    }

    /// What can be reached from the start; with `all`, everything.
    fn begin(&self, numbered: &dyn NumberedGame, all: bool) -> Result<Reached, SolveError> {
        // A walk finds what can be reached, and nothing else.
        if all || self.abilities.listed || numbered.salt().is_some() {
            return Ok(Reached::everything());
        }
        Reached::begin(&*numbered.graph())
    }

    /// All that can be reached from the start; with `all`, everything.
    pub(crate) fn reached(
        &self,
        numbered: &dyn NumberedGame,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        match &self.abilities.spread {
            Some(spread) if !all && !self.abilities.listed => {
                Reached::told(Flow::new(&**spread, false), &*numbered.graph(), watch)
            }
            _ => self.begin(numbered, all)?.follow_all(&*numbered.graph(), watch),
        }
    }
}
