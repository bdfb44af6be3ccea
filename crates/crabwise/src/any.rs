//! A game with its types erased: what a registry holds and a command works on.
//!
//! [`Setup`](crate::Setup) joins a game with the abilities it has; [`AnyGame`] is what is left when the
//! types are forgotten, and here is what it does.

use std::path::Path;

use crate::{
    Appending, Crew, Desk, Game, Plan, Sample, Slot, SolveError, Stats, Summary, Table, TableError,
    Tiers, Value, Verdict, WalkError,
    check::{self, Checked},
    explore::{Board, Explorer, LookError, Opened, Source, Traps, board},
    graph::Graph,
    label::{Chart, Charted, Draws, Judge, Labels, Wanted, depths, depths_of, literal},
    reach::Reached,
    setup::Abilities,
    solve::{
        Task,
        horizon::{Advice, Horizon, advise},
    },
    spread::Flow,
    stats::{Census, Crowd},
    table::{Identity, Writer, remove_one, traps},
    theory::Theory,
    typed::{Sight, Typed},
    untyped::{Position, Untyped},
    verify::Trial,
    watch::{Meter, Watch},
};

/// A piece of work: on which table, with how much memory, and who is watching.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The canonical game string, which the table's header holds.
    pub game: &'a str,
    /// Where the table is, or is to be.
    pub table: &'a Path,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Who is told how far it is.
    pub watch: &'a dyn Watch,
}

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

/// One position as it is exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Where it is kept.
    pub slot: Slot,
    /// Its picture, on one line.
    pub position: String,
    /// Its value.
    pub value: Value,
    /// The moves: name, where they lead, what they are worth to the player who makes them.
    pub moves: Vec<(String, Slot, Value)>,
}

/// A game, ready to be solved, looked at and judged.
pub trait AnyGame: Send + Sync {
    /// The version of the rules, which tables hold.
    fn rules(&self) -> u32;

    /// The same game, of which only outcomes are kept, without distances: two bits a slot instead of a
    /// byte. Only for games whose tiers have no inner moves, and otherwise a line says so; of a game
    /// that must be walked first this is known only then, and solving it is refused.
    fn outcomes(self: Box<Self>) -> Result<Box<dyn AnyGame>, String>;

    /// Whether the table keeps distances beside outcomes.
    fn keeps_distances(&self) -> bool;

    /// How the game would be solved. May have to walk it.
    fn plan(&self, job: &Job) -> Result<Plan, SolveError>;

    /// What the game is like and what its positions cost on this machine, from a second or two of looking at
    /// some of them. Solves nothing, and works for games that are far too large for that.
    fn sample(&self, job: &Job) -> Result<Sample, SolveError>;

    /// Solves the game into its table, or goes on with that, or says that it is done.
    fn solve(&self, job: &Job) -> Result<Solved, SolveError>;

    /// The same with many workers, of which `crew` are in this process. `None` in processes other than that
    /// of the first worker, where the table is.
    fn solve_with(&self, job: &Job, crew: &dyn Crew) -> Result<Option<Solved>, SolveError>;

    /// Whether the game is a list of positions, all of which count.
    fn listed(&self) -> bool;

    /// Whether the table is that of another list, or of an earlier version of this one.
    fn outdated(&self, job: &Job) -> bool;

