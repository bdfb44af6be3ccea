//! A state graph from a file: two pirates, islands and bridges.
//!
//! An island is a position. Its key is the serialised position and, as the last character, the
//! letter of the pirate whose turn it is: on `11B`, the serialisation is `11` and B is to move. A
//! bridge is a move. A pirate on an island without bridges and without an outcome of its own has
//! lost. A bridge between islands of the same letter lets the pirate move again, which the file or the game
//! string must allow, because most such bridges are slips of the pen.
//!
//! All islands are kept in memory, in the order in which the file first names them; that order is
//! also the numbering. Nothing is thrown away but repeated bridges: islands that the start does not
//! lead to are solved and counted like the others. What a file looks like is told by `csv`,
//! `json` and `dot`, what is wrong with one by `builder`.

mod builder;
mod csv;
mod dot;
mod exported;
mod islands;
mod json;
mod picture;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    fmt,
    io::Read,
    sync::{Arc, OnceLock},
};

use crabwise::{ErasedGame, Game, Index, Outcome, Setup, Slot, index::key};
use crabwise_graphfile::{Limits, ReadError, Source, ending};

use self::{
    builder::{Builder, as_word, turn_letters},
    islands::{Islands, Wishes},
};
use crate::{Entry, Params};

pub(crate) const ENTRY: Entry = Entry {
    name: "graph",
    about: "a state graph of your own, from a CSV, JSON or DOT file",
    parameters: "FILE[,again][,turns=XY][,start=KEY]; .csv, .json, .dot or .gv (default a sample)",
    example: "graph",
    build,
};

const SAMPLE: &str = include_str!("sample.csv");

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let mut wishes = Wishes { again: params.flag("again"), ..Wishes::default() };
    if let Some(text) = params.named("turns") {
        wishes.turns = Some(turn_letters(&text)?);
    }
    wishes.start = params.named("start");
    let limits = params.limits();
    let (name, islands) = match params.file()? {
        Some((name, contents)) => {
            let islands = read(&name, contents, &wishes, limits);
            (name, islands)
        }
        None => ("sample.csv".into(), read("sample.csv", SAMPLE.as_bytes(), &wishes, Limits::NONE)),
    };
    let islands = islands.map_err(|bad| params.unreadable(&name, bad))?;
    let islands = Arc::new(islands);
    Ok(Setup::of(Pirates::new(islands.clone())).numbered(Chart(islands)).listed().drawn().erased())
}

/// The graph in a file, or what is wrong with it.
fn read(
    name: &str,
    contents: impl Read,
    wishes: &Wishes,
    limits: Limits,
) -> Result<Islands, ReadError> {
    let mut source = Source::open(contents)?;
    let mut builder = Builder::new(wishes, limits);
    let done = match Format::of(name, source.beginning()) {
        Format::Csv => csv::read(&mut source, &mut builder),
        Format::Json => json::read(&mut source, &mut builder),
        Format::Dot => dot::read(&mut source, &mut builder),
    };
    builder.finish(done)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Csv,
    Json,
    Dot,
}

impl Format {
    /// By the ending of the file's name, or else by how its contents begin.
    fn of(name: &str, beginning: &[u8]) -> Format {
        match ending(name).as_str() {
            "csv" => Format::Csv,
            "json" => Format::Json,
            "dot" | "gv" => Format::Dot,
            _ => Format::looking_like(beginning),
        }
    }

    fn looking_like(beginning: &[u8]) -> Format {
        let beginning = beginning.trim_ascii_start();
        let word = beginning.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
        // A cell of a CSV file may begin like a keyword, but then a comma comes on the same line.
        let line = beginning.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let keyword = ["digraph", "strict", "graph"]
            .iter()
            .any(|keyword| word.eq_ignore_ascii_case(keyword.as_bytes()) && !line.contains(&b','));
        match beginning.first() {
            Some(b'{' | b'[') => Format::Json,
            Some(b'/' | b'#') => Format::Dot,
            _ if keyword => Format::Dot,
            _ => Format::Csv,
        }
    }
}

