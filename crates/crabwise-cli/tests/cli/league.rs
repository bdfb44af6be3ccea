//! Leagues: the same on any threads and when they go on, in every form.

use std::fs;

use crabwise::watch::Unwatched;
use crabwise_games::Registry;
use crabwise_hidden::{Judged, SequenceForm, Strategy};
use serde_json::Value;

use crate::sandbox::{Sandbox, names};

const LEAGUE: [&str; 8] =
    ["league", "kuhn", "--players", "random,q=2000,mc=20", "--games", "200", "--seed", "1"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&LEAGUE[..], more].concat()
}

/// A strategy that always makes the last move, in a file.
fn write_strategy(sandbox: &Sandbox, game: &str, name: &str) {
    let built = Registry::standard().build_hidden(game).unwrap();
    let explored = built.game.explore(1 << 30, &Unwatched).unwrap();
    let form = SequenceForm::new(&explored.tree, false, 1 << 30, &Unwatched).unwrap();
    let behaviours = form.treeplexes.each_ref().map(|treeplex| {
        let mut behaviour = vec![0.0; treeplex.sequences()];
        behaviour[0] = 1.0;
        (0..treeplex.info_sets()).for_each(|set| behaviour[treeplex.at(set).end - 1] = 1.0);
        behaviour
    });
    let judged: Judged = form.judge(behaviours.each_ref().map(Vec::as_slice));
    let (game, method) = (built.string.clone(), "by hand".into());
    let strategy = Strategy { game, method, iterations: 1, abstraction: false, judged, behaviours };
    let mut bytes = vec![];
    strategy.write(&explored.tree, false, &mut bytes).unwrap();
    fs::write(sandbox.path(name), bytes).unwrap();
}

#[test]
fn a_league_is_the_same_on_any_threads_and_when_it_goes_on() {
    let sandbox = Sandbox::new();
    let whole = sandbox.json(&with(&["--threads", "1"]));
    assert_eq!(sandbox.json(&with(&["--threads", "2"])), whole);
    assert_eq!(names(&whole), ["game", "games", "pairings", "players", "seed"]);
    let pairings = whole["pairings"].as_array().unwrap();
    let exact = |one: &&Value| one["exact"] == true;
    assert_eq!((pairings.len(), pairings.iter().filter(exact).count()), (6, 2));
    // Half of the rows, and half a row.
    assert_eq!(sandbox.json(&with(&["-o", "l.csv"])), whole);
    let rows = fs::read_to_string(sandbox.path("l.csv")).unwrap();
    let kept: String = rows.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(sandbox.path("l.csv"), kept.clone() + "kuhn,1,200,q=20").unwrap();
    assert_eq!(sandbox.json(&with(&["-o", "l.csv"])), whole);
    assert_eq!(fs::read_to_string(sandbox.path("l.csv")).unwrap(), rows);
    // What is there is believed, and the rest of the picture's league is played.
    let changed = |line: &str| match line.split_once("random,q=2000,0,") {
        Some((league, _)) => format!("{league}random,q=2000,0,0.25,0\n"),
        None => format!("{line}\n"),
    };
    let other: String = kept.lines().map(changed).collect();
    assert_ne!(other, kept);
    fs::write(sandbox.path("l.json.part"), other).unwrap();
    let gone_on = sandbox.json(&with(&["-o", "l.json"]));
    assert!(gone_on != whole && !sandbox.path("l.json.part").exists());
    let written = fs::read_to_string(sandbox.path("l.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), gone_on);
}

#[test]
fn somebody_may_join_and_others_stay_out() {
    let sandbox = Sandbox::new();
    let two = ["league", "kuhn", "--players", "mc=20,random", "--games", "200", "-o", "l.csv"];
    sandbox.json(&two);
    let rows = fs::read_to_string(sandbox.path("l.csv")).unwrap();
    let joined = sandbox.json(&with(&["-o", "l.csv"]));
    assert_eq!(joined, sandbox.json(&LEAGUE));
    assert!(fs::read_to_string(sandbox.path("l.csv")).unwrap().starts_with(&rows));
    let line = "l.csv holds the rows of another league, or something else; name another file";
    let games = ["league", "kuhn", "--players", "mc,random", "--games", "201", "-o", "l.csv"];
    sandbox.run(&games).fails(2, line);
}

#[test]
fn strategies_in_files_take_part() {
    let sandbox = Sandbox::new();
    write_strategy(&sandbox, "kuhn", "last.strategy");
    write_strategy(&sandbox, "leduc", "other.strategy");
    let words = ["league", "kuhn", "--players", "random,pone,last.strategy", "--games", "50"];
    let told = sandbox.json(&words);
    assert!(told["pairings"].as_array().unwrap().iter().all(|one| one["exact"] == true));
    assert!(told["players"].as_array().unwrap().iter().all(|one| one["exploitability"].is_f64()));
    let sampled = sandbox.json(&[&words[..], &["--sampled"]].concat());
    assert!(sampled["pairings"].as_array().unwrap().iter().all(|one| one["games"] == 50));
    let known = |one: &Value| one["exploitability"].is_f64() == (one["player"] == "last.strategy");
    assert!(sampled["players"].as_array().unwrap().iter().all(known), "{sampled}");
    let said = sandbox.run(&[&words[..], &["-o", "l.svg"]].concat()).ok();
    assert!(said.starts_with("kuhn: 3 players, 50 games of each two with either first, seed 1\n"));
    let drawn = fs::read_to_string(sandbox.path("l.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.matches("<circle").count() == 3, "{drawn}");
    let other = ["league", "kuhn", "--players", "random,other.strategy"];
    sandbox.run(&other).fails(2, "other.strategy: these are strategies for leduc");
}

#[test]
fn what_is_no_league() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("letter.txt"), "Dear reader,\n").unwrap();
    let players = "players are random, pone, mc=N, ismcts=N, q=N and files of strategies";
    for (list, line) in [
        ("random", format!("a league takes two players; {players}")),
        ("random,alphazero", format!("no player 'alphazero', and no file of that name; {players}")),
        ("random,mc=x", "'mc=x': write mc=N, with N from 1 to 1,000,000,000".into()),
        ("mc,random,mc=200", "'mc=200' takes part twice".into()),
        ("random,letter.txt", "letter.txt: this is no file of strategies".into()),
    ] {
        sandbox.run(&["league", "kuhn", "--players", list]).fails(2, &line);
    }
    let line = "-o l.png: a league is written as .csv, .json or .svg";
    sandbox.run(&["league", "kuhn", "--players", "random,mc", "-o", "l.png"]).fails(2, line);
    let line = "no player 'mc'; players are random, perfect, z (the deepest traps), Z (the densest) and horizon=N";
    sandbox.run(&["league", "nim", "--players", "random,mc"]).fails(2, line);
    let done = sandbox.run(&["league", "dark-hex:3x3", "--players", "random,q", "--memory", "1M"]);
    assert_eq!((done.code, done.err.lines().count()), (3, 1), "{}", done.err);
    assert!(!sandbox.path("l.png").exists() && done.out.is_empty());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_pairings_that_are_done() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("l.svg.part");
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let words = ["league", "kuhn", "--players", "random,pone,mc=100000", "-o", "l.svg", "--quiet"];
    let mut child = sandbox.command(&words).spawn().unwrap();
    while lines() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "crabwise: stopped\n");
    assert!(lines() >= 3 && !sandbox.path("l.svg").exists());
}
