//! `crabwise advise`: the best move as far as a limited look ahead can tell.

use std::time::{Duration, Instant};

use crabwise::{
    analysis::horizon::Horizon,
    analysis::label::{Draws, Label},
    explore::advise::Advice,
};
use crabwise_api::position::Advised;

use crate::{
    args::{AdviseArgs, MOST_DEPTH},
    context::Context,
    error::Failure,
    text::{Align, columns, player, result, seconds, several},
};

/// How long to look where nothing is said.
const A_WHILE: Duration = Duration::from_secs(5);

pub fn run(context: &Context, args: &AdviseArgs) -> Result<(), Failure> {
    let target = context.target(&args.game)?;
    let weights = args.weights.unwrap_or_default();
    context.doubt(Some(Draws::Densest(weights)));
    let time = match (args.time, args.depth) {
        (None, None) => Some(A_WHILE),
        (time, _) => time,
    };
    let horizon = Horizon {
        depth: args.depth.unwrap_or(MOST_DEPTH as u32),
        time,
        weights,
        seed: args.seed,
        memory: context.session.memory() / 2,
    };
    let line = crabwise_session::words(&args.moves);
    let begun = Instant::now();
    let progress = context.progress();
    let advice = target.built.game.advise(&line, &horizon, &progress)?;
    drop(progress);
    let took = begun.elapsed().as_secs_f64();
    let object = Advised::new(&target.built.string, &advice, args.seed, took);
    context.print(&object, || text(&advice, took))
}

fn text(advice: &Advice, took: f64) -> String {
    let picture = advice.place.text.trim_end();
    if let Some(outcome) = advice.place.over {
        return format!("{picture}\n\n{}\n", result(outcome.winner(advice.place.mover)));
    }
    let looked = format!(
        "looked {} ahead, {} in {}",
        several(advice.depth.into(), "move"),
        several(advice.positions, "position"),
        seconds(took)
    );
    let player = player(advice.place.mover);
    format!("{picture}\n\n{player} to move; {looked}\n\n{}\n{}\n", table(advice), verdict(advice))
}

fn table(advice: &Advice) -> String {
    let mut rows = vec![["move", "value", "label"].map(str::to_string).to_vec()];
    for one in &advice.moves {
        let value = one.value.map_or("open".into(), |value| value.to_string());
        rows.push(vec![one.name.clone(), value, one.label.to_string()]);
    }
    columns(&[Align::Left; 3], &rows)
}

/// What is advised, and whether that is proven or a guess.
pub fn verdict(advice: &Advice) -> String {
    let Some(best) = advice.moves.first() else { return "there is no move".into() };
    let name = &best.name;
    // The first of several ties need not be the nearest, so it is its own worth that is told.
    if let Some(value) = best.value.filter(|_| advice.proven()) {
        return format!("advice: {name}, proven: {value}");
    }
    let within = several(advice.depth.into(), "move");
    match best.label {
        Label::T(z) => {
            format!("advice: {name}, a guess: open within {within}, with the densest traps (Z {z})")
        }
        // Nothing is open and nothing is proven only where there is no move at all.
        label => format!("advice: {name}, a guess: {label}"),
    }
}
