//! The boundary to people: text in, plain data out.
//!
//! [`Play`] is a game in progress as the referee has it. What it tells a player is a [`PlayerView`], made from the
//! player's information set alone: the same for all histories of which the player knows the same. What is hidden is
//! told to nobody before the game is over. [`ExploredGame::look`] shows one information set with a strategy.

use std::fmt;

use crabwise::{
    Picture,
    watch::{Shown, Watch},
};

use crate::{
    erased::ExploredGame,
    random::{by_chance, by_mix},
    rules::{Player, Turn},
    sequence_form::{Behaviour, SequenceForm},
    strategy::Strategy,
    tree::{GameTree, HiddenError, InfoSet},
};

/// A game in progress, as the referee has it.
#[derive(Clone)]
pub struct Play<'a> {
    explored: &'a ExploredGame,
    state: u32,
    info_sets: [InfoSet; 2],
    /// What each player did and observed.
    known: [Vec<String>; 2],
    /// The number of moves that each player has made.
    made: [usize; 2],
    observed: [Vec<Observed>; 2],
    line: Vec<Made>,
}

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
    /// The player's information set: what the player did and observed, as [`look`](ExploredGame::look) reads it.
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

impl<'a> Play<'a> {
    /// Before anything has happened.
    pub fn new(explored: &'a ExploredGame) -> Play<'a> {
        let info_sets = Player::BOTH.map(|player| explored.tree.start(player));
        let (known, observed) = Default::default();
        Play { explored, state: 0, info_sets, known, made: [0; 2], observed, line: vec![] }
    }

    fn tree(&self) -> &'a GameTree {
        &self.explored.tree
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.tree().turn(self.state)
    }

    /// The number of moves, those of chance included.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// All moves so far, for the referee.
    pub fn line(&self) -> &[Made] {
        &self.line
    }

    /// What a player may know.
    pub fn seen_by(&self, player: Player) -> PlayerView {
        let turn = self.turn();
        PlayerView {
            player,
            picture: self.explored.seen(self.state, player),
            drawing: self.explored.picture(self.state, Some(player)),
            line: self.known[player as usize].clone(),
            observed: self.observed[player as usize].clone(),
            moves: match turn {
                Turn::Of(mover) if mover == player => self.legal(mover),
                _ => vec![],
            },
            payoff: match turn {
                Turn::Over(payoff) => Some(player.sign() * payoff),
                _ => None,
            },
        }
    }

    fn legal(&self, mover: Player) -> Vec<String> {
        self.tree().moves(self.info_sets[mover as usize]).map(String::from).collect()
    }

    /// How likely a strategy makes each move of a player at what the player knows, the likely ones first.
    pub fn advice(&self, player: Player, strategy: &[Behaviour; 2]) -> Vec<(String, f64)> {
        self.tree().mix(self.info_sets[player as usize], &strategy[player as usize])
    }

    /// What everybody may know, once the game is over.
    pub fn truth(&self) -> Option<Truth> {
        let Turn::Over(payoff) = self.turn() else { return None };
        Some(Truth {
            payoff,
            picture: self.explored.show(self.state),
            drawing: self.explored.picture(self.state, None),
            line: self.line.clone(),
        })
    }

    /// Makes a move of the player who has to move, by name.
    pub fn make(&mut self, name: &str) -> Result<Observations, NoMove> {
        let legal = match self.turn() {
            Turn::Of(player) => self.legal(player),
            _ => vec![],
        };
        match legal.iter().position(|mv| mv == name) {
            Some(mv) => Ok(self.advance(mv)),
            None => Err(NoMove { name: name.into(), legal }),
        }
    }

    /// Makes a move of chance or, by a strategy, of the player who has to move; without a strategy any move. Nothing
    /// happens once the game is over.
    pub fn go_on(
        &mut self,
        strategy: Option<&[Behaviour; 2]>,
        random: &mut fastrand::Rng,
    ) -> Observations {
        let tree = self.tree();
        let mv = match (self.turn(), strategy) {
            (Turn::Over(_), _) => return Observations::default(),
            (Turn::Chance, _) => by_chance(tree.states.arcs(self.state), random),
            (Turn::Of(player), None) => {
                random.usize(..tree.moves(self.info_sets[player as usize]).len())
            }
            (Turn::Of(player), Some(strategy)) => {
                let info_set = self.info_sets[player as usize];
                let moves = info_set.first()..info_set.first() + tree.moves(info_set).len();
                by_mix(&strategy[player as usize][moves], random) as usize
            }
        };
        self.advance(mv)
    }

