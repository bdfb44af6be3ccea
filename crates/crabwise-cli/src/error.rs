//! Where a failure becomes one line and an exit code, and nowhere else.

use std::{
    fmt,
    io::{self, ErrorKind, Write},
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use crabwise::{
    SolveError, TableError,
    explore::LookError,
    watch::{Bytes, Stop, escaped},
};
use crabwise_api::Failed;
use crabwise_games::BadGame;
use crabwise_hidden::{CheckpointError, HiddenError, LpError, MatrixError, StrategyError};
use crabwise_session::{Error, stop_of};

use crate::text::several;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The answer is no. It has been given, and this line says why.
    No(String),
    /// The session could not do it.
    Session(Error),
    /// A search for an equilibrium was stopped; `kept` is how many of its iterations are not lost.
    Halted { stop: Stop, kept: Option<u64> },
    /// A game with hidden information could not be laid out.
    Hidden(HiddenError),
    /// A game is too large for methods that lay it out, and others do not.
    LaidOut { game: String, source: HiddenError },
    /// There are no strategies for the game in a file.
    Strategy { path: PathBuf, source: StrategyError },
    /// There was not enough room, and a limit on this process is why.
    Limited(Box<Failure>),
    /// The system refused to start threads.
    Threads(String),
    /// Something else was wrong with what was asked; the line says what would be right.
    Input(String),
    /// A file could not be written.
    File { path: PathBuf, source: io::Error },
    /// Standard output or input failed.
    Pipe(io::Error),
    /// Code of a game, or our own, panicked.
    Bug(String),
}

const NO: u8 = 1;
const BAD_INPUT: u8 = 2;
pub const NO_ROOM: u8 = 3;
const LOST: u8 = 4;
const BUG: u8 = 101;
const STOPPED: u8 = 130;

impl Failure {
    fn code(&self) -> u8 {
        match self {
            _ if self.nobody_reads() => 0,
            Failure::No(_) => NO,
            Failure::Bug(_) => BUG,
            Failure::Session(Error::Lost { .. }) => LOST,
            Failure::Session(Error::Solve(error)) => solve_code(error),
            Failure::Session(Error::Game(BadGame::NoRoom { .. })) => NO_ROOM,
            Failure::Session(Error::Stopped { stop, .. } | Error::Uncounted { stop, .. }) => {
                stop_code(stop)
            }
            Failure::Halted { stop, .. } => stop_code(stop),
            Failure::Hidden(HiddenError::Room { .. })
            | Failure::LaidOut { .. }
            | Failure::Threads(_) => NO_ROOM,
            Failure::Limited(failure) => failure.code(),
            Failure::Hidden(HiddenError::Stopped(stop)) => stop_code(stop),
            Failure::Strategy { source: StrategyError::Io(source), .. } if full(source) => NO_ROOM,
            Failure::File { source, .. } | Failure::Pipe(source) if full(source) => NO_ROOM,
            _ => BAD_INPUT,
        }
    }

    /// Whether there was not enough room, in memory or elsewhere.
    pub fn is_no_room(&self) -> bool {
        self.code() == NO_ROOM
    }

    /// Whether the reader of our output has gone away, as `head` does when it has enough.
    fn nobody_reads(&self) -> bool {
        let source = match self {
            Failure::Pipe(source) | Failure::File { source, .. } => source,
            Failure::Session(Error::Solve(SolveError::Table(TableError::Io {
                source, ..
            }))) => source,
            _ => return false,
        };
        source.kind() == ErrorKind::BrokenPipe
    }
}

fn solve_code(error: &SolveError) -> u8 {
    match error {
        SolveError::NoMemory { .. }
        | SolveError::TooFewWorkers { .. }
        | SolveError::TooFar
        | SolveError::TooLarge { .. } => NO_ROOM,
        SolveError::Table(error) if error.is_full() => NO_ROOM,
        _ => stop_of(error).map_or(BAD_INPUT, stop_code),
    }
}

fn stop_code(stop: &Stop) -> u8 {
    match stop {
        Stop::Cancelled => STOPPED,
        Stop::Memory { .. } => NO_ROOM,
    }
}

fn full(source: &io::Error) -> bool {
    use ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

macro_rules! of_the_session {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Session(error.into())
            }
        })*
    };
}

of_the_session!(Error, BadGame, SolveError, TableError, LookError);

