//! Many readers at once on the explorer, held to its floors; the figures are kept in `records/serve.md`.
//!
//! The readers share the machine's cores with the server that they ask.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::bench::{crabwise, machine, program};

const READERS: usize = 200;
const WHILE: Duration = Duration::from_secs(8);
/// Answers a second, and milliseconds within which 99 of 100 come.
const FLOOR: (f64, f64) = (2_000.0, 100.0);
const GAMES: [&str; 3] = ["isolation:4x4", "black-hole:5,3", "connect-four:5x4"];
/// Positions that are asked for, by random lines of play, which need not end by themselves.
const LINES: usize = 2_000;
const LONGEST: usize = 80;

/// Asks for positions of each game and writes down how fast they came; gives back what is too slow.
pub(super) fn run(root: &Path, tables: &Path) -> Result<Vec<String>, String> {
    let mut page = format!(
        "# The explorer under load\n\n\
         Written by `cargo xtask bench`, or `cargo xtask bench serve`: {READERS} readers for {} seconds on {},\n\
         which the server shares with them. Each asks for one position after another, with its moves and their\n\
         values, among {LINES} met in random play of at most {LONGEST} moves. 'Busy' is the same while a large game is being solved.\n\n\
         | game | | answers a second | median ms | 99th percentile ms | slowest ms |\n|---|---|---|---|---|---|\n",
        WHILE.as_secs(),
        machine()
    );
    let mut trouble = vec![];
    for game in GAMES {
        crabwise(root, tables, &["solve", game])?;
        let served = Served::new(root, tables)?;
        let lines = lines(&served.address, game)?;
        for busy in [false, true] {
            if busy {
                let wish = "{\"game\":\"connect-four:6x5\",\"kind\":\"solve\"}";
                ask(&served.address, "POST", "/api/jobs", wish)?;
            }
            let mut times = load(&served.address, game, &lines)?;
            times.sort();
            let at =
                |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
            let rate = times.len() as f64 / WHILE.as_secs_f64();
            let (late, name) = (at(0.99), if busy { "busy" } else { "" });
            let row = format!(
                "| {game} | {name} | {rate:.0} | {:.1} | {late:.1} | {:.1} |",
                at(0.5),
                at(1.0)
            );
            println!("{row}");
            page += &(row + "\n");
            if !busy && (rate < FLOOR.0 || late > FLOOR.1) {
                trouble.push(format!("{game}: {rate:.0} answers a second, {late:.0} ms late"));
            }
        }
    }
    fs::write(root.join("records/serve.md"), page).map_err(|error| error.to_string())?;
    Ok(trouble)
}

/// A server that stops with its owner.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(root: &Path, tables: &Path) -> Result<Served, String> {
        let mut child = Command::new(program(root))
            .args(["serve", "--port", "0", "--json", "--tables"])
            .arg(tables)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no standard output")?;
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        let told: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let address = told["address"].as_str().unwrap_or_default();
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_string();
        Ok(Served { child, address })
    }
}

/// A request of its own.
fn ask(address: &str, method: &str, path: &str, body: &str) -> Result<Value, String> {
    let mut stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .map_err(|error| error.to_string())?;
    let mut text = String::new();
    stream.read_to_string(&mut text).map_err(|error| error.to_string())?;
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).map_err(|error| format!("{error}: {text}"))
}

/// Random play, by always the same numbers; each line asks for a position of its own.
fn lines(address: &str, game: &str) -> Result<Vec<String>, String> {
    let (mut lines, mut line, mut seed) = (vec![], String::new(), 1_u64);
    while lines.len() < LINES {
        let position = ask(address, "GET", &path(game, &line), "")?;
        lines.push(line.clone());
        let moves = position["moves"].as_array().map_or(&[][..], |moves| moves);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let ended = moves.is_empty() || line.split(' ').count() >= LONGEST;
        line = match ended {
            true => String::new(),
            false => {
                let one = &moves[(seed >> 33) as usize % moves.len()]["move"];
                format!("{line} {}", one.as_str().unwrap_or_default()).trim().to_string()
            }
        };
    }
    Ok(lines)
}

fn path(game: &str, line: &str) -> String {
    format!("/api/position?game={game}&line={}", line.replace(' ', "%20").replace('+', "%2B"))
}

/// All readers at once; how long each answer took.
fn load(address: &str, game: &str, lines: &[String]) -> Result<Vec<Duration>, String> {
    let until = Instant::now() + WHILE;
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|reader| scope.spawn(move || read(address, game, lines, reader * 7, until)))
            .collect();
        let mut all = vec![];
        for reader in readers {
            all.extend(reader.join().map_err(|_| "a reader failed")?.map_err(|e| e.to_string())?);
        }
        Ok(all)
    })
}

/// One reader, on one connection.
fn read(
    address: &str,
    game: &str,
    lines: &[String],
    from: usize,
    until: Instant,
) -> std::io::Result<Vec<Duration>> {
    let mut stream = BufReader::new(TcpStream::connect(address)?);
    let (mut times, mut body) = (vec![], vec![]);
    for line in lines.iter().cycle().skip(from) {
        let began = Instant::now();
        if began >= until {
            break;
        }
        let request = format!("GET {} HTTP/1.1\r\nHost: {address}\r\n\r\n", path(game, line));
        stream.get_mut().write_all(request.as_bytes())?;
        let mut length = 0;
        let mut head = String::new();
        while {
            head.clear();
            stream.read_line(&mut head)? > 2
        } {
            if let Some(told) = head.to_ascii_lowercase().strip_prefix("content-length:") {
                length = told.trim().parse().unwrap_or(0);
            }
        }
        body.resize(length, 0);
        stream.read_exact(&mut body)?;
        // A refusal would be quick, and is no answer.
        if !body.starts_with(b"{\"game\"") {
            return Err(std::io::Error::other(String::from_utf8_lossy(&body).into_owned()));
        }
        times.push(began.elapsed());
    }
    Ok(times)
}
