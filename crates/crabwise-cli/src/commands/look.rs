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
    text::{Side, columns, standing, value_cells},
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
        text += &format!("\n{}", move_table(info));
        text += &match info.label {
            None => format!("\nperfect play: {}\n", variation(perfect, None)),
            label => {
                format!("\nroad of greatest resistance: {}\n", variation(perfect, label))
            }
        };
    }
    text
}

/// The moves, best first, with what they are worth to the player who makes them.
pub fn move_table(info: &PositionInfo) -> String {
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
