//! Strategies by views in a file.
//!
//! # The format
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

use std::io::{self, BufReader, Read, Write};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{PlayerMixes, ViewModel, ViewTable};
use crate::{
    network::Network,
    strategy::StrategyError,
    walk::{View, Walk},
};

const MAGIC: &[u8; 8] = b"CRABVIEW";
const VERSION: u32 = 1;
const LONGEST: u32 = 1 << 16;

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
        let mut packed = Checksummed { inner: zstd::Encoder::new(out, 3)?, hash: Xxh3::new() };
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
        let header = ViewsHeader::parse(&header).map_err(|_| HEADER)?;
        if header.game != game {
            return Err(StrategyError::Other { game: header.game });
        }
        if header.fingerprint != fingerprint(game, walk) {
            return Err(StrategyError::Outdated);
        }
        let inner = BufReader::new(zstd::Decoder::new(from)?);
        let mut packed = Checksummed { inner, hash: Xxh3::new() };
        let model = match header.kind {
            0 => {
                let first = PlayerMixes::read(&mut packed, memory / 2)?;
                ViewModel::Table(ViewTable {
                    sides: [first, PlayerMixes::read(&mut packed, memory / 2)?],
                })
            }
            1 => ViewModel::Network(read_network(walk, memory, &mut packed)?),
            _ => return Err(HEADER),
        };
        let digest = packed.hash.digest();
        if digest != u64::from_le_bytes(fixed(&mut packed.inner)?) {
            return Err(DAMAGED);
        }
        if packed.inner.read(&mut [0])? > 0 {
            return Err(StrategyError::Damaged("what follows the strategies"));
        }
        let ViewsHeader { game, method, iterations, .. } = header;
        Ok(ViewStrategy { game, method, iterations, model })
    }
}

/// Of larger weights, sums over all layers could be infinite, and no probabilities would come of them.
const LARGEST_WEIGHT: f64 = 1e9;

/// A network of the sizes that the game asks for.
fn read_network(
    walk: &dyn Walk,
    memory: u64,
    from: &mut dyn Read,
) -> Result<Network, StrategyError> {
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
    let weights: usize = sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum();
    if weights as u64 * 8 > memory {
        return Err(StrategyError::Io(io::ErrorKind::OutOfMemory.into()));
    }
    let mut network = Network::new(&sizes, 0);
    for weight in &mut network.weights {
        *weight = f64::from_le_bytes(fixed(from)?);
        if !(-LARGEST_WEIGHT..=LARGEST_WEIGHT).contains(weight) {
            return Err(DAMAGED);
        }
    }
    Ok(network)
}

const HEADER: StrategyError = StrategyError::Damaged("the header");
const DAMAGED: StrategyError = StrategyError::Damaged("a strategy");

struct ViewsHeader {
    kind: u8,
    iterations: u64,
    fingerprint: u64,
    game: String,
    method: String,
}

impl ViewsHeader {
    fn parse(mut from: &[u8]) -> io::Result<ViewsHeader> {
        let from: &mut dyn Read = &mut from;
        let [kind] = fixed(from)?;
        let [iterations, fingerprint] = [fixed(from)?, fixed(from)?].map(u64::from_le_bytes);
        let mut text = || {
            let mut text = vec![0; u32::from_le_bytes(fixed(from)?).min(LONGEST) as usize];
            from.read_exact(&mut text)?;
            String::from_utf8(text).map_err(io::Error::other)
        };
        Ok(ViewsHeader { kind, iterations, fingerprint, game: text()?, method: text()? })
    }
}

impl PlayerMixes {
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
    fn read(from: &mut dyn Read, memory: u64) -> Result<PlayerMixes, StrategyError> {
        let (mut side, mut last) = (PlayerMixes::default(), None);
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
struct Checksummed<T> {
    inner: T,
    hash: Xxh3,
}

impl<T: Write> Write for Checksummed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Checksummed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.update(&bytes[..read]);
        Ok(read)
    }
}
