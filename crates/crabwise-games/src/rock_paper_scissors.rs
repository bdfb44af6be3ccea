//! Rock, paper, scissors.
//!
//! Rules: common knowledge. Both players show a sign at the same time, which is to say: the second
//! is not told what the first has shown. Paper beats rock, scissors beat paper, rock beats
//! scissors, and equal signs are a tie. The value is 0, and the only equilibrium shows each sign a
//! third of the time.

use std::{convert::Infallible, fmt};

use crabwise_hidden::{ErasedHidden, Hidden, HiddenSetup, Player, Turn};

use crate::{Entry, Params};

/// The rules.
pub(crate) struct RockPaperScissors;

pub(crate) const ENTRY: Entry<ErasedHidden> = Entry {
    name: "rock-paper-scissors",
    about: "each beats the one before it",
    parameters: "",
    example: "rock-paper-scissors",
    build: |params| Ok(HiddenSetup::of(parse(params)?).erased()),
};

pub(crate) fn parse(_params: &mut Params) -> Result<RockPaperScissors, String> {
    Ok(RockPaperScissors)
}

/// Each beats the one before it, and the first beats the last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sign {
    Rock,
    Paper,
    Scissors,
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sign::Rock => "rock",
            Sign::Paper => "paper",
            Sign::Scissors => "scissors",
        })
    }
}

/// What the players have shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signs([Option<Sign>; 2]);

impl Hidden for RockPaperScissors {
    type Position = Signs;
    type Move = Sign;
    type Observation = Infallible;

    fn start(&self) -> Signs {
        Signs([None; 2])
    }

    fn turn(&self, at: &Signs) -> Turn {
        match at.0 {
            [None, _] => Turn::Of(Player::First),
            [_, None] => Turn::Of(Player::Second),
            [Some(first), Some(second)] => {
                Turn::Over([0.0, 1.0, -1.0][(first as usize + 3 - second as usize) % 3])
            }
        }
    }

    fn moves(&self, _at: &Signs) -> impl IntoIterator<Item = Sign> {
        [Sign::Rock, Sign::Paper, Sign::Scissors]
    }

    fn play(&self, at: &Signs, sign: Sign) -> Signs {
        Signs(if at.0[0].is_none() { [Some(sign), None] } else { [at.0[0], Some(sign)] })
    }

    fn observe(&self, _at: &Signs, _sign: Sign, _player: Player) -> Option<Infallible> {
        None
    }

    fn show(&self, at: &Signs) -> String {
        at.0.map(|sign| sign.map_or("?".into(), |sign| sign.to_string())).join(" ")
    }

    fn seen(&self, at: &Signs, player: Player) -> String {
        let mut at = *at;
        at.0[player.other() as usize] = None;
        self.show(&at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{census, exploitability, uniform, views_hold};

    #[test]
    fn the_second_player_is_told_nothing_and_a_third_each_is_best() {
        let census = census(&RockPaperScissors);
        assert_eq!((census.histories, census.over), (13, 9));
        assert_eq!((census.sets, census.sequences), ([1, 1], [3, 3]));
        views_hold(&RockPaperScissors);
        assert!(uniform(&RockPaperScissors).abs() < 1e-12);
        assert!(exploitability(&RockPaperScissors).abs() < 1e-12);
    }

    #[test]
    fn each_sign_beats_one_and_loses_to_one() {
        use Sign::*;
        let play = |signs: [Sign; 2]| RockPaperScissors.turn(&Signs(signs.map(Some)));
        for [better, worse] in [[Paper, Rock], [Scissors, Paper], [Rock, Scissors]] {
            assert_eq!(play([better, worse]), Turn::Over(1.0));
            assert_eq!(play([worse, better]), Turn::Over(-1.0));
            assert_eq!(play([better, better]), Turn::Over(0.0));
        }
    }
}
