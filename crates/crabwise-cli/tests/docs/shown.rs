//! What the pages show: code, commands with what they print, and figures.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crabwise::watch::Bytes;
use crabwise_games::Registry;
use serde_json::Value;

use super::{PAGES, blocks, read, root, sections};

#[test]
fn code_in_the_readme_is_the_code_that_is_tested() {
    let tictactoe = read("crates/crabwise/examples/tictactoe.rs");
    let own_game = read("crates/crabwise-cli/examples/own_game.rs");
    let blocks = blocks(&read("README.md"), "rust");
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0], tictactoe);
    assert!(own_game.contains(&blocks[1]), "the example has another main");
    assert!(tictactoe.lines().count() < 60 && own_game.lines().count() < 60);
}

#[test]
fn rules_that_are_taught_can_be_read_and_are_those_of_the_examples() {
    let blocks = blocks(&read("docs/rules.md"), "rules");
    let mut examples = 0;
    for block in &blocks {
        let program = crabwise_rules::read(block, &[]).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(crabwise_rules::check::check(&program), [], "{}", program.hints.title);
        let name = program.hints.title.to_lowercase().replace(' ', "-");
        if let Some(text) = crabwise_rules::examples::example(&name) {
            assert_eq!(block, text);
            examples += 1;
        }
    }
    assert!((blocks.len(), examples) == (5, 4), "{} games, {examples} examples", blocks.len());
    let here = fs::read_dir(root().join("games")).unwrap().count();
    assert_eq!(here, crabwise_rules::examples::EXAMPLES.len());
}

#[test]
fn commands_print_what_is_shown() {
    // Files in commands are named from the root. No other test here depends on where it is run.
    std::env::set_current_dir(root()).unwrap();
    for page in PAGES {
        // A folder for each page: two runs may not write one table at the same time.
        let folder = tempfile::tempdir().unwrap();
        let cases = trycmd::TestCases::new();
        cases.env("CRABWISE_TABLES", folder.path().to_str().unwrap());
        cases.case(root().join(page));
        cases.run();
    }
    assert!(blocks(&read("README.md"), "console").len() >= 3);
}

#[test]
fn the_tutorial_shows_what_is_drawn_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_crabwise"));
    run(program, folder.path(), "label cruzados -o drawn.svg --quiet");
    let drawn = fs::read_to_string(folder.path().join("drawn.svg")).unwrap();
    assert!(drawn == read("docs/cruzados.svg"), "docs/cruzados.svg is not what is drawn");
    assert_eq!(blocks(&read("docs/crab-analysis.md"), "csv"), [read("docs/harbour.csv")]);
}

#[test]
fn the_lesson_shows_what_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_crabwise"));
    let page = read("docs/regret.md");
    let mut lines = page.lines().filter_map(|line| line.strip_prefix("$ crabwise "));
    let drawing = lines.find(|line| line.contains("--curve")).unwrap();
    let words: Vec<&str> = drawing.split(' ').map(|word| word.trim_matches('\'')).collect();
    let mut command = Command::new(program);
    command.args(words).current_dir(folder.path()).env("CRABWISE_TABLES", folder.path());
    assert!(command.output().unwrap().status.success());
    let drawn = fs::read_to_string(folder.path().join("regret.svg")).unwrap();
    assert!(drawn == read("docs/regret.svg"), "docs/regret.svg is not what is drawn");
}

#[test]
fn the_gallery_agrees_with_the_corpus() {
    let corpus: toml::Table = toml::from_str(&read("testdata/values.toml")).unwrap();
    let corpus = corpus["game"].as_array().unwrap();
    let sections = sections(&read("docs/gallery.md"));
    let gallery = sections.iter().find(|section| section.heading == "Gallery").unwrap();
    let mut names = BTreeSet::new();
    for row in gallery.body.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, string, positions, start, longest, remark, _] = cells[..] else { panic!("{row}") };
        let string = string.trim_matches('`');
        let known = corpus.iter().find(|known| known["string"].as_str() == Some(string));
        let known = known.unwrap_or_else(|| panic!("the corpus does not have {string}"));
        let number = |cell: &str| cell.replace(',', "").parse::<i64>().ok();
        assert_eq!(known["positions"].as_integer(), number(positions), "positions of {string}");
        assert_eq!(known["start"].as_str(), Some(start), "start of {string}");
        assert_eq!(known["longest"].as_integer(), number(longest), "longest of {string}");
        assert!(!remark.is_empty(), "nothing is said of {string}");
        names.insert(string.split(':').next().unwrap_or(string).to_string());
    }
    let registered: BTreeSet<String> =
        Registry::standard().entries().iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(names, registered);
}

