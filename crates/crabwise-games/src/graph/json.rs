//! Islands with their bridges as JSON, which goes by and never becomes a tree.
//!
//! ```json
//! {
//!   "start": "11A", "turns": "AB",
//!   "islands": [
//!     {"key": "11A", "bridges": ["1B", {"to": "0A", "again": true}]},
//!     {"key": "0A", "outcome": "tie"}, {"key": "1", "owner": "B"}
//!   ],
//!   "bridges": [["1B", "11A"], {"from": "1B", "to": "0A"}]
//! }
//! ```
//!
//! Fields come in any order, and only the islands are needed; a list at the top is the list of
//! islands, which may also be an object of islands by key. Every island must be defined, once. An
//! outcome (`win`, `loss`, `tie`) is that of the player to move.
//!
//! The parser asks for one byte at a time. So the line of the last byte it was given is that of
//! what it has just understood, and strings can be measured before they are kept.

use std::{
    cell::{Cell, RefCell},
    fmt,
    io::{self, Read},
};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use super::{
    builder::{Bad, Builder, one_letter},
    source::Source,
};

/// The longest string, in bytes. A key is much shorter, but a note to oneself may be long.
const LONGEST_STRING: usize = 1 << 20;
/// How deep lists and objects may be nested.
const DEEPEST: usize = 100;

pub(super) fn read<R: Read>(source: &mut Source<R>, builder: &mut Builder) -> Result<(), Bad> {
    builder.expect_definitions();
    let (line, bad) = (Cell::new(1), RefCell::new(None));
    let bytes = Bytes { source, line: &line, bad: &bad, string: None, escaped: false, depth: 0 };
    let mut parser = serde_json::Deserializer::from_reader(bytes);
    let mut file = File { builder, line: &line, draft: Draft::default() };
    let done = Whole(&mut file).deserialize(&mut parser).and_then(|()| parser.end());
    done.map_err(|error| bad.take().unwrap_or_else(|| reworded(&error)))
}

/// What the parser says, with our line in front of it instead of its own behind it.
fn reworded(error: &serde_json::Error) -> Bad {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    // It may quote the file at any length.
    let cut = text.char_indices().nth(200).map_or(text.len(), |(at, _)| at);
    let text = &text[..cut];
    let text = if error.is_data() { text.into() } else { format!("this is no JSON: {text}") };
    Bad::at(error.line().max(1) as u64, text)
}

/// The bytes of the source, one at a time.
struct Bytes<'a, R> {
    source: &'a mut Source<R>,
    /// The line of the last byte that was given.
    line: &'a Cell<u64>,
    bad: &'a RefCell<Option<Bad>>,
    /// Inside a string, how long it is so far.
    string: Option<usize>,
    /// Whether the last byte was a backslash that speaks for the next.
    escaped: bool,
    depth: usize,
}

impl<R: Read> Read for Bytes<'_, R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(place) = buffer.first_mut() else { return Ok(0) };
        match self.next() {
            Ok(Some(byte)) => {
                *place = byte;
                Ok(1)
            }
            Ok(None) => Ok(0),
            Err(bad) => {
                *self.bad.borrow_mut() = Some(bad);
                Err(io::Error::other("the source is bad"))
            }
        }
    }
}

impl<R: Read> Bytes<'_, R> {
    #[inline]
    fn next(&mut self) -> Result<Option<u8>, Bad> {
        let Some(byte) = self.source.peek()? else { return Ok(None) };
        self.line.set(self.source.line());
        self.watch(byte)?;
        self.source.take(1);
        Ok(Some(byte))
    }

    /// Holds strings and nesting to their limits, so that no file can fill the memory.
    #[inline]
    fn watch(&mut self, byte: u8) -> Result<(), Bad> {
        match (self.string, byte) {
            (Some(_), _) if self.escaped => self.escaped = false,
            (Some(_), b'\\') => self.escaped = true,
            (Some(_), b'"') => {
                self.string = None;
                return Ok(());
            }
            (None, b'"') => self.string = Some(0),
            (None, b'[' | b'{') => self.depth += 1,
            (None, b']' | b'}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if let Some(length) = &mut self.string {
            *length += 1;
            if *length > LONGEST_STRING {
                let text = format!("a string of more than {LONGEST_STRING} bytes");
                return Err(Bad::at(self.source.line(), text));
            }
        }
        if self.depth > DEEPEST {
            let text = format!("lists and objects in each other, more than {DEEPEST} deep");
            return Err(Bad::at(self.source.line(), text));
        }
        Ok(())
    }
}

