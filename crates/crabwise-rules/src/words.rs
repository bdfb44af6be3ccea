//! Words that live as long as the program: what moves and observations are called.
//!
//! Moves are copied by the million, so what they are called must be a pointer. Each word is kept once, and all words
//! together have a bound, so that a server that is sent many texts does not grow without end.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// The most bytes of words.
const MOST: usize = 64 << 20;

static WORDS: Mutex<(Option<HashSet<&'static str>>, usize)> = Mutex::new((None, 0));

/// The word, kept for good; `None` if there is no room for more.
pub(crate) fn keep(word: &str) -> Option<&'static str> {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    let (set, bytes) = &mut *words;
    let set = set.get_or_insert_default();
    if let Some(kept) = set.get(word) {
        return Some(kept);
    }
    if *bytes + word.len() + 64 > MOST {
        return None;
    }
    *bytes += word.len() + 64;
    let kept: &'static str = Box::leak(word.into());
    set.insert(kept);
    Some(kept)
}

/// The names in a word, without what parts them.
pub(crate) fn names(word: &str) -> impl Iterator<Item = String> {
    let parts = word.split(|letter: char| "(), -:".contains(letter) || letter.is_whitespace());
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase)
}

/// An order for people: numbers by size, words by letters.
pub(crate) fn natural(word: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = vec![];
    for letter in word.chars() {
        match (letter.to_digit(10), parts.last_mut()) {
            (Some(digit), Some((number, text))) if text.is_empty() => {
                *number = number.saturating_mul(10).saturating_add(digit.into());
            }
            (Some(digit), _) => parts.push((digit.into(), String::new())),
            (None, Some((u64::MAX, text))) => text.push(letter),
            (None, _) => parts.push((u64::MAX, letter.to_string())),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_is_kept_once() {
        let [one, other] = ["mark(1,2)", "mark(1,2)"].map(|word| super::keep(word).unwrap());
        assert!(std::ptr::eq(one, other));
    }
}
