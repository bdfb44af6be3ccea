//! Drawings, books and surveys, as they are written into files.

use std::fs;

use crate::sandbox::Sandbox;

#[test]
fn a_position_and_all_positions_are_drawn() {
    let sandbox = Sandbox::with(&["nim:1-2", "tictactoe"]);
    let said = sandbox.run(&["draw", "tictactoe", "b2", "a2", "-o", "t.svg"]).ok();
    assert_eq!(said, "t.svg written: after b2 a2; first player to move: win in 5\n");
    let drawn = fs::read_to_string(sandbox.path("t.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("<title>a1: win in 5</title>"), "{drawn}");
    assert_eq!(sandbox.run(&["draw", "tictactoe", "b2", "a2", "-o", "-"]).ok(), drawn);
    let told = sandbox.json(&["draw", "tictactoe", "b2", "-o", "t.svg"]);
    assert_eq!((&told["line"][0], &told["file"]), (&"b2".into(), &"t.svg".into()));
    let told = sandbox.json(&["draw", "nim:1-2", "--positions", "-o", "n.svg"]);
    assert_eq!(told["positions"], 6);
    let drawn = fs::read_to_string(sandbox.path("n.svg")).unwrap();
    assert_eq!(drawn.matches("class=\"P\"").count(), 2, "{drawn}");
    let told = sandbox.json(&["draw", "tictactoe", "--positions", "-o", "t.dot"]);
    assert_eq!(told["positions"], 5478);
    let graph = fs::read_to_string(sandbox.path("t.dot")).unwrap();
    assert_eq!(graph.matches("rank=same").count(), 10);
}

#[test]
fn a_survey_solves_what_it_must_and_goes_on() {
    let sandbox = Sandbox::new();
    let said = sandbox.run(&["survey", "kayles", "--from", "1", "--to", "4", "-o", "k.csv"]).ok();
    assert!(said.ends_with("\n\n4 games: 4 N\n"), "{said}");
    let text = fs::read_to_string(sandbox.path("k.csv")).unwrap();
    let head = "n,game,outcome,distance,nimber,winning,kinds,seconds,notes\n1,kayles:1,N,1,1,1,-,";
    assert!(text.starts_with(head), "{text}");
    // What is there is not touched, and a game whose table is gone is not solved for it.
    fs::remove_dir_all(sandbox.path("tables")).unwrap();
    fs::write(sandbox.path("k.csv"), &text[..text.len() - 3]).unwrap();
    let told = sandbox.json(&["survey", "kayles", "--from", "1", "--to", "5", "-o", "k.csv"]);
    assert_eq!(told["rows"].as_array().unwrap().len(), 5);
    assert_eq!((&told["rows"][4]["nimber"], &told["outcomes"]["N"]), (&4.into(), &5.into()));
    let longer = fs::read_to_string(sandbox.path("k.csv")).unwrap();
    let kept = text.lines().count() - 1;
    assert!(longer.lines().take(kept).eq(text.lines().take(kept)), "{longer}");
    assert_eq!(fs::read_dir(sandbox.path("tables")).unwrap().count(), 2);
    let other = "k.csv holds the rows of another survey, or something else; name another file";
    sandbox.run(&["survey", "dawson", "--from", "1", "--to", "4", "-o", "k.csv"]).fails(2, other);
    fs::write(sandbox.path("letter.txt"), "Dear reader,\n").unwrap();
    let letter = sandbox.run(&["survey", "kayles", "--from", "1", "--to", "4", "-o", "letter.txt"]);
    letter.fails(2, &other.replace("k.csv", "letter.txt"));
    assert_eq!(fs::read_to_string(sandbox.path("letter.txt")).unwrap(), "Dear reader,\n");
}

#[test]
fn a_book_wins_against_every_reply() {
    let sandbox = Sandbox::with(&["nim:1-2-3"]);
    let said = sandbox.run(&["book", "nim:1-2-3", "-o", "b.json"]).ok();
    assert_eq!(said, "nim:1-2-3: the second player wins; 13 entries written to b.json\n");
    let book: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(sandbox.path("b.json")).unwrap()).unwrap();
    for entry in book["entries"].as_array().unwrap() {
        let mut words = vec!["look", "nim:1-2-3"];
        words.extend(entry["line"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()));
        words.push(entry["move"].as_str().unwrap());
        let look = sandbox.json(&words);
        assert_eq!((&look["outcome_class"], &look["over"]), (&"P".into(), &entry["wins"]));
        assert_eq!(
            look["moves"].as_array().unwrap().len(),
            entry["then"].as_array().unwrap().len()
        );
    }
    let told = sandbox.json(&["book", "nim:1-2-3", "-o", "b.svg"]);
    assert_eq!(told["entries"], 13);
    let sheet = fs::read_to_string(sandbox.path("b.svg")).unwrap();
    assert_eq!(sheet.matches("rx=\"8\"").count(), 13);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_rows_that_are_done() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("k.csv");
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let words = ["survey", "kayles", "--from", "1", "--to", "60", "-o", "k.csv", "--quiet"];
    let mut child = sandbox.command(&words).spawn().unwrap();
    while lines() < 12 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let printed = String::from_utf8_lossy(&output.stdout).lines().count();
    assert!(lines() >= 12 && printed.abs_diff(lines()) <= 1, "{printed} and {}", lines());
}
