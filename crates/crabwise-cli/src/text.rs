//! Numbers, names and columns as people read them.

use std::collections::BTreeMap;

use crabwise::{
    Value,
    analysis::label::Label,
    explore::{MoveInfo, PositionInfo},
    watch::Count,
};

/// `1,234,567`.
pub fn count(n: u64) -> String {
    Count(n).to_string()
}

/// `12,345`, of any size; of numbers beyond counting that they are.
pub fn many(n: u128) -> String {
    if n == u128::MAX {
        return "more than 10^38".into();
    }
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

const YEAR: f64 = 365.25 * 86400.0;

/// `0.042 s`, `12.3 s`, `1 h 02 min`, `7 years`.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 1.0 => format!("{s:.3} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{} min {:02} s", s as u64 / 60, s as u64 % 60),
        s if s >= YEAR => format!("{} years", many((s / YEAR).round() as u128)),
        s => format!("{} h {:02} min", s as u64 / 3600, s as u64 % 3600 / 60),
    }
}

/// `+0.125`, `-0.125`; what is rounded to nothing has no minus.
pub fn signed(number: f64, digits: usize) -> String {
    let shown = format!("{number:+.digits$}");
    match shown.parse::<f64>() {
        Ok(0.0) => format!("{:+.digits$}", 0.0),
        _ => shown,
    }
}

/// `1 tier`, `2 tiers`.
pub fn several(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// The players are called by the order in which they began.
pub fn player(mover: usize) -> &'static str {
    if mover == 0 { "first player" } else { "second player" }
}

/// What a finished game came to.
pub fn result(winner: Option<usize>) -> String {
    match winner {
        Some(winner) => format!("the game is over: the {} has won", player(winner)),
        None => "the game is over: a tie".into(),
    }
}

/// Whose turn it is and what that is worth, or how the game ended. In the middle of a turn also
/// what is left of it.
pub fn standing(info: &PositionInfo) -> String {
    match info.place.over {
        Some(outcome) => result(outcome.winner(info.place.mover)),
        None => {
            let label = info.label.map_or(String::new(), |label| format!(" ({label})"));
            let standing = format!("{} to move: {}{label}", player(info.place.mover), info.value);
            if info.place.made.is_empty() {
                return standing;
            }
            format!("{standing}; with {} decided: {}", info.place.made.join(" "), info.worth())
        }
    }
}

/// The class of a position in words, where the game goes on; at the start it names the player too.
pub fn class_line(info: &PositionInfo) -> Option<String> {
    let (class, moves_first) = match info.class()? {
        "N" => ("N: the next player wins", true),
        _ => ("P: the previous player wins", false),
    };
    let so = match (info.place.line.is_empty(), moves_first) {
        (false, _) => "",
        (true, true) => ", so the first player wins",
        (true, false) => ", so the second player wins",
    };
    info.place.over.is_none().then(|| format!("{class}{so}"))
}

/// What a position is to the player to move, in the words of impartial games where they fit.
pub fn meaning(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "N: the next player wins",
        Value::Loss(_) => "P: the previous player wins",
        Value::Tie(_) => "tie",
        Value::Draw => "draw: endless",
    }
}

/// The position in the game's own notation, where a line may begin with that and where it says more than the
/// picture: in impartial games, of which books list the positions that are lost.
pub fn own_notation(info: &PositionInfo) -> Option<&str> {
    (info.place.readable && info.impartial).then_some(&info.place.notation)
}

/// The first moves of a list, and how many more there are.
pub fn some_of(moves: &[&str]) -> String {
    const SHOWN: usize = 12;
    match moves.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{} and {more} more", moves[..SHOWN].join(" ")),
        _ => moves.join(" "),
    }
}

