//! Exploitability over time, a line a method, both on logarithmic scales; a panel a game.
//!
//! Lines differ by colour and by dashes, and are named at their ends' height in the legend.

use std::fmt::Write;

use super::{escaped, head, put};
use crabwise_hidden::equilibrium::CurvePoint;

/// A game, and of each method its name and its curve.
pub type Panel = (String, Vec<(String, Vec<CurvePoint>)>);

const WIDTH: f64 = 960.0;
const PANEL: f64 = 460.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 220.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 56.0;

pub(super) const COLOURS: [&str; 6] =
    ["#1f6fb4", "#c8443c", "#2e9150", "#8a4fb0", "#b9770e", "#444444"];
pub(super) const DASHES: [&str; 2] = ["none", "7 4"];

pub(super) const STYLE: &str = r##"<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #333; font-size: 14px }
.title { font-size: 20px; font-weight: 600 } .small { font-size: 13px; fill: #666 }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #ddd } .axis { stroke: #555 } .line { fill: none; stroke-width: 2 }
</style>
"##;

/// The drawing of the curves of these games.
pub fn curves(panels: &[Panel]) -> String {
    let height = PANEL * panels.len().max(1) as f64;
    let mut out = head(WIDTH, height) + STYLE;
    put!(out, "<title>exploitability over time</title>");
    put!(out, "<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>");
    // A method looks the same in all panels.
    let mut names: Vec<&str> = vec![];
    for (name, _) in panels.iter().flat_map(|(_, curves)| curves) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for (i, (game, curves)) in panels.iter().enumerate() {
        put!(out, "<g transform=\"translate(0 {})\">", PANEL * i as f64);
        panel(&mut out, game, curves, &names);
        put!(out, "</g>");
    }
    out + "</svg>\n"
}

fn panel(out: &mut String, game: &str, curves: &[(String, Vec<CurvePoint>)], names: &[&str]) {
    let game = escaped(game);
    put!(
        out,
        "<text x=\"{LEFT}\" y=\"34\" class=\"title\">{game}: exploitability over time</text>"
    );
    let points = || curves.iter().flat_map(|(_, points)| points);
    let scale = CurveScale {
        x: Axis::of(points().map(|point| point.seconds.max(LEAST_TIME))),
        y: Axis::of(points().map(|point| point.exploitability.max(LEAST))),
    };
    scale.grid(out);
    for (i, (name, points)) in curves.iter().enumerate() {
        let look = names.iter().position(|known| known == name).unwrap_or(i);
        let dash = DASHES[look / COLOURS.len() % DASHES.len()];
        let colour = COLOURS[look % COLOURS.len()];
        scale.line(out, points, colour, dash);
        let y = TOP + 10.0 + 24.0 * i as f64;
        let x = WIDTH - RIGHT + 20.0;
        put!(
            out,
            "<path class=\"line\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" d=\"M{x} {y} h30\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + 38.0,
            y + 5.0,
            escaped(name)
        );
    }
}

/// Smaller numbers are drawn as this.
const LEAST: f64 = 1e-12;
const LEAST_TIME: f64 = 1e-5;

/// Powers of ten from one end to the other.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn of(numbers: impl Iterator<Item = f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            (low, high) = (low.min(number.log10()), high.max(number.log10()));
        }
        if low > high {
            (low, high) = (-1.0, 0.0);
        }
        let (low, high) = (low.floor() as i32, high.ceil() as i32);
        Axis { low, high: high.max(low + 1) }
    }

    /// Where a number lies, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        (number.log10() - f64::from(self.low)) / f64::from(self.high - self.low)
    }
}

struct CurveScale {
    x: Axis,
    y: Axis,
}

impl CurveScale {
    fn place(&self, seconds: f64, exploitability: f64) -> (f64, f64) {
        let x = self.x.share(seconds.max(LEAST_TIME));
        let y = self.y.share(exploitability.max(LEAST));
        (LEFT + x * (WIDTH - LEFT - RIGHT), PANEL - BOTTOM - y * (PANEL - TOP - BOTTOM))
    }

    fn grid(&self, out: &mut String) {
        let ten = |power: i32| 10_f64.powi(power);
        for power in self.y.low..=self.y.high {
            let (_, y) = self.place(ten(self.x.low), ten(power));
            put!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1} H{}\"/>", WIDTH - RIGHT);
            put!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" class=\"small end\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                power_of_ten(power)
            );
        }
        for power in self.x.low..=self.x.high {
            let (x, _) = self.place(ten(power), ten(self.y.low));
            put!(out, "<path class=\"grid\" d=\"M{x:.1} {TOP} V{}\"/>", PANEL - BOTTOM);
            put!(
                out,
                "<text x=\"{x:.1}\" y=\"{}\" class=\"small middle\">{} s</text>",
                PANEL - BOTTOM + 20.0,
                power_of_ten(power)
            );
        }
        put!(
            out,
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP} V{} H{}\"/>",
            PANEL - BOTTOM,
            WIDTH - RIGHT
        );
    }

    fn line(&self, out: &mut String, points: &[CurvePoint], colour: &str, dash: &str) {
        let places: Vec<(f64, f64)> =
            points.iter().map(|point| self.place(point.seconds, point.exploitability)).collect();
        if let [(x, y)] = places[..] {
            put!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"/>");
            return;
        }
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        put!(
            out,
            "<path class=\"line\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" d=\"M{}\"/>",
            path.join(" L")
        );
    }
}

fn power_of_ten(power: i32) -> String {
    match power {
        -3..=3 => format!("{}", 10_f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_from_left_to_right() {
        let point = |iterations, exploitability| CurvePoint {
            iterations,
            seconds: iterations as f64 / 100.0,
            exploitability,
        };
        let curve = vec![point(1, 0.5), point(10, 0.05), point(100, 0.005)];
        let lp = vec![point(3, 0.0)];
        let drawing = curves(&[("kuhn".into(), vec![("cfr+".into(), curve), ("lp".into(), lp)])]);
        assert!(drawing.contains("kuhn: exploitability over time"));
        assert_eq!(drawing.matches("<circle").count(), 1);
        assert!(drawing.contains("d=\"M84.0 ") && !drawing.contains("NaN"));
    }
}
