//! Islands and bridges as a file names them, one after the other, until they are a whole graph.
//!
//! The readers report what they see and on which line; nothing they report makes them fail. Of all that
//! is wrong with a file, the earliest line is reported. Some errors can be known only at the end, such as
//! the letters of the two pirates, which a file may name last.

use std::{borrow::Cow, mem::take};

use crabwise::{
    Outcome,
    index::key,
    watch::{Bytes, Count},
};
use crabwise_graphfile::{Limits, Place, ReadError, quotable};
use hashbrown::{HashTable, hash_table::Entry};

use super::islands::{Islands, Mark, Wishes, span};

/// The longest key, in bytes.
pub(super) const LONGEST_KEY: usize = 4096;
/// The greatest number of islands.
const MOST_ISLANDS: u64 = u32::MAX as u64 - 1;

/// Bytes that an island takes, beside its key, and a bridge: lists have room for twice what is in them at most, and
/// the table of names, while it grows, for four times.
const ISLAND: u64 = 2 * (size_of::<usize>() + size_of::<Mark>() + size_of::<u32>()) as u64
    + 4 * size_of::<Name>() as u64;
const BRIDGE: u64 = 2 * 3 * size_of::<u32>() as u64;

/// The two letters in a text such as `AB`.
pub(super) fn turn_letters(text: &str) -> Result<[char; 2], String> {
    let letters: Vec<char> = text.chars().take(3).collect();
    match letters[..] {
        [a, b] if a != b && !a.is_whitespace() && !b.is_whitespace() => Ok([a, b]),
        _ => Err(format!("turns '{}' must be two different letters, such as AB", quotable(text))),
    }
}

/// The outcome that a word means.
pub(super) fn outcome_named(word: &str) -> Option<Outcome> {
    match word.trim().to_ascii_lowercase().as_str() {
        "win" => Some(Outcome::Win),
        "loss" => Some(Outcome::Loss),
        "tie" | "draw" => Some(Outcome::Tie),
        _ => None,
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Loss => "loss",
        Outcome::Tie => "tie",
        Outcome::Win => "win",
    }
}

/// Whether a word says yes or no to moving again.
pub(super) fn again_named(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "again" | "true" | "1" | "yes" => Some(true),
        "" | "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// A key as one word.
pub(super) fn as_word(key: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_graphic();
    if key.bytes().all(plain) || !key.contains(char::is_whitespace) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect())
}

/// What an island is found by: its key as one word.
///
/// A short word is held here. Most are short, and to compare them with what stands among the keys
/// would take longer than all the rest of reading a bridge, because the memory there is cold.
#[derive(Clone, Copy)]
struct Name {
    island: u32,
    tag: Tag,
}

/// A word of up to 15 bytes with its length; or else its hash, its length and 255.
type Tag = [u8; 16];

fn tag(word: &str) -> Tag {
    let mut tag = [0; 16];
    if word.len() < tag.len() {
        tag[..word.len()].copy_from_slice(word.as_bytes());
        tag[15] = word.len() as u8;
    } else {
        tag[..8].copy_from_slice(&key(&word.as_bytes(), 0).to_le_bytes());
        tag[8..12].copy_from_slice(&(word.len() as u32).to_le_bytes());
        tag[15] = u8::MAX;
    }
    tag
}

/// Whether the tag holds the word itself.
fn is_whole(tag: &Tag) -> bool {
    tag[15] != u8::MAX
}

