//! The corpus: every game, asked as a user would ask it, gives the values that others have found.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use crabwise::{
    Job, SolveError, Stats, Value, analysis::stats::Row, explore::Explorer, watch::Unwatched,
};
use crabwise_games::{Built, Registry};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    game: Vec<Known>,
}

/// What is known of one game; the file's head says what the fields mean.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    string: String,
    start: Option<String>,
    nimber: Option<u32>,
    positions: Option<u64>,
    classes: Option<u64>,
    terminal: Option<u64>,
    win: Option<u64>,
    loss: Option<u64>,
    tie: Option<u64>,
    draw: Option<u64>,
    longest: Option<u32>,
    winning_moves: Option<u64>,
    best: Option<Vec<String>>,
    #[serde(default)]
    lines: Vec<Line>,
    remoteness: Option<Vec<[u64; 4]>>,
    /// The classes of all positions, which only the bench compares.
    #[serde(default)]
    all: Vec<toml::Table>,
    #[serde(default)]
    big: bool,
    #[serde(default)]
    huge: bool,
    source: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    moves: String,
    value: String,
}

fn corpus() -> Vec<Known> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/values.toml");
    let text = std::fs::read_to_string(path).unwrap();
    toml::from_str::<Corpus>(&text).unwrap().game
}

/// What a game gives instead of what is known, a line each.
struct Differences(Vec<String>);

impl Differences {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, known: Option<T>, found: T) {
        if known.as_ref().is_some_and(|known| *known != found) {
            self.0.push(format!("{what}: known {:?}, found {found:?}", known.unwrap()));
        }
    }

    /// A value, or where only that is known its outcome.
    fn value(&mut self, what: &str, known: &str, found: Value) {
        if known != found.to_string() && known != found.outcome() {
            self.0.push(format!("{what}: known {known}, found {found}"));
        }
    }

    fn stats(&mut self, known: &Known, stats: &Stats) {
        let counts = stats.counts;
        self.compare("positions", known.positions, counts.positions);
        self.compare(
            "classes",
            known.classes.map(Some),
            stats.orbits.map(|orbits| orbits.positions),
        );
        self.compare("terminal", known.terminal, counts.terminal);
        self.compare("win", known.win, counts.win);
        self.compare("loss", known.loss, counts.loss);
        self.compare("tie", known.tie, counts.tie);
        self.compare("draw", known.draw, counts.draw);
        self.compare("longest", known.longest, stats.longest());
        let row = |(n, row): (usize, &Row)| [n as u64, row.win, row.loss, row.tie];
        let rows = stats.remoteness.iter().enumerate().rev().map(row).collect();
        self.compare("remoteness", known.remoteness.clone(), rows);
        if let Some(start) = &known.start {
            self.value("start in the statistics", start, stats.start);
        }
    }

    fn looks(&mut self, known: &Known, table: &dyn Explorer) {
        let start = table.look(&[]).unwrap();
        if let Some(value) = &known.start {
            self.value("start", value, start.value);
        }
        self.compare("nimber", known.nimber.map(Some), start.nimber);
        let won = start.moves.iter().filter(|mv| mv.value.outcome() == "win").count();
        self.compare("winning moves", known.winning_moves, won as u64);
        let best = start.moves.iter().filter(|mv| mv.value == start.value);
        let best: HashSet<&str> = best.map(|mv| &*mv.name).collect();
        let known_best = known.best.as_ref().map(|best| best.iter().map(|mv| &**mv).collect());
        self.compare("best moves", known_best, best);
        for Line { moves, value } in &known.lines {
            let line: Vec<String> = moves.split(' ').map(str::to_string).collect();
            match table.look(&line) {
                Ok(found) => self.value(moves, value, found.value),
                Err(error) => self.0.push(format!("{moves}: {error}")),
            }
        }
    }
}

