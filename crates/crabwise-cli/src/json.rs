//! The JSON that scripts rely on. Names here are promises: add to them, never change them. What a page
//! relies on too is in [`crabwise_web::json`].

pub mod hidden;

use std::collections::BTreeMap;

use crabwise::{
    Extent, Plan, Solved, Summary, Verdict,
    analysis::check::Checked,
    analysis::label::{Island, Label, LabelCounts},
    analysis::verify::Mismatch,
    cost::forecast::Way,
    explore::advise::{self, Advice},
    explore::{PositionInfo, VariationEnd},
    game::theory::Prediction,
    table::Pace,
    watch::TeamStage,
};
use crabwise_hidden::league::{Meeting, Standing};
use crabwise_web::json::{Choice, Move, Outcomes, Predicted, Value};
pub use crabwise_web::json::{Games, StatsOf, id, side};
use serde::{Serialize, Serializer};

use crate::{
    book::{self, Book, Then},
    commands::{
        league::Results,
        look::Looked,
        plan,
        survey::{self, Tally},
    },
};

/// One object on one line.
pub fn line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("names are strings and nothing else can fail") + "\n"
}

pub fn error(line: &str) -> String {
    serde_json::json!({ "error": line }).to_string()
}

/// What a run took.
#[derive(Serialize, Clone, Copy)]
pub struct Cost {
    pub wall_seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub peak_bytes: Option<u64>,
}

#[derive(Serialize)]
pub struct Solve {
    game: String,
    start: Value,
    best: Vec<String>,
    #[serde(flatten)]
    counts: Outcomes,
    longest: Option<u32>,
    longest_win: Option<u32>,
    #[serde(flatten)]
    cost: Cost,
    table: String,
    table_bytes: u64,
    table_hash: String,
    /// Microseconds to open the table and read a value, and to read another one.
    lookup_first_us: f64,
    lookup_us: f64,
    solver: Option<String>,
    plan: Option<String>,
    why: Option<&'static str>,
    predicted_bytes: Option<u64>,
    resumed_tiers: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
}

/// Who solved a game together.
#[derive(Serialize)]
pub struct Team {
    workers: usize,
    exchanged_bytes: u64,
}

impl From<TeamStage> for Team {
    fn from(TeamStage { workers, exchanged, .. }: TeamStage) -> Team {
        Team { workers, exchanged_bytes: exchanged }
    }
}

impl Solve {
    pub fn new(
        game: &str,
        (table, pace): (String, Pace),
        solved: &Solved,
        best: &[&str],
        cost: Cost,
    ) -> Solve {
        let Summary { start, counts, longest, longest_win } = solved.summary;
        let mut solve = Solve {
            game: game.into(),
            start: start.into(),
            best: best.iter().map(|name| name.to_string()).collect(),
            counts: counts.into(),
            longest: start.is_told().then_some(longest),
            longest_win: start.is_told().then_some(longest_win),
            cost,
            table,
            table_bytes: solved.bytes,
            table_hash: format!("{:032x}", solved.hash),
            lookup_first_us: pace.first.as_secs_f64() * 1e6,
            lookup_us: pace.next.as_secs_f64() * 1e6,
            solver: solved.plan.as_ref().map(|plan| plan.solver.to_string()),
            plan: None,
            why: None,
            predicted_bytes: None,
            resumed_tiers: solved.resumed,
            team: None,
        };
        solve.explain(solved.plan.as_ref());
        solve
    }

    /// Adds how it was solved, or would be.
    pub fn explain(&mut self, plan: Option<&Plan>) {
        self.plan = plan.map(Plan::to_string);
        self.why = plan.map(|plan| plan.why);
        self.predicted_bytes = plan.map(|plan| plan.memory);
    }
}

/// What solving a game would take.
#[derive(Serialize)]
pub struct Planned<'a> {
    game: &'a str,
    solver: String,
    slots: u64,
    slots_estimated: bool,
    largest_tier: u64,
    tiers: usize,
    memory_bytes: u64,
    streamed_bytes: Option<u64>,
    seconds: f64,
    cpu_seconds: f64,
    table_bytes: u64,
    scratch_bytes: u64,
    cluster: PlannedCluster,
    assumptions: Vec<String>,
}

