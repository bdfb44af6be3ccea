//! Every game draws, and what it draws can be pointed at: each decision that can come next has a shape of
//! its name. What can be put together by hand is read as it was written.

use std::{
    collections::{HashMap, HashSet},
    slice::from_ref,
};

use crabwise::{
    EditorBoard, ErasedGame,
    explore::{Board, LookError},
    game::picture::{Form, Picture},
};
use crabwise_games::{Built, Registry};

const SEED: u64 = 20_261_116;
const PLAYS: usize = 12;
const MOST_MOVES: usize = 60;

/// Beside the registered examples: sizes at the edge of what a game allows, and variants.
const UNUSUAL: [&str; 36] = [
    "mnk:1x1,1",
    "mnk:5x5,4",
    "hex:1x4",
    "hex:4x1",
    "connect-four:1x4",
    "connect-four:11x2",
    "othello:4x6",
    "dots-and-boxes:1x1",
    "nim:255",
    "nim:1-1-1-1-1-1-1-1",
    "kayles:1-2-3",
    "dawson:1",
    "chomp:1x15",
    "chomp:16x1",
    "cram:1x1",
    "domineering:26x1",
    "achi:4,no-diagonals",
    "dodgem:2",
    "dodgem:4",
    "fox-and-hounds:8",
    "quixo:4,plain",
    "quixo:5",
    "chess:KPKP",
    "chess:KPPK,at=8/P3P3/8/8/8/8/8/K1k5_w",
    "draughts:6x6,6",
    "draughts:5x4,4",
    "tokens:1000,take=5",
    "black-hole:5,4",
    "black-hole:3,3,falls,remove=3",
    "black-hole:7,4",
    "isolation:1x2",
    "isolation:12x1",
    "isolation:2x5,removed=a1-b2",
    "isolation:5x5",
    "boxers:1x5",
    "cruzados:3x3,adjacent,straight",
];

/// Every registered example, and more.
fn games() -> Vec<Built> {
    let registry = Registry::standard();
    let examples = registry.entries().iter().map(|entry| entry.example);
    examples.chain(UNUSUAL).map(|string| registry.build(string).unwrap()).collect()
}

/// What can be decided next, each once.
fn next(board: &Board) -> HashSet<String> {
    let after = |(_, decisions): &(String, Vec<String>)| decisions[board.place.made.len()].clone();
    board.moves.iter().map(after).collect()
}

/// Calls `visit` for the boards of random plays, one for every decision.
fn stroll(game: &ErasedGame, mut visit: impl FnMut(&[String], &Board)) {
    let mut random = fastrand::Rng::with_seed(SEED);
    for _ in 0..PLAYS {
        let mut line = vec![];
        for _ in 0..MOST_MOVES {
            let board = game.board(&line).unwrap();
            visit(&line, &board);
            let mut next: Vec<String> = next(&board).into_iter().collect();
            if next.is_empty() {
                break;
            }
            next.sort();
            line.push(next.swap_remove(random.usize(..next.len())));
        }
    }
}

/// The points that a form goes to.
fn extent(form: &Form) -> Vec<[f64; 2]> {
    match form {
        Form::Area(points) => points.clone(),
        Form::Line { from, to, .. } => vec![*from, *to],
        Form::Disc { at: [x, y], radius } => {
            vec![[x - radius, y - radius], [x + radius, y + radius]]
        }
        Form::Text { at, .. } => vec![*at],
    }
}

fn lies_on_the_sheet(picture: &Picture, what: &str) {
    let Picture { width, height, shapes } = picture;
    for shape in shapes {
        for [x, y] in extent(&shape.form) {
            // What is not a number is in no range.
            let on = (-1e-9..=width + 1e-9).contains(&x) && (-1e-9..=height + 1e-9).contains(&y);
            assert!(on, "{what}: {shape:?} is not on the sheet of {width} by {height}");
        }
    }
}

fn can_be_pointed_at(board: &Board, what: &str) {
    let mut forms: HashMap<String, &str> = HashMap::new();
    let next = next(board);
    let named = board.picture.shapes.iter().filter_map(|one| Some((one.name.as_deref()?, one)));
    for (name, shape) in named.filter(|(name, _)| next.contains(*name)) {
        let other = forms.insert(format!("{:?}", shape.form), name);
        assert!(other.is_none_or(|other| other == name), "{what}: {name} lies on {other:?}");
    }
    let drawn: HashSet<&str> = forms.into_values().collect();
    for name in next {
        assert!(drawn.contains(&*name), "{what}: nothing is drawn for {name}");
    }
}

