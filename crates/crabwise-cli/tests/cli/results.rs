//! JSON shapes and figures, files, and exit codes of commands that succeed.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, names};

/// Tic-tac-toe's figures are known from many sources.
fn tictactoe_counts(object: &Value) {
    for (name, figure) in [
        ("positions", 5478),
        ("terminal", 958),
        ("win", 2836),
        ("loss", 1574),
        ("tie", 1068),
        ("draw", 0),
    ] {
        assert_eq!(object[name], figure, "{name}");
    }
    assert_eq!(object["start"], json!({"outcome": "tie", "remoteness": 9}));
    assert_eq!(object["longest"], 9);
}

#[test]
fn games() {
    let games = Sandbox::new().json(&["games"]);
    let games = games["games"].as_array().unwrap();
    assert!(games.iter().any(|game| game["name"] == "tictactoe"));
    for game in games {
        assert_eq!(
            names(game),
            ["about", "example", "hidden", "name", "opening", "parameters", "sizes"]
        );
    }
}

#[test]
fn solve_once_and_again() {
    let sandbox = Sandbox::new();
    let first = sandbox.json(&["solve", "tictactoe"]);
    tictactoe_counts(&first);
    assert_eq!(first["best"].as_array().unwrap().len(), 9);
    assert_eq!(first["solver"], "sweep");
    assert_eq!(first["resumed_tiers"], 0);
    assert!(first["why"].is_string() && first["plan"].is_string());
    assert!(first["wall_seconds"].as_f64().unwrap() > 0.0);
    let hash = first["table_hash"].as_str().unwrap();
    assert!(hash.len() == 32 && hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
    let table = std::fs::metadata(sandbox.path("tables/tictactoe.crab")).unwrap();
    assert_eq!(first["table_bytes"], table.len());
    #[cfg(target_os = "linux")]
    assert!(first["peak_bytes"].as_u64() > Some(1 << 20) && first["cpu_seconds"].is_f64());

    let again = sandbox.json(&["solve", "tictactoe"]);
    assert_eq!(again["solver"], Value::Null);
    assert_eq!(names(&again), names(&first));
    for name in ["start", "best", "positions", "table_hash", "table_bytes", "table", "longest_win"]
    {
        assert_eq!(again[name], first[name], "{name}");
    }
    assert!(sandbox.run(&["solve", "tictactoe"]).ok().starts_with("tictactoe, solved before\n"));
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    for (game, file) in [
        ("connect-four:4x4", "tables/connect-four_4x4.crab"),
        ("connect-four:4x4,outcomes", "tables/connect-four_4x4,outcomes.crab"),
    ] {
        let table = |threads| {
            let sandbox = Sandbox::new();
            sandbox.run(&["solve", game, "--threads", threads]).ok();
            std::fs::read(sandbox.path(file)).unwrap()
        };
        assert!(table("1") == table("2"), "{game}");
    }
}

#[test]
fn outcomes_alone_count_as_ever_and_tell_no_distance() {
    let sandbox = Sandbox::with(&["tictactoe", "tictactoe:outcomes"]);
    for command in ["solve", "stats"] {
        let [told, untold] =
            ["tictactoe", "tictactoe:outcomes"].map(|game| sandbox.json(&[command, game]));
        assert_eq!(names(&told), names(&untold));
        for name in ["positions", "terminal", "win", "loss", "tie", "draw", "best", "orbits"] {
            assert_eq!(told.get(name), untold.get(name), "{command}, {name}");
        }
        assert_eq!(untold["start"], json!({"outcome": "tie", "remoteness": null}));
        assert_eq!((&untold["longest"], &untold["longest_win"]), (&Value::Null, &Value::Null));
    }
    let stats = sandbox.json(&["stats", "tictactoe:outcomes"]);
    assert_eq!((&stats["remoteness"], &stats["deepest"]), (&json!([]), &Value::Null));
    assert_eq!(stats["tiers"][4]["longest"], Value::Null);
    let words = ["--first", "perfect", "--second", "perfect", "--seed", "7"];
    let played = sandbox.run(&[&["play", "tictactoe:outcomes"], &words[..]].concat()).ok();
    assert!(played.ends_with("the game is over: a tie\n"), "{played}");
    for format in ["csv", "json", "dot"] {
        let words = ["export", "tictactoe:outcomes", "--format", format, "-o", "-"];
        let text = sandbox.run(&words).ok();
        assert!(!text.contains("4294967295") && !text.contains(" in "), "{text}");
    }
    assert_eq!(sandbox.json(&["verify", "tictactoe:outcomes"])["ok"], true);
    // Ends are told from the rest, though no distance says so.
    let over = sandbox.json(&["look", "tictactoe:outcomes", "a1 b1 a2 b2 a3"]);
    assert_eq!((&over["over"], &over["winner"]), (&json!(true), &json!("first")));
    assert_eq!(over["value"], json!({"outcome": "loss", "remoteness": null}));
}

#[test]
fn what_takes_distances_refuses_outcomes_before_it_solves() {
    let sandbox = Sandbox::new();
    let labels = "labels and traps need distances, and with 'outcomes' none are kept; leave it out";
    sandbox.run(&["label", "mnk:3x2,2,outcomes"]).fails(2, labels);
    sandbox
        .run(&["stats", "mnk:3x2,2,outcomes", "--solve", "--svg", "x.svg"])
        .fails(2, "a histogram shows distances, and with 'outcomes' none are kept; leave it out");
    assert!(!sandbox.path("tables").exists() && !sandbox.path("x.svg").exists());
    sandbox.run(&["solve", "mnk:3x2,2,outcomes"]).ok();
    sandbox.run(&["look", "mnk:3x2,2,outcomes", "--labels"]).fails(2, labels);
    sandbox.run(&["play", "mnk:3x2,2,outcomes", "--draws", "z"]).fails(2, labels);
    sandbox.run(&["advise", "mnk:3x2,2,outcomes", "--depth", "3"]).ok();
}

#[test]
fn the_table_goes_where_it_is_told() {
    let sandbox = Sandbox::new();
    sandbox.run(&["solve", "nim:1-2", "--tables", "elsewhere"]).ok();
    assert!(sandbox.path("elsewhere/nim_1-2.crab").is_file());
    assert!(!sandbox.path("tables").exists());
    sandbox.run(&["look", "nim:1-2", "--tables", "elsewhere"]).ok();
    let mut command = sandbox.command(&["solve", "nim:1-2"]);
    command.env_remove("CRABWISE_TABLES").env("XDG_DATA_HOME", sandbox.path("data"));
    assert!(command.env("HOME", sandbox.path("home")).status().unwrap().success());
    #[cfg(target_os = "linux")]
    assert!(sandbox.path("data/crabwise/tables/nim_1-2.crab").is_file());
}

#[test]
fn explain_comes_before_the_result_and_apart_from_it() {
    let done = Sandbox::new().run(&["solve", "nim:1-2", "--explain"]);
    assert_eq!(done.code, 0);
    assert!(done.err.starts_with("plan: ") && done.err.lines().count() == 1, "{}", done.err);
    assert!(done.err.contains("because") && done.err.contains("of memory"));
    assert!(done.out.starts_with("nim:1-2\n"), "{}", done.out);
}

#[test]
fn look() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let look = sandbox.json(&["look", "tictactoe", "b2", "a2"]);
    assert_eq!(look["game"], "tictactoe");
    assert_eq!(look["line"], json!(["b2", "a2"]));
    assert_eq!(look["mover"], "first");
    assert_eq!(look["over"], false);
    assert_eq!(look["value"], json!({"outcome": "win", "remoteness": 5}));
    let moves = look["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert_eq!(moves[0]["value"], look["value"]);
    assert_eq!(names(&moves[0]), ["move", "position", "value"]);
    let perfect = look["perfect"].as_array().unwrap();
    assert_eq!((perfect.len(), &look["perfect_end"]), (5, &json!("over")));
    let whole: Vec<&str> = perfect.iter().map(|one| one["move"].as_str().unwrap()).collect();
    let end = sandbox.json(&[&["look", "tictactoe", "b2", "a2"], &whole[..]].concat());
    assert_eq!((&end["over"], &end["winner"]), (&json!(true), &json!("first")));
    assert_eq!(end["moves"], json!([]));
    assert_eq!(end["value"], json!({"outcome": "loss", "remoteness": 0}));
    assert_eq!(sandbox.json(&["look", "tictactoe", "b2 a2"]), look);
}

#[test]
fn look_by_seed() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let line = |seed: u64| {
        sandbox.json(&["look", "tictactoe", "--seed", &seed.to_string()])["perfect"].clone()
    };
    assert_eq!(line(1), line(1));
    assert!((2..8).any(|seed| line(seed) != line(1)));
    assert!((1..8).all(|seed| line(seed).as_array().unwrap().len() == 9));
}

