//! Any number of workers writes the table that one solver writes alone, on random graphs.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use super::solve::COUNTED_IN_PARTS;
use crate::{
    Communicator, ErasedGame, Job, Lost, Setup, SolveError, Summary, Word, WorkerGroup,
    graphs::{Copies, Graph, Vertices},
    solve::{
        distributed::IN_PARTS,
        snapshot::TAKEN_UP,
        threads::{ThreadCommunicator, each_thread},
    },
    table,
    watch::Unwatched,
};

/// Workers that are threads, `together` of them taken for a process.
struct Threads {
    workers: usize,
    together: usize,
    /// After how many rounds which worker is lost.
    lost: Option<(usize, usize)>,
}

struct Thread {
    end: ThreadCommunicator,
    together: usize,
    /// Rounds until it is lost.
    left: usize,
}

impl Communicator for Thread {
    hands_on! {
        to end:
        rank() -> usize;
        size() -> usize;
    }

    fn ranks_per_process(&self) -> usize {
        self.together
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Lost("gone".into()))?;
        self.end.all_to_all(messages)
    }
}

impl WorkerGroup for Threads {
    fn has_root(&self) -> bool {
        true
    }

    fn run(
        &self,
        work: &(dyn Fn(&mut dyn Communicator) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        let worked = each_thread(self.workers, &|end| {
            let lost = self.lost.filter(|(worker, _)| *worker == end.rank());
            let left = lost.map_or(usize::MAX, |(_, rounds)| rounds);
            work(&mut Thread { end, together: self.together, left })
        });
        worked.map(drop)
    }
}

fn job(table: &Path, memory: u64) -> Job<'_> {
    Job { game: "graph", table, memory, watch: &Unwatched }
}

/// The bytes of a table, and what was counted.
type Made = (Vec<u8>, Option<Summary>);

/// The game's table as one process writes it.
fn alone(game: &ErasedGame, folder: &Path) -> Made {
    let table = folder.join("alone");
    let solved = game.solve(&job(&table, u64::MAX), true, &|_| {}).unwrap();
    assert!(solved.summary.is_some());
    taken(&table, solved.summary)
}

/// What was made, which is removed.
fn taken(table: &Path, summary: Option<Summary>) -> Made {
    let bytes = std::fs::read(table).unwrap();
    table::remove(table).unwrap();
    (bytes, summary)
}

