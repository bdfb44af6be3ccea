//! Numbers of things that are kept once, found by a hash of the thing, without a copy of it.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Hashes that are mixed already.
#[derive(Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mix(self.0, u32::from(*byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A map by hashes that are mixed already.
pub(crate) type ByHash<T> = HashMap<u64, T, BuildHasherDefault<Mixed>>;

/// A hash with one more number in it.
#[inline]
pub(crate) fn mix(key: u64, number: u32) -> u64 {
    let mixed = (key ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A hash of some numbers.
pub(crate) fn hash(first: u32, rest: &[u32]) -> u64 {
    rest.iter().fold(mix(1, first), |key, number| mix(key, *number))
}

/// Numbers from 0, in chains of those with the same hash.
#[derive(Default)]
pub(crate) struct Chains {
    first: ByHash<u32>,
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Chains {
    /// The number with this hash that is meant.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.first.get(&hash).copied().unwrap_or(NONE);
        while at != NONE {
            if is(at) {
                return Some(at);
            }
            at = self.next[at as usize];
        }
        None
    }

    /// The next number gets this hash.
    pub(crate) fn add(&mut self, hash: u64) -> u32 {
        let number = self.next.len() as u32;
        let before = self.first.insert(hash, number);
        self.next.push(before.unwrap_or(NONE));
        number
    }
}
