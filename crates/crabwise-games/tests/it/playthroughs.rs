//! A golden playthrough of every registered game, in `testdata/playthroughs`.
//!
//! `CRABWISE_BLESS=1 cargo test -p crabwise-games playthroughs` writes them anew; read what
//! it wrote.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use crabwise::{
    Job,
    explore::{MoveInfo, PositionInfo},
    watch::Unwatched,
};
use crabwise_games::{Built, Entry, Registry};

const PLIES: usize = 12;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/playthroughs")
}

fn playthrough(entry: &Entry) -> String {
    let Built { string, game } = Registry::standard().build(entry.example).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("table");
    let job = Job { game: &string, table: &path, memory: 4 << 30, watch: &Unwatched };
    game.solve(&job, true, &|_| {}).unwrap();
    let table = game.open(&job).unwrap();
    let (mut text, mut line) = (format!("{string}\n{}\n", entry.about), vec![]);
    for ply in 0..=PLIES {
        let at = table.look(&line).unwrap();
        text += &scene(&at);
        if at.place.over.is_some() || ply == PLIES {
            break;
        }
        let played = &at.moves[(7 * ply + 3) % at.moves.len()];
        text += &format!("{}. {}, {}\n", ply + 1, played.name, played.value);
        line.push(played.name.clone());
    }
    text
}

/// The picture, what it is worth, and the moves, those of equal worth on one line.
fn scene(at: &PositionInfo) -> String {
    let mover = ["first", "second"][at.place.mover];
    let nimber = at.nimber.map_or(String::new(), |nimber| format!(", nimber {nimber}"));
    let over = if at.place.over.is_some() { ", over" } else { "" };
    let mut text = format!("\n{}\n\n{mover} player: {}{nimber}{over}\n", at.place.text, at.value);
    for equal in at.moves.chunk_by(|a: &MoveInfo, b| a.value == b.value) {
        let names: Vec<_> = equal.iter().map(|mv| &*mv.name).collect();
        text += &format!("    {}: {}\n", equal[0].value, names.join(" "));
    }
    text
}

/// The first difference, with the two lines before it.
fn difference(name: &str, golden: &str, now: &str) -> String {
    let (golden, now): (Vec<_>, Vec<_>) = (golden.lines().collect(), now.lines().collect());
    let same = golden.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let mut text = format!("{name} has changed at line {}:\n", same + 1);
    for (sign, lines) in [("-", &golden), ("+", &now)] {
        let before = same.saturating_sub(2);
        for (i, line) in lines.iter().enumerate().skip(before).take(same - before + 6) {
            text += &format!("{} {line}\n", if i < same { " " } else { sign });
        }
    }
    text + "CRABWISE_BLESS=1 writes it anew\n"
}

#[test]
fn games_are_played_as_before() {
    let bless = std::env::var_os("CRABWISE_BLESS").is_some();
    let mut changed = vec![];
    for entry in Registry::standard().entries() {
        let path = folder().join(entry.name).with_extension("txt");
        let now = playthrough(entry);
        if bless {
            fs::write(&path, &now).unwrap();
        }
        match fs::read_to_string(&path) {
            Ok(golden) if golden == now => {}
            Ok(golden) => changed.push(difference(entry.name, &golden, &now)),
            Err(error) => changed.push(format!("{}: {error}\n", path.display())),
        }
    }
    assert!(changed.is_empty(), "\n{}", changed.join("\n"));
}

#[test]
fn none_is_left_over() {
    let registry = Registry::standard();
    let names: HashSet<String> =
        registry.entries().iter().map(|entry| format!("{}.txt", entry.name)).collect();
    for file in fs::read_dir(folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(names.contains(&name), "{name} is the playthrough of no game");
    }
}
