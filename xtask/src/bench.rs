//! Solves games as a user would, each in a process of its own, compares the answers with the corpus
//! and the cost with its floor, and keeps the figures in `records/bench.md`.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use serde::Deserialize;
use serde_json::Value;

/// A game to solve, and what it may cost.
#[derive(Clone, Copy, Default)]
struct Course {
    game: &'static str,
    /// CPU-seconds that solving must stay under, and seconds.
    cpu: Option<f64>,
    wall: Option<f64>,
    /// Bytes a position, and bytes in all.
    bytes: Option<f64>,
    peak: Option<f64>,
    /// Bytes of the table.
    table: Option<f64>,
    /// Whether the memory must be that which was predicted, give or take a tenth.
    predicted: bool,
    /// CPU-seconds that verifying must stay under; it is then done by one thread.
    verify: Option<f64>,
    /// How many positions are verified, where all would take too long.
    sample: Option<&'static str>,
    /// A peer's recorded CPU-seconds for the same game on a machine of this kind, one thread.
    peer: Option<(&'static str, f64)>,
    /// What is aimed at, and need not be there yet: CPU-seconds, and MiB.
    goal: Option<(f64, f64)>,
    /// The same game in another way, whose cost ours is compared with in the same run.
    twin: Option<&'static str>,
}

impl Course {
    const fn of(game: &'static str) -> Course {
        Course {
            game,
            cpu: None,
            wall: None,
            bytes: None,
            peak: None,
            table: None,
            predicted: false,
            verify: None,
            sample: None,
            peer: None,
            goal: None,
            twin: None,
        }
    }

    const fn aiming_at(self, cpu: f64, mebibytes: f64) -> Course {
        Course { goal: Some((cpu, mebibytes)), ..self }
    }

    const fn within(self, cpu: f64) -> Course {
        Course { cpu: Some(cpu), ..self }
    }

    const fn against(self, peer: &'static str, cpu: f64) -> Course {
        Course { peer: Some((peer, cpu)), ..self }
    }
}

const COURSES: [Course; 27] = [
    Course {
        bytes: Some(40.0),
        ..Course::of("connect-four:5x4")
            .within(4.0)
            .against("a BDD solver", 9.7)
            .aiming_at(1.0, 100.0)
    },
    Course { sample: Some("1000000"), ..Course::of("connect-four:5x5").aiming_at(27.0, 1843.0) },
    Course::of("connect-four:4x5"),
    Course::of("mnk:4x4,4").within(10.0),
    Course::of("mnk:4x3,3").against("GamesmanNova", 1.8),
    Course::of("tictactoe").against("OpenSpiel, value iteration", 2.4),
    Course::of("othello:4x4").within(1.0).against("GamesmanClassic", 12.5),
    Course::of("pong-hau-ki").within(1.0),
    Course::of("achi:3").within(1.0),
    Course::of("dodgem:4"),
    Course::of("fox-and-hounds:8").within(5.0),
    Course {
        peak: Some(60e6),
        twin: Some("dao:plain"),
        ..Course::of("dao").within(5.0).against("GamesmanClassic", 44.9)
    },
    Course::of("dao:plain").aiming_at(1.5, 120.0),
    Course {
        sample: Some("1000000"),
        ..Course::of("quixo:4").against("GamesmanOne", 54.0).aiming_at(8.0, 40.0)
    },
    Course::of("domineering:5x5"),
    Course::of("hex:4x4").aiming_at(4.0, 250.0),
    Course {
        peak: Some(150e6),
        verify: Some(10.0),
        twin: Some("black-hole:5,4,unfolded"),
        ..Course::of("black-hole:5,4").within(6.0).against("a solver without symmetry", 16.7)
    },
    Course::of("black-hole:5,4,unfolded"),
    Course::of("black-hole:5,4,falls"),
    Course { wall: Some(0.1), ..Course::of("isolation:4x4").against("the original", 2.2) },
    Course {
        wall: Some(1.0),
        twin: Some("isolation:4x5,unfolded"),
        ..Course::of("isolation:4x5").against("the original", 88.0)
    },
    Course { sample: Some("1000000"), ..Course::of("isolation:4x5,unfolded") },
    Course {
        peak: Some(4.5e9),
        table: Some(0.25e9),
        predicted: true,
        sample: Some("1000000"),
        ..Course::of("isolation:5x5").within(25.0).against("the original", 6898.0)
    },
    Course::of("cycles:strip=6").within(0.1).against("the original, 13 edges", 136.0),
    Course { sample: Some("1000000"), ..Course::of("cycles:ladder=2x6") },
    Course {
        peak: Some(400e6),
        sample: Some("1000000"),
        ..Course::of("cycles:theta=5,6,7").within(12.0).against("a search with tables", 24.0)
    },
    Course {
        peak: Some(400e6),
        sample: Some("1000000"),
        ..Course::of("cycles:wheel=9").within(12.0).against("a search with tables", 24.0)
    },
];

/// Boards of which only the winner is asked for, found by search; with how many threads, and within how many
/// seconds.
const SEARCHES: [(&str, &str, f64, &str); 10] = [
    ("cycles:ladder=2x8", "1", 5.0, "P"),
    ("cycles:wheel=12", "1", 5.0, "P"),
    ("cycles:wheel=11", "1", 60.0, "N"),
    ("cycles:theta=9,8,9", "1", 18.0, "P"),
    ("cycles:fan=10", "1", 60.0, "P"),
    ("cycles:fan=11", "1", 60.0, "N"),
    ("cycles:ladder=2x9", "2", 60.0, "N"),
    ("cycles:grid=3x5", "2", 60.0, "P"),
    ("cycles:grid=4x4", "2", 60.0, "P"),
    ("cycles:prism=7", "2", 60.0, "N"),
];

/// Microseconds in which a value must be read from a table: with opening it, and after that.
const LOOK_UP: [f64; 2] = [5000.0, 50.0];

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
    #[serde(default)]
    all: Vec<Class>,
}

