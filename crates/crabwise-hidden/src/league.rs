//! Players against each other, all against all.
//!
//! Each of two players is the first player in one *meeting* and the second in another. A meeting of
//! players whose behaviour is known is not played but worked out, where there is room for the
//! payoffs of the game: then its result is exact. Else it is a number of games, each with a seed
//! that depends on the seed of the league, the names of the two and the number of the game, and on
//! nothing else: not on threads, on what was played before or on who else takes part.
//!
//! The interval of a mean is 1.96 standard errors to either side, which for many games has the
//! truth within it in 95 of 100 leagues. Where all games ended alike that would be nothing; then it
//! is what the "rule of three" leaves open, that another end of the game has a probability of 3/n
//! (B. D. Jovanovic and P. S. Levy, "A Look at the Rule of Three", The American Statistician 51
//! (1997)).
//!
//! Ratings are Elo's: a player who is rated 400 higher is expected to score 10 for each 1 of the
//! other (R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39
//! (1952)). A win for the highest stake scores 1, a tie one half, and whatever lies between in
//! proportion: so where all wins are alike, ties count half; and where stakes differ it is the
//! payoffs that count, and not how often somebody wins a little. Of all ratings those are given
//! that make the results the most likely. A player who wins every game has no greatest rating; so
//! all have, besides, one tie with a player of the average rating, which moves ratings that are
//! well known by next to nothing.
//!
//! Standard errors are of the distance from the average. They come from the curvature of the
//! likelihood, that is, the Fisher information, and from how much the scores vary: from game to
//! game as they did, but no more than the model has it (the "sandwich"; P. J. Huber, "The Behavior
//! of Maximum Likelihood Estimates under Nonstandard Conditions", Berkeley Symposium 5 (1967)).
//! Exact meetings do not vary, though they have the weight of played ones. That players may beat
//! each other in a circle, which no ratings can tell, is not in them.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Form, HiddenError, Player, Tree,
    players::{Contender, contest},
};
use crabwise::watch::{Meter, Stop, Watch};

/// Who plays whom, how often.
pub struct League<'a> {
    tree: &'a Tree,
    players: Vec<Box<dyn Contender + 'a>>,
    games: u64,
    seed: u64,
    /// The least and the most that the first player can get.
    stakes: [f64; 2],
    exact: Option<&'a Exact>,
    /// Of each player what it does as either, if that is known.
    behaviours: Vec<Option<[Vec<f64>; 2]>>,
}

/// The payoffs of a game, to work results out with.
pub struct Exact(Form);

/// What came of one player being the first and another the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Met {
    /// By number: the first player and the second.
    pub players: [usize; 2],
    /// How many games were played; none if the rest is exact.
    pub games: u64,
    /// What the first player got, on average.
    pub mean: f64,
    /// Half the width of the interval that has the true mean within it with 95 % confidence.
    pub margin: f64,
}

/// How strong a player is, for all that is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The player's number.
    pub player: usize,
    /// Its rating.
    pub rating: Rating,
    /// What it scored in the average game, from 0 for the greatest loss to 1 for the greatest win.
    pub score: f64,
    /// By how much an opponent gains who answers best, if that is known.
    pub exploitability: Option<f64>,
}

/// What the first of two players scored against the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored {
    /// By number.
    pub players: [usize; 2],
    /// In the average game, from 0 to 1.
    pub score: f64,
    /// The standard error of that.
    pub error: f64,
}

/// A rating, where the average is [`Rating::AVERAGE`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo's number.
    pub elo: f64,
    /// The standard error of its distance from the average.
    pub error: f64,
}

impl Rating {
    /// The average of all ratings.
    pub const AVERAGE: f64 = 1500.0;

    /// Half the width of the interval that has the true rating within it with 95 % confidence.
    pub fn margin(&self) -> f64 {
        WIDE * self.error
    }
}

/// How many standard errors either way make 95 %.
const WIDE: f64 = 1.96;

impl Exact {
    /// Lays the payoffs out, if they fit into so many bytes.
    pub fn new(tree: &Tree, memory: u64, watch: &dyn Watch) -> Result<Exact, HiddenError> {
        // Not folded: players need not treat mirror images alike.
        tree.form(false, memory, watch).map(Exact)
    }

