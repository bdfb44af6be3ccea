//! What of a game is compiled for its types: little, because it is compiled for each game.

use std::{ops::Range, sync::Arc};

use crate::{
    analysis::{
        horizon::{Ahead, Horizon, Search},
        verify::Deriver,
    },
    game::{
        Game,
        batched::Expander,
        dynamic::{DynGame, DynPosition, DynRules},
    },
    graph::{Reversal, View},
    index::{Index, Slot, key},
    solve::{Enumerated, SolveError, arcs::Recorded, walk::Walkable},
    watch::{Meter, Watch},
};

/// A game with how it is numbered.
pub(crate) struct Joined<G: Game, I> {
    pub(crate) game: G,
    pub(crate) numbering: Numbering<G, I>,
    pub(crate) unplay: Option<Reversal<G, I>>,
    pub(crate) batched: Option<Expander<G>>,
}

/// Where a game's numbering comes from.
pub(crate) enum Numbering<G: Game, I> {
    /// The game brings one.
    Brought(Arc<I>),
    /// The game is walked from its start.
    Walked(Walk<G, I>),
}

/// How a game is walked: functions, so that this is compiled only for games that are.
pub(crate) struct Walk<G: Game, I> {
    /// In a number of bytes.
    pub(crate) number: Number<G, I>,
    /// The numbering as what it is.
    pub(crate) found: fn(&I) -> &Enumerated<G::Position>,
}

/// Walks a game that is expanded in this way.
type Number<G, I> = fn(Walkable<G>, u64, &dyn Watch) -> Result<I, SolveError>;

/// What a numbering costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prospect {
    /// Bytes the numbering itself takes.
    pub(crate) numbering: u64,
    /// Bytes it took at the most while it was made.
    pub(crate) making: u64,
    /// Children of a position inside its tier, on average, where that is known exactly.
    pub(crate) children: Option<f64>,
}

/// A [`Joined`] game with its types erased.
pub(crate) trait TypedGame: Send + Sync {
    fn game(&self) -> DynGame<'_>;

    /// Numbers the game, in at most `memory` bytes. The moves of a game that is walked are `recorded` if it is to be
    /// solved.
    fn number<'a>(
        &'a self,
        memory: u64,
        recorded: bool,
        watch: &dyn Watch,
    ) -> Result<Box<dyn NumberedGame + 'a>, SolveError>;

    /// Where a numbering that the game brings has a position.
    fn slot(&self, at: &DynPosition) -> Option<Slot>;

    /// A search that looks ahead.
    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a>;
}

/// A numbered game with its types erased.
pub(crate) trait NumberedGame: Sync {
    fn graph(&self) -> Box<dyn Deriver + '_>;

    /// The numbering. It leaves out what only solvers and statistics ask for, because these ask the graph.
    fn index(&self) -> &dyn Index<DynPosition>;

    /// What the numbering costs.
    fn prospect(&self) -> Prospect;

    /// The salt of the keys, where positions are found by key, as those of walked games are.
    fn salt(&self) -> Option<u64>;

    /// The moves, as far as they were recorded when the game was walked.
    fn recorded(&self) -> Option<&Recorded>;

    /// The keys of some slots, where positions are found by key.
    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64>;
}

struct Numbered<'a, G: Game, I> {
    joined: &'a Joined<G, I>,
    index: Arc<I>,
}

impl<G: Game, I> Numbered<'_, G, I> {
    fn view(&self) -> View<'_, G, I> {
        let Joined { game, unplay, batched, .. } = self.joined;
        View { game, index: &self.index, unplay: *unplay, batched: *batched }
    }

    fn walked(&self) -> Option<&Enumerated<G::Position>> {
        match &self.joined.numbering {
            Numbering::Brought(_) => None,
            Numbering::Walked(walk) => Some((walk.found)(&self.index)),
        }
    }
}

impl<G: Game + 'static, I: Index<G::Position> + Send> NumberedGame for Numbered<'_, G, I> {
    fn graph(&self) -> Box<dyn Deriver + '_> {
        Box::new(self.view())
    }

    fn index(&self) -> &dyn Index<DynPosition> {
        self
    }

    fn prospect(&self) -> Prospect {
        let numbering = self.index.bytes();
        let Some(walked) = self.walked() else {
            return Prospect { numbering, making: 0, children: None };
        };
        let children = walked.found.moves as f64 / walked.total() as f64;
        Prospect { numbering, making: walked.found.making, children: Some(children) }
    }

    fn salt(&self) -> Option<u64> {
        self.walked().map(|walked| walked.salt)
    }

    fn recorded(&self) -> Option<&Recorded> {
        self.walked().map(|walked| &walked.found.recorded)
    }

    fn keys(&self, tier: u32, slots: Range<u64>) -> Vec<u64> {
        let Some(walked) = self.walked() else { return vec![] };
        let positions = &walked.positions(tier)[slots.start as usize..slots.end as usize];
        positions.iter().map(|at| key(at, walked.salt)).collect()
    }
}

impl<G: Game, I: Index<G::Position> + Send> Index<DynPosition> for Numbered<'_, G, I>
where
    G::Position: 'static,
{
    hands_on! {
        to index:
        tiers() -> u32;
        len(tier: u32) -> u64;
        loopy(tier: u32) -> bool;
        last_child_tier(tier: u32) -> u32;
        max_orbit() -> u32;
        merges_orbits() -> bool;
        name() -> String;
    }

    fn slot(&self, at: &DynPosition) -> Slot {
        self.index.slot(at.typed())
    }

    fn position(&self, slot: Slot) -> Option<DynPosition> {
        self.index.position(slot).map(DynPosition::new)
    }

    fn children(&self, tier: u32, to: &[DynPosition], slots: &mut Vec<Slot>) {
        let to: Vec<G::Position> = to.iter().map(|to| to.typed::<G::Position>().clone()).collect();
        self.index.children(tier, &to, slots);
    }

    fn tier(&self, at: &DynPosition) -> u32 {
        self.index.tier(at.typed())
    }

    fn orbit(&self, at: &DynPosition) -> Vec<DynPosition> {
        self.index.orbit(at.typed()).into_iter().map(DynPosition::new).collect()
    }

    fn images(&self, at: &DynPosition) -> Vec<DynPosition> {
        self.index.images(at.typed()).into_iter().map(DynPosition::new).collect()
    }
}

impl<G: Game + Send + 'static, I: Index<G::Position> + Send + 'static> TypedGame for Joined<G, I> {
    fn game(&self) -> DynGame<'_> {
        let rules: &dyn DynRules = &self.game;
        DynGame(rules)
    }

    fn number<'a>(
        &'a self,
        memory: u64,
        recorded: bool,
        watch: &dyn Watch,
    ) -> Result<Box<dyn NumberedGame + 'a>, SolveError> {
        let index = match &self.numbering {
            Numbering::Brought(index) => index.clone(),
            Numbering::Walked(walk) => {
                let expander = self.batched.unwrap_or_else(Expander::plain);
                let game = Walkable { game: &self.game, expander, recorded };
                Arc::new((walk.number)(game, memory, watch)?)
            }
        };
        Ok(Box::new(Numbered { joined: self, index }))
    }

    fn slot(&self, at: &DynPosition) -> Option<Slot> {
        match &self.numbering {
            Numbering::Brought(index) => Some(index.slot(at.typed())),
            Numbering::Walked(_) => None,
        }
    }

    fn search<'a>(&'a self, horizon: &Horizon, meter: &'a Meter<'a>) -> Box<dyn Ahead + 'a> {
        Box::new(Search::new(&self.game, horizon, meter))
    }
}
