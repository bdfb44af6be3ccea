//! Published rows `name;rest`, in any order: ours and theirs are matched by name.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    io::{BufRead, Read, Seek},
};

use crabwise::{SolveError, watch::Watch};

use super::{Comparison, Difference};
use crate::{Error, Session, Target};

/// Bytes that a row takes in memory: two hashes, and the room that a map leaves.
const ROW: u64 = 36;

/// Two sets of rows, of which one is read and one is written anew. A row is known by 64 bits of its name and 64 of
/// what it says of it, with keys drawn anew for each run; so that one which differs goes unnoticed has a chance of one
/// in 2⁶⁴.
struct Matching {
    keys: RandomState,
    /// By name what the file says, as far as no row of ours has met it.
    theirs: HashMap<u64, u64>,
    /// By name what the table says, where the file says something else.
    wrong: HashMap<u64, String>,
    found: Comparison,
}

impl Matching {
    fn hash(&self, text: &str) -> u64 {
        self.keys.hash_one(squeezed(text))
    }

    /// Takes note of a row of the file; whether there was room.
    fn read(&mut self, (line, name, rest): (u64, &str, &str), memory: u64) -> bool {
        self.found.compared += 1;
        let (key, said) = (self.hash(name), self.hash(rest));
        if self.theirs.insert(key, said).is_some_and(|old| old != said) {
            self.found.differ(|| Difference {
                place: format!("line {line}"),
                position: name.into(),
                file: rest.into(),
                table: "the file says something else of it before".into(),
            });
        }
        self.theirs.len() as u64 * ROW <= memory
    }

    /// Matches a row that the table makes.
    fn made(&mut self, name: &str, rest: &str) {
        let key = self.hash(name);
        match self.theirs.remove(&key) {
            Some(said) if said == self.hash(rest) => {}
            Some(_) => drop(self.wrong.insert(key, rest.into())),
            None => self.found.differ(|| Difference {
                place: "no line".into(),
                position: name.into(),
                file: "nothing".into(),
                table: rest.into(),
            }),
        }
    }

    /// Tells of a row of the file that the table has otherwise, or not at all.
    fn tell(&mut self, (line, name, rest): (u64, &str, &str)) {
        let key = self.hash(name);
        let table = match self.wrong.remove(&key) {
            Some(ours) => ours,
            None if self.theirs.remove(&key).is_some() => "nothing".into(),
            None => return,
        };
        self.found.differ(|| Difference {
            place: format!("line {line}"),
            position: name.into(),
            file: rest.into(),
            table,
        });
    }
}

impl Session {
    pub(super) fn compare_rows<R: BufRead + Seek>(
        &self,
        target: &Target,
        nth: usize,
        file: &mut R,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
    ) -> Result<Comparison, Error> {
        let game = &target.built.game;
        let found = Comparison::of(format!("the original's {}", game.published_files()[nth]));
        let (theirs, wrong) = (HashMap::new(), HashMap::new());
        let mut matching = Matching { keys: RandomState::new(), theirs, wrong, found };
        let mut room = true;
        each_row(file, foreign, &mut |row| {
            room = matching.read(row, self.memory());
            room
        })?;
        if !room {
            let (doing, limit) = ("comparing rows", self.memory());
            let bytes = matching.theirs.len() as u64 * ROW;
            return Err(SolveError::no_memory(doing, bytes, limit).into());
        }
        let job = self.job(target, watch);
        let done = game.export_published(&job, (0, false), &mut |_, files| {
            for row in String::from_utf8_lossy(&files[nth]).lines() {
                let (name, rest) = row.split_once(';').unwrap_or((row, ""));
                matching.made(name, rest);
            }
            Ok(())
        });
        self.told(done)?;
        if !matching.theirs.is_empty() || !matching.wrong.is_empty() {
            file.rewind().map_err(|error| foreign(error.to_string()))?;
            each_row(file, foreign, &mut |row| {
                matching.tell(row);
                true
            })?;
        }
        Ok(matching.found)
    }
}

/// The longest row: one of any game is far shorter.
const LONGEST: u64 = 1 << 20;

/// Calls `each` with the number of each row, its name and the rest, until it says no.
fn each_row(
    file: &mut dyn BufRead,
    foreign: &dyn Fn(String) -> Error,
    each: &mut dyn FnMut((u64, &str, &str)) -> bool,
) -> Result<(), Error> {
    let (mut number, mut line) = (0, String::new());
    loop {
        line.clear();
        let read = Read::take(&mut *file, LONGEST).read_line(&mut line);
        let read = read.map_err(|error| foreign(error.to_string()))? as u64;
        number += 1;
        if read == 0 {
            break;
        }
        if read == LONGEST {
            return Err(foreign(format!("line {number} has more than {LONGEST} bytes")));
        }
        if line.trim().is_empty() {
            continue;
        }
        let Some((name, rest)) = line.split_once(';') else {
            return Err(foreign(format!("line {number} is no row 'name;value'")));
        };
        if !each((number, name.trim(), rest.trim())) {
            break;
        }
    }
    Ok(())
}

/// The text without its blanks, which say nothing.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
