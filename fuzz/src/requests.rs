//! Requests to the server: made up, damaged, cut short, and lying about themselves.

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    thread,
    time::Duration,
};

use arbitrary::{Arbitrary, Result, Unstructured};
use crabwise_games::Registry;
use crabwise_session::Session;
use crabwise_store::Place;
use crabwise_web::{Config, Server};
use tempfile::TempDir;

use crate::{Attack, Attacker, Outcome, game_strings::known, texts};

pub const ATTACK: Attack = Attack {
    name: "requests",
    about: "requests: an answer that is no fault of the server and tells nothing of its files",
    begin: || Box::new(Requests::new()),
};

struct Requests {
    /// Where tables are: its path must not be told.
    folder: TempDir,
    address: SocketAddr,
    games: Vec<String>,
    words: Vec<String>,
}

const PATHS: &[&str] = &[
    "/",
    "/index.html",
    "/app.js",
    "/theme.css",
    "/api/games",
    "/api/game",
    "/api/gallery",
    "/api/boards",
    "/api/jobs",
    "/api/jobs/1",
    "/api/jobs/1/events",
    "/api/position",
    "/api/perfect",
    "/api/reply",
    "/api/history",
    "/api/tree",
    "/api/find",
    "/api/stats",
    "/api/graph",
    "/api/export",
    "/api/dark",
    "/api/openapi.json",
    "/metrics",
    "/api/",
    "/../../etc/passwd",
    "/api/jobs/../position",
];

const NAMES: &[&str] = &[
    "game", "line", "moves", "most", "player", "seed", "plies", "seat", "rival", "id", "odds",
    "format", "draws", "at", "n", "page", "from", "to", "key", "value",
];

const WORDS: &[&str] = &[
    "a1",
    "b2",
    "c3",
    "first",
    "second",
    "random",
    "perfect",
    "strategy",
    "csv",
    "json",
    "svg",
    "dot",
    "1",
    "0",
    "-1",
    "3",
    "10000000000",
    "bet",
    "pass",
    "true",
    "",
    "start",
    "1-2-3",
    "traps",
    "density",
    "depth",
];

const HEADERS: &[&str] = &[
    "Origin: http://evil.example",
    "Origin: null",
    "Host: evil.example",
    "Host: [::1]evil",
    "Host:",
    "Content-Type: text/plain",
    "Content-Type: application/json",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999",
    "Transfer-Encoding: chunked",
    "Range: bytes=0-1",
    "If-None-Match: *",
    "Accept-Encoding: gzip",
    "Expect: 100-continue",
    "Upgrade: websocket",
    "Connection: keep-alive",
    "X-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "no colon",
];

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Method {
    Get,
    Post,
    Delete,
    Put,
    Head,
    Options,
    Odd,
}

impl Requests {
    fn new() -> Requests {
        let (folder, registry) =
            (tempfile::tempdir().expect("there is a folder"), Registry::standard());
        let place = Place::directory(folder.path().join("kept-apart"));
        let games = known(&registry);
        let config = Config {
            host: [127, 0, 0, 1].into(),
            port: 0,
            session: Session::new(registry, place, 64 << 20),
            program: "crabwise".into(),
        };
        let server = Server::bind(config).expect("a port is free");
        let address = server.address().expect("it has one");
        thread::spawn(move || server.run());
        Requests { folder, address, games, words: WORDS.iter().map(|&word| word.into()).collect() }
    }

    /// The bytes of a request, and whether they are one as the standard has it.
    fn request(&self, chance: &mut Unstructured) -> Result<(Vec<u8>, bool)> {
        let method = match chance.arbitrary::<Method>()? {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
            Method::Put => "PUT",
            Method::Head => "HEAD",
            Method::Options => "OPTIONS",
            Method::Odd => "BREW",
        };
        let mut address = String::from(*chance.choose(PATHS)?);
        for n in 0..chance.int_in_range(0..=4)? {
            let name = *chance.choose(NAMES)?;
            let value = match name {
                "game" => texts::nearly(chance, &self.games, &[])?,
                _ => texts::nearly(chance, &self.words, WORDS)?,
            };
            address += &format!("{}{name}={}", if n == 0 { '?' } else { '&' }, encoded(&value));
        }
        let body = self.body(chance)?;
        let mut text = format!("{method} {address} HTTP/1.1\r\nConnection: close\r\n");
        let lies = chance.ratio(1, 3)?;
        if lies {
            for _ in 0..chance.int_in_range(1..=3)? {
                text += &format!("{}\r\n", chance.choose(HEADERS)?);
            }
        } else {
            text += &format!("Host: {}\r\nContent-Type: application/json\r\n", self.address);
        }
        text += &format!("Content-Length: {}\r\n\r\n", body.len());
        let bytes = [text.as_bytes(), &body].concat();
        Ok(match chance.ratio(1, 8)? {
            true => (texts::damaged(chance, &bytes, 3)?, false),
            false => (bytes, !lies),
        })
    }

    /// An object as some address takes it, or something near it.
    fn body(&self, chance: &mut Unstructured) -> Result<Vec<u8>> {
        let game = texts::nearly(chance, &self.games, &[])?;
        let kind = *chance.choose(&["solve", "label", "verify", "equilibrium", "stats", "x"])?;
        let text = match chance.int_in_range(0..=5)? {
            0 => String::new(),
            1 => format!("{{\"game\": {game:?}, \"kind\": \"verify\"}}"),
            2 => format!("{{\"game\": {game:?}}}"),
            3 => format!(
                "{{\"family\": \"cycles\", \"format\": \"dot\", \"text\": \"graph{{{}}}\"}}",
                "a--b;".repeat(chance.int_in_range(0..=5000)?)
            ),
            4 => "[".repeat(chance.int_in_range(1..=50_000)?),
            _ => format!("{{\"kind\": \"{kind}\", \"kind\": 3, \"game\": null}}"),
        };
        Ok(text.into_bytes())
    }

    /// What the server says before it closes.
    fn answer(&self, request: &[u8], whole: bool) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(8)))?;
        // It may refuse what it has not read to the end.
        let _ = stream.write_all(request);
        if !whole {
            // Else the server would wait for the rest.
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = vec![];
        let mut part = [0; 1 << 16];
        // A stream of events has no end; what it begins with is enough.
        while answer.len() < 1 << 20 {
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(n) => answer.extend(&part[..n]),
                Err(error) if answer.is_empty() => return Err(error),
                Err(_) => break,
            }
            if answer.windows(17).any(|bytes| bytes == b"text/event-stream") {
                break;
            }
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Attacker for Requests {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let (request, sound) = self.request(chance)?;
        *tried = String::from_utf8_lossy(&request).chars().take(3000).collect();
        let answer = match self.answer(&request, sound) {
            Ok(answer) => answer,
            Err(error) if sound => return Ok(Err(format!("no answer: {error}"))),
            // Closed, which is an answer to what is no request.
            Err(_) => return Ok(Ok(())),
        };
        let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
        let folder = self.folder.path().display().to_string();
        Ok(match status {
            None if sound => Err(format!("no status: {answer:?}")),
            // Another time it might do it: there is too much to do, or it would take too long.
            Some(status) if status.starts_with('5') && !["501", "503", "507"].contains(&status) => {
                Err(answer)
            }
            _ if answer.contains(&folder) => Err(format!("its folder is told: {answer}")),
            _ => Ok(()),
        })
    }
}
