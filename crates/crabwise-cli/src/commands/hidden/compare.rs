//! `crabwise compare`: methods of finding equilibria, each with the same time.

use crabwise_api::hidden;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, FormSize,
    equilibrium::{
        Budget, Equilibrium, EquilibriumError, Method, Options, Problem, Run, Walked, WalkedRun,
    },
};

use super::equilibrium::small;
use crate::{
    args::hidden::CompareArgs,
    context::Context,
    error::Failure,
    machine,
    output::write_whole,
    svg,
    text::{Align, columns, count, seconds},
};

/// What became of each method on a game.
pub struct MethodsRun {
    pub game: String,
    pub rows: Vec<(Method, Result<Equilibrium, String>)>,
}

pub fn run(context: &Context, args: &CompareArgs) -> Result<(), Failure> {
    let methods: Vec<Option<Method>> = match args.methods.is_empty() {
        true => Method::ALL.map(Some).to_vec(),
        false => args.methods.iter().map(|name| name.method()).collect(),
    };
    super::svg_only(args.output.as_deref())?;
    let mut all = vec![];
    let games = args.games.iter().map(|game| context.hidden(game));
    for built in games.collect::<Result<Vec<_>, _>>()? {
        let progress = context.progress();
        let options = Options { seed: args.seed, ..Options::default() };
        let problem = Problem::new(&built.game, &options, context.session.memory(), &progress)?;
        let mut rows = vec![];
        for &method in &methods {
            let method = problem.choose(method, &options)?;
            let budget = Budget { until: Some(GOOD), iterations: None, time: Some(args.time) };
            let (memory, watch) = (context.session.memory(), &progress);
            let run = Run { method, budget, options, memory, watch, checkpoint: None };
            let large = FormSize::of(problem.tree()).ends > MOST_ENDS;
            let found = match method == Method::Lp && large {
                true => Err(format!("not tried on more than {MOST_ENDS} games")),
                false => match solve(&built, &run, &problem) {
                    Err(EquilibriumError::Stopped { stop, kept }) => {
                        return Err(Failure::Halted { stop, kept });
                    }
                    other => other.map_err(|error| Failure::from(error).to_string()),
                },
            };
            rows.push((method, found));
        }
        all.push(MethodsRun { game: built.string.clone(), rows });
    }
    if let Some(path) = &args.output {
        let drawing = svg::curves(&curves(&all));
        let failed = |source| Failure::File { path: path.clone(), source };
        write_whole(path, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    let peak = machine::peak();
    let games = all.iter().map(|one| hidden::GameCompared::new(&one.game, &one.rows, peak));
    context.print(&hidden::MethodsCompared { games: games.collect() }, || text(&all))
}

/// Solves a problem; deep CFR walks its rules, and is judged at the end alone.
fn solve(
    built: &Built<ErasedHidden>,
    run: &Run,
    problem: &Problem,
) -> Result<Equilibrium, EquilibriumError> {
    if run.method != Method::Deep {
        return run.solve(problem);
    }
    let &Run { method, options, memory, watch, checkpoint, .. } = run;
    let budget = Budget { until: None, ..run.budget };
    let game = (&built.game, built.string.as_str());
    let walked = WalkedRun { game, method, budget, options, memory, watch, checkpoint, games: 2 };
    match walked.solve()? {
        Walked::LaidOut(both) => Ok(both.1),
        Walked::Views(_) => Err(EquilibriumError::Unjudged),
    }
}

/// Closer than this nobody can tell.
const GOOD: f64 = 1e-10;

/// A linear program of more would take hours.
const MOST_ENDS: u128 = 2_000_000;

fn curves(all: &[MethodsRun]) -> Vec<svg::Panel> {
    let panel = |compared: &MethodsRun| {
        let curve = |(method, found): &(Method, Result<Equilibrium, String>)| {
            Some((method.name().to_string(), found.as_ref().ok()?.curve.clone()))
        };
        (compared.game.clone(), compared.rows.iter().filter_map(curve).collect())
    };
    all.iter().map(panel).collect()
}

fn text(all: &[MethodsRun]) -> String {
    let mut text = String::new();
    for MethodsRun { game, rows } in all {
        let names = ["method", "value", "exploitability", "iterations", "time", "an iteration"];
        let mut lines = vec![names.map(String::from).to_vec()];
        let mut without = String::new();
        for (method, found) in rows {
            match found {
                Ok(found) => lines.push(cells(*method, found)),
                Err(why) => without += &format!("{}: {why}\n", method.name()),
            }
        }
        let sides = [[Align::Left; 1].as_slice(), &[const { Align::Right }; 5]].concat();
        text += &format!("{game}\n{}{without}\n", columns(&sides, &lines));
    }
    text.trim_end().to_string() + "\n"
}

fn cells(method: Method, found: &Equilibrium) -> Vec<String> {
    let value = match &found.fraction {
        Some((fraction, true)) => fraction.to_string(),
        _ => format!("{:.6} ± {}", found.value(), small(found.error())),
    };
    let each = found.seconds / found.iterations.max(1) as f64;
    let kind = if found.abstraction { ", an abstraction" } else { "" };
    vec![
        format!("{}{kind}", method.name()),
        value,
        small(found.judged.exploitability()),
        count(found.iterations),
        seconds(found.seconds),
        if each < 0.01 { format!("{:.3} ms", 1000.0 * each) } else { seconds(each) },
    ]
}
