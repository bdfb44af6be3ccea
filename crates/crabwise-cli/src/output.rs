//! Where results go: standard output, or a file that is whole or does not exist.
//!
//! A file grows under a temporary name beside its own, and is locked meanwhile. The system lets go of a lock when its
//! process ends, however that ends; so what is not locked was left behind, and whoever writes into the folder next
//! clears it away. What a link leads to is written where it is, and the link stays; `/dev/stdout` and its like are
//! written to as they are, even where they lead to a file. That a file can be written is found out before the work is begun that is to fill it.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use crabwise::Table;
use tempfile::NamedTempFile;

use crate::{error::Failure, interrupt::Temporary};

/// What the names of unfinished files begin with.
const UNFINISHED: &str = ".crabwise-";

/// Writes to standard output, whose reader may have gone.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::Pipe)
}

/// Finds out whether a file can be written, as far as that can be known before it is.
pub fn writable(path: &Path) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: path.into(), source };
    if path == Path::new("-") {
        let line = "'-' is standard output, and not for this; name a file, or write ./- for one of that name";
        return Err(Failure::Input(line.into()));
    }
    match fs::metadata(path) {
        Ok(_) if is_stream(path) => return Ok(()),
        Ok(found) if found.is_dir() => return Err(failed(ErrorKind::IsADirectory.into())),
        // It may have taken days to make.
        Ok(found) if found.is_file() && Table::open(path).is_ok() => {
            let line =
                format!("cannot write {}: there is a table; name another file", path.display());
            return Err(Failure::Input(line));
        }
        Ok(found) if found.is_file() => {}
        // To open a pipe would be to wait for its reader; devices are asked when they are written to.
        Ok(_) => return Ok(()),
        Err(source) if source.kind() == ErrorKind::NotFound => {}
        Err(source) => return Err(failed(source)),
    }
    if names_a_folder(path) {
        let line = format!("cannot write {}: that names a folder, not a file", path.display());
        return Err(Failure::Input(line));
    }
    beside(&led_to(path)).map(drop)
}

/// Finds out whether files can be made in a folder, which may have to be made first.
pub fn fillable(folder: &Path) -> Result<(), Failure> {
    let here =
        |folder: &Path| if folder.as_os_str().is_empty() { ".".into() } else { folder.into() };
    let mut ancestors = folder.ancestors().map(here);
    let there: PathBuf = ancestors.find(|folder: &PathBuf| folder.exists()).unwrap_or(".".into());
    let made = match there.is_dir() {
        true => unfinished(&there).map(drop),
        false => Err(ErrorKind::NotADirectory.into()),
    };
    made.map_err(|source| Failure::File { path: folder.into(), source })
}

/// Whether a path that leads nowhere could only become a folder, or nothing.
fn names_a_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_none_or(|&byte| std::path::is_separator(byte.into())) || path.file_name().is_none()
}

/// Whether a path is one of those that lead to what a process has open, as `/dev/stdout` does. To put a file in its
/// place would be to take it away from everybody.
fn is_stream(path: &Path) -> bool {
    let led = fs::read_link(path).is_ok_and(|to| to.starts_with("/proc"));
    led || path.starts_with("/proc") || path.starts_with("/dev/fd")
}

/// Fills a file under a temporary name beside it and renames it when it is whole, so that it never
/// holds half of something. What is no plain file, such as `/dev/null`, is written to directly.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: path.into(), source };
    if path.exists() && (is_stream(path) || !path.is_file()) {
        // Behind what others have written, should it be a file.
        let mut file = fs::OpenOptions::new().append(true).open(path).map_err(failed)?;
        return buffered(&mut file, path, fill);
    }
    let place = led_to(path);
    let (mut file, _removed) = beside(&place)?;
    buffered(file.as_file_mut(), path, fill)?;
    file.persist(place).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The file that a link leads to, if there is one.
