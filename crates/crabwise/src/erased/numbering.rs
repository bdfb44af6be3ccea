//! Where a game's numbering comes from: the game brings one, or it is walked.

use std::ops::Range;

use super::typed::IndexOf;
use crate::{
    game::Game,
    index::{Index, Slot, key},
    solve::{Enumerated, SolveError},
    table::{Table, TableError},
    watch::Watch,
};

/// What a numbering costs.
#[derive(Clone, Copy, Debug)]
pub struct Prospect {
    /// Bytes the numbering itself takes.
    pub numbering: u64,
    /// Bytes it took at the most while it was made.
    pub making: u64,
    /// Children of a position inside its tier, on average, where that is known exactly.
    pub children: Option<f64>,
}

/// How the positions of a game are numbered, and found again in a table.
pub trait Numbering<G: Game>: Send + Sync {
    /// The numbering.
    type Index: Index<G::Position>;

    /// The numbering, which may have to be made first, in at most `memory` bytes.
    fn index(
        &self,
        game: &G,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<IndexOf<'_, Self::Index>, SolveError>;

    /// The numbering, if it is there without building it first.
    fn ready(&self) -> Option<&Self::Index> {
        None
    }

    /// What a table's header calls the numbering.
    fn name(&self) -> String;

    /// Where a position that is `depth` moves from the start is kept; `None` if the table does not
    /// have it.
    fn find(&self, table: &Table, at: &G::Position, depth: u32)
    -> Result<Option<Slot>, TableError>;

    /// What the numbering costs.
    fn prospect(index: &Self::Index) -> Prospect;

    /// The salt of the keys, where positions are found by key.
    fn salt(index: &Self::Index) -> Option<u64>;

    /// The keys of some slots, where positions are found by key.
    fn keys(index: &Self::Index, tier: u32, slots: Range<u64>) -> Vec<u64>;
}

/// The game is walked from its start.
pub struct Walked;

impl<G: Game> Numbering<G> for Walked {
    type Index = Enumerated<G::Position>;

    fn index(
        &self,
        game: &G,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<IndexOf<'_, Self::Index>, SolveError> {
        Ok(IndexOf::Made(Enumerated::walk(game, memory, watch)?))
    }

    fn name(&self) -> String {
        Enumerated::<G::Position>::NAME.into()
    }

    fn find(
        &self,
        table: &Table,
        at: &G::Position,
        depth: u32,
    ) -> Result<Option<Slot>, TableError> {
        let salt = table.identity().keys.unwrap_or(0);
        table.find(key(at, salt), depth)
    }

    fn prospect(index: &Self::Index) -> Prospect {
        let children = index.moves() as f64 / index.total() as f64;
        Prospect { numbering: index.bytes(), making: index.making(), children: Some(children) }
    }

    fn salt(index: &Self::Index) -> Option<u64> {
        Some(index.salt())
    }

    fn keys(index: &Self::Index, tier: u32, slots: Range<u64>) -> Vec<u64> {
        let positions = &index.positions(tier)[slots.start as usize..slots.end as usize];
        positions.iter().map(|at| key(at, index.salt())).collect()
    }
}

/// The game brings a numbering.
pub struct Numbered<I>(pub(crate) I);

impl<G: Game, I: Index<G::Position> + Send> Numbering<G> for Numbered<I> {
    type Index = I;

    fn index(
        &self,
        _game: &G,
        _memory: u64,
        _watch: &dyn Watch,
    ) -> Result<IndexOf<'_, I>, SolveError> {
        Ok(IndexOf::Brought(&self.0))
    }

    fn ready(&self) -> Option<&I> {
        Some(&self.0)
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn find(
        &self,
        _table: &Table,
        at: &G::Position,
        _depth: u32,
    ) -> Result<Option<Slot>, TableError> {
        Ok(Some(self.0.slot(at)))
    }

    fn prospect(index: &I) -> Prospect {
        Prospect { numbering: index.bytes(), making: 0, children: None }
    }

    fn salt(_index: &I) -> Option<u64> {
        None
    }

    fn keys(_index: &I, _tier: u32, _slots: Range<u64>) -> Vec<u64> {
        vec![]
    }
}
