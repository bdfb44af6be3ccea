//! The rules of a game, and what perfect play makes of a position.
//!
//! Everything is seen from the player to move. A value is an outcome and a distance, and values
//! are totally ordered, so that to solve a position is to take the greatest of its moves' values.
//! [`Value::back`] is the only place where a value changes sides.
//!
//! Ties are above draws: both are worth the same, but a player who can choose takes the end. Distances are `u32`,
//! wider than what a table takes, so that `back` cannot overflow and needs no error path: only packing into a word
//! can fail, in one place.

use std::{cmp::Ordering, fmt, hash::Hash};

pub(crate) mod batched;
pub(crate) mod dynamic;
pub(crate) mod editor;
pub(crate) mod impartial;
pub mod picture;
pub(crate) mod published;
pub(crate) mod summed;
pub mod theory;

/// The rules of a two-player game, always seen from the player to move.
///
/// Write the items without a body and every command works for your game. The items with a body
/// give the usual rule: a player without moves loses, turns alternate, and a move is one decision.
/// Nothing here is about speed: a numbering (`Index`), un-moves ([`Unplay`]) and a kernel (`Kernel`) are.
pub trait Game: Sync {
    /// A position. Equal positions must have equal futures, so whose turn it is belongs to it
    /// unless both sides' rules are the same and the position is turned around after every move.
    type Position: Clone + Eq + Hash + fmt::Debug + Send + Sync;
    /// A move, displayed the way players write it: one word, different from the other legal moves.
    type Move: Clone + fmt::Display;

    /// Where play begins.
    fn start(&self) -> Self::Position;

    /// The legal moves at a position that is not [`over`](Game::over), in any fixed order.
    /// Return anything that can be looped over.
    fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Move>;

    /// The position after a legal move, with the turn handed over.
    fn play(&self, at: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The outcome for the player to move, once the game has ended; `None` while it goes on.
    /// By default a player without moves loses. A position that is not over must have a move.
    fn over(&self, at: &Self::Position) -> Option<Outcome> {
        let stuck = self.moves(at).into_iter().next().is_none();
        stuck.then_some(Outcome::Loss)
    }

    /// Whether the player who moved from `from` to `to` moves again.
    fn again(&self, _from: &Self::Position, _to: &Self::Position) -> bool {
        false
    }

    /// The decisions that a move is made of, in the order in which they are made, each one word:
    /// of a step and the removal that follows it, the step and then the removal. People are offered
    /// them one after the other; solvers see whole moves only. At a position no two moves may have
    /// the same decisions, nor may those of one be the beginning of another's. By default a move is
    /// one decision.
    fn decisions(&self, mv: &Self::Move) -> Vec<String> {
        vec![mv.to_string()]
    }

    /// Whether a word that somebody typed means this move. By default only the move as it is
    /// displayed; more ways to write it are for moves that are hard to type.
    fn means(&self, word: &str, mv: &Self::Move) -> bool {
        mv.to_string() == word
    }

    /// Moves that one might try here and the rules forbid, each with what it would do, such as "would make a
    /// sink at 3". For people, who are told why; by default none.
    fn barred(&self, _at: &Self::Position) -> Vec<(Self::Move, String)> {
        vec![]
    }

    /// The position that is written like this in the game's own [`notation`](Game::notation), and how many
    /// moves led there, for a player who begins in the middle; or what is wrong with it. `None` for a word that
    /// is no position at all, and by default for every word: then positions are only known by the moves
    /// that lead to them.
    fn read(&self, _word: &str) -> Option<Result<(Self::Position, u32), String>> {
        None
    }

    /// A picture of the position, for people. May have several lines.
    fn show(&self, at: &Self::Position) -> String {
        format!("{at:?}")
    }

    /// The position in one line, for lists and files; different positions should differ in it. By
    /// default the picture, its rows parted by slashes.
    fn notation(&self, at: &Self::Position) -> String {
        one_line(&self.show(at))
    }
}

/// A game that can also be played backwards.
pub trait Unplay: Game {
    /// Every position from which a move leads to `at`, once for each such move. Positions that cannot
    /// be reached from the start may be among them; none may be missing, none may be over, and each
    /// must really have a move to `at`.
    fn unplay(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Position>;
}

/// A picture on one line, its rows parted by slashes.
pub(crate) fn one_line(picture: &str) -> String {
    picture.lines().map(str::trim_end).collect::<Vec<_>>().join("/")
}

/// How a finished game went for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The player to move has lost.
    Loss,
    /// The game ended even.
    Tie,
    /// The player to move has won.
    Win,
}

impl Outcome {
    /// Who has won, of players 0 and 1, if the one to move is `mover`; `None` for a tie.
    pub fn winner(self, mover: usize) -> Option<usize> {
        match self {
            Outcome::Win => Some(mover),
            Outcome::Loss => Some(1 - mover),
            Outcome::Tie => None,
        }
    }

