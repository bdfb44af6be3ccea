//! A game as a net of ANDs over facts and moves.
//!
//! A literal is a node or its opposite, so that an OR is the opposite of an AND of opposites, and there is one kind of
//! gate. Nodes are numbered so that gates come after what they join, each kept once. Relations that depend on
//! themselves are *loops*: variables that begin false and are set to what defines them until nothing changes.

mod build;
pub(crate) mod prove;
pub(crate) mod simplify;

pub(crate) use self::build::{Roots, build};
use crate::chains::{Chains, hash};

/// Twice the number of a node, and one more for its opposite.
pub(crate) type Lit = u32;
pub(crate) type NodeId = u32;

/// What never holds, and what always does.
pub(crate) const FALSE: Lit = 0;
pub(crate) const TRUE: Lit = 1;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// Never true.
    False,
    /// A fact of the state.
    Fact(u32),
    /// This role makes this move.
    Does(u8, u32),
    /// A variable of a loop.
    Loop(u32),
    /// All of some literals.
    And,
}

/// Variables that are set to what defines them until nothing changes.
#[derive(Clone, Default)]
pub(crate) struct Loop {
    pub(crate) variables: Vec<NodeId>,
    pub(crate) definitions: Vec<Lit>,
}

/// The nodes.
#[derive(Default)]
pub(crate) struct Net {
    nodes: Vec<Node>,
    starts: Vec<u32>,
    arguments: Vec<Lit>,
    chains: Chains,
    pub(crate) loops: Vec<Loop>,
    memo: simplify::Memo,
}

impl Net {
    pub(crate) fn new() -> Net {
        let mut net = Net { starts: vec![0], ..Net::default() };
        net.node(Node::False, &[]);
        net
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn kind(&self, node: NodeId) -> Node {
        self.nodes[node as usize]
    }

    /// What a gate joins.
    pub(crate) fn arguments(&self, node: NodeId) -> &[Lit] {
        let (from, end) = (self.starts[node as usize], self.starts[node as usize + 1]);
        &self.arguments[from as usize..end as usize]
    }

    /// The node of a literal if it is a gate, and its arguments.
    pub(crate) fn gate(&self, lit: Lit) -> Option<&[Lit]> {
        (self.kind(lit >> 1) == Node::And).then(|| self.arguments(lit >> 1))
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> u64 {
        64 * self.nodes.len() as u64 + 4 * self.arguments.len() as u64
    }

    fn node(&mut self, kind: Node, arguments: &[Lit]) -> NodeId {
        let tag = match kind {
            Node::False => hash(0, &[]),
            Node::Fact(fact) => hash(1, &[fact]),
            Node::Does(role, mv) => hash(2, &[role.into(), mv]),
            Node::Loop(of) => hash(3, &[of, self.nodes.len() as u32]),
            Node::And => hash(4, arguments),
        };
        let is = |node| self.kind(node) == kind && self.arguments(node) == arguments;
        if !matches!(kind, Node::Loop(_))
            && let Some(node) = self.chains.find(tag, is)
        {
            return node;
        }
        self.nodes.push(kind);
        self.arguments.extend_from_slice(arguments);
        self.starts.push(self.arguments.len() as u32);
        self.chains.add(tag)
    }

    pub(crate) fn fact(&mut self, fact: u32) -> Lit {
        2 * self.node(Node::Fact(fact), &[])
    }

    pub(crate) fn does(&mut self, role: u8, mv: u32) -> Lit {
        2 * self.node(Node::Does(role, mv), &[])
    }

    /// A new variable of a loop, which the caller adds to it.
    pub(crate) fn variable(&mut self, of: u32) -> NodeId {
        self.node(Node::Loop(of), &[])
    }

    /// All of these.
    pub(crate) fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut all: Vec<Lit> = lits.into_iter().filter(|lit| *lit != TRUE).collect();
        all.sort_unstable();
        all.dedup();
        let opposite = all.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        match all[..] {
            [] => TRUE,
            _ if all[0] == FALSE || opposite => FALSE,
            [one] => one,
            _ => 2 * self.node(Node::And, &all),
        }
    }

    /// One of these at least.
    pub(crate) fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.and(lits.into_iter().map(|lit| lit ^ 1)) ^ 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_kept_once_and_as_simple_as_they_are() {
        let mut net = Net::new();
        let [a, b] = [0, 1].map(|fact| net.fact(fact));
        let and = net.and([a, b, TRUE]);
        assert_eq!(and, net.and([b, a, b]));
        assert_eq!([net.and([a, a ^ 1]), net.and([a, FALSE]), net.and([])], [FALSE, FALSE, TRUE]);
        assert_eq!([net.or([a]), net.or([a, a ^ 1]), net.or([])], [a, TRUE, FALSE]);
        let or = net.or([a, b]);
        assert_eq!((or & 1, net.gate(or).unwrap()), (1, &[a ^ 1, b ^ 1][..]));
    }
}
