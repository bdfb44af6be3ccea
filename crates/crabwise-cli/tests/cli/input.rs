//! What is wrong with what was typed is told at once: before anything is solved, laid out or written.

use std::{
    fs,
    time::{Duration, Instant},
};

use crate::sandbox::{Done, Sandbox};

/// Games that take long, in tables and in the dark.
const LONG: &str = "connect-four:6x6";
const DARK: &str = "dark-hex:4x4";

/// One line, soon, and nothing written. Machines may have much else to do.
#[track_caller]
fn refused(sandbox: &Sandbox, words: &[&str]) -> String {
    let there = || {
        let mut names: Vec<_> = fs::read_dir(sandbox.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        names
    };
    let (before, began) = (there(), Instant::now());
    let Done { code, out, err } = sandbox.run(words);
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{words:?}: {err}");
    assert!(began.elapsed() < Duration::from_secs(3), "{words:?} took {:?}", began.elapsed());
    assert_eq!(there(), before, "{words:?}");
    err
}

#[test]
fn places_that_cannot_be_written_to() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("file"), "").unwrap();
    fs::create_dir(sandbox.path("a.svg")).unwrap();
    let long_name = format!("{}.svg", "n".repeat(300));
    for path in ["no/a.svg", "file/a.svg", "a.svg", &long_name] {
        for words in [
            &["draw", LONG, "--solve", "-o", path][..],
            &["draw", LONG, "--solve", "--positions", "-o", path],
            &["book", LONG, "--solve", "-o", path],
            &["label", LONG, "-o", path],
            &["stats", LONG, "--solve", "--svg", path],
            &["export", LONG, "--solve", "--format", "csv", "-o", path],
            &["pone", DARK, "-o", path],
            &["matrix", DARK, "-o", path],
            &["equilibrium", DARK, "-o", path],
            &["equilibrium", DARK, "--curve", path],
            &["compare", DARK, "-o", path],
            &["league", DARK, "--players", "random,pone", "-o", path],
            &["survey", "nim", "--from", "3", "--to", "90", "-o", path],
        ] {
            refused(&sandbox, words);
        }
    }
    for words in [
        &["export", "isolation:5x6", "--solve", "--format", "original", "-o", "file"][..],
        &["export", "isolation:5x6", "--solve", "--format", "original", "-o", "-"],
        &["export", LONG, "--solve", "--format", "original", "-o", "new"],
        &["stats", LONG, "--solve", "--svg", "-"],
        &["equilibrium", DARK, "-o", "-"],
        &["solve", LONG, "--tables", "file"],
        &["solve", LONG, "--tables", "file/tables"],
        &["look", LONG, "--solve", "--tables", "/proc/tables"],
        &["solve", LONG, "--tables", "/proc/tables"],
        &["equilibrium", DARK, "--tables", "file"],
    ] {
        refused(&sandbox, words);
    }
}

#[test]
fn forms_moves_and_choices_that_there_are_not() {
    let sandbox = Sandbox::new();
    for words in [
        &["draw", LONG, "--solve", "-o", "a.png"][..],
        &["draw", LONG, "--solve", "-o", "a.dot"],
        &["draw", LONG, "--solve", "--positions", "a", "-o", "a.svg"],
        &["book", LONG, "--solve", "-o", "a.pdf"],
        &["label", LONG, "-o", "a.pdf"],
        &["pone", DARK, "-o", "a.png"],
        &["compare", DARK, "-o", "a.png"],
        &["equilibrium", DARK, "--curve", "a.png"],
        &["league", DARK, "--players", "random,pone", "-o", "a.txt"],
        &["look", LONG, "--solve", "nowhere"],
        &["look", LONG, "--solve", "--outcome", "nowhere"],
        &["draw", LONG, "--solve", "nowhere", "-o", "a.svg"],
        &["book", LONG, "--solve", "nowhere"],
        &["advise", LONG, "nowhere"],
        &["look", "cycles:grid=5x5", "--search", "nowhere"],
        &["look", "cycles:grid=5x5", "--search", "[0,1]"],
        &["compare", DARK, "dark-hexx:2x2"],
        &["league", DARK, "--players", "random,nobody"],
        &["equilibrium", DARK, "--method", "lp", "--simultaneous"],
        &["look", LONG, "--solve", "--second"],
        &["look", LONG, "--solve", "--strategy", "a.strat"],
        &["play", LONG, "--solve", "--strategy", "a.strat"],
        &["look", DARK, "--labels"],
        &["look", DARK, "--search"],
        &["play", DARK, "--solve"],
        &["label", LONG, "--draws", "z", "--weights", "1,2,4"],
        &[
            "export",
            "isolation:5x6",
            "--solve",
            "--format",
            "original",
            "--only",
            "decided",
            "-o",
            "a",
        ],
        &["solve", LONG, "--local-cluster", "2", "--patience", "18446744073709551615"],
        &["solve", LONG, "--hosts", "/dev/zero"],
    ] {
        refused(&sandbox, words);
    }
}

