//! Graphs as games, random ones and others, and a numbering for them.

use std::collections::HashMap;

use crabwise::{Batched, Expansion, Game, Index, Outcome, Slot, Unplay};

/// A game that is nothing but a graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the moves lead; `true` if the mover moves again.
    pub moves: Vec<Vec<(u32, bool)>>,
    /// How it ends where there are no moves.
    pub ends: Vec<Outcome>,
    /// Tiers of vertices, rising along moves.
    pub tiers: Vec<u32>,
}

impl Graph {
    /// Turns alternate, and whoever cannot move loses.
    pub fn of(moves: Vec<Vec<u32>>, tier: impl Fn(u32) -> u32) -> Graph {
        let once = |mut to: Vec<u32>| {
            to.sort();
            to.dedup();
            to.into_iter().map(|to| (to, false)).collect()
        };
        let ends = vec![Outcome::Loss; moves.len()];
        let tiers = (0..moves.len() as u32).map(tier).collect();
        Graph { moves: moves.into_iter().map(once).collect(), ends, tiers }
    }

    /// With `loops`, moves go anywhere inside a tier or to a later one; without, only forwards.
    pub fn random(seed: u64, loops: bool) -> Graph {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.u32(1..60);
        let spread = random.u32(1..5);
        let mut tiers: Vec<u32> = (0..n).map(|_| random.u32(0..spread)).collect();
        tiers.sort();
        let (often_again, degree) = (random.bool(), random.usize(1..5));
        let mut moves = vec![];
        for v in 0..n {
            let first = tiers.iter().position(|tier| *tier == tiers[v as usize]).unwrap() as u32;
            let from = if loops { first } else { v + 1 };
            let mut out = vec![];
            if from < n {
                for _ in 0..random.usize(0..=degree) {
                    out.push((random.u32(from..n), often_again && random.u8(0..4) == 0));
                }
            }
            // Whether the mover goes on is a matter of the two positions, not of the move.
            out.sort();
            out.dedup_by_key(|(to, _)| *to);
            moves.push(out);
        }
        Graph { moves, ends: ends(&mut random, n), tiers }
    }
}

/// How vertices without moves end.
pub fn ends(random: &mut fastrand::Rng, count: u32) -> Vec<Outcome> {
    let end = |_| [Outcome::Loss, Outcome::Loss, Outcome::Tie, Outcome::Win][random.usize(0..4)];
    (0..count).map(end).collect()
}

impl Game for Graph {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, &at: &u32) -> impl IntoIterator<Item = u32> {
        self.moves[at as usize].iter().map(|(to, _)| *to)
    }

    fn play(&self, _at: &u32, to: u32) -> u32 {
        to
    }

    fn over(&self, &at: &u32) -> Option<Outcome> {
        self.moves[at as usize].is_empty().then(|| self.ends[at as usize])
    }

    fn again(&self, &from: &u32, to: &u32) -> bool {
        self.moves[from as usize].contains(&(*to, true))
    }
}

/// Filled list by list, as a net of gates or an array of another language would.
impl Batched for Graph {
    fn expand(&self, positions: &[u32], out: &mut Expansion<u32>) {
        let moves = |at: &u32| &self.moves[*at as usize];
        out.outcomes = positions.iter().map(|at| self.over(at)).collect();
        out.counts = positions.iter().map(|at| moves(at).len() as u32).collect();
        (out.children, out.again) = positions.iter().flat_map(moves).copied().unzip();
    }

    fn batch(&self) -> usize {
        if self.moves.len().is_multiple_of(2) { 5 } else { 1 << 12 }
    }
}

impl Unplay for Graph {
    fn unplay(&self, at: &u32) -> impl IntoIterator<Item = u32> {
        let leads = |from: &u32| self.moves[*from as usize].iter().any(|(to, _)| to == at);
        (0..self.moves.len() as u32).filter(leads).collect::<Vec<_>>()
    }
}

