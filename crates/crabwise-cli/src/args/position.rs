//! What commands about one position take.

use std::{path::PathBuf, time::Duration};

use clap::ValueEnum;
use crabwise::analysis::label::Weights;
use crabwise_session::Needs;

use super::{
    numbers::{time, weights},
    play::MOST_DEPTH,
    table::{SolvedGameArgs, TrapArgs},
    word,
};

/// A game whose table is there, or which answers for single positions without one.
#[derive(clap::Args)]
pub struct PositionArgs {
    #[command(flatten)]
    pub of: SolvedGameArgs,

    /// Answer by search, even if there is a table; without distances, and not for every game
    #[arg(long, conflicts_with = "solve")]
    pub search: bool,
}

impl PositionArgs {
    /// What is wanted of the source of values.
    pub fn needs(&self) -> Needs {
        Needs { solve: self.of.solve, search: self.search, only_table: None }
    }
}

#[derive(clap::Args)]
pub struct LookArgs {
    #[command(flatten)]
    pub asked: PositionArgs,

    /// The moves that lead to the position from the start; one of several decisions may be written
    /// as these, and the last one be unfinished. In games that read positions, the first word may
    /// be one to begin from
    #[arg(value_parser = word)]
    pub moves: Vec<String>,

    /// Say who wins and nothing else, which is sooner found by search than what each move is worth
    #[arg(long)]
    pub outcome: bool,

    /// How many moves of perfect play to show
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub line: usize,

    /// Choose at random, by this seed, among moves that are equally good
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// Show the labels G, P and T, and perfect play as the road of greatest resistance
    #[arg(long)]
    pub labels: bool,

    /// In games with hidden information: what the second player sees, not the first
    #[arg(long)]
    pub second: bool,

    /// In games with hidden information: the strategies [default: those kept beside the tables]
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,

    #[command(flatten)]
    pub traps: TrapArgs,
}

#[derive(clap::Args)]
pub struct DrawArgs {
    #[command(flatten)]
    pub asked: PositionArgs,

    /// The moves that lead to the position from the start, or a position and moves from there
    #[arg(value_parser = word)]
    pub moves: Vec<String>,

    /// Where to write it; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// What to write [default: by the ending of FILE; svg to standard output]
    #[arg(long, value_enum)]
    pub format: Option<DrawFormat>,

    /// Draw losing moves too
    #[arg(long)]
    pub losing: bool,

    /// Draw the position alone, without asking who wins or by which moves
    #[arg(long, conflicts_with_all = ["search", "losing", "positions", "solve"])]
    pub bare: bool,

    /// Draw all positions that the start leads to, and the moves between them, in rows by how many
    /// moves have been made
    #[arg(long, conflicts_with_all = ["search", "losing"])]
    pub positions: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// A picture
    Svg,
    /// A graph for Graphviz, of all positions
    Dot,
}

#[derive(clap::Args)]
pub struct BookArgs {
    #[command(flatten)]
    pub asked: PositionArgs,

    /// The moves that lead to the position from the start, or a position and moves from there
    #[arg(value_parser = word)]
    pub moves: Vec<String>,

    /// Where to write it: text, or by the ending JSON or a printable sheet; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How many entries it may have
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub most: usize,

    /// Give every position an entry, also those that are the same up to a symmetry of the game
    #[arg(long)]
    pub every: bool,
}

#[derive(clap::Args)]
pub struct AdviseArgs {
    /// The game
    pub game: String,

    /// The moves that lead to the position from the start; one of several decisions may be written
    /// as these
    #[arg(value_parser = word)]
    pub moves: Vec<String>,

    /// How many moves to look ahead
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=MOST_DEPTH))]
    pub depth: Option<u32>,

    /// How long to look: 500ms, 5s, 2min, …
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,

    /// Chooses among moves that are equally good
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// The weights of Z = A·(T successors) + B·(P successors) + C·(the sum of their indices)
    /// [default: 1,2,4]
    #[arg(long, value_name = "A,B,C", value_parser = weights)]
    pub weights: Option<Weights>,
}
