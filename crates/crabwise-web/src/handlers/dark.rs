//! Playing in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! No game is kept here. It follows from what the person did and from a number that stands for it: what
//! chance and the rival choose is drawn by that number and a secret of the server, the same way each time.
//! So a game can be gone on with after a reload or a restart, and nothing in an answer or in the number
//! tells what is hidden. To try another move where one was made would tell something, and is refused as long
//! as the server remembers the game.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise_api::drawing::Drawing;
use crabwise_hidden::{
    ExploredGame, Player, Strategy, Turn,
    explorer::{Made, Observed, Play},
};
use serde::{Deserialize, Serialize};

use crate::{
    error::ApiError,
    open::Dark,
    referee::unguessable,
    request::{Ask, Named, Sent, words},
    state::{AppState, json},
};

#[derive(Serialize)]
struct Begun {
    id: String,
}

#[derive(Deserialize)]
pub struct Begin {
    game: String,
}

/// A number for a new game.
pub async fn begin(
    State(state): State<Arc<AppState>>,
    Sent(begin): Sent<Begin>,
) -> Result<Response, ApiError> {
    state.session.hidden(&begin.game)?;
    Ok(json(&Begun { id: format!("{:016x}{:016x}", unguessable(), unguessable()) }))
}

#[derive(Deserialize)]
pub struct Seat {
    game: String,
    seat: Side,
    rival: Rival,
    id: String,
    #[serde(default)]
    line: String,
    #[serde(default)]
    odds: u8,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Side {
    First,
    Second,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Rival {
    Strategy,
    Random,
}

#[derive(Serialize)]
struct Seen {
    game: String,
    seat: &'static str,
    line: Vec<String>,
    over: bool,
    picture: String,
    drawing: Drawing,
    drawn: bool,
    heard: Vec<Heard>,
    moves: Vec<String>,
    odds: Option<Vec<Odds>>,
    payoff: Option<f64>,
    words: String,
    truth: Option<Truth>,
}

#[derive(Serialize)]
struct Heard {
    /// How many moves the player had made by then.
    after: usize,
    text: String,
}

#[derive(Serialize)]
struct Odds {
    #[serde(rename = "move")]
    name: String,
    probability: f64,
}

#[derive(Serialize)]
struct Truth {
    picture: String,
    drawing: Drawing,
    line: Vec<String>,
}

pub async fn view(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<Seat>,
) -> Result<Response, ApiError> {
    state
        .walk(move |state| {
            if asked.id.len() != 32 || !asked.id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(ApiError::bad(
                    "id: 32 hexadecimal digits, as POST /api/dark gives them",
                ));
            }
            let dark = state.dark(&Named { game: asked.game.clone(), file: None })?;
            let strategy = dark.strategy()?;
            if strategy.is_none() && (asked.rival == Rival::Strategy || asked.odds != 0) {
                let line = format!("there are no strategies of {} yet", dark.string);
                return Err(ApiError::needs("equilibrium", line));
            }
            let seat = match asked.seat {
                Side::First => Player::First,
                Side::Second => Player::Second,
            };
            let own = words(&asked.line)?;
            let entry = format!("{} {} {seat}", asked.id, dark.string);
            if !state.played.agrees(&entry, &own) {
                let line = "another move was made there; in the dark nothing is taken back";
                return Err(ApiError::bad(line));
            }
            let rival = strategy.as_deref().filter(|_| asked.rival == Rival::Strategy);
            let explored = &dark.explored;
            let table = Table { state, explored, game: &dark.string, id: &asked.id, seat, rival };
            let play = table.play(&own)?;
            state.played.enter(entry, &own);
            let odds = strategy.as_deref().filter(|_| asked.odds != 0);
            Ok(seen(&dark, seat, own, &play, odds))
        })
        .await
}

/// A game between a person and a rival.
struct Table<'a> {
    state: &'a AppState,
    explored: &'a ExploredGame,
    game: &'a str,
    id: &'a str,
    seat: Player,
    /// What the rival does; without it, any move.
    rival: Option<&'a Strategy>,
}

impl<'a> Table<'a> {
    /// Makes the person's moves, and between them those of chance and the rival.
    fn play(&self, own: &[String]) -> Result<Play<'a>, ApiError> {
        let (mut play, mut made) = (Play::new(self.explored), 0);
        let rival = self.rival.map(|strategy| &strategy.behaviours);
        loop {
            let asked = match play.turn() {
                Turn::Of(side) => side == self.seat,
                Turn::Over(_) => true,
                Turn::Chance => false,
            };
            match own.get(made) {
                None if asked => return Ok(play),
                Some(word) if asked => {
                    play.make(word).map_err(|error| ApiError::bad(error.to_string()))?;
                    made += 1;
                }
                _ => {
                    let mut random = self.random(&own[..made], play.len());
                    play.go_on(rival, &mut random);
                }
            }
        }
    }

    fn random(&self, so_far: &[String], n: usize) -> fastrand::Rng {
        self.state.secret.random(self.id, self.game, self.seat, so_far, n)
    }
}

fn seen(
    dark: &Dark,
    seat: Player,
    own: Vec<String>,
    play: &Play,
    strategy: Option<&Strategy>,
) -> Seen {
    let view = play.seen_by(seat);
    let strategy = strategy.filter(|_| view.payoff.is_none());
    let odds = strategy.map(|strategy| {
        let odds = play.advice(seat, &strategy.behaviours).into_iter();
        odds.map(|(name, probability)| Odds { name, probability }).collect()
    });
    let heard = |Observed { after, text }| Heard { after, text };
    Seen {
        game: dark.string.clone(),
        seat: if seat == Player::First { "first" } else { "second" },
        line: own,
        over: view.payoff.is_some(),
        picture: view.picture,
        drawing: view.drawing.into(),
        drawn: dark.explored.is_drawn(),
        heard: view.observed.into_iter().map(heard).collect(),
        moves: view.moves,
        odds,
        payoff: view.payoff,
        words: view.payoff.map_or("Your move.".into(), ending),
        truth: play.truth().map(|truth| Truth {
            picture: truth.picture,
            drawing: truth.drawing.into(),
            line: truth.line.iter().map(told).collect(),
        }),
    }
}

/// Who made which move, for the end.
fn told(made: &Made) -> String {
    let by = made.by.map_or("chance".into(), |player| player.to_string());
    format!("{by}: {}", made.name)
}

fn ending(payoff: f64) -> String {
    let by = |payoff: f64| if payoff == 1.0 { String::new() } else { format!(" {payoff}") };
    match payoff {
        payoff if payoff > 0.0 => format!("You win{}.", by(payoff)),
        payoff if payoff < 0.0 => format!("You lose{}.", by(-payoff)),
        _ => "Nobody wins.".into(),
    }
}
