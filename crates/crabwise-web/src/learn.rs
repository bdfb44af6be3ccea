//! Strategies for games with hidden information, found on request.

use std::{
    fs,
    io::{self, Write},
    sync::Arc,
};

use crabwise::{
    SolveError,
    watch::{Stage, Watch},
};
use crabwise_hidden::{AnyHidden, Form, Judged, Learner, Regrets, Rule, Strategy, Updates};

use crate::{
    games::{A_MOMENT, Planned},
    house::{House, Named},
    jobs::Patience,
    open::strategies,
    refusal::{Kind, Refusal},
};

/// Strategies are good enough to play against when nobody wins more than this against them.
const GOOD: f64 = 1e-3;
/// A linear program with more payoffs takes longer than iterating does.
const MOST_PAYOFFS: u128 = 200_000;

/// A game is not laid out further than this to find out how large it is.
const LAYOUT_BYTES: u64 = 64 << 20;

/// How strategies would be found, if that can be told in a moment.
pub fn plan(house: &House, game: &dyn AnyHidden) -> Option<Planned> {
    let laid = game.explore(LAYOUT_BYTES, &Patience::of(A_MOMENT)).ok()?;
    let size = laid.tree.undecided(&laid.tree.certain()).ok()?.size();
    let exact = size.ends <= MOST_PAYOFFS;
    Some(Planned {
        slots: size.ends.try_into().unwrap_or(u64::MAX),
        memory_bytes: size.bytes,
        memory_limit: house.memory,
        fits: size.bytes <= house.memory,
        seconds: None,
        solver: if exact { "lp" } else { "pcfr+" }.into(),
        why: match exact {
            true => "a linear program is solved in a moment, and exactly",
            false => "for a linear program there are too many ends",
        },
        quick: exact,
    })
}

/// Finds strategies for both players and keeps them where they are looked for.
pub fn learn(house: &House, named: &Named, anew: bool, watch: &dyn Watch) -> Result<(), Refusal> {
    let built = Arc::new(house.registry.build_hidden(&named.game)?);
    let path = strategies(house, &built.string);
    house.tables.fetch(&path, watch)?;
    let whole = |mut file| Strategy::judged_in(&built.string, &mut file).is_some();
    if !anew && fs::File::open(&path).is_ok_and(whole) {
        return Ok(());
    }
    let laid = built.game.explore(house.memory, watch)?;
    let short = laid.tree.undecided(&laid.tree.certain())?;
    let exact = short.size().ends <= MOST_PAYOFFS;
    let form = short.form(built.game.is_mirrored() && !exact, house.memory, watch)?;
    let found = if exact {
        solved(&form, house.memory, watch)?
    } else {
        iterated(&form, house.memory, watch)?
    };
    let strategy = Strategy {
        game: built.string.clone(),
        method: if exact { "lp" } else { "pcfr+" }.into(),
        iterations: found.2,
        abstraction: false,
        judged: found.1,
        behaviours: found.0,
    };
    fs::create_dir_all(house.tables.folder())?;
    let partial = path.with_extension("strat-part");
    let mut out = io::BufWriter::new(fs::File::create(&partial)?);
    strategy.write(&short, true, &mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&partial, &path)?;
    Ok(house.tables.push(&path, watch)?)
}

/// What both players do at every view, what that is worth, and how many iterations it took.
type Found = ([Vec<f64>; 2], Judged, u64);

fn solved(form: &Form, memory: u64, watch: &dyn Watch) -> Result<Found, Refusal> {
    fits("a linear program", form.exact_bytes(), memory)?;
    let exact =
        form.exact(watch).map_err(|error| Refusal::new(Kind::Internal, error.to_string()))?;
    Ok((exact.behaviours, exact.judged, exact.iterations.into()))
}

fn iterated(form: &Form, memory: u64, watch: &dyn Watch) -> Result<Found, Refusal> {
    fits("iterating", Regrets::bytes(form, Rule::Predictive), memory)?;
    let mut learner = Regrets::new(form, Rule::Predictive, Updates::Alternating);
    let mut next = 8;
    loop {
        let done = learner.iterations();
        watch.tell(&Stage { done, ..Stage::new("iterating", None, None) })?;
        if done >= next {
            let [first, second] = learner.average();
            let judged = form.judge([&first, &second]);
            let exploitability = judged.exploitability().max(0.0);
            watch.learnt(&format!("exploitable by {exploitability:.1e}, to be {GOOD:.0e}"));
            if exploitability <= GOOD {
                return Ok((form.evened([first, second]), judged, done));
            }
            next = done + (done / 4).max(8);
        }
        learner.step();
    }
}

fn fits(doing: &'static str, bytes: u64, limit: u64) -> Result<(), Refusal> {
    match bytes > limit {
        true => Err(SolveError::NoMemory { doing, bytes, limit }.into()),
        false => Ok(()),
    }
}
