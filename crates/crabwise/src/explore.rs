//! The boundary to people: text in, plain data out. The command line, a page and Python see this
//! module and [`AnyGame`](crate::AnyGame), and nothing below them. Only here do positions become
//! text.

use std::{collections::HashSet, fmt};

use crate::{
    Game, Impartial, Numbering, Outcome, Slot, Summary, Table, TableError, Value,
    index::key,
    label::{self, Choice, Dangers, Label, Weights},
    solve::grundy::Nimbers,
};

/// A position as shown to people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionInfo {
    /// The moves that lead here from the start.
    pub line: Vec<String>,
    /// A picture, perhaps of several lines.
    pub picture: String,
    /// Equal for equal positions and, but for one chance in 2⁶⁴, for no others.
    pub key: u64,
    /// Who is to move: 0 for the player who began, 1 for the other.
    pub mover: usize,
    /// How the game ended for the player to move, if it has.
    pub over: Option<Outcome>,
    /// What it is worth to the player to move.
    pub value: Value,
    /// The nimber, in impartial games where it is quickly found.
    pub nimber: Option<u32>,
    /// The label, where labels were asked for.
    pub label: Option<Label>,
    /// The moves, best first.
    pub moves: Vec<MoveInfo>,
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveInfo {
    /// The move as players write it.
    pub name: String,
    /// Its value to the player who makes it.
    pub value: Value,
    /// The label of the island it leads to, where labels were asked for.
    pub label: Option<Label>,
}

impl MoveInfo {
    /// How good the move is to the player who makes it: greater is better, equal is equally good.
    /// With labels, drawn moves differ by the traps they set, and a tie is no better than a draw.
    fn rank(&self) -> (Option<Choice>, Option<Value>) {
        match self.label {
            Some(label) => (Some(Choice::new(self.value, label.index())), None),
            None => (None, Some(self.value)),
        }
    }

    /// Whether the move is as good as another one.
    pub fn equals(&self, other: &MoveInfo) -> bool {
        self.rank() == other.rank()
    }
}

/// Perfect play from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The moves, each with its value to the player who makes it.
    pub moves: Vec<MoveInfo>,
    /// Why it stops.
    pub end: VariationEnd,
}

/// Why a line of perfect play stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariationEnd {
    /// The game is over.
    Over,
    /// A position came up again: from here on play goes in circles.
    Circle,
    /// It was not to be longer.
    Cut,
}

/// A solved game with its types erased.
pub trait Explorer: Send + Sync {
    /// The position after a line of moves.
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError>;

    /// Perfect play from there, at most `most` moves. Among equally good moves the first is
    /// taken, or with a seed any.
    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError>;

    /// What people ask first.
    fn summary(&self) -> &Summary;
}

/// Nimbers are worked out afresh for each position that is looked at, so there is an end to what is
/// worked out: a fraction of a second.
const MOST_PARTS: usize = 100_000;

/// Works out a nimber, in games that have them.
pub(crate) type NimberOf<G> = fn(&G, &<G as Game>::Position) -> Option<u32>;

pub(crate) fn nimber<G: Impartial>(game: &G, at: &G::Position) -> Option<u32> {
    Nimbers::new(game).within(at, MOST_PARTS)
}

/// A game, its table, and how a position is found there.
pub(crate) struct Opened<'a, G: Game, N> {
    pub(crate) game: &'a G,
    pub(crate) numbering: &'a N,
    pub(crate) table: Table,
    pub(crate) nimber: Option<NimberOf<G>>,
    /// Where positions are to be labelled.
    pub(crate) traps: Option<Traps>,
}

/// How the traps of an even position are told.
pub(crate) enum Traps {
    /// By depth, from their table.
    Depths(Box<Table>),
    /// By density, from the position's moves.
    Densities(Weights),
}

/// A line of moves, played.
pub(crate) struct Played<P> {
    pub(crate) at: P,
    pub(crate) mover: usize,
    depth: u32,
}

impl<G: Game, N: Numbering<G>> Opened<'_, G, N> {
    fn find(&self, at: &G::Position, depth: u32) -> Result<(Slot, Value), TableError> {
        let slot = self.numbering.find(&self.table, at, depth)?;
        let value = slot.map(|slot| self.table.get(slot)).transpose()?.flatten();
        let absent = || TableError::Absent { position: self.game.notation(at) };
        slot.zip(value).ok_or_else(absent)
    }

    /// The label of a position, where labels were asked for.
    fn label(
        &self,
        at: &G::Position,
        depth: u32,
        (slot, value): (Slot, Value),
    ) -> Result<Option<Label>, TableError> {
        let index = match (&self.traps, value) {
            (None, _) => return Ok(None),
            (_, Value::Win(_) | Value::Loss(_) | Value::Tie(0)) => 0,
            (Some(Traps::Depths(depths)), _) => {
                let absent = || TableError::Absent { position: self.game.notation(at) };
                label::depth(depths.get(slot)?.ok_or_else(absent)?)
            }
            (Some(Traps::Densities(weights)), _) => {
                let mut dangers = Dangers::default();
                for mv in self.game.moves(at) {
                    let to = self.game.play(at, mv);
                    let (_, value) = self.find(&to, depth + 1)?;
                    dangers.add(value.back(self.game.again(at, &to)));
                }
                dangers.density(*weights)
            }
        };
        Ok(Some(Label::new(value, index)))
    }

    /// The moves with where they lead, best first; equal ones in the order of the rules.
    fn moves(
        &self,
        at: &G::Position,
        depth: u32,
    ) -> Result<Vec<(MoveInfo, G::Position)>, TableError> {
        let mut moves = vec![];
        if self.game.over(at).is_none() {
            for mv in self.game.moves(at) {
                let to = self.game.play(at, mv.clone());
                let found = self.find(&to, depth + 1)?;
                let value = found.1.back(self.game.again(at, &to));
                let label = self.label(&to, depth + 1, found)?;
                moves.push((MoveInfo { name: mv.to_string(), value, label }, to));
            }
        }
        // Of drawn moves that set equal traps, one that ends sooner comes first.
        moves.sort_by_key(|(info, _)| std::cmp::Reverse((info.rank(), info.value)));
        Ok(moves)
    }

    /// The place and value of a position, which must agree with that of its best move.
    fn agreed(
        &self,
        at: &G::Position,
        depth: u32,
        moves: &[(MoveInfo, G::Position)],
    ) -> Result<(Slot, Value), TableError> {
        let (slot, stored) = self.find(at, depth)?;
        let derived = match self.game.over(at) {
            Some(outcome) => outcome.into(),
            None => moves.iter().map(|(info, _)| info.value).max().unwrap_or(stored),
        };
        // Where distances were not kept, the outcomes must agree.
        if stored != derived && stored != derived.untold() {
            let position = self.game.notation(at);
            return Err(TableError::Contradiction { position, stored, derived });
        }
        Ok((slot, stored))
    }
}

