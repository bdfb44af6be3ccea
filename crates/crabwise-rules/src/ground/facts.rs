//! Atoms that hold or may come to hold, found by what is known of their arguments.
//!
//! An access is a relation and the places of its arguments, at any depth, that are known when it is asked; it has its
//! atoms by a hash of what stands at these places. Whoever asks compares in full.

use std::collections::HashMap;

use super::clause::{Goal, Pattern};
use crate::{
    chains::{ByHash, Chains, hash, mix},
    terms::{Symbol, TermId, Terms},
};

/// A relation with arguments.
pub(crate) type AtomId = u32;

/// All atoms.
#[derive(Default)]
pub(crate) struct Facts {
    atoms: Vec<(Symbol, Box<[TermId]>)>,
    numbers: Chains,
    holds: Vec<bool>,
    relations: HashMap<Symbol, Relation>,
    bytes: u64,
}

#[derive(Default)]
struct Relation {
    holding: Vec<AtomId>,
    accesses: Vec<Access>,
}

struct Access {
    shape: Box<[Shape]>,
    atoms: ByHash<Vec<AtomId>>,
}

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    Known,
    Free,
    Function(Symbol, Box<[Shape]>),
}

/// A way to look for atoms.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    All,
    By(usize),
}

impl Facts {
    /// The number of an atom, whether it holds or not.
    pub(crate) fn atom(&mut self, relation: Symbol, arguments: &[TermId]) -> AtomId {
        if let Some(atom) = self.find(relation, arguments) {
            return atom;
        }
        self.atoms.push((relation, arguments.into()));
        self.holds.push(false);
        self.bytes += 64 + 4 * arguments.len() as u64;
        self.numbers.add(hash(relation, arguments))
    }

    pub(crate) fn find(&self, relation: Symbol, arguments: &[TermId]) -> Option<AtomId> {
        let is = |atom| self.relation(atom) == relation && self.arguments(atom) == arguments;
        self.numbers.find(hash(relation, arguments), is)
    }

    pub(crate) fn relation(&self, atom: AtomId) -> Symbol {
        self.atoms[atom as usize].0
    }

    pub(crate) fn arguments(&self, atom: AtomId) -> &[TermId] {
        &self.atoms[atom as usize].1
    }

    pub(crate) fn holds(&self, atom: AtomId) -> bool {
        self.holds[atom as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The atoms of a relation that hold, in the order in which they came to.
    pub(crate) fn holding(&self, relation: Symbol) -> &[AtomId] {
        self.relations.get(&relation).map_or(&[], |all| &all.holding)
    }

    /// From now on the atom is found.
    pub(crate) fn put(&mut self, terms: &Terms, atom: AtomId) {
        self.holds[atom as usize] = true;
        let (relation, arguments) = &self.atoms[atom as usize];
        let relation = self.relations.entry(*relation).or_default();
        relation.holding.push(atom);
        for access in &mut relation.accesses {
            access.put(terms, atom, arguments);
            self.bytes += 16;
        }
    }

    /// A way to look for atoms of this goal, once some variables are bound.
    pub(crate) fn way(&mut self, terms: &Terms, goal: &Goal, bound: &[bool]) -> Way {
        let shape: Box<[Shape]> =
            goal.patterns.iter().map(|pattern| Shape::of(pattern, bound)).collect();
        if shape.iter().all(|shape| *shape == Shape::Free) {
            return Way::All;
        }
        let relation = self.relations.entry(goal.relation).or_default();
        if let Some(place) = relation.accesses.iter().position(|access| access.shape == shape) {
            return Way::By(place);
        }
        let mut access = Access { shape, atoms: ByHash::default() };
        for &atom in &relation.holding {
            access.put(terms, atom, &self.atoms[atom as usize].1);
        }
        self.bytes += 16 * relation.holding.len() as u64;
        relation.accesses.push(access);
        Way::By(relation.accesses.len() - 1)
    }

    /// The atoms that a goal may mean.
    pub(crate) fn candidates(
        &self,
        goal: &Goal,
        way: Way,
        bindings: &[Option<TermId>],
    ) -> &[AtomId] {
        let Some(relation) = self.relations.get(&goal.relation) else { return &[] };
        match way {
            Way::All => &relation.holding,
            Way::By(place) => {
                let access = &relation.accesses[place];
                let mut key = 1;
                for (shape, pattern) in access.shape.iter().zip(&goal.patterns) {
                    shape.key_of_pattern(pattern, bindings, &mut key);
                }
                access.atoms.get(&key).map_or(&[], |atoms| atoms)
            }
        }
    }
}

impl Access {
    fn put(&mut self, terms: &Terms, atom: AtomId, arguments: &[TermId]) {
        let mut key = 1;
        let all = self.shape.iter().zip(arguments);
        let mut fits = all.map(|(shape, term)| shape.key_of_term(terms, *term, &mut key));
        if fits.all(|fits| fits) {
            self.atoms.entry(key).or_default().push(atom);
        }
    }
}

impl Shape {
    fn of(pattern: &Pattern, bound: &[bool]) -> Shape {
        match pattern {
            Pattern::Term(_) => Shape::Known,
            Pattern::Variable(variable) if bound[*variable] => Shape::Known,
            Pattern::Variable(_) => Shape::Free,
            Pattern::Function(symbol, patterns) => {
                let shapes = patterns.iter().map(|pattern| Shape::of(pattern, bound)).collect();
                Shape::Function(*symbol, shapes)
            }
        }
    }

    /// Mixes what is known of a term into a key; whether the term has this shape.
    fn key_of_term(&self, terms: &Terms, term: TermId, key: &mut u64) -> bool {
        match self {
            Shape::Known => {
                *key = mix(*key, term);
                true
            }
            Shape::Free => true,
            Shape::Function(symbol, shapes) => {
                let arguments = terms.arguments(term);
                let all = shapes.iter().zip(arguments);
                *symbol == terms.head(term)
                    && shapes.len() == arguments.len()
                    && all.fold(true, |fits, (shape, term)| {
                        shape.key_of_term(terms, *term, key) && fits
                    })
            }
        }
    }

    fn key_of_pattern(&self, pattern: &Pattern, bindings: &[Option<TermId>], key: &mut u64) {
        match (self, pattern) {
            (Shape::Known, Pattern::Term(term)) => *key = mix(*key, *term),
            (Shape::Known, Pattern::Variable(variable)) => {
                *key = mix(*key, bindings[*variable].unwrap_or(TermId::MAX));
            }
            (Shape::Function(_, shapes), Pattern::Function(_, patterns)) => {
                for (shape, pattern) in shapes.iter().zip(patterns) {
                    shape.key_of_pattern(pattern, bindings, key);
                }
            }
            _ => {}
        }
    }
}
