//! What words in a file mean, whatever its form.

use crabwise::Outcome;
use crabwise_graphfile::quotable;

/// The two letters in a text such as `AB`.
pub(in crate::graph) fn turn_letters(text: &str) -> Result<[char; 2], String> {
    let letters: Vec<char> = text.chars().take(3).collect();
    match letters[..] {
        [a, b] if a != b && !a.is_whitespace() && !b.is_whitespace() => Ok([a, b]),
        _ => Err(format!("turns '{}' must be two different letters, such as AB", quotable(text))),
    }
}

/// The outcome that a word means.
pub(super) fn outcome_named(word: &str) -> Option<Outcome> {
    match word.trim().to_ascii_lowercase().as_str() {
        "win" => Some(Outcome::Win),
        "loss" => Some(Outcome::Loss),
        "tie" | "draw" => Some(Outcome::Tie),
        _ => None,
    }
}

pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Loss => "loss",
        Outcome::Tie => "tie",
        Outcome::Win => "win",
    }
}

/// Whether a word says yes or no to moving again.
pub(in crate::graph) fn again_named(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "again" | "true" | "1" | "yes" => Some(true),
        "" | "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// The only letter of a text.
pub(in crate::graph) fn one_letter(word: &str) -> Result<char, String> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(letter),
        _ => Err(format!("the owner '{}' must be one letter", quotable(word))),
    }
}
