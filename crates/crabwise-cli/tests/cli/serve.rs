//! `crabwise serve`: the same answers over HTTP as on the command line.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdout},
};

use serde_json::Value;

use crate::sandbox::Sandbox;

/// A server that is stopped when the test is over.
struct Served {
    child: Child,
    address: String,
    _out: BufReader<ChildStdout>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(sandbox: &Sandbox) -> Served {
        let mut child = sandbox.command(&["serve", "--port", "0", "--json"]).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let address = told["address"].as_str().unwrap();
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_string();
        Served { child, address, _out: out }
    }

    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

#[test]
fn one_answer_on_the_command_line_and_over_http() {
    let games =
        ["isolation:3x4", "tictactoe", "nim:3-5-7", "achi:3", "black-hole:3,2", "cycles:k4"];
    let sandbox = Sandbox::with(&games);
    let served = Served::new(&sandbox);
    for game in games {
        let mut line: Vec<String> = vec![];
        for _ in 0..4 {
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let look = sandbox.json(&[&["look", game], &words[..]].concat());
            let path = format!("/api/position?game={game}&line={}", line.join("%20"));
            let position = served.get(&path);
            for name in
                ["game", "line", "picture", "notation", "mover", "over", "winner", "value", "moves"]
            {
                assert_eq!(look[name], position[name], "{game} {line:?}: {name}");
            }
            let moves = look["moves"].as_array().unwrap();
            let Some(last) = moves.last() else { break };
            line.push(last["move"].as_str().unwrap().into());
        }
    }
    let listed = sandbox.json(&["games"]);
    let count = |games: &Value| games["games"].as_array().unwrap().len();
    assert_eq!(count(&served.get("/api/games")), count(&listed));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let done = Sandbox::new().run(&["serve", "--port", &port]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains(&format!("cannot listen at 127.0.0.1:{port}")), "{}", done.err);
}
