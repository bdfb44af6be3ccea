//! From rules without variables to a net.

use std::collections::HashMap;

use super::{FALSE, Lit, Loop, Net};
use crate::{
    bounds::Spent,
    ground::{AtomId, Condition, Ground, Meaning},
    report::Mistake,
    stratify::strongly_connected,
    syntax::Span,
    terms::TermId,
};

/// How moves are called that are mere waiting.
const WAITS: [&str; 5] = ["noop", "wait", "pass", "nop", "skip"];

/// What is asked of a net.
#[derive(Clone, Default)]
pub(crate) struct Roots {
    /// The facts of the state, in the order in which they turned up.
    pub(crate) facts: Vec<TermId>,
    /// Whether each holds at the start.
    pub(crate) init: Vec<bool>,
    /// Whether each holds next.
    pub(crate) next: Vec<Lit>,
    pub(crate) terminal: Lit,
    pub(crate) roles: Vec<RoleRoots>,
}

/// What is asked of a net about a role.
#[derive(Clone, Default)]
pub(crate) struct RoleRoots {
    pub(crate) role: TermId,
    /// The moves, and when each is legal.
    pub(crate) moves: Vec<(TermId, Lit)>,
    /// Which moves are mere waiting: one word that no rule asks for, or that is known to mean that.
    pub(crate) waits: Vec<bool>,
    /// The goals, and when each holds.
    pub(crate) goals: Vec<(TermId, Lit)>,
    /// What may be seen, and when it is.
    pub(crate) sees: Vec<(TermId, Lit)>,
}

/// The net of a ground program.
pub(crate) fn build(ground: &Ground, spent: &mut Spent) -> Result<(Net, Roots), Mistake> {
    let mut builder = Builder::new(ground);
    let components = builder.components();
    let mut order: Vec<AtomId> = builder.heads.keys().copied().collect();
    order.sort_by_key(|atom| (components[*atom as usize], *atom));
    for together in order.chunk_by(|a, b| components[*a as usize] == components[*b as usize]) {
        let span = ground.rules[builder.heads[&together[0]].start].2;
        spent
            .step(together.len() as u64)
            .and_then(|()| spent.hold(builder.net.bytes()))
            .map_err(|exceeded| exceeded.at(span, "to make a net of the rules"))?;
        builder.define(together)?;
    }
    let roots = builder.roots();
    Ok((builder.net, roots))
}

struct Builder<'g> {
    ground: &'g Ground,
    net: Net,
    /// The rules of each head.
    heads: HashMap<AtomId, std::ops::Range<usize>>,
    /// The literal of each atom.
    lits: Vec<Lit>,
    roots: Roots,
    moves: HashMap<(TermId, TermId), (u8, u32)>,
    facts: HashMap<TermId, u32>,
}

