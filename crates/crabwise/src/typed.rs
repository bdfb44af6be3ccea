//! What of a game must be compiled for its types: little, because it is compiled for each game.

use std::ops::Range;

use crate::{
    Game, Index, Numbering, Slot, Table, TableError, WalkError,
    apart::Walker,
    check::{self, Checked},
    graph::{Graph, Reversal, View},
    solve::{
        self, Prospect,
        horizon::{Ahead, Horizon, Search},
    },
    untyped::{Numbers, Position, Rules},
    verify::Bench,
    watch::{Meter, Watch},
};

/// A game with how it is numbered.
pub(crate) struct Joined<G: Game, N: Numbering<G>> {
    pub(crate) game: G,
    numbering: N,
    pub(crate) unplay: Option<Reversal<G, N::Index>>,
    pub(crate) unplay_check: Option<check::UnplayCheck<G, N>>,
    /// How many workers can walk it, where it has to be walked.
    pub(crate) walker: Option<fn(&G) -> &dyn Walker>,
}

/// The same without its types.
pub(crate) trait Typed: Send + Sync {
    fn rules(&self) -> &dyn Rules;

    /// What a table's header calls the numbering.
    fn numbering(&self) -> String;

    /// The game as many workers can walk it, where it has to be walked.
    fn walker(&self) -> Option<&dyn Walker>;

    /// Whether moves may stay inside a tier; no if the game has to be walked to know.
    fn loopy(&self) -> bool;

    /// Numbers the game, in at most `memory` bytes.
    fn with(
        &self,
        memory: u64,
        watch: &dyn Watch,
        then: &mut dyn FnMut(&dyn Sight),
    ) -> Result<(), WalkError>;

    /// Where a table keeps a position that is `depth` moves from the start.
    fn find(&self, table: &Table, at: &Position, depth: u32) -> Result<Option<Slot>, TableError>;

    /// A search that looks ahead.
    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a>;

    /// Holds the un-moves to their contract, in games that have any.
    fn check_unplay(&self, seed: u64) -> Option<Checked>;
}

/// A numbered game.
pub(crate) trait Sight: Sync {
    fn graph(&self) -> &dyn Graph;

    /// The numbering.
    fn index(&self) -> &dyn Index<Position>;

    /// What derives values by the rules.
    fn bench(&self) -> &dyn Bench;

    /// What the numbering costs.
    fn prospect(&self) -> Prospect;

    /// The salt of the keys, where positions are found by key.
    fn salt(&self) -> Option<u64>;

    /// The keys of some slots, where positions are found by key.
    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64>;
}

impl<G: Game, N: Numbering<G>> Joined<G, N> {
    pub(crate) fn new(game: G, numbering: N) -> Joined<G, N> {
        Joined { game, numbering, unplay: None, unplay_check: None, walker: None }
    }
}

struct Seen<'a, G: Game, N: Numbering<G>> {
    view: View<'a, G, N::Index>,
    numbers: Numbers<'a, G::Position>,
}

impl<G: Game + 'static, N: Numbering<G>> Sight for Seen<'_, G, N> {
    fn graph(&self) -> &dyn Graph {
        &self.view
    }

    fn index(&self) -> &dyn Index<Position> {
        &self.numbers
    }

    fn bench(&self) -> &dyn Bench {
        &self.view
    }

    fn prospect(&self) -> Prospect {
        N::prospect(self.view.index)
    }

    fn salt(&self) -> Option<u64> {
        N::salt(self.view.index)
    }

    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64> {
        N::keys(self.view.index, tier, slots)
    }
}

impl<G: Game + Send + 'static, N: Numbering<G> + 'static> Typed for Joined<G, N> {
    fn rules(&self) -> &dyn Rules {
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

    fn with(
        &self,
        memory: u64,
        watch: &dyn Watch,
        then: &mut dyn FnMut(&dyn Sight),
    ) -> Result<(), WalkError> {
        self.numbering.with(&self.game, memory, watch, |index| {
            let view = View { game: &self.game, index, unplay: self.unplay };
            then(&Seen::<G, N> { view, numbers: Numbers { index } });
        })
    }

    fn find(&self, table: &Table, at: &Position, depth: u32) -> Result<Option<Slot>, TableError> {
        self.numbering.find(table, at.typed(), depth)
    }

    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a> {
        Box::new(Search::new(&self.game, horizon, meter))
    }

    fn check_unplay(&self, seed: u64) -> Option<Checked> {
        self.unplay_check.map(|check| check(&self.game, &self.numbering, seed))
    }
}
