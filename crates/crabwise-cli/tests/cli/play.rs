//! Games played through a pipe.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

#[test]
fn a_person_ties() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let done = sandbox.type_in(&["play", "tictactoe", "--json"], &"hint\n".repeat(3));
    assert_eq!(done.err.matches("first player to move: tie in 9; best: a1 b1").count(), 3);
    // Whatever the machine answers, the first of the hinted moves is good enough.
    let mut line: Vec<String> = vec![];
    for _ in 0..5 {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let look = sandbox.json(&[&["look", "tictactoe"], &words[..]].concat());
        let mine = look["moves"][0]["move"].as_str().unwrap().to_string();
        line.push(mine);
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let look = sandbox.json(&[&["look", "tictactoe"], &words[..]].concat());
        let answer = look["moves"].get(0).map(|one| one["move"].as_str().unwrap().to_string());
        line.extend(answer);
    }
    let mine: String = line.iter().step_by(2).map(|name| format!("{name}\n")).collect();
    let done = sandbox.type_in(&["play", "tictactoe", "--json"], &mine);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((object["line"].clone(), &object["result"]), (json!(line), &json!("tie")));
    let said = sandbox.type_in(&["play", "tictactoe"], &mine).ok();
    assert!(said.ends_with("the game is over: a tie\n"), "{said}");
}

#[test]
fn a_person_loses() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let said = sandbox.type_in(&["play", "nim:1-2"], "2:2\n").ok();
    assert!(said.contains("second player plays 1:1\n"), "{said}");
    assert!(said.ends_with("the game is over: the second player has won\n"), "{said}");
}

#[test]
fn a_person_wins_as_second_player() {
    let sandbox = Sandbox::with(&["nim:1-1"]);
    let words = ["play", "nim:1-1", "--first", "perfect", "--second", "human"];
    let said = sandbox.type_in(&words, "2:1\n").ok();
    assert!(said.contains("first player plays 1:1\n") && said.contains("second player> "));
    assert!(said.ends_with("the game is over: the second player has won\n"), "{said}");
}

#[test]
fn undo_goes_back_to_ones_own_turn() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let typed = "undo\nb2\na2\nundo\nundo\nundo\nquit\n";
    let done = sandbox.type_in(&["play", "tictactoe", "--json"], typed);
    assert_eq!(done.err.matches("there is nothing to take back").count(), 2, "{}", done.err);
    assert_eq!(done.err.matches("taken back: b2 a1\n").count(), 1);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&object["line"], &object["result"]), (&json!([]), &Value::Null));
}

#[test]
fn what_is_no_move_gets_one_line_and_another_try() {
    let sandbox = Sandbox::with(&["nim:1-2"]);
    let said = sandbox.type_in(&["play", "nim:1-2"], "9:9\n\nmoves\nhelp\n2:1\n").ok();
    assert!(said.contains("no move '9:9' here; 'help' says what can be typed\n"), "{said}");
    assert!(said.contains("2:1   win           3\n"), "{said}");
    assert!(said.contains("undo   to take back your last move\n"), "{said}");
    assert!(said.contains("second player plays 1:1\n"), "{said}");
    assert!(said.ends_with("goodbye\n"), "{said}");
}

#[test]
fn capital_letters_do_not_matter() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let done = sandbox.type_in(&["play", "tictactoe", "--json"], "B2\n");
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["line"][0], "b2");
}

#[test]
fn machines_among_themselves() {
    let sandbox = Sandbox::with(&["tictactoe"]);
    let game = |first: &str, second: &str, seed: &str| {
        let words =
            ["play", "tictactoe", "--first", first, "--second", second, "--seed", seed, "--json"];
        let done = sandbox.run(&words);
        assert_eq!(done.code, 0, "{}", done.err);
        serde_json::from_str::<Value>(&done.out).unwrap()
    };
    assert_eq!(game("random", "random", "7"), game("random", "random", "7"));
    let results: Vec<Value> = (0..20)
        .map(|seed| game("perfect", "random", &seed.to_string())["result"].clone())
        .collect();
    assert!(results.iter().all(|result| result != "second"), "{results:?}");
    assert!(results.iter().any(|result| result == "first"), "{results:?}");
    assert_eq!(game("perfect", "perfect", "3")["result"], "tie");
}
