//! A game in progress, as the referee has it: text in, plain data out.
//!
//! Positions are made by the rules as play goes on, and nothing is laid out. What [`Play`] tells a player is a
//! [`PlayerView`], made from the player's information set alone: the same for all histories of which the player knows
//! the same. What is hidden is told to nobody before the game is over.

use std::{fmt, sync::Arc};

use crabwise::{Picture, watch::Shown};

use crate::{
    agents::{Agent, AgentView, AnyAgent, Recall, ViewAgent, chance_move},
    prob_one::CertainMoves,
    rules::{Hidden, Player, Turn},
    sequence_form::Behaviour,
    tree::GameTree,
    walk::Features,
};

/// A move that was made, which only the referee may know of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// Who made it; chance if nobody.
    pub by: Option<Player>,
    /// What it is called; of chance's moves only a number.
    pub name: String,
}

/// What a player observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// How many moves the player had made by then.
    pub after: usize,
    /// In one word.
    pub text: String,
}

/// All that a player may know of a game in progress.
#[derive(Clone, Debug)]
pub struct PlayerView {
    /// Whose view it is.
    pub player: Player,
    /// What the player sees, in letters.
    pub picture: String,
    /// What the player sees, as shapes.
    pub drawing: Picture,
    /// The player's information set: what the player did and observed, as [`look`](crate::ExploredGame::look) reads it.
    pub line: Vec<String>,
    /// What the player has observed.
    pub observed: Vec<Observed>,
    /// What the player can do, if it has to move.
    pub moves: Vec<String>,
    /// What the player gets, if the game is over.
    pub payoff: Option<f64>,
}

/// What everybody may know once the game is over.
#[derive(Clone, Debug)]
pub struct Truth {
    /// What the first player gets.
    pub payoff: f64,
    /// The last position, in letters.
    pub picture: String,
    /// The last position, as shapes.
    pub drawing: Picture,
    /// All moves.
    pub line: Vec<Made>,
}

/// A move that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoMove {
    /// What was to be made.
    pub name: String,
    /// What could be.
    pub legal: Vec<String>,
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Shown(&self.name);
        match self.legal.is_empty() {
            true => write!(f, "the game is over, so '{name}' cannot be played"),
            false => {
                write!(f, "there is no move '{name}'; legal: {}", self.legal.join(" "))
            }
        }
    }
}

impl std::error::Error for NoMove {}

/// What each player observes of a move, in order.
pub type Observations = [Option<String>; 2];

/// A game with what it can do beside being played.
pub(crate) struct Ruled<G: Hidden> {
    pub(crate) game: G,
    pub(crate) certain: Option<CertainMoves<G>>,
    pub(crate) sketch: Option<Sketch<G>>,
    pub(crate) features: Option<Features<G>>,
}

impl<G: Hidden> AsRef<G> for Ruled<G> {
    fn as_ref(&self) -> &G {
        &self.game
    }
}

/// How a game draws a position.
pub(crate) type Sketch<G> = fn(&G, &<G as Hidden>::Position, Option<Player>) -> Picture;

/// A game in progress, as the referee has it.
pub struct Play(Box<dyn ErasedPlay>);

/// Without the types of the game.
trait ErasedPlay: Send {
    fn turn(&self) -> Turn;
    fn record(&self) -> &Record;
    fn moves(&self) -> Vec<String>;
    /// As this player sees it or, if nobody is named, as it is: letters and shapes, which are letters if the game does
    /// not draw.
    fn picture(&self, seen_by: Option<Player>) -> (String, Picture);
    fn is_drawn(&self) -> bool;
    fn advance(&mut self, mv: usize) -> Observations;
    fn choose(&self, agent: Option<&AnyAgent>, random: &mut fastrand::Rng) -> Option<usize>;
    fn advice(
        &self,
        tree: &GameTree,
        player: Player,
        strategy: &[Behaviour; 2],
    ) -> Vec<(String, f64)>;
    fn likely(&self, player: Player, agent: &ViewAgent) -> Vec<(String, f64)>;
    fn boxed_clone(&self) -> Box<dyn ErasedPlay>;
}

/// What has happened, in words.
#[derive(Clone, Default)]
struct Record {
    /// What each player did and observed.
    known: [Vec<String>; 2],
    /// The number of moves that each player has made.
    made: [usize; 2],
    observed: [Vec<Observed>; 2],
    line: Vec<Made>,
}

struct Match<G: Hidden> {
    rules: Arc<Ruled<G>>,
    at: G::Position,
    /// The legal moves there.
    moves: Vec<G::Move>,
    recalls: [Recall<G>; 2],
    record: Record,
}

