//! A watcher of a long run hears how far it is, and can stop it.

use std::{error::Error, fmt, path::Path, sync::Mutex, time::Instant};

/// What a run is doing, told a few times a second at most.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What is being done, in two or three words.
    pub what: &'static str,
    /// The tier it is about, where it is about one.
    pub tier: Option<u32>,
    /// How many positions are done.
    pub done: u64,
    /// How many there are, once that is known.
    pub total: Option<u64>,
    /// How far from the ends, where the work goes by distance.
    pub level: Option<u32>,
    /// Who else is at work, where many workers are.
    pub team: Option<TeamStage>,
}

impl Stage {
    /// A stage that begins.
    pub fn new(what: &'static str, tier: Option<u32>, total: Option<u64>) -> Stage {
        Stage { what, tier, done: 0, total, level: None, team: None }
    }
}

/// How the workers of one run get on with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamStage {
    /// How many workers there are.
    pub workers: usize,
    /// Bytes that they have sent to each other.
    pub exchanged: u64,
    /// The worker that took longest lately.
    pub slowest: usize,
}

/// How much of a table is safe on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// So many bytes of its `.part` file; its journal tells of them, and the next that is kept follows
    /// them.
    Part(u64),
    /// All of it, under its own name.
    Whole,
}

/// Why a run was asked to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Somebody asked for it.
    Cancelled,
    /// It grew beyond the memory it may use.
    Memory {
        /// Bytes in use.
        used: u64,
        /// Bytes allowed.
        limit: u64,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Cancelled => f.write_str("stopped on request"),
            Stop::Memory { used, limit } => {
                write!(f, "{} in use, more than the {} allowed", Bytes(*used), Bytes(*limit))
            }
        }
    }
}

/// Watches a run. Called from several threads.
pub trait Watch: Sync {
    /// Hears how far the run is; an error stops it as soon as may be.
    fn tell(&self, stage: &Stage) -> Result<(), Stop>;

    /// Hears how good an answer is by now, where it gets better and better.
    fn learnt(&self, _line: &str) {}

    /// Hears that more of the table at a path is safe on disk, and may copy it elsewhere; the files do
    /// not change meanwhile. An error ends the run, and what is on disk stays.
    fn kept(&self, _table: &Path, _kept: Kept) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}

/// Nobody watching.
pub struct Unwatched;

impl Watch for Unwatched {
    fn tell(&self, _stage: &Stage) -> Result<(), Stop> {
        Ok(())
    }
}

/// A stage under way: counts what is done and tells the watcher now and then.
pub struct Meter<'a> {
    watch: &'a dyn Watch,
    state: Mutex<(Stage, Instant)>,
}

impl<'a> Meter<'a> {
    /// Tells the watcher that the stage begins.
    pub fn new(
        watch: &'a dyn Watch,
        what: &'static str,
        tier: Option<u32>,
        total: Option<u64>,
    ) -> Result<Meter<'a>, Stop> {
        let stage = Stage::new(what, tier, total);
        watch.tell(&stage)?;
        Ok(Meter { watch, state: Mutex::new((stage, Instant::now())) })
    }

    /// Counts `more` as done. Call once for thousands of positions, not for each.
    pub fn add(&self, more: u64) -> Result<(), Stop> {
        let mut state = self.state.lock().expect("a meter's lock is held for an addition only");
        state.0.done += more;
        if state.1.elapsed().as_millis() < 50 {
            return Ok(());
        }
        state.1 = Instant::now();
        let stage = state.0;
        drop(state);
        self.watch.tell(&stage)
    }
}

/// A number with its thousands parted by commas.
#[derive(Clone, Copy, Debug)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                write!(f, ",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A number of bytes as people read it.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut size, mut unit) = (self.0 as f64, "bytes");
        for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
            if size < 1024.0 {
                break;
            }
            (size, unit) = (size / 1024.0, next);
        }
        if unit == "bytes" { write!(f, "{size} {unit}") } else { write!(f, "{size:.1} {unit}") }
    }
}

/// A text from outside as a message quotes it: on one line, not too long, and with nothing in it that a terminal
/// would take for an order.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        match self.0.char_indices().nth(LONGEST) {
            None => f.write_str(&escaped(self.0)),
            Some((end, _)) => write!(f, "{}…", escaped(&self.0[..end])),
        }
    }
}

/// A text with its control characters, and whatever else cannot be seen, written as escapes.
pub fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\'' | '"' | '\\' => plain.push(letter),
            letter => plain.extend(letter.escape_debug()),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_harmless() {
        for (text, shown) in [
            ("b2", "b2"),
            ("a 'b' \"c\" \\", "a 'b' \"c\" \\"),
            ("red\u{1b}[31m\n", "red\\u{1b}[31m\\n"),
            ("é ⇒ \u{202e}", "é ⇒ \\u{202e}"),
        ] {
            assert_eq!(Shown(text).to_string(), shown);
        }
        assert_eq!(Shown(&"é".repeat(60)).to_string(), "é".repeat(60));
        assert_eq!(Shown(&"é".repeat(61)).to_string(), "é".repeat(60) + "…");
    }
}
