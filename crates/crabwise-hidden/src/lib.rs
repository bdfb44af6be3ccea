//! Games in which the players do not see everything.
//!
//! A player's *view* is what that player did and was told, in order: by construction nothing is ever
//! forgotten ("perfect recall"), and nothing else can leak in. Two histories are in the same *information
//! set* if the player to move has the same view of both. A player's *sequence* is a view with one's own
//! move after it. A strategy says with what probability each move is made at each view.
//!
//! All payoffs are the first player's, and the second loses what the first wins. A pair of strategies is an
//! equilibrium if neither player gains by another; how much both could gain together by answering best,
//! halved, is the pair's *exploitability*. A value without one is no value.
//!
//! Positions may well forget the order in which things happened. Then many histories share a position, and
//! everything that is worked out here is worked out once for all of them.

mod any;
mod certain;
mod engine;
mod form;
pub mod league;
mod learner;
mod linear;
mod matrix;
mod part;
pub mod players;
mod plex;
mod rational;
mod regression;
mod regret;
mod response;
mod sample;
mod states;
mod strategy;
mod sure;
#[cfg(test)]
mod tests;
mod tidy;
#[cfg(test)]
mod toys;
mod tree;

use std::{fmt, hash::Hash};

use crabwise::Picture;

pub use self::{
    any::{AnyHidden, Laid, Setup},
    certain::Certain,
    engine::Engine,
    form::{Form, Size},
    learner::{CheckpointError, Learner},
    linear::{Exact, LinearError},
    matrix::{Matrix, MatrixError, Outcome, Pure},
    plex::Plex,
    rational::Fraction,
    regression::{Features, Fit, Link, Regression},
    regret::{Regrets, Rule, Updates},
    response::Judged,
    sample::{Sampler, Scheme},
    states::HiddenError,
    strategy::{Strategy, StrategyError},
    sure::{MOST_VIEWS, Next, PlanView, Sure, SureCounts, SureWins, Tally},
    tree::{Counts, Tree, View},
};

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player whose payoffs are told.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 1 for the first player and −1 for the second: what turns the first one's payoffs into one's own.
    pub fn sign(self) -> f64 {
        match self {
            Player::First => 1.0,
            Player::Second => -1.0,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::First => "first player",
            Player::Second => "second player",
        })
    }
}

/// What happens next at a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Turn {
    /// Nothing: the game is over, and the first player gets this much from the second.
    Over(f64),
    /// Chance moves.
    Chance,
    /// A player moves.
    Of(Player),
}

/// The rules of a two-player game whose players see less than the referee does.
///
/// Positions are the referee's and hold everything. What a player knows is what [`told`](Hidden::told) says
/// in the course of a game, and which moves that player made.
pub trait Hidden: Send + Sync {
    /// A position. Equal positions must have equal futures.
    type Position: Clone + Eq + Hash + fmt::Debug + Send + Sync;
    /// A move, displayed the way players write it: one word, different from the other legal moves.
    type Move: Copy + Eq + Hash + fmt::Display + Send + Sync;
    /// What a player can be told, displayed as one word.
    type Word: Copy + Eq + Hash + fmt::Display + Send + Sync;

    /// Where play begins.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn turn(&self, at: &Self::Position) -> Turn;

    /// The moves of whoever's turn it is, in a fixed order: at least one, and at positions that look alike
    /// to the player to move the same ones.
    fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Move>;

    /// The position after a move.
    fn play(&self, at: &Self::Position, mv: Self::Move) -> Self::Position;

    /// How likely chance makes this move, in proportion to its other moves here.
    fn weight(&self, _at: &Self::Position, _mv: Self::Move) -> f64 {
        1.0
    }

    /// What `player` is told when this move is made at this position, by whomever. Of one's own moves one
    /// knows that and which one has made, and what is told of them comes at once; of other moves one
    /// knows nothing but what one is told, not even that they were made.
    fn told(&self, at: &Self::Position, mv: Self::Move, player: Player) -> Option<Self::Word>;

    /// The referee's picture of a position.
    fn show(&self, at: &Self::Position) -> String {
        format!("{at:?}")
    }

    /// A player's picture of a position. Where views are the same, pictures must be, to the byte.
    fn seen(&self, at: &Self::Position, player: Player) -> String;
}

/// A game that draws its positions, as the referee or a player sees them.
pub trait Sketched: Hidden {
    /// The position as this player sees it, or as it is if nobody is named. Shapes named like moves are what
    /// people point at to make them. Where a player's views are the same, so must that player's pictures be.
    fn picture(&self, at: &Self::Position, seen_by: Option<Player>) -> Picture;
}

/// A game in which what matters of a view is less than the view.
///
/// A gist must be all of a view that legal moves and further words depend on, and must change by what the
/// player does and hears alone: where gists are the same, and the same is done and heard, they stay the
/// same. Strategies may still tell views of the same gist apart; gists say what can be worked out once for
/// all of them. A strategy that depends on gists alone is an *abstraction*.
pub trait Gist: Hidden {
    /// What is left of a view.
    type Gist: Clone + Eq + Hash + fmt::Debug + Send + Sync;

    /// What is left of a player's view at a position.
    fn gist(&self, at: &Self::Position, player: Player) -> Self::Gist;
}

/// A game that is the same seen in a mirror, for both players alike. To mirror twice changes nothing.
pub trait Mirrored: Hidden {
    /// The mirror image of a position. That of the start is the start.
    fn mirror(&self, at: &Self::Position) -> Self::Position;

    /// The mirror image of a move.
    fn mirror_move(&self, mv: Self::Move) -> Self::Move;

    /// The mirror image of a word.
    fn mirror_word(&self, word: Self::Word) -> Self::Word;
}
