//! A position as its game draws it, with what the shapes mean below.
//!
//! Tips of arrows are polygons of their own, because not every program shows markers. The moves of
//! a picture differ in width and dashes besides their colours.

use std::fmt::Write;

use crabwise::{
    Picture,
    game::picture::{Form, Shape, Tone},
};

use super::{escaped, head, put, wrapped};

/// Pixels to the unit of a picture, which is the height of its letters.
const SCALE: f64 = 18.0;
const MARGIN: f64 = 28.0;
/// The height of a line of text.
const LINE: f64 = 20.0;
/// The width of a letter of such a line, on average.
const LETTER: f64 = 7.2;
const NARROWEST: f64 = 500.0;

pub(super) const STYLE: &str = r##"<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #222; font-size: 14px }
.title { font-size: 22px; font-weight: 600 } .small { fill: #555 } .strong { font-weight: 600 }
.middle { text-anchor: middle }
.shape text { font-family: ui-monospace, Menlo, Consolas, monospace; text-anchor: middle; fill: #222 }
.shape line { stroke-linecap: round }
</style>
"##;

/// Which shapes are drawn.
#[derive(Clone, Copy)]
pub struct ShapesShown<'a> {
    /// Moves that lose.
    pub losing: bool,
    /// This move and no other.
    pub only: Option<&'a str>,
}

impl ShapesShown<'_> {
    fn shows(&self, shape: &Shape) -> bool {
        match (self.only, shape.tone) {
            (_, Tone::Move | Tone::Last) => false,
            (Some(only), Tone::Win | Tone::Even | Tone::Loss) => {
                shape.name.as_deref() == Some(only)
            }
            (_, Tone::Loss) => self.losing,
            _ => true,
        }
    }
}

/// The drawing of a position: the game, lines about it, the board, what its shapes mean.
pub fn board(game: &str, about: &[String], picture: &Picture, losing: bool) -> String {
    let (wide, high) = (picture.width * SCALE, picture.height * SCALE);
    let width = (wide + 2.0 * MARGIN).max(NARROWEST);
    let letters = ((width - 2.0 * MARGIN) / LETTER) as usize;
    let lines: Vec<String> = about.iter().flat_map(|line| wrapped(line, letters)).collect();
    let top = 44.0 + lines.len() as f64 * LINE + 12.0;
    let shown = ShapesShown { losing, only: None };
    let meanings = meanings(picture, shown);
    let height = top + high + meanings.len() as f64 * LINE + MARGIN;
    let mut out = head(width, height) + STYLE;
    put!(out, "<title>{}</title>", escaped(&format!("{game}: {}", about.join("; "))));
    put!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    put!(out, "<text x=\"{MARGIN}\" y=\"38\" class=\"title\">{}</text>", escaped(game));
    for (n, line) in lines.iter().enumerate() {
        let y = 62.0 + n as f64 * LINE;
        put!(out, "<text x=\"{MARGIN}\" y=\"{y}\" class=\"small\">{}</text>", escaped(line));
    }
    shapes(&mut out, picture, shown, ((width - wide) / 2.0, top, SCALE));
    for (n, (tone, meaning)) in meanings.iter().enumerate() {
        legend(&mut out, *tone, meaning, top + high + (n as f64 + 0.7) * LINE);
    }
    out + "</svg>\n"
}

/// What there is to explain, in the order in which it is explained.
fn meanings(picture: &Picture, shown: ShapesShown) -> Vec<(Tone, String)> {
    // What is shaded says why, up to a colon.
    let shaded = picture.shapes.iter().find(|one| one.tone == Tone::Hint);
    let why = shaded.and_then(|one| one.title.as_ref()?.split(':').next());
    let shaded = format!("shaded: {}", why.unwrap_or("deserves attention"));
    let all = [
        (Tone::Played, "heavy: has been played"),
        (Tone::Win, "green: a move that wins"),
        (Tone::Even, "amber, dotted: a move that holds the game even"),
        (Tone::Loss, "grey, dashed: a move that loses"),
        (Tone::Hint, &shaded),
    ];
    let there = |tone: Tone| picture.shapes.iter().any(|one| one.tone == tone);
    let drawn = |tone: Tone| there(tone) && (tone != Tone::Loss || shown.losing);
    let mut meanings: Vec<(Tone, String)> = (all.into_iter())
        .filter(|(tone, _)| drawn(*tone))
        .map(|(tone, meaning)| (tone, meaning.to_string()))
        .collect();
    let barred = |one: &Shape| one.tone == Tone::Gone && matches!(one.form, Form::Line { .. });
    if picture.shapes.iter().any(barred) {
        meanings.push((Tone::Gone, "thin, dotted: not allowed; its title says why".into()));
    }
    if there(Tone::Loss) && !there(Tone::Win) && !there(Tone::Even) {
        meanings.push((Tone::Label, "all moves lose".into()));
    }
    meanings
}

