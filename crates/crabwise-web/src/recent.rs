//! What was used last, so that the next answers need not make it again: bounded by bytes, and by number.

use std::sync::{Arc, Mutex};

use crate::{lock::lock, request::Named};

/// How many bytes of open games are kept, at most, of either sort.
const MOST_OPEN: u64 = 128 << 20;
/// What a game with hidden information counts: two of them are kept.
pub const DARK: u64 = MOST_OPEN / 2 - (1 << 20);
/// How many games are kept of either sort: their tables take descriptors, and the rules of some many megabytes.
const MOST_GAMES: usize = 24;

/// How much memory something takes, about.
pub trait Weighed {
    fn bytes(&self) -> u64;
    /// Whether somebody solved it, so that others are forgotten first.
    fn is_solved(&self) -> bool {
        false
    }
}

/// What was used last, up to a limit of bytes.
pub struct Recent<T> {
    /// The last one used comes last.
    list: Mutex<Vec<(Named, Arc<T>)>>,
}

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { list: Mutex::default() }
    }
}

impl<T: Weighed> Recent<T> {
    /// Keeps something under a name. Two may have made the same at the same time, and the first is kept.
    pub fn keep(&self, named: &Named, made: Arc<T>) -> Arc<T> {
        if let Some(found) = self.find(named) {
            return found;
        }
        let mut list = lock(&self.list);
        list.push((named.clone(), made.clone()));
        // The newest is kept for its next answers, whatever it weighs.
        while list.len() > 1 && !fits(&list) {
            let unsolved = list[..list.len() - 1].iter().position(|(_, one)| !one.is_solved());
            list.remove(unsolved.unwrap_or(0));
        }
        made
    }

    pub fn find(&self, named: &Named) -> Option<Arc<T>> {
        let mut list = lock(&self.list);
        let place = list.iter().position(|(name, _)| name == named)?;
        let found = list.remove(place);
        list.push(found.clone());
        Some(found.1)
    }
}

fn fits<T: Weighed>(list: &[(Named, Arc<T>)]) -> bool {
    let bytes: u64 = list.iter().map(|(named, one)| named.bytes() + one.bytes()).sum();
    list.len() <= MOST_GAMES && bytes <= MOST_OPEN
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An odd number is solved.
    impl Weighed for u64 {
        fn bytes(&self) -> u64 {
            *self
        }

        fn is_solved(&self) -> bool {
            self % 2 == 1
        }
    }

    #[test]
    fn open_games_are_bounded_by_bytes() {
        let named = |n: u64| Named { game: n.to_string(), file: None };
        let recent = Recent::default();
        let kept = |recent: &Recent<u64>| lock(&recent.list).len();
        for n in 0..10 {
            recent.keep(&named(n), Arc::new(MOST_OPEN / 4 - 1_000));
            assert!(kept(&recent) <= 4);
        }
        assert!(recent.find(&named(9)).is_some() && recent.find(&named(5)).is_none());
        recent.keep(&named(10), Arc::new(2 * MOST_OPEN));
        assert_eq!(kept(&recent), 1);
        for n in 0..100 {
            recent.keep(&named(n), Arc::new(u64::from(n < 3)));
        }
        assert_eq!(kept(&recent), MOST_GAMES);
        assert!((0..3).all(|n| recent.find(&named(n)).is_some()), "solved ones are kept longer");
    }
}
