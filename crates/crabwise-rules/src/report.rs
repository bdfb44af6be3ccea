//! What is wrong with a text, where, and what would be right: as plain data for an editor, and printed for a
//! terminal with the line and a mark under the piece that is meant.

use std::fmt::Write;

use crate::syntax::Span;

/// A mistake in the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The piece of text that is underlined. An empty one at the very beginning means none: then what is wrong is
    /// not in the text.
    pub span: Span,
    /// What is wrong, in one line.
    pub what: String,
    /// What would be right, in one line; empty if the first line says it all.
    pub remedy: String,
    /// Another piece of text that belongs to it, with a few words: "first used with 2 arguments".
    pub other: Option<(Span, String)>,
}

impl Mistake {
    /// A mistake at one place.
    pub fn new(span: Span, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake { span, what: what.into(), remedy: remedy.into(), other: None }
    }

    /// It has to do with another place too.
    pub fn beside(mut self, span: Span, words: impl Into<String>) -> Mistake {
        self.other = Some((span, words.into()));
        self
    }

    /// Whether it is about something outside the text, such as a parameter that was typed.
    pub fn is_outside(&self) -> bool {
        self.span.start == 0 && self.span.end == 0
    }

    /// In one line, with its place.
    pub fn line(&self, file: &str, text: &str) -> String {
        let place = match self.is_outside() {
            true => file.to_string(),
            false => {
                let at = Place::of(text, self.span);
                format!("{file}:{}:{}", at.line, at.column)
            }
        };
        match self.remedy.is_empty() {
            true => format!("{place}: {}", self.what),
            false => format!("{place}: {}; {}", self.what, self.remedy),
        }
    }
}

/// Where a piece of text stands, as editors count: lines and characters from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line in which it begins.
    pub line: u32,
    /// Its first character in that line.
    pub column: u32,
    /// The line in which it ends.
    pub end_line: u32,
    /// The character after its last one.
    pub end_column: u32,
}

impl Place {
    /// The place of a piece of a text. What lies beyond the text is at its end.
    pub fn of(text: &str, span: Span) -> Place {
        let (line, column) = line_and_column(text, span.start as usize);
        let (end_line, end_column) = line_and_column(text, span.end.max(span.start) as usize);
        Place { line, column, end_line, end_column }
    }
}

fn line_and_column(text: &str, byte: usize) -> (u32, u32) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let (mut line, mut column) = (1, 1);
    let mut characters = before.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = character == '\n' || character == '\r' && characters.peek() != Some(&'\n');
        (line, column) = if ends { (line + 1, 1) } else { (line, column + 1) };
    }
    (line, column)
}

/// How many mistakes are printed at most: after those, repair some first.
pub const MOST_PRINTED: usize = 10;

/// The mistakes with their lines, each underlined, in the order of the text.
pub fn printed(mistakes: &[Mistake], file: &str, text: &str) -> String {
    let mut sorted: Vec<&Mistake> = mistakes.iter().collect();
    sorted.sort_by_key(|mistake| mistake.span.start);
    let mut printed = String::new();
    for mistake in sorted.iter().take(MOST_PRINTED) {
        print(&mut printed, mistake, file, text).expect("strings take everything");
    }
    if let Some(more @ 1..) = sorted.len().checked_sub(MOST_PRINTED) {
        let mistakes = if more == 1 { "mistake" } else { "mistakes" };
        let _ = writeln!(printed, "and {more} more {mistakes}");
    }
    printed
}

fn print(to: &mut String, mistake: &Mistake, file: &str, text: &str) -> std::fmt::Result {
    if mistake.is_outside() {
        return writeln!(to, "{}", mistake.line(file, text));
    }
    let at = Place::of(text, mistake.span);
    let other = mistake.other.as_ref().map(|(span, words)| (Place::of(text, *span), words));
    let last = other.map_or(at.line, |(other, _)| other.line.max(at.line));
    let wide = last.to_string().len();
    writeln!(to, "{file}:{}:{}: {}", at.line, at.column, mistake.what)?;
    match other {
        Some((other, words)) if other.line < at.line => {
            underlined(to, wide, text, other, '-', words)?;
            underlined(to, wide, text, at, '^', &mistake.remedy)
        }
        Some((other, words)) => {
            underlined(to, wide, text, at, '^', &mistake.remedy)?;
            underlined(to, wide, text, other, '-', words)
        }
        None => underlined(to, wide, text, at, '^', &mistake.remedy),
    }
}

/// A line of the text, marks below the piece of it, and some words.
fn underlined(
    to: &mut String,
    wide: usize,
    text: &str,
    at: Place,
    mark: char,
    words: &str,
) -> std::fmt::Result {
    // A tab is as wide as a space here, so that the marks stand where they should.
    let line: String = lines(text)
        .nth(at.line as usize - 1)
        .unwrap_or("")
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let length = line.chars().count();
    let end = if at.end_line > at.line { length + 1 } else { at.end_column as usize };
    let column = at.column as usize;
    let marks = end.min(length + 1).saturating_sub(column).max(1);
    writeln!(to, "{:>wide$} | {}", at.line, line.trim_end())?;
    let under = format!("{}{}", " ".repeat(column - 1), mark.to_string().repeat(marks));
    writeln!(to, "{:wide$} | {}", "", format!("{under} {words}").trim_end())
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, piece: &str) -> Span {
        let start = text.find(piece).unwrap();
        Span { start: start as u32, end: (start + piece.len()) as u32 }
    }

    #[test]
    fn the_piece_is_underlined_whatever_ends_the_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("\u{feff}players x, ö{end}\tmove C if C is emty");
            let mistake =
                Mistake::new(span(&text, "emty"), "no word 'emty'", "did you mean 'empty'?");
            assert_eq!(
                printed(&[mistake], "g.rules", &text),
                "g.rules:2:17: no word 'emty'\n\
                 2 |  move C if C is emty\n\
                 \x20 |                 ^^^^ did you mean 'empty'?\n"
            );
        }
    }

    #[test]
    fn both_places_come_in_the_order_of_the_text() {
        let text = "ahead(x, A)\n\nahead(x)";
        let mistake =
            Mistake::new(span(text, "ahead(x)"), "'ahead' has 1 argument here", "give it 2")
                .beside(span(text, "ahead(x, A)"), "and 2 here");
        assert_eq!(
            printed(&[mistake], "f", text),
            "f:3:1: 'ahead' has 1 argument here\n1 | ahead(x, A)\n  | ----------- and 2 here\n\
             3 | ahead(x)\n  | ^^^^^^^^ give it 2\n"
        );
    }

    #[test]
    fn places_beyond_the_text_and_inside_letters_are_places_too() {
        for text in ["", "é", "a\nb", "\u{feff}"] {
            for start in 0..6 {
                for end in 0..6 {
                    let mistake = Mistake::new(Span { start, end }, "this", "that");
                    assert!(printed(&[mistake], "f", text).starts_with('f'), "{text:?} {start}");
                }
            }
        }
    }

    #[test]
    fn many_mistakes_are_cut_short_and_what_was_typed_has_no_line() {
        let many = vec![Mistake::new(Span { start: 1, end: 2 }, "no", ""); MOST_PRINTED + 2];
        assert!(printed(&many, "f", "abc").ends_with("and 2 more mistakes\n"));
        let typed = Mistake::new(Span::default(), "no parameter 'colums'", "the file has columns");
        assert_eq!(
            printed(&[typed], "f", "abc"),
            "f: no parameter 'colums'; the file has columns\n"
        );
    }
}
