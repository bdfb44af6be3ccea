//! Bridges as rows: `from,to`, and `again` in a third column where the turn stays.
//!
//! The first row may name the columns; then they may come in any order, and columns of other names
//! are left aside. Without it there are two columns or three. What `export` and `label` write is known by its columns,
//! and read by `exported`.

use std::{io::Read, mem::take};

use crabwise_graphfile::{ReadError, Source, csv::Records, quotable};

use super::{
    builder::{Builder, again_named},
    exported::{self, ExportedColumns},
};

/// How many rows are looked up together.
const BATCH: usize = 256;

pub(super) fn read<R: Read>(
    source: &mut Source<R>,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    let (mut rows, mut columns, mut batch) = (Records::new(source), None, Batch::default());
    if !rows.advance()? {
        return Ok(());
    }
    if let Some(columns) = ExportedColumns::of(&rows) {
        return exported::rows(&mut rows, &columns, builder);
    }
    let mut begun = true;
    loop {
        let done = batch.fill(&mut rows, &mut columns, take(&mut begun));
        batch.add_to(builder);
        // Nothing that comes later can be wrong on an earlier line.
        if builder.is_bad() || !done? {
            return Ok(());
        }
    }
}

/// Some rows, on their way to the builder.
#[derive(Default)]
struct Batch {
    /// The keys, from and to in turn.
    text: String,
    /// Of each row: where its two keys end, whether the bridge is declared to keep the turn, the
    /// line.
    rows: Vec<(usize, usize, bool, u64)>,
    found: Vec<Option<u32>>,
    /// How many islands had their letters looked at.
    checked: u32,
}

impl Batch {
    /// Reads some rows, the first of which may be in sight; whether there are more.
    fn fill<R: Read>(
        &mut self,
        rows: &mut Records<R>,
        columns: &mut Option<Columns>,
        mut begun: bool,
    ) -> Result<bool, ReadError> {
        self.text.clear();
        self.rows.clear();
        while self.rows.len() < BATCH {
            if !take(&mut begun) && !rows.advance()? {
                return Ok(false);
            }
            let line = rows.line();
            if columns.is_none() {
                let (found, header) = Columns::of(rows);
                *columns = Some(found);
                if header {
                    continue;
                }
            }
            let Some(columns) = columns else { continue };
            let (from, to, again) =
                columns.cells(rows).map_err(|text| ReadError::on_line(line, text))?;
            self.text.push_str(from);
            let end = self.text.len();
            self.text.push_str(to);
            self.rows.push((end, self.text.len(), again, line));
        }
        Ok(true)
    }

    fn add_to(&mut self, builder: &mut Builder) {
        let Batch { text, rows, found, checked } = self;
        let ends = rows.iter().flat_map(|row| [row.0, row.1]);
        let begins = std::iter::once(0).chain(ends.clone());
        let keys = begins.zip(ends).map(|(begin, end)| &text[begin..end]);
        builder.find_all(keys.clone(), found);
        let mut found = keys.zip(found);
        for &(_, _, again, line) in rows.iter() {
            let mut next = || {
                let (key, known) = found.next()?;
                known.or_else(|| {
                    let island = builder.island(key, line)?;
                    if island >= *checked {
                        builder.check_letter(island);
                        *checked = island + 1;
                    }
                    Some(island)
                })
            };
            let (from, to) = (next(), next());
            if let (Some(from), Some(to)) = (from, to) {
                builder.bridge(from, to, again, line);
            }
        }
    }
}

/// Which cells of a row are which.
struct Columns {
    from: usize,
    to: usize,
    again: Option<usize>,
    most: usize,
    named: bool,
}

impl Columns {
    /// What the first row says, and whether it is there to say it.
    fn of<R: Read>(first: &Records<R>) -> (Columns, bool) {
        let find = |name: &str| first.cells().position(|cell| cell.eq_ignore_ascii_case(name));
        match (find("from"), find("to")) {
            (Some(from), Some(to)) => {
                (Columns { from, to, again: find("again"), most: first.count(), named: true }, true)
            }
            _ => (Columns { from: 0, to: 1, again: Some(2), most: 3, named: false }, false),
        }
    }

    /// The cells of a row, and whether the bridge is declared to keep the turn.
    fn cells<'a, R: Read>(&self, row: &'a Records<R>) -> Result<(&'a str, &'a str, bool), String> {
        if row.count() > self.most {
            let (found, most) = (row.count(), self.most);
            return Err(if self.named {
                format!("{found} cells, but the first row names {most} columns")
            } else {
                format!(
                    "{found} cells, more than from, to and again; name the columns in a first row"
                )
            });
        }
        let key = |place, name| match row.get(place) {
            Some("") => {
                Err(format!("the cell '{name}' is empty; it must hold the key of an island"))
            }
            Some(key) => Ok(key),
            None => Err(format!("there is no cell '{name}'; a row is from,to or from,to,again")),
        };
        let word = self.again.and_then(|place| row.get(place)).unwrap_or_default();
        let again = again_named(word).ok_or_else(|| {
            format!("the cell 'again' has '{}'; it must be empty or 'again'", quotable(word))
        })?;
        Ok((key(self.from, "from")?, key(self.to, "to")?, again))
    }
}
