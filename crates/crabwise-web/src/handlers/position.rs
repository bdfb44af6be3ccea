//! A position: what it looks like, what can be done, and what that is worth.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise_api::position::Position;

use crate::{
    error::ApiError,
    open::GameQuery,
    request::{Ask, Where},
    state::AppState,
    values::look,
};

pub async fn position(
    State(state): State<Arc<AppState>>,
    Ask(at): Ask<Where>,
) -> Result<Response, ApiError> {
    let named = at.named();
    let labels = at.labels();
    let shown = move |state: &AppState, open: &GameQuery| shown(state, open, &at);
    // Labels may have to be read as a whole first.
    if labels { state.walk(named, shown).await } else { state.look(named, shown).await }
}

fn shown(state: &AppState, open: &GameQuery, at: &Where) -> Result<Position, ApiError> {
    let line = at.words()?;
    let board = open.target.built.game.board(&line)?;
    let info = look(state, open, at.labels(), |explorer| Ok(explorer.look(&line)?))?;
    let command = format!("{} look {}", state.program, open.string());
    let command = [&[command], &board.place.line[..], &board.place.made].concat().join(" ");
    let picture = board.picture.clone();
    let position = Position::new(open.string(), board, info.as_ref());
    Ok(position.with_drawing(picture).with_command(command))
}
