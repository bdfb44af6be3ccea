//! Holding a game, its numbering and its abilities to their contracts.

use crate::{
    analysis::check::{self, Checked},
    erased::{ErasedGame, Job},
    solve::SolveError,
};

impl ErasedGame {
    /// Holds the game, its numbering and its abilities to their contracts.
    pub fn check(&self, job: &Job, seed: u64) -> Result<Vec<Checked>, SolveError> {
        let game = &self.game();
        let sample = &check::sample(game, seed);
        let mut done = vec![check::game(sample)];
        if let Some(expand) = self.abilities.expand {
            done.push(check::batched(sample, expand));
        }
        let memory = job.memory.min(check::WALK_BYTES);
        let numbered = match self.typed.number(memory, true, job.watch) {
            Ok(numbered) => numbered,
            // Too large to be walked for a check: its rules were sampled, and that is all.
            Err(SolveError::TooLarge { .. }) => return Ok(done),
            Err(error) => {
                done.push(broken("walk")(error)?);
                return Ok(done);
            }
        };
        let (graph, index) = (&*numbered.graph(), numbered.index());
        done.push(check::index(sample, index));
        if let Some(unplay) = self.abilities.unplay.filter(|_| numbered.salt().is_none()) {
            done.push(check::unplay(sample, index, unplay));
        }
        let task = self.task(graph);
        task.refuse_circles()?;
        done.push(check::values(sample, index, task, job.watch).or_else(broken("values"))?);
        if let Some(spread) = self.abilities.spread.as_deref() {
            let spread = check::spread(game, index, graph, spread, job.watch);
            done.push(spread.or_else(broken("spread"))?);
        }
        if let Some(kernel) = self.abilities.kernel.as_deref() {
            let kernel = check::kernel(graph, kernel, job.watch);
            done.push(kernel.or_else(broken("kernel"))?);
        }
        Ok(done)
    }
}

/// A fault that a solver met is what a check is after, and not a reason to end it.
fn broken(contract: &'static str) -> impl Fn(SolveError) -> Result<Checked, SolveError> {
    move |error| match error {
        SolveError::Stopped(_) | SolveError::NoMemory { .. } | SolveError::Table(_) => Err(error),
        error => Ok(Checked { broken: Some(error.to_string()), ..check::unjudged(contract) }),
    }
}
