//! Where results go: standard output, or a file that is whole or does not exist.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use crate::error::Failure;

/// Writes to standard output, whose reader may have gone.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::Pipe)
}

/// Fills a file under a temporary name beside it and renames it when it is whole, so that it never
/// holds half of something. What is no plain file, such as `/dev/null`, is written to directly.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: path.into(), source };
    if path.exists() && !path.is_file() {
        let mut file = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
        return buffered(&mut file, path, fill);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let line = format!("cannot write {}: no folder {}", path.display(), folder.display());
        return Err(Failure::Input(line));
    }
    let mut beside = tempfile::Builder::new();
    beside.prefix(".crabwise-");
    // As any other new file: a temporary one would be readable by its owner only.
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = beside.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    buffered(file.as_file_mut(), path, fill)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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
