//! `crabwise survey` of games in the dark: all variants on boards of many sizes, one row a game.
//!
//! A row is printed and written down as soon as it is known, and a row that is written down is not worked out again.

use std::{
    cell::Cell,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crabwise::watch::{Stage, Stop, Watch};
use crabwise_api::studies::{DarkSurvey, DarkSurveyed};
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, HiddenError,
    equilibrium::{Budget, Equilibrium, EquilibriumError, Method, Options, Problem, Run},
};

use super::equilibrium::small;
use crate::{
    args::{SurveyArgs, SurveyBound},
    context::Context,
    error::Failure,
    output::{print, writable},
    results_log::{self, ResultsLog},
    text::{many, several},
};

/// What comes after the board in a game string.
const VARIANTS: [&str; 6] = ["", ",noisy", ",flash", ",abrupt", ",abrupt,noisy", ",abrupt,flash"];

/// The time for a game if nothing else is said.
const USUAL: Duration = Duration::from_secs(10);

const HEADER: [&str; 9] =
    ["game", "value", "error", "exactly", "histories", "sets", "method", "seconds", "note"];

pub fn run(context: &Context, args: &SurveyArgs) -> Result<(), Failure> {
    let games = games(context, args)?;
    let header = HEADER.map(String::from);
    let (mut log, begun) = match &args.output {
        Some(path) => {
            writable(path)?;
            let (log, rows) = ResultsLog::open(path, &header, "survey")?;
            let rows = rows.iter().map(|cells| read(cells)).collect::<Option<Vec<_>>>();
            let ours = |row: &DarkSurveyed| games.iter().any(|game| game.string == row.game);
            let rows = rows.filter(|rows| rows.iter().all(ours));
            (Some(log), rows.ok_or_else(|| results_log::other(path, "survey"))?)
        }
        None => (None, vec![]),
    };
    if let Some(log) = &mut log {
        log.begin()?;
    }
    let mut rows: Vec<DarkSurveyed> = vec![];
    for game in &games {
        let row = match begun.iter().find(|row| row.game == game.string) {
            Some(row) => row.clone(),
            None => {
                let row = surveyed(context, game, args.time.unwrap_or(USUAL))?;
                if let Some(log) = &mut log {
                    log.add(&cells(&row))?;
                }
                row
            }
        };
        if !context.json {
            let head = if rows.is_empty() { line(&header) } else { String::new() };
            print(&(head + &line(&shown(&row))))?;
        }
        rows.push(row);
    }
    let object = DarkSurvey { game: &args.game, rows: &rows };
    let exact = rows.iter().filter(|row| row.fraction.is_some()).count();
    let all = several(rows.len() as u64, "game");
    context.print(&object, || format!("\n{all}, {exact} values proved\n"))
}

/// All boards between two, the smaller ones first, with all variants.
fn games(context: &Context, args: &SurveyArgs) -> Result<Vec<Built<ErasedHidden>>, Failure> {
    if args.table || args.search || args.family.is_some() {
        return Err(super::for_open_games("--table, --search and --family"));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        let line = "the rows are printed anyway; -o names a file that a survey can go on with";
        return Err(Failure::Input(line.into()));
    }
    let (from, to) = match (args.from.unwrap_or(SurveyBound::Board([2, 2])), args.to) {
        (SurveyBound::Board(from), SurveyBound::Board(to)) => (from, to),
        _ => {
            let line = "a survey of games in the dark goes from board to board, such as --to 3x3";
            return Err(Failure::Input(line.into()));
        }
    };
    if args.game.contains(':') || from[0] > to[0] || from[1] > to[1] {
        let line = "say the game without its parameters, and boards from a smaller to a larger one";
        return Err(Failure::Input(line.into()));
    }
    let boards = (from[0]..=to[0]).flat_map(|rows| (from[1]..=to[1]).map(move |n| [rows, n]));
    let mut boards: Vec<[u8; 2]> = boards.collect();
    boards.sort_by_key(|&[rows, columns]| (u32::from(rows) * u32::from(columns), rows));
    let mut games = vec![];
    for [rows, columns] in boards {
        for variant in VARIANTS {
            let string = format!("{}:{rows}x{columns}{variant}", args.game);
            games.push(context.hidden(&string)?);
        }
    }
    Ok(games)
}

