//! One way to an equilibrium for every front end: choose a method, reduce the game, solve or iterate within a budget,
//! judge, and keep what is not done.
//!
//! A game is reduced before it is solved, by what changes no value: it ends where a player wins with certainty
//! ([`CutShort`]), and half of a game with a mirror stands for the whole. Strategies of what is left are judged
//! there, where they are worth the same.

mod method;
mod run;
mod trace;
mod walked;

use std::{
    cell::OnceCell,
    error::Error,
    fmt,
    io::{self, Read, Write},
    time::Duration,
};

use crabwise::watch::{Stage, Stop, Watch};

pub use self::{
    method::{Method, Options},
    trace::{StartRegret, Trace, TracePoint, TracedMove},
    walked::{ViewEquilibrium, Walked, WalkedRun, local_judge},
};
use crate::{
    best_response::Judged,
    erased::{ErasedHidden, ExploredGame},
    exact::{Fraction, LpBackend, LpError},
    iterative::CheckpointError,
    prob_one::CutShort,
    sequence_form::{Behaviour, FormSize, SequenceForm},
    strategy::Strategy,
    tree::{GameTree, HiddenError},
};

/// A game that is laid out, and what is left of it to be decided.
pub struct Problem {
    /// The whole game.
    pub explored: ExploredGame,
    short: Option<CutShort>,
    fold: bool,
    /// The payoffs, as they are and folded, once they have been laid out.
    forms: [OnceCell<SequenceForm>; 2],
}

/// When to stop iterating: at whatever comes first. Without any limit at an exploitability of 0.001.
#[derive(Clone, Copy, Default, Debug)]
pub struct Budget {
    /// At this exploitability.
    pub until: Option<f64>,
    /// After this many iterations, those of earlier runs included.
    pub iterations: Option<u64>,
    /// After this time, not counting that of judging.
    pub time: Option<Duration>,
}

/// What a run works with.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// As [`Problem::choose`] gave it.
    pub method: Method,
    /// When to stop.
    pub budget: Budget,
    /// What the problem was made with.
    pub options: Options,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Who hears how far the run is.
    pub watch: &'a dyn Watch,
    /// Where the run is kept while it is not done.
    pub checkpoint: Option<&'a dyn Checkpoint>,
}

/// A place for a run that is not done. The library opens no file.
pub trait Checkpoint {
    /// What an earlier run kept, if this one is to go on with it.
    fn open(&self) -> Option<Box<dyn Read>>;

    /// Keeps what a run has learnt, as it writes it, in place of what was kept before.
    fn keep(&self, save: Saving) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// The run is done, and nothing that was kept is needed any more.
    fn discard(&self);
}

/// Writes what a run has learnt.
pub type Saving<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// What came of a run.
pub struct Equilibrium {
    /// How it was found.
    pub method: Method,
    /// What solved the linear programs, if there were any.
    pub backend: Option<LpBackend>,
    /// Both players' behaviours in what was left of the game.
    pub behaviours: [Behaviour; 2],
    /// What they are worth.
    pub judged: Judged,
    /// The value as a fraction, and whether that was proved.
    pub fraction: Option<(Fraction, bool)>,
    /// The number of iterations.
    pub iterations: u64,
    /// How many of them were done by a run before this one.
    pub before: u64,
    /// Seconds that this run took.
    pub wall: f64,
    /// Seconds of it that were not spent on judging.
    pub seconds: f64,
    /// Whether the order of events was forgotten, so that this need not be close to an equilibrium.
    pub abstraction: bool,
    /// How close it was when.
    pub curve: Vec<CurvePoint>,
}

/// How far a run was at a moment.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Iterations that were done.
    pub iterations: u64,
    /// Seconds that had passed, without judging.
    pub seconds: f64,
    /// How exploitable the strategies were.
    pub exploitability: f64,
}

/// Why there is no equilibrium.
#[derive(Debug)]
pub enum EquilibriumError {
    /// The game could not be laid out, or there is too little memory for the method.
    Hidden(HiddenError),
    /// The linear programs could not be solved.
    Lp(LpError),
    /// What an earlier run kept cannot be used.
    Checkpoint(CheckpointError),
    /// What was asked for is not what the method does.
    Unsuited {
        /// What was asked for.
        option: &'static str,
        /// The methods that do it.
        methods: &'static str,
        /// The method that does not.
        method: Method,
    },
    /// Without a layout nothing says when strategies are good enough, and no other limit was given.
    Endless,
    /// The game is too large for what a method finds to be judged on the whole of it.
    Unjudged,
    /// Somebody asked for an end.
    Stopped {
        /// Why.
        stop: Stop,
        /// The number of iterations that are kept, if there is a place for them.
        kept: Option<u64>,
    },
    /// The run could not be kept.
    Keep(Box<dyn Error + Send + Sync>),
}

