//! All views of a player, and how many of them are certain.
//!
//! A view is a number in base three with a digit for each cell: 0 where it looks empty, 1 for an
//! own stone, 2 for one found out. To place or to find out a stone makes the number larger, so that
//! by descending numbers everything that a view depends on comes before it. What the players need
//! to join is one more than the least that they need after a stone more of theirs.
//!
//! A view is *weak* if it only takes an opponent who shows its stones: if for each placement of the
//! hidden stones that is possible, the player wins the game of Hex in the light from there. Every
//! certain view is weak. A view with hidden stones is weak if all those are that come of finding
//! out one of them; one without, if some stone joins the player or leads to a weak view in which
//! the opponent has not joined.

use std::collections::BTreeMap;

use crabwise::{
    SolveError,
    index::combinadic::full,
    watch::{Stage, Watch},
};
use crabwise_hidden::Player;

use super::{Lines, View};
use crate::grid::bits;

/// Numbers of views.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// All that are possible.
    pub(crate) views: u64,
    /// Those from which the player wins with certainty.
    pub(crate) certain: u64,
    /// Those from which the player would win in the light, wherever the hidden stones are.
    pub(crate) weak: u64,
}

/// What is so of a player's views.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Survey {
    /// All views.
    pub(crate) all: Counts,
    /// By the number of cells that look empty and that of hidden stones.
    pub(crate) by: BTreeMap<(u32, u32), Counts>,
    /// Whether the player's first view is certain.
    pub(crate) root: bool,
    /// Whether it is weak.
    pub(crate) root_weak: bool,
    /// The cells to try in the first view without losing the certainty.
    pub(crate) openings: Vec<u32>,
}

/// Looks at all views of a player, if that takes at most `limit` bytes.
pub(crate) fn survey(
    lines: &impl Lines,
    player: Player,
    limit: u64,
    watch: &dyn Watch,
) -> Result<Survey, SolveError> {
    let bytes = Table::bytes(lines.cells());
    if bytes > limit {
        return Err(SolveError::no_memory("looking at all views", bytes, limit));
    }
    Ok(Table::new(lines, player, watch)?.survey())
}

/// What is known of a view, or of any stones and stones found out: two distances and three marks.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry(u16);

impl Entry {
    /// The distance of those who cannot join.
    const FAR: u32 = 31;
    const POSSIBLE: u16 = 1 << 10;
    const CERTAIN: u16 = 1 << 11;
    const WEAK: u16 = 1 << 12;

    fn own(self) -> u32 {
        u32::from(self.0 & 31)
    }

    fn other(self) -> u32 {
        u32::from(self.0 >> 5 & 31)
    }

    fn is(self, mark: u16) -> bool {
        self.0 & mark != 0
    }

    pub(super) fn possible(self) -> bool {
        self.is(Entry::POSSIBLE)
    }

    pub(super) fn certain(self) -> bool {
        self.is(Entry::CERTAIN)
    }

    pub(super) fn weak(self) -> bool {
        self.is(Entry::WEAK)
    }
}

/// All views of a player.
pub(super) struct Table {
    player: Player,
    cells: u32,
    /// By cell.
    powers: Vec<usize>,
    /// By set of stones, whether the player has joined, and whether the opponent has.
    joined: [Vec<bool>; 2],
    /// By number of the view.
    entries: Vec<Entry>,
    /// By number of cells that look empty and of hidden stones.
    counts: Vec<Vec<Counts>>,
}

/// The watcher is told after the views of this number of cells, which take a moment.
const TELL: u32 = 10;

impl Table {
    fn bytes(cells: u32) -> u64 {
        let entries = 3_u64.checked_pow(cells).and_then(|views| views.checked_mul(2));
        entries.and_then(|bytes| bytes.checked_add(2 << cells)).unwrap_or(u64::MAX)
    }

    pub(super) fn new(
        lines: &impl Lines,
        player: Player,
        watch: &dyn Watch,
    ) -> Result<Table, SolveError> {
        let cells = lines.cells();
        let joined = [player, player.other()].map(|player| {
            let sets = 0..=full(cells);
            sets.map(|set| lines.distance(player, set, 0) == Some(0)).collect()
        });
        let mut table = Table {
            player,
            cells,
            powers: (0..cells).map(|cell| 3_usize.pow(cell)).collect(),
            joined,
            entries: vec![Entry::default(); 3_usize.pow(cells)],
            counts: vec![vec![Counts::default(); cells as usize + 2]; cells as usize + 1],
        };
        table.fill(cells, View::default(), 0, watch)?;
        Ok(table)
    }