/// The same on many machines.
#[derive(Serialize)]
struct PlannedCluster {
    machines: u64,
    cores: u64,
    memory_limit_bytes: u64,
    /// `null` where the game has to be walked, and each worker has what it found.
    whole_bytes: Option<u64>,
    parts_bytes: u64,
    /// `whole`, `parts`, or `null` where it does not fit.
    later_tiers: Option<&'static str>,
    exchanged_bytes: u64,
    busiest_bytes: u64,
    seconds: Option<f64>,
    computing_seconds: f64,
    sending_seconds: f64,
    writing_seconds: f64,
}

impl<'a> Planned<'a> {
    pub fn new(planned: &plan::Planned<'a>) -> Planned<'a> {
        let plan::Planned { sample, fleet, cluster, here, .. } = planned;
        let later_tiers = match cluster.way {
            Way::Whole => Some("whole"),
            Way::Parts => Some("parts"),
            Way::No => None,
        };
        let seconds = cluster.computing + cluster.sending + cluster.writing;
        Planned {
            game: planned.game,
            solver: sample.solver.to_string(),
            slots: cluster.slots,
            slots_estimated: matches!(sample.extent, Extent::Estimated { .. }),
            largest_tier: cluster.largest,
            tiers: sample.tiers.len(),
            memory_bytes: sample.memory,
            streamed_bytes: sample.streamed,
            seconds: here.computing + here.writing,
            cpu_seconds: here.work,
            table_bytes: cluster.table as u64,
            scratch_bytes: cluster.scratch as u64,
            cluster: PlannedCluster {
                machines: fleet.machines,
                cores: fleet.cores,
                memory_limit_bytes: fleet.memory,
                whole_bytes: cluster.whole,
                parts_bytes: cluster.parts,
                later_tiers,
                exchanged_bytes: cluster.exchanged as u64,
                busiest_bytes: if fleet.machines > 1 { cluster.busiest as u64 } else { 0 },
                seconds: later_tiers.map(|_| seconds),
                computing_seconds: cluster.computing,
                sending_seconds: cluster.sending,
                writing_seconds: cluster.writing,
            },
            assumptions: plan::assumptions(planned),
        }
    }
}

#[derive(Serialize)]
pub struct Look {
    game: String,
    line: Vec<String>,
    /// Only where turns take several decisions, like the choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<Vec<String>>,
    picture: String,
    notation: String,
    mover: &'static str,
    over: bool,
    winner: Option<&'static str>,
    value: Value,
    /// `N` or `P`, in impartial games.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<Choice>>,
    moves: Vec<Move>,
    perfect: Vec<Move>,
    perfect_end: &'static str,
    /// Only at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<Vec<Predicted>>,
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
    pub fn new(game: &str, info: &PositionInfo) -> Glance {
        Glance {
            game: game.into(),
            line: info.line.clone(),
            mover: side(info.mover),
            over: info.over.is_some(),
            value: info.value.into(),
            outcome_class: info.class(),
        }
    }
}

impl Look {
    pub fn new(looked: &Looked) -> Look {
        let Looked { game, info, perfect, predictions } = looked;
        let told = |one: &Prediction| Predicted::new(one, info.value);
        let won = info.over.and_then(|outcome| outcome.winner(info.mover));
        let choices = || info.choices(&info.made).into_iter().map(Choice::from).collect();
        Look {
            game: game.to_string(),
            line: info.line.clone(),
            made: info.compound().then(|| info.made.clone()),
            picture: info.picture.clone(),
            notation: info.notation.clone(),
            mover: side(info.mover),
            over: info.over.is_some(),
            winner: won.map(side),
            value: info.value.into(),
            outcome_class: info.class(),
            nimber: info.nimber,
            label: info.label.map(|label| label.to_string()),
            choices: info.compound().then(choices),
            moves: info.moves.iter().map(Move::from).collect(),
            perfect: perfect.moves.iter().map(Move::from).collect(),
            perfect_end: match perfect.end {
                VariationEnd::Over => "over",
                VariationEnd::Circle => "circle",
                VariationEnd::Cut => "cut",
            },
            predictions: (!predictions.is_empty()).then(|| predictions.iter().map(told).collect()),
        }
    }
}

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

#[derive(Serialize)]
pub struct LabelledIsland<'a> {
    key: &'a str,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    literal: Option<String>,
}

impl<'a> From<&'a Island> for LabelledIsland<'a> {
    fn from(island: &'a Island) -> LabelledIsland<'a> {
        let literal = island.literal.map(|label| label.to_string());
        LabelledIsland { key: &island.key, label: island.label.to_string(), literal }
    }
}

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
    moves: Vec<AdvisedMove<'a>>,
}

