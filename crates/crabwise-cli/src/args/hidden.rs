//! What can be typed for games with hidden information.

use std::{path::PathBuf, time::Duration};

use clap::ValueEnum;
use crabwise_hidden::{
    LpBackend,
    equilibrium::{self, Method, Options},
};

use super::numbers::time;

pub const EQUILIBRIUM: &str = "\
Without --until, --iterations or --time, iteration goes on until the exploitability is at most
0.001; a linear program takes what it takes. The strategies are kept beside the tables, unless
better ones are there, or in FILE; 'exploit', 'look', 'play' and 'league' read them. A run that was
stopped, or whose --time was over, goes on where it was when it is started again.

Where the board is too large to be laid out, external, outcome and deep walk the rules instead, for
a given --time or number of --iterations. External sampling then goes along one line where it would
look at too much. A table of views stops growing when --memory is used up, and learning goes on.
How exploitable the strategies are at least is found by a local best response, in --games.

--trace shows how regrets are minimised at one VIEW, such as 'J' or 'a1 taken', or '' for what is
seen at first: the regret of each move, how likely it is made now and on average. It is done in the
whole game, by --method cfr if nothing else is said, and keeps no strategies; --curve then draws
how likely the moves are.

EXAMPLES:
  crabwise equilibrium dark-hex:2x2,abrupt
  crabwise equilibrium kuhn --trace J --trace-at 1,10,100
  crabwise equilibrium rock-paper-scissors --trace '' --start rock=1 --curve rps.svg
  crabwise equilibrium leduc --method cfr+ --until 1e-3 -o leduc.strat
  crabwise equilibrium dark-hex:3x3,abrupt --time 1h --curve curve.svg
  crabwise equilibrium kuhn --method external --iterations 10000 --seed 7 --json
  crabwise equilibrium dark-hex:4x4,abrupt --method outcome --time 10min --memory 4G
  crabwise equilibrium dark-hex:4x4,abrupt --method deep --time 30min -o deep.strat";

pub const COMPARE: &str = "\
Every method learns for the same time, but a linear program takes what it takes. The plot has the
exploitability over time, both on logarithmic scales.

EXAMPLES:
  crabwise compare dark-hex:2x3,abrupt --time 10s
  crabwise compare kuhn leduc --time 2s -o methods.svg
  crabwise compare dark-hex:2x3,abrupt --methods lp,cfr+,pcfr+,external --json";

pub const EXPLOIT: &str = "\
--local-best-response lays nothing out, and is for boards of any size. It plays games against the
strategies: it keeps track of what they may have hidden, and makes the move that is best if both
go on by the strategies. What it gains is a lower bound on how exploitable they are, and no more.

EXAMPLES:
  crabwise exploit leduc leduc.strat
  crabwise exploit dark-hex:2x3,abrupt uniform
  crabwise exploit dark-hex:4x4,abrupt uniform --local-best-response
  crabwise exploit dark-hex:4x4,abrupt deep.strat --local-best-response --games 1000
  crabwise exploit kuhn --json";

pub const PONE: &str = "\
A view is certain if its player, to move, wins whatever is hidden and whatever the other does. It
is weak if the player would win with everything shown, wherever the hidden stones are. e is the
number of cells that look empty, h that of hidden stones.

A VIEW is what a player did and was told, in order, as 'look' takes it: the answer is whether it is
certain, and which moves keep it so. --list prints the certain views with E cells that look empty
and H hidden stones, the order of events forgotten; where their number is not known to the player,
H is one that is possible. A VIEW is searched by the rules, for --time at most, and then by all
positions if these are few; what that does not settle is called so. In classic dark Hex lists come from
a search of views, within --time; else the game is laid out, which fits for boards up to 3x3.

EXAMPLES:
  crabwise pone dark-hex:3x4
  crabwise pone dark-hex:3x3 --plan
  crabwise pone dark-hex:2x3,abrupt a1 b1 taken
  crabwise pone dark-hex:2x3,abrupt --second --list 3,1
  crabwise pone dark-hex:4x4 b2 c3 taken
  crabwise pone dark-hex:4x4,abrupt a1 b2 c1 b3 taken --time 1min
  crabwise pone dark-hex:4x4 --list 6,2
  crabwise pone dark-hex:5x5 --json
  crabwise pone dark-hex:3x3 -o plan.svg";

pub const COUNT: &str = "\
A turn goes on until it is the other player's, whatever is tried and rejected; of moves each try is
one, and what chance does is one, too.

EXAMPLES:
  crabwise count dark-hex:3x3,abrupt
  crabwise count dark-hex:2x2 --by first-move
  crabwise count phantom-tictactoe --json";

pub const MATRIX: &str = "\
A row is a pure strategy of the first player, a column one of the second. With --plans 2 a strategy
is two moves that are tried one after the other, and a cell says who has won by then: 1,0 the first
player, 0,1 the second, 0,0 nobody yet; the value is that of this matrix, not of the game. --cells numbers
the cells of a board from 0, column by column, so that a1 is 0 and what is below it 1.

