//! The bytes of a file, a chunk at a time: valid UTF-8, without a byte order mark, lines counted.
//!
//! A chunk ends where a character ends. Bytes that are no UTF-8 end the source where they stand, so that
//! an error before them is met before them.

use std::{
    io::{ErrorKind, Read},
    str::from_utf8,
};

use crate::ReadError;

const CHUNK: usize = 1 << 16;

/// A file on its way in.
pub struct Source<R> {
    inner: R,
    /// Bytes up to `begin` are taken, those up to `valid` are known to be UTF-8, and those up to
    /// `end` have been read.
    buffer: Box<[u8]>,
    begin: usize,
    valid: usize,
    end: usize,
    line: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Ended,
    /// What comes next is no UTF-8.
    Spoiled,
}

impl<R: Read> Source<R> {
    /// Reads the beginning of a file.
    pub fn open(inner: R) -> Result<Source<R>, ReadError> {
        let buffer = vec![0; CHUNK].into_boxed_slice();
        let (begin, valid, end, line, state) = (0, 0, 0, 1, State::Open);
        let mut source = Source { inner, buffer, begin, valid, end, line, state };
        // Enough to see how the file begins, even if it comes in small pieces.
        while source.end < CHUNK && source.more()? {}
        if source.buffer[..source.valid].starts_with("\u{feff}".as_bytes()) {
            source.begin = "\u{feff}".len();
        }
        Ok(source)
    }

    /// What has been read and not taken.
    pub fn beginning(&self) -> &[u8] {
        &self.buffer[self.begin..self.valid]
    }

    /// All that is left as one text, which must have at most `most` bytes.
    pub fn text(&mut self, most: usize) -> Result<String, ReadError> {
        let mut bytes = vec![];
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                // A chunk of UTF-8 ends where a character ends.
                return Ok(String::from_utf8(bytes).unwrap_or_default());
            }
            bytes.extend_from_slice(chunk);
            let count = chunk.len();
            if bytes.len() > most {
                return Err(ReadError::anywhere(format!("longer than {most} bytes")));
            }
            self.take(count);
        }
    }

    /// The line on which the next byte stands.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Some bytes that have not been taken; none at the end of the file.
    #[inline]
    pub fn chunk(&mut self) -> Result<&[u8], ReadError> {
        if self.begin == self.valid {
            self.refill()?;
        }
        Ok(&self.buffer[self.begin..self.valid])
    }

    /// The next byte, which stays there.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        Ok(self.chunk()?.first().copied())
    }

    /// Takes some bytes of the chunk.
    #[inline]
    pub fn take(&mut self, count: usize) {
        let taken = &self.buffer[self.begin..self.begin + count];
        self.line += taken.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.begin += count;
    }

    #[cold]
    fn refill(&mut self) -> Result<(), ReadError> {
        self.buffer.copy_within(self.begin..self.end, 0);
        (self.end, self.valid, self.begin) = (self.end - self.begin, 0, 0);
        while self.valid == 0 && self.more()? {}
        if self.valid == 0 && self.state == State::Spoiled {
            return Err(ReadError::on_line(
                self.line,
                "some bytes here are no UTF-8; save the file as UTF-8",
            ));
        }
        Ok(())
    }

    /// Reads on; whether there may be more.
    fn more(&mut self) -> Result<bool, ReadError> {
        if self.state != State::Open {
            return Ok(false);
        }
        let count = match self.inner.read(&mut self.buffer[self.end..]) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(true),
            Err(error) if error.kind() == ErrorKind::IsADirectory => {
                return Err(ReadError::anywhere("is a directory, not a file"));
            }
            Err(error) => return Err(ReadError::anywhere(format!("cannot be read: {error}"))),
        };
        self.end += count;
        if count == 0 {
            let whole = self.valid == self.end;
            self.state = if whole { State::Ended } else { State::Spoiled };
            return Ok(false);
        }
        if let Err(error) = from_utf8(&self.buffer[self.valid..self.end]) {
            self.valid += error.valid_up_to();
            // The last character may only be cut in two.
            if error.error_len().is_some() {
                self.state = State::Spoiled;
            }
        } else {
            self.valid = self.end;
        }
        Ok(self.state == State::Open)
    }
}
