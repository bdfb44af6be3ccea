//! Who plays: a game, or a league.

use std::{path::PathBuf, time::Duration};

use crabwise::watch::Shown;
use crabwise_hidden::agents::Effort;

use super::{
    numbers::time,
    table::{SolvedGameArgs, TrapArgs},
};

#[derive(clap::Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub of: SolvedGameArgs,

    /// Who moves first: human, perfect, random, or horizon=N, who looks N moves ahead and needs no table; with hidden
    /// information also ismcts, mc and pone, who need no strategies
    #[arg(long, value_parser = opponent, value_name = "WHO", default_value = "human")]
    pub first: Player,

    /// Who moves second [default: perfect; horizon=3 where there can be no table, ismcts where no strategies are kept]
    #[arg(long, value_parser = opponent, value_name = "WHO")]
    pub second: Option<Player>,

    /// The seed of all chance; without it the perfect player takes the first of the best moves
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// In games with hidden information: what the perfect player plays by [default: the strategies
    /// kept beside the tables]
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,

    #[command(flatten)]
    pub traps: TrapArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Moves are read from standard input.
    Human,
    /// The best move.
    Perfect,
    /// Any move.
    Random,
    /// The best move as far as can be seen so many moves ahead.
    Horizon(u32),
    /// Wins with probability one where it can.
    Pone,
    /// Finishes games at random.
    Mc(Effort),
    /// Searches a tree of views.
    Ismcts(Effort),
}

/// How long a player thinks if nothing is said.
const A_SECOND: Effort = Effort::Time(Duration::from_secs(1));

/// How much a player searches before a move: a number of iterations, or a time with its unit.
fn effort(text: &str) -> Result<Effort, String> {
    let number = text.parse().ok().filter(|&number| number > 0).map(Effort::Iterations);
    let time = || time(text).ok().map(Effort::Time);
    number.or_else(time).ok_or_else(|| {
        format!(
            "'{}': write a number of iterations such as 5000, or a time such as 2s",
            Shown(text)
        )
    })
}

/// Somebody who plays.
fn opponent(word: &str) -> Result<Player, String> {
    match word.split_once('=') {
        None if word == "human" => Ok(Player::Human),
        None if word == "perfect" => Ok(Player::Perfect),
        None if word == "random" => Ok(Player::Random),
        None if word == "strategy" => Ok(Player::Perfect),
        None if word == "pone" => Ok(Player::Pone),
        None if word == "mc" => Ok(Player::Mc(A_SECOND)),
        None if word == "ismcts" => Ok(Player::Ismcts(A_SECOND)),
        Some(("horizon", plies)) => Ok(Player::Horizon(depth(plies)?)),
        Some(("mc", much)) => Ok(Player::Mc(effort(much)?)),
        Some(("ismcts", much)) => Ok(Player::Ismcts(effort(much)?)),
        _ => Err("say human, perfect, random, or horizon=N, such as horizon=4; in the dark also ismcts, mc or pone, \
                  and ismcts=N or ismcts=2s for so many iterations or so long a time"
            .into()),
    }
}

/// A search goes down one call a move, and calls take room.
pub const MOST_DEPTH: i64 = 1000;

/// How many moves a player looks ahead.
pub fn depth(text: &str) -> Result<u32, String> {
    let plies = text.parse().ok().filter(|plies| (1..=MOST_DEPTH as u32).contains(plies));
    plies.ok_or_else(|| format!("write horizon=N, with N from 1 to {MOST_DEPTH}"))
}

#[derive(clap::Args)]
pub struct LeagueArgs {
    /// The game
    pub game: String,

    /// Who takes part: names of players and files of strategies
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    pub players: Vec<String>,

    /// How many games each two play with either of them first
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    pub games: u64,

    /// The seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Play every pairing and work nothing out, which in large games is sooner done
    #[arg(long)]
    pub sampled: bool,

    /// Where to write the results: by its ending a table (csv), an object (json) or a picture (svg)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
