//! Playing in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! No game is kept here. It follows from what the person did and from a number that stands for it: what
//! chance and the rival choose is drawn by that number and a secret of the server, the same way each time.
//! So a game can be gone on with after a reload or a restart, and nothing in an answer or in the number
//! tells what is hidden. To try another move where one was made would tell something, and is refused as long
//! as the server remembers the game.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise::hidden::{Laid, Player, Strategy, Turn, View};
use crabwise_api::drawing::Drawing;
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
    /// After so many moves of one's own.
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
            let table =
                Table { state, laid: dark.laid(), game: &dark.string, id: &asked.id, seat, rival };
            let played = table.play(&own)?;
            state.played.enter(entry, &own);
            let odds = strategy.filter(|_| asked.odds != 0);
            Ok(seen(&dark, seat, own, played, odds.as_deref()))
        })
        .await
}

/// A game between a person and a rival.
struct Table<'a> {
    state: &'a AppState,
    laid: &'a Laid<'a>,
    game: &'a str,
    id: &'a str,
    seat: Player,
    /// What the rival does; anything, if nothing is said.
    rival: Option<&'a Strategy>,
}

/// Where a game stands.
struct Played {
    at: u32,
    views: [View; 2],
    heard: Vec<Heard>,
    /// Who did what, for the end.
    line: Vec<String>,
}

impl Table<'_> {
    fn play(&self, own: &[String]) -> Result<Played, ApiError> {
        let tree = &self.laid.tree;
        let (mut at, mut views) = (tree.first_state(), Player::BOTH.map(|side| tree.start(side)));
        let (mut made, mut heard, mut line) = (0, vec![], vec![]);
        loop {
            let (who, mv) = match tree.turn(at) {
                Turn::Of(side) if side == self.seat => {
                    let Some(word) = own.get(made) else { break };
                    made += 1;
                    (side.to_string(), self.chosen(views[side as usize], word)?)
                }
                Turn::Of(side) => {
                    (side.to_string(), self.reply(views[side as usize], &own[..made], line.len()))
                }
                Turn::Chance => {
                    ("chance".into(), tree.draw(at, &mut self.random(&own[..made], line.len())))
                }
                Turn::Over(_) => break,
            };
            line.push(format!("{who}: {}", tree.move_name(at, mv)));
            let (to, words) = tree.advance(at, mv, &mut views);
            if let Some(text) = &words[self.seat as usize] {
                heard.push(Heard { after: made, text: text.to_string() });
            }
            at = to;
        }
        match own.get(made) {
            Some(word) => {
                Err(ApiError::bad(format!("the game is over, so '{word}' cannot be played")))
            }
            None => Ok(Played { at, views, heard, line }),
        }
    }

    fn random(&self, so_far: &[String], n: usize) -> fastrand::Rng {
        self.state.secret.random(self.id, self.game, self.seat, so_far, n)
    }

    fn chosen(&self, view: View, word: &str) -> Result<usize, ApiError> {
        let tree = &self.laid.tree;
        tree.moves(view).position(|mv| mv == word).ok_or_else(|| {
            let legal = tree.moves(view).collect::<Vec<_>>().join(" ");
            ApiError::bad(format!("there is no move '{word}'; legal: {legal}"))
        })
    }

    fn reply(&self, view: View, so_far: &[String], n: usize) -> usize {
        let (count, mut random) = (self.laid.tree.moves(view).len(), self.random(so_far, n));
        let Some(strategy) = self.rival else { return random.usize(..count) };
        let behaviour = &strategy.behaviours[self.seat.other() as usize];
        let likely = &behaviour[view.first()..view.first() + count];
        let mut left = random.f64() * likely.iter().sum::<f64>();
        let place = likely.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        // What rounding leaves over goes to the last that can be.
        place.or_else(|| likely.iter().rposition(|p| *p > 0.0)).unwrap_or(0)
    }
}

fn seen(
    dark: &Dark,
    seat: Player,
    own: Vec<String>,
    played: Played,
    odds: Option<&Strategy>,
) -> Seen {
    let laid = dark.laid();
    let Played { at, views, heard, line } = played;
    let view = views[seat as usize];
    let payoff = match laid.tree.turn(at) {
        Turn::Over(payoff) => Some(if seat == Player::First { payoff } else { -payoff }),
        _ => None,
    };
    let moves: Vec<String> = match payoff {
        Some(_) => vec![],
        None => laid.tree.moves(view).map(String::from).collect(),
    };
    let odds = odds.filter(|_| payoff.is_none()).map(|strategy| {
        let likely = &strategy.behaviours[seat as usize][view.first()..];
        let one = |(name, probability): (&String, &f64)| Odds {
            name: name.clone(),
            probability: *probability,
        };
        let mut odds: Vec<Odds> = moves.iter().zip(likely).map(one).collect();
        odds.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        odds
    });
    Seen {
        game: dark.string.clone(),
        seat: if seat == Player::First { "first" } else { "second" },
        line: own,
        over: payoff.is_some(),
        picture: laid.seen(at, seat),
        drawing: laid.picture(at, Some(seat)).into(),
        drawn: laid.is_drawn(),
        heard,
        moves,
        odds,
        payoff,
        words: payoff.map_or("Your move.".into(), ending),
        truth: payoff.map(|_| Truth {
            picture: laid.show(at),
            drawing: laid.picture(at, None).into(),
            line,
        }),
    }
}

fn ending(payoff: f64) -> String {
    let by = |payoff: f64| if payoff == 1.0 { String::new() } else { format!(" {payoff}") };
    match payoff {
        payoff if payoff > 0.0 => format!("You win{}.", by(payoff)),
        payoff if payoff < 0.0 => format!("You lose{}.", by(-payoff)),
        _ => "Nobody wins.".into(),
    }
}
