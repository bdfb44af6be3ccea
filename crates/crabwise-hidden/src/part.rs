//! A part of a game that is enough to solve it.
//!
//! If both players keep to some of their sequences, and optimal strategies of what is left stay
//! best answers when both may do everything again, they are optimal. So a small part is solved,
//! best answers in the whole game are added to it, and that is repeated until there is nothing to
//! add ("double oracle"). A pure strategy has few sequences, and of most games a small part is
//! enough.
//!
//! A part has, of each view that a kept sequence leads to, at least one sequence: it is a game.

use super::{Form, Player, Plex, tidy};

/// Which sequences of a game are kept.
pub(super) struct Part {
    kept: [Vec<bool>; 2],
    /// The sum of all reaches that were answered so far. By it the choice is made among moves that
    /// are equally good, as they all are where the other player never lets one come.
    past: [Vec<f64>; 2],
}

/// A part of a game as a game of its own.
pub(super) struct Game {
    pub plexes: [Plex; 2],
    pub payoffs: Vec<([u32; 2], f64)>,
    /// Its sequences in the whole game.
    sequences: [Vec<u32>; 2],
    /// The number of sequences in the whole game.
    sizes: [usize; 2],
}

/// A reach below this is none, and a gain below this no reason to add a sequence.
const NOTHING: f64 = 1e-9;

impl Part {
    /// The whole game.
    pub fn all(form: &Form) -> Part {
        let kept = form.plexes.each_ref().map(|plex| vec![true; plex.sequences()]);
        Part { kept, past: form.plexes.each_ref().map(|plex| vec![0.0; plex.sequences()]) }
    }

    /// Best answers to players who make all moves equally likely.
    pub fn begin(form: &Form) -> Part {
        let mut part = Part::all(form);
        part.kept.iter_mut().for_each(|kept| kept[1..].fill(false));
        let uniform = form.plexes.each_ref().map(|plex| {
            let mut reach = vec![0.0; plex.sequences()];
            plex.reach(&plex.uniform(), &mut reach);
            reach
        });
        part.grow(form, &uniform);
        part
    }

    /// Adds best answers to both reaches, and says whether that was anything.
    pub fn grow(&mut self, form: &Form, reaches: &[Vec<f64>; 2]) -> bool {
        if self.kept.iter().flatten().all(|&kept| kept) {
            return false;
        }
        let mut clean = reaches.clone();
        for (p, plex) in form.plexes.iter().enumerate() {
            plex.reach(&tidy::cut_off(plex, &reaches[p], NOTHING), &mut clean[p]);
            self.past[p].iter_mut().zip(&clean[p]).for_each(|(past, reach)| *past += reach);
        }
        let mut grown = false;
        for player in Player::BOTH {
            let other = player.other() as usize;
            let [worth, before] = [&clean[other], &self.past[other]].map(|reach| {
                let mut worth = vec![0.0; form.plexes[player as usize].sequences()];
                form.gradient(player, reach, &mut worth);
                form.plexes[player as usize].best(&mut worth);
                worth
            });
            let p = player as usize;
            grown |= add(&form.plexes[p], &mut self.kept[p], &worth, &before);
        }
        grown
    }

    /// The part as a game.
    pub fn game(&self, form: &Form, payoffs: &[([u32; 2], f64)]) -> Game {
        let numbers = self.kept.each_ref().map(|kept| {
            let mut next = 0;
            let number = |&kept: &bool| {
                next += u32::from(kept);
                if kept { next - 1 } else { GONE }
            };
            kept.iter().map(number).collect::<Vec<u32>>()
        });
        let plexes = [0, 1].map(|p: usize| form.plexes[p].only(&numbers[p]));
        let place = |at: [u32; 2]| [0, 1].map(|p: usize| numbers[p][at[p] as usize]);
        let inside = payoffs.iter().map(|&(at, payoff)| (place(at), payoff));
        let payoffs = inside.filter(|(at, _)| !at.contains(&GONE)).collect();
        let sequences = self.kept.each_ref().map(|kept| {
            (0..kept.len() as u32).filter(|&sequence| kept[sequence as usize]).collect()
        });
        let sizes = self.kept.each_ref().map(|kept| kept.len());
        Game { plexes, payoffs, sequences, sizes }
    }
}

const GONE: u32 = u32::MAX;

/// Keeps the best move at each view that a kept sequence leads to, if it is better than those that
/// are.
fn add(plex: &Plex, kept: &mut [bool], worth: &[f64], before: &[f64]) -> bool {
    let mut added = false;
    for view in 0..plex.views() {
        if !kept[plex.parent(view)] {
            continue;
        }
        let most = |of: &mut dyn Iterator<Item = usize>| {
            of.map(|sequence| worth[sequence]).fold(f64::NEG_INFINITY, f64::max)
        };
        let best = most(&mut plex.at(view));
        if most(&mut plex.at(view).filter(|&sequence| kept[sequence])) >= best - NOTHING {
            continue;
        }
        let good = plex.at(view).rev().filter(|&sequence| worth[sequence] >= best - NOTHING);
        if let Some(first) = good.max_by(|&a, &b| before[a].total_cmp(&before[b])) {
            kept[first] = true;
            added = true;
        }
    }
    added
}

impl Plex {
    /// The sequences that have a number, and the views that they are of.
    fn only(&self, numbers: &[u32]) -> Plex {
        let mut plex = Plex { first: vec![], parent: vec![], mind: vec![] };
        let mut next = 1;
        for view in 0..self.views() {
            let count = numbers[self.at(view)].iter().filter(|&&number| number != GONE).count();
            if count > 0 {
                plex.first.push(next);
                plex.parent.push(numbers[self.parent(view)]);
                plex.mind.push(self.mind[view]);
                next += count as u32;
            }
        }
        plex.first.push(next);
        plex
    }
}

impl Game {
    /// Reaches in the part as reaches in the whole game.
    pub fn lift(&self, reaches: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
        [0, 1].map(|p: usize| {
            let mut reach = vec![0.0; self.sizes[p]];
            for (&sequence, &reached) in self.sequences[p].iter().zip(&reaches[p]) {
                reach[sequence as usize] = reached;
            }
            reach
        })
    }
}
