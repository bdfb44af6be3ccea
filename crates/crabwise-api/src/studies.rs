//! Games played, families surveyed, leagues, books and benches.

use std::collections::BTreeMap;

use crabwise::explore::book::{self, Book, Then};
use crabwise_hidden::league::{Meeting, Standing};
use serde::Serialize;

use crate::value::side;

/// A game that was played.
#[derive(Serialize)]
pub struct Play<'a> {
    /// The game string.
    pub game: &'a str,
    /// The moves.
    pub line: &'a [String],
    /// Who won, `tie`, `draw`, or null for a game that was left.
    pub result: Option<&'static str>,
    /// What random moves were drawn with.
    pub seed: u64,
}

/// A family of games, and who wins each.
#[derive(Serialize)]
pub struct Survey<'a> {
    /// The game string without the number.
    pub game: &'a str,
    /// Where the number goes, if not at the end.
    pub family: Option<&'a str>,
    /// What sizes are counted in, if they are.
    pub unit: Option<&'a str>,
    /// A row a game.
    pub rows: &'a [Surveyed],
    /// How many games have which outcome.
    pub outcomes: &'a BTreeMap<String, u64>,
    /// What is conjectured.
    pub conjectures: Vec<Conjecture<'a>>,
    /// Of how many games theorems tell.
    pub theorems: u64,
    /// The theorems that do not agree, each with its game.
    pub contradicted: &'a [String],
}

/// The variants of a game in the dark on boards of many sizes.
#[derive(Serialize)]
pub struct DarkSurvey<'a> {
    /// The game string without a board.
    pub game: &'a str,
    /// A row a game.
    pub rows: &'a [DarkSurveyed],
}

/// What was found of a game in the dark within the time and the memory for it.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct DarkSurveyed {
    /// The game string.
    pub game: String,
    /// For the first player; null if nothing was found.
    pub value: Option<f64>,
    /// By how much the value may be wrong; 0 if it was proved.
    pub error: Option<f64>,
    /// The value as a fraction, if it was proved.
    pub fraction: Option<String>,
    /// Histories, the empty one and complete ones included, as text; null if they could not be counted.
    pub histories: Option<String>,
    /// Information sets of both players.
    pub information_sets: Option<u64>,
    /// `certain` where a player wins with probability one, else the method; `stakes` and `even` where there was time for
    /// bounds only, by what there is to win, or by making all moves equally likely.
    pub method: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// What was in the way, if something was.
    pub note: String,
}

/// One game of a family.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Surveyed {
    /// Its number in the family.
    pub n: u64,
    /// The game string.
    pub game: String,
    /// In the unit of the theory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// `N` or `P` in impartial games, else the outcome for the player who begins.
    pub outcome: String,
    /// How far the start is from the end, unless a search found the outcome.
    pub remoteness: Option<u64>,
    /// The start's nimber, where it is quickly found.
    pub nimber: Option<u64>,
    /// How many first moves win.
    pub winning_moves: u64,
    /// How many of these are not alike, where the game can tell.
    pub winning_kinds: Option<u64>,
    /// How long it took.
    pub seconds: f64,
    /// Which predictions do not agree.
    pub notes: String,
}

/// What somebody conjectures of the games of a family.
#[derive(Serialize)]
pub struct Conjecture<'a> {
    /// Whose conjecture it is.
    pub by: &'a str,
    /// Of how many games it tells.
    pub games: u64,
    /// Of how many it is wrong.
    pub wrong: u64,
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
    /// A league between players of these names; `games` counts those of each pairing.
    pub fn new(
        (game, seed, games): (&'a str, u64, u64),
        names: &'a [String],
        standings: &[Standing],
        pairings: &[Meeting],
    ) -> League<'a> {
        let player = |one: &Standing| Rated {
            player: &names[one.player],
            elo: one.rating.elo,
            elo_standard_error: one.rating.error,
            score: one.score,
            exploitability: one.exploitability,
        };
        let pairing = |met: &Meeting| Pairing {
            first: &names[met.players[0]],
            second: &names[met.players[1]],
            games: met.games,
            exact: met.games == 0,
            payoff: met.mean,
            margin: met.margin,
        };
        League {
            game,
            seed,
            games,
            players: standings.iter().map(player).collect(),
            pairings: pairings.iter().map(pairing).collect(),
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
    /// The book on the game of this string.
    pub fn new(game: &'a str, book: &'a Book, words: Option<&'a str>) -> Booked<'a> {
        let reply = |one: &'a Then| Reply {
            moves: &one.moves,
            entry: one.entry.map(|i| i + 1),
            mirrored: one.mirrored,
        };
        let entry = |(i, entry): (usize, &'a book::Entry)| BookedEntry {
            entry: i + 1,
            line: &entry.place.line,
            position: &entry.place.notation,
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

/// How fast a few small games are solved.
#[derive(Serialize)]
pub struct Bench<'a> {
    /// A run a game.
    pub runs: &'a [Run],
}

/// One game of a bench.
#[derive(Serialize)]
pub struct Run {
    /// The game string.
    pub game: String,
    /// How it was solved.
    pub solver: Option<String>,
    /// How many positions it has.
    pub positions: u64,
    /// Seconds on the clock.
    pub wall_seconds: f64,
    /// Seconds of all cores, where the machine tells.
    pub cpu_seconds: Option<f64>,
    /// The most memory in use, where the machine tells.
    pub peak_bytes: Option<u64>,
    /// The size of the table.
    pub table_bytes: u64,
    /// The size of the table by position.
    pub bytes_a_position: f64,
    /// Time on the clock by position.
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
