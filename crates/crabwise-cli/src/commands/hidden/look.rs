//! `crabwise look` at a view: what the strategy does there, and what that is worth.

use crabwise_api::hidden;
use crabwise_hidden::{
    Player,
    explorer::{InfoSetInfo, LookAtError},
};

use super::{equilibrium::small, percent, strategies};
use crate::{
    args::LookArgs,
    context::Context,
    error::Failure,
    text::{Align, columns, fact, player},
};

/// An information set, and how good the strategy is.
pub struct InfoSetLook {
    pub game: String,
    pub at: InfoSetInfo,
    pub method: String,
    pub exploitability: f64,
    pub abstraction: bool,
}

pub fn run(context: &Context, args: &LookArgs) -> Result<(), Failure> {
    let LookArgs { asked, outcome, labels, traps, .. } = args;
    if asked.of.solve || asked.search || *outcome || *labels || traps.draws().is_some() {
        return Err(super::for_open_games("--solve, --search, --outcome, --labels and --draws"));
    }
    let built = context.hidden(&asked.of.game)?;
    let game = &built.string;
    let strategy = strategies(context, game, args.strategy.as_deref())?;
    let side = if args.second { Player::Second } else { Player::First };
    built.game.foresee(side, &args.moves).map_err(Failure::Input)?;
    let progress = context.progress();
    let explored = built.game.explore(context.session.memory(), &progress)?;
    let strategy = strategy.unpacked(&explored.tree)?;
    let at = explored.look(side, &args.moves, &strategy, context.session.memory(), &progress);
    let at = at.map_err(|error| match error {
        LookAtError::Words(line) => Failure::Input(line),
        LookAtError::Hidden(error) => error.into(),
    })?;
    let looked = InfoSetLook {
        game: game.clone(),
        at,
        method: strategy.method,
        exploitability: strategy.judged.exploitability(),
        abstraction: strategy.abstraction,
    };
    drop(progress);
    let InfoSetLook { game, at, method, exploitability, abstraction } = &looked;
    let view = hidden::InfoSetView::new(game, at, method, *exploitability, *abstraction);
    context.print(&view, || text(&looked))
}

fn text(looked: &InfoSetLook) -> String {
    let mut text = format!(
        "{}\n\n{} to move\n\n",
        looked.at.picture.trim_end(),
        player(looked.at.player as usize)
    );
    let kind = if looked.abstraction { ", an abstraction" } else { "" };
    let quality =
        format!("{}, exploitable by {}{kind}", looked.method, small(looked.exploitability));
    text += &fact("strategy", &quality);
    text += &match looked.at.expects {
        Some(expects) => {
            let expects = format!("{expects:.6} when both follow it, for the player to move");
            fact("expects", &expects)
        }
        None => fact("expects", "nothing: the other never lets it come to this"),
    };
    let mut rows = vec![["move", "probability", "expects"].map(String::from).to_vec()];
    for mv in &looked.at.moves {
        let expects = mv.expects.map_or("-".into(), |expects| format!("{expects:.6}"));
        rows.push(vec![mv.name.clone(), percent(mv.probability), expects]);
    }
    text + "\n" + &columns(&[Align::Left, Align::Right, Align::Right], &rows)
}
