//! What can be typed: commands, options and their help.

mod help;
pub mod hidden;
mod numbers;
pub mod workers;

use std::{
    convert::Infallible, ffi::OsString, net::IpAddr, num::NonZeroU64, path::PathBuf, time::Duration,
};

use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};
use crabwise::{
    analysis::label::{Draws, Weights},
    watch::Shown,
};
use crabwise_hidden::agents::Effort;
use crabwise_session::Needs;

pub use self::numbers::SurveyBound;
use self::numbers::{bound, rate, size, time, weights};

/// Strong solutions of two-player games: every position's value and distance
#[derive(Parser)]
#[command(name = "crabwise", version, arg_required_else_help = true, after_help = help::WHERE)]
#[command(max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Reads what was typed. A position may begin with a minus, which clap takes for that of an
    /// option; told not to, it takes misspelled options for positions. So before a digit the
    /// minus is written in another way while clap reads.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
        let args = Args::try_parse_from(words.into_iter().map(|word| match word.to_str() {
            Some(text) if is_number(text) => text.replacen('-', MINUS, 1).into(),
            _ => word,
        }))?;
        match args.command.contradiction() {
            Some(line) => Err(Args::command().error(ErrorKind::ArgumentConflict, line)),
            None => Ok(args),
        }
    }
}

const MINUS: &str = "\u{2212}";

fn is_number(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some('-') && letters.next().is_some_and(|c| c.is_ascii_digit())
}

/// A move, a decision or a position.
fn word(text: &str) -> Result<String, Infallible> {
    Ok(text.replace(MINUS, "-"))
}

#[derive(clap::Args)]
#[command(next_help_heading = "Options of all commands")]
pub struct Globals {
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,

    /// Where tables are kept, a directory or s3://BUCKET/PREFIX [default: $CRABWISE_TABLES, or
    /// crabwise/tables in the user's data directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Memory that may be used: 500M, 8G, … [default: what the machine has free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    /// Threads to work with [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Say nothing about progress
    #[arg(long, global = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve a page on which every game is solved, seen and played
    #[command(after_help = help::SERVE)]
    Serve(ServeArgs),
    /// List the games with their parameters
    #[command(after_help = help::GAMES)]
    Games,
    /// Read the rules of a game of your own: what is in them, or what is wrong with them
    #[command(after_help = help::RULES)]
    Rules(RulesArgs),
    /// Solve a game into its table; a run that was stopped goes on where it was
    #[command(after_help = help::SOLVE)]
    Solve(SolveArgs),
    /// Say what solving a game would take, here and on many machines, without solving it
    #[command(after_help = help::PLAN)]
    Plan(workers::PlanArgs),
    /// Show a position: picture, value, moves best first, perfect play
    #[command(after_help = help::LOOK)]
    Look(LookArgs),
    /// Draw a position, or all positions as a graph
    #[command(after_help = help::DRAW)]
    Draw(DrawArgs),
    /// Write down how the winner plays, whatever the other side does
    #[command(after_help = help::BOOK)]
    Book(BookArgs),
    /// Tabulate who wins over a family of games
    #[command(after_help = help::SURVEY)]
    Survey(SurveyArgs),
    /// Play against the table, or let it play
    #[command(after_help = help::PLAY)]
    Play(PlayArgs),
    /// Let players of a game with hidden information play each other, and rate them
    #[command(after_help = help::LEAGUE)]
    League(LeagueArgs),
    /// Label every position G, P or T, and find the traps: Crab Analysis
    #[command(after_help = help::LABEL)]
    Label(LabelArgs),
    /// Look a limited number of moves ahead, where a game is too large to solve
    #[command(after_help = help::ADVISE)]
    Advise(AdviseArgs),
    /// Count the positions by value and distance
    #[command(after_help = help::STATS)]
    Stats(StatsArgs),
    /// Derive every value of a table again, by the rules alone
    #[command(after_help = help::VERIFY)]
    Verify(VerifyArgs),
    /// Write all positions as CSV, JSON or a graph
    #[command(after_help = help::EXPORT)]
    Export(ExportArgs),
    /// Hold a game's rules, numbering and solver to their contracts
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Find an equilibrium of a game with hidden information
    #[command(after_help = hidden::EQUILIBRIUM)]
    Equilibrium(hidden::EquilibriumArgs),
    /// Let methods of finding equilibria run against each other
    #[command(after_help = hidden::COMPARE)]
    Compare(hidden::CompareArgs),
    /// How much strategies lose to the best answers, exactly
    #[command(after_help = hidden::EXPLOIT)]
    Exploit(hidden::ExploitArgs),
    /// Find wins with probability one in a game with hidden information
    #[command(after_help = hidden::PONE)]
    Pone(hidden::PoneArgs),
    /// Count the games, histories and information sets of a game with hidden information
    #[command(after_help = hidden::COUNT)]
    Count(hidden::CountArgs),
    /// Print a game with hidden information as a matrix of pure strategies
    #[command(after_help = hidden::MATRIX)]
    Matrix(hidden::MatrixArgs),
    /// Solve a few small games and say how fast that was
    #[command(after_help = help::BENCH)]
    Bench,
}

