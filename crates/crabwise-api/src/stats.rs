//! How many positions are worth what, and how far from the end.

use crabwise::Stats;
use serde::Serialize;

use crate::value::{Outcomes, Value};

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
    /// Positions that the player to move wins, for each that the player to move loses.
    win_loss_ratio: Option<f64>,
    /// As text: a number may be larger than what a script takes for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_bound: Option<String>,
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
    /// `bound` is how many positions there are at most, by a formula.
    pub fn new(game: &str, stats: &Stats, bound: Option<u128>) -> StatsOf {
        let rows = stats.remoteness.iter().enumerate();
        let tiers = stats.tiers.iter();
        let told = |n| stats.start.has_distance().then_some(n);
        StatsOf {
            game: game.into(),
            start: stats.start.into(),
            counts: stats.counts.into(),
            longest: told(stats.longest()),
            longest_win: told(stats.longest_win()),
            mean_moves: stats.mean_moves(),
            win_loss_ratio: stats.counts.win_loss_ratio(),
            upper_bound: bound.map(|bound| bound.to_string()),
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
