//! Playing in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! The referee knows which games are under way and what was played in them; what chance and the rival did in
//! between is drawn the same way each time it is asked for. A request is judged under the lock of its game:
//! first what is legal of its moves is entered, and only then anything is told, be it a view or what is wrong
//! with the next word. So nobody learns what a move would have brought, and then makes another.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{extract::State, response::Response};
use crabwise_api::drawing::Drawing;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, Player, Turn,
    agents::{
        AnyAgent, Effort, IsmctsAgent, MonteCarloAgent, ProbOneAgent, RandomAgent, StrategyAgent,
    },
    play::{Made, NoMove, Observed, Play},
};
use serde::{Deserialize, Serialize};
use tokio::{sync::OwnedMutexGuard, time::sleep_until};

use crate::{
    error::{ApiError, Kind},
    lock::lock,
    open::HiddenGame,
    referee::{Game, Referee, Settled, SettledRival, Sides},
    request::{Ask, Named, Sent, number, words},
    state::{AppState, json, threaded},
    turns,
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
    /// How much a rival who searches does before a move.
    iterations: Option<String>,
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
    Ismcts,
    Mc,
    Pone,
    Random,
}

/// How many iterations a rival does, unless somebody says otherwise, and at most.
const ITERATIONS: u64 = 2_000;
const MOST_ITERATIONS: u64 = 20_000;

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
    let began = Instant::now();
    let game = state.referee.find(&asked.id)?;
    let named = Named { game: asked.game.clone(), file: None };
    named.bounded()?;
    let Built { string, .. } = state.session.hidden(&named.game)?;
    if game.string != string {
        let line = format!("this is a game of {}; begin a new game", game.string);
        return Err(ApiError::bad(line));
    }
    let known = match asked.rival == Rival::Strategy || asked.odds != 0 {
        true => Some(state.in_the_dark(named).await?),
        false => None,
    };
    let request = Arc::new(SeatRequest { state, game, known, asked, pause: Mutex::default() });
    let mut answer = request.clone().attempt(false).await;
    if let Ok(None) = answer {
        let turn = request.state.thoughts.next().await?;
        // Whoever goes away meanwhile does not end the turn.
        let searched = tokio::spawn(request.clone().searched(turn));
        answer = searched.await.map_err(ApiError::internal)?;
    }
    let Pause { again, until } = *lock(&request.pause);
    if let Some(until) = until {
        sleep_until(until.into()).await;
    }
    if again {
        let ticks = began.elapsed().as_nanos() / TICK.as_nanos() + 1;
        sleep_until((began + TICK * u32::try_from(ticks).unwrap_or(u32::MAX)).into()).await;
    }
    match answer? {
        Some(view) => Ok(json(&*view)),
        None => Err(ApiError::internal("a rival who has a turn does not move")),
    }
}

/// What was told before is told again after so much time or a multiple of it. How long an answer takes depends a
/// little on what is hidden, which shows in the mean of many.
const TICK: Duration = Duration::from_millis(2);
/// What a search was needed for is told after this, or twice as much, or four times…
const SEARCH_TICK: Duration = Duration::from_millis(50);

/// When an answer may go.
#[derive(Clone, Copy, Default)]
struct Pause {
    /// Whether it was given before.
    again: bool,
    until: Option<Instant>,
}

/// A request for a view, with all that it is answered from.
struct SeatRequest {
    state: Arc<AppState>,
    game: Arc<Game>,
    /// The layout with its strategies, if they are asked for.
    known: Option<Arc<HiddenGame>>,
    asked: SeatQuery,
    pause: Mutex<Pause>,
}

impl SeatRequest {
    /// The answer; `None` if the rival has to search for its move and may not.
    async fn attempt(
        self: Arc<SeatRequest>,
        may_search: bool,
    ) -> Result<Option<Box<SeatView>>, ApiError> {
        // Who waits while the rival thinks holds no thread.
        let settled = self.game.settled.clone().lock_owned().await;
        threaded(move || self.shown(settled, may_search)).await
    }

