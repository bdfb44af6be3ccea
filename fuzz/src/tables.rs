//! Tables and what lies beside them, damaged, and forged so that their checksums are right.

use std::{fs, path::PathBuf};

use arbitrary::Unstructured;
use crabwise::{ErasedGame, Job, Value, watch::Unwatched};
use crabwise_games::{Built, Registry};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Attack, Attacker, Outcome, game_strings::one_line, texts::damaged};

pub const ATTACK: Attack = Attack {
    name: "tables",
    about: "damaged tables, statistics and journals: an error, or the right values, and never others",
    begin: || Box::new(Tables::new()),
};

struct Tables {
    folder: TempDir,
    games: Vec<Solved>,
}

struct Solved {
    game: ErasedGame,
    string: String,
    table: Vec<u8>,
    statistics: Vec<u8>,
    truth: Vec<Value>,
}

impl Tables {
    fn new() -> Tables {
        let folder = tempfile::tempdir().expect("there is a folder for what is tried");
        let (path, registry) = (folder.path().join("a.crab"), Registry::standard());
        // With and without keys, distances and loops.
        let games =
            ["nim:1-2-3", "tictactoe", "tictactoe:outcomes", "connect-four:3x3", "pong-hau-ki"];
        let games = games.map(|string| {
            let Built { string, game } = registry.build(string).expect("it is known");
            let job = job(&string, &path);
            game.solve(&job, true, &|_| {}).expect("it is small");
            let truth = values(&game, &job).expect("its table is whole");
            let table = fs::read(&path).expect("it was made");
            let beside = path.with_extension("stats");
            let statistics = fs::read(&beside).expect("it was counted");
            for file in [&path, &beside] {
                fs::remove_file(file).expect("it is there");
            }
            Solved { game, string, table, statistics, truth }
        });
        Tables { folder, games: games.into() }
    }
}

fn job<'a>(game: &'a str, table: &'a PathBuf) -> Job<'a> {
    Job { game, table, memory: 64 << 20, watch: &Unwatched }
}

/// The values of the start and of its children, or why they cannot be had.
fn values(game: &ErasedGame, job: &Job) -> Result<Vec<Value>, String> {
    let explorer = game.open(job).map_err(|error| error.to_string())?;
    let start = explorer.look(&[]).map_err(|error| error.to_string())?;
    let mut values = vec![start.value];
    for one in &start.moves {
        let child = explorer.look(std::slice::from_ref(&one.name));
        values.push(child.map_err(|error| error.to_string())?.value);
    }
    Ok(values)
}

impl Attacker for Tables {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let nth = chance.choose_index(self.games.len())?;
        let Solved { game, string, table, statistics, truth } = &self.games[nth];
        let path = self.folder.path().join("a.crab");
        let forged = chance.ratio(1, 3)?;
        let (mut table, mut statistics) = (table.clone(), statistics.clone());
        if chance.ratio(1, 4)? {
            *tried = format!("statistics of {string}");
            statistics = damaged(chance, &statistics, 4)?;
        } else {
            *tried = format!("table of {string}, forged: {forged}");
            table = if forged { forge(chance, &table)? } else { damaged(chance, &table, 4)? };
        }
        // Where a run was killed, what it left is read before anything is solved.
        let unfinished = chance.ratio(1, 5)?;
        let folder = self.folder.path();
        for entry in fs::read_dir(folder).expect("it is ours").flatten() {
            let _ = fs::remove_file(entry.path());
        }
        let write =
            |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("there is room");
        if unfinished {
            *tried += ", as a part";
            write("a.crab.part", &table);
            write("a.crab.journal", &damaged(chance, &table, 3)?);
        } else {
            write("a.crab", &table);
            write("a.stats", &statistics);
        }
        let job = job(string, &path);
        if unfinished {
            let solved = game.solve(&job, true, &|_| {});
            if let Err(error) = solved {
                return Ok(one_line(&error.to_string()));
            }
        }
        let seen = values(game, &job);
        if let Err(error) = game.stats(&job, true) {
            let held = one_line(&error.to_string());
            if held.is_err() {
                return Ok(held);
            }
        }
        Ok(match seen {
            Err(error) => one_line(&error),
            // Whoever makes new checksums has made another table.
            Ok(seen) if seen == *truth || forged && !unfinished => Ok(()),
            Ok(seen) => Err(format!("values became {seen:?}, and are {truth:?}")),
        })
    }
}

/// Damages the header or the footer, and puts the checksum right, so that what is read next must be on its guard.
fn forge(chance: &mut Unstructured, table: &[u8]) -> arbitrary::Result<Vec<u8>> {
    let number = |at: usize| u32::from_le_bytes(table[at..at + 4].try_into().expect("four bytes"));
    let long = |at: usize| u64::from_le_bytes(table[at..at + 8].try_into().expect("eight bytes"));
    let header = 16 + number(12) as usize;
    let (trailer, mut forged) = (table.len() - 32, table.to_vec());
    let (footer, length) = (long(trailer) as usize, long(trailer + 8) as usize);
    if chance.ratio(1, 2)? {
        let mut head = table[..16].to_vec();
        let payload = damaged(chance, &table[16..header], 2)?;
        head[12..16].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        head.extend(payload);
        let sum = xxh3_64(&head);
        head.extend(sum.to_le_bytes());
        head.extend(&table[header + 8..]);
        return Ok(head);
    }
    let records = damaged(chance, &table[footer..footer + length], 3)?;
    forged.truncate(footer);
    forged.extend(&records);
    forged.extend((footer as u64).to_le_bytes());
    forged.extend((records.len() as u64).to_le_bytes());
    forged.extend(xxh3_64(&records).to_le_bytes());
    forged.extend(b"ESIWBARC");
    Ok(forged)
}
