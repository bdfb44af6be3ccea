//! Making a table, going on with one, and doing away with it.

use std::{fs, path::Path};

use crabwise::{
    Lost, Plan, SolveError, Solved, Table, TableError, WorkerGroup, table, watch::Watch,
};

use crate::{Error, Session, Source, TableState, Target, Unstored, stop_of};

impl Session {
    /// How a game would be solved. May have to walk it.
    pub fn plan(&self, target: &Target, watch: &dyn Watch) -> Result<Plan, Error> {
        Ok(target.built.game.plan(&self.job(target, watch))?)
    }

    /// Solves a game with the threads of this process, or goes on with its table, or finds it done. `planned` hears how,
    /// before it begins. A table of an earlier version of the game's file makes room for the new one. Whether what can
    /// be reached is to be counted, too, says `count`.
    pub fn solve(
        &self,
        target: &Target,
        watch: &dyn Watch,
        count: bool,
        planned: &dyn Fn(&Plan),
    ) -> Result<Solved, Error> {
        self.prepare(target, watch)?;
        let storing = self.place.watch(watch);
        let solved = target.built.game.solve(&self.job(target, &storing), count, planned);
        solved.map_err(|error| self.ended(target, error))
    }

    /// Solves a game with workers here and perhaps elsewhere; `None` where the table is made elsewhere.
    pub fn solve_with(
        &self,
        target: &Target,
        group: &dyn WorkerGroup,
        watch: &dyn Watch,
        count: bool,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<Solved>, Error> {
        if group.has_root() {
            self.prepare(target, watch)?;
        }
        let storing = self.place.watch(watch);
        let job = self.job(target, &storing);
        let solved = target.built.game.solve_with(&job, group, count, planned);
        solved.map_err(|error| self.ended(target, error))
    }

    /// Sees to it that there is a table of use: makes it if that is asked for, and otherwise says that there is none.
    pub fn ready(&self, target: &Target, solve: bool, watch: &dyn Watch) -> Result<(), Error> {
        match self.table(target, watch)? {
            TableState::Ready => Ok(()),
            _ if solve => self.solve(target, watch, false, &|_| {}).map(drop),
            _ => Err(self.no_table(target)),
        }
    }

    /// Removes a table, finished or not, and what was derived from it.
    pub fn remove(&self, target: &Target) -> Result<(), Error> {
        let derived = [table::statistics, table::traps].map(|of| of(&target.table));
        for file in derived.into_iter().chain([target.table.clone()]) {
            self.place.remove(&file)?;
        }
        Ok(table::remove(&target.table)?)
    }

    /// Removes what cannot be used of a table and of what was derived from it: what is damaged, or of something else.
    /// Who may not be trusted with what took long to make may ask for that.
    pub fn remove_spoilt(&self, target: &Target, watch: &dyn Watch) -> Result<(), Error> {
        let whole = |path: &Path| match Table::open(path).and_then(|file| file.check_blocks(watch))
        {
            Ok(()) | Err(TableError::Missing { .. }) => Ok(true),
            Err(error @ TableError::Stopped(_)) => Err(error),
            Err(_) => Ok(false),
        };
        let is_this = self.table(target, watch)? != TableState::Ready
            || self.explorer(target, Source::Table, None, watch).is_ok();
        if !(is_this && whole(&target.table)?) {
            return self.remove(target);
        }
        let traps = table::traps(&target.table);
        if whole(&traps)? {
            return Ok(());
        }
        self.place.remove(&traps)?;
        fs::remove_file(&traps)
            .map_err(|source| TableError::Io { path: traps, doing: "remove", source }.into())
    }

    /// Fetches what there is of a table, and does away with what is of no use.
    fn prepare(&self, target: &Target, watch: &dyn Watch) -> Result<(), Error> {
        let found = self.table(target, watch)?;
        if found == TableState::Outdated {
            self.remove(target)?;
        }
        if found != TableState::Ready {
            return Ok(self.place.go_on(&target.table, watch)?);
        }
        Ok(self.place.fetch(&table::statistics(&target.table), watch)?)
    }

    /// What a run that did not come to its end leaves: what is finished is stored, for the next run to go on from.
    fn ended(&self, target: &Target, error: SolveError) -> Error {
        // What storing itself failed on would fail again.
        if matches!(error, SolveError::Table(TableError::Io { doing: "store", .. })) {
            let SolveError::Table(source) = error else { return error.into() };
            return Error::Unstored(self.unstored(source));
        }
        if let SolveError::Uncounted(stop) = error {
            return Error::Uncounted { stop, game: target.built.string.clone() };
        }
        let kept = table::kept(&target.table);
        let unstored = self.place.flush(&target.table).err().map(|source| self.unstored(source));
        if let Some(stop) = stop_of(&error) {
            let (stop, game) = (stop.clone(), target.built.string.clone());
            return Error::Stopped { stop, game, kept, unstored };
        }
        match error {
            SolveError::Lost(Lost(why)) => Error::Lost { why, kept, unstored },
            error @ SolveError::Elsewhere { .. } => {
                Error::Lost { why: error.to_string(), kept, unstored }
            }
            error => self.addressed(error.into()),
        }
    }

    fn unstored(&self, source: TableError) -> Box<Unstored> {
        Box::new(Unstored { source, folder: self.place.folder().into() })
    }
}
