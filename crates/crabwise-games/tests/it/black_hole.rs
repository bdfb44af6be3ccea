//! Black Hole, all positions of a class: the totals that an independent program has found.

use crabwise::{Job, watch::Unwatched};
use crabwise_games::{Built, Registry};

/// With three pawns a side, of which one must fall, nothing is left of the full game but its
/// positions of three against three: an escape ends both.
#[test]
fn three_against_three_is_as_published() {
    let Built { string, game } = Registry::standard().build("black-hole:5,3,remove=1").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("table");
    let job = Job { game: &string, table: &path, memory: 4 << 30, watch: &Unwatched };
    game.solve(&job, true, &|_| {}).unwrap();
    let stats = game.stats(&job, true).unwrap();
    let counts = stats.counts;
    assert_eq!(counts.positions, 2_691_920);
    assert_eq!([counts.win, counts.loss, counts.draw], [962_860, 282_192, 1_446_868]);
    assert_eq!((stats.longest_win(), stats.longest()), (45, 45));
    let longest_loss = stats.remoteness.iter().rposition(|row| row.loss > 0);
    assert_eq!(longest_loss, Some(44));
    assert_eq!(stats.orbits.unwrap().positions, 337_070);
    let verdict = game.verify(&job, None).unwrap();
    assert_eq!((verdict.checked, verdict.wrong), (337_071, 0));
}

/// What the start leads to is counted by the slot where its mirror images share one, and one by one
/// where they do not.
#[test]
fn folded_and_unfolded_count_the_same() {
    for variant in ["3,2", "3,3", "3,3,falls", "5,1", "5,2", "5,2,falls"] {
        let [folded, unfolded] = ["", ",unfolded"].map(|how| {
            let string = format!("black-hole:{variant}{how}");
            let Built { string, game } = Registry::standard().build(&string).unwrap();
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("table");
            let job = Job { game: &string, table: &path, memory: 4 << 30, watch: &Unwatched };
            game.solve(&job, true, &|_| {}).unwrap();
            [false, true].map(|all| {
                let stats = game.stats(&job, all).unwrap();
                (stats.counts, stats.moves, stats.remoteness)
            })
        });
        assert_eq!(folded, unfolded, "{variant}");
    }
}
