//! Local best response: an opponent that looks one step ahead, and so a lower bound on how exploitable a strategy is, on
//! boards too large for the best response itself (Lisý, Bowling 2017).
//!
//! The opponent knows the strategy. So it can say how likely each history is that its view leaves open, its *belief*: how
//! likely chance and the strategy make their moves there. At each of its views it makes the move that earns the most
//! if, after it, both go on by the strategy. What that earns is no more than what the best response earns; and as it
//! answers the strategy's own play at least as well as that play itself, it is no less than what the strategies
//! earn against each other.
//!
//! [`LocalBestResponse::exact`] follows all histories, and is for small games. [`LocalBestResponse::judge`] plays games:
//! beliefs keep so many histories at most, drawn evenly from all, and moves are tried out by games played to their end.
//! What is found is then a mean of games, with its standard error.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crabwise::watch::{Meter, Stop, Watch};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    iterative::sampling::drawn,
    rules::{Player, Turn},
    views::Policy,
    walk::{View, Walk},
};

/// A judge of a strategy for both players.
#[derive(Clone, Copy)]
pub struct LocalBestResponse<'a> {
    /// Makes walks that stand at the start of the game.
    pub walks: &'a (dyn Fn() -> Box<dyn Walk> + Sync),
    /// The strategy.
    pub policy: &'a dyn Policy,
    /// How many games are played to their end to try out one move.
    pub tries: u32,
    /// How many histories a belief holds at most.
    pub most: usize,
    /// The seed of all chance.
    pub seed: u64,
}

/// What a player earns by a local best response, on average over games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// The mean, in the player's own payoffs.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

/// What both players earn by local best responses against the other's strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LocalBound {
    /// The first player's and the second's answer.
    pub answers: [Answer; 2],
    /// Games of each player.
    pub games: u64,
}

impl LocalBound {
    /// What the strategies are exploitable by at least, by the means found.
    pub fn mean(&self) -> f64 {
        (self.answers[0].mean + self.answers[1].mean) / 2.0
    }

    /// The standard error of that.
    pub fn error(&self) -> f64 {
        self.answers[0].error.hypot(self.answers[1].error) / 2.0
    }

    /// What they are exploitable by at least, but for a chance of one in forty: the mean less two standard errors.
    pub fn at_least(&self) -> f64 {
        (self.mean() - 2.0 * self.error()).max(0.0)
    }
}

/// A history that a view leaves open: its moves, and how likely chance and the strategy make those that are theirs.
#[derive(Clone, Debug)]
struct Guess {
    moves: Vec<u16>,
    weight: f64,
}

/// What a belief becomes: what the games that end on the way earn, and the player's next views.
struct Next {
    ended: f64,
    beliefs: BTreeMap<View, Vec<Guess>>,
}

