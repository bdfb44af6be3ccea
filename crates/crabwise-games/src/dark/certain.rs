//! Wins with certainty in classic dark Hex: whatever the opponent has hidden, and whatever it does.
//!
//! A *view* is a player's own stones and those of the opponent's that the player has found out,
//! when it is the player's turn. A rejected player tries again, so the numbers of stones placed
//! follow from the turn, and a view tells how many of the opponent's stones are hidden, h, among
//! the e cells that look empty. Nothing else is known: any h of these cells may be the hidden ones,
//! as long as the opponent has not joined its sides with them, for the order of what happened fits
//! them all.
//!
//! A full board joins the sides of exactly one player. So hidden stones leave the opponent unjoined
//! if and only if the rest of the cells that look empty would join the player. If the player needs
//! d cells more, then some h cells can be the hidden ones exactly if d ≤ e − h: that is when a view
//! is *possible*. In the same way cell c can be free, if the player needs d cells besides c,
//! exactly if d ≤ e − 1 − h.
//!
//! A view is certain if there is a cell c to try such that both hold:
//!
//! - If c may be hidden, the view with c found out is certain.
//! - If c may be free, then either c joins the player, or no h + 1 of the other cells would join
//!   the opponent, and the view with c as an own stone is certain.
//!
//! That any h + 1 cells count is right although the first h of them must not have joined: one set
//! of h cells turns into any other by exchanging a cell at a time, and if no set on the way were
//! joined by one more cell, no set of h + 1 would be joined at the end.
//!
//! To find out a hidden stone does no harm: one goes on as before and just leaves out that cell. So
//! if c when free leads to a certain view and when hidden does not, then no other cell helps
//! either, and the view is not certain. Whether c when free leads to a certain view fails most
//! often and is asked first: on 5x5 this looks at 9 thousand of the first player's views, and the
//! other order at 27 million.
//!
//! The slow twin follows all true boards that a view allows; it is among the tests.

mod survey;
#[cfg(test)]
mod tests;

use crabwise::{
    SolveError,
    index::{combinadic::full, key},
    watch::{Stage, Watch},
};
use crabwise_hidden::Player;
use hashbrown::HashTable;

use crate::{grid::bits, hex::Hex};

pub(crate) use survey::{Counts, Survey, survey};

/// A game of joining sides. On a full board exactly one player must have joined, and to number the
/// cells backwards must change nothing.
pub(crate) trait Lines {
    /// How many cells there are, at most 64.
    fn cells(&self) -> u32;

    /// How few of the free cells a player needs to join with these stones: 0 for one who has,
    /// `None` for one who cannot.
    fn distance(&self, player: Player, stones: u64, free: u64) -> Option<u32>;
}

impl Lines for Hex {
    fn cells(&self) -> u32 {
        self.all().count_ones()
    }

    fn distance(&self, player: Player, stones: u64, free: u64) -> Option<u32> {
        self.distance(player as usize, stones, free)
    }
}

/// What a player sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct View {
    /// The player's own stones.
    pub(crate) own: u64,
    /// The opponent's stones that the player has found out.
    pub(crate) known: u64,
}

impl View {
    /// How many of the opponent's stones are hidden when it is this player's turn, if that can be.
    pub(crate) fn hidden(self, player: Player) -> Option<u32> {
        let opponents = self.own.count_ones() + player as u32;
        opponents.checked_sub(self.known.count_ones())
    }

    fn with_own(self, cell: u32) -> View {
        View { own: self.own | 1 << cell, ..self }
    }

    fn with_known(self, cell: u32) -> View {
        View { known: self.known | 1 << cell, ..self }
    }

    fn hash(self) -> u64 {
        key(&self, 0)
    }
}

/// What follows if the cell that is tried is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accepted {
    /// It is not: all views have the opponent there.
    Never,
    /// The player has joined.
    Wins,
    /// The opponent may join at once.
    Loses,
    /// The opponent has placed one more stone unseen, and this is what the player sees.
    Goes(View),
}

/// A search for a player's certain wins that looks at those views only that matter, and remembers
/// them.
pub(crate) struct Search<'a, L> {
    lines: &'a L,
    player: Player,
    /// Bytes allowed.
    limit: u64,
    watch: &'a dyn Watch,
    /// Views that are not certain, and views that are; of a view and its half-turn the lesser one.
    found: [HashTable<View>; 2],
}

/// So many views take a good part of a second.
const TELL: usize = 1 << 17;

