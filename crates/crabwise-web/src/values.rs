//! Who knows the values of a game, as long as a request may wait for them.

use crabwise::explore::Explorer;
use crabwise_session::Source;

use crate::{
    error::{ApiError, Kind},
    open::GameQuery,
    patience::Patience,
    state::AppState,
};

/// Asks what knows the values of a game: its table or, where that can be done without, a search.
/// `None` if nothing does.
pub fn look<T>(
    state: &AppState,
    asked: &GameQuery,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, ApiError>,
) -> Result<Option<T>, ApiError> {
    let Some(reading) = asked.reading()? else {
        if labels || !asked.target.answers() {
            return Ok(None);
        }
        if asked.turn.is_none() {
            return Err(ApiError::new(Kind::Busy, "the table went away meanwhile; try again"));
        }
        let patience = Patience::new();
        let session = state.session.within(SEARCH_BYTES);
        let source = Source::Search { instead_of: None };
        let explorer = session.explorer(&asked.target, source, None, &patience)?;
        // Where a search gives up, nobody knows; that is no reason not to show the rest.
        return match ask(&*explorer) {
            Err(error) if error.is_too_large() => Ok(None),
            found => found.map(Some),
        };
    };
    if !labels {
        return ask(reading.explorer()).map(Some);
    }
    match asked.labelled()? {
        Some(labelled) => ask(labelled.explorer()).map(Some),
        None => {
            let line = format!("the traps of {} have not been worked out yet", asked.string());
            Err(ApiError::needs("traps", line))
        }
    }
}

/// What a search for one position may remember.
const SEARCH_BYTES: u64 = 128 << 20;

/// Asks what knows the values of a game, where there is no answer without them.
pub fn known<T>(
    state: &AppState,
    asked: &GameQuery,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    match look(state, asked, labels, ask)? {
        Some(answer) => Ok(answer),
        None => {
            asked.target.built.game.need_table()?;
            Err(ApiError::unsolved(asked.string()))
        }
    }
}