/// A line of text, after a sample of what it is about.
fn legend(out: &mut String, tone: Tone, meaning: &str, y: f64) {
    let form = match tone {
        Tone::Label => Form::Text { at: [0.9, 0.0], text: "–".into() },
        Tone::Hint => Form::Area(vec![[0.0, -0.3], [1.8, -0.3], [1.8, 0.4], [0.0, 0.4]]),
        _ => Form::Line { from: [0.0, 0.0], to: [1.8, 0.0], arrow: tone != Tone::Played },
    };
    let swatch = Shape::new(form, tone);
    let picture = Picture { width: 1.8, height: 1.0, shapes: vec![swatch] };
    shapes(out, &picture, ShapesShown { losing: true, only: None }, (MARGIN, y, SCALE));
    let (x, y) = (MARGIN + 2.4 * SCALE, y + 5.0);
    put!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"small\">{meaning}</text>");
}

/// The shapes of a picture at a place, `scale` pixels to the unit.
pub(super) fn shapes(
    out: &mut String,
    picture: &Picture,
    shown: ShapesShown,
    (x, y, scale): (f64, f64, f64),
) {
    let pen = Pen { x, y, scale };
    for shape in picture.shapes.iter().filter(|shape| shown.shows(shape)) {
        put!(out, "<g class=\"shape\">");
        if let Some(title) = &shape.title {
            put!(out, "<title>{}</title>", escaped(title));
        }
        pen.form(out, &shape.form, shape.tone);
        put!(out, "</g>");
    }
}

/// Where units become pixels.
struct Pen {
    x: f64,
    y: f64,
    scale: f64,
}

impl Pen {
    fn at(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        (self.x + x * self.scale, self.y + y * self.scale)
    }

    fn form(&self, out: &mut String, form: &Form, tone: Tone) {
        let colour = colour(tone);
        match form {
            Form::Area(points) => {
                let points = self.points(points);
                put!(
                    out,
                    "<polygon points=\"{points}\" fill=\"{}\" fill-opacity=\"{}\"{}/>",
                    colour,
                    opacity(tone),
                    outline(tone)
                );
            }
            Form::Line { from, to, arrow } => self.line(out, (*from, *to, *arrow), tone),
            Form::Disc { at, radius } => {
                let ((x, y), radius) = (self.at(*at), radius * self.scale);
                let fill = inside(tone);
                put!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" \
                     stroke=\"{colour}\" stroke-width=\"{:.1}\"/>",
                    0.09 * self.scale
                );
            }
            Form::Text { at, text } => {
                let ((x, y), text) = (self.at(*at), escaped(text));
                put!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" style=\"font-size:{:.1}px\" \
                     xml:space=\"preserve\">{text}</text>",
                    y + 0.35 * self.scale,
                    self.scale
                );
            }
        }
    }

    fn line(&self, out: &mut String, (from, to, arrow): ([f64; 2], [f64; 2], bool), tone: Tone) {
        let (width, colour) = (width(tone), colour(tone));
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = dx.hypot(dy).max(1e-9);
        let [ux, uy] = [dx / length, dy / length];
        let (long, half) = ((0.45 + 2.2 * width).min(length), 0.2 + 1.1 * width);
        let back =
            |by: f64, aside: f64| [to[0] - ux * by - uy * aside, to[1] - uy * by + ux * aside];
        // The shaft ends inside the head, which would be blunt otherwise.
        let end = if arrow { back(0.8 * long, 0.0) } else { to };
        let ((x1, y1), (x2, y2)) = (self.at(from), self.at(end));
        put!(
            out,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{colour}\" stroke-width=\"{:.1}\"{}/>",
            width * self.scale,
            if tone == Tone::Gone { " stroke-dasharray=\"2 3\"" } else { dashes(tone) }
        );
        if arrow {
            let points = self.points(&[to, back(long, half), back(long, -half)]);
            put!(out, "<polygon points=\"{points}\" fill=\"{colour}\"/>");
        }
    }

    fn points(&self, points: &[[f64; 2]]) -> String {
        let one = |point: &[f64; 2]| {
            let (x, y) = self.at(*point);
            format!("{x:.1},{y:.1}")
        };
        points.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Board | Tone::Shade | Tone::Gone => "#7b8794",
        Tone::First => "#2c5fa8",
        Tone::Second => "#d9772b",
        Tone::Piece => "#8a6d4b",
        Tone::Played | Tone::Last | Tone::Move => "#1d2733",
        Tone::Hint => "#f2c230",
        Tone::Win => "#1f8a46",
        Tone::Even => "#c98a00",
        Tone::Loss => "#b9bfc8",
        Tone::Label => "#222222",
    }
}

