//! The cells of a table of faces, as a Python list or as CSV, whatever they mean.
//!
//! ```python
//! table = [[[2], [3]],   # a row a vertex, an entry a face
//!          [3, 1],       # an entry that is one number needs no list
//!          [(1), 2]]
//! ```
//!
//! In CSV a line is a vertex and a cell a face; several numbers stand in one cell, in quotation
//! marks: `"2,5"`. A first line of words names the columns. If its first cell is empty or `vertex`,
//! then so does the first column the vertices, and the cells may use these names.

use crabwise_graphfile::{Place, ReadError, Source, csv::Records, quotable};

use super::net::fit_name;
use crate::MOST_EDGES as MOST;

/// More columns than the faces of any board.
const MOST_COLUMNS: usize = MOST + 2;

/// A table of vertices from 1, by row and column. What is no vertex may be any number.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cells {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<Vec<usize>>>,
}

fn limited(rows: usize, columns: usize) -> Result<(), String> {
    if rows > MOST {
        return Err(format!("more than {MOST} rows, and a board has at most {MOST} vertices"));
    }
    if columns > MOST_COLUMNS {
        return Err(format!(
            "more than {MOST_COLUMNS} columns, which are more faces than any board's"
        ));
    }
    Ok(())
}

/// The table in a Python list of lists.
pub(super) fn literal(text: &str) -> Result<Cells, ReadError> {
    let mut literal = Literal { rest: text, line: 1 };
    literal.assignment();
    let mut rows = vec![];
    let done = literal.list(|literal| {
        let mut row = vec![];
        literal.list(|literal| {
            row.push(literal.entry()?);
            limited(0, row.len()).map_err(|text| literal.bad(text))
        })?;
        rows.push(row);
        limited(rows.len(), 0).map_err(|text| literal.bad(text))
    });
    done?;
    match literal.peek() {
        None => Ok(Cells { names: (1..=rows.len()).map(|row| row.to_string()).collect(), rows }),
        Some(c) => Err(literal.bad(format!("{} behind the end of the table", sign(c)))),
    }
}

fn sign(c: char) -> String {
    format!("'{}'", c.escape_debug())
}

/// What is left of a text, and the line on which it begins.
struct Literal<'a> {
    rest: &'a str,
    line: usize,
}

impl Literal<'_> {
    fn bad(&self, text: impl Into<String>) -> ReadError {
        ReadError::on_line(self.line as u64, text)
    }

    fn take(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
    }

    /// The next sign that is no blank or comment, which stays there.
    fn peek(&mut self) -> Option<char> {
        loop {
            let c = self.rest.chars().next()?;
            match c {
                '#' => self.take(self.rest.find('\n').unwrap_or(self.rest.len())),
                c if c.is_whitespace() => self.take(c.len_utf8()),
                _ => return Some(c),
            }
        }
    }

    /// Passes over `table =`.
    fn assignment(&mut self) {
        self.peek();
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !name(c)).unwrap_or(self.rest.len());
        let after = self.rest[end..].trim_start_matches([' ', '\t']);
        if end > 0 && after.starts_with('=') {
            self.take(self.rest.len() - after.len() + 1);
        }
    }

    /// A list or a tuple, each item of which is read by `item`.
    fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let close = match self.peek() {
            Some('[') => ']',
            Some('(') => ')',
            Some(c) => return Err(self.bad(format!("{} instead of '['", sign(c)))),
            None => return Err(self.bad("the end of the file instead of '['")),
        };
        self.take(1);
        loop {
            if self.peek() == Some(close) {
                self.take(1);
                return Ok(());
            }
            item(self)?;
            match self.peek() {
                Some(',') => self.take(1),
                Some(c) if c == close => {}
                Some(c) => {
                    return Err(self.bad(format!("{} instead of ',' or '{close}'", sign(c))));
                }
                None => return Err(self.bad(format!("the end of the file instead of '{close}'"))),
            }
        }
    }

    /// A number, or a list of them.
    fn entry(&mut self) -> Result<Vec<usize>, ReadError> {
        let mut entry = vec![];
        match self.peek() {
            Some('[' | '(') => {}
            Some(quote @ ('\'' | '"')) => return self.quoted(quote),
            _ => return Ok(vec![self.number()?]),
        }
        self.list(|literal| {
            entry.push(literal.number()?);
            match entry.len() > MOST {
                true => Err(literal.bad(format!("more than {MOST} vertices in one entry"))),
                false => Ok(()),
            }
        })?;
        Ok(entry)
    }

    /// Numbers between quotes, with commas between them.
    fn quoted(&mut self, quote: char) -> Result<Vec<usize>, ReadError> {
        let mut entry = vec![];
        self.take(1);
        loop {
            entry.push(self.number()?);
            match self.peek() {
                Some(',') if entry.len() < MOST => self.take(1),
                Some(c) if c == quote => {
                    self.take(1);
                    return Ok(entry);
                }
                Some(c) => return Err(self.bad(format!("{} instead of ',' or {quote}", sign(c)))),
                None => return Err(self.bad(format!("the end of the file instead of {quote}"))),
            }
        }
    }

    fn number(&mut self) -> Result<usize, ReadError> {
        let next = self.peek();
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        if end == 0 {
            let found = next.map_or("the end of the file".into(), sign);
            return Err(self.bad(format!("{found} instead of a number")));
        }
        let digits = &self.rest[..end];
        let number = digits.parse();
        let text = format!("{} is no vertex", quotable(digits));
        self.take(end);
        number.map_err(|_| self.bad(text))
    }
}

