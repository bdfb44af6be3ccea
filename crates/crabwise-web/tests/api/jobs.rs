//! Work that takes long.

use std::{fs, thread, time::Duration};

use serde_json::json;

use crate::desk::Desk;

#[test]
fn a_job_is_told_of_to_its_end() {
    let desk = Desk::new();
    let begun = desk.post("/api/jobs", &json!({ "game": "isolation:4x4", "kind": "solve" })).json();
    let id = begun["id"].as_str().unwrap();
    let events = desk.events(id);
    let last = events.last().unwrap();
    assert_eq!((&last["state"], &last["plan"]["solver"]), (&json!("done"), &json!("kernel")));
    assert_eq!(desk.get(&format!("/api/jobs/{id}"), &[]).json()["state"], "done");
    assert_eq!(desk.get("/api/jobs", &[]).json()["jobs"].as_array().unwrap().len(), 1);
    let counted = desk.get("/api/stats", &[("game", "isolation:4x4")]);
    assert_eq!((counted.status, counted.json()["needs"].as_str()), (409, Some("stats")));
    let done = desk.job(json!({ "game": "isolation:4x4", "kind": "stats" }));
    assert_eq!(done["state"], "done", "{done}");
    let stats = desk.get("/api/stats", &[("game", "isolation:4x4")]).json();
    assert_eq!(stats["positions"], 3_617_229);
    assert_eq!(stats["start"]["outcome"], "win");
}

#[test]
fn a_large_game_is_cancelled_and_look_ups_go_on_meanwhile() {
    let desk = Desk::new();
    desk.solve("tictactoe");
    let large = json!({ "game": "connect-four:6x5", "kind": "solve" });
    let begun = desk.post("/api/jobs", &large).json();
    let id = begun["id"].as_str().unwrap();
    // Whoever asks for the same joins it.
    assert_eq!(desk.post("/api/jobs", &large).json()["id"], id);
    thread::sleep(Duration::from_millis(300));
    for _ in 0..20 {
        assert_eq!(desk.position("tictactoe", "b2")["solved"], true);
    }
    let about = desk.get("/api/game", &[("game", "connect-four:6x5")]).json();
    assert_eq!((&about["job"]["id"], &about["solved"]), (&json!(id), &json!(false)));
    // A short job need not wait for a long one.
    let short = json!({ "game": "nim:1-2", "kind": "solve", "modest": true });
    assert_eq!(desk.job(short)["state"], "done");
    let answer = desk.send(&format!("DELETE /api/jobs/{id} HTTP/1.1"), "");
    assert_eq!(answer.status, 200);
    assert_eq!(desk.events(id).last().unwrap()["state"], "cancelled");
}

#[test]
fn a_modest_job_gives_up_on_a_large_game() {
    let desk = Desk::new();
    let wish = json!({ "game": "connect-four:7x6", "kind": "solve", "modest": true });
    assert_eq!(desk.job(wish)["state"], "too-large");
    let wish = json!({ "game": "isolation:5x6", "kind": "solve", "modest": true });
    assert_eq!(desk.job(wish)["state"], "too-large");
    let about = desk.get("/api/game", &[("game", "isolation:5x6")]).json();
    assert_eq!((&about["plan"]["fits"], &about["plan"]["quick"]), (&json!(false), &json!(false)));
    let wish = json!({ "game": "isolation:5x6", "kind": "solve" });
    let failed = desk.job(wish);
    assert_eq!(failed["state"], "failed");
    assert!(failed["error"].as_str().unwrap().contains("GiB"), "{failed}");
}

#[test]
fn a_table_that_goes_or_goes_bad_is_told_and_no_value_is_wrong() {
    let desk = Desk::new();
    desk.solve("isolation:3x4");
    let game = [("game", "isolation:3x4")];
    assert_eq!(desk.position("isolation:3x4", "")["solved"], true);
    let table = fs::read_dir(desk.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ending| ending == "crab"))
        .unwrap();
    let whole = fs::read(&table).unwrap();
    fs::remove_file(&table).unwrap();
    let gone = desk.get("/api/position", &game);
    assert_eq!((gone.status, gone.refused().0.as_str()), (500, "bad-table"));
    assert!(gone.refused().1.contains("is gone"), "{}", gone.text);
    assert_eq!(desk.position("isolation:3x4", "")["solved"], false);
    // Flipped anywhere, a bit is noticed before a value is told, or is nowhere near what was asked for.
    let truth = {
        fs::write(&table, &whole).unwrap();
        desk.position("isolation:3x4", "")
    };
    let mut refused = 0;
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bad = whole.clone();
        bad[place] ^= 4;
        fs::write(&table, &bad).unwrap();
        let answer = desk.get("/api/position", &game);
        match answer.status {
            200 if answer.json()["solved"] == true => {
                assert_eq!(answer.json()["moves"], truth["moves"], "{place}");
            }
            200 => {}
            _ => refused += 1,
        }
    }
    assert!(refused > 0, "no damage was near what was asked for");
    let again = desk.job(json!({ "game": "isolation:3x4", "kind": "solve", "anew": true }));
    assert_eq!(again["state"], "done", "{again}");
    assert_eq!(desk.position("isolation:3x4", "")["moves"], truth["moves"]);
}
