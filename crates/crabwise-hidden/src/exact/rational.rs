//! ShortFractions, and what a strategy guarantees, worked out without rounding.
//!
//! A strategy guarantees what is left of it when the other player answers best: sums,
//! products and comparisons of payoffs and probabilities. If all of them are fractions, so is the
//! result, and if one player guarantees a number that the other guarantees not to exceed, it is the
//! value of the game: that is a proof. Most strategies are told by fractions that fit in 128 bits, which is fast;
//! the others take numbers of any length.
//!
//! Payoffs come as floating-point numbers, a third among them. Each is taken for the simplest
//! fraction that it can be the rounding of; a proof is one about the game with these payoffs.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use crate::{rules::Player, sequence_form::Treeplex};

/// A fraction in lowest terms, of any length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fraction(BigRational);

impl Fraction {
    /// The fraction of two numbers, the second not nothing.
    pub(super) fn of(above: BigInt, below: BigInt) -> Fraction {
        Fraction(BigRational::new(above, below))
    }

    /// The number it is.
    pub fn value(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// What is on the other side of nothing.
    pub(super) fn negated(&self) -> Fraction {
        Fraction(-&self.0)
    }
}

impl From<ShortFraction> for Fraction {
    fn from(short: ShortFraction) -> Fraction {
        Fraction::of(short.numerator.into(), short.denominator.into())
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A fraction in lowest terms that fits in 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ShortFraction {
    numerator: i128,
    /// Above zero.
    denominator: i128,
}

/// How large the denominator of a payoff, or of a probability, may be.
const LARGEST: i128 = 1_000_000;

/// How far rounding may have moved a payoff, in proportion to the greatest.
const ROUNDING: f64 = 1e-13;

impl ShortFraction {
    /// Nothing.
    pub const ZERO: ShortFraction = ShortFraction { numerator: 0, denominator: 1 };

    /// All.
    pub const ONE: ShortFraction = ShortFraction { numerator: 1, denominator: 1 };

    /// The fraction of two numbers, the second above zero.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<ShortFraction> {
        let common = gcd(numerator, denominator);
        (denominator > 0).then(|| ShortFraction {
            numerator: numerator / common,
            denominator: denominator / common,
        })
    }

    /// The number it is.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The fraction of smallest denominator between two numbers, if it is at most `most`.
    ///
    /// As long as no whole number lies between them, both ends begin alike as continued fractions,
    /// and so does the one that is wanted.
    pub fn simplest(low: f64, high: f64, most: i128) -> Option<ShortFraction> {
        if low <= 0.0 && high >= 0.0 {
            return Some(ShortFraction::ZERO);
        }
        if high < 0.0 {
            return ShortFraction::simplest(-high, -low, most)?.times(ShortFraction::new(-1, 1)?);
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
                return ShortFraction::new(last.0, last.1);
            }
            (low, high) = (1.0 / (high - term), 1.0 / (low - term));
        }
    }

    fn plus(self, other: ShortFraction) -> Option<ShortFraction> {
        let denominator = lcm(self.denominator, other.denominator)?;
        let part = |f: ShortFraction| f.numerator.checked_mul(denominator / f.denominator);
        ShortFraction::new(part(self)?.checked_add(part(other)?)?, denominator)
    }

    fn times(self, other: ShortFraction) -> Option<ShortFraction> {
        // What can be cancelled is, first, so that nothing grows without need.
        let a = ShortFraction::new(self.numerator, other.denominator)?;
        let b = ShortFraction::new(other.numerator, self.denominator)?;
        ShortFraction::new(
            a.numerator.checked_mul(b.numerator)?,
            a.denominator.checked_mul(b.denominator)?,
        )
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

/// ShortFractions that sum to 1, each about as close to its probability as `tolerance`, and simple.
pub(crate) fn distribution(probabilities: &[f64], tolerance: f64) -> Option<Vec<ShortFraction>> {
    let simple = |p: f64| ShortFraction::simplest(p - tolerance, p + tolerance, LARGEST);
    let mut all = probabilities.iter().map(|&p| simple(p)).collect::<Option<Vec<_>>>()?;
    let greatest = (0..all.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]))?;
    all[greatest] = ShortFraction::ZERO;
    let others = all.iter().try_fold(ShortFraction::ZERO, |sum, &part| sum.plus(part))?;
    let rest = ShortFraction::new(others.denominator - others.numerator, others.denominator)?;
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
                new.insert(ShortFraction::simplest(payoff - slack, payoff + slack, LARGEST)?);
            }
        }
        let denominator = simple.values().try_fold(1, |all, f| lcm(all, f.denominator))?;
        let whole = |payoff: f64| {
            let ShortFraction { numerator, denominator: below } = simple[&payoff.to_bits()];
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
        behaviour: &[ShortFraction],
    ) -> Option<ShortFraction> {
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
        ShortFraction::new(-gradient[0], common.checked_mul(self.denominator)?)
    }

    /// What a plan guarantees its player, whose entries are whole numbers over a common denominator.
    pub fn guaranteed_by(
        &self,
        treeplexes: &[Treeplex; 2],
        player: Player,
        plan: &[BigInt],
        common: &BigInt,
    ) -> Fraction {
        let (p, q) = (player as usize, player.other() as usize);
        let mut gradient = vec![BigInt::zero(); treeplexes[q].sequences()];
        for &(at, payoff) in &self.payoffs {
            let reach = &plan[at[p] as usize];
            if !reach.is_zero() {
                let payoff = if player == Player::First { -payoff } else { payoff };
                gradient[at[q] as usize] += reach * payoff;
            }
        }
        for info_set in (0..treeplexes[q].info_sets()).rev() {
            let best = gradient[treeplexes[q].at(info_set)].iter().max().cloned();
            gradient[treeplexes[q].parent(info_set)] += best.unwrap_or_default();
        }
        Fraction::of(-gradient.swap_remove(0), common * self.denominator)
    }

    /// Payoffs of pairs of sequences, as multiples of a fraction that is the same for all.
    pub fn entries(&self) -> &[([u32; 2], i64)] {
        &self.payoffs
    }
}

