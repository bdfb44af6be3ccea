//! Work that takes longer than an answer may: jobs, each told of as it goes on, and cancelled on request.
//!
//! Short jobs and long ones take turns apart from each other, one of either kind at a time, so that a game
//! of a moment need not wait for one of hours. Either kind has a pool of threads that leaves a core to
//! look-ups. A job that is cancelled or cut off leaves behind what the next one goes on from.

use std::{
    collections::HashMap,
    io,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use crabwise::{
    Plan,
    analysis::label::Draws,
    table,
    watch::{Stage, Stop, Watch},
};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    games::{A_MOMENT, Planned},
    house::{House, Named, json, lock},
    json::StatsOf,
    learn,
    refusal::{Kind, Refusal, Sent},
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

/// All jobs, those that are done too for a while.
pub struct Jobs {
    list: Mutex<Vec<Arc<Work>>>,
    /// Where long jobs and short ones take turns.
    lanes: [Lane; 2],
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

/// So many jobs may wait or be at work.
const MOST_JOBS: usize = 16;
/// So many are remembered after they are done.
const MOST_DONE: usize = 64;

struct Work {
    named: Named,
    wish: Wish,
    /// When its turn came.
    began: OnceLock<Instant>,
    cancelled: AtomicBool,
    outgrown: AtomicBool,
    /// Whether nothing is left to be done, not even to notice that it was cancelled.
    ended: AtomicBool,
    /// The stage that is under way, when it began, and when it was last told of.
    pace: Mutex<Option<Pace>>,
    state: watch::Sender<JobState>,
}

struct Pace {
    what: &'static str,
    tier: Option<u32>,
    from: u64,
    began: Instant,
    told: Instant,
}

/// What is wanted.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    kind: Task,
    /// Whether to give up rather than to run for long.
    #[serde(default)]
    modest: bool,
    /// Whether to throw away what is there first.
    #[serde(default)]
    anew: bool,
}

#[derive(Deserialize)]
pub struct Wanted {
    #[serde(flatten)]
    named: Named,
    #[serde(flatten)]
    wish: Wish,
}

impl Jobs {
    pub fn new(cores: usize) -> io::Result<Jobs> {
        let threads = (cores - 1).max(1);
        Ok(Jobs { list: Mutex::default(), lanes: [Lane::new(threads)?, Lane::new(threads)?] })
    }

    /// The job about a game that is under way.
    pub fn about(&self, game: &str) -> Option<JobState> {
        let list = lock(&self.list);
        let mut states = list.iter().map(|work| work.state.borrow().clone());
        states.find(|state| state.game == game && !state.state.is_final())
    }

    fn find(&self, id: &str) -> Result<Arc<Work>, Refusal> {
        let list = lock(&self.list);
        let found = list.iter().find(|work| work.state.borrow().id == id);
        found.cloned().ok_or_else(|| {
            Refusal::new(Kind::NotFound, "no such job; it may be long done, so ask for the game")
        })
    }

    /// The job that is wanted: one under way that does the same, or a new one, and whether it is new.
    fn join(&self, game: String, wanted: Wanted) -> Result<(Arc<Work>, bool), Refusal> {
        let Wanted { named, wish } = wanted;
        let mut list = lock(&self.list);
        let open: Vec<&Arc<Work>> = list.iter().filter(|work| !work.has_ended()).collect();
        // Two at work on one table would be in each other's way, whatever else they wish.
        let same = |work: &&&Arc<Work>| {
            let state = work.state.borrow();
            state.game == game && state.kind == wish.kind && !state.state.is_final()
        };
        if let Some(work) = open.iter().find(same) {
            return Ok(((*work).clone(), false));
        }
        if open.len() >= MOST_JOBS {
            let line = format!("{MOST_JOBS} jobs wait already; cancel one, or try again later");
            return Err(Refusal::new(Kind::Busy, line));
        }
        let work = Arc::new(Work::new(game, named, wish));
        let over = list.iter().filter(|work| work.has_ended()).count();
        if over > MOST_DONE
            && let Some(oldest) = list.iter().position(|work| work.has_ended())
        {
            list.remove(oldest);
        }
        list.push(work.clone());
        Ok((work, true))
    }
}

impl Work {
    fn new(game: String, named: Named, wish: Wish) -> Work {
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
        Work {
            named,
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

    fn run(&self, house: &House) {
        let lane = &house.jobs.lanes[usize::from(self.wish.modest)];
        let turn = lock(&lane.turn);
        let _ = self.began.set(Instant::now());
        let begun = self.state.send_if_modified(|state| {
            let waiting = state.state == Phase::Waiting;
            if waiting {
                state.state = Phase::Running;
            }
            waiting
        });
        if begun {
            let watched = Watched { work: self, house };
            let done = panic::catch_unwind(AssertUnwindSafe(|| {
                lane.pool.install(|| self.perform(house, &watched))
            }));
            self.end(done);
        }
        drop(turn);
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Tells how it ended.
    fn end(&self, done: thread::Result<Result<(), Refusal>>) {
        let (phase, error) = match done {
            Ok(Ok(())) => (Phase::Done, None),
            _ if self.cancelled.load(Ordering::Relaxed) => (Phase::Cancelled, None),
            _ if self.outgrown.load(Ordering::Relaxed) => (Phase::TooLarge, None),
            Ok(Err(refusal)) if refusal.is_too_large() && self.wish.modest => {
                (Phase::TooLarge, Some(refusal.into_line()))
            }
            Ok(Err(refusal)) => (Phase::Failed, Some(refusal.into_line())),
            Err(_) => (Phase::Failed, Some("a bug in the game or in Crabwise".into())),
        };
        self.state.send_modify(|state| {
            (state.state, state.error, state.seconds) = (phase, error, self.seconds());
            state.seconds_left = None;
        });
    }

    fn perform(&self, house: &House, watched: &Watched) -> Result<(), Refusal> {
        let kind = self.wish.kind;
        if kind == Task::Equilibrium {
            return learn::learn(house, &self.named, self.wish.anew, watched);
        }
        let open = house.game(&self.named)?;
        let storing = house.tables.watch(watched);
        let (game, job) = (&open.built.game, open.job(&storing));
        match kind {
            Task::Solve => {
                if self.wish.anew || game.outdated(&job) {
                    house.tables.remove(&table::traps(&open.table))?;
                    house.tables.remove(&open.table)?;
                    table::remove(&open.table)?;
                }
                house.tables.fetch(&open.table, watched)?;
                if !open.table.exists() {
                    house.tables.go_on(&open.table, watched)?;
                }
                let began = Instant::now();
                let solved =
                    game.solve(&job, true, &|plan| watched.planned(plan)).inspect_err(|_| {
                        // What cannot be stored now is stored by the next run.
                        let _ = house.tables.flush(&open.table);
                    })?;
                // One that went on from an earlier run says nothing about how long all of it takes.
                if let (Some(plan), 0) = (solved.plan, solved.resumed) {
                    house.rates.learn(&plan, began.elapsed());
                }
            }
            Task::Traps => drop(game.open_labelled(&job, Draws::Deepest)?),
            Task::Stats | Task::Equilibrium => {
                let unsolved = || Refusal::needs("solve", "the game has not been solved yet");
                let stamp = open.stamp()?.ok_or_else(unsolved)?;
                let stats = StatsOf::new(open.string(), &game.stats(&job, false)?);
                let text = serde_json::to_string(&stats).map_err(Refusal::internal)?;
                open.keep_stats(stamp, text);
            }
        }
        Ok(())
    }
}

/// Tells of a job, and stops it when it is to stop.
struct Watched<'a> {
    work: &'a Work,
    house: &'a House,
}

/// A modest job stops after so many seconds, or when it has walked so far without knowing how far there is.
const MODEST: (f64, u64) = (8.0, 4_000_000);

impl Watch for Watched<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        let Work { wish, cancelled, outgrown, .. } = self.work;
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
    fn planned(&self, plan: &Plan) {
        let planned = Planned::new(self.house, plan);
        // What is known to take long is not even begun.
        if self.work.wish.modest && planned.seconds.is_some_and(|s| s > 2.0 * A_MOMENT) {
            self.work.outgrown.store(true, Ordering::Relaxed);
        }
        self.work.state.send_modify(|state| state.plan = Some(planned));
    }
}

impl Work {
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
        *pace = Some(Pace { what, tier, from, began, told: now });
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

/// How fast games are solved here.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, f64>>);

/// Below this many slots, the time says more about files than about solving.
const TELLING: u64 = 1_000_000;

impl Rates {
    /// Remembers how long a game took.
    fn learn(&self, plan: &Plan, time: Duration) {
        if plan.slots >= TELLING {
            let rate = plan.slots as f64 / time.as_secs_f64().max(1e-3);
            lock(&self.0).insert(plan.solver.to_string(), rate);
        }
    }

    /// How long a game will take, about: as fast as the last one that was solved the same way or, if
    /// there was none, as fast as one core of an ordinary machine.
    pub fn seconds(&self, plan: &Plan) -> f64 {
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

/// Stops a look-up that takes too long.
pub struct Patience {
    end: Instant,
}

/// The longest that a look-up may take, in seconds.
const LONGEST_LOOK: f64 = 5.0;

impl Patience {
    pub fn new() -> Patience {
        Patience::of(LONGEST_LOOK)
    }

    /// Refuses to go on when it is over.
    pub fn hold(&self) -> Result<(), Refusal> {
        if self.is_over() { Err(Stop::Cancelled.into()) } else { Ok(()) }
    }

    pub fn is_over(&self) -> bool {
        Instant::now() > self.end
    }

    /// So many seconds of it.
    pub fn of(seconds: f64) -> Patience {
        Patience { end: Instant::now() + Duration::from_secs_f64(seconds) }
    }
}

impl Watch for Patience {
    fn tell(&self, _stage: &Stage) -> Result<(), Stop> {
        if self.is_over() { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

pub async fn begin(
    State(house): State<Arc<House>>,
    Sent(wanted): Sent<Wanted>,
) -> Result<Response, Refusal> {
    let hidden = house.registry.is_hidden(&wanted.named.game);
    if hidden != (wanted.wish.kind == Task::Equilibrium) {
        let line = match hidden {
            true => "for games with hidden information there are jobs of kind equilibrium",
            false => "jobs of kind equilibrium are for games with hidden information",
        };
        return Err(Refusal::bad(line));
    }
    let game = match hidden {
        true => house.registry.build_hidden(&wanted.named.game)?.string,
        false => {
            let (house, named) = (house.clone(), wanted.named.clone());
            let open = tokio::task::spawn_blocking(move || house.game(&named)).await;
            open.map_err(Refusal::internal)??.string().to_string()
        }
    };
    let (work, new) = house.jobs.join(game, wanted)?;
    let state = work.state.borrow().clone();
    if new {
        let (house, working) = (house.clone(), work.clone());
        let thread = thread::Builder::new().name("job".into());
        if let Err(error) = thread.spawn(move || working.run(&house)) {
            work.end(Ok(Err(error.into())));
            work.ended.store(true, Ordering::Relaxed);
        }
    }
    Ok((StatusCode::ACCEPTED, json(&state)).into_response())
}

#[derive(Serialize)]
struct All {
    jobs: Vec<JobState>,
}

pub async fn all(State(house): State<Arc<House>>) -> Response {
    let jobs = lock(&house.jobs.list).iter().map(|work| work.state.borrow().clone()).collect();
    json(&All { jobs })
}

pub async fn one(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let state = house.jobs.find(&id)?.state.borrow().clone();
    Ok(json(&state))
}

pub async fn cancel(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let work = house.jobs.find(&id)?;
    work.cancelled.store(true, Ordering::Relaxed);
    // A job that waits for its turn need not wait to be told so.
    work.state.send_if_modified(|state| {
        let waiting = state.state == Phase::Waiting;
        if waiting {
            state.state = Phase::Cancelled;
        }
        waiting
    });
    // It stops between two stretches of work; mostly that is soon, and then the answer is the end.
    let mut states = work.state.subscribe();
    let ended = states.wait_for(|state| state.state.is_final());
    let _ = tokio::time::timeout(A_WHILE, ended).await;
    let state = work.state.borrow().clone();
    Ok(json(&state))
}

/// So long whoever cancels a job waits for its end.
const A_WHILE: Duration = Duration::from_secs(2);

pub async fn events(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let mut states = house.jobs.find(&id)?.state.subscribe();
    states.mark_changed();
    Ok(Sse::new(told(states)).keep_alive(KeepAlive::default()).into_response())
}

/// The states of a job from now on, up to its last.
fn told(
    states: watch::Receiver<JobState>,
) -> impl Stream<Item = Result<Event, axum::Error>> + Send {
    stream::unfold(Some(states), |states| async {
        let mut states = states?;
        states.changed().await.ok()?;
        let state = states.borrow_and_update().clone();
        let event = Event::default().event("job").json_data(&state);
        Some((event, (!state.state.is_final()).then_some(states)))
    })
}
