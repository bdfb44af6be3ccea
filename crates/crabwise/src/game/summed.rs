//! Impartial games whose positions fall apart into sums of parts.

use std::sync::Arc;

use super::Game;

/// An impartial game in which positions are sums of parts, and the player who cannot move loses.
pub trait Summands: Send + Sync {
    /// A position that is not seen to fall apart further.
    type Part: Clone + Send + Sync;

    /// Equal only for parts of equal nimber; the bits must be as good as random, the first half of them above
    /// all.
    fn key(&self, part: &Self::Part) -> u128;

    /// An upper bound on how many more moves can be made.
    fn size(&self, part: &Self::Part) -> u32;

    /// The nimber, where it can be seen at once.
    fn sight(&self, part: &Self::Part) -> Option<u32>;

    /// How many bytes are worth having to remember parts in; more would hardly be used.
    fn room(&self) -> u64;

    /// Where the moves lead. Options of equal value may be left out as long as one is there.
    fn options(&self, part: &Self::Part, options: &mut Options<Self::Part>);
}

/// Where the moves of a part lead: sums of parts, one after the other.
pub struct Options<P> {
    pub(crate) parts: Vec<P>,
    pub(crate) ends: Vec<usize>,
}

impl<P> Default for Options<P> {
    fn default() -> Self {
        Options { parts: vec![], ends: vec![] }
    }
}

impl<P> Options<P> {
    /// Adds a part to the sum that [`done`](Options::done) will end.
    pub fn part(&mut self, part: P) {
        self.parts.push(part);
    }

    /// Ends one sum, perhaps an empty one.
    pub fn done(&mut self) {
        self.ends.push(self.parts.len());
    }

    /// How many sums there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The sums.
    pub fn sums(&self) -> impl Iterator<Item = &[P]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.parts[begin..end])
    }

    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.ends.clear();
    }
}

/// A game whose positions are sums.
pub trait Summed: Game {
    /// How they are.
    type Parts: Summands + 'static;

    /// What knows how positions fall apart.
    fn summands(&self) -> Arc<Self::Parts>;

    /// The parts of a position; `None` if the player to move wins at once, or has lost at once, whatever
    /// lies beside it. Otherwise the player to move loses exactly if the nimber of the parts is 0.
    fn sum(&self, at: &Self::Position) -> Option<Vec<<Self::Parts as Summands>::Part>>;
}