#[test]
fn solve_first_where_asked() {
    for words in [
        &["look", "nim:1-2", "--solve"][..],
        &["stats", "nim:1-2", "--solve"],
        &["verify", "nim:1-2", "--solve"],
        &["play", "nim:1-2", "--solve"],
        &["export", "nim:1-2", "--format", "csv", "-o", "-", "--solve"],
    ] {
        let sandbox = Sandbox::new();
        sandbox.run(words).ok();
        assert!(sandbox.path("tables/nim_1-2.crab").is_file(), "{words:?}");
    }
}

#[test]
fn nimbers() {
    let look = Sandbox::with(&["nim:1-2"]).json(&["look", "nim:1-2"]);
    assert_eq!(look["nimber"], 3);
    assert_eq!(
        look["moves"][0],
        json!({
            "move": "2:1",
            "value": {"outcome": "win", "remoteness": 3},
            "position": "1:   1 |/2:   1 |",
        })
    );
    assert_eq!(
        (&look["outcome_class"], &look["notation"]),
        (&json!("N"), &json!("1:   1 |/2:   2 ||"))
    );
}

#[test]
fn stats() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let stats = sandbox.json(&["stats", "tictactoe"]);
    tictactoe_counts(&stats);
    assert_eq!(stats["orbits"]["positions"], 765);
    assert!((stats["mean_moves"].as_f64().unwrap() - 16_167.0 / 5478.0).abs() < 1e-9);
    let rows = stats["remoteness"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    assert_eq!(rows[0], json!({"n": 0, "win": 0, "loss": 942, "tie": 16}));
    let sum = |rows: &[Value], name: &str| {
        rows.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!([sum(rows, "win"), sum(rows, "loss"), sum(rows, "tie")], [2836, 1574, 1068]);
    let tiers = stats["tiers"].as_array().unwrap();
    assert_eq!((tiers.len(), sum(tiers, "positions")), (10, 5478));
    assert_eq!(stats["deepest"]["value"], json!({"outcome": "tie", "remoteness": 9}));
    let all = sandbox.json(&["stats", "tictactoe", "--all"]);
    assert!(all["positions"].as_u64() > stats["positions"].as_u64());
}

#[test]
fn a_histogram() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    sandbox.run(&["stats", "tictactoe", "--svg", "t.svg"]).ok();
    let svg = std::fs::read_to_string(sandbox.path("t.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>win in 1: 2,358</title>"));
    // 3 kinds at 10 distances, less the absent ones.
    assert_eq!(svg.matches(" in ").count(), 3 + 3 + 10 + 1);
}

