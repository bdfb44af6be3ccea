//! Where the values of positions come from: the table of the game or, in games that can do without
//! one, a search for each position.
//!
//! A game that answers by search is impartial, and its searches tell no distances. So a table is
//! preferred wherever it is there already or quickly made.

use crabwise::{
    Picture, Plan, SolveError, WalkError,
    analysis::label::Draws,
    explore::{Explorer, LookError, PositionInfo, Variation},
    watch::{Bytes, Unwatched},
};

use crate::{
    args,
    error::Failure,
    progress::Progress,
    setting::{Chosen, Setting},
};

pub enum Source {
    Table,
    /// Who watches the searches.
    Search(Progress),
}

/// What a command wants of a source.
#[derive(Clone, Copy, Default)]
pub struct Needs {
    /// A table is to be made, if there is none.
    pub solve: bool,
    /// No table is to be used.
    pub search: bool,
    /// What only a table can tell, in a word or two.
    pub only_table: Option<&'static str>,
}

impl Needs {
    pub fn of(asked: &args::Asked) -> Needs {
        Needs { solve: asked.of.solve, search: asked.search, only_table: None }
    }

    /// The same, and labels where drawn moves are to be told apart.
    pub fn with_labels(self, draws: Option<Draws>) -> Needs {
        Needs { only_table: draws.map(|_| "labels"), ..self }
    }
}

/// A game with at most so many slots is solved in a matter of seconds.
const FEW_SLOTS: u64 = 25_000_000;

/// A game that must be walked is not walked further than this to find out how large it is.
const WALK_BYTES: u64 = 64 << 20;

impl Chosen {
    /// Whether the game answers for positions without a table.
    pub fn answers(&self, setting: &Setting) -> bool {
        // Without room to remember anything in, asking costs nothing.
        let job = crabwise::Job { memory: 0, ..setting.job(self, &Unwatched) };
        self.built.game.ask(&job).is_some()
    }
}

impl Setting<'_> {
    /// Chooses where the values of a game come from, and makes its table if that is best.
    pub fn source(&self, chosen: &Chosen, needs: Needs) -> Result<Source, Failure> {
        let game = &chosen.built.string;
        if needs.search {
            return match (needs.only_table, chosen.answers(self)) {
                (Some(what), _) => {
                    Err(Failure::Input(format!("{what} need a table; leave out --search")))
                }
                (None, false) => Err(Failure::Input(format!(
                    "'{game}' cannot be answered by search, only from its table; leave out --search"
                ))),
                (None, true) => Ok(Source::Search(Progress::new(self))),
            };
        }
        if self.has_table(chosen)? {
            return Ok(Source::Table);
        }
        if !needs.solve {
            if !chosen.answers(self) {
                return Err(self.no_table(chosen));
            }
            if let Some(memory) = self.too_large(chosen)? {
                return match needs.only_table {
                    Some(_) => Err(self.no_table(chosen)),
                    None => Ok(self.searching(game, memory)),
                };
            }
        }
        self.solve(chosen, &Progress::new(self), false, &|_| {})?;
        Ok(Source::Table)
    }

    /// What making the table would take, in words, if that is too much to be done without asking.
    fn too_large(&self, chosen: &Chosen) -> Result<Option<String>, Failure> {
        let progress = Progress::new(self);
        let walk = self.memory.min(WALK_BYTES);
        let job = crabwise::Job { memory: walk, ..self.job(chosen, &progress) };
        match chosen.built.game.plan(&job) {
            Ok(Plan { slots, memory, .. }) if slots > FEW_SLOTS || memory > self.memory => {
                Ok(Some(Bytes(memory).to_string()))
            }
            Ok(_) => Ok(None),
            Err(SolveError::Walk(WalkError::TooLarge { .. })) => {
                Ok(Some(format!("more than {}", Bytes(walk))))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn searching(&self, game: &str, memory: String) -> Source {
        if !self.quiet {
            eprintln!(
                "answered by search; distances need '{} solve {game}' ({memory} of memory)",
                crate::error::program()
            );
        }
        Source::Search(Progress::new(self))
    }

    /// Opens a game for look-ups, with labels where drawn moves are to be told apart.
    pub fn explorer<'c>(
        &self,
        chosen: &'c Chosen,
        source: &'c Source,
        draws: Option<Draws>,
    ) -> Result<Box<dyn Explorer + 'c>, Failure> {
        self.doubt(draws);
        let game = &chosen.built.game;
        match (source, draws) {
            (Source::Search(progress), _) => {
                let asked = game.ask(&self.job(chosen, progress));
                let asked = asked.ok_or_else(|| self.no_table(chosen))?;
                Ok(Box::new(Searching { asked, progress }))
            }
            (Source::Table, None) => Ok(game.open(&self.job(chosen, &Unwatched))?),
            (Source::Table, Some(draws)) => {
                let progress = Progress::new(self);
                self.fetch_traps(chosen, &progress)?;
                let storing = self.place().watch(&progress);
                Ok(game.open_labelled(&self.job(chosen, &storing), draws)?)
            }
        }
    }
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
    use crate::toys;

    fn sourced(toy: &str, needs: Needs) -> Result<bool, String> {
        let folder = tempfile::tempdir().unwrap();
        let registry = toys::registry();
        let setting = toys::setting(&registry, folder.path());
        let chosen = setting.game(toy).unwrap();
        match setting.source(&chosen, needs) {
            Ok(Source::Table) => Ok(chosen.table.exists()),
            Ok(Source::Search(_)) => Ok(false),
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
        for (toy, needs, said) in [
            ("heaps", plain, "there is no table of 'heaps'"),
            ("heaps", search, "'heaps' cannot be answered by search"),
            ("rows:255-255-255-255", labels, "there is no table of 'rows:255-255-255-255'"),
            ("rows:3", Needs { search: true, ..labels }, "labels need a table"),
        ] {
            let line = sourced(toy, needs).unwrap_err();
            assert!(line.starts_with(said), "{line}");
        }
    }
}
