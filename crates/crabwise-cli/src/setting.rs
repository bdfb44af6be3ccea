//! What every command works in: the games, where tables are, how much memory there is. Wherever a table
//! may be elsewhere ([`Place`]), here is where it is fetched before it is needed.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use crabwise::{
    Crew, Job, Lost, Plan, SolveError, Solved, TableError,
    analysis::label::{Draws, Weights},
    table,
    watch::{Unwatched, Watch},
};
use crabwise_games::{Built, Registry};
use crabwise_hidden::ErasedHidden;
use crabwise_store::Place;
use serde::Serialize;

use crate::{args, error, error::Failure, json, machine, progress::Progress};

pub struct Setting<'a> {
    pub registry: &'a Registry,
    pub json: bool,
    pub quiet: bool,
    /// Bytes that may be used.
    pub memory: u64,
    /// Threads to work with, where that was said.
    pub threads: Option<u16>,
    place: Arc<Place>,
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
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        // Clap could read the variable, but would then take a bare `crabwise` for one with options.
        let named = globals.tables.clone().or(variable("CRABWISE_TABLES").map(PathBuf::from));
        let tables = match named {
            Some(tables) => tables,
            None => dirs::data_dir().ok_or_else(unknown)?.join("crabwise").join("tables"),
        };
        let cache = || {
            let usual = || Some(dirs::cache_dir()?.join("crabwise"));
            variable("CRABWISE_CACHE").map(PathBuf::from).or_else(usual)
        };
        let place = Place::named(tables.as_os_str(), cache).map_err(Failure::Input)?.into();
        if let Some(threads) = globals.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().map_err(|error| Failure::Input(format!("--threads: {error}")))?;
        }
        // Not the last of it: others live here too.
        let free = || machine::free().map_or(MODEST, |free| free - free / 16);
        let memory = globals.memory.unwrap_or_else(free);
        Ok(Setting {
            registry,
            json: globals.json,
            quiet: globals.quiet,
            memory,
            threads: globals.threads,
            place,
        })
    }

    /// The same setting with so many bytes of memory.
    pub fn within(&self, memory: u64) -> Setting<'a> {
        let Setting { registry, json, quiet, threads, .. } = *self;
        Setting { registry, json, quiet, memory, threads, place: self.place.clone() }
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
        let table = self.place.folder().join(table::file_name(&built.string));
        Ok(Chosen { built, table })
    }

    /// A game with hidden information.
    pub fn hidden(&self, string: &str) -> Result<Built<ErasedHidden>, Failure> {
        Ok(self.registry.build_hidden(string)?)
    }

    /// Where the strategies of a game are kept if nobody says otherwise.
    pub fn strategy(&self, game: &str) -> PathBuf {
        self.place.folder().join(table::file_name(game)).with_extension("strat")
    }

    /// Where tables are kept.
    pub fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// Makes the folder of tables.
    pub fn make_folder(&self) -> Result<(), Failure> {
        let path = self.place.folder().to_path_buf();
        fs::create_dir_all(&path).map_err(|source| Failure::File { path, source })
    }

    /// A game whose table is there: made now if that is asked for, or else it must have been.
    pub fn solved(&self, of: &args::Solved) -> Result<Chosen, Failure> {
        self.ready(self.game(&of.game)?, of.solve)
    }

    /// The same of a game that has been chosen already.
    pub fn ready(&self, chosen: Chosen, solve: bool) -> Result<Chosen, Failure> {
        if !self.has_table(&chosen)? {
            if !solve {
                return Err(self.no_table(&chosen));
            }
            self.solve(&chosen, &Progress::new(self), &|_| {})?;
        }
        Ok(chosen)
    }

    /// Whether the table of a game is there, and of use.
    pub fn has_table(&self, chosen: &Chosen) -> Result<bool, Failure> {
        self.fetch(&chosen.table)?;
        Ok(chosen.table.exists() && !self.outdated(chosen))
    }

    /// Sees to it that a file is here, if it is kept elsewhere.
    pub fn fetch(&self, file: &Path) -> Result<(), Failure> {
        match self.place.is_store() {
            true => Ok(self.place.fetch(file, &Progress::new(self))?),
            false => Ok(()),
        }
    }

    /// The same of the depths of traps, finished or not.
    pub fn fetch_traps(&self, chosen: &Chosen, watch: &dyn Watch) -> Result<(), Failure> {
        let traps = table::traps(&chosen.table);
        self.place.fetch(&traps, watch)?;
        if traps.exists() {
            return Ok(());
        }
        Ok(self.place.go_on(&traps, watch)?)
    }

    /// Says of what kept elsewhere is a copy here; one that is damaged is fetched again.
    pub fn addressed(&self, mut error: TableError) -> TableError {
        use TableError::{Damaged, Format, Missing, Other};
        if let Damaged { path, .. } = &error {
            self.place.forget(path);
        }
        if let Damaged { path, .. } | Format { path, .. } | Missing { path } | Other { path, .. } =
            &mut error
        {
            *path = self.place.address(path);
        }
        error
    }

    pub fn no_table(&self, chosen: &Chosen) -> Failure {
        let (game, tables) = (chosen.built.string.clone(), self.place.name());
        let outdated = self.outdated(chosen);
        Failure::NoTable { game, tables, outdated }
    }

    /// Whether the game was read from a file that has changed since it was solved.
    fn outdated(&self, chosen: &Chosen) -> bool {
        chosen.built.game.outdated(&self.job(chosen, &Unwatched))
    }

    /// Solves a game; a stop says what is kept. What has been solved of an earlier version of its
    /// file is of no more use.
    pub fn solve(
        &self,
        chosen: &Chosen,
        watch: &dyn Watch,
        planned: &dyn Fn(&Plan),
    ) -> Result<Solved, Failure> {
        self.prepare(chosen, watch)?;
        let storing = self.place.watch(watch);
        let solved = chosen.built.game.solve(&self.job(chosen, &storing), planned);
        solved.map_err(|error| self.kept(chosen, error))
    }

    /// The same with workers here and elsewhere; `None` where the table is made elsewhere.
    pub fn solve_with(
        &self,
        chosen: &Chosen,
        crew: &dyn Crew,
        watch: &dyn Watch,
        planned: &dyn Fn(&Plan),
    ) -> Result<Option<Solved>, Failure> {
        if crew.has_first() {
            self.prepare(chosen, watch)?;
        }
        let storing = self.place.watch(watch);
        let job = self.job(chosen, &storing);
        let solved = chosen.built.game.solve_with(&job, crew, planned);
        solved.map_err(|error| self.kept(chosen, error))
    }

    /// Fetches what there is of a table, and does away with what is of no use.
    fn prepare(&self, chosen: &Chosen, watch: &dyn Watch) -> Result<(), Failure> {
        self.place.fetch(&chosen.table, watch)?;
        if self.outdated(chosen) {
            self.remove(chosen)?;
        }
        if chosen.table.exists() {
            return Ok(());
        }
        Ok(self.place.go_on(&chosen.table, watch)?)
    }

    /// Removes a table, finished or not, and what was derived from it.
    pub fn remove(&self, chosen: &Chosen) -> Result<(), Failure> {
        for file in [table::traps(&chosen.table), chosen.table.clone()] {
            self.place.remove(&file)?;
        }
        Ok(table::remove(&chosen.table)?)
    }

    fn kept(&self, chosen: &Chosen, error: SolveError) -> Failure {
        let kept = table::kept(&chosen.table);
        if matches!(error, SolveError::Lost(_)) || error::stopped(&error).is_some() {
            self.flush(chosen);
        }
        if let Some(stop) = error::stopped(&error) {
            let (stop, game) = (stop.clone(), chosen.built.string.clone());
            return Failure::Stopped { stop, game, kept };
        }
        match error {
            SolveError::Lost(Lost(why)) => Failure::Lost { why, kept },
            error @ SolveError::Elsewhere { .. } => Failure::Lost { why: error.to_string(), kept },
            SolveError::Table(error @ TableError::Io { doing: "store", .. }) => {
                let folder = self.place.folder().display();
                let kept = "and the same command goes on from there";
                Failure::Input(format!("{error}; what is finished is in {folder}, {kept}"))
            }
            error => error.into(),
        }
    }

    /// Stores what a run that was stopped has left.
    fn flush(&self, chosen: &Chosen) {
        if let Err(error) = self.place.flush(&chosen.table) {
            let place = self.place.folder().display();
            eprintln!("warning: {error}; what is finished is in {place} only");
        }
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
