//! The boundary to people: text in, plain data out. The command line, a page and Python see this
//! module and [`ErasedGame`], and nothing below them.
//!
//! A move may be made of several decisions ([`Game::decisions`]), and only here is that known: a
//! line may end in the middle of a turn, and what has been decided there is worth the best move
//! that begins so. A step and the removal that follows it could have been two moves with a position between them; but
//! that position would have a slot, and distances would count decisions in place of turns. So solvers, tables
//! and exports know whole moves only.

use std::{collections::HashSet, fmt, mem};

pub mod advise;
pub mod book;
pub mod digraph;

use crate::{
    analysis::{
        label::{self, Choice, Dangers, Draws, Label, Weights},
        nimbers::NimberOf,
        sums::Direct,
    },
    erased::{Abilities, ErasedGame, Job, TypedGame},
    game::{
        Game, Outcome, Value,
        dynamic::{DynGame, DynMove, DynPosition},
        picture::{Picture, PictureOf},
        theory::TheoryOf,
    },
    index::{Slot, key},
    solve::SolveError,
    table::{Table, TableError},
    watch::{Shown, Unwatched, Watch},
};

/// A position as shown to people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionInfo {
    /// The moves that lead here from the start, by name.
    pub line: Vec<String>,
    /// What the player to move has decided of a turn that is not finished; empty if nothing.
    pub made: Vec<String>,
    /// A picture, perhaps of several lines.
    pub picture: String,
    /// The position in one line.
    pub notation: String,
    /// Whether a line may begin with that.
    pub readable: bool,
    /// Whether both players have the same moves and the last to move wins.
    pub impartial: bool,
    /// Equal for equal positions and, but for one chance in 2⁶⁴, for no others.
    pub key: u64,
    /// Who is to move: 0 for the player who began, 1 for the other.
    pub mover: usize,
    /// How the game ended for the player to move, if it has.
    pub over: Option<Outcome>,
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
            Some(best) if !self.made.is_empty() => best.value,
            _ => self.value,
        }
    }

    /// Who wins with perfect play, if anybody does.
    pub fn favoured(&self) -> Option<usize> {
        match self.value {
            Value::Win(_) => Some(self.mover),
            Value::Loss(_) => Some(1 - self.mover),
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
        !self.made.is_empty() || self.moves.iter().any(|one| one.decisions.len() > 1)
    }

    /// This position once these decisions have been made, from the beginning of the turn.
    pub fn deciding(&self, made: &[String]) -> PositionInfo {
        let mut info = PositionInfo { made: made.to_vec(), ..self.clone() };
        info.moves.retain(|one| one.decisions.starts_with(made));
        info
    }

    /// The next decision of the turn after those in `made`, best first. None if these make a move,
    /// or begin none.
    pub fn choices(&self, made: &[String]) -> Vec<ChoiceInfo> {
        let mut choices: Vec<ChoiceInfo> = vec![];
        for one in &self.moves {
            let Some([name, rest @ ..]) = one.decisions.strip_prefix(made) else { continue };
            // The moves come best first, so that a choice is worth the first that begins so.
            match choices.iter_mut().find(|choice| choice.name == *name) {
                Some(choice) => choice.moves += 1,
                None => choices.push(ChoiceInfo {
                    name: name.clone(),
                    value: one.value,
                    label: one.label,
                    moves: 1,
                    completes: rest.is_empty().then(|| one.name.clone()),
                }),
            }
        }
        choices
    }
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

/// One decision of a turn, and what it is worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceInfo {
    /// The decision as players write it.
    pub name: String,
    /// The value of the best move that begins so.
    pub value: Value,
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

/// A position by the rules alone, whatever it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// The moves that lead here from the start, by name.
    pub line: Vec<String>,
    /// What the player to move has decided of a turn that is not finished; empty if nothing.
    pub made: Vec<String>,
    /// The decisions of the last move, or those made after it; empty where no move led.
    pub last: Vec<String>,
    /// The position in letters, perhaps in several lines.
    pub text: String,
    /// The position as shapes; ways to move and what the last move touched have their own tones.
    pub picture: Picture,
    /// Whether the game draws, so that the picture is more than its letters.
    pub drawn: bool,
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
    /// The moves that begin with what has been decided: their names, and their decisions.
    pub moves: Vec<(String, Vec<String>)>,
}

