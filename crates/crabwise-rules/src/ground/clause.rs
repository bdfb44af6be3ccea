//! Rules ready for joining: without `or`, with numbers in place of names.

use std::collections::HashMap;

use crate::{
    bounds::{Exceeded, Spent},
    report::Mistake,
    syntax::{Atom, Literal, Name, Rule, Span, Term},
    terms::{Symbol, TermId, Terms},
};

/// The most bodies that the alternatives of one rule may stand for.
const MOST_BODIES: usize = 1 << 12;

/// What a condition looks for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    Variable(usize),
    Term(TermId),
    Function(Symbol, Box<[Pattern]>),
}

/// A relation with patterns.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) relation: Symbol,
    pub(crate) patterns: Box<[Pattern]>,
}

/// A rule without `or`.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) head: Goal,
    pub(crate) holds: Vec<Goal>,
    pub(crate) not: Vec<Goal>,
    pub(crate) distinct: Vec<[Pattern; 2]>,
    pub(crate) variables: usize,
    pub(crate) span: Span,
}

/// The clauses that a rule stands for.
pub(crate) fn clauses(
    rule: &Rule,
    terms: &mut Terms,
    spent: &mut Spent,
) -> Result<Vec<Clause>, Mistake> {
    let mut bodies = vec![vec![]];
    expand(&rule.body, &mut bodies, rule.span, spent)?;
    let mut all = vec![];
    for body in bodies {
        let mut names = Names { terms, variables: HashMap::new() };
        let mut clause = Clause {
            head: names.goal(&rule.head),
            holds: vec![],
            not: vec![],
            distinct: vec![],
            variables: 0,
            span: rule.span,
        };
        for literal in body {
            match literal {
                Literal::Holds(atom) => clause.holds.push(names.goal(atom)),
                Literal::Not(atom) => clause.not.push(names.goal(atom)),
                Literal::Distinct(one, other, _) => {
                    clause.distinct.push([names.pattern(one), names.pattern(other)]);
                }
                Literal::Or(..) => {}
            }
        }
        clause.variables = names.variables.len();
        all.push(clause);
    }
    Ok(all)
}

/// Multiplies out what is alternative.
fn expand<'r>(
    body: &'r [Literal],
    bodies: &mut Vec<Vec<&'r Literal>>,
    span: Span,
    spent: &mut Spent,
) -> Result<(), Mistake> {
    let too_many = || {
        let what = format!("the alternatives of this rule stand for more than {MOST_BODIES} rules");
        Mistake::new(span, what, "give a part of it a relation of its own")
    };
    for literal in body {
        let Literal::Or(alternatives, _) = literal else {
            bodies.iter_mut().for_each(|body| body.push(literal));
            continue;
        };
        let mut product = vec![];
        for alternative in alternatives {
            let mut begun = bodies.clone();
            let steps = begun.iter().map(|body| body.len() as u64 + 1).sum();
            let stopped = |exceeded: Exceeded| exceeded.at(span, "to multiply out this rule");
            spent.step(steps).map_err(stopped)?;
            expand(alternative, &mut begun, span, spent)?;
            product.append(&mut begun);
            if product.len() > MOST_BODIES {
                return Err(too_many());
            }
        }
        *bodies = product;
    }
    Ok(())
}

/// The numbers of the variables of a clause.
struct Names<'t> {
    terms: &'t mut Terms,
    variables: HashMap<Name, usize>,
}

impl Names<'_> {
    fn goal(&mut self, atom: &Atom) -> Goal {
        let relation = self.terms.symbol(&atom.relation);
        Goal { relation, patterns: atom.terms.iter().map(|term| self.pattern(term)).collect() }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match term {
            Term::Variable(name, _) => {
                let next = self.variables.len();
                Pattern::Variable(*self.variables.entry(name.clone()).or_insert(next))
            }
            Term::Function(name, terms, _) => {
                let symbol = self.terms.symbol(name);
                let patterns: Box<[Pattern]> =
                    terms.iter().map(|term| self.pattern(term)).collect();
                let whole: Option<Vec<TermId>> = (patterns.iter())
                    .map(|pattern| match pattern {
                        Pattern::Term(term) => Some(*term),
                        _ => None,
                    })
                    .collect();
                match whole {
                    Some(arguments) => Pattern::Term(self.terms.term(symbol, &arguments)),
                    None => Pattern::Function(symbol, patterns),
                }
            }
        }
    }
}

impl Pattern {
    /// Tells the variables.
    pub(crate) fn variables(&self, tell: &mut dyn FnMut(usize)) {
        match self {
            Pattern::Variable(variable) => tell(*variable),
            Pattern::Term(_) => {}
            Pattern::Function(_, patterns) => {
                patterns.iter().for_each(|pattern| pattern.variables(tell));
            }
        }
    }
}
