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
            None if self.all_count(numbered, all) => Crowd::Reached(Reached::everything()),
            None => Crowd::Reached(Reached::begin(&*numbered.graph())?),
        })
    }

    /// A walk finds what can be reached, and nothing else.
    fn all_count(&self, numbered: &dyn NumberedGame, all: bool) -> bool {
        all || self.abilities.listed || numbered.salt().is_some()
    }

    /// All that can be reached from the start; with `all`, everything.
    pub(crate) fn reached(
        &self,
        numbered: &dyn NumberedGame,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        if self.all_count(numbered, all) {
            return Ok(Reached::everything());
        }
        match self.crowd(numbered, false)? {
            Crowd::Spread(flow) => Reached::told(flow, &*numbered.graph(), watch),
            Crowd::Reached(begun) => begun.follow_all(&*numbered.graph(), watch),
        }
    }
}
