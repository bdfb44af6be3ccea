//! What rules mean, straight from the definition of the language: strata of a program, each worked out by applying
//! its rules until nothing new follows.
//!
//! The twin of everything fast. Terms are trees, facts are sets, and nothing is remembered from one question to the
//! next. Never to be optimised.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{
    stratify::{Goals, Relations},
    syntax::{Atom, Literal, Name, Program, Rule, Term},
};

/// A program as its definition has it.
pub struct Reference<'p> {
    /// The rules by stratum.
    strata: Vec<Vec<&'p Rule>>,
}

/// What holds in a position, as KIF, in the order of the letters.
pub type State = BTreeSet<String>;
/// Everything that holds: the arguments, by relation.
type Facts = HashMap<Name, HashSet<Vec<Term>>>;
/// What variables stand for.
type Bindings = HashMap<Name, Term>;

impl<'p> Reference<'p> {
    /// The rules must be [checked](crate::check::check).
    pub fn new(program: &'p Program) -> Reference<'p> {
        let (relations, goals) = (Relations::of(program), Goals::of(program));
        let mut strata: BTreeMap<usize, Vec<&Rule>> = BTreeMap::new();
        for rule in &program.rules {
            let head = relations.number(&goals.relation(&rule.head)).expect("heads are numbered");
            strata.entry(relations.component(head)).or_default().push(rule);
        }
        Reference { strata: strata.into_values().collect() }
    }

    /// The roles, in the order of the text.
    pub fn roles(&self) -> Vec<String> {
        let facts = self.follow(&[], &[]);
        let rules = self.strata.iter().flatten().filter(|rule| &*rule.head.relation == "role");
        let mut roles: Vec<(u32, String)> = vec![];
        for rule in rules {
            for terms in facts.get("role").into_iter().flatten() {
                if matches(&rule.head.terms, terms, &Bindings::new()).is_some() {
                    roles.push((rule.span.start, terms[0].to_string()));
                }
            }
        }
        roles.sort();
        let mut seen = HashSet::new();
        roles.retain(|(_, role)| seen.insert(role.clone()));
        roles.into_iter().map(|(_, role)| role).collect()
    }

    /// Where play begins.
    pub fn start(&self) -> State {
        one(&self.follow(&[], &[]), "init")
    }

    /// The legal moves, by role.
    pub fn legal(&self, at: &State) -> BTreeSet<(String, String)> {
        two(&self.follow(&terms(at), &[]), "legal")
    }

    /// Whether the game is over.
    pub fn terminal(&self, at: &State) -> bool {
        self.follow(&terms(at), &[]).get("terminal").is_some_and(|all| !all.is_empty())
    }

    /// The goals, by role.
    pub fn goals(&self, at: &State) -> BTreeSet<(String, String)> {
        two(&self.follow(&terms(at), &[]), "goal")
    }

    /// The position after a move of each role.
    pub fn next(&self, at: &State, moves: &[(String, String)]) -> State {
        one(&self.follow(&terms(at), &pairs(moves)), "next")
    }

    /// What the roles see when these moves are made.
    pub fn sees(&self, at: &State, moves: &[(String, String)]) -> BTreeSet<(String, String)> {
        two(&self.follow(&terms(at), &pairs(moves)), "sees")
    }

    /// All that follows from what holds and what is done.
    fn follow(&self, holds: &[Term], done: &[(Term, Term)]) -> Facts {
        let mut facts = Facts::new();
        facts.insert("true".into(), holds.iter().map(|fact| vec![fact.clone()]).collect());
        let does = done.iter().map(|(role, mv)| vec![role.clone(), mv.clone()]);
        facts.insert("does".into(), does.collect());
        for stratum in &self.strata {
            loop {
                let mut new = vec![];
                for rule in stratum {
                    let body: Vec<&Literal> = rule.body.iter().collect();
                    satisfy(&facts, &body, Bindings::new(), &mut |bindings| {
                        let terms = rule.head.terms.iter();
                        let terms: Vec<Term> = terms.map(|term| put(term, bindings)).collect();
                        new.push((rule.head.relation.clone(), terms));
                    });
                }
                let before: usize = facts.values().map(HashSet::len).sum();
                for (relation, terms) in new {
                    facts.entry(relation).or_default().insert(terms);
                }
                if facts.values().map(HashSet::len).sum::<usize>() == before {
                    break;
                }
            }
        }
        facts
    }
}

/// Tells all bindings under which a body holds.
fn satisfy(facts: &Facts, body: &[&Literal], bindings: Bindings, tell: &mut dyn FnMut(&Bindings)) {
    // What binds variables comes first.
    let binds = |literal: &&Literal| matches!(literal, Literal::Holds(_) | Literal::Or(..));
    let place = body.iter().position(binds).unwrap_or(0);
    let Some(first) = body.get(place) else { return tell(&bindings) };
    let rest: Vec<&Literal> = [&body[..place], &body[place + 1..]].concat();
    match first {
        Literal::Holds(atom) => {
            for terms in facts.get(&atom.relation).into_iter().flatten() {
                if let Some(bindings) = matches(&atom.terms, terms, &bindings) {
                    satisfy(facts, &rest, bindings, tell);
                }
            }
        }
        Literal::Or(alternatives, _) => {
            for alternative in alternatives {
                let body: Vec<&Literal> = alternative.iter().chain(rest.iter().copied()).collect();
                satisfy(facts, &body, bindings.clone(), tell);
            }
        }
        Literal::Not(Atom { relation, terms, .. }) => {
            let terms: Vec<Term> = terms.iter().map(|term| put(term, &bindings)).collect();
            if !facts.get(relation).is_some_and(|all| all.contains(&terms)) {
                satisfy(facts, &rest, bindings, tell);
            }
        }
        Literal::Distinct(one, other, _) => {
            if put(one, &bindings) != put(other, &bindings) {
                satisfy(facts, &rest, bindings, tell);
            }
        }
    }
}

/// The bindings under which patterns are these terms, if there are some.
fn matches(patterns: &[Term], terms: &[Term], bindings: &Bindings) -> Option<Bindings> {
    let mut bindings = bindings.clone();
    let all = patterns.len() == terms.len();
    let each = patterns.iter().zip(terms).all(|(pattern, term)| fits(pattern, term, &mut bindings));
    (all && each).then_some(bindings)
}

fn fits(pattern: &Term, term: &Term, bindings: &mut Bindings) -> bool {
    match (pattern, term) {
        (Term::Variable(name, _), _) => match bindings.get(name) {
            Some(bound) => bound == term,
            None => {
                bindings.insert(name.clone(), term.clone());
                true
            }
        },
        (Term::Function(name, patterns, _), Term::Function(other, terms, _)) => {
            name == other
                && patterns.len() == terms.len()
                && patterns.iter().zip(terms).all(|(pattern, term)| fits(pattern, term, bindings))
        }
        (Term::Function(..), Term::Variable(..)) => false,
    }
}

/// A term with its variables put in.
fn put(term: &Term, bindings: &Bindings) -> Term {
    match term {
        Term::Variable(name, _) => bindings.get(name).unwrap_or(term).clone(),
        Term::Function(name, terms, span) => {
            let terms = terms.iter().map(|term| put(term, bindings)).collect();
            Term::Function(name.clone(), terms, *span)
        }
    }
}

fn one(facts: &Facts, relation: &str) -> State {
    facts.get(relation).into_iter().flatten().map(|terms| terms[0].to_string()).collect()
}

fn two(facts: &Facts, relation: &str) -> BTreeSet<(String, String)> {
    let all = facts.get(relation).into_iter().flatten();
    all.map(|terms| (terms[0].to_string(), terms[1].to_string())).collect()
}

fn term(text: &str) -> Term {
    let program = crate::kif::read(&format!("(true {text})")).expect("written by a term");
    program.rules[0].head.terms[0].clone()
}

fn terms(state: &State) -> Vec<Term> {
    state.iter().map(|text| term(text)).collect()
}

fn pairs(moves: &[(String, String)]) -> Vec<(Term, Term)> {
    moves.iter().map(|(role, mv)| (term(role), term(mv))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_to_three_is_played() {
        let program = crate::kif::read(
            "(role a) (role b) (init (at 0)) (init (turn a)) (succ 0 1) (succ 1 2) (succ 2 3)
             (<= (sum ?x 1 ?y) (succ ?x ?y)) (<= (sum ?x 2 ?z) (succ ?x ?y) (succ ?y ?z))
             (<= (legal ?r (add ?n)) (true (turn ?r)) (true (at ?x)) (sum ?x ?n ?y))
             (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
             (<= (next (at ?y)) (does ?r (add ?n)) (true (at ?x)) (sum ?x ?n ?y))
             (<= (next (turn ?s)) (role ?s) (not (true (turn ?s))))
             (<= terminal (true (at 3)))
             (<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (goal ?r 0)))",
        );
        let program = program.unwrap();
        assert_eq!(crate::check::check(&program), []);
        let game = Reference::new(&program);
        assert_eq!(game.roles(), ["a", "b"]);
        let start = game.start();
        let own = |set: &[&str]| set.iter().map(|word| word.to_string()).collect::<State>();
        assert_eq!(start, own(&["(at 0)", "(turn a)"]));
        let legal: Vec<String> =
            game.legal(&start).iter().map(|(role, mv)| format!("{role} {mv}")).collect();
        assert_eq!(legal, ["a (add 1)", "a (add 2)", "b noop"]);
        let moves = |role: &str, mv: &str, other: &str| {
            vec![(role.to_string(), mv.to_string()), (other.to_string(), "noop".to_string())]
        };
        let at = game.next(&start, &moves("a", "(add 2)", "b"));
        assert_eq!((game.terminal(&at), &at), (false, &own(&["(at 2)", "(turn b)"])));
        let at = game.next(&at, &moves("b", "(add 1)", "a"));
        assert!(game.terminal(&at));
        let goals: Vec<String> =
            game.goals(&at).iter().map(|(role, v)| format!("{role} {v}")).collect();
        assert_eq!(goals, ["a 0", "b 100"]);
    }
}
