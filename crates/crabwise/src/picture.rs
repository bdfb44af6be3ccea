//! A position as shapes: plain data for whoever draws it, on paper or on a page.
//!
//! The game says what is where and what it means; colours and widths are chosen by whoever draws. x goes to
//! the right and y downwards, in a unit that is as long as the letters are high.

use crate::{
    Game,
    explore::MoveInfo,
    untyped::{Position, Untyped},
};

/// A game that draws its positions.
pub trait Drawn: Game {
    /// The position, with what its moves are worth where the picture shows that.
    fn picture(&self, at: &Self::Position, moves: &[MoveInfo]) -> Picture;
}

/// How a game draws.
pub(crate) type PictureOf = fn(Untyped, &Position, &[MoveInfo]) -> Picture;

/// Shapes, those in front last, on a sheet that begins at (0, 0).
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// How wide the sheet is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// What is on it.
    pub shapes: Vec<Shape>,
}

/// A shape, and what it means.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// What it looks like.
    pub form: Form,
    /// What it stands for.
    pub tone: Tone,
    /// The move that it stands for, by name, if it does for one.
    pub of_move: Option<String>,
    /// What is to be said about it, for whoever points at it or cannot see it.
    pub title: Option<String>,
}

/// What a shape looks like.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// The inside of a closed line through these points.
    Area(Vec<[f64; 2]>),
    /// A straight line.
    Line {
        /// Where it begins.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
        /// Whether its end is a tip.
        arrow: bool,
    },
    /// A disc.
    Disc {
        /// Its middle.
        at: [f64; 2],
        /// How far it goes.
        radius: f64,
    },
    /// A word or a line of text around a point.
    Text {
        /// Its middle.
        at: [f64; 2],
        /// What it says.
        text: String,
    },
}

/// What a shape stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// The board itself.
    Board,
    /// What has been played.
    Played,
    /// What deserves attention, such as what can be closed by one move.
    Hint,
    /// A move that wins.
    Win,
    /// A move that holds the game even.
    Even,
    /// A move that loses.
    Loss,
    /// Names and numbers.
    Label,
}

impl Picture {
    /// The picture of a game that draws with letters.
    pub fn of_text(text: &str) -> Picture {
        let lines: Vec<&str> = text.lines().collect();
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let (width, height) = (widest as f64 * 0.6 + 2.0, lines.len() as f64 * 1.25 + 2.0);
        let shape = |(i, line): (usize, &&str)| {
            // All lines are as wide as the widest, so that they stand below each other.
            let form = Form::Text {
                at: [width / 2.0, i as f64 * 1.25 + 1.6],
                text: format!("{line:widest$}"),
            };
            Shape { form, tone: Tone::Label, of_move: None, title: None }
        };
        Picture { width, height, shapes: lines.iter().enumerate().map(shape).collect() }
    }
}
