//! Agents that need no search: any move, a strategy found before, certain wins only, and random playouts.

use std::sync::Arc;

use crabwise::watch::Unwatched;

use super::{Agent, AgentView, Effort, pure, rollout};
use crate::{
    best_response::Judged,
    prob_one::{ViewSearch, WinningMoves, winning_moves},
    random::{by_weight, greatest},
    rules::{Hidden, Player},
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

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        random.usize(..view.moves().len())
    }

    fn behaviour(&self, plex: &Treeplex, _: Player) -> Option<Behaviour> {
        Some(plex.uniform())
    }
}

/// A strategy that is known in advance, for a game that is laid out.
#[derive(Clone)]
pub struct StrategyAgent<'a> {
    name: String,
    tree: &'a GameTree,
    strategy: Arc<Strategy>,
}

impl<'a> StrategyAgent<'a> {
    /// A strategy for the whole game, and what to call it.
    pub fn new(name: impl Into<String>, tree: &'a GameTree, strategy: Arc<Strategy>) -> Self {
        StrategyAgent { name: name.into(), tree, strategy }
    }
}

impl Agent for StrategyAgent<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        let moves = view.moves().len();
        let Some(info_set) = view.info_set(self.tree) else { return random.usize(..moves) };
        let behaviour = &self.strategy.behaviours[view.player() as usize];
        by_weight(&behaviour[info_set.first()..info_set.first() + moves], random) as usize
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
///
/// Where the game is laid out all certain wins are known before; else each view is searched, as far as a search goes
/// that looks at no more than so many positions, and a view that takes more counts as not certain.
#[derive(Clone)]
pub struct ProbOneAgent<'a> {
    known: Option<(&'a GameTree, [WinningMoves; 2])>,
    /// How many positions are looked at for one view.
    most: u64,
}

/// How many positions that fit a view are kept.
const MOST_KEPT: usize = 1 << 12;
/// What a position takes, about, while the table that a search of the game's own remembers it in grows.
const BYTES: u64 = 40;

impl<'a> ProbOneAgent<'a> {
    /// How many positions are looked at for one view, unless somebody says otherwise.
    pub const MOST: u64 = 200_000;

    /// Searches each view.
    pub fn searching() -> ProbOneAgent<'a> {
        ProbOneAgent::searching_at_most(ProbOneAgent::MOST)
    }

    /// Searches each view, and looks at no more than so many positions.
    pub fn searching_at_most(most: u64) -> ProbOneAgent<'a> {
        ProbOneAgent { known: None, most }
    }

    /// Finds out where wins are certain in a layout.
    pub fn new(tree: &'a GameTree) -> ProbOneAgent<'a> {
        ProbOneAgent { known: Some((tree, winning_moves(tree))), ..ProbOneAgent::searching() }
    }

    fn certain<G: Hidden>(&self, view: &AgentView<G>) -> Option<usize> {
        if let Some((tree, winning)) = &self.known {
            let info_state = view.info_set(tree)?.info_state;
            return winning[view.player() as usize][info_state as usize].map(|mv| mv as usize);
        }
        let belief = view.belief(MOST_KEPT);
        let own = |certain: crate::prob_one::CertainMoves<G>| {
            certain(view.game(), belief.any()?, self.most.saturating_mul(BYTES), &Unwatched)
        };
        if let Some(found) = view.certain.and_then(own) {
            let found = found.ok()?;
            return view.moves().iter().position(|mv| found.contains(mv));
        }
        let mut search = ViewSearch::new(view.game(), view.player(), self.most, &Unwatched);
        search.first_move(&belief, view.moves()).ok()?
    }
}

impl Agent for ProbOneAgent<'_> {
    fn name(&self) -> String {
        "pone".into()
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        self.certain(view).unwrap_or_else(|| random.usize(..view.moves().len()))
    }

    fn behaviour(&self, plex: &Treeplex, player: Player) -> Option<Behaviour> {
        let (_, winning) = self.known.as_ref()?;
        let mut behaviour = plex.uniform();
        for (info_set, &info_state) in plex.info_state.iter().enumerate() {
            if let Some(mv) = winning[player as usize][info_state as usize] {
                pure(&mut behaviour[plex.at(info_set)], mv);
            }
        }
        Some(behaviour)
    }
}

/// `mc`: tries each move in positions that its information set can be in, and finishes at random.
///
/// Positions are drawn from the view's [`Belief`](crate::Belief), and in each all moves are tried, so that luck with
/// positions favours none. What is made is the move with the best average.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarloAgent {
    effort: Effort,
}

impl MonteCarloAgent {
    /// Finishes games before it moves, this many or a few more: equally many with each move.
    pub fn new(effort: Effort) -> MonteCarloAgent {
        MonteCarloAgent { effort }
    }
}

impl Agent for MonteCarloAgent {
    fn name(&self) -> String {
        format!("mc={}", self.effort)
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        let (game, moves) = (view.game(), view.moves());
        if moves.len() == 1 {
            return 0;
        }
        let rounds = self.effort.begin(moves.len() as u32);
        let belief = view.belief(self.effort.positions());
        let urn = belief.urn();
        if urn.is_empty() {
            return random.usize(..moves.len());
        }
        let mut sums = vec![0.0; moves.len()];
        for () in rounds {
            let at = urn.draw(random);
            for (sum, &mv) in sums.iter_mut().zip(moves) {
                *sum += view.player().sign() * rollout(game, game.play(at, mv), random);
            }
        }
        greatest(&sums, random) as usize
    }
}
