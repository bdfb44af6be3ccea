//! The rules of a game whose players see less than the referee does, and what a game may add to them.

use std::{fmt, hash::Hash};

use crabwise::Picture;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player whose payoffs are given.
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

    /// 1 for the first player and −1 for the second: turns the first player's payoffs into this player's.
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
/// Positions are the referee's and hold everything. What a player knows is what [`observe`](Hidden::observe) says
/// in the course of a game, and which moves that player made.
pub trait Hidden: Send + Sync {
    /// A position. Equal positions must have equal futures.
    type Position: Clone + Eq + Hash + fmt::Debug + Send + Sync;
    /// A move, displayed the way players write it: one word, different from the other legal moves.
    type Move: Copy + Eq + Hash + fmt::Display + Send + Sync;
    /// What a player can observe, displayed as one word.
    type Observation: Copy + Eq + Hash + fmt::Display + Send + Sync;

    /// Where play begins.
    fn start(&self) -> Self::Position;

    /// The least and the most that the first player can get: some way of playing leads to either.
    fn stakes(&self) -> [f64; 2] {
        [-1.0, 1.0]
    }

    /// Whose turn it is.
    fn turn(&self, at: &Self::Position) -> Turn;

    /// The legal moves in a fixed order: at least one. Positions that look alike to the player to move have the same
    /// moves.
    fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Move>;

    /// The position after a move.
    fn play(&self, at: &Self::Position, mv: Self::Move) -> Self::Position;

    /// How likely chance makes this move, in proportion to its other moves here.
    fn weight(&self, _at: &Self::Position, _mv: Self::Move) -> f64 {
        1.0
    }

    /// What `player` observes when this move is made at this position. A player knows each move of its own, and
    /// observes what comes of it at once. Of every other move a player knows what it observes and nothing else, not
    /// even that it was made.
    fn observe(
        &self,
        at: &Self::Position,
        mv: Self::Move,
        player: Player,
    ) -> Option<Self::Observation>;

    /// The referee's picture of a position.
    fn show(&self, at: &Self::Position) -> String {
        format!("{at:?}")
    }

    /// A player's picture of a position. Throughout an information set of the player it is the same, to the byte.
    fn seen(&self, at: &Self::Position, player: Player) -> String;
}

/// What a player knows of something that happened: the player's own move, if it was one, and what the player observed.
/// What a player does not notice is no step.
pub type Step<G> = (Option<<G as Hidden>::Move>, Option<<G as Hidden>::Observation>);

/// What a move is to a player; `None` if the player does not notice it.
pub(crate) fn step<G: Hidden>(
    game: &G,
    at: &G::Position,
    mv: G::Move,
    player: Player,
) -> Option<Step<G>> {
    let own = (game.turn(at) == Turn::Of(player)).then_some(mv);
    let step = (own, game.observe(at, mv, player));
    (step != (None, None)).then_some(step)
}

/// A game that draws its positions, as the referee or a player sees them.
pub trait Sketched: Hidden {
    /// The position as this player sees it, or as it is if nobody is named. Shapes named like moves are what
    /// people point at to make them. Throughout an information set of the player the picture is the same.
    fn picture(&self, at: &Self::Position, seen_by: Option<Player>) -> Picture;
}

/// A game in which less matters than all that a player knows: mostly, the order of events does not.
///
/// What is left after that is an *information state*. It must hold all that legal moves and further observations
/// depend on, and must change by what the player does and observes alone: where two information states are the same,
/// the same move and the same observation lead to the same next one. Strategies may still tell apart information sets
/// that share an information state; what follows from it is worked out once for all of them. A strategy that depends
/// on information states alone is an abstraction, and may be exploitable.
pub trait InfoAbstraction: Hidden {
    /// What is left of what a player knows.
    type InfoState: Clone + Eq + Hash + fmt::Debug + Send + Sync;

    /// What is left of what a player knows at a position.
    fn info_state(&self, at: &Self::Position, player: Player) -> Self::InfoState;
}

/// A game that says what of a player's knowledge estimates are to be made from.
///
/// Features are numbers below [`many`](Described::many), each there or not. They must follow from what the player knows
/// alone: throughout an information set they are the same.
pub trait Described: Hidden {
    /// How many features there are.
    fn many(&self) -> usize;

    /// How many different moves there are.
    fn moves_in_all(&self) -> usize;

    /// The number of a move, below [`moves_in_all`](Described::moves_in_all).
    fn number(&self, mv: Self::Move) -> usize;

    /// Adds the features of what a player knows at a position, each once, in ascending order.
    fn describe(&self, at: &Self::Position, player: Player, features: &mut Vec<u32>);
}

/// A game that is the same seen in a mirror, for both players alike. To mirror twice changes nothing.
pub trait Mirrored: Hidden {
    /// The mirror image of a position. That of the start is the start.
    fn mirror(&self, at: &Self::Position) -> Self::Position;

    /// The mirror image of a move.
    fn mirror_move(&self, mv: Self::Move) -> Self::Move;

    /// The mirror image of an observation.
    fn mirror_observation(&self, observation: Self::Observation) -> Self::Observation;
}
