//! Crab Analysis: what perfect play makes of a position, in the words of "the Two Pirates".
//!
//! Islands are positions and bridges are moves. **A label is for the player who has just moved onto
//! the island**, not for the one who moves on:
//!
//! - `G_n`, good: every bridge leads to a P island, or there is none; n is one more than the largest
//!   P index among them, 1 without a bridge. The player to move loses in n - 1 moves.
//! - `P_x`, poor: some bridge leads to a G island; x is one more than the smallest G index among
//!   them. The player to move wins in x - 1 moves.
//! - `T_z`: neither. The player to move has a bridge to a T island, and none to a G island.
//!
//! So G and P are losses and wins seen from the other side, and T is whatever is even: endless
//! play, and ties where a game has them. What is new is the index z of a T island, which tells how
//! dangerous it is for the player who has to move on:
//!
//! - with a bridge to a P island, a *trap*: z is the largest P index among its bridges, the length of
//!   the longest road to ruin that begins here with one mistake;
//! - with bridges to T islands only, z is the smallest z among those, as the greatest solution of
//!   these equations: the smallest trap that can be reached along islands without one;
//! - where no trap can be reached in this way, the source is silent, and z is 0.
//!
//! The alternative to z is the *density* Z = A·N_T + B·N_P + C·Σx, over the bridges to T and to P
//! islands and the indices of the latter ([`Weights`]).
//!
//! The player to move chooses the bridge to a G island with the lowest n; else to a T island with the
//! highest z, or Z; else to the P island with the highest x.
//!
//! Where a move keeps the turn, what counts is its worth to the player who makes it: a mistake is
//! a move that loses, and the index of the island it leads to is the number of moves to the end,
//! that one included, as with any other.

mod islands;
mod judge;
mod literal;
mod traps;

use std::{cmp::Ordering, fmt};

pub use self::islands::{Bridge, Chart, Island, LabelCounts, Wanted};
pub(crate) use self::{judge::Judge, literal::literal, traps::depths};
use crate::{
    Game, Index, Slot, Solution, SolveError, Tiers, Value,
    graph::{Edge, Graph, View, in_runs},
    solve::{Fault, need_memory},
    watch::{Meter, Unwatched, Watch},
};

/// What an island is to the player who has just moved onto it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Good: the player to move loses in one move less than this.
    G(u32),
    /// Poor: the player to move wins in one move less than this.
    P(u32),
    /// Even, with the depth z or the density Z of its traps.
    T(u64),
}

impl Label {
    /// The label of an island whose value to the player to move is known, distance included. `traps` is
    /// its z or Z, which matters only where it is even.
    pub fn new(value: Value, traps: u64) -> Label {
        match value {
            Value::Loss(n) => Label::G(n + 1),
            Value::Win(n) => Label::P(n + 1),
            Value::Tie(_) | Value::Draw => Label::T(traps),
        }
    }

    /// The number in the label.
    pub fn index(self) -> u64 {
        match self {
            Label::G(n) | Label::P(n) => n.into(),
            Label::T(z) => z,
        }
    }

    /// The letter of the label.
    pub fn letter(self) -> char {
        match self {
            Label::G(_) => 'G',
            Label::P(_) => 'P',
            Label::T(_) => 'T',
        }
    }
}

/// G and P as they follow each other along a road, then T.
impl Ord for Label {
    fn cmp(&self, other: &Label) -> Ordering {
        let rank = |label: &Label| (matches!(label, Label::T(_)), label.index(), label.letter());
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Label) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `G3`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.index())
    }
}

/// How good a move is to the player who makes it, by the rule of choice: greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Choice(i8, i64);

impl Choice {
    /// A move that is worth so much to its maker and leads to an island with such traps.
    pub(crate) fn new(worth: Value, traps: u64) -> Choice {
        match worth {
            Value::Win(n) => Choice(1, -i64::from(n)),
            Value::Tie(_) | Value::Draw => Choice(0, i64::try_from(traps).unwrap_or(i64::MAX)),
            Value::Loss(n) => Choice(-1, n.into()),
        }
    }
}

/// How T islands are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// By the depth z of their traps.
    Deepest,
    /// By the density Z of their traps.
    Densest(Weights),
}

/// The weights of the density Z = A·N_T + B·N_P + C·Σx.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A, for each bridge to a T island.
    pub a: u32,
    /// B, for each bridge to a P island.
    pub b: u32,
    /// C, for each index of such a P island.
    pub c: u32,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { a: 1, b: 2, c: 4 }
    }
}

impl Weights {
    /// Whether they rise, C > B > A, as the source recommends.
    pub fn rise(&self) -> bool {
        self.c > self.b && self.b > self.a
    }