pub(crate) fn board(
    game: DynGame,
    picture: Option<PictureOf>,
    line: &[String],
) -> Result<Board, LookError> {
    let Played { at, mover, line, made, before, .. } = replay(&game, line)?;
    let (draw, notation) = (pictured(game, picture), game.notation(&at));
    let drawing = draw(&at, &made, mover);
    let (last, drawing) = match &before {
        // Only the forms of what it touched are taken, not who moved.
        Some((from, last)) => (last.clone(), drawing.marked(draw(from, &[], mover), last)),
        None => (vec![], drawing),
    };
    let over = game.over(&at);
    let mut moves = vec![];
    if over.is_none() {
        let named = |mv: DynMove| (mv.to_string(), game.decisions(&mv));
        moves.extend(game.moves(&at).into_iter().map(named));
        moves.retain(|(_, decisions)| decisions.starts_with(&made));
    }
    Ok(Board {
        last,
        text: game.show(&at),
        picture: drawing,
        drawn: picture.is_some(),
        readable: game.read(&notation).is_some(),
        notation,
        key: key(&at, 0),
        mover,
        over,
        moves,
        line,
        made,
    })
}

/// How positions become shapes: as the game draws them or, if it does not, as letters.
fn pictured(
    game: DynGame<'_>,
    picture: Option<PictureOf>,
) -> impl Fn(&DynPosition, &[String], usize) -> Picture {
    move |at, made, mover| match picture {
        Some(picture) => picture(game, at, made, mover),
        None => Picture::of_text(&game.show(at)),
    }
}

/// A game, and where the values of its positions come from.
pub(crate) struct Opened<'a> {
    pub(crate) game: DynGame<'a>,
    pub(crate) source: Source<'a>,
    pub(crate) nimber: Option<NimberOf>,
    /// What answers for single positions, in games that can.
    pub(crate) direct: Option<Box<dyn Direct>>,
    pub(crate) picture: Option<PictureOf>,
    pub(crate) theory: Option<TheoryOf>,
}

/// Where values come from.
pub(crate) enum Source<'a> {
    /// A table, with how a position is found there and, if positions are to be labelled, their traps.
    Table(&'a dyn TypedGame, Box<Table>, Option<Traps>),
    /// A search for each position; who is watching that.
    Search(&'a dyn Watch),
}

/// How the traps of an even position are told.
pub(crate) enum Traps {
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
        let table = self.open_table(job)?;
        Ok(Box::new(self.opened(table, None)))
    }

    /// Answers for positions without a table, each by a search of its own; `None` for games that cannot.
    pub fn ask<'a>(&'a self, job: &Job<'a>) -> Option<Box<dyn Explorer + 'a>> {
        self.abilities.direct?;
        // Not all of it: the program lives there too, and what grows is there twice for a moment.
        let memory = (job.memory - job.memory / 4).saturating_sub(MODEST);
        Some(Box::new(self.answering(Source::Search(job.watch), memory)))
    }

    /// The position after a line of moves by the rules alone; needs no table, and does not tell what moves
    /// are worth.
    pub fn board(&self, line: &[String]) -> Result<Board, LookError> {
        board(self.game(), self.abilities.picture, line)
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
        let traps = match draws {
            Draws::Densest(weights) => Traps::Densities(weights),
            Draws::Deepest => Traps::Depths(Box::new(match self.open_depths(job, &table)? {
                Some(depths) => depths,
                None => {
                    let numbered = self.number(job)?;
                    self.make_depths(job, &table, &*numbered.graph())?
                }
            })),
        };
        Ok(Box::new(self.opened(table, Some(traps))))
    }

    /// Looks ahead from the position after a line of moves; needs no table.
    pub fn advise(
        &self,
        line: &[String],
        horizon: &crate::analysis::horizon::Horizon,
        watch: &dyn Watch,
    ) -> Result<advise::Advice, LookError> {
        advise::advise(&*self.typed, line, horizon, watch)
    }

    fn opened(&self, table: Table, traps: Option<Traps>) -> Opened<'_> {
        self.answering(Source::Table(&*self.typed, Box::new(table), traps), MODEST)
    }

    fn answering<'a>(&'a self, source: Source<'a>, bytes: u64) -> Opened<'a> {
        let Abilities { nimber, direct, picture, theory, .. } = self.abilities;
        let game = self.game();
        let direct = direct.map(|direct| direct(game, bytes));
        Opened { game, source, nimber, direct, picture, theory }
    }
}

