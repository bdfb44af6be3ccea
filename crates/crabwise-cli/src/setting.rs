//! What every command works in: the games, where tables are, how much memory there is.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crabwise::{
    Job, SolveError, Solved,
    hidden::AnyHidden,
    label::{Draws, Weights},
    table,
    watch::{Unwatched, Watch},
};
use crabwise_games::{Built, Registry};
use serde::Serialize;

use crate::{args, error, error::Failure, json, machine, progress::Progress};

pub struct Setting<'a> {
    pub registry: &'a Registry,
    pub json: bool,
    pub quiet: bool,
    /// Bytes that may be used.
    pub memory: u64,
    tables: PathBuf,
}

/// A game and the place of its table.
pub struct Chosen {
    pub built: Built,
    pub table: PathBuf,
}

impl Chosen {
    /// Refuses, before anything is solved, what takes distances of a game that keeps none.
    pub fn need_distances(&self, what: &'static str) -> Result<(), Failure> {
        match self.built.game.keeps_distances() {
            true => Ok(()),
            false => Err(SolveError::Untold { what }.into()),
        }
    }
}

/// Where the machine does not say what it has free.
const MODEST: u64 = 4 << 30;

impl<'a> Setting<'a> {
    pub fn new(registry: &'a Registry, globals: &args::Globals) -> Result<Setting<'a>, Failure> {
        let unknown = || Failure::Input("no data directory is known; say --tables DIR".into());
        // Clap could read the variable, but would then take a bare `crabwise` for one with options.
        let named = std::env::var_os("CRABWISE_TABLES").filter(|name| !name.is_empty());
        let tables = match globals.tables.clone().or(named.map(PathBuf::from)) {
            Some(tables) => tables,
            None => dirs::data_dir().ok_or_else(unknown)?.join("crabwise").join("tables"),
        };
        if let Some(threads) = globals.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().map_err(|error| Failure::Input(format!("--threads: {error}")))?;
        }
        // Not the last of it: others live here too.
        let free = || machine::free().map_or(MODEST, |free| free - free / 16);
        let memory = globals.memory.unwrap_or_else(free);
        Ok(Setting { registry, json: globals.json, quiet: globals.quiet, memory, tables })
    }

    pub fn game(&self, string: &str) -> Result<Chosen, Failure> {
        let open = |path: &str| {
            let file = fs::File::open(path)?;
            // A folder can be opened, and fails only when it is read.
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(Box::new(file) as Box<dyn Read>)
        };
        let built = self.registry.build_with(string, &open)?;
        let table = self.tables.join(table::file_name(&built.string));
        Ok(Chosen { built, table })
    }

    /// A game with hidden information.
    pub fn hidden(&self, string: &str) -> Result<Built<dyn AnyHidden>, Failure> {
        Ok(self.registry.build_hidden(string)?)
    }

    /// Where the strategies of a game are kept if nobody says otherwise.
    pub fn strategy(&self, game: &str) -> PathBuf {
        self.tables.join(table::file_name(game)).with_extension("strat")
    }

    /// Where tables are kept.
    pub fn tables(&self) -> &Path {
        &self.tables
    }

    /// Makes the folder of tables.
    pub fn make_folder(&self) -> Result<(), Failure> {
        let path = self.tables.clone();
        fs::create_dir_all(&path).map_err(|source| Failure::File { path, source })
    }

    /// A game whose table is there: made now if that is asked for, or else it must have been.
    pub fn solved(&self, of: &args::Solved) -> Result<Chosen, Failure> {
        self.ready(self.game(&of.game)?, of.solve)
    }

    /// The same of a game that has been chosen already.
    pub fn ready(&self, chosen: Chosen, solve: bool) -> Result<Chosen, Failure> {
        if !self.has_table(&chosen) {
            if !solve {
                return Err(self.no_table(&chosen));
            }
            self.solve(&chosen, &Progress::new(self))?;
        }
        Ok(chosen)
    }

    /// Whether the table of a game is there, and of use.
    pub fn has_table(&self, chosen: &Chosen) -> bool {
        chosen.table.exists() && !self.outdated(chosen)
    }

    pub fn no_table(&self, chosen: &Chosen) -> Failure {
        let (game, tables) = (chosen.built.string.clone(), self.tables.clone());
        let outdated = self.outdated(chosen);
        Failure::NoTable { game, tables, outdated }
    }

    /// Whether the game was read from a file that has changed since it was solved.
    fn outdated(&self, chosen: &Chosen) -> bool {
        chosen.built.game.outdated(&self.job(chosen, &Unwatched))
    }

    /// Solves a game; a stop says what is kept. What has been solved of an earlier version of its
    /// file is of no more use.
    pub fn solve(&self, chosen: &Chosen, watch: &dyn Watch) -> Result<Solved, Failure> {
        if self.outdated(chosen) {
            table::remove(&chosen.table)?;
        }
        chosen.built.game.solve(&self.job(chosen, watch)).map_err(|error| {
            match error::stopped(&error) {
                Some(stop) => Failure::Stopped {
                    stop: stop.clone(),
                    game: chosen.built.string.clone(),
                    kept: table::kept(&chosen.table),
                },
                None => error.into(),
            }
        })
    }

    pub fn job<'j>(&self, chosen: &'j Chosen, watch: &'j dyn Watch) -> Job<'j> {
        let Chosen { built, table } = chosen;
        Job { game: &built.string, table, memory: self.memory, watch }
    }

    /// Says so, on standard error, where weights are not as the source of the method wants them.
    pub fn doubt(&self, draws: Option<Draws>) {
        if let Some(Draws::Densest(weights)) = draws
            && !weights.rise()
        {
            let Weights { a, b, c } = weights;
            eprintln!("warning: the weights {a},{b},{c} do not rise; C > B > A is recommended");
        }
    }

    /// Prints a result, for a script or for a person.
    pub fn print(
        &self,
        object: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let result = if self.json { json::line(object) } else { text() };
        print(&result)
    }
}

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
