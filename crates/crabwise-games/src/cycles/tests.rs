//! Boards of known value, theorems over ranges, and random boards against the definitions.

use std::{collections::HashMap, sync::Arc};

use crabwise::{
    ErasedGame, Game, Job, Outcome, Setup, Studied, Summed, Value, analysis::sums::Sums,
    watch::Unwatched,
};
use crabwise_graphfile::Limits;
use crabwise_planar::{PlaneGraph, drawing::plane_graph, families, read};
use serde_json::Value as Json;

use super::{
    kernel::Sweep,
    numbering::{Numbering, Reachable},
    rows::Rows,
    rules::{Arrow, Cells, Cycles, Marks},
};

/// Boards with what three independent solvers found.
const FACTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cycles-boards.json"));

/// The boards of the facts, read from their game tables, with what is known of them.
fn facts(which: &str) -> Vec<(PlaneGraph, Json)> {
    let facts: Json = serde_json::from_str(FACTS).unwrap();
    let board = |fact: &Json| {
        let table = fact["game_table"].to_string();
        (read("facts.table", &mut table.as_bytes(), None, &Limits::NONE).unwrap(), fact.clone())
    };
    facts[which].as_array().unwrap().iter().map(board).collect()
}

fn on(board: PlaneGraph, leaf_exempt: bool) -> Cycles {
    Cycles::new(Arc::new(board), leaf_exempt, Cells::Faces).unwrap()
}

fn family(name: &str) -> Cycles {
    on(families::named(name).unwrap().unwrap().1, false)
}

/// The nimber by search; `None` where a cell is closed or one edge short.
fn nimber(game: &Cycles, at: &Marks) -> Option<u32> {
    let sum = game.sum(at)?;
    Some(Sums::new(game.summands(), 1 << 22).nimber(&sum, &Unwatched).unwrap())
}

/// Whether the player to move wins, by search.
fn wins(game: &Cycles, at: &Marks) -> bool {
    if game.over(at).is_some() {
        return false;
    }
    let Some(sum) = game.sum(at) else { return true };
    !Sums::new(game.summands(), 1 << 22).is(&sum, 0, &Unwatched).unwrap()
}

fn winning(game: &Cycles, at: &Marks) -> Vec<Arrow> {
    let moves = game.moves(at).into_iter();
    moves.filter(|arrow| !wins(game, &game.play(at, arrow.clone()))).collect()
}

/// The nimber over safe moves, by its definition.
fn slow(game: &Cycles, at: &Marks, known: &mut HashMap<Marks, u32>) -> u32 {
    if let Some(&nimber) = known.get(at) {
        return nimber;
    }
    let children = game.moves(at).into_iter().map(|arrow| game.play(at, arrow));
    let safe = children.filter(|to| game.short(to).is_empty()).collect::<Vec<_>>();
    let options: Vec<u32> = safe.iter().map(|to| slow(game, to, known)).collect();
    let nimber = (0..).find(|n| !options.contains(n)).unwrap();
    known.insert(*at, nimber);
    nimber
}

/// The whole of a game, ready to be solved into a table.
fn whole(game: Cycles) -> ErasedGame {
    let rows = Arc::new(Rows::new(&game));
    let numbering = Numbering::new(game.clone(), rows.clone());
    let setup = Setup::of(game).numbered(numbering).kernel(Sweep(rows.clone()));
    setup.spreading(Reachable(rows)).erased()
}

/// The first moves that win as the facts have them: edge from 1 on, and direction.
fn first_moves(result: &Json) -> Vec<(usize, bool)> {
    let moves = result["winning_first_moves"].as_array().unwrap().iter();
    let mut moves: Vec<(usize, bool)> = moves
        .map(|one| (one["edge"].as_u64().unwrap() as usize - 1, one["direction"] == 1))
        .collect();
    moves.sort_unstable();
    moves
}

