//! Isolation as it was published: counts, the start, the file; and the same in every way of solving it.

use std::{collections::HashSet, path::Path};

use crabwise::{ErasedGame, Job, Slot, Stats, watch::Unwatched};
use crabwise_games::Registry;

/// Calls `then` with a game that is solved, and its job.
fn solved<R>(string: &str, then: impl FnOnce(&ErasedGame, &Job) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let built = Registry::standard().build(string).unwrap();
    let table = folder.path().join("table");
    let job = Job { game: &built.string, table: &table, memory: 1 << 32, watch: &Unwatched };
    built.game.solve(&job, true, &|_| {}).unwrap();
    then(&built.game, &job)
}

fn stats(string: &str, all: bool) -> Stats {
    solved(string, |game, job| game.stats(job, all).unwrap())
}

#[test]
fn four_by_four_has_the_published_figures() {
    let stats = stats("isolation:4x4", false);
    let counts = stats.counts;
    assert_eq!((counts.positions, counts.terminal), (3_617_229, 231_480));
    assert_eq!((counts.win, counts.loss - counts.terminal), (2_737_177, 648_572));
    assert_eq!(format!("{:.3}", stats.mean_moves()), "17.246");
    assert_eq!(stats.start.to_string(), "win in 11");
    assert_eq!(stats.tiers.len(), 15);
    let removed: Vec<u64> = stats.tiers.iter().map(|tier| tier.counts.positions).collect();
    assert_eq!(removed[..4], [1, 70, 2_275, 20_748]);
}

/// n(n − 1) · 2^(n − 2) positions, whether or not mirror images share a slot and distances are kept.
#[test]
fn all_well_formed_positions_are_counted() {
    for string in ["isolation:4x4", "isolation:4x4,unfolded", "isolation:4x4,outcomes"] {
        assert_eq!(stats(string, true).counts.positions, 3_932_160, "{string}");
    }
    assert_eq!(stats("isolation:3x4", true).counts.positions, (12 * 11) << 10);
    assert_eq!(stats("isolation:3x4,removed=b2", true).counts.positions, (11 * 10) << 9);
}

#[test]
fn folded_and_unfolded_with_distances_and_without_count_the_same() {
    for board in ["3x4", "4x3,removed=b2", "2x6", "3x4,first=d1,second=a3", "1x6", "1x5,second=a1"]
    {
        let game = format!("isolation:{board}");
        let unfolded = stats(&format!("{game},unfolded"), false);
        let folded = stats(&game, false);
        assert_eq!(folded.counts, unfolded.counts, "{game}");
        assert_eq!(folded.remoteness, unfolded.remoteness, "{game}");
        assert_eq!(folded.moves, unfolded.moves, "{game}");
        let outcomes = stats(&format!("{game},outcomes"), false);
        assert_eq!(outcomes.counts, folded.counts, "{game}");
        assert_eq!(outcomes.moves, folded.moves, "{game}");
        assert_eq!(outcomes.start, folded.start.without_distance(), "{game}");
    }
}

/// What is shown can be reached, though mirror images of it that cannot share its slot; and moves lead to
/// what is written.
#[test]
fn what_is_exported_and_pictured_can_be_reached() {
    for board in ["2x2", "3x3", "3x4", "4x3,removed=b2"] {
        let rows = |string: &str| {
            solved(string, |game, job| {
                let mut rows = vec![];
                let mut each = |row| {
                    rows.push(row);
                    Ok(())
                };
                game.export(job, &mut each).unwrap();
                rows
            })
        };
        let all = rows(&format!("isolation:{board},unfolded"));
        let all: HashSet<String> = all.into_iter().map(|row| row.position).collect();
        let folded = rows(&format!("isolation:{board}"));
        let slots: HashSet<Slot> = folded.iter().map(|row| row.slot).collect();
        assert!(folded.len() < all.len());
        for row in folded {
            assert!(all.contains(&row.position), "{board}: {}", row.position);
            assert!(row.moves.iter().all(|(_, to, _)| slots.contains(to)), "{board}: {row:?}");
        }
        let stats = stats(&format!("isolation:{board}"), false);
        assert!(!stats.deepest_wins.is_empty());
        assert!(stats.deepest_wins.iter().all(|line| all.contains(line)), "{board}");
        let (_, picture) = stats.deepest.unwrap();
        // The notation is the picture without the names of columns and rows.
        let line: Vec<String> =
            picture.lines().skip(1).map(|row| row[3..].replace(' ', "")).collect();
        assert!(all.contains(&line.join("/")), "{board}: {picture}");
    }
}

#[test]
fn every_ability_keeps_its_contract() {
    for board in ["3x3", "2x5,removed=b1", "1x6", "4x3,removed=a1-c4", "2x4,unfolded"] {
        let built = Registry::standard().build(&format!("isolation:{board}")).unwrap();
        let table = Path::new("");
        let job = Job { game: &built.string, table, memory: 1 << 30, watch: &Unwatched };
        let done = built.game.check(&job, 1).unwrap();
        let contracts: Vec<&str> = done.iter().map(|one| one.contract).collect();
        assert!(contracts.contains(&"kernel") && contracts.contains(&"spread"), "{contracts:?}");
        assert!(done.iter().all(|one| one.broken.is_none() && one.checked > 0), "{done:?}");
    }
}

#[test]
fn the_best_first_turn_is_unique_and_made_of_two_decisions() {
    solved("isolation:4x4", |game, job| {
        let explorer = game.open(job).unwrap();
        let start = explorer.look(&[]).unwrap();
        assert_eq!(start.moves.len(), 70);
        let winning = start.moves.iter().filter(|one| one.value.outcome() == "win");
        assert_eq!(winning.map(|one| one.name.as_str()).collect::<Vec<_>>(), ["c1-c3"]);
        let steps = start.choices(&[]);
        assert_eq!(steps.iter().map(|step| step.moves).sum::<usize>(), 70);
        assert_eq!(
            (steps[0].name.as_str(), steps[0].value.unwrap().to_string()),
            ("c1", "win in 11".into())
        );
        let removals = start.choices(&["c1".into()]);
        assert_eq!(removals[0].completes.as_deref(), Some("c1-c3"));
    });
}

/// The bytes that the original has at some codes, counted by hand: mask + 2⁴ · p0 + 2⁴ · 4 · p1 on 2x2.
#[test]
fn the_published_file_has_a_byte_for_every_code() {
    let bytes = solved("isolation:2x2", |game, job| {
        let mut bytes = vec![];
        let mut append = |_: u64, files: &[Vec<u8>]| {
            bytes.extend_from_slice(&files[0]);
            Ok(())
        };
        game.export_published(job, (0, false), &mut append).unwrap();
        bytes
    });
    assert_eq!(bytes.len(), (4 * 4) << 4);
    // The first player stands on a1, square 0, the second on b2, square 3.
    let code = |gone: usize, first: usize, second: usize| gone + 16 * first + 64 * second;
    assert_eq!(bytes[code(0, 0, 3)], 0x80 | 2, "the start is lost in two");
    assert_eq!(bytes[code(0, 3, 0)], 0xFF, "nobody comes there");
    assert_eq!(bytes[code(1, 1, 3)], 1, "b1-a1 leaves a square for the second player");
    assert_eq!(bytes[code(5, 1, 3)], 0xFF, "two turns never lead there");
    assert_eq!(bytes.iter().filter(|byte| **byte != 0xFF).count(), 9);
}