impl LocalBestResponse<'_> {
    /// Plays games, in which each player answers the other's strategy in turn.
    pub fn judge(&self, games: u64, watch: &dyn Watch) -> Result<LocalBound, Stop> {
        let meter = Meter::new(watch, "playing games of the judge", None, Some(2 * games))?;
        let mut answers = [Answer { mean: 0.0, error: 0.0 }; 2];
        for player in Player::BOTH {
            let payoffs: Vec<f64> = (0..games)
                .into_par_iter()
                .map(|game| {
                    let payoff = self.play(player, game);
                    meter.add(1).map(|()| payoff)
                })
                .collect::<Result<_, Stop>>()?;
            let many = games.max(1) as f64;
            let mean = payoffs.iter().sum::<f64>() / many;
            let square: f64 = payoffs.iter().map(|payoff| (payoff - mean).powi(2)).sum();
            let error = (square / (many - 1.0).max(1.0) / many).sqrt();
            answers[player as usize] = Answer { mean, error };
        }
        Ok(LocalBound { answers, games })
    }

    /// What the player earns in one game.
    fn play(&self, player: Player, game: u64) -> f64 {
        let seeds = [self.seed, player as u64, game].map(u64::to_le_bytes);
        let random = &mut fastrand::Rng::with_seed(xxh3_64(seeds.as_flattened()));
        let (mut truth, mut guessed) = ((self.walks)(), (self.walks)());
        let (mut belief, mut last) = (vec![Guess { moves: vec![], weight: 1.0 }], None);
        loop {
            let mv = match truth.turn() {
                Turn::Over(payoff) => return player.sign() * payoff,
                Turn::Of(mover) if mover == player => {
                    let mut next = self.next(&mut *guessed, player, &belief, last);
                    belief = next.beliefs.remove(&truth.view(player)).unwrap_or_default();
                    thin(&mut belief, self.most, random);
                    let mv = self.choose(&*truth, &mut *guessed, player, &belief, random);
                    last = Some(mv);
                    mv
                }
                _ => self.others_move(&*truth, random),
            };
            truth.make(mv);
        }
    }

    /// A move of chance or of the strategy.
    fn others_move(&self, at: &dyn Walk, random: &mut fastrand::Rng) -> usize {
        match at.turn() {
            Turn::Of(mover) => {
                let mix = self.policy.mix(at, mover);
                drawn(random, mix.len(), |mv| mix[mv])
            }
            _ => drawn(random, at.moves(), |mv| at.chance(mv)),
        }
    }

    /// The move that earns the most; where nothing is left to believe in, that of the strategy.
    fn choose(
        &self,
        at: &dyn Walk,
        guessed: &mut dyn Walk,
        player: Player,
        belief: &[Guess],
        random: &mut fastrand::Rng,
    ) -> usize {
        let total: f64 = belief.iter().map(|guess| guess.weight).sum();
        if at.moves() == 1 || total <= 0.0 {
            return self.others_move(at, random);
        }
        let mut sums = vec![0.0; at.moves()];
        for _ in 0..self.tries {
            let guess = drawn(random, belief.len(), |i| belief[i].weight / total);
            stand(guessed, &belief[guess].moves);
            let depth = guessed.depth();
            for (mv, sum) in sums.iter_mut().enumerate() {
                guessed.make(mv);
                let payoff = loop {
                    match guessed.turn() {
                        Turn::Over(payoff) => break payoff,
                        _ => {
                            let mv = self.others_move(guessed, random);
                            guessed.make(mv);
                        }
                    }
                };
                *sum += player.sign() * payoff;
                guessed.rewind(depth);
            }
        }
        greatest(&sums)
    }

    /// What comes of a belief, and of the player's move there if one was made, up to the player's next views.
    fn next(
        &self,
        walk: &mut dyn Walk,
        player: Player,
        belief: &[Guess],
        made: Option<usize>,
    ) -> Next {
        let mut next = Next { ended: 0.0, beliefs: BTreeMap::new() };
        for guess in belief {
            stand(walk, &guess.moves);
            let mut moves = guess.moves.clone();
            if let Some(mv) = made {
                walk.make(mv);
                moves.push(mv as u16);
            }
            self.spread(walk, player, Guess { moves, weight: guess.weight }, &mut next);
        }
        next
    }

    fn spread(&self, walk: &mut dyn Walk, player: Player, guess: Guess, next: &mut Next) {
        let mix = match walk.turn() {
            Turn::Over(payoff) => {
                next.ended += guess.weight * player.sign() * payoff;
                return;
            }
            Turn::Of(mover) if mover == player => {
                return next.beliefs.entry(walk.view(player)).or_default().push(guess);
            }
            Turn::Of(mover) => self.policy.mix(walk, mover),
            Turn::Chance => (0..walk.moves()).map(|mv| walk.chance(mv)).collect(),
        };
        for (mv, likely) in mix.into_iter().enumerate().filter(|(_, likely)| *likely > 0.0) {
            let moves = guess.moves.iter().copied().chain([mv as u16]).collect();
            walk.make(mv);
            self.spread(walk, player, Guess { moves, weight: guess.weight * likely }, next);
            walk.unmake();
        }
    }

    /// What a player earns exactly, by all histories of the game.
    pub fn exact(&self, player: Player) -> f64 {
        let mut walk = (self.walks)();
        let start = [Guess { moves: vec![], weight: 1.0 }];
        self.exactly(&mut *walk, player, &start, None)
    }

    fn exactly(
        &self,
        walk: &mut dyn Walk,
        player: Player,
        belief: &[Guess],
        made: Option<usize>,
    ) -> f64 {
        let Next { ended, beliefs } = self.next(walk, player, belief, made);
        let each = beliefs.into_values().map(|belief| {
            stand(walk, &belief[0].moves);
            let mut worths = vec![0.0; walk.moves()];
            for guess in &belief {
                stand(walk, &guess.moves);
                for (mv, worth) in worths.iter_mut().enumerate() {
                    walk.make(mv);
                    *worth += guess.weight * player.sign() * self.expected(walk);
                    walk.unmake();
                }
            }
            let best = greatest(&worths);
            self.exactly(walk, player, &belief, Some(best))
        });
        ended + each.sum::<f64>()
    }

    /// What the first player earns if both go on by the strategy.
    fn expected(&self, walk: &mut dyn Walk) -> f64 {
        let mix = match walk.turn() {
            Turn::Over(payoff) => return payoff,
            Turn::Of(mover) => self.policy.mix(walk, mover),
            Turn::Chance => (0..walk.moves()).map(|mv| walk.chance(mv)).collect(),
        };
        let mut sum = 0.0;
        for (mv, likely) in mix.into_iter().enumerate().filter(|(_, likely)| *likely > 0.0) {
            walk.make(mv);
            sum += likely * self.expected(walk);
            walk.unmake();
        }
        sum
    }
}

/// Goes to a history, given by its moves.
fn stand(walk: &mut dyn Walk, moves: &[u16]) {
    walk.rewind(0);
    moves.iter().for_each(|&mv| walk.make(mv.into()));
}

/// The first of the greatest numbers; rounding makes no number greater.
fn greatest(numbers: &[f64]) -> usize {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    numbers.iter().position(|&number| number >= most - 1e-12).unwrap_or(0)
}

/// Leaves so many guesses at most, drawn at equal steps of the sum of weights: each stays as likely as it was.
fn thin(belief: &mut Vec<Guess>, most: usize, random: &mut fastrand::Rng) {
    let total: f64 = belief.iter().map(|guess| guess.weight).sum();
    if belief.len() <= most || total <= 0.0 {
        return;
    }
    let step = total / most as f64;
    let (mut sum, mut at) = (0.0, step * random.f64());
    let mut kept = vec![];
    for guess in belief.drain(..) {
        sum += guess.weight;
        let mut times = 0;
        while at < sum && kept.len() + times < most {
            times += 1;
            at += step;
        }
        if times > 0 {
            kept.push(Guess { weight: step * times as f64, ..guess });
        }
    }
    *belief = kept;
}
