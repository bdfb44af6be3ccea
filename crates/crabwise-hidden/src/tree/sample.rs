//! How many states a game has at least, by games played at random: known in a moment, where finding them all would take
//! hours and end for want of memory.
//!
//! Two random games are in the same state after so many moves with a probability that is at least 1 / N if there are
//! N such states, whatever the odds of each; for the sum of squares of N numbers that add up to 1 is least where they are
//! equal. So the pairs of games that met say how large N is at least. Where states are not equally likely the bound is too
//! low, and never too high but by chance, for which there is a margin.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hash},
    time::{Duration, Instant},
};

use super::info_states::Step;
use crate::rules::{Hidden, Player, Turn};

/// Games are played until there are so many, of so many moves in all, or time is up.
const GAMES: u64 = 1 << 16;
const MOVES: usize = 1 << 20;
const PLAYING: Duration = Duration::from_millis(700);

/// Games played at random, and who met where.
pub(super) struct StateSample<'a, G: Hidden, K, F> {
    game: &'a G,
    /// What makes up an information state, as an exploration takes it.
    key: &'a F,
    ids: [HashMap<K, u32>; 2],
    observations: HashMap<G::Observation, u32>,
    /// By the number of moves made.
    depths: Vec<Depth>,
}

/// The games that got so far.
#[derive(Default)]
struct Depth {
    games: u64,
    /// Pairs of them in the same state.
    pairs: u64,
    /// How many of them are in each state, by its hash.
    seen: HashMap<u64, u64>,
}

impl Depth {
    fn add(&mut self, state: u64) {
        let there = self.seen.entry(state).or_default();
        self.pairs += *there;
        *there += 1;
        self.games += 1;
    }

    /// How many states there are at least.
    fn at_least(&self) -> u64 {
        // Four standard deviations, and four more pairs for where there are hardly any.
        let pairs = self.pairs as f64;
        let margin = 4.0 * pairs.sqrt() + 4.0;
        let all = self.games as f64 * (self.games as f64 - 1.0) / 2.0;
        (all / (pairs + margin)) as u64
    }
}

impl<'a, G, K, F> StateSample<'a, G, K, F>
where
    G: Hidden,
    K: Eq + Hash,
    F: Fn(&G, Option<(u32, Step)>, &G::Position, Player) -> K,
{
    pub(super) fn new(game: &'a G, key: &'a F) -> Self {
        let ids = [HashMap::new(), HashMap::new()];
        StateSample { game, key, ids, observations: HashMap::new(), depths: vec![] }
    }

    /// Plays, and says how many states there are at least.
    pub(super) fn at_least(mut self) -> u64 {
        let (mut random, hashes) = (fastrand::Rng::with_seed(1), RandomState::new());
        let (mut moves, began) = (0, Instant::now());
        for _ in 0..GAMES {
            if moves > MOVES || began.elapsed() > PLAYING {
                break;
            }
            moves += self.play(&mut random, &hashes);
        }
        self.depths.iter().map(Depth::at_least).sum()
    }

    /// One game; the number of its moves.
    fn play(&mut self, random: &mut fastrand::Rng, hashes: &RandomState) -> usize {
        let (game, mut at) = (self.game, self.game.start());
        let mut info_states = Player::BOTH.map(|player| self.info_state(None, &at, player));
        for depth in 0.. {
            if self.depths.len() == depth {
                self.depths.push(Depth::default());
            }
            self.depths[depth].add(hashes.hash_one((&at, info_states)));
            let turn = game.turn(&at);
            if matches!(turn, Turn::Over(_)) {
                return depth;
            }
            let mut moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
            if moves.is_empty() {
                return depth;
            }
            let place = random.usize(..moves.len());
            let (mv, before) = (moves.swap_remove(place), at);
            at = game.play(&before, mv);
            for player in Player::BOTH {
                let own = (turn == Turn::Of(player)).then_some(place as u32);
                let observation = game.observe(&before, mv, player);
                if own.is_none() && observation.is_none() {
                    continue;
                }
                let next = self.observations.len() as u32;
                let observation = observation.map(|o| *self.observations.entry(o).or_insert(next));
                let from = info_states[player as usize];
                let step = Step { mv: own, observation };
                info_states[player as usize] = self.info_state(Some((from, step)), &at, player);
            }
        }
        0
    }

    fn info_state(&mut self, from: Option<(u32, Step)>, at: &G::Position, player: Player) -> u32 {
        let (key, ids) = ((self.key)(self.game, from, at, player), &mut self.ids[player as usize]);
        let next = ids.len() as u32;
        *ids.entry(key).or_insert(next)
    }
}

/// A large number to two digits, downwards, as `3,700,000,000`.
pub(super) fn rounded(many: u64) -> String {
    let unit = 10_u64.pow(many.max(10).ilog10() - 1);
    let digits = (many / unit * unit).to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup,
        toys::{Kuhn, Random, explored},
    };

    fn at_least(game: &impl Hidden) -> u64 {
        StateSample::new(game, &|_: &_, from, _: &_, _| from).at_least()
    }

    #[test]
    fn games_that_meet_bound_the_number_of_states() {
        for (seed, length) in [(1, 4), (2, 6), (3, 8), (4, 10)] {
            let game = || Random { seed, length };
            let there = explored(&HiddenSetup::of(game()).erased()).tree.counts().states;
            let bound = at_least(&game());
            println!("{bound} of {there}");
            assert!(bound <= there && bound > there / 20, "{bound} of {there}");
        }
        let kuhn = explored(&HiddenSetup::of(Kuhn).erased()).tree.counts().states;
        let bound = at_least(&Kuhn);
        assert!(bound <= kuhn && bound > kuhn / 2, "{bound} of {kuhn}");
    }

    #[test]
    fn numbers_are_rounded_downwards() {
        for (many, said) in [(0, "0"), (7, "7"), (99, "99"), (129, "120"), (3_799_999, "3,700,000")]
        {
            assert_eq!(rounded(many), said);
        }
    }
}
