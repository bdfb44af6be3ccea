//! Solving a game into its table: by the threads of this process, through files, or with other workers.

use std::sync::{Mutex, RwLock};

use crate::{
    Crew, Job, Plan, SolveError, Solved, Stats, Table, TableError, Tiers,
    any::Forgotten,
    apart::{
        Company, Desk, Divided, Marking, Undivided, Walk, Walker, disk::Streamed, room::measure,
        work,
    },
    check,
    reach::{Reached, stride},
    solve::{self, Shelf, Task, sample_children},
    spread::Flow,
    stats::{Census, Run},
    table::{Identity, Writer, block_of, scratch, tidy},
    typed::Sight,
};

impl Forgotten {
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
    pub(crate) fn prepare<'a>(&'a self, sight: &'a dyn Sight) -> Result<Task<'a>, SolveError> {
        if sight.salt().is_none() {
            check::spot(&self.game(), sight.index())?;
        }
        let task = self.task(sight.graph());
        task.refuse_circles()?;
        Ok(task)
    }

    pub(crate) fn identity(&self, job: &Job, sight: &dyn Sight) -> Identity {
        Identity {
            game: job.game.into(),
            rules: self.abilities.rules,
            numbering: self.typed.numbering(),
            tiers: sight.graph().tiers(),
            keys: sight.salt(),
            outcomes: self.abilities.outcomes,
        }
    }

    pub(crate) fn solve_numbered(
        &self,
        job: &Job,
        sight: &dyn Sight,
    ) -> Result<(Plan, u32), SolveError> {
        let task = self.prepare(sight)?;
        let plan = Plan::new(task, sight.prospect()).within(job.memory);
        job.watch.planned(&plan);
        if plan.needed() > job.memory {
            return Err(SolveError::NoRoom { plan: Box::new(plan), limit: job.memory });
        }
        let keys = |tier, slots| sight.keys(tier, slots);
        let keys = sight.salt().is_some().then_some(&keys as _);
        let identity = self.identity(job, sight);
        let mut writer = Writer::open(job.table, identity, task.graph.total(), keys, job.watch)?;
        let resumed = writer.finished();
        let stats = match plan.streams {
            Some(_) => self.stream(job, sight, task, &mut writer)?,
            None => {
                let mut tiers = solve::run(task, &mut writer, job.watch)?;
                // Counting may take a while too.
                writer.settle()?;
                self.count(job, sight, &mut writer, &mut tiers)?
            }
        };
        writer.finish(&stats.summary())?;
        Ok((plan, resumed))
    }

    /// Solves and counts in less memory than the game would take.
    pub(crate) fn stream(
        &self,
        job: &Job,
        sight: &dyn Sight,
        task: Task,
        writer: &mut Writer,
    ) -> Result<Stats, SolveError> {
        let block = block_of(task.graph.total());
        let memory = Plan::free(job.memory, sight.prospect());
        let scratch = scratch(job.table);
        Streamed { task, memory, block, scratch, watch: job.watch }.run(writer)?;
        writer.settle()?;
        let crowd = self.crowd(sight, false)?;
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
        sight: &dyn Sight,
        found: Result<Option<Table>, TableError>,
    ) -> Result<Option<(Plan, u32)>, SolveError> {
        let keys = |tier, slots| sight.keys(tier, slots);
        let keys = sight.salt().is_some().then_some(&keys as _);
        let identity = self.identity(job, sight);
        let slots = sight.graph().total();
        let open = || Writer::open(job.table, identity.clone(), slots, keys, job.watch);
        let begun = self.prepare(sight).and_then(|task| {
            let complete = found?.is_some();
            let writes = crew.has_first() && !complete;
            Ok((task, writes.then(open).transpose()?, complete))
        });
        let (task, writer, complete, trouble) = match begun {
            Ok((task, writer, complete)) => (task, writer, complete, None),
            Err(error) => (self.task(sight.graph()), None, false, Some(error)),
        };
        let plan = Plan::new(task, sight.prospect());
        job.watch.planned(&plan);
        let resumed = writer.as_ref().map_or(0, Writer::finished);
        let graph = sight.graph();
        let count = |divided: &mut Divided, desk: Desk| {
            let census = Census { graph, crowd: self.crowd(sight, false)?, moves: false };
            let fetch = &mut |divided: &mut Divided, tier, _| {
                divided.fetch(desk, tier, graph.len(tier), block_of(slots))
            };
            Ok(census.take_share(divided, fetch, job.watch)?.summary())
        };
        let bits = self.mark_bits(sight, job.memory);
        let marking = Marking { whole: self.mark_bytes(sight, bits), bits, count: &count };
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
            numbering: sight.prospect().numbering,
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
    fn mark_bits(&self, sight: &dyn Sight, memory: u64) -> u64 {
        let (graph, most) = (sight.graph(), sight.graph().folds().into());
        let much = most > 1 && self.mark_bytes(sight, most) > memory / 4;
        if much { stride(graph) } else { most }
    }

    /// Bytes that marks take, where they are whole and there are so many a slot.
    fn mark_bytes(&self, sight: &dyn Sight, bits: u64) -> u64 {
        let graph = sight.graph();
        match &self.abilities.spread {
            // A walk finds what can be reached, and nothing else.
            _ if sight.salt().is_some() || self.abilities.listed => 0,
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
        sight: &dyn Sight,
        writer: &mut Writer,
        tiers: &mut Tiers,
    ) -> Result<Stats, SolveError> {
        let crowd = self.crowd(sight, false)?;
        let census = Census { graph: sight.graph(), crowd, moves: false };
        census.take(
            &mut |tier| match tiers.take(tier) {
                Some(words) => Ok(words),
                None => writer.fetch(tier).map_err(SolveError::from),
            },
            job.watch,
        )
    }
}