fn tag_hash(tag: &Tag) -> u64 {
    key(&u128::from_le_bytes(*tag), 0)
}

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

    /// The letters that the keys end in, if these are two at most and not A and B.
    fn letters_of_keys(&self) -> Option<[char; 2]> {
        let mut letters: Vec<char> = vec![];
        for island in 0..self.marks.len() as u32 {
            let last = self.key(island).chars().next_back()?;
            if !letters.contains(&last) {
                letters.push(last);
            }
        }
        match letters[..] {
            ['A' | 'B'] | ['A', 'B'] | ['B', 'A'] => None,
            [one] => Some([one, 'A']),
            [one, two] => Some([one, two]),
            _ => None,
        }
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

    /// The whole graph, or what is wrong on the earliest line. `done` says whether the file could
    /// be read to its end; if not, what was read is still looked at.
    pub(super) fn finish(mut self, done: Result<(), ReadError>) -> Result<Islands, ReadError> {
        let whole = done.is_ok();
        if let Err(bad) = done {
            self.note(bad);
        }
        // Before the end, a file may still name the letters, the owners and the missing islands.
        if whole {
            self.complete_names();
            if self.exported {
                self.turns = self.turns.or_else(|| self.letters_of_keys());
            }
            for island in 0..self.marks.len() as u32 {
                self.check_completed(island);
                self.check_letter(island);
            }
        }
        self.check_bridges(whole);
        let start = self.find_start(whole);
        match (self.bad.take(), start) {
            (Some(bad), _) => Err(bad),
            (None, Some(start)) => Ok(self.sorted(start)),
            (None, None) => Err(ReadError::anywhere("no islands in it")),
        }
    }

    /// Joins names and owners, where a file gives these apart. What was two names may become one.
    fn complete_names(&mut self) {
        if self.owners.is_empty() && self.keyed.is_empty() {
            return;
        }
        let mut keys = vec![None; self.marks.len()];
        for (island, key, _) in take(&mut self.keyed) {
            keys[island as usize] = Some(key);
        }
        let mut letters = vec![None; self.marks.len()];
        for (island, letter, line) in take(&mut self.owners) {
            let before = letters[island as usize].replace(letter);
            if before.is_some_and(|before| before != letter) {
                let name = quotable(self.key(island));
                self.note(ReadError::on_line(line, format!("'{name}' has two different owners")));
            }
        }
        // Until it is done all is there twice.
        if let Err(bad) =
            self.room_beside(self.bytes, self.lines.last().map_or(1, |&line| line.into()))
        {
            return self.note(bad);
        }
        let mut whole = Builder::new(&self.wishes, self.limits);
        let mut start = self.start.take();
        let mut moved = vec![];
        for (island, letter) in (0..).zip(letters) {
            let line = self.lines[island as usize].into();
            let name = self.key(island);
            let missing = letter.filter(|letter| !name.ends_with(*letter));
            let full = match keys[island as usize].take() {
                Some(key) => key,
                None => format!("{name}{}", missing.map_or(String::new(), String::from)),
            };
            let known = whole.marks.len();
            let Some(to) = whole.island(&full, line) else { break };
            if self.exported && whole.marks.len() == known {
                let full = quotable(&full);
                whole.note(ReadError::on_line(line, format!("'{full}' is the key of two nodes")));
            }
            if let Some(outcome) = self.marks[island as usize].outcome() {
                whole.outcome(to, outcome_name(outcome), line);
            }
            if missing.is_some() {
                let mark = &mut whole.marks[to as usize];
                *mark = mark.with(Mark::COMPLETED);
            }
            if let Some((start, _)) = start.as_mut().filter(|(start, _)| start == name) {
                *start = full;
            }
            moved.push(to);
        }
        // Where a name could not be completed, its bridges mean nothing.
        let all = moved.len() == self.marks.len();
        for i in (0..self.notes.len()).filter(|_| all) {
            let [from, to] = [self.from[i], self.to[i]].map(|end| moved[end as usize]);
            whole.from.push(from);
            whole.to.push(to);
            whole.notes.push(self.notes[i]);
        }
        (whole.turns, whole.start, whole.exported) = (self.turns, start, self.exported);
        if let Some(bad) = self.bad.take() {
            whole.note(bad);
        }
        *self = whole;
    }

    /// A key that was completed must not have had the other letter already.
    fn check_completed(&mut self, island: u32) {
        if !self.marks[island as usize].has(Mark::COMPLETED) {
            return;
        }
        let letters = self.letters();
        let mut name = self.key(island).chars();
        let (owner, last) = (name.next_back(), name.next_back());
        let (Some(owner), Some(last)) = (owner, last) else { return };
        if letters.contains(&last) && letters.contains(&owner) {
            let name = quotable(name.as_str());
            let text = format!("the key '{name}{last}' ends in {last}, but its owner is {owner}");
            self.note(ReadError::on_line(self.lines[island as usize].into(), text));
        }
    }

    fn check_bridges(&mut self, whole: bool) {
        for i in 0..self.notes.len() {
            let (from, to) = (self.from[i], self.to[i]);
            let marks = [from, to].map(|island| self.marks[island as usize]);
            let [Some(one), Some(two)] = marks.map(Mark::side) else { continue };
            let declared = self.notes[i] & 1 == 1;
            let undefined = self.defining && marks.iter().any(|mark| !mark.has(Mark::DEFINED));
            let allowed = self.wishes.again || self.exported;
            let turn_kept = one == two && !declared && !allowed;
            let turn_lost = one != two && declared;
            if turn_kept || turn_lost || marks[0].outcome().is_some() || whole && undefined {
                self.note(self.wrong_bridge(i));
            }
        }
    }

    fn wrong_bridge(&self, i: usize) -> ReadError {
        let ends = [self.from[i], self.to[i]];
        let [from, to] = ends.map(|island| quotable(self.key(island)));
        let marks = ends.map(|island| self.marks[island as usize]);
        let defined = marks.map(|mark| !self.defining || mark.has(Mark::DEFINED));
        let text = if let Some(outcome) = marks[0].outcome() {
            let outcome = outcome_name(outcome);
            format!("'{from}' has the outcome {outcome} and a bridge to '{to}'; it can have one")
        } else if !defined[0] {
            format!("a bridge comes from '{from}', an island nobody defined")
        } else if !defined[1] {
            format!("a bridge leads from '{from}' to '{to}', an island nobody defined")
        } else if marks[0].side() == marks[1].side() {
            format!(
                "the bridge from '{from}' to '{to}' does not change the turn; declare it 'again', \
                 or all such bridges by ',again' behind the file's name"
            )
        } else {
            format!("the bridge from '{from}' to '{to}' is declared 'again', but changes the turn")
        };
        ReadError::on_line((self.notes[i] >> 1).into(), text)
    }

    /// Where play begins: as the game string says, as the file says, or on its first island.
    fn find_start(&mut self, whole: bool) -> Option<u32> {
        let (name, line) = match (&self.wishes.start, &self.start) {
            (Some(name), _) => (name, None),
            (None, Some((name, line))) => (name, Some(*line)),
            (None, None) => return (!self.marks.is_empty()).then_some(0),
        };
        let tag = tag(&as_word(name));
        let found = self.find(name, &tag, tag_hash(&tag));
        let defined =
            |island: &u32| !self.defining || self.marks[*island as usize].has(Mark::DEFINED);
        let found = found.filter(defined);
        if found.is_none() && whole && !self.marks.is_empty() {
            let text = format!("the start '{}' is no island of the file", quotable(name));
            self.note(ReadError { place: line.map(Place::Line), ..ReadError::anywhere(text) });
        }
        found
    }

    /// Puts the bridges in order, island by island, by counting; drops repetitions.
    fn sorted(self, start: u32) -> Islands {
        let Builder { mut keys, mut key_ends, mut marks, from, to, notes, names, lines, .. } = self;
        drop((notes, names, lines));
        let mut bridge_ends = vec![0; marks.len()];
        from.iter().for_each(|&from| bridge_ends[from as usize] += 1);
        // From the number of bridges to where they begin; filling them in moves that to the end.
        let mut begin = 0;
        for count in &mut bridge_ends {
            begin += std::mem::replace(count, begin);
        }
        let mut bridges = vec![0; to.len()];
        for (&from, &to) in from.iter().zip(&to) {
            let place = &mut bridge_ends[from as usize];
            bridges[*place] = to;
            *place += 1;
        }
        drop((from, to));
        let (mut begin, mut kept) = (0, 0);
        for end in &mut bridge_ends {
            bridges[begin..*end].sort_unstable();
            let first = kept;
            for i in begin..*end {
                if kept == first || bridges[kept - 1] != bridges[i] {
                    bridges[kept] = bridges[i];
                    kept += 1;
                }
            }
            (begin, *end) = (*end, kept);
        }
        bridges.truncate(kept);
        marks.iter_mut().for_each(|mark| *mark = mark.settled());
        keys.shrink_to_fit();
        key_ends.shrink_to_fit();
        marks.shrink_to_fit();
        bridges.shrink_to_fit();
        Islands { keys, key_ends, bridges, bridge_ends, marks, start }
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

/// The only letter of a text.
pub(super) fn one_letter(word: &str) -> Result<char, String> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(letter),
        _ => Err(format!("the owner '{}' must be one letter", quotable(word))),
    }
}

/// A line number that leaves a bit free. Lines beyond two milliards are all told as one.
fn short(line: u64) -> u32 {
    line.min((1 << 31) - 1) as u32
}