/// The realization plan as whole numbers over a common denominator, and that denominator.
fn realization_plan(plex: &Treeplex, behaviour: &[ShortFraction]) -> Option<(Vec<i128>, i128)> {
    let mut plan = vec![ShortFraction::ZERO; plex.sequences()];
    plan[0] = ShortFraction::ONE;
    let mut common = 1;
    for info_set in 0..plex.info_sets() {
        let parent = plan[plex.parent(info_set)];
        if parent == ShortFraction::ZERO {
            continue;
        }
        for sequence in plex.at(info_set) {
            plan[sequence] = parent.times(behaviour[sequence])?;
            common = lcm(common, plan[sequence].denominator)?;
        }
    }
    let whole = |f: &ShortFraction| f.numerator.checked_mul(common / f.denominator);
    Some((plan.iter().map(whole).collect::<Option<_>>()?, common))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i128, denominator: i128) -> ShortFraction {
        ShortFraction::new(numerator, denominator).unwrap()
    }

    #[test]
    fn the_simplest_fraction_is_found() {
        for denominator in 1..200 {
            for numerator in -200..200 {
                let exact = fraction(numerator, denominator);
                let (low, high) = (exact.value() - 1e-9, exact.value() + 1e-9);
                assert_eq!(ShortFraction::simplest(low, high, 1000), Some(exact));
            }
        }
        assert_eq!(ShortFraction::simplest(0.3, 0.4, 10), Some(fraction(1, 3)));
        assert_eq!(ShortFraction::simplest(0.142, 0.143, 1000), Some(fraction(1, 7)));
        let root = 2.0_f64.sqrt();
        assert_eq!(ShortFraction::simplest(root - 1e-12, root + 1e-12, 1000), None);
        assert_eq!(ShortFraction::simplest(f64::NAN, f64::NAN, 1000), None);
    }

    #[test]
    fn fractions_are_shown_in_lowest_terms() {
        for (above, below, shown) in [(18, 22, "9/11"), (-2, 36, "-1/18"), (4, 4, "1"), (0, 7, "0")]
        {
            assert_eq!(Fraction::from(fraction(above, below)).to_string(), shown);
        }
    }

    /// Also where neither number is one that a computer's kind of number can be.
    #[test]
    fn long_fractions_have_values() {
        let long = BigInt::from(3).pow(2000);
        let third = Fraction::of(-&long, &long * 3 + 1);
        assert!((third.value() + 1.0 / 3.0).abs() < 1e-15, "{}", third.value());
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
        assert_eq!(
            distribution(&[1e-12, 1.0], 1e-9),
            Some(vec![ShortFraction::ZERO, ShortFraction::ONE])
        );
        assert_eq!(distribution(&[0.25, 0.5], 1e-9), None);
    }

    /// Numbers of any length say what those of 128 bits do.
    #[test]
    fn long_and_short_numbers_agree() {
        let form = crate::toys::form(crate::toys::Kuhn);
        let payoffs = IntegerPayoffs::new(&form.payoffs()).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        for player in Player::BOTH {
            let plex = &form.treeplexes[player as usize];
            for _ in 0..100 {
                let mut behaviour = vec![ShortFraction::ONE; plex.sequences()];
                for info_set in 0..plex.info_sets() {
                    let (whole, part) = (random.i128(1..50), random.i128(0..50));
                    let part = fraction(part.min(whole), whole);
                    let at = plex.at(info_set);
                    behaviour[at.start] = part;
                    behaviour[at.start + 1] =
                        fraction(part.denominator - part.numerator, part.denominator);
                }
                let short = payoffs.guaranteed(&form.treeplexes, player, &behaviour).unwrap();
                let (plan, common) = realization_plan(plex, &behaviour).unwrap();
                let plan: Vec<BigInt> = plan.into_iter().map(BigInt::from).collect();
                let common = BigInt::from(common);
                let long = payoffs.guaranteed_by(&form.treeplexes, player, &plan, &common);
                assert_eq!(long, short.into());
            }
        }
    }
}
