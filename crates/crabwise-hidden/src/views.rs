//! Strategies of games that are not laid out: a table of views, or a network.
//!
//! # The file
//!
//! Numbers are little-endian. A file is
//!
//! 1. the magic `CRABVIEW` (8 bytes) and the version, 1 (4 bytes),
//! 2. the length of the header (4 bytes), the header, and its xxh3 checksum (8 bytes). The header: the kind (1 byte: 0 a
//!    table, 1 a network), iterations (8), the fingerprint of the start (8), then the game string and the method, each as
//!    its length (4) and its bytes,
//! 3. compressed with zstd, a table: for each player the number of views (8), and by ascending view its two words (16),
//!    the number of moves (2) and their probabilities, floating point of 4 bytes; or a network: the number of its layers
//!    (8), the units of each (8 each), and its weights, floating point of 8 bytes,
//! 4. and in the compressed part at the end the xxh3 checksum of all that is before it there (8).
//!
//! A view is a hash of what its player did and observed ([`View`]). At views that are not in the table all moves are
//! equally likely.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    io::{self, BufReader, Read, Write},
};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    network::Network,
    rules::{Player, Turn},
    sequence_form::Behaviour,
    strategy::StrategyError,
    tree::{GameTree, InfoSet},
    walk::{View, Walk, word_hash},
};

const MAGIC: &[u8; 8] = b"CRABVIEW";
const VERSION: u32 = 1;
const LONGEST: u32 = 1 << 16;

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
    sides: [Side; 2],
}

#[derive(Clone, Default)]
struct Side {
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
        let Side { places, mixes } = &self.sides[player as usize];
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
                    Some(known) => {
                        mix.iter_mut().zip(known).for_each(|(to, from)| *to = f64::from(*from));
                        let total: f64 = mix.iter().sum();
                        mix.iter_mut().for_each(|to| *to /= total);
                    }
                    None => mix.copy_from_slice(&even(many)),
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

/// Strategies of both players, with where they come from.
pub struct ViewStrategy {
    /// What they are for: the canonical game string.
    pub game: String,
    /// How they were found.
    pub method: String,
    /// In how many iterations.
    pub iterations: u64,
    /// What plays.
    pub model: ViewModel,
}

/// Tells a game from others of the same name, by its first moves and how its views are described.
pub(crate) fn fingerprint(game: &str, walk: &dyn Walk) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(game.as_bytes());
    let counts = walk.counts();
    for number in [counts.features, counts.moves, walk.moves()] {
        hash.update(&(number as u64).to_le_bytes());
    }
    (0..walk.moves()).for_each(|mv| hash.update(walk.name(mv).as_bytes()));
    hash.digest()
}

impl ViewStrategy {
    /// Whether a file that begins with these bytes is one of views.
    pub fn is_one(begin: &[u8]) -> bool {
        begin.starts_with(MAGIC)
    }

    /// Writes the file.
    pub fn write(&self, walk: &dyn Walk, out: &mut dyn Write) -> io::Result<()> {
        let mut header = vec![u8::from(matches!(self.model, ViewModel::Network(_)))];
        header.extend(self.iterations.to_le_bytes());
        header.extend(fingerprint(&self.game, walk).to_le_bytes());
        for text in [&self.game, &self.method] {
            header.extend((text.len() as u32).to_le_bytes());
            header.extend(text.as_bytes());
        }
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        out.write_all(&xxh3_64(&header).to_le_bytes())?;
        let mut packed = Summed { inner: zstd::Encoder::new(out, 3)?, hash: Xxh3::new() };
        match &self.model {
            ViewModel::Table(table) => table.sides.iter().try_for_each(|s| s.write(&mut packed))?,
            ViewModel::Network(network) => {
                packed.write_all(&(network.sizes().len() as u64).to_le_bytes())?;
                for &size in network.sizes() {
                    packed.write_all(&(size as u64).to_le_bytes())?;
                }
                for weight in &network.weights {
                    packed.write_all(&weight.to_le_bytes())?;
                }
            }
        }
        let digest = packed.hash.digest();
        packed.inner.write_all(&digest.to_le_bytes())?;
        packed.inner.finish()?;
        Ok(())
    }

