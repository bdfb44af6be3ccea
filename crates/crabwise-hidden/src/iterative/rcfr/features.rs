//! What an estimate of a regret is made from.
//!
//! Features come from what a game says of an information set ([`Described`](crate::Described)), crossed with the move in
//! question. Where a game says nothing they come from names alone: how often each move was made and each observation
//! met, crossed with the move; and the move itself. The order of events is not among them.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use crate::{
    iterative::checkpoint::digest,
    rules::Player,
    sequence_form::Treeplex,
    tree::{Descriptions, GameTree, info_states::InfoStates},
};

/// The features of each sequence of a player, as numbers; one that is there twice counts twice.
///
/// Sequences that have the same features are of one *kind*: their estimates are equal, and of their regrets only the
/// sum matters. On dark boards of 2×3 there are eight sequences of a kind, and far more on larger ones.
#[derive(Clone, Debug)]
pub struct Features {
    /// The kind of each sequence; that of the empty one is 0, which has no features.
    kinds: Vec<u32>,
    /// How many sequences there are of each kind.
    sizes: Vec<f64>,
    /// Where those of each kind begin, and after the last the end.
    first: Vec<u32>,
    ids: Vec<u32>,
    pub(super) many: usize,
}

/// What of an information set is crossed with the move: nothing.
const ALONE: u32 = u32::MAX;

/// Features in the making.
struct FeatureBuilder {
    features: Features,
    /// The number of each move crossed with what is known.
    crossed: HashMap<(u32, u32), u32>,
    /// The kind that has these features, in order.
    kinds: HashMap<Vec<u32>, u32>,
}

impl FeatureBuilder {
    /// The empty sequence alone.
    fn new() -> FeatureBuilder {
        let features =
            Features { kinds: vec![0], sizes: vec![1.0], first: vec![0, 0], ids: vec![], many: 0 };
        FeatureBuilder { features, crossed: HashMap::new(), kinds: HashMap::new() }
    }

    /// The kind of a move where all this is known.
    fn kind(&mut self, mv: u32, known: &[u32]) -> u32 {
        let cross = |&what| {
            let next = self.crossed.len() as u32;
            *self.crossed.entry((mv, what)).or_insert(next)
        };
        let mut ids: Vec<u32> = known.iter().map(cross).collect();
        ids.sort_unstable();
        let features = &mut self.features;
        let next = features.sizes.len() as u32;
        *self.kinds.entry(ids).or_insert_with_key(|ids| {
            features.ids.extend(ids);
            features.first.push(features.ids.len() as u32);
            features.sizes.push(0.0);
            next
        })
    }

    /// The next sequence is of a kind.
    fn push(&mut self, kind: u32) {
        self.features.kinds.push(kind);
        self.features.sizes[kind as usize] += 1.0;
    }

    fn done(self) -> Features {
        Features { many: self.crossed.len(), ..self.features }
    }

    /// Goes through information states as [`Treeplex`] does.
    fn unroll(&mut self, info_states: &InfoStates, info_state: u32, happened: &mut Vec<u32>) {
        let moves = info_states.move_names(info_state);
        for &mv in moves {
            let kind = self.kind(mv, happened);
            self.push(kind);
        }
        for transition in info_states.transitions(info_state) {
            let before = happened.len();
            happened.extend(transition.step.mv.map(|mv| 2 * moves[mv as usize]));
            happened.extend(transition.step.observation.map(|observation| 2 * observation + 1));
            self.unroll(info_states, transition.to, happened);
            happened.truncate(before);
        }
    }

    /// Goes through them, where the kinds of the moves of each are known.
    fn unroll_kinds(&mut self, info_states: &InfoStates, info_state: u32, kinds: &[Vec<u32>]) {
        kinds[info_state as usize].iter().for_each(|&kind| self.push(kind));
        for transition in info_states.transitions(info_state) {
            self.unroll_kinds(info_states, transition.to, kinds);
        }
    }
}

impl Features {
    /// What was done and observed, crossed with the move.
    pub fn of_names(tree: &GameTree, player: Player) -> Features {
        let mut builder = FeatureBuilder::new();
        builder.unroll(tree.info_states(player), 0, &mut vec![ALONE]);
        builder.done()
    }

    /// What the game says of each information state, crossed with the move.
    pub fn of_game(tree: &GameTree, player: Player, said: &Descriptions) -> Features {
        let (info_states, mut builder) = (tree.info_states(player), FeatureBuilder::new());
        let kinds = (0..).zip(&said.0).map(|(info_state, description)| {
            // Where the game has ended there is nothing to choose, though the whole game goes on.
            let moves = &description.moves[..info_states.moves(info_state) as usize];
            moves.iter().map(|&mv| builder.kind(mv, &description.features)).collect()
        });
        let kinds: Vec<Vec<u32>> = kinds.collect();
        builder.unroll_kinds(info_states, 0, &kinds);
        builder.done()
    }

    /// One for each sequence: nothing is estimated then, and everything kept.
    pub fn own(plex: &Treeplex) -> Features {
        let sequences = plex.sequences() as u32;
        let first = [0].into_iter().chain(0..sequences).collect();
        let (kinds, sizes) = ((0..sequences).collect(), vec![1.0; sequences as usize]);
        let (ids, many) = ((0..sequences - 1).collect(), sequences as usize - 1);
        Features { kinds, sizes, first, ids, many }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.many
    }

    /// Whether there are none: the player never has a choice.
    pub fn is_empty(&self) -> bool {
        self.many == 0
    }

    /// How many kinds of sequences there are, the empty one included.
    pub fn kinds(&self) -> usize {
        self.sizes.len()
    }

    /// The kind of each sequence.
    pub(super) fn of_sequences(&self) -> &[u32] {
        &self.kinds
    }

    /// The features of a kind.
    pub(super) fn of_kind(&self, kind: usize) -> &[u32] {
        &self.ids[self.first[kind] as usize..self.first[kind + 1] as usize]
    }

    /// The features of each kind, and how many sequences are of it.
    pub(super) fn by_kind(&self) -> impl Iterator<Item = (&[u32], f64)> {
        (0..self.kinds()).map(|kind| (self.of_kind(kind), self.sizes[kind]))
    }

    /// Adds what each sequence has to what its kind has.
    pub(super) fn sum(&self, each: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.kinds()];
        self.kinds.iter().zip(each).for_each(|(&kind, x)| sums[kind as usize] += x);
        sums
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        for numbers in [&self.kinds, &self.first, &self.ids] {
            digest(&mut hash, numbers);
        }
        hash.digest()
    }
}
