//! What the server does not do.

use serde_json::json;

use crate::client::{Client, url};

#[test]
fn bad_requests_get_one_clear_sentence() {
    let client = Client::new();
    let long = "x".repeat(400);
    for (path, asked, status, said) in [
        ("/api/position", vec![("game", "isolatoin:4x4")], 404, "did you mean 'isolation'?"),
        ("/api/position", vec![("game", "isolation:9x9")], 400, "not 2 to 64"),
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
        ("/api/jobs/%ff", vec![], 400, "UTF-8"),
        ("/api/jobs/%ff/events", vec![], 400, "UTF-8"),
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
    assert_eq!(client.post("/api/boards", &middling).status, 413);
    let plain = "POST /api/jobs HTTP/1.1\r\nContent-Type: text/plain";
    let answer = client.send(plain, &json!({ "game": "tictactoe", "kind": "solve" }).to_string());
    assert_eq!(answer.status, 400, "{}", answer.text);
    for path in ["/api/games", "/", "/app.js", "/nowhere", "/api/nowhere"] {
        let answer = client.send(&format!("PUT {path} HTTP/1.1"), "");
        assert!([404, 405].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.refused().1.is_empty(), "{path}: {}", answer.text);
    }
    let line = "x".repeat(63_000);
    let answer = client.get("/api/position", &[("game", "tictactoe"), ("line", &line)]);
    assert_eq!(answer.status, 413, "{}", answer.text);
    assert!(answer.text.len() < 200, "{}", answer.text);
    let answer = client.send(&format!("GET /api/games?{} HTTP/1.1", "x".repeat(70_000)), "");
    assert_eq!(answer.status, 414);
    let moves = "a1 ".repeat(3_000);
    let line = [("game", "tictactoe"), ("line", moves.as_str())];
    assert_eq!(client.get("/api/position", &line).status, 413);
}

/// What was sent is quoted in one plain line, and no line names a folder of the server.
#[test]
fn errors_are_plain_and_tell_no_places() {
    let client = Client::new();
    let nasty = "\u{1b}[31mred\u{7}\r\nnext\u{202e}";
    for asked in [
        vec![("game", nasty)],
        vec![("game", "tictactoe"), ("line", nasty)],
        vec![("game", "tictactoe"), ("labels", nasty)],
        vec![("game", nasty), ("file", nasty)],
    ] {
        let answer = client.get("/api/position", &asked);
        assert!(answer.status >= 400, "{}", answer.text);
        let line = answer.refused().1;
        let steers = |c: char| c.is_control() || c == '\u{202e}';
        // A word of a line ends at white space, so that less of it is quoted.
        assert!(!line.contains(steers) && !answer.text.contains(steers), "{}", answer.text);
    }
    let folder = client.folder.path().to_str().unwrap().to_string();
    client.solve("tictactoe");
    let table = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let table = table.into_iter().find(|path| path.to_str().unwrap().ends_with(".crab")).unwrap();
    std::fs::write(&table, "no table").unwrap();
    let answer = client.get("/api/position", &[("game", "tictactoe")]);
    assert_eq!(answer.refused().0, "bad-table", "{}", answer.text);
    assert!(!answer.text.contains(&folder), "{}", answer.text);
    let failed = client.job(json!({ "game": "tictactoe", "kind": "stats" }));
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(!failed.to_string().contains(&folder), "{failed}");
}

/// Pages from elsewhere that make a browser ask are refused, however they call the server.
#[test]
fn foreign_pages_are_refused() {
    let client = Client::new();
    let host = client.address;
    let json = "Content-Type: application/json";
    let wish = r#"{"game": "tictactoe", "kind": "solve"}"#;
    for (head, status) in [
        (format!("POST /api/jobs HTTP/1.1\r\n{json}\r\nOrigin: http://{host}"), 202),
        (
            format!(
                "POST /api/jobs HTTP/1.1\r\n{json}\r\nOrigin: https://proxy.example\r\n\
                 Sec-Fetch-Site: same-origin"
            ),
            202,
        ),
        (format!("POST /api/jobs HTTP/1.1\r\n{json}\r\nOrigin: http://evil.example"), 403),
        (format!("POST /api/jobs HTTP/1.1\r\n{json}\r\nOrigin: http://{host}.evil"), 403),
        (format!("POST /api/jobs HTTP/1.1\r\n{json}\r\nOrigin: null"), 403),
        (format!("POST /api/jobs HTTP/1.1\r\n{json}\r\nSec-Fetch-Site: cross-site"), 403),
        ("GET /api/games HTTP/1.1\r\nHost: [::1]evil".into(), 403),
        ("GET /api/games HTTP/1.1\r\nHost: localhost:80@evil".into(), 403),
        ("GET /api/games HTTP/1.1\r\nHost: localhost\r\nHost: evil.example".into(), 403),
        ("GET http://evil.example/api/games HTTP/1.1\r\nHost: localhost".into(), 403),
        ("GET /api/games HTTP/1.1\r\nHost: [::1]:7777".into(), 200),
    ] {
        let answer = client.send(&head, if head.starts_with("POST") { wish } else { "" });
        assert_eq!(answer.status, status, "{head}: {}", answer.text);
    }
}

/// A short text may mean a large graph; many of them at once must not bring the server down.
#[test]
fn boards_are_bounded_by_what_they_mean() {
    let client = Client::new();
    let names = |from: u32| (from..from + 2_700).map(|n| format!("{n:x} ")).collect::<String>();
    let text = format!("digraph{{{{{}}}->{{{}}}}}", names(0), names(4_096));
    assert!(text.len() < 32 << 10);
    let ask = || {
        for family in ["graph", "cycles"] {
            let body = json!({ "family": family, "format": "dot", "text": text });
            let answer = client.post("/api/boards", &body);
            assert!([400, 413, 429].contains(&answer.status), "{}", answer.text);
        }
    };
    std::thread::scope(|scope| (0..32).for_each(|_| drop(scope.spawn(ask))));
    let few = json!({ "family": "graph", "format": "dot", "text": "digraph { a -> {b c} }" });
    assert_eq!(client.post("/api/boards", &few).status, 400, "keys end in the letter of a side");
    let few = json!({ "family": "graph", "format": "dot", "text": "digraph { 1A -> {2B 3B} }" });
    assert_eq!(client.post("/api/boards", &few).status, 200);
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
