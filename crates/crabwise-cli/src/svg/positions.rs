//! All positions of a small game: one row of positions for each number of moves made, the start at
//! the top. A layer that is too wide takes several rows, close together; the more positions there are, the wider is the
//! sheet, so that it stays about as wide as it is high.
//!
//! Positions won for the next player are dark and square, for the previous player golden and round.

use std::fmt::Write;

use crabwise::{
    Value,
    explore::digraph::{Digraph, Node},
};

use super::{escaped, head, put};
use crate::text::{meaning, several};

/// With more positions than this nothing could be made out.
pub const MOST: usize = 5000;

const HEIGHT: f64 = 30.0;
const GAP_X: f64 = 18.0;
const GAP_Y: f64 = 22.0;
/// Between layers, where the moves are seen.
const LAYER: f64 = 84.0;
const MARGIN: f64 = 40.0;
const TOP: f64 = 104.0;
/// How many positions stand side by side, at least.
const WIDEST: usize = 24;
/// With more positions than this, moves are faint, and have no words, which would make most of the file.
const WORDED: usize = 1000;

const STYLE: &str = r##"<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #222; font-size: 13px }
.title { font-size: 22px; font-weight: 600 } .small { fill: #555 }
.middle { text-anchor: middle }
.move { stroke: #9aa1ab; stroke-opacity: .55 } .best { stroke: #1d2733; stroke-width: 2.4 }
.tip { fill: #9aa1ab } .besttip { fill: #1d2733 }
.N { fill: #474f5a; stroke: #222 } .P { fill: #f2c230; stroke: #7a5c00 }
.T { fill: #a9d3ee; stroke: #2b6a93 } .D { fill: #fff; stroke: #555; stroke-dasharray: 4 3 }
.on-N { fill: #fff }
</style>
"##;

/// Many moves over each other would hide what they lead to.
const FAINT: &str = "<style>.move { stroke-opacity: .12 } .tip { fill-opacity: .15 } .best { stroke-width: 1; \
                     stroke-opacity: .2 } .besttip { fill-opacity: .3 }</style>\n";

/// The drawing of a game's positions.
pub fn positions(game: &str, graph: &Digraph) -> String {
    let layout = PositionLayout::new(graph);
    let width = (layout.width + 2.0 * MARGIN).max(720.0);
    let mut out = head(width, layout.height + TOP + MARGIN) + STYLE;
    if graph.nodes.len() > WORDED {
        out += FAINT;
    }
    put!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    heading(&mut out, game, graph);
    put!(out, "<g transform=\"translate({:.1} {TOP})\">", (width - layout.width) / 2.0);
    for best in [false, true] {
        for (i, node) in graph.nodes.iter().enumerate() {
            for edge in node.edges.iter().filter(|edge| edge.best == best) {
                let worded = best || graph.nodes.len() <= WORDED;
                let names = worded.then(|| edge.names.join(" "));
                layout.edge(&mut out, (i, edge.to), names.as_deref(), best);
            }
        }
    }
    for (i, label) in graph.labels().iter().enumerate() {
        layout.node(&mut out, &graph.nodes[i], layout.places[i], label);
    }
    out + "</g>\n</svg>\n"
}

fn heading(out: &mut String, game: &str, graph: &Digraph) {
    let game = escaped(game);
    put!(out, "<title>{game}: positions and moves</title>");
    put!(out, "<text x=\"{MARGIN}\" y=\"38\" class=\"title\">{game}</text>");
    let count =
        |class: &str| graph.nodes.iter().filter(|node| letter(node.value) == class).count() as u64;
    let mut about = several(graph.nodes.len() as u64, "position");
    for (class, name) in [("N", "N"), ("P", "P"), ("T", "tied"), ("D", "drawn")] {
        if count(class) > 0 {
            about += &format!(" · {} {name}", count(class));
        }
    }
    put!(out, "<text x=\"{MARGIN}\" y=\"62\" class=\"small\">{about}</text>");
    let key = "dark, square N: the next player wins · golden, round P: the previous player wins · \
               heavy: perfect play";
    put!(out, "<text x=\"{MARGIN}\" y=\"82\" class=\"small\">{key}</text>");
}

fn letter(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "N",
        Value::Loss(_) => "P",
        Value::Tie(_) => "T",
        Value::Draw => "D",
    }
}

/// Where positions are.
struct PositionLayout {
    /// The middle of each.
    places: Vec<(f64, f64)>,
    /// How wide each is.
    wide: f64,
    width: f64,
    height: f64,
}

impl PositionLayout {
    fn new(graph: &Digraph) -> PositionLayout {
        let longest = graph.labels().iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let wide = 18.0 + 8.0 * longest.max(2) as f64;
        let side = (graph.nodes.len() as f64 * (HEIGHT + GAP_Y) / (wide + GAP_X)).sqrt() as usize;
        let side = side.max(WIDEST);
        let widest = graph.layers.iter().map(|layer| layer.len().min(side)).max().unwrap_or(1);
        let width = widest as f64 * (wide + GAP_X);
        let mut layout = PositionLayout {
            places: vec![(0.0, 0.0); graph.nodes.len()],
            wide,
            width,
            height: 0.0,
        };
        let mut above = vec![vec![]; graph.nodes.len()];
        for (i, node) in graph.nodes.iter().enumerate() {
            node.edges.iter().for_each(|edge| above[edge.to].push(i));
        }
        let mut top = 0.0;
        for layer in &graph.layers {
            // Each below the middle of the positions that lead to it.
            let mut layer: Vec<(f64, usize)> =
                layer.iter().map(|&i| (layout.pull(&above[i]), i)).collect();
            layer.sort_by(|a, b| a.0.total_cmp(&b.0));
            let rows = layer.len().div_ceil(side);
            let columns = layer.len().div_ceil(rows);
            for (n, &(_, i)) in layer.iter().enumerate() {
                let (column, row) = (n / rows, n % rows);
                let shift = if rows == 1 { 0.5 } else { [0.35, 0.65][row % 2] };
                let x = width * (column as f64 + shift) / columns as f64;
                layout.places[i] = (x, top + HEIGHT / 2.0 + row as f64 * (HEIGHT + GAP_Y));
            }
            top += rows as f64 * (HEIGHT + GAP_Y) - GAP_Y + LAYER;
        }
        layout.height = (top - LAYER).max(HEIGHT);
        layout
    }

    /// Where the positions that lead to one are on average.
    fn pull(&self, above: &[usize]) -> f64 {
        let placed = above.iter().map(|&i| self.places[i].0).filter(|x| *x > 0.0);
        let xs: Vec<f64> = placed.collect();
        if xs.is_empty() { self.width / 2.0 } else { xs.iter().sum::<f64>() / xs.len() as f64 }
    }

    fn node(&self, out: &mut String, node: &Node, (x, y): (f64, f64), label: &str) {
        let (class, text) = (letter(node.value), escaped(label));
        let title =
            escaped(&format!("{}: {} ({})", node.place.notation, node.value, meaning(node.value)));
        let round = match class {
            "P" => HEIGHT / 2.0,
            "N" => 2.0,
            _ => 7.0,
        };
        put!(
            out,
            "<g><title>{title}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
             height=\"{HEIGHT}\" rx=\"{round}\" class=\"{class}\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
             class=\"middle on-{class}\">{text}</text></g>",
            x - self.wide / 2.0,
            y - HEIGHT / 2.0,
            self.wide,
            y + 4.5
        );
    }

    /// A move down is straight; one back or aside is bent, so that it is not taken for another.
    fn edge(&self, out: &mut String, (from, to): (usize, usize), names: Option<&str>, best: bool) {
        let (class, tip) = if best { ("best", "besttip") } else { ("move", "tip") };
        let ((x1, y1), (x2, y2)) = (self.places[from], self.places[to]);
        let names = names.map(|names| format!("<title>{}</title>", escaped(names)));
        let names = names.unwrap_or_default();
        let (start, end) = ((x1, y1 + HEIGHT / 2.0), (x2, y2 - HEIGHT / 2.0 - 1.0));
        let (path, control) = if y2 > y1 {
            (format!("L{:.1} {:.1}", end.0, end.1), start)
        } else {
            let control = ((x1 + x2) / 2.0 + self.wide, y1.min(y2) - LAYER);
            let path = format!("Q{:.1} {:.1} {:.1} {:.1}", control.0, control.1, end.0, end.1);
            (path, control)
        };
        let (dx, dy) = (end.0 - control.0, end.1 - control.1);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let corner = |aside: f64| {
            format!("{:.1},{:.1}", end.0 - ux * 8.0 - uy * aside, end.1 - uy * 8.0 + ux * aside)
        };
        put!(
            out,
            "<g>{names}<path d=\"M{:.1} {:.1}{path}\" fill=\"none\" \
             class=\"{class}\"/><polygon points=\"{:.1},{:.1} {} {}\" class=\"{tip}\"/></g>",
            start.0,
            start.1,
            end.0,
            end.1,
            corner(3.5),
            corner(-3.5)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::digraph;

    #[test]
    fn every_position_has_a_place_of_its_own_below_those_of_fewer_moves() {
        for game in ["rows:1-2", "rows:2-3-3-3", "circle"] {
            let graph = digraph(game, MOST).unwrap();
            let layout = PositionLayout::new(&graph);
            for (i, a) in layout.places.iter().enumerate() {
                for b in &layout.places[..i] {
                    let apart = (a.0 - b.0).abs() >= layout.wide || (a.1 - b.1).abs() >= HEIGHT;
                    assert!(apart, "{game}: {a:?} and {b:?}");
                }
            }
            let heights = |layer: &Vec<usize>| layout.places[layer[0]].1;
            assert!(graph.layers.iter().map(heights).is_sorted());
        }
    }

    #[test]
    fn a_position_is_named_with_its_value() {
        let drawn = positions("toy", &digraph("rows:1-2", MOST).unwrap());
        assert!(drawn.contains("<title>1,1: loss in 2 (P: the previous player wins)</title>"));
        assert!(drawn.contains("6 positions · 4 N · 2 P"), "{drawn}");
    }
}