    /// Opens the table for look-ups.
    fn open<'a>(&'a self, job: &Job) -> Result<Box<dyn Explorer + 'a>, TableError>;

    /// Answers for positions without a table, each by a search of its own; `None` for games that cannot.
    fn ask<'a>(&'a self, job: &Job<'a>) -> Option<Box<dyn Explorer + 'a>>;

    /// The position after a line of moves by the rules alone; needs no table, and does not tell what moves
    /// are worth.
    fn board(&self, line: &[String]) -> Result<Board, LookError>;

    /// How positions are put together place by place; `None` for games that cannot be.
    fn desk(&self) -> Option<Desk>;

    /// What is known of the game beforehand; `None` for games of which nothing is.
    fn theory(&self) -> Option<Theory>;

    /// Opens the table for look-ups that also label positions. Depths of traps that are not there
    /// yet are worked out and kept.
    fn open_labelled<'a>(
        &'a self,
        job: &Job,
        draws: Draws,
    ) -> Result<Box<dyn Explorer + 'a>, SolveError>;

    /// Whether the depths of traps are there, so that nothing would have to be worked out for labels.
    fn has_traps(&self, job: &Job) -> Result<bool, TableError>;

    /// Labels the islands of a solved game.
    fn label(&self, job: &Job, wanted: &Wanted, chart: &mut dyn Chart) -> Result<(), SolveError>;

    /// Looks ahead from the position after a line of moves; needs no table.
    fn advise(
        &self,
        line: &[String],
        horizon: &Horizon,
        watch: &dyn Watch,
    ) -> Result<Advice, LookError>;

    /// Statistics of what can be reached from the start, or of `all` positions.
    fn stats(&self, job: &Job, all: bool) -> Result<Stats, SolveError>;

    /// Derives the table's values again: all, or so many as the sample says, chosen by its seed.
    fn verify(&self, job: &Job, sample: Option<(u64, u64)>) -> Result<Verdict, SolveError>;

    /// Calls `each` for every position that can be reached from the start; an error it returns
    /// ends the export.
    fn export(
        &self,
        job: &Job,
        each: &mut dyn FnMut(Row) -> Result<(), TableError>,
    ) -> Result<(), SolveError>;

    /// The names of the files of [`Original`](crate::Original); none if the game has no such form.
    fn original_files(&self) -> &'static [&'static str];

    /// Calls `each` with what is to be appended to those files, and with how many slots that is up to;
    /// begins after the first `from` slots. An error that `each` returns ends it.
    fn export_original(&self, job: &Job, from: u64, each: &mut Appending)
    -> Result<(), SolveError>;

    /// Holds the game, its numbering and its abilities to their contracts.
    fn check(&self, job: &Job, seed: u64) -> Result<Vec<Checked>, SolveError>;
}

/// Bytes that a search may take beside a table, for nimbers.
const MODEST: u64 = 32 << 20;

/// A game whose types are forgotten.
pub(crate) struct Forgotten {
    pub(crate) typed: Box<dyn Typed>,
    pub(crate) abilities: Abilities,
}

