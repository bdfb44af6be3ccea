//! Strategies of games that are not laid out: a table of views, or a network. [`ViewStrategy`] keeps them in a file.

mod file;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

pub use self::file::ViewStrategy;
pub(crate) use self::file::fingerprint;
use crate::{
    network::Network,
    rules::{Player, Turn},
    sequence_form::Behaviour,
    tree::{GameTree, InfoSet},
    walk::{View, Walk, word_hash},
};

/// A way to play that knows what its player knows: how likely each move is.
pub trait Policy: Sync {
    /// The probabilities of the moves of whoever has to move.
    fn mix(&self, at: &dyn Walk, mover: Player) -> Vec<f64>;
}

/// All moves are equally likely.
pub struct EvenPolicy;

impl Policy for EvenPolicy {
    fn mix(&self, at: &dyn Walk, _: Player) -> Vec<f64> {
        even(at.moves())
    }
}

pub(crate) fn even(moves: usize) -> Vec<f64> {
    vec![1.0 / moves.max(1) as f64; moves]
}

/// Views are hashes already.
#[derive(Default)]
pub(crate) struct Unhashed(u64);

impl Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(8) {
            self.write_u64(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }

    fn write_usize(&mut self, _: usize) {}
}

/// Something by view.
pub(crate) type ByView<T> = HashMap<View, T, BuildHasherDefault<Unhashed>>;

/// A strategy for either player, by views.
#[derive(Clone, Default)]
pub struct ViewTable {
    sides: [PlayerMixes; 2],
}

#[derive(Clone, Default)]
struct PlayerMixes {
    /// Where the probabilities begin, and how many there are.
    places: ByView<(u32, u16)>,
    mixes: Vec<f32>,
}

impl ViewTable {
    /// Adds a view. The numbers are in proportion to the probabilities; where all are zero nothing is added.
    pub fn insert(&mut self, player: Player, view: View, numbers: &[f64]) {
        let total: f64 = numbers.iter().sum();
        if total <= 0.0 {
            return;
        }
        let side = &mut self.sides[player as usize];
        let place = (side.mixes.len() as u32, numbers.len() as u16);
        side.places.insert(view, place);
        side.mixes.extend(numbers.iter().map(|number| (number / total) as f32));
    }

    /// How many views of either player there are.
    pub fn views(&self) -> [usize; 2] {
        [0, 1].map(|p: usize| self.sides[p].places.len())
    }

    /// The probabilities at a view, if it is there.
    pub fn at(&self, player: Player, view: View) -> Option<&[f32]> {
        let PlayerMixes { places, mixes } = &self.sides[player as usize];
        let &(first, many) = places.get(&view)?;
        Some(&mixes[first as usize..first as usize + many as usize])
    }

    /// Behaviours of a game that is laid out.
    pub fn of(tree: &GameTree, behaviours: &[Behaviour; 2]) -> ViewTable {
        let mut table = ViewTable::default();
        for player in Player::BOTH {
            each_view(tree, player, |info_set, view| {
                let first = info_set.first();
                let mix = &behaviours[player as usize][first..first + tree.moves(info_set).len()];
                table.insert(player, view, mix);
            });
        }
        table
    }

    /// The behaviours at all information sets of a game that is laid out.
    pub fn behaviours(&self, tree: &GameTree) -> [Behaviour; 2] {
        Player::BOTH.map(|player| {
            let mut behaviour = vec![1.0; tree.sequences()[player as usize] as usize];
            each_view(tree, player, |info_set, view| {
                let (first, many) = (info_set.first(), tree.moves(info_set).len());
                let mix = &mut behaviour[first..first + many];
                match self.at(player, view) {
                    // A file may say anything of a view.
                    Some(known) if known.len() == many => {
                        mix.iter_mut().zip(known).for_each(|(to, from)| *to = f64::from(*from));
                        let total: f64 = mix.iter().sum();
                        mix.iter_mut().for_each(|to| *to /= total);
                    }
                    _ => mix.copy_from_slice(&even(many)),
                }
            });
            behaviour
        })
    }
}

/// What a policy does wherever both players' moves may lead, chance's too: goes through all histories.
pub(crate) fn tabulated(policy: &dyn Policy, walk: &mut dyn Walk, table: &mut ViewTable) {
    if let Turn::Of(mover) = walk.turn()
        && table.at(mover, walk.view(mover)).is_none()
    {
        table.insert(mover, walk.view(mover), &policy.mix(walk, mover));
    }
    for mv in 0..walk.moves() {
        walk.make(mv);
        tabulated(policy, walk, table);
        walk.unmake();
    }
}

/// Goes through the information sets of a player at which there is something to choose.
pub(crate) fn each_view(tree: &GameTree, player: Player, mut each: impl FnMut(InfoSet, View)) {
    let mut open = vec![(tree.start(player), View::start(player))];
    while let Some((info_set, view)) = open.pop() {
        if tree.moves(info_set).len() > 0 {
            each(info_set, view);
        }
        for (step, to) in tree.successors(info_set) {
            let words = tree.info_states(player);
            let mv = step.mv.map(|mv| word_hash(words.name(info_set.info_state, mv)));
            let observation = step.observation.map(|number| word_hash(words.observation(number)));
            open.push((to, view.after(mv, observation)));
        }
    }
}

impl Policy for ViewTable {
    fn mix(&self, at: &dyn Walk, mover: Player) -> Vec<f64> {
        match self.at(mover, at.view(mover)) {
            Some(mix) if mix.len() == at.moves() => mix.iter().map(|p| f64::from(*p)).collect(),
            _ => even(at.moves()),
        }
    }
}

/// What plays.
#[derive(Clone)]
pub enum ViewModel {
    /// A table of views.
    Table(ViewTable),
    /// A network over the features of a view, and at last which player it is; its outputs are moves.
    Network(Network),
}

impl ViewModel {
    /// The probabilities of so many moves at a view, of which these are the features, with the player, and the numbers of
    /// the moves.
    pub(crate) fn likely(
        &self,
        mover: Player,
        view: View,
        moves: usize,
        features: &[u32],
        number: impl Fn(usize) -> usize,
    ) -> Vec<f64> {
        match self {
            ViewModel::Table(table) => match table.at(mover, view) {
                Some(mix) if mix.len() == moves => mix.iter().map(|p| f64::from(*p)).collect(),
                _ => even(moves),
            },
            ViewModel::Network(network) => {
                let outputs = network.outputs(features);
                let mut mix: Vec<f64> = (0..moves).map(|mv| outputs[number(mv)]).collect();
                softmax(&mut mix);
                mix
            }
        }
    }
}

impl Policy for ViewModel {
    fn mix(&self, at: &dyn Walk, mover: Player) -> Vec<f64> {
        let mut features = vec![];
        if matches!(self, ViewModel::Network(_)) {
            describe(at, mover, &mut features);
        }
        self.likely(mover, at.view(mover), at.moves(), &features, |mv| at.number(mv))
    }
}

/// The features of a view with, after them, the player.
pub(crate) fn describe(at: &dyn Walk, mover: Player, features: &mut Vec<u32>) {
    at.describe(mover, features);
    features.push((at.counts().features + mover as usize) as u32);
}

/// Puts probabilities in place of numbers: in proportion to their exponentials.
pub(crate) fn softmax(numbers: &mut [f64]) {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    numbers.iter_mut().for_each(|number| *number = (*number - most).exp());
    let total: f64 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= total);
}
