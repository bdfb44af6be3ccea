//! Many positions at once: where all their moves lead, told block by block.
//!
//! A game that is a net of gates, or arrays of another language, answers for a thousand positions in the time of a few.
//! Walks and solvers ask such a game for blocks; everybody else asks for one move at a time, and
//! `check` holds the two ways against each other.

use super::{Game, Outcome};

/// A game that tells of many positions at once where their moves lead.
///
/// ```
/// use crabwise::{Batched, Expansion, Game, Setup};
///
/// /// Take one or two from a heap.
/// struct Heap;
///
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 {
///         20
///     }
///     fn moves(&self, at: &u32) -> impl IntoIterator<Item = u32> {
///         1..=2.min(*at)
///     }
///     fn play(&self, at: &u32, take: u32) -> u32 {
///         at - take
///     }
/// }
///
/// impl Batched for Heap {
///     fn expand(&self, positions: &[u32], out: &mut Expansion<u32>) {
///         for &at in positions {
///             match at {
///                 0 => out.over(crabwise::Outcome::Loss),
///                 1 => out.open([(0, false)]),
///                 _ => out.open([(at - 1, false), (at - 2, false)]),
///             }
///         }
///     }
/// }
///
/// let game = Setup::of(Heap).batched().erased();
/// # drop(game);
/// ```
pub trait Batched: Game {
    /// Tells of each of some positions, in their order, how it ends or where its moves lead, in the order of
    /// [`moves`](Game::moves). `out` comes empty. How many positions there are differs from call to call.
    fn expand(&self, positions: &[Self::Position], out: &mut Expansion<Self::Position>);

    /// How many positions a call should have, about.
    fn batch(&self) -> usize {
        1 << 12
    }
}

/// What there is to tell of a block of positions. Filled position by position with [`over`](Expansion::over) and
/// [`open`](Expansion::open), or list by list.
#[derive(Clone, Debug)]
pub struct Expansion<P> {
    /// Of each position its outcome; `None` while play goes on.
    pub outcomes: Vec<Option<Outcome>>,
    /// Of each position how many children it has; none where play is over.
    pub counts: Vec<u32>,
    /// The children of all positions, those of one after those of the one before.
    pub children: Vec<P>,
    /// Of each child whether its mover moves again. What is missing at the end is `false`.
    pub again: Vec<bool>,
}

impl<P> Default for Expansion<P> {
    fn default() -> Self {
        Expansion { outcomes: vec![], counts: vec![], children: vec![], again: vec![] }
    }
}

impl<P> Expansion<P> {
    /// The next position is over.
    #[inline]
    pub fn over(&mut self, outcome: Outcome) {
        self.outcomes.push(Some(outcome));
        self.counts.push(0);
    }

    /// From the next position moves lead to these, each with whether its mover moves again.
    #[inline]
    pub fn open(&mut self, children: impl IntoIterator<Item = (P, bool)>) {
        let before = self.children.len();
        for (to, again) in children {
            if again {
                self.again.resize(self.children.len(), false);
                self.again.push(true);
            }
            self.children.push(to);
        }
        self.outcomes.push(None);
        self.counts.push((self.children.len() - before) as u32);
    }

    /// Forgets all, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.outcomes.clear();
        self.counts.clear();
        self.children.clear();
        self.again.clear();
    }

    /// Whether the mover of a child moves again.
    #[inline]
    pub(crate) fn moves_again(&self, child: usize) -> bool {
        self.again.get(child).copied().unwrap_or(false)
    }

    /// Why this cannot be what there is to tell of so many positions.
    pub(crate) fn trouble(&self, positions: usize) -> Option<String> {
        let Expansion { outcomes, counts, children, again } = self;
        let sum: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        let over = |(outcome, count): (&Option<Outcome>, &u32)| outcome.is_some() && *count > 0;
        if [outcomes.len(), counts.len()] != [positions; 2] {
            let (outcomes, counts) = (outcomes.len(), counts.len());
            Some(format!("{outcomes} outcomes and {counts} counts for {positions} positions"))
        } else if sum != children.len() as u64 || again.len() > children.len() {
            let (again, there) = (again.len(), children.len());
            Some(format!("counts of {sum} children, and {there} children with {again} turns kept"))
        } else {
            let mut both = outcomes.iter().zip(counts);
            both.any(over).then(|| "a position that is over and has children".into())
        }
    }
}

impl<P: PartialEq> Expansion<P> {
    /// Whether of the position at a place, whose children begin at another, there is told what `right` tells of the one
    /// that it has.
    pub(crate) fn agrees(&self, (nth, child): (usize, usize), right: &Expansion<P>) -> bool {
        let count = self.counts[nth] as usize;
        self.outcomes[nth] == right.outcomes[0]
            && self.children[child..child + count] == right.children
            && (0..count).all(|i| self.moves_again(child + i) == right.moves_again(i))
    }
}

/// Fills an expansion. All that a walk knows of the rules.
pub(crate) type Expand<G> = fn(&G, &[<G as Game>::Position], &mut Expansion<<G as Game>::Position>);

/// [`Batched::expand`] of any game: one position, one move after the other.
#[inline]
pub(crate) fn one_by_one<G: Game>(
    game: &G,
    positions: &[G::Position],
    out: &mut Expansion<G::Position>,
) {
    for at in positions {
        match game.over(at) {
            Some(outcome) => out.over(outcome),
            None => out.open(game.moves(at).into_iter().map(|mv| {
                let to = game.play(at, mv);
                let again = game.again(at, &to);
                (to, again)
            })),
        }
    }
}

/// How the positions of a game are expanded, and how many at a time.
pub(crate) struct Expander<G: Game> {
    pub(crate) expand: Expand<G>,
    pub(crate) batch: usize,
    /// Whether the rules are another way to say the same.
    pub(crate) twin: bool,
}

impl<G: Game> Clone for Expander<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Expander<G> {}

/// Positions of which a game that tells of one at a time is asked before the answers are used.
const ONE_BY_ONE: usize = 1 << 6;

impl<G: Game> Expander<G> {
    pub(crate) fn plain() -> Expander<G> {
        Expander { expand: one_by_one, batch: ONE_BY_ONE, twin: false }
    }

    pub(crate) fn batched(game: &G) -> Expander<G>
    where
        G: Batched,
    {
        Expander { expand: G::expand, batch: game.batch().max(1), twin: true }
    }
}
