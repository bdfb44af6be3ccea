//! The boundary to people: text in, plain data out. The command line, a page and Python see this
//! module and [`ErasedGame`], and nothing below them.
//!
//! A move may be made of several decisions ([`Game::decisions`]), and only here is that known: a
//! line may end in the middle of a turn, and what has been decided there is worth the best move
//! that begins so. A step and the removal that follows it could have been two moves with a position between them; but
//! that position would have a slot, and distances would count decisions in place of turns. So solvers, tables
//! and exports know whole moves only.

use std::{collections::HashSet, mem};

pub mod advise;
pub mod book;
pub mod digraph;
mod line;

pub use self::line::LookError;
use self::line::Played;
use crate::{
    analysis::{
        label::{self, Choice, Draws, Label, Weights},
        sums::Direct,
    },
    erased::{ErasedGame, Job},
    game::{
        Game, Outcome, Value,
        dynamic::{DynGame, DynMove, DynPosition},
        picture::Picture,
    },
    index::Slot,
    solve::SolveError,
    table::{Table, TableError},
    watch::{Unwatched, Watch},
};

/// A position that a line leads to, by the rules alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceInfo {
    /// The moves that lead here from the start, by name.
    pub line: Vec<String>,
    /// What the player to move has decided of a turn that is not finished; empty if nothing.
    pub made: Vec<String>,
    /// The position in letters, perhaps in several lines.
    pub text: String,
    /// The position in one line.
    pub notation: String,
    /// Whether a line may begin with that.
    pub readable: bool,
    /// Equal for equal positions and, but for one chance in 2⁶⁴, for no others.
    pub key: u64,
    /// Who is to move: 0 for the player who began, 1 for the other.
    pub mover: usize,
    /// How the game ended for the player to move, if it has.
    pub over: Option<Outcome>,
}

/// A position and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionInfo {
    /// The position.
    pub place: PlaceInfo,
    /// Whether both players have the same moves and the last to move wins.
    pub impartial: bool,
    /// What it is worth to the player to move, whatever has been decided; see
    /// [`worth`](PositionInfo::worth).
    pub value: Value,
    /// The nimber, in impartial games where it is quickly found.
    pub nimber: Option<u32>,
    /// The label, where labels were asked for.
    pub label: Option<Label>,
    /// The moves, best first; only those that begin with what has been decided.
    pub moves: Vec<MoveInfo>,
}

impl PositionInfo {
    /// What is left to the player to move: the value, or once something has been decided that of
    /// the best move that begins so.
    pub fn worth(&self) -> Value {
        match self.moves.first() {
            Some(best) if !self.place.made.is_empty() => best.value,
            _ => self.value,
        }
    }

    /// Who wins with perfect play, if anybody does.
    pub fn favoured(&self) -> Option<usize> {
        match self.value {
            Value::Win(_) => Some(self.place.mover),
            Value::Loss(_) => Some(1 - self.place.mover),
            Value::Tie(_) | Value::Draw => None,
        }
    }

    /// Who wins an impartial game from here: N, the next player, or P, the previous one.
    pub fn class(&self) -> Option<&'static str> {
        match self.value {
            _ if !self.impartial => None,
            Value::Win(_) => Some("N"),
            Value::Loss(_) => Some("P"),
            Value::Tie(_) | Value::Draw => None,
        }
    }

    /// The moves that are as good as any.
    pub fn best(&self) -> &[MoveInfo] {
        let count = self.moves.iter().take_while(|one| one.equals(&self.moves[0])).count();
        &self.moves[..count]
    }

    /// Whether a turn here takes more than one decision, or may.
    pub fn compound(&self) -> bool {
        !self.place.made.is_empty() || self.moves.iter().any(|one| one.decisions.len() > 1)
    }

    /// This position once these decisions have been made, from the beginning of the turn.
    pub fn deciding(&self, made: &[String]) -> PositionInfo {
        let mut info = self.clone();
        info.place.made = made.to_vec();
        info.moves.retain(|one| one.decisions.starts_with(made));
        info
    }

    /// The next decision of the turn after those in `made`, best first. None if these make a move,
    /// or begin none.
    pub fn choices(&self, made: &[String]) -> Vec<ChoiceInfo> {
        // The moves come best first, so that a choice is worth the first that begins so.
        let moves = self.moves.iter();
        choices(made, moves.map(|one| (&one.name, &one.decisions, Some(one.value), one.label)))
    }
}

