//! Around a position: perfect play, a computer's answer, how the game went, what may come, others like it.

use std::{
    collections::HashSet,
    slice,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{extract::State, response::Response};
use crabwise::{
    ErasedGame, Value,
    analysis::{horizon::Horizon, label::Weights},
    explore::{Explorer, MoveInfo, PositionInfo},
    watch::Count,
};
use crabwise_api::{
    position::{self, Move},
    value::{self, side},
};
use serde::{Deserialize, Serialize};

use crate::{
    error::{ApiError, Kind},
    open::{GameQuery, OpenGame},
    patience::Patience,
    request::{Ask, Named, Where, number, words},
    state::AppState,
    values::{known, look},
};

#[derive(Deserialize)]
pub struct PerfectQuery {
    #[serde(flatten)]
    named: Named,
    #[serde(default)]
    line: String,
    #[serde(default)]
    most: Option<String>,
}

#[derive(Serialize)]
struct Variation {
    moves: Vec<Move>,
    end: &'static str,
}

/// The longest line of perfect play that is told.
const LONGEST: usize = 400;

pub async fn perfect(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<PerfectQuery>,
) -> Result<Response, ApiError> {
    state
        .look(asked.named.clone(), move |state, open| {
            let line = words(&asked.line)?;
            let most = number(asked.most.as_deref(), "most", 60)?.min(LONGEST as u64) as usize;
            let play =
                known(state, open, false, |explorer| Ok(explorer.perfect(&line, None, most)?))?;
            Ok(Variation { moves: position::moves(&play), end: position::end(&play) })
        })
        .await
}

#[derive(Deserialize)]
pub struct ReplyQuery {
    #[serde(flatten)]
    named: Named,
    #[serde(default)]
    line: String,
    player: Opponent,
    #[serde(default)]
    depth: Option<String>,
    #[serde(default)]
    seed: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Opponent {
    Perfect,
    Random,
    Trappy,
    /// Looks some moves ahead, by the rules alone.
    Horizon,
}

/// How many moves a computer player looks ahead at most, and for how long.
const FARTHEST: u64 = 24;
const LOOKING: Duration = Duration::from_secs(2);
/// Bytes that it may remember positions in.
const REMEMBERED: u64 = 64 << 20;

#[derive(Serialize)]
struct ReplyChosen {
    #[serde(rename = "move")]
    name: String,
    value: Option<value::Value>,
}

pub async fn reply(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<ReplyQuery>,
) -> Result<Response, ApiError> {
    let (named, player) = (asked.named.clone(), asked.player);
    if player == Opponent::Horizon {
        return state.search(named, move |open| ahead(open, &asked)).await;
    }
    let chosen = move |state: &AppState, open: &GameQuery| chosen(state, open, &asked);
    match player {
        Opponent::Random => {
            let open = state.opened(named).await?;
            state.answer(move |state| chosen(state, &GameQuery { open, turn: None })).await
        }
        // Labels may have to be read as a whole first.
        Opponent::Trappy => state.walk(named, chosen).await,
        Opponent::Perfect | Opponent::Horizon => state.look(named, chosen).await,
    }
}

fn chosen(state: &AppState, open: &GameQuery, asked: &ReplyQuery) -> Result<ReplyChosen, ApiError> {
    let line = words(&asked.line)?;
    let seed = number(asked.seed.as_deref(), "seed", fastrand::u64(..))?;
    let mut random = fastrand::Rng::with_seed(seed);
    if asked.player == Opponent::Random {
        let board = open.target.built.game.board(&line)?;
        let (name, _) = pick(&board.moves, &mut random)?;
        return Ok(ReplyChosen { name: name.clone(), value: None });
    }
    let labels = asked.player == Opponent::Trappy;
    let info = known(state, open, labels, |explorer| Ok(explorer.look(&line)?))?;
    let MoveInfo { name, value, .. } = pick(info.best(), &mut random)?;
    Ok(ReplyChosen { name: name.clone(), value: Some((*value).into()) })
}

/// The best move as far as can be seen, and what it is worth if that is proven.
fn ahead(open: &OpenGame, asked: &ReplyQuery) -> Result<ReplyChosen, ApiError> {
    let depth = number(asked.depth.as_deref(), "depth", 4)?;
    if !(1..=FARTHEST).contains(&depth) {
        return Err(ApiError::bad(format!("'depth' is {depth}, not 1 to {FARTHEST}")));
    }
    let horizon = Horizon {
        depth: depth as u32,
        time: Some(LOOKING),
        weights: Weights::default(),
        seed: number(asked.seed.as_deref(), "seed", fastrand::u64(..))?,
        memory: REMEMBERED,
    };
    let line = words(&asked.line)?;
    let mut advice = open.target.built.game.advise(&line, &horizon, &Patience::new())?;
    if advice.moves.is_empty() {
        return Err(ApiError::bad("the game is over, so there is no move"));
    }
    let best = advice.moves.swap_remove(0);
    Ok(ReplyChosen { name: best.name, value: best.value.map(value::Value::from) })
}

fn pick<'a, T>(moves: &'a [T], random: &mut fastrand::Rng) -> Result<&'a T, ApiError> {
    match moves.len() {
        0 => Err(ApiError::bad("the game is over, so there is no move")),
        count => Ok(&moves[random.usize(..count)]),
    }
}

