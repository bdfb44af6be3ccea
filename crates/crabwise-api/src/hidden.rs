//! Games with hidden information: equilibria, counts, certain wins, matrices, and what a player may see.

use crabwise_hidden::{
    CertainView, GameCounts, Judged, LocalBound, LpBackend, PlanNext, PlanStep, ProbOneWins,
    Sampling, Tally,
    equilibrium::{CurvePoint, Equilibrium, Method, TracePoint, ViewEquilibrium},
    explorer::{InfoSetInfo, MoveOdds},
};
use serde::Serialize;

use crate::value::side;

/// An equilibrium. The value is the first player's; it is wrong by at most the exploitability.
#[derive(Serialize)]
pub struct EquilibriumFound<'a> {
    game: &'a str,
    value: f64,
    exploitability: f64,
    method: &'static str,
    /// What solved the linear programs of a method that has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    iterations: u64,
    wall_seconds: f64,
    /// Without looks at what was learnt.
    learning_seconds: f64,
    /// Iterations of runs that this one went on with, which took time of their own.
    iterations_before: u64,
    /// The value as a fraction, if it is one.
    fraction: Option<String>,
    /// Whether the fraction was proved.
    exact: bool,
    abstraction: bool,
    lower: f64,
    upper: f64,
    peak_bytes: Option<u64>,
    curve: Vec<Judgement>,
}

#[derive(Serialize)]
struct Judgement {
    iterations: u64,
    seconds: f64,
    exploitability: f64,
}

fn judgement(point: &CurvePoint) -> Judgement {
    let &CurvePoint { iterations, seconds, exploitability } = point;
    Judgement { iterations, seconds, exploitability }
}

impl<'a> EquilibriumFound<'a> {
    /// `peak_bytes` is the most memory that the process has had.
    pub fn new(game: &'a str, found: &Equilibrium, peak_bytes: Option<u64>) -> Self {
        let [lower, upper] = found.judged.bounds();
        EquilibriumFound {
            game,
            value: found.value(),
            exploitability: found.judged.exploitability().max(0.0),
            method: found.method.name(),
            engine: found.backend.map(LpBackend::name),
            iterations: found.iterations,
            wall_seconds: found.wall,
            learning_seconds: found.seconds,
            iterations_before: found.before,
            fraction: found.fraction.as_ref().map(|(fraction, _)| fraction.to_string()),
            exact: found.fraction.as_ref().is_some_and(|(_, proven)| *proven),
            abstraction: found.abstraction,
            lower,
            upper,
            peak_bytes,
            curve: found.curve.iter().map(judgement).collect(),
        }
    }
}

/// What a local best response found: a lower bound on how exploitable strategies are, and no exploitability.
#[derive(Serialize)]
pub struct LocalJudgement {
    /// But for a chance of one in forty they are exploitable by no less: the mean less two standard errors.
    lower_bound: f64,
    lower_bound_mean: f64,
    lower_bound_error: f64,
    /// What each player earned on average against the other's strategy, with the standard errors.
    local_answers: [f64; 2],
    local_answer_errors: [f64; 2],
    games: u64,
}

impl LocalJudgement {
    /// What was found in games that were played.
    pub fn new(bound: &LocalBound) -> Self {
        LocalJudgement {
            lower_bound: bound.at_least(),
            lower_bound_mean: bound.mean(),
            lower_bound_error: bound.error(),
            local_answers: bound.answers.map(|answer| answer.mean),
            local_answer_errors: bound.answers.map(|answer| answer.error),
            games: bound.games,
        }
    }
}

/// Strategies against a local best response.
#[derive(Serialize)]
pub struct LocalExploit<'a> {
    game: &'a str,
    strategies: &'a str,
    #[serde(flatten)]
    judgement: LocalJudgement,
}

impl<'a> LocalExploit<'a> {
    /// `strategies` names what was judged.
    pub fn new(game: &'a str, strategies: &'a str, judgement: LocalJudgement) -> Self {
        LocalExploit { game, strategies, judgement }
    }
}

/// Strategies by views, of a game that is not laid out.
#[derive(Serialize)]
pub struct ViewsFound<'a> {
    game: &'a str,
    method: &'static str,
    /// Whether external sampling went along one line.
    one_line: bool,
    iterations: u64,
    iterations_before: u64,
    wall_seconds: f64,
    learning_seconds: f64,
    peak_bytes: Option<u64>,
    learnt: String,
    #[serde(flatten)]
    judgement: LocalJudgement,
}