    /// Reads the file of a game's strategies, of at most so many bytes in memory.
    pub fn read(
        game: &str,
        walk: &dyn Walk,
        memory: u64,
        from: &mut dyn Read,
    ) -> Result<ViewStrategy, StrategyError> {
        if &fixed::<8>(from).map_err(|_| StrategyError::Alien)? != MAGIC {
            return Err(StrategyError::Alien);
        }
        match u32::from_le_bytes(fixed(from)?) {
            VERSION => {}
            version => return Err(StrategyError::Version(version)),
        }
        let length = u32::from_le_bytes(fixed(from)?);
        if length > LONGEST {
            return Err(HEADER);
        }
        let mut header = vec![0; length as usize];
        from.read_exact(&mut header)?;
        if xxh3_64(&header) != u64::from_le_bytes(fixed(from)?) {
            return Err(HEADER);
        }
        let header = Header::parse(&header).map_err(|_| HEADER)?;
        if header.game != game {
            return Err(StrategyError::Other { game: header.game });
        }
        if header.fingerprint != fingerprint(game, walk) {
            return Err(StrategyError::Outdated);
        }
        let inner = BufReader::new(zstd::Decoder::new(from)?);
        let mut packed = Summed { inner, hash: Xxh3::new() };
        let model = match header.kind {
            0 => {
                let first = Side::read(&mut packed, memory / 2)?;
                ViewModel::Table(ViewTable { sides: [first, Side::read(&mut packed, memory / 2)?] })
            }
            1 => ViewModel::Network(read_network(walk, &mut packed)?),
            _ => return Err(HEADER),
        };
        let digest = packed.hash.digest();
        if digest != u64::from_le_bytes(fixed(&mut packed.inner)?) {
            return Err(DAMAGED);
        }
        let Header { game, method, iterations, .. } = header;
        Ok(ViewStrategy { game, method, iterations, model })
    }
}

/// A network of the sizes that the game asks for.
fn read_network(walk: &dyn Walk, from: &mut dyn Read) -> Result<Network, StrategyError> {
    let many = u64::from_le_bytes(fixed(from)?);
    if !(2..=8).contains(&many) {
        return Err(DAMAGED);
    }
    let mut sizes = vec![];
    for _ in 0..many {
        match u64::from_le_bytes(fixed(from)?) {
            size @ 1..=65_536 => sizes.push(size as usize),
            _ => return Err(DAMAGED),
        }
    }
    let counts = walk.counts();
    if (sizes[0], sizes[sizes.len() - 1]) != (counts.features + 2, counts.moves) {
        return Err(StrategyError::Outdated);
    }
    if sizes.iter().skip(1).any(|&size| size > 4096) {
        return Err(DAMAGED);
    }
    let mut network = Network::new(&sizes, 0);
    for weight in &mut network.weights {
        *weight = f64::from_le_bytes(fixed(from)?);
        if !weight.is_finite() {
            return Err(DAMAGED);
        }
    }
    Ok(network)
}

const HEADER: StrategyError = StrategyError::Damaged("the header");
const DAMAGED: StrategyError = StrategyError::Damaged("a strategy");

struct Header {
    kind: u8,
    iterations: u64,
    fingerprint: u64,
    game: String,
    method: String,
}

impl Header {
    fn parse(mut from: &[u8]) -> io::Result<Header> {
        let from: &mut dyn Read = &mut from;
        let [kind] = fixed(from)?;
        let [iterations, fingerprint] = [fixed(from)?, fixed(from)?].map(u64::from_le_bytes);
        let mut text = || {
            let mut text = vec![0; u32::from_le_bytes(fixed(from)?).min(LONGEST) as usize];
            from.read_exact(&mut text)?;
            String::from_utf8(text).map_err(io::Error::other)
        };
        Ok(Header { kind, iterations, fingerprint, game: text()?, method: text()? })
    }
}

