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

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_is_kept_once() {
        let [one, other] = ["mark(1,2)", "mark(1,2)"].map(|word| super::keep(word).unwrap());
        assert!(std::ptr::eq(one, other));
    }
}
