//! Work that takes long.

use std::{fs, thread, time::Duration};

use crabwise::watch::Unwatched;
use crabwise_games::Registry;
use crabwise_hidden::{Judged, Strategy};
use serde_json::json;

use crate::client::Client;

#[test]
fn a_job_is_told_of_to_its_end() {
    let client = Client::new();
    let begun =
        client.post("/api/jobs", &json!({ "game": "isolation:4x4", "kind": "solve" })).json();
    let id = begun["id"].as_str().unwrap();
    let events = client.events(id);
    let last = events.last().unwrap();
    assert_eq!((&last["state"], &last["plan"]["solver"]), (&json!("done"), &json!("kernel")));
    assert_eq!(client.get(&format!("/api/jobs/{id}"), &[]).json()["state"], "done");
    assert_eq!(client.get("/api/jobs", &[]).json()["jobs"].as_array().unwrap().len(), 1);
    let counted = client.get("/api/stats", &[("game", "isolation:4x4")]);
    assert_eq!((counted.status, counted.json()["needs"].as_str()), (409, Some("stats")));
    let done = client.job(json!({ "game": "isolation:4x4", "kind": "stats" }));
    assert_eq!(done["state"], "done", "{done}");
    let stats = client.get("/api/stats", &[("game", "isolation:4x4")]).json();
    assert_eq!(stats["positions"], 3_617_229);
    assert_eq!(stats["start"]["outcome"], "win");
}

#[test]
fn a_large_game_is_cancelled_and_look_ups_go_on_meanwhile() {
    let client = Client::new();
    client.solve("tictactoe");
    let large = json!({ "game": "connect-four:6x5", "kind": "solve" });
    let begun = client.post("/api/jobs", &large).json();
    let id = begun["id"].as_str().unwrap();
    // A second request for it joins it.
    assert_eq!(client.post("/api/jobs", &large).json()["id"], id);
    thread::sleep(Duration::from_millis(300));
    for _ in 0..20 {
        assert_eq!(client.position("tictactoe", "b2")["solved"], true);
    }
    let about = client.get("/api/game", &[("game", "connect-four:6x5")]).json();
    assert_eq!((&about["job"]["id"], &about["solved"]), (&json!(id), &json!(false)));
    // A short job need not wait for a long one.
    let short = json!({ "game": "nim:1-2", "kind": "solve", "modest": true });
    assert_eq!(client.job(short)["state"], "done");
    let answer = client.send(&format!("DELETE /api/jobs/{id} HTTP/1.1"), "");
    assert_eq!(answer.status, 200);
    assert_eq!(client.events(id).last().unwrap()["state"], "cancelled");
}

#[test]
fn a_modest_job_gives_up_on_a_large_game() {
    let client = Client::new();
    let wish = json!({ "game": "connect-four:7x6", "kind": "solve", "modest": true });
    assert_eq!(client.job(wish)["state"], "too-large");
    let wish = json!({ "game": "isolation:5x6", "kind": "solve", "modest": true });
    assert_eq!(client.job(wish)["state"], "too-large");
    let about = client.get("/api/game", &[("game", "isolation:5x6")]).json();
    assert_eq!((&about["plan"]["fits"], &about["plan"]["quick"]), (&json!(false), &json!(false)));
    let wish = json!({ "game": "isolation:5x6", "kind": "solve" });
    let failed = client.job(wish);
    assert_eq!(failed["state"], "failed");
    assert!(failed["error"].as_str().unwrap().contains("GiB"), "{failed}");
}

