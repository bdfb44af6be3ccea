//! Impartial games: both players have the same moves, and the player who cannot move loses.
//!
//! Such a position is worth as much as a nim heap of some size, its nimber: the least number that
//! none of its moves leads to. The nimber of a sum of independent positions is the exclusive or of
//! their nimbers (Sprague 1935, Grundy 1939), so a position that falls apart is solved by its parts.

use std::collections::HashMap;

use crate::{
    game::{
        dynamic::{DynGame, DynPosition},
        impartial::Impartial,
    },
    index::ByKey,
};

/// Nimbers are worked out afresh for each position that is looked at, so there is an end to what is
/// worked out: a fraction of a second.
pub(crate) const MOST_PARTS: usize = 100_000;

/// Works out a nimber, in games that have them.
pub(crate) type NimberOf = fn(DynGame, &DynPosition) -> Option<u32>;

/// Works out nimbers, and remembers those of all parts met.
pub struct Nimbers<'a, G: Impartial> {
    game: &'a G,
    known: HashMap<G::Position, u32, ByKey>,
}

impl<'a, G: Impartial> Nimbers<'a, G> {
    /// Knows nothing yet.
    pub fn new(game: &'a G) -> Self {
        Nimbers { game, known: HashMap::default() }
    }

    /// The nimber of a position: zero exactly if the player to move loses.
    pub fn of(&mut self, at: &G::Position) -> u32 {
        self.within(at, usize::MAX).expect("there are not so many parts")
    }

    /// The nimber of a position, unless more than `most` parts have to be known for it.
    pub fn within(&mut self, at: &G::Position, most: usize) -> Option<u32> {
        let parts = self.game.parts(at);
        parts.into_iter().try_fold(0, |sum, part| Some(sum ^ self.part(part, most)?))
    }

    fn part(&mut self, part: G::Position, most: usize) -> Option<u32> {
        if let Some(nimber) = self.known.get(&part) {
            return Some(*nimber);
        }
        if self.known.len() >= most {
            return None;
        }
        let options: Vec<u32> = (self.game.moves(&part).into_iter())
            .map(|mv| self.within(&self.game.play(&part, mv), most))
            .collect::<Option<_>>()?;
        let nimber = mex(options);
        self.known.insert(part, nimber);
        Some(nimber)
    }
}

/// The least number that is not among `options`.
fn mex(mut options: Vec<u32>) -> u32 {
    options.sort_unstable();
    options.dedup();
    (0..).zip(&options).take_while(|(n, option)| n == *option).count() as u32
}

#[cfg(test)]
mod tests {
    use super::mex;

    #[test]
    fn mex_is_the_least_number_left_out() {
        assert_eq!(mex(vec![]), 0);
        assert_eq!(mex(vec![1, 2]), 0);
        assert_eq!(mex(vec![0, 3, 1, 1, 0]), 2);
    }
}
