//! Agents that need no search: any move, a strategy found before, certain wins only, and random playouts.

use super::{Agent, AgentView, pure, rollout};
use crate::{
    best_response::Judged,
    prob_one::{WinningMoves, winning_moves},
    random::{by_mix, greatest},
    rules::Player,
    sequence_form::{Behaviour, Treeplex},
    strategy::Strategy,
    tree::GameTree,
};

/// `random`: any move.
#[derive(Clone, Copy, Debug)]
pub struct RandomAgent;

impl Agent for RandomAgent {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        random.u32(..view.moves())
    }

    fn behaviour(&self, plex: &Treeplex, _: Player) -> Option<Behaviour> {
        Some(plex.uniform())
    }
}

/// A strategy that is known in advance.
#[derive(Clone, Debug)]
pub struct StrategyAgent {
    name: String,
    strategy: Strategy,
}

impl StrategyAgent {
    /// A strategy for the whole game, and what to call it.
    pub fn new(name: impl Into<String>, strategy: Strategy) -> StrategyAgent {
        StrategyAgent { name: name.into(), strategy }
    }
}

impl Agent for StrategyAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        let first = view.info_set().first();
        let behaviour = &self.strategy.behaviours[view.player() as usize];
        by_mix(&behaviour[first..first + view.moves() as usize], random)
    }

    fn behaviour(&self, _: &Treeplex, player: Player) -> Option<Behaviour> {
        Some(self.strategy.behaviours[player as usize].clone())
    }

    fn judged(&self) -> Option<Judged> {
        Some(self.strategy.judged)
    }
}

/// `pone`: wins where it can with certainty, and else makes any move. What it gains over `random`
/// is what certainty alone is worth.
#[derive(Clone, Debug)]
pub struct ProbOneAgent {
    winning: [WinningMoves; 2],
}

impl ProbOneAgent {
    /// Finds out where wins are certain.
    pub fn new(tree: &GameTree) -> ProbOneAgent {
        ProbOneAgent { winning: winning_moves(tree) }
    }
}

impl Agent for ProbOneAgent {
    fn name(&self) -> String {
        "pone".into()
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        let winning = &self.winning[view.player() as usize];
        winning[view.info_set().info_state as usize].unwrap_or_else(|| random.u32(..view.moves()))
    }

    fn behaviour(&self, plex: &Treeplex, player: Player) -> Option<Behaviour> {
        let mut behaviour = plex.uniform();
        for (info_set, &info_state) in plex.info_state.iter().enumerate() {
            if let Some(mv) = self.winning[player as usize][info_state as usize] {
                pure(&mut behaviour[plex.at(info_set)], mv);
            }
        }
        Some(behaviour)
    }
}

/// `mc`: tries each move in states that its information set can be in, and finishes at random.
///
/// States are drawn from the seat's [`Belief`](super::Belief), and in each all moves are tried, so that luck with
/// states favours none. What is made is the move with the best average.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarloAgent {
    rollouts: u32,
}

impl MonteCarloAgent {
    /// Finishes this many games before it moves, or a few more: equally many with each move.
    pub fn new(rollouts: u32) -> MonteCarloAgent {
        MonteCarloAgent { rollouts }
    }
}

impl Agent for MonteCarloAgent {
    fn name(&self) -> String {
        format!("mc={}", self.rollouts)
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        let moves = view.moves();
        if moves == 1 {
            return 0;
        }
        let (states, urn) = (&view.tree.states, view.belief().urn(view.tree));
        let mut sums = vec![0.0; moves as usize];
        for _ in 0..self.rollouts.div_ceil(moves) {
            let arcs = states.arcs(urn.draw(random));
            for (sum, arc) in sums.iter_mut().zip(arcs) {
                *sum += view.player().sign() * rollout(states, arc.to, random);
            }
        }
        greatest(&sums, random)
    }
}
