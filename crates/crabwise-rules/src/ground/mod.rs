//! Rules without variables.
//!
//! What depends neither on the state nor on moves is worked out first, stratum by stratum. Of the rest everything is
//! found that may ever hold, denials left out of account: `true` holds of what `init` or `next` does, `does` of what
//! `legal` does. Every way in which a rule concludes something becomes a rule without variables. Each atom is looked at
//! once when it is new (semi-naive): rules are joined with it and with what came before it.

mod clause;
mod facts;
mod join;

use std::collections::HashMap;

pub(crate) use self::facts::AtomId;
use self::{
    clause::{Clause, Goal, Pattern, clauses},
    facts::Facts,
    join::{Join, Plan, Planner, put_all},
};
use crate::{
    bounds::{Exceeded, Spent},
    report::Mistake,
    stratify::{Goals, Relations},
    syntax::{Program, Span},
    terms::{Symbol, TermId, Terms},
};

/// Terms that are deeper than this grow without end.
const DEEPEST: u32 = 60;

/// A condition of a ground rule: twice the number of an atom, and one more if it is denied.
pub(crate) type Condition = u32;

/// A program without variables, and without what never changes.
pub(crate) struct Ground {
    pub(crate) terms: Terms,
    facts: Facts,
    /// The players, and `random`, in the order of the text.
    pub(crate) roles: Vec<TermId>,
    /// For each atom that rules conclude, their bodies; sorted by head.
    pub(crate) rules: Vec<(AtomId, Box<[Condition]>, Span)>,
    /// What holds at the start.
    pub(crate) init: Vec<TermId>,
    names: Keywords,
}

#[derive(Clone, Copy)]
struct Keywords {
    truth: Symbol,
    init: Symbol,
    next: Symbol,
    legal: Symbol,
    does: Symbol,
    terminal: Symbol,
    goal: Symbol,
    sees: Symbol,
    role: Symbol,
}

/// What an atom of a ground program is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    True(TermId),
    Next(TermId),
    Legal(TermId, TermId),
    Does(TermId, TermId),
    Goal(TermId, TermId),
    Sees(TermId, TermId),
    Terminal,
    Derived,
}

/// A ground program of rules that were [checked](crate::check::check).
pub(crate) fn ground(program: &Program, spent: &mut Spent) -> Result<Ground, Mistake> {
    let mut grounder = Grounder::new(program, spent)?;
    grounder.work_out_what_never_changes()?;
    grounder.work_out_what_may_hold()?;
    Ok(grounder.finish(program))
}

struct Grounder<'a> {
    terms: Terms,
    facts: Facts,
    spent: &'a mut Spent,
    names: Keywords,
    clauses: Vec<Clause>,
    /// The stratum of each clause, or `None` if it depends on the state.
    strata: Vec<Option<usize>>,
    /// Whether a relation depends on the state or on moves.
    changing: HashMap<Symbol, bool>,
    rules: Vec<(AtomId, Box<[Condition]>, Span)>,
    rule_bytes: u64,
}

