//! What all answers work in: the session, what has been opened, what is being done.

use std::{io, net::SocketAddr, sync::Arc, thread};

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use crabwise::table;
use crabwise_session::Session;
use serde::Serialize;

use crate::{
    error::ApiError,
    estimate::Rates,
    jobs::Jobs,
    open::{GameQuery, HiddenGame, OpenGame},
    recent::Recent,
    referee::Referee,
    request::Named,
    turns::{Turn, Turns},
};

pub struct AppState {
    pub session: Session,
    /// What the command line is called, for advice.
    pub program: String,
    pub jobs: Jobs,
    pub rates: Rates,
    /// Games in the dark.
    pub referee: Referee,
    local: bool,
    /// Games that are their rules, and those that are boards: many boards must not push out the others.
    open: Recent<OpenGame>,
    boards: Recent<OpenGame>,
    dark: Recent<HiddenGame>,
    /// At opening boards, which have to be read and laid out; other games; and games that are solved, which are not to
    /// wait for what anybody may think of.
    boarding: Turns,
    opening: Turns,
    reopening: Turns,
    /// At finding out how games would be solved.
    plans: Turns,
    /// At walking through games.
    walks: Turns,
    /// At searching positions.
    searches: Turns,
    /// At laying out games with hidden information.
    layouts: Turns,
    /// At searching for a rival's move in the dark.
    pub thoughts: Turns,
    /// At writing whole games.
    pub exports: Turns,
}

impl AppState {
    pub fn new(session: Session, program: String, at: SocketAddr) -> io::Result<AppState> {
        let places = [session.place().folder(), &*session.place().name()];
        let places = places.map(|place| format!("{}/", place.display()));
        Ok(AppState {
            jobs: Jobs::new(cores(), places)?,
            rates: Rates::default(),
            referee: Referee::default(),
            local: at.ip().is_loopback(),
            open: Recent::default(),
            boards: Recent::default(),
            dark: Recent::default(),
            boarding: Turns::new(1, "opening boards"),
            opening: Turns::new(1, "opening games"),
            reopening: Turns::new(1, "opening solved games"),
            plans: Turns::new(1, "asking how games would be solved"),
            walks: Turns::new(2, "walking through games"),
            searches: Turns::new(1, "searching"),
            layouts: Turns::new(1, "having games laid out"),
            thoughts: Turns::new(1, "having rivals think"),
            exports: Turns::new(2, "exporting games"),
            session,
            program,
        })
    }

    /// Whether only this machine may ask.
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// A game in which everything is seen.
    pub fn game(&self, named: &Named) -> Result<Arc<OpenGame>, ApiError> {
        if let Some(open) = self.shelf(named).find(named) {
            return Ok(open);
        }
        // However it was spelled, it is one game, and is kept once.
        let open = Arc::new(OpenGame::new(&self.session, named)?);
        let open = self.shelf(&open.named).keep(&open.named, open.clone());
        Ok(self.shelf(named).keep(named, open))
    }

    fn shelf(&self, named: &Named) -> &Recent<OpenGame> {
        if named.is_board() { &self.boards } else { &self.open }
    }

    /// Works on an answer where it may take a moment, so that others are answered meanwhile.
    pub async fn answer<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        threaded(move || work(&self).map(|answer| json(&answer))).await
    }

    /// Works on an answer that takes reading a text, when its turn among boards comes.
    pub async fn aboard<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let turn = self.boarding.next().await?;
        self.answer(move |state| {
            let answer = work(state);
            drop(turn);
            answer
        })
        .await
    }

    /// Finds a game, and opens it when its turn comes if it is not open.
    pub async fn opened(self: &Arc<AppState>, named: Named) -> Result<Arc<OpenGame>, ApiError> {
        named.bounded()?;
        if let Some(open) = self.shelf(&named).find(&named) {
            return Ok(open);
        }
        let table = self.session.place().folder().join(table::file_name(&named.game));
        let turns = match named.is_board() {
            true => &self.boarding,
            false if table.exists() => &self.reopening,
            false => &self.opening,
        };
        let (state, turn) = (self.clone(), turns.next().await?);
        threaded(move || {
            // The turn lasts as long as the work, also if nobody waits for it any more.
            let open = state.game(&named);
            drop(turn);
            open
        })
        .await
    }

    /// Works on an answer about a game, after a turn to search it where nothing else tells values.
    pub async fn look<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&AppState, &GameQuery) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let asked = self.opened(named).await?;
        let state = self.clone();
        let begun = threaded(move || match asked.target.answers() && asked.reading()?.is_none() {
            true => Ok(Err((asked, work))),
            false => {
                work(&state, &GameQuery { open: asked, turn: None }).map(|told| Ok(json(&told)))
            }
        });
        let (open, work) = match begun.await? {
            Ok(answer) => return Ok(answer),
            Err(searched) => searched,
        };
        let asked = GameQuery { open, turn: Some(self.searches.next().await?) };
        threaded(move || work(&self, &asked).map(|told| json(&told))).await
    }

    /// Works on an answer that a search finds by the rules alone.
    pub async fn search<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&OpenGame) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let open = self.opened(named).await?;
        let turn = self.searches.next().await?;
        self.answer(with_turn(turn, move |_| work(&open))).await
    }

    /// The same for answers that walk through a game.
    pub async fn walk<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&AppState, &GameQuery) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let turn = self.walks.next().await?;
        self.look(named, move |state, asked| {
            let answer = work(state, asked);
            drop(turn);
            answer
        })
        .await
    }

    /// Works on an answer about a game as such, which may take a plan.
    pub async fn about<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&AppState, &OpenGame) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        // Before it waits, so that what is no game is told at once; and kept by nobody who waits, for it may be large.
        drop(self.opened(named.clone()).await?);
        let turn = self.plans.next().await?;
        let open = self.opened(named).await?;
        self.answer(with_turn(turn, move |state| work(state, &open))).await
    }

    /// Works on an answer that may take as long as laying out a game with hidden information.
    pub async fn lay_out<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let turn = self.layouts.next().await?;
        self.answer(with_turn(turn, work)).await
    }

    /// A game with hidden information and its strategies, laid out if it is not.
    pub async fn in_the_dark(
        self: &Arc<AppState>,
        named: Named,
    ) -> Result<Arc<HiddenGame>, ApiError> {
        named.bounded()?;
        if let Some(dark) = self.dark.find(&named) {
            return Ok(dark);
        }
        let (state, asked) = (self.clone(), named.clone());
        threaded(move || HiddenGame::has_strategies(&state.session, &asked)).await?;
        let (state, turn) = (self.clone(), self.layouts.next().await?);
        threaded(move || {
            let dark = match state.dark.find(&named) {
                Some(dark) => dark,
                None => state.dark.keep(&named, Arc::new(HiddenGame::new(&state.session, &named)?)),
            };
            drop(turn);
            Ok(dark)
        })
        .await
    }
}

/// Work that ends its turn with itself, also if nobody waits for it any more.
fn with_turn<T>(turn: Turn, work: impl FnOnce(&AppState) -> T) -> impl FnOnce(&AppState) -> T {
    move |state| {
        let done = work(state);
        drop(turn);
        done
    }
}

/// Does something on a thread where it may take a moment.
pub async fn threaded<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(ApiError::internal("a bug; what it was is told where the server runs")),
    }
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// An answer as JSON.
pub fn json(answer: &impl Serialize) -> Response {
    sent(crabwise_api::text(answer))
}

/// An answer that is JSON already.
pub fn sent(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response()
}
