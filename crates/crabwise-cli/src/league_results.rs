//! What came of a league: what the command prints and the drawing draws.

use crabwise_api::studies::League;
use crabwise_hidden::league::{Meeting, Standing};

/// A league that has been played.
pub struct Results {
    pub game: String,
    pub seed: u64,
    /// Of each pairing that was played.
    pub games: u64,
    /// Of the players, by number.
    pub names: Vec<String>,
    /// The best first.
    pub standings: Vec<Standing>,
    pub pairings: Vec<Meeting>,
    /// Why nothing was worked out, if so.
    pub unknown: Option<String>,
}

impl Results {
    /// What came of one being first and another second.
    pub fn met(&self, first: usize, second: usize) -> Option<&Meeting> {
        self.pairings.iter().find(|met| met.players == [first, second])
    }

    /// For scripts.
    pub fn json(&self) -> League<'_> {
        let about = (self.game.as_str(), self.seed, self.games);
        League::new(about, &self.names, &self.standings, &self.pairings)
    }
}
