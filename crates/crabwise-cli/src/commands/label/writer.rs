//! Labelled islands as files: CSV, JSON, DOT and a picture. What is written is a graph that can be read again.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
};

use crabwise::{
    TableError,
    analysis::label::{Chart, Island, Label, LabelCounts},
};
use crabwise_api::{
    analysis::{LabelHead, LabelledIsland},
    rows::cell,
};

use super::repeated;
use crate::{args::LabelFormat, dot::quoted, error::Failure, svg, text::several};

/// Writes islands in one of the formats, as they come.
pub(super) struct LabelWriter<'a> {
    game: &'a str,
    format: LabelFormat,
    path: &'a Path,
    out: &'a mut dyn Write,
    counts: Option<LabelCounts>,
    /// The islands of a drawing, which needs all of them at once.
    kept: Vec<Island>,
    /// The characters that keys end in, as far as there are few.
    letters: BTreeSet<char>,
    /// Whether islands come with their bridges.
    bridges: bool,
    repeats: Option<Vec<Option<u32>>>,
    /// How many islands have come.
    came: usize,
}

impl Chart for LabelWriter<'_> {
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError> {
        self.counts = Some(counts.clone());
        let game = quoted(self.game);
        match self.format {
            LabelFormat::Csv => {
                let literal = if counts.literal.is_some() { ",literal" } else { "" };
                let repeats = if self.repeats.is_some() { ",repeats" } else { "" };
                let bridges = if self.bridges { ",bridges,start" } else { "" };
                writeln!(self.out, "key,label,kind,index{literal}{repeats}{bridges}")
            }
            LabelFormat::Json => {
                let head = crabwise_api::line(&LabelHead::new(self.game, counts, None));
                // The islands are the last of the object's fields.
                let open = head.trim_end().strip_suffix('}').unwrap_or_default();
                write!(self.out, "{open},\"islands\":[")
            }
            LabelFormat::Dot => writeln!(
                self.out,
                "digraph {game} {{\n  // G: the player to move loses. P: wins. T: neither. Heavy \
                 bridges are perfect play.\n  start={};\n  node [style=filled, \
                 fontname=monospace];\n  edge [color=\"#8a8f98\"];",
                quoted(&counts.start)
            ),
            LabelFormat::Svg | LabelFormat::Keys => Ok(()),
        }
        .map_err(|source| self.failed(source))
    }

    fn island(&mut self, island: Island) -> Result<(), TableError> {
        let repeats = self.repeats.as_ref().and_then(|repeats| repeats[self.came]);
        self.came += 1;
        match self.format {
            LabelFormat::Csv => self.csv(&island, repeats),
            LabelFormat::Json => {
                let comma = if self.kept.is_empty() { "" } else { "," };
                let object = LabelledIsland::new(&island, repeats, self.bridges);
                write!(self.out, "{comma}\n{}", crabwise_api::text(&object))
            }
            LabelFormat::Dot => dot(&island, repeats, self.out),
            LabelFormat::Svg | LabelFormat::Keys => Ok(()),
        }
        .map_err(|source| self.failed(source))?;
        if self.letters.len() <= 2 {
            self.letters.extend(island.key.chars().next_back());
        }
        let few = self.counts.as_ref().is_some_and(|counts| counts.islands <= svg::MOST_ISLANDS);
        if self.kept.is_empty() || self.format == LabelFormat::Svg && few {
            self.kept.push(island);
        }
        Ok(())
    }

    fn full(&self) -> bool {
        let many = self.counts.as_ref().is_some_and(|counts| counts.islands > svg::MOST_ISLANDS);
        self.format == LabelFormat::Svg && many
    }
}

