//! A list of positions with what they are worth, or with the moves that somebody would make there.
//!
//! CSV has a line of names first, JSON an array of objects or an object with an array `positions`. A row has a
//! `position`, in the game's notation or as a line of moves from the start, and of the others what it likes: `value`
//! (`win in 5`, `loss`), or `outcome` and `remoteness`, and `move`. So exports are lists. So are labels, a `key` with a
//! `label`. A value without a distance
//! tells the outcome only, and `draw` without one means that nobody wins. A move is right if it keeps the outcome.

use std::io::{self, Read};

use crabwise::{
    SolveError, Value,
    explore::{Explorer, PositionInfo},
    watch::{Meter, Watch},
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use super::{Comparison, Difference, words};
use crate::{Error, Session, Target};

/// What a row says of a position.
#[derive(Default)]
struct Claim {
    position: String,
    value: Option<Claimed>,
    mv: Option<String>,
}

/// An outcome, and a distance if one is told.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claimed {
    outcome: ClaimedOutcome,
    distance: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClaimedOutcome {
    Win,
    Loss,
    Tie,
    Draw,
}

impl Claimed {
    /// Reads a label: `G3` is a loss in 2 for the player to move, `P2` a win in 1, `T4` is even.
    fn of_label(text: &str) -> Option<Claimed> {
        let index: u32 = text.get(1..)?.parse().ok()?;
        let (outcome, distance) = match text.chars().next()? {
            'G' => (ClaimedOutcome::Loss, Some(index.checked_sub(1)?)),
            'P' => (ClaimedOutcome::Win, Some(index.checked_sub(1)?)),
            'T' => (ClaimedOutcome::Draw, None),
            _ => return None,
        };
        Some(Claimed { outcome, distance })
    }

    /// Reads `win in 5`, `win 5`, `lose`, `draw`, and labels.
    fn read(text: &str, distance: Option<u32>) -> Result<Claimed, String> {
        if let Some(label) = Claimed::of_label(text) {
            return Ok(label);
        }
        let wrong =
            || format!("'{text}' is no value; say win, loss, tie or draw, as in 'win in 5'");
        let lower = text.trim().to_lowercase();
        let mut words = lower.split([' ', '(', ')', ',']).filter(|word| !word.is_empty());
        let outcome = match words.next().unwrap_or_default() {
            "win" | "w" | "won" => ClaimedOutcome::Win,
            "loss" | "lose" | "l" | "lost" => ClaimedOutcome::Loss,
            "tie" | "t" | "tied" => ClaimedOutcome::Tie,
            "draw" | "d" | "drawn" => ClaimedOutcome::Draw,
            _ => return Err(wrong()),
        };
        let mut told = distance;
        for word in words.filter(|word| *word != "in" && *word != "plies") {
            told = Some(word.parse().map_err(|_| wrong())?);
        }
        Ok(Claimed { outcome, distance: told })
    }

    fn agrees(self, value: Value) -> bool {
        let outcome = match (self.outcome, value) {
            (ClaimedOutcome::Win, Value::Win(_)) | (ClaimedOutcome::Loss, Value::Loss(_)) => true,
            (ClaimedOutcome::Tie, Value::Tie(_)) | (ClaimedOutcome::Draw, Value::Draw) => true,
            (ClaimedOutcome::Draw, Value::Tie(_)) => self.distance.is_none(),
            _ => false,
        };
        let distance = self.distance.zip(value.remoteness()).filter(|_| value.has_distance());
        outcome && distance.is_none_or(|(theirs, ours)| theirs == ours)
    }

    fn told(self) -> String {
        let outcome = format!("{:?}", self.outcome).to_lowercase();
        match self.distance {
            Some(n) => format!("{outcome} in {n}"),
            None => outcome,
        }
    }
}

/// Looks up one row after the other.
struct Judge<'a> {
    target: &'a Target,
    explorer: &'a dyn Explorer,
    found: Comparison,
    meter: Meter<'a>,
}

impl Judge<'_> {
    fn judge(&mut self, place: String, claim: Claim) -> Result<(), String> {
        self.meter.add(1).map_err(|stop| stop.to_string())?;
        // What is wrong with a line is told when it is looked up.
        let line = self.target.line(&[&claim.position]);
        let line = line.unwrap_or_else(|_| words(&[&claim.position]));
        let looked = match claim.mv {
            Some(_) => self.explorer.look(&line),
            None => self.explorer.glance(&line),
        };
        let info = looked.map_err(|error| format!("{place}: {error}"))?;
        self.found.compared += 1;
        let wrong = |file: String, table: String| Difference {
            place: place.clone(),
            position: claim.position.clone(),
            file,
            table,
        };
        if let Some(value) = claim.value.filter(|value| !value.agrees(info.value)) {
            self.found.differ(|| wrong(value.told(), info.value.to_string()));
        } else if let Some(name) = &claim.mv
            && let Some(table) = mistake(&info, name)
        {
            self.found.differ(|| wrong(name.clone(), table));
        }
        Ok(())
    }
}

/// A cell without the apostrophe that exports put before what a spreadsheet would take for a formula.
fn plain(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(['=', '@', '\t', '+', '-', '\'', ' ']) => text,
        _ => cell,
    }
}

/// What is wrong with a move, if something is.
fn mistake(info: &PositionInfo, name: &str) -> Option<String> {
    let Some(mv) = info.moves.iter().find(|mv| mv.name == name) else {
        return Some("no such move".into());
    };
    let keeps = mv.value.outcome() == info.value.outcome();
    (!keeps).then(|| format!("{} there, and the move comes to {}", info.value, mv.value))
}

