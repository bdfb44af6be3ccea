//! A position: what it looks like, what can be done, and what that is worth.

use crabwise::{
    Picture,
    explore::{
        Board, ChoiceInfo, MoveInfo, PositionInfo, Variation, VariationEnd,
        advise::{self, Advice},
    },
    game::theory,
};
use serde::Serialize;

use crate::{
    drawing::Drawing,
    value::{Value, side},
};

/// A position. `value`, `nimber`, `label` and the values of choices and moves are null where nobody knows
/// them; then choices and moves are in the order of the rules, and otherwise best first.
#[derive(Serialize)]
pub struct Position {
    game: String,
    line: Vec<String>,
    /// What has been decided of a turn that is not finished.
    made: Vec<String>,
    /// The decisions of the last move.
    last: Vec<String>,
    picture: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<Drawing>,
    drawn: bool,
    notation: String,
    readable: bool,
    /// What the files call it in which the game was published before.
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<String>,
    mover: &'static str,
    over: bool,
    winner: Option<&'static str>,
    /// Whether values are known.
    solved: bool,
    value: Option<Value>,
    /// `N` or `P`, in impartial games.
    outcome_class: Option<&'static str>,
    nimber: Option<u32>,
    label: Option<String>,
    words: String,
    choices: Vec<Choice>,
    moves: Vec<Move>,
    /// Moves that one might try and the rules forbid; left out in games that have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    barred: Vec<BarredMove>,
    #[serde(flatten)]
    perfect: Option<Perfect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<Vec<Prediction>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

/// A move that the rules forbid.
#[derive(Serialize)]
struct BarredMove {
    #[serde(rename = "move")]
    name: String,
    /// What it would do, such as "would make a sink at 3".
    why: String,
}

#[derive(Serialize)]
struct Perfect {
    perfect: Vec<Move>,
    perfect_end: &'static str,
}

impl Position {
    /// The position as the rules have it, with its values where they are known.
    pub fn new(game: &str, board: Board, info: Option<&PositionInfo>) -> Position {
        let won = board.place.over.and_then(|outcome| outcome.winner(board.place.mover));
        let (choices, moves) = match info {
            Some(info) => {
                (info.choices(&info.place.made), info.moves.iter().map(Move::from).collect())
            }
            None => (board.choices(), Move::unjudged(&board)),
        };
        let choices = choices.into_iter().map(Choice::from).collect();
        Position {
            game: game.into(),
            words: sentence(&board, info),
            barred: board.barred.into_iter().map(|(name, why)| BarredMove { name, why }).collect(),
            line: board.place.line,
            made: board.place.made,
            last: board.last,
            picture: board.place.text,
            drawing: None,
            drawn: board.drawn,
            notation: board.place.notation,
            readable: board.place.readable,
            published: board.published,
            mover: side(board.place.mover),
            over: board.place.over.is_some(),
            winner: won.map(side),
            solved: info.is_some(),
            value: info.map(|info| info.value.into()),
            outcome_class: info.and_then(PositionInfo::class),
            nimber: info.and_then(|info| info.nimber),
            label: info.and_then(|info| info.label.map(|label| label.to_string())),
            choices,
            moves,
            perfect: None,
            predictions: None,
            command: None,
        }
    }

    /// Adds perfect play from here.
    pub fn with_perfect_play(self, play: &Variation) -> Position {
        let perfect = moves(play);
        Position { perfect: Some(Perfect { perfect, perfect_end: end(play) }), ..self }
    }

    /// Adds what has been said of the start, where there is something.
    pub fn with_predictions(
        self,
        predictions: &[theory::Prediction],
        value: crabwise::Value,
    ) -> Position {
        let told = |one| Prediction::judged(one, value);
        let predictions = (!predictions.is_empty()).then(|| predictions.iter().map(told).collect());
        Position { predictions, ..self }
    }

    /// Adds the position as shapes.
    pub fn with_drawing(self, picture: Picture) -> Position {
        Position { drawing: Some(picture.into()), ..self }
    }

    /// Adds the words that show this position at a prompt.
    pub fn with_command(self, command: String) -> Position {
        Position { command: Some(command), ..self }
    }
}

/// The moves of a line of perfect play.
pub fn moves(play: &Variation) -> Vec<Move> {
    play.moves.iter().map(Move::from).collect()
}

/// Why a line of perfect play stops.
pub fn end(play: &Variation) -> &'static str {
    match play.end {
        VariationEnd::Over => "over",
        VariationEnd::Circle => "circle",
        VariationEnd::Cut => "cut",
    }
}

/// Who wins at a position, and nothing else.
#[derive(Serialize)]
pub struct Glance {
    game: String,
    line: Vec<String>,
    mover: &'static str,
    over: bool,
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<&'static str>,
}

impl Glance {
    /// Of the game of this string.
    pub fn new(game: &str, info: &PositionInfo) -> Glance {
        Glance {
            game: game.into(),
            line: info.place.line.clone(),
            mover: side(info.place.mover),
            over: info.place.over.is_some(),
            value: info.value.into(),
            outcome_class: info.class(),
        }
    }
}

