//! What can be typed: commands, options and their help.

mod help;
pub mod hidden;
mod numbers;
mod play;
pub mod position;
mod table;
pub mod workers;

use std::{convert::Infallible, ffi::OsString, net::IpAddr, path::PathBuf};

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

use self::numbers::size;
pub use self::{
    numbers::SurveyBound,
    play::{LeagueArgs, MOST_DEPTH, PlayArgs, Player, depth},
    position::{AdviseArgs, BookArgs, DrawArgs, DrawFormat, LookArgs},
    table::{
        CheckArgs, ExportArgs, ExportFormat, LabelArgs, LabelFormat, Only, RulesArgs,
        SolvedGameArgs, StatsArgs, SurveyArgs, TrapArgs, VerifyArgs,
    },
};

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