/// What can be decided after what is `made`, where there are these moves, in their order.
fn choices<'m>(
    made: &[String],
    moves: impl Iterator<Item = (&'m String, &'m Vec<String>, Option<Value>, Option<Label>)>,
) -> Vec<ChoiceInfo> {
    let mut choices: Vec<ChoiceInfo> = vec![];
    for (whole, decisions, value, label) in moves {
        let Some([name, rest @ ..]) = decisions.strip_prefix(made) else { continue };
        match choices.iter_mut().find(|choice| choice.name == *name) {
            Some(choice) => choice.moves += 1,
            None => {
                let completes = rest.is_empty().then(|| whole.clone());
                choices.push(ChoiceInfo { name: name.clone(), value, label, moves: 1, completes });
            }
        }
    }
    choices
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveInfo {
    /// The move as players write it.
    pub name: String,
    /// What is decided by it, in order: mostly the move and nothing else.
    pub decisions: Vec<String>,
    /// Its value to the player who makes it.
    pub value: Value,
    /// The label of the island it leads to, where labels were asked for.
    pub label: Option<Label>,
    /// The position that it leads to, in one line.
    pub to: String,
    /// Equal for moves that a symmetry of the game turns into each other, where the game can tell.
    pub kind: Option<u64>,
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

/// One decision of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceInfo {
    /// The decision as players write it.
    pub name: String,
    /// What the best move that begins so is worth to the player who makes it, where that is known.
    pub value: Option<Value>,
    /// The label of the island that this move leads to, where labels were asked for.
    pub label: Option<Label>,
    /// How many moves begin so.
    pub moves: usize,
    /// The name of the move that the turn comes to with this decision, if it is the last one.
    pub completes: Option<String>,
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
///
/// A line is a list of words. In games that have a notation of their own ([`Game::read`]) the first may be
/// a position to begin from instead of the start. Each turn is written as its move or as the decisions of that, one
/// word each; where a turn begins, a word that is a legal move's name means that move. The last
/// turn may be unfinished.
pub trait Explorer: Send + Sync {
    /// The position after a line of moves.
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError>;

    /// A look without moves and nimber, which may take much longer to find than who wins.
    fn glance(&self, line: &[String]) -> Result<PositionInfo, LookError>;

    /// Perfect play from there, at most `most` moves; the first finishes the turn, if the line
    /// does not. Among equally good moves the first is taken, or with a seed any.
    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError>;

    /// The position after a line of moves as shapes, its moves by what they are worth; if the game does not
    /// draw, its picture in text.
    fn draw(&self, line: &[String]) -> Result<Picture, LookError>;
}

/// A position as it is drawn and decided on, whatever it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// The position.
    pub place: PlaceInfo,
    /// The decisions of the last move, or those made after it; empty where no move led.
    pub last: Vec<String>,
    /// The position as shapes; ways to move and what the last move touched have their own tones.
    pub picture: Picture,
    /// Whether the game draws, so that the picture is more than its letters.
    pub drawn: bool,
    /// What the files call it in which the game was published before.
    pub published: Option<String>,
    /// The moves that begin with what has been decided: their names, and their decisions.
    pub moves: Vec<(String, Vec<String>)>,
    /// Moves that the rules forbid here, and what each would do.
    pub barred: Vec<(String, String)>,
}

impl Board {
    /// Whether a turn here takes more than one decision, or may.
    pub fn compound(&self) -> bool {
        !self.place.made.is_empty() || self.moves.iter().any(|(_, decisions)| decisions.len() > 1)
    }

    /// This position once these decisions have been made, from the beginning of the turn.
    pub fn deciding(&self, made: &[String]) -> Board {
        let mut board = self.clone();
        board.place.made = made.to_vec();
        board.moves.retain(|(_, decisions)| decisions.starts_with(made));
        board
    }

    /// The next decisions of the turn, in the order of the rules.
    pub fn choices(&self) -> Vec<ChoiceInfo> {
        let moves = self.moves.iter().map(|(name, decisions)| (name, decisions, None, None));
        choices(&self.place.made, moves)
    }
}

/// A game, and where the values of its positions come from.
struct Opened<'a> {
    erased: &'a ErasedGame,
    game: DynGame<'a>,
    /// Without a table each position is searched for.
    table: Option<Table>,
    /// How positions are labelled, if they are to be.
    traps: Option<Traps>,
    /// What answers for single positions, in games that can.
    direct: Option<Box<dyn Direct>>,
    /// Who is watching searches.
    watch: &'a dyn Watch,
}

/// How the traps of an even position are told.
enum Traps {
    /// By depth, from their table.
    Depths(Box<Table>),
    /// By density, from the position's moves.
    Densities(Weights),
}

/// Bytes that a search may take beside a table, for nimbers.
const MODEST: u64 = 32 << 20;

