//! `crabwise equilibrium --trace`: how regrets are minimised at one view.

use crabwise_api::hidden::RegretTrace;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, GameTree, InfoSet, Player,
    equilibrium::{Method, StartRegret, Trace, TracePoint},
};

use super::equilibrium::small;
use crate::{
    args::hidden::EquilibriumArgs,
    context::Context,
    error::Failure,
    output::write_whole,
    svg,
    text::{Align, columns, fact, player},
};

/// A curve has no more points.
const MOST_POINTS: u64 = 300;

pub fn run(
    context: &Context,
    args: &EquilibriumArgs,
    built: &Built<ErasedHidden>,
    view: &str,
) -> Result<(), Failure> {
    let side = if args.trace.second { Player::Second } else { Player::First };
    let line: Vec<String> = view.split_whitespace().map(String::from).collect();
    let method = args.method.method().unwrap_or(Method::Cfr);
    built.game.foresee(side, &line).map_err(Failure::Input)?;
    let progress = context.progress();
    let memory = context.session.memory();
    let explored = built.game.explore(memory, &progress)?;
    let at = explored.at(side, &line).map_err(Failure::Input)?;
    let mut starts = begun(&explored.tree, at, &args.trace.start)?;
    if !args.trace.start_other.is_empty() {
        let other = explored.at(side.other(), &[]).map_err(Failure::Input)?;
        starts.extend(begun(&explored.tree, other, &args.trace.start_other)?);
    }
    let mut shown = args.trace.trace_at.clone();
    shown.sort_unstable();
    shown.dedup();
    let after = match args.curve {
        Some(_) => with_between(&shown),
        None => shown.clone(),
    };
    let simultaneous = args.how.simultaneous;
    let trace = Trace { at, method, simultaneous, after: &after, starts: &starts };
    let points = trace.run(&explored, memory, &progress)?;
    drop(progress);
    let (game, name) = (&built.string, method.name());
    if let Some(path) = &args.curve {
        let drawing = svg::trace(&title(game, side, &line), &points);
        let failed = |source| Failure::File { path: path.clone(), source };
        write_whole(path, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    let mut points = points;
    points.retain(|point| shown.contains(&point.iterations));
    let object = RegretTrace::new(game, side as usize, &line, (name, simultaneous), &points);
    context.print(&object, || {
        let both = if simultaneous { ", both players at the same time" } else { "" };
        let head =
            fact("view", &title("", side, &line)) + &fact("method", &format!("{name}{both}"));
        format!("{game}\n{head}\n{}", table(&points))
    })
}

/// Whose view it is, and of what.
fn title(game: &str, side: Player, line: &[String]) -> String {
    let view = if line.is_empty() { "at first".into() } else { format!("'{}'", line.join(" ")) };
    let game = if game.is_empty() { String::new() } else { format!("{game}: ") };
    format!("{game}{view}, of the {}", player(side as usize))
}

/// The sequences of moves that are named, with their regrets.
fn begun(
    tree: &GameTree,
    at: InfoSet,
    starts: &[(String, f64)],
) -> Result<Vec<StartRegret>, Failure> {
    let legal: Vec<&str> = tree.moves(at).collect();
    let each = starts.iter().map(|(name, regret)| {
        let Some(place) = legal.iter().position(|mv| mv == name) else {
            let line =
                format!("there is no move '{name}' to begin with; legal: {}", legal.join(" "));
            return Err(Failure::Input(line));
        };
        let (player, sequence) = (at.player, at.first() + place);
        Ok(StartRegret { player, sequence, regret: *regret })
    });
    each.collect()
}

/// Numbers of iterations with more of them in between, as many as a curve shows.
fn with_between(shown: &[u64]) -> Vec<u64> {
    let last = shown.last().copied().unwrap_or(0);
    let step = last.div_ceil(MOST_POINTS).max(1);
    let mut all: Vec<u64> =
        (0..=last).step_by(step as usize).chain(shown.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// To four digits, and nothing with a sign.
fn rounded(regret: f64) -> String {
    let text = format!("{regret:.4}");
    if text == "-0.0000" { "0.0000".into() } else { text }
}

fn table(points: &[TracePoint]) -> String {
    let names = ["iteration", "exploitable", "move", "regret", "now", "average"];
    let mut rows = vec![names.map(String::from).to_vec()];
    for point in points {
        for (i, mv) in point.moves.iter().enumerate() {
            let first = |text: String| if i == 0 { text } else { String::new() };
            rows.push(vec![
                first(point.iterations.to_string()),
                first(point.exploitability.map_or("-".into(), small)),
                mv.name.clone(),
                rounded(mv.regret),
                super::percent(mv.now),
                mv.average.map_or("-".into(), super::percent),
            ]);
        }
    }
    use Align::{Left, Right};
    columns(&[Right, Right, Left, Right, Right, Right], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_points_between_those_that_are_shown() {
        assert_eq!(with_between(&[0, 1, 5]), [0, 1, 2, 3, 4, 5]);
        let many = with_between(&[7, 1000]);
        assert!(many.len() < 310 && many.contains(&7) && many.contains(&1000), "{many:?}");
        assert_eq!(with_between(&[]), [0]);
    }
}
