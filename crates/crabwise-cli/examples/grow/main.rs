//! One game in five steps, each faster or smaller than the one before: Teeko on 4×4. `docs/grow.md` tells the story.

mod folded;
mod places;
mod rules;
mod tiers;
mod unplay;

use std::process::ExitCode;

use crabwise::{ErasedGame, Setup};
use crabwise_games::{Entry, Params, Registry};

use crate::{folded::Folded, places::Places, rules::Teeko, tiers::Tiers};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    Ok(match params.number("step", 5, 1..=5)? {
        1 => Setup::of(Teeko).erased(),
        2 => Setup::of(Teeko).numbered(Places::new()).erased(),
        3 => Setup::of(Teeko).numbered(Folded::new()).erased(),
        4 => Setup::of(Teeko).numbered(Tiers::new()).erased(),
        _ => Setup::of(Teeko).numbered(Tiers::new()).reversible().erased(),
    })
}

fn main() -> ExitCode {
    let (parameters, example) = ("STEP, 1 to 5 (default 5)", "teeko:5");
    let about = "drop four stones, then move them: four in line or in a square win";
    let mut registry = Registry::standard();
    registry.add(Entry { name: "teeko", about, parameters, example, build });
    crabwise_cli::main_with(&registry)
}