EXAMPLES:
  crabwise matrix kuhn
  crabwise matrix dark-hex:2x2,abrupt --plans 2
  crabwise matrix dark-hex:2x2,abrupt --plans 2 --cells
  crabwise matrix rock-paper-scissors -o rps.csv";

#[derive(clap::Args)]
pub struct EquilibriumArgs {
    /// The game
    pub game: String,

    /// How to find it
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = MethodName::Auto)]
    pub method: MethodName,

    #[command(flatten)]
    pub budget: BudgetArgs,

    #[command(flatten)]
    pub how: MethodArgs,

    /// Where to keep the strategies [default: beside the tables]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Draw the exploitability over time, as SVG
    #[arg(long, value_name = "FILE")]
    pub curve: Option<PathBuf>,

    /// How many views of each strategy to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub most: usize,

    /// Begin again, though there is a run to go on with
    #[arg(long)]
    pub anew: bool,

    /// How many games of each player judge strategies of a board that is not laid out
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub games: u64,

    #[command(flatten)]
    pub trace: TraceArgs,
}

/// What is shown of regrets at one view.
#[derive(clap::Args)]
pub struct TraceArgs {
    /// Show how regrets are minimised at this view
    #[arg(long, value_name = "VIEW", conflicts_with_all = [
        "output", "until", "iterations", "time", "order_free", "engine", "anew", "most"
    ])]
    pub trace: Option<String>,

    /// The view is the second player's, not the first's
    #[arg(long, requires = "trace")]
    pub second: bool,

    /// After how many iterations
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "trace",
          default_values_t = [0, 1, 2, 3, 10, 100, 1000])]
    pub trace_at: Vec<u64>,

    /// Regrets that moves at the view begin with, such as rock=1
    #[arg(long, value_name = "MOVES", value_delimiter = ',', value_parser = start, requires = "trace")]
    pub start: Vec<(String, f64)>,

    /// Regrets that the other player's moves begin with, at its first view
    #[arg(long, value_name = "MOVES", value_delimiter = ',', value_parser = start, requires = "trace")]
    pub start_other: Vec<(String, f64)>,
}

/// When to stop.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct BudgetArgs {
    /// Stop at this exploitability
    #[arg(long, value_name = "X", value_parser = small)]
    pub until: Option<f64>,

    /// Stop after so many iterations
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,

    /// Stop after learning for this time: 500ms, 5s, 2min, …
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
}

/// What a method is done with.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct MethodArgs {
    /// Both players learn at the same time, not one after the other
    #[arg(long)]
    pub simultaneous: bool,

    /// Forget the order of events: an abstraction, which may stay exploitable
    #[arg(long)]
    pub order_free: bool,

    /// Do not fold mirror images
    #[arg(long)]
    pub unfolded: bool,

    /// Do not end the game where a player wins with certainty
    #[arg(long)]
    pub whole: bool,

    /// Lay nothing out: walk the rules, as external, outcome and deep do on boards that are too large
    #[arg(long)]
    pub walked: bool,

    /// What solves linear programs, for --method lp [default: clarabel]
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub engine: Option<EngineName>,

    /// The seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

impl BudgetArgs {
    pub fn budget(&self) -> equilibrium::Budget {
        let BudgetArgs { until, iterations, time } = *self;
        equilibrium::Budget { until, iterations, time }
    }
}

