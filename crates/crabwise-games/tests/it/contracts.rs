//! Every game keeps its contracts: rules, numbering, un-moves, kernel, values.

use std::path::Path;

use crabwise::{Job, watch::Unwatched};
use crabwise_games::{Built, Registry};

const SEED: u64 = 20_260_101;

fn check(string: &str) {
    println!("{string}, seed {SEED}");
    let Built { string, game } = Registry::standard().build(string).unwrap();
    let job = Job { game: &string, table: Path::new(""), memory: 4 << 30, watch: &Unwatched };
    let done = game.check(&job, SEED).unwrap();
    assert!(done.len() >= 3);
    for contract in done {
        println!("  {contract:?}");
        assert_eq!(contract.broken, None, "{string}, {}, seed {SEED}", contract.contract);
    }
}

#[test]
fn every_registered_example_keeps_them() {
    Registry::standard().entries().iter().for_each(|entry| check(entry.example));
}

/// Sizes at the edge of what a game allows, and variants.
#[test]
fn so_do_games_of_unusual_sizes() {
    for string in [
        "mnk:1x1,1",
        "mnk:1x4,3",
        "mnk:3x3,2",
        "mnk:2x5,2",
        "hex:1x4",
        "hex:4x1",
        "dots-and-boxes:1x1",
        "nim:255",
        "nim:1-1-1-1-1-1-1-1",
        "kayles:1-2-3",
        "dawson:1",
        "chomp:1x15",
        "chomp:16x1",
        "cram:1x1",
        "domineering:26x1",
        "achi:4",
        "achi:4,no-diagonals",
        "achi:3,no-diagonals",
        "dodgem:2",
        "dodgem:4",
        "fox-and-hounds:4",
        "quixo:3,plain",
        "chess:KK",
        "draughts:3x4,2",
        "draughts:5x3,3",
        "draughts:6x4,2",
        "tokens:1",
        "tokens:9,take=3",
        "tokens:3,take=5",
        "black-hole:3,1",
        "black-hole:3,2,stuck=draw",
        "black-hole:3,3,falls,remove=3",
        "black-hole:3,3,unfolded",
        "black-hole:5,1,falls",
        "black-hole:5,4",
        "black-hole:7,1",
        "isolation:1x2",
        "isolation:1x12,first=a1,second=b1",
        "isolation:12x1",
        "isolation:2x5,removed=a1-b2",
        "isolation:3x3,unfolded",
        "isolation:3x3,first=a1,second=c3,removed=b2",
        "boxers:1x2",
        "boxers:1x5",
        "boxers:4x3",
        "boxers:9x9",
        "cruzados:2x3",
        "cruzados:3x3,adjacent,straight",
        "cycles:path=1",
        "cycles:path=1,leaf-exempt",
        "cycles:spider=1,2,2,leaf-exempt",
        "cycles:ladder=2x3,chordless",
        "cycles:cycle=3+nested=3,3",
    ] {
        check(string);
    }
}
