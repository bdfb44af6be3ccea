//! Counters of rounds, and rules without one.
//!
//! A counter is a function of one argument that says how many rounds have passed: it holds once at the start, what it is
//! next follows from what it is now and from nothing else that changes, and apart from that it is asked for by what ends
//! the game or says how it ended alone. So without it only such ends are missing; play that they cut short may be
//! endless then, which is a draw.

use std::collections::HashSet;

use crate::{
    report::Mistake,
    stratify::{Relations, each_atom},
    syntax::{Atom, Literal, Name, Program, Rule, Span, Term},
};

/// The counters of a program, in the order of the text.
pub fn counters(program: &Program) -> Vec<Name> {
    let mut names: Vec<Name> = vec![];
    for rule in &program.rules {
        if let ("init", Some((name, 1))) = (&*rule.head.relation, function(&rule.head))
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    names.retain(|name| why_not(program, name).is_none());
    names
}

/// The program without a counter; or why it cannot be left out.
pub fn without(program: &Program, counter: &str) -> Result<Program, Mistake> {
    let known = counters(program);
    let name: Name = counter.to_lowercase().into();
    if !known.contains(&name) {
        let place = program.rules.iter().find(|rule| {
            &*rule.head.relation == "init"
                && function(&rule.head).is_some_and(|(it, _)| *it == name)
        });
        let (span, what) = match place {
            None => (
                Span::default(),
                format!("no counter '{counter}': nothing of that name holds at the start"),
            ),
            Some(rule) => {
                let why = why_not(program, &name).unwrap_or("it is none");
                (rule.span, format!("'{counter}' does not only count rounds: {why}"))
            }
        };
        let remedy = match &known[..] {
            [] => "there is no counter; leave 'without' away".to_string(),
            names => format!("counters are {}", names.join(", ")),
        };
        return Err(Mistake::new(span, what, remedy));
    }
    let mut rules = vec![];
    for rule in &program.rules {
        if !is_about(&rule.head, &name)
            && let Some(body) = freed(&rule.body, &name)
        {
            rules.push(Rule { body, ..rule.clone() });
        }
    }
    Ok(Program { rules, ..program.clone() })
}

/// Why a function is no counter; `None` if it is one.
fn why_not(program: &Program, name: &Name) -> Option<&'static str> {
    let relations = Relations::of(program);
    let changing = relations.dependent_on(&["true", "does"]);
    let changes = |atom: &Atom| relations.number(&atom.relation).is_some_and(|one| changing[one]);
    let (mut first, mut later) = (0, 0);
    // Relations that a counter may feed, because they feed nothing but ends.
    let asked = relations.dependent_on(&["true"]);
    let mut by_counter: HashSet<&str> = HashSet::new();
    for rule in &program.rules {
        let (mut about, mut other, mut denied) = (0, 0, false);
        each_atom(&rule.body, &mut |atom, not| {
            if is_about(atom, name) {
                about += 1;
                // What stays as it is counts nothing.
                denied |= not || atom.terms == rule.head.terms;
            } else if changes(atom) {
                other += 1;
            }
        });
        match (&*rule.head.relation, is_about(&rule.head, name)) {
            ("init", true) => first += 1,
            (_, true) if about != 1 || other > 0 || denied => {
                return Some("what it is next depends on more than what it is");
            }
            (_, true) => later += 1,
            (_, false) if about > 0 => {
                by_counter.insert(&rule.head.relation);
            }
            _ => {}
        }
    }
    if first != 1 {
        return Some("at the start it must hold once");
    }
    if later == 0 {
        return Some("nothing says what it is next");
    }
    // Whatever depends on the counter must be an end, or lead to ends alone.
    let names: Vec<&str> = by_counter.into_iter().collect();
    let reached = relations.dependent_on(&names);
    let is_end = |name: &str| name == "terminal" || name.starts_with("goal");
    let bad = (0..relations.len()).any(|one| {
        let name = &**relations.name(one);
        reached[one] && asked[one] && !is_end(name) && feeds_play(&relations, one)
    });
    bad.then_some("moves or other facts depend on it")
}

/// Whether what may be done, or what comes next, depends on a relation.
fn feeds_play(relations: &Relations, relation: usize) -> bool {
    let dependent = relations.dependent_on(&[relations.name(relation)]);
    ["legal", "next", "sees"]
        .iter()
        .any(|name| relations.number(name).is_some_and(|number| dependent[number]))
}

/// The function of a fact, and how many arguments it has.
fn function(atom: &Atom) -> Option<(&Name, usize)> {
    match &atom.terms[..] {
        [Term::Function(name, terms, _)] => Some((name, terms.len())),
        _ => None,
    }
}

fn is_about(atom: &Atom, counter: &Name) -> bool {
    matches!(&*atom.relation, "true" | "next" | "init" | "base")
        && function(atom).is_some_and(|(name, _)| name == counter)
}

/// A body in which the counter never stands anywhere; `None` if then it cannot hold.
fn freed(body: &[Literal], counter: &Name) -> Option<Vec<Literal>> {
    let mut freed_body = vec![];
    for literal in body {
        match literal {
            Literal::Holds(atom) if is_about(atom, counter) => return None,
            Literal::Not(atom) if is_about(atom, counter) => {}
            Literal::Or(alternatives, span) => {
                let left: Vec<Vec<Literal>> =
                    alternatives.iter().filter_map(|one| freed(one, counter)).collect();
                match left.is_empty() {
                    true => return None,
                    false => freed_body.push(Literal::Or(left, *span)),
                }
            }
            _ => freed_body.push(literal.clone()),
        }
    }
    Some(freed_body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check::check, kif};

    const GAME: &str = "(role a) (role b) (init (step 1)) (init (at 1)) (after 1 2) (after 2 3)
        (<= (legal ?r go) (role ?r))
        (<= (next (at ?x)) (true (at ?x)))
        (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
        (<= late (true (step 3)))
        (<= terminal late) (<= terminal (true (at 2)) (not (true (step 1))))
        (<= (goal ?r 50) (role ?r))";

    #[test]
    fn a_counter_is_known_and_left_out() {
        let program = kif::read(GAME).unwrap();
        assert_eq!(counters(&program), ["step".into()]);
        let rest = without(&program, "step").unwrap();
        assert!(!rest.to_string().contains("step"), "{rest}");
        assert!(rest.to_string().contains("(<= terminal (true (at 2)))"));
        assert_eq!(check(&program), []);
    }

    #[test]
    fn what_matters_otherwise_is_no_counter() {
        for more in [
            "(<= (legal a stop) (true (step 2)))",
            "(<= (next (at 2)) late)",
            "(<= (next (step 1)) (does a go))",
            "(init (step 2))",
        ] {
            let program = kif::read(&format!("{GAME}{more}")).unwrap();
            assert_eq!(counters(&program), [] as [Name; 0], "{more}");
            assert!(without(&program, "step").unwrap_err().what.contains("step"));
        }
    }
}
