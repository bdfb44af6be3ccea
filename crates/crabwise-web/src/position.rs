//! A position: what it looks like, what can be done, and what that is worth.

use std::{
    sync::{Arc, Mutex, MutexGuard, TryLockError},
    thread,
    time::Duration,
};

use axum::{extract::State, response::Response};
use crabwise::{
    Job, Picture, Value,
    explore::{Board, Explorer, PositionInfo},
    game::picture::{Form, Shape, Tone},
};
use serde::{Deserialize, Serialize};

use crate::{
    games::is_searchable,
    guard::words,
    house::{House, Named},
    jobs::Patience,
    json::{Choice, Move, side},
    open::Open,
    refusal::{Ask, Kind, Refusal},
};

/// A position that is asked for.
#[derive(Deserialize)]
pub struct Where {
    game: String,
    file: Option<String>,
    #[serde(default)]
    line: String,
    /// Whether even positions are told apart by their traps.
    #[serde(default)]
    labels: u8,
}

impl Where {
    pub fn named(&self) -> Named {
        Named { game: self.game.clone(), file: self.file.clone() }
    }

    pub fn words(&self) -> Result<Vec<String>, Refusal> {
        words(&self.line)
    }

    pub fn labels(&self) -> bool {
        self.labels != 0
    }
}

#[derive(Serialize)]
pub struct Position {
    game: String,
    line: Vec<String>,
    made: Vec<String>,
    last: Vec<String>,
    picture: String,
    drawing: Drawing,
    drawn: bool,
    notation: String,
    readable: bool,
    mover: &'static str,
    over: bool,
    winner: Option<&'static str>,
    /// Whether values are known.
    solved: bool,
    value: Option<crate::json::Value>,
    outcome_class: Option<&'static str>,
    nimber: Option<u32>,
    label: Option<String>,
    words: String,
    choices: Vec<Choice>,
    moves: Vec<Move>,
    command: String,
}

pub async fn position(
    State(house): State<Arc<House>>,
    Ask(at): Ask<Where>,
) -> Result<Response, Refusal> {
    house.answer(move |house| shown(house, &at)).await
}

fn shown(house: &House, at: &Where) -> Result<Position, Refusal> {
    let (open, line) = (house.game(&at.named())?, at.words()?);
    let board = open.built.game.board(&line)?;
    let info = look(house, &open, at.labels(), |explorer| Ok(explorer.look(&line)?))?;
    let won = board.over.and_then(|outcome| outcome.winner(board.mover));
    let command = format!("{} look {}", house.program, open.string());
    let command = [&[command], &board.line[..], &board.made].concat().join(" ");
    let (choices, moves) = match &info {
        Some(info) => (
            info.choices(&info.made).into_iter().map(Choice::from).collect(),
            info.moves.iter().map(Move::from).collect(),
        ),
        None => (Choice::unjudged(&board), Move::unjudged(&board)),
    };
    Ok(Position {
        game: open.string().into(),
        words: sentence(&board, info.as_ref()),
        mover: side(board.mover),
        over: board.over.is_some(),
        winner: won.map(side),
        solved: info.is_some(),
        value: info.as_ref().map(|info| info.value.into()),
        outcome_class: info.as_ref().and_then(PositionInfo::class),
        nimber: info.as_ref().and_then(|info| info.nimber),
        label: info.as_ref().and_then(|info| info.label.map(|label| label.to_string())),
        choices,
        moves,
        line: board.line,
        made: board.made,
        last: board.last,
        picture: board.text,
        drawing: board.picture.into(),
        drawn: board.drawn,
        notation: board.notation,
        readable: board.readable,
        command,
    })
}

/// Asks whoever knows the values of a game: its table or, where that can be done without, a search.
/// `None` if nobody does.
pub fn look<T>(
    house: &House,
    open: &Open,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, Refusal>,
) -> Result<Option<T>, Refusal> {
    let Some(reading) = open.reading()? else {
        if labels || !is_searchable(open) {
            return Ok(None);
        }
        let patience = Patience::new();
        let Some(_turn) = turn(&house.search, &patience) else {
            return Err(Refusal::new(Kind::Busy, "others are searching; try again"));
        };
        let job = Job { memory: SEARCH_BYTES, ..open.job(&patience) };
        let found = open.built.game.ask(&job).map(|explorer| ask(&*explorer)).transpose();
        // Where a search gives up, nobody knows; that is no reason not to show the rest.
        return match found {
            Err(refusal) if refusal.is_too_large() => Ok(None),
            found => found,
        };
    };
    if !labels {
        return ask(reading.explorer()).map(Some);
    }
    match open.labelled()? {
        Some(labelled) => ask(labelled.explorer()).map(Some),
        None => {
            let line = format!("the traps of {} have not been worked out yet", open.string());
            Err(Refusal::needs("traps", line))
        }
    }
}

