//! `crabwise check`: does a game keep the contracts that every solver relies on?

use crabwise::analysis::check::{Checked, SLOW};

use crate::{
    args::CheckArgs,
    error::Failure,
    json,
    progress::Progress,
    setting::Setting,
    text::{Side, columns, count},
};

pub fn run(setting: &Setting, args: &CheckArgs) -> Result<(), Failure> {
    let chosen = setting.game(&args.game)?;
    let game = &chosen.built.string;
    let progress = Progress::new(setting);
    let checked = chosen.built.game.check(&setting.job(&chosen, &progress), args.seed)?;
    drop(progress);
    let printed = setting.print(&json::Check::new(game, &checked), || text(&checked));
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
    columns(&[Side::Left, Side::Right, Side::Left], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys;

    #[test]
    fn a_broken_contract_is_a_no() {
        let folder = tempfile::tempdir().unwrap();
        let registry = toys::registry();
        let setting = toys::setting(&registry, folder.path());
        let check = |game: &str| run(&setting, &CheckArgs { game: game.into(), seed: 1 });
        assert!(check("again").is_ok());
        let Err(Failure::No(line)) = check("broken") else { panic!("nothing was found") };
        assert_eq!(line, "'broken' breaks its contract: rules");
    }
}
