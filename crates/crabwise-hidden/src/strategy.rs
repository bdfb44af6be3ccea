//! Strategies of both players in a file.
//!
//! # The format
//!
//! Version 1. Numbers are little-endian. A file is
//!
//! 1. the magic `CRABSTRA` (8 bytes) and the version (4 bytes),
//! 2. the length of the header (4 bytes), the header, and its xxh3 checksum (8 bytes). The header: flags (1 byte:
//!    1 the game was cut short at certain wins, 2 an abstraction), iterations (8), the value of the pair for the
//!    first player and the most that each player can get against it (3 × 8, floating point), the fingerprint of
//!    the layout (8), how many sequences each player has (2 × 8), then the game string and the method, each as
//!    its length (4) and its bytes,
//! 3. for each player the probabilities by sequence, floating point of 8 bytes, compressed with zstd: the
//!    compressed length (8), the compressed bytes, and their checksum (8).
//!
//! Sequences are in the order of [`Treeplex`](crate::Treeplex). The fingerprint is a checksum over the names of all
//! moves and observations and the way from information state to information state, on which that order depends: a
//! file of another game, of another variant or of other rules is refused.

use std::{
    fmt,
    io::{self, Read, Write},
};

use crabwise::watch::Shown;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Player,
    best_response::Judged,
    prob_one::CutShort,
    sequence_form::{Behaviour, Treeplex},
    tree::GameTree,
};

const MAGIC: &[u8; 8] = b"CRABSTRA";
const VERSION: u32 = 1;
/// More than this is no header.
const LONGEST: u32 = 1 << 16;

/// A strategy for either player.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    /// What it is for: the canonical game string.
    pub game: String,
    /// How it was found.
    pub method: String,
    /// In how many iterations.
    pub iterations: u64,
    /// Whether the order of events is forgotten, so that it need not come close to an equilibrium.
    pub abstraction: bool,
    /// What it is worth.
    pub judged: Judged,
    /// The probability of each move at each information set, by sequence.
    pub behaviours: [Behaviour; 2],
}

/// Why there is no strategy in a file.
#[derive(Debug)]
pub enum StrategyError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is something else.
    Alien,
    /// It is of a version of the format that is not known here.
    Version(u32),
    /// It is damaged.
    Damaged(&'static str),
    /// It is for another game.
    Other {
        /// What it is for.
        game: String,
    },
    /// It is for the same game under other rules.
    Outdated,
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrategyError::Io(error) => error.fmt(f),
            StrategyError::Alien => f.write_str("this is no file of strategies"),
            StrategyError::Version(version) => {
                write!(f, "format {version} is not known here; this reads format {VERSION}")
            }
            StrategyError::Damaged(what) => write!(f, "{what} is damaged; make the file again"),
            StrategyError::Other { game } => write!(f, "these are strategies for {}", Shown(game)),
            StrategyError::Outdated => {
                f.write_str("the rules or their layout have changed since; make the file again")
            }
        }
    }
}

impl std::error::Error for StrategyError {}

impl From<io::Error> for StrategyError {
    fn from(error: io::Error) -> StrategyError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => StrategyError::Damaged("the end"),
            _ => StrategyError::Io(error),
        }
    }
}

impl Strategy {
    /// Writes the file. `short` says that the behaviours are for the game that ends at certain wins;
    /// `tree` is the game that they are for.
    pub fn write(&self, tree: &GameTree, short: bool, out: &mut dyn Write) -> io::Result<()> {
        let Judged { value, best } = self.judged;
        let mut header = vec![u8::from(short) | u8::from(self.abstraction) << 1];
        header.extend(self.iterations.to_le_bytes());
        for number in [value, best[0], best[1]] {
            header.extend(number.to_le_bytes());
        }
        header.extend(tree.fingerprint().to_le_bytes());
        for behaviour in &self.behaviours {
            header.extend((behaviour.len() as u64).to_le_bytes());
        }
        for text in [&self.game, &self.method] {
            header.extend((text.len() as u32).to_le_bytes());
            header.extend(text.as_bytes());
        }
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        out.write_all(&xxh3_64(&header).to_le_bytes())?;
        for behaviour in &self.behaviours {
            let bytes: Vec<u8> = behaviour.iter().flat_map(|p| p.to_le_bytes()).collect();
            let packed = zstd::bulk::compress(&bytes, 3)?;
            out.write_all(&(packed.len() as u64).to_le_bytes())?;
            out.write_all(&packed)?;
            out.write_all(&xxh3_64(&packed).to_le_bytes())?;
        }
        Ok(())
    }

