//! One tier after another, every worker its share.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{Mutex, RwLock},
};

use super::{
    Counting, Exchange, Say, Shares, Team, Walker,
    count::count,
    follow::count_parts,
    look::Later,
    publish::{Desk, Done},
    retro::{MOST, Part},
    room::{Measure, Room, measure},
    snapshot::{Kept, Snapshots},
    sweep::{sweep, sweep_by_kernel},
};
use crate::{
    Job, Plan, Planes, Summary, Tiers, Word, Words,
    solve::{Fault, Prospect, SolveError, Task, furthest, outcome_word},
    table::{Identity, Writer, block_of},
    watch::Watch,
};

/// What the workers of one process share.
pub(crate) struct Company<'a, 'w> {
    pub(crate) task: Task<'a>,
    /// The later tiers, where they are whole.
    pub(crate) later: RwLock<Tiers>,
    /// The table in the making, in the first process.
    pub(crate) writer: Option<Mutex<Writer<'w>>>,
    /// Where that is, and what it is of.
    pub(crate) table: Option<(PathBuf, Identity)>,
    /// Slots a block of the table.
    pub(crate) block: u64,
    /// Bytes that the process may use.
    pub(crate) memory: u64,
    /// What must be the same everywhere: game, rules, numbering.
    pub(crate) mark: u64,
    /// Why this process cannot take part.
    pub(crate) trouble: Option<String>,
    /// Whether the table was there before.
    pub(crate) complete: bool,
    /// Bytes of the numbering.
    pub(crate) numbering: u64,
    /// What matters of the tiers for how much memory they take.
    pub(crate) measures: Vec<Measure>,
    /// How what can be reached is counted; without, everything is, each worker what it has.
    pub(crate) marking: Option<Marking<'a>>,
    /// What was counted, in the first process.
    pub(crate) summary: Mutex<Option<Summary>>,
}

/// How often a worker of a game with a numbering has solved, and counted, in parts.
#[cfg(test)]
pub(super) static IN_PARTS: [std::sync::atomic::AtomicU64; 2] =
    [const { std::sync::atomic::AtomicU64::new(0) }; 2];

/// What there is to say about marks of what can be reached.
#[derive(Clone, Copy)]
pub(crate) struct Marking<'a> {
    /// Bytes that they take in every process, where they are whole.
    pub(crate) whole: u64,
    /// Bits a slot, where they are in parts.
    pub(crate) bits: u64,
    /// How to count with whole marks.
    pub(crate) count: Counting<'a>,
}

/// Solves all tiers, last first, with all other workers.
pub(crate) fn work(
    company: &Company,
    exchange: &mut dyn Exchange,
    watch: &dyn Watch,
) -> Result<(), SolveError> {
    let mut team = Team::new(exchange, watch);
    let worked = Worker { company, task: company.task }.run(&mut team);
    if let Err(error) = &worked {
        team.fail(error);
    }
    worked
}

/// What it takes to solve a game that has to be walked first.
pub(crate) struct Walk<'a> {
    pub(crate) walker: &'a dyn Walker,
    pub(crate) job: &'a Job<'a>,
    pub(crate) outcomes: bool,
    /// What must be the same everywhere: game and rules.
    pub(crate) mark: u64,
    /// Whether the table was there before.
    pub(crate) complete: bool,
    /// Why this process cannot take part.
    pub(crate) trouble: Option<String>,
    /// What the table of a game with so many tiers is of.
    pub(crate) identity: &'a (dyn Fn(u32) -> Identity + Sync),
    /// What the first worker has to tell: the plan, and how many tiers were finished before.
    pub(crate) made: Mutex<Option<(Plan, u32)>>,
}

