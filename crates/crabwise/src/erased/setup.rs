//! Joining a game with the abilities it has.
#![allow(private_interfaces, reason = "nobody else implements `NumberingOf`")]

use std::sync::Arc;

use super::{
    ErasedGame,
    typed::{Joined, Numbering, Walk},
};
use crate::{
    analysis::{
        check::{ExpandOf, UnplayOf},
        nimbers::{MOST_PARTS, NimberOf, Nimbers},
        reachability_kernel::ReachabilityKernel,
        sums::{DirectOf, direct},
    },
    game::{
        Game, Unplay, Value,
        batched::{Batched, Expander, Expansion},
        dynamic::{DynGame, DynPosition},
        editor::{EditorBoard, PositionEditor},
        impartial::Impartial,
        picture::{Drawn, PictureOf},
        published::{Published, PublishedOf},
        summed::Summed,
        theory::{Studied, TheoryOf},
    },
    graph::{Reversal, reversed},
    index::Index,
    solve::{
        Enumerated, Kernel,
        enumerated::{WalkPart, walk_part},
    },
};

/// A game and the abilities it has.
///
/// ```text
/// Setup::of(rules).erased();                                  // Game
/// Setup::of(rules).numbered(index).erased();                  // + Index
/// Setup::of(rules).numbered(index).reversible().erased();     // + Unplay
/// ```
pub struct Setup<G: Game, N: NumberingOf<G> = Walked> {
    game: G,
    numbering: N,
    unplay: Option<Reversal<G, N::Index>>,
    batched: Option<Expander<G>>,
    abilities: Abilities,
}

/// Where the numbering of a game comes from. What walks a game is large, and compiled only for games that are walked.
pub trait NumberingOf<G: Game>: Sized {
    /// The numbering.
    type Index: Index<G::Position> + Send + 'static;
    /// The numbering, or how to find it.
    #[doc(hidden)]
    fn numbering(self) -> Numbering<G, Self::Index>;
    /// How many workers can walk the game, where it has to be walked; block by block if it is told so.
    #[doc(hidden)]
    fn walker() -> Option<WalkPart>;
    #[doc(hidden)]
    fn batched_walker() -> Option<WalkPart>
    where
        G: Batched;
}

/// The game is walked from its start, and what turns up is counted.
pub struct Walked;

/// The game brings a numbering.
pub struct Brought<I>(I);

impl<G: Game + Send + 'static> NumberingOf<G> for Walked {
    type Index = Enumerated<G::Position>;

    fn numbering(self) -> Numbering<G, Self::Index> {
        Numbering::Walked(Walk { number: Enumerated::expand, found: |index| index })
    }

    fn walker() -> Option<WalkPart> {
        Some(|game, comm, limit| walk_part((game.typed::<G>(), Expander::plain()), comm, limit))
    }

    fn batched_walker() -> Option<WalkPart>
    where
        G: Batched,
    {
        Some(|game, comm, limit| {
            let game = game.typed::<G>();
            walk_part((game, Expander::batched(game)), comm, limit)
        })
    }
}

impl<G: Game, I: Index<G::Position> + Send + 'static> NumberingOf<G> for Brought<I> {
    type Index = I;

    fn numbering(self) -> Numbering<G, I> {
        Numbering::Brought(Arc::new(self.0))
    }

    fn walker() -> Option<WalkPart> {
        None
    }

    fn batched_walker() -> Option<WalkPart>
    where
        G: Batched,
    {
        None
    }
}

/// The abilities of a game that can be asked without knowing its types, and what else is to be known
/// of it.
#[derive(Default)]
pub(crate) struct Abilities {
    pub(crate) rules: u32,
    /// What a table's header calls the numbering.
    pub(crate) numbering: String,
    /// Bytes of memory that the numbering takes, and what counts beside it.
    pub(crate) bytes: u64,
    /// How many workers can walk it, where it has to be walked.
    pub(crate) walker: Option<WalkPart>,
    /// Whether moves may stay inside a tier; no if the game has to be walked to know.
    pub(crate) loopy: bool,
    /// Whether all of the numbering counts, and not only what the start leads to.
    pub(crate) listed: bool,
    /// Whether the game is somebody's file, which may change.
    pub(crate) edited: bool,
    /// Whether outcomes are kept without distances.
    pub(crate) outcomes: bool,
    /// Why there is no table, of games that are for people and searches only.
    pub(crate) untabled: Option<&'static str>,
    pub(crate) kernel: Option<Box<dyn Kernel<u8>>>,
    pub(crate) spread: Option<Box<dyn ReachabilityKernel>>,
    /// How it is played backwards, to be held to its contract.
    pub(crate) unplay: Option<UnplayOf>,
    /// How it tells of many positions at once, to be held to its contract.
    pub(crate) expand: Option<ExpandOf>,
    pub(crate) nimber: Option<NimberOf>,
    pub(crate) direct: Option<DirectOf>,
    pub(crate) picture: Option<PictureOf>,
    pub(crate) editor: Option<fn(DynGame) -> EditorBoard>,
    pub(crate) theory: Option<TheoryOf>,
    pub(crate) published: Option<PublishedOf>,
}

impl<G: Game + Send + 'static> Setup<G> {
    /// A game without further abilities.
    pub fn of(game: G) -> Setup<G> {
        let abilities = Abilities {
            rules: 1,
            numbering: Enumerated::<G::Position>::NAME.into(),
            ..Abilities::default()
        };
        Setup { game, numbering: Walked, unplay: None, batched: None, abilities }
    }

    /// The game has a numbering of its own, and need not be walked.
    pub fn numbered<I: Index<G::Position> + Send + 'static>(
        self,
        index: I,
    ) -> Setup<G, Brought<I>> {
        let abilities = Abilities {
            numbering: index.name(),
            bytes: index.bytes(),
            walker: None,
            loopy: (0..index.tiers()).any(|tier| index.loopy(tier)),
            ..self.abilities
        };
        let Setup { game, batched, .. } = self;
        Setup { game, numbering: Brought(index), unplay: None, batched, abilities }
    }
}

