//! A game with its types erased, as a [`Game`] like any other.
//!
//! Whatever is written for all games is compiled once for each of them, and a program that knows many
//! games takes long to build. So only what solvers and searches do for millions of positions a second
//! is compiled for a game's own types. What shows positions to people, checks contracts or writes lists
//! is compiled once, for the game here: its positions and moves are pointers, and cost an allocation each.

use std::{
    any::Any,
    fmt,
    hash::{Hash, Hasher},
    rc::Rc,
    sync::Arc,
};

use super::{Game, Outcome};

/// A position of some game.
#[derive(Clone)]
pub(crate) struct DynPosition(Arc<dyn ErasedPosition>);

trait ErasedPosition: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &DynPosition) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
}

impl<P: Eq + Hash + fmt::Debug + Send + Sync + 'static> ErasedPosition for P {
    fn equals(&self, other: &DynPosition) -> bool {
        self == other.typed::<P>()
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl DynPosition {
    pub(crate) fn new<P>(at: P) -> DynPosition
    where
        P: Eq + Hash + fmt::Debug + Send + Sync + 'static,
    {
        DynPosition(Arc::new(at))
    }

    /// The position itself, which must be of the game that is asked.
    pub(crate) fn typed<P: 'static>(&self) -> &P {
        let at: &dyn Any = &*self.0;
        at.downcast_ref().expect("a position is only shown to its own game")
    }
}

impl PartialEq for DynPosition {
    fn eq(&self, other: &DynPosition) -> bool {
        self.0.equals(other)
    }
}

impl Eq for DynPosition {}

/// Hashed as the position itself is, so that it has the same key.
impl Hash for DynPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

impl fmt::Debug for DynPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A move of some game.
#[derive(Clone)]
pub(crate) struct DynMove(Rc<dyn ErasedMove>);

trait ErasedMove: Any + fmt::Display {}

impl<M: fmt::Display + 'static> ErasedMove for M {}

impl DynMove {
    /// The move itself, which must be of the game that is asked.
    pub(crate) fn typed<M: 'static>(&self) -> &M {
        let mv: &dyn Any = &*self.0;
        mv.downcast_ref().expect("a move is only shown to its own game")
    }
}

impl fmt::Display for DynMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The rules of some game: those of [`Game`].
pub(crate) trait DynRules: Any + Sync {
    fn start(&self) -> DynPosition;
    fn moves(&self, at: &DynPosition) -> Vec<DynMove>;
    fn play(&self, at: &DynPosition, mv: &DynMove) -> DynPosition;
    fn over(&self, at: &DynPosition) -> Option<Outcome>;
    fn again(&self, from: &DynPosition, to: &DynPosition) -> bool;
    fn decisions(&self, mv: &DynMove) -> Vec<String>;
    fn means(&self, word: &str, mv: &DynMove) -> bool;
    fn barred(&self, at: &DynPosition) -> Vec<(DynMove, String)>;
    fn read(&self, word: &str) -> Option<Result<(DynPosition, u32), String>>;
    fn show(&self, at: &DynPosition) -> String;
    fn notation(&self, at: &DynPosition) -> String;
}

impl<G: Game + 'static> DynRules for G {
    fn start(&self) -> DynPosition {
        DynPosition::new(Game::start(self))
    }

    fn moves(&self, at: &DynPosition) -> Vec<DynMove> {
        Game::moves(self, at.typed()).into_iter().map(|mv| DynMove(Rc::new(mv))).collect()
    }

    fn play(&self, at: &DynPosition, mv: &DynMove) -> DynPosition {
        DynPosition::new(Game::play(self, at.typed(), mv.typed::<G::Move>().clone()))
    }

    fn over(&self, at: &DynPosition) -> Option<Outcome> {
        Game::over(self, at.typed())
    }

    fn again(&self, from: &DynPosition, to: &DynPosition) -> bool {
        Game::again(self, from.typed(), to.typed())
    }

    fn decisions(&self, mv: &DynMove) -> Vec<String> {
        Game::decisions(self, mv.typed())
    }

    fn means(&self, word: &str, mv: &DynMove) -> bool {
        Game::means(self, word, mv.typed())
    }

    fn barred(&self, at: &DynPosition) -> Vec<(DynMove, String)> {
        let erased = |(mv, why)| (DynMove(Rc::new(mv)), why);
        Game::barred(self, at.typed()).into_iter().map(erased).collect()
    }

    fn read(&self, word: &str) -> Option<Result<(DynPosition, u32), String>> {
        let read = Game::read(self, word)?;
        Some(read.map(|(at, depth)| (DynPosition::new(at), depth)))
    }

    fn show(&self, at: &DynPosition) -> String {
        Game::show(self, at.typed())
    }

    fn notation(&self, at: &DynPosition) -> String {
        Game::notation(self, at.typed())
    }
}

/// Some game.
#[derive(Clone, Copy)]
pub(crate) struct DynGame<'a>(pub(crate) &'a dyn DynRules);

impl<'a> DynGame<'a> {
    /// The game itself, which must be of this type.
    pub(crate) fn typed<G: 'static>(self) -> &'a G {
        let game: &dyn Any = self.0;
        game.downcast_ref().expect("an ability is only asked of its own game")
    }
}

impl Game for DynGame<'_> {
    type Position = DynPosition;
    type Move = DynMove;

    hands_on! {
        to 0:
        start() -> DynPosition;
        over(at: &DynPosition) -> Option<Outcome>;
        again(from: &DynPosition, to: &DynPosition) -> bool;
        decisions(mv: &DynMove) -> Vec<String>;
        means(word: &str, mv: &DynMove) -> bool;
        barred(at: &DynPosition) -> Vec<(DynMove, String)>;
        read(word: &str) -> Option<Result<(DynPosition, u32), String>>;
        show(at: &DynPosition) -> String;
        notation(at: &DynPosition) -> String;
    }

    fn moves(&self, at: &DynPosition) -> impl IntoIterator<Item = DynMove> {
        self.0.moves(at)
    }

    fn play(&self, at: &DynPosition, mv: DynMove) -> DynPosition {
        self.0.play(at, &mv)
    }
}
