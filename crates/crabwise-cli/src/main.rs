//! The command line over all games that Crabwise knows.

use std::process::ExitCode;

use crabwise_games::Registry;

fn main() -> ExitCode {
    crabwise_cli::main_with(&Registry::standard())
}
