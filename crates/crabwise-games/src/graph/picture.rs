//! An island and those that its bridges lead to, around it.

use std::f64::consts::TAU;

use crabwise::{
    Drawn, Game,
    game::picture::{Form, Picture, Shape, Tone},
};

use super::Pirates;
use crate::board_drawing::{label, trimmed};

/// Keys that are longer than this are cut on the picture; their titles are not.
const LONGEST: usize = 14;

impl Drawn for Pirates {
    fn picture(&self, at: &u32, _made: &[String]) -> Picture {
        let open = self.over(at).is_none();
        let bridges: Vec<_> = self.moves(at).into_iter().filter(|_| open).collect();
        let islands = || bridges.iter().map(|bridge| bridge.to).chain([*at]);
        let longest =
            islands().map(|to| cut(self.islands.key(to)).chars().count()).max().unwrap_or(0);
        let radius = 1.0 + 0.32 * longest as f64;
        // So far away that there is room for an arrow, and for all islands side by side.
        let side_by_side = bridges.len() as f64 * (2.0 * radius + 1.0) / TAU;
        let away = side_by_side.max(2.0 * radius + 3.0);
        let half = away + radius + 0.5;
        let middle = [half, half];
        let mut shapes = vec![];
        for (i, bridge) in bridges.iter().enumerate() {
            let angle = TAU * (i as f64 / bridges.len() as f64);
            let place = [half + away * angle.sin(), half - away * angle.cos()];
            let (from, to) = trimmed(middle, place, [radius; 2], 0.0);
            shapes.push(Shape::new(Form::Line { from, to, arrow: true }, Tone::Board));
            shapes.extend(self.island(bridge.to, place, radius, Some(bridge.to_string())));
        }
        shapes.extend(self.island(*at, middle, radius, None));
        Picture { width: 2.0 * half, height: 2.0 * half, shapes }
    }
}

impl Pirates {
    /// An island in the tone of whose turn it is there, with its key.
    fn island(&self, at: u32, place: [f64; 2], radius: f64, name: Option<String>) -> [Shape; 2] {
        let began = self.islands.mark(self.islands.start).side() == self.islands.mark(at).side();
        let tone = if began { Tone::First } else { Tone::Second };
        let disc = Shape::new(Form::Disc { at: place, radius }, tone).titled(self.islands.key(at));
        [Shape { name, ..disc }, label(place, cut(self.islands.key(at)))]
    }
}

/// A key in one line that is not too long.
fn cut(key: &str) -> String {
    let key: String = key.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    match key.char_indices().nth(LONGEST) {
        None => key,
        Some(_) => key.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}
