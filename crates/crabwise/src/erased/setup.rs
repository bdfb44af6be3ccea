//! Joining a game with the abilities it has.

use super::{
    ErasedGame,
    numbering::{Numbered, Numbering, Walked},
    typed::Joined,
};
use crate::{
    analysis::{
        check,
        nimbers::{NimberOf, nimber},
        reachability_kernel::ReachabilityKernel,
        sums::{DirectOf, direct},
    },
    game::{
        Game, Unplay, Value,
        dynamic::{DynGame, DynPosition},
        editor::{EditorBoard, PositionEditor},
        impartial::Impartial,
        picture::{self, Drawn, PictureOf},
        published::{ArrayOf, PublishedArray, PublishedFormat, PublishedOf, PublishedRows},
        summed::Summed,
        theory::{Studied, TheoryOf},
    },
    graph::reversed,
    index::Index,
    solve::Kernel,
};

/// A game and the abilities it has.
///
/// ```text
/// Setup::of(rules).erased();                                  // Game
/// Setup::of(rules).numbered(index).erased();                  // + Index
/// Setup::of(rules).numbered(index).reversible().erased();     // + Unplay
/// ```
pub struct Setup<G: Game, N: Numbering<G> = Walked> {
    pub(crate) typed: Joined<G, N>,
    pub(crate) abilities: Abilities,
}

/// The abilities of a game that can be asked without knowing its types, and what else is to be known
/// of it.
#[derive(Default)]
pub(crate) struct Abilities {
    pub(crate) rules: u32,
    /// Whether all of the numbering counts, and not only what the start leads to.
    pub(crate) listed: bool,
    /// Whether the game is somebody's file, which may change.
    pub(crate) edited: bool,
    /// Whether outcomes are kept without distances.
    pub(crate) outcomes: bool,
    pub(crate) kernel: Option<Box<dyn Kernel<u8>>>,
    pub(crate) spread: Option<Box<dyn ReachabilityKernel>>,
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
        let abilities = Abilities { rules: 1, ..Abilities::default() };
        let mut typed = Joined::new(game, Walked);
        typed.walker = Some(|game| game);
        Setup { typed, abilities }
    }

    /// The game has a numbering of its own, and need not be walked.
    pub fn numbered<I: Index<G::Position> + Send + 'static>(
        self,
        index: I,
    ) -> Setup<G, Numbered<I>> {
        let Setup { typed, abilities } = self;
        Setup { typed: Joined::new(typed.game, Numbered(index)), abilities }
    }
}

impl<G: Game + Send + 'static, I: Index<G::Position> + Send + 'static> Setup<G, Numbered<I>> {
    /// The game can be played backwards, which saves recording edges.
    pub fn reversible(mut self) -> Self
    where
        G: Unplay,
    {
        self.typed.unplay = Some(reversed);
        self.typed.unplay_check =
            Some(|game, numbering, seed| check::unplay(game, &numbering.0, seed));
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

    /// The game has a kernel of its own for tiers without inner moves.
    pub fn kernel(mut self, kernel: impl Kernel<u8> + 'static) -> Self {
        self.abilities.kernel = Some(Box::new(kernel));
        self
    }

    /// The game tells by itself what can be reached, many positions at a time.
    pub fn spreading(mut self, spread: impl ReachabilityKernel + 'static) -> Self {
        self.abilities.spread = Some(Box::new(spread));
        self
    }
}

impl<G: Game + Send + 'static, N: Numbering<G> + 'static> Setup<G, N> {
    /// The game is impartial, so that its positions have nimbers.
    pub fn impartial(mut self) -> Self
    where
        G: Impartial,
    {
        self.abilities.nimber = Some(nimber::<G>);
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
        self.abilities.picture = Some(picture::picture::<G>);
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
    pub fn published_rows(mut self) -> Self
    where
        G: PublishedRows,
    {
        let format = PublishedFormat::Rows(|game, at, value, moves, files| {
            let typed =
                |(to, value): &(DynPosition, Value)| (to.typed::<G::Position>().clone(), *value);
            let moves: Vec<(G::Position, Value)> = moves.iter().map(typed).collect();
            game.typed::<G>().rows(at.typed(), value, &moves, files);
        });
        self.abilities.published = Some(PublishedOf { files: G::FILES, format });
        self
    }

    /// The game was published before, as an array of bytes.
    pub fn published_array(mut self) -> Self
    where
        G: PublishedArray,
    {
        let format = PublishedFormat::Array(ArrayOf {
            absent: G::ABSENT,
            codes: |game| game.typed::<G>().codes(),
            decode: |game, code| game.typed::<G>().decode(code).map(DynPosition::new),
            byte: |game, at, value| game.typed::<G>().byte(at.typed(), value),
        });
        self.abilities.published = Some(PublishedOf { files: G::FILES, format });
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
        ErasedGame { typed: Box::new(self.typed), abilities: self.abilities }
    }
}