impl ErasedGame {
    /// Opens the table for look-ups.
    pub fn open<'a>(&'a self, job: &Job) -> Result<Box<dyn Explorer + 'a>, TableError> {
        let table = Some(self.open_table(job)?);
        Ok(Box::new(Opened { table, ..self.answering(&Unwatched, MODEST) }))
    }

    /// Answers for positions without a table, each by a search of its own; `None` for games that cannot.
    pub fn ask<'a>(&'a self, job: &Job<'a>) -> Option<Box<dyn Explorer + 'a>> {
        self.abilities.direct?;
        // Not all of it: the program lives there too, and what grows is there twice for a moment.
        let memory = (job.memory - job.memory / 4).saturating_sub(MODEST);
        Some(Box::new(self.answering(job.watch, memory)))
    }

    /// The position after a line of moves by the rules alone; needs no table, and does not tell what moves
    /// are worth.
    pub fn board(&self, line: &[String]) -> Result<Board, LookError> {
        let game = self.game();
        let mut played = Played::new(game, line)?;
        let (before, Played { at, mover, made, .. }) = (played.before.take(), &played);
        let mut picture = self.pictured(at, made, *mover);
        let mut last = vec![];
        if let Some((from, decisions)) = before {
            // Only the forms of what it touched are taken, not who moved.
            picture = picture.marked(self.pictured(&from, &[], *mover), &decisions);
            last = decisions;
        }
        let mut moves = vec![];
        if game.over(at).is_none() {
            let named = |mv: DynMove| (mv.to_string(), game.decisions(&mv));
            moves.extend(game.moves(at).into_iter().map(named));
            moves.retain(|(_, decisions)| decisions.starts_with(made));
        }
        let (drawn, form) = (self.abilities.picture.is_some(), self.abilities.published);
        let published = form.and_then(|form| (form.name)(game, at, *mover));
        let barred = game.barred(at).into_iter().map(|(mv, why)| (mv.to_string(), why)).collect();
        Ok(Board { last, picture, drawn, published, moves, barred, place: played.place() })
    }

    /// A position as shapes: as the game draws it or, if it does not, as letters.
    fn pictured(&self, at: &DynPosition, made: &[String], mover: usize) -> Picture {
        match self.abilities.picture {
            Some(picture) => picture(self.game(), at, made, mover),
            None => Picture::of_text(&self.game().show(at)),
        }
    }

    /// Opens the table for look-ups that also label positions. Depths of traps that are not there
    /// yet are worked out and kept.
    pub fn open_labelled<'a>(
        &'a self,
        job: &Job,
        draws: Draws,
    ) -> Result<Box<dyn Explorer + 'a>, SolveError> {
        self.need_distances("labels and traps need")?;
        let table = self.open_table(job)?;
        let traps = Some(match draws {
            Draws::Densest(weights) => Traps::Densities(weights),
            Draws::Deepest => Traps::Depths(Box::new(self.depths(job, &table, None)?)),
        });
        let table = Some(table);
        Ok(Box::new(Opened { table, traps, ..self.answering(&Unwatched, MODEST) }))
    }

    /// Answers by searches, in games that can, with these bytes for all of them.
    fn answering<'a>(&'a self, watch: &'a dyn Watch, bytes: u64) -> Opened<'a> {
        let game = self.game();
        let direct = self.abilities.direct.map(|direct| direct(game, bytes));
        Opened { erased: self, game, table: None, traps: None, direct, watch }
    }
}

/// The place and value of a position, and its moves with where they lead.
type Judged = ((Slot, Value), Vec<(MoveInfo, DynPosition)>);

