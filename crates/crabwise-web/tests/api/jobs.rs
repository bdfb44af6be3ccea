//! Work that takes long.

use std::{fs, thread, time::Duration};

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
