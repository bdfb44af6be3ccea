//! What README, ARCHITECTURE, the tour and the tutorials say is true: files and functions exist, code is the code
//! that is tested, commands print what is shown, figures are those of the corpus.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crabwise::watch::Bytes;
use crabwise_games::Registry;
use serde_json::Value;

const PAGES: [&str; 11] = [
    "README.md",
    "ARCHITECTURE.md",
    "docs/TOUR.md",
    "docs/crab-analysis.md",
    "docs/black-hole.md",
    "docs/isolation.md",
    "docs/cycles.md",
    "docs/dark-hex.md",
    "docs/explorer.md",
    "docs/store.md",
    "docs/cluster.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(name: impl AsRef<Path>) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A heading and the prose below it, without fenced blocks.
struct Section {
    depth: usize,
    heading: String,
    body: String,
}

fn sections(page: &str) -> Vec<Section> {
    let mut sections = vec![Section { depth: 0, heading: String::new(), body: String::new() }];
    let mut fenced = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        let depth = line.bytes().take_while(|byte| *byte == b'#').count();
        if fence || fenced {
            continue;
        } else if depth > 0 {
            let heading = line[depth..].trim().into();
            sections.push(Section { depth, heading, body: String::new() });
        } else {
            let body = &mut sections.last_mut().unwrap().body;
            *body += line;
            body.push('\n');
        }
    }
    sections
}

/// The fenced blocks of one language, without their indentation.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut lines) = (vec![], page.lines());
    while let Some(line) = lines.next() {
        let Some((indent, tongue)) = line.split_once("```") else { continue };
        let inside = lines.by_ref().take_while(|line| line.trim_start() != "```");
        let block = inside.fold(String::new(), |block, line| {
            block + line.strip_prefix(indent).unwrap_or(line) + "\n"
        });
        if tongue == language {
            blocks.push(block);
        }
    }
    blocks
}

fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let folder = ["crates/", "docs/", "testdata", "xtask"].iter().any(|top| span.starts_with(top));
    let file = [".rs", ".md", ".toml"].iter().any(|ending| span.ends_with(ending));
    span.chars().all(plain) && (folder || file)
}

/// A path as a page names it, and the functions that an arrow leads to from there.
struct Named {
    path: String,
    functions: Vec<String>,
}

/// The paths of a page, each from the root or from the folder that its section's heading names.
fn named(page: &str) -> Vec<Named> {
    let mut all = vec![];
    for Section { heading, body, .. } in sections(page) {
        let folder = heading.split('`').nth(1).filter(|folder| root().join(folder).is_dir());
        let pieces: Vec<&str> = body.split('`').collect();
        assert!(pieces.len() % 2 == 1, "an odd number of backquotes under '{heading}'");
        for i in (1..pieces.len()).step_by(2).filter(|i| is_path(pieces[*i])) {
            let below = folder.map(|folder| format!("{folder}/{}", pieces[i]));
            let path = below.filter(|path| root().join(path).exists());
            let mut functions = vec![];
            let mut next = i + 1;
            let mut arrow = pieces[next].trim() == "→";
            while arrow && !is_path(pieces[next + 1]) {
                functions.push(pieces[next + 1].into());
                next += 2;
                arrow = [",", "and"].contains(&pieces[next].trim());
            }
            all.push(Named { path: path.unwrap_or(pieces[i].into()), functions });
        }
    }
    all
}

#[test]
fn files_and_functions_exist() {
    let mut functions_met = 0;
    for page in PAGES {
        for Named { path, functions } in named(&read(page)) {
            assert!(root().join(&path).exists(), "{page} names {path}, which does not exist");
            for name in functions {
                let source = read(&path);
                let defined =
                    ["(", "<"].iter().any(|after| source.contains(&format!("fn {name}{after}")));
                assert!(defined, "{page} names {name} in {path}, which is not there");
                functions_met += 1;
            }
        }
    }
    assert!(functions_met > 50, "only {functions_met} functions were found to be named");
}

#[test]
fn links_lead_somewhere() {
    for page in PAGES.into_iter().chain(["CHANGELOG.md", "docs/api.md"]) {
        let text = read(page);
        let folder = root().join(page).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            let elsewhere = link.starts_with("https://");
            assert!(elsewhere || folder.join(file).exists(), "{page} links to {link}");
        }
    }
}

