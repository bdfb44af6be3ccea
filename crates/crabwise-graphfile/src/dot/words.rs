//! The words of a DOT file: names, signs and arrows, without blanks and comments.
//!
//! Differing from the language's definition, `11A` is one name and not the number 11 and the name A; and a
//! `#` begins a comment wherever it stands between words.

use std::{io::Read, mem::take};

use crate::{ReadError, Source, quotable};

/// The longest name or text, in bytes.
const LONGEST: usize = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A name or a number, which may be a keyword.
    Bare,
    /// A text in quotation marks or angle brackets, which is never a keyword.
    Quoted,
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// One of `{}[]=;,:`
    Sign(u8),
    End,
}

/// A file as words, one of which is in sight.
pub(super) struct Words<'a, R> {
    source: &'a mut Source<R>,
    pub(super) word: Word,
    /// The text of a name.
    pub(super) text: String,
    /// The line on which the word begins.
    pub(super) line: u64,
}

impl<'a, R: Read> Words<'a, R> {
    /// The word in sight, for an error.
    pub(super) fn found(&self) -> String {
        match self.word {
            Word::Bare | Word::Quoted => format!("'{}'", quotable(&self.text)),
            Word::Arrow => "'->'".into(),
            Word::Line => "'--'".into(),
            Word::Sign(sign) => format!("'{}'", char::from(sign)),
            Word::End => "the end of the file".into(),
        }
    }

    /// Whether the word in sight is this sign.
    pub(super) fn is_sign(&self, sign: u8) -> bool {
        self.word == Word::Sign(sign)
    }

    /// Passes over this sign, which must be in sight.
    pub(super) fn expect(&mut self, sign: u8) -> Result<(), ReadError> {
        if !self.is_sign(sign) {
            let sign = char::from(sign);
            return self.bad(format!("{} instead of '{sign}'", self.found()));
        }
        self.next()
    }

    pub(super) fn new(source: &'a mut Source<R>) -> Result<Words<'a, R>, ReadError> {
        let mut words = Words { source, word: Word::End, text: String::new(), line: 1 };
        words.next()?;
        Ok(words)
    }

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.word == Word::Bare && self.text.eq_ignore_ascii_case(keyword)
    }

    pub(super) fn is_name(&self) -> bool {
        matches!(self.word, Word::Bare | Word::Quoted)
    }