/// Watches for somebody else, and stops when time is over.
struct Deadline<'a> {
    watch: &'a dyn Watch,
    until: Instant,
    late: AtomicBool,
}

impl Watch for Deadline<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        self.watch.tell(stage)?;
        match Instant::now() < self.until {
            true => Ok(()),
            false => {
                self.late.store(true, Ordering::Relaxed);
                Err(Stop::Cancelled)
            }
        }
    }

    fn learnt(&self, line: &str) {
        self.watch.learnt(line);
    }
}

/// A row: what was found, or what was in the way.
fn surveyed(
    context: &Context,
    game: &Built<ErasedHidden>,
    time: Duration,
) -> Result<DarkSurveyed, Failure> {
    let (began, progress) = (Instant::now(), context.progress());
    let deadline = Deadline { watch: &progress, until: began + time, late: AtomicBool::new(false) };
    let mut row = DarkSurveyed {
        game: game.string.clone(),
        value: None,
        error: None,
        fraction: None,
        histories: None,
        information_sets: None,
        method: None,
        seconds: 0.0,
        note: String::new(),
    };
    let searched = Cell::new(false);
    bound(&mut row, game.game.stakes(), "stakes");
    let solved = solve(context, &game.game, &deadline, (&mut row, &searched));
    row.seconds = began.elapsed().as_secs_f64();
    match solved {
        Ok(()) => {}
        Err(_) if deadline.late.load(Ordering::Relaxed) => {
            // Certain wins are looked for first; a row that has only bounds had no time to go on, or none of them.
            let known = if searched.get() { "; nobody wins with certainty" } else { "" };
            row.note = format!("only bounds within {} s{known}", time.as_secs_f64());
        }
        Err(EquilibriumError::Stopped { stop: Stop::Cancelled, kept }) => {
            return Err(Failure::Halted { stop: Stop::Cancelled, kept });
        }
        Err(error) => row.note = error.to_string(),
    }
    Ok(row)
}

/// The value is between these, and the middle is as far off as can be.
fn bound(row: &mut DarkSurveyed, [low, high]: [f64; 2], method: &str) {
    (row.value, row.error) = (Some((low + high) / 2.0), Some((high - low) / 2.0));
    row.method = Some(method.into());
}

