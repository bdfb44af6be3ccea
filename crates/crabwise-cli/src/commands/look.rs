//! `crabwise look`: one position, its moves, and perfect play from there.

use crabwise::{
    analysis::label::{Draws, Label},
    explore::{Board, Explorer, PositionInfo, Variation, VariationEnd},
    game::theory::Prediction,
};
use crabwise_api::position::{Glance, Position};
use crabwise_session::Target;

use crate::{
    args::LookArgs,
    context::Context,
    error::Failure,
    text::{best, class_line, own_notation, player, standing, table},
};

/// A position, and what is to be said about it.
struct PositionLook<'a> {
    game: &'a str,
    info: PositionInfo,
    perfect: Variation,
    /// What the files call it in which the game was published before.
    published: Option<String>,
    /// What has been said of the start, if it is that.
    predictions: Vec<Prediction>,
    /// Moves that the rules forbid, and what each would do.
    barred: Vec<(String, String)>,
}

pub fn run(context: &Context, args: &LookArgs) -> Result<(), Failure> {
    if args.second || args.strategy.is_some() {
        let line = "--second and --strategy are for games with hidden information";
        return Err(Failure::Input(line.into()));
    }
    let target = context.target(&args.asked.of.game)?;
    let line = context.line(&target, &args.moves)?;
    let draws = args.traps.draws().or(args.labels.then_some(Draws::Deepest));
    let values = context.values(&target, args.asked.needs().with_labels(draws))?;
    let explorer = context.explorer(&target, &values, draws)?;
    if args.outcome {
        let info = explorer.glance(&line)?;
        return context.print(&Glance::new(&target.built.string, &info), || {
            let lines = [Some(standing(&info)), class_line(&info)].into_iter().flatten();
            lines.map(|line| line + "\n").collect()
        });
    }
    let board = target.built.game.board(&line)?;
    let most = (args.seed, args.line);
    let mut looked = PositionLook::at(&target, &*explorer, &line, board.published.clone(), most)?;
    looked.barred.clone_from(&board.barred);
    context.print(&looked.json(board), || text(&looked))
}

impl PositionLook<'_> {
    fn at<'a>(
        target: &'a Target,
        explorer: &dyn Explorer,
        line: &[String],
        published: Option<String>,
        (seed, most): (Option<u64>, usize),
    ) -> Result<PositionLook<'a>, Failure> {
        let info = explorer.look(line)?;
        let perfect = explorer.perfect(line, seed, most)?;
        let theory = if line.is_empty() { target.built.game.theory() } else { None };
        Ok(PositionLook {
            game: &target.built.string,
            info,
            perfect,
            published,
            predictions: theory.map_or(vec![], |theory| theory.predictions),
            barred: vec![],
        })
    }

    /// For scripts, with what the rules say of the position.
    fn json(&self, board: Board) -> Position {
        Position::new(self.game, board, Some(&self.info))
            .with_perfect_play(&self.perfect)
            .with_predictions(&self.predictions, self.info.value)
    }
}

fn text(looked: &PositionLook) -> String {
    let PositionLook { info, perfect, .. } = looked;
    let mut text = format!("{}\n\n{}\n", info.place.text.trim_end(), standing(info));
    if let Some(line) = class_line(info) {
        text += &format!("{line}\n");
    }
    if let Some(nimber) = info.nimber {
        text += &format!("nimber {nimber}\n");
    }
    if let Some(notation) = own_notation(info) {
        text += &format!("position  {notation}\n");
    }
    if let Some(name) = &looked.published {
        text += &format!("published as  {name}\n");
    }
    text += &looked.predictions.iter().map(|one| prediction(one, info)).collect::<String>();
    text += &barred(&looked.barred);
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

/// Moves that are forbidden, a line for each thing that they would do.
fn barred(moves: &[(String, String)]) -> String {
    let mut by_reason: Vec<(&str, Vec<&str>)> = vec![];
    for (name, why) in moves {
        match by_reason.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(name),
            None => by_reason.push((why, vec![name])),
        }
    }
    let line = |(why, names): &(&str, Vec<&str>)| format!("{why}: {}\n", names.join(" "));
    let lines: String = by_reason.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\nnot allowed\n{lines}") }
}