impl Forgotten {
    pub(crate) fn game(&self) -> Untyped<'_> {
        Untyped(self.typed.rules())
    }

    /// Numbers the game, and does something with it.
    pub(crate) fn with<R>(
        &self,
        job: &Job,
        then: impl FnOnce(&dyn Sight) -> Result<R, SolveError>,
    ) -> Result<R, SolveError> {
        self.with_memory(job.memory, job.watch, then)?
    }

    pub(crate) fn with_memory<R>(
        &self,
        memory: u64,
        watch: &dyn Watch,
        then: impl FnOnce(&dyn Sight) -> R,
    ) -> Result<R, WalkError> {
        let (mut then, mut result) = (Some(then), None);
        self.typed.with(memory, watch, &mut |sight| {
            result = then.take().map(|then| then(sight));
        })?;
        Ok(result.expect("a numbered game is seen once"))
    }

    pub(crate) fn task<'a>(&'a self, graph: &'a dyn Graph) -> Task<'a> {
        let Abilities { kernel, spread, outcomes, .. } = &self.abilities;
        let (kernel, spread) = (kernel.as_deref(), spread.as_deref());
        Task { graph, kernel, spread, outcomes: *outcomes }
    }

    /// Opens the table, or that of the depths of traps.
    fn open_file(&self, path: &Path, game: &str) -> Result<Table, TableError> {
        Table::open_for(path, game, self.abilities.rules, &self.typed.numbering())
    }

    pub(crate) fn open_table(&self, job: &Job) -> Result<Table, TableError> {
        let table = self.open_file(job.table, job.game)?;
        let outcomes = self.abilities.outcomes;
        if table.identity().outcomes == outcomes {
            return Ok(table);
        }
        let say = |outcomes| {
            let kept = if outcomes { "outcomes only" } else { "distances" };
            format!("'{}' ({kept})", job.game)
        };
        let (found, wanted) = (say(!outcomes), say(outcomes));
        Err(TableError::Other { path: job.table.into(), found, wanted })
    }

    /// Refuses what takes distances where there are none.
    pub(crate) fn need_distances(&self, what: &'static str) -> Result<(), SolveError> {
        if self.abilities.outcomes { Err(SolveError::Untold { what }) } else { Ok(()) }
    }

    /// What is to be counted: what can be reached from the start; with `all`, everything.
    pub(crate) fn crowd(&self, sight: &dyn Sight, all: bool) -> Result<Crowd<'_>, SolveError> {
        Ok(match &self.abilities.spread {
            Some(spread) => Crowd::Spread(Flow::new(&**spread, all || self.abilities.listed)),
            None => Crowd::Reached(self.begin(sight, all)?),
        })
    }

    /// What can be reached from the start; with `all`, everything.
    fn begin(&self, sight: &dyn Sight, all: bool) -> Result<Reached, SolveError> {
        // A walk finds what can be reached, and nothing else.
        if all || self.abilities.listed || sight.salt().is_some() {
            return Ok(Reached::everything());
        }
        Reached::begin(sight.graph())
    }

    /// All that can be reached from the start; with `all`, everything.
    pub(crate) fn reached(
        &self,
        sight: &dyn Sight,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        match &self.abilities.spread {
            Some(spread) if !all && !self.abilities.listed => {
                Reached::told(Flow::new(&**spread, false), sight.graph(), watch)
            }
            _ => self.begin(sight, all)?.follow_all(sight.graph(), watch),
        }
    }

    fn opened(&self, table: Table, traps: Option<Traps>) -> Opened<'_> {
        self.answering(Source::Table(&*self.typed, Box::new(table), traps), MODEST)
    }

    fn answering<'a>(&'a self, source: Source<'a>, bytes: u64) -> Opened<'a> {
        let Abilities { nimber, direct, picture, theory, .. } = self.abilities;
        let game = self.game();
        let direct = direct.map(|direct| direct(game, bytes));
        Opened { game, source, nimber, direct, picture, theory }
    }

    /// The depths of traps that belong to a table, if they are there. Those of an earlier table are
    /// not.
    fn open_depths(&self, job: &Job, table: &Table) -> Result<Option<Table>, TableError> {
        let game = depths_of(job.game, table.hash());
        match self.open_file(&traps(job.table), &game) {
            Ok(depths) => Ok(Some(depths)),
            Err(TableError::Missing { .. } | TableError::Other { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Works out the depths of traps, and keeps them.
    fn make_depths(
        &self,
        job: &Job,
        table: &Table,
        graph: &dyn Graph,
    ) -> Result<Table, SolveError> {
        let largest = (0..graph.tiers()).map(|tier| graph.len(tier)).max().unwrap_or(0);
        let (bytes, limit) = (graph.total() * 2 + largest * 4, job.memory);
        if bytes > limit {
            return Err(SolveError::NoMemory { doing: "finding traps", bytes, limit });
        }
        let path = traps(job.table);
        if path.exists() {
            remove_one(&path)?;
        }
        let identity = Identity {
            game: depths_of(job.game, table.hash()),
            keys: None,
            ..table.identity().clone()
        };
        let mut writer = Writer::open(&path, identity, graph.total(), None, job.watch)?;
        let mut fetch = |tier| table.tier(tier);
        let summed = depths(graph, &mut fetch, &mut writer, job.memory, job.watch)?;
        writer.finish(&summed.summary())?;
        Ok(Table::open(&path)?)
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
        if (0..graph.tiers()).any(|tier| depths.len(tier) != graph.len(tier)) {
            let what = "its tiers have other sizes than the game's numbering".into();
            return Err(TableError::Damaged { path: traps(job.table), what }.into());
        }
        let values = &fetch_all(job, table, "verifying traps")?;
        let depths = &fetch_all(job, &depths, "verifying traps")?;
        let verdict = Judge { graph, values, depths }.run(job.watch)?;
        // These positions have been counted with their values.
        Ok(Verdict { checked: 0, ..verdict })
    }

    /// Counts again what the footer of a table says.
    fn verify_summary(
        &self,
        job: &Job,
        sight: &dyn Sight,
        table: &Table,
    ) -> Result<(), SolveError> {
        let crowd = self.crowd(sight, false)?;
        let census = Census { graph: sight.graph(), crowd, moves: false };
        let counted = census.take(&mut |tier| Ok(table.tier(tier)?), job.watch)?;
        if counted.summary() == *table.summary() {
            return Ok(());
        }
        let what = "its footer counts other positions than it holds".into();
        Err(TableError::Damaged { path: job.table.into(), what }.into())
    }
}

impl AnyGame for Forgotten {
    fn rules(&self) -> u32 {
        self.abilities.rules
    }

    fn outcomes(mut self: Box<Self>) -> Result<Box<dyn AnyGame>, String> {
        if self.typed.loopy() {
            return Err(
                "play may go in circles, and then 'outcomes' cannot do without distances".into()
            );
        }
        self.abilities.outcomes = true;
        Ok(self)
    }

    fn keeps_distances(&self) -> bool {
        !self.abilities.outcomes
    }

    fn plan(&self, job: &Job) -> Result<Plan, SolveError> {
        self.with(job, |sight| {
            let task = self.task(sight.graph());
            task.refuse_circles()?;
            Ok(Plan::new(task, sight.prospect()))
        })
    }

    fn sample(&self, job: &Job) -> Result<Sample, SolveError> {
        self.sampled(job)
    }

    fn solve(&self, job: &Job) -> Result<Solved, SolveError> {
        let made = match self.find_table(job)? {
            Some(_) => None,
            None => Some(self.with(job, |sight| self.solve_numbered(job, sight))?),
        };
        self.tell_solved(job, made)
    }

    fn solve_with(&self, job: &Job, crew: &dyn Crew) -> Result<Option<Solved>, SolveError> {
        let found = if crew.has_first() { self.find_table(job) } else { Ok(None) };
        let made = match self.typed.walker() {
            Some(walker) => self.solve_walked_with(job, crew, walker, found)?,
            None => self.with(job, |sight| self.solve_numbered_with(job, crew, sight, found))?,
        };
        match crew.has_first() {
            true => self.tell_solved(job, made).map(Some),
            false => Ok(None),
        }
    }

    fn listed(&self) -> bool {
        self.abilities.listed
    }

    fn outdated(&self, job: &Job) -> bool {
        self.abilities.edited && matches!(self.open_table(job), Err(TableError::Other { .. }))
    }

    fn open<'a>(&'a self, job: &Job) -> Result<Box<dyn Explorer + 'a>, TableError> {
        let table = self.open_table(job)?;
        Ok(Box::new(self.opened(table, None)))
    }

    fn ask<'a>(&'a self, job: &Job<'a>) -> Option<Box<dyn Explorer + 'a>> {
        self.abilities.direct?;
        // Not all of it: the program lives there too, and what grows is there twice for a moment.
        let memory = (job.memory - job.memory / 4).saturating_sub(MODEST);
        Some(Box::new(self.answering(Source::Search(job.watch), memory)))
    }

    fn board(&self, line: &[String]) -> Result<Board, LookError> {
        board(self.game(), self.abilities.picture, line)
    }

    fn desk(&self) -> Option<Desk> {
        self.abilities.desk.map(|desk| desk(self.game()))
    }

    fn theory(&self) -> Option<Theory> {
        self.abilities.theory.map(|theory| (theory.theory)(self.game()))
    }

    fn open_labelled<'a>(
        &'a self,
        job: &Job,
        draws: Draws,
    ) -> Result<Box<dyn Explorer + 'a>, SolveError> {
        self.need_distances("labels and traps need")?;
        let table = self.open_table(job)?;
        let traps = match draws {
            Draws::Densest(weights) => Traps::Densities(weights),
            Draws::Deepest => Traps::Depths(Box::new(match self.open_depths(job, &table)? {
                Some(depths) => depths,
                None => self.with(job, |sight| self.make_depths(job, &table, sight.graph()))?,
            })),
        };
        Ok(Box::new(self.opened(table, Some(traps))))
    }

    fn has_traps(&self, job: &Job) -> Result<bool, TableError> {
        let table = self.open_table(job)?;
        Ok(self.open_depths(job, &table)?.is_some())
    }

    fn label(&self, job: &Job, wanted: &Wanted, chart: &mut dyn Chart) -> Result<(), SolveError> {
        self.need_distances("labels and traps need")?;
        let table = self.open_table(job)?;
        self.with(job, |sight| {
            let graph = sight.graph();
            let values = fetch_all(job, &table, "labelling")?;
            let labels = match wanted.draws {
                Draws::Densest(_) => {
                    Labels::in_memory(graph, values, wanted.draws, job.memory, job.watch)?
                }
                Draws::Deepest => {
                    let depths = match self.open_depths(job, &table)? {
                        Some(depths) => depths,
                        None => self.make_depths(job, &table, graph)?,
                    };
                    Labels::deep(values, fetch_all(job, &depths, "labelling")?)
                }
            };
            let literal = match wanted.literal {
                true => {
                    let values = literal(graph, job.memory, job.watch)?;
                    Some(Labels::in_memory(graph, values, wanted.draws, job.memory, job.watch)?)
                }
                false => None,
            };
            let charted = Charted {
                game: self.game(),
                index: sight.index(),
                graph,
                reached: &self.reached(sight, wanted.all, job.watch)?,
                labels: &labels,
                literal: literal.as_ref(),
                bridges: wanted.bridges,
            };
            charted.run(chart, job.watch)
        })
    }

    fn advise(
        &self,
        line: &[String],
        horizon: &Horizon,
        watch: &dyn Watch,
    ) -> Result<Advice, LookError> {
        advise(&*self.typed, line, horizon, watch)
    }

    fn stats(&self, job: &Job, all: bool) -> Result<Stats, SolveError> {
        let table = self.open_table(job)?;
        self.with(job, |sight| {
            let crowd = self.crowd(sight, all)?;
            let census = Census { graph: sight.graph(), crowd, moves: true };
            census.take(&mut |tier| Ok(table.tier(tier)?), job.watch)
        })
    }

    fn verify(&self, job: &Job, sample: Option<(u64, u64)>) -> Result<Verdict, SolveError> {
        let table = self.open_table(job)?;
        table.check_blocks(job.watch)?;
        self.with(job, |sight| {
            let graph = sight.graph();
            let fits = |tier| table.len(tier) == graph.len(tier);
            if table.identity().tiers != graph.tiers() || !(0..graph.tiers()).all(fits) {
                let what = "its tiers have other sizes than the game's numbering".into();
                return Err(TableError::Damaged { path: job.table.into(), what }.into());
            }
            let needed = |tier| tier..=graph.reach(tier);
            let bytes = |tier| needed(tier).map(|tier| table.tier_bytes(tier)).sum();
            room(job, "verifying", (0..graph.tiers()).map(bytes).max().unwrap_or(0))?;
            for tier in 0..graph.tiers() {
                table.check_keys(tier, &|tier, slots| sight.keys(tier, slots))?;
            }
            let fetch = &|tier| table.tier(tier);
            let trial = Trial { graph, bench: sight.bench(), fetch };
            let verdict = trial.run(sample, job.watch)?;
            if sample.is_some() || !verdict.ok() {
                return Ok(verdict);
            }
            let traps = self.verify_depths(job, graph, &table)?;
            self.verify_summary(job, sight, &table)?;
            Ok(verdict.merge(traps))
        })
    }

    fn export(
        &self,
        job: &Job,
        each: &mut dyn FnMut(Row) -> Result<(), TableError>,
    ) -> Result<(), SolveError> {
        let table = self.open_table(job)?;
        self.with(job, |sight| {
            let (graph, index) = (sight.graph(), sight.index());
            let reached = self.reached(sight, false, job.watch)?;
            let tiers = fetch_all(job, &table, "exporting")?;
            let meter = Meter::new(job.watch, "exporting", None, Some(graph.total()))?;
            for tier in 0..graph.tiers() {
                for i in 0..graph.len(tier) {
                    let slot = Slot { tier, index: i };
                    meter.add(1)?;
                    let Some(kept) = index.position(slot) else { continue };
                    if reached.members(graph, slot) > 0 {
                        // A position that is reached, so that its moves lead to what is written too.
                        let member = reached.first(slot).map(|member| member as usize);
                        let at = member.and_then(|nth| index.alike(&kept).into_iter().nth(nth));
                        each(self.row(sight, &tiers, slot, &at.unwrap_or(kept))?)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn original_files(&self) -> &'static [&'static str] {
        self.abilities.original.as_ref().map_or(&[], |original| original.files)
    }

    fn export_original(
        &self,
        job: &Job,
        from: u64,
        each: &mut Appending,
    ) -> Result<(), SolveError> {
        self.write_original(job, from, each)
    }

    fn check(&self, job: &Job, seed: u64) -> Result<Vec<Checked>, SolveError> {
        let game = &self.game();
        let mut done = vec![check::game(game, seed)];
        let memory = job.memory.min(check::WALK_BYTES);
        let rest = self.with_memory(memory, job.watch, |sight| {
            let (graph, index) = (sight.graph(), sight.index());
            let mut done = vec![check::index(game, index, seed)];
            done.extend(self.typed.check_unplay(seed));
            let task = self.task(graph);
            task.refuse_circles()?;
            done.push(check::values(game, index, task, job.watch).or_else(broken("values"))?);
            if let Some(spread) = self.abilities.spread.as_deref() {
                let spread = check::spread(game, index, graph, spread, job.watch);
                done.push(spread.or_else(broken("spread"))?);
            }
            if let Some(kernel) = self.abilities.kernel.as_deref() {
                let kernel = check::kernel(graph, kernel, job.watch);
                done.push(kernel.or_else(broken("kernel"))?);
            }
            Ok::<_, SolveError>(done)
        });
        match rest {
            // Too large to be walked for a check: its rules were sampled, and that is all.
            Err(WalkError::TooLarge { .. }) => {}
            Err(error) => done.push(broken("walk")(error.into())?),
            Ok(rest) => done.extend(rest?),
        }
        Ok(done)
    }
}

/// Refuses what would take more memory than is allowed.
fn room(job: &Job, doing: &'static str, bytes: u64) -> Result<(), SolveError> {
    let limit = job.memory;
    if bytes > limit { Err(SolveError::NoMemory { doing, bytes, limit }) } else { Ok(()) }
}

/// All tiers of a table, if there is room for them.
pub(crate) fn fetch_all(
    job: &Job,
    table: &Table,
    doing: &'static str,
) -> Result<Tiers, SolveError> {
    room(job, doing, (0..table.identity().tiers).map(|tier| table.tier_bytes(tier)).sum())?;
    let mut tiers = Tiers::new(table.identity().tiers);
    for tier in 0..table.identity().tiers {
        tiers.put(tier, table.tier(tier)?);
    }
    Ok(tiers)
}

/// A fault that a solver met is what a check is after, and not a reason to end it.
fn broken(contract: &'static str) -> impl Fn(SolveError) -> Result<Checked, SolveError> {
    move |error| match error {
        SolveError::Stopped(_) | SolveError::NoRoom { .. } | SolveError::Table(_) => Err(error),
        error => {
            let broken = Some(error.to_string());
            Ok(Checked { contract, checked: 0, complete: false, broken })
        }
    }
}

impl Forgotten {
    fn row(
        &self,
        sight: &dyn Sight,
        tiers: &Tiers,
        slot: Slot,
        at: &Position,
    ) -> Result<Row, TableError> {
        let game = self.game();
        let value = |slot, at: &Position| {
            let absent = || TableError::Absent { position: game.notation(at) };
            tiers.get(slot).ok_or_else(absent)
        };
        let (mut names, mut children, mut slots, mut moves) = (vec![], vec![], vec![], vec![]);
        if game.over(at).is_none() {
            for mv in game.moves(at) {
                names.push(mv.to_string());
                children.push(game.play(at, mv));
            }
            sight.index().children(slot.tier, &children, &mut slots);
            for ((name, to), child) in names.into_iter().zip(&children).zip(slots) {
                let worth = value(child, to)?.back(game.again(at, to));
                moves.push((name, child, worth));
            }
        }
        Ok(Row { slot, position: game.notation(at), value: value(slot, at)?, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, solve, watch::Unwatched};

    /// One is taken, or two; the last to take wins.
    struct Heap;

    impl Game for Heap {
        type Position = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            9
        }

        fn moves(&self, &at: &u32) -> impl IntoIterator<Item = u32> {
            1..=at.min(2)
        }

        fn play(&self, &at: &u32, take: u32) -> u32 {
            at - take
        }
    }

    /// Writes a table whose values are right, with the given salt for its keys and a count that is
    /// off by so many, and says what `verify` finds.
    fn verified(salt: u64, off_by: u64) -> Result<Verdict, SolveError> {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("heap");
        let job = Job { game: "heap", table: &table, memory: u64::MAX, watch: &Unwatched };
        let Setup { typed, abilities } = Setup::of(Heap);
        let game = Forgotten { typed: Box::new(typed), abilities };
        game.with(&job, |sight| {
            let identity = Identity {
                game: "heap".into(),
                rules: 1,
                numbering: game.typed.numbering(),
                tiers: 1,
                keys: Some(0),
                outcomes: false,
            };
            let (graph, index) = (sight.graph(), sight.index());
            let keys = |_, slots: std::ops::Range<u64>| -> Vec<u64> {
                let at = |i| index.position(Slot { tier: 0, index: i }).unwrap();
                let at = |i| crate::index::key(&at(i), salt);
                let mut keys: Vec<u64> = (0..graph.total()).map(at).collect();
                keys.sort();
                keys[slots.start as usize..slots.end as usize].to_vec()
            };
            let (total, keys) = (graph.total(), Some(&keys as _));
            let mut writer = Writer::open(&table, identity, total, keys, &Unwatched)?;
            let mut tiers = solve::run(game.task(graph), &mut writer, &Unwatched)?;
            let mut summary = game.count(&job, sight, &mut writer, &mut tiers)?.summary();
            summary.counts.positions += off_by;
            Ok(writer.finish(&summary)?)
        })?;
        game.verify(&job, None)
    }

    #[test]
    fn verify_judges_keys_and_counts_besides_values() {
        assert!(verified(0, 0).unwrap().ok());
        let keys = verified(1, 0).unwrap_err().to_string();
        assert!(keys.contains("holds other keys than the game"), "{keys}");
        let counts = verified(0, 1).unwrap_err().to_string();
        assert!(counts.contains("its footer counts other positions"), "{counts}");
    }
}
