//! Work that takes longer than an answer may: jobs, each told of as it goes on, and cancelled on request.
//!
//! Short jobs and long ones take turns apart from each other, one of either kind at a time, so that a game
//! of a moment need not wait for one of hours. Either kind has a pool of threads that leaves a core to
//! look-ups. A job that is cancelled or cut off leaves behind what the next one goes on from.

use std::{
    io,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crabwise::watch::{Stage, Stop, Watch};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    error::{ApiError, Kind},
    estimate::{A_MOMENT, Planned},
    lock::lock,
};

/// What a job does.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Makes the table of a game.
    Solve,
    /// Counts what is in it.
    Stats,
    /// Works out the depths of the traps in it.
    Traps,
    /// Finds strategies for a game with hidden information.
    Equilibrium,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Phase {
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled,
    TooLarge,
}

impl Phase {
    fn is_final(self) -> bool {
        !matches!(self, Phase::Waiting | Phase::Running)
    }
}

/// A job as it is told of.
#[derive(Serialize, Clone, Debug)]
pub struct JobState {
    id: String,
    game: String,
    kind: Task,
    state: Phase,
    what: Option<&'static str>,
    tier: Option<u32>,
    done: u64,
    total: Option<u64>,
    rate: Option<f64>,
    seconds_left: Option<f64>,
    seconds: f64,
    /// How good an answer is by now, where it gets better and better.
    line: Option<String>,
    plan: Option<Planned>,
    error: Option<String>,
}

impl JobState {
    /// Whether it will not change any more.
    pub fn is_final(&self) -> bool {
        self.state.is_final()
    }
}

/// All jobs, those that are done too for a while.
pub struct Jobs {
    list: Mutex<Vec<Arc<Job>>>,
    /// Where long jobs and short ones take turns.
    lanes: [Lane; 2],
    /// Where files are, which no job tells.
    places: [String; 2],
}

struct Lane {
    turn: Mutex<()>,
    pool: rayon::ThreadPool,
}

impl Lane {
    fn new(threads: usize) -> io::Result<Lane> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Lane { turn: Mutex::default(), pool: pool.map_err(io::Error::other)? })
    }
}

/// The most jobs that wait or are at work.
const MOST_JOBS: usize = 16;
/// How many are remembered after they are done.
const MOST_DONE: usize = 64;

/// A job, at work or not.
pub struct Job {
    pub wish: Wish,
    /// When its turn came.
    began: OnceLock<Instant>,
    cancelled: AtomicBool,
    outgrown: AtomicBool,
    /// Whether nothing is left to be done, not even to notice that it was cancelled.
    ended: AtomicBool,
    /// The stage that is under way, when it began, and when it was last told of.
    pace: Mutex<Option<StageClock>>,
    state: watch::Sender<JobState>,
}

struct StageClock {
    what: &'static str,
    tier: Option<u32>,
    from: u64,
    began: Instant,
    told: Instant,
}

/// What is wanted.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    pub kind: Task,
    /// Whether to give up rather than to run for long.
    #[serde(default)]
    modest: bool,
    /// Whether to throw away what is there and cannot be used, first; strategies are found again.
    #[serde(default)]
    pub anew: bool,
}

impl Jobs {
    pub fn new(cores: usize, places: [String; 2]) -> io::Result<Jobs> {
        let threads = (cores - 1).max(1);
        let lanes = [Lane::new(threads)?, Lane::new(threads)?];
        Ok(Jobs { list: Mutex::default(), lanes, places })
    }

    /// An error without the places of files.
    pub fn told(&self, error: ApiError) -> ApiError {
        error.without(&self.places)
    }

    /// The job about a game that is under way.
    pub fn about(&self, game: &str) -> Option<JobState> {
        let list = lock(&self.list);
        let mut states = list.iter().map(|work| work.state());
        states.find(|state| state.game == game && !state.is_final())
    }

    /// All jobs that are remembered.
    pub fn all(&self) -> Vec<JobState> {
        lock(&self.list).iter().map(|work| work.state()).collect()
    }

    pub fn find(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let list = lock(&self.list);
        let found = list.iter().find(|work| work.state.borrow().id == id);
        found.cloned().ok_or_else(|| {
            ApiError::new(Kind::NotFound, "no such job; it may be long done, so ask for the game")
        })
    }

    /// The job that is wanted: one under way that does the same, or a new one, and whether it is new.
    pub fn join(&self, game: String, wish: Wish) -> Result<(Arc<Job>, bool), ApiError> {
        let mut list = lock(&self.list);
        let open: Vec<&Arc<Job>> = list.iter().filter(|work| !work.has_ended()).collect();
        // Two at work on one table would be in each other's way, whatever else they wish.
        let same = |work: &&&Arc<Job>| {
            let state = work.state.borrow();
            state.game == game && state.kind == wish.kind && !state.state.is_final()
        };
        if let Some(work) = open.iter().find(same) {
            return Ok(((*work).clone(), false));
        }
        if open.len() >= MOST_JOBS {
            let line = format!("{MOST_JOBS} jobs wait already; cancel one, or try again later");
            return Err(ApiError::new(Kind::Busy, line));
        }
        let work = Arc::new(Job::new(game, wish));
        let over = list.iter().filter(|work| work.has_ended()).count();
        if over > MOST_DONE
            && let Some(oldest) = list.iter().position(|work| work.has_ended())
        {
            list.remove(oldest);
        }
        list.push(work.clone());
        Ok((work, true))
    }