impl Opened<'_> {
    fn find(&self, at: &DynPosition, depth: u32) -> Result<(Slot, Value), TableError> {
        if let Some(table) = &self.table {
            return self.erased.find(table, at, depth);
        }
        let value = match (self.game.over(at), &self.direct) {
            (Some(outcome), _) => outcome.into(),
            (None, Some(direct)) => direct.value(self.game, at, self.watch)?,
            (None, None) => return Err(self.erased.absent(at)),
        };
        Ok((Slot::NOWHERE, value))
    }

    /// The nimber, where the game has nimbers and this one is quickly found.
    fn nimber(&self, at: &DynPosition) -> Result<Option<u32>, TableError> {
        match (self.erased.abilities.nimber, &self.direct) {
            (Some(nimber), _) => Ok(nimber(self.game, at)),
            (None, Some(direct)) => Ok(direct.nimber(self.game, at, self.watch)?),
            (None, None) => Ok(None),
        }
    }

    /// The label of a position, where labels were asked for.
    fn label(
        &self,
        at: &DynPosition,
        depth: u32,
        (slot, value): (Slot, Value),
    ) -> Result<Option<Label>, TableError> {
        let Some(traps) = &self.traps else { return Ok(None) };
        let index = match (traps, value) {
            (_, Value::Win(_) | Value::Loss(_) | Value::Tie(0)) => 0,
            (Traps::Depths(depths), _) => {
                label::depth(depths.get(slot)?.ok_or_else(|| self.erased.absent(at))?)
            }
            (Traps::Densities(weights), _) => {
                let worth = |mv| {
                    let to = self.game.play(at, mv);
                    let (_, value) = self.find(&to, depth + 1)?;
                    Ok::<_, TableError>(value.back(self.game.again(at, &to)))
                };
                weights.density(self.game.moves(at).into_iter().map(worth))?
            }
        };
        Ok(Some(Label::new(value, index)))
    }

    /// The place and value of a position, which must agree with that of its best move; and its moves that begin with
    /// these decisions, with where they lead, best first, equal ones in the order of the rules.
    fn moves(&self, at: &DynPosition, depth: u32, made: &[String]) -> Result<Judged, TableError> {
        let (slot, stored) = self.find(at, depth)?;
        let mut moves = vec![];
        if self.game.over(at).is_none() {
            for mv in self.game.moves(at) {
                let to = self.game.play(at, mv.clone());
                let found = self.find(&to, depth + 1)?;
                let value = found.1.back(self.game.again(at, &to));
                let label = self.label(&to, depth + 1, found)?;
                let (name, decisions) = (mv.to_string(), self.game.decisions(&mv));
                let theory = self.erased.abilities.theory;
                let kind = theory.map(|theory| (theory.kind)(self.game, at, &mv));
                let notation = self.game.notation(&to);
                moves.push((MoveInfo { name, decisions, value, label, to: notation, kind }, to));
            }
        }
        // Of drawn moves that set equal traps, one that ends sooner comes first.
        moves.sort_by_key(|(info, _)| std::cmp::Reverse((info.rank(), info.value)));
        let derived = match self.game.over(at) {
            Some(outcome) => outcome.into(),
            None => moves.iter().map(|(info, _)| info.value).max().unwrap_or(stored),
        };
        // Where distances were not kept, the outcomes must agree.
        if stored != derived && stored != derived.without_distance() {
            let position = self.game.notation(at);
            return Err(TableError::Contradiction { position, stored, derived });
        }
        moves.retain(|(info, _)| info.decisions.starts_with(made));
        Ok(((slot, stored), moves))
    }

    /// All about a position but its moves, its label and its nimber.
    fn info(&self, played: Played, value: Value) -> PositionInfo {
        let impartial = self.erased.abilities.nimber.is_some() || self.direct.is_some();
        let (nimber, label, moves) = Default::default();
        PositionInfo { place: played.place(), impartial, value, nimber, label, moves }
    }
}

impl Explorer for Opened<'_> {
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        let played = Played::new(self.game, line)?;
        let (at, depth) = (&played.at, played.depth);
        let (found, moves) = self.moves(at, depth, &played.made)?;
        let (label, nimber) = (self.label(at, depth, found)?, self.nimber(at)?);
        let moves = moves.into_iter().map(|(info, _)| info).collect();
        Ok(PositionInfo { label, nimber, moves, ..self.info(played, found.1) })
    }

    fn glance(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        let played = Played::new(self.game, line)?;
        let (_, value) = self.find(&played.at, played.depth)?;
        Ok(self.info(played, value))
    }

    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError> {
        let Played { mut at, mut made, mut depth, .. } = Played::new(self.game, line)?;
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
            let (_, mut moves) = self.moves(&at, depth, &mem::take(&mut made))?;
            let best = moves.iter().take_while(|(info, _)| info.equals(&moves[0].0)).count();
            let choice = random.as_mut().map_or(0, |random| random.usize(0..best));
            let (info, to) = moves.swap_remove(choice);
            taken.push(info);
            at = to;
            depth += 1;
        };
        Ok(Variation { moves: taken, end })
    }

    fn draw(&self, line: &[String]) -> Result<Picture, LookError> {
        let Played { at, made, mover, .. } = Played::new(self.game, line)?;
        let info = self.look(line)?;
        let picture = self.erased.pictured(&at, &made, mover);
        let choices = info.choices(&made);
        let worth = |one: &ChoiceInfo| Some((one.name.clone(), one.value?));
        Ok(picture.judged(&choices.iter().filter_map(worth).collect::<Vec<_>>()))
    }
}
