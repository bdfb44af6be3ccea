//! What a store must be able to do. Names are those of files, with at most one folder before them.

use std::{io, ops::Range};

/// What a store tells of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// Its size in bytes.
    pub size: u64,
    /// A word that changes when its content does.
    pub tag: String,
}

/// Objects by name. An object is whole or does not exist.
pub trait Objects: Send + Sync {
    /// Tells of an object; `None` if there is none. A store that does not exist is an error.
    fn about(&self, name: &str) -> io::Result<Option<About>>;

    /// Reads a part of an object, or as much of that as it has. `about`, where it is known, must still be
    /// true.
    fn read(&self, name: &str, about: Option<&About>, bytes: Range<u64>) -> io::Result<Vec<u8>>;

    /// Writes an object that is small.
    fn write(&self, name: &str, content: Vec<u8>) -> io::Result<()>;

    /// Writes an object of a known size piece by piece.
    fn upload(&self, name: &str) -> io::Result<Box<dyn Upload>>;

    /// The names and sizes of the objects in a folder, without its own name before them, sorted.
    fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>>;

    /// Removes an object. That there is none is no error.
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// An object that is being written; dropped, it never was.
pub trait Upload {
    /// The next piece. All but the last are equally long.
    fn put(&mut self, piece: Vec<u8>) -> io::Result<()>;

    /// All pieces are there, and so is the object now.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