/// The game that is played on the islands.
pub(crate) struct Pirates {
    islands: Arc<Islands>,
    /// All islands in the order of their keys as words, once somebody looks for one.
    by_word: OnceLock<Vec<u32>>,
}

impl Pirates {
    fn new(islands: Arc<Islands>) -> Pirates {
        Pirates { islands, by_word: OnceLock::new() }
    }

    fn word(&self, island: u32) -> Cow<'_, str> {
        as_word(self.islands.key(island))
    }

    /// The island whose key as a word is this.
    fn named(&self, word: &str) -> Option<u32> {
        let by_word = self.by_word.get_or_init(|| {
            let mut all: Vec<u32> = (0..self.islands.len() as u32).collect();
            all.sort_by_cached_key(|&island| self.word(island).into_owned());
            all
        });
        let place = by_word.binary_search_by(|&island| (*self.word(island)).cmp(word)).ok()?;
        Some(by_word[place])
    }
}

impl Game for Pirates {
    type Position = u32;
    type Move = Bridge;

    fn start(&self) -> u32 {
        self.islands.start
    }

    fn moves(&self, at: &u32) -> impl IntoIterator<Item = Bridge> {
        self.islands.bridges(*at).iter().map(|&to| Bridge { to, islands: self.islands.clone() })
    }

    fn play(&self, _at: &u32, bridge: Bridge) -> u32 {
        bridge.to
    }

    fn over(&self, at: &u32) -> Option<Outcome> {
        let stuck = self.islands.bridges(*at).is_empty();
        self.islands.mark(*at).outcome().or(stuck.then_some(Outcome::Loss))
    }

    fn again(&self, from: &u32, to: &u32) -> bool {
        self.islands.mark(*from).side() == self.islands.mark(*to).side()
    }

    /// A key may be typed with its white space.
    fn means(&self, word: &str, bridge: &Bridge) -> bool {
        as_word(word) == self.word(bridge.to)
    }

    fn show(&self, at: &u32) -> String {
        self.islands.key(*at).into()
    }

    /// A key. What a first move leads to is that move, and no position to begin from.
    fn read(&self, word: &str) -> Option<Result<(u32, u32), String>> {
        let word = as_word(word);
        let start = self.islands.start;
        if self.islands.bridges(start).iter().any(|&to| self.word(to) == word) {
            return None;
        }
        let island = self.named(&word)?;
        Some(Ok((island, u32::from(self.again(&start, &island)) ^ 1)))
    }

    /// The key, on one line. Keys differ even with all white space alike, so this does too.
    fn notation(&self, at: &u32) -> String {
        self.islands.key(*at).replace(['\n', '\r'], "_")
    }
}

/// A bridge, written as the key of the island that it leads to, with `_` for white space.
#[derive(Clone)]
pub(crate) struct Bridge {
    to: u32,
    islands: Arc<Islands>,
}

impl fmt::Display for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&as_word(self.islands.key(self.to)))
    }
}

/// The numbering: one tier, the islands in the order in which the file first names them.
pub(crate) struct Chart(Arc<Islands>);

impl Index<u32> for Chart {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.0.len() as u64
    }

    fn slot(&self, at: &u32) -> Slot {
        Slot { tier: 0, index: u64::from(*at) }
    }

    fn position(&self, slot: Slot) -> Option<u32> {
        Some(slot.index as u32)
    }

    fn bytes(&self) -> u64 {
        let Islands { keys, key_ends, bridges, bridge_ends, marks, start: _ } = &*self.0;
        let ends = size_of_val(&key_ends[..]) + size_of_val(&bridge_ends[..]);
        (keys.len() + ends + size_of_val(&bridges[..]) + size_of_val(&marks[..])) as u64
    }

    /// With a key of all that the values depend on, so that a table of another version of the file
    /// is known for what it is.
    fn name(&self) -> String {
        let Islands { keys, key_ends, bridges, bridge_ends, marks, start } = &*self.0;
        let whole = key(&(keys, key_ends, bridges, bridge_ends, marks, start), 0);
        format!("islands-1-{whole:016x}")
    }
}
