//! Bridges as rows: `from,to`, and `again` in a third column where the turn stays.
//!
//! The first row may name the columns; then they may come in any order, and columns of other names
//! are left aside. Without it there are two columns or three. Blanks around a cell do not belong to
//! it. A row is kept whole, so it has a greatest length: whatever a file does, no more than that is
//! read before it is refused.

use std::{io::Read, str::from_utf8};

use csv_core::ReadRecordResult;

use super::{
    builder::{Bad, Builder, again_named, quotable},
    source::Source,
};

/// The longest row, in bytes.
const LONGEST_ROW: usize = 1 << 16;
/// The greatest number of columns.
const MOST_COLUMNS: usize = 256;

/// How many rows are looked up together.
const BATCH: usize = 256;

pub(super) fn read<R: Read>(source: &mut Source<R>, builder: &mut Builder) -> Result<(), Bad> {
    let (mut rows, mut columns, mut batch) = (Rows::new(), None, Batch::default());
    loop {
        let done = batch.fill(source, &mut rows, &mut columns);
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
    /// Reads some rows; whether there are more.
    fn fill<R: Read>(
        &mut self,
        source: &mut Source<R>,
        rows: &mut Rows,
        columns: &mut Option<Columns>,
    ) -> Result<bool, Bad> {
        self.text.clear();
        self.rows.clear();
        while self.rows.len() < BATCH {
            let Some(line) = rows.next(source)? else { return Ok(false) };
            if rows.is_blank() {
                continue;
            }
            if columns.is_none() {
                let (found, header) = Columns::of(rows);
                *columns = Some(found);
                if header {
                    continue;
                }
            }
            let Some(columns) = columns else { continue };
            let (from, to, again) = columns.cells(rows).map_err(|text| Bad::at(line, text))?;
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
    fn of(first: &Rows) -> (Columns, bool) {
        let find =
            |name: &str| (0..first.len()).find(|i| first.cell(*i).eq_ignore_ascii_case(name));
        match (find("from"), find("to")) {
            (Some(from), Some(to)) => {
                (Columns { from, to, again: find("again"), most: first.len(), named: true }, true)
            }
            _ => (Columns { from: 0, to: 1, again: Some(2), most: 3, named: false }, false),
        }
    }

    /// The cells of a row, and whether the bridge is declared to keep the turn.
    fn cells<'a>(&self, row: &'a Rows) -> Result<(&'a str, &'a str, bool), String> {
        if row.len() > self.most {
            let (found, most) = (row.len(), self.most);
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

/// The rows of a file, one at a time.
struct Rows {
    core: csv_core::Reader,
    text: Box<[u8]>,
    ends: Box<[usize]>,
    len: usize,
}

impl Rows {
    fn new() -> Rows {
        let text = vec![0; LONGEST_ROW].into_boxed_slice();
        let ends = vec![0; MOST_COLUMNS].into_boxed_slice();
        Rows { core: csv_core::Reader::new(), text, ends, len: 0 }
    }

    /// Reads the next row; gives the line on which it begins, or `None` at the end of the file.
    fn next<R: Read>(&mut self, source: &mut Source<R>) -> Result<Option<u64>, Bad> {
        while let Some(b'\n' | b'\r') = source.peek()? {
            source.take(1);
        }
        if source.peek()?.is_none() {
            return Ok(None);
        }
        let line = source.line();
        let (mut filled, mut ended) = (0, 0);
        loop {
            let chunk = source.chunk()?;
            let last = chunk.is_empty();
            // A row that the file ends in is ended by one more line end, unless quotes are open.
            let input = if last { b"\n" } else { chunk };
            let (text, ends) = (&mut self.text[filled..], &mut self.ends[ended..]);
            let (result, taken, written, cells) = self.core.read_record(input, text, ends);
            if !last {
                source.take(taken);
            }
            (filled, ended) = (filled + written, ended + cells);
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => break,
                ReadRecordResult::InputEmpty if !last => {}
                ReadRecordResult::InputEmpty => {
                    return Err(Bad::at(line, "a quotation mark of this row is never closed"));
                }
                ReadRecordResult::OutputFull => return Err(Bad::at(line, too_long())),
                ReadRecordResult::OutputEndsFull => {
                    return Err(Bad::at(line, format!("more than {MOST_COLUMNS} cells in a row")));
                }
            }
        }
        self.len = ended;
        Ok(Some(line))
    }

    fn len(&self) -> usize {
        self.len
    }

    fn is_blank(&self) -> bool {
        self.len == 1 && self.cell(0).is_empty()
    }

    fn get(&self, place: usize) -> Option<&str> {
        (place < self.len).then(|| self.cell(place))
    }

    /// A cell without the blanks around it.
    fn cell(&self, place: usize) -> &str {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        // The source is UTF-8, and cut only at commas, quotation marks and line ends.
        from_utf8(&self.text[begin..self.ends[place]]).unwrap_or_default().trim_matches([' ', '\t'])
    }
}

fn too_long() -> String {
    format!("a row of more than {LONGEST_ROW} bytes; perhaps a quotation mark is missing")
}
