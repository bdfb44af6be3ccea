//! What a text must be before anything is worked out from it: relations with one number of arguments each, safe rules,
//! no cycle through a negation, and the relations of a game, each in its place.

use std::collections::HashMap;

use crate::{
    report::Mistake,
    stratify::{Relations, each_atom},
    syntax::{Atom, Literal, Name, Program, Rule, Span, Term},
};

/// The relations of the language with their numbers of arguments.
pub(crate) const KEYWORDS: [(&str, usize); 11] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
    ("sees", 2),
    ("base", 1),
    ("input", 2),
];

/// What every game must say, and how.
const NEEDED: [(&str, &str); 6] = [
    ("role", "(role white) (role black)"),
    ("init", "(init (control white))"),
    ("legal", "(<= (legal white (mark ?x)) …)"),
    ("next", "(<= (next (control black)) (true (control white)))"),
    ("terminal", "(<= terminal …)"),
    ("goal", "(<= (goal white 100) …)"),
];

/// All that is wrong with a program, in the order of the text; nothing if it can be played.
pub fn check(program: &Program) -> Vec<Mistake> {
    let relations = Relations::of(program);
    let mut mistakes = vec![];
    arities(program, &mut mistakes);
    for rule in &program.rules {
        places(rule, &mut mistakes);
        safe(rule, &mut mistakes);
    }
    undefined(program, &relations, &mut mistakes);
    missing(program, &relations, &mut mistakes);
    cycles(program, &relations, &mut mistakes);
    moments(program, &relations, &mut mistakes);
    growing(program, &relations, &mut mistakes);
    mistakes.sort_by_key(|mistake| mistake.span.start);
    mistakes
}

/// Every relation has one number of arguments, and so has every function of a fact of the state.
fn arities(program: &Program, mistakes: &mut Vec<Mistake>) {
    let mut relations: HashMap<Name, (usize, Option<Span>)> =
        KEYWORDS.iter().map(|(name, many)| ((*name).into(), (*many, None))).collect();
    let mut facts: HashMap<Name, (usize, Option<Span>)> = HashMap::new();
    let mut meet = |atom: &Atom| {
        let mut met = |of: &mut HashMap<Name, (usize, Option<Span>)>, name: &Name, many, span| {
            let (first, place) = *of.entry(name.clone()).or_insert((many, Some(span)));
            if first == many {
                return;
            }
            let what = format!("{name} has {} here", arguments(many));
            let mistake = Mistake::new(span, what, format!("it takes {}", arguments(first)));
            mistakes.push(match place {
                Some(place) => mistake.beside(place, format!("here it has {}", arguments(first))),
                None => mistake,
            });
        };
        met(&mut relations, &atom.relation, atom.terms.len(), atom.span);
        if let ("true" | "next" | "init" | "base", [Term::Function(name, terms, span)]) =
            (&*atom.relation, &atom.terms[..])
        {
            met(&mut facts, name, terms.len(), *span);
        }
    };
    for rule in &program.rules {
        meet(&rule.head);
        each_atom(&rule.body, &mut |atom, _| meet(atom));
    }
}

fn arguments(many: usize) -> String {
    match many {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        _ => format!("{many} arguments"),
    }
}

/// Relations of the language stand where they mean something.
fn places(rule: &Rule, mistakes: &mut Vec<Mistake>) {
    let Rule { head, body, .. } = rule;
    let why = match &*head.relation {
        "true" => Some("what holds next is said by 'next', and what holds first by 'init'"),
        "does" => Some("what may be done is said by 'legal'"),
        "distinct" | "not" | "or" | "and" => Some("it belongs into the body of a rule"),
        _ => None,
    };
    if let Some(remedy) = why {
        let what = format!("'{}' cannot be concluded", head.relation);
        mistakes.push(Mistake::new(head.span, what, remedy));
    }
    each_atom(body, &mut |atom, _| {
        let why = match &*atom.relation {
            "init" => "what holds now is said by 'true'",
            "sees" => "percepts are for players, and no condition",
            _ => return,
        };
        let what = format!("'{}' cannot be a condition", atom.relation);
        mistakes.push(Mistake::new(atom.span, what, why));
    });
}

