//! Advice for a game that is too large to solve: what a search of limited depth says of each move.

use super::{LookError, PlaceInfo, Played};
use crate::{
    analysis::{
        horizon::{Cut, Horizon},
        label::{Choice, Label},
    },
    erased::ErasedGame,
    game::{
        Game, Value,
        dynamic::{DynGame, DynMove, DynPosition},
    },
    watch::{Meter, Stop, Watch},
};

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The position.
    pub place: PlaceInfo,
    /// What the position is worth to the player to move, if that is proven.
    pub value: Option<Value>,
    /// The moves, best first; the first is the advice.
    pub moves: Vec<AdvisedMove>,
    /// How many moves ahead everything was looked at.
    pub depth: u32,
    /// How many positions were looked at.
    pub positions: u64,
}

impl Advice {
    /// Whether the first move is proven to be the best there is: it wins as quickly as can be, or
    /// every move's worth is known.
    pub fn proven(&self) -> bool {
        self.value.is_some()
    }
}

/// A move and what the search says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdvisedMove {
    /// The move as players write it.
    pub name: String,
    /// What it is worth to the player who makes it, if that is proven.
    pub value: Option<Value>,
    /// The label of the island it leads to; where nothing is proven, T with the density Z of the
    /// mistakes that the other side can make there within the horizon.
    pub label: Label,
}

impl ErasedGame {
    /// Looks ahead from the position after a line of moves; needs no table.
    pub fn advise(
        &self,
        line: &[String],
        horizon: &Horizon,
        watch: &dyn Watch,
    ) -> Result<Advice, LookError> {
        let game = self.game();
        let played = Played::new(game, line)?.whole()?;
        let stopped = |stop: Stop| LookError::Table(stop.into());
        let meter = Meter::new(watch, "looking ahead", None, None).map_err(stopped)?;
        let mut search = self.typed.search(horizon, &meter);
        let (at, place) = (played.at.clone(), played.place());
        let value = place.over.map(Value::from);
        let mut branches = if place.over.is_some() { vec![] } else { branches(game, &at) };
        let mut advice = Advice { place, value, moves: vec![], depth: 0, positions: 0 };
        for depth in 1..=horizon.depth {
            if branches.is_empty() || advice.value.is_some() {
                break;
            }
            let judged = branches.iter().map(|(_, to)| search.judge(to, depth));
            match judged.collect::<Result<Vec<_>, Cut>>() {
                Err(Cut::Stopped(stop)) => return Err(stopped(stop)),
                Err(Cut::Time) => break,
                Ok(found) => {
                    for ((mv, to), (value, label)) in branches.iter_mut().zip(found) {
                        mv.value = value.map(|value| value.back(game.again(&at, to)));
                        mv.label = label;
                    }
                    advice.depth = depth;
                    advice.value = decided(&branches);
                }
            }
        }
        advice.positions = search.positions();
        // Best first, equally good ones shuffled.
        advice.moves = branches.into_iter().map(|(mv, _)| mv).collect();
        fastrand::Rng::with_seed(horizon.seed).shuffle(&mut advice.moves);
        let choice =
            |mv: &AdvisedMove| Choice::new(mv.value.unwrap_or(Value::Draw), mv.label.index());
        advice.moves.sort_by_key(|mv| std::cmp::Reverse(choice(mv)));
        Ok(advice)
    }
}

/// The moves from the root and where they lead.
fn branches(game: DynGame, at: &DynPosition) -> Vec<(AdvisedMove, DynPosition)> {
    let branch = |mv: DynMove| {
        let move_of = |name| AdvisedMove { name, value: None, label: Label::T(0) };
        (move_of(mv.to_string()), game.play(at, mv))
    };
    game.moves(at).into_iter().map(branch).collect()
}

/// What the root is worth, if that is proven: by a win, or because nothing is open.
fn decided(branches: &[(AdvisedMove, DynPosition)]) -> Option<Value> {
    let values = || branches.iter().map(|(mv, _)| mv.value);
    let best = values().flatten().max()?;
    let closed = values().all(|value| value.is_some());
    (closed || matches!(best, Value::Win(_))).then_some(best)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{analysis::label::Weights, erased::Setup, graphs::Graph, watch::Unwatched};

    #[test]
    fn time_stops_a_search_but_not_before_one_move() {
        let horizon = Horizon {
            depth: u32::MAX,
            time: Some(Duration::ZERO),
            weights: Weights::default(),
            seed: 1,
            memory: 1 << 10,
        };
        let line = ["1", "2", "3", "5"].map(String::from);
        // From n to any of the next two numbers, modulo 12; 7 ends the game.
        let next = |at: u32| if at == 7 { vec![] } else { vec![(at + 1) % 12, (at + 2) % 12] };
        let ring = Graph::of((0..12).map(next).collect(), |_| 0);
        let game = Setup::of(ring.clone()).erased();
        let advice = game.advise(&line, &horizon, &Unwatched).unwrap();
        assert_eq!((advice.depth, advice.proven()), (1, true));
        assert_eq!((advice.moves[0].name.as_str(), advice.value), ("7", Some(Value::Win(1))));
        let horizon = Horizon { depth: 40, time: None, ..horizon };
        let advice = game.advise(&[], &horizon, &Unwatched).unwrap();
        let truth = crate::solve(&ring).unwrap();
        assert_eq!(advice.value, Some(truth.start()));
    }
}
