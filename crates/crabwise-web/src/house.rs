//! What all answers work in: the games, where their tables are, what has been opened, what is being done.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use crabwise_games::Registry;
use crabwise_store::Place;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    Config,
    dark::{Ledger, Secret},
    guard::{LONGEST_FILE, LONGEST_GAME},
    jobs::{Jobs, Rates},
    open::{Dark, Open},
    refusal::{Kind, Refusal},
};

pub struct House {
    pub registry: Registry,
    pub tables: Arc<Place>,
    pub memory: u64,
    pub program: String,
    pub jobs: Jobs,
    pub rates: Rates,
    pub secret: Secret,
    local: bool,
    open: Recent<Open>,
    dark: Recent<Dark>,
    heavy: Arc<Semaphore>,
    exports: Arc<Semaphore>,
    /// Taken by whoever answers by search, since one search uses all cores.
    pub search: Mutex<()>,
    /// How far games in the dark have been played.
    pub played: Ledger,
}

/// So many answers that walk through a game are worked on at once.
const MOST_HEAVY: usize = 2;
/// And so many exports.
const MOST_EXPORTS: usize = 2;
/// So many games are kept open, and so many with hidden information, which take more room.
const MOST_OPEN: usize = 32;
const MOST_DARK: usize = 2;

/// The game that a request is about.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub game: String,
    /// The text of the file that the game string names.
    #[serde(default)]
    pub file: Option<String>,
}

impl House {
    pub fn new(config: Config, registry: Registry, at: SocketAddr) -> io::Result<House> {
        let Config { tables, memory, program, .. } = config;
        Ok(House {
            secret: Secret::of(tables.folder()),
            jobs: Jobs::new(cores())?,
            rates: Rates::default(),
            local: at.ip().is_loopback(),
            open: Recent::new(MOST_OPEN),
            dark: Recent::new(MOST_DARK),
            heavy: Arc::new(Semaphore::new(MOST_HEAVY)),
            exports: Arc::new(Semaphore::new(MOST_EXPORTS)),
            search: Mutex::default(),
            played: Ledger::default(),
            registry,
            tables,
            memory,
            program,
        })
    }

    /// Whether only this machine may ask.
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// A game in which everything is seen.
    pub fn game(&self, named: &Named) -> Result<Arc<Open>, Refusal> {
        bounded(named)?;
        if let Some(open) = self.open.find(named) {
            return Ok(open);
        }
        // However it was spelled, it is one game, and is kept once.
        let open = Open::new(self, named)?;
        let canonical = open.named.clone();
        let open = self.open.get(&canonical, || Ok(Arc::new(open)))?;
        if canonical != *named {
            self.open.get(named, || Ok(open.clone()))?;
        }
        Ok(open)
    }

    /// A game with hidden information.
    pub fn dark(&self, named: &Named) -> Result<Arc<Dark>, Refusal> {
        bounded(named)?;
        self.dark.get(named, || Dark::new(self, named).map(Arc::new))
    }

    /// Works on an answer where it may take a moment, so that others are answered meanwhile.
    pub async fn answer<T: Serialize + Send + 'static>(
        self: Arc<House>,
        work: impl FnOnce(&House) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let work = move || work(&self).map(|answer| json(&answer));
        match tokio::task::spawn_blocking(work).await {
            Ok(answer) => answer,
            Err(_) => Err(Refusal::internal("a bug; what it was is told where the server runs")),
        }
    }

    /// The same for what walks through a game: few at a time, and not when many wait.
    pub async fn walk<T: Serialize + Send + 'static>(
        self: Arc<House>,
        work: impl FnOnce(&House) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let turn = timeout(PATIENCE, self.heavy.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Refusal::new(Kind::Busy, "others are walking through games; try again"));
        };
        // The turn lasts as long as the work, also if whoever asked is gone.
        self.answer(move |house| {
            let answer = work(house);
            drop(turn);
            answer
        })
        .await
    }

    /// A turn to export, unless all are taken.
    pub fn export(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let turn = self.exports.clone().try_acquire_owned();
        turn.map_err(|_| Refusal::new(Kind::Busy, "others are exporting games; try again later"))
    }
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// So long a request waits for its turn.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

fn bounded(named: &Named) -> Result<(), Refusal> {
    if named.game.len() > LONGEST_GAME {
        let line = format!("a game string has at most {LONGEST_GAME} letters");
        return Err(Refusal::new(Kind::TooLarge, line));
    }
    if named.file.as_ref().is_some_and(|text| text.len() > LONGEST_FILE) {
        let line = format!("a file is sent in at most {LONGEST_FILE} bytes");
        return Err(Refusal::new(Kind::TooLarge, line));
    }
    Ok(())
}

pub fn json(answer: &impl Serialize) -> Response {
    let text = serde_json::to_vec(answer).expect("names are strings and nothing else can fail");
    ([(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response()
}

/// What was used last, so many of it.
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
        make: impl FnOnce() -> Result<Arc<T>, Refusal>,
    ) -> Result<Arc<T>, Refusal> {
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

/// Takes a lock, also if somebody who had it failed: what is kept here is whole at any moment.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