/// What is known of all positions of a class.
#[derive(Deserialize)]
struct Class {
    class: String,
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    longest_win: u64,
    longest_loss: u64,
}

#[derive(Deserialize)]
struct Corpus {
    game: Vec<Known>,
}

/// What one game cost.
struct Outcome {
    game: String,
    row: String,
    cpu: f64,
    trouble: Vec<String>,
}

pub(super) fn run(wanted: &[String]) -> Result<(), String> {
    let other = wanted == ["plan"] && std::env::var_os("CRABWISE").is_some();
    if !other {
        super::cargo(&["build", "--release", "--package", "crabwise-cli"], &[])?;
    }
    let root = super::root();
    let corpus = fs::read_to_string(root.join("testdata/values.toml")).map_err(text)?;
    let corpus: Corpus = toml::from_str(&corpus).map_err(text)?;
    let known: HashMap<&str, &Known> =
        corpus.game.iter().map(|known| (known.string.as_str(), known)).collect();
    let alone = match wanted.first().map(String::as_str) {
        Some("hidden") => Some(super::hidden::run as fn(&Path, &Path) -> _),
        Some("serve") => Some(super::serve::run as fn(&Path, &Path) -> _),
        Some("cluster") => Some(super::cluster::run as fn(&Path, &Path) -> _),
        Some("plan") => Some(super::plan::run as fn(&Path, &Path) -> _),
        _ => None,
    };
    if let Some(alone) = alone {
        let tables = tempfile::tempdir().map_err(text)?;
        let trouble: Vec<String> = alone(&root, tables.path())?;
        return if trouble.is_empty() { Ok(()) } else { Err(trouble.join("\n")) };
    }
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
    let mut trouble: Vec<String> = (results.iter())
        .flat_map(|result| result.trouble.iter().map(|line| format!("{}: {line}", result.game)))
        .collect();
    if wanted.is_empty() {
        let (line, slow) = label_a_graph(&root, tables.path())?;
        println!("{line}");
        trouble.extend(slow);
        let (found, slow) = search(&root, tables.path())?;
        println!("{found}");
        trouble.extend(slow);
        trouble.extend(super::hidden::run(&root, tables.path())?);
        trouble.extend(super::serve::run(&root, tables.path())?);
        trouble.extend(super::cluster::run(&root, tables.path())?);
        trouble.extend(super::plan::run(&root, tables.path())?);
        let page = page(&results) + "\n" + &line + "\n" + &found;
        fs::write(root.join("records/bench.md"), page).map_err(text)?;
    }
    if trouble.is_empty() { Ok(()) } else { Err(trouble.join("\n")) }
}

