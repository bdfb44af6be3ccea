//! One view of a player by the rules alone: what it looks like, and whether it wins with certainty.
//!
//! The line is followed with all positions that fit it. If there are too many to keep some of them stand for all, which
//! is enough for a picture, and for a game that finds certain moves in what a player sees.

use std::fmt;

use crabwise::{
    SolveError,
    watch::{Shown, Stage, Stop, Watch},
};

use crate::{
    belief::Belief,
    play::Ruled,
    prob_one::{Unsettled, ViewSearch},
    rules::{Hidden, Player, Step, Turn, step},
};

/// What a player sees after what it did and observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewInfo {
    /// In letters.
    pub picture: String,
    /// What the player can do.
    pub moves: Vec<String>,
    /// The moves that win with certainty.
    pub certain: Vec<String>,
}

/// Why a view is not settled.
#[derive(Debug)]
pub enum ViewError {
    /// The line cannot come about, or it is not the player's turn there; the error says what would be right.
    Words(String),
    /// Too much fits the view, or there was not enough time.
    Unsettled,
    /// A search of the game's own failed.
    Solve(SolveError),
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::Words(line) => f.write_str(line),
            ViewError::Unsettled => f.write_str("too much fits this view to search it"),
            ViewError::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ViewError {}

impl From<Unsettled> for ViewError {
    fn from(error: Unsettled) -> ViewError {
        match error {
            Unsettled::TooMany => ViewError::Unsettled,
            Unsettled::Stopped(stop) => ViewError::Solve(SolveError::Stopped(stop)),
        }
    }
}

/// How many positions are kept of all that fit a view.
const MOST_KEPT: usize = 1 << 17;

/// What a player sees after a line, and which moves win with certainty.
pub(crate) fn view<G: Hidden>(
    rules: &Ruled<G>,
    player: Player,
    words: &[&str],
    memory: u64,
    watch: &dyn Watch,
) -> Result<ViewInfo, ViewError> {
    let game = &rules.game;
    let belief = followed(game, player, words, watch)?;
    let at = belief.any().ok_or(ViewError::Unsettled)?;
    let moves: Vec<G::Move> = game.moves(at).into_iter().collect();
    let own = rules.certain.and_then(|certain| certain(game, at, memory, watch));
    let certain: Vec<G::Move> = match own {
        Some(found) => found.map_err(ViewError::Solve)?,
        None => {
            // A position in a set, and the set's place in a table, take about this much.
            let most = memory / (4 * size_of::<G::Position>() as u64 + 64);
            let found = ViewSearch::new(game, player, most, watch).moves(&belief, &moves)?;
            found.into_iter().map(|mv| moves[mv]).collect()
        }
    };
    let names = |moves: &[G::Move]| moves.iter().map(G::Move::to_string).collect();
    let picture = game.seen(at, player);
    Ok(ViewInfo { picture, moves: names(&moves), certain: names(&certain) })
}

/// What a player can be in after a line, where it has to move.
fn followed<G: Hidden>(
    game: &G,
    player: Player,
    words: &[&str],
    watch: &dyn Watch,
) -> Result<Belief<G>, ViewError> {
    let mut belief = Belief::new(game, player, MOST_KEPT);
    let mut read = 0;
    while read < words.len() {
        watch.tell(&Stage::new("following the view", None, None)).map_err(stop)?;
        let known = next(game, player, &belief);
        // As many words as one step has.
        let said = |end: usize| words[read..end].join(" ");
        let step = (read + 1..=words.len().min(read + 2)).rev().find_map(|end| {
            let (step, _) = known.iter().find(|(_, name)| *name == said(end))?;
            Some((*step, end))
        });
        let Some((step, end)) = step else {
            return Err(astray::<G>(words, read, &known, belief.is_whole()));
        };
        belief.step(game, step);
        read = end;
    }
    let steps = next(game, player, &belief);
    belief.keep_own_turns(game);
    match belief.any() {
        Some(_) => Ok(belief),
        None if !belief.is_whole() => Err(ViewError::Unsettled),
        None => Err(ViewError::Words(match steps.is_empty() {
            true => "the game is over there".into(),
            false => {
                let next: Vec<&str> = steps.iter().map(|(_, name)| &**name).collect();
                let next = next.join(" or ");
                format!("it is not the {player}'s turn there; next comes {next}")
            }
        })),
    }
}

fn stop(stop: Stop) -> ViewError {
    ViewError::Solve(SolveError::Stopped(stop))
}

/// The steps that can come next, in words.
fn next<G: Hidden>(game: &G, player: Player, belief: &Belief<G>) -> Vec<(Step<G>, String)> {
    let mut steps: Vec<(Step<G>, String)> = vec![];
    for (at, _) in belief.positions() {
        if matches!(game.turn(&at), Turn::Over(_)) {
            continue;
        }
        for mv in game.moves(&at) {
            if let Some(step) = step(game, &at, mv, player)
                && !steps.iter().any(|(known, _)| *known == step)
            {
                let own = step.0.map(|mv| mv.to_string());
                let observed = step.1.map(|observed| observed.to_string());
                let name = own.into_iter().chain(observed).collect::<Vec<_>>().join(" ");
                steps.push((step, name));
            }
        }
    }
    steps
}

fn astray<G: Hidden>(
    words: &[&str],
    read: usize,
    next: &[(Step<G>, String)],
    whole: bool,
) -> ViewError {
    if !whole {
        return ViewError::Unsettled;
    }
    let after = match read {
        0 => "at first".to_string(),
        _ => format!("after '{}'", words[..read].join(" ")),
    };
    let word = Shown(words[read]);
    let names: Vec<&str> = next.iter().map(|(_, name)| &**name).collect();
    ViewError::Words(match names.is_empty() {
        true => format!("'{word}': nothing comes {after}"),
        false => format!("'{word}' cannot come {after}; {} can", names.join(", ")),
    })
}
