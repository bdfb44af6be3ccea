//! The payoffs of a game as a matrix of sequences, of which equal parts are kept once.
//!
//! The first player's expected payoff is `x' A y`, where `x` and `y` are both players' realization plans and `A` has,
//! for a pair of sequences, the payoffs of all ends to which the two lead, times how likely chance goes there
//! (von Stengel 1996). Everything that works on whole strategies needs `A` for two things only: what each sequence of
//! one player earns against a plan of the other, `A y` and `-A' x`.
//!
//! All histories that lead to the same state have the same future, and the sequences of either player that this
//! future is made of lie at the same distances from where the information set's own begin (see [`Treeplex`]). So the
//! game is cut at a depth: of each state there, the payoffs below it are kept once, as a *block* of rows and columns
//! counted from the information set; of each history that leads there, where either player's information set begins.
//! The depth of the cut is the one at which all this takes the least memory. The tree of histories is never laid out:
//! 3×3 abrupt Dark Hex has 29 billion histories and half a million positions.

mod blocks;
mod cut;
mod fold;
mod size;
mod treeplex;

use crabwise::watch::{Meter, Watch};
use rayon::prelude::*;

use self::{
    blocks::{Block, CutHistory, LANES},
    cut::Partition,
    fold::Folded,
};
pub use self::{
    size::FormSize,
    treeplex::{Behaviour, RealizationPlan, Treeplex},
};
use crate::{
    rules::Player,
    tree::{GameTree, HiddenError, history::Cursor},
};

/// More sequences than this cannot be numbered.
pub(crate) const MAX_SEQUENCES: u64 = u32::MAX as u64 / 2;

/// The payoffs of a game, and both players' sequences.
pub struct SequenceForm {
    /// Both players' sequences.
    pub treeplexes: [Treeplex; 2],
    blocks: Vec<Block>,
    /// For each player the histories at the cut, by part of that player's sequences.
    parts: [Partition; 2],
    folded: Option<Folded>,
}

