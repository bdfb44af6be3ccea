//! The command line of Crabwise, over any registry of games.
//!
//! Whoever has a game of their own writes a `main` like this and has every command for it:
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
#![deny(missing_docs)]

mod args;
mod book;
mod commands;
mod digraph;
mod error;
mod json;
mod ledger;
mod machine;
mod metrics;
mod progress;
mod setting;
mod source;
mod svg;
mod team;
mod text;
#[cfg(test)]
mod toys;

use std::process::ExitCode;

use crabwise_games::Registry;

use crate::{
    args::{Args, Command},
    error::Failure,
    setting::Setting,
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
    let setting = Setting::new(registry, &args.globals)?;
    command(&setting, args).map_err(|failure| failure.addressed(&setting))
}

fn command(setting: &Setting, args: &Args) -> Result<(), Failure> {
    let registry = setting.registry;
    match &args.command {
        Command::Serve(args) => commands::serve::run(setting, args),
        Command::Games => commands::games::run(setting),
        Command::Solve(args) => commands::solve::run(setting, args),
        Command::Plan(args) => commands::plan::run(setting, args),
        Command::Look(args) if registry.is_hidden(&args.asked.of.game) => {
            commands::hidden::look::run(setting, args)
        }
        Command::Look(args) => commands::look::run(setting, args),
        Command::Draw(args) => commands::draw::run(setting, args),
        Command::Book(args) => commands::book::run(setting, args),
        Command::Survey(args) => commands::survey::run(setting, args),
        Command::Play(args) if registry.is_hidden(&args.of.game) => {
            commands::hidden::play::run(setting, args)
        }
        Command::Play(args) => commands::play::run(setting, args),
        Command::League(args) => commands::league::run(setting, args),
        Command::Label(args) => commands::label::run(setting, args),
        Command::Advise(args) => commands::advise::run(setting, args),
        Command::Stats(args) => commands::stats::run(setting, args),
        Command::Verify(args) => commands::verify::run(setting, args),
        Command::Export(args) => commands::export::run(setting, args),
        Command::Check(args) => commands::check::run(setting, args),
        Command::Equilibrium(args) => commands::hidden::equilibrium::run(setting, args),
        Command::Compare(args) => commands::hidden::compare::run(setting, args),
        Command::Exploit(args) => commands::hidden::exploit::run(setting, args),
        Command::Pone(args) => commands::hidden::pone::run(setting, args),
        Command::Count(args) => commands::hidden::count::run(setting, args),
        Command::Matrix(args) => commands::hidden::matrix::run(setting, args),
        Command::Bench => commands::bench::run(setting, &args.globals),
    }
}