#[test]
fn search_agrees_with_all_boards_of_the_facts() {
    for (board, fact) in facts("boards") {
        let (name, result) = (&fact["name"], &fact["result"]);
        let game = on(board.clone(), false);
        let start = game.start();
        assert_eq!(wins(&game, &start), result["outcome"] == "N", "{name}");
        let found = nimber(&game, &start).map(u64::from);
        assert_eq!(found, result["grundy_safe"].as_u64(), "{name}");
        let won = winning(&game, &start);
        let mut found: Vec<(usize, bool)> = won.iter().map(|a| (a.edge, a.forward)).collect();
        found.sort_unstable();
        assert_eq!(found, first_moves(result), "{name}");
        if let Some(exempt) = fact.get("result_leaf_exempt") {
            let game = on(board, true);
            assert_eq!(wins(&game, &start), exempt["outcome"] == "N", "{name} leaf-exempt");
            let found = nimber(&game, &start).map(u64::from);
            assert_eq!(found, exempt["grundy_safe"].as_u64(), "{name} leaf-exempt");
            let found = winning(&game, &start).len() as u64;
            assert_eq!(Some(found), exempt["n_winning_first_moves"].as_u64(), "{name}");
        }
    }
    for (board, fact) in facts("large_boards_outcome_only") {
        let edges = board.edges.len();
        // An odd wheel takes a second or two in a build for tests.
        if fact["name"] != "Wheel9" {
            let game = on(board, false);
            assert_eq!(wins(&game, &game.start()), fact["outcome"] == "N", "{edges} edges");
        }
    }
}

#[test]
fn tables_agree_with_the_boards_of_the_facts() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (board, fact)) in facts("boards").into_iter().enumerate() {
        // Larger ones are solved by the bench.
        if board.edges.len() > 13 {
            continue;
        }
        let (name, result) = (&fact["name"], &fact["result"]);
        let table = folder.path().join(format!("{i}.crab"));
        let job = Job { game: "cycles", table: &table, memory: 1 << 30, watch: &Unwatched };
        let edges = board.edges.len();
        let game = whole(on(board, false));
        let solved = game.solve(&job, true, &|_| {}).unwrap();
        let n = |what: &str| result[what].as_u64().unwrap();
        let (reached, all) = (game.stats(&job, false).unwrap(), game.stats(&job, true).unwrap());
        assert_eq!(reached.counts.positions, n("reachable"), "{name}");
        assert_eq!(all.counts.positions, n("legal_markings"), "{name}");
        assert_eq!(reached.moves, n("moves_total"), "{name}");
        assert_eq!(reached.counts.terminal, n("stuck_ends") + n("cycle_ends"), "{name}");
        let distance = n("remoteness") as u32;
        let won = result["outcome"] == "N";
        let start = if won { Value::Win(distance) } else { Value::Loss(distance) };
        assert_eq!(solved.start, start, "{name}");
        let start = game.open(&job).unwrap().look(&[]).unwrap();
        let best = start.moves.iter().filter(|one| matches!(one.value, Value::Win(_))).count();
        assert_eq!(best, first_moves(result).len(), "{name}");
        if edges < 9 {
            for checked in game.check(&job, 1).unwrap() {
                assert!(checked.broken.is_none(), "{name}: {checked:?}");
            }
        }
    }
}

#[test]
fn theorems_hold_over_ranges() {
    let boards = (3..=12).map(|n| format!("cycle={n}"));
    let boards = boards.chain((5..=10).flat_map(|n| (3..n).map(move |k| format!("chord={n},{k}"))));
    let boards = boards.chain((4..=9).map(|n| format!("ear={n}")));
    let legs = [[1, 1, 1], [1, 1, 3], [3, 3, 3], [1, 3, 5], [3, 3, 5], [5, 5, 5]];
    let boards = boards.chain(legs.map(|[a, b, c]| format!("spider={a},{b},{c}")));
    let named = ["k4", "bowtie", "nested=3,3", "grid=3x3", "ladder=2x6", "ladder=2x7", "wheel=8"];
    for name in boards.chain(named.map(String::from)) {
        let game = family(&name);
        let wins = wins(&game, &game.start());
        let proven = game.theory().predictions.into_iter().filter(|one| one.proven);
        let proven: Vec<_> = proven.collect();
        assert!(!proven.is_empty(), "nothing is known of {name}");
        for one in proven {
            assert_eq!(one.outcome == Outcome::Win, wins, "{name}: {}", one.by);
        }
    }
    assert_eq!(nimber(&family("fan=4"), &Marks::default()), Some(0));
}

#[test]
fn trees_with_exempt_leaves_are_decided_by_their_edges() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..40 {
        let n = random.usize(2..=11);
        let edges: Vec<String> =
            (1..n).map(|v| format!("{} {}", v + 1, random.usize(0..v) + 1)).collect();
        let text = edges.join("\n");
        let board = read("tree.edges", &mut text.as_bytes(), None, &Limits::NONE).unwrap();
        let game = on(board, true);
        assert_eq!(wins(&game, &game.start()), (n - 1) % 2 == 1, "{text}");
        let theory = game.theory().predictions;
        assert!(theory.iter().any(|one| one.proven && one.by.contains("Barua")), "{text}");
    }
}

