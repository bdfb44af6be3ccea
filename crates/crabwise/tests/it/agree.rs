//! Every solver must agree with the slow truths, on thousands of random graphs: ends of all three
//! kinds, moves that keep the turn, loops, dead ends, tiers.

use std::path::Path;

use crabwise::{
    Enumerated, ErasedGame, Game, Index, Job, Kernel, Outcome, Setup, Slot, SolveError, Solved,
    Solver, Table, TierValues, Tiers, Value, Word,
    analysis::reference::{reference, rounds},
    analysis::verify::derive,
    solve, solve_with,
    watch::Unwatched,
};

use crate::graphs::{Copies, Graph, Vertices, ends};

mod tictactoe {
    include!("../../examples/tictactoe.rs");

    #[test]
    fn the_front_page_example_runs() {
        main().unwrap();
        let solution = crabwise::solve(&TicTacToe).unwrap();
        assert_eq!(solution.start(), crabwise::Value::Tie(9));
        let oracle = crabwise::analysis::reference::reference(&TicTacToe);
        assert_eq!(oracle.len(), 5478);
        for (at, value) in oracle {
            assert_eq!(solution.value(&at), Some(value));
        }
    }
}

/// Counts what came up, so that a test cannot pass on graphs that are all alike.
#[derive(Default)]
struct Seen([usize; 4]);

impl Seen {
    fn add(&mut self, value: Value) {
        self.0
            [["loss", "tie", "draw", "win"].iter().position(|o| *o == value.outcome()).unwrap()] +=
            1;
    }
}

#[test]
fn loopy_solvers_agree_with_rounds_on_random_graphs() {
    let mut seen = Seen::default();
    for seed in 0..4000 {
        let game = Graph::random(seed, true);
        let truth = rounds(&game);
        let walked = solve(&game).unwrap();
        let again = Enumerated::walk(&game, u64::MAX, &Unwatched).unwrap();
        let looked = solve_with(&game, again).unwrap();
        let numbered = solve_with(&game, Vertices::of(&game, true)).unwrap();
        assert_eq!(walked.index.total(), truth.len() as u64, "seed {seed}");
        for (at, &value) in &truth {
            assert_eq!(walked.value(at), Some(value), "recorded, seed {seed}, at {at}: {game:?}");
            assert_eq!(looked.value(at), Some(value), "walked, seed {seed}, at {at}: {game:?}");
            assert_eq!(numbered.value(at), Some(value), "numbered, seed {seed}, at {at}: {game:?}");
            seen.add(value);
        }
        for at in 0..game.moves.len() as u32 {
            let derived = derive(&game, &at, |to| numbered.value(to));
            assert_eq!(derived.ok(), numbered.value(&at), "derived, seed {seed}, at {at}");
        }
    }
    assert!(seen.0.iter().all(|&n| n > 3000), "{:?}", seen.0);
}

#[test]
fn sweeps_agree_with_reference_on_random_graphs_without_loops() {
    let mut seen = Seen::default();
    for seed in 0..2000 {
        let game = Graph::random(seed, false);
        let truth = reference(&game);
        assert_eq!(truth, rounds(&game), "seed {seed}");
        let walked = solve(&game).unwrap();
        let again = Enumerated::walk(&game, u64::MAX, &Unwatched).unwrap();
        let looked = solve_with(&game, again).unwrap();
        let swept = solve_with(&game, Vertices::of(&game, false)).unwrap();
        for (at, &value) in &truth {
            assert_eq!(walked.value(at), Some(value), "recorded, seed {seed}, at {at}: {game:?}");
            assert_eq!(looked.value(at), Some(value), "walked, seed {seed}, at {at}: {game:?}");
            assert_eq!(swept.value(at), Some(value), "swept, seed {seed}, at {at}: {game:?}");
            seen.add(value);
        }
    }
    assert!([0, 1, 3].iter().all(|&i| seen.0[i] > 2000), "{:?}", seen.0);
}

