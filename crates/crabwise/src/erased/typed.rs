//! What of a game is compiled for its types: little, because it is compiled for each game.

use std::ops::{Deref, Range};

use super::numbering::{Numbering, Prospect};
use crate::{
    analysis::{
        check::{Checked, UnplayCheck},
        horizon::{Ahead, Horizon, Search},
        verify::Deriver,
    },
    game::{
        Game,
        dynamic::{DynGame, DynPosition, DynRules},
    },
    graph::{Graph, Reversal, View},
    index::{Index, Slot, dynamic::DynIndex},
    solve::{self, SolveError, distributed_walk::Walker},
    table::{Table, TableError},
    watch::{Meter, Watch},
};

/// A game with how it is numbered.
pub(crate) struct Joined<G: Game, N: Numbering<G>> {
    pub(crate) game: G,
    numbering: N,
    pub(crate) unplay: Option<Reversal<G, N::Index>>,
    pub(crate) unplay_check: Option<UnplayCheck<G, N>>,
    /// How many workers can walk it, where it has to be walked.
    pub(crate) walker: Option<fn(&G) -> &dyn Walker>,
}

/// A [`Joined`] game with its types erased.
pub(crate) trait TypedGame: Send + Sync {
    fn rules(&self) -> &dyn DynRules;

    fn game(&self) -> DynGame<'_> {
        DynGame(self.rules())
    }

    /// What a table's header calls the numbering.
    fn numbering(&self) -> String;

    /// The game as many workers can walk it, where it has to be walked.
    fn walker(&self) -> Option<&dyn Walker>;

    /// Whether moves may stay inside a tier; no if the game has to be walked to know.
    fn loopy(&self) -> bool;

    /// Numbers the game, in at most `memory` bytes.
    fn number<'a>(
        &'a self,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Box<dyn NumberedGame + 'a>, SolveError>;

    /// Where a table keeps a position that is `depth` moves from the start.
    fn find(&self, table: &Table, at: &DynPosition, depth: u32)
    -> Result<Option<Slot>, TableError>;

    /// A search that looks ahead.
    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a>;

    /// Holds the un-moves to their contract, in games that have any.
    fn check_unplay(&self, seed: u64) -> Option<Checked>;
}

/// A numbered game with its types erased.
pub(crate) trait NumberedGame: Sync {
    fn graph(&self) -> Box<dyn Graph + '_>;

    /// The numbering.
    fn index(&self) -> Box<dyn Index<DynPosition> + '_>;

    /// What derives values by the rules alone.
    fn deriver(&self) -> Box<dyn Deriver + '_>;

    /// What the numbering costs.
    fn prospect(&self) -> Prospect;

    /// The salt of the keys, where positions are found by key, as those of walked games are.
    fn salt(&self) -> Option<u64>;

    /// The keys of some slots, where positions are found by key.
    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64>;
}

/// A numbering that the game brings, or one that a walk has just made.
pub enum IndexOf<'a, I> {
    /// The game's own.
    Brought(&'a I),
    /// Made by a walk.
    Made(I),
}

impl<I> Deref for IndexOf<'_, I> {
    type Target = I;

    fn deref(&self) -> &I {
        match self {
            IndexOf::Brought(index) => index,
            IndexOf::Made(index) => index,
        }
    }
}

impl<G: Game, N: Numbering<G>> Joined<G, N> {
    pub(crate) fn new(game: G, numbering: N) -> Joined<G, N> {
        Joined { game, numbering, unplay: None, unplay_check: None, walker: None }
    }
}

struct Numbered<'a, G: Game, N: Numbering<G>> {
    game: &'a G,
    index: IndexOf<'a, N::Index>,
    unplay: Option<Reversal<G, N::Index>>,
}

impl<G: Game, N: Numbering<G>> Numbered<'_, G, N> {
    fn view(&self) -> View<'_, G, N::Index> {
        View { game: self.game, index: &self.index, unplay: self.unplay }
    }
}

impl<G: Game + 'static, N: Numbering<G>> NumberedGame for Numbered<'_, G, N> {
    fn graph(&self) -> Box<dyn Graph + '_> {
        Box::new(self.view())
    }

    fn index(&self) -> Box<dyn Index<DynPosition> + '_> {
        Box::new(DynIndex { index: &*self.index })
    }

    fn deriver(&self) -> Box<dyn Deriver + '_> {
        Box::new(self.view())
    }

    fn prospect(&self) -> Prospect {
        N::prospect(&self.index)
    }

    fn salt(&self) -> Option<u64> {
        N::salt(&self.index)
    }

    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64> {
        N::keys(&self.index, tier, slots)
    }
}

impl<G: Game + Send + 'static, N: Numbering<G> + 'static> TypedGame for Joined<G, N> {
    fn rules(&self) -> &dyn DynRules {
        &self.game
    }

    fn numbering(&self) -> String {
        self.numbering.name()
    }

    fn walker(&self) -> Option<&dyn Walker> {
        self.walker.map(|walker| walker(&self.game))
    }

    fn loopy(&self) -> bool {
        let loopy = |index| solve::loopy(&View { game: &self.game, index, unplay: None });
        self.numbering.ready().is_some_and(loopy)
    }

    fn number<'a>(
        &'a self,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Box<dyn NumberedGame + 'a>, SolveError> {
        let index = self.numbering.index(&self.game, memory, watch)?;
        Ok(Box::new(Numbered::<G, N> { game: &self.game, index, unplay: self.unplay }))
    }

    fn find(
        &self,
        table: &Table,
        at: &DynPosition,
        depth: u32,
    ) -> Result<Option<Slot>, TableError> {
        self.numbering.find(table, at.typed(), depth)
    }

    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a> {
        Box::new(Search::new(&self.game, horizon, meter))
    }

    fn check_unplay(&self, seed: u64) -> Option<Checked> {
        self.unplay_check.map(|check| check(&self.game, &self.numbering, seed))
    }
}