/// A line of moves, played.
pub(crate) struct Played<P> {
    pub(crate) at: P,
    /// How many moves led here.
    depth: u32,
    pub(crate) mover: usize,
    /// The names of the moves.
    pub(crate) line: Vec<String>,
    /// The decisions after them, which make no move yet.
    made: Vec<String>,
    /// Where the last move was made from, and its decisions.
    before: Option<(P, Vec<String>)>,
}

impl Opened<'_> {
    fn find(&self, at: &DynPosition, depth: u32) -> Result<(Slot, Value), TableError> {
        let absent = || TableError::Absent { position: self.game.notation(at) };
        match (&self.source, &self.direct) {
            (Source::Table(typed, table, _), _) => {
                let slot = typed.find(table, at, depth)?;
                let value = slot.map(|slot| table.get(slot)).transpose()?.flatten();
                slot.zip(value).ok_or_else(absent)
            }
            (Source::Search(watch), Some(direct)) => match self.game.over(at) {
                Some(outcome) => Ok((Slot::NOWHERE, outcome.into())),
                None => Ok((Slot::NOWHERE, direct.value(self.game, at, *watch)?)),
            },
            (Source::Search(_), None) => Err(absent()),
        }
    }

    /// The nimber, where the game has nimbers and this one is quickly found.
    fn nimber(&self, at: &DynPosition) -> Result<Option<u32>, TableError> {
        match (self.nimber, &self.direct, &self.source) {
            (Some(nimber), ..) => Ok(nimber(self.game, at)),
            (None, Some(direct), Source::Search(watch)) => {
                Ok(direct.nimber(self.game, at, *watch)?)
            }
            (None, Some(direct), _) => Ok(direct.nimber(self.game, at, &Unwatched)?),
            (None, None, _) => Ok(None),
        }
    }

    /// The label of a position, where labels were asked for.
    fn label(
        &self,
        at: &DynPosition,
        depth: u32,
        (slot, value): (Slot, Value),
    ) -> Result<Option<Label>, TableError> {
        let Source::Table(_, _, traps) = &self.source else { return Ok(None) };
        let index = match (traps, value) {
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
        at: &DynPosition,
        depth: u32,
    ) -> Result<Vec<(MoveInfo, DynPosition)>, TableError> {
        let mut moves = vec![];
        if self.game.over(at).is_none() {
            for mv in self.game.moves(at) {
                let to = self.game.play(at, mv.clone());
                let found = self.find(&to, depth + 1)?;
                let value = found.1.back(self.game.again(at, &to));
                let label = self.label(&to, depth + 1, found)?;
                let (name, decisions) = (mv.to_string(), self.game.decisions(&mv));
                let kind = self.theory.map(|theory| (theory.kind)(self.game, at, &mv));
                let notation = self.game.notation(&to);
                moves.push((MoveInfo { name, decisions, value, label, to: notation, kind }, to));
            }
        }
        // Of drawn moves that set equal traps, one that ends sooner comes first.
        moves.sort_by_key(|(info, _)| std::cmp::Reverse((info.rank(), info.value)));
        Ok(moves)
    }

    /// The place and value of a position, which must agree with that of its best move.
    fn agreed(
        &self,
        at: &DynPosition,
        depth: u32,
        moves: &[(MoveInfo, DynPosition)],
    ) -> Result<(Slot, Value), TableError> {
        let (slot, stored) = self.find(at, depth)?;
        let derived = match self.game.over(at) {
            Some(outcome) => outcome.into(),
            None => moves.iter().map(|(info, _)| info.value).max().unwrap_or(stored),
        };
        // Where distances were not kept, the outcomes must agree.
        if stored != derived && stored != derived.without_distance() {
            let position = self.game.notation(at);
            return Err(TableError::Contradiction { position, stored, derived });
        }
        Ok((slot, stored))
    }
}

