//! Strategies near an optimal one, one of which may be optimal.
//!
//! An interior-point method comes as close to an optimal strategy as it likes and never gets there:
//! what should be 0 is 1e-12, and a third is wrong in the tenth digit. So what it found is cut off
//! and rounded in several ways. What a strategy is sure of depends on no other strategy: each
//! player's best candidate is looked for alone.

use super::{
    Form, Player, Plex,
    rational::{Fraction, Whole, distribution},
};

/// A strategy and what it is sure of.
pub(super) struct Candidate {
    pub behaviour: Vec<f64>,
    pub sure: f64,
    /// What it is sure of, worked out exactly.
    pub exactly: Option<Fraction>,
}

/// Reaches that are off by no more than this may be wrong.
const ERRORS: [f64; 6] = [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5];

/// Candidates from a reach that is nearly right, those of fractions first.
pub(super) fn candidates(
    form: &Form,
    whole: Option<&Whole>,
    player: Player,
    reach: &[f64],
) -> Vec<Candidate> {
    let plex = &form.plexes[player as usize];
    let (mut rounded, mut cut) = (vec![], vec![]);
    for error in ERRORS {
        let plain = cut_off(plex, reach, error);
        let (behaviour, fractions) = round(plex, &plain, error);
        let exactly = fractions.and_then(|all| whole?.sure(&form.plexes, player, &all));
        rounded.push(Candidate { sure: form.sure(player, &behaviour), behaviour, exactly });
        cut.push(Candidate { sure: form.sure(player, &plain), behaviour: plain, exactly: None });
    }
    rounded.append(&mut cut);
    rounded
}

/// The candidate that is sure of most. Of equals the first.
pub(super) fn best(candidates: Vec<Candidate>) -> Option<Candidate> {
    let better = |best: Candidate, next: Candidate| {
        let more = match (best.exactly, next.exactly) {
            (Some(best), Some(next)) => next.value() > best.value(),
            // A rounding error is no reason to give up a proof.
            (Some(best), None) => next.sure > best.value() + 1e-12,
            (None, Some(next)) => next.value() + 1e-12 >= best.sure,
            (None, None) => next.sure > best.sure,
        };
        if more { next } else { best }
    };
    candidates.into_iter().reduce(better)
}

/// The behaviour of a reach, what is below `least` taken for nothing.
pub(super) fn cut_off(plex: &Plex, reach: &[f64], least: f64) -> Vec<f64> {
    let mut behaviour = plex.uniform();
    for view in 0..plex.views() {
        let kept = |sequence: usize| Some(reach[sequence]).filter(|&r| r >= least).unwrap_or(0.0);
        let total: f64 = plex.at(view).map(kept).sum();
        if total > 0.0 {
            for sequence in plex.at(view) {
                behaviour[sequence] = kept(sequence) / total;
            }
        }
    }
    behaviour
}

/// The behaviour with fractions for probabilities at each view where simple ones are close by, and
/// the fractions if that is so at all views that are reached. The less a view is reached, the less
/// exactly its probabilities are known.
fn round(plex: &Plex, behaviour: &[f64], error: f64) -> (Vec<f64>, Option<Vec<Fraction>>) {
    let mut reach = vec![0.0; plex.sequences()];
    plex.reach(behaviour, &mut reach);
    let (mut rounded, mut all) = (behaviour.to_vec(), true);
    let mut fractions = vec![Fraction::ZERO; plex.sequences()];
    for view in 0..plex.views() {
        let parent = reach[plex.parent(view)];
        if parent == 0.0 {
            continue;
        }
        let near = distribution(&behaviour[plex.at(view)], (error / parent).min(0.01));
        all &= near.is_some();
        for (sequence, fraction) in plex.at(view).zip(near.into_iter().flatten()) {
            fractions[sequence] = fraction;
            rounded[sequence] = fraction.value();
        }
    }
    (rounded, all.then_some(fractions))
}

/// Views to which a player does not come by the player's own choice: there the behaviour becomes a
/// best answer to the other's, moves that are equally good being equally likely.
pub(super) fn fill_unreached(form: &Form, player: Player, behaviours: &mut [Vec<f64>; 2]) {
    let (p, q) = (player as usize, player.other() as usize);
    let plex = &form.plexes[p];
    let mut theirs = vec![0.0; form.plexes[q].sequences()];
    form.plexes[q].reach(&behaviours[q], &mut theirs);
    let mut worth = vec![0.0; plex.sequences()];
    form.gradient(player, &theirs, &mut worth);
    plex.best(&mut worth);
    let mut reach = vec![0.0; plex.sequences()];
    plex.reach(&behaviours[p], &mut reach);
    for view in (0..plex.views()).filter(|&view| reach[plex.parent(view)] == 0.0) {
        let at = plex.at(view);
        let best = worth[at.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let good = |&sequence: &usize| worth[sequence] >= best - 1e-9;
        let even = 1.0 / at.clone().filter(good).count() as f64;
        for sequence in at {
            behaviours[p][sequence] = if good(&sequence) { even } else { 0.0 };
        }
    }
}

impl Form {
    /// What a player is sure of by a behaviour, in the player's own payoffs.
    pub(super) fn sure(&self, player: Player, behaviour: &[f64]) -> f64 {
        let (plex, other) = (&self.plexes[player as usize], &self.plexes[player.other() as usize]);
        let mut reach = vec![0.0; plex.sequences()];
        plex.reach(behaviour, &mut reach);
        let mut gradient = vec![0.0; other.sequences()];
        self.gradient(player.other(), &reach, &mut gradient);
        -other.best(&mut gradient)
    }
}