    /// The answer after a search, for which there is a turn. That lasts until the answer may go: others who wait for
    /// theirs are not to know better.
    async fn searched(
        self: Arc<SeatRequest>,
        turn: turns::Turn,
    ) -> Result<Option<Box<SeatView>>, ApiError> {
        let answer = self.clone().attempt(true).await;
        let until = lock(&self.pause).until;
        if let Some(until) = until {
            sleep_until(until.into()).await;
        }
        drop(turn);
        answer
    }

    fn shown(
        &self,
        mut settled: OwnedMutexGuard<Settled>,
        may_search: bool,
    ) -> Result<Option<Box<SeatView>>, ApiError> {
        // Also what is refused is told no sooner than what was searched for.
        *lock(&self.pause) = Pause { again: true, until: settled.not_before };
        let SeatRequest { state, game, asked, known, .. } = self;
        let Built { string, game: rules, .. } = state.session.hidden(&asked.game)?;
        let strategy = match known {
            None => None,
            Some(known) => {
                let kept = known.strategy()?;
                let (stamp, strategy) =
                    kept.ok_or_else(|| HiddenGame::without_strategies(&string))?;
                Some((stamp, strategy, &known.explored.tree))
            }
        };
        let seat = match asked.seat {
            SeatName::First => Player::First,
            SeatName::Second => Player::Second,
        };
        let own = words(&asked.line)?;
        let stamp = strategy.as_ref().map(|(stamp, ..)| *stamp);
        let rival = match (settled_rival(asked)?, stamp) {
            (Some(rival), _) => rival,
            (None, Some(stamp)) => SettledRival::Strategy(stamp),
            (None, None) => return Err(HiddenGame::without_strategies(&string)),
        };
        let sides = Sides { seat, rival };
        let agent = match (agent(rival), &strategy) {
            (None, Some((_, strategy, tree))) => {
                AnyAgent::Strategy(StrategyAgent::new("strategy", tree, strategy.clone()))
            }
            (agent, _) => agent.unwrap_or(AnyAgent::Random(RandomAgent)),
        };
        settled.settle(sides, &own)?;
        let table = DarkTable { referee: &state.referee, game, rules: &rules, sides, agent };
        let played = table.play(&own, &mut settled, may_search);
        *lock(&self.pause) =
            Pause { again: played.made <= settled.line.len(), until: settled.not_before };
        settled.enter(&own[..played.made]);
        match played.end {
            PlayEnd::Thinking => return Ok(None),
            PlayEnd::Wrong(wrong) => return Err(ApiError::bad(wrong.to_string())),
            PlayEnd::Asked => {}
        }
        let odds = strategy.filter(|_| asked.odds != 0 && played.play.truth().is_none());
        let odds = odds.map(|(_, strategy, tree)| {
            let odds = played.play.advice(tree, seat, &strategy.behaviours).into_iter();
            odds.map(|(name, probability)| Odds { name, probability }).collect()
        });
        Ok(Some(Box::new(seen(string, seat, own, &played.play, odds))))
    }
}

/// Who the rival is, as far as a request says; `None` for the strategy.
fn settled_rival(asked: &SeatQuery) -> Result<Option<SettledRival>, ApiError> {
    let searches = matches!(asked.rival, Rival::Ismcts | Rival::Mc);
    if asked.iterations.is_some() && !searches {
        return Err(ApiError::bad("iterations are for rivals who search: ismcts and mc"));
    }
    let iterations = number(asked.iterations.as_deref(), "iterations", ITERATIONS)?;
    if !(1..=MOST_ITERATIONS).contains(&iterations) {
        let line = format!("iterations: say a number from 1 to {MOST_ITERATIONS}");
        return Err(ApiError::new(Kind::TooLarge, line));
    }
    let iterations = iterations as u32;
    Ok(match asked.rival {
        Rival::Strategy => None,
        Rival::Random => Some(SettledRival::Random),
        Rival::Pone => Some(SettledRival::Pone(ProbOneAgent::MOST)),
        Rival::Mc => Some(SettledRival::Mc(iterations)),
        Rival::Ismcts => Some(SettledRival::Ismcts(iterations)),
    })
}

