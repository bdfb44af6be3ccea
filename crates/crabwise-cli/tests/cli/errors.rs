//! What goes wrong: one line, an exit code with a meaning, and with `--json` an object.

use std::{
    io::Read,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

#[test]
fn no_table() {
    let sandbox = Sandbox::new();
    let tables = sandbox.path("tables");
    let line = format!(
        "there is no table of 'nim:3-5-7' under {}; make it with 'crabwise solve nim:3-5-7'",
        tables.display()
    );
    sandbox.run(&["look", "nim"]).fails(2, &line);
    sandbox.run(&["stats", "nim:3-5-7"]).fails(2, &line);
    sandbox.run(&["play", "nim:3-5-7"]).fails(2, &line);
    sandbox.run(&["verify", "nim:3-5-7"]).fails(2, &line);
    sandbox.run(&["export", "nim:3-5-7", "--format", "csv", "-o", "x"]).fails(2, &line);
    let done = sandbox.run(&["look", "nim", "--json"]);
    assert_eq!((done.code, done.err), (2, format!("crabwise: {line}\n")));
    assert_eq!(serde_json::from_str::<Value>(&done.out).unwrap(), json!({ "error": line }));
    assert!(!tables.exists(), "an error made a folder");
}

/// Nobody is told to solve what cannot be solved.
#[test]
fn a_game_that_never_has_a_table() {
    let sandbox = Sandbox::new();
    let line = "boards of more than 40 squares have no table: their positions are too many; play, draw and advise do \
                without";
    for command in ["look", "stats", "verify", "solve", "label", "plan"] {
        sandbox.run(&[command, "isolation:8x8"]).fails(2, line);
    }
    let asked = sandbox.type_in(&["play", "isolation:8x8"], "");
    assert!(asked.out.contains("first player> "), "{}{}", asked.out, asked.err);
}

#[cfg(not(feature = "s3"))]
#[test]
fn a_store_takes_a_program_that_was_built_for_it() {
    let line = "this program was built without stores, and cannot use s3://bucket/tables; \
                'cargo build --release --features s3' builds it with them";
    let sandbox = Sandbox::new();
    sandbox.run(&["solve", "nim", "--tables", "s3://bucket/tables"]).fails(2, line);
    let told =
        sandbox.command(&["look", "nim"]).env("CRABWISE_TABLES", "s3://bucket/tables").output();
    let told = told.unwrap();
    assert_eq!(String::from_utf8(told.stderr).unwrap(), format!("crabwise: {line}\n"));
}

#[test]
fn what_is_typed_wrongly_is_told_in_json_too() {
    let sandbox = Sandbox::new();
    for words in [&["solve", "--json"][..], &["--json", "solv"], &["solve", "nim", "--json", "-x"]]
    {
        let done = sandbox.run(words);
        let object: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(done.err, format!("crabwise: {}\n", object["error"].as_str().unwrap()));
        assert_eq!((done.code, done.err.lines().count()), (2, 1));
    }
}

#[test]
fn not_enough_room() {
    let sandbox = Sandbox::new();
    for game in ["mnk:4x4,4", "connect-four:4x4"] {
        let done = sandbox.run(&["solve", game, "--memory", "1K"]);
        assert_eq!((done.code, done.out.as_str()), (3, ""), "{}", done.err);
        assert!(done.err.contains("a larger --memory"), "{}", done.err);
        assert_eq!(done.err.lines().count(), 1);
    }
}

#[test]
fn outcomes_are_offered_where_they_help() {
    let sandbox = Sandbox::new();
    let done = sandbox.run(&["solve", "mnk:5x4,4", "--memory", "40M"]);
    assert_eq!((done.code, done.err.lines().count()), (3, 1));
    let offer = "the parameter 'outcomes', which keeps no distances and takes about ";
    assert!(done.err.contains(offer), "{}", done.err);
    let done = sandbox.run(&["solve", "mnk:5x4,4,outcomes", "--memory", "10M"]);
    assert_eq!(done.code, 3);
    assert!(!done.err.contains("'outcomes'"), "{}", done.err);
    for game in ["black-hole:3,3,falls", "pong-hau-ki"] {
        let done = sandbox.run(&["solve", game, "--memory", "1K"]);
        assert!(done.code == 3 && !done.err.contains("'outcomes'"), "{}", done.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn outgrowing_the_memory_stops_the_run() {
    // The walk of this game counts its own bytes well below what the process takes.
    let sandbox = Sandbox::new();
    let done = sandbox.run(&["solve", "connect-four:5x5", "--memory", "30M"]);
    assert_eq!((done.code, done.out.as_str()), (3, ""), "{}", done.err);
    assert!(done.err.contains("30.0 MiB are allowed"), "{}", done.err);
}

#[cfg(target_os = "linux")]
/// Alone and with workers, it is seen after a fraction of the walk that a walk cannot end.
#[test]
fn a_walk_that_cannot_end_is_not_begun_in_earnest() {
    let sandbox = Sandbox::new();
    for more in [&[][..], &["--workers", "2"]] {
        let began = Instant::now();
        let done = sandbox.run(&[&["solve", "connect-four:7x6", "--memory", "20G"], more].concat());
        assert_eq!((done.code, done.err.lines().count()), (3, 1), "{}", done.err);
        assert!(done.err.contains("by its first moves the game has some"), "{}", done.err);
        assert!(done.err.contains("'advise' looks ahead without a table"), "{}", done.err);
        assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
    }
}

#[test]
fn a_full_disk_is_not_enough_room() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    for words in [&["games"][..], &["export", "tictactoe", "--format", "csv", "-o", "-"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = sandbox.command(words).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{words:?}");
    }
    let done = sandbox.run(&["export", "tictactoe", "--format", "csv", "-o", "/dev/full"]);
    assert_eq!(done.code, 3);
    assert!(done.err.starts_with("crabwise: cannot write /dev/full: "), "{}", done.err);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::with(&["connect-four:4x4"]);
    let words = ["export", "connect-four:4x4", "--format", "csv", "-o", "-"];
    let mut child = sandbox.command(&words).stdin(Stdio::null()).spawn().unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_table_under_another_name_is_refused() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    std::fs::copy(sandbox.path("tables/nim_1-2.crab"), sandbox.path("tables/nim_2-1.crab"))
        .unwrap();
    for command in ["look", "solve", "stats", "verify", "play"] {
        let done = sandbox.run(&[command, "nim:2-1"]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{command}");
        assert!(done.err.contains("is of 'nim:1-2' (rules 1, "), "{}", done.err);
        assert!(done.err.contains("not of 'nim:2-1' (rules 1, "), "{}", done.err);
    }
}

#[test]
fn a_folder_is_no_place_for_an_export() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let folder = sandbox.folder.path().to_str().unwrap();
    let done = sandbox.run(&["export", "nim:1-2", "--format", "csv", "-o", folder]);
    assert_eq!((done.code, done.err.lines().count()), (2, 1), "{}", done.err);
}

#[test]
fn a_word_that_is_no_text() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let word = std::ffi::OsStr::from_bytes(b"nim\xff");
        let output = Sandbox::new().command(&["solve"]).arg(word).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_shell_is_kept_and_reaching_it_is_not_enough_room() {
    let sandbox = Sandbox::new();
    let long = |words: &str, mebibytes: u64| {
        let program = env!("CARGO_BIN_EXE_crabwise");
        let script = format!("ulimit -v {}; exec {program} {words} --quiet", mebibytes << 10);
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(sandbox.folder.path());
        let output = command.env("CRABWISE_TABLES", sandbox.path("tables")).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{words} within {mebibytes} MiB: {error}");
        assert_eq!(error.lines().count(), 1, "{words} within {mebibytes} MiB: {error}");
        error
    };
    // What is predicted is refused beforehand, also where the person allowed more than the shell.
    let error = long("solve mnk:5x4,4 --memory 8G", 60);
    assert!(error.contains("a limit on this process (ulimit"), "{error}");
    // What is not predicted ends when memory is refused.
    long("solve connect-four:5x4", 40);
    long("solve connect-four:6x4", 150);
    long("equilibrium dark-hex:3x3", 80);
    // Where it refuses a thread.
    for mebibytes in [60, 90, 160] {
        long("solve tictactoe --workers 200", mebibytes);
    }
}