#[test]
fn every_decision_can_be_pointed_at() {
    println!("seed {SEED}");
    for Built { string, game } in games() {
        stroll(&game, |line, board| {
            let what = format!("{string} after '{}', seed {SEED}", line.join(" "));
            assert!(board.drawn, "{string} does not draw");
            lies_on_the_sheet(&board.picture, &what);
            can_be_pointed_at(board, &what);
        });
    }
}

/// The games whose positions can be put together.
const EDITABLE: [&str; 20] = [
    "tictactoe",
    "mnk",
    "connect-four",
    "othello",
    "hex",
    "chomp",
    "pong-hau-ki",
    "achi",
    "dodgem",
    "fox-and-hounds",
    "mu-torere",
    "l-game",
    "dao",
    "quixo",
    "draughts",
    "chess",
    "boxers",
    "cruzados",
    "black-hole",
    "isolation",
];

/// Those whose positions do not tell who began.
const TURNED: [&str; 2] = ["black-hole", "chomp"];

fn places_fit(desk: &EditorBoard, board: &Board, what: &str) {
    let letters: Vec<char> = board.place.notation.chars().collect();
    let mut open: HashSet<usize> = (0..letters.len()).collect();
    for place in &desk.places {
        assert!(open.remove(&place.at), "{what}: {} shares a letter", place.name);
        assert!(
            place.letters.contains(letters[place.at]),
            "{what}: {} on {place:?}",
            board.place.notation
        );
        let known = |letter| desk.letters.iter().any(|(known, _)| *known == letter);
        assert!(place.letters.chars().all(known), "{what}: {place:?}");
        let mut names = board.picture.shapes.iter().filter_map(|shape| shape.name.as_ref());
        let drawn = place.name == "turn" || names.any(|name| *name == place.name);
        assert!(drawn, "{what}: {} is not drawn", place.name);
    }
    let rest: String = open.into_iter().map(|at| letters[at]).collect();
    assert!(rest.chars().all(|letter| "/-".contains(letter)), "{what}: no places for {rest}");
}

#[test]
fn what_is_put_together_is_read_as_it_is_written() {
    println!("seed {SEED}");
    for Built { string, game } in games() {
        let name = string.split(':').next().unwrap();
        let Some(desk) = game.editor() else {
            assert!(!EDITABLE.contains(&name), "{string} cannot be edited");
            continue;
        };
        stroll(&game, |line, board| {
            let what = format!("{string} after '{}', seed {SEED}", line.join(" "));
            places_fit(&desk, board, &what);
            if !board.place.made.is_empty() {
                return;
            }
            let read = game.board(from_ref(&board.place.notation)).unwrap();
            assert_eq!(read.place.key, board.place.key, "{what}: {}", board.place.notation);
            let mover = if TURNED.contains(&name) { 0 } else { board.place.mover };
            assert_eq!(
                (read.place.mover, &read.place.notation),
                (mover, &board.place.notation),
                "{what}"
            );
            for word in board.moves.iter().flat_map(|(name, made)| [name, &made[0]]) {
                let taken =
                    matches!(game.board(from_ref(word)), Err(LookError::NoSuchPosition { .. }));
                assert!(!taken, "{what}: {word} is taken for a position");
            }
        });
    }
}

