//! Playing in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! The referee knows which games are under way and what was played in them; what chance and the rival did in
//! between is drawn the same way each time it is asked for. A request is judged under the lock of its game:
//! first what is legal of its moves is entered, and only then anything is told, be it a view or what is wrong
//! with the next word. So nobody learns what a move would have brought, and then makes another.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{extract::State, response::Response};
use crabwise_api::drawing::Drawing;
use crabwise_hidden::{
    ExploredGame, Player, Strategy, Turn,
    explorer::{Made, NoMove, Observed, Play},
};
use serde::{Deserialize, Serialize};
use tokio::time::sleep_until;

use crate::{
    error::ApiError,
    lock::lock,
    open::HiddenGame,
    referee::{Game, Referee, Sides},
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
    let named = Named { game: begin.game, file: None };
    named.bounded()?;
    let built = state.session.hidden(&named.game)?;
    Ok(json(&Begun { id: state.referee.begin(built.string) }))
}

#[derive(Deserialize)]
pub struct SeatQuery {
    game: String,
    seat: SeatName,
    rival: Rival,
    id: String,
    #[serde(default)]
    line: String,
    #[serde(default)]
    odds: u8,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum SeatName {
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
struct SeatView {
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
    truth: Option<RevealedGame>,
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
struct RevealedGame {
    picture: String,
    drawing: Drawing,
    line: Vec<String>,
}

pub async fn view(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<SeatQuery>,
) -> Result<Response, ApiError> {
    let (began, again) = (Instant::now(), Arc::new(AtomicBool::new(false)));
    let game = state.referee.find(&asked.id)?;
    let named = Named { game: asked.game.clone(), file: None };
    let answer = {
        let again = again.clone();
        state.in_the_dark(named, move |state, dark| {
            shown(&state.referee, &game, dark, &asked, &again)
        })
    };
    let answer = answer.await;
    if again.load(Ordering::Relaxed) {
        let ticks = began.elapsed().as_nanos() / TICK.as_nanos() + 1;
        sleep_until((began + TICK * u32::try_from(ticks).unwrap_or(u32::MAX)).into()).await;
    }
    answer
}

/// What was told before is told again after so much time or a multiple of it. How long an answer takes depends a
/// little on what is hidden, which shows in the mean of many.
const TICK: Duration = Duration::from_millis(2);

fn shown(
    referee: &Referee,
    game: &Game,
    dark: &HiddenGame,
    asked: &SeatQuery,
    again: &AtomicBool,
) -> Result<SeatView, ApiError> {
    if game.string != dark.string {
        let line = format!("this is a game of {}; begin a new game", game.string);
        return Err(ApiError::bad(line));
    }
    let strategy = dark.strategy()?;
    if strategy.is_none() && (asked.rival == Rival::Strategy || asked.odds != 0) {
        let line = format!("there are no strategies of {} yet", dark.string);
        return Err(ApiError::needs("equilibrium", line));
    }
    let seat = match asked.seat {
        SeatName::First => Player::First,
        SeatName::Second => Player::Second,
    };
    let own = words(&asked.line)?;
    let rival = strategy.as_ref().filter(|_| asked.rival == Rival::Strategy);
    let sides = Sides { seat, rival: rival.map(|(stamp, _)| *stamp) };
    let rival = rival.map(|(_, strategy)| &**strategy);
    let mut settled = lock(&game.settled);
    settled.settle(sides, &own)?;
    let table = DarkTable { referee, game, explored: &dark.explored, sides, rival };
    let (play, made, wrong) = table.play(&own);
    again.store(made <= settled.line.len(), Ordering::Relaxed);
    settled.enter(&own[..made]);
    if let Some(wrong) = wrong {
        return Err(ApiError::bad(wrong.to_string()));
    }
    let odds = strategy.as_ref().filter(|_| asked.odds != 0).map(|(_, strategy)| &**strategy);
    Ok(seen(dark, seat, own, &play, odds))
}

/// A game between a person and a rival.
struct DarkTable<'a> {
    referee: &'a Referee,
    game: &'a Game,
    explored: &'a ExploredGame,
    sides: Sides,
    /// What the rival does; without it, any move.
    rival: Option<&'a Strategy>,
}

impl<'a> DarkTable<'a> {
    /// Makes the person's moves, and between them those of chance and the rival: as many as are legal. Tells how
    /// many were, and what is wrong with the next.
    fn play(&self, own: &[String]) -> (Play<'a>, usize, Option<NoMove>) {
        let (mut play, mut made) = (Play::new(self.explored), 0);
        let rival = self.rival.map(|strategy| &strategy.behaviours);
        loop {
            let asked = match play.turn() {
                Turn::Of(side) => side == self.sides.seat,
                Turn::Over(_) => true,
                Turn::Chance => false,
            };
            match own.get(made) {
                None if asked => return (play, made, None),
                Some(word) if asked => match play.make(word) {
                    Ok(_) => made += 1,
                    Err(wrong) => return (play, made, Some(wrong)),
                },
                _ => {
                    let so_far = &own[..made];
                    let mut random = self.referee.random(self.game, self.sides, so_far, play.len());
                    play.go_on(rival, &mut random);
                }
            }
        }
    }
}

fn seen(
    dark: &HiddenGame,
    seat: Player,
    own: Vec<String>,
    play: &Play,
    strategy: Option<&Strategy>,
) -> SeatView {
    let view = play.seen_by(seat);
    let strategy = strategy.filter(|_| view.payoff.is_none());
    let odds = strategy.map(|strategy| {
        let odds = play.advice(seat, &strategy.behaviours).into_iter();
        odds.map(|(name, probability)| Odds { name, probability }).collect()
    });
    let heard = |Observed { after, text }| Heard { after, text };
    SeatView {
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
        truth: play.truth().map(|truth| RevealedGame {
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
