//! Drawings, written by hand as SVG: no crate at hand draws hatched bars or islands.
//!
//! Colours are never the only difference.

mod board;
mod curves;
mod histogram;
mod islands;
mod label_frames;
mod league;
mod plan;
mod positions;
mod sheet;
mod trace;

pub use self::{
    board::board,
    curves::{Panel, curves},
    histogram::histogram,
    islands::{MOST_ISLANDS, islands},
    label_frames::{LabelFrame, label_frames},
    league::league,
    plan::plan,
    positions::{MOST as MOST_POSITIONS, positions},
    sheet::{BoardCard, MOST_CARDS, sheet},
    trace::trace,
};

/// Writing to a string does not fail.
macro_rules! put {
    ($out:expr, $($what:tt)*) => { let _ = writeln!($out, $($what)*); };
}
use put;

/// The head of a drawing of this size.
fn head(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n"
    )
}

/// Text as it may stand in an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text on lines of at most `letters` letters, as far as its words are not longer.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrapped("a bb ccc dddddd", 6), ["a bb", "ccc", "dddddd"]);
        assert!(wrapped("", 6).is_empty());
    }
}