#[test]
fn no_module_is_missing_from_the_map() {
    fn modules(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                modules(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let map = named(&read("ARCHITECTURE.md"));
    for folder in ["crates/crabwise/src", "crates/crabwise-web/src", "crates/crabwise-cli/src"] {
        let mut found = vec![];
        modules(&root().join(folder), &mut found);
        assert!(found.len() > 10);
        for module in found {
            let there = map.iter().any(|named| root().join(&named.path) == module);
            assert!(there, "ARCHITECTURE.md does not name {}", module.display());
        }
    }
}

#[test]
fn the_tour_keeps_to_its_budget() {
    let mut steps: HashMap<String, usize> = HashMap::new();
    let mut part = String::new();
    for Section { depth, heading, body } in sections(&read("docs/TOUR.md")) {
        match depth {
            2 => part = heading,
            3 => {
                *steps.entry(part.clone()).or_default() += 1;
                assert!(body.trim_start().starts_with("`crates/"), "{heading} begins in no file");
            }
            _ => {}
        }
    }
    assert_eq!(steps["Solving it, in seven files"], 7);
    assert_eq!(steps["Looking it up, in five files"], 5);
}

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
fn the_gallery_agrees_with_the_corpus() {
    let corpus: toml::Table = toml::from_str(&read("testdata/values.toml")).unwrap();
    let corpus = corpus["game"].as_array().unwrap();
    let sections = sections(&read("README.md"));
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
fn tables_are_as_large_as_the_readme_says() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mnk:4x3,3", "connect-four:4x4"] {
        let program = Path::new(env!("CARGO_BIN_EXE_crabwise"));
        let told = run(program, folder.path(), &format!("solve {game} --json --quiet"));
        let told: Value = serde_json::from_str(&told).unwrap();
        let size = Bytes(told["table_bytes"].as_u64().unwrap()).to_string();
        let readme = read("README.md");
        let row = readme.lines().find(|line| line.starts_with("| `Index`")).unwrap();
        let place = row.find(&format!("`{game}`")).expect("the game is named");
        let said = row[place..].find(" in ").map(|at| &row[place + at + 4..]).unwrap();
        assert!(said.starts_with(&size), "the table of {game} has {size}");
    }
}

/// The example, built as this test was and beside it. Cargo builds no examples for a single test.
fn own_game() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_crabwise")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "crabwise-cli", "--example", "own_game"]);
    cargo.arg("--target-dir").arg(folder.parent().unwrap()).current_dir(root());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success(), "the example does not compile");
    folder.join("examples/own_game").with_extension(std::env::consts::EXE_EXTENSION)
}

#[test]
fn a_game_of_ones_own_has_every_command() {
    let (program, folder) = (own_game(), tempfile::tempdir().unwrap());
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

/// What a crate must not have, so that it stays what it is; folders called `except` aside.
fn lacks(folder: &str, words: &[&str], except: &str) {
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        if folder.ends_with(except) && !except.is_empty() {
            continue;
        }
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for word in words {
                assert!(!text.contains(word), "{} has '{word}'", path.display());
            }
        }
    }
}

#[test]
fn the_library_lacks_what_it_must_lack() {
    let manifest: toml::Table = toml::from_str(&read("crates/crabwise/Cargo.toml")).unwrap();
    for name in manifest["dependencies"].as_table().unwrap().keys() {
        let foreign = ["crabwise-", "serde", "json", "tokio", "async", "futures", "hyper", "clap"];
        assert!(!foreign.iter().any(|word| name.contains(word)), "the library depends on {name}");
    }
    let unsafe_code = ["unsafe {", "unsafe fn", "unsafe impl"];
    lacks("crates/crabwise/src", &unsafe_code, "");
    lacks("crates/crabwise/src", &["std::net", "async ", "serde"], "");
    lacks("crates/crabwise-games/src", &unsafe_code, "kernel");
    let outside = ["std::net", "std::fs", "std::thread", "std::process", "rayon"];
    lacks("crates/crabwise-games/src", &outside, "");
    lacks("crates/crabwise-cli/src", &unsafe_code, "");
}