/// What goes on while a file is read.
struct File<'a> {
    builder: &'a mut Builder,
    line: &'a Cell<u64>,
    draft: Draft,
}

/// An island whose object is not finished; its key may come last.
#[derive(Default)]
struct Draft {
    key: String,
    /// Where the key stands; 0 while there is none.
    line: u64,
    owner: Option<char>,
    outcome: Option<(String, u64)>,
    /// The islands that bridges lead to, one after the other.
    to: String,
    /// Of each bridge: where its text ends, whether it is declared to keep the turn, its line.
    bridges: Vec<(usize, bool, u64)>,
}

impl Draft {
    fn clear(&mut self) {
        self.key.clear();
        self.to.clear();
        self.bridges.clear();
        (self.line, self.owner, self.outcome) = (0, None, None);
    }
}

impl File<'_> {
    fn line(&self) -> u64 {
        self.line.get()
    }

    /// Hands the finished draft to the builder.
    fn island(&mut self) {
        let File { builder, line, draft } = self;
        if draft.line == 0 {
            builder.note(Bad::at(line.get(), "an island without a \"key\""));
        } else if let Some(from) = builder.define(&draft.key, draft.owner, draft.line) {
            if let Some((word, line)) = &draft.outcome {
                builder.outcome(from, word, *line);
            }
            let mut begin = 0;
            for &(end, again, line) in &draft.bridges {
                if let Some(to) = builder.island(&draft.to[begin..end], line) {
                    builder.bridge(from, to, again, line);
                }
                begin = end;
            }
        }
        draft.clear();
    }

    fn bridge(&mut self, from: &str, to: &str, again: bool) {
        let line = self.line();
        let from = self.builder.island(from, line);
        let to = self.builder.island(to, line);
        if let (Some(from), Some(to)) = (from, to) {
            self.builder.bridge(from, to, again, line);
        }
    }
}

/// The fields that mean something, under all their names.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Start,
    Turns,
    Islands,
    #[serde(alias = "id", alias = "name", alias = "island")]
    Key,
    #[serde(alias = "turn", alias = "player", alias = "letter")]
    Owner,
    #[serde(alias = "moves", alias = "successors")]
    Bridges,
    From,
    To,
    Again,
    #[serde(alias = "end", alias = "terminal", alias = "result")]
    Outcome,
    #[serde(other)]
    Other,
}

/// The whole file.
struct Whole<'f, 'a>(&'f mut File<'a>);

impl<'de> DeserializeSeed<'de> for Whole<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with \"islands\", or a list of islands")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        Islands(self.0).visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut any = false;
        while let Some(field) = fields.next_key()? {
            match field {
                Field::Start => {
                    if let Some(text) = fields.next_value::<Option<String>>()? {
                        self.0.builder.start(&text, self.0.line());
                    }
                }
                Field::Turns => {
                    if let Some(text) = fields.next_value::<Option<String>>()? {
                        self.0.builder.turns(&text, self.0.line());
                    }
                }
                Field::Islands => {
                    fields.next_value_seed(Islands(self.0))?;
                    any = true;
                }
                Field::Bridges => fields.next_value_seed(Bridges { file: self.0, inner: false })?,
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        if !any {
            let text = "there is no list \"islands\" in it";
            self.0.builder.note(Bad::anywhere(text));
        }
        Ok(())
    }
}

/// All islands: a list, or an object of islands by key.
struct Islands<'f, 'a>(&'f mut File<'a>);

