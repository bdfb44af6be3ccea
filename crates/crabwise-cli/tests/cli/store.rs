//! Tables in a real S3 server, which the tests start: `s3s-fs`, by its name or as `S3S_FS` says. It keeps
//! objects as files, and that is how they are damaged and counted here.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

/// Many tiers, seconds of work, and a table that is stored in pieces.
const GAME: &str = "connect-four:5x4";
const OBJECT: &str = "tables/connect-four_5x4.crab";
const SMALL: &str = "connect-four:4x3";

/// A server with a bucket `crab`, and a machine that uses it.
struct Server {
    folder: TempDir,
    port: u16,
    process: Child,
}

impl Server {
    fn start() -> Server {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("objects/crab")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = std::env::var("S3S_FS").unwrap_or("s3s-fs".into());
        let process = Command::new(&program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--access-key", "claw", "--secret-key", "shell"])
            .arg(folder.path().join("objects"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask store` installs it"));
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "{program} does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Server { folder, port, process }
    }

    fn object(&self, name: &str) -> PathBuf {
        self.folder.path().join("objects/crab").join(name)
    }

    /// A command on a machine, of which there may be many.
    fn command(&self, machine: &str, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crabwise"));
        command
            .args(words)
            .env("CRABWISE_TABLES", "s3://crab/tables")
            .env("CRABWISE_CACHE", self.folder.path().join(machine))
            .env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", self.port))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", "claw")
            .env("AWS_SECRET_ACCESS_KEY", "shell");
        command
    }

    fn json(&self, machine: &str, words: &[&str]) -> Value {
        let output = self.command(machine, words).arg("--json").output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into()
}

/// One line, and soon.
fn fails(command: &mut Command, said_so: &str) {
    let began = Instant::now();
    let output = command.output().unwrap();
    let line = said(&output);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains(said_so), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
}

/// The hash of a table in a directory.
fn hash_in_directory(game: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crabwise"));
    command.args(["solve", game, "--json", "--tables"]).arg(folder.path());
    let output = command.output().unwrap();
    let solved: Value = serde_json::from_slice(&output.stdout).unwrap();
    solved["table_hash"].clone()
}

#[test]
fn what_one_machine_solves_another_looks_up() {
    let server = Server::start();
    let solved = server.json("one", &["solve", SMALL]);
    assert_eq!(solved["table"], "s3://crab/tables/connect-four_4x3.crab");
    assert_eq!(solved["table_hash"], hash_in_directory(SMALL));
    let looked = server.json("two", &["look", SMALL]);
    assert_eq!(looked["value"], server.json("one", &["look", SMALL])["value"]);
    let copies = |machine: &str| {
        fs::read_dir(server.folder.path().join(machine).join("s3")).unwrap().count()
    };
    assert_eq!(copies("two"), 1);
    fs::remove_file(server.object("tables/connect-four_4x3.crab")).unwrap();
    fails(
        &mut server.command("two", &["look", SMALL]),
        "there is no table of 'connect-four:4x3' under s3://crab/tables;",
    );
}

#[test]
fn a_killed_run_goes_on_on_another_machine() {
    let server = Server::start();
    let journal = server.object(&format!("{OBJECT}.part/journal"));
    let mut child =
        server.command("one", &["solve", GAME, "--threads", "1", "--quiet"]).spawn().unwrap();
    while !journal.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it was over before it was stored");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!server.object(OBJECT).exists());
    fs::remove_dir_all(server.folder.path().join("one")).unwrap();
    let solved = server.json("two", &["solve", GAME]);
    assert!(solved["resumed_tiers"].as_u64().unwrap() > 0, "{solved}");
    assert_eq!(solved["table_hash"], hash_in_directory(GAME));
    assert!(!journal.exists());
    // A later run finds it done, and with --anew does it again.
    assert_eq!(server.json("one", &["solve", GAME])["table_hash"], solved["table_hash"]);
    assert_eq!(server.json("two", &["solve", GAME, "--anew"])["resumed_tiers"], 0);
}

#[test]
fn a_damaged_object_is_told_of() {
    let server = Server::start();
    server.json("one", &["solve", SMALL]);
    let object = server.object("tables/connect-four_4x3.crab");
    let mut bytes = fs::read(&object).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&object, bytes).unwrap();
    let address = "the table s3://crab/tables/connect-four_4x3.crab is damaged: ";
    for machine in ["two", "two"] {
        fails(&mut server.command(machine, &["look", SMALL]), address);
    }
    server.json("two", &["solve", SMALL, "--anew"]);
    server.json("two", &["look", SMALL]);
}

#[test]
fn traps_and_strategies_are_stored_too() {
    let server = Server::start();
    let counts = server.json("one", &["label", "achi:3", "-o", "/dev/null", "--format", "json"]);
    assert!(server.object("tables/achi_3.traps").exists(), "{counts}");
    server.json("two", &["look", "achi:3", "--draws", "z"]);
    server.json("one", &["equilibrium", "kuhn"]);
    server.json("two", &["exploit", "kuhn"]);
}

#[test]
fn the_page_uses_the_store() {
    let server = Server::start();
    server.json("one", &["solve", SMALL]);
    let mut command = server.command("two", &["serve", "--port", "0", "--json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    let address = told["address"].as_str().unwrap();
    let address = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET /api/position?game={SMALL} HTTP/1.1");
    write!(stream, "{request}\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let position: Value = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(position["value"], server.json("one", &["look", SMALL])["value"], "{text}");
}

#[test]
fn what_cannot_be_reached_is_told_in_a_line() {
    let server = Server::start();
    let solve = ["solve", SMALL];
    fails(
        server.command("one", &solve).env("CRABWISE_TABLES", "s3://lobster/tables"),
        "there is no bucket 'lobster' at http://127.0.0.1:",
    );
    fails(
        server.command("one", &solve).env("AWS_SECRET_ACCESS_KEY", "wrong"),
        "refuses the credentials",
    );
    fails(
        server.command("one", &solve).env_remove("AWS_ACCESS_KEY_ID"),
        "no credentials; set AWS_ACCESS_KEY_ID",
    );
    fails(
        server.command("one", &solve).env("AWS_ENDPOINT_URL", "http://127.0.0.1:1"),
        "no answer from http://127.0.0.1:1: ",
    );
    fails(
        &mut server.command("one", &["look", SMALL, "--tables", "s3://"]),
        "s3:// needs a bucket",
    );
}

#[test]
fn a_server_that_goes_away_loses_nothing() {
    let mut server = Server::start();
    let journal = server.object(&format!("{OBJECT}.part/journal"));
    let mut command = server.command("one", &["solve", GAME, "--threads", "1", "--quiet"]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    while !journal.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.process.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let line = said(&output);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains(&format!("cannot store s3://crab/{OBJECT}")), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