/// Who moves for a rival that needs no strategy.
fn agent(rival: SettledRival) -> Option<AnyAgent<'static>> {
    Some(match rival {
        SettledRival::Strategy(_) => return None,
        SettledRival::Random => AnyAgent::Random(RandomAgent),
        SettledRival::Pone(most) => AnyAgent::ProbOne(ProbOneAgent::searching_at_most(most)),
        SettledRival::Mc(iterations) => {
            AnyAgent::MonteCarlo(MonteCarloAgent::new(Effort::Iterations(iterations)))
        }
        SettledRival::Ismcts(iterations) => {
            AnyAgent::Ismcts(IsmctsAgent::new(Effort::Iterations(iterations)))
        }
    })
}

impl SettledRival {
    /// The rival for the next try of the same turn, after so many: it searches half as much each time.
    fn at_try(self, tries: u32) -> SettledRival {
        let less = |iterations: u32| iterations.checked_shr(tries).unwrap_or(0).max(1);
        match self {
            SettledRival::Mc(iterations) => SettledRival::Mc(less(iterations)),
            SettledRival::Ismcts(iterations) => SettledRival::Ismcts(less(iterations)),
            SettledRival::Pone(most) => {
                SettledRival::Pone(most.checked_shr(tries).unwrap_or(0).max(1))
            }
            rival => rival,
        }
    }

    /// Whether its moves take long to find.
    fn thinks(self) -> bool {
        !matches!(self, SettledRival::Strategy(_) | SettledRival::Random)
    }
}

/// A game between a person and a rival.
struct DarkTable<'a> {
    referee: &'a Referee,
    game: &'a Game,
    rules: &'a ErasedHidden,
    sides: Sides,
    /// Who moves for the rival.
    agent: AnyAgent<'a>,
}

/// How far a request came.
struct Played {
    play: Play,
    /// How many of the person's moves were legal, as far as they were looked at.
    made: usize,
    end: PlayEnd,
}

enum PlayEnd {
    /// It is the person's turn, or the game is over.
    Asked,
    /// What is next in the line is no move.
    Wrong(NoMove),
    /// The rival has to search first.
    Thinking,
}

impl DarkTable<'_> {
    /// Makes the person's moves, and between them those of chance and the rival: as many as are legal.
    fn play(&self, own: &[String], settled: &mut Settled, may_search: bool) -> Played {
        let (mut play, mut made, mut drawn, mut tries) = (self.rules.play(), 0, 0, 0);
        let mut turn_of_rival = None;
        let end = loop {
            let turn = play.turn();
            let asked = match turn {
                Turn::Of(side) => side == self.sides.seat,
                Turn::Over(_) => true,
                Turn::Chance => false,
            };
            match own.get(made) {
                None if asked => break PlayEnd::Asked,
                Some(word) if asked => match play.make(word) {
                    Ok(_) => (made, tries) = (made + 1, 0),
                    Err(wrong) => break PlayEnd::Wrong(wrong),
                },
                _ => {
                    let thinks = turn != Turn::Chance && self.sides.rival.thinks();
                    let known = settled.drawn.get(drawn).map(|&mv| mv as usize);
                    let mv = match known {
                        None if thinks && !may_search => break PlayEnd::Thinking,
                        None => {
                            let began = Instant::now();
                            let mv = self.drawn(&play, &own[..made], tries);
                            if thinks && tries == 0 {
                                turn_of_rival = Some((began, began.elapsed()));
                            }
                            settled.drawn.push(mv as u32);
                            mv
                        }
                        Some(mv) => mv,
                    };
                    play.advance(mv);
                    (drawn, tries) = (drawn + 1, tries + u32::from(turn != Turn::Chance));
                }
            }
        };
        if let Some((began, first)) = turn_of_rival {
            settled.pause = pause(settled.pause, first, began.elapsed());
            settled.not_before = Some(began + settled.pause);
        }
        Played { play, made, end }
    }

    /// A move of chance, or the rival's after some tries in the same turn.
    fn drawn(&self, play: &Play, so_far: &[String], tries: u32) -> usize {
        let mut random = self.referee.random(self.game, self.sides, so_far, play.len());
        let fewer = (tries > 0).then(|| agent(self.sides.rival.at_try(tries))).flatten();
        let mv = play.choose(Some(fewer.as_ref().unwrap_or(&self.agent)), &mut random);
        mv.unwrap_or_default()
    }
}