/// Tables of the same game, one solved along recorded edges, one by un-moves, have the same bytes.
#[test]
fn unmoves_and_recorded_edges_write_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..60 {
        let game = Graph::random(seed, true);
        let recorded = Setup::of(game.clone()).numbered(Vertices::of(&game, true)).erased();
        let unplayed =
            Setup::of(game.clone()).numbered(Vertices::of(&game, true)).reversible().erased();
        let bytes = [("recorded", recorded), ("unplayed", unplayed)].map(|(name, game)| {
            let table = folder.path().join(name);
            let watch = &crabwise::watch::Unwatched;
            let job = crabwise::Job { game: "graph", table: &table, memory: u64::MAX, watch };
            game.solve(&job, true, &|_| {}).unwrap();
            assert!(game.verify(&job, None).unwrap().ok(), "seed {seed}");
            let broken = game.check(&job, seed).unwrap().into_iter().find_map(|done| done.broken);
            assert_eq!(broken, None, "seed {seed}: {:?}", Graph::random(seed, true));
            let bytes = std::fs::read(&table).unwrap();
            std::fs::remove_file(&table).unwrap();
            bytes
        });
        assert_eq!(bytes[0], bytes[1], "seed {seed}");
    }
}

/// Tables of the same game, told one move at a time and many positions at a time, walked and numbered.
#[test]
fn batches_and_single_moves_write_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..120 {
        let game = Graph::random(seed, seed % 3 > 0);
        let loops = seed % 3 > 0;
        let setup = || Setup::of(game.clone());
        let numbered = || setup().numbered(Vertices::of(&game, loops));
        let all = [
            ("single", setup().erased()),
            ("batched", setup().batched().erased()),
            ("numbered", numbered().erased()),
            ("numbered-batched", numbered().batched().erased()),
            (
                "batched-unplayed",
                setup().batched().numbered(Vertices::of(&game, loops)).reversible().erased(),
            ),
        ];
        let bytes = all.map(|(name, game)| {
            let table = folder.path().join(name);
            let job = job(&table);
            game.solve(&job, true, &|_| {}).unwrap();
            assert!(game.verify(&job, None).unwrap().ok(), "seed {seed}, {name}");
            let done = game.check(&job, seed).unwrap();
            assert_eq!(done.iter().any(|one| one.contract == "batches"), name.contains("batched"));
            assert_eq!(done.into_iter().find_map(|one| one.broken), None, "seed {seed}, {name}");
            let bytes = std::fs::read(&table).unwrap();
            std::fs::remove_file(&table).unwrap();
            bytes
        });
        assert_eq!(bytes[0], bytes[1], "seed {seed}, walked");
        assert_eq!(bytes[2], bytes[3], "seed {seed}, numbered");
        assert_eq!(bytes[2], bytes[4], "seed {seed}, unplayed");
    }
}

/// A single line of `0` moves with a loop at its start, to be lost or tied at its end.
struct Line(u32, Outcome);

impl Game for Line {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.0
    }

    fn moves(&self, &at: &u32) -> impl IntoIterator<Item = u32> {
        // The loop is never worth taking, but makes the tier loopy.
        (at == self.0).then_some(at).into_iter().chain(at.checked_sub(1))
    }

    fn play(&self, _at: &u32, to: u32) -> u32 {
        to
    }

    fn over(&self, &at: &u32) -> Option<Outcome> {
        (at == 0).then_some(self.1)
    }

    fn again(&self, _from: &u32, _to: &u32) -> bool {
        true
    }
}

#[test]
fn distances_go_up_to_65535_and_no_further() {
    for n in [10, 50, 51, 100, 101, 14_999, 15_000, 24_999, 25_000, 65_535] {
        let won = solve(&Line(n, Outcome::Win)).unwrap();
        let tied = solve(&Line(n, Outcome::Tie)).unwrap();
        for at in [0, 1, n / 2, n] {
            assert_eq!(won.value(&at), Some(Value::Win(at)));
            assert_eq!(tied.value(&at), Some(Value::Tie(at)));
        }
    }
    for end in [Outcome::Win, Outcome::Tie] {
        let error = solve(&Line(65_536, end)).err().expect("one move too long");
        assert!(error.to_string().contains("65535"), "{error}");
    }
}

