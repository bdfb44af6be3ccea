//! `crabwise check`: does a game keep the contracts that every solver relies on?

use crabwise::analysis::check::{Checked, SLOW};
use crabwise_api::analysis::Check;

use crate::{
    args::CheckArgs,
    context::Context,
    error::Failure,
    text::{Align, columns, count},
};

pub fn run(context: &Context, args: &CheckArgs) -> Result<(), Failure> {
    let target = context.target(&args.game)?;
    let game = &target.built.string;
    let progress = context.progress();
    let checked = target.built.game.check(&context.session.job(&target, &progress), args.seed)?;
    drop(progress);
    let printed = context.print(&Check::new(game, &checked), || text(&checked));
    let broken: Vec<&str> =
        checked.iter().filter(|one| one.broken.is_some()).map(|one| one.contract).collect();
    if broken.is_empty() {
        return printed;
    }
    Err(Failure::No(format!("'{game}' breaks its contract: {}", broken.join(", "))))
}

fn text(checked: &[Checked]) -> String {
    let row = |one: &Checked| {
        let how = match (&one.broken, one.complete, one.checked) {
            (Some(what), ..) => format!("BROKEN: {what}"),
            (None, true, _) => "all".into(),
            (None, false, 0) => format!("not compared: over {} positions", count(SLOW)),
            (None, false, _) => "a sample".into(),
        };
        vec![one.contract.into(), count(one.checked), how]
    };
    let mut rows = vec![["contract", "checked", "result"].map(str::to_string).to_vec()];
    rows.extend(checked.iter().map(row));
    columns(&[Align::Left, Align::Right, Align::Left], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;

    #[test]
    fn a_broken_contract_is_a_no() {
        let folder = tempfile::tempdir().unwrap();
        let registry = sample_games::registry();
        let context = sample_games::context(&registry, folder.path());
        let check = |game: &str| run(&context, &CheckArgs { game: game.into(), seed: 1 });
        assert!(check("again").is_ok());
        let Err(Failure::No(line)) = check("broken") else { panic!("nothing was found") };
        assert_eq!(line, "'broken' breaks its contract: rules");
    }
}
