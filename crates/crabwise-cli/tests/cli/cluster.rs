//! Many workers, in one process and in several: the table that one solver writes alone, or an error that
//! names who is gone.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use crate::sandbox::Sandbox;

fn hash(sandbox: &Sandbox, words: &[&str]) -> String {
    sandbox.json(words)["table_hash"].as_str().unwrap().to_string()
}

#[test]
fn any_number_of_processes_writes_the_same_table() {
    // Walked and numbered, with loops and without, folded, with a kernel, without distances.
    let games = [
        "tictactoe",
        "pong-hau-ki",
        "achi:3",
        "black-hole:3,2",
        "isolation:3x4",
        "mnk:4x3,3",
        "mnk:4x3,3,outcomes",
        "connect-four:4x3",
        "cycles:k4",
    ];
    for game in games {
        let wanted = hash(&Sandbox::new(), &["solve", game]);
        for team in [["--workers", "3"], ["--local-cluster", "2"], ["--local-cluster", "4"]] {
            let found = hash(&Sandbox::new(), &[&["solve", game], &team[..]].concat());
            assert_eq!(found, wanted, "{game} {}", team.join(" "));
        }
    }
}

#[test]
fn a_cluster_tells_what_it_exchanged_and_finds_what_is_done() {
    let sandbox = Sandbox::new();
    let solved =
        sandbox.json(&["solve", "black-hole:5,2", "--local-cluster", "2", "--workers", "2"]);
    assert_eq!(solved["team"]["workers"], 4);
    assert!(solved["team"]["exchanged_bytes"].as_u64().unwrap() > 1000);
    let again = sandbox.json(&["solve", "black-hole:5,2", "--local-cluster", "2"]);
    assert_eq!(again["table_hash"], solved["table_hash"]);
    assert!(again["plan"].is_null(), "it was solved again");
}

/// The processes that a local cluster has started, by number.
fn others(parent: u32) -> Vec<(usize, u32)> {
    let mut found = vec![];
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after = stat.rsplit_once(") ").map(|(_, rest)| rest.to_string()).unwrap_or_default();
        let of = after.split(' ').nth(1).and_then(|of| of.parse::<u32>().ok());
        let words = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        let mut words = words.split('\0').skip_while(|word| *word != "--process").skip(1);
        if let (true, Some(process)) = (of == Some(parent), words.next()) {
            found.push((process.parse().unwrap(), pid));
        }
    }
    found
}

fn kill(pid: u32) {
    // One that has ended meanwhile cannot be killed, and that is well.
    let _ = Command::new("kill").args(["-9", &pid.to_string()]).output();
}

/// Several tiers with loops.
const LOOPY: &str = "black-hole:5,2";
const KILLED: usize = 20;

#[cfg(target_os = "linux")]
#[test]
fn a_cluster_that_loses_a_process_goes_on_when_it_is_asked_again() {
    let seed = fastrand::u64(..1 << 32);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let alone = Sandbox::new();
    let began = Instant::now();
    let wanted = hash(&alone, &["solve", LOOPY, "--local-cluster", "4"]);
    let mut took = began.elapsed();
    let mut lost = 0;
    for run in 0..2 * KILLED {
        // Where the machine was busy at first, most runs end before they are killed.
        if run >= KILLED && lost > KILLED / 4 {
            break;
        }
        let sandbox = Sandbox::new();
        let words = ["solve", LOOPY, "--local-cluster", "4", "--quiet"];
        let (began, child) = (Instant::now(), sandbox.command(&words).spawn().unwrap());
        std::thread::sleep(took.mul_f64(random.f64()));
        let victim = random.usize(0..4);
        let pid = match victim {
            0 => Some(child.id()),
            _ => others(child.id()).into_iter().find(|(i, _)| *i == victim).map(|(_, pid)| pid),
        };
        pid.into_iter().for_each(kill);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        if let Some(code @ 1..) = output.status.code() {
            assert_eq!(code, 4, "run {run}: {err}");
            let named = format!("process {victim} on 127.0.0.1:");
            assert!(err.contains(&named) && err.lines().count() == 1, "run {run}: {err}");
            lost += 1;
        } else if output.status.success() {
            took = took.min(began.elapsed());
        }
        assert_eq!(hash(&sandbox, &words[..4]), wanted, "run {run}");
    }
    assert!(lost > KILLED / 4, "only {lost} runs were killed in time");
    assert_eq!(wanted, hash(&Sandbox::new(), &["solve", LOOPY]));
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let sandbox = Sandbox::new();
    let solve = |words: &[&str]| sandbox.run(&[&["solve", "tictactoe"], words].concat());
    let hosts = |text: &str| fs::write(sandbox.path("hosts"), text).unwrap();
    let file = |line: &str| format!("hosts: {line}");
    solve(&["--hosts", "none"])
        .fails(2, "cannot read none: No such file or directory (os error 2)");
    hosts("one\n");
    let line = "line 1: 'one' is no address; write host:port, such as node-1:2101";
    solve(&["--hosts", "hosts", "--process", "0"]).fails(2, &file(line));
    hosts("127.0.0.1:1\n127.0.0.1:1\n");
    let line = "line 2: '127.0.0.1:1' is process 0 already; each needs a port of its own";
    solve(&["--hosts", "hosts", "--process", "0"]).fails(2, &file(line));
    hosts("127.0.0.1:21011\n127.0.0.1:21012\n");
    solve(&["--hosts", "hosts", "--process", "2"])
        .fails(2, "there is no process 2 in hosts; it has 0 to 1");
    let told = solve(&["--hosts", "hosts", "--workers", "3"]).ok();
    assert_eq!(
        told,
        "127.0.0.1:21011  crabwise solve tictactoe --hosts hosts --process 0 --workers 3\n\
         127.0.0.1:21012  crabwise solve tictactoe --hosts hosts --process 1 --workers 3\n"
    );
    let alone = solve(&["--hosts", "hosts", "--process", "0", "--patience", "0", "--workers", "1"]);
    assert_eq!(alone.code, 4, "{}", alone.err);
    assert!(alone.err.contains("process 1 on 127.0.0.1:21012 did not show up"), "{}", alone.err);
    let game = |game| sandbox.run(&["solve", game, "--local-cluster", "2"]);
    assert_eq!(game("tictactow").code, 2);
}

