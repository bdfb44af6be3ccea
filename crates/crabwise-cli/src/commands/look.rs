//! `crabwise look`: one position, its moves, and perfect play from there.

use crabwise::{
    explore::{PositionInfo, Variation, VariationEnd},
    watch::Unwatched,
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
    let explorer = chosen.built.game.open(&setting.job(&chosen, &Unwatched))?;
    // A line may come as one word each or all in one, as people copy it.
    let line: Vec<String> =
        args.moves.iter().flat_map(|word| word.split_whitespace()).map(str::to_string).collect();
    let info = explorer.look(&line)?;
    let perfect = explorer.perfect(&line, args.seed, args.line)?;
    let object = json::Look::new(&chosen.built.string, &info, &perfect);
    setting.print(&object, || text(&info, &perfect))
}

fn text(info: &PositionInfo, perfect: &Variation) -> String {
    let mut text = format!("{}\n\n{}\n", info.picture.trim_end(), standing(info));
    if let Some(nimber) = info.nimber {
        text += &format!("nimber {nimber}\n");
    }
    if !info.moves.is_empty() {
        text += &format!("\n{}", move_table(info));
        text += &format!("\nperfect play: {}\n", variation(perfect));
    }
    text
}

/// The moves, best first, with what they are worth to the player who makes them.
pub fn move_table(info: &PositionInfo) -> String {
    let mut rows = vec![["move", "value", "distance"].map(str::to_string).to_vec()];
    for one in &info.moves {
        let [outcome, distance] = value_cells(one.value);
        rows.push(vec![one.name.clone(), outcome, distance]);
    }
    columns(&[Side::Left, Side::Left, Side::Right], &rows)
}

fn variation(perfect: &Variation) -> String {
    let mut words: Vec<&str> = perfect.moves.iter().map(|one| one.name.as_str()).collect();
    match perfect.end {
        VariationEnd::Over => {}
        VariationEnd::Circle => words.push("… and round in circles"),
        VariationEnd::Cut => words.push("…"),
    }
    words.join(" ")
}
