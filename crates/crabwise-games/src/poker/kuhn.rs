//! Kuhn poker.
//!
//! Rules: H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I
//! (1950). Of the three cards jack, queen and king each player is dealt one. Both put in one chip,
//! then the first player checks or bets one more; a bet is called or folded; after a check the
//! other may check too, or bet in turn. Where nobody has folded the higher card wins the pot. The
//! first player loses 1/18 of a chip a game.

use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use super::{Betting, Card, Move, own};
use crate::{Entry, Params};

/// The rules.
pub(crate) struct Kuhn;

pub(crate) const ENTRY: Entry<ErasedHidden> = Entry {
    name: "kuhn",
    about: "Kuhn's poker: three cards, one bet",
    parameters: "",
    example: "kuhn",
    build: |params| Ok(HiddenSetup::of(parse(params)?).erased()),
};

pub(crate) fn parse(_params: &mut Params) -> Result<Kuhn, String> {
    Ok(Kuhn)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Table {
    /// The first player is dealt a card before the second.
    hands: [Option<Card>; 2],
    betting: Betting,
}

impl Table {
    /// Who is dealt the next card.
    fn receiver(&self) -> Player {
        if self.hands[0].is_none() { Player::First } else { Player::Second }
    }
}

impl Hidden for Kuhn {
    type Position = Table;
    type Move = Move;
    type Observation = Move;

    fn start(&self) -> Table {
        Table { hands: [None; 2], betting: Betting::ANTES }
    }

    /// The ante and one bet.
    fn stakes(&self) -> [f64; 2] {
        [-2.0, 2.0]
    }

    fn turn(&self, at: &Table) -> Turn {
        if at.hands[1].is_none() {
            Turn::Chance
        } else if at.betting.closed() {
            Turn::Over(at.betting.payoff(at.hands[0].cmp(&at.hands[1])))
        } else {
            Turn::Of(at.betting.turn)
        }
    }

    fn moves(&self, at: &Table) -> impl IntoIterator<Item = Move> {
        if at.hands[1].is_some() {
            return at.betting.bids(1).map(Move::Bid).collect();
        }
        let left = Card::ALL.into_iter().filter(|card| card.left(1, &at.hands) > 0);
        left.map(Move::Deal).collect::<Vec<_>>()
    }

    fn play(&self, at: &Table, mv: Move) -> Table {
        let mut to = *at;
        match mv {
            Move::Deal(card) => to.hands[at.receiver() as usize] = Some(card),
            Move::Bid(bid) => to.betting = at.betting.bid(bid, 1),
        }
        to
    }

    fn observe(&self, at: &Table, mv: Move, player: Player) -> Option<Move> {
        let observe = match mv {
            Move::Deal(_) => at.receiver(),
            Move::Bid(_) => at.betting.turn.other(),
        };
        (player == observe).then_some(mv)
    }

    fn show(&self, at: &Table) -> String {
        at.betting.picture(at.hands)
    }

    fn seen(&self, at: &Table, player: Player) -> String {
        at.betting.picture(own(at.hands, player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{census, exploitability, uniform, views_hold};

    #[test]
    fn twelve_information_sets_and_thirty_ways_to_end() {
        let census = census(&Kuhn);
        assert_eq!((census.sets, census.sequences), ([6, 6], [12, 12]));
        assert_eq!((census.over, census.histories), (30, 58));
        views_hold(&Kuhn);
    }

    #[test]
    fn the_uniform_strategy_is_as_bad_as_it_is_known_to_be() {
        assert!((uniform(&Kuhn) - 1.0 / 8.0).abs() < 1e-12);
        assert!((exploitability(&Kuhn) - 11.0 / 24.0).abs() < 1e-12);
    }

    #[test]
    fn one_sees_one_card() {
        let cards = [Card::Queen, Card::King].map(Move::Deal);
        let at = cards.into_iter().fold(Kuhn.start(), |at, mv| Kuhn.play(&at, mv));
        let at = Kuhn.play(&at, Move::Bid(super::super::Bid::Bet));
        let seen = "first player: ?, 2 in the pot\nsecond player: K, 1 in the pot";
        assert_eq!(Kuhn.seen(&at, Player::Second), seen);
        assert_eq!(Kuhn.show(&at), seen.replace('?', "Q"));
        let words: Vec<_> = Kuhn.moves(&at).into_iter().map(|mv| mv.to_string()).collect();
        assert_eq!(words, ["fold", "call"]);
    }
}