impl Walk<'_> {
    /// Finds all positions with all other workers, and solves them.
    pub(crate) fn work(&self, exchange: &mut dyn Exchange) -> Result<(), SolveError> {
        let mut team = Team::new(exchange, self.job.watch);
        let worked = self.walk_and_solve(&mut team);
        if let Err(error) = &worked {
            team.fail(error);
        }
        worked
    }

    fn walk_and_solve(&self, team: &mut Team) -> Result<(), SolveError> {
        same_game(team, self.mark, self.trouble.as_ref())?;
        let complete = u64::from(team.is_first() && self.complete);
        if team.agree(Say { most: complete, ..Say::default() })?.most == 1 {
            return Ok(());
        }
        let graph = &*self.walker.walk(team, self.job.memory)?;
        let task = Task { outcomes: self.outcomes, ..Task::plain(graph) };
        task.refuse_circles()?;
        let (tiers, slots) = (graph.tiers(), graph.total());
        let open =
            || Writer::open(self.job.table, (self.identity)(tiers), slots, None, self.job.watch);
        let writer = team.is_first().then(open).transpose()?;
        let resumed = writer.as_ref().map_or(0, Writer::finished);
        let company = Company {
            task,
            later: RwLock::new(Tiers::new(tiers)),
            writer: writer.map(Mutex::new),
            table: Some((self.job.table.into(), (self.identity)(tiers))),
            block: block_of(slots),
            memory: self.job.memory,
            mark: self.mark,
            trouble: None,
            complete: false,
            // The positions were found within the memory, and leave room for what is known of them.
            numbering: 0,
            measures: measure(graph, &|_| graph.moves().unwrap_or(0) as f64 / slots.max(1) as f64),
            marking: None,
            summary: Mutex::new(None),
        };
        Worker { company: &company, task }.run(team)?;
        let Some(writer) = company.writer else { return Ok(()) };
        let summary = company.summary.into_inner().expect("nobody else has it");
        let mut writer = writer.into_inner().expect("no worker panics while it holds it");
        writer.finish(&summary.expect("what is solved is counted"))?;
        let children = Some(graph.moves().unwrap_or(0) as f64 / slots.max(1) as f64);
        let plan = Plan::new(task, Prospect { numbering: 0, making: 0, children });
        *self.made.lock().expect("nobody else has it") = Some((plan, resumed));
        Ok(())
    }
}

/// What workers must have in common to understand each other: the release, and a number that changes with what
/// they send.
const LANGUAGE: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// Sees to it that all are at work on the same game, and that none has trouble before it begins.
fn same_game(team: &mut Team, mark: u64, trouble: Option<&String>) -> Result<(), SolveError> {
    if let Some(trouble) = trouble {
        return Err(SolveError::Elsewhere { worker: team.me(), why: trouble.clone() });
    }
    let mark = mark ^ xxhash_rust::xxh3::xxh3_64(LANGUAGE.as_bytes());
    let most = team.agree(Say { most: mark, ..Say::default() })?.most;
    let least = !team.agree(Say { most: !mark, ..Say::default() })?.most;
    if most == least {
        return Ok(());
    }
    let why = "the processes are of different releases, or were given different games";
    Err(SolveError::Lost(super::Lost(why.into())))
}

struct Worker<'c, 'a, 'w> {
    company: &'c Company<'a, 'w>,
    task: Task<'a>,
}

