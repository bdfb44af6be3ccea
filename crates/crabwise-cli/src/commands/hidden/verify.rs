//! `crabwise verify` of strategies: are they worth what their file says?

use crabwise_api::analysis::{Compared, DifferingEntry};
use crabwise_hidden::{Judged, SequenceForm};

use super::strategies;
use crate::{args::VerifyArgs, context::Context, error::Failure};

/// By how much what a file says may differ from what is found: rounding, where sums run in another order.
const ROUNDING: f64 = 1e-9;

/// Judges the strategies again by best responses, and compares that with what their file says.
pub fn run(context: &Context, args: &VerifyArgs) -> Result<(), Failure> {
    if args.sample.is_some() || args.of.solve {
        return Err(super::for_open_games("--sample and --solve"));
    }
    let built = context.hidden(&args.of.game)?;
    let game = &built.string;
    let path = args.against.clone().unwrap_or_else(|| context.session.strategies(game));
    let found = strategies(context, game, args.against.as_deref())?;
    let progress = context.progress();
    let explored = built.game.explore(context.session.memory(), &progress)?;
    let form = SequenceForm::new(&explored.tree, false, context.session.memory(), &progress)?;
    let found = found.unpacked(&explored.tree)?;
    let [first, second] = &found.behaviours;
    let judged = form.judge([first, second]);
    drop(progress);
    let rows = claims(&found.judged).into_iter().zip(claims(&judged));
    // What is no number agrees with nothing.
    let agree = |told: f64, is: f64| (told - is).abs() <= ROUNDING * is.abs().max(1.0);
    let wrong: Vec<[String; 3]> = rows
        .filter(|((_, told), (_, is))| !agree(*told, *is))
        .map(|((what, told), (_, is))| [what.into(), told.to_string(), is.to_string()])
        .collect();
    let file = path.display().to_string();
    let object = Compared {
        game,
        file: &file,
        form: "strategies",
        ok: wrong.is_empty(),
        compared: claims(&judged).len() as u64,
        differing: wrong.len() as u64,
        differences: wrong
            .iter()
            .map(|[place, file, table]| DifferingEntry { place, position: "", file, table })
            .collect(),
    };
    let printed = context.print(&object, || text(&judged, &wrong));
    match wrong.is_empty() {
        true => printed,
        false => Err(Failure::No(format!(
            "{file} says something else than what its strategies are worth"
        ))),
    }
}

fn claims(judged: &Judged) -> [(&'static str, f64); 3] {
    let [first, second] = judged.best;
    [
        ("value", judged.value),
        ("best answer of the first player", first),
        ("best answer of the second player", second),
    ]
}

fn text(judged: &Judged, wrong: &[[String; 3]]) -> String {
    let mut text = format!(
        "strategies: value {:.9}, exploitable by {}; judged again by best responses\n",
        judged.value,
        super::equilibrium::small(judged.exploitability()),
    );
    for [what, told, is] in wrong {
        text += &format!("{what}: the file says {told}, it is {is}\n");
    }
    text
}