impl<'a> ViewsFound<'a> {
    /// `peak_bytes` is the most memory that the process has had.
    pub fn new(
        game: &'a str,
        found: &ViewEquilibrium,
        judgement: LocalJudgement,
        peak_bytes: Option<u64>,
    ) -> Self {
        ViewsFound {
            game,
            method: found.method.name(),
            one_line: found.sampling == Sampling::Line,
            iterations: found.iterations,
            iterations_before: found.before,
            wall_seconds: found.wall,
            learning_seconds: found.seconds,
            peak_bytes,
            learnt: found.state.clone(),
            judgement,
        }
    }
}

/// How regrets are minimised at one view.
#[derive(Serialize)]
pub struct RegretTrace<'a> {
    game: &'a str,
    player: &'static str,
    view: &'a [String],
    method: &'static str,
    /// Whether both players learn at the same time, not one after the other.
    simultaneous: bool,
    points: Vec<RegretPoint<'a>>,
}

#[derive(Serialize)]
struct RegretPoint<'a> {
    iterations: u64,
    /// Of the average strategies; before the first iteration there are none.
    exploitability: Option<f64>,
    moves: Vec<RegretOfMove<'a>>,
}

#[derive(Serialize)]
struct RegretOfMove<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    regret: f64,
    /// How likely the move is in the next iteration.
    now: f64,
    average: Option<f64>,
}

impl<'a> RegretTrace<'a> {
    /// At a view of the first or the second player, by a method, which learns for both at the same time or not.
    pub fn new(
        game: &'a str,
        player: usize,
        view: &'a [String],
        (method, simultaneous): (&'static str, bool),
        points: &'a [TracePoint],
    ) -> Self {
        let point = |point: &'a TracePoint| RegretPoint {
            iterations: point.iterations,
            exploitability: point.exploitability,
            moves: (point.moves.iter())
                .map(|mv| RegretOfMove {
                    mv: &mv.name,
                    regret: mv.regret,
                    now: mv.now,
                    average: mv.average,
                })
                .collect(),
        };
        let points = points.iter().map(point).collect();
        RegretTrace { game, player: side(player), view, method, simultaneous, points }
    }
}

/// Methods side by side.
#[derive(Serialize)]
pub struct MethodsCompared<'a> {
    /// A row a game.
    pub games: Vec<GameCompared<'a>>,
}

/// What each method reached on one game.
#[derive(Serialize)]
pub struct GameCompared<'a> {
    game: &'a str,
    methods: Vec<EquilibriumFound<'a>>,
    /// Methods that gave nothing, and why.
    failed: Vec<(&'static str, &'a str)>,
}

impl<'a> GameCompared<'a> {
    /// `rows` holds what became of each method.
    pub fn new(
        game: &'a str,
        rows: &'a [(Method, Result<Equilibrium, String>)],
        peak_bytes: Option<u64>,
    ) -> Self {
        let (mut methods, mut failed) = (vec![], vec![]);
        for (method, found) in rows {
            match found {
                Ok(found) => methods.push(EquilibriumFound::new(game, found, peak_bytes)),
                Err(why) => failed.push((method.name(), why.as_str())),
            }
        }
        GameCompared { game, methods, failed }
    }
}

/// Strategies against the best answers to them.
#[derive(Serialize)]
pub struct Exploit<'a> {
    game: &'a str,
    strategies: &'a str,
    /// What the first player gets when they play each other.
    value: f64,
    /// The most that each player can get against the other's.
    best_answers: [f64; 2],
    exploitability: f64,
}

impl<'a> Exploit<'a> {
    /// `strategies` names what was judged.
    pub fn new(game: &'a str, strategies: &'a str, judged: &Judged) -> Self {
        let &Judged { value, best: best_answers } = judged;
        let exploitability = judged.exploitability();
        Exploit { game, strategies, value, best_answers, exploitability }
    }
}

/// How many there are. Numbers may be larger than what a script takes for one, and so are text.
#[derive(Serialize)]
pub struct GameSize<'a> {
    game: &'a str,
    games: String,
    /// If none ends before the board is full.
    games_played_out: Option<String>,
    histories: String,
    information_sets: [u64; 2],
    sequences: [u64; 2],
    order_free_sets: Option<[u64; 2]>,
    positions: u64,
    ends: u64,
    longest: usize,
}

