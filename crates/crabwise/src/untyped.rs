//! A game without its types, as a [`Game`] like any other.
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

use crate::{Game, Index, Outcome, Slot};

/// A position of some game.
#[derive(Clone)]
pub(crate) struct Position(Arc<dyn AnyPosition>);

trait AnyPosition: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &Position) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
}

impl<P: Eq + Hash + fmt::Debug + Send + Sync + 'static> AnyPosition for P {
    fn equals(&self, other: &Position) -> bool {
        self == other.typed::<P>()
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl Position {
    pub(crate) fn new<P>(at: P) -> Position
    where
        P: Eq + Hash + fmt::Debug + Send + Sync + 'static,
    {
        Position(Arc::new(at))
    }

    /// The position itself, which must be of the game that is asked.
    pub(crate) fn typed<P: 'static>(&self) -> &P {
        let at: &dyn Any = &*self.0;
        at.downcast_ref().expect("a position is only shown to its own game")
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.0.equals(other)
    }
}

impl Eq for Position {}

/// Hashed as the position itself is, so that it has the same key.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A move of some game.
#[derive(Clone)]
pub(crate) struct Move(Rc<dyn AnyMove>);

trait AnyMove: Any + fmt::Display {}

impl<M: fmt::Display + 'static> AnyMove for M {}

impl Move {
    /// The move itself, which must be of the game that is asked.
    pub(crate) fn typed<M: 'static>(&self) -> &M {
        let mv: &dyn Any = &*self.0;
        mv.downcast_ref().expect("a move is only shown to its own game")
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The rules of some game: those of [`Game`].
pub(crate) trait Rules: Any + Sync {
    fn start(&self) -> Position;
    fn moves(&self, at: &Position) -> Vec<Move>;
    fn play(&self, at: &Position, mv: &Move) -> Position;
    fn over(&self, at: &Position) -> Option<Outcome>;
    fn again(&self, from: &Position, to: &Position) -> bool;
    fn decisions(&self, mv: &Move) -> Vec<String>;
    fn means(&self, word: &str, mv: &Move) -> bool;
    fn read(&self, word: &str) -> Option<Result<(Position, u32), String>>;
    fn show(&self, at: &Position) -> String;
    fn notation(&self, at: &Position) -> String;
}

impl<G: Game + 'static> Rules for G {
    fn start(&self) -> Position {
        Position::new(Game::start(self))
    }

    fn moves(&self, at: &Position) -> Vec<Move> {
        Game::moves(self, at.typed()).into_iter().map(|mv| Move(Rc::new(mv))).collect()
    }

    fn play(&self, at: &Position, mv: &Move) -> Position {
        Position::new(Game::play(self, at.typed(), mv.typed::<G::Move>().clone()))
    }

    fn over(&self, at: &Position) -> Option<Outcome> {
        Game::over(self, at.typed())
    }

    fn again(&self, from: &Position, to: &Position) -> bool {
        Game::again(self, from.typed(), to.typed())
    }

    fn decisions(&self, mv: &Move) -> Vec<String> {
        Game::decisions(self, mv.typed())
    }

    fn means(&self, word: &str, mv: &Move) -> bool {
        Game::means(self, word, mv.typed())
    }

    fn read(&self, word: &str) -> Option<Result<(Position, u32), String>> {
        let read = Game::read(self, word)?;
        Some(read.map(|(at, depth)| (Position::new(at), depth)))
    }

    fn show(&self, at: &Position) -> String {
        Game::show(self, at.typed())
    }

    fn notation(&self, at: &Position) -> String {
        Game::notation(self, at.typed())
    }
}

/// Some game.
#[derive(Clone, Copy)]
pub(crate) struct Untyped<'a>(pub(crate) &'a dyn Rules);

impl<'a> Untyped<'a> {
    /// The game itself, which must be of this type.
    pub(crate) fn typed<G: 'static>(self) -> &'a G {
        let game: &dyn Any = self.0;
        game.downcast_ref().expect("an ability is only asked of its own game")
    }
}

impl Game for Untyped<'_> {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.0.start()
    }

    fn moves(&self, at: &Position) -> impl IntoIterator<Item = Move> {
        self.0.moves(at)
    }

    fn play(&self, at: &Position, mv: Move) -> Position {
        self.0.play(at, &mv)
    }

    fn over(&self, at: &Position) -> Option<Outcome> {
        self.0.over(at)
    }

    fn again(&self, from: &Position, to: &Position) -> bool {
        self.0.again(from, to)
    }

    fn decisions(&self, mv: &Move) -> Vec<String> {
        self.0.decisions(mv)
    }

    fn means(&self, word: &str, mv: &Move) -> bool {
        self.0.means(word, mv)
    }

    fn read(&self, word: &str) -> Option<Result<(Position, u32), String>> {
        self.0.read(word)
    }

    fn show(&self, at: &Position) -> String {
        self.0.show(at)
    }

    fn notation(&self, at: &Position) -> String {
        self.0.notation(at)
    }
}

/// A numbering of a game's positions as one of positions without a type. Leaves out what only solvers and
/// statistics ask for; they ask the [`Graph`](crate::graph::Graph).
pub(crate) struct Numbers<'a, P> {
    pub(crate) index: &'a dyn Index<P>,
}

impl<P> Index<Position> for Numbers<'_, P>
where
    P: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static,
{
    fn tiers(&self) -> u32 {
        self.index.tiers()
    }

    fn len(&self, tier: u32) -> u64 {
        self.index.len(tier)
    }

    fn slot(&self, at: &Position) -> Slot {
        self.index.slot(at.typed())
    }

    fn position(&self, slot: Slot) -> Option<Position> {
        self.index.position(slot).map(Position::new)
    }

    fn loopy(&self, tier: u32) -> bool {
        self.index.loopy(tier)
    }

    fn reach(&self, tier: u32) -> u32 {
        self.index.reach(tier)
    }

    fn children(&self, tier: u32, to: &[Position], slots: &mut Vec<Slot>) {
        let to: Vec<P> = to.iter().map(|to| to.typed::<P>().clone()).collect();
        self.index.children(tier, &to, slots);
    }

    fn tier(&self, at: &Position) -> u32 {
        self.index.tier(at.typed())
    }

    fn alike(&self, at: &Position) -> Vec<Position> {
        self.index.alike(at.typed()).into_iter().map(Position::new).collect()
    }

    fn images(&self, at: &Position) -> Vec<Position> {
        self.index.images(at.typed()).into_iter().map(Position::new).collect()
    }

    fn folds(&self) -> u32 {
        self.index.folds()
    }

    fn merges(&self) -> bool {
        self.index.merges()
    }

    fn name(&self) -> String {
        self.index.name()
    }
}
