//! `crabwise survey`: who wins over a family of games, one row a game.
//!
//! A row is printed and written down as soon as it is known, and a row that is written down is not
//! worked out again.

mod log;

use std::{collections::BTreeMap, path::Path, time::Instant};

use crabwise::{Value, game::theory::Theory};
use crabwise_api::studies::{Conjecture, Survey, Surveyed};
use crabwise_session::{Needs, Target};

use self::log::SurveyLog;
use crate::{
    args::{SurveyArgs, SurveyBound},
    context::Context,
    error::Failure,
    output::{print, writable},
    text::several,
};

pub fn run(context: &Context, args: &SurveyArgs) -> Result<(), Failure> {
    if args.output.as_deref() == Some(Path::new("-")) {
        let line = "the rows are printed anyway; -o names a file that a survey can go on with";
        return Err(Failure::Input(line.into()));
    }
    args.output.as_deref().map(writable).transpose()?;
    let [from, to] = range(args)?;
    let ends = ends(context, args, [from, to])?;
    let unit = ends[0].built.game.theory().map(|theory| theory.unit);
    let header = header(unit);
    let known = |n: u64| Ok(context.target(&string(args, n)?)?.built.string);
    let mut log = match &args.output {
        Some(path) => Some(SurveyLog::open(path, &header, known)?),
        None => None,
    };
    if let Some(path) = args.output.as_ref().filter(|_| args.table)
        && log.as_ref().is_some_and(SurveyLog::searched)
    {
        let path = path.display();
        let line = format!("{path} has rows without distances, found by search; name another file");
        return Err(Failure::Input(line));
    }
    let widths = widths(&header, to, &ends);
    let (mut rows, mut tally) = (vec![], SurveyTotals::default());
    for n in from..=to {
        let target = context.target(&string(args, n)?)?;
        let done = log.as_ref().and_then(|log| log.row(n).cloned());
        let row = match done {
            Some(row) => row,
            None => {
                let row = worked_out(context, args, n, &target)?;
                if let Some(log) = &mut log {
                    log.add(&row, unit.is_some())?;
                }
                row
            }
        };
        tally.add(&row, target.built.game.theory());
        if !context.json {
            let head = if rows.is_empty() { line(&header, &widths) } else { String::new() };
            print(&(head + &line(&cells(&row, unit.is_some()), &widths)))?;
        }
        rows.push(row);
    }
    let family = args.family.as_deref();
    let object = tally.json((&args.game, family, unit), &rows);
    context.print(&object, || format!("\n{}\n", tally.text()))?;
    match tally.contradicted.first() {
        Some(which) => Err(Failure::No(format!("a theorem is contradicted: {which}"))),
        None => Ok(()),
    }
}

/// The first and the last number.
fn range(args: &SurveyArgs) -> Result<[u64; 2], Failure> {
    if args.time.is_some() {
        let line = "--time is for games with hidden information";
        return Err(Failure::Input(line.into()));
    }
    match (args.from, args.to) {
        (Some(SurveyBound::Number(from)), SurveyBound::Number(to)) if from <= to => Ok([from, to]),
        (Some(SurveyBound::Number(from)), SurveyBound::Number(to)) => {
            Err(Failure::Input(format!("--from {from} is more than --to {to}")))
        }
        _ => {
            let line = "say --from and --to, and a number for each";
            Err(Failure::Input(line.into()))
        }
    }
}

/// The first and the last game, so that a wrong range is known at once and not at its end.
fn ends(
    context: &Context,
    args: &SurveyArgs,
    [from, to]: [u64; 2],
) -> Result<[Target; 2], Failure> {
    Ok([context.target(&string(args, from)?)?, context.target(&string(args, to)?)?])
}

/// The game string of one number.
fn string(args: &SurveyArgs, n: u64) -> Result<String, Failure> {
    let joint = if args.game.contains(':') { ',' } else { ':' };
    let parameter = match args.family.as_deref().map(|family| family.split_once('=')) {
        None => n.to_string(),
        Some(None) => format!("{}={n}", args.family.as_deref().unwrap_or_default()),
        Some(Some((name, pattern))) => {
            let filled = filled(pattern, n);
            if filled == pattern {
                let line = format!("'{name}={pattern}' has no n, which stands for the number");
                return Err(Failure::Input(line));
            }
            format!("{name}={filled}")
        }
    };
    Ok(format!("{}{joint}{parameter}", args.game))
}

/// A pattern with the number for its `n`, which stands among digits and not in a word.
fn filled(pattern: &str, n: u64) -> String {
    let is_size = |part: &str| part.chars().all(|c| c.is_ascii_digit() || "nx-.".contains(c));
    let part = |part: &str| match is_size(part) {
        true => part.replace('n', &n.to_string()),
        false => part.to_string(),
    };
    pattern.split(',').map(part).collect::<Vec<_>>().join(",")
}