#[test]
fn verify() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let verdict = sandbox.json(&["verify", "tictactoe"]);
    assert_eq!(verdict["ok"], true);
    assert_eq!(verdict["mismatches"], json!([]));
    assert!(verdict["checked"].as_u64() >= Some(765));
    assert_eq!(verdict.get("damage"), None);
    let sample = sandbox.json(&["verify", "tictactoe", "--sample", "50", "--seed", "3"]);
    assert!((1..=50).contains(&sample["checked"].as_u64().unwrap()));
}

#[test]
fn check() {
    let check = Sandbox::new().json(&["check", "tictactoe"]);
    assert_eq!(check["ok"], true);
    for contract in check["contracts"].as_array().unwrap() {
        assert_eq!(names(contract), ["broken", "checked", "complete", "contract"]);
        assert_eq!(contract["broken"], Value::Null);
    }
}

#[test]
fn export_csv() {
    let sandbox = Sandbox::with(&["connect-four:4x4"]);
    let words = ["export", "connect-four:4x4", "--format", "csv", "-o", "c.csv", "--quiet"];
    let said = sandbox.run(&words).ok();
    assert_eq!(said, "161,029 positions written to c.csv\n");
    let csv = std::fs::read_to_string(sandbox.path("c.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,tier,index,position,outcome,remoteness,moves,start"));
    assert_eq!(lines.filter(|line| line.split(',').count() == 8).count(), 161_029);
    let left: Vec<_> = std::fs::read_dir(sandbox.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "a temporary file is left: {left:?}");
}

