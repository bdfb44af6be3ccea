//! Playing in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! No game is kept here. It follows from what the person did and from a number that stands for it: what
//! chance and the rival choose is drawn by that number and a secret of the server, the same way each time.
//! So a game can be gone on with after a reload or a restart, and nothing in an answer or in the number
//! tells what is hidden. To try another move where one was made would tell something, and is refused as long
//! as the server remembers the game.

use std::{
    collections::{HashMap, hash_map::RandomState},
    fs,
    hash::{BuildHasher, Hasher},
    io::Write as _,
    path::Path,
    sync::{Arc, Mutex},
};

use axum::{extract::State, response::Response};
use crabwise_hidden::{Laid, Player, Strategy, Turn, View};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    guard::words,
    house::{House, Named, json, lock},
    open::Dark,
    position::Drawing,
    refusal::{Ask, Refusal, Sent},
};

/// What the choices of rivals are drawn with.
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret beside the tables, so that games outlive the server; if there is no place for it, one
    /// that lasts as long as the server does.
    pub fn of(tables: &Path) -> Secret {
        let path = tables.join("referee.secret");
        if let Ok(bytes) = fs::read(&path)
            && let Ok(secret) = <[u8; 32]>::try_from(bytes)
        {
            return Secret(secret);
        }
        let mut secret = [0; 32];
        for part in secret.chunks_exact_mut(8) {
            part.copy_from_slice(&unguessable().to_le_bytes());
        }
        let kept = fs::create_dir_all(tables).and_then(|()| {
            let mut options = fs::OpenOptions::new();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(&path)?.write_all(&secret)
        });
        // Games that are under way when the server stops are lost then, and nothing else.
        drop(kept);
        Secret(secret)
    }

    /// Chance for one decision of a game.
    fn random(
        &self,
        id: &str,
        game: &str,
        seat: Player,
        so_far: &[String],
        n: usize,
    ) -> fastrand::Rng {
        let mut bytes = self.0.to_vec();
        let seat = seat.to_string();
        for word in [id, game, &seat].into_iter().chain(so_far.iter().map(String::as_str)) {
            bytes.extend((word.len() as u64).to_le_bytes());
            bytes.extend(word.as_bytes());
        }
        bytes.extend((n as u64).to_le_bytes());
        bytes.extend(self.0);
        fastrand::Rng::with_seed(xxh3_64(&bytes))
    }
}

/// How far games have been played, so that nothing is taken back.
#[derive(Default)]
pub struct Ledger(Mutex<HashMap<String, Vec<String>>>);

/// So many games are remembered.
const MOST_GAMES: usize = 4_096;

impl Ledger {
    /// Whether a line goes on from what was played in a game, or is a part of it.
    fn agrees(&self, game: &str, line: &[String]) -> bool {
        let ledger = lock(&self.0);
        ledger.get(game).is_none_or(|known| known.starts_with(line) || line.starts_with(known))
    }

    fn enter(&self, game: String, line: &[String]) {
        let mut ledger = lock(&self.0);
        if ledger.len() >= MOST_GAMES {
            ledger.clear();
        }
        let known = ledger.entry(game).or_default();
        if line.len() > known.len() {
            *known = line.to_vec();
        }
    }
}

/// Random bits of the system.
fn unguessable() -> u64 {
    RandomState::new().build_hasher().finish()
}

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
    State(house): State<Arc<House>>,
    Sent(begin): Sent<Begin>,
) -> Result<Response, Refusal> {
    house.registry.build_hidden(&begin.game)?;
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
    State(house): State<Arc<House>>,
    Ask(asked): Ask<Seat>,
) -> Result<Response, Refusal> {
    house
        .walk(move |house| {
            if asked.id.len() != 32 || !asked.id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(Refusal::bad(
                    "id: 32 hexadecimal digits, as POST /api/dark gives them",
                ));
            }
            let dark = house.dark(&Named { game: asked.game.clone(), file: None })?;
            let strategy = dark.strategy()?;
            if strategy.is_none() && (asked.rival == Rival::Strategy || asked.odds != 0) {
                let line = format!("there are no strategies of {} yet", dark.string);
                return Err(Refusal::needs("equilibrium", line));
            }
            let seat = match asked.seat {
                Side::First => Player::First,
                Side::Second => Player::Second,
            };
            let own = words(&asked.line)?;
            let entry = format!("{} {} {seat}", asked.id, dark.string);
            if !house.played.agrees(&entry, &own) {
                let line = "another move was made there; in the dark nothing is taken back";
                return Err(Refusal::bad(line));
            }
            let rival = strategy.as_deref().filter(|_| asked.rival == Rival::Strategy);
            let table =
                Table { house, laid: dark.laid(), game: &dark.string, id: &asked.id, seat, rival };
            let played = table.play(&own)?;
            house.played.enter(entry, &own);
            let odds = strategy.filter(|_| asked.odds != 0);
            Ok(seen(&dark, seat, own, played, odds.as_deref()))
        })
        .await
}

/// A game between a person and a rival.
struct Table<'a> {
    house: &'a House,
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
    fn play(&self, own: &[String]) -> Result<Played, Refusal> {
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
                Err(Refusal::bad(format!("the game is over, so '{word}' cannot be played")))
            }
            None => Ok(Played { at, views, heard, line }),
        }
    }

    fn random(&self, so_far: &[String], n: usize) -> fastrand::Rng {
        self.house.secret.random(self.id, self.game, self.seat, so_far, n)
    }

    fn chosen(&self, view: View, word: &str) -> Result<usize, Refusal> {
        let tree = &self.laid.tree;
        tree.moves(view).position(|mv| mv == word).ok_or_else(|| {
            let legal = tree.moves(view).collect::<Vec<_>>().join(" ");
            Refusal::bad(format!("there is no move '{word}'; legal: {legal}"))
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
