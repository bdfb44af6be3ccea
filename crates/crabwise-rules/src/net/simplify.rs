//! What is left of a net where something is known: facts that exclude each other, and facts and moves assumed.

use std::collections::HashMap;

use super::{FALSE, Lit, Net, Node, NodeId, TRUE};

/// Facts of which at most one holds, or exactly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub(crate) facts: Vec<u32>,
    pub(crate) exactly: bool,
}

/// All groups; no fact is in two.
#[derive(Clone, Default, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<Group>,
    /// The group of each fact.
    pub(crate) of: Vec<Option<u32>>,
    /// How many moves each role has; of these it makes one.
    pub(crate) moves: Vec<u32>,
}

impl Groups {
    /// Of these facts no two are known to exclude each other.
    pub(crate) fn none(facts: usize, moves: Vec<u32>) -> Groups {
        Groups { groups: vec![], of: vec![None; facts], moves }
    }

    pub(crate) fn add(&mut self, group: Group) {
        let number = self.groups.len() as u32;
        group.facts.iter().for_each(|fact| self.of[*fact as usize] = Some(number));
        self.groups.push(group);
    }

    fn group(&self, fact: u32) -> Option<&Group> {
        self.of[fact as usize].map(|group| &self.groups[group as usize])
    }
}

/// What is assumed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Assumed {
    /// What is assumed of each fact, and of each move of each role.
    facts: Vec<Option<bool>>,
    does: Vec<Vec<Option<bool>>>,
    /// The move of a role, and how many moves it is known not to make.
    made: Vec<Option<u32>>,
    not_made: Vec<u32>,
    /// Two assumptions exclude each other.
    pub(crate) impossible: bool,
}

impl Assumed {
    /// Nothing.
    pub(crate) fn nothing(groups: &Groups) -> Assumed {
        Assumed {
            facts: vec![None; groups.of.len()],
            does: groups.moves.iter().map(|many| vec![None; *many as usize]).collect(),
            made: vec![None; groups.moves.len()],
            not_made: vec![0; groups.moves.len()],
            impossible: false,
        }
    }

    pub(crate) fn fact(&self, fact: u32) -> Option<bool> {
        self.facts[fact as usize]
    }

    /// Assumes a literal, if it is one of a fact or move; whether that is new.
    pub(crate) fn assume(&mut self, net: &Net, groups: &Groups, lit: Lit) -> bool {
        let holds = lit & 1 == 0;
        match net.kind(lit >> 1) {
            Node::False if holds => {
                self.impossible = true;
                true
            }
            Node::Fact(fact) => self.assume_fact(groups, fact, holds),
            Node::Does(role, mv) => self.assume_move(groups, role, mv, holds),
            _ => false,
        }
    }

    fn assume_fact(&mut self, groups: &Groups, fact: u32, holds: bool) -> bool {
        if let Some(before) = self.facts[fact as usize].replace(holds) {
            self.impossible |= before != holds;
            return before != holds;
        }
        let Some(group) = groups.group(fact) else { return true };
        if holds {
            for &other in group.facts.iter().filter(|other| **other != fact) {
                self.impossible |= self.facts[other as usize].replace(false) == Some(true);
            }
        } else if group.exactly {
            let open = |fact: &&u32| self.facts[**fact as usize] != Some(false);
            let mut left = group.facts.iter().filter(open);
            match (left.next().copied(), left.next()) {
                (None, _) => self.impossible = true,
                (Some(last), None) => {
                    self.assume_fact(groups, last, true);
                }
                _ => {}
            }
        }
        true
    }

    fn assume_move(&mut self, groups: &Groups, role: u8, mv: u32, holds: bool) -> bool {
        if let Some(before) = self.does(role, mv) {
            self.impossible |= before != holds;
            return before != holds;
        }
        let of = usize::from(role);
        self.does[of][mv as usize] = Some(holds);
        if holds {
            self.made[of] = Some(mv);
            return true;
        }
        self.not_made[of] += 1;
        let (many, all) = (self.not_made[of], groups.moves[of]);
        if many == all {
            self.impossible = true;
        } else if many + 1 == all {
            let last = self.does[of].iter().position(Option::is_none);
            if let Some(last) = last {
                self.assume_move(groups, role, last as u32, true);
            }
        }
        true
    }

    /// Whether a role makes a move, if that is known.
    pub(crate) fn does(&self, role: u8, mv: u32) -> Option<bool> {
        match self.made[usize::from(role)] {
            Some(made) => Some(made == mv),
            None => self.does[usize::from(role)][mv as usize],
        }
    }
}

