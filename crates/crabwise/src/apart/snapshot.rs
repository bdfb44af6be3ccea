//! A tier with loops that is kept while it is being solved, so that not all of it is lost with a process.
//!
//! A snapshot is a table of its own beside the table in the making, with the ending `.snapshot` and two
//! tiers: values, and counts as they are. Its game string is `snapshot of GAME: tier T, wins` (or `ties`)
//! `, level L`. What else a solver knows is found again by looking at the tier once more.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use super::{
    Say, Shares, Team,
    publish::Done,
    retro::{Mark, Pause},
};
use crate::{
    Summary, Table, Value, Word, Words,
    solve::SolveError,
    table::Counts,
    table::{Identity, Writer, beside, block_of, remove_one},
    watch::Unwatched,
};

/// How often a snapshot is made; more seldom where it takes more than a tenth of that.
const EVERY: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(300) };
const COST: u32 = if cfg!(test) { 0 } else { 10 };

/// Keeps the state of a tier now and then.
pub(crate) struct Snapshots<'a> {
    /// The table that is being made, where this is the first worker.
    table: Option<(&'a Path, &'a Identity)>,
    tier: u32,
    shares: &'a Shares,
    /// When the last one was made, and how long that took.
    last: Instant,
    took: Duration,
}

/// How often a worker went on with a snapshot.
#[cfg(test)]
pub(super) static TAKEN_UP: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// What a snapshot holds for one worker.
pub(crate) struct Kept {
    pub(crate) mark: Mark,
    pub(crate) counts: Vec<u16>,
    pub(crate) values: Words,
}

const VALUES: u32 = 0;
const COUNTS: u32 = 1;

impl<'a> Snapshots<'a> {
    pub(crate) fn new(
        table: Option<(&'a Path, &'a Identity)>,
        tier: u32,
        shares: &'a Shares,
    ) -> Snapshots<'a> {
        Snapshots { table, tier, shares, last: Instant::now(), took: Duration::ZERO }
    }

    fn path(table: &Path) -> PathBuf {
        beside(table, "snapshot")
    }

    fn about(&self, game: &str) -> String {
        format!("snapshot of {game}: tier {}, ", self.tier)
    }

    fn done(&self, part: u32) -> Done<'_> {
        let block = block_of(self.shares.len * 2);
        Done { tier: part, shares: self.shares, block, keys: None }
    }

    /// What an earlier run kept of this tier.
    pub(crate) fn find(&self, team: &mut Team) -> Result<Option<Kept>, SolveError> {
        let found = self.table.and_then(|(path, identity)| self.open(path, identity));
        let code = found
            .as_ref()
            .map_or(0, |(mark, _)| 1 + (u64::from(mark.level) << 1 | u64::from(mark.ties)));
        let code = team.agree(Say { most: code, ..Say::default() })?.most;
        let Some(code) = code.checked_sub(1) else { return Ok(None) };
        let mark = Mark { ties: code & 1 == 1, level: (code >> 1) as u32 };
        let table = found.as_ref().map(|(_, table)| table as _);
        let counts = self.done(COUNTS).part(team, table)?;
        let values = self.done(VALUES).part(team, table)?;
        let Words::Two(counts) = counts else { return Ok(None) };
        #[cfg(test)]
        TAKEN_UP.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(Some(Kept { mark, counts, values }))
    }

    /// The snapshot, if there is one of this tier that is whole.
    fn open(&self, path: &Path, identity: &Identity) -> Option<(Mark, Table)> {
        let table = Table::open(&Self::path(path)).ok()?;
        let found = table.identity();
        let same = found.rules == identity.rules && found.numbering == identity.numbering;
        let fits = table.len(VALUES) == self.shares.len;
        let about = self.about(&identity.game);
        let (kind, level) = found.game.strip_prefix(&about)?.split_once(", level ")?;
        let mark = Mark { ties: kind == "ties", level: level.parse().ok()? };
        // A block that cannot be read would be met too late to begin again.
        table.check_blocks(&Unwatched).ok()?;
        (same && fits).then_some((mark, table))
    }

    /// Forgets the snapshot, for instance because the tier is solved.
    pub(crate) fn forget(&self) -> Result<(), SolveError> {
        match self.table {
            Some((table, _)) if Self::path(table).exists() => Ok(remove_one(&Self::path(table))?),
            _ => Ok(()),
        }
    }
}

impl<W: Word> Pause<W> for Snapshots<'_> {
    fn due(&mut self) -> bool {
        self.table.is_some() && self.last.elapsed() >= EVERY.max(self.took * COST)
    }

    fn keep(
        &mut self,
        team: &mut Team,
        mark: Mark,
        counts: &mut Vec<u16>,
        values: &mut Vec<W>,
    ) -> Result<(), SolveError> {
        let began = Instant::now();
        let kind = if mark.ties { "ties" } else { "wins" };
        let new = self.table.map(|(table, _)| beside(table, "snapshot-new"));
        let writer = match (self.table, &new) {
            (Some((_, identity)), Some(new)) => {
                remove_one(new)?;
                let game = format!("{}{kind}, level {}", self.about(&identity.game), mark.level);
                let (keys, outcomes) = (None, false);
                let identity = Identity { game, tiers: 2, keys, outcomes, ..identity.clone() };
                Some(Mutex::new(Writer::open(
                    new,
                    identity,
                    self.shares.len * 2,
                    None,
                    &Unwatched,
                )?))
            }
            _ => None,
        };
        // Lent and taken back, so that nothing is copied.
        let words = Words::Two(std::mem::take(counts));
        self.done(COUNTS).store(team, &words, writer.as_ref())?;
        *counts = u16::untier(words).unwrap_or_default();
        let words = W::tier(std::mem::take(values));
        self.done(VALUES).store(team, &words, writer.as_ref())?;
        *values = W::untier(words).unwrap_or_default();
        if let (Some(writer), Some(new), Some((table, _))) = (writer, new, self.table) {
            let mut writer = writer.into_inner().expect("no worker panics while it holds it");
            let (start, counts) = (Value::Draw, Counts::default());
            writer.finish(&Summary { start, counts, longest: 0, longest_win: 0 })?;
            let path = Self::path(table);
            let failed =
                |source| crate::TableError::Io { path: path.clone(), doing: "make", source };
            fs::rename(&new, &path).map_err(failed)?;
        }
        (self.last, self.took) = (Instant::now(), began.elapsed());
        Ok(())
    }
}
