//! Islands and bridges as a file names them, one after the other, until they are a whole graph.
//!
//! The readers report what they see and on which line; nothing they report makes them fail. Of all that
//! is wrong with a file, the earliest line is reported. Some errors can be known only at the end, such as
//! the letters of the two pirates, which a file may name last.

mod finish;
mod names;
mod words;

use std::borrow::Cow;

use crabwise::watch::{Bytes, Count};
use crabwise_graphfile::{Limits, ReadError, quotable};
use hashbrown::{HashTable, hash_table::Entry};

pub(super) use self::{
    names::as_word,
    words::{again_named, one_letter, turn_letters},
};
use self::{
    names::{Name, Tag, is_whole, tag, tag_hash},
    words::{outcome_name, outcome_named},
};
use super::islands::{Mark, Wishes, span};

/// The longest key, in bytes.
pub(super) const LONGEST_KEY: usize = 4096;
/// The greatest number of islands.
const MOST_ISLANDS: u64 = u32::MAX as u64 - 1;

/// Bytes that an island takes, beside its key, and a bridge: lists have room for twice what is in them at most, and
/// the table of names, while it grows, for four times.
const ISLAND: u64 = 2 * (size_of::<usize>() + size_of::<Mark>() + size_of::<u32>()) as u64
    + 4 * size_of::<Name>() as u64;
const BRIDGE: u64 = 2 * 3 * size_of::<u32>() as u64;

/// A graph in the making.
pub(super) struct Builder {
    wishes: Wishes,
    /// The letters and the start as the file has them.
    turns: Option<[char; 2]>,
    start: Option<(String, u64)>,
    keys: String,
    key_ends: Vec<usize>,
    marks: Vec<Mark>,
    /// Where each island is named first.
    lines: Vec<u32>,
    /// All islands, found by their key as one word.
    names: HashTable<Name>,
    /// The bridges in three columns: from, to, and twice the line plus whether the file says that
    /// it may keep the turn.
    from: Vec<u32>,
    to: Vec<u32>,
    notes: Vec<u32>,
    /// Letters that belong to the end of an island's key, from files that give them apart.
    owners: Vec<(u32, char, u64)>,
    /// Keys of nodes that have other names, from files that give both.
    keyed: Vec<(u32, String, u64)>,
    /// Whether Crabwise wrote the file: then its keys tell the letters, and which bridges keep the turn.
    exported: bool,
    /// Whether islands must be defined, beyond being named.
    defining: bool,
    /// What is wrong on the earliest line so far.
    bad: Option<ReadError>,
    limits: Limits,
    /// The most bytes that all of this takes.
    bytes: u64,
    /// What went beyond the limits.
    full: Option<ReadError>,
}

