//! Draws of Monte-Carlo CFR: one walk through some histories of a game, and the regrets that it finds.
//!
//! A draw does not care what it walks on and where regrets come from. So the game that is laid out and the one that is
//! walked by its rules, regrets in arrays, in a hash table and estimated by a network are all drawn here.

use super::cfr::{share, total};
use crate::{
    rules::{Player, Turn},
    walk::Ground,
};

/// What is drawn at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// The moves of chance and of the opponent.
    External,
    /// These and, but for one line, the player's own: at each information set on the line all moves are tried, one of
    /// them, drawn evenly, goes on with the line, and after each of the others one game is played to its end.
    Line,
    /// A whole game.
    Outcome {
        /// How likely the player makes just any move; 0.6 is usual.
        explore: f64,
    },
}

impl Sampling {
    /// The number that stands for it in checkpoints.
    pub(crate) fn number(self) -> f64 {
        match self {
            Sampling::External => -1.0,
            Sampling::Line => -2.0,
            Sampling::Outcome { explore } => explore,
        }
    }

    /// What a number in a checkpoint stands for.
    pub(crate) fn numbered(number: f64) -> Sampling {
        match number {
            -1.0 => Sampling::External,
            -2.0 => Sampling::Line,
            explore => Sampling::Outcome { explore },
        }
    }
}

/// What was learnt so far, at the information sets of a game.
pub(crate) trait Learnt<W: ?Sized>: Sync {
    /// What tells where something is to be added.
    type Mark: Clone;

    /// Puts the regrets of the mover's moves; where nothing is known yet they are all zero. Says whether something
    /// is known.
    fn look(&self, at: &W, mover: Player, regrets: &mut [f64]) -> (Self::Mark, bool);
}

/// What is to be added at information sets: for each how many numbers, and all numbers one after the other.
pub(crate) struct Additions<M> {
    marks: Vec<(M, usize)>,
    numbers: Vec<f64>,
}

impl<M> Additions<M> {
    fn new() -> Additions<M> {
        Additions { marks: vec![], numbers: vec![] }
    }

    fn push(&mut self, mark: M, numbers: impl Iterator<Item = f64>) {
        let before = self.numbers.len();
        self.numbers.extend(numbers);
        self.marks.push((mark, self.numbers.len() - before));
    }

    /// Each mark with its numbers, in the order in which they were found.
    pub fn each(&self) -> impl Iterator<Item = (&M, &[f64])> {
        let mut rest = &self.numbers[..];
        self.marks.iter().map(move |(mark, many)| {
            let (numbers, after) = rest.split_at(*many);
            rest = after;
            (mark, numbers)
        })
    }
}

/// What a draw has found: of the player regrets, of whose average behaviour what is to be added to it.
pub(crate) struct Found<M> {
    pub regret: Additions<M>,
    pub average: Additions<M>,
}

/// One draw, for one player.
pub(crate) struct Draw<'s, W: ?Sized, L: Learnt<W>> {
    pub learnt: &'s L,
    pub ground: &'s mut W,
    pub player: Player,
    pub sampling: Sampling,
    pub random: fastrand::Rng,
    /// Whether something is added at every information set that is met, and not, of those of which nothing is known
    /// yet, at each player's first one only.
    pub all: bool,
}

/// The numbers of moves: those of the information sets that are being looked at, one set after the other.
struct Walker<'s, W: ?Sized, L: Learnt<W>> {
    draw: Draw<'s, W, L>,
    numbers: Vec<f64>,
    added: [bool; 2],
    found: Found<L::Mark>,
}

/// A history at which somebody has to move: where its regrets are among the numbers, and what they come to.
#[derive(Clone, Copy)]
struct MoveShares {
    bottom: usize,
    many: usize,
    total: f64,
    even: f64,
}

impl<W: Ground + ?Sized, L: Learnt<W>> Draw<'_, W, L> {
    /// Walks.
    pub fn walk(self) -> Found<L::Mark> {
        let (sampling, found) =
            (self.sampling, Found { regret: Additions::new(), average: Additions::new() });
        let mut walker = Walker { draw: self, numbers: vec![], added: [false; 2], found };
        match sampling {
            Sampling::External | Sampling::Line => walker.external(true),
            Sampling::Outcome { explore } => walker.outcome(explore, [1.0; 3]),
        };
        walker.found
    }
}

/// One of many moves, drawn by how likely each is.
pub(crate) fn drawn(
    random: &mut fastrand::Rng,
    many: usize,
    likely: impl Fn(usize) -> f64,
) -> usize {
    let mut left = random.f64();
    for mv in 0..many - 1 {
        left -= likely(mv);
        if left < 0.0 {
            return mv;
        }
    }
    // What rounding leaves belongs to the last that can be drawn at all.
    (0..many).rev().find(|&mv| likely(mv) > 0.0).unwrap_or(0)
}

