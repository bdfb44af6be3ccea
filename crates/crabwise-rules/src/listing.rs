//! A program as KIF for people: the rules of a relation together, what the relation stands for above them where the
//! text does not name it, and facts side by side.

use std::fmt::Write;

use crate::syntax::{Name, Program, Rule};

/// Lines are broken before they are longer.
const WIDTH: usize = 100;

/// All rules, in their order.
pub fn listing(program: &Program) -> String {
    let mut text = String::new();
    let hints = &program.hints;
    for line in [&hints.title, &hints.about].into_iter().filter(|line| !line.is_empty()) {
        let _ = writeln!(text, "; {line}");
    }
    let mut rules = &program.rules[..];
    while let Some(first) = rules.first() {
        let relation = &first.head.relation;
        let many = rules.iter().take_while(|rule| rule.head.relation == *relation).count();
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some((_, words)) = hints.made.iter().find(|(name, _)| name == relation) {
            let _ = writeln!(text, "; {relation}: {words}");
        }
        group(&mut text, &rules[..many]);
        rules = &rules[many..];
    }
    text
}

/// The rules of one relation.
fn group(text: &mut String, rules: &[Rule]) {
    let mut line = String::new();
    for rule in rules {
        if !rule.body.is_empty() {
            end(text, &mut line);
            one(text, rule);
            continue;
        }
        let fact = rule.to_string();
        if line.len() + 1 + fact.len() > WIDTH {
            end(text, &mut line);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &fact;
    }
    end(text, &mut line);
}

fn end(text: &mut String, line: &mut String) {
    if !line.is_empty() {
        text.push_str(line);
        text.push('\n');
        line.clear();
    }
}

/// A rule on one line, or its conditions below it.
fn one(text: &mut String, rule: &Rule) {
    let whole = rule.to_string();
    if whole.len() <= WIDTH {
        let _ = writeln!(text, "{whole}");
        return;
    }
    let _ = write!(text, "(<= {}", rule.head);
    for literal in &rule.body {
        let _ = write!(text, "\n    {literal}");
    }
    text.push_str(")\n");
}

/// What was found in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The roles, in the order of the text.
    pub roles: Vec<String>,
    /// How many relations there are that the text concludes.
    pub relations: usize,
    /// How many rules there are, and how many facts.
    pub rules: usize,
    /// Facts have no conditions.
    pub facts: usize,
    /// The functions of what holds in a position, such as `at` and `control`, with their numbers of arguments.
    pub state: Vec<(String, usize)>,
    /// The functions of moves, with their numbers of arguments.
    pub moves: Vec<(String, usize)>,
    /// Whether there is chance.
    pub chance: bool,
    /// Whether somebody may not see everything.
    pub hidden: bool,
}

impl Found {
    /// Looks through a program; nothing is worked out.
    pub fn of(program: &Program) -> Found {
        let mut relations: Vec<&Name> =
            program.rules.iter().map(|rule| &rule.head.relation).collect();
        relations.sort();
        relations.dedup();
        let facts = program.rules.iter().filter(|rule| rule.body.is_empty()).count();
        let roles: Vec<String> = heads(program, "role")
            .filter_map(|terms| terms.first().map(ToString::to_string))
            .collect();
        let functions = |relation: &str, place: usize| {
            let mut found: Vec<(String, usize)> = vec![];
            for terms in heads(program, relation) {
                if let Some(crate::syntax::Term::Function(name, arguments, _)) = terms.get(place) {
                    let function = (name.to_string(), arguments.len());
                    if !found.contains(&function) {
                        found.push(function);
                    }
                }
            }
            found
        };
        let mut state = functions("init", 0);
        state.extend(functions("next", 0));
        state.sort();
        state.dedup();
        Found {
            relations: relations.len(),
            rules: program.rules.len() - facts,
            facts,
            state,
            moves: functions("legal", 1),
            chance: roles.iter().any(|role| role == "random"),
            hidden: relations.iter().any(|relation| &***relation == "sees"),
            roles,
        }
    }
}

fn heads<'p>(
    program: &'p Program,
    relation: &str,
) -> impl Iterator<Item = &'p [crate::syntax::Term]> {
    let rules = program.rules.iter().filter(move |rule| &*rule.head.relation == relation);
    rules.map(|rule| &rule.head.terms[..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{examples::EXAMPLES, kif, read};

    #[test]
    fn a_listing_is_the_program() {
        for (name, text) in EXAMPLES {
            let program = read(text, &[]).unwrap();
            let listing = listing(&program);
            let again = kif::read(&listing).unwrap();
            assert_eq!(again.to_string(), program.to_string().to_lowercase(), "{name}");
            assert!(
                listing.lines().all(|line| line.chars().count() <= WIDTH + 20),
                "{name}\n{listing}"
            );
        }
    }

    #[test]
    fn what_is_in_a_text_is_counted() {
        let (_, text) = EXAMPLES.iter().find(|(name, _)| *name == "nim").unwrap();
        let found = Found::of(&read(text, &[]).unwrap());
        assert_eq!(found.roles, ["x", "o"]);
        assert_eq!(found.state, [("control".into(), 1), ("size".into(), 2)]);
        assert_eq!(found.moves, [("move".into(), 2), ("noop".into(), 0)]);
        assert!(!found.chance && !found.hidden);
    }
}
