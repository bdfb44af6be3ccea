//! What small poker games share: cards of three ranks, and betting in which the two players have
//! paid the same when a round is closed.
//!
//! A bid is known to both players at once: the one who makes it need not be told, the other one is.

use std::{cmp::Ordering, fmt};

use crabwise_hidden::Player;

pub(crate) mod kuhn;
pub(crate) mod leduc;

/// A card, of which only the rank matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Card {
    Jack,
    Queen,
    King,
}

impl Card {
    const ALL: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

    /// How many of the copies of this card are left, when some cards have been dealt.
    fn left(self, copies: usize, dealt: &[Option<Card>]) -> usize {
        copies - dealt.iter().filter(|&&card| card == Some(self)).count()
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Card::Jack => "J",
            Card::Queen => "Q",
            Card::King => "K",
        })
    }
}

/// What a player can do about the pot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bid {
    Fold,
    Check,
    Call,
    Bet,
    Raise,
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bid::Fold => "fold",
            Bid::Check => "check",
            Bid::Call => "call",
            Bid::Bet => "bet",
            Bid::Raise => "raise",
        })
    }
}

/// A move of chance or of a player. A player who is told anything is told one of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Move {
    Deal(Card),
    Bid(Bid),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Deal(card) => card.fmt(f),
            Move::Bid(bid) => bid.fmt(f),
        }
    }
}

/// How a round of betting stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Betting {
    /// What each player has put into the pot, from the beginning.
    paid: [u8; 2],
    /// How often the stakes were raised in this round.
    raises: u8,
    /// How often somebody has checked or called since.
    calls: u8,
    folded: Option<Player>,
    turn: Player,
}

impl Betting {
    /// After both have put in one chip.
    const ANTES: Betting =
        Betting { paid: [1; 2], raises: 0, calls: 0, folded: None, turn: Player::First };

    /// The next round, which the first player begins too.
    fn next_round(self) -> Betting {
        Betting { raises: 0, calls: 0, turn: Player::First, ..self }
    }

    /// What the player to move can do, where the stakes may be raised `most` times in a round. One
    /// folds only when there is something to pay.
    fn bids(self, most: u8) -> impl Iterator<Item = Bid> {
        let behind = self.paid[0] != self.paid[1];
        let fold = behind.then_some(Bid::Fold);
        let stay = if behind { Bid::Call } else { Bid::Check };
        let raise = if behind { Bid::Raise } else { Bid::Bet };
        let raise = (self.raises < most).then_some(raise);
        fold.into_iter().chain([stay]).chain(raise)
    }

    /// How betting stands after a bid, where a raise is so much above what the other has paid.
    fn bid(self, bid: Bid, raise: u8) -> Betting {
        let (mut to, mover) = (self, self.turn as usize);
        let stakes = self.paid[0].max(self.paid[1]);
        to.turn = self.turn.other();
        match bid {
            Bid::Fold => to.folded = Some(self.turn),
            Bid::Check | Bid::Call => {
                to.paid[mover] = stakes;
                to.calls += 1;
            }
            Bid::Bet | Bid::Raise => {
                to.paid[mover] = stakes + raise;
                to.raises += 1;
                to.calls = 0;
            }
        }
        to
    }

    /// Whether the round is over: both have checked, or a bet was called, or somebody has folded.
    fn closed(self) -> bool {
        self.folded.is_some() || self.calls == if self.raises == 0 { 2 } else { 1 }
    }

    /// What the first player gets, whose hand compares so to the other's.
    fn payoff(self, hands: Ordering) -> f64 {
        let worse = match hands {
            Ordering::Less => Some(Player::First),
            Ordering::Equal => None,
            Ordering::Greater => Some(Player::Second),
        };
        let loser = self.folded.or(worse);
        loser.map_or(0.0, |loser| -loser.sign() * f64::from(self.paid[loser as usize]))
    }

    /// The players with their hands, as far as these are known, and what they have paid.
    fn picture(self, hands: [Option<Card>; 2]) -> String {
        let line = |player: Player| {
            let hand = face(hands[player as usize]);
            format!("{player}: {hand}, {} in the pot", self.paid[player as usize])
        };
        Player::BOTH.map(line).join("\n")
    }
}

/// A card as it is drawn; one that is face down or still in the deck is a question mark.
fn face(card: Option<Card>) -> String {
    card.map_or("?".into(), |card| card.to_string())
}

/// The hands as one player sees them.
fn own(mut hands: [Option<Card>; 2], player: Player) -> [Option<Card>; 2] {
    hands[player.other() as usize] = None;
    hands
}
