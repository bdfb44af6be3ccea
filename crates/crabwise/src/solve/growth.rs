//! How the layers of a walk grow, positions by their distance from the start, guessed from the first of them.
//!
//! Where n stones on a board of N were placed in C(N, n) ways, a layer would be (N − n) / (n + 1) times as large as the
//! one before. Real layers grow like a · n^b · (N − n)^c times: a and b are those that fit the layers that were counted
//! best, larger ones counting for more, N is the longest of some games played at random, and c, of which the first
//! layers show nothing, is assumed. That is a guess: for the standard board of Connect Four, whose positions are known,
//! it comes within a factor of ten; but c was chosen with that number and binomials in sight, so that this is no proof
//! of how good it is elsewhere. Where stones may be put anywhere it is too large, and the more so the larger the board:
//! at first 45 times for 21 cells, which is as many as a walk can have. So a walk is given up only where the guess is
//! [`SURE`] times what would fit.

use std::time::{Duration, Instant};

use super::SolveError;
use crate::Game;

/// How long games are played at random.
const PLAYING: Duration = Duration::from_millis(300);
/// Games that are played at random, and their longest.
const GAMES: u32 = 300;
const LONGEST: usize = 2_000;
/// How fast growth ends with the room on the board: between not at all and as if stones were just placed.
const ENDING: f64 = 0.6;
/// How many times too large a walk must be by the guess to be given up for it.
const SURE: f64 = 100.0;
/// Layers and positions that a guess takes.
const LAYERS: usize = 6;
const POSITIONS: f64 = 200_000.0;

/// What the layers of a walk have been so far.
pub(super) struct Growth {
    layers: Vec<f64>,
    longest: Option<usize>,
}

impl Growth {
    /// Nothing but the start.
    pub(super) fn new() -> Growth {
        Growth { layers: vec![1.0], longest: None }
    }

    /// The next layer has been found.
    pub(super) fn add(&mut self, positions: u64) {
        self.layers.push(positions as f64);
    }

    /// Refuses a walk that would take far more than `limit` bytes, if as many positions as were `kept` so far, of
    /// all or by one worker of many, take `bytes`.
    pub(super) fn refuse_more_than<G: Game>(
        &mut self,
        game: &G,
        limit: u64,
        kept: u64,
        bytes: u64,
    ) -> Result<(), SolveError> {
        let found: f64 = self.layers.iter().sum();
        if self.layers.len() < LAYERS || found < POSITIONS || kept == 0 {
            return Ok(());
        }
        let longest = *self.longest.get_or_insert_with(|| longest_game(game));
        let positions: f64 = extrapolate(self.layers.clone(), longest).iter().sum();
        let foreseen = positions / found * bytes as f64;
        if foreseen <= SURE * limit as f64 && positions <= SURE * f64::from(u32::MAX) {
            return Ok(());
        }
        let bytes = foreseen as u64;
        Err(SolveError::TooLarge { positions: positions as u64, bytes, limit, foreseen: true })
    }
}

/// The length of the longest of some random games.
pub(crate) fn longest_game<G: Game>(game: &G) -> usize {
    let (began, mut random) = (Instant::now(), fastrand::Rng::with_seed(1));
    let length = |_| {
        let on = |length, _: &_| length < LONGEST && began.elapsed() < PLAYING;
        play_out(game, &mut random, on)
    };
    (0..GAMES).map(length).max().unwrap_or(0)
}

/// Plays at random from the start, while there are moves and `on` says so of how many were made and where they led; how
/// many that are.
pub(crate) fn play_out<G: Game>(
    game: &G,
    random: &mut fastrand::Rng,
    mut on: impl FnMut(usize, &G::Position) -> bool,
) -> usize {
    let (mut at, mut length) = (game.start(), 0);
    while on(length, &at) && game.over(&at).is_none() {
        let mut moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
        if moves.is_empty() {
            break;
        }
        let mv = moves.swap_remove(random.usize(..moves.len()));
        (at, length) = (game.play(&at, mv), length + 1);
    }
    length
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
    use crate::{Outcome, solve::enumerated::Enumerated, watch::Unwatched};

    /// S. Edelkamp and P. Kissmann, "Symbolic classification of general two-player games" (2008).
    const CONNECT_FOUR: [f64; 13] = [
        1.0, 7.0, 49.0, 238.0, 1120.0, 4263.0, 16422.0, 54859.0, 184275.0, 558186.0, 1662623.0,
        4568683.0, 12236101.0,
    ];

    #[test]
    fn known_games_are_guessed_within_a_factor_of_ten() {
        let mut binomials = vec![1.0];
        for n in 0..10 {
            binomials.push(binomials[n] * (32 - n) as f64 / (n + 1) as f64);
        }
        let mut cases = vec![(&binomials[..], 32, 2_f64.powi(32))];
        cases.extend((9..=13).map(|known| (&CONNECT_FOUR[..known], 42, 4_531_985_219_092.0)));
        for (known, last, right) in cases {
            let total: f64 = extrapolate(known.to_vec(), last).iter().sum();
            assert!(total > right / 10.0 && total < right * 10.0, "from {known:?}: {total:e}");
        }
    }

    /// Cells that are taken one after the other, by either player: 3^n positions, but for the order.
    struct Fill(u32);

    impl Game for Fill {
        type Position = (u64, u64);
        type Move = u32;

        fn start(&self) -> (u64, u64) {
            (0, 0)
        }

        fn moves(&self, at: &(u64, u64)) -> impl IntoIterator<Item = u32> {
            let taken = at.0 | at.1;
            (0..self.0).filter(move |cell| taken >> cell & 1 == 0)
        }

        fn play(&self, at: &(u64, u64), cell: u32) -> (u64, u64) {
            (at.1, at.0 | 1 << cell)
        }

        fn over(&self, at: &(u64, u64)) -> Option<Outcome> {
            (at.0 | at.1 == (1 << self.0) - 1).then_some(Outcome::Tie)
        }
    }

    /// Positions of a board of cells by the number of stones on it.
    fn placements(cells: u64) -> Vec<f64> {
        let choose =
            |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (k - i) as f64).product::<f64>();
        (0..=cells).map(|n| choose(cells, n) * choose(n, n / 2)).collect()
    }

    #[test]
    fn a_walk_is_given_up_where_it_would_take_far_more_than_there_is() {
        let walked = |cells, limit| Enumerated::walk(&Fill(cells), limit, &Unwatched).err();
        let refused = walked(26, 1 << 28);
        let Some(SolveError::TooLarge { positions, bytes, foreseen: true, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert!(positions as f64 > placements(26).iter().sum() && bytes > 100 << 28, "{positions}");
        // Too few to guess by.
        let Some(SolveError::TooLarge { foreseen: false, .. }) = walked(11, 1 << 20) else {
            panic!("it does not fit")
        };
        assert!(walked(11, 1 << 30).is_none());
    }

    /// So what fits is walked.
    #[test]
    fn a_guess_at_what_could_be_walked_is_less_than_sure_times_too_large() {
        for cells in 15..=21 {
            let layers = placements(cells);
            let total: f64 = layers.iter().sum();
            for known in LAYERS..=layers.len() {
                let guess: f64 = extrapolate(layers[..known].to_vec(), cells as usize).iter().sum();
                let early = layers[..known].iter().sum::<f64>() < POSITIONS;
                assert!(early || guess < SURE * total, "{cells} cells, {known} layers: {guess:e}");
            }
        }
    }
}