/// No move leads to the other copy, so half of each orbit is out of reach.
#[test]
fn a_folded_numbering_counts_what_is_reached_and_not_its_mirror_image() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("copies");
    let job = job(&table);
    // From n to one of the next two numbers, except where it would go to the other copy; 10 and 11 are on their own.
    let next =
        |at: u32| (at + 1..=at + 2).filter(move |to| *to < 10 && !(at + to).is_multiple_of(5));
    let line = Graph::of((0..12).map(|at| next(at).collect()).collect(), |_| 0);
    let folded = Setup::of(Copies::of(&line)).numbered(Copies::of(&line)).erased();
    assert_eq!(folded.solve(&job, true, &|_| {}).unwrap().summary.unwrap().counts.positions, 10);
    let reached = folded.stats(&job, false).unwrap();
    assert_eq!((reached.counts.positions, reached.orbits.unwrap().positions), (10, 10));
    let all = folded.stats(&job, true).unwrap();
    assert_eq!((all.counts.positions, all.orbits.unwrap().positions), (24, 12));
    let broken: Vec<_> =
        folded.check(&job, 1).unwrap().into_iter().filter_map(|c| c.broken).collect();
    assert_eq!(broken, Vec::<String>::new());
    let walked = rounds(&Copies::of(&line));
    assert_eq!(walked.len(), 10);
    let solution = solve_with(&Copies::of(&line), Copies::of(&line)).unwrap();
    assert!(walked.into_iter().all(|(at, value)| solution.value(&at) == Some(value)));
}

/// A heap from which one, two or three are taken; the last to take wins. A tier for each size, the full heap first.
fn heap(size: u32) -> (Graph, Vertices) {
    let moves = (0..=size).map(|taken| (taken + 1..=(taken + 3).min(size)).collect()).collect();
    let heap = Graph::of(moves, |taken| taken);
    let sizes = Vertices::tiered(&heap);
    (heap, sizes)
}

/// Knows that multiples of four are lost, two moves for each four; `slip` is told wrongly.
struct Fours {
    size: u32,
    slip: Option<u32>,
}

impl Kernel<u8> for Fours {
    fn sweep(
        &self,
        tier: u32,
        _from: u64,
        _later: &Tiers,
        out: &mut [u8],
    ) -> Result<(), SolveError> {
        let at = self.size - tier;
        let value = match at % 4 {
            0 => Value::Loss(at / 2),
            _ => Value::Win(at / 4 * 2 + 1),
        };
        let value = if self.slip == Some(at) { Value::Draw } else { value };
        out[0] = u8::pack(value).ok_or(SolveError::TooFar)?;
        Ok(())
    }
}

#[test]
fn a_kernel_is_used_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("heap");
    let watch = &crabwise::watch::Unwatched;
    let job = crabwise::Job { game: "heap", table: &table, memory: u64::MAX, watch };
    for (size, slip) in [(40, None), (40, Some(7)), (240, None)] {
        let kernel = Fours { size, slip };
        let (heap, sizes) = heap(size);
        let game = Setup::of(heap).numbered(sizes).kernel(kernel).erased();
        let broken = game.check(&job, 1).unwrap().into_iter().find_map(|done| done.broken);
        assert_eq!(broken.is_some(), slip.is_some(), "{broken:?}");
        let solved = game.solve(&job, true, &|_| {});
        if slip.is_some() {
            let refused = solved.unwrap_err().to_string();
            assert!(refused.contains("by the rules, and it says draw"), "{refused}");
            assert!(!table.exists());
            continue;
        }
        let solved = solved.unwrap();
        assert_eq!(solved.plan.unwrap().solver, Solver::Kernel);
        // Where the kernel's bytes are too narrow, wider words take over.
        let value = if size == 40 { Value::Loss(20) } else { Value::Loss(120) };
        assert_eq!(solved.start, value);
        assert!(game.verify(&job, None).unwrap().ok());
        std::fs::remove_file(&table).unwrap();
    }
}

fn job(table: &Path) -> Job<'_> {
    Job { game: "graph", table, memory: u64::MAX, watch: &Unwatched }
}

