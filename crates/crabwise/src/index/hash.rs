//! The 64-bit key of a position.
//!
//! Tables of walked games are ordered by it, so it is part of the table format and belongs to us:
//! it must be the same on every machine and in every release. Each word is folded in by a 64×64→128
//! bit multiplication whose halves are xored; a salt goes in first, so that the one set in millions
//! in which two keys collide can be numbered with another salt.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The key of a position under a salt.
#[inline]
pub fn key<P: Hash>(at: &P, salt: u64) -> u64 {
    let mut hasher = Folding::salted(salt);
    at.hash(&mut hasher);
    hasher.finish()
}

/// Makes a map find positions by their keys.
pub type ByKey = BuildHasherDefault<Folding>;

/// Folds the words of a position into its key.
pub struct Folding(u64);

impl Default for Folding {
    fn default() -> Folding {
        Folding::salted(0)
    }
}

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide >> 64) as u64 ^ wide as u64
}

impl Folding {
    #[inline]
    fn salted(salt: u64) -> Folding {
        Folding(mix(salt ^ 0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7345))
    }

    #[inline]
    fn fold(&mut self, word: u64) {
        // Adding an odd constant keeps a zero word from erasing the state.
        self.0 = mix(self.0 ^ word, 0x9E37_79B9_7F4A_7C15).wrapping_add(0xA409_3822_299F_31D1);
    }
}

/// Integers that are a word each.
macro_rules! folds {
    ($($write:ident $int:ty),*) => {$(
        #[inline]
        fn $write(&mut self, n: $int) {
            self.fold(n as u64);
        }
    )*};
}

impl Hasher for Folding {
    #[inline]
    fn finish(&self) -> u64 {
        mix(self.0, 0xD6E8_FEB8_6659_FD93)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
        self.fold(bytes.len() as u64);
    }

    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.fold(n as u64);
        self.fold((n >> 64) as u64);
    }

    folds!(write_u8 u8, write_u16 u16, write_u32 u32, write_u64 u64, write_usize usize);
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn keys_never_change() {
        assert_eq!(key(&0u64, 0), 2_641_165_328_805_298_670);
        assert_eq!(key(&(1u8, 2u32), 0), 16_140_531_457_317_201_293);
        assert_eq!(key(&"crab", 7), 17_498_513_942_089_299_857);
    }

    #[test]
    fn keys_of_small_numbers_spread_evenly() {
        let mut buckets = [0u32; 64];
        let mut keys: Vec<u64> = (0..64_000u64).map(|n| key(&(n % 40, n / 40), 0)).collect();
        keys.iter().for_each(|key| buckets[(key >> 58) as usize] += 1);
        assert!(buckets.iter().all(|n| (850..1150).contains(n)), "{buckets:?}");
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 64_000);
    }
}
