//! Islands with their bridges as JSON, an island at a time.
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
//! What `label` and `export` write is read, too. The labels are such a list, in whose head `start` is the label of the
//! start and `start_key` its key. An export is a list of `positions`, with an `id` that moves lead to.

use std::io::Read;

use crabwise_graphfile::{
    ReadError, Source,
    json::{Json, Value},
};

use super::{
    builder::{Builder, one_letter},
    exported::NamedBridges,
};

const ISLANDS: &str = "a list of islands, or an object of islands by key";
const ISLAND: &str = "an island such as {\"key\": \"11A\", \"bridges\": [\"1B\"]}";
const KEY: &str = "the key of an island";

pub(super) fn read<R: Read>(
    source: &mut Source<R>,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    builder.expect_definitions();
    let (json, ends) = (Json::new(source), Default::default());
    let (draft, named) = (Draft::default(), NamedBridges::default());
    let mut file = File { json, builder, draft, ends, kind: Kind::Plain, named };
    file.whole()?;
    file.json.end()?;
    file.named.finish(file.builder)
}

/// A file while it is read.
struct File<'a, R> {
    json: Json<'a, R>,
    builder: &'a mut Builder,
    draft: Draft,
    /// Where the bridge that is being read comes from and leads to.
    ends: [String; 2],
    kind: Kind,
    /// The bridges of what Crabwise wrote, which must not change the order of the islands.
    named: NamedBridges,
}

/// Who wrote a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Somebody.
    Plain,
    /// `label`.
    Labels,
    /// `export`.
    Export,
}

/// An island whose object is not finished; its key may come last.
#[derive(Default)]
struct Draft {
    key: String,
    /// Where the key stands; 0 while there is none.
    line: u64,
    owner: Option<char>,
    outcome: Option<(String, u64)>,
    /// What bridges call it, where that is not its key.
    id: String,
    /// Whether there was a list of bridges, empty or not.
    bridged: bool,
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
        self.id.clear();
        (self.line, self.owner, self.outcome, self.bridged) = (0, None, None, false);
    }

    /// How many bytes it takes. What grows is there twice for a moment.
    fn bytes(&self) -> u64 {
        2 * (self.to.len() + size_of_val(&self.bridges[..])) as u64
    }

    /// Whether the player to move has lost, as the file has it.
    fn lost(&self) -> bool {
        self.outcome.as_ref().is_some_and(|(word, _)| word == "loss")
    }

    fn bridge(&mut self, to: &str, again: bool, line: u64) {
        self.to.push_str(to);
        self.bridges.push((self.to.len(), again, line));
    }
}

/// The fields that mean something, under all their names.
enum Field {
    Start,
    StartKey,
    Turns,
    Islands,
    Positions,
    Key,
    Position,
    Id,
    Value,
    Owner,
    Bridges,
    From,
    To,
    Again,
    Outcome,
    Other,
}

impl Field {
    fn named(name: &str) -> Field {
        match name {
            "start" => Field::Start,
            "start_key" => Field::StartKey,
            "turns" => Field::Turns,
            "islands" => Field::Islands,
            "positions" => Field::Positions,
            "key" | "name" | "island" => Field::Key,
            "position" => Field::Position,
            "id" => Field::Id,
            "value" => Field::Value,
            "owner" | "turn" | "player" | "letter" => Field::Owner,
            "bridges" | "moves" | "successors" => Field::Bridges,
            "from" => Field::From,
            "to" => Field::To,
            "again" => Field::Again,
            "outcome" | "end" | "terminal" | "result" => Field::Outcome,
            _ => Field::Other,
        }
    }
}

