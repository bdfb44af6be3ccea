//! A histogram of distances: one bar a distance, wins, losses and ties stacked.
//!
//! Wins are plain, losses hatched, ties dotted.

use std::fmt::Write;

use crabwise::{Stats, analysis::stats::Row};

use super::{escaped, head, put};
use crate::text::count;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 32.0;
const TOP: f64 = 96.0;
const BOTTOM: f64 = 64.0;

const STYLE: &str = r##"<defs>
<pattern id="loss" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="7" height="7" fill="#c8443c"/><rect width="2" height="7" fill="#ffffff" opacity=".45"/>
</pattern>
<pattern id="tie" width="7" height="7" patternUnits="userSpaceOnUse">
<rect width="7" height="7" fill="#e3a72f"/><circle cx="3.5" cy="3.5" r="1.4" fill="#6b4a00"/>
</pattern>
</defs>
<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #333; font-size: 14px }
.title { font-size: 22px; font-weight: 600 } .small { font-size: 13px; fill: #666 }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #ddd } .axis { stroke: #555 }
.win { fill: #2e9150 } .loss { fill: url(#loss) } .tie { fill: url(#tie) }
</style>
"##;

/// The drawing of a game's distances.
pub fn histogram(game: &str, stats: &Stats) -> String {
    let tallest = stats.remoteness.iter().map(height).max().unwrap_or(0).max(1);
    let scale = HistogramScale::new(tallest, stats.remoteness.len().max(1));
    let mut out = head(WIDTH, HEIGHT) + STYLE;
    put!(out, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>");
    heading(&mut out, game, stats);
    scale.rows(&mut out);
    for (n, row) in stats.remoteness.iter().enumerate() {
        scale.bar(&mut out, n, row);
    }
    scale.base(&mut out);
    out + "</svg>\n"
}

fn height(row: &Row) -> u64 {
    row.win + row.loss + row.tie
}

fn heading(out: &mut String, game: &str, stats: &Stats) {
    let game = escaped(game);
    put!(out, "<title>{game}: positions by distance to the end</title>");
    put!(out, "<text x=\"{LEFT}\" y=\"40\" class=\"title\">{game}: how far from the end</text>");
    let draws = match stats.counts.draw {
        0 => String::new(),
        draws => format!(" · {} draws, which never end, not shown", count(draws)),
    };
    let about =
        format!("{} positions · start: {}{draws}", count(stats.counts.positions), stats.start);
    put!(out, "<text x=\"{LEFT}\" y=\"64\" class=\"small\">{about}</text>");
    for (i, name) in ["win", "loss", "tie"].into_iter().enumerate() {
        let x = WIDTH - RIGHT - 210.0 + 74.0 * i as f64;
        put!(out, "<rect x=\"{x}\" y=\"28\" width=\"16\" height=\"16\" class=\"{name}\"/>");
        put!(out, "<text x=\"{}\" y=\"41\">{name}</text>", x + 22.0);
    }
}

/// Where counts and distances are on the paper.
struct HistogramScale {
    /// Where the axis stands, right of its numbers.
    left: f64,
    /// The count at the top of the axis, and between two grid lines.
    top: u64,
    step: u64,
    bars: usize,
}

impl HistogramScale {
    fn new(tallest: u64, bars: usize) -> HistogramScale {
        let step = round_step(tallest as f64 / 6.0);
        let top = tallest.div_ceil(step) * step;
        let left = LEFT.max(44.0 + 7.5 * count(top).len() as f64);
        HistogramScale { left, top, step, bars }
    }

    fn y(&self, n: u64) -> f64 {
        let share = n as f64 / self.top as f64;
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn slot(&self) -> f64 {
        (WIDTH - self.left - RIGHT) / self.bars as f64
    }

    fn rows(&self, out: &mut String) {
        for n in (0..=self.top / self.step).map(|i| i * self.step) {
            let y = self.y(n);
            let (left, end) = (self.left, WIDTH - RIGHT);
            put!(out, "<path d=\"M{left} {y:.1}H{end}\" class=\"grid\"/>");
            put!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" class=\"small end\">{}</text>",
                left - 10.0,
                y + 4.5,
                count(n)
            );
        }
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        put!(
            out,
            "<text transform=\"translate(20 {middle}) rotate(-90)\" class=\"middle\">\
             positions</text>"
        );
    }

    fn bar(&self, out: &mut String, n: usize, row: &Row) {
        let width = (self.slot() * 0.82).min(64.0);
        let x = self.left + self.slot() * (n as f64 + 0.5) - width / 2.0;
        let mut below = 0;
        for (name, part) in [("win", row.win), ("loss", row.loss), ("tie", row.tie)] {
            if part == 0 {
                continue;
            }
            let (bottom, top) = (self.y(below), self.y(below + part));
            put!(
                out,
                "<rect x=\"{x:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{:.2}\" \
                 class=\"{name}\"><title>{name} in {n}: {}</title></rect>",
                bottom - top,
                count(part)
            );
            below += part;
        }
    }

    fn base(&self, out: &mut String) {
        let (left, base, end) = (self.left, HEIGHT - BOTTOM, WIDTH - RIGHT);
        put!(out, "<path d=\"M{left} {base}H{end}\" class=\"axis\"/>");
        // A number takes about 30 pixels; with more bars than fit, only round ones are named.
        let step = round_step(30.0 / self.slot()) as usize;
        for n in (0..self.bars).step_by(step) {
            let x = self.left + self.slot() * (n as f64 + 0.5);
            put!(out, "<text x=\"{x:.1}\" y=\"{}\" class=\"small middle\">{n}</text>", base + 20.0);
        }
        let middle = (left + end) / 2.0;
        let y = HEIGHT - 16.0;
        put!(out, "<text x=\"{middle}\" y=\"{y}\" class=\"middle\">moves to the end</text>");
    }
}

/// The least of 1, 2, 5, 10, 20, … that is no less than `least`.
fn round_step(least: f64) -> u64 {
    let mut ten = 1;
    loop {
        for step in [1, 2, 5].map(|digit| digit * ten) {
            if step as f64 >= least {
                return step;
            }
        }
        ten *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.1, 1.0, 1.1, 4.9, 51.0, 333.0].map(round_step), [1, 1, 2, 5, 100, 500]);
    }

    #[test]
    fn the_axis_holds_the_tallest_bar() {
        for tallest in [1, 7, 99, 5478, 1_000_001] {
            let scale = HistogramScale::new(tallest, 10);
            assert!(scale.top >= tallest && scale.y(tallest) >= TOP, "{tallest}");
            assert_eq!(scale.y(0), HEIGHT - BOTTOM);
        }
    }
}
