//! What texts mean: positions and moves by the definition of the core.

use std::collections::BTreeSet;

use super::read;
use crate::{
    check::check,
    examples::EXAMPLES,
    kif,
    reference::{Reference, State},
    report::printed,
    syntax::Program,
};

fn program(text: &str) -> Program {
    let program = read(text, &[]).unwrap_or_else(|wrong| panic!("{}", printed(&wrong, "it", text)));
    let wrong = check(&program);
    assert!(wrong.is_empty(), "{}\n{program}", printed(&wrong, "it", text));
    program
}

/// A game in which players move in turn.
struct Played<'p> {
    rules: Reference<'p>,
    at: State,
}

impl Played<'_> {
    fn new(program: &Program) -> Played<'_> {
        let rules = Reference::new(program);
        let at = rules.start();
        Played { rules, at }
    }

    /// The moves other than waiting, with their players.
    fn moves(&self) -> BTreeSet<String> {
        let moves = self.rules.legal(&self.at).into_iter().filter(|(_, mv)| mv != "noop");
        moves.map(|(role, mv)| format!("{role} {mv}")).collect()
    }

    /// One player moves and the others wait; what they see.
    fn play(&mut self, words: &str) -> BTreeSet<String> {
        assert!(self.moves().contains(words), "{words} is none of {:?}", self.moves());
        let (role, mv) = words.split_once(' ').unwrap();
        let moves = self.rules.roles().into_iter().map(|one| {
            let mv = if one == role { mv } else { "noop" };
            (one, mv.to_string())
        });
        let moves: Vec<(String, String)> = moves.collect();
        let seen = self.rules.sees(&self.at, &moves);
        self.at = self.rules.next(&self.at, &moves);
        seen.into_iter().map(|(role, what)| format!("{role} {what}")).collect()
    }

    fn holds(&self, fact: &str) -> bool {
        self.at.contains(fact)
    }

    /// What the players get, if the game is over.
    fn end(&self) -> Option<String> {
        let goals =
            self.rules.goals(&self.at).into_iter().map(|(role, goal)| format!("{role} {goal}"));
        self.rules.terminal(&self.at).then(|| goals.collect::<Vec<_>>().join(", "))
    }
}

fn example(name: &str) -> Program {
    program(EXAMPLES.iter().find(|(known, _)| *known == name).unwrap().1)
}

#[test]
fn three_in_a_row_win_and_a_full_board_is_a_tie() {
    let program = example("tic-tac-toe");
    let mut game = Played::new(&program);
    assert_eq!(game.moves().len(), 9);
    for mv in ["x (move a1)", "o (move a2)", "x (move b1)", "o (move b2)"] {
        game.play(mv);
    }
    assert_eq!((game.end(), game.moves().len()), (None, 5));
    game.play("x (move c1)");
    assert_eq!(game.end().as_deref(), Some("o 0, x 100"));
    let mut game = Played::new(&program);
    for (i, cell) in ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"].iter().enumerate() {
        assert_eq!(game.end(), None);
        game.play(&format!("{} (move {cell})", ["x", "o"][i % 2]));
    }
    assert_eq!(game.end().as_deref(), Some("o 50, x 50"));
}

#[test]
fn cubes_move_up_and_whoever_completes_a_line_of_the_others_loses() {
    let program = example("quixo");
    let mut game = Played::new(&program);
    assert_eq!(game.moves().len(), 20);
    for mv in ["x (move a1 c1)", "o (move a1 a3)", "x (move c1 c3)"] {
        game.play(mv);
    }
    let marks: Vec<&String> = game.at.iter().filter(|fact| fact.starts_with("(at")).collect();
    assert_eq!(marks, ["(at a3 o)", "(at c3 x)"]);
}

#[test]
fn heaps_shrink_and_whoever_cannot_take_loses() {
    let program = program(
        "players x, o\nheaps = 2-1\nstart: size of H is N if heaps(H, N)\n\
         move H-N if N from 1 to size of H then size of H becomes size of H - N\nlose if cannot move",
    );
    let mut game = Played::new(&program);
    let moves = ["x (move 1 1)", "x (move 1 2)", "x (move 2 1)"];
    assert_eq!(game.moves(), moves.map(String::from).into());
    game.play("x (move 1 1)");
    assert!(game.holds("(size 1 1)") && game.holds("(size 2 1)") && !game.holds("(size 1 2)"));
    game.play("o (move 2 1)");
    game.play("x (move 1 1)");
    assert_eq!(game.end().as_deref(), Some("o 0, x 100"));
}