    /// What the strategies in a file are worth, if they are of this game and no abstraction.
    pub fn judged_in(game: &str, from: &mut dyn Read) -> Option<Judged> {
        let header = Header::read(from).ok()?;
        (header.game == game && !header.abstraction).then_some(header.judged)
    }

    /// Reads the file of a game's strategies, and continues them to the whole game.
    pub fn read(
        game: &str,
        tree: &GameTree,
        from: &mut dyn Read,
    ) -> Result<Strategy, StrategyError> {
        PackedStrategy::read(game, from)?.unpacked(tree)
    }
}

/// The file of a game's strategies, whole and of that game. Whether they are of its rules, too, is known once the game
/// is laid out, which may take long.
pub struct PackedStrategy {
    header: Header,
    packed: [Vec<u8>; 2],
}

impl PackedStrategy {
    /// Reads the file.
    pub fn read(game: &str, from: &mut dyn Read) -> Result<PackedStrategy, StrategyError> {
        let header = Header::read(from)?;
        if header.game != game {
            return Err(StrategyError::Other { game: header.game });
        }
        let [first, second] = header.sequences;
        let packed = [packed(from, first)?, packed(from, second)?];
        if from.read(&mut [0])? > 0 {
            return Err(StrategyError::Damaged("what follows the strategies"));
        }
        Ok(PackedStrategy { header, packed })
    }

    /// The strategies, continued to the whole game.
    pub fn unpacked(self, tree: &GameTree) -> Result<Strategy, StrategyError> {
        let PackedStrategy { header, packed } = self;
        let short = header.short.then(|| CutShort::new(tree)).transpose();
        let short = short.map_err(|_| StrategyError::Outdated)?;
        let for_tree = short.as_ref().map_or(tree, |short| &short.tree);
        if for_tree.fingerprint() != header.fingerprint || for_tree.sequences() != header.sequences
        {
            return Err(StrategyError::Outdated);
        }
        let mut behaviours = [vec![], vec![]];
        for (i, &count) in header.sequences.iter().enumerate() {
            behaviours[i] = probabilities(&packed[i], count)?;
            if !Treeplex::new(for_tree, Player::BOTH[i]).mixes(&behaviours[i]) {
                return Err(DAMAGED);
            }
        }
        if let Some(short) = &short {
            behaviours = short.continued(tree, &behaviours);
        }
        let Header { game, method, iterations, abstraction, judged, .. } = header;
        Ok(Strategy { game, method, iterations, abstraction, judged, behaviours })
    }
}

struct Header {
    game: String,
    method: String,
    iterations: u64,
    short: bool,
    abstraction: bool,
    judged: Judged,
    fingerprint: u64,
    sequences: [u64; 2],
}

impl Header {
    fn read(from: &mut dyn Read) -> Result<Header, StrategyError> {
        let magic: [u8; 8] = fixed(from).map_err(|_| StrategyError::Alien)?;
        if magic != *MAGIC {
            return Err(StrategyError::Alien);
        }
        let version = u32::from_le_bytes(fixed(from)?);
        if version != VERSION {
            return Err(StrategyError::Version(version));
        }
        let length = u32::from_le_bytes(fixed(from)?);
        let damaged = || StrategyError::Damaged("the header");
        if length > LONGEST {
            return Err(damaged());
        }
        let mut header = vec![0; length as usize];
        from.read_exact(&mut header)?;
        if xxh3_64(&header) != u64::from_le_bytes(fixed(from)?) {
            return Err(damaged());
        }
        Header::parse(&header).map_err(|_| damaged())
    }

