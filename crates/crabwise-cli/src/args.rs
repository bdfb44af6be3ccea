//! What can be typed: commands, options and their help.

pub mod hidden;
pub mod team;

use std::{
    convert::Infallible, ffi::OsString, net::IpAddr, num::NonZeroU64, path::PathBuf, time::Duration,
};

use clap::{Parser, Subcommand, ValueEnum};
use crabwise::analysis::label::{Draws, Weights};
use crabwise_session::Needs;

const WHERE: &str = "\
GAME is a name and its parameters, such as connect-four:5x4; 'crabwise games' lists them. With
'outcomes' as the last, as in mnk:4x4,4,outcomes, no distances are kept, which takes less room.
Exit code: 0 done, 1 the answer is no, 2 bad input, 3 not enough room, 4 another process of a
cluster was lost, 101 a bug, 130 stopped.

EXAMPLES:
  crabwise serve
  crabwise games
  crabwise solve connect-four:4x4
  crabwise look connect-four:4x4 2 2 3
  crabwise play tictactoe";

/// Strong solutions of two-player games: every position's value and distance
#[derive(Parser)]
#[command(name = "crabwise", version, arg_required_else_help = true, after_help = WHERE)]
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
        Args::try_parse_from(words.into_iter().map(|word| match word.to_str() {
            Some(text) if is_number(text) => text.replacen('-', MINUS, 1).into(),
            _ => word,
        }))
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
    #[command(after_help = SERVE)]
    Serve(ServeArgs),
    /// List the games with their parameters
    #[command(after_help = GAMES)]
    Games,
    /// Solve a game into its table; a run that was stopped goes on where it was
    #[command(after_help = SOLVE)]
    Solve(SolveArgs),
    /// Say what solving a game would take, here and on many machines, without solving it
    #[command(after_help = PLAN)]
    Plan(team::PlanArgs),
    /// Show a position: picture, value, moves best first, perfect play
    #[command(after_help = LOOK)]
    Look(LookArgs),
    /// Draw a position, or all positions as a graph
    #[command(after_help = DRAW)]
    Draw(DrawArgs),
    /// Write down how the winner plays, whatever the other side does
    #[command(after_help = BOOK)]
    Book(BookArgs),
    /// Tabulate who wins over a family of games
    #[command(after_help = SURVEY)]
    Survey(SurveyArgs),
    /// Play against the table, or let it play
    #[command(after_help = PLAY)]
    Play(PlayArgs),
    /// Let players of a game with hidden information play each other, and rate them
    #[command(after_help = LEAGUE)]
    League(LeagueArgs),
    /// Label every position G, P or T, and find the traps: Crab Analysis
    #[command(after_help = LABEL)]
    Label(LabelArgs),
    /// Look a limited number of moves ahead, where a game is too large to solve
    #[command(after_help = ADVISE)]
    Advise(AdviseArgs),
    /// Count the positions by value and distance
    #[command(after_help = STATS)]
    Stats(StatsArgs),
    /// Derive every value of a table again, by the rules alone
    #[command(after_help = VERIFY)]
    Verify(VerifyArgs),
    /// Write all positions as CSV, JSON or a graph
    #[command(after_help = EXPORT)]
    Export(ExportArgs),
    /// Hold a game's rules, numbering and solver to their contracts
    #[command(after_help = CHECK)]
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
    #[command(after_help = BENCH)]
    Bench,
}

const SERVE: &str = "\
Games are solved when they are opened on the page, large ones when that is asked for; tables and
strategies are kept where the other commands look for them. The same in JSON is described at
/api/openapi.json.

EXAMPLES:
  crabwise serve
  crabwise serve --port 8080 --tables ~/tables
  crabwise serve --host 0.0.0.0      let other machines in, whoever they are";

const GAMES: &str = "\
EXAMPLES:
  crabwise games
  crabwise games --json";

const SOLVE: &str = "\
EXAMPLES:
  crabwise solve tictactoe
  crabwise solve connect-four:5x4 --memory 4G --explain
  crabwise solve mnk:4x4,4,outcomes
  crabwise solve nim:3-5-7 --json
  crabwise solve black-hole --local-cluster 4
  crabwise solve black-hole --hosts hosts.txt --process 0 --metrics 0.0.0.0:9187";

const PLAN: &str = "\
A second or two are spent on looking at positions of the game and on solving its last tiers, as far as they
are small. What the figures rest on is told with them. --memory is that of each machine.

EXAMPLES:
  crabwise plan black-hole:7,4
  crabwise plan black-hole:7,5 --machines 64 --cores 64 --memory 256G
  crabwise plan connect-four:7x6 --machines 16 --cores 32 --memory 512G --network 100G --json";

const LOOK: &str = "\
Some games can be searched: without a table, a small one of these is solved first, and a large one
answered by search, which tells no distances.