#[derive(Serialize)]
struct AdvisedMove<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    value: Option<Value>,
    label: String,
}

impl<'a> Advised<'a> {
    pub fn new(game: &'a str, advice: &'a Advice, seed: u64, seconds: f64) -> Advised<'a> {
        let one = |one: &'a advise::AdvisedMove| AdvisedMove {
            name: &one.name,
            value: one.value.map(Value::from),
            label: one.label.to_string(),
        };
        Advised {
            game,
            line: &advice.line,
            picture: &advice.picture,
            mover: side(advice.mover),
            over: advice.over.is_some(),
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

#[derive(Serialize)]
pub struct Play<'a> {
    pub game: &'a str,
    pub line: &'a [String],
    /// Who won, `tie`, `draw`, or null for a game that was left.
    pub result: Option<&'static str>,
    pub seed: u64,
}

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

    pub fn damaged(game: &str, damage: String) -> Verify {
        let mismatches = vec![];
        let damage = Some(damage);
        Verify { game: game.into(), ok: false, checked: 0, wrong: 0, mismatches, damage }
    }
}

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

/// What an export has to tell when it is done.
#[derive(Serialize)]
pub struct Export<'a> {
    pub game: &'a str,
    pub file: String,
    pub positions: u64,
}

/// What a drawing of a position has to tell when it is done.
#[derive(Serialize)]
pub struct Drawing<'a> {
    pub game: &'a str,
    pub line: &'a [String],
    pub file: String,
}

/// A family of games, and who wins each.
#[derive(Serialize)]
pub struct Survey<'a> {
    game: &'a str,
    family: Option<&'a str>,
    /// What sizes are counted in, if they are.
    unit: Option<&'a str>,
    rows: Vec<Surveyed<'a>>,
    outcomes: &'a BTreeMap<String, u64>,
    conjectures: Vec<Conjecture<'a>>,
    theorems: u64,
    contradicted: &'a [String],
}

#[derive(Serialize)]
struct Surveyed<'a> {
    n: u64,
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    outcome: &'a str,
    remoteness: Option<u64>,
    nimber: Option<u64>,
    winning_moves: u64,
    winning_kinds: Option<u64>,
    seconds: f64,
    notes: &'a str,
}

#[derive(Serialize)]
struct Conjecture<'a> {
    by: &'a str,
    games: u64,
    wrong: u64,
}

impl<'a> Survey<'a> {
    pub fn new(
        (game, family, unit): (&'a str, Option<&'a str>, Option<&'a str>),
        rows: &'a [survey::Row],
        tally: &'a Tally,
    ) -> Survey<'a> {
        let row = |row: &'a survey::Row| Surveyed {
            n: row.n,
            game: &row.game,
            size: row.size,
            outcome: &row.outcome,
            remoteness: row.distance,
            nimber: row.nimber,
            winning_moves: row.winning,
            winning_kinds: row.kinds,
            seconds: row.seconds,
            notes: &row.notes,
        };
        let conjecture = |(by, [games, wrong]): (&'a String, &[u64; 2])| {
            let (games, wrong) = (*games, *wrong);
            Conjecture { by, games, wrong }
        };
        Survey {
            game,
            family,
            unit,
            rows: rows.iter().map(row).collect(),
            outcomes: &tally.outcomes,
            conjectures: tally.conjectures.iter().map(conjecture).collect(),
            theorems: tally.theorems,
            contradicted: &tally.contradicted,
        }
    }
}

/// Players against each other. Payoffs are the first player's, scores go from 0 for the greatest
/// loss to 1 for the greatest win, margins are half the width of a 95 % interval; an exact pairing
/// has none and no games.
#[derive(Serialize)]
pub struct League<'a> {
    game: &'a str,
    seed: u64,
    games: u64,
    /// The best first.
    players: Vec<Rated<'a>>,
    pairings: Vec<Pairing<'a>>,
}

#[derive(Serialize)]
struct Rated<'a> {
    player: &'a str,
    elo: f64,
    elo_standard_error: f64,
    score: f64,
    exploitability: Option<f64>,
}

#[derive(Serialize)]
struct Pairing<'a> {
    first: &'a str,
    second: &'a str,
    games: u64,
    exact: bool,
    payoff: f64,
    margin: f64,
}