impl Builder {
    pub(super) fn new(wishes: &Wishes, limits: Limits) -> Builder {
        Builder {
            wishes: wishes.clone(),
            turns: None,
            start: None,
            keys: String::new(),
            key_ends: vec![],
            marks: vec![],
            lines: vec![],
            names: HashTable::new(),
            from: vec![],
            to: vec![],
            notes: vec![],
            owners: vec![],
            keyed: vec![],
            exported: false,
            defining: false,
            bad: None,
            limits,
            bytes: 0,
            full: None,
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether nothing more is taken in; to go on reading would be in vain.
    pub(super) fn full(&self) -> Result<(), ReadError> {
        self.full.clone().map_or(Ok(()), Err)
    }

    /// Whether a reader may keep these bytes beside all that is here.
    pub(super) fn room_beside(&self, bytes: u64, line: u64) -> Result<(), ReadError> {
        match self.bytes.saturating_add(bytes) > self.limits.bytes {
            true => Err(self.no_room(line)),
            false => Ok(()),
        }
    }

    fn no_room(&self, line: u64) -> ReadError {
        let [islands, bridges] = [self.marks.len(), self.notes.len()].map(|n| Count(n as u64));
        let most = Bytes(self.limits.bytes);
        let text = format!(
            "{islands} islands and {bridges} bridges so far, and there is more than fits into the {most} of memory that \
             are allowed; a larger --memory would help"
        );
        ReadError::no_room(line, text)
    }

    /// Takes in no more, whatever comes.
    fn close(&mut self, bad: ReadError) {
        self.note(bad.clone());
        self.full.get_or_insert(bad);
    }

    /// Takes room for what is to be kept; whether there is.
    pub(super) fn take(&mut self, bytes: u64, line: u64) -> bool {
        if self.bytes + bytes > self.limits.bytes {
            self.close(self.no_room(line));
            return false;
        }
        self.bytes += bytes;
        true
    }

    /// Notes what is wrong, unless something on an earlier line is.
    pub(super) fn note(&mut self, bad: ReadError) {
        let place = |bad: &ReadError| bad.line().unwrap_or(u64::MAX);
        if self.bad.as_ref().is_none_or(|known| place(&bad) < place(known)) {
            self.bad = Some(bad);
        }
    }

    pub(super) fn is_bad(&self) -> bool {
        self.bad.is_some()
    }

    pub(super) fn key(&self, island: u32) -> &str {
        &self.keys[span(&self.key_ends, island)]
    }

    /// The islands of some keys, as far as they are known already.
    ///
    /// Finding many at a time, in loops that do nothing else, lets the processor wait for many
    /// places of cold memory at once.
    pub(super) fn find_all<'a>(
        &self,
        keys: impl Iterator<Item = &'a str> + Clone,
        found: &mut Vec<Option<u32>>,
    ) {
        let tags: Vec<(Tag, u64)> = keys
            .clone()
            .map(|key| {
                let tag = tag(&as_word(key));
                (tag, tag_hash(&tag))
            })
            .collect();
        found.clear();
        found.extend(keys.zip(tags).map(|(key, (tag, hash))| self.find(key, &tag, hash)));
    }

    fn find(&self, key: &str, tag: &Tag, hash: u64) -> Option<u32> {
        let sure = is_whole(tag) && !tag.contains(&b'_');
        let same = |name: &Name| name.tag == *tag && (sure || self.key(name.island) == key);
        self.names.find(hash, same).map(|name| name.island)
    }

    /// The island of a key, new or known; `None` if it cannot be one.
    pub(super) fn island(&mut self, name: &str, line: u64) -> Option<u32> {
        if name.is_empty() || name.len() > LONGEST_KEY {
            self.note(ReadError::on_line(line, unfit(name)));
            return None;
        }
        let Builder { keys, key_ends, names, .. } = self;
        let known = |island: u32| &keys[span(key_ends, island)];
        let bytes = ISLAND + 2 * name.len() as u64;
        let word = as_word(name);
        let tag = tag(&word);
        let same = |other: &Name| {
            other.tag == tag && (is_whole(&tag) || as_word(known(other.island)) == word)
        };
        match names.entry(tag_hash(&tag), same, |other| tag_hash(&other.tag)) {
            Entry::Occupied(found) => {
                let island = found.get().island;
                // Only where white space was replaced can keys differ that are equal as words.
                if word.contains('_') && known(island) != name {
                    let [one, two, word] = [known(island), name, &*word].map(quotable);
                    let both = format!("the moves to '{one}' and '{two}' would both be '{word}'");
                    self.note(ReadError::on_line(line, both + "; give one another key"));
                    return None;
                }
                Some(island)
            }
            Entry::Vacant(_) if self.marks.len() as u64 >= self.limits.nodes.min(MOST_ISLANDS) => {
                let most = Count(self.limits.nodes.min(MOST_ISLANDS));
                self.close(ReadError::on_line(line, format!("more than {most} islands")));
                None
            }
            Entry::Vacant(_) if self.bytes + bytes > self.limits.bytes => {
                self.close(self.no_room(line));
                None
            }
            Entry::Vacant(_) if name.bytes().any(unprintable) => {
                let name = quotable(name);
                self.note(ReadError::on_line(
                    line,
                    format!("the key '{name}' has a control character"),
                ));
                None
            }
            Entry::Vacant(vacant) => {
                let island = self.marks.len() as u32;
                vacant.insert(Name { island, tag });
                self.keys.push_str(name);
                self.key_ends.push(self.keys.len());
                self.marks.push(Mark::default());
                self.lines.push(short(line));
                self.bytes += bytes;
                Some(island)
            }
        }
    }

    /// An island that the file defines, with the letter of its owner where that is given apart.
    pub(super) fn define(&mut self, name: &str, owner: Option<char>, line: u64) -> Option<u32> {
        let mut whole = Cow::Borrowed(name);
        if let Some(owner) = owner.filter(|owner| !name.ends_with(*owner)) {
            whole.to_mut().push(owner);
        }
        let island = self.island(&whole, line)?;
        let mark = &mut self.marks[island as usize];
        let twice = mark.has(Mark::DEFINED);
        let completed = if whole.len() > name.len() { Mark::COMPLETED } else { 0 };
        *mark = mark.with(Mark::DEFINED | completed);
        if twice {
            let name = quotable(&whole);
            self.note(ReadError::on_line(
                line,
                format!("the island '{name}' is defined a second time"),
            ));
        }
        Some(island)
    }

    /// The file is one that Crabwise wrote.
    pub(super) fn exported(&mut self) {
        self.exported = true;
    }

    /// The key of a node that has another name.
    pub(super) fn keyed(&mut self, island: u32, key: &str, line: u64) {
        if self.take((size_of::<(u32, String, u64)>() + key.len()) as u64 * 2, line) {
            self.keyed.push((island, key.into(), line));
            self.exported = true;
        }
    }

    /// From here on, a bridge to an island that is never defined is an error.
    pub(super) fn expect_definitions(&mut self) {
        self.defining = true;
    }

    pub(super) fn bridge(&mut self, from: u32, to: u32, again: bool, line: u64) {
        if self.notes.len() as u64 >= self.limits.edges {
            let most = Count(self.limits.edges);
            return self.close(ReadError::on_line(line, format!("more than {most} bridges")));
        }
        if !self.take(BRIDGE, line) {
            return;
        }
        self.from.push(from);
        self.to.push(to);
        self.notes.push(short(line) << 1 | u32::from(again));
    }

    /// Declares for the last bridges whether they keep the turn.
    pub(super) fn set_again(&mut self, count: usize, again: bool) {
        let first = self.notes.len().saturating_sub(count);
        self.notes[first..].iter_mut().for_each(|note| *note = *note & !1 | u32::from(again));
    }

    pub(super) fn outcome(&mut self, island: u32, word: &str, line: u64) {
        let Some(outcome) = outcome_named(word) else {
            let word = quotable(word);
            self.note(ReadError::on_line(
                line,
                format!("the outcome '{word}' must be win, loss or tie"),
            ));
            return;
        };
        let mark = self.marks[island as usize];
        if let Some(before) = mark.outcome().filter(|before| *before != outcome) {
            let (name, now) = (quotable(self.key(island)), outcome_name(outcome));
            let before = outcome_name(before);
            let twice = format!("'{name}' has the outcome {now} here, but {before} before");
            self.note(ReadError::on_line(line, twice));
        }
        self.marks[island as usize] = mark.with_outcome(outcome);
    }

    /// The letter of an island that is known by a name without it.
    pub(super) fn owner(&mut self, island: u32, word: &str, line: u64) {
        match one_letter(word) {
            Ok(letter) => {
                if self.take(2 * size_of::<(u32, char, u64)>() as u64, line) {
                    self.owners.push((island, letter, line));
                }
            }
            Err(text) => self.note(ReadError::on_line(line, text)),
        }
    }

    pub(super) fn turns(&mut self, text: &str, line: u64) {
        match turn_letters(text) {
            Ok(turns) => self.turns = Some(turns),
            Err(text) => self.note(ReadError::on_line(line, text)),
        }
    }

    pub(super) fn start(&mut self, name: &str, line: u64) {
        self.start = Some((name.into(), line));
    }

    /// The letters, as far as they are known.
    fn letters(&self) -> [char; 2] {
        self.wishes.turns.or(self.turns).unwrap_or(['A', 'B'])
    }

    /// Finds out whose turn it is on an island. Only for files that cannot name the letters later.
    pub(super) fn check_letter(&mut self, island: u32) {
        let [a, b] = self.letters();
        let (name, line) = (self.key(island), self.lines[island as usize]);
        let last = name.chars().next_back().unwrap_or_default();
        match [a, b].iter().position(|letter| *letter == last) {
            Some(side) => {
                let mark = &mut self.marks[island as usize];
                *mark = mark.with_side(side);
            }
            None => {
                let (name, last) = (quotable(name), quotable(&last.to_string()));
                let whose = format!("it must end in {a} or {b}, whose turn it is");
                let text = format!("'{name}' ends in the unknown letter '{last}'; {whose}");
                self.note(ReadError::on_line(line.into(), text));
            }
        }
    }
}

/// Control characters other than white space, which no picture and no terminal should be sent.
fn unprintable(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

/// Why a text cannot be a key.
fn unfit(name: &str) -> String {
    if name.is_empty() {
        return "an island without a key; write the position and whose turn it is, as 11A".into();
    }
    let (most, begin) = (LONGEST_KEY, quotable(name));
    format!("a key of {} bytes, more than {most}; it begins '{begin}'", name.len())
}

/// A line number that leaves a bit free. Lines beyond two milliards are all told as one.
fn short(line: u64) -> u32 {
    line.min((1 << 31) - 1) as u32
}
