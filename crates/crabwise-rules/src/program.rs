//! Nets as straight lines of gates, for 64 positions at a time: a value is a word, and position n is its bit n.
//!
//! Gates stand in an order in which each comes after what it joins. A loop is a piece of the line that is gone through
//! again until its variables no longer change. Everything is plain numbers in arrays.

use crate::{
    bounds::{Exceeded, Spent},
    net::{Lit, Net, Node, NodeId, Roots},
};

/// A line of gates, and where what is asked for stands.
#[derive(Clone, Default, Debug)]
pub(crate) struct Line {
    steps: Vec<Step>,
    arguments: Vec<Lit>,
    /// Where each input is put: place, and what it is.
    pub(crate) inputs: Vec<(u32, Node)>,
    /// The literals that were asked for, of places.
    pub(crate) outputs: Vec<Lit>,
    pub(crate) places: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// The AND of the arguments before this end, from the end of the gate before.
    And { to: u32, begin: u32, end: u32 },
    /// Variables begin false.
    Clear { to: u32 },
    /// A variable becomes what defines it; if the last of its loop, whether to go back.
    Set { to: u32, from: Lit },
    /// Back to this step if some variable has changed since.
    Again { back: u32 },
}

impl Line {
    /// The line that works out some literals.
    pub(crate) fn of(net: &Net, asked: &[Lit]) -> Line {
        let mut writer = Writer { net, line: Line::default(), place: vec![None; net.len()] };
        // What is never true has the first place.
        writer.line.places = 1;
        writer.place[0] = Some(0);
        asked.iter().for_each(|lit| writer.need(lit >> 1));
        let outputs = asked.iter().map(|lit| writer.lit(*lit)).collect();
        Line { outputs, ..writer.line }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn arguments(&self, begin: u32, end: u32) -> &[Lit] {
        &self.arguments[begin as usize..end as usize]
    }

    /// How many gates there are.
    pub(crate) fn gates(&self) -> usize {
        self.steps.len()
    }

    /// Works everything out; what was put in stands in its places.
    pub(crate) fn run(&self, values: &mut [u64]) {
        values[0] = 0;
        let (mut at, mut changed) = (0, 0);
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match *step {
                Step::And { to, begin, end } => {
                    let arguments = &self.arguments[begin as usize..end as usize];
                    let value =
                        |lit: &Lit| values[(lit >> 1) as usize] ^ u64::from(lit & 1).wrapping_neg();
                    let and = arguments.iter().fold(u64::MAX, |and, lit| and & value(lit));
                    values[to as usize] = and;
                }
                Step::Clear { to } => values[to as usize] = 0,
                Step::Set { to, from } => {
                    let value = values[(from >> 1) as usize] ^ u64::from(from & 1).wrapping_neg();
                    changed |= values[to as usize] ^ value;
                    values[to as usize] = value;
                }
                Step::Again { back } => {
                    if std::mem::take(&mut changed) != 0 {
                        at = back as usize;
                    }
                }
            }
        }
    }

    /// What an output is worth.
    #[inline]
    pub(crate) fn output(&self, values: &[u64], nth: usize) -> u64 {
        let lit = self.outputs[nth];
        values[(lit >> 1) as usize] ^ u64::from(lit & 1).wrapping_neg()
    }
}

struct Writer<'n> {
    net: &'n Net,
    line: Line,
    place: Vec<Option<u32>>,
}

impl Writer<'_> {
    fn lit(&self, lit: Lit) -> Lit {
        2 * self.place[(lit >> 1) as usize].unwrap_or(0) + (lit & 1)
    }

    fn new_place(&mut self, node: NodeId) -> u32 {
        let place = self.line.places as u32;
        self.place[node as usize] = Some(place);
        self.line.places += 1;
        place
    }

    /// Writes down a node after everything that it needs.
    fn need(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(&node) = stack.last() {
            if self.place[node as usize].is_some() {
                stack.pop();
                continue;
            }
            match self.net.kind(node) {
                Node::And => {
                    let open = stack.len();
                    let arguments = self.net.arguments(node).iter().map(|lit| lit >> 1);
                    stack.extend(arguments.filter(|one| self.place[*one as usize].is_none()));
                    if stack.len() == open {
                        stack.pop();
                        self.gate(node);
                    }
                }
                Node::Loop(number) => {
                    stack.pop();
                    self.write_loop(number);
                }
                kind => {
                    stack.pop();
                    let place = self.new_place(node);
                    self.line.inputs.push((place, kind));
                }
            }
        }
    }

    fn gate(&mut self, node: NodeId) {
        let begin = self.line.arguments.len() as u32;
        for lit in self.net.arguments(node) {
            let lit = self.lit(*lit);
            self.line.arguments.push(lit);
        }
        let end = self.line.arguments.len() as u32;
        let to = self.new_place(node);
        self.line.steps.push(Step::And { to, begin, end });
    }

    /// A loop: first what it needs from outside, then its gates until nothing changes.
    fn write_loop(&mut self, number: u32) {
        let of = &self.net.loops[number as usize];
        let (inner, outer) = self.parts(number);
        outer.into_iter().for_each(|node| self.need(node));
        for variable in &of.variables {
            let to = self.new_place(*variable);
            self.line.steps.push(Step::Clear { to });
        }
        let back = self.line.steps.len() as u32;
        inner.into_iter().for_each(|node| self.gate(node));
        for (variable, definition) in of.variables.iter().zip(&of.definitions) {
            let (to, from) = (self.lit(2 * variable) >> 1, self.lit(*definition));
            self.line.steps.push(Step::Set { to, from });
        }
        self.line.steps.push(Step::Again { back });
    }

    /// The gates of a loop that depend on its variables, in order, and what they need from outside.
    fn parts(&self, number: u32) -> (Vec<NodeId>, Vec<NodeId>) {
        let of = &self.net.loops[number as usize];
        // Whatever has a place already cannot depend on the variables, which have none.
        let mut cone: Vec<NodeId> = vec![];
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<NodeId> = of.definitions.iter().map(|lit| lit >> 1).collect();
        while let Some(node) = stack.pop() {
            if self.place[node as usize].is_none() && seen.insert(node) {
                cone.push(node);
                if self.net.kind(node) == Node::And {
                    stack.extend(self.net.arguments(node).iter().map(|lit| lit >> 1));
                }
            }
        }
        cone.sort_unstable();
        let mut inside: std::collections::HashSet<NodeId> = of.variables.iter().copied().collect();
        let (mut inner, mut outer) = (vec![], vec![]);
        for node in cone {
            if inside.contains(&node) {
                continue;
            }
            let arguments = self.net.arguments(node);
            if arguments.iter().any(|lit| inside.contains(&(lit >> 1))) {
                inside.insert(node);
                inner.push(node);
            } else {
                outer.push(node);
            }
        }
        (inner, outer)
    }
}

