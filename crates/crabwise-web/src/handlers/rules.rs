//! Games from the text of their rules, while the text is being written.
//!
//! Like a board, such a game is its text, which comes with every request about it; nothing is kept here.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise_api::{
    drawing::Drawing,
    rules::{RulesFound, RulesRefused},
};
use crabwise_games::rules_bounds;
use crabwise_rules::{
    examples::EXAMPLES,
    listing::{Found, listing},
    report::Mistake,
    text::{Text, Wishes},
};
use serde::{Deserialize, Serialize};

use crate::{
    error::ApiError,
    open::{SENT, stem_of},
    request::{Named, Sent},
    state::{AppState, json},
};

#[derive(Deserialize)]
pub struct RulesText {
    text: String,
}

/// What there is to say of a text.
#[derive(Serialize)]
#[serde(untagged)]
enum RulesAnswer {
    Right(Box<RulesRead>),
    Wrong(RulesRefused),
}

/// A text that is right, and where play begins.
#[derive(Serialize)]
struct RulesRead {
    #[serde(flatten)]
    found: RulesFound,
    file: String,
    /// None of a game in which not everything is seen.
    #[serde(flatten)]
    first: Option<FirstPosition>,
}

#[derive(Serialize)]
struct FirstPosition {
    drawing: Drawing,
    picture: String,
    choices: Vec<String>,
}

/// What a text says, or all that is wrong with it.
pub async fn read(
    State(state): State<Arc<AppState>>,
    Sent(RulesText { text }): Sent<RulesText>,
) -> Result<Response, ApiError> {
    let game = format!("rules:{}.rules", stem_of(&text));
    let named = Named { game, file: Some(text) };
    named.bounded()?;
    state
        .aboard(move |_| {
            let source = named.file.as_deref().unwrap_or_default();
            Ok(read_text(&named.game, source).unwrap_or_else(|mistakes| {
                RulesAnswer::Wrong(RulesRefused::new(&named.game, source, &mistakes))
            }))
        })
        .await
}

fn read_text(game: &str, source: &str) -> Result<RulesAnswer, Vec<Mistake>> {
    let text = Text::read(source, Wishes::default(), rules_bounds(SENT))?;
    let first = match text.is_hidden() {
        true => None,
        false => text.open_game()?.board(&[]).ok().map(|board| FirstPosition {
            drawing: board.picture.into(),
            picture: board.place.text,
            choices: board.moves.into_iter().map(|(name, _)| name).collect(),
        }),
    };
    let program = text.program();
    let found = RulesFound::new(game, program, Found::of(program), listing(program));
    Ok(RulesAnswer::Right(Box::new(RulesRead { found, file: source.into(), first })))
}

#[derive(Serialize)]
struct Examples {
    examples: Vec<Example>,
}

#[derive(Serialize)]
struct Example {
    name: &'static str,
    title: String,
    about: String,
    text: &'static str,
}

/// Rules to begin with.
pub async fn examples() -> Response {
    let example = |&(name, text): &(&'static str, &'static str)| {
        let hints = crabwise_rules::read(text, &[]).map(|program| program.hints);
        let hints = hints.unwrap_or_default();
        Example { name, title: hints.title, about: hints.about, text }
    };
    json(&Examples { examples: EXAMPLES.iter().map(example).collect() })
}
