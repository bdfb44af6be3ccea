//! Equilibria by any method, within a budget: a curve of exploitability, checkpoints, and strategies at last.

use std::{
    cell::OnceCell,
    fs,
    io::{self, BufReader},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crabwise::watch::{Stage, Stop, Watch};
use crabwise_hidden::{
    AnyHidden, Certain, Engine, Features, Fit, Form, Fraction, Judged, Laid, Learner, LinearError,
    Link, Player, Regression, Regrets, Rule, Sampler, Scheme, Tree, Updates,
};

use crate::{
    args::hidden::{Budget, EngineName, How, Method},
    error::Failure,
    setting::write_whole,
};

/// A game that is laid out, and what is left of it to be decided.
pub struct Board<'a> {
    pub laid: Laid<'a>,
    /// Certain wins, where the game is cut short at them.
    certain: Option<([Certain; 2], Tree)>,
    fold: bool,
    /// The payoffs, as they are and folded, once they have been laid out.
    forms: [OnceCell<Form>; 2],
}

impl<'a> Board<'a> {
    pub fn new(
        game: &'a dyn AnyHidden,
        how: &How,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Board<'a>, Failure> {
        let laid = game.explore(memory, watch)?;
        let certain = match how.whole {
            true => None,
            false => {
                let certain = laid.tree.certain();
                let short = laid.tree.undecided(&certain)?;
                Some((certain, short))
            }
        };
        let fold = game.is_mirrored() && !how.unfolded;
        Ok(Board { laid, certain, fold, forms: [OnceCell::new(), OnceCell::new()] })
    }

    /// What is to be solved.
    pub fn tree(&self) -> &Tree {
        self.certain.as_ref().map_or(&self.laid.tree, |(_, short)| short)
    }

    pub fn is_short(&self) -> bool {
        self.certain.is_some()
    }

    /// Behaviours of what was solved, in the whole game.
    pub fn whole(&self, behaviours: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
        match &self.certain {
            None => behaviours.clone(),
            Some((certain, short)) => Player::BOTH.map(|player| {
                let p = player as usize;
                self.laid.tree.continued(player, short, &certain[p], &behaviours[p])
            }),
        }
    }

    /// Whether a method works on the game folded by its mirror.
    pub fn folds(&self, method: Method) -> bool {
        // Random games and estimates are not the same in the mirror.
        self.fold && method.rule().is_some()
    }

    /// The payoffs for a method, if they fit.
    fn form(&self, method: Method, memory: u64, watch: &dyn Watch) -> Result<&Form, Failure> {
        let fold = self.folds(method);
        let cell = &self.forms[usize::from(fold)];
        if let Some(form) = cell.get() {
            return Ok(form);
        }
        let form = self.tree().form(fold, memory, watch)?;
        Ok(cell.get_or_init(|| form))
    }
}

/// What came of a method.
pub struct Found {
    pub method: Method,
    /// What solved the linear programs, if there were any.
    pub engine: Option<EngineName>,
    pub behaviours: [Vec<f64>; 2],
    pub judged: Judged,
    /// The value as a fraction, and whether that was proved.
    pub fraction: Option<(Fraction, bool)>,
    pub iterations: u64,
    /// How many of them were done by a run before this one.
    pub before: u64,
    /// How long it took in this run, and how long not counting looks at what was learnt.
    pub wall: f64,
    pub seconds: f64,
    pub abstraction: bool,
    pub curve: Vec<Point>,
}

/// How far a method was when.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub iterations: u64,
    pub seconds: f64,
    pub exploitability: f64,
}

impl Found {
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

    /// By how much the value may be wrong.
    pub fn error(&self) -> f64 {
        match self.fraction {
            Some((_, true)) => 0.0,
            _ => self.judged.exploitability().max(0.0),
        }
    }
}