    fn meet(&self, players: [usize; 2], [first, second]: [&[f64]; 2]) -> Met {
        let Exact(form) = self;
        let [own, other] = &form.plexes;
        let mut reach = vec![0.0; other.sequences()];
        other.reach(second, &mut reach);
        let mut gradient = vec![0.0; own.sequences()];
        form.gradient(Player::First, &reach, &mut gradient);
        Met { players, games: 0, mean: own.worth(first, &mut gradient), margin: 0.0 }
    }
}

impl<'a> League<'a> {
    /// A league of these players, who play so many games in each meeting that is played.
    pub fn new(
        tree: &'a Tree,
        players: Vec<Box<dyn Contender + 'a>>,
        games: u64,
        seed: u64,
        exact: Option<&'a Exact>,
    ) -> League<'a> {
        let behaviour = |contender: &dyn Contender| {
            let plexes = &exact?.0.plexes;
            let as_one = |player| contender.behaviour(&plexes[player as usize], player);
            Some([as_one(Player::First)?, as_one(Player::Second)?])
        };
        let behaviours = players.iter().map(|player| behaviour(&**player)).collect();
        League { tree, players, games, seed, stakes: tree.stakes(), exact, behaviours }
    }

    /// All meetings, but for those that are known; `done` is told of each when it is over. They
    /// come in the order of the players.
    pub fn run<E: From<HiddenError>>(
        &self,
        known: &[Met],
        watch: &dyn Watch,
        mut done: impl FnMut(&Met) -> Result<(), E>,
    ) -> Result<Vec<Met>, E> {
        let pairs = self.pairs();
        let find = |pair: [usize; 2]| known.iter().find(|met| met.players == pair).copied();
        let to_play = (pairs.iter())
            .filter(|&&pair| find(pair).is_none() && self.worked_out(pair).is_none())
            .count() as u64;
        let stopped = |stop: Stop| E::from(HiddenError::from(stop));
        let meter =
            Meter::new(watch, "playing", None, Some(to_play * self.games)).map_err(stopped)?;
        let mut all = vec![];
        for pair in pairs {
            let met = match (find(pair), self.worked_out(pair)) {
                (Some(met), _) => met,
                (None, exact) => {
                    let met = match exact {
                        Some((exact, behaviours)) => exact.meet(pair, behaviours),
                        None => self.play(pair, &meter).map_err(stopped)?,
                    };
                    done(&met)?;
                    met
                }
            };
            all.push(met);
        }
        Ok(all)
    }

    /// Who meets whom: each two players with either of them first.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let later = |a: usize| (a + 1..self.players.len()).map(move |b| [[a, b], [b, a]]);
        (0..self.players.len()).flat_map(later).flatten().collect()
    }

    /// What a meeting can be worked out from, if it can.
    fn worked_out(&self, [a, b]: [usize; 2]) -> Option<(&Exact, [&[f64]; 2])> {
        let [first, _] = self.behaviours[a].as_ref()?;
        let [_, second] = self.behaviours[b].as_ref()?;
        Some((self.exact?, [first, second]))
    }

    fn play(&self, pair: [usize; 2], meter: &Meter) -> Result<Met, Stop> {
        let players = pair.map(|player| &*self.players[player] as &dyn Contender);
        let names = players.map(|player| player.name());
        let payoffs = (0..self.games)
            .into_par_iter()
            .map(|game| {
                let payoff = contest(self.tree, players, seed(self.seed, &names, game));
                meter.add(1).map(|()| payoff)
            })
            .collect::<Result<Vec<f64>, Stop>>()?;
        Ok(summed_up(pair, &payoffs, self.stakes))
    }

    /// All players, the best first.
    pub fn standings(&self, all: &[Met]) -> Vec<Standing> {
        // What the greatest win is above a tie, and a tie above the greatest loss.
        let [least, most] = self.stakes;
        let stake = most.max(-least);
        let share = |payoff: f64| if stake > 0.0 { payoff / stake / 2.0 } else { 0.0 };
        let score = |met: &Met| 0.5 + share(met.mean);
        let result = |met: &Met| Scored {
            players: met.players,
            score: score(met),
            error: share(met.margin / WIDE),
        };
        let results: Vec<Scored> = all.iter().map(result).collect();
        let rated = ratings(self.players.len(), self.games, &results);
        let standing = |(player, rating): (usize, Rating)| {
            let own = all.iter().filter(|met| met.players.contains(&player));
            let scores = own.map(|met| match met.players[0] == player {
                true => score(met),
                false => 1.0 - score(met),
            });
            let count = 2 * (self.players.len() - 1).max(1);
            let score = scores.sum::<f64>() / count as f64;
            Standing { player, rating, score, exploitability: self.exploitability(player) }
        };
        let mut all: Vec<Standing> = rated.into_iter().enumerate().map(standing).collect();
        all.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        all
    }

    fn exploitability(&self, player: usize) -> Option<f64> {
        let judged = match (self.exact, &self.behaviours[player]) {
            (Some(exact), Some([first, second])) => exact.0.judge([first, second]),
            _ => self.players[player].judged()?,
        };
        Some(judged.exploitability())
    }

    /// What a player is called.
    pub fn name(&self, player: usize) -> String {
        self.players[player].name()
    }
}