/// A table in a directory of its own.
fn job<'a>(string: &'a str, table: &'a Path) -> Job<'a> {
    Job { game: string, table, memory: 4 << 30, watch: &Unwatched }
}

fn differences(known: &Known) -> Vec<String> {
    let Built { string, game } = Registry::standard().build(&known.string).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join("table");
    let job = job(&string, &path);
    let solved = game.solve(&job, true, &|_| {}).unwrap();
    let mut differences = Differences(vec![]);
    let stats = game.stats(&job, false).unwrap();
    differences.stats(known, &stats);
    let counted = (stats.counts.positions, stats.start, stats.longest());
    let summary = solved.summary.expect("a solve counts");
    let noted = (summary.counts.positions, summary.start, summary.longest);
    differences.compare("summary", Some(counted), noted);
    differences.looks(known, &*game.open(&job).unwrap());
    let verdict = game.verify(&job, None).unwrap();
    differences.compare("wrong values", Some(0), verdict.wrong);
    differences.0.into_iter().map(|line| format!("{string}: {line}")).collect()
}

#[test]
fn every_game_has_the_known_values() {
    let all = corpus();
    let small = all.iter().filter(|known| !known.big && !known.huge);
    let (next, found) = (Mutex::new(small), Mutex::new(vec![]));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(known) = { next.lock().unwrap().next() } {
                    let differences = differences(known);
                    found.lock().unwrap().extend(differences);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Where outcomes can be kept alone, they are those that are known.
#[test]
fn outcomes_alone_are_the_known_ones() {
    let mut kept = 0;
    let small = |known: &&Known| known.positions.is_some_and(|n| n < 200_000);
    for known in corpus().iter().filter(small) {
        // What reads a file takes the word for a part of its name.
        let colon = if known.string.contains(':') { "," } else { ":" };
        let string = format!("{}{colon}outcomes", known.string);
        let Ok(Built { string, game }) = Registry::standard().build(&string) else { continue };
        let dir = tempfile::tempdir().unwrap();
        let path: PathBuf = dir.path().join("table");
        let job = job(&string, &path);
        match game.solve(&job, true, &|_| {}) {
            Err(SolveError::Circles) => continue,
            solved => solved.unwrap(),
        };
        let stats = game.stats(&job, false).unwrap();
        let mut differences = Differences(vec![]);
        let (longest, remoteness) = (None, None);
        let outcome = |value: &String| value.split(' ').next().unwrap_or_default().to_string();
        let start = known.start.as_ref().map(outcome);
        let line = |line: &Line| Line { moves: line.moves.clone(), value: outcome(&line.value) };
        let lines = known.lines.iter().map(line).collect();
        // Without distances, all moves that keep the outcome are best.
        let known = Known { longest, remoteness, start, lines, best: None, ..known.clone() };
        differences.stats(&known, &stats);
        differences.looks(&known, &*game.open(&job).unwrap());
        assert!(differences.0.is_empty(), "{string}: {}", differences.0.join("\n"));
        kept += 1;
    }
    assert!(kept > 10, "only {kept} games could");
}

#[test]
fn every_registered_game_has_three_values() {
    let mut count: HashMap<String, usize> = HashMap::new();
    for known in corpus() {
        let name = known.string.split(':').next().unwrap_or_default();
        assert!(known.all.is_empty() || known.big, "{} has classes", known.string);
        let numbers = [known.positions, known.win, known.loss, known.tie, known.draw];
        let values = numbers.iter().flatten().count() + known.lines.len();
        let others = [known.start.is_some(), known.nimber.is_some(), known.longest.is_some()];
        let values = values + others.iter().filter(|known| **known).count();
        assert!(values > 0 && !known.source.is_empty(), "{} says nothing", known.string);
        *count.entry(name.into()).or_default() += values;
    }
    for entry in Registry::standard().entries() {
        assert!(count.get(entry.name) >= Some(&3), "the corpus knows too little of {}", entry.name);
    }
}

#[test]
fn strings_are_told_once() {
    let registry = Registry::standard();
    let mut strings = HashSet::new();
    for known in corpus() {
        let built = registry.build(&known.string).unwrap();
        assert!(strings.insert(built.string), "{} is there twice", known.string);
    }
    for entry in registry.entries() {
        for string in [entry.name, entry.example] {
            let built = registry.build(string).unwrap();
            assert_eq!(registry.build(&built.string).unwrap().string, built.string);
        }
    }
}

#[test]
fn defaults_are_spelled_out() {
    for (string, canonical) in [
        ("tictactoe", "tictactoe"),
        ("pong-hau-ki:", "pong-hau-ki"),
        ("mnk", "mnk:4x4,4"),
        ("mnk:3x2", "mnk:3x2,3"),
        ("mnk:8x8", "mnk:8x8,4"),
        ("nim", "nim:3-5-7"),
        ("nim:03-5", "nim:3-5"),
        ("achi", "achi:3"),
        ("achi:no-diagonals,4", "achi:4,no-diagonals"),
        ("connect-four", "connect-four:7x6"),
        ("dao:plain", "dao:plain"),
        ("quixo", "quixo:3"),
        ("quixo:plain,04", "quixo:4,plain"),
        ("draughts", "draughts:4x4,2"),
        ("draughts:5x5", "draughts:5x5,3"),
        ("chess", "chess:KQK"),
        ("chess:KPRK", "chess:KRPK"),
        ("chess:KRK,at=8/8/8/4k3/8/8/8/KR6_b_-_-_0_1", "chess:KRK,at=8/8/8/4k3/8/8/8/KR6_b"),
        ("chess:at=4k3/8/8/8/8/8/8/3QK3_w", "chess:KQK"),
        ("tokens", "tokens:2"),
        ("tokens:2,take=1", "tokens:2"),
        ("tokens:take=03,9", "tokens:9,take=3"),
        ("boxers", "boxers:3x3"),
        ("boxers:straight,02x4,adjacent", "boxers:2x4,adjacent,straight"),
        ("boxers:26x26", "boxers:26x26"),
        ("cruzados", "cruzados:2x2"),
        ("cruzados:straight", "cruzados:2x2,straight"),
        ("black-hole", "black-hole:5,4"),
        ("black-hole:7", "black-hole:7,4"),
        ("black-hole:5,4,remove=2", "black-hole:5,4"),
        ("black-hole:3,1,remove=1", "black-hole:3,1"),
        ("black-hole:stuck=draw,5,remove=1,falls,3", "black-hole:5,3,falls,remove=1,stuck=draw"),
        ("black-hole:unfolded,5,2", "black-hole:5,2,unfolded"),
        ("tictactoe:outcomes", "tictactoe:outcomes"),
        ("mnk:outcomes", "mnk:4x4,4,outcomes"),
        ("mnk:3x2,outcomes", "mnk:3x2,3,outcomes"),
        ("domineering:outcomes,3x2", "domineering:3x2,outcomes"),
        ("fox-and-hounds:6,outcomes", "fox-and-hounds:6,outcomes"),
        ("cycles", "cycles:k4"),
        ("cycles:ladder=4,leaf-exempt", "cycles:ladder=2x4,leaf-exempt"),
        ("cycles:chordless,theta=3,2,5+k4", "cycles:theta=3,2,5+k4,chordless"),
        ("cycles:wheel=5,outcomes", "cycles:wheel=5,outcomes"),
        ("graph:", "graph"),
        ("graph:start=3B,again", "graph:again,start=3B"),
    ] {
        let built = Registry::standard().build(string).unwrap();
        assert_eq!(built.string, canonical);
    }
}

#[test]
fn bad_game_strings_are_answered_in_one_line() {
    for (string, error) in [
        ("", "no game ''; 'crabwise games' lists them all"),
        ("xyzzy", "no game 'xyzzy'; 'crabwise games' lists them all"),
        ("othelo", "no game 'othelo'; did you mean 'othello'?"),
        ("Nim", "no game 'Nim'; did you mean 'nim'?"),
        ("cycles:k5.json", "cycles: cannot read k5.json: files are not read here"),
        (
            "cycles:weel=5",
            "cycles: cannot read weel=5: files are not read here; did you mean a board such as wheel=5?",
        ),
        ("graph:boat.csv", "graph: cannot read boat.csv: files are not read here"),
        ("graph:outcomes", "graph: cannot read outcomes: files are not read here"),
        ("graph:b.csv,outcomes", "graph: cannot read b.csv,outcomes: files are not read here"),
        ("graph:a,b.csv,again,start=1A", "graph: cannot read a,b.csv: files are not read here"),
    ] {
        assert_eq!(Registry::standard().build(string).err().unwrap().to_string(), error);
    }
    for (string, reason) in [
        ("tictactoe:3", "'3' is one parameter too many"),
        ("mnk:4", "'4' is no size; write 4x4"),
        ("mnk:4x", "'4x': the number of rows must be a number from 1 to 26"),
        ("mnk:4x-3", "'4x-3': the number of rows must be a number from 1 to 26"),
        ("mnk:+4x3", "'+4x3': the number of columns must be a number from 1 to 26"),
        ("mnk:9x8", "9x8 has more than 64 cells"),
        ("mnk:4x3,5", "'5': the length of a line must be a number from 1 to 4"),
        ("mnk:4x3,0", "'0': the length of a line must be a number from 1 to 4"),
        ("mnk:4x3,3,3", "'3' is one parameter too many"),
        ("mnk:4x3,3,outcomes,outcomes", "'outcomes' is one parameter too many"),
        (
            "achi:3,outcomes",
            "play may go in circles, and then 'outcomes' cannot do without distances",
        ),
        ("connect-four:0x4", "'0x4': the number of columns must be a number from 1 to 26"),
        ("connect-four:9x9", "9x9 has more than 64 cells"),
        ("othello:5x4", "5x4: both sides must be even"),
        ("othello:10x10", "'10x10': the number of rows must be a number from 4 to 8"),
        ("hex:8x9", "8x9 has more than 64 cells"),
        ("dots-and-boxes:5x5", "5x5 boxes have 60 lines, more than 56"),
        ("nim:3-x", "'3-x': the heap must be a number from 1 to 255"),
        ("nim:256", "'256': the heap must be a number from 1 to 255"),
        ("nim:1-1-1-1-1-1-1-1-1", "'1-1-1-1-1-1-1-1-1' must have 1 to 8 numbers"),
        (
            "nim:99999999999999999999",
            "'99999999999999999999': the heap must be a number from 1 to 255",
        ),
        ("kayles:40-40", "the rows and the gaps between them take 81 places, more than 64"),
        ("dawson:0", "'0': the row must be a number from 1 to 64"),
        ("chomp:17x3", "'17x3': the number of columns must be a number from 1 to 16"),
        ("cram:27x1", "'27x1': the number of rows must be a number from 1 to 26"),
        ("domineering:4×4", "'4×4' is no size; write 5x5"),
        ("pong-hau-ki:5", "'5' is one parameter too many"),
        ("achi:5", "'5': the number of men must be a number from 3 to 4"),
        ("achi:3,diagonals", "'diagonals' is one parameter too many"),
        ("dodgem:6", "'6': the size must be a number from 2 to 5"),
        ("fox-and-hounds:7", "size 7 is odd; it must be 4, 6 or 8"),
        ("quixo:6", "'6': the size must be a number from 3 to 5"),
        ("dao:4", "'4' is one parameter too many"),
        (
            "chess:QK",
            "'QK': write White's men and then Black's, each from its king on, such as KRK",
        ),
        ("chess:K", "'K': write White's men and then Black's, each from its king on, such as KRK"),
        (
            "chess:kqk",
            "'kqk': write White's men and then Black's, each from its king on, such as KRK",
        ),
        (
            "chess:KQKé",
            "'KQKé': write White's men and then Black's, each from its king on, such as KRK",
        ),
        ("chess:KRRKR", "'KRRKR' has 5 men, more than 4"),
        ("chess:KQK,KRK", "'KRK' is one parameter too many"),
        ("chess:KQK,at=8", "'at=8' is no position; write it as 8/8/8/3k4/8/8/8/K6Q_w"),
        ("chess:KQK,at=8/8_w,at=8/8_w", "'at=8/8_w' is one parameter too many"),
        ("chess:KQK,at=8/8_w", "'at=8/8_w': it has 2 rows, and the board 8"),
        (
            "chess:KQK,at=4k3/8/8/8/8/8/8/3RK3_w",
            "'at=4k3/8/8/8/8/8/8/3RK3_w': the men are KRK, which never comes of KQK",
        ),
        ("tokens:0", "'0': the number of tokens must be a number from 1 to 1000"),
        ("tokens:2,3", "'3' is one parameter too many"),
        ("tokens:2,take=0", "'take=0': the number to take must be a number from 1 to 1000"),
        ("tokens:2,take=", "'take=': the number to take must be a number from 1 to 1000"),
        ("tokens:2,take=1,take=2", "'take=2' is one parameter too many"),
        ("tokens:2,take", "'take' is one parameter too many"),
        ("tokens:take=2,size=3", "'size=3' is one parameter too many"),
        ("black-hole:4", "size 4 is even; it must be 3, 5 or 7"),
        ("black-hole:9", "'9': the size must be a number from 3 to 7"),
        ("black-hole:5,7", "'7': the number of pawns must be a number from 1 to 6"),
        (
            "black-hole:3,4",
            "4 pawns do not fit above the middle row of a 3x3 board, where there are 3 places",
        ),
        (
            "black-hole:5,3,remove=4",
            "'remove=4': the number of pawns to remove must be a number from 1 to 3",
        ),
        (
            "black-hole:5,3,remove=x,falls",
            "'remove=x': the number of pawns to remove must be a number from 1 to 3",
        ),
        ("black-hole:stuck=win", "'stuck=win': only stuck=draw is known"),
        ("black-hole:falls,falls", "'falls': the size must be a number from 3 to 7"),
        ("boxers:1x1", "1x1 has fewer than 2 cells"),
        ("boxers:3", "'3' is no size; write 3x3"),
        ("boxers:27x1", "'27x1': the number of rows must be a number from 1 to 26"),
        ("boxers:3x3,diagonal", "'diagonal' is one parameter too many"),
        ("boxers:3x3,straight,straight", "'straight' is one parameter too many"),
        ("cruzados:2", "'2' is no size; write 2x2"),
        ("cruzados:2x0", "'2x0': the number of columns must be a number from 1 to 26"),
        ("cycles:wheel=2", "'wheel=2': a wheel has 3 to 64 spokes"),
        ("cycles:k4,outer=1-2", "'outer=1-2' is for boards from files, and k4 is none"),
        ("cycles:wheel=33", "a board in one piece may have at most 64 edges, vertices and cells"),
        ("graph:start=7A", "sample.csv: the start '7A' is no island of the file"),
        ("graph:turns=A", "turns 'A' must be two different letters, such as AB"),
        ("graph:turns=AA", "turns 'AA' must be two different letters, such as AB"),
        (
            "graph:turns=WB",
            "sample.csv, line 2: '6A' ends in the unknown letter 'A'; it must end in W or B, whose \
             turn it is",
        ),
    ] {
        let error = Registry::standard().build(string).err().unwrap().to_string();
        let name = string.split(':').next().unwrap_or_default();
        let expected = format!("{name}: {reason}; for example ");
        assert!(error.starts_with(&expected) && !error.contains('\n'), "{string}: {error}");
    }
}