/// How a game went: a step for each position.
#[derive(Serialize)]
struct GameHistory {
    steps: Vec<HistoryStep>,
}

#[derive(Serialize)]
struct HistoryStep {
    /// The move that led here; none to the first position.
    #[serde(rename = "move")]
    name: Option<String>,
    /// Who is to move here.
    mover: &'static str,
    value: Option<value::Value>,
    /// The value for the player who began.
    for_first: Option<value::Value>,
    /// What the best move there would have been worth to the player who moved.
    best: Option<value::Value>,
    /// Whether the move threw away a better outcome.
    mistake: bool,
}

pub async fn history(
    State(state): State<Arc<AppState>>,
    Ask(at): Ask<Where>,
) -> Result<Response, ApiError> {
    state
        .walk(at.named(), move |state, open| {
            let line = at.words()?;
            let (game, line) =
                (&open.target.built.game, open.target.built.game.board(&line)?.place.line);
            // No move leads to the position that a line may begin with.
            let placed = !line.is_empty() && game.board(&line[..1])?.last.is_empty();
            let from = usize::from(placed);
            // Each position is played from the start, so that long games take their time.
            let patience = Patience::new();
            let values = look(state, open, false, |explorer| {
                let glance = |n: usize| {
                    patience.hold()?;
                    Ok(explorer.glance(&line[..n])?)
                };
                (from..=line.len()).map(glance).collect()
            })?;
            Ok(GameHistory { steps: steps(game, &line, from, (values, &patience))? })
        })
        .await
}

fn steps(
    game: &ErasedGame,
    line: &[String],
    from: usize,
    (values, patience): (Option<Vec<PositionInfo>>, &Patience),
) -> Result<Vec<HistoryStep>, ApiError> {
    let mut steps = vec![];
    for n in from..=line.len() {
        let at = values.as_ref().map(|values| &values[n - from]);
        let before = (n > from).then(|| values.as_ref().map(|values| &values[n - from - 1]));
        let before = before.flatten();
        let mover = match at {
            Some(at) => at.place.mover,
            None => {
                patience.hold()?;
                game.board(&line[..n])?.place.mover
            }
        };
        let mistake = before.zip(at).is_some_and(|(before, at)| {
            let got = at.value.back(before.place.mover == at.place.mover);
            before.value.outcome() != got.outcome() && !(even(before.value) && even(got))
        });
        steps.push(HistoryStep {
            name: (n > from).then(|| line[n - 1].clone()),
            mover: side(mover),
            value: at.map(|at| at.value.into()),
            for_first: at.map(|at| seen_by_first(at).into()),
            best: before.map(|before| before.value.into()),
            mistake,
        });
    }
    Ok(steps)
}

fn even(value: Value) -> bool {
    matches!(value, Value::Tie(_) | Value::Draw)
}

fn seen_by_first(at: &PositionInfo) -> Value {
    match (at.place.mover, at.value) {
        (1, Value::Win(n)) => Value::Loss(n),
        (1, Value::Loss(n)) => Value::Win(n),
        (_, value) => value,
    }
}

#[derive(Deserialize)]
pub struct TreeQuery {
    #[serde(flatten)]
    named: Named,
    #[serde(default)]
    line: String,
    #[serde(default)]
    plies: Option<String>,
}

#[derive(Serialize)]
struct Tree {
    position: String,
    value: value::Value,
    moves: Vec<TreeBranch>,
    /// Whether there is more than is told.
    cut: bool,
}

#[derive(Serialize)]
struct TreeBranch {
    #[serde(rename = "move")]
    name: String,
    value: value::Value,
    best: bool,
    moves: Vec<TreeBranch>,
}

/// The most branches of a tree, and the most plies.
const MOST_BRANCHES: usize = 400;
const MOST_PLIES: u64 = 6;

pub async fn tree(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<TreeQuery>,
) -> Result<Response, ApiError> {
    state
        .walk(asked.named.clone(), move |state, open| {
            let line = words(&asked.line)?;
            let plies = number(asked.plies.as_deref(), "plies", 2)?.min(MOST_PLIES);
            known(state, open, false, |explorer| {
                let info = explorer.look(&line)?;
                let mut left = MOST_BRANCHES;
                let moves = branches(explorer, &info, plies, &mut left)?;
                let (position, value) = (info.place.notation, info.value.into());
                Ok(Tree { position, value, moves, cut: left == 0 })
            })
        })
        .await
}

