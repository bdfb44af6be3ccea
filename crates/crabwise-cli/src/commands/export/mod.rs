//! `crabwise export`: every position that can be reached, for other programs.

mod published;

use std::{
    io::{self, Write},
    path::Path,
};

use crabwise::{Row, TableError, Value};
use crabwise_api::{
    files::Export,
    rows::{RowFormat, id},
};
use crabwise_session::Target;

use crate::{
    args::{ExportArgs, ExportFormat, Only},
    context::Context,
    dot::quoted,
    error::Failure,
    output::{writable, write_whole},
    text::several,
};

pub fn run(context: &Context, args: &ExportArgs) -> Result<(), Failure> {
    let (target, path) = (context.target(&args.of.game)?, &args.output);
    match args.format {
        ExportFormat::Published => published::suits(&target, path, args.only.is_some())?,
        _ if path == Path::new("-") => {}
        _ => writable(path)?,
    }
    context.ready(&target, args.of.solve)?;
    if args.format == ExportFormat::Published {
        return published::run(context, &target, path, args.only.is_some());
    }
    if path == Path::new("-") {
        let mut out = io::BufWriter::new(io::stdout().lock());
        write(context, args, &target, &mut out)?;
        return out.flush().map_err(Failure::Pipe);
    }
    let mut positions = 0;
    write_whole(path, |out| {
        positions = write(context, args, &target, out)?;
        Ok(())
    })?;
    let (game, file) = (target.built.string.as_str(), path.display().to_string());
    context.print(&Export { game, file, positions }, || {
        format!("{} written to {}\n", several(positions, "position"), path.display())
    })
}

/// Writes everything, and says how many positions that was.
fn write(
    context: &Context,
    args: &ExportArgs,
    target: &Target,
    out: &mut dyn Write,
) -> Result<u64, Failure> {
    let failed = |source| TableError::Io { path: args.output.clone(), doing: "write", source };
    let decided = args.only == Some(Only::Decided);
    let progress = context.progress();
    let mut positions = 0;
    begin(args.format, &target.built.string, out).map_err(failed)?;
    let mut each = |row: Row| {
        if decided && row.value == Value::Draw {
            return Ok(());
        }
        positions += 1;
        match args.format {
            ExportFormat::Csv => RowFormat::Csv.row(&row, positions == 1, out),
            ExportFormat::Json => RowFormat::Json.row(&row, positions == 1, out),
            ExportFormat::Dot => node(&row, decided, out),
            ExportFormat::Published => Ok(()),
        }
        .map_err(failed)
    };
    context.session.export(target, &mut each, &progress)?;
    end(args.format, out).map_err(failed)?;
    Ok(positions)
}

fn begin(format: ExportFormat, game: &str, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ExportFormat::Csv => RowFormat::Csv.begin(game, out),
        ExportFormat::Json => RowFormat::Json.begin(game, out),
        ExportFormat::Dot => writeln!(
            out,
            "digraph {} {{\n  // Green boxes are won for the player to move, red ellipses lost,\n  \
             // amber hexagons tied, grey diamonds endless. Heavy edges are perfect play.\n  \
             node [style=filled, fontname=monospace];",
            quoted(game)
        ),
        ExportFormat::Published => Ok(()),
    }
}

fn end(format: ExportFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ExportFormat::Csv => RowFormat::Csv.end(out),
        ExportFormat::Json => RowFormat::Json.end(out),
        ExportFormat::Published => Ok(()),
        ExportFormat::Dot => writeln!(out, "}}"),
    }
}

/// A node and its edges. Where draws are left out, so are the edges that lead to them, or the
/// graph would have nodes without a value.
fn node(row: &Row, decided: bool, out: &mut dyn Write) -> io::Result<()> {
    let (shape, colour) = match row.value {
        Value::Win(_) => ("box", "#8fd3a0"),
        Value::Loss(_) => ("ellipse", "#f2a29b"),
        Value::Tie(_) => ("hexagon", "#f6d27a"),
        Value::Draw => ("diamond", "#cccccc"),
    };
    let from = quoted(&id(row.slot));
    // Rows of the picture are parted by slashes; as lines they look like the picture again.
    let label = quoted(&format!("{}\n{}\n", row.position.replace('/', "\n"), row.value));
    writeln!(out, "  {from} [label={label}, shape={shape}, fillcolor=\"{colour}\"];")?;
    for (name, to, value) in &row.moves {
        if decided && *value == Value::Draw {
            continue;
        }
        let heavy = if *value == row.value { ", penwidth=3" } else { "" };
        let to = quoted(&id(*to));
        writeln!(out, "  {from} -> {to} [label={}{heavy}];", quoted(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::Slot;

    #[test]
    fn a_graph_of_decided_positions_has_no_edge_to_a_draw() {
        let slot = |index| Slot { tier: 0, index };
        let moves = vec![("a".into(), slot(1), Value::Win(1)), ("b".into(), slot(2), Value::Draw)];
        let row = Row { slot: slot(0), position: "x/y".into(), value: Value::Win(1), moves };
        let text = |decided| {
            let mut out = vec![];
            node(&row, decided, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(text(false).contains("\"0.0\" -> \"0.2\" [label=\"b\"];"));
        assert!(text(true).contains("\"0.0\" -> \"0.1\" [label=\"a\", penwidth=3];"));
        assert!(!text(true).contains("0.2"));
        assert!(text(true).contains("label=\"x\\ly\\lwin in 1\\l\""));
    }
}
