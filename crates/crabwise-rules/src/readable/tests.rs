use super::*;
use crate::{check::check, examples::EXAMPLES, report::printed};

#[test]
fn examples_are_read_and_checked() {
    for (name, text) in EXAMPLES {
        let program =
            read(text, &[]).unwrap_or_else(|mistakes| panic!("{}", printed(&mistakes, name, text)));
        let mistakes = check(&program);
        assert!(mistakes.is_empty(), "{}\n{program}", printed(&mistakes, name, text));
        assert!(text.lines().count() <= 30);
    }
}

/// A small game that is right, which the rest of a text is put behind.
const GAME: &str = "players x, o\nboard grid 3x3\nk = 3\nmove C\n  if C is empty\n  then C becomes mine\n\
                    win if k in line are mine\n";

/// The pieces of a text that are underlined, with what is said of them.
fn told(text: &str) -> Vec<(String, String, String)> {
    let mistakes = match read(text, &[]) {
        Err(mistakes) => mistakes,
        Ok(program) => check(&program),
    };
    let piece = |span: Span| text[span.start as usize..span.end as usize].to_string();
    mistakes.iter().map(|one| (piece(one.span), one.what.clone(), one.remedy.clone())).collect()
}

#[test]
fn every_mistake_is_told_where_it_is_with_what_would_be_right() {
    let mut others = vec![];
    for (more, piece, what, remedy) in [
        // Statements.
        ("plyers x, o", "plyers", "no statement begins with 'plyers'", "'players'"),
        ("wibble wobble", "wibble", "no statement begins with 'wibble'", "a rule is written"),
        ("board gird 3x3", "gird", "no board of the kind 'gird'", "'grid'"),
        ("tie no cell is empty", "no", "'if' is missing", "before the condition"),
        ("tie iff no cell is empty", "iff", "'iff' is not understood", "'if'"),
        ("move pass no cell is empty", "no", "'if' is missing", "before the condition"),
        ("move pass if C is empty thn C becomes x", "thn", "'thn' is not understood", "'then'"),
        ("move pass if C is mine then C is empty", "is", "nothing simply is so", "'becomes'"),
        ("game Chess", "Chess", "a text in quotation marks", "game \"Hex\""),
        ("game \"Chess", "\"Chess", "never closed", "another \""),
        ("win if (C is mine", "(", "never closed", ")"),
        ("win if C is mine)", ")", "closes nothing", "open one"),
        ("win if C is mine and C touches D or D is mine", "or", "side by side", "brackets"),
        ("win if C is", "", "ends too soon", "follow"),
        ("win if some C iz mine", "iz", "'iz' is not understood", "'is'"),
        ("win if C is mine # a comment", "#", "does not begin a comment", "--"),
        ("win if C ≤ 3", "≤", "means nothing", "<="),
        ("win if 3 in a row are mine", "a", "'a' is not understood", ""),
        ("win if moved(C) x", "x", "'x' is not understood", ""),
        // Names.
        ("win if C is emty", "emty", "'emty' is not known", "'empty'"),
        ("win if C is red", "red", "'red' is not known", "write a rule"),
        ("win for z if some cell is mine", "z", "no player 'z'", "x, o"),
        ("win if e5 is mine", "e5", "no cell 'e5'", "a3 to c1"),
        ("win if some C is nrth of a1", "nrth", "no way 'nrth'", "'north'"),
        (
            "win if some C is mine and ahed(C)\nahead(C) if C is corner",
            "ahed",
            "'ahed' is not known",
            "'ahead'",
        ),
        ("win if some C is mine and size of C = 3", "size", "nothing has a 'size'", "start"),
        ("ahead(C) if C is mine", "mine", "nobody is meant", "letter"),
        ("players a, b", "players", "said twice", "one of the two"),
        ("row(C, 3) if C is corner", "row", "a word of the language", "another name"),
        ("k(C) if C is corner", "k", "a parameter already", "another name"),
        ("win = 3", "win", "'win' is a word of the language", "another name"),
        ("players X, o", "X", "begins with a capital", "'x'"),
        ("then(C) if C is corner", "then", "a word of the language", ""),
        ("move redKing if my turn", "redKing", "small letters", "'redking'"),
        // Numbers and sizes.
        ("win if 4 in line are mine", "4", "no line of 4", "at most 3"),
        ("win if 4x1 block is mine", "4x1 block is mine", "no block of 4x1", ""),
        ("win if some C is mine and row of C = 4", "4", "no row 4", "1 to 3"),
        ("win if some C is mine and row of C = 300", "300", "too large", "255"),
        ("win if some C is mine and row of C = k - 4", "k - 4", "less than 0", "0 to 255"),
        ("win if some C is mine and row of C = k / 0", "k / 0", "divided by 0", ""),
        (
            "win if some C is mine and row of C from 3 to 2",
            "3 to 2",
            "no number from 3 to 2",
            "smaller",
        ),
        ("win if kk in line are mine", "kk", "no number", "a parameter"),
        (
            "win if at least 2 players are mine",
            "at least 2 players are mine",
            "only cells can be counted",
            "corners",
        ),
        // Found by the checks of the core.
        ("ahead(C, D) if C is corner", "D", "stands in the head", "what ?D can be"),
        ("p if not q\nq if not p", "q", "its own opposite", "circle"),
        (
            "ahead(C) if C is corner\nwin if ahead(c1, c2)",
            "ahead(c1, c2)",
            "2 arguments",
            "1 argument",
        ),
    ] {
        let found = told(&format!("{GAME}{more}\n"));
        let right = found.first().is_some_and(|(at, said, advice)| {
            at == piece && said.contains(what) && advice.contains(remedy)
        });
        if !right {
            others.push(format!("{more}: {found:?}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn what_a_game_lacks_is_told() {
    for (text, what) in [
        ("", "there are no rules in it"),
        ("-- nothing\n", "there are no rules in it"),
        (
            "board grid 3x3\nmove C if C is empty then C becomes mine\nlose if cannot move",
            "nobody plays",
        ),
        ("players x, o\nlose if cannot move", "nobody has a move"),
        (
            "players x, o\nboard grid 3x3\nmove C if C is empty then C becomes mine",
            "nothing says when the game is over",
        ),
        ("players x, o, z\nmove pass\nlose if cannot move", "there are 3 players"),
        ("players x, o\nmove C if C is empty\nlose if cannot move", "there is no board"),
        (
            "players x, o\nboard grid 30x3\nmove C if C is empty\nlose if cannot move",
            "cannot have 30",
        ),
        (
            "players x, o\nboard grid 26x26\nmove C if C is empty\nlose if cannot move",
            "has 676 cells",
        ),
        (
            "players x, o\nboard grid axb\nmove C if C is empty\nlose if cannot move",
            "'x' is missing",
        ),
        (
            "players x, o\nboard graph a-b-b\nmove C if C is empty\nlose if cannot move",
            "with itself",
        ),
        ("  players x, o", "this line is indented"),
    ] {
        let found = told(text);
        assert!(found.iter().any(|(_, said, _)| said.contains(what)), "{text}: {found:?}");
    }
}

#[test]
fn several_mistakes_are_told_at_once_in_the_order_of_the_text() {
    let found =
        told(&format!("{GAME}win for z if C is emty\nwin if e5 is mine\ntie if no cel is empty"));
    let pieces: Vec<&str> = found.iter().map(|(piece, ..)| &**piece).collect();
    assert_eq!(pieces, ["z", "emty", "e5", "cel"]);
    let found = told("plyers x, o\nbord grid 3x3\nmove C if C is empty then C becomes mine)");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn parameters_are_told_from_outside() {
    let text = EXAMPLES.iter().find(|(name, _)| *name == "mnk").unwrap().1;
    let with = |name: &str, value: &str| read(text, &[(name.into(), value.into())]);
    let [long] = &with("k", "5").unwrap_err()[..] else { panic!("one mistake") };
    assert_eq!(long.what, "there is no line of 5 on a board of 4x4");
    let large = with("columns", "7").unwrap();
    let cells = large.rules.iter().filter(|rule| &*rule.head.relation == "cell").count();
    assert_eq!(cells, 28);
    assert_eq!(large.hints.parameters[0], ("columns".into(), "7".into()));
    for (name, value, what) in [
        ("colums", "7", "no parameter 'colums'"),
        ("columns", "seven", "'columns=seven' does not fit"),
        ("columns", "-1", "does not fit"),
        ("columns", "256", "does not fit"),
        ("columns", "3-4", "does not fit"),
    ] {
        let mistakes = with(name, value).unwrap_err();
        assert!(mistakes[0].is_outside() && mistakes[0].what.contains(what), "{mistakes:?}");
    }
}

#[test]
fn line_ends_tabs_and_byte_order_marks_change_nothing() {
    for (name, text) in EXAMPLES {
        let plain = read(text, &[]).unwrap();
        let tabs = text.replace("  ", "\t");
        for other in
            [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}"), tabs]
        {
            assert!(read(&other, &[]).unwrap() == plain, "{name}");
        }
    }
}

#[test]
fn whatever_is_written_is_read_or_refused() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let words: Vec<&str> =
        EXAMPLES.iter().flat_map(|(_, text)| text.split_inclusive([' ', '\n'])).collect();
    let signs = [
        "(", ")", "\"", "--", "≤", "é", "\r", "\t", "255", "26x15", ":", "-", " of ", " not ",
        "\u{feff}", ".",
    ];
    let mut right = 0;
    for _ in 0..3_000 {
        let mut text = random.choice(EXAMPLES).unwrap().1.to_string();
        for _ in 0..random.usize(1..4) {
            let mut at = random.usize(0..=text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let mut end = (at + random.usize(0..12)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let new = match random.u8(0..3) {
                0 => "",
                1 => random.choice(&words).unwrap(),
                _ => random.choice(signs).unwrap(),
            };
            text.replace_range(at..end, new);
        }
        match read(&text, &[]) {
            Ok(program) => {
                assert!(program.rules.len() < 200_000);
                check(&program);
                right += 1;
            }
            Err(mistakes) => {
                assert!(!mistakes.is_empty());
                for mistake in &mistakes {
                    let (start, end) = (mistake.span.start as usize, mistake.span.end as usize);
                    assert!(text.get(start..end).is_some(), "seed {seed}: {mistake:?} in\n{text}");
                }
                printed(&mistakes, "it", &text);
            }
        }
    }
    assert!(right > 100, "{right} of these texts were right");
}

#[test]
fn what_is_too_much_is_refused_soon() {
    let nested = |open: &str, close: &str| {
        format!("{GAME}win if {}C is mine{}\n", open.repeat(300), close.repeat(300))
    };
    for text in [
        nested("(", ")"),
        nested("not ", ""),
        nested("no D is ", ""),
        format!("{GAME}win if {}\n", "size of ".repeat(300)),
        format!("{GAME}win if {}C is mine\n", "C is mine and ".repeat(2_000)),
        format!("{GAME}{}\n", "p".repeat(MOST_BYTES)),
        format!("{GAME}{}", "q(C) if at least 200 cells are mine and C is corner\n".repeat(1_000)),
        format!(
            "{GAME}numbers up to 255\nq(A, B, C) if plus(A, B, C) and less(A, B) and at_most(A, C)\n"
        ),
    ] {
        if let Ok(program) = read(&text, &[]) {
            assert!(program.rules.len() < 200_000);
        }
    }
}