/// Fills in a row, as far as it goes. Errors leave what was known before.
fn solve(
    context: &Context,
    game: &ErasedHidden,
    deadline: &Deadline,
    (row, searched): (&mut DarkSurveyed, &Cell<bool>),
) -> Result<(), EquilibriumError> {
    let (options, memory) = (Options::default(), context.session.memory());
    let wins = game.prob_one(memory, deadline)?;
    searched.set(true);
    let certain = wins.iter().position(|wins| wins.wins);
    if let Some(winner) = certain {
        row.value = Some(if winner == 0 { 1.0 } else { -1.0 });
        (row.error, row.method) = (Some(0.0), Some("certain".into()));
        row.fraction = row.value.map(|value| value.to_string());
    }
    let problem = match Problem::new(game, &options, memory, deadline) {
        Ok(problem) => problem,
        // The value is known, and only the size is not.
        Err(HiddenError::Room { .. } | HiddenError::Solve(_)) if certain.is_some() => {
            return Ok(());
        }
        Err(_) if certain.is_some() && deadline.late.load(Ordering::Relaxed) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let counts = problem.explored.tree.counts();
    row.histories = Some(counts.histories.to_string());
    row.information_sets = Some(counts.info_sets.iter().sum());
    if certain.is_some() {
        return Ok(());
    }
    bound(row, problem.tree().even_bounds(), "even");
    let method = problem.choose(None, &options)?;
    let run = |budget| {
        let run = Run { method, budget, options, memory, watch: deadline, checkpoint: None };
        run.solve(&problem)
    };
    // One iteration first, which a linear program does not count: so much is known, whatever time is left.
    fill(row, run(Budget { iterations: Some(1), ..Budget::default() })?);
    let left = deadline.until.saturating_duration_since(Instant::now()).mul_f64(ENOUGH);
    if method != Method::Lp && !left.is_zero() {
        let budget = Budget { until: Some(CLOSE), iterations: None, time: Some(left) };
        match run(budget) {
            Ok(found) => fill(row, found),
            Err(_) if deadline.late.load(Ordering::Relaxed) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn fill(row: &mut DarkSurveyed, found: Equilibrium) {
    (row.value, row.error) = (Some(found.value()), Some(found.error()));
    row.method = Some(found.method.name().into());
    row.fraction = found.fraction.filter(|(_, proven)| *proven).map(|(f, _)| f.to_string());
}

/// Of the time that is left, what iterating may take; judging, up to half as much again, is not counted in it.
const ENOUGH: f64 = 0.5;

/// Closer than this is not asked for.
const CLOSE: f64 = 1e-9;

/// A row as it is written down.
fn cells(row: &DarkSurveyed) -> [String; 9] {
    let told = |cell: Option<String>| cell.unwrap_or_else(|| "-".into());
    [
        row.game.clone(),
        told(row.value.map(|value| value.to_string())),
        told(row.error.map(|error| error.to_string())),
        told(row.fraction.clone()),
        told(row.histories.clone()),
        told(row.information_sets.map(|sets| sets.to_string())),
        told(row.method.clone()),
        format!("{:.3}", row.seconds),
        row.note.clone(),
    ]
}

fn read(cells: &[String]) -> Option<DarkSurveyed> {
    let [game, value, error, fraction, histories, sets, method, seconds, note] = cells else {
        return None;
    };
    let told = |cell: &String| (cell != "-").then(|| cell.clone());
    fn number<T: std::str::FromStr>(cell: Option<String>) -> Option<Option<T>> {
        cell.map_or(Some(None), |cell| cell.parse().ok().map(Some))
    }
    let [value, error] = [value, error].map(|cell| number::<f64>(told(cell)));
    let (value, error) = (value?, error?);
    if value.into_iter().chain(error).any(|number| !number.is_finite()) {
        return None;
    }
    Some(DarkSurveyed {
        game: game.clone(),
        value,
        error,
        fraction: told(fraction),
        histories: told(histories),
        information_sets: number(told(sets))?,
        method: told(method),
        seconds: seconds.parse().ok()?,
        note: note.clone(),
    })
}

/// A row as it is printed.
fn shown(row: &DarkSurveyed) -> [String; 9] {
    let mut cells = cells(row);
    if let Some(value) = row.value {
        cells[1] = format!("{value:.9}");
    }
    if let Some(error) = row.error {
        cells[2] = small(error);
    }
    for place in [4, 5] {
        cells[place] = cells[place].parse().map_or(cells[place].clone(), many);
    }
    cells
}

/// Words are at the left, numbers at the right. What is to come is not known yet, so widths are those that do for
/// boards up to 3x3.
fn line(cells: &[String; 9]) -> String {
    let widths = [26, 12, 9, 12, 14, 13, 7, 8, 0];
    let cell = |(i, (cell, width)): (usize, (&String, usize))| match i {
        0 | 6 | 8 => format!("{cell:width$}"),
        _ => format!("{cell:>width$}"),
    };
    let line = cells.iter().zip(widths).enumerate().map(cell).collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_written_can_be_read() {
        let mut row = DarkSurveyed {
            game: "dark-hex:2x2,abrupt".into(),
            value: Some(0.5),
            error: Some(0.0),
            fraction: Some("1/2".into()),
            histories: Some("471".into()),
            information_sets: Some(94),
            method: Some("lp".into()),
            seconds: 0.25,
            note: String::new(),
        };
        assert_eq!(read(&cells(&row)), Some(row.clone()));
        (row.value, row.error, row.fraction, row.histories) = (None, None, None, None);
        (row.information_sets, row.method, row.note) = (None, None, "not within 1 s".into());
        assert_eq!(read(&cells(&row)), Some(row.clone()));
        assert_eq!(read(&["x".to_string()]), None);
        for (cell, odd) in [(1, "nan"), (2, "inf"), (1, "1/2"), (5, "-1")] {
            let mut cells = cells(&row);
            cells[cell] = odd.into();
            assert_eq!(read(&cells), None, "{odd}");
        }
    }
}
