//! Files that are finished, and their objects. Beside a copy lies a note (`.stored`) of which version of
//! the object it is; a file without a note was made here and has not been stored yet.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crabwise::{
    TableError,
    watch::{Stage, Watch},
};

use crate::objects::{About, Objects};

/// Bytes that are fetched or sent at a time. S3 wants at least five MiB, and at most 10,000 pieces.
const PIECE: u64 = 8 << 20;
const MOST_PIECES: u64 = 9_000;

/// Objects as files.
pub(crate) struct Files {
    pub(crate) objects: Box<dyn Objects>,
    address: String,
}

impl Files {
    pub(crate) fn new(objects: Box<dyn Objects>, address: String) -> Files {
        Files { objects, address }
    }

    pub(crate) fn name(&self) -> &str {
        &self.address
    }

    pub(crate) fn address(&self, file: &Path) -> String {
        self.address_of(&name_of(file))
    }

    fn address_of(&self, name: &str) -> String {
        format!("{}/{name}", self.address)
    }

    /// Says which object it is that something cannot be done with.
    pub(crate) fn failed(
        &self,
        name: &str,
        doing: &'static str,
    ) -> impl Fn(io::Error) -> TableError {
        let path = PathBuf::from(self.address_of(name));
        move |source| TableError::Io { path: path.clone(), doing, source }
    }

    pub(crate) fn fetch(&self, file: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        let name = name_of(file);
        let about = self.objects.about(&name).map_err(self.failed(&name, "look for"))?;
        let noted = fs::read_to_string(beside(file, "stored")).ok();
        let here = fs::metadata(file).ok().map(|file| file.len());
        match (about, here) {
            (Some(about), Some(size)) if size == about.size && noted == Some(note(&about)) => {
                Ok(())
            }
            (Some(about), _) => self.download(file, &name, &about, watch),
            (None, Some(_)) if noted.is_none() => self.push(file, watch),
            (None, _) => {
                forget(file);
                Ok(())
            }
        }
    }

    fn download(
        &self,
        file: &Path,
        name: &str,
        about: &About,
        watch: &dyn Watch,
    ) -> Result<(), TableError> {
        make_folder(file)?;
        let mut new = Fresh::beside(file)?;
        let mut stage = Stage::new("fetching", None, Some(about.size));
        while stage.done < about.size {
            watch.tell(&stage)?;
            let range = stage.done..(stage.done + PIECE).min(about.size);
            let piece = self.objects.read(name, Some(about), range);
            let piece = piece.map_err(self.failed(name, "fetch"))?;
            if piece.is_empty() {
                let short = io::Error::other("it is shorter than the store says");
                return Err(self.failed(name, "fetch")(short));
            }
            new.write(&piece)?;
            stage.done += piece.len() as u64;
        }
        new.rename(file)?;
        write_note(file, about)
    }

    pub(crate) fn push(&self, file: &Path, watch: &dyn Watch) -> Result<(), TableError> {
        let name = name_of(file);
        self.send(file, &name, watch)?;
        let about = self.objects.about(&name).map_err(self.failed(&name, "store"))?;
        let gone = || self.failed(&name, "store")(io::Error::other("it is gone again"));
        write_note(file, &about.ok_or_else(gone)?)
    }

    fn send(&self, file: &Path, name: &str, watch: &dyn Watch) -> Result<(), TableError> {
        let failed = self.failed(name, "store");
        let from = File::open(file).map_err(read_failed(file))?;
        let size = from.metadata().map_err(read_failed(file))?.len();
        let piece = PIECE.max(size.div_ceil(MOST_PIECES));
        let next = || -> Result<Vec<u8>, TableError> {
            let mut bytes = vec![];
            (&from).take(piece).read_to_end(&mut bytes).map_err(read_failed(file))?;
            Ok(bytes)
        };
        if size <= piece {
            return self.objects.write(name, next()?).map_err(failed);
        }
        let mut upload = self.objects.upload(name).map_err(&failed)?;
        let mut stage = Stage::new("storing", None, Some(size));
        while stage.done < size {
            watch.tell(&stage)?;
            let bytes = next()?;
            stage.done += (bytes.len() as u64).max(1);
            upload.put(bytes).map_err(&failed)?;
        }
        upload.finish().map_err(failed)
    }
}

/// A file that gets its name when it is whole.
pub(crate) struct Fresh {
    path: PathBuf,
    file: File,
}

impl Fresh {
    pub(crate) fn beside(path: &Path) -> Result<Fresh, TableError> {
        let path = beside(path, &format!("fetched-{}", std::process::id()));
        let file = File::create(&path).map_err(write_failed(&path))?;
        Ok(Fresh { path, file })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.file.write_all(bytes).map_err(write_failed(&self.path))
    }

    pub(crate) fn seek(&mut self, to: u64) -> Result<(), TableError> {
        self.file.seek(SeekFrom::Start(to)).map(|_| ()).map_err(write_failed(&self.path))
    }

    pub(crate) fn rename(self, to: &Path) -> Result<(), TableError> {
        self.file.sync_all().map_err(write_failed(&self.path))?;
        fs::rename(&self.path, to).map_err(write_failed(to))
    }
}

/// Without its name the file is of no use.
impl Drop for Fresh {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes a copy and its note.
pub(crate) fn forget(file: &Path) {
    let _ = fs::remove_file(file);
    forget_note(file);
}

/// Makes a copy one that was never stored.
pub(crate) fn forget_note(file: &Path) {
    let _ = fs::remove_file(beside(file, "stored"));
}

pub(crate) fn make_folder(file: &Path) -> Result<(), TableError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(write_failed(folder))
}

fn note(about: &About) -> String {
    format!("{} {}\n", about.size, about.tag)
}

fn write_note(file: &Path, about: &About) -> Result<(), TableError> {
    let path = beside(file, "stored");
    fs::write(&path, note(about)).map_err(write_failed(&path))
}

pub(crate) fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into()
}

pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

pub(crate) fn read_failed(path: &Path) -> impl Fn(io::Error) -> TableError {
    move |source| TableError::Io { path: path.into(), doing: "read", source }
}

pub(crate) fn write_failed(path: &Path) -> impl Fn(io::Error) -> TableError {
    move |source| TableError::Io { path: path.into(), doing: "write", source }
}
