//! Who knows the values of a game, as long as a request may wait for them.

use std::{
    sync::{Mutex, MutexGuard, TryLockError},
    thread,
    time::Duration,
};

use crabwise::explore::Explorer;
use crabwise_session::Source;

use crate::{
    error::{ApiError, Kind},
    open::Open,
    patience::Patience,
    state::AppState,
};

/// Asks what knows the values of a game: its table or, where that can be done without, a search.
/// `None` if nothing does.
pub fn look<T>(
    state: &AppState,
    open: &Open,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, ApiError>,
) -> Result<Option<T>, ApiError> {
    let Some(reading) = open.reading()? else {
        if labels || !open.target.answers() {
            return Ok(None);
        }
        let patience = Patience::new();
        let Some(_turn) = turn(&state.search, &patience) else {
            return Err(ApiError::new(Kind::Busy, "others are searching; try again"));
        };
        let session = state.session.within(SEARCH_BYTES);
        let source = Source::Search { instead_of: None };
        let explorer = session.explorer(&open.target, source, None, &patience)?;
        // Where a search gives up, nobody knows; that is no reason not to show the rest.
        return match ask(&*explorer) {
            Err(error) if error.is_too_large() => Ok(None),
            found => found.map(Some),
        };
    };
    if !labels {
        return ask(reading.explorer()).map(Some);
    }
    match open.labelled()? {
        Some(labelled) => ask(labelled.explorer()).map(Some),
        None => {
            let line = format!("the traps of {} have not been worked out yet", open.string());
            Err(ApiError::needs("traps", line))
        }
    }
}

/// A turn, if it comes before patience ends.
fn turn<'a>(search: &'a Mutex<()>, patience: &Patience) -> Option<MutexGuard<'a, ()>> {
    loop {
        match search.try_lock() {
            Ok(turn) => return Some(turn),
            Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) if patience.is_over() => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// What a search for one position may remember.
const SEARCH_BYTES: u64 = 128 << 20;

/// Asks what knows the values of a game, where there is no answer without them.
pub fn known<T>(
    state: &AppState,
    open: &Open,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    look(state, open, labels, ask)?.ok_or_else(|| ApiError::unsolved(open.string()))
}
