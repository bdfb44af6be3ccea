//! Lines: what people type is compared with the legal moves and played.
//!
//! What a line is stands at [`Explorer`](super::Explorer).

use std::{fmt, mem};

use super::PlaceInfo;
use crate::{
    game::{
        Game,
        dynamic::{DynGame, DynMove, DynPosition},
    },
    index::key,
    table::TableError,
    watch::{Shown, escaped},
};

/// A line of moves, played.
pub(crate) struct Played<'a> {
    game: DynGame<'a>,
    pub(crate) at: DynPosition,
    /// How many moves led here.
    pub(super) depth: u32,
    pub(crate) mover: usize,
    /// The names of the moves.
    pub(crate) line: Vec<String>,
    /// The decisions after them, which make no move yet.
    pub(super) made: Vec<String>,
    /// Where the last move was made from, and its decisions.
    pub(super) before: Option<(DynPosition, Vec<String>)>,
}

impl<'a> Played<'a> {
    /// Plays a line of moves from the start.
    pub(crate) fn new(game: DynGame<'a>, line: &[String]) -> Result<Played<'a>, LookError> {
        let (mut at, mut depth, mut words) = (game.start(), 0, line);
        if let Some((word, rest)) = line.split_first()
            && let Some(read) = game.read(word)
        {
            let wrong = |reason| LookError::NoSuchPosition { wanted: word.clone(), reason };
            ((at, depth), words) = (read.map_err(wrong)?, rest);
        }
        let begun = line[..line.len() - words.len()].to_vec();
        let mover = (depth % 2) as usize;
        let mut played = Played { game, at, depth, mover, line: begun, made: vec![], before: None };
        words.iter().try_for_each(|word| played.read(word))?;
        Ok(played)
    }

    /// Takes one more word: a move, or one decision of it.
    fn read(&mut self, word: &str) -> Result<(), LookError> {
        if self.game.over(&self.at).is_some() {
            let fault = format!("the game is over, so '{}' cannot be played", Shown(word));
            return Err(self.misplayed(fault, vec![]));
        }
        let moves: Vec<DynMove> = self.game.moves(&self.at).into_iter().collect();
        let made = [&self.made[..], &[word.to_string()]].concat();
        let named = |mv: &&DynMove| self.made.is_empty() && self.game.means(word, mv);
        let mut meant: Vec<&DynMove> = moves.iter().filter(named).collect();
        if meant.is_empty() {
            meant.extend(moves.iter().filter(|mv| self.game.decisions(mv) == made));
        }
        match meant[..] {
            [mv] => self.play(mv),
            [_, ..] => {
                let written = format!("several moves are written '{}'", Shown(&made.join(" ")));
                let fault = format!("{written}; the game should write each differently");
                return Err(self.misplayed(fault, vec![]));
            }
            [] if self.next(&made).is_empty() => return Err(self.lost(word, &moves)),
            [] => self.made = made,
        }
        Ok(())
    }

    fn play(&mut self, mv: &DynMove) {
        self.line.push(mv.to_string());
        self.depth += 1;
        self.made.clear();
        let to = self.game.play(&self.at, mv.clone());
        if !self.game.again(&self.at, &to) {
            self.mover = 1 - self.mover;
        }
        self.before = Some((mem::replace(&mut self.at, to), self.game.decisions(mv)));
    }

    /// What is to be said of a word that is neither a move nor a decision here.
    fn lost(&self, word: &str, moves: &[DynMove]) -> LookError {
        let compound = moves.iter().any(|mv| self.game.decisions(mv).len() > 1);
        let (what, legal) = match self.made.is_empty() {
            true if !compound => ("move", moves.iter().map(DynMove::to_string).collect()),
            true => ("move or decision", self.next(&[])),
            false => ("decision", self.next(&self.made)),
        };
        let mut barred = self.game.barred(&self.at).into_iter();
        let fault = match barred.find(|(mv, _)| self.game.means(word, mv)) {
            Some((mv, why)) => format!("{mv} {why}"),
            None => format!("there is no {what} '{}'", Shown(word)),
        };
        self.misplayed(fault, legal)
    }

    /// The line, unless it ends in the middle of a turn.
    pub(crate) fn whole(mut self) -> Result<Played<'a>, LookError> {
        if self.made.is_empty() {
            return Ok(self);
        }
        let legal = self.next(&self.made);
        let made = mem::take(&mut self.made).join(" ");
        Err(self.misplayed(format!("'{made}' is only the beginning of a move"), legal))
    }

    /// Where the line leads, for people.
    pub(super) fn place(self) -> PlaceInfo {
        let Played { game, at, mover, line, made, .. } = self;
        let (text, notation) = (game.show(&at), game.notation(&at));
        let (readable, key) = (game.read(&notation).is_some(), key(&at, 0));
        PlaceInfo { line, made, text, notation, readable, key, mover, over: game.over(&at) }
    }

    fn misplayed(&self, fault: String, legal: Vec<String>) -> LookError {
        let played = [&self.line[..], &self.made].concat().join(" ");
        LookError::Misplayed { played, fault, legal }
    }

    /// What can be decided after these decisions, in the order of the rules.
    fn next(&self, made: &[String]) -> Vec<String> {
        let mut next = vec![];
        for mv in self.game.moves(&self.at) {
            if let Some([name, ..]) = self.game.decisions(&mv).strip_prefix(made)
                && !next.contains(name)
            {
                next.push(name.clone());
            }
        }
        next
    }
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
    /// The line cannot be played to its end, or not to the end of a turn.
    Misplayed {
        /// The moves and decisions before it goes wrong.
        played: String,
        /// What is wrong there.
        fault: String,
        /// What would be right instead, if anything.
        legal: Vec<String>,
    },
    /// The table fails.
    Table(TableError),
}

holds!(LookError: TableError => Table);

impl fmt::Display for LookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        match self {
            LookError::NoSuchPosition { wanted, reason } => {
                write!(f, "no position '{}': {}", Shown(wanted), escaped(reason))
            }
            LookError::Misplayed { played, fault, legal } => {
                match played.as_str() {
                    "" => write!(f, "at the start {fault}")?,
                    played => write!(f, "after '{played}' {fault}")?,
                }
                if legal.is_empty() {
                    return Ok(());
                }
                let more = if legal.len() > SHOWN { " …" } else { "" };
                write!(f, "; legal: {}{more}", legal[..legal.len().min(SHOWN)].join(" "))
            }
            LookError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LookError {}
