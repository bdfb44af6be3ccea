//! Where the values of positions come from: the table of the game or, in games that can do without
//! one, a search for each position.
//!
//! A game that answers by search is impartial, and its searches tell no distances. So a table is
//! preferred wherever it is there already or quickly made.

use std::fmt;

use crabwise::{
    Plan, SolveError,
    analysis::label::Draws,
    explore::Explorer,
    watch::{Bytes, Watch},
};

use crate::{Error, Session, TableState, Target};

/// Where the values of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Its table.
    Table,
    /// A search for each position.
    Search {
        /// What making the table would take, where that is why there is none.
        instead_of: Option<TableCost>,
    },
}

/// Bytes of memory that making a table would take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableCost {
    /// As many.
    Bytes(u64),
    /// More than these, with which the game could not be walked.
    MoreThan(u64),
}

impl fmt::Display for TableCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TableCost::Bytes(bytes) => Bytes(bytes).fmt(f),
            TableCost::MoreThan(bytes) => write!(f, "more than {}", Bytes(bytes)),
        }
    }
}

/// What is wanted of a source.
#[derive(Clone, Copy, Default)]
pub struct Needs {
    /// A table is to be made, if there is none.
    pub solve: bool,
    /// No table is to be used.
    pub search: bool,
    /// What only a table can tell, in a word or two.
    pub only_table: Option<&'static str>,
}

impl Needs {
    /// With labels where drawn moves are to be told apart.
    pub fn with_labels(self, draws: Option<Draws>) -> Needs {
        Needs { only_table: draws.map(|_| "labels"), ..self }
    }
}

/// A game with at most this many slots is solved in a matter of seconds.
const FEW_SLOTS: u64 = 25_000_000;

/// A game that must be walked is not walked further than this to find out how large it is.
const WALK_BYTES: u64 = 64 << 20;

impl Session {
    /// Chooses where the values of a game come from, and makes its table if that is best.
    pub fn source(
        &self,
        target: &Target,
        needs: Needs,
        watch: &dyn Watch,
    ) -> Result<Source, Error> {
        if needs.search {
            return match (needs.only_table, target.answers()) {
                (Some(what), _) => Err(Error::NeedsTable { what }),
                (None, false) => Err(Error::NoSearch { game: target.built.string.clone() }),
                (None, true) => Ok(Source::Search { instead_of: None }),
            };
        }
        if self.table(target, watch)? == TableState::Ready {
            return Ok(Source::Table);
        }
        if !needs.solve {
            if !target.answers() {
                return Err(self.no_table(target));
            }
            if let Some(cost) = self.too_large(target, watch)? {
                return match needs.only_table {
                    Some(_) => Err(self.no_table(target)),
                    None => Ok(Source::Search { instead_of: Some(cost) }),
                };
            }
        }
        self.solve(target, watch, false, &|_| {})?;
        Ok(Source::Table)
    }

    /// What making the table would take, if that is too much to be done without asking.
    fn too_large(&self, target: &Target, watch: &dyn Watch) -> Result<Option<TableCost>, Error> {
        let walk = self.memory.min(WALK_BYTES);
        match self.within(walk).plan(target, watch) {
            Ok(Plan { slots, memory, .. }) if slots > FEW_SLOTS || memory > self.memory => {
                Ok(Some(TableCost::Bytes(memory)))
            }
            Ok(_) => Ok(None),
            Err(Error::Solve(SolveError::TooLarge { .. })) => Ok(Some(TableCost::MoreThan(walk))),
            Err(error) => Err(error),
        }
    }

    /// Opens a game for look-ups, with labels where `draws` says how even positions are told apart.
    pub fn explorer<'a>(
        &self,
        target: &'a Target,
        source: Source,
        draws: Option<Draws>,
        watch: &'a dyn Watch,
    ) -> Result<Box<dyn Explorer + 'a>, Error> {
        match (source, draws) {
            (Source::Search { .. }, _) => {
                let asked = target.built.game.ask(&self.job(target, watch));
                asked.ok_or_else(|| Error::NoSearch { game: target.built.string.clone() })
            }
            (Source::Table, None) => {
                let opened = target.built.game.open(&self.job(target, watch));
                opened.map_err(|error| self.addressed(error.into()))
            }
            (Source::Table, Some(draws)) => self.labelled(target, draws, watch),
        }
    }
}
