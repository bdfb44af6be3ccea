//! What the server does not do.

use serde_json::json;

use crate::client::{Client, url};

#[test]
fn bad_requests_get_one_clear_sentence() {
    let client = Client::new();
    let long = "x".repeat(400);
    for (path, asked, status, said) in [
        ("/api/position", vec![("game", "isolatoin:4x4")], 404, "did you mean 'isolation'?"),
        ("/api/position", vec![("game", "isolation:9x9")], 400, "not 2 to 40"),
        ("/api/position", vec![("game", "tictactoe"), ("line", "z9")], 400, "legal: a1"),
        ("/api/position", vec![("game", long.as_str())], 413, "at most 300"),
        ("/api/position", vec![], 400, "game"),
        ("/api/position", vec![("game", "dark-hex:2x2")], 400, "hidden information"),
        ("/api/position", vec![("game", "graph:/etc/passwd")], 400, "files are not read here"),
        ("/api/position", vec![("game", "cycles:../../etc/passwd")], 400, "files are not read"),
        ("/api/reply", vec![("game", "tictactoe"), ("player", "clever")], 400, "clever"),
        ("/api/perfect", vec![("game", "tictactoe"), ("most", "x")], 400, "no number"),
        ("/api/nowhere", vec![], 404, "no such address"),
        ("/api/jobs/ffff", vec![], 404, "no such job"),
        ("/nowhere.js", vec![], 404, "no such page"),
        ("/../Cargo.toml", vec![], 404, "no such page"),
    ] {
        let answer = client.get(path, &asked);
        assert_eq!(answer.status, status, "{path} {asked:?}: {}", answer.text);
        assert!(answer.refused().1.contains(said), "{path} {asked:?}: {}", answer.text);
    }
    for (body, said) in [
        (json!({ "game": "tictactoe", "kind": "guess" }), "guess"),
        (json!({ "kind": "solve" }), "game"),
        (json!({ "game": "kuhn", "kind": "solve" }), "equilibrium"),
        (json!({ "game": "tictactoe", "kind": "equilibrium" }), "hidden information"),
    ] {
        let answer = client.post("/api/jobs", &body);
        assert_eq!(answer.status, 400, "{}", answer.text);
        assert!(answer.refused().1.contains(said), "{}", answer.text);
    }
}

#[test]
fn what_is_sent_is_bounded_and_must_be_json() {
    let client = Client::new();
    let large = json!({ "family": "cycles", "format": "json", "text": "x".repeat(80_000) });
    assert_eq!(client.post("/api/boards", &large).status, 413);
    let middling = json!({ "family": "cycles", "format": "json", "text": "x".repeat(40_000) });
    assert_eq!(client.post("/api/boards", &middling).status, 400);
    let plain = "POST /api/jobs HTTP/1.1\r\nContent-Type: text/plain";
    let answer = client.send(plain, &json!({ "game": "tictactoe", "kind": "solve" }).to_string());
    assert_eq!(answer.status, 400, "{}", answer.text);
    assert_eq!(client.send("PUT /api/games HTTP/1.1", "").status, 405);
    let moves = "a1 ".repeat(3_000);
    let line = [("game", "tictactoe"), ("line", moves.as_str())];
    assert_eq!(client.get("/api/position", &line).status, 413);
}

#[test]
fn only_this_machine_may_ask_and_pages_may_do_little() {
    let client = Client::new();
    let answer = client.send("GET /api/games HTTP/1.1\r\nHost: example.org", "");
    assert_eq!((answer.status, answer.refused().0.as_str()), (403, "forbidden"));
    for path in ["/", "/api/games", "/nowhere"] {
        let answer = client.send(&format!("GET {} HTTP/1.1", url(path, &[])), "");
        for header in
            ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"]
        {
            assert!(answer.head.contains(header), "{path}: {}", answer.head);
        }
    }
    let page = client.send("GET / HTTP/1.1", "");
    assert!(
        page.head.contains("text/html") && page.text.contains("<!doctype html>"),
        "{}",
        page.text
    );
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = client.send(&format!("GET / HTTP/1.1\r\nIf-None-Match: {tag}"), "");
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[test]
fn jobs_are_bounded() {
    let client = Client::new();
    let mut refused = 0;
    for columns in 8..=26 {
        let game = format!("connect-four:{columns}x2");
        let answer = client.post("/api/jobs", &json!({ "game": game, "kind": "solve" }));
        if answer.status == 429 {
            assert!(answer.refused().1.contains("jobs wait already"), "{}", answer.text);
            refused += 1;
        }
    }
    assert!(refused >= 2, "{refused}");
    for job in client.get("/api/jobs", &[]).json()["jobs"].as_array().unwrap() {
        let id = job["id"].as_str().unwrap();
        assert_eq!(client.send(&format!("DELETE /api/jobs/{id} HTTP/1.1"), "").status, 200);
    }
}
