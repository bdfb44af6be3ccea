//! `crabwise draw`: a position as its game draws it, or all positions as a graph.

use std::{fmt::Write as _, path::Path};

use crabwise::{Value, explore::PositionInfo, explore::digraph::Digraph};
use crabwise_api::files;
use crabwise_session::Target;

use crate::{
    args::{DrawArgs, DrawFormat},
    context::Context,
    context::Values,
    dot::quoted,
    error::Failure,
    output::{print, writable, write_whole},
    svg,
    text::meaning,
    text::{class_line, count, several, standing},
};

/// With more positions than this a program that lays out graphs would not come to an end.
const MOST_NODES: usize = 20_000;

pub fn run(context: &Context, args: &DrawArgs) -> Result<(), Failure> {
    let format = format(args)?;
    if args.output != Path::new("-") {
        writable(&args.output)?;
    }
    if args.positions {
        return positions(context, args, format);
    }
    if format == DrawFormat::Dot {
        let line = "a position cannot be written as DOT, only all of them: add --positions";
        return Err(Failure::Input(line.into()));
    }
    let target = context.target(&args.asked.of.game)?;
    let line = context.line(&target, &args.moves)?;
    let (picture, about, line) = if args.bare {
        let picture = target.built.game.board(&line)?.picture;
        let about =
            if line.is_empty() { vec![] } else { vec![format!("after {}", line.join(" "))] };
        (picture, about, line)
    } else {
        let values = context.values(&target, args.asked.needs())?;
        let explorer = context.explorer(&target, &values, None)?;
        let info = explorer.look(&line)?;
        (explorer.draw(&line)?, about(&info), info.place.line)
    };
    let game = target.built.string.as_str();
    let drawing = svg::board(game, &about, &picture, args.losing);
    let file = args.output.display().to_string();
    write(&args.output, &drawing, || {
        context.print(&files::Drawing { game, line: &line, file: file.clone() }, || {
            let colon = if about.is_empty() { "" } else { ": " };
            format!("{file} written{colon}{}\n", about.join("; "))
        })
    })
}

/// What is to be written, by the ending of the file if nothing is said.
fn format(args: &DrawArgs) -> Result<DrawFormat, Failure> {
    let ending = args.output.extension().map(|ending| ending.to_ascii_lowercase());
    match (args.format, ending.as_deref().and_then(|ending| ending.to_str())) {
        (Some(format), _) => Ok(format),
        (None, Some("svg")) => Ok(DrawFormat::Svg),
        (None, Some("dot" | "gv")) => Ok(DrawFormat::Dot),
        (None, None) if args.output == Path::new("-") => Ok(DrawFormat::Svg),
        (None, _) => Err(Failure::Input(format!(
            "the ending of {} says nothing; add --format svg or dot",
            args.output.display()
        ))),
    }
}

/// The moves that led to a position, whose turn it is and who wins.
fn about(info: &PositionInfo) -> Vec<String> {
    let place = match info.place.line.is_empty() {
        true => "at the start".to_string(),
        false => format!("after {}", info.place.line.join(" ")),
    };
    [Some(place), Some(standing(info)), class_line(info)].into_iter().flatten().collect()
}

/// Writes a file, which is then told, or standard output, which tells itself.
fn write(
    path: &Path,
    text: &str,
    tell: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        return print(text);
    }
    let failed = |source| Failure::File { path: path.into(), source };
    write_whole(path, |out| out.write_all(text.as_bytes()).map_err(failed))?;
    tell()
}

fn positions(context: &Context, args: &DrawArgs, format: DrawFormat) -> Result<(), Failure> {
    if !args.moves.is_empty() {
        let line = "--positions draws all that the start leads to; leave out the moves";
        return Err(Failure::Input(line.into()));
    }
    let target = context.target(&args.asked.of.game)?;
    let values = context.values(&target, args.asked.needs())?;
    let graph = whole(context, &target, &values, format)?;
    let game = target.built.string.as_str();
    let text = match format {
        DrawFormat::Svg => svg::positions(game, &graph),
        DrawFormat::Dot => dot(game, &graph),
    };
    let (file, positions) = (args.output.display().to_string(), graph.nodes.len() as u64);
    write(&args.output, &text, || {
        context.print(&files::Export { game, file: file.clone(), positions }, || {
            format!("{} written to {file}\n", several(positions, "position"))
        })
    })
}

