//! Strategies near an optimal one, one of which may be optimal.
//!
//! An interior-point method comes as close to an optimal strategy as it likes and never gets there:
//! what should be 0 is 1e-12, and a third is wrong in the tenth digit. So what it found is cut off
//! and rounded in several ways. What a strategy guarantees depends on no other strategy: each
//! player's best candidate is looked for alone.

use super::rational::{Fraction, IntegerPayoffs, ShortFraction, distribution};
use crate::{
    rules::Player,
    sequence_form::{Behaviour, SequenceForm, Treeplex},
};

/// A strategy and what it guarantees.
pub(crate) struct Candidate {
    pub behaviour: Behaviour,
    pub guaranteed: f64,
    /// What it guarantees, worked out exactly.
    pub exactly: Option<Fraction>,
}

/// By how much entries of a plan may be wrong.
const ERRORS: [f64; 6] = [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5];

/// Candidates from a plan that is nearly right, those of fractions first.
pub(crate) fn candidates(
    form: &SequenceForm,
    payoffs: Option<&IntegerPayoffs>,
    player: Player,
    plan: &[f64],
) -> Vec<Candidate> {
    let plex = &form.treeplexes[player as usize];
    let (mut rounded, mut cut) = (vec![], vec![]);
    for error in ERRORS {
        let plain = cut_off(plex, plan, error);
        let (behaviour, fractions) = round(plex, &plain, error);
        let exactly = fractions.and_then(|all| payoffs?.guaranteed(&form.treeplexes, player, &all));
        let exactly = exactly.map(Fraction::from);
        rounded.push(Candidate {
            guaranteed: form.guaranteed(player, &behaviour),
            behaviour,
            exactly,
        });
        cut.push(Candidate {
            guaranteed: form.guaranteed(player, &plain),
            behaviour: plain,
            exactly: None,
        });
    }
    rounded.append(&mut cut);
    rounded
}

/// The candidate that guarantees most. Of equals the first.
pub(crate) fn best(candidates: Vec<Candidate>) -> Option<Candidate> {
    let better = |best: Candidate, next: Candidate| {
        let more = match (&best.exactly, &next.exactly) {
            (Some(best), Some(next)) => next > best,
            // A rounding error is no reason to give up a proof.
            (Some(best), None) => next.guaranteed > best.value() + 1e-12,
            (None, Some(next)) => next.value() + 1e-12 >= best.guaranteed,
            (None, None) => next.guaranteed > best.guaranteed,
        };
        if more { next } else { best }
    };
    candidates.into_iter().reduce(better)
}

/// The behaviour of a plan, what is below `least` taken for nothing.
pub(crate) fn cut_off(plex: &Treeplex, plan: &[f64], least: f64) -> Behaviour {
    let mut behaviour = plex.uniform();
    for info_set in 0..plex.info_sets() {
        let kept = |sequence: usize| Some(plan[sequence]).filter(|&r| r >= least).unwrap_or(0.0);
        let total: f64 = plex.at(info_set).map(kept).sum();
        if total > 0.0 {
            for sequence in plex.at(info_set) {
                behaviour[sequence] = kept(sequence) / total;
            }
        }
    }
    behaviour
}

/// The behaviour with fractions for probabilities at each information set where simple ones are close by, and the
/// fractions if that is so wherever the player may come. The less likely that is, the less exactly probabilities are
/// known.
fn round(
    plex: &Treeplex,
    behaviour: &[f64],
    error: f64,
) -> (Behaviour, Option<Vec<ShortFraction>>) {
    let plan = plex.realization_plan(behaviour);
    let (mut rounded, mut all) = (behaviour.to_vec(), true);
    let mut fractions = vec![ShortFraction::ZERO; plex.sequences()];
    for info_set in 0..plex.info_sets() {
        let parent = plan[plex.parent(info_set)];
        if parent == 0.0 {
            continue;
        }
        let near = distribution(&behaviour[plex.at(info_set)], (error / parent).min(0.01));
        all &= near.is_some();
        for (sequence, fraction) in plex.at(info_set).zip(near.into_iter().flatten()) {
            fractions[sequence] = fraction;
            rounded[sequence] = fraction.value();
        }
    }
    (rounded, all.then_some(fractions))
}

/// Where a player does not come by its own choice the behaviour becomes a best response to the other's; moves that
/// are equally good become equally likely.
pub(crate) fn fill_unreached(form: &SequenceForm, player: Player, behaviours: &mut [Behaviour; 2]) {
    let (p, q) = (player as usize, player.other() as usize);
    let plex = &form.treeplexes[p];
    let theirs = form.treeplexes[q].realization_plan(&behaviours[q]);
    let worth = form.best_response_values(player, &theirs);
    let plan = plex.realization_plan(&behaviours[p]);
    for info_set in (0..plex.info_sets()).filter(|&info_set| plan[plex.parent(info_set)] == 0.0) {
        let at = plex.at(info_set);
        let best = worth[at.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let good = |&sequence: &usize| worth[sequence] >= best - 1e-9;
        let even = 1.0 / at.clone().filter(good).count() as f64;
        for sequence in at {
            behaviours[p][sequence] = if good(&sequence) { even } else { 0.0 };
        }
    }
}
