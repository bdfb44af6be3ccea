//! A run of a method: linear programs, or iterations between looks at how exploitable the strategies are by now.

use std::{
    io::Read,
    time::{Duration, Instant},
};

use crabwise::{SolveError, watch::Stage};

use super::{Budget, CurvePoint, Equilibrium, EquilibriumError, Method, Problem, Run};
use crate::{
    best_response::Judged,
    iterative::{
        IterativeSolver,
        cfr::{Cfr, CfrVariant, Updates},
        mccfr::Mccfr,
        rcfr::{Features, Rcfr},
        sampling::Sampling,
    },
    rules::Player,
    sequence_form::{FormSize, SequenceForm},
    tree::HiddenError,
};

/// How exploitable strategies may be if there is no other limit.
const USUAL: f64 = 1e-3;

/// How many random games are drawn for each player in an iteration.
const WALKERS: u64 = 8;

/// How often a run is kept.
pub(super) const KEEP: Duration = Duration::from_secs(60);

impl Run<'_> {
    /// Solves a problem by the method that was chosen for it.
    pub fn solve(&self, problem: &Problem) -> Result<Equilibrium, EquilibriumError> {
        let form = problem.form(self.method, self.memory, self.watch)?;
        match self.method {
            Method::Lp => self.exact(form),
            _ => self.iterate(problem, form),
        }
    }

    fn exact(&self, form: &SequenceForm) -> Result<Equilibrium, EquilibriumError> {
        self.fits("a linear program", form.exact_bytes())?;
        let began = Instant::now();
        let backend = self.options.backend.unwrap_or_default();
        let exact = form.exact_with(backend, self.watch)?;
        let seconds = began.elapsed().as_secs_f64();
        let (judged, iterations) = (exact.judged, exact.iterations.into());
        let exploitability = judged.exploitability().max(0.0);
        Ok(Equilibrium {
            method: Method::Lp,
            backend: Some(backend),
            behaviours: exact.behaviours,
            judged,
            fraction: exact.fraction.map(|fraction| (fraction, exact.proven)),
            iterations,
            before: 0,
            wall: seconds,
            seconds,
            abstraction: false,
            curve: vec![CurvePoint { iterations, seconds, exploitability }],
        })
    }

    fn fits(&self, doing: &'static str, bytes: u64) -> Result<(), HiddenError> {
        let limit = self.memory;
        match bytes > limit {
            true => Err(SolveError::no_memory(doing, bytes, limit).into()),
            false => Ok(()),
        }
    }

    fn iterate(
        &self,
        problem: &Problem,
        form: &SequenceForm,
    ) -> Result<Equilibrium, EquilibriumError> {
        self.fits("iterating", self.bytes(problem, form))?;
        let mut solver = self.solver(problem, form)?;
        let (began, before) = (Instant::now(), solver.iterations());
        let Iterated { curve, judged, seconds } = self.learn(form, &mut *solver)?;
        if let Some(checkpoint) = self.checkpoint {
            match self.budget.time {
                // With more time it could go on.
                Some(_) => {
                    checkpoint.keep(&|out| solver.save(out)).map_err(EquilibriumError::Keep)?;
                }
                None => checkpoint.discard(),
            }
        }
        Ok(Equilibrium {
            method: self.method,
            backend: None,
            behaviours: form.evened(solver.average()),
            judged,
            fraction: None,
            iterations: solver.iterations(),
            before,
            wall: began.elapsed().as_secs_f64(),
            seconds,
            abstraction: solver.is_abstraction(),
            curve,
        })
    }

    /// The bytes that iterating takes, the payoffs included.
    fn bytes(&self, problem: &Problem, form: &SequenceForm) -> u64 {
        let learning = match self.method.variant() {
            Some(variant) => Cfr::bytes(form, variant),
            None => Mccfr::bytes(problem.tree()),
        };
        // Judging takes three arrays more.
        let sequences: u64 = form.treeplexes.iter().map(|plex| plex.sequences() as u64).sum();
        FormSize::of(problem.tree()).bytes + learning + 24 * sequences
    }

    /// The method at its start, or where an earlier run left it.
    fn solver<'f>(
        &self,
        problem: &'f Problem,
        form: &'f SequenceForm,
    ) -> Result<Box<dyn IterativeSolver + 'f>, EquilibriumError> {
        let tree = problem.tree();
        let mut saved = self.checkpoint.and_then(|checkpoint| checkpoint.open());
        let saved = saved.as_mut().map(|saved| -> &mut dyn Read { saved });
        if let Some(variant) = self.method.variant() {
            return self.cfr(form, variant, saved);
        }
        if let Method::External | Method::Outcome = self.method {
            let sampling = match self.method {
                Method::External => Sampling::External,
                _ => Sampling::Outcome { explore: 0.6 },
            };
            return Ok(Box::new(match saved {
                None => Mccfr::new(tree, sampling, self.options.seed, WALKERS)?,
                Some(from) => Mccfr::load(tree, from)?,
            }));
        }
        if self.method == Method::Deep {
            return Err(EquilibriumError::Unjudged);
        }
        let features = Player::BOTH.map(|player| match problem.explored.descriptions(player) {
            Some(said) => Features::of_game(tree, player, &said),
            None => Features::of_names(tree, player),
        });
        let (link, regressor) = self.method.regression(self.options.seed);
        let rcfr = Rcfr::new(form, features, link, regressor)?;
        Ok(Box::new(match saved {
            None => rcfr,
            Some(from) => rcfr.resume(from)?,
        }))
    }

    fn cfr<'f>(
        &self,
        form: &'f SequenceForm,
        variant: CfrVariant,
        saved: Option<&mut dyn Read>,
    ) -> Result<Box<dyn IterativeSolver + 'f>, EquilibriumError> {
        let updates = match self.options.simultaneous {
            true => Updates::Simultaneous,
            false => Updates::Alternating,
        };
        let buckets = form.treeplexes.each_ref().map(|plex| plex.info_states().to_vec());
        Ok(Box::new(match (saved, self.options.order_free) {
            (None, false) => Cfr::new(form, variant, updates),
            (None, true) => Cfr::with_buckets(form, variant, updates, &buckets)?,
            (Some(from), false) => Cfr::load(form, from)?,
            (Some(from), true) => Cfr::load_with_buckets(form, &buckets, from)?,
        }))
    }

    /// Iterates until the budget is used up or the strategies are good enough.
    fn learn(
        &self,
        form: &SequenceForm,
        solver: &mut dyn IterativeSolver,
    ) -> Result<Iterated, EquilibriumError> {
        let Budget { until, iterations: most, time } = self.budget;
        let until = until.or((most.is_none() && time.is_none()).then_some(USUAL));
        let (mut curve, began) = (vec![], Instant::now());
        let (mut judging, mut next, mut kept) = (Duration::ZERO, 1, Instant::now());
        // Progress counts what this run does, not what an earlier one did.
        let before = solver.iterations();
        let total = most.map(|most| most.saturating_sub(before));
        loop {
            let so_far = solver.iterations();
            let stage = Stage { done: so_far - before, ..Stage::new("iterating", None, total) };
            if let Err(stop) = self.watch.tell(&stage) {
                let kept = self.keep(solver)?;
                return Err(EquilibriumError::Stopped { stop, kept });
            }
            let late = |time: Duration| began.elapsed().saturating_sub(judging) >= time;
            let over = most.is_some_and(|most| so_far >= most) || time.is_some_and(late);
            if over || so_far >= next {
                let look = Instant::now();
                let [first, second] = solver.average();
                let judged = form.judge([&first, &second]);
                judging += look.elapsed();
                let seconds = began.elapsed().saturating_sub(judging).as_secs_f64();
                let exploitability = judged.exploitability().max(0.0);
                curve.push(CurvePoint { iterations: so_far, seconds, exploitability });
                self.watch
                    .learnt(&format!("{so_far} iterations: exploitable by {exploitability:.3e}"));
                if over || until.is_some_and(|until| exploitability <= until) {
                    return Ok(Iterated { curve, judged, seconds });
                }
                // Looking must not take longer than learning.
                let busy = judging.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9);
                next = so_far + (so_far / if busy > 0.3 { 2 } else { 5 }).max(1);
            }
            if kept.elapsed() > KEEP {
                self.keep(solver)?;
                kept = Instant::now();
            }
            solver.step();
        }
    }

    /// Keeps what was learnt, if there is a place for it: the number of iterations.
    fn keep(&self, solver: &dyn IterativeSolver) -> Result<Option<u64>, EquilibriumError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(None) };
        checkpoint.keep(&|out| solver.save(out)).map_err(EquilibriumError::Keep)?;
        Ok(Some(solver.iterations()))
    }
}

/// What iterating came to.
struct Iterated {
    curve: Vec<CurvePoint>,
    judged: Judged,
    seconds: f64,
}
