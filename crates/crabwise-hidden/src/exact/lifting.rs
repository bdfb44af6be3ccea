//! Solutions of sparse systems of whole numbers, as fractions of any length.
//!
//! One elimination modulo a prime gives the last digit of every unknown, in the system to the base of the prime; what
//! is left of the right side, divided by the prime, is a right side for the digit before it (Dixon 1982). No number is
//! longer than 128 bits on the way. Fractions with short numerators and denominators are told by some of their digits:
//! by Euclid's algorithm, which goes through the fractions that have these digits (Wang 1981).
//!
//! Whether there are digits enough is guessed: a fraction that is much shorter than its digits is no accident. What
//! comes out is therefore a claim, and who uses it checks it.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::elimination::{Factors, PRIME, SparseMatrix, residue};
use crabwise::watch::{Meter, Stop};

/// Whole numbers over a common denominator.
pub(super) struct CommonFractions {
    pub numerators: Vec<BigInt>,
    pub denominator: BigInt,
}

/// Digits that are found at first, and at most: a million bits.
const DIGITS: [usize; 2] = [8, 1 << 14];

/// A fraction that is shorter than its digits by so many bits is no accident.
const SURE: u64 = 80;

/// The first `wanted` unknowns of a system, if the equations tell them; the others that are not told are nothing.
pub(super) fn solve(
    matrix: &SparseMatrix,
    right: &[i64],
    wanted: usize,
    meter: &Meter,
) -> Result<Option<CommonFractions>, Stop> {
    let Some(factors) = Factors::new(matrix, meter)? else { return Ok(None) };
    if factors.told[..wanted].contains(&false) {
        return Ok(None);
    }
    let mut left: Vec<i128> = right.iter().map(|&right| right.into()).collect();
    let (mut digits, [mut enough, most]) = (vec![], DIGITS);
    while enough <= most {
        while digits.len() < enough {
            meter.add(1)?;
            digits.push(next_digit(matrix, &factors, &mut left));
        }
        if let Some(found) = read(&digits, wanted, meter)? {
            return Ok(Some(found));
        }
        enough += enough / 2;
    }
    Ok(None)
}

/// The next digit of each unknown; what is left of the right sides is what the digits before it are to tell.
fn next_digit(matrix: &SparseMatrix, factors: &Factors, left: &mut [i128]) -> Vec<u64> {
    let mut residues: Vec<u64> = left.iter().map(|&left| residue(left)).collect();
    let digit = factors.solve(&mut residues);
    for row in factors.telling() {
        let entries = matrix.rows[row].iter();
        let sum =
            entries.map(|&(column, entry)| i128::from(entry) * i128::from(digit[column as usize]));
        left[row] = (left[row] - sum.sum::<i128>()) / i128::from(PRIME);
    }
    digit
}

/// The fractions that have these digits, if they are short enough.
fn read(
    digits: &[Vec<u64>],
    wanted: usize,
    meter: &Meter,
) -> Result<Option<CommonFractions>, Stop> {
    let powers = powers(digits.len());
    let modulus = BigInt::from(PRIME).pow(digits.len() as u32);
    let mut found = CommonFractions { numerators: vec![], denominator: BigInt::one() };
    for column in 0..wanted {
        meter.add(1)?;
        let number = number(&digits.iter().map(|digit| digit[column]).collect::<Vec<_>>(), &powers);
        // One denominator is often that of all.
        let scaled = symmetric(number * &found.denominator % &modulus, &modulus);
        if scaled.bits() + found.denominator.bits() + SURE < modulus.bits() {
            found.numerators.push(scaled);
            continue;
        }
        let Some((above, below)) = reconstruct(&scaled, &modulus) else { return Ok(None) };
        found.numerators.iter_mut().for_each(|numerator| *numerator *= &below);
        found.denominator *= below;
        found.numerators.push(above);
    }
    let longest = found.numerators.iter().map(BigInt::bits).max().unwrap_or(0);
    let sure = longest + found.denominator.bits() + SURE < modulus.bits();
    Ok(sure.then_some(found))
}

/// The prime to the powers of 1, 2, 4, … as far as so many digits need them.
fn powers(digits: usize) -> Vec<BigInt> {
    let mut powers = vec![BigInt::from(PRIME)];
    while 1 << powers.len() < digits {
        let last = &powers[powers.len() - 1];
        powers.push(last * last);
    }
    powers
}

