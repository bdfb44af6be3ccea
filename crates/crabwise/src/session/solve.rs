//! Solving a game into its table: by the threads of this process, through files, or with other workers. What can be
//! reached is counted once the table is safe.

use std::sync::{Mutex, RwLock};

use crate::{
    analysis::{check, partitioned, reachability::stride},
    cost::{
        memory_model::{MemoryModel, measure},
        plan::Plan,
    },
    erased::{Abilities, ErasedGame, Job, NumberedGame, Prospect},
    game::{Game, Value},
    graph::Graph,
    solve::{
        self, SolveError, Task, WorkerGroup,
        communicator::Comm,
        distributed::{ProcessState, refuse_what_does_not_fit, same_game},
        enumerated::WalkPart,
        external_memory::Streamed,
        held,
    },
    table::{Identity, Summary, Table, TableError, Tiers, Writer, block_of, scratch, tidy},
};

/// What a solve has to tell.
#[derive(Debug)]
pub struct Solved {
    /// What was done; `None` if the table was there already.
    pub plan: Option<Plan>,
    /// Tiers that an earlier run had finished.
    pub resumed: u32,
    /// The value of the start.
    pub start: Value,
    /// What was counted, now or before.
    pub summary: Option<Summary>,
    /// The size of the table.
    pub bytes: u64,
    /// Its fingerprint.
    pub hash: u128,
}

/// What was made in this run.
struct Made {
    plan: Plan,
    resumed: u32,
    /// What the workers counted together.
    summary: Option<Summary>,
}

impl ErasedGame {
    /// How the game would be solved. May have to walk it.
    pub fn plan(&self, job: &Job) -> Result<Plan, SolveError> {
        let numbered = self.number_to_solve(job)?;
        let graph = numbered.graph();
        let task = Task { recorded: numbered.recorded(), ..self.task(&*graph) };
        task.refuse_circles()?;
        Ok(self.plan_of(task, numbered.prospect()))
    }

    /// Solves the game into its table, or goes on with that, or says that it is done. Tells `planned` how, before it
    /// begins. Then counts what can be reached, if that is wanted and has not been done before.
    pub fn solve(
        &self,
        job: &Job,
        count: bool,
        planned: &dyn Fn(&Plan),
    ) -> Result<Solved, SolveError> {
        if self.find_table(job)?.is_some() {
            return self.finish(job, None, None, count);
        }
        let numbered = &*self.number_to_solve(job)?;
        let made = self.solve_numbered(job, numbered, planned)?;
        self.finish(job, Some(made), Some(numbered), count)
    }

    /// Solves it with many workers, of which `group` are in this process. `None` in processes other than that
    /// of rank 0, where the table is.
    pub fn solve_with(
        &self,
        job: &Job,
        group: &dyn WorkerGroup,
        count: bool,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<Solved>, SolveError> {
        let found = if group.has_root() { self.find_table(job) } else { Ok(None) };
        let done = Distributed { game: self, job, group, count };
        self.need_table()?;
        let (made, numbered) = match self.abilities.walker {
            Some(walker) => (done.solve_walked(walker, found)?, None),
            None => {
                let numbered = self.number(job)?;
                (done.solve_numbered(&*numbered, found, planned)?, Some(numbered))
            }
        };
        match group.has_root() {
            true => self.finish(job, made, numbered.as_deref(), count).map(Some),
            false => Ok(None),
        }
    }

    /// The table, if it is there; what a killed run left beside it is tidied up.
    fn find_table(&self, job: &Job) -> Result<Option<Table>, TableError> {
        match self.open_table(job) {
            Err(TableError::Missing { .. }) => Ok(None),
            opened => {
                let table = opened?;
                tidy(job.table);
                Ok(Some(table))
            }
        }
    }

    /// Counts, if that is wanted and was not done, and tells what there is to tell of a finished table.
    fn finish(
        &self,
        job: &Job,
        made: Option<Made>,
        numbered: Option<&dyn NumberedGame>,
        count: bool,
    ) -> Result<Solved, SolveError> {
        let table = self.open_table(job)?;
        let mut summary = self.read_statistics(job, &table).map(|statistics| statistics.summary);
        if let Some(counted) = made.as_ref().and_then(|made| made.summary) {
            self.keep_statistics(job, &table, counted, None)?;
            summary = Some(counted);
        }
        if count && summary.is_none() {
            let counted = match numbered {
                Some(numbered) => self.count(job, &table, numbered),
                None => self.count(job, &table, &*self.number(job)?),
            };
            summary = Some(counted.map_err(uncounted)?);
        }
        let (_, start) = self.find(&table, &self.game().start(), 0)?;
        let (plan, resumed) = made.map_or((None, 0), |made| (Some(made.plan), made.resumed));
        let (bytes, hash) = (table.bytes(), table.hash());
        Ok(Solved { plan, resumed, start, summary, bytes, hash })
    }

    /// Sees to it that the game can be solved at all.
    fn prepare<'a>(
        &'a self,
        graph: &'a dyn Graph,
        numbered: &'a dyn NumberedGame,
    ) -> Result<Task<'a>, SolveError> {
        if numbered.salt().is_none() {
            let Abilities { unplay, ref spread, expand, .. } = self.abilities;
            let believed = check::Believed { unplay, spread: spread.as_deref(), expand };
            check::spot(&self.game(), numbered.index(), graph, &believed)?;
        }
        let task = Task { recorded: numbered.recorded(), ..self.task(graph) };
        task.refuse_circles()?;
        Ok(task)
    }

    fn solve_numbered(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        planned: &dyn Fn(&Plan),
    ) -> Result<Made, SolveError> {
        let graph = &*numbered.graph();
        let task = self.prepare(graph, numbered)?;
        let plan = self.plan_of(task, numbered.prospect()).within(job.memory);
        planned(&plan);
        if plan.needed() > job.memory {
            let (doing, bytes, limit) = ("solving", plan.needed(), job.memory);
            return Err(SolveError::NoMemory { doing, bytes, limit, remedy: plan.remedy() });
        }
        let resumed = self.write_table(job, numbered, task, plan.streams.is_some())?;
        Ok(Made { plan, resumed, summary: None })
    }

    /// Solves all tiers into the table, in memory or through files. Returns how many were there before.
    pub(crate) fn write_table(
        &self,
        job: &Job,
        numbered: &dyn NumberedGame,
        task: Task,
        streams: bool,
    ) -> Result<u32, SolveError> {
        let keys = |tier, slots| numbered.keys(tier, slots);
        let keys = numbered.salt().is_some().then_some(&keys as _);
        let identity = self.identity(job, task.graph.tiers(), numbered.salt());
        let slots = task.graph.total();
        let mut writer = Writer::open(job.table, identity, slots, keys, job.watch)?;
        let resumed = writer.finished();
        if streams {
            let memory = Plan::free(job.memory, numbered.prospect());
            let (scratch, watch) = (scratch(job.table), job.watch);
            Streamed { task, memory, scratch, watch }.run(&mut writer)?;
        } else {
            solve::run(task, &mut writer, job.watch)?;
        }
        writer.finish()?;
        Ok(resumed)
    }
}

