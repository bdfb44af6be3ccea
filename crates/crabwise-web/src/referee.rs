//! What a referee in the dark keeps: which games have begun, from which seat and against whom, and what was
//! played in them.
//!
//! What is hidden is drawn with a key that the system gave and that never leaves this process: ids and all that
//! chance and rivals choose are values of one keyed function, at places that never coincide. So an id tells
//! nothing of its game, and no game anything of another. A game is known by the id that it was given here and by
//! nothing else: the seat, the rival and the rival's strategy stay those of its first view, moves are entered
//! before anybody is told what came of them, and a game that was forgotten does not come back.

use std::{
    collections::{BTreeMap, HashMap, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use crabwise_hidden::Player;

use crate::{
    error::{ApiError, Kind},
    lock::lock,
    open::Stamp,
};

/// The games in the dark that are under way, and what is drawn in them.
#[derive(Default)]
pub struct Referee {
    key: RandomState,
    games: Mutex<Games>,
}

#[derive(Default)]
struct Games {
    /// Each game with the time of its last use.
    by_id: HashMap<String, (u64, Arc<Game>)>,
    by_use: BTreeMap<u64, String>,
    /// Counts games and uses; no number comes twice.
    time: u64,
}

/// A game in the dark.
pub struct Game {
    number: u64,
    /// Its game string.
    pub string: String,
    /// What is settled; locked from before a move is looked at until it is entered.
    pub settled: Arc<tokio::sync::Mutex<Settled>>,
}

/// What cannot be changed any more in a game.
#[derive(Default)]
pub struct Settled {
    /// From the first view on.
    pub sides: Option<Sides>,
    /// The moves of the person.
    pub line: Vec<String>,
    /// The places of the moves that chance and the rival made in between. They could be drawn again, and would be the
    /// same, but a search takes long.
    pub drawn: Vec<u32>,
    /// How long the rival's last turn took, for all that anybody can tell.
    pub pause: Duration,
    /// Nothing of the game is told before.
    pub not_before: Option<Instant>,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sides {
    /// The person's seat.
    pub seat: Player,
    /// How the rival plays.
    pub rival: SettledRival,
}

/// How a rival plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SettledRival {
    /// By the strategy in a file.
    Strategy(Stamp),
    /// Any move.
    Random,
    /// Certain wins, as far as so many positions tell, and any move where there is none.
    Pone(u64),
    /// By finishing so many games at random.
    Mc(u32),
    /// By a search of so many iterations.
    Ismcts(u32),
}

/// How many games are remembered.
const MOST_GAMES: usize = 16_384;

impl Referee {
    /// A new game, under an id that nobody can guess. The game that was not asked for longest makes room.
    pub fn begin(&self, string: String) -> String {
        let mut games = lock(&self.games);
        let number = games.tick();
        let [high, low] = [0, 1].map(|half| self.key.hash_one(("id", number, half)));
        let id = format!("{high:016x}{low:016x}");
        if games.by_id.len() >= MOST_GAMES
            && let Some((_, oldest)) = games.by_use.pop_first()
        {
            games.by_id.remove(&oldest);
        }
        let game = Game { number, string, settled: Arc::default() };
        games.by_use.insert(number, id.clone());
        games.by_id.insert(id.clone(), (number, Arc::new(game)));
        id
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Result<Arc<Game>, ApiError> {
        let mut games = lock(&self.games);
        let now = games.tick();
        let Some((used, game)) = games.by_id.get_mut(id) else {
            let line = "no such game is under way; it may be over for long, so begin a new game";
            return Err(ApiError::new(Kind::NotFound, line));
        };
        let (game, before) = (game.clone(), std::mem::replace(used, now));
        games.by_use.remove(&before);
        games.by_use.insert(now, id.into());
        Ok(game)
    }

    /// Chance for one decision of a game, the `n`th of all: the same each time it is asked for.
    pub fn random(&self, game: &Game, sides: Sides, so_far: &[String], n: usize) -> fastrand::Rng {
        let place = ("draw", game.number, &game.string, sides, so_far, n);
        fastrand::Rng::with_seed(self.key.hash_one(place))
    }
}

impl Games {
    fn tick(&mut self) -> u64 {
        self.time += 1;
        self.time
    }
}

impl Settled {
    /// Holds a request to what was settled before, and settles the sides if it is the first.
    pub fn settle(&mut self, sides: Sides, line: &[String]) -> Result<(), ApiError> {
        if *self.sides.get_or_insert(sides) != sides {
            let line = "this game has begun from another seat, against another rival, or with \
                        another strategy; begin a new game";
            return Err(ApiError::bad(line));
        }
        if !self.line.starts_with(line) && !line.starts_with(&self.line) {
            let line = "another move was made there; in the dark nothing is taken back";
            return Err(ApiError::bad(line));
        }
        Ok(())
    }

    /// Enters the moves that were legal, if they go on from what was played.
    pub fn enter(&mut self, line: &[String]) {
        if line.len() > self.line.len() {
            self.line = line.to_vec();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_was_forgotten_does_not_come_back() {
        let referee = Referee::default();
        let (first, second) = (referee.begin("kuhn".into()), referee.begin("kuhn".into()));
        assert_eq!(first.len(), 32);
        for _ in 0..MOST_GAMES {
            referee.find(&second).unwrap();
            referee.begin("kuhn".into());
        }
        assert!(referee.find(&first).err().unwrap().into_line().contains("new game"));
        assert!(referee.find(&second).is_ok(), "one that is asked for stays");
        assert_eq!(lock(&referee.games).by_id.len(), MOST_GAMES);
        assert_eq!(lock(&referee.games).by_use.len(), MOST_GAMES);
    }

    /// Whatever differs in a game, other things are drawn; and another server draws others for the same.
    #[test]
    fn nothing_is_drawn_twice() {
        let (referee, other) = (Referee::default(), Referee::default());
        let ids: Vec<String> = (0..2).map(|_| referee.begin("kuhn".into())).collect();
        let games = [referee.find(&ids[0]).unwrap(), referee.find(&ids[1]).unwrap()];
        let mut drawn = std::collections::HashSet::new();
        let mut places = 0;
        for (game, seat) in games.iter().zip([Player::First, Player::Second].repeat(2)) {
            for line in [vec![], vec!["bet".to_string()]] {
                for n in 0..3 {
                    let sides = Sides { seat, rival: SettledRival::Random };
                    let draw = |referee: &Referee| referee.random(game, sides, &line, n).u64(..);
                    assert_eq!(draw(&referee), draw(&referee));
                    drawn.extend([draw(&referee), draw(&other)]);
                    places += 2;
                }
            }
        }
        assert_eq!(drawn.len(), places);
    }
}