    /// Does a job when its turn comes.
    pub fn run(&self, work: &Job, perform: impl FnOnce(&Watched) -> Result<(), ApiError> + Send) {
        let lane = &self.lanes[usize::from(work.wish.modest)];
        let turn = lock(&lane.turn);
        let _ = work.began.set(Instant::now());
        if work.change_waiting(Phase::Running) {
            let watched = Watched { work };
            let done =
                panic::catch_unwind(AssertUnwindSafe(|| lane.pool.install(|| perform(&watched))));
            work.end(done.map(|done| done.map_err(|error| self.told(error))));
        }
        drop(turn);
        work.ended.store(true, Ordering::Relaxed);
    }
}

impl Job {
    fn new(game: String, wish: Wish) -> Job {
        let (state, _) = watch::channel(JobState {
            id: format!("{:016x}", fastrand::u64(..)),
            game,
            kind: wish.kind,
            state: Phase::Waiting,
            what: None,
            tier: None,
            done: 0,
            total: None,
            rate: None,
            seconds_left: None,
            seconds: 0.0,
            line: None,
            plan: None,
            error: None,
        });
        Job {
            wish,
            began: OnceLock::new(),
            cancelled: AtomicBool::new(false),
            outgrown: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            pace: Mutex::default(),
            state,
        }
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn seconds(&self) -> f64 {
        self.began.get().map_or(0.0, |began| began.elapsed().as_secs_f64())
    }

    /// Moves on from waiting for a turn, if that is what it does.
    fn change_waiting(&self, to: Phase) -> bool {
        self.state.send_if_modified(|state| {
            let waiting = state.state == Phase::Waiting;
            if waiting {
                state.state = to;
            }
            waiting
        })
    }

    /// How it stands.
    pub fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// Every change from now on.
    pub fn states(&self) -> watch::Receiver<JobState> {
        self.state.subscribe()
    }

    /// How many listen, about: one that waits counts twice.
    pub fn listeners(&self) -> u32 {
        self.state.receiver_count() as u32 / 2
    }

    /// Asks it to stop. It does so between two stretches of work, and at once if it waits for its turn.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.change_waiting(Phase::Cancelled);
    }

    /// There is no thread for it.
    pub fn fail(&self, error: io::Error) {
        self.end(Ok(Err(error.into())));
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Tells how it ended.
    fn end(&self, done: thread::Result<Result<(), ApiError>>) {
        let (phase, error) = match done {
            Ok(Ok(())) => (Phase::Done, None),
            _ if self.cancelled.load(Ordering::Relaxed) => (Phase::Cancelled, None),
            _ if self.outgrown.load(Ordering::Relaxed) => (Phase::TooLarge, None),
            Ok(Err(error)) if error.is_too_large() && self.wish.modest => {
                (Phase::TooLarge, Some(error.into_line()))
            }
            Ok(Err(error)) => (Phase::Failed, Some(error.into_line())),
            Err(_) => (Phase::Failed, Some("a bug in the game or in Crabwise".into())),
        };
        self.state.send_modify(|state| {
            (state.state, state.error, state.seconds) = (phase, error, self.seconds());
            state.seconds_left = None;
        });
    }
}

/// Tells of a job, and stops it when it is to stop.
pub struct Watched<'a> {
    work: &'a Job,
}

/// A modest job stops after this many seconds, or when it has found this many positions without knowing how many
/// there are.
const MODEST: (f64, u64) = (8.0, 4_000_000);

impl Watch for Watched<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        let Job { wish, cancelled, outgrown, .. } = self.work;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        let endless = stage.total.is_none() && stage.done > MODEST.1;
        let long = wish.modest && (self.work.seconds() > MODEST.0 || endless);
        if long || outgrown.load(Ordering::Relaxed) {
            outgrown.store(true, Ordering::Relaxed);
            return Err(Stop::Cancelled);
        }
        self.work.told(stage);
        Ok(())
    }

    fn learnt(&self, line: &str) {
        self.work.state.send_modify(|state| state.line = Some(line.into()));
    }
}

impl Watched<'_> {
    /// Hears how the game will be solved.
    pub fn planned(&self, planned: Planned) {
        // What is known to take long is not even begun.
        if self.work.wish.modest && planned.seconds.is_some_and(|s| s > 2.0 * A_MOMENT) {
            self.work.outgrown.store(true, Ordering::Relaxed);
        }
        self.work.state.send_modify(|state| state.plan = Some(planned));
    }
}

impl Job {
    fn told(&self, stage: &Stage) {
        let mut pace = lock(&self.pace);
        let now = Instant::now();
        let &Stage { what, tier, done, total, .. } = stage;
        let same = pace.as_ref().filter(|pace| pace.what == what && pace.tier == tier);
        let (from, began) = match same {
            Some(pace) if now - pace.told < Duration::from_millis(100) => return,
            Some(pace) => (pace.from, pace.began),
            None => (done, now),
        };
        *pace = Some(StageClock { what, tier, from, began, told: now });
        drop(pace);
        let elapsed = (now - began).as_secs_f64();
        let rate = (elapsed > 0.2).then(|| done.saturating_sub(from) as f64 / elapsed);
        let left = rate.zip(total).filter(|(rate, _)| *rate > 0.0);
        self.state.send_modify(|state| {
            (state.what, state.tier, state.done, state.total) = (Some(what), tier, done, total);
            state.rate = rate;
            state.seconds_left = left.map(|(rate, total)| total.saturating_sub(done) as f64 / rate);
            state.seconds = self.seconds();
        });
    }
}