EXAMPLES:
  crabwise look tictactoe
  crabwise look tictactoe b2 a1
  crabwise look nim:3-5-7 --solve
  crabwise look cycles:k4 -1,0,0,0,0,0
  crabwise look cycles:wheel=12 --search
  crabwise look tictactoe --seed 7
  crabwise look boxers:3x3 --labels
  crabwise look dark-hex:2x3,abrupt a1 b2 taken
  crabwise look pong-hau-ki --draws Z --weights 1,3,9";

const DRAW: &str = "\
Which moves win is looked up in the table or, in games that can do without, found by search; their
tables are made first where they are small, as for 'look'.

EXAMPLES:
  crabwise draw cycles:k4 -o k4.svg
  crabwise draw cycles:k4 1-2 3-4 --losing -o k4.svg
  crabwise draw nim:1-2 --positions --solve -o nim.svg
  crabwise draw nim:3-4-5 --positions --solve -o - --format dot | dot -Tpdf > nim.pdf";

const BOOK: &str = "\
One move for each turn of the winner, all moves of the other side. Of moves that win equally fast
the one is taken that makes the book shorter. Positions are written down once.

EXAMPLES:
  crabwise book cycles:wheel=5
  crabwise book nim:1-2-3 --solve
  crabwise book cycles:cycle=5 -o cycle.svg
  crabwise book nim:3-5-7 --solve -o nim.json";

const SURVEY: &str = "\
Each row is printed, and written to FILE, as soon as it is done; with the same FILE a survey that
was stopped goes on where it was. Games that need a table are solved into it.
The exit code is 1 if a theorem is contradicted.

EXAMPLES:
  crabwise survey cycles --family wheel --from 3 --to 12
  crabwise survey cycles --family theta=3,n,5 --from 2 --to 8 -o theta.csv
  crabwise survey kayles --from 1 --to 20
  crabwise survey cycles --family ladder=2xn --from 2 --to 5 --table";

const PLAY: &str = "\
At the prompt: a move or the next decision of it, 'moves', 'hint', 'undo', 'help' or 'quit'.

EXAMPLES:
  crabwise play tictactoe --solve
  crabwise play connect-four:4x4 --first perfect --second human
  crabwise play tictactoe --first perfect --second random --seed 7
  crabwise play boxers:3x3 --first perfect --second human --draws z
  crabwise play dark-hex:2x3,abrupt --second human --first perfect";

const LEAGUE: &str = "\
Players are 'random', 'pone' (wins where that is certain, else at random), 'mc=N' (N games to the
end at random, before each move), 'ismcts=N' (information-set tree search, N iterations a move),
'q=N' (Q-learning, N games against itself) and files of strategies; mc, ismcts and q alone stand
for mc=200, ismcts=500 and q=100000. All play all, as first player and as second.
What players get from each other whose strategies are known is worked out instead of played, as far
as the memory allows. With -o each pairing is written down as soon as it is done, and the same command
goes on where it was stopped: in FILE if that ends in .csv, else in FILE.part until it is done.

EXAMPLES:
  crabwise league kuhn --players random,mc=20,q=2000
  crabwise league dark-hex:3x3,abrupt --players random,pone,mc,ismcts --games 200 --seed 7
  crabwise league phantom-tictactoe --players pone,ismcts=1000,best.strategy -o league.svg
  crabwise league leduc --players random,mc,q -o league.csv";

const LABEL: &str = "\
A label is for the player who has just moved onto the position, the island. G3: whoever moves on
loses in 2 moves; P2: wins in 1; T4: neither, and the deepest mistake there loses in 4.
The game is solved first if that has not been done.

EXAMPLES:
  crabwise label boxers:3x3
  crabwise label cruzados --literal
  crabwise label graph:harbour.csv --json
  crabwise label cruzados -o cruzados.svg
  crabwise label graph:harbour.dot --format csv -o labels.csv";

const ADVISE: &str = "\
Needs no table. What is won or lost within the horizon is proven; among the moves of which
nothing is known, the one behind which the other side can go wrong most is taken, by the density Z.
With neither --depth nor --time it looks for 5 seconds.

EXAMPLES:
  crabwise advise connect-four:7x6 --depth 8
  crabwise advise connect-four:7x6 4 4 4 --time 10s
  crabwise advise hex:7x7 --depth 6 --seed 7 --json";

const STATS: &str = "\
EXAMPLES:
  crabwise stats tictactoe
  crabwise stats tictactoe --json
  crabwise stats connect-four:4x4 --svg connect-four.svg";

const VERIFY: &str = "\
EXAMPLES:
  crabwise verify tictactoe
  crabwise verify connect-four:5x4 --sample 100000 --seed 7";

const EXPORT: &str = "\
EXAMPLES:
  crabwise export tictactoe --format csv -o tictactoe.csv
  crabwise export nim:1-2 --format dot -o - | dot -Tsvg > nim.svg
  crabwise export tictactoe --format json --only decided -o tictactoe.json
  crabwise export black-hole --format original -o black-hole";

const CHECK: &str = "\
EXAMPLES:
  crabwise check tictactoe
  crabwise check hex:3x3 --seed 7";