impl<G: Game + Send, N: Numbering<G>> Explorer for Opened<'_, G, N> {
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        let Played { at, mover, depth } = replay(self.game, line)?;
        let moves = self.moves(&at, depth)?;
        let found = self.agreed(&at, depth, &moves)?;
        Ok(PositionInfo {
            line: line.to_vec(),
            picture: self.game.show(&at),
            key: key(&at, 0),
            mover,
            over: self.game.over(&at),
            value: found.1,
            nimber: self.nimber.and_then(|nimber| nimber(self.game, &at)),
            label: self.label(&at, depth, found)?,
            moves: moves.into_iter().map(|(info, _)| info).collect(),
        })
    }

    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError> {
        let Played { mut at, mut depth, .. } = replay(self.game, line)?;
        let mut random = seed.map(fastrand::Rng::with_seed);
        let (mut taken, mut seen) = (vec![], HashSet::new());
        let end = loop {
            if self.game.over(&at).is_some() {
                break VariationEnd::Over;
            } else if !seen.insert(at.clone()) {
                break VariationEnd::Circle;
            } else if taken.len() == most {
                break VariationEnd::Cut;
            }
            let mut moves = self.moves(&at, depth)?;
            self.agreed(&at, depth, &moves)?;
            let best = moves.iter().take_while(|(info, _)| info.equals(&moves[0].0)).count();
            let choice = random.as_mut().map_or(0, |random| random.usize(0..best));
            let (info, to) = moves.swap_remove(choice);
            taken.push(info);
            at = to;
            depth += 1;
        };
        Ok(Variation { moves: taken, end })
    }

    fn summary(&self) -> &Summary {
        self.table.summary()
    }
}

/// Plays a line of moves from the start.
pub(crate) fn replay<G: Game>(game: &G, line: &[String]) -> Result<Played<G::Position>, LookError> {
    let mut played = Played { at: game.start(), mover: 0, depth: 0 };
    for (i, wanted) in line.iter().enumerate() {
        let at = &played.at;
        let so_far = line[..i].join(" ");
        if game.over(at).is_some() {
            return Err(LookError::Over { played: so_far, wanted: wanted.clone() });
        }
        let mut named = game.moves(at).into_iter().filter(|mv| mv.to_string() == *wanted);
        let (mv, other) = (named.next(), named.next().is_some());
        drop(named);
        let (played_before, wanted) = (so_far, wanted.clone());
        let Some(mv) = mv else {
            let legal = game.moves(at).into_iter().map(|mv| mv.to_string()).collect();
            return Err(LookError::NoSuchMove { played: played_before, wanted, legal });
        };
        if other {
            return Err(LookError::Ambiguous { played: played_before, wanted });
        }
        let to = game.play(at, mv);
        if !game.again(at, &to) {
            played.mover = 1 - played.mover;
        }
        played.depth += 1;
        played.at = to;
    }
    Ok(played)
}

/// Why a position cannot be shown.
#[derive(Debug)]
pub enum LookError {
    /// A move of the line is not legal where it stands.
    NoSuchMove {
        /// The moves before it.
        played: String,
        /// The move.
        wanted: String,
        /// What would be legal.
        legal: Vec<String>,
    },
    /// Several legal moves are written like this one.
    Ambiguous {
        /// The moves before it.
        played: String,
        /// The move.
        wanted: String,
    },
    /// The game is over before the line is.
    Over {
        /// The moves that end it.
        played: String,
        /// The move that comes too late.
        wanted: String,
    },
    /// The table fails.
    Table(TableError),
}

impl From<TableError> for LookError {
    fn from(error: TableError) -> LookError {
        LookError::Table(error)
    }
}

impl fmt::Display for LookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookError::NoSuchMove { played, wanted, legal } => {
                let shown = legal.iter().take(12).cloned().collect::<Vec<_>>().join(" ");
                let more = if legal.len() > 12 { " …" } else { "" };
                let place = place(played);
                write!(f, "{place} there is no move '{wanted}'; legal: {shown}{more}")
            }
            LookError::Ambiguous { played, wanted } => {
                write!(f, "{} several moves are written '{wanted}'", place(played))?;
                write!(f, "; the game should write each differently")
            }
            LookError::Over { played, wanted } => {
                write!(f, "{} the game is over, so '{wanted}' cannot be played", place(played))
            }
            LookError::Table(error) => error.fmt(f),
        }
    }
}

fn place(played: &str) -> String {
    if played.is_empty() { "at the start".into() } else { format!("after '{played}'") }
}

impl std::error::Error for LookError {}
