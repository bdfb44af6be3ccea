//! What goes through the pipes: a game without any order in it, whose values are the same for whoever works them out;
//! between threads, and between processes that talk over sockets.

use std::{
    io::Write,
    net::{TcpListener, TcpStream},
    path::Path,
    time::{Duration, Instant},
};

use crabwise::{
    ErasedGame, Game, Index, Job, Kernel, Outcome, Setup, Slot, SolveError, Tiers, Value, Word,
    WorkerGroup, watch::Unwatched,
};
use crabwise_cluster::{Cluster, hosts::Hosts};

/// Positions are numbers; a move leads to the tier after, somewhere.
#[derive(Clone, Copy)]
struct Pipes {
    tiers: u32,
    len: u64,
}

fn scramble(mut n: u64) -> u64 {
    // The finisher of MurmurHash3.
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        n = (n ^ n >> 33).wrapping_mul(factor);
    }
    n ^ n >> 33
}

impl Game for Pipes {
    type Position = Place;
    type Move = u8;

    fn start(&self) -> Place {
        Place(0, 0)
    }

    fn moves(&self, _at: &Place) -> impl IntoIterator<Item = u8> {
        0..2
    }

    fn play(&self, at: &Place, mv: u8) -> Place {
        Place(at.0 + 1, scramble(at.1 * 2 + u64::from(mv)) % self.len)
    }

    fn over(&self, at: &Place) -> Option<Outcome> {
        let ends = [Outcome::Loss, Outcome::Tie, Outcome::Win];
        let kinds = if at.0 + 1 < self.tiers { 9 } else { 3 };
        ends.get(scramble(at.1 << 8 | u64::from(at.0)) as usize % kinds).copied()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place(u32, u64);

impl Index<Place> for Pipes {
    fn tiers(&self) -> u32 {
        self.tiers
    }

    fn len(&self, _tier: u32) -> u64 {
        self.len
    }

    fn slot(&self, at: &Place) -> Slot {
        Slot { tier: at.0, index: at.1 }
    }

    fn position(&self, slot: Slot) -> Option<Place> {
        Some(Place(slot.tier, slot.index))
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        tier + 1
    }

    fn name(&self) -> String {
        "pipes".into()
    }
}

/// The rules, a run at a time: what is exchanged is what it reads.
impl Kernel<u8> for Pipes {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [u8]) -> Result<(), SolveError> {
        for (index, out) in (from..).zip(out) {
            let at = Place(tier, index);
            let child =
                |mv| later.get(self.slot(&self.play(&at, mv))).map(|value| value.back(false));
            let value = match self.over(&at) {
                Some(end) => Some(Value::from(end)),
                None => child(0).max(child(1)),
            };
            *out = value.and_then(u8::pack).ok_or(SolveError::TooFar)?;
        }
        Ok(())
    }

    fn run(&self, _tier: u32) -> u64 {
        1000
    }
}

fn game() -> ErasedGame {
    let pipes = Pipes { tiers: 6, len: 300_001 };
    Setup::of(pipes).numbered(pipes).kernel(pipes).erased()
}

fn job(table: &Path) -> Job<'_> {
    Job { game: "pipes", table, memory: u64::MAX, watch: &Unwatched }
}

fn alone(folder: &Path) -> Vec<u8> {
    let table = folder.join("alone");
    game().solve(&job(&table), true, &|_| {}).unwrap();
    std::fs::read(table).unwrap()
}

#[test]
fn threads_exchange_what_one_solver_has() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = alone(folder.path());
    for workers in [1, 2, 5] {
        let table = folder.path().join(workers.to_string());
        game().solve_with(&job(&table), &Cluster::alone(workers), true, &|_| {}).unwrap().unwrap();
        assert!(std::fs::read(table).unwrap() == wanted, "{workers} workers");
    }
}

/// Addresses that nobody has.
fn hosts(count: usize) -> Hosts {
    let held: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let list: Vec<String> =
        held.iter().map(|held| held.local_addr().unwrap().to_string()).collect();
    Hosts::read(&list.join("\n")).unwrap()
}

#[test]
fn processes_exchange_what_one_solver_has() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = alone(folder.path());
    for (processes, workers) in [(2, 1), (3, 2)] {
        let hosts = hosts(processes);
        let table = folder.path().join(format!("{processes} of {workers}"));
        std::thread::scope(|scope| {
            for process in 0..processes {
                let (hosts, table) = (hosts.clone(), &table);
                scope.spawn(move || {
                    let patience = Duration::from_secs(30);
                    let cluster = Cluster::new(workers, hosts, process, patience);
                    let solved = game().solve_with(&job(table), &cluster, true, &|_| {}).unwrap();
                    assert_eq!(solved.is_some(), process == 0);
                });
            }
        });
        assert!(std::fs::read(table).unwrap() == wanted, "{processes} of {workers}");
    }
}

/// The first of several workers that fails is mostly one that heard of it; what is told is why it began.
#[test]
fn the_cause_is_told_and_not_who_heard_of_it() {
    for _ in 0..5 {
        let failed = Cluster::alone(4).run(&|communicator| {
            let message = || vec![vec![0; 10]; 4];
            communicator.all_to_all(message()).map_err(SolveError::Lost)?;
            if communicator.rank() == 0 {
                // What it tells the others, before it ends.
                communicator.all_to_all(message()).map_err(SolveError::Lost)?;
                std::thread::sleep(Duration::from_millis(20));
                return Err(SolveError::TooFar);
            }
            communicator.all_to_all(message()).map_err(SolveError::Lost)?;
            Err(SolveError::Elsewhere { worker: 0, why: "it is too far".into() })
        });
        assert!(matches!(failed, Err(SolveError::TooFar)), "{failed:?}");
    }
}

/// Whoever calls and says nothing, says it slowly, or says nonsense keeps nobody waiting.
#[test]
fn strangers_who_call_keep_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let (hosts, table) = (hosts(2), folder.path().join("table"));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let solve = |process| {
            let cluster = Cluster::new(1, hosts.clone(), process, Duration::from_secs(30));
            game().solve_with(&job(&table), &cluster, true, &|_| {}).unwrap();
        };
        scope.spawn(move || solve(0));
        let call = || loop {
            match TcpStream::connect(hosts.address(0)) {
                Ok(stream) => return stream,
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let mut strangers: Vec<TcpStream> = (0..200).map(|_| call()).collect();
        for (n, stranger) in strangers.iter_mut().enumerate() {
            let said = [
                &b"CRABWISE\x00"[..],
                b"GET / HTTP/1.1\r\n\r\n",
                b"CRABWISE\xff\xff\xff\xff\xff\xff\xff\xff",
            ];
            // Some are sent away before they have said it all.
            let _ = stranger.write_all(said[n % 3]);
        }
        solve(1);
    });
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
