//! Records of cells, as in RFC 4180, one at a time.
//!
//! Blanks around a cell do not belong to it, and empty lines are no records. A record is kept whole, so it
//! has a greatest length: whatever a file does, no more than that is read before it is refused.

use std::{io::Read, str::from_utf8};

use csv_core::ReadRecordResult;

use crate::{ReadError, Source};

/// The longest record, in bytes.
const LONGEST: usize = 1 << 20;
/// The greatest number of cells in a record.
const MOST_CELLS: usize = 256;

/// A file as records, one of which is in sight.
pub struct Records<'a, R> {
    source: &'a mut Source<R>,
    core: csv_core::Reader,
    text: Box<[u8]>,
    /// Where each cell ends in the text.
    ends: Box<[usize]>,
    len: usize,
    line: u64,
    quotes: Quotes,
}

/// Where a record is, as far as quotation marks go. What parses it takes anything for a cell; but where a closing
/// mark stands in the middle of one, a mark is missing before, and rows that have nothing to do with each other have
/// become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quotes {
    /// At the beginning of a cell.
    Before,
    /// In a cell without marks.
    Plain,
    /// Between marks.
    Within,
    /// After a mark, which ends the cell or is the first of two that mean one.
    After,
    /// After that mark and a blank.
    Behind,
}

impl Quotes {
    /// Goes on over some bytes; whether each cell ends where its marks are closed.
    fn closed_at_the_end(&mut self, bytes: &[u8]) -> bool {
        if matches!(self, Quotes::Before | Quotes::Plain) && !bytes.contains(&b'"') {
            *self = match bytes.last() {
                None => *self,
                Some(b',' | b'\n' | b'\r') => Quotes::Before,
                Some(_) => Quotes::Plain,
            };
            return true;
        }
        for byte in bytes {
            *self = match (*self, byte) {
                (Quotes::Within, b'"') => Quotes::After,
                (Quotes::Within, _) => Quotes::Within,
                (Quotes::Before | Quotes::After, b'"') => Quotes::Within,
                (_, b',' | b'\n' | b'\r') => Quotes::Before,
                (Quotes::After | Quotes::Behind, b' ' | b'\t') => Quotes::Behind,
                (Quotes::After | Quotes::Behind, _) => return false,
                _ => Quotes::Plain,
            };
        }
        true
    }
}

impl<'a, R: Read> Records<'a, R> {
    /// The records of a file.
    pub fn new(source: &'a mut Source<R>) -> Records<'a, R> {
        let text = vec![0; LONGEST].into_boxed_slice();
        let ends = vec![0; MOST_CELLS].into_boxed_slice();
        let core = csv_core::Reader::new();
        Records { source, core, text, ends, len: 0, line: 0, quotes: Quotes::Before }
    }

    /// Goes on to the next record, if there is one.
    pub fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            while let Some(b'\n' | b'\r') = self.source.peek()? {
                self.source.take(1);
            }
            if self.source.peek()?.is_none() {
                return Ok(false);
            }
            self.line = self.source.line();
            self.read()?;
            if self.len != 1 || !self.cell(0).is_empty() {
                return Ok(true);
            }
        }
    }

    fn read(&mut self) -> Result<(), ReadError> {
        let (mut filled, mut ended) = (0, 0);
        loop {
            let chunk = self.source.chunk()?;
            let last = chunk.is_empty();
            // A record that the file ends in is ended by one more line end, unless quotes are open.
            let input = if last { b"\n" } else { chunk };
            let (text, ends) = (&mut self.text[filled..], &mut self.ends[ended..]);
            let (result, taken, written, cells) = self.core.read_record(input, text, ends);
            if !self.quotes.closed_at_the_end(&input[..taken]) {
                let wrong =
                    "a quotation mark closes a cell in the middle of it; perhaps one is missing";
                return Err(ReadError::on_line(self.line, wrong));
            }
            if !last {
                self.source.take(taken);
            }
            (filled, ended) = (filled + written, ended + cells);
            let wrong = match result {
                ReadRecordResult::Record | ReadRecordResult::End => break,
                ReadRecordResult::InputEmpty if !last => continue,
                ReadRecordResult::InputEmpty => {
                    "a quotation mark of this row is never closed".into()
                }
                ReadRecordResult::OutputFull => {
                    format!(
                        "a row of more than {LONGEST} bytes; perhaps a quotation mark is missing"
                    )
                }
                ReadRecordResult::OutputEndsFull => {
                    format!("more than {MOST_CELLS} cells in a row")
                }
            };
            return Err(ReadError::on_line(self.line, wrong));
        }
        self.len = ended;
        Ok(())
    }

    /// The line on which the record begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The cells of the record.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        (0..self.len).map(|place| self.cell(place))
    }

    /// How many cells the record has.
    pub fn count(&self) -> usize {
        self.len
    }

    /// A cell of the record, if it has it.
    pub fn get(&self, place: usize) -> Option<&str> {
        (place < self.len).then(|| self.cell(place))
    }

    fn cell(&self, place: usize) -> &str {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        // The source is UTF-8, and cut only at commas, quotation marks and line ends.
        from_utf8(&self.text[begin..self.ends[place]]).unwrap_or_default().trim_matches([' ', '\t'])
    }
}
