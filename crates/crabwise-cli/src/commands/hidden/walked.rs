//! `crabwise equilibrium` where nothing is laid out, and judgements of what it finds.

use std::{path::Path, time::Instant};

use crabwise::{
    table::open_plain,
    watch::{Unwatched, Watch},
};
use crabwise_api::hidden;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, LocalBound, Sampling, Strategy,
    equilibrium::{Method, Options, Problem, ViewEquilibrium, Walked, WalkedRun},
};

use super::{checkpoint::PartFile, equilibrium::small};
use crate::{
    args::hidden::EquilibriumArgs,
    context::Context,
    error::Failure,
    machine,
    output::write_whole,
    progress::Progress,
    text::{count, fact, player, seconds},
};

/// What was asked for.
pub struct Asked<'a> {
    pub built: &'a Built<ErasedHidden>,
    pub path: &'a Path,
    pub args: &'a EquilibriumArgs,
    pub options: Options,
    pub began: Instant,
}

/// What a method works on.
pub enum MethodGround {
    /// The rules.
    Walked,
    /// The game that is laid out, if it has been found out that it fits.
    LaidOut(Option<Box<Problem>>),
}

/// Whether the rules are to be walked; if so, whether that can be done as it was asked for.
pub fn ground(
    context: &Context,
    asked: &Asked,
    method: Method,
    watch: &dyn Watch,
) -> Result<MethodGround, Failure> {
    if !method.walks() {
        return Ok(MethodGround::LaidOut(None));
    }
    let (game, memory) = (&asked.built.game, context.session.memory());
    if method != Method::Deep && !asked.options.walked {
        let problem = WalkedRun::laid_out(game, &asked.options, memory, watch)?;
        if problem.is_some() {
            return Ok(MethodGround::LaidOut(problem.map(Box::new)));
        }
    }
    WalkedRun::ends(&asked.args.budget.budget())?;
    if asked.args.curve.is_some() {
        let line = "--curve is for methods that are judged while they learn, in games laid out";
        return Err(Failure::Input(line.into()));
    }
    Ok(MethodGround::Walked)
}

pub fn run(
    context: &Context,
    asked: &Asked,
    method: Method,
    progress: Progress,
) -> Result<(), Failure> {
    let Asked { built, path, args, options, began } = *asked;
    let checkpoint = PartFile::new(path, method, &options, args.anew);
    let run = WalkedRun {
        game: (&built.game, &built.string),
        method,
        budget: args.budget.budget(),
        options,
        memory: context.session.memory(),
        watch: &progress,
        checkpoint: Some(&checkpoint),
        games: args.games,
    };
    let found = run.solve()?;
    drop(progress);
    match found {
        Walked::LaidOut(both) => {
            let (problem, mut found) = *both;
            found.wall = began.elapsed().as_secs_f64();
            super::equilibrium::keep(context, args, &built.string, path, (&problem, &found))
        }
        Walked::Views(found) => {
            let mut found = *found;
            found.wall = began.elapsed().as_secs_f64();
            keep(context, asked, found)
        }
    }
}

fn keep(context: &Context, asked: &Asked, found: ViewEquilibrium) -> Result<(), Failure> {
    let Asked { built, path, args, .. } = *asked;
    let game = &built.string;
    let bound = hidden::LocalJudgement::new(&found.bound);
    let object = hidden::ViewsFound::new(game, &found, bound, machine::peak());
    let mut text = text(game, &found);
    // What was judged on the whole game is not replaced by what cannot be.
    let judged = || Strategy::judged_in(game, &mut open_plain(path).ok()?);
    let kept = if args.output.is_none() && judged().is_some() {
        let path = path.display();
        format!("not kept: those in {path} were judged on the whole game; -o FILE keeps these")
    } else {
        let (walk, failed) =
            (built.game.walk(), |source| Failure::File { path: path.into(), source });
        let strategy = found.strategy(game);
        write_whole(path, |out| strategy.write(&*walk, out).map_err(failed))?;
        if args.output.is_none() {
            context.session.place().push(path, &Unwatched)?;
        }
        context.session.place().address(path).display().to_string()
    };
    text += &fact("strategies", &kept);
    context.print(&object, || text)
}

fn text(game: &str, found: &ViewEquilibrium) -> String {
    let mut text = format!("{game}\n") + &bound_text(&found.bound);
    let along = if found.sampling == Sampling::Line { " along one line" } else { "" };
    let mut method =
        format!("{}{along}, {} iterations", found.method.name(), count(found.iterations));
    if found.before > 0 {
        method += &format!(", {} of them before this run", count(found.before));
    }
    text += &fact("method", &method);
    text += &fact("learnt", &found.state);
    let learning = seconds(found.seconds);
    text += &fact("time", &format!("{}, {learning} of it learning", seconds(found.wall)));
    if let Some(peak) = machine::peak() {
        text += &fact("peak memory", &crabwise::watch::Bytes(peak).to_string());
    }
    text
}

/// What a local best response found.
pub fn bound_text(bound: &LocalBound) -> String {
    let answer = |p: usize| {
        let answer = bound.answers[p];
        format!("{:.4} ± {:.4} for the {}", answer.mean, answer.error, player(p))
    };
    let games = count(bound.games);
    let answers = format!("{}, {}, in {games} games each", answer(0), answer(1));
    let at_least = format!(
        "by at least {}, a lower bound: {:.4} less two standard errors of {:.4}",
        small(bound.at_least()),
        bound.mean(),
        bound.error()
    );
    fact("local answers", &answers) + &fact("exploitable", &at_least)
}
