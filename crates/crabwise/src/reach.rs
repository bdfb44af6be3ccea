//! What can be reached from the start, with a bit a slot.
//!
//! Where a numbering folds mirror images and the start is its own only image, whatever can be
//! reached can be reached mirrored as well, and one bit stands for the whole orbit. Otherwise each
//! member of an orbit has a bit of its own.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    Game, Index, Slot,
    solve::{Fault, SolveError},
    watch::{Meter, Watch},
};

/// The positions that can be reached from the start.
pub struct Reached {
    /// By tier; bit `index · stride + member`. `None` stands for all positions.
    tiers: Option<Vec<Vec<AtomicU64>>>,
    stride: u64,
}

impl Reached {
    /// Every position of the numbering.
    pub fn everything() -> Reached {
        Reached { tiers: None, stride: 1 }
    }

    /// Follows all moves from the start.
    pub fn from_start<G: Game, I: Index<G::Position>>(
        game: &G,
        index: &I,
        watch: &dyn Watch,
    ) -> Result<Reached, SolveError> {
        let start = game.start();
        let alone = index.folds() == 1 || index.alike(&start).len() == 1;
        let stride = if alone { 1 } else { u64::from(index.folds()) };
        let words = |tier| (index.len(tier) * stride).div_ceil(64);
        let bits = |tier| (0..words(tier)).map(|_| AtomicU64::new(0)).collect();
        let bits: Vec<Vec<AtomicU64>> = (0..index.tiers()).map(bits).collect();
        let walk = Walk { game, index, stride, bits: &bits };
        walk.mark(index.slot(&start), &start)
            .map_err(|_| Fault::astray(game, &start, &start))?;
        let meter = Meter::new(watch, "counting what can be reached", None, None)?;
        for tier in 0..index.tiers() {
            walk.tier(tier, &meter)?;
        }
        Ok(Reached { tiers: Some(bits), stride })
    }

    /// How many of the positions that share `slot`, `at` being the one kept there, are reached.
    pub fn members<P: Clone>(&self, index: &impl Index<P>, slot: Slot, at: &P) -> u64 {
        let orbit = || if index.folds() == 1 { 1 } else { index.alike(at).len() as u64 };
        let Some(tiers) = &self.tiers else { return orbit() };
        let has = |bit: u64| {
            tiers[slot.tier as usize][(bit / 64) as usize].load(Relaxed) >> (bit % 64) & 1
        };
        if self.stride == 1 {
            if has(slot.index) == 1 { orbit() } else { 0 }
        } else {
            (0..self.stride).map(|member| has(slot.index * self.stride + member)).sum()
        }
    }
}

struct Walk<'a, G, I> {
    game: &'a G,
    index: &'a I,
    stride: u64,
    bits: &'a [Vec<AtomicU64>],
}

/// A position for which the numbering has no place.
struct Unplaced;

impl<G: Game, I: Index<G::Position>> Walk<'_, G, I> {
    /// Follows the moves of everything marked in `tier`, again and again while that marks more
    /// inside the tier itself.
    fn tier(&self, tier: u32, meter: &Meter) -> Result<(), SolveError> {
        let bits = &self.bits[tier as usize];
        let done: Vec<AtomicU64> = (0..bits.len()).map(|_| AtomicU64::new(0)).collect();
        loop {
            let found: u64 = (bits.par_chunks(64).zip(done.par_chunks(64)).enumerate())
                .map(|(chunk, (bits, done))| {
                    let mut found = 0;
                    for (word, (bits, done)) in bits.iter().zip(done).enumerate() {
                        let fresh = bits.load(Relaxed) & !done.load(Relaxed);
                        done.fetch_or(fresh, Relaxed);
                        found += u64::from(fresh.count_ones());
                        let first = (chunk * 64 + word) as u64 * 64;
                        for bit in ones(fresh) {
                            self.expand(tier, first + bit)?;
                        }
                    }
                    meter.add(found)?;
                    Ok(found)
                })
                .try_reduce(|| 0, |a, b| Ok::<_, SolveError>(a + b))?;
            if found == 0 || !self.index.loopy(tier) {
                return Ok(());
            }
        }
    }

    fn expand(&self, tier: u32, bit: u64) -> Result<(), SolveError> {
        let slot = Slot { tier, index: bit / self.stride };
        let at = self.index.position(slot).ok_or(Fault::Unsteady { slot })?;
        let at = match self.stride {
            1 => at,
            stride => self.index.alike(&at).swap_remove((bit % stride) as usize),
        };
        if self.game.over(&at).is_some() {
            return Ok(());
        }
        for mv in self.game.moves(&at) {
            let to = self.game.play(&at, mv);
            self.mark(self.index.child(slot, &to), &to)
                .map_err(|_| Fault::astray(self.game, &at, &to))?;
        }
        Ok(())
    }

    fn mark(&self, slot: Slot, at: &G::Position) -> Result<(), Unplaced> {
        let member = match self.stride {
            1 => 0,
            _ => {
                let kept = self.index.position(slot).ok_or(Unplaced)?;
                let alike = self.index.alike(&kept);
                alike.iter().position(|one| one == at).ok_or(Unplaced)? as u64
            }
        };
        let bit = slot.index.checked_mul(self.stride).ok_or(Unplaced)? + member;
        let words = self.bits.get(slot.tier as usize).ok_or(Unplaced)?;
        let word = words.get((bit / 64) as usize).ok_or(Unplaced)?;
        // Most marks are there already, and reading is cheaper than writing.
        if word.load(Relaxed) >> (bit % 64) & 1 == 0 {
            word.fetch_or(1 << (bit % 64), Relaxed);
        }
        Ok(())
    }
}

fn ones(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(u64::from(bit))
    })
}