    /// Z of an island whose moves are worth so much to the player who makes them. A move that wins is no danger; a T
    /// island has none, except by the literal table.
    pub(crate) fn density<E>(
        self,
        worths: impl IntoIterator<Item = Result<Value, E>>,
    ) -> Result<u64, E> {
        worths.into_iter().try_fold(0, |sum, worth| {
            Ok(sum
                + match worth? {
                    Value::Loss(n) => u64::from(self.b) + u64::from(self.c) * u64::from(n),
                    Value::Tie(_) | Value::Draw => self.a.into(),
                    Value::Win(_) => 0,
                })
        })
    }
}

/// The z of a T island as it is kept in a table: a tie in z moves, or a draw for 0.
pub(crate) fn depth(kept: Value) -> u64 {
    kept.remoteness().unwrap_or(0).into()
}

/// The labels of all islands of a solved game.
pub struct Labels {
    pub(crate) values: Tiers,
    marks: Marks,
}

/// The indices of the T islands.
enum Marks {
    Depths(Tiers),
    /// By tier.
    Densities(Vec<Vec<u64>>),
}

impl Labels {
    /// Labels a game that was solved in memory.
    pub fn of<G: Game, I: Index<G::Position>>(
        game: &G,
        solution: &Solution<I>,
        draws: Draws,
    ) -> Result<Labels, SolveError> {
        let graph = &View::plain(game, &solution.index);
        Labels::in_memory(graph, solution.tiers.clone(), draws, u64::MAX, &Unwatched)
    }

    /// The labels that the literal table would give: P only where *all* bridges lead to G.
    pub fn literally<G: Game, I: Index<G::Position>>(
        game: &G,
        index: &I,
    ) -> Result<Labels, SolveError> {
        let graph = &View::plain(game, index);
        let values = literal(graph, u64::MAX, &Unwatched)?;
        Labels::in_memory(graph, values, Draws::Deepest, u64::MAX, &Unwatched)
    }

    pub(crate) fn in_memory(
        graph: &dyn Graph,
        values: Tiers,
        draws: Draws,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Labels, SolveError> {
        let Draws::Densest(weights) = draws else {
            let mut shelf = Tiers::new(graph.tiers());
            let mut fetch = |tier| Ok(values.tier(tier).expect("all are in memory").clone());
            depths(graph, &mut fetch, &mut shelf, memory, watch)?;
            return Ok(Labels::deep(values, shelf));
        };
        need_memory("weighing traps", graph.total() * 9, memory)?;
        let meter = Meter::new(watch, "weighing traps", None, Some(graph.total()))?;
        let mut marks = vec![];
        for tier in 0..graph.tiers() {
            let runs = in_runs(graph.len(tier), |page, run| {
                meter.add(run.end - run.start)?;
                let (first, mut marks) = (run.start, vec![0; (run.end - run.start) as usize]);
                // Others have none.
                let even = run.filter(|&index| {
                    matches!(values.get(Slot { tier, index }), Some(Value::Tie(1..) | Value::Draw))
                });
                for (index, edges) in page.children(graph, tier, even) {
                    let slot = Slot { tier, index };
                    let worth = |(nth, edge)| worth(graph, &values, slot, nth, edge);
                    let density = weights.density(edges.iter().enumerate().map(worth));
                    marks[(index - first) as usize] = density?;
                }
                Ok::<_, SolveError>(marks)
            })?;
            marks.push(runs.concat());
        }
        Ok(Labels { values, marks: Marks::Densities(marks) })
    }

    /// With depths that are known.
    pub(crate) fn deep(values: Tiers, depths: Tiers) -> Labels {
        Labels { values, marks: Marks::Depths(depths) }
    }

    /// The label of a slot; `None` for a hole.
    pub fn get(&self, slot: Slot) -> Option<Label> {
        let value = self.values.get(slot)?;
        Some(Label::new(value, self.traps(slot)))
    }

    pub(crate) fn traps(&self, slot: Slot) -> u64 {
        match &self.marks {
            Marks::Depths(depths) => depths.get(slot).map_or(0, depth),
            Marks::Densities(marks) => marks[slot.tier as usize][slot.index as usize],
        }
    }
}

/// What the `nth` move from a slot is worth to the player who makes it.
fn worth(
    graph: &dyn Graph,
    values: &Tiers,
    slot: Slot,
    nth: usize,
    edge: &Edge,
) -> Result<Value, SolveError> {
    let value = values.get(edge.to).ok_or_else(|| Fault::astray(graph, slot, nth, edge.to))?;
    Ok(value.back(edge.again))
}