/// The number that has these digits, the last one first.
fn number(digits: &[u64], powers: &[BigInt]) -> BigInt {
    match digits {
        [] => BigInt::zero(),
        [digit] => BigInt::from(*digit),
        _ => {
            let half = digits.len().next_power_of_two() / 2;
            let (low, high) = digits.split_at(half);
            number(low, powers) + number(high, powers) * &powers[half.trailing_zeros() as usize]
        }
    }
}

/// The representative nearest to nothing.
fn symmetric(number: BigInt, modulus: &BigInt) -> BigInt {
    let number = if number.is_negative() { number + modulus } else { number };
    if &number * 2 > *modulus { number - modulus } else { number }
}

/// The fraction with a short numerator and a short denominator above zero that is a number modulo another.
fn reconstruct(number: &BigInt, modulus: &BigInt) -> Option<(BigInt, BigInt)> {
    let bound = (modulus / 2_u8).sqrt();
    let (mut before, mut last) = (modulus.clone(), number.abs());
    let (mut below_before, mut below) = (BigInt::zero(), BigInt::one());
    while last > bound {
        let quotient = &before / &last;
        let rest = &before - &quotient * &last;
        (before, last) = (last, rest);
        let next = &below_before - quotient * &below;
        (below_before, below) = (below, next);
    }
    let negative = number.is_negative() != below.is_negative();
    let (above, below) = (if negative { -last } else { last }, below.abs());
    (above.bits() + below.bits() + SURE < modulus.bits()).then_some((above, below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::watch::Unwatched;

    /// Cramer's rule for systems of two unknowns, which is the definition.
    #[test]
    fn small_systems_are_solved_as_by_cramer() {
        let meter = Meter::new(&Unwatched, "fractions", None, None).unwrap();
        for entries in 0..7_i64.pow(4) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|place| entries / 7_i64.pow(place) % 7 - 3);
            let (right, determinant) = ([5, -11], a * d - b * c);
            let row = |row: [i64; 2]| vec![(0, row[0]), (1, row[1])];
            let matrix = SparseMatrix { rows: vec![row([a, b]), row([c, d])], width: 2 };
            let found = solve(&matrix, &right, 2, &meter).unwrap();
            assert_eq!(found.is_some(), determinant != 0, "{a} {b} {c} {d}");
            let Some(found) = found else { continue };
            let cramer = [right[0] * d - b * right[1], a * right[1] - right[0] * c];
            for (numerator, wanted) in found.numerators.iter().zip(cramer) {
                assert_eq!(numerator * determinant, &found.denominator * wanted);
            }
        }
    }

    /// The equations of random large systems hold for what is found, whose numbers are hundreds of digits long.
    #[test]
    fn large_systems_are_solved() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let meter = Meter::new(&Unwatched, "fractions", None, None).unwrap();
        let size = 120;
        let mut rows = vec![];
        for i in 0..size {
            let mut row = vec![(i, random.i64(1..1000))];
            for _ in 0..4 {
                let column = random.u32(0..size);
                if row.iter().all(|&(known, _)| known != column) {
                    row.push((column, random.i64(-1000..1000)));
                }
            }
            row.sort_unstable();
            rows.push(row);
        }
        // One more equation that follows from the others tells nothing.
        rows.push(rows[0].clone());
        let mut right: Vec<i64> = (0..size).map(|_| random.i64(-9..9)).collect();
        right.push(right[0]);
        let matrix = SparseMatrix { rows, width: size as usize };
        let found = solve(&matrix, &right, size as usize, &meter).unwrap().unwrap();
        assert!(found.denominator.bits() > 500, "{}", found.denominator);
        for (row, right) in matrix.rows.iter().zip(right) {
            let entries = row.iter();
            let sum: BigInt =
                entries.map(|&(column, entry)| &found.numerators[column as usize] * entry).sum();
            assert_eq!(sum, &found.denominator * right);
        }
    }

    #[test]
    fn what_is_not_told_is_not_found() {
        let meter = Meter::new(&Unwatched, "fractions", None, None).unwrap();
        let matrix = SparseMatrix { rows: vec![vec![(0, 1), (1, 1)]], width: 2 };
        assert!(solve(&matrix, &[1], 2, &meter).unwrap().is_none());
    }
}
