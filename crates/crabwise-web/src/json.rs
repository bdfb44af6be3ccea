//! The JSON that scripts and pages rely on. Names here are promises: add to them, never change them.
//!
//! A value is `{"outcome": "win", "remoteness": 7}`, for the side to move, and on a move for the
//! player who makes it; the remoteness of a draw is null. Where only outcomes are kept, every
//! distance is null.

use crabwise::{
    Row, Slot, Stats,
    explore::{ChoiceInfo, MoveInfo},
    game::theory::Prediction,
    table::Counts,
};
use crabwise_games::{Entry, Registry};
use serde::Serialize;

/// What a position is worth.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Value {
    outcome: &'static str,
    remoteness: Option<u32>,
}

impl From<crabwise::Value> for Value {
    fn from(value: crabwise::Value) -> Value {
        Value { outcome: value.outcome(), remoteness: value.remoteness() }
    }
}

/// The games of a registry.
#[derive(Serialize)]
pub struct Games {
    pub(crate) games: Vec<Game>,
}

#[derive(Serialize)]
pub(crate) struct Game {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) parameters: &'static str,
    pub(crate) example: &'static str,
    /// Whether it has hidden information.
    pub(crate) hidden: bool,
}

fn game<G>(entry: &Entry<G>, hidden: bool) -> Game {
    let &Entry { name, about, parameters, example, .. } = entry;
    Game { name, about, parameters, example, hidden }
}

impl Games {
    /// Those in which everything is seen come first.
    pub fn new(registry: &Registry) -> Games {
        let open = registry.entries().iter().map(|entry| game(entry, false));
        let hidden = registry.hidden().iter().map(|entry| game(entry, true));
        Games { games: open.chain(hidden).collect() }
    }
}

/// Positions by outcome.
#[derive(Serialize)]
pub struct Outcomes {
    positions: u64,
    terminal: u64,
    win: u64,
    loss: u64,
    tie: u64,
    draw: u64,
}

impl From<Counts> for Outcomes {
    fn from(counts: Counts) -> Outcomes {
        let Counts { positions, terminal, win, loss, tie, draw } = counts;
        Outcomes { positions, terminal, win, loss, tie, draw }
    }
}

/// A move.
#[derive(Serialize)]
pub struct Move {
    #[serde(rename = "move")]
    pub(crate) name: String,
    /// Only where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decisions: Option<Vec<String>>,
    /// What it is worth, once that is known.
    pub(crate) value: Option<Value>,
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
    /// A move of which only the rules are known.
    pub(crate) fn unknown(name: String, decisions: Vec<String>) -> Move {
        let decisions = (decisions.len() > 1).then_some(decisions);
        Move { name, decisions, value: None, label: None, position: None, kind: None }
    }
}

impl From<&MoveInfo> for Move {
    fn from(info: &MoveInfo) -> Move {
        let decisions = (info.decisions.len() > 1).then(|| info.decisions.clone());
        Move {
            name: info.name.clone(),
            decisions,
            value: Some(info.value.into()),
            label: info.label.map(|label| label.to_string()),
            position: Some(info.to.clone()),
            // Numbers of that size are not the same in every language.
            kind: info.kind.map(|kind| format!("{kind:016x}")),
        }
    }
}

/// What somebody says of who wins, and whether that is so.
#[derive(Serialize)]
pub struct Predicted {
    by: String,
    outcome: &'static str,
    proven: bool,
    words: String,
    agrees: bool,
}

impl Predicted {
    /// With whether the game turned out so.
    pub fn new(prediction: &Prediction, value: crabwise::Value) -> Predicted {
        let &Prediction { ref by, outcome, proven, ref words } = prediction;
        Predicted {
            by: by.clone(),
            outcome: crabwise::Value::from(outcome).outcome(),
            proven,
            words: words.clone(),
            agrees: outcome.is_that_of(value),
        }
    }
}