#[test]
fn what_is_no_position_is_told_why() {
    for (string, word, reason) in [
        ("tictactoe", "X../.../..", "row 3 from the top has 2 letters, not 3"),
        ("tictactoe", "XX./.../...", "X begins, so there cannot be 2 X and 0 O"),
        ("tictactoe", "XXX/.../OOO", "both X and O have won"),
        ("tictactoe", "XXX/O.O/..O", "X is to move, but X had won before"),
        ("connect-four:4x4", "..../..../X.../....", "the disc on a2 has nothing below it"),
        ("hex:2x2", "X./XX", "X begins, so there cannot be 3 X and 0 O"),
        ("othello:4x4", "..../.X../.XO./....-X", "c2 has a disc from the start on"),
        ("othello:4x4", "..../.OX./.XO./....", "whose turn it is comes last, -X or -O"),
        ("achi:3", "XO./.../...-O", "until all men are placed, X is to move here"),
        ("achi:3", "XXX/X../OOO-O", "there are 4 men of a side, which has 3"),
        ("pong-hau-ki", "XX.XO-X", "there are 3 X and 1 O, not two of each"),
        ("dodgem:3", ".../.../.O.-X", "X is to move, but X had won before"),
        ("dodgem:3", "X../X../X..-O", "there are 3 cars of a side, which has 2"),
        ("fox-and-hounds:4", "F./../../HH-F", "the hounds move first"),
        ("fox-and-hounds:4", "F./../../H.-H", "the number of hounds is 1, not 2"),
        ("mu-torere", "OOOOXXX..-X", "there are 3 X and 4 O, not four of each"),
        (
            "l-game",
            "N.../XXXX/.OOO/.O.N-X",
            "the cells of X are no L: three in a row, one beside an end",
        ),
        ("l-game", "N.../XXX./X..O/.OOO-X", "there are 1 neutral pieces, not two"),
        ("dao", "XXX./.O../..O./O..O-X", "there are 3 X and 4 O, not four of each"),
        ("dao", "XXXX/..../..O./OO.O-X", "X is to move, but X had won before"),
        ("dao", "XO../OO../..XX/X..O-O", "O is to move, but X had won before, shut in in a corner"),
        ("quixo:3", ".../.../..O-X", "X begins, so there cannot be marks of O alone"),
        ("quixo:3", ".../.../...-O", "X begins"),
        ("quixo:3", ".../.../..X-X", "X is to move, but O has no mark, who moved last"),
        ("draughts:4x4,2", "../../../b.-b", "Black is to move, but had won before"),
        ("draughts:4x4,2", "../w./b./bb-b", "there are 3 pieces of a side, which has 2"),
        ("draughts:4x4,2", "b./w./../..-b", "b4 cannot be 'b', only . or B or w or W"),
        (
            "chess:KQK",
            "k7/8/8/8/8/8/8/KQ6",
            "whose turn it is comes last, -w or -b; FEN with blanks stands in quotation marks",
        ),
        ("chess:KQK", "8/8/8/8/8/8/8/KQ6_w", "there are 0 black kings, not one"),
        ("chess:KQK", "k7/8/8/8/8/8/8/KQ4r1_w", "the men are KQKR, which never comes of KQK"),
        ("chess:KQK", "kQ6/8/8/8/8/8/8/K7_w", "the side that is not to move is in check"),
        ("chess:KQK", "k7/8/8/8/8/8/8/KQ6_w_KQ", "nobody castles in these endgames"),
        (
            "chess:KPK",
            "8/8/8/8/8/8/8/KPk5_w",
            "b1 cannot be 'P', only . or K or Q or R or B or N or k or q or r or b or n",
        ),
        ("chess:KPKP", "k7/8/8/8/p2P4/8/8/K7_b_-_e3", "no pawn has just passed e3"),
        (
            "chess:KPKP",
            "k......./......../......../......../p..E..../......../......../K.......-b",
            "the pawn on d4 cannot be taken in passing",
        ),
        ("boxers:3x3", "A../.../A..-A", "there is no B"),
        ("black-hole:3,2", "X../.#./..O-X", "row 3 from the top has 5 letters, not 3"),
        ("black-hole:3,2", "XXX/.#./..O", "the number of X is 3, not 0 to 2"),
        ("black-hole:3,2", ".../.#./.OO", "X is to move, but X had escaped before"),
        ("chomp:3x2", ".##/P##", "a2 is eaten, and so would b2 be"),
        ("isolation:3x3", "X../.X./..O", "there are 2 X, not one"),
        ("isolation:3x3", "X../.../...", "there is no O"),
    ] {
        let Built { game, .. } = Registry::standard().build(string).unwrap();
        match game.board(&[word.to_string()]) {
            Err(LookError::NoSuchPosition { reason: told, .. }) => assert_eq!(told, reason),
            Err(other) => panic!("{string} {word}: {other}"),
            Ok(_) => panic!("{string} {word} is a position"),
        }
    }
}
