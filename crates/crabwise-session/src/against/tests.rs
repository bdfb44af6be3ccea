use std::{fs, io, path::PathBuf};

use crabwise::watch::Unwatched;
use crabwise_games::Registry;
use crabwise_store::Place;
use tempfile::TempDir;

use super::*;

/// A solved game and a folder for files.
struct Bench {
    folder: TempDir,
    session: Session,
    target: Target,
}

fn bench(game: &str) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::directory(folder.path().into());
    let session = Session::new(Registry::standard(), place, 1 << 30);
    let target = session.target(game, &|_| Err(io::Error::other("no file"))).unwrap();
    session.ready(&target, true, &Unwatched).unwrap();
    Bench { folder, session, target }
}

impl Bench {
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn compare(&self, path: &Path) -> Result<Comparison, String> {
        let file = File::open(path).unwrap();
        self.session.comparable(&self.target, path, &file).map_err(|error| error.to_string())?;
        let found = self.session.compare(&self.target, path, file, &Unwatched);
        found.map_err(|error| error.to_string())
    }

    fn text(&self, name: &str, text: &str) -> Result<Comparison, String> {
        self.compare(&self.file(name, text))
    }

    /// The files of the original.
    fn published(&self) -> Vec<Vec<u8>> {
        let game = &self.target.built.game;
        let mut all = vec![vec![]; game.published_files().len()];
        let job = self.session.job(&self.target, &Unwatched);
        game.export_published(&job, (0, false), &mut |_, files| {
            all.iter_mut().zip(files).for_each(|(all, file)| all.extend(file));
            Ok(())
        })
        .unwrap();
        all
    }
}

fn told(one: &Difference) -> String {
    format!("{} {}: {}, not {}", one.place, one.position, one.file, one.table)
}

#[test]
fn a_changed_byte_of_an_array_is_named_with_its_position() {
    let bench = bench("isolation:3x3");
    let mut array = bench.published().remove(0);
    let found = bench.compare(&bench.file("table.bin", &array)).unwrap();
    assert_eq!((found.compared, found.differing), (81 << 9, 0));
    let board = bench.target.built.game.board(&[]).unwrap();
    let start: usize = board.published.unwrap().parse().unwrap();
    let value = bench.target.built.game.published_meaning(array[start]).unwrap();
    array[start] = 0x80 | 6;
    array[0] = 1;
    let found = bench.compare(&bench.file("other.bin", &array)).unwrap();
    assert_eq!(found.differing, 2);
    assert_eq!(told(&found.differences[0]), "byte 0 none: win in 1, not never reached");
    let line = format!("byte {start} {}: loss in 6, not {value}", board.place.notation);
    assert_eq!(told(&found.differences[1]), line);
    // A binary file of another length is no array, and no text either.
    array.push(0xFF);
    let why = bench.compare(&bench.file("long.bin", &array)).unwrap_err();
    assert!(why.contains("has 41473 bytes, and the original's array"), "{why}");
}

#[test]
fn rows_are_matched_by_name_in_any_order() {
    let bench = bench("black-hole:3,2");
    let scores = String::from_utf8(bench.published().swap_remove(0)).unwrap();
    let mut rows: Vec<&str> = scores.lines().collect();
    rows.reverse();
    let spaced = rows.join("\r\n").replace(", ", ",");
    let found = bench.text("scores.csv", &spaced).unwrap();
    assert_eq!((found.compared, found.differing), (rows.len() as u64, 0));
    let (name, score) = rows[3].split_once(';').unwrap();
    let turned = format!("{name};{}", -score.parse::<i32>().unwrap());
    let gone = rows.remove(7);
    rows[3] = &turned;
    rows.push("(9, 9, 9, 9, 0);1");
    let found = bench.text("scores.csv", &rows.join("\n")).unwrap();
    let mut all: Vec<String> = found.differences.iter().map(told).collect();
    all.sort();
    let (gone, is) = gone.split_once(';').unwrap();
    assert_eq!(found.differing, 3);
    assert_eq!(all[1], format!("line 4 {name}: {}, not {score}", &turned[name.len() + 1..]));
    assert_eq!(all[0], format!("line {} (9, 9, 9, 9, 0): 1, not nothing", rows.len()));
    assert_eq!(all[2], format!("no line {gone}: nothing, not {is}"));
    let why = bench.text("mine.csv", &scores).unwrap_err();
    assert!(why.contains("name it scores.csv or children.csv"), "{why}");
}

#[test]
fn lists_are_looked_up() {
    let bench = bench("tictactoe");
    let csv = "position,value,move\n.../.../...,draw,b2\na1 b1,win in 5,a2\n\"a1 b1\",win,\n\
               a1 a2,loss,\na1,tie in 8,a2\n";
    let found = bench.text("list.csv", csv).unwrap();
    let all: Vec<String> = found.differences.iter().map(told).collect();
    assert_eq!((found.compared, found.differing), (5, 2), "{all:?}");
    assert_eq!(all[0], "line 5 a1 a2: loss, not win in 5");
    assert_eq!(all[1], "line 6 a1: a2, not tie in 8 there, and the move comes to loss in 6");
    let json = r#"{"game":"x","positions":[{"position":"a1 b1","value":{"outcome":"win","remoteness":4}},
        {"position":"a1 b1","outcome":"win","remoteness":5}, {"position":"a1","move":"b2"}]}"#;
    let found = bench.text("list.json", json).unwrap();
    let all: Vec<String> = found.differences.iter().map(told).collect();
    assert_eq!((found.compared, all), (3, vec!["entry 1 a1 b1: win in 4, not win in 5".into()]));
}

/// What `export` writes agrees, all of it.
#[test]
fn exports_are_lists() {
    let bench = bench("tictactoe");
    for form in ["csv", "json"] {
        let mut text = String::new();
        let mut rows = 0;
        let each = &mut |row: crabwise::Row| {
            rows += 1;
            text += &match form {
                "csv" => format!("{},{}\n", row.position, row.value),
                _ => format!("{{\"position\":\"{}\",\"value\":\"{}\"}},", row.position, row.value),
            };
            Ok(())
        };
        bench.session.export(&bench.target, each, &Unwatched).unwrap();
        let text = match form {
            "csv" => format!("position,value\n{text}"),
            _ => format!("[{}]", text.trim_end_matches(',')),
        };
        let found = bench.text(&format!("all.{form}"), &text).unwrap();
        assert_eq!((found.compared, found.differing), (rows, 0), "{form}");
    }
}

#[test]
fn what_is_no_such_file_is_said_in_a_line() {
    let bench = bench("tictactoe");
    for (text, why) in [
        ("", "is empty"),
        ("a,b\n1,2\n", "has no column 'position'"),
        ("position,b\n1,2\n", "has neither a column 'value'"),
        ("position,value\na1,good\n", "line 2: 'good' is no value"),
        ("position,value\nz9,win\n", "line 2: "),
        ("position,outcome,remoteness\na1,win,x\n", "line 2: 'remoteness' is no number"),
        ("{\"a\":1}", "there is no array 'positions'"),
        ("[{\"position\":\"a1\"}]", "'a1' has neither a value nor a move"),
        ("[{\"position\":\"a1\",\"value\":\"win\"}", "EOF"),
    ] {
        let said = bench.text("list", text).unwrap_err();
        assert!(said.contains(why) && said.contains("list: "), "{text}: {said}");
    }
    let why = bench.compare(&bench.file("bytes", [0, 0xFF, 0xFE, 1])).unwrap_err();
    assert!(why.contains("is no text, and the game was not published as an array"), "{why}");
}
