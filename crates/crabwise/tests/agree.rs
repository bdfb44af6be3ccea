//! Every solver must agree with the slow truths, on thousands of random graphs: ends of all three
//! kinds, moves that keep the turn, loops, dead ends, tiers.

use std::collections::HashMap;

use crabwise::{
    Game, Index, Kernel, Outcome, Setup, Slot, Solver, TierError, Tiers, Unplay, Value, Word,
    solve,
    solve::reference::{reference, rounds},
    solve_with,
    verify::derive,
};

mod tictactoe {
    include!("../examples/tictactoe.rs");

    #[test]
    fn the_front_page_example_runs() {
        main().unwrap();
        let solution = crabwise::solve(&TicTacToe).unwrap();
        assert_eq!(solution.start(), crabwise::Value::Tie(9));
        let oracle = crabwise::solve::reference::reference(&TicTacToe);
        assert_eq!(oracle.len(), 5478);
        for (at, value) in oracle {
            assert_eq!(solution.value(&at), Some(value));
        }
    }
}

/// A game that is nothing but a graph.
#[derive(Clone, Debug)]
struct Graph {
    /// Where the moves lead; `true` if the mover moves again.
    moves: Vec<Vec<(u32, bool)>>,
    /// How it ends where there are no moves.
    ends: Vec<Outcome>,
    /// Tiers of vertices, rising along moves.
    tiers: Vec<u32>,
}

impl Graph {
    /// With `loops`, moves go anywhere inside a tier or to a later one; without, only forwards.
    fn random(seed: u64, loops: bool) -> Graph {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.u32(1..60);
        let spread = random.u32(1..5);
        let mut tiers: Vec<u32> = (0..n).map(|_| random.u32(0..spread)).collect();
        tiers.sort();
        let (often_again, degree) = (random.bool(), random.usize(1..5));
        let mut moves = vec![];
        for v in 0..n {
            let first = tiers.iter().position(|tier| *tier == tiers[v as usize]).unwrap() as u32;
            let from = if loops { first } else { v + 1 };
            let mut out = vec![];
            if from < n {
                for _ in 0..random.usize(0..=degree) {
                    out.push((random.u32(from..n), often_again && random.u8(0..4) == 0));
                }
            }
            // Whether the mover goes on is a matter of the two positions, not of the move.
            out.sort();
            out.dedup_by_key(|(to, _)| *to);
            moves.push(out);
        }
        let end =
            |_| [Outcome::Loss, Outcome::Loss, Outcome::Tie, Outcome::Win][random.usize(0..4)];
        let ends = (0..n).map(end).collect();
        Graph { moves, ends, tiers }
    }
}

impl Game for Graph {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, &at: &u32) -> impl IntoIterator<Item = u32> {
        self.moves[at as usize].iter().map(|(to, _)| *to)
    }

    fn play(&self, _at: &u32, to: u32) -> u32 {
        to
    }

    fn over(&self, &at: &u32) -> Option<Outcome> {
        self.moves[at as usize].is_empty().then(|| self.ends[at as usize])
    }

    fn again(&self, &from: &u32, to: &u32) -> bool {
        self.moves[from as usize].contains(&(*to, true))
    }
}

impl Unplay for Graph {
    fn unplay(&self, at: &u32) -> impl IntoIterator<Item = u32> {
        let leads = |from: &u32| self.moves[*from as usize].iter().any(|(to, _)| to == at);
        (0..self.moves.len() as u32).filter(leads).collect::<Vec<_>>()
    }
}

/// The vertices of a graph by tier, with a hole after each.
struct Vertices {
    by_tier: Vec<Vec<u32>>,
    slots: HashMap<u32, Slot>,
    loopy: bool,
}

impl Vertices {
    fn of(game: &Graph, loopy: bool) -> Vertices {
        let mut index = Vertices { by_tier: vec![], slots: HashMap::new(), loopy };
        for (v, &tier) in (0..).zip(&game.tiers) {
            // Without loops inside tiers every vertex is a tier of its own.
            let tier = if loopy { tier as usize } else { v as usize };
            index.by_tier.resize(index.by_tier.len().max(tier + 1), vec![]);
            let place = 2 * index.by_tier[tier].len() as u64;
            index.slots.insert(v, Slot { tier: tier as u32, index: place });
            index.by_tier[tier].push(v);
        }
        index
    }
}

impl Index<u32> for Vertices {
    fn tiers(&self) -> u32 {
        self.by_tier.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        2 * self.by_tier[tier as usize].len() as u64
    }

    fn slot(&self, at: &u32) -> Slot {
        self.slots[at]
    }

    fn position(&self, slot: Slot) -> Option<u32> {
        let place = slot.index.is_multiple_of(2).then_some(slot.index as usize / 2)?;
        Some(self.by_tier[slot.tier as usize][place])
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.loopy
    }