impl Command {
    /// Why what was asked for cannot be had together, where that depends on values.
    fn contradiction(&self) -> Option<&'static str> {
        let traps = match self {
            Command::Look(args) => Some(&args.traps),
            Command::Play(args) => Some(&args.traps),
            Command::Label(args) => Some(&args.traps),
            _ => None,
        };
        match self {
            _ if traps.is_some_and(TrapArgs::contradict) => {
                Some("'--weights' are for '--draws Z', and '--draws z' has none")
            }
            Command::Verify(VerifyArgs { against: Some(_), sample: Some(_), .. }) => {
                Some("'--sample' derives values anew, and '--against' compares a whole file")
            }
            _ => None,
        }
    }
}

#[derive(clap::Args)]
pub struct ServeArgs {
    /// The port to listen at; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7777)]
    pub port: u16,

    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,
}

#[derive(clap::Args)]
pub struct SolveArgs {
    /// The game
    pub game: String,

    /// Say which solver does it, why, and how much memory it will take
    #[arg(long)]
    pub explain: bool,

    /// Forget the table, finished or not, and begin again: for when the rules have changed
    #[arg(long)]
    pub anew: bool,

    /// Do not count what can be reached; 'stats' can do that later
    #[arg(long)]
    pub no_stats: bool,

    #[command(flatten)]
    pub workers: workers::WorkersArgs,
}

/// A game whose table is there, or is to be made first.
#[derive(clap::Args)]
pub struct SolvedGameArgs {
    /// The game
    pub game: String,

    /// Solve the game first if that has not been done
    #[arg(long)]
    pub solve: bool,
}

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
    fn contradict(&self) -> bool {
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

/// A search goes down one call a move, and calls take room.
pub const MOST_DEPTH: i64 = 1000;

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

/// How many moves a player looks ahead.
pub fn depth(text: &str) -> Result<u32, String> {
    let plies = text.parse().ok().filter(|plies| (1..=MOST_DEPTH as u32).contains(plies));
    plies.ok_or_else(|| format!("write horizon=N, with N from 1 to {MOST_DEPTH}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Args::command().debug_assert();
    }

    fn read(words: &str) -> Result<Vec<String>, String> {
        let words = words.split(' ').map(OsString::from);
        match Args::read(words) {
            Ok(Args { command: Command::Look(LookArgs { moves, .. }), .. }) => Ok(moves),
            Ok(_) => Err("another command".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_position_may_begin_with_a_minus_and_an_option_may_not_be_misspelled() {
        assert_eq!(read("c look g -1,0,0 --json"), Ok(vec!["-1,0,0".into()]));
        assert_eq!(read("c look --json g [0, 1, -1, 0]").unwrap().len(), 4);
        for (words, said) in [
            ("c look g --jsn", "unexpected argument '--jsn' found"),
            ("c look g -x", "unexpected argument '-x' found"),
            ("c look g -1,0 --jsn", "unexpected argument '--jsn' found"),
            ("c look g --jsn -1,0", "unexpected argument '--jsn' found"),
            ("c solve g -1,0", "unexpected argument '−1,0' found"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(said), "{words}: {error}");
        }
    }
}
