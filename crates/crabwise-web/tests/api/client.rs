//! A server of its own for each test, asked over a real socket; every answer is held to `openapi.json`.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::LazyLock,
    thread,
    time::Duration,
};

use crabwise_games::Registry;
use crabwise_session::Session;
use crabwise_store::Place;
use crabwise_web::{Config, Server};
use serde_json::{Value, json};

pub struct Client {
    pub address: SocketAddr,
    pub folder: tempfile::TempDir,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The sentence of a refusal, and its word.
    pub fn refused(&self) -> (String, String) {
        let json = self.json();
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_string();
        (text("kind"), text("error"))
    }
}

impl Client {
    pub fn new() -> Client {
        let folder = tempfile::tempdir().unwrap();
        let address = serve(folder.path());
        Client { address, folder }
    }

    /// Another server over the same tables, as after a restart.
    pub fn again(&mut self) {
        self.address = serve(self.folder.path());
    }

    pub fn send(&self, head: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let host = if head.contains("\r\nHost:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        let length = body.len();
        write!(
            stream,
            "{head}\r\n{host}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut bytes = vec![];
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, rest) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let text = if chunked { unchunked(rest) } else { rest.into() };
        Answer { status, head: head.to_ascii_lowercase(), text }
    }

    /// Asks for an address with what stands behind the question mark.
    pub fn get(&self, path: &str, asked: &[(&str, &str)]) -> Answer {
        let answer = self.send(&format!("GET {} HTTP/1.1", url(path, asked)), "");
        conforms("get", path, &answer);
        answer
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let head = format!("POST {path} HTTP/1.1\r\nContent-Type: application/json");
        let answer = self.send(&head, &body.to_string());
        conforms("post", path, &answer);
        answer
    }

    pub fn position(&self, game: &str, line: &str) -> Value {
        let answer = self.get("/api/position", &[("game", game), ("line", line)]);
        assert_eq!(answer.status, 200, "{game} {line}: {}", answer.text);
        answer.json()
    }

    /// Does a job and waits for its end by its events.
    pub fn job(&self, job: Value) -> Value {
        let begun = self.post("/api/jobs", &job);
        assert_eq!(begun.status, 202, "{}", begun.text);
        self.events(begun.json()["id"].as_str().unwrap()).pop().unwrap()
    }

    /// All events of a job, up to its end.
    pub fn events(&self, id: &str) -> Vec<Value> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let host = self.address;
        write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut events = vec![];
        for line in BufReader::new(stream).lines() {
            if let Some(data) = line.unwrap().strip_prefix("data: ") {
                let event: Value = serde_json::from_str(data).unwrap();
                let state = event["state"].as_str().unwrap().to_string();
                holds(&event, &SPEC["components"]["schemas"]["Job"], "event");
                events.push(event);
                if state != "waiting" && state != "running" {
                    break;
                }
            }
        }
        events
    }

    pub fn solve(&self, game: &str) {
        let done = self.job(json!({ "game": game, "kind": "solve" }));
        assert_eq!(done["state"], "done", "{done}");
    }
}

fn serve(tables: &std::path::Path) -> SocketAddr {
    let config = Config {
        host: [127, 0, 0, 1].into(),
        port: 0,
        session: Session::new(Registry::standard(), Place::directory(tables.into()), 2 << 30),
        program: "crabwise".into(),
    };
    let server = Server::bind(config).unwrap();
    let address = server.address().unwrap();
    thread::spawn(move || server.run());
    address
}

pub fn url(path: &str, asked: &[(&str, &str)]) -> String {
    let asked = asked.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    let asked = asked.collect::<Vec<_>>().join("&");
    if asked.is_empty() { path.into() } else { format!("{path}?{asked}") }
}

fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => (byte as char).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

fn unchunked(mut rest: &str) -> String {
    let mut text = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        text += &after[..size];
        rest = &after[size + 2..];
    }
    text
}

/// The description, read once: every answer is held to it.
static SPEC: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../openapi.json")).unwrap());

/// Holds an answer to what the description says of the address.
fn conforms(method: &str, path: &str, answer: &Answer) {
    let found = SPEC["paths"].as_object().unwrap().iter().find(|(known, _)| {
        let (known, path) = (known.split('/'), path.split('/'));
        known.clone().count() == path.clone().count()
            && known.zip(path).all(|(known, word)| known == word || known.starts_with('{'))
    });
    let Some((_, address)) = found else { return };
    let responses = &address[method]["responses"];
    if responses.is_null() {
        return;
    }
    let response = match &responses[answer.status.to_string()] {
        Value::Null => &responses["default"],
        told => told,
    };
    let schema = &response["content"]["application/json"]["schema"];
    if !schema.is_null() {
        holds(&answer.json(), schema, path);
    }
}

/// Whether a value is as a schema says; of schemas, what the description uses.
fn holds(value: &Value, schema: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return holds(value, &SPEC["components"]["schemas"][name], &format!("{place} {name}"));
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choice = if value.is_null() { &choices[1] } else { &choices[0] };
        return holds(value, choice, place);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |name: &Value| name == kind || (name == "number" && kind == "integer");
    let kinds = &schema["type"];
    let right = kinds.as_array().map_or(is(kinds), |all| all.iter().any(is));
    assert!(right, "{place}: {value} is {kind}, not {kinds}");
    if let (Some(choices), true) = (schema["enum"].as_array(), kind == "string") {
        assert!(choices.contains(value), "{place}: {value} is none of {choices:?}");
    }
    if let Some(items) = value.as_array() {
        items.iter().for_each(|item| holds(item, &schema["items"], place));
    }
    if let (Some(object), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(object.contains_key(name.as_str().unwrap()), "{place}: no {name}");
        }
        for (name, value) in object {
            let schema = known.get(name).unwrap_or_else(|| panic!("{place}: {name} is not told"));
            holds(value, schema, &format!("{place}.{name}"));
        }
    }
}
