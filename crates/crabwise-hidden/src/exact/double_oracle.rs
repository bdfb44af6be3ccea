//! The double-oracle method on sequences: a restricted game that grows until it is enough.
//!
//! If both players keep to some of their sequences, and optimal strategies of what is left stay best responses when
//! both may do everything again, they are optimal. So a small restricted game is solved, best responses in the whole
//! game are added to it, and that is repeated until there is nothing to add (Bošanský, Kiekintveld, Lisý, Pěchouček
//! 2014). A pure strategy has few sequences, and of most games a small part is enough.
//!
//! Of each information set that a kept sequence leads to at least one sequence is kept, so that what is left is a
//! game.

use super::rounding;
use crate::{
    rules::Player,
    sequence_form::{RealizationPlan, SequenceForm, Treeplex},
};

/// Which sequences of a game are kept.
pub(crate) struct Restriction {
    kept: [Vec<bool>; 2],
    /// The sum of all plans that were responded to so far. It chooses among moves that are equally good, as all moves
    /// are where the other player never lets one come.
    past: [RealizationPlan; 2],
}

/// What is kept, as a game of its own.
pub(crate) struct RestrictedGame {
    pub treeplexes: [Treeplex; 2],
    pub payoffs: Vec<([u32; 2], f64)>,
    /// Its sequences in the whole game.
    sequences: [Vec<u32>; 2],
    /// The number of sequences in the whole game.
    sizes: [usize; 2],
}

/// A reach below this is none, and a gain below this no reason to add a sequence.
const NOTHING: f64 = 1e-9;

impl Restriction {
    /// The whole game.
    pub fn all(form: &SequenceForm) -> Restriction {
        let kept = form.treeplexes.each_ref().map(|plex| vec![true; plex.sequences()]);
        Restriction {
            kept,
            past: form.treeplexes.each_ref().map(|plex| vec![0.0; plex.sequences()]),
        }
    }

    /// Best responses to players who make all moves equally likely.
    pub fn begin(form: &SequenceForm) -> Restriction {
        let mut part = Restriction::all(form);
        part.kept.iter_mut().for_each(|kept| kept[1..].fill(false));
        let uniform = form.treeplexes.each_ref().map(|plex| plex.realization_plan(&plex.uniform()));
        part.grow(form, &uniform);
        part
    }

    /// Adds best responses to both plans; false if they were all there.
    pub fn grow(&mut self, form: &SequenceForm, plans: &[RealizationPlan; 2]) -> bool {
        if self.kept.iter().flatten().all(|&kept| kept) {
            return false;
        }
        let clean = [0, 1].map(|p: usize| {
            let plex = &form.treeplexes[p];
            plex.realization_plan(&rounding::cut_off(plex, &plans[p], NOTHING))
        });
        for (past, clean) in self.past.iter_mut().zip(&clean) {
            past.iter_mut().zip(clean).for_each(|(past, reach)| *past += reach);
        }
        let mut grown = false;
        for player in Player::BOTH {
            let other = player.other() as usize;
            let [worth, before] = [&clean[other], &self.past[other]]
                .map(|plan| form.best_response_values(player, plan));
            let p = player as usize;
            grown |= add(&form.treeplexes[p], &mut self.kept[p], &worth, &before);
        }
        grown
    }

    /// What is kept, as a game.
    pub fn game(&self, form: &SequenceForm, payoffs: &[([u32; 2], f64)]) -> RestrictedGame {
        let numbers = self.kept.each_ref().map(|kept| {
            let mut next = 0;
            let number = |&kept: &bool| {
                next += u32::from(kept);
                if kept { next - 1 } else { GONE }
            };
            kept.iter().map(number).collect::<Vec<u32>>()
        });
        let treeplexes = [0, 1].map(|p: usize| form.treeplexes[p].only(&numbers[p]));
        let place = |at: [u32; 2]| [0, 1].map(|p: usize| numbers[p][at[p] as usize]);
        let inside = payoffs.iter().map(|&(at, payoff)| (place(at), payoff));
        let payoffs = inside.filter(|(at, _)| !at.contains(&GONE)).collect();
        let sequences = self.kept.each_ref().map(|kept| {
            (0..kept.len() as u32).filter(|&sequence| kept[sequence as usize]).collect()
        });
        let sizes = self.kept.each_ref().map(|kept| kept.len());
        RestrictedGame { treeplexes, payoffs, sequences, sizes }
    }
}

const GONE: u32 = u32::MAX;

/// Keeps the best move at each information set that a kept sequence leads to, if it is better than those that
/// are.
fn add(plex: &Treeplex, kept: &mut [bool], worth: &[f64], before: &[f64]) -> bool {
    let mut added = false;
    for info_set in 0..plex.info_sets() {
        if !kept[plex.parent(info_set)] {
            continue;
        }
        let most = |of: &mut dyn Iterator<Item = usize>| {
            of.map(|sequence| worth[sequence]).fold(f64::NEG_INFINITY, f64::max)
        };
        let best = most(&mut plex.at(info_set));
        if most(&mut plex.at(info_set).filter(|&sequence| kept[sequence])) >= best - NOTHING {
            continue;
        }
        let good = plex.at(info_set).rev().filter(|&sequence| worth[sequence] >= best - NOTHING);
        if let Some(first) = good.max_by(|&a, &b| before[a].total_cmp(&before[b])) {
            kept[first] = true;
            added = true;
        }
    }
    added
}

impl Treeplex {
    /// The sequences that have a number, and the information sets that they are of.
    fn only(&self, numbers: &[u32]) -> Treeplex {
        let mut plex = Treeplex { first: vec![], parent: vec![], info_state: vec![] };
        let mut next = 1;
        for info_set in 0..self.info_sets() {
            let count = numbers[self.at(info_set)].iter().filter(|&&number| number != GONE).count();
            if count > 0 {
                plex.first.push(next);
                plex.parent.push(numbers[self.parent(info_set)]);
                plex.info_state.push(self.info_state[info_set]);
                next += count as u32;
            }
        }
        plex.first.push(next);
        plex
    }
}

impl RestrictedGame {
    /// Plans in the restricted game as plans in the whole game.
    pub fn lift(&self, plans: &[RealizationPlan; 2]) -> [RealizationPlan; 2] {
        Player::BOTH.map(|player| self.lift_one(player, &plans[player as usize]))
    }

    /// What a player's sequences have, in the whole game; those that are not kept have nothing.
    pub fn lift_one<T: Copy + Default>(&self, player: Player, of: &[T]) -> Vec<T> {
        let mut whole = vec![T::default(); self.sizes[player as usize]];
        for (&sequence, &one) in self.sequences[player as usize].iter().zip(of) {
            whole[sequence as usize] = one;
        }
        whole
    }
}