    fn parse(mut from: &[u8]) -> io::Result<Header> {
        let from: &mut dyn Read = &mut from;
        let [flags] = fixed(from)?;
        let iterations = u64::from_le_bytes(fixed(from)?);
        let mut number = || match f64::from_le_bytes(fixed(from)?) {
            number if number.is_finite() => Ok(number),
            _ => Err(io::Error::from(io::ErrorKind::InvalidData)),
        };
        let judged = Judged { value: number()?, best: [number()?, number()?] };
        let mut number = || fixed(from).map(u64::from_le_bytes);
        let (fingerprint, sequences) = (number()?, [number()?, number()?]);
        let mut text = || {
            let mut text = vec![0; u32::from_le_bytes(fixed(from)?).min(LONGEST) as usize];
            from.read_exact(&mut text)?;
            String::from_utf8(text).map_err(io::Error::other)
        };
        let (game, method) = (text()?, text()?);
        let (short, abstraction) = (flags & 1 != 0, flags & 2 != 0);
        Ok(Header { game, method, iterations, short, abstraction, judged, fingerprint, sequences })
    }
}

fn fixed<const N: usize>(from: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

const DAMAGED: StrategyError = StrategyError::Damaged("a strategy");

/// The compressed probabilities of so many sequences, which take no more room than compression may need at most.
fn packed(from: &mut dyn Read, count: u64) -> Result<Vec<u8>, StrategyError> {
    let length = u64::from_le_bytes(fixed(from)?);
    let most =
        u32::try_from(count).ok().map(|count| zstd::zstd_safe::compress_bound(count as usize * 8));
    if most.is_none_or(|most| length > most as u64) {
        return Err(DAMAGED);
    }
    let mut packed = vec![];
    from.take(length).read_to_end(&mut packed)?;
    if xxh3_64(&packed) != u64::from_le_bytes(fixed(from)?) {
        return Err(DAMAGED);
    }
    Ok(packed)
}

/// The game is known by now, and with it how many there must be.
fn probabilities(packed: &[u8], count: u64) -> Result<Behaviour, StrategyError> {
    let bytes = zstd::bulk::decompress(packed, count as usize * 8).map_err(|_| DAMAGED)?;
    if bytes.len() as u64 != count * 8 {
        return Err(DAMAGED);
    }
    let numbers = bytes.chunks_exact(8).map(|bytes| {
        let number = f64::from_le_bytes(bytes.try_into().unwrap_or_default());
        (0.0..=1.0 + 1e-9).contains(&number).then_some(number)
    });
    numbers.collect::<Option<Vec<f64>>>().ok_or(DAMAGED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HiddenSetup, toys};

    /// Whoever makes a file may make its checksums too; what is read are probabilities all the same.
    #[test]
    fn what_is_read_are_probabilities() {
        let tree = toys::tree(&HiddenSetup::of(toys::Kuhn).erased());
        let even = || Player::BOTH.map(|player| Treeplex::new(&tree, player).uniform());
        let read = |value: f64, behaviours: [Behaviour; 2]| {
            let judged = Judged { value, best: [0.5, 0.5] };
            let (game, method) = ("kuhn".to_string(), "even".into());
            let strategy =
                Strategy { game, method, iterations: 0, abstraction: false, judged, behaviours };
            let mut file = vec![];
            strategy.write(&tree, false, &mut file).unwrap();
            Strategy::read("kuhn", &tree, &mut &file[..])
        };
        assert!(read(0.0, even()).is_ok());
        for odd in [f64::NAN, f64::INFINITY, 1e300, -0.5, 1.0, 0.0, 0.6] {
            for player in 0..2 {
                let mut behaviours = even();
                behaviours[player][2] = odd;
                let told = read(0.0, behaviours);
                assert!(matches!(told, Err(StrategyError::Damaged(_))), "{odd}: {told:?}");
            }
        }
        for value in [f64::NAN, f64::INFINITY] {
            let told = read(value, even());
            assert!(matches!(told, Err(StrategyError::Damaged(_))), "{value}: {told:?}");
        }
    }
}