/// A turn, if it comes before patience ends.
fn turn<'a>(search: &'a Mutex<()>, patience: &Patience) -> Option<MutexGuard<'a, ()>> {
    loop {
        match search.try_lock() {
            Ok(turn) => return Some(turn),
            Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) if patience.is_over() => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// What a search for one position may remember.
const SEARCH_BYTES: u64 = 128 << 20;

/// The same where there is no answer without values.
pub fn known<T>(
    house: &House,
    open: &Open,
    labels: bool,
    ask: impl Fn(&dyn Explorer) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    look(house, open, labels, ask)?.ok_or_else(|| {
        Refusal::needs("solve", format!("{} has not been solved yet", open.string()))
    })
}

/// Who wins, in words.
fn sentence(board: &Board, info: Option<&PositionInfo>) -> String {
    let player = |mover: usize| format!("the {} player", side(mover));
    if let Some(outcome) = board.over {
        return match outcome.winner(board.mover) {
            Some(winner) => format!("The game is over: {} has won.", player(winner)),
            None => "The game is over: a tie.".into(),
        };
    }
    let Some(info) = info else { return capital(&format!("{} is to move.", player(board.mover))) };
    let worth = info.worth();
    let so_far = match info.made.is_empty() {
        true => String::new(),
        false => format!("after {}, ", info.made.join(" ")),
    };
    let distance = |n: &u32| match *n {
        Value::UNTOLD => String::new(),
        n => format!(" in {n}"),
    };
    capital(&match &worth {
        Value::Win(n) => {
            format!("{so_far}{} wins{} with perfect play.", player(info.mover), distance(n))
        }
        Value::Loss(n) => {
            format!("{so_far}{} wins{} with perfect play.", player(1 - info.mover), distance(n))
        }
        Value::Tie(n) => format!("{so_far}perfect play ends in a tie{}.", distance(n)),
        Value::Draw => format!("{so_far}perfect play never ends: a draw."),
    })
}

fn capital(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl Move {
    fn unjudged(board: &Board) -> Vec<Move> {
        let one = |(name, decisions): &(String, Vec<String>)| {
            Move::unknown(name.clone(), decisions.clone())
        };
        board.moves.iter().map(one).collect()
    }
}

impl Choice {
    /// The next decisions, in the order of the rules.
    fn unjudged(board: &Board) -> Vec<Choice> {
        let mut choices: Vec<(String, usize, Option<String>)> = vec![];
        for (name, decisions) in &board.moves {
            let Some([next, rest @ ..]) = decisions.get(board.made.len()..) else { continue };
            match choices.iter_mut().find(|(known, ..)| known == next) {
                Some((_, moves, _)) => *moves += 1,
                None => {
                    choices.push((next.clone(), 1, rest.is_empty().then(|| name.clone())));
                }
            }
        }
        let one = |(name, moves, completes)| Choice::unknown(name, moves, completes);
        choices.into_iter().map(one).collect()
    }
}

/// A picture as JSON.
#[derive(Serialize)]
pub struct Drawing {
    width: f64,
    height: f64,
    shapes: Vec<Drawn>,
}

#[derive(Serialize)]
struct Drawn {
    #[serde(flatten)]
    form: Shaped,
    tone: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "form", rename_all = "lowercase")]
enum Shaped {
    Area { points: Vec<[f64; 2]> },
    Line { from: [f64; 2], to: [f64; 2], arrow: bool },
    Disc { at: [f64; 2], radius: f64 },
    Text { at: [f64; 2], text: String },
}

/// Places to a hundredth, which is less than a pixel.
fn round([x, y]: [f64; 2]) -> [f64; 2] {
    [x, y].map(|place| (place * 100.0).round() / 100.0)
}

impl From<Picture> for Drawing {
    fn from(Picture { width, height, shapes }: Picture) -> Drawing {
        Drawing { width, height, shapes: shapes.into_iter().map(Drawn::from).collect() }
    }
}

impl From<Shape> for Drawn {
    fn from(Shape { form, tone, name, title }: Shape) -> Drawn {
        let form = match form {
            Form::Area(points) => Shaped::Area { points: points.into_iter().map(round).collect() },
            Form::Line { from, to, arrow } => {
                Shaped::Line { from: round(from), to: round(to), arrow }
            }
            Form::Disc { at, radius } => Shaped::Disc { at: round(at), radius },
            Form::Text { at, text } => Shaped::Text { at: round(at), text },
        };
        let tone = match tone {
            Tone::Board => "board",
            Tone::Shade => "shade",
            Tone::Gone => "gone",
            Tone::First => "first",
            Tone::Second => "second",
            Tone::Piece => "piece",
            Tone::Played => "played",
            Tone::Hint => "hint",
            Tone::Move => "move",
            Tone::Last => "last",
            Tone::Win => "win",
            Tone::Even => "even",
            Tone::Loss => "loss",
            Tone::Label => "label",
        };
        Drawn { form, tone, name, title }
    }
}
