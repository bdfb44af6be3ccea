//! What somebody could put where the program looks, or into its environment: it neither hangs, nor fills the memory, nor
//! takes anything for what it is not.

use std::{
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::sandbox::Sandbox;

/// Machines may have much else to do.
const SOON: Duration = Duration::from_secs(8);

/// Runs a command to its end, which must come soon.
#[track_caller]
fn ends(mut command: Command) -> Output {
    let words: Vec<_> = command.get_args().map(|word| word.to_owned()).collect();
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > SOON {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{words:?} goes on");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// What is no file, or far too large for one of its kind.
const ODD: [&str; 7] = ["pipe", "folder", "loop", "nowhere", "zeros", "nothing", "huge"];

fn put(odd: &str, at: &Path) {
    let _ = fs::remove_file(at);
    match odd {
        "pipe" => assert!(Command::new("mkfifo").arg(at).status().unwrap().success()),
        "folder" => fs::create_dir(at).unwrap(),
        "loop" => symlink(at, at).unwrap(),
        "nowhere" => symlink("nowhere", at).unwrap(),
        "zeros" => symlink("/dev/zero", at).unwrap(),
        "nothing" => symlink("/dev/null", at).unwrap(),
        _ => fs::File::create(at).unwrap().set_len(1 << 36).unwrap(),
    }
}

/// Whatever is in the place of one of the files that the program keeps.
#[test]
fn odd_files_among_the_tables() {
    let kept = Sandbox::with(&["tictactoe"]);
    kept.run(&["look", "tictactoe", "--labels", "--quiet"]).ok();
    kept.run(&["equilibrium", "kuhn", "--quiet"]).ok();
    for (file, commands) in [
        ("tictactoe.crab", &["look tictactoe", "solve tictactoe"][..]),
        ("tictactoe.stats", &["stats tictactoe", "verify tictactoe", "solve tictactoe"]),
        ("tictactoe.traps", &["label tictactoe", "verify tictactoe"]),
        ("nim_3-5-7.crab.part", &["solve nim"]),
        ("nim_3-5-7.crab.journal", &["solve nim", "look nim"]),
        ("kuhn.strat", &["look kuhn", "equilibrium kuhn"]),
    ] {
        for odd in ODD {
            for words in commands {
                let sandbox = Sandbox::new();
                let tables = sandbox.path("tables");
                fs::create_dir(&tables).unwrap();
                for entry in fs::read_dir(kept.path("tables")).unwrap().flatten() {
                    fs::copy(entry.path(), tables.join(entry.file_name())).unwrap();
                }
                put(odd, &tables.join(file));
                let words: Vec<&str> = words.split(' ').chain(["--quiet"]).collect();
                let output = ends(sandbox.command(&words));
                let told = String::from_utf8_lossy(&output.stderr);
                let said = format!("{words:?} with {odd} as {file}: {told}");
                assert!(matches!(output.status.code(), Some(0..=2)), "{said}");
                assert!(told.lines().count() <= 1, "{said}");
            }
        }
    }
}

/// Of a file that is none of strategies little is read, however long it is.
#[test]
fn strategies_without_end() {
    let sandbox = Sandbox::new();
    put("huge", &sandbox.path("huge"));
    for words in [
        &["league", "kuhn", "--players", "random,huge"][..],
        &["exploit", "kuhn", "huge"],
        &["look", "kuhn", "--strategy", "huge"],
        &["exploit", "kuhn", "/dev/zero"],
    ] {
        let output = ends(sandbox.command(words));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.ends_with(": this is no file of strategies\n"), "{words:?}: {told}");
    }
}

/// What is compared with a table is read twice, so it is a plain file; nobody waits for what comes out of a pipe.
#[test]
fn comparisons_with_what_is_no_file() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let said = "is no file that can be read twice; say the name of an ordinary one";
    for odd in ["pipe", "folder", "zeros", "nothing"] {
        put(odd, &sandbox.path(odd));
        let output = ends(sandbox.command(&["verify", "tictactoe", "--against", odd]));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{odd}: {told}");
        assert_eq!(told, format!("crabwise: {odd}: {said}\n"));
    }
}

/// What is typed may have no end either, and be no text.
#[test]
fn lines_without_end() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    sandbox.run(&["equilibrium", "kuhn", "--quiet"]).ok();
    for words in [&["play", "nim:1-2"][..], &["play", "kuhn"]] {
        let mut line = vec![b'x'; 1 << 20];
        line.extend(b"\xff\x1b[31m\nquit\n");
        let mut child = sandbox.command(words).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.len() < 1 << 18 && !output.stdout.contains(&0x1b), "{words:?}");
    }
}

/// Of a file of something else likewise, into which rows are to go.
#[test]
fn rows_without_end() {
    let sandbox = Sandbox::new();
    put("huge", &sandbox.path("huge.csv"));
    for words in [
        &["survey", "nim", "--from", "3", "--to", "4", "-o", "huge.csv"][..],
        &["league", "kuhn", "--players", "random,pone", "-o", "huge.csv"],
    ] {
        let output = ends(sandbox.command(words));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains("huge.csv holds the rows of another "), "{words:?}: {told}");
    }
}

