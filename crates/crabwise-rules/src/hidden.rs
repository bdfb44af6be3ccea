//! A text in which somebody may not see everything, or chance moves, as a [`Hidden`] game like any other.
//!
//! With the last choice of a round the round happens, and each player observes what it sees of it: round by round, `-`
//! where that is nothing. That a round has passed is always observed, because players of the language know it. Of a
//! choice that ends no round nobody notices anything.

use std::{collections::BTreeSet, fmt, sync::Arc};

use crabwise::index::key;
use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use crate::{
    game::{Packed, with_lanes},
    rounds::{CHANCE, ENDED, Rounds, Stuck},
};

/// The rules of a text, with positions of one size.
pub(crate) struct HiddenRules<P> {
    rounds: Arc<Rounds>,
    start: P,
    stakes: [f64; 2],
}

/// What somebody chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Choice {
    seat: u8,
    mv: u32,
    word: &'static str,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

/// What a player sees of some rounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Percept {
    /// Tells percepts apart, even where there is no room for more words.
    key: u64,
    word: &'static str,
}

impl Percept {
    fn of(text: &str) -> Percept {
        Percept { key: key(&text, 0), word: crate::words::keep(text).unwrap_or("something") }
    }
}

impl fmt::Display for Percept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

/// The game of some rules; `stakes` are the least and the most that the first player gets.
pub(crate) fn erased(rounds: Arc<Rounds>, stakes: [f64; 2]) -> ErasedHidden {
    fn of<P: Packed>(rounds: Arc<Rounds>, stakes: [f64; 2]) -> ErasedHidden {
        let start = P::of(&with_lanes(|values| rounds.start(values)));
        HiddenSetup::of(HiddenRules { rounds, start, stakes }).erased()
    }
    match rounds.words() {
        0..=2 => of::<[u64; 2]>(rounds, stakes),
        _ => of::<Box<[u64]>>(rounds, stakes),
    }
}

/// What the first player gets for these goals.
pub(crate) fn payoff(goals: [i32; 2]) -> f64 {
    f64::from(goals[0] - goals[1]) / 100.0
}

impl<P: Packed> Hidden for HiddenRules<P> {
    type Position = P;
    type Move = Choice;
    type Observation = Percept;

    fn start(&self) -> P {
        self.start.clone()
    }

    fn stakes(&self) -> [f64; 2] {
        self.stakes
    }

    fn turn(&self, at: &P) -> Turn {
        match self.rounds.layout.turn(at.words()) {
            0 => Turn::Of(Player::First),
            1 => Turn::Of(Player::Second),
            CHANCE => Turn::Chance,
            _ => match with_lanes(|values| self.rounds.end(at.words(), values)) {
                Some(Ok(goals)) => Turn::Over(payoff(goals)),
                // No move and no end: whoever lays the game out says so.
                _ => Turn::Of(Player::First),
            },
        }
    }

    fn moves(&self, at: &P) -> impl IntoIterator<Item = Choice> {
        let rounds = &*self.rounds;
        let seat = rounds.layout.turn(at.words());
        if seat == ENDED {
            return vec![];
        }
        let of = usize::from(seat);
        let legal = with_lanes(|values| rounds.legal(at.words(), values));
        let order = rounds.orders[of].iter().filter(|mv| legal[of].contains(mv));
        order.map(|mv| Choice { seat, mv: *mv, word: rounds.words[of][*mv as usize] }).collect()
    }

    fn play(&self, at: &P, choice: Choice) -> P {
        let mut to = at.clone();
        with_lanes(|values| self.rounds.choose(to.words_mut(), choice.mv, values));
        to
    }

    fn observe(&self, at: &P, choice: Choice, player: Player) -> Option<Percept> {
        let mut to = at.clone();
        let seen = with_lanes(|values| self.rounds.choose(to.words_mut(), choice.mv, values))?;
        Some(Percept::of(&seen[player as usize]))
    }

    fn show(&self, at: &P) -> String {
        let rounds = &*self.rounds;
        let facts = (0..rounds.layout.facts.len() as u32).filter(|fact| {
            let place = rounds.layout.facts[*fact as usize];
            place.mask != 0 && rounds.layout.holds(at.words(), *fact)
        });
        let facts: BTreeSet<String> =
            facts.map(|fact| rounds.terms.word(rounds.roots.facts[fact as usize])).collect();
        let mut words: Vec<String> = facts.into_iter().collect();
        for (seat, chosen) in rounds.chosen(at.words()).into_iter().enumerate() {
            if let Some(mv) = chosen {
                let role = rounds.terms.word(rounds.roots.roles[rounds.seats[seat]].role);
                words.push(format!("{role}:{}", rounds.words[seat][mv as usize]));
            }
        }
        if let Some(why) = with_lanes(|values| rounds.stuck(at.words(), values)) {
            words.push(format!("({})", rounds.why(&why)));
        }
        if words.is_empty() { "nothing holds".into() } else { words.join(" ") }
    }

    /// What can be done: that is all that the rules promise a player to know beside what it saw.
    fn seen(&self, at: &P, player: Player) -> String {
        let rounds = &*self.rounds;
        let role = rounds.terms.word(rounds.roots.roles[rounds.seats[player as usize]].role);
        if self.turn(at) != Turn::Of(player) {
            return role;
        }
        let moves: Vec<&str> = self.moves(at).into_iter().map(|choice| choice.word).collect();
        format!("{role}: {}", moves.join(" "))
    }
}

impl Rounds {
    /// Why a position is none that can be played, in words.
    pub(crate) fn why(&self, why: &Stuck) -> String {
        let role = |seat: usize| self.terms.word(self.roots.roles[self.seats[seat]].role);
        match *why {
            Stuck::NoMove(seat) => {
                format!("{} has no legal move, and the game is not over", role(seat))
            }
            Stuck::Goals(seat, 0) => format!("the game is over and {} has no goal", role(seat)),
            Stuck::Goals(seat, many) => {
                format!("the game is over and {} has {many} goals at once", role(seat))
            }
            Stuck::Sum([one, other]) => format!(
                "the goals are {one} and {other}, which do not add up to {}, as they do elsewhere",
                self.sum.unwrap_or(100)
            ),
            Stuck::Endless => "nobody ever has a choice again, and the game is not over".into(),
        }
    }
}