#[test]
fn export_json() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let told = sandbox.json(&["export", "tictactoe", "--format", "json", "-o", "t.json"]);
    assert_eq!(told["positions"], 765);
    let export: Value =
        serde_json::from_slice(&std::fs::read(sandbox.path("t.json")).unwrap()).unwrap();
    assert_eq!(export["game"], "tictactoe");
    let positions = export["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 765);
    assert_eq!(names(&positions[0]), ["id", "moves", "position", "value"]);
    assert_eq!(names(&positions[0]["moves"][0]), ["move", "to", "value"]);
    let ids: std::collections::HashSet<&str> =
        positions.iter().map(|one| one["id"].as_str().unwrap()).collect();
    let moves = positions.iter().flat_map(|one| one["moves"].as_array().unwrap());
    assert!(moves.clone().count() > 0);
    assert!(moves.clone().all(|one| ids.contains(one["to"].as_str().unwrap())));
}

#[test]
fn export_leaves_an_old_file_alone_until_the_new_one_is_whole() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    std::fs::write(sandbox.path("n.dot"), "old").unwrap();
    let missing = sandbox.run(&["export", "nim:9-9", "--format", "dot", "-o", "n.dot"]);
    assert_eq!(missing.code, 2);
    assert_eq!(std::fs::read_to_string(sandbox.path("n.dot")).unwrap(), "old");
    sandbox.run(&["export", "nim:1-2", "--format", "dot", "--only", "decided", "-o", "n.dot"]).ok();
    let dot = std::fs::read_to_string(sandbox.path("n.dot")).unwrap();
    assert_eq!((dot.matches("shape=").count(), dot.matches("->").count()), (6, 9));
    assert_eq!(dot.matches("penwidth=3").count(), 6);
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    sandbox.run(&["export", "nim:1-2", "--format", "csv", "-o", "/dev/null"]).ok();
    assert!(!std::path::Path::new("/dev/null").is_file());
}

#[test]
fn bench() {
    let bench = Sandbox::new().json(&["bench"]);
    let runs = bench["runs"].as_array().unwrap();
    let tictactoe = runs.iter().find(|run| run["game"] == "tictactoe").unwrap();
    assert_eq!(tictactoe["positions"], 5478);
    assert!(runs.iter().all(|run| run["nanoseconds_a_position"].as_f64().unwrap() > 0.0));
}

#[test]
fn a_game_is_written_as_it_was_published() {
    let sandbox = Sandbox::with(&["black-hole:3,3,falls", "tictactoe"]);
    let words = ["export", "black-hole:3,3,falls", "--format", "original", "-o", "out"];
    let told = sandbox.json(&words);
    let stats = sandbox.json(&["stats", "black-hole:3,3,falls", "--all"]);
    let decided =
        stats["orbits"]["win"].as_u64().unwrap() + stats["orbits"]["loss"].as_u64().unwrap();
    for (i, name) in ["scores.csv", "children.csv"].iter().enumerate() {
        let text = std::fs::read_to_string(sandbox.path("out").join(name)).unwrap();
        assert_eq!(text.lines().count() as u64, 2 * decided);
        assert_eq!(told["bytes"][i], text.len());
        let mut states: Vec<&str> =
            text.lines().filter_map(|line| line.split(';').next()).collect();
        states.sort();
        states.dedup();
        assert_eq!(states.len() as u64, 2 * decided, "{name}");
    }
    assert_eq!(std::fs::read_dir(sandbox.path("out")).unwrap().count(), 2);
    sandbox
        .run(&["export", "tictactoe", "--format", "original", "-o", "out"])
        .fails(2, "tictactoe was not published in files of its own; take csv, json or dot");
}
