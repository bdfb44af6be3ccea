//! A strategy as a sheet to be printed: a grid of small boards, each with its number and how it
//! comes about above, and what is to be played and where that leads below.

use std::fmt::Write;

use crabwise::Picture;

use super::{
    board::{STYLE, ShapesShown, shapes},
    escaped, head, put, wrapped,
};

/// With more boards than this nobody would find the next one.
pub const MOST_CARDS: usize = 60;

/// A board of the sheet.
pub struct BoardCard {
    /// Above it: how the position comes about.
    pub above: String,
    pub picture: Picture,
    /// The move that is shown.
    pub play: String,
    /// Below it: what is played, and what after that.
    pub below: Vec<String>,
}

const COLUMNS: usize = 4;
const MARGIN: f64 = 36.0;
const WIDE: f64 = 210.0;
const GAP: f64 = 18.0;
/// The height of the highest board.
const BOARD: f64 = 150.0;
const LINE: f64 = 17.0;
/// Letters on a line of a card.
const LETTERS: usize = 27;
/// The largest unit that a board is drawn with, in pixels.
const LARGEST: f64 = 16.0;

/// The sheet, with lines about it at the top.
pub fn sheet(game: &str, about: &[String], cards: &[BoardCard]) -> String {
    let columns = COLUMNS.min(cards.len().max(2));
    let width = 2.0 * MARGIN + columns as f64 * (WIDE + GAP) - GAP;
    let letters = ((width - 2.0 * MARGIN) / 7.2) as usize;
    let about: Vec<String> = about.iter().flat_map(|line| wrapped(line, letters)).collect();
    let mut top = 48.0 + about.len() as f64 * 20.0 + 18.0;
    let mut out = String::new();
    for (n, row) in cards.chunks(columns).enumerate() {
        let room = RowHeight::new(row);
        for (i, card) in row.iter().enumerate() {
            let x = MARGIN + i as f64 * (WIDE + GAP);
            put_card(&mut out, card, n * columns + i + 1, (x, top, room));
        }
        top += room.height() + GAP;
    }
    let mut whole = head(width, top - GAP + MARGIN) + STYLE;
    put!(whole, "<title>{}</title>", escaped(&format!("{game}: {}", about.join(" "))));
    put!(whole, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    put!(whole, "<text x=\"{MARGIN}\" y=\"42\" class=\"title\">{}</text>", escaped(game));
    for (n, line) in about.iter().enumerate() {
        let y = 66.0 + n as f64 * 20.0;
        put!(whole, "<text x=\"{MARGIN}\" y=\"{y}\" class=\"small\">{}</text>", escaped(line));
    }
    whole + &out + "</svg>\n"
}

/// What the highest cards of a row take: lines above, the board in pixels, lines below.
#[derive(Clone, Copy)]
struct RowHeight {
    above: usize,
    board: f64,
    below: usize,
}

impl RowHeight {
    fn new(row: &[BoardCard]) -> RowHeight {
        let most = |lines: fn(&BoardCard) -> usize| row.iter().map(lines).max().unwrap_or(0);
        let board = row.iter().map(|card| card.picture.height * scale(&card.picture));
        RowHeight {
            above: most(|card| above(card).len()),
            board: board.fold(0.0, f64::max),
            below: most(|card| below(card).len()),
        }
    }

    fn height(&self) -> f64 {
        58.0 + (self.above + self.below) as f64 * LINE + self.board
    }
}

fn above(card: &BoardCard) -> Vec<String> {
    wrapped(&card.above, LETTERS)
}

fn below(card: &BoardCard) -> Vec<String> {
    card.below.iter().flat_map(|line| wrapped(line, LETTERS)).collect()
}

/// Pixels to the unit, so that the board fits.
fn scale(picture: &Picture) -> f64 {
    let (width, height) = (picture.width.max(1.0), picture.height.max(1.0));
    ((WIDE - 16.0) / width).min(BOARD / height).min(LARGEST)
}

fn put_card(
    out: &mut String,
    card: &BoardCard,
    number: usize,
    (x, y, room): (f64, f64, RowHeight),
) {
    let (middle, height) = (x + WIDE / 2.0, room.height());
    put!(out, "<g><title>{number}: {}</title>", escaped(&card.above));
    put!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{WIDE}\" height=\"{height:.1}\" rx=\"8\" \
         fill=\"none\" stroke=\"#c4c9d0\"/>"
    );
    let top = y + 24.0;
    put!(out, "<text x=\"{middle:.1}\" y=\"{top:.1}\" class=\"middle strong\">{number}</text>");
    for (n, line) in above(card).iter().enumerate() {
        let (y, line) = (top + (n + 1) as f64 * LINE, escaped(line));
        put!(out, "<text x=\"{middle:.1}\" y=\"{y:.1}\" class=\"middle small\">{line}</text>");
    }
    let board = top + room.above as f64 * LINE + 10.0;
    let (picture, scale) = (&card.picture, scale(&card.picture));
    let left = middle - picture.width * scale / 2.0;
    let shown = ShapesShown { losing: true, only: Some(&card.play) };
    let down = board + (room.board - picture.height * scale) / 2.0;
    shapes(out, picture, shown, (left, down, scale));
    for (n, line) in below(card).iter().enumerate() {
        let class = if n == 0 { "strong" } else { "small" };
        let (y, line) = (board + room.board + (n + 1) as f64 * LINE, escaped(line));
        put!(out, "<text x=\"{middle:.1}\" y=\"{y:.1}\" class=\"middle {class}\">{line}</text>");
    }
    put!(out, "</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_stand_in_rows_of_four() {
        let card = |n: usize| BoardCard {
            above: "at the start".into(),
            picture: Picture::of_text("x"),
            play: "a".into(),
            below: vec!["play a".into(); n],
        };
        let cards: Vec<BoardCard> = (0..6).map(card).collect();
        let drawn = sheet("toy", &["the first player wins".into()], &cards);
        assert_eq!(drawn.matches("<rect x=\"36.0\"").count(), 2);
        assert_eq!(drawn.matches("rx=\"8\"").count(), 6);
        assert!(drawn.contains("<title>6: at the start</title>"), "{drawn}");
    }
}