/// A random plane board: some edges of a triangulated grid, twisted a little.
fn random_board(random: &mut fastrand::Rng, most: usize) -> PlaneGraph {
    let (rows, columns) = (random.usize(2..=4), random.usize(2..=4));
    let at = |r: usize, c: usize| r * columns + c;
    let mut edges = vec![];
    for r in 0..rows {
        for c in 0..columns {
            if c + 1 < columns {
                edges.push([at(r, c), at(r, c + 1)]);
            }
            if r + 1 < rows {
                edges.push([at(r, c), at(r + 1, c)]);
            }
            if r + 1 < rows && c + 1 < columns && random.bool() {
                edges.push(match random.bool() {
                    true => [at(r, c), at(r + 1, c + 1)],
                    false => [at(r, c + 1), at(r + 1, c)],
                });
            }
        }
    }
    random.shuffle(&mut edges);
    edges.truncate(random.usize(1..=most));
    let mut place = |v: usize| {
        [(v % columns) as f64 + random.f64() / 5.0, (v / columns) as f64 + random.f64() / 5.0]
    };
    let mut places: Vec<[f64; 2]> = (0..rows * columns).map(&mut place).collect();
    // Longer paths, for which parts are known by other keys.
    for i in 0..edges.len() {
        if edges.len() < most && random.bool() {
            let [u, v] = edges[i];
            places.push([0, 1].map(|axis| (places[u][axis] + places[v][axis]) / 2.0));
            edges[i] = [u, places.len() - 1];
            edges.push([places.len() - 1, v]);
        }
    }
    // Vertices without edges would hide that most vertices lie on paths.
    let used: Vec<usize> = (0..places.len()).filter(|v| edges.as_flattened().contains(v)).collect();
    let names = (1..=used.len()).map(|v| v.to_string()).collect();
    let number = |v: usize| used.iter().position(|&other| other == v).unwrap();
    let edges: Vec<[usize; 2]> = edges.iter().map(|edge| edge.map(number)).collect();
    let places = used.iter().map(|&v| places[v]).collect();
    plane_graph(names, places, &edges).unwrap()
}

/// A random game on it, and a position after some random moves.
fn random_game(random: &mut fastrand::Rng, most: usize) -> (Cycles, Marks) {
    let board = Arc::new(random_board(random, most));
    let cells = if random.u8(..4) == 0 { Cells::Chordless } else { Cells::Faces };
    let game = Cycles::new(board, random.bool(), cells).unwrap();
    let mut at = game.start();
    for _ in 0..random.usize(0..4) {
        let moves: Vec<Arrow> = game.moves(&at).into_iter().collect();
        if game.over(&at).is_none() {
            at = game.play(&at, moves[random.usize(0..moves.len())].clone());
        }
    }
    (game, at)
}

#[test]
fn search_agrees_with_the_definition_on_random_boards() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..300 {
        let (game, at) = random_game(&mut random, 9);
        let expected = slow(&game, &at, &mut HashMap::new());
        match nimber(&game, &at) {
            Some(nimber) => assert_eq!(nimber, expected, "{:?} {at:?}", game.board),
            None => assert!(game.closed(&at) || !game.short(&at).is_empty(), "{:?}", game.board),
        }
        let solution = crabwise::solve(&game).unwrap();
        let value = solution.value(&at).unwrap();
        assert_eq!(wins(&game, &at), matches!(value, Value::Win(_)), "{:?} {at:?}", game.board);
    }
}

#[test]
fn tables_agree_with_the_rules_on_random_boards() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    for i in 0..40 {
        let (game, _) = random_game(&mut random, 8);
        let text = format!("{:?}", game.board);
        let table = folder.path().join(format!("{i}.crab"));
        let job = Job { game: "cycles", table: &table, memory: 1 << 30, watch: &Unwatched };
        for checked in whole(game).check(&job, seed).unwrap() {
            assert!(checked.broken.is_none(), "{checked:?} {text}");
        }
    }
}

