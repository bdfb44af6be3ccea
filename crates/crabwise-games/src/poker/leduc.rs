//! Leduc hold'em for two players.
//!
//! Rules: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005, as OpenSpiel's
//! `leduc_poker` plays them. The deck has two jacks, two queens and two kings. Both put in one chip
//! and are dealt a card; after a round of betting a card is turned up for both, and there is a
//! second round. The first player begins both. A raise is 2 chips in the first round and 4 in the
//! second, and there are at most two a round, the first of them being called a bet; to fold is
//! legal only where there is something to pay. Where nobody has folded, who has paired the open
//! card wins, else who has the higher card; equal ranks share the pot. The first player loses
//! 0.0856064 of a chip a game.
//!
//! The suits decide nothing, so cards have only ranks here, and chance weighs a rank by the cards
//! left of it. That makes 288 information sets. Each player is to move after 3 sequences of bids in
//! a round, so has 3 for each of the 3 hands in the first round and, after each of the 5 ways to
//! close it, 3 for each of the 9 hands with an open card. With six different cards there are 936: 6
//! hands, and 30 with an open card. The value is the same.

use std::cmp::Ordering;

use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use super::{Betting, Card, Move, face, own};
use crate::{Entry, Params};

/// The rules.
pub(crate) struct Leduc;

pub(crate) const ENTRY: Entry<ErasedHidden> = Entry {
    name: "leduc",
    about: "Leduc hold'em: six cards, two rounds of betting",
    parameters: "",
    example: "leduc",
    build: |params| Ok(HiddenSetup::of(parse(params)?).erased()),
};

pub(crate) fn parse(_params: &mut Params) -> Result<Leduc, String> {
    Ok(Leduc)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Table {
    /// The hands, the first player's being dealt first, and the open card.
    cards: [Option<Card>; 3],
    betting: Betting,
}

impl Table {
    fn hands(&self) -> [Option<Card>; 2] {
        [self.cards[0], self.cards[1]]
    }

    fn open(&self) -> Option<Card> {
        self.cards[2]
    }

    /// Where the next card goes, if it is for chance to move.
    fn next_card(&self) -> Option<usize> {
        let next = self.cards.iter().position(Option::is_none)?;
        let due = next < 2 || self.betting.closed() && self.betting.folded.is_none();
        due.then_some(next)
    }

    fn compare(&self) -> Ordering {
        let strength = |hand: Option<Card>| (hand == self.open(), hand);
        strength(self.cards[0]).cmp(&strength(self.cards[1]))
    }

    fn picture(&self, hands: [Option<Card>; 2]) -> String {
        format!("{}\nopen card: {}", self.betting.picture(hands), face(self.open()))
    }
}

impl Hidden for Leduc {
    type Position = Table;
    type Move = Move;
    type Observation = Move;

    fn start(&self) -> Table {
        Table { cards: [None; 3], betting: Betting::ANTES }
    }

    /// The ante, a bet and a raise of two in the first round, and of four in the second.
    fn stakes(&self) -> [f64; 2] {
        [-13.0, 13.0]
    }

    fn turn(&self, at: &Table) -> Turn {
        if at.next_card().is_some() {
            Turn::Chance
        } else if at.betting.closed() {
            Turn::Over(at.betting.payoff(at.compare()))
        } else {
            Turn::Of(at.betting.turn)
        }
    }

    fn moves(&self, at: &Table) -> impl IntoIterator<Item = Move> {
        if at.next_card().is_none() {
            return at.betting.bids(2).map(Move::Bid).collect();
        }
        let left = Card::ALL.into_iter().filter(|card| card.left(2, &at.cards) > 0);
        left.map(Move::Deal).collect::<Vec<_>>()
    }

    fn play(&self, at: &Table, mv: Move) -> Table {
        let mut to = *at;
        match (mv, at.next_card()) {
            (Move::Bid(bid), _) => {
                let raise = if at.open().is_none() { 2 } else { 4 };
                to.betting = at.betting.bid(bid, raise);
            }
            (Move::Deal(card), Some(next)) => {
                to.cards[next] = Some(card);
                to.betting = at.betting.next_round();
            }
            (Move::Deal(_), None) => {}
        }
        to
    }

    fn weight(&self, at: &Table, mv: Move) -> f64 {
        match mv {
            Move::Deal(card) => card.left(2, &at.cards) as f64,
            Move::Bid(_) => 1.0,
        }
    }

    fn observe(&self, at: &Table, mv: Move, player: Player) -> Option<Move> {
        let observe = match mv {
            Move::Deal(_) => at.next_card().is_none_or(|next| next == 2 || next == player as usize),
            Move::Bid(_) => player != at.betting.turn,
        };
        observe.then_some(mv)
    }

    fn show(&self, at: &Table) -> String {
        at.picture(at.hands())
    }

    fn seen(&self, at: &Table, player: Player) -> String {
        at.picture(own(at.hands(), player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{census, exploitability, uniform, views_hold};

    #[test]
    fn information_sets_are_counted() {
        let census = census(&Leduc);
        assert_eq!(census.sets, [144, 144]);
        assert_eq!(census.sequences, [336, 336]);
        views_hold(&Leduc);
    }

    /// By the sum in the head of the file.
    #[test]
    fn suits_would_make_936() {
        let [ranks, cards] = [(3, 3), (6, 5)];
        let sets = |(hands, open)| 2 * (hands * 3 + 5 * hands * open * 3);
        assert_eq!((sets(ranks), sets(cards)), (288, 936));
    }

    #[test]
    fn the_uniform_strategy_is_as_bad_as_it_is_known_to_be() {
        assert!((uniform(&Leduc) + 0.078125).abs() < 1e-12, "{}", uniform(&Leduc));
        assert!((exploitability(&Leduc) - 2.373611).abs() < 1e-6, "{}", exploitability(&Leduc));
    }

    #[test]
    fn a_pair_beats_a_king_and_two_alike_share() {
        use Card::*;
        let at = |cards: [Card; 3]| Table { cards: cards.map(Some), betting: Betting::ANTES };
        assert_eq!(at([Jack, King, Jack]).compare(), Ordering::Greater);
        assert_eq!(at([Jack, King, Queen]).compare(), Ordering::Less);
        assert_eq!(at([Queen, Queen, King]).compare(), Ordering::Equal);
        let seen = "first player: ?, 1 in the pot\nsecond player: K, 1 in the pot\nopen card: J";
        assert_eq!(Leduc.seen(&at([Jack, King, Jack]), Player::Second), seen);
    }
}
