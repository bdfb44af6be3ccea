//! Draws from distributions.

use crate::tree::states::Arc;

/// The place of one of chance's moves, as likely as it is.
pub(crate) fn by_chance(arcs: &[Arc], random: &mut fastrand::Rng) -> usize {
    let mut rest = random.f64();
    let drawn = arcs.iter().position(|arc| {
        rest -= arc.chance;
        rest < 0.0
    });
    drawn.unwrap_or(arcs.len() - 1)
}

/// A place, as likely as its weight among all of them.
pub(crate) fn by_weight(mix: &[f64], random: &mut fastrand::Rng) -> u32 {
    let mut rest = random.f64() * mix.iter().sum::<f64>();
    for (place, likely) in mix.iter().enumerate() {
        rest -= likely;
        if rest < 0.0 {
            return place as u32;
        }
    }
    // Rounding may leave a little; what is never done is not done for that.
    mix.iter().rposition(|likely| *likely > 0.0).unwrap_or(0) as u32
}

/// The place of the greatest number; of several that are equal, any.
pub(crate) fn greatest(numbers: &[f64], random: &mut fastrand::Rng) -> u32 {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties = || numbers.iter().enumerate().filter(|(_, number)| **number == most);
    let which = random.usize(..ties().count().max(1));
    ties().nth(which).map_or(0, |(place, _)| place as u32)
}