impl Opened<'_> {
    /// All about a position but its moves, its label and its nimber.
    fn info(&self, played: Played<DynPosition>, value: Value) -> PositionInfo {
        let Played { at, mover, line, made, .. } = played;
        let notation = self.game.notation(&at);
        PositionInfo {
            line,
            made,
            picture: self.game.show(&at),
            readable: self.game.read(&notation).is_some(),
            notation,
            impartial: self.nimber.is_some() || self.direct.is_some(),
            key: key(&at, 0),
            mover,
            over: self.game.over(&at),
            value,
            nimber: None,
            label: None,
            moves: vec![],
        }
    }
}

impl Explorer for Opened<'_> {
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        let played = replay(&self.game, line)?;
        let (at, depth) = (&played.at, played.depth);
        let mut moves = self.moves(at, depth)?;
        let found = self.agreed(at, depth, &moves)?;
        moves.retain(|(info, _)| info.decisions.starts_with(&played.made));
        let (label, nimber) = (self.label(at, depth, found)?, self.nimber(at)?);
        let moves = moves.into_iter().map(|(info, _)| info).collect();
        Ok(PositionInfo { label, nimber, moves, ..self.info(played, found.1) })
    }

    fn glance(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        let played = replay(&self.game, line)?;
        let (_, value) = self.find(&played.at, played.depth)?;
        Ok(self.info(played, value))
    }

    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError> {
        let Played { mut at, mut made, mut depth, .. } = replay(&self.game, line)?;
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
            let begun = mem::take(&mut made);
            moves.retain(|(info, _)| info.decisions.starts_with(&begun));
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
        let Played { at, made, mover, .. } = replay(&self.game, line)?;
        let info = self.look(line)?;
        let picture = pictured(self.game, self.picture)(&at, &made, mover);
        let choices = info.choices(&made);
        let worths: Vec<(&str, Value)> =
            choices.iter().map(|one| (&*one.name, one.value)).collect();
        Ok(picture.judged(&worths))
    }
}

/// Plays a line of moves from the start.
pub(crate) fn replay<G: Game>(game: &G, line: &[String]) -> Result<Played<G::Position>, LookError> {
    let mut played =
        Played { at: game.start(), depth: 0, mover: 0, line: vec![], made: vec![], before: None };
    let mut words = line.iter();
    if let Some(word) = line.first()
        && let Some(read) = game.read(word)
    {
        let wrong = |reason| LookError::NoSuchPosition { wanted: word.clone(), reason };
        let (at, depth) = read.map_err(wrong)?;
        let mover = (depth % 2) as usize;
        played = Played { at, depth, mover, line: vec![word.clone()], ..played };
        words.next();
    }
    words.try_for_each(|word| played.read(game, word))?;
    Ok(played)
}

impl<P> Played<P> {
    /// Takes one more word: a move, or one decision of it.
    fn read<G: Game<Position = P>>(&mut self, game: &G, word: &str) -> Result<(), LookError> {
        let so_far = || self.line.join(" ");
        if game.over(&self.at).is_some() {
            return Err(LookError::Over { played: so_far(), wanted: word.into() });
        }
        let mut meant: Vec<G::Move> = vec![];
        if self.made.is_empty() {
            let moves = game.moves(&self.at).into_iter();
            meant.extend(moves.filter(|mv| game.means(word, mv)));
        }
        let made = [&self.made[..], &[word.to_string()]].concat();
        if meant.is_empty() {
            let moves = game.moves(&self.at).into_iter();
            meant.extend(moves.filter(|mv| game.decisions(mv) == made));
        }
        if meant.len() > 1 {
            return Err(LookError::Ambiguous { played: so_far(), wanted: made.join(" ") });
        }
        match meant.pop() {
            Some(mv) => self.play(game, mv),
            None if next(game, &self.at, &made).is_empty() => return Err(self.lost(game, word)),
            None => self.made = made,
        }
        Ok(())
    }

    fn play<G: Game<Position = P>>(&mut self, game: &G, mv: G::Move) {
        self.line.push(mv.to_string());
        self.depth += 1;
        self.made.clear();
        let decisions = game.decisions(&mv);
        let to = game.play(&self.at, mv);
        if !game.again(&self.at, &to) {
            self.mover = 1 - self.mover;
        }
        self.before = Some((mem::replace(&mut self.at, to), decisions));
    }