impl<R: Read> File<'_, R> {
    fn whole(&mut self) -> Result<(), ReadError> {
        match self.json.value()? {
            Value::List => self.list_of_islands(),
            Value::Object => self.fields(),
            other => {
                let wanted = "an object with \"islands\", or a list of islands";
                Err(self.json.unexpected(other, wanted))
            }
        }
    }

    /// The next field of an object, if there is one.
    fn field(&mut self) -> Result<Option<Field>, ReadError> {
        Ok(self.json.key()?.then(|| Field::named(self.json.text())))
    }

    fn fields(&mut self) -> Result<(), ReadError> {
        let mut any = false;
        while let Some(field) = self.field()? {
            match field {
                Field::Start | Field::StartKey => {
                    let key = matches!(field, Field::StartKey);
                    if self.json.text_or_null(KEY)?.is_some() && (key || self.kind != Kind::Labels)
                    {
                        self.builder.start(self.json.text(), self.json.line());
                    }
                    if key {
                        self.kind = Kind::Labels;
                        self.builder.exported();
                    }
                }
                Field::Turns => {
                    if self.json.text_or_null("two letters")?.is_some() {
                        self.builder.turns(self.json.text(), self.json.line());
                    }
                }
                Field::Positions => {
                    self.kind = Kind::Export;
                    self.builder.exported();
                    self.islands()?;
                    any = true;
                }
                Field::Islands => {
                    self.islands()?;
                    any = true;
                }
                Field::Bridges => self.bridges(false)?,
                _ => self.json.skip()?,
            }
        }
        if !any {
            self.builder.note(ReadError::anywhere("there is no list \"islands\" in it"));
        }
        Ok(())
    }

    fn islands(&mut self) -> Result<(), ReadError> {
        match self.json.value()? {
            Value::List => self.list_of_islands(),
            Value::Object => self.islands_by_key(),
            other => Err(self.json.unexpected(other, ISLANDS)),
        }
    }

    fn list_of_islands(&mut self) -> Result<(), ReadError> {
        while self.json.item()? {
            self.draft()?;
            self.define()?;
        }
        Ok(())
    }

    fn islands_by_key(&mut self) -> Result<(), ReadError> {
        while self.json.key()? {
            let (key, line) = (self.json.text().to_string(), self.json.line());
            self.draft()?;
            if self.draft.line == 0 {
                (self.draft.key, self.draft.line) = (key, line);
            }
            self.define()?;
        }
        Ok(())
    }

    /// Reads an island into the draft.
    fn draft(&mut self) -> Result<(), ReadError> {
        match self.json.value()? {
            Value::Object => {}
            other => return Err(self.json.unexpected(other, ISLAND)),
        }
        while let Some(field) = self.field()? {
            match field {
                Field::Id if self.kind == Kind::Export => {
                    let id = self.json.text_value("an id")?;
                    self.draft.id.push_str(id);
                }
                Field::Value if self.kind == Kind::Export => self.value()?,
                Field::Position if self.kind != Kind::Export => self.json.skip()?,
                Field::Key | Field::Id | Field::Position => {
                    let key = self.json.text_value(KEY)?;
                    self.draft.key.clear();
                    self.draft.key.push_str(key);
                    self.draft.line = self.json.line();
                }
                Field::Owner => match self.json.text_or_null("a letter")?.map(one_letter) {
                    Some(Err(text)) => {
                        self.builder.note(ReadError::on_line(self.json.line(), text));
                    }
                    letter => self.draft.owner = letter.and_then(Result::ok),
                },
                Field::Outcome => {
                    let word = self.json.text_or_null("win, loss or tie")?.map(String::from);
                    self.draft.outcome = word.map(|word| (word, self.json.line()));
                }
                Field::Bridges | Field::To => {
                    self.bridges(true)?;
                    self.draft.bridged = true;
                }
                _ => self.json.skip()?,
            }
        }
        Ok(())
    }

    /// What an export says of a position; only ends are told by it, the rest follows.
    fn value(&mut self) -> Result<(), ReadError> {
        match self.json.value()? {
            Value::Object => {}
            other => return Err(self.json.unexpected(other, "an object with an \"outcome\"")),
        }
        while let Some(field) = self.field()? {
            match field {
                Field::Outcome => {
                    let word = self.json.text_value("win, loss, tie or draw")?.to_string();
                    self.draft.outcome = Some((word, self.json.line()));
                }
                _ => self.json.skip()?,
            }
        }
        Ok(())
    }

    /// Hands the finished draft to the builder.
    fn define(&mut self) -> Result<(), ReadError> {
        let File { json, builder, draft, kind, named, .. } = self;
        if *kind == Kind::Export && (!draft.bridges.is_empty() || draft.lost()) {
            // Who cannot move has lost, unless it is said otherwise.
            draft.outcome = None;
        }
        if draft.line == 0 {
            builder.note(ReadError::on_line(json.line(), "an island without a \"key\""));
        } else if *kind == Kind::Labels && !draft.bridged {
            let text =
                "a label without \"bridges\" is none of a graph; it was written without them";
            builder.note(ReadError::on_line(draft.line, text));
        } else if let Some(from) = builder.define(&draft.key, draft.owner, draft.line) {
            if let Some((word, line)) = &draft.outcome {
                builder.outcome(from, word, *line);
            }
            match kind {
                Kind::Plain => {}
                Kind::Labels => named.name(builder, &draft.key, from, draft.line),
                Kind::Export => named.name(builder, &draft.id, from, draft.line),
            }
            let mut begin = 0;
            for &(end, again, line) in &draft.bridges {
                if *kind != Kind::Plain {
                    named.bridge(builder, from, (&draft.to[begin..end], again), line);
                } else if let Some(to) = builder.island(&draft.to[begin..end], line) {
                    builder.bridge(from, to, again, line);
                }
                begin = end;
            }
        }
        draft.clear();
        builder.full()
    }

    /// A list of bridges. Those of an island lead from there, others say where they come from.
    fn bridges(&mut self, of_island: bool) -> Result<(), ReadError> {
        match self.json.value()? {
            Value::List => {}
            other => return Err(self.json.unexpected(other, "a list of bridges")),
        }
        while self.json.item()? {
            self.builder.room_beside(self.draft.bytes(), self.json.line())?;
            match self.json.value()? {
                Value::Text if of_island => {
                    self.draft.bridge(self.json.text(), false, self.json.line());
                }
                Value::List if !of_island => self.pair()?,
                Value::Object => self.bridge(of_island)?,
                other => {
                    return Err(self.json.unexpected(
                        other,
                        if of_island {
                            "a bridge such as \"1B\" or {\"to\": \"0A\", \"again\": true}"
                        } else {
                            "a bridge such as [\"11A\", \"1B\"] or {\"from\": \"11A\", \"to\": \"1B\"}"
                        },
                    ));
                }
            }
        }
        Ok(())
    }

    /// A bridge `[from, to]` or `[from, to, again]`.
    fn pair(&mut self) -> Result<(), ReadError> {
        let shape = "a bridge is [from, to] or [from, to, again]";
        for end in 0..2 {
            if !self.json.item()? {
                return Err(ReadError::on_line(self.json.line(), shape));
            }
            self.end(end)?;
        }
        let mut again = false;
        if self.json.item()? {
            again = self.truth()?;
            if self.json.item()? {
                return Err(ReadError::on_line(self.json.line(), shape));
            }
        }
        self.connect(again)
    }

    /// A bridge in an object.
    fn bridge(&mut self, of_island: bool) -> Result<(), ReadError> {
        let (mut from, mut to, mut again) = (of_island, None, false);
        while let Some(field) = self.field()? {
            match field {
                Field::From if !of_island => {
                    self.end(0)?;
                    from = true;
                }
                Field::To => {
                    self.end(1)?;
                    to = Some(self.json.line());
                }
                Field::Again => again = self.truth()?,
                _ => self.json.skip()?,
            }
        }
        let missing = match (from, to) {
            (true, Some(line)) => {
                if !of_island {
                    return self.connect(again);
                }
                self.draft.bridge(&self.ends[1], again, line);
                return Ok(());
            }
            _ if of_island => "a bridge without \"to\"",
            _ => "a bridge without \"from\" or \"to\"",
        };
        Err(ReadError::on_line(self.json.line(), missing))
    }

    fn end(&mut self, end: usize) -> Result<(), ReadError> {
        let key = self.json.text_value(KEY)?;
        self.ends[end].clear();
        self.ends[end].push_str(key);
        Ok(())
    }

    fn truth(&mut self) -> Result<bool, ReadError> {
        match self.json.value()? {
            Value::Bool(truth) => Ok(truth),
            Value::Null => Ok(false),
            other => Err(self.json.unexpected(other, "true or false")),
        }
    }

    /// A bridge between the two ends.
    fn connect(&mut self, again: bool) -> Result<(), ReadError> {
        let (line, [from, to]) = (self.json.line(), &self.ends);
        let ends = (self.builder.island(from, line), self.builder.island(to, line));
        if let (Some(from), Some(to)) = ends {
            self.builder.bridge(from, to, again, line);
        }
        self.builder.full()
    }
}