/// The vertices of a graph by tier, with a hole after each.
pub struct Vertices {
    by_tier: Vec<Vec<u32>>,
    slots: HashMap<u32, Slot>,
    loopy: bool,
}

impl Vertices {
    /// The tiers of a graph whose moves all lead to later ones.
    pub fn tiered(game: &Graph) -> Vertices {
        Vertices { loopy: false, ..Vertices::of(game, true) }
    }

    pub fn of(game: &Graph, loopy: bool) -> Vertices {
        let mut index = Vertices { by_tier: vec![], slots: HashMap::new(), loopy };
        for (v, &tier) in (0..).zip(&game.tiers) {
            // Without loops inside tiers every vertex is a tier of its own.
            let tier = if loopy { tier as usize } else { v as usize };
            index.by_tier.resize(index.by_tier.len().max(tier + 1), vec![]);
            let place = 2 * index.by_tier[tier].len() as u64;
            index.slots.insert(v, Slot { tier: tier as u32, index: place });
            index.by_tier[tier].push(v);
        }
        index
    }
}

impl Index<u32> for Vertices {
    fn tiers(&self) -> u32 {
        self.by_tier.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        2 * self.by_tier[tier as usize].len() as u64
    }

    fn slot(&self, at: &u32) -> Slot {
        self.slots[at]
    }

    fn position(&self, slot: Slot) -> Option<u32> {
        let place = slot.index.is_multiple_of(2).then_some(slot.index as usize / 2)?;
        Some(self.by_tier[slot.tier as usize][place])
    }

    fn loopy(&self, _tier: u32) -> bool {
        self.loopy
    }

    fn name(&self) -> String {
        "vertices".into()
    }
}

/// Two copies of a graph, that a move leads from one to the other where the numbers of its ends say so. A vertex
/// and its copy share a slot.
pub struct Copies {
    graph: Graph,
    index: Vertices,
}

impl Copies {
    pub fn of(graph: &Graph) -> Copies {
        Copies { graph: graph.clone(), index: Vertices::of(graph, true) }
    }
}

impl Game for Copies {
    type Position = (u32, bool);
    type Move = u32;

    fn start(&self) -> (u32, bool) {
        (0, false)
    }

    fn moves(&self, (at, _): &(u32, bool)) -> impl IntoIterator<Item = u32> {
        self.graph.moves(at)
    }

    fn play(&self, &(at, copy): &(u32, bool), to: u32) -> (u32, bool) {
        (to, copy ^ (at + to).is_multiple_of(5))
    }

    fn over(&self, (at, _): &(u32, bool)) -> Option<Outcome> {
        self.graph.over(at)
    }

    fn again(&self, (from, _): &(u32, bool), (to, _): &(u32, bool)) -> bool {
        self.graph.again(from, to)
    }
}

impl Unplay for Copies {
    fn unplay(&self, &(at, copy): &(u32, bool)) -> impl IntoIterator<Item = (u32, bool)> {
        let origins = self.graph.unplay(&at).into_iter();
        origins.map(|from| (from, copy ^ (from + at).is_multiple_of(5))).collect::<Vec<_>>()
    }
}

impl Index<(u32, bool)> for Copies {
    fn tiers(&self) -> u32 {
        self.index.tiers()
    }

    fn len(&self, tier: u32) -> u64 {
        self.index.len(tier)
    }

    fn slot(&self, (at, _): &(u32, bool)) -> Slot {
        self.index.slot(at)
    }

    fn position(&self, slot: Slot) -> Option<(u32, bool)> {
        self.index.position(slot).map(|at| (at, false))
    }

    fn orbit(&self, &(at, _): &(u32, bool)) -> Vec<(u32, bool)> {
        vec![(at, false), (at, true)]
    }

    fn images(&self, &(at, copy): &(u32, bool)) -> Vec<(u32, bool)> {
        vec![(at, copy), (at, !copy)]
    }

    fn max_orbit(&self) -> u32 {
        2
    }

    fn name(&self) -> String {
        "copies".into()
    }
}
