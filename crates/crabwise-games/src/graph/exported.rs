//! Graphs as Crabwise writes them: the lists of `export` and the labels of `label`, as CSV and JSON.
//!
//! They tell where a bridge leads by an id, or by a key as one word; what that is, only the whole file tells.
//! Whether a bridge keeps the turn is told by the keys it joins, and so are the letters of the two pirates.

use std::{collections::HashMap, io::Read, mem::take};

use crabwise_graphfile::{ReadError, csv::Records, quotable};

use super::builder::{Builder, as_word};

/// Bridges to islands that are known by other names than their keys.
#[derive(Default)]
pub(super) struct NamedBridges {
    islands: HashMap<Box<str>, u32>,
    /// The names that bridges lead to, one after the other.
    to: String,
    /// Of each bridge: where it comes from, where the name of its end ends, whether the file says that it keeps the
    /// turn, and its line.
    bridges: Vec<(u32, usize, bool, u64)>,
}

/// Bytes that a name takes beside its letters, while the table of names grows.
const NAME: u64 = 4 * size_of::<(Box<str>, u32)>() as u64;

impl NamedBridges {
    /// Gives an island a name that no other one has.
    pub(super) fn name(&mut self, builder: &mut Builder, name: &str, island: u32, line: u64) {
        if !builder.take(NAME + name.len() as u64, line) {
            return;
        }
        if self.islands.insert(name.into(), island).is_some() {
            let name = quotable(name);
            builder.note(ReadError::on_line(line, format!("'{name}' is there a second time")));
        }
    }

    /// A bridge to the island of a name.
    pub(super) fn bridge(
        &mut self,
        builder: &mut Builder,
        from: u32,
        (to, again): (&str, bool),
        line: u64,
    ) {
        let bytes = 2 * (to.len() + size_of_val(&self.bridges[..1.min(self.bridges.len())]));
        if builder.take(bytes as u64, line) {
            self.to.push_str(to);
            self.bridges.push((from, self.to.len(), again, line));
        }
    }

    /// Hands all bridges to the builder, now that every name is known.
    pub(super) fn finish(&mut self, builder: &mut Builder) -> Result<(), ReadError> {
        let mut begin = 0;
        for (from, end, again, line) in take(&mut self.bridges) {
            let name = &self.to[begin..end];
            begin = end;
            match self.islands.get(name) {
                Some(&to) => builder.bridge(from, to, again, line),
                None => {
                    let [from, to] = [builder.key(from), name].map(quotable);
                    let text = format!("a bridge leads from '{from}' to '{to}', which has no row");
                    builder.note(ReadError::on_line(line, text));
                }
            }
            builder.full()?;
        }
        Ok(())
    }
}

/// What a CSV file has in its columns, if it is one that Crabwise writes.
pub(super) enum ExportedColumns {
    /// `export`: a row a position, its moves as `name>id`.
    Positions { id: usize, position: usize, outcome: usize, moves: usize, start: Option<usize> },
    /// `label`: a row an island, its bridges as keys.
    Labels { key: usize, label: usize, bridges: Option<usize>, start: Option<usize> },
}

impl ExportedColumns {
    /// By the names in the first row.
    pub(super) fn of<R: Read>(first: &Records<R>) -> Option<ExportedColumns> {
        let find = |name: &str| first.cells().position(|cell| cell.eq_ignore_ascii_case(name));
        let start = find("start");
        if let (Some(id), Some(position), Some(outcome), Some(moves)) =
            (find("id"), find("position"), find("outcome"), find("moves"))
        {
            return Some(ExportedColumns::Positions { id, position, outcome, moves, start });
        }
        let (key, label, bridges) = (find("key")?, find("label")?, find("bridges"));
        Some(ExportedColumns::Labels { key, label, bridges, start })
    }
}

/// Reads the rows after the first one.
pub(super) fn rows<R: Read>(
    rows: &mut Records<R>,
    columns: &ExportedColumns,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    builder.exported();
    if let ExportedColumns::Labels { bridges: None, .. } = columns {
        let text = "labels without a column 'bridges' are no graph; they were written without them";
        return Err(ReadError::on_line(rows.line(), text));
    }
    let mut named = NamedBridges::default();
    while rows.advance()? && !builder.is_bad() {
        row(rows, columns, builder, &mut named)?;
        builder.full()?;
    }
    named.finish(builder)
}

fn row<R: Read>(
    row: &Records<R>,
    columns: &ExportedColumns,
    builder: &mut Builder,
    named: &mut NamedBridges,
) -> Result<(), ReadError> {
    let line = row.line();
    // A cell that a spreadsheet would take for a formula has an apostrophe before it.
    let cell = |place: usize| {
        let text = row.get(place).unwrap_or_default();
        text.strip_prefix('\'').unwrap_or(text)
    };
    let (key, bridges, end, start) = match *columns {
        ExportedColumns::Positions { position, outcome, moves, start, .. } => {
            (cell(position), cell(moves), cell(outcome), start)
        }
        ExportedColumns::Labels { key, label, bridges, start } => {
            let end = match cell(label).chars().next() {
                Some('P') => "win",
                Some('T') => "tie",
                _ => "loss",
            };
            (cell(key), bridges.map_or("", cell), end, start)
        }
    };
    let Some(island) = builder.define(key, None, line) else { return Ok(()) };
    match *columns {
        ExportedColumns::Positions { id, .. } => named.name(builder, cell(id), island, line),
        ExportedColumns::Labels { .. } => named.name(builder, &as_word(key), island, line),
    }
    if start.is_some_and(|place| cell(place).eq_ignore_ascii_case("start")) {
        builder.start(key, line);
    }
    // Who cannot move has lost, unless it is said otherwise.
    if bridges.is_empty() && !end.eq_ignore_ascii_case("loss") {
        builder.outcome(island, end, line);
    }
    for bridge in bridges.split_whitespace() {
        let to = match columns {
            ExportedColumns::Positions { .. } => bridge.rsplit('>').next().unwrap_or(bridge),
            ExportedColumns::Labels { .. } => bridge,
        };
        named.bridge(builder, island, (to, false), line);
    }
    Ok(())
}
