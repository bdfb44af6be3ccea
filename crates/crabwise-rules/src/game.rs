//! A text with two players who see everything and move in turn, as a [`Game`] like any other.
//!
//! What the language makes of turns: everybody moves in every round, and who is not in control has one move that does
//! nothing. So the player to move is the one with a real choice; a forced real move is a move too; a round in which
//! everybody only waits is no move at all, and is gone through at once.

use std::{cell::RefCell, fmt, hash::Hash, sync::Arc};

use crabwise::{Game, Outcome};

use crate::{
    machine::{BROKEN, Kind, Machine},
    words,
};

/// The words of a position.
pub(crate) trait Packed: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    fn of(words: &[u64]) -> Self;
    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
}

impl<const N: usize> Packed for [u64; N] {
    fn of(words: &[u64]) -> Self {
        std::array::from_fn(|nth| words.get(nth).copied().unwrap_or(0))
    }

    fn words(&self) -> &[u64] {
        self
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

impl Packed for Box<[u64]> {
    fn of(words: &[u64]) -> Self {
        words.into()
    }

    fn words(&self) -> &[u64] {
        self
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

/// The rules of a text, with positions of one size.
pub(crate) struct Rules<P> {
    machine: Arc<Machine>,
    start: P,
}

/// A move: a number, and what it is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Move {
    pub(crate) deed: u32,
    pub(crate) word: &'static str,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

thread_local! {
    /// Values of gates. A position is asked about by the million, and nothing is left over from one to the next.
    static VALUES: RefCell<Vec<bool>> = const { RefCell::new(vec![]) };
    static LANES: RefCell<Vec<u64>> = const { RefCell::new(vec![]) };
}

/// Works with a place for the values of gates.
pub(crate) fn with_values<T>(work: impl FnOnce(&mut Vec<bool>) -> T) -> T {
    VALUES.with_borrow_mut(work)
}

/// Works with a place for the values of gates, of 64 positions each.
pub(crate) fn with_lanes<T>(work: impl FnOnce(&mut Vec<u64>) -> T) -> T {
    LANES.with_borrow_mut(work)
}

impl<P: Packed> Rules<P> {
    pub(crate) fn new(machine: Arc<Machine>) -> Rules<P> {
        let mut start = machine.start.clone();
        with_values(|values| machine.settle(&mut start, 0, values));
        Rules { start: P::of(&start), machine }
    }

    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }
}

impl<P: Packed> Game for Rules<P> {
    type Position = P;
    type Move = Move;

    fn start(&self) -> P {
        self.start.clone()
    }

    fn moves(&self, at: &P) -> impl IntoIterator<Item = Move> {
        let machine = &*self.machine;
        let turn = machine.layout.turn(at.words());
        let deeds = match turn {
            BROKEN => vec![],
            _ => with_values(|values| match machine.goes_on(at.words(), values) {
                true => machine.legal_of(at.words(), turn, values),
                false => vec![],
            }),
        };
        deeds.into_iter().map(|deed| Move { deed, word: machine.deeds[deed as usize].word })
    }

    fn play(&self, at: &P, mv: Move) -> P {
        let machine = &*self.machine;
        let mut to = at.clone();
        with_values(|values| {
            machine.perform(at.words(), mv.deed, to.words_mut(), values);
            let next = 1 - machine.deeds[mv.deed as usize].role;
            machine.settle(to.words_mut(), next, values);
        });
        to
    }

    fn over(&self, at: &P) -> Option<Outcome> {
        let turn = usize::from(self.machine.layout.turn(at.words()));
        if turn == usize::from(BROKEN) {
            return None;
        }
        let goals = with_values(|values| self.machine.ended(at.words(), values))?;
        Some(match goals[turn].cmp(&goals[1 - turn]) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Tie,
            std::cmp::Ordering::Greater => Outcome::Win,
        })
    }

    fn again(&self, from: &P, to: &P) -> bool {
        let [from, to] = [from, to].map(|at| self.machine.layout.turn(at.words()));
        from == to && to != BROKEN
    }

    /// The move in any spelling with the same names in the same order: `mark(1,2)`, `(mark 1 2)`, `mark-1-2`.
    fn means(&self, word: &str, mv: &Move) -> bool {
        word == mv.word || words::names(word).eq(words::names(mv.word))
    }

    fn read(&self, word: &str) -> Option<Result<(P, u32), String>> {
        let read = self.machine.read(word)?;
        Some(read.map(|words| {
            let turn = self.machine.layout.turn(&words);
            (P::of(&words), u32::from(turn))
        }))
    }

    fn show(&self, at: &P) -> String {
        self.machine.show(at.words())
    }

    fn notation(&self, at: &P) -> String {
        self.machine.notation(at.words())
    }
}

/// The kind of a position, as the rules have it.
pub(crate) fn kind(machine: &Machine, words: &[u64]) -> Kind {
    with_values(|values| machine.kind(words, values))
}