/// A move.
#[derive(Serialize)]
pub struct Move {
    #[serde(rename = "move")]
    name: String,
    /// Only where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Vec<String>>,
    /// What it is worth, once that is known.
    value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Where it leads, once the game is solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// Equal for moves at a position that are alike, where the game can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

impl Move {
    fn unjudged(board: &Board) -> Vec<Move> {
        let one = |(name, decisions): &(String, Vec<String>)| Move {
            name: name.clone(),
            decisions: (decisions.len() > 1).then(|| decisions.clone()),
            value: None,
            label: None,
            position: None,
            kind: None,
        };
        board.moves.iter().map(one).collect()
    }
}

impl From<&MoveInfo> for Move {
    fn from(info: &MoveInfo) -> Move {
        Move {
            name: info.name.clone(),
            decisions: (info.decisions.len() > 1).then(|| info.decisions.clone()),
            value: Some(info.value.into()),
            label: info.label.map(|label| label.to_string()),
            position: Some(info.to.clone()),
            // Numbers of that size are not the same in every language.
            kind: info.kind.map(|kind| format!("{kind:016x}")),
        }
    }
}

/// One decision of a turn: its value is that of the best move that begins so, `moves` is how many
/// do, and `completes` the move that is made with it.
#[derive(Serialize)]
pub struct Choice {
    choice: String,
    /// What it is worth, once that is known.
    value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    moves: usize,
    completes: Option<String>,
}

impl From<ChoiceInfo> for Choice {
    fn from(info: ChoiceInfo) -> Choice {
        let ChoiceInfo { name, value, label, moves, completes } = info;
        let label = label.map(|label| label.to_string());
        Choice { choice: name, value: value.map(Into::into), label, moves, completes }
    }
}

/// What somebody says of who wins and, once that is known, whether it is so.
#[derive(Serialize)]
pub struct Prediction {
    by: String,
    outcome: &'static str,
    proven: bool,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

impl Prediction {
    /// With whether the game turned out so.
    pub fn judged(prediction: &theory::Prediction, value: crabwise::Value) -> Prediction {
        let agrees = Some(prediction.outcome.is_that_of(value));
        Prediction { agrees, ..prediction.into() }
    }
}

impl From<&theory::Prediction> for Prediction {
    fn from(prediction: &theory::Prediction) -> Prediction {
        let &theory::Prediction { ref by, outcome, proven, ref words } = prediction;
        Prediction {
            by: by.clone(),
            outcome: crabwise::Value::from(outcome).outcome(),
            proven,
            words: words.clone(),
            agrees: None,
        }
    }
}

/// The best move as far as a search of limited depth can tell.
#[derive(Serialize)]
pub struct Advised<'a> {
    game: &'a str,
    line: &'a [String],
    picture: &'a str,
    mover: &'static str,
    over: bool,
    advice: Option<&'a str>,
    proven: bool,
    value: Option<Value>,
    depth: u32,
    positions: u64,
    seconds: f64,
    seed: u64,
    moves: Vec<MoveAdvice<'a>>,
}

#[derive(Serialize)]
struct MoveAdvice<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    value: Option<Value>,
    label: String,
}

impl<'a> Advised<'a> {
    /// Advice on the game of this string, and how long it took.
    pub fn new(game: &'a str, advice: &'a Advice, seed: u64, seconds: f64) -> Advised<'a> {
        let one = |one: &'a advise::AdvisedMove| MoveAdvice {
            name: &one.name,
            value: one.value.map(Value::from),
            label: one.label.to_string(),
        };
        Advised {
            game,
            line: &advice.place.line,
            picture: &advice.place.text,
            mover: side(advice.place.mover),
            over: advice.place.over.is_some(),
            advice: advice.moves.first().map(|one| one.name.as_str()),
            proven: advice.proven(),
            value: advice.value.map(Value::from),
            depth: advice.depth,
            positions: advice.positions,
            seconds,
            seed,
            moves: advice.moves.iter().map(one).collect(),
        }
    }
}

/// Who wins, in words.
fn sentence(board: &Board, info: Option<&PositionInfo>) -> String {
    let player = |mover: usize| format!("the {} player", side(mover));
    if let Some(outcome) = board.place.over {
        return match outcome.winner(board.place.mover) {
            Some(winner) => format!("The game is over: {} has won.", player(winner)),
            None => "The game is over: a tie.".into(),
        };
    }
    let Some(info) = info else {
        return capital(&format!("{} is to move.", player(board.place.mover)));
    };
    let so_far = match info.place.made.is_empty() {
        true => String::new(),
        false => format!("after {}, ", info.place.made.join(" ")),
    };
    let distance = |n: u32| match n {
        crabwise::Value::UNKNOWN_DISTANCE => String::new(),
        n => format!(" in {n}"),
    };
    let wins = |mover, n| format!("{} wins{} with perfect play.", player(mover), distance(n));
    let ends = match info.worth() {
        crabwise::Value::Win(n) => wins(info.place.mover, n),
        crabwise::Value::Loss(n) => wins(1 - info.place.mover, n),
        crabwise::Value::Tie(n) => format!("perfect play ends in a tie{}.", distance(n)),
        crabwise::Value::Draw => "perfect play never ends: a draw.".into(),
    };
    capital(&(so_far + &ends))
}

fn capital(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
