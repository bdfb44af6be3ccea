//! Which relation depends on which, and in what order they can be worked out.
//!
//! A relation depends on those in the bodies of its rules. Relations that depend on each other form a component, and
//! components come in an order in which each depends on itself and earlier ones only. Rules are *stratified* if no
//! relation depends on the opposite of one of its own component.
//!
//! Many files say that a goal is 50 where nobody's is 100. So `goal` is as many relations as there are values, if the
//! heads say which: `goal 50` depends on the opposite of `goal 100`.

use std::collections::HashMap;

use crate::syntax::{Atom, Literal, Name, Program, Span, Term};

/// The relations of a program.
pub(crate) struct Relations {
    names: Vec<Name>,
    numbers: HashMap<Name, usize>,
    /// On what each depends, whether on its opposite, and where that is said.
    uses: Vec<Vec<Use>>,
    /// The component of each, in an order in which they can be worked out.
    component: Vec<usize>,
    defined: Vec<bool>,
}

#[derive(Clone, Copy)]
pub(crate) struct Use {
    pub(crate) relation: usize,
    pub(crate) opposite: bool,
    pub(crate) span: Span,
}

impl Relations {
    pub(crate) fn of(program: &Program) -> Relations {
        let mut all = Relations {
            names: vec![],
            numbers: HashMap::new(),
            uses: vec![],
            component: vec![],
            defined: vec![],
        };
        let goals = Goals::of(program);
        for rule in &program.rules {
            let head = all.number_of(&goals.relation(&rule.head));
            all.defined[head] = true;
            each_atom(&rule.body, &mut |atom, opposite| {
                for name in goals.relations(atom) {
                    let relation = all.number_of(&name);
                    all.uses[head].push(Use { relation, opposite, span: atom.span });
                }
            });
        }
        all.component = components(&all.uses);
        all
    }

    fn number_of(&mut self, name: &Name) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), self.names.len() - 1);
        self.uses.push(vec![]);
        self.defined.push(false);
        self.names.len() - 1
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, relation: usize) -> &Name {
        &self.names[relation]
    }

    pub(crate) fn names(&self) -> &[Name] {
        &self.names
    }

    /// Whether it is the head of a rule or a fact.
    pub(crate) fn is_defined(&self, relation: usize) -> bool {
        self.defined[relation]
    }

    pub(crate) fn uses(&self, relation: usize) -> &[Use] {
        &self.uses[relation]
    }

    pub(crate) fn component(&self, relation: usize) -> usize {
        self.component[relation]
    }

    /// Whether two relations depend on each other.
    pub(crate) fn together(&self, one: usize, other: usize) -> bool {
        self.component[one] == self.component[other]
    }

    /// A use by which a relation of a component depends on the opposite of one of the same component, with the
    /// relation that has it.
    pub(crate) fn negative_cycles(&self) -> impl Iterator<Item = (usize, Use)> {
        let uses = |one: usize| self.uses[one].iter().map(move |used| (one, *used));
        let all = (0..self.len()).flat_map(uses);
        all.filter(|(one, used)| used.opposite && self.together(*one, used.relation))
    }

    /// All relations that depend on one of these, these included.
    pub(crate) fn dependent_on(&self, names: &[&str]) -> Vec<bool> {
        let mut dependent = vec![false; self.len()];
        names.iter().filter_map(|name| self.number(name)).for_each(|one| dependent[one] = true);
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|one| self.component[*one]);
        loop {
            let mut changed = false;
            for &one in &order {
                let now = self.uses[one].iter().any(|used| dependent[used.relation]);
                if now && !dependent[one] {
                    (dependent[one], changed) = (true, true);
                }
            }
            if !changed {
                return dependent;
            }
        }
    }

    /// A way from one relation to another along uses, the one first; empty if there is none.
    pub(crate) fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let mut came: Vec<Option<usize>> = vec![None; self.len()];
        let (mut queue, mut next) = (vec![from], 0);
        while next < queue.len() {
            let one = queue[next];
            next += 1;
            for used in &self.uses[one] {
                if used.relation == to {
                    let mut way = vec![to, one];
                    while let Some(before) = came[way[way.len() - 1]] {
                        way.push(before);
                    }
                    way.reverse();
                    return way;
                }
                if used.relation != from && came[used.relation].is_none() {
                    came[used.relation] = Some(one);
                    queue.push(used.relation);
                }
            }
        }
        vec![]
    }
}

/// The values that goals can have, where all heads say which.
pub(crate) struct Goals(Vec<Name>);