/// A stop while a whole table is being counted is no stop of the solve.
fn uncounted(error: SolveError) -> SolveError {
    match error {
        SolveError::Stopped(stop) => SolveError::Uncounted(stop),
        error => error,
    }
}

/// A solve with other workers.
struct Distributed<'d> {
    game: &'d ErasedGame,
    job: &'d Job<'d>,
    group: &'d dyn WorkerGroup,
    count: bool,
}

/// What a worker does.
type Work<'w> = dyn Fn(&mut Comm) -> Result<(), SolveError> + Sync + 'w;

/// How often a worker of a game with a numbering had marks in parts.
#[cfg(test)]
pub(super) static COUNTED_IN_PARTS: std::sync::atomic::AtomicU64 =
    std::sync::atomic::AtomicU64::new(0);

impl Distributed<'_> {
    /// Runs `work` on each worker of this process. Trouble that there is before all workers begin is told to all.
    fn run(
        &self,
        mark: u64,
        found: Result<Option<Table>, SolveError>,
        work: &Work,
    ) -> Result<(), SolveError> {
        let (complete, trouble) = match found {
            Ok(found) => (found.is_some(), None),
            Err(error) => (false, Some(error)),
        };
        let why = trouble.as_ref().map(SolveError::to_string);
        let worked = self.group.run(&|communicator| {
            let mut comm = Comm::new(communicator, self.job.watch, true);
            let worked = same_game(&mut comm, mark, why.as_ref())
                .and_then(|()| comm.root_says(complete))
                .and_then(|complete| if complete { Ok(()) } else { work(&mut comm) });
            if let Err(error) = &worked {
                comm.abort(error);
            }
            worked
        });
        trouble.map_or(worked, Err)
    }

    fn solve_numbered(
        &self,
        numbered: &dyn NumberedGame,
        found: Result<Option<Table>, TableError>,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<Made>, SolveError> {
        let Distributed { game, job, group, .. } = *self;
        let graph = &*numbered.graph();
        let task = game.task(graph);
        let plan = game.plan_of(task, numbered.prospect());
        planned(&plan);
        let identity = game.identity(job, graph.tiers(), None);
        let begun = game.prepare(graph, numbered).and_then(|_| Ok(found?));
        let writes = group.has_root() && matches!(begun, Ok(None));
        let open = || Writer::open(job.table, identity.clone(), graph.total(), None, job.watch);
        let (writer, begun) = match writes.then(open).transpose() {
            Ok(writer) => (writer, begun),
            Err(error) => (None, Err(error.into())),
        };
        let mark_bits = self.mark_bits(graph);
        let model = MemoryModel {
            tiers: &measure(graph, None),
            recorded: graph.backwards().is_none(),
            outcomes: task.outcomes,
            numbering: numbered.prospect().numbering,
            marks: game.mark_bytes(graph, false, mark_bits, &|_| 0),
            mark_bits,
        };
        self.make((task, plan), &identity, writer, &model, |work| {
            self.run(identity.mark(), begun, work)
        })
    }

    /// Solves a game whose positions have to be found first.
    fn solve_walked(
        &self,
        walker: WalkPart,
        found: Result<Option<Table>, TableError>,
    ) -> Result<Option<Made>, SolveError> {
        let made = Mutex::new(None);
        let mark = self.game.identity(self.job, 0, Some(0)).mark();
        self.run(mark, found.map_err(SolveError::from), &|comm| {
            if let Some(walked) = self.walk_and_solve(walker, comm)? {
                *held(&made) = Some(walked);
            }
            Ok(())
        })?;
        Ok(made.into_inner().expect("no worker panics while it holds it"))
    }

    fn walk_and_solve(
        &self,
        walker: WalkPart,
        comm: &mut Comm,
    ) -> Result<Option<Made>, SolveError> {
        let Distributed { game, job, .. } = *self;
        let graph = &*walker(game.game(), comm, job.memory)?;
        let task = Task { outcomes: game.abilities.outcomes, ..Task::plain(graph) };
        task.refuse_circles()?;
        let slots = graph.total();
        let identity = game.identity(job, graph.tiers(), Some(0));
        let open = || Writer::open(job.table, identity.clone(), slots, None, job.watch);
        let writer = comm.is_root().then(open).transpose()?;
        let children = graph.moves().unwrap_or(0) as f64 / slots.max(1) as f64;
        // The positions were found within the memory, and leave room for what is known of them.
        let tiers = &measure(graph, Some(children));
        let outcomes = task.outcomes;
        let model = MemoryModel { tiers, recorded: true, outcomes, ..MemoryModel::default() };
        let prospect = Prospect { numbering: 0, making: 0, children: Some(children) };
        let plan = game.plan_of(task, prospect);
        self.make((task, plan), &identity, writer, &model, |work| work(comm))
    }

    /// Has workers do their parts, those of this process or one of them.
    fn make(
        &self,
        (task, plan): (Task, Plan),
        identity: &Identity,
        writer: Option<Writer>,
        model: &MemoryModel,
        on_workers: impl FnOnce(&Work) -> Result<(), SolveError>,
    ) -> Result<Option<Made>, SolveError> {
        let resumed = writer.as_ref().map_or(0, Writer::finished);
        let state = ProcessState {
            task,
            later: RwLock::new(Tiers::new(task.graph.tiers())),
            writer: writer.map(Mutex::new),
            table: (self.job.table, identity),
            block: block_of(task.graph.total()),
            memory: self.job.memory,
            need: &|left, topology| model.solving(left as usize, topology),
        };
        let counted = Mutex::new(None);
        on_workers(&|comm| self.work(&state, model, comm, &counted))?;
        let summary = counted.into_inner().expect("no worker panics while it holds it");
        Ok(state.writer.is_some().then_some(Made { plan, resumed, summary }))
    }

    /// A worker's part: solving, the table's end, and counting where that takes all workers. Where the process of rank
    /// 0 can count alone, it does so when the others have ended.
    fn work(
        &self,
        state: &ProcessState,
        model: &MemoryModel,
        comm: &mut Comm,
        counted: &Mutex<Option<Summary>>,
    ) -> Result<(), SolveError> {
        let graph = state.task.graph;
        let need = model.counting(comm.topology());
        // Positions that only their owners can find are counted by these.
        let apart = graph.tiers() > 0 && graph.partition(0).is_some();
        let short = self.count && comm.is_root() && (apart || need.whole > self.job.memory);
        let in_parts = comm.any(short)?;
        let bytes = if in_parts { need.parts } else { 0 };
        refuse_what_does_not_fit(comm, bytes, self.job.memory)?;
        state.solve(comm)?;
        let root = state.writer.as_ref().filter(|_| comm.is_root());
        if let Some(writer) = root {
            held(writer).finish()?;
        }
        if !in_parts {
            return comm.tell();
        }
        #[cfg(test)]
        COUNTED_IN_PARTS.fetch_add((model.marks > 0).into(), std::sync::atomic::Ordering::Relaxed);
        if comm.is_process_root() {
            let mut later = state.later.write().expect("no worker panics while it holds it");
            *later = Tiers::new(later.count());
        }
        comm.begin("counting", None, None);
        let table = root.map(|_| self.game.open_table(self.job)).transpose()?;
        let table = table.as_ref().map(|table| &table.source);
        // The process with the fewest bits has looked most closely.
        let bits = (model.marks > 0).then(|| comm.min(model.mark_bits)).transpose()?;
        let summary = partitioned::count_parts(comm, graph, table, state.block, bits);
        let summary = summary.map_err(uncounted)?;
        if comm.is_root() {
            *held(counted) = Some(summary);
        }
        comm.tell()
    }

    /// How many marks of what can be reached a slot has; looked at closely only where the most that it may
    /// be would be much.
    fn mark_bits(&self, graph: &dyn Graph) -> u64 {
        let most = graph.max_orbit().into();
        let bytes = || self.game.mark_bytes(graph, false, most, &|_| 0);
        if most > 1 && bytes() > self.job.memory / 4 { stride(graph) } else { most }
    }
}