impl Side {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut views: Vec<_> = self.places.iter().collect();
        views.sort_unstable();
        out.write_all(&(views.len() as u64).to_le_bytes())?;
        for (view, &(first, many)) in views {
            out.write_all(view.0.map(u64::to_le_bytes).as_flattened())?;
            out.write_all(&many.to_le_bytes())?;
            for p in &self.mixes[first as usize..first as usize + many as usize] {
                out.write_all(&p.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// What is read are probabilities, whoever made the file.
    fn read(from: &mut dyn Read, memory: u64) -> Result<Side, StrategyError> {
        let (mut side, mut last) = (Side::default(), None);
        for _ in 0..u64::from_le_bytes(fixed(from)?) {
            let view = View([fixed(from)?, fixed(from)?].map(u64::from_le_bytes));
            let many = u16::from_le_bytes(fixed(from)?);
            if last.replace(view).is_some_and(|last| last >= view) || many == 0 {
                return Err(DAMAGED);
            }
            let first = u32::try_from(side.mixes.len()).map_err(|_| DAMAGED)?;
            let mut total = 0.0;
            for _ in 0..many {
                let p = f32::from_le_bytes(fixed(from)?);
                if !(0.0..=1.001).contains(&p) {
                    return Err(DAMAGED);
                }
                total += p;
                side.mixes.push(p);
            }
            if (total - 1.0).abs() > 1e-3 {
                return Err(DAMAGED);
            }
            side.places.insert(view, (first, many));
            if (side.mixes.capacity() * 4 + side.places.capacity() * 32) as u64 > memory {
                return Err(StrategyError::Io(io::ErrorKind::OutOfMemory.into()));
            }
        }
        Ok(side)
    }
}

fn fixed<const N: usize>(from: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// What is written or read, with its checksum.
struct Summed<T> {
    inner: T,
    hash: Xxh3,
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.update(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ErasedHidden, HiddenSetup,
        toys::{Abrupt, Kuhn},
    };

    const ROOM: u64 = 1 << 24;

    fn read(game: &ErasedHidden, mut file: &[u8]) -> Result<ViewStrategy, StrategyError> {
        ViewStrategy::read("game", &*game.walk(), ROOM, &mut file)
    }

    fn strategies(game: &ErasedHidden) -> [ViewStrategy; 2] {
        let (walk, mut table) = (game.walk(), ViewTable::default());
        let mut numbers = fastrand::Rng::with_seed(4);
        for player in Player::BOTH {
            let mut view = View::start(player);
            for _ in 0..9 {
                view = view.after(Some(numbers.u64(..)), None);
                table.insert(player, view, &[numbers.f64(), 0.0, numbers.f64()]);
            }
        }
        let counts = walk.counts();
        let network = Network::new(&[counts.features + 2, 2, counts.moves], 3);
        [ViewModel::Table(table), ViewModel::Network(network)].map(|model| ViewStrategy {
            game: "game".into(),
            method: "deep".into(),
            iterations: 7,
            model,
        })
    }

    #[test]
    fn files_are_read_as_they_were_written_and_no_damage_goes_unseen() {
        let games = [
            HiddenSetup::of(Kuhn).erased(),
            HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased(),
        ];
        for strategy in strategies(&games[1]) {
            let mut file = vec![];
            strategy.write(&*games[1].walk(), &mut file).unwrap();
            assert!(ViewStrategy::is_one(&file));
            let again = read(&games[1], &file).unwrap();
            assert_eq!((again.method.as_str(), again.iterations), ("deep", 7));
            let mut twice = vec![];
            again.write(&*games[1].walk(), &mut twice).unwrap();
            assert!(file == twice);
            assert!(matches!(read(&games[0], &file), Err(StrategyError::Outdated)));
            let mut from = &file[..];
            let other = ViewStrategy::read("other", &*games[1].walk(), ROOM, &mut from);
            assert!(matches!(other, Err(StrategyError::Other { .. })));
            let step = file.len().div_ceil(400);
            for place in (0..file.len()).step_by(step) {
                let mut spoilt = file.clone();
                spoilt[place] ^= 1 << (place % 8);
                let told = read(&games[1], &spoilt).map(|read| {
                    let mut bytes = vec![];
                    read.write(&*games[1].walk(), &mut bytes).unwrap();
                    bytes
                });
                // A bit of the frame of what is compressed may mean nothing.
                assert!(told.is_err() || told.is_ok_and(|bytes| bytes == file), "{place}");
                assert!(read(&games[1], &file[..place]).is_err(), "{place}");
            }
        }
    }
}