impl Session {
    pub(super) fn compare_csv(
        &self,
        target: &Target,
        file: impl Read,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
    ) -> Result<Comparison, Error> {
        let file = Bounded::new(file, false);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let head = reader.headers().map_err(|error| foreign(error.to_string()))?;
        let column = |name: &str| {
            head.iter()
                .position(|word| word.trim_start_matches('\u{FEFF}').eq_ignore_ascii_case(name))
        };
        let position = column("position").or_else(|| column("key")).ok_or_else(|| {
            foreign(
                "has no column 'position'; a list has a line of names first, such as \
                 position,value"
                    .into(),
            )
        })?;
        let value = column("value").or_else(|| column("outcome")).or_else(|| column("label"));
        let (remoteness, mv) = (column("remoteness"), column("move"));
        if value.or(mv).is_none() {
            return Err(foreign("has neither a column 'value' or 'outcome' nor one 'move'".into()));
        }
        self.judging(target, watch, foreign, "a list of positions", &mut |judge| {
            for record in reader.records() {
                let record = record.map_err(|error| error.to_string())?;
                let line = record.position().map_or(0, |position| position.line());
                let place = format!("line {line}");
                let field = |column: Option<usize>| {
                    column.and_then(|column| record.get(column)).filter(|text| !text.is_empty())
                };
                let said = |why: String| format!("line {line}: {why}");
                let distance = field(remoteness).map(str::parse).transpose();
                let distance = distance.map_err(|_| said("'remoteness' is no number".into()))?;
                let value = field(value).map(|text| Claimed::read(text, distance)).transpose();
                let value = value.map_err(said)?;
                let position = plain(record.get(position).unwrap_or_default()).into();
                judge.judge(place, Claim { position, value, mv: field(mv).map(str::to_string) })?;
            }
            Ok(())
        })
    }

    pub(super) fn compare_json(
        &self,
        target: &Target,
        file: impl Read,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
    ) -> Result<Comparison, Error> {
        let mut reader = serde_json::Deserializer::from_reader(Bounded::new(file, true));
        self.judging(target, watch, foreign, "a list of positions", &mut |judge| {
            let mut number = 0;
            let mut each = |row: JsonRow| {
                number += 1;
                judge.judge(format!("entry {number}"), row.claim()?)
            };
            JsonRows(&mut each).deserialize(&mut reader).map_err(|error| error.to_string())?;
            reader.end().map_err(|error| error.to_string())
        })
    }

    fn judging(
        &self,
        target: &Target,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
        form: &str,
        all: &mut dyn FnMut(&mut Judge) -> Result<(), String>,
    ) -> Result<Comparison, Error> {
        let explorer = target.built.game.open(&self.job(target, watch))?;
        let meter = Meter::new(watch, "comparing", None, None).map_err(SolveError::from)?;
        let mut judge = Judge { target, explorer: &*explorer, found: Comparison::of(form), meter };
        let done = all(&mut judge);
        // Where the watcher stopped it, the reader's error says nothing.
        judge.meter.add(0).map_err(SolveError::from)?;
        done.map_err(foreign)?;
        Ok(judge.found)
    }
}

/// Fails where what is read as one, a record or a text, is longer than any that means something: it would have to be
/// in memory as a whole.
struct Bounded<R> {
    from: R,
    json: bool,
    /// Bytes since the last record or text ended.
    run: u64,
    quoted: bool,
    escaped: bool,
}

const LONGEST: u64 = 1 << 20;

impl<R> Bounded<R> {
    fn new(from: R, json: bool) -> Bounded<R> {
        Bounded { from, json, run: 0, quoted: false, escaped: false }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(to)?;
        for byte in &to[..count] {
            self.run += 1;
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.json && self.quoted => self.escaped = true,
                b'"' => {
                    self.quoted = !self.quoted;
                    self.run *= u64::from(!self.json);
                }
                b'\n' if !self.json && !self.quoted => self.run = 0,
                _ => {}
            }
            if self.run > LONGEST {
                let line = format!("more than {LONGEST} bytes that belong together");
                return Err(io::Error::new(io::ErrorKind::InvalidData, line));
            }
        }
        Ok(count)
    }
}

#[derive(Deserialize)]
struct JsonRow {
    #[serde(alias = "key")]
    position: String,
    #[serde(alias = "label")]
    value: Option<JsonValue>,
    outcome: Option<String>,
    remoteness: Option<u32>,
    #[serde(rename = "move")]
    mv: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonValue {
    Words(String),
    Fields { outcome: String, remoteness: Option<u32> },
}

impl JsonRow {
    fn claim(self) -> Result<Claim, String> {
        let value = match (self.value, self.outcome) {
            (Some(JsonValue::Words(words)), _) => Some((words, self.remoteness)),
            (Some(JsonValue::Fields { outcome, remoteness }), _) => Some((outcome, remoteness)),
            (None, Some(outcome)) => Some((outcome, self.remoteness)),
            (None, None) => None,
        };
        let value = value.map(|(words, distance)| Claimed::read(&words, distance)).transpose()?;
        if value.is_none() && self.mv.is_none() {
            return Err(format!("'{}' has neither a value nor a move", self.position));
        }
        Ok(Claim { position: self.position, value, mv: self.mv })
    }
}

/// Hands the rows on as they are read: a list may be larger than memory.
struct JsonRows<'a>(&'a mut dyn FnMut(JsonRow) -> Result<(), String>);

impl<'de> DeserializeSeed<'de> for JsonRows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonRows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("an array of positions, or an object with an array 'positions'")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while let Some(row) = rows.next_element()? {
            (self.0)(row).map_err(A::Error::custom)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "positions" || key == "islands" {
                map.next_value_seed(JsonRows(&mut *self.0))?;
                found = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if found { Ok(()) } else { Err(A::Error::custom("there is no array 'positions'")) }
    }
}
