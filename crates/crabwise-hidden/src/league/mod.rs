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

mod ratings;

use crabwise::watch::{Meter, Stop, Watch};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use self::ratings::WIDE;
pub use self::ratings::{MeetingScore, Rating, ratings};
use crate::{
    agents::{Agent, AnyAgent},
    erased::ErasedHidden,
    rules::Player,
    sequence_form::{Behaviour, SequenceForm},
    tree::{GameTree, HiddenError},
};

/// Who plays whom, how often.
pub struct League<'a> {
    game: &'a ErasedHidden,
    players: Vec<AnyAgent<'a>>,
    games: u64,
    seed: u64,
    exact: Option<&'a ExactResults>,
    /// Of each player what it does as either, if that is known.
    behaviours: Vec<Option<[Behaviour; 2]>>,
}

/// The payoffs of a game, to work results out with.
pub struct ExactResults(SequenceForm);

/// What came of one player being the first and another the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
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

impl ExactResults {
    /// Lays the payoffs out, if they fit into memory.
    pub fn new(
        tree: &GameTree,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ExactResults, HiddenError> {
        // Not folded: players need not treat mirror images alike.
        SequenceForm::new(tree, false, memory, watch).map(ExactResults)
    }

    fn meet(&self, players: [usize; 2], [first, second]: [&[f64]; 2]) -> Meeting {
        let ExactResults(form) = self;
        let [own, other] = &form.treeplexes;
        let plan = other.realization_plan(second);
        let mut gradient = vec![0.0; own.sequences()];
        form.gradient(Player::First, &plan, &mut gradient);
        Meeting { players, games: 0, mean: own.expected_value(first, &mut gradient), margin: 0.0 }
    }
}

impl<'a> League<'a> {
    /// A league of these players, who play `games` games in each meeting that is not worked out.
    pub fn new(
        game: &'a ErasedHidden,
        players: Vec<AnyAgent<'a>>,
        games: u64,
        seed: u64,
        exact: Option<&'a ExactResults>,
    ) -> League<'a> {
        let behaviour = |agent: &AnyAgent| {
            let treeplexes = &exact?.0.treeplexes;
            let as_one = |player| agent.behaviour(&treeplexes[player as usize], player);
            Some([as_one(Player::First)?, as_one(Player::Second)?])
        };
        let behaviours = players.iter().map(behaviour).collect();
        League { game, players, games, seed, exact, behaviours }
    }

