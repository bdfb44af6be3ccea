//! How labels come about: the picture of the islands, on which they appear round by round, over and over.
//!
//! A program that does not play animations shows the last round, and so does one that is asked for less motion.

use std::fmt::Write;

use crabwise::analysis::label::{Island, LabelCounts};

use super::{
    escaped, head,
    islands::{IslandLayout, MARGIN, STYLE, TOP, heading},
    put,
};

/// The islands that get their labels at a time, and why.
pub struct LabelFrame {
    pub caption: String,
    pub islands: Vec<usize>,
}

/// Seconds that a round is seen, where there are few; and the last one beyond that.
const SECONDS: f64 = 2.0;
const HOLD: f64 = 3.0;
/// With more rounds than this they go faster.
const FEW: usize = 15;
/// Room for a line below the heading.
const LINE: f64 = 26.0;

const MORE_STYLE: &str = "<style>.blank { fill: #fff; stroke: #aaa; stroke-dasharray: 4 3 } .caption { font-size: \
    15px; font-weight: 600 }\n";

/// The picture that moves; or, with a number of rounds, the one after these.
pub fn label_frames(
    game: &str,
    counts: &LabelCounts,
    islands: &[Island],
    frames: &[LabelFrame],
    after: Option<usize>,
) -> String {
    let layout = IslandLayout::new(islands);
    let width = (layout.width + 2.0 * MARGIN).max(1000.0);
    let mut out = head(width, layout.height + TOP + LINE + MARGIN) + STYLE + MORE_STYLE;
    if after.is_none() {
        timing(&mut out, frames.len());
    }
    put!(out, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    heading(&mut out, game, counts);
    let last = after.unwrap_or(frames.len()).min(frames.len());
    captions(&mut out, frames, after.map(|_| last));
    let shift = (width - layout.width) / 2.0;
    put!(out, "<g transform=\"translate({shift:.1} {:.1})\">", TOP + LINE);
    for (i, island) in islands.iter().enumerate() {
        for bridge in &island.bridges {
            if let Some(&j) = layout.named.get(bridge.to.as_str()) {
                layout.bridge(&mut out, i, j, false);
            }
        }
    }
    for (i, island) in islands.iter().enumerate() {
        layout.blank(&mut out, i, island);
    }
    for (round, frame) in (1..).zip(frames).take(last) {
        put!(out, "<g class=\"r{round}\">");
        for &i in &frame.islands {
            let island = &islands[i];
            for bridge in island.bridges.iter().filter(|bridge| bridge.best) {
                if let Some(&j) = layout.named.get(bridge.to.as_str()) {
                    layout.bridge(&mut out, i, j, true);
                }
            }
            layout.island(&mut out, i, island, island.key == counts.start);
        }
        put!(out, "</g>");
    }
    out + "</g>\n</svg>\n"
}

/// When each round begins, as rules of style.
fn timing(out: &mut String, rounds: usize) {
    let each = SECONDS * (FEW as f64 / rounds.max(FEW) as f64);
    let whole = each * (rounds + 1) as f64 + HOLD;
    let share = |round: usize| 100.0 * each * round as f64 / whole;
    for round in 0..=rounds {
        let (begin, end) = (share(round), share(round + 1));
        let gone =
            if round < rounds { format!(" {end:.2}% {{ opacity: 0 }}") } else { String::new() };
        let from = if round == 0 { 1 } else { 0 };
        put!(out, ".c{round} {{ animation: c{round} {whole:.1}s step-end infinite }}");
        put!(
            out,
            "@keyframes c{round} {{ 0% {{ opacity: {from} }} {begin:.2}% {{ opacity: 1 }}{gone} }}"
        );
        if round > 0 {
            put!(out, ".r{round} {{ animation: r{round} {whole:.1}s step-end infinite }}");
            put!(out, "@keyframes r{round} {{ 0% {{ opacity: 0 }} {begin:.2}% {{ opacity: 1 }} }}");
        }
    }
    put!(
        out,
        "@media (prefers-reduced-motion: reduce) {{ g, text {{ animation: none !important }} }}"
    );
}

/// What each round does; one is seen at a time, the last where nothing moves.
fn captions(out: &mut String, frames: &[LabelFrame], only: Option<usize>) {
    let begin = LabelFrame { caption: "no island has its label yet".into(), islands: vec![] };
    for (round, frame) in [&begin].into_iter().chain(frames).enumerate() {
        if only.is_some_and(|only| only != round) {
            continue;
        }
        let hidden = if only.is_none() && round < frames.len() { " opacity=\"0\"" } else { "" };
        let caption = escaped(&frame.caption);
        put!(
            out,
            "<text x=\"{MARGIN}\" y=\"{TOP}\" class=\"caption c{round}\"{hidden}>{caption}</text>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{
        Value,
        analysis::label::{Bridge, Label},
    };

    #[test]
    fn rounds_appear_one_after_the_other_and_the_last_one_stands() {
        let end = |to: &str| Bridge { to: to.into(), again: false, best: true, end: None };
        let island = |key: &str, label, bridges| {
            let value = Value::Loss(0);
            Island { key: key.into(), label, value, literal: None, bridges }
        };
        let islands = [island("1A", Label::P(2), vec![end("B")]), island("B", Label::G(1), vec![])];
        let counts = LabelCounts {
            start: "1A".into(),
            start_label: Label::P(2),
            islands: 2,
            counts: [(Label::G(1), 1), (Label::P(2), 1)].into(),
            literal: None,
        };
        let frame = |caption: &str, i| LabelFrame { caption: caption.into(), islands: vec![i] };
        let frames = [frame("first", 1), frame("second", 0)];
        let moving = label_frames("toy", &counts, &islands, &frames, None);
        assert_eq!(moving.matches("@keyframes r").count(), 2);
        assert_eq!(moving.matches("opacity=\"0\"").count(), 2);
        assert!(moving.contains("class=\"caption c2\">second</text>"), "{moving}");
        assert!(moving.find("<title>B = G1").unwrap() < moving.find("<title>1A = P2").unwrap());
        let first = label_frames("toy", &counts, &islands, &frames, Some(1));
        assert!(first.contains("B = G1") && !first.contains("1A = P2</title>"), "{first}");
        assert!(first.contains(">first</text>") && !first.contains("@keyframes"));
    }
}