    pub(super) fn bad<T>(&self, text: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::on_line(self.line, text))
    }

    /// Goes on to the next word.
    pub(super) fn next(&mut self) -> Result<(), ReadError> {
        self.skip_blanks()?;
        self.line = self.source.line();
        let mut text = take(&mut self.text).into_bytes();
        text.clear();
        self.word = match self.source.peek()? {
            None => Word::End,
            Some(b'"') => self.quoted(&mut text)?,
            Some(b'<') => self.bracketed(&mut text)?,
            Some(b'-') => self.after_dash(&mut text)?,
            Some(sign @ (b'{' | b'}' | b'[' | b']' | b'=' | b';' | b',' | b':')) => {
                self.source.take(1);
                Word::Sign(sign)
            }
            Some(byte) if is_letter(byte) || byte == b'.' => self.bare(&mut text)?,
            Some(byte) => {
                let sign = char::from(byte).escape_debug();
                return self
                    .bad(format!("'{sign}' means nothing here; put names in quotation marks"));
            }
        };
        // The source is UTF-8, and names end only where ASCII begins.
        self.text = String::from_utf8(text).unwrap_or_default();
        Ok(())
    }

    fn skip_blanks(&mut self) -> Result<(), ReadError> {
        loop {
            match self.source.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.source.take(1),
                Some(b'#') => self.skip_line()?,
                Some(b'/') => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), ReadError> {
        while self.source.peek()?.is_some_and(|byte| byte != b'\n') {
            self.source.take(1);
        }
        Ok(())
    }

    fn skip_comment(&mut self) -> Result<(), ReadError> {
        self.line = self.source.line();
        self.source.take(1);
        match self.source.peek()? {
            Some(b'/') => self.skip_line(),
            Some(b'*') => {
                self.source.take(1);
                let mut star = false;
                while let Some(byte) = self.source.peek()? {
                    self.source.take(1);
                    if star && byte == b'/' {
                        return Ok(());
                    }
                    star = byte == b'*';
                }
                self.bad("this comment is never closed")
            }
            _ => self.bad("'/' means nothing here; put names in quotation marks"),
        }
    }

    /// Takes a byte into the text.
    fn keep(&mut self, byte: u8, text: &mut Vec<u8>) -> Result<(), ReadError> {
        if text.len() == LONGEST {
            return self.bad(format!("a name or text of more than {LONGEST} bytes"));
        }
        text.push(byte);
        self.source.take(1);
        Ok(())
    }

    /// An arrow, a line, or a number below zero.
    fn after_dash(&mut self, text: &mut Vec<u8>) -> Result<Word, ReadError> {
        self.source.take(1);
        let word = match self.source.peek()? {
            Some(b'>') => Word::Arrow,
            Some(b'-') => Word::Line,
            Some(byte) if byte.is_ascii_digit() || byte == b'.' => {
                text.push(b'-');
                return self.bare(text);
            }
            _ => return self.bad("'-' means nothing here; an edge is written -> or --"),
        };
        self.source.take(1);
        Ok(word)
    }

    fn bare(&mut self, text: &mut Vec<u8>) -> Result<Word, ReadError> {
        while let Some(byte) = self.source.peek()? {
            let number =
                text.first().is_none_or(|first| !is_letter(*first) || first.is_ascii_digit());
            if !(is_letter(byte) || byte == b'.' && number) {
                break;
            }
            self.keep(byte, text)?;
        }
        Ok(Word::Bare)
    }

    /// A text in quotation marks, and those that are added to it by `+`.
    fn quoted(&mut self, text: &mut Vec<u8>) -> Result<Word, ReadError> {
        let line = self.line;
        loop {
            self.source.take(1);
            self.quoted_part(text)?;
            self.skip_blanks()?;
            self.line = line; // which a comment may have moved
            if self.source.peek()? != Some(b'+') {
                return Ok(Word::Quoted);
            }
            self.source.take(1);
            self.skip_blanks()?;
            self.line = line;
            if self.source.peek()? != Some(b'"') {
                return self.bad("after + comes another text in quotation marks");
            }
        }
    }

    fn quoted_part(&mut self, text: &mut Vec<u8>) -> Result<(), ReadError> {
        loop {
            match self.source.peek()? {
                None => return self.bad("this quotation mark is never closed"),
                Some(b'"') => {
                    self.source.take(1);
                    return Ok(());
                }
                Some(b'\\') => {
                    self.source.take(1);
                    self.escape(text)?;
                }
                Some(byte) => self.keep(byte, text)?,
            }
        }
    }

    /// What comes after a backslash: only quotation marks, backslashes and line ends are special.
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), ReadError> {
        match self.source.peek()? {
            Some(byte @ (b'"' | b'\\')) => self.keep(byte, text),
            Some(b'\n') => {
                self.source.take(1);
                Ok(())
            }
            Some(b'\r') => {
                self.source.take(1);
                if self.source.peek()? == Some(b'\n') {
                    self.source.take(1);
                }
                Ok(())
            }
            _ => {
                text.push(b'\\');
                Ok(())
            }
        }
    }

    /// A text with markup; the brackets in it come in pairs.
    fn bracketed(&mut self, text: &mut Vec<u8>) -> Result<Word, ReadError> {
        self.source.take(1);
        let mut depth = 1;
        while let Some(byte) = self.source.peek()? {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.source.take(1);
                return Ok(Word::Quoted);
            }
            self.keep(byte, text)?;
        }
        self.bad("this angle bracket is never closed")
    }
}

/// What names are made of; all that is not ASCII belongs to names.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
