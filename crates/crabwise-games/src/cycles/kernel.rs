//! A row of markings at a time, from the rows with one more edge.
//!
//! For a set of marked edges and an edge *e* that is not in it, the markings with *e* marked as well are one
//! row of the next tier. If *k* edges of the set come before *e*, then for each run of 2^k neighbouring
//! markings those with *e* marked backward are a run there, and those with *e* forward are the next: the
//! best over all moves is a byte-wise minimum of runs. If *e* comes after all edges of the set, it becomes the
//! last one: forward, the markings are the second half of the row; backward, everything is turned around,
//! and they are the first half from its end to its beginning.
//!
//! Bytes are words less one, so that a hole is the greatest of all and never chosen: the best move is the one
//! that leaves the other player the least.

use std::sync::Arc;

use crabwise::{Kernel, SolveError, TierValues, Tiers, Value, Word, index::combinadic::Subsets};

use super::rows::{Rows, row_len};

/// Solves rows of markings.
pub(crate) struct Sweep(pub(crate) Arc<Rows>);

/// How many slots a thread takes at a time, more or less.
const RUN: u64 = 1 << 15;

/// A byte that stands for no move at all.
const NONE: u8 = u8::MAX;

impl Kernel<u8> for Sweep {
    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [u8]) -> Result<(), SolveError> {
        // Distances are at most the number of edges, and bytes hold them.
        let next: &[u8] = match later.tier(tier + 1) {
            Some(TierValues::One(next)) => next,
            _ => &[],
        };
        let (edges, len) = (self.0.edges, row_len(tier));
        let (subsets, after) =
            (Subsets::new(edges, tier), Subsets::new(edges, (tier + 1).min(edges)));
        let (mut wrecked, mut closed) = (vec![], vec![]);
        for (i, best) in out.chunks_exact_mut(len as usize).enumerate() {
            let set = subsets.unrank(from / len + i as u64);
            best.fill(NONE);
            for edge in (0..edges).filter(|edge| set >> edge & 1 == 0) {
                let child = after.rank(set | 1 << edge) as usize * row_len(tier + 1) as usize;
                let child = &next[child..child + row_len(tier + 1) as usize];
                let before = (set & ((1 << edge) - 1)).count_ones();
                if tier == 0 {
                    best[0] = best[0].min(child[0].wrapping_sub(1));
                } else if before == tier {
                    last(best, child);
                } else {
                    within(best, child, before);
                }
            }
            let (row, words) = (self.0.row(set), 0..len.div_ceil(64));
            row.wrecked(words.clone(), &mut wrecked);
            row.closed(words, &mut closed);
            finish(best, &wrecked, &closed);
        }
        Ok(())
    }

    fn run(&self, tier: u32) -> u64 {
        row_len(tier).max(RUN)
    }
}

#[inline]
fn least(best: &mut u8, a: u8, b: u8) {
    *best = (*best).min(a.wrapping_sub(1)).min(b.wrapping_sub(1));
}

/// The edge comes after all others.
fn last(best: &mut [u8], child: &[u8]) {
    let (backward, forward) = child.split_at(best.len());
    for ((best, &a), &b) in best.iter_mut().zip(forward).zip(backward.iter().rev()) {
        least(best, a, b);
    }
}

/// `before` edges of the set come before the edge.
fn within(best: &mut [u8], child: &[u8], before: u32) {
    match before {
        0 => narrow::<1, 2>(best, child),
        1 => narrow::<2, 4>(best, child),
        2 => narrow::<4, 8>(best, child),
        3 => narrow::<8, 16>(best, child),
        _ => {
            let run = 1 << before;
            for (best, child) in best.chunks_exact_mut(run).zip(child.chunks_exact(2 * run)) {
                let (backward, forward) = child.split_at(run);
                for ((best, &a), &b) in best.iter_mut().zip(backward).zip(forward) {
                    least(best, a, b);
                }
            }
        }
    }
}

/// The best of runs so short that their length had better be known to the compiler.
fn narrow<const RUN: usize, const TWICE: usize>(best: &mut [u8], child: &[u8]) {
    let (bests, children) = (best.as_chunks_mut::<RUN>().0, child.as_chunks::<TWICE>().0);
    for (best, child) in bests.iter_mut().zip(children) {
        for i in 0..RUN {
            least(&mut best[i], child[i], child[RUN + i]);
        }
    }
}

/// From what the best moves leave to values.
fn finish(best: &mut [u8], wrecked: &[u64], closed: &[u64]) {
    let value = |best: u8| match best {
        NONE => Value::Loss(0),
        byte => (byte + 1).unpack().map_or(Value::Loss(0), |value| value.back(false)),
    };
    let values: [u8; 256] = std::array::from_fn(|i| u8::pack(value(i as u8)).unwrap_or(u8::HOLE));
    let lost = u8::pack(Value::Loss(0)).unwrap_or(u8::HOLE);
    for ((best, &wrecked), &closed) in best.chunks_mut(64).zip(wrecked).zip(closed) {
        for (i, best) in best.iter_mut().enumerate() {
            *best = match (wrecked >> i & 1, closed >> i & 1) {
                (1, _) => u8::HOLE,
                (_, 1) => lost,
                _ => values[usize::from(*best)],
            };
        }
    }
}
