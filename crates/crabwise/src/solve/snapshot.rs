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

use super::{SolveError, communicator::Comm, publish::Publication, retrograde::Level};
use crate::{
    graph::partition::Partition,
    table::{Identity, Table, TableError, TierValues, Word, Writer, beside, block_of, remove_one},
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
    partition: &'a Partition,
    /// When the last one was made, and how long that took.
    last: Instant,
    took: Duration,
}

/// How often a worker went on with a snapshot.
#[cfg(test)]
pub(crate) static TAKEN_UP: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// What a snapshot holds for one worker.
pub(crate) struct Kept {
    pub(crate) level: Level,
    pub(crate) counts: Vec<u16>,
    pub(crate) values: TierValues,
}

const VALUES: u32 = 0;
const COUNTS: u32 = 1;

impl<'a> Snapshots<'a> {
    pub(crate) fn new(
        table: Option<(&'a Path, &'a Identity)>,
        tier: u32,
        partition: &'a Partition,
    ) -> Snapshots<'a> {
        Snapshots { table, tier, partition, last: Instant::now(), took: Duration::ZERO }
    }

    fn path(table: &Path) -> PathBuf {
        beside(table, "snapshot")
    }

    fn about(&self, game: &str) -> String {
        format!("snapshot of {game}: tier {}, ", self.tier)
    }

    fn done(&self, part: u32) -> Publication<'_> {
        let block = block_of(self.partition.len * 2);
        Publication { tier: part, partition: self.partition, block, keys: None }
    }

    /// What an earlier run kept of this tier.
    pub(crate) fn find(&self, comm: &mut Comm) -> Result<Option<Kept>, SolveError> {
        let found = self.table.and_then(|(path, identity)| self.open(path, identity));
        let code = found
            .as_ref()
            .map_or(0, |(level, _)| 1 + (u64::from(level.distance) << 1 | u64::from(level.ties)));
        let Some(code) = comm.max(code)?.checked_sub(1) else { return Ok(None) };
        let level = Level { ties: code & 1 == 1, distance: (code >> 1) as u32 };
        let table = found.as_ref().map(|(_, table)| &table.source);
        let counts = self.done(COUNTS).part(comm, table)?;
        let values = self.done(VALUES).part(comm, table)?;
        let TierValues::Two(counts) = counts else { return Ok(None) };
        #[cfg(test)]
        TAKEN_UP.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(Some(Kept { level, counts, values }))
    }

    /// The snapshot, if there is one of this tier that is whole.
    fn open(&self, path: &Path, identity: &Identity) -> Option<(Level, Table)> {
        let table = Table::open(&Self::path(path)).ok()?;
        let found = table.identity();
        let same = found.rules == identity.rules && found.numbering == identity.numbering;
        let fits = table.len(VALUES) == self.partition.len;
        let about = self.about(&identity.game);
        let (kind, level) = found.game.strip_prefix(&about)?.split_once(", level ")?;
        let level = Level { ties: kind == "ties", distance: level.parse().ok()? };
        // A block that cannot be read would be met too late to begin again.
        table.check_blocks(&Unwatched).ok()?;
        (same && fits).then_some((level, table))
    }

    /// Forgets the snapshot, for instance because the tier is solved.
    pub(crate) fn forget(&self) -> Result<(), SolveError> {
        match self.table {
            Some((table, _)) if Self::path(table).exists() => Ok(remove_one(&Self::path(table))?),
            _ => Ok(()),
        }
    }

    /// Whether it is time. All workers are asked, and when one says yes, all keep their share.
    pub(crate) fn is_due(&self) -> bool {
        self.table.is_some() && self.last.elapsed() >= EVERY.max(self.took * COST)
    }

    /// Keeps this worker's share, with all others.
    pub(crate) fn keep<W: Word>(
        &mut self,
        comm: &mut Comm,
        level: Level,
        counts: &mut Vec<u16>,
        values: &mut Vec<W>,
    ) -> Result<(), SolveError> {
        let began = Instant::now();
        let kind = if level.ties { "ties" } else { "wins" };
        let new = self.table.map(|(table, _)| beside(table, "snapshot-new"));
        let open = |(new, (_, identity)): (&PathBuf, (&Path, &Identity))| {
            remove_one(new)?;
            let game = format!("{}{kind}, level {}", self.about(&identity.game), level.distance);
            let identity =
                Identity { game, tiers: 2, keys: None, outcomes: false, ..identity.clone() };
            Writer::open(new, identity, self.partition.len * 2, None, &Unwatched).map(Mutex::new)
        };
        let writer = new.as_ref().zip(self.table).map(open).transpose()?;
        // Lent and taken back, so that nothing is copied.
        let words = TierValues::Two(std::mem::take(counts));
        self.done(COUNTS).shelve(comm, &words, writer.as_ref(), &[])?;
        *counts = u16::untier(words).unwrap_or_default();
        let words = W::tier(std::mem::take(values));
        self.done(VALUES).shelve(comm, &words, writer.as_ref(), &[])?;
        *values = W::untier(words).unwrap_or_default();
        if let (Some(writer), Some(new), Some((table, _))) = (writer, new, self.table) {
            let mut writer = writer.into_inner().expect("no worker panics while it holds it");
            writer.finish()?;
            let path = Self::path(table);
            let failed = |source| TableError::Io { path: path.clone(), doing: "make", source };
            fs::rename(&new, &path).map_err(failed)?;
        }
        (self.last, self.took) = (Instant::now(), began.elapsed());
        Ok(())
    }
}
