//! Ten games in the readable form, found by their names where no file is called so.

/// The text of an example.
pub fn example(name: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The name of each example and its text.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("tic-tac-toe", include_str!("../../../games/tic-tac-toe.rules")),
    ("mnk", include_str!("../../../games/mnk.rules")),
    ("connect-four", include_str!("../../../games/connect-four.rules")),
    ("hex", include_str!("../../../games/hex.rules")),
    ("breakthrough", include_str!("../../../games/breakthrough.rules")),
    ("dao", include_str!("../../../games/dao.rules")),
    ("quixo", include_str!("../../../games/quixo.rules")),
    ("isolation", include_str!("../../../games/isolation.rules")),
    ("nim", include_str!("../../../games/nim.rules")),
    ("mu-torere", include_str!("../../../games/mu-torere.rules")),
];