#[test]
fn two_games_do_not_mix() {
    let sandbox = Sandbox::new();
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    fs::write(sandbox.path("hosts"), format!("{}\n{}\n", free(), free())).unwrap();
    let process = |game: &str, i: &str| {
        let words = ["solve", game, "--hosts", "hosts", "--process", i, "--workers", "1"];
        sandbox.command(&[&words[..], &["--patience", "20", "--quiet"]].concat()).spawn().unwrap()
    };
    let both = [process("achi:3", "0"), process("pong-hau-ki", "1")];
    for child in both {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{err}");
        assert!(err.contains("different games"), "{err}");
    }
}

/// Asks for how far a run is until it tells.
fn metrics(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    Some(text)
}

#[test]
fn how_far_a_run_is_can_be_asked_for() {
    let sandbox = Sandbox::new();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let words = ["solve", "black-hole:5,4", "--workers", "2", "--metrics", &address, "--quiet"];
    let mut child = sandbox.command(&words).spawn().unwrap();
    let mut seen = String::new();
    while child.try_wait().unwrap().is_none() {
        let told = metrics(&address).unwrap_or_default();
        if told.contains("crabwise_exchanged_bytes") && told.contains("crabwise_level") {
            seen = told;
            child.kill().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait().unwrap();
    for line in ["crabwise_workers{game=\"black-hole:5,4\"} 2", "# TYPE crabwise_tier gauge"] {
        assert!(seen.contains(line), "{line} is not in {seen}");
    }
}

/// Two places with a cable between them, as long as the test takes.
struct Places(String);

impl Places {
    fn run(words: &str) -> bool {
        let words: Vec<&str> = words.split(' ').collect();
        Command::new(words[0]).args(&words[1..]).output().is_ok_and(|done| done.status.success())
    }

    /// `None` where the machine does not allow it.
    fn new() -> Option<Places> {
        let name = format!("cw{}", std::process::id());
        let places = Places(name.clone());
        let all = [
            format!("ip netns add {name}a"),
            format!("ip netns add {name}b"),
            format!("ip link add {name}a netns {name}a type veth peer name {name}b netns {name}b"),
            format!("ip -n {name}a addr add 10.99.0.1/24 dev {name}a"),
            format!("ip -n {name}b addr add 10.99.0.2/24 dev {name}b"),
            format!("ip -n {name}a link set {name}a up"),
            format!("ip -n {name}b link set {name}b up"),
            format!("ip -n {name}a link set lo up"),
        ];
        all.iter().all(|words| Places::run(words)).then_some(places)
    }

    fn cable(&self, state: &str) {
        let name = &self.0;
        assert!(Places::run(&format!("ip -n {name}a link set {name}a {state}")));
    }

    fn spawn(&self, sandbox: &Sandbox, place: char, process: usize) -> Child {
        let mut inside = Command::new("ip");
        inside.args(["netns", "exec", &format!("{}{place}", self.0)]);
        let process = process.to_string();
        let words = ["solve", FAR, "--hosts", "hosts", "--process", &process, "--quiet"];
        let command = sandbox.command(&[&words[..], &["--workers", "1"]].concat());
        inside.arg(command.get_program()).args(command.get_args());
        inside.env("CRABWISE_TABLES", sandbox.path("tables")).current_dir(sandbox.folder.path());
        inside.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
        inside.spawn().unwrap()
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        for place in ['a', 'b'] {
            Places::run(&format!("ip netns del {}{place}", self.0));
        }
    }
}

const FAR: &str = "black-hole:5,3";

#[test]
fn a_cable_that_is_out_for_a_while_does_no_harm() {
    let Some(places) = Places::new() else {
        println!("this machine lets nobody make network namespaces: not tried");
        return;
    };
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("hosts"), "10.99.0.1:2101\n10.99.0.2:2101\n").unwrap();
    let both = [places.spawn(&sandbox, 'a', 0), places.spawn(&sandbox, 'b', 1)];
    let table = sandbox.path("tables/black-hole_5,3.crab");
    let began = Instant::now();
    while !Path::new(&format!("{}.journal", table.display())).exists()
        && began.elapsed() < Duration::from_secs(30)
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(100));
    places.cable("down");
    std::thread::sleep(Duration::from_secs(1));
    places.cable("up");
    for child in both {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 4)), "{err}");
    }
    let solved = sandbox.json(&["solve", FAR]);
    assert_eq!(solved["table_hash"], hash_here(FAR));
}

/// The hash of a game's table as it is solved alone.
fn hash_here(game: &str) -> String {
    hash(&Sandbox::new(), &["solve", game])
}
