//! Endgames as they are known from the literature.

use std::collections::BTreeMap;

use crabwise::{Game, Index, Slot, Unplay, Value, solve_with};

use crate::grid::bits;

use super::{Chess, ChessBoard, numbering::Endings};

/// How many positions of the first material have a value, by whose turn it is: up to symmetry, and in all.
fn counts(men: &str) -> [BTreeMap<Value, [u64; 2]>; 2] {
    let game = Chess::new(men).unwrap();
    let solution = solve_with(&game, Endings::of(&game)).unwrap();
    let mut counts = [BTreeMap::new(), BTreeMap::new()];
    for index in 0..solution.index.len(0) {
        if let Some(at) = solution.index.position(Slot { tier: 0, index }) {
            let counts = &mut counts[usize::from(at.turn)];
            let [alike, all] = counts.entry(solution.value(&at).unwrap()).or_insert([0, 0]);
            *alike += 1;
            *all += solution.index.orbit(&at).len() as u64;
        }
    }
    counts
}

fn sum(counts: &BTreeMap<Value, [u64; 2]>, is: impl Fn(Value) -> bool) -> [u64; 2] {
    let some = counts.iter().filter(|(value, _)| is(**value));
    some.fold([0, 0], |[a, b], (_, [c, d])| [a + c, b + d])
}

fn even(value: Value) -> bool {
    matches!(value, Value::Tie(_) | Value::Draw)
}

