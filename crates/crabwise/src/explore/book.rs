//! How the winner of a position plays: one move for each position in which the winner is to move,
//! and for every move of the other side the position that it leads to.
//!
//! A position is written down once, however it comes about, and on request for all positions that are
//! the same up to a symmetry of the game. Each move is one of the quickest that
//! win, so that play cannot go in circles; where distances are not kept, games have no circles.

use std::{
    collections::{HashMap, HashSet},
    slice,
};

use super::{Explorer, LookError, MoveInfo, PlaceInfo, PositionInfo};
use crate::game::Value;

/// How the winner of a position plays.
pub struct Book {
    /// The moves that lead to the position that it is about.
    pub line: Vec<String>,
    /// For whom it is: 0 for the player who began, 1 for the other.
    pub winner: usize,
    /// The first moves of the other side, if it begins.
    pub openings: Vec<Then>,
    /// The positions in which the winner is to move; those that others lead to come later.
    pub entries: Vec<Entry>,
}

/// A position in which the winner is to move.
pub struct Entry {
    /// The position, by one of several ways that lead to it.
    pub place: PlaceInfo,
    /// What the winner plays.
    pub play: String,
    /// Whether that ends the game.
    pub wins: bool,
    /// What may happen then.
    pub then: Vec<Then>,
}

/// Moves of the other side, and the number of the entry that they lead to; none if the game is over
/// with them. No moves at all, if it is the winner's turn again.
pub struct Then {
    /// The moves, by name.
    pub moves: Vec<String>,
    /// The number of the entry, counted from 0.
    pub entry: Option<usize>,
    /// Whether the entry's position is another one, the same up to a symmetry.
    pub mirrored: bool,
}

/// Why there is no book.
pub enum Bookless {
    /// The game is over.
    Over,
    /// Nobody wins.
    Even(Value),
    /// It has more entries than it may have; this many were finished.
    Long(usize),
    /// A position could not be looked at.
    Lost(LookError),
}

holds!(Bookless: LookError => Lost);

/// The most moves that are compared, to take the one that makes the book shorter.
const COMPARED: usize = 24;

impl Book {
    /// The book on the position after a line of moves, with at most `most` entries; positions that are
    /// the same up to symmetry share one, unless `every` one is to have its own.
    pub fn write(
        explorer: &dyn Explorer,
        line: &[String],
        most: usize,
        every: bool,
    ) -> Result<Book, Bookless> {
        let info = explorer.look(line)?;
        if info.place.over.is_some() {
            return Err(Bookless::Over);
        }
        let winner = info.favoured().ok_or(Bookless::Even(info.value))?;
        let mut author = Author {
            explorer,
            winner,
            most,
            every,
            entries: vec![],
            finished: 0,
            known: HashMap::new(),
            answered: HashSet::new(),
        };
        let openings = match info.place.mover == winner {
            true => author.then(vec![], &info, info.place.key).map(|_| vec![])?,
            false => author.replies(&info)?,
        };
        while author.finished < author.entries.len() {
            author.finish()?;
        }
        Ok(Book { line: info.place.line, winner, openings, entries: author.entries })
    }
}

/// A book that is being written.
struct Author<'a> {
    explorer: &'a dyn Explorer,
    winner: usize,
    most: usize,
    every: bool,
    entries: Vec<Entry>,
    /// How many entries say what is played; the rest only say where.
    finished: usize,
    /// The entries by their positions, or by the kinds of these.
    known: HashMap<u64, usize>,
    /// The positions of the other side whose moves all have entries.
    answered: HashSet<u64>,
}

impl Author<'_> {
    /// What positions of one entry have in common after a move: the kind of that, or else the position.
    fn kind(&self, one: &MoveInfo, after: &PositionInfo) -> u64 {
        one.kind.filter(|_| !self.every).unwrap_or(after.place.key)
    }

    /// Chooses the move of the next entry, and begins the entries that it needs.
    fn finish(&mut self) -> Result<(), Bookless> {
        let line = self.entries[self.finished].place.line.clone();
        let info = self.explorer.look(&line)?;
        let mut chosen: Option<(usize, &MoveInfo, PositionInfo)> = None;
        for one in candidates(&info) {
            let after = self.after(&line, one)?;
            let cost = self.cost(one, &after);
            if chosen.as_ref().is_none_or(|(least, ..)| cost < *least) {
                chosen = Some((cost, one, after));
            }
        }
        let Some((_, play, after)) = chosen else { return Err(Bookless::Over) };
        let then = match (after.place.over, after.place.mover == self.winner) {
            (Some(_), _) => vec![],
            (None, true) => vec![self.then(vec![], &after, self.kind(play, &after))?],
            (None, false) => self.replies(&after)?,
        };
        let entry = &mut self.entries[self.finished];
        (entry.play, entry.wins, entry.then) =
            (play.name.clone(), after.place.over.is_some(), then);
        self.finished += 1;
        Ok(())
    }

    /// That the winner is to move at a position of some kind, whose entry is begun if it is new.
    fn then(
        &mut self,
        moves: Vec<String>,
        info: &PositionInfo,
        kind: u64,
    ) -> Result<Then, Bookless> {
        let next = self.entries.len();
        let entry = *self.known.entry(kind).or_insert(next);
        if entry == next {
            if next == self.most {
                return Err(Bookless::Long(self.finished));
            }
            let (place, play, then) = (info.place.clone(), String::new(), vec![]);
            self.entries.push(Entry { place, play, wins: false, then });
        }
        let mirrored = self.entries[entry].place.key != info.place.key;
        Ok(Then { moves, entry: Some(entry), mirrored })
    }

    fn after(&self, line: &[String], one: &MoveInfo) -> Result<PositionInfo, LookError> {
        self.explorer.look(&[line, slice::from_ref(&one.name)].concat())
    }

    /// How many entries a move is likely to add.
    fn cost(&self, one: &MoveInfo, after: &PositionInfo) -> usize {
        let known = self.known.contains_key(&self.kind(one, after));
        let known = known || self.answered.contains(&after.place.key);
        if known || after.place.over.is_some() {
            return 0;
        }
        let mut kinds = HashSet::new();
        let new = |one: &&MoveInfo| match one.kind.filter(|_| !self.every) {
            Some(kind) => !self.known.contains_key(&kind) && kinds.insert(kind),
            None => true,
        };
        after.moves.iter().filter(new).count()
    }

    /// What the other side may play, and which entries that leads to.
    fn replies(&mut self, info: &PositionInfo) -> Result<Vec<Then>, Bookless> {
        let mut replies = vec![];
        let mut open = vec![(vec![], info.clone())];
        while let Some((begun, at)) = open.pop() {
            for one in &at.moves {
                let after = self.after(&at.place.line, one)?;
                let moves = [&begun[..], slice::from_ref(&one.name)].concat();
                match (after.place.over, after.place.mover == self.winner) {
                    (Some(_), _) => replies.push(Then { moves, entry: None, mirrored: false }),
                    (None, true) => {
                        let kind = self.kind(one, &after);
                        replies.push(self.then(moves, &after, kind)?);
                    }
                    // The other side moves again.
                    (None, false) => open.push((moves, after)),
                }
            }
        }
        self.answered.insert(info.place.key);
        Ok(replies)
    }
}

/// The moves that win quickest, one of each kind.
fn candidates(info: &PositionInfo) -> Vec<&MoveInfo> {
    let mut kinds = HashSet::new();
    let new = |one: &&MoveInfo| one.kind.is_none_or(|kind| kinds.insert(kind));
    info.best().iter().filter(new).take(COMPARED).collect()
}
