//! Agents that play games with hidden information, and a game between two of them.
//!
//! An agent is asked when it has to move, and gets its [`AgentView`] and nothing else: the rules, and what it has
//! done and observed, step by step. A view is made of these steps alone. So an agent does alike where histories
//! look alike to it; the referee's state cannot be reached from there. The agents and chance draw from random
//! numbers of their own each, which tell nothing of the others'.
//!
//! All agents may use the whole layout of the game, that is, its rules and information states.

mod belief;
mod ismcts;
mod q_learner;
mod simple;
#[cfg(test)]
mod tests;

use std::cell::{Ref, RefCell};

use xxhash_rust::xxh3::xxh3_64;

pub use self::{
    belief::Belief,
    ismcts::IsmctsAgent,
    q_learner::QLearner,
    simple::{MonteCarloAgent, ProbOneAgent, RandomAgent, StrategyAgent},
};
use crate::{
    best_response::Judged,
    random::by_chance,
    rules::{Player, Turn},
    sequence_form::{Behaviour, Treeplex},
    tree::{
        GameTree, InfoSet,
        states::{States, UNNOTICED},
    },
};

/// Who plays a game.
pub trait Agent: Sync {
    /// What it is called: different from others of the same league.
    fn name(&self) -> String;

    /// The place of its move among those of the information set.
    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32;

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

/// What an agent sees of a game: what its player knows, and nothing more.
#[derive(Clone)]
pub struct AgentView<'a> {
    tree: &'a GameTree,
    info_set: InfoSet,
    steps: Vec<u32>,
    /// Worked out for agents that ask.
    belief: RefCell<Belief>,
}

impl<'a> AgentView<'a> {
    /// Before anything has happened.
    pub fn new(tree: &'a GameTree, player: Player) -> AgentView<'a> {
        let belief = RefCell::new(Belief::new(player));
        AgentView { tree, info_set: tree.start(player), steps: vec![], belief }
    }

    /// The rules.
    pub fn tree(&self) -> &'a GameTree {
        self.tree
    }

    /// Who sees this.
    pub fn player(&self) -> Player {
        self.info_set.player
    }

    /// The player's information set. In games of more than 2³² sequences the place of its sequences has no meaning.
    pub fn info_set(&self) -> InfoSet {
        self.info_set
    }

    /// What the player did and observed so far: at each information set, which of the information sets that come
    /// [`next`](GameTree::next).
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// How many moves there are to choose from.
    pub fn moves(&self) -> u32 {
        self.tree.info_states(self.player()).moves(self.info_set.info_state)
    }

    /// In which states the game can be.
    pub fn belief(&self) -> Ref<'_, Belief> {
        self.belief.borrow_mut().follow(self.tree, &self.steps);
        self.belief.borrow()
    }

    pub(crate) fn observe(&mut self, step: u32) {
        self.info_set = self.tree.successor(self.info_set, step);
        self.steps.push(step);
    }
}

/// One game: what the first player gets. The seed decides all that is left to chance.
pub fn play_game(tree: &GameTree, players: [&dyn Agent; 2], seed: u64) -> f64 {
    let states = &tree.states;
    let mut views = Player::BOTH.map(|player| AgentView::new(tree, player));
    let [mut chance, first, second] = [0, 1, 2].map(|whose| {
        let seed = [seed.to_le_bytes(), u64::to_le_bytes(whose)].concat();
        fastrand::Rng::with_seed(xxh3_64(&seed))
    });
    let mut own = [first, second];
    let mut node = 0;
    loop {
        let arcs = states.arcs(node);
        let arc = match states.nodes[node as usize].turn {
            Turn::Over(payoff) => return payoff,
            Turn::Chance => &arcs[by_chance(arcs, &mut chance)],
            Turn::Of(player) => {
                let p = player as usize;
                &arcs[players[p].choose(&views[p], &mut own[p]) as usize]
            }
        };
        for (view, &step) in views.iter_mut().zip(&arc.steps) {
            if step != UNNOTICED {
                view.observe(step);
            }
        }
        node = arc.to;
    }
}

/// What the first player gets if all moves from here on are made at random.
fn rollout(states: &States, mut node: u32, random: &mut fastrand::Rng) -> f64 {
    loop {
        let arcs = states.arcs(node);
        node = match states.nodes[node as usize].turn {
            Turn::Over(payoff) => return payoff,
            Turn::Chance => arcs[by_chance(arcs, random)].to,
            Turn::Of(_) => arcs[random.usize(..arcs.len())].to,
        };
    }
}

/// One move and no other.
fn pure(mix: &mut [f64], mv: u32) {
    mix.fill(0.0);
    mix[mv as usize] = 1.0;
}
