//! What is done with a table that is there.

use crabwise::{
    Row, SolveError, Stats, TableError, Verdict,
    analysis::label::{Chart, Draws, Wanted},
    explore::Explorer,
    table,
    watch::Watch,
};

use crate::{Error, Session, Target};

impl Session {
    /// Opens a table for look-ups with labels; depths of traps that are nowhere yet are worked out and kept.
    pub fn labelled<'a>(
        &self,
        target: &'a Target,
        draws: Draws,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Explorer + 'a>, Error> {
        self.fetch_traps(target, watch)?;
        let storing = self.place.watch(watch);
        let opened = target.built.game.open_labelled(&self.job(target, &storing), draws);
        opened.map_err(|error| self.addressed(error.into()))
    }

    /// Whether the depths of traps are here, so that nothing would have to be worked out for labels.
    pub fn has_traps(&self, target: &Target, watch: &dyn Watch) -> Result<bool, Error> {
        let found = target.built.game.has_traps(&self.job(target, watch));
        found.map_err(|error| self.addressed(error.into()))
    }

    /// Labels every position.
    pub fn label(
        &self,
        target: &Target,
        wanted: &Wanted,
        chart: &mut dyn Chart,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        self.fetch_traps(target, watch)?;
        let storing = self.place.watch(watch);
        let done = target.built.game.label(&self.job(target, &storing), wanted, chart);
        self.told(done)
    }

    /// Statistics of what can be reached from the start, or of `all` positions.
    pub fn stats(&self, target: &Target, all: bool, watch: &dyn Watch) -> Result<Stats, Error> {
        self.place.fetch(&table::statistics(&target.table), watch)?;
        let storing = self.place.watch(watch);
        self.told(target.built.game.stats(&self.job(target, &storing), all))
    }

    /// Derives the table's values again, all or a sample of this size and seed, and judges the depths of traps with
    /// them if they are there.
    pub fn verify(
        &self,
        target: &Target,
        sample: Option<(u64, u64)>,
        watch: &dyn Watch,
    ) -> Result<Verdict, Error> {
        self.fetch_traps(target, watch)?;
        self.told(target.built.game.verify(&self.job(target, watch), sample))
    }

    /// Calls `each` for every position that can be reached from the start; an error that it returns ends the export.
    pub fn export(
        &self,
        target: &Target,
        each: &mut dyn FnMut(Row) -> Result<(), TableError>,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        self.told(target.built.game.export(&self.job(target, watch), each))
    }

    /// Fetches the depths of traps, finished or not.
    fn fetch_traps(&self, target: &Target, watch: &dyn Watch) -> Result<(), Error> {
        let traps = table::traps(&target.table);
        self.place.fetch(&traps, watch)?;
        match traps.exists() {
            true => Ok(()),
            false => Ok(self.place.go_on(&traps, watch)?),
        }
    }

    pub(crate) fn told<T>(&self, done: Result<T, SolveError>) -> Result<T, Error> {
        done.map_err(|error| self.addressed(error.into()))
    }
}
