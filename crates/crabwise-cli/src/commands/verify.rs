//! `crabwise verify`: is the table right, by the rules alone?

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use crabwise::{SolveError, TableError, Verdict, analysis::verify::Mismatch, watch::Shown};
use crabwise_api::{
    analysis::{Compared, DifferingEntry, Verify},
    rows::id,
};
use crabwise_session::{Comparison, Difference, Error};

use crate::{
    args::VerifyArgs,
    context::Context,
    error::Failure,
    text::{count, several},
};

pub fn run(context: &Context, args: &VerifyArgs) -> Result<(), Failure> {
    if let Some(path) = &args.against {
        return against(context, args, path);
    }
    let target = context.solved(&args.of)?;
    let game = &target.built.string;
    let progress = context.progress();
    let sample = args.sample.map(|count| (count.get(), args.seed));
    let judged = context.session.verify(&target, sample, &progress);
    drop(progress);
    // That a table is damaged is an answer here, and no failure to give one.
    let verdict = match judged {
        Err(Error::Solve(SolveError::Table(damage @ TableError::Damaged { .. }))) => {
            let damage = damage.to_string();
            // The answer no stands, whether or not anybody reads it.
            let _ = context.print(&Verify::damaged(game, damage.clone()), String::new);
            return Err(Failure::No(damage));
        }
        judged => judged?,
    };
    let printed = context.print(&Verify::new(game, &verdict), || text(&verdict));
    if verdict.ok() {
        return printed;
    }
    let wrong = several(verdict.wrong, "value");
    Err(Failure::No(format!(
        "{wrong} of '{game}' not as the rules have it; '--anew' solves it again"
    )))
}

/// Compares somebody's file with the table.
fn against(context: &Context, args: &VerifyArgs, path: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::Input(format!("{}: {error}", Shown(&path.display().to_string())));
    let target = context.target(&args.of.game)?;
    // It is read twice. A pipe is not even opened, for nobody may ever write into it.
    let meta = fs::metadata(path).map_err(failed)?;
    if !meta.is_file() {
        let line = "is no file that can be read twice; say the name of an ordinary one";
        return Err(failed(io::Error::other(line)));
    }
    let file = File::open(path).map_err(failed)?;
    context.session.comparable(&target, path, &file)?;
    target.need_distances("a published file tells")?;
    context.ready(&target, args.of.solve)?;
    let progress = context.progress();
    let found = context.session.compare(&target, path, file, &progress)?;
    drop(progress);
    let Comparison { form, compared, differing, differences } = &found;
    let game = &target.built.string;
    let file = path.display().to_string();
    let object = Compared {
        game,
        file: &file,
        form,
        ok: *differing == 0,
        compared: *compared,
        differing: *differing,
        differences: differences.iter().map(differing_entry).collect(),
    };
    let printed = context.print(&object, || comparison(&found));
    match differing {
        0 => printed,
        _ => Err(Failure::No(format!(
            "{} of {file} not as the table of '{game}' has it",
            several(*differing, "entry").replace("entrys", "entries")
        ))),
    }
}

fn differing_entry(one: &Difference) -> DifferingEntry<'_> {
    let Difference { place, position, file, table } = one;
    DifferingEntry { place, position, file, table }
}

fn comparison(found: &Comparison) -> String {
    let Comparison { form, compared, differing, differences } = found;
    let mut text =
        format!("{form}: {} compared, {} differing\n", count(*compared), count(*differing));
    for Difference { place, position, file, table } in differences {
        let position = Shown(position);
        text += &format!("{place}, {position}: the file says {}, the table {table}\n", Shown(file));
    }
    let more = differing - differences.len() as u64;
    if more > 0 {
        text += &format!("… and {} more\n", count(more));
    }
    text
}

fn text(verdict: &Verdict) -> String {
    let Verdict { checked, wrong, mismatches } = verdict;
    let mismatched = several(*wrong, "mismatch").replace("mismatchs", "mismatches");
    let mut text = format!("{} checked, {mismatched}\n", count(*checked));
    for Mismatch { slot, position, stored, derived } in mismatches {
        let stored = stored.map_or("nothing".into(), |value| value.to_string());
        let derived = match derived {
            Ok(value) => format!("the rules say {value}"),
            Err(why) => why.clone(),
        };
        text += &format!("{}  {position}: the table says {stored}, {derived}\n", id(*slot));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{args::SolvedGameArgs, sample_games};

    #[test]
    fn values_that_do_not_follow_from_the_rules_are_a_no() {
        let folder = tempfile::tempdir().unwrap();
        let of = || SolvedGameArgs { game: "again".into(), solve: true };
        let args = || VerifyArgs { of: of(), against: None, sample: None, seed: 1 };
        let (registry, changed) = (sample_games::registry(), sample_games::changed_registry());
        assert!(run(&sample_games::context(&registry, folder.path()), &args()).is_ok());
        let judged = run(&sample_games::context(&changed, folder.path()), &args());
        let Err(Failure::No(line)) = judged else { panic!("nothing was found") };
        assert_eq!(line, "1 value of 'again' not as the rules have it; '--anew' solves it again");
    }
}
