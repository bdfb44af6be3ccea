//! `crabwise equilibrium`: strategies that neither player can improve on, and by how much they may be wrong.

use std::{io::ErrorKind, path::Path, time::Instant};

use crabwise::{table::open_plain, watch::Unwatched};
use crabwise_api::hidden;
use crabwise_hidden::{
    HiddenError, LpBackend, Player, Strategy,
    equilibrium::{Equilibrium, EquilibriumError, Method, Problem, Run},
};

use super::{
    checkpoint::PartFile,
    strategy_text, svg_only,
    walked::{Asked, MethodGround},
};
use crate::{
    args::hidden::EquilibriumArgs,
    context::Context,
    error::Failure,
    machine,
    output::{writable, write_whole},
    svg,
    text::{count, fact, many, player, seconds},
};

pub fn run(context: &Context, args: &EquilibriumArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let built = context.hidden(&args.game)?;
    svg_only(args.curve.as_deref())?;
    if args.curve.is_some() && args.curve == args.output {
        let line = "the strategies and their curve are two files, and need two names";
        return Err(Failure::Input(line.into()));
    }
    let (options, wanted) = (args.how.options(), args.method.method());
    if let Some(method) = wanted {
        method.suits(&options)?;
    }
    options.backend.unwrap_or_default().built()?;
    if let Some(view) = &args.trace.trace {
        return super::trace::run(context, args, &built, view);
    }
    let game = &built.string;
    let path = args.output.clone().unwrap_or_else(|| context.session.strategies(game));
    if args.output.is_none() {
        context.make_folder()?;
        context.fetch(&path)?;
        // What is written to a pipe or a device is not kept.
        if let Err(source) = open_plain(&path)
            && source.kind() != ErrorKind::NotFound
        {
            return Err(Failure::File { path, source });
        }
    }
    writable(&path)?;
    let progress = context.progress();
    let asked = Asked { built: &built, path: &path, args, options, began };
    let mut laid_out = None;
    if let Some(method) = wanted {
        match super::walked::ground(context, &asked, method, &progress)? {
            MethodGround::Walked => return super::walked::run(context, &asked, method, progress),
            MethodGround::LaidOut(problem) => laid_out = problem,
        }
    }
    let problem = match laid_out {
        Some(problem) => *problem,
        None => Problem::new(&built.game, &options, context.session.memory(), &progress)
            .map_err(|error| too_large(game, error.into()))?,
    };
    let method = problem.choose(wanted, &options)?;
    let checkpoint = PartFile::new(&path, method, &options, args.anew);
    let run = Run {
        method,
        budget: args.budget.budget(),
        options,
        memory: context.session.memory(),
        watch: &progress,
        checkpoint: Some(&checkpoint),
    };
    let mut found = run.solve(&problem).map_err(|error| too_large(game, error))?;
    found.wall = began.elapsed().as_secs_f64();
    drop(progress);
    keep(context, args, game, &path, (&problem, &found))
}

/// Says what else can be done, where there is no room for a game or for its payoffs.
fn too_large(game: &str, error: EquilibriumError) -> Failure {
    match error {
        EquilibriumError::Hidden(source @ HiddenError::Room { .. }) => {
            Failure::LaidOut { game: game.into(), source }
        }
        error => error.into(),
    }
}