/// How long a turn of the rival takes for all that anybody can tell, after one before it in the same game: long enough
/// for all searches, of which the first takes so much. Only doubled, and never less again, it tells of a whole game
/// no more than how often it was doubled.
fn pause(before: Duration, first: Duration, all: Duration) -> Duration {
    let (needed, mut pause) = (all.max(first * 5 / 2), before.max(SEARCH_TICK));
    while pause < needed {
        pause *= 2;
    }
    pause
}

fn seen(
    game: String,
    seat: Player,
    own: Vec<String>,
    play: &Play,
    odds: Option<Vec<Odds>>,
) -> SeatView {
    let view = play.seen_by(seat);
    let heard = |Observed { after, text }| Heard { after, text };
    SeatView {
        game,
        seat: if seat == Player::First { "first" } else { "second" },
        line: own,
        over: view.payoff.is_some(),
        picture: view.picture,
        drawing: view.drawing.into(),
        drawn: play.is_drawn(),
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

#[cfg(test)]
mod tests {
    use crabwise_games::Registry;

    use super::*;

    /// What was entered of chance and the rival is what would be drawn again: searches depend on the place in the game
    /// and on what the rival knows, and on nothing else.
    #[test]
    fn what_was_drawn_would_be_drawn_again() {
        let referee = Referee::default();
        let rivals = [SettledRival::Ismcts(60), SettledRival::Mc(60), SettledRival::Pone(20_000)];
        for (string, rival) in
            ["dark-hex:3x3", "dark-hex:4x4,abrupt", "leduc"].into_iter().zip(rivals)
        {
            let rules = Registry::standard().build_hidden(string).unwrap().game;
            let game = referee.find(&referee.begin(string.into())).unwrap();
            let sides = Sides { seat: Player::Second, rival };
            let agent = agent(rival).unwrap();
            let table = DarkTable { referee: &referee, game: &game, rules: &rules, sides, agent };
            let (mut settled, mut own) = (Settled::default(), vec![]);
            let play = loop {
                let hasty = table.play(&own, &mut settled, false);
                let played = table.play(&own, &mut settled, true);
                assert!(hasty.play.len() <= played.play.len());
                let again = table.play(&own, &mut settled, false);
                assert!(matches!(again.end, PlayEnd::Asked));
                assert_eq!(again.play.line(), played.play.line());
                match played.play.seen_by(Player::Second).moves.get(own.len() % 2) {
                    _ if played.play.truth().is_some() => break played.play,
                    Some(mv) => own.push(mv.clone()),
                    None => own.push(played.play.seen_by(Player::Second).moves[0].clone()),
                }
            };
            let fresh = table.play(&own, &mut Settled::default(), true);
            assert_eq!(fresh.play.line(), play.line(), "{string}");
            assert_eq!(fresh.made, own.len());
        }
    }

    /// However often a rival is rejected in a turn, all of its searches are less than two of the first.
    #[test]
    fn further_tries_of_a_turn_are_shorter() {
        for rival in
            [SettledRival::Ismcts(2000), SettledRival::Mc(20_000), SettledRival::Pone(200_000)]
        {
            let effort = |tries| match rival.at_try(tries) {
                SettledRival::Ismcts(iterations) | SettledRival::Mc(iterations) => {
                    iterations.into()
                }
                SettledRival::Pone(most) => most,
                other => panic!("{other:?}"),
            };
            let later: u64 = (1..12).map(effort).sum();
            assert!(later <= effort(0) && effort(64) == 1, "{later}");
        }
    }

    /// Times of a game only grow, and there are few of them.
    #[test]
    fn a_turn_takes_as_long_as_those_before_or_twice_as_long() {
        let ms = Duration::from_millis;
        let turns = [(3, 3), (19, 40), (21, 30), (5, 5), (30, 180), (1, 2), (100, 100), (0, 0)];
        let mut before = Duration::ZERO;
        let told = turns.map(|(first, all)| {
            before = pause(before, ms(first), ms(all));
            before.as_millis()
        });
        assert_eq!(told, [50, 50, 100, 100, 200, 200, 400, 400]);
    }
}