impl From<HiddenError> for Failure {
    fn from(error: HiddenError) -> Failure {
        match error {
            HiddenError::Solve(error) => error.into(),
            error => Failure::Hidden(error),
        }
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Failure {
        Failure::Input(format!("{error}; --anew begins again"))
    }
}

impl From<LpError> for Failure {
    fn from(error: LpError) -> Failure {
        match error {
            LpError::Stopped(stop) => Failure::Halted { stop, kept: None },
            error => Failure::Input(error.to_string()),
        }
    }
}

impl From<MatrixError> for Failure {
    fn from(error: MatrixError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No(line) | Failure::Input(line) => f.write_str(line),
            Failure::Session(error) => session_line(f, error),
            Failure::Bug(line) => {
                write!(f, "{line}; this is a bug, in the code of the game or of Crabwise")
            }
            Failure::Halted { stop, kept } => {
                stop_line(f, stop)?;
                match kept {
                    Some(n) => {
                        let kept = several(*n, "iteration");
                        write!(f, "; {kept} kept, and the same command goes on from there")
                    }
                    None => Ok(()),
                }
            }
            Failure::Hidden(HiddenError::Stopped(stop)) => stop_line(f, stop),
            Failure::Hidden(error) => error.fmt(f),
            Failure::LaidOut { game, source } => write!(
                f,
                "{source}; --method outcome, external or deep lays nothing out, as in \
                 '{} equilibrium {game} --method outcome --time 10min'",
                program()
            ),
            Failure::Limited(failure) => {
                write!(
                    f,
                    "{failure}; a limit on this process (ulimit or control group) allows no more"
                )
            }
            Failure::Threads(why) => write!(f, "{why}; fewer --threads or --workers would help"),
            Failure::Strategy { path, source } => write!(f, "{}: {source}", path.display()),
            Failure::File { path, source } => {
                write!(f, "cannot write {}: {source}", path.display())
            }
            Failure::Pipe(source) => write!(f, "cannot write the result: {source}"),
        }
    }
}

/// What the session says, and what can be done about it here.
fn session_line(f: &mut fmt::Formatter<'_>, error: &Error) -> fmt::Result {
    let how = |kept: u32| if kept == 0 { "begins anew" } else { "goes on from there" };
    let tiers = |kept: u32| several(kept.into(), "finished tier");
    match error {
        Error::NoTable { game, outdated, .. } => {
            let make = if *outdated { "make it anew" } else { "make it" };
            write!(f, "{error}; {make} with '{} solve {game}'", program())
        }
        Error::NeedsTable { .. } | Error::NoSearch { .. } => {
            write!(f, "{error}; leave out --search")
        }
        Error::Solve(unsolved) => match stop_of(unsolved) {
            Some(stop) => stop_line(f, stop),
            None => write!(f, "{error}"),
        },
        Error::Stopped { stop, game, kept, .. } => {
            stop_line(f, stop)?;
            let (kept, how) = (tiers(*kept), how(*kept));
            write!(f, "; {kept} kept, and '{} solve {game}' {how}", program())
        }
        Error::Uncounted { stop, game } => {
            stop_line(f, stop)?;
            let program = program();
            write!(f, "; the table is whole, and '{program} stats {game}' counts its positions")
        }
        Error::Lost { why, kept, .. } => {
            let (kept, how) = (tiers(*kept), how(*kept));
            write!(f, "{why}; {kept} kept, and the same command, in all processes, {how}")
        }
        Error::Unstored(_) => write!(f, "{error}, and the same command goes on from there"),
        Error::Game(_) | Error::Look(_) | Error::Foreign { .. } => write!(f, "{error}"),
    }
}

fn stop_line(f: &mut fmt::Formatter<'_>, stop: &Stop) -> fmt::Result {
    match stop {
        Stop::Cancelled => f.write_str("stopped"),
        Stop::Memory { used, limit } => write!(
            f,
            "stopped with {} of memory in use, and {} are allowed; a larger --memory would help",
            Bytes(*used),
            Bytes(*limit)
        ),
    }
}

/// Tells a person, and with `json` a script, and chooses the exit code.
pub fn report(failure: &Failure, json: bool) -> ExitCode {
    let cause = if let Failure::Limited(cause) = failure { cause } else { failure };
    if let Failure::Session(Error::Stopped { unstored, .. } | Error::Lost { unstored, .. }) = cause
        && let Some(unstored) = unstored
    {
        let _ = writeln!(io::stderr(), "warning: {unstored} only");
    }
    if !failure.nobody_reads() {
        let answered = matches!(failure, Failure::No(_));
        tell(&failure.to_string(), json && !answered);
    }
    failure.code().into()
}

/// Tells what clap does not understand. Help and version are no failures.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::*;
    match error.kind() {
        DisplayHelp | DisplayVersion => {
            // Nobody can be told that nobody reads.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            BAD_INPUT.into()
        }
        _ => {
            let json = std::env::args_os().any(|word| word == "--json");
            tell(&usage_line(&error.render().to_string()), json);
            BAD_INPUT.into()
        }
    }
}