    /// All views that differ from this one on the first cells only, by descending numbers.
    fn fill(
        &mut self,
        first: u32,
        at: View,
        number: usize,
        watch: &dyn Watch,
    ) -> Result<(), SolveError> {
        let Some(cell) = first.checked_sub(1) else {
            let entry = self.entry(at, number);
            self.entries[number] = entry;
            self.count(at, entry);
            return Ok(());
        };
        let power = self.powers[cell as usize];
        if first == TELL {
            let all = self.entries.len();
            let (done, total) = ((all - number - 3 * power) as u64, Some(all as u64));
            let stage = Stage { done, ..Stage::new("looking at views", None, total) };
            watch.tell(&stage).map_err(SolveError::Stopped)?;
        }
        self.fill(cell, at.with_known(cell), number + 2 * power, watch)?;
        self.fill(cell, at.with_own(cell), number + power, watch)?;
        self.fill(cell, at, number, watch)
    }

    fn entry(&self, at: View, number: usize) -> Entry {
        let empty = self.empty(at);
        let (mut own, mut other) = (Entry::FAR, Entry::FAR);
        for (accepted, rejected) in self.tries(empty, number) {
            own = own.min(accepted.own() + 1);
            other = other.min(rejected.other() + 1);
        }
        if self.joined[0][at.own as usize] {
            own = 0;
        }
        if self.joined[1][at.known as usize] {
            other = 0;
        }
        let marks = match at.hidden(self.player) {
            Some(hidden) if own > 0 && own + hidden <= empty.count_ones() => {
                Entry::POSSIBLE
                    | if self.certain(empty, hidden, number) { Entry::CERTAIN } else { 0 }
                    | if self.weak(empty, hidden, number) { Entry::WEAK } else { 0 }
            }
            _ => 0,
        };
        Entry(own as u16 | (other as u16) << 5 | marks)
    }

    fn certain(&self, empty: u64, hidden: u32, number: usize) -> bool {
        let room = empty.count_ones() - 1 - hidden;
        self.tries(empty, number).any(|(accepted, rejected)| {
            holds(accepted, hidden, room) && (!rejected.possible() || rejected.certain())
        })
    }

    fn weak(&self, empty: u64, hidden: u32, number: usize) -> bool {
        let mut tries = self.tries(empty, number);
        if hidden > 0 {
            return tries.all(|(_, rejected)| !rejected.possible() || rejected.weak());
        }
        tries.any(|(accepted, _)| accepted.own() == 0 || accepted.other() > 1 && accepted.weak())
    }

    /// For each cell that looks empty, what is known with an own stone there, and with one found
    /// out.
    fn tries(&self, empty: u64, number: usize) -> impl Iterator<Item = (Entry, Entry)> {
        bits(empty).map(move |cell| {
            let power = self.powers[cell as usize];
            (self.entries[number + power], self.entries[number + 2 * power])
        })
    }

    fn count(&mut self, at: View, entry: Entry) {
        if let (true, Some(hidden)) = (entry.possible(), at.hidden(self.player)) {
            let empty = self.empty(at).count_ones();
            let counts = &mut self.counts[empty as usize][hidden as usize];
            counts.views += 1;
            counts.certain += u64::from(entry.certain());
            counts.weak += u64::from(entry.weak());
        }
    }

    fn empty(&self, at: View) -> u64 {
        full(self.cells) & !(at.own | at.known)
    }

    pub(super) fn at(&self, view: View) -> Entry {
        let sum = |set| bits(set).map(|cell| self.powers[cell as usize]).sum::<usize>();
        self.entries[sum(view.own) + 2 * sum(view.known)]
    }

    fn survey(&self) -> Survey {
        let mut all = Counts::default();
        let mut by = BTreeMap::new();
        for (empty, row) in (0..).zip(&self.counts) {
            for (hidden, &counts) in (0..).zip(row).filter(|(_, counts)| counts.views > 0) {
                by.insert((empty, hidden), counts);
                all.views += counts.views;
                all.certain += counts.certain;
                all.weak += counts.weak;
            }
        }
        let root = self.at(View::default());
        Survey { all, by, root: root.certain(), root_weak: root.weak(), openings: self.openings() }
    }

    fn openings(&self) -> Vec<u32> {
        let hidden = self.player as u32;
        let Some(room) = self.cells.checked_sub(1 + hidden) else { return vec![] };
        let tries = (0..).zip(self.tries(full(self.cells), 0));
        let works = |&(_, (accepted, rejected)): &(u32, (Entry, Entry))| {
            holds(accepted, hidden, room) && (!rejected.possible() || rejected.certain())
        };
        tries.filter(works).map(|(cell, _)| cell).collect()
    }
}

/// Whether the player has joined, or still wins with certainty by a stone that is accepted, or no stone can be
/// accepted: `hidden` rival stones are out of sight, and `room` other cells look empty.
fn holds(accepted: Entry, hidden: u32, room: u32) -> bool {
    accepted.own() == 0
        || accepted.own() > room
        || accepted.other() > hidden + 1 && accepted.certain()
}