fn solve(root: &Path, tables: &Path, game: &str, known: Option<&Known>) -> Result<Outcome, String> {
    let solved = crabwise(root, tables, &["solve", game])?;
    let course = COURSES.into_iter().find(|course| course.game == game).unwrap_or_default();
    let one_thread: &[&str] = if course.verify.is_some() { &["--threads", "1"] } else { &[] };
    let sample: Vec<&str> = course.sample.iter().flat_map(|sample| ["--sample", sample]).collect();
    let began = Instant::now();
    let verified = crabwise(root, tables, &[&["verify", game], one_thread, &sample].concat())?;
    let verifying = began.elapsed().as_secs_f64();
    let number = |from: &Value, name: &str| from[name].as_f64().unwrap_or(f64::NAN);
    let (positions, cpu) = (number(&solved, "positions"), number(&solved, "cpu_seconds"));
    let bytes = number(&solved, "peak_bytes") / positions;
    let peak = number(&solved, "peak_bytes");
    let mut trouble = known.map_or(vec![], |known| differences(&solved, known));
    if let Some(known) = known.filter(|known| !known.all.is_empty()) {
        trouble
            .extend(class_differences(&crabwise(root, tables, &["stats", game, "--all"])?, known));
    }
    if verified["ok"] != true {
        trouble.push("its table does not verify".into());
    }
    let predicted = number(&solved, "predicted_bytes");
    if course.predicted && !(0.9..=1.1).contains(&(predicted / peak)) {
        trouble.push(format!("{predicted} bytes were predicted, and {peak} were used"));
    }
    let [first, next] = ["lookup_first_us", "lookup_us"].map(|name| number(&solved, name));
    for (what, found, most) in [
        ("CPU-seconds", cpu, course.cpu),
        ("seconds", number(&solved, "wall_seconds"), course.wall),
        ("bytes of table", number(&solved, "table_bytes"), course.table),
        ("µs for a first look-up", first, Some(LOOK_UP[0])),
        ("µs for a look-up", next, Some(LOOK_UP[1])),
        ("bytes a position", bytes, course.bytes),
        ("bytes", peak, course.peak),
        ("seconds to verify", verifying, course.verify),
    ] {
        if let Some(most) = most.filter(|most| found > *most) {
            trouble.push(format!("{found:.2} {what} are more than {most}"));
        }
    }
    let peer = course.peer.map_or("–".into(), |(name, seconds)| {
        // CPU time is told in hundredths of a second, so a quicker run counts as one of them.
        format!("{name} {seconds} s, ×{:.0}", seconds / cpu.max(0.01))
    });
    let goal = course.goal.map_or("–".into(), |(cpu, peak)| format!("{cpu} s, {peak:.0} MiB"));
    let row = format!(
        "| {game} | {positions} | {} | {:.2} | {cpu:.2} | {:.1} | {bytes:.1} | {} | {first:.0} / {next:.1} | \
         {verifying:.2}{} | {peer} | {goal} | {} |",
        value(&solved["start"]),
        number(&solved, "wall_seconds"),
        peak / 1048576.0,
        number(&solved, "table_bytes"),
        if course.sample.is_some() { ", a sample" } else { "" },
        solved["table_hash"].as_str().unwrap_or("–"),
    );
    Ok(Outcome { game: game.into(), row, cpu, trouble })
}

/// Asks for the winners of large boards; how long that took, and what is wrong with it. Where a symmetry
/// decides, that is seen at once.
fn search(root: &Path, folder: &Path) -> Result<(String, Vec<String>), String> {
    let mut page = String::from(
        "Who wins, by search without a table:\n\n| game | threads | outcome | wall s |\n|---|---|---|---|\n",
    );
    let mut trouble = vec![];
    for (game, threads, most, wanted) in SEARCHES {
        let began = Instant::now();
        let asked = ["look", game, "--search", "--outcome", "--threads", threads];
        let told = crabwise(root, folder, &asked)?;
        let took = began.elapsed().as_secs_f64();
        let outcome = told["outcome_class"].as_str().unwrap_or("?");
        page += &format!("| {game} | {threads} | {outcome} | {took:.2} |\n");
        if outcome != wanted {
            trouble.push(format!("{game} is {outcome}, not {wanted}"));
        }
        if took > most {
            trouble.push(format!("{game}: {took:.1} s to find the winner are more than {most}"));
        }
    }
    Ok((page, trouble))
}

/// Seconds in which a large graph must be read, labelled and written.
const LABEL_WITHIN: f64 = 30.0;

