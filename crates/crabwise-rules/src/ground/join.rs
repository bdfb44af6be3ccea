//! The order in which the conditions of a clause are looked at, and how.
//!
//! One condition is given: the atom that is new. Of the others the one with the fewest candidates comes next, going by
//! how many atoms its relation has and how much of its arguments is bound by then; what denies or compares comes as soon
//! as its variables are bound.

use super::{
    clause::{Clause, Goal, Pattern},
    facts::{AtomId, Facts, Way},
};
use crate::{
    bounds::{Exceeded, Spent},
    terms::{TermId, Terms},
};

/// What is done with a condition.
#[derive(Debug)]
pub(crate) enum Step {
    /// Finds atoms for the condition of this number; with `before`, only such as held before the new one.
    Find { condition: usize, way: Way, before: bool },
    /// Two terms must differ.
    Differ(usize),
    /// What is denied is known not to hold.
    Lack(usize),
}

/// How a clause is joined, once the given condition has its atom.
pub(crate) struct Plan {
    pub(crate) clause: usize,
    pub(crate) given: Option<usize>,
    pub(crate) steps: Vec<Step>,
}

/// How many atoms a relation is taken to have that is not known yet.
const UNKNOWN: f64 = 1000.0;

/// What a plan is made by.
pub(crate) struct Planner<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) facts: &'a mut Facts,
    /// Whether all atoms of a relation are known before anything is joined.
    pub(crate) known: &'a dyn Fn(&Goal) -> bool,
}

impl Planner<'_> {
    pub(crate) fn plan(&mut self, number: usize, clause: &Clause, given: Option<usize>) -> Plan {
        let mut bound = vec![false; clause.variables];
        let mut left: Vec<usize> = (0..clause.holds.len()).collect();
        if let Some(given) = given {
            left.retain(|one| *one != given);
            bind(&clause.holds[given], &mut bound);
        }
        let mut differ: Vec<usize> = (0..clause.distinct.len()).collect();
        let mut lack: Vec<usize> = (0..clause.not.len()).collect();
        lack.retain(|one| (self.known)(&clause.not[*one]));
        let mut steps = vec![];
        loop {
            differ.retain(|one| {
                let ready = clause.distinct[*one].iter().all(|pattern| is_bound(pattern, &bound));
                if ready {
                    steps.push(Step::Differ(*one));
                }
                !ready
            });
            lack.retain(|one| {
                let ready = clause.not[*one].patterns.iter().all(|one| is_bound(one, &bound));
                if ready {
                    steps.push(Step::Lack(*one));
                }
                !ready
            });
            let cost = |one: &usize| self.cost(&clause.holds[*one], &bound);
            let cheapest = (left.iter().copied()).min_by(|a, b| cost(a).total_cmp(&cost(b)));
            let Some(next) = cheapest else { break };
            left.retain(|one| *one != next);
            let goal = &clause.holds[next];
            let way = self.facts.way(self.terms, goal, &bound);
            let before = given.is_some_and(|given| next < given && !(self.known)(goal));
            steps.push(Step::Find { condition: next, way, before });
            bind(goal, &mut bound);
        }
        Plan { clause: number, given, steps }
    }

    /// About how many candidates a condition has.
    fn cost(&self, goal: &Goal, bound: &[bool]) -> f64 {
        let (mut all, mut free) = (0, 0);
        for pattern in &goal.patterns {
            count(pattern, bound, &mut all, &mut free);
        }
        let many = self.facts.holding(goal.relation).len() as f64;
        let many = if (self.known)(goal) { many } else { many.max(UNKNOWN) };
        many.powf(f64::from(free) / f64::from(all.max(1)))
    }
}

fn count(pattern: &Pattern, bound: &[bool], all: &mut u32, free: &mut u32) {
    match pattern {
        Pattern::Term(_) => *all += 1,
        Pattern::Variable(variable) => {
            *all += 1;
            *free += u32::from(!bound[*variable]);
        }
        Pattern::Function(_, patterns) => {
            *all += 1;
            patterns.iter().for_each(|pattern| count(pattern, bound, all, free));
        }
    }
}

fn bind(goal: &Goal, bound: &mut [bool]) {
    for pattern in &goal.patterns {
        pattern.variables(&mut |variable| bound[variable] = true);
    }
}

fn is_bound(pattern: &Pattern, bound: &[bool]) -> bool {
    let mut all = true;
    pattern.variables(&mut |variable| all &= bound[variable]);
    all
}

/// A way in which a body can hold: bindings, and an atom for each condition.
pub(crate) type Found = (Box<[TermId]>, Box<[AtomId]>);

