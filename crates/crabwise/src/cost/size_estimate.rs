//! How many positions a game has that must be walked, where a walk of all would take too long.
//!
//! The first layers, positions by their distance from the start, are walked and counted; how they go on is guessed by
//! `solve/growth.rs`.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use crate::{
    Game, SolveError,
    index::key,
    solve::growth::{extrapolate, longest_game},
    watch::{Meter, Watch},
};

/// How it is known how many positions there are.
#[derive(Clone, PartialEq, Debug)]
pub enum Extent {
    /// The game brings a numbering.
    Numbered,
    /// It was walked.
    Walked,
    /// It was walked in part.
    Estimated(Estimate),
}

/// What the first layers of a game say of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Positions by their distance from the start.
    pub layers: Vec<f64>,
    /// How many of these layers were counted.
    pub counted: u32,
    /// Moves a position.
    pub moves: f64,
    /// Whether ways of different lengths were seen to meet.
    pub loopy: bool,
}

/// How long layers are counted, and how many positions at the most.
const COUNTING: Duration = Duration::from_millis(1500);
const MOST: usize = 3_000_000;

/// Walks the first layers and guesses the rest.
pub(crate) fn estimate<G: Game>(game: &G, watch: &dyn Watch) -> Result<Estimate, SolveError> {
    let meter = Meter::new(watch, "sampling", None, None)?;
    let counted = first_layers(game, &meter)?;
    Ok(Estimate { layers: extrapolate(counted.layers, longest_game(game)), ..counted })
}

/// What could be counted.
fn first_layers<G: Game>(game: &G, meter: &Meter) -> Result<Estimate, SolveError> {
    let began = Instant::now();
    let start = game.start();
    let mut seen = HashSet::from([key(&start, 0)]);
    let (mut layer, mut layers, mut loopy) = (vec![start], vec![1.0], false);
    let (mut positions, mut moves) = (0_u64, 0_u64);
    'walk: loop {
        let (mut next, mut fresh) = (vec![], HashSet::new());
        for (n, at) in layer.iter().enumerate() {
            if n % 1024 == 0 {
                meter.add(1024)?;
            }
            if began.elapsed() > COUNTING || seen.len() + fresh.len() > MOST {
                break 'walk;
            }
            positions += 1;
            if game.over(at).is_some() {
                continue;
            }
            for mv in game.moves(at) {
                moves += 1;
                let to = game.play(at, mv);
                let key = key(&to, 0);
                if seen.contains(&key) {
                    loopy = true;
                } else if fresh.insert(key) {
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layers.push(next.len() as f64);
        seen.extend(fresh);
        layer = next;
    }
    let (counted, moves) = (layers.len() as u32, moves as f64 / positions.max(1) as f64);
    Ok(Estimate { layers, counted, moves, loopy })
}