/// What a disc is filled with. Places and pieces have letters to be read on them.
fn inside(tone: Tone) -> &'static str {
    match tone {
        Tone::Board => "#fff",
        Tone::First => "#a9c6ee",
        Tone::Second => "#f6bd8c",
        Tone::Piece => "#d8c4a8",
        _ => colour(tone),
    }
}

/// How wide a line is, in units.
fn width(tone: Tone) -> f64 {
    match tone {
        Tone::Played => 0.3,
        Tone::Win | Tone::Hint => 0.2,
        Tone::Even | Tone::Loss => 0.14,
        Tone::First | Tone::Second => 0.25,
        _ => 0.1,
    }
}

/// How much of what lies behind an area is hidden by it.
fn opacity(tone: Tone) -> f64 {
    match tone {
        Tone::Board => 0.06,
        Tone::Shade => 0.3,
        Tone::Gone => 0.75,
        Tone::Hint | Tone::Win | Tone::Even => 0.45,
        Tone::First | Tone::Second | Tone::Piece | Tone::Played => 0.9,
        _ => 0.2,
    }
}

/// Areas of the board and moves have an outline, so that neighbours can be told apart, also without colour.
fn outline(tone: Tone) -> String {
    match tone {
        Tone::Hint => String::new(),
        _ => format!(" stroke=\"{}\" stroke-width=\"1.5\"{}", colour(tone), dashes(tone)),
    }
}

fn dashes(tone: Tone) -> &'static str {
    match tone {
        Tone::Even => " stroke-dasharray=\"1 5\"",
        Tone::Loss => " stroke-dasharray=\"6 5\"",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        let line = |tone, name: &str| Shape {
            form: Form::Line { from: [0.0, 1.0], to: [9.0, 1.0], arrow: true },
            tone,
            name: Some(name.into()),
            title: Some(format!("{name} <here>")),
        };
        let disc = Form::Disc { at: [1.0, 1.0], radius: 0.5 };
        let disc = Shape::new(disc, Tone::Board);
        let shapes = vec![disc, line(Tone::Win, "a"), line(Tone::Win, "b"), line(Tone::Loss, "c")];
        Picture { width: 10.0, height: 2.0, shapes }
    }

    #[test]
    fn losing_moves_are_left_out_unless_asked_for() {
        let about = ["first player to move".to_string()];
        let drawn = board("toy", &about, &picture(), false);
        assert!(drawn.contains("<title>a &lt;here&gt;</title>"), "{drawn}");
        assert!(!drawn.contains("<title>c") && !drawn.contains("a move that loses"), "{drawn}");
        assert!(!drawn.contains("all moves lose"), "{drawn}");
        let mut lost = picture();
        lost.shapes.retain(|shape| shape.tone != Tone::Win);
        assert!(board("toy", &about, &lost, false).contains("all moves lose"));
        let drawn = board("toy", &about, &picture(), true);
        assert!(drawn.contains("<title>c") && drawn.contains("a move that loses"), "{drawn}");
        // Three moves and their explanation, each with a tip.
        assert_eq!(drawn.matches("<polygon").count(), 5);
    }

    #[test]
    fn one_move_alone() {
        let mut out = String::new();
        shapes(
            &mut out,
            &picture(),
            ShapesShown { losing: true, only: Some("b") },
            (0.0, 0.0, 10.0),
        );
        assert_eq!(out.matches("<line").count(), 1);
        assert!(out.contains("points=\"90.0,10.0 "), "{out}");
        assert!(out.contains("<circle") && out.contains("<title>b"), "{out}");
    }
}