#[test]
fn a_table_that_goes_or_goes_bad_is_told_and_no_value_is_wrong() {
    let client = Client::new();
    client.solve("isolation:3x4");
    let game = [("game", "isolation:3x4")];
    assert_eq!(client.position("isolation:3x4", "")["solved"], true);
    let table = fs::read_dir(client.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ending| ending == "crab"))
        .unwrap();
    let whole = fs::read(&table).unwrap();
    fs::remove_file(&table).unwrap();
    let gone = client.get("/api/position", &game);
    assert_eq!((gone.status, gone.refused().0.as_str()), (500, "bad-table"));
    assert!(gone.refused().1.contains("is gone"), "{}", gone.text);
    assert_eq!(client.position("isolation:3x4", "")["solved"], false);
    // Flipped anywhere, a bit is noticed before a value is told, or is nowhere near what was asked for.
    let truth = {
        fs::write(&table, &whole).unwrap();
        client.position("isolation:3x4", "")
    };
    let mut refused = 0;
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bad = whole.clone();
        bad[place] ^= 4;
        fs::write(&table, &bad).unwrap();
        let answer = client.get("/api/position", &game);
        match answer.status {
            200 if answer.json()["solved"] == true => {
                assert_eq!(answer.json()["moves"], truth["moves"], "{place}");
            }
            200 => {}
            _ => refused += 1,
        }
    }
    assert!(refused > 0, "no damage was near what was asked for");
    let again = client.job(json!({ "game": "isolation:3x4", "kind": "solve", "anew": true }));
    assert_eq!(again["state"], "done", "{again}");
    assert_eq!(client.position("isolation:3x4", "")["moves"], truth["moves"]);
}

/// Anybody who reaches the server may begin jobs: none of them does away with what took long to make.
#[test]
fn what_is_whole_is_not_thrown_away() {
    let client = Client::new();
    let anew = |game: &str, kind: &str| {
        let done = client.job(json!({ "game": game, "kind": kind, "anew": true }));
        assert_eq!(done["state"], "done", "{done}");
    };
    client.solve("connect-four:4x3");
    let table = client.folder.path().join("connect-four_4x3.crab");
    let made = fs::metadata(&table).unwrap().modified().unwrap();
    anew("connect-four:4x3", "solve");
    assert_eq!(fs::metadata(&table).unwrap().modified().unwrap(), made);
    let mut spoilt = fs::read(&table).unwrap();
    let middle = spoilt.len() / 2;
    spoilt[middle] ^= 1;
    fs::write(&table, &spoilt).unwrap();
    anew("connect-four:4x3", "solve");
    assert!(fs::read(&table).unwrap() != spoilt);
    // What was derived from it likewise.
    let traps = table.with_extension("traps");
    fs::write(&traps, "no traps").unwrap();
    anew("connect-four:4x3", "solve");
    assert!(!traps.exists());
    // Another's table under this name, and one that a killed run has left damaged.
    client.solve("connect-four:3x4");
    fs::copy(client.folder.path().join("connect-four_3x4.crab"), &table).unwrap();
    anew("connect-four:4x3", "solve");
    fs::rename(&table, table.with_extension("crab.part")).unwrap();
    anew("connect-four:4x3", "solve");
    assert_eq!(client.position("connect-four:4x3", "")["solved"], true);
}

/// Strategies that somebody let be found for long stay, if a job finds worse ones.
#[test]
fn better_strategies_are_kept() {
    let client = Client::new();
    let anew = json!({ "game": "leduc", "kind": "equilibrium", "anew": true });
    let found = |client: &Client| {
        let done = client.job(anew.clone());
        assert_eq!(done["state"], "done", "{done}");
        fs::read(client.folder.path().join("leduc.strat")).unwrap()
    };
    let first = found(&client);
    let game = Registry::standard().build_hidden("leduc").unwrap().game;
    let tree = game.explore(1 << 28, &Unwatched).unwrap().tree;
    let mut strategy = Strategy::read("leduc", &tree, &mut &first[..]).unwrap();
    (strategy.judged, strategy.iterations) = (Judged { value: 0.0, best: [0.0, 0.0] }, 7);
    let mut better = vec![];
    strategy.write(&tree, false, &mut better).unwrap();
    fs::write(client.folder.path().join("leduc.strat"), &better).unwrap();
    assert!(found(&client) == better);
    better.pop();
    fs::write(client.folder.path().join("leduc.strat"), &better).unwrap();
    assert!(found(&client).len() > 1_000, "what is damaged is made again");
}
