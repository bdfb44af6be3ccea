//! Solves games as a user would, each in a process of its own, compares the answers with the corpus
//! and the cost with its floor, and keeps the figures in `records/bench.md`.

use std::{collections::HashMap, fs, path::Path, process::Command, time::Instant};

use serde::Deserialize;
use serde_json::Value;

/// A game to solve, and what it may cost.
struct Course {
    game: &'static str,
    /// CPU-seconds and bytes a position that it must stay under.
    floor: Option<(f64, Option<f64>)>,
    /// A peer's recorded CPU-seconds for the same game on a machine of this kind, one thread.
    peer: Option<(&'static str, f64)>,
}

const COURSES: [Course; 12] = [
    Course {
        game: "connect-four:5x4",
        floor: Some((4.0, Some(40.0))),
        peer: Some(("a BDD solver", 9.7)),
    },
    Course { game: "connect-four:4x5", floor: None, peer: None },
    Course { game: "mnk:4x4,4", floor: Some((10.0, None)), peer: None },
    Course { game: "mnk:4x3,3", floor: None, peer: Some(("GamesmanNova", 1.8)) },
    Course { game: "tictactoe", floor: None, peer: Some(("OpenSpiel, value iteration", 2.4)) },
    Course { game: "othello:4x4", floor: Some((1.0, None)), peer: Some(("GamesmanClassic", 12.5)) },
    Course { game: "pong-hau-ki", floor: Some((1.0, None)), peer: None },
    Course { game: "achi:3", floor: Some((1.0, None)), peer: None },
    Course { game: "dodgem:4", floor: None, peer: None },
    Course { game: "fox-and-hounds:8", floor: Some((5.0, None)), peer: None },
    Course { game: "domineering:5x5", floor: None, peer: None },
    Course { game: "hex:4x4", floor: None, peer: None },
];

/// The part of a corpus entry that a summary can be compared with.
#[derive(Deserialize)]
struct Known {
    string: String,
    start: Option<String>,
    positions: Option<u64>,
    win: Option<u64>,
    loss: Option<u64>,
    tie: Option<u64>,
    draw: Option<u64>,
    longest: Option<u64>,
}

#[derive(Deserialize)]
struct Corpus {
    game: Vec<Known>,
}

/// What one game cost.
struct Outcome {
    game: String,
    row: String,
    trouble: Vec<String>,
}

pub(super) fn run(wanted: &[String]) -> Result<(), String> {
    super::cargo(&["build", "--release", "--package", "crabwise-cli"], &[])?;
    let root = super::root();
    let corpus = fs::read_to_string(root.join("testdata/values.toml")).map_err(text)?;
    let corpus: Corpus = toml::from_str(&corpus).map_err(text)?;
    let known: HashMap<&str, &Known> =
        corpus.game.iter().map(|known| (known.string.as_str(), known)).collect();
    let extra = wanted.iter().filter(|game| COURSES.iter().all(|course| course.game != **game));
    let listed = COURSES.iter().map(|course| course.game.to_string());
    let games: Vec<String> = listed
        .filter(|game| wanted.is_empty() || wanted.contains(game))
        .chain(extra.cloned())
        .collect();

    let tables = tempfile::tempdir().map_err(text)?;
    let mut results = vec![];
    for game in &games {
        let result = solve(&root, tables.path(), game, known.get(game.as_str()).copied())?;
        println!("{}", result.row);
        result.trouble.iter().for_each(|line| println!("  {game}: {line}"));
        results.push(result);
    }
    if wanted.is_empty() {
        fs::write(root.join("records/bench.md"), page(&results)).map_err(text)?;
    }
    let trouble: Vec<String> = (results.iter())
        .flat_map(|result| result.trouble.iter().map(|line| format!("{}: {line}", result.game)))
        .collect();
    if trouble.is_empty() { Ok(()) } else { Err(trouble.join("\n")) }
}

fn solve(root: &Path, tables: &Path, game: &str, known: Option<&Known>) -> Result<Outcome, String> {
    let solved = crabwise(root, tables, &["solve", game])?;
    let began = Instant::now();
    let verified = crabwise(root, tables, &["verify", game])?;
    let verifying = began.elapsed().as_secs_f64();
    let number = |from: &Value, name: &str| from[name].as_f64().unwrap_or(f64::NAN);
    let (positions, cpu) = (number(&solved, "positions"), number(&solved, "cpu_seconds"));
    let bytes = number(&solved, "peak_bytes") / positions;
    let course = COURSES.iter().find(|course| course.game == game);

    let mut trouble = known.map_or(vec![], |known| differences(&solved, known));
    if verified["ok"] != true {
        trouble.push("its table does not verify".into());
    }
    if let Some((most_cpu, most_bytes)) = course.and_then(|course| course.floor) {
        if cpu > most_cpu {
            trouble.push(format!("{cpu:.2} CPU-seconds are more than {most_cpu}"));
        }
        if let Some(most) = most_bytes.filter(|most| bytes > *most) {
            trouble.push(format!("{bytes:.1} bytes a position are more than {most}"));
        }
    }
    let peer = course.and_then(|course| course.peer).map_or("–".into(), |(name, seconds)| {
        // CPU time is told in hundredths of a second, so a quicker run counts as one of them.
        format!("{name} {seconds} s, ×{:.0}", seconds / cpu.max(0.01))
    });
    let row = format!(
        "| {game} | {positions} | {} | {:.2} | {cpu:.2} | {:.1} | {bytes:.1} | {} | {verifying:.2} | {peer} | {} |",
        value(&solved["start"]),
        number(&solved, "wall_seconds"),
        number(&solved, "peak_bytes") / 1048576.0,
        number(&solved, "table_bytes"),
        solved["table_hash"].as_str().unwrap_or("–"),
    );
    Ok(Outcome { game: game.into(), row, trouble })
}

/// Where a summary says something else than the corpus.
fn differences(solved: &Value, known: &Known) -> Vec<String> {
    let mut found = vec![];
    let start = value(&solved["start"]);
    if let Some(wanted) = known.start.as_ref().filter(|wanted| !start.starts_with(*wanted)) {
        found.push(format!("the start is a {start}, not a {wanted}"));
    }
    let counts = [
        ("positions", known.positions),
        ("win", known.win),
        ("loss", known.loss),
        ("tie", known.tie),
        ("draw", known.draw),
        ("longest", known.longest),
    ];
    for (name, wanted) in counts {
        if wanted.is_some() && solved[name].as_u64() != wanted {
            found.push(format!("{name} is {}, not {}", solved[name], wanted.unwrap_or(0)));
        }
    }
    found
}

fn value(value: &Value) -> String {
    let outcome = value["outcome"].as_str().unwrap_or("?");
    match value["remoteness"].as_u64() {
        Some(n) => format!("{outcome} in {n}"),
        None => outcome.into(),
    }
}

fn crabwise(root: &Path, tables: &Path, args: &[&str]) -> Result<Value, String> {
    let program = root.join("target/release/crabwise");
    let output = Command::new(&program)
        .args(args)
        .args(["--json", "--tables"])
        .arg(tables)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("crabwise {} answers nonsense: {error}", args.join(" ")))
}

fn page(results: &[Outcome]) -> String {
    let rows: Vec<&str> = results.iter().map(|result| result.row.as_str()).collect();
    format!(
        "# Bench\n\n\
         Written by `cargo xtask bench`: each game solved into a table and verified completely, in a \
         process of its own,\non {}.\nA peer's figure is a recorded one, of a machine of the same \
         kind and one thread; × is its CPU-seconds over ours.\n\n\
         | game | positions | start | wall s | CPU s | peak MiB | bytes a position | table bytes | \
         verify wall s | peer | table hash |\n|---|---|---|---|---|---|---|---|---|---|---|\n{}\n",
        machine(),
        rows.join("\n")
    )
}

/// Processor and number of threads, as far as the system tells.
fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or("a processor that does not tell its name", |(_, name)| name);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {threads} threads")
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
