//! What every command works in: a session, and how results and progress are shown.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use crabwise::{
    Picture,
    analysis::label::{Draws, Weights},
    explore::{Explorer, LookError, PositionInfo, Variation},
    watch::Unwatched,
};
use crabwise_games::{Built, Registry};
use crabwise_hidden::ErasedHidden;
use crabwise_session::{Needs, Session, Source, Target};
use crabwise_store::Place;
use serde::Serialize;

use crate::{
    args,
    error::{Failure, program},
    interrupt, machine,
    output::{clear, fillable, print},
    progress::Progress,
};

pub struct Context {
    pub session: Session,
    pub json: bool,
    pub quiet: bool,
    /// Threads to work with, where that was said.
    pub threads: Option<u16>,
    /// Whether a limit on the process allows less memory than there would be.
    limited: bool,
}

/// Where the values of a game come from, and who watches while they are searched.
pub struct Values {
    pub source: Source,
    progress: Progress,
}

/// Opens a file that a game string names.
fn open(path: &str) -> io::Result<Box<dyn Read>> {
    let file = fs::File::open(path)?;
    // A folder can be opened, and fails only when it is read.
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Box::new(file))
}

/// Where the machine does not say what it has free.
const MODEST: u64 = 4 << 30;

impl Context {
    pub fn new(registry: &Registry, globals: &args::Globals) -> Result<Context, Failure> {
        let place = place(globals.tables.clone())?;
        if place.is_store() {
            interrupt::allow_storing();
        }
        // Not the last of it: others live here too.
        let most = |free: u64| free - free / 16;
        let wanted = globals.memory.unwrap_or_else(|| machine::available().map_or(MODEST, most));
        // What a limit forbids, no option allows.
        let allowed = machine::allowed().map_or(u64::MAX, most);
        let (memory, limited) = (wanted.min(allowed), allowed < wanted);
        Ok(Context {
            session: Session::new(registry.clone(), place, memory),
            json: globals.json,
            quiet: globals.quiet,
            threads: globals.threads,
            limited,
        })
    }

    /// Shows how far a run is, and stops it when it is to stop.
    pub fn progress(&self) -> Progress {
        Progress::new(self.quiet, self.session.memory())
    }

    /// Watches over a run without showing how far it is.
    pub fn silent_progress(&self) -> Progress {
        Progress::new(true, self.session.memory())
    }

    /// The game of a game string, which may name a file.
    pub fn target(&self, string: &str) -> Result<Target, Failure> {
        Ok(self.session.target(string, &open)?)
    }

    /// Whether a game string, which may name a file, means a game with hidden information.
    pub fn is_hidden(&self, string: &str) -> bool {
        self.session.is_hidden(string, &open)
    }

    /// The game with hidden information of a game string, which may name a file.
    pub fn hidden(&self, string: &str) -> Result<Built<ErasedHidden>, Failure> {
        Ok(self.session.hidden_with(string, &open)?)
    }

    /// A game whose table is there: made now if that is asked for, or else it must have been.
    pub fn solved(&self, of: &args::SolvedGameArgs) -> Result<Target, Failure> {
        let target = self.target(&of.game)?;
        self.ready(&target, of.solve)?;
        Ok(target)
    }

    /// Sees to it that the table of a game is there.
    pub fn ready(&self, target: &Target, solve: bool) -> Result<(), Failure> {
        self.can_be_made(target, solve)?;
        Ok(self.session.ready(target, solve, &self.progress())?)
    }

    /// Sees to it that a table that is to be made can be written, which else is known only after a long walk; and
    /// that nothing is left beside it of processes that were killed.
    pub fn can_be_made(&self, target: &Target, solve: bool) -> Result<(), Failure> {
        if solve && !target.table.exists() {
            let folder = self.session.place().folder();
            clear(folder);
            fillable(folder)?;
        }
        Ok(())
    }

    /// Chooses where the values of a game come from, and makes its table if that is best.
    pub fn values(&self, target: &Target, needs: Needs) -> Result<Values, Failure> {
        self.can_be_made(target, needs.solve && !needs.search)?;
        let source = self.session.source(target, needs, &self.progress())?;
        if let Source::Search { instead_of: Some(cost) } = source
            && !self.quiet
        {
            eprintln!(
                "answered by search; distances need '{} solve {}' ({cost} of memory)",
                program(),
                target.name()
            );
        }
        let progress = self.progress();
        // Until something is searched, Ctrl-C ends the program at once.
        progress.rest();
        Ok(Values { source, progress })
    }

