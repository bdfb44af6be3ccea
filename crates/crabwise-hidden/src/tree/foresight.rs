//! Whether a line of what a player does and observes can come about, by the rules alone: before all states of the
//! game are found, which may take hours.
//!
//! Lines are short and mistakes come early, so it is mostly enough to follow all histories that go along with the line.
//! Where these are too many, nothing is said, and the line is read once the states are there.

use std::collections::HashSet;

use crabwise::watch::Shown;

use crate::rules::{Hidden, Player, Turn};

/// With more positions than this nothing is said.
const MOST: usize = 20_000;

/// Refuses a line that no history of the game goes along with, and says what could come where it leads astray.
pub(crate) fn check<G: Hidden>(game: &G, player: Player, words: &[&str]) -> Result<(), String> {
    let mut open = vec![(game.start(), 0)];
    let mut seen: HashSet<(G::Position, usize)> = HashSet::from_iter(open.iter().cloned());
    let mut furthest = 0;
    let mut next: Vec<String> = vec![];
    while let Some((at, read)) = open.pop() {
        if read == words.len() || seen.len() > MOST {
            return Ok(());
        }
        if read > furthest {
            (furthest, next) = (read, vec![]);
        }
        for (step, to) in steps(game, &at, player) {
            let length = step.len();
            if words[read..].starts_with(&step.iter().map(String::as_str).collect::<Vec<_>>()) {
                let to = (to, read + length);
                if seen.insert(to.clone()) {
                    open.push(to);
                }
            } else if read == furthest {
                let step = step.join(" ");
                if !next.contains(&step) {
                    next.push(step);
                }
            }
        }
    }
    let word = Shown(words[furthest]);
    let after = match furthest {
        0 => "at first".to_string(),
        _ => format!("after '{}'", words[..furthest].join(" ")),
    };
    match next.is_empty() {
        true => Err(format!("'{word}': nothing comes {after}")),
        false => Err(format!("'{word}' cannot come {after}; {} can", next.join(", "))),
    }
}

/// What the player does and observes at each move of a position, in words, and where the move leads.
fn steps<G: Hidden>(game: &G, at: &G::Position, player: Player) -> Vec<(Vec<String>, G::Position)> {
    let turn = game.turn(at);
    if matches!(turn, Turn::Over(_)) {
        return vec![];
    }
    let step = |mv: G::Move| {
        let own = (turn == Turn::Of(player)).then(|| mv.to_string());
        let observed = game.observe(at, mv, player).map(|word| word.to_string());
        (own.into_iter().chain(observed).collect(), game.play(at, mv))
    };
    game.moves(at).into_iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::{Random, explored};

    /// Whatever can be read once all states are found is not refused before.
    #[test]
    fn no_line_that_can_come_about_is_refused() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut refused = 0;
        for _ in 0..20 {
            let game = Random { seed: random.u64(..), length: 5 };
            let tree = explored(&crate::HiddenSetup::of(game).erased()).tree;
            for player in Player::BOTH {
                let (mut set, mut line) = (tree.start(player), vec![]);
                while let Some((step, to)) = random.choice(tree.next(set).collect::<Vec<_>>()) {
                    line.extend(step.split(' ').map(String::from));
                    set = to;
                }
                for spoilt in [None, Some(random.usize(..line.len() + 1))] {
                    let mut words: Vec<&str> = line.iter().map(String::as_str).collect();
                    if let Some(place) = spoilt {
                        words.insert(place, random.choice(["0", "1", "what"]).unwrap());
                    }
                    let said = check(&game, player, &words);
                    assert!(said.is_ok() || tree.read(player, &words).is_err(), "{words:?}");
                    refused += u32::from(said.is_err());
                }
            }
        }
        assert!(refused > 10, "{refused}");
    }
}