/// M. Bain and A. van Hoff, King-Rook versus King (UCI Machine Learning Repository, 1994): Black to
/// move, up to symmetry; in agreement with Clarke (1977).
#[test]
fn rook_against_king_is_as_bain_found() {
    const LOST_IN_MOVES: [u64; 17] =
        [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    let [white, black] = counts("KRK");
    let lost = (0..).map(|n| black.get(&Value::Loss(2 * n)).map_or(0, |[alike, _]| *alike));
    assert_eq!(lost.take(17).collect::<Vec<_>>(), LOST_IN_MOVES);
    assert_eq!((sum(&black, even)[0], sum(&black, |_| true)), (2796, [28_056, 223_944]));
    let longest = white.keys().find(|value| !even(**value)).unwrap();
    assert_eq!((*longest, white[longest][0]), (Value::Win(31), 121));
    assert_eq!(sum(&white, even), [0, 0]);
}

#[test]
fn queen_against_king() {
    let [white, black] = counts("KQK");
    assert_eq!((white[&Value::Win(19)][0], black[&Value::Loss(20)][0]), (1, 8));
    assert_eq!(sum(&black, even)[1], 23_048);
    assert!(white.keys().all(|value| (Value::Win(19)..).contains(value)));
}

/// The sums that programs with a table of this endgame are tested with: 111,282 wins with the pawn on one half of
/// the board.
#[test]
fn pawn_against_king() {
    let [white, black] = counts("KPK");
    let wins = sum(&white, |value| matches!(value, Value::Win(_)));
    let losses = sum(&black, |value| matches!(value, Value::Loss(_)));
    assert_eq!(wins[0] + losses[0], 111_282);
    assert_eq!((wins[0], losses[0]), (62_480, 48_802));
    assert_eq!((white[&Value::Win(55)][0], black[&Value::Loss(56)][0]), (3, 2));
    assert_eq!([&white, &black].map(|counts| sum(counts, |_| true)[1]), [163_328, 168_024]);
}

/// P. Karrer, statistics of endgames (2007): the longest mates, White to move, are 138.
#[test]
#[ignore = "takes half a minute"]
fn bishop_and_knight_against_king() {
    let [white, black] = counts("KBNK");
    let wins = white.keys().filter(|value| matches!(value, Value::Win(_)));
    assert_eq!(wins.min(), Some(&Value::Win(65)));
    assert_eq!((white[&Value::Win(65)][0], black[&Value::Loss(66)][0]), (138, 370));
}

/// On a sample, because the whole is large: moves and un-moves are the same edges, images share a slot.
#[test]
fn un_moves_are_moves_backwards() {
    const SEED: u64 = 20_261_119;
    let mut random = fastrand::Rng::with_seed(SEED);
    for men in ["KPKP", "KNPK", "KPPK", "KRRK", "KQKR"] {
        let game = Chess::new(men).unwrap();
        let index = Endings::of(&game);
        let after = |at: &ChessBoard| -> Vec<ChessBoard> {
            let moves = if game.over(at).is_some() { None } else { Some(game.moves(at)) };
            moves.into_iter().flatten().map(|mv| game.play(at, mv)).collect()
        };
        let before = |at: &ChessBoard| -> Vec<ChessBoard> { game.unplay(at).into_iter().collect() };
        let count = |all: &[ChessBoard], at| all.iter().filter(|one| **one == at).count();
        let (mut met, mut taken) = (0, 0);
        while met < 500 {
            let tier = random.u32(..index.tiers());
            let Some(at) = index.position(Slot { tier, index: random.u64(..index.len(tier)) })
            else {
                continue;
            };
            let what = format!("{men}, seed {SEED}: {}", game.notation(&at));
            met += 1;
            let (origins, ends) = (before(&at), after(&at));
            for man in at.side(at.turn) {
                let safe = |to| at.is_safe(man, to) != at.moved(man, to, None).in_check(at.turn);
                assert!(bits(at.targets(man)).all(safe), "{what}");
            }
            for from in &origins {
                assert_eq!(count(&after(from), at), count(&origins, *from), "{what}");
                assert!(index.slot(from).tier <= tier, "{what}");
                taken += usize::from(index.slot(from).tier < tier);
            }
            for to in &ends {
                assert_eq!(count(&before(to), at), count(&ends, *to), "{what}");
            }
            let slot = index.slot(&at);
            assert!(index.orbit(&at).iter().all(|image| index.slot(image) == slot), "{what}");
        }
        assert!(taken > 100, "{men}: {taken}");
    }
}

fn at(fen: &str) -> ChessBoard {
    super::notation::read(fen).unwrap().unwrap()
}

#[test]
fn a_pawn_is_taken_in_passing_at_once_or_never() {
    let game = Chess::new("KPKP").unwrap();
    let before = at("8/8/8/k7/3p4/8/4P3/K7 w - - 0 1");
    let double = game.moves(&before).into_iter().find(|mv| game.means("e2e4", mv)).unwrap();
    let after = game.play(&before, double);
    assert_eq!(
        (after, super::notation::fen(&after).as_str()),
        (at("8/8/8/k7/3pP3/8/8/K7 b - e3 0 1"), "8/8/8/k7/3pP3/8/8/K7_b_-_e3")
    );
    assert_eq!(
        game.notation(&after),
        "......../......../......../k......./...pE.../......../......../K.......-b"
    );
    let names = |at| game.moves(at).into_iter().map(|mv| mv.to_string()).collect::<Vec<_>>();
    assert!(names(&after).contains(&"d4xe3".to_string()));
    let take = game.moves(&after).into_iter().find(|mv| mv.to_string() == "d4xe3").unwrap();
    assert_eq!(game.play(&after, take), at("8/8/8/k7/8/4p3/8/K7 w"));
    assert!(!names(&at("8/8/8/k7/3pP3/8/8/K7 b")).contains(&"d4xe3".to_string()));
}

#[test]
fn a_pawn_beside_which_none_stands_is_not_passing() {
    assert!(at("8/8/8/8/K2pP2k/8/8/8 b - e3").passing);
    assert!(!at("8/8/8/8/K2p1P1k/8/8/8 b - f3").passing);
    assert!(!at("8/8/8/8/p6P/8/8/k1K5 b - h3").passing);
}

#[test]
fn mate_is_lost_and_stalemate_tied() {
    let game = Chess::new("KQK").unwrap();
    use crabwise::Outcome::{Loss, Tie};
    assert_eq!(game.over(&at("k7/1Q6/1K6/8/8/8/8/8 b - -")), Some(Loss));
    assert_eq!(game.over(&at("k7/8/1QK5/8/8/8/8/8 b - -")), Some(Tie));
    assert_eq!(game.over(&at("k7/8/1QK5/8/8/8/8/8 w - -")), None);
}

#[test]
fn promotions_are_four_moves_of_three_decisions() {
    let game = Chess::new("KPK").unwrap();
    let at = at("8/4P3/8/8/8/8/8/K1k5 w - -");
    let mut names: Vec<(String, Vec<String>)> =
        game.moves(&at).into_iter().map(|mv| (mv.to_string(), game.decisions(&mv))).collect();
    names.retain(|(name, _)| name.starts_with('e'));
    let promoted = ["Q", "R", "B", "N"]
        .map(|to| (format!("e7-e8={to}"), vec!["e7".into(), "e8".into(), format!("={to}")]));
    assert_eq!(names, promoted);
}