impl SequenceForm {
    /// Lays out the payoffs of a game, if they fit; folded if that is wanted and the game has a mirror.
    pub fn new(
        tree: &GameTree,
        fold: bool,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<SequenceForm, HiddenError> {
        let size = FormSize::of(tree);
        let needed = size.bytes.saturating_add(tree.states.bytes());
        let [first, second] = size.sequences;
        if needed > memory {
            let what = format!("{} payoffs and {first} + {second} sequences", size.payoffs);
            return Err(HiddenError::Room { what, needed, memory });
        }
        if first.max(second) > MAX_SEQUENCES {
            let (what, memory) = ("more than 2^31 sequences".into(), u64::MAX);
            return Err(HiddenError::Room { what, needed, memory });
        }
        let [one, two] = &tree.states.info_states;
        let mirrors = if fold { one.mirrored().zip(two.mirrored()) } else { None };
        let first = mirrors.as_ref().map(|(first, _)| first);
        let meter = Meter::new(watch, "finding histories", None, None)?;
        let (histories, roots) = cut::walk(tree, size.cut, first, &meter)?;
        let meter = Meter::new(watch, "laying out", None, Some(roots.len() as u64))?;
        let blocks = (roots.par_iter())
            .map(|&node| {
                let block = Block::under(tree, node);
                meter.add(1).map(|()| block)
            })
            .collect::<Result<Vec<Block>, _>>()?;
        let parts = Player::BOTH.map(|player| {
            // Of a history whose image is there too, the second player gets half from either.
            let half = if player == Player::Second && mirrors.is_some() { 0.5 } else { 1.0 };
            let weigh = |&(history, whole): &(CutHistory, bool)| {
                let chance = if whole { history.chance } else { half * history.chance };
                CutHistory { chance, ..history }
            };
            Partition::new(histories.iter().map(weigh).collect(), player, tree)
        });
        meter.add(0)?;
        let folded = mirrors.map(|(first, second)| Folded::new(tree, &[first, second]));
        meter.add(0)?;
        let treeplexes = Player::BOTH.map(|player| Treeplex::new(tree, player));
        meter.add(0)?;
        Ok(SequenceForm { treeplexes, blocks, parts, folded })
    }

    /// A form given by its payoffs, each for a sequence of the first player and one of the second.
    pub fn of(treeplexes: [Treeplex; 2], payoffs: &[([u32; 2], f64)]) -> SequenceForm {
        let sizes = [0, 1].map(|p: usize| treeplexes[p].sequences() as u32);
        let block = Block::new(sizes, payoffs.to_vec());
        let pair =
            CutHistory { block: 0, cursors: [Cursor { incoming: 0, base: 1 }; 2], chance: 1.0 };
        let parts =
            [0, 1].map(|p: usize| Partition { pairs: vec![pair], ranges: vec![(0, sizes[p], 1)] });
        SequenceForm { treeplexes, blocks: vec![block], parts, folded: None }
    }

    /// What each sequence of a player earns by itself against a plan of the other.
    pub fn gradient(&self, player: Player, plan: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        let even = self.folded.as_ref().map(|folded| folded.even(player.other(), plan));
        let plan = even.as_deref().unwrap_or(plan);
        let (p, parts) = (player as usize, &self.parts[player as usize]);
        let (mut tasks, mut rest, mut done, mut first) = (vec![], &mut *gradient, 0, 0);
        for &(begin, end, last) in &parts.ranges {
            let (_, tail) = rest.split_at_mut(begin as usize - done);
            let (own, tail) = tail.split_at_mut((end - begin) as usize);
            tasks.push((own, begin, &parts.pairs[first..last]));
            (rest, done, first) = (tail, end as usize, last);
        }
        tasks.into_par_iter().for_each(|(own, begin, pairs)| {
            self.part(p, plan, own, begin, pairs);
        });
        if let Some(folded) = &self.folded {
            folded.complete(player, gradient);
        }
    }

    fn part(&self, p: usize, plan: &[f64], own: &mut [f64], begin: u32, pairs: &[CutHistory]) {
        let (q, arch) = (1 - p, pulp::Arch::new());
        let (mut from, mut into) = (vec![], vec![]);
        for group in pairs.chunk_by(|a, b| a.block == b.block) {
            let block = &self.blocks[group[0].block as usize];
            let live: Vec<&CutHistory> = (group.iter())
                .filter(|pair| plan[pair.cursors[q].incoming as usize] != 0.0)
                .collect();
            for pairs in live.chunks(LANES) {
                if let [pair] = pairs {
                    block.once(p, pair, plan, own, begin);
                } else {
                    block.gather(q, pairs, plan, &mut from);
                    arch.dispatch(|| block.multiply(p, &from, &mut into));
                    block.scatter(p, pairs, &into, own, begin);
                }
            }
        }
    }

    /// What this form takes behaviours for: a folded one for half of each and half of its mirror image.
    pub fn evened(&self, behaviours: [Behaviour; 2]) -> [Behaviour; 2] {
        let Some(folded) = &self.folded else { return behaviours };
        Player::BOTH.map(|player| {
            let plex = &self.treeplexes[player as usize];
            let plan = plex.realization_plan(&behaviours[player as usize]);
            plex.behaviour(&folded.even(player, &plan))
        })
    }

    /// All payoffs, by pairs of sequences, the first player's first; of a folded form, those that are kept.
    pub fn payoffs(&self) -> Vec<([u32; 2], f64)> {
        let mut all = vec![];
        for pair in &self.parts[0].pairs {
            let place = |p: usize, local: u32| match local {
                0 => pair.cursors[p].incoming,
                _ => pair.cursors[p].base + local - 1,
            };
            self.blocks[pair.block as usize].sides[0].each(|row, column, payoff| {
                all.push(([place(0, row), place(1, column)], payoff * pair.chance));
            });
        }
        all.sort_by_key(|&(at, _)| at);
        blocks::add_equal(&mut all);
        all
    }

    /// The number of payoffs of all histories, at most.
    pub(crate) fn entries(&self) -> u64 {
        let block = |pair: &CutHistory| self.blocks[pair.block as usize].sides[0].columns.len();
        self.parts[0].pairs.iter().map(|pair| block(pair) as u64).sum()
    }
}
