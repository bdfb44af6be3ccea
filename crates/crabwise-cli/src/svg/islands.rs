//! Islands and bridges: a band of islands for each label, T at the top, and below it G and P by
//! index, so that perfect play goes down one band with every bridge until it ends at the bottom.
//!
//! G islands are round, P islands square, T islands pointed; the bridges of perfect play are heavy.

use std::{collections::HashMap, fmt::Write};

use crabwise::analysis::label::{Island, Label, LabelCounts};

use super::{escaped, head, put};
use crate::text::{label_counts, several};

/// With more islands than this nothing could be made out.
pub const MOST_ISLANDS: u64 = 400;

const HEIGHT: f64 = 40.0;
const GAP_X: f64 = 26.0;
const GAP_Y: f64 = 34.0;
const BAND: f64 = 46.0;
pub(super) const MARGIN: f64 = 40.0;
pub(super) const TOP: f64 = 104.0;
/// How far bridges may be bent, the gentlest first. A bridge and the way back bend to different
/// sides.
const BENDS: [f64; 6] = [0.12, 0.3, -0.2, 0.5, -0.4, 0.7];
/// Characters of a key that are shown; the rest is seen by pointing at the island.
const SHOWN: usize = 14;

pub(super) const STYLE: &str = r##"<defs>
<marker id="light" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#8a8f98"/></marker>
<marker id="heavy" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#1d2733"/></marker>
</defs>
<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: #222; font-size: 13px }
.title { font-size: 22px; font-weight: 600 } .small { fill: #666 }
.middle { text-anchor: middle } .label { font-weight: 600 }
.bridge { fill: none; stroke: #8a8f98; stroke-opacity: .5; marker-end: url(#light) }
.best { fill: none; stroke: #1d2733; stroke-width: 2.4; marker-end: url(#heavy) }
.island { stroke: #555 } .start { stroke: #111; stroke-width: 3.5 }
.G { fill: #9bd8ab } .P { fill: #f3aca5 } .T { fill: #f7dc93 }
</style>
"##;

/// The drawing of a game's islands.
pub fn islands(game: &str, counts: &LabelCounts, islands: &[Island]) -> String {
    let chart = IslandLayout::new(islands);
    let width = (chart.width + 2.0 * MARGIN).max(720.0);
    let mut out = head(width, chart.height + TOP + MARGIN) + STYLE;
    put!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    heading(&mut out, game, counts);
    let shift = (width - chart.width) / 2.0;
    put!(out, "<g transform=\"translate({shift:.1} {TOP})\">");
    for best in [false, true] {
        for (i, island) in islands.iter().enumerate() {
            for bridge in island.bridges.iter().filter(|bridge| bridge.best == best) {
                if let Some(&j) = chart.named.get(bridge.to.as_str()) {
                    chart.bridge(&mut out, i, j, best);
                }
            }
        }
    }
    for (i, island) in islands.iter().enumerate() {
        chart.island(&mut out, i, island, island.key == counts.start);
    }
    out + "</g>\n</svg>\n"
}

pub(super) fn heading(out: &mut String, game: &str, counts: &LabelCounts) {
    let (game, start) = (escaped(game), escaped(&counts.start));
    put!(out, "<title>{game}: islands and bridges</title>");
    put!(out, "<text x=\"{MARGIN}\" y=\"38\" class=\"title\">{game}</text>");
    let about = format!(
        "{}: {} · start {start} = {}",
        several(counts.islands, "island"),
        label_counts(&counts.counts),
        counts.start_label
    );
    put!(out, "<text x=\"{MARGIN}\" y=\"62\" class=\"small\">{about}</text>");
    let key = "round G: the player to move loses · square P: wins · pointed T: neither · heavy: \
               perfect play";
    put!(out, "<text x=\"{MARGIN}\" y=\"82\" class=\"small\">{key}</text>");
}

/// Where islands are.
pub(super) struct IslandLayout<'a> {
    pub(super) named: HashMap<&'a str, usize>,
    /// The middle of each island.
    places: Vec<(f64, f64)>,
    island_width: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl<'a> IslandLayout<'a> {
    pub(super) fn new(islands: &'a [Island]) -> IslandLayout<'a> {
        let named: HashMap<&str, usize> =
            islands.iter().enumerate().map(|(i, island)| (island.key.as_str(), i)).collect();
        let longest = islands.iter().map(|island| shown(&island.key).chars().count()).max();
        let island_width = 30.0 + 8.0 * longest.unwrap_or(0).max(4) as f64;
        let bands = bands(islands);
        let columns = |band: &Vec<usize>| (band.len() as f64 * 1.6).sqrt().ceil().max(6.0) as usize;
        let widest = bands.iter().map(|band| columns(band).min(band.len())).max().unwrap_or(1);
        let width = widest as f64 * (island_width + GAP_X);
        let mut layout = IslandLayout {
            named,
            places: vec![(0.0, 0.0); islands.len()],
            island_width,
            width,
            height: 0.0,
        };
        // From the bottom up, each island above the middle of where its bridges lead.
        let mut below = 0.0;
        for band in bands.iter().rev() {
            let mut band: Vec<(f64, usize)> =
                band.iter().map(|&i| (layout.pull(&islands[i]), i)).collect();
            band.sort_by(|a, b| a.0.total_cmp(&b.0));
            let rows = band.len().div_ceil(widest);
            let columns = band.len().div_ceil(rows);
            for (n, &(_, i)) in band.iter().enumerate() {
                let (column, row) = (n / rows, n % rows);
                // Rows of a band are shifted, so that bridges past one row are seen.
                let shift = match (rows, row % 2) {
                    (1, _) => 0.5,
                    (_, 0) => 0.3,
                    _ => 0.7,
                };
                let x = width * (column as f64 + shift) / columns as f64;
                layout.places[i] = (x, -(below + HEIGHT / 2.0 + row as f64 * (HEIGHT + GAP_Y)));
            }
            below += rows as f64 * (HEIGHT + GAP_Y) + BAND - GAP_Y;
        }
        layout.height = (below - BAND).max(HEIGHT);
        layout.places.iter_mut().for_each(|place| place.1 += layout.height);
        layout
    }

    /// Where the islands that an island leads to are on average.
    fn pull(&self, island: &Island) -> f64 {
        let targets = island.bridges.iter().filter_map(|bridge| self.named.get(bridge.to.as_str()));
        let xs: Vec<f64> = targets.map(|&i| self.places[i].0).filter(|x| *x > 0.0).collect();
        if xs.is_empty() { self.width / 2.0 } else { xs.iter().sum::<f64>() / xs.len() as f64 }
    }

    pub(super) fn island(&self, out: &mut String, i: usize, island: &Island, start: bool) {
        let (x, y) = self.places[i];
        let (w, h) = (self.island_width / 2.0, HEIGHT / 2.0);
        let (label, key) = (island.label, escaped(&island.key));
        let class = format!("{} {}", label.letter(), if start { "start" } else { "island" });
        put!(out, "<g><title>{key} = {label}</title>");
        match label {
            Label::T(_) => {
                put!(
                    out,
                    "<path d=\"M{:.1} {y:.1}L{:.1} {:.1}H{:.1}L{:.1} {y:.1}L{:.1} {:.1}H{:.1}z\" \
                     class=\"{class}\"/>",
                    x - w - 6.0,
                    x - w + 8.0,
                    y - h,
                    x + w - 8.0,
                    x + w + 6.0,
                    x + w - 8.0,
                    y + h,
                    x - w + 8.0
                );
            }
            _ => {
                let round = if let Label::G(_) = label { h } else { 2.0 };
                put!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\" rx=\"{round}\" \
                     class=\"{class}\"/>",
                    x - w,
                    y - h,
                    2.0 * w
                );
            }
        }
        let key = escaped(&shown(&island.key));
        put!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" class=\"middle\">{key}</text>", y - 3.0);
        put!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" class=\"middle label\">{label}</text></g>",
            y + 13.0
        );
    }

    /// An island that has no label yet.
    pub(super) fn blank(&self, out: &mut String, i: usize, island: &Island) {
        let ((x, y), key) = (self.places[i], escaped(&shown(&island.key)));
        put!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\" rx=\"9\" class=\"blank\"/><text \
             x=\"{x:.1}\" y=\"{:.1}\" class=\"middle\">{key}</text>",
            x - self.island_width / 2.0,
            y - HEIGHT / 2.0,
            self.island_width,
            y + 5.0
        );
    }

    /// A bridge, bent a little so that the way back is another one.
    pub(super) fn bridge(&self, out: &mut String, from: usize, to: usize, best: bool) {
        let class = if best { "best" } else { "bridge" };
        let ((x1, y1), (x2, y2)) = (self.places[from], self.places[to]);
        if from == to {
            let (top, w) = (y1 - HEIGHT / 2.0, self.island_width / 4.0);
            put!(
                out,
                "<path d=\"M{:.1} {top:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {top:.1}\" class=\"{class}\"/>",
                x1 - w,
                x1 - w,
                top - 30.0,
                x1 + w,
                top - 30.0,
                x1 + w
            );
            return;
        }
        let (dx, dy) = (x2 - x1, y2 - y1);
        let control = |bend: f64| ((x1 + x2) / 2.0 - dy * bend, (y1 + y2) / 2.0 + dx * bend);
        // The gentlest bend with the fewest islands in the way, behind which it would seem to end.
        let hits = |bend: &&f64| self.hits(from, to, control(**bend));
        let bend = BENDS.iter().min_by_key(hits).copied().unwrap_or(BENDS[0]);
        let (cx, cy) = control(bend);
        let (ax, ay) = self.shore((x1, y1), (cx, cy));
        let (bx, by) = self.shore((x2, y2), (cx, cy));
        put!(
            out,
            "<path d=\"M{ax:.1} {ay:.1}Q{cx:.1} {cy:.1} {bx:.1} {by:.1}\" class=\"{class}\"/>"
        );
    }

    /// How many other islands a bridge with this control point would pass.
    fn hits(&self, from: usize, to: usize, (cx, cy): (f64, f64)) -> usize {
        let ((x1, y1), (x2, y2)) = (self.places[from], self.places[to]);
        let on = |t: f64| {
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            (a * x1 + b * cx + c * x2, a * y1 + b * cy + c * y2)
        };
        let points: Vec<(f64, f64)> = (1..20).map(|n| on(f64::from(n) / 20.0)).collect();
        let inside = |&(x, y): &(f64, f64), (px, py): (f64, f64)| {
            (x - px).abs() < self.island_width / 2.0 + 6.0 && (y - py).abs() < HEIGHT / 2.0 + 2.0
        };
        (self.places.iter().enumerate())
            .filter(|(i, _)| *i != from && *i != to)
            .filter(|(_, place)| points.iter().any(|point| inside(point, **place)))
            .count()
    }

    /// Where the line from the middle of an island towards a point leaves it.
    fn shore(&self, (x, y): (f64, f64), (px, py): (f64, f64)) -> (f64, f64) {
        let (dx, dy) = (px - x, py - y);
        let (w, h) = (self.island_width / 2.0 + 3.0, HEIGHT / 2.0 + 3.0);
        let share = (w / dx.abs().max(1e-9)).min(h / dy.abs().max(1e-9)).min(1.0);
        (x + dx * share, y + dy * share)
    }
}

/// The islands by label: T first, the deepest at the top, then down to index 1.
fn bands(islands: &[Island]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..islands.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(islands[i].label));
    let bands = order.chunk_by(|&a, &b| islands[a].label == islands[b].label);
    bands.map(<[usize]>::to_vec).collect()
}

fn shown(key: &str) -> String {
    if key.chars().count() <= SHOWN {
        return key.into();
    }
    key.chars().take(SHOWN - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::analysis::label::Bridge;

    fn island(key: &str, label: Label, to: &[&str]) -> Island {
        let bridge = |to: &&str| Bridge { to: to.to_string(), again: false, best: true, end: None };
        Island {
            key: key.into(),
            label,
            value: crabwise::Value::Draw,
            literal: None,
            bridges: to.iter().map(bridge).collect(),
        }
    }

    #[test]
    fn roads_lead_down_and_no_two_islands_overlap() {
        let mut all: Vec<Island> =
            (0..40).map(|i| island(&format!("t{i}"), Label::T(2), &["p", "t0"])).collect();
        all.push(island("g3", Label::G(3), &["p"]));
        all.push(island("p", Label::P(2), &["g1"]));
        all.push(island("g1", Label::G(1), &[]));
        let layout = IslandLayout::new(&all);
        let y = |key: &str| layout.places[layout.named[key]].1;
        assert!(y("t0") < y("g3") && y("g3") < y("p") && y("p") < y("g1"));
        for (i, a) in layout.places.iter().enumerate() {
            for b in &layout.places[..i] {
                let apart = (a.0 - b.0).abs() >= layout.island_width || (a.1 - b.1).abs() >= HEIGHT;
                assert!(apart, "{a:?} and {b:?}");
            }
            assert!(a.0 > 0.0 && a.0 < layout.width && a.1 > 0.0 && a.1 < layout.height);
        }
    }

    #[test]
    fn long_keys_are_cut() {
        assert_eq!(shown("abc"), "abc");
        assert_eq!(shown("0123456789abcdef"), "0123456789abc…");
    }
}