impl Method {
    pub const ALL: [Method; 12] = [
        Method::Lp,
        Method::Cfr,
        Method::CfrPlus,
        Method::Linear,
        Method::Discounted,
        Method::Predictive,
        Method::External,
        Method::Outcome,
        Method::Regression,
        Method::RegressionSoftmax,
        Method::RegressionPower,
        Method::RegressionNetwork,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Lp => "lp",
            Method::Cfr => "cfr",
            Method::CfrPlus => "cfr+",
            Method::Linear => "linear",
            Method::Discounted => "discounted",
            Method::Predictive => "pcfr+",
            Method::External => "external",
            Method::Outcome => "outcome",
            Method::Regression => "regression",
            Method::RegressionSoftmax => "regression-softmax",
            Method::RegressionPower => "regression-power",
            Method::RegressionNetwork => "regression-network",
        }
    }

    /// The method that is best for a game of this size, if it can do what is asked for.
    pub fn settle(self, board: &Board, how: &How) -> Result<Method, Failure> {
        let iterates = how.order_free || how.simultaneous;
        let method = match self {
            Method::Auto if board.tree().size().ends <= MOST_PAYOFFS && !iterates => Method::Lp,
            Method::Auto => Method::Predictive,
            method => method,
        };
        method.takes(how)?;
        Ok(method)
    }

    /// Whether a method can do what is asked for. Before it is settled, it can.
    pub fn takes(self, how: &How) -> Result<(), Failure> {
        let learns = "cfr, cfr+, linear, discounted and pcfr+";
        let (option, methods) = match self {
            Method::Auto => return Ok(()),
            _ if how.order_free && self.rule().is_none() => ("--order-free", learns),
            _ if how.simultaneous && self.rule().is_none() => ("--simultaneous", learns),
            _ if how.engine.is_some() && self != Method::Lp => ("--engine", "lp"),
            _ => return Ok(()),
        };
        Err(Failure::Input(format!("{option} is for {methods}, not for {}", self.name())))
    }

    /// Whether the numbers depend on a seed.
    fn is_random(self) -> bool {
        matches!(self, Method::External | Method::Outcome | Method::RegressionNetwork)
    }

    fn rule(self) -> Option<Rule> {
        match self {
            Method::Cfr => Some(Rule::Cfr),
            Method::CfrPlus => Some(Rule::CfrPlus),
            Method::Linear => Some(Rule::Linear),
            Method::Discounted => Some(Rule::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 }),
            Method::Predictive => Some(Rule::Predictive),
            _ => None,
        }
    }
}

impl EngineName {
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Clarabel => "clarabel",
            EngineName::Highs => "highs",
        }
    }

    /// The engine, if it is built in.
    pub fn built(self) -> Result<Engine, Failure> {
        let engine = match self {
            EngineName::Clarabel => Engine::Clarabel,
            EngineName::Highs => Engine::Highs,
        };
        match engine.is_built() {
            true => Ok(engine),
            false => Err(LinearError::Missing(engine).into()),
        }
    }
}

/// A linear program with more payoffs takes longer than iterating does.
const MOST_PAYOFFS: u128 = 200_000;

/// So good is good enough if nobody says otherwise.
const USUAL: f64 = 1e-3;

/// A run, and where it is kept while it is not done.
pub struct Run<'a> {
    pub board: &'a Board<'a>,
    pub method: Method,
    pub budget: Budget,
    pub how: How,
    pub memory: u64,
    pub watch: &'a dyn Watch,
    /// Where the run is kept if it is stopped, and whether to begin again.
    pub checkpoint: Option<(PathBuf, bool)>,
}

