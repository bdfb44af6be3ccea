//! Ratings are Elo's: a player who is rated 400 higher is expected to score 10 for each 1 of the
//! other (R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39
//! (1952)). A win for the highest stake scores 1, a tie one half, and whatever lies between in
//! proportion: so where all wins are alike, ties count half; and where stakes differ it is the
//! payoffs that count, and not how often somebody wins a little. Of all ratings those are given
//! that make the results the most likely. A player who wins every game has no greatest rating; so
//! all have, besides, one tie with a player of the average rating, which moves ratings that are
//! well known by next to nothing.
//!
//! Standard errors are of the distance from the average. They come from the curvature of the
//! likelihood, that is, the Fisher information, and from how much the scores vary: from game to
//! game as they did, but no more than the model has it (the "sandwich"; P. J. Huber, "The Behavior
//! of Maximum Likelihood Estimates under Nonstandard Conditions", Berkeley Symposium 5 (1967)).
//! Exact meetings do not vary, though they have the weight of played ones. That players may beat
//! each other in a circle, which no ratings can tell, is not in them.

/// What the first of two players scored against the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeetingScore {
    /// By number.
    pub players: [usize; 2],
    /// In the average game, from 0 to 1.
    pub score: f64,
    /// The standard error of that.
    pub error: f64,
}

/// A rating, where the average is [`Rating::AVERAGE`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo's number.
    pub elo: f64,
    /// The standard error of its distance from the average.
    pub error: f64,
}

impl Rating {
    /// The average of all ratings.
    pub const AVERAGE: f64 = 1500.0;

    /// Half the width of the interval that has the true rating within it with 95 % confidence.
    pub fn margin(&self) -> f64 {
        WIDE * self.error
    }
}

/// How many standard errors either way make 95 %.
pub(super) const WIDE: f64 = 1.96;

/// The ratings of all players, from meetings of `games` games each.
pub fn ratings(players: usize, games: u64, results: &[MeetingScore]) -> Vec<Rating> {
    let (games, mut strength) = (games as f64, vec![0.0; players]);
    let mut inverse = vec![];
    for _ in 0..1000 {
        let (slope, information) = slope(&strength, games, results);
        inverse = inverted(information);
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
        // Far from the top the way is right, but its length may be much too great.
        let longest = step.iter().fold(1.0, |most: f64, step| most.max(step.abs()));
        strength.iter_mut().zip(&step).for_each(|(at, step)| *at += step / longest);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let average = strength.iter().sum::<f64>() / players as f64;
    let rated = |(i, at): (usize, &f64)| Rating {
        elo: Rating::AVERAGE + scale * (at - average),
        error: scale * variance(&inverse, i, &strength, games, results).sqrt(),
    };
    strength.iter().enumerate().map(rated).collect()
}

/// The score that one may expect who is so much stronger.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// How the logarithm of the likelihood rises with each strength, and its curvature with the sign
/// changed, that is, the information.
fn slope(strength: &[f64], games: f64, results: &[MeetingScore]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope = vec![0.0; strength.len()];
    let mut information = vec![vec![0.0; strength.len()]; strength.len()];
    for (i, at) in strength.iter().enumerate() {
        let likely = expected(*at);
        slope[i] += 0.5 - likely;
        information[i][i] += likely * (1.0 - likely);
    }
    for &MeetingScore { players: [a, b], score, .. } in results {
        let likely = expected(strength[a] - strength[b]);
        let (gain, known) = (games * (score - likely), games * likely * (1.0 - likely));
        for (i, j, sign) in [(a, b, 1.0), (b, a, -1.0)] {
            slope[i] += sign * gain;
            information[i][i] += known;
            information[i][j] -= known;
        }
    }
    (slope, information)
}

/// The variance of one strength's distance from the average.
fn variance(
    inverse: &[Vec<f64>],
    player: usize,
    strength: &[f64],
    games: f64,
    results: &[MeetingScore],
) -> f64 {
    let players = inverse.len();
    // How that distance moves with the score of each player.
    let pull: Vec<f64> = (0..players)
        .map(|j| {
            let average = inverse.iter().map(|row| row[j]).sum::<f64>() / players as f64;
            inverse[player][j] - average
        })
        .collect();
    let modelled = |difference: f64| expected(difference) * (1.0 - expected(difference));
    let tied = pull.iter().zip(strength).map(|(pull, at)| pull * pull * modelled(*at));
    let met = results.iter().map(|&MeetingScore { players: [a, b], error, .. }| {
        let seen = (games * error).powi(2);
        let varied = seen.min(games * modelled(strength[a] - strength[b]));
        (pull[a] - pull[b]).powi(2) * varied
    });
    tied.chain(met).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric matrix whose diagonal outweighs the rest of each row, by elimination;
/// such a one needs no exchange of rows.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|j| f64::from(u8::from(i == j))));
    }
    for i in 0..count {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|entry| *entry /= pivot);
        let taken = matrix[i].clone();
        for (j, row) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i];
            row.iter_mut().zip(&taken).for_each(|(entry, taken)| *entry -= factor * taken);
            debug_assert!(row[i].abs() < 1e-6 * (1.0 + factor.abs()), "{j}");
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}
