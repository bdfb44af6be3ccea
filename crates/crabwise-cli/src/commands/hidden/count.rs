//! `crabwise count`: how many games, histories and information sets there are.

use crabwise_api::hidden::{self, GamesBy, GamesRow, GamesTable};
use crabwise_hidden::{GameCounts, GameTree, HiddenError};

use crate::{
    args::hidden::{CountArgs, CountBy},
    context::Context,
    error::Failure,
    text::{Align, columns, fact, many},
};

pub fn run(context: &Context, args: &CountArgs) -> Result<(), Failure> {
    let built = context.hidden(&args.game)?;
    let progress = context.progress();
    if let Some(by) = args.by {
        let tree = built.game.explore(context.session.memory(), &progress)?.tree;
        let (by, tables) = tables(&tree, by);
        drop(progress);
        let object = GamesBy { game: &built.string, by, tables };
        return context.print(&object, || tables_text(&object));
    }
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

/// Complete games by first move, or by length.
fn tables(tree: &GameTree, by: CountBy) -> (&'static str, Vec<GamesTable>) {
    let row = |key: String, games: u128| GamesRow { key, games: games.to_string() };
    match by {
        CountBy::FirstMove => {
            let games = tree.games_by_first_move().into_iter();
            let rows = games.map(|(name, games)| row(name, games)).collect();
            ("first-move", vec![GamesTable { unit: "first-move", rows }])
        }
        CountBy::Length => {
            let lengths = [("turns", tree.games_by_turns()), ("moves", tree.games_by_moves())];
            let tables = lengths.map(|(unit, games)| {
                let rows = games.iter().map(|(length, &games)| row(length.to_string(), games));
                GamesTable { unit, rows: rows.collect() }
            });
            ("length", tables.into())
        }
    }
}

fn tables_text(counted: &GamesBy) -> String {
    let mut text = format!("{}\n", counted.game);
    for table in &counted.tables {
        let name = table.unit.replace('-', " ");
        let mut rows = vec![vec![name, "games".to_string()]];
        for row in &table.rows {
            let games = row.games.parse().map_or(row.games.clone(), many);
            rows.push(vec![row.key.clone(), games]);
        }
        let first = if table.unit == "first-move" { Align::Left } else { Align::Right };
        text += &format!("\n{}", columns(&[first, Align::Right], &rows));
    }
    text
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