/// One decision of a turn: its value is that of the best move that begins so, `moves` is how many
/// do, and `completes` the move that is made with it.
#[derive(Serialize)]
pub struct Choice {
    choice: String,
    /// What it is worth, once that is known.
    pub(crate) value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    moves: usize,
    completes: Option<String>,
}

impl Choice {
    /// A decision of which only the rules are known.
    pub(crate) fn unknown(choice: String, moves: usize, completes: Option<String>) -> Choice {
        Choice { choice, value: None, label: None, moves, completes }
    }
}

impl From<ChoiceInfo> for Choice {
    fn from(info: ChoiceInfo) -> Choice {
        let ChoiceInfo { name, value, label, moves, completes } = info;
        let label = label.map(|label| label.to_string());
        Choice { choice: name, value: Some(value.into()), label, moves, completes }
    }
}

/// The players' names in JSON.
pub fn side(mover: usize) -> &'static str {
    if mover == 0 { "first" } else { "second" }
}

/// Statistics of a game.
#[derive(Serialize)]
pub struct StatsOf {
    game: String,
    start: Value,
    #[serde(flatten)]
    counts: Outcomes,
    longest: Option<u32>,
    longest_win: Option<u32>,
    mean_moves: f64,
    remoteness: Vec<Distance>,
    tiers: Vec<Tier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orbits: Option<Outcomes>,
    deepest: Option<Deepest>,
    deepest_wins: Vec<String>,
}

#[derive(Serialize)]
struct Distance {
    n: usize,
    win: u64,
    loss: u64,
    tie: u64,
}

#[derive(Serialize)]
struct Tier {
    tier: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    class: String,
    #[serde(flatten)]
    counts: Outcomes,
    longest: Option<u32>,
    longest_win: Option<u32>,
    longest_loss: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orbits: Option<Outcomes>,
}

#[derive(Serialize)]
struct Deepest {
    value: Value,
    picture: String,
}

impl StatsOf {
    /// Those of the game of this string.
    pub fn new(game: &str, stats: &Stats) -> StatsOf {
        let rows = stats.remoteness.iter().enumerate();
        let tiers = stats.tiers.iter();
        let told = |n| stats.start.is_told().then_some(n);
        StatsOf {
            game: game.into(),
            start: stats.start.into(),
            counts: stats.counts.into(),
            longest: told(stats.longest()),
            longest_win: told(stats.longest_win()),
            mean_moves: stats.mean_moves(),
            remoteness: rows
                .map(|(n, row)| Distance { n, win: row.win, loss: row.loss, tie: row.tie })
                .collect(),
            tiers: tiers
                .map(|stats| Tier {
                    tier: stats.tier,
                    class: stats.class.clone(),
                    counts: stats.counts.into(),
                    longest: told(stats.longest),
                    longest_win: told(stats.longest_win),
                    longest_loss: told(stats.longest_loss),
                    orbits: stats.orbits.map(Outcomes::from),
                })
                .collect(),
            orbits: stats.orbits.map(Outcomes::from),
            deepest: (stats.deepest.as_ref()).map(|(value, picture)| Deepest {
                value: (*value).into(),
                picture: picture.clone(),
            }),
            deepest_wins: stats.deepest_wins.clone(),
        }
    }
}

/// How a position is called in exports.
pub fn id(slot: Slot) -> String {
    format!("{}.{}", slot.tier, slot.index)
}

/// One position of an export.
#[derive(Serialize)]
pub struct Exported<'a> {
    id: String,
    position: &'a str,
    value: Value,
    moves: Vec<ExportedMove<'a>>,
}

#[derive(Serialize)]
struct ExportedMove<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    to: String,
    value: Value,
}

impl<'a> From<&'a Row> for Exported<'a> {
    fn from(row: &'a Row) -> Exported<'a> {
        let one = |(name, to, value): &'a (String, Slot, crabwise::Value)| ExportedMove {
            name,
            to: id(*to),
            value: (*value).into(),
        };
        Exported {
            id: id(row.slot),
            position: &row.position,
            value: row.value.into(),
            moves: row.moves.iter().map(one).collect(),
        }
    }
}