    /// Whether a value comes to that; a draw is as even as a tie.
    pub fn is_that_of(self, value: Value) -> bool {
        match self {
            Outcome::Win => matches!(value, Value::Win(_)),
            Outcome::Tie => matches!(value, Value::Tie(_) | Value::Draw),
            Outcome::Loss => matches!(value, Value::Loss(_)),
        }
    }
}

/// The greatest distance that a table can hold, in moves. A game with a longer forced line is
/// refused, never answered wrongly.
pub const MAX_DISTANCE: u32 = 65_535;

/// What perfect play makes of a position: the outcome, and how many moves until it is reached
/// ("remoteness"). Better for the player to move means greater:
/// quick win > slow win > quick tie > slow tie > draw > slow loss > quick loss.
///
/// A tie is an even *end*; a draw is play that nobody can bring to an end that suits them better.
/// The two are worth the same, and a player who can choose takes the tie.
///
/// Where only outcomes were kept, the distance is [`Value::UNKNOWN_DISTANCE`]: a number that no end is away,
/// and that is never shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Lost after this many moves, the loser holding out as long as possible.
    Loss(u32),
    /// Even after this many moves, both sides taking the shortest way to it.
    Tie(u32),
    /// Endless: neither player can force an end that is better for them.
    Draw,
    /// Won after this many moves, the winner hurrying.
    Win(u32),
}

impl Value {
    /// The distance of a value whose distance is not known. One move further away it is no better
    /// known.
    pub const UNKNOWN_DISTANCE: u32 = u32::MAX;

    /// This value one move earlier, for the player who makes that move.
    pub fn back(self, again: bool) -> Value {
        // Distances stay far below the untold one, which stays what it is.
        match (self, again) {
            (Value::Loss(n), false) | (Value::Win(n), true) => Value::Win(n.saturating_add(1)),
            (Value::Win(n), false) | (Value::Loss(n), true) => Value::Loss(n.saturating_add(1)),
            (Value::Tie(n), _) => Value::Tie(n.saturating_add(1)),
            (Value::Draw, _) => Value::Draw,
        }
    }

    /// The number of moves to the end; `None` for a draw, which has no end, and where the distance
    /// is not known.
    pub fn remoteness(self) -> Option<u32> {
        match self {
            Value::Loss(n) | Value::Tie(n) | Value::Win(n) => {
                (n != Value::UNKNOWN_DISTANCE).then_some(n)
            }
            Value::Draw => None,
        }
    }

    /// The outcome alone, its distance not known.
    pub fn without_distance(self) -> Value {
        self.at_distance(Value::UNKNOWN_DISTANCE)
    }

    /// The same outcome so many moves away.
    pub(crate) fn at_distance(self, n: u32) -> Value {
        match self {
            Value::Loss(_) => Value::Loss(n),
            Value::Tie(_) => Value::Tie(n),
            Value::Draw => Value::Draw,
            Value::Win(_) => Value::Win(n),
        }
    }

    /// Whether all is known that there is to know: the distance, or that there is none.
    pub fn has_distance(self) -> bool {
        self == Value::Draw || self.remoteness().is_some()
    }

    /// The outcome in one word: `loss`, `tie`, `draw` or `win`.
    pub fn outcome(self) -> &'static str {
        match self {
            Value::Loss(_) => "loss",
            Value::Tie(_) => "tie",
            Value::Draw => "draw",
            Value::Win(_) => "win",
        }
    }

    fn rank(self) -> i64 {
        const STEP: i64 = 1 << 33;
        match self {
            Value::Loss(n) => i64::from(n) - STEP,
            Value::Draw => 0,
            Value::Tie(n) => STEP - i64::from(n),
            Value::Win(n) => 2 * STEP - i64::from(n),
        }
    }
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Loss => Value::Loss(0),
            Outcome::Tie => Value::Tie(0),
            Outcome::Win => Value::Win(0),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness() {
            Some(n) => write!(f, "{} in {n}", self.outcome()),
            None => f.write_str(self.outcome()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value::*;

    #[test]
    fn better_is_greater() {
        let [loss, tie, win] = [Loss(9), Tie(9), Win(9)].map(|value| value.without_distance());
        let order = [
            Loss(0),
            Loss(9),
            loss,
            Draw,
            tie,
            Tie(65_536),
            Tie(9),
            Tie(0),
            win,
            Win(65_536),
            Win(1),
        ];
        assert!(order.is_sorted_by(|worse, better| worse < better));
    }

    #[test]
    fn back_changes_sides_unless_the_mover_goes_on() {
        assert_eq!(Loss(3).back(false), Win(4));
        assert_eq!(Loss(3).back(true), Loss(4));
        assert_eq!(Win(3).back(true), Win(4));
        assert_eq!(Tie(3).back(false), Tie(4));
        assert_eq!(Draw.back(false), Draw);
        assert_eq!(Win(3).to_string(), "win in 3");
    }

    #[test]
    fn an_untold_distance_stays_untold() {
        for value in [Loss(3), Tie(0), Win(65_536), Draw] {
            let untold = value.without_distance();
            assert_eq!(untold.without_distance(), untold);
            assert_eq!(untold.back(true), value.back(true).without_distance());
            assert_eq!(untold.back(false), value.back(false).without_distance());
            assert_eq!((untold.remoteness(), untold.to_string()), (None, value.outcome().into()));
            assert_eq!((value.has_distance(), untold.has_distance()), (true, value == Draw));
        }
    }
}
