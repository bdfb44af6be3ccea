//! Which games there are, and what is known of one of them before a move is made.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise::{SolveError, table::open_plain};
use crabwise_api::{games::Games, position::Prediction};
use crabwise_hidden::Strategy;
use crabwise_session::{Error, stop_of};
use serde::Serialize;

use crate::{
    error::ApiError,
    estimate::{A_MOMENT, Planned},
    jobs::JobState,
    learn,
    open::OpenGame,
    patience::Patience,
    request::{Ask, Named},
    state::{AppState, json},
};

pub async fn list(State(state): State<Arc<AppState>>) -> Response {
    json(&Games::new(state.session.registry()))
}

#[derive(Serialize)]
struct GameDetails {
    game: String,
    name: String,
    about: &'static str,
    parameters: &'static str,
    hidden: bool,
    solved: bool,
    /// Whether positions are answered for without a table.
    searchable: bool,
    /// Why there is to be no table, if there is to be none.
    untabled: Option<&'static str>,
    drawn: bool,
    editor: Option<Editor>,
    plan: Option<Planned>,
    predictions: Vec<Prediction>,
    job: Option<JobState>,
    command: String,
}

#[derive(Serialize)]
struct Editor {
    letters: Vec<EditorLetter>,
    places: Vec<EditorPlace>,
}

#[derive(Serialize)]
struct EditorLetter {
    letter: char,
    means: &'static str,
}

#[derive(Serialize)]
struct EditorPlace {
    name: String,
    at: usize,
    letters: String,
}

#[derive(Serialize)]
struct HiddenGameDetails {
    game: String,
    name: String,
    about: &'static str,
    parameters: &'static str,
    hidden: bool,
    solved: bool,
    /// What is known of its value for the first player: a middle and how far off that may be.
    value: Option<f64>,
    exploitability: Option<f64>,
    plan: Option<Planned>,
    job: Option<JobState>,
    command: String,
}

pub async fn about(
    State(state): State<Arc<AppState>>,
    Ask(named): Ask<Named>,
) -> Result<Response, ApiError> {
    if state.session.registry().is_hidden(&named.game) {
        named.bounded()?;
        return state.lay_out(move |state| about_dark(state, &named)).await;
    }
    state.about(named, about_open).await
}

fn about_open(state: &AppState, open: &OpenGame) -> Result<GameDetails, ApiError> {
    let (game, string) = (&open.target.built.game, open.string().to_string());
    let name = string.split(':').next().unwrap_or_default().to_string();
    let entry = state.session.registry().entries().iter().find(|entry| entry.name == name);
    let (about, parameters) = entry.map_or(("", ""), |entry| (entry.about, entry.parameters));
    let solved = open.stamp()?.is_some();
    let searchable = open.target.answers();
    let plan = if solved { None } else { plan(state, open)? };
    let predictions = game.theory().map_or(vec![], |theory| theory.predictions);
    Ok(GameDetails {
        name,
        about,
        parameters,
        hidden: false,
        solved,
        searchable,
        untabled: game.untabled(),
        drawn: game.board(&[])?.drawn,
        editor: game.editor().map(|desk| Editor {
            letters: (desk.letters.iter())
                .map(|&(letter, means)| EditorLetter { letter, means })
                .collect(),
            places: (desk.places.into_iter())
                .map(|place| EditorPlace { name: place.name, at: place.at, letters: place.letters })
                .collect(),
        }),
        plan,
        predictions: predictions.iter().map(Prediction::from).collect(),
        job: state.jobs.about(&string),
        command: format!("{} look {string}", state.program),
        game: string,
    })
}

/// A game that must be walked is not walked further than this to find out how large it is.
const WALK_BYTES: u64 = 2 << 20;

/// How the game would be solved, if that can be told in a moment and without walking it.
fn plan(state: &AppState, open: &OpenGame) -> Result<Option<Planned>, ApiError> {
    match state.session.within(WALK_BYTES).plan(&open.target, &Patience::of(A_MOMENT)) {
        Ok(plan) => Ok(Some(state.rates.planned(&plan, state.session.memory()))),
        Err(Error::Solve(SolveError::TooLarge { .. } | SolveError::Untabled { .. })) => Ok(None),
        Err(Error::Solve(error)) if stop_of(&error).is_some() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn about_dark(state: &AppState, named: &Named) -> Result<HiddenGameDetails, ApiError> {
    let built = state.session.hidden(&named.game)?;
    let game = built.string.clone();
    let name = game.split(':').next().unwrap_or_default().to_string();
    let entry = state.session.registry().hidden().iter().find(|entry| entry.name == name);
    let (about, parameters) = entry.map_or(("", ""), |entry| (entry.about, entry.parameters));
    let judged = open_plain(&state.session.strategies(&game)).ok();
    let judged = judged.and_then(|mut file| Strategy::judged_in(&game, &mut file));
    let middle = |[low, high]: [f64; 2]| (low + high) / 2.0;
    let plan = if judged.is_some() { None } else { learn::plan(state, &built.game) };
    Ok(HiddenGameDetails {
        plan,
        name,
        about,
        parameters,
        hidden: true,
        solved: judged.is_some(),
        value: judged.as_ref().map(|judged| middle(judged.bounds())),
        exploitability: judged.as_ref().map(|judged| judged.exploitability().max(0.0)),
        job: state.jobs.about(&game),
        command: format!("{} play {game}", state.program),
        game,
    })
}