const BENCH: &str = "\
EXAMPLES:
  crabwise bench
  crabwise bench --threads 1 --json";

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

    #[command(flatten)]
    pub team: team::TeamArgs,
}

/// A game whose table is there, or is to be made first.
#[derive(clap::Args)]
pub struct Solved {
    /// The game
    pub game: String,

    /// Solve the game first if that has not been done
    #[arg(long)]
    pub solve: bool,
}

/// The same, or a game that answers for single positions without a table.
#[derive(clap::Args)]
pub struct Asked {
    #[command(flatten)]
    pub of: Solved,

    /// Answer by search, even if there is a table; without distances, and not for every game
    #[arg(long, conflicts_with = "solve")]
    pub search: bool,
}

impl Asked {
    /// What is wanted of the source of values.
    pub fn needs(&self) -> Needs {
        Needs { solve: self.of.solve, search: self.search, only_table: None }
    }
}

#[derive(clap::Args)]
pub struct LookArgs {
    #[command(flatten)]
    pub asked: Asked,

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
    pub traps: Traps,
}

/// How drawn positions are told apart.
#[derive(clap::Args)]
pub struct Traps {
    /// Among drawn moves, take the one that sets the deepest trap (z) or the densest (Z)
    #[arg(long, value_enum, value_name = "BY")]
    draws: Option<By>,

    /// The weights of Z = A·(T successors) + B·(P successors) + C·(the sum of their indices), and
    /// --draws Z [default: 1,2,4]
    #[arg(long, value_name = "A,B,C", value_parser = weights)]
    pub weights: Option<Weights>,
}

impl Traps {
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
    pub asked: Asked,

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
    pub asked: Asked,

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

    /// The first number
    #[arg(long, value_name = "A")]
    pub from: u64,

    /// The last number
    #[arg(long, value_name = "B")]
    pub to: u64,

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

    #[command(flatten)]
    pub traps: Traps,

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
    pub of: Solved,

    /// Who moves first
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Player::Human)]
    pub first: Player,

    /// Who moves second
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Player::Perfect)]
    pub second: Player,

    /// The seed of all chance; without it the perfect player takes the first of the best moves
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// In games with hidden information: what the perfect player plays by [default: the strategies
    /// kept beside the tables]
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,

    #[command(flatten)]
    pub traps: Traps,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Player {
    /// Moves are read from standard input
    Human,
    /// The best move
    Perfect,
    /// Any move
    Random,
}

#[derive(clap::Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub of: Solved,

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
    pub of: Solved,

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
    pub of: Solved,

    /// What to write
    #[arg(long, value_enum)]
    pub format: Format,

    /// Leave out positions of other kinds
    #[arg(long, value_enum, value_name = "KIND")]
    pub only: Option<Only>,

    /// Where to write it: a file, '-' for standard output, or for 'original' a folder
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
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

/// Bytes, with a binary suffix.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "write a number of bytes such as 500M or 8G (K, M, G, T)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" | "KIB" => 10,
        "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        "T" | "TIB" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

/// Something a second, with a decimal suffix.
fn rate(text: &str) -> Result<u64, String> {
    let wrong = || "write a number a second such as 500M or 10G (K, M, G, T)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let scale = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(scale).filter(|rate| *rate > 0).ok_or_else(wrong)
}

/// A span of time, with its unit.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time such as 500ms, 5s or 2min (ms, s, min, h)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let milliseconds = match &text[digits.len()..] {
        "ms" => 1,
        "" | "s" => 1000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let time = number.checked_mul(milliseconds).map(Duration::from_millis).ok_or_else(wrong)?;
    // To look for a year is to look for ever.
    if time > Duration::from_secs(365 * 24 * 3600) { Err(wrong()) } else { Ok(time) }
}

/// Three whole numbers.
fn weights(text: &str) -> Result<Weights, String> {
    let wrong = || "write three whole numbers up to 1000000, such as 1,2,4".to_string();
    let numbers: Vec<u32> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match numbers[..] {
        [a, b, c] if a.max(b).max(c) <= 1_000_000 => Ok(Weights { a, b, c }),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        use clap::CommandFactory;
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

    #[test]
    fn sizes() {
        assert_eq!(size("8G"), Ok(8 << 30));
        assert_eq!(size("500m"), Ok(500 << 20));
        assert_eq!(size("64KiB"), Ok(64 << 10));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "0", "G", "-1G", "1.5G", "8X", "99999999T", "8Gé"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate("10G"), Ok(10_000_000_000));
        assert_eq!(rate("500m"), Ok(500_000_000));
        for wrong in ["", "0", "G", "10Gbit", "1.5G", "99999999T"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(time("5"), time("5s"));
        assert_eq!(time("2min"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-5s", "5 s", "1.5s", "5d", "99999999999999999999s", "9999999h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn three_weights() {
        assert_eq!(weights("1,2,4"), Ok(Weights::default()));
        for wrong in ["", "1,2", "1,2,3,4", "1,2,-3", "1,2,x", "1,2,1000001"] {
            assert!(weights(wrong).is_err(), "{wrong}");
        }
    }
}
