//! Whoever is asked to stop does so within a second, says so, and leaves nothing half-written.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::sandbox::Sandbox;

/// A second, and one more for machines with much else to do.
const SOON: Duration = Duration::from_secs(2);

/// Whether the program would hear of a signal by now.
fn listens(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> (15 - 1) & 1 == 1)
}

/// Lets a command run for a while, sends it a signal, and looks how it ends.
#[track_caller]
fn stopped(sandbox: &Sandbox, mut command: Command, signal: &str) {
    let said = format!("{:?} by {signal}", command.get_args().collect::<Vec<_>>());
    let mut child = command.spawn().unwrap();
    // It is there for as long as the program runs, but nothing comes.
    let _input = child.stdin.take();
    while child.try_wait().unwrap().is_none() && !listens(&child) {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(250));
    assert!(child.try_wait().unwrap().is_none(), "{said}: it ended by itself");
    let pid = child.id().to_string();
    let asked = Instant::now();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    let mut ended = None;
    while ended.is_none() && asked.elapsed() < SOON {
        sleep(Duration::from_millis(5));
        ended = child.try_wait().unwrap();
    }
    if ended.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
        panic!("{said}: it goes on");
    }
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}: {told}");
    let line = told.lines().last().unwrap_or_default();
    assert!(line.starts_with("crabwise: stopped"), "{said}: {told}");
    let left = fs::read_dir(sandbox.folder.path()).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| !["tables", "pipe"].contains(&&**name)).collect();
    assert!(left.is_empty(), "{said}: {left:?} left behind");
}

fn all_stopped(commands: &[&str]) {
    for (i, words) in commands.iter().enumerate() {
        let sandbox = Sandbox::new();
        let words: Vec<&str> = words.split(' ').collect();
        let signal = if i % 2 == 0 { "-TERM" } else { "-INT" };
        stopped(&sandbox, sandbox.command(&[&words[..], &["--quiet"]].concat()), signal);
    }
}

#[test]
fn games_in_which_everything_is_seen() {
    all_stopped(&[
        "solve connect-four:6x6",
        "solve isolation:5x6",
        "solve connect-four:6x5 --workers 2",
        "solve connect-four:6x5 --local-cluster 2",
        "plan connect-four:6x6",
        "check connect-four:5x5",
        "check isolation:5x5",
        "advise connect-four:7x6 --time 100s",
        "survey cycles --family wheel --from 14 --to 30",
        "look cycles:grid=4x5 --search",
        "book cycles:grid=5x5 --search",
        "draw cycles:grid=4x5 --search -o x.svg",
        "label connect-four:6x5 -o x.csv",
        "stats connect-four:6x5 --solve",
        "verify connect-four:6x5 --solve",
        "export connect-four:6x5 --solve --format csv -o x.csv",
        "play connect-four:6x5 --solve",
        "bench --threads 1",
    ]);
}

#[test]
fn games_with_hidden_information() {
    all_stopped(&[
        "count dark-hex:3x4",
        "pone dark-hex:4x4",
        "matrix dark-hex:3x4",
        "exploit dark-hex:3x4 uniform",
        "equilibrium dark-hex:3x4",
        "equilibrium leduc --method cfr --until 1e-12",
        "compare leduc --time 100s",
        "league dark-hex:4x4 --players random,pone",
        "league leduc --players mc=1000000,ismcts=1000000",
    ]);
}

#[test]
fn what_waits_for_others() {
    let sandbox = Sandbox::with(&["connect-four:4x4"]);
    let pipe = sandbox.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let game = "connect-four:4x4";
    for (words, signal) in [
        (&["play", game][..], "-INT"),
        (&["export", game, "--format", "csv", "-o", "pipe"], "-TERM"),
        (&["look", "graph:pipe"], "-INT"),
        (&["exploit", "kuhn", "pipe"], "-TERM"),
        (&["solve", game, "--hosts", "pipe"], "-INT"),
    ] {
        stopped(&sandbox, sandbox.command(words), signal);
    }
    // Nobody reads, and the pipe is full.
    let mut command = sandbox.command(&["export", game, "--format", "csv", "-o", "-"]);
    let (unread, full) = std::io::pipe().unwrap();
    command.stdout(Stdio::from(full));
    stopped(&sandbox, command, "-TERM");
    drop(unread);
}

/// Also where nobody ends it otherwise, as the first process of a container: it listens.
#[test]
fn a_server_ends_when_it_is_asked_to() {
    for signal in ["-TERM", "-INT"] {
        let sandbox = Sandbox::new();
        let mut server = sandbox.command(&["serve", "--port", "0"]).spawn().unwrap();
        let mut line = String::new();
        let out = server.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        assert!(listens(&server), "{line}");
        let asked = Instant::now();
        let pid = server.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(server.wait().unwrap().code(), Some(0));
        assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    }
}

#[test]
fn a_table_is_no_pipe() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("tables")).unwrap();
    let table = sandbox.path("tables/nim_1-2.crab");
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    for command in ["look", "stats", "verify", "solve", "play"] {
        let line = format!("cannot open {}: it is no plain file", table.display());
        sandbox.run(&[command, "nim:1-2"]).fails(2, &line);
    }
}

/// What killed processes leave unfinished is gone after the next one, and what others are writing is not.
#[test]
fn leftovers_are_cleared_away() {
    let sandbox = Sandbox::with(&["connect-four:4x4"]);
    let unfinished = || {
        let entries = fs::read_dir(sandbox.folder.path()).unwrap();
        let named = |name: &String| name.starts_with(".crabwise-");
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).filter(named).count()
    };
    let export = |path: &str| {
        let words = ["export", "connect-four:4x4", "--format", "csv", "-o", path];
        sandbox.command(&words).stdin(Stdio::null()).spawn().unwrap()
    };
    // An export may be done before it is seen at work, or before it is killed; then another one is begun.
    let killed = (0..20).any(|_| {
        let mut export = export("killed.csv");
        while unfinished() == 0 && export.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        export.kill().unwrap();
        export.wait().unwrap();
        let whole = fs::remove_file(sandbox.path("killed.csv")).is_ok();
        unfinished() == 1 && !whole
    });
    assert!(killed, "no export was killed at work");
    let mut living = export("living.csv");
    sandbox.run(&["draw", "tictactoe", "--bare", "-o", "small.svg"]).ok();
    assert!(living.wait().unwrap().success());
    assert_eq!(unfinished(), 0);
    assert!(sandbox.path("living.csv").exists() && sandbox.path("small.svg").exists());
}