fn worked_out(
    context: &Context,
    args: &SurveyArgs,
    n: u64,
    target: &Target,
) -> Result<Surveyed, Failure> {
    let began = Instant::now();
    let answers = target.answers();
    let search = args.search || answers && !args.table;
    let values = context.values(target, Needs { solve: true, search, only_table: None })?;
    let info = context.explorer(target, &values, None)?.look(&[])?;
    let wins = || info.moves.iter().filter(|one| matches!(one.value, Value::Win(_)));
    let mut kinds: Option<Vec<u64>> = wins().map(|one| one.kind).collect();
    if let Some(kinds) = &mut kinds {
        kinds.sort();
        kinds.dedup();
    }
    let theory = target.built.game.theory();
    // Of no moves at all it cannot be seen whether the game tells which are alike.
    let told = theory.is_some();
    Ok(Surveyed {
        n,
        game: target.built.string.clone(),
        size: theory.as_ref().map(|theory| theory.size),
        outcome: info.class().unwrap_or(info.value.outcome()).into(),
        remoteness: info.value.remoteness().map(u64::from),
        nimber: info.nimber.map(u64::from),
        winning_moves: wins().count() as u64,
        winning_kinds: kinds.filter(|_| told).map(|kinds| kinds.len() as u64),
        seconds: began.elapsed().as_secs_f64(),
        notes: theory.map_or(String::new(), |theory| notes(info.value, &theory)),
    })
}

fn notes(value: Value, theory: &Theory) -> String {
    let wrong = theory.predictions.iter().filter(|one| !one.outcome.is_that_of(value));
    let note = wrong.map(|one| match one.proven {
        true => format!("THEOREM disagrees: {}", one.by),
        false => format!("{} disagrees", one.by),
    });
    note.collect::<Vec<_>>().join("; ")
}

/// The names of the columns.
fn header(unit: Option<&str>) -> Vec<String> {
    let rest = ["outcome", "distance", "nimber", "winning", "kinds", "seconds", "notes"];
    let names = ["n", "game"].into_iter().chain(unit).chain(rest);
    names.map(str::to_string).collect()
}

/// A row of the table.
fn cells(row: &Surveyed, sized: bool) -> Vec<String> {
    let told = |n: Option<u64>| n.map_or("-".to_string(), |n| n.to_string());
    let mut cells = vec![row.n.to_string(), row.game.clone()];
    cells.extend(sized.then(|| told(row.size)));
    cells.push(row.outcome.clone());
    cells
        .extend([row.remoteness, row.nimber, Some(row.winning_moves), row.winning_kinds].map(told));
    cells.push(format!("{:.3}", row.seconds));
    cells.push(row.notes.clone());
    cells
}

/// The value that an outcome stands for.
fn value(row: &Surveyed) -> Value {
    match row.outcome.as_str() {
        "N" | "win" => Value::Win(Value::UNKNOWN_DISTANCE),
        "P" | "loss" => Value::Loss(Value::UNKNOWN_DISTANCE),
        "tie" => Value::Tie(Value::UNKNOWN_DISTANCE),
        _ => Value::Draw,
    }
}

/// How wide each column is; the rows that are to come are not known yet.
fn widths(header: &[String], last: u64, ends: &[Target]) -> Vec<usize> {
    let mut widths: Vec<usize> = header.iter().map(|name| name.chars().count()).collect();
    widths[0] = widths[0].max(last.to_string().len());
    let names = ends.iter().map(|end| end.built.string.chars().count());
    widths[1] = names.fold(widths[1], usize::max);
    widths
}

