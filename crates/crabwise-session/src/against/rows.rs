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

impl Session {
    /// A row is known by 64 bits of its name and 64 of what it says of it, with keys drawn anew for each run; so
    /// that one which differs goes unnoticed has a chance of one in 2⁶⁴.
    pub(super) fn compare_rows<R: BufRead + Seek>(
        &self,
        target: &Target,
        nth: usize,
        file: &mut R,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
    ) -> Result<Comparison, Error> {
        let (game, keys) = (&target.built.game, RandomState::new());
        let mut found = Comparison::of(format!("the original's {}", game.published_files()[nth]));
        let mut theirs: HashMap<u64, u64> = HashMap::new();
        let mut room = Ok(());
        each_row(file, foreign, &mut |line, name, rest| {
            found.compared += 1;
            let bytes = (theirs.len() as u64 + 1) * ROW;
            if bytes > self.memory() {
                let (doing, limit) = ("comparing rows", self.memory());
                room = Err(SolveError::NoMemory { doing, bytes, limit });
                return false;
            }
            let said = keys.hash_one(squeezed(rest));
            if theirs.insert(keys.hash_one(squeezed(name)), said).is_some_and(|old| old != said) {
                found.differ(|| Difference {
                    place: format!("line {line}"),
                    position: name.into(),
                    file: rest.into(),
                    table: "the file says something else of it before".into(),
                });
            }
            true
        })?;
        room?;
        let mut wrong: HashMap<u64, String> = HashMap::new();
        let job = self.job(target, watch);
        let done = game.export_published(&job, (0, false), &mut |_, files| {
            for row in String::from_utf8_lossy(&files[nth]).lines() {
                let (name, rest) = row.split_once(';').unwrap_or((row, ""));
                let key = keys.hash_one(squeezed(name));
                match theirs.remove(&key) {
                    Some(said) if said == keys.hash_one(squeezed(rest)) => {}
                    Some(_) => drop(wrong.insert(key, rest.into())),
                    None => found.differ(|| Difference {
                        place: "no line".into(),
                        position: name.into(),
                        file: "nothing".into(),
                        table: rest.into(),
                    }),
                }
            }
            Ok(())
        });
        self.told(done)?;
        if theirs.is_empty() && wrong.is_empty() {
            return Ok(found);
        }
        file.rewind().map_err(|error| foreign(error.to_string()))?;
        each_row(file, foreign, &mut |line, name, rest| {
            let key = keys.hash_one(squeezed(name));
            let table = match wrong.remove(&key) {
                Some(ours) => ours,
                None if theirs.remove(&key).is_some() => "nothing".into(),
                None => return true,
            };
            found.differ(|| Difference {
                place: format!("line {line}"),
                position: name.into(),
                file: rest.into(),
                table,
            });
            true
        })?;
        Ok(found)
    }
}

/// The longest row: one of any game is far shorter.
const LONGEST: u64 = 1 << 20;

/// Calls `each` with the number of each row, its name and the rest, until it says no.
fn each_row(
    file: &mut dyn BufRead,
    foreign: &dyn Fn(String) -> Error,
    each: &mut dyn FnMut(u64, &str, &str) -> bool,
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
        if !each(number, name.trim(), rest.trim()) {
            break;
        }
    }
    Ok(())
}

/// The text without its blanks, which say nothing.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
