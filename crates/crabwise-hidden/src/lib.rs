//! Games in which the players do not see everything.
//!
//! What a player knows is what that player did and observed, in order: by construction nothing is ever forgotten
//! ("perfect recall"), and nothing else can leak in. Histories of which a player knows the same make up an
//! *information set* of that player. A *sequence* is an information set with one of the player's moves after it. A
//! strategy gives each move at each information set a probability.
//!
//! All payoffs are the first player's, and the second loses what the first wins. A pair of strategies is an
//! equilibrium if neither player gains by another; how much both could gain together by answering best, halved, is
//! the pair's *exploitability*. A value without one is no value.
//!
//! Positions may well forget the order in which things happened. Then many histories share a position, and
//! everything that is worked out here is worked out once for all of them.
//!
//! Data flows down this list, and no module knows of one below it:
//!
//! | module | what it makes of what is above it |
//! |---|---|
//! | `rules` | [`Hidden`]: who moves, what a move leads to, who observes what |
//! | `belief` | [`Belief`]: in which positions the game can be, for all that a player knows |
//! | `tree` | [`GameTree`]: every position once, and both players' information states |
//! | `sequence_form` | [`SequenceForm`]: payoffs by pairs of sequences, [`Treeplex`]: a player's sequences |
//! | `best_response` | [`Judged`]: what strategies are worth against the best answers to them |
//! | `prob_one` | wins with probability one, and the game that ends at them |
//! | `exact` | an equilibrium by linear programs, proved in fractions; `matrix` is the normal form |
//! | `iterative` | [`Cfr`], [`Mccfr`], [`Rcfr`], [`DeepCfr`]: equilibria step by step |
//! | `strategy` | strategies in files |
//! | `walk`, `views` | [`Walk`]: a game walked by its rules, and strategies by [`View`], where nothing is laid out |
//! | `local_best_response` | [`LocalBestResponse`]: how exploitable such strategies are at least |
//! | [`agents`] | who plays, knowing one information set at a time |
//! | [`play`], `view` | a game in progress, and one view of it: text in, plain data out |
//! | `erased` | [`ErasedHidden`]: a game without its types, as a registry holds it |
//! | [`league`] | all against all, and ratings |
//! | [`equilibrium`] | chooses among the methods, within a budget |
//! | [`explorer`] | what a strategy does at an information set |
#![deny(missing_docs)]

pub mod agents;
mod belief;
mod best_response;
pub mod equilibrium;
mod erased;
mod exact;
pub mod explorer;
mod iterative;
pub mod league;
mod local_best_response;
mod matrix;
mod network;
pub mod play;
mod prob_one;
mod random;
mod rules;
mod sequence_form;
mod strategy;
#[cfg(test)]
mod toys;
mod tree;
mod view;
mod views;
mod walk;

pub use self::{
    belief::Belief,
    best_response::Judged,
    erased::{ErasedHidden, ExploredGame, HiddenSetup},
    exact::{ExactEquilibrium, Fraction, LpBackend, LpError},
    iterative::{
        CheckpointError, IterativeSolver,
        cfr::{Cfr, CfrVariant, Updates},
        deep::DeepCfr,
        mccfr::Mccfr,
        rcfr::{Features, Link, Rcfr, Regressor},
        sampling::Sampling,
        view_mccfr::{ViewLearner, ViewMccfr, Walks},
    },
    local_best_response::{Answer, LocalBestResponse, LocalBound},
    matrix::{Matrix, MatrixError, PlansOutcome, PureStrategy},
    prob_one::{
        CertainView, CutShort, MAX_PLAN_STEPS, PlanNext, PlanStep, ProbOneCounts, ProbOneSolver,
        ProbOneWins, Tally, Unsettled, WinningMoves,
    },
    rules::{Described, Hidden, InfoAbstraction, Mirrored, Player, Sketched, Step, Turn},
    sequence_form::{Behaviour, FormSize, RealizationPlan, SequenceForm, Treeplex},
    strategy::{PackedStrategy, Strategy, StrategyError},
    tree::{Descriptions, GameCounts, GameTree, HiddenError, InfoSet},
    view::{ViewError, ViewInfo},
    views::{EvenPolicy, Policy, ViewModel, ViewStrategy, ViewTable},
    walk::{FeatureCounts, View, Walk},
};