impl<'a> LabelWriter<'a> {
    /// Of islands that come with their bridges, or not, and perhaps with how soon each can come up again.
    pub(super) fn new(
        game: &'a str,
        format: LabelFormat,
        (bridges, repeats): (bool, Option<Vec<Option<u32>>>),
        path: &'a Path,
        out: &'a mut dyn Write,
    ) -> LabelWriter<'a> {
        let (counts, kept, letters) = (None, vec![], BTreeSet::new());
        LabelWriter { game, format, path, out, counts, kept, letters, bridges, repeats, came: 0 }
    }

    /// How many islands of which label there are.
    pub(super) fn counts(self) -> Option<LabelCounts> {
        self.counts
    }

    fn csv(&mut self, island: &Island, repeats: Option<u32>) -> io::Result<()> {
        let Island { key, label, literal, .. } = island;
        let (letter, index) = (label.letter(), label.index());
        write!(self.out, "{},{label},{letter},{index}", cell(key))?;
        if let Some(literal) = literal {
            write!(self.out, ",{literal}")?;
        }
        if self.repeats.is_some() {
            write!(self.out, ",{}", repeats.map_or(String::new(), |n| n.to_string()))?;
        }
        if self.bridges {
            let word = |key: &str| key.replace(char::is_whitespace, "_");
            let bridges: Vec<String> = island.bridges.iter().map(|end| word(&end.to)).collect();
            let start = self.counts.as_ref().is_some_and(|counts| counts.start == *key);
            let start = if start { "start" } else { "" };
            write!(self.out, ",{},{start}", cell(&bridges.join(" ")))?;
        }
        writeln!(self.out)
    }

    /// The letters of the two players, if keys end in these and they are not A and B.
    fn turns(&self) -> Option<String> {
        let letters: String = self.letters.iter().collect();
        match self.letters.len() {
            1 if !"AB".contains(&letters) => Some(letters + "A"),
            2 if letters != "AB" => Some(letters),
            _ => None,
        }
    }

    fn failed(&self, source: io::Error) -> TableError {
        TableError::Io { path: self.path.into(), doing: "write", source }
    }

    pub(super) fn end(&mut self) -> Result<(), Failure> {
        let Some(counts) = &self.counts else { return Ok(()) };
        let most = svg::MOST_ISLANDS;
        match self.format {
            LabelFormat::Csv | LabelFormat::Keys => Ok(()),
            LabelFormat::Json => match self.turns() {
                Some(turns) => {
                    writeln!(self.out, "\n],\"turns\":{}}}", crabwise_api::text(&turns))
                }
                None => writeln!(self.out, "\n]}}"),
            },
            LabelFormat::Dot => {
                let turns = self.turns();
                let turns = turns.map(|turns| format!("  turns={};\n", quoted(&turns)));
                writeln!(self.out, "{}}}", turns.unwrap_or_default())
            }
            LabelFormat::Svg if counts.islands > most => {
                return Err(Failure::Input(format!(
                    "{} are too many for a picture, which takes {most}; write --format dot, csv or \
                     json",
                    several(counts.islands, "island")
                )));
            }
            LabelFormat::Svg => {
                let drawing = svg::islands(self.game, counts, &self.kept);
                self.out.write_all(drawing.as_bytes())
            }
        }
        .map_err(|source| self.failed(source).into())
    }
}

/// An island and its bridges. Keys name the nodes, and what a name does not tell is added, so that
/// the graph of a game whose keys end in whose turn it is can be read as a game again.
fn dot(island: &Island, repeats: Option<u32>, out: &mut dyn Write) -> io::Result<()> {
    let (shape, colour) = match island.label {
        Label::G(_) => ("ellipse", "#9bd8ab"),
        Label::P(_) => ("box", "#f3aca5"),
        Label::T(_) => ("hexagon", "#f7dc93"),
    };
    let key = quoted(&island.key);
    let text = format!("{} = {}{}", island.key, island.label, repeated(repeats));
    let label = quoted(&text);
    let outcome = match (island.label, island.bridges.is_empty()) {
        (Label::P(_), true) => ", outcome=win",
        (Label::T(_), true) => ", outcome=tie",
        _ => "",
    };
    writeln!(out, "  {key} [label={label}, shape={shape}, fillcolor=\"{colour}\"{outcome}];")?;
    for bridge in &island.bridges {
        let how = match (bridge.best, bridge.again) {
            (true, true) => " [penwidth=3, color=\"#1d2733\", again=true]",
            (true, false) => " [penwidth=3, color=\"#1d2733\"]",
            (false, true) => " [again=true]",
            (false, false) => "",
        };
        writeln!(out, "  {key} -> {}{how};", quoted(&bridge.to))?;
    }
    Ok(())
}
