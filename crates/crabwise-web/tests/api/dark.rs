//! Games in the dark: nothing that is hidden is told before the end.

use std::fs;

use crabwise::table;
use serde_json::{Value, json};

use crate::client::Client;

/// What a seat sees after its own moves.
fn seen(client: &Client, game: &str, seat: &str, rival: &str, id: &str, line: &[String]) -> Value {
    let line = line.join(" ");
    let asked = [("game", game), ("seat", seat), ("rival", rival), ("id", id), ("line", &line)];
    let answer = client.get("/api/dark", &asked);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn begun(client: &Client, game: &str) -> String {
    let begun = client.post("/api/dark", &json!({ "game": game })).json();
    begun["id"].as_str().unwrap().into()
}

#[test]
fn a_game_against_the_strategy_ends_with_the_truth() {
    let client = Client::new();
    let game = "dark-hex:2x2,abrupt";
    let id = begun(&client, game);
    let asked = [("game", game), ("seat", "first"), ("rival", "strategy"), ("id", &id)];
    let refused = client.get("/api/dark", &asked);
    assert_eq!((refused.status, refused.json()["needs"].as_str()), (409, Some("equilibrium")));
    let done = client.job(json!({ "game": game, "kind": "equilibrium" }));
    assert_eq!(done["state"], "done", "{done}");
    let about = client.get("/api/game", &[("game", game)]).json();
    assert!((about["value"].as_f64().unwrap() - 0.5).abs() < 1e-9, "{about}");
    let mut line = vec![];
    loop {
        let now = seen(&client, game, "first", "strategy", &id, &line);
        if now["over"] == true {
            assert!(now["payoff"].as_f64().unwrap().abs() == 1.0, "{now}");
            let told = now["truth"]["line"].as_array().unwrap();
            let own = told.iter().filter(|step| step.as_str().unwrap().starts_with("first"));
            assert_eq!(own.count(), line.len());
            break;
        }
        assert_eq!((&now["truth"], &now["payoff"]), (&json!(null), &json!(null)));
        assert_eq!(seen(&client, game, "first", "strategy", &id, &line), now, "asked for again");
        line.push(now["moves"][0].as_str().unwrap().into());
    }
    let late = [line, vec!["a1".into()]].concat().join(" ");
    let asked = [asked[0], asked[1], asked[2], ("id", &id), ("line", &late)];
    assert!(client.get("/api/dark", &asked).refused().1.contains("the game is over"));
}

/// What a game has begun with it ends with, and it never begins anew.
#[test]
fn a_game_keeps_its_sides_and_a_game_that_is_gone_is_gone() {
    let mut client = Client::new();
    let game = "dark-hex:2x2,abrupt";
    let done = client.job(json!({ "game": game, "kind": "equilibrium" }));
    assert_eq!(done["state"], "done", "{done}");
    let id = begun(&client, game);
    let ask = |client: &Client, changed: (&str, &str)| {
        let mut asked = [("game", game), ("seat", "first"), ("rival", "strategy"), ("id", &*id)];
        asked.iter_mut().filter(|one| one.0 == changed.0).for_each(|one| *one = changed);
        client.get("/api/dark", &asked)
    };
    assert_eq!(ask(&client, ("", "")).status, 200);
    for changed in [("game", "dark-hex:2x2"), ("seat", "second"), ("rival", "random")] {
        let refused = ask(&client, changed);
        assert_eq!(refused.status, 400, "{}", refused.text);
        assert!(refused.refused().1.contains("begin a new game"), "{}", refused.text);
    }
    for id in ["0".repeat(32), id.to_uppercase() + "0", String::new()] {
        let refused = ask(&client, ("id", &id));
        assert_eq!(refused.status, 404, "{}", refused.text);
        assert!(refused.refused().1.contains("begin a new game"), "{}", refused.text);
    }
    // A rival does not change its mind either.
    fs::remove_file(client.folder.path().join(table::file_name(game)).with_extension("strat"))
        .unwrap();
    let done = client.job(json!({ "game": game, "kind": "equilibrium", "anew": true }));
    assert_eq!(done["state"], "done", "{done}");
    assert!(ask(&client, ("", "")).refused().1.contains("another strategy"));
    client.again();
    assert_eq!(ask(&client, ("", "")).status, 404);
}

/// Rivals who need no strategy play on boards that nobody can lay out.
#[test]
fn rivals_who_search_need_no_layout() {
    let client = Client::new();
    for (game, rival) in [
        ("dark-hex:4x4", "ismcts"),
        ("dark-hex:5x5,noisy", "mc"),
        ("dark-hex:4x4,abrupt", "pone"),
        ("phantom-tictactoe", "ismcts"),
        ("leduc", "ismcts"),
        ("dark-hex:8x8", "random"),
    ] {
        let (id, mut line) = (begun(&client, game), vec![]);
        loop {
            let now = seen(&client, game, "second", rival, &id, &line);
            assert_eq!(seen(&client, game, "second", rival, &id, &line), now, "asked for again");
            if now["over"] == true {
                let told = now["truth"]["line"].as_array().unwrap();
                let own = told.iter().filter(|step| step.as_str().unwrap().starts_with("second"));
                assert_eq!(own.count(), line.len());
                break;
            }
            assert_eq!((&now["truth"], &now["odds"]), (&json!(null), &json!(null)));
            let moves = now["moves"].as_array().unwrap();
            line.push(moves[7 * line.len() % moves.len()].as_str().unwrap().into());
        }
        // A strategy is missing before anything is laid out.
        let began = std::time::Instant::now();
        let id = begun(&client, "dark-hex:5x5");
        let asked = [("game", "dark-hex:5x5"), ("seat", "first"), ("id", &id)];
        for more in [[("rival", "strategy"), ("odds", "0")], [("rival", "random"), ("odds", "1")]] {
            let refused = client.get("/api/dark", &[&asked[..], &more].concat());
            assert_eq!(refused.status, 409, "{}", refused.text);
            assert_eq!(refused.json()["needs"], "equilibrium");
        }
        assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
    }
}

/// How much a rival searches is bounded, and one of the sides.
#[test]
fn a_rival_searches_as_much_as_was_said_at_first() {
    let client = Client::new();
    let id = begun(&client, "dark-hex:3x3");
    let ask = |rival: &str, iterations: &str| {
        let asked = [("game", "dark-hex:3x3"), ("seat", "second"), ("rival", rival), ("id", &id)];
        client.get("/api/dark", &[&asked[..], &[("iterations", iterations)]].concat())
    };
    for (rival, iterations, status, said) in [
        ("ismcts", "0", 413, "from 1 to 20000"),
        ("mc", "20001", 413, "from 1 to 20000"),
        ("ismcts", "many", 400, "is no number"),
        ("random", "10", 400, "iterations are for rivals who search"),
    ] {
        let refused = ask(rival, iterations);
        assert_eq!(refused.status, status, "{}", refused.text);
        assert!(refused.refused().1.contains(said), "{}", refused.text);
    }
    assert_eq!(ask("ismcts", "300").status, 200);
    for (rival, iterations) in [("ismcts", "301"), ("mc", "300")] {
        let refused = ask(rival, iterations);
        assert!(refused.refused().1.contains("begin a new game"), "{}", refused.text);
    }
    assert_eq!(ask("ismcts", "300").status, 200);
}

/// The same view must be the same answer, whatever the rival has done: played many times, answers differ
/// only where something was heard.
#[test]
fn nothing_hidden_is_in_an_answer() {
    let client = Client::new();
    for (game, rival) in [
        ("dark-hex:2x3", "random"),
        ("dark-hex:2x2,abrupt,noisy", "random"),
        ("phantom-tictactoe:abrupt", "random"),
        ("dark-hex:3x3", "ismcts"),
    ] {
        let mut views: std::collections::HashMap<String, (String, String)> = Default::default();
        let mut truths = std::collections::HashSet::new();
        for _ in 0..20 {
            let (id, mut line) = (begun(&client, game), vec![]);
            loop {
                let mut now = seen(&client, game, "second", rival, &id, &line);
                if now["over"] == true {
                    truths.insert(now["truth"]["line"].to_string());
                    break;
                }
                let text = now.to_string();
                assert!(!text.contains("first:"), "{text}");
                let view = format!("{} {}", now["line"], now["heard"]);
                now["drawing"].take();
                let known = views.entry(view).or_insert_with(|| (text.clone(), id.clone()));
                assert_eq!(known.0, text, "{game}: games {} and {id}", known.1);
                let moves = now["moves"].as_array().unwrap();
                line.push(moves[line.len() % moves.len()].as_str().unwrap().into());
            }
        }
        assert!(truths.len() > 3, "{game}: the rival does always the same");
    }
}

/// The time that a view takes depends a little on what is hidden. Asked for again and again it would tell; so it takes
/// whole ticks of a clock.
#[test]
fn what_is_asked_for_again_takes_its_time() {
    let client = Client::new();
    let game = "dark-hex:2x3";
    let id = begun(&client, game);
    seen(&client, game, "second", "random", &id, &[]);
    let asked = std::time::Instant::now();
    for _ in 0..20 {
        seen(&client, game, "second", "random", &id, &[]);
        let line = [("line", "nonsense"), ("game", game), ("seat", "second"), ("rival", "random")];
        let answer = client.get("/api/dark", &[&line[..], &[("id", &*id)]].concat());
        assert_eq!(answer.status, 400, "{}", answer.text);
    }
    assert!(asked.elapsed() >= std::time::Duration::from_millis(80), "{:?}", asked.elapsed());
}

/// Where a strategy is soon found that is told, and what is larger is not laid out for long to find out.
#[test]
fn what_is_soon_found_is_told_at_once() {
    let client = Client::new();
    let plan = |game| client.get("/api/game", &[("game", game)]).json()["plan"].clone();
    for game in ["kuhn", "leduc", "dark-hex:3x2,abrupt"] {
        assert_eq!(plan(game)["quick"], true, "{game}");
    }
    let began = std::time::Instant::now();
    for game in ["dark-hex:3x3", "dark-hex:4x4", "dark-hex:5x5", "phantom-tictactoe"] {
        assert_eq!(plan(game), Value::Null, "{game}");
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
}
