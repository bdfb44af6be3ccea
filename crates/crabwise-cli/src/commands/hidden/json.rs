//! What is told of games with hidden information.

use crabwise_api::value::side;
use crabwise_hidden::{
    GameCounts, Judged, LpBackend, PlanNext as Next, PlanStep as Step, ProbOneWins, Tally,
    equilibrium::{self, CurvePoint as Point},
    explorer::MoveOdds,
};
use serde::Serialize;

use crate::{
    commands::hidden::{compare, look, matrix},
    machine,
};

/// An equilibrium. The value is the first player's; it is wrong by at most the exploitability.
#[derive(Serialize)]
pub struct Equilibrium<'a> {
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
    curve: Vec<CurvePoint>,
}

#[derive(Serialize)]
struct CurvePoint {
    iterations: u64,
    seconds: f64,
    exploitability: f64,
}

fn curve(points: &[Point]) -> Vec<CurvePoint> {
    let each = |&Point { iterations, seconds, exploitability }: &Point| CurvePoint {
        iterations,
        seconds,
        exploitability,
    };
    points.iter().map(each).collect()
}

impl<'a> Equilibrium<'a> {
    pub fn new(game: &'a str, found: &equilibrium::Equilibrium) -> Equilibrium<'a> {
        let [lower, upper] = found.judged.bounds();
        Equilibrium {
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
            peak_bytes: machine::peak(),
            curve: curve(&found.curve),
        }
    }
}

/// Methods side by side.
#[derive(Serialize)]
pub struct Comparison<'a> {
    games: Vec<ComparedGame<'a>>,
}

#[derive(Serialize)]
struct ComparedGame<'a> {
    game: &'a str,
    methods: Vec<Equilibrium<'a>>,
    /// Methods that gave nothing, and why.
    failed: Vec<(&'static str, &'a str)>,
}

impl<'a> Comparison<'a> {
    pub fn new(all: &'a [compare::Compared]) -> Comparison<'a> {
        let game = |compared: &'a compare::Compared| ComparedGame {
            game: &compared.game,
            methods: (compared.rows.iter())
                .filter_map(|(_, found)| {
                    Some(Equilibrium::new(&compared.game, found.as_ref().ok()?))
                })
                .collect(),
            failed: (compared.rows.iter())
                .filter_map(|(method, found)| Some((method.name(), found.as_ref().err()?.as_str())))
                .collect(),
        };
        Comparison { games: all.iter().map(game).collect() }
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
    pub fn new(game: &'a str, strategies: &'a str, judged: &Judged) -> Exploit<'a> {
        let &Judged { value, best: best_answers } = judged;
        let exploitability = judged.exploitability();
        Exploit { game, strategies, value, best_answers, exploitability }
    }
}

/// How many there are. Numbers may be larger than what a script takes for one, and so are text.
#[derive(Serialize)]
pub struct Count<'a> {
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

impl<'a> Count<'a> {
    pub fn new(
        game: &'a str,
        counts: &GameCounts,
        abstracted: bool,
        out: Option<&GameCounts>,
    ) -> Count<'a> {
        Count {
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

/// Wins with probability one.
#[derive(Serialize)]
pub struct Pone<'a> {
    game: &'a str,
    /// `first`, `second` or null.
    winner: Option<&'static str>,
    players: Vec<PoneSide<'a>>,
}

#[derive(Serialize)]
struct PoneSide<'a> {
    player: &'static str,
    wins: bool,
    openings: &'a [String],
    views: Option<u64>,
    certain: Option<u64>,
    weak: Option<u64>,
    by: Vec<PoneRow>,
    /// Whether there is more to the plan than is told.
    plan_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Vec<PlanStep<'a>>>,
}

#[derive(Serialize)]
struct PoneRow {
    empty: u32,
    hidden: u32,
    views: u64,
    certain: u64,
    weak: Option<u64>,
}

#[derive(Serialize)]
struct PlanStep<'a> {
    picture: &'a str,
    #[serde(rename = "move")]
    mv: &'a str,
    next: Vec<PlanNext<'a>>,
}

#[derive(Serialize)]
struct PlanNext<'a> {
    /// What may be heard; nothing if the stone was placed.
    heard: &'a str,
    /// The number of the view that is next, from 0.
    view: Option<usize>,
    won: bool,
}