/// Keeps what was found, if nothing better is there, and prints it.
pub fn keep(
    context: &Context,
    args: &EquilibriumArgs,
    game: &str,
    path: &Path,
    (problem, found): (&Problem, &Equilibrium),
) -> Result<(), Failure> {
    let strategy = found.strategy(game);
    // What a file that was named holds is not asked.
    let better = if args.output.is_none() { better(path, game, found) } else { None };
    if better.is_none() {
        let failed = |source| Failure::File { path: path.into(), source };
        write_whole(path, |out| {
            strategy.write(problem.tree(), problem.is_short(), out).map_err(failed)
        })?;
        if args.output.is_none() {
            context.session.place().push(path, &Unwatched)?;
        }
    }
    if let Some(curve) = &args.curve {
        let drawing =
            svg::curves(&[(game.into(), vec![(found.method.name().into(), found.curve.clone())])]);
        let failed = |source| Failure::File { path: curve.clone(), source };
        write_whole(curve, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    let object = hidden::EquilibriumFound::new(game, found, machine::peak());
    let kept = match better {
        None => context.session.place().address(path).display().to_string(),
        Some(better) => format!(
            "not kept: those in {} are exploitable by {} only; -o FILE keeps these elsewhere",
            path.display(),
            small(better)
        ),
    };
    context.print(&object, || text(game, problem, found, &kept, args.most))
}

/// The exploitability of strategies that are there, if they are better.
fn better(path: &Path, game: &str, found: &Equilibrium) -> Option<f64> {
    let judged = Strategy::judged_in(game, &mut open_plain(path).ok()?)?;
    let there = judged.exploitability().max(0.0);
    (there < found.judged.exploitability() - 1e-15).then_some(there)
}

fn text(game: &str, problem: &Problem, found: &Equilibrium, path: &str, most: usize) -> String {
    let mut text = format!("{game}\n");
    text += &fact("value", &value(found));
    text += &fact("exploitable", &format!("by {}", small(found.judged.exploitability())));
    let [low, high] = found.judged.bounds();
    // Rounding may turn them around.
    let (low, high) = (low.min(high), high.max(low));
    text +=
        &fact("sure of", &format!("at least {low:.9} and at most {high:.9}, for the first player"));
    let mut iterations = found.method.name().to_string();
    if let Some(backend) = found.backend.filter(|&backend| backend != LpBackend::default()) {
        iterations += &format!(" by {}", backend.name());
    }
    iterations += &format!(", {} iterations", count(found.iterations));
    if found.before > 0 {
        iterations += &format!(", {} of them before this run", count(found.before));
    }
    text += &fact("method", &iterations);
    if found.abstraction {
        let what = match found.method {
            Method::Deep => "networks estimate what is done",
            _ => "the order of events is forgotten",
        };
        let why = format!("{what}, so this need not be close to an equilibrium");
        text += &fact("abstraction", &why);
    }
    if let Some(why) = reduced(problem, found.method) {
        text += &fact("reduced", &why);
    }
    text += &fact("time", &seconds(found.wall));
    if let Some(peak) = machine::peak() {
        text += &fact("peak memory", &crabwise::watch::Bytes(peak).to_string());
    }
    text += &fact("strategies", path);
    let whole = problem.whole(&found.behaviours);
    for side in Player::BOTH {
        let p = side as usize;
        text += &format!("\n{}\n", player(p));
        text += &strategy_text(&problem.explored.tree, side, &whole[p], most);
    }
    text
}

/// What was left out of the game, and may be.
fn reduced(problem: &Problem, method: Method) -> Option<String> {
    let (whole, left) = (problem.explored.tree.counts(), problem.tree().counts());
    let mut why = vec![];
    if left.games < whole.games {
        why.push(format!(
            "ended at certain wins, which leaves {} of {} games",
            many(left.games),
            many(whole.games)
        ));
    }
    if problem.folds(method) {
        why.push("folded by its mirror".into());
    }
    (!why.is_empty()).then(|| why.join("; "))
}

/// The value with its error.
pub fn value(found: &Equilibrium) -> String {
    match &found.fraction {
        Some((fraction, true)) => {
            let exactly = shortened(&fraction.to_string());
            format!("{} for the first player, exactly {exactly}", fraction.value())
        }
        Some((fraction, false)) => format!(
            "{} for the first player, the only simple fraction within the bounds: {fraction}",
            fraction.value()
        ),
        None => format!("{:.9} ± {} for the first player", found.value(), small(found.error())),
    }
}

/// A fraction, without the middle of numbers that are too long to read.
fn shortened(fraction: &str) -> String {
    let short = |number: &str| match number.len() {
        0..=LONGEST => number.to_string(),
        length => {
            let digits = number.trim_start_matches('-').len();
            format!("{}…{} ({digits} digits)", &number[..12], &number[length - 12..])
        }
    };
    fraction.split('/').map(short).collect::<Vec<_>>().join("/")
}

/// A number with more digits is not printed in full; JSON has them all.
const LONGEST: usize = 100;

/// A small number, of which the first digits matter.
pub fn small(x: f64) -> String {
    match x.abs() {
        x if x < 1e-15 => "0".into(),
        x if x < 1e-3 => format!("{x:.2e}"),
        x => format!("{x:.6}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fractions_are_shortened() {
        assert_eq!(shortened("-1/18"), "-1/18");
        let long = format!("-{}/{}", "12345".repeat(40), "6".repeat(LONGEST));
        let whole = "6".repeat(LONGEST);
        let told = format!("-12345123451…451234512345 (200 digits)/{whole}");
        assert_eq!(shortened(&long), told);
    }
}