impl Clone for Play {
    fn clone(&self) -> Play {
        Play(self.0.boxed_clone())
    }
}

impl Play {
    /// Before anything has happened.
    pub(crate) fn new<G: Hidden + 'static>(rules: &Arc<Ruled<G>>) -> Play {
        let at = rules.game.start();
        let moves = legal(&rules.game, &at);
        let (recalls, record) = (Player::BOTH.map(Recall::new), Record::default());
        Play(Box::new(Match { rules: rules.clone(), at, moves, recalls, record }))
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.0.turn()
    }

    /// The number of moves, those of chance included.
    pub fn len(&self) -> usize {
        self.line().len()
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.line().is_empty()
    }

    /// Whether the game draws, so that its pictures are more than letters.
    pub fn is_drawn(&self) -> bool {
        self.0.is_drawn()
    }

    /// All moves so far, for the referee.
    pub fn line(&self) -> &[Made] {
        &self.0.record().line
    }

    /// What a player may know.
    pub fn seen_by(&self, player: Player) -> PlayerView {
        let (turn, record, p) = (self.turn(), self.0.record(), player as usize);
        let (picture, drawing) = self.0.picture(Some(player));
        PlayerView {
            player,
            picture,
            drawing,
            line: record.known[p].clone(),
            observed: record.observed[p].clone(),
            moves: if turn == Turn::Of(player) { self.0.moves() } else { vec![] },
            payoff: match turn {
                Turn::Over(payoff) => Some(player.sign() * payoff),
                _ => None,
            },
        }
    }

    /// How likely a strategy makes each move of a player at what the player knows, the likely ones first.
    pub fn advice(
        &self,
        tree: &GameTree,
        player: Player,
        strategy: &[Behaviour; 2],
    ) -> Vec<(String, f64)> {
        self.0.advice(tree, player, strategy)
    }

    /// How likely a strategy by views makes each move of the player, who has to move, the likely ones first.
    pub fn likely(&self, player: Player, agent: &ViewAgent) -> Vec<(String, f64)> {
        self.0.likely(player, agent)
    }

    /// What everybody may know, once the game is over.
    pub fn truth(&self) -> Option<Truth> {
        let Turn::Over(payoff) = self.turn() else { return None };
        let (picture, drawing) = self.0.picture(None);
        Some(Truth { payoff, picture, drawing, line: self.line().to_vec() })
    }

    /// Makes a move of the player who has to move, by name.
    pub fn make(&mut self, name: &str) -> Result<Observations, NoMove> {
        let legal = match self.turn() {
            Turn::Of(_) => self.0.moves(),
            _ => vec![],
        };
        match legal.iter().position(|mv| mv == name) {
            Some(mv) => Ok(self.0.advance(mv)),
            None => Err(NoMove { name: name.into(), legal }),
        }
    }

    /// The place of the next move: chance's own or the agent's, who makes any move if there is none; `None` once the
    /// game is over.
    pub fn choose(&self, agent: Option<&AnyAgent>, random: &mut fastrand::Rng) -> Option<usize> {
        self.0.choose(agent, random)
    }

    /// Makes the move at a place among those of whoever has to move, if there is one.
    pub fn advance(&mut self, mv: usize) -> Observations {
        self.0.advance(mv)
    }

    /// Makes a move of chance or of the agent. Nothing happens once the game is over.
    pub fn go_on(&mut self, agent: Option<&AnyAgent>, random: &mut fastrand::Rng) -> Observations {
        match self.choose(agent, random) {
            Some(mv) => self.advance(mv),
            None => Observations::default(),
        }
    }

    /// The game after each move that can come next.
    #[cfg(test)]
    pub(crate) fn successors(&self) -> impl Iterator<Item = Play> {
        (0..self.0.moves().len()).map(|mv| {
            let mut next = self.clone();
            next.advance(mv);
            next
        })
    }
}

fn legal<G: Hidden>(game: &G, at: &G::Position) -> Vec<G::Move> {
    match game.turn(at) {
        Turn::Over(_) => vec![],
        _ => game.moves(at).into_iter().collect(),
    }
}

