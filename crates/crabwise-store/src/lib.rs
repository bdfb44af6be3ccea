//! Where tables are: in a directory, or in a store of objects with a working copy here.
//!
//! What is in the store counts. A file is fetched when the copy is not that of its object, and a file
//! whose object is gone is gone. While a table grows, what is safe on disk follows it to the store, so
//! that a run on another machine goes on from there. A program tells a [`Place`] what it is about to need and
//! what it has made; for a directory all of that does nothing.
//!
//! With the feature `s3` the store may be any that speaks S3 ([`Place::named`]); without it no network
//! is known here.
#![deny(missing_docs)]

mod files;
mod growing;
mod objects;
#[cfg(feature = "s3")]
mod s3;
#[cfg(test)]
mod tests;

use std::{
    error::Error,
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
};

use crabwise::{
    TableError,
    watch::{Kept, Stage, Stop, Watch},
};

pub use self::objects::{About, Objects, Upload};
use self::{files::Files, growing::Store};

/// Where tables are.
pub struct Place {
    folder: PathBuf,
    store: Option<Store>,
}

impl Place {
    /// The place of a name: `s3://BUCKET/PREFIX`, with working copies in a folder of `cache`, or
    /// a directory. What is wrong with a name is told in one line.
    pub fn named(name: &OsStr, cache: impl FnOnce() -> Option<PathBuf>) -> Result<Place, String> {
        match name.to_str().and_then(|name| name.strip_prefix("s3://")) {
            None => Ok(Place::directory(name.into())),
            Some(rest) => in_bucket(rest, cache),
        }
    }

    /// A directory.
    pub fn directory(folder: PathBuf) -> Place {
        Place { folder, store: None }
    }

    /// Any store of objects, what it is called, and the folder of working copies.
    pub fn over(objects: Box<dyn Objects>, address: String, folder: PathBuf) -> Place {
        Place { folder, store: Some(Store::new(Files::new(objects, address))) }
    }

    /// The folder in which tables, or copies of them, are worked on.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether tables are elsewhere, and here are copies.
    pub fn is_store(&self) -> bool {
        self.store.is_some()
    }

    /// What a person knows a file of the folder as.
    pub fn address(&self, file: &Path) -> PathBuf {
        self.store.as_ref().map_or_else(|| file.into(), |store| store.files.address(file).into())
    }

    /// What a person knows the folder as.
    pub fn name(&self) -> PathBuf {
        self.store.as_ref().map_or_else(|| self.folder.clone(), |store| store.files.name().into())
    }

    /// Sees to it that a file is here as it is in the store, and is not here if it is not there. One
    /// that was never stored is stored now.
    pub fn fetch(&self, file: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        self.store.as_ref().map_or(Ok(()), |store| store.files.fetch(file, watch))
    }

    /// Brings what the store has of an unfinished table, if that is more than is here.
    pub fn go_on(&self, table: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        self.store.as_ref().map_or(Ok(()), |store| store.go_on(table, watch))
    }

    /// Stores a file that is finished.
    pub fn push(&self, file: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        self.store.as_ref().map_or(Ok(()), |store| store.files.push(file, watch))
    }

    /// Stores what is safe on disk of an unfinished table, once its run has ended.
    pub fn flush(&self, table: &Path) -> Result<(), TableError> {
        self.store.as_ref().map_or(Ok(()), |store| store.flush(table))
    }

    /// Removes a file from the store, finished or not, so that it is gone.
    pub fn remove(&self, file: &Path) -> Result<(), TableError> {
        self.store.as_ref().map_or(Ok(()), |store| store.remove(file))
    }

    /// Forgets a copy that is of no use, so that it is fetched again.
    pub fn forget(&self, file: &Path) {
        if self.is_store() && file.starts_with(&self.folder) {
            files::forget(file);
        }
    }

    /// A watcher that also stores what is kept.
    pub fn watch<'a>(&'a self, watch: &'a dyn Watch) -> Storing<'a> {
        Storing { place: self, watch }
    }
}

#[cfg(feature = "s3")]
fn in_bucket(rest: &str, cache: impl FnOnce() -> Option<PathBuf>) -> Result<Place, String> {
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.trim_matches('/');
    let bucket = s3::Bucket::open(bucket, prefix)?;
    let cache = cache().ok_or("no cache directory is known; set CRABWISE_CACHE to one")?;
    let folder = cache.join("s3").join(bucket.key());
    let address = bucket.address();
    Ok(Place::over(Box::new(bucket), address, folder))
}

#[cfg(not(feature = "s3"))]
fn in_bucket(rest: &str, _: impl FnOnce() -> Option<PathBuf>) -> Result<Place, String> {
    Err(format!(
        "this program was built without stores, and cannot use s3://{rest}; \
         'cargo build --release --features s3' builds it with them"
    ))
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Place").field(&self.name()).finish()
    }
}

/// Tells another watcher everything, and stores what is kept.
pub struct Storing<'a> {
    place: &'a Place,
    watch: &'a dyn Watch,
}

impl Watch for Storing<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        self.watch.tell(stage)
    }

    fn learnt(&self, line: &str) {
        self.watch.learnt(line);
    }

    fn kept(&self, table: &Path, kept: Kept) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.watch.kept(table, kept)?;
        match &self.place.store {
            Some(store) => Ok(store.kept(table, kept, self.watch)?),
            None => Ok(()),
        }
    }
}