impl Run<'_> {
    /// Runs the method that is settled on.
    pub fn run(&self) -> Result<Found, Failure> {
        match self.method {
            Method::Lp => self.exact(),
            _ => self.iterate(),
        }
    }

    fn exact(&self) -> Result<Found, Failure> {
        let form = self.board.form(self.method, self.memory, self.watch)?;
        let needed = form.exact_bytes();
        if needed > self.memory {
            let (doing, limit) = ("a linear program", self.memory);
            return Err(crabwise::SolveError::NoMemory { doing, bytes: needed, limit }.into());
        }
        let began = Instant::now();
        let engine = self.how.engine.unwrap_or_default();
        let exact = form.exact_with(engine.built()?, self.watch)?;
        let seconds = began.elapsed().as_secs_f64();
        let (judged, iterations) = (exact.judged, exact.iterations.into());
        let exploitability = judged.exploitability().max(0.0);
        Ok(Found {
            method: Method::Lp,
            engine: Some(engine),
            behaviours: exact.behaviours,
            judged,
            fraction: exact.fraction.map(|fraction| (fraction, exact.proven)),
            iterations,
            before: 0,
            wall: seconds,
            seconds,
            abstraction: false,
            curve: vec![Point { iterations, seconds, exploitability }],
        })
    }

    fn iterate(&self) -> Result<Found, Failure> {
        let form = self.board.form(self.method, self.memory, self.watch)?;
        self.fits(form)?;
        let mut learner = self.learner(form)?;
        let (began, before) = (Instant::now(), learner.iterations());
        let stop = self.learn(form, &mut *learner);
        let (curve, judged, seconds) = match stop {
            Ok(done) => done,
            Err(Failure::Halted { stop, .. }) => return Err(self.halt(&*learner, stop)),
            Err(failure) => return Err(failure),
        };
        if let Some((path, _)) = &self.checkpoint {
            match self.budget.time {
                // With more time it could go on.
                Some(_) => keep(&*learner, path)?,
                // It is done, and whether the file was there or not, it is not needed.
                None => drop(fs::remove_file(path)),
            }
        }
        Ok(Found {
            method: self.method,
            engine: None,
            behaviours: form.evened(learner.average()),
            judged,
            fraction: None,
            iterations: learner.iterations(),
            before,
            wall: began.elapsed().as_secs_f64(),
            seconds,
            abstraction: learner.is_abstraction(),
            curve,
        })
    }

    fn fits(&self, form: &Form) -> Result<(), Failure> {
        let learning = match self.method.rule() {
            Some(rule) => Regrets::bytes(form, rule),
            None => Sampler::bytes(self.board.tree()),
        };
        // Judging takes three arrays more.
        let sequences: u64 = form.plexes.iter().map(|plex| plex.sequences() as u64).sum();
        let bytes = self.board.tree().size().bytes + learning + 24 * sequences;
        match bytes > self.memory {
            true => {
                let (doing, limit) = ("iterating", self.memory);
                Err(crabwise::SolveError::NoMemory { doing, bytes, limit }.into())
            }
            false => Ok(()),
        }
    }

    fn learner<'f>(&'f self, form: &'f Form) -> Result<Box<dyn Learner + 'f>, Failure> {
        let tree = self.board.tree();
        let saved = match &self.checkpoint {
            Some((path, false)) => fs::File::open(path).ok(),
            _ => None,
        };
        let mut saved = saved.map(BufReader::new);
        let updates = match self.how.simultaneous {
            true => Updates::Simultaneous,
            false => Updates::Alternating,
        };
        if let Some(rule) = self.method.rule() {
            let buckets = form.plexes.each_ref().map(|plex| plex.minds().to_vec());
            return Ok(Box::new(match (saved.as_mut(), self.how.order_free) {
                (None, false) => Regrets::new(form, rule, updates),
                (None, true) => Regrets::pooled(form, rule, updates, &buckets)?,
                (Some(from), false) => Regrets::load(form, from)?,
                (Some(from), true) => Regrets::load_pooled(form, &buckets, from)?,
            }));
        }
        if let Method::External | Method::Outcome = self.method {
            let scheme = match self.method {
                Method::External => Scheme::External,
                _ => Scheme::Outcome { explore: 0.6 },
            };
            return Ok(Box::new(match saved.as_mut() {
                None => Sampler::new(tree, scheme, self.how.seed, WALKERS)?,
                Some(from) => Sampler::load(tree, from)?,
            }));
        }
        let features = Player::BOTH.map(|player| Features::of_names(tree, player));
        let (link, fit) = self.regression();
        let regression = Regression::new(form, features, link, fit)?;
        Ok(Box::new(match saved.as_mut() {
            None => regression,
            Some(from) => regression.resume(from)?,
        }))
    }

    fn regression(&self) -> (Link, Fit) {
        let linear = Fit::Linear { ridge: 1e-6, every: 1 };
        let seed = self.how.seed;
        match self.method {
            Method::RegressionSoftmax => (Link::Softmax(0.1), linear),
            Method::RegressionPower => (Link::Power(3.0), linear),
            Method::RegressionNetwork => {
                (Link::Matching, Fit::Network { hidden: 32, rate: 0.01, epochs: 4, seed })
            }
            _ => (Link::Matching, linear),
        }
    }

    /// Iterates until the budget is used up or good enough, looking at what was learnt at times.
    fn learn(
        &self,
        form: &Form,
        learner: &mut dyn Learner,
    ) -> Result<(Vec<Point>, Judged, f64), Failure> {
        let Budget { until, iterations: most, time } = self.budget;
        let until = until.or((most.is_none() && time.is_none()).then_some(USUAL));
        let (mut curve, began) = (vec![], Instant::now());
        let (mut judging, mut next, mut kept) = (Duration::ZERO, 1, Instant::now());
        // A run that goes on is told of by what is new.
        let before = learner.iterations();
        let total = most.map(|most| most.saturating_sub(before));
        loop {
            let so_far = learner.iterations();
            let stage = Stage { done: so_far - before, ..Stage::new("iterating", None, total) };
            self.watch.tell(&stage).map_err(|stop| Failure::Halted { stop, kept: None })?;
            let late = |time: Duration| began.elapsed().saturating_sub(judging) >= time;
            let over = most.is_some_and(|most| so_far >= most) || time.is_some_and(late);
            if over || so_far >= next {
                let look = Instant::now();
                let [first, second] = learner.average();
                let judged = form.judge([&first, &second]);
                judging += look.elapsed();
                let seconds = began.elapsed().saturating_sub(judging).as_secs_f64();
                let exploitability = judged.exploitability().max(0.0);
                curve.push(Point { iterations: so_far, seconds, exploitability });
                self.watch
                    .learnt(&format!("{so_far} iterations: exploitable by {exploitability:.3e}"));
                if over || until.is_some_and(|until| exploitability <= until) {
                    return Ok((curve, judged, seconds));
                }
                // Looking must not take longer than learning.
                let busy = judging.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9);
                next = so_far + (so_far / if busy > 0.3 { 2 } else { 5 }).max(1);
            }
            if let Some((path, _)) = &self.checkpoint
                && kept.elapsed() > KEEP
            {
                keep(learner, path)?;
                kept = Instant::now();
            }
            learner.step();
        }
    }

    /// Keeps what a run that is stopped has learnt.
    fn halt(&self, learner: &dyn Learner, stop: Stop) -> Failure {
        match &self.checkpoint {
            Some((path, _)) => match keep(learner, path) {
                Ok(()) => Failure::Halted { stop, kept: Some(learner.iterations()) },
                Err(failure) => failure,
            },
            None => Failure::Halted { stop, kept: None },
        }
    }
}

/// Where a run is kept until its strategies are in a file: named after all that another run must have in
/// common with it to go on.
pub fn part(strategies: &Path, method: Method, how: &How) -> PathBuf {
    let mut ending = format!(".{}", method.name());
    if how.simultaneous {
        ending += "-simultaneous";
    }
    if how.order_free {
        ending += "-order-free";
    }
    if how.whole {
        ending += "-whole";
    }
    if method.is_random() {
        ending += &format!("-{}", how.seed);
    }
    let mut name = strategies.as_os_str().to_owned();
    name.push(ending + ".part");
    name.into()
}

/// How many random games are drawn for each player in an iteration.
const WALKERS: u64 = 8;

/// How often a run is kept.
const KEEP: Duration = Duration::from_secs(60);

fn keep(learner: &dyn Learner, path: &Path) -> Result<(), Failure> {
    let failed = |source: io::Error| Failure::File { path: path.into(), source };
    write_whole(path, |out| learner.save(out).map_err(failed))
}