impl<'de> DeserializeSeed<'de> for Islands<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Islands<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of islands, or an object of islands by key")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Island(self.0))?.is_some() {
            self.0.island();
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut islands: A) -> Result<(), A::Error> {
        while let Some(key) = islands.next_key::<String>()? {
            let line = self.0.line();
            islands.next_value_seed(Island(self.0))?;
            if self.0.draft.line == 0 {
                (self.0.draft.key, self.0.draft.line) = (key, line);
            }
            self.0.island();
        }
        Ok(())
    }
}

/// One island, into the draft.
struct Island<'f, 'a>(&'f mut File<'a>);

impl<'de> DeserializeSeed<'de> for Island<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Island<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an island such as {\"key\": \"11A\", \"bridges\": [\"1B\"]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let file = self.0;
        while let Some(field) = fields.next_key()? {
            match field {
                Field::Key => {
                    fields.next_value_seed(Text(&mut file.draft.key))?;
                    file.draft.line = file.line();
                }
                Field::Owner => {
                    match fields.next_value::<Option<String>>()?.as_deref().map(one_letter) {
                        Some(Err(text)) => file.builder.note(Bad::at(file.line(), text)),
                        letter => file.draft.owner = letter.and_then(Result::ok),
                    }
                }
                Field::Outcome => {
                    let word = fields.next_value::<Option<String>>()?;
                    file.draft.outcome = word.map(|word| (word, file.line()));
                }
                Field::Bridges | Field::To => {
                    fields.next_value_seed(Bridges { file, inner: true })?;
                }
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Several bridges: those of the draft, or those of the whole file.
struct Bridges<'f, 'a> {
    file: &'f mut File<'a>,
    inner: bool,
}

impl<'de> DeserializeSeed<'de> for Bridges<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Bridges<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of bridges")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Bridges { file, inner } = self;
        while list.next_element_seed(Bridge { file, inner })?.is_some() {}
        Ok(())
    }
}

/// One bridge. Inside an island it leads from there, elsewhere it says where it comes from.
struct Bridge<'f, 'a> {
    file: &'f mut File<'a>,
    inner: bool,
}

impl<'de> DeserializeSeed<'de> for Bridge<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bridge<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.inner {
            "a bridge such as \"1B\" or {\"to\": \"0A\", \"again\": true}"
        } else {
            "a bridge such as [\"11A\", \"1B\"] or {\"from\": \"11A\", \"to\": \"1B\"}"
        })
    }

    fn visit_str<E: Error>(self, to: &str) -> Result<(), E> {
        if !self.inner {
            return Err(E::invalid_type(serde::de::Unexpected::Str(to), &self));
        }
        let line = self.file.line();
        let draft = &mut self.file.draft;
        draft.to.push_str(to);
        draft.bridges.push((draft.to.len(), false, line));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.inner {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        let (from, to) = (list.next_element::<String>()?, list.next_element::<String>()?);
        let again = list.next_element::<bool>()?.unwrap_or_default();
        let (Some(from), Some(to), None) = (from, to, list.next_element::<IgnoredAny>()?) else {
            return Err(A::Error::custom("a bridge is [from, to] or [from, to, again]"));
        };
        self.file.bridge(&from, &to, again);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let (mut from, mut to, mut again) = (None::<String>, None::<String>, false);
        let mut line = 0;
        while let Some(field) = fields.next_key()? {
            match field {
                Field::From if !self.inner => from = Some(fields.next_value()?),
                Field::To => {
                    to = Some(fields.next_value()?);
                    line = self.file.line();
                }
                Field::Again => again = fields.next_value::<Option<bool>>()?.unwrap_or_default(),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        match (from, to) {
            (None, Some(to)) if self.inner => {
                let draft = &mut self.file.draft;
                draft.to.push_str(&to);
                draft.bridges.push((draft.to.len(), again, line));
            }
            (Some(from), Some(to)) => self.file.bridge(&from, &to, again),
            _ if self.inner => return Err(A::Error::custom("a bridge without \"to\"")),
            _ => return Err(A::Error::custom("a bridge without \"from\" or \"to\"")),
        }
        Ok(())
    }
}

/// A string, into a buffer that is used again.
struct Text<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the key of an island")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.clear();
        self.0.push_str(text);
        Ok(())
    }
}
