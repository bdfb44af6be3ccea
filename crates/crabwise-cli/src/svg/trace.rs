//! How likely the moves at one view are over iterations: on the left now, on the right on average.

use std::fmt::Write;

use super::{
    curves::{COLOURS, DASHES, STYLE},
    escaped, head, put,
};
use crabwise_hidden::equilibrium::TracePoint;

const PANEL: f64 = 430.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 56.0;
const GAP: f64 = 30.0;
const LEGEND: f64 = 130.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 44.0;

/// The drawing of the moves at a view.
pub fn trace(title: &str, points: &[TracePoint]) -> String {
    let width = 2.0 * PANEL + LEGEND;
    let mut out = head(width, HEIGHT) + STYLE;
    let title = escaped(title);
    put!(out, "<title>{title}</title><rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"#fff\"/>");
    put!(out, "<text x=\"{LEFT}\" y=\"34\" class=\"title\">{title}</text>");
    let last = points.last().map_or(0, |point| point.iterations).max(1);
    let names = points.first().map_or(&[][..], |point| &point.moves);
    for (i, what) in ["now", "on average"].into_iter().enumerate() {
        let left = LEFT + PANEL * i as f64;
        axes(&mut out, left, last, what);
        for mv in 0..names.len() {
            let places = points.iter().filter_map(|point| {
                let seen = point.moves.get(mv)?;
                let likely = if i == 0 { Some(seen.now) } else { seen.average }?;
                let share = point.iterations as f64 / last as f64;
                Some(format!("{:.1} {:.1}", left + share * (PANEL - LEFT - GAP), height(likely)))
            });
            let places = places.collect::<Vec<_>>().join(" L");
            if !places.is_empty() {
                line(&mut out, mv, &format!("M{places}"));
            }
        }
    }
    for (mv, name) in names.iter().enumerate() {
        let (x, y) = (2.0 * PANEL + 8.0, TOP + 10.0 + 24.0 * mv as f64);
        line(&mut out, mv, &format!("M{x} {y} h30"));
        put!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 38.0, y + 5.0, escaped(&name.name));
    }
    out + "</svg>\n"
}

/// Moves differ by colour, and by dashes so that lines above each other are seen.
fn line(out: &mut String, mv: usize, path: &str) {
    let (colour, dash) = (COLOURS[mv % COLOURS.len()], DASHES[mv % DASHES.len()]);
    put!(
        out,
        "<path class=\"line\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" d=\"{path}\"/>"
    );
}

fn height(likely: f64) -> f64 {
    HEIGHT - BOTTOM - likely * (HEIGHT - TOP - BOTTOM)
}

fn axes(out: &mut String, left: f64, last: u64, what: &str) {
    let right = left + PANEL - LEFT - GAP;
    put!(out, "<text x=\"{left}\" y=\"{}\">{what}</text>", TOP - 14.0);
    for quarter in 0..=4 {
        let y = height(f64::from(quarter) / 4.0);
        put!(out, "<path class=\"grid\" d=\"M{left} {y:.1} H{right}\"/>");
        let percent = 25 * quarter;
        put!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" class=\"small end\">{percent} %</text>",
            left - 6.0,
            y + 4.0
        );
    }
    let (y, middle) = (HEIGHT - BOTTOM, (left + right) / 2.0);
    put!(out, "<path class=\"axis\" fill=\"none\" d=\"M{left} {TOP} V{y} H{right}\"/>");
    let below = y + 20.0;
    put!(out, "<text x=\"{left}\" y=\"{below}\" class=\"small\">0</text>");
    put!(out, "<text x=\"{middle}\" y=\"{below}\" class=\"small middle\">iterations</text>");
    put!(out, "<text x=\"{right}\" y=\"{below}\" class=\"small end\">{last}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise_hidden::equilibrium::TracedMove;

    #[test]
    fn every_move_has_a_line_in_both_panels() {
        let point = |iterations: u64, likely: f64| {
            let average = (iterations > 0).then_some(likely);
            let mv = |name: &str, now: f64| TracedMove {
                name: name.into(),
                regret: 0.0,
                now,
                average: average.map(|_| now),
            };
            let moves = vec![mv("<a>", likely), mv("b", 1.0 - likely)];
            TracePoint { iterations, exploitability: None, moves }
        };
        let drawing = trace("kuhn", &[point(0, 1.0), point(1, 0.5), point(2, 0.25)]);
        // Two moves, two panels and the legend.
        assert_eq!(drawing.matches("class=\"line\"").count(), 6);
        assert!(drawing.contains("&lt;a&gt;") && !drawing.contains("NaN"));
    }
}