    /// The game after each move that can come next.
    #[cfg(test)]
    pub(crate) fn successors(&self) -> impl Iterator<Item = Play<'a>> {
        (0..self.tree().states.arcs(self.state).len()).map(|mv| {
            let mut next = self.clone();
            next.advance(mv);
            next
        })
    }

    fn advance(&mut self, mv: usize) -> Observations {
        let tree = self.tree();
        let by = match self.turn() {
            Turn::Of(player) => Some(player),
            _ => None,
        };
        let name = tree.move_name(self.state, mv);
        if let Some(player) = by {
            self.made[player as usize] += 1;
            self.known[player as usize].push(name.clone());
        }
        self.line.push(Made { by, name });
        let (to, observations) = tree.advance(self.state, mv, &mut self.info_sets);
        self.state = to;
        for (p, text) in observations.iter().enumerate() {
            let Some(text) = text else { continue };
            self.known[p].push(text.clone());
            self.observed[p].push(Observed { after: self.made[p], text: text.clone() });
        }
        observations
    }
}

/// One information set, and what a strategy does there.
#[derive(Clone, PartialEq, Debug)]
pub struct InfoSetInfo {
    /// Who has to move.
    pub player: Player,
    /// What the player did and observed.
    pub line: Vec<String>,
    /// What the player sees.
    pub picture: String,
    /// The moves, the likely ones first.
    pub moves: Vec<MoveOdds>,
    /// What the player can expect; `None` if the other never lets it come to this.
    pub expects: Option<f64>,
}

/// A move at an information set.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveOdds {
    /// As players write it.
    pub name: String,
    /// How likely the strategy makes it.
    pub probability: f64,
    /// What the player can expect after it, where that is known.
    pub expects: Option<f64>,
}

/// Why an information set cannot be shown.
#[derive(Debug)]
pub enum LookAtError {
    /// There is no such information set, or nothing to do there; the line says what would be right.
    Words(String),
    /// The payoffs cannot be laid out.
    Hidden(HiddenError),
}

impl fmt::Display for LookAtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookAtError::Words(line) => f.write_str(line),
            LookAtError::Hidden(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LookAtError {}

impl From<HiddenError> for LookAtError {
    fn from(error: HiddenError) -> LookAtError {
        LookAtError::Hidden(error)
    }
}

impl ExploredGame {
    /// The information set at which a player has to move after a line of moves and observations, or what would be
    /// right.
    pub fn at(&self, player: Player, line: &[String]) -> Result<InfoSet, String> {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let info_set = self.tree.read(player, &words)?;
        if self.tree.moves(info_set).len() > 0 {
            return Ok(info_set);
        }
        let next: Vec<String> = self.tree.next(info_set).map(|(said, _)| said).collect();
        Err(match next.is_empty() {
            true => "the game is over there".into(),
            false => {
                let next = next.join(" or ");
                format!("it is not the {player}'s turn there; next comes {next}")
            }
        })
    }

    /// What a player sees at an information set at which it has to move.
    pub fn seen_at(&self, info_set: InfoSet) -> String {
        let state = self.tree.state_of(info_set);
        state.map_or(String::new(), |state| self.seen(state, info_set.player))
    }

    /// What a strategy does at the information set that a player's line of moves and observations leads to.
    pub fn look(
        &self,
        player: Player,
        line: &[String],
        strategy: &Strategy,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<InfoSetInfo, LookAtError> {
        let info_set = self.at(player, line).map_err(LookAtError::Words)?;
        let form = SequenceForm::new(&self.tree, false, memory, watch)?;
        let (own, other) = (player as usize, player.other() as usize);
        let plan = form.treeplexes[other].realization_plan(&strategy.behaviours[other]);
        let odds = self.tree.odds(info_set, &plan);
        let behaviour = &strategy.behaviours[own];
        let mut worth = vec![0.0; form.treeplexes[own].sequences()];
        form.gradient(player, &plan, &mut worth);
        form.treeplexes[own].expected_value(behaviour, &mut worth);
        let mut moves: Vec<MoveOdds> = (info_set.first()..)
            .zip(self.tree.moves(info_set))
            .map(|(sequence, name)| MoveOdds {
                name: name.into(),
                probability: behaviour[sequence],
                expects: (odds > 0.0).then(|| worth[sequence] / odds),
            })
            .collect();
        let expects = moves.iter().map(|mv| Some(mv.probability * mv.expects?)).sum();
        moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let picture = self.seen_at(info_set);
        Ok(InfoSetInfo { player, line: line.to_vec(), picture, moves, expects })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::toys::{Random, explored};

    /// Views are the same, to the letter, in all plays of which a player knows the same.
    #[test]
    fn a_view_says_what_the_player_knows_and_nothing_more() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut shared = 0;
        for _ in 0..20 {
            let game = crate::HiddenSetup::of(Random { seed: random.u64(..), length: 6 }).erased();
            let explored = explored(&game);
            let mut known = HashMap::new();
            for _ in 0..300 {
                let mut play = Play::new(&explored);
                while !matches!(play.turn(), Turn::Over(_)) {
                    if let Turn::Of(player) = play.turn() {
                        let (view, line) = (play.seen_by(player), play.line().to_vec());
                        let InfoSet { info_state, base, .. } = play.info_sets[player as usize];
                        let key = (player as u8, info_state, base);
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