#[test]
fn a_stone_slides_until_something_stops_it() {
    let program = example("dao");
    let mut game = Played::new(&program);
    let moves = game.moves();
    assert!(moves.contains("x (move a1 a3)") && !moves.contains("x (move a1 a2)"));
    game.play("x (move a1 a3)");
    assert!(game.holds("(at a3 x)") && !game.holds("(at a1 x)") && game.holds("(at a4 o)"));
}

#[test]
fn things_are_counted() {
    let program = program(
        "players x, o\nboard grid 2x2\nmove C if C is empty then C becomes mine\n\
         two(P) if player(P) and at least 2 cells are P\n\
         one(P) if player(P) and exactly 1 cell is P\n\
         few(P) if player(P) and at most 1 cell is P\n\
         many(P, N) if player(P) and N = number of cells that are P\n\
         ahead if number of cells that are x > number of cells that are o\n\
         win for x if no cell is empty and two(x) and ahead\n\
         tie if no cell is empty",
    );
    let mut game = Played::new(&program);
    for cell in ["x (move a1)", "o (move a2)", "x (move b1)", "o (move b2)"] {
        assert_eq!(game.end(), None);
        game.play(cell);
    }
    assert_eq!(game.end().as_deref(), Some("o 50, x 50"));
}

/// A game of one cell in which every condition of a list holds at the start, or the game is over.
fn so_at_the_start(more: &str, condition: &str) -> bool {
    let text = format!(
        "players x, o\nboard grid 3x3\nstart\n  x . o\n  . x .\n  o . x\n\
         move pass\n{more}\ntie if {condition}"
    );
    let program = program(&text);
    Played::new(&program).end().is_some()
}

#[test]
fn conditions_mean_what_they_say() {
    for (condition, holds) in [
        ("a1 is o", true),
        ("a1 is not o", false),
        ("not a1 is o", false),
        ("b1 is empty and c1 is x", true),
        ("b1 is x or c1 is x", true),
        ("not (b1 is x or c1 is x)", false),
        ("not (a1 is o and c1 is o)", true),
        ("at least 3 cells are x", true),
        ("at least 4 cells are x", false),
        ("at least 0 cells are x", true),
        ("at most 3 cells are x", true),
        ("at most 2 cells are x", false),
        ("exactly 2 corners are o", true),
        ("exactly 3 corners are o", false),
        ("exactly 0 edges are x", false),
        ("number of cells that are o = 2", true),
        ("number of cells that are x > number of cells that are o", true),
        ("number of cells that are empty - number of cells that are x = 1", true),
        ("number of corners that are empty = 0", true),
        ("no corner is empty", true),
        ("every corner is empty", false),
        ("every C that is Way of b2 and is corner is not empty", true),
        ("some C that is north of b2 is empty", true),
        ("some C is northeast of b2 and C is o", true),
        ("c3 lies northeast of a1 and c3 touches b2", true),
        ("c3 touches a1", false),
        ("beside(a1, b1) and not beside(a1, b2)", true),
        ("3 in line are x", true),
        ("3 in diagonal are x and not 3 in diagonal are o", true),
        ("3 in row are x or 3 in column are x", false),
        ("1 in line are o", true),
        ("2x1 block is x", false),
        ("1x1 block is x", true),
        ("chain from left to right is x", false),
        ("row of a3 = 3 and column of c1 = 3", true),
        ("row of a3 > row of b2 and row of a3 != column of a3", true),
        ("not row of a3 > row of b2", false),
        ("row of a3 + column of a3 = 4 and 2 + row of a1 = 3", true),
        ("row of a3 - column of b1 = 1", true),
        ("content of a1 = content of c3", true),
        ("content of a1 = content of a3", false),
        ("some N from 1 to 2 and N = row of b2", true),
        ("some N from 3 to 4 and N = row of b2", false),
        ("3 < 2", false),
        ("2 * 3 - 1 = 5 and 7 / 2 = 3", true),
        ("opponent(x, o) and not opponent(x, x)", true),
        ("some player P != x and P = o", true),
    ] {
        assert_eq!(so_at_the_start("", condition), holds, "{condition}");
    }
    let odd = "odd(1)\nodd(N + 2) if odd(N)\nnumbers up to 9";
    for (condition, holds) in
        [("odd(7)", true), ("odd(8)", false), ("7 is odd", true), ("no odd N < 1", true)]
    {
        assert_eq!(so_at_the_start(odd, condition), holds, "{condition}");
    }
}

