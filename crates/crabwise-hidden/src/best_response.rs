//! Best responses, and strategies judged by them.
//!
//! Against a fixed plan of the other player each sequence earns a known amount by itself, its gradient. So one pass
//! over a player's information sets, from the last to the first, finds the best move at each and what it is worth.

#[cfg(test)]
mod tests;

use crate::{
    rules::Player,
    sequence_form::{SequenceForm, Treeplex},
};

/// What two strategies are worth, and how far from an equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// What the first player gets when the two play each other.
    pub value: f64,
    /// The most that each player can get against the other's strategy.
    pub best: [f64; 2],
}

impl Judged {
    /// What a player gains, on average over both, who answers best. Never below zero but for rounding.
    pub fn exploitability(&self) -> f64 {
        (self.best[0] + self.best[1]) / 2.0
    }

    /// Between which bounds the value of the game lies, for the first player: what the first strategy guarantees,
    /// and what the second cannot be forced to give up.
    pub fn bounds(&self) -> [f64; 2] {
        [-self.best[1], self.best[0]]
    }
}

/// The value of a best response to whatever the gradient was taken against. Each sequence's own gain in the gradient
/// becomes the most that follows from it: the moves with the most are the best response.
pub(crate) fn best_response(plex: &Treeplex, gradient: &mut [f64]) -> f64 {
    for info_set in (0..plex.info_sets()).rev() {
        let moves = &gradient[plex.at(info_set)];
        let best = moves.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        gradient[plex.parent(info_set)] += best;
    }
    gradient[0]
}

impl SequenceForm {
    /// The most that follows from each of a player's sequences against a plan of the other.
    pub(crate) fn best_response_values(&self, player: Player, plan: &[f64]) -> Vec<f64> {
        let plex = &self.treeplexes[player as usize];
        let mut gradient = vec![0.0; plex.sequences()];
        self.gradient(player, plan, &mut gradient);
        best_response(plex, &mut gradient);
        gradient
    }

    /// What a behaviour guarantees its player, in the player's own payoffs.
    pub(crate) fn guaranteed(&self, player: Player, behaviour: &[f64]) -> f64 {
        let plan = self.treeplexes[player as usize].realization_plan(behaviour);
        -self.best_response_values(player.other(), &plan)[0]
    }

    /// Judges a pair of behaviours.
    pub fn judge(&self, behaviours: [&[f64]; 2]) -> Judged {
        let mut value = 0.0;
        let best = Player::BOTH.map(|player| {
            let (p, q) = (player as usize, player.other() as usize);
            let (own, other) = (&self.treeplexes[p], &self.treeplexes[q]);
            let mut gradient = vec![0.0; own.sequences()];
            self.gradient(player, &other.realization_plan(behaviours[q]), &mut gradient);
            if player == Player::First {
                value = own.expected_value(behaviours[p], &mut gradient.clone());
            }
            best_response(own, &mut gradient)
        });
        Judged { value, best }
    }
}
