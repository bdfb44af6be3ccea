//! How much an agent searches before it moves.

use std::{
    fmt,
    time::{Duration, Instant},
};

/// How much an agent searches before it moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// So many times. What it does then depends on what it knows and on the seed alone.
    Iterations(u32),
    /// For so long, and once at least. What it does depends on the machine too.
    Time(Duration),
}

/// How many positions are kept of all that fit a view, at least and at most.
const POSITIONS: [usize; 2] = [1 << 10, 1 << 12];

impl Effort {
    /// How many of the positions that fit a view are of use: some times as many as will be drawn.
    pub(super) fn positions(self) -> usize {
        let [least, most] = POSITIONS;
        match self {
            Effort::Iterations(count) => (count as usize).saturating_mul(4).clamp(least, most),
            Effort::Time(_) => most,
        }
    }

    /// Begins to count, or to take the time, of rounds that are so many iterations each.
    pub(super) fn begin(self, round: u32) -> Rounds {
        let left = match self {
            Effort::Iterations(count) => Left::Rounds(count.div_ceil(round)),
            Effort::Time(time) => Left::Until(Instant::now() + time),
        };
        Rounds { left, done: 0 }
    }
}

/// Rounds of a search, as many as its effort allows.
pub(super) struct Rounds {
    left: Left,
    done: u32,
}

enum Left {
    Rounds(u32),
    Until(Instant),
}

impl Iterator for Rounds {
    type Item = ();

    fn next(&mut self) -> Option<()> {
        let more = match self.left {
            Left::Rounds(all) => self.done < all,
            Left::Until(end) => self.done == 0 || Instant::now() < end,
        };
        self.done = self.done.saturating_add(1);
        more.then_some(())
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Iterations(count) => count.fmt(f),
            Effort::Time(time) => match time.as_millis() {
                time if time % 1000 == 0 => write!(f, "{}s", time / 1000),
                time => write!(f, "{time}ms"),
            },
        }
    }
}