impl<W: Ground + ?Sized, L: Learnt<W>> Walker<'_, W, L> {
    /// Looks up regrets, and says where more is to be added, if it is.
    fn look(&mut self, mover: Player) -> (MoveShares, Option<L::Mark>) {
        let (bottom, many) = (self.numbers.len(), self.draw.ground.moves());
        self.numbers.resize(bottom + many, 0.0);
        let regrets = &mut self.numbers[bottom..];
        let (mark, known) = self.draw.learnt.look(&*self.draw.ground, mover, regrets);
        let total = total(regrets);
        let added = &mut self.added[mover as usize];
        let adds = known || self.draw.all || !*added;
        *added |= !known;
        (MoveShares { bottom, many, total, even: 1.0 / many as f64 }, adds.then_some(mark))
    }

    fn share(&self, choice: MoveShares, mv: usize) -> f64 {
        share(self.numbers[choice.bottom + mv], choice.total, choice.even)
    }

    fn chance(&mut self) -> usize {
        let Draw { ground, random, .. } = &mut self.draw;
        drawn(random, ground.moves(), |mv| ground.chance(mv))
    }

    /// A move of a player, drawn by a mixture of regret matching and of all moves evenly.
    fn choose(&mut self, choice: MoveShares, explore: f64) -> usize {
        let MoveShares { bottom, many, total, even } = choice;
        let numbers = &self.numbers[bottom..];
        let likely = |mv: usize| {
            let share = share(numbers[mv], total, even);
            if explore > 0.0 { explore * even + (1.0 - explore) * share } else { share }
        };
        drawn(&mut self.draw.random, many, likely)
    }

    fn after<T>(&mut self, mv: usize, then: impl FnOnce(&mut Self) -> T) -> T {
        self.draw.ground.make(mv);
        let worth = then(self);
        self.draw.ground.unmake();
        worth
    }

    /// What a history is worth to the player. Beyond the line nothing is added, and one move is made of all.
    fn external(&mut self, on_line: bool) -> f64 {
        let mover = match self.draw.ground.turn() {
            Turn::Over(payoff) => return self.draw.player.sign() * payoff,
            Turn::Chance => {
                let mv = self.chance();
                return self.after(mv, |walker| walker.external(on_line));
            }
            Turn::Of(mover) => mover,
        };
        let before = self.added;
        let (choice, mark) = self.look(mover);
        let worth = if mover == self.draw.player && on_line {
            self.all_moves(choice, mark)
        } else {
            if !on_line {
                self.added = before;
            } else if let Some(mark) = mark {
                let shares = (0..choice.many)
                    .map(|mv| share(self.numbers[choice.bottom + mv], choice.total, choice.even));
                self.found.average.push(mark, shares);
            }
            let mv = self.choose(choice, 0.0);
            self.after(mv, |walker| walker.external(on_line))
        };
        self.numbers.truncate(choice.bottom);
        worth
    }

    fn all_moves(&mut self, choice: MoveShares, mark: Option<L::Mark>) -> f64 {
        let line = match self.draw.sampling {
            Sampling::Line => Some(self.draw.random.usize(..choice.many)),
            _ => None,
        };
        let (top, mut worth) = (self.numbers.len(), 0.0);
        for mv in 0..choice.many {
            let goes_on = line.is_none_or(|line| line == mv);
            let of = self.after(mv, |walker| walker.external(goes_on));
            worth += self.share(choice, mv) * of;
            self.numbers.push(of);
        }
        if let Some(mark) = mark {
            let regrets = self.numbers[top..].iter().map(|of| of - worth);
            self.found.regret.push(mark, regrets);
        }
        worth
    }

    /// What a history is worth to the player, by one game that goes through it. How likely the player goes there, how
    /// likely all others do, and how likely it was drawn are `reach`.
    fn outcome(&mut self, explore: f64, reach: [f64; 3]) -> f64 {
        let [own, others, drawn] = reach;
        let mover = match self.draw.ground.turn() {
            Turn::Over(payoff) => return self.draw.player.sign() * payoff,
            Turn::Chance => {
                let mv = self.chance();
                let likely = self.draw.ground.chance(mv);
                let reach = [own, others * likely, drawn * likely];
                return self.after(mv, |walker| walker.outcome(explore, reach));
            }
            Turn::Of(mover) => mover,
        };
        let (choice, mark) = self.look(mover);
        let worth = if mover != self.draw.player {
            let mv = self.choose(choice, 0.0);
            let likely = self.share(choice, mv);
            let reach = [own, others * likely, drawn * likely];
            self.after(mv, |walker| walker.outcome(explore, reach))
        } else {
            let mv = self.choose(choice, explore);
            let share_made = self.share(choice, mv);
            let likely = explore * choice.even + (1.0 - explore) * share_made;
            let reach = [own * share_made, others, drawn * likely];
            let next = self.after(mv, |walker| walker.outcome(explore, reach));
            let made = next / likely;
            let worth = share_made * made;
            if let Some(mark) = mark {
                let regret = |other: usize| {
                    let of = if other == mv { made } else { 0.0 };
                    (of - worth) * others / drawn
                };
                self.found.regret.push(mark.clone(), (0..choice.many).map(regret));
                let numbers = &self.numbers[choice.bottom..];
                let share = |other: usize| share(numbers[other], choice.total, choice.even);
                let average = (0..choice.many).map(|other| own * share(other) / drawn);
                self.found.average.push(mark, average);
            }
            worth
        };
        self.numbers.truncate(choice.bottom);
        worth
    }
}
