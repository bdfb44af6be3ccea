//! Fractions, and what a strategy guarantees, worked out without rounding.
//!
//! A strategy guarantees what is left of it when the other player answers best: sums,
//! products and comparisons of payoffs and probabilities. If all of them are fractions, so is the
//! result, and if one player guarantees a number that the other guarantees not to exceed, it is the
//! value of the game: that is a proof. Numbers are kept in 128 bits, and where those do not suffice
//! there is no proof.
//!
//! Payoffs come as floating-point numbers, a third among them. Each is taken for the simplest
//! fraction that it can be the rounding of; a proof is one about the game with these payoffs.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
};

use crate::{rules::Player, sequence_form::Treeplex};

/// A fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    numerator: i128,
    /// Above zero.
    denominator: i128,
}

/// How large the denominator of a payoff, or of a probability, may be.
const LARGEST: i128 = 1_000_000;

/// How far rounding may have moved a payoff, in proportion to the greatest.
const ROUNDING: f64 = 1e-13;

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    /// All.
    pub const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    /// The fraction of two numbers, the second above zero.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Fraction> {
        let common = gcd(numerator, denominator);
        (denominator > 0)
            .then(|| Fraction { numerator: numerator / common, denominator: denominator / common })
    }

    /// What is above the line.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// What is below the line, above zero.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The number it is.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The fraction of smallest denominator between two numbers, if it is at most `most`.
    ///
    /// As long as no whole number lies between them, both ends begin alike as continued fractions,
    /// and so does the one that is wanted.
    pub fn simplest(low: f64, high: f64, most: i128) -> Option<Fraction> {
        if low <= 0.0 && high >= 0.0 {
            return Some(Fraction::ZERO);
        }
        if high < 0.0 {
            return Fraction::simplest(-high, -low, most)?.times(Fraction::new(-1, 1)?);
        }
        let (mut low, mut high) = (low, high);
        let (mut before, mut last) = ((0_i128, 1_i128), (1_i128, 0_i128));
        loop {
            let whole = low.ceil() <= high;
            let term = if whole { low.ceil() } else { low.floor() };
            if term.is_nan() || term > 1e15 {
                return None;
            }
            let digit = term as i128;
            let next = (
                digit.checked_mul(last.0)?.checked_add(before.0)?,
                digit.checked_mul(last.1)?.checked_add(before.1)?,
            );
            (before, last) = (last, next);
            if last.1 > most {
                return None;
            }
            if whole {
                return Fraction::new(last.0, last.1);
            }
            (low, high) = (1.0 / (high - term), 1.0 / (low - term));
        }
    }

    fn plus(self, other: Fraction) -> Option<Fraction> {
        let denominator = lcm(self.denominator, other.denominator)?;
        let part = |f: Fraction| f.numerator.checked_mul(denominator / f.denominator);
        Fraction::new(part(self)?.checked_add(part(other)?)?, denominator)
    }

    fn times(self, other: Fraction) -> Option<Fraction> {
        // What can be cancelled is, first, so that nothing grows without need.
        let a = Fraction::new(self.numerator, other.denominator)?;
        let b = Fraction::new(other.numerator, self.denominator)?;
        Fraction::new(
            a.numerator.checked_mul(b.numerator)?,
            a.denominator.checked_mul(b.denominator)?,
        )
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            below => write!(f, "{}/{below}", self.numerator),
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1).max(1)
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    (a / gcd(a, b)).checked_mul(b)
}

/// Fractions that sum to 1, each about as close to its probability as `tolerance`, and simple.
pub(crate) fn distribution(probabilities: &[f64], tolerance: f64) -> Option<Vec<Fraction>> {
    let simple = |p: f64| Fraction::simplest(p - tolerance, p + tolerance, LARGEST);
    let mut all = probabilities.iter().map(|&p| simple(p)).collect::<Option<Vec<_>>>()?;
    let greatest = (0..all.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]))?;
    all[greatest] = Fraction::ZERO;
    let others = all.iter().try_fold(Fraction::ZERO, |sum, &part| sum.plus(part))?;
    let rest = Fraction::new(others.denominator - others.numerator, others.denominator)?;
    all[greatest] = rest;
    let close = (rest.value() - probabilities[greatest]).abs() <= 10.0 * tolerance;
    (rest.numerator >= 0 && close).then_some(all)
}

/// The payoffs of a game as whole numbers of a common fraction.
pub(crate) struct IntegerPayoffs {
    payoffs: Vec<([u32; 2], i64)>,
    denominator: i128,
}