impl<'a> GameSize<'a> {
    /// `out` counts the game in which nobody stops before the board is full.
    pub fn new(
        game: &'a str,
        counts: &GameCounts,
        abstracted: bool,
        out: Option<&GameCounts>,
    ) -> Self {
        GameSize {
            game,
            games: counts.games.to_string(),
            games_played_out: out.map(|out| out.games.to_string()),
            histories: counts.histories.to_string(),
            information_sets: counts.info_sets,
            sequences: counts.sequences,
            order_free_sets: abstracted.then_some(counts.info_states),
            positions: counts.states,
            ends: counts.ends,
            longest: counts.longest,
        }
    }
}

/// Complete games by something. Numbers may be larger than what a script takes for one, and so are text.
#[derive(Serialize)]
pub struct GamesBy<'a> {
    /// The game string.
    pub game: &'a str,
    /// `first-move` or `length`.
    pub by: &'static str,
    /// A table for first moves; of lengths one in turns and one in moves.
    pub tables: Vec<GamesTable>,
}

/// Complete games by what is in the first column.
#[derive(Serialize)]
pub struct GamesTable {
    /// `first-move`, `turns` or `moves`.
    pub unit: &'static str,
    /// What each row is about.
    pub rows: Vec<GamesRow>,
}

/// How many complete games are alike.
#[derive(Serialize)]
pub struct GamesRow {
    /// A move, or a number of turns or moves.
    pub key: String,
    /// How many games have it.
    pub games: String,
}

/// The views of a player that win with probability one.
#[derive(Serialize)]
pub struct CertainViews<'a> {
    game: &'a str,
    player: &'static str,
    empty: u32,
    hidden: u32,
    views: Vec<CertainViewListed<'a>>,
}

#[derive(Serialize)]
struct CertainViewListed<'a> {
    picture: &'a str,
    /// The least and the most stones that may be hidden.
    hidden: [u32; 2],
    /// The moves that keep the certainty.
    moves: &'a [String],
}

impl<'a> CertainViews<'a> {
    /// The first or the second player's, with so many cells that look empty and so many hidden stones.
    pub fn new(
        game: &'a str,
        player: usize,
        [empty, hidden]: [u32; 2],
        views: &'a [CertainView],
    ) -> Self {
        let listed = |view: &'a CertainView| CertainViewListed {
            picture: &view.picture,
            hidden: view.hidden,
            moves: &view.moves,
        };
        let views = views.iter().map(listed).collect();
        CertainViews { game, player: side(player), empty, hidden, views }
    }
}

/// Whether one view wins with probability one.
#[derive(Serialize)]
pub struct CertainAt<'a> {
    game: &'a str,
    player: &'static str,
    view: &'a [String],
    /// Null if it was not settled.
    picture: Option<&'a str>,
    /// Null if it was not settled.
    certain: Option<bool>,
    /// The moves that keep the certainty.
    moves: &'a [String],
}

impl<'a> CertainAt<'a> {
    /// Of the first or the second player's view: its picture and the moves that keep the certainty, of which there
    /// are some if it is certain; or nothing, if that was not settled.
    pub fn new(
        game: &'a str,
        player: usize,
        view: &'a [String],
        settled: Option<(&'a str, &'a [String])>,
    ) -> Self {
        let (picture, moves) = settled.unzip();
        let certain = moves.map(|moves| !moves.is_empty());
        let moves = moves.unwrap_or_default();
        CertainAt { game, player: side(player), view, picture, certain, moves }
    }
}

/// Wins with probability one.
#[derive(Serialize)]
pub struct CertainWins<'a> {
    game: &'a str,
    /// `first`, `second` or null.
    winner: Option<&'static str>,
    players: Vec<CertainSide<'a>>,
}

#[derive(Serialize)]
struct CertainSide<'a> {
    player: &'static str,
    wins: bool,
    openings: &'a [String],
    views: Option<u64>,
    certain: Option<u64>,
    weak: Option<u64>,
    by: Vec<CertainRow>,
    /// Whether there is more to the plan than is told.
    plan_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Vec<Advice<'a>>>,
}

#[derive(Serialize)]
struct CertainRow {
    empty: u32,
    hidden: u32,
    views: u64,
    certain: u64,
    weak: Option<u64>,
}

#[derive(Serialize)]
struct Advice<'a> {
    picture: &'a str,
    #[serde(rename = "move")]
    mv: &'a str,
    next: Vec<Continuation<'a>>,
}