#[test]
fn strategies_that_are_none_of_the_game() {
    let sandbox = Sandbox::new();
    sandbox.run(&["equilibrium", "kuhn", "-o", "kuhn.strat", "--quiet"]).ok();
    let whole = fs::read(sandbox.path("kuhn.strat")).unwrap();
    fs::write(sandbox.path("empty"), "").unwrap();
    fs::write(sandbox.path("else"), "something else").unwrap();
    for (file, said) in [
        ("kuhn.strat", "these are strategies for kuhn"),
        ("empty", "this is no file of strategies"),
        ("else", "this is no file of strategies"),
    ] {
        let players = format!("random,{file}");
        for words in [
            &["exploit", DARK, file][..],
            &["look", DARK, "--strategy", file],
            &["play", DARK, "--strategy", file],
            &["league", DARK, "--players", &players],
        ] {
            assert_eq!(refused(&sandbox, words), format!("crabwise: {file}: {said}\n"));
        }
    }
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for spoilt in [&whole[..whole.len() - 1], &flipped, &[&whole[..], b"x"].concat()] {
        fs::write(sandbox.path("spoilt"), spoilt).unwrap();
        assert!(refused(&sandbox, &["exploit", "kuhn", "spoilt"]).contains(" damaged"));
    }
    let said = refused(&sandbox, &["look", "kuhn", "--strategy", "kuhn.strat", "J", "nothing"]);
    assert!(said.starts_with("crabwise: 'nothing' cannot come after 'J'; "), "{said}");
}

#[test]
fn rows_of_another_league() {
    let sandbox = Sandbox::new();
    let league = |game| ["league", game, "--players", "random,pone", "-o", "rows.csv", "--quiet"];
    assert_eq!(sandbox.run(&league("kuhn")).code, 0);
    let said = refused(&sandbox, &league(DARK));
    assert!(said.contains("rows.csv holds the rows of another league"), "{said}");
    // Nor do rows by which somebody got more than there is to get.
    for odd in ["1e308", "-2.5", "nan"] {
        fs::write(
            sandbox.path("rows.csv"),
            format!("game,seed,games,first,second,played,payoff,margin\nkuhn,1,1000,random,pone,1000,{odd},0.1\n"),
        )
        .unwrap();
        let said = refused(&sandbox, &league("kuhn"));
        assert!(said.contains("rows.csv holds the rows of another league"), "{said}");
    }
}

#[test]
fn a_small_file_may_be_a_large_graph() {
    let sandbox = Sandbox::new();
    let names = |letter: char| (0..2700).map(|i| format!("{i}{letter} ")).collect::<String>();
    let dot = format!("digraph {{\n{{{}}} ->\n{{{}}}\n}}", names('A'), names('B'));
    fs::write(sandbox.path("large.dot"), dot).unwrap();
    let done = sandbox.run(&["look", "graph:large.dot", "--memory", "100M"]);
    assert_eq!(
        (done.code, done.out.as_str(), done.err.lines().count()),
        (3, "", 1),
        "{}",
        done.err
    );
    assert!(
        done.err.starts_with("crabwise: graph: large.dot, line 3: 5,400 islands and "),
        "{}",
        done.err
    );
    let limit = "into the 100.0 MiB of memory that are allowed; a larger --memory would help\n";
    assert!(done.err.ends_with(limit), "{}", done.err);
}

/// What was typed is told in few words, and none of it is an order to the terminal.
#[test]
fn what_was_typed_is_quoted_with_care() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let (red, long) = ("\u{1b}[31mred\u{7}", "x".repeat(70_000));
    let spaced = "x y ".repeat(20_000);
    for word in [red, &long, &spaced] {
        for words in [
            &["look", "nim:1-2", word][..],
            &["solve", word],
            &["solve", &format!("nim:{word}")],
            &["solve", &format!("graph:{word}")],
            &["solve", &format!("cycles:{word}")],
            &["solve", "nim", word],
            &["solve", "nim", "--memory", word],
            &["look", "kuhn", "--strategy", word],
            &["league", "kuhn", "--players", word],
            &["export", "nim:1-2", "--format", "csv", "-o", word, "--tables", word],
            &["survey", "nim", "--family", word, "--from", "1", "--to", "2"],
            &["label", "nim:1-2", "-o", &format!("{word}.pdf")],
        ] {
            let err = refused(&sandbox, words);
            assert!(err.chars().count() < 2100, "{words:.20?}: {} letters", err.chars().count());
            assert!(!err.trim_end().contains(char::is_control), "{err:?}");
        }
    }
}
