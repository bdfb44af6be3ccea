//! `crabwise count`: how many games, histories and information sets there are.

use crabwise_api::hidden;
use crabwise_hidden::{GameCounts, HiddenError};

use crate::{
    args::hidden::CountArgs,
    context::Context,
    error::Failure,
    text::{fact, many},
};

pub fn run(context: &Context, args: &CountArgs) -> Result<(), Failure> {
    let built = context.session.hidden(&args.game)?;
    let progress = context.progress();
    let counted = built.game.explore(context.session.memory(), &progress)?.tree.counts();
    let played_out = match built.game.played_out() {
        Some(game) => match game.explore(context.session.memory(), &progress) {
            Ok(laid) => Some(laid.tree.counts()),
            // What was asked for is known all the same.
            Err(HiddenError::Room { .. }) => None,
            Err(error) => return Err(error.into()),
        },
        None => None,
    };
    drop(progress);
    let abstracted = built.game.is_abstracted();
    let object = hidden::GameSize::new(&built.string, &counted, abstracted, played_out.as_ref());
    context.print(&object, || text(&built.string, &counted, abstracted, played_out.as_ref()))
}

fn text(
    game: &str,
    counted: &GameCounts,
    abstracted: bool,
    played_out: Option<&GameCounts>,
) -> String {
    let pair =
        |[first, second]: [u64; 2]| format!("{} + {}", many(first.into()), many(second.into()));
    let mut text = format!("{game}\n");
    text += &fact("games", &format!("{} complete ones", many(counted.games)));
    if let Some(out) = played_out {
        text += &fact("", &format!("{} if none ends before the board is full", many(out.games)));
    }
    text += &fact("histories", &many(counted.histories));
    text += &fact(
        "information",
        &format!("{} sets, of the first and the second player", pair(counted.info_sets)),
    );
    text += &fact("sequences", &format!("{}, the empty ones included", pair(counted.sequences)));
    if abstracted {
        text += &fact(
            "order-free",
            &format!("{} sets if the order of events is forgotten", pair(counted.info_states)),
        );
    }
    let [states, ends] = [counted.states, counted.ends].map(|n| many(n.into()));
    text +=
        &fact("positions", &format!("{states} with what is known of them, {ends} of them ends"));
    text += &fact("longest game", &format!("{} moves", counted.longest));
    text
}