/// What one clause is joined with.
pub(crate) struct Join<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) facts: &'a Facts,
    pub(crate) spent: &'a mut Spent,
    pub(crate) clause: &'a Clause,
    pub(crate) plan: &'a Plan,
    /// The new atom.
    pub(crate) new: Option<AtomId>,
    pub(crate) bindings: Vec<Option<TermId>>,
    /// The atoms of the conditions so far.
    pub(crate) chosen: Vec<AtomId>,
    /// Every way in which the body can hold.
    pub(crate) found: Vec<Found>,
}

impl Join<'_> {
    pub(crate) fn run(&mut self) -> Result<(), Exceeded> {
        self.bindings.clear();
        self.bindings.resize(self.clause.variables, None);
        self.chosen.clear();
        self.chosen.resize(self.clause.holds.len(), AtomId::MAX);
        if let Some((given, new)) = self.plan.given.zip(self.new) {
            let mut trail = vec![];
            if !self.unify(given, new, &mut trail) {
                return Ok(());
            }
            self.chosen[given] = new;
        }
        self.step(0)
    }

    fn step(&mut self, nth: usize) -> Result<(), Exceeded> {
        self.spent.step(1)?;
        let plan = self.plan;
        match plan.steps.get(nth) {
            None => {
                // What one rule finds at once counts before it is put anywhere.
                self.spent.hold(128 * self.found.len() as u64)?;
                let bindings = self.bindings.iter().map(|term| term.unwrap_or(TermId::MAX));
                self.found.push((bindings.collect(), self.chosen[..].into()));
                Ok(())
            }
            Some(Step::Differ(which)) => {
                let [one, other] = &self.clause.distinct[*which];
                let [one, other] = [one, other].map(|one| put(one, &self.bindings, self.terms));
                if one == other { Ok(()) } else { self.step(nth + 1) }
            }
            Some(Step::Lack(which)) => {
                let goal = &self.clause.not[*which];
                let terms = put_all(goal, &self.bindings, self.terms);
                let atom = self.facts.find(goal.relation, &terms);
                let holds = atom.is_some_and(|atom| self.facts.holds(atom));
                if holds { Ok(()) } else { self.step(nth + 1) }
            }
            Some(&Step::Find { condition, way, before }) => {
                let facts = self.facts;
                let goal = &self.clause.holds[condition];
                let mut trail = vec![];
                let candidates = facts.candidates(goal, way, &self.bindings);
                self.spent.step(candidates.len() as u64)?;
                for &atom in candidates {
                    if before && Some(atom) == self.new {
                        continue;
                    }
                    if self.unify(condition, atom, &mut trail) {
                        self.chosen[condition] = atom;
                        self.step(nth + 1)?;
                    }
                    for variable in trail.drain(..) {
                        self.bindings[variable] = None;
                    }
                }
                Ok(())
            }
        }
    }

    /// Binds what makes a condition this atom; the variables that were bound go on the trail, even on failure.
    fn unify(&mut self, condition: usize, atom: AtomId, trail: &mut Vec<usize>) -> bool {
        let (goal, facts) = (&self.clause.holds[condition], self.facts);
        let terms = facts.arguments(atom);
        facts.relation(atom) == goal.relation
            && goal.patterns.len() == terms.len()
            && (goal.patterns.iter().zip(terms))
                .all(|(one, term)| fits(one, *term, self.terms, &mut self.bindings, trail))
    }
}

fn fits(
    pattern: &Pattern,
    term: TermId,
    terms: &Terms,
    bindings: &mut [Option<TermId>],
    trail: &mut Vec<usize>,
) -> bool {
    match pattern {
        Pattern::Term(wanted) => *wanted == term,
        Pattern::Variable(variable) => match bindings[*variable] {
            Some(bound) => bound == term,
            None => {
                bindings[*variable] = Some(term);
                trail.push(*variable);
                true
            }
        },
        Pattern::Function(symbol, patterns) => {
            let arguments = terms.arguments(term);
            *symbol == terms.head(term)
                && patterns.len() == arguments.len()
                && (patterns.iter().zip(arguments))
                    .all(|(one, term)| fits(one, *term, terms, bindings, trail))
        }
    }
}

/// A pattern with its variables put in.
pub(crate) fn put(pattern: &Pattern, bindings: &[Option<TermId>], terms: &mut Terms) -> TermId {
    match pattern {
        Pattern::Term(term) => *term,
        Pattern::Variable(variable) => bindings[*variable].unwrap_or(TermId::MAX),
        Pattern::Function(symbol, patterns) => {
            let all: Vec<TermId> =
                patterns.iter().map(|pattern| put(pattern, bindings, terms)).collect();
            terms.term(*symbol, &all)
        }
    }
}

/// The arguments of a goal with its variables put in.
pub(crate) fn put_all(goal: &Goal, bindings: &[Option<TermId>], terms: &mut Terms) -> Vec<TermId> {
    goal.patterns.iter().map(|pattern| put(pattern, bindings, terms)).collect()
}