    /// Opens a game for look-ups, with labels where drawn moves are to be told apart.
    pub fn explorer<'a>(
        &self,
        target: &'a Target,
        values: &'a Values,
        draws: Option<Draws>,
    ) -> Result<Box<dyn Explorer + 'a>, Failure> {
        self.doubt(draws);
        let Values { source, progress } = values;
        match (source, draws) {
            (Source::Search { .. }, _) => {
                let asked = self.session.explorer(target, *source, None, progress)?;
                Ok(Box::new(Searching { asked, progress }))
            }
            (Source::Table, None) => {
                Ok(self.session.explorer(target, *source, None, &Unwatched)?)
            }
            (Source::Table, Some(draws)) => {
                Ok(self.session.labelled(target, draws, &self.progress())?)
            }
        }
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

    /// The words of a line of moves, which the rules must allow. That is known before anything is solved.
    pub fn line(&self, target: &Target, moves: &[String]) -> Result<Vec<String>, Failure> {
        Ok(target.line(moves)?)
    }

    /// Makes the folder of tables.
    pub fn make_folder(&self) -> Result<(), Failure> {
        let path = self.session.place().folder().to_path_buf();
        fs::create_dir_all(&path).map_err(|source| Failure::File { path, source })
    }

    /// Sees to it that a file is here, if it is kept elsewhere.
    pub fn fetch(&self, file: &Path) -> Result<(), Failure> {
        Ok(self.session.place().fetch(file, &self.progress())?)
    }

    /// The failure with a table named as the person knows it, and with the limit that no option lifts.
    pub fn addressed(&self, failure: Failure) -> Failure {
        let failure = match failure {
            Failure::Session(error) => self.session.addressed(error).into(),
            failure => failure,
        };
        match self.limited && failure.is_no_room() {
            true => Failure::Limited(Box::new(failure)),
            false => failure,
        }
    }

    /// Prints a result, for a script or for a person.
    pub fn print(
        &self,
        object: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let result = if self.json { crabwise_api::line(object) } else { text() };
        print(&result)
    }
}

/// Where tables are: as the option says, or the environment, or in the user's data directory.
fn place(tables: Option<PathBuf>) -> Result<Place, Failure> {
    let unknown = || Failure::Input("no data directory is known; say --tables DIR".into());
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    // Clap could read the variable, but would then take a bare `crabwise` for one with options.
    let named = tables.or(variable("CRABWISE_TABLES").map(PathBuf::from));
    let tables = match named {
        Some(tables) => tables,
        None => dirs::data_dir().ok_or_else(unknown)?.join("crabwise").join("tables"),
    };
    let cache = || {
        let usual = || Some(dirs::cache_dir()?.join("crabwise"));
        variable("CRABWISE_CACHE").map(PathBuf::from).or_else(usual)
    };
    Place::named(tables.as_os_str(), cache).map_err(Failure::Input)
}

/// Searches when it is asked, and shows that only while it does.
struct Searching<'c> {
    asked: Box<dyn Explorer + 'c>,
    progress: &'c Progress,
}

impl Searching<'_> {
    fn rested<T>(&self, found: T) -> T {
        self.progress.rest();
        found
    }
}

impl Explorer for Searching<'_> {
    fn look(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        self.rested(self.asked.look(line))
    }

    fn glance(&self, line: &[String]) -> Result<PositionInfo, LookError> {
        self.rested(self.asked.glance(line))
    }

    fn perfect(
        &self,
        line: &[String],
        seed: Option<u64>,
        most: usize,
    ) -> Result<Variation, LookError> {
        self.rested(self.asked.perfect(line, seed, most))
    }

    fn draw(&self, line: &[String]) -> Result<Picture, LookError> {
        self.rested(self.asked.draw(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;

    fn sourced(game: &str, needs: Needs) -> Result<bool, String> {
        let folder = tempfile::tempdir().unwrap();
        let context = sample_games::context(&sample_games::registry(), folder.path());
        let target = context.target(game).unwrap();
        match context.values(&target, needs) {
            Ok(Values { source: Source::Table, .. }) => Ok(target.table.exists()),
            Ok(_) => Ok(false),
            Err(failure) => Err(failure.to_string()),
        }
    }

    #[test]
    fn a_small_game_that_could_be_searched_is_solved_and_a_large_one_is_searched() {
        let (plain, search) = (Needs::default(), Needs { search: true, ..Needs::default() });
        assert_eq!(sourced("rows:3-4", plain), Ok(true));
        assert_eq!(sourced("rows:3-4", search), Ok(false));
        assert_eq!(sourced("rows:255-255-255-255", plain), Ok(false));
        assert_eq!(sourced("heaps", Needs { solve: true, ..plain }), Ok(true));
        let labels = Needs { only_table: Some("labels"), ..plain };
        for (game, needs, said) in [
            ("heaps", plain, "there is no table of 'heaps'"),
            ("heaps", search, "'heaps' cannot be answered by search"),
            ("rows:255-255-255-255", labels, "there is no table of 'rows:255-255-255-255'"),
            ("rows:3", Needs { search: true, ..labels }, "labels need a table"),
        ] {
            let line = sourced(game, needs).unwrap_err();
            assert!(line.starts_with(said), "{line}");
        }
    }
}
