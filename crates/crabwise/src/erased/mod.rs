//! One erasure of a game's types: what a registry holds and every command works on.
//!
//! [`Setup`] joins a game with the abilities it has, and [`ErasedGame`] is what is left once the types are erased.
//! Its verbs (solving, looking, labelling, counting, verifying, exporting) are in the folders to the right of this one,
//! each beside what it does.

mod reached;
mod setup;
mod traps;
mod typed;

use std::path::Path;

pub use self::setup::Setup;
pub(crate) use self::{
    setup::Abilities,
    typed::{NumberedGame, Prospect, TypedGame},
};
use crate::{
    game::{
        Game, Value,
        dynamic::{DynGame, DynPosition},
        editor::EditorBoard,
        theory::Theory,
    },
    graph::Graph,
    index::{Slot, key},
    solve::{SolveError, Task, need_memory},
    table::{Identity, Table, TableError, Tiers},
    watch::Watch,
};

/// A piece of work: on which table, with how much memory, and who is watching.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The canonical game string, which the table's header holds.
    pub game: &'a str,
    /// Where the table is, or is to be.
    pub table: &'a Path,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Who is told how far it is.
    pub watch: &'a dyn Watch,
}

/// A game, ready to be solved, looked at and judged.
pub struct ErasedGame {
    pub(crate) typed: Box<dyn TypedGame>,
    pub(crate) abilities: Abilities,
}

impl ErasedGame {
    /// The version of the rules, which tables hold.
    pub fn rules(&self) -> u32 {
        self.abilities.rules
    }

    /// The game with outcomes kept and distances not: two bits a slot instead of a byte. Only for games whose tiers
    /// have no inner moves, and otherwise a line says so; of a game that must be walked first this is known only
    /// then, and solving it is refused.
    pub fn outcomes(mut self) -> Result<ErasedGame, String> {
        if self.abilities.loopy {
            return Err(
                "play may go in circles, and then 'outcomes' cannot do without distances".into()
            );
        }
        self.abilities.outcomes = true;
        Ok(self)
    }

    /// Whether the table keeps distances beside outcomes.
    pub fn keeps_distances(&self) -> bool {
        !self.abilities.outcomes
    }

    /// Whether the game is a list of positions, all of which count.
    pub fn listed(&self) -> bool {
        self.abilities.listed
    }

    /// Bytes of memory that its tables take, as long as it is kept; those of a game that has to be walked are made anew
    /// each time.
    pub fn bytes(&self) -> u64 {
        self.abilities.bytes
    }

    /// How positions are put together place by place; `None` for games that cannot be.
    pub fn editor(&self) -> Option<EditorBoard> {
        self.abilities.editor.map(|editor| editor(self.game()))
    }

    /// What is known of the game beforehand; `None` for games of which nothing is.
    pub fn theory(&self) -> Option<Theory> {
        self.abilities.theory.map(|theory| (theory.theory)(self.game()))
    }

    /// Whether the table is that of another list, or of an earlier version of this one.
    pub fn outdated(&self, job: &Job) -> bool {
        self.abilities.edited && matches!(self.open_table(job), Err(TableError::Other { .. }))
    }

    pub(crate) fn game(&self) -> DynGame<'_> {
        self.typed.game()
    }

    /// Numbers the game within the memory of a job.
    pub(crate) fn number(&self, job: &Job) -> Result<Box<dyn NumberedGame + '_>, SolveError> {
        self.need_table()?;
        self.typed.number(job.memory, false, job.watch)
    }

    /// Numbers the game to solve it.
    pub(crate) fn number_to_solve(
        &self,
        job: &Job,
    ) -> Result<Box<dyn NumberedGame + '_>, SolveError> {
        self.need_table()?;
        self.typed.number(job.memory, true, job.watch)
    }

    pub(crate) fn task<'a>(&'a self, graph: &'a dyn Graph) -> Task<'a> {
        let Abilities { kernel, outcomes, .. } = &self.abilities;
        Task { kernel: kernel.as_deref(), outcomes: *outcomes, ..Task::plain(graph) }
    }

    /// What the table of the game is about.
    pub(crate) fn identity(&self, job: &Job, tiers: u32, keys: Option<u64>) -> Identity {
        let Abilities { rules, ref numbering, outcomes, .. } = self.abilities;
        Identity {
            game: job.game.into(),
            rules,
            numbering: numbering.clone(),
            tiers,
            keys,
            outcomes,
        }
    }

    pub(crate) fn open_table(&self, job: &Job) -> Result<Table, TableError> {
        Table::open_for(job.table, &self.identity(job, 0, None))
    }

    /// The place and value of a position that is `depth` moves from the start.
    pub(crate) fn find(
        &self,
        table: &Table,
        at: &DynPosition,
        depth: u32,
    ) -> Result<(Slot, Value), TableError> {
        let slot = match self.typed.slot(at) {
            Some(slot) => Some(slot),
            None => table.find(key(at, table.identity().keys.unwrap_or(0)), depth)?,
        };
        let value = slot.map(|slot| table.get(slot)).transpose()?.flatten();
        slot.zip(value).ok_or_else(|| self.absent(at))
    }

    /// That a table lacks a position.
    pub(crate) fn absent(&self, at: &DynPosition) -> TableError {
        TableError::Absent { position: self.game().notation(at) }
    }

    /// Why there is to be no table of it, if there is to be none.
    pub fn untabled(&self) -> Option<&'static str> {
        self.abilities.untabled
    }

    /// Refuses what takes a table where there is to be none.
    pub fn need_table(&self) -> Result<(), SolveError> {
        self.untabled().map_or(Ok(()), |why| Err(SolveError::Untabled { why }))
    }

    /// Refuses what takes distances where none are kept.
    pub(crate) fn need_distances(&self, what: &'static str) -> Result<(), SolveError> {
        if self.abilities.outcomes { Err(SolveError::NeedsDistances { what }) } else { Ok(()) }
    }
}

/// All tiers of a table, if there is memory for them.
pub(crate) fn fetch_all(
    job: &Job,
    table: &Table,
    doing: &'static str,
) -> Result<Tiers, SolveError> {
    let count = table.identity().tiers;
    need_memory(doing, (0..count).map(|tier| table.tier_bytes(tier)).sum(), job.memory)?;
    let mut tiers = Tiers::new(count);
    tiers.bring(0..count, |tier| table.tier(tier))?;
    Ok(tiers)
}
