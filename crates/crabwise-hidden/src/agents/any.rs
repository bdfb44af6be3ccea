//! Every kind of agent, for all games: what the boundary without types names.

use super::{
    Agent, AgentView, IsmctsAgent, MonteCarloAgent, ProbOneAgent, QLearner, RandomAgent,
    StrategyAgent, ViewAgent,
};
use crate::{
    best_response::Judged,
    rules::{Hidden, Player},
    sequence_form::{Behaviour, Treeplex},
};

/// One of the agents there are.
#[derive(Clone)]
pub enum AnyAgent<'a> {
    /// Makes any move.
    Random(RandomAgent),
    /// Wins where that is certain.
    ProbOne(ProbOneAgent<'a>),
    /// Plays games to the end at random.
    MonteCarlo(MonteCarloAgent),
    /// Searches a tree of views.
    Ismcts(IsmctsAgent),
    /// Has learned by playing itself.
    Learner(QLearner<'a>),
    /// Knows a strategy.
    Strategy(StrategyAgent<'a>),
    /// Knows a strategy by views.
    Views(ViewAgent),
}

macro_rules! delegate {
    ($self:ident, $agent:ident => $call:expr) => {
        match $self {
            AnyAgent::Random($agent) => $call,
            AnyAgent::ProbOne($agent) => $call,
            AnyAgent::MonteCarlo($agent) => $call,
            AnyAgent::Ismcts($agent) => $call,
            AnyAgent::Learner($agent) => $call,
            AnyAgent::Strategy($agent) => $call,
            AnyAgent::Views($agent) => $call,
        }
    };
}

impl Agent for AnyAgent<'_> {
    fn name(&self) -> String {
        delegate!(self, agent => agent.name())
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        delegate!(self, agent => agent.choose(view, random))
    }

    fn behaviour(&self, treeplex: &Treeplex, player: Player) -> Option<Behaviour> {
        delegate!(self, agent => agent.behaviour(treeplex, player))
    }

    fn judged(&self) -> Option<Judged> {
        delegate!(self, agent => agent.judged())
    }
}