/// Runs a program on tables in `folder`, and gives back what it prints.
fn run(program: &Path, folder: &Path, words: &str) -> String {
    let mut command = Command::new(program);
    command.args(words.split(' ')).current_dir(folder).env("CRABWISE_TABLES", folder);
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tables_are_as_large_as_the_pages_say() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mnk:4x3,3", "connect-four:4x4"] {
        let program = Path::new(env!("CARGO_BIN_EXE_crabwise"));
        let told = run(program, folder.path(), &format!("solve {game} --json --quiet"));
        let told: Value = serde_json::from_str(&told).unwrap();
        let size = Bytes(told["table_bytes"].as_u64().unwrap()).to_string();
        let page = read("docs/games.md");
        let row = page.lines().find(|line| line.starts_with("| `Index`")).unwrap();
        let place = row.find(&format!("`{game}`")).expect("the game is named");
        let said = row[place..].find(" in ").map(|at| &row[place + at + 4..]).unwrap();
        assert!(said.starts_with(&size), "the table of {game} has {size}");
    }
}

/// An example, built as this test was and beside it. Cargo builds no examples for a single test.
fn example(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_crabwise")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    // Of the whole workspace, as all tests are: of one package, features differ and everything is compiled again.
    cargo.args(["build", "--quiet", "--workspace", "--example", name]);
    cargo.arg("--target-dir").arg(folder.parent().unwrap()).current_dir(root());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success(), "the example does not compile");
    folder.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

#[test]
fn a_game_of_ones_own_has_every_command() {
    let (program, folder) = (example("own_game"), tempfile::tempdir().unwrap());
    let run = |words: &str| run(&program, folder.path(), words);
    assert!(run("games").contains("example: queen:8x8\n"));
    assert!(
        run("solve queen").starts_with("queen:8x8\nstart         first player to move: win in 1\n")
    );
    assert!(run("look queen h6").contains(" Q\n"));
    assert!(
        run("play queen --first perfect --second perfect").contains("the first player has won")
    );
    assert!(run("stats queen").contains("mean moves"));
    assert_eq!(run("verify queen"), "64 checked, 0 mismatches\n");
    assert!(!run("check queen").contains("BROKEN"));
    assert_eq!(
        run("export queen --format csv -o queen.csv"),
        "64 positions written to queen.csv\n"
    );
    assert_eq!(fs::read_to_string(folder.path().join("queen.csv")).unwrap().lines().count(), 65);
    // The lost squares are known: W. A. Wythoff, "A modification of the game of nim" (1907).
    for (columns, rows) in (1..=11).flat_map(|x| (1..=8).map(move |y| (x, y))) {
        let cold = [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)];
        let (low, high) = (columns.min(rows) - 1, columns.max(rows) - 1);
        let told = run(&format!("look queen:{columns}x{rows} --solve --quiet --json"));
        let told: Value = serde_json::from_str(&told).unwrap();
        let lost = told["value"]["outcome"] == "loss";
        assert_eq!(lost, cold.contains(&(low, high)), "queen:{columns}x{rows}");
    }
}

/// What the page says of the steps does not depend on the machine: their lines, and what is found.
#[test]
fn a_game_grows_and_stays_what_it_is() {
    let (program, folder) = (example("grow"), tempfile::tempdir().unwrap());
    let page = read("docs/grow.md");
    for (step, name) in (1..).zip(["rules", "places", "folded", "tiers", "unplay"]) {
        let lines = read(format!("crates/crabwise-cli/examples/grow/{name}.rs")).lines().count();
        let row = page.lines().find(|line| line.contains(&format!("[{name}]"))).unwrap();
        assert!(row.contains(&format!(" | {lines} | ")), "{name}.rs has {lines} lines");
        let told = run(&program, folder.path(), &format!("solve teeko:{step} --json --quiet"));
        let told: Value = serde_json::from_str(&told).unwrap();
        let words = ["positions", "win", "loss"].map(|key| told[key].to_string()).join(" ");
        assert_eq!(words, "1508592 311522 48687", "step {step}");
    }
    assert!(page.contains("1,508,592 positions") && page.contains("311,522 are won, 48,687 lost"));
    assert_eq!(run(&program, folder.path(), "verify teeko:5"), "190,548 checked, 0 mismatches\n");
    assert!(!run(&program, folder.path(), "check teeko:5").contains("BROKEN"));
}
