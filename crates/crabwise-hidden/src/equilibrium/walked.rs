//! A run by walking the rules: nothing is laid out, so the game may be of any size.
//!
//! Where the game turns out to be small after all, its strategies are judged by best responses, and are as good as any
//! others. Else a local best response says how exploitable they are at least, and nothing says how exploitable at most.

use std::{
    io::Read,
    time::{Duration, Instant},
};

use crabwise::watch::{Stage, Watch};

use super::{
    Budget, Checkpoint, CurvePoint, Equilibrium, EquilibriumError, Method, Options, Problem,
    run::KEEP,
};
use crate::{
    erased::ErasedHidden,
    iterative::{
        deep::DeepCfr,
        sampling::Sampling,
        view_mccfr::{ViewLearner, ViewMccfr, external_or_line},
    },
    local_best_response::{LocalBestResponse, LocalBound},
    tree::HiddenError,
    views::{Policy, ViewModel, ViewStrategy, ViewTable, tabulated},
};

/// What a run without a layout works with.
pub struct WalkedRun<'a> {
    /// The game, and its canonical string.
    pub game: (&'a ErasedHidden, &'a str),
    /// One that [`walks`](Method::walks).
    pub method: Method,
    /// When to stop; never by exploitability.
    pub budget: Budget,
    /// What else was asked for.
    pub options: Options,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Who hears how far the run is.
    pub watch: &'a dyn Watch,
    /// Where the run is kept while it is not done.
    pub checkpoint: Option<&'a dyn Checkpoint>,
    /// Games of each player that a local best response plays at last.
    pub games: u64,
}

/// What came of a run without a layout.
pub enum Walked {
    /// The game is small: strategies that are judged, with the problem that they solve.
    LaidOut(Box<(Problem, Equilibrium)>),
    /// The game is too large to be laid out.
    Views(Box<ViewEquilibrium>),
}

/// Strategies by views.
pub struct ViewEquilibrium {
    /// How they were found.
    pub method: Method,
    /// What was drawn.
    pub sampling: Sampling,
    /// What plays.
    pub model: ViewModel,
    /// The number of iterations.
    pub iterations: u64,
    /// How many of them were done by a run before this one.
    pub before: u64,
    /// What was learnt, in words.
    pub state: String,
    /// Seconds that this run took.
    pub wall: f64,
    /// Seconds of it that were spent on learning.
    pub seconds: f64,
    /// What a local best response earns against them.
    pub bound: LocalBound,
}

/// A draw of external sampling may meet so many histories; else it goes along a line. For networks fewer, which take
/// longer to look.
const MOST_MET: u64 = 100_000;
const MOST_MET_DEEP: u64 = 2_000;

/// Draws of an iteration, for each player.
const DRAWS: u64 = 64;

/// Not more is laid out to find out whether a game is too large, and whether one is small.
const LARGE: u64 = 512 << 20;
const SMALL: u64 = 64 << 20;

/// Games of more histories are not gone through to the last.
const MOST_HISTORIES: u128 = 2_000_000;

/// How many games try out a move of a local best response, and how many histories its beliefs hold.
const TRIES: u32 = 32;
const BELIEFS: usize = 512;

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