/// Who says what, whether that is so and, where it is proven, why.
fn prediction(one: &Prediction, info: &PositionInfo) -> String {
    let Prediction { by, outcome, proven, words } = one;
    let how = if *proven { "theorem" } else { "conjecture" };
    let says = match outcome.winner(0) {
        Some(winner) => format!("the {} wins", player(winner)),
        None => "nobody wins".into(),
    };
    let agrees = outcome.is_that_of(info.value);
    let verdict = if agrees { "agrees" } else { "DISAGREES" };
    let mut text = format!("{how}, {by}: {says}; {verdict}\n");
    if *proven && agrees && !words.is_empty() {
        text += &format!("  {words}\n");
    }
    text
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
    use crabwise_session::words;

    use crate::sample_games;
    use crabwise_session::Needs;
    use serde_json::json;

    /// What is printed for a position of a sample game, as text and as JSON.
    fn looked(game: &str, line: &str, draws: Option<Draws>) -> (String, serde_json::Value) {
        let needs = Needs { solve: true, ..Needs::default() };
        looked_by(needs, game, line, draws)
    }

    fn looked_by(
        needs: Needs,
        game: &str,
        line: &str,
        draws: Option<Draws>,
    ) -> (String, serde_json::Value) {
        let folder = tempfile::tempdir().unwrap();
        let context = sample_games::context(&sample_games::registry(), folder.path());
        let target = context.target(game).unwrap();
        let values = context.values(&target, needs).unwrap();
        let explorer = context.explorer(&target, &values, draws).unwrap();
        let line = words(&[line.to_string()]);
        let looked = PositionLook::at(&target, &*explorer, &line, None, (None, 100)).unwrap();
        (
            text(&looked),
            serde_json::to_value(looked.json(target.built.game.board(&line).unwrap())).unwrap(),
        )
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
        let best = json!({
            "move": "B-1", "decisions": ["B", "1"], "value": value("win", 5),
            "position": "A: 2/B: 2",
        });
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
        let choice =
            json!({ "choice": "two", "value": value("win", 2), "moves": 1, "completes": "two" });
        assert_eq!((&object["made"], &object["choices"][0]), (&json!([]), &choice));
        let best = json!({ "move": "two", "value": value("win", 2), "position": "1 left" });
        assert_eq!(object["moves"][0], best);
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

    #[test]
    fn a_search_tells_everything_but_distances() {
        let search = Needs { search: true, ..Needs::default() };
        let (text, object) = looked_by(search, "rows:1-3", "", None);
        let expected = "\
|
|||

first player to move: win
N: the next player wins, so the first player wins
nimber 2
position  1,3
conjecture, parity: the second player wins; DISAGREES

move  value  distance  position
b→1   win           -  1,1
a→0   loss          -
b→0   loss          -
b→2   loss          -

perfect play: b→1 a→0 b→0
";
        assert_eq!(text, expected);
        assert_eq!((&object["outcome_class"], &object["notation"]), (&json!("N"), &json!("1,3")));
        assert_eq!(object["moves"][0]["position"], "1,1");
        assert_eq!(object["moves"][0]["kind"].as_str().unwrap().len(), 16);
        assert_eq!(object["predictions"][0]["agrees"], false);
    }

    #[test]
    fn a_theorem_that_agrees_says_why() {
        let (text, object) = looked("rows:both=2", "", None);
        assert!(
            text.contains("P: the previous player wins, so the second player wins\n"),
            "{text}"
        );
        let theorem = "theorem, Tweedledum: the second player wins; agrees\n  Do in one row what \
                       was done in the other.\n";
        assert!(text.contains(theorem), "{text}");
        assert_eq!(object["predictions"][1]["proven"], true);
        let (text, object) = looked("doubtful:both=2", "", None);
        let theorem = "theorem, Tweedledum: the first player wins; DISAGREES\n\nmove";
        assert!(text.contains(theorem), "{text}");
        assert_eq!(object["predictions"][1]["outcome"], "win");
        let (text, object) = looked("rows:both=2", "a-1", None);
        assert!(text.contains("N: the next player wins\n"), "{text}");
        assert_eq!(object.get("predictions"), None);
    }

    #[test]
    fn a_position_in_brackets_is_one_word() {
        let read =
            |moves: &[&str]| words(&moves.iter().map(|word| word.to_string()).collect::<Vec<_>>());
        assert_eq!(read(&["[0,", "1,", "-1,", "0]", "3-7"]), ["[0,1,-1,0]", "3-7"]);
        assert_eq!(read(&["[0, 1] a b"]), ["[0,1]", "a", "b"]);
        assert_eq!(read(&["[0,1]", "a"]), ["[0,1]", "a"]);
        let (text, _) = looked("rows:1-3", "[1, 2] b-1", None);
        assert!(text.contains("\nposition  1,1\n"), "{text}");
    }
}