impl<'a> Grounder<'a> {
    fn new(program: &Program, spent: &'a mut Spent) -> Result<Grounder<'a>, Mistake> {
        let (relations, goals) = (Relations::of(program), Goals::of(program));
        let needed = needed(&relations);
        let changing =
            relations.dependent_on(&["true", "does", "next", "legal", "terminal", "sees"]);
        let mut terms = Terms::default();
        let mut symbol = |name: &str| terms.symbol(&name.into());
        let names = Keywords {
            truth: symbol("true"),
            init: symbol("init"),
            next: symbol("next"),
            legal: symbol("legal"),
            does: symbol("does"),
            terminal: symbol("terminal"),
            goal: symbol("goal"),
            sees: symbol("sees"),
            role: symbol("role"),
        };
        let (mut all, mut strata, mut changes) = (vec![], vec![], HashMap::new());
        for one in [names.truth, names.next, names.legal, names.does, names.terminal] {
            changes.insert(one, true);
        }
        changes.extend([(names.goal, true), (names.sees, true)]);
        let of_goals = relations.dependent_on(
            &relations
                .names()
                .iter()
                .map(|name| &**name)
                .filter(|name| name.starts_with("goal"))
                .collect::<Vec<_>>(),
        );
        for rule in &program.rules {
            let Some(head) = relations.number(&goals.relation(&rule.head)) else { continue };
            if !needed[head] {
                continue;
            }
            let is_changing = changing[head] || of_goals[head];
            changes.insert(terms.symbol(&rule.head.relation), is_changing);
            for clause in clauses(rule, &mut terms, spent)? {
                all.push(clause);
                strata.push((!is_changing).then(|| relations.component(head)));
            }
        }
        Ok(Grounder {
            terms,
            facts: Facts::default(),
            spent,
            names,
            clauses: all,
            strata,
            changing: changes,
            rules: vec![],
            rule_bytes: 0,
        })
    }

    fn work_out_what_never_changes(&mut self) -> Result<(), Mistake> {
        let mut strata: Vec<usize> = self.strata.iter().flatten().copied().collect();
        strata.sort_unstable();
        strata.dedup();
        for stratum in strata {
            let clauses: Vec<usize> =
                (0..self.clauses.len()).filter(|one| self.strata[*one] == Some(stratum)).collect();
            let heads: Vec<Symbol> =
                clauses.iter().map(|one| self.clauses[*one].head.relation).collect();
            self.close(&clauses, &|goal| !heads.contains(&goal.relation), false)?;
        }
        Ok(())
    }

    fn work_out_what_may_hold(&mut self) -> Result<(), Mistake> {
        let inits: Vec<TermId> = self
            .facts
            .holding(self.names.init)
            .iter()
            .map(|one| self.facts.arguments(*one)[0])
            .collect();
        let truths: Vec<AtomId> =
            inits.into_iter().map(|fact| self.facts.atom(self.names.truth, &[fact])).collect();
        let clauses: Vec<usize> =
            (0..self.clauses.len()).filter(|one| self.strata[*one].is_none()).collect();
        let changing = self.changing.clone();
        let known = |goal: &Goal| !changing.get(&goal.relation).copied().unwrap_or(false);
        self.close_from(&clauses, &known, true, truths)
    }

    fn close(
        &mut self,
        clauses: &[usize],
        known: &dyn Fn(&Goal) -> bool,
        keep: bool,
    ) -> Result<(), Mistake> {
        self.close_from(clauses, known, keep, vec![])
    }

    /// Applies some clauses until nothing new follows; `known` are relations of which everything is known. Rules
    /// without variables are kept if wanted.
    fn close_from(
        &mut self,
        clauses: &[usize],
        known: &dyn Fn(&Goal) -> bool,
        keep: bool,
        begin: Vec<AtomId>,
    ) -> Result<(), Mistake> {
        let mut planner = Planner { terms: &self.terms, facts: &mut self.facts, known };
        let (mut first, mut by_relation): (Vec<Plan>, HashMap<Symbol, Vec<Plan>>) =
            Default::default();
        for &number in clauses {
            let clause = &self.clauses[number];
            let mut triggers = 0;
            for (given, goal) in clause.holds.iter().enumerate() {
                if !known(goal) {
                    triggers += 1;
                    let plan = planner.plan(number, clause, Some(given));
                    by_relation.entry(goal.relation).or_default().push(plan);
                }
            }
            if triggers == 0 {
                first.push(planner.plan(number, clause, None));
            }
        }
        let mut queue = begin;
        let mut queued: Vec<bool> = vec![false; self.facts.len()];
        queue.iter().for_each(|atom| queued[*atom as usize] = true);
        for plan in &first {
            self.apply(plan, None, known, keep, &mut queue, &mut queued)?;
        }
        let mut at = 0;
        while at < queue.len() {
            let atom = queue[at];
            at += 1;
            self.facts.put(&self.terms, atom);
            let relation = self.facts.relation(atom);
            // What is legal may be done, and what comes next may hold.
            let follows = match relation {
                _ if !keep => None,
                one if one == self.names.legal => Some(self.names.does),
                one if one == self.names.next => Some(self.names.truth),
                _ => None,
            };
            if let Some(follows) = follows {
                let arguments = self.facts.arguments(atom).to_vec();
                let more = self.facts.atom(follows, &arguments);
                enqueue(more, &mut queue, &mut queued);
            }
            for plan in by_relation.get(&relation).into_iter().flatten() {
                self.apply(plan, Some(atom), known, keep, &mut queue, &mut queued)?;
            }
        }
        Ok(())
    }

    /// Joins a clause with a new atom, and takes note of what follows.
    fn apply(
        &mut self,
        plan: &Plan,
        new: Option<AtomId>,
        known: &dyn Fn(&Goal) -> bool,
        keep: bool,
        queue: &mut Vec<AtomId>,
        queued: &mut Vec<bool>,
    ) -> Result<(), Mistake> {
        let clause = &self.clauses[plan.clause];
        let doing =
            |exceeded: Exceeded| exceeded.at(clause.span, "to put in what variables can be");
        let mut join = Join {
            terms: &mut self.terms,
            facts: &self.facts,
            spent: self.spent,
            clause,
            plan,
            new,
            bindings: vec![],
            chosen: vec![],
            found: vec![],
        };
        join.run().map_err(doing)?;
        let found = join.found;
        // To keep what was found takes longer than to find it.
        self.spent.step(32 * found.len() as u64).map_err(doing)?;
        for (bindings, chosen) in found {
            let bindings: Vec<Option<TermId>> = bindings.iter().map(|term| Some(*term)).collect();
            let terms = put_all(&clause.head, &bindings, &mut self.terms);
            if terms.iter().any(|term| self.terms.depth(*term) > DEEPEST) {
                let what = "what this rule concludes grows without end";
                let remedy =
                    "bound it by a condition that does not grow, such as a list of numbers";
                return Err(Mistake::new(clause.span, what, remedy));
            }
            let head = self.facts.atom(clause.head.relation, &terms);
            if keep {
                let mut body: Vec<Condition> = vec![];
                for (goal, atom) in clause.holds.iter().zip(&chosen) {
                    if !known(goal) {
                        body.push(2 * atom);
                    }
                }
                for goal in clause.not.iter().filter(|goal| !known(goal)) {
                    let terms = put_all(goal, &bindings, &mut self.terms);
                    body.push(2 * self.facts.atom(goal.relation, &terms) + 1);
                }
                body.sort_unstable();
                body.dedup();
                self.rule_bytes += 40 + 4 * body.len() as u64;
                self.rules.push((head, body.into(), clause.span));
            }
            enqueue(head, queue, queued);
        }
        let bytes = self.rule_bytes + self.terms.bytes() + self.facts.bytes();
        self.spent.hold(bytes).map_err(doing)
    }

    fn finish(mut self, program: &Program) -> Ground {
        let mut roles = vec![];
        let written = program.rules.iter().filter(|rule| &*rule.head.relation == "role");
        for rule in written {
            if let Ok(clauses) = clauses(rule, &mut self.terms, self.spent) {
                for clause in clauses {
                    match clause.head.patterns.first() {
                        Some(Pattern::Term(role)) => roles.push(*role),
                        _ => roles.extend(
                            self.facts
                                .holding(self.names.role)
                                .iter()
                                .map(|one| self.facts.arguments(*one)[0]),
                        ),
                    }
                }
            }
        }
        let mut seen = vec![];
        roles.retain(|role| {
            let new = !seen.contains(role);
            seen.push(*role);
            new
        });
        let init = self.facts.holding(self.names.init).iter();
        let init = init.map(|one| self.facts.arguments(*one)[0]).collect();
        // A denial of what never holds is no condition.
        for (_, body, _) in &mut self.rules {
            let facts = &self.facts;
            let idle = |one: &Condition| one & 1 == 1 && !facts.holds(one >> 1);
            if body.iter().any(idle) {
                *body = body.iter().copied().filter(|one| !idle(one)).collect();
            }
        }
        self.rules.sort_by_key(|(head, _, _)| *head);
        Ground {
            terms: self.terms,
            facts: self.facts,
            roles,
            rules: self.rules,
            init,
            names: self.names,
        }
    }
}

fn enqueue(atom: AtomId, queue: &mut Vec<AtomId>, queued: &mut Vec<bool>) {
    if queued.len() <= atom as usize {
        queued.resize(atom as usize + 1, false);
    }
    if !queued[atom as usize] {
        queued[atom as usize] = true;
        queue.push(atom);
    }
}

/// The relations that a game needs: what it is asked for, and what that depends on.
fn needed(relations: &Relations) -> Vec<bool> {
    let mut needed = vec![false; relations.len()];
    let asked = ["role", "init", "legal", "next", "terminal", "goal", "sees"];
    let mut queue: Vec<usize> = (0..relations.len())
        .filter(|one| {
            let name = &**relations.name(*one);
            asked.contains(&name.split(' ').next().unwrap_or(name))
        })
        .collect();
    while let Some(one) = queue.pop() {
        if !needed[one] {
            needed[one] = true;
            queue.extend(relations.uses(one).iter().map(|used| used.relation));
        }
    }
    needed
}

impl Ground {
    /// What an atom is about.
    pub(crate) fn meaning(&self, atom: AtomId) -> Meaning {
        let (names, arguments) = (&self.names, self.facts.arguments(atom));
        match (self.facts.relation(atom), arguments) {
            (one, [fact]) if one == names.truth => Meaning::True(*fact),
            (one, [fact]) if one == names.next => Meaning::Next(*fact),
            (one, [role, mv]) if one == names.legal => Meaning::Legal(*role, *mv),
            (one, [role, mv]) if one == names.does => Meaning::Does(*role, *mv),
            (one, [role, value]) if one == names.goal => Meaning::Goal(*role, *value),
            (one, [role, what]) if one == names.sees => Meaning::Sees(*role, *what),
            (one, []) if one == names.terminal => Meaning::Terminal,
            _ => Meaning::Derived,
        }
    }

    /// The atom that says that a role makes a move.
    pub(crate) fn does(&self, role: TermId, mv: TermId) -> Option<AtomId> {
        self.facts.find(self.names.does, &[role, mv])
    }

    /// How many atoms there are.
    pub(crate) fn atoms(&self) -> usize {
        self.facts.len()
    }

    /// Whether an atom may ever hold.
    pub(crate) fn may_hold(&self, atom: AtomId) -> bool {
        self.facts.holds(atom)
    }

    /// An atom as KIF.
    pub(crate) fn kif(&self, atom: AtomId) -> String {
        let name = self.terms.name(self.facts.relation(atom));
        match self.facts.arguments(atom) {
            [] => name.to_string(),
            arguments => {
                let arguments: Vec<String> =
                    arguments.iter().map(|term| self.terms.kif(*term)).collect();
                format!("({name} {})", arguments.join(" "))
            }
        }
    }
}
