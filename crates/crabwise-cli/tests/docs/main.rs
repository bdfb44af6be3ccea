//! What the pages say is true: files and functions exist, code is the code that is tested, commands print what is
//! shown, figures are those of the corpus. And crates and modules depend on each other as ARCHITECTURE says.

mod imports;
mod map;
mod shown;

use std::{
    fs,
    path::{Path, PathBuf},
};

const PAGES: [&str; 18] = [
    "README.md",
    "ARCHITECTURE.md",
    "docs/TOUR.md",
    "docs/commands.md",
    "docs/gallery.md",
    "docs/games.md",
    "docs/grow.md",
    "docs/tables.md",
    "docs/crab-analysis.md",
    "docs/black-hole.md",
    "docs/isolation.md",
    "docs/cycles.md",
    "docs/dark-hex.md",
    "docs/regret.md",
    "docs/explorer.md",
    "docs/security.md",
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

/// A folder and all folders below it.
fn folders(top: &Path) -> Vec<PathBuf> {
    let mut found = vec![top.to_path_buf()];
    for entry in fs::read_dir(top).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(folders(&path));
        }
    }
    found
}

/// What a crate must not have, so that it stays what it is; folders and files called `except` aside.
fn lacks(folder: &str, words: &[&str], except: &str) {
    let excepted = |folder: &PathBuf| folder.ends_with(except) && !except.is_empty();
    for folder in folders(&root().join(folder)).into_iter().filter(|folder| !excepted(folder)) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() || excepted(&path) {
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
    for name in
        ["crabwise", "crabwise-hidden", "crabwise-planar", "crabwise-graphfile", "crabwise-games"]
    {
        let manifest: toml::Table =
            toml::from_str(&read(format!("crates/{name}/Cargo.toml"))).unwrap();
        let Some(needed) = manifest.get("dependencies") else { continue };
        for needed in needed.as_table().unwrap().keys() {
            let foreign = ["serde", "json", "tokio", "async", "futures", "hyper", "clap"];
            let found = foreign.iter().any(|word| needed.contains(word));
            // Graphs are read from JSON, too.
            let reads = name == "crabwise-graphfile" && needed == "serde_json";
            assert!(!found || reads, "{name} depends on {needed}");
        }
        let src = format!("crates/{name}/src");
        lacks(&src, &["std::net", "async "], "");
    }
    lacks("crates/crabwise/src", &["serde"], "");
    let unsafe_code = ["unsafe {", "unsafe fn", "unsafe impl"];
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let except = match name.as_str() {
            "crabwise-games" => "kernel",
            "crabwise-cli" => "out_of_memory.rs",
            _ => "",
        };
        lacks(&format!("crates/{name}/src"), &unsafe_code, except);
    }
    let outside = ["std::net", "std::fs", "std::thread", "std::process", "rayon"];
    for name in ["crabwise-games", "crabwise-planar", "crabwise-graphfile"] {
        lacks(&format!("crates/{name}/src"), &outside, "");
    }
}
