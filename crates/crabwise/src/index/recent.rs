//! What was met lately, of bounded size.

use std::{collections::HashMap, hash::Hash, mem};

use super::ByKey;

/// What was met lately, by its key. What comes while the last half of the room is full makes those go that were not met
/// since the half before it was.
pub(crate) struct Recent<K, V> {
    last: HashMap<K, V, ByKey>,
    before: HashMap<K, V, ByKey>,
    /// The weight of the last ones, and up to which it may grow.
    weight: usize,
    half: usize,
    weigh: fn(&V) -> usize,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    pub(crate) fn new(half: usize, weigh: fn(&V) -> usize) -> Recent<K, V> {
        let (last, before) = Default::default();
        Recent { last, before, weight: 0, half, weigh }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        if let Some(found) = self.last.get(key) {
            return Some(found.clone());
        }
        let (key, found) = self.before.remove_entry(key)?;
        self.put(key, found.clone());
        Some(found)
    }

    pub(crate) fn put(&mut self, key: K, value: V) {
        self.weight += (self.weigh)(&value);
        self.last.insert(key, value);
        if self.weight > self.half {
            (self.before, self.weight) = (mem::take(&mut self.last), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn the_last_are_there_and_never_too_many() {
        let mut recent = Recent::new(100, |weight: &usize| *weight);
        for key in 0..1000 {
            recent.put(key, 10);
            assert_eq!(recent.get(&5).is_some(), key >= 5, "what is met again stays");
            let there = (0..1000)
                .filter(|key| recent.last.contains_key(key) || recent.before.contains_key(key));
            assert!((key.min(10)..=22).contains(&there.count()), "{key}");
            assert_eq!(recent.get(&key), Some(10));
        }
    }
}
