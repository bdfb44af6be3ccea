//! Lines of gates for one position at a time: conditions on facts become comparisons of masked words.
//!
//! A gate over facts of one word is one comparison, however many they are, and stops at the first that fails. What a
//! comparison cannot say, that a fact does not hold which is there when nothing else is, is put in as a value first.

use crate::{
    net::{Lit, Node},
    pack::{Layout, Place},
    program::{Line, Step},
};

/// A line for one position.
#[derive(Clone, Default, Debug)]
pub(crate) struct Quick {
    /// Facts that are put in as values.
    facts: Vec<(u32, Place)>,
    /// Moves that loops ask for.
    pub(crate) moves: Vec<(u32, u8, u32)>,
    steps: Vec<Next>,
    tests: Vec<Test>,
    arguments: Vec<Lit>,
    outputs: Vec<Lit>,
    places: usize,
}

/// These bits of a word are these.
#[derive(Clone, Copy, Debug)]
struct Test {
    word: u32,
    mask: u64,
    value: u64,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    /// The AND of some tests and arguments, from where those before it end.
    And {
        to: u32,
        tests: [u32; 2],
        arguments: [u32; 2],
    },
    Clear {
        to: u32,
    },
    Set {
        to: u32,
        from: Lit,
    },
    Again {
        back: u32,
    },
}

impl Quick {
    pub(crate) fn of(line: &Line, layout: &Layout) -> Quick {
        let mut fact = vec![None; line.places];
        let mut quick = Quick { places: line.places, ..Quick::default() };
        for &(place, node) in &line.inputs {
            match node {
                Node::Fact(number) => fact[place as usize] = Some(layout.facts[number as usize]),
                Node::Does(role, mv) => quick.moves.push((place, role, mv)),
                _ => {}
            }
        }
        let mut put_in = vec![false; line.places];
        for step in line.steps() {
            let next = match *step {
                Step::And { to, begin, end } => {
                    let from = [quick.tests.len() as u32, quick.arguments.len() as u32];
                    for &lit in line.arguments(begin, end) {
                        let test = fact[(lit >> 1) as usize].and_then(|place| test(place, lit));
                        match test {
                            Some(test) => quick.add(test, from[0] as usize),
                            None => {
                                put_in[(lit >> 1) as usize] = true;
                                quick.arguments.push(lit);
                            }
                        }
                    }
                    let tests = [from[0], quick.tests.len() as u32];
                    Next::And { to, tests, arguments: [from[1], quick.arguments.len() as u32] }
                }
                Step::Clear { to } => Next::Clear { to },
                Step::Set { to, from } => {
                    put_in[(from >> 1) as usize] = true;
                    Next::Set { to, from }
                }
                Step::Again { back } => Next::Again { back },
            };
            quick.steps.push(next);
        }
        line.outputs.iter().for_each(|lit| put_in[(lit >> 1) as usize] = true);
        let facts = fact.iter().enumerate().filter(|(place, _)| put_in[*place]);
        quick.facts = facts.filter_map(|(place, fact)| Some((place as u32, (*fact)?))).collect();
        quick.outputs = line.outputs.clone();
        quick
    }

    /// Adds a test to those of a gate, which begin there.
    fn add(&mut self, test: Test, begin: usize) {
        let same = self.tests[begin..].iter_mut().find(|other| {
            // Two that contradict each other on some bit stay two.
            other.word == test.word && (other.value ^ test.value) & other.mask & test.mask == 0
        });
        match same {
            Some(other) => {
                other.mask |= test.mask;
                other.value |= test.value;
            }
            None => self.tests.push(test),
        }
    }

    /// How many gates there are.
    pub(crate) fn gates(&self) -> usize {
        self.steps.len()
    }

    /// Works everything out at a position; what moves are made stands in its places.
    pub(crate) fn run(&self, words: &[u64], values: &mut [bool]) {
        values[0] = false;
        for (place, fact) in &self.facts {
            values[*place as usize] = words[fact.word as usize] & fact.mask == fact.code;
        }
        let (mut at, mut changed) = (0, false);
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match *step {
                Next::And { to, tests: [a, b], arguments: [c, d] } => {
                    let tests = &self.tests[a as usize..b as usize];
                    let arguments = &self.arguments[c as usize..d as usize];
                    let holds = tests
                        .iter()
                        .all(|test| words[test.word as usize] & test.mask == test.value)
                        && arguments
                            .iter()
                            .all(|lit| values[(lit >> 1) as usize] != (lit & 1 == 1));
                    values[to as usize] = holds;
                }
                Next::Clear { to } => values[to as usize] = false,
                Next::Set { to, from } => {
                    let value = values[(from >> 1) as usize] != (from & 1 == 1);
                    changed |= values[to as usize] != value;
                    values[to as usize] = value;
                }
                Next::Again { back } => {
                    if std::mem::take(&mut changed) {
                        at = back as usize;
                    }
                }
            }
        }
    }

    /// Room for its values.
    pub(crate) fn fit(&self, values: &mut Vec<bool>) {
        if values.len() < self.places {
            values.resize(self.places, false);
        }
    }

    /// What an output is worth.
    #[inline]
    pub(crate) fn output(&self, values: &[bool], nth: usize) -> bool {
        let lit = self.outputs[nth];
        values[(lit >> 1) as usize] != (lit & 1 == 1)
    }
}

/// The comparison that says the same as a literal of a fact, if there is one.
fn test(place: Place, lit: Lit) -> Option<Test> {
    let Place { word, mask, code, single } = place;
    match (lit & 1 == 0, single) {
        // Of facts with a bit each, none is beside another.
        (true, true) => Some(Test { word, mask: code, value: code }),
        (true, false) => Some(Test { word, mask, value: code }),
        (false, true) => Some(Test { word, mask: code, value: 0 }),
        (false, false) => None,
    }
}
