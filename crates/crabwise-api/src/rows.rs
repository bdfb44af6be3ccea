//! All positions of a game as CSV or JSON, one row each.

use std::io::{self, Write};

use crabwise::{Row, Slot};
use serde::Serialize;

use crate::{text, value::Value};

/// What rows are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowFormat {
    /// Comma-separated values.
    Csv,
    /// One object with an array of positions.
    Json,
}

/// Rows on their way into a file.
pub struct RowWriter<'a> {
    format: RowFormat,
    /// The start in one line, as rows have it.
    start: &'a str,
    rows: u64,
    started: bool,
}

impl<'a> RowWriter<'a> {
    /// Of a game that starts so.
    pub fn new(format: RowFormat, start: &'a str) -> RowWriter<'a> {
        RowWriter { format, start, rows: 0, started: false }
    }

    /// What comes before the rows.
    pub fn begin(&self, game: &str, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            RowFormat::Csv => {
                writeln!(out, "id,tier,index,position,outcome,remoteness,moves,start")
            }
            RowFormat::Json => write!(out, "{{\"game\":{},\"positions\":[", text(&game)),
        }
    }

    /// A row.
    pub fn row(&mut self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let start = row.position == self.start;
        self.started |= start;
        self.rows += 1;
        match self.format {
            RowFormat::Csv => csv(row, start, out),
            RowFormat::Json => {
                let comma = if self.rows == 1 { "" } else { "," };
                write!(out, "{comma}\n{}", text(&Exported::from(row)))
            }
        }
    }

    /// What comes after them: in JSON, the start if it is there.
    pub fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match (self.format, self.started) {
            (RowFormat::Csv, _) => Ok(()),
            (RowFormat::Json, true) => writeln!(out, "\n],\"start\":{}}}", text(&self.start)),
            (RowFormat::Json, false) => writeln!(out, "\n]}}"),
        }
    }
}

/// How a position is called in exports.
pub fn id(slot: Slot) -> String {
    format!("{}.{}", slot.tier, slot.index)
}

/// One position of an export.
#[derive(Serialize)]
pub struct Exported<'a> {
    id: String,
    position: &'a str,
    value: Value,
    moves: Vec<ExportedMove<'a>>,
}

#[derive(Serialize)]
struct ExportedMove<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    to: String,
    value: Value,
}

impl<'a> From<&'a Row> for Exported<'a> {
    fn from(row: &'a Row) -> Exported<'a> {
        let one = |(name, to, value): &'a (String, Slot, crabwise::Value)| ExportedMove {
            name,
            to: id(*to),
            value: (*value).into(),
        };
        Exported {
            id: id(row.slot),
            position: &row.position,
            value: row.value.into(),
            moves: row.moves.iter().map(one).collect(),
        }
    }
}

fn csv(row: &Row, start: bool, out: &mut dyn Write) -> io::Result<()> {
    let Slot { tier, index } = row.slot;
    let one = |(name, to, _): &(String, Slot, crabwise::Value)| format!("{name}>{}", id(*to));
    let moves = row.moves.iter().map(one).collect::<Vec<_>>().join(" ");
    let (outcome, remoteness) = (row.value.outcome(), row.value.remoteness());
    let remoteness = remoteness.map_or(String::new(), |n| n.to_string());
    let (position, moves) = (cell(&row.position), cell(&moves));
    let start = if start { "start" } else { "" };
    writeln!(out, "{tier}.{index},{tier},{index},{position},{outcome},{remoteness},{moves},{start}")
}

/// A CSV field of text that may be somebody else's. Where a spreadsheet would take it for a formula, which may do
/// anything, an apostrophe before it says that it is text; so one that is there already is doubled. It also keeps a
/// blank before it, which would not belong to it otherwise.
pub fn cell(text: &str) -> String {
    let calculates = |c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | ',' | ' ');
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r' | '\'' | ' ') => field(&format!("'{text}")),
        Some('+' | '-') if text.contains(calculates) => field(&format!("'{text}")),
        _ => field(text),
    }
}

/// A CSV field, quoted where RFC 4180 wants it.
pub fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        assert_eq!(field("a b"), "a b");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1+1", "@SUM(A1)", "+1A", "-2+3+cmd|' /C calc'!A0", "\t=1", "\r=1", "'=1"] {
            assert_eq!(cell(text), field(&format!("'{text}")), "{text}");
        }
        for text in ["", "x=1", "-1,1,1,-1", "+1", "-", "1-2-3", ".../..."] {
            assert_eq!(cell(text), field(text), "{text}");
        }
    }
}
