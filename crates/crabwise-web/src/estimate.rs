//! How long games take here, from those that were solved before.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use crabwise::Plan;
use serde::Serialize;

use crate::lock::lock;

/// How a game would be solved, and what that takes.
#[derive(Serialize, Clone, Debug)]
pub struct Planned {
    pub slots: u64,
    pub memory_bytes: u64,
    pub memory_limit: u64,
    pub fits: bool,
    /// An estimate, from what was solved here before or on another machine.
    pub seconds: Option<f64>,
    pub solver: String,
    pub why: &'static str,
    /// Whether it is a matter of moments.
    pub quick: bool,
}

/// How many seconds people wait without being asked.
pub const A_MOMENT: f64 = 3.0;

/// How fast games are solved here.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, f64>>);

/// Below this many slots, the time says more about files than about solving.
const TELLING: u64 = 1_000_000;

impl Rates {
    /// Remembers how long a game took.
    pub fn learn(&self, plan: &Plan, time: Duration) {
        if plan.slots >= TELLING {
            let rate = plan.slots as f64 / time.as_secs_f64().max(1e-3);
            lock(&self.0).insert(plan.solver.to_string(), rate);
        }
    }

    /// How a game would be solved with this much memory.
    pub fn planned(&self, plan: &Plan, memory: u64) -> Planned {
        let (seconds, fits) = (self.seconds(plan), plan.memory <= memory);
        Planned {
            slots: plan.slots,
            memory_bytes: plan.memory,
            memory_limit: memory,
            fits,
            seconds: Some(seconds),
            solver: plan.solver.to_string(),
            why: plan.why,
            quick: fits && seconds <= A_MOMENT,
        }
    }

    /// How long a game will take, about: as fast as the last one that was solved the same way or, if
    /// there was none, as fast as one core of an ordinary machine.
    fn seconds(&self, plan: &Plan) -> f64 {
        let usual = match plan.solver {
            crabwise::Solver::Kernel => 1.5e8,
            crabwise::Solver::Sweep => 1.0e6,
            crabwise::Solver::RetroUnplay => 2.0e6,
            crabwise::Solver::RetroEdges => 1.0e6,
        };
        let rate = lock(&self.0).get(&plan.solver.to_string()).copied().unwrap_or(usual);
        plan.slots as f64 / rate
    }
}
