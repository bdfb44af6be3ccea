//! Games as text, held to those in Rust: as many positions, of every value at every distance as many, and in random
//! games the same moves with the same values.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use crabwise::{
    Index, Job, Stats, analysis::stats::Row, explore::Explorer, solve, watch::Unwatched,
};
use crabwise_games::{Built, Registry};

/// A solved game, with its table for as long as it is asked.
struct Solved {
    string: String,
    game: crabwise::ErasedGame,
    folder: tempfile::TempDir,
}

impl Solved {
    fn new(string: &str) -> Solved {
        let built =
            Registry::standard().build(string).unwrap_or_else(|why| panic!("{string}: {why}"));
        let Built { string, game } = built;
        let solved = Solved { string, game, folder: tempfile::tempdir().unwrap() };
        let path = solved.path();
        solved.game.solve(&solved.job(&path), true, &|_| {}).unwrap();
        solved
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("table")
    }

    fn job<'a>(&'a self, path: &'a PathBuf) -> Job<'a> {
        Job { game: &self.string, table: path, memory: 4 << 30, watch: &Unwatched }
    }

    fn stats(&self) -> Stats {
        let path = self.path();
        self.game.stats(&self.job(&path), false).unwrap()
    }
}

/// What moves are worth, by names that a text and Rust spell alike.
fn moves(
    table: &dyn Explorer,
    line: &[String],
    rename: fn(&str) -> String,
) -> BTreeMap<String, (String, String)> {
    let look = table.look(line).unwrap();
    let moves = look.moves.iter().map(|mv| {
        let plain = mv.name.strip_prefix("move(").and_then(|name| name.strip_suffix(')'));
        let plain = plain.unwrap_or(&mv.name).replace(',', "-");
        (rename(&plain), (mv.name.clone(), mv.value.to_string()))
    });
    moves.collect()
}

/// Holds a text to a game in Rust; `rename` makes a move of the one from a move of the other.
fn agree(text: &str, rust: &str, rename: fn(&str) -> String) {
    let (text, rust) = (Solved::new(text), Solved::new(rust));
    let (ours, theirs) = (text.stats(), rust.stats());
    assert_eq!(ours.counts, theirs.counts, "{}", text.string);
    assert_eq!(ours.remoteness, theirs.remoteness, "{}", text.string);
    assert_eq!((ours.start, ours.moves), (theirs.start, theirs.moves), "{}", text.string);
    let paths = [text.path(), rust.path()];
    let one = text.game.open(&text.job(&paths[0])).unwrap();
    let other = rust.game.open(&rust.job(&paths[1])).unwrap();
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..20 {
        let mut lines = [vec![], vec![]];
        for _ in 0..40 {
            let one = moves(&*one, &lines[0], rename);
            let other = moves(&*other, &lines[1], |name| name.to_string());
            let worth = |moves: &BTreeMap<String, (String, String)>| -> Vec<(String, String)> {
                moves.iter().map(|(name, (_, value))| (name.clone(), value.clone())).collect()
            };
            assert_eq!(worth(&one), worth(&other), "{} seed {seed} {:?}", text.string, lines[1]);
            let Some(at) = random.choice(one.keys()) else { break };
            lines[0].push(one[at].0.clone());
            lines[1].push(other[at].0.clone());
        }
    }
}

fn same(name: &str) -> String {
    name.into()
}

#[test]
fn lines_and_chains() {
    agree("rules:tic-tac-toe", "tictactoe", same);
    agree("rules:mnk,columns=4,rows=3,k=3", "mnk:4x3,3", same);
    agree("rules:hex,columns=3,rows=3", "hex:3x3", same);
}

#[test]
fn discs_fall() {
    agree("rules:connect-four,columns=4,rows=4", "connect-four:4x4", same);
}

#[test]
fn cubes_are_pushed_in() {
    agree("rules:quixo", "quixo:3,plain", same);
}

#[test]
fn squares_are_removed() {
    // In Rust row 1 is on top.
    let turned = |name: &str| name.replace('1', "t").replace('3', "1").replace('t', "3");
    agree("rules:isolation", "isolation:3x3", turned);
}

#[test]
fn a_star_of_eight_points() {
    agree("rules:mu-torere", "mu-torere", same);
}

