//! Rows in a CSV file, each written and flushed when it is known.
//!
//! A file that was begun is gone on with if its header is the same; whether its rows are, is for
//! the caller to say. A last line without an end was torn, and is cut off.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crabwise_api::rows::field;

use crate::error::Failure;

pub struct ResultsLog {
    path: PathBuf,
    /// The file, if it was there.
    file: Option<File>,
    header: String,
    /// How many bytes of it are whole lines.
    whole: usize,
}

impl ResultsLog {
    /// Opens a file for the rows of `what`, and reads the rows that are there. Nothing is written yet.
    pub fn open(
        path: &Path,
        header: &[String],
        what: &str,
    ) -> Result<(ResultsLog, Vec<Vec<String>>), Failure> {
        let failed = |source| Failure::File { path: path.into(), source };
        if path.exists() && !path.is_file() {
            let line = format!("{} is no file in which rows can be kept", path.display());
            return Err(Failure::Input(line));
        }
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => Some(file),
            Err(source) if source.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(failed(source)),
        };
        let (mut bytes, header) = (vec![], line(header));
        if let Some(file) = &mut file {
            // Of something else no more is read than tells that it is.
            let mut begins = file.take(header.len() as u64);
            begins.read_to_end(&mut bytes).map_err(failed)?;
            if bytes == header.as_bytes() {
                file.read_to_end(&mut bytes).map_err(failed)?;
            }
        }
        // A line may be torn anywhere, within a letter too.
        let (whole, torn) =
            bytes.split_at(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1));
        let whole = str::from_utf8(whole).map_err(|_| other(path, what))?;
        let begun = match whole.strip_prefix(&header) {
            Some(begun) => begun,
            None if whole.is_empty() && header.as_bytes().starts_with(torn) => "",
            None => return Err(other(path, what)),
        };
        let rows = begun.lines().map(cells).collect();
        Ok((ResultsLog { path: path.into(), file, header, whole: whole.len() }, rows))
    }

    /// Cuts off what was torn, and writes the header if it is not there: rows may be added.
    pub fn begin(&mut self) -> Result<(), Failure> {
        let begun = self.cut_off();
        begun.map_err(|source| Failure::File { path: self.path.clone(), source })
    }

    fn cut_off(&mut self) -> io::Result<()> {
        let file = opened(&mut self.file, &self.path)?;
        file.set_len(self.whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        if self.whole == 0 { file.write_all(self.header.as_bytes()) } else { Ok(()) }
    }

    pub fn add(&mut self, cells: &[String]) -> Result<(), Failure> {
        let written = opened(&mut self.file, &self.path).and_then(|file| {
            file.write_all(line(cells).as_bytes())?;
            file.sync_data()
        });
        written.map_err(|source| Failure::File { path: self.path.clone(), source })
    }
}

/// The file, which is made if it was not there.
fn opened<'a>(file: &'a mut Option<File>, path: &Path) -> io::Result<&'a mut File> {
    Ok(match file {
        Some(file) => file,
        None => file.insert(File::create(path)?),
    })
}

/// The file holds something else than it should.
pub fn other(path: &Path, what: &str) -> Failure {
    let path = path.display();
    let line =
        format!("{path} holds the rows of another {what}, or something else; name another file");
    Failure::Input(line)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_were_written_can_be_read() {
        let row = ["3", "cycles:theta=3,\"4\",5", "", "a b; c"].map(str::to_string);
        assert_eq!(cells(&line(&row)), row);
    }
}
