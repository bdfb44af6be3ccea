//! Somebody else's solution, held against the table: where the two differ, and at which position.
//!
//! A file is one of three things. The form in which the game was published, an array with a byte a code or rows
//! `name;rest`, is written anew from the table and compared with what is there. A list of positions, CSV or JSON, is
//! looked up row by row.

mod array;
mod list;
mod rows;
#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek},
    path::Path,
};

use crabwise::{explore::LookError, watch::Watch};

use crate::{Error, Session, Target};

/// What came of the comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What the file was taken for.
    pub form: String,
    /// How many of its entries were compared.
    pub compared: u64,
    /// How many say something else than the table.
    pub differing: u64,
    /// The first of those.
    pub differences: Vec<Difference>,
}

/// An entry that says something else than the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Where it is in the file.
    pub place: String,
    /// The position.
    pub position: String,
    /// What the file says.
    pub file: String,
    /// What the table says.
    pub table: String,
}

/// How many differences are told one by one.
const SHOWN: usize = 20;

impl Comparison {
    fn of(form: impl Into<String>) -> Comparison {
        Comparison { form: form.into(), compared: 0, differing: 0, differences: vec![] }
    }

    /// Counts a difference, and keeps what `tell` says of it if it is among the first.
    fn differ(&mut self, tell: impl FnOnce() -> Difference) {
        self.differing += 1;
        if self.differences.len() < SHOWN {
            self.differences.push(tell());
        }
    }
}

/// A line of moves, as people copy it: one word each or all in one. A position in brackets or parentheses is one
/// word, however many blanks are in it.
pub fn words<S: AsRef<str>>(moves: &[S]) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    // The bracket that is open, what closes it, and how many of its kind are open.
    let mut open: Option<([char; 2], usize)> = None;
    for word in moves.iter().flat_map(|word| word.as_ref().split_whitespace()) {
        match words.last_mut() {
            Some(begun) if open.is_some() => *begun += word,
            _ => words.push(word.into()),
        }
        let begun = match word.chars().next() {
            Some('[') => Some((['[', ']'], 0)),
            Some('(') => Some((['(', ')'], 0)),
            _ => None,
        };
        open = open.or(begun).and_then(|([one, other], deep)| {
            let deep =
                (deep + word.matches(one).count()).saturating_sub(word.matches(other).count());
            (deep > 0).then_some(([one, other], deep))
        });
    }
    words
}

impl Target {
    /// A line of moves, as people copy it. What the game reads as a position is one word, blanks and all.
    pub fn line<S: AsRef<str>>(&self, moves: &[S]) -> Result<Vec<String>, LookError> {
        let game = &self.built.game;
        let Some((first, rest)) = moves.split_first() else { return Ok(vec![]) };
        let is_spaced = first.as_ref().contains(char::is_whitespace);
        let spaced = first.as_ref().trim();
        for word in [first.as_ref(), spaced] {
            if is_spaced && game.board(&[word.to_string()]).is_ok() {
                let whole = [&[word.to_string()], &words(rest)[..]].concat();
                return game.board(&whole).map(|_| whole);
            }
        }
        let line = words(moves);
        match game.board(&line) {
            Ok(_) => Ok(line),
            // What was meant for a position is told as one.
            Err(_) if is_spaced && !spaced.starts_with(['[', '(']) => {
                match game.board(&[spaced.to_string()]) {
                    Err(wrong @ LookError::NoSuchPosition { .. }) => Err(wrong),
                    _ => game.board(&line).map(|_| line),
                }
            }
            Err(error) => Err(error),
        }
    }
}

/// What a file is taken for.
enum Form {
    Array,
    /// Rows of the published file of this number.
    Rows(usize),
    Csv,
    Json,
}

impl Session {
    /// Compares a file with the table. Errors that are the file's name it by `path`.
    pub fn compare(
        &self,
        target: &Target,
        path: &Path,
        file: File,
        watch: &dyn Watch,
    ) -> Result<Comparison, Error> {
        let foreign = |why: String| Error::Foreign { file: path.to_path_buf(), why };
        let form = self.form(target, path, &file).map_err(foreign)?;
        let form = form.map_err(foreign)?;
        let mut file = BufReader::with_capacity(1 << 16, file);
        file.rewind().map_err(|error| foreign(error.to_string()))?;
        match form {
            Form::Array => self.compare_array(target, &mut file, watch, &foreign),
            Form::Rows(nth) => self.compare_rows(target, nth, &mut file, watch, &foreign),
            Form::Csv => self.compare_csv(target, file, watch, &foreign),
            Form::Json => self.compare_json(target, file, watch, &foreign),
        }
    }

    /// What a file can be seen to be before anything is solved.
    pub fn comparable(&self, target: &Target, path: &Path, file: &File) -> Result<(), Error> {
        let foreign = |why: String| Error::Foreign { file: path.to_path_buf(), why };
        self.form(target, path, file).map_err(foreign)?.map(|_| ()).map_err(foreign)
    }

    fn form(
        &self,
        target: &Target,
        path: &Path,
        file: &File,
    ) -> Result<Result<Form, String>, String> {
        let failed = |error: std::io::Error| error.to_string();
        let game = &target.built.game;
        let meta = file.metadata().map_err(failed)?;
        let codes = game.published_codes();
        if codes == Some(meta.len()) {
            return Ok(Ok(Form::Array));
        }
        let mut first = String::new();
        let mut file = BufReader::new(file);
        file.rewind().map_err(failed)?;
        let read = file.by_ref().take(LONGEST_HEAD).read_line(&mut first);
        if read.is_err() {
            return Ok(Err(match codes {
                Some(codes) => format!(
                    "has {} bytes, and the original's array of {} has {codes}",
                    meta.len(),
                    target.name()
                ),
                None => "is no text, and the game was not published as an array".into(),
            }));
        }
        let named = path.file_name().and_then(|name| name.to_str());
        let nth = game.published_files().iter().position(|name| Some(*name) == named);
        let head = first.trim_start_matches('\u{FEFF}').trim();
        Ok(match (head.chars().next(), nth) {
            (None, _) => Err("is empty".into()),
            (Some('{' | '['), _) => Ok(Form::Json),
            (_, Some(nth)) if codes.is_none() => Ok(Form::Rows(nth)),
            (Some('('), None) if codes.is_none() && !game.published_files().is_empty() => {
                let names = game.published_files().join(" or ");
                Err(format!("does not tell which file of the original it is; name it {names}"))
            }
            _ => Ok(Form::Csv),
        })
    }
}

/// Bytes of a first line that are read to see what a file is.
const LONGEST_HEAD: u64 = 1 << 16;