fn branches(
    explorer: &dyn Explorer,
    at: &PositionInfo,
    plies: u64,
    left: &mut usize,
) -> Result<Vec<TreeBranch>, ApiError> {
    if plies == 0 {
        return Ok(vec![]);
    }
    let shown = at.moves.len().min(*left);
    *left -= shown;
    let mut all = vec![];
    for one in &at.moves[..shown] {
        let moves = match plies > 1 && *left > 0 {
            true => {
                let to =
                    explorer.look(&[&at.place.line[..], slice::from_ref(&one.name)].concat())?;
                branches(explorer, &to, plies - 1, left)?
            }
            false => vec![],
        };
        let (value, best) = (one.value.into(), one.equals(&at.moves[0]));
        all.push(TreeBranch { name: one.name.clone(), value, best, moves });
    }
    Ok(all)
}

#[derive(Deserialize)]
pub struct FindQuery {
    #[serde(flatten)]
    named: Named,
    what: Sought,
    #[serde(default)]
    seed: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Sought {
    DeepestWin,
    DeepestLoss,
    RandomWin,
    RandomLoss,
    RandomTie,
    RandomDraw,
    Random,
}

impl Sought {
    fn fits(self, value: Value) -> bool {
        match self {
            Sought::DeepestWin | Sought::RandomWin => matches!(value, Value::Win(_)),
            Sought::DeepestLoss | Sought::RandomLoss => matches!(value, Value::Loss(_)),
            Sought::RandomTie => matches!(value, Value::Tie(_)),
            Sought::RandomDraw => value == Value::Draw,
            Sought::Random => true,
        }
    }

    fn is_deepest(self) -> bool {
        matches!(self, Sought::DeepestWin | Sought::DeepestLoss)
    }
}

#[derive(Serialize)]
struct PositionFound {
    line: Vec<String>,
    value: value::Value,
    /// Among how many different positions it was found.
    met: usize,
    /// Whether these are all there are.
    exact: bool,
}

/// How long a search takes at most, and how many positions it meets.
const SEARCH: (Duration, usize) = (Duration::from_millis(700), 20_000);

pub async fn find(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<FindQuery>,
) -> Result<Response, ApiError> {
    state
        .walk(asked.named.clone(), move |state, open| {
            let seed = number(asked.seed.as_deref(), "seed", fastrand::u64(..))?;
            let found = |explorer: &dyn Explorer| {
                let mut walk = RandomWalk::new(explorer, asked.what, seed);
                walk.run()?;
                Ok((walk.best, walk.met.len(), walk.open.is_empty()))
            };
            let (best, met, exact) = known(state, open, false, found)?;
            match best {
                Some((line, value)) => Ok(PositionFound { line, value: value.into(), met, exact }),
                None => {
                    let all = if exact { "there is no such position" } else { "none was found" };
                    let line = format!("{all}, among {} positions", Count(met as u64));
                    Err(ApiError::new(Kind::NotFound, line))
                }
            }
        })
        .await
}

/// Positions from the start on, in no order, each once.
struct RandomWalk<'a> {
    explorer: &'a dyn Explorer,
    what: Sought,
    random: fastrand::Rng,
    met: HashSet<(u64, usize)>,
    /// Lines to positions whose moves have not been followed.
    open: Vec<Vec<String>>,
    /// How many fit so far, and the one that is taken of them.
    fitting: u64,
    best: Option<(Vec<String>, Value)>,
}

impl<'a> RandomWalk<'a> {
    fn new(explorer: &'a dyn Explorer, what: Sought, seed: u64) -> RandomWalk<'a> {
        RandomWalk {
            explorer,
            what,
            random: fastrand::Rng::with_seed(seed),
            met: HashSet::new(),
            open: vec![vec![]],
            fitting: 0,
            best: None,
        }
    }

    fn run(&mut self) -> Result<(), ApiError> {
        let began = Instant::now();
        while !self.open.is_empty() && self.met.len() < SEARCH.1 && began.elapsed() < SEARCH.0 {
            // Mostly deeper into the game, or nothing but openings would be met.
            let last = self.open.len() - 1;
            let place = if self.random.u8(..4) > 0 { last } else { self.random.usize(..=last) };
            let line = self.open.swap_remove(place);
            let at = self.explorer.look(&line)?;
            if !self.met.insert((at.place.key, at.place.mover)) {
                continue;
            }
            let mut moves: Vec<&MoveInfo> = at.moves.iter().collect();
            self.random.shuffle(&mut moves);
            for one in moves {
                self.open.push([&at.place.line[..], slice::from_ref(&one.name)].concat());
            }
            self.weigh(at.place.line, at.value);
        }
        Ok(())
    }

    fn weigh(&mut self, line: Vec<String>, value: Value) {
        if !self.what.fits(value) {
            return;
        }
        self.fitting += 1;
        let better = match (&self.best, self.what.is_deepest()) {
            (None, _) => true,
            (Some((_, best)), true) => value.remoteness() > best.remoteness(),
            // Each of those met is equally likely to be the one.
            (Some(_), false) => self.random.u64(..self.fitting) == 0,
        };
        if better {
            self.best = Some((line, value));
        }
    }
}