impl WalkedRun<'_> {
    /// The problem of a game that is small enough for a method that could also walk its rules; `None` if it is not.
    pub fn laid_out(
        game: &ErasedHidden,
        options: &Options,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Option<Problem>, HiddenError> {
        match Problem::new(game, options, memory.min(LARGE), watch) {
            Ok(problem) => Ok(Some(problem)),
            Err(HiddenError::Room { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the limits are such that a run ends.
    pub fn ends(budget: &Budget) -> Result<(), EquilibriumError> {
        let limited = budget.time.is_some() || budget.iterations.is_some();
        if limited && budget.until.is_none() { Ok(()) } else { Err(EquilibriumError::Endless) }
    }

    /// Learns, and judges.
    pub fn solve(&self) -> Result<Walked, EquilibriumError> {
        WalkedRun::ends(&self.budget)?;
        let mut learner = self.learner()?;
        let (began, before) = (Instant::now(), learner.iterations());
        self.learn(&mut *learner)?;
        if let Some(checkpoint) = self.checkpoint {
            match self.budget.time {
                Some(_) => {
                    checkpoint.keep(&|out| learner.save(out)).map_err(EquilibriumError::Keep)?;
                }
                None => checkpoint.discard(),
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        let (iterations, sampling, state) =
            (learner.iterations(), learner.sampling(), learner.state(seconds));
        let model = learner.model();
        drop(learner);
        if let Some((problem, table)) = self.small(&model)? {
            let behaviours = table.behaviours(problem.tree());
            let form = problem.form(Method::Lp, self.memory, self.watch)?;
            let behaviours = form.evened(behaviours);
            let judged = form.judge([&behaviours[0], &behaviours[1]]);
            let exploitability = judged.exploitability().max(0.0);
            let found = Equilibrium {
                method: self.method,
                backend: None,
                behaviours,
                judged,
                fraction: None,
                iterations,
                before,
                wall: began.elapsed().as_secs_f64(),
                seconds,
                abstraction: self.method == Method::Deep,
                curve: vec![CurvePoint { iterations, seconds, exploitability }],
            };
            return Ok(Walked::LaidOut(Box::new((problem, found))));
        }
        let bound = self.bound(&model)?;
        Ok(Walked::Views(Box::new(ViewEquilibrium {
            method: self.method,
            sampling,
            model,
            iterations,
            before,
            state,
            wall: began.elapsed().as_secs_f64(),
            seconds,
            bound,
        })))
    }

    fn bound(&self, policy: &dyn Policy) -> Result<LocalBound, EquilibriumError> {
        let judge = local_judge(self.game.0, policy, self.options.seed);
        let stopped = |stop| EquilibriumError::Stopped { stop, kept: None };
        judge.judge(self.games, self.watch).map_err(stopped)
    }

    fn learner(&self) -> Result<Box<dyn ViewLearner>, EquilibriumError> {
        let (game, name) = self.game;
        let (walks, seed) = (game.walks(), self.options.seed);
        let mut saved = self.checkpoint.and_then(|checkpoint| checkpoint.open());
        let saved = saved.as_mut().map(|saved| -> &mut dyn Read { saved });
        if self.method == Method::Deep {
            let sampling = external_or_line(&mut *walks(), MOST_MET_DEEP);
            let deep = DeepCfr::new(name, &walks, sampling, seed, self.memory)?;
            return Ok(Box::new(match saved {
                None => deep,
                Some(from) => deep.resume(from)?,
            }));
        }
        let sampling = match self.method {
            Method::Outcome => Sampling::Outcome { explore: 0.6 },
            _ => external_or_line(&mut *walks(), MOST_MET),
        };
        let learner = ViewMccfr::new(name, &walks, sampling, seed, DRAWS, self.memory)?;
        Ok(Box::new(match saved {
            None => learner,
            Some(from) => learner.resume(from)?,
        }))
    }

    /// The game laid out, if it is small, with what plays at all of its information sets.
    fn small(&self, model: &ViewModel) -> Result<Option<(Problem, ViewTable)>, EquilibriumError> {
        let options = Options { whole: true, ..self.options };
        let memory = self.memory.min(SMALL);
        let problem = WalkedRun::laid_out(self.game.0, &options, memory, self.watch)?;
        let Some(problem) = problem else { return Ok(None) };
        if problem.tree().counts().histories > MOST_HISTORIES {
            return Ok(None);
        }
        let mut table = ViewTable::default();
        tabulated(model, &mut *self.game.0.walk(), &mut table);
        Ok(Some((problem, table)))
    }

    /// Iterates until the budget is used up.
    fn learn(&self, learner: &mut dyn ViewLearner) -> Result<(), EquilibriumError> {
        let Budget { iterations: most, time, .. } = self.budget;
        let (began, before) = (Instant::now(), learner.iterations());
        let (mut told, mut kept, mut said) = (None::<Instant>, Instant::now(), Instant::now());
        loop {
            let (so_far, elapsed) = (learner.iterations(), began.elapsed());
            let over =
                most.is_some_and(|most| so_far >= most) || time.is_some_and(|time| elapsed >= time);
            if over {
                return Ok(());
            }
            if told.is_none_or(|told| told.elapsed() >= TELL) {
                told = Some(Instant::now());
                let done = so_far - before;
                let total = self.expected(done, before, elapsed);
                let stage = Stage { done, ..Stage::new("iterating", None, total) };
                if let Err(stop) = self.watch.tell(&stage) {
                    let kept = self.keep(learner)?;
                    return Err(EquilibriumError::Stopped { stop, kept });
                }
            }
            if said.elapsed() >= SAY {
                said = Instant::now();
                self.watch.learnt(&learner.state(elapsed.as_secs_f64()));
            }
            if kept.elapsed() > KEEP {
                self.keep(learner)?;
                kept = Instant::now();
            }
            learner.step();
        }
    }

    /// How many iterations this run will do, as far as can be said.
    fn expected(&self, done: u64, before: u64, elapsed: Duration) -> Option<u64> {
        let by_count = self.budget.iterations.map(|most| most.saturating_sub(before));
        let by_time = self.budget.time.filter(|_| done > 0).map(|time| {
            (done as f64 * time.as_secs_f64() / elapsed.as_secs_f64().max(1e-9)).ceil() as u64
        });
        by_count.into_iter().chain(by_time).min()
    }

    fn keep(&self, learner: &dyn ViewLearner) -> Result<Option<u64>, EquilibriumError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(None) };
        checkpoint.keep(&|out| learner.save(out)).map_err(EquilibriumError::Keep)?;
        Ok(Some(learner.iterations()))
    }
}

/// How often it is said what was learnt.
const SAY: Duration = Duration::from_secs(5);

/// A local best response to a policy, with what is usual.
pub fn local_judge<'a>(
    game: &'a ErasedHidden,
    policy: &'a dyn Policy,
    seed: u64,
) -> LocalBestResponse<'a> {
    LocalBestResponse { walks: game.walks(), policy, tries: TRIES, most: BELIEFS, seed }
}

impl ViewEquilibrium {
    /// What is kept in a file, for a canonical game string.
    pub fn strategy(self, game: &str) -> ViewStrategy {
        let (game, method) = (game.into(), self.method.name().into());
        ViewStrategy { game, method, iterations: self.iterations, model: self.model }
    }
}
