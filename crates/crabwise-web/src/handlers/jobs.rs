//! Jobs, as programs begin, follow and cancel them.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use axum::{
    extract::State,
    http::StatusCode,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use crabwise::{Plan, SolveError, TableError, analysis::label::Draws};
use crabwise_api::stats::StatsOf;
use crabwise_session::Error;
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    error::ApiError,
    jobs::{Job, JobState, Task, Watched, Wish},
    learn,
    request::{Called, Named, Sent},
    state::{AppState, json},
};

#[derive(Deserialize)]
pub struct JobRequest {
    #[serde(flatten)]
    named: Named,
    #[serde(flatten)]
    wish: Wish,
}

pub async fn begin(
    State(state): State<Arc<AppState>>,
    Sent(JobRequest { named, wish }): Sent<JobRequest>,
) -> Result<Response, ApiError> {
    named.bounded()?;
    let hidden = state.session.registry().is_hidden(&named.game);
    if hidden != (wish.kind == Task::Equilibrium) {
        let line = match hidden {
            true => "for games with hidden information there are jobs of kind equilibrium",
            false => "jobs of kind equilibrium are for games with hidden information",
        };
        return Err(ApiError::bad(line));
    }
    let game = match hidden {
        true => state.session.hidden(&named.game)?.string,
        false => state.opened(named.clone()).await?.string().to_string(),
    };
    let (work, new) = state.jobs.join(game, wish)?;
    let told = work.state();
    if new {
        let (state, working) = (state.clone(), work.clone());
        let thread = thread::Builder::new().name("job".into());
        let spawned = thread.spawn(move || {
            let perform = |watched: &Watched| perform(&state, &named, &working.wish, watched);
            state.jobs.run(&working, perform);
        });
        if let Err(error) = spawned {
            work.fail(error);
        }
    }
    Ok((StatusCode::ACCEPTED, json(&told)).into_response())
}

fn perform(
    state: &AppState,
    named: &Named,
    wish: &Wish,
    watched: &Watched,
) -> Result<(), ApiError> {
    if wish.kind == Task::Equilibrium {
        return learn::learn(state, named, wish.anew, watched);
    }
    let open = state.game(named)?;
    let (session, target) = (&state.session, &*open.target);
    match wish.kind {
        Task::Solve => {
            if wish.anew {
                session.remove_spoilt(target, watched)?;
            }
            let began = Instant::now();
            let planned =
                |plan: &Plan| watched.planned(state.rates.planned(plan, session.memory()));
            let solve = || session.solve(target, watched, true, &planned);
            let solved = match solve() {
                // What a run has left is seen to be spoilt when it is gone on with.
                Err(error) if wish.anew && is_damage(&error) => {
                    session.remove(target)?;
                    solve()?
                }
                solved => solved?,
            };
            // One that went on from an earlier run says nothing about how long all of it takes.
            if let (Some(plan), 0) = (solved.plan, solved.resumed) {
                state.rates.learn(&plan, began.elapsed());
            }
        }
        Task::Traps => drop(session.labelled(target, Draws::Deepest, watched)?),
        Task::Stats | Task::Equilibrium => {
            let stamp = open.stamp()?.ok_or_else(|| ApiError::unsolved("the game"))?;
            let stats = StatsOf::new(
                open.string(),
                &session.stats(target, false, watched)?,
                target.built.game.upper_bound(),
            );
            open.keep_stats(stamp, crabwise_api::text(&stats));
        }
    }
    Ok(())
}

fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Solve(SolveError::Table(TableError::Damaged { .. })))
}

#[derive(Serialize)]
struct All {
    jobs: Vec<JobState>,
}

pub async fn all(State(state): State<Arc<AppState>>) -> Response {
    json(&All { jobs: state.jobs.all() })
}

pub async fn one(
    State(state): State<Arc<AppState>>,
    Called(id): Called,
) -> Result<Response, ApiError> {
    Ok(json(&state.jobs.find(&id)?.state()))
}

pub async fn cancel(
    State(state): State<Arc<AppState>>,
    Called(id): Called,
) -> Result<Response, ApiError> {
    let work = state.jobs.find(&id)?;
    work.cancel();
    // Mostly it stops soon, and then the answer is the end.
    let mut states = work.states();
    let ended = states.wait_for(JobState::is_final);
    let _ = tokio::time::timeout(A_WHILE, ended).await;
    Ok(json(&work.state()))
}

/// How long a cancelled job is waited for.
const A_WHILE: Duration = Duration::from_secs(2);

pub async fn events(
    State(state): State<Arc<AppState>>,
    Called(id): Called,
) -> Result<Response, ApiError> {
    let work = state.jobs.find(&id)?;
    let mut states = work.states();
    states.mark_changed();
    Ok(Sse::new(told(work, states)).keep_alive(KeepAlive::default()).into_response())
}

/// The states of a job from now on, up to its last: not each of them, and the fewer the more listen, but the last at
/// once.
fn told(
    work: Arc<Job>,
    states: watch::Receiver<JobState>,
) -> impl Stream<Item = Result<Event, axum::Error>> + Send {
    stream::unfold((work, Some(states), false), |(work, states, begun)| async move {
        let mut states = states?;
        if begun {
            let pause = BETWEEN * (1 + work.listeners() / MANY);
            let mut ahead = states.clone();
            let _ = tokio::time::timeout(pause, ahead.wait_for(JobState::is_final)).await;
        }
        states.changed().await.ok()?;
        let state = states.borrow_and_update().clone();
        let event = Event::default().event("job").json_data(&state);
        Some((event, (work, (!state.is_final()).then_some(states), true)))
    })
}

/// How long a listener hears nothing after an event that is not the last, if not so many listen.
const BETWEEN: Duration = Duration::from_millis(250);
const MANY: u32 = 32;
