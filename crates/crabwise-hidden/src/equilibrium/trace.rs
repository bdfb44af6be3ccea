//! Regret made visible: what regret minimisation learns at one information set, iteration by iteration.
//!
//! The game is the whole one, neither folded nor ended at certain wins, so that every information set is there to be
//! looked at.

use crabwise::watch::{Meter, Watch};

use super::{EquilibriumError, Method};
use crate::{
    erased::ExploredGame,
    iterative::{
        IterativeSolver,
        cfr::{Cfr, Updates},
    },
    rules::Player,
    sequence_form::SequenceForm,
    tree::InfoSet,
};

/// What is looked at, and when.
pub struct Trace<'a> {
    /// The information set.
    pub at: InfoSet,
    /// Which regrets are minimised; one of the methods that go through all histories.
    pub method: Method,
    /// Both players learn at the same time, not one after the other.
    pub simultaneous: bool,
    /// After how many iterations, in ascending order.
    pub after: &'a [u64],
    /// Regrets that moves begin with.
    pub starts: &'a [StartRegret],
}

/// A regret that a move begins with, as if iterations had been done that led to it.
#[derive(Clone, Copy, Debug)]
pub struct StartRegret {
    /// Whose move it is.
    pub player: Player,
    /// The sequence that ends with the move.
    pub sequence: usize,
    /// The regret.
    pub regret: f64,
}

/// What was learnt by then.
#[derive(Clone, PartialEq, Debug)]
pub struct TracePoint {
    /// Iterations that were done.
    pub iterations: u64,
    /// How exploitable the average strategies are; before the first iteration there are none.
    pub exploitability: Option<f64>,
    /// What was learnt of each move.
    pub moves: Vec<TracedMove>,
}

/// What was learnt of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct TracedMove {
    /// As players write it.
    pub name: String,
    /// How much more it would have earned than what was done.
    pub regret: f64,
    /// How likely it is made in the next iteration.
    pub now: f64,
    /// How likely it is made on average, once there is something to average.
    pub average: Option<f64>,
}

impl Trace<'_> {
    /// Iterates, and looks.
    pub fn run(
        &self,
        explored: &ExploredGame,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Vec<TracePoint>, EquilibriumError> {
        let (method, option, methods) = (self.method, "trace", super::method::ALL_HISTORIES);
        let variant = method.variant();
        let variant = variant.ok_or(EquilibriumError::Unsuited { option, methods, method })?;
        let updates = match self.simultaneous {
            true => Updates::Simultaneous,
            false => Updates::Alternating,
        };
        let form = SequenceForm::new(&explored.tree, false, memory, watch)?;
        let mut cfr = Cfr::new(&form, variant, updates);
        for start in self.starts {
            cfr.start_with(start.player, start.sequence, start.regret);
        }
        let meter = Meter::new(watch, "iterating", None, self.after.last().copied());
        let meter = meter.map_err(|stop| EquilibriumError::Stopped { stop, kept: None })?;
        let mut points = vec![];
        for &after in self.after {
            while cfr.iterations() < after {
                let stopped = |stop| EquilibriumError::Stopped { stop, kept: None };
                meter.add(1).map_err(stopped)?;
                cfr.step();
            }
            points.push(self.look(explored, &cfr));
        }
        Ok(points)
    }

    fn look(&self, explored: &ExploredGame, cfr: &Cfr) -> TracePoint {
        let (player, iterations) = (self.at.player, cfr.iterations());
        let [now, average] = [cfr.current(), cfr.average()];
        let moves = (self.at.first()..).zip(explored.tree.moves(self.at));
        let moves = moves.map(|(sequence, name)| TracedMove {
            name: name.to_string(),
            regret: cfr.regret(player, sequence),
            now: now[player as usize][sequence],
            average: (iterations > 0).then(|| average[player as usize][sequence]),
        });
        TracePoint {
            iterations,
            exploitability: (iterations > 0).then(|| cfr.judge().exploitability().max(0.0)),
            moves: moves.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup,
        toys::{Kuhn, explored},
    };
    use crabwise::watch::Unwatched;

    #[test]
    fn a_trace_says_what_is_learnt() {
        let explored = explored(&HiddenSetup::of(Kuhn).erased());
        let mut at = explored.tree.start(Player::First);
        while explored.tree.moves(at).len() == 0 {
            at = explored.tree.next(at).next().unwrap().1;
        }
        let trace = |method, starts: &[StartRegret]| {
            let after = [0, 1, 50, 2000];
            let trace = Trace { at, method, simultaneous: false, after: &after, starts };
            trace.run(&explored, 1 << 30, &Unwatched)
        };
        let points = trace(Method::CfrPlus, &[]).unwrap();
        assert_eq!(points.len(), 4);
        let [before, .., last] = &points[..] else { panic!() };
        assert!(before.exploitability.is_none() && before.moves.iter().all(|mv| mv.now == 0.5));
        assert!(last.exploitability.unwrap() < 1e-3, "{last:?}");
        for point in &points {
            let sum: f64 = point.moves.iter().map(|mv| mv.now).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{point:?}");
            assert!(point.moves.iter().all(|mv| mv.regret >= 0.0), "{point:?}");
        }
        let start = StartRegret { player: Player::First, sequence: at.first(), regret: 3.0 };
        let begun = trace(Method::Cfr, &[start]).unwrap();
        assert_eq!((begun[0].moves[0].now, begun[0].moves[0].regret), (1.0, 3.0));
        assert!(matches!(trace(Method::Lp, &[]), Err(EquilibriumError::Unsuited { .. })));
    }
}