/// A net, seen under assumptions; what was worked out is remembered.
pub(crate) struct Under<'a> {
    pub(crate) net: &'a mut Net,
    pub(crate) groups: &'a Groups,
    pub(crate) assumed: &'a Assumed,
    known: Memo,
    /// Whether gates of which nothing is known are looked at too, for what groups say of them.
    pub(crate) thorough: bool,
    /// Gates that were looked at.
    pub(crate) steps: u64,
}

/// What is left of each node, as far as that is known; forgotten at once by counting rounds.
#[derive(Default)]
pub(crate) struct Memo {
    left: Vec<(u32, Lit)>,
    round: u32,
}

impl Memo {
    fn forget(&mut self, nodes: usize) {
        self.left.resize(self.left.len().max(nodes), (0, FALSE));
        self.round += 1;
    }

    #[inline]
    fn get(&self, node: NodeId) -> Option<Lit> {
        let (round, lit) = *self.left.get(node as usize)?;
        (round == self.round).then_some(lit)
    }

    fn set(&mut self, node: NodeId, lit: Lit) {
        if self.left.len() <= node as usize {
            self.left.resize(2 * node as usize + 1, (0, FALSE));
        }
        self.left[node as usize] = (self.round, lit);
    }
}

impl<'a> Under<'a> {
    pub(crate) fn new(net: &'a mut Net, groups: &'a Groups, assumed: &'a Assumed) -> Under<'a> {
        let mut known = std::mem::take(&mut net.memo);
        known.forget(net.len());
        Under { net, groups, assumed, known, thorough: false, steps: 0 }
    }

    /// How many gates were looked at. The next one need not make room again.
    pub(crate) fn done(self) -> u64 {
        self.net.memo = self.known;
        self.steps
    }

    /// From now on the literal stands in place of an input.
    pub(crate) fn replace(&mut self, input: Node, lit: Lit) {
        if let Node::Does(role, mv) = input {
            let node = self.net.does(role, mv) >> 1;
            self.known.set(node, lit);
        }
    }

    /// What is left of a literal.
    pub(crate) fn simplify(&mut self, lit: Lit) -> Lit {
        let mut stack = vec![lit >> 1];
        while let Some(&node) = stack.last() {
            if self.known.get(node).is_some() {
                stack.pop();
                continue;
            }
            if self.net.kind(node) == Node::And {
                let open = stack.len();
                for &argument in self.net.arguments(node) {
                    if self.known.get(argument >> 1).is_none() {
                        stack.push(argument >> 1);
                    }
                }
                if stack.len() > open {
                    continue;
                }
            }
            stack.pop();
            self.steps += 1;
            let left = self.of(node);
            self.known.set(node, left);
        }
        self.left_of(lit)
    }

    /// What is left of a literal that was worked out.
    fn left_of(&self, lit: Lit) -> Lit {
        self.known.get(lit >> 1).unwrap_or(lit & !1) ^ (lit & 1)
    }

    fn of(&mut self, node: NodeId) -> Lit {
        let constant = |holds| if holds { TRUE } else { FALSE };
        match self.net.kind(node) {
            Node::False => FALSE,
            Node::Fact(fact) => self.assumed.fact(fact).map_or(2 * node, constant),
            Node::Does(role, mv) => self.assumed.does(role, mv).map_or(2 * node, constant),
            Node::Loop(_) => 2 * node,
            Node::And => {
                // Most gates are false or as they were.
                let mut same = true;
                for argument in self.net.arguments(node) {
                    let lit = self.left_of(*argument);
                    if lit == FALSE {
                        return FALSE;
                    }
                    same &= lit == *argument;
                }
                if same && !self.thorough {
                    return 2 * node;
                }
                let mut lits = Vec::with_capacity(self.net.arguments(node).len());
                for argument in self.net.arguments(node) {
                    let lit = self.left_of(*argument);
                    match self.net.gate(lit) {
                        // An AND within an AND is one AND.
                        Some(inner) if lit & 1 == 0 => lits.extend_from_slice(inner),
                        _ => lits.push(lit),
                    }
                }
                join(self.net, self.groups, lits)
            }
        }
    }
}

/// The AND of some literals, of which some may exclude or imply others.
pub(crate) fn join(net: &mut Net, groups: &Groups, mut lits: Vec<Lit>) -> Lit {
    let mut positive: Vec<(u32, u32)> = vec![];
    let mut made: Vec<(u8, u32)> = vec![];
    for &lit in lits.iter().filter(|lit| **lit & 1 == 0) {
        match net.kind(lit >> 1) {
            Node::Fact(fact) => {
                if let Some(group) = groups.of[fact as usize] {
                    if positive.iter().any(|(one, other)| *one == group && *other != fact) {
                        return FALSE;
                    }
                    positive.push((group, fact));
                }
            }
            Node::Does(role, mv) => {
                if made.iter().any(|(one, other)| *one == role && *other != mv) {
                    return FALSE;
                }
                made.push((role, mv));
            }
            _ => {}
        }
    }
    // What is excluded anyway need not be denied.
    if !positive.is_empty() || !made.is_empty() {
        lits.retain(|lit| {
            lit & 1 == 0
                || match net.kind(lit >> 1) {
                    Node::Fact(fact) => {
                        let group = groups.of[fact as usize];
                        !positive.iter().any(|(one, other)| Some(*one) == group && *other != fact)
                    }
                    Node::Does(role, mv) => {
                        !made.iter().any(|(one, other)| *one == role && *other != mv)
                    }
                    _ => true,
                }
        });
    }
    let lit = net.and(lits.iter().copied());
    all_denied(net, groups, lit)
}

/// An AND that denies all facts of a group of which one holds is false; one that denies all but one asks for that.
fn all_denied(net: &mut Net, groups: &Groups, lit: Lit) -> Lit {
    let Some(arguments) = net.gate(lit) else { return lit };
    if lit & 1 == 1 {
        return lit;
    }
    let mut denied: HashMap<u32, usize> = HashMap::new();
    for argument in arguments.iter().filter(|lit| **lit & 1 == 1) {
        if let Node::Fact(fact) = net.kind(argument >> 1)
            && let Some(group) = groups.of[fact as usize]
            && groups.groups[group as usize].exactly
        {
            *denied.entry(group).or_default() += 1;
        }
    }
    let left = |group: &u32| groups.groups[*group as usize].facts.len() - denied[group];
    let mut rewritten: Vec<u32> = denied.keys().copied().filter(|group| left(group) < 2).collect();
    if rewritten.is_empty() {
        return lit;
    }
    rewritten.sort_unstable();
    if rewritten.iter().any(|group| left(group) == 0) {
        return FALSE;
    }
    let mut lits = arguments.to_vec();
    for group in rewritten {
        let facts = &groups.groups[group as usize].facts;
        let of_group = |net: &Net, lit: Lit| match net.kind(lit >> 1) {
            Node::Fact(fact) => facts.contains(&fact),
            _ => false,
        };
        let denied: Vec<Lit> =
            lits.iter().copied().filter(|lit| lit & 1 == 1 && of_group(net, *lit)).collect();
        lits.retain(|lit| !denied.contains(lit));
        let last = facts
            .iter()
            .copied()
            .find(|fact| !denied.iter().any(|lit| net.kind(lit >> 1) == Node::Fact(*fact)));
        if let Some(last) = last {
            let lit = net.fact(last);
            lits.push(lit);
        }
    }
    net.and(lits)
}

/// The literals of facts and moves that hold wherever this one does.
pub(crate) fn implied(net: &Net, lit: Lit, found: &mut Vec<Lit>) {
    implied_within(net, lit, found, &mut 2_000);
}

/// Those that are found by looking at so many gates.
fn implied_within(net: &Net, lit: Lit, found: &mut Vec<Lit>, fuel: &mut u32) {
    if *fuel == 0 {
        return;
    }
    *fuel -= 1;
    match net.kind(lit >> 1) {
        Node::And if lit & 1 == 0 => {
            for lit in net.arguments(lit >> 1) {
                implied_within(net, *lit, found, fuel);
            }
        }
        Node::And => {
            // What all alternatives have in common.
            let mut common: Option<Vec<Lit>> = None;
            for alternative in net.arguments(lit >> 1) {
                let mut of_it = vec![];
                implied_within(net, alternative ^ 1, &mut of_it, fuel);
                match &mut common {
                    Some(common) => common.retain(|lit| of_it.contains(lit)),
                    None => common = Some(of_it),
                }
                if common.as_ref().is_some_and(Vec::is_empty) {
                    return;
                }
            }
            found.extend(common.unwrap_or_default());
        }
        _ => found.push(lit),
    }
}
