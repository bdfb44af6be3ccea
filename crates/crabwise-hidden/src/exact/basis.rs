//! An optimal strategy as the solution of equations, in fractions of any length.
//!
//! A linear program has told which sequences an optimal strategy makes use of, and which of the other player's
//! sequences are best responses to it. The first add up along the way, and the second all earn the same. If one
//! strategy alone fulfils these equations, it is found without rounding, and what it guarantees in the whole game is
//! worked out without rounding, too: whatever the program may have got wrong, what is guaranteed is.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::{
    elimination::SparseMatrix,
    lifting::{self, CommonFractions},
    rational::IntegerPayoffs,
    rounding::Candidate,
};
use crate::{
    rules::Player,
    sequence_form::{SequenceForm, Treeplex},
};
use crabwise::watch::{Meter, Stop};

/// What tells an optimal strategy of a player.
#[derive(Clone)]
pub(super) struct Support {
    /// The player's sequences that it makes use of.
    pub used: Vec<bool>,
    /// The other player's sequences that are best responses to it.
    pub tight: Vec<bool>,
}

/// The optimal strategy that has a support, if the support tells one.
pub(super) fn candidate(
    form: &SequenceForm,
    payoffs: &IntegerPayoffs,
    player: Player,
    support: &Support,
    meter: &Meter,
) -> Result<Option<Candidate>, Stop> {
    // Sums of them times digits are to fit in 128 bits.
    if payoffs.entries().iter().any(|&(_, payoff)| payoff.unsigned_abs() > 1 << 40) {
        return Ok(None);
    }
    let (matrix, right, columns) = equations(form, payoffs, player, support);
    let used: Vec<usize> = (0..columns.len()).filter(|&i| columns[i] != NONE).collect();
    let Some(found) = lifting::solve(&matrix, &right, used.len(), meter)? else { return Ok(None) };
    let plex = &form.treeplexes[player as usize];
    let Some(plan) = plan(plex, &used, &found) else { return Ok(None) };
    let guaranteed = payoffs.guaranteed_by(&form.treeplexes, player, &plan, &found.denominator);
    let near: Vec<f64> = plan.iter().map(|reach| ratio(reach, &found.denominator)).collect();
    let behaviour = plex.behaviour(&near);
    Ok(Some(Candidate {
        guaranteed: form.guaranteed(player, &behaviour),
        behaviour,
        exactly: Some(guaranteed),
    }))
}

const NONE: u32 = u32::MAX;

/// The equations, their right sides, and the column of each own sequence that is used; those come first. The others are
/// what the other player can expect at information sets, first that at the root.
fn equations(
    form: &SequenceForm,
    payoffs: &IntegerPayoffs,
    player: Player,
    support: &Support,
) -> (SparseMatrix, Vec<i64>, Vec<u32>) {
    let (p, q) = (player as usize, player.other() as usize);
    let (mine, theirs) = (&form.treeplexes[p], &form.treeplexes[q]);
    let mut next = 0;
    let columns: Vec<u32> = (support.used.iter())
        .map(|&used| {
            next += u32::from(used);
            if used { next - 1 } else { NONE }
        })
        .collect();
    let root = next;
    let mut rows = flow(mine, &columns);
    // The row of each sequence that earns what the best do.
    let mut numbers = vec![usize::MAX; support.tight.len()];
    for sequence in (0..numbers.len()).filter(|&sequence| support.tight[sequence]) {
        numbers[sequence] = rows.len();
        rows.push(vec![]);
    }
    let mut set = |sequence: usize, column: u32, entry: i64| {
        if let Some(row) = rows.get_mut(numbers[sequence]) {
            row.push((column, entry));
        }
    };
    set(0, root, 1);
    for info_set in 0..theirs.info_sets() {
        let column = root + 1 + info_set as u32;
        set(theirs.parent(info_set), column, -1);
        theirs.at(info_set).for_each(|sequence| set(sequence, column, 1));
    }
    let sign = if player == Player::First { -1 } else { 1 };
    for &(at, payoff) in payoffs.entries() {
        let column = columns[at[p] as usize];
        if column != NONE {
            set(at[q] as usize, column, -sign * payoff);
        }
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    let mut right = vec![0; rows.len()];
    right[0] = 1;
    let width = (root as usize) + 1 + theirs.info_sets();
    (SparseMatrix { rows, width }, right, columns)
}

/// The empty sequence is certain, and the sequences of an information set have together what leads there.
fn flow(plex: &Treeplex, columns: &[u32]) -> Vec<Vec<(u32, i64)>> {
    let mut rows = vec![vec![(columns[0], 1)]];
    for info_set in 0..plex.info_sets() {
        let parent = columns[plex.parent(info_set)];
        if parent != NONE {
            let own = plex.at(info_set).map(|sequence| columns[sequence]);
            let mut row: Vec<_> = own.filter(|&own| own != NONE).map(|own| (own, 1)).collect();
            row.push((parent, -1));
            rows.push(row);
        }
    }
    rows
}

/// What was found as a plan of the whole game, if it is one.
fn plan(plex: &Treeplex, used: &[usize], found: &CommonFractions) -> Option<Vec<BigInt>> {
    let mut plan = vec![BigInt::zero(); plex.sequences()];
    for (&sequence, reach) in used.iter().zip(&found.numerators) {
        plan[sequence].clone_from(reach);
    }
    let adds_up = |info_set| {
        plex.at(info_set).map(|sequence| &plan[sequence]).sum::<BigInt>()
            == plan[plex.parent(info_set)]
    };
    let is_plan = plan[0] == found.denominator
        && plan.iter().all(|reach| !reach.is_negative())
        && (0..plex.info_sets()).all(adds_up);
    is_plan.then_some(plan)
}

/// A probability as a floating-point number; both numbers may be too large for one.
fn ratio(above: &BigInt, below: &BigInt) -> f64 {
    let spare = below.bits().saturating_sub(1000);
    let short = |number: &BigInt| (number >> spare).to_f64().unwrap_or(0.0);
    short(above) / short(below)
}
