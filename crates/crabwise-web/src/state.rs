//! What all answers work in: the session, what has been opened, what is being done.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    thread,
};

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use crabwise_session::Session;
use serde::Serialize;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    error::{ApiError, Kind},
    estimate::Rates,
    jobs::Jobs,
    lock::lock,
    open::{Dark, Open},
    referee::{Ledger, Secret},
    request::Named,
};

pub struct AppState {
    pub session: Session,
    /// What the command line is called, for advice.
    pub program: String,
    pub jobs: Jobs,
    pub rates: Rates,
    pub secret: Secret,
    local: bool,
    open: Recent<Open>,
    dark: Recent<Dark>,
    heavy: Arc<Semaphore>,
    exports: Arc<Semaphore>,
    /// Held while a position is searched, since one search uses all cores.
    pub search: Mutex<()>,
    /// How far games in the dark have been played.
    pub played: Ledger,
}

/// The most answers that walk through a game at once.
const MOST_HEAVY: usize = 2;
/// The most exports at once.
const MOST_EXPORTS: usize = 2;
/// How many games are kept open, and how many with hidden information, which take more memory.
const MOST_OPEN: usize = 32;
const MOST_DARK: usize = 2;

impl AppState {
    pub fn new(session: Session, program: String, at: SocketAddr) -> io::Result<AppState> {
        Ok(AppState {
            secret: Secret::of(session.place().folder()),
            jobs: Jobs::new(cores())?,
            rates: Rates::default(),
            local: at.ip().is_loopback(),
            open: Recent::new(MOST_OPEN),
            dark: Recent::new(MOST_DARK),
            heavy: Arc::new(Semaphore::new(MOST_HEAVY)),
            exports: Arc::new(Semaphore::new(MOST_EXPORTS)),
            search: Mutex::default(),
            played: Ledger::default(),
            session,
            program,
        })
    }

    /// Whether only this machine may ask.
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// A game in which everything is seen.
    pub fn game(&self, named: &Named) -> Result<Arc<Open>, ApiError> {
        named.bounded()?;
        if let Some(open) = self.open.find(named) {
            return Ok(open);
        }
        // However it was spelled, it is one game, and is kept once.
        let open = Open::new(&self.session, named)?;
        let canonical = open.named.clone();
        let open = self.open.get(&canonical, || Ok(Arc::new(open)))?;
        if canonical != *named {
            self.open.get(named, || Ok(open.clone()))?;
        }
        Ok(open)
    }

    /// A game with hidden information.
    pub fn dark(&self, named: &Named) -> Result<Arc<Dark>, ApiError> {
        named.bounded()?;
        self.dark.get(named, || Dark::new(&self.session, named).map(Arc::new))
    }

    /// Works on an answer where it may take a moment, so that others are answered meanwhile.
    pub async fn answer<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let work = move || work(&self).map(|answer| json(&answer));
        match tokio::task::spawn_blocking(work).await {
            Ok(answer) => answer,
            Err(_) => Err(ApiError::internal("a bug; what it was is told where the server runs")),
        }
    }

    /// Works on an answer that walks through a game: few at a time, and not when many wait.
    pub async fn walk<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let turn = timeout(PATIENCE, self.heavy.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(ApiError::new(Kind::Busy, "others are walking through games; try again"));
        };
        // The turn lasts as long as the work, also if nobody waits for it any more.
        self.answer(move |state| {
            let answer = work(state);
            drop(turn);
            answer
        })
        .await
    }

    /// A turn to export, unless all are taken.
    pub fn export(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let turn = self.exports.clone().try_acquire_owned();
        turn.map_err(|_| ApiError::new(Kind::Busy, "others are exporting games; try again later"))
    }
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// How long a request waits for its turn.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// An answer as JSON.
pub fn json(answer: &impl Serialize) -> Response {
    sent(crabwise_api::text(answer))
}

/// An answer that is JSON already.
pub fn sent(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response()
}

/// What was used last.
struct Recent<T> {
    most: usize,
    /// The last one used comes last.
    list: Mutex<Vec<(Named, Arc<T>)>>,
}

impl<T> Recent<T> {
    fn new(most: usize) -> Recent<T> {
        Recent { most, list: Mutex::new(vec![]) }
    }

    fn get(
        &self,
        named: &Named,
        make: impl FnOnce() -> Result<Arc<T>, ApiError>,
    ) -> Result<Arc<T>, ApiError> {
        if let Some(found) = self.find(named) {
            return Ok(found);
        }
        // Two may make the same at the same time, and the first is kept.
        let made = make()?;
        if let Some(found) = self.find(named) {
            return Ok(found);
        }
        let mut list = lock(&self.list);
        if list.len() == self.most {
            list.remove(0);
        }
        list.push((named.clone(), made.clone()));
        Ok(made)
    }

    fn find(&self, named: &Named) -> Option<Arc<T>> {
        let mut list = lock(&self.list);
        let place = list.iter().position(|(name, _)| name == named)?;
        let found = list.remove(place);
        list.push(found.clone());
        Some(found.1)
    }
}