#[test]
fn symmetries_are_all_permutations_that_keep_edges_and_cells() {
    let all = |n: usize| {
        let mut all = vec![vec![]];
        for _ in 0..n {
            let longer = |one: Vec<usize>| {
                let free = (0..n).filter(|v| !one.contains(v)).collect::<Vec<_>>();
                free.into_iter().map(move |v| [&one[..], &[v]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    };
    for name in ["k4", "wheel=5", "bowtie", "nested=3,3", "theta=1,2,3", "star=4", "ladder=2x3"] {
        let game = family(name);
        let edge = |[u, v]: [usize; 2]| {
            (game.board.edges.iter()).position(|e| *e == [u, v] || *e == [v, u])
        };
        let kept = |to: &Vec<usize>| {
            let image = |e: usize| edge(game.board.edges[e].map(|v| to[v]));
            let forward = |e: usize| {
                game.board.edges[e].map(|v| to[v]) == game.board.edges[image(e).unwrap()]
            };
            (0..game.board.edges.len()).all(|e| image(e).is_some())
                && game.cells.iter().all(|cell| {
                    let mut to: Vec<(usize, bool)> = cell
                        .iter()
                        .map(|&(e, way)| (image(e).unwrap(), way == forward(e)))
                        .collect();
                    to.sort_unstable();
                    let turned: Vec<_> = to.iter().map(|&(e, way)| (e, !way)).collect();
                    game.cells.iter().any(|other| *other == to || *other == turned)
                })
        };
        let mut slow: Vec<Vec<usize>> =
            all(game.board.names.len()).into_iter().filter(kept).collect();
        let mut found: Vec<Vec<usize>> =
            game.symmetries().iter().map(|s| s.vertices.clone()).collect();
        assert!(game.symmetries()[0].is_identity());
        slow.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, slow, "{name}");
    }
}

#[test]
fn positions_are_read_as_they_are_written() {
    let game = family("k4");
    let at = game.play(&game.start(), game.moves(&game.start()).into_iter().nth(3).unwrap());
    assert_eq!(game.notation(&at), "0,-1,0,0,0,0");
    for text in ["0,-1,0,0,0,0", "[0,-1,0,0,0,0]", "[0, -1, 0, 0, 0, 0]"] {
        assert_eq!(game.read(text), Some(Ok((at, 1))));
    }
    assert_eq!(game.read("1-2"), None);
    let wrong = |text| game.read(text).unwrap().unwrap_err();
    assert_eq!(wrong("0,1"), "it has 2 numbers, and the board 6 edges");
    assert_eq!(wrong("0,1,0,0,0,2"), "'2' for edge 3–4 is none of 0, 1 and -1");
    let told = wrong("0,1,0,0,0,\u{1b}[31m");
    assert_eq!(told, "'\\u{1b}[31m' for edge 3–4 is none of 0, 1 and -1");
    assert_eq!(wrong("1,1,1,0,0,0"), "vertex 1 is a source");
    assert_eq!(wrong("-1,-1,-1,0,0,0"), "vertex 1 is a sink");
}

/// What the paper says of its table, on all boards of the facts and at random positions.
#[test]
fn signed_tables_are_read_as_they_are_written() {
    let seed = 20_261_119;
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for (board, _) in facts("boards") {
        let game = on(board, false);
        let mut at = game.start();
        loop {
            let table = game.signed_table(&at);
            let depth = at.marked.count_ones();
            assert_eq!(game.read(&table), Some(Ok((at, depth))), "{table}");
            assert_eq!(
                game.read(&table.replace(',', ",\n ").replace('-', "−")),
                Some(Ok((at, depth)))
            );
            let marked = table.matches(['+', '-']).count();
            assert_eq!(marked as u32, 2 * depth, "each marked edge has two signs: {table}");
            if game.over(&at).is_some() {
                break;
            }
            let moves: Vec<Arrow> = game.moves(&at).into_iter().collect();
            at = game.play(&at, moves[random.usize(..moves.len())].clone());
        }
    }
    let game = family("cycle=3");
    let at = game.read("1,0,1").unwrap().unwrap().0;
    assert_eq!(game.signed_table(&at), "[[+2,3],[+3,-1],[1,-2]]");
    let wrong = |text: &str| game.read(text).unwrap().unwrap_err();
    for (text, why) in [
        ("[[+2,3],[+3,-1]]", "it has not the 3 rows of 2 entries of the board's table"),
        ("[[+3,3],[+3,-1],[1,-2]]", "row 1, column 1: 3, and the board's table has 2"),
        ("[[+2,0],[+3,-1],[1,-2]]", "row 1, column 2: 0, and the board's table has 3"),
        (
            "[[+2,3],[+3,+1],[1,-2]]",
            "row 2, column 2: the two entries of the edge 1–2 disagree; a marked one has + where its arrow runs \
             along the entry and - at the other",
        ),
        ("[[+2,3],[+3,-1],[1,x]]", "'x' is no entry of a table"),
        ("[[2,3],[3,1],[1,-0]]", "0 stands for no vertex and has no sign"),
        (
            "[[+2,-3],[+3,-1],[1,-2]]",
            "row 3, column 1: the two entries of the edge 1–3 disagree; a marked one has + \
         where its arrow runs along the entry and - at the other",
        ),
        ("[[+2,-3],[-3,-1],[-1,+2]]", "row 3, column 1: the two entries"),
        ("[[1,2", "a table is written [[2,-3],[…]], with a row for each vertex"),
    ] {
        assert!(wrong(text).starts_with(why), "{text}: {}", wrong(text));
    }
    assert_eq!(wrong("[[+2,+3],[3,-1],[-1,2]]"), "vertex 1 is a source");
    // A vertex that is on a face several times has a list.
    let game = family("bowtie");
    let table = game.signed_table(&game.start());
    assert!(table.contains("[["), "{table}");
    assert_eq!(game.read(&table), Some(Ok((game.start(), 0))));
}

/// Every arrow at an unmarked edge is a move or is barred, and what it is barred for is so.
#[test]
fn what_is_barred_would_make_a_sink_or_a_source() {
    let seed = 20_261_120;
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for (board, _) in facts("boards") {
        let game = on(board, false);
        let mut at = game.start();
        loop {
            let moves: Vec<Arrow> = game.moves(&at).into_iter().collect();
            let barred = game.barred(&at);
            let unmarked = game.board.edges.len() - at.marked.count_ones() as usize;
            if game.closed(&at) {
                assert!(barred.is_empty());
                break;
            }
            assert_eq!(moves.len() + barred.len(), 2 * unmarked);
            for (arrow, why) in &barred {
                let after = game.play(&at, arrow.clone());
                let arrows = |v: usize, end: usize| {
                    let ends =
                        game.board.edges.iter().enumerate().filter(|(_, ends)| ends.contains(&v));
                    let ends = ends.map(|(e, _)| {
                        let marked = after.marked >> e & 1 == 1;
                        marked.then(|| {
                            Arrow::new(&game.board, e, after.forward >> e & 1 == 1).ends()[end]
                        })
                    });
                    ends.collect::<Vec<_>>().iter().all(|end| *end == Some(v))
                };
                let mut told = vec![];
                for v in game.board.edges[arrow.edge] {
                    let name = &game.board.names[v];
                    told.extend(arrows(v, 1).then(|| format!("a sink at {name}")));
                    told.extend(arrows(v, 0).then(|| format!("a source at {name}")));
                }
                assert_eq!(*why, format!("would make {}", told.join(" and ")));
            }
            if moves.is_empty() {
                break;
            }
            at = game.play(&at, moves[random.usize(..moves.len())].clone());
        }
    }
}

#[test]
fn chordless_cycles_are_found() {
    let cells = |name: &str| {
        let board = Arc::new(families::named(name).unwrap().unwrap().1);
        let game = Cycles::new(board, false, Cells::Chordless);
        game.map(|game| game.cells.len())
    };
    // A grid of two squares has no further one; three squares in a row neither.
    assert_eq!(cells("cycle=5"), Ok(1));
    assert_eq!(cells("k4"), Ok(4));
    assert_eq!(cells("ladder=2x4"), Ok(3));
    assert_eq!(cells("grid=3x3"), Ok(5));
    assert_eq!(cells("wheel=5"), Ok(6));
    assert_eq!(cells("cube"), Ok(10));
}

/// Whether a drawing shows a cell that is one edge short, and the arrow that closes it.
#[test]
fn cells_that_are_one_edge_short_are_known() {
    let game = family("cycle=3");
    let (at, _) = game.read("1,0,1").unwrap().unwrap();
    let short: Vec<String> = game.short(&at).iter().map(|(_, arrow)| arrow.to_string()).collect();
    assert_eq!(short, ["3→1"]);
    let shown = "cells:    1-2-3\noutside:  1-3-2\nmarked:   1→2 2→3\nunmarked: 1–3\nclosing:  3→1";
    assert_eq!(game.show(&at), shown);
    assert_eq!(nimber(&game, &at), None);
    assert!(wins(&game, &at));
}