/// `G1×18, P2×32, T2×112`.
pub fn label_counts(counts: &BTreeMap<Label, u64>) -> String {
    let one = |(label, n): (&Label, &u64)| format!("{label}×{}", count(*n));
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The outcome in one cell, the distance in the next; a draw has none, nor has what is untold.
pub fn value_cells(value: Value) -> [String; 2] {
    let distance = value.remoteness().map_or("-".into(), |n| n.to_string());
    [value.outcome().into(), distance]
}

/// Where a cell stands in its column.
#[derive(Clone, Copy)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows as columns, the first row being their names.
pub fn columns(sides: &[Align], rows: &[Vec<String>]) -> String {
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..sides.len()).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).zip(sides).map(|((cell, &width), side)| match side {
            Align::Left => format!("{cell:width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// What there is to choose from, best first, with what it is worth to the player who chooses: the
/// moves, or the next decision where a turn takes several.
pub fn table(info: &PositionInfo) -> String {
    if info.compound() { choice_table(info) } else { move_table(info) }
}

fn choice_table(info: &PositionInfo) -> String {
    let row = |name: &str, value: [String; 2], label: Option<String>, moves: &str| {
        let cells = [name.to_string()].into_iter().chain(value).chain(label);
        cells.chain([moves.to_string()]).collect::<Vec<_>>()
    };
    let labelled = info.label.is_some();
    let head = ["value", "distance"].map(str::to_string);
    let mut rows = vec![row("choice", head, labelled.then(|| "label".into()), "moves")];
    for one in info.choices(&info.place.made) {
        let label = one.label.map(|label| label.to_string());
        rows.push(row(
            &one.name,
            one.value.map(value_cells).unwrap_or_default(),
            label,
            &one.moves.to_string(),
        ));
    }
    let sides = match labelled {
        true => &[Align::Left, Align::Left, Align::Right, Align::Left, Align::Right][..],
        false => &[Align::Left, Align::Left, Align::Right, Align::Right],
    };
    columns(sides, &rows)
}

/// The best moves, or some of them where a turn takes several decisions and there are many.
pub fn best(info: &PositionInfo) -> String {
    let names: Vec<&str> = info.best().iter().map(|one| one.name.as_str()).collect();
    if info.compound() { some_of(&names) } else { names.join(" ") }
}

fn move_table(info: &PositionInfo) -> String {
    let labelled = info.label.is_some();
    let wins = |one: &MoveInfo| matches!(one.value, Value::Win(_));
    let own = own_notation(info).is_some() && info.moves.iter().any(wins);
    let row = |cells: [String; 3], label: Option<String>, to: &str| {
        let to = own.then(|| to.to_string());
        cells.into_iter().chain(label).chain(to).collect::<Vec<_>>()
    };
    let head = ["move", "value", "distance"].map(str::to_string);
    let mut rows = vec![row(head, labelled.then(|| "label".into()), "position")];
    for one in &info.moves {
        let [outcome, distance] = value_cells(one.value);
        let label = one.label.map(|label| label.to_string());
        let to = if wins(one) { &one.to } else { "" };
        rows.push(row([one.name.clone(), outcome, distance], label, to));
    }
    let sides = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Left];
    columns(&sides[..rows[0].len()], &rows)
}

/// A word or two, and what there is to say about it.
pub fn fact(name: &str, what: &str) -> String {
    format!("{name:<13} {what}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        let shown = [0, 999, 1000, 5478, 1_234_567].map(count);
        assert_eq!(shown, ["0", "999", "1,000", "5,478", "1,234,567"]);
    }

    #[test]
    fn signs() {
        let shown = [0.1254, -0.1254, -0.0001, -0.0].map(|number| signed(number, 3));
        assert_eq!(shown, ["+0.125", "-0.125", "+0.000", "+0.000"]);
    }

    #[test]
    fn times() {
        let shown = [0.0421, 12.34, 61.0, 100.0, 3720.0, 3e10].map(seconds);
        let wanted = ["0.042 s", "12.3 s", "61.0 s", "1 min 40 s", "1 h 02 min", "951 years"];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn a_long_name_keeps_its_distance() {
        assert_eq!(fact("time", "1 s"), "time          1 s\n");
    }

    #[test]
    fn of_many_moves_some_are_named() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];
        assert_eq!(some_of(&names), "a b c d e f g h i j k l and 2 more");
        assert_eq!(some_of(&names[..12]), "a b c d e f g h i j k l");
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["move".into(), "n".into()], vec!["a".into(), "10".into()]];
        assert_eq!(columns(&[Align::Left, Align::Right], &rows), "move   n\na     10\n");
    }

    #[test]
    fn large_numbers() {
        assert_eq!(
            [0, 999, 1000, 29_311_526_419].map(many),
            ["0", "999", "1,000", "29,311,526,419"]
        );
        assert_eq!(many(u128::MAX), "more than 10^38");
    }
}
