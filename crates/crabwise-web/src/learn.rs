//! Strategies for games with hidden information, found on request.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use crabwise::{table::open_plain, watch::Watch};
use crabwise_hidden::{
    ErasedHidden, FormSize, HiddenError, PackedStrategy, Strategy,
    equilibrium::{Budget, EquilibriumError, Method, Options, Problem, Run},
};

use crate::{
    error::{ApiError, Kind},
    estimate::Planned,
    patience::Patience,
    request::Named,
    state::AppState,
};

/// A game is not laid out further than this to find out how large it is.
const LAYOUT_BYTES: u64 = 64 << 20;
/// Nor longer than this, in seconds: the first view waits for it.
const A_GLANCE: f64 = 0.1;

/// How strategies would be found, if that can be told at a glance.
pub fn plan(state: &AppState, game: &ErasedHidden) -> Option<Planned> {
    let options = Options::default();
    let problem = Problem::new(game, &options, LAYOUT_BYTES, &Patience::of(A_GLANCE)).ok()?;
    let size = FormSize::of(problem.tree());
    let method = problem.choose(None, &options).ok()?;
    let exact = method == Method::Lp;
    Some(Planned {
        slots: size.ends.try_into().unwrap_or(u64::MAX),
        memory_bytes: size.bytes,
        memory_limit: state.session.memory(),
        fits: size.bytes <= state.session.memory(),
        seconds: None,
        solver: method.name().into(),
        why: match exact {
            true => "a linear program is solved in a moment, and exactly",
            false => "for a linear program there are too many ends",
        },
        quick: exact,
    })
}

/// Finds strategies for both players and keeps them where they are looked for.
pub fn learn(
    state: &AppState,
    named: &Named,
    anew: bool,
    watch: &dyn Watch,
) -> Result<(), ApiError> {
    let built = state.session.hidden(&named.game)?;
    let path = state.session.strategies(&built.string);
    state.session.place().fetch(&path, watch)?;
    let there = exploitability(&built.string, &path);
    if !anew && there.is_some() {
        return Ok(());
    }
    let (options, memory) = (Options::default(), state.session.memory());
    let problem = Problem::new(&built.game, &options, memory, watch)?;
    let method = problem.choose(None, &options)?;
    let budget = Budget::default();
    let run = Run { method, budget, options, memory, watch, checkpoint: None };
    let strategy = run.solve(&problem)?.strategy(&built.string);
    // Somebody may have let them be found for longer than a job has time for.
    let found = strategy.judged.exploitability().max(0.0);
    if there.is_some_and(|there| there <= found + 1e-15) {
        return Ok(());
    }
    fs::create_dir_all(state.session.place().folder())?;
    let partial = path.with_extension("strat-part");
    let mut out = io::BufWriter::new(fs::File::create(&partial)?);
    strategy.write(problem.tree(), problem.is_short(), &mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&partial, &path)?;
    Ok(state.session.place().push(&path, watch)?)
}

/// How much the strategies in a file can be exploited for, if they are whole and of this game.
fn exploitability(game: &str, path: &Path) -> Option<f64> {
    PackedStrategy::read(game, &mut io::BufReader::new(open_plain(path).ok()?)).ok()?;
    let judged = Strategy::judged_in(game, &mut open_plain(path).ok()?)?;
    Some(judged.exploitability().max(0.0))
}

impl From<EquilibriumError> for ApiError {
    fn from(error: EquilibriumError) -> ApiError {
        match error {
            EquilibriumError::Hidden(error) => error.into(),
            EquilibriumError::Stopped { stop, .. } => HiddenError::Stopped(stop).into(),
            error => ApiError::new(Kind::Internal, error.to_string()),
        }
    }
}
