//! The two slow definitions of truth. Never optimised, never deleted: they judge everything else.
//!
//! `reference` is plain recursion for games that cannot go round in circles; `rounds` lets news
//! travel one move a round until nothing changes, for any game. On a game without loops the two
//! agree.

use std::collections::HashMap;

use crate::{Game, Value};

/// Solves a game without loops by recursion, remembering everything.
///
/// # Panics
/// On a position that is not over and has no move.
pub fn reference<G: Game>(game: &G) -> HashMap<G::Position, Value> {
    fn visit<G: Game>(
        game: &G,
        at: &G::Position,
        known: &mut HashMap<G::Position, Value>,
    ) -> Value {
        if let Some(&value) = known.get(at) {
            return value;
        }
        let value = match game.over(at) {
            Some(outcome) => outcome.into(),
            None => best(game, at, |to| visit(game, to, known)),
        };
        known.insert(at.clone(), value);
        value
    }
    let mut known = HashMap::new();
    visit(game, &game.start(), &mut known);
    known
}

/// Solves any game, loops included: everything counts as a draw until it is seen to be better or
/// worse. Round n knows exactly what is decided within n moves. A tie is preferred to a draw but
/// worth no more, so the ties are let in only when wins and losses have settled.
///
/// # Panics
/// On a position that is not over and has no move.
pub fn rounds<G: Game>(game: &G) -> HashMap<G::Position, Value> {
    let (everything, _) = walk(game, usize::MAX, |_, _| {});
    let mut values: HashMap<_, _> = everything.into_iter().map(|at| (at, Value::Draw)).collect();
    for with_ties in [false, true] {
        loop {
            let next: HashMap<_, _> = values
                .keys()
                .map(|at| {
                    let value = match game.over(at) {
                        Some(outcome) => outcome.into(),
                        None => best(game, at, |to| values[to]),
                    };
                    let tie = matches!(value, Value::Tie(_));
                    (at.clone(), if tie && !with_ties { Value::Draw } else { value })
                })
                .collect();
            if next == values {
                break;
            }
            values = next;
        }
    }
    values
}

/// The positions that can be reached from the start, until there are `most`, and whether these are all. Of each that is
/// met `again`, what was found first and what was found now are told.
pub(crate) fn walk<G: Game>(
    game: &G,
    most: usize,
    mut again: impl FnMut(&G::Position, &G::Position),
) -> (Vec<G::Position>, bool) {
    let mut seen = HashMap::from([(game.start(), 0)]);
    let (mut found, mut next) = (vec![game.start()], 0);
    while next < found.len() && found.len() < most {
        let at = found[next].clone();
        next += 1;
        if game.over(&at).is_some() {
            continue;
        }
        for mv in game.moves(&at) {
            let to = game.play(&at, mv);
            match seen.get(&to) {
                Some(&known) => again(&found[known], &to),
                None => {
                    seen.insert(to.clone(), found.len());
                    found.push(to);
                }
            }
        }
    }
    let all = next == found.len();
    (found, all)
}

/// The value of a position whose game goes on, given its children's values.
fn best<G: Game>(
    game: &G,
    at: &G::Position,
    mut value: impl FnMut(&G::Position) -> Value,
) -> Value {
    (game.moves(at).into_iter())
        .map(|mv| game.play(at, mv))
        .map(|to| value(&to).back(game.again(at, &to)))
        .max()
        .unwrap_or_else(|| panic!("no move, yet not over: {at:?}"))
}