fn plan_next((heard, next): &(String, Next)) -> PlanNext<'_> {
    let view = match *next {
        Next::Step(view) => Some(view),
        _ => None,
    };
    PlanNext { heard, view, won: *next == Next::Won }
}

impl<'a> Pone<'a> {
    pub fn new(game: &'a str, wins: &'a [ProbOneWins], plan: bool) -> Pone<'a> {
        let side = |(p, wins): (usize, &'a ProbOneWins)| PoneSide {
            player: side(p),
            wins: wins.wins,
            openings: &wins.openings,
            views: wins.counts.as_ref().map(|counts| counts.all.info_sets),
            certain: wins.counts.as_ref().map(|counts| counts.all.certain),
            weak: wins.counts.as_ref().and_then(|counts| counts.all.weak),
            by: wins.counts.iter().flat_map(|counts| &counts.by).map(row).collect(),
            plan_cut: wins.cut,
            plan: plan.then(|| {
                let step = |view: &'a Step| PlanStep {
                    picture: &view.picture,
                    mv: &view.mv,
                    next: view.next.iter().map(plan_next).collect(),
                };
                wins.plan.iter().map(step).collect()
            }),
        };
        let winner = wins.iter().position(|wins| wins.wins).map(crabwise_api::value::side);
        Pone { game, winner, players: wins.iter().enumerate().map(side).collect() }
    }
}

fn row(&(empty, hidden, Tally { info_sets: views, certain, weak }): &(u32, u32, Tally)) -> PoneRow {
    PoneRow { empty, hidden, views, certain, weak }
}

/// A game as a matrix.
#[derive(Serialize)]
pub struct MatrixOf<'a> {
    game: &'a str,
    /// What solved it.
    engine: &'static str,
    value: Option<f64>,
    lower: f64,
    upper: f64,
    rows: Vec<Strategy<'a>>,
    columns: Vec<Strategy<'a>>,
    /// By row.
    payoffs: Vec<&'a [String]>,
}

#[derive(Serialize)]
struct Strategy<'a> {
    name: &'a str,
    probability: f64,
}

impl<'a> MatrixOf<'a> {
    pub fn new(game: &'a str, backend: LpBackend, shown: &'a matrix::Shown) -> MatrixOf<'a> {
        let strategies = |names: &'a [String], mix: &[f64]| {
            let each = |(name, &probability): (&'a String, &f64)| Strategy { name, probability };
            names.iter().zip(mix).map(each).collect()
        };
        MatrixOf {
            game,
            engine: backend.name(),
            value: shown.value.as_ref().map(|(_, value)| *value),
            lower: shown.bounds[0],
            upper: shown.bounds[1],
            rows: strategies(&shown.rows, &shown.mixes[0]),
            columns: strategies(&shown.columns, &shown.mixes[1]),
            payoffs: shown.cells.chunks(shown.columns.len().max(1)).collect(),
        }
    }
}

/// What a strategy does at a view.
#[derive(Serialize)]
pub struct View<'a> {
    game: &'a str,
    player: &'static str,
    view: &'a [String],
    picture: &'a str,
    method: &'a str,
    exploitability: f64,
    abstraction: bool,
    /// What the player to move can expect; null if the other never lets it come to this.
    expects: Option<f64>,
    moves: Vec<ViewMove<'a>>,
}

#[derive(Serialize)]
struct ViewMove<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    probability: f64,
    expects: Option<f64>,
}

impl<'a> View<'a> {
    pub fn new(looked: &'a look::Looked) -> View<'a> {
        let mv = |&MoveOdds { ref name, probability, expects }: &'a MoveOdds| ViewMove {
            mv: name,
            probability,
            expects,
        };
        View {
            game: &looked.game,
            player: side(looked.at.player as usize),
            view: &looked.at.line,
            picture: &looked.at.picture,
            method: &looked.method,
            exploitability: looked.exploitability,
            abstraction: looked.abstraction,
            expects: looked.at.expects,
            moves: looked.at.moves.iter().map(mv).collect(),
        }
    }
}

/// A game that was played in the dark.
#[derive(Serialize)]
pub struct Play<'a> {
    pub game: &'a str,
    pub line: &'a [String],
    /// What the first player gets; null if the person left.
    pub payoff: Option<f64>,
    pub seed: u64,
}
