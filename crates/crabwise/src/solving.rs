//! Solving a game into its table: by the threads of this process, through files, or with other workers.

use std::sync::{Mutex, RwLock};

use crate::{
    analysis::{
        check,
        reachability::{Reached, stride},
        reachability_kernel::Flow,
        stats::{Census, Run, Stats},
    },
    apart::{
        Company, Crew, Desk, Divided, Marking, Undivided, Walk, Walker, disk::Streamed,
        room::measure, work,
    },
    erased::{ErasedGame, Job, NumberedGame},
    game::dynamic::DynPosition,
    graph::Graph,
    index::Index,
    solve::{self, Plan, Shelf, SolveError, Task, sample_children},
    table::{Identity, Summary, Table, TableError, Tiers, Writer, block_of, scratch, tidy},
};

/// What a solve has to tell.
#[derive(Debug)]
pub struct Solved {
    /// What was done; `None` if the table was there already.
    pub plan: Option<Plan>,
    /// Tiers that an earlier run had finished.
    pub resumed: u32,
    /// What the table's footer says.
    pub summary: Summary,
    /// The size of the table.
    pub bytes: u64,
    /// Its fingerprint.
    pub hash: u128,
}

impl ErasedGame {
    /// How the game would be solved. May have to walk it.
    pub fn plan(&self, job: &Job) -> Result<Plan, SolveError> {
        let numbered = self.number(job)?;
        let graph = numbered.graph();
        let task = self.task(&*graph);
        task.refuse_circles()?;
        Ok(Plan::new(task, numbered.prospect()))
    }

    /// Solves the game into its table, or goes on with that, or says that it is done. Tells `planned` how, before it
    /// begins.
    pub fn solve(&self, job: &Job, planned: &dyn Fn(&Plan)) -> Result<Solved, SolveError> {
        let made = match self.find_table(job)? {
            Some(_) => None,
            None => Some(self.solve_numbered(job, &*self.number(job)?, planned)?),
        };
        self.tell_solved(job, made)
    }

