//! A position as shapes.

use crabwise::{
    Picture,
    game::picture::{Form, Shape, Tone},
};
use serde::Serialize;

/// Shapes, those in front last, on a sheet that begins at (0, 0).
#[derive(Serialize)]
pub struct Drawing {
    width: f64,
    height: f64,
    shapes: Vec<Drawn>,
}

#[derive(Serialize)]
struct Drawn {
    #[serde(flatten)]
    form: Shaped,
    tone: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "form", rename_all = "lowercase")]
enum Shaped {
    Area { points: Vec<[f64; 2]> },
    Line { from: [f64; 2], to: [f64; 2], arrow: bool },
    Disc { at: [f64; 2], radius: f64 },
    Text { at: [f64; 2], text: String },
}

/// Places to a hundredth, which is less than a pixel.
fn round([x, y]: [f64; 2]) -> [f64; 2] {
    [x, y].map(|place| (place * 100.0).round() / 100.0)
}

impl From<Picture> for Drawing {
    fn from(Picture { width, height, shapes }: Picture) -> Drawing {
        Drawing { width, height, shapes: shapes.into_iter().map(Drawn::from).collect() }
    }
}

impl From<Shape> for Drawn {
    fn from(Shape { form, tone, name, title }: Shape) -> Drawn {
        let form = match form {
            Form::Area(points) => Shaped::Area { points: points.into_iter().map(round).collect() },
            Form::Line { from, to, arrow } => {
                Shaped::Line { from: round(from), to: round(to), arrow }
            }
            Form::Disc { at, radius } => Shaped::Disc { at: round(at), radius },
            Form::Text { at, text } => Shaped::Text { at: round(at), text },
        };
        let tone = match tone {
            Tone::Board => "board",
            Tone::Shade => "shade",
            Tone::Gone => "gone",
            Tone::First => "first",
            Tone::Second => "second",
            Tone::Piece => "piece",
            Tone::Played => "played",
            Tone::Hint => "hint",
            Tone::Move => "move",
            Tone::Last => "last",
            Tone::Win => "win",
            Tone::Even => "even",
            Tone::Loss => "loss",
            Tone::Label => "label",
        };
        Drawn { form, tone, name, title }
    }
}