/// Runs a command so that a panic ends in one line like every other failure.
pub fn guard(command: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    static FIRST: Mutex<Option<String>> = Mutex::new(None);
    panic::set_hook(Box::new(|info| {
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        let line = info.to_string().replace('\n', " ");
        first.get_or_insert(line);
    }));
    let done = panic::catch_unwind(AssertUnwindSafe(command));
    let _ = panic::take_hook();
    done.unwrap_or_else(|_| {
        let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
        let first = first.unwrap_or_else(|| "panicked".into());
        // The standard library panics where the system refuses a thread, which is no bug of anybody's.
        match first.split_once("failed to spawn thread") {
            Some((_, why)) => Err(Failure::Threads(format!("the system refuses a thread{why}"))),
            None => Err(Failure::Bug(first)),
        }
    })
}

/// What this program was called as: it may be somebody's own, with games of their own.
pub fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&called).file_stem().unwrap_or_default();
    if name.is_empty() { "crabwise".into() } else { name.to_string_lossy().into() }
}

/// Standard error may be closed, which must not turn a failure into a panic.
fn tell(line: &str, json: bool) {
    let line = one_line(line);
    let _ = writeln!(io::stderr(), "{}: {line}", program());
    if json {
        let _ = writeln!(io::stdout(), "{}", crabwise_api::text(&Failed { error: &line }));
    }
}

/// A message on one line, whatever names and arguments are quoted in it: none of their characters is an order to the
/// terminal, and what is longer than names are is cut short.
fn one_line(message: &str) -> String {
    const LONGEST_WORD: usize = 300;
    const LONGEST: usize = 2000;
    let cut = |text: String, most: usize, left: usize| match text.chars().nth(most) {
        Some(_) => text.chars().take(left).collect::<String>() + "…",
        None => text,
    };
    let line = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let words = line.split(' ').map(|word| cut(escaped(word), LONGEST_WORD, 60));
    cut(words.collect::<Vec<_>>().join(" "), LONGEST, LONGEST)
}

/// Clap's paragraphs on one line: what is wrong, what is near, and the usage if it says it.
fn usage_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let paragraphs = message.split("\n\n").map(|paragraph| {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.strip_prefix("Usage: ") {
            Some(usage) => format!("usage: {usage}"),
            None => line.strip_prefix("tip: ").unwrap_or(&line).to_string(),
        }
    });
    let useful = |line: &String| !line.is_empty() && !line.starts_with("For more information");
    paragraphs.filter(useful).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_no_room_and_a_broken_pipe_is_silent() {
        let file = |kind: ErrorKind| Failure::File { path: "x".into(), source: kind.into() };
        assert_eq!(file(ErrorKind::StorageFull).code(), NO_ROOM);
        assert_eq!(file(ErrorKind::PermissionDenied).code(), BAD_INPUT);
        assert_eq!(Failure::Pipe(ErrorKind::BrokenPipe.into()).code(), 0);
        let source = ErrorKind::StorageFull.into();
        let full = TableError::Io { path: "x".into(), doing: "write", source };
        assert_eq!(Failure::from(full).code(), NO_ROOM);
    }

    #[test]
    fn a_stop_says_what_is_kept() {
        let stop = |stop, kept| {
            let game = "nim:3-5-7".into();
            Failure::from(Error::Stopped { stop, game, kept, unstored: None })
        };
        let cancelled = stop(Stop::Cancelled, 1);
        assert_eq!(cancelled.code(), STOPPED);
        let line = cancelled.to_string();
        assert!(line.starts_with("stopped; 1 finished tier kept, and '"), "{line}");
        assert!(line.ends_with(" solve nim:3-5-7' goes on from there"), "{line}");
        let memory = stop(Stop::Memory { used: 2 << 30, limit: 1 << 30 }, 4);
        assert_eq!(memory.code(), NO_ROOM);
        assert!(memory.to_string().contains("2.0 GiB of memory in use, and 1.0 GiB are allowed"));
    }

    #[test]
    fn a_line_is_one_line_and_no_longer_than_it_must_be() {
        assert_eq!(one_line("no 'x\u{1b}[31m'\nhere"), "no 'x\\u{1b}[31m' here");
        let long = format!("cannot read {}: gone", "x".repeat(70_000));
        assert_eq!(one_line(&long), format!("cannot read {}… gone", "x".repeat(60)));
        assert_eq!(one_line(&"a ".repeat(70_000)).chars().count(), 2001);
        let path = format!("cannot read /{}: gone", "folder/".repeat(40));
        assert_eq!(one_line(&path), path);
    }

    #[test]
    fn usage_on_one_line() {
        let message = "error: unexpected argument '--jsn' found\n\n  tip: a similar argument \
                       exists: '--json'\n\nUsage: crabwise solve <GAME>\n\n\
                       For more information, try '--help'.\n";
        let line = "unexpected argument '--jsn' found; a similar argument exists: '--json'; \
                    usage: crabwise solve <GAME>";
        assert_eq!(usage_line(message), line);
    }
}