    /// All meetings, but for those that are known; `done` is told of each when it is over. They
    /// come in the order of the players.
    pub fn run<E: From<HiddenError>>(
        &self,
        known: &[Meeting],
        watch: &dyn Watch,
        mut done: impl FnMut(&Meeting) -> Result<(), E>,
    ) -> Result<Vec<Meeting>, E> {
        let pairs = pairs(self.players.len());
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

    /// What a meeting can be worked out from, if it can.
    fn worked_out(&self, [a, b]: [usize; 2]) -> Option<(&ExactResults, [&[f64]; 2])> {
        let [first, _] = self.behaviours[a].as_ref()?;
        let [_, second] = self.behaviours[b].as_ref()?;
        Some((self.exact?, [first, second]))
    }

    fn play(&self, pair: [usize; 2], meter: &Meter) -> Result<Meeting, Stop> {
        let players = pair.map(|player| &self.players[player]);
        let names = players.map(|player| player.name());
        let payoffs = (0..self.games)
            .into_par_iter()
            .map(|game| {
                let payoff = self.game.play_game(players, game_seed(self.seed, &names, game));
                meter.add(1).map(|()| payoff)
            })
            .collect::<Result<Vec<f64>, Stop>>()?;
        Ok(Meeting::of(pair, &payoffs, self.game.stakes()))
    }

    /// All players, the best first.
    pub fn standings(&self, all: &[Meeting]) -> Vec<Standing> {
        let mut standings = standings(self.players.len(), self.games, self.game.stakes(), all);
        for one in &mut standings {
            one.exploitability = self.exploitability(one.player);
        }
        standings
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

/// Who meets whom: each two of so many players with either of them first.
pub fn pairs(players: usize) -> Vec<[usize; 2]> {
    let later = |a: usize| (a + 1..players).map(move |b| [[a, b], [b, a]]);
    (0..players).flat_map(later).flatten().collect()
}

/// The seed of one game.
pub fn game_seed(league: u64, names: &[String; 2], game: u64) -> u64 {
    let [first, second] = names.each_ref().map(|name| name.as_bytes());
    xxh3_64(&[&league.to_le_bytes(), first, &[0], second, &[0], &game.to_le_bytes()].concat())
}

impl Meeting {
    /// What games came to that were played, given the least and the most that the first player can get.
    pub fn of(players: [usize; 2], payoffs: &[f64], [least, most]: [f64; 2]) -> Meeting {
        let games = payoffs.len() as f64;
        let mean = payoffs.iter().sum::<f64>() / games;
        let spread: f64 = payoffs.iter().map(|payoff| (payoff - mean).powi(2)).sum();
        let margin = match payoffs.iter().all(|payoff| *payoff == payoffs[0]) {
            true => (3.0 / games).min(1.0) * (most - least),
            false => WIDE * (spread / (games - 1.0) / games).sqrt(),
        };
        Meeting { players, games: payoffs.len() as u64, mean, margin }
    }
}

/// So many players, the best first, by what came of their meetings of so many games each. The stakes are the least and
/// the most that the first player can get.
pub fn standings(
    players: usize,
    games: u64,
    [least, most]: [f64; 2],
    all: &[Meeting],
) -> Vec<Standing> {
    // What the greatest win is above a tie, and a tie above the greatest loss.
    let stake = most.max(-least);
    let share = |payoff: f64| if stake > 0.0 { payoff / stake / 2.0 } else { 0.0 };
    let score = |met: &Meeting| 0.5 + share(met.mean);
    let result = |met: &Meeting| MeetingScore {
        players: met.players,
        score: score(met),
        error: share(met.margin / WIDE),
    };
    let results: Vec<MeetingScore> = all.iter().map(result).collect();
    let rated = ratings(players, games, &results);
    let standing = |(player, rating): (usize, Rating)| {
        let own = all.iter().filter(|met| met.players.contains(&player));
        let scores = own.map(|met| match met.players[0] == player {
            true => score(met),
            false => 1.0 - score(met),
        });
        let score = scores.sum::<f64>() / (2 * (players - 1).max(1)) as f64;
        Standing { player, rating, score, exploitability: None }
    };
    let mut all: Vec<Standing> = rated.into_iter().enumerate().map(standing).collect();
    all.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    all
}

#[cfg(test)]
mod tests {
    use super::{super::toys, *};
    use crate::{
        HiddenSetup,
        agents::{Effort, IsmctsAgent, MonteCarloAgent, ProbOneAgent, QLearner, RandomAgent},
    };
    use crabwise::watch::Unwatched;

    fn scored(players: [usize; 2], score: f64, games: u64) -> MeetingScore {
        let error = (score * (1.0 - score) / games as f64).sqrt();
        MeetingScore { players, score, error }
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
        assert!(ratings(2, games, &[MeetingScore { error: 0.0, ..half }])[0].error < 1e-2 * error);
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
        let observe = leagues.iter().map(|one| one.error).sum::<f64>() / 400.0;
        assert!((apart.sqrt() / observe - 1.0).abs() < 0.15, "{} {observe}", apart.sqrt());
    }

    #[test]
    fn who_always_wins_has_a_rating_and_doubt() {
        let always = [scored([0, 1], 1.0, 100), scored([1, 0], 0.0, 100)];
        let doubtful = always.map(|one| MeetingScore { error: 3.0 / 100.0 / WIDE, ..one });
        let [strong, weak] = ratings(2, 100, &doubtful)[..] else { panic!() };
        assert!(strong.elo - weak.elo > 600.0 && strong.elo.is_finite(), "{strong:?}");
        assert!(strong.error > 50.0, "{strong:?}");
        assert_eq!(ratings(1, 100, &[])[0].elo, Rating::AVERAGE);
    }

    #[test]
    fn margins() {
        let met = Meeting::of([0, 1], &[1.0, -1.0, 1.0, 0.0], [-1.0, 1.0]);
        assert_eq!((met.games, met.mean), (4, 0.25));
        // The variance of one game is 11/12.
        assert!((met.margin - 1.96 * (11.0_f64 / 48.0).sqrt()).abs() < 1e-12);
        let all = Meeting::of([0, 1], &[1.0; 30], [-1.0, 1.0]);
        assert!(all.mean == 1.0 && (all.margin - 0.2).abs() < 1e-12);
    }

    fn agents(tree: &GameTree) -> Vec<AnyAgent<'_>> {
        vec![
            AnyAgent::Random(RandomAgent),
            AnyAgent::ProbOne(ProbOneAgent::new(tree)),
            AnyAgent::MonteCarlo(MonteCarloAgent::new(Effort::Iterations(20))),
            AnyAgent::Ismcts(IsmctsAgent::new(Effort::Iterations(40))),
            AnyAgent::Learner(QLearner::train(tree, 3000, 1, &Unwatched).unwrap()),
        ]
    }

    fn run(league: &League, known: &[Meeting]) -> Vec<Meeting> {
        league.run(known, &Unwatched, |_| Ok::<(), HiddenError>(())).unwrap()
    }

    /// What is worked out lies where games say it does.
    #[test]
    fn exact_results_are_those_of_many_games() {
        let game = HiddenSetup::of(toys::Kuhn).erased();
        let explored = toys::explored(&game);
        let exact = ExactResults::new(&explored.tree, 1 << 30, &Unwatched).unwrap();
        let all = |exact| {
            let league = League::new(&game, agents(&explored.tree), 20_000, 1, exact);
            let pair = |&[a, b]: &[usize; 2]| [0, 1, 4].contains(&a) && [0, 1, 4].contains(&b);
            let known = pairs(league.players.len())
                .into_iter()
                .filter(|met| !pair(met))
                .map(|players| Meeting { players, games: 1, mean: 0.0, margin: 0.0 });
            run(&league, &known.collect::<Vec<_>>())
        };
        for (observe, played) in all(Some(&exact)).into_iter().zip(all(None)) {
            if played.games == 1 {
                continue;
            }
            assert_eq!((observe.games, played.games), (0, 20_000));
            assert!(
                (observe.mean - played.mean).abs() < 2.0 * played.margin,
                "{observe:?} {played:?}"
            );
        }
    }

    #[test]
    fn a_league_is_the_same_on_any_threads_and_when_it_goes_on() {
        let game = HiddenSetup::of(toys::Random { seed: 7, length: 8 }).erased();
        let explored = toys::explored(&game);
        let league = League::new(&game, agents(&explored.tree), 50, 3, None);
        let whole = run(&league, &[]);
        assert_eq!(whole.len(), 20);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| run(&league, &[])), whole);
        assert_eq!(run(&league, &whole[..7]), whole);
        // Who else takes part does not matter.
        let few = || agents(&explored.tree).into_iter().skip(2).collect();
        let league = League::new(&game, few(), 50, 3, None);
        for met in run(&league, &[]) {
            let players = met.players.map(|player| player + 2);
            assert!(whole.contains(&Meeting { players, ..met }));
        }
    }

    #[test]
    fn who_looks_ahead_beats_who_does_not() {
        let game = HiddenSetup::of(toys::Kuhn).erased();
        let explored = toys::explored(&game);
        let exact = ExactResults::new(&explored.tree, 1 << 30, &Unwatched).unwrap();
        let league = League::new(&game, agents(&explored.tree), 400, 1, Some(&exact));
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
