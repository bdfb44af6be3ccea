//! What can be typed for games with hidden information.

use std::{path::PathBuf, time::Duration};

use clap::ValueEnum;
use crabwise_hidden::{
    LpBackend,
    equilibrium::{self, Method, Options},
};

use super::time;

pub const EQUILIBRIUM: &str = "\
Without --until, --iterations or --time, iteration goes on until the exploitability is at most
0.001; a linear program takes what it takes. The strategies are kept beside the tables, unless
better ones are there, or in FILE; 'exploit', 'look', 'play' and 'league' read them. A run that was
stopped, or whose --time was over, goes on where it was when it is started again.

EXAMPLES:
  crabwise equilibrium dark-hex:2x2,abrupt
  crabwise equilibrium leduc --method cfr+ --until 1e-3 -o leduc.strat
  crabwise equilibrium dark-hex:3x3,abrupt --time 1h --curve curve.svg
  crabwise equilibrium kuhn --method external --iterations 10000 --seed 7 --json";

pub const COMPARE: &str = "\
Every method learns for the same time, but a linear program takes what it takes. The plot has the
exploitability over time, both on logarithmic scales.

EXAMPLES:
  crabwise compare dark-hex:2x3,abrupt --time 10s
  crabwise compare kuhn leduc --time 2s -o methods.svg
  crabwise compare dark-hex:2x3,abrupt --methods lp,cfr+,pcfr+,external --json";

pub const EXPLOIT: &str = "\
EXAMPLES:
  crabwise exploit leduc leduc.strat
  crabwise exploit dark-hex:2x3,abrupt uniform
  crabwise exploit kuhn --json";

pub const PONE: &str = "\
A view is certain if its player, to move, wins whatever is hidden and whatever the other does. It
is weak if the player would win with everything shown, wherever the hidden stones are. e is the
number of cells that look empty, h that of hidden stones.

EXAMPLES:
  crabwise pone dark-hex:3x4
  crabwise pone dark-hex:3x3 --plan
  crabwise pone dark-hex:5x5 --json
  crabwise pone dark-hex:3x3 -o plan.svg";

pub const COUNT: &str = "\
EXAMPLES:
  crabwise count dark-hex:3x3,abrupt
  crabwise count phantom-tictactoe --json";

pub const MATRIX: &str = "\
A row is a pure strategy of the first player, a column one of the second. With --plans 2 a strategy
is two moves that are tried one after the other, and a cell says who has won by then: 1,0 the first
player, 0,1 the second, 0,0 nobody yet; the value is that of this matrix, not of the game.

EXAMPLES:
  crabwise matrix kuhn
  crabwise matrix dark-hex:2x2,abrupt --plans 2
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
        let MethodArgs { simultaneous, order_free, unfolded, whole, engine, seed } = *self;
        let backend = engine.map(EngineName::backend);
        Options { simultaneous, order_free, unfolded, whole, backend, seed }
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
}

#[derive(clap::Args)]
pub struct PoneArgs {
    /// The game
    pub game: String,

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
}

#[derive(clap::Args)]
pub struct MatrixArgs {
    /// The game
    pub game: String,

    /// Strategies are so many moves to try, whatever happens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub plans: Option<u8>,

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploitabilities() {
        assert_eq!(small("1e-3"), Ok(0.001));
        for wrong in ["", "0", "-1", "nan", "inf", "x"] {
            assert!(small(wrong).is_err(), "{wrong}");
        }
    }
}
