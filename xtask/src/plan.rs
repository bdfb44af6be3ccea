//! What `crabwise plan` says against what solving then takes; the figures are kept in `records/plan.md`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::bench::{machine, program};

/// Boards that the pages do not offer: walked ones, of rules alone.
const MORE: [&str; 9] = [
    "black-hole:5,2",
    "black-hole:5,3",
    "black-hole:5,4,falls",
    "connect-four:4x4",
    "connect-four:4x5",
    "connect-four:5x4",
    "dao:plain",
    "hex:4x4",
    "quixo:4",
];
/// Solving takes longer than this many seconds only if a plan is wrong, and is left out.
const LONG: f64 = 300.0;
/// By what factor the prediction of memory may be off, up or down, and that of CPU-seconds where there are as many as
/// [`FEW`].
const MEMORY: f64 = 1.3;
const CPU: f64 = 2.0;
const FEW: f64 = 0.5;

/// All boards that a page offers, and more.
fn games(program: &Path, tables: &Path) -> Result<Vec<String>, String> {
    let told = ask(program, tables, &["games"])?;
    let seen = |game: &&Value| game["hidden"] == false;
    let entries = told["games"].as_array().into_iter().flatten().filter(seen);
    let sizes = entries.flat_map(|game| game["sizes"].as_array().into_iter().flatten());
    let mut all: Vec<String> = sizes.filter_map(|size| size.as_str().map(String::from)).collect();
    all.extend(MORE.map(String::from));
    let mut seen = std::collections::HashSet::new();
    all.retain(|game| seen.insert(game.clone()));
    Ok(all)
}

/// Plans and solves each game, alone and by two workers; gives back where memory was predicted badly.
pub(super) fn run(root: &Path, tables: &Path) -> Result<Vec<String>, String> {
    let program = std::env::var_os("CRABWISE").map_or_else(|| program(root), PathBuf::from);
    let mut page = format!(
        "# Plans and what came of them\n\n\
         Written by `cargo xtask bench plan` on {}: what `crabwise plan` says, with no table of the family at hand, and\n\
         what `solve` then takes. Each cell is *predicted / measured*, and × how many times as much was predicted.\n\
         Exchanged is what two workers in one process send each other.\n\n\
         | game | slots | CPU s | wall s | memory MiB | table KiB | exchanged KiB |\n|---|---|---|---|---|---|---|\n",
        machine()
    );
    let mut trouble = vec![];
    for game in &games(&program, tables)? {
        let empty = tempfile::tempdir().map_err(|error| error.to_string())?;
        let asked = ["plan", game, "--machines", "1", "--cores", "2"];
        // Games that have no table, or whose file is not here, have no plan.
        let Ok(plan) = ask(&program, empty.path(), &asked) else { continue };
        let number = |from: &Value, name: &str| from[name].as_f64().unwrap_or(f64::NAN);
        let slots = format!(
            "{}{}",
            if plan["slots_estimated"] == true { "about " } else { "" },
            plan["slots"]
        );
        if plan["seconds"].is_null() {
            continue;
        }
        if number(&plan, "seconds") > LONG {
            page += &format!("| {game} | {slots} | too long | | | | |\n");
            continue;
        }
        let solved = ask(&program, tables, &["solve", game, "--anew"])?;
        let team = ask(&program, tables, &["solve", game, "--anew", "--workers", "2"])?;
        let row = format!(
            "| {game} | {slots} | {} | {} | {} | {} | {} |",
            cell(number(&plan, "cpu_seconds"), number(&solved, "cpu_seconds"), 1.0),
            cell(number(&plan, "seconds"), number(&solved, "wall_seconds"), 1.0),
            cell(number(&plan, "memory_bytes"), number(&solved, "peak_bytes"), 1048576.0),
            cell(number(&plan, "table_bytes"), number(&solved, "table_bytes"), 1024.0),
            cell(
                number(&plan["cluster"], "exchanged_bytes"),
                number(&team["team"], "exchanged_bytes"),
                1024.0
            ),
        );
        println!("{row}");
        page += &(row + "\n");
        trouble.extend(off(game, &plan, &solved));
    }
    fs::write(root.join("records/plan.md"), page).map_err(|error| error.to_string())?;
    Ok(trouble)
}

/// What was predicted badly.
fn off(game: &str, plan: &Value, solved: &Value) -> Vec<String> {
    let number = |from: &Value, name: &str| from[name].as_f64().unwrap_or(f64::NAN);
    let (mut trouble, cpu) = (vec![], number(solved, "cpu_seconds"));
    for (what, predicted, found, most) in [
        ("plan of its memory", number(plan, "memory_bytes"), number(solved, "peak_bytes"), MEMORY),
        (
            "memory before its solve",
            number(solved, "predicted_bytes"),
            number(solved, "peak_bytes"),
            MEMORY,
        ),
        ("plan of its CPU-seconds", number(plan, "cpu_seconds"), cpu, CPU),
    ] {
        let times = predicted / found;
        let judged = most != CPU || cpu >= FEW;
        if judged && !(1.0 / most..=most).contains(&times) {
            trouble.push(format!("{game}: the {what} is {times:.2} times what it came to"));
        }
    }
    trouble
}

/// `12 / 10, ×1.2`; what was over too soon to be measured is a dash.
fn cell(predicted: f64, measured: f64, unit: f64) -> String {
    let show = |number: f64| match number / unit {
        number if number.is_nan() => "–".into(),
        number if number < 10.0 => format!("{number:.2}"),
        number => format!("{number:.0}"),
    };
    let times = predicted / measured;
    let times = if times.is_finite() { format!(", ×{times:.2}") } else { String::new() };
    format!("{} / {}{times}", show(predicted), show(measured))
}

fn ask(program: &Path, tables: &Path, args: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(program);
    command.args(args).args(["--json", "--tables"]).arg(tables);
    let output =
        command.output().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("crabwise {} answers nonsense: {error}", args.join(" ")))
}
