//! `crabwise bench`: how fast a few small games are solved here.
//!
//! Each is solved by a process of its own, so that the peak of memory is that game's.

use std::{
    io,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use crabwise::watch::Bytes;
use crabwise_api::studies::{Bench, Run};

use crate::{
    args::Globals,
    context::Context,
    error::Failure,
    interrupt::{self, Temporary},
    text::{Align, columns, count, seconds},
};

/// A few seconds of work; what the registry does not have is left out.
const GAMES: [&str; 7] = [
    "tictactoe",
    "nim:7-9-11-13",
    "kayles:16",
    "hex:3x3",
    "mnk:4x4,4",
    "connect-four:4x4",
    "connect-four:5x4",
];

pub fn run(context: &Context, globals: &Globals) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Input(format!("cannot run the bench: {error}"));
    let tables = tempfile::tempdir().map_err(cannot)?;
    let _removed = Temporary::new(tables.path());
    let this = std::env::current_exe().map_err(cannot)?;
    let mut runs = vec![];
    for game in games(context) {
        let mut command = command(&this, &game, tables.path(), globals);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = watched(child.spawn().map_err(cannot)?)?.map_err(cannot)?;
        let run = Run::read(&output.stdout).filter(|_| output.status.success());
        runs.push(run.ok_or_else(|| {
            let line = String::from_utf8_lossy(&output.stderr).trim().to_string();
            Failure::Input(format!("{game} was not solved: {line}"))
        })?);
    }
    context.print(&Bench { runs: &runs }, || text(&runs))
}

/// What a process prints, which is little; it does not outlive this one.
fn watched(mut child: Child) -> Result<io::Result<Output>, Failure> {
    interrupt::working();
    while let Ok(None) = child.try_wait() {
        if let Err(stop) = interrupt::asked() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Halted { stop, kept: None });
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(child.wait_with_output())
}

/// The fixed list, or in a registry that has none of it, every game's own example.
fn games(context: &Context) -> Vec<String> {
    let known = |game: &&str| context.session.registry().build(game).is_ok();
    let games: Vec<String> =
        GAMES.iter().filter(|game| known(game)).map(|g| g.to_string()).collect();
    if games.is_empty() {
        return context
            .session
            .registry()
            .entries()
            .iter()
            .map(|entry| entry.example.into())
            .collect();
    }
    games
}

fn command(this: &Path, game: &str, tables: &Path, globals: &Globals) -> Command {
    let mut command = Command::new(this);
    command.args(["solve", game, "--json", "--quiet", "--tables"]).arg(tables);
    if let Some(memory) = globals.memory {
        command.args(["--memory", &memory.to_string()]);
    }
    if let Some(threads) = globals.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    command
}

fn text(runs: &[Run]) -> String {
    let names = ["game", "positions", "wall", "CPU", "peak", "table", "B/position", "ns/position"];
    let mut rows = vec![names.map(str::to_string).to_vec()];
    rows.extend(runs.iter().map(|run| {
        vec![
            run.game.clone(),
            count(run.positions),
            seconds(run.wall_seconds),
            run.cpu_seconds.map_or("-".into(), seconds),
            run.peak_bytes.map_or("-".into(), |bytes| Bytes(bytes).to_string()),
            Bytes(run.table_bytes).to_string(),
            format!("{:.2}", run.bytes_a_position),
            format!("{:.0}", run.nanoseconds_a_position),
        ]
    }));
    let mut sides = [Align::Right; 8];
    sides[0] = Align::Left;
    columns(&sides, &rows)
}
