//! `crabwise pone`: wins with probability one.

use std::time::{Duration, Instant};

use crabwise::{
    SolveError,
    watch::{Stage, Stop, Watch},
};
use crabwise_api::hidden;
use crabwise_hidden::{
    CertainView, ErasedHidden, HiddenError, PlanNext, Player, ProbOneWins, Tally, ViewError,
};

use crate::{
    args::hidden::PoneArgs,
    context::Context,
    error::Failure,
    output::write_whole,
    progress::Progress,
    svg,
    text::{Align, columns, count, fact, player, seconds},
};

pub fn run(context: &Context, args: &PoneArgs) -> Result<(), Failure> {
    super::svg_only(args.output.as_deref())?;
    let built = context.hidden(&args.game)?;
    let (game, progress) = (&built.string, context.progress());
    let side = if args.second { Player::Second } else { Player::First };
    if let Some(counts) = args.list {
        let watch = TimeLimit::new(args.time.unwrap_or(A_MINUTE), &progress);
        let views = built.game.certain_views(side, counts, context.session.memory(), &watch);
        let views = views.map_err(|error| match watch.is_over() {
            true => Failure::Input(format!(
                "not all of these views were looked at within {}; --time TIME allows more",
                seconds(watch.time.as_secs_f64())
            )),
            false => error.into(),
        })?;
        drop(progress);
        let object = hidden::CertainViews::new(game, side as usize, counts, &views);
        return context.print(&object, || list_text(game, side, counts, &views));
    }
    if !args.view.is_empty() {
        built.game.foresee(side, &args.view).map_err(Failure::Input)?;
        let settled = settled(context, &built.game, side, args, &progress)?;
        drop(progress);
        let known = settled.as_ref().map(|(picture, moves)| (&**picture, &moves[..]));
        let object = hidden::CertainAt::new(game, side as usize, &args.view, known);
        return context.print(&object, || match known {
            Some((picture, moves)) => view_text(side, picture, moves),
            None => {
                let time = seconds(args.time.unwrap_or(TEN_SECONDS).as_secs_f64());
                fact("certain", &format!("not settled within {time}; --time TIME allows more"))
            }
        });
    }
    if args.second {
        let line = "--second is for a VIEW and for --list; both players are looked at without them";
        return Err(Failure::Input(line.into()));
    }
    let wins = built.game.prob_one(context.session.memory(), &progress)?;
    drop(progress);
    if let Some(path) = &args.output {
        let Some((winner, plan)) = wins.iter().enumerate().find(|(_, wins)| wins.wins) else {
            let line = format!("nobody wins {game} with certainty, so there is nothing to draw");
            return Err(Failure::Input(line));
        };
        let drawing = svg::plan(game, winner, plan);
        let failed = |source| Failure::File { path: path.clone(), source };
        write_whole(path, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    let object = hidden::CertainWins::new(game, &wins, args.plan);
    context.print(&object, || text(game, &wins, args.plan))
}

/// A game that takes more is not laid out to settle one view.
const LARGEST_LAYOUT: u64 = 1 << 30;

/// How long it takes at most, unless somebody says otherwise, to settle a view and to list views.
const TEN_SECONDS: Duration = Duration::from_secs(10);
const A_MINUTE: Duration = Duration::from_secs(60);

/// What a view looks like, and the moves that win with certainty there: by a search, or else by all states of the game,
/// each within the time; `None` if that is not enough.
fn settled(
    context: &Context,
    game: &ErasedHidden,
    side: Player,
    args: &PoneArgs,
    progress: &Progress,
) -> Result<Option<(String, Vec<String>)>, Failure> {
    let memory = context.session.memory();
    let watch = TimeLimit::new(args.time.unwrap_or(TEN_SECONDS), progress);
    match game.view(side, &args.view, memory / 2, &watch) {
        Ok(found) => return Ok(Some((found.picture, found.certain))),
        Err(ViewError::Words(line)) => return Err(Failure::Input(line)),
        Err(ViewError::Solve(error)) if !watch.is_over() => match error {
            SolveError::NoMemory { .. } => {}
            error => return Err(error.into()),
        },
        Err(_) => {}
    }
    let watch = TimeLimit::new(args.time.unwrap_or(TEN_SECONDS), progress);
    let explored = match game.explore(memory.min(LARGEST_LAYOUT), &watch) {
        Ok(explored) => explored,
        Err(HiddenError::Room { .. }) => return Ok(None),
        Err(HiddenError::Stopped(_)) if watch.is_over() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let at = explored.at(side, &args.view).map_err(Failure::Input)?;
    let moves = explored.certain_moves(at, &args.view).map_err(Failure::Input)?;
    Ok(Some((explored.seen_at(at), moves)))
}

/// Ends what takes longer than it may.
struct TimeLimit<'a> {
    time: Duration,
    end: Instant,
    progress: &'a Progress,
}

impl<'a> TimeLimit<'a> {
    fn new(time: Duration, progress: &'a Progress) -> TimeLimit<'a> {
        TimeLimit { time, end: Instant::now() + time, progress }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }
}

impl Watch for TimeLimit<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        self.progress.tell(stage)?;
        if self.is_over() { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

fn list_text(game: &str, side: Player, [empty, hidden]: [u32; 2], views: &[CertainView]) -> String {
    let what = format!(
        "{} certain, of the {}, with {empty} cells that look empty and {hidden} hidden stones",
        count(views.len() as u64),
        player(side as usize),
    );
    let mut text = format!("{game}\n") + &fact("views", &what);
    for view in views {
        text += &format!("\n{}\ntry {}\n", view.picture.trim_end(), view.moves.join(" or "));
    }
    text
}

fn view_text(side: Player, picture: &str, moves: &[String]) -> String {
    let player = player(side as usize);
    let told = match moves {
        [] => format!("no; the {player} does not win whatever is hidden"),
        _ => format!("the {player} wins with probability one; try {}", moves.join(" or ")),
    };
    format!("{}\n\n{}", picture.trim_end(), fact("certain", &told))
}

fn text(game: &str, wins: &[ProbOneWins], plan: bool) -> String {
    let mut text = format!("{game}\n");
    let winner = wins.iter().position(|wins| wins.wins);
    text += &match winner {
        Some(winner) => {
            fact("certain", &format!("the {} wins with probability one", player(winner)))
        }
        None => fact("certain", "nobody wins with probability one"),
    };
    for (p, wins) in wins.iter().enumerate() {
        text += &format!("\n{}\n", player(p));
        if !wins.openings.is_empty() {
            text += &fact("begins with", &wins.openings.join(" "));
        }
        match &wins.counts {
            None => {
                text += &fact("views", "too many to look at all of them; --memory SIZE allows more")
            }
            Some(counts) => {
                text += &fact("views", &tally(&counts.all));
                if !counts.by.is_empty() {
                    text += &format!("\n{}", table(&counts.by));
                }
            }
        }
        if plan && wins.wins {
            text += &format!("\n{}", plan_text(wins));
        }
    }
    text
}

fn tally(tally: &Tally) -> String {
    let weak = tally.weak.map_or(String::new(), |weak| format!(", {} weak", count(weak)));
    format!("{}, {} of them certain{weak}", count(tally.info_sets), count(tally.certain))
}

fn table(rows: &[(u32, u32, Tally)]) -> String {
    let mut lines = vec![["e", "h", "views", "certain", "weak"].map(String::from).to_vec()];
    for (empty, hidden, tally) in rows {
        let weak = tally.weak.map_or("-".into(), count);
        let cells = [
            empty.to_string(),
            hidden.to_string(),
            count(tally.info_sets),
            count(tally.certain),
            weak,
        ];
        lines.push(cells.to_vec());
    }
    columns(&[const { Align::Right }; 5], &lines)
}

/// A view a paragraph; where to go on is told by number.
fn plan_text(wins: &ProbOneWins) -> String {
    let mut text = String::new();
    for (i, view) in wins.plan.iter().enumerate() {
        text += &format!("{}.\n{}\n", i + 1, view.picture.trim_end());
        let next = view.next.iter().map(|(said, to)| {
            let heard = if said.is_empty() { "placed" } else { said };
            match to {
                PlanNext::Step(to) => format!("{heard}: go to {}", to + 1),
                PlanNext::Won => format!("{heard}: won"),
                PlanNext::Omitted => format!("{heard}: not told here"),
            }
        });
        text += &format!("try {}; {}\n\n", view.mv, next.collect::<Vec<_>>().join(", "));
    }
    if wins.cut {
        text += "… and so on\n";
    }
    text
}
