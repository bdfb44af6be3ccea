//! Boards as shapes: arrows played and arrows that win, cells that are one edge short.

use crabwise::{
    Drawn, Game,
    game::picture::{Form, Picture, Shape, Tone},
};

use super::rules::{Arrow, Cycles, Marks};
use crate::board_drawing::trimmed;

/// The shortest edge is drawn at least so long, in heights of a letter.
const SHORTEST: f64 = 5.0;
/// No board is drawn wider or higher than this.
const LARGEST: f64 = 60.0;
/// What is left free around the board.
const MARGIN: f64 = 2.0;
/// How large a vertex is.
const RADIUS: f64 = 0.75;

impl Drawn for Cycles {
    fn picture(&self, at: &Marks, _made: &[String]) -> Picture {
        let (places, width, height) = self.placed();
        let mut shapes = vec![];
        for (cell, outline) in
            self.outlines.iter().enumerate().filter(|(cell, _)| self.is_closed(*cell, at))
        {
            let outline: Vec<[f64; 2]> = outline.iter().map(|&v| places[v]).collect();
            let title = format!("closed: cell {}", cell + 1);
            shapes.push(shape(Form::Area(outline), Tone::Hint, title));
        }
        for (cell, arrow) in self.short(at) {
            let outline = self.outlines[cell].iter().map(|&v| places[v]).collect();
            let title = format!("one edge short: {arrow} closes it");
            shapes.push(shape(Form::Area(outline), Tone::Hint, title));
        }
        for (e, edge) in self.board.edges.iter().enumerate() {
            let played = at.marked >> e & 1 == 1;
            let arrow = Arrow::new(&self.board, e, at.forward >> e & 1 == 1);
            let [from, to] = if played { arrow.ends() } else { *edge }.map(|v| places[v]);
            let (from, to) = trimmed(from, to, [RADIUS; 2], 0.0);
            let tone = if played { Tone::Played } else { Tone::Board };
            let title = if played { arrow.to_string() } else { self.unmarked(e) };
            shapes.push(shape(Form::Line { from, to, arrow: played }, tone, title));
        }
        let open = self.over(at).is_none();
        for arrow in self.moves(at).into_iter().filter(|_| open) {
            let name = arrow.to_string();
            let [from, to] = arrow.ends().map(|v| places[v]);
            // Beside the edge, on its right, so that both directions have room.
            let (from, to) = trimmed(from, to, [RADIUS + 0.5; 2], 0.55);
            let form = Form::Line { from, to, arrow: true };
            shapes.push(Shape::new(form, Tone::Move).named(name));
        }
        for (arrow, why) in self.barred(at) {
            let [from, to] = arrow.ends().map(|v| places[v]);
            let (from, to) = trimmed(from, to, [RADIUS + 0.5; 2], 0.55);
            let form = Form::Line { from, to, arrow: true };
            shapes.push(shape(form, Tone::Gone, format!("{arrow} {why}")));
        }
        for (name, &at) in self.board.names.iter().zip(&places) {
            let disc = Form::Disc { at, radius: RADIUS };
            shapes.push(shape(disc, Tone::Board, format!("vertex {name}")));
            let text = Form::Text { at, text: name.clone() };
            shapes.push(Shape::new(text, Tone::Label));
        }
        Picture { width, height, shapes }
    }
}

fn shape(form: Form, tone: Tone, title: String) -> Shape {
    Shape::new(form, tone).titled(title)
}

impl Cycles {
    /// Where the vertices are on the sheet, and how large that is.
    fn placed(&self) -> (Vec<[f64; 2]>, f64, f64) {
        let places = &self.board.places;
        let range = |axis: usize| {
            let along = || places.iter().map(|place| place[axis]);
            let least = along().fold(f64::INFINITY, f64::min);
            let most = along().fold(f64::NEG_INFINITY, f64::max);
            if least <= most { (least, most) } else { (0.0, 0.0) }
        };
        let ((left, right), (bottom, top)) = (range(0), range(1));
        let length =
            |&[u, v]: &[usize; 2]| (places[u][0] - places[v][0]).hypot(places[u][1] - places[v][1]);
        let shortest = self.board.edges.iter().map(length).fold(f64::INFINITY, f64::min);
        let span = (right - left).max(top - bottom).max(f64::MIN_POSITIVE);
        let shortest = if shortest.is_finite() { shortest } else { span };
        let scale = (SHORTEST / shortest).max(14.0 / span).min(LARGEST / span);
        let place = |place: &[f64; 2]| {
            [(place[0] - left) * scale + MARGIN, (top - place[1]) * scale + MARGIN]
        };
        let size = |span: f64| span * scale + 2.0 * MARGIN;
        (places.iter().map(place).collect(), size(right - left), size(top - bottom))
    }
}
