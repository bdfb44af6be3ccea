//! State graphs from files, asked for as a user would: by a game string that names the file.

use std::{
    io::{self, Read},
    path::Path,
};

use crabwise::{Job, watch::Unwatched};
use crabwise_games::{BadGame, Built, Registry};

const BOAT: &str = "11A,1B\n11A,0B\n1B,11A\n1B,0A\n";

/// The game of a string, where the file that it names has this text.
fn build(string: &str, name: &'static str, text: &str) -> Result<Built, BadGame> {
    let open = |asked: &str| {
        if asked != name {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(Box::new(io::Cursor::new(text.as_bytes().to_vec())) as Box<dyn Read>)
    };
    Registry::standard().build_with(string, &open)
}

fn job<'a>(string: &'a str, table: &'a Path) -> Job<'a> {
    Job { game: string, table, memory: 4 << 30, watch: &Unwatched }
}

/// What the start is worth.
fn start(built: &Built) -> String {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let job = job(&built.string, &table);
    let solved = built.game.solve(&job, true, &|_| {}).unwrap();
    assert_eq!(built.game.verify(&job, None).unwrap().wrong, 0);
    solved.start.to_string()
}

#[test]
fn a_file_may_have_any_name_and_parameters_behind_it() {
    for (string, name, canonical, value) in [
        ("graph:boat.csv", "boat.csv", "graph:boat.csv", "win in 1"),
        ("graph:my, boat", "my, boat", "graph:my, boat", "win in 1"),
        ("graph:boat.csv,start=0A,again", "boat.csv", "graph:boat.csv,again,start=0A", "loss in 0"),
        ("graph:turns=BA,C:/boat.csv", "C:/boat.csv", "graph:C:/boat.csv,turns=BA", "win in 1"),
    ] {
        let built = build(string, name, BOAT).unwrap();
        assert_eq!(built.string, canonical);
        assert_eq!(start(&built), value);
    }
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    for (string, text, error) in [
        ("graph:ship.csv", "", "graph: cannot read ship.csv: entity not found"),
        ("graph:boat.csv", "", "graph: boat.csv: no islands in it"),
        (
            "graph:boat.csv",
            "11A,1B\n\n1B,\n",
            "graph: boat.csv, line 3: the cell 'to' is empty; it must hold the key of an island",
        ),
        (
            "graph:boat.csv,start=2A",
            BOAT,
            "graph: boat.csv: the start '2A' is no island of the file",
        ),
    ] {
        assert_eq!(build(string, "boat.csv", text).err().unwrap().to_string(), error);
    }
}

#[test]
fn the_table_of_an_edited_file_is_out_of_date() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let build = |text: &str| build("graph:boat.csv", "boat.csv", text).unwrap();
    let (before, after) = (build(BOAT), build(&BOAT.replace("11A,0B", "11A,2B")));
    let job = job(&before.string, &table);
    before.game.solve(&job, true, &|_| {}).unwrap();
    assert!(!before.game.outdated(&job));
    assert!(!build(&BOAT.replace('\n', "\r\n")).game.outdated(&job));
    assert!(after.game.outdated(&job));
}

#[test]
fn random_graphs_keep_their_contracts() {
    let seed = 31;
    println!("seed {seed}");
    for size in [2, 10, 100, 3000] {
        let text = random_rows(size, 3 * size, seed);
        let built = build("graph:boat.csv,again", "boat.csv", &text).unwrap();
        let checked = built.game.check(&job(&built.string, Path::new("")), seed).unwrap();
        assert!(checked.iter().all(|contract| contract.broken.is_none()), "{checked:?}");
    }
}

fn random_rows(islands: usize, bridges: usize, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    // The last tenth of the islands are dead ends.
    let open = islands - islands / 10;
    let mut text = String::with_capacity(18 * bridges);
    let letter = |i: usize| ['A', 'B'][i % 2];
    for _ in 0..bridges {
        let from = random.usize(..open);
        let to = random.usize(..islands / 2) * 2 + (from + 1) % 2;
        text += &format!("{from:07}{},{to:07}{}\n", letter(from), letter(to));
    }
    text
}
