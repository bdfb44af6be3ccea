//! How many positions a game has that must be walked, where a walk of all would take too long.
//!
//! The first layers, positions by their distance from the start, are walked and counted. Where n stones on a board
//! of N were placed in C(N, n) ways, a layer would be (N − n) / (n + 1) times as large as the one before. Real layers
//! grow like a · n^b · (N − n)^c times: a and b are those that fit the layers that were counted best, larger
//! ones counting for more, N is the longest of some games played at random, and c, of which the first layers
//! show nothing, is assumed. That is a guess: for the standard board of Connect Four, whose positions are
//! known, it comes within a factor of ten; but c was chosen with that number and binomials in sight, so that
//! this is no proof of how good it is elsewhere.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use crate::{
    Game, SolveError,
    index::key,
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
/// Games that are played at random, and their longest.
const GAMES: u32 = 300;
const LONGEST: usize = 2_000;
/// How fast growth ends with the room on the board: between not at all and as if stones were just placed.
const ENDING: f64 = 0.6;

/// Walks the first layers and guesses the rest.
pub(crate) fn estimate<G: Game>(game: &G, watch: &dyn Watch) -> Result<Estimate, SolveError> {
    let meter = Meter::new(watch, "sampling", None, None)?;
    let counted = first_layers(game, &meter)?;
    Ok(Estimate { layers: extrapolate(counted.layers, play(game)), ..counted })
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

/// The length of the longest of some random games.
fn play<G: Game>(game: &G) -> usize {
    // xorshift64: G. Marsaglia, "Xorshift RNGs" (2003).
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (began, mut longest) = (Instant::now(), 0);
    for _ in 0..GAMES {
        let (mut at, mut length) = (game.start(), 0);
        while length < LONGEST && began.elapsed() < COUNTING && game.over(&at).is_none() {
            let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
            if moves.is_empty() {
                break;
            }
            let nth = random(moves.len());
            let mv = moves.into_iter().nth(nth).expect("it is one of them");
            (at, length) = (game.play(&at, mv), length + 1);
        }
        longest = longest.max(length);
    }
    longest
}

/// Follows the curve through the factors of growth to a last layer.
pub(crate) fn extrapolate(mut layers: Vec<f64>, last: usize) -> Vec<f64> {
    let room = last as f64 + 0.5;
    let end = |at: f64| ENDING * ((room - at).max(0.5) / room).ln();
    // Factors of two layers at a time, because whose turn it is shows in them.
    let factor = |i: usize| (layers[i + 2] / layers[i]).ln() / 2.0;
    let known = (1..layers.len().saturating_sub(1)).map(|i| {
        let at = i as f64;
        Known { x: at.ln(), y: factor(i - 1) - end(at), weight: layers[i].ln().max(0.1) }
    });
    let known: Vec<Known> = known.collect();
    let weight: f64 = known.iter().map(|one| one.weight).sum();
    let mean =
        |of: fn(&Known) -> f64| known.iter().map(|one| one.weight * of(one)).sum::<f64>() / weight;
    let (x, y) = (mean(|one| one.x), mean(|one| one.y));
    let above: f64 = known.iter().map(|one| one.weight * (one.x - x) * (one.y - y)).sum();
    let below: f64 = known.iter().map(|one| one.weight * (one.x - x).powi(2)).sum();
    let slope = if below > 0.0 { above / below } else { 0.0 };
    while !known.is_empty() && layers.len() <= last {
        let at = layers.len() as f64 - 0.5;
        let next = layers[layers.len() - 1] * (y + slope * (at.ln() - x) + end(at)).exp();
        if next < 1.0 || !next.is_finite() {
            break;
        }
        layers.push(next);
    }
    layers
}

/// A point of the curve, and how much it counts.
struct Known {
    x: f64,
    y: f64,
    weight: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S. Edelkamp and P. Kissmann, "Symbolic classification of general two-player games" (2008).
    const CONNECT_FOUR: [f64; 13] = [
        1.0, 7.0, 49.0, 238.0, 1120.0, 4263.0, 16422.0, 54859.0, 184275.0, 558186.0, 1662623.0,
        4568683.0, 12236101.0,
    ];

    #[test]
    fn the_standard_board_of_connect_four_is_guessed_within_a_factor_of_ten() {
        for known in 9..=13 {
            let layers = extrapolate(CONNECT_FOUR[..known].to_vec(), 42);
            let total: f64 = layers.iter().sum();
            let right = 4_531_985_219_092.0;
            assert!(total > right / 10.0 && total < right * 10.0, "from {known}: {total:e}");
        }
    }

    #[test]
    fn binomials_are_followed_to_their_end() {
        let mut layers = vec![1.0];
        for n in 0..10 {
            layers.push(layers[n] * (32 - n) as f64 / (n + 1) as f64);
        }
        let total: f64 = extrapolate(layers, 32).iter().sum();
        assert!(total > 2_f64.powi(32) / 10.0 && total < 2_f64.powi(32) * 10.0, "{total:e}");
    }
}