impl<'a> League<'a> {
    pub fn new(results: &'a Results) -> League<'a> {
        let player = |one: &Standing| Rated {
            player: &results.names[one.player],
            elo: one.rating.elo,
            elo_standard_error: one.rating.error,
            score: one.score,
            exploitability: one.exploitability,
        };
        let pairing = |met: &Meeting| Pairing {
            first: &results.names[met.players[0]],
            second: &results.names[met.players[1]],
            games: met.games,
            exact: met.games == 0,
            payoff: met.mean,
            margin: met.margin,
        };
        League {
            game: &results.game,
            seed: results.seed,
            games: results.games,
            players: results.standings.iter().map(player).collect(),
            pairings: results.pairings.iter().map(pairing).collect(),
        }
    }
}

/// How the winner plays: a move for each position, and for each move of the other side the number
/// of the position it leads to, or null where it ends the game.
#[derive(Serialize)]
pub struct Booked<'a> {
    game: &'a str,
    line: &'a [String],
    winner: &'static str,
    /// A theorem's words on how the winner plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'a str>,
    /// The first moves of the other side, if it begins.
    openings: Vec<Reply<'a>>,
    entries: Vec<BookedEntry<'a>>,
}

#[derive(Serialize)]
struct BookedEntry<'a> {
    entry: usize,
    line: &'a [String],
    position: &'a str,
    #[serde(rename = "move")]
    play: &'a str,
    wins: bool,
    then: Vec<Reply<'a>>,
}

#[derive(Serialize)]
struct Reply<'a> {
    moves: &'a [String],
    entry: Option<usize>,
    /// Whether the entry's position is another one, the same up to a symmetry.
    mirrored: bool,
}

impl<'a> Booked<'a> {
    pub fn new(game: &'a str, book: &'a Book, words: Option<&'a str>) -> Booked<'a> {
        let reply = |one: &'a Then| Reply {
            moves: &one.moves,
            entry: one.entry.map(|i| i + 1),
            mirrored: one.mirrored,
        };
        let entry = |(i, entry): (usize, &'a book::Entry)| BookedEntry {
            entry: i + 1,
            line: &entry.line,
            position: &entry.position,
            play: &entry.play,
            wins: entry.wins,
            then: entry.then.iter().map(reply).collect(),
        };
        Booked {
            game,
            line: &book.line,
            winner: side(book.winner),
            words,
            openings: book.openings.iter().map(reply).collect(),
            entries: book.entries.iter().enumerate().map(entry).collect(),
        }
    }
}

/// What a book has to tell when it is written into a file.
#[derive(Serialize)]
pub struct BookFile<'a> {
    pub game: &'a str,
    pub file: String,
    pub entries: usize,
}

/// What an export in the original's form has to tell.
#[derive(Serialize)]
pub struct Originals<'a> {
    pub game: &'a str,
    pub files: &'a [String],
    pub bytes: &'a [u64],
    /// Slots that an earlier run had done.
    pub resumed: u64,
}

#[derive(Serialize)]
pub struct Bench<'a> {
    pub runs: &'a [Run],
}

/// One game of the bench.
#[derive(Serialize)]
pub struct Run {
    pub game: String,
    pub solver: Option<String>,
    pub positions: u64,
    pub wall_seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub peak_bytes: Option<u64>,
    pub table_bytes: u64,
    pub bytes_a_position: f64,
    pub nanoseconds_a_position: f64,
}

impl Run {
    /// Reads what `solve --json` printed.
    pub fn read(output: &[u8]) -> Option<Run> {
        let solve: serde_json::Value = serde_json::from_slice(output).ok()?;
        let positions = solve["positions"].as_u64()?;
        let (wall_seconds, table_bytes) =
            (solve["wall_seconds"].as_f64()?, solve["table_bytes"].as_u64()?);
        Some(Run {
            game: solve["game"].as_str()?.into(),
            solver: solve["solver"].as_str().map(str::to_string),
            positions,
            wall_seconds,
            cpu_seconds: solve["cpu_seconds"].as_f64(),
            peak_bytes: solve["peak_bytes"].as_u64(),
            table_bytes,
            bytes_a_position: table_bytes as f64 / positions.max(1) as f64,
            nanoseconds_a_position: wall_seconds * 1e9 / positions.max(1) as f64,
        })
    }
}
