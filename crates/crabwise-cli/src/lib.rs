//! The command line of Crabwise, over any registry of games.
//!
//! For games of your own, a `main` like this has every command:
//!
//! ```no_run
//! use crabwise_games::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     let mut registry = Registry::standard();
//!     // registry.add(MY_GAME);
//!     crabwise_cli::main_with(&registry)
//! }
//! ```
//!
//! Results go to standard output, everything else to standard error. The exit code is 0 for done,
//! 1 for the answer no, 2 for bad input, 3 for not enough room, 4 for another process of a cluster that
//! was lost, 101 for a bug in the code of a game or of Crabwise, 130 for stopped on request.
//!
//! What was typed goes from `args` to a file of `commands`, which has the session do it and prints what came of it.
//! The modules below depend on each other in one direction: `text` and `machine` on nothing, `error` on `text`,
//! `interrupt` on `error`, `output` and `progress` on these, `context` on all of them, drawings on plain data, and commands on everything.
#![deny(missing_docs)]

mod args;
mod commands;
mod context;
mod dot;
mod error;
mod input;
mod interrupt;
mod league_results;
mod machine;
mod metrics;
mod out_of_memory;
mod output;
mod progress;
mod results_log;
#[cfg(test)]
mod sample_games;
mod svg;
mod text;
mod workers;

use std::process::ExitCode;

use crabwise_games::Registry;

use crate::{
    args::{Args, Command},
    context::Context,
    error::Failure,
};

/// Runs the whole command line over the games of `registry`.
pub fn main_with(registry: &Registry) -> ExitCode {
    match Args::read(std::env::args_os()) {
        Ok(args) => match error::guard(|| run(registry, &args)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => error::report(&failure, args.globals.json),
        },
        Err(error) => error::report_usage(&error),
    }
}

fn run(registry: &Registry, args: &Args) -> Result<(), Failure> {
    match args.command {
        Command::Serve(_) => interrupt::serving(),
        _ => interrupt::listen(args.globals.json),
    }
    start_threads(args.globals.threads)?;
    let context = Context::new(registry, &args.globals)?;
    command(&context, args).map_err(|failure| context.addressed(failure))
}

/// Starts all threads now: where a limit refuses their stacks, nothing has been begun. What their number would be
/// otherwise, a variable of the environment says, and it may say anything.
fn start_threads(wanted: Option<u16>) -> Result<(), Failure> {
    out_of_memory::keep_little();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted.map_or_else(cores, usize::from));
    pool.build_global().map_err(|error| Failure::Threads(error.to_string()))
}

fn command(context: &Context, args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Serve(args) => commands::serve::run(context, args),
        Command::Games => commands::games::run(context),
        Command::Rules(args) => commands::rules::run(context, args),
        Command::Solve(args) => commands::solve::run(context, args),
        Command::Plan(args) => commands::plan::run(context, args),
        Command::Look(args) if context.is_hidden(&args.asked.of.game) => {
            commands::hidden::look::run(context, args)
        }
        Command::Look(args) => commands::look::run(context, args),
        Command::Draw(args) => commands::draw::run(context, args),
        Command::Book(args) => commands::book::run(context, args),
        Command::Survey(args) if context.is_hidden(&args.game) => {
            commands::hidden::survey::run(context, args)
        }
        Command::Survey(args) => commands::survey::run(context, args),
        Command::Play(args) if context.is_hidden(&args.of.game) => {
            commands::hidden::play::run(context, args)
        }
        Command::Play(args) => commands::play::run(context, args),
        Command::League(args) => commands::league::run(context, args),
        Command::Label(args) => commands::label::run(context, args),
        Command::Advise(args) => commands::advise::run(context, args),
        Command::Stats(args) => commands::stats::run(context, args),
        Command::Verify(args) if context.is_hidden(&args.of.game) => {
            commands::hidden::verify::run(context, args)
        }
        Command::Verify(args) => commands::verify::run(context, args),
        Command::Export(args) => commands::export::run(context, args),
        Command::Check(args) => commands::check::run(context, args),
        Command::Equilibrium(args) => commands::hidden::equilibrium::run(context, args),
        Command::Compare(args) => commands::hidden::compare::run(context, args),
        Command::Exploit(args) => commands::hidden::exploit::run(context, args),
        Command::Pone(args) => commands::hidden::pone::run(context, args),
        Command::Count(args) => commands::hidden::count::run(context, args),
        Command::Matrix(args) => commands::hidden::matrix::run(context, args),
        Command::Bench => commands::bench::run(context, &args.globals),
    }
}
