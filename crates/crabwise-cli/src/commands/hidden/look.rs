//! `crabwise look` at a view: what the strategy does there, and what that is worth.

use std::path::Path;

use crabwise_hidden::Player;

use super::{equilibrium::small, percent, strategies};
use crate::{
    args::LookArgs,
    error::Failure,
    json,
    progress::Progress,
    setting::Setting,
    text::{Side, columns, fact, player},
};

/// What there is to say of a view.
pub struct Looked {
    pub game: String,
    pub player: Player,
    pub view: Vec<String>,
    pub picture: String,
    /// Moves with their probability and, where it is known, what the player can expect after them.
    pub moves: Vec<(String, f64, Option<f64>)>,
    pub expects: Option<f64>,
    pub method: String,
    pub exploitability: f64,
    pub abstraction: bool,
}

pub fn run(setting: &Setting, args: &LookArgs) -> Result<(), Failure> {
    let built = setting.hidden(&args.asked.of.game)?;
    let (game, progress) = (&built.string, Progress::new(setting));
    let laid = built.game.explore(setting.memory, &progress)?;
    let found = strategies(setting, game, &laid.tree, args.strategy.as_deref().map(Path::new))?;
    let side = if args.second { Player::Second } else { Player::First };
    let words: Vec<&str> = args.moves.iter().map(String::as_str).collect();
    let view = laid.tree.read(side, &words).map_err(Failure::Input)?;
    let moves: Vec<String> = laid.tree.moves(view).map(String::from).collect();
    if moves.is_empty() {
        let next: Vec<String> = laid.tree.next(view).map(|(said, _)| said).collect();
        let line = match next.is_empty() {
            true => "the game is over there".into(),
            false => format!("it is not the {side}'s turn there; next comes {}", next.join(" or ")),
        };
        return Err(Failure::Input(line));
    }
    let form = laid.tree.form(false, setting.memory, &progress)?;
    let (own, other) = (side as usize, side.other() as usize);
    let mut reach = vec![0.0; form.plexes[other].sequences()];
    form.plexes[other].reach(&found.behaviours[other], &mut reach);
    let odds = laid.tree.odds(view, &reach);
    let mut worth = vec![0.0; form.plexes[own].sequences()];
    form.gradient(side, &reach, &mut worth);
    form.plexes[own].worth(&found.behaviours[own], &mut worth);
    let likely = &found.behaviours[own][view.first()..];
    let expected = |i: usize| (odds > 0.0).then(|| worth[view.first() + i] / odds);
    let all = (0..moves.len()).map(|i| Some(likely[i] * expected(i)?)).sum();
    let mut rows: Vec<(String, f64, Option<f64>)> =
        moves.into_iter().enumerate().map(|(i, mv)| (mv, likely[i], expected(i))).collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let picture = laid.tree.state_of(view).map_or(String::new(), |state| laid.seen(state, side));
    let looked = Looked {
        game: game.clone(),
        player: side,
        view: args.moves.clone(),
        picture,
        moves: rows,
        expects: all,
        method: found.method,
        exploitability: found.judged.exploitability(),
        abstraction: found.abstraction,
    };
    drop(progress);
    setting.print(&json::hidden::View::new(&looked), || text(&looked))
}

fn text(looked: &Looked) -> String {
    let mut text =
        format!("{}\n\n{} to move\n\n", looked.picture.trim_end(), player(looked.player as usize));
    let kind = if looked.abstraction { ", an abstraction" } else { "" };
    let quality =
        format!("{}, exploitable by {}{kind}", looked.method, small(looked.exploitability));
    text += &fact("strategy", &quality);
    text += &match looked.expects {
        Some(expects) => {
            let expects = format!("{expects:.6} when both follow it, for the player to move");
            fact("expects", &expects)
        }
        None => fact("expects", "nothing: the other never lets it come to this"),
    };
    let mut rows = vec![["move", "probability", "expects"].map(String::from).to_vec()];
    for (mv, likely, expects) in &looked.moves {
        let expects = expects.map_or("-".into(), |expects| format!("{expects:.6}"));
        rows.push(vec![mv.clone(), percent(*likely), expects]);
    }
    text + "\n" + &columns(&[Side::Left, Side::Right, Side::Right], &rows)
}