impl<'c, 'w> Worker<'c, '_, 'w> {
    fn run(&self, team: &mut Team) -> Result<(), SolveError> {
        let graph = self.task.graph;
        let tiers = graph.tiers();
        let desk = if team.is_first() { self.company.writer.as_ref() } else { None };
        same_game(team, self.company.mark, self.company.trouble.as_ref())?;
        let finished = match desk {
            _ if self.company.complete => tiers,
            Some(desk) => desk.lock().expect("no worker panics while it holds it").finished(),
            None => 0,
        };
        let told = team.agree(Say { most: finished.into(), ..Say::default() })?;
        let first_finished = tiers - told.most as u32;
        let complete = self.all_complete(team)?;
        if !complete {
            self.refuse_what_does_not_fit(team, first_finished)?;
        }
        // Positions that only their keepers can find cannot be looked up elsewhere.
        let keyed = tiers > 0 && graph.shares(0).is_some();
        let short = keyed || self.solving_room(team, first_finished).whole > self.company.memory;
        let apart = team.agree(Say { sum: short.into(), ..Say::default() })?.sum > 0;
        #[cfg(test)]
        self.note_parts(0, apart);
        let mut later = match apart {
            true => Later::Apart(BTreeMap::new()),
            false => Later::Whole(&self.company.later),
        };
        let mut here = BTreeSet::new();
        let furthest = furthest(graph);
        for tier in (0..first_finished).rev() {
            for needed in tier + 1..=graph.reach(tier).max(tier) {
                if here.insert(needed) {
                    let shares = self.shares(team, needed, apart);
                    let done = self.done(needed, &shares, None);
                    done.bring(team, desk, &mut later)?;
                }
            }
            self.solve_and_publish(team, tier, desk, &mut later, apart)?;
            here.insert(tier);
            let needed = furthest[tier.saturating_sub(1) as usize].max(tier);
            here.retain(|here| *here <= needed);
            self.forget(team, &mut later, needed)?;
        }
        drop(later);
        self.count(team, desk, complete)
    }

    /// Whether there is nothing to count either.
    fn all_complete(&self, team: &mut Team) -> Result<bool, SolveError> {
        let complete = u64::from(team.is_first() && self.company.complete);
        Ok(team.agree(Say { most: complete, ..Say::default() })?.most == 1)
    }

    fn count(&self, team: &mut Team, desk: Desk, complete: bool) -> Result<(), SolveError> {
        if complete {
            return Ok(());
        }
        if let Some(desk) = desk {
            desk.lock().expect("no worker panics while it holds it").settle()?;
        }
        if team.is_lead() {
            let tiers = self.task.graph.tiers();
            *self.company.later.write().expect("no worker panics while it holds it") =
                Tiers::new(tiers);
        }
        team.begin("counting", None, None);
        let Company { marking, memory, block, .. } = self.company;
        let short = u64::from(self.counting_room(team).whole > *memory);
        let apart = team.agree(Say { sum: short, ..Say::default() })?.sum > 0;
        #[cfg(test)]
        self.note_parts(1, apart);
        let summary = match marking {
            Some(marking) if !apart => count(team, desk, marking.count)?,
            marking => {
                // Whoever has the least has looked most closely.
                let bits = marking.map_or(0, |marking| marking.bits);
                let bits = !team.agree(Say { most: !bits, ..Say::default() })?.most;
                // Where nothing is marked, everything counts.
                let bits = marking.filter(|marking| marking.whole > 0).map(|_| bits);
                Some(count_parts(team, self.task.graph, desk, *block, bits)?)
            }
        };
        if team.is_first() {
            *self.company.summary.lock().expect("nobody else has it") = summary;
        }
        team.tell()
    }

    /// Refuses, everywhere alike, what some process has no room for.
    fn refuse_what_does_not_fit(&self, team: &mut Team, left: u32) -> Result<(), SolveError> {
        for tier in (0..left).filter(|tier| self.task.graph.loopy(*tier)) {
            let shares = self.shares(team, tier, true);
            if shares.size > MOST {
                let workers = shares.len.div_ceil(MOST);
                return Err(SolveError::TooFewWorkers { tier, slots: shares.len, workers });
            }
        }
        let limit = self.company.memory;
        let (solving, counting) = (self.solving_room(team, left), self.counting_room(team));
        let bytes = solving.needed(limit).max(counting.needed(limit));
        let short = if bytes > limit { bytes } else { 0 };
        let bytes = team.agree(Say { most: short, ..Say::default() })?.most;
        if bytes > 0 {
            let limit = !team.agree(Say { most: !limit, ..Say::default() })?.most;
            let doing = "solving with so few processes";
            return Err(SolveError::NoMemory { doing, bytes, limit });
        }
        Ok(())
    }

    #[cfg(test)]
    fn note_parts(&self, what: usize, apart: bool) {
        let apart = apart && self.company.marking.is_some();
        IN_PARTS[what].fetch_add(apart.into(), std::sync::atomic::Ordering::Relaxed);
    }

    /// Bytes that this process needs for solving the first so many tiers.
    fn solving_room(&self, team: &Team, left: u32) -> Room {
        let Company { measures, numbering, .. } = self.company;
        let room = Room::for_solving(measures, left as usize, self.task.outcomes, team.staff());
        room.with(*numbering)
    }

    /// Bytes that it needs for counting.
    fn counting_room(&self, team: &Team) -> Room {
        let Company { measures, numbering, marking, .. } = self.company;
        let (whole, bits) = marking.map_or((0, 0), |marking| (marking.whole, marking.bits));
        Room::for_counting(measures, team.staff(), whole, bits).with(*numbering)
    }

    /// Shares begin where a kernel's runs do, and where words of planes do.
    fn shares(&self, team: &Team, tier: u32, apart: bool) -> Shares {
        let graph = self.task.graph;
        if let Some(shares) = graph.shares(tier) {
            return shares;
        }
        let run = match self.task.able_kernel() {
            Some(kernel) if !apart && !graph.loopy(tier) => kernel.run(tier).max(1),
            _ => 1,
        };
        let grain = run << (6 - run.trailing_zeros().min(6));
        Shares::new(graph.len(tier), team.workers(), grain)
    }

    fn solve_and_publish(
        &self,
        team: &mut Team,
        tier: u32,
        desk: Desk<'c, 'w>,
        later: &mut Later,
        apart: bool,
    ) -> Result<(), SolveError> {
        let shares = self.shares(team, tier, apart);
        let words = match self.task.graph.loopy(tier) {
            true => self.decide(team, tier, &shares, later)?,
            false => self.sweep(team, tier, &shares, later)?,
        };
        let keys = self.task.graph.keys(tier);
        self.done(tier, &shares, keys).publish(team, words, desk, later)?;
        self.snapshots(team, tier, &shares).forget()
    }

    fn snapshots<'s>(&'s self, team: &Team, tier: u32, shares: &'s Shares) -> Snapshots<'s> {
        let table = self.company.table.as_ref().filter(|_| team.is_first());
        Snapshots::new(table.map(|(path, identity)| (&**path, identity)), tier, shares)
    }

    fn done<'s>(&self, tier: u32, shares: &'s Shares, keys: Option<Vec<u64>>) -> Done<'s> {
        Done { tier, shares, block: self.company.block, keys }
    }

    fn sweep(
        &self,
        team: &mut Team,
        tier: u32,
        shares: &Shares,
        later: &Later,
    ) -> Result<Words, SolveError> {
        let Task { graph, outcomes, .. } = self.task;
        let swept = match (self.task.able_kernel(), later) {
            (Some(kernel), Later::Whole(tiers)) => {
                sweep_by_kernel(team, kernel, tier, shares, tiers)?
            }
            _ => None,
        };
        if outcomes {
            let codes = match swept {
                Some(codes) => Some(codes),
                None => sweep(team, graph, tier, shares, later, outcome_word)?,
            };
            let codes = codes.ok_or(SolveError::TooFar { tier })?;
            return Ok(Words::Planes(Planes::from_codes(&codes).ok_or(Fault::Drawn { tier })?));
        }
        if let Some(words) = swept {
            return Ok(Words::One(words));
        }
        if let Some(words) = sweep::<u8>(team, graph, tier, shares, later, u8::pack)? {
            return Ok(Words::One(words));
        }
        if let Some(words) = sweep::<u16>(team, graph, tier, shares, later, u16::pack)? {
            return Ok(Words::Two(words));
        }
        let words = sweep::<u32>(team, graph, tier, shares, later, u32::pack)?;
        words.map(Words::Four).ok_or(SolveError::TooFar { tier })
    }

    fn decide(
        &self,
        team: &mut Team,
        tier: u32,
        shares: &Shares,
        later: &Later,
    ) -> Result<Words, SolveError> {
        // A snapshot in wider words says that narrower ones do not suffice.
        let mut kept = self.snapshots(team, tier, shares).find(team)?;
        let least = kept.as_ref().map_or(1, |kept| kept.values.width());
        if least <= size_of::<u8>()
            && let Some(words) = self.decide_in::<u8>(team, tier, shares, later, kept.take())?
        {
            return Ok(Words::One(words));
        }
        if least <= size_of::<u16>()
            && let Some(words) = self.decide_in::<u16>(team, tier, shares, later, kept.take())?
        {
            return Ok(Words::Two(words));
        }
        let words = self.decide_in::<u32>(team, tier, shares, later, kept.take())?;
        words.map(Words::Four).ok_or(SolveError::TooFar { tier })
    }

    fn decide_in<W: Word>(
        &self,
        team: &mut Team,
        tier: u32,
        shares: &Shares,
        later: &Later,
        kept: Option<Kept>,
    ) -> Result<Option<Vec<W>>, SolveError> {
        let mut snapshots = self.snapshots(team, tier, shares);
        let part = Part::<W>::new(self.task.graph, tier, shares, team.me());
        part.solve(team, later, kept, &mut snapshots)
    }

    /// Lets go of the tiers after `needed`.
    fn forget(&self, team: &mut Team, later: &mut Later, needed: u32) -> Result<(), SolveError> {
        match later {
            Later::Whole(tiers) if team.is_lead() => {
                let mut tiers = tiers.write().expect("no worker panics while it holds it");
                (needed + 1..tiers.count()).for_each(|done| tiers.forget(done));
            }
            Later::Whole(_) => {}
            Later::Apart(parts) => parts.retain(|tier, _| *tier <= needed),
        }
        Ok(())
    }
}