impl<G: Game + Send + 'static, N: NumberingOf<G>> Setup<G, N> {
    /// The game can be played backwards, which saves recording edges.
    pub fn reversible(mut self) -> Self
    where
        G: Unplay,
    {
        self.unplay = Some(reversed);
        self.abilities.unplay = Some(|game, at| {
            let origins = game.typed::<G>().unplay(at.typed()).into_iter();
            origins.map(DynPosition::new).collect()
        });
        self
    }

    /// The game tells of many positions at once where their moves lead.
    pub fn batched(mut self) -> Self
    where
        G: Batched,
    {
        self.batched = Some(Expander::batched(&self.game));
        self.abilities.walker = N::batched_walker();
        self.abilities.expand = Some(|game, positions| {
            let typed = |at: &DynPosition| at.typed::<G::Position>().clone();
            let positions: Vec<G::Position> = positions.iter().map(typed).collect();
            let mut out = Expansion::default();
            game.typed::<G>().expand(&positions, &mut out);
            let Expansion { outcomes, counts, children, again } = out;
            let children = children.into_iter().map(DynPosition::new).collect();
            Expansion { outcomes, counts, children, again }
        });
        self
    }

    /// The game is the list of its positions, as somebody wrote it down. All of them count, whether
    /// the start leads there or not; and the list may be [`edited`](Setup::edited).
    pub fn listed(mut self) -> Self {
        self.abilities.listed = true;
        self.edited()
    }

    /// The game is in a file, which may be edited: so the numbering's name must tell one version from
    /// another, and a table of another version is taken for out of date.
    pub fn edited(mut self) -> Self {
        self.abilities.edited = true;
        self
    }

    /// The game has more positions than any table, as is known without a walk: solving it is refused with this
    /// reason.
    pub fn untabled(mut self, why: &'static str) -> Self {
        self.abilities.untabled = Some(why);
        self
    }

    /// The game has a kernel of its own for tiers without inner moves.
    pub fn kernel(mut self, kernel: impl Kernel<u8> + 'static) -> Self {
        self.abilities.kernel = Some(Box::new(kernel));
        self
    }

    /// The game tells by itself what can be reached, many positions at a time.
    pub fn spreading(mut self, spread: impl ReachabilityKernel + 'static) -> Self {
        self.abilities.bytes += spread.own_bytes();
        self.abilities.spread = Some(Box::new(spread));
        self
    }

    /// The game is impartial, so that its positions have nimbers.
    pub fn impartial(mut self) -> Self
    where
        G: Impartial,
    {
        self.abilities.nimber =
            Some(|game, at| Nimbers::new(game.typed::<G>()).within(at.typed(), MOST_PARTS));
        self
    }

    /// The game can answer for single positions, as sums of parts, without a table.
    pub fn summed(mut self) -> Self
    where
        G: Summed,
    {
        self.abilities.direct = Some(direct::<G>);
        self
    }

    /// The game draws its positions.
    pub fn drawn(mut self) -> Self
    where
        G: Drawn,
    {
        self.abilities.picture = Some(|game, at, made, mover| {
            let picture = game.typed::<G>().picture(at.typed(), made);
            if G::TURNED && mover == 1 { picture.swapped() } else { picture }
        });
        self
    }

    /// Positions of the game can be put together place by place.
    pub fn editable(mut self) -> Self
    where
        G: PositionEditor,
    {
        self.abilities.editor = Some(|game| game.typed::<G>().editor());
        self
    }

    /// Something is known of the game beforehand.
    pub fn studied(mut self) -> Self
    where
        G: Studied,
    {
        self.abilities.theory = Some(TheoryOf {
            theory: |game| game.typed::<G>().theory(),
            kind: |game, at, mv| game.typed::<G>().kind(at.typed(), mv.typed()),
        });
        self
    }

    /// The game was published before, in files of a form of its own.
    pub fn published(mut self) -> Self
    where
        G: Published,
    {
        self.abilities.published = Some(PublishedOf {
            files: G::FILES,
            codes: |game| game.typed::<G>().codes(),
            decode: |game, code| game.typed::<G>().decode(code).map(DynPosition::new),
            name: |game, at, mover| game.typed::<G>().name(at.typed(), mover),
            begin: |game, files| game.typed::<G>().begin(files),
            meaning: |game, byte| game.typed::<G>().meaning(byte),
            parts_with_draws: |game| game.typed::<G>().parts_with_draws(),
            upper_bound: |game| game.typed::<G>().upper_bound(),
            append: |game, at, moves, decided, files| {
                let typed = |(to, value): &(DynPosition, Value)| {
                    (to.typed::<G::Position>().clone(), *value)
                };
                let moves: Vec<(G::Position, Value)> = moves.iter().map(typed).collect();
                let at = at.map(|(at, value)| (at.typed(), value));
                game.typed::<G>().append(at, &moves, decided, files);
            },
        });
        self
    }

    /// The version of the rules, 1 unless told. Raise it whenever values change, so that old
    /// tables are refused.
    pub fn rules(mut self, version: u32) -> Self {
        self.abilities.rules = version;
        self
    }

    /// Erases the types.
    pub fn erased(self) -> ErasedGame {
        let Setup { game, numbering, unplay, batched, mut abilities } = self;
        abilities.walker = abilities.walker.or_else(N::walker);
        let typed = Joined { game, numbering: numbering.numbering(), unplay, batched };
        ErasedGame { typed: Box::new(typed), abilities }
    }
}
