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
use crabwise::table;
use crabwise_session::Session;
use serde::Serialize;

use crate::{
    error::ApiError,
    estimate::Rates,
    jobs::Jobs,
    lock::lock,
    open::{Dark, Open},
    referee::Referee,
    request::Named,
    turns::{Turn, Turns},
    values::Asked,
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
    open: Recent<Open>,
    boards: Recent<Open>,
    dark: Recent<Dark>,
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
    /// At writing whole games.
    pub exports: Turns,
}

/// How many bytes of open games are kept, at most, of either sort.
const MOST_OPEN: u64 = 128 << 20;
/// What a game with hidden information counts: two of them are kept.
pub const DARK: u64 = MOST_OPEN / 2 - (1 << 20);
/// How many games are kept of either sort: their tables take descriptors, and the rules of some many megabytes.
const MOST_GAMES: usize = 24;

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
    pub fn game(&self, named: &Named) -> Result<Arc<Open>, ApiError> {
        if let Some(open) = self.shelf(named).find(named) {
            return Ok(open);
        }
        // However it was spelled, it is one game, and is kept once.
        let open = Arc::new(Open::new(&self.session, named)?);
        let open = self.shelf(&open.named).keep(&open.named, open.clone());
        Ok(self.shelf(named).keep(named, open))
    }

    fn shelf(&self, named: &Named) -> &Recent<Open> {
        if named.is_board() { &self.boards } else { &self.open }
    }

    /// Works on an answer where it may take a moment, so that others are answered meanwhile.
    pub async fn answer<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        threaded(move || work(&self).map(|answer| json(&answer))).await
    }

    /// Finds a game, and opens it when its turn comes if it is not open.
    pub async fn opened(self: &Arc<AppState>, named: Named) -> Result<Arc<Open>, ApiError> {
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
        work: impl FnOnce(&AppState, &Asked) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let asked = self.opened(named).await?;
        let state = self.clone();
        let begun = threaded(move || match asked.target.answers() && asked.reading()?.is_none() {
            true => Ok(Err((asked, work))),
            false => work(&state, &Asked { open: asked, turn: None }).map(|told| Ok(json(&told))),
        });
        let (open, work) = match begun.await? {
            Ok(answer) => return Ok(answer),
            Err(searched) => searched,
        };
        let asked = Asked { open, turn: Some(self.searches.next().await?) };
        threaded(move || work(&self, &asked).map(|told| json(&told))).await
    }

    /// The same for answers that walk through a game.
    pub async fn walk<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&AppState, &Asked) -> Result<T, ApiError> + Send + 'static,
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
        work: impl FnOnce(&AppState, &Open) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let open = self.opened(named).await?;
        let turn = self.plans.next().await?;
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

    /// Works on an answer about a game with hidden information, which is laid out first if it is not.
    pub async fn in_the_dark<T: Serialize + Send + 'static>(
        self: Arc<AppState>,
        named: Named,
        work: impl FnOnce(&AppState, &Dark) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        named.bounded()?;
        if let Some(dark) = self.dark.find(&named) {
            return self.answer(move |state| work(state, &dark)).await;
        }
        let look = move |state: &AppState| {
            let dark = match state.dark.find(&named) {
                Some(dark) => dark,
                None => state.dark.keep(&named, Arc::new(Dark::new(&state.session, &named)?)),
            };
            work(state, &dark)
        };
        self.lay_out(look).await
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
async fn threaded<T: Send + 'static>(
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

/// How much memory something takes, about.
pub trait Weighed {
    fn bytes(&self) -> u64;
    /// Whether somebody solved it, so that others are forgotten first.
    fn is_solved(&self) -> bool {
        false
    }
}

/// What was used last, up to a limit of bytes.
struct Recent<T> {
    /// The last one used comes last.
    list: Mutex<Vec<(Named, Arc<T>)>>,
}

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { list: Mutex::default() }
    }
}

impl<T: Weighed> Recent<T> {
    /// Keeps something under a name. Two may have made the same at the same time, and the first is kept.
    fn keep(&self, named: &Named, made: Arc<T>) -> Arc<T> {
        if let Some(found) = self.find(named) {
            return found;
        }
        let mut list = lock(&self.list);
        list.push((named.clone(), made.clone()));
        // The newest is kept for its next answers, whatever it weighs.
        while list.len() > 1 && !fits(&list) {
            let unsolved = list[..list.len() - 1].iter().position(|(_, one)| !one.is_solved());
            list.remove(unsolved.unwrap_or(0));
        }
        made
    }

    fn find(&self, named: &Named) -> Option<Arc<T>> {
        let mut list = lock(&self.list);
        let place = list.iter().position(|(name, _)| name == named)?;
        let found = list.remove(place);
        list.push(found.clone());
        Some(found.1)
    }
}

fn fits<T: Weighed>(list: &[(Named, Arc<T>)]) -> bool {
    let bytes: u64 = list.iter().map(|(named, one)| named.bytes() + one.bytes()).sum();
    list.len() <= MOST_GAMES && bytes <= MOST_OPEN
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An odd number is solved.
    impl Weighed for u64 {
        fn bytes(&self) -> u64 {
            *self
        }

        fn is_solved(&self) -> bool {
            self % 2 == 1
        }
    }

    #[test]
    fn open_games_are_bounded_by_bytes() {
        let named = |n: u64| Named { game: n.to_string(), file: None };
        let recent = Recent::default();
        let kept = |recent: &Recent<u64>| lock(&recent.list).len();
        for n in 0..10 {
            recent.keep(&named(n), Arc::new(MOST_OPEN / 4 - 1_000));
            assert!(kept(&recent) <= 4);
        }
        assert!(recent.find(&named(9)).is_some() && recent.find(&named(5)).is_none());
        recent.keep(&named(10), Arc::new(2 * MOST_OPEN));
        assert_eq!(kept(&recent), 1);
        for n in 0..100 {
            recent.keep(&named(n), Arc::new(u64::from(n < 3)));
        }
        assert_eq!(kept(&recent), MOST_GAMES);
        assert!((0..3).all(|n| recent.find(&named(n)).is_some()), "solved ones are kept longer");
    }
}