fn led_to(path: &Path) -> PathBuf {
    let led = if path.is_symlink() { fs::canonicalize(path).ok() } else { None };
    led.unwrap_or_else(|| path.into())
}

/// A temporary file beside one that is to be written.
fn beside(path: &Path) -> Result<(NamedTempFile, Temporary), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let line = format!("cannot write {}: no folder {}", path.display(), folder.display());
        return Err(Failure::Input(line));
    }
    clear(folder);
    unfinished(folder).map_err(|source| Failure::File { path: path.into(), source })
}

fn unfinished(folder: &Path) -> io::Result<(NamedTempFile, Temporary)> {
    loop {
        let mut removed = None;
        let file = tempfile::Builder::new().prefix(UNFINISHED).make_in(folder, |path| {
            // Known before it is there, so that no signal comes between. And made as any other new file: a temporary
            // one would be readable by its owner only.
            removed = Some(Temporary::new(path));
            fs::OpenOptions::new().read(true).write(true).create_new(true).open(path)
        })?;
        // Where files cannot be locked, nobody clears them away.
        let taken = matches!(file.as_file().try_lock(), Err(fs::TryLockError::WouldBlock));
        // Before it was locked, somebody may have taken it for left behind.
        if let Some(removed) = removed.filter(|_| !taken && file.path().exists()) {
            return Ok((file, removed));
        }
    }
}

/// Clears away what killed processes have left unfinished in a folder. That it cannot be cleared away is no reason
/// to fail.
pub fn clear(folder: &Path) {
    for path in left_in(folder) {
        let file = fs::OpenOptions::new().write(true).open(&path);
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

fn left_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let unfinished = entries.filter(|entry| {
        let named = entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes());
        named && entry.file_type().is_ok_and(|kind| kind.is_file())
    });
    unfinished.map(|entry| entry.path())
}

fn buffered(
    out: &mut dyn Write,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    fill(&mut out)?;
    out.flush().map_err(|source| Failure::File { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_cleared_away_and_what_somebody_holds_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (held, _removed) = unfinished(folder.path()).unwrap();
        fs::write(at(".crabwise-left"), "half").unwrap();
        fs::write(at("crabwise-mine"), "whole").unwrap();
        fs::create_dir(at(".crabwise-folder")).unwrap();
        write_whole(&at("a"), |out| out.write_all(b"a").map_err(Failure::Pipe)).unwrap();
        assert!(held.path().exists() && !at(".crabwise-left").exists());
        assert!(at("crabwise-mine").exists() && at(".crabwise-folder").exists());
        assert_eq!(left_in(folder.path()).count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, inner] = ["file", "link", "inner"].map(|name| folder.path().join(name));
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("file"), "old").unwrap();
        std::os::unix::fs::symlink("inner/file", &link).unwrap();
        std::os::unix::fs::symlink("nowhere", &file).unwrap();
        for path in [&link, &file] {
            write_whole(path, |out| out.write_all(b"new").map_err(Failure::Pipe)).unwrap();
            assert_eq!(fs::read(path).unwrap(), b"new");
        }
        assert!(link.is_symlink() && fs::read(inner.join("file")).unwrap() == b"new");
        assert!(is_stream(Path::new("/dev/stdout")) && is_stream(Path::new("/dev/fd/1")));
        assert!(!is_stream(&file) && !is_stream(&link) && !is_stream(Path::new("/dev/shm/x")));
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        for name in ["", "x/", "no/x", "file/x", "..", "new/..", &"n".repeat(300)] {
            assert!(writable(&at(name)).is_err(), "{name}");
        }
        for name in ["file", "new", "./new", "../new"] {
            assert!(writable(&at(name)).is_ok(), "{name}");
        }
        assert!(writable(Path::new("")).is_err());
        for (name, can) in
            [("", true), ("new", true), ("a/b/c", true), ("file", false), ("file/a", false)]
        {
            assert_eq!(fillable(&at(name)).is_ok(), can, "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
