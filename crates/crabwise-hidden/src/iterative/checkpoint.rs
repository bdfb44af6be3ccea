//! What is kept of a method so that it can go on later.
//!
//! A checkpoint holds what a method cannot work out again, in little-endian words of eight bytes:
//!
//! | what | bytes |
//! |---|---|
//! | `crabwise learner`, the magic | 16 |
//! | version of this format, which is 1 | 8 |
//! | number of the method | 8 |
//! | fingerprint of both players' sequences | 8 |
//! | what the method writes | as long as the game and the method say |
//! | xxh3 of all of that | 8 |
//!
//! No length is read from the file: how much there is follows from the game, so that a wrong file is refused
//! and never believed.

use std::{
    fmt,
    io::{self, Read, Write},
};

use xxhash_rust::xxh3::Xxh3;

use crate::sequence_form::Treeplex;

/// Why a checkpoint was not taken up.
#[derive(Debug)]
pub enum CheckpointError {
    /// It cannot be read.
    Io(io::Error),
    /// It is none, or one of something else: this does not fit.
    Foreign(&'static str),
    /// It was written by another version.
    Version(u64),
    /// Its bytes are not what was written.
    Checksum,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                f.write_str("the checkpoint ends too early; start anew without it")
            }
            CheckpointError::Io(error) => write!(f, "the checkpoint cannot be read: {error}"),
            CheckpointError::Foreign(what) => {
                write!(f, "the checkpoint does not fit: {what}; give it its own game and method")
            }
            CheckpointError::Version(version) => {
                write!(f, "the checkpoint has version {version}, and this program knows {VERSION}")
            }
            CheckpointError::Checksum => {
                f.write_str("the checkpoint is damaged; start anew without it")
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> CheckpointError {
        CheckpointError::Io(error)
    }
}

const MAGIC: [u8; 16] = *b"crabwise learner";
const VERSION: u64 = 1;

/// What tells the sequences of two players from those of other games.
pub(crate) fn fingerprint(treeplexes: &[Treeplex; 2]) -> u64 {
    let mut hash = Xxh3::new();
    for plex in treeplexes {
        for array in [&plex.first, &plex.parent] {
            digest(&mut hash, array);
        }
    }
    hash.digest()
}

/// Hashes numbers, and how many they are.
pub(crate) fn digest(hash: &mut Xxh3, numbers: &[u32]) {
    hash.update(&(numbers.len() as u64).to_le_bytes());
    for chunk in numbers.chunks(CHUNK) {
        let mut bytes = [0; 4 * CHUNK];
        for (to, number) in bytes.chunks_exact_mut(4).zip(chunk) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        hash.update(&bytes[..4 * chunk.len()]);
    }
}

const CHUNK: usize = 1024;

/// A checkpoint that is being written.
pub(crate) struct Sink<'a> {
    out: &'a mut dyn Write,
    hash: Xxh3,
}

impl<'a> Sink<'a> {
    pub fn new(out: &'a mut dyn Write, method: u64, fingerprint: u64) -> io::Result<Sink<'a>> {
        let mut sink = Sink { out, hash: Xxh3::new() };
        sink.bytes(&MAGIC)?;
        sink.words(&[VERSION, method, fingerprint])?;
        Ok(sink)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }

    pub fn words(&mut self, words: &[u64]) -> io::Result<()> {
        words.iter().try_for_each(|word| self.bytes(&word.to_le_bytes()))
    }

    pub fn floats(&mut self, floats: &[f64]) -> io::Result<()> {
        for chunk in floats.chunks(CHUNK) {
            let mut bytes = [0; 8 * CHUNK];
            for (to, float) in bytes.chunks_exact_mut(8).zip(chunk) {
                to.copy_from_slice(&float.to_le_bytes());
            }
            self.bytes(&bytes[..8 * chunk.len()])?;
        }
        Ok(())
    }

    pub fn done(mut self) -> io::Result<()> {
        let digest = self.hash.digest();
        self.words(&[digest])?;
        self.out.flush()
    }
}

/// A checkpoint that is being read.
pub(crate) struct Source<'a> {
    from: &'a mut dyn Read,
    hash: Xxh3,
}

impl<'a> Source<'a> {
    pub fn new(
        from: &'a mut dyn Read,
        method: u64,
        fingerprint: u64,
    ) -> Result<Source<'a>, CheckpointError> {
        let mut source = Source { from, hash: Xxh3::new() };
        let mut magic = MAGIC;
        source.bytes(&mut magic)?;
        if magic != MAGIC {
            return Err(CheckpointError::Foreign("it does not begin like one"));
        }
        match source.word()? {
            VERSION => {}
            version => return Err(CheckpointError::Version(version)),
        }
        source.expect(method, "it is of another method")?;
        source.expect(fingerprint, "it is of another game")?;
        Ok(source)
    }

    fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(bytes)?;
        self.hash.update(bytes);
        Ok(())
    }

    pub fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub fn float(&mut self) -> io::Result<f64> {
        self.word().map(f64::from_bits)
    }

    /// Reads a word that must be this one.
    pub fn expect(&mut self, word: u64, what: &'static str) -> Result<(), CheckpointError> {
        if self.word()? == word { Ok(()) } else { Err(CheckpointError::Foreign(what)) }
    }

    pub fn floats(&mut self, floats: &mut [f64]) -> io::Result<()> {
        for chunk in floats.chunks_mut(CHUNK) {
            let mut bytes = [0; 8 * CHUNK];
            let bytes = &mut bytes[..8 * chunk.len()];
            self.bytes(bytes)?;
            for (float, from) in chunk.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *float = f64::from_le_bytes(*from);
            }
        }
        Ok(())
    }

    /// Whether all was as it was written.
    pub fn done(mut self) -> Result<(), CheckpointError> {
        let digest = self.hash.digest();
        let fits = self.word()? == digest;
        if fits { Ok(()) } else { Err(CheckpointError::Checksum) }
    }
}
