//! Information sets that learn together: an abstraction.

use xxhash_rust::xxh3::Xxh3;

use crate::{iterative::checkpoint::digest, sequence_form::Treeplex, tree::HiddenError};

/// Information sets by bucket. The moves of a bucket have a cell each.
pub(super) struct Buckets {
    /// The first cell of each information set.
    pub cell: Vec<u32>,
    /// Whether two information sets share a bucket.
    pub coarse: bool,
    /// Room for the regrets of an iteration.
    pub new: Vec<f64>,
}

impl Buckets {
    pub fn new(plex: &Treeplex, buckets: &[u32]) -> Result<Buckets, HiddenError> {
        let contract = |what: &str| Err(HiddenError::Contract(what.into()));
        if buckets.len() != plex.info_sets() {
            return contract("there is not one bucket for each information set");
        }
        let mut moves = vec![0; buckets.iter().max().map_or(0, |&most| most as usize + 1)];
        for (info_set, &bucket) in buckets.iter().enumerate() {
            let (known, many) = (&mut moves[bucket as usize], plex.at(info_set).len() as u32);
            if *known != 0 && *known != many {
                return contract("information sets of one bucket have different numbers of moves");
            }
            *known = many;
        }
        let coarse = moves.iter().filter(|&&moves| moves > 0).count() < buckets.len();
        let mut cells = 0;
        for start in &mut moves {
            cells += std::mem::replace(start, cells);
        }
        let cell = buckets.iter().map(|&bucket| moves[bucket as usize]).collect();
        Ok(Buckets { cell, coarse, new: vec![0.0; cells as usize] })
    }

    /// What tells buckets from others; 0 where there are none.
    pub fn fingerprint(buckets: &Option<Buckets>) -> u64 {
        buckets.as_ref().map_or(0, |buckets| {
            let mut hash = Xxh3::new();
            digest(&mut hash, &buckets.cell);
            hash.digest()
        })
    }
}
