//! Positions by label, and whether tables and games are as they should be.

use std::collections::BTreeMap;

use crabwise::{
    Value as GameValue, Verdict,
    analysis::{
        check::Checked,
        label::{Bridge, Island, Label, LabelCounts},
        verify::Mismatch,
    },
};
use serde::{Serialize, Serializer};

use crate::{rows::id, value::Value};

/// How many islands have which label: everything that comes before the islands themselves.
#[derive(Serialize)]
pub struct LabelHead<'a> {
    game: &'a str,
    start: String,
    start_key: &'a str,
    total: u64,
    #[serde(serialize_with = "in_order")]
    counts: &'a BTreeMap<Label, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    literal: Option<LiteralHead<'a>>,
    /// Where the islands were written, if not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

#[derive(Serialize)]
struct LiteralHead<'a> {
    #[serde(serialize_with = "in_order")]
    counts: &'a BTreeMap<Label, u64>,
    wrong: u64,
}

/// Labels as names, in their own order.
fn in_order<S: Serializer>(counts: &BTreeMap<Label, u64>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.iter().map(|(label, n)| (label.to_string(), n)))
}

impl<'a> LabelHead<'a> {
    /// The counts of the game of this string.
    pub fn new(game: &'a str, counts: &'a LabelCounts, file: Option<String>) -> LabelHead<'a> {
        LabelHead {
            game,
            start: counts.start_label.to_string(),
            start_key: &counts.start,
            total: counts.islands,
            counts: &counts.counts,
            literal: (counts.literal.as_ref())
                .map(|(counts, wrong)| LiteralHead { counts, wrong: *wrong }),
            file,
        }
    }
}

/// A position and its label.
#[derive(Serialize)]
pub struct LabelledIsland<'a> {
    key: &'a str,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    literal: Option<String>,
    /// The least number of moves in which play can come back to where it has been, if it is drawn and that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<u32>,
    /// How it ended for the player to move, if that is neither a loss nor to be continued.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    /// Where the moves lead, unless that was not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    bridges: Option<Vec<BridgeEnd<'a>>>,
}

/// Where a bridge leads.
#[derive(Serialize)]
#[serde(untagged)]
enum BridgeEnd<'a> {
    Plain(&'a str),
    Again { to: &'a str, again: bool },
}

impl<'a> LabelledIsland<'a> {
    /// An island with its bridges, if they are known and wanted.
    pub fn new(island: &'a Island, repeats: Option<u32>, bridges: bool) -> LabelledIsland<'a> {
        let end = |bridge: &'a Bridge| match bridge.again {
            false => BridgeEnd::Plain(&bridge.to),
            true => BridgeEnd::Again { to: &bridge.to, again: true },
        };
        let ended = bridges && island.bridges.is_empty();
        LabelledIsland {
            key: &island.key,
            label: island.label.to_string(),
            literal: island.literal.map(|label| label.to_string()),
            repeats,
            outcome: ended.then(|| other_end(island.value)).flatten(),
            bridges: bridges.then(|| island.bridges.iter().map(end).collect()),
        }
    }
}

/// How a game ended for the player to move, if that has not lost.
pub fn other_end(value: GameValue) -> Option<&'static str> {
    match value {
        GameValue::Win(_) => Some("win"),
        GameValue::Tie(_) => Some("tie"),
        GameValue::Loss(_) | GameValue::Draw => None,
    }
}

/// Labels as they are given, round by round.
#[derive(Serialize)]
pub struct LabelTrace<'a> {
    /// What comes of it.
    #[serde(flatten)]
    pub head: LabelHead<'a>,
    /// The rounds.
    pub rounds: Vec<LabelRound<'a>>,
}

/// The labels that are given at a time.
#[derive(Serialize)]
pub struct LabelRound<'a> {
    /// Its number, from 1.
    pub round: usize,
    /// What gives them: `ends`, `backwards`, `traps`, `carried`, `untrapped` or `densities`.
    pub rule: &'static str,
    /// The rule in words.
    pub words: String,
    /// The islands.
    pub islands: Vec<GivenLabel<'a>>,
}

/// A label that is given.
#[derive(Serialize)]
pub struct GivenLabel<'a> {
    /// The island.
    pub key: &'a str,
    /// Its label.
    pub label: String,
    /// The islands at the ends of those of its bridges that are the reason.
    pub because: Vec<&'a str>,
}

/// What the rules say of a table.
#[derive(Serialize)]
pub struct Verify {
    game: String,
    ok: bool,
    checked: u64,
    wrong: u64,
    mismatches: Vec<Wrong>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
}

#[derive(Serialize)]
struct Wrong {
    id: String,
    position: String,
    stored: Option<Value>,
    derived: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Verify {
    /// The verdict on the table of the game of this string.
    pub fn new(game: &str, verdict: &Verdict) -> Verify {
        let wrong = |mismatch: &Mismatch| Wrong {
            id: id(mismatch.slot),
            position: mismatch.position.clone(),
            stored: mismatch.stored.map(Value::from),
            derived: mismatch.derived.as_ref().ok().map(|value| (*value).into()),
            why: mismatch.derived.as_ref().err().cloned(),
        };
        Verify {
            game: game.into(),
            ok: verdict.ok(),
            checked: verdict.checked,
            wrong: verdict.wrong,
            mismatches: verdict.mismatches.iter().map(wrong).collect(),
            damage: None,
        }
    }

    /// A table that cannot be read to its end.
    pub fn damaged(game: &str, damage: String) -> Verify {
        let mismatches = vec![];
        let damage = Some(damage);
        Verify { game: game.into(), ok: false, checked: 0, wrong: 0, mismatches, damage }
    }
}

/// Somebody's file, compared with the table.
#[derive(Serialize)]
pub struct Compared<'a> {
    /// The game string.
    pub game: &'a str,
    /// Where the file is.
    pub file: &'a str,
    /// What it was taken for.
    pub form: &'a str,
    /// Whether it agrees everywhere.
    pub ok: bool,
    /// How many of its entries were compared.
    pub compared: u64,
    /// How many entries differ.
    pub differing: u64,
    /// The first of those.
    pub differences: Vec<DifferingEntry<'a>>,
}

/// An entry of somebody's file that the table contradicts.
#[derive(Serialize)]
pub struct DifferingEntry<'a> {
    /// Where it is in the file.
    pub place: &'a str,
    /// The position.
    pub position: &'a str,
    /// What the file says.
    pub file: &'a str,
    /// What the table says.
    pub table: &'a str,
}

/// Whether a game keeps its contracts.
#[derive(Serialize)]
pub struct Check {
    game: String,
    ok: bool,
    contracts: Vec<Contract>,
}

#[derive(Serialize)]
struct Contract {
    contract: &'static str,
    checked: u64,
    complete: bool,
    broken: Option<String>,
}

impl Check {
    /// Each contract of the game of this string.
    pub fn new(game: &str, checked: &[Checked]) -> Check {
        let contract = |checked: &Checked| Contract {
            contract: checked.contract,
            checked: checked.checked,
            complete: checked.complete,
            broken: checked.broken.clone(),
        };
        Check {
            game: game.into(),
            ok: checked.iter().all(|checked| checked.broken.is_none()),
            contracts: checked.iter().map(contract).collect(),
        }
    }
}
