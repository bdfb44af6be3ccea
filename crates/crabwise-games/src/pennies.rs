//! Matching pennies.
//!
//! Rules: J. von Neumann and O. Morgenstern, "Theory of Games and Economic Behavior", section 14.
//! Both players choose a side of a penny; the first wins if they have chosen the same, else the
//! second. They choose at the same time, which is to say: the second is not told what the first has
//! chosen. The value is 0, and the only equilibrium tosses the penny.

use std::{convert::Infallible, fmt};

use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use crate::{Entry, Params};

/// The rules.
pub(crate) struct Pennies;

pub(crate) const ENTRY: Entry<ErasedHidden> = Entry {
    name: "matching-pennies",
    about: "two pennies, laid at the same time: alike or not",
    parameters: "",
    example: "matching-pennies",
    build: |params| Ok(HiddenSetup::of(parse(params)?).erased()),
};

pub(crate) fn parse(_params: &mut Params) -> Result<Pennies, String> {
    Ok(Pennies)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Side {
    Heads,
    Tails,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Heads => "heads",
            Side::Tails => "tails",
        })
    }
}

impl Hidden for Pennies {
    /// What the players have chosen.
    type Position = [Option<Side>; 2];
    type Move = Side;
    type Observation = Infallible;

    fn start(&self) -> [Option<Side>; 2] {
        [None; 2]
    }

    fn turn(&self, at: &[Option<Side>; 2]) -> Turn {
        match at {
            [None, _] => Turn::Of(Player::First),
            [_, None] => Turn::Of(Player::Second),
            [first, second] => Turn::Over(if first == second { 1.0 } else { -1.0 }),
        }
    }

    fn moves(&self, _at: &[Option<Side>; 2]) -> impl IntoIterator<Item = Side> {
        [Side::Heads, Side::Tails]
    }

    fn play(&self, at: &[Option<Side>; 2], side: Side) -> [Option<Side>; 2] {
        if at[0].is_none() { [Some(side), None] } else { [at[0], Some(side)] }
    }

    fn observe(&self, _at: &[Option<Side>; 2], _side: Side, _player: Player) -> Option<Infallible> {
        None
    }

    fn show(&self, at: &[Option<Side>; 2]) -> String {
        at.map(|side| side.map_or("?".into(), |side| side.to_string())).join(" ")
    }

    fn seen(&self, at: &[Option<Side>; 2], player: Player) -> String {
        let mut at = *at;
        at[player.other() as usize] = None;
        self.show(&at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{census, exploitability, uniform, views_hold};

    #[test]
    fn the_second_player_is_told_nothing_and_tossing_is_best() {
        let census = census(&Pennies);
        assert_eq!((census.histories, census.over), (7, 4));
        assert_eq!((census.sets, census.sequences), ([1, 1], [2, 2]));
        views_hold(&Pennies);
        assert_eq!((uniform(&Pennies), exploitability(&Pennies)), (0.0, 0.0));
    }

    #[test]
    fn the_same_side_wins_for_the_first() {
        let play = |sides: [Side; 2]| Pennies.turn(&sides.map(Some));
        assert_eq!(play([Side::Tails, Side::Tails]), Turn::Over(1.0));
        assert_eq!(play([Side::Heads, Side::Tails]), Turn::Over(-1.0));
    }
}