/// A game solved with distances and without. Both tables are whole, and count the same.
fn solved_twice(folder: &Path, make: impl Fn() -> ErasedGame) -> [(Solved, Table); 2] {
    let games = [("told", make()), ("untold", make().outcomes().unwrap())];
    let [(told, counts), (untold, others)] = games.map(|(name, game)| {
        let path = folder.join(name);
        let job = job(&path);
        let solved = game.solve(&job, true, &|_| {}).unwrap();
        assert!(game.verify(&job, None).unwrap().ok());
        let counts = [false, true].map(|all| {
            let stats = game.stats(&job, all).unwrap();
            (stats.counts, stats.orbits, stats.moves)
        });
        let found = (solved, Table::open(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        (found, counts)
    });
    assert_eq!(counts, others);
    assert_eq!(told.0.summary.unwrap().counts, untold.0.summary.unwrap().counts);
    assert_eq!(told.0.start.without_distance(), untold.0.start);
    [told, untold]
}

/// Every move leads to a later tier, and tiers have more vertices than a word has bits.
fn tiered(seed: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let (n, spread) = (random.u32(1..600), random.u32(2..6));
    let mut tiers: Vec<u32> = (0..n).map(|_| random.u32(0..spread)).collect();
    tiers.sort();
    let often_again = random.bool();
    let moves = (0..n).map(|v| {
        let later = tiers.partition_point(|tier| *tier <= tiers[v as usize]) as u32;
        let count = if later < n { random.usize(0..5) } else { 0 };
        let mut out: Vec<(u32, bool)> = (0..count)
            .map(|_| (random.u32(later..n), often_again && random.u8(0..4) == 0))
            .collect();
        out.sort();
        out.dedup_by_key(|(to, _)| *to);
        out
    });
    let moves = moves.collect();
    Graph { moves, ends: ends(&mut random, n), tiers }
}

#[test]
fn outcomes_alone_agree_with_values_on_random_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Seen::default();
    for seed in 0..150 {
        let game = tiered(seed);
        println!("seed {seed}");
        let make = || Setup::of(game.clone()).numbered(Vertices::tiered(&game)).erased();
        let [(_, told), (_, untold)] = solved_twice(folder.path(), make);
        for tier in 0..told.identity().tiers {
            let words = untold.tier(tier).unwrap();
            assert!(matches!(words, TierValues::OutcomePlanes(_)), "seed {seed}");
            for index in 0..told.len(tier) {
                let slot = Slot { tier, index };
                let value = told.get(slot).unwrap().map(Value::without_distance);
                assert_eq!(untold.get(slot).unwrap(), value, "seed {seed}, {slot}");
                assert_eq!(words.get(index), value, "seed {seed}, {slot}");
                value.into_iter().for_each(|value| seen.add(value));
            }
        }
    }
    assert!([0, 1, 3].iter().all(|&i| seen.0[i] > 2000), "{:?}", seen.0);
}

/// A walk finds out whether ways of different lengths meet, and only where they do not are there tiers.
#[test]
fn walked_games_keep_outcomes_where_their_tiers_allow_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut kept, mut refused) = (0, 0);
    for seed in 0..300 {
        let game = Graph::random(seed, false);
        println!("seed {seed}");
        let table = folder.path().join("tried");
        let job = job(&table);
        let tried = Setup::of(game.clone()).erased().outcomes().unwrap();
        match tried.solve(&job, true, &|_| {}) {
            Ok(_) => {
                std::fs::remove_file(&table).unwrap();
                let [(_, told), (_, untold)] =
                    solved_twice(folder.path(), || Setup::of(game.clone()).erased());
                for tier in 0..told.identity().tiers {
                    for slot in (0..told.len(tier)).map(|index| Slot { tier, index }) {
                        let value = told.get(slot).unwrap().map(Value::without_distance);
                        assert_eq!(untold.get(slot).unwrap(), value, "seed {seed}, {slot}");
                    }
                }
                kept += 1;
            }
            Err(SolveError::Circles) => {
                assert!(matches!(tried.plan(&job), Err(SolveError::Circles)), "seed {seed}");
                assert!(!table.exists(), "seed {seed}");
                refused += 1;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(kept > 50 && refused > 50, "{kept} kept, {refused} refused");
    let loopy = Graph::random(1, true);
    let numbered = Setup::of(loopy.clone()).numbered(Vertices::of(&loopy, true)).erased();
    assert!(numbered.outcomes().is_err_and(|line| line.contains("in circles")));
}

/// Long before its walk finds out that ways of different lengths meet, a graph may look as if they did not.
#[test]
fn a_walk_finds_each_position_once_however_late_ways_meet() {
    let mut random = fastrand::Rng::with_seed(7);
    for (layers, wide, cycle, shortcut) in [
        (3000, 1, true, false),
        (3000, 1, false, true),
        (40, 300, true, false),
        (40, 300, false, true),
    ] {
        let mut moves: Vec<Vec<u32>> = vec![(1..=wide).collect()];
        for layer in 1..layers {
            let next = 1 + layer * wide;
            for _ in 0..wide {
                let mut to: Vec<u32> = (0..3).map(|_| next + random.u32(0..wide)).collect();
                to.push(next + moves.len() as u32 % wide);
                moves.push(to);
            }
        }
        let last = 1 + (layers - 1) * wide;
        for vertex in last..last + wide {
            let other = if vertex == last && wide > 1 { last + 1 } else { vertex - 1 };
            moves.push(if cycle && vertex < last + 2 { vec![other] } else { vec![] });
        }
        if shortcut {
            moves[0].push(last);
        }
        // What the first vertex reaches, by the definition.
        let (mut reached, mut open) = (vec![false; moves.len()], vec![0]);
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at as usize], true) {
                open.extend(&moves[at as usize]);
            }
        }
        let wanted = reached.iter().filter(|reached| **reached).count() as u64;
        let graph = Graph::of(moves, |_| 0);
        let truth = rounds(&graph);
        let walked = solve(&graph).unwrap();
        let tiers = walked.index.tiers();
        assert_eq!(walked.index.total(), wanted, "{layers} layers of {wide}");
        assert_eq!(tiers == 1, shortcut || cycle, "{tiers} tiers");
        for (at, value) in truth {
            assert_eq!(walked.value(&at), Some(value), "{layers} layers of {wide}, at {at}");
        }
    }
}