/// All positions, if they are not too many for the format.
fn whole(
    context: &Context,
    target: &Target,
    values: &Values,
    format: DrawFormat,
) -> Result<Digraph, Failure> {
    let (most, advice) = match format {
        DrawFormat::Svg => (svg::MOST_POSITIONS, "a picture; --format dot takes more"),
        DrawFormat::Dot => (MOST_NODES, "a graph; 'export' writes any number of them"),
    };
    let explorer = context.explorer(target, values, None)?;
    Digraph::of(&*explorer, most, &context.progress())?.ok_or_else(|| {
        let game = &target.built.string;
        Failure::Input(format!(
            "'{game}' has more than {} positions, which is too many for {advice}",
            count(most as u64)
        ))
    })
}

/// The graph for Graphviz, each layer of it in one row.
fn dot(game: &str, graph: &Digraph) -> String {
    let mut out = format!(
        "digraph {} {{\n  // Golden ellipses: the previous player wins. Dark boxes: the next \
         player wins.\n  // Blue hexagons are ties, white diamonds endless. Heavy edges are perfect \
         play.\n  node [style=filled, fontname=monospace];\n  edge [color=\"#9aa1ab\"];\n",
        quoted(game)
    );
    for (i, (node, label)) in graph.nodes.iter().zip(graph.labels()).enumerate() {
        let look = match node.value {
            Value::Win(_) => "shape=box, fillcolor=\"#474f5a\", fontcolor=white",
            Value::Loss(_) => "shape=ellipse, fillcolor=\"#f2c230\"",
            Value::Tie(_) => "shape=hexagon, fillcolor=\"#a9d3ee\"",
            Value::Draw => "shape=diamond, fillcolor=white",
        };
        let tip = format!("{}: {} ({})", node.place.notation, node.value, meaning(node.value));
        let (label, tip) = (quoted(&label), quoted(&tip));
        let _ = writeln!(out, "  {i} [label={label}, tooltip={tip}, {look}];");
        for edge in &node.edges {
            let names = quoted(&edge.names.join(" "));
            let heavy = if edge.best { ", penwidth=3, color=\"#1d2733\"" } else { "" };
            let _ = writeln!(out, "  {i} -> {} [tooltip={names}{heavy}];", edge.to);
        }
    }
    for layer in &graph.layers {
        let row: String = layer.iter().map(|i| format!(" {i};")).collect();
        let _ = writeln!(out, "  {{ rank=same;{row} }}");
    }
    out + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::digraph;

    #[test]
    fn a_graph_has_a_row_for_each_layer() {
        let text = dot("toy", &digraph("rows:1-2", 10).unwrap());
        assert_eq!(text.matches("rank=same").count(), 4);
        assert_eq!(text.matches("shape=ellipse").count(), 2);
        assert!(
            text.contains("label=\"1,1\", tooltip=\"1,1: loss in 2 (P: the previous"),
            "{text}"
        );
    }

    #[test]
    fn layers_are_by_the_number_of_moves() {
        let graph = digraph("rows:1-2", 6).unwrap();
        let names = |layer: &Vec<usize>| {
            let mut names: Vec<&str> =
                layer.iter().map(|&i| graph.nodes[i].place.notation.as_str()).collect();
            names.sort();
            names.join(" ")
        };
        let layers: Vec<String> = graph.layers.iter().map(names).collect();
        assert_eq!(layers, ["1,2", "0,2 1,1", "0,1 1,0", "0,0"]);
        assert_eq!(graph.layers.concat(), [0, 1, 2, 3, 4, 5]);
        let start = &graph.nodes[graph.layers[0][0]];
        let best: Vec<&str> = (start.edges.iter().filter(|edge| edge.best))
            .map(|edge| graph.nodes[edge.to].place.notation.as_str())
            .collect();
        assert_eq!(best, ["1,1"]);
        assert!(digraph("rows:1-2", 5).is_none());
        assert_eq!(graph.labels()[0], "1,2");
    }

    #[test]
    fn endless_play_has_layers_too() {
        assert_eq!(digraph("circle", 10).unwrap().layers.len(), 4);
    }

    #[test]
    fn long_names_are_numbers() {
        assert_eq!(digraph("rows:9", 300).unwrap().labels()[0], "9");
        assert_eq!(digraph("heaps", 300).unwrap().labels()[0], "A: 2/B: 3");
    }
}
