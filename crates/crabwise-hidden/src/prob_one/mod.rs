//! Wins with probability one: where a player wins whatever is hidden and whatever the other does.
//!
//! They are found in the states of the game, or by the game itself, and come as counts and as a plan to win by.

mod by_view;
mod cut_short;
mod search;
mod views;

use std::collections::HashMap;

use crabwise::{SolveError, watch::Watch};

use self::search::Certainty;
pub use self::{by_view::Unsettled, cut_short::CutShort, search::WinningMoves, views::CertainView};
pub(crate) use self::{
    by_view::ViewSearch,
    search::winning_moves,
    views::{Letters, certain_moves, certain_views},
};
use crate::{
    rules::{Hidden, Player},
    tree::{GameTree, InfoSet},
};

/// A game that finds its certain wins without its states, and so on larger boards.
pub trait ProbOneSolver: Hidden {
    /// The certain wins of a player; `None` for a variant that has no such way.
    fn prob_one(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<ProbOneWins, SolveError>>;

    /// The moves that win with certainty for the player to move, by what that player knows at this position and by
    /// nothing else; `None` for a variant that has no such way.
    fn certain_moves(
        &self,
        at: &Self::Position,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<Self::Move>, SolveError>>;

    /// The certain views of a player with so many cells that look empty, and so many hidden stones; `None` for a
    /// variant that has no such way.
    fn certain_views(
        &self,
        player: Player,
        counts: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<CertainView>, SolveError>>;
}

/// How a game finds the certain moves of a view itself.
pub(crate) type CertainMoves<G> = fn(
    &G,
    &<G as Hidden>::Position,
    u64,
    &dyn Watch,
) -> Option<Result<Vec<<G as Hidden>::Move>, SolveError>>;

/// A player's certain wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbOneWins {
    /// Whether the player wins with certainty from the start.
    pub wins: bool,
    /// The moves that do not lose the certainty, at the player's first information set.
    pub openings: Vec<String>,
    /// How many information sets are certain; `None` where only the start was looked at.
    pub counts: Option<ProbOneCounts>,
    /// How a certain win is won, the first information set first; empty if there is none.
    pub plan: Vec<PlanStep>,
    /// Whether the plan goes on beyond its last step.
    pub cut: bool,
}

/// Numbers of information sets from which the player wins with certainty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbOneCounts {
    /// Of all information sets.
    pub all: Tally,
    /// By the number of cells that look empty, and that of hidden stones.
    pub by: Vec<(u32, u32, Tally)>,
}

/// How many information sets there are, and how many of them are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Information sets at which the player has to move, the order of events forgotten.
    pub info_sets: u64,
    /// Those from which the player wins with certainty.
    pub certain: u64,
    /// Those from which the player would win if all were shown, whatever is hidden; where that is known.
    pub weak: Option<u64>,
}

/// A step of a plan, at one information set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanStep {
    /// What the player sees.
    pub picture: String,
    /// What to do.
    pub mv: String,
    /// What may be observed, and what is next.
    pub next: Vec<(String, PlanNext)>,
}

/// What follows in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanNext {
    /// The step of this number.
    Step(usize),
    /// The game is won.
    Won,
    /// A step beyond the end of the plan.
    Omitted,
}

/// The most steps that a plan is given in.
pub const MAX_PLAN_STEPS: usize = 2000;

/// The certain wins of a player, from all states; `picture` is what the player sees at a state.
pub(crate) fn wins(
    tree: &GameTree,
    player: Player,
    picture: &dyn Fn(u32) -> String,
) -> ProbOneWins {
    let certainty = Certainty::of(tree, player);
    let met = certainty.members.iter().filter(|members| !members.is_empty()).count() as u64;
    let certain = certainty.moves.iter().flatten().count() as u64;
    let all = Tally { info_sets: met, certain, weak: None };
    // The first information sets: there may be several, if something can be observed before.
    let (mut firsts, mut open) = (vec![], vec![tree.start(player)]);
    while let Some(info_set) = open.pop() {
        match certainty.members[info_set.info_state as usize].is_empty() {
            true => open.extend(tree.next(info_set).map(|(_, next)| next)),
            false => firsts.push(info_set),
        }
    }
    let certain = |info_set: &InfoSet| certainty.moves[info_set.info_state as usize].is_some();
    let wins = !firsts.is_empty() && firsts.iter().all(certain);
    let openings = match firsts[..] {
        [info_set] => openings(tree, info_set, &certainty),
        _ => vec![],
    };
    let numbers = HashMap::new();
    let mut plan = Plan { tree, picture, certainty, numbers, steps: vec![], cut: false };
    if wins {
        for &info_set in &firsts {
            plan.step(info_set);
        }
    }
    let counts = Some(ProbOneCounts { all, by: vec![] });
    ProbOneWins { wins, openings, counts, plan: plan.steps, cut: plan.cut }
}

/// The moves at an information set after which every way on is certain.
fn openings(tree: &GameTree, info_set: InfoSet, certainty: &Certainty) -> Vec<String> {
    let members = &certainty.members[info_set.info_state as usize];
    let keeps = |mv: usize| {
        let after = |&node: &u32| certainty.wins[tree.states.arcs(node)[mv].to as usize];
        members.iter().all(after)
    };
    let moves = tree.moves(info_set).enumerate().filter(|(mv, _)| keeps(*mv));
    moves.map(|(_, name)| name.to_string()).collect()
}

struct Plan<'a> {
    tree: &'a GameTree,
    picture: &'a dyn Fn(u32) -> String,
    certainty: Certainty,
    numbers: HashMap<u32, usize>,
    steps: Vec<PlanStep>,
    cut: bool,
}

impl Plan<'_> {
    fn step(&mut self, info_set: InfoSet) -> PlanNext {
        if let Some(&number) = self.numbers.get(&info_set.info_state) {
            return PlanNext::Step(number);
        }
        let info_state = info_set.info_state as usize;
        let Some(&state) = self.certainty.members[info_state].first() else {
            // Something is observed before it is the player's turn, or the game is over.
            let next: Vec<InfoSet> = self.tree.next(info_set).map(|(_, next)| next).collect();
            return next.into_iter().map(|next| self.step(next)).last().unwrap_or(PlanNext::Won);
        };
        let mv = match self.certainty.moves[info_state] {
            Some(mv) if self.steps.len() < MAX_PLAN_STEPS => mv,
            _ => {
                self.cut = true;
                return PlanNext::Omitted;
            }
        };
        let number = self.steps.len();
        self.numbers.insert(info_set.info_state, number);
        let name = self.tree.moves(info_set).nth(mv as usize).unwrap_or_default().to_string();
        self.steps.push(PlanStep { picture: (self.picture)(state), mv: name, next: vec![] });
        let after: Vec<_> =
            self.tree.successors(info_set).filter(|(step, _)| step.mv == Some(mv)).collect();
        for (step, next) in after {
            let observed = step.observation.map(|number| {
                self.tree.info_states(info_set.player).observation(number).to_string()
            });
            let to = self.step(next);
            self.steps[number].next.push((observed.unwrap_or_default(), to));
        }
        PlanNext::Step(number)
    }
}
