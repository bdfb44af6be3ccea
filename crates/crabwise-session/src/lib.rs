//! The verbs of every front end: open a game, solve it, look, label, count, verify, export, remove.
//!
//! A [`Session`] knows the games, where tables are, and how much memory there is. Front ends parse what comes in and
//! show what comes out; when a table is fetched, when it is outdated, what a stopped run leaves behind and where
//! values come from is decided here, once for all of them. Progress goes to the [`Watch`] that is handed in, which
//! may also stop the work. Nothing here prints, and no file is opened but tables and what the caller opens for a game
//! string.
//!
//! A table is of use when it is there and was not made from another version of the game's file. So before anything is
//! read the table is fetched from the store, if there is one, and then held against the game
//! ([`Session::table`]).
#![deny(missing_docs)]

mod against;
mod error;
mod islands;
mod propagation;
mod repetition;
mod solve;
mod source;
#[cfg(test)]
mod tests;
mod verbs;

use std::{path::PathBuf, sync::Arc};

use crabwise::{
    Job, table,
    watch::{Unwatched, Watch},
};
use crabwise_games::{Built, Limits, Open, Registry};
use crabwise_hidden::ErasedHidden;
use crabwise_store::Place;

pub use self::{
    against::{Comparison, Difference, words},
    error::{Error, Unstored, stop_of},
    islands::{Islands, numbered},
    propagation::{Propagation, Round, Rule, Step},
    repetition::repetitions,
    source::{Needs, Source, TableCost},
};

/// Bytes that a graph may take while it is read, however little memory there is.
const TRIFLE: u64 = 16 << 20;

/// The games, where their tables are, and how much memory there is.
#[derive(Clone)]
pub struct Session {
    registry: Arc<Registry>,
    place: Arc<Place>,
    memory: u64,
}

/// A game and the place of its table.
pub struct Target {
    /// The game under its canonical game string.
    pub built: Built,
    /// Where its table is, or is to be.
    pub table: PathBuf,
}

/// What there is of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableState {
    /// None that is finished.
    Missing,
    /// One of another version of the game's file, or of another file of that name.
    Outdated,
    /// One of use.
    Ready,
}

impl Target {
    /// The canonical game string.
    pub fn name(&self) -> &str {
        &self.built.string
    }

    /// Refuses, before anything is solved, what takes distances of a game that keeps none.
    pub fn need_distances(&self, what: &'static str) -> Result<(), Error> {
        match self.built.game.keeps_distances() {
            true => Ok(()),
            false => Err(crabwise::SolveError::NeedsDistances { what }.into()),
        }
    }

    /// Whether the game answers for positions without a table.
    pub fn answers(&self) -> bool {
        // Without memory to remember anything in, asking costs nothing.
        let job = Job { game: self.name(), table: &self.table, memory: 0, watch: &Unwatched };
        self.built.game.ask(&job).is_some()
    }
}

impl Session {
    /// A session over these games, with at most `memory` bytes.
    pub fn new(registry: Registry, place: Place, memory: u64) -> Session {
        Session { registry: registry.into(), place: place.into(), memory }
    }

    /// The session with another amount of memory.
    pub fn within(&self, memory: u64) -> Session {
        Session { memory, ..self.clone() }
    }

    /// The games.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Where tables are.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Bytes of memory that may be used.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The game that a game string means; `open` opens the file that it may name, which may take all the memory, and
    /// in any case what is nothing beside the program itself.
    pub fn target(&self, string: &str, open: Open) -> Result<Target, Error> {
        self.target_within(string, open, self.limits())
    }

    /// The game that a game string means, the file that it may name held to these limits while it is read.
    pub fn target_within(&self, string: &str, open: Open, limits: Limits) -> Result<Target, Error> {
        let built = self.registry.build_within(string, open, limits)?;
        let table = self.place.folder().join(table::file_name(&built.string));
        Ok(Target { built, table })
    }

    /// Whether a game string means a game with hidden information; `open` opens the file that it may name.
    pub fn is_hidden(&self, string: &str, open: Open) -> bool {
        self.registry.is_hidden_within(string, open, self.limits())
    }

    /// A game with hidden information; `open` opens the file that it may name.
    pub fn hidden_with(&self, string: &str, open: Open) -> Result<Built<ErasedHidden>, Error> {
        self.hidden_within(string, open, self.limits())
    }

    fn limits(&self) -> Limits {
        Limits::within(self.memory.max(TRIFLE))
    }

    /// A game with hidden information that is in no file.
    pub fn hidden(&self, string: &str) -> Result<Built<ErasedHidden>, Error> {
        Ok(self.registry.build_hidden(string)?)
    }

    /// A game with hidden information; `open` opens the file that it may name, which is held to these limits while it
    /// is read.
    pub fn hidden_within(
        &self,
        string: &str,
        open: Open,
        limits: Limits,
    ) -> Result<Built<ErasedHidden>, Error> {
        Ok(self.registry.build_hidden_within(string, open, limits)?)
    }

    /// Where the strategies of a game with hidden information are, unless somebody says otherwise.
    pub fn strategies(&self, game: &str) -> PathBuf {
        self.place.folder().join(table::file_name(game)).with_extension("strat")
    }

    /// Work on a game's table, for what no verb does.
    pub fn job<'a>(&self, target: &'a Target, watch: &'a dyn Watch) -> Job<'a> {
        Job { game: &target.built.string, table: &target.table, memory: self.memory, watch }
    }

    /// Fetches the table from where it is kept, and says what there is then.
    pub fn table(&self, target: &Target, watch: &dyn Watch) -> Result<TableState, Error> {
        self.place.fetch(&target.table, watch)?;
        Ok(self.table_here(target))
    }

    /// What there is of the table without asking where it is kept.
    pub fn table_here(&self, target: &Target) -> TableState {
        match target.table.exists() {
            _ if self.outdated(target) => TableState::Outdated,
            true => TableState::Ready,
            false => TableState::Missing,
        }
    }

    fn outdated(&self, target: &Target) -> bool {
        target.built.game.outdated(&self.job(target, &Unwatched))
    }

    /// Why there are no values of a game.
    pub fn no_table(&self, target: &Target) -> Error {
        // To say how one is made would lead nowhere.
        if let Err(never) = target.built.game.need_table() {
            return never.into();
        }
        let (game, tables) = (target.built.string.clone(), self.place.name());
        Error::NoTable { game, tables, outdated: self.outdated(target) }
    }

    /// The error with a table named as the person knows it, where files here are copies; a copy that is damaged is
    /// fetched again.
    pub fn addressed(&self, error: Error) -> Error {
        use crabwise::{
            SolveError,
            TableError::{Damaged, Format, Missing, Other},
        };
        let Error::Solve(SolveError::Table(mut error)) = error else { return error };
        if let Damaged { path, .. } = &error {
            self.place.forget(path);
        }
        if let Damaged { path, .. } | Format { path, .. } | Missing { path } | Other { path, .. } =
            &mut error
        {
            *path = self.place.address(path);
        }
        error.into()
    }
}
