//! Strategies for games with hidden information, found on request.

use std::{
    fs,
    io::{self, Write},
};

use crabwise::watch::Watch;
use crabwise_hidden::{
    ErasedHidden, FormSize, HiddenError, Strategy,
    equilibrium::{Budget, EquilibriumError, Method, Options, Problem, Run},
};

use crate::{
    games::{A_MOMENT, Planned},
    house::{House, Named},
    jobs::Patience,
    open::strategies,
    refusal::{Kind, Refusal},
};

/// A game is not laid out further than this to find out how large it is.
const LAYOUT_BYTES: u64 = 64 << 20;

/// How strategies would be found, if that can be told in a moment.
pub fn plan(house: &House, game: &ErasedHidden) -> Option<Planned> {
    let options = Options::default();
    let problem = Problem::new(game, &options, LAYOUT_BYTES, &Patience::of(A_MOMENT)).ok()?;
    let size = FormSize::of(problem.tree());
    let method = problem.choose(None, &options).ok()?;
    let exact = method == Method::Lp;
    Some(Planned {
        slots: size.ends.try_into().unwrap_or(u64::MAX),
        memory_bytes: size.bytes,
        memory_limit: house.memory,
        fits: size.bytes <= house.memory,
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
pub fn learn(house: &House, named: &Named, anew: bool, watch: &dyn Watch) -> Result<(), Refusal> {
    let built = house.registry.build_hidden(&named.game)?;
    let path = strategies(house, &built.string);
    house.tables.fetch(&path, watch)?;
    let whole = |mut file| Strategy::judged_in(&built.string, &mut file).is_some();
    if !anew && fs::File::open(&path).is_ok_and(whole) {
        return Ok(());
    }
    let (options, memory) = (Options::default(), house.memory);
    let problem = Problem::new(&built.game, &options, memory, watch)?;
    let method = problem.choose(None, &options)?;
    let budget = Budget::default();
    let run = Run { method, budget, options, memory, watch, checkpoint: None };
    let strategy = run.solve(&problem)?.strategy(&built.string);
    fs::create_dir_all(house.tables.folder())?;
    let partial = path.with_extension("strat-part");
    let mut out = io::BufWriter::new(fs::File::create(&partial)?);
    strategy.write(problem.tree(), problem.is_short(), &mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&partial, &path)?;
    Ok(house.tables.push(&path, watch)?)
}

impl From<EquilibriumError> for Refusal {
    fn from(error: EquilibriumError) -> Refusal {
        match error {
            EquilibriumError::Hidden(error) => error.into(),
            EquilibriumError::Stopped { stop, .. } => HiddenError::Stopped(stop).into(),
            error => Refusal::new(Kind::Internal, error.to_string()),
        }
    }
}
