//! What people type while a command runs.

use std::io::{BufRead, Read};

use crate::error::Failure;

/// The longest line that means anything, in bytes. What is longer comes in several.
const LONGEST: u64 = 1 << 12;

/// The next line; `None` if nothing more will come.
pub fn typed(input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut line = vec![];
    let read = input.take(LONGEST).read_until(b'\n', &mut line).map_err(|source| {
        Failure::Input(format!("cannot read moves from standard input: {source}"))
    })?;
    // Bytes that are no text are a bad move, not the end of the game.
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_string()))
}