    /// Solves it with many workers, of which `crew` are in this process. `None` in processes other than that
    /// of the first worker, where the table is.
    pub fn solve_with(
        &self,
        job: &Job,
        crew: &dyn Crew,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<Solved>, SolveError> {
        let found = if crew.has_first() { self.find_table(job) } else { Ok(None) };
        let made = match self.typed.walker() {
            Some(walker) => self.solve_walked_with(job, crew, walker, found)?,
            None => self.solve_numbered_with(job, crew, &*self.number(job)?, found, planned)?,
        };
        match crew.has_first() {
            true => self.tell_solved(job, made).map(Some),
            false => Ok(None),
        }
    }

    /// The table, if it is there; what a killed run left beside it is tidied up.
    pub(crate) fn find_table(&self, job: &Job) -> Result<Option<Table>, TableError> {
        match self.open_table(job) {
            Err(TableError::Missing { .. }) => Ok(None),
            opened => {
                let table = opened?;
                tidy(job.table);
                Ok(Some(table))
            }
        }
    }

    /// What a solve has to tell, once the table is there.
    pub(crate) fn tell_solved(
        &self,
        job: &Job,
        made: Option<(Plan, u32)>,
    ) -> Result<Solved, SolveError> {
        let table = self.open_table(job)?;
        let (plan, resumed) = made.map_or((None, 0), |(plan, resumed)| (Some(plan), resumed));
        let (summary, bytes, hash) = (*table.summary(), table.bytes(), table.hash());
        Ok(Solved { plan, resumed, summary, bytes, hash })
    }

    /// Sees to it that the game can be solved at all.
    pub(crate) fn prepare<'a>(
        &'a self,
        graph: &'a dyn Graph,
        numbered: &dyn NumberedGame,
    ) -> Result<Task<'a>, SolveError> {
        if numbered.salt().is_none() {
            let index: &dyn Index<DynPosition> = &*numbered.index();
            check::spot(&self.game(), index)?;
        }
        let task = self.task(graph);
        task.refuse_circles()?;
        Ok(task)
    }

    pub(crate) fn identity(&self, job: &Job, numbered: &dyn NumberedGame) -> Identity {
        Identity {
            game: job.game.into(),
            rules: self.abilities.rules,
            numbering: self.typed.numbering(),
            tiers: numbered.graph().tiers(),
            keys: numbered.salt(),
            outcomes: self.abilities.outcomes,
        }
    }

    pub(crate) fn solve_numbered(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        planned: &dyn Fn(&Plan),
    ) -> Result<(Plan, u32), SolveError> {
        let graph = &*numbered.graph();
        let task = self.prepare(graph, numbered)?;
        let plan = Plan::new(task, numbered.prospect()).within(job.memory);
        planned(&plan);
        if plan.needed() > job.memory {
            return Err(SolveError::NoRoom { plan: Box::new(plan), limit: job.memory });
        }
        let keys = |tier, slots| numbered.keys(tier, slots);
        let keys = numbered.salt().is_some().then_some(&keys as _);
        let identity = self.identity(job, numbered);
        let mut writer = Writer::open(job.table, identity, task.graph.total(), keys, job.watch)?;
        let resumed = writer.finished();
        let stats = match plan.streams {
            Some(_) => self.stream(job, numbered, task, &mut writer)?,
            None => {
                let mut tiers = solve::run(task, &mut writer, job.watch)?;
                // Counting may take a while too.
                writer.settle()?;
                self.count(job, numbered, &mut writer, &mut tiers)?
            }
        };
        writer.finish(&stats.summary())?;
        Ok((plan, resumed))
    }

    /// Solves and counts in less memory than the game would take.
    pub(crate) fn stream(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        task: Task,
        writer: &mut Writer,
    ) -> Result<Stats, SolveError> {
        let block = block_of(task.graph.total());
        let memory = Plan::free(job.memory, numbered.prospect());
        let scratch = scratch(job.table);
        Streamed { task, memory, block, scratch, watch: job.watch }.run(writer)?;
        writer.settle()?;
        let crowd = self.crowd(numbered, false)?;
        let census = Census { graph: task.graph, crowd, moves: false };
        let blocks = (memory / 8 / block).max(1);
        let fetch = &mut |_: &mut Undivided, tier, first| {
            Ok(Run { words: writer.run(tier, first, blocks)?, first })
        };
        census.take_share(&mut Undivided, fetch, job.watch)
    }

    /// The same with other workers; what the first process has to tell.
    pub(crate) fn solve_numbered_with(
        &self,
        job: &Job,
        crew: &dyn Crew,
        numbered: &dyn NumberedGame,
        found: Result<Option<Table>, TableError>,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<(Plan, u32)>, SolveError> {
        let keys = |tier, slots| numbered.keys(tier, slots);
        let keys = numbered.salt().is_some().then_some(&keys as _);
        let identity = self.identity(job, numbered);
        let graph = &*numbered.graph();
        let slots = graph.total();
        let open = || Writer::open(job.table, identity.clone(), slots, keys, job.watch);
        let begun = self.prepare(graph, numbered).and_then(|task| {
            let complete = found?.is_some();
            let writes = crew.has_first() && !complete;
            Ok((task, writes.then(open).transpose()?, complete))
        });
        let (task, writer, complete, trouble) = match begun {
            Ok((task, writer, complete)) => (task, writer, complete, None),
            Err(error) => (self.task(graph), None, false, Some(error)),
        };
        let plan = Plan::new(task, numbered.prospect());
        planned(&plan);
        let resumed = writer.as_ref().map_or(0, Writer::finished);
        let count = |divided: &mut Divided, desk: Desk| {
            let census = Census { graph, crowd: self.crowd(numbered, false)?, moves: false };
            let fetch = &mut |divided: &mut Divided, tier, _| {
                divided.fetch(desk, tier, graph.len(tier), block_of(slots))
            };
            Ok(census.take_share(divided, fetch, job.watch)?.summary())
        };
        let bits = self.mark_bits(numbered, job.memory);
        let marking = Marking { whole: self.mark_bytes(numbered, bits), bits, count: &count };
        let company = Company {
            task,
            later: RwLock::new(Tiers::new(task.graph.tiers())),
            writer: writer.map(Mutex::new),
            table: Some((job.table.into(), identity.clone())),
            block: block_of(slots),
            memory: job.memory,
            mark: identity.mark(),
            trouble: trouble.as_ref().map(SolveError::to_string),
            complete,
            numbering: numbered.prospect().numbering,
            measures: measure(graph, &|tier| sample_children(graph, tier)),
            marking: Some(marking),
            summary: Mutex::new(None),
        };
        let worked = crew.run(&|exchange| work(&company, exchange, job.watch));
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        worked?;
        let Some(writer) = company.writer else { return Ok(None) };
        let mut writer = writer.into_inner().expect("no worker panics while it holds it");
        let summary = company.summary.into_inner().expect("no worker panics while it holds it");
        writer.finish(&summary.expect("what is solved is counted"))?;
        Ok(Some((plan, resumed)))
    }

    /// How many marks of what can be reached a slot has; looked at closely only where the most that it may
    /// be would be much.
    fn mark_bits(&self, numbered: &dyn NumberedGame, memory: u64) -> u64 {
        let graph = &*numbered.graph();
        let most = graph.folds().into();
        let much = most > 1 && self.mark_bytes(numbered, most) > memory / 4;
        if much { stride(graph) } else { most }
    }

    /// Bytes that marks take, where they are whole and there are so many a slot.
    fn mark_bytes(&self, numbered: &dyn NumberedGame, bits: u64) -> u64 {
        let graph = &*numbered.graph();
        match &self.abilities.spread {
            // A walk finds what can be reached, and nothing else.
            _ if numbered.salt().is_some() || self.abilities.listed => 0,
            Some(spread) => Flow::peak(&**spread, graph.tiers(), &|_| 0),
            // Each process also knows what it has told.
            None => Reached::bytes_of(graph, bits).saturating_mul(2),
        }
    }

    /// The same for a game whose positions have to be found first.
    pub(crate) fn solve_walked_with(
        &self,
        job: &Job,
        crew: &dyn Crew,
        walker: &dyn Walker,
        found: Result<Option<Table>, TableError>,
    ) -> Result<Option<(Plan, u32)>, SolveError> {
        let identity = |tiers| Identity {
            game: job.game.into(),
            rules: self.abilities.rules,
            numbering: self.typed.numbering(),
            tiers,
            keys: Some(0),
            outcomes: self.abilities.outcomes,
        };
        let (complete, trouble) = match found {
            Ok(found) => (found.is_some(), None),
            Err(error) => (false, Some(error)),
        };
        let walk = Walk {
            walker,
            job,
            outcomes: self.abilities.outcomes,
            mark: identity(0).mark(),
            complete,
            trouble: trouble.as_ref().map(TableError::to_string),
            identity: &identity,
            made: Mutex::new(None),
        };
        let worked = crew.run(&|exchange| walk.work(exchange));
        if let Some(trouble) = trouble {
            return Err(trouble.into());
        }
        worked?;
        Ok(walk.made.into_inner().expect("no worker panics while it holds it"))
    }

    /// Counts what was solved, from memory where it is still there.
    pub(crate) fn count(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        writer: &mut Writer,
        tiers: &mut Tiers,
    ) -> Result<Stats, SolveError> {
        let crowd = self.crowd(numbered, false)?;
        let census = Census { graph: &*numbered.graph(), crowd, moves: false };
        census.take(
            &mut |tier| match tiers.take(tier) {
                Some(words) => Ok(words),
                None => writer.fetch(tier).map_err(SolveError::from),
            },
            job.watch,
        )
    }
}