#[test]
fn heaps_are_taken_from() {
    // Whose turn it is belongs to a position of the text, and not to one in Rust.
    for heaps in [&[3, 5, 7][..], &[1, 5, 4, 2]] {
        let string: Vec<String> = heaps.iter().map(u32::to_string).collect();
        let stats = Solved::new(&format!("rules:nim,heaps={}", string.join("-"))).stats();
        let (mut won, mut lost) = (0, 0);
        let places: u32 = heaps.iter().map(|heap| heap + 1).product();
        for place in 0..places {
            let (mut rest, mut left, mut sum, mut moved) = (place, 0, 0, 0);
            for heap in heaps {
                let here = rest % (heap + 1);
                rest /= heap + 1;
                left ^= here;
                sum += heap - here;
                moved += u32::from(here < *heap);
            }
            // The first player is to move after an even number of moves, from one a heap to one a counter.
            let parities = [0, 1].map(|parity| (moved..=sum).any(|moves| moves % 2 == parity));
            let turns = parities.into_iter().filter(|reached| *reached).count() as u64;
            *(if left == 0 { &mut lost } else { &mut won }) += turns;
        }
        assert_eq!((stats.counts.win, stats.counts.loss), (won, lost));
        let longest: u32 = heaps.iter().sum();
        assert!(stats.longest() <= longest && stats.counts.terminal == 2);
    }
}

#[test]
fn men_walk_ahead() {
    for (columns, rows) in [(2, 5), (3, 4), (3, 5)] {
        let text = Solved::new(&format!("rules:breakthrough,columns={columns},rows={rows}"));
        let solution = solve(&Breakthrough { columns, rows }).unwrap();
        let stats = text.stats();
        assert_eq!(stats.counts.positions, solution.index.total(), "{columns}x{rows}");
        assert_eq!(stats.start, solution.start(), "{columns}x{rows}");
        let sum = |of: fn(&Row) -> u64| stats.remoteness.iter().map(of).sum::<u64>();
        assert_eq!(sum(|row| row.win) + sum(|row| row.loss), stats.counts.positions);
    }
}

/// Breakthrough in a few lines: men of the player to move and of the other, and whether the second is to move.
struct Breakthrough {
    columns: i32,
    rows: i32,
}

#[derive(Clone, Copy)]
struct Step(i32, i32);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl crabwise::Game for Breakthrough {
    type Position = ([u64; 2], bool);
    type Move = Step;

    fn start(&self) -> ([u64; 2], bool) {
        let two = (1 << (2 * self.columns)) - 1;
        ([two, two << ((self.rows - 2) * self.columns)], false)
    }

    fn moves(&self, &(men, second): &([u64; 2], bool)) -> impl IntoIterator<Item = Step> {
        let [mine, theirs] = if second { [men[1], men[0]] } else { men };
        let (mut moves, ahead) = (vec![], if second { -1 } else { 1 });
        for from in (0..self.columns * self.rows).filter(|from| mine >> from & 1 == 1) {
            for aside in [-1, 0, 1] {
                let (x, y) = (from % self.columns + aside, from / self.columns + ahead);
                let to = y * self.columns + x;
                let on = (0..self.columns).contains(&x) && (0..self.rows).contains(&y);
                if on && mine >> to & 1 == 0 && (aside != 0 || theirs >> to & 1 == 0) {
                    moves.push(Step(from, to));
                }
            }
        }
        moves
    }

    fn play(&self, &(men, second): &([u64; 2], bool), Step(from, to): Step) -> ([u64; 2], bool) {
        let mut men = men;
        let mover = usize::from(second);
        men[mover] ^= 1 << from | 1 << to;
        men[1 - mover] &= !(1 << to);
        (men, !second)
    }

    fn over(&self, &(men, second): &([u64; 2], bool)) -> Option<crabwise::Outcome> {
        let first_row = (1 << self.columns) - 1;
        let last_row = first_row << ((self.rows - 1) * self.columns);
        let through = [men[0] & last_row, men[1] & first_row];
        let mover = usize::from(second);
        let lost = through[1 - mover] != 0 || men[mover] == 0;
        lost.then_some(crabwise::Outcome::Loss)
    }
}
