//! `crabwise look`: one position, its moves, and perfect play from there.

use crabwise::{
    explore::{PositionInfo, Variation, VariationEnd},
    label::{Draws, Label},
};

use crate::{
    args::LookArgs,
    error::Failure,
    json,
    setting::Setting,
    text::{Side, columns, some_of, standing, value_cells},
};

pub fn run(setting: &Setting, args: &LookArgs) -> Result<(), Failure> {
    let chosen = setting.solved(&args.of)?;
    let draws = args.traps.draws().or(args.labels.then_some(Draws::Deepest));
    let explorer = setting.explorer(&chosen, draws)?;
    let line = words(&args.moves);
    let info = explorer.look(&line)?;
    let perfect = explorer.perfect(&line, args.seed, args.line)?;
    let object = json::Look::new(&chosen.built.string, &info, &perfect);
    setting.print(&object, || text(&info, &perfect))
}

/// A line of moves, which may come as one word each or all in one, as people copy it.
pub fn words(moves: &[String]) -> Vec<String> {
    moves.iter().flat_map(|word| word.split_whitespace()).map(str::to_string).collect()
}

fn text(info: &PositionInfo, perfect: &Variation) -> String {
    let mut text = format!("{}\n\n{}\n", info.picture.trim_end(), standing(info));
    if let Some(nimber) = info.nimber {
        text += &format!("nimber {nimber}\n");
    }
    if !info.moves.is_empty() {
        text += &format!("\n{}\n", table(info));
        if info.compound() {
            text += &format!("best: {}\n", best(info));
        }
        text += &match info.label {
            None => format!("perfect play: {}\n", variation(perfect, None)),
            label => format!("road of greatest resistance: {}\n", variation(perfect, label)),
        };
    }
    text
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
    for one in info.choices(&info.made) {
        let label = one.label.map(|label| label.to_string());
        rows.push(row(&one.name, value_cells(one.value), label, &one.moves.to_string()));
    }
    let sides = match labelled {
        true => &[Side::Left, Side::Left, Side::Right, Side::Left, Side::Right][..],
        false => &[Side::Left, Side::Left, Side::Right, Side::Right],
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
    let shown = if labelled { 4 } else { 3 };
    let names = ["move", "value", "distance", "label"];
    let mut rows = vec![names[..shown].iter().map(|name| name.to_string()).collect()];
    for one in &info.moves {
        let [outcome, distance] = value_cells(one.value);
        let label = one.label.map(|label| label.to_string());
        rows.push([one.name.clone(), outcome, distance].into_iter().chain(label).collect());
    }
    columns(&[Side::Left, Side::Left, Side::Right, Side::Left][..shown], &rows)
}

/// The moves; with labels, that of each island on the way, from the first one on.
fn variation(perfect: &Variation, from: Option<Label>) -> String {
    let mut words: Vec<String> = from.iter().map(Label::to_string).collect();
    for one in &perfect.moves {
        words.push(one.name.clone());
        words.extend(one.label.map(|label| label.to_string()));
    }
    match perfect.end {
        VariationEnd::Over => {}
        VariationEnd::Circle => words.push("… and round in circles".into()),
        VariationEnd::Cut => words.push("…".into()),
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys;
    use crabwise::watch::Unwatched;
    use serde_json::json;

    /// What is printed for a position of a toy game, as text and as JSON.
    fn looked(toy: &str, line: &str, draws: Option<Draws>) -> (String, serde_json::Value) {
        let folder = tempfile::tempdir().unwrap();
        let registry = toys::registry();
        let setting = toys::setting(&registry, folder.path());
        let chosen = setting.game(toy).unwrap();
        setting.solve(&chosen, &Unwatched).unwrap();
        let explorer = setting.explorer(&chosen, draws).unwrap();
        let line = words(&[line.to_string()]);
        let (info, perfect) =
            (explorer.look(&line).unwrap(), explorer.perfect(&line, None, 100).unwrap());
        let object = serde_json::to_value(json::Look::new(toy, &info, &perfect)).unwrap();
        (text(&info, &perfect), object)
    }

    fn value(outcome: &str, remoteness: u32) -> serde_json::Value {
        json!({ "outcome": outcome, "remoteness": remoteness })
    }

    #[test]
    fn of_a_turn_the_first_decision_is_shown_first() {
        let (text, object) = looked("heaps", "", None);
        let expected = "\
A: 2
B: 3

first player to move: win in 5

choice  value  distance  moves
B       win           5      3
A       loss          4      2

best: B-1
perfect play: B-1 A-1 B-1 A-1 B-1
";
        assert_eq!(text, expected);
        let choices = json!([
            { "choice": "B", "value": value("win", 5), "moves": 3, "completes": null },
            { "choice": "A", "value": value("loss", 4), "moves": 2, "completes": null },
        ]);
        assert_eq!((&object["made"], &object["choices"]), (&json!([]), &choices));
        let best = json!({ "move": "B-1", "decisions": ["B", "1"], "value": value("win", 5) });
        assert_eq!((&object["moves"][0], &object["perfect"][0]), (&best, &best));
        assert_eq!(object["moves"].as_array().unwrap().len(), 5);
    }

    #[test]
    fn in_the_middle_of_a_turn_the_next_decision_is_shown() {
        let (text, object) = looked("heaps", "A 1 B", None);
        let expected = "\
A: 1
B: 3

second player to move: win in 3; with B decided: win in 3

choice  value  distance  moves
2       win           3      1
1       loss          4      1
3       loss          2      1

best: B-2
perfect play: B-2 A-1 B-1
";
        assert_eq!(text, expected);
        assert_eq!((&object["line"], &object["made"]), (&json!(["A-1"]), &json!(["B"])));
        let last =
            json!({ "choice": "3", "value": value("loss", 2), "moves": 1, "completes": "B-3" });
        assert_eq!(object["choices"][2], last);
        assert_eq!(object["moves"].as_array().unwrap().len(), 3);
        let (text, object) = looked("heaps", "A-1 A", None);
        assert!(text.contains("to move: win in 3; with A decided: loss in 2\n"), "{text}");
        assert!(text.ends_with("best: A-1\nperfect play: A-1 B-3\n"), "{text}");
        assert_eq!(object["value"], value("win", 3));
    }

    #[test]
    fn a_move_of_one_decision_is_shown_as_ever() {
        let (text, object) = looked("again", "two", None);
        let expected = "\
3 left

first player to move: win in 2

move  value  distance
two   win           2
one   win           3

perfect play: two one
";
        assert_eq!(text, expected);
        assert_eq!((object.get("made"), object.get("choices")), (None, None));
        assert_eq!(object["moves"][0], json!({ "move": "two", "value": value("win", 2) }));
    }

    #[test]
    fn choices_have_labels() {
        let (text, object) = looked("heaps", "", Some(Draws::Deepest));
        let choices = "\
choice  value  distance  label  moves
B       win           5  G5         3
A       loss          4  P4         2

best: B-1
road of greatest resistance: P6 B-1 G5 ";
        assert!(text.contains(choices), "{text}");
        assert_eq!(object["choices"][0]["label"], "G5");
    }
}