/// Takes the outcome of a heap from the heaps that are left, in whichever form those are kept; where only
/// outcomes are, its distances are made up.
struct Reader {
    size: u32,
    slip: Option<u32>,
}

impl Kernel<u8> for Reader {
    fn sweep(
        &self,
        tier: u32,
        _from: u64,
        later: &Tiers,
        out: &mut [u8],
    ) -> Result<(), SolveError> {
        let at = self.size - tier;
        let left = (1..=at.min(3)).filter_map(|take| match later.tier(tier + take)? {
            TierValues::OutcomePlanes(planes) => {
                match (planes.unlost()[0] & 1, planes.decided()[0] & 1) {
                    (0, 1) => Some(Value::Win(1)),
                    _ => Some(Value::Loss(at)),
                }
            }
            words => Some(words.get(0)?.back(false)),
        });
        let value = left.max().unwrap_or(Value::Loss(0));
        let told = later.tier(tier + 1).is_some_and(|words| words.have_distances());
        let value = if self.slip == Some(at) && !told { Value::Tie(1) } else { value };
        out[0] = u8::pack(value).ok_or(SolveError::TooFar)?;
        Ok(())
    }

    fn reads_outcomes(&self) -> bool {
        true
    }
}

#[test]
fn a_kernel_reads_outcomes_only_if_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("heap");
    let job = job(&table);
    let set_up = |size| {
        let (heap, sizes) = heap(size);
        Setup::of(heap).numbered(sizes)
    };
    // A heap of 240 is further from its end than a byte can tell, and that does not matter.
    for (size, slip) in [(40, None), (40, Some(7)), (240, None)] {
        let game = set_up(size).kernel(Reader { size, slip }).erased();
        let broken = |game: &ErasedGame| {
            game.check(&job, 1).unwrap().into_iter().find_map(|done| done.broken)
        };
        // With distances it is right, and only a look at outcomes finds the slip.
        assert_eq!(broken(&game).is_some(), slip.is_some());
        let game = game.outcomes().unwrap();
        assert_eq!(broken(&game).is_some(), slip.is_some());
        let solved = game.solve(&job, true, &|_| {});
        if slip.is_some() {
            let refused = solved.unwrap_err().to_string();
            assert!(refused.contains("by the rules, and it says tie"), "{refused}");
            continue;
        }
        assert_eq!(solved.unwrap().plan.unwrap().solver, Solver::Kernel);
        assert!(game.verify(&job, None).unwrap().ok());
        std::fs::remove_file(&table).unwrap();
    }
    let game = set_up(40).kernel(Fours { size: 40, slip: None }).erased().outcomes().unwrap();
    let plan = game.solve(&job, true, &|_| {}).unwrap().plan.unwrap();
    assert_eq!((plan.solver, plan.without_distances), (Solver::Sweep, None));
    assert!(plan.to_string().contains(" outcomes only, because "), "{plan}");
    assert!(game.verify(&job, None).unwrap().ok());
}

#[test]
fn a_table_with_distances_is_not_one_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap");
    let job = job(&path);
    let make = || {
        let (heap, sizes) = heap(9);
        Setup::of(heap).numbered(sizes).erased()
    };
    make().solve(&job, true, &|_| {}).unwrap();
    let error = make().outcomes().unwrap().solve(&job, true, &|_| {}).unwrap_err().to_string();
    let both = "is of 'graph' (rules 1, numbering 'vertices', distances), not of \
                'graph' (rules 1, numbering 'vertices', outcomes only)";
    assert!(error.contains(both), "{error}");
}