impl<'g> Builder<'g> {
    fn new(ground: &'g Ground) -> Builder<'g> {
        let mut heads = HashMap::new();
        let mut from = 0;
        for together in ground.rules.chunk_by(|a, b| a.0 == b.0) {
            heads.insert(together[0].0, from..from + together.len());
            from += together.len();
        }
        let roles =
            ground.roles.iter().map(|role| RoleRoots { role: *role, ..RoleRoots::default() });
        let mut builder = Builder {
            ground,
            net: Net::new(),
            heads,
            lits: vec![FALSE; ground.atoms()],
            roots: Roots { roles: roles.collect(), ..Roots::default() },
            moves: HashMap::new(),
            facts: HashMap::new(),
        };
        builder.inputs();
        builder
    }

    /// Facts and moves are what a net begins with.
    fn inputs(&mut self) {
        for atom in 0..self.ground.atoms() as AtomId {
            if !self.ground.may_hold(atom) {
                continue;
            }
            match self.ground.meaning(atom) {
                Meaning::True(fact) => {
                    let number = self.roots.facts.len() as u32;
                    self.roots.facts.push(fact);
                    self.roots.init.push(self.ground.init.contains(&fact));
                    self.facts.insert(fact, number);
                    self.lits[atom as usize] = self.net.fact(number);
                }
                Meaning::Legal(role, mv) => {
                    if let Some(number) = self.ground.roles.iter().position(|one| *one == role) {
                        let moves = &mut self.roots.roles[number].moves;
                        self.moves.insert((role, mv), (number as u8, moves.len() as u32));
                        moves.push((mv, FALSE));
                    }
                }
                _ => {}
            }
        }
        for atom in 0..self.ground.atoms() as AtomId {
            if let Meaning::Does(role, mv) = self.ground.meaning(atom)
                && let Some((role, mv)) = self.moves.get(&(role, mv))
            {
                self.lits[atom as usize] = self.net.does(*role, *mv);
            }
        }
    }

    /// The components of atoms that depend on each other.
    fn components(&self) -> Vec<usize> {
        let arrows: Vec<Vec<usize>> = (0..self.ground.atoms() as AtomId)
            .map(|atom| match self.heads.get(&atom) {
                Some(rules) => (self.ground.rules[rules.clone()].iter())
                    .flat_map(|(_, body, _)| body.iter().map(|one| (*one >> 1) as usize))
                    .collect(),
                None => vec![],
            })
            .collect();
        strongly_connected(&arrows)
    }

    /// Defines atoms that depend on each other, or one.
    fn define(&mut self, atoms: &[AtomId]) -> Result<(), Mistake> {
        let depends = |atom: AtomId| {
            let bodies = self.ground.rules[self.heads[&atom].clone()].iter();
            bodies.flat_map(|(_, body, span)| body.iter().map(move |one| (*one, *span)))
        };
        let inner: Vec<(Condition, Span)> = (atoms.iter().copied().flat_map(depends))
            .filter(|(one, _)| atoms.binary_search(&(one >> 1)).is_ok())
            .collect();
        if let Some((one, span)) = inner.iter().find(|(one, _)| one & 1 == 1) {
            let what = format!("{} depends on its own opposite", self.ground.kif(one >> 1));
            return Err(Mistake::new(*span, what, "what is denied must be known before"));
        }
        if inner.is_empty() {
            let lit = self.definition(atoms[0]);
            self.lits[atoms[0] as usize] = lit;
            return Ok(());
        }
        let number = self.net.loops.len() as u32;
        let variables: Vec<_> = atoms.iter().map(|_| self.net.variable(number)).collect();
        for (atom, variable) in atoms.iter().zip(&variables) {
            self.lits[*atom as usize] = 2 * variable;
        }
        self.net.loops.push(Loop::default());
        let definitions = atoms.iter().map(|atom| self.definition(*atom)).collect();
        self.net.loops[number as usize] = Loop { variables, definitions };
        Ok(())
    }

    /// What the rules of an atom say together.
    fn definition(&mut self, atom: AtomId) -> Lit {
        let rules = self.heads[&atom].clone();
        let mut bodies = vec![];
        for (_, body, _) in &self.ground.rules[rules] {
            let lits = body.iter().map(|one| self.lits[(one >> 1) as usize] ^ (one & 1));
            bodies.push(self.net.and(lits));
        }
        self.net.or(bodies)
    }

    fn roots(&mut self) -> Roots {
        let mut roots = std::mem::take(&mut self.roots);
        roots.next = vec![FALSE; roots.facts.len()];
        let terms = &self.ground.terms;
        let mut asked = vec![false; self.ground.atoms()];
        let conditions = self.ground.rules.iter().flat_map(|(_, body, _)| body.iter());
        conditions.for_each(|one| asked[(one >> 1) as usize] = true);
        for role in &mut roots.roles {
            role.waits = (role.moves.iter())
                .map(|(mv, _)| {
                    let does = self.ground.does(role.role, *mv);
                    let asked = does.is_some_and(|atom| asked[atom as usize]);
                    let known = WAITS.contains(&&**terms.head_name(*mv));
                    terms.arguments(*mv).is_empty() && (known || !asked)
                })
                .collect();
        }
        for atom in 0..self.ground.atoms() as AtomId {
            let lit = self.lits[atom as usize];
            let role = |role| self.ground.roles.iter().position(|one| *one == role);
            match self.ground.meaning(atom) {
                Meaning::Next(fact) => {
                    if let Some(number) = self.facts.get(&fact) {
                        roots.next[*number as usize] = lit;
                    }
                }
                Meaning::Legal(of, mv) => {
                    if let Some((role, number)) = self.moves.get(&(of, mv)) {
                        roots.roles[*role as usize].moves[*number as usize].1 = lit;
                    }
                }
                Meaning::Goal(of, value) if lit != FALSE => {
                    role(of).into_iter().for_each(|of| roots.roles[of].goals.push((value, lit)));
                }
                Meaning::Sees(of, what) if lit != FALSE => {
                    role(of).into_iter().for_each(|of| roots.roles[of].sees.push((what, lit)));
                }
                Meaning::Terminal => roots.terminal = lit,
                _ => {}
            }
        }
        roots
    }
}
