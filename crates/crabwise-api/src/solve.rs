//! What solving a game took, or would take.

use crabwise::{
    Extent, Plan, Sample, Solved, Summary,
    cost::forecast::{Fleet, Forecast, Way},
    table::Pace,
    watch::TeamStage,
};
use serde::Serialize;

use crate::value::{Outcomes, Value};

/// What a run took.
#[derive(Serialize, Clone, Copy)]
pub struct Cost {
    /// Seconds on the clock.
    pub wall_seconds: f64,
    /// Seconds of all cores, where the machine tells.
    pub cpu_seconds: Option<f64>,
    /// The most memory in use, where the machine tells.
    pub peak_bytes: Option<u64>,
}

/// A game that has been solved.
#[derive(Serialize)]
pub struct Solve {
    game: String,
    start: Value,
    best: Vec<String>,
    /// Absent where nothing was counted.
    #[serde(flatten)]
    counts: Option<Outcomes>,
    longest: Option<u32>,
    longest_win: Option<u32>,
    #[serde(flatten)]
    cost: Cost,
    table: String,
    table_bytes: u64,
    table_hash: String,
    /// Microseconds to open the table and read a value, and to read another one.
    lookup_first_us: f64,
    lookup_us: f64,
    solver: Option<String>,
    plan: Option<String>,
    why: Option<&'static str>,
    predicted_bytes: Option<u64>,
    resumed_tiers: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Team>,
}

/// Who solved a game together.
#[derive(Serialize)]
struct Team {
    workers: usize,
    exchanged_bytes: u64,
}

impl From<TeamStage> for Team {
    fn from(TeamStage { workers, exchanged, .. }: TeamStage) -> Team {
        Team { workers, exchanged_bytes: exchanged }
    }
}

impl Solve {
    /// The table of the game, and how quickly it is looked up.
    pub fn new(
        game: &str,
        (table, pace): (String, Pace),
        solved: &Solved,
        best: &[&str],
        cost: Cost,
    ) -> Solve {
        let (start, summary) = (solved.start, solved.summary);
        let distance =
            |of: fn(&Summary) -> u32| summary.as_ref().filter(|_| start.has_distance()).map(of);
        let mut solve = Solve {
            game: game.into(),
            start: start.into(),
            best: best.iter().map(|name| name.to_string()).collect(),
            counts: summary.map(|summary| summary.counts.into()),
            longest: distance(|summary| summary.longest),
            longest_win: distance(|summary| summary.longest_win),
            cost,
            table,
            table_bytes: solved.bytes,
            table_hash: format!("{:032x}", solved.hash),
            lookup_first_us: pace.first.as_secs_f64() * 1e6,
            lookup_us: pace.next.as_secs_f64() * 1e6,
            solver: solved.plan.as_ref().map(|plan| plan.solver.to_string()),
            plan: None,
            why: None,
            predicted_bytes: None,
            resumed_tiers: solved.resumed,
            team: None,
        };
        solve.explain(solved.plan.as_ref());
        solve
    }

    /// Adds what the workers of a cluster told.
    pub fn with_team(self, team: Option<TeamStage>) -> Solve {
        Solve { team: team.map(Team::from), ..self }
    }

    /// Adds how it was solved, or would be.
    pub fn explain(&mut self, plan: Option<&Plan>) {
        self.plan = plan.map(Plan::to_string);
        self.why = plan.map(|plan| plan.why);
        self.predicted_bytes = plan.map(|plan| plan.memory);
    }
}

/// What solving a game would take.
#[derive(Serialize)]
pub struct Planned<'a> {
    game: &'a str,
    solver: String,
    slots: u64,
    slots_estimated: bool,
    /// Whether numbers stopped growing at 2^64: then all figures are the least.
    at_least: bool,
    largest_tier: u64,
    tiers: usize,
    memory_bytes: u64,
    streamed_bytes: Option<u64>,
    seconds: f64,
    cpu_seconds: f64,
    table_bytes: u64,
    scratch_bytes: u64,
    cluster: PlannedCluster,
    assumptions: Vec<String>,
}

/// What solving it would take on many machines.
#[derive(Serialize)]
struct PlannedCluster {
    machines: u64,
    cores: u64,
    memory_limit_bytes: u64,
    /// `null` where the game has to be walked, and each worker has what it found.
    whole_bytes: Option<u64>,
    parts_bytes: u64,
    /// `whole`, `parts`, or `null` where it does not fit.
    later_tiers: Option<&'static str>,
    exchanged_bytes: u64,
    busiest_bytes: u64,
    seconds: Option<f64>,
    computing_seconds: f64,
    sending_seconds: f64,
    writing_seconds: f64,
}

impl<'a> Planned<'a> {
    /// The forecasts for this machine and for many, and what they rest on.
    pub fn new(
        (game, sample, fleet): (&'a str, &Sample, &Fleet),
        [here, cluster]: [&Forecast; 2],
        assumptions: Vec<String>,
    ) -> Planned<'a> {
        let later_tiers = match cluster.way {
            Way::Whole => Some("whole"),
            Way::Parts => Some("parts"),
            Way::No => None,
        };
        let seconds = cluster.computing + cluster.sending + cluster.writing;
        Planned {
            game,
            solver: sample.solver.to_string(),
            slots: cluster.slots,
            slots_estimated: matches!(sample.extent, Extent::Estimated(_)),
            at_least: cluster.slots == u64::MAX,
            largest_tier: cluster.largest,
            tiers: sample.tiers.len(),
            memory_bytes: sample.memory,
            streamed_bytes: sample.streamed,
            seconds: here.computing + here.writing,
            cpu_seconds: here.work,
            table_bytes: cluster.table as u64,
            scratch_bytes: cluster.scratch as u64,
            cluster: PlannedCluster {
                machines: fleet.machines,
                cores: fleet.cores,
                memory_limit_bytes: fleet.memory,
                whole_bytes: cluster.whole,
                parts_bytes: cluster.parts,
                later_tiers,
                exchanged_bytes: cluster.exchanged as u64,
                busiest_bytes: if fleet.machines > 1 { cluster.busiest as u64 } else { 0 },
                seconds: later_tiers.map(|_| seconds),
                computing_seconds: cluster.computing,
                sending_seconds: cluster.sending,
                writing_seconds: cluster.writing,
            },
            assumptions,
        }
    }
}