/// The seed of one game.
fn seed(league: u64, names: &[String; 2], game: u64) -> u64 {
    let [first, second] = names.each_ref().map(|name| name.as_bytes());
    xxh3_64(&[&league.to_le_bytes(), first, &[0], second, &[0], &game.to_le_bytes()].concat())
}

fn summed_up(players: [usize; 2], payoffs: &[f64], [least, most]: [f64; 2]) -> Met {
    let games = payoffs.len() as f64;
    let mean = payoffs.iter().sum::<f64>() / games;
    let spread: f64 = payoffs.iter().map(|payoff| (payoff - mean).powi(2)).sum();
    let margin = match payoffs.iter().all(|payoff| *payoff == payoffs[0]) {
        true => (3.0 / games).min(1.0) * (most - least),
        false => WIDE * (spread / (games - 1.0) / games).sqrt(),
    };
    Met { players, games: payoffs.len() as u64, mean, margin }
}

/// The ratings of so many players, from meetings of so many games.
pub fn ratings(players: usize, games: u64, results: &[Scored]) -> Vec<Rating> {
    let (games, mut strength) = (games as f64, vec![0.0; players]);
    let mut inverse = vec![];
    for _ in 0..1000 {
        let (slope, information) = slope(&strength, games, results);
        inverse = inverted(information);
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
        // Far from the top the way is right, but its length may be much too great.
        let longest = step.iter().fold(1.0, |most: f64, step| most.max(step.abs()));
        strength.iter_mut().zip(&step).for_each(|(at, step)| *at += step / longest);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let average = strength.iter().sum::<f64>() / players as f64;
    let rated = |(i, at): (usize, &f64)| Rating {
        elo: Rating::AVERAGE + scale * (at - average),
        error: scale * variance(&inverse, i, &strength, games, results).sqrt(),
    };
    strength.iter().enumerate().map(rated).collect()
}

/// The score that one may expect who is so much stronger.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// How the logarithm of the likelihood rises with each strength, and its curvature with the sign
/// changed, that is, the information.
fn slope(strength: &[f64], games: f64, results: &[Scored]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope = vec![0.0; strength.len()];
    let mut information = vec![vec![0.0; strength.len()]; strength.len()];
    for (i, at) in strength.iter().enumerate() {
        let likely = expected(*at);
        slope[i] += 0.5 - likely;
        information[i][i] += likely * (1.0 - likely);
    }
    for &Scored { players: [a, b], score, .. } in results {
        let likely = expected(strength[a] - strength[b]);
        let (gain, known) = (games * (score - likely), games * likely * (1.0 - likely));
        for (i, j, sign) in [(a, b, 1.0), (b, a, -1.0)] {
            slope[i] += sign * gain;
            information[i][i] += known;
            information[i][j] -= known;
        }
    }
    (slope, information)
}

/// The variance of one strength's distance from the average.
fn variance(
    inverse: &[Vec<f64>],
    player: usize,
    strength: &[f64],
    games: f64,
    results: &[Scored],
) -> f64 {
    let players = inverse.len();
    // How that distance moves with the score of each player.
    let pull: Vec<f64> = (0..players)
        .map(|j| {
            let average = inverse.iter().map(|row| row[j]).sum::<f64>() / players as f64;
            inverse[player][j] - average
        })
        .collect();
    let modelled = |difference: f64| expected(difference) * (1.0 - expected(difference));
    let tied = pull.iter().zip(strength).map(|(pull, at)| pull * pull * modelled(*at));
    let met = results.iter().map(|&Scored { players: [a, b], error, .. }| {
        let seen = (games * error).powi(2);
        let varied = seen.min(games * modelled(strength[a] - strength[b]));
        (pull[a] - pull[b]).powi(2) * varied
    });
    tied.chain(met).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric matrix whose diagonal outweighs the rest of each row, by elimination;
/// such a one needs no exchange of rows.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|j| f64::from(u8::from(i == j))));
    }
    for i in 0..count {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|entry| *entry /= pivot);
        let taken = matrix[i].clone();
        for (j, row) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i];
            row.iter_mut().zip(&taken).for_each(|(entry, taken)| *entry -= factor * taken);
            debug_assert!(row[i].abs() < 1e-6 * (1.0 + factor.abs()), "{j}");
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::toys, *};
    use crate::{
        Setup,
        players::{Ismcts, Learner, MonteCarlo, Sure, Uniform},
    };
    use crabwise::watch::Unwatched;

    fn scored(players: [usize; 2], score: f64, games: u64) -> Scored {
        let error = (score * (1.0 - score) / games as f64).sqrt();
        Scored { players, score, error }
    }

    #[test]
    fn ratings_of_known_results() {
        // Three points of four are 400 log10 3 apart, and 1/(n p (1 - p)) is the variance of the
        // difference's natural logarithm, of which each player has half.
        let games = 1_000_000;
        let [a, b] = ratings(2, games, &[scored([0, 1], 0.75, games)])[..] else { panic!() };
        assert!((a.elo - b.elo - 400.0 * 3_f64.log10()).abs() < 0.01, "{a:?} {b:?}");
        let error = 400.0 / 10_f64.ln() / (1e6 * 0.75 * 0.25_f64).sqrt() / 2.0;
        assert!((a.error - error).abs() < 1e-4 * error, "{a:?}, {error}");
        assert!((a.elo + b.elo - 2.0 * Rating::AVERAGE).abs() < 1e-9);
        // What varies half as much is known twice as well, and what is exact is known.
        let half = scored([0, 1], 0.75, 4 * games);
        let known = ratings(2, games, &[half])[0];
        assert!((known.error - error / 2.0).abs() < 1e-4 * error, "{known:?}, {error}");
        assert!(ratings(2, games, &[Scored { error: 0.0, ..half }])[0].error < 1e-2 * error);
    }

    #[test]
    fn results_that_ratings_explain_are_explained() {
        let strengths = [0.0, 100.0, 250.0];
        let expected =
            |a: usize, b: usize| 1.0 / (1.0 + 10_f64.powf((strengths[b] - strengths[a]) / 400.0));
        let pairs = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        let games = 1_000_000_000;
        let results = pairs.map(|[a, b]| scored([a, b], expected(a, b), games));
        let all = ratings(3, games, &results);
        for (rating, strength) in all.iter().zip(strengths) {
            assert!((rating.elo - all[0].elo - strength).abs() < 1e-3, "{all:?}");
        }
    }

    /// The errors are how far ratings are apart when the same is played again and again.
    #[test]
    fn errors_are_those_of_many_leagues() {
        let (games, pairs) = (400, [[0, 1], [0, 2], [1, 2]]);
        let truth = [0.6, 0.75, 0.65];
        let mut random = fastrand::Rng::with_seed(5);
        let mut leagues = vec![];
        for _ in 0..400 {
            let results = [0, 1, 2].map(|i| {
                let won = (0..games).filter(|_| random.f64() < truth[i]).count();
                scored(pairs[i], won as f64 / games as f64, games)
            });
            leagues.push(ratings(3, games, &results)[0]);
        }
        let mean = leagues.iter().map(|one| one.elo).sum::<f64>() / 400.0;
        let apart = leagues.iter().map(|one| (one.elo - mean).powi(2)).sum::<f64>() / 400.0;
        let told = leagues.iter().map(|one| one.error).sum::<f64>() / 400.0;
        assert!((apart.sqrt() / told - 1.0).abs() < 0.15, "{} {told}", apart.sqrt());
    }

    #[test]
    fn who_always_wins_has_a_rating_and_doubt() {
        let always = [scored([0, 1], 1.0, 100), scored([1, 0], 0.0, 100)];
        let doubtful = always.map(|one| Scored { error: 3.0 / 100.0 / WIDE, ..one });
        let [strong, weak] = ratings(2, 100, &doubtful)[..] else { panic!() };
        assert!(strong.elo - weak.elo > 600.0 && strong.elo.is_finite(), "{strong:?}");
        assert!(strong.error > 50.0, "{strong:?}");
        assert_eq!(ratings(1, 100, &[])[0].elo, Rating::AVERAGE);
    }

    #[test]
    fn margins() {
        let met = summed_up([0, 1], &[1.0, -1.0, 1.0, 0.0], [-1.0, 1.0]);
        assert_eq!((met.games, met.mean), (4, 0.25));
        // The variance of one game is 11/12.
        assert!((met.margin - 1.96 * (11.0_f64 / 48.0).sqrt()).abs() < 1e-12);
        let all = summed_up([0, 1], &[1.0; 30], [-1.0, 1.0]);
        assert!(all.mean == 1.0 && (all.margin - 0.2).abs() < 1e-12);
    }

    fn contenders(tree: &Tree) -> Vec<Box<dyn Contender + '_>> {
        vec![
            Box::new(Uniform),
            Box::new(Sure::new(tree)),
            Box::new(MonteCarlo::new(20)),
            Box::new(Ismcts::new(tree, 40)),
            Box::new(Learner::train(tree, 3000, 1, &Unwatched).unwrap()),
        ]
    }

    fn run(league: &League, known: &[Met]) -> Vec<Met> {
        league.run(known, &Unwatched, |_| Ok::<(), HiddenError>(())).unwrap()
    }

    /// What is worked out lies where games say it does.
    #[test]
    fn exact_results_are_those_of_many_games() {
        let game = Setup::of(toys::Kuhn).erased();
        let laid = toys::laid(&*game);
        let exact = Exact::new(&laid.tree, 1 << 30, &Unwatched).unwrap();
        let all = |exact| {
            let league = League::new(&laid.tree, contenders(&laid.tree), 20_000, 1, exact);
            let pair = |&[a, b]: &[usize; 2]| [0, 1, 4].contains(&a) && [0, 1, 4].contains(&b);
            let known = league.pairs().into_iter().filter(|met| !pair(met)).map(|players| Met {
                players,
                games: 1,
                mean: 0.0,
                margin: 0.0,
            });
            run(&league, &known.collect::<Vec<_>>())
        };
        for (told, played) in all(Some(&exact)).into_iter().zip(all(None)) {
            if played.games == 1 {
                continue;
            }
            assert_eq!((told.games, played.games), (0, 20_000));
            assert!((told.mean - played.mean).abs() < 2.0 * played.margin, "{told:?} {played:?}");
        }
    }

    #[test]
    fn a_league_is_the_same_on_any_threads_and_when_it_goes_on() {
        let game = Setup::of(toys::Random { seed: 7, length: 8 }).erased();
        let laid = toys::laid(&*game);
        let league = League::new(&laid.tree, contenders(&laid.tree), 50, 3, None);
        let whole = run(&league, &[]);
        assert_eq!(whole.len(), 20);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| run(&league, &[])), whole);
        assert_eq!(run(&league, &whole[..7]), whole);
        // Who else takes part does not matter.
        let few = || contenders(&laid.tree).into_iter().skip(2).collect();
        let league = League::new(&laid.tree, few(), 50, 3, None);
        for met in run(&league, &[]) {
            let players = met.players.map(|player| player + 2);
            assert!(whole.contains(&Met { players, ..met }));
        }
    }

    #[test]
    fn who_looks_ahead_beats_who_does_not() {
        let game = Setup::of(toys::Kuhn).erased();
        let laid = toys::laid(&*game);
        let exact = Exact::new(&laid.tree, 1 << 30, &Unwatched).unwrap();
        let league = League::new(&laid.tree, contenders(&laid.tree), 400, 1, Some(&exact));
        let all = run(&league, &[]);
        let mean = |a, b| all.iter().find(|met| met.players == [a, b]).unwrap().mean;
        for player in 2..5 {
            let both = mean(player, 0) - mean(0, player);
            assert!(both > 0.0, "{}: {both}", league.name(player));
        }
        let standings = league.standings(&all);
        let of = |player| standings.iter().find(|one| one.player == player).unwrap();
        let random = of(0).exploitability.unwrap();
        assert!((random - 11.0 / 24.0).abs() < 1e-12);
        assert_eq!(of(2).exploitability, None);
        let scores: f64 = standings.iter().map(|one| one.score).sum();
        assert!((scores - 2.5).abs() < 1e-9);
    }
}
