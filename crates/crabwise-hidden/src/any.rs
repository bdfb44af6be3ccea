//! A game with hidden information when its types are forgotten.

use std::hash::Hash;

use super::{
    Gist, Hidden, HiddenError, Mirrored, Player, Sketched, Sure, SureWins, Tree,
    states::{self, Explored},
};
use crabwise::{Picture, SolveError, watch::Watch};

/// Joins a game with its abilities: `Setup::of(game)`, what it can do, `boxed()`.
pub struct Setup<G: Hidden> {
    game: G,
    brief: Option<Explore<G>>,
    mirror: Option<Name<G>>,
    sure: Option<FindSure<G>>,
    sketch: Option<Sketch<G>>,
    played_out: Option<Box<dyn AnyHidden>>,
}

type FindSure<G> = fn(&G, Player, u64, &dyn Watch) -> Option<Result<SureWins, SolveError>>;

/// How a game draws.
type Sketch<G> = fn(&G, &<G as Hidden>::Position, Option<Player>) -> Picture;

type Explore<G> = fn(
    &G,
    Option<Name<G>>,
    u64,
    &dyn Watch,
) -> Result<Explored<<G as Hidden>::Position>, HiddenError>;

/// The names of the mirror images of a move and of a word.
pub(super) type Name<G> =
    (fn(&G, <G as Hidden>::Move) -> String, fn(&G, <G as Hidden>::Word) -> String);

impl<G: Hidden> Setup<G> {
    /// A game that can do what every game can.
    pub fn of(game: G) -> Setup<G> {
        Setup { game, brief: None, mirror: None, sure: None, sketch: None, played_out: None }
    }

    /// Views have gists.
    pub fn brief(self) -> Setup<G>
    where
        G: Gist,
    {
        Setup { brief: Some(states::by_gists), ..self }
    }

    /// The game is its own mirror image.
    pub fn mirrored(self) -> Setup<G>
    where
        G: Mirrored,
    {
        let mv: fn(&G, G::Move) -> String = |game, mv| game.mirror_move(mv).to_string();
        let word: fn(&G, G::Word) -> String = |game, word| game.mirror_word(word).to_string();
        Setup { mirror: Some((mv, word)), ..self }
    }

    /// The game finds its certain wins itself.
    pub fn sure(self) -> Setup<G>
    where
        G: Sure,
    {
        Setup { sure: Some(G::sure), ..self }
    }

    /// The game draws its positions.
    pub fn drawn(self) -> Setup<G>
    where
        G: Sketched,
    {
        Setup { sketch: Some(G::picture), ..self }
    }

    /// The same game if it went on until nothing can be done any more, whoever has won.
    pub fn played_out(self, game: Box<dyn AnyHidden>) -> Setup<G> {
        Setup { played_out: Some(game), ..self }
    }

    /// Forgets the types.
    pub fn erased<'a>(self) -> Box<dyn AnyHidden + 'a>
    where
        G: 'a,
    {
        Box::new(self)
    }
}

/// A game with hidden information, whatever its positions and moves are.
pub trait AnyHidden: Send + Sync {
    /// Finds all positions of the game, in so many bytes.
    fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<Laid<'_>, HiddenError>;

    /// The certain wins of a player if the game finds them itself.
    fn sure(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<SureWins, SolveError>>;

    /// The same game if it went on until nothing can be done any more; `None` if nobody has said how.
    fn played_out(&self) -> Option<&dyn AnyHidden>;

    /// Whether views have gists.
    fn is_brief(&self) -> bool;

    /// Whether the game is its own mirror image.
    fn is_mirrored(&self) -> bool;
}

/// The states of a game with what they look like.
pub struct Laid<'a> {
    /// The states and the views.
    pub tree: Tree,
    pictures: Box<dyn Pictures + 'a>,
}

trait Pictures: Send + Sync {
    fn show(&self, state: u32) -> String;
    fn seen(&self, state: u32, player: Player) -> String;
    fn sketch(&self, state: u32, seen_by: Option<Player>) -> Option<Picture>;
    fn is_drawn(&self) -> bool;
}

struct Album<'a, G: Hidden> {
    game: &'a G,
    positions: Vec<G::Position>,
    sketch: Option<Sketch<G>>,
}

impl<G: Hidden> Pictures for Album<'_, G> {
    fn show(&self, state: u32) -> String {
        self.game.show(&self.positions[state as usize])
    }

    fn seen(&self, state: u32, player: Player) -> String {
        self.game.seen(&self.positions[state as usize], player)
    }

    fn sketch(&self, state: u32, seen_by: Option<Player>) -> Option<Picture> {
        let at = &self.positions[state as usize];
        self.sketch.map(|sketch| sketch(self.game, at, seen_by))
    }

    fn is_drawn(&self) -> bool {
        self.sketch.is_some()
    }
}

impl<G: Hidden> AnyHidden for Setup<G>
where
    G::Position: Hash,
{
    fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<Laid<'_>, HiddenError> {
        let explore = self.brief.unwrap_or(states::by_views);
        let (states, positions) = explore(&self.game, self.mirror, memory, watch)?;
        let pictures = Box::new(Album { game: &self.game, positions, sketch: self.sketch });
        Ok(Laid { tree: Tree::new(states)?, pictures })
    }

    fn sure(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<SureWins, SolveError>> {
        self.sure.and_then(|sure| sure(&self.game, player, memory, watch))
    }

    fn played_out(&self) -> Option<&dyn AnyHidden> {
        self.played_out.as_deref()
    }

    fn is_brief(&self) -> bool {
        self.brief.is_some()
    }

    fn is_mirrored(&self) -> bool {
        self.mirror.is_some()
    }
}

impl Laid<'_> {
    /// The referee's picture of a state.
    pub fn show(&self, state: u32) -> String {
        self.pictures.show(state)
    }

    /// A player's picture of a state.
    pub fn seen(&self, state: u32, player: Player) -> String {
        self.pictures.seen(state, player)
    }

    /// A state as shapes, as this player sees it or, if nobody is named, as it is. If the game does not draw,
    /// what it looks like in letters.
    pub fn picture(&self, state: u32, seen_by: Option<Player>) -> Picture {
        let letters = || match seen_by {
            Some(player) => self.seen(state, player),
            None => self.show(state),
        };
        let sketch = self.pictures.sketch(state, seen_by);
        sketch.unwrap_or_else(|| Picture::of_text(&letters()))
    }

    /// Whether the game draws, so that its pictures are more than letters.
    pub fn is_drawn(&self) -> bool {
        self.pictures.is_drawn()
    }
}
