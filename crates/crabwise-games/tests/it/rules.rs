//! Games from texts have the values of the same games in Rust, and what is wrong with a text is told where it is.

use std::io::{self, Cursor, Read};

use crabwise::{Job, Stats, watch::Unwatched};
use crabwise_games::{BadGame, Built, Limits, Registry};
use crabwise_hidden::SequenceForm;

const ROOM: u64 = 1 << 30;

fn built(string: &str, text: &str) -> Result<Built, BadGame> {
    let open = |_: &str| Ok(Box::new(Cursor::new(text.as_bytes().to_vec())) as Box<dyn Read>);
    let open: &dyn Fn(&str) -> io::Result<Box<dyn Read>> = &open;
    Registry::standard().build_within(string, open, Limits::within(ROOM))
}

/// What there is to count of a game.
fn stats(built: &Built) -> Stats {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let job = Job { game: &built.string, table: &table, memory: ROOM, watch: &Unwatched };
    built.game.solve(&job, true, &|_| {}).unwrap();
    assert_eq!(built.game.verify(&job, None).unwrap().wrong, 0);
    built.game.stats(&job, false).unwrap()
}

#[test]
fn texts_have_the_counts_of_the_games_in_rust() {
    for (game, text) in [
        ("nim:3-5-7", include_str!("../../../crabwise-rules/testdata/nim-3-5-7.kif")),
        ("hex:3x3", include_str!("../../../crabwise-rules/testdata/hex-3x3.kif")),
        ("connect-four:4x4", include_str!("../../../crabwise-rules/testdata/connect-four-4x4.kif")),
    ] {
        let [text, rust] = [
            stats(&built("rules:game.kif", text).unwrap()),
            stats(&Registry::standard().build(game).unwrap()),
        ];
        assert_eq!((text.start, text.longest()), (rust.start, rust.longest()), "{game}");
        // Positions of Nim and Hex in Rust are turned around, and share what the text keeps apart.
        if game.starts_with("connect-four") {
            assert_eq!(text.counts, rust.counts, "{game}");
            assert_eq!(text.moves, rust.moves, "{game}");
        }
    }
}

#[test]
fn texts_that_hide_something_have_the_values_of_the_games_in_rust() {
    // Goals of Kuhn poker are 25 a chip, and a payoff is a hundredth of their difference: half a chip.
    for (text, value) in [
        (include_str!("../../../crabwise-rules/testdata/kuhn.kif"), "-1/36"),
        (include_str!("../../../crabwise-rules/testdata/rock-paper-scissors.kif"), "0"),
        (include_str!("../../../crabwise-rules/testdata/dark-hex-2x2.kif"), "1"),
        (include_str!("../../../crabwise-rules/testdata/dark-hex-2x2-abrupt.kif"), "1/2"),
    ] {
        let open = |_: &str| Ok(Box::new(Cursor::new(text.as_bytes().to_vec())) as Box<dyn Read>);
        let registry = Registry::standard();
        // A text in which both choose at once, and which says nothing of what is seen, is told to be played so.
        let told = text.contains("sees");
        assert_eq!(registry.is_hidden_within("rules:game.kif", &open, Limits::NONE), told);
        let built = registry.build_hidden_within("rules:game.kif", &open, Limits::NONE).unwrap();
        let explored = built.game.explore(ROOM, &Unwatched).unwrap();
        assert_eq!(explored.tree.stakes(), built.game.stakes());
        let form = SequenceForm::new(&explored.tree, false, ROOM, &Unwatched).unwrap();
        let exact = form.exact(&Unwatched).unwrap();
        assert_eq!(exact.fraction.unwrap().to_string(), value);
        let open_game = registry.build_within("rules:game.kif", &open, Limits::NONE);
        let said = open_game.err().unwrap().to_string();
        assert!(
            said.contains(if told { "hidden information" } else { "choose at once" }),
            "{said}"
        );
    }
}

/// A race in which nobody ever arrives but for a counter of rounds.
const CIRCLE: &str = "(role a) (role b) (other a b) (other b a)
(init (turn a)) (init (at 0)) (init (step 1))
(after 1 2) (after 2 3) (after 3 4) (after 4 5)
(<= (legal ?p left) (true (turn ?p)))
(<= (legal ?p right) (true (turn ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (at 1)) (true (at 0)))
(<= (next (at 0)) (true (at 1)))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
(<= terminal (true (step 5)))
(goal a 50) (goal b 50)";

#[test]
fn a_counter_is_left_out_if_that_is_asked_for() {
    let with = stats(&built("rules:game.kif", CIRCLE).unwrap());
    assert_eq!((with.start.to_string(), with.counts.positions), ("tie in 4".into(), 5));
    let without = built("rules:game.kif,without=step", CIRCLE).unwrap();
    assert_eq!(without.string, "rules:game.kif,without=step");
    let without = stats(&without);
    assert_eq!((without.start.to_string(), without.counts.positions), ("draw".into(), 2));
    let refused = built("rules:game.kif,without=turn", CIRCLE).err().unwrap().to_string();
    assert!(refused.contains("'turn' does not only count rounds"), "{refused}");
}

#[test]
fn what_is_wrong_is_told_in_one_line_with_its_line() {
    for (from, to, told) in [
        ("(true (at 0)))", "(true (at 0))", "game.kif:7:1: this parenthesis is never closed"),
        (
            "(<= terminal",
            "(<= termnal",
            "no rule says 'terminal'; did you mean it where you wrote 'termnal'?",
        ),
        ("(<= (next (at 1))", "(<= (next (at ?z))", "game.kif:7:15: ?z stands in the head"),
        (
            "(goal a 50)",
            "(<= (goal a 50) (true (at 1)))",
            "after left left left left, the game is over and a has no goal",
        ),
        (
            "(<= (legal ?p left) (true (turn ?p)))",
            "(<= (legal ?p left) (role ?p))",
            "at the start, a and b choose at once",
        ),
        ("(<= terminal (true (step 5)))", "(<= terminal (true (step 6)))", "nothing"),
    ] {
        let text = CIRCLE.replace(from, to);
        assert_ne!(text, CIRCLE);
        let said = match built("rules:game.kif", &text) {
            Err(bad) => bad.to_string(),
            // The counter runs out, and then the game goes round.
            Ok(built) => format!("nothing; {}", stats(&built).start),
        };
        assert!(said.contains(told) && !said.contains('\n'), "{said}");
    }
}
