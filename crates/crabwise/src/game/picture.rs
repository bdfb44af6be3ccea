//! A position as shapes: plain data to be drawn, on paper or on a page.
//!
//! The game says what is where and what it means; the drawing chooses colours and widths. x goes to
//! the right and y downwards, in a unit that is as long as the letters are high.
//!
//! A shape may have the name of a place or of a move. Wherever that is a decision which can be made, to
//! point at the shape is to make it, and the shape is coloured by what the decision is worth: so no game
//! draws values, and none says twice what is legal.

use super::{
    Game, Value,
    dynamic::{DynGame, DynPosition},
};

/// A game that draws its positions.
pub trait Drawn: Game {
    /// Whether [`Tone::First`] stands for the player to move instead, and [`Tone::Second`] for the other,
    /// because positions are turned around after every move and do not tell who began. A caller who knows that
    /// from the moves sets it right.
    const TURNED: bool = false;

    /// The position, once these decisions of a turn have been made. Shapes named like a decision that
    /// could come next are what people point at to make it; each should have one.
    fn picture(&self, at: &Self::Position, made: &[String]) -> Picture;
}

/// How a game draws a position, where this player is to move.
pub(crate) type PictureOf = fn(DynGame, &DynPosition, &[String], usize) -> Picture;

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
    /// The place or the move that it stands for, if it does for one.
    pub name: Option<String>,
    /// What is to be said about it, for a reader who points at it or cannot see it.
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
    /// Places of another kind, such as dark squares, goals or holes.
    Shade,
    /// What was part of the board and is no more.
    Gone,
    /// What the player who began owns.
    First,
    /// What the other player owns.
    Second,
    /// A piece of nobody, or of both.
    Piece,
    /// What has been played, by either player.
    Played,
    /// What deserves attention, such as what can be closed by one move.
    Hint,
    /// A way to move, which is nothing to be seen on the board itself.
    Move,
    /// What the last move touched.
    Last,
    /// A move that wins.
    Win,
    /// A move that holds the game even.
    Even,
    /// A move that loses.
    Loss,
    /// Names and numbers.
    Label,
}

impl Shape {
    /// A shape without name or title.
    pub fn new(form: Form, tone: Tone) -> Shape {
        Shape { form, tone, name: None, title: None }
    }

    /// The same shape for a place or a move.
    pub fn named(self, name: impl Into<String>) -> Shape {
        Shape { name: Some(name.into()), ..self }
    }

    /// The same shape with something to say about it.
    pub fn titled(self, title: impl Into<String>) -> Shape {
        Shape { title: Some(title.into()), ..self }
    }
}

impl Picture {
    /// The same picture with every decision that can be made next in the tone of what it is worth: ways to
    /// move change their tone, and over what is part of the board lies a copy in that tone.
    pub fn judged(self, choices: &[(String, Value)]) -> Picture {
        let mut shapes = vec![];
        for shape in self.shapes {
            let is_named = |choice: &&(String, Value)| shape.name.as_ref() == Some(&choice.0);
            let Some((name, value)) = choices.iter().find(is_named) else {
                shapes.push(shape);
                continue;
            };
            let tone = match value {
                Value::Win(_) => Tone::Win,
                Value::Tie(_) | Value::Draw => Tone::Even,
                Value::Loss(_) => Tone::Loss,
            };
            let title = Some(format!("{name}: {value}"));
            let over = Shape { tone, title, ..shape.clone() };
            if shape.tone != Tone::Move {
                shapes.push(Shape { name: None, ..shape });
            }
            shapes.push(over);
        }
        Picture { shapes, ..self }
    }

    /// The same picture with the players' tones exchanged.
    pub(crate) fn swapped(mut self) -> Picture {
        for shape in &mut self.shapes {
            shape.tone = match shape.tone {
                Tone::First => Tone::Second,
                Tone::Second => Tone::First,
                other => other,
            };
        }
        self
    }

    /// The same picture with what the last move touched in front, as the picture before it showed that.
    pub(crate) fn marked(mut self, before: Picture, last: &[String]) -> Picture {
        let touched = before
            .shapes
            .into_iter()
            .filter(|shape| shape.name.as_ref().is_some_and(|name| last.contains(name)));
        let mark = |shape: Shape| Shape { tone: Tone::Last, name: None, title: None, ..shape };
        self.shapes.extend(touched.map(mark));
        self
    }

    /// The picture of a game that draws with letters.
    pub fn of_text(text: &str) -> Picture {
        let lines: Vec<&str> = text.lines().collect();
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let (width, height) = (widest as f64 * 0.6 + 2.0, lines.len() as f64 * 1.25 + 2.0);
        let shape = |(i, line): (usize, &&str)| {
            // All lines are as wide as the widest, so that they stand below each other.
            let (at, text) = ([width / 2.0, i as f64 * 1.25 + 1.6], format!("{line:widest$}"));
            Shape::new(Form::Text { at, text }, Tone::Label)
        };
        Picture { width, height, shapes: lines.iter().enumerate().map(shape).collect() }
    }
}
