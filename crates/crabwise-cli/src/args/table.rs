//! What commands about whole games take: those that go through a table, and those that make many.

use std::{num::NonZeroU64, path::PathBuf, time::Duration};

use clap::ValueEnum;
use crabwise::analysis::label::{Draws, Weights};

use super::numbers::{SurveyBound, bound, time, weights};

/// A game whose table is there, or is to be made first.
#[derive(clap::Args)]
pub struct SolvedGameArgs {
    /// The game
    pub game: String,

    /// Solve the game first if that has not been done
    #[arg(long)]
    pub solve: bool,
}

#[derive(clap::Args)]
pub struct SurveyArgs {
    /// The game
    pub game: String,

    /// The parameter that is varied; in 'ladder=2xn' n stands for the number, and 'wheel' is short
    /// for 'wheel=n'. Without it, the number itself is the parameter
    #[arg(long, value_name = "F")]
    pub family: Option<String>,

    /// The first number; the smallest board, which is 2x2 if nothing else is said
    #[arg(long, value_name = "A", value_parser = bound)]
    pub from: Option<SurveyBound>,

    /// The last number, or the largest board
    #[arg(long, value_name = "B", value_parser = bound)]
    pub to: SurveyBound,

    /// In games with hidden information: the time that is spent on a game [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,

    /// Write the rows into this CSV file, and go on with what is in it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Solve each game into its table, which takes longer and tells distances
    #[arg(long)]
    pub table: bool,

    /// Answer by search; that is the default for games that can
    #[arg(long, conflicts_with = "table")]
    pub search: bool,
}

#[derive(clap::Args)]
pub struct LabelArgs {
    /// The game
    pub game: String,

    /// Label all positions of the numbering, not only those that the start leads to
    #[arg(long)]
    pub all: bool,

    /// Also show what the source's literal table says (P if ALL successors are G), and where it is
    /// wrong
    #[arg(long)]
    pub literal: bool,

    /// Show how the labels come about, round by round: each island with its label and the bridges that are the
    /// reason; as text, as JSON, or with -o FILE.svg as a picture that moves
    #[arg(long, conflicts_with_all = ["literal", "repeats"])]
    pub trace: bool,

    /// Only the first N rounds; of the picture, how it stands then
    #[arg(long, value_name = "N", requires = "trace")]
    pub rounds: Option<usize>,

    /// Also tell, of every drawn island, the least number of moves in which play can come back to where it has been
    /// while both sides keep the draw
    #[arg(long)]
    pub repeats: bool,

    /// Leave out of CSV and JSON where the bridges lead, which makes them smaller, and no graph
    #[arg(long)]
    pub no_bridges: bool,

    #[command(flatten)]
    pub traps: TrapArgs,

    /// What to write [default: by the ending of FILE, else text]
    #[arg(long, value_enum)]
    pub format: Option<LabelFormat>,

    /// Where to write it; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How many islands to list as text
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub most: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LabelFormat {
    /// One line an island
    Csv,
    /// One object with all islands
    Json,
    /// A graph for Graphviz, perfect play heavy
    Dot,
    /// A picture, perfect play heavy
    Svg,
    /// The source's own table, '1B : G3': a number, B for White, who begins, or N for Black to move, the label
    Keys,
}

/// How drawn positions are told apart.
#[derive(clap::Args)]
pub struct TrapArgs {
    /// Among drawn moves, take the one that sets the deepest trap (z) or the densest (Z)
    #[arg(long, value_enum, value_name = "BY")]
    draws: Option<By>,

    /// The weights of Z = A·(T successors) + B·(P successors) + C·(the sum of their indices), and
    /// --draws Z [default: 1,2,4]
    #[arg(long, value_name = "A,B,C", value_parser = weights)]
    pub weights: Option<Weights>,
}

impl TrapArgs {
    pub(super) fn contradict(&self) -> bool {
        self.draws == Some(By::Depth) && self.weights.is_some()
    }

    /// What was asked for. Weights alone mean Z.
    pub fn draws(&self) -> Option<Draws> {
        match (self.draws, self.weights) {
            (Some(By::Depth), _) => Some(Draws::Deepest),
            (Some(By::Density), weights) => Some(Draws::Densest(weights.unwrap_or_default())),
            (None, Some(weights)) => Some(Draws::Densest(weights)),
            (None, None) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    #[value(name = "z")]
    Depth,
    #[value(name = "Z")]
    Density,
}

#[derive(clap::Args)]
pub struct RulesArgs {
    /// A file with rules, or the name of an example; values for its parameters after commas
    #[arg(value_name = "FILE")]
    pub file: String,

    /// Print the same rules in the Game Description Language, as KIF
    #[arg(long)]
    pub kif: bool,
}

#[derive(clap::Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub of: SolvedGameArgs,

    /// Count all positions of the numbering, not only those that the start leads to
    #[arg(long)]
    pub all: bool,

    /// Draw the distances as a histogram
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub of: SolvedGameArgs,

    /// Compare this file with the table, and name what differs: the original's array or rows, or a list of positions
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,

    /// Derive only so many values, chosen at random
    #[arg(long, value_name = "N")]
    pub sample: Option<NonZeroU64>,

    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

#[derive(clap::Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub of: SolvedGameArgs,

    /// What to write
    #[arg(long, value_enum)]
    pub format: ExportFormat,

    /// Leave out positions of other kinds
    #[arg(long, value_enum, value_name = "KIND")]
    pub only: Option<Only>,

    /// Where to write it: a file, '-' for standard output, or for 'original' a folder
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One line a position
    Csv,
    /// One object with all positions
    Json,
    /// A graph for Graphviz
    Dot,
    /// The files in which the game was published before, into a folder; goes on where it was stopped
    #[value(name = "original")]
    Published,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// Wins, losses and ties, but no endless draws
    Decided,
}

#[derive(clap::Args)]
pub struct CheckArgs {
    /// The game
    pub game: String,

    /// The seed of the positions that are looked at where there are too many
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}