/// The table and the counts of several workers; `None` where there is too little memory.
fn together(game: &ErasedGame, folder: &Path, group: &Threads, memory: u64) -> Option<Made> {
    let table = folder.join("together");
    match game.solve_with(&job(&table, memory), group, true, &|_| {}) {
        Ok(solved) => Some(taken(&table, solved.unwrap().summary)),
        Err(error) if lacks_memory(&error) => {
            // A game without a numbering may have got as far as its table.
            table::remove(&table).unwrap();
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn lacks_memory(error: &SolveError) -> bool {
    match error {
        SolveError::NoMemory { .. } | SolveError::TooLarge { .. } => true,
        SolveError::Elsewhere { why, .. } => why.contains("memory"),
        _ => false,
    }
}

fn setups(seed: u64) -> Vec<ErasedGame> {
    let loopy = Graph::random(seed, true);
    let straight = Graph::random(seed, false);
    vec![
        Setup::of(Copies::of(&loopy)).numbered(Copies::of(&loopy)).erased(),
        Setup::of(Copies::of(&loopy)).numbered(Copies::of(&loopy)).reversible().erased(),
        Setup::of(loopy.clone()).numbered(Vertices::of(&loopy, true)).erased(),
        Setup::of(loopy.clone()).numbered(Vertices::of(&loopy, true)).reversible().erased(),
        Setup::of(loopy.clone()).packed().erased(),
        Setup::of(loopy).erased(),
        Setup::of(straight.clone()).packed().batched().erased(),
        Setup::of(straight.clone()).numbered(Vertices::of(&straight, false)).erased(),
        Setup::of(straight).erased(),
    ]
}

/// Bytes that a process may have: with all of them everything is whole, and with the least only some of the
/// games above can be solved by few workers, in parts.
const MEMORIES: [u64; 5] = [u64::MAX, 2_000, 200, 60, 30];

/// Workers, and how many of them are taken for a process.
const GROUPS: [(usize, usize); 4] = [(1, 1), (2, 1), (3, 3), (5, 2)];

#[test]
fn any_number_of_workers_writes_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let (mut refused, mut solved) = ([0; 5], [0; 5]);
    for seed in 0..4 {
        for (kind, game) in setups(seed).iter().enumerate() {
            let wanted = alone(game, folder.path());
            for (n, (workers, ranks_per_process)) in GROUPS.into_iter().enumerate() {
                for (i, memory) in MEMORIES.into_iter().enumerate() {
                    // Over the seeds every kind of game meets every group with every memory.
                    if (seed as usize + kind + n + i) % MEMORIES.len() > 1 {
                        continue;
                    }
                    let group = Threads { workers, together: ranks_per_process, lost: None };
                    let Some(found) = together(game, folder.path(), &group, memory) else {
                        refused[i] += 1;
                        continue;
                    };
                    solved[i] += 1;
                    assert!(
                        found == wanted,
                        "seed {seed}, game {kind}, {workers} workers, {ranks_per_process} together, \
                         memory {memory}"
                    );
                }
            }
        }
    }
    let in_parts = [&IN_PARTS, &COUNTED_IN_PARTS].map(|count| count.load(Relaxed));
    println!("solved {solved:?}, refused {refused:?}, in parts {in_parts:?}");
    assert_eq!(refused[0], 0);
    assert!(refused[4] > 0 && solved[4] > 0 && in_parts.iter().all(|count| *count > 20));
}

/// A worker is lost after some rounds, and the next run, with another number of workers, goes on.
#[test]
fn a_run_that_lost_a_worker_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let seed = fastrand::u64(..1 << 32);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut lost, mut resumed) = (0, 0);
    for _ in 0..10 {
        let seed = random.u64(..1 << 32);
        for (kind, game) in setups(seed).iter().enumerate() {
            let wanted = alone(game, folder.path());
            let table = folder.path().join("lost");
            for attempt in 1.. {
                let workers = random.usize(1..5);
                let together = random.usize(1..=workers);
                let gone = Some((random.usize(..workers), random.usize(..200 * attempt)));
                let group = Threads { workers, together, lost: gone };
                let memory = MEMORIES[random.usize(..3)];
                match game.solve_with(&job(&table, memory), &group, true, &|_| {}) {
                    Ok(solved) => {
                        resumed += solved.unwrap().resumed;
                        break;
                    }
                    Err(error) if lacks_memory(&error) => {}
                    Err(SolveError::Lost(_) | SolveError::Elsewhere { .. }) => lost += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(taken(&table, wanted.1) == wanted, "seed {seed}, game {kind}");
        }
    }
    let taken_up = TAKEN_UP.load(Relaxed);
    assert!(
        lost > 10 && resumed > 10 && taken_up > 10,
        "{lost} were lost, {resumed} tiers were gone on after, {taken_up} in the middle"
    );
}

/// The game's table as it is written where there is no memory at all.
fn streamed(game: &ErasedGame, folder: &Path) -> Vec<u8> {
    let table = folder.join("streamed");
    let numbering = job(&table, u64::MAX);
    let numbered = &*game.number(&numbering).unwrap();
    let graph = &*numbered.graph();
    let task = game.task(graph);
    game.write_table(&job(&table, 0), numbered, task, true).unwrap();
    taken(&table, None).0
}

#[test]
fn any_number_of_threads_writes_the_same_table_and_so_do_files() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..16 {
        for (kind, game) in setups(seed).iter().enumerate() {
            let wanted = alone(game, folder.path());
            assert!(streamed(game, folder.path()) == wanted.0, "seed {seed}, game {kind}");
            for threads in [1, 2, 5].into_iter().filter(|_| seed < 2) {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| alone(game, folder.path()));
                assert!(found == wanted, "seed {seed}, game {kind}, {threads} threads");
            }
        }
    }
}

#[test]
fn words_are_cut_wherever() {
    let codes: Vec<u8> = (0..300).map(|i| if i % 3 == 0 { 0 } else { 254 }).collect();
    let planes =
        crate::TierValues::OutcomePlanes(crate::OutcomePlanes::from_codes(&codes).unwrap());
    for words in [u8::tier(codes.clone()), u16::tier(vec![7; 300]), planes] {
        let cut = words.clone().cut(70..201);
        assert_eq!(cut.len(), 131);
        (0..131).for_each(|i| assert_eq!(cut.get(i), words.get(70 + i)));
    }
}
