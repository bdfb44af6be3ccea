//! Damaged tables: any flipped bit is found by `verify`, and never becomes another value.

use std::path::Path;

use crabwise::{ErasedGame, Job, SolveError, TableError, watch::Unwatched};
use crabwise_games::{Built, Registry};
use serde_json::Value;

use crate::sandbox::Sandbox;

fn job<'a>(game: &'a str, table: &'a Path) -> Job<'a> {
    Job { game, table, memory: 1 << 30, watch: &Unwatched }
}

/// What the start and its children are worth, or that it cannot be said.
fn values(game: &ErasedGame, job: &Job) -> Option<Vec<crabwise::Value>> {
    let explorer = game.open(job).ok()?;
    let start = explorer.look(&[]).ok()?;
    let mut values = vec![start.value];
    for one in &start.moves {
        values.push(explorer.look(std::slice::from_ref(&one.name)).ok()?.value);
    }
    Some(values)
}

/// Damages the table of a small game in every way of `hurt`, of which there are `ways`.
fn damage(game: &str, ways: impl Fn(usize) -> usize, hurt: impl Fn(&mut Vec<u8>, usize)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.crab");
    let Built { string, game } = Registry::standard().build(game).unwrap();
    let job = job(&string, &path);
    game.solve(&job, true, &|_| {}).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let truth = values(&game, &job).expect("the table is whole");
    for way in 0..ways(whole.len()) {
        let mut bytes = whole.clone();
        hurt(&mut bytes, way);
        std::fs::write(&path, &bytes).unwrap();
        match game.verify(&job, None) {
            Err(SolveError::Table(TableError::Damaged { what, .. })) => assert!(!what.is_empty()),
            other => panic!("{string}, damage {way}: verify says {other:?}"),
        }
        let seen = values(&game, &job);
        assert!(seen.is_none_or(|seen| seen == truth), "{string}, damage {way}: another value");
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for game in ["nim:1-2", "tictactoe", "tictactoe:outcomes"] {
        damage(game, |bytes| bytes * 8, |bytes, bit| bytes[bit / 8] ^= 1 << (bit % 8));
    }
}

#[test]
fn every_cut_is_found() {
    for game in ["nim:1-2", "tictactoe", "tictactoe:outcomes"] {
        damage(game, |bytes| bytes, |bytes, length| bytes.truncate(length));
        damage(game, |_| 3, |bytes, more| bytes.extend(vec![0; more + 1]));
    }
}

#[test]
fn verify_answers_no_and_the_others_refuse() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let path = sandbox.path("tables/tictactoe.crab");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100] ^= 4;
    std::fs::write(&path, &bytes).unwrap();

    let done = sandbox.run(&["verify", "tictactoe", "--json"]);
    assert_eq!(done.code, 1);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&object["ok"], &object["checked"]), (&Value::Bool(false), &0.into()));
    assert_eq!(object["mismatches"], Value::Array(vec![]));
    let damage = object["damage"].as_str().unwrap();
    assert!(damage.contains("tictactoe.crab is damaged: "), "{damage}");
    assert_eq!(done.err, format!("crabwise: {damage}\n"));
    sandbox.run(&["verify", "tictactoe"]).fails(1, damage);

    let done = sandbox.run(&["stats", "tictactoe"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("is damaged: "), "{}", done.err);
}

/// Tables of tic-tac-toe that earlier releases wrote, with and without distances.
#[test]
fn tables_of_earlier_formats_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tables");
    for (game, file, old) in [
        ("tictactoe", "tictactoe.crab", "format-1"),
        ("tictactoe:outcomes", "tictactoe_outcomes.crab", "format-2"),
    ] {
        let (sandbox, new) = (Sandbox::new(), Sandbox::with(&[game]));
        std::fs::create_dir_all(sandbox.path("tables")).unwrap();
        let table = folder.join(old).with_extension("table");
        std::fs::copy(table, sandbox.path("tables").join(file)).unwrap();
        for words in [&["look", game, "b2", "a2"][..], &["stats", game], &["verify", game]] {
            assert_eq!(sandbox.json(words), new.json(words), "{words:?}");
        }
    }
}