impl MethodArgs {
    pub fn options(&self) -> Options {
        let MethodArgs { simultaneous, order_free, unfolded, whole, walked, engine, seed } = *self;
        let backend = engine.map(EngineName::backend);
        Options { simultaneous, order_free, unfolded, whole, walked, backend, seed }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum EngineName {
    /// Interior points, by Clarabel
    #[default]
    Clarabel,
    /// The simplex method, by HiGHS, if that was built in
    Highs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MethodName {
    /// A linear program where it fits, else predictive CFR+
    Auto,
    /// A linear program over sequences; the value is proved if it is a fraction
    Lp,
    /// Counterfactual regret minimisation
    Cfr,
    /// CFR+
    #[value(name = "cfr+")]
    CfrPlus,
    /// Linear CFR
    Linear,
    /// Discounted CFR
    Discounted,
    /// Predictive CFR+
    #[value(name = "pcfr+")]
    Predictive,
    /// Monte-Carlo CFR by external sampling
    External,
    /// Monte-Carlo CFR by outcome sampling
    Outcome,
    /// Deep CFR: regrets and the average estimated by networks, from samples
    Deep,
    /// Regression CFR: regrets estimated as a linear function of features
    Regression,
    /// Regression CFR, behaviour by softmax
    RegressionSoftmax,
    /// Regression CFR, behaviour by a power of regrets
    RegressionPower,
    /// Regrets estimated by a small network
    RegressionNetwork,
}

impl EngineName {
    pub fn backend(self) -> LpBackend {
        match self {
            EngineName::Clarabel => LpBackend::Clarabel,
            EngineName::Highs => LpBackend::Highs,
        }
    }
}

impl MethodName {
    /// The method; `None` if the library is to choose.
    pub fn method(self) -> Option<Method> {
        Some(match self {
            MethodName::Auto => return None,
            MethodName::Lp => Method::Lp,
            MethodName::Cfr => Method::Cfr,
            MethodName::CfrPlus => Method::CfrPlus,
            MethodName::Linear => Method::Linear,
            MethodName::Discounted => Method::Discounted,
            MethodName::Predictive => Method::Predictive,
            MethodName::External => Method::External,
            MethodName::Outcome => Method::Outcome,
            MethodName::Deep => Method::Deep,
            MethodName::Regression => Method::Regression,
            MethodName::RegressionSoftmax => Method::RegressionSoftmax,
            MethodName::RegressionPower => Method::RegressionPower,
            MethodName::RegressionNetwork => Method::RegressionNetwork,
        })
    }
}

#[derive(clap::Args)]
pub struct CompareArgs {
    /// The games
    #[arg(required = true)]
    pub games: Vec<String>,

    /// The methods [default: all]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<MethodName>,

    /// The time of each method
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub time: Duration,

    /// Draw the curves
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

#[derive(clap::Args)]
pub struct ExploitArgs {
    /// The game
    pub game: String,

    /// The file of strategies, or 'uniform' [default: the one kept beside the tables]
    pub file: Option<String>,

    /// Find out how exploitable they are at least, by a local best response
    #[arg(long)]
    pub local_best_response: bool,

    /// How many games of each player it plays
    #[arg(long, value_name = "N", default_value_t = 200, requires = "local_best_response",
          value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub games: u64,

    /// The seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1, requires = "local_best_response")]
    pub seed: u64,
}

#[derive(clap::Args)]
pub struct PoneArgs {
    /// The game
    pub game: String,

    /// A view: what a player did and was told
    #[arg(value_name = "VIEW", conflicts_with_all = ["plan", "output", "list"])]
    pub view: Vec<String>,

    /// The view, or the list, is the second player's, not the first's
    #[arg(long)]
    pub second: bool,

    /// List the certain views with E cells that look empty and H hidden stones
    #[arg(long, value_name = "E,H", value_parser = two_counts, conflicts_with_all = ["plan", "output"])]
    pub list: Option<[u32; 2]>,

    /// How long to search from a VIEW [default: 10s], or for those of a list [default: 1min]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,

    /// Print how a certain win is won
    #[arg(long)]
    pub plan: bool,

    /// Draw how a certain win is won
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct CountArgs {
    /// The game
    pub game: String,

    /// Count the complete games by this, and nothing else
    #[arg(long, value_enum, value_name = "WHAT")]
    pub by: Option<CountBy>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CountBy {
    /// The first move of a player
    FirstMove,
    /// The number of turns, and that of moves
    Length,
}

#[derive(clap::Args)]
pub struct MatrixArgs {
    /// The game
    pub game: String,

    /// Strategies are so many moves to try, whatever happens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub plans: Option<u8>,

    /// Name cells by numbers, column by column
    #[arg(long)]
    pub cells: bool,

    /// What solves the linear program
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t)]
    pub engine: EngineName,

    /// Write the matrix as CSV; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The largest matrix that is made, in strategies of a player
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub most: u64,
}

/// A number above zero.
fn small(text: &str) -> Result<f64, String> {
    let wrong = || "write a number above zero, such as 0.001 or 1e-3".to_string();
    text.parse().ok().filter(|x: &f64| *x > 0.0 && x.is_finite()).ok_or_else(wrong)
}

/// A move and its regret.
fn start(text: &str) -> Result<(String, f64), String> {
    let pair = text.rsplit_once('=').and_then(|(name, regret)| {
        let regret = regret.parse().ok().filter(|regret: &f64| regret.is_finite())?;
        (!name.is_empty()).then(|| (name.to_string(), regret))
    });
    pair.ok_or_else(|| "write a move and its regret, such as rock=1".into())
}

/// Two whole numbers.
fn two_counts(text: &str) -> Result<[u32; 2], String> {
    let two = text.split_once(',').and_then(|(empty, hidden)| {
        Some([empty.trim().parse().ok()?, hidden.trim().parse().ok()?])
    });
    two.ok_or_else(|| "write two whole numbers, such as 4,2".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regrets_to_begin_with() {
        assert_eq!(start("rock=1.5"), Ok(("rock".to_string(), 1.5)));
        for wrong in ["", "rock", "=1", "rock=", "rock=nan", "rock=inf"] {
            assert!(start(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_of_counts() {
        assert_eq!(two_counts("4,2"), Ok([4, 2]));
        for wrong in ["", "4", "4,", "-1,2", "4,2,1"] {
            assert!(two_counts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn exploitabilities() {
        assert_eq!(small("1e-3"), Ok(0.001));
        for wrong in ["", "0", "-1", "nan", "inf", "x"] {
            assert!(small(wrong).is_err(), "{wrong}");
        }
    }
}