#[test]
fn players_pass_only_when_they_must_and_move_again_when_told() {
    let program = program(
        "players x, o\nboard grid 3x1\nstart: o to move\n\
         move C if C is empty and (me = x or C is not corner)\n  then C becomes mine\n  then move again if C is corner\n\
         move pass if no other move then remember passed(me)\n\
         tie if every cell is x or passed(o)",
    );
    let mut game = Played::new(&program);
    assert_eq!(game.moves(), ["o (move b1)".to_string()].into());
    game.play("o (move b1)");
    game.play("x (move a1)");
    assert_eq!(game.moves(), ["x (move c1)".to_string()].into());
    game.play("x (move c1)");
    assert_eq!(game.moves(), ["x pass".to_string()].into());
    game.play("x pass");
    game.play("o pass");
    assert_eq!(game.end().as_deref(), Some("o 50, x 50"));
}

#[test]
fn chance_moves_first_and_one_player_sees_the_card() {
    let program = program(
        "players x, o, random\nstart: random to move\nstart: fresh\n\
         move deal(C) by random if suit(C)\n  then x moves next and remember card(C) and forget fresh and x sees C\n\
         move bet if not fresh then remember bet(me)\n\
         move fold\n\
         suit(red)\nsuit(black)\no sees nothing if fresh\n\
         win for x if bet(o) and card(red)\nlose for x if bet(o)",
    );
    let mut game = Played::new(&program);
    assert_eq!(game.moves().len(), 2);
    let seen = game.play("random (deal red)");
    assert_eq!(seen, ["o nothing".to_string(), "x red".into()].into());
    assert!(!game.holds("fresh") && game.holds("(card red)"));
    assert_eq!(game.moves(), ["x bet".to_string(), "x fold".into()].into());
    game.play("x bet");
    game.play("o bet");
    assert_eq!(game.end().as_deref(), Some("o 0, x 100"));
}

#[test]
fn players_move_at_once() {
    let program = program(
        "players x, o at once\nmove show(F) if F from 1 to 2 then remember shown(me, F)\n\
         win for x if some player P = x and shown(P, F) and shown(o, F)\n\
         lose for x if shown(x, F) and not shown(o, F)",
    );
    let rules = Reference::new(&program);
    let moves = |one: &str, other: &str| {
        vec![
            ("x".to_string(), format!("(show {one})")),
            ("o".to_string(), format!("(show {other})")),
        ]
    };
    assert_eq!(rules.legal(&rules.start()).len(), 4);
    for (other, goals) in [("1", "100"), ("2", "0")] {
        let at = rules.next(&rules.start(), &moves("1", other));
        assert!(rules.terminal(&at) && rules.goals(&at).contains(&("x".into(), goals.into())));
    }
}

#[test]
fn moves_of_one_form_keep_their_own_effects() {
    let program = program(
        "players x, o\nboard grid 3x1\nstart: a1 is x\nstart: c1 is o\n\
         move From-To if From is mine and To touches From and To is empty \
         then From becomes empty and To becomes mine\n\
         move From-To if From is mine and To touches From and To is theirs then To becomes empty\n\
         lose if no cell is mine",
    );
    let mut game = Played::new(&program);
    game.play("x (move a1 b1)");
    assert!(game.holds("(at b1 x)") && !game.holds("(at a1 x)"));
    game.play("o (move c1 b1)");
    assert!(game.holds("(at c1 o)") && !game.holds("(at b1 x)"));
    assert_eq!(game.end().as_deref(), Some("o 100, x 0"));
}

#[test]
fn kif_is_the_same_program() {
    for (name, _) in EXAMPLES {
        let program = example(name);
        let lower = |rules: &Program| rules.to_string().to_lowercase();
        let again = kif::read(&program.to_string()).unwrap();
        assert_eq!(lower(&again), lower(&program), "{name}");
    }
}