/// Plays a net at random, for samples.
pub(crate) struct Simulator<'n> {
    roots: &'n Roots,
    choose: Line,
    follow: Line,
}

impl<'n> Simulator<'n> {
    pub(crate) fn new(net: &Net, roots: &'n Roots) -> Simulator<'n> {
        let legal = roots.roles.iter().flat_map(|role| role.moves.iter().map(|(_, lit)| *lit));
        let asked: Vec<Lit> = [roots.terminal].into_iter().chain(legal).collect();
        Simulator { roots, choose: Line::of(net, &asked), follow: Line::of(net, &roots.next) }
    }

    /// Some positions that random play meets, 64 games side by side.
    pub(crate) fn sample(
        &mut self,
        many: usize,
        spent: &mut Spent,
    ) -> Result<Vec<Vec<bool>>, Exceeded> {
        let facts = self.roots.facts.len();
        let begin: Vec<u64> =
            self.roots.init.iter().map(|holds| u64::from(*holds).wrapping_neg()).collect();
        let (mut now, mut samples) = (begin.clone(), vec![]);
        let mut choice = 0x2545_F491_4F6C_DD1D_u64;
        let mut random = || {
            choice ^= choice << 13;
            choice ^= choice >> 7;
            choice ^= choice << 17;
            choice
        };
        let mut values = vec![0; self.choose.places.max(self.follow.places)];
        let rounds = many.div_ceil(8);
        for round in 0..rounds {
            spent.step((self.choose.gates() + self.follow.gates()) as u64)?;
            for lane in (0..64).filter(|lane| round == 0 && *lane == 0 || lane % 8 == round % 8) {
                samples.push((0..facts).map(|fact| now[fact] >> lane & 1 == 1).collect());
            }
            let done = self.chosen(&now, &mut values, &mut random);
            let made = |role: u8, mv: u32| done.1[role as usize][mv as usize];
            for &(place, node) in &self.follow.inputs {
                values[place as usize] = match node {
                    Node::Fact(fact) => now[fact as usize],
                    Node::Does(role, mv) => made(role, mv),
                    _ => 0,
                };
            }
            self.follow.run(&mut values);
            for fact in 0..facts {
                let next = self.follow.output(&values, fact);
                now[fact] = next & !done.0 | begin[fact] & done.0;
            }
        }
        Ok(samples)
    }

    /// Which games are over or stuck, and which lanes make each move.
    fn chosen(
        &self,
        now: &[u64],
        values: &mut [u64],
        random: &mut dyn FnMut() -> u64,
    ) -> (u64, Vec<Vec<u64>>) {
        for &(place, node) in &self.choose.inputs {
            values[place as usize] = match node {
                Node::Fact(fact) => now[fact as usize],
                _ => 0,
            };
        }
        self.choose.run(values);
        let mut over = self.choose.output(values, 0);
        let (mut made, mut nth) = (vec![], 1);
        for role in &self.roots.roles {
            let legal: Vec<u64> =
                (0..role.moves.len()).map(|mv| self.choose.output(values, nth + mv)).collect();
            nth += role.moves.len();
            let mut of_role = vec![0; legal.len()];
            for lane in 0..64 {
                let all: Vec<usize> =
                    (0..legal.len()).filter(|mv| legal[*mv] >> lane & 1 == 1).collect();
                match all.len() {
                    0 => over |= 1 << lane,
                    many => of_role[all[(random() >> 20) as usize % many]] |= 1 << lane,
                }
            }
            made.push(of_role);
        }
        (over, made)
    }
}

/// Lines of a machine, for many positions at once.
pub(crate) struct Lines {
    pub(crate) end: Line,
    pub(crate) legal: Line,
    /// What the deeds change, in their order.
    pub(crate) rest: Vec<Line>,
}