impl<G: Hidden + 'static> ErasedPlay for Match<G> {
    fn turn(&self) -> Turn {
        self.rules.game.turn(&self.at)
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(G::Move::to_string).collect()
    }

    fn picture(&self, seen_by: Option<Player>) -> (String, Picture) {
        let Ruled { game, sketch, .. } = &*self.rules;
        let letters = match seen_by {
            Some(player) => game.seen(&self.at, player),
            None => game.show(&self.at),
        };
        let drawing = sketch.map(|sketch| sketch(game, &self.at, seen_by));
        let drawing = drawing.unwrap_or_else(|| Picture::of_text(&letters));
        (letters, drawing)
    }

    fn is_drawn(&self) -> bool {
        self.rules.sketch.is_some()
    }

    fn advance(&mut self, place: usize) -> Observations {
        let (game, turn) = (&self.rules.game, self.turn());
        let Some(&mv) = self.moves.get(place) else { return Observations::default() };
        let by = match turn {
            Turn::Of(player) => Some(player),
            _ => None,
        };
        let name = by.map_or_else(|| format!("chance-{}", place + 1), |_| mv.to_string());
        let record = &mut self.record;
        if let Some(player) = by {
            record.made[player as usize] += 1;
            record.known[player as usize].push(name.clone());
        }
        record.line.push(Made { by, name });
        let observations = Player::BOTH.map(|player| {
            let text = game.observe(&self.at, mv, player)?.to_string();
            let p = player as usize;
            record.known[p].push(text.clone());
            record.observed[p].push(Observed { after: record.made[p], text: text.clone() });
            Some(text)
        });
        self.recalls.iter_mut().for_each(|recall| recall.notice(game, &self.at, mv));
        self.at = game.play(&self.at, mv);
        self.moves = legal(game, &self.at);
        observations
    }

    fn choose(&self, agent: Option<&AnyAgent>, random: &mut fastrand::Rng) -> Option<usize> {
        let Ruled { game, certain, features, .. } = &*self.rules;
        let moves = &self.moves[..];
        match (self.turn(), agent) {
            (Turn::Over(_), _) => None,
            (Turn::Chance, _) => Some(chance_move(game, &self.at, moves, random)),
            (Turn::Of(_), None) => Some(random.usize(..moves.len())),
            (Turn::Of(player), Some(agent)) => {
                let recall = &self.recalls[player as usize];
                let (certain, features) = (*certain, *features);
                let view = AgentView { game, certain, features, recall, moves };
                Some(agent.choose(&view, random))
            }
        }
    }

    fn advice(
        &self,
        tree: &GameTree,
        player: Player,
        strategy: &[Behaviour; 2],
    ) -> Vec<(String, f64)> {
        let at = self.recalls[player as usize].info_set(tree);
        at.map_or(vec![], |at| tree.mix(at, &strategy[player as usize]))
    }

    fn likely(&self, player: Player, agent: &ViewAgent) -> Vec<(String, f64)> {
        let Ruled { game, certain, features, .. } = &*self.rules;
        let (recall, moves) = (&self.recalls[player as usize], &self.moves[..]);
        let (certain, features) = (*certain, *features);
        let mix = agent.mix(&AgentView { game, certain, features, recall, moves });
        let mut mix: Vec<(String, f64)> = moves.iter().map(|mv| mv.to_string()).zip(mix).collect();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        mix
    }

    fn boxed_clone(&self) -> Box<dyn ErasedPlay> {
        Box::new(Match {
            rules: self.rules.clone(),
            at: self.at.clone(),
            moves: self.moves.clone(),
            recalls: self.recalls.clone(),
            record: self.record.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{HiddenSetup, toys::Random};

    /// Views are the same, to the letter, in all plays of which a player knows the same.
    #[test]
    fn a_view_says_what_the_player_knows_and_nothing_more() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut shared = 0;
        for _ in 0..20 {
            let game = HiddenSetup::of(Random { seed: random.u64(..), length: 6 }).erased();
            let explored = crate::toys::explored(&game);
            let mut known = HashMap::new();
            for _ in 0..300 {
                let mut play = game.play();
                while !matches!(play.turn(), Turn::Over(_)) {
                    if let Turn::Of(player) = play.turn() {
                        let (view, line) = (play.seen_by(player), play.line().to_vec());
                        let strategy = explored.tree.sequences().map(|all| vec![0.5; all as usize]);
                        let odds = play.advice(&explored.tree, player, &strategy);
                        assert!(odds.iter().map(|(name, _)| name).eq(&view.moves));
                        // Words may be read in two ways, but not what was done and what was observed.
                        let observed = format!("{:?}", view.observed);
                        let key = (player as u8, view.line.clone(), observed);
                        let text = format!("{view:?}");
                        let known = known.entry(key).or_insert((text.clone(), line.clone()));
                        assert_eq!(known.0, text);
                        shared += u32::from(known.1 != line);
                        assert!(play.truth().is_none());
                    }
                    play.go_on(None, &mut random);
                }
                let truth = play.truth().unwrap();
                assert_eq!(play.seen_by(Player::Second).payoff, Some(-truth.payoff));
                assert_eq!(play.make("0").unwrap_err().legal, Vec::<String>::new());
            }
        }
        assert!(shared > 100, "{shared}");
    }
}
