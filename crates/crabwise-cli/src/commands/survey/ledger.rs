//! The rows of a survey in a CSV file, each written and flushed when it is known.
//!
//! A file that was begun is gone on with if its header and the games of its rows are those of the
//! survey. A last line without an end was torn, and is cut off.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::Row;
use crate::{commands::export::field, error::Failure};

pub struct Ledger {
    path: PathBuf,
    file: File,
    rows: Vec<Row>,
}

impl Ledger {
    /// Opens a file, or begins it; `game` says what the game of a number is.
    pub fn open(
        path: &Path,
        header: &[String],
        game: impl Fn(u64) -> Result<String, Failure>,
    ) -> Result<Ledger, Failure> {
        let failed = |source| Failure::File { path: path.into(), source };
        if path.exists() && !path.is_file() {
            let line = format!("{} is no file in which rows can be kept", path.display());
            return Err(Failure::Input(line));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = line(header);
        let other = || {
            let line = format!(
                "{} holds the rows of another survey, or something else; name another file",
                path.display()
            );
            Failure::Input(line)
        };
        // A line may be torn anywhere, within a letter too.
        let (whole, torn) =
            bytes.split_at(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1));
        let whole = str::from_utf8(whole).map_err(|_| other())?;
        let begun = match whole.strip_prefix(&header) {
            Some(begun) => begun,
            None if whole.is_empty() && header.as_bytes().starts_with(torn) => "",
            None => return Err(other()),
        };
        let sized = super::header(None).len() + 1 == cells(&header).len();
        let mut rows = vec![];
        for line in begun.lines() {
            let row = read(&cells(line), sized).ok_or_else(other)?;
            if game(row.n).ok().as_ref() != Some(&row.game) {
                return Err(other());
            }
            rows.push(row);
        }
        let mut ledger = Ledger { path: path.into(), file, rows };
        ledger.begin(&header, whole.len()).map_err(failed)?;
        Ok(ledger)
    }

    /// Cuts off what was torn, and writes the header if it is not there.
    fn begin(&mut self, header: &str, whole: usize) -> io::Result<()> {
        self.file.set_len(whole as u64)?;
        self.file.seek(SeekFrom::End(0))?;
        if whole == 0 { self.file.write_all(header.as_bytes()) } else { Ok(()) }
    }

    /// Whether some row has no distance, because it was found by search.
    pub fn searched(&self) -> bool {
        self.rows.iter().any(|row| row.distance.is_none())
    }

    pub fn row(&self, n: u64) -> Option<&Row> {
        self.rows.iter().find(|row| row.n == n)
    }

    pub fn add(&mut self, row: &Row, sized: bool) -> Result<(), Failure> {
        let written = self.file.write_all(line(&row.cells(sized)).as_bytes());
        let flushed = written.and_then(|()| self.file.sync_data());
        flushed.map_err(|source| Failure::File { path: self.path.clone(), source })
    }
}

fn line(cells: &[String]) -> String {
    cells.iter().map(|cell| field(cell)).collect::<Vec<_>>().join(",") + "\n"
}

/// The cells of a line, which may be quoted as RFC 4180 has it.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().expect("there is always one");
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cell.push(letter),
        }
    }
    cells
}

fn read(cells: &[String], sized: bool) -> Option<Row> {
    let told = |cell: &str| match cell {
        "-" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let (size, rest) = if sized { (told(cells.get(2)?)?, 3) } else { (None, 2) };
    let [outcome, distance, nimber, winning, kinds, seconds, notes] = cells.get(rest..)? else {
        return None;
    };
    Some(Row {
        n: cells[0].parse().ok()?,
        game: cells[1].clone(),
        size,
        outcome: outcome.clone(),
        distance: told(distance)?,
        nimber: told(nimber)?,
        winning: winning.parse().ok()?,
        kinds: told(kinds)?,
        seconds: seconds.parse().ok()?,
        notes: notes.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_written_can_be_read() {
        let mut row = Row {
            n: 3,
            game: "cycles:theta=3,\"4\",5".into(),
            size: Some(12),
            outcome: "N".into(),
            distance: None,
            nimber: Some(2),
            winning: 4,
            kinds: Some(1),
            seconds: 0.25,
            notes: "parity disagrees; more".into(),
        };
        assert_eq!(read(&cells(&line(&row.cells(true))), true), Some(row.clone()));
        assert_eq!(read(&cells(&line(&row.cells(true))), false), None);
        row.size = None;
        assert_eq!(read(&cells(&line(&row.cells(false))), false), Some(row));
    }
}
