//! How a certain win is won: a card a view, with what to try and which card comes next.

use std::fmt::Write;

use crabwise_hidden::{PlanNext, ProbOneWins};

use super::{escaped, head, put};
use crate::text::player;

const COLUMNS: usize = 4;
const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 24.0;
const LINE: f64 = 17.0;

const STYLE: &str = r##"<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #333; font-size: 14px }
.title { font-size: 22px; font-weight: 600 } .number { font-weight: 600 }
.board { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 15px; white-space: pre }
.card { fill: #fdfbf4; stroke: #b9b09a }
</style>
"##;

/// The drawing of a plan of the player who wins.
pub fn plan(game: &str, winner: usize, wins: &ProbOneWins) -> String {
    let tallest = wins.plan.iter().map(|view| view.picture.lines().count()).max().unwrap_or(1);
    let card = (tallest as f64 + 4.5) * LINE;
    let rows = wins.plan.len().div_ceil(COLUMNS);
    let height = 84.0 + rows as f64 * (card + MARGIN) + MARGIN;
    let wide = (WIDTH - MARGIN) / COLUMNS as f64 - MARGIN;
    let mut out = head(WIDTH, height) + STYLE;
    let title = format!("{}: how the {} wins with certainty", escaped(game), player(winner));
    put!(out, "<title>{title}</title>");
    put!(out, "<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>");
    put!(out, "<text x=\"{MARGIN}\" y=\"42\" class=\"title\">{title}</text>");
    let more = if wins.cut { "; there are more views than are drawn" } else { "" };
    put!(out, "<text x=\"{MARGIN}\" y=\"66\">begin at 1{more}</text>");
    for (i, view) in wins.plan.iter().enumerate() {
        let x = MARGIN + (i % COLUMNS) as f64 * (wide + MARGIN);
        let y = 84.0 + (i / COLUMNS) as f64 * (card + MARGIN);
        put!(
            out,
            "<rect class=\"card\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{card:.1}\" rx=\"6\"/>"
        );
        let (left, mut line) = (x + 12.0, y + 22.0);
        put!(
            out,
            "<text class=\"number\" x=\"{left:.1}\" y=\"{line:.1}\">{}. try {}</text>",
            i + 1,
            escaped(&view.mv)
        );
        for row in view.picture.lines() {
            line += LINE;
            put!(
                out,
                "<text class=\"board\" xml:space=\"preserve\" x=\"{left:.1}\" y=\"{line:.1}\">{}</text>",
                escaped(row)
            );
        }
        for (said, to) in &view.next {
            line += LINE;
            let heard = if said.is_empty() { "placed" } else { said };
            let next = match to {
                PlanNext::Step(to) => format!("go to {}", to + 1),
                PlanNext::Won => "won".into(),
                PlanNext::Omitted => "not drawn".into(),
            };
            put!(out, "<text x=\"{left:.1}\" y=\"{line:.1}\">{}: {next}</text>", escaped(heard));
        }
    }
    out + "</svg>\n"
}