#[test]
fn odd_environments() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let usual = sandbox.run(&["look", "nim:1-2"]).ok();
    for (name, value) in [
        ("RAYON_NUM_THREADS", "100000"),
        ("RAYON_NUM_THREADS", "0"),
        ("RAYON_NUM_THREADS", "x"),
        ("COLUMNS", "0"),
        ("COLUMNS", "99999999999999999999"),
        ("TERM", ""),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("TZ", "nowhere"),
        ("HOME", ""),
    ] {
        let mut command = sandbox.command(&["look", "nim:1-2"]);
        let output = ends({
            command.env(name, value);
            command
        });
        assert_eq!(output.status.code(), Some(0), "{name}={value}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), usual, "{name}={value}");
    }
}

/// What fails first in one worker is what is told, by whichever worker it is heard.
#[test]
fn workers_without_room_are_no_lost_workers() {
    let sandbox = Sandbox::new();
    for _ in 0..3 {
        let words = ["solve", "connect-four:6x5", "--workers", "4", "--memory", "40M", "--quiet"];
        let done = sandbox.run(&words);
        assert_eq!(done.code, 3, "{}", done.err);
        assert!(!done.err.contains("worker 0"), "{}", done.err);
    }
}

/// Names that somebody chose are no formulas in a table of cells, and no elements in a drawing.
#[test]
fn names_are_names() {
    let sandbox = Sandbox::new();
    let graph = "digraph { \"=cmd|' /C calc'!A\" -> \"<script>alert(1)</script>B\" }";
    fs::write(sandbox.path("a.dot"), graph).unwrap();
    let export = |format: &str| {
        sandbox
            .run(&["export", "graph:a.dot", "--solve", "--format", format, "-o", "-", "--quiet"])
            .ok()
    };
    assert!(export("csv").contains(",'=cmd|' /C calc'!A,"), "{}", export("csv"));
    assert!(export("json").contains("\"=cmd|' /C calc'!A\""), "{}", export("json"));
    let label = ["label", "graph:a.dot", "--quiet", "-o"];
    sandbox.run(&[&label[..], &["a.csv"]].concat()).ok();
    let csv = fs::read_to_string(sandbox.path("a.csv")).unwrap();
    assert!(csv.contains("'=cmd|' /C calc'!A,") && !csv.contains("\n="), "{csv}");
    for words in [
        &label[..],
        &["draw", "graph:a.dot", "--positions", "-o"],
        &["draw", "graph:a.dot", "--quiet", "-o"],
        &["book", "graph:a.dot", "-o"],
    ] {
        assert_eq!(sandbox.run(&[words, &["a.svg"]].concat()).code, 0, "{words:?}");
        let svg = fs::read_to_string(sandbox.path("a.svg")).unwrap();
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script"), "{words:?}: {svg}");
    }
}

/// Lists to compare a table with, in which something has no end.
#[test]
fn lists_without_end() {
    let sandbox = Sandbox::with(&["nim:1-2", "black-hole:3,2"]);
    put("huge", &sandbox.path("huge"));
    let begins = |name: &str, text: &str| {
        let path = sandbox.path(name);
        fs::write(&path, text).unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 36).unwrap();
    };
    begins("a.csv", "position,value\n");
    begins("b.csv", "position,value\n\"");
    begins("a.json", "[{\"position\": \"");
    begins("b.json", "[");
    begins("children.csv", "(");
    for game in ["nim:1-2", "black-hole:3,2"] {
        for file in ["huge", "a.csv", "b.csv", "a.json", "b.json", "children.csv", "/dev/zero"] {
            let output = ends(sandbox.command(&["verify", game, "--against", file, "--quiet"]));
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{game}, {file}: {told}");
            assert_eq!(told.lines().count(), 1, "{game}, {file}: {told}");
        }
    }
}

/// What took long is not written over by what takes a moment.
#[test]
fn tables_and_strategies_are_not_written_over() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let table = "tables/nim_1-2.crab";
    let line = format!("cannot write {table}: there is a table; name another file");
    sandbox.run(&["export", "nim:1-2", "--format", "csv", "-o", table]).fails(2, &line);
    sandbox.run(&["label", "nim:1-2", "--format", "csv", "-o", table]).fails(2, &line);
    sandbox.run(&["look", "nim:1-2"]).ok();
    let line = "the strategies and their curve are two files, and need two names";
    let words = ["equilibrium", "kuhn", "-o", "a.svg", "--curve", "a.svg"];
    sandbox.run(&words).fails(2, line);
}

/// Tables may lie where nothing can be written: what is counted of them is told, and not kept.
#[test]
fn what_cannot_be_kept_is_told() {
    let (sandbox, other) = (Sandbox::with(&["nim:1-2"]), Sandbox::with(&["nim:1-2"]));
    fs::remove_file(sandbox.path("tables/nim_1-2.stats")).unwrap();
    symlink("/sys/kernel/uevent_seqnum", sandbox.path("tables/nim_1-2.stats.new")).unwrap();
    for words in [&["stats", "nim:1-2"], &["verify", "nim:1-2"]] {
        assert_eq!(sandbox.json(words), other.json(words), "{words:?}");
    }
    assert!(!sandbox.path("tables/nim_1-2.stats").exists());
}