/// Each variable of a head, of what is denied or of 'distinct' must stand in a condition that holds.
fn safe(rule: &Rule, mistakes: &mut Vec<Mistake>) {
    let mut told: Vec<Name> = vec![];
    for body in alternatives(&rule.body) {
        let mut bound = vec![];
        for literal in &body {
            if let Literal::Holds(atom) = literal {
                atom.terms.iter().for_each(|term| variables(term, &mut bound));
            }
        }
        let mut needed: Vec<(Name, Span, &str)> = vec![];
        let mut need = |terms: &[Term], place| {
            let mut found = vec![];
            terms.iter().for_each(|term| variables(term, &mut found));
            needed.extend(found.into_iter().map(|(name, span)| (name, span, place)));
        };
        for literal in &body {
            match literal {
                Literal::Not(atom) => need(&atom.terms, "a negation"),
                Literal::Distinct(one, other, _) => {
                    need(&[(*one).clone(), (*other).clone()], "'distinct'");
                }
                Literal::Holds(_) | Literal::Or(..) => {}
            }
        }
        need(&rule.head.terms, "the head");
        for (name, span, place) in needed {
            if told.contains(&name) || bound.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let what = format!("?{name} stands in {place} and in no condition that holds");
            let remedy = format!("add a condition that says what ?{name} can be");
            mistakes.push(Mistake::new(span, what, remedy));
            told.push(name);
        }
    }
}

/// The bodies without 'or' that a body stands for, as far as there are not too many.
fn alternatives(body: &[Literal]) -> Vec<Vec<&Literal>> {
    const MOST: usize = 1 << 8;
    let mut all = vec![vec![]];
    for literal in body {
        match literal {
            Literal::Or(alternatives_of, _) => {
                let mut product = vec![];
                for alternative in alternatives_of {
                    for more in alternatives(alternative) {
                        for begun in &all {
                            if product.len() < MOST {
                                product.push([&begun[..], &more[..]].concat());
                            }
                        }
                    }
                }
                all = product;
            }
            _ => all.iter_mut().for_each(|body| body.push(literal)),
        }
    }
    all
}

/// Adds the variables of a term.
pub(crate) fn variables(term: &Term, found: &mut Vec<(Name, Span)>) {
    match term {
        Term::Variable(name, span) => found.push((name.clone(), *span)),
        Term::Function(_, terms, _) => terms.iter().for_each(|term| variables(term, found)),
    }
}

/// What stands in bodies is concluded somewhere, or is a word that somebody spelt wrong.
fn undefined(program: &Program, relations: &Relations, mistakes: &mut Vec<Mistake>) {
    let mut told = vec![false; relations.len()];
    for rule in &program.rules {
        each_atom(&rule.body, &mut |atom, _| {
            let Some(number) = relations.number(&atom.relation) else { return };
            let of_the_language = matches!(&*atom.relation, "true" | "does" | "distinct");
            if of_the_language || relations.is_defined(number) || told[number] {
                return;
            }
            told[number] = true;
            // What is missing altogether is told elsewhere.
            if NEEDED.iter().any(|(name, _)| *name == &*atom.relation) {
                return;
            }
            let what = format!("nothing says when '{}' holds", atom.relation);
            let known = relations.names().iter().filter(|name| {
                relations.number(name).is_some_and(|number| relations.is_defined(number))
            });
            let known = known.map(|name| &**name).chain(["true", "does", "distinct"]);
            let remedy = match nearest(&atom.relation, known) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "add a rule that concludes it, or remove it".into(),
            };
            mistakes.push(Mistake::new(atom.span, what, remedy));
        });
    }
}

/// The name that is spelt most like this one, if one is spelt much like it.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (name.chars().count() / 3).clamp(1, 3);
    let near = known.map(|other| (distance(name, other), other)).min_by_key(|(far, _)| *far);
    near.filter(|(far, _)| *far <= most).map(|(_, other)| other)
}