impl<'a, L: Lines> Search<'a, L> {
    /// Nothing known yet; at most `limit` bytes will be.
    pub(crate) fn new(
        lines: &'a L,
        player: Player,
        limit: u64,
        watch: &'a dyn Watch,
    ) -> Search<'a, L> {
        Search { lines, player, limit, watch, found: [HashTable::new(), HashTable::new()] }
    }

    /// Whether the game can come to where the player, to move, sees this.
    pub(crate) fn possible(&self, at: View) -> bool {
        let empty = self.empty(at);
        let needs = |hidden| Some((hidden, self.lines.distance(self.player, at.own, empty)?));
        let needs = at.hidden(self.player).and_then(needs);
        needs.is_some_and(|(hidden, needs)| needs > 0 && needs + hidden <= empty.count_ones())
    }

    /// What the player sees if a cell that looks empty is tried and found to be hidden, if that can
    /// be.
    pub(crate) fn rejected(&self, at: View, cell: u32) -> Option<View> {
        Some(at.with_known(cell)).filter(|&view| self.possible(view))
    }

    /// What follows if a cell that looks empty is tried and is.
    pub(crate) fn accepted(&self, at: View, cell: u32) -> Accepted {
        self.placed(at, cell).0
    }

    /// Whether the player wins with certainty from a possible view.
    pub(crate) fn certain(&mut self, at: View) -> Result<bool, SolveError> {
        if let Some(found) = self.look(at) {
            return Ok(found);
        }
        let mut certain = false;
        for (cell, accepted) in self.tries(at) {
            if self.holds(accepted)? {
                certain = self.found_out(at, cell)?;
                break;
            }
        }
        self.keep(at, certain)?;
        Ok(certain)
    }

    /// A cell to try in a view that is certain; `None` in others.
    pub(crate) fn best(&mut self, at: View) -> Result<Option<u32>, SolveError> {
        if !self.possible(at) || !self.certain(at)? {
            return Ok(None);
        }
        for (cell, accepted) in self.tries(at) {
            if self.holds(accepted)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// All cells that can be tried without losing the certainty, lowest first.
    pub(crate) fn winning(&mut self, at: View) -> Result<Vec<u32>, SolveError> {
        let mut winning = vec![];
        for cell in bits(self.empty(at)) {
            if self.holds(self.accepted(at, cell))? && self.found_out(at, cell)? {
                winning.push(cell);
            }
        }
        Ok(winning)
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> u32 {
        self.lines.cells()
    }

    /// How many views have been looked at.
    pub(crate) fn views(&self) -> usize {
        self.found.iter().map(HashTable::len).sum()
    }

    fn holds(&mut self, accepted: Accepted) -> Result<bool, SolveError> {
        match accepted {
            Accepted::Never | Accepted::Wins => Ok(true),
            Accepted::Loses => Ok(false),
            Accepted::Goes(view) => self.certain(view),
        }
    }

    fn found_out(&mut self, at: View, cell: u32) -> Result<bool, SolveError> {
        self.rejected(at, cell).map_or(Ok(true), |view| self.certain(view))
    }

    fn empty(&self, at: View) -> u64 {
        full(self.lines.cells()) & !(at.own | at.known)
    }

    fn distance(&self, player: Player, stones: u64, free: u64) -> u32 {
        self.lines.distance(player, stones, free).unwrap_or(self.lines.cells() + 1)
    }

    /// What follows if a cell is free, and how much less than the opponent the player then needs.
    fn placed(&self, at: View, cell: u32) -> (Accepted, i32) {
        let (view, hidden) = (at.with_own(cell), at.hidden(self.player).unwrap_or(0));
        let empty = self.empty(view);
        let own = self.distance(self.player, view.own, empty);
        if own == 0 {
            return (Accepted::Wins, 1 << 10);
        }
        let other = self.distance(self.player.other(), at.known, empty);
        let accepted = if own + hidden > empty.count_ones() {
            Accepted::Never
        } else if other <= hidden + 1 {
            Accepted::Loses
        } else {
            Accepted::Goes(view)
        };
        (accepted, other as i32 - own as i32)
    }

    /// The cells that look empty with what follows if they are: first those that matter most to
    /// both players' distances.
    fn tries(&self, at: View) -> impl Iterator<Item = (u32, Accepted)> + use<L> {
        let empty = self.empty(at);
        let weighed = |cell: u32| {
            let (accepted, gain) = self.placed(at, cell);
            let bit = 1 << cell;
            let own = self.distance(self.player, at.own, empty & !bit);
            let other = self.distance(self.player.other(), at.known | bit, empty & !bit);
            (2 * gain + own as i32 - other as i32, cell, accepted)
        };
        let mut tries: Vec<_> = bits(empty).map(weighed).collect();
        tries.retain(|&(_, _, accepted)| accepted != Accepted::Loses);
        tries.sort_by_key(|&(weight, cell, _)| (-weight, cell));
        tries.into_iter().map(|(_, cell, accepted)| (cell, accepted))
    }

    /// Of a view and its half-turn, the lesser one.
    fn least(&self, at: View) -> View {
        let turned = |set: u64| set.reverse_bits() >> (64 - self.lines.cells());
        let other = View { own: turned(at.own), known: turned(at.known) };
        if (other.own, other.known) < (at.own, at.known) { other } else { at }
    }

    fn look(&self, at: View) -> Option<bool> {
        let key = self.least(at);
        let within =
            |found: &HashTable<View>| found.find(key.hash(), |&view| view == key).is_some();
        [false, true].into_iter().find(|&certain| within(&self.found[certain as usize]))
    }

    fn keep(&mut self, at: View, certain: bool) -> Result<(), SolveError> {
        let (key, views) = (self.least(at), self.views());
        let bytes: usize = self.found.iter().map(HashTable::allocation_size).sum();
        let found = &mut self.found[certain as usize];
        if found.len() == found.capacity() {
            // It doubles, and the old one stays until all is moved.
            let bytes = (bytes + 2 * found.allocation_size()) as u64;
            if bytes > self.limit {
                let doing = "searching for certain wins";
                return Err(SolveError::no_memory(doing, bytes, self.limit));
            }
        }
        found.insert_unique(key.hash(), key, |view| view.hash());
        if views.is_multiple_of(TELL) {
            let done = views as u64;
            self.watch.tell(&Stage { done, ..Stage::new("searching views", None, None) })?;
        }
        Ok(())
    }
}
