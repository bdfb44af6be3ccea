//! A league: ratings with the intervals that they lie in, and below what everybody gets from
//! everybody.
//!
//! In the table of payoffs blue is for the first player and orange for the second, the stronger the
//! greater the payoff, which is written in each field.

use std::fmt::Write;

use super::{escaped, head, put};
use crate::{league_results::Results, text::signed};

const LEFT: f64 = 220.0;
const RIGHT: f64 = 48.0;
const TOP: f64 = 96.0;
const ROW: f64 = 32.0;
const PLOT: f64 = 560.0;
const CELL: (f64, f64) = (96.0, 44.0);

const STYLE: &str = r##"<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #333; font-size: 14px }
.title { font-size: 22px; font-weight: 600 } .small { font-size: 12px; fill: #555 }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #ddd } .bar { stroke: #2b5d8c; stroke-width: 2; fill: none } .dot { fill: #2b5d8c }
</style>
"##;

/// The drawing of a league.
pub fn league(results: &Results) -> String {
    let players = results.names.len() as f64;
    let table = TOP + ROW * players + 132.0;
    let width = LEFT + (PLOT).max(CELL.0 * players) + RIGHT;
    let height = table + CELL.1 * players + 48.0;
    let mut out = head(width, height) + STYLE;
    put!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
    let game = escaped(&results.game);
    put!(out, "<title>{game}: a league</title>");
    put!(out, "<text x=\"32\" y=\"40\" class=\"title\">{game}: ratings</text>");
    put!(
        out,
        "<text x=\"32\" y=\"64\" class=\"small\">Elo with 95 % confidence · {} games of each two \
         with either first · seed {}</text>",
        results.games,
        results.seed
    );
    ratings(&mut out, results);
    payoffs(&mut out, results, table);
    out + "</svg>\n"
}

/// A name that fits beside its row.
fn short(name: &str) -> String {
    let letters = name.chars().count();
    match letters > 24 {
        true => format!("…{}", name.chars().skip(letters - 23).collect::<String>()),
        false => name.into(),
    }
}

fn ratings(out: &mut String, results: &Results) {
    let ends = results.standings.iter().flat_map(|one| {
        let margin = one.rating.margin();
        [one.rating.elo - margin, one.rating.elo + margin]
    });
    let (least, most) =
        ends.fold((f64::MAX, f64::MIN), |(least, most), end| (least.min(end), most.max(end)));
    let step = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0].into_iter();
    let step = step.clone().find(|step| (most - least) / step <= 8.0).unwrap_or(2000.0);
    let (from, to) = ((least / step).floor() * step, (most / step).ceil() * step);
    let x = |elo: f64| LEFT + PLOT * (elo - from) / (to - from).max(1.0);
    let bottom = TOP + ROW * results.names.len() as f64;
    for i in 0..=((to - from) / step).round() as u32 {
        let elo = from + step * f64::from(i);
        let at = x(elo);
        put!(out, "<path d=\"M{at:.1} {}V{bottom}\" class=\"grid\"/>", TOP - 6.0);
        let below = bottom + 18.0;
        put!(out, "<text x=\"{at:.1}\" y=\"{below}\" class=\"small middle\">{elo:.0}</text>");
    }
    for (i, one) in results.standings.iter().enumerate() {
        let (elo, margin) = (one.rating.elo, one.rating.margin());
        let y = TOP + ROW * (i as f64 + 0.5);
        let name = escaped(&short(&results.names[one.player]));
        let (end, base) = (LEFT - 16.0, y + 5.0);
        put!(out, "<text x=\"{end}\" y=\"{base}\" class=\"end\">{} {name}</text>", i + 1);
        let (a, b) = (x(elo - margin), x(elo + margin));
        put!(
            out,
            "<path d=\"M{a:.1} {y}H{b:.1}M{a:.1} {0}V{1}M{b:.1} {0}V{1}\" class=\"bar\"/>",
            y - 6.0,
            y + 6.0
        );
        put!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\" class=\"dot\"><title>{name}: {elo:.0} ± \
             {margin:.0}</title></circle>",
            x(elo)
        );
    }
}

fn payoffs(out: &mut String, results: &Results, top: f64) {
    let order: Vec<usize> = results.standings.iter().map(|one| one.player).collect();
    let most = results.pairings.iter().map(|met| met.mean.abs()).fold(1e-9, f64::max);
    let y = top - 52.0;
    put!(out, "<text x=\"32\" y=\"{y}\" class=\"title\">Payoffs</text>");
    put!(
        out,
        "<text x=\"32\" y=\"{}\" class=\"small\">what the first player (row) gets from the second \
         (column) · without ± exact</text>",
        y + 22.0
    );
    for (i, &first) in order.iter().enumerate() {
        let y = top + CELL.1 * i as f64;
        let name = escaped(&short(&results.names[first]));
        let x = LEFT + CELL.0 * (i as f64 + 0.5);
        put!(out, "<text x=\"{x}\" y=\"{}\" class=\"small middle\">{}</text>", top - 6.0, i + 1);
        let (end, base) = (LEFT - 16.0, y + 27.0);
        put!(out, "<text x=\"{end}\" y=\"{base}\" class=\"end\">{} {name}</text>", i + 1);
        for (j, &second) in order.iter().enumerate() {
            let Some(met) = results.met(first, second) else { continue };
            let (x, (wide, high)) = (LEFT + CELL.0 * j as f64, CELL);
            put!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                wide - 2.0,
                high - 2.0,
                shade(met.mean / most)
            );
            let (middle, above) = (x + wide / 2.0 - 1.0, y + 20.0);
            put!(
                out,
                "<text x=\"{middle}\" y=\"{above}\" class=\"middle\">{}</text>",
                signed(met.mean, 3)
            );
            if met.games > 0 {
                put!(
                    out,
                    "<text x=\"{middle}\" y=\"{}\" class=\"small middle\">± {:.3}</text>",
                    y + 35.0,
                    met.margin
                );
            }
        }
    }
}

/// White for nothing, blue for 1, orange for −1.
fn shade(share: f64) -> String {
    let full = if share > 0.0 { [126, 176, 222] } else { [243, 176, 110] };
    let [r, g, b] = full.map(|part| {
        let part = f64::from(part);
        (255.0 + (part - 255.0) * share.abs().min(1.0)).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades() {
        assert_eq!([0.0, 1.0, -1.0].map(shade), ["#ffffff", "#7eb0de", "#f3b06e"]);
        assert_eq!(short(&"x".repeat(30)).chars().count(), 24);
    }
}