/// How many letters are to be changed, added or removed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &there) in other.iter().enumerate() {
            let same = corner + usize::from(letter != there);
            corner = row[j + 1];
            row[j + 1] = same.min(corner + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

fn missing(program: &Program, relations: &Relations, mistakes: &mut Vec<Mistake>) {
    let end = program.rules.last().map_or(Span::default(), |rule| rule.span);
    let heads = || program.rules.iter().map(|rule| &*rule.head.relation);
    let by_state = relations.dependent_on(&["true"]);
    for (name, example) in NEEDED {
        // Where nothing holds at the start, somebody may still have a move.
        let legal = relations.number("legal");
        let needed = name != "init" || legal.is_none_or(|legal| by_state[legal]);
        if needed && heads().all(|head| head != name) {
            let known = heads().filter(|head| KEYWORDS.iter().all(|(name, _)| name != head));
            let what = format!("no rule says '{name}'");
            let remedy = match nearest(name, known) {
                Some(near) => format!("did you mean it where you wrote '{near}'?"),
                None => format!("for example {example}"),
            };
            mistakes.push(Mistake::new(end, what, remedy));
        }
    }
}

/// No relation depends on its own opposite.
fn cycles(program: &Program, relations: &Relations, mistakes: &mut Vec<Mistake>) {
    let mut told = vec![];
    for (one, used) in relations.negative_cycles() {
        let component = relations.component(one);
        if told.contains(&component) {
            continue;
        }
        told.push(component);
        let name = relations.name(one);
        let mut way = vec![name.to_string(), format!("not {}", relations.name(used.relation))];
        if used.relation != one {
            let back = relations.way(used.relation, one);
            way.extend(back.iter().skip(1).map(|one| relations.name(*one).to_string()));
        }
        let what = format!("'{name}' depends on its own opposite: {}", way.join(" ← "));
        let remedy = "break the circle: what is denied must be known before";
        let rule = program.rules.iter().find(|rule| {
            let span = rule.span;
            &rule.head.relation == name
                && (span.start..span.end).contains(&used.span.start)
                && !rule.body.is_empty()
        });
        let mistake = Mistake::new(used.span, what, remedy);
        mistakes.push(match rule {
            Some(rule) => mistake.beside(rule.head.span, format!("'{name}' is concluded here")),
            None => mistake,
        });
    }
}

/// What depends on moves is not known when moves are chosen; what depends on the state, not before the start.
fn moments(program: &Program, relations: &Relations, mistakes: &mut Vec<Mistake>) {
    let by_moves = relations.dependent_on(&["does"]);
    let by_state = relations.dependent_on(&["true", "does"]);
    let number = |atom: &Atom| relations.number(&atom.relation);
    for rule in &program.rules {
        let (known, late) = match &*rule.head.relation {
            "legal" | "terminal" | "goal" => ("before anybody moves", &by_moves),
            "role" | "init" | "base" | "input" => ("before the game begins", &by_state),
            _ => continue,
        };
        let mut worst = None;
        each_atom(&rule.body, &mut |atom, _| {
            if number(atom).is_some_and(|number| late[number]) {
                worst.get_or_insert((atom.span, atom.relation.clone()));
            }
        });
        if let Some((span, name)) = worst {
            let what = format!(
                "'{}' must be known {known}, and '{name}' is known later",
                rule.head.relation
            );
            let ends = if by_moves[relations.number(&name).unwrap_or(0)] { "does" } else { "true" };
            let way = relations.number(&name).zip(relations.number(ends));
            let way = way.map_or(vec![], |(from, to)| relations.way(from, to));
            let names: Vec<&str> = way.iter().map(|one| &**relations.name(*one)).collect();
            let remedy = match names.len() {
                0 | 1 => format!("use conditions that do not depend on '{ends}'"),
                _ => format!("it depends on moves or facts: {}", names.join(" ← ")),
            };
            mistakes.push(Mistake::new(span, what, remedy));
        }
    }
}

/// A rule of a circle must not conclude ever longer terms: a variable within a function of its head must come from
/// outside of the circle.
fn growing(program: &Program, relations: &Relations, mistakes: &mut Vec<Mistake>) {
    for rule in &program.rules {
        let Some(head) = relations.number(&rule.head.relation) else { continue };
        let mut inner = vec![];
        for term in &rule.head.terms {
            if let Term::Function(_, terms, _) = term {
                terms.iter().for_each(|term| variables(term, &mut inner));
            }
        }
        if inner.is_empty() {
            continue;
        }
        for body in alternatives(&rule.body) {
            let (mut inside, mut outside) = (vec![], vec![]);
            for literal in body {
                let Literal::Holds(atom) = literal else { continue };
                let number = relations.number(&atom.relation);
                let circle = number.is_some_and(|number| relations.together(number, head));
                let found = if circle { &mut inside } else { &mut outside };
                atom.terms.iter().for_each(|term| variables(term, found));
            }
            let has = |all: &[(Name, Span)], name| all.iter().any(|(other, _)| other == name);
            let grown = inner.iter().find(|(name, _)| has(&inside, name) && !has(&outside, name));
            if let Some((name, span)) = grown {
                let what =
                    format!("'{}' follows from itself with ever longer terms", rule.head.relation);
                let remedy =
                    format!("add a condition outside of the circle that says what ?{name} can be");
                mistakes.push(Mistake::new(*span, what, remedy));
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif;

    const GAME: &str = "(role a) (role b) (init (at 1)) (succ 1 2)\n\
        (<= (legal ?r go) (role ?r)) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does a go))\n\
        (<= terminal (true (at 2))) (goal a 50) (goal b 50)\n";

    /// What is underlined, and what is said of it.
    fn said(more: &str) -> Vec<(String, String, String)> {
        let text = format!("{GAME}{more}");
        let said = |mistake: Mistake| {
            let Span { start, end } = mistake.span;
            (text[start as usize..end as usize].to_string(), mistake.what, mistake.remedy)
        };
        check(&kif::read(&text).unwrap()).into_iter().map(said).collect()
    }

    #[test]
    fn a_game_without_mistakes_has_none() {
        assert_eq!(said(""), []);
    }

    #[test]
    fn every_mistake_is_found_where_it_is() {
        for (more, place, what, remedy) in [
            ("(<= (p ?x) (not (succ ?x 2)))", "?x", "a negation", "what ?x can be"),
            ("(<= (p ?x) (true (at 1)))", "?x", "the head", "what ?x can be"),
            ("(<= p (or (distinct ?y 1) (succ ?y 1)))", "?y", "'distinct'", "what ?y can be"),
            ("(<= p (suck 1 2))", "(suck 1 2)", "nothing says", "'succ'"),
            ("(<= p (succ 1))", "(succ 1)", "1 argument", "2 arguments"),
            ("(<= p (true (at 1 2)))", "(at 1 2)", "2 arguments", "1 argument"),
            ("(<= p (legal a))", "(legal a)", "1 argument", "2 arguments"),
            ("(<= p q) (<= q (not p))", "(not p)", "p ← q ← not p", "circle"),
            ("(<= p (does a go)) (<= terminal p)", "p", "before anybody moves", "p ← does"),
            ("(<= (init (at 2)) (true (at 1)))", "(true (at 1))", "before the game", ""),
            ("(<= (p (s ?x)) (p ?x)) (p 1)", "?x", "ever longer", "outside"),
            ("(true (at 1))", "(true (at 1))", "cannot be concluded", "'init'"),
            ("(<= p (init (at 1)))", "(init (at 1))", "cannot be a condition", "'true'"),
        ] {
            let said = said(more);
            let [(found, told, advice)] = &said[..] else { panic!("{more}: {said:?}") };
            assert!(
                found == place || found == &place[5.min(place.len())..place.len() - 1],
                "{said:?}"
            );
            let circle = what.contains('←') && told.contains("depends on its own opposite");
            assert!(circle || told.contains(what), "{more}: {told}");
            assert!(advice.contains(remedy), "{more}: {advice}");
        }
    }

    #[test]
    fn what_every_game_must_say_is_missed() {
        let mistakes = check(&kif::read("(role a) (<= (legl a b) (role a))").unwrap());
        let what: Vec<&str> = mistakes.iter().map(|mistake| &*mistake.what).collect();
        let needed = ["init", "legal", "next", "terminal", "goal"];
        assert_eq!(what, needed.map(|name| format!("no rule says '{name}'")));
        assert!(mistakes[1].remedy.contains("'legl'"));
    }
}
