//! Solves that are killed or stopped go on, to the same bytes.

use std::{
    path::PathBuf,
    process::Child,
    sync::LazyLock,
    time::{Duration, Instant},
};

use crabwise::table::kept;

use crate::sandbox::Sandbox;

/// Many tiers, and a second of work: enough to be caught in the middle.
const GAME: &str = "mnk:4x4,4";
const TABLE: &str = "tables/mnk_4x4,4.crab";

/// A game that takes a while to solve, without distances.
const OUTCOMES: &str = "mnk:4x4,4,outcomes";
const OUTCOMES_TABLE: &str = "tables/mnk_4x4,4,outcomes.crab";

fn spawn(sandbox: &Sandbox, game: &str) -> Child {
    sandbox.command(&["solve", game, "--threads", "1", "--quiet"]).spawn().unwrap()
}

/// A run that is killed once this number of tiers is kept.
fn killed_after(sandbox: &Sandbox, tiers: u32) {
    let table = sandbox.path(TABLE);
    let mut child = spawn(sandbox, GAME);
    while kept(&table) < tiers && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The table of a run that was not stopped.
static WHOLE: LazyLock<Vec<u8>> =
    LazyLock::new(|| std::fs::read(Sandbox::with(&[GAME]).path(TABLE)).unwrap());

fn beside(sandbox: &Sandbox, ending: &str) -> PathBuf {
    sandbox.path(&format!("{TABLE}.{ending}"))
}

/// Goes on to the end, and says how many tiers were there already.
fn finish(sandbox: &Sandbox) -> u64 {
    let solved = sandbox.json(&["solve", GAME]);
    assert!(std::fs::read(sandbox.path(TABLE)).unwrap() == *WHOLE, "other bytes");
    assert!(!beside(sandbox, "journal").exists() && !beside(sandbox, "part").exists());
    solved["resumed_tiers"].as_u64().unwrap()
}

#[test]
fn killed_at_random_moments() {
    let seed = fastrand::u64(..1 << 32);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let kernel = ("isolation:4x4", "tables/isolation_4x4.crab");
    for (game, table) in [(GAME, TABLE), (OUTCOMES, OUTCOMES_TABLE), kernel] {
        let began = Instant::now();
        let whole = std::fs::read(Sandbox::with(&[game]).path(table)).unwrap();
        let most = began.elapsed().as_millis() as u64;
        let sandbox = Sandbox::new();
        for _ in 0..6 {
            let mut child = spawn(&sandbox, game);
            std::thread::sleep(Duration::from_millis(random.u64(..most)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        sandbox.json(&["solve", game]);
        assert!(std::fs::read(sandbox.path(table)).unwrap() == whole, "{game}: other bytes");
        for ending in ["journal", "part"] {
            assert!(!sandbox.path(&format!("{table}.{ending}")).exists(), "{game}: {ending}");
        }
    }
}

#[test]
fn outcomes_go_on_after_the_tiers_that_are_kept() {
    let (sandbox, table) = (Sandbox::new(), OUTCOMES_TABLE);
    let mut child = spawn(&sandbox, OUTCOMES);
    while kept(&sandbox.path(table)) < 5 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let there = kept(&sandbox.path(table));
    assert!(there >= 5 && !sandbox.path(table).exists());
    assert_eq!(sandbox.json(&["solve", OUTCOMES])["resumed_tiers"], there);
    let whole = std::fs::read(Sandbox::with(&[OUTCOMES]).path(table)).unwrap();
    assert!(std::fs::read(sandbox.path(table)).unwrap() == whole);
}

#[test]
fn going_on_says_after_how_many_tiers() {
    let sandbox = Sandbox::new();
    killed_after(&sandbox, 3);
    let there = kept(&sandbox.path(TABLE));
    assert!(there >= 3 && !sandbox.path(TABLE).exists());
    let said = sandbox.run(&["solve", GAME, "--quiet"]).ok();
    let line = format!("went on after {there} tiers that an earlier run had finished\n");
    assert!(said.contains(&line), "{said}");
    assert!(std::fs::read(sandbox.path(TABLE)).unwrap() == *WHOLE);
}

#[test]
fn torn_and_spoiled_leftovers() {
    let seed = fastrand::u64(..1 << 32);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let first = Sandbox::new();
    killed_after(&first, 5);
    let [journal, part] =
        ["journal", "part"].map(|ending| std::fs::read(beside(&first, ending)).unwrap());
    for way in 0..4 {
        let (mut journal, mut part) = (journal.clone(), part.clone());
        match way {
            0 => journal.truncate(random.usize(..journal.len())),
            1 => part.truncate(random.usize(..part.len())),
            2 => journal.extend([random.u8(..); 40]),
            _ => part.extend([random.u8(..); 40]),
        }
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path("tables")).unwrap();
        std::fs::write(beside(&sandbox, "journal"), &journal).unwrap();
        std::fs::write(beside(&sandbox, "part"), &part).unwrap();
        println!("way {way}");
        let resumed = finish(&sandbox);
        assert!(way < 2 || resumed >= 5, "way {way}: only {resumed} tiers used");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_and_says_what_is_kept() {
    let sandbox = Sandbox::new();
    let table = sandbox.path(TABLE);
    let mut child = spawn(&sandbox, GAME);
    while kept(&table) < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let tiers = kept(&table);
    let line = format!(
        "crabwise: stopped; {tiers} finished tiers kept, and 'crabwise solve {GAME}' goes on \
         from there\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), line);
    assert!(output.stdout.is_empty() && tiers >= 3);
    assert_eq!(finish(&sandbox), u64::from(tiers));
}