/// Labels a random graph of two million islands and ten million bridges; what that took, and what is
/// wrong with it.
fn label_a_graph(root: &Path, folder: &Path) -> Result<(String, Option<String>), String> {
    let (file, labels) = (folder.join("random.csv"), folder.join("labels.csv"));
    fs::write(&file, random_graph(2_000_000, 10_000_000)).map_err(text)?;
    let began = Instant::now();
    let game = format!("graph:{}", file.display());
    let told = crabwise(root, folder, &["label", &game, "-o", &labels.display().to_string()])?;
    let took = began.elapsed().as_secs_f64();
    let rows = fs::read_to_string(&labels).map_err(text)?.lines().count() as u64;
    let islands = told["total"].as_u64().unwrap_or(0);
    let line = format!(
        "A random graph of {islands} islands and 10000000 bridges is read, labelled and written in \
         {took:.1} s; its start is {}.\n",
        told["start"].as_str().unwrap_or("nothing")
    );
    let wrong = if rows != islands + 1 || islands < 1_900_000 {
        Some(format!("{rows} rows were written for {islands} islands"))
    } else {
        (took > LABEL_WITHIN).then(|| format!("{took:.1} s to label a graph"))
    };
    Ok((line, wrong))
}

/// Bridges between islands of different letters, as rows of CSV. The last tenth of the islands are
/// dead ends.
fn random_graph(islands: u64, bridges: u64) -> String {
    let mut rows = String::from("from,to\n");
    // xorshift64: G. Marsaglia, "Xorshift RNGs" (2003).
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let letter = |island: u64| if island.is_multiple_of(2) { 'A' } else { 'B' };
    for _ in 0..bridges {
        let from = random(islands - islands / 10);
        let to = random(islands / 2) * 2 + (from + 1) % 2;
        rows += &format!("{from}{},{to}{}\n", letter(from), letter(to));
    }
    rows
}

/// Where the classes of all positions are others than in the corpus.
fn class_differences(stats: &Value, known: &Known) -> Vec<String> {
    let mut found = vec![];
    for known in &known.all {
        let tiers = stats["tiers"].as_array().into_iter().flatten();
        let Some(class) = tiers.into_iter().find(|tier| tier["class"] == *known.class) else {
            found.push(format!("there is no class {}", known.class));
            continue;
        };
        for (name, wanted) in [
            ("positions", known.positions),
            ("win", known.win),
            ("loss", known.loss),
            ("draw", known.draw),
            ("longest_win", known.longest_win),
            ("longest_loss", known.longest_loss),
        ] {
            if class[name].as_u64() != Some(wanted) {
                found.push(format!("{name} of {} is {}, not {wanted}", known.class, class[name]));
            }
        }
    }
    found
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

pub(super) fn crabwise(root: &Path, tables: &Path, args: &[&str]) -> Result<Value, String> {
    let program = program(root);
    let output = Command::new(&program)
        .args(args)
        .args(["--json", "--tables"])
        .arg(tables)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("crabwise {} answers nonsense: {error}", args.join(" ")))
}

pub(super) fn program(root: &Path) -> PathBuf {
    root.join("target/release/crabwise")
}

fn page(results: &[Outcome]) -> String {
    let rows: Vec<&str> = results.iter().map(|result| result.row.as_str()).collect();
    let cpu = |game: &str| results.iter().find(|result| result.game == game).map(|one| one.cpu);
    let twins = COURSES.iter().filter_map(|course| {
        let (twin, ours) = (course.twin?, cpu(course.game)?);
        let ratio = cpu(twin)? / ours.max(0.01);
        Some(format!("\n`{twin}` takes {ratio:.1} times the CPU-seconds of `{}`.\n", course.game))
    });
    let twins: String = twins.collect();
    format!(
        "# Bench\n\n\
         Written by `cargo xtask bench`: each game solved into a table and verified, completely unless \
         marked, in a process of its own,\non {}.\nA peer's figure is a recorded one, of a machine of the same \
         kind and one thread; × is its CPU-seconds over ours.\n\n\
         | game | positions | start | wall s | CPU s | peak MiB | bytes a position | table bytes | \
         look-up µs, first / next | verify wall s | peer | goal | table hash |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n{}\n{twins}",
        machine(),
        rows.join("\n")
    )
}

/// Processor and number of threads, as far as the system tells.
pub(super) fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or("a processor that does not tell its name", |(_, name)| name);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {threads} threads")
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
