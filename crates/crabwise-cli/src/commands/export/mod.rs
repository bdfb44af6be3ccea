//! `crabwise export`: every position that can be reached, for other programs.

mod published;

use std::{
    io::{self, Write},
    path::Path,
};

use crabwise::{Row, TableError, Value};
use crabwise_api::{
    analysis::other_end,
    files::Export,
    rows::{RowFormat, RowWriter, id},
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
    let start = target.built.game.board(&[])?.place.notation;
    let mut rows = match args.format {
        ExportFormat::Csv => Some(RowWriter::new(RowFormat::Csv, &start)),
        ExportFormat::Json => Some(RowWriter::new(RowFormat::Json, &start)),
        ExportFormat::Dot | ExportFormat::Published => None,
    };
    match &rows {
        Some(rows) => rows.begin(&target.built.string, out),
        None => begin_graph(&target.built.string, out),
    }
    .map_err(failed)?;
    let (mut positions, mut started) = (0, false);
    let mut each = |mut row: Row| {
        if decided && row.value == Value::Draw {
            return Ok(());
        }
        // What leads to positions that are left out is left out, too.
        row.moves.retain(|(_, _, value)| !decided || *value != Value::Draw);
        positions += 1;
        started |= row.position == start;
        match &mut rows {
            Some(rows) => rows.row(&row, out),
            None => node(&row, out),
        }
        .map_err(failed)
    };
    context.session.export(target, &mut each, &progress)?;
    match &rows {
        Some(rows) => rows.end(out),
        None if started => writeln!(out, "  start={};\n}}", quoted(&start)),
        None => writeln!(out, "}}"),
    }
    .map_err(failed)?;
    Ok(positions)
}

fn begin_graph(game: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "digraph {} {{\n  // Green boxes are won for the player to move, red ellipses lost,\n  \
         // amber hexagons tied, grey diamonds endless. Heavy edges are perfect play.\n  \
         node [style=filled, fontname=monospace];",
        quoted(game)
    )
}

/// A node and its edges. Its key, and how it ended if not with a loss, are for those who read it as a graph.
fn node(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let (shape, colour) = match row.value {
        Value::Win(_) => ("box", "#8fd3a0"),
        Value::Loss(_) => ("ellipse", "#f2a29b"),
        Value::Tie(_) => ("hexagon", "#f6d27a"),
        Value::Draw => ("diamond", "#cccccc"),
    };
    let from = quoted(&id(row.slot));
    // Rows of the picture are parted by slashes; as lines they look like the picture again.
    let label = quoted(&format!("{}\n{}\n", row.position.replace('/', "\n"), row.value));
    let ended = other_end(row.value).filter(|_| row.moves.is_empty());
    let ended = ended.map_or(String::new(), |outcome| format!(", outcome={outcome}"));
    let key = quoted(&row.position);
    writeln!(
        out,
        "  {from} [label={label}, shape={shape}, fillcolor=\"{colour}\", key={key}{ended}];"
    )?;
    for (name, to, value) in &row.moves {
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
    fn a_node_tells_its_key_and_how_it_ended() {
        let slot = |index| Slot { tier: 0, index };
        let text = |value, moves| {
            let mut out = vec![];
            let row = Row { slot: slot(0), position: "x/y".into(), value, moves };
            node(&row, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let moves = vec![("a".into(), slot(1), Value::Win(1)), ("b".into(), slot(2), Value::Draw)];
        let open = text(Value::Win(1), moves);
        assert!(open.contains("\"0.0\" -> \"0.1\" [label=\"a\", penwidth=3];"));
        assert!(open.contains("\"0.0\" -> \"0.2\" [label=\"b\"];"));
        assert!(open.contains("label=\"x\\ly\\lwin in 1\\l\""));
        assert!(open.contains(", key=\"x/y\"];"), "{open}");
        assert!(text(Value::Tie(0), vec![]).contains(", key=\"x/y\", outcome=tie];"));
        assert!(text(Value::Loss(0), vec![]).contains(", key=\"x/y\"];"));
    }
}
