//! Joining a game with the abilities it has.

use crate::{
    AnyGame, Drawn, Game, Impartial, Index, Kernel, Original, OriginalArray, Spread, Studied,
    Unplay, check,
    explore::{NimberOf, nimber},
    graph::Reversal,
    numbering::{Numbered, Numbering, Walked},
    original::{Array, Form, OriginalOf},
    picture::PictureOf,
    solve::sums::{DirectOf, Summed, direct},
    theory::Theorist,
};

/// A game and the abilities it has.
///
/// ```text
/// Setup::of(rules).boxed();                                  // Game
/// Setup::of(rules).numbered(index).boxed();                  // + Index
/// Setup::of(rules).numbered(index).reversible().boxed();     // + Unplay
/// ```
pub struct Setup<G: Game, N: Numbering<G> = Walked> {
    pub(crate) game: G,
    pub(crate) numbering: N,
    pub(crate) rules: u32,
    /// Whether all of the numbering counts, and not only what the start leads to.
    pub(crate) listed: bool,
    /// Whether the game is somebody's file, which may change.
    pub(crate) edited: bool,
    /// Whether outcomes are kept without distances.
    pub(crate) outcomes: bool,
    pub(crate) unplay: Option<Reversal<G, N::Index>>,
    pub(crate) unplay_check: Option<check::UnplayCheck<G, N>>,
    pub(crate) kernel: Option<Box<dyn Kernel<u8>>>,
    pub(crate) spread: Option<Box<dyn Spread>>,
    pub(crate) nimber: Option<NimberOf<G>>,
    pub(crate) direct: Option<DirectOf<G>>,
    pub(crate) picture: Option<PictureOf<G>>,
    pub(crate) theory: Option<Theorist<G>>,
    pub(crate) original: Option<OriginalOf<G>>,
}

impl<G: Game + Send + 'static> Setup<G> {
    /// A game without further abilities.
    pub fn of(game: G) -> Setup<G> {
        Setup {
            game,
            numbering: Walked,
            rules: 1,
            listed: false,
            edited: false,
            outcomes: false,
            unplay: None,
            unplay_check: None,
            kernel: None,
            spread: None,
            nimber: None,
            direct: None,
            picture: None,
            theory: None,
            original: None,
        }
    }

    /// The game has a numbering of its own, and need not be walked.
    pub fn numbered<I: Index<G::Position> + Send + 'static>(
        self,
        index: I,
    ) -> Setup<G, Numbered<I>> {
        Setup {
            game: self.game,
            numbering: Numbered(index),
            rules: self.rules,
            listed: false,
            edited: false,
            outcomes: false,
            unplay: None,
            unplay_check: None,
            kernel: None,
            spread: None,
            nimber: self.nimber,
            direct: self.direct,
            picture: self.picture,
            theory: self.theory,
            original: self.original,
        }
    }
}

impl<G: Game + Send + 'static, I: Index<G::Position> + Send + 'static> Setup<G, Numbered<I>> {
    /// The game can be played backwards, which saves recording edges.
    pub fn reversible(mut self) -> Self
    where
        G: Unplay,
    {
        self.unplay = Some(Reversal::new());
        self.unplay_check = Some(|game, numbering, seed| check::unplay(game, &numbering.0, seed));
        self
    }

    /// The game is the list of its positions, as somebody wrote it down. All of them count, whether
    /// the start leads there or not; and the list may be [`edited`](Setup::edited).
    pub fn listed(mut self) -> Self {
        self.listed = true;
        self.edited()
    }

    /// The game is in a file, which may be edited: so the numbering's name must tell one version from
    /// another, and a table of another version is taken for out of date.
    pub fn edited(mut self) -> Self {
        self.edited = true;
        self
    }

    /// The game has a kernel of its own for tiers without inner moves.
    pub fn kernel(mut self, kernel: impl Kernel<u8> + 'static) -> Self {
        self.kernel = Some(Box::new(kernel));
        self
    }

    /// The game tells by itself what can be reached, many positions at a time.
    pub fn spreading(mut self, spread: impl Spread + 'static) -> Self {
        self.spread = Some(Box::new(spread));
        self
    }
}

impl<G: Game + Send + 'static, N: Numbering<G> + 'static> Setup<G, N> {
    /// The game is impartial, so that its positions have nimbers.
    pub fn impartial(mut self) -> Self
    where
        G: Impartial,
    {
        self.nimber = Some(nimber);
        self
    }

    /// The game can answer for single positions, as sums of parts, without a table.
    pub fn summed(mut self) -> Self
    where
        G: Summed,
    {
        self.direct = Some(direct);
        self
    }

    /// The game draws its positions.
    pub fn drawn(mut self) -> Self
    where
        G: Drawn,
    {
        self.picture = Some(G::picture);
        self
    }

    /// Something is known of the game beforehand.
    pub fn studied(mut self) -> Self
    where
        G: Studied,
    {
        self.theory = Some(Theorist { theory: G::theory, kind: G::kind });
        self
    }

    /// The game was published before, in files of a form of its own.
    pub fn original(mut self) -> Self
    where
        G: Original,
    {
        self.original = Some(OriginalOf { files: G::FILES, form: Form::Rows(G::rows) });
        self
    }

    /// The game was published before, as an array of bytes.
    pub fn original_array(mut self) -> Self
    where
        G: OriginalArray,
    {
        let (absent, codes, decode, byte) = (G::ABSENT, G::codes, G::decode, G::byte);
        let form = Form::Array(Array { absent, codes, decode, byte });
        self.original = Some(OriginalOf { files: G::FILES, form });
        self
    }

    /// The version of the rules, 1 unless told. Raise it whenever values change, so that old
    /// tables are refused.
    pub fn rules(mut self, version: u32) -> Self {
        self.rules = version;
        self
    }

    /// Forgets the types.
    pub fn boxed(self) -> Box<dyn AnyGame> {
        Box::new(self)
    }
}
