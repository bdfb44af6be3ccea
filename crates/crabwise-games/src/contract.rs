//! What the tests of a game ask of its numbering and its un-moves, on every slot and every
//! reachable position.

use std::collections::HashMap;

use crabwise::{Game, Index, Slot, Unplay, Value};

/// How many positions there are, and how many are won, lost, tied and drawn; then the longest end.
pub(crate) fn census<P>(values: &HashMap<P, Value>) -> (usize, [usize; 4], u32) {
    let count = |outcome| values.values().filter(|value| value.outcome() == outcome).count();
    let longest = values.values().filter_map(|value| value.remoteness()).max();
    (values.len(), ["win", "loss", "tie", "draw"].map(count), longest.unwrap_or(0))
}

/// How many positions are won, lost and tied in exactly `n` moves.
pub(crate) fn row<P>(values: &HashMap<P, Value>, n: u32) -> [usize; 3] {
    [Value::Win(n), Value::Loss(n), Value::Tie(n)]
        .map(|value| values.values().filter(|&&other| other == value).count())
}

/// Checks a numbering on all its slots, and on the reachable positions in `values`.
pub(crate) fn check_numbering<G: Game>(
    game: &G,
    index: &impl Index<G::Position>,
    values: &HashMap<G::Position, Value>,
) {
    for at in values.keys() {
        assert_eq!(index.position(index.slot(at)).as_ref(), Some(at), "kept elsewhere");
    }
    for tier in 0..index.tiers() {
        for slot in (0..index.len(tier)).map(|index| Slot { tier, index }) {
            let Some(at) = index.position(slot) else { continue };
            assert_eq!(index.slot(&at), slot, "{at:?}");
            if game.over(&at).is_some() {
                continue;
            }
            for mv in game.moves(&at) {
                let to = index.slot(&game.play(&at, mv));
                let stays = to.tier == tier && index.loopy(tier);
                assert!(stays || to.tier > tier, "{at:?} goes back from {slot:?} to {to:?}");
                assert!(to.tier <= index.reach(tier) && to.index < index.len(to.tier), "{to:?}");
            }
        }
    }
}

/// Checks un-moves against moves: none missing between the positions in `values`, none invented.
pub(crate) fn check_unplay<G: Unplay>(game: &G, values: &HashMap<G::Position, Value>) {
    let children = |at: &G::Position| -> Vec<G::Position> {
        match game.over(at) {
            Some(_) => vec![],
            None => game.moves(at).into_iter().map(|mv| game.play(at, mv)).collect(),
        }
    };
    for at in values.keys() {
        for to in children(at) {
            assert!(game.unplay(&to).into_iter().any(|from| from == *at), "{at:?} to {to:?}");
        }
        for from in game.unplay(at) {
            assert!(children(&from).contains(at), "{from:?} has no move to {at:?}");
        }
    }
}