impl IntegerPayoffs {
    /// The payoffs, if all are simple fractions.
    pub fn new(payoffs: &[([u32; 2], f64)]) -> Option<IntegerPayoffs> {
        let greatest = payoffs.iter().map(|(_, payoff)| payoff.abs()).fold(0.0, f64::max);
        let slack = greatest * ROUNDING;
        // There are few different ones.
        let mut simple = HashMap::new();
        for &(_, payoff) in payoffs {
            if let Entry::Vacant(new) = simple.entry(payoff.to_bits()) {
                new.insert(Fraction::simplest(payoff - slack, payoff + slack, LARGEST)?);
            }
        }
        let denominator = simple.values().try_fold(1, |all, f| lcm(all, f.denominator))?;
        let whole = |payoff: f64| {
            let Fraction { numerator, denominator: below } = simple[&payoff.to_bits()];
            i64::try_from(numerator.checked_mul(denominator / below)?).ok()
        };
        let payoffs = payoffs.iter().map(|&(at, payoff)| Some((at, whole(payoff)?)));
        Some(IntegerPayoffs { payoffs: payoffs.collect::<Option<_>>()?, denominator })
    }

    /// What a behaviour guarantees its player.
    pub fn guaranteed(
        &self,
        treeplexes: &[Treeplex; 2],
        player: Player,
        behaviour: &[Fraction],
    ) -> Option<Fraction> {
        let (p, q) = (player as usize, player.other() as usize);
        let (plan, common) = realization_plan(&treeplexes[p], behaviour)?;
        let mut gradient = vec![0_i128; treeplexes[q].sequences()];
        for &(at, payoff) in &self.payoffs {
            let payoff = if player == Player::First { -i128::from(payoff) } else { payoff.into() };
            let place = &mut gradient[at[q] as usize];
            *place = place.checked_add(payoff.checked_mul(plan[at[p] as usize])?)?;
        }
        for info_set in (0..treeplexes[q].info_sets()).rev() {
            let best = gradient[treeplexes[q].at(info_set)].iter().copied().max()?;
            let place = &mut gradient[treeplexes[q].parent(info_set)];
            *place = place.checked_add(best)?;
        }
        Fraction::new(-gradient[0], common.checked_mul(self.denominator)?)
    }
}

/// The realization plan as whole numbers over a common denominator, and that denominator.
fn realization_plan(plex: &Treeplex, behaviour: &[Fraction]) -> Option<(Vec<i128>, i128)> {
    let mut plan = vec![Fraction::ZERO; plex.sequences()];
    plan[0] = Fraction::ONE;
    let mut common = 1;
    for info_set in 0..plex.info_sets() {
        let parent = plan[plex.parent(info_set)];
        if parent == Fraction::ZERO {
            continue;
        }
        for sequence in plex.at(info_set) {
            plan[sequence] = parent.times(behaviour[sequence])?;
            common = lcm(common, plan[sequence].denominator)?;
        }
    }
    let whole = |f: &Fraction| f.numerator.checked_mul(common / f.denominator);
    Some((plan.iter().map(whole).collect::<Option<_>>()?, common))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i128, denominator: i128) -> Fraction {
        Fraction::new(numerator, denominator).unwrap()
    }

    #[test]
    fn the_simplest_fraction_is_found() {
        for denominator in 1..200 {
            for numerator in -200..200 {
                let exact = fraction(numerator, denominator);
                let (low, high) = (exact.value() - 1e-9, exact.value() + 1e-9);
                assert_eq!(Fraction::simplest(low, high, 1000), Some(exact));
            }
        }
        assert_eq!(Fraction::simplest(0.3, 0.4, 10), Some(fraction(1, 3)));
        assert_eq!(Fraction::simplest(0.142, 0.143, 1000), Some(fraction(1, 7)));
        let root = 2.0_f64.sqrt();
        assert_eq!(Fraction::simplest(root - 1e-12, root + 1e-12, 1000), None);
        assert_eq!(Fraction::simplest(f64::NAN, f64::NAN, 1000), None);
    }

    #[test]
    fn fractions_are_shown_in_lowest_terms() {
        assert_eq!(fraction(18, 22).to_string(), "9/11");
        assert_eq!(fraction(-2, 36).to_string(), "-1/18");
        assert_eq!(fraction(4, 4).to_string(), "1");
        assert_eq!(fraction(0, 7).to_string(), "0");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = fraction(1, i128::MAX);
        assert_eq!(large.times(fraction(1, 2)), None);
        assert_eq!(large.plus(fraction(1, 2)), None);
        assert_eq!(large.times(fraction(i128::MAX, 2)), Some(fraction(1, 2)));
    }

    #[test]
    fn distributions_sum_to_one() {
        let sevenths = distribution(&[1.0 / 7.0 + 1e-11, 4.0 / 7.0, 2.0 / 7.0], 1e-9).unwrap();
        assert_eq!(sevenths, [fraction(1, 7), fraction(4, 7), fraction(2, 7)]);
        assert_eq!(distribution(&[1e-12, 1.0], 1e-9), Some(vec![Fraction::ZERO, Fraction::ONE]));
        assert_eq!(distribution(&[0.25, 0.5], 1e-9), None);
    }
}