    /// What is to be said of a word that is neither a move nor a decision here.
    fn lost<G: Game<Position = P>>(&self, game: &G, word: &str) -> LookError {
        let (played, wanted) = (self.line.join(" "), word.to_string());
        let compound = |mv: G::Move| game.decisions(&mv).len() > 1;
        if self.made.is_empty() && !game.moves(&self.at).into_iter().any(compound) {
            let legal = game.moves(&self.at).into_iter().map(|mv| mv.to_string()).collect();
            return LookError::NoSuchMove { played, wanted, legal };
        }
        let (made, legal) = (self.made.join(" "), next(game, &self.at, &self.made));
        LookError::NoSuchDecision { played, made, wanted, legal }
    }

    /// The line, unless it ends in the middle of a turn.
    pub(crate) fn whole<G: Game<Position = P>>(self, game: &G) -> Result<Played<P>, LookError> {
        if self.made.is_empty() {
            return Ok(self);
        }
        let (played, made) = (self.line.join(" "), self.made.join(" "));
        Err(LookError::Unfinished { played, made, legal: next(game, &self.at, &self.made) })
    }
}

/// What can be decided after these decisions, in the order of the rules.
fn next<G: Game>(game: &G, at: &G::Position, made: &[String]) -> Vec<String> {
    let mut next = vec![];
    for mv in game.moves(at) {
        if let Some([name, ..]) = game.decisions(&mv).strip_prefix(made)
            && !next.contains(name)
        {
            next.push(name.clone());
        }
    }
    next
}

/// Why a position cannot be shown.
#[derive(Debug)]
pub enum LookError {
    /// The line begins with a position that cannot be.
    NoSuchPosition {
        /// The position as it was written.
        wanted: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A move of the line is not legal where it stands.
    NoSuchMove {
        /// The moves before it.
        played: String,
        /// The move.
        wanted: String,
        /// What would be legal.
        legal: Vec<String>,
    },
    /// A word of the line is no move where it stands, and no decision either.
    NoSuchDecision {
        /// The moves before it.
        played: String,
        /// The decisions before it in the same turn.
        made: String,
        /// The word.
        wanted: String,
        /// What could be decided instead.
        legal: Vec<String>,
    },
    /// The line ends in the middle of a turn, and only whole turns will do.
    Unfinished {
        /// The moves before it.
        played: String,
        /// What has been decided of the turn.
        made: String,
        /// What could be decided next.
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

holds!(LookError: TableError => Table);

impl fmt::Display for LookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookError::NoSuchPosition { wanted, reason } => {
                write!(f, "no position '{}': {reason}", Shown(wanted))
            }
            LookError::NoSuchMove { played, wanted, legal } => {
                let (place, legal) = (place(played), some_of(legal));
                write!(f, "{place} there is no move '{}'; legal: {legal}", Shown(wanted))
            }
            LookError::NoSuchDecision { played, made, wanted, legal } => {
                let what = if made.is_empty() { "move or decision" } else { "decision" };
                let place = place(format!("{played} {made}").trim());
                let (wanted, legal) = (Shown(wanted), some_of(legal));
                write!(f, "{place} there is no {what} '{wanted}'; legal: {legal}")
            }
            LookError::Unfinished { played, made, legal } => {
                let (place, legal) = (place(played), some_of(legal));
                write!(f, "{place} '{made}' is only the beginning of a move; next: {legal}")
            }
            LookError::Ambiguous { played, wanted } => {
                let (place, wanted) = (place(played), Shown(wanted));
                write!(f, "{place} several moves are written '{wanted}'")?;
                write!(f, "; the game should write each differently")
            }
            LookError::Over { played, wanted } => {
                let (place, wanted) = (place(played), Shown(wanted));
                write!(f, "{place} the game is over, so '{wanted}' cannot be played")
            }
            LookError::Table(error) => error.fmt(f),
        }
    }
}

fn some_of(legal: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = if legal.len() > SHOWN { " …" } else { "" };
    legal[..legal.len().min(SHOWN)].join(" ") + more
}

fn place(played: &str) -> String {
    if played.is_empty() { "at the start".into() } else { format!("after '{played}'") }
}

impl std::error::Error for LookError {}