#[derive(Serialize)]
struct Continuation<'a> {
    /// What may be heard; nothing if the stone was placed.
    heard: &'a str,
    /// The number of the view that is next, from 0.
    view: Option<usize>,
    won: bool,
}

fn continuation((heard, next): &(String, PlanNext)) -> Continuation<'_> {
    let view = match *next {
        PlanNext::Step(view) => Some(view),
        _ => None,
    };
    Continuation { heard, view, won: *next == PlanNext::Won }
}

impl<'a> CertainWins<'a> {
    /// `plan` asks for what the winner does.
    pub fn new(game: &'a str, wins: &'a [ProbOneWins], plan: bool) -> Self {
        let player = |(p, wins): (usize, &'a ProbOneWins)| CertainSide {
            player: side(p),
            wins: wins.wins,
            openings: &wins.openings,
            views: wins.counts.as_ref().map(|counts| counts.all.info_sets),
            certain: wins.counts.as_ref().map(|counts| counts.all.certain),
            weak: wins.counts.as_ref().and_then(|counts| counts.all.weak),
            by: wins.counts.iter().flat_map(|counts| &counts.by).map(row).collect(),
            plan_cut: wins.cut,
            plan: plan.then(|| {
                let step = |view: &'a PlanStep| Advice {
                    picture: &view.picture,
                    mv: &view.mv,
                    next: view.next.iter().map(continuation).collect(),
                };
                wins.plan.iter().map(step).collect()
            }),
        };
        let winner = wins.iter().position(|wins| wins.wins).map(side);
        CertainWins { game, winner, players: wins.iter().enumerate().map(player).collect() }
    }
}

fn row(
    &(empty, hidden, Tally { info_sets: views, certain, weak }): &(u32, u32, Tally),
) -> CertainRow {
    CertainRow { empty, hidden, views, certain, weak }
}

/// A game as a matrix.
#[derive(Serialize)]
pub struct PayoffMatrix<'a> {
    /// The game string.
    pub game: &'a str,
    /// What solved it.
    pub engine: &'static str,
    /// For the first player.
    pub value: Option<f64>,
    /// The value as a fraction, if it was proved.
    pub fraction: Option<&'a str>,
    /// The value is at least this.
    pub lower: f64,
    /// The value is at most this.
    pub upper: f64,
    /// The first player's strategies.
    pub rows: Vec<MixedStrategy<'a>>,
    /// The second player's.
    pub columns: Vec<MixedStrategy<'a>>,
    /// By row.
    pub payoffs: Vec<&'a [String]>,
}

/// A row or a column of a matrix, as part of the equilibrium.
#[derive(Serialize)]
pub struct MixedStrategy<'a> {
    /// Its moves.
    pub name: &'a str,
    /// How often the equilibrium plays it.
    pub probability: f64,
}

/// What a strategy does at an information set.
#[derive(Serialize)]
pub struct InfoSetView<'a> {
    game: &'a str,
    player: &'static str,
    view: &'a [String],
    picture: &'a str,
    method: &'a str,
    exploitability: f64,
    abstraction: bool,
    /// What the player to move can expect; null if the other never lets it come to this.
    expects: Option<f64>,
    moves: Vec<ExpectedMove<'a>>,
}

#[derive(Serialize)]
struct ExpectedMove<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    probability: f64,
    expects: Option<f64>,
}

impl<'a> InfoSetView<'a> {
    /// The strategy was found by `method` and is open to `exploitability`.
    pub fn new(
        game: &'a str,
        at: &'a InfoSetInfo,
        method: &'a str,
        exploitability: f64,
        abstraction: bool,
    ) -> Self {
        let mv = |&MoveOdds { ref name, probability, expects }: &'a MoveOdds| ExpectedMove {
            mv: name,
            probability,
            expects,
        };
        InfoSetView {
            game,
            player: side(at.player as usize),
            view: &at.line,
            picture: &at.picture,
            method,
            exploitability,
            abstraction,
            expects: at.expects,
            moves: at.moves.iter().map(mv).collect(),
        }
    }
}

/// A game that was played in the dark.
#[derive(Serialize)]
pub struct PlayInTheDark<'a> {
    /// The game string.
    pub game: &'a str,
    /// What the person saw and did.
    pub line: &'a [String],
    /// What the first player gets; null if the person left.
    pub payoff: Option<f64>,
    /// What random moves were drawn with.
    pub seed: u64,
}
