//! The explorer: every game on a page, and the same as JSON over HTTP.
//!
//! A [`Server`] answers for the games of a [`Session`], and solves what is missing when it is asked to. On top of the
//! session it keeps only what servers need: games that are open, limits, jobs. The page in `page/` only draws what it
//! is told: positions, legal moves and values come from [`Explorer`](crabwise::explore::Explorer). What the addresses
//! answer is written down in `openapi.json`, with an example of each in the documentation.
//!
//! A request goes from `router` past `guard` to a function of `handlers`, which asks the state of the server, which
//! asks the session. Nothing looks back up.
//!
//! The server keeps no session of a visitor. A position is its line, so its address is all that a page needs; a board
//! that somebody drew is its text, sent along. Only games in the dark are kept, since what is hidden in them must not
//! depend on what anybody sends. A restart loses these, and jobs, which go on from what they have finished.
//!
//! `openapi.json` is written by hand, and every answer that the tests get is held to it. To derive it from the types would
//! take as long to compile as the server itself.
//!
//! Answers that take long are bounded: what people send by size, searches by time, walks through a game by
//! the number of positions, exports and jobs by how many there are; `turns` lets few of them at it at once, and
//! `connections` bounds who may wait. Jobs leave a core to the look-ups. No name in a request ever becomes the name of
//! a file; the file that a game string names is sent along as text. What all this promises is `docs/security.md`.
#![deny(missing_docs)]

mod connections;
mod error;
mod estimate;
mod guard;
mod handlers;
mod jobs;
mod learn;
mod lock;
mod open;
mod page;
mod patience;
mod recent;
mod referee;
mod request;
mod state;
mod turns;
mod values;

use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener},
    sync::Arc,
};

use axum::{
    Router, middleware,
    routing::{get, post},
};
use crabwise_session::Session;

use crate::state::AppState;

/// Answers requests for one path with a text, one after the other, for as long as the program runs; for
/// programs that want to know how a run gets on.
pub fn tell(
    listener: TcpListener,
    path: &str,
    text: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let answer = get(move || async move { text() });
        connections::serve(listener, Router::new().route(path, answer), MOST_LISTENERS).await
    })
}

/// How many may ask a program how it gets on, at once.
const MOST_LISTENERS: usize = 64;

/// Where a server listens, and what it works with.
#[derive(Clone)]
pub struct Config {
    /// The address it listens at: a loopback address, unless others may come in.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The games, where their tables are, and the memory that a job may use.
    pub session: Session,
    /// What the command line is called, for advice.
    pub program: String,
}

/// A server that has its port.
pub struct Server {
    listener: TcpListener,
    state: Arc<AppState>,
}

impl Server {
    /// Takes the port.
    pub fn bind(config: Config) -> io::Result<Server> {
        let listener = TcpListener::bind((config.host, config.port))?;
        listener.set_nonblocking(true)?;
        let local = listener.local_addr()?;
        let state = Arc::new(AppState::new(config.session, config.program, local)?);
        Ok(Server { listener, state })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the process ends.
    pub fn run(self) -> io::Result<()> {
        let threads = state::cores();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            // Look-ups are short; those that wait for a turn must not take all threads.
            .max_blocking_threads(64)
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, router(self.state), connections::most()).await
        })
    }
}

fn router(state: Arc<AppState>) -> Router {
    use crate::handlers::{boards, dark, explore, games, jobs, position, rules, whole};
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/game", get(games::about))
        .route("/gallery", get(boards::gallery))
        .route("/boards", post(boards::read))
        .route("/rules", get(rules::examples).post(rules::read))
        .route("/jobs", get(jobs::all).post(jobs::begin))
        .route("/jobs/{id}", get(jobs::one).delete(jobs::cancel))
        .route("/jobs/{id}/events", get(jobs::events))
        .route("/position", get(position::position))
        .route("/perfect", get(explore::perfect))
        .route("/reply", get(explore::reply))
        .route("/history", get(explore::history))
        .route("/tree", get(explore::tree))
        .route("/find", get(explore::find))
        .route("/stats", get(whole::stats))
        .route("/graph", get(whole::graph))
        .route("/export", get(whole::export))
        .route("/dark", get(dark::view).post(dark::begin))
        .route("/openapi.json", get(page::openapi))
        .fallback(error::no_such_address);
    Router::new()
        .nest("/api", api)
        .fallback(get(page::file).fallback(error::no_such_method))
        .method_not_allowed_fallback(error::no_such_method)
        .layer(axum::extract::DefaultBodyLimit::max(request::LARGEST_BODY))
        .layer(middleware::from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}
