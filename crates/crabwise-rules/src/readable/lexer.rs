//! Words, numbers and signs, and where a statement begins: at the left edge. Lines that are indented continue it.

use crate::{report::Mistake, syntax::Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind<'a> {
    /// Begins with a capital: stands for anything.
    Variable(&'a str),
    /// Begins with a small letter.
    Word(&'a str),
    Number(u32),
    /// What stands between quotation marks.
    Text(&'a str),
    Sign(&'static str),
    /// What was told to be wrong.
    Unreadable,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
    /// The line in which it stands, from 1.
    pub line: u32,
}

/// The tokens from one left edge to the next; at least one.
pub(super) type Statement<'a> = Vec<Token<'a>>;

/// Longer signs first.
const SIGNS: [&str; 16] =
    ["<=", ">=", "!=", "(", ")", ",", ":", "=", "<", ">", "+", "-", "*", "/", ".", "|"];
/// Numbers above this have no place in a game of this size.
pub(super) const MOST: u32 = 255;

/// All statements of a text, and what could not be read.
pub(super) fn statements<'a>(text: &'a str, mistakes: &mut Vec<Mistake>) -> Vec<Statement<'a>> {
    let mut statements: Vec<Statement> = vec![];
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut number = 0;
    while at < text.len() {
        number += 1;
        let rest = &text[at..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let mut tokens = vec![];
        let mut line = Line { text: &rest[..length], offset: at, number };
        line.tokens(&mut tokens, mistakes);
        let indented = rest.starts_with([' ', '\t']);
        match (tokens.first(), statements.last_mut()) {
            (None, _) => {}
            (Some(_), Some(last)) if indented => last.append(&mut tokens),
            (Some(first), None) if indented => mistakes.push(Mistake::new(
                first.span,
                "this line is indented, but there is no statement that it could continue",
                "a statement begins at the left edge",
            )),
            _ => statements.push(tokens),
        }
        at += length;
        at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
    }
    statements
}

/// One line, without its end.
struct Line<'a> {
    text: &'a str,
    offset: usize,
    number: u32,
}

impl<'a> Line<'a> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span { start: (self.offset + start) as u32, end: (self.offset + end) as u32 }
    }

    fn tokens(&mut self, tokens: &mut Vec<Token<'a>>, mistakes: &mut Vec<Mistake>) {
        let mut at = 0;
        while let Some(first) = self.text[at..].chars().next() {
            let rest = &self.text[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
                continue;
            }
            if rest.starts_with("--") {
                return;
            }
            // The x of 3x4 is no part of a longer word.
            let joined = tokens.last().is_some_and(|last: &Token| {
                let next = self.span(at, at).start == last.span.end;
                next && matches!(last.kind, Kind::Number(_)) && first == 'x'
            });
            let found = match joined {
                true => Ok((Kind::Word("x"), 1)),
                false => self.token(at, first),
            };
            match found {
                Ok((kind, length)) => {
                    let span = self.span(at, at + length);
                    tokens.push(Token { kind, span, line: self.number });
                    at += length;
                }
                Err((mistake, length)) => {
                    let span = mistake.span;
                    tokens.push(Token { kind: Kind::Unreadable, span, line: self.number });
                    mistakes.push(mistake);
                    at += length;
                }
            }
        }
    }

    /// The token at a place and its length, or what is wrong and how much of it.
    fn token(&self, at: usize, first: char) -> Result<(Kind<'a>, usize), (Mistake, usize)> {
        let rest = &self.text[at..];
        let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        if first.is_alphabetic() || first == '_' {
            let length = run(|c| c.is_alphanumeric() || c == '_');
            let word = &rest[..length];
            if first.is_uppercase() {
                return Ok((Kind::Variable(word), length));
            }
            if word.chars().any(char::is_uppercase) {
                let what = "a name is written in small letters";
                let remedy = format!("write '{}'", word.to_lowercase());
                return Err((Mistake::new(self.span(at, at + length), what, remedy), length));
            }
            return Ok((Kind::Word(word), length));
        }
        if first.is_ascii_digit() {
            return self.number(at);
        }
        if first == '"' {
            return match rest[1..].find('"') {
                Some(length) => Ok((Kind::Text(&rest[1..=length]), length + 2)),
                None => {
                    let span = self.span(at, self.text.len());
                    let what = "this quotation mark is never closed";
                    Err((Mistake::new(span, what, "put another \" after the text"), rest.len()))
                }
            };
        }
        if ["//", "#", "%", ";"].iter().any(|sign| rest.starts_with(sign)) {
            let span = self.span(at, at + if first == '/' { 2 } else { 1 });
            let what = "this does not begin a comment";
            return Err((Mistake::new(span, what, "comments begin with --"), rest.len()));
        }
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => Ok((Kind::Sign(sign), sign.len())),
            None => {
                let span = self.span(at, at + first.len_utf8());
                let what = format!("the sign '{}' means nothing here", first.escape_debug());
                let remedy = match first {
                    '≤' => "write <=",
                    '≥' => "write >=",
                    '≠' => "write !=",
                    '–' | '−' | '—' => "write -",
                    '?' => "a word that begins with a capital stands for anything",
                    _ => "",
                };
                Err((Mistake::new(span, what, remedy), first.len_utf8()))
            }
        }
    }

    /// `4x4` is three tokens: a number, the word `x`, a number.
    fn number(&self, at: usize) -> Result<(Kind<'a>, usize), (Mistake, usize)> {
        let rest = &self.text[at..];
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let after = &rest[length..];
        let size = after.strip_prefix('x').is_some_and(|after| {
            after.starts_with(|c: char| c.is_ascii_digit() || c.is_whitespace())
        });
        if after.starts_with(|c: char| c.is_alphabetic() || c == '_') && !size {
            let whole = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let whole = whole.unwrap_or(rest.len());
            let what = "a name does not begin with a digit";
            let remedy = "begin it with a letter";
            return Err((Mistake::new(self.span(at, at + whole), what, remedy), whole));
        }
        match rest[..length].parse() {
            Ok(number) if number <= MOST => Ok((Kind::Number(number), length)),
            _ => {
                let what = "this number is too large";
                let remedy = format!("numbers go from 0 to {MOST}");
                Err((Mistake::new(self.span(at, at + length), what, remedy), length))
            }
        }
    }
}