/// Words are at the left, numbers at the right.
fn line(cells: &[String], widths: &[usize]) -> String {
    let cell = |(i, (cell, &width)): (usize, (&String, &usize))| match i {
        _ if i == 1 || i + 1 == cells.len() => format!("{cell:width$}"),
        _ => format!("{cell:>width$}"),
    };
    let line = cells.iter().zip(widths).enumerate().map(cell).collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

/// What the rows come to.
#[derive(Default)]
struct SurveyTotals {
    games: u64,
    /// How many have which outcome.
    outcomes: BTreeMap<String, u64>,
    /// By whom something is conjectured, of how many games, and of how many wrongly.
    conjectures: BTreeMap<String, [u64; 2]>,
    /// Of how many games theorems tell.
    theorems: u64,
    /// The theorems that do not agree, each with its game.
    contradicted: Vec<String>,
}

impl SurveyTotals {
    fn add(&mut self, row: &Surveyed, theory: Option<Theory>) {
        self.games += 1;
        *self.outcomes.entry(row.outcome.clone()).or_default() += 1;
        for one in theory.map_or(vec![], |theory| theory.predictions) {
            let wrong = !one.outcome.is_that_of(value(row));
            match one.proven {
                true => {
                    self.theorems += 1;
                    self.contradicted.extend(wrong.then(|| format!("{}, {}", row.game, one.by)));
                }
                false => {
                    let [asked, failed] = self.conjectures.entry(one.by).or_default();
                    *asked += 1;
                    *failed += u64::from(wrong);
                }
            }
        }
    }

    fn json<'a>(
        &'a self,
        (game, family, unit): (&'a str, Option<&'a str>, Option<&'a str>),
        rows: &'a [Surveyed],
    ) -> Survey<'a> {
        let conjecture = |(by, [games, wrong]): (&'a String, &[u64; 2])| {
            let (games, wrong) = (*games, *wrong);
            Conjecture { by, games, wrong }
        };
        Survey {
            game,
            family,
            unit,
            rows,
            outcomes: &self.outcomes,
            conjectures: self.conjectures.iter().map(conjecture).collect(),
            theorems: self.theorems,
            contradicted: &self.contradicted,
        }
    }

    fn text(&self) -> String {
        let outcomes = self.outcomes.iter().map(|(outcome, n)| format!("{n} {outcome}"));
        let outcomes = outcomes.collect::<Vec<_>>().join(", ");
        let mut parts = vec![format!("{}: {outcomes}", several(self.games, "game"))];
        for (by, [asked, failed]) in &self.conjectures {
            parts.push(format!("{by} fails for {failed} of {asked}"));
        }
        parts.extend(match (self.theorems, self.contradicted.len()) {
            (0, _) => None,
            (_, 0) => Some("no theorem disagrees".into()),
            (told, wrong) => Some(format!("{wrong} of {} DISAGREE", several(told, "theorem"))),
        });
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;
    use std::fs;

    fn args(game: &str, family: Option<&str>, (from, to): (u64, u64), file: &Path) -> SurveyArgs {
        let (game, family) = (game.into(), family.map(str::to_string));
        let output = Some(file.to_path_buf());
        let (from, to) = (Some(SurveyBound::Number(from)), SurveyBound::Number(to));
        SurveyArgs { game, family, from, to, output, time: None, table: false, search: false }
    }

    fn surveyed(args: &SurveyArgs, tables: &Path) -> Result<(), Failure> {
        run(&sample_games::context(&sample_games::registry(), tables), args)
    }

    /// A file without its times.
    fn timeless(file: &Path) -> String {
        let text = fs::read_to_string(file).unwrap();
        let line = |line: &str| match line.rsplit_once(',') {
            Some((rest, notes)) if !line.starts_with('n') => {
                let kept = rest.rsplit_once(',').map_or(rest, |(kept, _)| kept);
                format!("{kept},{notes}\n")
            }
            _ => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    #[test]
    fn a_family_is_tabulated() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows.csv");
        surveyed(&args("rows", None, (1, 3), &file), folder.path()).unwrap();
        let expected = "\
n,game,counters,outcome,distance,nimber,winning,kinds,seconds,notes
1,rows:1,1,N,-,1,1,1,
2,rows:2,2,N,-,2,1,1,parity disagrees
3,rows:3,3,N,-,3,1,1,
";
        assert_eq!(timeless(&file), expected);
        let file = folder.path().join("both.csv");
        let mut both = args("rows", Some("both"), (1, 2), &file);
        both.table = true;
        surveyed(&both, folder.path()).unwrap();
        let text = timeless(&file);
        assert!(text.contains("\n1,rows:both=1,2,P,2,0,0,0,\n"), "{text}");
    }

    #[test]
    fn a_survey_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows.csv");
        let three = args("rows", None, (1, 3), &file);
        surveyed(&three, folder.path()).unwrap();
        let whole = timeless(&file);
        // A row that was there is believed; a torn one is not.
        let text = fs::read_to_string(&file).unwrap();
        let begun = text.replacen("1,rows:1,1,N", "1,rows:1,1,P", 1);
        fs::write(&file, &begun[..begun.len() - 9]).unwrap();
        surveyed(&three, folder.path()).unwrap();
        assert_eq!(timeless(&file), whole.replacen("1,rows:1,1,N", "1,rows:1,1,P", 1));
        let other = args("rows", Some("both"), (1, 3), &file);
        let line = surveyed(&other, folder.path()).unwrap_err().to_string();
        assert!(line.contains("holds the rows of another survey"), "{line}");
        let other = args("heaps", None, (1, 3), &file);
        assert!(surveyed(&other, folder.path()).is_err());
    }

    #[test]
    fn a_contradicted_theorem_is_a_no() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("doubtful.csv");
        let failure =
            surveyed(&args("doubtful", Some("both=n"), (1, 2), &file), folder.path()).unwrap_err();
        assert!(matches!(failure, Failure::No(_)), "{failure}");
        assert!(timeless(&file).contains("THEOREM disagrees: Tweedledum\n"));
    }

    #[test]
    fn the_number_is_put_where_n_stands() {
        for (family, expected) in [
            ("wheel", "cycles:wheel=7"),
            ("ladder=2xn", "cycles:ladder=2x7"),
            ("theta=3,n,5", "cycles:theta=3,7,5"),
            ("grid=nxn,plain", "cycles:grid=7x7,plain"),
        ] {
            let args = args("cycles", Some(family), (7, 7), Path::new("x"));
            assert_eq!(string(&args, 7).unwrap(), expected);
        }
        let fixed = args("cycles", Some("ladder=2x3"), (7, 7), Path::new("x"));
        assert!(string(&fixed, 7).unwrap_err().to_string().contains("has no n"));
    }
}
