//! The words of the language, and which known word was probably meant.

/// How statements begin.
pub(super) const STATEMENTS: &[&str] =
    &["game", "about", "players", "board", "numbers", "start", "move", "win", "lose", "tie"];

/// Words with a meaning of their own, which nothing else can be called.
pub(super) const RESERVED: &[&str] = &[
    "game", "about", "players", "board", "numbers", "start", "move", "win", "lose", "tie", "if",
    "then", "and", "or", "not", "is", "are", "no", "some", "every", "mine", "theirs", "me",
    "opponent", "empty", "cannot", "touches", "lies", "of", "that", "becomes", "content",
    "remember", "forget", "sees", "chain", "my",
];

/// What can be said of a cell or another thing without naming a second one.
pub(super) const NOUNS: &[&str] = &[
    "cell", "corner", "edge", "top", "bottom", "left", "right", "straight", "diagonal", "number",
    "player",
];

/// The ways in which a board goes on, clockwise.
pub(super) const WAYS: [&str; 8] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/// Relations of the Game Description Language itself.
pub(super) const CORE: &[(&str, usize)] = &[
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
    ("sees", 2),
    ("distinct", 2),
    ("base", 1),
    ("input", 2),
];

/// The known word that is most like this one, if one is much like it.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|other| (distance(word, other), other))
        .filter(|&(far, other)| far <= allowed && far < other.chars().count())
        .min_by_key(|&(far, _)| far)
        .map(|(_, other)| other)
}

/// How many letters have to be put in, left out, changed, or exchanged with the next one.
fn distance(one: &str, other: &str) -> usize {
    let [one, other]: [Vec<char>; 2] = [one, other].map(|word| word.chars().take(40).collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let changed = usize::from(one[i - 1] != other[j - 1]);
            let mut least =
                (rows[i - 1][j - 1] + changed).min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// "; did you mean …?" as a remedy, or what else to say.
pub(super) fn remedy<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    match nearest(word, known) {
        Some(like) => format!("did you mean '{like}'?"),
        None => otherwise.into(),
    }
}