impl Problem {
    /// Finds all positions of a game, and reduces it.
    pub fn new(
        game: &ErasedHidden,
        options: &Options,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Problem, HiddenError> {
        let explored = game.explore(memory, watch)?;
        watch.tell(&Stage::new("finding certain wins", None, None))?;
        let short = (!options.whole).then(|| CutShort::new(&explored.tree)).transpose()?;
        let fold = game.is_mirrored() && !options.unfolded;
        Ok(Problem { explored, short, fold, forms: Default::default() })
    }

    /// What is to be solved.
    pub fn tree(&self) -> &GameTree {
        self.short.as_ref().map_or(&self.explored.tree, |short| &short.tree)
    }

    /// Whether the game ends at certain wins.
    pub fn is_short(&self) -> bool {
        self.short.is_some()
    }

    /// Behaviours of what was solved, in the whole game.
    pub fn whole(&self, behaviours: &[Behaviour; 2]) -> [Behaviour; 2] {
        match &self.short {
            None => behaviours.clone(),
            Some(short) => short.continued(&self.explored.tree, behaviours),
        }
    }

    /// Whether a method works on the game folded by its mirror. Random games and estimates are not the same in the
    /// mirror, and linear programs have no need of it.
    pub fn folds(&self, method: Method) -> bool {
        self.fold && method.variant().is_some()
    }

    /// The method that is asked for, or else the best for a game of this size, if it can do what is asked for.
    pub fn choose(
        &self,
        wanted: Option<Method>,
        options: &Options,
    ) -> Result<Method, EquilibriumError> {
        let iterates = options.order_free || options.simultaneous;
        let few = || FormSize::of(self.tree()).ends <= MOST_LP_ENDS;
        let method = wanted.unwrap_or_else(|| match !iterates && few() {
            true => Method::Lp,
            false => Method::Predictive,
        });
        method.suits(options).map(|()| method)
    }

    /// The payoffs for a method, if they fit.
    fn form(
        &self,
        method: Method,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<&SequenceForm, HiddenError> {
        let fold = self.folds(method);
        let cell = &self.forms[usize::from(fold)];
        if let Some(form) = cell.get() {
            return Ok(form);
        }
        let form = SequenceForm::new(self.tree(), fold, memory, watch)?;
        Ok(cell.get_or_init(|| form))
    }
}

/// A linear program for more ends takes longer than iterating does.
const MOST_LP_ENDS: u128 = 200_000;

impl Equilibrium {
    /// The value of the game for the first player, in the middle of its bounds.
    pub fn value(&self) -> f64 {
        match &self.fraction {
            Some((fraction, _)) => fraction.value(),
            None => {
                let [low, high] = self.judged.bounds();
                (low + high) / 2.0
            }
        }
    }

    /// How wrong the value may be.
    pub fn error(&self) -> f64 {
        match self.fraction {
            Some((_, true)) => 0.0,
            _ => self.judged.exploitability().max(0.0),
        }
    }

    /// What is kept in a file of strategies, for a canonical game string.
    pub fn strategy(&self, game: &str) -> Strategy {
        Strategy {
            game: game.into(),
            method: self.method.name().into(),
            iterations: self.iterations,
            abstraction: self.abstraction,
            judged: self.judged,
            behaviours: self.behaviours.clone(),
        }
    }
}

impl fmt::Display for EquilibriumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquilibriumError::Hidden(error) => error.fmt(f),
            EquilibriumError::Lp(error) => error.fmt(f),
            EquilibriumError::Checkpoint(error) => error.fmt(f),
            EquilibriumError::Unsuited { option, methods, method } => {
                write!(f, "{option} is for {methods}, not for {}", method.name())
            }
            EquilibriumError::Endless => f.write_str(
                "where nothing is laid out nothing says when strategies are good enough; \
                 give --time or --iterations, and no --until",
            ),
            EquilibriumError::Unjudged => f.write_str("not judged on so large a game"),
            EquilibriumError::Stopped { stop, .. } => stop.fmt(f),
            EquilibriumError::Keep(error) => error.fmt(f),
        }
    }
}

impl Error for EquilibriumError {}

impl From<HiddenError> for EquilibriumError {
    fn from(error: HiddenError) -> EquilibriumError {
        match error {
            HiddenError::Stopped(stop) => EquilibriumError::Stopped { stop, kept: None },
            error => EquilibriumError::Hidden(error),
        }
    }
}

impl From<LpError> for EquilibriumError {
    fn from(error: LpError) -> EquilibriumError {
        match error {
            LpError::Stopped(stop) => EquilibriumError::Stopped { stop, kept: None },
            error => EquilibriumError::Lp(error),
        }
    }
}

impl From<CheckpointError> for EquilibriumError {
    fn from(error: CheckpointError) -> EquilibriumError {
        EquilibriumError::Checkpoint(error)
    }
}