impl Goals {
    pub(crate) fn of(program: &Program) -> Goals {
        let heads = program.rules.iter().map(|rule| &rule.head);
        let goals: Option<Vec<Name>> =
            heads.filter(|head| &*head.relation == "goal").map(value).collect();
        let mut goals = goals.unwrap_or_default();
        goals.sort();
        goals.dedup();
        Goals(goals)
    }

    /// The relation of a head.
    pub(crate) fn relation(&self, head: &Atom) -> Name {
        match value(head) {
            Some(value) if self.0.contains(&value) => format!("goal {value}").into(),
            _ => head.relation.clone(),
        }
    }

    /// The relations that a condition may be about.
    fn relations(&self, atom: &Atom) -> Vec<Name> {
        match &*atom.relation {
            "goal" if !self.0.is_empty() && value(atom).is_none() => {
                self.0.iter().map(|value| format!("goal {value}").into()).collect()
            }
            _ => vec![self.relation(atom)],
        }
    }
}

/// The value of a goal, if it is written down.
fn value(atom: &Atom) -> Option<Name> {
    match (&*atom.relation, &atom.terms[..]) {
        ("goal", [_, Term::Function(value, terms, _)]) if terms.is_empty() => Some(value.clone()),
        _ => None,
    }
}

/// Tells all atoms of a body, and whether they are denied.
pub(crate) fn each_atom(body: &[Literal], tell: &mut dyn FnMut(&Atom, bool)) {
    for literal in body {
        match literal {
            Literal::Holds(atom) => tell(atom, false),
            Literal::Not(atom) => tell(atom, true),
            Literal::Distinct(..) => {}
            Literal::Or(alternatives, _) => {
                alternatives.iter().for_each(|alternative| each_atom(alternative, tell));
            }
        }
    }
}

/// Components of a graph by Tarjan's algorithm without recursion, numbered so that each has arrows to itself and
/// lower ones only.
fn components(uses: &[Vec<Use>]) -> Vec<usize> {
    let arrows: Vec<Vec<usize>> =
        uses.iter().map(|uses| uses.iter().map(|used| used.relation).collect()).collect();
    strongly_connected(&arrows)
}

/// The components of a graph, numbered so that each has arrows to itself and lower ones only.
pub(crate) fn strongly_connected(arrows: &[Vec<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let many = arrows.len();
    let (mut index, mut low) = (vec![NEW; many], vec![0; many]);
    let (mut component, mut count, mut clock) = (vec![NEW; many], 0, 0);
    let (mut stack, mut calls): (Vec<usize>, Vec<(usize, usize)>) = (vec![], vec![]);
    for root in 0..many {
        if index[root] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((one, next)) = calls.pop() {
            if next == 0 {
                (index[one], low[one]) = (clock, clock);
                clock += 1;
                stack.push(one);
            } else {
                let child = arrows[one][next - 1];
                low[one] = low[one].min(low[child]);
            }
            let mut at = next;
            let mut down = None;
            while at < arrows[one].len() && down.is_none() {
                let child = arrows[one][at];
                at += 1;
                if index[child] == NEW {
                    down = Some(child);
                } else if component[child] == NEW {
                    low[one] = low[one].min(index[child]);
                }
            }
            if let Some(child) = down {
                calls.push((one, at));
                calls.push((child, 0));
                continue;
            }
            if low[one] == index[one] {
                while let Some(top) = stack.pop() {
                    component[top] = count;
                    if top == one {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_order() {
        let arrows = vec![vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]];
        let found = strongly_connected(&arrows);
        assert_eq!(found, [2, 1, 1, 0, 3]);
    }

    #[test]
    fn components_are_those_of_the_definition_on_random_graphs() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..300 {
            let many = random.usize(1..9);
            let arrows: Vec<Vec<usize>> = (0..many)
                .map(|_| (0..random.usize(0..3)).map(|_| random.usize(0..many)).collect())
                .collect();
            let mut reach = vec![vec![false; many]; many];
            (0..many).for_each(|one| reach[one][one] = true);
            for _ in 0..many {
                for one in 0..many {
                    for &to in &arrows[one] {
                        (0..many).for_each(|end| reach[one][end] |= reach[to][end]);
                    }
                }
            }
            let found = strongly_connected(&arrows);
            for one in 0..many {
                for other in 0..many {
                    let together = reach[one][other] && reach[other][one];
                    assert_eq!(found[one] == found[other], together, "{arrows:?}");
                    assert!(!reach[one][other] || found[one] >= found[other], "{arrows:?}");
                }
            }
        }
    }
}
