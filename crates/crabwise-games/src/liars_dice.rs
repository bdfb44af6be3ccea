//! Liar's dice with one die for each player.
//!
//! Rules: OpenSpiel's `liars_dice` with its defaults, for two players and dice of 2 to 6 sides.
//! Both roll and see their own die. The first player bids, `2-5` for "at least two dice show a
//! five"; from then on players in turn bid higher or say `liar`. A bid is higher if it is of more
//! dice, or of as many and a higher face. The highest face is wild: it counts as every face. On
//! `liar` the dice are shown, and the last bidder has won if the bid was true and lost if not.
//!
//! The bids made are any set of the 2 · sides there are, in order, so a die of n sides makes n ·
//! 4^n information sets, half of them each player's. A position keeps the last bid only.

use std::fmt;

use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use crate::{Entry, Params};

/// The rules for dice with this number of sides.
pub(crate) struct LiarsDice {
    sides: u8,
}

pub(crate) const ENTRY: Entry<ErasedHidden> = Entry {
    name: "liars-dice",
    about: "a die each, bids on both, and who calls the bluff",
    parameters: "SIDES of the dice, 2 to 6 (default 6)",
    example: "liars-dice:3",
    build: |params| Ok(HiddenSetup::of(parse(params)?).erased()),
};

/// Liar's dice, from `SIDES`.
pub(crate) fn parse(params: &mut Params) -> Result<LiarsDice, String> {
    Ok(LiarsDice { sides: params.number("number of sides", 6, 2..=6)? as u8 })
}

/// The bid that at least this number of dice show this face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bid {
    count: u8,
    face: u8,
}

/// A move of chance or of a player. A player who is told anything is told one of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Move {
    Roll(u8),
    Bid(Bid),
    Liar,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Roll(face) => face.fmt(f),
            Move::Bid(bid) => write!(f, "{}-{}", bid.count, bid.face),
            Move::Liar => f.write_str("liar"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Dice {
    /// The first player's is rolled first.
    dice: [Option<u8>; 2],
    bid: Option<Bid>,
    turn: Player,
    called: bool,
}

impl Dice {
    /// Who rolls next, if that is what happens next.
    fn roller(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.dice[player as usize].is_none())
    }

    fn picture(&self, dice: [Option<u8>; 2]) -> String {
        let [first, second] = dice.map(|die| die.map_or("?".into(), |die| die.to_string()));
        let bid = self.bid.map_or("none".into(), |bid| Move::Bid(bid).to_string());
        let called = if self.called { ", called" } else { "" };
        format!("dice: {first} {second}\nbid: {bid}{called}")
    }
}

impl LiarsDice {
    /// Whether the bid holds: the dice that show its face or the highest one are enough.
    fn holds(&self, dice: [Option<u8>; 2], bid: Bid) -> bool {
        let shows = |die: &&Option<u8>| **die == Some(bid.face) || **die == Some(self.sides);
        dice.iter().filter(shows).count() >= bid.count.into()
    }
}

impl Hidden for LiarsDice {
    type Position = Dice;
    type Move = Move;
    type Observation = Move;

    fn start(&self) -> Dice {
        Dice { dice: [None; 2], bid: None, turn: Player::First, called: false }
    }

    fn turn(&self, at: &Dice) -> Turn {
        match at.bid {
            _ if at.roller().is_some() => Turn::Chance,
            // The caller's turn is past, so the bidder is to move.
            Some(bid) if at.called => {
                let bidder = at.turn.sign();
                Turn::Over(if self.holds(at.dice, bid) { bidder } else { -bidder })
            }
            _ => Turn::Of(at.turn),
        }
    }

    fn moves(&self, at: &Dice) -> impl IntoIterator<Item = Move> {
        let faces = 1..=self.sides;
        if at.roller().is_some() {
            return faces.map(Move::Roll).collect::<Vec<_>>();
        }
        let bids = (1..=2).flat_map(|count| faces.clone().map(move |face| Bid { count, face }));
        let higher = bids.filter(|&bid| Some(bid) > at.bid).map(Move::Bid);
        higher.chain(at.bid.map(|_| Move::Liar)).collect()
    }

    fn play(&self, at: &Dice, mv: Move) -> Dice {
        let mut to = Dice { turn: at.turn.other(), ..*at };
        match (mv, at.roller()) {
            // Both roll, and the turn is the first player's again.
            (Move::Roll(face), Some(roller)) => to.dice[roller as usize] = Some(face),
            (Move::Bid(bid), _) => to.bid = Some(bid),
            (Move::Liar, _) => to.called = true,
            (Move::Roll(_), None) => {}
        }
        to
    }

    fn observe(&self, at: &Dice, mv: Move, player: Player) -> Option<Move> {
        let observe = at.roller().unwrap_or(at.turn.other());
        (player == observe).then_some(mv)
    }

    fn show(&self, at: &Dice) -> String {
        at.picture(at.dice)
    }

    fn seen(&self, at: &Dice, player: Player) -> String {
        let mut dice = at.dice;
        dice[player.other() as usize] = None;
        at.picture(dice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{census, views_hold};

    #[test]
    fn information_sets_are_sets_of_bids() {
        for sides in 2..=5 {
            let (census, n) = (census(&LiarsDice { sides }), u64::from(sides));
            let bids = 4_u64.pow(sides.into());
            assert_eq!(census.sets.map(|sets| 2 * sets as u64), [n * bids; 2]);
            // Each set of bids is a history, and one more if it is called, which takes a bid.
            assert_eq!(census.over, n * n * (bids - 1));
            assert_eq!(census.histories, 1 + n + n * n * (2 * bids - 1));
        }
        views_hold(&LiarsDice { sides: 3 });
    }

    #[test]
    fn the_highest_face_is_wild() {
        let game = LiarsDice { sides: 3 };
        let holds = |dice: [u8; 2], count, face| game.holds(dice.map(Some), Bid { count, face });
        assert!(holds([1, 3], 2, 1) && holds([3, 3], 2, 2) && holds([1, 2], 1, 2));
        assert!(!holds([1, 3], 2, 3) && !holds([1, 2], 2, 2) && !holds([1, 1], 1, 2));
    }

    #[test]
    fn a_true_bid_wins_for_the_bidder() {
        let game = LiarsDice { sides: 2 };
        let bid = |count, face| Move::Bid(Bid { count, face });
        let line = [Move::Roll(1), Move::Roll(2), bid(1, 2), bid(2, 1), Move::Liar];
        let at = line.into_iter().fold(game.start(), |at, mv| game.play(&at, mv));
        assert_eq!(game.turn(&at), Turn::Over(-1.0));
        assert_eq!(game.show(&at), "dice: 1 2\nbid: 2-1, called");
        assert_eq!(game.seen(&at, Player::First), "dice: 1 ?\nbid: 2-1, called");
        let moves = |at: &Dice| game.moves(at).into_iter().map(|mv| mv.to_string()).collect();
        let at = line[..3].iter().fold(game.start(), |at, &mv| game.play(&at, mv));
        let words: Vec<String> = moves(&at);
        assert_eq!(words, ["2-1", "2-2", "liar"]);
    }
}
