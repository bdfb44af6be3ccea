//! Agents that play games with hidden information, and a game between two of them.
//!
//! An agent is asked when it has to move, and gets its [`AgentView`] and nothing else: the rules, and what it has
//! done and observed, step by step. A view is made of these steps alone. So an agent does alike where histories
//! look alike to it; the referee's position cannot be reached from there. The agents and chance draw from random
//! numbers of their own each, which tell nothing of the others'.
//!
//! Agents play by the rules, and positions are made as play goes on: none of them needs the game laid out. Those that
//! know a strategy or a table from a layout follow it by what they did and observed, in words.

mod any;
mod by_view;
mod effort;
mod ismcts;
mod q_learner;
mod simple;
#[cfg(test)]
mod tests;

use std::cell::{Ref, RefCell};

use xxhash_rust::xxh3::xxh3_64;

pub use self::{
    any::AnyAgent,
    by_view::ViewAgent,
    effort::Effort,
    ismcts::IsmctsAgent,
    q_learner::QLearner,
    simple::{MonteCarloAgent, ProbOneAgent, RandomAgent, StrategyAgent},
};
use crate::{
    belief::Belief,
    best_response::Judged,
    prob_one::CertainMoves,
    random::by_weight,
    rules::{Hidden, Player, Step, Turn, step},
    sequence_form::{Behaviour, Treeplex},
    tree::{GameTree, InfoSet},
    walk::Features,
};

/// Who plays a game.
pub trait Agent: Sync {
    /// What it is called: different from others of the same league.
    fn name(&self) -> String;

    /// The place of its move among those of the view.
    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize;

    /// With what probability it makes each move, by sequence, if it does always the same at the same information set
    /// and that is known. How good an agent without an answer is, only games can tell.
    fn behaviour(&self, _treeplex: &Treeplex, _player: Player) -> Option<Behaviour> {
        None
    }

    /// How it was judged before, if it was.
    fn judged(&self) -> Option<Judged> {
        None
    }
}

/// All that a player did and observed.
pub(crate) struct Recall<G: Hidden> {
    player: Player,
    steps: Vec<Step<G>>,
    /// Worked out for agents that ask.
    belief: RefCell<Option<Belief<G>>>,
}

impl<G: Hidden> Clone for Recall<G> {
    fn clone(&self) -> Recall<G> {
        let (steps, belief) = (self.steps.clone(), self.belief.clone());
        Recall { player: self.player, steps, belief }
    }
}

impl<G: Hidden> Recall<G> {
    /// Before anything has happened.
    pub(crate) fn new(player: Player) -> Recall<G> {
        Recall { player, steps: vec![], belief: RefCell::default() }
    }

    /// Takes in a move as far as the player notices it.
    pub(crate) fn notice(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        self.steps.extend(step(game, at, mv, self.player));
    }

    /// The information set of a layout of the game.
    pub(crate) fn info_set(&self, tree: &GameTree) -> Option<InfoSet> {
        let words = self.steps.iter().map(|(mv, observation)| {
            (mv.map(|mv| mv.to_string()), observation.map(|observed| observed.to_string()))
        });
        tree.after_steps(self.player, words)
    }
}

/// What an agent sees of a game: what its player knows, and nothing more.
pub struct AgentView<'a, G: Hidden> {
    pub(crate) game: &'a G,
    /// How the game finds certain wins, if it has a way of its own.
    pub(crate) certain: Option<CertainMoves<G>>,
    /// How the game describes what its players know, if it does.
    pub(crate) features: Option<Features<G>>,
    pub(crate) recall: &'a Recall<G>,
    pub(crate) moves: &'a [G::Move],
}

impl<'a, G: Hidden> AgentView<'a, G> {
    /// The rules.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Who sees this.
    pub fn player(&self) -> Player {
        self.recall.player
    }

    /// What the player did and observed so far.
    pub fn steps(&self) -> &'a [Step<G>] {
        &self.recall.steps
    }

    /// The moves to choose from.
    pub fn moves(&self) -> &'a [G::Move] {
        self.moves
    }

    /// The information set of a layout of the game; `None` if the layout is of another game.
    pub fn info_set(&self, tree: &GameTree) -> Option<InfoSet> {
        self.recall.info_set(tree)
    }

    /// In which positions the game can be: all, or `most` drawn from them. The number is that of the first to ask.
    pub fn belief(&self, most: usize) -> Ref<'a, Belief<G>> {
        let recall = self.recall;
        let mut belief = recall.belief.borrow_mut();
        let known = belief.get_or_insert_with(|| Belief::new(self.game, recall.player, most));
        known.follow(self.game, &recall.steps);
        drop(belief);
        Ref::map(recall.belief.borrow(), |belief| belief.as_ref().expect("it was made above"))
    }
}

/// One game: what the first player gets. The seed decides all that is left to chance.
pub(crate) fn play_game<G: Hidden>(
    game: &G,
    certain: Option<CertainMoves<G>>,
    features: Option<Features<G>>,
    players: [&impl Agent; 2],
    seed: u64,
) -> f64 {
    let mut recalls = Player::BOTH.map(Recall::new);
    let [mut chance, first, second] = [0, 1, 2].map(|whose| {
        let seed = [seed.to_le_bytes(), u64::to_le_bytes(whose)].concat();
        fastrand::Rng::with_seed(xxh3_64(&seed))
    });
    let mut own = [first, second];
    let mut at = game.start();
    loop {
        let turn = game.turn(&at);
        if let Turn::Over(payoff) = turn {
            return payoff;
        }
        let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
        let mv = match turn {
            Turn::Of(player) => {
                let (p, moves) = (player as usize, &moves);
                let view = AgentView { game, certain, features, recall: &recalls[p], moves };
                players[p].choose(&view, &mut own[p])
            }
            _ => chance_move(game, &at, &moves, &mut chance),
        };
        recalls.iter_mut().for_each(|recall| recall.notice(game, &at, moves[mv]));
        at = game.play(&at, moves[mv]);
    }
}

/// The place of one of chance's moves, as likely as it is.
pub(crate) fn chance_move<G: Hidden>(
    game: &G,
    at: &G::Position,
    moves: &[G::Move],
    random: &mut fastrand::Rng,
) -> usize {
    let weights: Vec<f64> = moves.iter().map(|&mv| game.weight(at, mv)).collect();
    by_weight(&weights, random) as usize
}

/// What the first player gets if all moves from here on are made at random.
fn rollout<G: Hidden>(game: &G, mut at: G::Position, random: &mut fastrand::Rng) -> f64 {
    let mut moves = vec![];
    loop {
        let turn = game.turn(&at);
        if let Turn::Over(payoff) = turn {
            return payoff;
        }
        moves.clear();
        moves.extend(game.moves(&at));
        let mv = match turn {
            Turn::Chance => chance_move(game, &at, &moves, random),
            _ => random.usize(..moves.len()),
        };
        at = game.play(&at, moves[mv]);
    }
}

/// One move and no other.
fn pure(mix: &mut [f64], mv: u32) {
    mix.fill(0.0);
    mix[mv as usize] = 1.0;
}