    fn name(&self) -> String {
        "vertices".into()
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
        let numbered = solve_with(&game, Vertices::of(&game, true)).unwrap();
        assert_eq!(walked.index.total(), truth.len() as u64, "seed {seed}");
        for (at, &value) in &truth {
            assert_eq!(walked.value(at), Some(value), "walked, seed {seed}, at {at}: {game:?}");
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
        let swept = solve_with(&game, Vertices::of(&game, false)).unwrap();
        for (at, &value) in &truth {
            assert_eq!(walked.value(at), Some(value), "walked, seed {seed}, at {at}: {game:?}");
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
        let recorded = Setup::of(game.clone()).numbered(Vertices::of(&game, true)).boxed();
        let unplayed =
            Setup::of(game.clone()).numbered(Vertices::of(&game, true)).reversible().boxed();
        let bytes = [("recorded", recorded), ("unplayed", unplayed)].map(|(name, game)| {
            let table = folder.path().join(name);
            let watch = &crabwise::watch::Unwatched;
            let job = crabwise::Job { game: "graph", table: &table, memory: u64::MAX, watch };
            game.solve(&job).unwrap();
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

/// A walker on a line of squares who keeps a direction; the mirror turns both around.
struct Walker(u32);

impl Game for Walker {
    type Position = (u32, bool);
    type Move = u32;

    fn start(&self) -> (u32, bool) {
        (2, true)
    }

    fn moves(&self, &(at, right): &(u32, bool)) -> impl IntoIterator<Item = u32> {
        let room = if right { self.0 - 1 - at } else { at };
        1..=room.min(2)
    }

    fn play(&self, &(at, right): &(u32, bool), step: u32) -> (u32, bool) {
        (if right { at + step } else { at - step }, right)
    }
}

/// Mirror images share a slot: the square counted in the walker's direction.
struct Mirrored(u32);

impl Index<(u32, bool)> for Mirrored {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.0.into()
    }

    fn slot(&self, &(at, right): &(u32, bool)) -> Slot {
        Slot { tier: 0, index: if right { at } else { self.0 - 1 - at }.into() }
    }

    fn position(&self, slot: Slot) -> Option<(u32, bool)> {
        Some((slot.index as u32, true))
    }

    fn alike(&self, &(at, right): &(u32, bool)) -> Vec<(u32, bool)> {
        vec![(at, right), (self.0 - 1 - at, !right)]
    }

    fn folds(&self) -> u32 {
        2
    }

    fn name(&self) -> String {
        "mirrored".into()
    }
}

/// The start is not its own mirror image, so half of each orbit is out of reach.
#[test]
fn a_folded_numbering_counts_what_is_reached_and_not_its_mirror_image() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("walker");
    let watch = &crabwise::watch::Unwatched;
    let job = crabwise::Job { game: "walker", table: &table, memory: u64::MAX, watch };
    let folded = Setup::of(Walker(10)).numbered(Mirrored(10)).boxed();
    assert_eq!(folded.solve(&job).unwrap().summary.counts.positions, 8);
    let reached = folded.stats(&job, false).unwrap();
    assert_eq!((reached.counts.positions, reached.orbits.unwrap().positions), (8, 8));
    let all = folded.stats(&job, true).unwrap();
    assert_eq!((all.counts.positions, all.orbits.unwrap().positions), (20, 10));
    let broken: Vec<_> =
        folded.check(&job, 1).unwrap().into_iter().filter_map(|c| c.broken).collect();
    assert_eq!(broken, Vec::<String>::new());
    let walked = rounds(&Walker(10));
    assert_eq!(walked.len(), 8);
    for (at, value) in walked {
        assert_eq!(solve_with(&Walker(10), Mirrored(10)).unwrap().value(&at), Some(value));
    }
}

/// A heap from which one, two or three are taken; the last to take wins.
struct Heap(u32);

impl Game for Heap {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.0
    }

    fn moves(&self, &at: &u32) -> impl IntoIterator<Item = u32> {
        1..=at.min(3)
    }

    fn play(&self, &at: &u32, take: u32) -> u32 {
        at - take
    }
}

/// A tier for each size, the full heap first.
struct Sizes(u32);

impl Index<u32> for Sizes {
    fn tiers(&self) -> u32 {
        self.0 + 1
    }

    fn len(&self, _tier: u32) -> u64 {
        1
    }

    fn slot(&self, &at: &u32) -> Slot {
        Slot { tier: self.0 - at, index: 0 }
    }

    fn position(&self, slot: Slot) -> Option<u32> {
        Some(self.0 - slot.tier)
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 3).min(self.0)
    }

    fn name(&self) -> String {
        "sizes".into()
    }
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
    ) -> Result<(), TierError> {
        let at = self.size - tier;
        let value = match at % 4 {
            0 => Value::Loss(at / 2),
            _ => Value::Win(at / 4 * 2 + 1),
        };
        let value = if self.slip == Some(at) { Value::Draw } else { value };
        out[0] = u8::pack(value).ok_or(TierError::TooFar)?;
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
        let game = Setup::of(Heap(size)).numbered(Sizes(size)).kernel(kernel).boxed();
        let solved = game.solve(&job).unwrap();
        assert_eq!(solved.plan.unwrap().solver, Solver::Kernel);
        // Where the kernel's bytes are too narrow, wider words take over.
        let value = if size == 40 { Value::Loss(20) } else { Value::Loss(120) };
        assert_eq!(solved.summary.start, value);
        assert_eq!(game.verify(&job, None).unwrap().ok(), slip.is_none());
        let broken = game.check(&job, 1).unwrap().into_iter().find_map(|done| done.broken);
        assert_eq!(broken.is_some(), slip.is_some(), "{broken:?}");
        std::fs::remove_file(&table).unwrap();
    }
}
