//! Strategies judged by the best answers to them.

use super::{Form, Player};

/// What two strategies are worth, and how far from an equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// What the first player gets when the two play each other.
    pub value: f64,
    /// The most that each player can get against the other's strategy.
    pub best: [f64; 2],
}

impl Judged {
    /// By how much a player gains, on average over both, who answers best. Never below zero but for
    /// rounding.
    pub fn exploitability(&self) -> f64 {
        (self.best[0] + self.best[1]) / 2.0
    }

    /// Between which bounds the value of the game lies, for the first player: what the first
    /// strategy is sure of, and what the second cannot be forced to give up.
    pub fn bounds(&self) -> [f64; 2] {
        [-self.best[1], self.best[0]]
    }
}

impl Form {
    /// Judges a pair of behaviours.
    pub fn judge(&self, behaviours: [&[f64]; 2]) -> Judged {
        let mut value = 0.0;
        let best = Player::BOTH.map(|player| {
            let (p, q) = (player as usize, player.other() as usize);
            let mut reach = vec![0.0; self.plexes[q].sequences()];
            self.plexes[q].reach(behaviours[q], &mut reach);
            let mut gradient = vec![0.0; self.plexes[p].sequences()];
            self.gradient(player, &reach, &mut gradient);
            if player == Player::First {
                value = self.plexes[p].worth(behaviours[p], &mut gradient.clone());
            }
            self.plexes[p].best(&mut gradient)
        });
        Judged { value, best }
    }
}