/// The table in lines of cells.
pub(super) fn csv(text: &str) -> Result<Cells, ReadError> {
    let mut lines = records(text)?;
    let word = |cell: &String| cell.contains(char::is_alphabetic);
    let head = lines.first().map(|(_, cells)| &cells[..]).unwrap_or_default();
    let of_names = |cell: &String| cell.is_empty() || cell.eq_ignore_ascii_case("vertex");
    // An empty cell alone may also be an entry that was forgotten.
    let named = head.first().is_some_and(of_names) && head.iter().any(word);
    if named || !head.is_empty() && head.iter().all(word) {
        lines.remove(0);
    }
    limited(lines.len(), lines.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0))
        .map_err(ReadError::anywhere)?;
    let names = if named {
        names(&mut lines)?
    } else {
        (1..=lines.len()).map(|row| row.to_string()).collect()
    };
    let mut rows = vec![];
    for (row, (_, cells)) in lines.iter().enumerate() {
        let entry = |(column, cell): (usize, &String)| {
            entry(cell, &names).map_err(|text| ReadError::at(Place::Entry(row, column), text))
        };
        rows.push(cells.iter().enumerate().map(entry).collect::<Result<Vec<_>, ReadError>>()?);
    }
    Ok(Cells { names, rows })
}

/// The first cell of each line, which is taken out.
fn names(lines: &mut [(u64, Vec<String>)]) -> Result<Vec<String>, ReadError> {
    let mut names: Vec<String> = vec![];
    for (line, cells) in lines {
        let name = cells.remove(0);
        let fit = fit_name(&name).and_then(|()| match &name {
            name if name.parse() == Ok(0) => {
                Err("no vertex is called 0: it says that a vertex is not on a face".into())
            }
            name if names.contains(name) => Err(format!("vertex {name} is there twice")),
            _ => Ok(()),
        });
        fit.map_err(|text: String| ReadError::on_line(*line, text))?;
        names.push(name);
    }
    Ok(names)
}

/// The vertices in a cell: names, or numbers of rows where names are none.
fn entry(cell: &str, names: &[String]) -> Result<Vec<usize>, String> {
    if cell.is_empty() {
        return Err("the entry is empty; 0 says that the vertex is not on the face".into());
    }
    let numbered = names.iter().any(|name| name.parse::<usize>().is_ok());
    let cell = cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']')).unwrap_or(cell);
    let vertex = |word: &str| {
        let word = word.trim();
        let known = names.iter().position(|name| name == word).map(|row| row + 1);
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let row = || word.parse().ok().filter(|&row: &usize| digits && (row == 0 || !numbered));
        let text = || format!("'{}' is no vertex; {}", quotable(word), range(names));
        known.or_else(row).ok_or_else(text)
    };
    cell.split(',').map(vertex).collect()
}

/// What entries may be.
pub(super) fn range(names: &[String]) -> String {
    match (names.first(), names.last()) {
        (Some(first), Some(last)) => format!("vertices are {first} to {last}"),
        _ => "there are no vertices".into(),
    }
}

/// The cells of each line that is not blank, and the number of the line.
fn records(text: &str) -> Result<Vec<(u64, Vec<String>)>, ReadError> {
    let mut source = Source::open(text.as_bytes())?;
    let (mut records, mut all) = (Records::new(&mut source), vec![]);
    while records.advance()? {
        let cells: Vec<String> = records.cells().map(|cell| cell.trim().to_string()).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            all.push((records.line(), cells));
        }
    }
    Ok(all)
}
